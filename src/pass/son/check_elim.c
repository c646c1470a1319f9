// Checks that others imply: figure 6 of Demange et al. (docs/papers.md), without recursion.
//
// A check ends its region; so a check of a value is redundant, in the sense of definition 4.1, if
// another check of the same data node dominates it. One walk over the dominator tree finds all
// redundant checks: a value that a check has seen to be nonzero stays so in the regions that the
// check dominates (theorem 3.7), and only there. A redundant check becomes a jump.
#include "pass/pass.h"

#include "graph/dominance.h"
#include "pass/son/son_trail.h"

typedef struct {
    Reg value;
    uint32_t last; // the check dominates nodes with numbers up to this one
} Seen;

typedef struct {
    Node check, by;
} Redundant;

// Numbers of dominance ascend in the walk, so that the last check ends first.
static Redundant *find_redundant(Arena *arena, const Func *func, uint32_t *found) {
    Preds preds = preds_of(arena, func);
    Dominance dominance = dominance_of(arena, func, &preds);
    Node *nonzero =
        ARENA_ARRAY(arena, Node, func->regs.count); // by which check; NO_NODE: perhaps zero
    VEC(Seen) open = {0};
    VEC(Redundant) redundant = {0};
    for (uint32_t i = 0; i < func->regs.count; i++) nonzero[i] = NO_NODE;
    for (uint32_t number = 0; number < dominance.count; number++) {
        Node node = {dominance.order[number]};
        const Instr *instr = func_at(func, node);
        while (open.count && open.at[open.count - 1].last < number)
            nonzero[vec_pop(&open).value.i] = NO_NODE;
        if (instr->kind != I_CHECK) continue;
        Node *known = &nonzero[instr->arg[0].i];
        if (known->i != NO_ID) {
            vec_push(arena, &redundant, (Redundant){.check = node, .by = *known});
        } else {
            *known = node;
            vec_push(arena, &open, (Seen){.value = instr->arg[0], .last = dominance.last[node.i]});
        }
    }
    *found = redundant.count;
    return redundant.at;
}

// The nodes stay the same in the trail.
static void remember(Arena *arena, SonTrail *trail, Redundant redundant) {
    if (!trail) return;
    vec_push(arena, &trail->implied,
             (ImpliedCheck){.check = trail->old.at[redundant.check.i],
                            .by = trail->old.at[redundant.by.i]});
}

Func *check_elim(Arena *arena, const Func *func) {
    uint32_t count;
    const Redundant *redundant = find_redundant(arena, func, &count);
    if (!count) return NULL;
    Func *result = func_clone(func, arena);
    for (uint32_t i = 0; i < count; i++) {
        Instr *instr = &result->nodes.at[redundant[i].check.i];
        *instr = (Instr){.kind = I_NOP,
                         .dest = NO_REG,
                         .succ_count = 1,
                         .succ = {instr->succ[0]},
                         .loc = instr->loc};
        remember(arena, result->son->trail, redundant[i]);
    }
    return result;
}
