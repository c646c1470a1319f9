// Translates the knowledge of passes into hints of the values kernel. Nothing here has to be right:
// the checker checks every claim. The knowledge of a pass is taken as it is, in range or not, so
// that tests can ask for hints of forged knowledge.
#include "pass/values/values_hint.h"

#include "pass/values/refine.h"

typedef struct {
    Arena *arena;
    const Func *before, *after;
    ValuesHint *hint;
    Refine refine;
} Explain;

static Explain start(Arena *arena, const Func *before, const Func *after) {
    Explain e = {.arena = arena, .before = before, .after = after};
    e.hint = ARENA_NEW(arena, ValuesHint);
    e.refine = refine_new(arena, before, e.hint);
    return e;
}

// Nodes stay the same.
static void keep_nodes(Explain *e) {
    for (uint32_t n = 0; n < e->after->nodes.count; n++)
        vec_push(e->arena, &e->hint->old, (Node){n});
}

static ValuesHint *finish(Explain *e) {
    refine_values(&e->refine, e->after);
    refine_write(&e->refine, e->after);
    return e->hint;
}

ValuesHint *explain_ValuesHint(Arena *arena, const Func *before, const Func *after,
                               ValuesHint *hint) {
    (void)arena, (void)before, (void)after;
    return hint;
}

// ---- copy_prop, lvn, gvn

ValuesHint *explain_Numbering(Arena *arena, const Func *before, const Func *after,
                              const Numbering *knows) {
    Explain e = start(arena, before, after);
    uint32_t regs = before->regs.count;
    for (uint32_t r = 0; r < knows->leader.count && r < regs; r++)
        if (knows->leader.at[r].i < regs) refine_equal(&e.refine, (Reg){r}, knows->leader.at[r]);
    keep_nodes(&e);
    return finish(&e);
}

// ---- dead_code

ValuesHint *explain_DeadCodeHint(Arena *arena, const Func *before, const Func *after,
                                 const DeadCodeHint *knows) {
    Explain e = start(arena, before, after);
    (void)knows;
    keep_nodes(&e);
    return finish(&e);
}

// ---- sccp

// A register that nothing sets and that moves, and phis of nothing else, lead to.
static Reg free_source(const Explain *e, const SccpHint *knows, Reg reg) {
    for (uint32_t i = 0; i < e->before->regs.count; i++) {
        Definition definition = e->refine.definitions[reg.i];
        if (definition.by == SET_BY_NOTHING) return reg;
        const Instr *instr = defining_instr(e->before, e->refine.definitions, reg);
        if (instr && instr->kind == I_OP && op_is_move(instr->op)) {
            reg = instr->arg[0];
            continue;
        }
        if (definition.by != SET_BY_PHI) break;
        const Reg *args = phi_args(e->before, &e->before->phis.at[definition.at]);
        uint32_t k = 0, count = preds_count(&e->refine.preds, definition.node);
        while (k < count && knows->facts.at[args[k].i].kind != SCCP_FREE) k++;
        if (k == count) break;
        reg = args[k];
    }
    return NO_REG;
}

static void explain_constants(Explain *e, const SccpHint *knows) {
    for (uint32_t r = 0; r < e->before->regs.count && r < knows->facts.count; r++) {
        const SccpFact *fact = &knows->facts.at[r];
        Reg reg = {r};
        if (fact->kind == SCCP_CONST) {
            Value value = {.bits = fact->bits, .high = fact->high};
            refine_set(&e->refine, reg,
                       value_constant(&e->refine.values, reg_type(e->before, reg), value));
        } else if (fact->kind == SCCP_FREE && knows->facts.count == e->before->regs.count) {
            Reg source = free_source(e, knows, reg);
            if (source.i != NO_ID && source.i != r)
                refine_set(&e->refine, reg, value_old(&e->refine.values, source));
        }
    }
}

ValuesHint *explain_SccpHint(Arena *arena, const Func *before, const Func *after,
                             const SccpHint *knows) {
    Explain e = start(arena, before, after);
    explain_constants(&e, knows);
    for (uint32_t n = 0; n < before->nodes.count && n < after->nodes.count; n++)
        if (before->nodes.at[n].kind == I_COND && after->nodes.at[n].kind == I_NOP)
            refine_fold(&e.refine, refine_test(&e.refine, (Node){n}));
    keep_nodes(&e);
    return finish(&e);
}
