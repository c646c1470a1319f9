#include "check/frame.h"

static bool same_reg(const RegInfo *a, const RegInfo *b) {
    return a->type == b->type && str_same(a->name, b->name) && a->number == b->number &&
           a->version == b->version;
}

const char *frame_difference(Arena *arena, const Func *before, const Func *after) {
    if (before->program != after->program || before->symbol.i != after->symbol.i ||
        before->sig.i != after->sig.i || before->params.count != after->params.count)
        return "the signature has changed";
    for (uint32_t i = 0; i < before->params.count; i++)
        if (before->params.at[i].i != after->params.at[i].i)
            return arena_printf(arena, "parameter %u has changed", i);
    if (after->regs.count < before->regs.count) return "registers are missing";
    for (uint32_t i = 0; i < before->regs.count; i++)
        if (!same_reg(&before->regs.at[i], &after->regs.at[i]))
            return arena_printf(arena, "register %u has changed", i);
    if (before->slots.count != after->slots.count) return "the number of slots has changed";
    for (uint32_t i = 0; i < before->slots.count; i++)
        if (before->slots.at[i].size != after->slots.at[i].size ||
            before->slots.at[i].align != after->slots.at[i].align)
            return arena_printf(arena, "slot %u has changed", i);
    return NULL;
}
