// O[[ ]] exactly as section 6.1 of Pop et al. has it: loop environments whose aspects head, body
// and iter collect code, fresh variables for all operands, and code that is generated again for
// each further demand.
//
// Two points are gatecc's own. A gamma is treated as the paper treats operators: all its operands
// are computed first. And before code is made for an identifier, the `loop` identifiers that this
// identifier needs are entered; the paper's rules need this step and do not mention it. Otherwise
// the rules may meet, inside of a loop, an identifier that is in the environment but whose code is
// not complete, and use its value of the previous iteration.
//
// The recursion of the paper is a stack of tasks here. A list of an aspect may be part of several
// loops, and is written out when the tree is made.
#include "imp/imp_values.h"

typedef enum { ASPECT_HEAD, ASPECT_BODY, ASPECT_ITER, ASPECT_COUNT } Aspect;

typedef struct {
    uint32_t loop; // index into Exact.loops; 0 is the fake loop around all
    Aspect aspect;
} AspectPlace;

typedef VEC(uint32_t) CodeList; // indices into Exact.codes

// target := expr; or a loop, whose list is codes[from ..] of `pool`
typedef struct {
    uint32_t stmt;  // a finished statement, but for `next`; of a loop: without its body
    uint32_t first; // of a loop: its body is `bodies`[first .. first + count - 1]
    uint32_t count;
} ExactCode;

typedef enum {
    TASK_NAME,
    TASK_BIND,
    TASK_LOOP,
    TASK_OPERATE,
    TASK_APPEND,
    TASK_CLOSE
} ExactTaskKind;

typedef struct {
    ExactTaskKind kind;
    uint32_t target; // name
    FssaTerm
        term; // BIND: its value; LOOP: its value in all iterations; OPERATE, CLOSE: what it belongs to
    FssaTerm next; // LOOP: the second operand
    AspectPlace place;
    uint32_t args; // OPERATE, CLOSE: first of `fresh`
    uint32_t from; // APPEND: target := from
    Reg reg;       // NAME: to be computed, if it is not in the environment
} ExactTask;

typedef struct {
    ImpMaker maker;
    Arena *arena;
    const Func *func;
    CodeList (*loops)[ASPECT_COUNT];
    VEC(ExactCode) codes;
    VEC(uint32_t) bodies;
    VEC(ExactTask) tasks;
    VEC(uint32_t) fresh; // names of operands
    uint32_t fresh_count[2];
    ImpValues values;      // tell in which loops identifiers change
    bool *in_env;          // of registers
    AspectPlace *place_of; // where its code is
    uint32_t *stamp;       // of registers: the last search that has seen it
    uint32_t searches;
    uint32_t empty; // the name of an empty array, or IMP_NONE
} Exact;

static uint32_t fresh_name(Exact *exact, uint32_t which) {
    return imp_maker_fresh(&exact->maker, which ? "I1" : "I0", &exact->fresh_count[which]);
}

// up[[I, S]]
static void up(Exact *exact, AspectPlace place, ImpStmt stmt) {
    ExactCode code = {.stmt = imp_add_stmt(exact->maker.imp, stmt)};
    vec_push(exact->arena, &exact->codes, code);
    vec_push(exact->arena, &exact->loops[place.loop][place.aspect], exact->codes.count - 1);
}

static void up_assign(Exact *exact, AspectPlace place, uint32_t target, uint32_t value) {
    ImpStmt stmt = imp_stmt(IMP_ASSIGN);
    stmt.name = target;
    stmt.value = value;
    up(exact, place, stmt);
}

static void later(Exact *exact, ExactTask task) {
    vec_push(exact->arena, &exact->tasks, task);
}

// Whether a loop is around a place.
static bool is_around(const Exact *exact, uint32_t loop, AspectPlace place) {
    uint32_t at = place.loop ? place.loop - 1 : NO_ID;
    while (at != NO_ID && at != loop) at = exact->func->fssa->loops.at[at].parent.i;
    return at == loop;
}

