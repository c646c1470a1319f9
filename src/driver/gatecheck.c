// gatecheck: replays certificates. It is linked from trusted code only.
#include "base/version.h"
#include "cert/note.h"
#include "check/replay_slice.h"
#include "object/object.h"

#include <errno.h>
#include <string.h>

enum { EXIT_VALID = 0, EXIT_INVALID = 1, EXIT_UNREADABLE = 2 };

static const char help[] =
    "usage: gatecheck [OPTIONS] FILE\n"
    "\n"
    "Checks a certificate that gatecc --certificate=FILE or gate certify wrote: every\n"
    "form of every function and every step between them; or one of a slice, that gate\n"
    "slice --certificate=FILE wrote. Says what it has shown, and what it has assumed.\n"
    "\n"
    "options:\n"
    "  -v                     name each function and step\n"
    "  --partial              accept functions that do not end as machine code, too\n"
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

static const char *why_untied(const char *text, size_t length, const ObjectNotes *notes,
                              const CertificateClaim *claim) {
    if (!notes->at.count) return "it does not say which certificate it belongs to";
    for (uint32_t i = 0; i < notes->at.count; i++) {
        const char *note = text + notes->at.at[i];
        if (memcmp(note, &claim->digests[DIGEST_CERTIFICATE], DIGEST_BYTES) != 0) continue;
        if (memcmp(note, claim->digests, NOTE_BYTES) != 0) return "its note is not whole";
        if (notes->linked || notes->at.count > 1 || !claim->has_object) return NULL;
        Digest digest = note_object_digest(text, length, notes->at.at[i]);
        bool same = memcmp(&digest, &claim->digests[DIGEST_OBJECT], DIGEST_BYTES) == 0;
        return same ? NULL
                    : "it is not the object that the certificate was made with: it was changed";
    }
    return "it belongs to another certificate";
}

// Whether an object has the note of a certificate.
static int check_tie(Arena *arena, const char *object, const CertificateClaim *claim) {
    char *text;
    size_t length;
    ObjectNotes notes;
    if (!read_all(arena, object, &text, &length)) return EXIT_UNREADABLE;
    bool readable = notes_find(arena, text, length, &notes);
    const char *problem = readable ? why_untied(text, length, &notes, claim)
                                   : "it is not an object file of this machine";
    if (!problem) return EXIT_VALID;
    fprintf(stderr, "gatecheck: %s: %s\n", object, problem);
    return readable ? EXIT_INVALID : EXIT_UNREADABLE;
}

// ---- What was shown

static const char *counted(Arena *arena, uint64_t count, const char *what) {
    return arena_printf(arena, "%llu %s%s", (unsigned long long)count, what, count == 1 ? "" : "s");
}

static void report_shown(Arena *arena, const Replay *replay) {
    const Coverage *coverage = &replay->coverage;
    if (coverage->functions)
        printf("shown: %s from rtl to allocated machine code, %s",
               counted(arena, coverage->allocated, "function"),
               counted(arena, replay->steps, "step"));
    else
        printf("shown: nothing, as no function is defined");
    if (coverage->dropped) printf("; %s not needed", counted(arena, coverage->dropped, "other"));
    for (uint32_t form = 0; form < FORM_COUNT; form++)
        if (coverage->other[form])
            printf("; %s needed that ended as %s", counted(arena, coverage->other[form], "other"),
                   form_name((Form)form));
    printf("\n");
}

// Three lines, each of which starts with a word of its own.
static void report(Arena *arena, const Replay *replay, const char *object) {
    report_shown(arena, replay);
    printf(
        "assumed: the rtl is what the source means; the assembly is what the machine code means; "
        "asm statements do what they declare\n");
    printf("hash: %s%s%s\n", digest_text(&replay->claim.digests[DIGEST_CERTIFICATE]).text,
           object ? ", also in " : "", object ? object : "");
}

static const int exits[] = {EXIT_VALID, EXIT_INVALID, EXIT_UNREADABLE};

