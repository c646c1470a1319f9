// Steps at the places of operators that follow from the values at hand, without ranges. The
// arguments of phis change from round to round, so these steps, too, are found and assumed in
// rounds.
//
// Constants that merge: an operator of phis of one join and of constants, with the same result on
// each way into the join. Sums of values that are equal there: with a = b, a * 8 + b * 2 is a * 10.
#include "pass/son/son_work.h"

typedef struct {
    SonWork *work;
    Bits joins; // whose phis have their arguments
    const SonEquals *equals;
} StepFinder;

// The join of the first phi among the operands of a value, or of its operands; NO_ID if there is
// none.
static uint32_t join_of(const SonValues *values, uint32_t value, uint32_t depth) {
    const HintValue *it = value_at(values, value);
    if (it->kind == VALUE_PHI) return it->ref;
    for (uint32_t k = 0; depth && it->kind == VALUE_OP && k < it->count; k++) {
        uint32_t join = join_of(values, value_args(values, value)[k], depth - 1);
        if (join != NO_ID) return join;
    }
    return NO_ID;
}

// The constant that a value is on each way into a join; NO_ID if there is none.
static uint32_t merged_constant(StepFinder *finder, uint32_t value) {
    SonWork *work = finder->work;
    Type type = (Type)work->values.types.at[value];
    Value result;
    uint32_t join = join_of(&work->values, value, 3);
    if (join == NO_ID) return NO_ID;
    if (bits_put(&finder->joins, join)) son_set_phis(work, (Node){join});
    ValueTerms terms = values_terms(&work->values);
    if (!value_on_all_ways(&terms, value, type, &result)) return NO_ID;
    return value_constant(&work->values, type, result);
}

static uint32_t part_count(const ValueSum *sum) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sum->count; i++) count += sum->parts[i].factor != 0;
    return count;
}

// A constant in the place of a part is no gain, unless all is constant then.
static bool is_simpler(const ValueSum *other, const ValueSum *sum) {
    uint32_t parts = part_count(other);
    return parts < part_count(sum) && (parts == 0 || !other->constant || sum->constant);
}

// A sum with fewer parts, if two values are equal at a node, and why; NO_ID if there is none.
static uint32_t shorter_by_equal(StepFinder *finder, Node node, uint32_t value, FoundStep *why) {
    SonWork *work = finder->work;
    Type type = (Type)work->values.types.at[value];
    ValueTerms terms = values_terms(&work->values);
    ValueSum sum, other, best;
    OpFamily family = op_family((Op)value_at(&work->values, value)->op);
    uint32_t at = finder->equals->at ? finder->equals->at[node.i] : NO_ID;
    if (at == NO_ID || (family != FAM_ADD && family != FAM_SUB) ||
        !value_sum(&terms, value, type, &sum))
        return NO_ID;
    uint32_t replaced = NO_ID; // the last of the values: what was there before stays
    for (uint32_t i = 0; replaced == NO_ID && i < MOST_EQUALS && at != NO_ID; i++) {
        const KnownEqual *equal = &finder->equals->known.at[at];
        for (uint32_t p = 0; p < equal_part_count(equal); p++) {
            uint32_t part = equal_part(equal, p);
            if ((replaced != NO_ID && part < replaced) ||
                !son_replace(work, &sum, equal, part, &other) || !is_simpler(&other, &sum))
                continue;
            replaced = part;
            best = other;
            why->found[0] = equal->edge.branch.i;
            why->found[1] = equal->edge.way;
            why->gate = equal->gate;
        }
        at = equal->outer;
    }
    return replaced == NO_ID
               ? NO_ID
               : value_simplify(&work->values, value_of_sum(&work->values, type, &best));
}

static void find_step(StepFinder *finder, Node node, uint32_t *from, uint32_t *to) {
    SonWork *work = finder->work;
    const Instr *instr = func_at(work->before, node);
    Value constant;
    uint32_t root = work->value_of[instr->dest.i];
    if (work->assumed.local_from[node.i] != NO_ID) // the value is what a step has made of it
        root = value_simplify(&work->values, value_of_instr(&work->values, instr, work->value_of));
    if (value_is_constant(&work->values, root, &constant)) return;
    FoundStep local = {
        .node = node, .step = {.from = root, .rule = STEP_MERGED}, .found = {NO_ID, NO_ID}};
    local.step.to = merged_constant(finder, root);
    if (local.step.to == NO_ID) {
        local.step.rule = STEP_EQUAL;
        local.step.to = shorter_by_equal(finder, node, root, &local);
    }
    if (local.step.to == NO_ID) return;
    vec_push(work->arena, &work->local, local);
    *from = root;
    *to = local.step.to;
}

void son_steps(SonWork *work, const SonEquals *equals, uint32_t *local_from, uint32_t *local_to) {
    const Func *func = work->before;
    StepFinder finder = {.work = work, .equals = equals};
    if (!func->phis.count && !equals->at) return;
    finder.joins = bits_new(work->arena, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind == I_OP && bits_has(&work->reached, n) && local_from[n] == NO_ID &&
            op_info(instr->op)->arity && !op_is_move(instr->op) && !op_is_partial(instr->op) &&
            type_is_int(op_info(instr->op)->result))
            find_step(&finder, (Node){n}, &local_from[n], &local_to[n]);
    }
}
