// The kernel for passes that copy, drop and insert nodes without changing values: the new function
// runs in lock step with the old function.
//
// The hint says for each new node n where the old function stands, m(n): the node that the old
// function is about to execute, its phis done. The hint also says what n may rely on. A pair names
// a new register that holds the value of an old register. A fact is a condition of an old branch
// with its outcome. By default each new register holds the value of its namesake, the old register
// of the same number, and no facts are known. Where a hint says nothing else, a node with one way
// in has the pairs and facts that its predecessor leaves.
//
// The invariant: memory agrees; the old function is at m(n); every pair holds, up to refinement
// (where the old register is undefined the new one holds anything); all facts are true, and their
// registers are defined.
//
//   The entry     is reached from the old entry by *passing*, below, with nothing known
//                 (check_entry).
//   A node        either *performs* the old node: the same instruction, on registers that hold the
//                 operands of the old instruction. Both do the same, with the same events, and the
//                 k-th successor goes on from the old k-th successor (performs). Or the node was
//                 *inserted*, and the old function stands still: a nop; a move; the setting of a
//                 register that has no namesake, for a dispatch or an argument, below; a branch on
//                 registers that hold the registers of facts, so that the branch is not wrong
//                 either (inserts).
//   Along an edge the old function goes on by itself, *passing* nops, moves, and branches that
//                 always go the same way, up to m of the edge's target (check_edge). A branch takes
//                 the same way if its outcome follows from facts, or if all its ways lead to one
//                 node over nops and branches only (find_leads). If the old function goes wrong
//                 instead, anything is allowed.
//   Regions       The old function also passes a region of nodes without effects, loops included,
//                 if all ways out of the region lead to one node (copies_regions.c).
//   Endless runs  If an endless run of the new function is wrong (docs/rtl.md, "Endless runs"), so
//                 is that of the old function. Nodes that perform old nodes perform the same spins
//                 and effects, and no region has any. A call is executed by both, or its body is
//                 copied: then spins of the called function also count as those of the caller, and
//                 fewer runs are wrong.
//   Registers     When the old function sets a register, no new register holds it any more, except
//                 a register that the new function has set to the same value; facts about the
//                 register end. A branch's outcome is a fact along its edge: edges count, not their
//                 targets, which two edges may share. At the target all claims of the hint, or the
//                 default ones, must hold. A fact holds if it follows from facts. Those facts must
//                 mention all its registers, since a tautology would declare an undefined register
//                 defined.
//   Phis          act when an edge enters their join. The old phis act where the old function
//                 passes into the join from its predecessor. That predecessor is unique, as
//                 predecessors of joins are nops. The new phis act at the end of the new edge. Both
//                 act at once on all registers of their own function, so their order does not
//                 matter; only the contents of registers behind both count. So nops and pads may
//                 come and go, a join that has one way left may have moves instead of its phis, and
//                 joins may be split or merged. Registers must hold the right values in the end,
//                 for each edge.
//   A dispatch    is a register by which the new function remembers where the old function stands.
//                 Nodes of a dispatch are nops or branch on the register; edges into such a node
//                 come from another node of the dispatch, or from the setting of the register, to a
//                 value that selects the old node (check_dispatch).
//   Progress      No cycle consists only of nodes on whose edges the old function need not move
//                 (check_progress), so if the new function runs for ever, so does the old one.
//
// copies_calls.c handles bodies in the place of calls. A call that returns twice does so with
// registers as they were, at the successors of the same two nodes, so that everything that held
// behind the first return holds again.
#include "check/copies/copies.h"

#include "check/checkers.h"
#include "fact/effects.h"
#include "fact/eval.h"
#include "fact/slot_fields.h"

// An edge of the new function.
typedef struct {
    Node from, to;
    uint32_t index; // among the successors
} NewEdge;

static uint32_t old_label(const Copies *check, OldPlace at) {
    return func_label(copies_function(check, at.copy), at.node);
}

// ---- Registers and facts

void copies_set_new(Copies *check, Reg reg, uint32_t value) {
    if (check->holds[reg.i] == reg.i && value != reg.i)
        vec_push(check->arena, &check->changed, reg.i);
    check->holds[reg.i] = value;
}

static bool mentions(const Comparison *fact, uint32_t reg) {
    return fact->a.i == reg || fact->b.i == reg;
}

static void forget_facts(Copies *check, uint32_t reg) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < check->facts.count; i++)
        if (!mentions(&check->facts.at[i], reg)) check->facts.at[kept++] = check->facts.at[i];
    check->work += check->facts.count;
    check->facts.count = kept;
    check->has_outcome = check->has_outcome && !mentions(&check->outcome, reg);
}

// An old register is set: nobody holds it. Registers that hold their namesakes again are no longer
// changed.
void copies_set_old(Copies *check, uint32_t reg) {
    uint32_t kept = 0;
    check->work += check->changed.count;
    for (uint32_t i = 0; i < check->changed.count; i++) {
        uint32_t now = check->changed.at[i];
        if (check->holds[now] == now) continue;
        if (check->holds[now] == reg) check->holds[now] = HOLDS_NOTHING;
        check->changed.at[kept++] = now;
    }
    check->changed.count = kept;
    if (check->holds[reg] == reg) copies_set_new(check, (Reg){reg}, HOLDS_NOTHING);
    forget_facts(check, reg);
}

