// C[[ ]]: from Imp to functional SSA, as Pop et al. have it in section 5.1.
//
// `latest` is the paper's mu, but only for the place that the walk has come to: R_<h(mu I) is what
// a name was bound to last. Bindings are kept on a trail, so that the second part of a conditional
// starts from what was there before the first. Nothing recurses: statements and expressions wait on
// stacks.
#include "imp/imp_fssa.h"

#include <string.h>

typedef struct {
    uint32_t name;
    Reg before; // what the name was bound to, NO_REG if nothing
} Binding;

// A name in a loop: its identifier in front of the loop and I_h.0.
typedef struct {
    uint32_t name;
    Reg before, first;
} LoopName;

typedef struct {
    uint32_t next;   // statement of the list
    uint32_t around; // loop or conditional
    bool other;      // behind else
    uint32_t mark;   // of the trail
    uint32_t names;  // of a loop: first of `loop_names`; behind else: first of `parts`
    FssaTerm condition;
} FssaList;

// What an expression is wanted as.
typedef enum { WANT_VALUE, WANT_CONDITION, WANT_OPERAND, WANT_NOTHING } Want;

typedef struct {
    uint32_t expr;
    bool opened; // its operands are made
    Want want;
    Type type; // WANT_OPERAND
} TermTask;

typedef struct {
    Arena *arena;
    const Imp *imp;
    const ImpFssaOptions *options;
    Func *func;
    ImpPlaces places;
    uint32_t output; // the number of the name out$, behind those of the program
    Reg *latest;
    bool *bound;
    VEC(uint32_t) bound_names; // in the order in which they were bound first
    VEC(Binding) trail;
    VEC(LoopName) loop_names;
    VEC(Binding) parts; // what first parts bound
    uint32_t *stamp;    // of a name: the last join that has seen it
    uint32_t joins;
    FssaLoop *loops; // of statements
    VEC(FssaList) lists;
    VEC(TermTask) tasks;
    VEC(FssaTerm) terms;
} Converter;

// ---- Identifiers

static Type name_type(const Converter *c, uint32_t name) {
    return name == c->output || c->imp->names.at[name].is_array ? TYPE_VOID : TYPE_I64;
}

// I_h, or I_h.digit
static Reg identifier(Converter *c, uint32_t name, uint32_t stmt, int digit) {
    Out text = {0};
    const char *word = name == c->output ? "out$" : imp_name_text(c->imp, name);
    out_text(&text, word[0] == '%' ? word + 1 : word);
    if (stmt == IMP_NONE)
        out_text(&text, "_0");
    else
        imp_print_suffix(&text, &c->places, stmt, digit);
    RegInfo info = {.name = str_intern(&c->func->program->strings, text.text, text.length),
                    .type = name_type(c, name)};
    out_free(&text);
    return func_add_reg(c->func, info);
}

static void bind(Converter *c, uint32_t name, Reg reg) {
    vec_push(c->arena, &c->trail, (Binding){.name = name, .before = c->latest[name]});
    c->latest[name] = reg;
    if (!c->bound[name]) vec_push(c->arena, &c->bound_names, name);
    c->bound[name] = true;
}

static FssaTerm name_term(Converter *c, uint32_t name, Reg reg) {
    if (reg.i == NO_ID) return fssa_undef(c->func, name_type(c, name));
    return fssa_name(c->func, reg);
}

static void tell_visible(const Converter *c, uint32_t stmt, int digit) {
    if (c->options && c->options->visible)
        c->options->visible(c->options->context, stmt, digit, c->latest);
}

// ---- Expressions

static FssaTerm one_op(Converter *c, Op op, FssaTerm a) {
    return fssa_op(c->func, op, &a, 1);
}

// A term as one of another type. Values of names are 64 bits; what has fewer is in the low ones.
static FssaTerm convert(Converter *c, FssaTerm term, Type to) {
    Type from = fssa_type(c->func, term);
    if (from == to) return term;
    if (from == TYPE_F64) term = one_op(c, OP_BITS_I64_F64, term);
    if (from == TYPE_F32) term = one_op(c, OP_BITS_I32_F32, term);
    bool narrow = fssa_type(c->func, term) == TYPE_I32;
    if ((to == TYPE_I64 || to == TYPE_F64) && narrow) term = one_op(c, OP_ZEXT_I64, term);
    if ((to == TYPE_I32 || to == TYPE_F32) && !narrow) term = one_op(c, OP_TRUNC_I32, term);
    if (to == TYPE_F64) term = one_op(c, OP_BITS_F64_I64, term);
    if (to == TYPE_F32) term = one_op(c, OP_BITS_F32_I32, term);
    return term;
}

