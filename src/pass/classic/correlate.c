// Decides branches by others that dominate them: a walk down the dominator tree, with the facts
// about registers that the branches on the way give.
//
// Facts are kept in lists: a list for the bounds and a list for the inequalities of each register
// against immediates, and a list for pairs of registers; leaving a subtree drops its facts. A
// branch looks at the few newest facts of each list, so that a long chain of tests of one register
// takes linear time. When facts decide a branch, facts are left out one by one as long as the rest
// suffices: the hint stays small.
#include "pass/pass.h"

#include "fact/comparison.h"
#include "graph/dominance.h"

// How far a list is looked at; a branch looks at two lists.
enum { NEWEST = 6 };
_Static_assert(2 * NEWEST <= MOST_REASONS, "a hint may give that many reasons");

// Of a register: its bounds, the values that it does not have, and comparisons with registers of
// larger numbers.
typedef enum { LIST_BOUNDS, LIST_UNEQUAL, LIST_PAIRS, LIST_COUNT } List;

typedef struct {
    Comparison comparison;
    BranchEdge edge;
    uint32_t list; // register * LIST_COUNT + list
    uint32_t next; // the previous fact of its list
    uint32_t last; // it is known up to this number in the preorder of the dominator tree
} Fact;

typedef struct {
    Arena *arena;
    const Func *func;
    CorrelateHint *hint;
    Preds preds;
    Dominance dom;
    uint32_t *way;          // of a node with one predecessor: its index among the predecessor's
                            // successors
    VEC(Fact) facts;        // the facts that hold at the present node; the innermost is the last
    uint32_t *newest;       // of each list, NO_ID if it is empty
    VEC(Comparison) usable; // for the branch at hand,
    VEC(BranchEdge) reasons;
} Correlate;

// ---- Lists

static bool is_inequality(const Comparison *it) {
    bool equal = it->op == OP_EQ_I32 || it->op == OP_EQ_I64;
    bool differs = it->op == OP_NE_I32 || it->op == OP_NE_I64;
    return it->holds ? differs : equal;
}

static uint32_t list_of(Reg reg, List list) {
    return reg.i * LIST_COUNT + list;
}

static uint32_t list_of_fact(const Comparison *it) {
    if (it->b.i != NO_ID) return list_of(it->a.i < it->b.i ? it->a : it->b, LIST_PAIRS);
    return list_of(it->a, is_inequality(it) ? LIST_UNEQUAL : LIST_BOUNDS);
}

static void add_fact(Correlate *c, Comparison comparison, BranchEdge edge, uint32_t last) {
    uint32_t list = list_of_fact(&comparison);
    Fact fact = {.comparison = comparison,
                 .edge = edge,
                 .list = list,
                 .next = c->newest[list],
                 .last = last};
    c->newest[list] = c->facts.count;
    vec_push(c->arena, &c->facts, fact);
}

// Drops what is not known at the node with that number.
static void leave(Correlate *c, uint32_t number) {
    while (c->facts.count && c->facts.at[c->facts.count - 1].last < number) {
        Fact fact = vec_pop(&c->facts);
        c->newest[fact.list] = fact.next;
    }
}

static void find_ways(Correlate *c) {
    c->way = ARENA_ARRAY(c->arena, uint32_t, c->func->nodes.count);
    for (uint32_t n = 0; n < c->func->nodes.count; n++) {
        const Instr *instr = &c->func->nodes.at[n];
        for (uint32_t k = 1; k < instr->succ_count; k++)
            c->way[instr_succs(c->func, instr)[k].i] = k;
    }
}

// The fact that the only edge into a node gives, if it is a way of a branch.
static void enter(Correlate *c, Node node) {
    Comparison comparison;
    BranchEdge edge = {preds_sole(&c->preds, node), c->way[node.i]};
    if (edge.branch.i == NO_ID) return;
    if (comparison_of_way(c->func, edge.branch, edge.way, &comparison))
        add_fact(c, comparison, edge, c->dom.last[node.i]);
}

// ---- Decisions

static void use_list(Correlate *c, const Comparison *goal, uint32_t list) {
    uint32_t at = c->newest[list];
    for (uint32_t i = 0; i < NEWEST && at != NO_ID; at = c->facts.at[at].next, i++) {
        if (!comparison_concerns(&c->facts.at[at].comparison, goal)) continue;
        vec_push(c->arena, &c->usable, c->facts.at[at].comparison);
        vec_push(c->arena, &c->reasons, c->facts.at[at].edge);
    }
}

