#include "imp/imp_values.h"

#include "fact/eval.h"

typedef struct {
    bool is_reg;
    bool opened;
    uint32_t id;
} ValueTask;

typedef VEC(ValueTask) ValueTasks;

void imp_values_init(ImpValues *values, Arena *arena, ImpMaker *maker) {
    const Func *func = maker->func;
    *values = (ImpValues){.arena = arena, .maker = maker, .func = func};
    values->of_term = ARENA_ARRAY(arena, uint32_t, func->fssa->terms.count);
    values->of_reg = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    values->depth = ARENA_ARRAY(arena, uint32_t, func->fssa->loops.count);
    for (uint32_t i = 0; i < func->fssa->terms.count; i++) values->of_term[i] = NO_ID;
    for (uint32_t i = 0; i < func->regs.count; i++) values->of_reg[i] = NO_ID;
    for (uint32_t i = 0; i < func->fssa->loops.count; i++) {
        uint32_t parent = func->fssa->loops.at[i].parent.i;
        values->depth[i] = parent == NO_ID ? 1 : values->depth[parent] + 1;
    }
}

// ---- Making values

static bool is_shared(const ImpValue *value) {
    return value->kind == FT_CONST || imp_is_expression(value);
}

static bool is_fragile(const ImpValues *values, const ImpValue *value, const uint32_t *args) {
    bool fragile = value->kind == FT_OP && op_is_partial(value->op);
    bool passes = is_shared(value) || value->kind == FT_GAMMA || value->kind == FT_WRITE;
    for (uint32_t i = 0; passes && i < value->arg_count; i++)
        fragile |= imp_value_at(values, args[i])->fragile;
    return fragile;
}

bool imp_value_divides(const ImpValue *value) {
    if (value->kind != FT_OP) return false;
    switch ((Op)value->op) {
    case OP_DIVS_I32:
    case OP_DIVS_I64:
    case OP_DIVU_I32:
    case OP_DIVU_I64:
    case OP_MODS_I32:
    case OP_MODS_I64:
    case OP_MODU_I32:
    case OP_MODU_I64: return true;
    default: return false;
    }
}

static bool is_heavy(const ImpValues *values, const ImpValue *value, const uint32_t *args) {
    bool partial = value->kind == FT_OP && op_is_partial(value->op) && !imp_value_divides(value);
    bool heavy = partial || value->kind == FT_CLOSE || value->kind == FT_PRINT ||
                 value->kind == FT_EFFECT || value->kind == FT_STUCK;
    bool passes = is_shared(value) || value->kind == FT_GAMMA || value->kind == FT_WRITE ||
                  value->kind == FT_NAME;
    for (uint32_t i = 0; passes && i < value->arg_count; i++)
        heavy |= imp_value_at(values, args[i])->heavy;
    return heavy;
}

// Conditions that are computed in the same way are one value, even if they may go wrong: what they
// decide belongs together.
static uint32_t as_condition(const ImpValues *values, uint32_t id) {
    return imp_value_at(values, id)->alike;
}

static uint64_t value_hash(const ImpValues *values, const ImpValue *value, const uint32_t *args) {
    uint64_t hash = hash_add(value->kind, value->op);
    hash = hash_add(hash, (uint64_t)value->imm);
    hash = hash_add(hash, value->ref);
    for (uint32_t i = 0; i < value->arg_count; i++)
        hash = hash_add(hash, imp_value_at(values, args[i])->alike);
    return hash;
}

static bool same_value(const ImpValues *values, const ImpValue *a, const ImpValue *b,
                       const uint32_t *args) {
    if (a->kind != b->kind || a->op != b->op || a->high != b->high || a->imm != b->imm ||
        a->ref != b->ref || a->type != b->type || a->arg_count != b->arg_count)
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (imp_value_at(values, values->args.at[a->args_at + i])->alike !=
            imp_value_at(values, args[i])->alike)
            return false;
    return true;
}

