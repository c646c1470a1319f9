// The preprocessor on small programs: tokens, messages, positions, the search for files.
//
// Files live in memory.
#include "c/preprocess/pp.h"
#include "message/message.h"
#include "preprocess_programs.h"
#include "target/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    const char *path, *text;
} TestFile;

typedef struct {
    Arena *arena;
    Diag diag;
    StrTable strings;
    PpOptions options;
    const TestFile *files; // ends with a NULL path
    uint32_t reads;        // how often a file was read
    Pp *pp;
} Run;

static bool read_test_file(void *context, Arena *arena, const char *path, char **text,
                           size_t *length) {
    Run *run = context;
    for (const TestFile *file = run->files; file->path; file++) {
        if (strcmp(file->path, path) != 0) continue;
        *length = strlen(file->text);
        *text = arena_text(arena, file->text, *length);
        run->reads++;
        return true;
    }
    return false;
}

static void run_begin(Run *run, const TestFile *files) {
    *run = (Run){.arena = arena_new("test"), .files = files};
    diag_init(&run->diag, run->arena, NULL);
    run->diag.error_limit = 0;
    str_init(&run->strings, run->arena);
    run->options = (PpOptions){.target = &targets[0],
                               .arena = run->arena,
                               .diag = &run->diag,
                               .strings = &run->strings,
                               .no_standard_dirs = true,
                               .read = read_test_file,
                               .context = run};
}

static void run_open(Run *run) {
    run->pp = pp_new(&run->options);
    assert_true(pp_open(run->pp, run->files[0].path));
}

static void run_end(Run *run) {
    pp_free(run->pp);
    diag_free(&run->diag);
    arena_free(run->arena);
}

// The spellings of all tokens with a blank between them.
static const char *all_tokens(Run *run) {
    Out out = {0};
    for (Token token; pp_next(run->pp, &token), token.kind != TOK_EOF;) {
        size_t length;
        const char *text = token_spelling(run->pp, &token, &length);
        if (out.length) out_char(&out, ' ');
        if (token.kind == TOK_PRAGMA) out_text(&out, "#pragma ");
        out_bytes(&out, text, length);
    }
    const char *copy = arena_text(run->arena, out.text, out.length);
    out_free(&out);
    return copy;
}

static const char *messages(Run *run) {
    messages_flush(&run->diag);
    return arena_text(run->arena, run->diag.out.text, run->diag.out.length);
}

// ---- Macro programs

static void test_programs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        Run run;
        run_begin(&run, (TestFile[]){{"main.c", programs[i].input}, {0}});
        run_open(&run);
        const char *tokens = all_tokens(&run);
        if (strcmp(tokens, programs[i].expected) != 0)
            fail_msg("%s:\nexpected %s\n   found %s", programs[i].name, programs[i].expected,
                     tokens);
        if (run.diag.errors) fail_msg("%s: %s", programs[i].name, messages(&run));
        run_end(&run);
    }
}

// The tokens do not change when the printed text is read again.
static void test_printed_again(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        Run first, second;
        run_begin(&first, (TestFile[]){{"main.c", programs[i].input}, {0}});
        run_open(&first);
        Out text = {0};
        pp_print(first.pp, &text, i % 2);
        out_char(&text, '\0');
        run_begin(&second, (TestFile[]){{"again.c", text.text}, {0}});
        second.options.no_predefined = true;
        run_open(&second);
        const char *tokens = all_tokens(&second);
        if (strcmp(tokens, programs[i].expected) != 0)
            fail_msg("%s:\nexpected %s\n   found %s\n    from %s", programs[i].name,
                     programs[i].expected, tokens, text.text);
        out_free(&text);
        run_end(&second);
        run_end(&first);
    }
}

// ---- Files

static const char *tokens_of(const TestFile *files, uint32_t *reads) {
    Run run;
    run_begin(&run, files);
    run.options.dirs.at =
        (struct SearchDir[]){{"q", DIR_QUOTE}, {"i", DIR_BRACKET}, {"s", DIR_SYSTEM}};
    run.options.dirs.count = run.options.dirs.capacity = 3;
    run_open(&run);
    static char copy[4096];
    snprintf(copy, sizeof copy, "%s", all_tokens(&run));
    if (run.diag.errors) fail_msg("%s", messages(&run));
    if (reads) *reads = run.reads;
    run_end(&run);
    return copy;
}

