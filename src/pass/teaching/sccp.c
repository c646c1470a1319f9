// Facts start as "unseen" and only go down: unseen, then a constant (or free, for what is never
// defined), then varying. Two work lists: nodes that have become reachable, and registers whose
// fact went down, whose users are then looked at again. Each register goes down at most twice and
// each edge opens once, so that time is linear in nodes and uses.
#include "pass/pass.h"

#include "analysis/float_raises.h"
#include "analysis/reg_reads.h"
#include "fact/effects.h"
#include "fact/eval.h"
#include "graph/versions.h"
#include "target/model.h"

enum { UNSEEN = SCCP_FREE + 1 };

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds;
    RegReads reads;
    uint32_t *phi_of_arg; // index of the phi of each phi argument
    SccpFact *facts;
    Bits *reached;
    VEC(Node) nodes; // to visit for the first time
    VEC(Reg) regs;   // to tell the users of
} Sccp;

// ---- Reads

// Only operators and branches are evaluated.
static bool is_evaluated(const Instr *instr) {
    return instr->kind == I_OP || instr_is_branch(instr);
}

static void find_phis(Sccp *state) {
    const Func *func = state->func;
    state->phi_of_arg = ARENA_ARRAY(state->arena, uint32_t, func->phi_args.count);
    for (uint32_t p = 0, arg = 0; p < func->phis.count; p++) {
        uint32_t last = p + 1 == func->phis.count;
        uint32_t end = last ? func->phi_args.count : func->phis.at[p + 1].args_at;
        while (arg < end) state->phi_of_arg[arg++] = p;
    }
}

// ---- Facts

static bool same_fact(const SccpFact *a, const SccpFact *b) {
    return a->kind == b->kind && a->bits == b->bits && a->high == b->high;
}

// Weakens the fact about a register by the fact of one of its definitions.
static void lower(Sccp *state, Reg reg, SccpFact fact) {
    SccpFact *old = &state->facts[reg.i];
    if (fact.kind == UNSEEN || old->kind == SCCP_VARIES || same_fact(old, &fact)) return;
    if (old->kind == SCCP_CONST) {
        if (fact.kind == SCCP_FREE) return;
        fact = (SccpFact){.kind = SCCP_VARIES};
    }
    *old = fact;
    vec_push(state->arena, &state->regs, reg);
}

// The value of an operator: constant if its operands are, unseen if an operand still is.
static SccpFact evaluate(const Sccp *state, const Instr *instr) {
    const SccpFact varies = {.kind = SCCP_VARIES};
    const OpInfo *info = op_info(instr->op);
    if (instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) return varies;
    if (info->arity == 0)
        return (SccpFact){.kind = SCCP_CONST,
                          .high = instr->high,
                          .bits = value_immediate(info->result, instr->imm).bits};
    Value operand[3] = {{0}}, result;
    for (uint32_t i = 0; i < instr->arg_count; i++) {
        const SccpFact *fact = &state->facts[instr->arg[i].i];
        if (fact->kind == UNSEEN) return *fact;
        if (fact->kind != SCCP_CONST) return instr->op == op_move(info->result) ? *fact : varies;
        operand[i] = (Value){.bits = fact->bits, .high = fact->high};
    }
    if (instr->immediate)
        operand[instr->arg_count] = value_immediate(info->operand[instr->arg_count], instr->imm);
    if (!op_eval(instr->op, operand[0], operand[1], operand[2], &result) || result.undef ||
        op_raises(instr->op, operand, result) ||
        !target_evaluates(state->func->program->target, instr->op, operand, result))
        return varies;
    return (SccpFact){.kind = SCCP_CONST, .high = (uint16_t)result.high, .bits = result.bits};
}

// ---- Flow

// An edge has opened. If it leads into a join, it comes from a nop and is the only edge from there.
static void open_edge(Sccp *state, Node from, Node to) {
    const Func *func = state->func;
    if (bits_put(state->reached, to.i)) vec_push(state->arena, &state->nodes, to);
    uint32_t phis = func_phi_count(func, to);
    if (phis == 0) return;
    uint32_t k = preds_index(&state->preds, to, from);
    for (uint32_t p = 0; p < phis; p++) {
        const Phi *phi = &func_phis(func, to)[p];
        lower(state, phi->dest, state->facts[phi_args(func, phi)[k].i]);
    }
}

// The successor that a branch is known to take; NO_ID if all are possible, succ_count if none is
// yet.
static uint32_t taken(const Sccp *state, const Instr *instr) {
    if (instr->kind == I_COND) {
        SccpFact fact = evaluate(state, instr);
        if (fact.kind == UNSEEN) return instr->succ_count;
        return fact.kind == SCCP_CONST ? (fact.bits ? 0 : 1) : NO_ID;
    }
    if (instr->kind != I_SWITCH) return NO_ID;
    const SccpFact *fact = &state->facts[instr->arg[0].i];
    if (fact->kind == UNSEEN) return instr->succ_count;
    if (fact->kind != SCCP_CONST) return NO_ID;
    Type type = reg_type(state->func, instr->arg[0]);
    const int64_t *cases = instr_cases(state->func, instr);
    for (uint32_t k = 0; k + 1 < instr->succ_count; k++)
        if (value_immediate(type, cases[k]).bits == fact->bits) return k + 1;
    return 0;
}

