// Regular expressions twice: a backtracking matcher on the pattern itself, and a simulated automaton
// with sets of states.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int match_here(const char *pattern, const char *text);

static int match_one(char sign, char c) {
    return c && (sign == '.' || sign == c);
}

static int match_star(char sign, const char *pattern, const char *text) {
    do {
        if (match_here(pattern, text)) return 1;
    } while (match_one(sign, *text++));
    return 0;
}

static int match_here(const char *pattern, const char *text) {
    for (;;) {
        if (!*pattern) return 1;
        if (pattern[1] == '*') return match_star(pattern[0], pattern + 2, text);
        if (pattern[1] == '?') {
            if (match_one(pattern[0], *text) && match_here(pattern + 2, text + 1)) return 1;
            pattern += 2;
            continue;
        }
        if (!match_one(*pattern, *text)) return 0;
        pattern++, text++;
    }
}

static int matches(const char *pattern, const char *text) {
    do {
        if (match_here(pattern, text)) return 1;
    } while (*text++);
    return 0;
}

// State i of the automaton: before the i-th item of the pattern; the last one accepts.
typedef struct {
    char sign[64];
    char repeat[64]; // 0, '*' or '?'
    int count;
} Automaton;

static void compile(Automaton *a, const char *pattern) {
    a->count = 0;
    while (*pattern) {
        a->sign[a->count] = *pattern++;
        a->repeat[a->count] = 0;
        if (*pattern == '*' || *pattern == '?') a->repeat[a->count] = *pattern++;
        a->count++;
    }
}

static uint64_t closed(const Automaton *a, uint64_t set) {
    for (int i = 0; i < a->count; i++)
        if ((set >> i & 1) && a->repeat[i]) set |= (uint64_t)2 << i;
    return set;
}

static int simulate(const Automaton *a, const char *text) {
    uint64_t set = closed(a, 1), accepting = (uint64_t)1 << a->count;
    for (; !(set & accepting) && *text; text++) {
        uint64_t next = 1;
        for (int i = 0; i < a->count; i++) {
            if (!(set >> i & 1) || !match_one(a->sign[i], *text)) continue;
            next |= a->repeat[i] == '*' ? (uint64_t)1 << i : (uint64_t)2 << i;
        }
        set = closed(a, next);
    }
    return (set & accepting) != 0;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 30;
    static const char *const patterns[] = {"ab*c",      "a.*b.*cab", "a?a?a?a?a?aaaaa", "d.c.b.a*d",
                                           "ca*b*c*dd", "abcabcabc", "b?c?d?a?bb..*dd"};
    enum { TEXTS = 400, LENGTH = 120 };
    static char texts[TEXTS][LENGTH + 1];
    uint32_t seed = 53;
    for (int i = 0; i < TEXTS; i++) {
        for (int k = 0; k < LENGTH; k++) {
            seed = seed * 1664525 + 1013904223;
            texts[i][k] = (char)('a' + (seed >> 16) % (i % 5 == 0 ? 20 : 4));
        }
    }
    long found = 0;
    for (int round = 0; round < rounds; round++) {
        for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
            Automaton automaton;
            compile(&automaton, patterns[p]);
            for (int i = 0; i < TEXTS; i++) {
                int first = matches(patterns[p], texts[i]), second = simulate(&automaton, texts[i]);
                if (first != second) {
                    printf("wrong: %s\n", patterns[p]);
                    return 1;
                }
                found += first * (i + (int)p);
            }
        }
        texts[round % TEXTS][round % LENGTH] = 'z';
    }
    printf("%ld\n", found);
    return 0;
}
