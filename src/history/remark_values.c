// Remarks on passes whose hints are values: the reasons are the values, rules and decisions that
// the checker has judged.
#include "history/values_view.h"

#include "fact/effects.h"
#include "fact/places.h"

// ---- Rules

// Whether one value is an operand of another: then it is called what it is called there.
static bool is_operand(const ValuesView *v, uint32_t of, uint32_t value) {
    const HintValue *it = &v->hint->values.at[of];
    for (uint32_t k = 0; it->kind == VALUE_OP && k < it->count; k++)
        if (value_root(&v->roots, v->hint->args.at[it->first + k]) == value_root(&v->roots, value))
            return true;
    return false;
}

// Whether ranges of values must be known for a step.
static bool is_by_range(uint32_t rule) {
    return rule == STEP_KNOWN || (rule < RULE_COUNT && rule_table[rule].guard);
}

// "mul.i32 %a.0, 8 is shl.i32 %a.0, 3"; if more than the operator is needed, "mods.i32 %a.0, 8
// becomes and.i32 %a.0, 7 for the range of its operands".
static const char *change_of(const ValuesView *v, uint32_t first, uint32_t last, const char *reason,
                             uint32_t place) {
    return arena_printf(v->notes->scratch, "%s %s %s%s", values_operator(v, first, place),
                        *reason ? "becomes" : "is",
                        is_operand(v, first, last) ? values_name(v, last, place)
                                                   : values_operator(v, last, place),
                        reason);
}

static const char *reason_of(uint32_t rule) {
    if (rule == STEP_MERGED) return " on each way to the join";
    if (rule == STEP_EQUAL) return " where two values are equal";
    return is_by_range(rule) ? " for the range of its operands" : "";
}

// The rules by which the operator of a register has become what it is: "by rule mul_power: mul.i32
// %a.0, 8 is shl.i32 %a.0, 3"; NULL if there are none.
static const char *rules_of(const ValuesView *v, uint32_t value, uint32_t place) {
    enum { MOST_NAMES = 4 };
    Out out = {0};
    uint32_t first = value, last = NO_ID, names = 0, at = value;
    const char *reason = "";
    while (at < v->hint->values.count && v->roots.step[at] != NO_ID) {
        const ValueStep *step = &v->hint->steps.at[v->roots.step[at]];
        if (step->rule != STEP_CONGRUENT && step->rule != STEP_EXTENDED) {
            if (names == 0) first = at;
            last = step->to;
            if (*reason_of(step->rule)) reason = reason_of(step->rule);
            if (names < MOST_NAMES)
                out_printf(&out, "%s%s",
                           names                     ? ", "
                           : step->rule < RULE_COUNT ? "by rule "
                                                     : "",
                           history_step_name(step->rule));
            if (names == MOST_NAMES) out_text(&out, ", ...");
            names++;
        }
        at = step->to;
    }
    const char *text = NULL;
    if (names)
        text = arena_printf(v->notes->scratch, "%.*s: %s", (int)out.length, out.text,
                            change_of(v, first, last, reason, place));
    out_free(&out);
    return text;
}

// ---- Ranges

static void print_edge(Out *out, const ValuesView *v, BranchEdge edge, const char *before);

static uint32_t way_to(const Func *func, Node from, Node to) {
    const Instr *instr = func_at(func, from);
    uint32_t way = 0;
    while (way < instr->succ_count && instr_succs(func, instr)[way].i != to.i) way++;
    return way;
}

