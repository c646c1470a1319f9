// The way out of the excursion into gated SSA: drops the copies of close_loops and the arms that
// if_convert has converted. The hint compares the result with the function at the start, from the
// reports of the passes inside: the nodes and registers that they have added, the registers that
// are equal, the phis that have become selects.
//
// If nothing was converted and no phis turned out equal, there is nothing to gain: the function
// stays as it was before the excursion.
#include "pass/pass.h"

#include "form/gsa.h"
#include "pass/excursion_hints.h"
#include "pass/values/refine.h"

typedef struct {
    Arena *arena;
    const Func *before; // at the start
    const Func *func;   // in which the excursion has ended
    ValuesHint *hint;
    Refine refine;
    const Dominance *dom;  // of `before`, once it has been asked for
    VEC(const Func *) way; // from the start to the end, without the start
    VEC(Node) old;         // of each node of the function at hand, that of `before`; NO_NODE
    // Of each added register: the register of `before` that it equals; or NO_REG, and:
    VEC(Reg) same;
    VEC(Node) condition; // the branch whose condition it is; or NO_NODE
} Ungate;

// ---- The way

static bool find_way(Ungate *u) {
    bool worthwhile = false;
    uint32_t count = 0;
    u->before = u->func;
    for (; u->before->trail; u->before = u->before->trail->from) {
        PassId pass = u->before->trail->pass;
        worthwhile |= pass == PASS_if_convert || pass == PASS_gated_gvn;
        count++;
    }
    const Func **way = vec_extend(u->arena, &u->way, count);
    for (const Func *func = u->func; func->trail; func = func->trail->from) way[--count] = func;
    return worthwhile || !u->way.count;
}

static Reg same_as(const Ungate *u, Reg reg) {
    uint32_t regs = u->before->regs.count;
    return reg.i < regs ? reg : reg.i - regs < u->same.count ? u->same.at[reg.i - regs] : NO_REG;
}

static void add_reg(Ungate *u, Reg same, Node condition) {
    vec_push(u->arena, &u->same, same);
    vec_push(u->arena, &u->condition, condition);
}

static void take_copies(Ungate *u, const CloseLoopsHint *hint) {
    vec_clear(&u->old);
    for (uint32_t n = 0; n < hint->old.count; n++) vec_push(u->arena, &u->old, hint->old.at[n]);
    for (uint32_t i = 0; i < hint->original.count; i++) add_reg(u, hint->original.at[i], NO_NODE);
}

static void take_numbering(Ungate *u, const Numbering *hint) {
    for (uint32_t r = 0; r < hint->leader.count; r++) {
        Reg reg = same_as(u, (Reg){r}), leader = same_as(u, hint->leader.at[r]);
        if (reg.i != NO_ID && leader.i != NO_ID) refine_equal(&u->refine, reg, leader);
    }
}

// An eta goes, and its source takes its place: also where it was a copy behind a loop that was
// there from the start.
static void take_etas(Ungate *u, const Gsa *gsa) {
    for (uint32_t i = 0; i < gsa->etas.count; i++) {
        Reg reg = same_as(u, gsa->etas.at[i].dest), source = same_as(u, gsa->etas.at[i].source);
        if (reg.i != NO_ID && source.i != NO_ID) refine_equal(&u->refine, reg, source);
    }
}

// ---- Selects

static const Dominance *dominance(Ungate *u) {
    if (u->dom) return u->dom;
    Dominance *found = ARENA_NEW(u->arena, Dominance);
    *found = dominance_of(u->arena, u->before, &u->refine.preds);
    return u->dom = found;
}

// The edge of a branch behind which a node lies that the branch dominates.
static BranchEdge edge_above(Ungate *u, Node branch, Node node) {
    const Dominance *dom = dominance(u);
    const Instr *instr = func_at(u->before, branch);
    BranchEdge edge = {branch, 0};
    while (dom->idom[node.i].i != NO_ID && dom->idom[node.i].i != branch.i)
        node = dom->idom[node.i];
    for (uint32_t way = 0; way < instr->succ_count; way++)
        if (instr_succs(u->before, instr)[way].i == node.i) edge.way = way;
    return edge;
}

static void gate_join(Ungate *u, Node join, Node branch) {
    BranchEdge edges[2];
    if (!preds_are_just(&u->refine.preds, join, 2)) return;
    for (uint32_t k = 0; k < 2; k++)
        edges[k] = edge_above(u, branch, preds_at(&u->refine.preds, join)[k]);
    refine_gate(&u->refine, join, edges);
}

// The additions behind a join: repeated operators, a condition, selects for phis.
static void take_added(Ungate *u, const IfConvertHint *hint, const Func *given, Node branch,
                       const Instr *instr) {
    if (instr->dest.i < given->regs.count) {
        Reg phi = same_as(u, instr->dest), yes = same_as(u, instr->arg[1]),
            no = same_as(u, instr->arg[2]);
        if (phi.i != NO_ID && yes.i != NO_ID && no.i != NO_ID)
            refine_select(&u->refine, phi, branch, yes, no);
        return;
    }
    Reg original = hint->copy_of.at[instr->dest.i - given->regs.count];
    Reg same = original.i == NO_ID ? NO_REG : same_as(u, original);
    if (same.i != NO_ID) refine_form(&u->refine, same);
    add_reg(u, same, original.i == NO_ID ? branch : NO_NODE);
}

