// The checker of slices.
//
// The promise. Take a run of the first function of the hint in the original program, and a run in
// the slice. Both begin with the same parameters, memory and world, or with states that agree in
// the variables that are relevant at the entry. Write down, each time control comes to a kept node,
// the node and the values that it reads, and at each point the values that are asked for. The list
// of the original is a beginning of the list of the slice; the lists are equal if the original
// returns, or goes wrong in a kept node. (The slice may go on where the original loops for ever,
// traps, ends the program or goes wrong in something that was left out.) Values agree up to the
// choice of addresses (slice_variables.h).
//
// What is established for each function of the hint (next(n) and R(n) come from the hint):
//
// 1. Next. A node n is kept if next(n) = n. From a node that is left out, every successor has the
//    same next, or ANY; a return has none. From an ANY node all successors are ANY, and an ANY node
//    is no return. So, by induction on the steps that are left out, the kept node that control
//    meets next is next(n), if control meets one at all; from NONE or ANY control meets none
//    (check_next).
// 2. Relevance. R contains the variables that a kept node reads, and the variables that are
//    relevant behind it, less the variables that the node certainly sets; and the points. In front
//    of a node that is left out, R contains the variables that are relevant behind it, and the node
//    sets none of them, not even perhaps (slice_relevant.c). R may be larger than it has to be.
// 3. Lock step. Each node of the slice is a kept node, with the same instruction on the registers,
//    slots and symbols of the original, and each edge leads to the next of the original's edge. It
//    may lead through nodes that do nothing, which form no cycle. An edge whose next is NONE leads
//    to a return; an edge whose next is ANY leads anywhere. Different registers and slots of the
//    slice are different registers and slots of the original; parameters correspond to parameters.
//    A case of a switch may be missing where it has the next of the default (check_nodes,
//    check_switch).
//
// Undefined values. "Agree" means: equal, or any value in the slice where the original has an
// undefined one. That happens where a store was left out whose type is not that of a load
// (slice_cells.h). Operators on such values yield such values (docs/rtl.md), and a wrong step of
// the original that uses one ends its list.
//
// Simulation. The invariant: the original is at n, the slice at a node that is next(n), or leads
// there, and all variables of R(n) that the slice has agree. The invariant holds at the entry. If n
// is left out, 1 and 2 keep the invariant. If n is kept, the slice executes the same instruction on
// the same values, as R(n) has the variables that n reads. So both set the same variables to the
// same values. Variables of R behind n that n does not certainly set were in R(n). Both take the
// edge of the same number: 3 leads on. The slice takes no wrong step that the original does not
// take: the values are the same, and objects live at least as long. If the slice has no register
// for a register of R, no kept node that is reached sets or reads that register; it is undefined in
// both. The register of a definition that was left out may hold anything in the slice: the register
// is not in R until it is set again.
//
// Calls. A function of the slice that is not in the hint equals the function of the original, node
// by node. A function in the hint may do less: if its inputs agree at the entry, then at its exits
// only its outputs agree. Conditions 1 to 3 show this agreement, with three additions
// (check_entry): the outputs are relevant in front of every return, kept or not; the result is
// among the variables that a kept return reads; all variables that are relevant at the entry are
// among the inputs. A kept call of such a function reads its inputs, and no other variable that it
// sets is relevant behind the call (check_outputs). The proof is by induction on time: claims are
// used for calls that have ended before the present call does, so recursion is not circular. An
// unchanged function that the slice refers to, directly or not, relies on everything that its
// callees did. So the unchanged function calls no function that does less, neither by name nor,
// perhaps, by address; and an unknown function never gets the address of a function that does less
// (check_mentions). A call by address leads to a function whose address is taken somewhere and
// whose signature fits (slice_call_fits); all other calls are wrong steps. Or the call leads to
// another file, whose functions are assumed to call no function of this file. So a run comes to
// functions of the program by calls by name, by fitting calls by address, and by unknown functions
// that are called by name. A kept call by address counts as a call of each function that does less,
// fits, and has its address taken (check_address). If all variables that a function sets are among
// its outputs (slice_is_full), any function may call it: from one state the function does the same
// as before, and its behaviour depends on no more variables than before. A sliced function may
// leave out a call that does not return, say of exit: then the slice goes on where the original's
// run has ended.
//
// Jumps. A call may also end with a jump (longjmp) to a function that is still there to be returned
// to. Nothing is claimed about the effects of a call that ends so. So in a program with jumps, a
// function that may be left by a jump (slice_may_be_left), and whose caller may be part of the run,
// leaves out nops only. These are all functions but the first, and the first, too, if it may be
// called while it runs. At the jump everything that others know of is relevant, because the jumping
// call reads everything. A jump out of the first function's first call ends the run.
//
// Assumptions. If a branch is assumed to go one way only, the promise covers only runs that never
// take the other ways. If addresses are assumed to be apart (SliceApart), the promise covers only
// runs in which they are: there a store by the one address changes no cell that is read by the
// other, and cells that the run does not read count as nothing. Nodes that control does not reach
// then, or never reaches, may be anything. If the first function is assumed to be called once
// (`once`), the promise covers runs in which no call reaches that function while it runs: then no
// caller finds that it does less.
//
// If the variables that nodes read and set do not describe the function (SliceVariables.whole),
// only nops are left out.
#include "check/slice/check_slice.h"

