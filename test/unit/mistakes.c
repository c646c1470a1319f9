// Every mistake that one token can make in the text of a form: each token of the examples in test/form is left out,
// doubled, or replaced by another, and the first message about the result, of the parser or the verifier, is counted. The counts are
// in test/form/mistakes.txt: a mistake that is suddenly taken, or told otherwise, changes them. What is taken is printed
// and parsed again, which must give the same text.
//
// If messages have changed on purpose: copy mistakes.txt from where the test ran, and read the difference.
#include "ir/text.h"
#include "ir/verify.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    Form form;
    const char *name;
} files[] = {
    {FORM_RTL, "rtl/asm.rtl"},          {FORM_RTL, "rtl/atomics.rtl"},
    {FORM_RTL, "rtl/calls.rtl"},        {FORM_RTL, "rtl/control.rtl"},
    {FORM_RTL, "rtl/globals.rtl"},      {FORM_RTL, "rtl/locations.rtl"},
    {FORM_RTL, "rtl/memory.rtl"},       {FORM_RTL, "rtl/names.rtl"},
    {FORM_RTL, "rtl/operators.rtl"},    {FORM_RTL, "rtl/varargs_and_stack.rtl"},
    {FORM_SSA, "ssa/loops.ssa"},        {FORM_GSA, "gsa/loops.gsa"},
    {FORM_MACH, "mach/unbounded.mach"}, {FORM_MACH, "mach/allocated.mach"},
};

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
static const char *outline(Arena *arena, const char *text) {
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

// ---- One changed text

static void assert_round_trip(Arena *arena, Form form, const Program *program) {
    Out first = {0}, second = {0};
    Diag diag;
    diag_init(&diag, arena, NULL);
    program_print(&first, program, &(PrintOptions){.locations = true});
    Program *again = program_parse(arena, &diag, form, "again", first.text, first.length);
    if (!again) fail_msg("what was printed is not read: %s\n%s", diag.out.text, first.text);
    program_print(&second, again, &(PrintOptions){.locations = true});
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.text, second.text, first.length);
    out_free(&first);
    out_free(&second);
    diag_free(&diag);
}

static const char *outcome(Arena *arena, Form form, const char *text, size_t length) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, form, "text", text, length);
    const char *result = "taken";
    Complaints complaints = {.arena = arena};
    if (!program) {
        out_char(&diag.out, '\0');
        const char *message = strstr(diag.out.text, "error: ");
        assert_non_null(message);
        result = outline(arena, message);
    } else if (!verify_program(&complaints, program)) {
        result = arena_printf(arena, "verifier: %s: %s", complaints.list.at[0].rule,
                              outline(arena, complaints.list.at[0].message));
    } else {
        assert_round_trip(arena, form, program);
    }
    diag_free(&diag);
    return result;
}

// ---- All changes of a file

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

static void try_change(Messages *messages, Form form, const char *text, size_t at, size_t length,
                       const char *new) {
    Arena *arena = arena_new("change");
    const char *changed = arena_printf(arena, "%.*s%s%s", (int)at, text, new, text + at + length);
    count_message(messages, outcome(arena, form, changed, strlen(changed)));
    arena_free(arena);
}

static void try_file(Out *report, Form form, const char *name, const char *text) {
    Arena *arena = arena_new("file");
    Messages messages = {.arena = arena};
    uint32_t tokens = 0;
    assert_string_equal(outcome(arena, form, text, strlen(text)), "taken");
    for (size_t at = 0, length; (length = next_token(text, &at)); at += length, tokens++) {
        const char *token = arena_printf(arena, "%.*s", (int)length, text + at);
        try_change(&messages, form, text, at, length, "");
        try_change(&messages, form, text, at, length, arena_printf(arena, "%s %s", token, token));
        for (uint32_t i = 0; i < 2; i++) // each token meets each of the others somewhere
            try_change(&messages, form, text, at, length,
                       others[(tokens * 2 + i) % (sizeof others / sizeof others[0])]);
    }
    qsort(messages.list.at, messages.list.count, sizeof(Message), compare_messages);
    out_printf(report, "%s: %u tokens\n", name, tokens);
    for (uint32_t i = 0; i < messages.list.count; i++)
        out_printf(report, "%6u %s\n", messages.list.at[i].count, messages.list.at[i].text);
    arena_free(arena);
}

static char *read_whole(Arena *arena, const char *name) {
    const char *root = getenv("ROOT");
    const char *path = arena_printf(arena, "%s/test/form/%s", root ? root : ".", name);
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

static void test_one_token(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Out report = {0};
    for (uint32_t i = 0; i < sizeof files / sizeof files[0]; i++)
        try_file(&report, files[i].form, files[i].name, read_whole(arena, files[i].name));
    const char *expected = read_whole(arena, "mistakes.txt");
    const char *found = arena_text(arena, report.text, report.length);
    if (strcmp(expected, found) != 0) {
        size_t at = 0;
        while (expected[at] && expected[at] == found[at]) at++;
        while (at && expected[at - 1] != '\n') at--;
        out_commit(&report, "mistakes.txt");
        fail_msg("test/form/mistakes.txt has\n%.*s\nbut mistakes.txt is written with\n%.*s",
                 (int)strcspn(expected + at, "\n"), expected + at, (int)strcspn(found + at, "\n"),
                 found + at);
    }
    out_free(&report);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_token)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
