// Finds the registers that hold the contents of places. Inside a tree of nodes that are no joins,
// one walk sees which register holds the contents of a place. Contents at joins are found on
// demand. A load that finds its place untouched since the root of its tree makes a demand for the
// place at that join, and so does a demand at a later join that an edge leads to. Trees are walked
// from the last to the first, so that without loops one walk of each is enough; with loops, trees
// before a join that has a new demand are walked again.
//
// Then the demands are solved, as constants are propagated: each demand is the meet of the contents
// on all edges, starting with the most hopeful assumption. Where different registers meet, a phi of
// the join may have just these for its arguments; if none has, one is added.
//
// Both steps have a budget that is linear in the size of the function. Demands beyond the budget
// are refused.
#include "analysis/memory_contents.h"

#include "fact/contents.h"
#include "fact/effects.h"

#include <string.h>

#define NOTHING NO_ID       // nothing holds it
#define OPEN    (NO_ID - 1) // nothing has been found against any name

typedef struct {
    uint32_t place;
    uint32_t join;
    uint32_t next;        // demand of the same join, or NO_ID
    uint32_t operands_at; // the contents on the edges: operands[operands_at ...]
    uint32_t users;       // the first operand that refers to this demand, or NO_ID
    uint32_t value;       // name, number of an added phi beyond the names, NOTHING or OPEN
    uint32_t phi;         // of the join, whose destination the value is, or NO_ID
    uint32_t added;       // phi that was added for this demand, or NO_ID
    uint32_t number;      // in the order of the joins
    bool needed;
} Demand;

// The contents at the end of an edge: the value of a demand; without a demand or value, a name, or
// nothing.
typedef struct {
    uint32_t demand;
    uint32_t name;
    uint32_t owner; // demand that it is an operand of
    uint32_t next;  // operand that refers to the same demand
} EdgeContent;

typedef struct {
    uint32_t node;
    ContentsMark mark;
} TreeVisit;

typedef struct {
    Arena *arena;
    const HeldQuestion *question;
    const Func *func;
    const Places *places;
    Preds preds;
    Contents contents;  // numbers noted: a name, or beyond them, see demand_load and answer_tree
    uint32_t *ways;     // node -> how many ways lead to it
    uint32_t *root_of;  // node -> root of its tree
    uint32_t *home;     // name -> root of the tree from which on it means something, or NO_ID
    uint32_t *sample;   // place -> a node that accesses it; NO_ID if no load can profit
    uint32_t *position; // nop before a join -> its index among the predecessors
    uint32_t *first_demand;   // node -> for a join its first demand, or NO_ID
    uint32_t *demand_at;      // place -> the latest demand for it, or NO_ID
    uint32_t *load_demand;    // node -> the demand that a load has made, or NO_ID
    uint32_t *thought_at;     // node -> the first load that is thought of in front of it, or NO_ID
    uint32_t *thought_demand; // of each of them: its demand, or NO_ID
    Held result;
    Bits dirty;     // roots of trees to walk, the last node first
    Bits promising; // roots of trees in which a load may be found to be held
    VEC(Demand) demands;
    VEC(EdgeContent) operands;
    VEC(TreeVisit) waiting;
    VEC(uint32_t) work; // demands found to be needed
    uint32_t steps;     // that walks may still take
    uint32_t budget;    // operands and phis that may still be looked at
} HeldWalk;

static bool is_join(const HeldWalk *state, uint32_t node) {
    return state->ways[node] > 1;
}

static bool is_root(const HeldWalk *state, uint32_t node) {
    return node == 0 || state->ways[node] != 1;
}

static bool is_reached(const HeldWalk *state, Node node) {
    return !state->question->reached || bits_has(state->question->reached, node.i);
}

static uint32_t *table_of(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    return memset(table, 0xff, count * sizeof *table);
}

