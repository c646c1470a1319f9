// Ranges of values (fact/range.h), everywhere and at places.
//
// A walk down the dominator tree knows, at each node, the values about which an edge, a check or an
// access on the way has told more than is known everywhere. At the end of each way into a join, the
// walk adds the range of each argument to the range of its phi. Walks go on until no phi's range
// grows: from the second walk on, an end of an interval that has moved goes to the next landmark
// (0, the ends of smaller types, the end of the type), so few walks are needed. One more walk takes
// back what was too much, and is believed if another walk finds the same again. A last walk decides
// branches and simplifies operators with the ranges at their places.
#include "pass/son/son_work.h"

#include "fact/effects.h"
#include "fact/eval.h"

#include <string.h>

enum {
    MOST_WALKS = 10, // after that, ranges of phis that still grow are given up
    DEEPEST = 3,     // operators are looked into so far
};

// Something is known of a value up to a number in the preorder of the dominator tree.
typedef struct {
    uint32_t value, before; // the finding that counted before
    uint32_t last;
} RangeScope;

typedef struct {
    SonWork *work;
    SonValues *values;
    const Func *func;
    uint32_t count;    // of values at the start
    Range *next;       // value of a phi -> its range as far as this walk has seen it
    bool *is_phi;      // value -> whether it is the value of its phi
    uint32_t *current; // value -> the finding that counts at the node at hand, or NO_ID
    VEC(RangeScope) scopes;
} SonRanges;

static bool is_integer(const SonRanges *ranges, uint32_t value) {
    return type_is_int((Type)ranges->values->types.at[value]);
}

static uint32_t bits_of(const SonRanges *ranges, uint32_t value) {
    return range_bits((Type)ranges->values->types.at[value]);
}

static bool is_better(const Range *fresh, const Range *old) {
    return !range_contains(fresh, old);
}

// ---- Everywhere

static bool is_nothing(const Range *range) {
    return range_is_empty(range);
}

// Values that depend on a phi that no way has reached have no range yet.
static void sweep(SonRanges *ranges) {
    SonWork *work = ranges->work;
    ValueTerms terms = {.values = ranges->values->values.at,
                        .args = ranges->values->args.at,
                        .before = ranges->func,
                        .definitions = work->definitions};
    for (uint32_t v = 0; v < ranges->count; v++) {
        if (ranges->is_phi[v]) continue;
        const HintValue *it = &terms.values[v];
        Range range =
            value_range_everywhere(&terms, v, (Type)ranges->values->types.at[v], work->ranges.at);
        for (uint32_t k = 0; it->kind == VALUE_OP && k < it->count; k++) {
            const Range *arg = &work->ranges.at[terms_args(&terms, v)[k]];
            if (is_nothing(arg)) range = *arg;
        }
        work->ranges.at[v] = range;
    }
}

// ---- At a place

static Range everywhere(const SonRanges *ranges, uint32_t value) {
    return value < ranges->count ? ranges->work->ranges.at[value]
                                 : ranges->values->ranges.at[value];
}

static uint32_t add_finding(SonRanges *ranges, const RangeFact *fact, const Range *range) {
    vec_push(ranges->work->arena, &ranges->work->found,
             (FoundRange){.fact = *fact, .range = *range, .number = NO_ID});
    return ranges->work->found.count - 1;
}

static bool has_integer_operands(const SonRanges *ranges, uint32_t value) {
    const HintValue *it = value_at(ranges->values, value);
    if (it->kind != VALUE_OP || it->count == 0 || !is_integer(ranges, value)) return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (!is_integer(ranges, value_args(ranges->values, value)[k])) return false;
    return true;
}

