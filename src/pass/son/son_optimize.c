// Value numbering, rules, constants, copies, unreachable code, branches that others decide,
// contents of memory: all at once.
//
// Value numbering (son_number.c) knows values only. Other facts follow from the order of nodes: the
// outcomes of branches (son_decide.c), the contents of memory (son_contents.c) and the ranges of
// values (son_ranges.c). These are computed when values are known, and assumed in the next round,
// which may find more. In the end every assumed fact must have been found again, from the values
// that follow from it.
#include "pass/pass.h"

#include "form/son.h"
#include "pass/fact_kinds.h"
#include "pass/son/son_emit.h"
#include "pass/son/son_trail.h"

#include <string.h>

enum { MOST_ROUNDS = 4 }; // in which more is assumed; after that only less

// Found facts become assumed facts; once `last`, only facts that were assumed before. Whether all
// that was assumed was found.
static bool adopt(uint32_t *assumed, const uint32_t *found, uint32_t count, bool last,
                  bool *changed) {
    bool confirmed = true;
    for (uint32_t n = 0; n < count; n++) {
        if (assumed[n] == found[n]) continue;
        if (assumed[n] != NO_ID) confirmed = false;
        if (last && assumed[n] == NO_ID) continue;
        *changed = true;
        assumed[n] = last ? NO_ID : found[n];
    }
    return confirmed;
}

// The same for steps that hold at a node, each a pair of values.
static bool adopt_steps(uint32_t *assumed_from, uint32_t *assumed_to, const uint32_t *from,
                        const uint32_t *to, uint32_t count, bool last, bool *changed) {
    bool confirmed = true;
    for (uint32_t n = 0; n < count; n++) {
        if (assumed_from[n] == from[n] && assumed_to[n] == to[n]) continue;
        if (assumed_from[n] != NO_ID) confirmed = false;
        if (last && assumed_from[n] == NO_ID) continue;
        *changed = true;
        assumed_from[n] = last ? NO_ID : from[n];
        assumed_to[n] = last ? NO_ID : to[n];
    }
    return confirmed;
}

// Decisions and steps that were found but not made use of.
static void drop_unused(SonWork *work) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < work->decisions.count; i++) {
        Decision decision = work->decisions.at[i];
        if (work->assumed.way[decision.edge.branch.i] == decision.edge.way)
            work->decisions.at[kept++] = decision;
    }
    work->decisions.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < work->local.count; i++) {
        FoundStep local = work->local.at[i];
        // Steps at other nodes are about phis.
        bool about_phi = func_at(work->before, local.node)->kind != I_OP;
        if (about_phi || work->assumed.local_from[local.node.i] == local.step.from)
            work->local.at[kept++] = local;
    }
    work->local.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < work->shut.count; i++) {
        FoundShut shut = work->shut.at[i];
        if (son_is_shut(work, shut.edge.branch, shut.edge.way)) work->shut.at[kept++] = shut;
    }
    work->shut.count = kept;
}

static void forget(SonAssumptions *assumed, const Func *func, uint32_t ways) {
    uint32_t nodes = func->nodes.count, regs = func->regs.count, args = func->phi_args.count;
    memset(assumed->way, 0xff, nodes * sizeof(uint32_t));
    memset(assumed->held, 0xff, nodes * sizeof(uint32_t));
    memset(assumed->local_from, 0xff, nodes * sizeof(uint32_t));
    memset(assumed->local_to, 0xff, nodes * sizeof(uint32_t));
    memset(assumed->end_from, 0xff, args * sizeof(uint32_t));
    memset(assumed->end_to, 0xff, args * sizeof(uint32_t));
    memset(assumed->closed, 0xff, regs * sizeof(uint32_t));
    memset(assumed->shut, 0xff, ways * sizeof(uint32_t));
}

// Facts of the round before, of kinds that nobody looks for in this round.
static void drop_facts(SonWork *work, SonAssumptions *found) {
    forget(found, work->before, work->switch_ways);
    vec_clear(&work->decisions);
    vec_clear(&work->edges);
    vec_clear(&work->local);
    vec_clear(&work->shut);
}

