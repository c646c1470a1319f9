// Conditions of branches as functions of atoms, and what atoms leave possible together.
#include "analysis/conditions/conditions.h"

#include "fact/eval.h"

// ---- Atoms

static uint32_t group_of(BadConditions *c, uint32_t first, uint32_t second, uint16_t op) {
    uint64_t key = hash_add(hash_add(hash_mix(first), second), op);
    uint32_t group;
    // Two groups with one key would be a wonder; the next key is as good.
    for (;; key++) {
        group = map_get(&c->group_of, key);
        if (group == HASH_NONE) break;
        const ConditionGroup *found = &c->groups.at[group];
        if (found->first == first && found->second == second && found->op == op) return group;
    }
    map_set(c->scratch, &c->group_of, key, c->groups.count);
    vec_push(c->scratch, &c->groups,
             (ConditionGroup){.first = first, .second = second, .op = op, .atoms = NO_ID});
    return c->groups.count - 1;
}

static Bdd atom(BadConditions *c, uint32_t group, ConditionAtomKind kind, int64_t number, Op op,
                bool strict) {
    uint32_t found = c->groups.at[group].atoms;
    while (found != NO_ID &&
           (c->atoms.at[found].kind != kind || c->atoms.at[found].number != number))
        found = c->atoms.at[found].next;
    if (found != NO_ID) return bdd_variable(&c->bdd, found);
    vec_push(c->scratch, &c->atoms,
             (ConditionAtom){.kind = (uint8_t)kind,
                             .strict = strict,
                             .op = (uint16_t)op,
                             .group = group,
                             .next = c->groups.at[group].atoms,
                             .number = number});
    c->groups.at[group].atoms = c->atoms.count - 1;
    c->groups.at[group].count++;
    return bdd_variable(&c->bdd, c->atoms.count - 1);
}

// ---- A value and a number

static Bdd constant(bool value) {
    return value ? BDD_TRUE : BDD_FALSE;
}

static int64_t signed_most(Type type) {
    return type == TYPE_I32 ? INT32_MAX : INT64_MAX;
}

// a <= number, signed.
static Bdd at_most(BadConditions *c, uint32_t a, int64_t number, Op op, bool strict) {
    const Quantity *q = &c->quantities.at[a];
    if (number >= q->most) return BDD_TRUE;
    if (number < q->least) return BDD_FALSE;
    return atom(c, group_of(c, a, NO_ID, OP_COUNT), ATOM_BELOW, number, op, strict);
}

static Bdd equal_number(BadConditions *c, uint32_t a, int64_t number, Op op) {
    const Quantity *q = &c->quantities.at[a];
    if (number > q->most || number < q->least) return BDD_FALSE;
    if (q->least == q->most) return BDD_TRUE;
    return atom(c, group_of(c, a, NO_ID, OP_COUNT), ATOM_EQUAL, number, op, false);
}

// a <= number, unsigned.
static Bdd under(BadConditions *c, uint32_t a, int64_t number, Op op, bool strict) {
    const Quantity *q = &c->quantities.at[a];
    if (number == -1) return BDD_TRUE; // the largest
    if (number == 0) return equal_number(c, a, 0, op);
    if (q->least >= 0) return number < 0 ? BDD_TRUE : at_most(c, a, number, op, strict);
    return atom(c, group_of(c, a, NO_ID, OP_COUNT), ATOM_UNDER, number, op, strict);
}

static Bdd compare_number(BadConditions *c, Op op, uint32_t a, int64_t number) {
    int64_t least = -signed_most((Type)c->quantities.at[a].type) - 1;
    switch (op_family(op)) {
    case FAM_EQ: return equal_number(c, a, number, op);
    case FAM_NE: return bdd_not(&c->bdd, equal_number(c, a, number, op));
    case FAM_LE: return at_most(c, a, number, op, false);
    case FAM_GT: return bdd_not(&c->bdd, at_most(c, a, number, op, false));
    case FAM_LT: return number == least ? BDD_FALSE : at_most(c, a, number - 1, op, true);
    case FAM_GE:
        return number == least ? BDD_TRUE : bdd_not(&c->bdd, at_most(c, a, number - 1, op, true));
    case FAM_ULE: return under(c, a, number, op, false);
    case FAM_UGT: return bdd_not(&c->bdd, under(c, a, number, op, false));
    case FAM_ULT: return number == 0 ? BDD_FALSE : under(c, a, number - 1, op, true);
    case FAM_UGE:
        return number == 0 ? BDD_TRUE : bdd_not(&c->bdd, under(c, a, number - 1, op, true));
    default: return BDD_FALSE;
    }
}

