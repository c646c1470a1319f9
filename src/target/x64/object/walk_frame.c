// Frames: checks the code on entry to and exit from a function, and the places of the parts of its
// frame.
//
// mach_frame names the register by which slots, spills and the caller's arguments are found. The
// first access to each slot and spill tells its place (match.c); frame_check then makes sure that
// these places are disjoint, aligned and within the function's part of the stack. With E the
// address of the return address, which is 8 modulo 16, and p registers pushed (of a frame with rbp:
// after it):
//   STACK     rsp = E - 8 p - size; a function that calls nothing may also use the 128 bytes below
//             rsp
//   POINTER   rbp = E - 8, rsp = rbp - 8 p - size until it moves
//   ALIGNED   rbp = E - 8, rsp = rbp - 8 p - size, aligned, until it moves; the base is rsp or its
//             old value
// The arguments of calls lie at rsp, the caller's arguments at E + 8. On the way out, pushed
// registers are popped in reverse order from their places, and rsp is E again when the function
// returns or jumps away.
#include "target/x64/model/sysv.h"
#include "target/x64/object/walk.h"

#include <stdio.h>
#include <stdlib.h>

enum { PAGE = 4096 };

// ---- The parts

static void set_area(WalkFrame *frame, uint32_t k, uint64_t size, uint32_t align,
                     const char *what) {
    frame->areas[k] = (Area){.at = UNBOUND, .size = size, .align = align ? align : 1, .what = what};
}

static void find_parts(CodeWalk *w) {
    WalkFrame *frame = &w->frame;
    const Func *func = w->func;
    uint32_t slots = func->slots.count, spills = func->mach->spills.count;
    frame->areas = ARENA_ARRAY(w->arena, Area, (size_t)slots + spills + 3);
    for (uint32_t s = 0; s < slots; s++)
        set_area(frame, s, func->slots.at[s].size, func->slots.at[s].align, "a slot");
    frame->spills = slots;
    for (uint32_t s = 0; s < spills; s++)
        set_area(frame, slots + s, func->mach->spills.at[s].size, 1, "a spill");
    frame->x87 = slots + spills;
    frame->variable = frame->x87 + 1;
    frame->guard = frame->x87 + 2;
    frame->area_count = frame->x87 + 3;
    set_area(frame, frame->x87, 16, 1, "the memory for x87 values");
    set_area(frame, frame->variable, VA_SAVE_AREA, 16, "the saved arguments");
    set_area(frame, frame->guard, 8, 1, "the guard");
}

static void find_needs(CodeWalk *w) {
    WalkFrame *frame = &w->frame;
    for (uint32_t i = 0; i < w->func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(w->func, i);
        bool builtin = instr->kind == MK_BUILTIN;
        frame->calls |= instr->kind == MK_CALL ||
                        (builtin && builtin_info(instr->op)->form == BIF_ASM) ||
                        mach_asks_for_address(w->program, instr);
        frame->varies |= builtin && instr->op == BI_VA_START;
        if (instr->kind != MK_CALL) continue;
        uint64_t size = convention_of(w->program, (Sig){instr->aux})->stack_size;
        if (size > frame->outgoing) frame->outgoing = size;
    }
    frame->naked = func_flags(w->func) & SYMF_NAKED;
    frame->found = mach_frame(w->func);
    frame->split = mach_splits_stack(w->func);
    frame->entry = mach_entry(w->func);
    frame->saved = x64_regs(w->func->mach->saved) | x64_regs(frame->found.registers) |
                   x64_regs(frame->entry.kept);
    if (frame->split && frame->varies) frame->saved |= X64_BIT(M_R11);
    if (frame->found.kind != FRAME_STACK) frame->saved &= ~X64_BIT(M_FRAME);
}

// ---- The way in

static bool match_pushes(CodeWalk *w) {
    WalkFrame *frame = &w->frame;
    X64Regs left = frame->saved;
    while (left) {
        const Insn *insn = walk_insn(w);
        if (!insn || insn->mnemonic != INSN_PUSH || !(left & X64_BIT(insn->operand[0].reg)))
            return walk_fails(w, "a register that the function changes is not saved");
        frame->order[frame->pushed++] = insn->operand[0].reg;
        left &= ~X64_BIT(insn->operand[0].reg);
        if (!walk_skip(w, INSN_PUSH)) return walk_fails(w, NULL);
    }
    return true;
}

bool frame_probe_down_to(CodeWalk *w, const char *reg) {
    Out text = {0};
    x64_put_probe(&text, reg);
    return match_text(w, &text);
}

