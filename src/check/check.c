#include "check/check.h"

#include <stdarg.h>
#include <string.h>

Verdict verdict_rejected(Arena *arena, Site site, const char *format, ...) {
    Out reason = {0};
    va_list args;
    va_start(args, format);
    out_vprintf(&reason, format, args);
    va_end(args);
    Verdict verdict = {.site = site, .reason = arena_text(arena, reason.text, reason.length)};
    out_free(&reason);
    return verdict;
}

static bool same_reg(const RegInfo *a, const RegInfo *b) {
    return a->type == b->type && str_same(a->name, b->name) && a->number == b->number &&
           a->version == b->version;
}

static Verdict same_registers(Arena *arena, const Func *before, const Func *after) {
    if (after->regs.count < before->regs.count)
        return verdict_rejected(arena, NO_SITE, "registers are missing");
    for (uint32_t i = 0; i < before->regs.count; i++)
        if (!same_reg(&before->regs.at[i], &after->regs.at[i]))
            return verdict_rejected(arena, NO_SITE, "register %u has changed", i);
    return VERDICT_ACCEPTED;
}

// The slots of `before`, under the same numbers.
static Verdict same_slots(Arena *arena, const Func *before, const Func *after) {
    if (after->slots.count < before->slots.count)
        return verdict_rejected(arena, NO_SITE, "slots are missing");
    for (uint32_t i = 0; i < before->slots.count; i++)
        if (before->slots.at[i].size != after->slots.at[i].size ||
            before->slots.at[i].align != after->slots.at[i].align ||
            before->slots.at[i].buffer != after->slots.at[i].buffer ||
            !str_same(before->slots.at[i].name, after->slots.at[i].name)) // complaints name it
            return verdict_rejected(arena, NO_SITE, "slot %u has changed", i);
    return VERDICT_ACCEPTED;
}

// A final function finds its parameters where the calling convention says.
static Verdict same_signature(Arena *arena, const Func *before, const Func *after) {
    if (before->program == after->program && before->symbol.i == after->symbol.i &&
        before->sig.i == after->sig.i &&
        (before->params.count == after->params.count || func_is_final(after)))
        return VERDICT_ACCEPTED;
    return verdict_rejected(arena, NO_SITE, "the signature has changed");
}

Verdict check_same_outline(Arena *arena, const Func *before, const Func *after) {
    Verdict verdict = same_signature(arena, before, after);
    if (verdict.accepted && before->slots.count != after->slots.count)
        verdict = verdict_rejected(arena, NO_SITE, "the number of slots has changed");
    return verdict.accepted ? same_slots(arena, before, after) : verdict;
}

static Verdict same_parameters(Arena *arena, const Func *before, const Func *after) {
    for (uint32_t i = 0; i < before->params.count; i++)
        if (before->params.at[i].i != after->params.at[i].i)
            return verdict_rejected(arena, NO_SITE, "parameter %u has changed", i);
    return same_registers(arena, before, after);
}

Verdict check_same_frame(Arena *arena, const Func *before, const Func *after) {
    Verdict verdict = check_same_outline(arena, before, after);
    return verdict.accepted ? same_parameters(arena, before, after) : verdict;
}

Verdict check_same_interface(Arena *arena, const Func *before, const Func *after) {
    Verdict verdict = same_signature(arena, before, after);
    return verdict.accepted ? same_parameters(arena, before, after) : verdict;
}

Verdict check_extended_frame(Arena *arena, const Func *before, const Func *after) {
    Verdict verdict = same_signature(arena, before, after);
    if (verdict.accepted) verdict = same_slots(arena, before, after);
    return verdict.accepted ? same_parameters(arena, before, after) : verdict;
}

Verdict check_same_graph(Arena *arena, const Func *before, const Func *after) {
    if (before->nodes.count != after->nodes.count)
        return verdict_rejected(arena, NO_SITE, "the number of nodes has changed");
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *then = &before->nodes.at[n], *now = &after->nodes.at[n];
        const Node *old = instr_succs(before, then), *fresh = instr_succs(after, now);
        if (then->succ_count != now->succ_count)
            return verdict_rejected(arena, (Site){n}, "the number of successors has changed");
        for (uint32_t k = 0; k < then->succ_count; k++)
            if (old[k].i != fresh[k].i)
                return verdict_rejected(arena, (Site){n}, "successor %u has changed", k);
    }
    return VERDICT_ACCEPTED;
}

bool check_same_succs(const Func *before, const Instr *then, const Func *after, const Instr *now) {
    return then->succ_count == now->succ_count &&
           memcmp(instr_succs(before, then), instr_succs(after, now),
                  then->succ_count * sizeof(Node)) == 0;
}
