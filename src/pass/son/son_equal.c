// Equal values: a walk down the dominator tree knows, at each node, the branches above that have
// found two values a and b to be equal. Behind such a branch, a sum may have b in the place of a.
//
// A phi with the arguments 0, behind a test of n for 0, and 4 * n elsewhere, is 4 * n. So the
// counter of a loop that ends at n is n behind the loop, and so are sums that go along.
#include "pass/son/son_work.h"

#include "fact/effects.h"
#include "fact/eval.h"

#include <string.h>

enum {
    MOST_WAYS = 4,      // into a join whose phis are looked at
    MOST_ANCESTORS = 64 // of a node in the dominator tree, that are looked at for a test
};

// ---- Equalities

// Whether the first value of a comparison is a constant of which the comparison is true.
static bool holds_of_constant(const SonWork *work, const Comparison *goal) {
    Value constant, outcome;
    Type type = op_info(goal->op)->operand[0];
    return goal->b.i == NO_ID && value_is_constant(&work->values, goal->a.i, &constant) &&
           op_eval(goal->op, constant, value_immediate(type, goal->imm), (Value){0}, &outcome) &&
           outcome.bits && !outcome.undef;
}

// Whether a comparison follows from a fact.
static bool says(const SonWork *work, const Comparison *fact, Comparison goal) {
    Value constant;
    if (value_is_constant(&work->values, goal.a.i, &constant) && goal.b.i != NO_ID)
        goal = (Comparison){op_mirror(goal.op), goal.b, NO_REG, (int64_t)constant.bits, true};
    return comparison_concerns(fact, &goal) && comparison_follows(fact, 1, &goal);
}

// An edge that says so and that control has passed whenever it comes to a node.
static bool find_edge(SonWork *work, Node node, const Comparison *goal, BranchEdge *edge) {
    for (uint32_t i = 0; i < MOST_ANCESTORS && node.i != NO_ID;
         i++, node = work->open.idom[node.i]) {
        Node from = work->sole[node.i];
        Comparison fact;
        if (from.i == NO_ID || !bits_has(&work->reached, from.i)) continue;
        const Instr *instr = func_at(work->before, from);
        if (instr->kind != I_COND) continue;
        *edge = (BranchEdge){from, son_way_to(work->before, from, node)};
        if (edge->way != NO_ID && son_outcome(work, from, edge->way, &fact) &&
            says(work, &fact, *goal))
            return true;
    }
    return false;
}

// A join has one gate. One more than its number, or 0.
static uint32_t add_gate(SonWork *work, const FoundGate *gate) {
    if (!work->gate_at)
        work->gate_at = ARENA_ARRAY(work->arena, uint32_t, work->before->nodes.count);
    uint32_t known = work->gate_at[gate->join.i];
    if (known) {
        work->gate_edges.count = gate->first;
        const BranchEdge *a = &work->gate_edges.at[work->gates.at[known - 1].first];
        const BranchEdge *b = &work->gate_edges.at[gate->first];
        return memcmp(a, b, gate->count * sizeof *a) == 0 ? known : 0;
    }
    vec_push(work->arena, &work->gates, *gate);
    return work->gate_at[gate->join.i] = work->gates.count;
}

// The gate of a header by which a comparison of a phi holds in every round: one more than its
// number, or 0.
static uint32_t find_gate(SonWork *work, Comparison bound) {
    const HintValue *it = value_at(&work->values, bound.a.i);
    uint32_t phi = bound.a.i, entry;
    uint32_t base = bound.b.i == NO_ID ? NO_ID : work->values.base.at[bound.b.i];
    Node header = {it->ref};
    if (it->kind != VALUE_PHI || !bits_has(&work->reached, header.i) ||
        !header_is_plain(&work->preds, &work->dom, header, &entry) ||
        (base != NO_ID && (base == header.i || !dominates(&work->dom, (Node){base}, header))))
        return 0;
    son_set_phis(work, header);
    it = value_at(&work->values, phi);
    FoundGate gate = {.join = header, .first = work->gate_edges.count, .count = it->count};
    for (uint32_t k = 0; k < it->count; k++) {
        BranchEdge edge = {NO_NODE, 0};
        bound.a = (Reg){value_args(&work->values, phi)[k]};
        bool good = bound.a.i != NO_ID;
        if (good && !holds_of_constant(work, &bound))
            good = find_edge(work, preds_at(&work->preds, header)[k], &bound, &edge);
        if (!good) {
            work->gate_edges.count = gate.first;
            return 0;
        }
        vec_push(work->arena, &work->gate_edges, edge);
    }
    return gate.count ? add_gate(work, &gate) : 0;
}

