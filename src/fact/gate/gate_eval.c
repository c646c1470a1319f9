// Evaluates gates, operands first, with a stack in memory instead of recursion: predicates can be
// as deep as a function is long. The second operand is evaluated only if the first does not decide.
#include "fact/gate/gate_eval.h"

#include "fact/eval.h"

GateEval *gate_eval_new(Arena *arena, const Func *func) {
    uint32_t count = func->gsa->gates.count;
    GateEval *eval = ARENA_NEW(arena, GateEval);
    *eval = (GateEval){.func = func,
                       .now = 1,
                       .known = ARENA_ARRAY(arena, uint64_t, count),
                       .truth = ARENA_ARRAY(arena, uint8_t, count),
                       .work = ARENA_ARRAY(arena, uint32_t, count)};
    return eval;
}

// ---- Atoms

static Truth truth_of(bool holds) {
    return holds ? TRUTH_TRUE : TRUTH_FALSE;
}

static Truth eval_way(const Func *func, const GateAtom *atom, const Value *regs) {
    const Gsa *gsa = func->gsa;
    Value value = regs[atom->arg[0].i];
    if (value.undef) return TRUTH_UNKNOWN;
    bool narrow = reg_type(func, atom->arg[0]) == TYPE_I32;
    int64_t wanted = narrow ? (int32_t)as_i32(value) : (int64_t)as_i64(value);
    GateCases cases = gsa->switches.at[atom->cases];
    const int64_t *values = cases.count ? gsa->case_values.at + cases.first : NULL;
    return truth_of(atom->way ? values[atom->way - 1] == wanted
                              : !case_list_has(values, cases.count, wanted));
}

Truth gate_eval_atom(const Func *func, const GateAtom *atom, const Value *regs) {
    if (atom->op == OP_COUNT) return eval_way(func, atom, regs);
    const OpInfo *info = op_info(atom->op);
    Value operand[2] = {0}, result;
    for (uint32_t i = 0; i < atom->arg_count; i++) operand[i] = regs[atom->arg[i].i];
    if (atom->immediate)
        operand[info->arity - 1] = value_immediate(info->operand[info->arity - 1], atom->imm);
    if (!op_eval(atom->op, operand[0], operand[1], (Value){0}, &result) || result.undef)
        return TRUTH_UNKNOWN;
    return truth_of(result.bits == 1);
}

// ---- Predicates

static Truth eval_leaf(const GateEval *eval, const GateNode *node, const Value *regs) {
    if (node->kind == GK_UNDEF) return TRUTH_UNKNOWN;
    if (node->kind != GK_LITERAL) return truth_of(node->kind == GK_TRUE);
    Truth atom = gate_eval_atom(eval->func, &eval->func->gsa->atoms.at[node->first], regs);
    return node->negated ? TRUTH_TRUE - atom : atom;
}

// The value of an AND or OR if its operands are known as far as they are needed; otherwise the
// operand that is needed next.
static bool eval_operator(const GateEval *eval, const GateNode *node, Truth *truth,
                          uint32_t *needed) {
    bool conjunction = node->kind == GK_AND;
    *needed = node->first;
    if (eval->known[node->first] != eval->now) return false;
    *truth = eval->truth[node->first];
    if (*truth == (conjunction ? TRUTH_FALSE : TRUTH_TRUE)) return true;
    *needed = node->second;
    if (eval->known[node->second] != eval->now) return false;
    Truth second = eval->truth[node->second];
    if ((second < *truth) == conjunction) *truth = second;
    return true;
}

Truth gate_eval(GateEval *eval, Gate gate, const Value *regs) {
    uint32_t depth = 0, needed;
    eval->work[depth++] = gate.i;
    while (depth) {
        uint32_t i = eval->work[depth - 1];
        const GateNode *node = &eval->func->gsa->gates.at[i];
        Truth truth;
        if (eval->known[i] == eval->now) {
            depth--;
            continue;
        }
        if (node->kind != GK_AND && node->kind != GK_OR) {
            truth = eval_leaf(eval, node, regs);
        } else if (!eval_operator(eval, node, &truth, &needed)) {
            eval->work[depth++] = needed;
            continue;
        }
        eval->truth[i] = (uint8_t)truth;
        eval->known[i] = eval->now;
        depth--;
    }
    return eval->truth[gate.i];
}
