// Equal values: a walk down the dominator tree knows, at each node, the branches above that have
// found two values a and b to be equal. Behind such a branch, a sum may have b in the place of a.
//
// A phi with the arguments 0, behind a test of n for 0, and 4 * n elsewhere, is 4 * n. So the
// counter of a loop that ends at n is n behind the loop, and so are sums that go along.
#include "pass/son/son_work.h"

#include "fact/effects.h"
#include "fact/eval.h"

enum { MOST_WAYS = 4 }; // into a join whose phis are looked at

// ---- Equalities

// The equality that the only edge into a node gives.
static bool equal_by_edge(SonWork *work, Node node, KnownEqual *equal) {
    Node from = work->sole[node.i];
    Comparison known;
    if (from.i == NO_ID || !bits_has(&work->reached, from.i)) return false;
    const Instr *instr = func_at(work->before, from);
    if (!instr_is_branch(instr) || instr->succ_count > 64) return false;
    equal->edge = (BranchEdge){from, son_way_to(work->before, from, node)};
    if (equal->edge.way == NO_ID || !son_outcome(work, from, equal->edge.way, &known)) return false;
    Op op = known.holds ? known.op : op_negation(known.op);
    Type type = op_info(known.op)->operand[0];
    ValueTerms terms = values_terms(&work->values);
    if (op_family(op) != FAM_EQ || !value_sum(&terms, known.a.i, type, &equal->a)) return false;
    equal->b = (ValueSum){.bits = equal->a.bits, .constant = value_immediate(type, known.imm).bits};
    return known.b.i == NO_ID || value_sum(&terms, known.b.i, type, &equal->b);
}

SonEquals son_equals(SonWork *work) {
    SonEquals equals = {0};
    uint32_t innermost = NO_ID;
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
    if (sum->bits != equal->a.bits || !factor || (once != 1 && once != mask)) return false;
    // sum - factor / once * (a - b); once is its own inverse.
    uint64_t times = factor * once;
    ValueTerms terms = values_terms(&work->values);
    *result = *sum;
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

// The equality that makes an argument the value; NO_ID if there is none. NO_ID in `edge` if none
// is needed.
static bool is_equal_on_way(const EqualPhi *it, uint32_t k, uint32_t value, BranchEdge *edge) {
    SonWork *work = it->work;
    Node from = preds_at(&work->preds, it->join)[k];
    uint32_t arg = work->value_of[phi_args(work->before, it->phi)[k].i];
    Type type = (Type)work->values.types.at[value];
    ValueTerms terms = values_terms(&work->values);
    ValueSum sum, to;
    edge->branch = NO_NODE;
    if (arg == NO_ID) return false;
    if (arg == value) return true;
    if (!value_sum(&terms, arg, type, &sum) || !value_sum(&terms, value, type, &to)) return false;
    uint32_t at = it->equals->at[from.i];
    for (uint32_t i = 0; i < MOST_EQUALS && at != NO_ID; i++) {
        const KnownEqual *equal = &it->equals->known.at[at];
        *edge = equal->edge;
        if (value_sum_refines(&sum, &to, &equal->a, &equal->b)) return true;
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
        BranchEdge edge;
        if (!is_reached_way(it, k)) continue;
        if (!is_equal_on_way(it, k, value, &edge)) {
            work->local.count = start;
            return false;
        }
        if (edge.branch.i == NO_ID) continue;
        FoundStep step = {.node = preds_at(&work->preds, it->join)[k],
                          .step = {.from = work->value_of[phi_args(work->before, it->phi)[k].i],
                                   .to = value,
                                   .rule = STEP_EQUAL},
                          .found = {edge.branch.i, edge.way}};
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