static uint32_t add_value(ImpValues *values, ImpValue value, const uint32_t *args, uint32_t count) {
    value.arg_count = count;
    uint64_t hash = is_shared(&value) ? value_hash(values, &value, args) : 0;
    uint32_t id, alike = NO_ID;
    value.fragile = is_fragile(values, &value, args);
    value.heavy = is_heavy(values, &value, args);
    if (is_shared(&value))
        for (uint32_t at = table_first(&values->table, hash);
             (id = table_id(&values->table, hash, &at)) != HASH_NONE;)
            if (same_value(values, imp_value_at(values, id), &value, args)) {
                alike = id;
                break;
            }
    // What may go wrong is computed where it is asked for, and nowhere else.
    if (alike != NO_ID && !value.fragile) return alike;
    id = values->values.count;
    value.args_at = values->args.count;
    value.same = id;
    value.level = NO_ID;
    value.alike = alike != NO_ID ? alike : id;
    for (uint32_t i = 0; i < count; i++) vec_push(values->arena, &values->args, args[i]);
    vec_push(values->arena, &values->values, value);
    if (is_shared(&value) && alike == NO_ID) table_insert(values->arena, &values->table, hash, id);
    return id;
}

static bool is_integer(const ImpValue *value) {
    return value->kind == FT_CONST && (value->op == OP_CONST_I32 || value->op == OP_CONST_I64);
}

static uint32_t add_constant(ImpValues *values, Type type, uint64_t bits) {
    ImpValue value = {.kind = FT_CONST,
                      .type = (uint8_t)type,
                      .op = (uint16_t)op_const(type),
                      .reg = NO_REG,
                      .loop = NO_ID,
                      .term = NO_FSSA_TERM};
    value.imm = type == TYPE_I32 ? (int32_t)bits : (int64_t)bits;
    return add_value(values, value, NULL, 0);
}

static bool is_truth(const ImpValue *value) {
    return value->kind == FT_AND || value->kind == FT_OR || value->kind == FT_NOT ||
           value->kind == FT_CASE || (value->kind == FT_OP && op_info(value->op)->flags & OPF_COND);
}

// An operator of constants, or a test of a truth value against 0; NO_ID if it stays what it is.
static uint32_t fold_op(ImpValues *values, const ImpValue *value, const uint32_t *args,
                        uint32_t count) {
    const OpInfo *info = op_info(value->op);
    Value operands[3] = {{0}}, result;
    bool constant = type_is_int(info->result);
    for (uint32_t i = 0; i < count; i++) {
        const ImpValue *arg = imp_value_at(values, args[i]);
        constant &= is_integer(arg);
        if (constant) operands[i] = value_immediate((Type)arg->type, arg->imm);
    }
    if (constant && op_eval(value->op, operands[0], operands[1], operands[2], &result) &&
        !result.undef)
        return add_constant(values, info->result, result.bits);
    const ImpValue *first = imp_value_at(values, args[0]);
    if (value->op != OP_NE_I64 || first->kind != FT_OP || first->op != OP_ZEXT_I64) return NO_ID;
    const ImpValue *second = imp_value_at(values, args[1]);
    uint32_t inner = imp_value_find(values, values->args.at[first->args_at]);
    const ImpValue *truth = imp_value_at(values, inner);
    return is_integer(second) && !second->imm && is_truth(truth) ? inner : NO_ID;
}

static bool is_inverse(const ImpValues *values, uint32_t a, uint32_t b) {
    const ImpValue *value = imp_value_at(values, b);
    return value->kind == FT_NOT && imp_value_at(values, values->args.at[value->args_at])->alike ==
                                        imp_value_at(values, a)->alike;
}

// Conditions with constants behind, and x with !x.
static uint32_t fold_pair(ImpValues *values, const ImpValue *value, const uint32_t *args) {
    const ImpValue *first = imp_value_at(values, args[0]), *second = imp_value_at(values, args[1]);
    bool is_or = value->kind == FT_OR;
    if (is_inverse(values, args[0], args[1]) || is_inverse(values, args[1], args[0]))
        return add_constant(values, TYPE_I32, is_or);
    if (!is_integer(second)) return NO_ID;
    if ((second->imm != 0) == is_or) return add_constant(values, TYPE_I32, is_or);
    return is_truth(first) ? args[0] : NO_ID;
}