void copies_assign_old(Copies *check, uint32_t to, uint32_t from) {
    bool holds = check->holds[to] == from;
    if (to == from) return;
    copies_set_old(check, to);
    if (holds) copies_set_new(check, (Reg){to}, to);
}

// A copy of an argument is one only as long as the old function stands at the call.
static void forget_copies(Copies *check) {
    for (uint32_t i = 0; i < check->changed.count; i++) {
        uint32_t value = check->holds[check->changed.at[i]];
        if (value != HOLDS_NOTHING && value & HOLDS_COPY)
            check->holds[check->changed.at[i]] = HOLDS_NOTHING;
    }
    check->work += check->changed.count;
}

// Whether facts say something about an old register, which is then defined.
static bool is_mentioned(Copies *check, uint32_t reg) {
    if (reg >= check->old_regs) return false;
    check->work += check->facts.count;
    for (uint32_t i = 0; i < check->facts.count; i++)
        if (mentions(&check->facts.at[i], reg)) return true;
    return check->has_outcome && mentions(&check->outcome, reg);
}

// Whether an outcome follows from facts.
static bool follows(Copies *check, const Comparison *goal) {
    vec_clear(&check->reasons);
    if (check->has_outcome && comparison_concerns(&check->outcome, goal))
        vec_push(check->arena, &check->reasons, check->outcome);
    for (uint32_t i = 0; i < check->facts.count && check->reasons.count < MOST_REASONS; i++)
        if (comparison_concerns(&check->facts.at[i], goal))
            vec_push(check->arena, &check->reasons, check->facts.at[i]);
    check->work += check->facts.count;
    return comparison_follows(check->reasons.at, check->reasons.count, goal);
}

// The fact that an edge of an old branch gives about old registers.
static bool old_outcome(const Copies *check, OldPlace at, uint32_t way, Comparison *result) {
    if (!comparison_of_way(copies_function(check, at.copy), at.node, way, result)) return false;
    result->a.i = copies_old_reg(check, at.copy, result->a);
    if (result->b.i != NO_ID) result->b.i = copies_old_reg(check, at.copy, result->b);
    return true;
}

// ---- States

static void load(Copies *check, const CopiesKnown *known) {
    check->work += check->changed.count;
    if (known) check->work += (uint64_t)known->pair_count + known->fact_count;
    for (uint32_t i = 0; i < check->changed.count; i++)
        check->holds[check->changed.at[i]] = check->changed.at[i];
    vec_clear(&check->changed);
    vec_clear(&check->facts);
    check->has_outcome = false;
    for (uint32_t i = 0; known && i < known->pair_count; i++)
        copies_set_new(check, known->pairs[i].now, known->pairs[i].then.i);
    for (uint32_t i = 0; known && i < known->fact_count; i++)
        vec_push(check->arena, &check->facts, known->facts[i]);
}

// Saved facts take memory and not only time.
static const CopiesKnown *save(Copies *check) {
    enum { WORK_OF_KEEPING = 16 };
    VEC(CopiesPair) pairs = {0};
    for (uint32_t i = 0; i < check->changed.count; i++) {
        Reg now = {check->changed.at[i]};
        if (check->holds[now.i] != now.i)
            vec_push(check->arena, &pairs, (CopiesPair){.now = now, .then = {check->holds[now.i]}});
    }
    if (!pairs.count && !check->facts.count) return NULL;
    check->work += WORK_OF_KEEPING * ((uint64_t)pairs.count + check->facts.count);
    CopiesKnown *known = ARENA_NEW(check->arena, CopiesKnown);
    *known = (CopiesKnown){
        .pair_count = pairs.count, .fact_count = check->facts.count, .pairs = pairs.at};
    if (check->facts.count)
        known->facts =
            arena_copy(check->arena, check->facts.at, check->facts.count * sizeof(Comparison));
    return known;
}

// ---- What the hint claims

// For a node of a dispatch, the dispatch gives the old node.
static OldPlace place_of(const Copies *check, Node node) {
    return (OldPlace){.copy = check->hint->copy.count ? check->hint->copy.at[node.i] : 0,
                      .node = check->hint->old.count ? check->hint->old.at[node.i] : node};
}

static bool is_dispatch(const Copies *check, Node node) {
    OldPlace place = place_of(check, node);
    return !place.copy && place.node.i >= check->before->nodes.count;
}

static const CopiesDispatch *dispatch_of(const Copies *check, Node node) {
    return &check->hint->dispatches.at[check->hint->old.at[node.i].i - check->before->nodes.count];
}

// The claims about a node, in a vector that is in order of nodes.
#define FIRST_CLAIM(vector, wanted, result)                                                        \
    do {                                                                                           \
        uint32_t low = 0, high = (vector).count;                                                   \
        while (low < high) {                                                                       \
            uint32_t middle = low + (high - low) / 2;                                              \
            if ((vector).at[middle].node.i < (wanted).i)                                           \
                low = middle + 1;                                                                  \
            else                                                                                   \
                high = middle;                                                                     \
        }                                                                                          \
        (result) = low;                                                                            \
    } while (0)

