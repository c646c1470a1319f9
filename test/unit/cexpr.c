// Expressions and statements: types, constants, messages, and the shape of trees. Most checks are C
// programs that assert about themselves at compile time.
#include "c/parse/expression.h"
#include "target/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    Diag diag;
    StrTable strings;
    const char *text; // of the program
    Out dump;         // of the last function's body
    bool right;
} Run;

static bool read_program(void *context, Arena *arena, const char *path, char **text,
                         size_t *length) {
    Run *run = context;
    if (strcmp(path, "main.c") != 0) return false;
    *length = strlen(run->text);
    *text = arena_text(arena, run->text, *length);
    return true;
}

// ---- Trees as text: (kind operands), with the type behind the kinds whose type is not obvious

static void dump_stmt(Out *out, const Stmt *stmt);

static void dump_type(Out *out, const CType *type) {
    out_char(out, ':');
    type_print(out, type);
}

static const char *cast_name(const Expr *expr) {
    static const char *const names[] = {"read",   "decay", "func", "arith", "pointer",
                                        "tobool", "void",  "same", "union"};
    return names[expr->cast];
}

static const char *kind_name(const Expr *expr) {
    switch (expr->kind) {
    case EX_ERROR: return "error";
    case EX_DEREF: return "deref";
    case EX_ADDR: return "addr";
    case EX_CAST: return cast_name(expr);
    case EX_NEG: return "neg";
    case EX_NOT: return "not";
    case EX_LOGICAL_NOT: return "lnot";
    case EX_AND: return "and";
    case EX_OR: return "or";
    case EX_COND: return "cond";
    case EX_COMMA: return "comma";
    case EX_ASSIGN: return "assign";
    case EX_PRE_INC: return "preinc";
    case EX_PRE_DEC: return "predec";
    case EX_POST_INC: return "postinc";
    case EX_POST_DEC: return "postdec";
    case EX_CALL: return "call";
    case EX_VA_ARG: return "va_arg";
    case EX_SIZEOF_VLA: return "sizeof";
    default: return "?";
    }
}

static void dump_expr(Out *out, const Expr *expr) {
    switch (expr->kind) {
    case EX_INT: out_i64(out, (int64_t)expr->integer); return;
    case EX_FLOAT: out_printf(out, "%Lg", expr->floating); return;
    case EX_STRING: out_quoted(out, (const char *)expr->string->bytes, expr->string->size); return;
    case EX_VAR:
    case EX_FUNC: out_text(out, expr->decl->name ? expr->decl->name->text : "_"); return;
    case EX_COMPOUND: out_text(out, "literal"); return;
    case EX_LABEL: out_printf(out, "&&%s", expr->label->name->text); return;
    case EX_STATEMENT: dump_stmt(out, expr->body); return;
    default: break;
    }
    out_char(out, '(');
    if (expr->kind == EX_BINARY)
        out_text(out, binary_text(expr->op));
    else if (expr->kind == EX_ASSIGN_OP)
        out_printf(out, "%s=", binary_text(expr->op));
    else if (expr->kind == EX_MEMBER)
        out_printf(out, ".%s", expr->member->name->text);
    else if (expr->kind == EX_BUILTIN)
        out_printf(out, "builtin%u", expr->builtin);
    else
        out_text(out, kind_name(expr));
    if (expr->kind == EX_CAST && expr->cast != CAST_READ && expr->cast != CAST_VOID)
        dump_type(out, expr->type);
    if (expr->kind == EX_ASSIGN_OP) dump_type(out, expr->compute);
    if (expr->left) out_char(out, ' '), dump_expr(out, expr->left);
    if (expr->kind == EX_COND && expr->middle) out_char(out, ' '), dump_expr(out, expr->middle);
    if (expr->right) out_char(out, ' '), dump_expr(out, expr->right);
    if (expr->kind == EX_CALL || expr->kind == EX_BUILTIN)
        for (uint32_t i = 0; i < expr->arg_count; i++)
            out_char(out, ' '), dump_expr(out, expr->args[i]);
    if (expr->kind >= EX_PRE_INC && expr->kind <= EX_POST_DEC && !expr->right)
        out_printf(out, " %lld", (long long)expr->step);
    out_char(out, ')');
}

