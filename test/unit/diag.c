// Tests of base/diag: messages by their exact text.
#include "base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What is said about bytes start .. end of a text.
static void assert_said(const char *text, size_t length, uint32_t start, uint32_t end,
                        const char *expected) {
    Arena *arena = arena_new("test");
    Diag diag;
    diag_init(&diag, arena, NULL);
    // A copy without anything after it, so that a step too far is seen by the sanitizers.
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    if (length) memcpy(copy, text, length);
    uint32_t source = diag_source(&diag, "a.rtl", copy, length);
    diag_error(&diag, ((Span){.source = source, .start = start, .end = end}), "wrong");
    out_char(&diag.out, '\0');
    assert_string_equal(diag.out.text, expected);
    free(copy);
    diag_free(&diag);
    arena_free(arena);
}

#define SAID(text, start, end, expected)                                                           \
    assert_said(text, sizeof text - 1, start, end, "a.rtl:" expected)

static void test_diag_text(void **state) {
    (void)state;
    SAID("one\ntwo three\nfour", 8, 13,
         "2:5: error: wrong\n    2 | two three\n      |     ^~~~~\n");
    SAID("one", 0, 0, "1:1: error: wrong\n    1 | one\n      | ^\n");
    SAID("one\n", 3, 4, "1:4: error: wrong\n    1 | one\n      |    ^\n");
    SAID("one\n", 4, 4, "2:1: error: wrong\n    2 | \n      | ^\n");
    SAID("", 0, 0, "1:1: error: wrong\n    1 | \n      | ^\n");
    SAID("ab", 99, 120, "1:3: error: wrong\n    1 | ab\n      |   ^\n"); // beyond the end
    SAID("ab\ncd", 0, 5, "1:1: error: wrong\n    1 | ab\n      | ^~\n"); // over several lines
    SAID("ab\r\ncd\r\n", 5, 6, "2:2: error: wrong\n    2 | cd\n      |  ^\n");
    SAID("\tx\ty", 3, 4, "1:4: error: wrong\n    1 |  x y\n      |    ^\n");
}

static void test_diag_characters(void **state) {
    (void)state;
    // Two, three and four bytes stand in one column each.
    SAID("\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82 x\xc3\xa4y", 10, 14,
         "1:11: error: wrong\n    1 | \xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82 x\xc3\xa4y\n"
         "      |     ^~~\n");
    SAID("\xc3\xa4\xc3\xa4 x", 0, 4, "1:1: error: wrong\n    1 | \xc3\xa4\xc3\xa4 x\n      | ^~\n");
    // Escapes and malformed text never reach the terminal: ESC, DEL, CSI as a byte and as a
    // character, a lone tail, an overlong form, a surrogate, a cut-off character.
    SAID("\x1b[31m\x7f\x9b\xc2\x9b x", 9, 10,
         "1:10: error: wrong\n    1 | ?[31m???? x\n      |          ^\n");
    SAID("\x80\xc0\x80\xed\xa0\x80\xf5x\xe2\x82", 7, 8,
         "1:8: error: wrong\n    1 | ???????x??\n      |        ^\n");
    // A carriage return inside a line does not end it.
    SAID("ab\rcd", 3, 5, "1:4: error: wrong\n    1 | ab?cd\n      |    ^~\n");
    assert_said("a\0b", 3, 2, 3, "a.rtl:1:3: error: wrong\n    1 | a?b\n      |   ^\n");
}

// A long line is shown around the span only; whatever the line holds, the caret stands below the
// byte it should: here always below an X, the only one.
static void test_diag_long_lines(void **state) {
    (void)state;
    static const char *const fillers[] = {"y", "\xc3\xa4", "\xe2\x82\xac", "\r", "\x9b"};
    char text[2000];
    for (size_t f = 0; f < sizeof fillers / sizeof *fillers; f++)
        for (uint32_t x = 0; x < 400; x++) {
            size_t used = 0, start = 0;
            for (uint32_t i = 0; i < 400; i++) {
                if (i == x) start = used;
                const char *piece = i == x ? "X" : fillers[f];
                memcpy(text + used, piece, strlen(piece));
                used += strlen(piece);
            }
            Arena *arena = arena_new("test");
            Diag diag;
            diag_init(&diag, arena, NULL);
            uint32_t source = diag_source(&diag, "a", text, used);
            Span span = {.source = source, .start = (uint32_t)start, .end = (uint32_t)start + 1};
            diag_error(&diag, span, "wrong");
            out_char(&diag.out, '\0');
            const char *line = strchr(diag.out.text, '\n') + 1;
            const char *caret = strchr(line, '\n') + 1;
            assert_true((size_t)(caret - line) <= 8 + 160 + 1);
            size_t column = 0, wanted = strcspn(caret, "^");
            for (; *line != 'X' && *line != '\n'; line++) column += (*line & 0xc0) != 0x80;
            assert_int_equal(*line, 'X');
            assert_int_equal(column, wanted);
            diag_free(&diag);
            arena_free(arena);
        }
}

