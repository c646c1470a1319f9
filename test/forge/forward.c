// Forged forwardings: wrong functions and wrong hints that check_forward must reject, each for the
// right reason. All of them are well-formed SSA, so that nothing but the checker stands in their
// way.
#include "check/checkers.h"
#include "check/passes.h"
#include "fact/places.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/harmless.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    const Func *before;
    Func *after;
    ForwardHint hint;
} Forgery;

static const Func *parse(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, FORM_SSA, "forged", text, strlen(text));
    if (!program) fail_msg("%.*s", (int)diag.out.length, diag.out.text);
    diag_free(&diag);
    return program_at(program, program_find(program, str_of(&program->strings, "f")))->func;
}

static Reg reg(const Forgery *f, const char *name) {
    for (uint32_t r = 0; r < f->before->regs.count; r++) {
        Out out = {0};
        reg_print(&out, f->before, (Reg){r});
        bool same = out.length == strlen(name) && memcmp(out.text, name, out.length) == 0;
        out_free(&out);
        if (same) return (Reg){r};
    }
    fail_msg("there is no %s", name);
    return NO_REG;
}

static Instr *at(Forgery *f, uint32_t node) {
    return &f->after->nodes.at[node];
}

static void expect(Forgery *f, bool accepted, const char *reason) {
    Complaints complaints = {.arena = f->arena};
    if (!verify_func(&complaints, f->after)) fail_msg("%s", complaints.list.at[0].message);
    Verdict verdict = pass_check(PASS_forward, f->arena, NULL, f->before, f->after,
                                 explain_ForwardHint(f->arena, f->before, f->after, &f->hint));
    if (accepted && !verdict.accepted) fail_msg("%s", verdict.reason);
    if (!accepted) forge_expect_harmless(f->arena, verdict, f->before, f->after, reason);
}
static void expect_rejected(Forgery *f, const char *reason) {
    expect(f, false, reason);
}

// A load becomes an operator on a register.
static void replace(Forgery *f, uint32_t node, Op op, Reg arg) {
    Instr *load = at(f, node);
    assert_int_equal(load->kind, I_LOAD);
    *load = (Instr){.kind = I_OP,
                    .op = (uint16_t)op,
                    .dest = load->dest,
                    .arg_count = 1,
                    .arg = {arg},
                    .succ_count = 1,
                    .succ = {load->succ[0]}};
}

// ---- Loads that may yield something else

#define HEAD                                                                                       \
    "asm 0 \"nop\"\nglobal @g size 64 align 8\nglobal @h size 64 align 8\nglobal @w size 64 "      \
    "align 8 weak\n"                                                                               \
    "global @c size 64 align 8 common\nglobal @r size 64 align 8 const replaceable\n"              \
    "extern global @x size 64 align 8\nextern function void @call(i32)\n"                          \
    "extern function i32 @setjmp(i64) returns_twice\n"                                             \
    "function i32 @f(i64 %p.0, i64 %q.0, i32 %v.0) {\n"                                            \
    "slot $s size 64 align 8\nslot $t size 64 align 8\n"
#define TAIL " -> 8\n8: return %v.0\n}\n"