static void dump_stmt(Out *out, const Stmt *stmt) {
    switch (stmt->kind) {
    case ST_EXPR: dump_expr(out, stmt->expr); break;
    case ST_RETURN:
        out_text(out, "return ");
        if (stmt->expr) dump_expr(out, stmt->expr);
        break;
    case ST_COMPOUND:
        out_char(out, '{');
        for (const Stmt *at = stmt->first; at; at = at->next) {
            if (at != stmt->first) out_text(out, "; ");
            dump_stmt(out, at);
        }
        out_char(out, '}');
        break;
    case ST_IF:
        out_text(out, "if ");
        dump_expr(out, stmt->expr);
        out_char(out, ' ');
        dump_stmt(out, stmt->body);
        if (stmt->otherwise) out_text(out, " else "), dump_stmt(out, stmt->otherwise);
        break;
    case ST_CASE:
        out_printf(out, "case %lld..%lld", (long long)stmt->low.low, (long long)stmt->high.low);
        break;
    case ST_LABEL: out_printf(out, "%s:", stmt->label->name->text); break;
    case ST_GOTO: out_printf(out, "goto %s", stmt->label->name->text); break;
    default: out_printf(out, "stmt%u", stmt->kind); break;
    }
}

static void dump_function(void *context, Decl *func) {
    Run *run = context;
    run->dump.length = 0;
    dump_stmt(&run->dump, func->body);
}

static void ignore_objects(void *context, Decl *const *decls, uint32_t count) {
    (void)context;
    (void)decls;
    (void)count;
}

// ---- Running the parser

static void run_program(Run *run, const char *text, const char *const *warnings) {
    *run = (Run){.arena = arena_new("test"), .text = text};
    diag_init(&run->diag, run->arena, NULL);
    str_init(&run->strings, run->arena);
    WarningSet set;
    warnings_init(&set);
    for (; warnings && *warnings; warnings++) assert_true(warnings_option(&set, *warnings));
    PpOptions pp_options = {.target = &targets[0],
                            .arena = run->arena,
                            .warnings = &set,
                            .diag = &run->diag,
                            .strings = &run->strings,
                            .no_standard_dirs = true,
                            .read = read_program,
                            .context = run};
    Pp *pp = pp_new(&pp_options);
    assert_true(pp_open(pp, "main.c"));
    Types types;
    types_init(&types, run->arena, targets[0].language);
    ParseOptions options = {.pp = pp,
                            .types = &types,
                            .arena = run->arena,
                            .diag = &run->diag,
                            .function = dump_function,
                            .finish = ignore_objects,
                            .context = run,
                            .standard = "gnu17"};
    run->right = parse_unit(&options);
    pp_free(pp);
    out_char(&run->diag.out, '\0');
    out_char(&run->dump, '\0');
}

static void run_end(Run *run) {
    out_free(&run->dump);
    diag_free(&run->diag);
    arena_free(run->arena);
}

// A program that must pass without a message.
static void expect_right(const char *text) {
    Run run;
    run_program(&run, text, NULL);
    if (!run.right || run.diag.errors || run.diag.warnings)
        fail_msg("%s\nfor: %s", run.diag.out.text, text);
    run_end(&run);
}

// A program with exactly one message, which holds a text.
static void expect_message(const char *text, const char *message) {
    static const char *const warnings[] = {
        "all", "extra", "unreachable-code", "no-unused-variable", "no-unused-parameter", NULL};
    Run run;
    run_program(&run, text, warnings);
    if (run.diag.errors + run.diag.warnings != 1 || !strstr(run.diag.out.text, message))
        fail_msg("%s\nwanted once: %s\nfor: %s", run.diag.out.text, message, text);
    run_end(&run);
}

// ---- Types and values