#include "base/bits.h"
#include "fact/effects.h"
#include "fact/slot_fields.h"

// ---- The maps

static bool maps_fit(const SliceCheck *check) {
    const SliceFunctionHint *hint = check->hint;
    return hint->old.count == check->after->nodes.count &&
           hint->regs.count == check->after->regs.count &&
           hint->slots.count == check->after->slots.count &&
           hint->next.count == check->before->nodes.count;
}

static bool check_registers(SliceCheck *check) {
    const Func *before = check->before, *after = check->after;
    Bits taken = bits_new(check->arena, before->regs.count);
    for (uint32_t r = 0; r < after->regs.count; r++) {
        uint32_t old = check->hint->regs.at[r].i;
        if (old == NO_ID) continue;
        if (old >= before->regs.count || !bits_put(&taken, old) ||
            before->regs.at[old].type != after->regs.at[r].type)
            return SLICE_REJECT(check, NO_NODE, "register %u is no other one of the original", r);
    }
    if (!slice_match_sig(&check->programs->match, before->sig, after->sig) ||
        before->params.count != after->params.count)
        return SLICE_REJECT(check, NO_NODE, "the signature has changed");
    for (uint32_t i = 0; i < after->params.count; i++)
        if (check->hint->regs.at[after->params.at[i].i].i != before->params.at[i].i)
            return SLICE_REJECT(check, NO_NODE, "parameter %u has changed", i);
    return true;
}

static bool check_slots(SliceCheck *check) {
    const Func *before = check->before, *after = check->after;
    Bits taken = bits_new(check->arena, before->slots.count);
    for (uint32_t s = 0; s < after->slots.count; s++) {
        uint32_t old = check->hint->slots.at[s].i;
        if (old == NO_ID) continue;
        if (old >= before->slots.count || !bits_put(&taken, old) ||
            before->slots.at[old].size != after->slots.at[s].size ||
            before->slots.at[old].align != after->slots.at[s].align)
            return SLICE_REJECT(check, NO_NODE, "slot %u is no other one of the original", s);
    }
    return true;
}

// ---- Control

// The assumptions about branches: one way of each.
static bool check_assumed(SliceCheck *check) {
    const Func *before = check->before;
    check->way = ARENA_ARRAY(check->arena, uint32_t, before->nodes.count);
    for (uint32_t n = 0; n < before->nodes.count; n++) check->way[n] = NO_ID;
    for (uint32_t i = 0; i < check->hint->assumed.count; i++) {
        SliceAssumption assumed = check->hint->assumed.at[i];
        if (assumed.branch.i >= before->nodes.count ||
            !instr_is_branch(func_at(before, assumed.branch)) ||
            assumed.way >= func_at(before, assumed.branch)->succ_count ||
            check->way[assumed.branch.i] != NO_ID)
            return SLICE_REJECT(check, NO_NODE, "assumption %u is of no other branch", i);
        check->way[assumed.branch.i] = assumed.way;
    }
    for (uint32_t i = 0; i < check->hint->apart.count; i++) {
        SliceApart apart = check->hint->apart.at[i];
        if (apart.a.i >= before->regs.count || apart.b.i >= before->regs.count)
            return SLICE_REJECT(check, NO_NODE, "assumption %u is of no registers", i);
    }
    return true;
}