static bool spend(uint32_t *budget, uint32_t cost) {
    if (*budget < cost) return false;
    *budget -= cost;
    return true;
}

// The tree of a root is to be walked. Where control never comes there is nothing to find out, and
// what follows there may belong to another tree.
static void make_dirty(HeldWalk *state, uint32_t root) {
    if (is_reached(state, (Node){root}))
        bits_add(&state->dirty, state->func->nodes.count - 1 - root);
}

// ---- Preparation

// How often each place is accessed: 2 for more than that. A store to a place with an effective type
// tells the contents of the plain place, too, and a load profits from what the plain place has.
static uint8_t *count_accesses(const HeldWalk *state) {
    const Func *func = state->func;
    const Places *places = state->places;
    uint8_t *accesses = ARENA_ARRAY(state->arena, uint8_t, places->places.count);
    for (uint32_t i = 0; i < state->question->thought_count; i++)
        accesses[places->target[state->question->thought[i].load]] = 2;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t place = places->target[n], plain;
        InstrKind kind = func->nodes.at[n].kind;
        if ((kind != I_LOAD && kind != I_STORE) || place == NO_ID) continue;
        plain = places->places.at[place].plain;
        if (accesses[place] < 2) accesses[place]++;
        if (plain != NO_ID && accesses[plain] < 2) accesses[plain]++;
    }
    return accesses;
}

// Only places that are loaded from, and accessed at least twice, are of interest. An access to the
// plain place counts.
static bool find_samples(HeldWalk *state) {
    const Func *func = state->func;
    bool any = false;
    const uint8_t *accesses = count_accesses(state);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t place = state->places->target[n];
        if (func->nodes.at[n].kind != I_LOAD || place == NO_ID) continue;
        uint32_t plain = state->places->places.at[place].plain;
        if (accesses[place] + (plain == NO_ID ? 0 : accesses[plain]) < 2) continue;
        state->sample[place] = n;
        any = true;
    }
    return any;
}

// How many ways lead to a node that counts; the last of them.
static uint32_t count_ways(const HeldWalk *state, Node node, uint32_t *from) {
    uint32_t ways = 0;
    for (uint32_t k = 0; is_reached(state, node) && k < preds_count(&state->preds, node); k++)
        if (is_reached(state, preds_at(&state->preds, node)[k])) {
            *from = preds_at(&state->preds, node)[k].i;
            ways++;
        }
    return ways;
}

// False if a node other than a join comes before its predecessor.
static bool find_trees(HeldWalk *state) {
    const Func *func = state->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t from = n;
        state->ways[n] = count_ways(state, (Node){n}, &from);
        if (is_root(state, n)) from = n;
        if (from > n) return false;
        state->root_of[n] = from == n ? n : state->root_of[from];
        if (from != n) continue;
        make_dirty(state, n);
        if (!is_join(state, n)) continue;
        for (uint32_t k = 0; k < preds_count(&state->preds, (Node){n}); k++)
            state->position[preds_at(&state->preds, (Node){n})[k].i] = k;
    }
    for (uint32_t i = 0; i < state->question->name_count; i++) {
        uint32_t node = state->question->base[i];
        state->home[i] = node == NO_ID ? NO_ID : state->root_of[node];
    }
    return true;
}

// ---- Demands

static uint32_t home_of(const HeldWalk *state, Reg reg) {
    uint32_t name = state->question->name[reg.i];
    return name == NO_ID ? NO_ID : state->home[name];
}

// Whether the registers of the address of a place are set only within a tree: then the place has no
// meaning at its root.
static bool is_named_later(const HeldWalk *state, uint32_t place, uint32_t root) {
    const Instr *instr = &state->func->nodes.at[state->sample[place]];
    bool through_reg =
        instr->base == BASE_REG && state->places->places.at[place].object == ANYWHERE;
    if (through_reg && home_of(state, instr->arg[0]) == root) return true;
    return instr->scale && home_of(state, instr->arg[instr->base == BASE_REG]) == root;
}

