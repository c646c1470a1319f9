// The printer of instructions, and of functions in RTL.
#include "text/print/print_forms.h"
#include "text/print/print_parts.h"

static void print_args(Out *out, const Func *func, const Instr *instr, uint32_t from, uint32_t to) {
    const Reg *args = instr_args(func, instr);
    for (uint32_t i = from; i < to; i++) {
        if (i > from) out_text(out, ", ");
        reg_print(out, func, args[i]);
    }
}

static void print_operator(Out *out, const Func *func, const Instr *instr) {
    const OpInfo *info = op_info(instr->op);
    out_text(out, info->name);
    out_char(out, ' ');
    if (info->arity > 0) {
        print_args(out, func, instr, 0, instr->arg_count);
        if (!instr->immediate) return;
        if (instr->arg_count) out_text(out, ", ");
        print_integer(out, info->operand[info->arity - 1], instr->imm);
    } else if (instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) {
        if (instr->op == OP_ADDR_SYMBOL)
            symbol_print(out, func->program, (Sym){instr->ref});
        else
            print_slot(out, func, instr->ref);
        if (instr->imm) print_displacement(out, instr->imm);
    } else if (type_is_int(info->result)) {
        print_integer(out, info->result, instr->imm);
    } else {
        print_float(out, info->result, instr->imm, instr->high);
    }
}

// How many of an instruction's arguments belong to its address.
static uint32_t address_args(const Instr *instr) {
    uint32_t count = instr->base == BASE_REG;
    if (instr->scale) count++;
    return count < instr->arg_count ? count : instr->arg_count;
}

static void print_address(Out *out, const Func *func, const Instr *instr) {
    const Reg *args = instr_args(func, instr);
    out_char(out, '[');
    switch ((BaseKind)instr->base) {
    case BASE_NONE: break;
    case BASE_REG: print_args(out, func, instr, 0, instr->arg_count > 0); break;
    case BASE_SYMBOL: symbol_print(out, func->program, (Sym){instr->ref}); break;
    case BASE_SLOT: print_slot(out, func, instr->ref); break;
    }
    if (instr->scale && address_args(instr)) {
        if (instr->base != BASE_NONE) out_text(out, " + ");
        reg_print(out, func, args[address_args(instr) - 1]);
        out_char(out, '*');
        out_u64(out, instr->scale);
    }
    if (instr->base == BASE_NONE && !instr->scale)
        out_i64(out, instr->imm);
    else if (instr->imm)
        print_displacement(out, instr->imm);
    out_char(out, ']');
}

// What follows the word of a load, a store, or a builtin with an address.
static void print_access(Out *out, const Func *func, const Instr *instr) {
    out_char(out, '.');
    out_text(out, chunk_name(instr->chunk));
    out_char(out, ' ');
    print_address(out, func, instr);
    if (instr->effective) {
        out_text(out, " as ");
        out_text(out, instr->effective < EFFECTIVE_COUNT ? effective_name(instr->effective) : "?");
    }
    uint32_t from = address_args(instr);
    if (from < instr->arg_count) out_text(out, ", ");
    print_args(out, func, instr, from, instr->arg_count);
}

// Whether a direct call of a symbol without signature would be read with this one.
static bool signature_is_implied(const Func *func, const Instr *instr, const SigInfo *sig) {
    const Program *program = func->program;
    if (instr->ref >= program->symbols.count) return false;
    const Symbol *symbol = program_at(program, (Sym){instr->ref});
    if (symbol->kind != SYM_FUNC || symbol->sig.i >= program->sigs.count) return false;
    const SigInfo *declared = program_sig_info(program, symbol->sig);
    if (!declared->variadic) return symbol->sig.i == instr->aux;
    if (!sig->variadic || sig->returns_twice || sig->result.i != declared->result.i ||
        sig->fixed_count != declared->fixed_count || sig->c_type != declared->c_type ||
        sig->param_count > instr->arg_count)
        return false;
    for (uint32_t i = 0; i < sig->fixed_count; i++)
        if (sig->params[i].i != declared->params[i].i) return false;
    const Reg *args = instr_args(func, instr);
    for (uint32_t i = sig->fixed_count; i < sig->param_count; i++)
        if (args[i].i >= func->regs.count || sig->params[i].i != (uint32_t)reg_type(func, args[i]))
            return false;
    return true;
}

