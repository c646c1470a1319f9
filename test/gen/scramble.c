#include "test/gen/scramble.h"

#include "graph/dominance.h"

typedef struct {
    Func *func;
    Random *random;
    uint32_t percent;
    Dominance dom;
    uint32_t
        *point; // register -> 2 * number of the node + (1 for a phi, 2 for an instruction); 0 for
                // parameters and what is undefined, NO_ID for what is defined out of reach
    VEC(Reg) of_type[TYPE_COUNT];
} Scramble;

static void find_points(Scramble *s, Arena *arena) {
    Func *func = s->func;
    s->point = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        bool reached = dominance_reaches(&s->dom, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
            s->point[func_phis(func, (Node){n})[i].dest.i] =
                reached ? 2 * s->dom.number[n] + 1 : NO_ID;
        Reg dest = func->nodes.at[n].dest;
        if (dest.i != NO_ID) s->point[dest.i] = reached ? 2 * s->dom.number[n] + 2 : NO_ID;
    }
    for (uint32_t r = 0; r < func->regs.count; r++)
        vec_push(arena, &s->of_type[reg_type(func, (Reg){r})], (Reg){r});
}

// Whether a register can be used at a point.
static bool usable(const Scramble *s, Reg reg, uint32_t point) {
    uint32_t at = s->point[reg.i];
    if (at == 0) return true;
    if (at == NO_ID || at >= point) return false;
    return dominates(&s->dom, (Node){s->dom.order[(at - 1) / 2]},
                     (Node){s->dom.order[(point - 1) / 2]});
}

static void change(Scramble *s, Reg *reg, uint32_t point) {
    enum { TRIES = 8 };
    if (!random_chance(s->random, s->percent, 100)) return;
    Type type = reg_type(s->func, *reg);
    for (int i = 0; i < TRIES; i++) {
        Reg other = s->of_type[type].at[random_below(s->random, s->of_type[type].count)];
        if (!usable(s, other, point)) continue;
        *reg = other;
        return;
    }
}

// Memory, calls and what may go wrong stay as they are: a function that does nothing but go wrong
// tests nothing.
static void change_instr(Scramble *s, Instr *instr, uint32_t number) {
    if (instr->kind != I_OP || (op_info((Op)instr->op)->flags & OPF_PARTIAL)) return;
    for (uint32_t i = 0; i < instr->arg_count; i++) change(s, &instr->arg[i], 2 * number + 2);
    Type type = reg_type(s->func, instr->dest);
    if (instr->arg_count == 0 || reg_type(s->func, instr->arg[0]) != type ||
        !random_chance(s->random, s->percent, 200))
        return;
    *instr = (Instr){.kind = I_OP,
                     .op = (uint16_t)op_move(type),
                     .dest = instr->dest,
                     .arg_count = 1,
                     .arg = {instr->arg[0]},
                     .succ_count = 1,
                     .succ = {instr->succ[0]},
                     .loc = instr->loc};
}

Func *scramble_ssa(Arena *arena, const Func *original, uint32_t percent, Random *random) {
    Func *func = func_clone(original, arena);
    Preds preds = preds_of(arena, func);
    Scramble s = {.func = func,
                  .random = random,
                  .percent = percent,
                  .dom = dominance_of(arena, func, &preds)};
    find_points(&s, arena);
    for (uint32_t number = 0; number < s.dom.count; number++) {
        Node node = {s.dom.order[number]};
        change_instr(&s, &func->nodes.at[node.i], number);
        for (uint32_t i = 0; i < func_phi_count(func, node); i++)
            for (uint32_t k = 0; k < preds_count(&preds, node); k++) {
                Node pred = preds_at(&preds, node)[k];
                if (!dominance_reaches(&s.dom, pred)) continue;
                Reg *arg = &func->phi_args.at[func_phis(func, node)[i].args_at + k];
                change(&s, arg, 2 * s.dom.number[pred.i] + 2);
            }
    }
    return func;
}