static const CopiesKnown *claims_of(Copies *check, Node node) {
    const CopiesHint *hint = check->hint;
    if (!hint->pairs.count && !hint->facts.count) return NULL;
    CopiesKnown known = {0};
    uint32_t pair, fact;
    Comparisons facts = {0};
    FIRST_CLAIM(hint->pairs, node, pair);
    FIRST_CLAIM(hint->facts, node, fact);
    known.pairs = hint->pairs.at + pair;
    while (pair + known.pair_count < hint->pairs.count &&
           known.pairs[known.pair_count].node.i == node.i)
        known.pair_count++;
    for (; fact < hint->facts.count && hint->facts.at[fact].node.i == node.i; fact++) {
        OldPlace at = {.copy = place_of(check, node).copy, .node = hint->facts.at[fact].branch};
        Comparison comparison = {0};
        old_outcome(check, at, hint->facts.at[fact].way, &comparison);
        vec_push(check->arena, &facts, comparison);
    }
    known.fact_count = facts.count;
    known.facts = facts.at;
    check->work += known.pair_count + known.fact_count;
    return known.pair_count || known.fact_count ? arena_copy(check->arena, &known, sizeof known)
                                                : NULL;
}

// Whether a node has what its predecessor leaves.
static bool inherits(const Copies *check, Node node) {
    return !bits_has(&check->roots, node.i);
}

// All others: the entry, nodes with no way in or several, and those about which something is
// claimed or decided.
static void find_roots(Copies *check) {
    const Func *after = check->after;
    check->roots = bits_new(check->arena, after->nodes.count);
    Bits entered = bits_new(check->arena, after->nodes.count);
    bits_add(&entered, 0);
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        const Instr *instr = &after->nodes.at[n];
        const Node *succs = instr_succs(after, instr);
        bool dispatch = check->hint->dispatches.count && is_dispatch(check, (Node){n});
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (!bits_put(&entered, succs[k].i) || dispatch) bits_add(&check->roots, succs[k].i);
    }
    for (uint32_t n = 0; n < after->nodes.count; n++)
        if (n == 0 || !bits_has(&entered, n)) bits_add(&check->roots, n);
    check->claimed = bits_new(check->arena, after->nodes.count);
    for (uint32_t i = 0; i < check->hint->pairs.count; i++)
        bits_add(&check->claimed, check->hint->pairs.at[i].node.i);
    for (uint32_t i = 0; i < check->hint->facts.count; i++)
        bits_add(&check->claimed, check->hint->facts.at[i].node.i);
    bits_union(&check->roots, &check->claimed);
}

// Whether no claim relies on the contents of a new register at a node: the register has no
// namesake, or its namesake does not exist there.
static bool is_free(const Copies *check, uint32_t reg, uint32_t copy) {
    if (reg >= check->old_regs) return true;
    uint32_t owner = copies_copy_of(check, reg);
    return owner && owner != copy;
}

// Everything holds that is claimed at a node, or by default.
static bool check_claims(Copies *check, Node from, Node node) {
    const CopiesKnown *known = claims_of(check, node);
    uint32_t copy = place_of(check, node).copy;
    for (uint32_t i = 0; known && i < known->pair_count; i++) {
        Reg now = known->pairs[i].now, then = known->pairs[i].then;
        if (then.i != NO_ID && check->holds[now.i] != then.i)
            return REJECT(check, from, "register %u does not hold at node %u what is claimed",
                          now.i, node.i);
        if (then.i == NO_ID || check->holds[now.i] == then.i) check->holds[now.i] = now.i;
    }
    for (uint32_t i = 0; i < check->changed.count; i++) {
        uint32_t now = check->changed.at[i];
        if (check->holds[now] != now && !is_free(check, now, copy))
            return REJECT(check, from, "register %u does not hold at node %u what it held", now,
                          node.i);
    }
    for (uint32_t i = 0; known && i < known->fact_count; i++) {
        const Comparison *fact = &known->facts[i];
        if (copies_is_too_much(check))
            return REJECT(check, from, "what is claimed at node %u takes too long to see", node.i);
        if (!is_mentioned(check, fact->a.i) ||
            (fact->b.i != NO_ID && !is_mentioned(check, fact->b.i)) || !follows(check, fact))
            return REJECT(check, from, "fact %u of node %u does not follow", i, node.i);
    }
    check->work += check->changed.count;
    return true;
}

// ---- Phis

static void perform_new_phis(Copies *check, const NewEdge *edge) {
    uint32_t count = func_phi_count(check->after, edge->to);
    const Phi *phis = func_phis(check->after, edge->to);
    if (!count) return;
    uint32_t k = preds_index(&check->preds, edge->to, edge->from);
    vec_clear(&check->values);
    for (uint32_t i = 0; i < count; i++)
        vec_push(check->arena, &check->values, check->holds[phi_args(check->after, &phis[i])[k].i]);
    for (uint32_t i = 0; i < count; i++) copies_set_new(check, phis[i].dest, check->values.at[i]);
}