static FssaTerm wanted(Converter *c, FssaTerm term, const TermTask *task) {
    if (task->want == WANT_VALUE) return convert(c, term, TYPE_I64);
    if (task->want == WANT_OPERAND) return convert(c, term, task->type);
    const FssaTermNode *node = fssa_at(c->func, term);
    bool is_condition = node->kind == FT_AND || node->kind == FT_OR || node->kind == FT_NOT ||
                        (node->kind == FT_OP && op_info(node->op)->flags & OPF_COND);
    if (is_condition) return term;
    FssaTerm args[] = {convert(c, term, TYPE_I64), fssa_const(c->func, TYPE_I64, 0)};
    return fssa_op(c->func, OP_NE_I64, args, 2);
}

static TermTask operand_task(const ImpExpr *expr, uint32_t i) {
    TermTask task = {.expr = expr->args[i], .want = WANT_VALUE};
    bool condition = expr->kind == IMP_AND || expr->kind == IMP_OR || expr->kind == IMP_NOT ||
                     (expr->kind == IMP_CHOICE && i == 0);
    if (condition) task.want = WANT_CONDITION;
    if (expr->kind == IMP_OPERATOR) {
        task.want = WANT_OPERAND;
        task.type = op_info(expr->op)->operand[i];
    }
    return task;
}

static FssaTerm make_term(Converter *c, const ImpExpr *expr, const FssaTerm *args) {
    Func *func = c->func;
    switch ((ImpExprKind)expr->kind) {
    case IMP_NUMBER: return fssa_const(func, TYPE_I64, expr->value);
    case IMP_VARIABLE: return name_term(c, expr->name, c->latest[expr->name]);
    case IMP_ELEMENT: return fssa_read(func, fssa_name(func, c->latest[expr->name]), args[0]);
    case IMP_OPERATOR: return fssa_op(func, expr->op, args, expr->count);
    case IMP_AND: return fssa_and(func, args[0], args[1]);
    case IMP_OR: return fssa_or(func, args[0], args[1]);
    case IMP_NOT: return fssa_not(func, args[0]);
    case IMP_CHOICE: {
        FssaTerm pairs[] = {args[0], args[1], fssa_const(func, TYPE_I32, 1), args[2]};
        return fssa_gamma(func, pairs, 4);
    }
    case IMP_UNDEF:
    case IMP_TEXT: break;
    }
    return fssa_undef(func, TYPE_I64);
}

static FssaTerm expr_term(Converter *c, uint32_t root, Want want) {
    vec_push(c->arena, &c->tasks, (TermTask){.expr = root, .want = want});
    while (c->tasks.count) {
        TermTask *task = &c->tasks.at[c->tasks.count - 1];
        const ImpExpr *expr = &c->imp->exprs.at[task->expr];
        if (!task->opened && expr->count) {
            task->opened = true;
            for (uint32_t i = expr->count; i-- > 0;)
                vec_push(c->arena, &c->tasks, operand_task(expr, i));
            continue;
        }
        TermTask done = vec_pop(&c->tasks);
        c->terms.count -= expr->count;
        FssaTerm term = make_term(c, expr, c->terms.at + c->terms.count);
        vec_push(c->arena, &c->terms, wanted(c, term, &done));
    }
    return vec_pop(&c->terms);
}

// ---- Statements

static void define(Converter *c, uint32_t name, uint32_t stmt, int digit, FssaTerm term) {
    Reg reg = identifier(c, name, stmt, digit);
    fssa_add_equation(c->func, reg, term);
    bind(c, name, reg);
}

static void convert_simple(Converter *c, uint32_t id, const ImpStmt *stmt) {
    Func *func = c->func;
    FssaTerm value = stmt->value == IMP_NONE ? NO_FSSA_TERM : expr_term(c, stmt->value, WANT_VALUE);
    if (stmt->kind == IMP_PRINT) {
        FssaTerm state = fssa_name(func, c->latest[c->output]);
        define(c, c->output, id, -1, fssa_print_value(func, state, value));
    } else if (stmt->kind == IMP_STORE) {
        FssaTerm index = expr_term(c, stmt->index, WANT_VALUE);
        FssaTerm array = fssa_name(func, c->latest[stmt->name]);
        define(c, stmt->name, id, -1, fssa_write(func, array, index, value));
    } else if (stmt->kind == IMP_ASSIGN) {
        define(c, stmt->name, id, -1, value);
    }
}

