#include "slice/assume.h"

#include "check/checkers.h"
#include "fact/effects.h"
#include "form/son.h"
#include "pass/pass.h"
#include "pass/son/son_trail.h"
#include "pass/son/son_work.h"

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

enum { UNSEEN = NO_ID - 1 };

// An excursion of a function in SSA into the Sea of Nodes, and back.
typedef struct {
    const Func *ssa;
    const SonWork *work; // what the excursion found out about the nodes of `ssa`
    Bits chooses;        // nodes of `ssa` that the function at the end performs as branches
} SonExcursion;

// False if the checker does not accept the excursion.
static bool excursion_of(Arena *arena, const Func *ssa, SonExcursion *result) {
    ValuesHint hint = {0};
    const Func *son = son_optimize_bare(arena, son_build_bare(arena, ssa));
    const Func *after = son_schedule(arena, son, &hint);
    if (!after || !check_values(arena, ssa, after, &hint).accepted) return false;
    *result = (SonExcursion){.ssa = ssa, .work = son->son->trail->work};
    result->chooses = bits_new(arena, ssa->nodes.count);
    for (uint32_t n = 0; n < after->nodes.count; n++)
        if (hint.old.at[n].i != NO_ID && instr_is_branch(&after->nodes.at[n]))
            bits_add(&result->chooses, hint.old.at[n].i);
    return true;
}

// The only way that a branch takes, NO_ID if it has its choice. The checker accepts a function that
// does not perform a branch only if one way is left.
static uint32_t way_of(const SonExcursion *it, uint32_t node) {
    bool branches = it->ssa->nodes.at[node].succ_count > 1;
    return branches && !bits_has(&it->chooses, node) ? it->work->way[node] : NO_ID;
}

// If a node was copied, the copies that can be reached have to agree.
static void note_ways(const SonExcursion *it, const CopiesHint *normal, const Bits *added,
                      uint32_t *way, uint32_t count) {
    for (uint32_t n = 0; n < it->ssa->nodes.count; n++) {
        uint32_t from = normal->old.at[n].i;
        if (bits_has(added, n) || from >= count || !bits_has(&it->work->reached, n)) continue;
        uint32_t taken = way_of(it, n), *known = &way[from];
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
    SonExcursion excursion;
    func = with_equalities(arena, func);
    const Func *normalized = normalize_marked(arena, func, &normal, &added, true);
    const Func *ssa = normalized ? ssa_build(arena, normalized, &versions) : NULL;
    if (ssa && check_copies(arena, NULL, func, normalized, &normal).accepted &&
        check_ssa_build(arena, normalized, ssa, &versions).accepted &&
        excursion_of(arena, ssa, &excursion))
        note_ways(&excursion, &normal, &added, way, count);
    else
        result.rejected = 1;
    for (uint32_t n = 0; n < count; n++) {
        if (way[n] == UNSEEN) way[n] = NO_ID;
        result.decided += way[n] != NO_ID;
    }
    return result;
}
