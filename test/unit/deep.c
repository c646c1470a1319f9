// Programs that are nested as deeply as can be, on stacks of several sizes: the front end compiles
// them, or says that they are nested too deeply, whatever the stack.
#include "base/deep_stack.h"
#include "c/lower/lower.h"
#include "target/target.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// `before`, then `open` so many times, `middle`, `close` so many times, `after`.
typedef struct {
    const char *before, *open, *middle, *close, *after;
} Shape;

static const Shape shapes[] = {
    {"int g(int); int f(int x) {", "if (x) {", "x = g(x);", "}", "return x; }"},
    {"int g(int); int f(int x) {", "if (g(x)) x++; else {", "x--;", "}", "return x; }"},
    {"int g(int); int f(int x) {", "if (g(x)) x++; else ", "x--;", "", "return x; }"},
    {"int g(int *); int f(int x) {", "{ int y = x; g(&y);", "x++;", "}", "return x; }"},
    {"int g(int); int f(int x) {", "while (g(x)) {", "x++;", "}", "return x; }"},
    {"int g(int); int f(int x) {", "do {", "x++;", "} while (g(x));", "return x; }"},
    {"int g(int); int f(int x) {", "for (;;) { if (g(x)) break;", "x++;", "}", "return x; }"},
    {"int f(int x) {", "switch (x) { case 1: x++; default:", "x++;", "}", "return x; }"},
    {"int g(int *); int f(int x) {", "{ int v[x]; g(v);", "x++;", "}", "return x; }"},
    {"void c(int *); int f(int x) {", "{ __attribute__((cleanup(c))) int v = x;", "x++;", "}",
     "return x; }"},
    {"int f(int x) { return ", "(", "x", ")", "; }"},
    {"int f(int x) { return ", "(x + ", "x", ")", "; }"},
    {"int f(int x) { return ", "(x && ", "x", ")", "; }"},
    {"int f(int x) { return ", "- ", "x", "", "; }"},
    {"int f(int x) { return ", "!", "x", "", "; }"},
    {"int f(int x) { return ", "(char)", "x", "", "; }"},
    {"int f(int x) { return ", "x ? 1 : ", "x", "", "; }"},
    {"int f(int x) { return ", "x ? ", "x", " : 1", "; }"},
    {"int f(int x) { int y; return ", "y = ", "x", "", "; }"},
    {"int f(int x) { int y = 1; return ", "y += ", "x", "", "; }"},
    {"int g(int); int f(int x) { return ", "g(", "x", ")", "; }"},
    {"int f(int *x) { return ", "x[", "0", "]", "; }"},
    {"int f(int x) { return ", "({ int y = ", "x", "; y; })", "; }"},
    {"int f(int x) { return ", "sizeof(", "x", ")", "; }"},
    {"int f(int x) { ", "__typeof__(", "x", ")", " y = x; return y; }"},
    {"int f(int x) { return ", "_Generic(x, default: ", "x", ")", "; }"},
    {"int f(int x) { return ", "(int){", "x", "}", "; }"},
    {"int f(int x) { return ", "__builtin_expect(", "x", ", 1)", "; }"},
    {"_Complex double f(_Complex double x) { return ", "(x * ", "x", ")", "; }"},
    {"double f(double x) { return ", "(x * ", "x", ")", "; }"},
    {"int x = ", "(", "1", ")", ";"},
    {"int x = ", "(1 + ", "1", ")", ";"},
    {"int x = ", "{", "1", "}", ";"},
    {"int x[] = ", "{", "1", "}", ";"},
    {"int y; int *x = ", "&*", "&y", "", ";"},
    {"struct s { struct s *p; } y; struct s *x = ", "(struct s[]){{", "&y", "}}", ";"},
    {"int ", "*", "x", "", ";"},
    {"int ", "(", "x", ")", ";"},
    {"extern int x", "[1]", "", "", ";"},
    {"int ", "(*", "x", ")(void)", ";"},
    {"void f(", "void (*)(", "int", ")", ");"},
    {"struct s {", "struct {", "int x;", "} m;", "} v;"},
    {"struct s {", "struct {", "int x;", "};", "} v; int f(void) { return v.x; }"},
    {"int x __attribute__((aligned(", "(", "4", ")", ")));"},
    {"int x = ", "__extension__ ", "1", "", ";"},
    {"#if ", "(", "1", ")", "\nint x;\n#endif\n"},
    {"", "#if 1\n", "int x;\n", "#endif\n", ""},
    {"#define M(x) x\nint x = ", "M(", "1", ")", ";"},
};

