// A tokenizer of a C-like text as a state machine: one switch over states and characters.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { START, WORD, NUMBER, FRACTION, STRING, ESCAPE, SLASH, LINE, BLOCK, STAR } State;
enum { WORDS, NUMBERS, FRACTIONS, STRINGS, COMMENTS, OPERATORS, SPACES, LINES, KINDS };

static int is_letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(int c) {
    return c >= '0' && c <= '9';
}

static State start(int c, long *counts) {
    switch (c) {
    case ' ':
    case '\t': counts[SPACES]++; return START;
    case '\n': counts[LINES]++; return START;
    case '"': return STRING;
    case '/': return SLASH;
    case '+':
    case '-':
    case '*':
    case '=':
    case '<':
    case '>':
    case '(':
    case ')':
    case '{':
    case '}':
    case ';':
    case ',': counts[OPERATORS]++; return START;
    default: break;
    }
    if (is_letter(c)) return WORD;
    if (is_digit(c)) return NUMBER;
    return START;
}

static void scan(const char *text, long *counts) {
    State state = START;
    for (; *text; text++) {
        int c = (unsigned char)*text;
        switch (state) {
        case START: state = start(c, counts); break;
        case WORD:
            if (is_letter(c) || is_digit(c)) break;
            counts[WORDS]++;
            state = start(c, counts);
            break;
        case NUMBER:
            if (is_digit(c)) break;
            if (c == '.') {
                state = FRACTION;
                break;
            }
            counts[NUMBERS]++;
            state = start(c, counts);
            break;
        case FRACTION:
            if (is_digit(c)) break;
            counts[FRACTIONS]++;
            state = start(c, counts);
            break;
        case STRING:
            if (c == '\\') state = ESCAPE;
            if (c == '"') {
                counts[STRINGS]++;
                state = START;
            }
            break;
        case ESCAPE: state = STRING; break;
        case SLASH:
            if (c == '/' || c == '*') {
                state = c == '/' ? LINE : BLOCK;
                break;
            }
            counts[OPERATORS]++;
            state = start(c, counts);
            break;
        case LINE:
            if (c != '\n') break;
            counts[COMMENTS]++;
            state = start(c, counts);
            break;
        case BLOCK:
            if (c == '*') state = STAR;
            break;
        case STAR:
            if (c == '/') {
                counts[COMMENTS]++;
                state = START;
            } else if (c != '*') {
                state = BLOCK;
            }
            break;
        }
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 140;
    static const char *const pieces[] = {
        "int value_of(int x) {\n",     "    return x * 31 + 7.25;\n", "}\n",
        "// a comment to the end\n",   "/* a block ** of text */ ",   "\"a \\\"string\\\" here\" ",
        "if (a / b < 3) c = d - 100; "};
    size_t size = 1000000, used = 0;
    char *text = malloc(size + 64);
    if (!text) return 1;
    uint32_t seed = 47;
    while (used < size) {
        seed = seed * 1664525 + 1013904223;
        const char *piece = pieces[(seed >> 16) % 7];
        strcpy(text + used, piece);
        used += strlen(piece);
    }
    long counts[KINDS] = {0};
    for (int i = 0; i < rounds; i++) scan(text, counts);
    for (int i = 0; i < KINDS; i++) printf("%ld%c", counts[i], i + 1 < KINDS ? ' ' : '\n');
    free(text);
    return 0;
}
