// Cause 3, library functions: memcpy, memset, memcmp and strlen of sizes that the source tells,
// as in code that packs records and looks for keywords.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 2000, KEY = 8, PACKED = 32 };

typedef struct {
    char key[KEY];
    uint64_t stamp;
    uint32_t amount;
    uint16_t flags;
} Record;

static unsigned char packed[RECORDS][PACKED];
static Record records[RECORDS];

static void pack(unsigned char *out, const Record *record) {
    memset(out, 0, PACKED);
    memcpy(out, record->key, sizeof record->key);
    memcpy(out + 8, &record->stamp, sizeof record->stamp);
    memcpy(out + 16, &record->amount, sizeof record->amount);
    memcpy(out + 20, &record->flags, sizeof record->flags);
}

static void unpack(Record *record, const unsigned char *in) {
    memset(record, 0, sizeof *record);
    memcpy(record->key, in, sizeof record->key);
    memcpy(&record->stamp, in + 8, sizeof record->stamp);
    memcpy(&record->amount, in + 16, sizeof record->amount);
    memcpy(&record->flags, in + 20, sizeof record->flags);
}

static int starts_with(const char *text, const char *word) {
    return memcmp(text, word, strlen(word)) == 0;
}

static int keyword(const char *text) {
    if (starts_with(text, "sale")) return 1;
    if (starts_with(text, "return")) return 2;
    if (starts_with(text, "gift")) return 3;
    if (memcmp(text, "rebate", 6) == 0) return 4;
    return 0;
}

static int same_record(const Record *a, const Record *b) {
    return memcmp(a->key, b->key, KEY) == 0 && memcmp(&a->stamp, &b->stamp, sizeof a->stamp) == 0;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1500;
    static const char words[][KEY] = {"sale", "return", "gift", "rebate", "void", "salt"};
    uint32_t seed = 31;
    uint64_t hash = 0;
    for (int i = 0; i < RECORDS; i++) {
        seed = seed * 1664525 + 1013904223;
        memcpy(records[i].key, words[(seed >> 16) % 6], KEY);
        records[i].stamp = (uint64_t)seed * 77;
        records[i].amount = seed >> 9;
        records[i].flags = (uint16_t)(seed >> 3);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < RECORDS; i++) {
            records[i].amount += (uint32_t)round;
            pack(packed[i], &records[i]);
        }
        for (int i = 0; i < RECORDS; i++) {
            Record copy;
            unpack(&copy, packed[i]);
            hash += (uint64_t)keyword(copy.key) * copy.amount;
            if (same_record(&copy, &records[(i + round) % RECORDS])) hash ^= copy.stamp;
        }
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
