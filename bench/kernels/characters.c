// Cause 5, constant tables: a table of classes with an entry for each character steers a scanner,
// and digits in several bases come from strings.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 16384 };

enum { OTHER, SPACE, LETTER, DIGIT, SIGN, QUOTE };

static const unsigned char class_of[256] = {
    ['\t'] = SPACE, ['\n'] = SPACE, [' '] = SPACE,  ['+'] = SIGN,   ['-'] = SIGN,   ['*'] = SIGN,
    ['/'] = SIGN,   ['='] = SIGN,   ['<'] = SIGN,   ['>'] = SIGN,   ['"'] = QUOTE,  ['_'] = LETTER,
    ['0'] = DIGIT,  ['1'] = DIGIT,  ['2'] = DIGIT,  ['3'] = DIGIT,  ['4'] = DIGIT,  ['5'] = DIGIT,
    ['6'] = DIGIT,  ['7'] = DIGIT,  ['8'] = DIGIT,  ['9'] = DIGIT,  ['a'] = LETTER, ['b'] = LETTER,
    ['c'] = LETTER, ['d'] = LETTER, ['e'] = LETTER, ['f'] = LETTER, ['x'] = LETTER, ['y'] = LETTER,
};

static const int cost[] = {
    [OTHER] = 9, [SPACE] = 0, [LETTER] = 2, [DIGIT] = 3, [SIGN] = 5, [QUOTE] = 7};

static int is_word(int kind) {
    return kind == LETTER || kind == DIGIT;
}

static long scan(const char *text, const char *end, long *tokens) {
    long total = 0;
    while (text < end) {
        int kind = class_of[(unsigned char)*text];
        const char *start = text++;
        switch (kind) {
        case LETTER:
            while (text < end && is_word(class_of[(unsigned char)*text])) text++;
            break;
        case DIGIT:
            while (text < end && class_of[(unsigned char)*text] == DIGIT) text++;
            break;
        case QUOTE:
            while (text < end && class_of[(unsigned char)*text] != QUOTE) text++;
            if (text < end) text++;
            break;
        default: break;
        }
        total += cost[kind] * (text - start);
        *tokens += kind != SPACE;
    }
    return total;
}

static char *write_number(char *out, unsigned number, unsigned base) {
    static const char digits[] = "0123456789abcdef";
    char reversed[32];
    int count = 0;
    do reversed[count++] = digits[number % base];
    while (number /= base);
    while (count > 0) *out++ = reversed[--count];
    return out;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1600;
    static char text[LENGTH + 64];
    static const char separators[] = " +-*/=<> \"\n\t _;";
    uint32_t seed = 17;
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        char *end = text;
        while (end < text + LENGTH) {
            seed = seed * 1664525 + 1013904223;
            end = write_number(end, seed >> 12, seed & 1024 ? 16 : 10);
            *end++ = separators[(seed >> 24) % (sizeof separators - 1)];
        }
        long tokens = 0;
        hash = hash * 31 + (uint64_t)scan(text, end, &tokens);
        hash += (uint64_t)tokens << 16;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