#define TYPE(expression, type)                                                                     \
    "_Static_assert(_Generic((" expression "), " type ": 1, default: 0), \"type\");\n"
#define VALUE(expression, value) "_Static_assert((" expression ") == (" value "), \"value\");\n"

static void test_literals(void **state) {
    (void)state;
    expect_right(TYPE("1", "int") TYPE("2147483648", "long") TYPE("0x80000000", "unsigned")
                     TYPE("0xffffffffffffffff", "unsigned long") TYPE("1u", "unsigned")
                         TYPE("4294967296u", "unsigned long") TYPE("1ll", "long long")
                             TYPE("1uLL", "unsigned long long") TYPE("0b101l", "long")
                                 TYPE("037777777777", "unsigned") TYPE("1.", "double")
                                     TYPE("1e3f", "float") TYPE("0x1p3L", "long double"));
    expect_right(VALUE("0b101", "5") VALUE("0777", "511") VALUE("0x1p-2 * 8", "2")
                     VALUE(".5f", "0.5"));
    expect_right(VALUE("0.1f", "0.1f") VALUE("(double)0.1f != 0.1", "1") VALUE(
        "0.1f + 0.2f == 0.3f", "1") VALUE("0.1 + 0.2 == 0.3", "0") VALUE("1.1l != 1.1", "1"));
}

static void test_characters(void **state) {
    (void)state;
    expect_right(TYPE("'a'", "int") VALUE("'a'", "97") VALUE("'\\377'", "-1")
                     VALUE("'\\x7f'", "127") VALUE("'\\n'", "10") VALUE("'\\e'", "27")
                         TYPE("L'a'", "int") TYPE("u'a'", "unsigned short") TYPE("U'a'", "unsigned")
                             VALUE("L'\\u20ac'", "0x20ac") VALUE("u'\xe2\x82\xac'", "0x20ac"));
    expect_right("_Static_assert(sizeof \"abc\" \"de\" == 6, \"\");\n"
                 "_Static_assert(sizeof \"a\" L\"b\" == 12, \"\");\n"
                 "_Static_assert(sizeof u\"\\U0001F600\" == 6, \"\");\n"
                 "_Static_assert(sizeof \"\\u20ac\" == 4, \"\");\n"
                 "_Static_assert(sizeof u8\"\\u20ac\" == 4, \"\");\n"
                 "_Static_assert(sizeof \"\\0ab\" == 4, \"\");\n");
    expect_message("int x = 'ab';", "multi-character");
    expect_message("int x = '';", "empty character constant");
    expect_message("int x = 09;", "invalid digit '9'");
    expect_message("int x = 1zz;", "invalid suffix 'zz'");
    expect_message("double x = 1e;", "exponent has no digits");
    expect_message("unsigned long x = 99999999999999999999;", "too large");
}

static void test_conversions(void **state) {
    (void)state;
    expect_right("extern char c; extern short s; extern unsigned u; extern long l;\n"
                 "extern unsigned long ul; extern long long ll; extern float f; extern double d;\n"
                 "extern long double e; extern _Bool b; extern const volatile int cv;\n" TYPE(
                     "c + c", "int") TYPE("s << l", "int") TYPE("u + 1", "unsigned")
                     TYPE("l + u", "long") TYPE("ul + ll", "unsigned long long")
                         TYPE("f * 1", "float") TYPE("f + d", "double") TYPE("e - f", "long double")
                             TYPE("~b", "int") TYPE("!d", "int") TYPE("+c", "int")
                                 TYPE("-u", "unsigned") TYPE("cv", "int") TYPE("b ? c : s", "int")
                                     TYPE("b ? 1 : 1.0f", "float") TYPE("(c, s)", "short")
                                         TYPE("l < u", "int") TYPE("sizeof c", "unsigned long"));
    expect_right(
        "struct { unsigned a : 3, b : 32; int i : 32; unsigned long l : 40; _Bool t : 1; } x;\n"
        "_Static_assert(_Generic(x.a + 0, int: 1, default: 0), \"\");\n"
        "_Static_assert(_Generic(x.b + 0, unsigned: 1, default: 0), \"\");\n"
        "_Static_assert(_Generic(+x.i, int: 1, default: 0), \"\");\n"
        "_Static_assert(_Generic(x.l + 0, unsigned long: 0, default: 1), \"\");\n"
        "_Static_assert(_Generic((unsigned)x.a + 0, unsigned: 1, default: 0), \"\");\n"
        "int f(void) { return _Generic((x.a = 3) + 0, int: 1, default: 0); }\n");
}