// The demand for a place at the root of a tree; NO_ID if there can be none.
static uint32_t demand(HeldWalk *state, uint32_t place, uint32_t root) {
    uint32_t found = state->demand_at[place];
    if (found != NO_ID && state->demands.at[found].join == root) return found;
    if (!is_join(state, root) || state->sample[place] == NO_ID ||
        is_named_later(state, place, root))
        return NO_ID;
    uint32_t preds = preds_count(&state->preds, (Node){root});
    if (!spend(&state->budget, preds)) return NO_ID;
    found = state->demands.count;
    vec_push(state->arena, &state->demands,
             (Demand){.place = place,
                      .join = root,
                      .next = state->first_demand[root],
                      .operands_at = state->operands.count,
                      .users = NO_ID,
                      .value = OPEN,
                      .phi = NO_ID,
                      .added = NO_ID});
    state->first_demand[root] = state->demand_at[place] = found;
    EdgeContent *operands = vec_extend(state->arena, &state->operands, preds);
    for (uint32_t k = 0; k < preds; k++) {
        operands[k] =
            (EdgeContent){.demand = NO_ID, .name = NOTHING, .owner = found, .next = NO_ID};
        make_dirty(state, state->root_of[preds_at(&state->preds, (Node){root})[k].i]);
    }
    return found;
}

static void note(HeldWalk *state, uint32_t place, uint32_t name) {
    if (name != NO_ID) contents_set(&state->contents, place, name);
}

// A load from a place that is unchanged since the root: behind it the result of the demand holds
// the place, or else the load's own destination. The note is the load's node, beyond the names.
static void demand_load(HeldWalk *state, uint32_t node, uint32_t root) {
    const Instr *load = &state->func->nodes.at[node];
    uint32_t place = state->places->target[node], noted;
    if (place == NO_ID || state->sample[place] == NO_ID) return;
    ContentsState found = contents_get(&state->contents, place, &noted);
    uint32_t made = found == CONTENTS_UNTOUCHED ? demand(state, place, root) : NO_ID;
    if (found == CONTENTS_NOTED || made != NO_ID) bits_add(&state->promising, root);
    if (found == CONTENTS_NOTED) return;
    state->load_demand[node] = made;
    note(state, place,
         made == NO_ID ? state->question->name[load->dest.i] : state->question->name_count + node);
}

// False if the budget does not last.
static bool demand_edge(HeldWalk *state, uint32_t node, Node join, uint32_t root) {
    uint32_t names = state->question->name_count, nodes = state->func->nodes.count;
    for (uint32_t i = state->first_demand[join.i]; i != NO_ID; i = state->demands.at[i].next) {
        if (!spend(&state->steps, 1)) return false;
        uint32_t place = state->demands.at[i].place, noted, from = NO_ID, name = NOTHING;
        switch (contents_get(&state->contents, place, &noted)) {
        case CONTENTS_NOTED:
            name = noted;
            if (noted < names) break;
            noted -= names;
            if (noted >= nodes) {
                from = state->thought_demand[noted - nodes];
                name = state->question->thought[noted - nodes].name;
                break;
            }
            from = state->load_demand[noted];
            name = state->question->name[state->func->nodes.at[noted].dest.i];
            break;
        case CONTENTS_UNTOUCHED: from = demand(state, place, root); break;
        case CONTENTS_CHANGED: break;
        }
        uint32_t at = state->demands.at[i].operands_at + state->position[node];
        state->operands.at[at].demand = from;
        state->operands.at[at].name = name;
    }
    return true;
}

typedef bool VisitNode(HeldWalk *state, uint32_t node, uint32_t root);