// The `loop` identifiers of loops around the place that a term needs, as far as they are not in the
// environment, are computed first. True if there are any.
static bool enter_loops(Exact *exact, FssaTerm root, AspectPlace place) {
    const Func *func = exact->func;
    VEC(FssaTerm) open = {0};
    uint32_t before = exact->tasks.count;
    exact->searches++;
    vec_push(exact->arena, &open, root);
    while (open.count) {
        const FssaTermNode *node = fssa_at(func, vec_pop(&open));
        for (uint32_t i = 0; i < node->arg_count; i++)
            vec_push(exact->arena, &open, fssa_args(func, node)[i]);
        if (node->kind != FT_NAME || exact->in_env[node->reg.i] ||
            exact->stamp[node->reg.i] == exact->searches)
            continue;
        exact->stamp[node->reg.i] = exact->searches;
        FssaTerm definition = imp_maker_definition(&exact->maker, node->reg);
        if (definition.i == NO_ID) continue;
        const FssaTermNode *right = fssa_at(func, definition);
        if (right->kind == FT_LOOP && is_around(exact, right->loop.i, place))
            later(exact, (ExactTask){.kind = TASK_NAME, .reg = node->reg, .place = place});
        else
            vec_push(exact->arena, &open, definition);
    }
    return exact->tasks.count > before;
}

// The code of an identifier, if it is not there yet.
static void bind_identifier(Exact *exact, const ExactTask *task) {
    FssaTerm definition = imp_maker_definition(&exact->maker, task->reg);
    if (exact->in_env[task->reg.i] || definition.i == NO_ID) return;
    bool loop = fssa_at(exact->func, definition)->kind == FT_LOOP;
    later(exact, *task);
    if (!loop && enter_loops(exact, definition, task->place)) return; // then once more
    exact->tasks.count--;
    exact->in_env[task->reg.i] = true;
    exact->place_of[task->reg.i] = task->place;
    later(exact, (ExactTask){.kind = TASK_BIND,
                             .target = imp_maker_reg(&exact->maker, task->reg),
                             .term = definition,
                             .place = task->place});
}

// An identifier that changes in a loop and whose code is in that loop's head keeps its first value.
static bool is_stale(const Exact *exact, Reg reg, AspectPlace place) {
    FssaTerm definition = imp_maker_definition(&exact->maker, reg);
    uint32_t value = exact->values.of_reg[reg.i];
    if (!exact->in_env[reg.i] || definition.i == NO_ID || value == NO_ID ||
        fssa_at(exact->func, definition)->kind == FT_LOOP)
        return false;
    uint32_t level = imp_value_at(&exact->values, imp_value_find(&exact->values, value))->level;
    AspectPlace there = exact->place_of[reg.i];
    return place.loop && level == place.loop - 1 && place.aspect == ASPECT_BODY &&
           there.loop == place.loop && there.aspect == ASPECT_HEAD;
}

// In the head of a loop, an identifier that changes in it and is no `loop`: what defines it stands
// for it, so that its name is left for the body, where it is computed in each iteration. The
// paper's loop_h(E0, E0) does so for operators.
static bool is_head_only(const Exact *exact, Reg reg, AspectPlace place) {
    FssaTerm definition = imp_maker_definition(&exact->maker, reg);
    uint32_t value = exact->values.of_reg[reg.i];
    if (!place.loop || place.aspect != ASPECT_HEAD || definition.i == NO_ID || value == NO_ID ||
        fssa_at(exact->func, definition)->kind == FT_LOOP)
        return false;
    uint32_t level = imp_value_at(&exact->values, imp_value_find(&exact->values, value))->level;
    return level == place.loop - 1;
}

