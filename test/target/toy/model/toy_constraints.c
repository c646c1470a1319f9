// Every operand is in a register; a move may also read or write a spill. An operator has its operands and its result in one
// bank, which bank is a matter of its number.
#include "fact/effects.h"
#include "target/toy/model/toy.h"

static void add(Arena *arena, MachConstraints *to, MachRole role, const Place *place, Type type,
                uint32_t fixed) {
    if (place->i == NO_ID) return;
    vec_push(arena, &to->operands,
             (MachOperand){.place = (Place *)(uintptr_t)place,
                           .role = (uint8_t)role,
                           .reg_class = CLASS_GENERAL,
                           .type = (uint8_t)type,
                           .fixed = (StoredReg)fixed});
}

static void add_address(Arena *arena, MachConstraints *to, const MachInstr *instr) {
    if (!instr->addressed) return;
    uint32_t before = to->operands.count;
    add(arena, to, MO_USE, &instr->base_place, TYPE_I64, MACHINE_REG_LIMIT);
    if (to->operands.count > before) to->operands.at[before].address = true;
}

static void add_sources(Arena *arena, MachConstraints *to, const MachInstr *instr,
                        const OpInfo *op) {
    for (unsigned k = 0; k < op->arity; k++)
        add(arena, to, MO_USE, &instr->src[k], op->operand[k], MACHINE_REG_LIMIT);
}

static void ask_move(Arena *arena, MachConstraints *to, const MachInstr *instr, Type type) {
    add(arena, to, MO_DEF, &instr->dest, type, MACHINE_REG_LIMIT);
    add(arena, to, MO_USE, &instr->src[0], type, MACHINE_REG_LIMIT);
    for (uint32_t k = 0; k < to->operands.count; k++) to->operands.at[k].spill_ok = true;
    to->one_memory = true;
}

static void ask_exchange(Arena *arena, MachConstraints *to, const MachInstr *instr) {
    const Place *places[] = {&instr->dest, &instr->src[0]};
    for (uint32_t k = 0; k < 4; k++)
        add(arena, to, k < 2 ? MO_DEF : MO_USE, places[k % 2], TYPE_I64, MACHINE_REG_LIMIT);
}

static void ask_call(Arena *arena, const Func *func, MachConstraints *to, const MachInstr *instr) {
    const Convention *convention = to->convention = convention_of(func->program, (Sig){instr->aux});
    for (uint32_t k = 0; k < instr->results; k++)
        add(arena, to, MO_DEF, &mach_results(func, instr)[k], convention->results.at[k].type,
            convention->results.at[k].reg);
    add(arena, to, MO_USE, &instr->src[0], TYPE_I64, TOY_CALLED);
    for (uint32_t k = 0; k < instr->arguments && k < convention->in_registers.count; k++) {
        const Piece *piece = &convention->arguments.at[convention->in_registers.at[k]];
        add(arena, to, MO_USE, &mach_arguments(func, instr)[k], piece->type, piece->reg);
    }
    to->killed = func->program->target->caller_saved;
}

static void ask_params(Arena *arena, const Func *func, MachConstraints *to,
                       const MachInstr *instr) {
    const Convention *convention = to->convention = convention_of(func->program, func->sig);
    for (uint32_t k = 0; k < instr->results && k < convention->in_registers.count; k++) {
        const Piece *piece = &convention->arguments.at[convention->in_registers.at[k]];
        add(arena, to, MO_DEF, &mach_results(func, instr)[k], piece->type, piece->reg);
    }
}

static void ask_return(Arena *arena, const Func *func, MachConstraints *to,
                       const MachInstr *instr) {
    const Convention *convention = to->convention = convention_of(func->program, func->sig);
    for (uint32_t k = 0; k < instr->arguments && k < convention->results.count; k++)
        add(arena, to, MO_USE, &mach_arguments(func, instr)[k], convention->results.at[k].type,
            convention->results.at[k].reg);
}

// Operands are addresses and sizes, but for accesses, whose operands have the chunk's type, and the byte of a fill.
static void ask_builtin(Arena *arena, MachConstraints *to, const MachInstr *instr) {
    Type type = instr->addressed ? chunk_type(instr->chunk) : TYPE_I64;
    add(arena, to, MO_DEF, &instr->dest, type, MACHINE_REG_LIMIT);
    for (unsigned k = 0; k < MACH_SOURCES; k++)
        add(arena, to, MO_USE, &instr->src[k], instr->op == BI_MEMSET && k == 1 ? TYPE_I32 : type,
            MACHINE_REG_LIMIT);
    add_address(arena, to, instr);
}

static void ask_select(Arena *arena, MachConstraints *to, const MachInstr *instr) {
    add(arena, to, MO_DEF, &instr->dest, (Type)instr->aux, MACHINE_REG_LIMIT);
    add_sources(arena, to, instr, op_info(instr->op));
    for (unsigned k = 2; k < 4; k++)
        add(arena, to, MO_USE, &instr->src[k], (Type)instr->aux, MACHINE_REG_LIMIT);
}

void toy_constraints(Arena *arena, const Func *func, const MachInstr *instr, MachConstraints *to) {
    vec_clear(&to->operands);
    to->clobbers = to->killed = NO_REGS;
    to->tied = to->swappable = NO_SOURCE;
    to->one_memory = false;
    switch ((MachKind)instr->kind) {
    case MK_OP:
        add(arena, to, MO_DEF, &instr->dest, op_info(instr->op)->result, MACHINE_REG_LIMIT);
        add_sources(arena, to, instr, op_info(instr->op));
        if (op_info(instr->op)->arity && !op_is_move((Op)instr->op))
            for (uint32_t k = 0; k < to->operands.count; k++)
                to->operands.at[k].reg_class = TOY_FIRST_BANK + instr->op % TOY_BANKS;
        break;
    case MK_LEA:
    case MK_LOAD:
        add(arena, to, MO_DEF, &instr->dest, chunk_type(instr->chunk), MACHINE_REG_LIMIT);
        add_address(arena, to, instr);
        break;
    case MK_STORE:
        add(arena, to, MO_USE, &instr->src[0], chunk_type(instr->chunk), MACHINE_REG_LIMIT);
        add_address(arena, to, instr);
        break;
    case MK_SELECT: ask_select(arena, to, instr); break;
    case MK_CHECK:
    case MK_BRANCH: add_sources(arena, to, instr, op_info(instr->op)); break;
    case MK_SWITCH:
        add(arena, to, MO_USE, &instr->src[0], op_info(instr->op)->operand[0], MACHINE_REG_LIMIT);
        break;
    case MK_CALL:
    case MK_TAIL_CALL: ask_call(arena, func, to, instr); break;
    case MK_BUILTIN: ask_builtin(arena, to, instr); break;
    case MK_PARAMS: ask_params(arena, func, to, instr); break;
    case MK_MOVE: ask_move(arena, to, instr, op_info(instr->op)->result); break;
    case MK_EXCHANGE: ask_exchange(arena, to, instr); break;
    case MK_RETURN: ask_return(arena, func, to, instr); break;
    case MK_UPDATE:     // not selected
    case MK_LOAD_PART:  // aggregates are in memory
    case MK_STORE_PART: // the same
    case MK_JUMP:
    case MK_TRAP:
    case MK_STOP:
    case MACH_KIND_COUNT: break;
    }
}