// Visits the nodes of a tree, each with the contents of memory on the way to it. False if a visit
// says so.
static bool walk_tree(HeldWalk *state, uint32_t root, VisitNode *visit) {
    const Func *func = state->func;
    for (uint32_t node = root, next;; node = next) {
        const Instr *instr = &func->nodes.at[node];
        const Node *succs = instr_succs(func, instr);
        if (!visit(state, node, root)) return false;
        next = NO_ID;
        for (uint32_t k = instr->succ_count; k-- > 0;) {
            if (is_root(state, succs[k].i) || state->root_of[succs[k].i] != root) continue;
            TreeVisit later = {.node = next, .mark = contents_mark(&state->contents)};
            if (next != NO_ID) vec_push(state->arena, &state->waiting, later);
            next = succs[k].i;
        }
        if (next != NO_ID) continue;
        if (!state->waiting.count) return true;
        TreeVisit last = vec_pop(&state->waiting);
        contents_undo(&state->contents, last.mark);
        next = last.node;
    }
}

// The effect of an instruction other than a load on memory; a store notes the name of its value.
static void step(HeldWalk *state, uint32_t node) {
    const Instr *instr = &state->func->nodes.at[node];
    uint32_t place = state->places->target[node], noted;
    contents_step(&state->contents, (Node){node});
    if (instr->kind != I_STORE || place == NO_ID ||
        contents_get(&state->contents, place, &noted) != CONTENTS_NOTED)
        return;
    contents_set_stored(
        &state->contents, place,
        state->question->name[instr_args(state->func, instr)[instr->arg_count - 1].i]);
}

// Loads that are thought of in front of a node. While demands are found, the result of the demand,
// or else its name, holds a load from a place that is unchanged since the root. The note is its
// number, beyond those of nodes.
static void think(HeldWalk *state, uint32_t node, uint32_t root, bool demanding) {
    const HeldQuestion *question = state->question;
    uint32_t noted, beyond = question->name_count + state->func->nodes.count;
    for (uint32_t i = state->thought_at ? state->thought_at[node] : NO_ID;
         i < question->thought_count && question->thought[i].node == node; i++) {
        uint32_t place = state->places->target[question->thought[i].load];
        ContentsState found = contents_get(&state->contents, place, &noted);
        if (found == CONTENTS_NOTED) continue;
        uint32_t made =
            demanding && found == CONTENTS_UNTOUCHED ? demand(state, place, root) : NO_ID;
        state->thought_demand[i] = made;
        contents_set(&state->contents, place,
                     made == NO_ID ? question->thought[i].name : beyond + i);
    }
}

static bool visit_demands(HeldWalk *state, uint32_t node, uint32_t root) {
    const Instr *instr = &state->func->nodes.at[node];
    if (!spend(&state->steps, 1)) return false;
    think(state, node, root, true);
    if (instr->kind == I_LOAD)
        demand_load(state, node, root);
    else
        step(state, node);
    return instr->kind != I_NOP || !is_join(state, instr->succ[0].i) ||
           demand_edge(state, node, instr->succ[0], root);
}

static bool find_demands(HeldWalk *state, uint32_t root) {
    contents_start(&state->contents);
    for (uint32_t i = state->first_demand[root]; i != NO_ID; i = state->demands.at[i].next)
        state->demand_at[state->demands.at[i].place] = i;
    return walk_tree(state, root, visit_demands);
}

// From the last tree to the first, again and again. The budget lasts for the first time at least;
// if not for more, operands that are not known yet stay NOTHING.
static void walk_trees(HeldWalk *state) {
    uint32_t nodes = state->func->nodes.count;
    for (uint32_t at = 0;;) {
        at = bits_next(&state->dirty, at);
        if (at == nodes) {
            at = bits_next(&state->dirty, 0);
            if (at == nodes || !spend(&state->steps, nodes / 64 + 1)) return;
        }
        bits_remove(&state->dirty, at);
        if (find_demands(state, nodes - 1 - at)) continue;
        vec_clear(&state->waiting);
        return;
    }
}

// ---- Solution

