// The way out of the excursion into gated SSA: without the copies of close_loops and the arms of what if_convert has
// converted. The hint compares the result with the function at the start, from what the passes inside say of themselves: which
// nodes and registers they have added, which registers are equal, which phis have become selects.
//
// If nothing was converted and no phis turned out equal, there is nothing to gain: the function is what it was.
#include "pass/pass.h"

#include "pass/refine.h"
#include "pass/trail.h"

typedef struct {
    Arena *arena;
    const Func *before; // at the start
    const Func *func;   // in which the excursion has ended
    ValuesHint *hint;
    Refine refine;
    VEC(const Func *) way; // from the start to the end, without the start
    VEC(Node) old;         // of each node of the function at hand, that of `before`; NO_NODE
    // Of each register that was added: the one of `before` that it equals; or NO_REG, and:
    VEC(Reg) same;
    VEC(Node) condition; // the branch whose condition it is; or NO_NODE
} Settle;

// ---- The way

static bool find_way(Settle *s) {
    bool worthwhile = false;
    uint32_t count = 0;
    s->before = s->func;
    for (; s->before->trail; s->before = s->before->trail->from) {
        PassId pass = s->before->trail->pass;
        worthwhile |= pass == PASS_if_convert || pass == PASS_gated_gvn;
        count++;
    }
    const Func **way = vec_extend(s->arena, &s->way, count);
    for (const Func *func = s->func; func->trail; func = func->trail->from) way[--count] = func;
    return worthwhile || !s->way.count;
}

static Reg same_as(const Settle *s, Reg reg) {
    uint32_t regs = s->before->regs.count;
    return reg.i < regs ? reg : reg.i - regs < s->same.count ? s->same.at[reg.i - regs] : NO_REG;
}

static void add_reg(Settle *s, Reg same, Node condition) {
    vec_push(s->arena, &s->same, same);
    vec_push(s->arena, &s->condition, condition);
}

static void follow_close_loops(Settle *s, const CloseLoopsHint *hint) {
    vec_clear(&s->old);
    for (uint32_t n = 0; n < hint->old.count; n++) vec_push(s->arena, &s->old, hint->old.at[n]);
    for (uint32_t i = 0; i < hint->original.count; i++) add_reg(s, hint->original.at[i], NO_NODE);
}

static void follow_numbering(Settle *s, const Numbering *hint) {
    for (uint32_t r = 0; r < hint->leader.count; r++) {
        Reg reg = same_as(s, (Reg){r}), leader = same_as(s, hint->leader.at[r]);
        if (reg.i != NO_ID && leader.i != NO_ID) refine_equal(&s->refine, reg, leader);
    }
}

// ---- Selects

// The way of a branch by which control comes to a node that only one leads to; a few nodes lie between.
static uint32_t way_to(const Settle *s, Node branch, Node node) {
    const Preds *preds = &s->refine.preds;
    for (uint32_t i = 0; preds_count(preds, node) == 1; i++) {
        Node above = *preds_at(preds, node);
        const Instr *instr = func_at(s->before, above);
        for (uint32_t k = 0; above.i == branch.i && k < instr->succ_count; k++)
            if (instr_succs(s->before, instr)[k].i == node.i) return k;
        if (above.i == branch.i || i > s->before->nodes.count) break;
        node = above;
    }
    return 0;
}

static void gate_join(Settle *s, Node join, Node branch) {
    BranchEdge edges[2];
    if (preds_count(&s->refine.preds, join) != 2) return;
    for (uint32_t k = 0; k < 2; k++)
        edges[k] = (BranchEdge){branch, way_to(s, branch, preds_at(&s->refine.preds, join)[k])};
    refine_gate(&s->refine, join, edges);
}

// What was added behind a join: operators that are done again, a condition, selects for phis.
static void follow_added(Settle *s, const IfConvertHint *hint, const Func *given, Node branch,
                         const Instr *instr) {
    if (instr->dest.i < given->regs.count) {
        Reg phi = same_as(s, instr->dest), yes = same_as(s, instr->arg[1]),
            no = same_as(s, instr->arg[2]);
        if (phi.i != NO_ID && yes.i != NO_ID && no.i != NO_ID)
            refine_select(&s->refine, phi, branch, yes, no);
        return;
    }
    Reg original = hint->copy_of.at[instr->dest.i - given->regs.count];
    Reg same = original.i == NO_ID ? NO_REG : same_as(s, original);
    if (same.i != NO_ID) refine_form(&s->refine, same);
    add_reg(s, same, original.i == NO_ID ? branch : NO_NODE);
}

