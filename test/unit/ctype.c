// Types of C: layout against gcc on random structs, text, compatibility, and the errors that
// declarations can have.
#include "cfront.h"

#include "test/gen/random.h"

// ---- Layout

typedef struct {
    Random random;
    Out text;    // the declarations
    Out program; // statements that print what gcc makes of them
    uint32_t count;
} Layouts;

static const struct {
    const char *name;
    uint32_t bits; // of the widest bit-field
} integers[] = {
    {"char", 8},        {"signed char", 8},     {"unsigned char", 8},
    {"short", 16},      {"unsigned short", 16}, {"int", 32},
    {"unsigned", 32},   {"long", 64},           {"unsigned long", 64},
    {"long long", 64},  {"_Bool", 1},           {"enum plain", 32},
    {"enum small", 8},  {"aligned_int", 32},    {"loose_int", 32},
    {"loose_long", 64},
};
enum { INTEGER_COUNT = sizeof integers / sizeof *integers };

static const char layout_start[] = "enum plain { PLAIN };\n"
                                   "enum __attribute__((packed)) small { SMALL };\n"
                                   "typedef int aligned_int __attribute__((aligned(16)));\n"
                                   "typedef int loose_int __attribute__((aligned(1)));\n"
                                   "typedef long loose_long __attribute__((aligned(2)));\n";

#define PICK(random, ...)                                                                          \
    ((const char *const[]){__VA_ARGS__}[random_below(                                              \
        (random), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))])

static void put_bitfield(Layouts *all, uint32_t record, uint32_t member, const char *attribute) {
    uint32_t which = random_below(&all->random, INTEGER_COUNT);
    const char *type = integers[which].name;
    uint32_t width = random_range(&all->random, 1, integers[which].bits);
    uint32_t form = random_below(&all->random, 8);
    if (form == 0) {
        out_printf(&all->text, " %s : 0;", type);
    } else if (form == 1) {
        out_printf(&all->text, " %s : %u;", type, width);
    } else {
        out_printf(&all->text, " %s m%u : %u%s;", type, member, width, attribute);
        out_printf(&all->program, "{ static T%u v; v.m%u = -1; bits(\"m%u\", &v, sizeof v); }\n",
                   record, member, member);
    }
}

static void put_member(Layouts *all, uint32_t record, uint32_t member) {
    Random *random = &all->random;
    const char *attribute = PICK(random, "", "", "", "", "", "", "", "", " __attribute__((packed))",
                                 " __attribute__((aligned(8)))", " __attribute__((aligned(2)))",
                                 " __attribute__((aligned))");
    uint32_t form = random_below(random, 20);
    if (form < 10) {
        put_bitfield(all, record, member, attribute);
        return;
    }
    if (form < 15) {
        const char *type = random_chance(random, 1, 3)
                               ? PICK(random, "float", "double", "long double", "void *")
                               : integers[random_below(random, INTEGER_COUNT)].name;
        out_printf(&all->text, " %s m%u%s;", type, member, attribute);
    } else if (form < 17 || record == 0) {
        out_printf(&all->text, " %s m%u[%u]%s;", PICK(random, "char", "int", "double", "short"),
                   member, random_below(random, 5), attribute);
    } else if (form < 19) {
        uint32_t other = random_below(random, record < 20 ? record : 20);
        out_printf(&all->text, " T%u m%u%s;", record - 1 - other, member, attribute);
    } else {
        out_printf(&all->text, " %s { char m%u; %s n%u : 3; };", PICK(random, "struct", "union"),
                   member, PICK(random, "int", "char", "long"), member);
        out_printf(&all->program, "offset(\"m%u\", offsetof(T%u, m%u));\n", member, record, member);
        out_printf(&all->program, "{ static T%u v; v.n%u = -1; bits(\"n%u\", &v, sizeof v); }\n",
                   record, member, member);
        return;
    }
    out_printf(&all->program, "offset(\"m%u\", offsetof(T%u, m%u));\n", member, record, member);
}

