// Ranges of values (fact/range.h), everywhere and at places.
//
// A walk over the sites (range_sites.h), down the dominator tree, knows at each site the values
// about which an edge or a check on the way has told more than is known everywhere. At the end of
// each way into a join, the walk adds the range of each argument to the range of its phi. The walk
// comes to a join after all its ways but those that lead back, so a function without loops needs
// one walk. In a loop, walks go on until no range of a header's phi grows: an end of an interval
// that has moved goes to the next landmark (0, -1, the end of the type), so few walks are needed.
// Then one more walk tries ranges that are smaller than these landmarks. The last walk decides
// branches and simplifies operators with the ranges at their places.
#include "pass/son/range_sites.h"

#include "fact/effects.h"
#include "fact/eval.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WALKS = 3 }; // after that, ranges of phis that still grow are given up

static bool is_better(const Range *fresh, const Range *old) {
    return !range_contains(fresh, old);
}

// The same, but that more bits are defined does not count.
static bool is_smaller(Range fresh, const Range *old) {
    fresh.defined = 0;
    return !range_contains(&fresh, old);
}

// ---- Everywhere

// A value that is made of phis has the range that the walk has computed for it; before the walk has
// met it, what its operators alone tell.
static const Range *everywhere(const SonRanges *ranges, uint32_t value) {
    bool walked =
        value < ranges->count && ranges->depends[value] && ranges->done[value] == ranges->walk;
    return walked ? &ranges->work->ranges.at[value] : &ranges->values->ranges.at[value];
}

// The walk has come to an operator.
static void compute(SonRanges *ranges, uint32_t value) {
    const HintValue *it = value_at(ranges->values, value);
    Range args[3];
    for (uint32_t k = 0; k < it->count; k++) {
        args[k] = *everywhere(ranges, value_args(ranges->values, value)[k]);
        if (range_is_empty(&args[k])) return;
    }
    ranges->work->ranges.at[value] = range_of_op((Op)it->op, args);
    ranges->done[value] = ranges->walk;
}

// ---- At a place

static uint32_t add_finding(SonRanges *ranges, const RangeFact *fact, const Range *range) {
    vec_push(ranges->work->arena, &ranges->work->found,
             (FoundRange){.fact = *fact, .range = *range, .number = NO_ID});
    return ranges->work->found.count - 1;
}

// The range of a value at the node at hand, and the finding for it; NO_ID if it is that which the
// value has everywhere.
static const Range *known_here(const SonRanges *ranges, uint32_t value, uint32_t *finding) {
    *finding = value < ranges->count ? ranges->current[value] : NO_ID;
    return *finding != NO_ID ? &ranges->work->found.at[*finding].range : everywhere(ranges, value);
}

// The same, with what follows from the ranges of operands.
static Range range_here(SonRanges *ranges, uint32_t value, Node node, uint32_t depth,
                        uint32_t *finding) {
    Range best = *known_here(ranges, value, finding);
    if (depth == 0 || !ranged_is_operator(ranges, value)) return best;
    const HintValue *it = value_at(ranges->values, value);
    RangeFact fact = {.value = value,
                      .place = node,
                      .reason = RANGE_COMPUTED,
                      .ref = NO_ID,
                      .from = {NO_ID, NO_ID, NO_ID}};
    Range args[3];
    bool any = false;
    for (uint32_t k = 0; k < it->count; k++) {
        args[k] = range_here(ranges, value_args(ranges->values, value)[k], node, depth - 1,
                             &fact.from[k]);
        any |= fact.from[k] != NO_ID;
        if (range_is_empty(&args[k])) return best;
    }
    if (!any) return best;
    Range told = range_of_op((Op)it->op, args);
    told = range_both(ranged_bits(ranges, value), everywhere(ranges, value), &told);
    if (!is_better(&told, &best)) return best;
    *finding = add_finding(ranges, &fact, &told);
    return told;
}

// ---- What is known from a node on

static void leave(SonRanges *ranges, uint32_t number) {
    while (ranges->scopes.count && ranges->scopes.at[ranges->scopes.count - 1].last < number) {
        RangeScope scope = vec_pop(&ranges->scopes);
        ranges->current[scope.value] = scope.before;
    }
}

static void learn(SonRanges *ranges, const RangeFact *fact, const Range *told, uint32_t depth);

