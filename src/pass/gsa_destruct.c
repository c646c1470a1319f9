// Argument order means nothing in a gamma: for each predecessor k of its join, the argument is the one
// whose gate follows from the predicate of the way to k. Mostly that is the gate itself, in the same
// place, or a disjunct of one; gates that were rewritten are tried one by one.
#include "pass/gsa_destruct.h"

#include "ir/gate_proof.h"
#include "pass/gate_paths.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Func *result;
    GsaDestructHint *hint;
    Gsa *table; // the function's predicates and those of paths
    GateForest forest;
    GateProof proof;
    Reg *original;
    // Which argument of the merge at hand has a predicate as its gate or as a disjunct of it.
    uint32_t *merge_of;
    uint32_t *arg_of;
    VEC(uint32_t) stack;
} Destruct;

// ---- Arguments

static void mark_disjuncts(Destruct *d, uint32_t merge, uint32_t arg, Gate gate) {
    const Gsa *gsa = d->table;
    vec_push(d->arena, &d->stack, gate.i);
    while (d->stack.count) {
        uint32_t at = vec_pop(&d->stack);
        if (d->merge_of[at] == merge) continue;
        d->merge_of[at] = merge;
        d->arg_of[at] = arg;
        if (gsa->gates.at[at].kind != GK_OR) continue;
        vec_push(d->arena, &d->stack, gsa->gates.at[at].first);
        vec_push(d->arena, &d->stack, gsa->gates.at[at].second);
    }
}

// The argument for the predecessor with this path predicate; NO_ID if none is found.
static uint32_t find_argument(Destruct *d, uint32_t number, const Merge *merge, uint32_t k,
                              Gate way, bool *marked) {
    const MergeArg *args = merge_args(d->func, merge);
    if (k < merge->arg_count && args[k].gate.i == way.i) return k;
    for (uint32_t i = 0; !*marked && i < merge->arg_count; i++)
        mark_disjuncts(d, number, i, args[i].gate);
    *marked = true;
    if (d->merge_of[way.i] == number) return d->arg_of[way.i];
    for (uint32_t i = 0; i < merge->arg_count; i++)
        if (gate_follows(&d->proof, way, args[i].gate)) return i;
    return NO_ID;
}

static bool add_phi(Destruct *d, Node join, uint32_t number, Reg *args) {
    const Merge *merge = &d->func->gsa->merges.at[number];
    uint32_t width = preds_count(&d->forest.preds, join);
    bool marked = false;
    for (uint32_t k = 0; k < width; k++) {
        uint32_t i = k;
        if (merge->kind == MERGE_GAMMA) {
            Gate way = d->forest.join_gate[d->forest.join_at[join.i] + k];
            i = find_argument(d, number, merge, k, way, &marked);
            vec_push(d->arena, &d->hint->choices, i);
        }
        if (i >= merge->arg_count) return false;
        args[k] = d->original[merge_args(d->func, merge)[i].reg.i];
    }
    func_add_phi(d->result, join, merge->dest, args, width);
    return true;
}

static bool add_phis(Destruct *d) {
    const Gsa *gsa = d->func->gsa;
    d->merge_of = ARENA_ARRAY(d->arena, uint32_t, d->table->gates.count);
    d->arg_of = ARENA_ARRAY(d->arena, uint32_t, d->table->gates.count);
    for (uint32_t i = 0; i < d->table->gates.count; i++) d->merge_of[i] = NO_ID;
    for (uint32_t n = 0; gsa->merges.count && n < d->func->nodes.count; n++) {
        uint32_t first = gsa->merge_at.at[n], end = gsa->merge_at.at[n + 1];
        if (first == end) continue;
        Reg *args = ARENA_ARRAY(d->arena, Reg, preds_count(&d->forest.preds, (Node){n}));
        for (uint32_t m = first; m < end; m++)
            if (!add_phi(d, (Node){n}, m, args)) return false;
    }
    func_end_phis(d->result);
    return true;
}

// ---- Etas

// An eta's register stands for its source from now on.
static void drop_etas(Destruct *d) {
    const Func *func = d->func;
    d->original = ARENA_ARRAY(d->arena, Reg, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) d->original[r] = (Reg){r};
    for (uint32_t i = 0; i < func->gsa->etas.count; i++) {
        const Eta *eta = &func->gsa->etas.at[i];
        d->original[eta->dest.i] = d->original[eta->source.i];
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &d->result->nodes.at[n];
        Reg *args =
            instr->arg_count <= INLINE_ARGS ? instr->arg : d->result->reg_pool.at + instr->args_at;
        for (uint32_t i = 0; i < instr->arg_count; i++) args[i] = d->original[args[i].i];
    }
}

Func *gsa_destruct(Arena *arena, const Func *func, GsaDestructHint *hint) {
    Destruct d = {.arena = arena, .func = func, .hint = hint};
    d.table = gsa_clone(arena, func->gsa);
    if (!forest_init(&d.forest, arena, func, d.table, &hint->paths)) return NULL;
    forest_grow(&d.forest);
    d.proof = gate_proof_new(arena, d.table);
    d.result = func_clone(func, arena);
    d.result->form = FORM_SSA;
    d.result->gsa = NULL;
    drop_etas(&d);
    return add_phis(&d) ? d.result : NULL;
}