static void put_record(Layouts *all) {
    Random *random = &all->random;
    uint32_t record = all->count++;
    uint32_t pack = random_chance(random, 1, 2) ? 0 : 1u << random_below(random, 5);
    if (pack) out_printf(&all->text, "#pragma pack(push, %u)\n", pack);
    out_printf(&all->text, "typedef %s %s S%u {",
               PICK(random, "struct", "struct", "struct", "struct", "union"),
               PICK(random, "", "", "", "", "", "", "__attribute__((packed))",
                    "__attribute__((aligned(8)))", "__attribute__((packed, aligned(4)))"),
               record);
    out_printf(&all->program, "size(%u, sizeof(T%u), _Alignof(T%u));\n", record, record, record);
    uint32_t members = random_below(random, 8);
    for (uint32_t i = 0; i < members; i++) put_member(all, record, i);
    out_printf(&all->text, " } %s T%u;\n",
               PICK(random, "", "", "", "", "", "", "__attribute__((packed))",
                    "__attribute__((aligned(32)))"),
               record);
    if (pack) out_text(&all->text, "#pragma pack(pop)\n");
    out_printf(&all->text, "T%u v%u;\n", record, record);
}

static void print_members(Out *out, const CType *type, uint64_t base) {
    const Record *record = type->record;
    for (uint32_t i = 0; i < record->members.count; i++) {
        const Member *member = &record->members.at[i];
        uint64_t offset = base + member->offset;
        if (!member->name && !member->bitfield)
            print_members(out, member->type, offset);
        else if (member->name && member->bitfield)
            out_printf(out, "%s at bit %u of %u\n", member->name->text,
                       (unsigned)(offset * 8 + member->bit), member->width);
        else if (member->name)
            out_printf(out, "%s at %u\n", member->name->text, (unsigned)offset);
    }
}

static void test_layout(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Layouts all = {.random = random_from(seed)};
        out_text(&all.text, layout_start);
        for (uint32_t i = 0; i < 200; i++) put_record(&all);
        out_char(&all.text, '\0');
        Front front;
        front_parse(&front, all.text.text);
        assert_true(front.good);
        Out ours = {0};
        for (uint32_t i = 0, number = 0; i < front.decl_count; i++) {
            if (front.decls[i]->kind != DECL_VAR) continue;
            const CType *type = front.decls[i]->type;
            out_printf(&ours, "T%u: %u, %u\n", number++, (unsigned)type->size, type->align);
            print_members(&ours, type, 0);
        }
        out_char(&ours, '\0');
        Out program = {0};
        out_printf(
            &program,
            "#include <stdio.h>\n#include <stddef.h>\n%s\n"
            "static void size(int n, size_t s, size_t a) { printf(\"T%%d: %%zu, "
            "%%zu\\n\", n, s, a); }\n"
            "static void offset(const char *name, size_t at) { printf(\"%%s at %%zu\\n\", "
            "name, at); }\n"
            "static void bits(const char *name, void *p, size_t s) {\n"
            "    unsigned char *byte = p; int first = -1, last = 0;\n"
            "    for (int i = 0; i < (int)s * 8; i++)\n"
            "        if (byte[i / 8] >> i %% 8 & 1) { if (first < 0) first = i; last = i; }\n"
            "    printf(\"%%s at bit %%d of %%d\\n\", name, first, last - first + 1);\n}\n"
            "int main(void) {\n%.*s return 0;\n}\n",
            all.text.text, (int)all.program.length, all.program.text);
        out_char(&program, '\0');
        front_compare(ours.text, front_gcc(&front, program.text));
        out_free(&ours);
        out_free(&program);
        out_free(&all.text);
        out_free(&all.program);
        front_free(&front);
    }
}

// ---- Text

