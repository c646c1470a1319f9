// Forged inlinings: copies that do something else than the call, and sites that are none. All of
// them are well-formed, so that nothing but the checker stands in their way.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// g: branches, a switch, a slot, a call. h: an aggregate comes and another goes.
static const char text[] =
    "function i32 @f(i32 %a, i32 %b) {\n"
    "  slot $s size 16 align 8\n"
    "  0: %x = call @g(%a, %b)\n"
    "  1: %p = addr $s\n"
    "  2: %c = const.i64 5\n"
    "  3: store.i64 [%p], %c\n"
    "  4: store.i64 [%p + 8], %c\n"
    "  5: call @h(%p, %x) into %p\n"
    "  6: call @g(%x, %x)\n"
    "  7: %y = load.i32 [%p]\n"
    "  8: %w = call @k(%y)\n"
    "  9: %v = call @m(%y)\n"
    "  10: %w = add.i32 %w, %v\n"
    "  11: return %w\n"
    "}\n"
    "function i32 @g(i32 %a, i32 %b) static {\n"
    "  slot $t size 8 align 4\n"
    "  0: if lt.i32 %a, %b then 1 else 3\n"
    "  1: store.i32 [$t + 4], %a\n"
    "  2: %a = call @k(%b)\n"
    "  3: switch %a { 1: 4, 7: 5, default: 6 }\n"
    "  4: return %b\n"
    "  5: %a = sub.i32 %a, %b\n"
    "  6: return %a\n"
    "}\n"
    "function agg(16 align 8: i64, i64) @h(agg(16 align 8: i64, i64) %p, i32 %n) static {\n"
    "  slot $r size 16 align 8\n"
    "  0: %x = load.i64 [%p]\n"
    "  1: store.i64 [$r], %x\n"
    "  2: store.i64 [%p + 8], %x\n"
    "  3: %q = addr $r\n"
    "  4: memcpy %q, %p, 8\n"
    "  5: return %q\n"
    "}\n"
    "function i32 @k(i32 %n) static {\n"
    "  0: %n = add.i32 %n, 1\n"
    "  1: return %n\n"
    "}\n"
    "function i32 @m(i32 %n) static {\n"
    "  0: %n = mul.i32 %n, 3\n"
    "  1: return %n\n"
    "}\n";

static Sym sym_of(const Func *func, const char *name) {
    return program_find(func->program, str_of(&func->program->strings, name));
}

static Bodies bodies; // of the forgery at hand

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_inline_calls, arena, &bodies, before, after, hint);
}

static Forgery start_with(const char *program, const char *const *offered, uint32_t count) {
    Arena *arena = arena_new("forgery");
    const Func *before = forge_parse(arena, FORM_RTL, program);
    bodies = bodies_new(arena, before->program);
    for (uint32_t i = 0; i < count; i++) {
        Sym symbol = sym_of(before, offered[i]);
        bodies.of[symbol.i] =
            (OfferedBody){.rtl = program_at(before->program, symbol)->func, .once = true};
    }
    CopiesHint *hint = ARENA_NEW(arena, CopiesHint);
    Func *after = inline_calls(arena, &bodies, before, hint);
    assert_non_null(after);
    return (Forgery){
        .arena = arena, .before = before, .after = after, .hint = hint, .check = check};
}

// All but m is offered.
static Forgery start(void) {
    Forgery forgery = start_with(text, (const char *const[]){"g", "h", "k"}, 3);
    assert_int_equal(((CopiesHint *)forgery.hint)->sites.count, 4);
    return forgery;
}

