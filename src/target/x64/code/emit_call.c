// Calls, and the two functions that are no functions: __builtin_setjmp and __builtin_longjmp, whose
// buffer holds the frame pointer, the address to go on at and the stack pointer, from which the other
// registers of the frame follow. The first counts as destroying all others (calls.h), so nothing else need
// be kept.
#include "target/x64/code/emit.h"
#include "target/x64/model/sysv.h"

static void write_setjmp(Emit *e) {
    uint32_t again = assembly_label(e->assembly), end = assembly_label(e->assembly);
    X64Operand result = x64_reg(M_RAX);
    x64_two(e, "mov", W64, x64_reg(M_RBP), x64_at(M_RDI, 0));
    out_printf(e->out, "\tleaq .L%u(%%rip), %%rax\n", again);
    x64_two(e, "mov", W64, result, x64_at(M_RDI, 8));
    x64_two(e, "mov", W64, x64_reg(M_RSP), x64_at(M_RDI, 16));
    x64_two(e, "xor", W32, result, result);
    x64_jump(e, "jmp", end);
    x64_label(e, again);
    x64_find_base(e);
    x64_two(e, "mov", W32, x64_imm(1), result);
    x64_label(e, end);
}

static void write_longjmp(Emit *e) {
    x64_two(e, "mov", W64, x64_at(M_RDI, 8), x64_reg(M_RAX));
    x64_two(e, "mov", W64, x64_at(M_RDI, 0), x64_reg(M_RBP));
    x64_two(e, "mov", W64, x64_at(M_RDI, 16), x64_reg(M_RSP));
    x64_plain(e, "jmp *%rax");
}

static bool is_direct(const MachInstr *instr) {
    return instr->memory != 0 && instr->src[0].i == NO_ID;
}

// A call through memory or a register is written with an asterisk.
static void put_called(Emit *e, const MachInstr *instr, const char *direct, const char *indirect) {
    if (!is_direct(instr)) {
        x64_full(e, indirect, W64, x64_source(e, instr, 0));
        return;
    }
    out_char(e->out, '\t');
    out_text(e->out, direct);
    assembly_symbol(e->out, e->program, (Sym){instr->ref});
    // Elsewhere the assembler asks for the table of procedures by itself, where it is needed.
    bool shared = e->program->pic == PIC_SHARED;
    if (shared && !mach_symbol_is_near(e->program, (Sym){instr->ref})) out_text(e->out, "@PLT");
    out_char(e->out, '\n');
}

// A variadic function finds in al how many vector registers hold arguments.
static void tell_vector_count(Emit *e, const MachInstr *instr) {
    if (!program_sig_info(e->program, (Sig){instr->aux})->variadic) return;
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
        write_setjmp(e);
        return;
    }
    if (is_direct(instr) && instr->ref == e->assembly->longjmp_symbol) {
        write_longjmp(e);
        return;
    }
    tell_vector_count(e, instr);
    put_called(e, instr, "call ", "call *");
    take_x87_results(e, instr);
}

// The epilogue restores registers that the address may use, so it is fetched before.
void x64_tail_call(Emit *e, const MachInstr *instr) {
    bool last = e->next_block == NO_ID;
    if (instr->memory == 0) x64_two(e, "mov", W64, x64_source(e, instr, 0), x64_reg(M_R11));
    tell_vector_count(e, instr);
    x64_epilogue(e, last);
    if (instr->memory == 0)
        x64_plain(e, "jmp *%r11");
    else
        put_called(e, instr, "jmp ", "jmp *");
    x64_after_epilogue(e, last);
}

enum { LONG_EPILOGUE = 3 };

// A long epilogue is written once; other returns go there.
static bool return_elsewhere(Emit *e) {
    const Frame *frame = &e->frame;
    if (frame->pushed + (frame->size != 0) < LONG_EPILOGUE) return false;
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
    bool last = e->next_block == NO_ID;
    const Place *arguments = mach_arguments(e->func, instr);
    for (uint32_t k = instr->arguments; k-- > 0;)
        if (place_is_spill(arguments[k])) x64_x87_load(e, x64_place(e, arguments[k]));
    if (return_elsewhere(e)) return;
    x64_epilogue(e, last);
    x64_plain(e, "ret");
    x64_after_epilogue(e, last);
}