static void test_search(void **state) {
    (void)state;
    const TestFile files[] = {{"d/main.c", "#include \"a.h\"\n#include <a.h>\n#include \"b.h\"\n"
                                           "#define N <a.h>\n#include N\n#define M \"b.h\"\n"
                                           "#include M\n#define n a\n#define h h\n"
                                           "#define X(x) <x.h>\n#include X(n)\nend"},
                              {"d/a.h", "beside"},
                              {"q/a.h", "quote"},
                              {"q/b.h", "quoteb"},
                              {"i/a.h", "bracket\n#include_next <a.h>\n"},
                              {"s/a.h", "system"},
                              {0}};
    assert_string_equal(tokens_of(files, NULL),
                        "beside bracket system quoteb bracket system quoteb "
                        "bracket system end");
}

static void test_guards(void **state) {
    (void)state;
    const TestFile files[] = {
        {"main.c", "#include \"g.h\"\n#include \"g.h\"\n#include \"o.h\"\n#include \"o.h\"\n"
                   "#include \"n.h\"\n#include \"n.h\"\n#include \"e.h\"\n#include \"e.h\"\n"
                   "#undef G\n#include \"g.h\"\n"},
        {"g.h", "/* c */\n#ifndef G\n#define G\ng\n#endif\n"},
        {"o.h", "#pragma once\no"},
        {"n.h", "#if !defined(N)\n#define N\nn\n#endif // N\n"},
        {"e.h", "#ifndef E\n#define E\ne\n#else\nagain\n#endif\n"},
        {0}};
    uint32_t reads;
    assert_string_equal(tokens_of(files, &reads), "g o n e again g");
    assert_int_equal(reads, 5);
}

static void test_has(void **state) {
    (void)state;
    const TestFile files[] = {{"main.c",
                               "#if __has_include(\"x.h\") && !__has_include(<x.h>)\n1\n#endif\n"
                               "#define H <y.h>\n#if __has_include(H)\n2\n#endif\n"
                               "#if __has_attribute(__noreturn__) && !__has_attribute(foo)\n"
                               "3\n#endif\n#if __has_builtin(__builtin_expect)\n4\n#endif\n"
                               "#ifdef __has_feature\n5\n#endif\n"},
                              {"x.h", ""},
                              {"i/y.h", ""},
                              {0}};
    assert_string_equal(tokens_of(files, NULL), "1 2 3 4");
}

static void test_calls_end_with_files(void **state) {
    (void)state;
    const TestFile files[] = {
        {"main.c", "#define f(x) [x]\n#include \"a.h\"\n(1)\n"}, {"a.h", "f"}, {0}};
    assert_string_equal(tokens_of(files, NULL), "f ( 1 )");
}

static void test_builtin_files(void **state) {
    (void)state;
    const TestFile files[] = {
        {"d/main.c", "#include \"a.h\"\n__FILE__ __INCLUDE_LEVEL__ __BASE_FILE__\n"},
        {"d/a.h", "__FILE__ __INCLUDE_LEVEL__ __BASE_FILE__"},
        {0}};
    assert_string_equal(tokens_of(files, NULL),
                        "\"d/a.h\" 1 \"d/main.c\" \"d/main.c\" 0 \"d/main.c\"");
}

static void test_dates(void **state) {
    (void)state;
    setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
    assert_string_equal(tokens_of((TestFile[]){{"m.c", "__DATE__ __TIME__"}, {0}}, NULL),
                        "\"Sep  9 2001\" \"01:46:40\"");
    unsetenv("SOURCE_DATE_EPOCH");
}

static void test_pragmas(void **state) {
    (void)state;
    const TestFile files[] = {
        {"main.c",
         "#define N 4\n#pragma pack(push, N)\n#pragma weak N\n#pragma STDC FP_CONTRACT ON\n"
         "#pragma GCC diagnostic push\n#define P(x) a _Pragma(#x) b\nP(pack(1))\n"},
        {0}};
    assert_string_equal(tokens_of(files, NULL), "#pragma pack(push, 4) #pragma weak N #pragma STDC "
                                                "FP_CONTRACT ON a #pragma pack(1) b");
}

