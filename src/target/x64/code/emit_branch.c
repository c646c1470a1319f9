// Indirect branches and returns, and the marks for processors that belong to them.
//
// An indirect branch or a return may go through a thunk: a call pushes an address, the thunk puts
// the wanted address in its place and returns. A processor that guesses where a return leads
// guesses the loop behind that call.
#include "target/x64/code/emit.h"
#include "target/x64/code/emit_options.h"

// ---- Marks

void x64_mark_target(Emit *e) {
    if (e->assembly->options->code.track_branches) x64_plain(e, "endbr64");
}

// A function that only direct calls reach needs no mark.
void x64_mark_entry(Emit *e) {
    const Symbol *symbol = program_at(e->program, e->func->symbol);
    bool local = symbol->linkage == LINK_STATIC && !(symbol->flags & SYMF_USED);
    if (symbol->flags & SYMF_UNTRACKED) return;
    if (local && e->assembly->addressed_known &&
        !bits_has(&e->assembly->addressed, e->func->symbol.i))
        return;
    x64_mark_target(e);
}

// ---- Thunks

enum { RETURN_THUNK = M_RSP }; // no branch goes to where rsp points

static void put_thunk_name(Out *out, uint32_t reg) {
    if (reg == RETURN_THUNK)
        out_text(out, "__x86_return_thunk");
    else
        out_printf(out, "__x86_indirect_thunk_%s", machine_reg_name((MachineReg)reg));
}

static void put_thunk_body(Out *out, Assembly *assembly, uint32_t reg) {
    uint32_t loop = assembly_label(assembly), go = assembly_label(assembly);
    out_printf(out, "\tcall .L%u\n.L%u:\n\tpause\n\tlfence\n\tjmp .L%u\n.L%u:\n", go, loop, loop,
               go);
    if (reg == RETURN_THUNK)
        out_text(out, "\tleaq 8(%rsp), %rsp\n\tret\n");
    else
        out_printf(out, "\tmovq %%%s, (%%rsp)\n\tret\n", machine_reg_name((MachineReg)reg));
}

static void put_to_thunk(Emit *e, const char *mnemonic, uint32_t reg) {
    Out *out = e->out;
    bool prefixed = e->assembly->options->code.machine & X64_BRANCH_PREFIX && reg >= M_R8;
    out_text(out, prefixed ? "\tcs\n\t" : "\t");
    out_text(out, mnemonic);
    out_char(out, ' ');
    put_thunk_name(out, reg);
    out_char(out, '\n');
}

void x64_thunks(Assembly *assembly) {
    Out *out = assembly->out;
    for (uint32_t reg = 0; reg < M_XMM0; reg++) {
        if (!(assembly->shared & X64_BIT(reg))) continue;
        Out name = {0};
        put_thunk_name(&name, reg);
        out_char(&name, '\0');
        out_printf(out, "\t.section .text.%s,\"axG\",@progbits,%s,comdat\n", name.text, name.text);
        out_printf(out, "\t.globl %s\n\t.hidden %s\n\t.type %s, @function\n%s:\n", name.text,
                   name.text, name.text, name.text);
        put_thunk_body(out, assembly, reg);
        out_printf(out, "\t.size %s, .-%s\n", name.text, name.text);
        out_free(&name);
        assembly->section = NULL;
    }
}

// ---- Branches

static void stop_after(Emit *e, bool wanted) {
    if (wanted) x64_plain(e, "int3");
}

static void call_inline(Emit *e, uint32_t reg) {
    uint32_t thunk = assembly_label(e->assembly), from = assembly_label(e->assembly);
    x64_jump(e, "jmp", from);
    x64_label(e, thunk);
    put_thunk_body(e->out, e->assembly, reg);
    x64_label(e, from);
    x64_jump(e, "call", thunk);
}

