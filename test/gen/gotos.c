// Unstructured control flow: first the statements are laid out, with branches that do not yet know
// where to; then targets are chosen among the first nodes of statements.
//
// To stay reducible, the layout is covered with nested intervals, the loops. A jump back goes to
// the first statement of an interval around it; a jump forward that would land inside an interval
// from outside lands on its first statement instead. Otherwise both go anywhere. Loops are then
// common, and one of them may hold most of the function; a limit on regions keeps them apart.
#include "test/gen/control.h"

typedef struct {
    uint32_t statement; // that the branch belongs to
    Label label;        // to be bound
    bool back;
} Jump;

typedef struct {
    uint32_t first, last; // statements
    uint32_t outer;       // interval around it, or NO_ID
} Interval;

typedef struct {
    Body *body;
    GotoOptions options;
    VEC(uint32_t) starts; // first node of each statement
    VEC(Jump) jumps;
    VEC(Interval) intervals;
    uint32_t *interval_of; // innermost interval of each statement, or NO_ID
    Reg gas;               // left for jumps back
} Gotos;

enum { MAX_NESTING = 6, MAX_SUCCS = 8 };

// ---- Layout

static Label add_jump(Gotos *g, bool back) {
    Label label = body_label(g->body);
    vec_push(g->body->func->arena, &g->jumps,
             (Jump){.statement = g->starts.count - 1, .label = label, .back = back});
    return label;
}

static void jump_back(Gotos *g) {
    if (g->options.unbounded) {
        body_branch(g->body, add_jump(g, true), NEXT);
        return;
    }
    body_op_immediate(g->body, OP_SUB_I32, g->gas, g->gas, 1);
    body_branch_immediate(g->body, OP_GT_I32, g->gas, 0, add_jump(g, true), NEXT);
}

static void branch_statement(Gotos *g) {
    Random *random = &g->body->random;
    uint32_t at = random_below(random, 100);
    if (g->body->options.ends && random_chance(random, 1, 10)) {
        body_stop(g->body);
    } else if (at < 45) {
        body_branch(g->body, add_jump(g, false), NEXT);
    } else if (at < 60) {
        Label then = add_jump(g, false);
        body_branch(g->body, then, add_jump(g, false));
    } else if (at < 82) {
        jump_back(g);
    } else if (at < 90) {
        body_statement(g->body);
        body_jump(g->body, add_jump(g, false));
    } else if (at < 98) {
        Label to[MAX_SUCCS];
        uint32_t count = random_range(random, 2, MAX_SUCCS);
        for (uint32_t i = 0; i < count; i++) to[i] = add_jump(g, false);
        if (random_chance(random, 1, 2)) to[0] = NEXT;
        body_switch(g->body, to, count);
    } else {
        Label on = add_jump(g, false);
        body_branch(g->body, on, NEXT);
        body_return(g->body);
    }
}

// What comes next may be the target of a jump.
static void begin_statement(Gotos *g) {
    body_here(g->body);
    vec_push(g->body->func->arena, &g->starts, body_count(g->body));
}

static void lay_out(Gotos *g) {
    while (body_count(g->body) < g->options.nodes) {
        begin_statement(g);
        if (random_chance(&g->body->random, g->options.branches, 100))
            branch_statement(g);
        else
            body_statement(g->body);
    }
    begin_statement(g);
    body_return(g->body);
}

// ---- Intervals

static void find_intervals(Gotos *g) {
    Arena *arena = g->body->func->arena;
    Random *random = &g->body->random;
    g->interval_of = ARENA_ARRAY(arena, uint32_t, g->starts.count);
    uint32_t current = NO_ID, depth = 0;
    for (uint32_t i = 0; i < g->starts.count; i++) {
        while (current != NO_ID && g->intervals.at[current].last < i) {
            current = g->intervals.at[current].outer;
            depth--;
        }
        if (depth < MAX_NESTING && random_chance(random, 1, 6)) {
            uint32_t room =
                (current == NO_ID ? g->starts.count - 1 : g->intervals.at[current].last) - i;
            uint32_t limit =
                g->options.region && room > g->options.region ? g->options.region : room;
            uint32_t length =
                random_below(random, limit / (random_chance(random, 1, 2) ? 1 : 4) + 1);
            vec_push(arena, &g->intervals,
                     (Interval){.first = i, .last = i + length, .outer = current});
            current = g->intervals.count - 1;
            depth++;
        }
        g->interval_of[i] = current;
    }
}

static bool contains(const Interval *interval, uint32_t statement) {
    return interval->first <= statement && statement <= interval->last;
}

// ---- Targets

static uint32_t forward_target(Gotos *g, uint32_t from) {
    uint32_t last = g->starts.count - 1;
    uint32_t room = last - from, near = g->options.region ? g->options.region / 4 + 1 : 16;
    if (room > near && random_chance(&g->body->random, 4, 5)) room = near;
    if (g->options.region && room > 4 * g->options.region) room = 4 * g->options.region;
    uint32_t to = from + random_range(&g->body->random, 1, room);
    if (!g->options.reducible) return to;
    for (uint32_t i = g->interval_of[to]; i != NO_ID; i = g->intervals.at[i].outer) {
        if (contains(&g->intervals.at[i], from)) break;
        to = g->intervals.at[i].first;
    }
    return to;
}

// NO_ID if there is nowhere to go back to.
static uint32_t back_target(Gotos *g, uint32_t from) {
    if (!g->options.reducible) {
        uint32_t low = g->options.region ? from - from % g->options.region : 0;
        return random_range(&g->body->random, low, from);
    }
    uint32_t at = g->interval_of[from];
    while (at != NO_ID && g->intervals.at[at].outer != NO_ID &&
           random_chance(&g->body->random, 1, 3))
        at = g->intervals.at[at].outer;
    return at == NO_ID ? NO_ID : g->intervals.at[at].first;
}

static void choose_target(Gotos *g, const Jump *jump) {
    uint32_t to = jump->back ? back_target(g, jump->statement) : NO_ID;
    if (to == NO_ID) to = forward_target(g, jump->statement);
    body_bind_at(g->body, jump->label, (Node){g->starts.at[to]});
}

void emit_gotos(Body *body, const GotoOptions *options) {
    Gotos g = {.body = body, .options = *options};
    g.gas = func_temp(body->func, TYPE_I32);
    if (!options->unbounded) body_const(body, g.gas, random_range(&body->random, 5, 100));
    lay_out(&g);
    if (options->reducible) find_intervals(&g);
    for (uint32_t i = 0; i < g.jumps.count; i++) choose_target(&g, &g.jumps.at[i]);
}