static void perform_old_phis(Copies *check, Node join, uint32_t k) {
    uint32_t count = func_phi_count(check->before, join);
    const Phi *phis = func_phis(check->before, join);
    vec_clear(&check->values);
    for (uint32_t i = 0; i < count; i++)
        vec_push(check->arena, &check->values,
                 check->holds[phis[i].dest.i] == phi_args(check->before, &phis[i])[k].i);
    for (uint32_t i = 0; i < count && !copies_is_too_much(check); i++)
        copies_set_old(check, phis[i].dest.i);
    for (uint32_t i = 0; i < count; i++)
        if (check->values.at[i]) copies_set_new(check, phis[i].dest, phis[i].dest.i);
}

// Whether both blocks do the same to registers that all hold their namesakes.
static bool same_phis(const Copies *check, const NewEdge *edge, Node join, uint32_t k) {
    uint32_t count = func_phi_count(check->before, join);
    if (check->changed.count || check->facts.count || check->has_outcome ||
        func_phi_count(check->after, edge->to) != count)
        return false;
    const Phi *then = func_phis(check->before, join), *now = func_phis(check->after, edge->to);
    uint32_t new_k = preds_index(&check->preds, edge->to, edge->from);
    for (uint32_t i = 0; i < count; i++)
        if (then[i].dest.i != now[i].dest.i ||
            phi_args(check->before, &then[i])[k].i != phi_args(check->after, &now[i])[new_k].i)
            return false;
    return true;
}

// The old function goes on to a successor of the node at which it is. If that is where the new edge
// leads, the phis of that act as well, and *entered is set.
static void go(Copies *check, OldPlace *at, Node succ, const NewEdge *edge, const OldPlace *to,
               bool *entered) {
    bool last = at->copy == to->copy && succ.i == to->node.i && !*entered;
    Node from = at->node;
    at->node = succ;
    if (at->copy || !func_phi_count(check->before, succ)) return;
    uint32_t k = preds_index(&check->old_preds, succ, from);
    if (last) *entered = true;
    if (last && same_phis(check, edge, succ, k)) return;
    if (last) perform_new_phis(check, edge);
    perform_old_phis(check, succ, k);
}

// ---- Passing

// For each old node another to which control comes without doing anything, for all contents of
// registers: the node itself, or, for a nop or branch, the node to which all successors lead. These
// have larger numbers and no phis, so by induction from the largest number down each way ends
// there, if it does not go wrong.
static void find_leads(Copies *check) {
    const Func *func = check->before;
    uint32_t *leads = ARENA_ARRAY(check->arena, uint32_t, func->nodes.count);
    for (uint32_t n = func->nodes.count; n-- > 0;) {
        const Instr *instr = &func->nodes.at[n];
        const Node *succs = instr_succs(func, instr);
        leads[n] = n;
        if (instr->kind != I_NOP && !instr_is_branch(instr)) continue;
        uint32_t common = succs[0].i > n ? leads[succs[0].i] : n;
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (succs[k].i <= n || func_phi_count(func, succs[k]) || leads[succs[k].i] != common)
                common = n;
        leads[n] = common;
    }
    check->leads = leads;
}

// The successor that a branch takes, as far as facts tell; NO_NODE otherwise.
static Node decided(Copies *check, OldPlace at) {
    const Func *func = copies_function(check, at.copy);
    const Instr *instr = func_at(func, at.node);
    Comparison goal;
    if (!check->facts.count && !check->has_outcome) return NO_NODE;
    for (uint32_t way = 0; way < instr->succ_count && !copies_is_too_much(check);
         way++, check->work++)
        if (old_outcome(check, at, way, &goal) && follows(check, &goal))
            return instr_succs(func, instr)[way];
    return NO_NODE;
}

static bool pass_branch(Copies *check, OldPlace *at, const NewEdge *edge, const OldPlace *to,
                        bool *entered) {
    Node succ = decided(check, *at);
    if (succ.i != NO_ID) {
        go(check, at, succ, edge, to, entered);
        return true;
    }
    if (!at->copy && !check->leads) find_leads(check);
    if (at->copy || check->leads[at->node.i] == at->node.i)
        return copies_pass_region(check, at, to) ||
               REJECT(check, edge->from, "it leaves out the branch of old node %u",
                      old_label(check, *at));
    at->node.i = check->leads[at->node.i];
    return true;
}

// The old function executes a node by itself.
static bool pass(Copies *check, OldPlace *at, const NewEdge *edge, const OldPlace *to,
                 bool *entered) {
    const Func *func = copies_function(check, at->copy);
    const Instr *instr = func_at(func, at->node);
    if (instr_is_branch(instr)) return pass_branch(check, at, edge, to, entered);
    if (instr->kind == I_CALL) return copies_enter(check, edge->from, at, to->copy);
    if (instr->kind == I_RETURN) return copies_leave(check, edge->from, at);
    if (instr->kind == I_OP && op_is_move(instr->op) && instr->arg_count == 1)
        copies_assign_old(check, copies_old_reg(check, at->copy, instr->dest),
                          copies_old_reg(check, at->copy, instr->arg[0]));
    else if (instr->kind != I_NOP)
        return copies_pass_region(check, at, to) ||
               REJECT(check, edge->from, "it leaves out old node %u", old_label(check, *at));
    go(check, at, instr->succ[0], edge, to, entered);
    return true;
}

// ---- Edges