static void test_pointers(void **state) {
    (void)state;
    expect_right("extern int a[3], *p; extern const int *cp; extern void *v; extern int m[2][3];\n"
                 "extern int f(int); extern const char *const s;\n" TYPE("a + 1", "int *")
                     TYPE("1 + p", "int *") TYPE("p - a", "long") TYPE("&a", "int (*)[3]")
                         TYPE("m[1]", "int *") TYPE("*m", "int *") TYPE("&m[1]", "int (*)[3]")
                             TYPE("f", "int (*)(int)") TYPE("*f", "int (*)(int)")
                                 TYPE("&f", "int (*)(int)") TYPE("1 ? p : cp", "const int *")
                                     TYPE("1 ? p : v", "void *") TYPE("1 ? p : (void *)0", "int *")
                                         TYPE("1 ? p : 0", "int *") TYPE("v + 1", "void *")
                                             TYPE("\"x\"", "char *") TYPE("&\"x\"", "char (*)[2]")
                                                 TYPE("0[a]", "int") TYPE("s[0]", "char"));
    // An integer constant expression of value 0 makes a null pointer constant; others do not.
    expect_right("extern int x; extern int *p;\n" TYPE("1 ? (void *)(0 * 1) : p", "int *")
                     TYPE("1 ? (void *)(long)(x * 0) : p", "void *"));
}

static void test_folding(void **state) {
    (void)state;
    expect_right(VALUE("7 / -2", "-3") VALUE("7 % -2", "1") VALUE("-7 >> 1", "-4")
                     VALUE("-1 < 0u", "0") VALUE("-1L < 0u", "1") VALUE("1 ? 2 : 1 / 0", "2")
                         VALUE("0 && 1 / 0", "0") VALUE("1 || 1 / 0", "1")
                             VALUE("(unsigned char)300", "44") VALUE("(signed char)200", "-56")
                                 VALUE("(_Bool)0.5", "1") VALUE("(int)-2.9", "-2")
                                     VALUE("~0u >> 31", "1") VALUE("(char)-1 == -1", "1")
                                         VALUE("1u - 2 > 0", "1") VALUE("sizeof(int[3])", "12")
                                             VALUE("_Alignof(double)", "8") VALUE("!1.0 + !0", "1")
                                                 VALUE("5 ?: 7", "5"));
    expect_right("struct s { char c; struct { int i; short t[4]; }; };\n" VALUE(
        "__builtin_offsetof(struct s, i)", "4") VALUE("__builtin_offsetof(struct s, t[2])", "12")
                     VALUE("(unsigned long)&((struct s *)0)->t[1]",
                           "10") VALUE("__builtin_clz(1)", "31") VALUE("__builtin_ctzl(8)", "3")
                         VALUE("__builtin_bswap32(0x01020304)", "0x04030201")
                             VALUE("__builtin_popcountll(-1ll)", "64")
                                 VALUE("__builtin_ffs(0)", "0") VALUE("__builtin_clrsb(-1)", "31")
                                     VALUE("__builtin_strlen(\"abc\")", "3")
                                         VALUE("__builtin_constant_p(3 + 4)", "1")
                                             VALUE("__builtin_isnan(__builtin_nan(\"\"))", "1")
                                                 VALUE("__builtin_fabs(-2.0)", "2.0"));
    expect_right(VALUE("__builtin_add_overflow_p(0x7fffffff, 1, 0)", "1")
                     VALUE("__builtin_add_overflow_p(0x7fffffff, 1, 0u)", "0")
                         VALUE("__builtin_mul_overflow_p(1l << 62, 2, 0l)", "1")
                             VALUE("__builtin_mul_overflow_p(1ul << 63, -1, 0l)", "0")
                                 VALUE("__builtin_sub_overflow_p(0u, 1u, 0u)", "1")
                                     VALUE("__builtin_sub_overflow_p(0u, 1u, 0)", "0"));
    expect_right(VALUE("__builtin_types_compatible_p(int, const int)", "1")
                     VALUE("__builtin_types_compatible_p(int, long)", "0")
                         VALUE("__builtin_choose_expr(0, 1 / 0, 3)", "3"));
}

