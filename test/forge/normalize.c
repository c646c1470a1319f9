// Forged normalizations: wrong functions and wrong hints that check_copies or check_shape must
// reject, each for the right reason. Every forgery starts from a normalization that is accepted,
// changes one thing, and is still well-formed, so that nothing but the checker stands in its way.
#include "analysis/graph.h"
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/norm_claims.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- The functions that forgeries start from

static const char simple_loop[] = "function i32 @f(i32 %n) {\n"
                                  "  0: %x = const.i32 1\n"
                                  "  1: %i = const.i32 1\n"
                                  "  3: if lt.i32 %i, %n then 4 else 15\n"
                                  "  4: if lt.i32 %x, 9 then 5 else 7\n"
                                  "  5: %x = add.i32 %x, 2 -> 12\n"
                                  "  7: if gt.i32 %x, 50 then 8 else 10\n"
                                  "  8: %x = add.i32 %x, 1 -> 12\n"
                                  "  10: %x = mul.i32 %x, 2\n"
                                  "  12: %i = add.i32 %i, 1 -> 3\n"
                                  "  15: return %x\n"
                                  "}\n";

// An inner loop with an exit that leaves both loops.
static const char nested_loops[] = "function i32 @f(i32 %n) {\n"
                                   "  slot $s size 8 align 8\n"
                                   "  0: %i = const.i32 0\n"
                                   "  1: if lt.i32 %i, %n then 2 else 9\n"
                                   "  2: %j = const.i32 0\n"
                                   "  3: if lt.i32 %j, %n then 4 else 7\n"
                                   "  4: %k = mul.i32 %i, %j\n"
                                   "  5: if gt.i32 %k, 50 then 9 else 6\n"
                                   "  6: %j = add.i32 %j, 1 -> 3\n"
                                   "  7: %i = add.i32 %i, 1 -> 1\n"
                                   "  9: return %i\n"
                                   "}\n";

// Two loops, one after the other.
static const char two_loops[] = "function i32 @f(i32 %n) {\n"
                                "  0: %i = const.i32 0\n"
                                "  1: if lt.i32 %i, %n then 2 else 3\n"
                                "  2: %i = add.i32 %i, 1 -> 1\n"
                                "  3: if gt.i32 %i, 0 then 4 else 5\n"
                                "  4: %i = sub.i32 %i, 1 -> 3\n"
                                "  5: return %i\n"
                                "}\n";

static const char with_switch[] = "function i32 @f(i32 %n) {\n"
                                  "  0: switch %n { 0: 1, 1: 2, 5: 1, default: 3 }\n"
                                  "  1: %n = add.i32 %n, 1 -> 3\n"
                                  "  2: %n = add.i32 %n, 2\n"
                                  "  3: return %n\n"
                                  "}\n";

// An irreducible region with `entries` entries, each followed by `length` additions in a ring, so
// large that it is not split.
static char *irreducible(Arena *arena, uint32_t entries, uint32_t length) {
    Out text = {0};
    out_text(&text, "function i32 @f(i32 %n, i32 %m) {\n  0: switch %m { ");
    for (uint32_t e = 1; e < entries; e++) out_printf(&text, "%u: %u, ", e, e * 1000);
    out_text(&text, "default: 9 }\n  9: nop -> 100\n");
    for (uint32_t e = 0; e < entries; e++) {
        uint32_t first = e ? e * 1000 : 100;
        for (uint32_t i = 0; i < length; i++)
            out_printf(&text, "  %u: %%n = add.i32 %%n, %u\n", first + i, e + 1);
        out_printf(&text, "  %u: if lt.i32 %%n, 1000 then %u else 99999\n", first + length,
                   e + 1 < entries ? (e + 1) * 1000 : 100);
    }
    out_text(&text, "  99999: return %n\n}\n");
    char *copy = arena_text(arena, text.text, text.length);
    out_free(&text);
    return copy;
}

// ---- A normalization to forge

