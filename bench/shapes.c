// Variables are declared near their use and go out of use with their scope, as in C: were they all
// defined at the entry, the sets of live registers would grow with the square of the size for no
// other reason than the generator.
#include "bench/shapes.h"

#include "test/gen/body.h"
#include "test/gen/control.h"

enum { VARIABLES = 24, LOOP_DEPTH = 10, DEEP = 1000, EXIT_DEPTH = 4, CASE_NODES = 12 };

static const char *const names[SHAPE_COUNT] = {
    [SHAPE_STRAIGHT] = "straight", [SHAPE_LOOPS] = "loops",       [SHAPE_DEEP] = "deep",
    [SHAPE_SWITCH] = "switch",     [SHAPE_CHAIN] = "chain",       [SHAPE_GOTOS] = "gotos",
    [SHAPE_EXITS] = "exits",       [SHAPE_DIAMONDS] = "diamonds", [SHAPE_LIVE] = "live",
    [SHAPE_PHIS] = "phis",         [SHAPE_REPEAT] = "repeat",     [SHAPE_BREAKS] = "breaks",
    [SHAPE_LADDER] = "ladder",
};

const char *shape_name(Shape shape) {
    return names[shape];
}

// Statements until the function has that many nodes, with a new variable now and then.
static void emit_until(Body *body, uint64_t end) {
    while (body_count(body) < end)
        if (random_chance(&body->random, 1, 6))
            body_renew(body);
        else
            body_statement(body);
}

static void emit_code(Body *body, uint32_t nodes) {
    emit_until(body, (uint64_t)body_count(body) + nodes);
}

static void emit_block(Body *body, uint32_t nodes) {
    uint32_t scope = body_enter_scope(body);
    emit_code(body, nodes);
    body_leave_scope(body, scope);
}

// ---- Loops

typedef struct {
    Reg counter;
    Label head, end;
    uint32_t scope;
} Loop;

static Loop open_loop(Body *body) {
    Loop loop = {.counter = func_temp(body->func, TYPE_I32), .scope = body_enter_scope(body)};
    body_const(body, loop.counter, 0);
    loop.head = body_here(body);
    loop.end = body_label(body);
    body_branch_immediate(body, OP_LT_I32, loop.counter, 100, NEXT, loop.end);
    return loop;
}

static void close_loop(Body *body, const Loop *loop) {
    body_op_immediate(body, OP_ADD_I32, loop->counter, loop->counter, 1);
    body_jump(body, loop->head);
    body_bind(body, loop->end);
    body_leave_scope(body, loop->scope);
}

// A nest of loops with code before and after each inner loop; with exits, also branches out of it.
static void emit_nest(Body *body, Loop *loops, uint32_t depth, uint32_t nodes, bool exits) {
    uint64_t start = body_count(body), parts = 2 * (uint64_t)depth;
    for (uint32_t d = 0; d < depth; d++) {
        loops[d] = open_loop(body);
        emit_until(body, start + (uint64_t)nodes * (d + 1) / parts);
        if (exits) body_branch(body, loops[random_below(&body->random, d + 1)].end, NEXT);
    }
    for (uint32_t d = depth; d-- > 0;) {
        if (exits) body_branch(body, loops[random_below(&body->random, d + 1)].end, NEXT);
        emit_until(body, start + nodes * (parts - d) / parts);
        close_loop(body, &loops[d]);
    }
}

static void emit_nests(Body *body, uint32_t nodes, uint32_t depth, uint32_t nest, bool exits) {
    Loop *loops = ARENA_ARRAY(body->func->arena, Loop, depth);
    while (body_count(body) < nodes) {
        emit_nest(body, loops, depth, nest, exits);
        emit_code(body, 2);
        if (!exits) continue;
        Label on = body_label(body);
        body_branch(body, on, NEXT);
        body_return(body);
        body_bind(body, on);
    }
}

static void emit_deep(Body *body, uint32_t nodes) {
    uint32_t depth = nodes / 10 + 1 < DEEP ? nodes / 10 + 1 : DEEP;
    emit_nest(body, ARENA_ARRAY(body->func->arena, Loop, depth), depth, nodes, false);
}

// ---- Branches

static void emit_switch(Body *body, uint32_t nodes) {
    Arena *arena = body->func->arena;
    Loop loop = open_loop(body);
    Label end = body_label(body);
    uint32_t count = nodes / CASE_NODES + 2;
    Label *to = ARENA_ARRAY(arena, Label, count);
    for (uint32_t i = 0; i < count; i++) to[i] = i ? body_label(body) : end;
    body_switch(body, to, count);
    for (uint32_t i = 1; i < count; i++) {
        body_bind(body, to[i]);
        emit_block(body, CASE_NODES - 2);
        if (random_chance(&body->random, 9, 10)) body_jump(body, end);
    }
    body_bind(body, end);
    close_loop(body, &loop);
}

static void emit_chain(Body *body, uint32_t nodes) {
    Label end = body_label(body);
    while (body_count(body) < nodes) {
        Label next = body_label(body);
        body_branch(body, NEXT, next);
        emit_block(body, 6);
        body_jump(body, end);
        body_bind(body, next);
    }
    body_bind(body, end);
}

static void emit_diamonds(Body *body, uint32_t nodes) {
    while (body_count(body) < nodes) {
        Label otherwise = body_label(body), end = body_label(body);
        emit_code(body, 2);
        body_branch(body, NEXT, otherwise);
        emit_block(body, 4);
        body_jump(body, end);
        body_bind(body, otherwise);
        emit_block(body, 4);
        body_bind(body, end);
    }
}

// ---- What makes SSA form large

