// One process runs at a time beside ours; cleanup knows it, so that it does not outlive us.
#include "system/process.h"

#include "system/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ---- Words

void words_add(Arena *arena, Words *words, const char *word) {
    vec_push(arena, words, word);
}

void words_append(Arena *arena, Words *words, const Words *more) {
    for (uint32_t i = 0; i < more->count; i++) words_add(arena, words, more->at[i]);
}

static bool is_plain(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=+,:@%^";
    return *word && word[strspn(word, plain)] == '\0';
}

void words_print(Out *out, const Words *words) {
    for (uint32_t i = 0; i < words->count; i++) {
        const char *word = words->at[i];
        if (i) out_char(out, ' ');
        if (is_plain(word)) {
            out_text(out, word);
            continue;
        }
        out_char(out, '\'');
        for (; *word; word++)
            if (*word == '\'')
                out_text(out, "'\\''");
            else
                out_char(out, *word);
        out_char(out, '\'');
    }
}

// ---- Standard streams

void standard_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        if (fcntl(i, F_GETFD) != -1 || errno != EBADF) continue;
        // The lowest number that is free is this one. What is opened in the other direction
        // refuses.
        int mode = i == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
        if (open("/dev/null", mode) != i) fatal("standard streams are closed and cannot be opened");
    }
}

// ---- Finding programs

static bool is_this_program(const struct stat *other) {
    struct stat self;
    return stat("/proc/self/exe", &self) == 0 && self.st_dev == other->st_dev &&
           self.st_ino == other->st_ino;
}

static bool can_run(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0 &&
           !is_this_program(&info);
}

// An empty directory in PATH is the working directory.
const char *executable_find(Arena *arena, const char *name) {
    const char *path = getenv("PATH");
    while (path) {
        int length = (int)strcspn(path, ":");
        const char *file = arena_printf(arena, "%.*s%s%s", length, path, length ? "/" : "./", name);
        if (can_run(file)) return file;
        path = path[length] ? path + length + 1 : NULL;
    }
    return NULL;
}

// ---- Processes

static bool cannot_run(const char *name, int reason) {
    fprintf(stderr, "gatecc: error: cannot run '%s': %s\n", name, strerror(reason));
    return false;
}

// The child has the usual signals, whatever is held back or ignored here.
static int spawn(pid_t *child, char **arguments, int input, const sigset_t *mask) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int error = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool process_start(Process *process, const Words *command, int *input) {
    const char *name = command->at[0];
    *process = (Process){.name = name};
    int ends[2] = {-1, -1};
    if (input && pipe2(ends, O_CLOEXEC) != 0) return cannot_run(name, errno);
    char **arguments = xmalloc(size_mul(command->count + 1u, sizeof *arguments));
    for (uint32_t i = 0; i < command->count; i++) arguments[i] = (char *)(uintptr_t)command->at[i];
    arguments[command->count] = NULL;
    sigset_t mask;
    cleanup_hold(&mask);
    int error = spawn(&process->id, arguments, ends[0], &mask);
    if (!error) cleanup_child(process->id);
    cleanup_release(&mask);
    free(arguments);
    if (input) close(ends[0]);
    if (error && input) close(ends[1]);
    if (error) return cannot_run(name, error);
    if (input) *input = ends[1];
    return true;
}

static double seconds_of(const struct rusage *usage) {
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

// The status of its end; -1 if there is none. The child is known to cleanup until it is gone: it is
// waited for without reaping it first, so that no signal can hit another process of its number.
static int reap(Process *process, double *seconds) {
    siginfo_t info;
    while (waitid(P_PID, (id_t)process->id, &info, WEXITED | WNOWAIT) != 0)
        if (errno != EINTR) return -1;
    struct rusage usage;
    int status = -1;
    sigset_t mask;
    cleanup_hold(&mask);
    if (wait4(process->id, &status, 0, &usage) == process->id) *seconds += seconds_of(&usage);
    cleanup_child(0);
    cleanup_release(&mask);
    return status;
}

bool process_wait(Process *process, double *seconds) {
    int status = reap(process, seconds);
    if (status != -1 && WIFSIGNALED(status))
        fprintf(stderr, "gatecc: error: '%s' was ended by signal %d (%s)\n", process->name,
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void process_stop(Process *process) {
    double ignored = 0;
    kill(process->id, SIGTERM);
    reap(process, &ignored);
}

bool write_to(int descriptor, const char *text, size_t length) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &before);
    while (length) {
        ssize_t n = write(descriptor, text, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        text += n;
        length -= (size_t)n;
    }
    int reason = errno;
    sigaction(SIGPIPE, &before, NULL);
    errno = reason;
    return length == 0;
}
