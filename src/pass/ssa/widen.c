// Widens counters. `for (int i = 0; i < n; i++) a[i]` extends i in every round. If i provably does
// not wrap, a 64-bit counter replaces i.
//
// A counter is a phi i of a loop header with i + 1 or i - 1 from the latch, that is extended in the
// loop. The wide counter must suffice for all uses of i: extensions, of i, of the sum, and of
// neighbours (i + 1, i - 1); and comparisons, in branches, with registers that are set outside of
// the loop. Otherwise both counters would have to be kept, without a gain. The test of the loop
// shows that i does not wrap: i is less than something whenever the header is reached; the inverted
// loop has that test in front of it, too.
#include "pass/pass.h"

#include "fact/comparison.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"
#include "graph/versions.h"
#include "pass/insert.h"

#include <stdlib.h>

enum { MOST_ANCESTORS = 64 }; // of a node in the dominator tree, that are looked at for a test

typedef struct {
    uint32_t phi; // in Func.phis
    Node header;
    uint32_t entry, latch; // which of the header's predecessors
    Reg narrow;            // the phi's destination
    Reg sum;               // the value from the latch
    int64_t step;          // 1 or -1
    uint32_t extensions;   // how often it, or its sum, is extended
    bool looks_back;       // there is a neighbour on the side from which it comes
    bool good;
    Reg wide, start; // made at last
} Counter;

typedef struct {
    Arena *arena;
    const Func *func;
    WidenHint *hint;
    Preds preds;
    Dominance dom;
    LoopNest loop_nest;
    const Definition *definitions;
    uint32_t *counts; // register -> the counter that it is, or is the sum or a neighbour of; NO_ID
    VEC(Counter) counters;
    VEC(uint32_t) neighbours; // nodes with sums beside those that are counted
    Func *grown;              // carries the added registers
    Reg *wide;                // counter, sum or neighbour -> its extension
    Reg *other; // node of a comparison -> extension of what a counter is compared with
    VEC(Insertion) insertions;
} Widen;

// ---- Counters

// The sum of a register and 1 or -1 that a node computes; 0 if it computes another thing.
static int64_t step_of(const Instr *instr) {
    bool sum = instr->kind == I_OP && instr->op == OP_ADD_I32 && instr->immediate;
    return sum && (instr->imm == 1 || instr->imm == -1) ? instr->imm : 0;
}

static void find_counter(Widen *state, Node header, uint32_t entry, uint32_t phi) {
    const Func *func = state->func;
    const Reg *args = phi_args(func, &func->phis.at[phi]);
    Reg narrow = func->phis.at[phi].dest;
    if (reg_type(func, narrow) != TYPE_I32) return;
    Counter counter = {.phi = phi,
                       .header = header,
                       .latch = !entry,
                       .entry = entry,
                       .narrow = narrow,
                       .good = true};
    counter.sum = args[counter.latch];
    const Instr *sum = defining_instr(func, state->definitions, counter.sum);
    if (!sum) return;
    counter.step = step_of(sum);
    if (!counter.step || sum->arg[0].i != narrow.i) return;
    state->counts[narrow.i] = state->counts[counter.sum.i] = state->counters.count;
    vec_push(state->arena, &state->counters, counter);
}

static bool is_simple_header(const Widen *state, Node node, uint32_t *entry) {
    return loop_nest_is_header(&state->loop_nest, node) &&
           header_is_plain(&state->preds, &state->dom, node, entry) &&
           func_at(state->func, preds_at(&state->preds, node)[*entry])->kind == I_NOP;
}

static void find_counters(Widen *state) {
    const Func *func = state->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t entry;
        if (!func_phi_count(func, (Node){n}) || !is_simple_header(state, (Node){n}, &entry))
            continue;
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
            find_counter(state, (Node){n}, entry, func->phi_at.at[n] + i);
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) { // sums beside
        const Instr *instr = &func->nodes.at[n];
        if (!step_of(instr) || state->counts[instr->dest.i] != NO_ID) continue;
        uint32_t counter = state->counts[instr->arg[0].i];
        if (counter == NO_ID || state->counters.at[counter].narrow.i != instr->arg[0].i) continue;
        state->counts[instr->dest.i] = counter;
        state->counters.at[counter].looks_back |= instr->imm != state->counters.at[counter].step;
        vec_push(state->arena, &state->neighbours, n);
    }
}

// ---- Uses