static void find_usable(Correlate *c, const Comparison *goal) {
    vec_clear(&c->usable);
    vec_clear(&c->reasons);
    if (goal->b.i != NO_ID) {
        use_list(c, goal, list_of(goal->a.i < goal->b.i ? goal->a : goal->b, LIST_PAIRS));
    } else {
        use_list(c, goal, list_of(goal->a, LIST_BOUNDS));
        use_list(c, goal, list_of(goal->a, LIST_UNEQUAL));
    }
}

static bool follows(const Correlate *c, const Comparison *goal) {
    return comparison_follows(c->usable.at, c->usable.count, goal);
}

// Leaves out what is not needed, the oldest facts first.
static void reduce(Correlate *c, const Comparison *goal) {
    for (uint32_t i = c->usable.count; i-- > 0;) {
        Comparison fact = c->usable.at[i];
        uint32_t end = c->usable.count - 1;
        c->usable.at[i] = c->usable.at[end];
        c->usable.count--;
        if (follows(c, goal)) {
            c->reasons.at[i] = c->reasons.at[end];
            c->reasons.count--;
        } else {
            c->usable.count++;
            c->usable.at[i] = fact;
        }
    }
}

static void add_decision(Correlate *c, BranchEdge edge, const Comparison *goal) {
    reduce(c, goal);
    Decision decision = {.edge = edge, .first = c->hint->edges.count, .count = c->reasons.count};
    vec_push(c->arena, &c->hint->decisions, decision);
    for (uint32_t i = 0; i < c->reasons.count; i++)
        vec_push(c->arena, &c->hint->edges, c->reasons.at[i]);
}

// The way of a switch for a value; 0 for the default.
static uint32_t way_for(const Func *func, const Instr *branch, int64_t value) {
    const int64_t *cases = instr_cases(func, branch);
    uint32_t low = 0, high = branch->succ_count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cases[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low + 1 < branch->succ_count && cases[low] == value ? low + 1 : 0;
}

// A condition may come out either way; a switch is asked for the values that its register is
// compared with.
static void decide(Correlate *c, Node node) {
    Comparison goal;
    const Instr *branch = func_at(c->func, node);
    if (branch->succ_count < 2 || !comparison_of_way(c->func, node, 1, &goal)) return;
    find_usable(c, &goal);
    for (uint32_t i = 0; i < (branch->kind == I_COND ? 2 : c->usable.count); i++) {
        uint32_t way = branch->kind == I_COND ? i : way_for(c->func, branch, c->usable.at[i].imm);
        if (!comparison_of_way(c->func, node, way, &goal) || !follows(c, &goal)) continue;
        add_decision(c, (BranchEdge){node, way}, &goal);
        return;
    }
}

// ---- The new function

static void sort_decisions(Correlate *c) {
    uint32_t *at = ARENA_ARRAY(c->arena, uint32_t, c->func->nodes.count); // index plus one
    CorrelateHint *hint = c->hint;
    for (uint32_t i = 0; i < hint->decisions.count; i++)
        at[hint->decisions.at[i].edge.branch.i] = i + 1;
    Decision *sorted = ARENA_ARRAY(c->arena, Decision, hint->decisions.count);
    uint32_t next = 0;
    for (uint32_t n = 0; n < c->func->nodes.count; n++)
        if (at[n]) sorted[next++] = hint->decisions.at[at[n] - 1];
    hint->decisions.at = sorted;
}

static Func *straightened(const Correlate *c) {
    Func *result = func_clone(c->func, c->arena);
    for (uint32_t i = 0; i < c->hint->decisions.count; i++) {
        BranchEdge edge = c->hint->decisions.at[i].edge;
        Instr *instr = &result->nodes.at[edge.branch.i];
        Node target = instr_succs(c->func, func_at(c->func, edge.branch))[edge.way];
        *instr = (Instr){
            .kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {target}, .loc = instr->loc};
    }
    return result;
}

// The function with branches gone straight whose outcome the conditions of dominating branches
// decide; NULL if there are none. Code that can no longer be reached stays for tidy to remove.
Func *correlate(Arena *arena, const Func *func, CorrelateHint *hint) {
    Correlate c = {.arena = arena, .func = func, .hint = hint, .preds = preds_of(arena, func)};
    c.dom = dominance_of(arena, func, &c.preds);
    uint32_t lists = func->regs.count * LIST_COUNT;
    find_ways(&c);
    c.newest = ARENA_ARRAY(arena, uint32_t, lists);
    for (uint32_t i = 0; i < lists; i++) c.newest[i] = NO_ID;
    for (uint32_t number = 0; number < c.dom.count; number++) {
        Node node = {c.dom.order[number]};
        leave(&c, number);
        enter(&c, node);
        decide(&c, node);
    }
    if (!hint->decisions.count) return NULL;
    sort_decisions(&c);
    return straightened(&c);
}
