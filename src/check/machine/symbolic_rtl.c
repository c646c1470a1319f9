// Symbolic execution of RTL: the other side of symbolic.h. Calls and returns are written down as
// the calling convention carries them: each piece of an argument for itself, an aggregate result as
// the stores that the caller does with it.
#include "check/machine/symbolic.h"

#include "fact/effects.h"

// A register that is set once in the function, to a constant, has no other value. Where RTL may not
// have come to the definition, the register may have no value, so both are right: the constant, and
// the contents of the machine's register.
static Term input(Symbolic *sym, uint32_t reg) {
    uint32_t node = sym->constant[reg];
    if (node == NO_ID || (sym->as_it_came[reg] == sym->walk && !symbolic_was_at(sym, node)))
        return term_atom(&sym->terms, reg_type(sym->rtl, (Reg){reg}), ATOM_INPUT, reg, 0);
    const Instr *instr = func_at(sym->rtl, (Node){node});
    return symbolic_constant(sym, instr->op, instr->imm, instr->high, instr->ref);
}

Term symbolic_rtl_reg(Symbolic *sym, uint32_t reg) {
    Term known = symbolic_get(sym, &sym->before, reg);
    return known.i != NO_ID ? known : input(sym, reg);
}

Term symbolic_rtl_arg(Symbolic *sym, const Instr *instr, uint32_t k) {
    return symbolic_rtl_reg(sym, instr_args(sym->rtl, instr)[k].i);
}

// The address of an access, and how many arguments it took.
static Term address_of(Symbolic *sym, const Instr *instr, uint32_t *args) {
    Terms *terms = &sym->terms;
    Term address = term_const(terms, TYPE_I64, 0, 0);
    *args = 0;
    if (instr->base == BASE_SYMBOL)
        address = symbolic_constant(sym, OP_ADDR_SYMBOL, 0, 0, instr->ref);
    if (instr->base == BASE_SLOT) address = symbolic_slot(sym, instr->ref);
    if (instr->base == BASE_REG) address = symbolic_rtl_arg(sym, instr, (*args)++);
    if (instr->scale)
        address = term_add(terms, address, symbolic_rtl_arg(sym, instr, (*args)++), instr->scale);
    return term_offset(terms, address, instr->imm);
}

// ---- Operators and loads

static Term operator_value(Symbolic *sym, const Instr *instr) {
    const OpInfo *info = op_info(instr->op);
    if (info->arity == 0)
        return symbolic_constant(sym, instr->op, instr->imm, instr->high, instr->ref);
    Term args[3];
    for (uint32_t k = 0; k < instr->arg_count && k < 3; k++)
        args[k] = symbolic_rtl_arg(sym, instr, k);
    if (instr->immediate)
        args[info->arity - 1] =
            term_const(&sym->terms, info->operand[info->arity - 1], instr->imm, 0);
    if (op_is_partial(instr->op))
        symbolic_note(sym, symbolic_division(sym, instr->op, args), sym->before.version, 0);
    return term_op(&sym->terms, instr->op, args);
}

Term symbolic_rtl_condition(Symbolic *sym, const Instr *instr) {
    return operator_value(sym, instr);
}

static void execute_operator(Symbolic *sym, const Instr *instr) {
    symbolic_set(sym, &sym->before, instr->dest.i, operator_value(sym, instr));
}

static void execute_load(Symbolic *sym, const Instr *instr) {
    uint32_t args;
    Term address = address_of(sym, instr, &args);
    uint32_t version = sym->before.version;
    symbolic_note(sym, symbolic_cell(sym, address, version), version, chunk_size(instr->chunk));
    symbolic_set(sym, &sym->before, instr->dest.i,
                 term_load(&sym->terms, instr->chunk, address, version));
}

// ---- Calls and returns

static Term read_part(Symbolic *sym, const Piece *piece, Term address) {
    uint32_t version = sym->before.version;
    Term at = term_offset(&sym->terms, address, piece->offset);
    symbolic_note(sym, symbolic_cell(sym, at, version), version, piece->size);
    return symbolic_part(sym, piece->type, piece->size, at, version);
}

static const ParamType *param_type(const Symbolic *sym, Sig sig, uint32_t param) {
    const Program *program = sym->rtl->program;
    return program_ptype_info(program, program_sig_info(program, sig)->params[param]);
}

// One piece of an argument: a scalar or an aggregate in memory as it is, the rest read from memory.
static void pass_piece(Symbolic *sym, Sig sig, const Piece *piece, Term value) {
    bool aggregate =
        piece->param != NO_ID && ptype_is_aggregate(param_type(sym, sig, piece->param));
    if (aggregate && piece->where == PIECE_REGISTER) value = read_part(sym, piece, value);
    effect_term(sym, &sym->before, value);
}