// The gate by which a counter has not passed its limit before, though the first value of the
// comparison, one more than the counter, may; 0 if there is none.
static uint32_t gate_of_limit(SonWork *work, Comparison bound) {
    OpFamily family = op_family(bound.op);
    bool up = family == FAM_LT || family == FAM_ULT, down = family == FAM_GT || family == FAM_UGT;
    Type type = op_info(bound.op)->operand[0];
    ValueTerms terms = values_terms(&work->values);
    ValueSum sum;
    if ((!up && !down) || value_at(&work->values, bound.a.i)->kind != VALUE_OP ||
        !value_sum(&terms, bound.a.i, type, &sum) || sum.count != 1 || sum.parts[0].factor != 1 ||
        ((up ? sum.constant : 0 - sum.constant) & type_mask(type)) != 1)
        return 0;
    bound.a = (Reg){sum.parts[0].value};
    return find_gate(work, bound);
}

// Whether a comparison says that two values are equal, perhaps by a gate.
static bool says_equal(SonWork *work, const Comparison *known, uint32_t *gate) {
    Op op = known->holds ? known->op : op_negation(known->op);
    *gate = 0;
    if (op_family(op) == FAM_EQ) return true;
    if (!op_compares_integers(op) || !work->has_loops) return false;
    Comparison bound = {op_negation(op), known->a, known->b, known->imm, true};
    *gate = gate_of_limit(work, bound);
    if (*gate || known->b.i == NO_ID) return *gate;
    bound = (Comparison){op_mirror(bound.op), known->b, known->a, 0, true};
    *gate = gate_of_limit(work, bound);
    return *gate;
}

// The equality that the only edge into a node gives.
static bool equal_by_edge(SonWork *work, Node node, KnownEqual *equal) {
    Node from = work->sole[node.i];
    Comparison known;
    if (from.i == NO_ID || !bits_has(&work->reached, from.i)) return false;
    const Instr *instr = func_at(work->before, from);
    if (!instr_is_branch(instr) || instr->succ_count > 64) return false;
    equal->edge = (BranchEdge){from, son_way_to(work->before, from, node)};
    if (equal->edge.way == NO_ID || !son_outcome(work, from, equal->edge.way, &known)) return false;
    Type type = op_info(known.op)->operand[0];
    if (!says_equal(work, &known, &equal->gate)) return false;
    ValueTerms terms = values_terms(&work->values);
    if (!value_sum(&terms, known.a.i, type, &equal->a)) return false;
    equal->b = (ValueSum){.bits = equal->a.bits, .constant = value_immediate(type, known.imm).bits};
    return known.b.i == NO_ID || value_sum(&terms, known.b.i, type, &equal->b);
}

SonEquals son_equals(SonWork *work) {
    SonEquals equals = {0};
    uint32_t innermost = NO_ID;
    for (uint32_t i = 0; i < work->gates.count; i++) work->gate_at[work->gates.at[i].join.i] = 0;
    vec_clear(&work->gates);
    vec_clear(&work->gate_edges);
    for (uint32_t number = 0; number < work->open.count; number++) {
        Node node = {work->open.order[number]};
        KnownEqual equal = {.last = work->open.last[node.i]};
        while (innermost != NO_ID && equals.known.at[innermost].last < number)
            innermost = equals.known.at[innermost].outer;
        equal.outer = innermost;
        if (equal_by_edge(work, node, &equal)) {
            if (!equals.at) {
                equals.at = ARENA_ARRAY(work->arena, uint32_t, work->before->nodes.count);
                for (uint32_t n = 0; n < work->before->nodes.count; n++) equals.at[n] = NO_ID;
            }
            innermost = equals.known.count;
            vec_push(work->arena, &equals.known, equal);
        }
        if (equals.at) equals.at[node.i] = innermost;
    }
    return equals;
}

// Adds a multiple of a sum; its parts are defined where the values are equal.
static bool add_sum(const ValueTerms *terms, ValueSum *sum, const ValueSum *more, uint64_t times) {
    sum->constant =
        (sum->constant + times * more->constant) & (sum->bits == 32 ? UINT32_MAX : UINT64_MAX);
    for (uint32_t i = 0; i < more->count; i++)
        if (!value_sum_add(terms, sum, more->parts[i].value, times * more->parts[i].factor, 0))
            return false;
    return true;
}

bool son_replace(const SonWork *work, const ValueSum *sum, const KnownEqual *equal, uint32_t part,
                 ValueSum *result) {
    uint64_t mask = sum->bits == 32 ? UINT32_MAX : UINT64_MAX;
    uint64_t factor = value_sum_factor(sum, part);
    uint64_t once = (value_sum_factor(&equal->a, part) - value_sum_factor(&equal->b, part)) & mask;
    if (sum->bits != equal->a.bits || (once != 1 && once != mask)) return false;
    ValueTerms terms = values_terms(&work->values);
    *result = *sum;
    value_sum_end(&terms, result, &equal->a, &equal->b);
    if (!factor && result->constant == sum->constant) return false;
    // sum - factor / once * (a - b); once is its own inverse.
    uint64_t times = factor * once;
    return add_sum(&terms, result, &equal->a, 0 - times) &&
           add_sum(&terms, result, &equal->b, times);
}