static void test_text(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"int x;", "int"},
        {"const char *x;", "const char *"},
        {"char *const x;", "char *const"},
        {"const char *const *volatile x;", "const char *const *volatile"},
        {"unsigned long int long x;", "unsigned long long"},
        {"long signed x;", "long"},
        {"double long x;", "long double"},
        {"int x[3];", "int[3]"},
        {"int x[3][4];", "int[3][4]"},
        {"int *x[3];", "int *[3]"},
        {"int (*x)[3];", "int (*)[3]"},
        {"extern int x[];", "int[]"},
        {"int (*x)(void);", "int (*)(void)"},
        {"int (*x)();", "int (*)()"},
        {"int (*x)(const char *, ...);", "int (*)(const char *, ...)"},
        {"int (*x[3])(void);", "int (*[3])(void)"},
        {"int *(*(*x)(int))[4];", "int *(*(*)(int))[4]"},
        {"void (*x(int, void (*)(int)))(int);", "void (*(int, void (*)(int)))(int)"},
        {"int x(int a[10], int f(void));", "int (int *, int (*)(void))"},
        {"struct s { int a; } x;", "struct s"},
        {"union { int a; } x;", "union <anonymous>"},
        {"enum e { A } const x = A;", "const enum e"},
        {"typedef int T[2]; const T x;", "const int[2]"},
        {"int f(); typeof(f) x;", "int ()"},
        {"typedef char *P; P const x;", "char *const"},
        {"extern int x[]; int x[5];", "int[5]"},
        {"int (*x)(); int (*x)(char *);", "int (*)(char *)"},
        {"int x(int (*)[]); int x(int (*)[3]);", "int (int (*)[3])"},
        {"_Atomic int x; ", "_Atomic int"},
        {"char x[] = \"text\";", "char[5]"},
        {"int x[] = {[7] = 1, 2};", "int[9]"},
        {"short x __attribute__((mode(DI)));", "long"},
        {"int *restrict const volatile x;", "int *const volatile restrict"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Front front;
        front_parse(&front, rows[i][0]);
        const Decl *decl = front_find(&front, "x");
        if (!decl)
            fail_msg("%s: %.*s", rows[i][0], (int)front.diag.out.length, front.diag.out.text);
        Out out = {0};
        type_print(&out, decl->type);
        out_char(&out, '\0');
        assert_string_equal(out.text, rows[i][1]);
        out_free(&out);
        front_free(&front);
    }
}

// ---- Enumerations

static void test_enumerations(void **state) {
    (void)state;
    static const struct {
        const char *text;
        CTypeKind kind;
    } rows[] = {
        {"enum { A } x;", CT_UINT},
        {"enum { A = -1 } x;", CT_INT},
        {"enum { A = 0x7fffffff, B } x;", CT_UINT},
        {"enum { A = -1, B = 0xffffffff } x;", CT_LONG},
        {"enum { A = 0x100000000 } x;", CT_ULONG},
        {"enum { A = -0x100000000 } x;", CT_LONG},
        {"enum __attribute__((packed)) { A, B = 255 } x;", CT_UCHAR},
        {"enum { A = -1, B = 127 } __attribute__((packed)) x;", CT_SCHAR},
        {"enum { A = 256 } __attribute__((packed)) x;", CT_USHORT},
        {"enum { A = 0xffffffffffffffff } x;", CT_ULONG},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Front front;
        front_parse(&front, rows[i].text);
        const Decl *decl = front_find(&front, "x");
        assert_non_null(decl);
        assert_int_equal(decl->type->base->kind, rows[i].kind);
        front_free(&front);
    }
}

// ---- Which declarations agree, and what is wrong