// theta_0: every name that is bound gets its I_h.0; what it stands for follows when the body is
// known.
static void enter_loop(Converter *c, uint32_t id, FssaList *list) {
    Out label = {0};
    uint32_t around = c->places.loop[id];
    imp_print_place(&label, &c->places, id, -1);
    Str text = str_intern(&c->func->program->strings, label.text, label.length);
    out_free(&label);
    c->loops[id] =
        fssa_add_loop(c->func, text, around == IMP_NONE ? NO_FSSA_LOOP : c->loops[around]);
    list->names = c->loop_names.count;
    uint32_t count = c->bound_names.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t name = c->bound_names.at[i];
        LoopName row = {.name = name, .before = c->latest[name]};
        row.first = identifier(c, name, id, 0);
        vec_push(c->arena, &c->loop_names, row);
        bind(c, name, row.first);
    }
    tell_visible(c, id, 1);
    // The test sees the names as the body does on entering: C[[E]] h.1 mu_1.
    list->condition = expr_term(c, c->imp->stmts.at[id].value, WANT_CONDITION);
}

// theta_2: the loops, and for each name its I_h.2.
static void leave_loop(Converter *c, const FssaList *list) {
    uint32_t id = list->around, bound_before = c->loop_names.count - list->names;
    FssaLoop loop = c->loops[id];
    for (uint32_t i = bound_before; i < c->bound_names.count; i++) { // bound first by the body
        uint32_t name = c->bound_names.at[i];
        LoopName row = {.name = name, .before = NO_REG, .first = identifier(c, name, id, 0)};
        vec_push(c->arena, &c->loop_names, row);
    }
    for (uint32_t i = list->names; i < c->loop_names.count; i++) {
        LoopName row = c->loop_names.at[i];
        FssaTerm first = name_term(c, row.name, row.before);
        FssaTerm again = name_term(c, row.name, c->latest[row.name]);
        fssa_add_equation(c->func, row.first, fssa_loop(c->func, loop, first, again));
    }
    for (uint32_t i = list->names; i < c->loop_names.count; i++) {
        LoopName row = c->loop_names.at[i];
        FssaTerm value = fssa_name(c->func, row.first);
        define(c, row.name, id, 2, fssa_close(c->func, loop, list->condition, value));
    }
    c->loop_names.count = list->names;
    tell_visible(c, id, 2);
}

// After the first part of a conditional: what it bound is noted and undone.
static void begin_other(Converter *c, FssaList *list) {
    list->names = c->parts.count;
    c->joins++;
    for (uint32_t i = list->mark; i < c->trail.count; i++) {
        uint32_t name = c->trail.at[i].name;
        if (c->stamp[name] == c->joins) continue;
        c->stamp[name] = c->joins;
        vec_push(c->arena, &c->parts, (Binding){.name = name, .before = c->latest[name]});
    }
    for (uint32_t i = c->trail.count; i-- > list->mark;)
        c->latest[c->trail.at[i].name] = c->trail.at[i].before;
    c->trail.count = list->mark;
    list->next = c->imp->stmts.at[list->around].other;
    list->other = true;
}

// After both parts: a gamma for each name that one of them bound.
static void join(Converter *c, const FssaList *list) {
    uint32_t join = ++c->joins, end = c->trail.count, first_end = c->parts.count;
    for (uint32_t i = list->names; i < first_end; i++) c->stamp[c->parts.at[i].name] = join;
    for (uint32_t i = list->mark; i < end; i++) { // bound by the second part only
        Binding row = c->trail.at[i];
        if (c->stamp[row.name] == join) continue;
        c->stamp[row.name] = join;
        vec_push(c->arena, &c->parts, row);
    }
    FssaTerm always = fssa_const(c->func, TYPE_I32, 1);
    for (uint32_t i = list->names; i < c->parts.count; i++) {
        Binding row = c->parts.at[i];
        FssaTerm pairs[] = {list->condition, name_term(c, row.name, row.before), always,
                            name_term(c, row.name, c->latest[row.name])};
        define(c, row.name, list->around, 3, fssa_gamma(c->func, pairs, 4));
    }
    c->parts.count = list->names;
}

