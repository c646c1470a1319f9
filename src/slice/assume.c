#include "slice/assume.h"

#include "check/checkers.h"
#include "fact/effects.h"
#include "graph/dominance.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"

#include <string.h>

typedef struct {
    Arena *arena;
    const Func *func; // in SSA; the passes below leave its nodes where they are
    uint32_t rejected;
} Decider;

// Goes on with the result of a pass, if there is one and its checker accepts it.
static bool take(Decider *decider, const Func *after, Verdict verdict) {
    if (!verdict.accepted || after->nodes.count != decider->func->nodes.count) {
        decider->rejected++;
        return false;
    }
    decider->func = after;
    return true;
}

#define RUN(decider, pass, Hint)                                                                   \
    do {                                                                                           \
        Hint hint = {0};                                                                           \
        const Func *after = pass((decider)->arena, (decider)->func, &hint);                        \
        if (after)                                                                                 \
            changed |= take(                                                                       \
                (decider), after,                                                                  \
                check_values((decider)->arena, (decider)->func, after,                             \
                             explain_##Hint((decider)->arena, (decider)->func, after, &hint)));    \
    } while (0)

static bool run_passes(Decider *decider) {
    bool changed = false;
    RUN(decider, copy_prop, Numbering);
    RUN(decider, gvn, Numbering);
    RUN(decider, forward, ForwardHint);
    RUN(decider, sccp, SccpHint);
    RUN(decider, correlate, CorrelateHint);
    return changed;
}

// ---- Equalities

// Whether a branch goes on by its first way only, because a register equals a constant: else it
// takes a wrong step.
static bool says_equal(const Func *func, const Instr *instr) {
    if (instr->kind != I_COND || !instr->immediate || instr->arg_count != 1) return false;
    if (instr->op != OP_EQ_I32 && instr->op != OP_EQ_I64) return false;
    const Instr *other = func_at(func, instr->succ[1]);
    return other->kind == I_BUILTIN && other->op == BI_UNREACHABLE;
}

// The load of an integer in front of a branch that yields what is compared; NULL if there is none.
static const Instr *load_before(const Func *func, uint32_t branch) {
    const Instr *load = branch ? &func->nodes.at[branch - 1] : NULL;
    bool yields = load && load->kind == I_LOAD && load->succ[0].i == branch &&
                  load->dest.i == func->nodes.at[branch].arg[0].i;
    bool by_name = yields && load->base == BASE_SYMBOL && !load->scale &&
                   !(program_at(func->program, (Sym){load->ref})->flags & SYMF_CONST);
    return by_name && (load->chunk == CHUNK_I32 || load->chunk == CHUNK_I64) ? load : NULL;
}

// The function in which a register that is assumed to equal a constant is set to that, and so is
// the variable that it was loaded from: so the constant gets to where others see it. Nodes keep
// their numbers; new ones follow.
static const Func *with_equalities(Arena *arena, const Func *func) {
    Func *result = NULL;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (!says_equal(func, instr)) continue;
        if (!result) result = func_clone(func, arena);
        const Instr *load = load_before(func, n);
        Node to = instr->succ[0];
        if (load) {
            Instr store = {.kind = I_STORE,
                           .base = load->base,
                           .chunk = load->chunk,
                           .ref = load->ref,
                           .imm = load->imm,
                           .dest = NO_REG};
            Node at = func_add(result, store);
            func_set_args(result, at, instr->arg, 1);
            func_set_succs(result, at, &to, 1);
            to = at;
        }
        func_set_succ(result, (Node){n}, 0, func_const(result, instr->arg[0], instr->imm, to));
    }
    return result ? result : func;
}

// ---- Back to the nodes of the function as lowered

// The way that a node of the function in SSA takes; NO_ID if it has its choice.
static uint32_t way_of(const Func *before, const Func *after, Node node) {
    const Instr *was = func_at(before, node), *is = func_at(after, node);
    if (was->succ_count < 2 || is->succ_count != 1) return NO_ID;
    Node to = instr_succs(after, is)[0];
    for (uint32_t k = 0; k < was->succ_count; k++)
        if (instr_succs(before, was)[k].i == to.i) return k;
    return NO_ID;
}

enum { UNSEEN = NO_ID - 1 };

// If a node was copied, the copies that can be reached have to agree.
static void note_ways(Decider *decider, const Func *ssa, const CopiesHint *normal,
                      const Bits *added, uint32_t *way, uint32_t count) {
    Preds preds = preds_of(decider->arena, decider->func);
    Dominance dom = dominance_of(decider->arena, decider->func, &preds);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        uint32_t from = normal->old.at[n].i;
        if (bits_has(added, n) || from >= count || !dominance_reaches(&dom, (Node){n})) continue;
        uint32_t taken = way_of(ssa, decider->func, (Node){n});
        uint32_t *known = &way[from];
        *known = *known == UNSEEN || *known == taken ? taken : NO_ID;
    }
}

SliceDecisions slice_decide(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count, *way = ARENA_ARRAY(arena, uint32_t, count);
    SliceDecisions result = {.way = way};
    for (uint32_t n = 0; n < count; n++) way[n] = UNSEEN;
    CopiesHint normal = {0};
    Bits added;
    SsaHint versions = {0};
    func = with_equalities(arena, func);
    const Func *normalized = normalize_marked(arena, func, &normal, &added, true);
    const Func *ssa = normalized ? ssa_build(arena, normalized, &versions) : NULL;
    if (ssa && check_copies(arena, NULL, func, normalized, &normal).accepted &&
        check_ssa_build(arena, normalized, ssa, &versions).accepted) {
        enum { ROUNDS = 4 }; // what is decided may decide more, but seldom for long
        Decider decider = {.arena = arena, .func = ssa};
        for (uint32_t i = 0; i < ROUNDS && run_passes(&decider); i++) {
        }
        note_ways(&decider, ssa, &normal, &added, way, count);
        result.rejected = decider.rejected;
    } else {
        result.rejected = 1;
    }
    for (uint32_t n = 0; n < count; n++) {
        if (way[n] == UNSEEN) way[n] = NO_ID;
        result.decided += way[n] != NO_ID;
    }
    return result;
}