// ---- Truth values

// Of a value that is 0 or 1: when is it 1?
static bool truth(BadConditions *c, uint32_t a, Bdd *result, unsigned depth) {
    Quantity q = c->quantities.at[a];
    if (q.kind != QUANTITY_OP || depth > 6) return false;
    if (op_info(q.op)->flags & OPF_COND && q.count == 2) {
        *result = compare_quantities(c, q.op, q.operand[0], q.operand[1]);
        return true;
    }
    OpFamily family = op_family(q.op);
    if (q.least < 0 || q.most > 1 || q.count != 2) return false;
    if (family != FAM_AND && family != FAM_OR && family != FAM_XOR) return false;
    Bdd side[2];
    for (uint32_t i = 0; i < 2; i++) {
        int64_t number;
        if (quantity_is_number(c, q.operand[i], &number) && (number == 0 || number == 1))
            side[i] = constant(number == 1);
        else if (!truth(c, q.operand[i], &side[i], depth + 1))
            return false;
    }
    Bdd yes = family == FAM_AND ? side[1] : family == FAM_OR ? BDD_TRUE : bdd_not(&c->bdd, side[1]);
    *result = bdd_choose(&c->bdd, side[0], yes, family == FAM_AND ? BDD_FALSE : side[1]);
    return true;
}

static bool holds_of(Op op, Type type, int64_t a, int64_t b) {
    Value result;
    return op_eval(op, value_immediate(type, a), value_immediate(type, b), (Value){0}, &result) &&
           (result.bits & 1);
}

// ---- Two values

static Bdd compare_pair(BadConditions *c, Op op, uint32_t a, uint32_t b) {
    if (a > b) {
        uint32_t other = a;
        a = b;
        b = other;
        op = op_mirror(op);
    }
    if (a == b) return constant(holds_of(op, op_info(op)->operand[0], 0, 0));
    uint64_t decided;
    Range ranges[2] = {range_of_quantity(&c->quantities.at[a]),
                       range_of_quantity(&c->quantities.at[b])};
    Range outcome = range_of_op(op, ranges);
    if (range_is_constant(&outcome, &decided)) return constant(decided);
    uint32_t group = group_of(c, a, b, OP_COUNT);
    switch (op_family(op)) {
    case FAM_EQ: return atom(c, group, ATOM_PAIR_EQUAL, 0, op, false);
    case FAM_NE: return bdd_not(&c->bdd, atom(c, group, ATOM_PAIR_EQUAL, 0, op, false));
    case FAM_LT: return atom(c, group, ATOM_PAIR_LESS, 0, op, false);
    case FAM_GE: return bdd_not(&c->bdd, atom(c, group, ATOM_PAIR_LESS, 0, op, false));
    case FAM_LE: return atom(c, group, ATOM_PAIR_LESS_EQUAL, 0, op, false);
    case FAM_GT: return bdd_not(&c->bdd, atom(c, group, ATOM_PAIR_LESS_EQUAL, 0, op, false));
    case FAM_ULT: return atom(c, group, ATOM_PAIR_UNDER, 0, op, false);
    case FAM_UGE: return bdd_not(&c->bdd, atom(c, group, ATOM_PAIR_UNDER, 0, op, false));
    case FAM_ULE: return atom(c, group, ATOM_PAIR_UNDER_EQUAL, 0, op, false);
    case FAM_UGT: return bdd_not(&c->bdd, atom(c, group, ATOM_PAIR_UNDER_EQUAL, 0, op, false));
    default: return BDD_FALSE;
    }
}

