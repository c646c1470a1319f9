// The frame of a function on x86-64: its base register, its alignment, and the places of slots and
// arguments, for the emitter and for the object checker.
#include "target/x64/model/constraints.h"

#include "fact/effects.h"
#include "target/x64/model/sysv.h"

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

// ---- Layout
//
// From rsp up: arguments of calls, spills, memory for the x87, slots of up to 64 bytes, larger
// slots, saved arguments, so that the parts that are used most have the short offsets. With a
// guard, saved arguments come first, then slots in the order of their kinds: slots that are most
// likely to be overrun come last, next to the guard.

enum { SMALL_SLOT = 64, GUARD_SIZE = 8, X87_SIZE = 16 };

static int64_t take(uint64_t *at, uint64_t size, uint32_t align) {
    if (align == 0) align = 1;
    uint64_t position = (*at + align - 1) / align * align;
    *at = position + size;
    return (int64_t)position;
}

static void place_slots(X64FrameLayout *layout, uint64_t *at, const Func *func, bool small) {
    for (uint32_t s = 0; s < func->slots.count; s++) {
        const SlotInfo *slot = &func->slots.at[s];
        if ((slot->size <= SMALL_SLOT) == small)
            layout->slots[s] = take(at, slot->size, slot->align);
    }
}

// The last slot lies as close to the guard as its alignment allows.
static void place_guarded(X64FrameLayout *layout, uint64_t *at, const Func *func) {
    const SlotInfo *last = NULL;
    for (uint32_t kind = BUFFER_NONE; kind < BUFFER_COUNT; kind++)
        for (uint32_t s = 0; s < func->slots.count; s++) {
            const SlotInfo *slot = &func->slots.at[s];
            if (slot->buffer != kind) continue;
            layout->slots[s] = take(at, slot->size, slot->align);
            last = slot;
        }
    layout->guard = take(at, GUARD_SIZE, GUARD_SIZE);
    if (!last || !last->size) return;
    uint64_t align = last->align ? last->align : 1;
    layout->slots[last - func->slots.at] =
        (int64_t)(((uint64_t)layout->guard - last->size) / align * align);
}

bool x64_converts_by_x87(const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    return instr->kind == MK_OP && op->arity == 1 && op->result != op->operand[0] &&
           (op->result == TYPE_F80 || op->operand[0] == TYPE_F80);
}

// Without anything that asks for it, rsp need not be a multiple of 16.
static uint64_t size_for(const Func *func, const X64FrameNeeds *needs, uint64_t used) {
    MachFrameKind kind = needs->found.kind;
    if (kind == FRAME_ALIGNED) return (used + 15) / 16 * 16;
    bool aligned = needs->found.align > 8 || needs->variable || needs->calls || needs->guard ||
                   kind == FRAME_POINTER;
    for (uint32_t s = 0; s < func->mach->spills.count; s++)
        aligned |= func->mach->spills.at[s].size > 8;
    uint64_t size = (used + 7) / 8 * 8;
    uint64_t above = 8 + 8 * (uint64_t)needs->pushed + (kind == FRAME_STACK ? 0 : 8);
    return aligned && (above + size) % 16 ? size + 8 : size;
}

// From where rsp is behind the prologue to the base.
static void count_from_base(X64FrameLayout *layout, const Func *func, const X64FrameNeeds *needs) {
    bool red = needs->found.kind == FRAME_STACK && !needs->calls && !needs->guard &&
               layout->size <= X64_RED_ZONE && needs->red_zone;
    int64_t start = red ? -(int64_t)layout->size : 0;
    if (needs->found.kind == FRAME_POINTER)
        start = -(int64_t)(layout->size + 8 * (uint64_t)needs->pushed);
    if (red) layout->size = 0;
    for (uint32_t s = 0; s < func->slots.count; s++) layout->slots[s] += start;
    for (uint32_t s = 0; s < func->mach->spills.count; s++) layout->spills[s] += start;
    layout->x87 += start;
    layout->variable += start;
    layout->guard += start;
}

X64FrameLayout x64_frame_layout(Arena *arena, const Func *func, const X64FrameNeeds *needs) {
    const Mach *mach = func->mach;
    X64FrameLayout layout = {.slots = ARENA_ARRAY(arena, int64_t, func->slots.count),
                             .spills = ARENA_ARRAY(arena, int64_t, mach->spills.count)};
    uint64_t at = (needs->outgoing + 15) / 16 * 16;
    bool x87 = false;
    for (uint32_t i = 0; i < mach->code.count; i++) x87 |= x64_converts_by_x87(mach_at(func, i));
    for (uint32_t s = 0; s < mach->spills.count; s++)
        layout.spills[s] = take(&at, mach->spills.at[s].size, mach->spills.at[s].size);
    if (x87) layout.x87 = take(&at, X87_SIZE, 8);
    if (needs->variable && needs->guard) layout.variable = take(&at, VA_SAVE_AREA, 16);
    if (needs->guard) {
        place_guarded(&layout, &at, func);
    } else {
        place_slots(&layout, &at, func, true);
        place_slots(&layout, &at, func, false);
        if (needs->variable) layout.variable = take(&at, VA_SAVE_AREA, 16);
    }
    layout.size = size_for(func, needs, at);
    count_from_base(&layout, func, needs);
    return layout;
}
