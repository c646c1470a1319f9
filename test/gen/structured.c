// Structured control flow, one step at a time: the constructs that are open lie on a stack, and
// each step emits a statement, opens a construct, ends a part of the innermost one, or jumps out.
// So there is no recursion, and a construct is as long as chance wants it.
//
// Loops count: each level of nesting has a counter of its own, which no statement touches. The
// counters are defined at the entry, so that a goto into a loop finds a value. Jumps back by goto
// draw from one more counter.
#include "test/gen/control.h"

typedef enum { AN_IF, A_WHILE, A_DO, A_SWITCH } ConstructKind;

typedef struct {
    ConstructKind kind;
    Label next;     // AN_IF: the else part. A_SWITCH: the next arm; more arms follow it in number
    uint32_t parts; // AN_IF, A_SWITCH: how many parts are to come
    Label again;    // loops: where continue leads
    Label start;    // A_DO: first node of the body
    Label end;
    Reg counter; // loops
} Construct;

typedef struct {
    Body *body;
    StructuredOptions options;
    VEC(Construct) open;
    VEC(Reg) counters; // one per level
    VEC(Label) places; // bound, for gotos back
    VEC(Label) ahead;  // not yet bound, for gotos forward
    Reg gas;           // left for gotos back
} Structured;

static bool chance(Structured *s, uint32_t part, uint32_t whole) {
    return random_chance(&s->body->random, part, whole);
}

static Construct *innermost(Structured *s) {
    return &s->open.at[s->open.count - 1];
}

// ---- Opening

static void open_if(Structured *s, Construct *c) {
    c->parts = chance(s, 1, 2) ? 1 : 0;
    c->next = c->parts ? body_label(s->body) : c->end;
    if (chance(s, 1, 2))
        body_branch(s->body, NEXT, c->next);
    else
        body_branch(s->body, c->next, NEXT);
}

static void open_while(Structured *s, Construct *c) {
    Body *body = s->body;
    if (!s->options.unbounded) body_const(body, c->counter, random_range(&body->random, 0, 4));
    c->again = body_here(body);
    if (s->options.unbounded) {
        body_branch(body, NEXT, c->end);
        return;
    }
    body_branch_immediate(body, OP_GT_I32, c->counter, 0, NEXT, c->end);
    body_op_immediate(body, OP_SUB_I32, c->counter, c->counter, 1);
    if (chance(s, 1, 3)) body_branch(body, NEXT, c->end);
}

static void open_do(Structured *s, Construct *c) {
    Body *body = s->body;
    if (!s->options.unbounded) body_const(body, c->counter, random_range(&body->random, 1, 4));
    c->start = body_here(body);
    c->again = body_label(body);
}

static void open_switch(Structured *s, Construct *c) {
    Body *body = s->body;
    uint32_t arms = random_range(&body->random, 1, 6), count = random_range(&body->random, 1, 12);
    Label to[13];
    c->next = body_label(body);
    for (uint32_t i = 1; i < arms; i++) body_label(body);
    to[0] = chance(s, 1, 2) ? c->end : (Label){c->next.i + random_below(&body->random, arms)};
    for (uint32_t i = 1; i <= count; i++) {
        // Every arm is some case's; a case more than there are arms may share one, or lead out.
        uint32_t arm = i <= arms ? i - 1 : random_below(&body->random, arms + 1);
        to[i] = arm < arms ? (Label){c->next.i + arm} : c->end;
    }
    body_switch(body, to, count + 1);
    c->parts = arms - 1;
    body_bind(body, c->next);
    c->next.i++;
}

static void open_construct(Structured *s) {
    uint32_t at = random_below(&s->body->random, 100);
    Construct c = {.kind = at < 45   ? AN_IF
                           : at < 67 ? A_WHILE
                           : at < 87 ? A_DO
                                     : A_SWITCH,
                   .end = body_label(s->body),
                   .counter = s->counters.at[s->open.count]};
    switch (c.kind) {
    case AN_IF: open_if(s, &c); break;
    case A_WHILE: open_while(s, &c); break;
    case A_DO: open_do(s, &c); break;
    case A_SWITCH: open_switch(s, &c); break;
    }
    vec_push(s->body->func->arena, &s->open, c);
}

// ---- Closing