// O[[I, I']]
static void bind_name(Exact *exact, const ExactTask *task, Reg reg) {
    if (is_head_only(exact, reg, task->place)) {
        FssaTerm definition = imp_maker_definition(&exact->maker, reg);
        later(exact, *task);
        if (enter_loops(exact, definition, task->place)) return; // then once more
        exact->tasks.at[exact->tasks.count - 1].term = definition;
        return;
    }
    if (is_stale(exact, reg, task->place)) {
        imp_maker_refuse(&exact->maker,
                         "what a loop closes, or its test, is more than its `loop` identifiers: "
                         "--exact would compute it once only");
        return;
    }
    later(exact, (ExactTask){.kind = TASK_APPEND,
                             .target = task->target,
                             .from = imp_maker_reg(&exact->maker, reg),
                             .place = task->place});
    later(exact, (ExactTask){.kind = TASK_NAME, .reg = reg, .place = task->place});
}

// Operands get fresh names; then the term itself is computed of them.
static void bind_operands(Exact *exact, const ExactTask *task, const FssaTermNode *node) {
    uint32_t first = exact->fresh.count;
    ExactTask operate = *task;
    operate.kind = TASK_OPERATE;
    operate.args = first;
    later(exact, operate);
    for (uint32_t i = 0; i < node->arg_count; i++)
        vec_push(exact->arena, &exact->fresh, fresh_name(exact, i > 0));
    for (uint32_t i = node->arg_count; i-- > 0;)
        later(exact, (ExactTask){.kind = TASK_BIND,
                                 .target = exact->fresh.at[first + i],
                                 .term = fssa_args(exact->func, node)[i],
                                 .place = task->place});
}

// O[[I, loop_h(E0, E1)]]
static void bind_loop(Exact *exact, const ExactTask *task, uint32_t loop, FssaTerm first,
                      FssaTerm next) {
    uint32_t fresh = fresh_name(exact, 1);
    later(exact, (ExactTask){.kind = TASK_APPEND,
                             .target = task->target,
                             .from = fresh,
                             .place = {loop, ASPECT_ITER}});
    later(exact,
          (ExactTask){
              .kind = TASK_BIND, .target = fresh, .term = next, .place = {loop, ASPECT_BODY}});
    later(exact, (ExactTask){.kind = TASK_BIND,
                             .target = task->target,
                             .term = first,
                             .place = {loop, ASPECT_HEAD}});
}

// O[[I, close_h(E0, E1)]]
static void bind_close(Exact *exact, const ExactTask *task, const FssaTermNode *node) {
    ExactTask close = *task;
    close.kind = TASK_CLOSE;
    close.args = exact->fresh.count;
    later(exact, close);
    for (uint32_t i = 0; i < 2; i++) vec_push(exact->arena, &exact->fresh, fresh_name(exact, i));
    for (uint32_t i = 2; i-- > 0;) {
        FssaTerm operand = fssa_args(exact->func, node)[i];
        later(exact, (ExactTask){.kind = TASK_LOOP,
                                 .target = exact->fresh.at[close.args + i],
                                 .term = operand,
                                 .next = operand,
                                 .place = {node->loop.i + 1, ASPECT_HEAD}});
    }
}

static void append_list(Exact *exact, const CodeList *list) {
    for (uint32_t i = 0; i < list->count; i++) vec_push(exact->arena, &exact->bodies, list->at[i]);
}

// W; I := I1
static void up_close(Exact *exact, const ExactTask *task) {
    uint32_t loop = fssa_at(exact->func, task->term)->loop.i + 1;
    CodeList *aspects = exact->loops[loop],
             *here = &exact->loops[task->place.loop][task->place.aspect];
    for (uint32_t i = 0, count = aspects[ASPECT_HEAD].count; i < count; i++)
        vec_push(exact->arena, here, aspects[ASPECT_HEAD].at[i]);
    ImpStmt stmt = imp_stmt(IMP_WHILE);
    stmt.value = imp_variable(exact->maker.imp, exact->fresh.at[task->args]);
    stmt.text =
        str_of(&exact->maker.imp->strings, fssa_loop_label(exact->func, (FssaLoop){loop - 1}));
    ExactCode code = {.stmt = imp_add_stmt(exact->maker.imp, stmt), .first = exact->bodies.count};
    append_list(exact, &aspects[ASPECT_BODY]);
    append_list(exact, &aspects[ASPECT_ITER]);
    code.count = exact->bodies.count - code.first;
    vec_push(exact->arena, &exact->codes, code);
    vec_push(exact->arena, here, exact->codes.count - 1);
    up_assign(exact, task->place, task->target,
              imp_variable(exact->maker.imp, exact->fresh.at[task->args + 1]));
}