// Behind a loop: an operator of what the loop closes that is, inside of it, the loop's own test. So
// the test has failed.
static bool is_failed_test(const ImpValues *values, const ImpValue *value, const uint32_t *args,
                           uint32_t count) {
    uint32_t inner[3], test = NO_ID, id;
    for (uint32_t i = 0; i < count; i++) {
        const ImpValue *arg = imp_value_at(values, args[i]);
        inner[i] = args[i];
        if (arg->kind != FT_CLOSE) continue;
        uint32_t condition = values->args.at[arg->args_at];
        if (test != NO_ID && condition != test) return false;
        test = condition;
        inner[i] = values->args.at[arg->args_at + 1];
    }
    if (test == NO_ID) return false;
    ImpValue inside = *value;
    inside.arg_count = count;
    uint64_t hash = value_hash(values, &inside, inner);
    for (uint32_t at = table_first(&values->table, hash);
         (id = table_id(&values->table, hash, &at)) != HASH_NONE;)
        if (same_value(values, imp_value_at(values, id), &inside, inner))
            return imp_value_at(values, test)->alike == id;
    return false;
}

// Conditions with constants in front.
static uint32_t fold_logic(ImpValues *values, const ImpValue *value, const uint32_t *args,
                           uint32_t count) {
    const ImpValue *first = imp_value_at(values, args[0]);
    if (!is_integer(first))
        return count == 2 && value->kind != FT_NOT ? fold_pair(values, value, args) : NO_ID;
    bool holds = first->imm != 0;
    if (value->kind == FT_NOT) return add_constant(values, TYPE_I32, !holds);
    if (holds == (value->kind == FT_OR)) return add_constant(values, TYPE_I32, holds);
    return count == 2 && imp_value_at(values, args[1])->kind != FT_CONST ? args[1] : NO_ID;
}

// Leaves out pairs whose conditions are known, and those that go wrong.
static uint32_t fold_gamma(ImpValues *values, ImpValue value, uint32_t *args, uint32_t count) {
    uint32_t kept = 0, stuck = NO_ID;
    for (uint32_t i = 0; i < count; i += 2) {
        const ImpValue *condition = imp_value_at(values, args[i]);
        if (is_integer(condition) && !condition->imm) continue;
        if (imp_value_at(values, args[i + 1])->kind == FT_STUCK) {
            stuck = args[i + 1];
            if (is_integer(condition)) break;
            continue;
        }
        args[kept++] = args[i];
        args[kept++] = args[i + 1];
        if (is_integer(condition)) break;
    }
    if (!kept) return stuck;
    if (kept == 2) return args[1];
    bool alike = true;
    for (uint32_t i = 3; i < kept; i += 2) alike &= args[i] == args[1];
    return alike ? args[1] : add_value(values, value, args, kept);
}

// What a term's operands are, to be made first. Those of a loop follow later, as they may lead back
// to it.
static void open_term(ImpValues *values, FssaTerm term, ValueTasks *tasks) {
    const FssaTermNode *node = fssa_at(values->func, term);
    if (node->kind == FT_NAME) {
        vec_push(values->arena, tasks, (ValueTask){.is_reg = true, .id = node->reg.i});
        return;
    }
    if (node->kind == FT_LOOP) return;
    for (uint32_t i = 0; i < node->arg_count; i++)
        vec_push(values->arena, tasks, (ValueTask){.id = fssa_args(values->func, node)[i].i});
    if (node->kind != FT_EFFECT) return;
    const Instr *instr = &values->func->nodes.at[node->ref];
    for (uint32_t i = 0; i < instr->arg_count; i++)
        vec_push(values->arena, tasks,
                 (ValueTask){.is_reg = true, .id = instr_args(values->func, instr)[i].i});
}

