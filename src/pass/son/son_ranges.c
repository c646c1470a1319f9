// Ranges of values (fact/range.h), everywhere and at places.
//
// A walk down the dominator tree knows, at each node, the values about which an edge or a check on
// the way has told more than is known everywhere. At the end of each way into a join, the walk adds
// the range of each argument to the range of its phi. The walk comes to a join after all its ways
// but those that lead back, so a function without loops needs one walk. In a loop, walks go on
// until no range of a header's phi grows: an end of an interval that has moved goes to the next
// landmark (0, -1, the end of the type), so few walks are needed. Then one more walk tries ranges
// that are smaller than these landmarks. The last walk decides branches and simplifies operators
// with the ranges at their places.
#include "pass/son/son_work.h"

#include "fact/effects.h"
#include "fact/eval.h"

#include <string.h>

enum {
    MOST_WALKS = 3, // after that, ranges of phis that still grow are given up
    DEEPEST = 2,    // operators are looked into so far
    LARGE = 4000,   // nodes; in a function with more, nothing is assumed of the phis of headers
};

// Something is known of a value up to a number in the preorder of the dominator tree.
typedef struct {
    uint32_t value, before; // the finding that counted before
    uint32_t last;
} RangeScope;

typedef struct {
    Reg dest;
    uint32_t value;
    Node join;
    bool header;    // of a loop
    bool undefined; // some argument is
    bool given_up;  // it may be anything: no way seems to lead there, or the function is large
    Range next;     // as far as this walk has seen it
    Range wide;     // before it was made smaller
} RangedPhi;