static void test_diag_many_lines(void **state) {
    (void)state;
    enum { LINES = 123456 };
    Arena *arena = arena_new("test");
    Diag diag;
    diag_init(&diag, arena, NULL);
    Out text = {0};
    for (int i = 1; i <= LINES; i++) out_printf(&text, "line %d\n", i);
    uint32_t source = diag_source(&diag, "a", text.text, text.length);
    uint32_t offset = 0;
    for (uint32_t i = 1; i <= LINES; i++) {
        LinePlace place = diag_place(&diag, source, offset + 3);
        if (place.line != i || place.column != 4) fail_msg("line %u", i);
        offset += (uint32_t)(strchr(text.text + offset, '\n') - (text.text + offset)) + 1;
    }
    offset -= 12; // the last line is "line 123456\n"
    diag_warning(&diag, ((Span){.source = source, .start = offset + 5, .end = offset + 11}), "odd");
    out_char(&diag.out, '\0');
    assert_string_equal(diag.out.text, "a:123456:6: warning: odd\n"
                                       "123456 | line 123456\n"
                                       "       |      ^~~~~~\n");
    assert_int_equal(diag.warnings, 1);
    assert_int_equal(diag.errors, 0);
    out_free(&text);
    diag_free(&diag);
    arena_free(arena);
}

static void test_diag_limit(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Diag diag;
    diag_init(&diag, arena, NULL);
    diag.error_limit = 2;
    diag_error(&diag, SPAN_NONE, "first %d", 1);
    diag_note(&diag, SPAN_NONE, "about the first");
    diag_warning(&diag, SPAN_NONE, "between");
    diag_error(&diag, SPAN_NONE, "second");
    diag_note(&diag, SPAN_NONE, "about the second");
    diag_error(&diag, SPAN_NONE, "third");
    diag_note(&diag, SPAN_NONE, "about the third");
    diag_error(&diag, SPAN_NONE, "fourth");
    out_char(&diag.out, '\0');
    assert_string_equal(diag.out.text, "gatecc: error: first 1\n"
                                       "gatecc: note: about the first\n"
                                       "gatecc: warning: between\n"
                                       "gatecc: error: second\n"
                                       "gatecc: note: about the second\n"
                                       "gatecc: error: too many errors; the rest are not shown\n");
    assert_int_equal(diag.errors, 4);
    diag_free(&diag);
    diag_init(&diag, arena, NULL);
    diag.error_limit = 0;
    diag.warnings_are_errors = true;
    for (int i = 0; i < 100; i++) diag_warning(&diag, SPAN_NONE, "again");
    assert_int_equal(diag.errors, 100);
    assert_int_equal(diag.warnings, 0);
    assert_int_equal(diag.out.length, 100 * strlen("gatecc: error: again\n"));
    diag_free(&diag);
    arena_free(arena);
}

static void test_diag_stream(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    Diag diag;
    diag_init(&diag, arena, stream);
    assert_false(diag.colour); // not a terminal
    uint32_t source = diag_source(&diag, "a", "xyz", 3);
    diag_note(&diag, ((Span){.source = source, .start = 1, .end = 3}), "name '%s'", "\x1b[2J\n");
    assert_string_equal(text, "a:1:2: note: name '?[2J?'\n    1 | xyz\n      |  ^~\n");
    assert_int_equal(diag.out.length, 0);
    diag.colour = true;
    diag_warning(&diag, SPAN_NONE, "careful");
    assert_non_null(
        strstr(text, "\033[1mgatecc: \033[1;35mwarning: \033[0m\033[1mcareful\033[0m\n"));
    fclose(stream);
    free(text);
    diag_free(&diag);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diag_text),       cmocka_unit_test(test_diag_characters),
        cmocka_unit_test(test_diag_long_lines), cmocka_unit_test(test_diag_many_lines),
        cmocka_unit_test(test_diag_limit),      cmocka_unit_test(test_diag_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
