// Weighs bodies against their calls, for inline_calls and for the plan. A call is as dear as its
// arguments: a structure is copied to the callee and back, word by word. And arguments make a
// copied body simpler: a variable of the caller whose address is passed may be in registers
// afterwards, and constants decide branches.
#include "pass/rtl/inline_weight.h"

#include "base/bits.h"
#include "fact/effects.h"
#include "graph/definitions.h"

struct InlineWeights {
    Arena *arena;
    const Func *func;
    const Definition *definitions; // NULL: nobody has asked yet
};

enum { WORD = 8 };
enum { DEEPEST = 4 }; // moves that are followed

InlineWeights *inline_weights(Arena *arena, const Func *func) {
    InlineWeights *weights = ARENA_NEW(arena, InlineWeights);
    *weights = (InlineWeights){.arena = arena, .func = func};
    return weights;
}

// Whether an instruction makes code of its own.
static bool makes_code(const Instr *instr) {
    return instr->kind != I_NOP && !(instr->kind == I_OP && op_is_move(instr->op));
}

uint32_t inline_size(const Func *body) {
    uint32_t size = 0;
    for (uint32_t n = 0; n < body->nodes.count; n++) size += makes_code(&body->nodes.at[n]);
    return size;
}

// ---- What the arguments bring

typedef enum { BRINGS_NOTHING, BRINGS_CONSTANT, BRINGS_SLOT } Brings;

// What is known of an argument. Copies of inner bodies have moved it a few times, perhaps.
static Brings brings(const InlineWeights *weights, Reg arg) {
    for (uint32_t i = 0; i < DEEPEST; i++) {
        const Instr *instr = defining_instr(weights->func, weights->definitions, arg);
        if (!instr || instr->kind != I_OP) return BRINGS_NOTHING;
        if (op_is_move(instr->op)) {
            arg = instr->arg[0];
            continue;
        }
        if (instr->op == OP_ADDR_SLOT) return BRINGS_SLOT;
        return op_info(instr->op)->arity == 0 ? BRINGS_CONSTANT : BRINGS_NOTHING;
    }
    return BRINGS_NOTHING;
}

static bool reads(const Func *body, const Instr *instr, Reg reg, uint32_t from) {
    for (uint32_t k = from; k < instr->arg_count; k++)
        if (instr_args(body, instr)[k].i == reg.i) return true;
    return false;
}

// The accesses by the address of a slot, which a register of a body holds; nothing if the slot
// stays in memory, since its address is used otherwise.
static uint32_t count_accesses(const Func *body, Reg address, uint32_t depth, bool *escapes) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < body->nodes.count && !*escapes; n++) {
        const Instr *instr = &body->nodes.at[n];
        if (!reads(body, instr, address, 0) || instr->kind == I_RETURN) continue;
        if (instr->kind == I_OP && op_is_move(instr->op) && depth < DEEPEST) {
            count += count_accesses(body, instr->dest, depth + 1, escapes);
            continue;
        }
        bool accesses = instr->kind == I_LOAD || instr->kind == I_STORE || instr_is_memcpy(instr) ||
                        instr_is_memset(instr);
        *escapes = !accesses || reads(body, instr, address, instr_accessed_args(instr));
        count += instr->kind == I_BUILTIN && instr->imm > WORD ? 2 : 1;
    }
    return *escapes ? 0 : count;
}

static bool reads_only(const Func *body, const Instr *instr, const Bits *known) {
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (!bits_has(known, instr_args(body, instr)[k].i)) return false;
    return true;
}

// The nodes that are simpler because a register of a body holds a constant: operators that follow
// from this constant and others, branches on such operators, loads at such places.
static uint32_t count_decided(Arena *arena, const Func *body, Reg constant) {
    uint32_t count = 0;
    Bits known = bits_new(arena, body->regs.count);
    bits_add(&known, constant.i);
    for (uint32_t n = 0; n < body->nodes.count; n++) {
        const Instr *instr = &body->nodes.at[n];
        if (!reads_only(body, instr, &known)) continue;
        bool reads = instr->arg_count > 0, branches = false;
        if (instr->kind == I_OP)
            bits_add(&known, instr->dest.i);
        else if (!(branches = instr_is_branch(instr)))
            reads &= instr->kind == I_LOAD;
        if (reads && makes_code(instr)) count += branches ? 2 : 1;
    }
    return count;
}

static uint32_t count_simpler(Arena *arena, const Func *body, Reg param, Brings what) {
    bool escapes = false;
    if (what == BRINGS_SLOT) return count_accesses(body, param, 0, &escapes);
    return what == BRINGS_CONSTANT ? count_decided(arena, body, param) : 0;
}

static uint32_t words_of(const ParamType *type) {
    if (!ptype_is_aggregate(type)) return type->size > 0;
    uint64_t words = (type->size + WORD - 1) / WORD;
    enum { MOST_WORDS = 8 };
    return 2 * (uint32_t)(words < MOST_WORDS ? words : MOST_WORDS);
}

uint32_t inline_limit(InlineWeights *weights, const Instr *call, const Func *body) {
    const Program *program = weights->func->program;
    const SigInfo *sig = program_sig_info(program, body->sig);
    const ParamType *result = program_ptype_info(program, sig->result);
    uint32_t limit = INLINE_TINY + (ptype_is_aggregate(result) ? words_of(result) : 0);
    if (!weights->definitions) weights->definitions = definitions_of(weights->arena, weights->func);
    for (uint32_t i = 0; i < body->params.count; i++) {
        const ParamType *type = program_ptype_info(program, sig->params[i]);
        limit += ptype_is_aggregate(type) ? words_of(type) : 1;
        Brings what = brings(weights, instr_args(weights->func, call)[i]);
        if (!ptype_is_aggregate(type))
            limit += count_simpler(weights->arena, body, body->params.at[i], what);
    }
    return limit;
}
