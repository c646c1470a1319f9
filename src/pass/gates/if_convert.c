// Turns branches into selects. In a diamond, or a triangle, whose two arms hold only a few
// operators that cannot go wrong, the operators are repeated at the join, the condition is
// computed, and each gamma becomes a select. Only the gammas are removed; then the arms are dead
// code, and the branch between them decides nothing.
//
// The conversion pays only if all of this happens: every gamma of the join must be a gamma of
// integers on the branch's condition, and there must be few gammas. A select costs about as much as
// a move, a mispredicted branch fifteen times as much; so the arms must be short.
#include "pass/pass.h"

#include "fact/effects.h"
#include "graph/versions.h"

enum { MOST_OPERATORS = 3, MOST_NODES = 8, MOST_SELECTS = 2 }; // of an arm, of an arm, of a join

// From a branch to a join: the operators on the way, the last first.
typedef struct {
    Node branch;
    Node first; // the successor of the branch
    uint32_t count;
    const Instr *ops[MOST_OPERATORS];
    bool needed[MOST_OPERATORS];
} Arm;

typedef struct {
    Arena *arena;
    const Func *func;
    Func *result;
    IfConvertHint *hint;
    Preds preds;
    VEC(Instr) added; // for all conversions, in order
    Reg *copy;        // register -> its copy at the join at hand; NO_REG
} IfConvert;

// ---- Shapes

// Operators that constants and addresses are made of cost little; others count. If it is none that
// can be converted, `first` is where that was seen.
static IfAnswerKind arm_of(const IfConvert *c, Node pred, Arm *arm) {
    *arm = (Arm){.first = pred};
    for (uint32_t i = 0; i < MOST_NODES; i++) {
        const Instr *instr = func_at(c->func, arm->first);
        if (instr_is_total(instr)) {
            if (arm->count == MOST_OPERATORS) return IF_LONG;
            arm->ops[arm->count++] = instr;
        } else if (instr->kind != I_NOP) {
            return IF_EFFECT;
        }
        Node above = preds_sole(&c->preds, arm->first);
        if (above.i == NO_ID || gsa_eta_count(c->func, arm->first)) return IF_SHAPE;
        if (func_at(c->func, above)->kind == I_COND) {
            arm->branch = above;
            return IF_CONVERTED;
        }
        arm->first = above;
    }
    return IF_LONG;
}

static bool is_integer(Type type) {
    return type == TYPE_I32 || type == TYPE_I64;
}

static const GateNode *gate_at(const IfConvert *c, Gate gate) {
    return &c->func->gsa->gates.at[gate.i];
}

static bool is_set_at(const Func *func, Node join, Reg reg) {
    for (uint32_t i = 0; i < gsa_merge_count(func, join); i++)
        if (gsa_merges(func, join)[i].dest.i == reg.i) return true;
    return false;
}

static bool is_convertible(const IfConvert *c, Node join, const Merge *merge, uint32_t *atom) {
    const MergeArg *args = merge_args(c->func, merge);
    if (merge->kind != MERGE_GAMMA || merge->arg_count != 2 ||
        !is_integer(reg_type(c->func, merge->dest)))
        return false;
    const GateNode *first = gate_at(c, args[0].gate), *second = gate_at(c, args[1].gate);
    if (first->kind != GK_LITERAL || second->kind != GK_LITERAL || first->first != second->first ||
        first->negated == second->negated)
        return false;
    *atom = first->first;
    const GateAtom *condition = &c->func->gsa->atoms.at[*atom];
    for (uint32_t i = 0; i < condition->arg_count; i++)
        if (is_set_at(c->func, join, condition->arg[i])) return false;
    return condition->op != OP_COUNT;
}

// ---- What is added

static Reg add(IfConvert *c, Instr instr, Type type, Reg copy_of) {
    Reg reg = func_temp(c->result, type);
    c->result->regs.at[reg.i].version = VERSION_FIRST_SET;
    instr.dest = reg;
    vec_push(c->arena, &c->added, instr);
    vec_push(c->arena, &c->hint->copy_of, copy_of);
    return reg;
}

static void need(Arm *arm, Reg reg) {
    for (uint32_t i = 0; i < arm->count; i++)
        if (arm->ops[i]->dest.i == reg.i) arm->needed[i] = true;
}

