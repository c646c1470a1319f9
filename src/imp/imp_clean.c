// From functional SSA to Imp without what section 8 of Pop et al. complains about: nothing is
// computed twice, few variables, constants folded, and no iteration too many. imp_values.h
// simplifies, imp_schedule.h says where values are computed; here statements are made of that.
//
// A loop whose test needs no statements is `while test do body end`. Otherwise a variable tells
//   whether to go on: go := 1; while go do what the test needs; go := test; if go then body end end
#include "imp/imp_schedule.h"

#include "text/text.h"

#include <string.h>

typedef struct {
    uint32_t owner; // the statement whose list it is, or IMP_NONE
    bool other;
    uint32_t last;
} StmtList;

typedef enum { MAKE_BLOCK, MAKE_WAY_END, MAKE_TEST, MAKE_UPDATES, MAKE_GO, MAKE_HAVE } MakeKind;

typedef struct {
    MakeKind kind;
    uint32_t id;   // block, conditional, loop, of GO an instance of one, of HAVE a flag
    uint32_t part; // WAY_END: the way; TEST: its number
    uint32_t list;
    uint32_t left; // BLOCK: items that are still to come
} MakeTask;

typedef struct {
    uint32_t id;
    bool opened;
} ExprTask;

typedef struct {
    ImpMaker maker;
    ImpValues values;
    ImpSchedule s;
    Arena *arena;
    Imp *imp;
    bool shows_states;                // there are effects, which name their states
    uint32_t *variable;               // of values, or IMP_NONE
    uint32_t *go;                     // of loops: the variable, or IMP_NONE
    uint32_t *have;                   // of flags: the variable, or IMP_NONE
    uint32_t temporaries, gos, haves; // fresh names so far
    uint32_t empty;                   // the name of an empty array, or IMP_NONE
    VEC(StmtList) lists;
    VEC(MakeTask) tasks;
    VEC(ExprTask) exprs;
    VEC(uint32_t) operands;
} Clean;

static const ImpValue *at(const Clean *c, uint32_t id) {
    return imp_value_at(&c->values, id);
}
static uint32_t arg(const Clean *c, uint32_t id, uint32_t i) {
    return imp_value_arg(&c->values, id, i);
}

// ---- Statements

static uint32_t new_list(Clean *c, uint32_t owner, bool other) {
    vec_push(c->arena, &c->lists, (StmtList){.owner = owner, .other = other, .last = IMP_NONE});
    return c->lists.count - 1;
}

static uint32_t append(Clean *c, uint32_t list, ImpStmt stmt) {
    uint32_t id = imp_add_stmt(c->imp, stmt);
    StmtList *to = &c->lists.at[list];
    if (to->last != IMP_NONE)
        c->imp->stmts.at[to->last].next = id;
    else if (to->owner == IMP_NONE)
        c->imp->first = id;
    else if (to->other)
        c->imp->stmts.at[to->owner].other = id;
    else
        c->imp->stmts.at[to->owner].body = id;
    to->last = id;
    return id;
}

static void assign(Clean *c, uint32_t list, uint32_t name, uint32_t value) {
    const ImpExpr *expr = &c->imp->exprs.at[value];
    if (expr->kind == IMP_VARIABLE && expr->name == name) return;
    ImpStmt stmt = imp_stmt(IMP_ASSIGN);
    stmt.name = name;
    stmt.value = value;
    append(c, list, stmt);
}

// ---- Variables and expressions

// What stands for a value: a loop's last value is in the variable that had it inside.
static uint32_t bearer(const Clean *c, uint32_t id) {
    for (;;) {
        const ImpValue *value = at(c, id);
        if (value->kind == FT_CLOSE)
            id = arg(c, id, 1);
        else if (value->kind == FT_WRITE && c->s.uses[id].updates)
            id = arg(c, id, 0);
        else
            return id;
    }
}

static uint32_t variable(Clean *c, uint32_t id) {
    id = bearer(c, id);
    if (c->variable[id] == IMP_NONE) {
        Reg reg = at(c, id)->reg;
        c->variable[id] = reg.i != NO_ID ? imp_maker_reg(&c->maker, reg)
                                         : imp_maker_fresh(&c->maker, "t", &c->temporaries);
    }
    return c->variable[id];
}

