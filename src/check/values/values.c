// Checks the tables of the hint: each value is well-formed, each step is right, each branch has the
// claimed ways.
#include "check/values/values.h"

#include "fact/effects.h"
#include "fact/eval.h"
#include "fact/unit_memory.h"

#include <string.h>

// ---- Values

static bool args_exist(const Values *values, const HintValue *it) {
    uint32_t count = values->hint->args.count;
    return it->first <= count && it->count <= count - it->first;
}

// The arguments of an operator have smaller numbers.
static bool is_operator(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    if (it->op >= OP_COUNT || it->count != op_info((Op)it->op)->arity || !args_exist(values, it))
        return false;
    if (it->op == OP_ADDR_SLOT) return it->ref < values->before->slots.count;
    if (it->op == OP_ADDR_SYMBOL) return it->ref < values->before->program->symbols.count;
    for (uint32_t k = 0; k < it->count; k++)
        if (terms_args(&values->terms, value)[k] >= value) return false;
    return true;
}

// The signature of the function of a CALL.
static const SigInfo *called_sig(const Values *values, const HintValue *it) {
    const Program *program = values->before->program;
    return program_sig_info(program, program_at(program, (Sym){it->ref})->sig);
}

// The arguments have smaller numbers.
static bool is_call(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    const Program *program = values->before->program;
    if (it->ref >= program->symbols.count || !unit_is_pure(program, (Sym){it->ref}) ||
        it->count != called_sig(values, it)->param_count || !args_exist(values, it))
        return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (terms_args(&values->terms, value)[k] >= value) return false;
    return true;
}

// Nothing is a PHI of the entry: control comes there without a way in, so such a PHI would be known
// everywhere, and set nowhere.
static bool is_phi(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    if (it->ref == 0 || it->ref >= values->before->nodes.count || !args_exist(values, it))
        return false;
    if (it->count < 2 || it->count != preds_count(&values->preds, (Node){it->ref})) return false;
    for (uint32_t k = 0; k < it->count; k++) {
        uint32_t arg = terms_args(&values->terms, value)[k];
        if (arg != NO_ID && arg >= values->count) return false;
    }
    return true;
}

// The values of the address have smaller numbers, so that loads in front of one node can be done
// one after the other.
static bool is_load(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    const Func *func = values->before;
    if (it->ref >= func->nodes.count || it->imm < 0 || it->imm >= func->nodes.count) return false;
    const Instr *instr = &func->nodes.at[it->imm];
    if (instr->kind != I_LOAD) return false;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (values->value_of[instr_args(func, instr)[k].i] >= value) return false;
    return true;
}

static Type type_of_value(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    if (it->kind == VALUE_OLD) return reg_type(values->before, (Reg){it->ref});
    if (it->kind == VALUE_OP) return op_info((Op)it->op)->result;
    if (it->kind == VALUE_PHI) return TYPE_VOID;
    if (it->kind == VALUE_CALL)
        return program_ptype_info(values->before->program, called_sig(values, it)->result)->type;
    return reg_type(values->before, values->before->nodes.at[it->imm].dest);
}

static bool check_value(Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    bool good = false;
    switch (it->kind) {
    case VALUE_OLD: good = it->ref < values->before->regs.count; break;
    case VALUE_OP: good = is_operator(values, value); break;
    case VALUE_PHI: good = is_phi(values, value); break;
    case VALUE_LOAD: good = is_load(values, value); break;
    case VALUE_CALL: good = is_call(values, value); break;
    default: break;
    }
    if (!good) return VALUES_REJECT(values, NO_NODE, "value %u is none", value);
    values->type[value] = (uint8_t)type_of_value(values, value);
    return true;
}

// ---- Types

