#include "analysis/conditions/rounds.h"

#include "analysis/conditions/uninitialized.h"
#include "fact/comparison.h"
#include "fact/eval.h"

// So many counters together make a value; each is tried in so many rounds.
enum { MOST_COUNTERS = 3, DEEPEST = 40, DEEPEST_NEST = 20, LARGEST = 1 << 30 };
#define NEVER INT64_MAX

// A number, or a distance from an object.
typedef struct {
    bool known;
    uint8_t base; // LimitsBase
    uint32_t id;
    int64_t number;
} RoundValue;

typedef enum { ROUND_FIRST, ROUND_BEFORE_LAST, ROUND_LAST, ROUND_KINDS } RoundKind;

struct RoundSearch {
    const LimitWalk *walk;
    LoopCounter counters[MOST_COUNTERS]; // of outer loops first
    RoundValue value[MOST_COUNTERS];     // in the round at hand
    bool sure[MOST_COUNTERS];            // no other way out of the loop could be met before
    bool guarded[MOST_COUNTERS];         // another way out asks for the counter in some rounds
    uint32_t count, set;                 // `set` of them have a value
    bool at_least;
    Node first;       // the header of a loop that is in its first round; NO_NODE
    RoundValue *memo; // by register
    uint32_t *stamp, *visited;
    uint32_t round, visit; // numbers of this evaluation, and of this visit
    uint32_t *stack;       // of nodes
    uint64_t budget;
};

RoundSearch *rounds_begin(Arena *arena, const LimitWalk *walk) {
    RoundSearch *s = ARENA_NEW(arena, RoundSearch);
    uint32_t regs = walk->ssa->regs.count, nodes = walk->ssa->nodes.count;
    *s = (RoundSearch){.walk = walk, .first = NO_NODE, .budget = 40 * ((uint64_t)nodes + 100)};
    s->memo = ARENA_ARRAY(arena, RoundValue, regs);
    s->stamp = ARENA_ARRAY(arena, uint32_t, regs);
    s->visited = ARENA_ARRAY(arena, uint32_t, nodes);
    s->stack = ARENA_ARRAY(arena, uint32_t, nodes);
    return s;
}

static bool spend(RoundSearch *s) {
    if (!s->budget) return false;
    s->budget--;
    return true;
}

// ---- Values in a round

static RoundValue evaluate(RoundSearch *s, Reg reg, unsigned depth);

static Type type_of(const RoundSearch *s, Reg reg) {
    return reg_type(s->walk->ssa, reg);
}

static RoundValue exact_number(Type type, uint64_t bits) {
    return (RoundValue){.known = true,
                        .number = type == TYPE_I32 ? (int32_t)(uint32_t)bits : (int64_t)bits};
}

// Whether something is the same in all rounds. Of anything else the branches before the node at
// hand tell only how it is in rounds that come there.
static bool is_the_same(const RoundSearch *s, Reg reg) {
    Node set = s->walk->definitions[reg.i].node;
    return set.i == NO_ID || !loop_nest_contains(&s->walk->loops, s->counters[0].header, set);
}

// What is known of constants, and of values from before the loops.
static RoundValue by_limits(const RoundSearch *s, Reg reg) {
    uint64_t bits;
    const Instr *instr = defining_instr(s->walk->ssa, s->walk->definitions, reg);
    bool constant = instr && instr->kind == I_OP && !op_info((Op)instr->op)->arity;
    if (!s->walk->known[reg.i] || !(constant || is_the_same(s, reg))) return (RoundValue){0};
    Limits limits = s->walk->now[reg.i];
    if (!range_is_constant(&limits.range, &bits)) return (RoundValue){0};
    RoundValue exact = exact_number(type_of(s, reg), bits);
    exact.base = limits.base;
    exact.id = limits.id;
    return exact;
}

static bool same_object(const RoundValue *a, const RoundValue *b) {
    return a->base == b->base && a->id == b->id;
}

