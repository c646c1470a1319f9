// Out of SSA. Every predecessor of a join is a nop with one successor, so that the copies that
// stand for a phi-block have a place of their own: the nop becomes the copies, or vanishes if there
// are none. coalesce.c decides before which registers share an RTL register, and therefore which
// copies are needed; rtl_registers.c decides their names.
//
// The copies of an edge act at once and are put in a sequence here: a register is written when its
// old value is no longer wanted there. A cycle is broken by a temporary, or by another copy of the
// same value if there is such a copy anyway.
#include "pass/pass.h"

#include "pass/rtl/rtl_registers.h"

#include <string.h>

typedef struct {
    Reg to, from;
} RegCopy;

typedef struct {
    Arena *scratch;
    const Func *func;
    Func *rtl;
    DestructHint *hint;
    Preds preds;
    Dominance dom;
    uint32_t *order; // the nodes that can be reached, in reverse postorder
    uint32_t reached;
    SsaRanges ranges;
    Coalescing classes;
    Reg *home;
    VEC(RegCopy) copies; // of all edges; those of the edge that leaves nop n start at copy_at[n]
    uint32_t *copy_at;
    Bits kept;             // nodes that do nothing but stay as nops
    Reg temps[TYPE_COUNT]; // NO_REG until one is needed
} SsaDestruct;

// ---- The order of nodes

// Where a walk over blocks is: which successors of the block are still to be looked at.
typedef struct {
    uint32_t block;
    uint32_t left;
} BlockVisit;

// The number of the node behind a block's last.
static uint32_t end_of(const SsaDestruct *d, uint32_t block) {
    const SsaRanges *ranges = &d->ranges;
    return block + 1 < ranges->block_count ? d->dom.number[ranges->head[block + 1].i]
                                           : d->dom.count;
}

static const Instr *last_of(const SsaDestruct *d, uint32_t block) {
    return func_at(d->func, (Node){d->dom.order[end_of(d, block) - 1]});
}

// Files the nodes of a block before those of the blocks left earlier.
static void leave_block(SsaDestruct *d, uint32_t block, uint32_t *place) {
    uint32_t first = d->dom.number[d->ranges.head[block].i];
    for (uint32_t n = end_of(d, block); n-- > first;) d->order[--*place] = d->dom.order[n];
}

// A depth-first walk over blocks, successors last to first.
static void order_nodes(SsaDestruct *d) {
    const SsaRanges *ranges = &d->ranges;
    uint32_t place = d->reached = d->dom.count;
    d->order = ARENA_ARRAY(d->scratch, uint32_t, place);
    BlockVisit *path = ARENA_ARRAY(d->scratch, BlockVisit, ranges->block_count);
    Bits seen = bits_new(d->scratch, ranges->block_count);
    uint32_t depth = 0;
    path[depth++] = (BlockVisit){.block = 0, .left = last_of(d, 0)->succ_count};
    bits_add(&seen, 0);
    while (depth > 0) {
        BlockVisit *visit = &path[depth - 1];
        if (visit->left == 0) {
            leave_block(d, visit->block, &place);
            depth--;
            continue;
        }
        Node succ = instr_succs(d->func, last_of(d, visit->block))[--visit->left];
        uint32_t block = ranges->block[d->dom.number[succ.i]];
        if (!bits_put(&seen, block)) continue;
        path[depth++] = (BlockVisit){.block = block, .left = last_of(d, block)->succ_count};
    }
}

// ---- Copies in sequence

// One parallel copy; tables are by RTL register and hold NO_ID between edges.
typedef struct {
    VEC(RegCopy) parallel;
    VEC(Reg) ready; // to be written, and nobody wants their present values
    Reg *source;    // the value that the register is to hold
    Reg *place;     // where the register's old value is now; NO_REG if nobody wants it
} Sequencer;

static void emit_copy(SsaDestruct *d, Reg to, Reg from) {
    vec_push(d->scratch, &d->copies, (RegCopy){to, from});
}

