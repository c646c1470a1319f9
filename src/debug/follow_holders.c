// Carries holders over from one form to the next.
//
// If a register has disappeared, but debuggers can compute the operator that set the register, they
// may still compute the value from the operands: in SSA, where a value dominates, its operands have
// not changed since.
#include "debug/follow_private.h"

enum { MOST_DEPTH = 4 };

bool follow_constant(const Instr *instr, DebugTerm *term) {
    if (instr->kind != I_OP || op_info(instr->op)->arity != 0) return false;
    *term = (DebugTerm){.kind = PUSH_NUMBER,
                        .type = (uint8_t)op_info(instr->op)->result,
                        .op = instr->op,
                        .high = instr->high,
                        .ref = instr->ref,
                        .place = NO_PLACE,
                        .number = instr->imm};
    if (instr->op == OP_ADDR_SYMBOL)
        term->kind = PUSH_SYMBOL;
    else if (instr->op == OP_ADDR_SLOT)
        term->kind = PUSH_SLOT;
    else if (!type_is_int(op_info(instr->op)->result))
        term->kind = PUSH_FLOAT;
    return true;
}

bool follow_computes(const Instr *instr) {
    if (instr->kind != I_OP || instr->arg_count > HOLDER_ARGS) return false;
    switch ((Op)instr->op) {
    case OP_ADD_I32:
    case OP_ADD_I64:
    case OP_SUB_I32:
    case OP_SUB_I64:
    case OP_MUL_I32:
    case OP_MUL_I64:
    case OP_AND_I32:
    case OP_AND_I64:
    case OP_OR_I32:
    case OP_OR_I64:
    case OP_XOR_I32:
    case OP_XOR_I64:
    case OP_NEG_I32:
    case OP_NEG_I64:
    case OP_NOT_I32:
    case OP_NOT_I64:
    case OP_SEXT_I64:
    case OP_ZEXT_I64:
    case OP_SEXT8_I32:
    case OP_ZEXT8_I32:
    case OP_SEXT16_I32:
    case OP_ZEXT16_I32:
    case OP_TRUNC_I32: return true;
    case OP_SHL_I32:
    case OP_SHL_I64:
    case OP_SHR_I32:
    case OP_SHR_I64:
    case OP_SAR_I32:
    case OP_SAR_I64: return instr->immediate && instr->imm >= 0 && instr->imm < 32;
    case OP_DIVS_I32:
    case OP_MODS_I32:
    case OP_DIVU_I32:
    case OP_MODU_I32: return instr->immediate && instr->imm > 0;
    default: return false;
    }
}

// The operator that set a register which is gone takes its place.
static void compute_again(Follower *f, uint32_t h, const Func *func, const Instr *set) {
    Holder holder = {.kind = HOLDER_OP,
                     .depth = (uint8_t)(f->holders.at[h].depth + 1),
                     .other = f->holders.at[h].other,
                     .arg_count = (uint8_t)set->arg_count,
                     .term = {.kind = PUSH_OP,
                              .type = (uint8_t)op_info(set->op)->result,
                              .op = set->op,
                              .ref = NO_ID,
                              .place = NO_PLACE,
                              .number = set->imm},
                     .immediate = set->immediate};
    for (uint32_t k = 0; k < set->arg_count; k++) {
        holder.arg[k] = f->holders.count;
        vec_push(
            f->arena, &f->holders,
            (Holder){.kind = HOLDER_REG, .depth = holder.depth, .reg = instr_args(func, set)[k].i});
    }
    f->holders.at[h] = holder;
}

static void follow_one(Follower *f, uint32_t h, const Func *before, const Definition *definitions,
                       const uint32_t *now_of, const DebugTerm *terms) {
    for (;;) {
        Holder *holder = &f->holders.at[h];
        const Instr *set = defining_instr(before, definitions, (Reg){holder->reg});
        if (terms && terms[holder->reg].kind != NO_TERM) {
            holder->kind = HOLDER_TERM;
            holder->term = terms[holder->reg];
        } else if (now_of[holder->reg] != NO_ID) {
            holder->reg = now_of[holder->reg];
        } else if (set && follow_constant(set, &holder->term)) {
            holder->kind = HOLDER_TERM;
        } else if (set && set->kind == I_OP && op_is_move(set->op)) {
            holder->reg = instr_args(before, set)[0].i;
            continue;
        } else if (set && follow_computes(set) && holder->depth < MOST_DEPTH) {
            compute_again(f, h, before, set);
        } else {
            holder->kind = HOLDER_LOST;
        }
        return;
    }
}

// Holders that are added on the way are looked at in their turn.
void follow_registers(Follower *f, const Func *before, const uint32_t *now_of,
                      const DebugTerm *terms) {
    const Definition *definitions = definitions_of(f->arena, before);
    for (uint32_t h = 0; h < f->holders.count; h++)
        if (f->holders.at[h].kind == HOLDER_REG)
            follow_one(f, h, before, definitions, now_of, terms);
}
