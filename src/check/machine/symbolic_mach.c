// Symbolic execution of machine instructions: the side of the machine form in symbolic.h.
#include "check/machine/symbolic.h"

#include "fact/effects.h"

// ---- Values

// At the start of a block a register has the value of RTL's. This value is RTL's constant only if
// RTL has come to the definition: otherwise RTL's register has no value, and the machine's may be
// anything, which is not that constant.
static Term input(Symbolic *sym, uint32_t reg) {
    if (reg == sym->hidden) return term_atom(&sym->terms, TYPE_I64, ATOM_HIDDEN, 0, 0);
    if (reg >= sym->rtl->regs.count) {
        uint32_t kept = sym->kept[reg - sym->rtl->regs.count];
        if (kept != NO_ID && sym->walk > 1) {
            const MachInstr *set = mach_at(sym->mach, kept);
            return symbolic_constant(sym, set->op, set->imm, set->high, set->ref);
        }
        symbolic_complain(sym, "a register of its own is used in another block");
        return term_atom(&sym->terms, reg_type(sym->mach, (Reg){reg}), ATOM_INPUT, reg, 0);
    }
    uint32_t node = sym->constant[reg];
    if (node == NO_ID || !symbolic_was_at(sym, node))
        return term_atom(&sym->terms, reg_type(sym->rtl, (Reg){reg}), ATOM_INPUT, reg, 0);
    const Instr *instr = func_at(sym->rtl, (Node){node});
    return symbolic_constant(sym, instr->op, instr->imm, instr->high, instr->ref);
}

Term symbolic_mach_reg(Symbolic *sym, uint32_t reg) {
    Term known = symbolic_get(sym, &sym->after, reg);
    return known.i != NO_ID ? known : input(sym, reg);
}

// Of a place that is one. Any source may be an immediate or in memory instead: those go by
// symbolic_mach_source.
static Term place_value(Symbolic *sym, Place place) {
    return symbolic_mach_reg(sym, place_reg(place).i);
}

// In the type of the sum of which it becomes a part: the low half of an i64, if that type is i32.
static Term summand(Symbolic *sym, Place place, Type type) {
    Term value = place_value(sym, place);
    if (type == TYPE_I32 && term_at(&sym->terms, value)->type == TYPE_I64)
        value = term_op(&sym->terms, OP_TRUNC_I32, &value);
    return value;
}

// The stack arguments that came: an aggregate's bytes are the function's copy of it.
static Term incoming(Symbolic *sym, int64_t offset) {
    const Piece *piece = convention_stack_argument(sym->convention, offset);
    if (piece && piece->type == TYPE_VOID) {
        Term copy = term_atom(&sym->terms, TYPE_I64, ATOM_COPY, piece->param, 0);
        return term_offset(&sym->terms, copy, offset - piece->stack);
    }
    return term_offset(&sym->terms, term_atom(&sym->terms, TYPE_I64, ATOM_INCOMING, 0, 0), offset);
}

static Term outgoing_area(Symbolic *sym) {
    return term_atom(&sym->terms, TYPE_I64, ATOM_OUTGOING, sym->stack_changes, 0);
}

static Term address_of(Symbolic *sym, const MachInstr *instr, Type type) {
    Terms *terms = &sym->terms;
    Term address = term_const(terms, type, 0, 0);
    switch ((MachBase)instr->base) {
    case MB_NONE: break;
    case MB_PLACE: address = summand(sym, instr->base_place, type); break;
    case MB_SYMBOL: address = symbolic_constant(sym, OP_ADDR_SYMBOL, 0, 0, instr->ref); break;
    case MB_SLOT: address = symbolic_slot(sym, instr->ref); break;
    case MB_INCOMING: return incoming(sym, instr->displacement);
    case MB_OUTGOING: address = outgoing_area(sym); break;
    }
    if (type == TYPE_I32 && term_at(terms, address)->type == TYPE_I64)
        address = term_op(terms, OP_TRUNC_I32, &address);
    if (instr->scale)
        address = term_add(terms, address, summand(sym, instr->index, type), instr->scale);
    return term_offset(terms, address, instr->displacement);
}

