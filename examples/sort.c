// Sorts its arguments by length, then by the alphabet: function pointers, structs by value, bit-fields.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *text;
    unsigned length : 24;
    unsigned position : 8;
} Word;

static int by_length(const void *a, const void *b) {
    const Word *left = a, *right = b;
    if (left->length != right->length) return left->length < right->length ? -1 : 1;
    return strcmp(left->text, right->text);
}

static Word make_word(const char *text, int position) {
    return (Word){.text = text, .length = (unsigned)strlen(text), .position = (unsigned)position};
}

int main(int argc, char **argv) {
    static const char *samples[] = {"register", "transfer", "language", "of", "a", "compiler"};
    int count = argc > 1 ? argc - 1 : (int)(sizeof samples / sizeof *samples);
    Word *words = malloc((size_t)count * sizeof *words);
    if (!words) return 1;
    for (int i = 0; i < count; i++)
        words[i] = make_word(argc > 1 ? argv[i + 1] : samples[i], i + 1);
    qsort(words, (size_t)count, sizeof *words, by_length);
    for (int i = 0; i < count; i++)
        printf("%2d %s (word %d)\n", (int)words[i].length, words[i].text, (int)words[i].position);
    free(words);
    return 0;
}
