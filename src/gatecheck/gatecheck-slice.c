// gatecheck-slice: replays the certificates of slices. The program is linked from trusted code
// only. gatecheck, another program, replays the certificates of compilations.
#include "base/version.h"
#include "check/replay/replay_slice.h"
#include "text/form_rows.h"

#include <errno.h>
#include <string.h>

enum { EXIT_VALID = 0, EXIT_INVALID = 1, EXIT_UNREADABLE = 2 };

// Both programs of such a certificate are in RTL, as text.
const BodyInfo body_table[BODY_COUNT] = {BODY_ROW(graph, "node", "")};
const FormInfo form_table[FORM_COUNT] = {FORM_ROW(RTL, rtl, graph, "")};

static const char help[] =
    "usage: gatecheck-slice FILE\n"
    "\n"
    "Checks the certificate of a slice, that gate slice --certificate=FILE wrote: that\n"
    "the slice does what the program does at the points that were asked for. Says what\n"
    "it has shown, and what it has assumed.\n"
    "\n"
    "options:\n"
    "  --help, --version\n"
    "\n"
    "exit status: 0 valid, 1 invalid, 2 unreadable or usage\n";

static int usage(const char *format, const char *what) {
    fprintf(stderr, "gatecheck-slice: ");
    fprintf(stderr, format, what);
    fprintf(stderr, "\nTry 'gatecheck-slice --help'.\n");
    return EXIT_UNREADABLE;
}

static int check(Arena *arena, const char *path) {
    static const int exits[] = {EXIT_VALID, EXIT_INVALID, EXIT_UNREADABLE};
    char *text;
    size_t length;
    if (!read_file(arena, path, &text, &length)) {
        fprintf(stderr, "gatecheck-slice: cannot read '%s': %s\n", path, strerror(errno));
        return EXIT_UNREADABLE;
    }
    Diag diag;
    diag_init(&diag, arena, stderr);
    diag.error_limit = 1;
    SliceReplay replay = {.arena = arena, .diag = &diag};
    int status = exits[replay_slice(&replay, path, text, length)];
    diag_free(&diag);
    if (status != EXIT_VALID) return status;
    Out out = {0};
    slice_report(&out, &replay);
    out_printf(&out, "hash: %s\n", digest_text(&replay.hash).text);
    out_flush(&out, stdout);
    out_free(&out);
    return status;
}

int main(int argc, char **argv) {
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return fputs(help, stdout) < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (strcmp(argv[i], "--version") == 0)
            return puts("gatecheck-slice (gatecc) " GATECC_VERSION) < 0 ? EXIT_UNREADABLE
                                                                        : EXIT_VALID;
        if (argv[i][0] == '-' && argv[i][1]) return usage("unknown option '%s'", argv[i]);
        if (path) return usage("'%s' is one argument too many", argv[i]);
        path = argv[i];
    }
    if (!path) return usage("%s", "a certificate is needed");
    Arena *arena = arena_new("certificate");
    int status = check(arena, path);
    arena_free(arena);
    return status;
}