// Where the old function has to be at the end of an edge, if the edge comes from no node of a
// dispatch.
static bool target_of(Copies *check, const NewEdge *edge, OldPlace *to) {
    if (!is_dispatch(check, edge->to)) {
        *to = place_of(check, edge->to);
        return true;
    }
    const CopiesDispatch *dispatch = dispatch_of(check, edge->to);
    const Instr *setting = func_at(check->after, edge->from);
    if (setting->kind != I_OP || setting->op != OP_CONST_I32 ||
        setting->dest.i != dispatch->reg.i || setting->imm < 0 ||
        setting->imm >= (int64_t)dispatch->target_count)
        return REJECT(check, edge->from, "its edge leads to a dispatch, which it does not set");
    *to = (OldPlace){.copy = 0, .node = dispatch->targets[setting->imm]};
    return true;
}

// The old function is at `at` when the new function takes an edge; *moves is set if the old
// function has to move, or has done so already.
static bool check_edge(Copies *check, NewEdge edge, OldPlace at, const OldPlace *to, bool *moves,
                       bool entered) {
    OldPlace start = at;
    while (at.node.i != to->node.i || at.copy != to->copy) {
        check->work++;
        if (copies_is_too_much(check))
            return REJECT(check, edge.from, "it takes too long to see where successor %u leads",
                          edge.index);
        bool stood = !*moves && at.node.i == start.node.i && at.copy == start.copy;
        *moves = true;
        if (!pass(check, &at, &edge, to, &entered)) {
            bool other = stood && func_at(check->after, edge.from)->kind != I_NOP;
            const char *what =
                other ? "the instruction differs from that"
                      : arena_printf(check->arena, "successor %u does not lead on from that",
                                     edge.index);
            check->verdict.reason = arena_printf(check->arena, "%s of old node %u: %s", what,
                                                 old_label(check, start), check->verdict.reason);
            return false;
        }
        forget_copies(check);
    }
    if (!entered) perform_new_phis(check, &edge);
    if (copies_is_too_much(check))
        return REJECT(check, edge.from, "what is known at node %u takes too long to see",
                      edge.to.i);
    if (!inherits(check, edge.to)) return check_claims(check, edge.from, edge.to);
    vec_push(check->arena, &check->pending, (CopiesPending){.node = edge.to, .known = save(check)});
    return true;
}

// ---- Nodes

// The context of the successors of a node: where the old function is, and whether it moves.
typedef struct {
    OldPlace at;
    bool performs; // the new node performs the old node at `at`
    bool returned; // the same for the return of an aggregate, and `at` is behind it
    bool inserted; // the node is a branch that was inserted
} NodeRole;

// Whether the new node has the instruction of the old node, on registers that hold the old
// operands.
static bool is_same(const Copies *check, const Instr *now, OldPlace at) {
    const Func *func = copies_function(check, at.copy);
    const Instr *then = func_at(func, at.node);
    uint32_t first = at.copy ? check->sites.at[at.copy - 1].reg : 0;
    Instr moved;
    if (at.copy && instr_names_slot(then)) {
        moved = *then;
        moved.ref += check->sites.at[at.copy - 1].slot;
        then = &moved;
    }
    if (!instr_alike(func, then, check->after, now) || now->succ_count != then->succ_count)
        return false;
    const Reg *old = instr_args(func, then), *fresh = instr_args(check->after, now);
    for (uint32_t k = 0; k < now->arg_count; k++)
        if (check->holds[fresh[k].i] != first + old[k].i) return false;
    return true;
}

// The new node does the same as the old node at `at`.
static bool performs(Copies *check, const Instr *now, OldPlace at) {
    if (!is_same(check, now, at)) return false;
    if (check->changed.count) forget_copies(check);
    if (now->dest.i == NO_ID) return true;
    Reg dest = func_at(copies_function(check, at.copy), at.node)->dest;
    uint32_t reg = copies_old_reg(check, at.copy, dest);
    if (now->dest.i != reg || check->changed.count || check->facts.count)
        copies_set_old(check, reg);
    copies_set_new(check, now->dest, reg);
    return true;
}

// The setting of a dispatch register, or the address of the slot for an argument.
static bool is_preparation(const Copies *check, const Instr *now) {
    if (now->kind != I_OP) return false;
    return now->op == OP_ADDR_SLOT || (now->op == OP_CONST_I32 && is_dispatch(check, now->succ[0]));
}

// The new node is one that the old function need not know of.
static bool inserts(Copies *check, Node node, const Instr *now, OldPlace at) {
    if (instr_is_branch(now)) {
        for (uint32_t k = 0; k < now->arg_count; k++)
            if (!is_mentioned(check, check->holds[instr_args(check->after, now)[k].i]))
                return false;
        return true;
    }
    if (now->kind == I_OP && op_is_move(now->op) && now->arg_count == 1)
        copies_set_new(check, now->dest, check->holds[now->arg[0].i]);
    else if (is_preparation(check, now) && is_free(check, now->dest.i, at.copy))
        copies_set_new(check, now->dest, HOLDS_NOTHING);
    else
        return copies_passes(check, node, &at);
    return true;
}

