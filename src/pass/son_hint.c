#include "pass/son_hint.h"

#include "fact/effects.h"
#include "form/son/son.h"
#include "pass/son_trail.h"

#include <string.h>

SonWork *son_work_unoptimized(Arena *arena, const Func *son) {
    const Func *before = son->son->trail->before;
    SonWork *work = son_work_plain(arena, before);
    son_work_finish(work);
    (void)vec_extend(arena, &work->value_of_reg, son->regs.count);
    for (uint32_t r = 0; r < son->regs.count; r++)
        work->value_of_reg.at[r] = r < before->regs.count ? work->value_of[r] : NO_ID;
    return work;
}

// ---- Checks that are gone

// Decisions for the checks of `before` that `after` does not perform. Others have theirs already.
static void explain_checks(SonWork *work, const SonHint *hint) {
    const Func *before = work->before;
    Bits there = bits_new(work->arena, before->nodes.count);
    bool missing = false;
    for (uint32_t i = 0; i < hint->old.count; i++)
        if (hint->old.at[i].i != NO_ID) bits_add(&there, hint->old.at[i].i);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        missing |= before->nodes.at[n].kind == I_CHECK && bits_has(&work->reached, n) &&
                   work->way[n] == NO_ID && !bits_has(&there, n);
    if (!missing) return;
    uint32_t *way = ARENA_ARRAY(work->arena, uint32_t, before->nodes.count), kept = 0;
    son_decide(work, way);
    for (uint32_t i = 0; i < work->decisions.count; i++) {
        Decision decision = work->decisions.at[i];
        Node node = decision.edge.branch;
        if (work->way[node.i] != NO_ID ||
            (func_at(before, node)->kind == I_CHECK && !bits_has(&there, node.i)))
            work->decisions.at[kept++] = decision;
    }
    work->decisions.count = kept;
}

// ---- Tables

#define TAKE(arena, to, from)                                                                      \
    do {                                                                                           \
        if ((from).count)                                                                          \
            memcpy(vec_extend(arena, to, (from).count), (from).at,                                 \
                   (from).count * sizeof *(from).at);                                              \
    } while (0)

// Operators and held loads as formed from the values of their arguments.
static void form_registers(SonWork *work, SonHint *hint) {
    const Func *before = work->before;
    uint32_t *formed = vec_extend(work->arena, &hint->formed, before->regs.count);
    memset(formed, 0xff, before->regs.count * sizeof *formed);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        if (!bits_has(&work->reached, n)) continue;
        if (instr->kind == I_OP && !op_is_move(instr->op)) {
            formed[instr->dest.i] = value_of_instr(&work->values, instr, work->value_of);
        } else if (instr->kind == I_LOAD && work->assumed.held[n] != NO_ID) {
            Op extension = chunk_extension((Chunk)instr->chunk);
            if (extension != OP_COUNT)
                formed[instr->dest.i] = value_op(&work->values, extension, &work->assumed.held[n]);
        }
    }
}

static void form_tests(SonWork *work, SonHint *hint) {
    const Func *before = work->before;
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (before->nodes.at[n].kind == I_COND)
            vec_push(work->arena, &hint->tests,
                     bits_has(&work->reached, n) ? son_test(work, (Node){n}) : NO_ID);
}

void son_hint(Arena *arena, SonWork *work, const Func *son, const Func *after, SonHint *hint) {
    const Func *before = work->before;
    explain_checks(work, hint);
    form_registers(work, hint);
    form_tests(work, hint);
    memcpy(vec_extend(arena, &hint->value_of, before->regs.count), work->value_of,
           before->regs.count * sizeof *work->value_of);
    hint->reached = work->reached;
    TAKE(arena, &hint->decisions, work->decisions);
    TAKE(arena, &hint->edges, work->edges);
    TAKE(arena, &hint->facts_at, work->facts_at);
    TAKE(arena, &hint->facts, work->facts);
    if (!hint->facts_at.count) {
        for (uint32_t n = 0; n < before->nodes.count; n++)
            if (preds_count(&work->preds, (Node){n}) > 1) vec_push(arena, &hint->facts_at, 0);
        vec_push(arena, &hint->facts_at, 0);
    }
    TAKE(arena, &hint->value_of_new, work->value_of_reg);
    (void)son;
    while (hint->value_of_new.count < after->regs.count)
        vec_push(arena, &hint->value_of_new, NO_ID);
    TAKE(arena, &hint->values, work->values.values);
    TAKE(arena, &hint->args, work->values.args);
    TAKE(arena, &hint->steps, work->values.steps);
}