static void execute_call(Symbolic *sym, const Instr *instr) {
    Side *side = &sym->before;
    Sig sig = {instr->aux};
    bool indirect = instr->ref == NO_ID;
    const Convention *convention = convention_of(sym->rtl->program, sig);
    Term into = NO_TERM;
    const SigInfo *info = program_sig_info(sym->rtl->program, sig);
    if (ptype_is_aggregate(program_ptype_info(sym->rtl->program, info->result)))
        into = symbolic_rtl_arg(sym, instr, instr->arg_count - 1);

    effect_begin(sym, side, EFFECT_CALL);
    effect_number(sym, side, instr->ref);
    if (indirect) effect_term(sym, side, symbolic_rtl_arg(sym, instr, 0));
    effect_number(sym, side, instr->aux);
    for (uint32_t i = 0; i < convention->arguments.count; i++) {
        const Piece *piece = &convention->arguments.at[i];
        Term value =
            piece->param == NO_ID ? into : symbolic_rtl_arg(sym, instr, piece->param + indirect);
        pass_piece(sym, sig, piece, value);
    }
    uint32_t effect = side->version;
    effect_end(side);

    if (into.i == NO_ID) {
        if (instr->dest.i != NO_ID)
            symbolic_set(
                sym, side, instr->dest.i,
                term_atom(&sym->terms, reg_type(sym->rtl, instr->dest), ATOM_RESULT, effect, 0));
        return;
    }
    for (uint32_t k = 0; k < convention->results.count && !convention->hidden; k++) {
        const Piece *piece = &convention->results.at[k];
        symbolic_store_part(sym, side, piece->size, term_offset(&sym->terms, into, piece->offset),
                            term_atom(&sym->terms, piece->type, ATOM_RESULT, effect, k));
    }
}

static void execute_return(Symbolic *sym, const Instr *instr) {
    Side *side = &sym->before;
    const Program *program = sym->rtl->program;
    const SigInfo *info = program_sig_info(program, sym->rtl->sig);
    const ParamType *result = program_ptype_info(program, info->result);
    Term value = instr->arg_count ? symbolic_rtl_arg(sym, instr, 0) : NO_TERM;
    Term hidden = term_atom(&sym->terms, TYPE_I64, ATOM_HIDDEN, 0, 0);
    if (value.i != NO_ID && sym->convention->hidden) {
        effect_begin(sym, side, EFFECT_BUILTIN);
        effect_number(sym, side, BI_MEMCPY);
        effect_number(sym, side, result->size);
        effect_term(sym, side, hidden);
        effect_term(sym, side, value);
        effect_end(side);
    }
    effect_begin(sym, side, EFFECT_RETURN);
    sym->free_return = value.i == NO_ID && sym->convention->results.count;
    for (uint32_t k = 0; k < sym->convention->results.count && value.i != NO_ID; k++) {
        const Piece *piece = &sym->convention->results.at[k];
        Term part = value;
        if (sym->convention->hidden)
            part = hidden;
        else if (ptype_is_aggregate(result))
            part = read_part(sym, piece, value);
        effect_term(sym, side, part);
    }
    effect_end(side);
}

// ---- Other effects

// A builtin that ends the run is the end of a block, which is compared as such, and no effect in
// it: a block that jumps to it has not come to it. Machine code has nothing for spin.
static void execute_builtin(Symbolic *sym, const Instr *instr) {
    Side *side = &sym->before;
    const BuiltinInfo *info = builtin_info(instr->op);
    if (info->end || instr_is_idle(instr)) return;
    uint32_t first = 0;
    Term address = NO_TERM;
    if (instr_has_address(instr)) address = address_of(sym, instr, &first);
    effect_begin(sym, side, EFFECT_BUILTIN);
    effect_number(sym, side, instr->op);
    if (builtin_has_number(info)) effect_number(sym, side, (uint64_t)instr->imm);
    if (info->form == BIF_PTYPE) effect_number(sym, side, instr->ref);
    if (builtin_has_order(info)) effect_number(sym, side, instr->aux);
    if (address.i != NO_ID) {
        effect_number(sym, side, instr->chunk);
        effect_term(sym, side, address);
    }
    for (uint32_t k = first; k < instr->arg_count; k++) {
        Term value = symbolic_rtl_arg(sym, instr, k);
        bool byte = instr->op == BI_MEMSET && k == 1; // only that much of it counts
        effect_term(sym, side, byte ? term_low(&sym->terms, CHUNK_U8, value) : value);
    }
    if (instr->dest.i != NO_ID)
        symbolic_set(
            sym, side, instr->dest.i,
            term_atom(&sym->terms, reg_type(sym->rtl, instr->dest), ATOM_RESULT, side->version, 0));
    effect_end(side);
}

static void execute_store(Symbolic *sym, const Instr *instr) {
    uint32_t args;
    Term address = address_of(sym, instr, &args);
    symbolic_store(sym, &sym->before, instr->chunk, address, symbolic_rtl_arg(sym, instr, args));
}

// The check is a condition: the operand is not zero.
static void execute_check(Symbolic *sym, const Instr *instr) {
    Term value = symbolic_rtl_arg(sym, instr, 0);
    Type type = term_at(&sym->terms, value)->type;
    Term holds = term_op(&sym->terms, op_of(FAM_NE, type),
                         (Term[]){value, term_const(&sym->terms, type, 0, 0)});
    effect_begin(sym, &sym->before, EFFECT_CHECK);
    effect_term(sym, &sym->before, holds);
    effect_end(&sym->before);
}

void symbolic_rtl(Symbolic *sym, Node node) {
    const Instr *instr = func_at(sym->rtl, node);
    switch ((InstrKind)instr->kind) {
    case I_OP: execute_operator(sym, instr); break;
    case I_LOAD: execute_load(sym, instr); break;
    case I_STORE: execute_store(sym, instr); break;
    case I_CALL: execute_call(sym, instr); break;
    case I_RETURN: execute_return(sym, instr); break;
    case I_CHECK: execute_check(sym, instr); break;
    case I_BUILTIN: execute_builtin(sym, instr); break;
    case I_NOP:
    case I_COND:
    case I_SWITCH:
    case INSTR_KIND_COUNT: break;
    }
}