// Whether a register is set before a loop is entered.
static bool is_invariant(const Widen *state, const Counter *counter, Reg reg) {
    Node set = state->definitions[reg.i].node;
    Node entry = preds_at(&state->preds, counter->header)[counter->entry];
    return set.i == NO_ID || dominates(&state->dom, set, entry);
}

static bool is_signed_comparison(const Instr *instr) {
    Op op = (Op)instr->op;
    return instr->kind == I_COND && op_compares_integers(op) && op_info(op)->at == TYPE_I32 &&
           !op_compares_unsigned(op);
}

// Whether an instruction can use the wide register in the place of an argument.
static bool can_be_widened(const Widen *state, Counter *counter, const Instr *instr, Node node) {
    if (instr->kind == I_OP && instr->op == OP_SEXT_I64) {
        counter->extensions += loop_nest_contains(&state->loop_nest, counter->header, node);
        return true;
    }
    if (step_of(instr) && state->counts[instr->dest.i] == state->counts[instr->arg[0].i] &&
        instr->arg[0].i == counter->narrow.i)
        return true;
    if (!is_signed_comparison(instr)) return false;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (state->counts[instr->arg[k].i] == NO_ID && !is_invariant(state, counter, instr->arg[k]))
            return false;
    return instr->immediate || instr->arg[0].i == instr->arg[1].i ||
           state->counts[instr->arg[0].i] == NO_ID || state->counts[instr->arg[1].i] == NO_ID;
}

static void look_at_uses(Widen *state) {
    const Func *func = state->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Reg *args = instr_args(func, instr);
        for (uint32_t k = 0; k < instr->arg_count; k++) {
            uint32_t of = state->counts[args[k].i];
            if (of == NO_ID) continue;
            Counter *counter = &state->counters.at[of];
            if (!can_be_widened(state, counter, instr, (Node){n})) counter->good = false;
        }
    }
    // The sum goes round by its own phi, and by no other; nothing else leaves by a phi.
    for (uint32_t p = 0; p < func->phis.count; p++) {
        uint32_t next =
            p + 1 < func->phis.count ? func->phis.at[p + 1].args_at : func->phi_args.count;
        for (uint32_t i = func->phis.at[p].args_at; i < next; i++) {
            uint32_t of = state->counts[func->phi_args.at[i].i];
            if (of == NO_ID) continue;
            Counter *counter = &state->counters.at[of];
            bool round = counter->phi == p && func->phi_args.at[i].i == counter->sum.i;
            if (!round) counter->good = false;
        }
    }
}

// ---- Reasons

// Whether going a way of a branch says that a register is not at the edge.
static bool says(const Comparison *fact, Reg reg, bool smallest) {
    bool first = fact->a.i == reg.i;
    if ((!first && fact->b.i != reg.i) || fact->a.i == fact->b.i) return false;
    bool lt_or_le = fact->op == OP_LT_I32 || fact->op == OP_LE_I32;
    bool gt_or_ge = fact->op == OP_GT_I32 || fact->op == OP_GE_I32;
    if (!lt_or_le && !gt_or_ge) return false;
    bool less = lt_or_le == fact->holds;
    bool strict = fact->holds == (fact->op == OP_LT_I32 || fact->op == OP_GT_I32);
    if (first != (less != smallest)) return false;
    return strict || (fact->b.i == NO_ID && fact->imm != (smallest ? INT32_MIN : INT32_MAX));
}

// Looks up the dominator tree for an edge that says so.
static bool find_edge(const Widen *state, Node from, Reg reg, bool smallest, BranchEdge *edge) {
    const Func *func = state->func;
    for (uint32_t i = 0; i < MOST_ANCESTORS && from.i != NO_ID; i++) {
        Node idom = state->dom.idom[from.i];
        Comparison fact;
        if (idom.i != NO_ID && preds_sole(&state->preds, from).i == idom.i &&
            func_at(func, idom)->kind == I_COND) {
            uint32_t way = func_at(func, idom)->succ[0].i == from.i ? 0 : 1;
            if (comparison_of_way(func, idom, way, &fact) && says(&fact, reg, smallest)) {
                *edge = (BranchEdge){.branch = idom, .way = way};
                return true;
            }
        }
        from = idom;
    }
    return false;
}

static const Instr *operator_of(const Widen *state, Reg reg) {
    const Instr *instr = defining_instr(state->func, state->definitions, reg);
    return instr && instr->kind == I_OP ? instr : NULL;
}