// Sums, differences and comparisons of places.
static RoundValue on_places(const Instr *instr, const RoundValue *args) {
    OpFamily family = op_family(instr->op);
    RoundValue result = args[0];
    if (family == FAM_MOVE) return result;
    bool left = args[0].base != LIMITS_NUMBER, right = args[1].base != LIMITS_NUMBER;
    if (family == FAM_ADD && !(left && right)) {
        result = left ? args[0] : args[1];
        result.number = args[0].number + args[1].number;
        return result;
    }
    if (family == FAM_SUB && left && (!right || same_object(&args[0], &args[1]))) {
        if (right) result = (RoundValue){.known = true};
        result.number = args[0].number - args[1].number;
        return result;
    }
    bool order = op_compares_unsigned((Op)instr->op) || family == FAM_EQ || family == FAM_NE;
    if (!same_object(&args[0], &args[1])) order = false;
    // Distances are signed.
    Value value, sides[2] = {value_i64((uint64_t)args[0].number + (uint64_t)INT64_MAX + 1),
                             value_i64((uint64_t)args[1].number + (uint64_t)INT64_MAX + 1)};
    if (!order || !op_eval((Op)instr->op, sides[0], sides[1], (Value){0}, &value))
        return (RoundValue){0};
    return exact_number(TYPE_I32, value.bits);
}

// The result of an operator, or whether the condition of a branch holds.
static RoundValue operate(RoundSearch *s, const Instr *instr, unsigned depth) {
    const Func *ssa = s->walk->ssa;
    const Reg *regs = instr_args(ssa, instr);
    const OpInfo *info = op_info((Op)instr->op);
    RoundValue args[3] = {{0}};
    Value values[3] = {{0}}, result;
    bool numbers = true;
    if (!type_is_int(info->result)) return (RoundValue){0};
    for (uint32_t i = 0; i < info->arity; i++) {
        Type type = info->operand[i];
        if (!type_is_int(type)) return (RoundValue){0};
        if (i < instr->arg_count)
            args[i] = evaluate(s, regs[i], depth + 1);
        else
            args[i] = exact_number(type, value_immediate(type, instr->imm).bits);
        if (!args[i].known) return (RoundValue){0};
        numbers = numbers && args[i].base == LIMITS_NUMBER;
        values[i] = value_immediate(type, args[i].number);
    }
    if (!numbers) return info->arity <= 2 ? on_places(instr, args) : (RoundValue){0};
    if (!op_eval((Op)instr->op, values[0], values[1], values[2], &result) || result.undef)
        return (RoundValue){0};
    return exact_number(info->result, result.bits);
}

static RoundValue evaluate_new(RoundSearch *s, Reg reg, unsigned depth) {
    const LimitWalk *walk = s->walk;
    if (!type_is_int(type_of(s, reg))) return (RoundValue){0};
    for (uint32_t i = 0; i < s->set; i++)
        if (s->counters[i].phi.i == reg.i) return s->value[i];
    LoopCounter counter;
    bool first = s->first.i != NO_ID && walk->definitions[reg.i].node.i == s->first.i &&
                 limits_counter(walk, reg, &counter);
    if (first && depth < DEEPEST) return evaluate(s, counter.start, depth + 1);
    const Instr *instr = defining_instr(walk->ssa, walk->definitions, reg);
    if (!instr || instr->kind != I_OP || !op_info((Op)instr->op)->arity) return by_limits(s, reg);
    if (depth >= DEEPEST || !spend(s)) return (RoundValue){0};
    RoundValue exact = operate(s, instr, depth);
    return exact.known ? exact : by_limits(s, reg);
}

static RoundValue evaluate(RoundSearch *s, Reg reg, unsigned depth) {
    if (s->stamp[reg.i] == s->round) return s->memo[reg.i];
    RoundValue exact = evaluate_new(s, reg, depth);
    s->stamp[reg.i] = s->round;
    s->memo[reg.i] = exact;
    return exact;
}

// ---- The counters behind a value

