// Frames of x86-64, as far as the drivers must know them before there is machine code.
#include "target/x64/language/language_private.h"

#include "fact/effects.h"
#include "target/x64/model/constraints.h"

// The same as mach_frame will find in machine code.
static MachineRegSet frame_registers(const Func *func) {
    uint32_t align = 0;
    bool moves = false, asks = false;
    if (program_at(func->program, func->symbol)->flags & SYMF_NAKED) return NO_REGS;
    for (uint32_t i = 0; i < func->slots.count; i++)
        if (func->slots.at[i].align > align) align = func->slots.at[i].align;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        moves |= (instr_effects(instr) & MAY_MOVE_STACK) != 0;
        asks |= instr->kind == I_BUILTIN && builtin_asks_frame(instr->op, instr->imm);
        if (instr->kind != I_CALL) continue;
        uint32_t wanted = convention_of(func->program, (Sig){instr->aux})->alignment;
        if (wanted <= 16 && func->program->loose_stack) continue;
        if (wanted > align) align = wanted;
    }
    return x64_frame_for(func->program, align, moves, asks).registers;
}

static const char *handler_name(const Func *func) {
    return mach_entry(func).error ? "an exception service routine" : "an interrupt service routine";
}

const TargetFrames x64_frames = {
    .reg = M_FRAME,
    .reg_name = "rbp",
    .registers = frame_registers,
    .find_caller = "\tmovq 8(%rbp), %rax\n\tret\n",
    .handler_name = handler_name,
};
