// gatecheck: replays certificates. It is linked from trusted code only.
#include "base/version.h"
#include "gatecheck/gatecheck_report.h"

#include <errno.h>
#include <string.h>

enum { EXIT_VALID = 0, EXIT_INVALID = 1, EXIT_UNREADABLE = 2 };

static const char help[] =
    "usage: gatecheck [OPTIONS] FILE...\n"
    "\n"
    "Checks certificates that gatecc --certificate=FILE or gate certify wrote: every form\n"
    "of every function and every step between them. Says what it has shown, and what it\n"
    "has assumed. gatecheck-slice does that for slices.\n"
    "\n"
    "options:\n"
    "  -v, --verbose          name each function and step, and all that is assumed or\n"
    "                         not covered\n"
    "  --partial              accept functions that do not end as machine code, too\n"
    "  --object OBJECT        also check that OBJECT, a program, a library or an archive\n"
    "                         belongs to the certificates, and which of its functions\n"
    "                         they cover\n"
    "  --all                  with that: all of its functions must be covered\n"
    "  --report=html, --report=json\n"
    "                         instead of these lines, a report for an assessor\n"
    "  -o FILE                write the report there, and the lines as usual\n"
    "  --text, --binary       print the certificate in this encoding; steps are read, but\n"
    "                         not checked\n"
    "  --help, --version\n"
    "\n"
    "exit status: 0 valid, 1 invalid, 2 unreadable or usage\n";

typedef struct {
    Arena *arena;
    VEC(const char *) paths;
    const char *object, *output;
    bool verbose, partial, all, report, html;
    Encoding encoding; // in which the certificate is printed
} GatecheckOptions;

static int usage(const char *format, const char *what) {
    fprintf(stderr, "gatecheck: ");
    fprintf(stderr, format, what);
    fprintf(stderr, "\nTry 'gatecheck --help'.\n");
    return EXIT_UNREADABLE;
}

static bool read_all(Arena *arena, const char *path, char **text, size_t *length) {
    if (read_file(arena, path, text, length)) return true;
    fprintf(stderr, "gatecheck: cannot read '%s': %s\n", path, strerror(errno));
    return false;
}

static const int exits[] = {EXIT_VALID, EXIT_INVALID, EXIT_UNREADABLE};

// Prints a certificate in another encoding.
static int convert(const GatecheckOptions *options, Diag *diag) {
    char *text;
    size_t length;
    Out out = {0};
    if (!read_all(options->arena, options->paths.at[0], &text, &length)) return EXIT_UNREADABLE;
    Replay replay = {.diag = diag, .out = &out, .encoding = options->encoding};
    int status = exits[replay_certificate(&replay, options->paths.at[0], text, length)];
    if (status == EXIT_VALID) out_flush(&out, stdout);
    out_free(&out);
    return status;
}

// ---- Certificates

// The mistake in the file to which the certificates belong. Names in it may hold anything.
static void say_mistake(const GatecheckOptions *options, const char *problem) {
    Out out = {0};
    out_printf(&out, "gatecheck: %s: ", options->object);
    out_shown(&out, problem, strlen(problem));
    out_char(&out, '\n');
    out_flush(&out, stderr);
    out_free(&out);
}

// The file that the certificates belong to.
static int open_target(const GatecheckOptions *options, CodeFile *target) {
    char *text;
    size_t length;
    *target = (CodeFile){.path = options->object, .arena = options->arena};
    if (!options->object) return EXIT_VALID;
    if (!read_all(options->arena, options->object, &text, &length)) return EXIT_UNREADABLE;
    const char *problem = target_open(target, text, length);
    if (problem) say_mistake(options, problem);
    return problem ? EXIT_UNREADABLE : EXIT_VALID;
}

static int check_target(const GatecheckOptions *options, CodeFile *target,
                        const Account *accounts) {
    const char *problem = target_tie(target, accounts, options->paths.count);
    if (problem) say_mistake(options, problem);
    if (problem) return EXIT_INVALID;
    if (!options->all ||
        (target->covered == target->functions.count && !target->unnamed && !target->strangers))
        return EXIT_VALID;
    for (uint32_t i = 0; i < target->functions.count; i++)
        if (!target->functions.at[i].certificate)
            say_mistake(options, arena_printf(options->arena, "function '%s' is not covered",
                                              target->functions.at[i].name));
    if (target->unnamed) say_mistake(options, "it does not name its functions");
    if (target->strangers) say_mistake(options, "a member of it belongs to no certificate");
    return EXIT_INVALID;
}