// The outcomes, accesses and divisions on which a fact about a range rests, up to a few.
static void print_outcomes(Out *out, const ValuesView *v, uint32_t fact, uint32_t *room) {
    if (fact >= v->hint->ranges.count || *room == 0) return;
    const RangeFact *it = &v->hint->ranges.at[fact];
    for (uint32_t k = 0; k < 3; k++)
        if (it->from[k] < fact) print_outcomes(out, v, it->from[k], room);
    if (it->ref >= v->before->nodes.count || *room == 0) return;
    if (it->reason == RANGE_ACCESS) {
        out_printf(out, "%s%s has accessed memory by %s before", out->length ? ", and " : ": ",
                   history_node(v->notes, v->before, (Node){it->ref}),
                   values_name(v, it->value, it->ref));
        --*room;
    }
    if (it->reason == RANGE_DIVIDED) {
        out_printf(out, "%s%s has divided by %s before", out->length ? ", and " : ": ",
                   history_node(v->notes, v->before, (Node){it->ref}),
                   values_name(v, it->value, it->ref));
        --*room;
    }
    if (it->reason != RANGE_OUTCOME) return;
    print_edge(out, v, (BranchEdge){{it->ref}, way_to(v->before, (Node){it->ref}, it->place)},
               out->length ? ", and " : ": ");
    --*room;
}

// The branches by which a phi stays within its range: ": the branch at node 3 went to node 4
// before".
static void print_bounds(Out *out, const ValuesView *v, uint32_t value) {
    const ValuesHint *hint = v->hint;
    uint32_t room = 2, count = hint->values.at[value].count;
    for (uint32_t i = 0; i < hint->phi_ranges.count; i++) {
        const PhiRange *it = &hint->phi_ranges.at[i];
        if (it->value != value || it->first > hint->range_ways.count) continue;
        for (uint32_t k = 0; k < count && k < hint->range_ways.count - it->first; k++)
            print_outcomes(out, v, hint->range_ways.at[it->first + k], &room);
    }
}

// The operator of `before` that counts a phi on; NO_ID if there is none.
static uint32_t item_that_counts(const ValuesView *v, uint32_t phi) {
    const HintValue *it = &v->hint->values.at[phi];
    uint32_t found = NO_ID;
    for (uint32_t k = 0; it->kind == VALUE_PHI && k < it->count; k++) {
        uint32_t root = value_root(&v->roots, v->hint->args.at[it->first + k]);
        uint32_t reg = root == NO_ID ? NO_ID : v->first_old[root];
        const Instr *instr =
            reg == NO_ID ? NULL : defining_instr(v->before, v->definitions, (Reg){reg});
        if (instr && instr->arg_count) found = v->notes->then_items->of_reg[reg];
    }
    return found;
}

// What counts along with a phi that has been added; false if nothing does.
static bool remark_counter(const ValuesView *v, uint32_t item, uint32_t value) {
    const ValuesHint *hint = v->hint;
    for (uint32_t i = 0; i < hint->counted.count; i++) {
        if (hint->counted.at[i].step >= hint->steps.count) continue;
        const ValueStep *step = &hint->steps.at[hint->counted.at[i].step];
        if (step->to != value || step->from >= hint->values.count) continue;
        const HintValue *from = &hint->values.at[step->from];
        Out out = {0};
        uint32_t other = NO_ID;
        for (uint32_t k = 0; from->kind == VALUE_OP && k < from->count; k++) {
            uint32_t arg = hint->args.at[from->first + k];
            print_bounds(&out, v, arg);
            if (other == NO_ID) other = item_that_counts(v, arg);
        }
        history_remark(v->notes, REMARK_ADDED, NO_ID, item, other, "counts along with %s%.*s",
                       values_operator(v, step->from, hint->values.at[value].ref), (int)out.length,
                       out.length ? out.text : "");
        out_free(&out);
        return true;
    }
    return false;
}

// A step that ranges allow where the operator of a register stands; NULL if there is none.
static const char *local_rule(const ValuesView *v, Reg reg) {
    for (uint32_t i = 0; i < v->hint->local.count; i++) {
        const LocalStep *it = &v->hint->local.at[i];
        if (it->node.i != v->definitions[reg.i].node.i) continue;
        Out out = {0};
        uint32_t room = 2;
        if (it->step.rule == STEP_EQUAL)
            print_edge(&out, v, (BranchEdge){{it->facts[0]}, it->facts[1]}, ": ");
        for (uint32_t k = 0; it->step.rule != STEP_EQUAL && k < 2; k++)
            print_outcomes(&out, v, it->facts[k], &room);
        const char *text = arena_printf(
            v->notes->scratch, "%s%s: %s%.*s", it->step.rule < RULE_COUNT ? "by rule " : "",
            history_step_name(it->step.rule),
            change_of(v, it->step.from, it->step.to, reason_of(it->step.rule),
                      v->definitions[reg.i].node.i),
            (int)out.length, out.length ? out.text : "");
        out_free(&out);
        return text;
    }
    return NULL;
}