// Phis that are arguments of each other have one type: that of any other argument.
static void find_phi_types(Values *values) {
    uint32_t *set = ARENA_ARRAY(values->arena, uint32_t, values->count);
    for (uint32_t v = 0; v < values->count; v++) set[v] = v;
    for (uint32_t v = 0; v < values->count; v++) {
        const HintValue *it = &values->terms.values[v];
        for (uint32_t k = 0; it->kind == VALUE_PHI && k < it->count; k++) {
            uint32_t arg = terms_args(&values->terms, v)[k];
            if (arg != NO_ID && values->terms.values[arg].kind == VALUE_PHI)
                set[value_root(set, arg)] = value_root(set, v);
            else if (arg != NO_ID)
                values->type[v] = values->type[arg];
        }
    }
    for (uint32_t v = 0; v < values->count; v++)
        if (values->type[v] != TYPE_VOID) values->type[value_root(set, v)] = values->type[v];
    for (uint32_t v = 0; v < values->count; v++)
        if (values->type[v] == TYPE_VOID) values->type[v] = values->type[value_root(set, v)];
}

static bool has_args(const HintValue *it) {
    return it->kind == VALUE_OP || it->kind == VALUE_PHI || it->kind == VALUE_CALL;
}

static Type type_of_arg(const Values *values, uint32_t value, uint32_t k) {
    const HintValue *it = &values->terms.values[value];
    if (it->kind == VALUE_CALL)
        return program_ptype_info(values->before->program, called_sig(values, it)->params[k])->type;
    return it->kind == VALUE_OP ? op_info((Op)it->op)->operand[k] : (Type)values->type[value];
}

static bool check_types(Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    for (uint32_t k = 0; has_args(it) && k < it->count; k++) {
        uint32_t arg = terms_args(&values->terms, value)[k];
        Type type = type_of_arg(values, value, k);
        if (arg != NO_ID && values->type[arg] != type)
            return VALUES_REJECT(values, NO_NODE, "argument %u of value %u has another type", k,
                                 value);
    }
    return true;
}

static bool check_table(Values *values) {
    uint64_t work = 0;
    for (uint32_t v = 0; v < values->count; v++) {
        if (!check_value(values, v)) return false;
        const HintValue *it = &values->terms.values[v];
        if (has_args(it)) work += it->count;
    }
    if (check_takes_too_long(work, (uint64_t)values->count + values->hint->args.count))
        return VALUES_REJECT(values, NO_NODE, "values have too many arguments in common");
    find_phi_types(values);
    for (uint32_t v = 0; v < values->count; v++)
        if (!check_types(values, v)) return false;
    return true;
}

// ---- Steps

// The chunk of the load that yields a value; CHUNK_COUNT if that is not known.
static uint32_t loaded_chunk(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    const Instr *instr = NULL;
    if (it->kind == VALUE_LOAD) instr = &values->before->nodes.at[it->imm];
    if (it->kind == VALUE_OLD)
        instr = defining_instr(values->before, values->definitions, (Reg){it->ref});
    return instr && instr->kind == I_LOAD ? instr->chunk : CHUNK_COUNT;
}

// A load has extended its value likewise.
static bool is_extended(const Values *values, uint32_t from, uint32_t to) {
    const HintValue *it = &values->terms.values[from];
    uint32_t chunk = loaded_chunk(values, to);
    return it->kind == VALUE_OP && it->count == 1 && terms_args(&values->terms, from)[0] == to &&
           chunk < CHUNK_COUNT && it->op == chunk_extension((Chunk)chunk);
}

// A step of a counter counts from now on; values_check_counted asks for its reason.
static bool may_count(const Values *values, uint32_t step, uint32_t counted) {
    const ValuesHint *hint = values->hint;
    return counted < hint->counted.count && hint->counted.at[counted].step == step &&
           values->terms.values[hint->steps.at[step].to].kind == VALUE_PHI;
}

static bool check_step(const Values *values, uint32_t i, const RangeView *view, uint32_t *counted) {
    const ValueStep *step = &values->hint->steps.at[i];
    if (step->rule == STEP_COUNTED) return may_count(values, i, (*counted)++);
    if (step->rule == STEP_EXTENDED) return is_extended(values, step->from, step->to);
    return value_step_is_right(&values->terms, step, (Type)values->type[step->from], values->root,
                               view);
}