static uint32_t operand_value(const HeldWalk *state, const EdgeContent *operand) {
    if (operand->demand == NO_ID) return operand->name;
    uint32_t value = state->demands.at[operand->demand].value;
    return value == NOTHING ? operand->name : value;
}

// The contents on an edge into the join of a demand; OPEN if the edge is never taken.
static uint32_t edge_value(const HeldWalk *state, const Demand *demand, uint32_t k) {
    if (!is_reached(state, preds_at(&state->preds, (Node){demand->join})[k])) return OPEN;
    return operand_value(state, &state->operands.at[demand->operands_at + k]);
}

static bool phi_fits(const HeldWalk *state, const Demand *demand, const Phi *phi) {
    const Reg *args = phi_args(state->func, phi);
    if (state->question->phi[phi - state->func->phis.at] == NO_ID) return false;
    for (uint32_t k = 0; k < preds_count(&state->preds, (Node){demand->join}); k++) {
        uint32_t value = edge_value(state, demand, k);
        if (value != OPEN && value != state->question->name[args[k].i]) return false;
    }
    return true;
}

// The phi that is added for a demand.
static uint32_t add_phi(HeldWalk *state, Demand *demand) {
    if (demand->added == NO_ID) {
        demand->added = state->result.added.count;
        AddedPhi phi = {.join = demand->join, .load = state->sample[demand->place]};
        vec_push(state->arena, &state->result.added, phi);
    }
    return state->question->name_count + demand->added;
}

// Different names meet, or one that means something only from here on. Once a phi was chosen, it
// must do, or one is added.
static uint32_t meet_by_phi(HeldWalk *state, Demand *demand) {
    const Phi *phis = func_phis(state->func, (Node){demand->join});
    uint32_t count = func_phi_count(state->func, (Node){demand->join});
    uint32_t first = phis ? (uint32_t)(phis - state->func->phis.at) : 0;
    if (demand->added != NO_ID) return add_phi(state, demand);
    if (demand->phi != NO_ID)
        return phi_fits(state, demand, &phis[demand->phi])
                   ? state->question->phi[first + demand->phi]
                   : add_phi(state, demand);
    for (uint32_t p = 0; p < count && spend(&state->budget, 1); p++)
        if (phi_fits(state, demand, &phis[p])) {
            demand->phi = p;
            return state->question->phi[first + p];
        }
    return add_phi(state, demand);
}

// Whether a name means something only from a join on.
static bool begins_at(const HeldWalk *state, uint32_t name, uint32_t join) {
    uint32_t names = state->question->name_count;
    return (name < names ? state->home[name] : state->result.added.at[name - names].join) == join;
}

static uint32_t meet(HeldWalk *state, Demand *demand) {
    uint32_t preds = preds_count(&state->preds, (Node){demand->join}), met = OPEN;
    bool differ = demand->phi != NO_ID || demand->added != NO_ID;
    if (demand->value == NOTHING || !spend(&state->budget, preds)) return NOTHING;
    for (uint32_t k = 0; k < preds; k++) {
        uint32_t value = edge_value(state, demand, k);
        if (value == NOTHING) return NOTHING;
        if (value == OPEN) continue;
        differ |= begins_at(state, value, demand->join) || (met != OPEN && met != value);
        met = value;
    }
    return differ ? meet_by_phi(state, demand) : met;
}

// Numbers the demands in the order of their joins, so that a demand mostly comes after the demands
// on which it rests.
static uint32_t *order_demands(HeldWalk *state) {
    uint32_t *order = ARENA_ARRAY(state->arena, uint32_t, state->demands.count), count = 0;
    for (uint32_t n = 0; n < state->func->nodes.count; n++)
        for (uint32_t i = state->first_demand[n]; i != NO_ID; i = state->demands.at[i].next) {
            state->demands.at[i].number = count;
            order[count++] = i;
        }
    return order;
}

