// Calls, and the two functions that are no functions: __builtin_setjmp and __builtin_longjmp.
#include "fact/calls.h"
#include "target/x64/code/emit.h"
#include "target/x64/code/emit_options.h"
#include "target/x64/model/sysv.h"

static void write_setjmp(Emit *e, const MachInstr *instr) {
    const CodeOptions *code = &e->assembly->options->code;
    Out base = {0}, text = {0};
    x64_put_found_base(&base, &e->frame);
    out_char(&base, '\0');
    x64_put_setjmp(&text, code->shadow_stack, code->track_branches, base.text);
    x64_composed(e, instr, &text);
    out_free(&base);
}

static void write_longjmp(Emit *e, const MachInstr *instr) {
    Out text = {0};
    x64_put_longjmp(&text, e->assembly->options->code.shadow_stack);
    x64_composed(e, instr, &text);
    x64_jump_to(e, M_RAX);
}

static bool is_direct(const MachInstr *instr) {
    return instr->memory != 0 && instr->src[0].i == NO_ID;
}

// Whether a function may be in another object, to which the linker's table of procedures leads.
static bool is_elsewhere(const Emit *e, Sym symbol) {
    const Symbol *info = program_at(e->program, symbol);
    bool here = info->linkage == LINK_STATIC || info->visibility == VIS_HIDDEN ||
                info->visibility == VIS_INTERNAL;
    if (e->program->pic != PIC_SHARED) here |= info->defined;
    return !here || !mach_symbol_is_near(e->program, symbol);
}

static void put_called(Emit *e, const MachInstr *instr, bool calls) {
    if (!is_direct(instr)) {
        x64_branch_to(e, calls, x64_source(e, instr, 0));
        return;
    }
    out_text(e->out, calls ? "\tcall " : "\tjmp ");
    if (e->assembly->options->code.no_plt && is_elsewhere(e, (Sym){instr->ref})) {
        out_char(e->out, '*');
        assembly_symbol(e->out, e->program, (Sym){instr->ref});
        out_text(e->out, "@GOTPCREL(%rip)\n");
        return;
    }
    assembly_symbol(e->out, e->program, (Sym){instr->ref});
    // Elsewhere the assembler asks for the table of procedures by itself, where it is needed.
    bool shared = e->program->pic == PIC_SHARED;
    if (shared && !mach_symbol_is_near(e->program, (Sym){instr->ref})) out_text(e->out, "@PLT");
    out_char(e->out, '\n');
}

// A variadic function finds in al how many vector registers hold arguments.
static void tell_vector_count(Emit *e, const MachInstr *instr) {
    if (!program_sig_info(e->program, (Sig){instr->aux})->variadic) return;
    if (e->assembly->options->code.machine & X64_NO_VECTOR_COUNT) return;
    const Place *arguments = mach_arguments(e->func, instr);
    uint32_t count = 0;
    for (uint32_t k = 0; k < instr->arguments; k++)
        count += place_is_machine(arguments[k]) && place_index(arguments[k]) >= M_XMM0;
    x64_constant(e, TYPE_I32, count, x64_reg(M_RAX));
}

// What a call left on the x87 stack goes to where it is wanted, or away.
static void take_x87_results(Emit *e, const MachInstr *instr) {
    uint32_t count = sysv_x87_results(e->program, (Sig){instr->aux});
    const Place *results = mach_results(e->func, instr);
    for (uint32_t k = 0; k < count; k++)
        if (instr->results)
            x64_x87_store(e, x64_place(e, results[k]));
        else
            x64_plain(e, "fstp %st(0)");
}

void x64_call(Emit *e, const MachInstr *instr) {
    if (is_direct(instr) && instr->ref == e->assembly->setjmp_symbol) {
        write_setjmp(e, instr);
        return;
    }
    if (is_direct(instr) && instr->ref == e->assembly->longjmp_symbol) {
        write_longjmp(e, instr);
        return;
    }
    tell_vector_count(e, instr);
    put_called(e, instr, true);
    uint32_t label = !e->layout ? NO_ID
                                : debug_note_return(e->assembly, e->layout,
                                                    (uint32_t)(instr - mach_at(e->func, 0)));
    if (label != NO_ID) x64_label(e, label);
    if (mach_call_returns_twice(e->program, instr)) x64_mark_target(e);
    take_x87_results(e, instr);
}

// Whether no code with the function's frame follows.
static bool is_last(const Emit *e) {
    return e->next_block == NO_ID && !e->frame.guarded;
}

// The epilogue restores registers that the address may use, so it is fetched before.
void x64_tail_call(Emit *e, const MachInstr *instr) {
    bool last = is_last(e);
    bool in_r11 = instr->src[0].i == place_machine(M_R11).i; // what is called
    x64_check_guard(e, in_r11 ? M_R10 : M_R11);
    if (instr->memory == 0) x64_two(e, "mov", W64, x64_source(e, instr, 0), x64_reg(M_R11));
    tell_vector_count(e, instr);
    x64_epilogue(e, last);
    if (instr->memory == 0)
        x64_jump_to(e, M_R11);
    else
        put_called(e, instr, false);
    x64_after_epilogue(e, last);
}

enum { LONG_EPILOGUE = 3 };

// A long epilogue is written once; other returns go there.
static bool return_elsewhere(Emit *e) {
    const Frame *frame = &e->frame;
    if (frame->pushed + (frame->size != 0) + 2 * frame->guarded < LONG_EPILOGUE) return false;
    if (e->return_label != NO_ID) {
        x64_jump(e, "jmp", e->return_label);
        return true;
    }
    e->return_label = assembly_label(e->assembly);
    x64_label(e, e->return_label);
    return false;
}

// The first of two long doubles is to be on top.
void x64_return(Emit *e, const MachInstr *instr) {
    bool last = is_last(e);
    const Place *arguments = mach_arguments(e->func, instr);
    for (uint32_t k = instr->arguments; k-- > 0;)
        if (place_is_spill(arguments[k])) x64_x87_load(e, x64_place(e, arguments[k]));
    if (return_elsewhere(e)) return;
    x64_check_guard(e, M_R11);
    x64_epilogue(e, last);
    x64_clear_regs(e, instr);
    x64_put_return(e);
    x64_after_epilogue(e, last);
}
