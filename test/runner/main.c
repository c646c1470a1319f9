// The test runner: finds tests by folder, runs them in parallel, shows what differed, and ends with
// the line `N passed, M failed`. docs/testing.md describes the kinds of tests and the options.
//
// Each test runs in a process of its own that leads a process group, so that whatever a test starts
// can be stopped with it, and a crash of one test is a failure of that test only. That process
// writes what it has to say to a file in its scratch directory; the parent only starts, waits,
// counts and prints.
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const kind_names[KIND_COUNT] = {"unit", "script", "document", "text"};

static unsigned count_lines(const char *text, const char *start) {
    unsigned count = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (starts(line, start)) count++;
    return count;
}

// A unit test is a program; if it speaks cmocka's language its cases are counted one by one. A
// script is one test.
static void run_program(const Options *options, const Test *test, Outcome *outcome) {
    char *work = joined("%s/work", test->scratch), *out = joined("%s/stdout", test->scratch);
    char *command = joined("exec '%s/%s'", options->root, test->name);
    if (test->kind == KIND_UNIT) { // test/unit/NAME.c is built as unit/NAME
        const char *file = test->name + strlen("test/");
        command = joined("exec %s '%s/%.*s'", options->prefix ? options->prefix : "",
                         options->build, (int)strcspn(file, "."), file);
    }
    int status = run_command(command, work, out, out);
    Text output = {0};
    if (!read_whole(out, &output)) die("cannot read %s: %s", out, strerror(errno));
    unsigned started = 0, good = 0, skipped = 0;
    if (test->kind == KIND_UNIT) {
        started = count_lines(output.at, "[ RUN      ] ");
        good = count_lines(output.at, "[       OK ] ");
        skipped = count_lines(output.at, "[  SKIPPED ] ");
    }
    outcome->failed = started > good + skipped ? started - good - skipped : 0;
    if (status != 0 && !outcome->failed) outcome->failed = 1;
    outcome->passed = started ? good : !outcome->failed;
    if (!outcome->failed) return;
    add(&outcome->report, "  exit status %d\n", status);
    add_indented(&outcome->report, output.at);
}

// Runs a test in a fresh scratch directory and writes `PASSED FAILED` and what there is to report.
static _Noreturn void run_test(const Options *options, const Test *test) {
    remove_tree(test->scratch);
    char *work = joined("%s/work", test->scratch);
    make_directory(work);
    setenv("TMPDIR", work, true);
    char *path = joined("%s/report", test->scratch);
    int report_file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (report_file < 0) die("cannot write %s: %s", path, strerror(errno));
    Outcome outcome = {0};
    if (test->kind == KIND_TEXT || test->kind == KIND_DOCUMENT)
        run_steps(options, test, &outcome);
    else
        run_program(options, test, &outcome);
    Text line = {0};
    add(&line, "%u %u\n", outcome.passed, outcome.failed);
    add_bytes(&line, outcome.report.at, outcome.report.length);
    _exit(write(report_file, line.at, line.length) == (ssize_t)line.length ? 0 : 2);
}

typedef struct {
    Test *at;
    size_t count;
    size_t capacity;
} TestList;

// What each job runs. Outside of functions for the sake of who is interrupted.
typedef struct {
    size_t test;
    char *stopped; // why it was stopped, or NULL
} Slot;

static Slot *slots;
static Usage *usages;
static size_t slot_count;

static void on_interrupt(int signal) {
    for (size_t i = 0; i < slot_count; i++)
        if (usages[i].leader > 0) kill(-usages[i].leader, SIGKILL);
    _exit(128 + signal);
}

// Time to look who takes too long; a call that waits comes back for that.
static volatile sig_atomic_t ticked;

static void on_tick(int signal) {
    (void)signal;
    ticked = 1;
}

static void start_ticking(void) {
    struct sigaction action = {.sa_handler = on_tick};
    struct itimerval every_second = {.it_interval.tv_sec = 1, .it_value.tv_sec = 1};
    if (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &every_second, NULL) != 0)
        die("cannot set a timer: %s", strerror(errno));
}

// Stops the tests that have used up their time.
static void stop_late(const Options *options) {
    ticked = 0;
    measure(usages, slot_count);
    for (size_t i = 0; i < slot_count; i++) {
        bool computed = usages[i].computed > options->limit,
             waited = usages[i].waited > options->limit;
        if (usages[i].leader <= 0 || slots[i].stopped || (!computed && !waited)) continue;
        slots[i].stopped = joined("  stopped: it %s for longer than the time limit of %u seconds\n",
                                  computed ? "computed" : "waited", options->limit);
        kill(-usages[i].leader, SIGKILL);
    }
}