static void close_do(Structured *s, const Construct *c) {
    Body *body = s->body;
    body_bind(body, c->again);
    if (s->options.unbounded) {
        body_branch(body, c->start, NEXT);
        return;
    }
    if (chance(s, 1, 3)) body_branch(body, NEXT, c->end);
    body_op_immediate(body, OP_SUB_I32, c->counter, c->counter, 1);
    body_branch_immediate(body, OP_GT_I32, c->counter, 0, c->start, NEXT);
}

// Ends the part of the innermost construct that is being emitted, and the construct with its last.
static void advance(Structured *s) {
    Body *body = s->body;
    Construct *c = innermost(s);
    if (c->parts) { // an else part or another arm
        if (c->kind == AN_IF || chance(s, 3, 4)) body_jump(body, c->end);
        body_bind(body, c->next);
        c->next.i = c->kind == AN_IF ? NO_ID : c->next.i + 1;
        c->parts--;
        return;
    }
    if (c->kind == A_WHILE) body_jump(body, c->again);
    if (c->kind == A_DO) close_do(s, c);
    body_bind(body, c->end);
    s->open.count--;
}

// ---- Jumps

static bool is_loop(const Construct *c) {
    return c->kind == A_WHILE || c->kind == A_DO;
}

// Somewhere outside of the innermost parts: the end of an open construct, or the next round of a
// loop.
static Label way_out(Structured *s) {
    uint32_t levels = chance(s, 2, 3) ? 0 : random_below(&s->body->random, s->open.count);
    const Construct *c = &s->open.at[s->open.count - 1 - levels];
    return is_loop(c) && chance(s, 1, 3) ? c->again : c->end;
}

static void leave(Structured *s) {
    if (s->body->options.ends && chance(s, 1, 2) && (s->open.count || chance(s, 1, 4))) {
        body_stop(s->body);
        if (s->body->dead && s->open.count && chance(s, 9, 10)) advance(s);
    } else if (chance(s, 1, 30)) {
        Label on = body_label(s->body);
        body_branch(s->body, on, NEXT);
        body_return(s->body);
        body_bind(s->body, on);
    } else if (!s->open.count) {
        body_statement(s->body);
    } else if (chance(s, 3, 4)) {
        body_branch(s->body, way_out(s), NEXT);
    } else {
        body_jump(s->body, way_out(s));
        if (chance(s, 9, 10)) advance(s); // else dead code follows
    }
}

static void goto_back(Structured *s) {
    Label to = s->places.at[random_below(&s->body->random, s->places.count)];
    if (s->options.unbounded) {
        body_branch(s->body, to, NEXT);
        return;
    }
    body_op_immediate(s->body, OP_SUB_I32, s->gas, s->gas, 1);
    body_branch_immediate(s->body, OP_GT_I32, s->gas, 0, to, NEXT);
}

static void goto_somewhere(Structured *s) {
    Arena *arena = s->body->func->arena;
    uint32_t at = random_below(&s->body->random, 4);
    if (at == 0) {
        Label here = body_here(s->body);
        vec_push(arena, &s->places, here);
    } else if (at == 1 && s->places.count) {
        goto_back(s);
    } else if (at == 2) {
        Label to = body_label(s->body);
        vec_push(arena, &s->ahead, to);
        body_branch(s->body, to, NEXT);
    } else if (s->ahead.count) {
        uint32_t which = random_below(&s->body->random, s->ahead.count);
        body_bind(s->body, s->ahead.at[which]);
        s->ahead.at[which] = s->ahead.at[s->ahead.count - 1];
        s->ahead.count--;
    }
}

// ---- All of it

static void step(Structured *s) {
    uint32_t at = random_below(&s->body->random, 100);
    if (at < 14 && s->open.count < s->options.max_depth)
        open_construct(s);
    else if (at < 31 && s->open.count)
        advance(s);
    else if (at < 35)
        leave(s);
    else if (at < 47 && s->options.gotos)
        goto_somewhere(s);
    else
        body_statement(s->body);
}

void emit_structured(Body *body, const StructuredOptions *options) {
    Structured s = {.body = body, .options = *options};
    for (uint32_t i = 0; i < options->max_depth; i++) {
        Reg counter = func_temp(body->func, TYPE_I32);
        vec_push(body->func->arena, &s.counters, counter);
        if (options->gotos) body_const(body, counter, 1);
    }
    s.gas = func_temp(body->func, TYPE_I32);
    if (options->gotos) body_const(body, s.gas, random_range(&body->random, 5, 60));
    while (body_count(body) < options->nodes) step(&s);
    while (s.open.count) advance(&s);
    while (s.ahead.count) body_bind(body, vec_pop(&s.ahead));
}