// The number of a line "sub $N,%rsp", or "lea -N(%rsp),REG".
static bool next_number(CodeWalk *w, InsnName mnemonic, int64_t *number) {
    const Insn *insn = walk_insn(w);
    if (!insn || insn->mnemonic != mnemonic || insn->operands != 2 || insn->width != 8)
        return false;
    const InsnOperand *from = &insn->operand[0], *to = &insn->operand[1];
    if (mnemonic == INSN_LEA) {
        *number = -from->value;
        return from->base == M_RSP && (to->reg == M_R11 || to->reg == M_R10);
    }
    *number = from->value;
    return from->kind == INSN_OPERAND_IMM && to->kind == INSN_OPERAND_REG && to->reg == M_RSP;
}

static bool match_lowering(CodeWalk *w) {
    WalkFrame *frame = &w->frame;
    int64_t number;
    while (true) {
        match_begin(w, NULL);
        if (next_number(w, INSN_SUB, &number) && number > 0 &&
            code_is_like(w, "sub.8 $%lld,rsp", (long long)number)) {
            code_is(w, "or.8 $0,(rsp)");
        } else if (next_number(w, INSN_LEA, &number) && number > 0 && number % PAGE == 0 &&
                   code_is_like(w,
                                "lea.8 (rsp-%lld),r11; 1:; sub.8 $4096,rsp; or.8 $0,(rsp); cmp.8 "
                                "r11,rsp; jne 1",
                                (long long)number)) {
        } else {
            break;
        }
        frame->size += (uint64_t)number;
        if (frame->size > MACH_FRAME_LIMIT * 2) return walk_fails(w, "the frame is too large");
    }
    if (frame->found.kind != FRAME_ALIGNED) return true;
    frame->align = frame->found.align;
    long long align = (long long)frame->align;
    match_begin(w, NULL);
    if (code_is_like(w, "and.8 $-%lld,rsp", align)) return true;
    if (!next_number(w, INSN_LEA, &number) || number <= 0 ||
        !code_is_like(w, "lea.8 (rsp-%lld),r10; and.8 $-%lld,r10", (long long)number, align))
        return walk_fails(w, "the frame is not aligned");
    frame->size += (uint64_t)number;
    return frame_probe_down_to(w, "r10");
}

void frame_put_base(const CodeWalk *w, Out *text) {
    const WalkFrame *frame = &w->frame;
    x64_put_base(text, frame->found.base, 8 * (uint64_t)frame->pushed + frame->size,
                 (uint32_t)frame->align);
}

static bool frame_find_base(CodeWalk *w) {
    Out text = {0};
    frame_put_base(w, &text);
    return match_text(w, &text);
}

static bool match_saved_arguments(CodeWalk *w) {
    Out text = {0};
    x64_put_saved_arguments(&text, convention_of(w->program, w->func->sig), true);
    if (match_text(w, &text)) return true;
    if (!w->reason) w->reason = "a variable argument is not saved"; // at the line that differs
    return false;
}

// ---- Split stacks
//
// A frame of less than SPARE bytes fits whatever is above the end of the stack; of a larger one its
// end is compared with that. What __morestack gets and does is said in emit_protect.c. It goes on
// behind the ret, of one byte, and leaves in rbp where its own frame is, so that variable arguments
// are found by r11 on both ways.

enum { SPARE = 256 };

static bool match_stack_seen(CodeWalk *w) {
    WalkFrame *frame = &w->frame;
    int64_t number = 0;
    if (!frame->split) return true;
    match_begin(w, NULL);
    if (next_number(w, INSN_LEA, &number) && number > 0) {
        if (!code_is_like(w, "lea.8 (rsp-%lld),r11; cmp.8 fs:112,r11", (long long)number))
            return walk_fails(w, "the end of the stack is not looked at");
        frame->seen = (uint64_t)number;
    } else if (!code_is(w, "cmp.8 fs:112,rsp")) {
        return walk_fails(w, "the end of the stack is not looked at");
    }
    const Insn *insn = walk_branch(w, &frame->more);
    if (!insn || insn->mnemonic != INSN_JCC || insn->condition != COND_B)
        return walk_fails(w, "the end of the stack is not looked at");
    walk_step(w);
    if (frame->varies && !code_is(w, "lea.8 (rsp+8),r11"))
        return walk_fails(w, "it is not noted where stack arguments are");
    frame->enough = w->now.at;
    return true;
}

// All bytes below the return address.
static uint64_t whole_size(const WalkFrame *frame) {
    uint64_t size = 8 * (uint64_t)frame->pushed + frame->size + frame->align;
    return frame->found.kind == FRAME_STACK ? size : size + 8;
}