// The range of a value at the node at hand, and the finding for it; NO_ID if it is that which the
// value has everywhere.
static Range range_here(SonRanges *ranges, uint32_t value, Node node, uint32_t depth,
                        uint32_t *finding) {
    *finding = value < ranges->count ? ranges->current[value] : NO_ID;
    Range best = everywhere(ranges, value);
    if (*finding != NO_ID) best = ranges->work->found.at[*finding].range;
    if (depth == 0 || !has_integer_operands(ranges, value)) return best;
    const HintValue *it = value_at(ranges->values, value);
    RangeFact fact = {.value = value,
                      .place = node,
                      .reason = RANGE_COMPUTED,
                      .ref = NO_ID,
                      .from = {NO_ID, NO_ID, NO_ID}};
    Range args[3], all = everywhere(ranges, value);
    bool any = false;
    for (uint32_t k = 0; k < it->count; k++) {
        args[k] = range_here(ranges, value_args(ranges->values, value)[k], node, depth - 1,
                             &fact.from[k]);
        any |= fact.from[k] != NO_ID;
        if (is_nothing(&args[k])) return best;
    }
    if (!any) return best;
    Range told = range_of_op((Op)it->op, args);
    told = range_both(bits_of(ranges, value), &all, &told);
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
    if (!has_integer_operands(ranges, value) || it.count > 2) return;
    const OpInfo *info = op_info((Op)it.op);
    for (uint32_t k = 0; k < it.count; k++) {
        uint32_t operand = value_args(ranges->values, value)[k];
        Value constant;
        if (value_is_constant(ranges->values, operand, &constant)) continue;
        RangeFact fact = {.value = operand,
                          .place = place,
                          .reason = RANGE_OPERAND,
                          .ref = value,
                          .from = {NO_ID, NO_ID, NO_ID}};
        Range args[2], whole = range_here(ranges, value, place, 0, &fact.from[2]);
        for (uint32_t i = 0; i < it.count; i++)
            args[i] =
                range_here(ranges, value_args(ranges->values, value)[i], place, 0, &fact.from[i]);
        uint32_t bits = range_bits(info->operand[k]);
        if (is_nothing(&args[k]) || is_nothing(&whole)) continue;
        Range told =
            range_of_operand(info->family, bits, range_bits(info->result), args, k, &whole);
        told = range_both(bits, &args[k], &told);
        learn(ranges, &fact, &told, depth);
    }
}

// A value has a range from a place on.
static void learn(SonRanges *ranges, const RangeFact *fact, const Range *told, uint32_t depth) {
    uint32_t value = fact->value, unused;
    if (value >= ranges->count) return;
    Range all = everywhere(ranges, value);
    Range old = range_here(ranges, value, fact->place, 0, &unused);
    Range fresh = range_both(bits_of(ranges, value), &all, told);
    if (is_nothing(&all) || !is_better(&fresh, &old)) return;
    RangeScope scope = {.value = value,
                        .before = ranges->current[value],
                        .last = ranges->work->dom.last[fact->place.i]};
    ranges->current[value] = add_finding(ranges, fact, &fresh);
    vec_push(ranges->work->arena, &ranges->scopes, scope);
    if (depth > 0) learn_operands(ranges, value, fact->place, depth - 1);
}

static void learn_outcome(SonRanges *ranges, Node branch, uint32_t way, Node place) {
    Comparison known;
    if (!son_outcome(ranges->work, branch, way, &known)) return;
    Type type = op_info(known.op)->operand[0];
    if (!type_is_int(type)) return;
    uint32_t bits = range_bits(type);
    Op op = known.holds ? known.op : op_negation(known.op);
    RangeFact fact = {
        .place = place, .reason = RANGE_OUTCOME, .ref = branch.i, .from = {NO_ID, NO_ID, NO_ID}};
    Range a = range_here(ranges, known.a.i, place, DEEPEST, &fact.from[0]);
    Range b = known.b.i == NO_ID ? range_constant(bits, value_immediate(type, known.imm).bits)
                                 : range_here(ranges, known.b.i, place, DEEPEST, &fact.from[1]);
    if (is_nothing(&a) || is_nothing(&b)) return;
    Range told = range_if(op_family(op), bits, &a, &b);
    told = range_both(bits, &a, &told);
    fact.value = known.a.i;
    learn(ranges, &fact, &told, DEEPEST);
    if (known.b.i == NO_ID) return;
    told = range_if(op_family(op_mirror(op)), bits, &b, &a);
    told = range_both(bits, &b, &told);
    fact.value = known.b.i;
    learn(ranges, &fact, &told, DEEPEST);
}

static uint32_t way_to(const Func *func, Node from, Node to) {
    const Instr *instr = func_at(func, from);
    uint32_t way = NO_ID;
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (instr_succs(func, instr)[k].i == to.i) way = way == NO_ID ? k : NO_ID;
    return way;
}

