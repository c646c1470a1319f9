// What a normalization claims, node by node, for tests that forge it: the hint of normalize and the
// loops of the normal form in one table.
#pragma once

#include "check/checkers.h"
#include "check/passes.h"
#include "check/properties.h"
#include "graph/loop_nest.h"
#include "hint/hints_rtl.h"
#include "pass/pass.h"

typedef enum { NORM_STEP, NORM_STUTTER, NORM_DISPATCH } NormKind;

typedef struct {
    NormKind kind;   // STEP and STUTTER are the same to the checker
    uint32_t target; // old node, or index of a dispatch
    Node loop;       // header of the innermost loop
} NormNode;

typedef struct {
    VEC(NormNode) nodes;
    VEC(Node) outer_loop; // of a header
    VEC(CopiesDispatch) dispatches;
} NormClaims;

static inline Func *norm_run(Arena *arena, const Func *before, NormClaims *claims) {
    CopiesHint hint = {0};
    Bits added;
    Func *after = normalize_marked(arena, before, &hint, &added, true);
    Preds preds = preds_of(arena, after);
    LoopNest nest = loop_nest_by_number(arena, after, &preds);
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        uint32_t old = hint.old.at[n].i, count = before->nodes.count;
        NormNode node = {.kind = bits_has(&added, n) ? NORM_STUTTER : NORM_STEP,
                         .target = old,
                         .loop = nest.loop[n]};
        if (old >= count) node = (NormNode){NORM_DISPATCH, old - count, nest.loop[n]};
        vec_push(arena, &claims->nodes, node);
        vec_push(arena, &claims->outer_loop, nest.outer[n]);
    }
    for (uint32_t i = 0; i < hint.dispatches.count; i++)
        vec_push(arena, &claims->dispatches, hint.dispatches.at[i]);
    return after;
}

// The verdict on the code, and then on the normal form with the loops that are claimed.
static inline Verdict norm_check(Arena *arena, const Func *before, const Func *after,
                                 const NormClaims *claims) {
    CopiesHint hint = {0};
    for (uint32_t n = 0; n < claims->nodes.count; n++) {
        const NormNode *node = &claims->nodes.at[n];
        uint32_t first = node->kind == NORM_DISPATCH ? before->nodes.count : 0;
        vec_push(arena, &hint.old, (Node){first + node->target});
    }
    hint.dispatches.at = claims->dispatches.at;
    hint.dispatches.count = claims->dispatches.count;
    Verdict verdict = pass_check(PASS_normalize, arena, NULL, before, after, &hint);
    if (!verdict.accepted) return verdict;
    LoopNest nest = {.loop = ARENA_ARRAY(arena, Node, after->nodes.count),
                     .outer = ARENA_ARRAY(arena, Node, after->nodes.count)};
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        nest.loop[n] = claims->nodes.at[n].loop;
        nest.outer[n] = claims->outer_loop.at[n];
    }
    Preds preds = preds_of(arena, after);
    return check_shape(arena, after, &preds, &nest);
}