bool frame_ask_for_stack(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    uint64_t whole = whole_size(frame), to;
    if (!frame->split) return true;
    if (frame->seen != (whole < SPARE ? 0 : whole))
        return walk_fails(w, "the end of the stack is compared with another end of the frame");
    uint32_t arguments = convention_of(w->program, w->func->sig)->stack_size;
    match_begin(w, NULL);
    if (frame->more != w->now.at || !match_constant(w, TYPE_I64, (int64_t)whole, "r10") ||
        !match_constant(w, TYPE_I64, (int64_t)arguments, "r11"))
        return walk_fails(w, "another stack is asked for than the frame needs");
    if (!code_is(w, "call ^__morestack; ret")) return walk_fails(w, "no other stack is asked for");
    if (frame->varies && !code_is(w, "lea.8 (rbp+24),r11"))
        return walk_fails(w, "it is not noted where stack arguments are");
    const Insn *insn = walk_branch(w, &to);
    if (!insn || insn->mnemonic != INSN_JMP || to != frame->enough)
        return walk_fails(w, "on another stack it goes on elsewhere");
    walk_step(w);
    return true;
}

// ---- The guard

static bool match_guard_set(CodeWalk *w) {
    WalkState before = w->now;
    if (code_is(w, "mov.8 fs:40,r11; mov.8 r11,g; xor.4 r11,r11")) return w->frame.guarded = true;
    match_undo(w, &before);
    return true;
}

bool frame_leave_guard(CodeWalk *w, MachineReg through) {
    const char *reg = machine_reg_name(through);
    if (!w->frame.guarded) return true;
    if (!code_is_like(w, "mov.8 g,%s; sub.8 fs:40,%s", reg, reg))
        return walk_fails(w, "the guard is not looked at");
    uint64_t to;
    const Insn *insn = walk_branch(w, &to);
    if (!insn || insn->mnemonic != INSN_JCC || insn->condition != COND_NE)
        return walk_fails(w, "the guard is not looked at");
    if (w->guard_failure == UINT64_MAX) w->guard_failure = to;
    if (w->guard_failure != to) return walk_fails(w, "the guard leads elsewhere");
    walk_step(w);
    return true;
}

// An interrupt: the code of an error lies below the processor's frame, and a filler below that, so
// that the rest is as if there were a return address. Arguments go to where others get theirs.
static bool match_interrupt(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    if (!frame->entry.interrupt) return true;
    const char *base = machine_reg_name(frame->found.incoming);
    uint64_t at = frame->found.incoming == M_RSP ? 8 * (uint64_t)frame->pushed + frame->size : 8;
    match_begin(w, NULL);
    return (code_is_like(w, "lea.8 (%s+%llu),rdi", base,
                         (unsigned long long)(frame->entry.error ? at + 16 : at)) &&
            (!frame->entry.error ||
             code_is_like(w, "mov.8 (%s+%llu),rsi", base, (unsigned long long)(at + 8))) &&
            code_is(w, "cld")) ||
           walk_fails(w, "the frame of the interrupt is not passed on");
}

bool frame_enter(CodeWalk *w) {
    find_parts(w);
    find_needs(w);
    match_begin(w, NULL);
    code_is(w, "endbr64");
    walk_padding(w); // room for patches
    if (w->frame.naked) return true;
    match_call_named(w, "__fentry__");
    if (!match_stack_seen(w)) return false;
    match_begin(w, NULL);
    if (w->frame.entry.error && !code_is(w, "sub.8 $8,rsp"))
        return walk_fails(w, "the stack is not aligned");
    if (w->frame.found.kind != FRAME_STACK && !code_is(w, "push.8 rbp; mov.8 rsp,rbp"))
        return walk_fails(w, "rbp does not point to the frame");
    if (!match_pushes(w) || !match_lowering(w)) return false;
    match_begin(w, NULL);
    if (!frame_find_base(w)) return walk_fails(w, "the base of the frame is not set");
    if (w->frame.varies && !match_saved_arguments(w)) return false;
    if (!match_interrupt(w)) return false;
    match_begin(w, NULL);
    // It leaves the registers of arguments alone, and finds its caller by rbp.
    w->frame.calls |= w->frame.found.kind != FRAME_STACK && match_call_named(w, "mcount");
    return match_guard_set(w);
}

// ---- The way out

bool frame_leave(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    bool pointer = frame->found.kind != FRAME_STACK;
    if (!pointer && frame->size &&
        !code_is_like(w, "add.8 $%llu,rsp", (unsigned long long)frame->size))
        return walk_fails(w, "rsp is not what it was");
    if (pointer && !frame->pushed)
        return code_is(w, "leave") || walk_fails(w, "the frame is not left");
    if (pointer && !code_is_like(w, "lea.8 (rbp-%u),rsp", 8 * frame->pushed))
        return walk_fails(w, "rsp is not what it was");
    for (uint32_t k = frame->pushed; k-- > 0;)
        if (!code_is_like(w, "pop.8 %s", machine_reg_name((MachineReg)frame->order[k])))
            return walk_fails(w, "a saved register is not restored");
    return !pointer || code_is(w, "pop.8 rbp") || walk_fails(w, "rbp is not restored");
}