// Whether the term is a base address of the tag plus an offset.
static bool is_at(const Symbolic *sym, Term term, AtomTag tag, int64_t *offset) {
    const TermNode *node = term_at(&sym->terms, term);
    *offset = 0;
    if (node->kind == TERM_SUM && node->count == 1 && sym->terms.parts.at[node->a].factor == 1) {
        *offset = node->imm;
        node = &sym->terms.nodes.at[sym->terms.parts.at[node->a].term];
    }
    return node->kind == TERM_ATOM && node->code == tag;
}

// Whether it is among the stack arguments of the next call, where these now are.
static bool is_outgoing(Symbolic *sym, Term term, int64_t *offset) {
    return is_at(sym, term, ATOM_OUTGOING, offset) &&
           term_same(term, term_offset(&sym->terms, outgoing_area(sym), *offset));
}

// Whether the chunk holds all of a register of its type.
static bool is_whole(Chunk chunk) {
    return chunk_size(chunk) >= chunk_size(CHUNK_I32);
}

// A scalar among the stack arguments that came.
static Term stack_argument(Symbolic *sym, int64_t offset, Chunk chunk) {
    Type type = chunk_type(chunk);
    const Piece *piece = convention_stack_argument(sym->convention, offset);
    if (piece && piece->stack == offset && piece->type == type && is_whole(chunk))
        return term_atom(&sym->terms, type, ATOM_ARGUMENT, piece->param, 0);
    symbolic_complain(sym, "it reads a stack argument that is not there");
    return term_atom(&sym->terms, type, ATOM_INCOMING, 0, 0);
}

static void read_memory(Symbolic *sym, Term address, uint32_t size) {
    uint32_t version = sym->after.version;
    sym->reads = true;
    if (!symbolic_is_done(sym, symbolic_cell(sym, address, version), version, size))
        symbolic_complain(sym, "it reads memory that the original does not");
}

static Term load(Symbolic *sym, const MachInstr *instr) {
    Term address = address_of(sym, instr, TYPE_I64);
    int64_t offset;
    if (is_at(sym, address, ATOM_INCOMING, &offset))
        return stack_argument(sym, offset, instr->chunk);
    read_memory(sym, address, chunk_size(instr->chunk));
    return term_load(&sym->terms, instr->chunk, address, sym->after.version);
}

Term symbolic_mach_source(Symbolic *sym, const MachInstr *instr, uint32_t k, Type type) {
    if (instr->memory == k) return load(sym, instr);
    if (instr->immediate == k) return term_const(&sym->terms, type, instr->imm, 0);
    return place_value(sym, instr->src[k]);
}

Term symbolic_mach_condition(Symbolic *sym, const MachInstr *instr) {
    const OpInfo *info = op_info(instr->op);
    Term args[2];
    for (uint32_t k = 0; k < 2; k++)
        args[k] = symbolic_mach_source(sym, instr, k, info->operand[k]);
    if (instr->tested) {
        bool wide = info->operand[0] == TYPE_I64;
        args[0] = term_op(&sym->terms, wide ? OP_AND_I64 : OP_AND_I32, args);
        args[1] = term_const(&sym->terms, info->operand[0], 0, 0);
    }
    return term_op(&sym->terms, instr->op, args);
}

// ---- Operators

static void set_dest(Symbolic *sym, const MachInstr *instr, Term value) {
    symbolic_set(sym, &sym->after, place_reg(instr->dest).i, value);
}

static Term operator_value(Symbolic *sym, const MachInstr *instr) {
    const OpInfo *info = op_info(instr->op);
    if (info->arity == 0)
        return symbolic_constant(sym, instr->op, instr->imm, instr->high, instr->ref);
    if (instr->tested) return symbolic_mach_condition(sym, instr);
    Term args[3];
    for (uint32_t k = 0; k < info->arity; k++)
        args[k] = symbolic_mach_source(sym, instr, k, info->operand[k]);
    if (op_is_partial(instr->op)) {
        Term division = symbolic_division(sym, instr->op, args);
        if (term_at(&sym->terms, division)->kind == TERM_OP &&
            !symbolic_is_done(sym, division, sym->after.version, 0))
            symbolic_complain(sym, "it divides where the original does not");
    }
    return term_op(&sym->terms, instr->op, args);
}

static void execute_select(Symbolic *sym, const MachInstr *instr) {
    Type type = reg_type(sym->mach, place_reg(instr->dest));
    Term args[] = {symbolic_mach_condition(sym, instr), symbolic_mach_source(sym, instr, 2, type),
                   symbolic_mach_source(sym, instr, 3, type)};
    set_dest(sym, instr, term_op(&sym->terms, op_select(type), args));
}

