// `while (c) body` becomes `if (c) do body while (c)`: the test at the top of a loop is copied in
// front of the loop; the original is then reached from the end of the loop only. So a round has one
// branch less, and the beginning of the body is executed whenever the loop is entered, so that
// loads there may move in front of the loop.
//
// The test is the run of nodes from the header to a branch of which one way leaves the loop. Nodes
// keep their numbers; the copies come behind them.
#include "pass/pass.h"

#include "analysis/loops.h"
#include "fact/effects.h"

enum { LONGEST_TEST = 12 }; // nodes

typedef struct {
    Arena *arena;
    const Func *func;
    Graph graph;
    LoopForest forest;
    uint32_t *copy_of_header; // loop -> the first node of its copied test, or NO_ID
    VEC(uint32_t) around;     // for each copy: the loop in which it lies, or NO_ID
    Func *result;
    CopiesHint *hint;
} InvertLoops;

static bool contains(const InvertLoops *state, uint32_t loop, uint32_t node) {
    return loop_contains(&state->forest, loop, node);
}

// Whether the branch at the end of a test leaves the loop one way, and goes on in it the other.
static bool is_exit_test(const InvertLoops *state, uint32_t loop, const Instr *instr) {
    if (instr->kind != I_COND) return false;
    bool stays = contains(state, loop, instr->succ[0].i);
    uint32_t inside = instr->succ[stays ? 0 : 1].i, outside = instr->succ[stays ? 1 : 0].i;
    return contains(state, loop, inside) && !contains(state, loop, outside) &&
           inside != state->forest.loops[loop].header;
}

// How many nodes the test of a loop has; 0 if there is none that can be copied.
static uint32_t test_length(const InvertLoops *state, uint32_t loop) {
    uint32_t node = state->forest.loops[loop].header;
    if (node == 0 || state->forest.loops[loop].irreducible) return 0;
    for (uint32_t length = 1; length <= LONGEST_TEST; length++) {
        const Instr *instr = &state->func->nodes.at[node];
        bool joined = state->graph.pred_at[node + 1] - state->graph.pred_at[node] > 1;
        if ((length > 1 && joined) || state->forest.innermost[node] != loop) return 0;
        if (is_exit_test(state, loop, instr)) return length;
        if (!instr_is_quiet(instr)) return 0;
        node = instr->succ[0].i;
    }
    return 0;
}

static void copy_test(InvertLoops *state, uint32_t loop, uint32_t length) {
    uint32_t node = state->forest.loops[loop].header;
    state->copy_of_header[loop] = state->result->nodes.count;
    for (uint32_t i = 0; i < length; i++) {
        Node copy = func_duplicate(state->result, (Node){node});
        vec_push(state->arena, &state->hint->old, (Node){node});
        vec_push(state->arena, &state->around, state->forest.loops[loop].parent);
        node = state->func->nodes.at[node].succ[0].i;
        if (i + 1 < length) func_set_succ(state->result, copy, 0, (Node){copy.i + 1});
    }
}

// Whether a node, perhaps a copy, lies in a loop.
static bool lies_in(const InvertLoops *state, uint32_t loop, uint32_t node) {
    uint32_t old = state->func->nodes.count;
    if (node < old) return contains(state, loop, node);
    uint32_t around = state->around.at[node - old];
    return around != NO_ID && contains(state, loop, state->forest.loops[around].header);
}

// Edges that enter a loop lead to the copy of its test.
static void redirect(InvertLoops *state, uint32_t node) {
    const Instr *instr = &state->result->nodes.at[node];
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        uint32_t succ = instr_succs(state->result, instr)[k].i;
        if (succ >= state->func->nodes.count) continue;
        uint32_t loop = state->forest.innermost[succ];
        if (loop == NO_ID || state->forest.loops[loop].header != succ ||
            state->copy_of_header[loop] == NO_ID || lies_in(state, loop, node))
            continue;
        func_set_succ(state->result, (Node){node}, k, (Node){state->copy_of_header[loop]});
    }
}

static bool has_backward_edge(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Node *succs = instr_succs(func, &func->nodes.at[n]);
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++)
            if (succs[k].i <= n) return true;
    }
    return false;
}

Func *invert_loops(Arena *arena, const Func *func, CopiesHint *hint) {
    InvertLoops state = {.arena = arena, .func = func, .hint = hint};
    if (!has_backward_edge(func)) return NULL;
    state.graph = graph_of(arena, func);
    state.forest = loops_of(arena, &state.graph);
    state.copy_of_header = graph_table(arena, state.forest.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) vec_push(arena, &hint->old, (Node){n});
    for (uint32_t loop = 0; loop < state.forest.count; loop++) {
        uint32_t length = test_length(&state, loop);
        if (!length) continue;
        if (!state.result) state.result = func_clone(func, arena);
        copy_test(&state, loop, length);
    }
    if (!state.result) return NULL;
    vec_clear(&state.result->labels);
    for (uint32_t n = 0; n < state.result->nodes.count; n++)
        if (graph_reaches(&state.graph, hint->old.at[n].i)) redirect(&state, n);
    return state.result;
}