typedef struct {
    Arena *arena;
    const Func *before;
    Func *after;
    NormClaims hint;
} Forgery;

static const Func *parse(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_RTL, "forge.rtl", text, strlen(text));
    assert_non_null(program);
    Complaints complaints = {.arena = arena};
    assert_true(verify_program(&complaints, program));
    diag_free(&diag);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func) return program->symbols.at[i].func;
    return NULL;
}

static Forgery start(Arena *arena, const char *text) {
    Forgery forgery = {.arena = arena, .before = parse(arena, text)};
    forgery.after = norm_run(arena, forgery.before, &forgery.hint);
    Verdict verdict = norm_check(arena, forgery.before, forgery.after, &forgery.hint);
    if (!verdict.accepted) fail_msg("rejected before anything was forged: %s", verdict.reason);
    return forgery;
}

static void expect_rejected(Forgery *forgery, const char *reason) {
    Complaints complaints = {.arena = forgery->arena};
    if (!verify_func(&complaints, forgery->after))
        fail_msg("the forgery is not well-formed: %s", complaints.list.at[0].message);
    Verdict verdict = norm_check(forgery->arena, forgery->before, forgery->after, &forgery->hint);
    if (verdict.accepted) fail_msg("accepted; expected: %s", reason);
    if (!strstr(verdict.reason, reason))
        fail_msg("rejected because '%s'; expected: %s", verdict.reason, reason);
}

// ---- Finding nodes

static Instr *at(Forgery *f, uint32_t node) {
    return &f->after->nodes.at[node];
}

// The n-th node, from 0, of a kind.
static uint32_t nth(Forgery *f, InstrKind kind, uint32_t n) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (at(f, i)->kind == kind && n-- == 0) return i;
    fail_msg("there is no such node");
    return 0;
}

static uint32_t nth_hint(Forgery *f, NormKind kind, uint32_t n) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (f->hint.nodes.at[i].kind == kind && n-- == 0) return i;
    fail_msg("there is no such node");
    return 0;
}

static uint32_t nth_header(Forgery *f, uint32_t n) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (f->hint.nodes.at[i].loop.i == i && n-- == 0) return i;
    fail_msg("there is no such loop");
    return 0;
}

static uint32_t latch_of(Forgery *f, uint32_t header) {
    for (uint32_t i = f->after->nodes.count; i-- > header;)
        if (at(f, i)->succ_count == 1 && at(f, i)->succ[0].i == header) return i;
    fail_msg("the loop has no latch");
    return 0;
}

// The setting of a dispatch register.
static uint32_t nth_setting(Forgery *f, uint32_t n) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (at(f, i)->kind == I_OP && f->hint.nodes.at[i].kind == NORM_STUTTER && n-- == 0)
            return i;
    fail_msg("there is no such setting");
    return 0;
}

static uint32_t dispatcher(Forgery *f) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (at(f, i)->kind != I_NOP && f->hint.nodes.at[i].kind == NORM_DISPATCH) return i;
    fail_msg("nothing dispatches");
    return 0;
}

// Renumbers the forged function (and its hint) in reverse postorder after its edges have changed,
// so that a forgery is judged by its shape and not by its numbering. Loop hints move along.
static void renumber(Forgery *f) {
    Graph graph = graph_of(f->arena, f->after);
    Func *func = func_like(f->after, f->arena);
    NormClaims hint = {
        .dispatches = {.at = f->hint.dispatches.at, .count = f->hint.dispatches.count}};
    for (uint32_t i = 0; i < graph.reached; i++) {
        uint32_t old = graph.order[i];
        Node node = func_copy_instr(func, f->after, at(f, old));
        for (uint32_t k = 0; k < at(f, old)->succ_count; k++) {
            uint32_t succ = instr_succs(f->after, at(f, old))[k].i;
            func_set_succ(func, node, k, (Node){graph.number[succ]});
        }
        NormNode moved = f->hint.nodes.at[old];
        Node outer = f->hint.outer_loop.at[old];
        if (moved.loop.i != NO_ID) moved.loop.i = graph.number[moved.loop.i];
        if (outer.i != NO_ID) outer.i = graph.number[outer.i];
        vec_push(f->arena, &hint.nodes, moved);
        vec_push(f->arena, &hint.outer_loop, outer);
    }
    f->after = func;
    f->hint = hint;
}