// Whatever list ended. False if it goes on behind else.
static bool end_list(Converter *c) {
    FssaList *list = &c->lists.at[c->lists.count - 1];
    if (list->around != IMP_NONE) {
        if (c->imp->stmts.at[list->around].kind == IMP_WHILE)
            leave_loop(c, list);
        else if (list->other)
            join(c, list);
        else
            return begin_other(c, list), false;
    }
    c->lists.count--;
    return true;
}

static void convert_statements(Converter *c) {
    vec_push(c->arena, &c->lists, (FssaList){.next = c->imp->first, .around = IMP_NONE});
    while (c->lists.count) {
        FssaList *list = &c->lists.at[c->lists.count - 1];
        if (list->next == IMP_NONE) {
            end_list(c);
            continue;
        }
        uint32_t id = list->next;
        const ImpStmt *stmt = &c->imp->stmts.at[id];
        list->next = stmt->next;
        tell_visible(c, id, -1);
        if (stmt->kind != IMP_WHILE && stmt->kind != IMP_IF) {
            convert_simple(c, id, stmt);
            continue;
        }
        FssaList inner = {.next = stmt->body, .around = id, .mark = c->trail.count};
        if (stmt->kind == IMP_WHILE)
            enter_loop(c, id, &inner);
        else
            inner.condition = expr_term(c, stmt->value, WANT_CONDITION);
        vec_push(c->arena, &c->lists, inner);
    }
}

// ---- The whole

// Inputs are parameters, arrays start empty, and what was printed starts with the state on
// entering.
static void bind_start(Converter *c) {
    const Imp *imp = c->imp;
    bool prints = false;
    for (uint32_t i = 0; i < imp->inputs.count; i++) {
        Reg reg = identifier(c, imp->inputs.at[i], IMP_NONE, -1);
        vec_push(c->func->arena, &c->func->params, reg);
        bind(c, imp->inputs.at[i], reg);
    }
    for (uint32_t i = 0; i < imp->names.count; i++) {
        if (!imp->names.at[i].is_array) continue;
        Reg reg = identifier(c, i, IMP_NONE, -1);
        fssa_add_equation(c->func, reg, fssa_array(c->func));
        bind(c, i, reg);
    }
    for (uint32_t i = 0; i < imp->stmts.count; i++) prints |= imp->stmts.at[i].kind == IMP_PRINT;
    if (!prints) return;
    Reg reg = identifier(c, c->output, IMP_NONE, -1);
    c->func->fssa->entry = reg;
    bind(c, c->output, reg);
}

static Func *new_function(Arena *arena, const Imp *imp) {
    Program *program = program_new(arena);
    Sym symbol = program_symbol(program, str_of(&program->strings, "main"), SYM_FUNC);
    PType *params = ARENA_ARRAY(arena, PType, imp->inputs.count);
    for (uint32_t i = 0; i < imp->inputs.count; i++) params[i] = PTYPE_OF(TYPE_I64);
    Sig sig = program_sig(program, (SigInfo){.result = PTYPE_OF(TYPE_I32),
                                             .param_count = imp->inputs.count,
                                             .fixed_count = imp->inputs.count,
                                             .params = params});
    Func *func = func_new(program, arena, symbol, sig);
    Symbol *info = program_at(program, symbol);
    info->defined = true;
    info->sig = sig;
    info->func = func;
    fssa_start(func);
    return func;
}

Program *imp_to_fssa(Arena *arena, const Imp *imp, const ImpFssaOptions *options, Reg **last) {
    Arena *scratch = arena_new("imp to fssa");
    uint32_t names = imp->names.count + 1;
    Converter c = {.arena = scratch, .imp = imp, .options = options};
    c.func = new_function(arena, imp);
    c.places = imp_places(scratch, imp);
    c.output = imp->names.count;
    c.latest = ARENA_ARRAY(arena, Reg, names);
    c.bound = ARENA_ARRAY(scratch, bool, names);
    c.stamp = ARENA_ARRAY(scratch, uint32_t, names);
    c.loops = ARENA_ARRAY(scratch, FssaLoop, imp->stmts.count);
    for (uint32_t i = 0; i < names; i++) c.latest[i] = NO_REG;
    bind_start(&c);
    convert_statements(&c);
    c.func->fssa->result = fssa_const(c.func, TYPE_I32, 0);
    if (c.bound[c.output]) c.func->fssa->state = fssa_name(c.func, c.latest[c.output]);
    if (last) *last = c.latest;
    arena_free(scratch);
    return c.func->program;
}
