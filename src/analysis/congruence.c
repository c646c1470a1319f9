// Computes congruence in two phases. The first phase numbers values by a table, in an order in
// which definitions come before uses: values with the same key get the same class. In the key of a
// phi, only arguments that come from before the phi count, so that the classes are never too fine.
// A function without loops is done then. The second phase, in the manner of Hopcroft, splits
// classes whose members differ in the arguments along back edges. A class that was split off, the
// smaller half of the old class, splits others: for each argument position, the members with that
// argument in the splitter part from the members without. So a register is looked at again only
// when its class has halved.
//
// Most functions need no second phase, and the second phase touches only users that are not alone
// in their class.
#include "analysis/congruence.h"

#include "analysis/computation.h"
#include "analysis/graph.h"
#include "base/hash.h"
#include "graph/versions.h"

#include <string.h>

typedef struct {
    Arena *arena;
    const Func *func;
    const Preds *preds;
    const uint32_t *order; // place of each node in the order of visits; NULL: its number
    uint32_t *class_of;    // per register
    Reg *source;           // per register
    // Per class, the definition of its first member: a node, or, counted after all nodes, a phi;
    // NO_ID for a register without definition.
    VEC(uint32_t) first;
    Table table;      // of classes of operators
    uint32_t *places; // for phi_places
    uint32_t place_count;
} ClassTable;

static uint32_t order_of(const ClassTable *values, Node node) {
    return values->order ? values->order[node.i] : node.i;
}

// Whether an edge comes from before its join; NO_ID, for what cannot be reached, is behind all.
static bool is_forward(const ClassTable *values, Node pred, Node join) {
    return order_of(values, pred) < order_of(values, join);
}

static uint32_t add_class(ClassTable *values, uint32_t definition) {
    vec_push(values->arena, &values->first, definition);
    return values->first.count - 1;
}

// ---- The first phase

static bool number_op(ClassTable *values, uint32_t node) {
    const Func *func = values->func;
    const Instr *instr = &func->nodes.at[node];
    for (uint32_t i = 0; i < instr->arg_count; i++)
        if (values->class_of[instr->arg[i].i] == NO_ID) return false;
    if (op_is_move((Op)instr->op)) {
        values->source[instr->dest.i] = values->source[instr->arg[0].i];
        values->class_of[instr->dest.i] = values->class_of[instr->arg[0].i];
        return true;
    }
    uint64_t hash = computation_hash(instr, values->class_of);
    uint32_t at = table_first(&values->table, hash), id;
    while ((id = table_id(&values->table, hash, &at)) != HASH_NONE) {
        const Instr *other = &func->nodes.at[values->first.at[id]];
        if (computation_same(instr, other, values->class_of)) break;
    }
    if (id == HASH_NONE) {
        id = add_class(values, node);
        table_insert(values->arena, &values->table, hash, id);
    }
    values->class_of[instr->dest.i] = id;
    return true;
}

// Whether two phis of a join agree on the arguments along forward (or back) edges.
static bool phis_agree(const ClassTable *values, Node join, const Phi *a, const Phi *b,
                       bool forward) {
    const Node *preds = preds_at(values->preds, join);
    const Reg *x = phi_args(values->func, a), *y = phi_args(values->func, b);
    for (uint32_t k = 0; k < preds_count(values->preds, join); k++)
        if (is_forward(values, preds[k], join) == forward &&
            values->class_of[x[k].i] != values->class_of[y[k].i])
            return false;
    return true;
}

// The hash of a phi's arguments along forward edges; false if one has no class yet.
static bool hash_phi(const ClassTable *values, Node join, const Phi *phi, uint64_t *hash) {
    const Node *preds = preds_at(values->preds, join);
    const Reg *args = phi_args(values->func, phi);
    *hash = 0;
    for (uint32_t k = 0; k < preds_count(values->preds, join); k++) {
        if (!is_forward(values, preds[k], join)) continue;
        uint32_t group = values->class_of[args[k].i];
        if (group == NO_ID) return false;
        *hash = hash_add(*hash, group);
    }
    return true;
}