static void find_reached(SliceCheck *check) {
    const Func *before = check->before;
    VEC(uint32_t) work = {0};
    check->reached = bits_new(check->arena, before->nodes.count);
    bits_add(&check->reached, 0);
    vec_push(check->arena, &work, 0);
    while (work.count) {
        uint32_t node = vec_pop(&work);
        const Instr *instr = &before->nodes.at[node];
        const Node *succs = instr_succs(before, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (slice_is_taken(check, node, k) && bits_put(&check->reached, succs[k].i))
                vec_push(check->arena, &work, succs[k].i);
    }
}

// Whether all successors of a node that is left out have its next, or ANY.
static bool succs_agree(const SliceCheck *check, uint32_t node) {
    const Instr *instr = &check->before->nodes.at[node];
    const Node *succs = instr_succs(check->before, instr);
    uint32_t next = check->hint->next.at[node];
    bool agree = true;
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        uint32_t then = check->hint->next.at[succs[k].i];
        agree &= then == next || then == SLICE_NEXT_ANY || !slice_is_taken(check, node, k);
    }
    return agree;
}

static bool check_next(SliceCheck *check) {
    const Func *before = check->before;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        uint32_t next = check->hint->next.at[n], label = func_label(before, (Node){n});
        bool none = next == SLICE_NEXT_NONE, any = next == SLICE_NEXT_ANY;
        if (next == n || !bits_has(&check->reached, n)) continue;
        if (check->variables.whole && instr->kind != I_NOP)
            return SLICE_REJECT(check, NO_NODE, "node %u of the original is left out, but %s",
                                label, check->variables.whole);
        if (!none && !any && (next >= before->nodes.count || !slice_is_kept(check, next)))
            return SLICE_REJECT(check, NO_NODE, "the next of node %u of the original is not kept",
                                label);
        if (instr->kind == I_RETURN && (!none || check->hint->outputs & SLICE_RESULT))
            return SLICE_REJECT(check, NO_NODE,
                                "node %u of the original is a return that is left out", label);
        if ((!instr->succ_count && !none && !any) || !succs_agree(check, n))
            return SLICE_REJECT(check, NO_NODE,
                                "what comes next is not the same on all ways from node %u of the "
                                "original, which is left out",
                                label);
    }
    return true;
}

// ---- Lock step

// The targets of the slice's edges when nodes that do nothing are skipped: a node of the original,
// or one of these.
enum { LEADS_UNKNOWN = NO_ID, LEADS_TO_END = NO_ID - 1, LEADS_NOWHERE = NO_ID - 2 };

// Whether a node that is no node of the original only goes on: it sets no register of the original.
static bool is_silent(const SliceCheck *check, const Instr *instr) {
    if (instr->succ_count != 1) return false;
    return instr->kind == I_NOP ||
           (instr_is_total(instr) && check->hint->regs.at[instr->dest.i].i == NO_ID &&
            !slice_node_effect(&check->programs->calls, check->after, instr).may_set);
}

// Where a node leads, for itself and for all that are skipped on the way.
static uint32_t follow(const SliceCheck *check, uint32_t *leads, uint32_t node) {
    uint32_t at = node, found = LEADS_UNKNOWN;
    while (found == LEADS_UNKNOWN) {
        const Instr *instr = &check->after->nodes.at[at];
        if (leads[at] != LEADS_UNKNOWN) {
            found = leads[at];
        } else if (check->hint->old.at[at].i != NO_ID) {
            found = at;
        } else if (instr->kind == I_RETURN) {
            found = LEADS_TO_END;
        } else if (!is_silent(check, instr)) {
            found = LEADS_NOWHERE;
        } else {
            leads[at] = LEADS_NOWHERE; // unless it is found to lead somewhere: a cycle does not
            at = instr->succ[0].i;
        }
    }
    for (at = node; leads[at] == LEADS_NOWHERE && found != LEADS_NOWHERE;) {
        leads[at] = found;
        at = check->after->nodes.at[at].succ[0].i;
    }
    return found;
}

// Whether an edge of the slice leads where the original goes on, at a node that is next.
static bool edge_leads(const SliceCheck *check, uint32_t *leads, Node to, uint32_t next) {
    if (next == SLICE_NEXT_ANY) return true;
    uint32_t found = follow(check, leads, to.i);
    if (next == SLICE_NEXT_NONE) return found == LEADS_TO_END;
    return found < check->after->nodes.count && check->hint->old.at[found].i == next;
}

static bool same_operands(const SliceCheck *check, const Instr *old, const Instr *fresh) {
    const SliceFunctionHint *hint = check->hint;
    if (fresh->dest.i != NO_ID && hint->regs.at[fresh->dest.i].i != old->dest.i) return false;
    if (instr_names_slot(fresh) && hint->slots.at[fresh->ref].i != old->ref) return false;
    const Reg *a = instr_args(check->before, old), *b = instr_args(check->after, fresh);
    for (uint32_t k = 0; k < old->arg_count; k++)
        if (hint->regs.at[b[k].i].i != a[k].i) return false;
    return true;
}