static int tell(const GatecheckOptions *options, const Verdicts *verdicts) {
    Out out = {0}, page = {0};
    if (options->report) report_page(&page, verdicts, options->html);
    if (options->output && !out_commit(&page, options->output)) {
        fprintf(stderr, "gatecheck: cannot write '%s': %s\n", options->output, strerror(errno));
        return EXIT_UNREADABLE;
    }
    if (options->verbose) report_names(&out, verdicts);
    if (!options->report || options->output) report_lines(&out, verdicts);
    if (options->report && !options->output) out_bytes(&out, page.text, page.length);
    out_flush(&out, stdout);
    out_free(&out);
    out_free(&page);
    return EXIT_VALID;
}

static int check_account(const GatecheckOptions *options, Account *account, Diag *diag,
                         const char *text, size_t length) {
    account->arena = options->arena;
    account->verbose = options->verbose && (!options->report || options->output);
    account->keep_steps = options->report;
    return exits[account_replay(account, diag, options->partial, text, length)];
}

static int check(const GatecheckOptions *options, Diag *diag) {
    uint32_t count = options->paths.count;
    Account *accounts = ARENA_ARRAY(options->arena, Account, count);
    CodeFile target;
    int status = EXIT_VALID;
    for (uint32_t i = 0; i < count && status == EXIT_VALID; i++) {
        char *text;
        size_t length;
        accounts[i].path = options->paths.at[i];
        accounts[i].target = options->object ? &target : NULL;
        if (!read_all(options->arena, accounts[i].path, &text, &length)) return EXIT_UNREADABLE;
        if (is_slice_certificate(text, length))
            return usage("'%s' is the certificate of a slice: gatecheck-slice checks those",
                         accounts[i].path);
        if (i == 0) status = open_target(options, &target);
        if (status == EXIT_VALID) status = check_account(options, &accounts[i], diag, text, length);
    }
    if (status == EXIT_VALID && options->object) status = check_target(options, &target, accounts);
    if (status != EXIT_VALID) return status;
    Verdicts verdicts = {.arena = options->arena,
                         .accounts = accounts,
                         .count = count,
                         .target = options->object ? &target : NULL};
    return tell(options, &verdicts);
}

// ---- The command line

// Reads the option at argv[*at]; false if it is none, or lacks its argument.
static bool read_option(GatecheckOptions *options, char **argv, int *at) {
    const char *word = argv[*at], *next = argv[*at + 1];
    if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0)
        options->verbose = true;
    else if (strcmp(word, "--partial") == 0)
        options->partial = true;
    else if (strcmp(word, "--all") == 0)
        options->all = true;
    else if (strcmp(word, "--text") == 0)
        options->encoding = ENCODING_TEXT;
    else if (strcmp(word, "--binary") == 0)
        options->encoding = ENCODING_BINARY;
    else if (strcmp(word, "--report=html") == 0 || strcmp(word, "--report=json") == 0)
        options->report = true, options->html = strcmp(word, "--report=html") == 0;
    else if (strcmp(word, "--object") == 0 && next)
        options->object = next, ++*at;
    else if (strcmp(word, "-o") == 0 && next)
        options->output = next, ++*at;
    else
        return false;
    return true;
}

static int run(GatecheckOptions *options) {
    if (!options->paths.count) return usage("%s", "a certificate is needed");
    if (options->output && !options->report) return usage("%s", "-o is for a --report");
    if (options->all && !options->object) return usage("%s", "--all is for an --object");
    if (options->encoding && options->paths.count > 1)
        return usage("%s", "--text and --binary are for one certificate");
    Diag diag;
    diag_init(&diag, options->arena, stderr);
    diag.error_limit = 1;
    int status = options->encoding ? convert(options, &diag) : check(options, &diag);
    diag_free(&diag);
    if (fflush(stdout) == 0) return status;
    fprintf(stderr, "gatecheck: cannot write: %s\n", strerror(errno));
    return EXIT_UNREADABLE;
}

static int read_arguments(GatecheckOptions *options, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return fputs(help, stdout) < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (strcmp(argv[i], "--version") == 0)
            return puts("gatecheck (gatecc) " GATECC_VERSION) < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (argv[i][0] != '-' || !argv[i][1])
            vec_push(options->arena, &options->paths, argv[i]);
        else if (!read_option(options, argv, &i))
            return usage("unknown option '%s', or it needs a file name", argv[i]);
    }
    return run(options);
}

int main(int argc, char **argv) {
    GatecheckOptions options = {.arena = arena_new("certificate")};
    int status = read_arguments(&options, argc, argv);
    arena_free(options.arena);
    return status;
}
