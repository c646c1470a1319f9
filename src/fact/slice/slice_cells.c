#include "fact/slice/slice_cells.h"

#include "graph/definitions.h"

// Below it, sums do not overflow.
static const int64_t farthest = (int64_t)1 << 40;

// ---- Nodes that are executed once at most

typedef struct {
    Arena *arena;
    const Func *func;
    VEC(uint32_t) order; // nodes, in the order in which depth-first search leaves them
    VEC(uint32_t) stack;
    uint32_t *next; // node -> the successor to be looked at next
    Bits seen;
} CycleSearch;

// Depth first, so that a node is left after all nodes that it leads to and that lead nowhere else.
static void leave_nodes(CycleSearch *search, uint32_t start) {
    const Func *func = search->func;
    if (!bits_put(&search->seen, start)) return;
    vec_push(search->arena, &search->stack, start);
    while (search->stack.count) {
        uint32_t node = search->stack.at[search->stack.count - 1];
        const Instr *instr = &func->nodes.at[node];
        if (search->next[node] < instr->succ_count) {
            uint32_t succ = instr_succs(func, instr)[search->next[node]++].i;
            if (bits_put(&search->seen, succ)) vec_push(search->arena, &search->stack, succ);
        } else {
            vec_push(search->arena, &search->order, node);
            (void)vec_pop(&search->stack);
        }
    }
}

// Backward from a node, among nodes that no other search has found: these are the nodes of the
// cycles that the node lies on. Whether there are others but the node.
static bool has_others(CycleSearch *search, const Preds *preds, uint32_t node) {
    bool others = false;
    vec_push(search->arena, &search->stack, node);
    while (search->stack.count) {
        Node at = {vec_pop(&search->stack)};
        for (uint32_t k = 0; k < preds_count(preds, at); k++) {
            uint32_t pred = preds_at(preds, at)[k].i;
            others |= pred == node;
            if (bits_put(&search->seen, pred)) {
                vec_push(search->arena, &search->stack, pred);
                others = true;
            }
        }
    }
    return others;
}

// The nodes that lie on no cycle. (Kosaraju's way to find strongly connected parts: of the nodes
// that are left last, those that lead there are one part. A part of several nodes is marked as a
// whole, by the marks of its search.)
static Bits nodes_on_no_cycle(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count;
    CycleSearch search = {.arena = arena, .func = func, .seen = bits_new(arena, count)};
    search.next = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    for (uint32_t n = 0; n < count; n++) leave_nodes(&search, n);
    Preds preds = preds_of(arena, func);
    Bits single = bits_new(arena, count);
    bits_clear(&search.seen);
    for (uint32_t i = search.order.count; i-- > 0;) {
        uint32_t node = search.order.at[i];
        if (bits_put(&search.seen, node) && !has_others(&search, &preds, node))
            bits_add(&single, node);
    }
    return single;
}

// ---- Roots

// The argument to which an instruction adds a constant; NO_ID if it does something else.
static uint32_t added_to(const SliceRoots *roots, const Instr *instr, int64_t *constant) {
    if (!instr || instr->kind != I_OP) return NO_ID;
    *constant = 0;
    if (instr->op == OP_MOVE_I64) return 0;
    bool sum = instr->op == OP_ADD_I64;
    if (!sum && instr->op != OP_SUB_I64) return NO_ID;
    const RegisterValue *second = instr->immediate ? NULL : &roots->values[instr->arg[1].i];
    if (second && second->op != OP_CONST_I64) return NO_ID;
    *constant = second ? second->imm : instr->imm;
    if (*constant < -farthest || *constant > farthest) return NO_ID;
    if (!sum) *constant = -*constant;
    return 0;
}

// Follows moves and sums with constants to the last register that is a root.
static void find_root(SliceRoots *roots, const Definition *definitions, const Bits *single,
                      uint32_t reg) {
    enum { MOST_STEPS = 64 };
    Reg at = {reg};
    int64_t distance = 0, constant;
    roots->root[reg] = NO_ID;
    for (uint32_t step = 0; step < MOST_STEPS; step++) {
        Definition definition = definitions[at.i];
        bool once = definition.by == SET_BY_INSTR && bits_has(single, definition.node.i);
        if (definition.by == SET_BY_CALLER || once) {
            roots->root[reg] = at.i;
            roots->distance[reg] = distance;
        }
        if (definition.by != SET_BY_INSTR) return;
        const Instr *instr = func_at(roots->func, definition.node);
        uint32_t k = added_to(roots, instr, &constant);
        if (k == NO_ID) return;
        distance += constant;
        at = instr_args(roots->func, instr)[k];
    }
}

SliceRoots slice_roots_of(Arena *arena, const Func *func, const Places *places) {
    uint32_t regs = func->regs.count;
    SliceRoots roots = {.func = func,
                        .values = places->values,
                        .root = ARENA_ARRAY(arena, uint32_t, (size_t)regs + 1),
                        .distance = ARENA_ARRAY(arena, int64_t, (size_t)regs + 1)};
    const Definition *definitions = definitions_of(arena, func);
    Bits single = nodes_on_no_cycle(arena, func);
    for (uint32_t r = 0; r < regs; r++) find_root(&roots, definitions, &single, r);
    return roots;
}

// ---- Cells

static SliceCell cell_at(const SliceRoots *roots, Reg reg, bool indexed, int64_t at,
                         uint64_t size) {
    SliceCell cell = {.root = roots->root[reg.i], .type = EFFECTIVE_ANY};
    if (cell.root == NO_ID) return cell;
    bool near = at >= -farthest && at <= farthest && size <= (uint64_t)farthest;
    cell.fixed = !indexed && near;
    if (!cell.fixed) return cell;
    cell.from = roots->distance[reg.i] + at;
    cell.to = cell.from + (int64_t)size;
    return cell;
}

SliceCell slice_cell_moved(const SliceRoots *roots, const Instr *instr) {
    const Reg *args = instr_args(roots->func, instr);
    uint64_t size = chunk_size((Chunk)instr->chunk);
    int64_t at = instr->imm;
    bool indexed = instr->scale;
    SliceCell cell = {.root = NO_ID};
    if (indexed) {
        const RegisterValue *index = &roots->values[args[instr->base == BASE_REG].i];
        indexed = index->op != OP_CONST_I64;
        if (!indexed) at = (int64_t)((uint64_t)at + (uint64_t)index->imm * instr->scale);
    }
    if (instr->base == BASE_REG) cell = cell_at(roots, args[0], indexed, at, size);
    if (instr->base == BASE_SYMBOL) {
        cell.root = roots->func->regs.count + instr->ref;
        cell.fixed = !indexed && at >= -farthest && at <= farthest;
        cell.from = cell.fixed ? at : 0;
        cell.to = cell.fixed ? at + (int64_t)size : 0;
    }
    cell.type = (EffectiveType)instr->effective;
    return cell;
}

SliceCell slice_cell_behind(const SliceRoots *roots, Reg reg, uint64_t size) {
    return cell_at(roots, reg, false, 0, size);
}

bool slice_cells_meet(const SliceCell *a, const SliceCell *b) {
    if (!effective_meets(a->type, b->type)) return false;
    if (a->root == NO_ID || a->root != b->root || !a->fixed || !b->fixed) return true;
    return a->from < b->to && b->from < a->to;
}
