// Calls, and the two functions that are no functions: __builtin_setjmp and __builtin_longjmp, whose
// buffer holds the frame pointer, the address to go on at and the stack pointer, from which the other
// registers of the frame follow. The first counts as destroying all others (calls.h), so nothing else need
// be kept.
#include "target/x64/code/emit.h"
#include "target/x64/model/sysv.h"

static void write_setjmp(Emit *e) {
    uint32_t again = assembly_label(e->assembly), end = assembly_label(e->assembly);
    Operand result = asm_reg(M_RAX);
    asm_two(e, "mov", W64, asm_reg(M_RBP), asm_at(M_RDI, 0));
    out_printf(e->out, "\tleaq .L%u(%%rip), %%rax\n", again);
    asm_two(e, "mov", W64, result, asm_at(M_RDI, 8));
    asm_two(e, "mov", W64, asm_reg(M_RSP), asm_at(M_RDI, 16));
    asm_two(e, "xor", W32, result, result);
    asm_jump(e, "jmp", end);
    asm_label(e, again);
    asm_find_base(e);
    asm_two(e, "mov", W32, asm_imm(1), result);
    asm_label(e, end);
}

static void write_longjmp(Emit *e) {
    asm_two(e, "mov", W64, asm_at(M_RDI, 8), asm_reg(M_RAX));
    asm_two(e, "mov", W64, asm_at(M_RDI, 0), asm_reg(M_RBP));
    asm_two(e, "mov", W64, asm_at(M_RDI, 16), asm_reg(M_RSP));
    asm_plain(e, "jmp *%rax");
}

static bool is_direct(const MachInstr *instr) {
    return instr->memory != 0 && instr->src[0].i == NO_ID;
}

// A call through memory or a register is written with an asterisk.
static void put_called(Emit *e, const MachInstr *instr, const char *direct, const char *indirect) {
    if (!is_direct(instr)) {
        asm_full(e, indirect, W64, asm_source(e, instr, 0));
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
    asm_constant(e, TYPE_I32, count, asm_reg(M_RAX));
}

// What a call left on the x87 stack goes to where it is wanted, or away.
static void take_x87_results(Emit *e, const MachInstr *instr) {
    uint32_t count = sysv_x87_results(e->program, (Sig){instr->aux});
    const Place *results = mach_results(e->func, instr);
    for (uint32_t k = 0; k < count; k++)
        if (instr->results)
            asm_x87_store(e, asm_place(e, results[k]));
        else
            asm_plain(e, "fstp %st(0)");
}

void asm_call(Emit *e, const MachInstr *instr) {
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
void asm_tail_call(Emit *e, const MachInstr *instr) {
    bool last = e->next_block == NO_ID;
    if (instr->memory == 0) asm_two(e, "mov", W64, asm_source(e, instr, 0), asm_reg(M_R11));
    tell_vector_count(e, instr);
    asm_epilogue(e, last);
    if (instr->memory == 0)
        asm_plain(e, "jmp *%r11");
    else
        put_called(e, instr, "jmp ", "jmp *");
    asm_after_epilogue(e, last);
}

enum { LONG_EPILOGUE = 3 };

// A long epilogue is written once; other returns go there.
static bool return_elsewhere(Emit *e) {
    const Frame *frame = &e->frame;
    if (frame->pushed + (frame->size != 0) < LONG_EPILOGUE) return false;
    if (e->return_label != NO_ID) {
        asm_jump(e, "jmp", e->return_label);
        return true;
    }
    e->return_label = assembly_label(e->assembly);
    asm_label(e, e->return_label);
    return false;
}

// The first of two long doubles is to be on top.
void asm_return(Emit *e, const MachInstr *instr) {
    bool last = e->next_block == NO_ID;
    const Place *arguments = mach_arguments(e->func, instr);
    for (uint32_t k = instr->arguments; k-- > 0;)
        if (place_is_spill(arguments[k])) asm_x87_load(e, asm_place(e, arguments[k]));
    if (return_elsewhere(e)) return;
    asm_epilogue(e, last);
    asm_plain(e, "ret");
    asm_after_epilogue(e, last);
}
