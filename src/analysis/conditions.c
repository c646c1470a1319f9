#include "analysis/conditions.h"

#include "analysis/uninitialized.h"
#include "fact/effects.h"

// The budgets of one table, which answers as many questions of a function as it can, and of the sets of loops that are
// looked at together.
enum { NODE_BUDGET = 30000 };

static void start_over(BadConditions *c) {
    arena_reset(c->scratch);
    c->atoms.at = NULL;
    c->atoms.count = c->atoms.capacity = 0;
    c->groups.at = NULL;
    c->groups.count = c->groups.capacity = 0;
    c->group_of = (Map){0};
    c->views = NULL;
    c->depth = 0;
    bdd_init(&c->bdd, c->scratch, NODE_BUDGET);
}

// Whether control ends at a call although it has a successor that is no end by itself.
static bool stops(const Func *ssa, const Instr *instr) {
    if (instr->kind != I_CALL || !never_comes_back(ssa->program, instr)) return false;
    const Instr *next = func_at(ssa, instr_succs(ssa, instr)[0]);
    return next->kind != I_BUILTIN || !instr_ends(next);
}

BadConditions *conditions_new(Arena *arena, const Func *ssa) {
    BadConditions *c = ARENA_NEW(arena, BadConditions);
    c->arena = arena;
    c->ssa = ssa;
    if (!forest_init(&c->forest, arena, ssa, gsa_new(arena), &c->paths)) return NULL;
    forest_grow(&c->forest);
    c->definitions = definitions_of(arena, ssa);
    c->memory_at = memory_versions(arena, ssa, &c->forest.preds, &c->forest.loop_nest);
    for (uint32_t n = 0; n < ssa->nodes.count; n++)
        if (stops(ssa, &ssa->nodes.at[n])) vec_push(arena, &c->stops, (Node){n});
    c->scratch = arena_new("conditions");
    start_over(c);
    return c;
}

void conditions_free(BadConditions *c) {
    arena_free(c->scratch);
}

ConditionView *condition_view(BadConditions *c, const FirstLoops *loops) {
    for (ConditionView *view = c->views; view; view = view->next) {
        bool same = view->loops.count == loops->count;
        for (uint32_t i = 0; same && i < loops->count; i++)
            same = view->loops.first[i].i == loops->first[i].i;
        if (same) return view;
    }
    ConditionView *view = ARENA_NEW(c->scratch, ConditionView);
    *view = (ConditionView){.loops = *loops, .next = c->views};
    view->quantity = ARENA_ARRAY(c->scratch, uint32_t, c->ssa->regs.count);
    return c->views = view;
}

// ---- The ways of bad values

typedef struct {
    BadConditions *conditions;
    Node use;
    BadValue what;
    const bool *may_be_bad;
    VEC(Reg) merges;     // that may bring the value, by the numbers of their joins
    VEC(Node) loops;     // those of them that are headers
    VEC(Reg) compared;   // of zero: registers that are compared with it on the way
    Bdd *function;       // by register: plus one
    ConditionView *view; // for which they are
    Node closed;         // a loop whose mus are taken for good; NO_NODE
    bool earlier;        // what comes from earlier iterations is taken for bad
    VEC(Reg) set;        // of function
} BadSearch;

static void insert_by_join(BadSearch *s) {
    const Definition *definitions = s->conditions->definitions;
    for (uint32_t i = 1; i < s->merges.count; i++) {
        Reg reg = s->merges.at[i];
        uint32_t at = i;
        for (; at && definitions[s->merges.at[at - 1].i].node.i > definitions[reg.i].node.i; at--)
            s->merges.at[at] = s->merges.at[at - 1];
        s->merges.at[at] = reg;
    }
}

static void note_loop(BadSearch *s, Node header) {
    for (uint32_t i = 0; i < s->loops.count; i++)
        if (s->loops.at[i].i == header.i) return;
    vec_push(s->conditions->scratch, &s->loops, header);
}

// A value that passes more merges than this is not followed.
enum { MAX_MERGES = 300 };