static bool check_steps(Values *values) {
    RangeView view = {.all = values->range};
    uint32_t counted = 0;
    for (uint32_t v = 0; v < values->count; v++) values->root[v] = v;
    for (uint32_t i = 0; i < values->hint->steps.count; i++) {
        const ValueStep *step = &values->hint->steps.at[i];
        if (step->from >= values->count || step->to >= values->count)
            return VALUES_REJECT(values, NO_NODE, "step %u is about no value", i);
        if (values->type[step->from] != values->type[step->to])
            return VALUES_REJECT(values, NO_NODE, "step %u changes the type", i);
        if (values->root[step->from] != step->from ||
            value_root(values->root, step->to) == step->from)
            return VALUES_REJECT(values, NO_NODE, "step %u leads in a circle, or is a second one",
                                 i);
        if (!check_step(values, i, values->range ? &view : NULL, &counted))
            return VALUES_REJECT(values, NO_NODE, "step %u is not right", i);
        values->root[step->from] = step->to;
    }
    for (uint32_t v = 0; v < values->count; v++) values->root[v] = value_root(values->root, v);
    return counted == values->hint->counted.count ||
           VALUES_REJECT(values, NO_NODE, "there are reasons for counting without a step");
}

// ---- Ways

static bool is_value(const Values *values, uint32_t value) {
    return value == NO_ID || value < values->count;
}

// A table with one member for each register; if it is empty, all are NO_ID. NULL if it has another
// size.
static const uint32_t *table_of_regs(const Values *values, const uint32_t *table, uint32_t count) {
    uint32_t regs = values->before->regs.count;
    if (count) return count == regs ? table : NULL;
    uint32_t *nothing = ARENA_ARRAY(values->arena, uint32_t, (size_t)regs + 1); // never NULL
    memset(nothing, 0xff, regs * sizeof *nothing);
    return nothing;
}

static bool check_tables_of_regs(Values *values) {
    const ValuesHint *hint = values->hint;
    values->value_of = table_of_regs(values, hint->value_of.at, hint->value_of.count);
    values->formed = table_of_regs(values, hint->formed.at, hint->formed.count);
    if (!values->value_of || !values->formed)
        return VALUES_REJECT(values, NO_NODE, "the hint does not cover everything");
    for (uint32_t r = 0; r < values->before->regs.count; r++)
        if (!is_value(values, values->value_of[r]) || !is_value(values, values->formed[r]))
            return VALUES_REJECT(values, NO_NODE, "register %u is claimed to be no value", r);
    return true;
}

static bool check_tables_of_nodes(Values *values) {
    const ValuesHint *hint = values->hint;
    uint32_t conds = 0;
    for (uint32_t n = 0; n < values->before->nodes.count; n++) {
        values->test[n] = values->gate[n] = NO_ID;
        if (values->before->nodes.at[n].kind != I_COND) continue;
        if (conds < hint->tests.count) values->test[n] = hint->tests.at[conds];
        if (!is_value(values, values->test[n]))
            return VALUES_REJECT(values, NO_NODE, "the condition of old node %u is no value", n);
        conds++;
    }
    for (uint32_t i = 0; i < hint->gated.count; i++) {
        GatedJoin it = hint->gated.at[i];
        if (it.join.i >= values->before->nodes.count || it.first > hint->edges.count ||
            preds_count(&values->preds, it.join) > hint->edges.count - it.first)
            return VALUES_REJECT(values, NO_NODE, "the ways of join number %u are none", i);
        values->gate[it.join.i] = it.first;
    }
    return !hint->tests.count || conds == hint->tests.count ||
           VALUES_REJECT(values, NO_NODE, "the hint does not cover every condition");
}

