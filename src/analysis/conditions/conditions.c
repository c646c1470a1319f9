#include "analysis/conditions/conditions.h"

#include "analysis/conditions/uninitialized.h"
#include "fact/effects.h"

// The budgets of one table, which answers as many questions of a function as it can, and of the
// sets of loops that are looked at together.
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
    c->function = ARENA_ARRAY(arena, Bdd, ssa->regs.count);
    c->seen = ARENA_ARRAY(arena, bool, ssa->regs.count);
    c->asked = ARENA_ARRAY(arena, bool, ssa->regs.count);
    memory_init(c);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        if (stops(ssa, instr)) vec_push(arena, &c->stops, (Node){n});
        if (instr->kind == I_COND && instr->immediate) c->asked[instr->arg[0].i] = true;
    }
    c->scratch = arena_new("conditions");
    start_over(c);
    return c;
}

void conditions_free(BadConditions *c) {
    arena_free(c->scratch);
}

bool is_test_of_zero(const Instr *instr) {
    OpFamily family = op_family(instr->op);
    return instr->kind == I_COND && instr->immediate && !instr->imm &&
           (family == FAM_EQ || family == FAM_NE);
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
    VEC(Node) loops;     // the headers among them
    VEC(Reg) compared;   // of zero: registers that are compared with it on the way
    Bdd *function;       // by register: plus one
    ConditionView *view; // for which they are
    Bdd *kept;           // by loop in `loops`: when each iteration leaves a bad value so
    Node closed;         // a loop that is in a later iteration, whatever the view says; NO_NODE
    Node looked;         // the loop whose mu is taken for something; NO_NODE
    Bdd assumed;         // for that
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

// By their numbers.
static void note_loop(BadSearch *s, Node header) {
    for (uint32_t i = 0; i < s->loops.count; i++)
        if (s->loops.at[i].i == header.i) return;
    vec_push(s->conditions->scratch, &s->loops, header);
    for (uint32_t i = s->loops.count - 1; i && s->loops.at[i - 1].i > header.i; i--) {
        s->loops.at[i] = s->loops.at[i - 1];
        s->loops.at[i - 1] = header;
    }
}

// A value that passes more merges than this is not followed.
enum { MAX_MERGES = 300 };

// The merges through which bad values could come. False if there are too many.
static bool find_merges(BadSearch *s, Reg reg) {
    BadConditions *c = s->conditions;
    bool *seen = c->seen, fits = true;
    VEC(Reg) work = {0};
    VEC(Reg) visited = {0};
    vec_push(c->scratch, &work, reg);
    while (work.count && fits) {
        Reg at = vec_pop(&work);
        if (seen[at.i] || !s->may_be_bad[at.i]) continue;
        seen[at.i] = true;
        vec_push(c->scratch, &visited, at);
        const Instr *instr = defining_instr(c->ssa, c->definitions, at);
        if (instr && s->what != BAD_UNDEFINED && instr->kind == I_OP && op_is_move(instr->op))
            vec_push(c->scratch, &work, instr->arg[0]);
        const Phi *phi = defining_phi(c->ssa, c->definitions, at);
        if (!phi) continue;
        vec_push(c->scratch, &s->merges, at);
        if (s->merges.count > MAX_MERGES) fits = false;
        Node join = c->definitions[at.i].node;
        if (!is_gamma(c, at)) note_loop(s, join);
        for (uint32_t k = 0; k < preds_count(&c->forest.preds, join); k++)
            vec_push(c->scratch, &work, phi_args(c->ssa, phi)[k]);
    }
    for (uint32_t i = 0; i < visited.count; i++) seen[visited.at[i].i] = false;
    if (fits) insert_by_join(s);
    return fits;
}

// ---- When a value is bad

static bool is_compared(const BadSearch *s, uint32_t quantity) {
    for (uint32_t i = 0; i < s->compared.count; i++)
        if (quantity_of(s->conditions, s->view, s->compared.at[i]) == quantity) return true;
    return false;
}

// Of a register that is compared with zero on the way: that it is zero.
static Bdd is_zero(BadSearch *s, Reg reg) {
    return compare_registers(s->conditions, s->view,
                             op_of(FAM_EQ, reg_type(s->conditions->ssa, reg)), reg, NO_REG, 0);
}

static bool is_asked_for(const BadSearch *s, Reg reg) {
    return s->what == BAD_NULL && is_compared(s, quantity_of(s->conditions, s->view, reg));
}

static Bdd bad_leaf(BadSearch *s, Reg reg) {
    BadConditions *c = s->conditions;
    if (s->what == BAD_UNDEFINED)
        return c->definitions[reg.i].by == SET_BY_NOTHING && s->may_be_bad[reg.i] ? BDD_TRUE
                                                                                  : BDD_FALSE;
    int64_t number;
    uint32_t quantity = quantity_of(c, s->view, reg);
    if (quantity_is_number(c, quantity, &number)) return number == 0 ? BDD_TRUE : BDD_FALSE;
    return is_asked_for(s, reg) ? is_zero(s, reg) : BDD_FALSE;
}

// The value is bad: of a register that is no merge, or of a merge that has been looked at.
static Bdd bad_register(BadSearch *s, Reg reg) {
    BadConditions *c = s->conditions;
    if (s->function[reg.i]) return s->function[reg.i] - 1;
    const Instr *instr = defining_instr(c->ssa, c->definitions, reg);
    while (s->what != BAD_UNDEFINED && instr && instr->kind == I_OP && op_is_move(instr->op) &&
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

static uint32_t loop_number(const BadSearch *s, Node header) {
    uint32_t i = 0;
    while (s->loops.at[i].i != header.i) i++;
    return i;
}

static Bdd bad_mu(BadSearch *s, Node header, const Reg *args) {
    BadConditions *c = s->conditions;
    if (header.i == s->looked.i) return s->assumed;
    if (header.i != s->closed.i && is_first(s->view, header)) return bad_register(s, args[0]);
    return bdd_and(&c->bdd, bad_register(s, args[0]), s->kept[loop_number(s, header)]);
}

// Finds for all merges when they are bad.
static void follow_merges(BadSearch *s) {
    BadConditions *c = s->conditions;
    for (uint32_t i = 0; i < s->merges.count; i++) s->function[s->merges.at[i].i] = 0;
    for (uint32_t i = 0; i < s->merges.count; i++) {
        Reg merge = s->merges.at[i];
        const Reg *args = phi_args(c->ssa, defining_phi(c->ssa, c->definitions, merge));
        Node join = c->definitions[merge.i].node;
        Bdd bad = is_asked_for(s, merge) ? is_zero(s, merge)
                  : is_gamma(c, merge)   ? bad_gamma(s, join, args)
                                         : bad_mu(s, join, args);
        s->function[merge.i] = bad + 1;
    }
}

// ---- Later iterations

// The condition under which an iteration that goes on leaves the value bad, as a function of values
// that do not change in the loop. False if it depends on more.
static bool without_changes(BadSearch *s, Node header, Bdd left, Bdd *result) {
    BadConditions *c = s->conditions;
    uint32_t steps = 0;
    Bdd on = function_of_gate(c, s->view, c->forest.latch_gate[c->forest.exits.loop[header.i]].i);
    left = bdd_and(&c->bdd, left, on);
    bool *changes = ARENA_ARRAY(c->scratch, bool, c->atoms.count + 1);
    for (uint32_t i = 0; i < c->atoms.count; i++)
        changes[i] = group_varies(c, c->atoms.at[i].group, header, &steps);
    Bdd possible = possible_atoms(c, left, on);
    *result = bdd_forget(&c->bdd, bdd_and(&c->bdd, left, possible), changes);
    Bdd stays = bdd_and(&c->bdd, bdd_and(&c->bdd, *result, on), possible);
    return stays == bdd_and(&c->bdd, left, possible);
}

// For each loop of a view the condition under which a bad value stays bad from iteration to
// iteration: nothing else makes it bad, and the condition is the same in all iterations. Where that
// is not so, it is said to be so never, or always.
static void find_kept(BadSearch *s, bool earlier) {
    BadConditions *c = s->conditions;
    s->kept = ARENA_ARRAY(c->scratch, Bdd, s->loops.count + 1);
    // Inner loops come behind outer ones, and are looked at before.
    for (uint32_t i = s->loops.count; i-- > 0;) {
        Node header = s->loops.at[i];
        Reg mu = NO_REG;
        uint32_t count = 0;
        for (uint32_t k = 0; k < s->merges.count; k++)
            if (c->definitions[s->merges.at[k].i].node.i == header.i) mu = s->merges.at[k], count++;
        Reg back = phi_args(c->ssa, defining_phi(c->ssa, c->definitions, mu))[1];
        s->kept[i] = earlier && s->may_be_bad[back.i] ? BDD_TRUE : BDD_FALSE;
        if (count != 1 || s->what != BAD_UNDEFINED || !s->may_be_bad[back.i]) continue;
        Bdd left[2], result;
        for (Bdd before = BDD_FALSE; before <= BDD_TRUE; before++) {
            s->assumed = before;
            s->looked = header;
            follow_merges(s);
            left[before] = bad_register(s, back);
        }
        if (left[0] == BDD_FALSE && s->loops.count <= MAX_FIRST_LOOPS &&
            without_changes(s, header, left[1], &result))
            s->kept[i] = result;
    }
    s->looked = NO_NODE;
}

static Bdd bad_value(BadSearch *s, Reg reg, Node closed, bool earlier) {
    s->closed = closed;
    find_kept(s, earlier);
    follow_merges(s);
    return bad_register(s, reg);
}

// ---- The use

// The condition for coming to a node: the predicate of the way, and no call that does not return
// lies on it.
static Bdd reach(BadSearch *s, Node node) {
    BadConditions *c = s->conditions;
    Gate gate;
    (void)forest_evaluate(&c->forest, node.i, &gate);
    Bdd result = function_of_gate(c, s->view, gate.i);
    for (uint32_t i = 0; i < c->stops.count && !c->bdd.full; i++) {
        if (c->stops.at[i].i >= node.i) break;
        (void)forest_evaluate(&c->forest, c->stops.at[i].i, &gate);
        Bdd stopped = function_of_gate(c, s->view, gate.i);
        result = bdd_and(&c->bdd, result, bdd_not(&c->bdd, stopped));
    }
    return result;
}

// When the value is bad and comes through the first iterations of all loops of the view.
static Bdd bad_in_view(BadSearch *s, Reg reg, bool earlier) {
    BddTable *bdd = &s->conditions->bdd;
    Bdd result = bad_value(s, reg, NO_NODE, earlier);
    for (uint32_t i = 0; i < s->view->loops.count; i++) {
        Bdd otherwise = bad_value(s, reg, s->view->loops.first[i], earlier);
        result = bdd_and(bdd, result, bdd_not(bdd, otherwise));
    }
    return result;
}

// ---- Ways that lead to the use

// Whether control that takes a way comes to the use with a bad value, whatever is decided from
// there on.
static bool leads_to(BadSearch *s, Bdd way, Bdd condition) {
    BadConditions *c = s->conditions;
    return can_hold(c, way) && !can_hold(c, bdd_and(&c->bdd, way, bdd_not(&c->bdd, condition)));
}

static bool is_number_zero(const BadSearch *s, Reg reg) {
    int64_t number;
    uint32_t quantity = quantity_of(s->conditions, s->view, reg);
    return quantity_is_number(s->conditions, quantity, &number) && number == 0;
}

// Where the loop is left on the way to the use; NO_NODE if the use is inside.
static Node exit_to_use(const BadSearch *s, Node header) {
    const GateForest *forest = &s->conditions->forest;
    Node at = s->use, found = NO_NODE;
    for (; at.i && !loop_nest_contains(&forest->loop_nest, header, at); at = forest->dom.idom[at.i])
        found = at;
    return found;
}

// A way to a merge on which zero comes.
static bool merge_leads(BadSearch *s, Reg merge, Bdd condition) {
    BadConditions *c = s->conditions;
    Node join = c->definitions[merge.i].node;
    const Reg *args = phi_args(c->ssa, defining_phi(c->ssa, c->definitions, merge));
    if (!is_gamma(c, merge)) {
        if (!is_first(s->view, join) || !is_number_zero(s, args[0])) return false;
        Node left = exit_to_use(s, join);
        return leads_to(s, reach(s, left.i == NO_ID ? join : left), condition);
    }
    for (uint32_t k = 0; k < preds_count(&c->forest.preds, join); k++) {
        if (!is_number_zero(s, args[k])) continue;
        Gate gate = c->forest.join_gate[c->forest.join_at[join.i] + k];
        Bdd way = bdd_and(&c->bdd, reach(s, c->forest.dom.idom[join.i]),
                          function_of_gate(c, s->view, gate.i));
        if (leads_to(s, way, condition)) return true;
    }
    return false;
}

// A loop that is left because the value that it tests is zero.
static bool loop_leads(BadSearch *s, Node branch, Bdd condition) {
    BadConditions *c = s->conditions;
    const Instr *instr = func_at(c->ssa, branch);
    if (!is_test_of_zero(instr)) return false;
    Definition d = c->definitions[instr->arg[0].i];
    if (d.by != SET_BY_PHI || is_gamma(c, instr->arg[0])) return false;
    if (loop_nest_contains(&c->forest.loop_nest, d.node, s->use)) return false;
    Bdd way = bdd_and(&c->bdd, reach(s, branch), is_zero(s, instr->arg[0]));
    return leads_to(s, way, condition);
}

static bool is_certain(BadSearch *s, Bdd condition, Bdd reached) {
    // In the first iteration of a loop that says nothing: there are others.
    if (!s->view->loops.count && leads_to(s, reached, condition)) return true;
    for (uint32_t i = 0; i < s->merges.count; i++)
        if (merge_leads(s, s->merges.at[i], condition)) return true;
    const Node *idom = s->conditions->forest.dom.idom;
    for (Node n = s->use; n.i; n = idom[n.i])
        if (loop_leads(s, idom[n.i], condition)) return true;
    return false;
}

// ---- Cases

static void look_at_case(BadSearch *s, Reg reg, const FirstLoops *loops, BadCondition *found,
                         bool *more) {
    BadConditions *c = s->conditions;
    s->view = condition_view(c, loops);
    Bdd upper = bad_in_view(s, reg, true);
    if (upper == BDD_FALSE || c->bdd.full) return;
    Bdd lower = bad_in_view(s, reg, false), reached = reach(s, s->use);
    Bdd condition = bdd_and(&c->bdd, lower, reached);
    if (s->what == BAD_NULL && !found->certain) found->certain = is_certain(s, condition, reached);
    // The view of all cases.
    s->view = condition_view(c, &(FirstLoops){.count = 0});
    Bdd anyhow = reach(s, s->use);
    upper = bdd_and(&c->bdd, upper, bdd_not(&c->bdd, lower));
    if (can_hold(c, bdd_and(&c->bdd, upper, reached))) *more = true;
    Bdd possible = possible_orders(c, condition, possible_atoms(c, condition, anyhow));
    if (bdd_and(&c->bdd, condition, possible) == BDD_FALSE) return;
    vec_push(c->arena, &found->cases,
             (ConditionCase){
                 .loops = *loops, .condition = condition, .reached = anyhow, .possible = possible});
}

// Registers that branches which dominate the use compare with zero.
static void find_compared(BadSearch *s) {
    BadConditions *c = s->conditions;
    for (Node n = s->use; n.i; n = c->forest.dom.idom[n.i]) {
        const Instr *instr = func_at(c->ssa, c->forest.dom.idom[n.i]);
        if (is_test_of_zero(instr)) vec_push(c->scratch, &s->compared, instr->arg[0]);
    }
}

// Each failed question takes its time; a function may have no more failures than this.
enum { MAX_FAILURES = 100 };

static void look_at_cases(BadSearch *s, Reg reg, BadCondition *found) {
    BadConditions *c = s->conditions;
    bool more = s->loops.count > MAX_FIRST_LOOPS;
    uint32_t loops = more ? 0 : s->loops.count;
    for (uint32_t set = 0; set < 1u << loops && !c->bdd.full; set++) {
        FirstLoops first = {0};
        for (uint32_t i = 0; i < loops; i++)
            if (set & 1u << i) first.first[first.count++] = s->loops.at[i];
        look_at_case(s, reg, &first, found, &more);
    }
    found->verdict =
        found->cases.count ? (more ? BAD_AT_LEAST : BAD_WHEN) : (more ? BAD_PERHAPS : BAD_NEVER);
}

BadCondition condition_of_bad(BadConditions *c, Node use, Reg reg, BadValue what,
                              const bool *may_be_bad) {
    BadCondition found = {.verdict = BAD_UNKNOWN};
    if (c->failures >= MAX_FAILURES) return found;
    if (c->bdd.full) start_over(c);
    BadSearch s = {.conditions = c,
                   .use = use,
                   .what = what,
                   .may_be_bad = may_be_bad,
                   .looked = NO_NODE,
                   .function = c->function};
    if (what == BAD_NULL) find_compared(&s);
    if (find_merges(&s, reg)) look_at_cases(&s, reg, &found);
    for (uint32_t i = 0; i < s.merges.count; i++) c->function[s.merges.at[i].i] = 0;
    if (!c->bdd.full) return found;
    c->failures++;
    return (BadCondition){.verdict = BAD_UNKNOWN};
}