static void test_command_line(void **state) {
    (void)state;
    Run run;
    run_begin(&run, (TestFile[]){{"main.c", "A B C(1) D __gatecc__"},
                                 {"i.h", "included A\n"},
                                 {"m.h", "#define D d\nnot seen\n"},
                                 {0}});
    struct CommandMacro macros[] = {
        {"A", false}, {"B=b + 1", false}, {"C(x)=<x>", false}, {"__gatecc__", true}};
    run.options.macros.at = macros;
    run.options.macros.count = run.options.macros.capacity = 4;
    run.options.includes.at = (const char *[]){"i.h"};
    run.options.includes.count = run.options.includes.capacity = 1;
    run.options.imacros.at = (const char *[]){"m.h"};
    run.options.imacros.count = run.options.imacros.capacity = 1;
    run_open(&run);
    assert_string_equal(all_tokens(&run), "included 1 1 b + 1 < 1 > d __gatecc__");
    uint32_t count;
    const Dependency *files = pp_dependencies(run.pp, &count);
    assert_int_equal(count, 3);
    assert_string_equal(files[0].path, "main.c");
    run_end(&run);
}

static void test_trigraphs(void **state) {
    (void)state;
    Run run;
    run_begin(&run,
              (TestFile[]){
                  {"main.c", "?\?=define A(x) ?\?=x\nA(?\?() \"?\?/\"\" a ?\?/\nb ?\?!?\?!"}, {0}});
    run.options.standard = "c11";
    run_open(&run);
    assert_string_equal(all_tokens(&run), "\"[\" \"\\\"\" a b ||");
    run_end(&run);
}

static void test_macros_printed(void **state) {
    (void)state;
    Run run;
    run_begin(&run,
              (TestFile[]){{"main.c", "#define B(x, y...) #x x##y  z\n#define A \n#define C(...) "
                                      "__VA_OPT__(a b)\n#undef D\n"},
                           {0}});
    run.options.preprocessed = true;
    run_open(&run);
    all_tokens(&run);
    Out out = {0};
    pp_print_macros(run.pp, &out);
    out_char(&out, '\0');
    assert_string_equal(out.text, "#define A \n#define B(x,y...) #x x ## y z\n#define C(...) "
                                  "__VA_OPT__(a b)\n");
    out_free(&out);
    run_end(&run);
}

// ---- Messages