// Node 7 is the load that becomes a move, or what else is given, of a register.
static const struct {
    const char *code;
    const char *from;
    Op op;
} stale[] = {
    {"0: %a.1 = load.i32 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0 + 4]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] -> 7\n7: %b.1 = load.i32 [%q.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g] -> 7\n7: %b.1 = load.i32 [@h]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [$s] -> 7\n7: %b.1 = load.i32 [$t]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0 + %q.0*4] -> 7\n7: %b.1 = load.i32 [%p.0 + %q.0*8]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0 + %q.0*4] -> 7\n7: %b.1 = load.i32 [%q.0 + %p.0*4]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0 + %q.0*1] -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.u16 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0] -> 7\n7: %b.1 = load.u16 [%p.0]", "%a.1", OP_ZEXT16_I32},
    {"0: %a.1 = load.i8 [%p.0] -> 7\n7: %b.1 = load.u8 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.u8 [%p.0] -> 7\n7: %b.1 = load.i8 [%p.0]", "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i8 [%p.0] -> 7\n7: %b.1 = load.i8 [%p.0]", "%a.1", OP_ZEXT8_I32},
    {"0: store.i8 [%p.0], %v.0 -> 7\n7: %b.1 = load.i8 [%p.0]", "%v.0", OP_MOVE_I32},
    {"0: store.i16 [%p.0], %v.0 -> 7\n7: %b.1 = load.u16 [%p.0]", "%v.0", OP_ZEXT8_I32},
    {"0: store.i16 [%p.0], %v.0 -> 7\n7: %b.1 = load.u16 [%p.0]", "%v.0", OP_SEXT16_I32},
    {"0: store.i32 [%p.0], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%v.0", OP_NOT_I32},
    {"0: %a.1 = load.f32 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_BITS_I32_F32},
    {"0: %a.1 = load.i64 [%p.0] -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1", OP_TRUNC_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i32 [%q.0], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i32 [@g], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [%p.0], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@w], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@r], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@r]\n1: call @call(%v.0) -> 7\n7: %b.1 = load.i32 [@r]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@x], %v.0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@c]\n1: store.i32 [@g], %v.0 -> 7\n7: %b.1 = load.i32 [@c]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: store.i32 [@g + %q.0*4], %v.0 -> 7\n7: %b.1 = load.i32 [@g]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i8 [%p.0 + 3], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i64 [%p.0 - 7], %q.0 -> 7\n7: %b.1 = load.i32 [%p.0]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: store.i32 [%p.0], %v.0 -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: call @call(%v.0) -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: store.i32 [$s], %v.0\n1: %a.1 = call @setjmp(%p.0) -> 7\n7: %b.1 = load.i32 [$s]", "%v.0",
     OP_MOVE_I32},
    {"0: store.i32 [$s], %v.0\n1: call void(i32) returns_twice %p.0(%v.0) -> 7\n7: %b.1 = load.i32 "
     "[$s]",
     "%v.0", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: store.i64 [@g], %r.1\n2: store.i32 [$s], %v.0\n3: call @call(%v.0)"
     " -> 7\n7: %b.1 = load.i32 [$s]",
     "%v.0", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: %u.1 = add.i64 %r.1, 4\n2: store.i32 [$s], %v.0\n"
     "3: store.i32 [%u.1 - 4], %w.0 -> 7\n7: %b.1 = load.i32 [$s]",
     "%v.0", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: store.i32 [$s], %v.0\n2: memset %r.1, %v.0, 8 -> 7\n"
     "7: %b.1 = load.i32 [$s]",
     "%v.0", OP_MOVE_I32},
    {"0: %r.1 = addr $s + 4\n1: store.i32 [$s + 4], %v.0\n2: store.i32 [%r.1], %w.0 -> 7\n"
     "7: %b.1 = load.i32 [$s + 4]",
     "%v.0", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [%p.0]\n1: memcpy %q.0, %p.0, 4 -> 7\n7: %b.1 = load.i32 [%p.0]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: fence acquire -> 7\n7: %b.1 = load.i32 [@g]", "%a.1",
     OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: asm %p.0, 0 -> 7\n7: %b.1 = load.i32 [@g]", "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: store.i32 [$s], %v.0\n2: asm %r.1, 0 -> 7\n7: %b.1 = load.i32 [$s]",
     "%v.0", OP_MOVE_I32},
    // From one object's address, in a register, to another object.
    {"0: %r.1 = addr @g\n1: %a.1 = load.i32 [@h]\n2: store.i32 [%r.1 + %q.0*1], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr $s\n1: %u.1 = add.i64 %r.1, %q.0\n2: %a.1 = load.i32 [@h]\n"
     "3: store.i32 [%r.1 + %q.0*1], %v.0 -> 7\n7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g + 64\n1: %a.1 = load.i32 [@h]\n2: store.i32 [%r.1], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %a.1 = load.i32 [@h]\n2: store.i32 [%r.1 - 4], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g + 60\n1: %a.1 = load.i32 [@h]\n2: memset %r.1, %v.0, 8 -> 7\n"
     "7: %b.1 = load.i32 [@h]",
     "%a.1", OP_MOVE_I32},
    {"0: %r.1 = addr @g\n1: %a.1 = load.i32 [%r.1 + %q.0*1]\n2: store.i32 [@h], %v.0 -> 7\n"
     "7: %b.1 = load.i32 [%r.1 + %q.0*1]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: volatile_store.i32 [@g + 2], %v.0 -> 7\n7: %b.1 = load.i32 [@g]",
     "%a.1", OP_MOVE_I32},
    {"0: %a.1 = load.i32 [@g]\n1: %u.1 = atomic_add.i32 [%p.0], %v.0 relaxed -> 7\n"
     "7: %b.1 = load.i32 [@g]",
     "%a.1", OP_MOVE_I32},
};