// For each value that is a case of one or the other, the slice goes where the original does; and
// for all others.
static bool check_switch(const SliceCheck *check, uint32_t *leads, uint32_t kept,
                         const Instr *fresh) {
    const Instr *old = &check->before->nodes.at[kept];
    const Node *s = instr_succs(check->before, old), *t = instr_succs(check->after, fresh);
    const int64_t *a = instr_cases(check->before, old), *b = instr_cases(check->after, fresh);
    uint32_t i = 0, j = 0, ends = old->succ_count - 1, others = fresh->succ_count - 1;
    bool good = !slice_is_taken(check, kept, 0) ||
                edge_leads(check, leads, t[0], check->hint->next.at[s[0].i]);
    while (good && (i < ends || j < others)) {
        bool mine = i < ends && (j == others || a[i] <= b[j]);
        bool its = j < others && (i == ends || b[j] <= a[i]);
        uint32_t way = mine ? 1 + i : 0;
        Node to = its ? t[1 + j] : t[0];
        good = !slice_is_taken(check, kept, way) ||
               edge_leads(check, leads, to, check->hint->next.at[s[way].i]);
        i += mine;
        j += its;
    }
    return good;
}

static bool check_edges(const SliceCheck *check, uint32_t *leads, uint32_t kept,
                        const Instr *fresh) {
    const Instr *old = &check->before->nodes.at[kept];
    if (old->kind == I_SWITCH) return check_switch(check, leads, kept, fresh);
    if (old->succ_count != fresh->succ_count) return false;
    const Node *s = instr_succs(check->before, old), *t = instr_succs(check->after, fresh);
    for (uint32_t k = 0; k < old->succ_count; k++)
        if (slice_is_taken(check, kept, k) &&
            !edge_leads(check, leads, t[k], check->hint->next.at[s[k].i]))
            return false;
    return true;
}

static bool check_nodes(SliceCheck *check) {
    const Func *before = check->before, *after = check->after;
    uint32_t *leads = ARENA_ARRAY(check->arena, uint32_t, after->nodes.count);
    for (uint32_t n = 0; n < after->nodes.count; n++) leads[n] = LEADS_UNKNOWN;
    if (!edge_leads(check, leads, (Node){0}, check->hint->next.at[0]))
        return SLICE_REJECT(check, NO_NODE, "the slice does not begin where the original does");
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        uint32_t kept = check->hint->old.at[n].i;
        if (kept == NO_ID) continue;
        if (kept >= before->nodes.count || !slice_is_kept(check, kept))
            return SLICE_REJECT(check, (Node){n}, "this is no kept node of the original");
        const Instr *old = &before->nodes.at[kept], *fresh = &after->nodes.at[n];
        if (!slice_match_instr(&check->programs->match, old, fresh) ||
            !same_operands(check, old, fresh))
            return SLICE_REJECT(check, (Node){n}, "this is not what node %u of the original does",
                                func_label(before, (Node){kept}));
        if (!check_edges(check, leads, kept, fresh))
            return SLICE_REJECT(
                check, (Node){n},
                "from here the slice does not go on as from node %u of the original",
                func_label(before, (Node){kept}));
    }
    return true;
}

// ---- One function

// Whether a jump may end a call of a function while the first one runs.
static bool may_be_left(const SlicePrograms *programs, const SliceFunctionHint *hint) {
    bool first = hint == &programs->hint->functions.at[0];
    bool called = !first || (programs->again && !hint->once);
    return called && slice_may_be_left(&programs->calls, programs->match.symbols[hint->symbol.i]);
}

static Verdict check_function(const SlicePrograms *programs, Arena *arena,
                              const SliceFunctionHint *hint) {
    const SliceMatch *match = &programs->match;
    const Func *after = program_at(match->after, hint->symbol)->func;
    const Func *before = program_at(match->before, match->symbols[hint->symbol.i])->func;
    SliceCheck check = {.programs = programs,
                        .arena = arena,
                        .before = before,
                        .after = after,
                        .hint = hint,
                        .verdict = VERDICT_ACCEPTED};
    if (!maps_fit(&check))
        return verdict_rejected(arena, NO_SITE, "the hint does not fit the functions");
    check.variables = slice_variables_assuming(arena, before, &programs->calls, hint->apart.at,
                                               hint->apart.count);
    if (!check.variables.whole && may_be_left(programs, hint))
        check.variables.whole = "calls of it may be left by a jump";
    if (!check_registers(&check) || !check_slots(&check) || !check_assumed(&check))
        return check.verdict;
    find_reached(&check);
    if (!check_next(&check) || !check_nodes(&check) || !slice_check_relevant(&check))
        return check.verdict;
    return VERDICT_ACCEPTED;
}