// Whatever is not decided here: an operator and its negation are one atom.
static Bdd compare_otherwise(BadConditions *c, Op op, uint32_t a, uint32_t b) {
    Op negation = op_negation(op);
    bool negated = negation != OP_COUNT && negation < op;
    if (negated) op = negation;
    Bdd function = atom(c, group_of(c, a, b, (uint16_t)op), ATOM_OTHER, 0, op, false);
    return negated ? bdd_not(&c->bdd, function) : function;
}

Bdd compare_quantities(BadConditions *c, Op op, uint32_t a, uint32_t b) {
    int64_t number, other;
    if (!op_compares_integers(op)) return compare_otherwise(c, op, a, b);
    Type type = op_info(op)->operand[0];
    if (quantity_is_number(c, a, &other) && !quantity_is_number(c, b, &number))
        return compare_quantities(c, op_mirror(op), b, a);
    if (!quantity_is_number(c, b, &number)) return compare_pair(c, op, a, b);
    if (quantity_is_number(c, a, &other)) return constant(holds_of(op, type, other, number));
    Bdd yes;
    if (truth(c, a, &yes, 0)) {
        Bdd one = constant(holds_of(op, type, 1, number));
        return bdd_choose(&c->bdd, yes, one, constant(holds_of(op, type, 0, number)));
    }
    // A value that was widened with its sign is compared in its old width, if the number fits.
    const Quantity *q = &c->quantities.at[a];
    if (q->kind == QUANTITY_OP && op_family(q->op) == FAM_SEXT && number >= INT32_MIN &&
        number <= INT32_MAX && !op_compares_unsigned(op))
        return compare_number(c, op_for(op, TYPE_I32), q->operand[0], number);
    return compare_number(c, op, a, number);
}

// ---- What is possible

static bool atom_holds(const ConditionAtom *a, Type type, int64_t value) {
    uint64_t mask = type_mask(type);
    switch ((ConditionAtomKind)a->kind) {
    case ATOM_EQUAL: return value == a->number;
    case ATOM_BELOW: return value <= a->number;
    case ATOM_UNDER: return ((uint64_t)value & mask) <= ((uint64_t)a->number & mask);
    // The value stands for how two compare: signed -1, 0, 1, plus four times the same unsigned.
    case ATOM_PAIR_EQUAL: return value == 0;
    case ATOM_PAIR_LESS: return value == -1 - 4 || value == -1 + 4;
    case ATOM_PAIR_LESS_EQUAL: return value == 0 || value == -1 - 4 || value == -1 + 4;
    case ATOM_PAIR_UNDER: return value == -4 - 1 || value == -4 + 1;
    case ATOM_PAIR_UNDER_EQUAL: return value == 0 || value == -4 - 1 || value == -4 + 1;
    case ATOM_OTHER: return true;
    }
    return true;
}

typedef VEC(int64_t) Samples;

// One value of each region that the atoms of a group tell apart.
static Samples samples_of(BadConditions *c, const ConditionGroup *group) {
    Samples samples = {0};
    if (group->second != NO_ID) {
        static const int64_t ways[] = {0, -1 - 4, -1 + 4, 1 - 4, 1 + 4};
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            vec_push(c->scratch, &samples, ways[i]);
        return samples;
    }
    const Quantity *q = &c->quantities.at[group->first];
    vec_push(c->scratch, &samples, q->least);
    if (q->least < 0 && q->most >= 0) vec_push(c->scratch, &samples, 0);
    for (uint32_t a = group->atoms; a != NO_ID; a = c->atoms.at[a].next) {
        int64_t number = c->atoms.at[a].number;
        if (number >= q->least && number <= q->most) vec_push(c->scratch, &samples, number);
        if (number < q->most && number + 1 >= q->least) vec_push(c->scratch, &samples, number + 1);
    }
    return samples;
}

