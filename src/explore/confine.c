#include "explore/confine.h"

#include "target/model.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 16 << 20 }; // of one file

// The path without dots and links; NULL if nothing is there.
static const char *real_path(Arena *arena, const char *path) {
    char *real = realpath(path, NULL);
    const char *copy = real ? arena_text(arena, real, strlen(real)) : NULL;
    free(real);
    return copy;
}

void confine_allow_file(Confinement *confinement, const char *path) {
    const char *real = real_path(confinement->arena, path);
    if (real) vec_push(confinement->arena, &confinement->files, real);
}

void confine_allow_directory(Confinement *confinement, const char *path) {
    const char *real = real_path(confinement->arena, path);
    if (real && strcmp(real, "/") != 0)
        vec_push(confinement->arena, &confinement->directories, real);
}

void confine_allow_system(Confinement *confinement, const char *own) {
    static const char *const directories[] = {"/usr/local/lib/gatecc/include", "/usr/local/include",
                                              "/usr/include"};
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        confine_allow_directory(confinement, arena_printf(confinement->arena, "/usr/lib/gcc/%s",
                                                          target_models[i]->triplet));
    for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++)
        confine_allow_directory(confinement, directories[i]);
    if (own) confine_allow_directory(confinement, own);
}

static bool is_allowed(const Confinement *confinement, const char *real) {
    for (uint32_t i = 0; i < confinement->files.count; i++)
        if (strcmp(confinement->files.at[i], real) == 0) return true;
    for (uint32_t i = 0; i < confinement->directories.count; i++) {
        size_t length = strlen(confinement->directories.at[i]);
        if (strncmp(confinement->directories.at[i], real, length) == 0 && real[length] == '/')
            return true;
    }
    return false;
}

// Only a regular file is read: a pipe or a device would keep us waiting.
static bool read_regular(Arena *arena, const char *real, char **text, size_t *length) {
    int file = open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    if (file < 0) return false;
    bool good = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= MOST_BYTES;
    size_t size = good ? (size_t)info.st_size : 0, got = 0;
    char *bytes = arena_alloc(arena, size + 1);
    while (good && got < size) {
        ssize_t count = read(file, bytes + got, size - got);
        if (count <= 0) break;
        got += (size_t)count;
    }
    close(file);
    *text = bytes;
    *length = got;
    return good;
}

bool confine_read(void *context, Arena *arena, const char *path, char **text, size_t *length) {
    const Confinement *confinement = context;
    const char *real = real_path(arena, path);
    return real && is_allowed(confinement, real) && read_regular(arena, real, text, length);
}