static void test_stale_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        Arena *arena = arena_new("forgery");
        bool extra = strstr(stale[i].code, "%w.0") != NULL;
        const char *text = arena_printf(arena, "%s%s%s%s", HEAD, extra ? "reg i32 %w.0\n" : "",
                                        stale[i].code, TAIL);
        Forgery f = {.arena = arena, .before = parse(arena, text)};
        f.after = func_clone(f.before, arena);
        vec_push(arena, &f.hint.facts_at, 0);
        uint32_t node = 0;
        while (func_label(f.before, (Node){node}) != 7) node++;
        replace(&f, node, stale[i].op, reg(&f, stale[i].from));
        expect_rejected(&f, "the load does not yield what this computes");
        arena_free(arena);
    }
}

// ---- Joins

// A loop (join 3) around a diamond (join 8), with places that are held all the way, by a phi, and
// not.
static const char loop[] = "global @g size 64 align 8\n"
                           "global @h size 64 align 8\n"
                           "function i32 @f(i64 %p.0, i32 %n.0) {\n"
                           "  slot $s size 64 align 8\n"
                           "  0: store.i32 [@g], %n.0\n"
                           "  1: store.i32 [$s], %n.0\n"
                           "  2: nop\n"
                           "  3: %x.1 = phi(2: %n.0, 13: %y.1)\n"
                           "  3: if lt.i32 %x.1, 99 then 4 else 14\n"
                           "  4: %a.1 = load.i32 [$s]\n"
                           "  5: if lt.i32 %a.1, %x.1 then 6 else 7\n"
                           "  6: nop -> 8\n"
                           "  7: nop\n"
                           "  8: %b.1 = load.i32 [@g]\n"
                           "  9: %c.1 = load.i32 [@h]\n"
                           "  10: %d.1 = add.i32 %b.1, %c.1\n"
                           "  11: %y.1 = add.i32 %d.1, %a.1\n"
                           "  12: store.i32 [@g], %y.1\n"
                           "  13: nop -> 3\n"
                           "  14: %e.1 = load.i32 [@g]\n"
                           "  15: %f.1 = load.i32 [$s + 4]\n"
                           "  16: return %e.1\n"
                           "}\n";

static uint32_t place_at(const Forgery *f, uint32_t node) {
    return places_of(f->arena, f->before).target[node];
}

// The fact about the place of a node's access, at one of the two joins.
static ForwardFact *fact(Forgery *f, uint32_t join, uint32_t node) {
    for (uint32_t i = f->hint.facts_at.at[join]; i < f->hint.facts_at.at[join + 1]; i++)
        if (f->hint.facts.at[i].place == place_at(f, node)) return &f->hint.facts.at[i];
    fail_msg("there is no such fact");
    return NULL;
}

