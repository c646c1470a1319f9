// What sets a register, where blocks begin, what a machine instruction reads and sets: examples of
// every kind, and random functions held against the definitions, word by word.
#include "graph/definitions.h"
#include "form/mach.h"
#include "graph/basic_blocks.h"
#include "pass/pass.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Examples

static const Func *parse(Arena *arena, Form form, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, form, "example", text, strlen(text));
    diag_free(&diag);
    assert_non_null(program);
    return program_at(program, program_find(program, str_of(&program->strings, "f")))->func;
}

static Definition definition_of(Arena *arena, const Func *func, const char *name) {
    for (uint32_t r = 0; r < func->regs.count; r++) {
        Out text = {0};
        reg_print(&text, func, (Reg){r});
        bool same = text.length == strlen(name) && memcmp(text.text, name, text.length) == 0;
        out_free(&text);
        if (same) return definitions_of(arena, func)[r];
    }
    fail_msg("there is no register %s", name);
    return (Definition){0};
}

static void expect(const Func *func, const char *name, SetBy by, uint32_t node, uint32_t at) {
    Arena *arena = arena_new("definitions");
    Definition definition = definition_of(arena, func, name);
    if (definition.by != by || definition.node.i != node || definition.at != at)
        fail_msg("%s is set by %d, number %u, at %u", name, (int)definition.by, definition.at,
                 definition.node.i);
    arena_free(arena);
}

static void test_examples(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    const Func *rtl = parse(arena, FORM_RTL,
                            "function i32 @f(i32 %a, i32 %b) {\n"
                            "  reg i32 %u\n"
                            "  0: %x = const.i32 1\n"
                            "  1: if lt.i32 %a, %u then 2 else 3\n"
                            "  2: %x = const.i32 2\n"
                            "  3: %b = move.i32 %x\n"
                            "  4: %y = move.i32 %b\n"
                            "  5: return %y\n"
                            "}\n");
    expect(rtl, "%a", SET_BY_CALLER, NO_ID, 0);
    expect(rtl, "%b", SET_BY_SEVERAL, NO_ID, 0);
    expect(rtl, "%u", SET_BY_NOTHING, NO_ID, 0);
    expect(rtl, "%x", SET_BY_SEVERAL, 0, 0);
    expect(rtl, "%y", SET_BY_INSTR, 4, 0);
    const Func *ssa = parse(arena, FORM_SSA,
                            "function i32 @f(i32 %a.0) {\n"
                            "  0: if lt.i32 %a.0, 7 then 1 else 2\n"
                            "  1: nop -> 3\n"
                            "  2: nop -> 3\n"
                            "  3: %p.1 = phi(1: %a.0, 2: %a.0)\n"
                            "  3: %q.1 = phi(1: %a.0, 2: %a.0)\n"
                            "  3: %x.1 = add.i32 %p.1, %q.1\n"
                            "  4: return %x.1\n"
                            "}\n");
    expect(ssa, "%a.0", SET_BY_CALLER, NO_ID, 0);
    expect(ssa, "%p.1", SET_BY_PHI, 3, 0);
    expect(ssa, "%q.1", SET_BY_PHI, 3, 1);
    expect(ssa, "%x.1", SET_BY_INSTR, 3, 0); // at the node of the phis, but no phi
    const Func *gsa = parse(arena, FORM_GSA,
                            "function i32 @f(i32 %n.0) {\n"
                            "  0: %i.1 = const.i32 0\n"
                            "  1: nop\n"
                            "  2: %i.2 = mu(%i.1, %i.3)\n"
                            "  2: if lt.i32 %i.2, 3 then 3 else 5\n"
                            "  3: %i.3 = add.i32 %i.2, 1\n"
                            "  4: nop -> 2\n"
                            "  5: %i.4 = eta(!lt.i32(%i.2, 3), %i.2)\n"
                            "  5: nop\n"
                            "  6: return %i.4\n"
                            "  loop 2: leaves !lt.i32(%i.2, 3), goes on lt.i32(%i.2, 3)\n"
                            "  end 6: !lt.i32(%i.2, 3)\n"
                            "}\n");
    expect(gsa, "%i.2", SET_BY_MERGE, 2, 0);
    expect(gsa, "%i.3", SET_BY_INSTR, 3, 0);
    expect(gsa, "%i.4", SET_BY_ETA, 5, 0);
    assert_true(definition_is_on_entry(definition_of(arena, gsa, "%i.4")));
    assert_false(definition_is_on_entry(definition_of(arena, gsa, "%i.3")));
    arena_free(arena);
}

// ---- Random functions