static const char *rules_of_reg(const ValuesView *v, Reg reg) {
    if (reg.i >= v->hint->formed.count) return NULL;
    const char *local = local_rule(v, reg);
    return local ? local : rules_of(v, v->hint->formed.at[reg.i], v->definitions[reg.i].node.i);
}

// ---- Memory

typedef struct {
    ValuesView *v;
    Places places;
    uint32_t *last; // per place: the last store or load of it, in the order of the dominator tree
    uint32_t *previous; // per node: the one before
} LoadSources;

// Registers are known by their values, so that addresses are the same if those are.
static const RegisterValue *known_values(ValuesView *v) {
    uint32_t count = v->before->regs.count;
    RegisterValue *known = ARENA_ARRAY(v->notes->scratch, RegisterValue, (size_t)count + 1);
    for (uint32_t r = 0; r < count; r++) {
        uint32_t root = value_root_of_reg(&v->roots, r);
        const HintValue *it = values_constant(v, root);
        uint32_t value = root == NO_ID ? v->hint->values.count + r : root;
        known[r] = it ? register_value(value, it->op, it->ref, it->imm)
                      : register_value(value, OP_COUNT, NO_ID, 0);
    }
    return known;
}

static LoadSources accesses_of(ValuesView *v) {
    Arena *scratch = v->notes->scratch;
    LoadSources accesses = {.v = v,
                            .places = places_by_values(scratch, v->before, known_values(v), NULL)};
    accesses.last = history_table(scratch, v->before->nodes.count);
    accesses.previous = history_table(scratch, v->before->nodes.count);
    for (uint32_t i = 0; i < v->dominance.count; i++) {
        uint32_t node = v->dominance.order[i], place = accesses.places.target[node];
        const Instr *instr = &v->before->nodes.at[node];
        if ((instr->kind != I_STORE && instr->kind != I_LOAD) || place >= v->before->nodes.count)
            continue;
        accesses.previous[node] = accesses.last[place];
        accesses.last[place] = node;
    }
    return accesses;
}

// Whether a load yields what a register has that was loaded or stored: the same, or, of less than a
// register, its extension.
static bool holds(const ValuesView *v, uint32_t held, uint32_t loaded, bool stored) {
    if (held == loaded) return held != NO_ID;
    if (!stored || loaded == NO_ID) return false;
    const HintValue *it = &v->hint->values.at[loaded];
    return it->kind == VALUE_OP && it->count == 1 && op_info((Op)it->op)->arity == 1 &&
           value_root(&v->roots, v->hint->args.at[it->first]) == held;
}

// Where the contents of a load come from: the nearest access to the same place above it that stores
// or finds the same value. Loads that are gone for the same reason are passed by, if there is
// another.
static uint32_t source_of_load(const LoadSources *accesses, uint32_t load) {
    enum { MOST_LOOKS = 64 };
    const ValuesView *v = accesses->v;
    uint32_t root = value_root_of_reg(&v->roots, v->before->nodes.at[load].dest.i);
    uint32_t at = accesses->previous[load], nearest = NO_ID;
    for (uint32_t looks = 0; at != NO_ID && looks < MOST_LOOKS; looks++) {
        const Instr *instr = &v->before->nodes.at[at];
        Reg reg = instr->kind == I_LOAD ? instr->dest
                                        : instr_args(v->before, instr)[instr->arg_count - 1];
        if (dominates(&v->dominance, (Node){at}, (Node){load}) &&
            holds(v, value_root_of_reg(&v->roots, reg.i), root, instr->kind == I_STORE)) {
            if (v->claimed[v->notes->then_items->of_node[at]] != NO_ID) return at;
            if (nearest == NO_ID) nearest = at;
        }
        at = accesses->previous[at];
    }
    return nearest;
}