static void emit_live(Body *body, uint32_t nodes) {
    Reg everywhere = func_temp(body->func, TYPE_I32), somewhere = func_temp(body->func, TYPE_I32);
    body_const(body, everywhere, 1);
    while (body_count(body) < nodes) {
        Label otherwise = body_label(body), end = body_label(body);
        body_branch(body, NEXT, otherwise);
        body_const(body, somewhere, 2);
        body_jump(body, end);
        body_bind(body, otherwise);
        body_const(body, somewhere, 3);
        body_bind(body, end);
    }
    body_op_immediate(body, OP_ADD_I32, somewhere, everywhere, 1);
}

static void emit_phis(Body *body, uint32_t nodes) {
    uint32_t count = nodes / 3 + 1;
    Reg first = func_temp(body->func, TYPE_I32);
    for (uint32_t i = 1; i < count; i++) func_temp(body->func, TYPE_I32);
    Label otherwise = body_label(body), end = body_label(body);
    body_branch(body, NEXT, otherwise);
    for (uint32_t i = 0; i < count; i++) body_const(body, (Reg){first.i + i}, i);
    body_jump(body, end);
    body_bind(body, otherwise);
    for (uint32_t i = 0; i < count; i++) body_const(body, (Reg){first.i + i}, -(int64_t)i);
    body_bind(body, end);
    for (uint32_t i = 0; i < count; i++)
        body_op_immediate(body, OP_ADD_I32, first, (Reg){first.i + i}, 1);
}

static void emit_repeat(Body *body, uint32_t nodes) {
    uint32_t depth = nodes / 10 + 1 < DEEP ? nodes / 10 + 1 : DEEP;
    uint64_t start = body_count(body), parts = 2 * (uint64_t)depth;
    Label *heads = ARENA_ARRAY(body->func->arena, Label, depth);
    for (uint32_t d = 0; d < depth; d++) {
        heads[d] = body_here(body);
        emit_until(body, start + (uint64_t)nodes * (d + 1) / parts);
    }
    for (uint32_t d = depth; d-- > 0;) {
        emit_until(body, start + nodes * (parts - d) / parts);
        body_branch(body, heads[d], NEXT);
    }
}

// ---- Jumps

static void emit_breaks(Body *body, uint32_t nodes) {
    uint64_t end = body_count(body) + nodes;
    Loop loop = open_loop(body);
    while (body_count(body) < end) {
        emit_code(body, 10);
        if (random_chance(&body->random, 3, 4)) {
            body_branch(body, loop.end, NEXT);
            continue;
        }
        Label on = body_label(body);
        body_branch(body, NEXT, on);
        body_return(body);
        body_bind(body, on);
    }
    close_loop(body, &loop);
}

// Each rung is two blocks, either of which goes on to either block of the next rung.
static void emit_ladder(Body *body, uint32_t nodes) {
    Label left = body_label(body), right = body_label(body);
    body_branch(body, left, right);
    while (body_count(body) < nodes) {
        Label next_left = body_label(body), next_right = body_label(body);
        body_bind(body, left);
        emit_block(body, 4);
        body_branch(body, next_left, next_right);
        body_bind(body, right);
        emit_block(body, 4);
        body_branch(body, next_right, next_left);
        left = next_left;
        right = next_right;
    }
    body_bind(body, left);
    body_bind(body, right);
}

// ---- All shapes

static Body begin(Arena *arena, Program *program, Shape shape, uint64_t seed) {
    Body body = body_begin(arena, program, (BodyOptions){.name = names[shape], .seed = seed});
    body_add_variables(&body, VARIABLES, 0);
    body_clear_slots(&body, 0);
    return body;
}

static uint32_t room(const Body *body, uint32_t nodes) {
    return nodes > body_count(body) ? nodes - body_count(body) : 1;
}

Func *shape_loops(Arena *arena, Program *program, uint32_t nodes, uint32_t depth, uint64_t seed) {
    Body body = begin(arena, program, SHAPE_LOOPS, seed);
    emit_nests(&body, nodes, depth, 12 * depth, false);
    return body_end(&body);
}

Func *shape_func(Arena *arena, Program *program, Shape shape, uint32_t nodes, uint64_t seed) {
    Body body = begin(arena, program, shape, seed);
    switch (shape) {
    case SHAPE_STRAIGHT: emit_code(&body, room(&body, nodes)); break;
    case SHAPE_LOOPS: emit_nests(&body, nodes, LOOP_DEPTH, 12 * LOOP_DEPTH, false); break;
    case SHAPE_DEEP: emit_deep(&body, room(&body, nodes)); break;
    case SHAPE_SWITCH: emit_switch(&body, room(&body, nodes)); break;
    case SHAPE_CHAIN: emit_chain(&body, nodes); break;
    case SHAPE_GOTOS:
        emit_gotos(&body, &(GotoOptions){.nodes = nodes, .branches = 25, .region = 40});
        break;
    case SHAPE_EXITS: emit_nests(&body, nodes, EXIT_DEPTH, 12 * EXIT_DEPTH, true); break;
    case SHAPE_DIAMONDS: emit_diamonds(&body, nodes); break;
    case SHAPE_LIVE: emit_live(&body, nodes); break;
    case SHAPE_PHIS: emit_phis(&body, room(&body, nodes)); break;
    case SHAPE_REPEAT: emit_repeat(&body, room(&body, nodes)); break;
    case SHAPE_BREAKS: emit_breaks(&body, room(&body, nodes)); break;
    case SHAPE_LADDER: emit_ladder(&body, nodes); break;
    case SHAPE_COUNT: break;
    }
    return body_end(&body);
}