static void start_test(const Options *options, const TestList *tests, size_t number, size_t slot) {
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); // an interrupt must not miss the new process
    pid_t child = fork();
    if (child < 0) die("cannot fork: %s", strerror(errno));
    if (child == 0) {
        setpgid(0, 0);
        signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL), signal(SIGHUP, SIG_DFL);
        signal(SIGALRM, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        run_test(options, &tests->at[number]);
    }
    setpgid(child, child);
    slots[slot] = (Slot){.test = number};
    usages[slot] = (Usage){.leader = child};
    sigprocmask(SIG_SETMASK, &before, NULL);
}

// Waits for any test, stops what it may have left running, and yields its process.
static pid_t finish_any(const Options *options) {
    siginfo_t info;
    if (ticked) stop_late(options);
    while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) != 0) {
        if (errno != EINTR) die("cannot wait: %s", strerror(errno));
        stop_late(options);
    }
    kill(-info.si_pid, SIGKILL);
    pid_t buried;
    while ((buried = waitpid(info.si_pid, NULL, 0)) < 0 && errno == EINTR) continue;
    if (buried != info.si_pid) die("cannot wait: %s", strerror(errno));
    return info.si_pid;
}

static void show_progress(size_t done, size_t count, unsigned failed) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%zu of %zu, %u failed", done, count, failed);
}

static void clear_progress(void) {
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

// Reads a finished test's report, prints it if it says anything, and cleans up after a success.
static void account(const Options *options, const Test *test, size_t slot, unsigned *passed,
                    unsigned *failed) {
    const char *stopped = slots[slot].stopped;
    char *path = joined("%s/report", test->scratch);
    Text report = {0};
    unsigned good = 0, bad = 1;
    const char *rest = stopped ? stopped : "  its process ended without a report\n";
    if (!stopped && read_whole(path, &report) && sscanf(report.at, "%u %u", &good, &bad) == 2)
        rest = strchr(report.at, '\n') + 1;
    if (bad || *rest) clear_progress();
    if (bad)
        printf("FAILED %s\n%s  (files: %s)\n", test->name, rest, test->scratch);
    else if (*rest)
        printf("%s\n%s", test->name, rest);
    fflush(stdout);
    if (!bad) remove_tree(test->scratch);
    *passed += good;
    *failed += bad;
    if (options->record) record_add(options, test, good, bad, usages[slot].computed);
    free(path);
    free(report.at);
}

static unsigned run_all(const Options *options, const TestList *tests, unsigned passed) {
    slot_count = options->jobs < tests->count ? options->jobs : tests->count;
    slots = reallocate(NULL, slot_count * sizeof *slots);
    usages = reallocate(NULL, slot_count * sizeof *usages);
    memset(usages, 0, slot_count * sizeof *usages);
    signal(SIGINT, on_interrupt), signal(SIGTERM, on_interrupt), signal(SIGHUP, on_interrupt);
    start_ticking();
    size_t next = 0, done = 0;
    unsigned failed = 0;
    for (; next < slot_count; next++) start_test(options, tests, next, next);
    while (done < tests->count) {
        pid_t process = finish_any(options);
        size_t slot = 0;
        while (slot < slot_count && usages[slot].leader != process) slot++;
        if (slot == slot_count) continue; // not a process of ours
        usages[slot].leader = 0;
        account(options, &tests->at[slots[slot].test], slot, &passed, &failed);
        free(slots[slot].stopped);
        show_progress(++done, tests->count, failed);
        if (next < tests->count) start_test(options, tests, next++, slot);
    }
    clear_progress();
    printf("%u passed, %u failed\n", passed, failed);
    return failed;
}

static bool wanted(const Options *options, Kind kind, const char *name) {
    if (!options->kinds[kind]) return false;
    if (!options->with_long && starts(name, "test/long/")) return false;
    for (int i = 0; i < options->pattern_count; i++) {
        const char *pattern = options->patterns[i];
        if (strstr(name, pattern) || fnmatch(pattern, name, 0) == 0) return true;
    }
    return options->pattern_count == 0;
}

static void add_test(const Options *options, TestList *tests, Kind kind, const char *name) {
    if (!wanted(options, kind, name)) return;
    if (tests->count == tests->capacity) {
        tests->capacity = tests->capacity ? tests->capacity * 2 : 64;
        tests->at = reallocate(tests->at, tests->capacity * sizeof *tests->at);
    }
    char *flat = joined("%s", name);
    for (char *c = flat; *c; c++)
        if (*c == '/') *c = '+';
    tests->at[tests->count++] = (Test){
        .kind = kind,
        .name = joined("%s", name),
        .scratch = joined("%s/test/scratch/%s", options->build, flat),
    };
    free(flat);
}

static void consider(const Options *options, TestList *tests, const char *name, mode_t mode) {
    if (starts(name, "docs/")) {
        if (ends(name, ".md")) add_test(options, tests, KIND_DOCUMENT, name);
    } else if (ends(name, ".test")) {
        add_test(options, tests, KIND_TEXT, name);
    } else if (ends(name, ".sh") && mode & S_IXUSR) {
        add_test(options, tests, KIND_SCRIPT, name);
    } else if ((starts(name, "test/unit/") || starts(name, "test/forge/")) && ends(name, ".c")) {
        add_test(options, tests, KIND_UNIT, name);
    }
}

// Fuzzing corpora are not searched: any name may occur there.
static void find_tests(const Options *options, TestList *tests, const char *folder) {
    if (!strcmp(folder, "test/fuzz")) return;
    char *path = joined("%s/%s", options->root, folder);
    DIR *directory = opendir(path);
    free(path);
    if (!directory) return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        char *name = joined("%s/%s", folder, entry->d_name);
        path = joined("%s/%s", options->root, name);
        struct stat info;
        if (stat(path, &info) != 0) die("cannot look at %s: %s", path, strerror(errno));
        if (S_ISDIR(info.st_mode))
            find_tests(options, tests, name);
        else
            consider(options, tests, name, info.st_mode);
        free(name);
        free(path);
    }
    closedir(directory);
}

