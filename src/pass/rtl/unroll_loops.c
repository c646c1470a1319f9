// Unrolls loops that run for a few rounds, the number of which is known: each round gets a copy of
// the body for itself. The tests of the copies stay for the Sea of Nodes to decide, which knows the
// counters of each copy; so indexes of arrays become constants.
//
// Inner loops come first. A loop is unrolled if all its rounds together do little, and if the loops
// in it are. The original body is the first round; the last round leads back to itself, which the
// Sea of Nodes finds out never to happen.
#include "pass/pass.h"

#include "analysis/loop_rounds.h"

enum {
    MOST_ROUNDS = 16,
    LARGEST = 400,   // nodes of a body; a larger body is not looked at
    MOST_GROWTH = 2, // times the function may grow, and
    MORE_NODES = 1000,
};

typedef struct {
    bool calls;     // it has calls
    bool stays;     // a loop in it stays
    uint32_t work;  // of all loops in it, unrolled
    NodeList nodes; // of the loop and of all loops in it, unrolled
} UnrolledLoop;

typedef struct {
    Arena *arena;
    const Func *func;
    Graph graph;
    LoopForest forest;
    LoopRounds rounds;
    UnrolledLoop *loops;
    uint32_t size, limit; // nodes with all copies, and the most of them
    Func *result;
    CopiesHint *hint;
    VEC(uint32_t) twin; // of a node in the round that is copied: its copy; NO_ID for others
} UnrollLoops;

static bool has_backward_edge(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Node *succs = instr_succs(func, &func->nodes.at[n]);
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++)
            if (succs[k].i <= n) return true;
    }
    return false;
}

// ---- Loops to unroll

static void gather_nodes(UnrollLoops *u, uint32_t loop) {
    const uint32_t *body = loop_body(&u->forest, loop);
    UnrolledLoop *it = &u->loops[loop];
    for (uint32_t i = 0; i < loop_size(&u->forest, loop); i++) {
        if (u->forest.innermost[body[i]] != loop) continue;
        vec_push(u->arena, &it->nodes, body[i]);
        it->calls |= u->func->nodes.at[body[i]].kind == I_CALL;
    }
}

// What becomes of a loop whose inner loops have their answers. What only an explanation needs is
// left out if nobody asks for one.
static UnrollAnswer answer_of(UnrollLoops *u, uint32_t loop, bool explains) {
    UnrolledLoop *it = &u->loops[loop];
    UnrollAnswer answer = {.kind = UNROLL_NOT_KNOWN};
    if ((it->stays && !explains) || loop_size(&u->forest, loop) > LARGEST) return answer;
    gather_nodes(u, loop);
    if (it->calls && !explains) return answer;
    if (!u->rounds.func) u->rounds = loop_rounds_begin(u->arena, u->func, &u->graph, &u->forest);
    RoundsAnswer rounds = loop_rounds_of(&u->rounds, loop, MOST_ROUNDS);
    if (!rounds.count) return answer;
    it->work = rounds.count * (rounds.work + it->work);
    answer.rounds = rounds.count;
    answer.work = it->work;
    uint32_t growth = (rounds.count - 1) * it->nodes.count;
    answer.kind = it->calls                     ? UNROLL_CALLS
                  : it->stays                   ? UNROLL_INNER
                  : it->work > UNROLL_MOST_WORK ? UNROLL_WORK
                  : u->size + growth > u->limit ? UNROLL_BUDGET
                                                : UNROLL_DONE;
    if (answer.kind == UNROLL_DONE) u->size += growth;
    return answer;
}

// ---- Copies

static Node twin_of(const UnrollLoops *u, Node node) {
    uint32_t twin = node.i < u->twin.count ? u->twin.at[node.i] : NO_ID;
    return twin == NO_ID ? node : (Node){twin};
}

static void lead(UnrollLoops *u, uint32_t node, Node from, Node to) {
    const Instr *instr = &u->result->nodes.at[node];
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (instr_succs(u->result, instr)[k].i == from.i)
            func_set_succ(u->result, (Node){node}, k, to);
}

