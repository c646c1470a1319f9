// Trees of values as JSON and HTML, with texts that mean something there.
#include "gatecheck/gatecheck_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char hostile[] = "<&>\"'\\\n\x01\x7f\x80\xe9";

static Tree *sample(Arena *arena) {
    Tree *tree = tree_group(arena, NULL, NULL);
    tree_text(arena, tree, "a<", hostile, sizeof hostile - 1);
    tree_number(arena, tree, "n", UINT64_MAX);
    tree_truth(arena, tree, "t", true);
    Tree *list = tree_list(arena, tree, "rows");
    for (int i = 0; i < 2; i++) {
        Tree *row = tree_group(arena, list, NULL);
        tree_string(arena, row, "x", i ? "" : "1");
        Tree *inner = tree_list(arena, row, "y");
        tree_string(arena, inner, NULL, "p");
        tree_string(arena, inner, NULL, "<q>");
    }
    tree_list(arena, tree, "none");
    return tree;
}

static void expect(Out *out, const char *text) {
    out_char(out, '\0');
    assert_string_equal(out->text, text);
    out_free(out);
}

static void test_json(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Out out = {0};
    tree_print_json(&out, sample(arena));
    expect(&out,
           "{\n \"a<\": \"<&>\\\"'\\\\\\u000a\\u0001\\u007f\\u0080\\u00e9\",\n"
           " \"n\": 18446744073709551615,\n \"t\": true,\n"
           " \"rows\": [\n  {\n   \"x\": \"1\",\n   \"y\": [\n    \"p\",\n    \"<q>\"\n   ]\n  },\n"
           "  {\n   \"x\": \"\",\n   \"y\": [\n    \"p\",\n    \"<q>\"\n   ]\n  }\n ],\n"
           " \"none\": []\n}\n");
    arena_free(arena);
}

static void test_html(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Out out = {0}, body = {0};
    tree_print_html(&out, sample(arena), "Title");
    out_char(&out, '\0');
    out_text(&body, strstr(out.text, "<h1>"));
    out_free(&out);
    expect(&body,
           "<h1>Title</h1>\n<dl>\n"
           "<dt>a&#60;</dt><dd>&#60;&#38;&#62;&#34;&#39;\\\\x0a\\x01\\x7f\\x80&#233;</dd>\n"
           "<dt>n</dt><dd>18446744073709551615</dd>\n<dt>t</dt><dd>yes</dd>\n"
           "<dt>none</dt><dd></dd>\n</dl>\n<h2>rows</h2>\n<table>\n"
           "<thead><tr><th>x</th><th>y</th></tr></thead>\n<tbody>\n"
           "<tr><td>1</td><td>p, &#60;q&#62;</td></tr>\n<tr><td></td><td>p, &#60;q&#62;</td></tr>\n"
           "</tbody>\n</table>\n</body>\n</html>\n");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_html),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