static bool is_plain(const Clean *c, uint32_t id) {
    const ImpValue *value = at(c, bearer(c, id));
    return value->kind == FT_CONST || value->kind == FT_UNDEF || !c->s.uses[bearer(c, id)].inlined;
}

static uint32_t plain_expr(Clean *c, uint32_t id) {
    uint32_t there = bearer(c, id);
    const ImpValue *value = at(c, there);
    FssaTermNode node = {.kind = value->kind,
                         .op = value->op,
                         .high = value->high,
                         .ref = value->ref,
                         .imm = value->imm};
    if (value->kind == FT_CONST || value->kind == FT_UNDEF)
        return imp_maker_expr(&c->maker, &node, NULL);
    return imp_variable(c->imp, variable(c, there));
}

static uint32_t compare_expr(Clean *c, Op op, uint32_t value, int64_t number) {
    uint32_t args[] = {value, imp_number(c->imp, number)};
    return imp_expr(c->imp, IMP_OPERATOR, op, args, 2);
}

// A division that may not be needed: 0 where it would go wrong.
static uint32_t guarded_expr(Clean *c, const ImpValue *value, const uint32_t *args,
                             uint32_t division) {
    bool narrow = op_info(value->op)->result == TYPE_I32;
    bool is_signed = value->op == OP_DIVS_I32 || value->op == OP_DIVS_I64 ||
                     value->op == OP_MODS_I32 || value->op == OP_MODS_I64;
    uint32_t good = compare_expr(c, OP_NE_I64, args[1], 0);
    if (is_signed) {
        uint32_t either[] = {
            compare_expr(c, OP_NE_I64, args[1], narrow ? (int64_t)UINT32_MAX : -1),
            compare_expr(c, OP_NE_I64, args[0], narrow ? (int64_t)1 << 31 : INT64_MIN)};
        uint32_t both[] = {good, imp_expr(c->imp, IMP_OR, 0, either, 2)};
        good = imp_expr(c->imp, IMP_AND, 0, both, 2);
    }
    uint32_t choice[] = {good, division, imp_number(c->imp, 0)};
    return imp_expr(c->imp, IMP_CHOICE, 0, choice, 3);
}

// An operator of finished operands. Integers of 32 bits are kept as their 64 bits, and shifts look
// at the low bits of their second operand only: two conversions that Imp need not write.
static uint32_t operator_expr(Clean *c, uint32_t id, const uint32_t *args) {
    const ImpValue *value = at(c, id);
    if (value->kind == FT_OP && value->op == OP_ZEXT_I64) return args[0];
    FssaTermNode node = {.kind = value->kind,
                         .op = value->op,
                         .ref = value->ref,
                         .imm = value->imm,
                         .arg_count = value->arg_count};
    if (value->term.i != NO_ID) {
        const FssaTermNode *made = fssa_at(c->maker.func, value->term);
        node.args_at = made->args_at;
    }
    uint32_t made = imp_maker_expr(&c->maker, &node, args);
    return c->s.uses[id].guarded ? guarded_expr(c, value, args, made) : made;
}

static bool is_shift(const ImpValue *value) {
    return value->kind == FT_OP && (value->op == OP_SHL_I64 || value->op == OP_SAR_I64);
}

static uint32_t operand_of(const Clean *c, uint32_t id, uint32_t i) {
    uint32_t operand = arg(c, id, i);
    const ImpValue *value = at(c, operand);
    if (i == 1 && is_shift(at(c, id)) && value->kind == FT_OP && value->op == OP_TRUNC_I32 &&
        c->s.uses[operand].inlined)
        return arg(c, operand, 0);
    return operand;
}

