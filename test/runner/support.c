#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("runner: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

void *reallocate(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (!memory) die("out of memory");
    return memory;
}

char *joined(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text;
    if (vasprintf(&text, format, args) < 0) die("out of memory");
    va_end(args);
    return text;
}

void add_bytes(Text *text, const char *bytes, size_t length) {
    if (text->length + length + 1 > text->capacity) {
        text->capacity = (text->length + length + 1) * 2;
        text->at = reallocate(text->at, text->capacity);
    }
    if (length) memcpy(text->at + text->length, bytes, length);
    text->length += length;
    text->at[text->length] = '\0';
}

void add(Text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *line;
    int length = vasprintf(&line, format, args);
    va_end(args);
    if (length < 0) die("out of memory");
    add_bytes(text, line, (size_t)length);
    free(line);
}

void add_indented(Text *report, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        add_bytes(report, "    ", 4);
        add_bytes(report, text, length);
        add_bytes(report, "\n", 1);
        text += length + (text[length] == '\n');
    }
}

bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

bool ends(const char *text, const char *with) {
    size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

bool read_whole(const char *path, Text *text) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    add_bytes(text, "", 0);
    char buffer[65536];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file));) add_bytes(text, buffer, n);
    bool good = !ferror(file);
    fclose(file);
    return good;
}

void write_whole(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "w");
    bool good = file && fwrite(bytes, 1, length, file) == length;
    if (!file || fclose(file) != 0 || !good) die("cannot write %s: %s", path, strerror(errno));
}

void make_directory(const char *path) {
    char *part = joined("%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0777);
        *slash = '/';
    }
    if (mkdir(part, 0777) != 0 && errno != EEXIST) die("cannot make %s: %s", part, strerror(errno));
    free(part);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk) {
    (void)info, (void)type, (void)walk;
    return remove(path);
}

void remove_tree(const char *path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int run_command(const char *command, const char *directory, const char *out, const char *err) {
    pid_t child = fork();
    if (child < 0) die("cannot fork: %s", strerror(errno));
    if (child == 0) {
        int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC;
        int in = open("/dev/null", O_RDONLY | O_CLOEXEC), first = open(out, flags, 0666);
        int second = strcmp(out, err) ? open(err, flags, 0666) : first;
        if (in < 0 || first < 0 || second < 0 || chdir(directory) != 0) _exit(126);
        if (dup2(in, 0) < 0 || dup2(first, 1) < 0 || dup2(second, 2) < 0) _exit(126);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) die("cannot wait: %s", strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