// ---- Functions that may know a function that does less

const SliceFunctionHint *slice_does_less(const SlicePrograms *programs, Sym symbol) {
    uint32_t number = symbol.i == NO_ID ? NO_ID : programs->sliced[symbol.i];
    if (number == NO_ID) return NULL;
    const SliceFunctionHint *hint = &programs->hint->functions.at[number];
    return slice_is_full(program_at(programs->match.before, symbol)->func, hint) ? NULL : hint;
}

// The functions that a run of a sliced function may come to.
typedef struct {
    SlicePrograms *programs;
    Bits seen; // symbols of `after`
    VEC(uint32_t) work;
    uint32_t first; // how often the first function is called, with the question about it
    Bits fitting;   // 2 * signature of calls by address (+ 1: that rely): what fits is mentioned
    bool outside;   // an unknown function is called
    uint32_t
        relied_on; // a function that does less, but is called by what has not changed; or NO_ID
} SliceMentions;

static void mention(SliceMentions *mentions, uint32_t symbol) {
    if (symbol == mentions->programs->hint->functions.at[0].symbol.i) mentions->first++;
    if (bits_put(&mentions->seen, symbol))
        vec_push(mentions->programs->arena, &mentions->work, symbol);
}

// A call in a function that has not changed relies on all that its callee did.
static void rely_on(SliceMentions *mentions, uint32_t symbol) {
    const SlicePrograms *programs = mentions->programs;
    if (slice_does_less(programs, programs->match.symbols[symbol])) mentions->relied_on = symbol;
}

// Of a function that is called: what is not known of it may call all whose address is taken.
static void reach(SliceMentions *mentions, uint32_t symbol) {
    const SlicePrograms *programs = mentions->programs;
    const Symbol *callee = &programs->match.after->symbols.at[symbol];
    if (callee->func && !symbol_is_replaceable(callee)) return;
    SliceCallEffect effect = programs->calls.of[programs->match.symbols[symbol].i];
    mentions->outside |= effect.reads == SLICE_EVERYTHING || callee->alias.i != NO_ID;
}

// A call by address is of functions that fit. (Functions of other files that are called so call
// none of this one.)
static void follow_address(SliceMentions *mentions, Sig call, bool relies) {
    const SlicePrograms *programs = mentions->programs;
    const Program *after = programs->match.after;
    if (!bits_put(&mentions->fitting, 2 * call.i + relies)) return;
    for (uint32_t k = 0; k < programs->targets.first.count; k++) {
        Sym at = programs->targets.first.at[k];
        if (!slice_call_fits(after, call, at)) continue;
        for (; at.i != NO_ID; at = programs->targets.next[at.i]) {
            if (relies) rely_on(mentions, at.i);
            mention(mentions, at.i);
            reach(mentions, at.i);
        }
    }
}

static void follow_call(SliceMentions *mentions, const Instr *call, bool sliced) {
    const Program *after = mentions->programs->match.after;
    if (call->ref == NO_ID) {
        follow_address(mentions, (Sig){call->aux}, !sliced);
        return;
    }
    if (!sliced || symbol_is_replaceable(program_at(after, (Sym){call->ref})))
        rely_on(mentions, call->ref);
    mention(mentions, call->ref);
    reach(mentions, call->ref);
}

static void follow_function(SliceMentions *mentions, const Func *func, bool sliced) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind == I_CALL) follow_call(mentions, instr, sliced);
        mentions->outside |= instr->kind == I_BUILTIN && instr_effects(instr) & USES_MACHINE;
    }
}

static void follow_symbol(SliceMentions *mentions, uint32_t at) {
    const SlicePrograms *programs = mentions->programs;
    const Symbol *symbol = &programs->match.after->symbols.at[at];
    bool sliced = programs->sliced[programs->match.symbols[at].i] != NO_ID;
    if (symbol->func) follow_function(mentions, symbol->func, sliced);
    if (symbol->alias.i != NO_ID) mention(mentions, symbol->alias.i);
}