// The operator that computes a value, whether or not it has a variable.
static uint32_t computing_expr(Clean *c, uint32_t root) {
    uint32_t base = c->exprs.count;
    vec_push(c->arena, &c->exprs, (ExprTask){.id = root});
    while (c->exprs.count > base) {
        ExprTask *task = &c->exprs.at[c->exprs.count - 1];
        uint32_t id = task->id;
        const ImpValue *value = at(c, id);
        bool top = c->exprs.count == base + 1;
        if ((!top || at(c, bearer(c, id)) != value) && is_plain(c, id)) {
            c->exprs.count--;
            vec_push(c->arena, &c->operands, plain_expr(c, id));
        } else if (!task->opened) {
            task->opened = true;
            for (uint32_t i = value->arg_count; i-- > 0;) {
                if (value->kind == FT_READ && i == 0) continue;
                vec_push(c->arena, &c->exprs, (ExprTask){.id = operand_of(c, id, i)});
            }
        } else {
            uint32_t count = value->arg_count, first = value->kind == FT_READ;
            uint32_t *args = ARENA_ARRAY(c->arena, uint32_t, count);
            c->exprs.count--;
            c->operands.count -= count - first;
            for (uint32_t i = first; i < count; i++)
                args[i] = c->operands.at[c->operands.count + i - first];
            if (first) args[0] = variable(c, arg(c, id, 0));
            vec_push(c->arena, &c->operands, operator_expr(c, id, args));
        }
    }
    return vec_pop(&c->operands);
}

// A value as an operand: its variable, or the operator that is written in its place.
static uint32_t value_expr(Clean *c, uint32_t id) {
    return is_plain(c, id) ? plain_expr(c, id) : computing_expr(c, id);
}

static bool has_variable(const Clean *c, uint32_t id) {
    return c->shows_states || !at(c, id)->is_state;
}

// ---- Values

static void make_write(Clean *c, uint32_t list, uint32_t id, uint32_t name) {
    ImpStmt stmt = imp_stmt(IMP_STORE);
    stmt.index = value_expr(c, arg(c, id, 1));
    stmt.value = value_expr(c, arg(c, id, 2));
    assign(c, list, name, imp_variable(c->imp, variable(c, arg(c, id, 0))));
    stmt.name = name;
    append(c, list, stmt);
}

// A name that is never written stands for an empty array.
static void make_empty(Clean *c, uint32_t list, uint32_t name) {
    uint32_t count = 0;
    if (c->empty == IMP_NONE) c->empty = imp_maker_fresh(&c->maker, "empty", &count);
    c->imp->names.at[c->empty].is_array = true;
    assign(c, list, name, imp_variable(c->imp, c->empty));
}

// An instruction with the registers it names replaced by what stands for them.
static void print_instruction(Clean *c, Out *out, uint32_t id) {
    const Func *func = c->maker.func;
    const ImpValue *value = at(c, id);
    Instr instr = func->nodes.at[value->ref];
    Out text = {0}, name = {0};
    instr.dest = NO_REG;
    instr_print(&text, func, &instr);
    out_char(&text, '\0');
    for (const char *walk = text.text; *walk;) {
        uint32_t found = NO_ID;
        size_t length = 0;
        for (uint32_t i = 0; *walk == '%' && i < instr.arg_count; i++) {
            vec_clear(&c->operands);
            name.length = 0;
            reg_print(&name, func, instr_args(func, &instr)[i]);
            if (strncmp(walk, name.text, name.length) == 0 && name.length > length) {
                found = i;
                length = name.length;
            }
        }
        if (found == NO_ID) {
            out_char(out, *walk++);
            continue;
        }
        imp_print_expr(out, c->imp, value_expr(c, arg(c, id, found + 1)));
        walk += length;
    }
    out_free(&text);
    out_free(&name);
}

static void make_effect(Clean *c, uint32_t list, uint32_t id) {
    const Func *func = c->maker.func;
    Reg result = func->nodes.at[at(c, id)->ref].dest;
    ImpStmt stmt = imp_stmt(IMP_OPAQUE);
    Out text = {0};
    out_text(&text, imp_name_text(c->imp, variable(c, id)));
    if (result.i != NO_ID)
        out_printf(&text, ", %s", imp_name_text(c->imp, imp_maker_reg(&c->maker, result)));
    out_text(&text, " := after ");
    imp_print_expr(&text, c->imp, value_expr(c, arg(c, id, 0)));
    out_text(&text, ": ");
    print_instruction(c, &text, id);
    stmt.text = str_intern(&c->imp->strings, text.text, text.length);
    out_free(&text);
    append(c, list, stmt);
}

static void make_stuck(Clean *c, uint32_t list, uint32_t id) {
    ImpStmt stmt = imp_stmt(IMP_OPAQUE);
    const char *text =
        arena_printf(c->arena, "%s := stuck", imp_name_text(c->imp, variable(c, id)));
    stmt.text = str_of(&c->imp->strings, text);
    append(c, list, stmt);
}