static bool add_counter(RoundSearch *s, const LoopCounter *counter) {
    for (uint32_t i = 0; i < s->count; i++)
        if (s->counters[i].phi.i == counter->phi.i) return true;
    if (s->count == MOST_COUNTERS) return false;
    uint32_t at = s->count++;
    for (; at && s->walk->dom.number[s->counters[at - 1].header.i] >
                     s->walk->dom.number[counter->header.i];
         at--)
        s->counters[at] = s->counters[at - 1];
    s->counters[at] = *counter;
    return true;
}

static void find_in(RoundSearch *s, Node node, Reg reg, unsigned depth);

// The bound of a counter may be made of the counters of outer loops.
static void find_in_loop(RoundSearch *s, const LoopCounter *counter, unsigned depth) {
    const LimitWalk *walk = s->walk;
    Comparison known;
    find_in(s, counter->header, counter->start, depth + 1);
    uint32_t first = walk->first_exit[counter->header.i];
    if (first == NO_ID || walk->exits.at[first].next != NO_ID) return;
    const LoopExit *exit = &walk->exits.at[first];
    if (comparison_of_way(walk->ssa, exit->branch, exit->stay, &known) && known.b.i != NO_ID)
        find_in(s, counter->header, known.b, depth + 1);
}

// Collects the counters of the loops around a node that make a register. The evaluation tells
// whether there is more to it.
static void find_in(RoundSearch *s, Node node, Reg reg, unsigned depth) {
    const LimitWalk *walk = s->walk;
    LoopCounter counter;
    if (depth >= DEEPEST || s->stamp[reg.i] == s->round || !spend(s)) return;
    s->stamp[reg.i] = s->round;
    if (limits_counter(walk, reg, &counter)) {
        if (!loop_nest_contains(&walk->loops, counter.header, node) || !add_counter(s, &counter))
            return;
        find_in_loop(s, &counter, depth);
        return;
    }
    const Instr *instr = defining_instr(walk->ssa, walk->definitions, reg);
    if (!instr || instr->kind != I_OP) return;
    for (uint32_t i = 0; i < instr->arg_count; i++)
        find_in(s, node, instr_args(walk->ssa, instr)[i], depth + 1);
}

// ---- The last round

static bool holds_of(OpFamily family, int64_t a, int64_t b) {
    switch (family) {
    case FAM_LT:
    case FAM_ULT: return a < b;
    case FAM_LE:
    case FAM_ULE: return a <= b;
    case FAM_GT:
    case FAM_UGT: return a > b;
    case FAM_GE:
    case FAM_UGE: return a >= b;
    case FAM_EQ: return a == b;
    default: return a != b;
    }
}

// How often a value from `from` in steps passes a test before it fails: NEVER if it always passes.
// False if that is not known.
static bool rounds_of(OpFamily stay, int64_t from, int64_t bound, int64_t step, int64_t *count) {
    if (from > LARGEST || from < -LARGEST || bound > LARGEST || bound < -LARGEST ||
        step > LARGEST || step < -LARGEST)
        return false;
    bool is_unsigned = stay == FAM_ULT || stay == FAM_ULE || stay == FAM_UGT || stay == FAM_UGE;
    if (is_unsigned && (from < 0 || bound < 0)) return false;
    // Below zero an unsigned number would be large.
    if (is_unsigned && step < 0 && !(stay == FAM_UGT || (stay == FAM_UGE && bound > 0)))
        return false;
    int64_t away = step > 0 ? bound - from : from - bound, size = step > 0 ? step : -step;
    bool below = stay == FAM_LT || stay == FAM_LE || stay == FAM_ULT || stay == FAM_ULE;
    bool to_bound = below ? step > 0 : step < 0;
    bool exact = stay == FAM_LE || stay == FAM_GE || stay == FAM_ULE || stay == FAM_UGE;
    *count = 0;
    if (!holds_of(stay, from, bound)) return true;
    if (stay == FAM_EQ)
        *count = 1;
    else if (stay == FAM_NE)
        *count = away >= 0 && away % size == 0 ? away / size : NEVER;
    else
        *count = !to_bound ? NEVER : exact ? away / size + 1 : (away + size - 1) / size;
    return true;
}

