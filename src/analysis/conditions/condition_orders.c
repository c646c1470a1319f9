// Orders of several values that exclude each other: `a < b`, `b < c` and `c <= a`, or `x >= y` and
// `y > x + 1`.
//
// A comparison says that a difference of two values is at most a number. Several of them cannot
// hold together if their sum says that 0 is less than 0: a cycle of negative length in the graph
// with an edge for each (Bellman and Ford). The comparisons of the cycle are then excluded for all
// products of the function at once, and the rest is looked at again.
//
// Signed sums are taken not to overflow, as C has it, and unsigned sums of a value and a small
// number not to wrap around: programs that mean this test for nothing else.
#include "analysis/conditions/conditions.h"

// So many comparisons are looked at together, and so many cycles of a function are excluded.
enum { MOST_ORDERS = 100, MOST_CYCLES = 40, SMALL = 1 << 20 };

// The value `to` is at most `from` plus `most`.
typedef struct {
    uint32_t from, to; // indices in `values`
    int64_t most;
    uint32_t literal; // of the product; NO_ID: it always is
} OrderEdge;

typedef struct {
    BadConditions *conditions;
    bool is_unsigned;
    const uint32_t *literals; // the product
    uint32_t count;
    VEC(uint32_t) values; // quantities; the first stands for zero
    VEC(OrderEdge) orders;
    int64_t *distance; // by value
    uint32_t *last;    // by value: the order that gave the distance; NO_ID
} OrderGraph;

// A value plus a number.
typedef struct {
    uint32_t quantity;
    int64_t added;
} OrderTerm;

static OrderTerm term_of(const OrderGraph *g, uint32_t quantity) {
    const BadConditions *c = g->conditions;
    OrderTerm term = {.quantity = quantity};
    for (;;) {
        const Quantity *q = &c->quantities.at[term.quantity];
        int64_t number;
        if (q->kind != QUANTITY_OP) return term;
        OpFamily family = op_family((Op)q->op);
        bool widens =
            q->count == 1 && (family == FAM_SEXT || family == FAM_ZEXT) &&
            (g->is_unsigned == (family == FAM_ZEXT) || c->quantities.at[q->operand[0]].least >= 0);
        bool sum = q->count == 2 && (family == FAM_ADD || family == FAM_SUB) &&
                   quantity_is_number(c, q->operand[1], &number) && number <= SMALL &&
                   number >= -SMALL;
        if (sum && family == FAM_SUB) number = -number;
        if (sum && g->is_unsigned && number < 0) return term;
        if (!widens && !sum) return term;
        if (sum) term.added += number;
        term.quantity = q->operand[0];
    }
}

static uint32_t value_index(OrderGraph *g, uint32_t quantity) {
    for (uint32_t i = 1; i < g->values.count; i++)
        if (g->values.at[i] == quantity) return i;
    vec_push(g->conditions->scratch, &g->values, quantity);
    return g->values.count - 1;
}

static void add_order(OrderGraph *g, uint32_t from, uint32_t to, int64_t most, uint32_t literal) {
    OrderEdge order = {.from = from, .to = to, .most = most, .literal = literal};
    vec_push(g->conditions->scratch, &g->orders, order);
}

// a is at most b plus a number.
static void add_pair(OrderGraph *g, uint32_t a, uint32_t b, int64_t most, uint32_t literal) {
    OrderTerm left = term_of(g, a), right = term_of(g, b);
    uint32_t to = value_index(g, left.quantity), from = value_index(g, right.quantity);
    add_order(g, from, to, right.added - left.added + most, literal);
}

static bool is_near(int64_t number) {
    return number < (int64_t)1 << 40 && number > -((int64_t)1 << 40);
}

// a is at most a number, or at least.
static void add_number(OrderGraph *g, uint32_t a, int64_t number, bool at_most, uint32_t literal) {
    OrderTerm term = term_of(g, a);
    if (!is_near(number)) return;
    uint32_t value = value_index(g, term.quantity);
    if (at_most)
        add_order(g, 0, value, number - term.added, literal);
    else
        add_order(g, value, 0, term.added - number, literal);
}

// Whether the product says that the two values of a group differ.
static bool differ(const OrderGraph *g, uint32_t group) {
    const BadConditions *c = g->conditions;
    for (uint32_t i = 0; i < g->count; i++) {
        const ConditionAtom *atom = &c->atoms.at[g->literals[i] / 2];
        if (g->literals[i] & 1 && atom->kind == ATOM_PAIR_EQUAL && atom->group == group)
            return true;
    }
    return false;
}

static void add_literal(OrderGraph *g, uint32_t literal) {
    const ConditionAtom *atom = &g->conditions->atoms.at[literal / 2];
    const ConditionGroup *group = &g->conditions->groups.at[atom->group];
    bool negated = literal & 1;
    uint32_t a = group->first, b = group->second;
    int64_t number = atom->number, strict = differ(g, atom->group) ? -1 : 0;
    // Of what is at least zero, both orders say the same.
    bool natural = b == NO_ID && g->conditions->quantities.at[a].least >= 0;
    switch ((ConditionAtomKind)atom->kind) {
    case ATOM_EQUAL:
        if (negated || (g->is_unsigned && number < 0)) return;
        add_number(g, a, number, true, literal);
        add_number(g, a, number, false, literal);
        return;
    case ATOM_BELOW:
    case ATOM_UNDER:
        if (g->is_unsigned != (atom->kind == ATOM_UNDER) && !natural) return;
        if (atom->kind == ATOM_UNDER && number < 0) return;
        add_number(g, a, negated ? number + 1 : number, !negated, literal);
        return;
    case ATOM_PAIR_EQUAL:
        if (negated) return;
        add_pair(g, a, b, 0, literal);
        add_pair(g, b, a, 0, literal);
        return;
    case ATOM_PAIR_LESS:
    case ATOM_PAIR_UNDER:
        if (g->is_unsigned != (atom->kind == ATOM_PAIR_UNDER)) return;
        add_pair(g, negated ? b : a, negated ? a : b, negated ? strict : -1, literal);
        return;
    case ATOM_PAIR_LESS_EQUAL:
    case ATOM_PAIR_UNDER_EQUAL:
        if (g->is_unsigned != (atom->kind == ATOM_PAIR_UNDER_EQUAL)) return;
        add_pair(g, negated ? b : a, negated ? a : b, negated ? -1 : strict, literal);
        return;
    case ATOM_OTHER: return;
    }
}