// ---- Phis

typedef struct {
    SonWork *work;
    const SonEquals *equals;
    Node join;
    const Phi *phi;
} EqualPhi;

// Whether a value is known above the join, and can be computed anywhere.
static bool is_free_above(const SonWork *work, uint32_t value, Node join, uint32_t depth) {
    const HintValue *it = value_at(&work->values, value);
    uint32_t base = work->values.base.at[value];
    if (base != NO_ID && (base == join.i || !dominates(&work->dom, (Node){base}, join)))
        return false;
    if (it->kind != VALUE_OP) return true;
    if (depth == 0 || op_is_partial(it->op)) return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (!is_free_above(work, value_args(&work->values, value)[k], join, depth - 1))
            return false;
    return true;
}

// Whether an argument is the value, by an equality; NULL in `by` if none is needed.
static bool is_equal_on_way(const EqualPhi *it, uint32_t k, uint32_t value, const KnownEqual **by) {
    SonWork *work = it->work;
    Node from = preds_at(&work->preds, it->join)[k];
    uint32_t arg = work->value_of[phi_args(work->before, it->phi)[k].i];
    Type type = (Type)work->values.types.at[value];
    ValueTerms terms = values_terms(&work->values);
    ValueSum sum, to, end;
    *by = NULL;
    if (arg == NO_ID) return false;
    if (arg == value) return true;
    if (!value_sum(&terms, arg, type, &sum) || !value_sum(&terms, value, type, &to)) return false;
    uint32_t at = it->equals->at[from.i];
    for (uint32_t i = 0; i < MOST_EQUALS && at != NO_ID; i++) {
        const KnownEqual *equal = &it->equals->known.at[at];
        *by = equal;
        end = sum;
        value_sum_end(&terms, &end, &equal->a, &equal->b);
        if (value_sum_refines(&end, &to, &equal->a, &equal->b)) return true;
        at = equal->outer;
    }
    return false;
}

static bool is_reached_way(const EqualPhi *it, uint32_t k) {
    return bits_has(&it->work->reached, preds_at(&it->work->preds, it->join)[k].i);
}

// Whether all arguments are a value, and the steps that say so.
static bool take_value(const EqualPhi *it, uint32_t value) {
    SonWork *work = it->work;
    uint32_t ways = preds_count(&work->preds, it->join), start = work->local.count;
    for (uint32_t k = 0; k < ways; k++) {
        const KnownEqual *by;
        if (!is_reached_way(it, k)) continue;
        if (!is_equal_on_way(it, k, value, &by)) {
            work->local.count = start;
            return false;
        }
        if (!by) continue;
        FoundStep step = {.node = preds_at(&work->preds, it->join)[k],
                          .step = {.from = work->value_of[phi_args(work->before, it->phi)[k].i],
                                   .to = value,
                                   .rule = STEP_EQUAL},
                          .found = {by->edge.branch.i, by->edge.way},
                          .gate = by->gate};
        vec_push(work->arena, &work->local, step);
    }
    return true;
}

// Tries what the argument of a way is, as it is and with equal values in its place.
static uint32_t value_by_way(const EqualPhi *it, uint32_t k) {
    SonWork *work = it->work;
    uint32_t arg = work->value_of[phi_args(work->before, it->phi)[k].i];
    if (arg == NO_ID) return NO_ID;
    Type type = (Type)work->values.types.at[arg];
    ValueSum sum, other;
    ValueTerms terms = values_terms(&work->values);
    if (is_free_above(work, arg, it->join, 3) && take_value(it, arg)) return arg;
    if (!value_sum(&terms, arg, type, &sum)) return NO_ID;
    uint32_t at = it->equals->at[preds_at(&work->preds, it->join)[k].i];
    for (uint32_t i = 0; i < MOST_EQUALS && at != NO_ID; i++) {
        KnownEqual equal = it->equals->known.at[at];
        for (uint32_t p = 0; p < equal_part_count(&equal); p++) {
            if (!son_replace(work, &sum, &equal, equal_part(&equal, p), &other)) continue;
            uint32_t value =
                value_simplify(&work->values, value_of_sum(&work->values, type, &other));
            if (is_free_above(work, value, it->join, 3) && take_value(it, value)) return value;
        }
        at = equal.outer;
    }
    return NO_ID;
}

static void find_equal_phi(const EqualPhi *it, uint32_t *closed) {
    uint32_t ways = preds_count(&it->work->preds, it->join);
    for (uint32_t k = 0; *closed == NO_ID && k < ways; k++)
        if (is_reached_way(it, k)) *closed = value_by_way(it, k);
}