static uint32_t close_term(ImpValues *values, FssaTerm term) {
    const FssaTermNode *node = fssa_at(values->func, term);
    if (node->kind == FT_NAME) return values->of_reg[node->reg.i];
    ImpValue value = {.kind = node->kind,
                      .type = node->type,
                      .op = node->op,
                      .high = node->high,
                      .reg = NO_REG,
                      .loop = node->loop.i,
                      .ref = node->ref,
                      .imm = node->imm,
                      .term = term};
    VEC(uint32_t) args = {0};
    for (uint32_t i = 0; i < node->arg_count; i++) {
        uint32_t arg =
            node->kind == FT_LOOP ? 0 : values->of_term[fssa_args(values->func, node)[i].i];
        vec_push(values->arena, &args, arg);
    }
    if (node->kind == FT_EFFECT) {
        const Instr *instr = &values->func->nodes.at[node->ref];
        for (uint32_t i = 0; i < instr->arg_count; i++)
            vec_push(values->arena, &args, values->of_reg[instr_args(values->func, instr)[i].i]);
    }
    for (uint32_t i = 0; i < args.count; i++)
        if ((node->kind == FT_GAMMA && i % 2 == 0) || (node->kind == FT_CLOSE && i == 0))
            args.at[i] = as_condition(values, args.at[i]);
    uint32_t folded = NO_ID;
    if (node->kind == FT_OP) folded = fold_op(values, &value, args.at, args.count);
    if (node->kind == FT_OP && is_failed_test(values, &value, args.at, args.count))
        folded = add_constant(values, TYPE_I32, 0);
    if (node->kind == FT_NOT || node->kind == FT_AND || node->kind == FT_OR)
        folded = fold_logic(values, &value, args.at, args.count);
    if (node->kind == FT_GAMMA) folded = fold_gamma(values, value, args.at, args.count);
    return folded != NO_ID ? folded : add_value(values, value, args.at, args.count);
}

static void open_reg(ImpValues *values, Reg reg, ValueTasks *tasks) {
    FssaTerm term = imp_maker_definition(values->maker, reg);
    if (term.i != NO_ID) vec_push(values->arena, tasks, (ValueTask){.id = term.i});
}

static uint32_t close_reg(ImpValues *values, Reg reg) {
    const Func *func = values->func;
    uint32_t equation = values->maker->definitions[reg.i];
    ImpValue value = {.kind = FT_NAME,
                      .type = (uint8_t)reg_type(func, reg),
                      .reg = reg,
                      .loop = NO_ID,
                      .term = NO_FSSA_TERM};
    if (equation == NO_ID) return add_value(values, value, NULL, 0);
    FssaEquation row = func->fssa->equations.at[equation];
    uint32_t made = values->of_term[row.term.i];
    if (row.dest.i != reg.i) return add_value(values, value, &made, 1); // the result of an effect
    ImpValue *there = imp_value_at(values, made);
    if (there->reg.i == NO_ID) there->reg = reg;
    return made;
}

static void make_values(ImpValues *values, ValueTasks *tasks) {
    while (tasks->count) {
        ValueTask *task = &tasks->at[tasks->count - 1];
        uint32_t *made = &(task->is_reg ? values->of_reg : values->of_term)[task->id];
        if (*made != NO_ID) {
            tasks->count--;
        } else if (!task->opened) {
            task->opened = true;
            if (task->is_reg)
                open_reg(values, (Reg){task->id}, tasks);
            else
                open_term(values, (FssaTerm){task->id}, tasks);
        } else {
            *made = task->is_reg ? close_reg(values, (Reg){task->id})
                                 : close_term(values, (FssaTerm){task->id});
            tasks->count--;
        }
    }
}

