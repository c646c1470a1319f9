// Blocks of bytes: copied, filled, compared and searched, with sizes that are known and not.
#include <stdio.h>
#include <string.h>

typedef struct {
    char name[20];
    int length;
    unsigned hash;
} Entry;

__attribute__((noinline)) static unsigned hash(const char *text) {
    unsigned h = 5381;
    while (*text) h = h * 33 ^ (unsigned char)*text++;
    return h;
}
__attribute__((noinline)) static Entry entry(const char *text) {
    Entry e;
    memset(&e, 0, sizeof e);
    e.length = (int)strlen(text);
    memcpy(e.name, text, (size_t)(e.length < 19 ? e.length : 19));
    e.hash = hash(e.name);
    return e;
}
__attribute__((noinline)) static void reverse(char *text) {
    for (char *end = text + strlen(text) - 1; text < end; text++, end--) {
        char c = *text;
        *text = *end;
        *end = c;
    }
}
__attribute__((noinline)) static int insert(Entry *table, int count, Entry fresh) {
    int at = count;
    while (at > 0 && strcmp(table[at - 1].name, fresh.name) > 0) {
        table[at] = table[at - 1];
        at--;
    }
    table[at] = fresh;
    return count + 1;
}

int main(void) {
    static const char *const words[] = {"gate", "merge", "a word that is much longer than that", "",
                                        "mu"};
    Entry table[6];
    int count = 0;
    for (int i = 0; i < 5; i++) count = insert(table, count, entry(words[i]));
    for (int i = 0; i < count; i++) {
        if (table[i].length) reverse(table[i].name);
        printf("%s %d %u\n", table[i].name, table[i].length, table[i].hash);
    }
    return 0;
}