static void enter(SonRanges *ranges, Node node) {
    const SonWork *work = ranges->work;
    Node from = preds_sole(&work->preds, node);
    if (from.i == NO_ID || !bits_has(&work->reached, from.i)) return;
    const Instr *instr = func_at(ranges->func, from);
    if (!instr_is_branch(instr) && instr->kind != I_CHECK) return;
    uint32_t way = instr->succ_count > 64 ? NO_ID : way_to(ranges->func, from, node);
    if (way != NO_ID) learn_outcome(ranges, from, way, node);
}

// ---- Phis

static bool is_undefined(const SonRanges *ranges, uint32_t value) {
    const HintValue *it = value_at(ranges->values, value);
    return it->kind == VALUE_OLD && ranges->work->definitions[it->ref].by == SET_BY_NOTHING;
}

static void join(Range *range, const Range *more) {
    if (is_nothing(more)) return;
    *range = is_nothing(range) ? *more : range_either(range, more);
}

// The arguments of the phis behind a node.
static void pass_arguments(SonRanges *ranges, Node node) {
    const Func *func = ranges->func;
    SonWork *work = ranges->work;
    const Instr *instr = func_at(func, node);
    if (instr->succ_count != 1) return;
    Node to = instr->succ[0];
    uint32_t count = func_phi_count(func, to);
    if (!count) return;
    uint32_t k = preds_index(&work->preds, to, node);
    for (uint32_t i = 0; i < count; i++) {
        const Phi *phi = &func_phis(func, to)[i];
        uint32_t value = work->value_of[phi->dest.i];
        if (value == NO_ID || value >= ranges->count || !ranges->is_phi[value]) continue;
        uint32_t arg = work->value_of[phi_args(func, phi)[k].i], finding = NO_ID;
        if (value != ranges->values->phi[phi->dest.i] || arg == NO_ID) continue;
        if (is_undefined(ranges, arg)) {
            Range any = everywhere(ranges, value);
            any.defined = 0;
            join(&ranges->next[value], &any);
            continue;
        }
        Range range = range_here(ranges, arg, node, DEEPEST, &finding);
        work->found_ways.at[phi->args_at + k] = finding;
        join(&ranges->next[value], &range);
    }
}

// ---- Walks

static void walk(SonRanges *ranges, void (*look)(SonRanges *ranges, Node node)) {
    SonWork *work = ranges->work;
    vec_clear(&work->found);
    for (uint32_t v = 0; v < ranges->count; v++) {
        ranges->current[v] = NO_ID;
        if (ranges->is_phi[v]) ranges->next[v] = (Range){.low = 1};
    }
    vec_clear(&ranges->scopes);
    memset(work->found_ways.at, 0xff, work->found_ways.count * sizeof(uint32_t));
    sweep(ranges);
    for (uint32_t number = 0; number < work->dom.count; number++) {
        Node node = {work->dom.order[number]};
        if (!bits_has(&work->reached, node.i)) continue;
        leave(ranges, number);
        enter(ranges, node);
        pass_arguments(ranges, node);
        if (look) look(ranges, node);
    }
}

static const int64_t landmarks[] = {-32768, -128, -1, 0, 1, 127, 255, 32767, 65535, INT32_MAX};
enum { LANDMARKS = sizeof landmarks / sizeof *landmarks };

// The ends of a range that have moved go on to landmarks.
static Range widened(const Range *old, const Range *fresh, uint32_t bits) {
    Range range = range_either(old, fresh), full = range_full(bits);
    if (range.low < old->low) range.low = 0;
    if (range.high > old->high) {
        uint64_t high = full.high;
        for (uint32_t i = LANDMARKS; i-- > 0;)
            if (landmarks[i] >= 0 && (uint64_t)landmarks[i] >= range.high)
                high = (uint64_t)landmarks[i];
        range.high = high;
    }
    if (range.least < old->least) {
        int64_t least = full.least;
        for (uint32_t i = 0; i < LANDMARKS; i++)
            if (landmarks[i] <= range.least && landmarks[i] > least) least = landmarks[i];
        range.least = least;
    }
    if (range.most > old->most) {
        int64_t most = full.most;
        for (uint32_t i = LANDMARKS; i-- > 0;)
            if (landmarks[i] >= range.most && landmarks[i] < most) most = landmarks[i];
        range.most = most;
    }
    return range;
}