static void test_addresses(void **state) {
    (void)state;
    expect_right(
        "struct s { int a[4]; struct s *next; } x[3];\n"
        "int *p = &x[2].a[1]; char *q = (char *)&x + 5; long d = &x[2] - &x[0];\n"
        "unsigned long u = (unsigned long)&x[1]; int f(void); int (*g)(void) = f, (*h)(void) = "
        "&f;\n"
        "char *s = \"abc\" + 1; struct s *t = &(struct s){{1}}; int same = &x[1] == x + 1;\n"
        "int yes = !&x; const int c = 4; int copy = c + 1;\n"
        "void e(void) { static void *table[] = {&&a, &&b}; goto *table[0]; a: b:; }\n");
    expect_message("int x; int y = x + 1;", "not constant");
    expect_message("void f(void) { int x; static int *p = &x; (void)p; }", "not constant");
}

// ---- Messages

typedef struct {
    const char *program, *message;
} Mistake;

static const Mistake mistakes[] = {
    {"int f(void) { return y; }", "1:22: error: 'y' undeclared (first use in this function)"},
    {"int f(void) { return y + y * y; }", "'y' undeclared (first use in this function)"},
    {"int f(int *p) { return p * 2; }", "1:26: error: invalid operands of '*': 'int *' and 'int'"},
    {"struct s { int a; } x; int f(void) { return x.b; }", "has no member named 'b'"},
    {"struct s { int a; } *x; int f(void) { return x.a; }", "use '->'"},
    {"struct s { int a; } x; int f(void) { return x->a; }", "use '.'"},
    {"int f(int x) { return *x; }", "only a pointer can be dereferenced"},
    {"void f(void) { 1 = 2; }", "not an lvalue"},
    {"void f(const int x) { x = 2; }", "read-only parameter 'x'"},
    {"int a[2]; void f(void) { a = 0; }", "an array"},
    {"void f(void) { int *p = 5; (void)p; }", "makes a pointer from an integer"},
    {"void f(const char *c) { char *p = c; (void)p; }", "discards the qualifier 'const'"},
    {"void f(long *c) { int *p = c; (void)p; }", "incompatible pointer types"},
    {"int g(int); int f(void) { return g(); }", "too few arguments for 'g': expected 1, have 0"},
    {"int g(int); int f(void) { return g(1, 2); }", "too many arguments for 'g'"},
    {"struct s { int a; } x; void f(void) { if (x) f(); }", "where a scalar is needed"},
    {"void f(void) { break; }", "break can stand only inside"},
    {"void f(void) { continue; }", "continue can stand only inside"},
    {"void f(void) { goto l; }", "'l' is used but not defined"},
    {"void f(void) { goto l; l:; l:; }", "'l' is defined twice"},
    {"void f(int x) { switch (x) { case 1: break; case 1: break; } }", "used twice"},
    {"void f(int x) { switch (x) { case 1 ... 5: break; case 3: break; } }", "used twice"},
    {"void f(int x) { switch (x) { default: break; default: break; } }", "two default labels"},
    {"void f(int x) { switch (x) { case 'a' + x: break; } }", "not an integer constant"},
    {"void f(double x) { switch (x) { } }", "switch needs an integer"},
    {"int f(int x) { if (x) return 1; }", "may end without returning a value"},
    {"int f(int x) { return; }", "no value is returned"},
    {"void f(int x) { return x; }", "which returns void"},
    {"int f(int n) { goto l; int a[n]; l: return sizeof a; }", "jumps into the scope of 'a'"},
    {"int f(int x) { return (x + 1; }", "expected ')'"},
    {"int f(int x) { x = ; return x; }", "expected an expression before ';'"},
    {"int f(int x) { return x +* ; }", "expected an expression before ';'"},
    {"int f(int x) { if (x = 1) return 2; return x; }", "assignment used as a truth value"},
    {"int f(int a, int b, int c) { return a && b || c; }", "'&&' within '||'"},
    {"int f(int a, int b) { return a << b + 1; }", "parentheses around '+' inside '<<'"},
    {"int f(int a, unsigned b) { return a < b; }", "different signedness"},
    {"int f(unsigned b) { return b < 0; }", "always false"},
    {"int f(int a) { return a / 0; }", "division by zero"},
    {"int f(int a) { return a << 32; }", "shift count"},
    {"int x = 2147483647 + 1;", "integer overflow"},
    {"unsigned char c = 256;", "changes the value from '256' to '0'"},
    {"int a[3]; int f(char c) { return a[c]; }", "subscript has type 'char'"},
    {"void f(int x) { x == 1; }", "this value is not used"},
    {"int f(void); int g(void) { return f ? 1 : 0; }", "address of 'f'"},
    {"int printf(const char *, ...); void f(long x) { printf(\"%d\", x); }", "expects an argument"},
    {"int printf(const char *, ...); void f(void) { printf(\"%d\"); }", "has no argument"},
    {"int printf(const char *, ...); void f(void) { printf(\"x\", 1); }", "too many arguments"},
    {"int f(int x) { switch (x) { case 1: x = 2; case 2: x = 3; } return x; }", "fall through"},
    {"void f(void) { h(1); }", "implicit"},
    {"int f(int x) { return x; x = 1; }", "never reached"},
    {"__attribute__((warn_unused_result)) int g(void); void f(void) { g(); }", "is ignored"},
    {"__attribute__((deprecated)) int g(void); void f(void) { g(); }", "deprecated"},
    {"int f(void) { return __builtin_nosuch(1); }", "no builtin function"},
    {"int x; void f(void) { __sync_fetch_and_max(&x, 1); }", "not supported"},
    {"void f(double n, ...) { __builtin_va_start(n, n); }", "passing argument 1"},
    {"int f(void) { struct { int b : 2; } s; return *&s.b; }", "address of the bit-field"},
    {"int f(void) { register int r = 1; return *&r; }", "register variable 'r'"},
    {"int f(int x) { return _Generic(x, long: 1); }", "no association"},
    {"int f(int x) { else x = 1; return x; }", "'else' without"},
    {"struct s; int f(struct s *p) { return sizeof *p; }", "incomplete type"},
    {"void g(void); int f(void) { return g() + 1; }", "invalid operands"},
};

