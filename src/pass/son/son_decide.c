// Decides branches and checks by others that dominate them: a walk down the dominator tree, with
// the facts about values that the outcomes on the way give.
//
// Facts are kept in lists: a list for the bounds and a list for the inequalities of each value
// against constants, and a list for pairs of values; leaving a subtree drops its facts. A branch
// looks at the few newest facts of each list, so that a long chain of tests of one value takes
// linear time. When facts decide a branch, facts are left out one by one as long as the rest
// suffices: the hint stays small.
#include "pass/son/son_work.h"

// How far a list is looked at; a branch looks at two lists.
enum { NEWEST = 6 };
_Static_assert(2 * NEWEST <= MOST_REASONS, "a hint may give that many reasons");

// Of a value: its bounds, the values that it does not have, and comparisons with values of larger
// numbers.
typedef enum { LIST_BOUNDS, LIST_UNEQUAL, LIST_PAIRS, LIST_COUNT } FactList;

typedef struct {
    Comparison comparison; // registers stand for values
    BranchEdge edge;
    uint32_t list; // value * LIST_COUNT + list
    uint32_t next; // the previous fact of its list
    uint32_t last; // it is known up to this number in the preorder of the dominator tree
} KnownComparison;

typedef struct {
    SonWork *work;
    const Func *func;
    VEC(KnownComparison)
    facts;                  // the facts that hold at the present node; the innermost is the
                            // last
    uint32_t *newest;       // of each list, NO_ID if it is empty
    VEC(Comparison) usable; // for the branch at hand,
    VEC(BranchEdge) reasons;
} SonDecide;

// ---- What is said of values

// That a value is not zero, or is.
static Comparison comparison_of_value(const SonValues *values, uint32_t value, bool holds) {
    const HintValue *it = value_at(values, value);
    Value constant;
    bool narrow = values->types.at[value] == TYPE_I32;
    if (it->kind != VALUE_OP || !(op_info(it->op)->flags & OPF_COND) || it->count != 2)
        return (Comparison){
            .op = narrow ? OP_NE_I32 : OP_NE_I64, .a = {value}, .b = NO_REG, .holds = holds};
    const uint32_t *args = value_args(values, value);
    Comparison result = {.op = it->op, .a = {args[0]}, .b = {args[1]}, .holds = holds};
    if (type_is_int(values->types.at[args[1]]) && value_is_constant(values, args[1], &constant)) {
        result.b = NO_REG;
        result.imm = value_at(values, args[1])->imm;
    }
    return result;
}

bool son_outcome(SonWork *work, Node node, uint32_t way, Comparison *result) {
    const Instr *instr = func_at(work->before, node);
    if (way >= instr->succ_count) return false;
    if (instr->kind == I_COND) {
        *result = comparison_of_value(&work->values, work->test[node.i], way == 0);
        return true;
    }
    if (instr->kind != I_SWITCH && instr->kind != I_CHECK) return false;
    uint32_t value = work->value_of[instr->arg[0].i];
    if (instr->kind == I_CHECK) {
        *result = comparison_of_value(&work->values, value, true);
        return true;
    }
    if (way == 0) return false;
    bool narrow = work->values.types.at[value] == TYPE_I32;
    *result = (Comparison){.op = narrow ? OP_EQ_I32 : OP_EQ_I64,
                           .a = {value},
                           .b = NO_REG,
                           .imm = instr_cases(work->before, instr)[way - 1],
                           .holds = true};
    return true;
}

// ---- Lists

static bool is_inequality(const Comparison *it) {
    bool equal = it->op == OP_EQ_I32 || it->op == OP_EQ_I64;
    bool differs = it->op == OP_NE_I32 || it->op == OP_NE_I64;
    return it->holds ? differs : equal;
}

static uint32_t list_of(Reg value, FactList list) {
    return value.i * LIST_COUNT + list;
}

static uint32_t list_of_fact(const Comparison *it) {
    if (it->b.i != NO_ID) return list_of(it->a.i < it->b.i ? it->a : it->b, LIST_PAIRS);
    return list_of(it->a, is_inequality(it) ? LIST_UNEQUAL : LIST_BOUNDS);
}

static void add_fact(SonDecide *decide, Comparison comparison, BranchEdge edge, uint32_t last) {
    uint32_t list = list_of_fact(&comparison);
    KnownComparison fact = {.comparison = comparison,
                            .edge = edge,
                            .list = list,
                            .next = decide->newest[list],
                            .last = last};
    decide->newest[list] = decide->facts.count;
    vec_push(decide->work->arena, &decide->facts, fact);
}

// Drops what is not known at the node with that number.
static void leave(SonDecide *decide, uint32_t number) {
    while (decide->facts.count && decide->facts.at[decide->facts.count - 1].last < number) {
        KnownComparison fact = vec_pop(&decide->facts);
        decide->newest[fact.list] = fact.next;
    }
}

uint32_t son_way_to(const Func *func, Node from, Node to) {
    const Instr *instr = func_at(func, from);
    uint32_t way = NO_ID;
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (instr_succs(func, instr)[k].i == to.i) way = way == NO_ID ? k : NO_ID;
    return way;
}

// The fact that the only edge into a node gives, if it is a way of a branch or comes from a check.
static void enter(SonDecide *decide, Node node) {
    SonWork *work = decide->work;
    Comparison comparison;
    Node from = work->sole[node.i];
    if (from.i == NO_ID) return;
    const Instr *instr = func_at(decide->func, from);
    // A branch that constants decide gives no new fact.
    if (!bits_has(&work->reached, from.i) || instr->succ_count > 64) return;
    BranchEdge edge = {from, son_way_to(decide->func, from, node)};
    if (edge.way != NO_ID && son_outcome(work, from, edge.way, &comparison))
        add_fact(decide, comparison, edge, work->open.last[node.i]);
}

