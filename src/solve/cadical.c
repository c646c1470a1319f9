// The question is the process's standard input, from a file without a name; the proof is written to
// a second one, which the process opens by way of /dev/fd. So nothing is left behind whatever
// happens, and neither side waits for the other.
#include "solve/cadical.h"

#include "system/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_SATISFIABLE = 10, EXIT_UNSATISFIABLE = 20, PROOF_DESCRIPTOR = 3 };

extern char **environ;

// Runs the solver on a question; its exit status, or -1 with errno set.
static int run(FILE *question, FILE *proof) {
    char program[] = "cadical", quiet[] = "-q", text[] = "--no-binary", in[] = "-",
         out[] = "/dev/fd/3";
    char *arguments[] = {program, quiet, text, in, out, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    // Both files are moved out of the way of the descriptors that the process gets.
    int from = fcntl(fileno(question), F_DUPFD_CLOEXEC, PROOF_DESCRIPTOR + 1),
        to = fcntl(fileno(proof), F_DUPFD_CLOEXEC, PROOF_DESCRIPTOR + 1);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, to, PROOF_DESCRIPTOR);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int error = from < 0 || to < 0
                    ? errno
                    : posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (from >= 0) close(from);
    if (to >= 0) close(to);
    errno = error;
    if (error) return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static const char *read_proof(Arena *arena, FILE *file, char **proof, size_t *length) {
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0) return "the proof of the solver is not readable";
    rewind(file);
    *proof = arena_alloc(arena, (size_t)size + 1);
    *length = fread(*proof, 1, (size_t)size, file);
    return NULL;
}

static const char *solve(Arena *arena, const char *dimacs, size_t length, FILE *question,
                         FILE *answer, char **proof, size_t *proof_length) {
    if (fwrite(dimacs, 1, length, question) != length || fflush(question) != 0 ||
        fseek(question, 0, SEEK_SET) != 0)
        return arena_printf(arena, "the solver's question cannot be written: %s", strerror(errno));
    int status = run(question, answer);
    if (status < 0 && errno == ENOENT) return CADICAL_MISSING;
    if (status < 0) return arena_printf(arena, "cadical cannot be run: %s", strerror(errno));
    if (status == EXIT_SATISFIABLE) return "cadical finds a counterexample";
    if (status != EXIT_UNSATISFIABLE)
        return arena_printf(arena, "cadical fails, status %d", status);
    return read_proof(arena, answer, proof, proof_length);
}

static bool refute(void *context, Arena *arena, const char *dimacs, size_t length, char **proof,
                   size_t *proof_length, const char **reason) {
    (void)context;
    FILE *question = tmpfile(), *answer = tmpfile();
    *reason = question && answer
                  ? solve(arena, dimacs, length, question, answer, proof, proof_length)
                  : arena_printf(arena, "no temporary file for the solver: %s", strerror(errno));
    if (question) fclose(question);
    if (answer) fclose(answer);
    return !*reason;
}

bool cadical_is_installed(void) {
    Arena *arena = arena_new("path");
    bool found = executable_find(arena, "cadical") != NULL;
    arena_free(arena);
    return found;
}

const Refuter cadical = {.refute = refute};
