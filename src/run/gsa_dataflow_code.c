// Functions of gated SSA are prepared for data-flow evaluation.
//
// The form has gates for the values that merge. The state of memory, which it does not name, needs
// gates at all joins where it differs between the predecessors. They are those of the form's own
// definition, taken from the entry or the header of the innermost loop instead of from the
// immediate dominator: a node with one predecessor is reached if that is and the branch leads to
// it, a join if one of its predecessors is. So there is one gate for each node, of constant size.
// What is seen from outside of a loop is guarded by the loop's being entered: an operand that makes
// a loop run comes after the one that says that it does run.
#include "run/gsa_dataflow.h"

#include "fact/definitions.h"

// ---- Regions

static void add_region(Flow *flow, const LoopNest *loop_nest, uint32_t *region_of_header,
                       LoopGate gates) {
    Node header = gates.header;
    const Node *preds = preds_at(&flow->preds, header);
    uint32_t index = flow->region_count++;
    region_of_header[header.i] = index;
    flow->regions[index] = (Region){.first = loop_nest->first[header.i] + 1,
                                    .last = loop_nest->last[header.i] + 1,
                                    .header = header,
                                    .before = preds[0],
                                    .latch = preds[1],
                                    .leaves = gates.leaves,
                                    .goes_on = gates.goes_on};
}

// Region 0 is the function, then the loops by header.
static void find_regions(Flow *flow, Arena *arena, const LoopNest *loop_nest) {
    const Func *func = flow->func;
    uint32_t loops = func->gsa->loops.count;
    uint32_t *region_of_header = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    flow->regions = ARENA_ARRAY(arena, Region, loops + 1);
    flow->regions[flow->region_count++] = (Region){.parent = NO_ID, .last = NO_ID};
    for (uint32_t i = 0; i < loops; i++)
        add_region(flow, loop_nest, region_of_header, func->gsa->loops.at[i]);
    for (uint32_t i = 1; i <= loops; i++) {
        Node outer = loop_nest->outer[flow->regions[i].header.i];
        flow->regions[i].parent = outer.i == NO_ID ? 0 : region_of_header[outer.i];
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node loop = loop_nest->loop[n];
        flow->region_of[n] = loop.i == NO_ID ? 0 : region_of_header[loop.i];
    }
}

static bool is_header(const Flow *flow, Node node) {
    uint32_t region = flow->region_of[node.i];
    return region && flow->regions[region].header.i == node.i;
}

// ---- Order

static void order_nodes(Flow *flow, Arena *arena, const Dominance *dom) {
    const Func *func = flow->func;
    uint32_t *missing = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Node *before = preds_at(&flow->preds, (Node){n});
        for (uint32_t k = 0; k < preds_count(&flow->preds, (Node){n}); k++)
            missing[n] +=
                dominance_reaches(dom, before[k]) && !is_back_edge(dom, before[k], (Node){n});
    }
    flow->order[flow->order_count++] = (Node){0};
    for (uint32_t i = 0; i < flow->order_count; i++) {
        const Instr *instr = func_at(func, flow->order[i]);
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (!is_back_edge(dom, flow->order[i], succs[k]) && --missing[succs[k].i] == 0)
                flow->order[flow->order_count++] = succs[k];
    }
}

// ---- Values

bool flow_has_effect(const Instr *instr) {
    return instr_effects(instr) && !instr_is_branch(instr);
}

static DataflowKind value_kind(const Func *func, Definition definition) {
    switch (definition.by) {
    case SET_BY_INSTR:
        return flow_has_effect(func_at(func, definition.node)) ? VALUE_EFFECT : VALUE_OP;
    case SET_BY_MERGE:
        return func->gsa->merges.at[definition.at].kind == MERGE_MU ? VALUE_MU : VALUE_GAMMA;
    case SET_BY_ETA: return VALUE_ETA;
    default: return VALUE_THERE;
    }
}

static void find_values(Flow *flow, Arena *arena) {
    const Func *func = flow->func;
    const Definition *definitions = definitions_of(arena, func);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        Definition definition = definitions[r];
        if (definition.node.i == NO_ID) continue;
        flow->values[r] = (FlowValue){.kind = value_kind(func, definition),
                                      .region = flow->region_of[definition.node.i],
                                      .node = definition.node.i,
                                      .at = definition.at};
    }
}

// ---- States

// Of a node that is not reachable.
#define NO_STATE ((WorldState){NO_ID - 1})

// The state on entering a node that is no header: that of its predecessors if all leave the same.
static WorldState entering_state(const Flow *flow, Node node) {
    const Node *preds = preds_at(&flow->preds, node);
    WorldState state = node.i == 0 ? FIRST_STATE : NO_STATE;
    for (uint32_t k = 0; k < preds_count(&flow->preds, node); k++) {
        WorldState other = flow->state_out[preds[k].i];
        if (other.i == NO_STATE.i || other.i == state.i) continue;
        if (state.i != NO_STATE.i) return (WorldState){2 * node.i};
        state = other;
    }
    return state;
}