static void make_value(Clean *c, uint32_t list, uint32_t block, uint32_t id) {
    const ImpValue *value = at(c, id);
    ImpStmt stmt = imp_stmt(IMP_PRINT);
    switch ((FssaTermKind)value->kind) {
    case FT_WRITE: make_write(c, list, id, variable(c, id)); return;
    case FT_ARRAY: // the first one is empty anyway
        if (c->s.blocks.at[block].level == NO_ID)
            c->imp->names.at[variable(c, id)].is_array = true;
        else
            make_empty(c, list, variable(c, id));
        return;
    case FT_PRINT:
        stmt.value = value_expr(c, arg(c, id, 1));
        append(c, list, stmt);
        return;
    case FT_EFFECT: make_effect(c, list, id); return;
    case FT_STUCK: make_stuck(c, list, id); return;
    default: break;
    }
    assign(c, list, variable(c, id), computing_expr(c, id));
}

// ---- What changes in loops

typedef VEC(uint32_t) LookedAt;

// Which values that change in the loop a next value, as it is written, looks at.
static void find_looked_at(Clean *c, uint32_t next, uint32_t loop, LookedAt *looked) {
    VEC(uint32_t) open = {0};
    vec_push(c->arena, &open, next);
    vec_clear(looked);
    while (open.count) {
        uint32_t id = bearer(c, vec_pop(&open));
        const ImpValue *value = at(c, id);
        if (value->kind == FT_LOOP && value->loop == loop) vec_push(c->arena, looked, id);
        if (!c->s.uses[id].inlined) continue;
        for (uint32_t i = 0; i < value->arg_count; i++) vec_push(c->arena, &open, arg(c, id, i));
    }
}

typedef struct {
    uint32_t id;           // value
    uint32_t readers;      // other updates to come that look at it
    uint32_t first, count; // of what it looks at
    uint32_t saved;        // a variable that has its next value already, or IMP_NONE
    bool reads_itself, done;
} LoopUpdate;

typedef struct {
    LoopUpdate *rows;
    uint32_t count;
    VEC(uint32_t) looked;
    VEC(uint32_t) ready;
} LoopUpdates;

static void release(Clean *c, LoopUpdates *updates, const LoopUpdate *row) {
    for (uint32_t i = 0; i < row->count; i++) {
        LoopUpdate *other = &updates->rows[updates->looked.at[row->first + i]];
        if (other != row && !--other->readers)
            vec_push(c->arena, &updates->ready, (uint32_t)(other - updates->rows));
    }
}

static void set_next(Clean *c, uint32_t list, uint32_t name, uint32_t id, bool reads_itself) {
    uint32_t next = arg(c, id, 1);
    if (at(c, next)->kind != FT_WRITE || !c->s.uses[next].inlined) {
        assign(c, list, name, value_expr(c, next));
        return;
    }
    uint32_t array = variable(c, arg(c, next, 0));
    if (array == name || !reads_itself) {
        make_write(c, list, next, name);
        return;
    }
    uint32_t other = imp_maker_fresh(&c->maker, "t", &c->temporaries);
    make_write(c, list, next, other);
    assign(c, list, name, imp_variable(c->imp, other));
}

static void update(Clean *c, uint32_t list, LoopUpdates *updates, LoopUpdate *row) {
    uint32_t name = variable(c, row->id);
    row->done = true;
    if (row->saved != IMP_NONE) {
        assign(c, list, name, imp_variable(c->imp, row->saved));
        return;
    }
    set_next(c, list, name, row->id, row->reads_itself);
    release(c, updates, row);
}

