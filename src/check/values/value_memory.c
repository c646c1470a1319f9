// Checks the claims about memory: walks `before` in trees between joins, along the ways that
// remain, with the facts that are known at each node.
#include "check/values/value_memory.h"

#include "fact/contents.h"
#include "fact/initial_data.h"

typedef struct {
    Node node;
    ContentsMark mark;
} FactsVisit;

typedef struct {
    Values *values;
    const Func *func;
    const ValuesHint *hint;
    Places places;
    Contents contents;
    uint32_t *ordinal; // join of `before` -> its number among them
    // The LOAD values in front of node n are loads[loads_at[n] .. loads_at[n + 1] - 1].
    uint32_t *loads_at;
    uint32_t *loads;
    VEC(FactsVisit) waiting;
} MemoryWalk;

const Places *values_places(Values *values) {
    const Func *func = values->before;
    if (values->places) return values->places;
    RegisterValue *known = ARENA_ARRAY(values->arena, RegisterValue, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        uint32_t value = values->value_of[r];
        bool formed = value != NO_ID && terms_is_op(&values->terms, value);
        const HintValue *it = formed ? &values->terms.values[value] : NULL;
        known[r] = it ? register_value(value, it->op, it->ref, it->imm)
                      : register_value(value, OP_COUNT, NO_ID, 0);
    }
    Bits reached = bits_new(values->arena, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (values_reach(values, (Node){n})) bits_add(&reached, n);
    Places *places = ARENA_NEW(values->arena, Places);
    *places = places_by_values(values->arena, func, known, &reached);
    return values->places = places;
}

// ---- Tables

static bool check_facts(MemoryWalk *walk) {
    Values *values = walk->values;
    const ValuesHint *hint = walk->hint;
    uint32_t joins = 0;
    uint64_t work = 0;
    for (uint32_t n = 0; n < walk->func->nodes.count; n++)
        if (preds_is_join(&values->preds, (Node){n})) walk->ordinal[n] = joins++;
    if (!hint->facts_at.count && !hint->facts.count) return true;
    if (hint->facts_at.count != joins + 1 || hint->facts_at.at[0] != 0 ||
        hint->facts_at.at[joins] != hint->facts.count)
        return VALUES_REJECT(values, NO_NODE, "the hint does not cover every join");
    for (uint32_t j = 0; j < joins; j++)
        if (hint->facts_at.at[j + 1] < hint->facts_at.at[j])
            return VALUES_REJECT(values, NO_NODE, "the facts of join number %u are no row", j);
    for (uint32_t i = 0; i < hint->facts.count; i++) {
        const PlaceFact *fact = &hint->facts.at[i];
        if (fact->place >= walk->places.places.count || fact->value >= values->count ||
            walk->places.places.at[fact->place].type != values->type[fact->value])
            return VALUES_REJECT(values, NO_NODE, "fact %u is about nothing that exists", i);
    }
    for (uint32_t n = 0; n < walk->func->nodes.count; n++)
        if (preds_is_join(&values->preds, (Node){n}))
            work += (uint64_t)preds_count(&values->preds, (Node){n}) *
                    (hint->facts_at.at[walk->ordinal[n] + 1] - hint->facts_at.at[walk->ordinal[n]]);
    return !check_takes_too_long(work, (uint64_t)walk->func->nodes.count + hint->facts.count) ||
           VALUES_REJECT(values, NO_NODE,
                         "there are too many facts at joins with too many ways in");
}

// By counting.
static void find_loads(MemoryWalk *walk) {
    const Values *values = walk->values;
    uint32_t nodes = walk->func->nodes.count;
    uint32_t *end = ARENA_ARRAY(values->arena, uint32_t, (size_t)nodes + 1);
    for (uint32_t v = 0; v < values->count; v++)
        if (values->terms.values[v].kind == VALUE_LOAD) end[values->terms.values[v].ref + 1]++;
    for (uint32_t n = 0; n < nodes; n++) end[n + 1] += end[n];
    walk->loads = ARENA_ARRAY(values->arena, uint32_t, end[nodes]);
    walk->loads_at = ARENA_ARRAY(values->arena, uint32_t, (size_t)nodes + 1);
    for (uint32_t n = 0; n <= nodes; n++) walk->loads_at[n] = end[n];
    for (uint32_t v = 0; v < values->count; v++)
        if (values->terms.values[v].kind == VALUE_LOAD)
            walk->loads[end[values->terms.values[v].ref]++] = v;
}

// ---- Facts

// Whether a value is known to be the contents of a place. Two facts may tell: one about the place,
// and one about its plain place.
static bool holds(const MemoryWalk *walk, uint32_t place, uint32_t wanted) {
    uint32_t held, plain = walk->places.places.at[place].plain;
    if (contents_get_own(&walk->contents, place, &held) == CONTENTS_NOTED &&
        (held == wanted || walk->values->root[held] == wanted))
        return true;
    return plain != NO_ID && holds(walk, plain, wanted);
}

// An edge to a join: `node` is a nop.
static bool check_edge(MemoryWalk *walk, Node node, Node join) {
    Values *values = walk->values;
    uint32_t row = walk->ordinal[join.i], k = preds_index(&values->preds, join, node);
    if (!walk->hint->facts.count) return true;
    for (uint32_t i = walk->hint->facts_at.at[row]; i < walk->hint->facts_at.at[row + 1]; i++) {
        const PlaceFact *fact = &walk->hint->facts.at[i];
        const HintValue *it = &values->terms.values[fact->value];
        Point base = values->base[fact->value], here = {join.i, POINT_PHIS};
        uint32_t wanted = fact->value;
        if (it->kind == VALUE_PHI && it->ref == join.i)
            wanted = terms_args(&values->terms, fact->value)[k];
        else if (base.node == join.i || !point_is_above(values, base, here))
            return VALUES_REJECT(values, NO_NODE, "fact %u of old join %u is not known before it",
                                 i - walk->hint->facts_at.at[row], join.i);
        if (!holds(walk, fact->place, wanted))
            return VALUES_REJECT(values, NO_NODE, "fact %u of old join %u does not hold at %u",
                                 i - walk->hint->facts_at.at[row], join.i, node.i);
    }
    return true;
}

static void enter_join(MemoryWalk *walk, Node join) {
    uint32_t row = walk->ordinal[join.i];
    if (!walk->hint->facts.count) return;
    for (uint32_t i = walk->hint->facts_at.at[row]; i < walk->hint->facts_at.at[row + 1]; i++)
        contents_set(&walk->contents, walk->hint->facts.at[i].place, walk->hint->facts.at[i].value);
}

// Whether a fact about the place itself tells what it holds. A load makes such a fact though there
// is one about the plain place: the hint may name either.
static bool is_known(const MemoryWalk *walk, uint32_t place) {
    uint32_t value;
    return contents_get_own(&walk->contents, place, &value) == CONTENTS_NOTED;
}

// The loads that the hint puts in front of a node tell what their places hold.
static void do_loads(MemoryWalk *walk, Node node) {
    for (uint32_t i = walk->loads_at[node.i]; i < walk->loads_at[node.i + 1]; i++) {
        uint32_t load = walk->loads[i];
        uint32_t place = walk->places.target[walk->values->terms.values[load].imm];
        if (place != NO_ID && !is_known(walk, place)) contents_set(&walk->contents, place, load);
    }
}

// Whether the low bytes of a value are the bytes of a constant object that a load reads.
static bool is_initial(const MemoryWalk *walk, const Instr *load, uint32_t value) {
    const ValueTerms *terms = &walk->values->terms;
    MemBytes bytes = places_moved(&walk->places, walk->func, load);
    InitialData data;
    Value constant;
    if (bytes.base != BASE_SYMBOL || !bytes.fixed ||
        !initial_data(walk->func->program, (Sym){bytes.ref}, bytes.at, bytes.size, &data))
        return false;
    const HintValue *it = &terms->values[value];
    if (data.symbol.i != NO_ID)
        return it->kind == VALUE_OP && it->op == OP_ADDR_SYMBOL && it->ref == data.symbol.i &&
               (uint64_t)it->imm == data.number;
    return terms_constant(terms, value, &constant) &&
           (constant.bits ^ data.number) << (64 - 8 * bytes.size) == 0;
}

// Whether the low bytes of a value are the bytes that a load reads: by a fact, or because they
// never change.
static bool is_contents(const MemoryWalk *walk, Node node, uint32_t value) {
    uint32_t place = walk->places.target[node.i];
    return (place != NO_ID && holds(walk, place, value)) ||
           is_initial(walk, func_at(walk->func, node), value);
}

// Whether the register that a load sets is refined by a value.
static bool is_loaded(const MemoryWalk *walk, Node node, uint32_t value) {
    const Values *values = walk->values;
    const Instr *load = func_at(walk->func, node);
    Op extension = chunk_extension((Chunk)load->chunk);
    if (extension == OP_COUNT) return is_contents(walk, node, value);
    uint32_t formed = walk->values->formed[load->dest.i];
    if (formed == NO_ID || (formed != value && values->root[formed] != value)) return false;
    const HintValue *it = &values->terms.values[formed];
    return it->kind == VALUE_OP && it->op == extension &&
           is_contents(walk, node, terms_args(&values->terms, formed)[0]);
}

static bool check_load(MemoryWalk *walk, Node node) {
    Values *values = walk->values;
    const Instr *load = func_at(walk->func, node);
    uint32_t place = walk->places.target[node.i], value = walk->values->value_of[load->dest.i];
    if (value == NO_ID) return true;
    bool itself = value_is_old(values, value, load->dest);
    if (!itself && !is_loaded(walk, node, value))
        return VALUES_REJECT(values, NO_NODE, "old load %u does not yield what is claimed", node.i);
    if (place != NO_ID &&
        (!is_known(walk, place) || (itself && values->formed[load->dest.i] == value)))
        contents_set(&walk->contents, place, value);
    return true;
}

static bool do_instr(MemoryWalk *walk, Node node) {
    const Instr *instr = func_at(walk->func, node);
    if (instr->kind == I_LOAD) return check_load(walk, node);
    contents_step(&walk->contents, node);
    uint32_t place = walk->places.target[node.i];
    if (instr->kind != I_STORE || place == NO_ID) return true;
    Reg stored = instr_args(walk->func, instr)[instr->arg_count - 1];
    contents_set_stored(&walk->contents, place, walk->values->value_of[stored.i]);
    return true;
}

// ---- The walk

// Checks the edges that leave a node; where they stay in the tree, their ends are to be visited:
// one next, the others later.
static bool leave_node(MemoryWalk *walk, Node node, Node *next) {
    Values *values = walk->values;
    const Instr *instr = func_at(walk->func, node);
    const Node *succs = instr_succs(walk->func, instr);
    *next = NO_NODE;
    for (uint32_t k = instr->succ_count; k-- > 0;) {
        if (!values_goes(values, node, k)) continue;
        if (!values_is_join(values, succs[k])) {
            FactsVisit later = {.node = *next, .mark = contents_mark(&walk->contents)};
            if (next->i != NO_ID) vec_push(values->arena, &walk->waiting, later);
            *next = succs[k];
        } else if (instr->kind != I_NOP) {
            return VALUES_REJECT(values, NO_NODE, "old node %u leads to a join and is no nop",
                                 node.i);
        } else if (!check_edge(walk, node, succs[k])) {
            return false;
        }
    }
    return true;
}

static bool walk_tree(MemoryWalk *walk, Node root) {
    contents_start(&walk->contents);
    if (values_is_join(walk->values, root)) enter_join(walk, root);
    for (Node node = root, next;; node = next) {
        do_loads(walk, node);
        if (!do_instr(walk, node) || !leave_node(walk, node, &next)) return false;
        if (next.i != NO_ID) continue;
        if (!walk->waiting.count) return true;
        FactsVisit last = vec_pop(&walk->waiting);
        contents_undo(&walk->contents, last.mark);
        next = last.node;
    }
}

// Whether every load is claimed to yield only itself.
static bool says_nothing(const Values *values) {
    const Func *func = values->before;
    if (values->hint->facts.count) return false;
    for (uint32_t v = 0; v < values->count; v++)
        if (values->terms.values[v].kind == VALUE_LOAD) return false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].kind != I_LOAD) continue;
        uint32_t value = values->value_of[func->nodes.at[n].dest.i];
        if (value != NO_ID && !value_is_old(values, value, func->nodes.at[n].dest)) return false;
    }
    return true;
}

bool values_check_memory(Values *values) {
    const Func *func = values->before;
    if (says_nothing(values)) return true;
    MemoryWalk walk = {.values = values,
                       .func = func,
                       .hint = values->hint,
                       .places = *values_places(values),
                       .ordinal = ARENA_ARRAY(values->arena, uint32_t, func->nodes.count)};
    if (!check_facts(&walk)) return false;
    find_loads(&walk);
    walk.contents = contents_new(values->arena, func, &walk.places);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        bool root = n == 0 || values_is_join(values, node);
        if (root && values_reach(values, node) && !walk_tree(&walk, node)) return false;
    }
    return true;
}
