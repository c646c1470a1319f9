#include "gate/compare/run_agreement.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// `open`: only as far as both go.
static bool bytes_agree(const Out *reference, const Out *other, bool open) {
    size_t length = reference->length;
    if (!open && length != other->length) return false;
    if (length > other->length) length = other->length;
    return length == 0 || memcmp(reference->text, other->text, length) == 0;
}

bool output_agrees(const RunResult *reference, const RunResult *other) {
    EndKind end = reference->behaviour.end;
    bool open = end == END_WRONG || end == END_FUEL || other->behaviour.end == END_FUEL;
    return bytes_agree(&reference->output, &other->output, open) &&
           bytes_agree(&reference->errors, &other->errors, open);
}

// What is in a file now; a byte in front of it tells that there is one. Of a device nothing is
// read.
static Out file_contents(const char *name) {
    Out out = {0};
    struct stat about;
    FILE *file = stat(name, &about) == 0 && S_ISREG(about.st_mode) ? fopen(name, "rb") : NULL;
    char buffer[65536];
    size_t n;
    if (!file) return out;
    out_char(&out, '+');
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) out_bytes(&out, buffer, n);
    fclose(file);
    return out;
}

Out *written_files(Arena *arena, const RunResult *result) {
    Out *files = ARENA_ARRAY(arena, Out, result->files.count);
    for (uint32_t i = 0; i < result->files.count; i++)
        files[i] = file_contents(result->files.at[i]);
    return files;
}

const char *native_difference(Arena *arena, const RunResult *reference, const Out *files,
                              const RunResult *result) {
    EndKind end = reference->behaviour.end;
    if (!output_agrees(reference, result)) return "the output differs";
    if (end == END_WRONG) return NULL;
    if (result->behaviour.end != end) return "the end differs";
    if (end == END_RESULT && (result->behaviour.status ^ reference->behaviour.status) & 0xff)
        return "the exit status differs";
    for (uint32_t i = 0; i < reference->files.count; i++) {
        Out now = file_contents(reference->files.at[i]);
        bool same = bytes_agree(&files[i], &now, false);
        out_free(&now);
        if (!same) return arena_printf(arena, "the file '%s' differs", reference->files.at[i]);
    }
    return NULL;
}

// ---- Input

void spool_input(void) {
    if (isatty(STDIN_FILENO)) return;
    FILE *copy = tmpfile();
    if (!copy) fatal("cannot make a temporary file: %s", strerror(errno));
    char buffer[65536];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, stdin)) > 0)
        if (fwrite(buffer, 1, n, copy) != n) fatal("cannot copy the input: %s", strerror(errno));
    if (fflush(copy) != 0 || dup2(fileno(copy), STDIN_FILENO) < 0)
        fatal("cannot copy the input: %s", strerror(errno));
    fclose(copy);
}

void rewind_input(void) {
    lseek(STDIN_FILENO, 0, SEEK_SET);
    rewind(stdin);
}