static void collect_updates(Clean *c, uint32_t loop, LoopUpdates *updates) {
    const ImpLoopRun *run = &c->s.runs[loop];
    updates->rows = ARENA_ARRAY(c->arena, LoopUpdate, run->changing.count);
    LookedAt looked = {0};
    Map rows = {0};
    for (uint32_t i = 0; i < run->changing.count; i++) {
        uint32_t id = run->changing.at[i];
        if (!has_variable(c, id)) continue;
        map_set(c->arena, &rows, id, updates->count);
        updates->rows[updates->count++] = (LoopUpdate){.id = id, .saved = IMP_NONE};
    }
    for (uint32_t i = 0; i < updates->count; i++) {
        LoopUpdate *row = &updates->rows[i];
        row->first = updates->looked.count;
        find_looked_at(c, arg(c, row->id, 1), loop, &looked);
        for (uint32_t k = 0; k < looked.count; k++) {
            uint32_t other = map_get(&rows, looked.at[k]);
            if (other == HASH_NONE) continue;
            vec_push(c->arena, &updates->looked, other);
            row->count++;
            if (other == i)
                row->reads_itself = true;
            else
                updates->rows[other].readers++;
        }
    }
}

// All values of a loop change at once: who looks at another's old value comes first, and where they
// look at each other, one is kept aside.
static void make_updates(Clean *c, uint32_t loop, uint32_t list) {
    LoopUpdates updates = {0};
    collect_updates(c, loop, &updates);
    for (uint32_t i = updates.count; i-- > 0;)
        if (!updates.rows[i].readers) vec_push(c->arena, &updates.ready, i);
    for (uint32_t i = 0;;) {
        while (updates.ready.count)
            update(c, list, &updates, &updates.rows[vec_pop(&updates.ready)]);
        while (i < updates.count && (updates.rows[i].done || updates.rows[i].saved != IMP_NONE))
            i++;
        if (i == updates.count) return;
        LoopUpdate *row = &updates.rows[i];
        uint32_t name = imp_maker_fresh(&c->maker, "t", &c->temporaries);
        set_next(c, list, name, row->id, true);
        row->saved = name;
        release(c, &updates, row);
    }
}

// ---- Blocks

static void later(Clean *c, MakeTask task) {
    vec_push(c->arena, &c->tasks, task);
}

static void later_block(Clean *c, uint32_t block, uint32_t list) {
    later(c, (MakeTask){.kind = MAKE_BLOCK,
                        .id = block,
                        .list = list,
                        .left = c->s.blocks.at[block].items.count});
}

static uint32_t append_over(Clean *c, uint32_t list, ImpStmtKind kind, uint32_t condition) {
    ImpStmt stmt = imp_stmt(kind);
    stmt.value = condition;
    return append(c, list, stmt);
}

static void later_body(Clean *c, const ImpInstance *made, uint32_t stmt) {
    uint32_t body = new_list(c, stmt, false);
    later(c, (MakeTask){.kind = MAKE_UPDATES, .id = made->loop, .list = body});
    later_block(c, made->body, body);
}

static void make_loop(Clean *c, uint32_t instance, uint32_t list) {
    const ImpInstance *made = &c->s.instances.at[instance];
    const ImpLoopRun *run = &c->s.runs[made->loop];
    uint32_t *go = &c->go[made->loop];
    for (uint32_t i = 0; i < run->changing.count; i++) {
        uint32_t id = run->changing.at[i], first = arg(c, id, 0);
        if (!has_variable(c, id)) continue;
        assign(c, list, variable(c, id), value_expr(c, first));
    }
    later_block(c, made->after, list);
    if (!c->s.blocks.at[made->test].items.count) {
        later_body(c, made, append_over(c, list, IMP_WHILE, value_expr(c, run->condition)));
        return;
    }
    if (*go == IMP_NONE) *go = imp_maker_fresh(&c->maker, "go", &c->gos);
    assign(c, list, *go, imp_number(c->imp, 1));
    uint32_t stmt = append_over(c, list, IMP_WHILE, imp_variable(c->imp, *go));
    uint32_t inside = new_list(c, stmt, false);
    later(c, (MakeTask){.kind = MAKE_GO, .id = instance, .list = inside});
    later_block(c, made->test, inside);
}

static void make_go(Clean *c, uint32_t instance, uint32_t list) {
    const ImpInstance *made = &c->s.instances.at[instance];
    uint32_t go = c->go[made->loop];
    assign(c, list, go, value_expr(c, c->s.runs[made->loop].condition));
    later_body(c, made, append_over(c, list, IMP_IF, imp_variable(c->imp, go)));
}

// Whether what is run once was run.
static uint32_t have_of(Clean *c, uint32_t flag) {
    if (c->have[flag] == IMP_NONE) c->have[flag] = imp_maker_fresh(&c->maker, "have", &c->haves);
    return c->have[flag];
}

