// gatecheck: replays certificates. It is linked from trusted code only.
#include "cert/note.h"
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
    "  --object OBJECT        also check that OBJECT was compiled with this certificate\n"
    "  --help, --version\n"
    "\n"
    "exit status: 0 valid, 1 invalid, 2 unreadable or usage\n";

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

// Whether an object has the note of the certificate with this hash.
static int check_tie(Arena *arena, const char *object, uint64_t hash) {
    static const char *const problems[] = {
        [NOTE_OTHER] = "it belongs to another certificate",
        [NOTE_MISSING] = "it does not say which certificate it belongs to",
        [NOTE_NO_OBJECT] = "it is not an object file of this machine",
    };
    char *text;
    size_t length;
    if (!read_all(arena, object, &text, &length)) return EXIT_UNREADABLE;
    NoteStatus status = note_find(text, length, hash);
    if (status == NOTE_FOUND) return EXIT_VALID;
    fprintf(stderr, "gatecheck: %s: %s\n", object, problems[status]);
    return status == NOTE_NO_OBJECT ? EXIT_UNREADABLE : EXIT_INVALID;
}

static int check(Arena *arena, const char *path, const char *object, bool verbose) {
    char *text;
    size_t length;
    if (!read_all(arena, path, &text, &length)) return EXIT_UNREADABLE;
    Diag diag;
    diag_init(&diag, arena, stderr);
    diag.error_limit = 1;
    Replay replay = {.diag = &diag, .log = verbose ? stdout : NULL};
    static const int exits[] = {EXIT_VALID, EXIT_INVALID, EXIT_UNREADABLE};
    int status = exits[replay_certificate(&replay, path, text, length)];
    if (status == EXIT_VALID && verbose)
        printf("valid: %llu functions, %llu steps\n", (unsigned long long)replay.functions,
               (unsigned long long)replay.steps);
    if (status == EXIT_VALID && object) status = check_tie(arena, object, replay.hash);
    diag_free(&diag);
    return status;
}

int main(int argc, char **argv) {
    const char *path = NULL, *object = NULL;
    bool verbose = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return fputs(help, stdout) < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (strcmp(argv[i], "--version") == 0)
            return puts("gatecheck (gatecc) 0.1") < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else if (strcmp(argv[i], "--object") == 0 && i + 1 < argc)
            object = argv[++i];
        else if (argv[i][0] == '-' && argv[i][1])
            return usage("unknown option '%s', or it needs a file name", argv[i]);
        else if (path)
            return usage("'%s' is one argument too many", argv[i]);
        else
            path = argv[i];
    }
    if (!path) return usage("%s", "a certificate is needed");
    Arena *arena = arena_new("certificate");
    int status = check(arena, path, object, verbose);
    arena_free(arena);
    return status;
}