static void test_mistakes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        expect_message(mistakes[i].program, mistakes[i].message);
}

// Several mistakes, each reported once.
static void test_recovery(void **state) {
    (void)state;
    Run run;
    run_program(&run,
                "int f(int x) { int y = ; x = y + ; return z; }\n"
                "int g(int x) { if (x { x = 1; } return x; }\n"
                "int h(int x) { return x; }\n",
                NULL);
    assert_false(run.right);
    assert_int_equal(run.diag.errors, 4);
    run_end(&run);
}

// ---- Trees

static const Mistake trees[] = {
    {"int f(char c, int i) { return c + i; }", "{return (+ (arith:int (read c)) (read i))}"},
    {"void f(char c) { c += 1; }", "{(+=:int c 1)}"},
    {"void f(float x, int i) { i *= x; }", "{(*=:float i (read x))}"},
    {"void f(int *p) { p += 2; p++; --p; }", "{(+=:int * p 2); (postinc p 4); (predec p 4)}"},
    {"int f(int *p, char c) { return p[c]; }",
     "{return (read (deref (+ (read p) (arith:long (arith:int (read c))))))}"},
    {"int f(int *p) { return *&*p; }", "{return (read (deref (read p)))}"},
    {"int f(void) { return 1 + 2 * 3; }", "{return 7}"},
    {"_Bool f(int *p) { return p; }", "{return (tobool:_Bool (read p))}"},
    {"int f(int x) { return x ?: 3; }", "{return (cond (read x) 3)}"},
    {"long f(int x) { return x ?: 3l; }", "{return (cond (arith:long (read x)) 3)}"},
    {"int f(int g(int)) { return (*g)(1) + g(2); }",
     "{return (+ (call (read g) 1) (call (read g) 2))}"},
    {"int g(); void f(float x, char c) { g(x, c, \"s\"); }",
     "{(call (func:int (*)() g) (arith:double (read x)) (arith:int (read c)) (decay:char * "
     "\"s\\x00\"))}"},
    {"struct s { int x; }; struct s g(void); int f(void) { return g().x; }",
     "{return (.x (call (func:struct s (*)(void) g)))}"},
    {"void f(int x) { if (x) x = 1; else if (x) x = 2; else x = 3; }",
     "{if (read x) (assign x 1) else if (read x) (assign x 2) else (assign x 3)}"},
    {"int f(int x) { return ({ int y = x; l: y; }); }", "{return {stmt2; l:; (read y)}}"},
    {"void f(void *p) { (void)*p; *p; }", "{(void (read p)); (void (read p))}"},
    {"void f(int n) { int a[n]; unsigned long s = sizeof a; (void)s; }",
     "{stmt2; stmt2; (void (read s))}"},
    {"int main(void) { }", "{return 0}"},
};