// An empty table for the phis of one join, with places for twice as many, a power of two. It is
// small and used at once, where the large table would be far away.
static uint32_t *phi_places(ClassTable *values, uint32_t count, uint32_t *mask) {
    uint32_t capacity = 4;
    while (capacity < 2 * count) capacity *= 2;
    if (capacity > values->place_count) {
        values->places = ARENA_ARRAY(values->arena, uint32_t, capacity);
        values->place_count = capacity;
    }
    memset(values->places, 0xff, capacity * sizeof *values->places);
    *mask = capacity - 1;
    return values->places;
}

static bool number_phis(ClassTable *values, Node join, uint32_t count) {
    const Func *func = values->func;
    uint32_t mask, *places = phi_places(values, count, &mask);
    for (uint32_t i = 0; i < count; i++) {
        const Phi *phi = &func_phis(func, join)[i];
        uint64_t hash;
        if (!hash_phi(values, join, phi, &hash)) return false;
        uint32_t place = (uint32_t)hash & mask;
        while (places[place] != NO_ID &&
               !phis_agree(values, join, phi, &func_phis(func, join)[places[place]], true))
            place = (place + 1) & mask;
        if (places[place] == NO_ID) {
            places[place] = i;
            values->class_of[phi->dest.i] =
                add_class(values, func->nodes.count + func->phi_at.at[join.i] + i);
        } else {
            Reg first = func_phis(func, join)[places[place]].dest;
            values->class_of[phi->dest.i] = values->class_of[first.i];
        }
    }
    return true;
}

static bool number_node(ClassTable *values, Node node) {
    const Func *func = values->func;
    uint32_t phis = func_phi_count(func, node);
    if (phis && !number_phis(values, node, phis)) return false;
    const Instr *instr = func_at(func, node);
    if (instr->kind == I_OP) return number_op(values, node.i);
    if (instr->dest.i != NO_ID) values->class_of[instr->dest.i] = add_class(values, node.i);
    return true;
}

// A register without definition has a class of its own.
static void start_numbers(ClassTable *values) {
    values->table = (Table){0};
    vec_clear(&values->first);
    for (uint32_t i = 0; i < values->func->regs.count; i++) {
        bool undefined = reg_is_never_set(values->func, (Reg){i});
        values->class_of[i] = undefined ? add_class(values, NO_ID) : NO_ID;
        values->source[i] = (Reg){i};
    }
}

// Gives what is defined in a node that cannot be reached classes of its own.
static void number_apart(ClassTable *values, Node node) {
    const Func *func = values->func;
    const Instr *instr = func_at(func, node);
    if (instr->dest.i != NO_ID) values->class_of[instr->dest.i] = add_class(values, node.i);
    for (uint32_t i = 0; i < func_phi_count(func, node); i++)
        values->class_of[func_phis(func, node)[i].dest.i] =
            add_class(values, func->nodes.count + func->phi_at.at[node.i] + i);
}

// Nodes are numbered in reverse postorder as a rule, and then their numbers are the order to go by.
static void number_values(ClassTable *values) {
    const Func *func = values->func;
    start_numbers(values);
    bool good = true;
    for (uint32_t n = 0; n < func->nodes.count && good; n++) good = number_node(values, (Node){n});
    if (good) return;
    Graph graph = graph_of(values->arena, func);
    values->order = graph.number;
    start_numbers(values);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (!graph_reaches(&graph, n)) number_apart(values, (Node){n});
    for (uint32_t i = 0; i < graph.reached; i++) number_node(values, (Node){graph.order[i]});
}

// ---- The second phase

typedef struct {
    uint32_t user; // the register it defines
    uint32_t position;
    uint32_t next; // use of the same register, or NO_ID
} ValueUse;

// A class is a stretch of `members`; those that are marked stand at its start.
typedef struct {
    uint32_t first, count, marked;
    bool waits; // in the work list
} CongruenceClass;