// ---- Operators

// Arrays and outputs cannot be chosen by an expression.
static void up_array_gamma(Exact *exact, const ExactTask *task, const FssaTermNode *node,
                           const uint32_t *names) {
    Imp *imp = exact->maker.imp;
    uint32_t chosen = IMP_NONE;
    for (uint32_t i = node->arg_count; i >= 2; i -= 2) {
        ImpStmt assign = imp_stmt(IMP_ASSIGN), stmt = imp_stmt(IMP_IF);
        assign.name = task->target;
        assign.value = imp_variable(imp, names[i - 1]);
        stmt.value = imp_variable(imp, names[i - 2]);
        stmt.body = imp_add_stmt(imp, assign);
        stmt.other = chosen;
        if (i == 2) {
            up(exact, task->place, stmt);
            return;
        }
        chosen = imp_add_stmt(imp, stmt);
    }
}

static void up_write(Exact *exact, const ExactTask *task, const uint32_t *names) {
    Imp *imp = exact->maker.imp;
    ImpStmt stmt = imp_stmt(IMP_STORE);
    up_assign(exact, task->place, task->target, imp_variable(imp, names[0]));
    stmt.name = task->target;
    stmt.index = imp_variable(imp, names[1]);
    stmt.value = imp_variable(imp, names[2]);
    up(exact, task->place, stmt);
}

static void operate(Exact *exact, const ExactTask *task) {
    const FssaTermNode *node = fssa_at(exact->func, task->term);
    const uint32_t *names = exact->fresh.at + task->args;
    if (node->kind == FT_GAMMA && node->type == TYPE_VOID)
        up_array_gamma(exact, task, node, names);
    else if (node->kind == FT_WRITE)
        up_write(exact, task, names);
    else {
        uint32_t *args = ARENA_ARRAY(exact->arena, uint32_t, node->arg_count);
        for (uint32_t i = 0; i < node->arg_count; i++) {
            if (node->kind == FT_READ && i == 0)
                args[i] = names[i];
            else
                args[i] = imp_variable(exact->maker.imp, names[i]);
        }
        up_assign(exact, task->place, task->target, imp_maker_expr(&exact->maker, node, args));
    }
}

// A name that is never written stands for an empty array.
static uint32_t empty_array(Exact *exact) {
    if (exact->empty == IMP_NONE) {
        uint32_t count = 0;
        exact->empty = imp_maker_fresh(&exact->maker, "empty", &count);
        exact->maker.imp->names.at[exact->empty].is_array = true;
    }
    return imp_variable(exact->maker.imp, exact->empty);
}

static void bind(Exact *exact, const ExactTask *task) {
    const FssaTermNode *node = fssa_at(exact->func, task->term);
    switch ((FssaTermKind)node->kind) {
    case FT_NAME: bind_name(exact, task, node->reg); return;
    case FT_LOOP: {
        const FssaTerm *args = fssa_args(exact->func, node);
        bind_loop(exact, task, node->loop.i + 1, args[0], args[1]);
        return;
    }
    case FT_CLOSE: bind_close(exact, task, node); return;
    case FT_ARRAY: up_assign(exact, task->place, task->target, empty_array(exact)); return;
    case FT_PRINT:
    case FT_EFFECT:
    case FT_STUCK:
        imp_maker_refuse(&exact->maker, "--exact has no output and no effects, as in the paper: "
                                        "choose an identifier that needs none by --result");
        return;
    default: bind_operands(exact, task, node); return;
    }
}

