#include "test/gen/correlated.h"

#include "graph/dominance.h"
#include "test/gen/random.h"

// Another comparison of operands of the same type.
static uint16_t other_comparison(Random *random, uint16_t op) {
    Type type = op_info(op)->operand[0];
    for (;;) {
        uint16_t other = (uint16_t)random_below(random, OP_COUNT);
        const OpInfo *info = op_info(other);
        if ((info->flags & OPF_COND) && info->operand[0] == type) return other;
    }
}

static void relate(Random *random, Instr *cond, const Instr *above) {
    static const int64_t near[] = {-1, 0, 0, 0, 1, 1, 2, 40};
    bool narrow = op_info(above->op)->operand[0] == TYPE_I32;
    cond->op = other_comparison(random, above->op);
    cond->immediate = above->immediate;
    cond->arg_count = above->arg_count;
    cond->imm = 0;
    for (uint32_t i = 0; i < above->arg_count; i++) cond->arg[i] = above->arg[i];
    if (above->immediate) {
        cond->imm = (int64_t)((uint64_t)above->imm + (uint64_t)near[random_below(random, 8)]);
        if (narrow) cond->imm = (int32_t)cond->imm;
    } else if (random_chance(random, 1, 2)) {
        Reg first = cond->arg[0];
        cond->arg[0] = cond->arg[1];
        cond->arg[1] = first;
    }
}

Func *correlated_func(Arena *arena, const Func *func, uint64_t seed) {
    Random random = random_from(seed);
    Func *result = func_clone(func, arena);
    Preds preds = preds_of(arena, func);
    Dominance dom = dominance_of(arena, func, &preds);
    for (uint32_t number = 0; number < dom.count; number++) {
        Instr *cond = &result->nodes.at[dom.order[number]];
        if (cond->kind != I_COND) continue;
        // One of the nearest branches above: mostly the very nearest.
        const Instr *above = NULL;
        for (Node up = dom.idom[dom.order[number]]; up.i != NO_ID; up = dom.idom[up.i]) {
            if (result->nodes.at[up.i].kind != I_COND) continue;
            above = &result->nodes.at[up.i];
            if (random_chance(&random, 1, 2)) break;
        }
        if (above && random_chance(&random, 3, 4)) relate(&random, cond, above);
    }
    return result;
}