// The bound of a comparison in all rounds; of one that is not known, the bound that there is at
// least.
static bool bound_of(RoundSearch *s, const LoopCounter *counter, const Comparison *known,
                     RoundValue *bound) {
    const LimitWalk *walk = s->walk;
    if (known->b.i == NO_ID) {
        Type type = op_info(known->op)->operand[0];
        *bound = exact_number(type, value_immediate(type, known->imm).bits);
        return true;
    }
    Node set = walk->definitions[known->b.i].node;
    const Instr *instr = defining_instr(walk->ssa, walk->definitions, known->b);
    bool inside = set.i != NO_ID && loop_nest_contains(&walk->loops, counter->header, set);
    *bound = evaluate(s, known->b, 0);
    if (inside) return bound->known && instr && instr->kind == I_OP;
    if (bound->known) return true;
    if (!walk->known[known->b.i]) return false;
    Limits limits = limits_of(walk, known->b);
    if (limits.base != LIMITS_NUMBER) return false;
    s->at_least = true;
    *bound = (RoundValue){.known = true,
                          .number = counter->step > 0 ? limits.range.least : limits.range.most};
    return true;
}

// The value of a counter when the test of an exit fails for the first time, if that is not never.
static bool value_at_exit(RoundSearch *s, const LoopCounter *counter, const RoundValue *start,
                          const LoopExit *exit, RoundValue *value, bool *never) {
    const LimitWalk *walk = s->walk;
    Comparison known;
    RoundValue bound;
    int64_t added, count;
    if (!comparison_of_way(walk->ssa, exit->branch, exit->stay, &known) ||
        !op_compares_integers(known.op) || limits_root(walk, known.a, &added).i != counter->phi.i ||
        !bound_of(s, counter, &known, &bound) || !same_object(start, &bound))
        return false;
    OpFamily stay = op_family(known.holds ? known.op : op_negation(known.op));
    if (start->base != LIMITS_NUMBER && stay != FAM_NE) {
        // Distances are signed.
        stay = stay == FAM_ULT   ? FAM_LT
               : stay == FAM_ULE ? FAM_LE
               : stay == FAM_UGT ? FAM_GT
               : stay == FAM_UGE ? FAM_GE
                                 : FAM_NONE;
    }
    if (s->at_least && (stay == FAM_NE || stay == FAM_EQ)) return false;
    if (!rounds_of(stay, start->number + added, bound.number, counter->step, &count)) return false;
    *value = *start;
    *never = count == NEVER;
    if (!*never) value->number = start->number + count * counter->step;
    return true;
}

static bool tests_counter(const LimitWalk *walk, const LoopCounter *counter, const LoopExit *exit) {
    Comparison known;
    int64_t added;
    return comparison_of_way(walk->ssa, exit->branch, exit->stay, &known) &&
           (limits_root(walk, known.a, &added).i == counter->phi.i ||
            (known.b.i != NO_ID && limits_root(walk, known.b, &added).i == counter->phi.i));
}

// The value of counter number i when the loop is left, by the exit that is met first. Notes whether
// every exit of the loop is known. False if none is.
static bool value_at_end(RoundSearch *s, uint32_t i, const RoundValue *start, RoundValue *value) {
    const LimitWalk *walk = s->walk;
    const LoopCounter *counter = &s->counters[i];
    uint32_t count = 0, ends = 0;
    s->guarded[i] = false;
    bool at_least = s->at_least, found_at_least = false, never;
    for (uint32_t at = walk->first_exit[counter->header.i]; at != NO_ID && spend(s);
         at = walk->exits.at[at].next) {
        const LoopExit *exit = &walk->exits.at[at];
        RoundValue end;
        s->at_least = false;
        if (!limits_always_met(walk, counter->header, exit->branch) ||
            !value_at_exit(s, counter, start, exit, &end, &never)) {
            s->guarded[i] = s->guarded[i] || tests_counter(walk, counter, exit);
            continue;
        }
        count++;
        if (never) continue;
        bool before = counter->step > 0 ? end.number < value->number : end.number > value->number;
        if (!ends++ || before) {
            *value = end;
            found_at_least = s->at_least;
        }
    }
    s->at_least = at_least || found_at_least;
    s->sure[i] = count == walk->exit_count[counter->header.i];
    return ends > 0;
}