// Appends a node with its hint.
static Node append(Forgery *f, Instr instr, NormNode stands) {
    vec_push(f->arena, &f->hint.nodes, stands);
    vec_push(f->arena, &f->hint.outer_loop, NO_NODE);
    return func_add(f->after, instr);
}

static Node append_nop(Forgery *f, Node succ) {
    NormNode stands = f->hint.nodes.at[succ.i];
    if (stands.kind == NORM_STEP) stands.kind = NORM_STUTTER;
    return append(f, (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}},
                  stands);
}

// Takes a nop with one predecessor out of the graph.
static void bypass(Forgery *f, uint32_t nop) {
    Node succ = at(f, nop)->succ[0];
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        for (uint32_t k = 0; k < at(f, i)->succ_count; k++)
            if (instr_succs(f->after, at(f, i))[k].i == nop)
                func_set_succ(f->after, (Node){i}, k, succ);
    renumber(f);
}

// ---- The forgeries: one function each, named after what it does

#define FORGERIES(FORGE)                                                                           \
    FORGE(entry_stands_for_another, simple_loop, "the entry does not stand for the old entry")     \
    FORGE(constant_changed, simple_loop, "the instruction differs")                                \
    FORGE(operator_changed, simple_loop, "the instruction differs")                                \
    FORGE(destination_changed, simple_loop, "does not hold")                                       \
    FORGE(argument_changed, simple_loop, "the instruction differs")                                \
    FORGE(branch_swapped, simple_loop, "does not lead on from that of old node")                   \
    FORGE(condition_and_branch_swapped, simple_loop, "the instruction differs")                    \
    FORGE(return_value_changed, simple_loop, "the instruction differs")                            \
    FORGE(instruction_dropped, simple_loop, "does not lead on from that of old node")              \
    FORGE(instruction_doubled, simple_loop, "the instruction differs")                             \
    FORGE(instruction_made_nop, simple_loop, "does not lead on from that of old node")             \
    FORGE(nop_hides_instruction, simple_loop, "does not lead on from that of old node")            \
    FORGE(nop_leads_elsewhere, simple_loop, "does not lead on from that of old node")              \
    FORGE(stutter_forever, simple_loop, "added nodes form a cycle")                                \
    FORGE(stutter_ring, simple_loop, "added nodes form a cycle")                                   \
    FORGE(unreachable_node, simple_loop, "1 nodes cannot be reached")                              \
    FORGE(numbers_exchanged, simple_loop, "the numbering is not a reverse postorder")              \
    FORGE(hint_too_short, simple_loop, "the hint does not cover every node")                       \
    FORGE(hint_out_of_range, simple_loop, "an old node that does not exist")                       \
    FORGE(join_after_instruction, simple_loop, "an instruction other than nop leads to join")      \
    FORGE(join_after_branch, with_switch, "an instruction other than nop leads to join")           \
    FORGE(pad_missing, simple_loop, "leaves a loop without a landing pad")                         \
    FORGE(pad_shared, nested_loops, "leaves a loop without a landing pad")                         \
    FORGE(one_pad_for_two_loops, nested_loops, "leaves a loop without a landing pad")              \
    FORGE(latch_missing, simple_loop, "an instruction other than nop leads to join")               \
    FORGE(second_latch, simple_loop, "the loop has 2 latches")                                     \
    FORGE(second_entry, two_loops, "the loop has 2 entries")                                       \
    FORGE(loop_denied, simple_loop, "goes back to no header")                                      \
    FORGE(loop_invented, with_switch, "to which it does not return")                               \
    FORGE(loop_too_large, simple_loop, "to which it does not return")                              \
    FORGE(loop_too_small, simple_loop, "enters a loop beside its header")                          \
    FORGE(loop_without_header, simple_loop, "its loop has no header")                              \
    FORGE(inner_loop_called_outer, nested_loops, "leaves or skips a loop")                         \
    FORGE(outer_loop_of_a_body_node, nested_loops, "its outer loop has no header")                 \
    FORGE(loops_nested_falsely, two_loops, "leaves or skips a loop")                               \
    FORGE(outer_loop_is_itself, nested_loops, "its outer loop has no header")                      \
    FORGE(inner_latch_skips, nested_loops, "does not come from its own loop")                      \
    FORGE(entry_is_header, simple_loop, "the entry has a predecessor")                             \
    FORGE(parameter_replaced, simple_loop, "parameter 0 has changed")                              \
    FORGE(register_retyped, simple_loop, "register")                                               \
    FORGE(slot_shrunk, nested_loops, "slot 0 has changed")                                         \
    FORGE(slot_added, nested_loops, "the number of slots has changed")                             \
    FORGE(case_value_changed, with_switch, "the instruction differs")                              \
    FORGE(cases_exchanged, with_switch, "does not lead on from that of old node")                  \
    FORGE(case_dropped, with_switch, "the instruction differs")

