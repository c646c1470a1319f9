#include "test/gen/tokens.h"

#include "base/vec.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What a token is replaced by.
static const char *const others[] = {"%strange", "7", "@nobody", "word", "i64", "[", ",", "-"};

// ---- Counting messages

typedef struct {
    char *text;
    uint32_t count;
} Message;

typedef struct {
    Arena *arena;
    VEC(Message) list;
} Messages;

static int compare_messages(const void *a, const void *b) {
    return strcmp(((const Message *)a)->text, ((const Message *)b)->text);
}

static void count_message(Messages *messages, const char *text) {
    for (uint32_t i = 0; i < messages->list.count; i++)
        if (strcmp(messages->list.at[i].text, text) == 0) {
            messages->list.at[i].count++;
            return;
        }
    Message message = {.text = arena_text(messages->arena, text, strlen(text)), .count = 1};
    vec_push(messages->arena, &messages->list, message);
}

// A message without names and numbers, and without what was found.
const char *tokens_outline(Arena *arena, const char *text) {
    Out out = {0};
    for (const char *c = text; *c && *c != '\n' && strncmp(c, " found ", 7) != 0;) {
        if (*c == '\'') {
            const char *end = strchr(c + 1, '\'');
            out_text(&out, "'...'");
            c = end ? end + 1 : c + strlen(c);
        } else if (isdigit((unsigned char)*c)) {
            out_char(&out, 'N');
            while (isalnum((unsigned char)*c)) c++;
        } else if (strchr("%@$", *c)) {
            out_char(&out, *c++);
            while (isalnum((unsigned char)*c) || *c == '_') c++;
        } else {
            out_char(&out, *c++);
        }
    }
    const char *result = arena_text(arena, out.text ? out.text : "", out.length);
    out_free(&out);
    return result;
}

// ---- Changes

static bool in_word(char c) {
    return isalnum((unsigned char)c) || (c && strchr("%@$_.'", c));
}

// The token at or behind a place; its length is 0 at the end.
static size_t next_token(const char *text, size_t *at) {
    while (text[*at] == ' ') ++*at;
    size_t length = text[*at] != '\0';
    if (in_word(text[*at]))
        while (in_word(text[*at + length])) length++;
    if (text[*at] == '"')
        while (text[*at + length] && text[*at + length++] != '"') {
        }
    return length;
}

static void try_change(Messages *messages, TokenAnswer *answer, const char *text, size_t at,
                       size_t length, const char *fresh) {
    Arena *arena = arena_new("change");
    const char *changed = arena_printf(arena, "%.*s%s%s", (int)at, text, fresh, text + at + length);
    count_message(messages, answer(arena, changed, strlen(changed)));
    arena_free(arena);
}

void tokens_try(Out *report, const char *name, const char *text, uint32_t every,
                TokenAnswer *answer) {
    Arena *arena = arena_new("tokens");
    Messages messages = {.arena = arena};
    uint32_t tokens = 0;
    for (size_t at = 0, length; (length = next_token(text, &at)); at += length, tokens++) {
        if (tokens % every) continue;
        const char *token = arena_printf(arena, "%.*s", (int)length, text + at);
        try_change(&messages, answer, text, at, length, "");
        try_change(&messages, answer, text, at, length, arena_printf(arena, "%s %s", token, token));
        for (uint32_t i = 0; i < 2; i++) // each token meets each of the others somewhere
            try_change(&messages, answer, text, at, length,
                       others[(tokens / every * 2 + i) % (sizeof others / sizeof others[0])]);
    }
    qsort(messages.list.at, messages.list.count, sizeof(Message), compare_messages);
    out_printf(report, "%s: %u tokens\n", name, tokens);
    for (uint32_t i = 0; i < messages.list.count; i++)
        out_printf(report, "%6u %s\n", messages.list.at[i].count, messages.list.at[i].text);
    arena_free(arena);
}

static const char *path_of(Arena *arena, const char *name) {
    const char *root = getenv("ROOT");
    return arena_printf(arena, "%s/test/%s", root ? root : ".", name);
}

char *tokens_read(Arena *arena, const char *name) {
    const char *path = path_of(arena, name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("cannot read %s", path);
    Out text = {0};
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file));) out_bytes(&text, buffer, n);
    fclose(file);
    char *result = arena_text(arena, text.text ? text.text : "", text.length);
    out_free(&text);
    return result;
}

void tokens_expect(Arena *arena, Out *report, const char *file) {
    const char *expected = tokens_read(arena, file);
    const char *found = arena_text(arena, report->text, report->length);
    if (strcmp(expected, found) == 0) return;
    if (getenv("GATE_UPDATE")) {
        if (!out_commit(report, path_of(arena, file))) fail_msg("cannot write %s", file);
        return;
    }
    size_t at = 0;
    while (expected[at] && expected[at] == found[at]) at++;
    while (at && expected[at - 1] != '\n') at--;
    const char *name = strrchr(file, '/') + 1;
    out_commit(report, name);
    fail_msg("test/%s has\n%.*s\nbut %s is written with\n%.*s", file,
             (int)strcspn(expected + at, "\n"), expected + at, name, (int)strcspn(found + at, "\n"),
             found + at);
}
