// Three ways to find a word in a text: plain, Knuth-Morris-Pratt, Boyer-Moore-Horspool.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long count_plain(const char *text, long length, const char *word, long size) {
    long found = 0;
    for (long i = 0; i + size <= length; i++) {
        long k = 0;
        while (k < size && text[i + k] == word[k]) k++;
        found += k == size;
    }
    return found;
}

static long count_kmp(const char *text, long length, const char *word, long size) {
    long back[64], found = 0;
    back[0] = -1;
    for (long i = 0, k = -1; i < size;) {
        while (k >= 0 && word[i] != word[k]) k = back[k];
        back[++i] = ++k;
    }
    for (long i = 0, k = 0; i < length; i++) {
        while (k >= 0 && text[i] != word[k]) k = back[k];
        if (++k == size) {
            found++;
            k = back[k];
        }
    }
    return found;
}

static long count_horspool(const char *text, long length, const char *word, long size) {
    long skip[256], found = 0;
    for (int i = 0; i < 256; i++) skip[i] = size;
    for (long i = 0; i + 1 < size; i++) skip[(unsigned char)word[i]] = size - 1 - i;
    for (long i = 0; i + size <= length;) {
        unsigned char last = (unsigned char)text[i + size - 1];
        if (last == (unsigned char)word[size - 1] && !memcmp(text + i, word, (size_t)size)) found++;
        i += skip[last];
    }
    return found;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    static const char *const words[] = {"abcab",   "aaaa", "bcabcabd",
                                        "cabbage", "e",    "dcbadcbadcba"};
    long length = 1000000;
    char *text = malloc((size_t)length);
    if (!text) return 1;
    uint32_t seed = 37;
    for (long i = 0; i < length; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = (char)('a' + (seed >> 16) % 4 + ((seed >> 8) % 50 == 0));
    }
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
        text[round * 1001] = 'e';
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            long size = (long)strlen(words[i]);
            long a = count_plain(text, length, words[i], size);
            long b = count_kmp(text, length, words[i], size);
            long c = count_horspool(text, length, words[i], size);
            if (a != b || a != c) {
                printf("wrong: %ld %ld %ld\n", a, b, c);
                return 1;
            }
            sum = sum * 7 % 1000000007 + a;
        }
    }
    printf("%ld\n", sum);
    free(text);
    return 0;
}
