// Makes output files that appear whole or not at all. A file is made in a directory of its own
// beside its final place and then renamed, so that nobody sees half of it, whatever happens. A
// destination that cannot be replaced in this way (a pipe, a terminal, /dev/null, a file in a
// directory where gatecc may not write) gets a copy of a temporary file when the temporary file is
// complete.
#include "system/output_file.h"

#include "system/cleanup.h"
#include "system/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool cannot_write(const char *path) {
    fprintf(stderr, "gatecc: error: cannot write '%s': %s\n", path, strerror(errno));
    return false;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool output_temporary(OutputFile *file, Arena *arena, const char *name) {
    const char *directory = getenv("TMPDIR");
    if (!directory || !*directory || access(directory, W_OK | X_OK) != 0) directory = "/tmp";
    char *pattern = arena_printf(arena, "%s/gatecc-XXXXXX", directory);
    *file = (OutputFile){.path = cleanup_directory(pattern, name)};
    return file->path || cannot_write(pattern);
}

// A link is followed first, so that its target is replaced and not the link: /dev/stdout may be a
// link to a regular file.
bool output_begin(OutputFile *file, Arena *arena, const char *path) {
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return cannot_write(path);
    }
    const char *target = path;
    if (exists && S_ISREG(info.st_mode)) {
        char *real = realpath(path, NULL);
        if (real) target = arena_text(arena, real, strlen(real));
        free(real);
    }
    if (!exists || S_ISREG(info.st_mode)) {
        const char *name = name_of(target);
        char *pattern = arena_printf(arena, "%.*s.gatecc-XXXXXX", (int)(name - target), target);
        *file = (OutputFile){.path = cleanup_directory(pattern, name), .final = target};
        if (file->path) return true;
        if (!exists) return cannot_write(path);
    }
    if (!output_temporary(file, arena, name_of(path))) return false;
    file->final = path;
    file->copied = true;
    return true;
}

static bool copy_bytes(int from, int to) {
    char buffer[65536];
    for (;;) {
        ssize_t n = read(from, buffer, sizeof buffer);
        if (n == 0) return true;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 || !write_to(to, buffer, (size_t)n)) return false;
    }
}

static bool copy_file(const char *source, const char *path) {
    int from = open(source, O_RDONLY | O_CLOEXEC);
    if (from < 0) return false;
    int to = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    bool good = to >= 0 && copy_bytes(from, to);
    int reason = errno;
    close(from);
    if (to >= 0 && close(to) != 0 && good) {
        reason = errno;
        good = false;
    }
    errno = reason;
    return good;
}

bool output_commit(OutputFile *file) {
    bool good =
        file->copied ? copy_file(file->path, file->final) : rename(file->path, file->final) == 0;
    if (!good) cannot_write(file->final);
    output_drop(file);
    return good;
}

void output_drop(OutputFile *file) {
    if (file->path) cleanup_forget(file->path);
    file->path = NULL;
}

bool output_fill(OutputFile *file, const Out *text) {
    int descriptor = open(file->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return cannot_write(file->path);
    bool good = write_to(descriptor, text->text, text->length);
    good = close(descriptor) == 0 && good;
    return good || cannot_write(file->final ? file->final : file->path);
}

bool output_write(Arena *arena, Out *text, const char *path) {
    bool good = true;
    OutputFile file;
    if (path && strcmp(path, "-") != 0)
        good = output_begin(&file, arena, path) && output_fill(&file, text) && output_commit(&file);
    else if (text->length)
        out_flush(text, stdout);
    out_free(text);
    return good;
}
