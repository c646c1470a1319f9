#include "fact/effects.h"

#include "form/mach.h"

const uint16_t instr_kind_effects[INSTR_KIND_COUNT] = {
#define INSTR(id, word, fields, least, most, effects) [I_##id] = effects,
#include "form/kinds.def"
};

static const uint16_t mach_kind_effects[MACH_KIND_COUNT] = {
#define MACH(id, word, text, fields, sources, least, most, effects) [MK_##id] = effects,
#include "form/kinds.def"
};

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

// Whether an atomic access is volatile is not asked: it counts as an event.
static Effects mach_builtin_effects(const MachInstr *instr) {
    bool atomic = builtin_info(instr->op)->form == BIF_ATOMIC;
    return builtin_effects[instr->op] | (atomic ? MAY_BE_EVENT : 0);
}

Effects mach_effects(const MachInstr *instr) {
    if (instr->kind >= MACH_KIND_COUNT)
        return MAY_BE_ANYTHING | MAY_BE_EVENT | MAY_MOVE_STACK | USES_FRAME | USES_MACHINE;
    if (instr->kind == MK_BUILTIN) return mach_builtin_effects(instr);
    Effects effects = mach_kind_effects[instr->kind];
    if (instr->memory != NO_SOURCE) effects |= MAY_READ | MAY_GO_WRONG;
    if (instr->kind == MK_OP && op_is_partial(instr->op)) effects |= MAY_GO_WRONG;
    if (instr->checked) effects |= MAY_STOP;
    return effects;
}

bool mach_is_removable(const MachInstr *instr) {
    return mach_has(instr, MACH_DEST) && !mach_has(instr, MACH_BOTH) &&
           !(mach_effects(instr) & ~(Effects)(MAY_READ | MAY_GO_WRONG));
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