// The value of counter number i in a round of some kind, if the counters before have theirs.
static bool set_counter(RoundSearch *s, uint32_t i, RoundKind kind) {
    const LimitWalk *walk = s->walk;
    const LoopCounter *counter = &s->counters[i];
    s->set = i;
    s->round++;
    RoundValue start = evaluate(s, counter->start, 0), value = start;
    if (!start.known) return false;
    if (kind != ROUND_FIRST) {
        if (!counter->step || !value_at_end(s, i, &start, &value)) return false;
        if (kind == ROUND_BEFORE_LAST) {
            if (value.number == start.number) return false;
            value.number -= counter->step;
        }
    }
    // What is known at the node at hand must allow the value.
    Limits limits = limits_of(walk, counter->phi);
    uint32_t bits = range_bits(type_of(s, counter->phi));
    uint64_t mask = bits == 32 ? UINT32_MAX : UINT64_MAX;
    if (limits.base != value.base || limits.id != value.id ||
        !range_has(&limits.range, bits, (uint64_t)value.number & mask))
        return false;
    s->value[i] = value;
    s->set = i + 1;
    s->round++;
    return true;
}

// ---- Whether the round comes to the place

// The range of a number in the round.
static bool range_in_round(RoundSearch *s, Reg reg, Range *range) {
    RoundValue exact = evaluate(s, reg, 0);
    Type type = type_of(s, reg);
    Limits limits = {.base = exact.base};
    if (exact.known)
        limits.range = range_constant(range_bits(type), value_immediate(type, exact.number).bits);
    else if (s->walk->known[reg.i] && is_the_same(s, reg))
        limits = limits_of(s->walk, reg);
    else
        return false;
    *range = limits.range;
    return limits.base == LIMITS_NUMBER;
}

// The only way out of a node; NO_ID if it is not decided.
static uint32_t decided_way(RoundSearch *s, const Instr *instr) {
    Range ranges[2];
    uint64_t holds;
    if (instr->kind != I_COND) return instr->succ_count == 1 ? 0 : NO_ID;
    RoundValue exact = operate(s, instr, 0);
    if (exact.known) return exact.number ? 0 : 1;
    if (!op_compares_integers((Op)instr->op)) return NO_ID;
    for (uint32_t i = 0; i < instr->arg_count; i++)
        if (!range_in_round(s, instr->arg[i], &ranges[i])) return NO_ID;
    Type type = op_info((Op)instr->op)->operand[0];
    if (instr->immediate)
        ranges[1] = range_constant(range_bits(type), value_immediate(type, instr->imm).bits);
    Range told = range_of_op((Op)instr->op, ranges);
    return !range_is_constant(&told, &holds) ? NO_ID : holds ? 0 : 1;
}

// Whether control that is at the header of a loop surely comes to a node in the same round.
static bool surely_comes(RoundSearch *s, Node header, Node to) {
    const LimitWalk *walk = s->walk;
    uint32_t top = 0;
    if (header.i == to.i) return true;
    s->visit++;
    s->stack[top++] = header.i;
    s->visited[header.i] = s->visit;
    while (top) {
        const Instr *instr = &walk->ssa->nodes.at[s->stack[--top]];
        if (!instr->succ_count || never_comes_back(walk->ssa->program, instr) || !spend(s))
            return false;
        uint32_t way = decided_way(s, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node next = instr_succs(walk->ssa, instr)[k];
            if ((way != NO_ID && way != k) || next.i == to.i) continue;
            if (next.i == header.i || !loop_nest_contains(&walk->loops, header, next)) return false;
            if (s->visited[next.i] == s->visit) continue;
            s->visited[next.i] = s->visit;
            s->stack[top++] = next.i;
        }
    }
    return true;
}

