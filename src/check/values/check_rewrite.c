// The checker of rewrite: it repeats the derivation that the hint describes, step by step, and
// compares the result with `after`, node by node.
//
// Each step is an instance of a row of rules.def (or of an operator's own evaluation) and turns a
// function into one that refines it: the argument is in the head of derivation.c. So the derived
// function refines `before`. And `after` is the derived function (check_nodes): for each old node,
// `after` has the inserted instructions, in order, then the node's own instruction. Each
// instruction leads to the next, and the last leads to the old successors; the phis of a join are
// at the first of its instructions. Each added register has the type of the operator that sets it.
#include "check/checkers.h"

#include "check/values/derivation.h"

#include <string.h>

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const RewriteHint *hint;
    Derivation derivation;
    Node *place; // of each old node: the new node where it starts
    Preds preds; // of `before`
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static bool check_steps(Check *check) {
    derivation_start(&check->derivation, check->arena, check->before);
    for (uint32_t i = 0; i < check->hint->steps.count; i++) {
        const RewriteStep *step = &check->hint->steps.at[i];
        if (!derivation_step(&check->derivation, step))
            return REJECT(check, NO_NODE, "step %u: rule %s does not apply to item %u", i,
                          step->rule < RULE_KIND_COUNT ? rule_name(step->rule) : "(unknown)",
                          step->item);
    }
    return true;
}

// Where each old node starts in `after`.
static bool check_size(Check *check) {
    const Derivation *derivation = &check->derivation;
    uint32_t next = 0;
    check->place = ARENA_ARRAY(check->arena, Node, check->before->nodes.count);
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        check->place[n] = (Node){next++};
        for (uint32_t i = derivation->items.at[n].previous; i != NO_ID;
             i = derivation->items.at[i].previous)
            next++;
    }
    if (check->after->nodes.count != next)
        return REJECT(check, NO_NODE, "there should be %u nodes", next);
    return true;
}

static bool check_registers(Check *check) {
    uint32_t old = check->before->regs.count, added = check->derivation.added.count;
    if (check->after->regs.count != old + added)
        return REJECT(check, NO_NODE, "there should be %u new registers", added);
    for (uint32_t i = 0; i < added; i++)
        if (check->after->regs.at[old + i].type != check->derivation.added.at[i])
            return REJECT(check, NO_NODE, "new register %u has another type", i);
    return true;
}

static bool check_successors(Check *check, const Instr *then, Node node) {
    const Instr *now = func_at(check->after, node);
    if (now->succ_count != then->succ_count)
        return REJECT(check, node, "the number of its successors differs");
    const Node *x = instr_succs(check->before, then), *y = instr_succs(check->after, now);
    for (uint32_t k = 0; k < then->succ_count; k++)
        if (check->place[x[k].i].i != y[k].i) return REJECT(check, node, "successor %u differs", k);
    return true;
}

static bool check_phis(Check *check, Node old) {
    uint32_t count = func_phi_count(check->before, old), preds = preds_count(&check->preds, old);
    Node join = check->place[old.i];
    if (count != func_phi_count(check->after, join))
        return REJECT(check, join, "the number of phis differs");
    for (uint32_t i = 0; i < count; i++) {
        const Phi *then = &func_phis(check->before, old)[i],
                  *now = &func_phis(check->after, join)[i];
        if (then->dest.i != now->dest.i ||
            memcmp(phi_args(check->before, then), phi_args(check->after, now),
                   preds * sizeof(Reg)) != 0)
            return REJECT(check, join, "phi %u differs", i);
    }
    return true;
}

// The instructions of an old node, from the first that was put in to its own.
static bool check_node(Check *check, Node old, const Items *items) {
    for (uint32_t i = 0; i < items->count; i++) {
        Node node = {check->place[old.i].i + i};
        const Instr *then = check->derivation.items.at[items->at[i]].instr;
        const Instr *now = func_at(check->after, node);
        if (!instr_same(check->before, then, check->after, now))
            return REJECT(check, node, "the instruction is not what the rules give");
        bool last = i + 1 == items->count;
        if (!last && now->succ[0].i != node.i + 1)
            return REJECT(check, node, "it does not lead to the next instruction");
        if (last) return check_successors(check, then, node);
    }
    return false;
}

static bool check_nodes(Check *check) {
    Items items = {0};
    uint32_t phis = 0;
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        derivation_items(&check->derivation, (Node){n}, &items);
        if (!check_node(check, (Node){n}, &items) || !check_phis(check, (Node){n})) return false;
        phis += func_phi_count(check->before, (Node){n});
    }
    // Each join has its phis, so that one more would stand elsewhere.
    if (phis != check->after->phis.count) return REJECT(check, NO_NODE, "there are new phis");
    return true;
}

// Accepts if `after` is what the rules that the hint names make of `before`. Both are in SSA, and
// `after` has been verified.
Verdict check_rewrite(Arena *arena, const Func *before, const Func *after,
                      const RewriteHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    check.preds = preds_of(arena, before);
    if (check_steps(&check) && check_size(&check) && check_registers(&check) && check_nodes(&check))
        return VERDICT_ACCEPTED;
    return check.verdict;
}