static void state_possible(BadConditions *c, ConditionGroup *group) {
    if (group->stated == group->count) return;
    group->stated = group->count;
    group->possible = BDD_TRUE;
    if (group->op != OP_COUNT) return;
    Type type = (Type)c->quantities.at[group->first].type;
    Samples samples = samples_of(c, group);
    group->possible = BDD_FALSE;
    for (uint32_t i = 0; i < samples.count; i++) {
        // Atoms come with descending numbers: each is put on top of those behind it.
        Bdd product = BDD_TRUE;
        for (uint32_t a = group->atoms; a != NO_ID; a = c->atoms.at[a].next) {
            bool holds = atom_holds(&c->atoms.at[a], type, samples.at[i]);
            product = bdd_choose(&c->bdd, bdd_variable(&c->bdd, a), holds ? product : BDD_FALSE,
                                 holds ? BDD_FALSE : product);
        }
        group->possible = bdd_or(&c->bdd, group->possible, product);
    }
}

Bdd possible_atoms(BadConditions *c, Bdd a, Bdd b) {
    bool *used = ARENA_ARRAY(c->scratch, bool, c->atoms.count + 1);
    bool *groups = ARENA_ARRAY(c->scratch, bool, c->groups.count + 1);
    bdd_support(&c->bdd, a, used);
    bdd_support(&c->bdd, b, used);
    Bdd result = BDD_TRUE;
    for (uint32_t i = 0; i < c->atoms.count; i++) {
        uint32_t group = c->atoms.at[i].group;
        if (!used[i] || groups[group]) continue;
        groups[group] = true;
        state_possible(c, &c->groups.at[group]);
        result = bdd_and(&c->bdd, result, c->groups.at[group].possible);
    }
    return result;
}

bool can_hold(BadConditions *c, Bdd function) {
    if (function == BDD_FALSE) return false;
    Bdd possible = possible_atoms(c, function, BDD_FALSE);
    if (bdd_and(&c->bdd, function, possible) == BDD_FALSE) return false;
    possible = possible_orders(c, function, possible);
    return bdd_and(&c->bdd, function, possible) != BDD_FALSE;
}

// ---- Gates

// Merges are looked through as long as gates are not nested deeper than this.
enum { MAX_NESTING = 6 };

// The register behind copies, and behind its first value in a loop.
static Reg original(const BadConditions *c, const ConditionView *view, Reg reg) {
    for (;;) {
        const Instr *instr = defining_instr(c->ssa, c->definitions, reg);
        const Phi *phi = defining_phi(c->ssa, c->definitions, reg);
        if (phi && !is_gamma(c, reg) && is_first(view, c->definitions[reg.i].node))
            reg = phi_args(c->ssa, phi)[0];
        else if (instr && instr->kind == I_OP && instr->op == op_move(reg_type(c->ssa, reg)))
            reg = instr->arg[0];
        else
            return reg;
    }
}

// Whether a merge has a number among its values, or another merge, or one that branches ask for:
// then gates say something about a comparison.
static bool is_telling(BadConditions *c, ConditionView *view, Reg reg) {
    if (c->depth >= MAX_NESTING || !is_gamma(c, reg)) return false;
    const Phi *phi = defining_phi(c->ssa, c->definitions, reg);
    for (uint32_t k = 0; k < preds_count(&c->forest.preds, c->definitions[reg.i].node); k++) {
        int64_t number;
        Reg arg = phi_args(c->ssa, phi)[k];
        if (quantity_is_number(c, quantity_of(c, view, arg), &number) || is_gamma(c, arg) ||
            c->asked[arg.i] || c->asked[original(c, view, arg).i])
            return true;
    }
    return false;
}

