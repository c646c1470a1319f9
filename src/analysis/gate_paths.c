#include "analysis/gate_paths.h"

#include "fact/gate/gate_decided.h"
#include "graph/basic_blocks.h"

// ---- Blocks

// The blocks that a block dominates immediately.
static void find_children(GateForest *f) {
    uint32_t count = f->func->nodes.count;
    f->head = block_heads(f->arena, f->func, &f->preds);
    f->child_at = ARENA_ARRAY(f->arena, uint32_t, (size_t)count + 2);
    for (uint32_t n = 1; n < count; n++)
        if (f->head[n] == n) f->child_at[f->head[f->dom.idom[n].i] + 2]++;
    for (uint32_t n = 2; n < count + 2; n++) f->child_at[n] += f->child_at[n - 1];
    f->child = ARENA_ARRAY(f->arena, uint32_t, count);
    for (uint32_t n = 1; n < count; n++)
        if (f->head[n] == n) f->child[f->child_at[f->head[f->dom.idom[n].i] + 1]++] = n;
}

// ---- The forest

static void compress(GateForest *f, uint32_t at) {
    vec_clear(&f->path);
    for (; f->ancestor[f->ancestor[at]] != NO_ID; at = f->ancestor[at])
        vec_push(f->arena, &f->path, at);
    while (f->path.count) {
        at = vec_pop(&f->path);
        uint32_t above = f->ancestor[at];
        GateFact fact = {.upper = f->fact[above], .lower = f->fact[at]};
        f->fact[at] = f->func->nodes.count + f->hint->facts.count;
        vec_push(f->arena, &f->hint->facts, fact);
        f->gate[at] = gate_and(f->arena, f->gsa, f->gate[above], f->gate[at]);
        f->ancestor[at] = f->ancestor[above];
    }
}

// The fact and the gate from the root of a node's tree to the node.
uint32_t forest_evaluate(GateForest *f, uint32_t node, Gate *gate) {
    uint32_t head = f->head[node];
    *gate = GATE_TRUE;
    if (f->ancestor[head] == NO_ID) return FACT_NONE;
    compress(f, head);
    *gate = f->gate[head];
    return f->fact[head];
}

static void link_to(GateForest *f, uint32_t parent, uint32_t child, Gate gate) {
    f->ancestor[child] = parent;
    f->fact[child] = child;
    f->gate[child] = gate;
}

// ---- Gates

static Gate edge_literal(GateForest *f, Node from, Node to) {
    const Instr *branch = func_at(f->func, from);
    if (branch->succ_count == 1) return GATE_TRUE;
    uint32_t cases = NO_ID;
    if (branch->kind == I_SWITCH) {
        // The children of a switch come one after the other: its list is looked up once.
        if (f->cases[from.i] == NO_ID)
            f->cases[from.i] = gate_cases(f->arena, f->gsa, f->func, branch);
        cases = f->cases[from.i];
    }
    return gate_of_edge(f->arena, f->gsa, f->func, branch, cases, f->way[to.i]);
}

static Gate gate_to_join(GateForest *f, Node join) {
    const Node *preds = preds_at(&f->preds, join);
    Gate result = GATE_FALSE, gate;
    for (uint32_t k = 0; k < preds_count(&f->preds, join); k++) {
        f->hint->joins.at[f->join_at[join.i] + k] = forest_evaluate(f, preds[k].i, &gate);
        f->join_gate[f->join_at[join.i] + k] = gate;
        result = gate_or(f->arena, f->gsa, result, gate);
    }
    return result;
}

static void link_children(GateForest *f, uint32_t head) {
    for (uint32_t i = f->child_at[head]; i < f->child_at[head + 1]; i++) {
        Node child = {f->child[i]};
        bool join = preds_is_join(&f->preds, child) && !loop_nest_is_header(&f->loop_nest, child);
        Gate gate =
            join ? gate_to_join(f, child) : edge_literal(f, *preds_at(&f->preds, child), child);
        if (f->decisions) gate = gate_as_decided(f->decisions[child.i], gate);
        link_to(f, head, child.i, gate);
    }
}

// ---- Exits

Node forest_first_left(const GateForest *f, uint32_t pad) {
    Node from = preds_sole(&f->preds, (Node){pad});
    if (from.i == NO_ID) return NO_NODE;
    Node loop = f->loop_nest.loop[from.i];
    return loop.i == NO_ID || loop.i == f->loop_nest.loop[pad].i ||
                   loop_nest_contains(&f->loop_nest, loop, (Node){pad})
               ? NO_NODE
               : loop;
}

static void scan_exits(const GateForest *f, GateExits *exits, bool fill) {
    for (uint32_t pad = 0; pad < f->func->nodes.count; pad++) {
        Node around = f->loop_nest.loop[pad];
        for (Node loop = forest_first_left(f, pad); loop.i != around.i;
             loop = f->loop_nest.outer[loop.i]) {
            if (loop.i == NO_ID) break;
            uint32_t number = exits->loop[loop.i];
            if (fill)
                exits->pad[exits->at[number + 1]++] = pad;
            else
                exits->at[number + 2]++;
        }
    }
}

