// Prologues and epilogues, with what unwinders have to know at each instruction.
#include "target/x64/code/emit.h"
#include "target/x64/code/emit_options.h"
#include "target/x64/model/sysv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void cfi(Emit *e, const char *text) {
    if (e->cfi) x64_plain(e, text);
}

void x64_cfi_printf(Emit *e, const char *format, ...) {
    char text[80];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cfi(e, text);
}

void x64_tell_distance(Emit *e, uint64_t distance) {
    if (!e->cfi) return;
    out_text(e->out, "\t.cfi_def_cfa_offset ");
    out_u64(e->out, distance);
    out_char(e->out, '\n');
}

static void push(Emit *e, MachineReg reg, uint64_t distance) {
    x64_one(e, "push", W64, x64_reg(reg));
    x64_tell_distance(e, distance);
    x64_cfi_printf(e, ".cfi_offset %u, -%u", machine_unwind_number(reg), (unsigned)distance);
}

static void save_variable_arguments(Emit *e) {
    Out text = {0};
    x64_put_saved_arguments(&text, convention_of(e->program, e->func->sig),
                            !e->assembly->options->code.no_vectors);
    x64_lines(e, &text);
}

void x64_put_found_base(Out *out, const Frame *frame) {
    x64_put_base(out, frame->base, 8 * (uint64_t)frame->pushed + frame->size, frame->align);
}

static void find_base(Emit *e) {
    Out text = {0};
    x64_put_found_base(&text, &e->frame);
    x64_lines(e, &text);
}

static bool has_entry_call(const Emit *e) {
    const AssemblyOptions *options = e->assembly->options;
    if (!options->entry_call) return false;
    for (uint32_t i = 0; i < options->no_entry_calls; i++)
        if (strcmp(options->no_entry_call[i], func_name(e->func)) == 0) return false;
    return true;
}

// The call of who counts calls, or a hole of its size.
static void enter(Emit *e) {
    const AssemblyOptions *options = e->assembly->options;
    if (options->code.machine & X64_ENTRY_EMPTY)
        out_text(e->out, "1:\t.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n");
    else if (e->program->pic == PIC_NONE)
        out_printf(e->out, "1:\tcall %s\n", options->entry_call);
    else
        out_printf(e->out, "1:\tcall *%s@GOTPCREL(%%rip)\n", options->entry_call);
    if (options->code.machine & X64_ENTRY_RECORDED)
        out_text(e->out, "\t.section __mcount_loc,\"a\",@progbits\n\t.quad 1b\n\t.previous\n");
}

// With the filler, in bytes.
enum { ERROR_SIZE = 16 };

static uint64_t first_distance(const Emit *e) {
    return 8 + (e->frame.error ? ERROR_SIZE : 0);
}

// The arguments of an interrupt: where the frame of the processor is, and the code of the error.
// The code that was interrupted may have set the direction of string instructions.
static void find_interrupt(Emit *e) {
    const Frame *frame = &e->frame;
    x64_lea(e, W64, frame->incoming - 8 + (frame->error ? ERROR_SIZE : 0), frame->incoming_base, 0,
            0, M_RDI);
    if (frame->error)
        x64_two(e, "mov", W64, x64_at(frame->incoming_base, frame->incoming), x64_reg(M_RSI));
    x64_plain(e, "cld");
}

void x64_prologue(Emit *e) {
    Frame *frame = &e->frame;
    uint64_t distance = 8;
    if (program_at(e->program, e->func->symbol)->flags & SYMF_NAKED) return;
    bool enters = has_entry_call(e);
    bool first = enters && e->assembly->options->code.machine & X64_ENTRY_FIRST;
    if (first) enter(e);
    x64_see_stack(e);
    // As the processor aligns the stack, the code of an error makes it wrong for calls.
    if (frame->error) {
        x64_two(e, "sub", W64, x64_imm(8), x64_reg(M_RSP));
        x64_tell_distance(e, distance += ERROR_SIZE);
    }
    if (frame->kind != FRAME_STACK) {
        push(e, M_RBP, distance += 8);
        x64_two(e, "mov", W64, x64_reg(M_RSP), x64_reg(M_RBP));
        cfi(e, ".cfi_def_cfa_register 6");
    }
    for (uint32_t n = M_R15 + 1; n-- > M_RAX;) {
        MachineReg reg = (MachineReg)n;
        if (!(frame->saved & X64_BIT(reg))) continue;
        distance += 8;
        if (frame->kind == FRAME_STACK) {
            push(e, reg, distance);
        } else {
            x64_one(e, "push", W64, x64_reg(reg));
            x64_cfi_printf(e, ".cfi_offset %u, -%u", machine_unwind_number(reg),
                           (unsigned)distance);
        }
    }
    x64_lower_stack(e, distance);
    find_base(e);
    if (frame->saves_variable) save_variable_arguments(e);
    if (frame->interrupt) find_interrupt(e);
    if (enters && !first) enter(e);
    x64_set_guard(e);
}

// ---- The way out

static void pop_saved(Emit *e, uint64_t distance) {
    const Frame *frame = &e->frame;
    for (MachineReg reg = M_RAX; reg <= M_R15; reg++) {
        if (!(frame->saved & X64_BIT(reg))) continue;
        x64_one(e, "pop", W64, x64_reg(reg));
        if (frame->kind == FRAME_STACK) x64_tell_distance(e, distance -= 8);
    }
}

// rsp back to where the saved registers are.
static void x64_epilogue_pointer(Emit *e) {
    const Frame *frame = &e->frame;
    int64_t below = 8 * (int64_t)frame->pushed;
    if (frame->pushed) {
        x64_lea(e, W64, -below, M_RBP, 0, 0, M_RSP);
        pop_saved(e, 16 + (uint64_t)below);
        x64_one(e, "pop", W64, x64_reg(M_RBP));
    } else {
        x64_plain(e, "leave");
    }
    x64_cfi_printf(e, ".cfi_def_cfa 7, %u", (unsigned)first_distance(e));
}

static bool has_frame(const Frame *frame) {
    return frame->kind != FRAME_STACK || frame->size || frame->saved;
}

static void undo_frame(Emit *e) {
    const Frame *frame = &e->frame;
    if (frame->kind != FRAME_STACK) {
        x64_epilogue_pointer(e);
        return;
    }
    uint64_t distance = first_distance(e) + 8 * (uint64_t)frame->pushed;
    if (frame->size) {
        x64_two(e, "add", W64, x64_imm((int64_t)frame->size), x64_reg(M_RSP));
        x64_tell_distance(e, distance);
    }
    pop_saved(e, distance);
}

void x64_epilogue(Emit *e, bool last) {
    if (!has_frame(&e->frame)) return;
    x64_origin(e, NO_ID);
    if (!last) cfi(e, ".cfi_remember_state");
    undo_frame(e);
    x64_origin(e, e->instr);
}

void x64_after_epilogue(Emit *e, bool last) {
    if (!last && has_frame(&e->frame)) cfi(e, ".cfi_restore_state");
}