#define DISPATCH_FORGERIES(FORGE)                                                                  \
    FORGE(wrong_value_set, 2, "the instruction differs")                                           \
    FORGE(value_out_of_table, 2, "leads to a dispatch, which it does not set")                     \
    FORGE(dispatch_swapped, 2, "the instruction differs")                                          \
    FORGE(table_exchanged, 2, "the instruction differs")                                           \
    FORGE(old_register_dispatches, 2, "differs")                                                   \
    FORGE(dispatch_without_setting, 2, "leads to a dispatch, which it does not set")               \
    FORGE(dispatch_on_another_register, 2, "does not lead to old node")                            \
    FORGE(dispatch_target_out_of_range, 2, "names an old node that does not exist")                \
    FORGE(dispatch_index_out_of_range, 2, "an old node that does not exist")                       \
    FORGE(nop_leaves_dispatch, 2, "a nop on the way to a dispatch leads elsewhere")                \
    FORGE(setting_ends_dispatch, 3, "the instruction differs")                                     \
    FORGE(switch_targets_exchanged, 3, "the instruction differs")                                  \
    FORGE(switch_case_renumbered, 3, "does not lead to old node")                                  \
    FORGE(irreducible_left, 2, "goes back to no header")

static void entry_stands_for_another(Forgery *f) {
    f->hint.nodes.at[0].target = 1;
}
static void constant_changed(Forgery *f) {
    at(f, 0)->imm = 2;
}
static void operator_changed(Forgery *f) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (at(f, i)->op == OP_MUL_I32 && at(f, i)->kind == I_OP) at(f, i)->op = OP_ADD_I32;
}
static void destination_changed(Forgery *f) {
    at(f, 0)->dest = at(f, 1)->dest;
}
static void argument_changed(Forgery *f) {
    at(f, nth(f, I_COND, 1))->arg[0] = at(f, nth(f, I_COND, 0))->arg[0];
}
static void branch_swapped(Forgery *f) {
    Instr *branch = at(f, nth(f, I_COND, 1));
    Node first = branch->succ[0];
    branch->succ[0] = branch->succ[1];
    branch->succ[1] = first;
    renumber(f);
}
static void condition_and_branch_swapped(Forgery *f) { // behaves the same, but is not the same step
    branch_swapped(f);
    Instr *branch = at(f, nth(f, I_COND, 1));
    branch->op = OP_GE_I32;
}
static void return_value_changed(Forgery *f) {
    at(f, nth(f, I_RETURN, 0))->arg[0] = f->after->params.at[0];
}
static void instruction_dropped(Forgery *f) {
    at(f, 0)->succ[0] = at(f, 1)->succ[0];
    renumber(f);
}
static void instruction_doubled(Forgery *f) {
    Node twin = append(f, *at(f, 1), f->hint.nodes.at[1]);
    at(f, 1)->succ[0] = twin;
    renumber(f);
}
static void instruction_made_nop(Forgery *f) {
    *at(f, 1) =
        (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {at(f, 1)->succ[0]}};
}
static void nop_hides_instruction(Forgery *f) {
    instruction_made_nop(f);
    f->hint.nodes.at[1].kind = NORM_STUTTER;
}
static void nop_leads_elsewhere(Forgery *f) {
    uint32_t nop = nth_hint(f, NORM_STUTTER, 0);
    f->hint.nodes.at[nop].target = f->hint.nodes.at[0].target;
}
static void stutter_forever(Forgery *f) {
    uint32_t nop = nth_hint(f, NORM_STUTTER, 0);
    at(f, nop)->succ[0] = (Node){nop};
    renumber(f);
}
static void stutter_ring(Forgery *f) {
    uint32_t nop = nth_hint(f, NORM_STUTTER, 0);
    Node second = append_nop(f, (Node){nop});
    at(f, nop)->succ[0] = second;
    renumber(f);
}
static void unreachable_node(Forgery *f) {
    append_nop(f, (Node){0});
    at(f, f->after->nodes.count - 1)->succ[0] = (Node){f->after->nodes.count - 2};
    NormNode *stands = f->hint.nodes.at;
    stands[f->after->nodes.count - 1].target = stands[f->after->nodes.count - 2].target;
}
static void numbers_exchanged(Forgery *f) { // two nodes in a straight line change places
    uint32_t a = nth_hint(f, NORM_STEP, 4), b = a + 1;
    Instr instr = *at(f, a);
    *at(f, a) = *at(f, b);
    *at(f, b) = instr;
    NormNode stands = f->hint.nodes.at[a];
    f->hint.nodes.at[a] = f->hint.nodes.at[b];
    f->hint.nodes.at[b] = stands;
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        for (uint32_t k = 0; k < at(f, i)->succ_count; k++) {
            uint32_t succ = instr_succs(f->after, at(f, i))[k].i;
            if (succ == a || succ == b) func_set_succ(f->after, (Node){i}, k, (Node){a + b - succ});
        }
}
static void hint_too_short(Forgery *f) {
    f->hint.nodes.count--;
}
static void hint_out_of_range(Forgery *f) {
    f->hint.nodes.at[2].target = f->before->nodes.count;
}
static void join_after_instruction(Forgery *f) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (at(f, i)->kind == I_OP && at(f, i)->op == OP_MUL_I32) {
            bypass(f, at(f, i)->succ[0].i);
            return;
        }
}
static void join_after_branch(Forgery *f) {
    bypass(f, instr_succs(f->after, at(f, nth(f, I_SWITCH, 0)))[1].i);
}
static void pad_missing(Forgery *f) {
    bypass(f, at(f, nth_header(f, 0))->succ[1].i);
}
// The exit of both loops and that of the outer one meet in what was the second pad of the former.
static void pad_shared(Forgery *f) {
    Node outer_pad = at(f, nth_header(f, 0))->succ[1];
    Node inner_pad = at(f, nth(f, I_COND, 2))->succ[0];
    at(f, outer_pad.i)->succ[0] = at(f, inner_pad.i)->succ[0];
    renumber(f);
}
static void one_pad_for_two_loops(Forgery *f) {
    Node pad = at(f, nth(f, I_COND, 2))->succ[0];
    bypass(f, at(f, pad.i)->succ[0].i);
}
static void latch_missing(Forgery *f) {
    bypass(f, latch_of(f, nth_header(f, 0)));
}
// One of the three ways through the body goes back to the header by itself: it gets its own copy of
// the increment and of the latch.
static void second_latch(Forgery *f) {
    uint32_t header = nth_header(f, 0), latch = latch_of(f, header);
    uint32_t increment = latch - 1, nop = 0;
    while (at(f, nop)->kind != I_NOP || at(f, nop)->succ[0].i != increment) nop++;
    Node other = append(f, *at(f, increment), f->hint.nodes.at[increment]);
    Node back = append(f, *at(f, latch), f->hint.nodes.at[latch]);
    at(f, other.i)->succ[0] = back;
    at(f, nop)->succ[0] = other;
    renumber(f);
}
// One turn of the first loop is unrolled in front of it, and leaves it straight to the second loop.
static void second_entry(Forgery *f) {
    uint32_t first = nth_header(f, 0), second = nth_header(f, 1), before = 0;
    uint32_t increment = at(f, first)->succ[0].i;
    while (at(f, before)->succ[0].i != first) before++;
    Node test = append(f, *at(f, first), f->hint.nodes.at[first]);
    Node body = append(f, *at(f, increment), f->hint.nodes.at[increment]);
    Node enter = append_nop(f, (Node){first});
    Node leave = append_nop(f, (Node){second});
    for (uint32_t i = test.i; i <= leave.i; i++) f->hint.nodes.at[i].loop = NO_NODE;
    at(f, before)->succ[0] = test;
    at(f, test.i)->succ[0] = body;
    at(f, test.i)->succ[1] = leave;
    at(f, body.i)->succ[0] = enter;
    renumber(f);
}
static void loop_denied(Forgery *f) {
    for (uint32_t i = 0; i < f->after->nodes.count; i++) f->hint.nodes.at[i].loop = NO_NODE;
}
static void loop_invented(Forgery *f) {
    uint32_t last = f->after->nodes.count - 1;
    f->hint.nodes.at[last].loop = (Node){last};
}
static void loop_too_large(Forgery *f) {
    uint32_t header = nth_header(f, 0);
    for (uint32_t i = header; i < f->after->nodes.count; i++) f->hint.nodes.at[i].loop.i = header;
}
// The nop at the end of one way through the body poses as a landing pad.
static void loop_too_small(Forgery *f) {
    uint32_t nop = at(f, nth(f, I_COND, 1))->succ[0].i + 1;
    assert_int_equal(at(f, nop)->kind, I_NOP);
    f->hint.nodes.at[nop].loop = NO_NODE;
}
static void loop_without_header(Forgery *f) {
    uint32_t header = nth_header(f, 0);
    f->hint.nodes.at[header].loop = NO_NODE;
}
static void inner_loop_called_outer(Forgery *f) {
    f->hint.outer_loop.at[nth_header(f, 1)] = NO_NODE;
}
static void outer_loop_of_a_body_node(Forgery *f) {
    f->hint.outer_loop.at[nth_header(f, 1) + 1] = (Node){nth_header(f, 0)};
}
static void loops_nested_falsely(Forgery *f) {
    f->hint.outer_loop.at[nth_header(f, 1)] = (Node){nth_header(f, 0)};
}
static void outer_loop_is_itself(Forgery *f) {
    f->hint.outer_loop.at[nth_header(f, 1)] = (Node){nth_header(f, 1)};
}
// The outer loop's latch is said to lie in the inner loop.
static void inner_latch_skips(Forgery *f) {
    f->hint.nodes.at[latch_of(f, nth_header(f, 0))].loop = (Node){nth_header(f, 1)};
    // and so is everything between, so that no edge enters beside the header
    for (uint32_t i = nth_header(f, 1); i < latch_of(f, nth_header(f, 0)); i++)
        if (f->hint.nodes.at[i].loop.i == nth_header(f, 0))
            f->hint.nodes.at[i].loop = (Node){nth_header(f, 1)};
}
// A program that starts with its loop header loses the nop in front.
static void entry_is_header(Forgery *f) {
    f->before = parse(f->arena, "function i32 @f(i32 %n) {\n"
                                "  0: if lt.i32 %n, 10 then 1 else 2\n"
                                "  1: %n = add.i32 %n, 1 -> 0\n"
                                "  2: return %n\n"
                                "}\n");
    f->hint = (NormClaims){0};
    f->after = norm_run(f->arena, f->before, &f->hint);
    assert_int_equal(at(f, 0)->kind, I_NOP);
    Func *func = func_like(f->after, f->arena);
    for (uint32_t i = 1; i < f->after->nodes.count; i++) {
        Node node = func_copy_instr(func, f->after, at(f, i));
        for (uint32_t k = 0; k < at(f, i)->succ_count; k++)
            func_set_succ(func, node, k, (Node){instr_succs(f->after, at(f, i))[k].i - 1});
    }
    f->after = func;
    f->hint.nodes.at++, f->hint.nodes.count--;
    f->hint.outer_loop.at++, f->hint.outer_loop.count--;
    for (uint32_t i = 0; i < func->nodes.count; i++)
        if (f->hint.nodes.at[i].loop.i != NO_ID) f->hint.nodes.at[i].loop.i--;
}
static void parameter_replaced(Forgery *f) {
    Reg other = f->after->params.at[0];
    for (uint32_t i = 0; i < f->after->regs.count; i++)
        if (i != f->after->params.at[0].i) other.i = i;
    f->after->params.at[0] = other;
}
static void register_retyped(Forgery *f) {
    Reg unused = func_temp((Func *)f->before, TYPE_I32);
    RegInfo *info = vec_extend(f->arena, &f->after->regs, 1);
    *info = f->before->regs.at[unused.i];
    info->type = TYPE_I64;
    f->after->next_temp = f->before->next_temp;
}
static void slot_shrunk(Forgery *f) {
    f->after->slots.at[0].size = 4;
}
static void slot_added(Forgery *f) {
    func_add_slot(f->after, (SlotInfo){.size = 8, .align = 8});
}
static void case_value_changed(Forgery *f) {
    f->after->case_pool.at[2] = 6;
}
static void cases_exchanged(Forgery *f) {
    uint32_t node = nth(f, I_SWITCH, 0);
    Node one = instr_succs(f->after, at(f, node))[1], two = instr_succs(f->after, at(f, node))[2];
    func_set_succ(f->after, (Node){node}, 1, two);
    func_set_succ(f->after, (Node){node}, 2, one);
    renumber(f);
}
static void case_dropped(Forgery *f) {
    uint32_t node = nth(f, I_SWITCH, 0);
    at(f, node)->succ_count--;
    renumber(f);
}