static void visit_instr(Sccp *state, Node node) {
    const Instr *instr = func_at(state->func, node);
    if (instr->dest.i != NO_ID)
        lower(state, instr->dest,
              instr->kind == I_OP ? evaluate(state, instr) : (SccpFact){.kind = SCCP_VARIES});
    uint32_t way = taken(state, instr);
    const Node *succs = instr_succs(state->func, instr);
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (way == NO_ID || way == k) open_edge(state, node, succs[k]);
}

static void visit_read(Sccp *state, const RegRead *read) {
    const Func *func = state->func;
    if (!bits_has(state->reached, read->node.i)) return;
    if (read_is_by_phi(read)) {
        uint32_t arg = read->arg - READ_BY_PHI;
        Reg dest = func->phis.at[state->phi_of_arg[arg]].dest;
        lower(state, dest, state->facts[func->phi_args.at[arg].i]);
    } else if (is_evaluated(func_at(func, read->node))) {
        visit_instr(state, read->node);
    }
}

static void solve(Sccp *state) {
    bits_add(state->reached, 0);
    vec_push(state->arena, &state->nodes, (Node){0});
    while (state->nodes.count || state->regs.count) {
        if (state->nodes.count) {
            Node node = vec_pop(&state->nodes);
            visit_instr(state, node);
            continue;
        }
        Reg reg = vec_pop(&state->regs);
        for (uint32_t i = state->reads.first[reg.i]; i < state->reads.first[reg.i + 1]; i++)
            visit_read(state, &state->reads.list[i]);
    }
}

// ---- Rewriting

static bool is_const(const Sccp *state, Reg reg) {
    return state->facts[reg.i].kind == SCCP_CONST;
}

// The signed form in which immediates of a type are kept.
static int64_t immediate_of(Type type, uint64_t bits) {
    return type == TYPE_I32 ? (int32_t)bits : (int64_t)bits;
}

// Whether an operand can become an immediate: the last one, or either of a commutative operator.
static uint32_t constant_operand(const Sccp *state, const Instr *instr) {
    if ((instr->kind != I_OP && instr->kind != I_COND) || instr->immediate ||
        instr->arg_count != 2 || !op_allows_immediate(instr->op))
        return NO_ID;
    if (is_const(state, instr->arg[1])) return 1;
    bool commutes = op_info(instr->op)->flags & OPF_COMM;
    return commutes && is_const(state, instr->arg[0]) ? 0 : NO_ID;
}

// The instruction as the facts rewrite it; false if it stays.
static bool rewritten(const Sccp *state, Instr *instr) {
    uint32_t way = instr_is_branch(instr) ? taken(state, instr) : NO_ID;
    if (way < instr->succ_count) {
        Node succ = instr_succs(state->func, instr)[way];
        *instr = (Instr){
            .kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}, .loc = instr->loc};
        return true;
    }
    if (instr->kind == I_OP && is_const(state, instr->dest)) {
        const SccpFact *fact = &state->facts[instr->dest.i];
        Type type = reg_type(state->func, instr->dest);
        if (op_info(instr->op)->arity == 0) return false;
        *instr = (Instr){.kind = I_OP,
                         .op = (uint16_t)op_const(type),
                         .high = fact->high,
                         .dest = instr->dest,
                         .succ_count = 1,
                         .succ = {instr->succ[0]},
                         .imm = immediate_of(type, fact->bits),
                         .loc = instr->loc};
        return true;
    }
    uint32_t at = constant_operand(state, instr);
    if (at == NO_ID) return false;
    Reg gone = instr->arg[at];
    instr->arg[0] = instr->arg[1 - at];
    instr->arg[1] = (Reg){0};
    instr->arg_count = 1;
    instr->immediate = true;
    instr->imm = immediate_of(reg_type(state->func, gone), state->facts[gone.i].bits);
    return true;
}

// The new function, or NULL if no instruction changes.
static Func *rewrite_all(const Sccp *state) {
    const Func *func = state->func;
    Func *result = NULL;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr instr = func->nodes.at[n];
        if (!bits_has(state->reached, n) || !rewritten(state, &instr)) continue;
        if (!result) result = func_clone(func, state->arena);
        result->nodes.at[n] = instr;
    }
    return result;
}

static void start(Sccp *state, SccpHint *hint) {
    const Func *func = state->func;
    state->facts = vec_extend(state->arena, &hint->facts, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++)
        state->facts[r].kind = reg_is_never_set(func, (Reg){r}) ? SCCP_FREE : UNSEEN;
    for (uint32_t i = 0; i < func->params.count; i++)
        state->facts[func->params.at[i].i].kind = SCCP_VARIES;
    hint->reached = bits_new(state->arena, func->nodes.count);
    state->reached = &hint->reached;
}

// The function with what is constant written as constants and decided branches gone straight; NULL
// if there is nothing of the kind. Code that can no longer be reached stays for tidy to remove.
Func *sccp(Arena *arena, const Func *func, SccpHint *hint) {
    Sccp state = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    state.reads = reg_reads_of(arena, func, &state.preds);
    find_phis(&state);
    start(&state, hint);
    solve(&state);
    Func *result = rewrite_all(&state);
    for (uint32_t r = 0; r < func->regs.count; r++)
        if (state.facts[r].kind == UNSEEN) state.facts[r].kind = SCCP_VARIES;
    return result;
}