// ---- Decisions

static void use_list(SonDecide *decide, const Comparison *goal, uint32_t list) {
    uint32_t at = decide->newest[list];
    for (uint32_t i = 0; i < NEWEST && at != NO_ID; at = decide->facts.at[at].next, i++) {
        if (!comparison_concerns(&decide->facts.at[at].comparison, goal)) continue;
        vec_push(decide->work->arena, &decide->usable, decide->facts.at[at].comparison);
        vec_push(decide->work->arena, &decide->reasons, decide->facts.at[at].edge);
    }
}

static void find_usable(SonDecide *decide, const Comparison *goal) {
    vec_clear(&decide->usable);
    vec_clear(&decide->reasons);
    if (goal->b.i != NO_ID) {
        use_list(decide, goal, list_of(goal->a.i < goal->b.i ? goal->a : goal->b, LIST_PAIRS));
    } else {
        use_list(decide, goal, list_of(goal->a, LIST_BOUNDS));
        use_list(decide, goal, list_of(goal->a, LIST_UNEQUAL));
    }
}

static bool follows(const SonDecide *decide, const Comparison *goal) {
    return decide->usable.count &&
           comparison_follows(decide->usable.at, decide->usable.count, goal);
}

// Leaves out what is not needed, the oldest facts first.
static void reduce(SonDecide *decide, const Comparison *goal) {
    for (uint32_t i = decide->usable.count; i-- > 0;) {
        Comparison fact = decide->usable.at[i];
        uint32_t end = decide->usable.count - 1;
        decide->usable.at[i] = decide->usable.at[end];
        decide->usable.count--;
        if (follows(decide, goal)) {
            decide->reasons.at[i] = decide->reasons.at[end];
            decide->reasons.count--;
        } else {
            decide->usable.count++;
            decide->usable.at[i] = fact;
        }
    }
}

static void add_decision(SonDecide *decide, BranchEdge edge, const Comparison *goal) {
    SonWork *work = decide->work;
    reduce(decide, goal);
    Decision decision = {.edge = edge, .first = work->edges.count, .count = decide->reasons.count};
    vec_push(work->arena, &work->decisions, decision);
    for (uint32_t i = 0; i < decide->reasons.count; i++)
        vec_push(work->arena, &work->edges, decide->reasons.at[i]);
}

static bool is_constant_test(SonWork *work, Node node) {
    const Instr *instr = func_at(work->before, node);
    Value constant;
    uint32_t value = instr->kind == I_COND ? work->test[node.i] : work->value_of[instr->arg[0].i];
    return value_is_constant(&work->values, value, &constant);
}

// Both outcomes of a condition are tried; for a switch, the values with which its register is
// compared; for a check, its condition.
static uint32_t decided_way(SonDecide *decide, Node node) {
    SonWork *work = decide->work;
    const Instr *instr = func_at(decide->func, node);
    Comparison goal;
    uint32_t first = instr->kind == I_CHECK ? 0 : 1;
    if (!son_outcome(work, node, first, &goal)) return NO_ID;
    find_usable(decide, &goal);
    uint32_t tries = instr->kind == I_SWITCH ? decide->usable.count : first + 1;
    for (uint32_t i = 0; i < tries; i++) {
        uint32_t way = instr->kind == I_SWITCH
                           ? son_switch_way(decide->func, instr, decide->usable.at[i].imm)
                           : i;
        if (!son_outcome(work, node, way, &goal) || !follows(decide, &goal)) continue;
        add_decision(decide, (BranchEdge){node, way}, &goal);
        return way;
    }
    return NO_ID;
}

void son_sort_decisions(SonWork *work) {
    uint32_t *at = ARENA_ARRAY(work->arena, uint32_t, work->before->nodes.count); // plus one
    for (uint32_t i = 0; i < work->decisions.count; i++)
        at[work->decisions.at[i].edge.branch.i] = i + 1;
    Decision *sorted = ARENA_ARRAY(work->arena, Decision, work->decisions.count);
    uint32_t next = 0;
    for (uint32_t n = 0; n < work->before->nodes.count; n++)
        if (at[n]) sorted[next++] = work->decisions.at[at[n] - 1];
    work->decisions.at = sorted;
    work->decisions.capacity = work->decisions.count;
}

void son_decide(SonWork *work, uint32_t *way) {
    SonDecide decide = {.work = work, .func = work->before};
    vec_clear(&work->decisions);
    vec_clear(&work->edges);
    uint32_t tests = 0;
    for (uint32_t n = 0; n < work->before->nodes.count; n++) {
        const Instr *instr = &work->before->nodes.at[n];
        way[n] = NO_ID;
        tests += bits_has(&work->reached, n) && (instr->succ_count > 1 || instr->kind == I_CHECK);
    }
    if (tests < 2) return; // none to decide another
    uint32_t lists = work->values.values.count * LIST_COUNT;
    decide.newest = ARENA_ARRAY(work->arena, uint32_t, lists);
    for (uint32_t i = 0; i < lists; i++) decide.newest[i] = NO_ID;
    for (uint32_t number = 0; number < work->open.count; number++) {
        Node node = {work->open.order[number]};
        if (!bits_has(&work->reached, node.i)) continue;
        leave(&decide, number);
        enter(&decide, node);
        const Instr *instr = func_at(work->before, node);
        if ((instr->succ_count > 1 || instr->kind == I_CHECK) && !is_constant_test(work, node))
            way[node.i] = decided_way(&decide, node);
    }
    if (work->decisions.count) son_sort_decisions(work);
}