// What the range of an operator says about its operands.
static void learn_operands(SonRanges *ranges, uint32_t value, Node place, uint32_t depth) {
    const HintValue it = *value_at(ranges->values, value);
    if (!ranged_is_operator(ranges, value) || it.count > 2) return;
    const OpInfo *info = op_info((Op)it.op);
    for (uint32_t k = 0; k < it.count; k++) {
        uint32_t operand = value_args(ranges->values, value)[k];
        Value constant;
        if (!ranged_is_worth(ranges, operand, place, depth) ||
            value_is_constant(ranges->values, operand, &constant))
            continue;
        RangeFact fact = {.value = operand,
                          .place = place,
                          .reason = RANGE_OPERAND,
                          .ref = value,
                          .from = {NO_ID, NO_ID, NO_ID}};
        Range args[2], whole = *known_here(ranges, value, &fact.from[2]);
        for (uint32_t i = 0; i < it.count; i++)
            args[i] = *known_here(ranges, value_args(ranges->values, value)[i], &fact.from[i]);
        uint32_t bits = range_bits(info->operand[k]);
        if (range_is_empty(&args[k]) || range_is_empty(&whole)) continue;
        Range told =
            range_of_operand(info->family, bits, range_bits(info->result), args, k, &whole);
        told = range_both(bits, &args[k], &told);
        learn(ranges, &fact, &told, depth);
    }
}

// A value has a range from a place on.
static void learn(SonRanges *ranges, const RangeFact *fact, const Range *told, uint32_t depth) {
    uint32_t value = fact->value, unused;
    if (value >= ranges->count || !is_smaller(*told, known_here(ranges, value, &unused))) return;
    RangeScope scope = {.value = value,
                        .before = ranges->current[value],
                        .last = ranges->work->open.last[fact->place.i]};
    ranges->current[value] = add_finding(ranges, fact, told);
    vec_push(ranges->work->arena, &ranges->scopes, scope);
    if (depth > 0) learn_operands(ranges, value, fact->place, depth - 1);
}

static void learn_outcome(SonRanges *ranges, Node place, const Comparison *known) {
    Type type = op_info(known->op)->operand[0];
    uint32_t bits = range_bits(type);
    Op op = known->holds ? known->op : op_negation(known->op);
    RangeFact fact = {.place = place,
                      .reason = RANGE_OUTCOME,
                      .ref = ranges->work->sole[place.i].i,
                      .from = {NO_ID, NO_ID, NO_ID}};
    Range a = range_here(ranges, known->a.i, place, DEEPEST_RANGE, &fact.from[0]);
    Range b = known->b.i == NO_ID
                  ? range_constant(bits, value_immediate(type, known->imm).bits)
                  : range_here(ranges, known->b.i, place, DEEPEST_RANGE, &fact.from[1]);
    if (range_is_empty(&a) || range_is_empty(&b)) return;
    if (ranged_is_worth(ranges, known->a.i, place, DEEPEST_RANGE)) {
        Range told = range_if(op_family(op), bits, &a, &b);
        told = range_both(bits, &a, &told);
        fact.value = known->a.i;
        learn(ranges, &fact, &told, DEEPEST_RANGE);
    }
    if (known->b.i == NO_ID || !ranged_is_worth(ranges, known->b.i, place, DEEPEST_RANGE)) return;
    Range told = range_if(op_family(op_mirror(op)), bits, &b, &a);
    told = range_both(bits, &b, &told);
    fact.value = known->b.i;
    learn(ranges, &fact, &told, DEEPEST_RANGE);
}

static Range range_of_way(const SonRanges *ranges, const Instr *instr, uint32_t way, uint32_t bits,
                          const Range *range) {
    const int64_t *cases = instr_cases(ranges->func, instr);
    if (way == 0) return range_beside(bits, range, cases, instr->succ_count - 1);
    Type type = bits == 32 ? TYPE_I32 : TYPE_I64;
    return range_constant(bits, value_immediate(type, cases[way - 1]).bits);
}