// How often a register is set, and by what last.
static void check_definitions(Arena *arena, const Func *func, uint64_t *kinds) {
    const Definition *definitions = definitions_of(arena, func);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        Definition last = {.node = NO_NODE};
        uint32_t times = 0;
        for (uint32_t i = 0; i < func->params.count; i++)
            if (func->params.at[i].i == r) last.by = SET_BY_CALLER, times++;
        for (uint32_t n = 0; n < func->nodes.count; n++) {
            for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
                if (func_phis(func, (Node){n})[i].dest.i == r) {
                    last = (Definition){{n}, func->phi_at.at[n] + i, SET_BY_PHI};
                    times++;
                }
            if (func->nodes.at[n].dest.i != r) continue;
            last = (Definition){{n}, 0, SET_BY_INSTR};
            times++;
        }
        Definition found = definitions[r];
        assert_int_equal(found.by, times > 1 ? SET_BY_SEVERAL : last.by);
        if (times <= 1) assert_true(found.node.i == last.node.i && found.at == last.at);
        const Instr *instr = defining_instr(func, definitions, (Reg){r});
        assert_true(!instr == (found.by != SET_BY_INSTR) && (!instr || instr->dest.i == r));
        kinds[found.by]++;
    }
}

// The head of a block is where going back along only ways in that are only ways out ends.
static void check_blocks(Arena *arena, const Func *func, uint64_t *longer) {
    Preds preds = preds_of(arena, func);
    const uint32_t *heads = block_heads(arena, func, &preds);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t at = n, smallest = n;
        while (continues_block(func, &preds, (Node){at})) {
            at = preds_at(&preds, (Node){at})->i;
            if (at == n) break; // a ring
            if (at < smallest) smallest = at;
        }
        bool ring = at == n && continues_block(func, &preds, (Node){n});
        assert_int_equal(heads[n], ring ? smallest : at);
        *longer += heads[n] != n;
    }
}

static void test_random(void **state) {
    (void)state;
    uint64_t kinds[SET_BY_SEVERAL + 1] = {0}, longer = 0;
    for (uint64_t seed = 1; seed <= effort(60, 300, 5000); seed++) {
        Arena *arena = arena_new("test");
        Program *program = program_new(arena);
        CopiesHint norm = {0};
        SsaHint built = {0};
        const Func *func = random_func(arena, program, random_options(60, seed), seed);
        const Func *normal = normalize(arena, func, &norm);
        const Func *ssa = ssa_build(arena, normal, &built);
        check_definitions(arena, func, kinds);
        check_definitions(arena, ssa, kinds);
        check_blocks(arena, func, &longer);
        check_blocks(arena, ssa, &longer);
        arena_free(arena);
    }
    assert_true(kinds[SET_BY_NOTHING] && kinds[SET_BY_CALLER] && kinds[SET_BY_INSTR] &&
                kinds[SET_BY_PHI] && kinds[SET_BY_SEVERAL] && longer);
}

// Two nodes that lead to each other and to which nothing leads; a chain that is numbered backwards.
static void test_blocks(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    const Func *func = parse(arena, FORM_RTL,
                             "function void @f() {\n"
                             "  0: nop -> 4\n"
                             "  1: nop -> 2\n"
                             "  2: nop -> 1\n"
                             "  3: return\n"
                             "  4: nop -> 3\n"
                             "}\n");
    Preds preds = preds_of(arena, func);
    static const uint32_t expected[] = {0, 1, 1, 0, 0};
    const uint32_t *heads = block_heads(arena, func, &preds);
    for (uint32_t n = 0; n < 5; n++) assert_int_equal(heads[n], expected[n]);
    arena_free(arena);
}

// A call of a register through an address, with results: every operand is read or set, each once.
static void test_machine(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    const Func *rtl = parse(arena, FORM_RTL, "function void @f() {\n  0: return\n}\n");
    Func *func = mach_like(rtl, arena, false);
    MachInstr call = mach_instr(MK_CALL);
    call.dest = place_of_reg((Reg){1});
    for (uint32_t k = 0; k < MACH_SOURCES; k++) call.src[k] = place_of_reg((Reg){4 + k});
    call.base_place = place_of_reg((Reg){8});
    call.index = place_of_reg((Reg){9});
    const Place results[] = {{2}, {3}}, arguments[] = {{10}, {11}, {12}};
    mach_set_list(func, &call, results, 2, arguments, 3);
    assert_int_equal(mach_set_count(&call), 3);
    for (uint32_t k = 0; k < 3; k++) assert_int_equal(mach_set_at(func, &call, k).i, 1 + k);
    assert_int_equal(mach_read_count(&call), 9);
    for (uint32_t k = 0; k < 9; k++) assert_int_equal(mach_read_at(func, &call, k).i, 4 + k);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
