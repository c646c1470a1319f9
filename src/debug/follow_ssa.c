// SSA, gated or not: carries positions and holders through the passes.
//
// Most passes keep the numbers of registers and their meaning: a register that is still set has its
// old value. Where other registers take its place, the hint says which.
#include "debug/follow_private.h"

// ---- Registers

// Whether a function sets a register, or has it as a parameter.
static bool is_set(const Definition *definitions, uint32_t reg) {
    return definitions[reg].by != SET_BY_NOTHING;
}

// Registers of `before` stay what they are if they are still set; `other` says what has the value
// of one that is not, NO_ID if nothing has.
static void keep_registers(Follower *f, const Func *before, const Func *after,
                           const uint32_t *other) {
    const Definition *now = definitions_of(f->arena, after);
    uint32_t *now_of = follow_table(f->arena, before->regs.count);
    for (uint32_t r = 0; r < before->regs.count; r++)
        if (r < after->regs.count && is_set(now, r))
            now_of[r] = r;
        else if (other && other[r] != NO_ID && is_set(now, other[r]))
            now_of[r] = other[r];
    follow_registers(f, before, now_of, NULL);
}

// ---- Nodes

// A node that was added has the position of the one that it leads to.
static void fill_positions(uint32_t *position, const Func *after) {
    for (uint32_t n = after->nodes.count; n-- > 0;) {
        const Instr *instr = &after->nodes.at[n];
        if (position[n] == NO_ID && instr->succ_count == 1)
            position[n] = position[instr->succ[0].i];
    }
}

static void keep_nodes(Follower *f, const Func *before, const Func *after) {
    if (before->nodes.count != after->nodes.count) f->stage = STAGE_LOST;
}

static void map_nodes(Follower *f, const Func *after, const Node *old) {
    uint32_t *position = follow_table(f->arena, after->nodes.count);
    for (uint32_t n = 0; n < after->nodes.count; n++)
        if (old[n].i != NO_ID) position[n] = f->position[old[n].i];
    fill_positions(position, after);
    f->position = position;
}

// ---- Passes that keep nodes and registers

static void keep_all(Follower *f, const Func *before, const Func *after) {
    keep_nodes(f, before, after);
    if (f->stage != STAGE_LOST) keep_registers(f, before, after, NULL);
}

void follow_gsa_build(Follower *f, const Func *before, const Func *after,
                      const GsaBuildHint *hint) {
    (void)hint;
    keep_all(f, before, after);
}

void follow_gate_simplify(Follower *f, const Func *before, const Func *after,
                          const GateSimplifyHint *hint) {
    (void)hint;
    keep_all(f, before, after);
}

void follow_straighten(Follower *f, const Func *before, const Func *after, const CopiesHint *hint) {
    (void)hint;
    keep_all(f, before, after);
}

// ---- Equal registers

// Of registers that are equal one has taken the place of the others.
static void follow_numbering(Follower *f, const Func *before, const Func *after,
                             const Numbering *hint) {
    keep_nodes(f, before, after);
    if (f->stage == STAGE_LOST) return;
    uint32_t count = before->regs.count;
    const Definition *now = definitions_of(f->arena, after);
    uint32_t *kept = follow_table(f->arena, count), *other = follow_table(f->arena, count);
    for (uint32_t r = 0; r < count; r++) {
        uint32_t leader = hint->leader.at[r].i;
        if (leader < count && is_set(now, r) && kept[leader] == NO_ID) kept[leader] = r;
    }
    for (uint32_t r = 0; r < count; r++)
        if (hint->leader.at[r].i < count) other[r] = kept[hint->leader.at[r].i];
    keep_registers(f, before, after, other);
}

void follow_gated_gvn(Follower *f, const Func *before, const Func *after,
                      const GatedGvnHint *hint) {
    follow_numbering(f, before, after, &hint->numbering);
}

// ---- Passes that move or add nodes

static void follow_old(Follower *f, const Func *before, const Func *after, const Node *old) {
    map_nodes(f, after, old);
    keep_registers(f, before, after, NULL);
}

void follow_close_loops(Follower *f, const Func *before, const Func *after,
                        const CloseLoopsHint *hint) {
    follow_old(f, before, after, hint->old.at);
}

// Positions of nodes that stand for other nodes now.
static void follow_copies(Follower *f, const Func *before, const Func *after,
                          const CopiesHint *hint) {
    uint32_t *position = follow_table(f->arena, after->nodes.count);
    for (uint32_t n = 0; n < after->nodes.count; n++) position[n] = f->position[hint->old.at[n].i];
    f->position = position;
    keep_registers(f, before, after, NULL);
}

void follow_tidy(Follower *f, const Func *before, const Func *after, const CopiesHint *hint) {
    follow_copies(f, before, after, hint);
}

void follow_drop_loops(Follower *f, const Func *before, const Func *after, const CopiesHint *hint) {
    follow_copies(f, before, after, hint);
}

// A join has what was added behind it, then its instruction. What was added stands for the branch
// above: what dominates that is what it was there.
void follow_if_convert(Follower *f, const Func *before, const Func *after,
                       const IfConvertHint *hint) {
    uint32_t *position = follow_table(f->arena, after->nodes.count), next = 0, at = 0;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        uint32_t count = 0, branch = n;
        if (at < hint->conversions.count && hint->conversions.at[at].join.i == n) {
            count = hint->conversions.at[at].count + 1;
            branch = hint->conversions.at[at++].branch.i;
        }
        for (; count && next < after->nodes.count; count--) position[next++] = f->position[branch];
        if (next < after->nodes.count) position[next++] = f->position[n];
    }
    f->position = position;
    keep_registers(f, before, after, NULL);
}

// Etas stand for what they take out of loops.
void follow_gsa_destruct(Follower *f, const Func *before, const Func *after,
                         const GsaDestructHint *hint) {
    (void)hint;
    keep_nodes(f, before, after);
    if (f->stage == STAGE_LOST) return;
    uint32_t *other = follow_table(f->arena, before->regs.count);
    for (uint32_t i = 0; i < before->gsa->etas.count; i++)
        other[before->gsa->etas.at[i].dest.i] = before->gsa->etas.at[i].source.i;
    const Definition *now = definitions_of(f->arena, after);
    for (uint32_t r = 0; r < before->regs.count; r++)
        while (other[r] != NO_ID && !is_set(now, other[r])) other[r] = other[other[r]];
    keep_registers(f, before, after, other);
}