// Whether a node that could be either was inserted: the old function is to stand where it stood.
static bool stands_still(Copies *check, Node node, OldPlace at) {
    const Instr *now = func_at(check->after, node);
    const Instr *then = func_at(copies_function(check, at.copy), at.node);
    OldPlace to;
    if (now->succ_count != 1 || (then->succ_count == 1 && then->succ[0].i == at.node.i))
        return false;
    return target_of(check, &(NewEdge){.from = node, .to = now->succ[0]}, &to) &&
           to.copy == at.copy && to.node.i == at.node.i;
}

static bool find_role(Copies *check, Node node, NodeRole *role) {
    const Instr *now = func_at(check->after, node);
    const Func *func = copies_function(check, role->at.copy);
    bool returns = role->at.copy && func_at(func, role->at.node)->kind == I_RETURN;
    if (now->kind == I_NOP) return true;
    if (returns && copies_returns(check, now, &role->at)) return role->returned = true;
    if (!returns && !stands_still(check, node, role->at) && performs(check, now, role->at))
        return role->performs = true;
    if (!inserts(check, node, now, role->at))
        return REJECT(check, node, "the instruction differs from that of old node %u",
                      old_label(check, role->at));
    role->inserted = instr_is_branch(now);
    return true;
}

// The fact about old registers that an edge gives.
static void note_outcome(Copies *check, const NewEdge *edge, const NodeRole *role) {
    if (role->performs) {
        check->has_outcome = old_outcome(check, role->at, edge->index, &check->outcome);
    } else if (role->inserted) {
        Comparison *it = &check->outcome;
        check->has_outcome = comparison_of_way(check->after, edge->from, edge->index, it);
        if (!check->has_outcome) return;
        it->a.i = check->holds[it->a.i];
        if (it->b.i != NO_ID) it->b.i = check->holds[it->b.i];
    }
}

// Whether a nop performs one that leads to itself, instead of waiting there.
static bool goes_round(const Copies *check, const NewEdge *edge, OldPlace at) {
    const Func *func = copies_function(check, at.copy);
    const Instr *then = func_at(func, at.node);
    return then->kind == I_NOP && then->succ[0].i == at.node.i &&
           (!func_phi_count(func, at.node) || func_phi_count(check->after, edge->to));
}

static bool check_way(Copies *check, NewEdge edge, const NodeRole *role, bool *waits) {
    OldPlace at = role->at, to;
    bool moves = role->performs || role->returned, entered = false;
    if (!target_of(check, &edge, &to)) return false;
    const Func *func = copies_function(check, at.copy);
    const Instr *now = func_at(check->after, edge.from), *then = func_at(func, at.node);
    if (now->succ_count > 1) note_outcome(check, &edge, role);
    if (now->kind == I_NOP && at.copy == to.copy && at.node.i == to.node.i)
        moves = goes_round(check, &edge, at);
    if (moves && !role->returned)
        go(check, &at, instr_succs(func, then)[edge.index], &edge, &to, &entered);
    bool good = check_edge(check, edge, at, &to, &moves, entered);
    *waits |= !moves;
    return good;
}

static bool check_node(Copies *check, const CopiesPending *pending) {
    Node node = pending->node;
    const Instr *now = func_at(check->after, node);
    NodeRole role = {.at = place_of(check, node)};
    bool waits = false;
    load(check, pending->known);
    if (!find_role(check, node, &role)) return false;
    const CopiesKnown *behind = now->succ_count > 1 ? save(check) : NULL;
    for (uint32_t k = 0; k < now->succ_count; k++) {
        NewEdge edge = {.from = node, .to = instr_succs(check->after, now)[k], .index = k};
        if (k) load(check, behind);
        if (!check_way(check, edge, &role, &waits)) return false;
    }
    if (waits) vec_push(check->arena, &check->waiting, node);
    return true;
}

// Whether a node, where nothing else is known than that registers hold their namesakes, is a mere
// copy, and so are its edges: nothing else is known behind it, nor claimed there. This is the
// commonest case, and no more than a quicker answer.
static bool is_plain(const Copies *check, Node node) {
    OldPlace at = place_of(check, node);
    const Func *func = copies_function(check, at.copy);
    if (at.node.i >= func->nodes.count) return false;
    const Instr *now = func_at(check->after, node), *then = func_at(func, at.node);
    if (now->kind == I_NOP ? then->kind != I_NOP : !is_same(check, now, at)) return false;
    if (at.copy && then->kind == I_RETURN) return false;
    if (now->dest.i != NO_ID && now->dest.i != copies_old_reg(check, at.copy, then->dest))
        return false;
    const Node *from = instr_succs(func, then), *to = instr_succs(check->after, now);
    for (uint32_t k = 0; k < now->succ_count; k++) {
        OldPlace next = place_of(check, to[k]);
        if (next.node.i != from[k].i || next.copy != at.copy || func_phi_count(func, from[k]) ||
            func_phi_count(check->after, to[k]) || bits_has(&check->claimed, to[k].i))
            return false;
    }
    return true;
}

// Goes on from a plain node to the nodes that have only its facts; NO_NODE if there is none.
static Node behind_plain(Copies *check, Node node) {
    const Instr *now = func_at(check->after, node);
    Node next = NO_NODE;
    for (uint32_t k = 0; k < now->succ_count; k++) {
        Node succ = instr_succs(check->after, now)[k];
        if (!inherits(check, succ)) continue;
        if (next.i != NO_ID) vec_push(check->arena, &check->pending, (CopiesPending){.node = next});
        next = succ;
    }
    return next;
}

