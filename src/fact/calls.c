#include "fact/calls.h"

#include "form/mach.h"

#include <string.h>

// swapcontext returns whenever its context is switched to, which may be more than once.
static const char *const twice[] = {
    "setjmp",     "_setjmp",      "__setjmp",    "sigsetjmp", "_sigsetjmp", "__sigsetjmp",
    "getcontext", "__getcontext", "swapcontext", "savectx",   "vfork",      "__vfork",
};

static const char unsaving[] = "__builtin_setjmp";

bool name_returns_twice(const char *name) {
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++)
        if (strcmp(twice[i], name) == 0) return true;
    return strcmp(unsaving, name) == 0;
}

bool name_is_code(const char *name) {
    return strcmp(name, unsaving) == 0 || strcmp(name, "__builtin_longjmp") == 0;
}

bool symbol_is_known_as(const Program *program, Sym symbol, const char *name) {
    const Symbol *info = program_at(program, symbol);
    return info->kind == SYM_FUNC && !info->defined && info->alias.i == NO_ID &&
           strcmp(program_text(program, info->name), name) == 0;
}

bool symbol_is_callable_by_name(const Symbol *symbol) {
    return symbol->kind == SYM_FUNC && !symbol_returns_twice(symbol);
}

static bool callee_returns_twice(const Program *program, uint32_t symbol) {
    return symbol < program->symbols.count &&
           symbol_returns_twice(program_at(program, (Sym){symbol}));
}

static bool number_returns_twice(const Program *program, uint32_t sig) {
    return sig < program->sigs.count && sig_returns_twice(program_sig_info(program, (Sig){sig}));
}

bool call_returns_twice(const Program *program, const Instr *instr) {
    return instr->kind == I_CALL &&
           (callee_returns_twice(program, instr->ref) || number_returns_twice(program, instr->aux));
}

bool call_never_returns(const Program *program, const Instr *instr) {
    return instr->kind == I_CALL && instr->ref != NO_ID &&
           program_at(program, (Sym){instr->ref})->flags & SYMF_NORETURN;
}

bool mach_call_returns_twice(const Program *program, const MachInstr *instr) {
    if (!mach_has(instr, MACH_CALLEE)) return false;
    return number_returns_twice(program, instr->aux) ||
           (mach_calls_symbol(instr) && callee_returns_twice(program, instr->ref));
}

bool mach_call_destroys_all(const Program *program, const MachInstr *instr) {
    if (!mach_has(instr, MACH_CALLEE) || !mach_calls_symbol(instr)) return false;
    return callee_returns_twice(program, instr->ref) &&
           symbol_is_known_as(program, (Sym){instr->ref}, unsaving);
}

bool func_returns_twice(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (call_returns_twice(func->program, &func->nodes.at[n])) return true;
    for (uint32_t i = 0; func->mach && i < func->mach->code.count; i++)
        if (mach_call_returns_twice(func->program, mach_at(func, i))) return true;
    return false;
}