// Takes out the test of a name that begins a line; false if there is none.
static bool leave_out(TestList *tests, const char *line, size_t length) {
    for (size_t i = 0; i < tests->count; i++) {
        const char *name = tests->at[i].name;
        if (strlen(name) != length || strncmp(name, line, length) != 0) continue;
        tests->at[i] = tests->at[--tests->count];
        return true;
    }
    return false;
}

// The file has lines TEST REASON, and comments behind #. A test that is not there any more is an
// error, one that is not to be run now is none.
static void leave_out_exceptions(const Options *options, TestList *tests) {
    Text text = {0};
    if (!read_whole(options->except, &text))
        die("cannot read %s: %s", options->except, strerror(errno));
    unsigned count = 0;
    for (const char *line = text.at; *line; line += strcspn(line, "\n"), line += *line != '\0') {
        size_t length = strcspn(line, " \n");
        if (*line == '#' || length == 0) continue;
        char *path = joined("%s/%.*s", options->root, (int)length, line);
        if (access(path, F_OK) != 0)
            die("%s: there is no test %.*s", options->except, (int)length, line);
        if (line[length] != ' ') die("%s: no reason for %.*s", options->except, (int)length, line);
        free(path);
        count += leave_out(tests, line, length);
    }
    if (count) printf("left out, for the reasons in %s: %u\n", options->except, count);
}

// By kind, so that the long ones start first, then by name.
static int compare_tests(const void *a, const void *b) {
    const Test *x = a, *y = b;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->name, y->name);
}

static const char usage[] =
    "usage: runner [OPTION]... [PATTERN]...\n"
    "Runs the tests whose path contains or matches a PATTERN, or all.\n"
    "  --root DIR       the repository (default: the current directory)\n"
    "  --build DIR      where it was built (default: build)\n"
    "  --bin DIR        directory put first in PATH (default: bin in the build directory)\n"
    "  --prefix COMMAND put this before unit test programs\n"
    "  --except FILE    leave out the tests that the file names, one a line, each with the reason\n"
    "  --record FILE    write there how each test ended; tests that passed before are not run "
    "again\n"
    "  --state TEXT     what the record is about: one of another state begins anew\n"
    "  --only KIND      unit, script, document or text; may be repeated\n"
    "  --jobs N         how many tests run at once (default: one per core)\n"
    "  --limit SECONDS  processor time that one test may take (default: 600), and a tenth of what "
    "it\n"
    "                   may take by the clock\n"
    "  --long           include test/long, and tell tests with GATE_LONG=1; GATE_LONG=N in the\n"
    "                   environment asks for more\n"
    "  --update         make what happened the expected result of text and document tests\n";

