// `a && b` looks at b only if a holds. If b may go wrong, or needs a loop to be run, and cannot be
// written inside of the expression as a whole, the expression becomes a conditional value, so that
// b gets a place under a condition.
#include "imp/imp_values.h"

static bool is_logic(const ImpValue *value) {
    return value->kind == FT_AND || value->kind == FT_OR;
}

// Whether all of a value that may not be computed in vain is used here only, and so can be written
// here. Values come behind their operands.
static bool *find_written_here(const ImpValues *values, Arena *arena) {
    uint32_t count = values->values.count;
    uint32_t *uses = ARENA_ARRAY(arena, uint32_t, count);
    bool *here = ARENA_ARRAY(arena, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        const ImpValue *value = imp_value_at(values, i);
        bool whole = value->kind == FT_CLOSE || value->kind == FT_EFFECT;
        for (uint32_t k = 0; value->same == i && k < value->arg_count; k++)
            uses[imp_value_arg(values, i, k)] += whole ? 2 : 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        const ImpValue *value = imp_value_at(values, i);
        here[i] = !value->heavy || (imp_is_expression(value) && uses[i] == 1);
        for (uint32_t k = 0; here[i] && value->heavy && k < value->arg_count; k++) {
            uint32_t arg = imp_value_arg(values, i, k);
            here[i] = arg < i ? here[arg] : !imp_value_at(values, arg)->heavy;
        }
    }
    return here;
}

static uint32_t deepest(const ImpValues *values, const uint32_t *args, uint32_t count) {
    uint32_t level = NO_ID;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = imp_value_at(values, args[i])->level;
        if (other != NO_ID && (level == NO_ID || values->depth[other] > values->depth[level]))
            level = other;
    }
    return level;
}

uint32_t imp_value_make(ImpValues *values, FssaTermKind kind, const uint32_t *args,
                        uint32_t count) {
    ImpValue value = {.kind = (uint8_t)kind,
                      .type = TYPE_I32,
                      .reg = NO_REG,
                      .loop = NO_ID,
                      .args_at = values->args.count,
                      .arg_count = count,
                      .same = values->values.count,
                      .alike = values->values.count,
                      .term = NO_FSSA_TERM};
    value.level = deepest(values, args, count);
    for (uint32_t i = 0; i < count; i++) {
        value.fragile |= imp_value_at(values, args[i])->fragile;
        value.heavy |= imp_value_at(values, args[i])->heavy;
        vec_push(values->arena, &values->args, args[i]);
    }
    vec_push(values->arena, &values->values, value);
    return values->values.count - 1;
}

uint32_t imp_value_truth(ImpValues *values, bool truth) {
    uint32_t id = imp_value_make(values, FT_CONST, NULL, 0);
    imp_value_at(values, id)->op = OP_CONST_I32;
    imp_value_at(values, id)->imm = truth;
    return id;
}

// 0 or 1.
static uint32_t as_truth(ImpValues *values, uint32_t id) {
    const ImpValue *value = imp_value_at(values, id);
    bool is_truth = is_logic(value) || value->kind == FT_NOT || value->kind == FT_CASE ||
                    (value->kind == FT_OP && op_info(value->op)->flags & OPF_COND);
    if (is_truth) return id;
    uint32_t inverse = imp_value_make(values, FT_NOT, &id, 1);
    return imp_value_make(values, FT_NOT, &inverse, 1);
}

// The first operands decide whether those from `from` on are looked at.
static void split(ImpValues *values, uint32_t id, uint32_t from) {
    ImpValue value = *imp_value_at(values, id);
    uint32_t *args = ARENA_ARRAY(values->arena, uint32_t, value.arg_count);
    uint32_t rest_count = value.arg_count - from;
    for (uint32_t i = 0; i < value.arg_count; i++) args[i] = imp_value_arg(values, id, i);
    uint32_t first =
        from == 1 ? args[0] : imp_value_make(values, (FssaTermKind)value.kind, args, from);
    uint32_t rest = rest_count == 1
                        ? as_truth(values, args[from])
                        : imp_value_make(values, (FssaTermKind)value.kind, args + from, rest_count);
    uint32_t one = imp_value_truth(values, 1), known = imp_value_truth(values, value.kind == FT_OR);
    uint32_t pairs[] = {first, value.kind == FT_AND ? rest : known, one,
                        value.kind == FT_AND ? known : rest};
    ImpValue *changed = imp_value_at(values, id);
    changed->kind = FT_GAMMA;
    changed->arg_count = 4;
    changed->args_at = values->args.count;
    for (uint32_t i = 0; i < 4; i++) vec_push(values->arena, &values->args, pairs[i]);
}

void imp_values_split_logic(ImpValues *values) {
    const bool *here = find_written_here(values, values->arena);
    uint32_t known = values->values.count;
    for (uint32_t i = 0; i < values->values.count; i++) {
        const ImpValue *value = imp_value_at(values, i);
        if (value->same != i || !is_logic(value)) continue;
        for (uint32_t k = 1; k < value->arg_count; k++) {
            uint32_t arg = imp_value_arg(values, i, k);
            // What was made here is heavy only if it was split off for that.
            if (arg < known ? here[arg] : !imp_value_at(values, arg)->heavy) continue;
            split(values, i, k);
            break;
        }
    }
}
