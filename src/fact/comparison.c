// Decides by samples whether a goal follows from facts: the goal follows if it holds in every
// sample in which the facts hold. A sample gives values to the registers; the samples together
// stand for all values.
//
// One integer register x against immediates. As x grows by one, going round from the largest value
// to zero, a comparison with c changes its truth only on entering c, c + 1, zero (for unsigned
// order) or the smallest signed value (for signed order). Take those points for all immediates at
// hand: from any x down to the next point no comparison changes, so that the point stands for x.
// Overflow of a sum or difference of x and c changes on entering the smallest signed value, and on
// entering one more point: where x + c, x - c or c - x - 1 is that value. Both follow from the
// exact result, which grows or falls by one with x, leaving the range at one end.
//
// Two registers. A comparison of integers depends only on which of the two is less in signed and in
// unsigned order; five pairs have all five combinations. A comparison of floats depends only on
// whether they are less, equal, greater or unordered; four pairs have all four cases.
//
// Samples do not tell overflow of two registers, or of a product. Such an overflow follows from
// nothing but itself, and as a fact it is ignored.
#include "fact/comparison.h"

#include "fact/eval.h"

#include <math.h>

bool comparison_of_way(const Func *func, Node branch, uint32_t way, Comparison *result) {
    const Instr *instr = func_at(func, branch);
    if (way >= instr->succ_count) return false;
    if (instr->kind == I_COND) {
        *result = (Comparison){.op = instr->op,
                               .a = instr->arg[0],
                               .b = instr->immediate ? NO_REG : instr->arg[1],
                               .imm = instr->imm,
                               .holds = way == 0};
        return true;
    }
    if (instr->kind != I_SWITCH || way == 0) return false;
    bool narrow = reg_type(func, instr->arg[0]) == TYPE_I32;
    *result = (Comparison){.op = narrow ? OP_EQ_I32 : OP_EQ_I64,
                           .a = instr->arg[0],
                           .b = NO_REG,
                           .imm = instr_cases(func, instr)[way - 1],
                           .holds = true};
    return true;
}

static bool same_type(const Comparison *x, const Comparison *y) {
    return op_info(x->op)->operand[0] == op_info(y->op)->operand[0];
}

static bool is_swapped(const Comparison *fact, const Comparison *goal) {
    return fact->a.i != goal->a.i;
}

bool comparison_concerns(const Comparison *fact, const Comparison *goal) {
    if (!same_type(fact, goal)) return false;
    return (fact->a.i == goal->a.i && fact->b.i == goal->b.i) ||
           (fact->a.i == goal->b.i && fact->b.i == goal->a.i);
}

// ---- Samples

static bool is_as_said(const Comparison *it, Value a, Value b) {
    Value result;
    if (it->b.i == NO_ID) b = value_immediate(op_info(it->op)->operand[1], it->imm);
    return op_eval(it->op, a, b, (Value){0}, &result) && (result.bits != 0) == it->holds;
}

// Whether samples tell it.
static bool has_samples(const Comparison *it) {
    OpFamily family = op_family(it->op);
    return !op_tells_overflow(it->op) ||
           (it->b.i == NO_ID && family != FAM_MULO && family != FAM_NMULO);
}

// Whether one of the facts says the same, of the operands in this order or exchanged.
static bool is_repeated(const Comparison *facts, uint32_t count, const Comparison *goal) {
    for (uint32_t i = 0; i < count; i++) {
        bool swapped = is_swapped(&facts[i], goal);
        Op op = swapped ? op_mirror(facts[i].op) : facts[i].op;
        if (goal->b.i == NO_ID && facts[i].imm != goal->imm) continue;
        if (op == goal->op && facts[i].holds == goal->holds) return true;
        if (op == op_negation(goal->op) && facts[i].holds != goal->holds) return true;
    }
    return false;
}

// Whether the goal holds in a sample, its registers having those values, or some fact does not.
static bool holds_in(const Comparison *facts, uint32_t count, const Comparison *goal, Value a,
                     Value b) {
    for (uint32_t i = 0; i < count; i++) {
        bool swapped = is_swapped(&facts[i], goal);
        if (has_samples(&facts[i]) && !is_as_said(&facts[i], swapped ? b : a, swapped ? a : b))
            return true;
    }
    return is_as_said(goal, a, b);
}

// ---- One register

static bool follows_at(const Comparison *facts, uint32_t count, const Comparison *goal,
                       uint64_t point) {
    Value value = {.bits = point & type_mask(op_info(goal->op)->operand[0])};
    return holds_in(facts, count, goal, value, (Value){0});
}

// Where the overflow of x and a constant changes, but for the smallest signed value.
static uint64_t overflow_point(Op op, uint64_t least, uint64_t constant) {
    switch (op_family(op)) {
    case FAM_ADDO:
    case FAM_NADDO: return least - constant;
    case FAM_SUBO:
    case FAM_NSUBO: return least + constant;
    default: return constant - least + 1; // c - x
    }
}

static bool follows_for_one(const Comparison *facts, uint32_t count, const Comparison *goal) {
    uint64_t least =
        op_info(goal->op)->operand[0] == TYPE_I32 ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
    bool follows = follows_at(facts, count, goal, 0) && follows_at(facts, count, goal, least);
    for (uint32_t i = 0; i <= count && follows; i++) {
        const Comparison *it = i < count ? &facts[i] : goal;
        uint64_t point = (uint64_t)it->imm;
        if (op_tells_overflow(it->op))
            follows = follows_at(facts, count, goal, overflow_point(it->op, least, point));
        else
            follows =
                follows_at(facts, count, goal, point) && follows_at(facts, count, goal, point + 1);
    }
    return follows;
}

// ---- Two registers

static Value sample(Type type, int number) {
    switch (type) {
    case TYPE_F32: return value_f32(number < 0 ? NAN : (float)number);
    case TYPE_F64: return value_f64(number < 0 ? (double)NAN : (double)number);
    case TYPE_F80: return value_f80(number < 0 ? (long double)NAN : (long double)number);
    default: return value_immediate(type, number);
    }
}

static bool follows_for_two(const Comparison *facts, uint32_t count, const Comparison *goal) {
    // As integers -1 is less than 0 in one order and greater in the other; as a float it stands for
    // a NaN.
    static const int pairs[][2] = {{0, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    Type type = op_info(goal->op)->operand[0];
    bool follows = true;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && follows; i++)
        follows =
            holds_in(facts, count, goal, sample(type, pairs[i][0]), sample(type, pairs[i][1]));
    return follows;
}

bool comparison_follows(const Comparison *facts, uint32_t count, const Comparison *goal) {
    for (uint32_t i = 0; i < count; i++)
        if (!comparison_concerns(&facts[i], goal)) return false;
    if (!has_samples(goal)) return is_repeated(facts, count, goal);
    return goal->b.i == NO_ID ? follows_for_one(facts, count, goal)
                              : follows_for_two(facts, count, goal);
}