static void follow_if_convert(Settle *s, const Func *after) {
    const IfConvertHint *hint = after->trail->hint;
    const Func *given = after->trail->from;
    VEC(Node) old = {0};
    uint32_t at = 0;
    for (uint32_t n = 0; n < given->nodes.count; n++) {
        bool converts = at < hint->conversions.count && hint->conversions.at[at].join.i == n;
        if (converts) {
            const IfConversion *it = &hint->conversions.at[at++];
            Node branch = s->old.at[it->branch.i];
            gate_join(s, s->old.at[n], branch);
            vec_push(s->arena, &old, NO_NODE);
            for (uint32_t i = 0; i < it->count; i++) {
                follow_added(s, hint, given, branch, &after->nodes.at[old.count]);
                vec_push(s->arena, &old, NO_NODE);
            }
        }
        vec_push(s->arena, &old, s->old.at[n]);
    }
    vec_clear(&s->old);
    for (uint32_t n = 0; n < old.count; n++) vec_push(s->arena, &s->old, old.at[n]);
}

static void follow_way(Settle *s) {
    for (uint32_t n = 0; n < s->before->nodes.count; n++) vec_push(s->arena, &s->old, (Node){n});
    for (uint32_t i = 0; i < s->way.count; i++) {
        const Func *after = s->way.at[i];
        switch (after->trail->pass) {
        case PASS_close_loops: follow_close_loops(s, after->trail->hint); break;
        case PASS_gated_gvn:
            follow_numbering(s, &((const GatedGvnHint *)after->trail->hint)->numbering);
            break;
        case PASS_if_convert: follow_if_convert(s, after); break;
        default: break;
        }
    }
}

// ---- Phis of other joins

// The edges by which control comes from the branch that dominates a join to its two predecessors.
static void gate_by_dominator(Settle *s, const Dominance *dom, Node join) {
    const Preds *preds = &s->refine.preds;
    Node branch = dom->idom[join.i];
    const Instr *instr = func_at(s->before, branch);
    uint32_t count = preds_count(preds, join);
    BranchEdge *edges = ARENA_ARRAY(s->arena, BranchEdge, count);
    for (uint32_t i = 0; i < s->hint->gated.count; i++)
        if (s->hint->gated.at[i].join.i == join.i) return;
    for (uint32_t k = 0; k < count; k++) {
        Node node = preds_at(preds, join)[k];
        while (dom->idom[node.i].i != NO_ID && dom->idom[node.i].i != branch.i)
            node = dom->idom[node.i];
        edges[k] = (BranchEdge){branch, 0};
        for (uint32_t way = 0; way < instr->succ_count; way++)
            if (instr_succs(s->before, instr)[way].i == node.i) edges[k].way = way;
    }
    if (instr->kind == I_COND) (void)refine_test(&s->refine, branch);
    refine_gate(&s->refine, join, edges);
}

// A phi that equals one of another join does so because of the conditions under which they are merged.
static void explain_phis(Settle *s) {
    Refine *refine = &s->refine;
    const Dominance *dom = NULL;
    for (uint32_t i = 0; i < s->before->phis.count; i++) {
        Reg reg = s->before->phis.at[i].dest, leader = refine_leader(refine, reg);
        Definition here = refine->definitions[reg.i], there = refine->definitions[leader.i];
        if (there.by != SET_BY_PHI || there.node.i == here.node.i) continue;
        if (!dom) {
            Dominance *found = ARENA_NEW(s->arena, Dominance);
            *found = dominance_of(s->arena, s->before, &refine->preds);
            dom = found;
        }
        gate_by_dominator(s, dom, here.node);
        gate_by_dominator(s, dom, there.node);
    }
}

// ---- The function

static void explain_new_regs(Settle *s, const Func *after) {
    uint32_t regs = s->before->regs.count;
    const Definition *now = definitions_of(s->arena, after);
    for (uint32_t i = 0; i < s->same.count; i++) {
        uint32_t *value = &s->hint->value_of_new.at[regs + i];
        if (now[regs + i].by == SET_BY_NOTHING) continue;
        if (s->same.at[i].i != NO_ID)
            *value = refine_value(&s->refine, s->same.at[i]);
        else if (s->condition.at[i].i != NO_ID)
            *value = refine_test(&s->refine, s->condition.at[i]);
    }
}

// Without copies and what is dead then. It is another function in any case.
static Func *clean(Settle *s) {
    Numbering *numbering = ARENA_NEW(s->arena, Numbering);
    Func *copied = copy_prop(s->arena, s->func, numbering);
    if (copied) follow_numbering(s, numbering);
    const Func *now = copied ? copied : s->func;
    Func *alive = dead_code(s->arena, now, &(DeadCodeHint){0});
    if (alive) return alive;
    return copied ? copied : s->way.count ? func_clone(s->func, s->arena) : NULL;
}

// NULL if the excursion was in vain or, outside of one, if there are neither copies nor dead code.
Func *settle(Arena *arena, const Func *func, ValuesHint *hint) {
    Settle s = {.arena = arena, .func = func, .hint = hint};
    if (!find_way(&s)) return NULL;
    s.refine = refine_new(arena, s.before, hint);
    follow_way(&s);
    Func *after = clean(&s);
    if (!after) return NULL;
    explain_phis(&s);
    for (uint32_t n = 0; n < s.old.count; n++) vec_push(arena, &hint->old, s.old.at[n]);
    refine_values(&s.refine, after);
    explain_new_regs(&s, after);
    refine_write(&s.refine);
    return after;
}