// ---- What is gone

// Another register that has the value and is still there: one above, if there is one.
static uint32_t equal_register(const ValuesView *v, uint32_t reg, uint32_t root) {
    enum { MOST_LOOKS = 64 };
    uint32_t found = NO_ID, looks = 0;
    Node node = v->definitions[reg].node;
    for (uint32_t r = v->first_old[root]; r != NO_ID && looks < MOST_LOOKS;
         r = v->next_old[r], looks++) {
        Definition definition = v->definitions[r];
        uint32_t item = v->notes->then_items->of_reg[r];
        bool there = definition.by == SET_BY_CALLER || (item != NO_ID && v->claimed[item] != NO_ID);
        if (r == reg || !there) continue;
        bool above =
            definition.by == SET_BY_CALLER || (dominance_reaches(&v->dominance, definition.node) &&
                                               dominance_reaches(&v->dominance, node) &&
                                               dominates(&v->dominance, definition.node, node));
        if (above) return r;
        if (found == NO_ID) found = r;
    }
    return found;
}

// "computed at node 5, which dominates"
static const char *whereabouts(const ValuesView *v, uint32_t reg, uint32_t than) {
    Definition definition = v->definitions[reg];
    Node node = v->definitions[than].node;
    if (definition.by == SET_BY_CALLER) return "a parameter";
    bool above = dominance_reaches(&v->dominance, definition.node) &&
                 dominance_reaches(&v->dominance, node) &&
                 dominates(&v->dominance, definition.node, node);
    return arena_printf(
        v->notes->scratch, "%s at %s%s", definition.by == SET_BY_PHI ? "merged" : "computed",
        history_node(v->notes, v->before, definition.node), above ? ", which dominates" : "");
}

static bool is_copy(const Instr *instr) {
    return instr && instr->kind == I_OP && op_is_move((Op)instr->op);
}

static void remark_merged(const ValuesView *v, uint32_t item, Reg reg, uint32_t equal) {
    StepNotes *notes = v->notes;
    const Instr *instr = item_instr(v->before, &notes->then_items->at[item]);
    const char *name = history_reg(notes, v->before, (Reg){equal});
    // What was the same before any rule is so without one.
    bool alike = equal < v->hint->formed.count && reg.i < v->hint->formed.count &&
                 v->hint->formed.at[equal] == v->hint->formed.at[reg.i];
    const char *rules = alike ? NULL : rules_of_reg(v, reg);
    const char *where = whereabouts(v, equal, reg.i);
    uint32_t other = notes->then_items->of_reg[equal];
    if (is_copy(instr))
        history_remark(notes, REMARK_MERGED, item, NO_ID, other, "a copy of %s, %s", name, where);
    else if (rules)
        history_remark(notes, REMARK_MERGED, item, NO_ID, other, "equal to %s, %s: %s", name, where,
                       rules);
    else if (notes->then_items->at[item].kind == ITEM_PHI)
        history_remark(notes, REMARK_MERGED, item, NO_ID, other,
                       v->definitions[equal].by == SET_BY_PHI &&
                               v->definitions[equal].node.i == notes->then_items->at[item].node
                           ? "equal to %s, %s: equal values come by every way"
                           : "equal to %s, %s: the same from every way",
                       name, where);
    else
        history_remark(notes, REMARK_MERGED, item, NO_ID, other, "equal to %s, %s", name, where);
}

static void remark_folded(const ValuesView *v, uint32_t item, uint32_t after, Reg reg,
                          uint32_t root) {
    const char *rules = rules_of_reg(v, reg), *name = values_name(v, root, NO_ID);
    bool phi = v->notes->then_items->at[item].kind == ITEM_PHI;
    if (is_copy(item_instr(v->before, &v->notes->then_items->at[item])))
        history_remark(v->notes, REMARK_FOLDED, item, after, NO_ID, "a copy of the constant %s",
                       name);
    else
        history_remark(v->notes, REMARK_FOLDED, item, after, NO_ID, "always %s%s%s", name,
                       rules ? ": " : "",
                       rules ? rules
                       : phi ? ": the same from every way"
                             : "");
}

