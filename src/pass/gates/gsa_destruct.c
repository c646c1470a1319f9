// Argument order means nothing in a gamma: for each predecessor k of its join, the argument is the
// one whose gate follows from the predicate of the way to k. Mostly that is the gate itself, in the
// same place, perhaps simplified, or a disjunct of one; gates that were rewritten otherwise are
// tried one by one.
#include "pass/pass.h"

#include "analysis/gate_paths.h"
#include "fact/gate/gate_proof.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Func *result;
    GsaDestructHint *hint;
    Gsa *table; // the function's predicates and those of paths
    GateForest forest;
    GateProof proof;
    Reg *original;
    GateDisjuncts disjuncts;
} GsaDestruct;

// ---- Arguments

// The argument for the predecessor with this path predicate; NO_ID if none is found.
static uint32_t find_argument(GsaDestruct *d, const Merge *merge, uint32_t k, Gate way,
                              bool *searched) {
    const MergeArg *args = merge_args(d->func, merge);
    if (k < merge->arg_count && args[k].gate.i == way.i) return k;
    if (!*searched) gate_disjuncts_search(&d->disjuncts, args, merge->arg_count);
    *searched = true;
    uint32_t holder = gate_disjuncts_holder(&d->disjuncts, way);
    if (holder != NO_ID) return holder;
    for (uint32_t i = 0; i < merge->arg_count; i++)
        if (gate_follows(&d->proof, way, args[i].gate)) return i;
    return NO_ID;
}

static bool add_phi(GsaDestruct *d, Node join, const Merge *merge, Reg *args) {
    uint32_t width = preds_count(&d->forest.preds, join);
    bool searched = false;
    for (uint32_t k = 0; k < width; k++) {
        uint32_t i = k;
        if (merge->kind == MERGE_GAMMA) {
            Gate way = d->forest.join_gate[d->forest.join_at[join.i] + k];
            i = find_argument(d, merge, k, way, &searched);
            vec_push(d->arena, &d->hint->choices, i);
        }
        if (i >= merge->arg_count) return false;
        args[k] = d->original[merge_args(d->func, merge)[i].reg.i];
    }
    func_add_phi(d->result, join, merge->dest, args, width);
    return true;
}

static bool add_phis(GsaDestruct *d) {
    const Func *func = d->func;
    d->disjuncts = gate_disjuncts_new(d->arena, d->table);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node join = {n};
        uint32_t count = gsa_merge_count(func, join), width = preds_count(&d->forest.preds, join);
        if (!count) continue;
        Reg *args = ARENA_ARRAY(d->arena, Reg, width);
        if (!loop_nest_is_header(&d->forest.loop_nest, join))
            gate_disjuncts_group(&d->disjuncts, d->forest.join_gate + d->forest.join_at[n], width);
        for (uint32_t m = 0; m < count; m++)
            if (!add_phi(d, join, &gsa_merges(func, join)[m], args)) return false;
    }
    func_end_phis(d->result);
    return true;
}

// ---- Etas

// An eta's register stands for its source from now on.
static void drop_etas(GsaDestruct *d) {
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

// Simplified predicates, if the gates are simplified; others if not, since more follows from them.
static bool find_paths(GsaDestruct *d) {
    for (d->hint->simplified = 1;; d->hint->simplified = 0) {
        d->hint->paths = (GatePaths){0};
        d->table = gsa_clone(d->arena, d->func->gsa);
        if (!forest_init(&d->forest, d->arena, d->func, d->table, &d->hint->paths)) return false;
        if (d->hint->simplified) forest_simplify(&d->forest);
        forest_grow(&d->forest);
        if (!d->hint->simplified || forest_is_regular(&d->forest)) return true;
    }
}

// The SSA form of a gated function; NULL if an argument of a gamma cannot be told for some
// predecessor.
Func *gsa_destruct(Arena *arena, const Func *func, GsaDestructHint *hint) {
    GsaDestruct d = {.arena = arena, .func = func, .hint = hint};
    if (!find_paths(&d)) return NULL;
    d.proof = gate_proof_new(arena, d.table);
    d.result = func_clone(func, arena);
    d.result->form = FORM_SSA;
    d.result->gsa = NULL;
    drop_etas(&d);
    return add_phis(&d) ? d.result : NULL;
}
