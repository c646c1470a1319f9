// Cause 11, peeling and tail duplication: the first round of a loop differs from the others, the
// last one too, and short paths join before they part again.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 8192 };

typedef struct {
    int from, to;
} Span;

static int values[COUNT];
static Span spans[COUNT];

static int runs(const int *value, int count, int *longest) {
    int number = 0, length = 0, previous = 0;
    for (int i = 0; i < count; i++) {
        if (i == 0 || value[i] != previous) {
            number++;
            length = 0;
        }
        previous = value[i];
        if (++length > *longest) *longest = length;
    }
    return number;
}

static int make_spans(const int *value, int count, int limit) {
    int number = 0, open = -1;
    for (int i = 0; i <= count; i++) {
        int inside = i < count && value[i] > limit;
        if (inside && open < 0) open = i;
        if (!inside && open >= 0) {
            spans[number++] = (Span){open, i};
            open = -1;
        }
    }
    return number;
}

static char *write_list(char *out, const Span *span, int count) {
    for (int i = 0; i < count; i++) {
        if (i > 0) *out++ = ',';
        *out++ = (char)('a' + span[i].from % 26);
        if (span[i].to - span[i].from > 1) *out++ = (char)('a' + span[i].to % 26);
    }
    *out = 0;
    return out;
}

static int turning_points(const int *value, int count) {
    int points = 0, direction = 0;
    for (int i = 1; i < count; i++) {
        int now = direction;
        if (value[i] > value[i - 1]) now = 1;
        if (value[i] < value[i - 1]) now = -1;
        if (direction != 0 && now != direction) points++;
        direction = now;
    }
    return points;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 4200;
    static char text[3 * COUNT];
    uint32_t seed = 127;
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525 + 1013904223;
        values[i] = seed >> 30 ? (i > 0 ? values[i - 1] : 0) : (int)(seed >> 16) % 100;
    }
    for (int round = 0; round < rounds; round++) {
        int longest = 0;
        values[round * 13 % COUNT] = round % 100;
        hash = hash * 31 + (uint64_t)runs(values, COUNT, &longest);
        int count = make_spans(values, COUNT, 20 + round % 60);
        char *end = write_list(text, spans, count);
        hash += (uint64_t)(end - text) * 3 + (uint64_t)longest + (unsigned char)text[count / 2];
        hash ^= (uint64_t)turning_points(values, COUNT) << 24;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
