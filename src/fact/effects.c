#include "fact/effects.h"

#include "form/mach.h"

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
    const Effects all = MAY_READ_SHARED | MAY_WRITE_SHARED | MAY_GO_WRONG | MAY_STOP;
    Effects operand = instr->memory == NO_SOURCE ? 0 : MAY_READ | MAY_GO_WRONG;
    switch ((MachKind)instr->kind) {
    case MK_OP:
        return operand | (op_is_partial(instr->op) ? MAY_GO_WRONG : 0) |
               (instr->checked ? MAY_STOP : 0);
    case MK_LEA:
    case MK_MOVE:
    case MK_EXCHANGE:
    case MK_JUMP: return 0;
    case MK_LOAD:
    case MK_LOAD_PART: return MAY_READ | MAY_GO_WRONG;
    case MK_STORE:
    case MK_STORE_PART: return MAY_WRITE | MAY_GO_WRONG;
    case MK_UPDATE: return MAY_READ | MAY_WRITE | MAY_GO_WRONG | (instr->checked ? MAY_STOP : 0);
    case MK_SELECT: return operand;
    case MK_CHECK: return operand | MAY_GO_WRONG | MAY_STOP;
    case MK_BRANCH:
    case MK_SWITCH: return operand | MAY_GO_WRONG;
    case MK_CALL:
    case MK_TAIL_CALL: return operand | all | MAY_BE_EVENT | USES_MACHINE;
    case MK_RETURN: return all;
    case MK_BUILTIN: return mach_builtin_effects(instr);
    case MK_TRAP: return MAY_STOP;
    case MK_STOP: return MAY_STOP | MAY_GO_WRONG;
    case MK_PARAMS: return all | USES_FRAME;
    case MACH_KIND_COUNT: break;
    }
    return all | MAY_BE_EVENT | MAY_MOVE_STACK | USES_FRAME | USES_MACHINE;
}

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