// Adds the reasons why a counter is never at the edge; `other` says that the reasons for the other
// edge are known, so that its sum is not at this edge.
static bool add_reasons(Widen *state, const Counter *counter, bool smallest, bool other) {
    const Reg *args = phi_args(state->func, &state->func->phis.at[counter->phi]);
    uint32_t start = state->hint->reasons.count;
    for (uint32_t k = 0; k < 2; k++) {
        WidenReason reason = {.phi = counter->narrow,
                              .argument = k,
                              .smallest = smallest,
                              .edge = {.branch = NO_NODE}};
        const Instr *set = operator_of(state, args[k]);
        bool good =
            set && set->op == OP_CONST_I32 && set->imm != (smallest ? INT32_MIN : INT32_MAX);
        if (!good && other && k == counter->latch && counter->step == (smallest ? 1 : -1))
            good = true;
        if (!good)
            good = find_edge(state, preds_at(&state->preds, counter->header)[k], args[k], smallest,
                             &reason.edge);
        if (!good) {
            state->hint->reasons.count = start;
            return false;
        }
        vec_push(state->arena, &state->hint->reasons, reason);
    }
    return true;
}

// ---- The new function

static Reg new_wide(Widen *state, Reg narrow) {
    Reg reg = func_temp(state->grown, TYPE_I64);
    state->grown->regs.at[reg.i].version = VERSION_FIRST_SET;
    vec_push(state->arena, &state->hint->narrow, narrow);
    return reg;
}

static Reg insert_extension(Widen *state, uint32_t behind, Reg narrow) {
    Reg wide = new_wide(state, narrow);
    const Instr *set = operator_of(state, narrow);
    Insertion insertion = {
        .behind = behind,
        .instr = {.kind = I_OP, .op = OP_SEXT_I64, .dest = wide, .arg_count = 1, .arg = {narrow}}};
    if (set && set->op == OP_CONST_I32)
        insertion.instr = (Instr){.kind = I_OP, .op = OP_CONST_I64, .dest = wide, .imm = set->imm};
    vec_push(state->arena, &state->insertions, insertion);
    return wide;
}

static void insert_sum(Widen *state, Node behind, Reg of) {
    const Instr *instr = func_at(state->func, behind);
    Insertion insertion = {.behind = behind.i,
                           .instr = {.kind = I_OP,
                                     .op = OP_ADD_I64,
                                     .dest = new_wide(state, instr->dest),
                                     .immediate = true,
                                     .arg_count = 1,
                                     .arg = {of},
                                     .imm = instr->imm,
                                     .loc = instr->loc}};
    state->wide[instr->dest.i] = insertion.instr.dest;
    vec_push(state->arena, &state->insertions, insertion);
}

// Decides on a counter, with its reasons.
static void settle(Widen *state, uint32_t number) {
    Counter *counter = &state->counters.at[number];
    bool smallest = counter->step < 0;
    uint32_t start = state->hint->reasons.count;
    counter->good = counter->good && counter->extensions &&
                    add_reasons(state, counter, smallest, false) &&
                    (!counter->looks_back || add_reasons(state, counter, !smallest, true));
    if (!counter->good) state->hint->reasons.count = start;
}

static const Counter *good_counter(const Widen *state, Reg reg) {
    uint32_t of = state->counts[reg.i];
    return of != NO_ID && state->counters.at[of].good ? &state->counters.at[of] : NULL;
}

// Extends what counters are compared with, in front of their loops.
static void extend_others(Widen *state, Node node) {
    const Instr *instr = func_at(state->func, node);
    if (!is_signed_comparison(instr) || instr->immediate) return;
    for (uint32_t k = 0; k < 2; k++) {
        const Counter *counter = good_counter(state, instr->arg[k]);
        Reg other = instr->arg[1 - k];
        if (!counter || state->counts[other.i] != NO_ID) continue;
        Node entry = preds_at(&state->preds, counter->header)[counter->entry];
        state->other[node.i] = insert_extension(state, entry.i, other);
    }
}

static void make_insertions(Widen *state) {
    for (uint32_t i = 0; i < state->counters.count; i++) {
        Counter *counter = &state->counters.at[i];
        if (!counter->good) continue;
        const Reg *args = phi_args(state->func, &state->func->phis.at[counter->phi]);
        Node entry = preds_at(&state->preds, counter->header)[counter->entry];
        counter->wide = state->wide[counter->narrow.i] = new_wide(state, counter->narrow);
        counter->start = insert_extension(state, entry.i, args[counter->entry]);
        insert_sum(state, state->definitions[counter->sum.i].node, counter->wide);
    }
    for (uint32_t i = 0; i < state->neighbours.count; i++) {
        Node node = {state->neighbours.at[i]};
        const Counter *counter = good_counter(state, func_at(state->func, node)->dest);
        if (counter) insert_sum(state, node, counter->wide);
    }
    for (uint32_t n = 0; n < state->func->nodes.count; n++) extend_others(state, (Node){n});
}