static void find_states(Flow *flow) {
    for (uint32_t n = 0; n < flow->func->nodes.count; n++) flow->state_out[n] = NO_STATE;
    for (uint32_t i = 0; i < flow->order_count; i++) {
        Node node = flow->order[i];
        WorldState in =
            is_header(flow, node) ? (WorldState){2 * node.i} : entering_state(flow, node);
        bool effect = flow_has_effect(func_at(flow->func, node));
        flow->state_in[node.i] = in;
        flow->state_out[node.i] = effect ? (WorldState){2 * node.i + 1} : in;
    }
}

// ---- When nodes are reached

// The gate of coming from the beginning of a region to a node in it or in a region inside.
static Gate reached_from(const Flow *flow, Arena *arena, uint32_t region, Node node) {
    Gate gate = flow->reached[node.i];
    for (uint32_t inner = flow->region_of[node.i]; inner != region;
         inner = flow->regions[inner].parent)
        gate = gate_and(arena, flow->func->gsa, flow->reached[flow->regions[inner].before.i], gate);
    return gate;
}

static Gate reached_by(const Flow *flow, Arena *arena, Node node, Gate edge) {
    uint32_t region = flow->region_of[node.i];
    if (node.i == 0 || is_header(flow, node)) return GATE_TRUE;
    const Node *preds = preds_at(&flow->preds, node);
    uint32_t count = preds_count(&flow->preds, node);
    Gate gate = GATE_FALSE;
    for (uint32_t k = 0; k < count; k++) {
        Gate way = reached_from(flow, arena, region, preds[k]);
        gate = gate_or(arena, flow->func->gsa, gate, way);
        if (count > 1) flow->joining[preds[k].i] = way;
    }
    return count == 1 ? gate_and(arena, flow->func->gsa, gate, edge) : gate;
}

// What a branch says about each of its successors. Only nops lead to joins.
static void add_edges(const Flow *flow, Arena *arena, Gate *edges, Node node) {
    const Func *func = flow->func;
    const Instr *instr = func_at(func, node);
    const Node *succs = instr_succs(func, instr);
    bool branch = instr_is_branch(instr);
    uint32_t cases = instr->kind == I_SWITCH ? gate_cases(arena, func->gsa, func, instr) : 0;
    for (uint32_t k = 0; k < instr->succ_count; k++)
        edges[succs[k].i] =
            branch ? gate_of_edge(arena, func->gsa, func, instr, cases, k) : GATE_TRUE;
}

static void find_reached(Flow *flow, Arena *arena) {
    Gate *edges = ARENA_ARRAY(arena, Gate, flow->func->nodes.count);
    for (uint32_t i = 0; i < flow->order_count; i++) {
        Node node = flow->order[i];
        flow->reached[node.i] = reached_by(flow, arena, node, edges[node.i]);
        add_edges(flow, arena, edges, node);
    }
}

// ---- All of it

// The function with a table of gates of its own, which can be added to.
static const Func *with_own_gates(Arena *arena, const Func *func) {
    Func *copy = ARENA_NEW(arena, Func);
    *copy = *func;
    copy->arena = arena;
    copy->gsa = gsa_clone(arena, func->gsa);
    return copy;
}

// How many values the merges of a block read at once.
static uint32_t most_merges(const Func *func) {
    uint32_t most = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t count = gsa_merge_count(func, (Node){n});
        if (most < count) most = count;
    }
    return most;
}

Flow *flow_prepare(Interpreter *in, const Code *code) {
    Arena *arena = in->arena;
    uint32_t nodes = code->func->nodes.count, registers = code->func->regs.count;
    Flow *flow = ARENA_NEW(arena, Flow);
    *flow = (Flow){.func = with_own_gates(arena, code->func),
                   .code = code,
                   .preds = preds_of(arena, code->func),
                   .region_of = ARENA_ARRAY(arena, uint32_t, nodes),
                   .values = ARENA_ARRAY(arena, FlowValue, registers),
                   .state_in = ARENA_ARRAY(arena, WorldState, nodes),
                   .state_out = ARENA_ARRAY(arena, WorldState, nodes),
                   .reached = ARENA_ARRAY(arena, Gate, nodes),
                   .joining = ARENA_ARRAY(arena, Gate, nodes),
                   .order = ARENA_ARRAY(arena, Node, nodes)};
    Dominance dom = dominance_of(arena, code->func, &flow->preds);
    LoopNest loop_nest = loop_nest_of(arena, code->func, &flow->preds, &dom);
    find_regions(flow, arena, &loop_nest);
    order_nodes(flow, arena, &dom);
    find_values(flow, arena);
    find_states(flow);
    find_reached(flow, arena);
    rtl_reserve_values(in, most_merges(flow->func));
    uint64_t words = (uint64_t)registers + 2 * (uint64_t)nodes + flow->func->gsa->gates.count;
    flow->size =
        sizeof(Activation) + words * sizeof(uint64_t) + flow->region_count * sizeof(RegionState);
    return flow;
}