// Each program with the message that must come first: line, column, kind and text.
static const struct {
    const char *input, *message;
} mistakes[] = {
    {"#define f(a,b) a b\nf(1)",
     "m.c:2:1: error: macro 'f' requires 2 arguments, but only 1 given"},
    {"#define f(a) a\n f(1,2)", "m.c:2:2: error: macro 'f' passed 2 arguments, but takes just 1"},
    {"#define f(a) a\nf(1\n", "m.c:2:1: error: unterminated argument list invoking macro 'f'"},
    {"x\n #if 1\n", "m.c:2:3: error: unterminated #if"},
    {"#ifdef A\n#else\n", "m.c:1:2: error: unterminated #ifdef"},
    {"#else\n", "m.c:1:2: error: #else without #if"},
    {"#endif\n", "m.c:1:2: error: #endif without #if"},
    {"#elif 1\n", "m.c:1:2: error: #elif without #if"},
    {"#if 0\n#else\n#else\n#endif\n", "m.c:3:2: error: #else after #else"},
    {"#if 0\n#else\n#elif 1\n#endif\n", "m.c:3:2: error: #elif after #else"},
    {"#define A 1\n#define A 2\n", "m.c:2:9: warning: 'A' redefined [-Wmacro-redefined]"},
    {"#define __LINE__ 2\n",
     "m.c:1:9: warning: redefining builtin macro '__LINE__' [-Wbuiltin-macro-redefined]"},
    {"#define f(x,x) x\n", "m.c:1:13: error: duplicate macro parameter 'x'"},
    {"#define f(x y) x\n", "m.c:1:13: error: expected ',' or ')' in macro parameter list"},
    {"#define f(x\n", "m.c:1:12: error: expected ',' or ')' in macro parameter list"},
    {"#define f(1) x\n", "m.c:1:11: error: expected parameter name in macro parameter list"},
    {"#define f(...,a) x\n", "m.c:1:14: error: expected ')' after '...' in macro parameter list"},
    {"#define f(x) #y\n", "m.c:1:14: error: '#' is not followed by a macro parameter"},
    {"#define f(x) #\n", "m.c:1:14: error: '#' is not followed by a macro parameter"},
    {"#define f ## x\n", "m.c:1:11: error: '##' cannot appear at either end of a macro expansion"},
    {"#define f x ##\n", "m.c:1:13: error: '##' cannot appear at either end of a macro expansion"},
    {"#define f(...) __VA_OPT__(## a)\n",
     "m.c:1:27: error: '##' cannot appear at either end of __VA_OPT__"},
    {"#define f(...) __VA_OPT__(a ##)\n",
     "m.c:1:29: error: '##' cannot appear at either end of __VA_OPT__"},
    {"#define f(...) __VA_OPT__(a\n", "m.c:1:16: error: unterminated __VA_OPT__"},
    {"#define f(...) __VA_OPT__ a\n", "m.c:1:27: error: expected '(' after __VA_OPT__"},
    {"#define f(...) __VA_OPT__(__VA_OPT__())\n",
     "m.c:1:27: error: __VA_OPT__ may not appear in a __VA_OPT__"},
    {"#define f __VA_ARGS__\n",
     "m.c:1:11: warning: __VA_ARGS__ can only appear in the expansion of a variadic macro"},
    {"#define 3\n", "m.c:1:9: error: macro names must be identifiers"},
    {"#define\n", "m.c:1:8: error: no macro name given in #define directive"},
    {"#define defined\n", "m.c:1:9: error: 'defined' cannot be used as a macro name"},
    {"#define A\"a\"\n", "m.c:1:10: warning: missing white space after the macro name"},
    {"#define c(a,b) a##b\nc(+,/)\n",
     "m.c:2:1: error: pasting \"+\" and \"/\" does not give a valid preprocessing token"},
    {"#includ <a>\n",
     "m.c:1:2: error: invalid preprocessing directive #includ; did you mean #include?"},
    {"#foobarbaz\n", "m.c:1:2: error: invalid preprocessing directive #foobarbaz"},
    {"#if\n#endif\n", "m.c:1:4: error: #if with no expression"},
    {"#if 1 +\n#endif\n", "m.c:1:7: error: operator '+' has no right operand"},
    {"#if * 1\n#endif\n", "m.c:1:5: error: operator '*' has no left operand"},
    {"#if (1\n#endif\n", "m.c:1:5: error: missing ')' in expression"},
    {"#if 1)\n#endif\n", "m.c:1:6: error: missing '(' in expression"},
    {"#if ()\n#endif\n", "m.c:1:6: error: missing expression between '(' and ')'"},
    {"#if 1/0\n#endif\n", "m.c:1:6: error: division by zero in #if"},
    {"#if 1 2\n#endif\n", "m.c:1:7: error: missing binary operator before token \"2\""},
    {"#if F(1)\n#endif\n", "m.c:1:5: error: function-like macro 'F' is not defined"},
    {"#if \"a\"\n#endif\n",
     "m.c:1:5: error: token \"\"a\"\" is not valid in preprocessor expressions"},
    {"#if 1 = 2\n#endif\n", "m.c:1:7: error: token \"=\" is not valid in preprocessor expressions"},
    {"#if 1.5\n#endif\n", "m.c:1:5: error: floating constant in preprocessor expression"},
    {"#if 1 ? 2\n#endif\n", "m.c:1:7: error: '?' without following ':'"},
    {"#if (1 ? 2)\n#endif\n", "m.c:1:8: error: '?' without following ':'"},
    {"#if 1 : 2\n#endif\n", "m.c:1:7: error: ':' without preceding '?'"},
    {"#if 08\n#endif\n", "m.c:1:5: error: invalid digit in octal constant"},
    {"#if 1x\n#endif\n", "m.c:1:5: error: invalid suffix \"x\" on integer constant"},
    {"#if ''\n#endif\n", "m.c:1:5: error: empty character constant"},
    {"#if defined\n#endif\n", "m.c:1:5: error: operator 'defined' requires an identifier"},
    {"#if defined(A\n#endif\n", "m.c:1:5: error: missing ')' after 'defined'"},
    {"#if 9223372036854775807 + 1\n#endif\n",
     "m.c:1:25: warning: integer overflow in preprocessor expression"},
    {"#ifdef\n#endif\n", "m.c:1:7: error: no macro name given in #ifdef directive"},
    {"#ifdef A B\n#endif\n",
     "m.c:1:10: warning: extra tokens at end of #ifdef directive [-Wextra-tokens]"},
    {"#if 1\n#endif A\n",
     "m.c:2:8: warning: extra tokens at end of #endif directive [-Wextra-tokens]"},
    {"#error a  \"b\" /* c */\n", "m.c:1:2: error: #error a  \"b\" /* c */"},
    {"#warning a\n", "m.c:1:2: warning: #warning a [-Wcpp]"},
    {"#line x\n", "m.c:1:7: error: #line needs a decimal number up to 2147483647"},
    {"#line 1 x\n", "m.c:1:9: error: the file name in #line must be a string literal"},
    {"#line 10 \"y.c\"\n\n #error x\n", "y.c:11:3: error: #error x"},
    {"#include\n", "m.c:1:2: error: #include expects \"FILENAME\" or <FILENAME>"},
    {"#include x\n", "m.c:1:10: error: #include expects \"FILENAME\" or <FILENAME>"},
    {"#include <x\n", "m.c:1:10: error: missing terminating > character"},
    {"#include \"\"\n", "m.c:1:10: error: empty file name in #include"},
    {"\n #include <a/b.h>\n", "m.c:2:11: error: cannot include 'a/b.h': No such file or directory"},
    {"#pragma GCC poison a\n a\n", "m.c:2:2: error: use of poisoned name 'a'"},
    {"x = \"abc\n", "m.c:1:5: error: missing terminating \" character"},
    {"x = 'a\n", "m.c:1:5: error: missing terminating ' character"},
    {"x /* abc", "m.c:1:3: error: unterminated comment"},
    {"_Pragma(1)\n", "m.c:1:1: error: _Pragma takes a string literal in parentheses"},
    {"__has_include(<x>)\n", "m.c:1:1: error: '__has_include' can only be used in #if and #elif"},
    {"#if __has_include\n#endif\n", "m.c:1:5: error: missing '(' before \"__has_include\" operand"},
};