// ---- Memory

static uint64_t outgoing_key(const Symbolic *sym, uint32_t offset) {
    return (uint64_t)sym->calls << 32 | offset;
}

static void put_outgoing(Symbolic *sym, Outgoing outgoing) {
    map_set(sym->arena, &sym->outgoing_at, outgoing_key(sym, outgoing.offset), sym->outgoing.count);
    vec_push(sym->arena, &sym->outgoing, outgoing);
}

static void execute_store(Symbolic *sym, const MachInstr *instr) {
    Term address = address_of(sym, instr, TYPE_I64);
    Term value = symbolic_mach_source(sym, instr, 0, chunk_type(instr->chunk));
    int64_t offset;
    if (is_outgoing(sym, address, &offset) && is_whole(instr->chunk))
        put_outgoing(sym, (Outgoing){.offset = (uint32_t)offset, .value = value});
    else
        symbolic_store(sym, &sym->after, instr->chunk, address, value);
}

static void execute_update(Symbolic *sym, const MachInstr *instr) {
    const OpInfo *info = op_info(instr->op);
    Term args[2] = {load(sym, instr)};
    if (info->arity > 1) args[1] = symbolic_mach_source(sym, instr, 1, info->operand[1]);
    Term value = term_op(&sym->terms, instr->op, args);
    symbolic_store(sym, &sym->after, instr->chunk, address_of(sym, instr, TYPE_I64), value);
}

static void execute_load_part(Symbolic *sym, const MachInstr *instr) {
    Term address = address_of(sym, instr, TYPE_I64);
    uint32_t size = (uint32_t)instr->imm;
    read_memory(sym, address, size);
    set_dest(sym, instr,
             symbolic_part(sym, reg_type(sym->mach, place_reg(instr->dest)), size, address,
                           sym->after.version));
}

// Whether the store puts a piece of a parameter in its place, for the first time and before any
// other read or effect.
static bool is_copied_piece(Symbolic *sym, Term address, Term value, uint32_t size) {
    const TermNode *node = term_at(&sym->terms, value);
    int64_t offset;
    if (node->kind != TERM_ATOM || node->code != ATOM_PIECE || sym->after.version != 0 ||
        sym->reads || !is_at(sym, address, ATOM_COPY, &offset) || offset != (int64_t)node->b)
        return false;
    if (!term_same(address,
                   term_offset(&sym->terms, term_atom(&sym->terms, TYPE_I64, ATOM_COPY, node->a, 0),
                               offset)))
        return false;
    for (uint32_t i = convention_first_piece(sym->convention, node->a);
         i < sym->convention->arguments.count; i++) {
        const Piece *piece = &sym->convention->arguments.at[i];
        if (piece->param != node->a) break;
        if (piece->offset != node->b) continue;
        if (piece->size != size || sym->is_copied[i]) return false;
        return sym->is_copied[i] = true;
    }
    return false;
}

static void execute_store_part(Symbolic *sym, const MachInstr *instr) {
    Term address = address_of(sym, instr, TYPE_I64);
    Term value = symbolic_mach_source(sym, instr, 0, op_info(instr->op)->result);
    uint32_t size = (uint32_t)instr->imm;
    if (is_copied_piece(sym, address, value, size))
        sym->copied++;
    else
        symbolic_store_part(sym, &sym->after, size, address, value);
}

// ---- Calls, parameters, returns

static Term outgoing_value(Symbolic *sym, const Piece *piece) {
    uint32_t at = map_get(&sym->outgoing_at, outgoing_key(sym, piece->stack));
    if (at != HASH_NONE) {
        const Outgoing *out = &sym->outgoing.at[at];
        bool aggregate = piece->type == TYPE_VOID;
        if (aggregate ? out->size == piece->size && out->version == sym->after.version
                      : out->size == 0 && term_at(&sym->terms, out->value)->type == piece->type)
            return out->value;
    }
    symbolic_complain(sym, "a stack argument is missing");
    return NO_TERM;
}