static const char *absolute(const char *path) {
    const char *result = realpath(path, NULL);
    if (!result) die("%s: %s", path, strerror(errno));
    return result;
}

static unsigned number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < 1 || value > INT_MAX) die("not a positive number: %s", text);
    return (unsigned)value;
}

static void select_kind(Options *options, const char *name) {
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (!strcmp(name, kind_names[i])) {
            options->kinds[i] = true;
            return;
        }
    die("no such kind of test: %s", name);
}

// An option with a value; false if there is no such option.
static bool set_option(Options *options, const char *name, const char *value) {
    if (!strcmp(name, "--root"))
        options->root = value;
    else if (!strcmp(name, "--build"))
        options->build = value;
    else if (!strcmp(name, "--bin"))
        options->bin = absolute(value);
    else if (!strcmp(name, "--prefix"))
        options->prefix = value;
    else if (!strcmp(name, "--except"))
        options->except = value;
    else if (!strcmp(name, "--record"))
        options->record = value;
    else if (!strcmp(name, "--state"))
        options->state = value;
    else if (!strcmp(name, "--only"))
        select_kind(options, value);
    else if (!strcmp(name, "--jobs"))
        options->jobs = number(value);
    else if (!strcmp(name, "--limit"))
        options->limit = number(value);
    else
        return false;
    return true;
}

static Options parse_options(int argc, char **argv) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    Options options = {
        .root = ".",
        .build = "build",
        .jobs = cores > 0 ? (unsigned)cores : 1,
        .limit = 600,
    };
    options.patterns = argv; // each pattern moves up to where it stays
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            options.patterns[options.pattern_count++] = argv[i];
        } else if (!strcmp(argv[i], "--update")) {
            options.update = true;
        } else if (!strcmp(argv[i], "--long")) {
            options.with_long = true;
        } else if (!strcmp(argv[i], "--help")) {
            fputs(usage, stdout);
            exit(0);
        } else {
            if (i + 1 == argc || !set_option(&options, argv[i], argv[i + 1]))
                die("no such option, or nothing after it: %s (see --help)", argv[i]);
            i++;
        }
    }
    options.root = absolute(options.root);
    options.build = absolute(options.build);
    if (!options.bin) options.bin = joined("%s/bin", options.build);
    bool all = true;
    for (size_t kind = 0; kind < KIND_COUNT; kind++) all = all && !options.kinds[kind];
    for (size_t kind = 0; kind < KIND_COUNT && all; kind++) options.kinds[kind] = true;
    return options;
}

// What a test sees of the world must not depend on who runs it.
static void set_environment(const Options *options) {
    static const char *const unwanted[] = {
        "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
        "BUILD",     "CC",     "CFLAGS",    "CPPFLAGS",
        "LDFLAGS",   "LDLIBS", "WERROR",    "V",
        "CI",        "TESTS",  "GATE_LONG", "CMOCKA_MESSAGE_OUTPUT",
    };
    const char *given = getenv("GATE_LONG");
    char *times = options->with_long ? joined("%u", given && *given ? number(given) : 1) : NULL;
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++) unsetenv(unwanted[i]);
    const char *path = getenv("PATH");
    setenv("PATH", joined("%s:%s", options->bin, path ? path : "/usr/bin:/bin"), true);
    setenv("ROOT", options->root, true);
    setenv("BUILT", options->build, true);
    setenv("LC_ALL", "C", true);
    if (times) setenv("GATE_LONG", times, true);
}

int main(int argc, char **argv) {
    Options options = parse_options(argc, argv);
    set_environment(&options);
    TestList tests = {0};
    find_tests(&options, &tests, "test");
    find_tests(&options, &tests, "docs");
    if (access(joined("%s/README.md", options.root), R_OK) == 0)
        add_test(&options, &tests, KIND_DOCUMENT, "README.md");
    if (options.except) leave_out_exceptions(&options, &tests);
    if (!tests.count) die("no such test");
    unsigned passed = 0;
    if (options.record) tests.count = record_recall(&options, tests.at, tests.count, &passed);
    if (tests.count) qsort(tests.at, tests.count, sizeof *tests.at, compare_tests);
    return run_all(&options, &tests, passed) ? 1 : 0;
}
