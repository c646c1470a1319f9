// Calls at the entry and at the exits of functions, with two arguments: the function's address and
// the address of its caller's next instruction. RTL has no value for the second address. So a call
// of a few lines of assembler text finds the address by the frame pointer, which all functions have
// then.
#include "c/lower/lower_private.h"

#include <string.h>

#define CALLER "__gatecc_caller"

static bool has_part(const NameParts *parts, const char *name) {
    for (uint32_t i = 0; i < parts->count; i++)
        if (strstr(name, parts->at[i])) return true;
    return false;
}

// A function that is there only to be copied, as those of hardened headers, has no address of its
// own to tell.
static bool is_instrumented(const Lower *lower) {
    const Instrument *instrument = lower->instrument;
    const Decl *func = lower->func;
    if (func->inline_definition && func->attributes->always_inline) return false;
    return instrument->functions && !func->attributes->no_instrument &&
           !has_part(&instrument->not_files, pp_presumed(lower->pp, func->pos).file) &&
           !has_part(&instrument->not_functions, func->name->text);
}

static Sym outside_function(Lower *lower, const char *name, SigInfo info, Sig *sig) {
    Sym symbol = program_symbol(lower->program, str_of(&lower->program->strings, name), SYM_FUNC);
    *sig = program_sig(lower->program, info);
    Symbol *at = program_at(lower->program, symbol);
    if (at->sig.i == NO_ID) at->sig = *sig;
    return symbol;
}

// The text that finds the caller, once in a unit.
static void define_caller(Lower *lower) {
    if (lower->caller_defined) return;
    lower->caller_defined = true;
    const char *text = arena_printf(lower->scratch,
                                    "\t.text\n" CALLER ":\n%s\t.type " CALLER
                                    ", @function\n\t.size " CALLER ", .-" CALLER "\n",
                                    lower->types->language->frames->find_caller);
    vec_push(lower->program->arena, &lower->program->file_asms,
             str_of(&lower->program->strings, text));
}

static void call_hook(Lower *lower, const char *hook) {
    static const PType two[] = {{TYPE_I64}, {TYPE_I64}};
    SigInfo hook_info = {.result = PTYPE_VOID, .param_count = 2, .fixed_count = 2, .params = two};
    SigInfo caller_info = {.result = PTYPE_OF(TYPE_I64), .params = two};
    Sig hook_sig, caller_sig;
    define_caller(lower);
    Sym caller = outside_function(lower, CALLER, caller_info, &caller_sig);
    Sym called = outside_function(lower, hook, hook_info, &hook_sig);
    Spot function = {.base = BASE_SYMBOL, .ref = lower->f->symbol.i, .index = NO_REG};
    Reg args[2] = {operand_in_reg(lower, emit_address(lower, &function, NO_REG)),
                   reg_new(lower, TYPE_I64)};
    emit_call(lower, caller, caller_sig, args[1], NULL, 0);
    emit_call(lower, called, hook_sig, NO_REG, args, 2);
}

void instrument_enter(Lower *lower) {
    lower->instrumented = false;
    Instrument *instrument = lower->instrument;
    if (!instrument) return;
    if (lower->func->attributes->no_instrument)
        vec_push(instrument->arena, &instrument->plain,
                 program_text(lower->program, program_at(lower->program, lower->f->symbol)->name));
    lower->instrumented = is_instrumented(lower);
    if (lower->instrumented) call_hook(lower, "__cyg_profile_func_enter");
}

void instrument_leave(Lower *lower) {
    if (lower->instrumented) call_hook(lower, "__cyg_profile_func_exit");
}

void lower_instrument(Lower *lower, Instrument *instrument) {
    lower->instrument = instrument;
}