// The value of a switch is the case whose way was gone.
static void learn_case(SonRanges *ranges, Node place, uint32_t way) {
    Node from = ranges->work->sole[place.i];
    const Instr *instr = func_at(ranges->func, from);
    RangeFact fact = {.value = ranges->work->value_of[instr->arg[0].i],
                      .place = place,
                      .reason = RANGE_OUTCOME,
                      .ref = from.i,
                      .from = {NO_ID, NO_ID, NO_ID}};
    uint32_t bits = ranged_bits(ranges, fact.value);
    Range range = range_here(ranges, fact.value, place, DEEPEST_RANGE, &fact.from[0]);
    if (range_is_empty(&range)) return;
    Range told = range_of_way(ranges, instr, way, bits, &range);
    told = range_both(bits, &range, &told);
    learn(ranges, &fact, &told, DEEPEST_RANGE);
    ranges->found_at[son_switch_edge(ranges->work, from, way)] = ranges->current[fact.value];
}

// At a join of several ways of a switch, the value is one of their cases.
static void learn_cases(SonRanges *ranges, Node place, Node from) {
    SonWork *work = ranges->work;
    RangeFact fact = {.value = work->value_of[func_at(ranges->func, from)->arg[0].i],
                      .place = place,
                      .reason = RANGE_MERGED,
                      .ref = work->merged.count,
                      .from = {NO_ID, NO_ID, NO_ID}};
    uint32_t bits = ranged_bits(ranges, fact.value);
    Range told = {.low = 1}; // nothing
    for (uint32_t k = 0; k < preds_count(&work->preds, place); k++) {
        Node pred = preds_at(&work->preds, place)[k];
        uint32_t finding = NO_ID;
        if (bits_has(&work->reached, pred.i)) {
            uint32_t way = son_way_to(ranges->func, from, pred);
            if (way != NO_ID) finding = ranges->found_at[son_switch_edge(work, from, way)];
            const Range *one =
                finding != NO_ID ? &work->found.at[finding].range : everywhere(ranges, fact.value);
            told = range_is_empty(&told) ? *one : range_either(&told, one);
        }
        vec_push(work->arena, &work->merged, finding);
    }
    const Range *all = everywhere(ranges, fact.value);
    if (range_is_empty(&told) || range_is_empty(all)) return;
    told = range_both(bits, all, &told);
    learn(ranges, &fact, &told, DEEPEST_RANGE);
}

// The divisor of a division that went right is not zero.
static void learn_division(SonRanges *ranges, Node place, uint32_t value) {
    RangeFact fact = {.value = value,
                      .place = place,
                      .reason = RANGE_DIVIDED,
                      .ref = ranges->work->sole[place.i].i,
                      .from = {NO_ID, NO_ID, NO_ID}};
    uint32_t bits = ranged_bits(ranges, value);
    const Range *all = everywhere(ranges, value);
    Range told = range_full(bits);
    if (range_is_empty(all)) return;
    told.low = 1;
    told = range_both(bits, all, &told);
    learn(ranges, &fact, &told, 0);
}

// The address of an access that went right is not null.
static void learn_access(SonRanges *ranges, Node place, uint32_t value) {
    RangeFact fact = {.value = value,
                      .place = place,
                      .reason = RANGE_ACCESS,
                      .ref = ranges->work->sole[place.i].i,
                      .from = {NO_ID, NO_ID, NO_ID}};
    uint32_t unused;
    if (known_here(ranges, value, &unused)->low > 0) return;
    const Range *all = everywhere(ranges, value);
    Range told = range_full(64);
    if (range_is_empty(all)) return;
    const Instr *instr = func_at(ranges->func, ranges->work->sole[place.i]);
    told.low = 1;
    told.high -= (uint64_t)instr->imm + chunk_size((Chunk)instr->chunk);
    told = range_both(64, all, &told);
    learn(ranges, &fact, &told, 0);
}

// ---- Joins

// The walk has come to a join: all ways but those that lead back have been seen. A header has its
// range from the walks before.
static void enter_join(SonRanges *ranges, Node node) {
    for (RangedPhi *phi = ranged_phi_next(ranges, node, NULL); phi;
         phi = ranged_phi_next(ranges, node, phi)) {
        ranges->done[phi->value] = ranges->walk;
        if (phi->given_up)
            ranges->work->ranges.at[phi->value] = range_full(ranged_bits(ranges, phi->value));
        else if (!phi->header || range_is_empty(&ranges->work->ranges.at[phi->value]))
            ranges->work->ranges.at[phi->value] = phi->next;
    }
}

static void join(Range *range, const Range *more) {
    if (range_is_empty(more)) return;
    *range = range_is_empty(range) ? *more : range_either(range, more);
}

