// Closes loops, one register at a time. Let x be set in loop L, the innermost loop around its
// definition. From every use outside of L the pass collects the blocks in which x is live by
// walking against the edges; the walk ends in L. On the way it meets landing pads at which a loop
// that holds the definition is left: there a copy is due. Then the blocks are taken in order, and
// each gets the name of x in this block: at a pad, the copy; at a join, a new phi if its ways in
// bring different names. A loop header among these blocks has no copy or phi of x inside its loop
// (that loop does not hold the definition, and is entered at the header only). So its name comes
// from outside, and one pass over the blocks is enough.
#include "pass/pass.h"

#include "analysis/reg_reads.h"
#include "base/bits.h"
#include "base/hash.h"
#include "graph/basic_blocks.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"

#include <stdlib.h>

// A read outside of the loop in which the register is set.
typedef struct {
    uint32_t reg;
    RegRead read;
} OuterRead;

typedef struct {
    uint32_t join;
    Reg dest;
    uint32_t args_at; // into CloseLoops.phi_names
} NewPhi;

typedef struct {
    uint32_t pad;
    Reg dest, source;
} NewCopy;

typedef struct {
    Arena *arena;
    const Func *func;
    CloseLoopsHint *hint;
    Preds preds;
    Dominance dom;
    LoopNest loop_nest;
    uint32_t *head;
    const Definition *definitions;
    VEC(OuterRead) uses; // by register
    // For the register at hand.
    uint32_t *round_of; // block -> the register for which its name was set
    Reg *name;          // of the register in the block
    VEC(uint32_t) blocks;
    VEC(uint32_t) work;
    // The additions.
    Func *grown; // carries the added registers
    Map next_version;
    VEC(NewCopy) copies;
    VEC(NewPhi) phis;
    VEC(Reg) phi_names;
    Reg *replaced; // new name of each use, in the order of `uses`
} CloseLoops;

// ---- Uses

// The innermost loop around the definition of a register.
static Node loop_of(const CloseLoops *c, Reg reg) {
    Node node = c->definitions[reg.i].node;
    return node.i == NO_ID ? NO_NODE : c->loop_nest.loop[node.i];
}

static void find_uses(CloseLoops *c) {
    RegReads reads = reg_reads_of(c->arena, c->func, &c->preds);
    for (uint32_t r = 0; r < c->func->regs.count; r++) {
        Node loop = loop_of(c, (Reg){r});
        for (uint32_t i = reads.first[r]; loop.i != NO_ID && i < reads.first[r + 1]; i++) {
            OuterRead use = {.reg = r, .read = reads.list[i]};
            if (!loop_nest_contains(&c->loop_nest, loop, use.read.node))
                vec_push(c->arena, &c->uses, use);
        }
    }
}

// ---- Added registers

// The next version of a register's name.
static Reg fresh(CloseLoops *c, Reg reg) {
    RegInfo info = c->func->regs.at[reg.i];
    uint32_t key = (uint32_t)hash_add(info.name.i, info.number);
    uint32_t version = map_get(&c->next_version, key);
    info.version = version;
    map_set(c->arena, &c->next_version, key, version + 1);
    vec_push(c->arena, &c->hint->original, reg);
    return func_add_reg(c->grown, info);
}

// Names with equal keys share their versions, which does no harm.
static void find_versions(CloseLoops *c) {
    for (uint32_t r = 0; r < c->func->regs.count; r++) {
        const RegInfo *info = &c->func->regs.at[r];
        uint32_t key = (uint32_t)hash_add(info->name.i, info->number);
        uint32_t next = map_get(&c->next_version, key);
        if (next == HASH_NONE || next <= info->version)
            map_set(c->arena, &c->next_version, key, info->version + 1);
    }
}

// ---- One register

// Whether a loop that holds the definition is left on the way into a block.
static bool is_pad_of(const CloseLoops *c, Node definition, uint32_t block) {
    Node from = preds_sole(&c->preds, (Node){block});
    if (from.i == NO_ID) return false;
    for (Node loop = c->loop_nest.loop[from.i]; loop.i != NO_ID;
         loop = c->loop_nest.outer[loop.i]) {
        if (loop_nest_contains(&c->loop_nest, loop, (Node){block})) return false;
        if (loop_nest_contains(&c->loop_nest, loop, definition)) return true;
    }
    return false;
}

static void visit(CloseLoops *c, uint32_t reg, Node loop, uint32_t node) {
    uint32_t block = c->head[node];
    if (loop_nest_contains(&c->loop_nest, loop, (Node){node}) || c->round_of[block] == reg) return;
    c->round_of[block] = reg;
    vec_push(c->arena, &c->blocks, block);
    vec_push(c->arena, &c->work, block);
}

