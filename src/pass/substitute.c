#include "pass/substitute.h"

#include "form/gsa.h"

static bool replaced(const Reg *instead_of, Reg reg) {
    return instead_of[reg.i].i != reg.i;
}

static void substitute_all(Reg *regs, uint32_t count, const Reg *instead_of) {
    for (uint32_t i = 0; i < count; i++) regs[i] = instead_of[regs[i].i];
}

// Drops phis from the blocks of a clone; those that stay move up, and so do their arguments.
static void drop_phis(Func *func, const Reg *instead_of) {
    uint32_t total = func->phis.count, arg_total = func->phi_args.count;
    uint32_t kept = 0, kept_args = 0, at = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t end = func->phi_at.at[n + 1];
        func->phi_at.at[n] = kept;
        for (; at < end; at++) {
            Phi phi = func->phis.at[at];
            uint32_t next = at + 1 < total ? func->phis.at[at + 1].args_at : arg_total;
            if (replaced(instead_of, phi.dest)) continue;
            func->phis.at[kept++] = (Phi){.dest = phi.dest, .args_at = kept_args};
            for (uint32_t i = phi.args_at; i < next; i++)
                func->phi_args.at[kept_args++] = func->phi_args.at[i];
        }
    }
    func->phis.count = kept;
    func->phi_args.count = kept_args;
    func->phi_at.at[func->nodes.count] = kept;
    if (!kept) vec_clear(&func->phi_at);
}

// Makes the merges and etas of a clone anew.
static void substitute_blocks(Func *result, const Func *func, const Reg *instead_of) {
    Gsa *gsa = result->gsa;
    vec_clear(&gsa->merges);
    vec_clear(&gsa->merge_at);
    vec_clear(&gsa->merge_args);
    vec_clear(&gsa->etas);
    vec_clear(&gsa->eta_at);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        for (uint32_t i = 0; i < gsa_eta_count(func, (Node){n}); i++) {
            Eta eta = gsa_etas(func, (Node){n})[i];
            eta.source = instead_of[eta.source.i];
            if (!replaced(instead_of, eta.dest)) gsa_add_eta(result, (Node){n}, eta);
        }
        for (uint32_t i = 0; i < gsa_merge_count(func, (Node){n}); i++) {
            const Merge *merge = &gsa_merges(func, (Node){n})[i];
            if (!replaced(instead_of, merge->dest))
                gsa_add_merge(result, (Node){n}, merge->kind, merge->dest, merge_args(func, merge),
                              merge->arg_count);
        }
    }
    for (uint32_t i = 0; i < gsa->merge_args.count; i++)
        gsa->merge_args.at[i].reg = instead_of[gsa->merge_args.at[i].reg.i];
    gsa_end_blocks(result);
}

Func *substitute_registers(Arena *arena, const Func *func, const Reg *instead_of) {
    uint32_t changed = 0, changed_phis = 0;
    for (uint32_t i = 0; i < func->regs.count; i++) changed += replaced(instead_of, (Reg){i});
    if (!changed) return NULL;
    for (uint32_t i = 0; i < func->phis.count; i++)
        changed_phis += replaced(instead_of, func->phis.at[i].dest);
    Func *result = func_clone(func, arena);
    for (uint32_t n = 0; n < result->nodes.count; n++) {
        Instr *instr = &result->nodes.at[n];
        if (instr->kind == I_OP && replaced(instead_of, instr->dest))
            *instr = (Instr){.kind = I_NOP,
                             .dest = NO_REG,
                             .succ_count = 1,
                             .succ = {instr->succ[0]},
                             .loc = instr->loc};
        else if (instr->arg_count <= INLINE_ARGS)
            substitute_all(instr->arg, instr->arg_count, instead_of);
    }
    // A list of more arguments may serve several instructions of one kind, but is one list.
    substitute_all(result->reg_pool.at, result->reg_pool.count, instead_of);
    substitute_all(result->phi_args.at, result->phi_args.count, instead_of);
    if (changed_phis) drop_phis(result, instead_of);
    if (result->gsa) substitute_blocks(result, func, instead_of);
    return result;
}
