// Protection that a function has besides its computation: a guard behind its variables, pages of
// the stack that are touched one after the other, registers that are cleared. This code stands at
// the beginning and the end of a function, and uses registers that are free there: r11 or r10,
// which carry neither arguments nor results.
#include "target/x64/code/emit.h"
#include "target/x64/model/constraints.h"
#include "target/x64/model/sysv.h"

// ---- The guard

// OPERATION %fs:40, REGISTER, or %gs:symbol(%rip), or symbol(%rip), ...
static void put_guard_value(Emit *e, const char *operation, X64Operand with) {
    const GuardValue *value = &e->assembly->options->code.guard_value;
    Out from = {0};
    out_printf(&from, "%s ", operation);
    if (value->base) out_printf(&from, "%%%s:", value->base);
    if (value->symbol)
        out_printf(&from, "%s(%%rip),", value->symbol);
    else
        out_printf(&from, "%lld,", (long long)value->offset);
    out_char(&from, '\0');
    x64_full(e, from.text, W64, with);
    out_free(&from);
}

// A symbol in no segment may be another object's: it is found by its address.
static bool guard_is_far(const Emit *e) {
    const GuardValue *value = &e->assembly->options->code.guard_value;
    return !value->base && e->program->pic == PIC_SHARED;
}

static void load_guard(Emit *e, MachineReg to) {
    if (!guard_is_far(e)) {
        put_guard_value(e, "movq", x64_reg(to));
        return;
    }
    const char *symbol = e->assembly->options->code.guard_value.symbol;
    const char *from = arena_printf(e->assembly->scratch, "movq %s@GOTPCREL(%%rip),", symbol);
    x64_full(e, from, W64, x64_reg(to));
    x64_two(e, "mov", W64, x64_at(to, 0), x64_reg(to));
}

void x64_set_guard(Emit *e) {
    X64Operand r11 = x64_reg(M_R11);
    if (!e->frame.guarded) return;
    load_guard(e, M_R11);
    x64_two(e, "mov", W64, r11, x64_frame_at(e, e->frame.guard));
    x64_two(e, "xor", W32, r11, r11);
}

// If all is well, nothing of the guard is left in the register.
void x64_check_guard(Emit *e, MachineReg through) {
    X64Operand value = x64_reg(through), guard = x64_frame_at(e, e->frame.guard);
    if (!e->frame.guarded) return;
    if (e->guard_label == NO_ID) e->guard_label = assembly_label(e->assembly);
    if (guard_is_far(e)) {
        load_guard(e, through);
        x64_two(e, "sub", W64, guard, value);
    } else {
        x64_two(e, "mov", W64, guard, value);
        put_guard_value(e, "subq", value);
    }
    x64_jump(e, "jne", e->guard_label);
}

// Where checks of the guard go that fail.
void x64_guard_failure(Emit *e) {
    if (e->guard_label == NO_ID) return;
    x64_label(e, e->guard_label);
    x64_call_library(e, "__stack_chk_fail");
}

// ---- Pages of the stack

enum { PAGE = 4096, PAGES_ONE_BY_ONE = 5 };

static void touch(Emit *e) {
    x64_plain(e, "orq $0, (%rsp)");
}

static void lower_by(Emit *e, uint64_t size, uint64_t *distance) {
    x64_two(e, "sub", W64, x64_imm((int64_t)size), x64_reg(M_RSP));
    *distance += size;
    if (e->frame.kind == FRAME_STACK) x64_tell_distance(e, *distance);
}

// Many pages: r11 says where they end, and unwinders go by it as long as rsp moves.
static void lower_in_loop(Emit *e, uint64_t size, uint64_t *distance) {
    bool told = e->frame.kind == FRAME_STACK;
    uint32_t next = assembly_label(e->assembly);
    x64_lea(e, W64, -(int64_t)size, M_RSP, 0, 0, M_R11);
    *distance += size;
    if (told)
        x64_cfi_printf(e, ".cfi_def_cfa %u, %llu", machine_unwind_number(M_R11),
                       (unsigned long long)*distance);
    x64_label(e, next);
    x64_two(e, "sub", W64, x64_imm(PAGE), x64_reg(M_RSP));
    touch(e);
    x64_two(e, "cmp", W64, x64_reg(M_R11), x64_reg(M_RSP));
    x64_jump(e, "jne", next);
    if (told) x64_cfi_printf(e, ".cfi_def_cfa_register %u", machine_unwind_number(M_RSP));
}

// A frame that is aligned ends where it ends; rsp is on its way there.
static void lower_aligned(Emit *e, uint64_t size) {
    X64Operand r10 = x64_reg(M_R10);
    x64_lea(e, W64, -(int64_t)size, M_RSP, 0, 0, M_R10);
    x64_two(e, "and", W64, x64_imm(-(int64_t)e->frame.align), r10);
    Out text = {0};
    x64_put_probe(&text, "r10");
    x64_lines(e, &text);
}

void x64_lower_stack(Emit *e, uint64_t distance) {
    const Frame *frame = &e->frame;
    uint64_t size = frame->size, pages = size / PAGE * PAGE;
    bool aligned = frame->kind == FRAME_ALIGNED, probes = e->assembly->options->code.probe_stack;
    if (probes && aligned && size + frame->align > PAGE) {
        lower_aligned(e, size);
        return;
    }
    if (!probes) pages = 0;
    if (pages > (uint64_t)PAGES_ONE_BY_ONE * PAGE) {
        lower_in_loop(e, pages, &distance);
    } else {
        for (uint64_t done = 0; done < pages; done += PAGE) {
            lower_by(e, PAGE, &distance);
            touch(e);
        }
    }
    if (size > pages) lower_by(e, size - pages, &distance);
    if (aligned) x64_two(e, "and", W64, x64_imm(-(int64_t)frame->align), x64_reg(M_RSP));
}