static bool remark_load(const LoadSources *accesses, uint32_t item, uint32_t after, uint32_t node) {
    const ValuesView *v = accesses->v;
    Reg dest = v->before->nodes.at[node].dest;
    uint32_t root = value_root_of_reg(&v->roots, dest.i);
    uint32_t source = source_of_load(accesses, node);
    if (root == NO_ID) return false;
    const char *name = values_name(v, root, node);
    bool stored = source != NO_ID && v->before->nodes.at[source].kind == I_STORE;
    bool computed = after != NO_ID && !is_copy(item_instr(v->after, &v->notes->items->at[after]));
    RemarkKind kind = values_constant(v, root) ? REMARK_FOLDED
                      : computed               ? REMARK_REPLACED
                                               : REMARK_MERGED;
    if (source == NO_ID)
        history_remark(v->notes, kind, item, after, NO_ID, "%s is what is there on every way",
                       name);
    else
        history_remark(v->notes, kind, item, after, v->notes->then_items->of_node[source],
                       stored ? "%s, what the store at %s has put there"
                              : "%s, what the load at %s has found there",
                       name, history_node(v->notes, v->before, (Node){source}));
    return true;
}

// A register whose value is used in other ways, or not at all.
static void remark_value(const LoadSources *accesses, uint32_t item, Reg reg) {
    const ValuesView *v = accesses->v;
    const Item *it = &v->notes->then_items->at[item];
    uint32_t root = value_root_of_reg(&v->roots, reg.i);
    const Instr *instr = item_instr(v->before, it);
    bool needed = root != NO_ID && root < v->hint->values.count;
    uint32_t equal = needed ? equal_register(v, reg.i, root) : NO_ID;
    bool load = instr && instr->kind == I_LOAD;
    if (needed && load && (equal != NO_ID || values_constant(v, root)) &&
        remark_load(accesses, item, NO_ID, it->node))
        return;
    if (needed && values_constant(v, root) && (!instr || instr->kind != I_OP || instr->arg_count))
        remark_folded(v, item, NO_ID, reg, root);
    else if (equal != NO_ID)
        remark_merged(v, item, reg, equal);
    else if (needed && values_constant(v, root))
        history_remark(v->notes, REMARK_REMOVED, item, NO_ID, NO_ID,
                       "nothing needs the constant in a register");
    else
        history_remark(v->notes, REMARK_REMOVED, item, NO_ID, NO_ID, "nothing needs its value");
}

static void remark_unreached(const ValuesView *v, uint32_t item, uint32_t node) {
    uint32_t cause = v->cause[node];
    if (cause == NO_ID)
        history_remark(v->notes, REMARK_REMOVED, item, NO_ID, NO_ID, "no way leads there");
    else
        history_remark(v->notes, REMARK_REMOVED, item, NO_ID, v->notes->then_items->of_node[cause],
                       "no way leads there: the branch at %s never goes that way",
                       history_node(v->notes, v->before, (Node){cause}));
}

// ---- Branches and checks

static void print_edge(Out *out, const ValuesView *v, BranchEdge edge, const char *before) {
    if (edge.branch.i >= v->before->nodes.count) return;
    const Instr *instr = func_at(v->before, edge.branch);
    const char *name = history_node(v->notes, v->before, edge.branch);
    if (instr->kind == I_CHECK)
        out_printf(out, "%sthe check at %s went on before", before, name);
    else if (edge.way < instr->succ_count)
        out_printf(out, "%sthe branch at %s went to %s before", before, name,
                   history_node(v->notes, v->before, instr_succs(v->before, instr)[edge.way]));
}