// The way that constants decide on; NO_ID if they do not.
static uint32_t constant_way(const Values *values, Node node) {
    const Func *func = values->before;
    const Instr *instr = func_at(func, node);
    uint32_t value =
        instr->kind == I_COND ? values->test[node.i] : values->value_of[instr->arg[0].i];
    Value constant;
    if (value == NO_ID || !terms_constant(&values->terms, values->root[value], &constant))
        return NO_ID;
    if (instr->kind == I_COND) return constant.bits ? 0 : 1;
    if (instr->kind == I_CHECK) return constant.bits ? 0 : NO_ID;
    Type type = reg_type(func, instr->arg[0]);
    for (uint32_t k = 0; k + 1 < instr->succ_count; k++)
        if (value_immediate(type, instr_cases(func, instr)[k]).bits == constant.bits) return k + 1;
    return 0;
}

static bool find_ways(Values *values) {
    const ValuesHint *hint = values->hint;
    const Func *func = values->before;
    uint32_t next = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        values->way[n] = NO_ID;
        const Instr *instr = &func->nodes.at[n];
        bool decided = next < hint->decisions.count && hint->decisions.at[next].edge.branch.i == n;
        if (instr_is_branch(instr) || instr->kind == I_CHECK)
            values->way[n] = constant_way(values, (Node){n});
        else if (decided)
            return VALUES_REJECT(values, NO_NODE, "old node %u is decided and no branch", n);
        if (!decided) continue;
        uint32_t way = hint->decisions.at[next++].edge.way;
        if (way == NO_ID) { // whatever is known of it
            values->way[n] = NO_ID;
            continue;
        }
        if (way >= instr->succ_count)
            return VALUES_REJECT(values, NO_NODE, "old node %u has no such way", n);
        if (values->way[n] == NO_ID) values->way[n] = way;
    }
    return next == hint->decisions.count ||
           VALUES_REJECT(values, NO_NODE, "the decisions are not in order");
}

static bool is_shut_before(const ShutWay *it, uint32_t node, uint32_t way) {
    return it->edge.branch.i < node || (it->edge.branch.i == node && it->edge.way < way);
}

static bool check_shut(Values *values) {
    const ValuesHint *hint = values->hint;
    for (uint32_t i = 0; i < hint->shut.count; i++) {
        BranchEdge it = hint->shut.at[i].edge;
        bool ordered = i == 0 || is_shut_before(&hint->shut.at[i - 1], it.branch.i, it.way);
        if (!ordered || it.branch.i >= values->before->nodes.count ||
            func_at(values->before, it.branch)->kind != I_SWITCH ||
            it.way >= func_at(values->before, it.branch)->succ_count)
            return VALUES_REJECT(values, NO_NODE, "shut way number %u is none, or not in order", i);
    }
    return true;
}

bool values_goes(const Values *values, Node node, uint32_t way) {
    const ValuesHint *hint = values->hint;
    uint32_t low = 0, high = hint->shut.count;
    if (values->way[node.i] != NO_ID) return values->way[node.i] == way;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (is_shut_before(&hint->shut.at[middle], node.i, way))
            low = middle + 1;
        else
            high = middle;
    }
    return low == hint->shut.count || hint->shut.at[low].edge.branch.i != node.i ||
           hint->shut.at[low].edge.way != way;
}

// A switch has the ways that are not shut.
static void shut_ways(const Values *values, Func *open, Node node) {
    const Instr *instr = func_at(values->before, node);
    Node *to = ARENA_ARRAY(values->arena, Node, instr->succ_count);
    uint32_t left = 0;
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (values_goes(values, node, k)) to[left++] = instr_succs(values->before, instr)[k];
    func_set_succs(open, node, to, left);
}

// The remaining function if branches go only the ways that remain.
static Func *open_graph(const Values *values) {
    const Func *before = values->before;
    Func *open = ARENA_NEW(values->arena, Func);
    *open = *before;
    uint32_t closed = values->hint->shut.count;
    for (uint32_t n = 0; n < before->nodes.count; n++)
        closed += values->way[n] != NO_ID && before->nodes.at[n].succ_count > 1;
    if (!closed) return open;
    open->cache = NULL;
    open->arena = values->arena;
    open->node_pool.capacity = open->node_pool.count; // to be copied before it grows
    open->nodes.at = ARENA_ARRAY(values->arena, Instr, before->nodes.count);
    memcpy(open->nodes.at, before->nodes.at, before->nodes.count * sizeof(Instr));
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        if (values->way[n] == NO_ID || instr->succ_count < 2) continue;
        Node to = instr_succs(before, instr)[values->way[n]];
        open->nodes.at[n] = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {to}};
    }
    for (uint32_t i = 0; i < values->hint->shut.count; i++) {
        Node node = values->hint->shut.at[i].edge.branch;
        bool again = i > 0 && values->hint->shut.at[i - 1].edge.branch.i == node.i;
        if (!again && values->way[node.i] == NO_ID) shut_ways(values, open, node);
    }
    return open;
}