static void take_selects(Ungate *u, const Func *after) {
    const IfConvertHint *hint = after->trail->hint;
    const Func *given = after->trail->from;
    VEC(Node) old = {0};
    uint32_t at = 0;
    for (uint32_t n = 0; n < given->nodes.count; n++) {
        bool converts = at < hint->conversions.count && hint->conversions.at[at].join.i == n;
        if (converts) {
            const IfConversion *it = &hint->conversions.at[at++];
            Node branch = u->old.at[it->branch.i];
            gate_join(u, u->old.at[n], branch);
            vec_push(u->arena, &old, NO_NODE);
            for (uint32_t i = 0; i < it->count; i++) {
                take_added(u, hint, given, branch, &after->nodes.at[old.count]);
                vec_push(u->arena, &old, NO_NODE);
            }
        }
        vec_push(u->arena, &old, u->old.at[n]);
    }
    vec_clear(&u->old);
    for (uint32_t n = 0; n < old.count; n++) vec_push(u->arena, &u->old, old.at[n]);
}

static void take_way(Ungate *u) {
    for (uint32_t n = 0; n < u->before->nodes.count; n++) vec_push(u->arena, &u->old, (Node){n});
    for (uint32_t i = 0; i < u->way.count; i++) {
        const Func *after = u->way.at[i];
        switch (after->trail->pass) {
        case PASS_close_loops: take_copies(u, after->trail->hint); break;
        case PASS_gated_gvn:
            take_numbering(u, &((const GatedGvnHint *)after->trail->hint)->numbering);
            break;
        case PASS_if_convert: take_selects(u, after); break;
        case PASS_gsa_destruct: take_etas(u, after->trail->from->gsa); break;
        default: break;
        }
    }
    refine_part_selects(&u->refine);
}

// ---- Phis of other joins

// The edges by which control comes from the branch that dominates a join to its predecessors.
static void gate_by_dominator(Ungate *u, Node join) {
    const Preds *preds = &u->refine.preds;
    Node branch = dominance(u)->idom[join.i];
    uint32_t count = preds_count(preds, join);
    BranchEdge *edges = ARENA_ARRAY(u->arena, BranchEdge, count);
    for (uint32_t i = 0; i < u->hint->gated.count; i++)
        if (u->hint->gated.at[i].join.i == join.i) return;
    for (uint32_t k = 0; k < count; k++) edges[k] = edge_above(u, branch, preds_at(preds, join)[k]);
    if (func_at(u->before, branch)->kind == I_COND) (void)refine_test(&u->refine, branch);
    refine_gate(&u->refine, join, edges);
}

// A phi that equals a phi of another join does so because of the conditions under which both are
// merged.
static void explain_phis(Ungate *u) {
    Refine *refine = &u->refine;
    for (uint32_t i = 0; i < u->before->phis.count; i++) {
        Reg reg = u->before->phis.at[i].dest, leader = refine_leader(refine, reg);
        Definition here = refine->definitions[reg.i], there = refine->definitions[leader.i];
        if (there.by != SET_BY_PHI || there.node.i == here.node.i) continue;
        gate_by_dominator(u, here.node);
        gate_by_dominator(u, there.node);
    }
}

// ---- The function

static void explain_new_regs(Ungate *u, const Func *after) {
    uint32_t regs = u->before->regs.count;
    const Definition *now = definitions_of(u->arena, after);
    for (uint32_t i = 0; i < u->same.count; i++) {
        uint32_t *value = &u->hint->value_of_new.at[regs + i];
        if (now[regs + i].by == SET_BY_NOTHING) continue;
        if (u->same.at[i].i != NO_ID)
            *value = refine_value(&u->refine, u->same.at[i]);
        else if (u->condition.at[i].i != NO_ID)
            *value = refine_test(&u->refine, u->condition.at[i]);
    }
}

// Without copies and what is dead then. It is another function in any case.
static Func *clean(Ungate *u) {
    Numbering *numbering = ARENA_NEW(u->arena, Numbering);
    Func *copied = copy_prop(u->arena, u->func, numbering);
    if (copied) take_numbering(u, numbering);
    const Func *now = copied ? copied : u->func;
    Func *alive = dead_code(u->arena, now, &(DeadCodeHint){0});
    if (alive) return alive;
    return copied ? copied : u->way.count ? func_clone(u->func, u->arena) : NULL;
}

// NULL if the excursion was in vain or, outside of one, if there are neither copies nor dead code.
Func *ungate(Arena *arena, const Func *func, ValuesHint *hint) {
    Ungate u = {.arena = arena, .func = func, .hint = hint};
    if (!find_way(&u)) return NULL;
    u.refine = refine_new(arena, u.before, hint);
    take_way(&u);
    Func *after = clean(&u);
    if (!after) return NULL;
    explain_phis(&u);
    for (uint32_t n = 0; n < u.old.count; n++) vec_push(arena, &hint->old, u.old.at[n]);
    refine_values(&u.refine, after);
    explain_new_regs(&u, after);
    refine_write(&u.refine, after);
    return after;
}
