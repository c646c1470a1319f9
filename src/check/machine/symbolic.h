// Symbolic execution of one block, in RTL and in the machine form, for the checker of instruction
// selection.
//
// Each side keeps a term for every register that it has set in the block (settled, see terms.h, if
// both sides have the register). It writes down its effects, one after the other, as numbers:
// stores, calls, builtins, checks, the return. The number of effects so far is the version of
// memory: a loaded value is a term of its address and the version.
#pragma once

#include "check/machine/terms.h"
#include "form/mach.h"
#include "graph/dominance.h"
#include "target/model.h"

// Atoms.
//   INPUT     register a at the start of the block
//   SYMBOL    address of symbol a; SLOT: of slot a
//   RESULT    result b of effect a
//   ARGUMENT  the scalar parameter a; PIECE: of the aggregate parameter a, the contents of the
//             register for offset b; COPY: the address of the function's own copy of the parameter
//   HIDDEN    the address for the function's result
//   INCOMING, OUTGOING  addresses of the stack arguments, got and given; OUTGOING after the stack
//             has been changed a times in the block
//   CELL      the bytes at address a in memory of version b, whatever their number
//   PART      the low bytes, tag - PART of them, at address a in memory of version b
typedef enum {
    ATOM_INPUT,
    ATOM_SYMBOL,
    ATOM_SLOT,
    ATOM_RESULT,
    ATOM_ARGUMENT,
    ATOM_PIECE,
    ATOM_COPY,
    ATOM_HIDDEN,
    ATOM_INCOMING,
    ATOM_OUTGOING,
    ATOM_CELL,
    ATOM_PART
} AtomTag;

typedef enum {
    EFFECT_STORE,
    EFFECT_STORE_PART,
    EFFECT_CALL,
    EFFECT_BUILTIN,
    EFFECT_CHECK,
    EFFECT_RETURN
} EffectKind;

typedef struct {
    Term *value;     // per register; counts if
    uint32_t *stamp; // this is the number of the walk
    VEC(uint64_t) effects;
    uint32_t version; // effects so far
} Side;

// An action of RTL in the block, with the version of memory by then: a machine function may do the
// same, not earlier. For a CELL: how many bytes are read.
typedef struct {
    uint32_t walk, version, size;
} Done;

// The values that the machine function has put among the stack arguments of the next call.
typedef struct {
    uint32_t offset;
    Term value;       // a scalar, or the address that an aggregate is copied from
    uint64_t size;    // of an aggregate; 0 for a scalar, all of which is stored
    uint32_t version; // of an aggregate
} Outgoing;

typedef struct {
    Arena *arena;
    const Func *rtl, *mach;
    Terms terms;
    Side before, after;
    VEC(uint32_t) were_set; // registers of RTL that a side has set in the block
    uint32_t walk;          // number of the block being walked, from 1
    VEC(Done) done;         // per term
    uint32_t *constant;     // per RTL register: the only node that sets it, if that node sets a
                            // constant or an address; NO_ID otherwise
    uint32_t *as_it_came; // per RTL register: the last walk in which the machine function reads its
                          // value at the start
    const Dominance *dominance;   // of the RTL function; NULL until it is needed
    const Convention *convention; // of the function itself
    uint32_t
        *param_of_slot; // per slot of `mach` above the slots of `rtl`: the parameter whose copy it
                        // is
    uint32_t hidden;    // register of `mach` that holds the address for the result; NO_ID if none
    uint32_t *kept;     // per register of `mach` above the registers of `rtl`: the instruction of
                        // block 0 that alone sets it, to a constant or an address; NO_ID otherwise
    uint32_t start;     // node at which the block starts
    VEC(Outgoing) outgoing;
    Map outgoing_at; // by number of the call and offset: the last of `outgoing` that is there
    uint32_t calls;  // number of the call that `outgoing` is for
    uint32_t stack_changes; // by alloca and stack_restore in the block
    bool *is_copied;        // per piece of an argument: it was stored into the parameter's copy
    uint32_t copied;        // how many were
    bool reads;             // the machine function has read memory in the block
    bool free_return;       // RTL returns no value from a function that has one
    const char *complaint;  // first reason why a side cannot be followed; NULL if none
} Symbolic;

// ---- What both sides do

static inline void symbolic_complain(Symbolic *sym, const char *reason) {
    if (!sym->complaint) sym->complaint = reason;
}
static inline void symbolic_clear_outgoing(Symbolic *sym) {
    vec_clear(&sym->outgoing);
    sym->calls++;
}
Term symbolic_get(const Symbolic *sym, const Side *side, uint32_t reg); // NO_TERM if not set
void symbolic_set(Symbolic *sym, Side *side, uint32_t reg, Term value);
void symbolic_note(Symbolic *sym, Term term, uint32_t version, uint32_t size);
// Whether RTL has done it by the version.
bool symbolic_is_done(const Symbolic *sym, Term term, uint32_t version, uint32_t size);
Term symbolic_cell(Symbolic *sym, Term address, uint32_t version);
// The value of an operator without operands.
Term symbolic_constant(Symbolic *sym, Op op, int64_t imm, uint32_t high, uint32_t ref);
Term symbolic_slot(Symbolic *sym, uint32_t slot);
// What a partial operator must not compute where RTL does not: of a remainder, which is a sum
// (term_rules.def), the quotient.
Term symbolic_division(Symbolic *sym, Op op, const Term *args);
// Whether RTL has come to a node whenever it is at the start of the block.
bool symbolic_was_at(Symbolic *sym, uint32_t node);
// A piece of an aggregate that is read from memory; its store.
Term symbolic_part(Symbolic *sym, Type type, uint32_t size, Term address, uint32_t version);
void symbolic_store_part(Symbolic *sym, Side *side, uint32_t size, Term address, Term value);
void symbolic_store(Symbolic *sym, Side *side, Chunk chunk, Term address, Term value);

// An effect: begin, numbers, end.
void effect_begin(Symbolic *sym, Side *side, EffectKind kind);
void effect_number(Symbolic *sym, Side *side, uint64_t number);
void effect_term(Symbolic *sym, Side *side, Term term);
void effect_end(Side *side);

// ---- One side each

// Executes an RTL node that has one successor, or the effect of a return.
void symbolic_rtl(Symbolic *sym, Node node);
// The value of a register; of an argument of a node.
Term symbolic_rtl_reg(Symbolic *sym, uint32_t reg);
Term symbolic_rtl_arg(Symbolic *sym, const Instr *instr, uint32_t k);
Term symbolic_rtl_condition(Symbolic *sym, const Instr *instr);

void symbolic_mach(Symbolic *sym, const MachInstr *instr);
Term symbolic_mach_source(Symbolic *sym, const MachInstr *instr, uint32_t k, Type type);
Term symbolic_mach_condition(Symbolic *sym, const MachInstr *instr);
Term symbolic_mach_reg(Symbolic *sym, uint32_t reg);