static void execute_call(Symbolic *sym, const MachInstr *instr) {
    Side *side = &sym->after;
    const Convention *convention = convention_of(sym->mach->program, (Sig){instr->aux});
    effect_begin(sym, side, EFFECT_CALL);
    bool indirect = instr->src[0].i != NO_ID || instr->memory == 0;
    effect_number(sym, side, indirect ? NO_ID : instr->ref);
    if (indirect) effect_term(sym, side, symbolic_mach_source(sym, instr, 0, TYPE_I64));
    effect_number(sym, side, instr->aux);
    uint32_t next = 0;
    for (uint32_t i = 0; i < convention->arguments.count && !sym->complaint; i++) {
        const Piece *piece = &convention->arguments.at[i];
        if (piece->where == PIECE_STACK)
            effect_term(sym, side, outgoing_value(sym, piece));
        else if (next < instr->arguments)
            effect_term(sym, side, place_value(sym, mach_arguments(sym->mach, instr)[next++]));
    }
    // One store each: none can be over another.
    if (sym->outgoing.count != convention->on_stack.count)
        symbolic_complain(sym, "something is stored among the stack arguments that is none");
    symbolic_clear_outgoing(sym);
    for (uint32_t k = 0; k < instr->results; k++) {
        uint32_t reg = place_reg(mach_results(sym->mach, instr)[k]).i;
        symbolic_set(
            sym, side, reg,
            term_atom(&sym->terms, reg_type(sym->mach, (Reg){reg}), ATOM_RESULT, side->version, k));
    }
    effect_end(side);
}

// The called function returns in the caller's place. The called function must not notice: no part
// of the frame is visible to it (the verifier excludes alloca, a variadic function may have its
// arguments there), and no argument is on the stack.
static void execute_tail_call(Symbolic *sym, const MachInstr *instr) {
    const Convention *convention = convention_of(sym->mach->program, (Sig){instr->aux});
    uint32_t effect = sym->after.version;
    execute_call(sym, instr);
    bool alike = sym->mach->program->target->returns_alike(sym->convention, convention);
    effect_begin(sym, &sym->after, EFFECT_RETURN);
    for (uint32_t k = 0; k < sym->convention->results.count && alike; k++) {
        Type type = convention->results.at[k].type;
        effect_term(sym, &sym->after, term_atom(&sym->terms, type, ATOM_RESULT, effect, k));
    }
    effect_end(&sym->after);
    bool variadic = program_sig_info(sym->mach->program, sym->mach->sig)->variadic;
    if (sym->mach->slots.count || variadic || convention->stack_size || !alike)
        symbolic_complain(sym, "a tail call is not possible here");
}

static void execute_params(Symbolic *sym, const MachInstr *instr) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < sym->convention->arguments.count; i++) {
        const Piece *piece = &sym->convention->arguments.at[i];
        if (piece->where != PIECE_REGISTER || next == instr->results) continue;
        uint32_t reg = place_reg(mach_results(sym->mach, instr)[next++]).i;
        Term value = term_atom(&sym->terms, TYPE_I64, ATOM_HIDDEN, 0, 0);
        if (piece->param != NO_ID) {
            const Program *program = sym->mach->program;
            const SigInfo *sig = program_sig_info(program, sym->mach->sig);
            bool aggregate =
                ptype_is_aggregate(program_ptype_info(program, sig->params[piece->param]));
            value = term_atom(&sym->terms, piece->type, aggregate ? ATOM_PIECE : ATOM_ARGUMENT,
                              piece->param, aggregate ? piece->offset : 0);
        }
        symbolic_set(sym, &sym->after, reg, value);
    }
}

static void execute_return(Symbolic *sym, const MachInstr *instr) {
    effect_begin(sym, &sym->after, EFFECT_RETURN);
    for (uint32_t k = 0; k < instr->arguments && !sym->free_return; k++)
        effect_term(sym, &sym->after, place_value(sym, mach_arguments(sym->mach, instr)[k]));
    effect_end(&sym->after);
}

// ---- Other effects

// Only a byte of memset's value counts; its immediate is apart, as the size is an immediate, too.
static Term builtin_source(Symbolic *sym, const MachInstr *instr, uint32_t k, Type type) {
    if (instr->op != BI_MEMSET || k != 1) return symbolic_mach_source(sym, instr, k, type);
    Term value = instr->immediate == 1 ? term_const(&sym->terms, TYPE_I32, instr->high, 0)
                                       : symbolic_mach_source(sym, instr, 1, TYPE_I32);
    return term_low(&sym->terms, CHUNK_U8, value);
}

