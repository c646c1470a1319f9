// Positions are counted from rsp as it is after the prologue, then turned into offsets from the
// base register: arguments of calls, spills, small slots, large slots, so that what is used most
// has the short offsets.
#include "target/x64/code/frame_positions.h"

#include "fact/effects.h"

#include "target/model.h"
#include "target/x64/code/emit_options.h"
#include "target/x64/model/sysv.h"

#include <assert.h>
#include <string.h>

enum { RED_ZONE = 128, SMALL_SLOT = 64, GUARD = 8 };

// ---- What the function needs

typedef struct {
    bool calls, scratch, variable, guard;
    uint64_t outgoing;
    uint32_t align; // of its slots and spills, at least 8
} Needs;

static bool is_x87_conversion(const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    if (instr->kind != MK_OP || op->arity != 1 || op->result == op->operand[0]) return false;
    return op->result == TYPE_F80 || op->operand[0] == TYPE_F80;
}

static void look_at_instr(Needs *needs, Assembly *assembly, const MachInstr *instr) {
    if (instr->kind == MK_CALL) {
        needs->calls = true;
        uint32_t size = convention_of(assembly->program, (Sig){instr->aux})->stack_size;
        if (size > needs->outgoing) needs->outgoing = size;
    } else if (instr->kind == MK_BUILTIN) {
        if (instr->op == BI_VA_START) needs->variable = true;
        // It may push and call.
        if (builtin_info(instr->op)->form == BIF_ASM) needs->calls = true;
    } else if (mach_asks_for_address(assembly->program, instr)) {
        needs->calls = true;
    } else if (is_x87_conversion(instr)) {
        needs->scratch = true;
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

static Needs find_needs(Assembly *assembly, const Func *func, const MachFrame *found) {
    const Mach *mach = func->mach;
    Needs needs = {.align = found->align > 8 ? found->align : 8};
    needs.guard = needs.calls = wants_guard(assembly, func); // it may call the end of the program
    for (uint32_t i = 0; i < mach->code.count; i++)
        look_at_instr(&needs, assembly, &mach->code.at[i]);
    for (uint32_t s = 0; s < mach->spills.count; s++)
        if (mach->spills.at[s].size > needs.align) needs.align = mach->spills.at[s].size;
    bool enters_first = assembly->options->code.machine & X64_ENTRY_FIRST;
    if (assembly->options->entry_call && !enters_first) needs.calls = true;
    bool pointer = found->kind == FRAME_POINTER;
    if ((needs.variable || needs.calls || pointer) && needs.align < 16) needs.align = 16;
    needs.outgoing = (needs.outgoing + 15) / 16 * 16;
    return needs;
}

// ---- Positions

typedef struct {
    uint64_t at; // the first free position
    int64_t *slots, *spills;
    uint64_t scratch, variable, guard;
} Positions;

static uint64_t take(Positions *p, uint64_t size, uint32_t align) {
    if (align == 0) align = 1;
    uint64_t position = (p->at + align - 1) / align * align;
    p->at = position + size;
    return position;
}

static void place_slots(Positions *p, const Func *func, bool small) {
    for (uint32_t s = 0; s < func->slots.count; s++) {
        const SlotInfo *slot = &func->slots.at[s];
        if ((slot->size <= SMALL_SLOT) == small)
            p->slots[s] = (int64_t)take(p, slot->size, slot->align);
    }
}

// Below a guard, slots lie in the order of their kinds, the last one as close to it as its
// alignment allows.
static void place_guarded(Positions *p, const Func *func) {
    const SlotInfo *last = NULL;
    for (BufferKind kind = BUFFER_NONE; kind < BUFFER_COUNT; kind++)
        for (uint32_t s = 0; s < func->slots.count; s++) {
            const SlotInfo *slot = &func->slots.at[s];
            if (slot->buffer != kind) continue;
            p->slots[s] = (int64_t)take(p, slot->size, slot->align);
            last = slot;
        }
    p->guard = take(p, GUARD, GUARD);
    if (!last || !last->size) return;
    uint64_t align = last->align ? last->align : 1;
    p->slots[last - func->slots.at] = (int64_t)((p->guard - last->size) / align * align);
}

static Positions place_all(Arena *arena, const Func *func, const Needs *needs) {
    const Mach *mach = func->mach;
    Positions p = {.at = needs->outgoing,
                   .slots = ARENA_ARRAY(arena, int64_t, func->slots.count),
                   .spills = ARENA_ARRAY(arena, int64_t, mach->spills.count)};
    for (uint32_t s = 0; s < mach->spills.count; s++)
        p.spills[s] = (int64_t)take(&p, mach->spills.at[s].size, mach->spills.at[s].size);
    if (needs->scratch) p.scratch = take(&p, 16, 8);
    if (needs->guard) {
        if (needs->variable) p.variable = take(&p, VA_SAVE_AREA, 16);
        place_guarded(&p, func);
    } else {
        place_slots(&p, func, true);
        place_slots(&p, func, false);
        if (needs->variable) p.variable = take(&p, VA_SAVE_AREA, 16);
    }
    assert(p.at < MACH_FRAME_LIMIT + 1024);
    return p;
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

static void choose_kind(Frame *frame, const Func *func, const Needs *needs,
                        const MachFrame *found) {
    frame->kind = found->kind;
    frame->base = found->base;
    frame->incoming_base = found->incoming;
    frame->align = needs->align;
    MachEntry entry = mach_entry(func);
    frame->interrupt = entry.interrupt;
    frame->error = entry.error;
    frame->saved = x64_regs(func->mach->saved) | x64_regs(found->registers) | x64_regs(entry.kept);
    if (frame->split && frame->saves_variable) frame->saved |= X64_BIT(M_R11);
    if (frame->kind != FRAME_STACK) frame->saved &= ~X64_BIT(M_FRAME);
    frame->pushed = count_registers(frame->saved);
}

// Sets the size; yields where rsp is, seen from the base register, before it moves.
static int64_t choose_size(Frame *frame, const Needs *needs, uint64_t used, bool no_red_zone) {
    if (frame->kind == FRAME_ALIGNED) {
        frame->size = (used + 15) / 16 * 16;
        return 0;
    }
    // Without anything that asks for it, rsp need not be a multiple of 16.
    uint64_t size = (used + 7) / 8 * 8;
    if (needs->align > 8 && (above(frame) + size) % 16) size += 8;
    bool red_zone = frame->kind == FRAME_STACK && !needs->calls && size <= RED_ZONE && !no_red_zone;
    frame->size = red_zone ? 0 : size;
    if (frame->kind == FRAME_POINTER) return -(int64_t)(size + 8 * (uint64_t)frame->pushed);
    return red_zone ? -(int64_t)size : 0;
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
        needed |= mach_moves_stack(instr) || is_x87_conversion(instr);
        needed |= instr->kind == MK_BUILTIN && instr->op == BI_VA_START;
        if (instr->kind == MK_CALL)
            needed |= convention_of(func->program, (Sig){instr->aux})->stack_size > 0;
    }
    return needed;
}

void frame_lay_out(Frame *frame, Assembly *assembly, const Func *func) {
    MachFrame found = mach_frame(func);
    Needs needs = find_needs(assembly, func, &found);
    if (program_at(func->program, func->symbol)->flags & SYMF_NAKED) {
        *frame = (Frame){.base = M_STACK, .incoming_base = M_STACK, .incoming = 8};
        return;
    }
    *frame = (Frame){.outgoing = needs.outgoing,
                     .saves_variable = needs.variable,
                     .split = mach_splits_stack(func),
                     .guarded = needs.guard};
    choose_kind(frame, func, &needs, &found);
    Positions p = place_all(assembly->scratch, func, &needs);
    int64_t start = choose_size(frame, &needs, p.at,
                                assembly->options->code.machine & X64_NO_RED_ZONE ||
                                    jumps_by_thunk(assembly, func));
    frame->guard = start + (int64_t)p.guard;
    for (uint32_t s = 0; s < func->slots.count; s++) p.slots[s] += start;
    for (uint32_t s = 0; s < func->mach->spills.count; s++) p.spills[s] += start;
    frame->slots = p.slots;
    frame->spills = p.spills;
    frame->scratch = start + (int64_t)p.scratch;
    frame->variable = start + (int64_t)p.variable;
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