static Reg temp_of(SsaDestruct *d, Type type) {
    if (d->temps[type].i == NO_ID) d->temps[type] = func_temp(d->rtl, type);
    return d->temps[type];
}

static void write_ready(SsaDestruct *d, Sequencer *s) {
    while (s->ready.count) {
        Reg to = vec_pop(&s->ready), old = s->source[to.i], from = s->place[old.i];
        emit_copy(d, to, from);
        s->source[to.i] = NO_REG;
        if (s->source[old.i].i == NO_ID) continue;
        s->place[old.i] = to;
        if (from.i == old.i) vec_push(d->scratch, &s->ready, old);
    }
}

static void sequence(SsaDestruct *d, Sequencer *s) {
    for (uint32_t i = 0; i < s->parallel.count; i++) {
        RegCopy copy = s->parallel.at[i];
        s->source[copy.to.i] = copy.from;
        s->place[copy.from.i] = copy.from;
    }
    for (uint32_t i = 0; i < s->parallel.count; i++)
        if (s->place[s->parallel.at[i].to.i].i == NO_ID)
            vec_push(d->scratch, &s->ready, s->parallel.at[i].to);
    for (uint32_t i = 0; i < s->parallel.count; i++) {
        write_ready(d, s);
        Reg to = s->parallel.at[i].to;
        if (s->source[to.i].i == NO_ID) continue;
        Reg temp = temp_of(d, reg_type(d->rtl, to));
        emit_copy(d, temp, to);
        s->place[to.i] = temp;
        vec_push(d->scratch, &s->ready, to);
    }
    write_ready(d, s);
    for (uint32_t i = 0; i < s->parallel.count; i++) s->place[s->parallel.at[i].from.i] = NO_REG;
    vec_clear(&s->parallel);
}

// The copies that the edge from the k-th predecessor of a join needs.
static void find_copies(SsaDestruct *d, Sequencer *s, Node join, uint32_t k) {
    const Func *func = d->func;
    for (uint32_t i = 0; i < func_phi_count(func, join); i++) {
        const Phi *phi = &func_phis(func, join)[i];
        Reg arg = phi_args(func, phi)[k];
        if (!bits_has(&d->ranges.needed, phi->dest.i) || d->ranges.point[arg.i] == NO_ID) continue;
        Reg to = d->home[phi->dest.i], from = d->home[arg.i];
        if (to.i != from.i) vec_push(d->scratch, &s->parallel, (RegCopy){to, from});
    }
    sequence(d, s);
}

static void find_all_copies(SsaDestruct *d) {
    const Func *func = d->func;
    uint32_t regs = d->rtl->regs.count;
    Sequencer s = {.source = ARENA_ARRAY(d->scratch, Reg, regs),
                   .place = ARENA_ARRAY(d->scratch, Reg, regs)};
    for (uint32_t r = 0; r < regs; r++) s.source[r] = s.place[r] = NO_REG;
    d->copy_at = ARENA_ARRAY(d->scratch, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Node *preds = preds_at(&d->preds, (Node){n});
        if (!dominance_reaches(&d->dom, (Node){n}) || !func_phi_count(func, (Node){n})) continue;
        for (uint32_t k = 0; k < preds_count(&d->preds, (Node){n}); k++) {
            if (!dominance_reaches(&d->dom, preds[k])) continue;
            d->copy_at[preds[k].i] = d->copies.count;
            find_copies(d, &s, (Node){n}, k);
            d->hint->nodes.at[preds[k].i].count = d->copies.count - d->copy_at[preds[k].i];
        }
    }
}

// ---- Which nodes are needed

// Whether the copies of an edge stand in a node's place.
static bool leads_to_phis(const SsaDestruct *d, const Instr *instr) {
    return instr->kind == I_NOP && func_phi_count(d->func, instr->succ[0]) > 0;
}