// The arguments of the phis behind a node, the kth predecessor of a join.
static void pass_arguments(SonRanges *ranges, Node node, uint32_t k) {
    const Func *func = ranges->func;
    SonWork *work = ranges->work;
    Node to = func_at(func, node)->succ[0];
    for (RangedPhi *phi = ranged_phi_next(ranges, to, NULL); phi;
         phi = ranged_phi_next(ranges, to, phi)) {
        const Phi *it = &func->phis.at[work->definitions[phi->dest.i].at];
        uint32_t arg = son_argument(work, it, k), finding;
        if (arg == NO_ID || phi->given_up) continue;
        if (ranged_is_undefined(ranges, arg)) {
            phi->next.defined = 0;
            phi->undefined = true;
            continue;
        }
        Range range = range_here(ranges, arg, node, DEEPEST_RANGE, &finding);
        if (phi->undefined) range.defined = 0;
        work->found_ways.at[it->args_at + k] = finding;
        join(&phi->next, &range);
    }
}

// ---- Walks

static void use(SonRanges *ranges, Node node);

static void visit(SonRanges *ranges, const RangeSite *site, bool uses) {
    switch (site->kind) {
    case SITE_JOIN: enter_join(ranges, site->node); break;
    case SITE_OUTCOME: learn_outcome(ranges, site->node, &ranges->outcomes.at[site->ref]); break;
    case SITE_CASE: learn_case(ranges, site->node, site->ref); break;
    case SITE_CASES: learn_cases(ranges, site->node, (Node){site->ref}); break;
    case SITE_ACCESS: learn_access(ranges, site->node, site->ref); break;
    case SITE_DIVISION: learn_division(ranges, site->node, site->ref); break;
    case SITE_OPERATOR: compute(ranges, site->ref); break;
    case SITE_USE:
        if (uses) use(ranges, site->node);
        break;
    case SITE_PASS: pass_arguments(ranges, site->node, site->ref); break;
    }
}

static void walk(SonRanges *ranges, bool uses) {
    SonWork *work = ranges->work;
    vec_clear(&work->found);
    vec_clear(&work->local);
    vec_clear(&work->merged);
    vec_clear(&work->shut);
    if (work->switch_ways)
        memset(ranges->found_at, 0xff, work->switch_ways * sizeof *ranges->found_at);
    work->decisions.count = ranges->decisions;
    ranges->walk++;
    for (uint32_t i = 0; i < ranges->phis.count; i++) {
        ranges->phis.at[i].next = (Range){.low = 1}; // nothing
        ranges->phis.at[i].undefined = false;
    }
    if (ranges->phis.count)
        memset(work->found_ways.at, 0xff, work->found_ways.count * sizeof(uint32_t));
    for (uint32_t i = 0; i < ranges->sites.count; i++) {
        leave(ranges, work->open.number[ranges->sites.at[i].node.i]);
        visit(ranges, &ranges->sites.at[i], uses);
    }
    leave(ranges, NO_ID);
}

// The ends of a range that have moved go on to landmarks: 0, -1, one before the end of the type,
// with which one more is no overflow yet; `far` to the end of the type.
static Range widened(const Range *old, const Range *fresh, uint32_t bits, bool far) {
    Range range = range_either(old, fresh), full = range_full(bits);
    uint64_t half = full.high >> 1;
    if (range.low < old->low) range.low = 0;
    if (range.high > old->high)
        range.high = range.high > half ? full.high : half - (range.high < half && !far);
    if (range.least < old->least)
        range.least = range.least >= -1 && !far ? range.least < 0 ? -1 : 0 : full.least + !far;
    if (range.most > old->most) range.most = range.most < 0 && !far ? -1 : full.most - !far;
    // The end of the type itself is no landmark.
    range.least = range.least > fresh->least ? full.least : range.least;
    range.most = range.most < fresh->most ? full.most : range.most;
    // Of known bits those at the end stay, as of a counter of multiples.
    uint64_t known = range.zeros | range.ones, end = known & ~(known + 1);
    range.zeros &= end;
    range.ones &= end;
    return range_both(bits, &range, &range);
}

// Any value; bits that are defined stay so.
static Range any_value(const Range *old, const Range *fresh, uint32_t bits) {
    Range range = range_full(bits);
    range.defined = old->defined & fresh->defined;
    return range;
}