static Reg copied(const IfConvert *c, Reg reg) {
    return c->copy[reg.i].i == NO_ID ? reg : c->copy[reg.i];
}

static void copy_arm(IfConvert *c, Arm *arm) {
    for (uint32_t i = 0; i < arm->count; i++)
        for (uint32_t k = 0; arm->needed[i] && k < arm->ops[i]->arg_count; k++)
            need(arm, arm->ops[i]->arg[k]);
    for (uint32_t i = arm->count; i-- > 0;) {
        if (!arm->needed[i]) continue;
        Instr copy = *arm->ops[i];
        for (uint32_t k = 0; k < copy.arg_count; k++) copy.arg[k] = copied(c, copy.arg[k]);
        Reg old = arm->ops[i]->dest;
        c->copy[old.i] = add(c, copy, reg_type(c->func, old), old);
    }
}

static Reg add_condition(IfConvert *c, Node branch) {
    Instr condition = *func_at(c->func, branch);
    condition.kind = I_OP;
    return add(c, condition, TYPE_I32, NO_REG);
}

static void add_select(IfConvert *c, const Merge *merge, Reg condition, uint32_t loc) {
    const MergeArg *args = merge_args(c->func, merge);
    uint32_t yes = gate_at(c, args[0].gate)->negated ? 1 : 0;
    Instr select = {.kind = I_OP,
                    .op = (uint16_t)op_select(reg_type(c->func, merge->dest)),
                    .dest = merge->dest,
                    .arg_count = 3,
                    .arg = {condition, copied(c, args[yes].reg), copied(c, args[!yes].reg)},
                    .loc = loc};
    vec_push(c->arena, &c->added, select);
}

static void convert(IfConvert *c, Node join, Arm arms[2]) {
    uint32_t before = c->added.count, count = gsa_merge_count(c->func, join);
    const Merge *merges = gsa_merges(c->func, join);
    for (uint32_t m = 0; m < count; m++)
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t arm = 0; arm < 2; arm++)
                need(&arms[arm], merge_args(c->func, &merges[m])[k].reg);
    for (uint32_t arm = 0; arm < 2; arm++) copy_arm(c, &arms[arm]);
    Reg condition = add_condition(c, arms[0].branch);
    for (uint32_t m = 0; m < count; m++)
        add_select(c, &merges[m], condition, func_at(c->func, arms[0].branch)->loc);
    for (uint32_t arm = 0; arm < 2; arm++)
        for (uint32_t i = 0; i < arms[arm].count; i++) c->copy[arms[arm].ops[i]->dest.i] = NO_REG;
    IfConversion conversion = {
        .join = join, .branch = arms[0].branch, .count = c->added.count - before};
    vec_push(c->arena, &c->hint->conversions, conversion);
}

static bool is_condition_of(const IfConvert *c, uint32_t number, Node branch) {
    const GateAtom *atom = &c->func->gsa->atoms.at[number];
    const Instr *instr = func_at(c->func, branch);
    bool same = atom->op == instr->op && atom->immediate == instr->immediate &&
                atom->imm == instr->imm && atom->arg_count == instr->arg_count;
    for (uint32_t i = 0; i < atom->arg_count && same; i++) same = atom->arg[i].i == instr->arg[i].i;
    return same;
}

// Whether the gammas of a join can be selects.
static IfAnswer consider(const IfConvert *c, Node join, Arm arms[2]) {
    uint32_t count = gsa_merge_count(c->func, join), atom = 0;
    if (count == 0 || !preds_are_just(&c->preds, join, 2)) return (IfAnswer){IF_SHAPE, join};
    for (uint32_t k = 0; k < 2; k++) {
        IfAnswerKind kind = arm_of(c, preds_at(&c->preds, join)[k], &arms[k]);
        if (kind != IF_CONVERTED) return (IfAnswer){kind, arms[k].first};
    }
    if (arms[0].branch.i != arms[1].branch.i || arms[0].first.i == arms[1].first.i)
        return (IfAnswer){IF_SHAPE, join};
    if (count > MOST_SELECTS) return (IfAnswer){IF_MANY, join};
    for (uint32_t m = 0; m < count; m++)
        if (!is_convertible(c, join, &gsa_merges(c->func, join)[m], &atom) ||
            !is_condition_of(c, atom, arms[0].branch))
            return (IfAnswer){IF_GAMMA, join};
    return (IfAnswer){IF_CONVERTED, join};
}

