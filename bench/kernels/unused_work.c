// Cause 2, loops that do nothing: a program has hooks for traces and checks that are switched
// off, and it clears and counts arrays that nobody reads. A short walk over the records remains.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 3000, FIELDS = 12, TRACE_LEVEL = 0 };

typedef struct {
    int field[FIELDS];
    int kind;
} Record;

static Record records[RECORDS];

static void trace(int level, const char *format, int value) {
    if (level < TRACE_LEVEL) printf(format, value);
}

static void trace_record(const Record *record) {
    for (int i = 0; i < FIELDS; i++) trace(1, "field %d\n", record->field[i]);
}

// Counts the kinds of field; only traces would tell the counts.
static void profile(const Record *record) {
    int count[4] = {0};
    for (int i = 0; i < FIELDS; i++) count[(unsigned)record->field[i] % 4]++;
    for (int i = 0; i < 4; i++) trace(2, "count %d\n", count[i]);
}

// Whether fields have the order that a debug build would insist on; this build takes all.
static int looks_sane(const Record *record) {
    int sorted = 1;
    for (int i = 1; i < FIELDS; i++)
        if (record->field[i] < record->field[i - 1]) sorted = 0;
    return TRACE_LEVEL > 1 ? sorted : 1;
}

static void settle(int turns) {
    for (int i = 0; i < turns; i++) continue;
}

static uint32_t evaluate(const Record *record, int round) {
    uint32_t scratch[FIELDS];
    for (int i = 0; i < FIELDS; i++) scratch[i] = 0;
    trace_record(record);
    profile(record);
    if (!looks_sane(record)) return 0;
    settle(record->kind * 10);
    uint32_t sum = 0;
    for (int i = 0; i < FIELDS; i++) scratch[i] = (uint32_t)record->field[i] * 3u;
    for (int i = 0; i < FIELDS; i += 2) sum += (uint32_t)record->field[i] ^ (uint32_t)round;
    return sum + (uint32_t)record->kind;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 17000;
    uint32_t seed = 3, hash = 0;
    for (int r = 0; r < RECORDS; r++) {
        for (int i = 0; i < FIELDS; i++) {
            seed = seed * 1664525 + 1013904223;
            records[r].field[i] = (int)(seed >> 8);
        }
        records[r].kind = (int)(seed >> 16) % 5;
    }
    for (int round = 0; round < rounds; round++)
        for (int r = 0; r < RECORDS; r++) hash = hash * 5 + evaluate(&records[r], round);
    printf("%08x\n", (unsigned)hash);
    return 0;
}
