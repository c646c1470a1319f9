// Files may name files as deep as there is memory: those that are open stand on a stack, where one
// that contains itself is found.
#include "system/response_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    const char *at;   // the rest of its text; NULL for the command line itself
    char **arguments; // the rest of the command line
    dev_t device;
    ino_t inode;
} ResponseReading;

typedef VEC(ResponseReading) Readings;

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// The next word of a text, quotes and backslashes taken away; NULL at the end.
static const char *next_word(Arena *arena, const char **text) {
    const char *at = *text;
    while (is_blank(*at)) at++;
    if (!*at) return NULL;
    Out word = {0};
    for (char quote = 0; *at && (quote || !is_blank(*at)); at++) {
        if (*at == '\\' && at[1])
            out_char(&word, *++at);
        else if (quote && *at == quote)
            quote = 0;
        else if (!quote && (*at == '"' || *at == '\''))
            quote = *at;
        else
            out_char(&word, *at);
    }
    *text = at;
    const char *copy = arena_text(arena, word.text, word.length);
    out_free(&word);
    return copy;
}

static const char *next(Arena *arena, ResponseReading *reading) {
    if (reading->at) return next_word(arena, &reading->at);
    return *reading->arguments ? *reading->arguments++ : NULL;
}

static bool is_open(const Readings *readings, const struct stat *info) {
    for (uint32_t i = 1; i < readings->count; i++)
        if (readings->at[i].device == info->st_dev && readings->at[i].inode == info->st_ino)
            return true;
    return false;
}

// Whether a word names a file that can be read, the text of which is now the first to be read.
static bool open_file(Arena *arena, Readings *readings, const char *word, bool *good) {
    struct stat info;
    char *text;
    size_t length;
    if (word[0] != '@' || stat(word + 1, &info) != 0 || S_ISDIR(info.st_mode)) return false;
    if (is_open(readings, &info)) {
        fprintf(stderr, "gatecc: error: the response file '%s' contains itself\n", word + 1);
        return *good = false;
    }
    if (!read_file(arena, word + 1, &text, &length)) return false;
    vec_push(arena, readings,
             (ResponseReading){.at = text, .device = info.st_dev, .inode = info.st_ino});
    return true;
}

bool expand_response_files(Arena *arena, Words *words, int argc, char **argv) {
    Readings readings = {0};
    bool good = true;
    vec_push(arena, &readings, (ResponseReading){.arguments = argc ? argv + 1 : argv});
    while (readings.count && good) {
        const char *word = next(arena, &readings.at[readings.count - 1]);
        if (!word)
            readings.count--;
        else if (!open_file(arena, &readings, word, &good))
            words_add(arena, words, word);
    }
    return good;
}