// Takes the findings of a walk into the ranges of headers' phis. Whether some have grown.
static bool grow(SonRanges *ranges, uint32_t walks) {
    bool any = false;
    for (uint32_t i = 0; i < ranges->phis.count; i++) {
        const RangedPhi *phi = &ranges->phis.at[i];
        Range *range = &ranges->work->ranges.at[phi->value];
        uint32_t bits = ranged_bits(ranges, phi->value);
        if (!phi->header || range_is_empty(&phi->next) || range_contains(range, &phi->next))
            continue;
        any = true;
        if (range_is_empty(range))
            *range = phi->next;
        else if (walks < MOST_WALKS)
            *range = widened(range, &phi->next, bits, walks > 1);
        else
            *range = any_value(range, &phi->next, bits);
    }
    return any;
}

// Takes back what walks have widened too far. Whether there was such.
static bool shrink(SonRanges *ranges) {
    bool any = false;
    for (uint32_t i = 0; i < ranges->phis.count; i++) {
        RangedPhi *phi = &ranges->phis.at[i];
        Range *range = &ranges->work->ranges.at[phi->value];
        phi->wide = *range;
        if (!phi->header || range_is_empty(&phi->next) || !is_smaller(phi->next, range)) continue;
        *range = phi->next;
        any = true;
    }
    return any;
}

// A phi whose arguments all have empty ranges. Whether there is one that has not been given up.
static bool give_up(SonRanges *ranges) {
    bool any = false;
    for (uint32_t i = 0; i < ranges->phis.count; i++) {
        RangedPhi *phi = &ranges->phis.at[i];
        if (phi->given_up || !range_is_empty(&ranges->work->ranges.at[phi->value])) continue;
        phi->given_up = any = true;
        ranges->work->ranges.at[phi->value] = range_full(ranged_bits(ranges, phi->value));
    }
    return any;
}

static bool has_loops(const SonRanges *ranges) {
    for (uint32_t i = 0; i < ranges->phis.count; i++)
        if (ranges->phis.at[i].header && !ranges->phis.at[i].given_up) return true;
    return false;
}

// Whether the ranges with which a walk began hold.
static bool holds(const SonRanges *ranges) {
    for (uint32_t i = 0; i < ranges->phis.count; i++) {
        const RangedPhi *phi = &ranges->phis.at[i];
        const Range *range = &ranges->work->ranges.at[phi->value];
        if (phi->given_up) continue;
        if (range_is_empty(range) ||
            !(range_is_empty(&phi->next) || range_contains(range, &phi->next)))
            return false;
    }
    return true;
}

// One walk with the ranges of headers' phis that were found in the round before. Whether they hold.
static bool settle_again(SonRanges *ranges) {
    for (uint32_t i = 0; i < ranges->phis.count; i++) {
        const RangedPhi *phi = &ranges->phis.at[i];
        Range full = range_full(ranged_bits(ranges, phi->value));
        // A phi that might have had any value may have a range now.
        if (phi->header && !phi->given_up &&
            (range_is_empty(&phi->wide) || !is_smaller(phi->wide, &full)))
            return false;
    }
    for (uint32_t i = 0; i < ranges->phis.count; i++)
        if (ranges->phis.at[i].header)
            ranges->work->ranges.at[ranges->phis.at[i].value] = ranges->phis.at[i].wide;
    walk(ranges, true);
    if (holds(ranges)) return true;
    for (uint32_t i = 0; i < ranges->phis.count; i++)
        ranges->work->ranges.at[ranges->phis.at[i].value] = (Range){.low = 1}; // nothing
    return false;
}

static void settle(SonRanges *ranges) {
    for (uint32_t i = 0; i < ranges->func->phis.count; i++) {
        uint32_t value = ranges->values->phi[ranges->func->phis.at[i].dest.i];
        if (value != NO_ID) ranges->work->ranges.at[value] = (Range){.low = 1}; // nothing
    }
    if (!has_loops(ranges)) {
        do walk(ranges, true);
        while (give_up(ranges));
        return;
    }
    if (settle_again(ranges)) return;
    uint32_t walks = 0;
    do walk(ranges, false);
    while (grow(ranges, ++walks) || give_up(ranges));
    bool smaller = shrink(ranges);
    walk(ranges, true);
    if (!smaller || holds(ranges)) return;
    for (uint32_t i = 0; i < ranges->phis.count; i++)
        ranges->work->ranges.at[ranges->phis.at[i].value] = ranges->phis.at[i].wide;
    walk(ranges, true);
}