uint32_t imp_value_of(ImpValues *values, FssaTerm term) {
    ValueTasks tasks = {0};
    uint32_t loops = values->values.count;
    vec_push(values->arena, &tasks, (ValueTask){.id = term.i});
    make_values(values, &tasks);
    for (; loops < values->values.count; loops++) { // operands of loops
        if (imp_value_at(values, loops)->kind != FT_LOOP) continue;
        const FssaTermNode *node = fssa_at(values->func, imp_value_at(values, loops)->term);
        for (uint32_t i = 0; i < 2; i++) {
            vec_push(values->arena, &tasks, (ValueTask){.id = fssa_args(values->func, node)[i].i});
            make_values(values, &tasks);
            values->args.at[imp_value_at(values, loops)->args_at + i] =
                values->of_term[fssa_args(values->func, node)[i].i];
        }
    }
    return values->of_term[term.i];
}

// ---- Loops

// What a loop closes without changing it is what it was: a value needs no loop to be run that it
// does not depend on. A name that depends on something is no parameter, but the result of an
// effect.
static bool is_kept(ImpValues *values, uint32_t id) {
    uint32_t closed = imp_value_arg(values, id, 1);
    const ImpValue *value = imp_value_at(values, closed);
    if ((value->kind != FT_NAME && value->kind != FT_CONST) || value->arg_count) return false;
    imp_value_at(values, id)->same = closed;
    return true;
}

// The same value on all ways.
static bool is_one(ImpValues *values, uint32_t id) {
    uint32_t first = imp_value_arg(values, id, 1);
    for (uint32_t i = 3; i < imp_value_at(values, id)->arg_count; i += 2)
        if (imp_value_arg(values, id, i) != first) return false;
    imp_value_at(values, id)->same = first;
    return true;
}

// A value that is the same in the next iteration as in this one is what it was in the first.
// Operators whose operands turned out to be constants are constants.
static bool find_unchanged(ImpValues *values) {
    bool changed = false;
    for (uint32_t i = 0; i < values->values.count; i++) {
        ImpValue *value = imp_value_at(values, i);
        if (value->same == i && value->kind == FT_OP) {
            uint32_t args[3];
            for (uint32_t k = 0; k < value->arg_count; k++) args[k] = imp_value_arg(values, i, k);
            ImpValue copy = *value;
            uint32_t folded = fold_op(values, &copy, args, copy.arg_count);
            if (folded != NO_ID && folded != i) {
                imp_value_at(values, i)->same = folded;
                changed = true;
            }
            continue;
        }
        if (value->same != i) continue;
        if (value->kind == FT_CLOSE && value->type != TYPE_VOID) changed |= is_kept(values, i);
        if (value->kind == FT_GAMMA && value->type != TYPE_VOID) changed |= is_one(values, i);
        if (value->kind != FT_LOOP) continue;
        uint32_t first = imp_value_arg(values, i, 0), next = imp_value_arg(values, i, 1);
        if (next != i && next != first) continue;
        if (first == i) continue;
        value->same = first;
        changed = true;
    }
    return changed;
}

static bool is_inside(const ImpValues *values, uint32_t level, uint32_t loop) {
    if (loop == NO_ID) return true;
    while (level != NO_ID && values->depth[level] > values->depth[loop])
        level = values->func->fssa->loops.at[level].parent.i;
    return level == loop;
}

static uint32_t depth_of(const ImpValues *values, uint32_t level) {
    return level == NO_ID ? 0 : values->depth[level];
}

static bool find_levels(ImpValues *values) {
    bool changed = false;
    for (uint32_t i = 0; i < values->values.count; i++) {
        ImpValue *value = imp_value_at(values, i);
        uint32_t level = NO_ID;
        if (value->same != i) continue;
        if (value->kind == FT_LOOP)
            level = value->loop;
        else if (value->kind == FT_CLOSE)
            level = values->func->fssa->loops.at[value->loop].parent.i;
        else
            for (uint32_t k = 0; k < value->arg_count; k++) {
                uint32_t other = imp_value_at(values, imp_value_arg(values, i, k))->level;
                if (depth_of(values, other) > depth_of(values, level)) level = other;
            }
        if (level != value->level) {
            value->level = level;
            changed = true;
        }
    }
    return changed;
}

