// gatecheck: replays certificates. It is linked from trusted code only.
#include "check/replay.h"

#include <errno.h>
#include <string.h>

enum { EXIT_VALID = 0, EXIT_INVALID = 1, EXIT_UNREADABLE = 2 };

static const char help[] =
    "usage: gatecheck [OPTIONS] FILE\n"
    "\n"
    "Checks a certificate that gatecc --certificate=FILE or gate certify wrote: every\n"
    "form of every function and every step between them.\n"
    "\n"
    "options:\n"
    "  -v                     name each function and step\n"
    "  --help, --version\n"
    "\n"
    "exit status: 0 valid, 1 invalid, 2 unreadable or usage\n";

static int usage(const char *format, const char *what) {
    fprintf(stderr, "gatecheck: ");
    fprintf(stderr, format, what);
    fprintf(stderr, "\nTry 'gatecheck --help'.\n");
    return EXIT_UNREADABLE;
}

static int check(Arena *arena, const char *path, bool verbose) {
    char *text;
    size_t length;
    if (!read_file(arena, path, &text, &length)) {
        fprintf(stderr, "gatecheck: cannot read '%s': %s\n", path, strerror(errno));
        return EXIT_UNREADABLE;
    }
    Diag diag;
    diag_init(&diag, arena, stderr);
    diag.error_limit = 1;
    Replay replay = {.diag = &diag, .log = verbose ? stdout : NULL};
    static const int exits[] = {EXIT_VALID, EXIT_INVALID, EXIT_UNREADABLE};
    int status = exits[replay_certificate(&replay, path, text, length)];
    if (status == EXIT_VALID && verbose)
        printf("valid: %llu functions, %llu steps\n", (unsigned long long)replay.functions,
               (unsigned long long)replay.steps);
    diag_free(&diag);
    return status;
}

int main(int argc, char **argv) {
    const char *path = NULL;
    bool verbose = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return fputs(help, stdout) < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (strcmp(argv[i], "--version") == 0)
            return puts("gatecheck (gatecc) 0.1") < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else if (argv[i][0] == '-' && argv[i][1])
            return usage("unknown option '%s'", argv[i]);
        else if (path)
            return usage("'%s' is one argument too many", argv[i]);
        else
            path = argv[i];
    }
    if (!path) return usage("%s", "a certificate is needed");
    Arena *arena = arena_new("certificate");
    int status = check(arena, path, verbose);
    arena_free(arena);
    return status;
}