static void print_reasons(Out *out, const ValuesView *v, uint32_t node) {
    const Instr *instr = &v->before->nodes.at[node];
    uint32_t decision = v->decision[node];
    if (decision != NO_ID) {
        const Decision *it = &v->hint->decisions.at[decision];
        for (uint32_t k = 0; k < it->count && it->first + k < v->hint->edges.count; k++)
            print_edge(out, v, v->hint->edges.at[it->first + k], k ? ", and " : ": ");
        if (it->count) return;
        if (it->fact) {
            uint32_t room = 2;
            print_outcomes(out, v, it->fact - 1, &room);
            if (!out->length) out_text(out, ": the range of its condition leaves no other way");
            return;
        }
    }
    uint32_t value = v->test[node];
    const char *rules = value != NO_ID ? rules_of(v, value, node) : NULL;
    if (instr->kind == I_SWITCH || instr->kind == I_CHECK)
        out_printf(
            out, ": %s is %s", history_reg(v->notes, v->before, instr_args(v->before, instr)[0]),
            values_name(v, value_root_of_reg(&v->roots, instr_args(v->before, instr)[0].i), node));
    else if (rules)
        out_printf(out, ": %s", rules);
    else if (value != NO_ID)
        out_printf(out, ": its condition is always %s", values_name(v, value, node));
}

static void remark_decided(const ValuesView *v, uint32_t item, uint32_t after, uint32_t node) {
    const Instr *instr = &v->before->nodes.at[node];
    Out out = {0};
    uint32_t decision = v->decision[node], other = NO_ID;
    print_reasons(&out, v, node);
    if (decision != NO_ID && v->hint->decisions.at[decision].count) {
        uint32_t reason = v->hint->edges.at[v->hint->decisions.at[decision].first].branch.i;
        if (reason < v->before->nodes.count) other = v->notes->then_items->of_node[reason];
    }
    if (instr->kind == I_CHECK)
        history_remark(v->notes, REMARK_DECIDED, item, after, other, "never traps%.*s",
                       (int)out.length, out.length ? out.text : "");
    else
        history_remark(
            v->notes, REMARK_DECIDED, item, after, other, "always goes to %s%.*s",
            history_node(v->notes, v->before, instr_succs(v->before, instr)[v->way[node]]),
            (int)out.length, out.length ? out.text : "");
    out_free(&out);
}

static bool is_decided(const ValuesView *v, uint32_t node) {
    const Instr *instr = &v->before->nodes.at[node];
    return v->way[node] < instr->succ_count && (instr->succ_count > 1 || instr->kind == I_CHECK);
}

// Whether something that writes memory and can be reached is gone.
static bool is_left_out_write(const ValuesView *v, uint32_t item) {
    const Item *it = &v->notes->then_items->at[item];
    const Instr *instr = it->kind == ITEM_INSTR ? item_instr(v->before, it) : NULL;
    return instr && v->claimed[item] == NO_ID && bits_has(&v->reached, it->node) &&
           instr_effects(instr) & MAY_WRITE;
}

static void remark_gone(const LoadSources *accesses, uint32_t item) {
    const ValuesView *v = accesses->v;
    const Item *it = &v->notes->then_items->at[item];
    Reg dest = item_dest(v->before, it);
    if (history_is_idle(v->before, it)) return;
    if (it->node != NO_ID && !bits_has(&v->reached, it->node))
        remark_unreached(v, item, it->node);
    else if (it->kind == ITEM_INSTR && is_decided(v, it->node))
        remark_decided(v, item, NO_ID, it->node);
    else if (dest.i < v->before->regs.count)
        remark_value(accesses, item, dest);
    else if (is_left_out_write(v, item))
        history_remark(v->notes, REMARK_REMOVED, item, NO_ID, NO_ID,
                       "nothing reads the slot that it writes");
    else
        history_remark(v->notes, REMARK_REMOVED, item, NO_ID, NO_ID, "nothing needs it");
}

// ---- What is there

static bool is_same_operation(const Instr *then, const Instr *now) {
    return then->kind == now->kind && then->op == now->op && then->immediate == now->immediate &&
           then->imm == now->imm && then->arg_count == now->arg_count;
}