// ---- Dispatches

// The index of the successor that a SWITCH or COND on the dispatch register takes for a value;
// NO_ID if the instruction is neither. A COND may serve two targets only, so that all work here is
// linear.
static uint32_t dispatch_way(const Copies *check, const CopiesDispatch *dispatch,
                             const Instr *instr, uint32_t value) {
    if (instr->arg_count != 1 || instr_args(check->after, instr)[0].i != dispatch->reg.i)
        return NO_ID;
    if (instr->kind == I_COND && instr->immediate && dispatch->target_count <= 2) {
        Value right = value_immediate(TYPE_I32, instr->imm), result;
        bool good = op_eval((Op)instr->op, value_i32(value), right, right, &result);
        return !good ? NO_ID : result.bits ? 0 : 1;
    }
    if (instr->kind != I_SWITCH || instr->succ_count < dispatch->target_count) return NO_ID;
    const int64_t *cases = instr_cases(check->after, instr);
    uint32_t first = instr->succ_count > 1 && cases[0] == 0 ? 0 : 1; // cases run from 0 or from 1
    if (value < first) return instr->succ_count == 1 || cases[0] == 1 ? 0 : NO_ID;
    uint32_t k = value - first;
    return k + 1 < instr->succ_count && cases[k] == (int64_t)value ? k + 1 : NO_ID;
}

static bool check_dispatched(Copies *check, Node node, const CopiesDispatch *dispatch,
                             uint32_t value) {
    const Instr *instr = func_at(check->after, node);
    OldPlace at = {.copy = 0, .node = dispatch->targets[value]};
    uint32_t way = dispatch_way(check, dispatch, instr, value);
    Node succ = way == NO_ID ? NO_NODE : instr_succs(check->after, instr)[way];
    bool moves = false;
    if (way == NO_ID || is_dispatch(check, succ))
        return REJECT(check, node, "the dispatch of %u does not lead to old node %u", value,
                      old_label(check, at));
    OldPlace to = place_of(check, succ);
    return check_edge(check, (NewEdge){.from = node, .to = succ, .index = way}, at, &to, &moves,
                      false);
}

static bool check_dispatch(Copies *check, const CopiesPending *pending) {
    Node node = pending->node;
    const CopiesDispatch *dispatch = dispatch_of(check, node);
    const Instr *instr = func_at(check->after, node);
    vec_push(check->arena, &check->waiting, node);
    if (func_phi_count(check->after, node))
        return REJECT(check, node, "a node of a dispatch has phis");
    if (instr->kind == I_NOP) {
        Node succ = instr->succ[0];
        if (!is_dispatch(check, succ) || dispatch_of(check, succ) != dispatch)
            return REJECT(check, node, "a nop on the way to a dispatch leads elsewhere");
        load(check, pending->known);
        return check_claims(check, node, succ);
    }
    for (uint32_t value = 0; value < dispatch->target_count; value++) {
        load(check, pending->known);
        if (!check_dispatched(check, node, dispatch, value)) return false;
    }
    return true;
}

// ---- All of it

static bool check_dispatches(Copies *check) {
    for (uint32_t i = 0; i < check->hint->dispatches.count; i++) {
        const CopiesDispatch *dispatch = &check->hint->dispatches.at[i];
        if (dispatch->reg.i >= check->after->regs.count ||
            reg_type(check->after, dispatch->reg) != TYPE_I32)
            return REJECT(check, NO_NODE, "dispatch %u has no register", i);
        for (uint32_t k = 0; k < dispatch->target_count; k++)
            if (dispatch->targets[k].i >= check->before->nodes.count)
                return REJECT(check, NO_NODE, "dispatch %u names an old node that does not exist",
                              i);
    }
    return true;
}

// Claims are in order, and about what exists.
static bool check_claim_order(Copies *check) {
    const CopiesHint *hint = check->hint;
    uint32_t count = check->after->nodes.count;
    for (uint32_t i = 0; i < hint->pairs.count; i++) {
        const CopiesPair *it = &hint->pairs.at[i], *last = i ? it - 1 : NULL;
        if (it->node.i >= count || it->now.i >= check->after->regs.count ||
            (it->then.i != NO_ID && it->then.i >= check->old_regs) ||
            (last && (last->node.i > it->node.i ||
                      (last->node.i == it->node.i && last->now.i >= it->now.i))))
            return REJECT(check, NO_NODE, "pair %u is out of order or range", i);
    }
    for (uint32_t i = 0; i < hint->facts.count; i++) {
        const CopiesFact *it = &hint->facts.at[i];
        Comparison comparison;
        if (it->node.i >= count || (i && it[-1].node.i > it->node.i) ||
            is_dispatch(check, it->node))
            return REJECT(check, NO_NODE, "fact %u is out of order or range", i);
        if (i >= MOST_REASONS && it[-MOST_REASONS].node.i == it->node.i)
            return REJECT(check, it->node, "there are more than %d facts", MOST_REASONS);
        OldPlace at = {.copy = place_of(check, it->node).copy, .node = it->branch};
        if (it->branch.i >= copies_function(check, at.copy)->nodes.count ||
            !old_outcome(check, at, it->way, &comparison))
            return REJECT(check, it->node, "fact %u is no way of a branch", i);
    }
    return true;
}