static void make_once(Clean *c, uint32_t id, uint32_t list) {
    ImpOnce once = c->s.onces.at[id];
    uint32_t have = imp_variable(c->imp, have_of(c, once.flag));
    uint32_t stmt = append_over(c, list, IMP_IF, imp_expr(c->imp, IMP_NOT, 0, &have, 1));
    uint32_t inside = new_list(c, stmt, false);
    later(c, (MakeTask){.kind = MAKE_HAVE, .id = once.flag, .list = inside});
    later_block(c, once.block, inside);
}

static void later_way(Clean *c, uint32_t number, uint32_t way, uint32_t list) {
    later(c, (MakeTask){.kind = MAKE_WAY_END, .id = number, .part = way, .list = list});
    later_block(c, c->s.ways.at[c->s.branches.at[number].first + way], list);
}

static void make_test(Clean *c, uint32_t number, uint32_t test, uint32_t list) {
    const ImpBranch *branch = &c->s.branches.at[number];
    uint32_t condition = arg(c, branch->example, 2 * test);
    uint32_t stmt = append_over(c, list, IMP_IF, value_expr(c, condition));
    uint32_t other = new_list(c, stmt, true);
    if (test + 2 == branch->ways) {
        later_way(c, number, test + 1, other);
    } else {
        uint32_t next = c->s.ways.at[branch->first + test + 1];
        later(c, (MakeTask){.kind = MAKE_TEST, .id = number, .part = test + 1, .list = other});
        later_block(c, c->s.blocks.at[next].parent, other);
    }
    later_way(c, number, test, new_list(c, stmt, false));
}

static void make_way_end(Clean *c, const MakeTask *task) {
    const ImpBranch *branch = &c->s.branches.at[task->id];
    for (uint32_t i = 0; i < branch->values.count; i++) {
        uint32_t id = branch->values.at[i], value = arg(c, id, 2 * task->part + 1);
        if (!has_variable(c, id)) continue;
        assign(c, task->list, variable(c, id), value_expr(c, value));
    }
}

static void make_block(Clean *c, MakeTask task) {
    if (!task.left) return;
    ImpItem item = c->s.blocks.at[task.id].items.at[--task.left];
    uint32_t block = task.id;
    later(c, task);
    switch (item.kind) {
    case ITEM_VALUE: make_value(c, task.list, block, item.id); break;
    case ITEM_LOOP: make_loop(c, item.id, task.list); break;
    case ITEM_IF: make_test(c, item.id, 0, task.list); break;
    case ITEM_FLAG: assign(c, task.list, have_of(c, item.id), imp_number(c->imp, 0)); break;
    case ITEM_ONCE: make_once(c, item.id, task.list); break;
    }
}

static void make_statements(Clean *c, uint32_t list) {
    later_block(c, 0, list);
    while (c->tasks.count) {
        MakeTask task = vec_pop(&c->tasks);
        switch (task.kind) {
        case MAKE_BLOCK: make_block(c, task); break;
        case MAKE_WAY_END: make_way_end(c, &task); break;
        case MAKE_TEST: make_test(c, task.id, task.part, task.list); break;
        case MAKE_UPDATES: make_updates(c, task.id, task.list); break;
        case MAKE_GO: make_go(c, task.id, task.list); break;
        case MAKE_HAVE: assign(c, task.list, have_of(c, task.id), imp_number(c->imp, 1)); break;
        }
    }
}

// Lists that turned out empty: a conditional without its first part is turned round.
static void fill_lists(Imp *imp) {
    uint32_t count = imp->stmts.count;
    for (uint32_t i = 0; i < count; i++) {
        ImpStmt *stmt = &imp->stmts.at[i];
        if (stmt->kind != IMP_WHILE && stmt->kind != IMP_IF) continue;
        if (stmt->body != IMP_NONE) continue;
        if (stmt->kind == IMP_IF && stmt->other != IMP_NONE) {
            uint32_t condition = imp_expr(imp, IMP_NOT, 0, &stmt->value, 1);
            stmt->value = condition;
            stmt->body = stmt->other;
            stmt->other = IMP_NONE;
            continue;
        }
        uint32_t skip = imp_add_stmt(imp, imp_stmt(IMP_SKIP));
        imp->stmts.at[i].body = skip;
    }
}