static void find_exits(GateForest *f) {
    uint32_t count = f->func->nodes.count, loops = 0;
    GateExits exits = {.loop = ARENA_ARRAY(f->arena, uint32_t, count)};
    for (uint32_t n = 0; n < count; n++)
        if (loop_nest_is_header(&f->loop_nest, (Node){n})) exits.loop[n] = loops++;
    exits.at = ARENA_ARRAY(f->arena, uint32_t, (size_t)loops + 2);
    scan_exits(f, &exits, false);
    for (uint32_t i = 2; i < loops + 2; i++) exits.at[i] += exits.at[i - 1];
    exits.pad = ARENA_ARRAY(f->arena, uint32_t, exits.at[loops + 1]);
    scan_exits(f, &exits, true);
    f->exits = exits;
    f->loops = loops;
}

// Evaluated in every use of these predicates, and in the same order, so that equal graphs give
// equal predicates: conjunctions are put together as they are asked for.
static void gates_of_loop(GateForest *f, uint32_t header) {
    uint32_t number = f->exits.loop[header];
    for (uint32_t i = f->exits.at[number]; i < f->exits.at[number + 1]; i++)
        f->exit_fact[i] = forest_evaluate(f, f->exits.pad[i], &f->exit_gate[i]);
    Node latch = preds_at(&f->preds, (Node){header})[1];
    f->latch_fact[number] = forest_evaluate(f, latch.i, &f->latch_gate[number]);
}

void forest_simplify(GateForest *f) {
    f->decisions = gate_decisions(f->arena, f->func, &f->preds, &f->dom, &f->loop_nest, f->gsa);
}

void forest_grow(GateForest *f) {
    for (uint32_t n = f->func->nodes.count; n-- > 0;) {
        if (f->head[n] != n) continue;
        link_children(f, n);
        if (loop_nest_is_header(&f->loop_nest, (Node){n})) gates_of_loop(f, n);
    }
}

bool forest_is_regular(const GateForest *f) {
    const Func *func = f->func;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t i = 0; i < gsa_merge_count(func, (Node){n}); i++) {
            const Merge *merge = &gsa_merges(func, (Node){n})[i];
            if (merge->kind != MERGE_GAMMA) continue;
            if (merge->arg_count != preds_count(&f->preds, (Node){n})) return false;
            for (uint32_t k = 0; k < merge->arg_count; k++)
                if (merge_args(func, merge)[k].gate.i != f->join_gate[f->join_at[n] + k].i)
                    return false;
        }
    return true;
}

// ---- The start

// Whether every join can have gates: the graph is reducible and numbered in reverse postorder,
// loops have one entry and one latch.
static bool is_normal(const GateForest *f) {
    if (!f->loop_nest.reducible || f->dom.count != f->func->nodes.count ||
        !loop_nest_has_pads(&f->loop_nest, f->func, &f->preds))
        return false;
    for (uint32_t n = 0; n < f->func->nodes.count; n++) {
        Node node = {n};
        const Node *preds = preds_at(&f->preds, node);
        uint32_t count = preds_count(&f->preds, node), forward = 0;
        for (uint32_t k = 0; k < count; k++) forward += preds[k].i < n;
        if (loop_nest_is_header(&f->loop_nest, node) ? count != 2 || forward != 1
                                                     : forward != count)
            return false;
    }
    return true;
}

static void prepare(GateForest *f) {
    uint32_t count = f->func->nodes.count, exits = f->exits.at[f->loops], joins = 0;
    f->exit_fact = ARENA_ARRAY(f->arena, uint32_t, exits);
    f->exit_gate = ARENA_ARRAY(f->arena, Gate, exits);
    f->latch_fact = ARENA_ARRAY(f->arena, uint32_t, f->loops);
    f->latch_gate = ARENA_ARRAY(f->arena, Gate, f->loops);
    f->ancestor = ARENA_ARRAY(f->arena, uint32_t, count);
    f->fact = ARENA_ARRAY(f->arena, uint32_t, count);
    f->gate = ARENA_ARRAY(f->arena, Gate, count);
    f->join_at = ARENA_ARRAY(f->arena, uint32_t, count);
    f->cases = ARENA_ARRAY(f->arena, uint32_t, count);
    f->way = ARENA_ARRAY(f->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t width = preds_count(&f->preds, (Node){n});
        const Instr *instr = &f->func->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++)
            f->way[instr_succs(f->func, instr)[k].i] = k;
        f->ancestor[n] = f->cases[n] = NO_ID;
        f->join_at[n] = joins;
        if (width > 1 && !loop_nest_is_header(&f->loop_nest, (Node){n})) joins += width;
    }
    if (joins) (void)vec_extend(f->arena, &f->hint->joins, joins);
    f->join_gate = ARENA_ARRAY(f->arena, Gate, joins);
}

bool forest_init(GateForest *f, Arena *arena, const Func *func, Gsa *gsa, GatePaths *hint) {
    *f = (GateForest){.arena = arena, .func = func, .gsa = gsa, .hint = hint};
    f->preds = preds_of(arena, func);
    f->dom = dominance_of(arena, func, &f->preds);
    f->loop_nest = loop_nest_of(arena, func, &f->preds, &f->dom);
    if (!is_normal(f)) return false;
    find_children(f);
    find_exits(f);
    prepare(f);
    return true;
}

void forest_init_again(GateForest *f, const GateForest *other, GatePaths *hint) {
    *f = *other;
    f->hint = hint;
    f->decisions = NULL;
    f->path.count = f->path.capacity = 0;
    prepare(f);
}
