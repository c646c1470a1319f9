// __builtin_va_arg_pack: functions that pass on the arguments behind their "...". A copy of the
// body for one call has these as parameters; where the body calls with LATE_PACK as the last
// argument, they stand instead.
#include "c/late/late.h"

typedef struct {
    Lower *lower;
    Arena *arena;
    Func *func; // the copy
    const SigInfo *call;
    uint32_t fixed; // parameters of the body
    Bits packs;     // registers that LATE_PACK yields
} Packing;

static void make_constant(Func *func, Node node, int64_t value) {
    const Instr *call = func_at(func, node);
    func->nodes.at[node.i] = (Instr){.kind = I_OP,
                                     .op = OP_CONST_I32,
                                     .dest = call->dest,
                                     .imm = value,
                                     .succ_count = 1,
                                     .succ = {call->succ[0]},
                                     .loc = call->loc};
}

// The arguments go to where the pack is.
static void unpack(const Packing *packing, Node node) {
    Func *func = packing->func;
    Program *program = func->program;
    const Instr *call = func_at(func, node);
    const SigInfo *old = program_sig_info(program, (Sig){call->aux});
    uint32_t extra = packing->call->param_count - packing->fixed, kept = call->arg_count - 1;
    Reg *args = ARENA_ARRAY(packing->arena, Reg, (size_t)kept + extra + 1);
    PType *types = ARENA_ARRAY(packing->arena, PType, (size_t)old->param_count + extra + 1);
    SigInfo sig = *old;
    sig.param_count = old->param_count - 1 + extra;
    sig.params = types;
    for (uint32_t i = 0; i < kept; i++) args[i] = instr_args(func, call)[i];
    for (uint32_t i = 0; i + 1 < old->param_count; i++) types[i] = old->params[i];
    for (uint32_t i = 0; i < extra; i++) {
        args[kept + i] = func->params.at[packing->fixed + i];
        types[old->param_count - 1 + i] = packing->call->params[packing->fixed + i];
    }
    Sig id = program_sig(program, sig);
    func->nodes.at[node.i].aux = id.i;
    func_set_args(func, node, args, kept + extra);
}

Bits late_packs(const Lower *lower, Arena *arena, const Func *func) {
    Bits packs = bits_new(arena, func->regs.count);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (late_kind(lower, &func->nodes.at[n]) == LATE_PACK)
            bits_add(&packs, func->nodes.at[n].dest.i);
    return packs;
}

bool late_passes_pack(const Func *func, const Bits *packs, const Instr *instr) {
    if (instr->kind != I_CALL || !instr->arg_count) return false;
    const SigInfo *sig = program_sig_info(func->program, (Sig){instr->aux});
    Reg last = instr_args(func, instr)[instr->arg_count - 1];
    return sig->variadic && sig->param_count > sig->fixed_count && bits_has(packs, last.i);
}

const Func *late_specialize(Lower *lower, Arena *arena, const Func *body, const SigInfo *of_call) {
    Program *program = lower->program;
    const SigInfo copy = *of_call, *call = &copy; // signatures are added
    Packing packing = {.lower = lower,
                       .arena = arena,
                       .func = func_clone(body, arena),
                       .call = call,
                       .fixed = body->params.count,
                       .packs = late_packs(lower, arena, body)};
    Func *func = packing.func;
    if (call->param_count < packing.fixed || !call->variadic) return NULL;
    for (uint32_t i = packing.fixed; i < call->param_count; i++) {
        Type type = ptype_reg_type(program_ptype_info(program, call->params[i]));
        Reg param = func_temp(func, type);
        vec_push(arena, &func->params, param);
    }
    SigInfo sig = *call;
    sig.variadic = false;
    sig.fixed_count = sig.param_count;
    func->sig = program_sig(program, sig);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        LateKind kind = late_kind(lower, &func->nodes.at[n]);
        if (kind == LATE_PACK) make_constant(func, (Node){n}, 0);
        if (kind == LATE_PACK_LEN)
            make_constant(func, (Node){n}, (int64_t)call->param_count - packing.fixed);
    }
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (late_passes_pack(func, &packing.packs, &func->nodes.at[n])) unpack(&packing, (Node){n});
    return func;
}