static uint32_t size_of(const SsaDestruct *d, Node node) {
    const Instr *instr = func_at(d->func, node);
    Reg source = ssa_move_source(instr);
    if (source.i == NO_ID) return instr->kind != I_NOP;
    return bits_has(&d->ranges.needed, instr->dest.i) &&
           d->home[instr->dest.i].i != d->home[source.i].i;
}

static DestructNode *plan_at(const SsaDestruct *d, Node node) {
    return &d->hint->nodes.at[node.i];
}

static Node next_of(const SsaDestruct *d, Node node) {
    return func_at(d->func, node)->succ[0];
}

// Keeps a node of each cycle in which nothing else is left.
static void keep_cycles(SsaDestruct *d) {
    d->kept = bits_new(d->scratch, d->func->nodes.count);
    uint32_t *seen = ARENA_ARRAY(d->scratch, uint32_t, d->func->nodes.count);
    for (uint32_t i = 0; i < d->reached; i++) {
        Node node = {d->order[i]};
        while (!plan_at(d, node)->count && !seen[node.i]) {
            seen[node.i] = i + 1;
            node = next_of(d, node);
        }
        if (plan_at(d, node)->count || seen[node.i] != i + 1) continue;
        plan_at(d, node)->count = 1;
        bits_add(&d->kept, node.i);
    }
}

static void plan_nodes(SsaDestruct *d) {
    for (uint32_t i = 0; i < d->reached; i++) {
        Node node = {d->order[i]};
        if (!leads_to_phis(d, func_at(d->func, node))) plan_at(d, node)->count = size_of(d, node);
    }
    keep_cycles(d);
    uint32_t next = 0;
    for (uint32_t i = 0; i < d->reached; i++) {
        DestructNode *plan = plan_at(d, (Node){d->order[i]});
        if (plan->count) plan->first = (Node){next};
        next += plan->count;
    }
    // A node that vanishes is performed where the next one is.
    for (uint32_t i = 0; i < d->reached; i++) {
        Node start = {d->order[i]}, end = start;
        while (plan_at(d, end)->first.i == NO_ID) end = next_of(d, end);
        for (; plan_at(d, start)->first.i == NO_ID; start = next_of(d, start))
            plan_at(d, start)->first = plan_at(d, end)->first;
    }
}

// ---- The result

static void add_copies(SsaDestruct *d, Node node) {
    const Instr *instr = func_at(d->func, node);
    DestructNode plan = *plan_at(d, node);
    for (uint32_t i = 0; i < plan.count; i++) {
        RegCopy copy = d->copies.at[d->copy_at[node.i] + i];
        Node next =
            i + 1 < plan.count ? (Node){plan.first.i + i + 1} : plan_at(d, instr->succ[0])->first;
        func_add(d->rtl, (Instr){.kind = I_OP,
                                 .op = (uint16_t)op_move(reg_type(d->rtl, copy.to)),
                                 .dest = copy.to,
                                 .arg_count = 1,
                                 .arg = {copy.from},
                                 .succ_count = 1,
                                 .succ = {next},
                                 .loc = instr->loc});
    }
}

// The instruction of a node, its registers replaced by those they live in.
static void add_instr(SsaDestruct *d, Node node) {
    const Instr *old = func_at(d->func, node);
    Node added = func_copy_instr(d->rtl, d->func, old);
    Instr *instr = &d->rtl->nodes.at[added.i];
    Reg *args = instr->arg_count <= INLINE_ARGS ? instr->arg : d->rtl->reg_pool.at + instr->args_at;
    for (uint32_t i = 0; i < instr->arg_count; i++) args[i] = d->home[args[i].i];
    if (instr->dest.i != NO_ID) instr->dest = d->home[instr->dest.i];
    for (uint32_t k = 0; k < old->succ_count; k++)
        func_set_succ(d->rtl, added, k, plan_at(d, instr_succs(d->func, old)[k])->first);
}

static void add_node(SsaDestruct *d, Node node) {
    const Instr *instr = func_at(d->func, node);
    if (bits_has(&d->kept, node.i))
        func_nop(d->rtl, plan_at(d, instr->succ[0])->first);
    else if (leads_to_phis(d, instr))
        add_copies(d, node);
    else
        add_instr(d, node);
}