static void expect_messages(const char *text, const char *const *expected, size_t count) {
    Front front;
    front_parse(&front, text);
    out_char(&front.diag.out, '\0');
    const char *messages = front.diag.out.text;
    assert_int_equal(front.good, count == 0);
    assert_int_equal(front.diag.errors, count);
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(messages, expected[i]);
        if (!found) fail_msg("%s\nexpected: %s\nfound: %s", text, expected[i], messages);
        messages = found;
    }
    front_free(&front);
}
#define EXPECT_ERRORS(text, ...)                                                                   \
    expect_messages(text, (const char *const[]){__VA_ARGS__},                                      \
                    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define EXPECT_GOOD(text) expect_messages(text, NULL, 0)

static void test_agreement(void **state) {
    (void)state;
    EXPECT_GOOD("int f(); int f(int); int f(int a) { return a; }");
    EXPECT_GOOD("int f(int, double); int f(a, b) int a; double b; { return a; }");
    EXPECT_GOOD("int f(short); int f(a) short a; { return a; }");
    EXPECT_GOOD("static int f(void); int f(void) { return 0; } int g(void) { return f(); }");
    EXPECT_GOOD("static int x; extern int x; int g(void) { return x; }");
    EXPECT_GOOD("int x; int x; extern int x; int x = 1;");
    EXPECT_GOOD("typedef int T; typedef int T; T x;");
    EXPECT_GOOD("struct s; struct s *p; struct s { int a; }; int f(void) { return p->a; }");
    EXPECT_GOOD("int f(int a[3]); int f(int *a);");
    EXPECT_GOOD("int f(const int a); int f(int a) { return a; }");
    EXPECT_GOOD("enum e { A }; void f(enum e); void f(unsigned a) { (void)a; }");
    EXPECT_GOOD("void f(void) { extern int x; } int x;");
    EXPECT_GOOD("int x; void f(void) { char x; { extern int x; x = 1; } x = 2; }");
    EXPECT_GOOD("typedef int T; void f(void) { T T = 1; T = 2; } T x;");
    EXPECT_GOOD("typedef int T; void f(int T) { T = 1; }");
    EXPECT_GOOD("void f(int n, int a[n][n + 1]) { int b[sizeof *a / n]; (void)b; }");
    EXPECT_ERRORS("int f(char); int f(short);", "1:18: error: conflicting types for 'f'");
    EXPECT_ERRORS("int f(float); int f(); ", "1:19: error: conflicting types for 'f'");
    EXPECT_ERRORS("int x; static int x;", "1:19: error: static declaration of 'x'");
    EXPECT_ERRORS("static int x; int x;", "1:19: error: non-static declaration of 'x'");
    EXPECT_ERRORS("int x = 1;\nint x = 2;", "2:5: error: redefinition of 'x'");
    EXPECT_ERRORS("int f(void) { return 0; }\nint f(void) { return 1; }",
                  "2:5: error: redefinition of 'f'");
    EXPECT_ERRORS("struct s { int a; };\nstruct s { int a; };",
                  "2:8: error: redefinition of 'struct s'");
    EXPECT_ERRORS("struct s { int a; }; union s *p;",
                  "1:28: error: 's' was declared as another kind");
    EXPECT_ERRORS("typedef int T; typedef char T;", "1:29: error: redefinition of typedef 'T'");
    EXPECT_ERRORS("typedef int T; int T;", "1:20: error: redefinition of 'T' as a different kind");
    EXPECT_ERRORS("enum { A, B, A };", "1:14: error: redefinition of enumerator 'A'");
    EXPECT_ERRORS("int f(int a, int a);", "1:18: error: redefinition of parameter 'a'");
    EXPECT_ERRORS("void f(void) { int a; int a; }", "1:27: error: redefinition of 'a'");
}

static void test_errors(void **state) {
    (void)state;
    EXPECT_ERRORS("foo_t x; foo_t *y; foo_t z(void);", "1:1: error: unknown type name 'foo_t'");
    EXPECT_ERRORS("int x\nint y;", "1:6: error: expected ';' after declaration");
    EXPECT_ERRORS("struct s { int a; int a; };", "1:23: error: duplicate member 'a'");
    EXPECT_ERRORS("struct s { int a; struct { int a; }; };", "1:32: error: duplicate member 'a'");
    EXPECT_ERRORS("struct s { struct t m; };",
                  "1:21: error: member 'm' has incomplete type 'struct t'");
    EXPECT_ERRORS("struct s { int a[]; int b; };",
                  "1:16: error: flexible array member 'a' is not at");
    EXPECT_ERRORS("struct s { int a : 33; };", "1:20: error: width of bit-field 'a' (33 bits)");
    EXPECT_ERRORS("struct s { int a : -1; };", "1:20: error: bit-field 'a' has negative width");
    EXPECT_ERRORS("struct s { int a : 0; };", "1:20: error: named bit-field 'a' has zero width");
    EXPECT_ERRORS("struct s { float a : 3; };",
                  "1:18: error: bit-field 'a' has invalid type 'float'");
    EXPECT_ERRORS("struct s { int f(void); };",
                  "1:16: error: member 'f' is declared as a function");
    EXPECT_ERRORS("int a[-1];", "1:7: error: size of array 'a' is negative");
    EXPECT_ERRORS("int a[1.5];", "1:7: error: size of array 'a' has type 'double'");
    EXPECT_ERRORS("int n; int a[n];", "1:12: error: variably modified type of 'a' at file scope");
    EXPECT_ERRORS("int a[3](void);", "error: 'a' is an array of functions");
    EXPECT_ERRORS("int f(void)[3];", "error: 'f' is a function that returns an array");
    EXPECT_ERRORS("int f(void)(void);", "error: 'f' is a function that returns a function");
    EXPECT_ERRORS("void x;", "1:6: error: variable 'x' declared void");
    EXPECT_ERRORS("struct s x;", "1:10: error: variable 'x' has incomplete type 'struct s'");
    EXPECT_ERRORS("void f(void) { struct s x; }",
                  "error: variable 'x' has incomplete type 'struct s'");
    EXPECT_ERRORS("void f(void) { int a[]; }", "1:20: error: size of array 'a' is missing");
    EXPECT_ERRORS("int f(void, int);", "error: 'void' must be the only parameter");
    EXPECT_ERRORS("int f(void a);", "1:12: error: parameter 'a' has type void");
    EXPECT_ERRORS("static extern int x;", "1:8: error: more than one storage class");
    EXPECT_ERRORS("register int x;", "1:14: error: invalid storage class for 'x' at file scope");
    EXPECT_ERRORS("unsigned double x;",
                  "1:10: error: 'double' does not go with the type before it");
    EXPECT_ERRORS("int restrict x;", "error: 'restrict' needs a pointer to an object, not 'int'");
    EXPECT_ERRORS("inline int x;", "1:12: error: 'x' is declared inline but is not a function");
    EXPECT_ERRORS("_Complex _Bool x;", "1:10: error: '_Bool' does not go with the type before it");
    EXPECT_ERRORS("void f(void) { _Thread_local int x; }",
                  "error: 'x' is thread-local and must be 'static' or 'extern' here");
    EXPECT_ERRORS("_Static_assert(1 > 2, \"text\");",
                  "1:16: error: static assertion failed: \"text\"");
    EXPECT_ERRORS("int x __attribute__((aligned(3)));", "error: requested alignment is not");
    EXPECT_ERRORS("struct { int a; } x = {.b = 1};",
                  "1:25: error: 'struct <anonymous>' has no member 'b'");
    EXPECT_ERRORS("int x[2] = {[2] = 1};", "1:14: error: array index 2 in an initializer");
    EXPECT_ERRORS("int x[2] = 1;", "1:12: error: an array must be initialized by a list");
    EXPECT_ERRORS("int y; int x = y;", "1:16: error: initializer element is not constant");
    EXPECT_ERRORS("int f(a, b) int a; int c; { return a; }",
                  "1:24: error: 'c' is declared but is not");
    EXPECT_ERRORS("}\nint x;", "1:1: error: '}' without a '{' before it");
    EXPECT_ERRORS("int x;\n)\nint y;", "2:1: error: expected a declaration");
    EXPECT_GOOD("extern _Complex double x; _Complex float f(_Complex float); __int128 g(void);");
}

// Nothing overflows the stack.
static void test_depth(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"int ", "(", "x"},
        {"", "struct {", ""},
        {"int x = ", "{", "1"},
        {"int x = ", "(", "1"},
        {"int ", "f(int ", ""},
        {"", "typeof(", "int"},
        {"int x = sizeof(int ", "(*", ""},
        {"int x", "[1]", ";"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Out text = {0};
        out_text(&text, rows[i][0]);
        for (uint32_t k = 0; k < 50000; k++) out_text(&text, rows[i][1]);
        out_text(&text, rows[i][2]);
        out_char(&text, '\0');
        Front front;
        front_parse(&front, text.text);
        assert_false(front.good);
        front_free(&front);
        out_free(&text);
    }
    Out text = {0};
    for (uint32_t i = 0; i < 2; i++) {
        out_text(&text, "int ");
        for (uint32_t k = 0; k < 100000; k++) out_char(&text, '*');
        out_text(&text, "x;");
    }
    out_char(&text, '\0');
    Front front;
    front_parse(&front, text.text);
    assert_true(front.good);
    front_free(&front);
    out_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),       cmocka_unit_test(test_text),
        cmocka_unit_test(test_enumerations), cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_errors),       cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