// The hint covers every node and names what exists.
static bool check_hint(Copies *check) {
    const CopiesHint *hint = check->hint;
    uint32_t old_count = check->before->nodes.count, count = check->after->nodes.count;
    if (hint->old.count != count && (hint->old.count || old_count != count))
        return REJECT(check, NO_NODE, "the hint does not cover every node");
    if (hint->copy.count && hint->copy.count != hint->old.count)
        return REJECT(check, NO_NODE, "the hint does not cover every node");
    for (uint32_t n = 0; n < hint->old.count; n++) {
        uint32_t copy = hint->copy.count ? hint->copy.at[n] : 0, old = hint->old.at[n].i;
        if (copy > check->sites.count)
            return REJECT(check, (Node){n}, "the hint names a copy that does not exist");
        uint32_t limit = copies_function(check, copy)->nodes.count;
        if (old >= limit && (copy || old - limit >= hint->dispatches.count))
            return REJECT(check, (Node){n}, "the hint names an old node that does not exist");
    }
    return check_dispatches(check) && check_claim_order(check);
}

// The old function is about to enter.
static bool check_entry(Copies *check) {
    OldPlace start = {0}, to;
    bool moves = false, entered = true; // the entry has no phis
    NewEdge edge = {.from = {0}, .to = {0}};
    if (is_dispatch(check, edge.to)) return REJECT(check, edge.to, "the entry is a dispatch");
    to = place_of(check, edge.to);
    return check_edge(check, edge, start, &to, &moves, entered) ||
           REJECT(check, edge.to, "the entry does not stand for the old entry: %s",
                  check->verdict.reason);
}

// A root and all that inherits from it.
static bool check_from(Copies *check, Node root) {
    vec_push(check->arena, &check->pending,
             (CopiesPending){.node = root, .known = claims_of(check, root)});
    while (check->pending.count) {
        CopiesPending next = vec_pop(&check->pending);
        if (!next.known) {
            load(check, NULL);
            while (next.node.i != NO_ID && is_plain(check, next.node))
                next.node = behind_plain(check, next.node);
            if (next.node.i == NO_ID) continue;
        }
        if (!(is_dispatch(check, next.node) ? check_dispatch(check, &next)
                                            : check_node(check, &next)))
            return false;
    }
    return true;
}

static bool check_nodes(Copies *check) {
    for (uint32_t n = 0; n < check->after->nodes.count; n++)
        if (!inherits(check, (Node){n}) && !check_from(check, (Node){n})) return false;
    return true;
}

// Nodes that wait, without any cycle among them: repeatedly removes a node to which no waiting node
// leads.
static bool check_progress(Copies *check) {
    const Func *after = check->after;
    enum { MOVES, WAITS }; // else the number of waiting predecessors, plus WAITS
    uint32_t *incoming = ARENA_ARRAY(check->arena, uint32_t, after->nodes.count);
    uint32_t removed = 0, waiting = check->waiting.count;
    for (uint32_t i = 0; i < waiting; i++) incoming[check->waiting.at[i].i] = WAITS;
    for (uint32_t i = 0; i < waiting; i++) {
        const Instr *instr = func_at(after, check->waiting.at[i]);
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node succ = instr_succs(after, instr)[k];
            if (incoming[succ.i] != MOVES) incoming[succ.i]++;
        }
    }
    VEC(Node) ready = {0};
    for (uint32_t i = 0; i < waiting; i++)
        if (incoming[check->waiting.at[i].i] == WAITS)
            vec_push(check->arena, &ready, check->waiting.at[i]);
    for (; ready.count; removed++) {
        const Instr *instr = func_at(after, vec_pop(&ready));
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node succ = instr_succs(after, instr)[k];
            if (incoming[succ.i] != MOVES && --incoming[succ.i] == WAITS)
                vec_push(check->arena, &ready, succ);
        }
    }
    for (uint32_t i = 0; i < waiting && removed < waiting; i++)
        if (incoming[check->waiting.at[i].i] != WAITS)
            return REJECT(check, check->waiting.at[i], "added nodes form a cycle");
    return true;
}

Verdict check_copies(Arena *arena, const Bodies *bodies, const Func *before, const Func *after,
                     const CopiesHint *hint) {
    Copies check = {
        .arena = arena, .bodies = bodies, .before = before, .after = after, .hint = hint};
    check.verdict = check_extended_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    if (before->nodes.count == 0 || after->nodes.count == 0)
        return verdict_rejected(arena, NO_SITE, "a function has no entry");
    check.size = (uint64_t)before->nodes.count + after->nodes.count + after->regs.count;
    if (!copies_find_sites(&check) || !check_hint(&check)) return check.verdict;
    if (before->phis.count) check.old_preds = preds_of(arena, before);
    if (after->phis.count || check.sites.count) check.preds = preds_of(arena, after);
    find_roots(&check);
    check.holds = ARENA_ARRAY(arena, uint32_t, after->regs.count);
    for (uint32_t r = 0; r < after->regs.count; r++) check.holds[r] = r;
    if (check_entry(&check) && check_nodes(&check) && check_progress(&check))
        return VERDICT_ACCEPTED;
    return check.verdict;
}
