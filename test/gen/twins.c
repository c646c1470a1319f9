#include "test/gen/twins.h"

#include "pass/pass.h"
#include "test/gen/random.h"

#include <stdlib.h>

typedef struct {
    const Func *from;
    Func *func;
    Reg *twin; // per register
    Random random;
    uint32_t noise;
} Twins;

// Appends a node that goes on to the next one.
static Node append(Twins *twins, const Instr *instr) {
    Node node = func_copy_instr(twins->func, twins->from, instr);
    if (instr->succ_count == 1) func_set_succ(twins->func, node, 0, (Node){node.i + 1});
    return node;
}

static Reg either(Twins *twins, Reg reg) {
    return random_chance(&twins->random, 1, 2) ? twins->twin[reg.i] : reg;
}

static void draw_args(Twins *twins, Node node) {
    const Instr *instr = func_at(twins->func, node);
    uint32_t count = instr->arg_count;
    Reg *args = arena_copy(twins->func->arena, instr_args(twins->func, instr), count * sizeof(Reg));
    for (uint32_t i = 0; i < count; i++) args[i] = either(twins, args[i]);
    bool commutes = instr->kind == I_OP && op_info((Op)instr->op)->flags & OPF_COMM;
    if (commutes && count == 2 && random_chance(&twins->random, 1, 2)) {
        Reg first = args[0];
        args[0] = args[1];
        args[1] = first;
    }
    func_set_args(twins->func, node, args, count);
}

static void append_move(Twins *twins, Reg to, Reg from) {
    Type type = reg_type(twins->func, to);
    append(twins, &(Instr){.kind = I_OP,
                           .op = (uint16_t)op_move(type),
                           .dest = to,
                           .arg_count = 1,
                           .arg = {from},
                           .succ_count = 1});
}

// The twin of what a node has just computed.
static void append_twin(Twins *twins, const Instr *instr) {
    Reg twin = twins->twin[instr->dest.i];
    if (instr->kind != I_OP || random_chance(&twins->random, 1, 8)) {
        append_move(twins, twin, instr->dest);
        return;
    }
    // A register that the operator has overwritten cannot serve it again; its twin can.
    Node node = append(twins, instr);
    draw_args(twins, node);
    Instr *copy = &twins->func->nodes.at[node.i];
    copy->dest = twin;
    for (uint32_t i = 0; i < copy->arg_count; i++)
        if (copy->arg[i].i == instr->dest.i) copy->arg[i] = twin;
    bool constant = copy->op == OP_CONST_I32 || copy->op == OP_CONST_I64;
    if ((copy->immediate || constant) && random_below(&twins->random, 1000) < twins->noise)
        copy->imm = (int32_t)(copy->imm ^ 1);
}

Func *twin_func(Arena *arena, const Func *func, uint32_t noise, uint64_t seed) {
    uint32_t count = func->nodes.count, regs = func->regs.count;
    Twins twins = {.from = func,
                   .func = func_like(func, arena),
                   .twin = ARENA_ARRAY(arena, Reg, regs),
                   .random = random_from(seed),
                   .noise = noise};
    for (uint32_t i = 0; i < regs; i++)
        twins.twin[i] = func_temp(twins.func, reg_type(func, (Reg){i}));
    uint32_t *start = ARENA_ARRAY(arena, uint32_t, count),
             *end = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < func->params.count; i++)
        append_move(&twins, twins.twin[func->params.at[i].i], func->params.at[i]);
    for (uint32_t n = 0; n < count; n++) {
        const Instr *instr = &func->nodes.at[n];
        start[n] = twins.func->nodes.count;
        draw_args(&twins, append(&twins, instr));
        if (instr->dest.i != NO_ID && instr->succ_count == 1) append_twin(&twins, instr);
        if (regs && instr->succ_count == 1 && random_chance(&twins.random, 1, 8)) {
            Reg reg = {random_below(&twins.random, twins.func->regs.count)};
            append_move(&twins, reg, reg);
        }
        end[n] = twins.func->nodes.count - 1;
    }
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++)
            func_set_succ(twins.func, (Node){end[n]}, k,
                          (Node){start[instr_succs(func, &func->nodes.at[n])[k].i]});
    return twins.func;
}

Func *ssa_of(Arena *arena, const Func *func) {
    CopiesHint norm_hint = {0};
    SsaHint ssa_hint = {0};
    return ssa_build(arena, normalize(arena, func, &norm_hint), &ssa_hint);
}

// ---- Renumbering

static uint32_t *random_order(Arena *arena, uint32_t count, uint64_t seed) {
    Random random = random_from(seed);
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = count; i > 2; i--) {
        uint32_t other = 1 + random_below(&random, i - 1), last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
    return order;
}

// The argument of a phi that comes from a predecessor.
static Reg argument_from(const Func *func, const Preds *preds, Node join, const Phi *phi,
                         uint32_t pred) {
    for (uint32_t k = 0;; k++)
        if (preds_at(preds, join)[k].i == pred) return phi_args(func, phi)[k];
}

Func *shuffle_nodes(Arena *arena, const Func *func, uint64_t seed) {
    uint32_t count = func->nodes.count;
    uint32_t *order = random_order(arena, count, seed); // new number -> old
    uint32_t *number = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) number[order[i]] = i;
    Func *result = func_like(func, arena);
    for (uint32_t i = 0; i < count; i++) {
        const Instr *instr = &func->nodes.at[order[i]];
        Node node = func_copy_instr(result, func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            func_set_succ(result, node, k, (Node){number[instr_succs(func, instr)[k].i]});
    }
    Preds old_preds = preds_of(arena, func), new_preds = preds_of(arena, result);
    for (uint32_t i = 0; i < count; i++) {
        Node old = {order[i]};
        uint32_t arity = preds_count(&new_preds, (Node){i});
        Reg *args = ARENA_ARRAY(arena, Reg, arity);
        for (uint32_t p = 0; p < func_phi_count(func, old); p++) {
            const Phi *phi = &func_phis(func, old)[p];
            for (uint32_t k = 0; k < arity; k++)
                args[k] = argument_from(func, &old_preds, old, phi,
                                        order[preds_at(&new_preds, (Node){i})[k].i]);
            func_add_phi(result, (Node){i}, phi->dest, args, arity);
        }
    }
    func_end_phis(result);
    return result;
}

uint32_t count_ops(const Func *func) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) count += func->nodes.at[n].kind == I_OP;
    return count;
}