static void widen_instruction(const Widen *state, const Instr *then, Reg other, Instr *now) {
    if (then->kind == I_OP && then->op == OP_SEXT_I64 && good_counter(state, then->arg[0])) {
        now->op = OP_MOVE_I64;
        now->arg[0] = state->wide[then->arg[0].i];
        return;
    }
    bool counts = false;
    for (uint32_t k = 0; k < then->arg_count && is_signed_comparison(then); k++)
        counts |= good_counter(state, then->arg[k]) != NULL;
    if (!counts) return;
    now->op = (uint16_t)op_for((Op)then->op, TYPE_I64);
    for (uint32_t k = 0; k < then->arg_count; k++)
        now->arg[k] = good_counter(state, then->arg[k]) ? state->wide[then->arg[k].i] : other;
}

static void add_phis(const Widen *state, Func *result, const uint32_t *place) {
    const Func *func = state->func;
    for (uint32_t n = 0, next = 0; n < func->nodes.count; n++) {
        uint32_t width = preds_count(&state->preds, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Phi *phi = &func_phis(func, (Node){n})[i];
            func_add_phi(result, (Node){place[n]}, phi->dest, phi_args(func, phi), width);
        }
        for (; next < state->counters.count && state->counters.at[next].header.i == n; next++) {
            const Counter *counter = &state->counters.at[next];
            if (!counter->good) continue;
            Reg args[2];
            args[counter->entry] = counter->start;
            args[counter->latch] = state->wide[counter->sum.i];
            func_add_phi(result, (Node){place[n]}, counter->wide, args, 2);
        }
    }
    func_end_phis(result);
}

static Func *build(Widen *state) {
    uint32_t *place;
    make_insertions(state);
    Func *result = insert_behind(state->arena, state->grown, state->insertions.at,
                                 state->insertions.count, &place);
    Node *old = vec_extend(state->arena, &state->hint->old, result->nodes.count);
    for (uint32_t n = 0; n < result->nodes.count; n++) old[n] = NO_NODE;
    for (uint32_t n = 0; n < state->func->nodes.count; n++) {
        old[place[n]] = (Node){n};
        widen_instruction(state, &state->func->nodes.at[n], state->other[n],
                          &result->nodes.at[place[n]]);
    }
    add_phis(state, result, place);
    return result;
}

static int compare_reasons(const void *left, const void *right) {
    const WidenReason *a = left, *b = right;
    if (a->phi.i != b->phi.i) return a->phi.i < b->phi.i ? -1 : 1;
    if (a->smallest != b->smallest) return a->smallest ? 1 : -1;
    return a->argument < b->argument ? -1 : a->argument > b->argument;
}

static bool has_extension(const Func *func) {
    for (uint32_t n = 0; func->phis.count && n < func->nodes.count; n++)
        if (func->nodes.at[n].kind == I_OP && func->nodes.at[n].op == OP_SEXT_I64) return true;
    return false;
}

Func *widen(Arena *arena, const Func *func, WidenHint *hint) {
    if (!has_extension(func)) return NULL;
    Widen state = {.arena = arena, .func = func, .hint = hint, .preds = preds_of(arena, func)};
    state.dom = dominance_of(arena, func, &state.preds);
    state.loop_nest = loop_nest_of(arena, func, &state.preds, &state.dom);
    if (!state.loop_nest.reducible) return NULL;
    state.definitions = definitions_of(arena, func);
    state.counts = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) state.counts[r] = NO_ID;
    find_counters(&state);
    look_at_uses(&state);
    bool any = false;
    for (uint32_t i = 0; i < state.counters.count; i++) {
        settle(&state, i);
        any |= state.counters.at[i].good;
    }
    if (!any) return NULL;
    qsort(hint->reasons.at, hint->reasons.count, sizeof *hint->reasons.at, compare_reasons);
    state.wide = ARENA_ARRAY(arena, Reg, func->regs.count);
    state.other = ARENA_ARRAY(arena, Reg, func->nodes.count);
    state.grown = func_clone(func, arena);
    return build(&state);
}