static void drop_fact(Forgery *f, uint32_t join, uint32_t node) {
    ForwardFact *gone = fact(f, join, node);
    *gone = f->hint.facts.at[f->hint.facts_at.at[join + 1] - 1];
    ForwardHint hint = {0};
    for (uint32_t j = 0; j < 2; j++) {
        vec_push(f->arena, &hint.facts_at, hint.facts.count);
        for (uint32_t i = f->hint.facts_at.at[j]; i < f->hint.facts_at.at[j + 1] - (j == join); i++)
            vec_push(f->arena, &hint.facts, f->hint.facts.at[i]);
    }
    vec_push(f->arena, &hint.facts_at, hint.facts.count);
    f->hint = hint;
}

static void add_fact(Forgery *f, uint32_t join, uint32_t place, Reg held) {
    ForwardHint hint = {0};
    for (uint32_t j = 0; j < 2; j++) {
        vec_push(f->arena, &hint.facts_at, hint.facts.count);
        for (uint32_t i = f->hint.facts_at.at[j]; i < f->hint.facts_at.at[j + 1]; i++)
            vec_push(f->arena, &hint.facts, f->hint.facts.at[i]);
        ForwardFact added = {.place = place, .reg = held};
        if (j == join) vec_push(f->arena, &hint.facts, added);
    }
    vec_push(f->arena, &hint.facts_at, hint.facts.count);
    f->hint = hint;
}

static void phi_instead_of_register(Forgery *f) {
    fact(f, 0, 4)->reg = fact(f, 1, 4)->reg = reg(f, "%x.1");
    at(f, 4)->arg[0] = reg(f, "%x.1");
    expect_rejected(f, "of join 3 does not hold here");
}
static void register_instead_of_phi(Forgery *f) {
    fact(f, 0, 8)->reg = fact(f, 1, 8)->reg = reg(f, "%n.0");
    at(f, 8)->arg[0] = at(f, 14)->arg[0] = reg(f, "%n.0");
    expect_rejected(f, "of join 3 does not hold here");
}
static void register_of_the_iteration_before(Forgery *f) {
    fact(f, 0, 8)->reg = reg(f, "%y.1");
    expect_rejected(f, "of join 3 does not hold here");
}
static void place_of_another(Forgery *f) {
    fact(f, 0, 4)->place = place_at(f, 15);
    expect_rejected(f, "of join 3 does not hold here");
}
static void fact_missing_at_header(Forgery *f) {
    drop_fact(f, 0, 4);
    expect_rejected(f, "the load does not yield what this computes");
}
static void fact_missing_in_the_middle(Forgery *f) {
    drop_fact(f, 1, 8);
    expect_rejected(f, "the load does not yield what this computes");
}
static void fact_missing_on_the_way(Forgery *f) {
    drop_fact(f, 1, 4);
    expect_rejected(f, "of join 3 does not hold here");
}
static void fact_out_of_nothing(Forgery *f) {
    add_fact(f, 0, place_at(f, 9), reg(f, "%n.0"));
    expect_rejected(f, "of join 3 does not hold here");
}
static void fact_by_itself(Forgery *f) { // it would hold if it held the first time
    add_fact(f, 0, place_at(f, 9), reg(f, "%c.1"));
    expect_rejected(f, "of join 3 does not hold here");
}
static void place_that_is_none(Forgery *f) {
    fact(f, 0, 4)->place = 99;
    expect_rejected(f, "is about nothing that exists");
}
static void register_that_is_none(Forgery *f) {
    f->hint.facts.at[1].reg.i = f->before->regs.count;
    expect_rejected(f, "is about nothing that exists");
}
static void rows_missing(Forgery *f) {
    f->hint.facts_at.count--;
    expect_rejected(f, "the hint does not cover every join");
}
static void rows_start_late(Forgery *f) {
    f->hint.facts_at.at[0] = 1;
    expect_rejected(f, "the hint does not cover every join");
}
static void rows_end_early(Forgery *f) {
    f->hint.facts_at.at[2]--;
    expect_rejected(f, "the hint does not cover every join");
}
static void row_backwards(Forgery *f) {
    f->hint.facts_at.at[1] = f->hint.facts.count + 1;
    expect_rejected(f, "the hint for join number 1 is no row");
}
static void another_register_moved(Forgery *f) {
    at(f, 14)->arg[0] = reg(f, "%n.0");
    expect_rejected(f, "the load does not yield what this computes");
}
static void load_without_fact_moved(Forgery *f) {
    replace(f, 15, OP_MOVE_I32, reg(f, "%n.0"));
    expect_rejected(f, "the load does not yield what this computes");
}
static void load_became_constant(Forgery *f) {
    Instr *load = at(f, 9);
    *load = (Instr){.kind = I_OP,
                    .op = OP_CONST_I32,
                    .dest = load->dest,
                    .succ_count = 1,
                    .succ = {load->succ[0]}};
    expect_rejected(f, "the load does not yield what this computes");
}
static void load_of_another_place(Forgery *f) {
    at(f, 9)->imm = 4;
    expect_rejected(f, "the instruction has changed");
}
static void store_erased(Forgery *f) {
    *at(f, 12) = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{13}}};
    expect_rejected(f, "the instruction has changed");
}
static void store_of_another_value(Forgery *f) {
    at(f, 12)->arg[0] = reg(f, "%x.1");
    expect_rejected(f, "the instruction has changed");
}
static void operand_changed(Forgery *f) {
    at(f, 10)->arg[0] = reg(f, "%x.1");
    expect_rejected(f, "the instruction has changed");
}
static void branch_swapped(Forgery *f) {
    Node first = at(f, 5)->succ[0];
    at(f, 5)->succ[0] = at(f, 5)->succ[1];
    at(f, 5)->succ[1] = first;
    expect_rejected(f, "its successors differ");
}
static void phi_argument_changed(Forgery *f) {
    f->after->phi_args.at[1] = reg(f, "%n.0");
    expect_rejected(f, "the phis differ");
}
static void slot_changed(Forgery *f) {
    f->after->slots.at[0].size = 32;
    expect_rejected(f, "slot 0 has changed");
}
static void node_added(Forgery *f) {
    func_add(f->after, *at(f, 16));
    vec_push(f->arena, &f->after->phi_at, f->after->phis.count);
    expect_rejected(f, "the number of nodes has changed");
}

