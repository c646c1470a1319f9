// Passes with a ValuesHint: registers of both sides are known by the values that they refine.
#include "analysis/value_roots.h"
#include "debug/follow_private.h"

typedef struct {
    Follower *f;
    const Func *before, *after;
    const ValuesHint *hint;
    ValueRoots roots;
    uint32_t *old_of,
        *next_old; // per root: a register of `before` with it; per register: the next one
} ValuesFollow;

static bool constant_value(const ValuesFollow *s, uint32_t value, DebugTerm *term) {
    const HintValue *it = &s->hint->values.at[value];
    if (it->kind != VALUE_OP || it->count) return false;
    Instr instr = {.kind = I_OP, .op = it->op, .high = it->high, .ref = it->ref, .imm = it->imm};
    return follow_constant(&instr, term);
}

// ---- Registers

// For each holder the new register whose low half has what the holder has: a counter counts along
// with the extension of the holder's register. (`new_of`: per root, a register with the value.)
static uint32_t *find_wide(const ValuesFollow *s, const uint32_t *new_of) {
    const ValuesHint *hint = s->hint;
    uint32_t *wide_of = follow_table(s->f->arena, hint->values.count);
    uint32_t *wide = follow_table(s->f->arena, s->f->holders.count);
    for (uint32_t v = 0; hint->counted.count && v < hint->values.count; v++) {
        const HintValue *it = &hint->values.at[v];
        uint32_t root = value_root(&s->roots, v);
        if (it->kind == VALUE_OP && it->op == OP_SEXT_I64 && it->first < hint->args.count &&
            hint->args.at[it->first] < hint->values.count && root != NO_ID)
            wide_of[hint->args.at[it->first]] = new_of[root];
    }
    for (uint32_t h = 0; hint->counted.count && h < s->f->holders.count; h++) {
        if (s->f->holders.at[h].kind != HOLDER_REG) continue;
        uint32_t root = value_root_of_reg(&s->roots, s->f->holders.at[h].reg);
        if (root != NO_ID) wide[h] = wide_of[root];
    }
    return wide;
}

static void follow_holders(ValuesFollow *s) {
    Arena *arena = s->f->arena;
    uint32_t count = s->before->regs.count;
    const Definition *now = definitions_of(arena, s->after);
    uint32_t *new_of = follow_table(arena, s->hint->values.count);
    uint32_t *now_of = follow_table(arena, count);
    DebugTerm *terms = ARENA_ARRAY(arena, DebugTerm, (size_t)count + 1);
    for (uint32_t r = 0; r < s->after->regs.count && r < s->hint->value_of_new.count; r++) {
        uint32_t root = value_root(&s->roots, s->hint->value_of_new.at[r]);
        if (root != NO_ID && now[r].by != SET_BY_NOTHING && new_of[root] == NO_ID) new_of[root] = r;
    }
    for (uint32_t r = 0; r < count; r++) {
        uint32_t root = value_root_of_reg(&s->roots, r);
        terms[r].kind = NO_TERM;
        if (root == NO_ID) continue;
        if (!constant_value(s, root, &terms[r])) terms[r].kind = NO_TERM;
        now_of[r] = new_of[root];
    }
    // Parameters stay what they are, also those that nothing uses, which have no value there.
    for (uint32_t i = 0; i < s->before->params.count && i < s->after->params.count; i++)
        if (now_of[s->before->params.at[i].i] == NO_ID)
            now_of[s->before->params.at[i].i] = s->after->params.at[i].i;
    uint32_t *wide = find_wide(s, new_of), holders = s->f->holders.count;
    follow_registers(s->f, s->before, now_of, terms);
    for (uint32_t h = 0; h < holders; h++) {
        if (wide[h] == NO_ID || s->f->holders.at[h].other) continue;
        s->f->holders.at[h].other = s->f->holders.count;
        vec_push(s->f->arena, &s->f->holders, (Holder){.kind = HOLDER_REG, .reg = wide[h]});
    }
}

// ---- Nodes

static void find_old_registers(ValuesFollow *s) {
    uint32_t count = s->before->regs.count;
    s->old_of = follow_table(s->f->arena, s->hint->values.count);
    s->next_old = follow_table(s->f->arena, count);
    for (uint32_t r = count; r-- > 0;) {
        uint32_t root = value_root_of_reg(&s->roots, r);
        if (root == NO_ID) continue;
        s->next_old[r] = s->old_of[root];
        s->old_of[root] = r;
    }
}

// Something that floats is done in front of a node. It counts as done where the source does it, if
// that is above: values that dominate a node are, where that dominates, still what they were there;
// and lines go by positions.
static uint32_t own_position(const ValuesFollow *s, const Definition *then, const Dominance *dom,
                             uint32_t node, uint32_t performed) {
    const Instr *instr = &s->after->nodes.at[node];
    uint32_t root = instr->dest.i == NO_ID
                        ? NO_ID
                        : value_root(&s->roots, s->hint->value_of_new.at[instr->dest.i]);
    uint32_t found = NO_ID;
    if (root == NO_ID) return NO_ID;
    for (uint32_t r = s->old_of[root]; r != NO_ID; r = s->next_old[r]) {
        uint32_t at = then[r].by == SET_BY_INSTR ? then[r].node.i : NO_ID;
        if (at == NO_ID || !dominance_reaches(dom, (Node){at})) continue;
        if (!dominates(dom, (Node){at}, (Node){performed})) continue;
        if (found == NO_ID || dominates(dom, (Node){found}, (Node){at})) found = at;
    }
    return found;
}

static void follow_nodes(ValuesFollow *s) {
    Follower *f = s->f;
    Preds preds = preds_of(f->arena, s->before);
    Dominance dom = dominance_of(f->arena, s->before, &preds);
    const Definition *then = definitions_of(f->arena, s->before);
    uint32_t count = s->after->nodes.count;
    uint32_t *position = follow_table(f->arena, count);
    uint32_t *performed = follow_table(f->arena, count);
    find_old_registers(s);
    for (uint32_t n = count; n-- > 0;) {
        const Instr *instr = &s->after->nodes.at[n];
        uint32_t old = s->hint->old.at[n].i;
        performed[n] = old != NO_ID             ? old
                       : instr->succ_count == 1 ? performed[instr->succ[0].i]
                                                : NO_ID;
        if (performed[n] == NO_ID) continue;
        bool floats = old == NO_ID && dominance_reaches(&dom, (Node){performed[n]});
        uint32_t own = floats ? own_position(s, then, &dom, n, performed[n]) : NO_ID;
        position[n] = f->position[own == NO_ID ? performed[n] : own];
    }
    f->position = position;
}

void follow_values(Follower *f, const Func *before, const Func *after, const ValuesHint *hint) {
    ValuesFollow s = {.f = f, .before = before, .after = after, .hint = hint};
    if ((hint->value_of.count && hint->value_of.count != before->regs.count) ||
        hint->old.count != after->nodes.count || hint->value_of_new.count != after->regs.count) {
        f->stage = STAGE_LOST;
        return;
    }
    s.roots = value_roots_of(f->arena, before, hint);
    follow_nodes(&s);
    follow_holders(&s);
}