static void execute_builtin(Symbolic *sym, const MachInstr *instr) {
    Side *side = &sym->after;
    const BuiltinInfo *info = builtin_info(instr->op);
    Term address = instr->addressed ? address_of(sym, instr, TYPE_I64) : NO_TERM;
    int64_t offset;
    if (instr->op == BI_MEMCPY &&
        is_outgoing(sym, symbolic_mach_source(sym, instr, 0, TYPE_I64), &offset)) {
        sym->reads = true;
        put_outgoing(sym, (Outgoing){.offset = (uint32_t)offset,
                                     .value = symbolic_mach_source(sym, instr, 1, TYPE_I64),
                                     .size = (uint64_t)instr->imm,
                                     .version = side->version});
        return;
    }
    if (mach_moves_stack(instr)) {
        sym->stack_changes++; // and the stack arguments are elsewhere
        symbolic_clear_outgoing(sym);
    }
    effect_begin(sym, side, EFFECT_BUILTIN);
    effect_number(sym, side, instr->op);
    if (builtin_has_number(info)) effect_number(sym, side, (uint64_t)instr->imm);
    if (info->form == BIF_PTYPE) effect_number(sym, side, instr->aux);
    if (builtin_has_order(info)) effect_number(sym, side, instr->aux);
    if (address.i != NO_ID) {
        effect_number(sym, side, instr->chunk);
        effect_term(sym, side, address);
    }
    Type type = address.i != NO_ID ? chunk_type(instr->chunk) : TYPE_I32;
    for (uint32_t k = 0; k < MACH_SOURCES; k++)
        if (instr->src[k].i != NO_ID || instr->immediate == k)
            effect_term(sym, side, builtin_source(sym, instr, k, type));
    if (instr->dest.i != NO_ID)
        set_dest(sym, instr,
                 term_atom(&sym->terms, reg_type(sym->mach, place_reg(instr->dest)), ATOM_RESULT,
                           side->version, 0));
    effect_end(side);
}

static void add_check(Symbolic *sym, Term holds) {
    effect_begin(sym, &sym->after, EFFECT_CHECK);
    effect_term(sym, &sym->after, holds);
    effect_end(&sym->after);
}

static void execute_operator(Symbolic *sym, const MachInstr *instr) {
    if (instr->checked) {
        const OpInfo *info = op_info(instr->op);
        Term args[2];
        for (uint32_t k = 0; k < 2; k++)
            args[k] = symbolic_mach_source(sym, instr, k, info->operand[k]);
        add_check(sym, term_op(&sym->terms, op_exactness(instr->op), args));
    }
    set_dest(sym, instr, operator_value(sym, instr));
}

static void execute_lea(Symbolic *sym, const MachInstr *instr) {
    set_dest(sym, instr, address_of(sym, instr, reg_type(sym->mach, place_reg(instr->dest))));
}

void symbolic_mach(Symbolic *sym, const MachInstr *instr) {
    switch ((MachKind)instr->kind) {
    case MK_OP: execute_operator(sym, instr); break;
    case MK_LEA: execute_lea(sym, instr); break;
    case MK_LOAD: set_dest(sym, instr, load(sym, instr)); break;
    case MK_STORE: execute_store(sym, instr); break;
    case MK_UPDATE: execute_update(sym, instr); break;
    case MK_LOAD_PART: execute_load_part(sym, instr); break;
    case MK_STORE_PART: execute_store_part(sym, instr); break;
    case MK_SELECT: execute_select(sym, instr); break;
    case MK_CHECK: add_check(sym, symbolic_mach_condition(sym, instr)); break;
    case MK_CALL: execute_call(sym, instr); break;
    case MK_TAIL_CALL: execute_tail_call(sym, instr); break;
    case MK_BUILTIN: execute_builtin(sym, instr); break;
    case MK_PARAMS: execute_params(sym, instr); break;
    case MK_RETURN: execute_return(sym, instr); break;
    case MK_MOVE:
    case MK_EXCHANGE: symbolic_complain(sym, "it is of the allocated state"); break;
    case MK_JUMP:
    case MK_BRANCH:
    case MK_SWITCH:
    case MK_TRAP:
    case MK_STOP:
    case MACH_KIND_COUNT: break;
    }
}
