// C on a machine that differs from the usual one: the front end takes types, macros, builtins and
// asm statements from the record. The programs assert about themselves at compile time.
#include "c/compile/compile.h"
#include "target/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const TargetBuiltin builtins[] = {{"__builtin_other", "i", "other %0", "=r", "", ""}};
static const char *const attributes[] = {"other_calls", NULL};

// Passes every aggregate in memory.
static uint32_t no_parts(const struct CType *type, bool result, uint8_t part[PARTS_LIMIT]) {
    (void)type, (void)result, (void)part;
    return 0;
}

// Compiles a text for a machine without f80 and without asm statements, and compares the messages.
static void compile(const char *text, const char *messages) {
    TargetLanguage language = *targets[0].language;
    language.model = (DataModel){.long_double = LONG_DOUBLE_IS_DOUBLE,
                                 .char_is_unsigned = true,
                                 .wchar_is_unsigned = true,
                                 .largest_align = 8,
                                 .array_align = 4,
                                 .largest_lock_free = 4,
                                 .va_list_members = "p"};
    language.builtins = builtins;
    language.builtin_count = 1;
    language.attributes = attributes;
    language.assembly = NULL;
    language.aggregate_parts = no_parts;
    Target target = {.model = targets[0].model, .code = targets[0].code, .language = &language};
    Arena *arena = arena_new("language");
    CompileOptions options;
    Diag diag;
    diag_init(&diag, arena, NULL);
    compile_defaults(&options);
    compile_for(&options, &target);
    options.pp.no_standard_dirs = true;
    options.pp.main_text = text;
    options.pp.main_length = strlen(text);
    const Program *program = compile_c(arena, &diag, "main.c", &options);
    out_char(&diag.out, '\0');
    if (*messages)
        assert_non_null(strstr(diag.out.text, messages));
    else
        assert_string_equal(diag.out.text, messages);
    assert_int_equal(program != NULL, !*messages);
    diag_free(&diag);
    arena_free(arena);
}

static void types_of_the_record(void **state) {
    (void)state;
    compile("_Static_assert(sizeof(long double) == 8 && _Alignof(long double) == 8, \"\");\n"
            "_Static_assert(sizeof(_Complex long double) == 16, \"\");\n"
            "_Static_assert((char)-1 > 0 && L'\\xffffffff' > 0, \"\");\n"
            "_Static_assert(sizeof(__builtin_va_list) == 8, \"\");\n"
            "_Static_assert(__alignof__(int __attribute__((aligned))) == 8, \"\");\n"
            "_Static_assert(__atomic_always_lock_free(4, 0), \"\");\n"
            "_Static_assert(!__atomic_always_lock_free(8, 0), \"\");\n"
            "_Static_assert(1.0L + 0x1p-60L == 1.0L, \"\");\n"
            "long double add(long double a, double b) { return a + b; }\n"
            "struct pair { int a, b; };\n"
            "struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }\n",
            "");
}

static void macros_of_the_record(void **state) {
    (void)state;
    compile("_Static_assert(__BIGGEST_ALIGNMENT__ == 8, \"\");\n"
            "_Static_assert(__WCHAR_MIN__ == 0 && __CHAR_UNSIGNED__, \"\");\n"
            "_Static_assert(__GCC_ATOMIC_INT_LOCK_FREE == 2, \"\");\n"
            "_Static_assert(__GCC_ATOMIC_LONG_LOCK_FREE == 1, \"\");\n"
            "#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_8\n#error\n#endif\n",
            "");
}

static void names_of_the_record(void **state) {
    (void)state;
    compile("#if !__has_builtin(__builtin_other) || __has_builtin(__builtin_ia32_rdtsc)\n"
            "#error\n#endif\n"
            "#if !__has_attribute(other_calls) || __has_attribute(sysv_abi)\n#error\n#endif\n"
            "__attribute__((other_calls)) int f(void);\n",
            "");
}

static void no_asm_statements(void **state) {
    (void)state;
    compile("void f(void) { __asm__(\"nop\"); }\n", "this machine has no asm statements");
    compile("int f(void) { return __builtin_other(); }\n", "this machine has no asm statements");
    compile("register long r __asm__(\"rbx\");\n", "'rbx' is not the name of a register");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_of_the_record),
        cmocka_unit_test(macros_of_the_record),
        cmocka_unit_test(names_of_the_record),
        cmocka_unit_test(no_asm_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