// Where something has gone that was in another block.
static void remark_moved(const ValuesView *v, uint32_t item, uint32_t then, uint32_t to) {
    StepNotes *notes = v->notes;
    Node from = {notes->then_items->at[then].node}, place = {to}, left = NO_NODE;
    if (!dominance_reaches(&v->dominance, from) || !dominance_reaches(&v->dominance, place)) return;
    for (Node loop = v->loops.reducible ? v->loops.loop[from.i] : NO_NODE;
         loop.i != NO_ID && !loop_nest_contains(&v->loops, loop, place);
         loop = v->loops.outer[loop.i])
        left = loop;
    if (left.i != NO_ID)
        history_remark(notes, REMARK_MOVED, then, item, NO_ID, "out of the loop at %s",
                       history_node(notes, v->before, left));
    else
        history_remark(notes, REMARK_MOVED, then, item, NO_ID, "%s, in front of %s",
                       dominates(&v->dominance, from, place)   ? "down to where it is needed"
                       : dominates(&v->dominance, place, from) ? "up to where every use has it"
                                                               : "elsewhere",
                       history_node(notes, v->before, place));
}

// What an instruction does in another way: with another operator, or with the same one of what a
// rule has found behind an operand.
static void remark_another(const LoadSources *accesses, uint32_t item, uint32_t then,
                           const Instr *is, const Instr *was) {
    const ValuesView *v = accesses->v;
    const Item *old = &v->notes->then_items->at[then];
    Reg reg = item_dest(v->before, old);
    bool other = !is_same_operation(was, is);
    uint32_t root = reg.i == NO_ID ? NO_ID : value_root_of_reg(&v->roots, reg.i);
    const char *rules = reg.i == NO_ID ? NULL : rules_of_reg(v, reg);
    if (!rules && old->kind == ITEM_INSTR && v->test[old->node] != NO_ID)
        rules = rules_of(v, v->test[old->node], old->node);
    if (other && is_decided(v, old->node) && is->kind == I_NOP)
        remark_decided(v, then, item, old->node);
    else if (other && was->kind == I_LOAD && is->kind == I_OP)
        (void)remark_load(accesses, then, item, old->node);
    else if (other && root != NO_ID && values_constant(v, root) && was->arg_count)
        remark_folded(v, then, item, reg, root);
    else if (rules)
        history_remark(v->notes, REMARK_REPLACED, then, item, NO_ID, "%s", rules);
}

static void remark_kept(const LoadSources *accesses, uint32_t item, uint32_t then) {
    const ValuesView *v = accesses->v;
    StepNotes *notes = v->notes;
    const Item *now = &notes->items->at[item], *old = &notes->then_items->at[then];
    const Instr *is = item_instr(v->after, now), *was = item_instr(v->before, old);
    if (is && was) remark_another(accesses, item, then, is, was);
    if (now->kind != ITEM_INSTR || old->kind != ITEM_INSTR) return;
    uint32_t to = v->performed[now->node];
    if (v->hint->old.at[now->node].i == NO_ID && to < v->before->nodes.count &&
        v->heads[to] != v->heads[old->node] && !history_is_idle(v->after, now))
        remark_moved(v, item, then, to);
}