// The merges through which bad values could come. False if there are too many.
static bool find_merges(BadSearch *s, Reg reg) {
    BadConditions *c = s->conditions;
    bool *seen = ARENA_ARRAY(c->scratch, bool, c->ssa->regs.count);
    VEC(Reg) work = {0};
    vec_push(c->scratch, &work, reg);
    while (work.count) {
        Reg at = vec_pop(&work);
        if (seen[at.i] || !s->may_be_bad[at.i]) continue;
        seen[at.i] = true;
        const Instr *instr = defining_instr(c->ssa, c->definitions, at);
        if (instr && s->what == BAD_ZERO && instr->kind == I_OP && op_is_move(instr->op))
            vec_push(c->scratch, &work, instr->arg[0]);
        const Phi *phi = defining_phi(c->ssa, c->definitions, at);
        if (!phi) continue;
        vec_push(c->scratch, &s->merges, at);
        if (s->merges.count > MAX_MERGES) return false;
        Node join = c->definitions[at.i].node;
        if (!is_gamma(c, at)) note_loop(s, join);
        for (uint32_t k = 0; k < preds_count(&c->forest.preds, join); k++)
            vec_push(c->scratch, &work, phi_args(c->ssa, phi)[k]);
    }
    insert_by_join(s);
    return true;
}

// ---- When a value is bad

static bool is_compared(const BadSearch *s, uint32_t quantity) {
    for (uint32_t i = 0; i < s->compared.count; i++)
        if (quantity_of(s->conditions, s->view, s->compared.at[i]) == quantity) return true;
    return false;
}

static Bdd bad_leaf(BadSearch *s, Reg reg) {
    BadConditions *c = s->conditions;
    if (s->what == BAD_UNDEFINED)
        return c->definitions[reg.i].by == SET_BY_NOTHING && s->may_be_bad[reg.i] ? BDD_TRUE
                                                                                  : BDD_FALSE;
    int64_t number;
    uint32_t quantity = quantity_of(c, s->view, reg);
    if (quantity_is_number(c, quantity, &number)) return number == 0 ? BDD_TRUE : BDD_FALSE;
    if (!is_compared(s, quantity)) return BDD_FALSE;
    Type type = (Type)c->quantities.at[quantity].type;
    return compare_quantities(c, op_of(FAM_EQ, type), quantity, quantity_number(c, type, 0));
}

// The value is bad: of a register that is no merge, or of a merge that has been looked at.
static Bdd bad_register(BadSearch *s, Reg reg) {
    BadConditions *c = s->conditions;
    if (s->function[reg.i]) return s->function[reg.i] - 1;
    const Instr *instr = defining_instr(c->ssa, c->definitions, reg);
    while (s->what == BAD_ZERO && instr && instr->kind == I_OP && op_is_move(instr->op) &&
           !s->function[reg.i]) {
        reg = instr->arg[0];
        instr = defining_instr(c->ssa, c->definitions, reg);
    }
    return s->function[reg.i] ? s->function[reg.i] - 1 : bad_leaf(s, reg);
}

static Bdd bad_gamma(BadSearch *s, Node join, const Reg *args) {
    BadConditions *c = s->conditions;
    Bdd result = BDD_FALSE;
    for (uint32_t k = 0; k < preds_count(&c->forest.preds, join); k++) {
        Bdd bad = bad_register(s, args[k]);
        if (bad == BDD_FALSE) continue;
        uint32_t gate = c->forest.join_gate[c->forest.join_at[join.i] + k].i;
        Bdd way = function_of_gate(c, s->view, gate);
        result = bdd_or(&c->bdd, result, bdd_and(&c->bdd, way, bad));
    }
    return result;
}

static Bdd bad_mu(BadSearch *s, Node header, const Reg *args) {
    if (header.i == s->closed.i) return BDD_FALSE;
    if (is_first(s->view, header)) return bad_register(s, args[0]);
    return s->earlier && s->may_be_bad[args[1].i] ? BDD_TRUE : BDD_FALSE;
}

static Bdd bad_value(BadSearch *s, Reg reg, Node closed, bool earlier) {
    BadConditions *c = s->conditions;
    s->closed = closed;
    s->earlier = earlier;
    for (uint32_t i = 0; i < s->merges.count; i++) s->function[s->merges.at[i].i] = 0;
    for (uint32_t i = 0; i < s->merges.count; i++) {
        Reg merge = s->merges.at[i];
        const Reg *args = phi_args(c->ssa, defining_phi(c->ssa, c->definitions, merge));
        Node join = c->definitions[merge.i].node;
        Bdd bad = is_gamma(c, merge) ? bad_gamma(s, join, args) : bad_mu(s, join, args);
        s->function[merge.i] = bad + 1;
    }
    return bad_register(s, reg);
}