typedef struct {
    Arena *arena;
    const ClassTable *values;
    uint32_t *class_of; // as in Values
    CongruenceClass *classes;
    uint32_t class_count;
    uint32_t *members;
    uint32_t *place;          // per register: where it stands in `members`
    uint32_t *first_use;      // per register, or NO_ID
    VEC(ValueUse) uses;       // by users that are not alone in their class
    uint32_t *next_in_bucket; // per use
    uint32_t *bucket;         // per position: the first use, or NO_ID
    bool *commutes;           // per register: whether its operands may change places
    uint32_t *seen;           // per register: the last splitter that one of its operands was in
    VEC(uint32_t) work;       // classes to split by
    VEC(uint32_t) filled;     // positions whose bucket is not empty
    VEC(uint32_t) touched;    // classes with marked members
} Refinement;

static void make_classes(Refinement *split) {
    const ClassTable *values = split->values;
    uint32_t regs = values->func->regs.count, at = 0;
    // Every member may end up alone.
    split->classes = ARENA_ARRAY(split->arena, CongruenceClass, (size_t)regs + 1);
    split->members = ARENA_ARRAY(split->arena, uint32_t, regs);
    split->place = ARENA_ARRAY(split->arena, uint32_t, regs);
    split->class_count = values->first.count;
    for (uint32_t i = 0; i < regs; i++)
        if (values->source[i].i == i && values->class_of[i] != NO_ID)
            split->classes[values->class_of[i]].count++;
    for (uint32_t i = 0; i < split->class_count; i++) {
        split->classes[i].first = at;
        at += split->classes[i].count;
    }
    for (uint32_t i = 0; i < regs; i++) {
        if (values->source[i].i != i || values->class_of[i] == NO_ID) continue;
        CongruenceClass *group = &split->classes[values->class_of[i]];
        split->place[i] = group->first + group->marked++;
        split->members[split->place[i]] = i;
    }
    for (uint32_t i = 0; i < split->class_count; i++) split->classes[i].marked = 0;
}

static bool is_alone(const Refinement *split, Reg reg) {
    return split->class_of[reg.i] == NO_ID || split->classes[split->class_of[reg.i]].count < 2;
}

static void add_use(Refinement *split, Reg arg, uint32_t user, uint32_t position) {
    uint32_t *first = &split->first_use[split->values->source[arg.i].i];
    ValueUse use = {.user = user, .position = position, .next = *first};
    *first = split->uses.count;
    vec_push(split->arena, &split->uses, use);
}

static void make_uses(Refinement *split) {
    const Func *func = split->values->func;
    const Preds *preds = split->values->preds;
    uint32_t positions = INLINE_ARGS;
    split->first_use = graph_table(split->arena, func->regs.count);
    split->commutes = ARENA_ARRAY(split->arena, bool, func->regs.count);
    split->seen = ARENA_ARRAY(split->arena, uint32_t, func->regs.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind == I_OP && !op_is_move((Op)instr->op) && !is_alone(split, instr->dest)) {
            split->commutes[instr->dest.i] = computation_commutes(instr);
            for (uint32_t i = 0; i < instr->arg_count; i++)
                add_use(split, instr->arg[i], instr->dest.i, i);
        }
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Phi *phi = &func_phis(func, (Node){n})[i];
            if (is_alone(split, phi->dest)) continue;
            uint32_t arity = preds_count(preds, (Node){n});
            if (arity > positions) positions = arity;
            for (uint32_t k = 0; k < arity; k++)
                add_use(split, phi_args(func, phi)[k], phi->dest.i, k);
        }
    }
    split->bucket = graph_table(split->arena, positions);
    split->next_in_bucket = ARENA_ARRAY(split->arena, uint32_t, split->uses.count);
}

static void wait_for(Refinement *split, uint32_t group) {
    if (split->classes[group].waits) return;
    split->classes[group].waits = true;
    vec_push(split->arena, &split->work, group);
}

static void mark(Refinement *split, uint32_t reg) {
    uint32_t id = split->class_of[reg];
    CongruenceClass *group = &split->classes[id];
    uint32_t from = split->place[reg], to = group->first + group->marked;
    uint32_t other = split->members[to];
    split->members[to] = reg;
    split->place[reg] = to;
    split->members[from] = other;
    split->place[other] = from;
    if (group->marked++ == 0) vec_push(split->arena, &split->touched, id);
}

