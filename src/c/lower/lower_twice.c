// Calls through pointers that may return twice. C forbids to take the address of setjmp, and POSIX
// does not promise much about that of getcontext or vfork, but compilers and programs do not mind.
// In a unit that takes the address of such a function, every call through a pointer may be one of
// it, and is marked so.
#include "c/lower/lower_private.h"

static bool is_twice(const Program *program, Sym symbol) {
    return program_at(program, symbol)->flags & SYMF_RETURNS_TWICE;
}

static bool takes_address(const Program *program, const Symbol *symbol) {
    for (uint32_t i = 0; i < symbol->data.count; i++)
        if (symbol->data.at[i].kind == DATA_ADDR && is_twice(program, symbol->data.at[i].symbol))
            return true;
    for (uint32_t n = 0; symbol->func && n < symbol->func->nodes.count; n++) {
        const Instr *instr = &symbol->func->nodes.at[n];
        if (instr->kind == I_OP && instr->op == OP_ADDR_SYMBOL &&
            is_twice(program, (Sym){instr->ref}))
            return true;
    }
    return false;
}

static bool any_address_taken(const Program *program) {
    bool any = false;
    for (uint32_t i = 0; i < program->symbols.count; i++) any |= is_twice(program, (Sym){i});
    for (uint32_t i = 0; any && i < program->symbols.count; i++)
        if (takes_address(program, &program->symbols.at[i])) return true;
    return false;
}

void lower_mark_twice(Lower *lower) {
    Program *program = lower->program;
    if (!any_address_taken(program)) return;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        Func *func = (Func *)program->symbols.at[i].func; // still belongs to lowering
        for (uint32_t n = 0; func && n < func->nodes.count; n++) {
            Instr *instr = &func->nodes.at[n];
            if (instr->kind != I_CALL || instr->ref != NO_ID) continue;
            SigInfo sig = *program_sig_info(program, (Sig){instr->aux});
            sig.returns_twice = true;
            instr->aux = program_sig(program, sig).i;
        }
    }
}