// A slice is a claim of its own: it is not compiled, and no object belongs to it.
static int check_of_slice(Arena *arena, Diag *diag, const char *path, const char *text,
                          size_t length) {
    SliceReplay replay = {.arena = arena, .diag = diag};
    int status = exits[replay_slice(&replay, path, text, length)];
    if (status != EXIT_VALID) return status;
    Out out = {0};
    slice_report(&out, &replay);
    out_printf(&out, "hash: %s\n", digest_text(&replay.hash).text);
    fwrite(out.text, 1, out.length, stdout);
    out_free(&out);
    return status;
}

// ---- The bytes of an object

typedef struct {
    Object object;
    bool good; // so far
} ObjectCheck;

static void compare_function(void *context, const Func *first, const Func *last) {
    ObjectCheck *check = context;
    (void)first;
    if (last->form == FORM_MACH && last->mach->allocated)
        check->good = check->good && object_function(&check->object, last);
}

static void compare_data(void *context, const Program *program, const Coverage *coverage) {
    ObjectCheck *check = context;
    (void)coverage;
    check->good = check->good && object_finish(&check->object, program);
}

// Linked files are not compared.
static bool open_object(Arena *arena, const char *path, ObjectCheck *check) {
    char *text;
    size_t length;
    if (!read_file(arena, path, &text, &length)) return false;
    check->good = object_open(&check->object, arena, text, length);
    return length > 16 && text[16] == 1;
}

static int report_object(Arena *arena, const char *path, const ObjectCheck *check) {
    const Object *object = &check->object;
    if (!check->good) {
        fprintf(stderr, "gatecheck: %s: %s\n", path, object->problem);
        return EXIT_INVALID;
    }
    printf("compared: %s, %s of code, %s", counted(arena, object->functions, "function"),
           counted(arena, object->bytes, "byte"), counted(arena, object->data, "data object"));
    for (uint32_t i = 0; i < object->believed.count; i++) {
        const ObjectBelief *belief = &object->believed.at[i];
        printf("%s%s %s", i ? ", " : "; believed: ", belief->what, belief->where);
        if (belief->end)
            printf(" 0x%llx to 0x%llx", (unsigned long long)belief->start,
                   (unsigned long long)belief->end);
    }
    printf("\n");
    return EXIT_VALID;
}

static int check_of_program(Arena *arena, Diag *diag, const char *path, const char *object,
                            bool partial, bool verbose, const char *text, size_t length) {
    Replay replay = {.diag = diag, .partial = partial, .log = verbose ? stdout : NULL};
    ObjectCheck compared;
    bool compares = object && open_object(arena, object, &compared);
    if (compares) {
        replay.done = compare_function;
        replay.end = compare_data;
        replay.context = &compared;
    }
    int status = exits[replay_certificate(&replay, path, text, length)];
    if (status == EXIT_VALID && compares) status = report_object(arena, object, &compared);
    if (status == EXIT_VALID && object) status = check_tie(arena, object, &replay.claim);
    if (status == EXIT_VALID) report(arena, &replay, object);
    return status;
}

static int check(Arena *arena, const char *path, const char *object, bool partial, bool verbose) {
    char *text;
    size_t length;
    if (!read_all(arena, path, &text, &length)) return EXIT_UNREADABLE;
    Diag diag;
    diag_init(&diag, arena, stderr);
    diag.error_limit = 1;
    bool slice = is_slice_certificate(text, length);
    if (slice && object) return usage("a slice has no object, as '%s' would be", object);
    int status = slice
                     ? check_of_slice(arena, &diag, path, text, length)
                     : check_of_program(arena, &diag, path, object, partial, verbose, text, length);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "gatecheck: cannot write: %s\n", strerror(errno));
        status = EXIT_UNREADABLE;
    }
    diag_free(&diag);
    return status;
}

int main(int argc, char **argv) {
    const char *path = NULL, *object = NULL;
    bool verbose = false, partial = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return fputs(help, stdout) < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (strcmp(argv[i], "--version") == 0)
            return puts("gatecheck (gatecc) " GATECC_VERSION) < 0 ? EXIT_UNREADABLE : EXIT_VALID;
        if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else if (strcmp(argv[i], "--partial") == 0)
            partial = true;
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
    int status = check(arena, path, object, partial, verbose);
    arena_free(arena);
    return status;
}