static uint32_t write_zero(Clean *c, uint32_t name, uint32_t next) {
    ImpStmt stmt = imp_stmt(IMP_ASSIGN);
    stmt.name = name;
    stmt.value = imp_number(c->imp, 0);
    stmt.next = next;
    return imp_add_stmt(c->imp, stmt);
}

// What is computed on one way and used on another of the same conditions: the rules of Imp want to
// see that it is written.
static void write_early(Clean *c) {
    uint32_t first = c->imp->first;
    for (uint32_t i = 0; i < c->s.blocks.count; i++) {
        const ImpBlock *block = &c->s.blocks.at[i];
        for (uint32_t k = 0; block->is_test && k < block->items.count; k++)
            if (block->items.at[k].kind == ITEM_FLAG)
                first = write_zero(c, have_of(c, block->items.at[k].id), first);
    }
    for (uint32_t i = c->values.values.count; i-- > 0;) {
        uint32_t name = c->s.uses[i].across ? c->variable[bearer(c, i)] : IMP_NONE;
        if (name == IMP_NONE || at(c, i)->type == TYPE_VOID || at(c, bearer(c, i))->kind == FT_NAME)
            continue;
        first = write_zero(c, name, first);
    }
    c->imp->first = first;
}

static bool has_effects(const ImpValues *values) {
    for (uint32_t i = 0; i < values->values.count; i++)
        if (values->values.at[i].kind == FT_EFFECT) return true;
    return false;
}

static uint32_t *new_names(Clean *c, uint32_t count) {
    uint32_t *names = ARENA_ARRAY(c->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) names[i] = IMP_NONE;
    return names;
}

static bool make_program(Clean *c, const FssaImpOptions *options) {
    ImpTargets targets = imp_maker_targets(&c->maker, options, false);
    uint32_t *roots = ARENA_ARRAY(c->arena, uint32_t, targets.count);
    for (uint32_t i = 0; i < targets.count; i++) {
        roots[i] = imp_value_of(&c->values, targets.at[i].term);
        ImpValue *value = imp_value_at(&c->values, roots[i]);
        if (value->reg.i == NO_ID) value->reg = targets.at[i].reg;
    }
    if (!imp_values_settle(&c->values)) return false;
    for (uint32_t i = 0; i < targets.count; i++) {
        roots[i] = imp_value_find(&c->values, roots[i]);
        uint32_t level = at(c, roots[i])->level;
        if (level == NO_ID) continue;
        imp_maker_refuse(&c->maker,
                         arena_printf(c->imp->arena,
                                      "a value that changes in loop %s has no last value",
                                      fssa_loop_label(c->maker.func, (FssaLoop){level})));
        return false;
    }
    c->shows_states = has_effects(&c->values);
    if (!c->shows_states) imp_values_split_logic(&c->values);
    if (!imp_schedule(&c->s, c->arena, &c->values, roots, targets.count)) return false;
    c->variable = new_names(c, c->values.values.count);
    c->go = new_names(c, c->maker.func->fssa->loops.count);
    c->have = new_names(c, c->s.flags);
    uint32_t list = new_list(c, IMP_NONE, false);
    make_statements(c, list);
    for (uint32_t i = 0; i < targets.count; i++) {
        if (targets.at[i].name == IMP_NONE || at(c, roots[i])->is_state) continue;
        assign(c, list, targets.at[i].name, value_expr(c, roots[i]));
    }
    fill_lists(c->imp);
    write_early(c);
    if (c->s.loose)
        c->imp->note =
            "loops and effects may stand here in front of the conditions that decide on them";
    return true;
}

Imp *imp_clean(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *options) {
    Clean c = {.arena = arena_new("out of fssa"), .empty = IMP_NONE};
    imp_maker_init(&c.maker, arena, c.arena, diag, func);
    c.imp = c.maker.imp;
    imp_values_init(&c.values, c.arena, &c.maker);
    bool good = make_program(&c, options) && !c.maker.refused;
    Imp *imp = good ? imp_maker_finish(&c.maker) : NULL;
    arena_free(c.arena);
    return imp;
}