// The facts that follow from the values and ways that numbering has found.
static void find_facts(SonWork *work, SonAssumptions *found) {
    const Program *program = work->before->program;
    SonEquals equals = {0};
    son_open(work);
    if (program->facts_left_out) drop_facts(work, found);
    if (fact_is_wanted(program, FACT_decisions)) son_decide(work, found->way);
    if (fact_is_wanted(program, FACT_contents)) son_hold(work, found->held);
    if (fact_is_wanted(program, FACT_ranges)) son_ranges(work, found);
    if (fact_is_wanted(program, FACT_equalities)) {
        equals = son_equals(work);
        son_steps(work, &equals, found->local_from, found->local_to);
    }
    if (fact_is_wanted(program, FACT_counters)) son_counters(work, found->closed);
    if (equals.at) son_equal_phis(work, &equals, found->closed);
    son_ends(work, &equals, found->end_from, found->end_to);
}

// False if the numbering does not come to rest.
static bool settle(SonWork *work) {
    uint32_t nodes = work->before->nodes.count, regs = work->before->regs.count;
    uint32_t ways = work->switch_ways, args = work->before->phi_args.count;
    SonAssumptions found = {.way = ARENA_ARRAY(work->arena, uint32_t, nodes),
                            .held = ARENA_ARRAY(work->arena, uint32_t, nodes),
                            .local_from = ARENA_ARRAY(work->arena, uint32_t, nodes),
                            .local_to = ARENA_ARRAY(work->arena, uint32_t, nodes),
                            .end_from = ARENA_ARRAY(work->arena, uint32_t, args),
                            .end_to = ARENA_ARRAY(work->arena, uint32_t, args),
                            .closed = ARENA_ARRAY(work->arena, uint32_t, regs),
                            .shut = ARENA_ARRAY(work->arena, uint32_t, ways)};
    for (uint32_t round = 0;; round++) {
        bool last = round >= MOST_ROUNDS, changed = false, confirmed = true;
        if (round == 2 * MOST_ROUNDS) forget(&work->assumed, work->before, ways);
        if (!son_number(work)) return false;
        find_facts(work, &found);
        if (round == 2 * MOST_ROUNDS) break;
        confirmed = adopt(work->assumed.way, found.way, nodes, last, &changed);
        confirmed &= adopt(work->assumed.held, found.held, nodes, last, &changed);
        confirmed &= adopt_steps(work->assumed.local_from, work->assumed.local_to, found.local_from,
                                 found.local_to, nodes, last, &changed);
        confirmed &= adopt_steps(work->assumed.end_from, work->assumed.end_to, found.end_from,
                                 found.end_to, args, last, &changed);
        confirmed &= adopt(work->assumed.closed, found.closed, regs, last, &changed);
        confirmed &= adopt(work->assumed.shut, found.shut, ways, last, &changed);
        if (!changed || (last && confirmed)) break;
    }
    drop_unused(work);
    return true;
}

static Func *optimize(Arena *arena, const Func *func, bool keeps_writes) {
    if (!func->son->trail)
        return NULL; // read from a file: nothing is known about where it came from
    SonWork *work = son_work_start(arena, func->son->trail->before);
    if (!settle(work)) work = son_work_plain(arena, func->son->trail->before);
    son_work_finish(work);
    work->keeps_writes = keeps_writes;
    return son_emit(arena, work);
}

Func *son_optimize_bare(Arena *arena, const Func *func) {
    return optimize(arena, func, false);
}

Func *son_optimize(Arena *arena, const Func *func) {
    Func *result = son_optimize_bare(arena, func);
    if (result) son_number_memory(arena, result);
    return result;
}

Func *son_optimize_faithful(Arena *arena, const Func *func) {
    Func *result = optimize(arena, func, true);
    if (result) son_number_memory(arena, result);
    return result;
}
