// Removes decided parts from gates. A gamma has one gate for each predecessor of its join: the
// predicate of the way from the block that dominates the join. Parts of this predicate are decided
// before control comes to the join, and go (fact/gate/gate_decided.h): conditions that were decided
// above, and conditions of blocks through which all ways lead. In
//     if (a) { if (b) ...; else ...; x = 1; } else x = 2;
// the first gate of x is `a`, and no longer `a and (b or not b)`.
//
// Only gates as gsa_build makes them are touched. Gates of etas, loops and ends stay: they say how
// control goes. Gates that nothing reads any more leave the table.
#include "pass/pass.h"

#include "analysis/gate_paths.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Gsa *table; // the table of the function, and more
    GateForest plain, simplified;
    VEC(Gate *) places; // of gates in the result
} GateSimplify;

static bool has_gamma(const Gsa *gsa) {
    for (uint32_t i = 0; i < gsa->merges.count; i++)
        if (gsa->merges.at[i].kind == MERGE_GAMMA) return true;
    return false;
}

// The simplified gates of the ways into a join.
static const Gate *gates_into(const GateSimplify *s, Node join) {
    return s->simplified.join_gate + s->simplified.join_at[join.i];
}

static bool same_gates(const GateSimplify *s, const Merge *gamma, const Gate *gates) {
    const MergeArg *args = merge_args(s->func, gamma);
    for (uint32_t k = 0; k < gamma->arg_count; k++)
        if (args[k].gate.i != gates[k].i) return false;
    return true;
}

static bool has_one_for_each(const GateSimplify *s, Node join, const Merge *gamma) {
    return gamma->kind == MERGE_GAMMA &&
           gamma->arg_count == preds_count(&s->simplified.preds, join);
}

// Whether some gamma has other gates than the simplified ones.
static bool is_worthwhile(const GateSimplify *s) {
    for (uint32_t n = 0; n < s->func->nodes.count; n++)
        for (uint32_t i = 0; i < gsa_merge_count(s->func, (Node){n}); i++) {
            const Merge *merge = &gsa_merges(s->func, (Node){n})[i];
            if (has_one_for_each(s, (Node){n}, merge) &&
                !same_gates(s, merge, gates_into(s, (Node){n})))
                return true;
        }
    return false;
}

// ---- The new table

// Replaces gates of gammas, still by their numbers in the larger table. False if none can be.
static bool replace_gates(GateSimplify *s, Func *result) {
    bool replaced = false;
    for (uint32_t n = 0; n < s->func->nodes.count; n++)
        for (uint32_t i = 0; i < gsa_merge_count(s->func, (Node){n}); i++) {
            const Merge *merge = &gsa_merges(s->func, (Node){n})[i];
            const Gate *gates = gates_into(s, (Node){n});
            if (!has_one_for_each(s, (Node){n}, merge) || same_gates(s, merge, gates) ||
                !same_gates(s, merge, s->plain.join_gate + s->plain.join_at[n]))
                continue;
            replaced = true;
            for (uint32_t k = 0; k < merge->arg_count; k++)
                result->gsa->merge_args.at[merge->args_at + k].gate = gates[k];
        }
    return replaced;
}

// Where a function has gates.
static void list_gates(GateSimplify *s, Gsa *gsa) {
    for (uint32_t i = 0; i < gsa->merge_args.count; i++)
        vec_push(s->arena, &s->places, &gsa->merge_args.at[i].gate);
    for (uint32_t i = 0; i < gsa->etas.count; i++)
        vec_push(s->arena, &s->places, &gsa->etas.at[i].gate);
    for (uint32_t i = 0; i < gsa->loops.count; i++) {
        vec_push(s->arena, &s->places, &gsa->loops.at[i].leaves);
        vec_push(s->arena, &s->places, &gsa->loops.at[i].goes_on);
    }
    for (uint32_t i = 0; i < gsa->ends.count; i++)
        vec_push(s->arena, &s->places, &gsa->ends.at[i].gate);
}

// Operands have smaller numbers.
static bool *find_wanted(const GateSimplify *s) {
    bool *wanted = ARENA_ARRAY(s->arena, bool, s->table->gates.count);
    for (uint32_t i = 0; i < s->places.count; i++) wanted[s->places.at[i]->i] = true;
    for (uint32_t i = s->table->gates.count; i-- > 0;) {
        const GateNode *node = &s->table->gates.at[i];
        if (!wanted[i] || (node->kind != GK_AND && node->kind != GK_OR)) continue;
        wanted[node->first] = wanted[node->second] = true;
    }
    return wanted;
}

// Puts the predicates that are used into the function's own table.
static void build_table(GateSimplify *s, Gsa *gsa) {
    Gsa *fresh = gsa_new(s->arena);
    list_gates(s, gsa);
    const Gate *number = gsa_import(s->arena, fresh, s->table, find_wanted(s));
    for (uint32_t i = 0; i < s->places.count; i++) *s->places.at[i] = number[s->places.at[i]->i];
    gsa->atoms = fresh->atoms;
    gsa->gates = fresh->gates;
    gsa->switches = fresh->switches;
    gsa->case_values = fresh->case_values;
    gsa->atom_table = fresh->atom_table;
    gsa->gate_table = fresh->gate_table;
    gsa->cases_table = fresh->cases_table;
}

// NULL if there is nothing to simplify.
Func *gate_simplify(Arena *arena, const Func *func, GateSimplifyHint *hint) {
    GatePaths paths = {0};
    if (!has_gamma(func->gsa)) return NULL;
    GateSimplify s = {.arena = arena, .func = func, .table = gsa_clone(arena, func->gsa)};
    if (!forest_init(&s.simplified, arena, func, s.table, &hint->paths)) return NULL;
    forest_simplify(&s.simplified);
    forest_grow(&s.simplified);
    if (!is_worthwhile(&s)) return NULL;
    forest_init_again(&s.plain, &s.simplified, &paths);
    forest_grow(&s.plain);
    Func *result = func_clone(func, arena);
    if (!replace_gates(&s, result)) return NULL;
    build_table(&s, result->gsa);
    return result;
}
