#include "test/gen/plain_values.h"

#include "fact/effects.h"
#include "graph/definitions.h"

#include <string.h>

uint32_t plain_add(Arena *arena, ValuesHint *hint, HintValue value, const uint32_t *args) {
    value.first = value.count ? hint->args.count : 0;
    for (uint32_t k = 0; k < value.count; k++) vec_push(arena, &hint->args, args[k]);
    vec_push(arena, &hint->values, value);
    return hint->values.count - 1;
}

static uint32_t operator_value(Arena *arena, ValuesHint *hint, Op op, const uint32_t *args) {
    HintValue value = {
        .kind = VALUE_OP, .op = (uint16_t)op, .ref = NO_ID, .count = op_info(op)->arity};
    return plain_add(arena, hint, value, args);
}

static uint32_t constant_value(Arena *arena, ValuesHint *hint, Type type, int64_t imm) {
    HintValue value = {.kind = VALUE_OP, .op = (uint16_t)op_const(type), .ref = NO_ID, .imm = imm};
    return plain_add(arena, hint, value, NULL);
}

// The operator of an OP, or the condition of a COND.
static uint32_t instr_value(Arena *arena, ValuesHint *hint, const Instr *instr) {
    const OpInfo *info = op_info(instr->op);
    uint32_t args[3];
    if (info->arity == 0) {
        bool address = instr->op == OP_ADDR_SLOT || instr->op == OP_ADDR_SYMBOL;
        HintValue value = {.kind = VALUE_OP,
                           .op = instr->op,
                           .high = instr->high,
                           .ref = address ? instr->ref : NO_ID,
                           .imm = instr->imm};
        return plain_add(arena, hint, value, NULL);
    }
    for (uint32_t k = 0; k < info->arity; k++)
        args[k] = k < instr->arg_count ? hint->value_of.at[instr->arg[k].i]
                                       : constant_value(arena, hint, info->operand[k], instr->imm);
    return operator_value(arena, hint, (Op)instr->op, args);
}

static bool is_formed(const Instr *instr) {
    return instr->kind == I_OP && op_info(instr->op)->arity < 2 && !op_is_move(instr->op);
}

ValuesHint *plain_values(Arena *arena, const Func *before, const Func *after) {
    ValuesHint *hint = ARENA_NEW(arena, ValuesHint);
    uint32_t regs = before->regs.count;
    uint32_t *value_of = vec_extend(arena, &hint->value_of, regs);
    uint32_t *formed = vec_extend(arena, &hint->formed, regs);
    memset(formed, 0xff, regs * sizeof *formed);
    for (uint32_t r = 0; r < regs; r++)
        value_of[r] = plain_add(arena, hint, (HintValue){.kind = VALUE_OLD, .ref = r}, NULL);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        if (is_formed(instr))
            value_of[instr->dest.i] = formed[instr->dest.i] = instr_value(arena, hint, instr);
        bool stays = n < after->nodes.count && after->nodes.at[n].kind == I_LOAD;
        if (instr->kind == I_LOAD && stays) formed[instr->dest.i] = value_of[instr->dest.i];
    }
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (before->nodes.at[n].kind == I_COND)
            vec_push(arena, &hint->tests, instr_value(arena, hint, &before->nodes.at[n]));
    for (uint32_t n = 0; n < after->nodes.count; n++) vec_push(arena, &hint->old, (Node){n});
    const Definition *now = definitions_of(arena, after);
    for (uint32_t r = 0; r < after->regs.count; r++)
        vec_push(arena, &hint->value_of_new,
                 r < regs && now[r].by != SET_BY_NOTHING ? value_of[r] : NO_ID);
    return hint;
}

void plain_forward(Arena *arena, const Func *before, const Func *after, Node node,
                   ValuesHint *hint) {
    const Instr *load = func_at(before, node), *now = func_at(after, node);
    Op extension = chunk_extension((Chunk)load->chunk);
    uint32_t held = hint->value_of.at[now->arg[0].i], value = held, formed = NO_ID;
    if (extension != OP_COUNT) formed = operator_value(arena, hint, extension, &held);
    if (now->op == extension)
        value = formed;
    else if (!op_is_move(now->op))
        value = operator_value(arena, hint, (Op)now->op, &held);
    else if (formed != NO_ID)
        vec_push(arena, &hint->steps, (ValueStep){formed, held, STEP_EXTENDED});
    hint->value_of.at[load->dest.i] = hint->value_of_new.at[load->dest.i] = value;
    hint->formed.at[load->dest.i] = formed;
}