// Takes the findings of a walk into the ranges of phis. Whether some have grown.
static bool grow(SonRanges *ranges, uint32_t number) {
    SonWork *work = ranges->work;
    bool any = false;
    for (uint32_t v = 0; v < ranges->count; v++) {
        if (!ranges->is_phi[v]) continue;
        Range *range = &work->ranges.at[v], next = ranges->next[v];
        uint32_t bits = bits_of(ranges, v);
        if (is_nothing(&next) || (!is_nothing(range) && range_contains(range, &next))) continue;
        any = true;
        if (is_nothing(range))
            *range = next;
        else if (number < MOST_WALKS)
            *range = widened(range, &next, bits);
        else
            *range = range_full(bits);
    }
    return any;
}

// Takes back what walks have widened too far, if the smaller ranges hold, too.
static void shrink(SonRanges *ranges) {
    SonWork *work = ranges->work;
    Range *wide = ARENA_ARRAY(work->arena, Range, ranges->count);
    memcpy(wide, work->ranges.at, ranges->count * sizeof *wide);
    bool any = false, holds = true;
    for (uint32_t v = 0; v < ranges->count; v++) {
        if (!ranges->is_phi[v] || is_nothing(&ranges->next[v])) continue;
        any |= is_better(&ranges->next[v], &wide[v]);
        work->ranges.at[v] = ranges->next[v];
    }
    if (!any) return;
    walk(ranges, NULL);
    for (uint32_t v = 0; v < ranges->count; v++)
        holds &= !ranges->is_phi[v] || range_contains(&work->ranges.at[v], &ranges->next[v]) ||
                 is_nothing(&ranges->next[v]);
    if (!holds) memcpy(work->ranges.at, wide, ranges->count * sizeof *wide);
}

static void find_phis(SonRanges *ranges) {
    SonWork *work = ranges->work;
    for (uint32_t i = 0; i < ranges->func->phis.count; i++) {
        Reg dest = ranges->func->phis.at[i].dest;
        uint32_t value = work->value_of[dest.i];
        if (value == NO_ID || value != ranges->values->phi[dest.i] || !is_integer(ranges, value))
            continue;
        ranges->is_phi[value] = true;
        work->ranges.at[value] = (Range){.low = 1}; // nothing
    }
}

// ---- Uses

typedef struct {
    SonRanges ranges;
    uint32_t *way, *local_from, *local_to;
} RangeUses;

static RangeUses *uses_of(SonRanges *ranges) {
    return (RangeUses *)ranges; // its first member
}

static void decide(SonRanges *ranges, Node node, const Instr *instr) {
    SonWork *work = ranges->work;
    uint32_t *way = uses_of(ranges)->way, finding;
    if (instr->kind == I_SWITCH || way[node.i] != NO_ID) return;
    uint32_t value = instr->kind == I_COND ? work->test[node.i] : work->value_of[instr->arg[0].i];
    Value constant;
    if (value == NO_ID || !is_integer(ranges, value) ||
        value_is_constant(ranges->values, value, &constant))
        return;
    Range range = range_here(ranges, value, node, DEEPEST, &finding);
    if (is_nothing(&range) || (range.low == 0 && range.high > 0)) return;
    if (instr->kind == I_CHECK && range.low == 0) return;
    // The decision names a finding even if the range holds everywhere.
    if (finding == NO_ID) {
        RangeFact fact = {.value = value,
                          .place = node,
                          .reason = RANGE_COMPUTED,
                          .ref = NO_ID,
                          .from = {NO_ID, NO_ID, NO_ID}};
        if (!has_integer_operands(ranges, value)) return;
        finding = add_finding(ranges, &fact, &range);
    }
    way[node.i] = range.low > 0 ? 0 : 1;
    Decision decision = {.edge = {node, way[node.i]}, .fact = finding + 1};
    vec_push(work->arena, &work->decisions, decision);
}