static void wrong_value_set(Forgery *f) {
    at(f, nth_setting(f, 0))->imm ^= 1;
}
static void value_out_of_table(Forgery *f) {
    at(f, nth_setting(f, 0))->imm = 2;
}
static void dispatch_swapped(Forgery *f) {
    Instr *branch = at(f, dispatcher(f));
    Node first = branch->succ[0];
    branch->succ[0] = branch->succ[1];
    branch->succ[1] = first;
    renumber(f);
}
static void table_exchanged(Forgery *f) {
    CopiesDispatch *dispatch = &f->hint.dispatches.at[0];
    Node *targets = arena_copy(f->arena, dispatch->targets, 2 * sizeof(Node));
    Node first = targets[0];
    targets[0] = targets[1];
    targets[1] = first;
    dispatch->targets = targets;
}
static void old_register_dispatches(Forgery *f) {
    Reg old = f->after->params.at[0];
    f->hint.dispatches.at[0].reg = old;
    at(f, dispatcher(f))->arg[0] = old;
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        if (at(f, i)->kind == I_OP && f->hint.nodes.at[i].kind == NORM_STUTTER)
            at(f, i)->dest = old;
}
// The nodes that set the register are passed by.
static void dispatch_without_setting(Forgery *f) {
    uint32_t setting = nth_setting(f, 0);
    Node behind = at(f, setting)->succ[0];
    for (uint32_t i = 0; i < f->after->nodes.count; i++)
        for (uint32_t k = 0; k < at(f, i)->succ_count; k++)
            if (instr_succs(f->after, at(f, i))[k].i == setting)
                func_set_succ(f->after, (Node){i}, k, behind);
    renumber(f);
}
static void dispatch_on_another_register(Forgery *f) {
    at(f, dispatcher(f))->arg[0] = f->after->params.at[0];
}
static void dispatch_target_out_of_range(Forgery *f) {
    Node *targets = ARENA_ARRAY(f->arena, Node, 2);
    targets[0] = f->hint.dispatches.at[0].targets[0];
    targets[1] = (Node){f->before->nodes.count};
    f->hint.dispatches.at[0].targets = targets;
}
static void dispatch_index_out_of_range(Forgery *f) {
    f->hint.nodes.at[dispatcher(f)].target = 1;
}
static void nop_leaves_dispatch(Forgery *f) {
    uint32_t nop = nth_hint(f, NORM_DISPATCH, 0);
    while (at(f, nop)->kind != I_NOP) nop++;
    at(f, nop)->succ[0] = at(f, dispatcher(f))->succ[0];
    renumber(f);
}
// A setting goes straight to a target, as if the register did not matter.
static void setting_ends_dispatch(Forgery *f) {
    uint32_t setting = nth_setting(f, 0);
    at(f, setting)->succ[0] = instr_succs(f->after, at(f, dispatcher(f)))[0];
    renumber(f);
}
static void switch_targets_exchanged(Forgery *f) {
    uint32_t node = dispatcher(f);
    Node one = instr_succs(f->after, at(f, node))[1], two = instr_succs(f->after, at(f, node))[2];
    func_set_succ(f->after, (Node){node}, 1, two);
    func_set_succ(f->after, (Node){node}, 2, one);
    renumber(f);
}
static void switch_case_renumbered(Forgery *f) {
    f->after->case_pool.at[at(f, dispatcher(f))->aux + 1] = 7;
}
// The function as it was, with nops before joins but still irreducible.
static void irreducible_left(Forgery *f) {
    Func *func = func_like(f->before, f->arena);
    f->hint = (NormClaims){0};
    for (uint32_t i = 0; i < f->before->nodes.count; i++) {
        func_copy_instr(func, f->before, &f->before->nodes.at[i]);
        vec_push(f->arena, &f->hint.nodes,
                 (NormNode){.kind = NORM_STEP, .target = i, .loop = NO_NODE});
        vec_push(f->arena, &f->hint.outer_loop, NO_NODE);
    }
    f->after = func;
    Preds preds = preds_of(f->arena, func);
    uint32_t count = func->nodes.count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < at(f, i)->succ_count; k++) {
            Node succ = instr_succs(func, at(f, i))[k];
            if (preds_count(&preds, succ) > 1 && at(f, i)->kind != I_NOP)
                func_set_succ(func, (Node){i}, k, append_nop(f, succ));
        }
    for (uint32_t i = 0; i < f->hint.nodes.count; i++) f->hint.nodes.at[i].loop = NO_NODE;
    renumber(f);
}

// ---- Running them

#define TEST(name, text, reason)                                                                   \
    static void test_##name(void **state) {                                                        \
        (void)state;                                                                               \
        Arena *arena = arena_new("forge");                                                         \
        Forgery forgery = start(arena, text);                                                      \
        name(&forgery);                                                                            \
        expect_rejected(&forgery, reason);                                                         \
        arena_free(arena);                                                                         \
    }
#define DISPATCH_TEST(name, entries, reason) TEST(name, irreducible(arena, entries, 60), reason)

FORGERIES(TEST)
DISPATCH_FORGERIES(DISPATCH_TEST)

int main(void) {
#define ENTRY(name, text, reason) cmocka_unit_test(test_##name),
    const struct CMUnitTest tests[] = {FORGERIES(ENTRY) DISPATCH_FORGERIES(ENTRY)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