// ---- Where the parts lie

static int compare_areas(const void *a, const void *b) {
    const Area *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

// ---- Where they should lie
//
// Any places that pass check_areas are right. But a part that is accessed once may lie anywhere
// then, and a frame may have any size; so that no changed instruction is taken, places and size
// must also be those that the model gives (x64_frame_layout).

static bool is_at(CodeWalk *w, uint32_t area, int64_t at) {
    const Area *found = &w->frame.areas[area];
    return found->at == UNBOUND || found->at == at ||
           walk_fails(w,
                      arena_printf(w->object->arena, "%s is not where it should be", found->what));
}

static bool check_layout(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    X64FrameNeeds needs = {.found = frame->found,
                           .outgoing = frame->outgoing,
                           .pushed = frame->pushed,
                           .calls = frame->calls,
                           .red_zone = !frame->pushes && frame->size == 0,
                           .variable = frame->varies,
                           .guard = frame->guarded};
    X64FrameLayout layout = x64_frame_layout(w->arena, w->func, &needs);
    if (frame->size != layout.size)
        return walk_fails(w, "the frame is not as large as it should be");
    for (uint32_t s = 0; s < frame->spills; s++)
        if (!is_at(w, s, layout.slots[s])) return false;
    for (uint32_t s = frame->spills; s < frame->x87; s++)
        if (!is_at(w, s, layout.spills[s - frame->spills])) return false;
    return is_at(w, frame->x87, layout.x87) && is_at(w, frame->variable, layout.variable) &&
           is_at(w, frame->guard, layout.guard);
}

static bool check_areas(CodeWalk *w, int64_t low, int64_t high, int64_t phase) {
    WalkFrame *frame = &w->frame;
    Area *areas = ARENA_ARRAY(w->arena, Area, frame->area_count);
    uint32_t count = 0;
    for (uint32_t k = 0; k < frame->area_count; k++)
        if (frame->areas[k].at != UNBOUND) areas[count++] = frame->areas[k];
    qsort(areas, count, sizeof *areas, compare_areas);
    int64_t end = low;
    for (uint32_t k = 0; k < count; k++) {
        const Area *area = &areas[k];
        uint64_t align = area->align, limit = frame->align ? frame->align : 16;
        if (align > limit || (uint64_t)(area->at + phase) % align)
            return walk_fails(w, arena_printf(w->object->arena, "%s is not aligned", area->what));
        if (area->size == 0) continue;
        if (area->at < end)
            return walk_fails(w,
                              arena_printf(w->object->arena,
                                           "%s lies over another part of the frame, or beyond it",
                                           area->what));
        end = (int64_t)((uint64_t)area->at + area->size);
        if (end > high || end < area->at)
            return walk_fails(
                w, arena_printf(w->object->arena, "%s goes beyond the frame", area->what));
    }
    return true;
}

// Offsets are from the base; `phase` is what the base is modulo 16.
static bool check_places(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    int64_t size = (int64_t)frame->size, pushed = 8 * (int64_t)frame->pushed;
    if (size % 8) return walk_fails(w, "rsp is not a multiple of 8");
    int64_t outgoing = (int64_t)frame->outgoing;
    if (frame->allocates) outgoing = (outgoing + 15) / 16 * 16;
    switch (frame->found.kind) {
    case FRAME_STACK: {
        bool red = !frame->calls && !frame->pushes && size == 0;
        if (frame->calls && (8 + pushed + size) % 16)
            return walk_fails(w, "rsp is not aligned at calls");
        return check_areas(w, red ? -X64_RED_ZONE : outgoing, size,
                           (8 + pushed + size) % 16 ? 8 : 0);
    }
    case FRAME_POINTER:
        if (frame->calls && (16 + pushed + size) % 16)
            return walk_fails(w, "rsp is not aligned at calls");
        return check_areas(w, -pushed - size + outgoing, -pushed, 0);
    default: return check_areas(w, outgoing, size, 0);
    }
}

// What its text does to rsp is believed, as all of the text is; so nothing else may depend on that.
static bool check_naked(CodeWalk *w) {
    const WalkFrame *frame = &w->frame;
    bool wants = frame->outgoing || frame->saved || frame->varies || frame->allocates;
    for (uint32_t k = 0; k < frame->area_count; k++) wants |= frame->areas[k].at != UNBOUND;
    return !wants || walk_fails(w, "a naked function has no frame");
}

bool frame_check(CodeWalk *w) {
    if (w->frame.naked) return check_naked(w);
    return check_places(w) && check_layout(w);
}