// ---- The use

// The condition for coming to the use: the predicate of the way, and no call that does not return lies on it.
static Bdd reach(BadSearch *s) {
    BadConditions *c = s->conditions;
    Gate gate;
    (void)forest_evaluate(&c->forest, s->use.i, &gate);
    Bdd result = function_of_gate(c, s->view, gate.i);
    for (uint32_t i = 0; i < c->stops.count && !c->bdd.full; i++) {
        if (c->stops.at[i].i >= s->use.i) break;
        (void)forest_evaluate(&c->forest, c->stops.at[i].i, &gate);
        Bdd stopped = function_of_gate(c, s->view, gate.i);
        result = bdd_and(&c->bdd, result, bdd_not(&c->bdd, stopped));
    }
    return result;
}

// Looks at the case that these loops are in their first iteration: only at values that come through all of them.
static void look_at_case(BadSearch *s, Reg reg, const FirstLoops *loops, BadCondition *found,
                         bool *more) {
    BadConditions *c = s->conditions;
    s->view = condition_view(c, loops);
    Bdd upper = bad_value(s, reg, NO_NODE, true);
    if (upper == BDD_FALSE || c->bdd.full) return;
    Bdd lower = bad_value(s, reg, NO_NODE, false), reached = reach(s);
    for (uint32_t i = 0; i < loops->count; i++) {
        Bdd without = bad_value(s, reg, loops->first[i], false);
        lower = bdd_and(&c->bdd, lower, bdd_not(&c->bdd, without));
        without = bad_value(s, reg, loops->first[i], true);
        upper = bdd_and(&c->bdd, upper, bdd_not(&c->bdd, without));
    }
    upper = bdd_and(&c->bdd, upper, bdd_not(&c->bdd, lower));
    if (can_hold(c, bdd_and(&c->bdd, upper, reached))) *more = true;
    Bdd condition = bdd_and(&c->bdd, lower, reached);
    Bdd possible = possible_atoms(c, condition, reached);
    if (bdd_and(&c->bdd, condition, possible) == BDD_FALSE) return;
    vec_push(
        c->arena, &found->cases,
        (ConditionCase){
            .loops = *loops, .condition = condition, .reached = reached, .possible = possible});
}

// Registers that branches which dominate the use compare with zero.
static void find_compared(BadSearch *s) {
    BadConditions *c = s->conditions;
    for (Node n = s->use; n.i; n = c->forest.dom.idom[n.i]) {
        const Instr *instr = func_at(c->ssa, c->forest.dom.idom[n.i]);
        if (instr->kind != I_COND || !instr->immediate || instr->imm) continue;
        if (op_family(instr->op) == FAM_EQ || op_family(instr->op) == FAM_NE)
            vec_push(c->scratch, &s->compared, instr->arg[0]);
    }
}

BadCondition condition_of_bad(BadConditions *c, Node use, Reg reg, BadValue what,
                              const bool *may_be_bad) {
    BadCondition found = {.verdict = BAD_UNKNOWN};
    if (c->bdd.full) start_over(c);
    BadSearch s = {.conditions = c, .use = use, .what = what, .may_be_bad = may_be_bad};
    s.function = ARENA_ARRAY(c->scratch, Bdd, c->ssa->regs.count);
    if (what == BAD_ZERO) find_compared(&s);
    if (!find_merges(&s, reg)) return found;
    bool more = s.loops.count > MAX_FIRST_LOOPS;
    uint32_t loops = more ? 0 : s.loops.count;
    for (uint32_t set = 0; set < 1u << loops && !c->bdd.full; set++) {
        FirstLoops first = {0};
        for (uint32_t i = 0; i < loops; i++)
            if (set & 1u << i) first.first[first.count++] = s.loops.at[i];
        look_at_case(&s, reg, &first, &found, &more);
    }
    if (c->bdd.full) return (BadCondition){.verdict = BAD_UNKNOWN};
    found.verdict =
        found.cases.count ? (more ? BAD_AT_LEAST : BAD_WHEN) : (more ? BAD_PERHAPS : BAD_NEVER);
    return found;
}