void son_equal_phis(SonWork *work, const SonEquals *equals, uint32_t *closed) {
    const Func *func = work->before;
    if (!func->phis.count) return;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t phis = func_phi_count(func, (Node){n}), ways = 0, told = 0;
        EqualPhi it = {.work = work, .equals = equals, .join = {n}};
        if (!phis || !bits_has(&work->reached, n) || loop_nest_is_header(&work->loops, (Node){n}))
            continue;
        for (uint32_t k = 0; k < preds_count(&work->preds, (Node){n}); k++) {
            ways += is_reached_way(&it, k);
            told += is_reached_way(&it, k) &&
                    equals->at[preds_at(&work->preds, (Node){n})[k].i] != NO_ID;
        }
        for (uint32_t i = 0; ways > 1 && ways <= MOST_WAYS && told && i < phis; i++) {
            it.phi = &func_phis(func, (Node){n})[i];
            Reg dest = it.phi->dest;
            bool own = work->value_of[dest.i] != NO_ID &&
                       (work->value_of[dest.i] == work->values.phi[dest.i] ||
                        work->value_of[dest.i] == work->assumed.closed[dest.i]);
            if (own && closed[dest.i] == NO_ID && type_is_int(reg_type(func, dest)))
                find_equal_phi(&it, &closed[dest.i]);
        }
    }
}

// ---- Ends of counters

// Whether a value is known outside of the loop of a header.
static bool is_outside(const SonWork *work, uint32_t value, Node header) {
    uint32_t base = work->values.base.at[value];
    return base == NO_ID || (base != header.i && dominates(&work->dom, (Node){base}, header));
}

bool son_leaves_loop(SonWork *work, Node node, uint32_t value, const KnownEqual *equal,
                     uint32_t *result) {
    Type type = (Type)work->values.types.at[value];
    ValueTerms terms = values_terms(&work->values);
    ValueSum sum, other;
    for (uint32_t p = 0; p < equal_part_count(equal); p++) {
        uint32_t part = equal_part(equal, p);
        const HintValue *it = value_at(&work->values, part);
        Node header = {it->ref};
        if (it->kind != VALUE_PHI || !loop_nest_is_header(&work->loops, header) ||
            loop_nest_contains(&work->loops, header, node) ||
            !value_sum(&terms, value, type, &sum) || !son_replace(work, &sum, equal, part, &other))
            continue;
        bool outside = true;
        for (uint32_t i = 0; i < other.count; i++)
            outside &= !other.parts[i].factor || is_outside(work, other.parts[i].value, header);
        if (!outside) continue;
        *result = value_simplify(&work->values, value_of_sum(&work->values, type, &other));
        return true;
    }
    return false;
}

// The k-th argument of a phi, if it is a value from outside of a loop that control has left.
static void find_end(SonWork *work, const SonEquals *equals, const Phi *phi, uint32_t k, Node from,
                     uint32_t *end_from, uint32_t *end_to) {
    uint32_t value = work->value_of[phi_args(work->before, phi)[k].i], at = equals->at[from.i];
    if (value == NO_ID || !type_is_int((Type)work->values.types.at[value])) return;
    for (uint32_t i = 0; i < MOST_EQUALS && at != NO_ID; i++) {
        KnownEqual equal = equals->known.at[at];
        uint32_t to;
        at = equal.outer;
        if (!son_leaves_loop(work, from, value, &equal, &to)) continue;
        FoundStep step = {.node = from,
                          .step = {.from = value, .to = to, .rule = STEP_EQUAL},
                          .found = {equal.edge.branch.i, equal.edge.way},
                          .gate = equal.gate};
        vec_push(work->arena, &work->local, step);
        *end_from = value;
        *end_to = to;
        return;
    }
}

void son_ends(SonWork *work, const SonEquals *equals, uint32_t *end_from, uint32_t *end_to) {
    const Func *func = work->before;
    memset(end_from, 0xff, func->phi_args.count * sizeof *end_from);
    memset(end_to, 0xff, func->phi_args.count * sizeof *end_to);
    if (!equals->at || !work->has_loops || !work->loops.reducible) return;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node join = {n};
        if (!func_phi_count(func, join) || !bits_has(&work->reached, n)) continue;
        for (uint32_t k = 0; k < preds_count(&work->preds, join); k++) {
            Node from = preds_at(&work->preds, join)[k];
            if (!bits_has(&work->reached, from.i) || equals->at[from.i] == NO_ID) continue;
            for (uint32_t i = 0; i < func_phi_count(func, join); i++) {
                const Phi *phi = &func_phis(func, join)[i];
                uint32_t arg = phi->args_at + k;
                find_end(work, equals, phi, k, from, &end_from[arg], &end_to[arg]);
            }
        }
    }
}