// A load from memory that merges where no loop begins: its result depends on the way there. False
// if this is no help, as nothing has been stored on any way.
static bool compare_loaded(BadConditions *c, ConditionView *view, Op op, uint32_t quantity,
                           int64_t number, Bdd *result) {
    const Quantity q = c->quantities.at[quantity];
    Node join = {q.memory / 2};
    if (q.kind != QUANTITY_LOAD || q.memory & 1 || !q.memory || c->depth >= MAX_NESTING ||
        loop_nest_is_header(&c->forest.loop_nest, join))
        return false;
    const Instr *load = defining_instr(c->ssa, c->definitions, q.reg);
    ObjectHistory history = memory_of(c, load);
    uint32_t width = preds_count(&c->forest.preds, join), found = 0;
    uint32_t *values = ARENA_ARRAY(c->scratch, uint32_t, width);
    for (uint32_t k = 0; k < width; k++) {
        uint32_t version = memory_behind(c, &history, preds_at(&c->forest.preds, join)[k]);
        values[k] = quantity_loaded(c, view, load, version, 0);
        found += c->quantities.at[values[k]].kind != QUANTITY_LOAD;
    }
    if (!found) return false;
    *result = BDD_FALSE;
    c->depth++;
    for (uint32_t k = 0; k < width && !c->bdd.full; k++) {
        Gate gate = c->forest.join_gate[c->forest.join_at[join.i] + k];
        Bdd way = function_of_gate(c, view, gate.i), then;
        uint32_t other = quantity_number(c, (Type)q.type, number);
        if (!compare_loaded(c, view, op, values[k], number, &then))
            then = compare_quantities(c, op, values[k], other);
        *result = bdd_or(&c->bdd, *result, bdd_and(&c->bdd, way, then));
    }
    c->depth--;
    return true;
}

// A merge, or the result of an operator on a merge, compared with a number: the gates say which
// value it is.
static Bdd compare_merge(BadConditions *c, ConditionView *view, Op op, Reg merge,
                         const Instr *through, int64_t number) {
    Node join = c->definitions[merge.i].node;
    const Reg *args = phi_args(c->ssa, defining_phi(c->ssa, c->definitions, merge));
    Bdd result = BDD_FALSE;
    c->depth++;
    for (uint32_t k = 0; k < preds_count(&c->forest.preds, join) && !c->bdd.full; k++) {
        Gate gate = c->forest.join_gate[c->forest.join_at[join.i] + k];
        Bdd way = function_of_gate(c, view, gate.i), then;
        if (way == BDD_FALSE) continue;
        Reg arg = original(c, view, args[k]);
        uint32_t quantity = quantity_of(c, view, arg);
        if (!through)
            then = compare_registers(c, view, op, arg, NO_REG, number);
        else if (c->quantities.at[quantity].kind == QUANTITY_REG && is_telling(c, view, arg))
            then = compare_merge(c, view, op, arg, through, number);
        else
            then = compare_quantities(c, op, quantity_applied(c, through, quantity),
                                      quantity_number(c, op_info(op)->operand[1], number));
        result = bdd_or(&c->bdd, result, bdd_and(&c->bdd, way, then));
    }
    c->depth--;
    return result;
}

// An operator on a merge whose values tell, such as a conversion; NULL if the register is none. The
// merge is `inner`.
static const Instr *on_merge(BadConditions *c, ConditionView *view, Reg reg, Reg *inner) {
    const Instr *instr = defining_instr(c->ssa, c->definitions, reg);
    if (!instr || instr->kind != I_OP || instr->arg_count != 1 ||
        !type_is_int(reg_type(c->ssa, reg)) || !type_is_int(reg_type(c->ssa, instr->arg[0])))
        return NULL;
    *inner = original(c, view, instr->arg[0]);
    bool merge = c->quantities.at[quantity_of(c, view, *inner)].kind == QUANTITY_REG;
    return merge && is_telling(c, view, *inner) ? instr : NULL;
}