// What always is: the least and the largest value.
static void add_limits(OrderGraph *g) {
    for (uint32_t i = 1; i < g->values.count; i++) {
        const Quantity *q = &g->conditions->quantities.at[g->values.at[i]];
        if (g->is_unsigned && q->least < 0) {
            add_order(g, i, 0, 0, NO_ID);
            continue;
        }
        if (is_near(q->least) && q->least > INT32_MIN) add_order(g, i, 0, -q->least, NO_ID);
        if (is_near(q->most) && q->most < INT32_MAX) add_order(g, 0, i, q->most, NO_ID);
    }
}

// A value on a cycle of negative length; NO_ID if there is none.
static uint32_t find_cycle(OrderGraph *g) {
    uint32_t count = g->values.count, changed = NO_ID;
    g->distance = ARENA_ARRAY(g->conditions->scratch, int64_t, count);
    g->last = ARENA_ARRAY(g->conditions->scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) g->last[i] = NO_ID;
    for (uint32_t round = 0; round <= count; round++) {
        changed = NO_ID;
        for (uint32_t i = 0; i < g->orders.count; i++) {
            const OrderEdge *order = &g->orders.at[i];
            int64_t most = g->distance[order->from] + order->most;
            if (most >= g->distance[order->to]) continue;
            g->distance[order->to] = most;
            g->last[order->to] = i;
            changed = order->to;
        }
        if (changed == NO_ID) return NO_ID;
    }
    // Behind as many steps back as there are values one is on the cycle.
    for (uint32_t i = 0; i < count; i++) changed = g->orders.at[g->last[changed]].from;
    return changed;
}

// The comparisons of a cycle hold together.
static Bdd cycle_function(OrderGraph *g, uint32_t value) {
    BddTable *bdd = &g->conditions->bdd;
    Bdd result = BDD_TRUE;
    uint32_t at = value;
    do {
        const OrderEdge *order = &g->orders.at[g->last[at]];
        at = order->from;
        if (order->literal == NO_ID) continue;
        Bdd atom = bdd_variable(bdd, order->literal / 2);
        result = bdd_and(bdd, result, order->literal & 1 ? bdd_not(bdd, atom) : atom);
        // A strict order may come from a second literal.
        uint32_t group = g->conditions->atoms.at[order->literal / 2].group;
        for (uint32_t i = 0; i < g->count; i++)
            if (g->conditions->atoms.at[g->literals[i] / 2].group == group) {
                Bdd other = bdd_variable(bdd, g->literals[i] / 2);
                result = bdd_and(bdd, result, g->literals[i] & 1 ? bdd_not(bdd, other) : other);
            }
    } while (at != value);
    return result;
}

// What of a product excludes itself; false if nothing does.
static Bdd excluded(BadConditions *c, const uint32_t *literals, uint32_t count) {
    for (int is_unsigned = 0; is_unsigned < 2 && count <= MOST_ORDERS; is_unsigned++) {
        OrderGraph g = {
            .conditions = c, .is_unsigned = is_unsigned, .literals = literals, .count = count};
        vec_push(c->scratch, &g.values, NO_ID);
        for (uint32_t i = 0; i < count; i++) add_literal(&g, literals[i]);
        if (g.orders.count < 2) continue;
        add_limits(&g);
        uint32_t value = find_cycle(&g);
        if (value != NO_ID) return cycle_function(&g, value);
    }
    return BDD_FALSE;
}

// Whether a function is about several groups with two values, which an order could relate.
static bool has_orders(BadConditions *c, Bdd function) {
    bool *used = ARENA_ARRAY(c->scratch, bool, c->atoms.count + 1);
    uint32_t pairs = 0, numbers = 0;
    bdd_support(&c->bdd, function, used);
    for (uint32_t i = 0; i < c->atoms.count; i++) {
        if (!used[i] || c->atoms.at[i].kind == ATOM_OTHER) continue;
        if (c->groups.at[c->atoms.at[i].group].second != NO_ID)
            pairs++;
        else
            numbers++;
    }
    return pairs + numbers > 1;
}

Bdd possible_orders(BadConditions *c, Bdd function, Bdd possible) {
    uint32_t cycles = 0;
    if (function == BDD_FALSE || !has_orders(c, function)) return possible;
    for (bool again = true; again && cycles < MOST_CYCLES && !c->bdd.full;) {
        Bdd left = bdd_and(&c->bdd, function, possible);
        BddLiterals products = {0};
        again = false;
        if (left == BDD_FALSE || !bdd_products(&c->bdd, left, left, &products)) break;
        uint32_t first = 0;
        for (uint32_t i = 0; i < products.count && cycles < MOST_CYCLES; i++) {
            if (products.at[i] != BDD_END) continue;
            Bdd cycle = excluded(c, products.at + first, i - first);
            first = i + 1;
            if (cycle == BDD_FALSE) continue;
            possible = bdd_and(&c->bdd, possible, bdd_not(&c->bdd, cycle));
            again = true;
            cycles++;
        }
    }
    return possible;
}