static void test_mistakes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        Run run;
        run_begin(&run, (TestFile[]){{"m.c", mistakes[i].input}, {0}});
        run_open(&run);
        all_tokens(&run);
        const char *found = messages(&run), *expected = mistakes[i].message;
        size_t length = strlen(expected);
        if (strncmp(found, expected, length) != 0 || found[length] != '\n')
            fail_msg("%s\nexpected %s\n   found %s", mistakes[i].input, expected, found);
        if (run.diag.errors + run.diag.warnings != 1)
            fail_msg("%s\none mistake, but:\n%s", mistakes[i].input, found);
        run_end(&run);
    }
}

static void test_notes(void **state) {
    (void)state;
    Run run;
    run_begin(&run, (TestFile[]){{"m.c", "#include \"a.h\"\n"},
                                 {"a.h", "#include \"b.h\"\nG(1)\n"},
                                 {"b.h", "#define F(x) x ## +\n#define G(y) 1 + F(y)\n"},
                                 {0}});
    run_open(&run);
    all_tokens(&run);
    assert_string_equal(messages(&run),
                        "In file included from m.c:1:\n"
                        "b.h:2:18: error: pasting \"1\" and \"+\" does not give a valid "
                        "preprocessing token\n"
                        "    2 | #define G(y) 1 + F(y)\n"
                        "      |                  ^\n"
                        "a.h:2:1: note: in expansion of macro 'G'\n"
                        "    2 | G(1)\n"
                        "      | ^\n"
                        "b.h:1:9: note: macro 'F' defined here\n"
                        "    1 | #define F(x) x ## +\n"
                        "      |         ^\n");
    run_end(&run);
}

// ---- Robustness

static void test_bytes(void **state) {
    (void)state;
    Run run;
    const char text[] = "a\0b \xff\xfe\r\nc\\";
    run_begin(&run, NULL);
    run.options.read = NULL;
    char path[] = "/tmp/preprocess-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    fwrite(text, 1, sizeof text - 1, stream);
    fclose(stream);
    run.pp = pp_new(&run.options);
    assert_true(pp_open(run.pp, path));
    assert_string_equal(all_tokens(&run), "a b \xff \xfe c \\");
    remove(path);
    run_end(&run);
}