static void link_users(HeldWalk *state) {
    for (uint32_t i = 0; i < state->operands.count; i++) {
        EdgeContent *operand = &state->operands.at[i];
        if (operand->demand == NO_ID) continue;
        operand->next = state->demands.at[operand->demand].users;
        state->demands.at[operand->demand].users = i;
    }
}

// A demand gets a value, and the demands that rest on it are looked at again.
static void settle(HeldWalk *state, Demand *demand, uint32_t value, Bits *unsettled) {
    if (demand->value == value) return;
    demand->value = value;
    for (uint32_t i = demand->users; i != NO_ID; i = state->operands.at[i].next)
        bits_add(unsettled, state->demands.at[state->operands.at[i].owner].number);
}

static void solve(HeldWalk *state) {
    uint32_t count = state->demands.count;
    uint32_t *order = order_demands(state);
    Bits unsettled = bits_new(state->arena, count);
    link_users(state);
    for (uint32_t i = 0; i < count; i++) bits_add(&unsettled, i);
    uint32_t open = 0; // demands that are still open in the end are unreachable
    for (uint32_t at = 0;;) {
        at = bits_next(&unsettled, at);
        if (at < count) {
            Demand *demand = &state->demands.at[order[at]];
            bits_remove(&unsettled, at);
            settle(state, demand, meet(state, demand), &unsettled);
            continue;
        }
        at = bits_next(&unsettled, 0);
        if (!spend(&state->budget, count / 64 + 1)) break;
        if (at < count) continue;
        while (open < count && state->demands.at[open].value != OPEN) open++;
        if (open == count) return;
        settle(state, &state->demands.at[open], NOTHING, &unsettled);
        at = 0;
    }
    for (uint32_t i = 0; i < count; i++) state->demands.at[i].value = NOTHING;
}

// ---- Answers

static bool is_held(const Demand *demand) {
    return demand->value != NOTHING;
}

static void need(HeldWalk *state, uint32_t which) {
    Demand *demand = &state->demands.at[which];
    if (demand->needed) return;
    demand->needed = true;
    vec_push(state->arena, &state->work, which);
}

// Whatever a needed demand rests on is needed, too.
static void find_needed(HeldWalk *state) {
    while (state->work.count) {
        const Demand *demand = &state->demands.at[vec_pop(&state->work)];
        for (uint32_t k = 0; k < preds_count(&state->preds, (Node){demand->join}); k++) {
            uint32_t from = state->operands.at[demand->operands_at + k].demand;
            if (from != NO_ID && is_held(&state->demands.at[from])) need(state, from);
        }
    }
}

static void answer_load(HeldWalk *state, uint32_t node) {
    const Instr *load = &state->func->nodes.at[node];
    uint32_t place = state->places->target[node], noted, names = state->question->name_count;
    if (place == NO_ID || state->sample[place] == NO_ID) return;
    if (contents_get(&state->contents, place, &noted) != CONTENTS_NOTED) {
        note(state, place, state->question->name[load->dest.i]);
        return;
    }
    if (noted >= names) need(state, noted - names);
    state->result.held[node] = noted >= names ? state->demands.at[noted - names].value : noted;
    state->result.any = true;
}

static bool visit_answering(HeldWalk *state, uint32_t node, uint32_t root) {
    think(state, node, root, false);
    if (state->func->nodes.at[node].kind == I_LOAD)
        answer_load(state, node);
    else
        step(state, node);
    return true;
}

// The result of a demand is noted as the demand's number, beyond the names.
static void answer_tree(HeldWalk *state, uint32_t root) {
    contents_start(&state->contents);
    for (uint32_t i = state->first_demand[root]; i != NO_ID; i = state->demands.at[i].next)
        if (is_held(&state->demands.at[i]))
            contents_set(&state->contents, state->demands.at[i].place,
                         state->question->name_count + i);
    walk_tree(state, root, visit_answering);
}