Bdd compare_registers(BadConditions *c, ConditionView *view, Op op, Reg a, Reg b, int64_t number) {
    Type type = op_info(op)->operand[1];
    a = original(c, view, a);
    uint32_t quantity = quantity_of(c, view, a);
    if (b.i != NO_ID) {
        b = original(c, view, b);
        if (!quantity_is_number(c, quantity_of(c, view, b), &number)) {
            if (quantity_is_number(c, quantity, &number) && op_mirror(op) != OP_COUNT)
                return compare_registers(c, view, op_mirror(op), b, NO_REG, number);
            return compare_quantities(c, op, quantity, quantity_of(c, view, b));
        }
    }
    Bdd loaded;
    if (compare_loaded(c, view, op, quantity, number, &loaded)) return loaded;
    if (c->quantities.at[quantity].kind == QUANTITY_REG && is_telling(c, view, a))
        return compare_merge(c, view, op, a, NULL, number);
    Reg merge;
    const Instr *through =
        c->quantities.at[quantity].kind == QUANTITY_OP && op_compares_integers(op)
            ? on_merge(c, view, a, &merge)
            : NULL;
    if (through) return compare_merge(c, view, op, merge, through, number);
    return compare_quantities(c, op, quantity, quantity_number(c, type, number));
}

static Bdd function_of_switch(BadConditions *c, ConditionView *view, const GateAtom *gate) {
    const Gsa *gsa = c->forest.gsa;
    const GateCases *cases = &gsa->switches.at[gate->cases];
    const int64_t *values = gsa->case_values.at + cases->first;
    Op op = op_of(FAM_EQ, reg_type(c->ssa, gate->arg[0]));
    Bdd none = BDD_TRUE, one = BDD_FALSE;
    // All at once, so that the atoms stand beside each other.
    for (uint32_t i = 0; i < cases->count && !c->bdd.full; i++) {
        Bdd equal = compare_registers(c, view, op, gate->arg[0], NO_REG, values[i]);
        if (gate->way == i + 1) one = equal;
        if (!gate->way) none = bdd_and(&c->bdd, none, bdd_not(&c->bdd, equal));
    }
    return gate->way ? one : none;
}

static Bdd function_of_literal(BadConditions *c, ConditionView *view, const GateNode *node) {
    const GateAtom *gate = &c->forest.gsa->atoms.at[node->first];
    Bdd function;
    if (gate->op == OP_COUNT) {
        function = function_of_switch(c, view, gate);
    } else if (gate->arg_count == 2 || gate->immediate) {
        Reg second = gate->arg_count == 2 ? gate->arg[1] : NO_REG;
        function = compare_registers(c, view, gate->op, gate->arg[0], second, gate->imm);
    } else {
        function = compare_otherwise(c, gate->op, quantity_of(c, view, gate->arg[0]), NO_ID - 1);
    }
    return node->negated ? bdd_not(&c->bdd, function) : function;
}

static void make_room(BadConditions *c, ConditionView *view) {
    uint32_t count = c->forest.gsa->gates.count;
    if (view->gates >= count) return;
    view->function = arena_grow(c->scratch, view->function, view->gates * sizeof *view->function,
                                2 * (size_t)count * sizeof *view->function);
    view->gates = 2 * count;
}

// Operands have smaller numbers.
Bdd function_of_gate(BadConditions *c, ConditionView *view, uint32_t wanted) {
    const Gsa *gsa = c->forest.gsa;
    BddLiterals work = {0};
    make_room(c, view);
    vec_push(c->scratch, &work, wanted);
    while (work.count && !c->bdd.full) {
        uint32_t gate = work.at[work.count - 1];
        const GateNode *node = &gsa->gates.at[gate];
        bool joined = node->kind == GK_AND || node->kind == GK_OR;
        if (!view->function[gate] && joined) {
            uint32_t before = work.count;
            if (!view->function[node->second]) vec_push(c->scratch, &work, node->second);
            if (!view->function[node->first]) vec_push(c->scratch, &work, node->first);
            if (work.count > before) continue;
        }
        (void)vec_pop(&work);
        if (view->function[gate]) continue;
        Bdd function = constant(node->kind == GK_TRUE);
        if (node->kind == GK_LITERAL) function = function_of_literal(c, view, node);
        if (joined) {
            Bdd first = view->function[node->first] - 1, second = view->function[node->second] - 1;
            function = node->kind == GK_AND ? bdd_and(&c->bdd, first, second)
                                            : bdd_or(&c->bdd, first, second);
        }
        view->function[gate] = function + 1;
    }
    return c->bdd.full ? BDD_FALSE : view->function[wanted] - 1;
}
