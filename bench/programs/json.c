// A reader of JSON: parses a text into a tree of values, walks the tree, writes it again.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} Kind;

typedef struct Value Value;
struct Value {
    Kind kind;
    double number;
    const char *text; // of a string; in an object's member, `key` is its name
    size_t length;
    const char *key;
    size_t key_length;
    Value *first, *next;
};

typedef struct {
    const char *at;
    Value *pool;
    size_t used;
} Parser;

static void fail(const char *what) {
    printf("wrong: %s\n", what);
    exit(1);
}

static void skip_space(Parser *p) {
    while (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r') p->at++;
}

static const char *parse_string(Parser *p, size_t *length) {
    const char *start = ++p->at;
    while (*p->at != '"') {
        if (!*p->at) fail("string");
        p->at += *p->at == '\\' ? 2 : 1;
    }
    *length = (size_t)(p->at++ - start);
    return start;
}

static double parse_number(Parser *p) {
    int negative = *p->at == '-';
    p->at += negative;
    double number = 0, scale = 1;
    while (*p->at >= '0' && *p->at <= '9') number = number * 10 + (*p->at++ - '0');
    if (*p->at == '.') {
        p->at++;
        while (*p->at >= '0' && *p->at <= '9') {
            number = number * 10 + (*p->at++ - '0');
            scale *= 10;
        }
    }
    return (negative ? -number : number) / scale;
}

static Kind parse_word(Parser *p) {
    static const char *const words[] = {"null", "false", "true"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(p->at, words[i], length)) continue;
        p->at += length;
        return (Kind)i;
    }
    fail("word");
    return JSON_NULL;
}

static Value *parse(Parser *p);

static void parse_members(Parser *p, Value *value, char end) {
    Value **last = &value->first;
    p->at++;
    skip_space(p);
    while (*p->at != end) {
        const char *key = NULL;
        size_t key_length = 0;
        if (end == '}') {
            key = parse_string(p, &key_length);
            skip_space(p);
            if (*p->at++ != ':') fail("colon");
        }
        *last = parse(p);
        (*last)->key = key;
        (*last)->key_length = key_length;
        last = &(*last)->next;
        if (*p->at == ',') p->at++;
        skip_space(p);
    }
    p->at++;
}

static Value *parse(Parser *p) {
    Value *value = &p->pool[p->used++];
    memset(value, 0, sizeof *value);
    skip_space(p);
    switch (*p->at) {
    case '{':
        value->kind = JSON_OBJECT;
        parse_members(p, value, '}');
        break;
    case '[':
        value->kind = JSON_ARRAY;
        parse_members(p, value, ']');
        break;
    case '"':
        value->kind = JSON_STRING;
        value->text = parse_string(p, &value->length);
        break;
    case 'n':
    case 't':
    case 'f': value->kind = parse_word(p); break;
    default: value->kind = JSON_NUMBER; value->number = parse_number(p);
    }
    skip_space(p);
    return value;
}

typedef struct {
    double numbers;
    long words, characters, depth;
} Totals;

static void add_up(const Value *value, Totals *totals, long depth) {
    if (depth > totals->depth) totals->depth = depth;
    switch (value->kind) {
    case JSON_NUMBER: totals->numbers += value->number; break;
    case JSON_STRING: totals->characters += (long)value->length; break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        for (const Value *v = value->first; v; v = v->next) {
            totals->characters += (long)v->key_length;
            add_up(v, totals, depth + 1);
        }
        break;
    default: totals->words += value->kind;
    }
}

static size_t make_text(char *text, int records) {
    size_t at = 0;
    text[at++] = '[';
    for (int i = 0; i < records; i++)
        at += (size_t)sprintf(
            text + at,
            "%s\n {\"id\": %d, \"name\": \"record number %d\", \"price\": %d.%02d,"
            " \"tags\": [\"a\\\"%d\", \"b\", null, %s], \"nested\": {\"x\": -%d, "
            "\"y\": [[%d], []]}}",
            i ? "," : "", i, i * 7, i * 3, i % 100, i, i % 2 ? "true" : "false", i, i % 13);
    strcpy(text + at, "\n]\n");
    return at + 3;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 120;
    int records = 10000;
    char *text = malloc((size_t)records * 200);
    Value *pool = malloc((size_t)records * 16 * sizeof *pool);
    if (!text || !pool) return 1;
    size_t size = make_text(text, records);
    Totals totals = {0};
    for (int i = 0; i < rounds; i++) {
        Parser parser = {.at = text, .pool = pool};
        add_up(parse(&parser), &totals, 0);
    }
    printf("%zu bytes: %.2f %ld %ld %ld\n", size, totals.numbers, totals.words, totals.characters,
           totals.depth);
    free(text), free(pool);
    return 0;
}
