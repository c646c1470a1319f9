// Compiles and runs a program natively. The compiler is the gatecc beside this program. The
// compiled program runs with unbuffered output, so that output to the two streams comes in the
// order of writing.
#include "gate/compare/native.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 60 }; // of processor time, for a program that does not end

static const char *compiler(Arena *arena) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    while (length > 0 && path[length - 1] != '/') length--;
    const char *beside = arena_printf(arena, "%.*sgatecc", length > 0 ? (int)length : 0, path);
    return access(beside, X_OK) == 0 ? beside : "gatecc";
}

static bool compile(Arena *arena, const NativeOptions *options, const char *program) {
    Words command = {0};
    words_add(arena, &command, compiler(arena));
    words_add(arena, &command, arena_printf(arena, "-O%u", options->level));
    words_append(arena, &command, options->options);
    const char *rest[] = {"-w", options->file, "-o", program, "-lm", "-Wl,--as-needed", "-latomic"};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) words_add(arena, &command, rest[i]);
    Process process;
    double seconds = 0;
    return process_start(&process, &command, NULL) && process_wait(&process, &seconds);
}

// What a run of the program is watched for.
typedef enum { WATCH_BOTH, WATCH_ERRORS } Watch;

static _Noreturn void become(const NativeOptions *options, const char *program, int output,
                             Watch watch) {
    const char **words = xmalloc(((size_t)options->argc + 4) * sizeof *words);
    size_t count = 0;
    words[count++] = "stdbuf";
    words[count++] = "-o0";
    words[count++] = program;
    for (int i = 1; i < options->argc; i++) words[count++] = options->argv[i];
    words[count] = NULL;
    setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = MOST_SECONDS, .rlim_max = MOST_SECONDS});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    dup2(watch == WATCH_BOTH ? output : open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close(output);
    execvp(words[0], (char *const *)words);
    _exit(127);
}

static void collect(int input, Out *out, size_t most) {
    char buffer[65536];
    ssize_t n;
    while (out->length <= most && (n = read(input, buffer, sizeof buffer)) != 0)
        if (n > 0)
            out_bytes(out, buffer, (size_t)n);
        else if (errno != EINTR)
            return;
}

static void set_end(int status, Behaviour *behaviour) {
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    behaviour->end = END_RESULT;
    if (number == SIGABRT)
        behaviour->end = END_ABORT;
    else if (number == SIGILL)
        behaviour->end = END_TRAP;
    else if (number)
        behaviour->end = number == SIGXCPU || number == SIGKILL ? END_FUEL : END_WRONG;
    behaviour->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    behaviour->reason = number ? strsignal(number) : NULL;
}

static bool run(const NativeOptions *options, const char *program, Watch watch, RunResult *result) {
    int ends[2], status = 0;
    lseek(STDIN_FILENO, 0, SEEK_SET);
    if (pipe(ends) != 0) return false;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(options, program, ends[1], watch);
    }
    close(ends[1]);
    if (child > 0)
        collect(ends[0], watch == WATCH_BOTH ? &result->output : &result->errors,
                options->most_output);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child) return false;
    if (watch == WATCH_BOTH) set_end(status, &result->behaviour);
    return true;
}

bool native_run(Arena *arena, const NativeOptions *options, RunResult *result) {
    const char *top = getenv("TMPDIR");
    char *directory = arena_printf(arena, "%s/gate-XXXXXX", top && *top ? top : "/tmp");
    if (!mkdtemp(directory)) return false;
    const char *program = arena_printf(arena, "%s/program", directory);
    *result = (RunResult){.behaviour.node = NO_NODE};
    bool good = compile(arena, options, program) && run(options, program, WATCH_BOTH, result) &&
                (!result->output.length || run(options, program, WATCH_ERRORS, result));
    unlink(program);
    rmdir(directory);
    return good;
}