// ---- The hint

// Calls for each register live at the start of a block with several ways in, or of the first one.
static void each_pair(SsaDestruct *d, const Bits *starts,
                      void (*visit)(SsaDestruct *d, Node head, Reg reg)) {
    const SsaRanges *ranges = &d->ranges;
    for (uint32_t r = 0; r < d->func->regs.count; r++) {
        uint32_t i = ranges->piece_at[r], end = ranges->piece_at[r + 1], inside = NO_ID;
        if (i == end) continue;
        if (ranges->definitions[r].by == SET_BY_INSTR) // live in its block, but not before
            inside = ssa_point_block(ranges, ranges->point[r]);
        for (; i < end; i++) {
            uint32_t block = ranges->pieces[i].block;
            if (bits_has(starts, block) && block != inside) visit(d, ranges->head[block], (Reg){r});
        }
    }
}

static void count_pair(SsaDestruct *d, Node head, Reg reg) {
    (void)reg;
    d->hint->pair_at.at[head.i + 2]++;
}

static void file_pair(SsaDestruct *d, Node head, Reg reg) {
    uint32_t at = d->hint->pair_at.at[head.i + 1]++;
    d->hint->pairs.at[at] =
        (DestructPair){.home = d->home[reg.i], .value = d->classes.value[reg.i]};
}

static void find_pairs(SsaDestruct *d) {
    Arena *arena = d->rtl->arena;
    DestructHint *hint = d->hint;
    uint32_t nodes = d->func->nodes.count;
    memset(vec_extend(arena, &hint->pair_at, nodes + 2), 0, (nodes + 2) * sizeof(uint32_t));
    Bits starts = bits_new(d->scratch, d->ranges.block_count);
    for (uint32_t b = 0; b < d->ranges.block_count; b++)
        if (b == 0 || preds_is_join(&d->preds, d->ranges.head[b])) bits_add(&starts, b);
    each_pair(d, &starts, count_pair);
    for (uint32_t n = 0; n < nodes; n++) hint->pair_at.at[n + 2] += hint->pair_at.at[n + 1];
    (void)vec_extend(arena, &hint->pairs, hint->pair_at.at[nodes + 1]);
    each_pair(d, &starts, file_pair);
    hint->pair_at.count--;
}

// The function in RTL, without unreachable nodes and numbered in reverse postorder, and the hint
// that shows why it does the same. Both live in the arena.
Func *ssa_destruct(Arena *arena, const Func *func, DestructHint *hint) {
    Arena *scratch = arena;
    SsaDestruct d = {.scratch = scratch,
                     .func = func,
                     .rtl = func_new(func->program, arena, func->symbol, func->sig),
                     .hint = hint,
                     .preds = preds_of(scratch, func)};
    for (Type type = 0; type < TYPE_COUNT; type++) d.temps[type] = NO_REG;
    for (uint32_t i = 0; i < func->slots.count; i++) func_add_slot(d.rtl, func->slots.at[i]);
    DestructNode *nodes = vec_extend(arena, &hint->nodes, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) nodes[n] = (DestructNode){.first = NO_NODE};
    d.dom = dominance_of(scratch, func, &d.preds);
    d.ranges = ssa_ranges_of(scratch, func, &d.preds, &d.dom);
    order_nodes(&d);
    const uint32_t *origin = origins_of(scratch, func);
    d.classes = coalesce(scratch, &d.ranges, origin);
    d.home = rtl_registers_of(scratch, d.rtl, &d.ranges, &d.classes, origin);
    find_all_copies(&d);
    plan_nodes(&d);
    for (uint32_t i = 0; i < d.reached; i++)
        if (plan_at(&d, (Node){d.order[i]})->count) add_node(&d, (Node){d.order[i]});
    find_pairs(&d);
    Func *result = d.rtl;
    return result;
}