// ---- Split stacks
//
// The end of a thread's stack is at %fs:112, with SPARE bytes below it. __morestack gets the size
// of the frame in r10 and that of the stack arguments in r11. It goes on behind the ret on another
// stack, to which it has copied those; and the function returns to it, so that it can go back and
// return by the ret. Variable arguments it cannot copy, so r11 then says where stack arguments are:
// above the caller's return address, or above that of __morestack's own frame.

enum { SPARE = 256, MORESTACK_FRAME = 24 };

static bool keeps_rest(const Emit *e) {
    return e->frame.split && e->frame.saves_variable;
}

void x64_see_stack(Emit *e) {
    bool large = e->frame.whole >= SPARE;
    if (!e->frame.split) return;
    e->more_label = assembly_label(e->assembly);
    e->enough_label = assembly_label(e->assembly);
    x64_cfi_printf(e, ".cfi_remember_state");
    if (large) x64_lea(e, W64, -(int64_t)e->frame.whole, M_RSP, 0, 0, M_R11);
    x64_plain(e, large ? "cmpq %fs:112, %r11" : "cmpq %fs:112, %rsp");
    x64_jump(e, "jb", e->more_label);
    if (keeps_rest(e)) x64_lea(e, W64, 8, M_RSP, 0, 0, M_R11);
    x64_label(e, e->enough_label);
}

void x64_ask_for_stack(Emit *e) {
    if (!e->frame.split) return;
    uint32_t arguments = convention_of(e->program, e->func->sig)->stack_size;
    x64_cfi_printf(e, ".cfi_restore_state");
    x64_label(e, e->more_label);
    x64_constant(e, TYPE_I64, (int64_t)e->frame.whole, x64_reg(M_R10));
    x64_constant(e, TYPE_I64, (int64_t)arguments, x64_reg(M_R11));
    x64_plain(e, "call __morestack\n\tret");
    if (keeps_rest(e)) x64_lea(e, W64, MORESTACK_FRAME, M_RBP, 0, 0, M_R11);
    x64_jump(e, "jmp", e->enough_label);
}

// ---- Registers

// What an attribute says counts; else what the command line says.
static ZeroRegs zeroed_regs(const Emit *e) {
    uint32_t flags = program_at(e->program, e->func->symbol)->flags;
    if (!(flags & (SYMF_ZERO | SYMF_ZERO_NONE))) return e->assembly->options->code.zero;
    return (ZeroRegs){.on = flags & SYMF_ZERO,
                      .used = flags & SYMF_ZERO_USED,
                      .general = flags & SYMF_ZERO_GENERAL,
                      .arguments = flags & SYMF_ZERO_ARGUMENTS};
}

// The registers that code of the function mentions or destroys, the calls in it aside.
static X64Regs used_regs(const Emit *e) {
    X64Regs used = e->frame.guarded ? X64_BIT(M_R11) : 0;
    MachConstraints constraints = {0};
    for (uint32_t i = 0; i < e->func->mach->code.count; i++) {
        const MachInstr *instr = mach_at(e->func, i);
        mach_constraints(e->assembly->scratch, e->func, instr, &constraints);
        used |= x64_regs(constraints.clobbers);
        for (uint32_t k = 0; k < mach_read_count(instr); k++) {
            Place place = mach_read_at(e->func, instr, k);
            if (place_is_machine(place)) used |= X64_BIT(place_index(place));
        }
        for (uint32_t k = 0; k < mach_set_count(instr); k++) {
            Place place = mach_set_at(e->func, instr, k);
            if (place_is_machine(place)) used |= X64_BIT(place_index(place));
        }
    }
    return used;
}

static X64Regs argument_regs(void) {
    static const uint8_t general[] = {M_RAX, M_RDI, M_RSI, M_RDX, M_RCX, M_R8, M_R9};
    X64Regs set = 0;
    for (uint32_t i = 0; i < sizeof general; i++) set |= X64_BIT(general[i]);
    for (uint32_t i = 0; i < 8; i++) set |= X64_BIT(M_XMM0 + i);
    return set;
}

// All eight registers of the x87 are filled and emptied, but for those that hold results.
static void clear_x87(Emit *e, uint32_t results) {
    for (uint32_t i = results; i < 8; i++) x64_plain(e, "fldz");
    for (uint32_t i = results; i < 8; i++) x64_plain(e, "fstp %st(0)");
}

void x64_clear_regs(Emit *e, const MachInstr *instr) {
    ZeroRegs zero = zeroed_regs(e);
    if (!zero.on) return;
    X64Regs set =
        caller_saved_regs & ~x64_regs(e->program->reserved) & ~x64_regs(mach_entry(e->func).kept);
    bool vectors = !zero.general && !e->assembly->options->code.no_vectors;
    const Place *results = mach_arguments(e->func, instr);
    uint32_t on_x87 = 0;
    for (uint32_t k = 0; k < instr->arguments; k++) {
        if (place_is_machine(results[k]))
            set &= ~X64_BIT(place_index(results[k]));
        else
            on_x87++;
    }
    if (zero.used && !e->used_known) {
        e->used = used_regs(e);
        e->used_known = true;
    }
    if (zero.used) set &= e->used;
    if (zero.arguments) set &= argument_regs();
    if (vectors && !zero.used && !zero.arguments) clear_x87(e, on_x87);
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++) {
        X64Operand operand = x64_reg((MachineReg)reg);
        if (!(set & X64_BIT(reg))) continue;
        if (reg < M_XMM0)
            x64_two(e, "xor", W32, operand, operand);
        else if (vectors)
            x64_mixed(e, "pxor", W64, operand, W64, operand);
    }
}