static bool follow_ways(Values *values) {
    const Func *open = open_graph(values);
    uint32_t nodes = open->nodes.count;
    Preds preds = preds_of(values->arena, open);
    values->dom = dominance_of(values->arena, open, &preds);
    values->ways_in = ARENA_ARRAY(values->arena, uint32_t, nodes);
    for (uint32_t n = 0; n < nodes; n++) {
        if (!values_reach(values, (Node){n})) continue;
        const Instr *instr = &open->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++)
            values->ways_in[instr_succs(open, instr)[k].i]++;
    }
    return values->ways_in[0] == 0 || VALUES_REJECT(values, NO_NODE, "the entry has a predecessor");
}

// ---- Points

bool point_is_above(const Values *values, Point a, Point b) {
    if (a.level == POINT_NEVER || b.level == POINT_NEVER) return false;
    if (a.node == NO_ID || b.node == NO_ID) return a.node == NO_ID;
    if (a.node == b.node) return a.level <= b.level;
    return dominates(&values->dom, (Node){a.node}, (Node){b.node});
}

bool value_is_above_join(const Values *values, uint32_t value, Node join) {
    Point base = values->base[value];
    return base.node != join.i && point_is_above(values, base, (Point){join.i, POINT_PHIS});
}

Point point_of_reg(const Values *values, Reg reg) {
    Definition definition = values->definitions[reg.i];
    if (definition.node.i == NO_ID) return POINT_TOP;
    if (!values_reach(values, definition.node)) return POINT_NONE;
    return (Point){definition.node.i, definition.by == SET_BY_PHI ? POINT_PHIS : POINT_INSTR};
}

static Point base_of(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    if (it->kind == VALUE_OLD) return point_of_reg(values, (Reg){it->ref});
    if (it->kind == VALUE_PHI || it->kind == VALUE_LOAD) {
        if (!values_reach(values, (Node){it->ref})) return POINT_NONE;
        return (Point){it->ref, it->kind == VALUE_PHI ? POINT_PHIS : POINT_LOADS};
    }
    Point lowest = POINT_TOP;
    for (uint32_t k = 0; k < it->count; k++) {
        Point arg = values->base[terms_args(&values->terms, value)[k]];
        if (point_is_above(values, lowest, arg))
            lowest = arg;
        else if (!point_is_above(values, arg, lowest))
            return POINT_NONE;
    }
    return lowest;
}

static bool find_bases(Values *values) {
    for (uint32_t v = 0; v < values->count; v++) {
        const HintValue *it = &values->terms.values[v];
        values->base[v] = base_of(values, v);
        if (it->kind != VALUE_LOAD || values->base[v].level == POINT_NEVER) continue;
        const Instr *instr = &values->before->nodes.at[it->imm];
        for (uint32_t k = 0; k < instr->arg_count; k++) {
            uint32_t arg = values->value_of[instr_args(values->before, instr)[k].i];
            if (!point_is_above(values, values->base[arg], values->base[v]))
                return VALUES_REJECT(values, NO_NODE,
                                     "the address of value %u is not known at old node %u", v,
                                     it->ref);
        }
    }
    return true;
}