static void branch_by(Emit *e, bool calls, MachineReg reg) {
    const CodeOptions *code = &e->assembly->options->code;
    if (x64_indirect_branch(code) == X64_BRANCH_THUNK) e->assembly->shared |= X64_BIT(reg);
    if (x64_indirect_branch(code) == X64_BRANCH_KEPT)
        x64_full(e, calls ? "call *" : "jmp *", W64, x64_reg(reg));
    else if (x64_indirect_branch(code) != X64_BRANCH_THUNK_INLINE)
        put_to_thunk(e, calls ? "call" : "jmp", reg);
    else if (calls)
        call_inline(e, reg);
    else
        put_thunk_body(e->out, e->assembly, reg);
    if (!calls) stop_after(e, code->stop_after_jump);
}

void x64_jump_to(Emit *e, MachineReg reg) {
    const CodeOptions *code = &e->assembly->options->code;
    if (x64_indirect_branch(code) != X64_BRANCH_KEPT) {
        branch_by(e, false, reg);
        return;
    }
    out_printf(e->out, "\tjmp *%%%s\n", machine_reg_name(reg));
    stop_after(e, code->stop_after_jump);
}

void x64_branch_to(Emit *e, bool calls, X64Operand target) {
    const CodeOptions *code = &e->assembly->options->code;
    if (x64_is_reg(target)) {
        branch_by(e, calls, (MachineReg)target.reg);
    } else if (x64_indirect_branch(code) != X64_BRANCH_KEPT ||
               code->machine & X64_BRANCH_BY_REGISTER) {
        x64_two(e, "mov", W64, target, x64_reg(M_R11));
        branch_by(e, calls, M_R11);
    } else {
        x64_full(e, calls ? "call *" : "jmp *", W64, target);
        if (!calls) stop_after(e, code->stop_after_jump);
    }
}

// Of jump tables: they are constant, so their targets need no marks.
void x64_jump_by_table(Emit *e) {
    const CodeOptions *code = &e->assembly->options->code;
    if (code->track_branches && x64_indirect_branch(code) == X64_BRANCH_KEPT) {
        x64_plain(e, "notrack jmp *%r11");
        stop_after(e, code->stop_after_jump);
        return;
    }
    x64_jump_to(e, M_R11);
}

void x64_jump_by_addresses(Emit *e, uint32_t table) {
    const CodeOptions *code = &e->assembly->options->code;
    if (x64_indirect_branch(code) != X64_BRANCH_KEPT || code->machine & X64_BRANCH_BY_REGISTER) {
        out_printf(e->out, "\tmovq .L%u(,%%r11,8), %%r11\n", table);
        x64_jump_by_table(e);
        return;
    }
    out_printf(e->out, "\t%sjmp *.L%u(,%%r11,8)\n", code->track_branches ? "notrack " : "", table);
    stop_after(e, code->stop_after_jump);
}

void x64_put_return(Emit *e) {
    const CodeOptions *code = &e->assembly->options->code;
    if (e->frame.interrupt) {
        if (e->frame.error) x64_plain(e, "addq $16, %rsp");
        x64_plain(e, code->machine & X64_USER_INTERRUPTS ? "uiret" : "iretq");
        return;
    }
    if (x64_function_return(code) == X64_BRANCH_THUNK) e->assembly->shared |= X64_BIT(RETURN_THUNK);
    if (x64_function_return(code) == X64_BRANCH_KEPT)
        x64_plain(e, "ret");
    else if (x64_function_return(code) == X64_BRANCH_THUNK_INLINE)
        put_thunk_body(e->out, e->assembly, RETURN_THUNK);
    else
        put_to_thunk(e, "jmp", RETURN_THUNK);
    stop_after(e, code->stop_after_return);
}

// A function of a library that the compiler itself calls.
void x64_call_library(Emit *e, const char *name) {
    bool no_plt = e->assembly->options->code.no_plt;
    bool shared = e->program->pic == PIC_SHARED;
    if (no_plt)
        out_printf(e->out, "\tcall *%s@GOTPCREL(%%rip)\n", name);
    else
        out_printf(e->out, "\tcall %s%s\n", name, shared ? "@PLT" : "");
}