static void test_trees(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        Run run;
        run_program(&run, trees[i].program, NULL);
        if (!run.right) fail_msg("%s", run.diag.out.text);
        assert_string_equal(run.dump.text, trees[i].message);
        run_end(&run);
    }
}

// ---- Size

static void repeat(Out *out, const char *text, unsigned count) {
    while (count-- > 0) out_text(out, text);
}

// Long chains must neither overflow the stack nor take long.
static void test_long(void **state) {
    (void)state;
    Out out = {0};
    out_text(&out, "int f(int a) { a = a");
    repeat(&out, "+a", 100000);
    out_text(&out, "; if (a) a = 1;");
    repeat(&out, " else if (a) a = 2;", 10000);
    repeat(&out, "a = 3;", 100000);
    out_text(&out, " switch (a) {");
    for (unsigned i = 0; i < 50000; i++) out_printf(&out, "case %u: ", (i * 7919u) % 50021u);
    out_text(&out, " a = 1; } a = a");
    repeat(&out, ", a", 50000);
    out_text(&out, "; return a; }\n");
    out_char(&out, '\0');
    Run run;
    static const char *const quiet[] = {"no-unused-value", NULL};
    run_program(&run, out.text, quiet);
    assert_int_equal(run.diag.errors, 0);
    run_end(&run);
    out_free(&out);
}

// Nesting that is too deep for the stack gets one error; test/unit/deep.c has more.
static void test_deep(void **state) {
    (void)state;
    static const char *const parts[][2] = {{"(", ")"},       {"- ", ""},   {"({", ";})"},
                                           {"a ? a : ", ""}, {"a = ", ""}, {"(int)", ""}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Out out = {0};
        out_text(&out, "int f(int a) { return ");
        repeat(&out, parts[i][0], 200000);
        out_text(&out, "a");
        repeat(&out, parts[i][1], 200000);
        out_text(&out, "; }\n");
        out_char(&out, '\0');
        Run run;
        run_program(&run, out.text, NULL);
        assert_int_equal(run.diag.errors, 1);
        assert_non_null(strstr(run.diag.out.text, "nested too deeply"));
        run_end(&run);
        out_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals),    cmocka_unit_test(test_characters),
        cmocka_unit_test(test_conversions), cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_folding),     cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_mistakes),    cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_trees),       cmocka_unit_test(test_long),
        cmocka_unit_test(test_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