static void test_codes(void **state) {
    (void)state;
    static const CodeForgery forgeries[] = {
        {"differs from that of old node 2", {{"2: %c = const.i64 5", "2: %c = const.i64 6"}}},
        {"differs from that of old node 11", {{"11: return %w", "11: return %y"}}},
        {"does not lead on from that of old node 8",
         {{"7: %y = load.i32 [%p]\n", "7: %y = load.i32 [%p] -> 9\n"}}},
        {"argument 0 is not passed", {{"0: nop -> 12", "0: nop -> 13"}}},
        {"argument 0 is not passed", {{"0: nop -> 12", "0: %a = move.i32 %b -> 12"}}},
        {"argument 0 is not passed", {{"12: %a'1 = move.i32 %a", "12: %a'1 = move.i32 %b"}}},
        {"argument 0 is not passed", {{"12: %a'1 = move.i32 %a", "12: %b'1 = move.i32 %a"}}},
        {"differs from that of old node 0", {{"12: %a'1 = move.i32 %a", "12: %a'1 = not.i32 %a"}}},
        {"differs from that of old node 0", {{"13: %b'1 = move.i32 %b", "13: %b'1 = const.i32 3"}}},
        {"does not lead on from that of old node 0",
         {{"13: %b'1 = move.i32 %b\n", "13: %b'1 = move.i32 %b -> 15\n"}}},
        {"differs from that of old node 0",
         {{"if lt.i32 %a'1, %b'1 then 15", "if lt.i32 %a, %b'1 then 15"}}},
        {"does not lead on from that of old node 1",
         {{"if lt.i32 %a'1, %b'1 then 15 else 17", "if lt.i32 %a'1, %b'1 then 17 else 15"}}},
        {"differs from that of old node 0",
         {{"if lt.i32 %a'1, %b'1 then 15", "if le.i32 %a'1, %b'1 then 15"}}},
        {"differs from that of old node 1",
         {{"15: store.i32 [$1 + 4], %a'1", "15: store.i32 [$1], %a'1"}}},
        {"differs from that of old node 1",
         {{"15: store.i32 [$1 + 4], %a'1", "15: store.i32 [$s + 4], %a'1"}}},
        {"differs from that of old node 1",
         {{"15: store.i32 [$1 + 4], %a'1", "15: store.i32 [$4 + 4], %a'1"}}},
        {"does not lead on from that of old node 1", {{"15: store.i32 [$1 + 4], %a'1", "15: nop"}}},
        {"register 8 does not hold", {{"16: %a'1 = call @k(%b'1)", "16: %b'1 = call @k(%b'1)"}}},
        {"differs from that of old node 2",
         {{"16: %a'1 = call @k(%b'1)", "16: %a'1 = call @m(%b'1)"}}},
        {"differs from that of old node 3",
         {{"17: switch %a'1 { 1: 18, 7: 19", "17: switch %a'1 { 1: 18, 8: 19"}}},
        {"does not lead on from that of old node 4",
         {{"17: switch %a'1 { 1: 18, 7: 19", "17: switch %a'1 { 1: 19, 7: 18"}}},
        {"differs from that of old node 5",
         {{"19: %a'1 = sub.i32 %a'1, %b'1", "19: %a'1 = sub.i32 %b'1, %a'1"}}},
        {"register 2 does not hold",
         {{"18: %x = move.i32 %b'1 -> 1", "18: %x = move.i32 %a'1 -> 1"}}},
        {"does not lead on from that of old node 4",
         {{"18: %x = move.i32 %b'1 -> 1", "18: %x = move.i32 %b'1 -> 2"}}},
        {"register 5 does not hold",
         {{"18: %x = move.i32 %b'1 -> 1", "18: %y = move.i32 %b'1 -> 1"}}},
        {"register 2 does not hold", {{"18: %x = move.i32 %b'1 -> 1", "18: nop -> 1"}}},
        {"differs from that of old node 4", {{"18: %x = move.i32 %b'1 -> 1", "18: return %b'1"}}},
        {"differs from that of old node 5", {{"21: %p'1 = addr $3\n", "21: %p'1 = addr $2\n"}}},
        {"differs from that of old node 5", {{"21: %p'1 = addr $3\n", "21: %p'1 = addr $3 + 8\n"}}},
        {"differs from that of old node 5", {{"21: %p'1 = addr $3\n", "21: %p'1 = move.i64 %p\n"}}},
        {"differs from that of old node 5",
         {{"22: memcpy %p'1, %p, 16", "22: memcpy %p, %p'1, 16"}}},
        {"differs from that of old node 5",
         {{"22: memcpy %p'1, %p, 16", "22: memcpy %p'1, %p, 8"}}},
        {"argument 0 is not passed", {{"22: memcpy %p'1, %p, 16", "22: nop"}}},
        {"differs from that of old node 5", {{"29: memcpy %p, %q, 16", "29: memcpy %q, %p, 16"}}},
        {"differs from that of old node 5", {{"29: memcpy %p, %q, 16", "29: memcpy %p, %q, 12"}}},
        {"differs from that of old node 5", {{"29: memcpy %p, %q, 16", "29: memcpy %p'1, %q, 16"}}},
        {"register 0 does not hold", {{"36: nop -> 7", "36: %a = move.i32 %b'2 -> 7"}}},
        {"slot 3 is not that of the copy", {{"slot $3 size 16 align 8", "slot $3 size 8 align 8"}}},
        {"slot 1 is not that of the copy", {{"slot $1 size 8 align 4", "slot $1 size 4 align 4"}}},
        {"slot 1 is not that of the copy", {{"slot $1 size 8 align 4", "slot $1 size 8 align 2"}}},
        {"the hint does not cover every node",
         {{"41: %w = move.i32 %n'1 -> 9\n", "41: %w = move.i32 %n'1 -> 9\n  42: return %x\n"}}},
    };
    forge_codes(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- Hints and callees

static CopiesHint *hint_of(Forgery *f) {
    return f->hint;
}
static Symbol *callee(Forgery *f, const char *name) {
    return program_at(f->before->program, sym_of(f->before, name));
}
static OfferedBody *offered(Forgery *f, const char *name) {
    return &bodies.of[sym_of(f->before, name).i];
}
// A copy of a body, in its place, to be changed.
static Func *another_body(Forgery *f, const char *name) {
    Func *body = func_clone(offered(f, name)->rtl, f->arena);
    offered(f, name)->rtl = body;
    return body;
}

static void drop_site(Forgery *f) {
    hint_of(f)->sites.count--;
}
static void exchange_sites(Forgery *f) {
    hint_of(f)->sites.at[0] = (Node){6};
    hint_of(f)->sites.at[2] = (Node){0};
}
static void repeat_site(Forgery *f) {
    hint_of(f)->sites.at[1] = (Node){0};
}
static void site_beyond(Forgery *f) {
    hint_of(f)->sites.at[0] = (Node){40};
}
static void no_call(Forgery *f) {
    hint_of(f)->sites.at[0] = (Node){1};
}
static void not_offered(Forgery *f) {
    offered(f, "g")->rtl = NULL;
}
static void other_body(Forgery *f) {
    offered(f, "g")->rtl = offered(f, "k")->rtl;
}
static void weak(Forgery *f) {
    callee(f, "k")->linkage = LINK_WEAK;
}
static void common(Forgery *f) {
    callee(f, "k")->linkage = LINK_COMMON;
}
static void replaceable(Forgery *f) {
    callee(f, "k")->linkage = LINK_EXPORT;
    callee(f, "k")->flags |= SYMF_REPLACEABLE;
}
static void alias(Forgery *f) {
    callee(f, "k")->alias =
        program_find(f->before->program, str_of(&f->before->program->strings, "m"));
}
static void other_form(Forgery *f) {
    another_body(f, "k")->form = FORM_SSA;
}
static void other_signature(Forgery *f) {
    another_body(f, "k")->sig = callee(f, "g")->sig;
}
static void allocates(Forgery *f) {
    Func *body = another_body(f, "k");
    Reg reg = func_temp(body, TYPE_I64);
    func_add(body, (Instr){.kind = I_BUILTIN, .op = BI_STACK_SAVE, .dest = reg, .succ_count = 1});
}
// The register that h returns is set to something else as well: it need not be the address of the
// slot.
static void set_first(Func *func, Node node, Reg to, Reg from) {
    Instr *instr = &func->nodes.at[node.i];
    *instr = (Instr){.kind = I_OP,
                     .op = OP_MOVE_I64,
                     .dest = to,
                     .arg_count = 1,
                     .arg = {from},
                     .succ_count = 1,
                     .succ = {instr->succ[0]}};
}
static void returns_other(Forgery *f) {
    Func *body = another_body(f, "h");
    set_first(body, (Node){4}, forge_reg(body, "%q"), forge_reg(body, "%p"));
    set_first(f->after, (Node){28}, forge_reg(f->after, "%q"), forge_reg(f->after, "%p'1"));
}
static void fewer_nodes(Forgery *f) {
    f->after->nodes.count = 5;
}
static void half_a_copy(Forgery *f) {
    f->after->nodes.count -= 3;
}
static void fewer_registers(Forgery *f) {
    f->after->regs.count--;
}
static void fewer_slots(Forgery *f) {
    f->after->slots.count = 1;
}
static void more_slots(Forgery *f) {
    func_add_slot(f->after, (SlotInfo){.size = 8, .align = 8});
}
static void claim_ssa(Forgery *f) {
    f->after->form = FORM_SSA;
}

static void test_hints(void **state) {
    (void)state;
    static const HintForgery forgeries[] = {
        {"a site less", drop_site, "the hint names a copy that does not exist"},
        {"sites exchanged", exchange_sites, "differs from that of old node 0"},
        {"a site twice", repeat_site, "slot 2 is not that of the copy"},
        {"a site beyond the nodes", site_beyond, "site 0 is no node"},
        {"a site that is no call", no_call, "a site is no call of a function by name that goes on"},
        {"not offered", not_offered, "has no body"},
        {"the body of another", other_body, "has no body"},
        {"a weak callee", weak, "may be replaced"},
        {"a common callee", common, "may be replaced"},
        {"a callee that another object may define", replaceable, "may be replaced"},
        {"an alias", alias, "has no body"},
        {"a body in SSA", other_form, "has no body"},
        {"another signature", other_signature, "does not fit"},
        {"a body with alloca", allocates, "the frame of 'k' must be its own"},
        {"an aggregate from elsewhere", returns_other, "differs from that of old node 5"},
        {"fewer nodes", fewer_nodes, "the hint does not cover every node"},
        {"half a copy", half_a_copy, "the hint does not cover every node"},
        {"fewer registers", fewer_registers, "not complete"},
        {"fewer slots", fewer_slots, "not complete"},
        {"more slots", more_slots, "the number of slots has changed"},
        {"SSA", claim_ssa, "the forms are not rtl and rtl"},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- The entry is reached from outside, too

// q's body reads its aggregate, of which it has a copy.
static const char passes_aggregate[] = "function i32 @f(i64 %p) {\n"
                                       "  0: %x = call @q(%p)\n"
                                       "  1: return %x\n"
                                       "}\n"
                                       "function i32 @q(agg(24 align 4) %p) static {\n"
                                       "  0: %x = load.i32 [%p + 4]\n"
                                       "  1: return %x\n"
                                       "}\n";

// The only predecessor of the entry sets the register that the entry copies to. At the first time
// nobody has set it.
static void test_entry(void **state) {
    (void)state;
    Forgery f = start_with(passes_aggregate, (const char *const[]){"q"}, 1);
    assert_int_equal(hint_of(&f)->sites.count, 1);
    forge_expect_accepted(&f, "before anything was forged");
    Edit edits[MAX_EDITS] = {{"0: nop -> 2", "0: memcpy %p'1, %p, 24 -> 4"},
                             {"2: %p'1 = addr $0\n", "2: %p'1 = addr $0 -> 0\n"},
                             {"3: memcpy %p'1, %p, 24", "3: return %x"}};
    f.after = forge_edit(f.arena, f.after, edits);
    hint_of(&f)->old.at[3] = (Node){1};
    assert_true(forge_is_well_formed(&f));
    forge_expect_rejected(&f, "the entry copies", "differs from that of old node 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes), cmocka_unit_test(test_hints),
                                       cmocka_unit_test(test_entry)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