IfAnswer *if_convert_answers(Arena *arena, const Func *func) {
    IfConvert c = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    IfAnswer *answers = ARENA_ARRAY(arena, IfAnswer, (size_t)func->nodes.count + 1);
    Arm arms[2];
    for (uint32_t n = 0; n < func->nodes.count; n++) answers[n] = consider(&c, (Node){n}, arms);
    return answers;
}

// ---- The new function

// The first node of each old one, and the size of all.
static uint32_t *find_places(const IfConvert *c) {
    uint32_t count = c->func->nodes.count, next = 0, at = 0;
    uint32_t *start = ARENA_ARRAY(c->arena, uint32_t, (size_t)count + 1);
    for (uint32_t n = 0; n < count; n++) {
        start[n] = next++;
        if (at < c->hint->conversions.count && c->hint->conversions.at[at].join.i == n)
            next += c->hint->conversions.at[at++].count + 1;
    }
    start[count] = next;
    return start;
}

static void copy_nodes(IfConvert *c, const uint32_t *start) {
    uint32_t next = 0;
    for (uint32_t n = 0; n < c->func->nodes.count; n++) {
        const Instr *instr = &c->func->nodes.at[n];
        uint32_t place = start[n], last = start[n + 1] - 1;
        if (place < last) func_nop(c->result, (Node){place + 1});
        while (++place < last) {
            Instr *added = &c->added.at[next++];
            added->succ_count = 1;
            added->succ[0] = (Node){place + 1};
            func_add(c->result, *added);
        }
        Node copy = func_copy_instr(c->result, c->func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            func_set_succ(c->result, copy, k, (Node){start[instr_succs(c->func, instr)[k].i]});
    }
}

static void copy_gates(IfConvert *c, const uint32_t *start) {
    const Gsa *gsa = c->func->gsa;
    Gsa *copy = c->result->gsa = gsa_clone_table(c->arena, gsa);
    for (uint32_t n = 0; n < c->func->nodes.count; n++) {
        Node node = {n}, place = {start[n]};
        for (uint32_t i = 0; i < gsa_eta_count(c->func, node); i++)
            gsa_add_eta(c->result, place, gsa_etas(c->func, node)[i]);
        for (uint32_t i = 0; start[n] + 1 == start[n + 1] && i < gsa_merge_count(c->func, node);
             i++) {
            const Merge *merge = &gsa_merges(c->func, node)[i];
            gsa_add_merge(c->result, place, merge->kind, merge->dest, merge_args(c->func, merge),
                          merge->arg_count);
        }
    }
    gsa_end_blocks(c->result);
    for (uint32_t i = 0; i < gsa->loops.count; i++) {
        LoopGate loop = gsa->loops.at[i];
        loop.header.i = start[loop.header.i];
        vec_push(c->arena, &copy->loops, loop);
    }
    for (uint32_t i = 0; i < gsa->ends.count; i++) {
        EndGate end = gsa->ends.at[i];
        end.node.i = start[end.node.i + 1] - 1;
        vec_push(c->arena, &copy->ends, end);
    }
}

// The function with selects after those joins; NULL if there are none. The operators of the two
// ways are repeated after the join; dead_code and straighten remove the branch and its ways later.
Func *if_convert(Arena *arena, const Func *func, IfConvertHint *hint) {
    if (!func->gsa->merges.count) return NULL;
    IfConvert c = {.arena = arena,
                   .func = func,
                   .result = func_like(func, arena),
                   .hint = hint,
                   .preds = preds_of(arena, func),
                   .copy = ARENA_ARRAY(arena, Reg, func->regs.count)};
    for (uint32_t r = 0; r < func->regs.count; r++) c.copy[r] = NO_REG;
    Arm arms[2];
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (consider(&c, (Node){n}, arms).kind == IF_CONVERTED) convert(&c, (Node){n}, arms);
    if (!hint->conversions.count) return NULL;
    const uint32_t *start = find_places(&c);
    copy_nodes(&c, start);
    copy_gates(&c, start);
    return c.result;
}