static void print_call(Out *out, const Func *func, const Instr *instr) {
    const Program *program = func->program;
    uint32_t first = instr->ref == NO_ID && instr->arg_count, last = instr->arg_count;
    bool into = false;
    out_char(out, ' ');
    if (instr->aux < program->sigs.count) {
        const SigInfo *sig = program_sig_info(program, (Sig){instr->aux});
        into = ptype_is_aggregate(program_ptype_info(program, sig->result)) && last > first;
        if (!signature_is_implied(func, instr, sig)) {
            print_ptype(out, program, sig->result);
            print_call_params(out, program, sig);
        }
    }
    if (first)
        print_args(out, func, instr, 0, 1);
    else
        symbol_print(out, program, (Sym){instr->ref});
    out_char(out, '(');
    print_args(out, func, instr, first, last - into);
    out_char(out, ')');
    if (into) out_text(out, " into ");
    if (into) print_args(out, func, instr, last - 1, last);
}

static void print_builtin(Out *out, const Func *func, const Instr *instr) {
    const BuiltinInfo *info = builtin_info(instr->op);
    out_text(out, info->name);
    if (builtin_has_address(info)) {
        print_access(out, func, instr);
        if (info->form == BIF_ATOMIC) print_order(out, instr->aux);
        return;
    }
    if (info->form == BIF_PTYPE) {
        out_char(out, ' ');
        print_ptype(out, func->program, (PType){instr->ref});
    }
    if (instr->arg_count) out_char(out, ' ');
    print_args(out, func, instr, 0, instr->arg_count);
    if (info->form == BIF_SIZE || info->form == BIF_ASM || info->form == BIF_LEVEL)
        out_text(out, instr->arg_count ? ", " : " ");
    if (info->form == BIF_ALIGN) out_text(out, " align ");
    if (info->form == BIF_MACHINE)
        machine_reg_operand_print(out, func->program, instr->imm, !instr->arg_count);
    else if (builtin_has_number(info))
        out_i64(out, instr->imm);
    if (info->form == BIF_ORDER) print_order(out, instr->aux);
}

// All arguments.
static void print_plain(Out *out, const Func *func, const Instr *instr) {
    if (instr->arg_count) out_char(out, ' ');
    print_args(out, func, instr, 0, instr->arg_count);
}

void operation_print(Out *out, const Func *func, const Instr *instr) {
    if (instr->kind >= INSTR_KIND_COUNT) return;
    if (!instr_kind_is_wordless(instr->kind)) out_text(out, instr_kinds[instr->kind].word);
    if (instr_has(instr, INSTR_CONDITION)) out_char(out, ' ');
    if (instr_has(instr, INSTR_OPERATION))
        print_operator(out, func, instr);
    else if (instr_has(instr, INSTR_ACCESS))
        print_access(out, func, instr);
    else if (instr_has(instr, INSTR_CALLEE))
        print_call(out, func, instr);
    else if (instr_has(instr, INSTR_BUILTIN))
        print_builtin(out, func, instr);
    else
        print_plain(out, func, instr);
}

void instr_print(Out *out, const Func *func, const Instr *instr) {
    if (func->form == FORM_MACH0) {
        mach0_instr_print(out, func, instr);
        return;
    }
    if (instr->dest.i != NO_ID) {
        reg_print(out, func, instr->dest);
        out_text(out, " = ");
    }
    operation_print(out, func, instr);
}

void rtl_print(Out *out, const Func *func, const PrintOptions *options) {
    print_graph(out, func, options, true);
}
