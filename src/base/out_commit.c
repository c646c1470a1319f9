// Files that appear whole or not at all.
#include "base/out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int file, const char *text, size_t length) {
    while (length) {
        ssize_t n = write(file, text, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text += n;
        length -= (size_t)n;
    }
    return true;
}

// The permissions that creating a file the ordinary way would give.
static mode_t usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// A destination that cannot be renamed over is written in place: a terminal, a pipe, /dev/null.
static bool write_in_place(const Out *out, const char *path) {
    int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (file < 0) return false;
    bool good = write_all(file, out->text, out->length);
    return close(file) == 0 && good;
}

static bool write_beside(const Out *out, const char *path) {
    size_t length = strlen(path);
    char *beside = xmalloc(size_add(length, sizeof ".XXXXXX"));
    memcpy(beside, path, length);
    memcpy(beside + length, ".XXXXXX", sizeof ".XXXXXX");
    int file = mkstemp(beside);
    bool good = file >= 0;
    if (good) {
        good = write_all(file, out->text, out->length) && fchmod(file, usual_mode()) == 0;
        good = close(file) == 0 && good;
        good = good && rename(beside, path) == 0;
        int reason = errno;
        if (!good) unlink(beside);
        errno = reason;
    }
    free(beside);
    return good;
}

// A link is followed first, so that its target is replaced and not the link: /dev/stdout may be a
// link to a regular file.
bool out_commit(Out *out, const char *path) {
    struct stat info;
    bool exists = stat(path, &info) == 0;
    bool plain = !exists || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
    char *target = exists && plain ? realpath(path, NULL) : NULL;
    bool good;
    if (exists && !target)
        good = write_in_place(out, path);
    else
        good = write_beside(out, target ? target : path);
    int reason = errno;
    free(target);
    errno = reason;
    if (good) out->length = 0;
    return good;
}
