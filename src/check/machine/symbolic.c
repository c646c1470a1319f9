#include "check/machine/symbolic.h"

Term symbolic_get(const Symbolic *sym, const Side *side, uint32_t reg) {
    return side->stamp[reg] == sym->walk ? side->value[reg] : NO_TERM;
}

void symbolic_set(Symbolic *sym, Side *side, uint32_t reg, Term value) {
    bool shared = reg < sym->rtl->regs.count;
    if (shared && side->stamp[reg] != sym->walk) vec_push(sym->arena, &sym->were_set, reg);
    side->value[reg] = shared ? term_settled(&sym->terms, value) : value;
    side->stamp[reg] = sym->walk;
}

// ---- What RTL does

void symbolic_note(Symbolic *sym, Term term, uint32_t version, uint32_t size) {
    while (sym->done.count <= term.i) vec_push(sym->arena, &sym->done, (Done){0});
    Done *done = &sym->done.at[term.i];
    if (done->walk != sym->walk) *done = (Done){sym->walk, version, size};
    if (done->size < size) done->size = size;
}

bool symbolic_is_done(const Symbolic *sym, Term term, uint32_t version, uint32_t size) {
    if (term.i >= sym->done.count) return false;
    const Done *done = &sym->done.at[term.i];
    return done->walk == sym->walk && done->version <= version && size <= done->size;
}

Term symbolic_cell(Symbolic *sym, Term address, uint32_t version) {
    return term_atom(&sym->terms, TYPE_VOID, ATOM_CELL, term_settled(&sym->terms, address).i,
                     version);
}

// ---- Addresses

// A slot that the machine function has added is the copy of a parameter.
Term symbolic_slot(Symbolic *sym, uint32_t slot) {
    uint32_t own = sym->rtl->slots.count;
    if (slot < own) return term_atom(&sym->terms, TYPE_I64, ATOM_SLOT, slot, 0);
    return term_atom(&sym->terms, TYPE_I64, ATOM_COPY, sym->param_of_slot[slot - own], 0);
}

Term symbolic_constant(Symbolic *sym, Op op, int64_t imm, uint32_t high, uint32_t ref) {
    if (op == OP_ADDR_SLOT) return term_offset(&sym->terms, symbolic_slot(sym, ref), imm);
    if (op == OP_ADDR_SYMBOL)
        return term_offset(&sym->terms, term_atom(&sym->terms, TYPE_I64, ATOM_SYMBOL, ref, 0), imm);
    return term_const(&sym->terms, op_info(op)->result, imm, high);
}

Term symbolic_division(Symbolic *sym, Op op, const Term *args) {
    OpFamily family = op_family(op);
    if (family == FAM_MODS) family = FAM_DIVS;
    if (family == FAM_MODU) family = FAM_DIVU;
    return term_op(&sym->terms, op_of(family, op_info(op)->result), args);
}

bool symbolic_was_at(Symbolic *sym, uint32_t node) {
    if (!sym->dominance) {
        Preds preds = preds_of(sym->arena, sym->rtl);
        Dominance *dominance = ARENA_NEW(sym->arena, Dominance);
        *dominance = dominance_of(sym->arena, sym->rtl, &preds);
        sym->dominance = dominance;
    }
    Node start = {sym->start};
    return dominance_reaches(sym->dominance, start) && node != sym->start &&
           dominates(sym->dominance, (Node){node}, start);
}

// ---- Pieces of aggregates

// A piece of a size that a load has is that load, extended.
Term symbolic_part(Symbolic *sym, Type type, uint32_t size, Term address, uint32_t version) {
    Terms *terms = &sym->terms;
    if (type == TYPE_F80) return term_load(terms, CHUNK_F80, address, version);
    if (size == 8)
        return term_load(terms, type == TYPE_F64 ? CHUNK_F64 : CHUNK_I64, address, version);
    if (type == TYPE_I64 && (size == 1 || size == 2 || size == 4)) {
        Chunk chunk = size == 1 ? CHUNK_U8 : size == 2 ? CHUNK_U16 : CHUNK_I32;
        Term load = term_load(terms, chunk, address, version);
        return term_op(terms, OP_ZEXT_I64, &load);
    }
    return term_atom(terms, type, ATOM_PART + size, term_settled(terms, address).i, version);
}

void symbolic_store_part(Symbolic *sym, Side *side, uint32_t size, Term address, Term value) {
    Type type = term_at(&sym->terms, value)->type;
    if (type == TYPE_F80) {
        symbolic_store(sym, side, CHUNK_F80, address, value);
    } else if (size == 8) {
        symbolic_store(sym, side, type == TYPE_F64 ? CHUNK_F64 : CHUNK_I64, address, value);
    } else if (type == TYPE_I64 && (size == 1 || size == 2 || size == 4)) {
        Chunk chunk = size == 1 ? CHUNK_I8 : size == 2 ? CHUNK_I16 : CHUNK_I32;
        symbolic_store(sym, side, chunk, address, term_op(&sym->terms, OP_TRUNC_I32, &value));
    } else {
        effect_begin(sym, side, EFFECT_STORE_PART);
        effect_number(sym, side, size);
        effect_term(sym, side, address);
        effect_term(sym, side, value);
        effect_end(side);
    }
}

// Constant floats are stored as their bits; of a narrow integer only the low bits count.
void symbolic_store(Symbolic *sym, Side *side, Chunk chunk, Term address, Term value) {
    TermNode node = *term_at(&sym->terms, value);
    if (node.kind == TERM_CONST && (chunk == CHUNK_F32 || chunk == CHUNK_F64)) {
        chunk = chunk == CHUNK_F32 ? CHUNK_I32 : CHUNK_I64;
        value = term_const(&sym->terms, chunk_type(chunk), node.imm, 0);
    }
    if (chunk == CHUNK_U8) chunk = CHUNK_I8;
    if (chunk == CHUNK_U16) chunk = CHUNK_I16;
    effect_begin(sym, side, EFFECT_STORE);
    effect_number(sym, side, chunk);
    effect_term(sym, side, address);
    effect_term(sym, side, term_low(&sym->terms, chunk, value));
    effect_end(side);
}

// ---- Effects

void effect_begin(Symbolic *sym, Side *side, EffectKind kind) {
    vec_push(sym->arena, &side->effects, kind);
}

void effect_number(Symbolic *sym, Side *side, uint64_t number) {
    vec_push(sym->arena, &side->effects, number);
}

void effect_term(Symbolic *sym, Side *side, Term term) {
    Term settled = term.i == NO_ID ? term : term_settled(&sym->terms, term);
    vec_push(sym->arena, &side->effects, settled.i);
}

void effect_end(Side *side) {
    side->version++;
}
