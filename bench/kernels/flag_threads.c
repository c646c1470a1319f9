// Cause 11, jump threading: what a branch found out decides a later branch: flags that are set and
// tested, and states that a loop keeps in a variable.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 16384 };

typedef struct {
    int words, lines, numbers, comments, longest;
} Counts;

static Counts count(const char *text, int length) {
    Counts counts = {0};
    int in_word = 0, in_comment = 0, all_digits = 0, start = 0;
    for (int i = 0; i < length; i++) {
        char c = text[i];
        int is_space = 0;
        if (c == ' ' || c == '\n') is_space = 1;
        if (c == '\n') {
            counts.lines++;
            in_comment = 0;
        }
        if (in_comment) continue;
        if (c == '#') {
            in_comment = 1;
            counts.comments++;
            is_space = 1;
        }
        if (is_space) {
            if (in_word) {
                in_word = 0;
                if (all_digits) counts.numbers++;
                if (i - start > counts.longest) counts.longest = i - start;
            }
            continue;
        }
        if (!in_word) {
            in_word = 1;
            all_digits = 1;
            start = i;
            counts.words++;
        }
        if (c < '0' || c > '9') all_digits = 0;
    }
    return counts;
}

enum { EVEN, ODD, RISING, FALLING };

// A walk over numbers with four states; each number decides which comes next.
static uint32_t walk(const char *text, int length) {
    int state = EVEN, found;
    uint32_t hash = 0;
    for (int i = 1; i < length; i++) {
        int c = text[i], before = text[i - 1];
        if (state == EVEN)
            found = c & 1;
        else if (state == ODD)
            found = !(c & 1);
        else if (state == RISING)
            found = c < before;
        else
            found = c > before;
        if (!found) continue;
        hash = hash * 5 + (uint32_t)state;
        state = state == EVEN ? ODD : state == ODD ? RISING : state == RISING ? FALLING : EVEN;
    }
    return hash;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 5100;
    static char text[LENGTH];
    static const char letters[] = "abcdefgh01234567    89\n#";
    uint32_t seed = 113;
    uint64_t hash = 0;
    for (int i = 0; i < LENGTH; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned letter = (seed >> 16) % (sizeof letters - 1);
        if (letters[letter] == '#' && seed >> 30) letter = 0;
        text[i] = letters[letter];
    }
    for (int round = 0; round < rounds; round++) {
        text[round % LENGTH] = letters[round % 20];
        Counts counts = count(text, LENGTH);
        hash = hash * 31 + (uint64_t)counts.words * 7 + (uint64_t)counts.numbers;
        hash += (uint64_t)(counts.lines + counts.comments * 5 + counts.longest);
        if (round % 2) hash ^= walk(text, LENGTH / 2);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
