// Instruction selection on random functions, with folding and without: the result is well-formed,
// the checker accepts it and it behaves as before. And machine functions that the selector would
// not make: whatever the verifier lets pass, the checker has an answer for.
#include "check/checkers.h"
#include "pass/pass.h"
#include "target/x64/model/constraints.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/forge.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef Func *Way(Arena *arena, const Func *func, SelectHint *hint);

static void try_way(Arena *arena, const Func *rtl, Way *way, uint64_t seed) {
    SelectHint hint = {0};
    Complaints complaints = {.arena = arena};
    Func *mach = way(arena, rtl, &hint);
    if (!verify_func(&complaints, mach))
        fail_msg("seed %ju: %s", (uintmax_t)seed, complaints.list.at[0].message);
    Verdict verdict = check_select_code(arena, rtl, mach, &hint);
    if (!verdict.accepted) fail_msg("seed %ju: %s", (uintmax_t)seed, verdict.reason);
    const char *difference = behaviour_difference(arena, rtl, mach, seed, 20000);
    if (difference) fail_msg("seed %ju: %s", (uintmax_t)seed, difference);
}

static void try_options(Arena *arena, RandomOptions options, uint64_t seed) {
    Program *program = program_new(arena);
    program->pic = (PicLevel)(seed % 3);
    const Func *rtl = random_func(arena, program, options, seed);
    try_way(arena, rtl, select_code, seed);
    try_way(arena, rtl, select_code_plain, seed);
    arena_reset(arena);
}

static void try_seed(Arena *arena, uint32_t max_nodes, uint64_t seed) {
    try_options(arena, random_options(max_nodes, seed), seed);
}

// As functions were when the seed was found.
static void try_old_seed(Arena *arena, uint32_t max_nodes, uint64_t seed) {
    RandomOptions options = random_options(max_nodes, seed);
    options.ends = false;
    try_options(arena, options, seed);
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    for (uint64_t seed = 1; seed <= effort(100, 1000, 20000); seed++)
        try_seed(arena, seed % 2 ? 300 : 40, seed);
    arena_free(arena);
}

// Functions with immediates of more than 32 bits in sums, and with constants in code that is never
// reached.
static void test_once_wrong(void **state) {
    (void)state;
    static const uint64_t seeds[] = {300, 427, 1654, 1712, 3281};
    Arena *arena = arena_new("test");
    for (uint32_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        try_old_seed(arena, 300, seeds[i]);
    try_old_seed(arena, 40, 662);
    arena_free(arena);
}

// ---- Operands that are no places

// An operand in memory, an immediate operand, or both, of an instruction of any kind.
typedef struct {
    Arena *arena;
    Func *rtl[2]; // with a register of each type: one that returns, one that branches first
    uint32_t answers[MACH_KIND_COUNT]; // to those that are well-formed, by kind
} Folding;

static Func *with_registers(Arena *arena, const char *text) {
    Func *func = func_clone(forge_parse(arena, FORM_RTL, text), arena);
    Type first = func->regs.count ? TYPE_I64 : TYPE_I32;
    for (Type type = first; type < TYPE_COUNT; type++)
        func_add_reg(func, (RegInfo){.type = (uint8_t)type, .version = type});
    return func;
}

static Place place_of_type(Type type) {
    return place_of_reg((Reg){(uint32_t)type - TYPE_I32});
}

// The instruction in a function of its own, with registers of the right types.
static Func *around(Folding *f, const Func *rtl, MachInstr instr) {
    static const uint32_t both[] = {1, 1};
    Func *mach = mach_like(rtl, f->arena, false);
    MachConstraints constraints = {0};
    mach_constraints(f->arena, mach, &instr, &constraints);
    for (uint32_t k = 0; k < constraints.operands.count; k++)
        *constraints.operands.at[k].place = place_of_type((Type)constraints.operands.at[k].type);
    mach_open(mach);
    mach_add(mach, instr);
    if (instr.kind == MK_BRANCH) {
        mach_end(mach, both, 2);
        mach_open(mach);
    }
    mach_add(mach, mach_instr(MK_RETURN));
    mach_end(mach, NULL, 0);
    return mach;
}

static void answer(Folding *f, MachInstr instr) {
    const Func *rtl = f->rtl[instr.kind == MK_BRANCH];
    const Func *mach = around(f, rtl, instr);
    Complaints complaints = {.arena = f->arena};
    if (verify_func(&complaints, mach)) {
        SelectHint hint = {0};
        for (uint32_t b = 0; b < mach->mach->blocks.count; b++)
            vec_push(f->arena, &hint.node_of_block, b ? rtl->nodes.count - 1 : 0);
        (void)check_select_code(f->arena, rtl, mach, &hint);
        f->answers[instr.kind]++;
    }
}

// All numbers of places, with or without an address.
static void fold(Folding *f, MachInstr instr) {
    Arena *whole = f->arena;
    for (uint32_t places = 0; places <= MACH_SOURCES; places++)
        for (int addressed = 0; addressed < 2; addressed++) {
            MachInstr next = instr;
            f->arena = arena_new("instruction");
            for (uint32_t k = 0; k < places; k++)
                if (k != instr.memory && k != instr.immediate)
                    next.src[k] = place_of_type(TYPE_I64);
            next.addressed = addressed;
            if (addressed) next.base = MB_PLACE;
            if (addressed) next.base_place = place_of_type(TYPE_I64);
            answer(f, next);
            arena_free(f->arena);
        }
    f->arena = whole;
}

static void fold_kind(Folding *f, MachKind kind, uint16_t op, uint32_t aux) {
    for (uint32_t chunk = 0; chunk < CHUNK_COUNT; chunk++)
        for (uint8_t k = 0; k < MACH_SOURCES; k++) {
            MachInstr instr = mach_instr(kind);
            instr.op = op;
            instr.aux = aux;
            instr.chunk = (uint8_t)chunk;
            MachInstr both = instr;
            instr.memory = k;
            if (mach_takes_memory(&instr, k, (Chunk)chunk)) fold(f, instr);
            instr.memory = NO_SOURCE;
            instr.immediate = k;
            if (!mach_takes_immediate(&instr, k, 0)) continue;
            fold(f, instr);
            both.immediate = k;
            for (both.memory = 0; both.memory < MACH_SOURCES; both.memory++)
                if (mach_takes_memory(&both, both.memory, (Chunk)chunk)) fold(f, both);
        }
}

static void test_folded_have_answers(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Folding f = {.arena = arena};
    f.rtl[0] = with_registers(arena, "function void @f() {\n  0: return\n}\n");
    f.rtl[1] = with_registers(arena, "function void @f() {\n"
                                     "  0: %a = const.i32 0\n"
                                     "  1: if eq.i32 %a, 0 then 2 else 2\n"
                                     "  2: return\n"
                                     "}\n");
    for (uint32_t kind = 0; kind < MACH_KIND_COUNT; kind++)
        for (uint16_t op = 0; op < (kind == MK_BUILTIN ? (int)BI_COUNT : (int)OP_COUNT); op++)
            for (uint32_t aux = 0; aux < TYPE_COUNT; aux++) fold_kind(&f, (MachKind)kind, op, aux);
    static const MachKind folding[] = {MK_OP,    MK_STORE, MK_UPDATE,  MK_SELECT,
                                       MK_CHECK, MK_CALL,  MK_BUILTIN, MK_BRANCH};
    for (uint32_t i = 0; i < sizeof folding / sizeof folding[0]; i++)
        assert_true(f.answers[folding[i]] > 0);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_once_wrong),
        cmocka_unit_test(test_folded_have_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