static bool has_counter(const RoundSearch *s, Node header) {
    for (uint32_t i = 0; i < s->count; i++)
        if (s->counters[i].header.i == header.i) return true;
    return false;
}

// The same from the outermost loop of a counter on. Of a loop without a counter the first round is
// looked at.
static bool comes_to(RoundSearch *s, Node node) {
    const LoopNest *loops = &s->walk->loops;
    Node headers[DEEPEST_NEST], to = node, outermost = s->counters[0].header;
    uint32_t count = 0;
    for (Node at = loops->loop[node.i]; count < DEEPEST_NEST; at = loops->outer[at.i]) {
        headers[count++] = at;
        if (at.i == outermost.i) break;
    }
    if (headers[count - 1].i != outermost.i) return false;
    bool comes = true;
    for (uint32_t i = 0; i < count && comes; i++) {
        s->first = has_counter(s, headers[i]) ? NO_NODE : headers[i];
        s->round++;
        comes = surely_comes(s, headers[i], to);
        to = headers[i];
    }
    s->first = NO_NODE;
    return comes;
}

// ---- The question

static bool is_wrong(RoundSearch *s, const RoundQuestion *q, int64_t *value) {
    RoundValue sum = {.known = true, .number = q->added};
    for (uint32_t i = 0; i < q->count; i++) {
        RoundValue term = evaluate(s, q->reg[i], 0);
        if (!term.known || (term.base != LIMITS_NUMBER && q->factor[i] != 1)) return false;
        if (term.number > (int64_t)1 << 40 || term.number < -((int64_t)1 << 40)) return false;
        if (term.base != LIMITS_NUMBER) {
            sum.base = term.base;
            sum.id = term.id;
        }
        sum.number += term.number * q->factor[i];
    }
    *value = sum.number;
    if (q->only_zero) return sum.base == LIMITS_NUMBER && sum.number == 0;
    return sum.base == q->base && sum.id == q->id &&
           (sum.number < q->least || sum.number > q->most);
}

// A loop that may be left in other ways before is taken to know what it does, but not if its own
// end is one element too far and no other way out asks for the counter.
static bool is_last_sure(const RoundSearch *s, const RoundQuestion *q, const RoundKind *kinds,
                         int64_t value) {
    bool near = !q->only_zero && value >= q->least - (int64_t)q->unit &&
                value <= q->most + (int64_t)q->unit;
    for (uint32_t i = 0; i < s->count; i++)
        if (kinds[i] != ROUND_FIRST && !s->sure[i] && (!near || s->guarded[i])) return false;
    return true;
}

bool round_of_mistake(RoundSearch *s, const RoundQuestion *q, Round *round) {
    s->count = s->set = 0;
    s->round++;
    for (uint32_t i = 0; i < q->count; i++) find_in(s, q->node, q->reg[i], 0);
    if (!s->count) return false;
    uint32_t all = 1;
    for (uint32_t i = 0; i < s->count; i++) all *= ROUND_KINDS;
    for (uint32_t corner = 0; corner < all && spend(s); corner++) {
        RoundKind kinds[MOST_COUNTERS];
        bool good = true, last = false;
        uint32_t rest = corner;
        int64_t value;
        s->at_least = false;
        for (uint32_t i = 0; i < s->count && good; i++, rest /= ROUND_KINDS) {
            kinds[i] = (RoundKind)(rest % ROUND_KINDS);
            last = last || kinds[i] != ROUND_FIRST;
            good = set_counter(s, i, kinds[i]);
        }
        if (!good || !is_wrong(s, q, &value) || !is_last_sure(s, q, kinds, value) ||
            !comes_to(s, q->node))
            continue;
        *round = (Round){.last = last, .at_least = s->at_least, .value = value};
        return true;
    }
    return false;
}