// The blocks outside of the loop in which the register is live.
static void find_live_blocks(CloseLoops *c, uint32_t reg, uint32_t first, uint32_t end) {
    Node loop = loop_of(c, (Reg){reg});
    vec_clear(&c->blocks);
    for (uint32_t i = first; i < end; i++) visit(c, reg, loop, c->uses.at[i].read.node.i);
    while (c->work.count) {
        Node block = {vec_pop(&c->work)};
        const Node *preds = preds_at(&c->preds, block);
        for (uint32_t k = 0; k < preds_count(&c->preds, block); k++)
            visit(c, reg, loop, preds[k].i);
    }
}

// The register's name at the end of a node: its own in the loop of its definition.
static Reg name_at(const CloseLoops *c, uint32_t reg, uint32_t node) {
    return c->round_of[c->head[node]] == reg ? c->name[c->head[node]] : (Reg){reg};
}

static Reg name_at_join(CloseLoops *c, uint32_t reg, Node join) {
    const Node *preds = preds_at(&c->preds, join);
    uint32_t width = preds_count(&c->preds, join);
    Reg name = name_at(c, reg, preds[0].i);
    bool same = true;
    if (loop_nest_is_header(&c->loop_nest, join))
        return name; // the first way in is the one from outside
    for (uint32_t k = 1; k < width; k++) same &= name_at(c, reg, preds[k].i).i == name.i;
    if (same) return name;
    NewPhi phi = {.join = join.i, .dest = fresh(c, (Reg){reg}), .args_at = c->phi_names.count};
    for (uint32_t k = 0; k < width; k++) {
        Reg arg = name_at(c, reg, preds[k].i);
        vec_push(c->arena, &c->phi_names, arg);
    }
    vec_push(c->arena, &c->phis, phi);
    return phi.dest;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void name_blocks(CloseLoops *c, uint32_t reg) {
    Node definition = c->definitions[reg].node;
    qsort(c->blocks.at, c->blocks.count, sizeof(uint32_t), by_number);
    for (uint32_t i = 0; i < c->blocks.count; i++) {
        uint32_t block = c->blocks.at[i];
        uint32_t width = preds_count(&c->preds, (Node){block});
        if (width > 1) {
            c->name[block] = name_at_join(c, reg, (Node){block});
            continue;
        }
        Reg name = name_at(c, reg, preds_at(&c->preds, (Node){block})->i);
        if (is_pad_of(c, definition, block)) {
            NewCopy copy = {.pad = block, .dest = fresh(c, (Reg){reg}), .source = name};
            vec_push(c->arena, &c->copies, copy);
            name = copy.dest;
        }
        c->name[block] = name;
    }
}

static void close_register(CloseLoops *c, uint32_t first, uint32_t end) {
    uint32_t reg = c->uses.at[first].reg;
    find_live_blocks(c, reg, first, end);
    name_blocks(c, reg);
    for (uint32_t i = first; i < end; i++)
        c->replaced[i] = name_at(c, reg, c->uses.at[i].read.node.i);
}

// ---- The new function

static int by_pad(const void *a, const void *b) {
    const NewCopy *x = a, *y = b;
    if (x->pad != y->pad) return x->pad < y->pad ? -1 : 1;
    return x->dest.i < y->dest.i ? -1 : x->dest.i > y->dest.i;
}

static int by_join(const void *a, const void *b) {
    const NewPhi *x = a, *y = b;
    if (x->join != y->join) return x->join < y->join ? -1 : 1;
    return x->dest.i < y->dest.i ? -1 : x->dest.i > y->dest.i;
}

// Whether a pad leads to a join, before which there are only nops: then its copies stand between a
// new nop and the pad.
static bool is_before_join(const CloseLoops *c, uint32_t pad) {
    return preds_is_join(&c->preds, c->func->nodes.at[pad].succ[0]);
}

// The number of each node, or of the copies in front of it, once the copies are in place.
static uint32_t *new_numbers(const CloseLoops *c) {
    uint32_t *number = ARENA_ARRAY(c->arena, uint32_t, c->func->nodes.count);
    for (uint32_t n = 0, copy = 0, added = 0; n < c->func->nodes.count; n++) {
        number[n] = n + added;
        if (copy == c->copies.count || c->copies.at[copy].pad != n) continue;
        added += is_before_join(c, n);
        for (; copy < c->copies.count && c->copies.at[copy].pad == n; copy++) added++;
    }
    return number;
}

// The copies of a pad, each going on to the node that is added next.
static void add_copies(CloseLoops *c, uint32_t pad, uint32_t *copy) {
    for (; *copy < c->copies.count && c->copies.at[*copy].pad == pad; ++*copy) {
        const NewCopy *added = &c->copies.at[*copy];
        func_add(c->grown, (Instr){.kind = I_OP,
                                   .op = (uint16_t)op_move(reg_type(c->grown, added->dest)),
                                   .dest = added->dest,
                                   .arg_count = 1,
                                   .arg = {added->source},
                                   .succ_count = 1,
                                   .succ = {{c->grown->nodes.count + 1}},
                                   .loc = c->func->nodes.at[pad].loc});
        vec_push(c->arena, &c->hint->old, NO_NODE);
    }
}

// A nop that goes on to the node that is added next; it performs an old node, or none.
static void add_nop(CloseLoops *c, Node old) {
    func_nop(c->grown, (Node){c->grown->nodes.count + 1});
    vec_push(c->arena, &c->hint->old, old);
}

static void add_pad(CloseLoops *c, const uint32_t *number, uint32_t pad, uint32_t *copy) {
    Node end = {number[c->func->nodes.at[pad].succ[0].i]};
    bool before_join = is_before_join(c, pad);
    add_nop(c, before_join ? NO_NODE : (Node){pad});
    add_copies(c, pad, copy);
    if (before_join) add_nop(c, (Node){pad});
    func_set_succ(c->grown, (Node){c->grown->nodes.count - 1}, 0, end);
}

static void add_nodes(CloseLoops *c, const uint32_t *number) {
    const Func *func = c->func;
    for (uint32_t n = 0, copy = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (copy < c->copies.count && c->copies.at[copy].pad == n) {
            add_pad(c, number, n, &copy);
            continue;
        }
        Node node = func_copy_instr(c->grown, func, instr);
        vec_push(c->arena, &c->hint->old, (Node){n});
        for (uint32_t k = 0; k < instr->succ_count; k++)
            func_set_succ(c->grown, node, k, (Node){number[instr_succs(func, instr)[k].i]});
    }
    for (uint32_t i = 0; i < c->uses.count; i++) {
        const RegRead *use = &c->uses.at[i].read;
        if (read_is_by_phi(use)) continue;
        Instr *instr = &c->grown->nodes.at[number[use->node.i]];
        Reg *args =
            instr->arg_count <= INLINE_ARGS ? instr->arg : c->grown->reg_pool.at + instr->args_at;
        args[use->arg] = c->replaced[i];
    }
}

// The arguments of all old phis, with the new names.
static Reg *renamed_phi_args(CloseLoops *c) {
    const Func *func = c->func;
    Reg *args = ARENA_ARRAY(c->arena, Reg, func->phi_args.count);
    for (uint32_t i = 0; i < func->phi_args.count; i++) args[i] = func->phi_args.at[i];
    for (uint32_t i = 0; i < c->uses.count; i++)
        if (read_is_by_phi(&c->uses.at[i].read))
            args[c->uses.at[i].read.arg - READ_BY_PHI] = c->replaced[i];
    return args;
}

static void add_phis(CloseLoops *c, const uint32_t *number) {
    const Func *func = c->func;
    const Reg *args = renamed_phi_args(c);
    for (uint32_t n = 0, added = 0; n < func->nodes.count; n++) {
        Node join = {number[n]};
        uint32_t width = preds_count(&c->preds, (Node){n});
        for (uint32_t p = 0; p < func_phi_count(func, (Node){n}); p++) {
            const Phi *phi = &func_phis(func, (Node){n})[p];
            func_add_phi(c->grown, join, phi->dest, args + phi->args_at, width);
        }
        for (; added < c->phis.count && c->phis.at[added].join == n; added++)
            func_add_phi(c->grown, join, c->phis.at[added].dest,
                         c->phi_names.at + c->phis.at[added].args_at, width);
    }
    func_end_phis(c->grown);
}

// The function with copies behind landing pads for every register that is set in the loop left
// there and used outside, and phis where several copies meet; NULL if there is nothing to do, or if
// the function is not in normal form.
Func *close_loops(Arena *arena, const Func *func, CloseLoopsHint *hint) {
    CloseLoops c = {.arena = arena, .func = func, .hint = hint, .preds = preds_of(arena, func)};
    c.dom = dominance_of(arena, func, &c.preds);
    c.loop_nest = loop_nest_of(arena, func, &c.preds, &c.dom);
    if (!c.loop_nest.reducible || c.dom.count != func->nodes.count ||
        !loop_nest_has_pads(&c.loop_nest, func, &c.preds))
        return NULL;
    c.definitions = definitions_of(arena, func);
    find_uses(&c);
    if (c.uses.count == 0) return NULL;
    c.head = block_heads(arena, func, &c.preds);
    find_versions(&c);
    c.grown = func_like(func, arena);
    c.round_of = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    c.name = ARENA_ARRAY(arena, Reg, func->nodes.count);
    c.replaced = ARENA_ARRAY(arena, Reg, c.uses.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) c.round_of[n] = NO_ID;
    for (uint32_t first = 0, end; first < c.uses.count; first = end) {
        for (end = first; end < c.uses.count && c.uses.at[end].reg == c.uses.at[first].reg;) end++;
        close_register(&c, first, end);
    }
    if (c.copies.count) qsort(c.copies.at, c.copies.count, sizeof(NewCopy), by_pad);
    if (c.phis.count) qsort(c.phis.at, c.phis.count, sizeof(NewPhi), by_join);
    const uint32_t *number = new_numbers(&c);
    add_nodes(&c, number);
    add_phis(&c, number);
    return c.grown;
}
