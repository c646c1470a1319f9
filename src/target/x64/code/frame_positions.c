// The needs of a function that decide on its frame, by its code and by options. The model lays the
// frame out (x64_frame_layout).
#include "target/x64/code/frame_positions.h"

#include "fact/effects.h"

#include "target/model.h"
#include "target/x64/code/emit_options.h"
#include "target/x64/model/sysv.h"

#include <assert.h>
#include <string.h>

// ---- What the function needs

static void look_at_instr(X64FrameNeeds *needs, const Program *program, const MachInstr *instr) {
    if (instr->kind == MK_CALL) {
        needs->calls = true;
        uint32_t size = convention_of(program, (Sig){instr->aux})->stack_size;
        if (size > needs->outgoing) needs->outgoing = size;
    } else if (instr->kind == MK_BUILTIN) {
        if (instr->op == BI_VA_START) needs->variable = true;
        // It may push and call.
        if (builtin_info(instr->op)->form == BIF_ASM) needs->calls = true;
    } else if (mach_asks_for_address(program, instr)) {
        needs->calls = true;
    }
}

// Whether the function moves the stack pointer for a block of its own.
static bool calls_alloca(const Func *func) {
    for (uint32_t i = 0; i < func->mach->code.count; i++)
        if (func->mach->code.at[i].kind == MK_BUILTIN && func->mach->code.at[i].op == BI_ALLOCA)
            return true;
    return false;
}

// Which functions are guarded is gcc's choice.
static bool wants_guard(const Assembly *assembly, const Func *func) {
    GuardLevel level = assembly->options->code.guard;
    uint32_t flags = program_at(assembly->program, func->symbol)->flags;
    if (level == GUARD_NOBODY || flags & (SYMF_NO_GUARD | SYMF_NAKED)) return false;
    if (level == GUARD_EVERYBODY || flags & SYMF_GUARD) return true;
    if (level == GUARD_EXPLICIT) return false;
    uint8_t least = level == GUARD_STRONG ? BUFFER_SHARED : BUFFER_CHARS;
    for (uint32_t s = 0; s < func->slots.count; s++)
        if (func->slots.at[s].buffer >= least) return true;
    return calls_alloca(func);
}

static X64FrameNeeds find_needs(Assembly *assembly, const Func *func) {
    X64FrameNeeds needs = {.found = mach_frame(func)};
    needs.guard = needs.calls = wants_guard(assembly, func); // it may call the end of the program
    for (uint32_t i = 0; i < func->mach->code.count; i++)
        look_at_instr(&needs, assembly->program, mach_at(func, i));
    bool enters_first = assembly->options->code.machine & X64_ENTRY_FIRST;
    if (assembly->options->entry_call && !enters_first) needs.calls = true;
    needs.outgoing = (needs.outgoing + 15) / 16 * 16;
    return needs;
}

// ---- The frame

static uint32_t count_registers(X64Regs set) {
    uint32_t count = 0;
    for (; set; set &= set - 1) count++;
    return count;
}

// What lies between the stack arguments and rsp before it is lowered.
static uint64_t above(const Frame *frame) {
    return 8 + 8 * (uint64_t)frame->pushed + (frame->kind == FRAME_STACK ? 0 : 8);
}

static void choose_kind(Frame *frame, const Func *func, const MachFrame *found) {
    frame->kind = found->kind;
    frame->base = found->base;
    frame->incoming_base = found->incoming;
    frame->align = found->align;
    MachEntry entry = mach_entry(func);
    frame->interrupt = entry.interrupt;
    frame->error = entry.error;
    frame->saved = x64_regs(func->mach->saved) | x64_regs(found->registers) | x64_regs(entry.kept);
    if (frame->split && frame->saves_variable) frame->saved |= X64_BIT(M_R11);
    if (frame->kind != FRAME_STACK) frame->saved &= ~X64_BIT(M_FRAME);
    frame->pushed = count_registers(frame->saved);
}

// A thunk that a switch jumps through pushes an address, where a red zone would be.
static bool jumps_by_thunk(const Assembly *assembly, const Func *func) {
    if (x64_indirect_branch(&assembly->options->code) == X64_BRANCH_KEPT) return false;
    for (uint32_t i = 0; i < func->mach->code.count; i++)
        if (func->mach->code.at[i].kind == MK_SWITCH) return true;
    return false;
}

bool x64_needs_frame(const Func *func) {
    bool needed = func->slots.count || func->mach->spills.count || regs_any(func->mach->saved);
    for (uint32_t i = 0; i < func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(func, i);
        needed |= mach_moves_stack(instr) || x64_converts_by_x87(instr);
        needed |= instr->kind == MK_BUILTIN && instr->op == BI_VA_START;
        if (instr->kind == MK_CALL)
            needed |= convention_of(func->program, (Sig){instr->aux})->stack_size > 0;
    }
    return needed;
}

void frame_lay_out(Frame *frame, Assembly *assembly, const Func *func) {
    X64FrameNeeds needs = find_needs(assembly, func);
    if (program_at(func->program, func->symbol)->flags & SYMF_NAKED) {
        *frame = (Frame){.base = M_STACK, .incoming_base = M_STACK, .incoming = 8};
        return;
    }
    *frame = (Frame){.outgoing = needs.outgoing,
                     .saves_variable = needs.variable,
                     .split = mach_splits_stack(func),
                     .guarded = needs.guard};
    choose_kind(frame, func, &needs.found);
    needs.pushed = frame->pushed;
    needs.red_zone =
        !(assembly->options->code.machine & X64_NO_RED_ZONE) && !jumps_by_thunk(assembly, func);
    X64FrameLayout layout = x64_frame_layout(assembly->scratch, func, &needs);
    assert(layout.size < MACH_FRAME_LIMIT + 1024);
    frame->size = layout.size;
    frame->guard = layout.guard;
    frame->slots = layout.slots;
    frame->spills = layout.spills;
    frame->scratch = layout.x87;
    frame->variable = layout.variable;
    frame->incoming = frame->kind == FRAME_STACK ? (int64_t)(above(frame) + frame->size) : 16;
    frame->whole =
        above(frame) - 8 + frame->size + (frame->kind == FRAME_ALIGNED ? frame->align : 0);
    // Registers are pushed from the last one on.
    uint32_t before = count_registers(frame->saved & ~(2 * X64_BIT(M_R11) - 1));
    frame->rest = frame->incoming - (frame->kind == FRAME_STACK ? 16 : 24) - 8 * (int64_t)before;
}

FramePlaces frame_places(const Frame *frame) {
    bool aligned = frame->kind == FRAME_ALIGNED;
    return (FramePlaces){.from = aligned ? frame->base : MACHINE_REG_LIMIT,
                         .end = aligned ? 0 : frame->incoming,
                         .slots = frame->slots,
                         .spills = frame->spills};
}