// ---- Uses

// The decision names a finding even if the range holds everywhere.
static void decide_way(SonRanges *ranges, BranchEdge edge, uint32_t value, const Range *range,
                       uint32_t finding) {
    if (finding == NO_ID) {
        RangeFact fact = {.value = value,
                          .place = edge.branch,
                          .reason = RANGE_COMPUTED,
                          .ref = NO_ID,
                          .from = {NO_ID, NO_ID, NO_ID}};
        if (!ranged_is_operator(ranges, value)) return;
        finding = add_finding(ranges, &fact, range);
    }
    Decision decision = {.edge = edge, .fact = finding + 1};
    vec_push(ranges->work->arena, &ranges->work->decisions, decision);
}

// The ways of a switch that its range leaves.
static void decide_switch(SonRanges *ranges, Node node, const Instr *instr, uint32_t value,
                          const Range *range, uint32_t finding) {
    SonWork *work = ranges->work;
    uint32_t bits = ranged_bits(ranges, value), left = 0, last = 0, start = work->shut.count;
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        Range way = range_of_way(ranges, instr, k, bits, range);
        if (k > 0 ? range_has(range, bits, way.low) : !range_is_empty(&way)) {
            left++;
            last = k;
        } else {
            FoundShut shut = {.edge = {node, k}, .found = finding};
            vec_push(work->arena, &work->shut, shut);
        }
    }
    if (left > 1) return;
    work->shut.count = start;
    if (left == 1) decide_way(ranges, (BranchEdge){node, last}, value, range, finding);
}

static void decide(SonRanges *ranges, Node node, const Instr *instr) {
    uint32_t finding, value = ranged_question(ranges, node, instr);
    if (instr->kind != I_SWITCH && !ranged_knows_more(ranges, value, true, DEEPEST_RANGE)) return;
    if (value >= ranges->count) return;
    Range range = range_here(ranges, value, node, DEEPEST_RANGE, &finding);
    if (range_is_empty(&range)) return;
    if (instr->kind == I_SWITCH) {
        decide_switch(ranges, node, instr, value, &range, finding);
        return;
    }
    if ((range.low == 0 && range.high > 0) || (instr->kind == I_CHECK && range.low == 0)) return;
    decide_way(ranges, (BranchEdge){node, range.low > 0 ? 0 : 1}, value, &range, finding);
}

static void use_step(SonRanges *ranges, Node node, uint32_t from, uint32_t to, uint16_t rule,
                     const uint32_t *found) {
    FoundStep local = {.node = node,
                       .step = {.from = from, .to = to, .rule = rule},
                       .found = {found[0], found[1]}};
    vec_push(ranges->work->arena, &ranges->work->local, local);
}

// A value that a guard may ask about, if its range is better here than everywhere.
static void add_view(SonRanges *ranges, Node node, uint32_t value, RangeView *view,
                     uint32_t *found) {
    uint32_t finding;
    if (!ranged_is_int(ranges, value) || view->count == MOST_BETTER) return;
    Range range = range_here(ranges, value, node, DEEPEST_RANGE, &finding);
    if (range_is_empty(&range) || !is_better(&range, &ranges->values->ranges.at[value])) return;
    view->value[view->count] = value;
    view->range[view->count] = range;
    found[view->count++] = finding;
}

// One step from a value that an operator yields. Whether there is one.
static bool step_here(SonRanges *ranges, Node node, uint32_t value) {
    SonValues *values = ranges->values;
    uint32_t found[2] = {NO_ID, NO_ID};
    uint64_t constant;
    uint16_t rule;
    Value known;
    if (value >= ranges->count || value_is_constant(values, value, &known) ||
        !ranged_is_operator(ranges, value))
        return false;
    Range range = range_here(ranges, value, node, DEEPEST_RANGE, &found[0]);
    if (range_is_empty(&range)) return false;
    if (range_is_constant(&range, &constant)) {
        Type type = (Type)values->types.at[value];
        use_step(ranges, node, value, value_constant(values, type, (Value){.bits = constant}),
                 STEP_KNOWN, found);
        return true;
    }
    found[0] = NO_ID;
    RangeView view = {.all = values->ranges.at};
    for (uint32_t k = 0; k < value_at(values, value)->count; k++) {
        uint32_t arg = value_args(values, value)[k];
        add_view(ranges, node, arg, &view, found);
        for (uint32_t i = 0; ranged_is_operator(ranges, arg) && i < value_at(values, arg)->count;
             i++)
            add_view(ranges, node, value_args(values, arg)[i], &view, found);
    }
    uint32_t to = view.count ? value_guarded(values, value, &view, &rule) : NO_ID;
    if (to != NO_ID) use_step(ranges, node, value, to, rule, found);
    return to != NO_ID;
}