static void remark_added(const ValuesView *v, uint32_t item) {
    const Item *it = &v->notes->items->at[item];
    Reg dest = item_dest(v->after, it);
    if (history_is_idle(v->after, it)) return;
    uint32_t value =
        dest.i < v->hint->value_of_new.count ? v->hint->value_of_new.at[dest.i] : NO_ID;
    uint32_t step = value < v->hint->values.count ? v->part_of[value] : NO_ID;
    uint32_t root = value_root(&v->roots, value);
    uint32_t place = it->kind == ITEM_INSTR ? v->performed[it->node] : it->node;
    if (step == NO_ID && root != NO_ID) step = v->part_of[root];
    if (step != NO_ID) {
        const ValueStep *made = &v->hint->steps.at[step];
        uint32_t owner = v->owner[step];
        history_remark(v->notes, REMARK_ADDED, NO_ID, item,
                       owner == NO_ID ? NO_ID : v->notes->then_items->of_reg[owner],
                       "part of what rule %s makes of %s", rule_name((Rule)made->rule),
                       values_operator(v, made->from, place));
    } else if (root != NO_ID && v->hint->values.at[root].kind == VALUE_LOAD) {
        Node load = {(uint32_t)v->hint->values.at[root].imm};
        history_remark(v->notes, REMARK_COPIED, NO_ID, item, v->notes->then_items->of_node[load.i],
                       "what the load at %s will find, already in front of %s",
                       history_node(v->notes, v->before, load),
                       history_node(v->notes, v->before, (Node){v->hint->values.at[root].ref}));
    } else if (value < v->hint->values.count && it->kind == ITEM_PHI &&
               remark_counter(v, item, value)) {
        return;
    } else if (root != NO_ID && v->first_old[root] != NO_ID) {
        uint32_t reg = v->first_old[root];
        history_remark(v->notes, REMARK_COPIED, NO_ID, item, v->notes->then_items->of_reg[reg],
                       "the value of %s once more, here",
                       history_reg(v->notes, v->before, (Reg){reg}));
    } else if (root != NO_ID) {
        history_remark(v->notes, REMARK_ADDED, NO_ID, item, NO_ID, "computes %s",
                       values_operator(v, root, place));
    } else {
        history_remark(v->notes, REMARK_ADDED, NO_ID, item, NO_ID, "nothing depends on it");
    }
}

// ---- The step

static void establish(const ValuesView *v) {
    uint32_t values = 0, rules = 0, decided = 0, writes = 0;
    Bits used = bits_new(v->notes->scratch, STEP_REASON_COUNT);
    Out out = {0};
    for (uint32_t r = 0; r < v->hint->value_of_new.count; r++)
        values += v->hint->value_of_new.at[r] != NO_ID;
    for (uint32_t i = 0; i < v->hint->steps.count; i++)
        rules +=
            v->hint->steps.at[i].rule < RULE_COUNT && bits_put(&used, v->hint->steps.at[i].rule);
    for (uint32_t n = 0; n < v->before->nodes.count; n++)
        decided += is_decided(v, n) && bits_has(&v->reached, n);
    out_printf(&out, "%u value%s refine%s those of before", values, values == 1 ? "" : "s",
               values == 1 ? "s" : "");
    if (rules) out_printf(&out, ", by %u rule%s", rules, rules == 1 ? "" : "s");
    if (decided)
        out_printf(&out, "; %u branch%s or check%s go%s one way only", decided,
                   decided == 1 ? "" : "es", decided == 1 ? "" : "s", decided == 1 ? "es" : "");
    if (v->hint->facts.count)
        out_printf(&out, "; %u fact%s about memory at joins", v->hint->facts.count,
                   v->hint->facts.count == 1 ? "" : "s");
    for (uint32_t i = 0; i < v->notes->then_items->count; i++) writes += is_left_out_write(v, i);
    if (writes)
        out_printf(&out, "; %u write%s to slots that nothing reads gone", writes,
                   writes == 1 ? "" : "s");
    history_establish(v->notes, "%.*s; %seffects are the same, in the same order", (int)out.length,
                      out.text, writes ? "other " : "");
    out_free(&out);
}

void history_values(StepNotes *notes, const ValuesHint *hint) {
    ValuesView view;
    if (!values_view(notes, hint, &view)) {
        history_same_names(notes);
        return;
    }
    LoadSources accesses = accesses_of(&view);
    for (uint32_t i = 0; i < notes->then_items->count; i++)
        if (view.claimed[i] == NO_ID) remark_gone(&accesses, i);
    for (uint32_t i = 0; i < notes->items->count; i++)
        if (notes->then[i] == NO_ID)
            remark_added(&view, i);
        else
            remark_kept(&accesses, i, notes->then[i]);
    establish(&view);
}