static void on_function(void *lower, Decl *func) {
    lower_function(lower, func);
}

static void on_assembler(void *lower, const CString *text, uint32_t order) {
    lower_file_assembler(lower, text, order);
}

static void on_finish(void *lower, Decl *const *decls, uint32_t count) {
    lower_finish(lower, decls, count);
}

typedef struct {
    const Shape *shape;
    int levels;
    Out text;
    bool good;
    Out messages;
} Run;

static bool read_program(void *context, Arena *arena, const char *path, char **text,
                         size_t *length) {
    const Run *run = context;
    if (strcmp(path, "main.c") != 0) return false;
    *text = arena_text(arena, run->text.text, run->text.length);
    *length = run->text.length;
    return true;
}

static void repeat(Run *run, const char *text) {
    for (int i = 0; i < run->levels && *text; i++) out_text(&run->text, text);
}

// Parses and lowers on the present stack.
static void compile(void *context) {
    Run *run = context;
    Arena *arena = arena_new("test");
    Diag diag;
    diag_init(&diag, arena, NULL);
    diag.error_limit = 3;
    Program *program = program_new(arena);
    WarningSet warnings;
    warnings_init(&warnings);
    warnings_none(&warnings);
    PpOptions pp_options = {.target = &targets[0],
                            .arena = arena,
                            .diag = &diag,
                            .strings = &program->strings,
                            .no_standard_dirs = true,
                            .freestanding = true,
                            .warnings = &warnings,
                            .read = read_program,
                            .context = run};
    Pp *pp = pp_new(&pp_options);
    Types types;
    types_init(&types, arena, targets[0].language);
    if (pp_open(pp, "main.c")) {
        Lower *lower = lower_new(arena, pp, &types, &diag, program);
        ParseOptions options = {.pp = pp,
                                .types = &types,
                                .arena = arena,
                                .diag = &diag,
                                .function = on_function,
                                .assembler = on_assembler,
                                .finish = on_finish,
                                .context = lower};
        parse_unit(&options);
        lower_free(lower);
    }
    run->good = diag.errors == 0;
    pp_free(pp);
    out_bytes(&run->messages, diag.out.text, diag.out.length);
    out_char(&run->messages, '\0');
    diag_free(&diag);
    arena_free(arena);
}

static void *start(void *context) {
    compile(context);
    return NULL;
}

static void check_shape(const Shape *shape, int levels, size_t stack, bool must) {
    Run run = {.shape = shape, .levels = levels};
    out_text(&run.text, shape->before);
    repeat(&run, shape->open);
    out_text(&run.text, shape->middle);
    repeat(&run, shape->close);
    out_text(&run.text, shape->after);
    out_char(&run.text, '\n');
    if (stack) {
        pthread_attr_t attributes;
        pthread_t thread;
        assert_int_equal(pthread_attr_init(&attributes), 0);
        assert_int_equal(pthread_attr_setstacksize(&attributes, stack), 0);
        assert_int_equal(pthread_create(&thread, &attributes, start, &run), 0);
        pthread_join(thread, NULL);
        pthread_attr_destroy(&attributes);
    } else {
        stack_run(compile, &run);
    }
    const char *text = run.messages.text;
    bool limit = strstr(text, "nested too deeply") || strstr(text, "yields more than");
    if (!run.good && (must || !limit))
        fail_msg("%s%s...%d times: %.500s", shape->before, shape->open, levels, text);
    out_free(&run.text);
    out_free(&run.messages);
}

static void test_small_stacks(void **state) {
    (void)state;
    static const size_t stacks[] = {512 << 10, 8 << 20};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof stacks / sizeof *stacks; k++)
            check_shape(&shapes[i], 20000, stacks[k], false);
}

// What fits into memory compiles; but nested calls of macros are read again on each level.
static void test_large_stack(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_shape(&shapes[i], 100000, 0, !strstr(shapes[i].open, "M("));
}

static void test_ordinary_depth(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_shape(&shapes[i], 400, 8 << 20, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordinary_depth),
        cmocka_unit_test(test_small_stacks),
        cmocka_unit_test(test_large_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