static void use_step(SonRanges *ranges, Node node, uint32_t from, uint32_t to, uint16_t rule,
                     const uint32_t *found) {
    RangeUses *uses = uses_of(ranges);
    FoundStep local = {.node = node,
                       .step = {.from = from, .to = to, .rule = rule},
                       .found = {found[0], found[1]}};
    vec_push(ranges->work->arena, &ranges->work->local, local);
    uses->local_from[node.i] = from;
    uses->local_to[node.i] = to;
}

// A value that a guard may ask about, if its range is better here than everywhere.
static void add_view(SonRanges *ranges, Node node, uint32_t value, RangeView *view,
                     uint32_t *found) {
    uint32_t finding;
    if (!is_integer(ranges, value) || view->count == MOST_BETTER) return;
    Range range = range_here(ranges, value, node, DEEPEST, &finding);
    if (finding == NO_ID || is_nothing(&range)) return;
    view->value[view->count] = value;
    view->range[view->count] = range;
    found[view->count++] = finding;
}

static void simplify_here(SonRanges *ranges, Node node, const Instr *instr) {
    SonValues *values = ranges->values;
    uint32_t value = value_simplify(values, value_of_instr(values, instr, ranges->work->value_of));
    uint32_t found[2] = {NO_ID, NO_ID};
    uint64_t constant;
    uint16_t rule;
    Value known;
    if (value_is_constant(values, value, &known) || !has_integer_operands(ranges, value)) return;
    Range range = range_here(ranges, value, node, DEEPEST, &found[0]);
    if (is_nothing(&range)) return;
    if (range_is_constant(&range, &constant)) {
        Type type = (Type)values->types.at[value];
        use_step(ranges, node, value, value_constant(values, type, (Value){.bits = constant}),
                 STEP_KNOWN, found);
        return;
    }
    found[0] = NO_ID;
    RangeView view = {.all = ranges->work->ranges.at};
    for (uint32_t k = 0; k < value_at(values, value)->count; k++) {
        uint32_t arg = value_args(values, value)[k];
        add_view(ranges, node, arg, &view, found);
        for (uint32_t i = 0; has_integer_operands(ranges, arg) && i < value_at(values, arg)->count;
             i++)
            add_view(ranges, node, value_args(values, arg)[i], &view, found);
    }
    uint32_t to = value < ranges->count ? value_guarded(values, value, &view, &rule) : NO_ID;
    if (to != NO_ID) use_step(ranges, node, value, to, rule, found);
}

static void use(SonRanges *ranges, Node node) {
    const Instr *instr = func_at(ranges->func, node);
    if (instr->kind == I_OP && type_is_int(op_info(instr->op)->result) && !op_is_move(instr->op) &&
        op_info(instr->op)->arity > 0 && ranges->work->value_of[instr->dest.i] != NO_ID)
        simplify_here(ranges, node, instr);
    if (instr_is_branch(instr) || instr->kind == I_CHECK) decide(ranges, node, instr);
}

void son_ranges(SonWork *work, uint32_t *way, uint32_t *local_from, uint32_t *local_to) {
    RangeUses uses = {.way = way, .local_from = local_from, .local_to = local_to};
    SonRanges *ranges = &uses.ranges;
    uint32_t count = work->values.values.count, nodes = work->before->nodes.count;
    *ranges = (SonRanges){.work = work,
                          .values = &work->values,
                          .func = work->before,
                          .count = count,
                          .next = ARENA_ARRAY(work->arena, Range, count),
                          .is_phi = ARENA_ARRAY(work->arena, bool, count),
                          .current = ARENA_ARRAY(work->arena, uint32_t, count)};
    memset(local_from, 0xff, nodes * sizeof *local_from);
    memset(local_to, 0xff, nodes * sizeof *local_to);
    vec_clear(&work->local);
    vec_clear(&work->ranges);
    vec_clear(&work->found_ways);
    (void)vec_extend(work->arena, &work->ranges, count);
    (void)vec_extend(work->arena, &work->found_ways, work->before->phi_args.count);
    find_phis(ranges);
    for (uint32_t number = 0;; number++) {
        walk(ranges, NULL);
        if (!grow(ranges, number)) break;
    }
    shrink(ranges);
    walk(ranges, use);
    if (work->decisions.count) son_sort_decisions(work);
}