static void run_tasks(Exact *exact) {
    while (exact->tasks.count && !exact->maker.refused) {
        ExactTask task = vec_pop(&exact->tasks);
        switch (task.kind) {
        case TASK_NAME: bind_identifier(exact, &task); break;
        case TASK_BIND: bind(exact, &task); break;
        case TASK_LOOP: bind_loop(exact, &task, task.place.loop, task.term, task.next); break;
        case TASK_OPERATE: operate(exact, &task); break;
        case TASK_APPEND:
            up_assign(exact, task.place, task.target, imp_variable(exact->maker.imp, task.from));
            break;
        case TASK_CLOSE: up_close(exact, &task); break;
        }
    }
}

// ---- The tree

typedef struct {
    const uint32_t *codes;
    uint32_t count, done;
    uint32_t around, last; // statements
} WriteList;

// Copies the statements into lists: one that stands in several loops, once for each.
static void write_tree(Exact *exact) {
    Imp *imp = exact->maker.imp;
    const CodeList *all = &exact->loops[0][ASPECT_HEAD];
    VEC(WriteList) lists = {0};
    vec_push(
        exact->arena, &lists,
        (WriteList){.codes = all->at, .count = all->count, .around = IMP_NONE, .last = IMP_NONE});
    while (lists.count) {
        WriteList *list = &lists.at[lists.count - 1];
        if (list->done == list->count) {
            lists.count--;
            continue;
        }
        ExactCode code = exact->codes.at[list->codes[list->done++]];
        ImpStmt stmt = imp->stmts.at[code.stmt];
        uint32_t id = imp_add_stmt(imp, stmt);
        if (list->last != IMP_NONE)
            imp->stmts.at[list->last].next = id;
        else if (list->around != IMP_NONE)
            imp->stmts.at[list->around].body = id;
        else
            imp->first = id;
        list->last = id;
        if (stmt.kind == IMP_WHILE)
            vec_push(exact->arena, &lists,
                     (WriteList){.codes = exact->bodies.at + code.first,
                                 .count = code.count,
                                 .around = id,
                                 .last = IMP_NONE});
    }
}

Imp *imp_exact(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *options) {
    Exact exact = {.arena = arena_new("out of fssa"), .func = func, .empty = IMP_NONE};
    imp_maker_init(&exact.maker, arena, exact.arena, diag, func);
    exact.loops =
        arena_alloc(exact.arena, size_mul(func->fssa->loops.count + 1, sizeof *exact.loops));
    exact.in_env = ARENA_ARRAY(exact.arena, bool, func->regs.count);
    exact.place_of = ARENA_ARRAY(exact.arena, AspectPlace, func->regs.count);
    exact.stamp = ARENA_ARRAY(exact.arena, uint32_t, func->regs.count);
    ImpTargets targets = imp_maker_targets(&exact.maker, options, true);
    imp_values_init(&exact.values, exact.arena, &exact.maker);
    for (uint32_t i = 0; i < targets.count; i++) imp_value_of(&exact.values, targets.at[i].term);
    imp_values_settle(&exact.values);
    AspectPlace place = {0, ASPECT_HEAD};
    for (uint32_t i = 0; i < targets.count && !exact.maker.refused; i++) {
        ImpTarget target = targets.at[i];
        ExactTaskKind kind = target.reg.i != NO_ID ? TASK_NAME : TASK_BIND;
        later(&exact, (ExactTask){.kind = kind,
                                  .target = target.name,
                                  .term = target.term,
                                  .reg = target.reg,
                                  .place = place});
        run_tasks(&exact);
    }
    if (!exact.maker.refused) write_tree(&exact);
    Imp *imp = exact.maker.refused ? NULL : imp_maker_finish(&exact.maker);
    arena_free(exact.arena);
    return imp;
}