static bool find_kinds(ImpValues *values) {
    bool changed = false;
    for (uint32_t i = 0; i < values->values.count; i++) {
        ImpValue *value = imp_value_at(values, i);
        if (value->same != i || value->type != TYPE_VOID || value->is_state || value->is_array)
            continue;
        value->is_array = value->kind == FT_ARRAY || value->kind == FT_WRITE;
        value->is_state = value->kind == FT_PRINT || value->kind == FT_EFFECT ||
                          value->kind == FT_NAME || value->kind == FT_STUCK;
        bool passes = value->kind == FT_LOOP || value->kind == FT_CLOSE || value->kind == FT_GAMMA;
        for (uint32_t k = 0; passes && k < value->arg_count; k++) {
            const ImpValue *arg = imp_value_at(values, imp_value_arg(values, i, k));
            if (arg->type != TYPE_VOID) continue;
            value->is_array |= arg->is_array;
            value->is_state |= arg->is_state;
        }
        changed |= value->is_array || value->is_state;
    }
    return changed;
}

static bool find_undef(ImpValues *values) {
    bool changed = false;
    for (uint32_t i = 0; i < values->values.count; i++) {
        ImpValue *value = imp_value_at(values, i);
        if (value->same != i || value->may_be_undef) continue;
        value->may_be_undef = value->kind == FT_UNDEF;
        for (uint32_t k = 0; value->kind != FT_EFFECT && k < value->arg_count; k++)
            value->may_be_undef |= imp_value_at(values, imp_value_arg(values, i, k))->may_be_undef;
        changed |= value->may_be_undef;
    }
    return changed;
}

// To branch on an undefined value, or to use it as an index, is wrong: that may not be done in
// vain.
static void find_heavy(ImpValues *values) {
    for (uint32_t i = 0; i < values->values.count; i++) {
        ImpValue *value = imp_value_at(values, i);
        bool decides = value->kind == FT_GAMMA || value->kind == FT_AND || value->kind == FT_OR ||
                       value->kind == FT_READ || value->kind == FT_WRITE ||
                       imp_value_divides(value);
        bool passes = is_shared(value) || value->kind == FT_GAMMA || value->kind == FT_WRITE ||
                      value->kind == FT_NAME;
        for (uint32_t k = 0; value->same == i && k < value->arg_count; k++) {
            const ImpValue *arg = imp_value_at(values, imp_value_arg(values, i, k));
            bool chosen = value->kind == FT_GAMMA && k % 2;
            value->heavy |= (passes && arg->heavy) || (decides && !chosen && arg->may_be_undef);
        }
    }
}

// An operand changes in loops around its use only.
static bool check_levels(const ImpValues *values, uint32_t id) {
    const ImpValue *value = imp_value_at(values, id);
    for (uint32_t i = 0; i < value->arg_count; i++) {
        uint32_t level = imp_value_at(values, imp_value_arg(values, id, i))->level;
        uint32_t use = value->level;
        if (value->kind == FT_CLOSE) use = value->loop;
        if (value->kind == FT_LOOP && i == 0)
            use = values->func->fssa->loops.at[value->loop].parent.i;
        if (is_inside(values, use, level)) continue;
        imp_maker_refuse(values->maker,
                         arena_printf(values->maker->imp->arena,
                                      "a value that changes in loop %s is used outside of it",
                                      fssa_loop_label(values->func, (FssaLoop){level})));
        return false;
    }
    return true;
}

void imp_values_find(ImpValues *values) {
    while (find_unchanged(values)) continue;
    while (find_levels(values)) continue;
    while (find_kinds(values)) continue;
    while (find_undef(values)) continue;
    find_heavy(values);
}

bool imp_values_settle(ImpValues *values) {
    imp_values_find(values);
    for (uint32_t i = 0; i < values->values.count; i++)
        if (imp_value_at(values, i)->same == i && !check_levels(values, i)) return false;
    return true;
}
