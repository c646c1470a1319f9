#include "fact/effects.h"

#include "form/mach/mach.h"

const uint16_t builtin_effects[BI_COUNT] = {
#define BUILTIN(id, text, result, arguments, form, end, effects, meaning) [BI_##id] = effects,
#include "form/builtins.def"
};

uint32_t instr_accessed_args(const Instr *instr) {
    if (instr_has_address(instr)) return instr->base == BASE_REG;
    if (instr->kind != I_BUILTIN) return 0;
    Effects effects = builtin_effects[instr->op];
    return (effects & MAY_WRITE ? 1 : 0) + (effects & MAY_READ ? 1 : 0);
}

bool access_is_inside(const Func *func, const Instr *instr) {
    if (instr->scale || (instr->base != BASE_SLOT && instr->base != BASE_SYMBOL)) return false;
    uint64_t size;
    if (instr->base == BASE_SLOT) {
        size = func->slots.at[instr->ref].size;
    } else {
        const Symbol *symbol = program_at(func->program, (Sym){instr->ref});
        if (!symbol_is_own_object(symbol)) return false;
        size = symbol->size;
    }
    uint32_t bytes = chunk_size((Chunk)instr->chunk);
    return instr->imm >= 0 && bytes <= size && (uint64_t)instr->imm <= size - bytes;
}

// ---- Machine code

bool mach_is_removable(const MachInstr *instr) {
    if (instr->checked) return false;
    return instr->kind == MK_OP || instr->kind == MK_LEA || instr->kind == MK_LOAD ||
           instr->kind == MK_LOAD_PART || instr->kind == MK_SELECT;
}

bool mach_is_constant(const MachInstr *instr) {
    if (instr->kind == MK_OP) return op_info(instr->op)->arity == 0;
    return instr->kind == MK_LEA && instr->base != MB_PLACE && instr->base != MB_OUTGOING &&
           !instr->scale;
}

// The verifier asks before it has seen that there is such a builtin.
bool mach_moves_stack(const MachInstr *instr) {
    return instr->kind == MK_BUILTIN && instr->op < BI_COUNT &&
           builtin_effects[instr->op] & MAY_MOVE_STACK;
}