static void find_loose(SlicePrograms *programs) {
    const Program *after = programs->match.after;
    programs->targets = slice_targets_of(programs->arena, after);
    for (uint32_t i = 0; i < after->symbols.count; i++)
        if (bits_has(&programs->targets.addressed, i) &&
            slice_does_less(programs, programs->match.symbols[i]))
            vec_push(programs->arena, &programs->loose, programs->match.symbols[i]);
}

static Verdict check_mentions(SlicePrograms *programs) {
    const Program *after = programs->match.after;
    SliceMentions mentions = {.programs = programs, .relied_on = NO_ID};
    mentions.seen = bits_new(programs->arena, after->symbols.count);
    mentions.fitting = bits_new(programs->arena, 2 * after->sigs.count);
    find_loose(programs);
    for (uint32_t i = 0; i < programs->hint->functions.count; i++)
        mention(&mentions, programs->hint->functions.at[i].symbol.i);
    for (bool all = false; mentions.work.count;) {
        while (mentions.work.count) follow_symbol(&mentions, vec_pop(&mentions.work));
        for (uint32_t i = 0; !all && i < after->symbols.count; i++)
            if (mentions.outside && bits_has(&programs->targets.addressed, i))
                mention(&mentions, i);
        all = mentions.outside;
    }
    programs->again = mentions.first > 1;
    uint32_t found = mentions.relied_on;
    if (found == NO_ID && !(mentions.outside && programs->loose.count)) return VERDICT_ACCEPTED;
    const char *name =
        found < after->symbols.count
            ? program_text(after, after->symbols.at[found].name)
            : program_text(programs->match.before,
                           program_at(programs->match.before, programs->loose.at[0])->name);
    return verdict_rejected(programs->arena, NO_SITE,
                            "'%s' does less than before, but may be called by what relies on it",
                            name);
}

// ---- All of it

static Verdict index_functions(SlicePrograms *programs) {
    const SliceHint *hint = programs->hint;
    const SliceMatch *match = &programs->match;
    programs->sliced = ARENA_ARRAY(programs->arena, uint32_t, match->before->symbols.count);
    for (uint32_t i = 0; i < match->before->symbols.count; i++) programs->sliced[i] = NO_ID;
    for (uint32_t i = 0; i < hint->functions.count; i++) {
        uint32_t symbol = hint->functions.at[i].symbol.i;
        const Symbol *info =
            symbol < match->after->symbols.count ? &match->after->symbols.at[symbol] : NULL;
        if (!info || !info->func || info->alias.i != NO_ID ||
            programs->sliced[match->symbols[symbol].i] != NO_ID ||
            (i && hint->functions.at[i].once))
            return verdict_rejected(programs->arena, NO_SITE,
                                    "function %u of the hint is no other one of the slice", i);
        programs->sliced[match->symbols[symbol].i] = i;
    }
    if (!hint->functions.count)
        return verdict_rejected(programs->arena, NO_SITE, "no function was sliced");
    return VERDICT_ACCEPTED;
}

// The functions that are not in the hint have not changed.
static Verdict check_others(const SlicePrograms *programs) {
    const SliceMatch *match = &programs->match;
    Verdict verdict = VERDICT_ACCEPTED;
    for (uint32_t i = 0; verdict.accepted && i < match->after->symbols.count; i++) {
        Sym old = match->symbols[i];
        const Func *func = match->after->symbols.at[i].func;
        if (!func || programs->sliced[old.i] != NO_ID) continue;
        verdict =
            slice_match_bodies(programs->arena, match, program_at(match->before, old)->func, func);
    }
    return verdict;
}

Verdict check_slice(Arena *arena, const Program *before, const Program *after,
                    const SliceHint *hint) {
    SliceCalls calls = slice_calls_of(arena, before);
    return check_slice_with(arena, before, after, hint, &calls);
}

Verdict check_slice_with(Arena *arena, const Program *before, const Program *after,
                         const SliceHint *hint, const SliceCalls *calls) {
    SlicePrograms programs = {.arena = arena, .hint = hint};
    Verdict verdict = slice_match_programs(arena, before, after, &hint->symbols, &programs.match);
    if (verdict.accepted) verdict = index_functions(&programs);
    if (verdict.accepted) verdict = check_others(&programs);
    if (!verdict.accepted) return verdict;
    programs.calls = *calls;
    verdict = check_mentions(&programs);
    for (uint32_t i = 0; verdict.accepted && i < hint->functions.count; i++)
        verdict = check_function(&programs, arena, &hint->functions.at[i]);
    return verdict;
}