static void answer_all(HeldWalk *state) {
    for (uint32_t n = 0; n < state->func->nodes.count; n++)
        if (bits_has(&state->promising, n)) answer_tree(state, n);
    find_needed(state);
}

// The arguments of the phis that are added and needed.
static void give_arguments(HeldWalk *state) {
    Held *result = &state->result;
    for (uint32_t i = 0; i < result->added.count; i++) result->added.at[i].first = NO_ID;
    for (uint32_t i = 0; i < state->demands.count; i++) {
        const Demand *demand = &state->demands.at[i];
        if (!demand->needed || demand->added == NO_ID ||
            demand->value != state->question->name_count + demand->added)
            continue;
        result->added.at[demand->added].first = result->args.count;
        for (uint32_t k = 0; k < preds_count(&state->preds, (Node){demand->join}); k++) {
            uint32_t value = edge_value(state, demand, k);
            vec_push(state->arena, &result->args, value == OPEN ? NO_ID : value);
        }
    }
}

static void give_facts(HeldWalk *state) {
    Held *result = &state->result;
    for (uint32_t n = 0; n < state->func->nodes.count; n++) {
        if (!preds_is_join(&state->preds, (Node){n})) continue;
        vec_push(state->arena, &result->facts_at, result->facts.count);
        for (uint32_t i = state->first_demand[n]; i != NO_ID; i = state->demands.at[i].next) {
            const Demand *demand = &state->demands.at[i];
            HeldFact fact = {.place = demand->place, .name = demand->value};
            if (demand->needed) vec_push(state->arena, &result->facts, fact);
        }
    }
    vec_push(state->arena, &result->facts_at, result->facts.count);
}

static void find_thoughts(HeldWalk *state) {
    const HeldQuestion *question = state->question;
    if (!question->thought_count) return;
    state->thought_at = table_of(state->arena, state->func->nodes.count);
    state->thought_demand = table_of(state->arena, question->thought_count);
    for (uint32_t i = question->thought_count; i-- > 0;)
        state->thought_at[question->thought[i].node] = i;
}

// Whether there is a load, and another access besides.
static bool is_worthwhile(const Func *func) {
    uint32_t loads = 0, stores = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        loads += func->nodes.at[n].kind == I_LOAD;
        stores += func->nodes.at[n].kind == I_STORE;
    }
    return loads && loads + stores > 1;
}

Held held_by(Arena *arena, const HeldQuestion *question) {
    const Func *func = question->func;
    HeldWalk state = {
        .arena = arena, .question = question, .func = func, .places = question->places};
    uint32_t nodes = func->nodes.count, places = question->places->places.count;
    if (!is_worthwhile(func) && !question->thought_count) return state.result;
    state.sample = table_of(arena, places);
    if (!find_samples(&state)) return state.result;
    state.preds = preds_of(arena, func);
    if (preds_is_join(&state.preds, (Node){0})) return state.result;
    state.contents = contents_new(arena, func, question->places);
    state.ways = ARENA_ARRAY(arena, uint32_t, nodes);
    state.root_of = ARENA_ARRAY(arena, uint32_t, nodes);
    state.home = ARENA_ARRAY(arena, uint32_t, question->name_count);
    state.position = ARENA_ARRAY(arena, uint32_t, nodes);
    state.first_demand = table_of(arena, nodes);
    state.load_demand = table_of(arena, nodes);
    state.demand_at = table_of(arena, places);
    state.dirty = bits_new(arena, nodes);
    state.promising = bits_new(arena, nodes);
    state.budget = 1000 + 3 * nodes; // programs mostly need less than one per node
    state.steps = 2 * state.budget;
    if (!find_trees(&state)) return state.result;
    find_thoughts(&state);
    walk_trees(&state);
    solve(&state);
    state.result.held = table_of(arena, nodes);
    answer_all(&state);
    give_facts(&state);
    give_arguments(&state);
    return state.result;
}
