// Sea of Nodes on random functions: what is built is accepted by the verifier, reads back as it was printed, and behaves as
// the SSA function does.
#include "form/son/son.h"
#include "fact/dominance.h"
#include "form/text.h"
#include "form/verify.h"
#include "pass/pass.h"
#include "pass/son_trail.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const Func *ssa_of(Arena *arena, const Func *func) {
    NormHint normal = {0};
    SsaHint ssa = {0};
    const Func *norm = normalize(arena, func, &normal);
    return ssa_build(arena, norm ? norm : func, &ssa);
}

static char *text_of(Arena *arena, const Program *program) {
    Out out = {0};
    program_print(&out, program, &(PrintOptions){0});
    char *text = arena_text(arena, out.text, out.length);
    out_free(&out);
    return text;
}

static void expect_verified(Arena *arena, const Func *func, const char *text, uint64_t seed) {
    Complaints complaints = {.arena = arena};
    if (verify_func(&complaints, func)) return;
    Out out = {0};
    complaint_print(&out, func->program, &complaints.list.at[0]);
    fail_msg("seed %llu: %.*s\n%s", (unsigned long long)seed, (int)out.length, out.text, text);
}

static void expect_read_back(Arena *arena, const char *text, uint64_t seed) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    const Program *program = program_parse(arena, &diag, FORM_SON, "text", text, strlen(text));
    if (!program) fail_msg("seed %llu: not read back\n%s", (unsigned long long)seed, text);
    const char *again = text_of(arena, program);
    if (strcmp(text, again) != 0)
        fail_msg("seed %llu: read back as another\n%s\n%s", (unsigned long long)seed, text, again);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func)
            expect_verified(arena, program->symbols.at[i].func, text, seed);
    diag_free(&diag);
}

static Func *random_son(Arena *arena, uint64_t seed, const Func **original, char **text) {
    Program *program = program_new(arena);
    RandomOptions options = random_options(120, seed);
    Func *func = random_func(arena, program, options, seed);
    *original = ssa_of(arena, func);
    Func *son = son_build(arena, *original);
    program_at(program, func->symbol)->func = son;
    *text = text_of(arena, program);
    return son;
}

static void test_random(void **state) {
    (void)state;
    uint64_t count = effort(200, 2000, 50000);
    Arena *arena = arena_new("test");
    for (uint64_t seed = 0; seed < count; seed++) {
        const Func *ssa;
        char *text;
        Func *son = random_son(arena, seed, &ssa, &text);
        expect_verified(arena, son, text, seed);
        expect_read_back(arena, text, seed);
        for (uint64_t run = 0; run < 3; run++) {
            const char *difference = behaviour_difference(arena, ssa, son, seed * 8 + run, 100000);
            if (difference)
                fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, difference, text);
        }
        arena_reset(arena);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