// Parts the marked members of a class from the others.
static void part(Refinement *split, uint32_t id) {
    CongruenceClass *group = &split->classes[id];
    uint32_t marked = group->marked;
    group->marked = 0;
    if (marked == group->count) return;
    uint32_t new_id = split->class_count++;
    CongruenceClass *new_class = &split->classes[new_id];
    *new_class = (CongruenceClass){.first = group->first, .count = marked};
    group->first += marked;
    group->count -= marked;
    for (uint32_t i = 0; i < marked; i++)
        split->class_of[split->members[new_class->first + i]] = new_id;
    wait_for(split, group->waits || marked <= group->count ? new_id : id);
}

// Files the uses of a class's members by position. The operands of a commutative operator count as
// the first and the second operand in the class, in any order.
static void fill_buckets(Refinement *split, uint32_t id, uint32_t round) {
    CongruenceClass group = split->classes[id];
    for (uint32_t i = group.first; i < group.first + group.count; i++) {
        uint32_t reg = split->members[i];
        for (uint32_t use = split->first_use[reg]; use != NO_ID; use = split->uses.at[use].next) {
            uint32_t user = split->uses.at[use].user, position = split->uses.at[use].position;
            if (split->commutes[user]) position = split->seen[user] == round;
            split->seen[user] = round;
            if (split->bucket[position] == NO_ID) vec_push(split->arena, &split->filled, position);
            split->next_in_bucket[use] = split->bucket[position];
            split->bucket[position] = use;
        }
    }
}

static void split_by(Refinement *split, uint32_t id, uint32_t round) {
    fill_buckets(split, id, round);
    while (split->filled.count > 0) {
        uint32_t position = vec_pop(&split->filled);
        for (uint32_t use = split->bucket[position]; use != NO_ID; use = split->next_in_bucket[use])
            mark(split, split->uses.at[use].user);
        split->bucket[position] = NO_ID;
        while (split->touched.count > 0) part(split, vec_pop(&split->touched));
    }
}

// Everything but phis over back edges is in order after the first phase; what those bring is where
// splitting starts.
static void split_classes(Refinement *split) {
    const Func *func = split->values->func;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Phi *phi = &func_phis(func, (Node){n})[i];
            if (is_alone(split, phi->dest)) continue;
            const Node *preds = preds_at(split->values->preds, (Node){n});
            for (uint32_t k = 0; k < preds_count(split->values->preds, (Node){n}); k++)
                if (!is_forward(split->values, preds[k], (Node){n}))
                    wait_for(split, split->class_of[phi_args(func, phi)[k].i]);
        }
    for (uint32_t round = 1; split->work.count > 0; round++) {
        uint32_t id = vec_pop(&split->work);
        split->classes[id].waits = false;
        split_by(split, id, round);
    }
    for (uint32_t i = 0; i < func->regs.count; i++)
        split->class_of[i] = split->class_of[split->values->source[i].i];
}

// Whether all phis of one class agree on what comes along back edges, too.
static bool is_stable(const ClassTable *values) {
    const Func *func = values->func;
    for (uint32_t n = 0; func->phis.count && n < func->nodes.count; n++)
        for (uint32_t i = func->phi_at.at[n]; i < func->phi_at.at[n + 1]; i++) {
            const Phi *phi = &func->phis.at[i];
            uint32_t first = values->first.at[values->class_of[phi->dest.i]] - func->nodes.count;
            if (first != i && !phis_agree(values, (Node){n}, phi, &func->phis.at[first], false))
                return false;
        }
    return true;
}

Congruence congruence_of(Arena *arena, const Func *func, const Preds *preds) {
    ClassTable values = {.arena = arena,
                         .func = func,
                         .preds = preds,
                         .class_of = ARENA_ARRAY(arena, uint32_t, func->regs.count),
                         .source = ARENA_ARRAY(arena, Reg, func->regs.count)};
    number_values(&values);
    uint32_t count = values.first.count;
    if (!is_stable(&values)) {
        Refinement split = {.arena = arena, .values = &values, .class_of = values.class_of};
        make_classes(&split);
        make_uses(&split);
        split_classes(&split);
        count = split.class_count;
    }
    return (Congruence){.class_of = values.class_of, .count = count, .source = values.source};
}