// An operator as it stands, or, if there is no step from it, its simplest form.
static void simplify_here(SonRanges *ranges, Node node, const Instr *instr) {
    SonValues *values = ranges->values;
    bool more = false;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        more |= ranged_knows_more(ranges, ranges->work->value_of[instr->arg[k].i], true, 1);
    if (!more) return;
    uint32_t formed = value_of_instr(values, instr, ranges->work->value_of);
    uint32_t root = value_simplify(values, formed);
    Value known;
    if (value_is_constant(values, root, &known)) return;
    if (!step_here(ranges, node, formed) && root != formed) step_here(ranges, node, root);
}

static void use(SonRanges *ranges, Node node) {
    const Instr *instr = func_at(ranges->func, node);
    if (instr->kind == I_OP)
        simplify_here(ranges, node, instr);
    else
        decide(ranges, node, instr);
}

static int compare_shut(const void *left, const void *right) {
    const FoundShut *a = left, *b = right;
    if (a->edge.branch.i != b->edge.branch.i) return a->edge.branch.i < b->edge.branch.i ? -1 : 1;
    return a->edge.way < b->edge.way ? -1 : a->edge.way > b->edge.way;
}

static void tell(SonRanges *ranges) {
    SonWork *work = ranges->work;
    uint32_t nodes = work->before->nodes.count;
    memset(ranges->local_from, 0xff, nodes * sizeof *ranges->local_from);
    memset(ranges->local_to, 0xff, nodes * sizeof *ranges->local_to);
    for (uint32_t i = 0; i < work->local.count; i++) {
        const FoundStep *local = &work->local.at[i];
        ranges->local_from[local->node.i] = local->step.from;
        ranges->local_to[local->node.i] = local->step.to;
    }
    for (uint32_t i = ranges->decisions; i < work->decisions.count; i++)
        ranges->way[work->decisions.at[i].edge.branch.i] = work->decisions.at[i].edge.way;
    if (work->decisions.count > ranges->decisions) son_sort_decisions(work);
    memset(ranges->shut, 0xff, work->switch_ways * sizeof *ranges->shut);
    for (uint32_t i = 0; i < work->shut.count; i++) {
        BranchEdge edge = work->shut.at[i].edge;
        ranges->shut[son_switch_edge(work, edge.branch, edge.way)] = 0;
    }
    if (work->shut.count > 1)
        qsort(work->shut.at, work->shut.count, sizeof *work->shut.at, compare_shut);
}

void son_ranges(SonWork *work, SonAssumptions *found) {
    uint32_t count = work->values.values.count;
    SonRanges ranges = {.work = work,
                        .values = &work->values,
                        .func = work->before,
                        .count = count,
                        .way = found->way,
                        .local_from = found->local_from,
                        .local_to = found->local_to,
                        .shut = found->shut,
                        .decisions = work->decisions.count};
    vec_clear(&work->found_ways);
    vec_clear(&work->found);
    vec_clear(&work->local);
    vec_clear(&work->shut);
    vec_clear(&work->merged);
    ranged_sites(&ranges);
    vec_clear(&work->ranges);
    if (ranges.uses) {
        ranges.done = ARENA_ARRAY(work->arena, uint32_t, count);
        if (work->switch_ways)
            ranges.found_at = ARENA_ARRAY(work->arena, uint32_t, work->switch_ways);
        ranges.current = ARENA_ARRAY(work->arena, uint32_t, count);
        memset(ranges.current, 0xff, count * sizeof *ranges.current);
        (void)vec_extend(work->arena, &work->ranges, count);
        (void)vec_extend(work->arena, &work->found_ways, work->before->phi_args.count);
        settle(&ranges);
    }
    tell(&ranges);
}
