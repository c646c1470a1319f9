// The frame of a function on x86-64: its base register, its alignment, and the places of slots and
// arguments. code/frame_positions.c lays the frame out.
#include "target/x64/model/constraints.h"

#include "fact/effects.h"

MachineReg x64_frame_base(const Program *program) {
    static const uint8_t bases[] = {M_RBX, M_R12, M_R13, M_R14, M_R15};
    for (uint32_t i = 0; i < sizeof bases; i++)
        if (!regs_has(program->reserved, bases[i])) return bases[i];
    return bases[0];
}

MachFrame x64_frame_for(const Program *program, uint32_t align, bool moves, bool asks) {
    // Where the stack pointer moves, blocks are multiples of 16.
    if (program->loose_stack && moves && align < 16) align = 16;
    MachFrame frame = {.base = M_STACK, .incoming = M_STACK, .align = align};
    if (align > (program->loose_stack ? 8 : 16))
        frame.kind = FRAME_ALIGNED;
    else if (moves || asks || program->frame_pointer)
        frame.kind = FRAME_POINTER;
    if (frame.kind == FRAME_STACK) return frame;
    frame.incoming = M_FRAME;
    if (frame.kind == FRAME_POINTER) frame.base = M_FRAME;
    if (frame.kind == FRAME_ALIGNED && moves) frame.base = x64_frame_base(program);
    frame.registers = X64_SET((X64_BIT(M_FRAME) | X64_BIT(frame.base)) & ~X64_BIT(M_STACK));
    return frame;
}

// What an instruction asks of the frame. On a loose stack a callee is content with less than 16,
// but vector registers, which va_start wants in memory, are stored to multiples of 16.
static uint32_t alignment_for(const Program *program, const MachInstr *instr) {
    if (instr->kind == MK_CALL) {
        uint32_t wanted = convention_of(program, (Sig){instr->aux})->alignment;
        return wanted > 16 || !program->loose_stack ? wanted : 0;
    }
    bool starts = instr->kind == MK_BUILTIN && instr->op == BI_VA_START;
    return starts && program->loose_stack ? 16 : 0;
}

MachFrame x64_frame(const Func *func) {
    if (func_flags(func) & SYMF_NAKED) return (MachFrame){.base = M_STACK, .incoming = M_STACK};
    uint32_t align = 0;
    bool moves = false, asks = false;
    for (uint32_t s = 0; s < func->slots.count; s++)
        if (func->slots.at[s].align > align) align = func->slots.at[s].align;
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(func, i);
        uint32_t wanted = alignment_for(func->program, instr);
        if (wanted > align) align = wanted;
        moves |= mach_moves_stack(instr);
        asks |= instr->kind == MK_BUILTIN && builtin_asks_frame(instr->op, instr->imm);
    }
    return x64_frame_for(func->program, align, moves, asks);
}

// Results are not what was there before.
MachEntry mach_entry(const Func *func) {
    uint32_t flags = func_flags(func);
    MachEntry entry = {.interrupt = flags & SYMF_INTERRUPT};
    if (!(flags & (SYMF_KEEPS_ALL | SYMF_INTERRUPT))) return entry;
    const Convention *convention = convention_of(func->program, func->sig);
    entry.error = entry.interrupt && convention->in_registers.count > 1;
    entry.kept = X64_SET(caller_saved_regs & X64_GENERAL);
    for (uint32_t i = 0; i < convention->results.count; i++)
        if (type_is_int(convention->results.at[i].type))
            regs_remove(&entry.kept, convention->results.at[i].reg);
    return entry;
}