bool values_start(Values *values, Arena *arena, const Func *before, const ValuesHint *hint) {
    uint32_t count = hint->values.count, nodes = before->nodes.count;
    *values = (Values){.arena = arena,
                       .before = before,
                       .hint = hint,
                       .terms = {.values = hint->values.at,
                                 .args = hint->args.at,
                                 .before = before,
                                 .target = before->program->target},
                       .count = count,
                       .preds = preds_of(arena, before),
                       .definitions = definitions_of(arena, before),
                       .root = ARENA_ARRAY(arena, uint32_t, count),
                       .type = ARENA_ARRAY(arena, uint8_t, count),
                       .base = ARENA_ARRAY(arena, Point, count),
                       .test = ARENA_ARRAY(arena, uint32_t, nodes),
                       .gate = ARENA_ARRAY(arena, uint32_t, nodes),
                       .way = ARENA_ARRAY(arena, uint32_t, nodes)};
    values->terms.definitions = values->definitions;
    return check_tables_of_regs(values) && check_tables_of_nodes(values) && check_table(values) &&
           values_find_ranges(values) && check_steps(values) && check_shut(values) &&
           find_ways(values) && follow_ways(values) && find_bases(values) &&
           values_check_counted(values) && values_check_facts(values);
}

// ---- Registers

bool value_is_undefined(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    return it->kind == VALUE_OLD && values_never_set(values, (Reg){it->ref});
}

bool value_refines_reg(const Values *values, Reg reg, uint32_t value) {
    uint32_t claimed = values->value_of[reg.i];
    if (values_never_set(values, reg)) return true;
    if (claimed != NO_ID && value_is_undefined(values, claimed)) return true;
    if (value == NO_ID) return false;
    if (value_is_old(values, value, reg)) return true;
    return claimed != NO_ID && (claimed == value || values->root[claimed] == value);
}

bool value_is_immediate(const Values *values, uint32_t value, Type type, int64_t imm) {
    Value constant;
    return values->type[value] == type && terms_constant(&values->terms, value, &constant) &&
           constant.bits == value_immediate(type, imm).bits && !constant.high;
}

static bool operands_are(const Values *values, uint32_t value, const Instr *instr, bool swap,
                         const void *context, StandsFor *stands_for) {
    const HintValue *it = &values->terms.values[value];
    for (uint32_t k = 0; k < it->count; k++) {
        uint32_t arg = terms_args(&values->terms, value)[swap ? 1 - k : k];
        if (!(k < instr->arg_count
                  ? stands_for(context, instr->arg[k], arg)
                  : value_is_immediate(values, arg, op_info(instr->op)->operand[k], instr->imm)))
            return false;
    }
    return true;
}

bool value_is_instr(const Values *values, uint32_t value, const Instr *instr, const void *context,
                    StandsFor *stands_for) {
    const HintValue *it = &values->terms.values[value];
    if (it->kind != VALUE_OP || it->op != instr->op) return false;
    if (it->count == 0) {
        Type type = op_info((Op)it->op)->result;
        if (op_family((Op)it->op) != FAM_CONST)
            return it->ref == instr->ref && it->imm == instr->imm;
        return value_immediate(type, it->imm).bits == value_immediate(type, instr->imm).bits &&
               it->high == instr->high;
    }
    return operands_are(values, value, instr, false, context, stands_for) ||
           (op_info((Op)it->op)->flags & OPF_COMM &&
            operands_are(values, value, instr, true, context, stands_for));
}

static bool refines_reg(const void *context, Reg reg, uint32_t value) {
    return value_refines_reg(context, reg, value);
}

bool value_is_call(const Values *values, uint32_t value, const Func *func, const Instr *instr,
                   const void *context, StandsFor *stands_for) {
    const HintValue *it = &values->terms.values[value];
    if (it->kind != VALUE_CALL || !unit_calls_own(func->program, instr) || it->ref != instr->ref)
        return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (!stands_for(context, instr_args(func, instr)[k], terms_args(&values->terms, value)[k]))
            return false;
    return true;
}

bool value_is_called(const Values *values, uint32_t value, const Instr *instr) {
    return value_is_call(values, value, values->before, instr, values, refines_reg);
}

bool value_is_formed(const Values *values, uint32_t value, const Instr *instr) {
    return value != NO_ID && value_is_instr(values, value, instr, values, refines_reg);
}