typedef struct {
    SonWork *work;
    SonValues *values;
    const Func *func;
    uint32_t count;      // of values at the start
    VEC(RangedPhi) phis; // by join, ascending
    uint32_t *phi_at;    // node -> the first of its phis there
    uint32_t *phi_of;    // value of a phi -> its number there plus one
    uint32_t *done;      // value -> the walk that has computed its range
    bool *depends;       // value -> whether it is made of phis
    uint8_t *asked;      // value -> how often its range may be asked for, up to 2
    uint32_t walk;       // number of this one, from 1
    uint32_t *current;   // value -> the finding that counts at the node at hand, or NO_ID
    VEC(RangeScope) scopes;
    // The results.
    uint32_t *way, *local_from, *local_to;
    uint32_t decisions; // that others have made
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

// The same, but that more bits are defined does not count.
static bool is_smaller(Range fresh, const Range *old) {
    fresh.defined = 0;
    return !range_contains(&fresh, old);
}

// ---- Everywhere

// A value that is made of phis has the range that the walk has computed for it; before the walk has
// met it, what its operators alone tell.
static Range everywhere(const SonRanges *ranges, uint32_t value) {
    if (value >= ranges->count || !ranges->depends[value]) return ranges->values->ranges.at[value];
    if (ranges->phi_of[value] || ranges->done[value] == ranges->walk)
        return ranges->work->ranges.at[value];
    return ranges->values->ranges.at[value];
}

static bool has_integer_operands(const SonRanges *ranges, uint32_t value) {
    const HintValue *it = value_at(ranges->values, value);
    if (it->kind != VALUE_OP || it->count == 0 || !is_integer(ranges, value)) return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (!is_integer(ranges, value_args(ranges->values, value)[k])) return false;
    return true;
}

// The walk has come to an operator.
static void compute(SonRanges *ranges, uint32_t value) {
    if (value >= ranges->count || !ranges->depends[value] || ranges->phi_of[value] ||
        ranges->done[value] == ranges->walk || !has_integer_operands(ranges, value))
        return;
    const HintValue *it = value_at(ranges->values, value);
    Range args[3];
    for (uint32_t k = 0; k < it->count; k++) {
        args[k] = everywhere(ranges, value_args(ranges->values, value)[k]);
        if (range_is_empty(&args[k])) return;
    }
    ranges->work->ranges.at[value] = range_of_op((Op)it->op, args);
    ranges->done[value] = ranges->walk;
}

static void find_depending(SonRanges *ranges) {
    for (uint32_t v = 0; v < ranges->count; v++) {
        const HintValue *it = value_at(ranges->values, v);
        ranges->depends[v] = ranges->phi_of[v] != 0;
        for (uint32_t k = 0; it->kind == VALUE_OP && k < it->count; k++)
            ranges->depends[v] |= ranges->depends[value_args(ranges->values, v)[k]];
    }
}

// ---- At a place

static uint32_t add_finding(SonRanges *ranges, const RangeFact *fact, const Range *range) {
    vec_push(ranges->work->arena, &ranges->work->found,
             (FoundRange){.fact = *fact, .range = *range, .number = NO_ID});
    return ranges->work->found.count - 1;
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
        if (range_is_empty(&args[k])) return best;
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
    if (value >= ranges->count) return;
    Range all = everywhere(ranges, value);
    Range old = range_here(ranges, value, fact->place, 0, &unused);
    Range fresh = range_both(bits_of(ranges, value), &all, told);
    if (range_is_empty(&all) || !is_smaller(fresh, &old)) return;
    RangeScope scope = {.value = value,
                        .before = ranges->current[value],
                        .last = ranges->work->open.last[fact->place.i]};
    ranges->current[value] = add_finding(ranges, fact, &fresh);
    vec_push(ranges->work->arena, &ranges->scopes, scope);
    if (depth > 0) learn_operands(ranges, value, fact->place, depth - 1);
}

// Whether somebody else asks for the range of an operand of a branch.
static bool is_asked(const SonRanges *ranges, Reg value) {
    return value.i < ranges->count && ranges->asked[value.i] > 1;
}

static void learn_outcome(SonRanges *ranges, Node branch, uint32_t way, Node place) {
    Comparison known;
    if (!son_outcome(ranges->work, branch, way, &known)) return;
    Type type = op_info(known.op)->operand[0];
    // The branch itself has asked once.
    if (!type_is_int(type) || !(is_asked(ranges, known.a) || is_asked(ranges, known.b))) return;
    uint32_t bits = range_bits(type);
    Op op = known.holds ? known.op : op_negation(known.op);
    RangeFact fact = {
        .place = place, .reason = RANGE_OUTCOME, .ref = branch.i, .from = {NO_ID, NO_ID, NO_ID}};
    Range a = range_here(ranges, known.a.i, place, DEEPEST, &fact.from[0]);
    Range b = known.b.i == NO_ID ? range_constant(bits, value_immediate(type, known.imm).bits)
                                 : range_here(ranges, known.b.i, place, DEEPEST, &fact.from[1]);
    if (range_is_empty(&a) || range_is_empty(&b)) return;
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

// The address of an access that went right is not null.
static void learn_access(SonRanges *ranges, Node access, Node place) {
    const Instr *instr = func_at(ranges->func, access);
    if (instr->base != BASE_REG || instr->scale || instr->imm < 0 || instr->imm >= NULL_PAGE ||
        ranges->func->program->null_is_place)
        return;
    uint32_t value = ranges->work->value_of[instr_args(ranges->func, instr)[0].i];
    if (!is_asked(ranges, (Reg){value})) return;
    RangeFact fact = {.value = value,
                      .place = place,
                      .reason = RANGE_ACCESS,
                      .ref = access.i,
                      .from = {NO_ID, NO_ID, NO_ID}};
    Range told = range_full(64);
    told.low = 1;
    told.high -= (uint64_t)instr->imm + chunk_size((Chunk)instr->chunk);
    learn(ranges, &fact, &told, 0);
}

static void enter(SonRanges *ranges, Node node) {
    const SonWork *work = ranges->work;
    Node from = work->sole[node.i];
    if (from.i == NO_ID || !bits_has(&work->reached, from.i)) return;
    const Instr *instr = func_at(ranges->func, from);
    if (instr->kind == I_LOAD || instr->kind == I_STORE) learn_access(ranges, from, node);
    if (!instr_is_branch(instr) && instr->kind != I_CHECK) return;
    uint32_t way = instr->succ_count > 64 ? NO_ID : son_way_to(ranges->func, from, node);
    if (way != NO_ID) learn_outcome(ranges, from, way, node);
}

// ---- Phis

static bool is_undefined(const SonRanges *ranges, uint32_t value) {
    const HintValue *it = value_at(ranges->values, value);
    return it->kind == VALUE_OLD && ranges->work->definitions[it->ref].by == SET_BY_NOTHING;
}

// Whether the value of a phi is the phi.
static bool is_own_phi(const SonRanges *ranges, Reg dest) {
    uint32_t value = ranges->work->value_of[dest.i];
    return value != NO_ID && value == ranges->values->phi[dest.i] && is_integer(ranges, value);
}

// Whether the walk comes to a join before it has seen all ways there.
static bool is_header(const SonRanges *ranges, Node join) {
    const SonWork *work = ranges->work;
    for (uint32_t k = 0; k < preds_count(&work->preds, join); k++) {
        Node pred = preds_at(&work->preds, join)[k];
        if (bits_has(&work->reached, pred.i) &&
            work->open.number[pred.i] >= work->open.number[join.i])
            return true;
    }
    return false;
}

// ---- Questions

static void ask(SonRanges *ranges, uint32_t value, uint32_t count, uint32_t depth) {
    if (value == NO_ID || value >= ranges->count) return;
    const HintValue *it = value_at(ranges->values, value);
    uint32_t asked = ranges->asked[value] + count;
    ranges->asked[value] = asked > 2 ? 2 : (uint8_t)asked;
    for (uint32_t k = 0; depth > 0 && it->kind == VALUE_OP && k < it->count; k++)
        ask(ranges, value_args(ranges->values, value)[k], count, depth - 1);
}

static bool may_gain(Op op);

// A phi that somebody asks for asks for its arguments. Loops may need a second look.
static void ask_arguments(SonRanges *ranges) {
    const SonWork *work = ranges->work;
    const Func *func = ranges->func;
    for (uint32_t look = 0; look < 2; look++)
        for (uint32_t i = func->phis.count; i-- > 0;) {
            const Phi *phi = &func->phis.at[i];
            Node join = work->definitions[phi->dest.i].node;
            if (!is_own_phi(ranges, phi->dest) || !bits_has(&work->reached, join.i) ||
                !ranges->asked[work->value_of[phi->dest.i]])
                continue;
            for (uint32_t k = 0; k < preds_count(&work->preds, join); k++)
                ask(ranges, work->value_of[phi_args(func, phi)[k].i], 2, 1);
        }
}

// Branches ask for the operands of their conditions, operators that may gain for their operands,
// accesses for their addresses. Whether some value is asked for twice: else nothing can be found.
static bool find_questions(SonRanges *ranges) {
    const SonWork *work = ranges->work;
    const Func *func = ranges->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (!bits_has(&work->reached, n)) continue;
        if (instr->kind == I_COND) ask(ranges, work->test[n], 1, DEEPEST);
        if (instr->kind == I_CHECK) ask(ranges, work->value_of[instr->arg[0].i], 1, DEEPEST);
        if ((instr->kind == I_LOAD || instr->kind == I_STORE) && instr->base == BASE_REG)
            ask(ranges, work->value_of[instr_args(func, instr)[0].i], 1, 0);
        for (uint32_t k = 0; instr->kind == I_OP && may_gain(instr->op) && k < instr->arg_count;
             k++)
            ask(ranges, work->value_of[instr->arg[k].i], 2, 1);
    }
    ask_arguments(ranges);
    for (uint32_t v = 0; v < ranges->count; v++)
        if (ranges->asked[v] > 1) return true;
    return false;
}

static void find_phis(SonRanges *ranges) {
    SonWork *work = ranges->work;
    for (uint32_t i = 0; i < ranges->func->phis.count; i++) {
        uint32_t value = ranges->values->phi[ranges->func->phis.at[i].dest.i];
        if (value != NO_ID) work->ranges.at[value] = (Range){.low = 1}; // nothing
    }
    for (uint32_t n = 0; n < ranges->func->nodes.count; n++) {
        Node join = {n};
        uint32_t count = func_phi_count(ranges->func, join);
        ranges->phi_at[n] = ranges->phis.count;
        if (!count || !bits_has(&work->reached, n)) continue;
        bool header = is_header(ranges, join);
        for (uint32_t i = 0; i < count; i++) {
            Reg dest = func_phis(ranges->func, join)[i].dest;
            uint32_t value = work->value_of[dest.i];
            if (!is_own_phi(ranges, dest) || !ranges->asked[value]) continue;
            vec_push(work->arena, &ranges->phis,
                     (RangedPhi){.dest = dest, .value = value, .join = join, .header = header});
            ranges->phi_of[value] = ranges->phis.count;
        }
    }
    ranges->phi_at[ranges->func->nodes.count] = ranges->phis.count;
}

// The walk has come to a join: all ways but those that lead back have been seen. A header has its
// range from the walks before.
static void enter_join(SonRanges *ranges, Node node) {
    for (uint32_t i = ranges->phi_at[node.i]; i < ranges->phi_at[node.i + 1]; i++) {
        const RangedPhi *phi = &ranges->phis.at[i];
        if (phi->given_up)
            ranges->work->ranges.at[phi->value] = range_full(bits_of(ranges, phi->value));
        else if (!phi->header || ranges->walk == 1)
            ranges->work->ranges.at[phi->value] = phi->next;
    }
}

static void join(Range *range, const Range *more) {
    if (range_is_empty(more)) return;
    *range = range_is_empty(range) ? *more : range_either(range, more);
}

// The arguments of the phis behind a node.
static void pass_arguments(SonRanges *ranges, Node node) {
    const Func *func = ranges->func;
    SonWork *work = ranges->work;
    const Instr *instr = func_at(func, node);
    if (instr->succ_count != 1) return;
    Node to = instr->succ[0];
    if (ranges->phi_at[to.i] == ranges->phi_at[to.i + 1]) return;
    uint32_t k = preds_index(&work->preds, to, node);
    for (uint32_t i = ranges->phi_at[to.i]; i < ranges->phi_at[to.i + 1]; i++) {
        RangedPhi *phi = &ranges->phis.at[i];
        const Phi *it = &func->phis.at[work->definitions[phi->dest.i].at];
        uint32_t arg = work->value_of[phi_args(func, it)[k].i], finding;
        if (arg == NO_ID) continue;
        if (is_undefined(ranges, arg)) {
            phi->next.defined = 0;
            phi->undefined = true;
            continue;
        }
        Range range = range_here(ranges, arg, node, DEEPEST, &finding);
        if (phi->undefined) range.defined = 0;
        work->found_ways.at[it->args_at + k] = finding;
        join(&phi->next, &range);
    }
}

// ---- Walks

static void use(SonRanges *ranges, Node node);

// The walk has come to a node that sets or tests a value.
static void meet(SonRanges *ranges, Node node) {
    const Instr *instr = func_at(ranges->func, node);
    if (instr->kind == I_OP && ranges->work->value_of[instr->dest.i] != NO_ID)
        compute(ranges, ranges->work->value_of[instr->dest.i]);
    else if (instr->kind == I_COND)
        compute(ranges, ranges->work->test[node.i]);
}

static void walk(SonRanges *ranges, bool uses) {
    SonWork *work = ranges->work;
    vec_clear(&work->found);
    vec_clear(&work->local);
    work->decisions.count = ranges->decisions;
    ranges->walk++;
    for (uint32_t i = 0; i < ranges->phis.count; i++) {
        ranges->phis.at[i].next = (Range){.low = 1}; // nothing
        ranges->phis.at[i].undefined = false;
    }
    if (ranges->phis.count)
        memset(work->found_ways.at, 0xff, work->found_ways.count * sizeof(uint32_t));
    for (uint32_t number = 0; number < work->open.count; number++) {
        Node node = {work->open.order[number]};
        if (!bits_has(&work->reached, node.i)) continue;
        leave(ranges, number);
        enter_join(ranges, node);
        enter(ranges, node);
        meet(ranges, node);
        if (uses) use(ranges, node);
        pass_arguments(ranges, node);
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

// Takes the findings of a walk into the ranges of headers' phis. Whether some have grown.
static bool grow(SonRanges *ranges) {
    bool any = false;
    for (uint32_t i = 0; i < ranges->phis.count; i++) {
        const RangedPhi *phi = &ranges->phis.at[i];
        Range *range = &ranges->work->ranges.at[phi->value];
        uint32_t bits = bits_of(ranges, phi->value);
        if (!phi->header || range_is_empty(&phi->next) || range_contains(range, &phi->next))
            continue;
        any = true;
        if (range_is_empty(range))
            *range = phi->next;
        else if (ranges->walk < MOST_WALKS)
            *range = widened(range, &phi->next, bits, ranges->walk > 1);
        else
            *range = range_full(bits);
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
        ranges->work->ranges.at[phi->value] = range_full(bits_of(ranges, phi->value));
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
        if (range_is_empty(range) ||
            !(range_is_empty(&phi->next) || range_contains(range, &phi->next)))
            return false;
    }
    return true;
}

static void settle(SonRanges *ranges) {
    bool large = ranges->func->nodes.count > LARGE;
    for (uint32_t i = 0; i < ranges->phis.count; i++)
        ranges->phis.at[i].given_up = large && ranges->phis.at[i].header;
    if (!has_loops(ranges)) {
        do walk(ranges, true);
        while (give_up(ranges));
        return;
    }
    do walk(ranges, false);
    while (grow(ranges) || give_up(ranges));
    bool smaller = shrink(ranges);
    walk(ranges, true);
    if (!smaller || holds(ranges)) return;
    for (uint32_t i = 0; i < ranges->phis.count; i++)
        ranges->work->ranges.at[ranges->phis.at[i].value] = ranges->phis.at[i].wide;
    walk(ranges, true);
}

// ---- Uses

static void decide(SonRanges *ranges, Node node, const Instr *instr) {
    SonWork *work = ranges->work;
    uint32_t finding;
    if (instr->kind == I_SWITCH || ranges->way[node.i] != NO_ID) return;
    uint32_t value = instr->kind == I_COND ? work->test[node.i] : work->value_of[instr->arg[0].i];
    Value constant;
    if (value == NO_ID || !is_integer(ranges, value) ||
        value_is_constant(ranges->values, value, &constant))
        return;
    Range range = range_here(ranges, value, node, DEEPEST, &finding);
    if (range_is_empty(&range) || (range.low == 0 && range.high > 0)) return;
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
    Decision decision = {.edge = {node, range.low > 0 ? 0 : 1}, .fact = finding + 1};
    vec_push(work->arena, &work->decisions, decision);
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
    if (!is_integer(ranges, value) || view->count == MOST_BETTER) return;
    Range range = range_here(ranges, value, node, DEEPEST, &finding);
    if (range_is_empty(&range) || !is_better(&range, &ranges->values->ranges.at[value])) return;
    view->value[view->count] = value;
    view->range[view->count] = range;
    found[view->count++] = finding;
}

// Whether more may be known of a value here than its operators tell.
static bool may_know_more(const SonRanges *ranges, uint32_t value) {
    if (value == NO_ID || value >= ranges->count) return false;
    if (ranges->depends[value] || ranges->current[value] != NO_ID) return true;
    const HintValue *it = value_at(ranges->values, value);
    for (uint32_t k = 0; it->kind == VALUE_OP && k < it->count; k++)
        if (ranges->current[value_args(ranges->values, value)[k]] != NO_ID) return true;
    return false;
}

// One step from a value that an operator yields. Whether there is one.
static bool step_here(SonRanges *ranges, Node node, uint32_t value) {
    SonValues *values = ranges->values;
    uint32_t found[2] = {NO_ID, NO_ID};
    uint64_t constant;
    uint16_t rule;
    Value known;
    if (value >= ranges->count || value_is_constant(values, value, &known) ||
        !has_integer_operands(ranges, value))
        return false;
    Range range = range_here(ranges, value, node, DEEPEST, &found[0]);
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
        for (uint32_t i = 0; has_integer_operands(ranges, arg) && i < value_at(values, arg)->count;
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
        more |= may_know_more(ranges, ranges->work->value_of[instr->arg[k].i]);
    if (!more) return;
    uint32_t formed = value_of_instr(values, instr, ranges->work->value_of);
    uint32_t root = value_simplify(values, formed);
    Value known;
    if (value_is_constant(values, root, &known)) return;
    if (!step_here(ranges, node, formed) && root != formed) step_here(ranges, node, root);
}

// Operators that a range can make cheaper.
static bool may_gain(Op op) {
    switch (op_family(op)) {
    case FAM_AND:
    case FAM_SAR:
    case FAM_DIVS:
    case FAM_MODS:
    case FAM_DIVU:
    case FAM_MODU:
    case FAM_SEXT:
    case FAM_ZEXT:
    case FAM_SEXT8:
    case FAM_SEXT16:
    case FAM_ZEXT8:
    case FAM_ZEXT16: return true;
    default: return op_compares_integers(op);
    }
}

static void use(SonRanges *ranges, Node node) {
    const Instr *instr = func_at(ranges->func, node);
    if (instr->kind == I_OP) {
        uint32_t value = ranges->work->value_of[instr->dest.i];
        if (value == NO_ID || !type_is_int(op_info(instr->op)->result)) return;
        if (may_gain(instr->op)) simplify_here(ranges, node, instr);
    } else if (instr_is_branch(instr) || instr->kind == I_CHECK) {
        decide(ranges, node, instr);
    }
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
}

void son_ranges(SonWork *work, uint32_t *way, uint32_t *local_from, uint32_t *local_to) {
    uint32_t count = work->values.values.count, nodes = work->before->nodes.count;
    SonRanges ranges = {.work = work,
                        .values = &work->values,
                        .func = work->before,
                        .count = count,
                        .phi_at = ARENA_ARRAY(work->arena, uint32_t, nodes + 1),
                        .phi_of = ARENA_ARRAY(work->arena, uint32_t, count),
                        .done = ARENA_ARRAY(work->arena, uint32_t, count),
                        .depends = ARENA_ARRAY(work->arena, bool, count),
                        .asked = ARENA_ARRAY(work->arena, uint8_t, count),
                        .current = ARENA_ARRAY(work->arena, uint32_t, count),
                        .way = way,
                        .local_from = local_from,
                        .local_to = local_to,
                        .decisions = work->decisions.count};
    memset(ranges.current, 0xff, count * sizeof *ranges.current);
    vec_clear(&work->ranges);
    vec_clear(&work->found_ways);
    (void)vec_extend(work->arena, &work->ranges, count);
    (void)vec_extend(work->arena, &work->found_ways, work->before->phi_args.count);
    vec_clear(&work->found);
    vec_clear(&work->local);
    bool any = find_questions(&ranges);
    find_phis(&ranges);
    find_depending(&ranges);
    if (any) settle(&ranges);
    tell(&ranges);
}