static void test_limits(void **state) {
    (void)state;
    Run run;
    run_begin(&run, (TestFile[]){{"m.c", "#include \"m.c\"\n"}, {0}});
    run_open(&run);
    all_tokens(&run);
    assert_non_null(strstr(messages(&run), "error: #include nested more than 200 deep"));
    assert_int_equal(run.diag.errors, 1);
    assert_true(pp_stopped(run.pp));
    run_end(&run);

    // Doubling thirty times, through arguments and through plain names.
    static const char *const start[] = {"#define a0(x) x x\n", "#define a0 x x\n"};
    for (int kind = 0; kind < 2; kind++) {
        Out text = {0};
        out_text(&text, start[kind]);
        for (int i = 1; i < 30; i++)
            out_printf(&text, kind ? "#define a%d a%d a%d\n" : "#define a%d(x) a%d(a%d(x))\n", i,
                       i - 1, i - 1);
        out_text(&text, kind ? "a29\n" : "a29(1)\n");
        out_char(&text, '\0');
        run_begin(&run, (TestFile[]){{"m.c", text.text}, {0}});
        run.options.expansion_limit = 100000;
        run_open(&run);
        uint64_t count = 0;
        for (Token token; pp_next(run.pp, &token), token.kind != TOK_EOF;) count++;
        assert_true(count < 200000);
        assert_int_equal(run.diag.errors, 1);
        out_free(&text);
        run_end(&run);
    }
}

static void test_depth(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    Out text = {0};
    out_text(&text, "#define f(x) x\n");
    for (int i = 0; i < DEPTH; i++) out_text(&text, "f(");
    for (int i = 0; i < DEPTH; i++) out_char(&text, ')');
    out_text(&text, "\n");
    out_char(&text, '\0');
    Run run;
    run_begin(&run, (TestFile[]){{"m.c", text.text}, {0}});
    run_open(&run);
    all_tokens(&run);
    assert_int_equal(run.diag.errors, 1);
    run_end(&run);
    text.length = 0;
    out_text(&text, "#if ");
    for (int i = 0; i < DEPTH; i++) out_text(&text, "(-");
    out_char(&text, '1');
    for (int i = 0; i < DEPTH; i++) out_char(&text, ')');
    out_text(&text, "\nyes\n#endif\n");
    for (int i = 0; i < DEPTH; i++) out_text(&text, "#if 1\n");
    for (int i = 0; i < DEPTH; i++) out_text(&text, "#endif\n");
    out_char(&text, '\0');
    run_begin(&run, (TestFile[]){{"m.c", text.text}, {0}});
    run_open(&run);
    assert_string_equal(all_tokens(&run), "yes");
    assert_int_equal(run.diag.errors, 0);
    run_end(&run);
    out_free(&text);
}

// ---- Positions

static void test_positions(void **state) {
    (void)state;
    Run run;
    run_begin(&run,
              (TestFile[]){{"m.c", "#define A x\n#define B(y) A y\n  B(z)\n#include \"a.h\"\n"},
                           {"a.h", "\n q"},
                           {0}});
    run_open(&run);
    Token token;
    pp_next(run.pp, &token); // x, from A, from B
    Presumed spelled = pp_presumed(run.pp, pp_spelling(run.pp, token.pos));
    assert_int_equal(spelled.line, 1);
    assert_int_equal(spelled.column, 11);
    Presumed place = pp_presumed(run.pp, token.pos);
    assert_int_equal(place.line, 3);
    assert_int_equal(place.column, 3);
    const Expansion *expansion = pp_expansion(run.pp, token.expansion);
    assert_string_equal(str_text(&run.strings, expansion->macro), "A");
    assert_string_equal(str_text(&run.strings, pp_expansion(run.pp, expansion->parent)->macro),
                        "B");
    pp_next(run.pp, &token); // z, an argument
    assert_int_equal(token.expansion, 0);
    assert_int_equal(pp_presumed(run.pp, token.pos).column, 5);
    pp_next(run.pp, &token); // q
    place = pp_presumed(run.pp, token.pos);
    assert_string_equal(place.file, "a.h");
    assert_int_equal(place.line, 2);
    assert_int_equal(pp_presumed(run.pp, pp_inclusion(run.pp, token.pos)->included_at).line, 4);
    assert_true(token.flags & TOKF_LINE);
    run_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),      cmocka_unit_test(test_printed_again),
        cmocka_unit_test(test_search),        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_has),           cmocka_unit_test(test_calls_end_with_files),
        cmocka_unit_test(test_builtin_files), cmocka_unit_test(test_dates),
        cmocka_unit_test(test_pragmas),       cmocka_unit_test(test_command_line),
        cmocka_unit_test(test_trigraphs),     cmocka_unit_test(test_macros_printed),
        cmocka_unit_test(test_mistakes),      cmocka_unit_test(test_notes),
        cmocka_unit_test(test_bytes),         cmocka_unit_test(test_limits),
        cmocka_unit_test(test_depth),         cmocka_unit_test(test_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