// Another round behind one that leads back to itself; its nodes take the place of that one's.
static void add_round(UnrollLoops *u, uint32_t *round, uint32_t count, Node *header) {
    while (u->twin.count < u->result->nodes.count) vec_push(u->arena, &u->twin, NO_ID);
    for (uint32_t i = 0; i < count; i++) {
        u->twin.at[round[i]] = func_duplicate(u->result, (Node){round[i]}).i;
        Node old = u->hint->old.at[round[i]];
        vec_push(u->arena, &u->hint->old, old);
    }
    Node next = twin_of(u, *header);
    for (uint32_t i = 0; i < count; i++) {
        Node copy = twin_of(u, (Node){round[i]});
        for (uint32_t k = 0; k < u->result->nodes.at[copy.i].succ_count; k++) {
            Node succ = instr_succs(u->result, func_at(u->result, copy))[k];
            func_set_succ(u->result, copy, k, twin_of(u, succ));
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        lead(u, round[i], *header, next);
        uint32_t copy = u->twin.at[round[i]];
        u->twin.at[round[i]] = NO_ID;
        round[i] = copy;
    }
    *header = next;
}

static void unroll(UnrollLoops *u, uint32_t loop, uint32_t rounds) {
    UnrolledLoop *it = &u->loops[loop];
    Node header = {u->forest.loops[loop].header};
    uint32_t count = it->nodes.count;
    uint32_t *round = arena_copy(u->arena, it->nodes.at, count * sizeof *round);
    if (rounds > 1 && !u->result) u->result = func_clone(u->func, u->arena);
    for (uint32_t k = 1; k < rounds; k++) {
        add_round(u, round, count, &header);
        for (uint32_t i = 0; i < count; i++) vec_push(u->arena, &it->nodes, round[i]);
    }
}

static void add_to_parent(UnrollLoops *u, uint32_t loop, bool unrolled) {
    uint32_t parent = u->forest.loops[loop].parent;
    if (parent == NO_ID) return;
    UnrolledLoop *inner = &u->loops[loop], *outer = &u->loops[parent];
    outer->stays |= !unrolled;
    outer->work += inner->work;
    for (uint32_t i = 0; unrolled && i < inner->nodes.count; i++)
        vec_push(u->arena, &outer->nodes, inner->nodes.at[i]);
}

static bool begin(UnrollLoops *u) {
    if (!has_backward_edge(u->func)) return false;
    u->graph = graph_of(u->arena, u->func);
    u->forest = loops_of(u->arena, &u->graph);
    u->loops = ARENA_ARRAY(u->arena, UnrolledLoop, u->forest.count);
    u->size = u->func->nodes.count;
    u->limit = MOST_GROWTH * u->size + MORE_NODES;
    return true;
}

bool unroll_loops_would(Arena *arena, const Func *func) {
    UnrollLoops u = {.arena = arena, .func = func};
    if (!begin(&u)) return false;
    for (uint32_t loop = u.forest.count; loop-- > 0;) {
        UnrollAnswer answer = answer_of(&u, loop, false);
        if (answer.kind == UNROLL_DONE && answer.rounds > 1) return true;
        add_to_parent(&u, loop, answer.kind == UNROLL_DONE);
    }
    return false;
}

// A branch that leaves a loop; NO_NODE if there is none.
static Node test_of(const UnrollLoops *u, uint32_t loop) {
    const uint32_t *body = loop_body(&u->forest, loop);
    for (uint32_t i = 0; i < loop_size(&u->forest, loop); i++) {
        const Instr *instr = &u->func->nodes.at[body[i]];
        if (instr->kind == I_COND && (!loop_contains(&u->forest, loop, instr->succ[0].i) ||
                                      !loop_contains(&u->forest, loop, instr->succ[1].i)))
            return (Node){body[i]};
    }
    return NO_NODE;
}

UnrollAnswer *unroll_answers(Arena *arena, const Func *func) {
    UnrollLoops u = {.arena = arena, .func = func};
    UnrollAnswer *answers = ARENA_ARRAY(arena, UnrollAnswer, func->nodes.count);
    if (!begin(&u)) return answers;
    for (uint32_t loop = u.forest.count; loop-- > 0;) {
        UnrollAnswer answer = answer_of(&u, loop, true);
        Node test = test_of(&u, loop);
        if (test.i != NO_ID) answers[test.i] = answer;
        add_to_parent(&u, loop, answer.kind == UNROLL_DONE);
    }
    return answers;
}

Func *unroll_loops(Arena *arena, const Func *func, CopiesHint *hint) {
    UnrollLoops u = {.arena = arena, .func = func, .hint = hint};
    if (!begin(&u)) return NULL;
    for (uint32_t n = 0; n < func->nodes.count; n++) vec_push(arena, &hint->old, (Node){n});
    for (uint32_t loop = u.forest.count; loop-- > 0;) {
        UnrollAnswer answer = answer_of(&u, loop, false);
        if (answer.kind == UNROLL_DONE) unroll(&u, loop, answer.rounds);
        add_to_parent(&u, loop, answer.kind == UNROLL_DONE);
    }
    if (u.result) vec_clear(&u.result->labels);
    return u.result;
}