typedef void Forge(Forgery *forgery);

static void test_joins(void **state) {
    (void)state;
    static Forge *const forgeries[] = {phi_instead_of_register,
                                       register_instead_of_phi,
                                       register_of_the_iteration_before,
                                       place_of_another,
                                       fact_missing_at_header,
                                       fact_missing_in_the_middle,
                                       fact_missing_on_the_way,
                                       fact_out_of_nothing,
                                       fact_by_itself,
                                       place_that_is_none,
                                       register_that_is_none,
                                       rows_missing,
                                       rows_start_late,
                                       rows_end_early,
                                       row_backwards,
                                       another_register_moved,
                                       load_without_fact_moved,
                                       load_became_constant,
                                       load_of_another_place,
                                       store_erased,
                                       store_of_another_value,
                                       operand_changed,
                                       branch_swapped,
                                       phi_argument_changed,
                                       slot_changed,
                                       node_added};
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        Arena *arena = arena_new("forgery");
        Forgery f = {.arena = arena, .before = parse(arena, loop)};
        f.after = forward(arena, f.before, &f.hint);
        expect(&f, true, NULL);
        forgeries[i](&f);
        arena_free(arena);
    }
}

static void test_entry_with_predecessor(void **state) {
    (void)state;
    Arena *arena = arena_new("forgery");
    Forgery f = {.arena = arena,
                 .before = parse(arena, "function i32 @f(i64 %p.0) {\n"
                                        " 0: %a.1 = load.i32 [%p.0]\n 1: nop -> 0\n}\n")};
    f.after = func_clone(f.before, arena);
    vec_push(arena, &f.hint.facts_at, 0);
    expect_rejected(&f, "the entry has a predecessor");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stale_values),
                                       cmocka_unit_test(test_joins),
                                       cmocka_unit_test(test_entry_with_predecessor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
