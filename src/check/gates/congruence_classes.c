#include "check/gates/congruence_classes.h"

bool all_congruent(const Classes *classes, const Reg *a, const Reg *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!congruent(classes, a[i], b[i])) return false;
    return true;
}

// ---- The hint

static bool check_hint(Classes *classes) {
    const Numbering *hint = classes->hint;
    uint32_t count = classes->before->regs.count;
    if (hint->leader.count != count)
        return CLASSES_REJECT(classes, NO_NODE, "the hint does not cover every register");
    for (uint32_t i = 0; i < count; i++) {
        Reg leader = hint->leader.at[i];
        if (leader.i >= count)
            return CLASSES_REJECT(classes, NO_NODE, "the leader of register %u does not exist", i);
        if (leader_of(classes, leader).i != leader.i)
            return CLASSES_REJECT(classes, NO_NODE, "the leader of register %u has another leader",
                                  i);
        if (reg_type(classes->before, leader) != reg_type(classes->before, (Reg){i}))
            return CLASSES_REJECT(classes, NO_NODE, "the leader of register %u has another type",
                                  i);
    }
    return true;
}

bool classes_init(Classes *classes, Arena *arena, const Func *before, const Func *after,
                  const Numbering *hint) {
    *classes = (Classes){.arena = arena,
                         .before = before,
                         .after = after,
                         .hint = hint,
                         .verdict = VERDICT_ACCEPTED};
    if (before->regs.count != after->regs.count)
        return CLASSES_REJECT(classes, NO_NODE, "there are new registers");
    if (before->nodes.count != after->nodes.count)
        return CLASSES_REJECT(classes, NO_NODE, "the number of nodes has changed");
    if (!check_hint(classes)) return false;
    classes->definitions = definitions_of(arena, before);
    return true;
}

// ---- Operators

static bool congruent_arguments(const Classes *classes, const Instr *a, const Instr *b) {
    const Func *func = classes->before;
    const Reg *x = instr_args(func, a), *y = instr_args(func, b);
    if (all_congruent(classes, x, y, a->arg_count)) return true;
    return op_info((Op)a->op)->flags & OPF_COMM && a->arg_count == 2 &&
           congruent(classes, x[0], y[1]) && congruent(classes, x[1], y[0]);
}

bool classes_check_op(Classes *classes, Reg reg, Reg leader) {
    const Func *func = classes->before;
    Definition here = classes->definitions[reg.i], there = classes->definitions[leader.i];
    const Instr *instr = func_at(func, here.node);
    if (instr->kind != I_OP)
        return CLASSES_REJECT(classes, here.node,
                              "a register that is not computed by an operator has a leader");
    if (op_is_move((Op)instr->op) && leader_of(classes, instr_args(func, instr)[0]).i == leader.i)
        return true;
    if (there.by != SET_BY_INSTR)
        return CLASSES_REJECT(classes, here.node, "the leader is not computed by an operator");
    const Instr *other = func_at(func, there.node);
    if (other->kind != I_OP || instr->op != other->op || instr->immediate != other->immediate ||
        instr->imm != other->imm || instr->high != other->high || instr->ref != other->ref ||
        instr->arg_count != other->arg_count)
        return CLASSES_REJECT(classes, here.node,
                              "the leader is computed by another operator or constant");
    return congruent_arguments(classes, instr, other) ||
           CLASSES_REJECT(classes, here.node, "the leader has arguments that are not congruent");
}

// ---- The code

bool classes_check_node(Classes *classes, Node node) {
    const Instr *then = func_at(classes->before, node), *now = func_at(classes->after, node);
    if (then->succ_count != now->succ_count)
        return CLASSES_REJECT(classes, node, "the number of successors has changed");
    const Node *old_succs = instr_succs(classes->before, then);
    const Node *new_succs = instr_succs(classes->after, now);
    for (uint32_t k = 0; k < then->succ_count; k++)
        if (old_succs[k].i != new_succs[k].i)
            return CLASSES_REJECT(classes, node, "successor %u has changed", k);
    if (then->kind == I_OP && now->kind == I_NOP) return true;
    if (!instr_alike(classes->before, then, classes->after, now) || then->dest.i != now->dest.i)
        return CLASSES_REJECT(classes, node, "the instruction has changed");
    const Reg *old_args = instr_args(classes->before, then);
    const Reg *new_args = instr_args(classes->after, now);
    for (uint32_t i = 0; i < then->arg_count; i++)
        if (!congruent(classes, old_args[i], new_args[i]))
            return CLASSES_REJECT(classes, node, "argument %u is not congruent to what it replaces",
                                  i);
    return true;
}
