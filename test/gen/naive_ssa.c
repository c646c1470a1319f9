// Nodes in normal form are numbered in reverse postorder, so a node with one predecessor comes
// after it and starts with the versions that are current at its end. A join starts with new
// versions of what is live there; the arguments of its phis are filled in when all nodes are done.
#include "test/gen/naive_ssa.h"

#include "analysis/liveness.h"
#include "test/gen/random.h"

typedef struct {
    Arena *arena;
    const Func *from;
    Func *to;
    NaiveOptions options;
    Random random;
    Preds preds;
    Liveness liveness;
    Reg **current;          // for each node, the current version of each register at its end
    uint32_t *last_version; // of each register
} Naive;

static Reg new_version(Naive *naive, Reg reg) {
    RegInfo info = naive->from->regs.at[reg.i];
    info.version = ++naive->last_version[reg.i] + 1;
    return func_add_reg(naive->to, info);
}

// Version 0 of each register has its number.
static void start(Naive *naive) {
    const Func *from = naive->from;
    naive->to = func_like(from, naive->arena);
    naive->to->form = FORM_SSA;
    for (uint32_t i = 0; i < from->regs.count; i++) naive->to->regs.at[i].version = 1;
    naive->last_version = ARENA_ARRAY(naive->arena, uint32_t, from->regs.count);
    naive->current = ARENA_ARRAY(naive->arena, Reg *, from->nodes.count);
}

static Reg *versions_at_entry(Naive *naive) {
    uint32_t count = naive->from->regs.count;
    Reg *versions = ARENA_ARRAY(naive->arena, Reg, count);
    for (uint32_t i = 0; i < count; i++) versions[i] = (Reg){i};
    return versions;
}

static Reg *versions_at_join(Naive *naive, Node join) {
    Reg *versions = versions_at_entry(naive);
    for (uint32_t i = 0; i < naive->from->regs.count; i++)
        if (live_in(&naive->liveness, join, (Reg){i})) versions[i] = new_version(naive, (Reg){i});
    return versions;
}

static Reg *versions_before(Naive *naive, Node node) {
    uint32_t count = preds_count(&naive->preds, node);
    if (count > 1) return versions_at_join(naive, node);
    if (count == 0) return versions_at_entry(naive);
    Node pred = *preds_at(&naive->preds, node);
    Reg *versions = naive->current[pred.i];
    if (func_at(naive->from, pred)->succ_count == 1) return versions;
    return arena_copy(naive->arena, versions, naive->from->regs.count * sizeof(Reg));
}

static bool folds(Naive *naive, const Instr *instr) {
    return instr->kind == I_OP && instr->op == op_move(reg_type(naive->from, instr->dest)) &&
           random_chance(&naive->random, naive->options.folded, 100);
}

static void rename_node(Naive *naive, Node node) {
    const Instr *instr = func_at(naive->from, node);
    Reg *versions = naive->current[node.i] = versions_before(naive, node);
    if (instr->dest.i != NO_ID && folds(naive, instr)) {
        func_nop(naive->to, instr->succ[0]);
        versions[instr->dest.i] = versions[instr->arg[0].i];
        return;
    }
    Node copy = func_copy_instr(naive->to, naive->from, instr);
    Instr *renamed = &naive->to->nodes.at[copy.i];
    Reg *args =
        instr->arg_count <= INLINE_ARGS ? renamed->arg : naive->to->reg_pool.at + renamed->args_at;
    for (uint32_t i = 0; i < instr->arg_count; i++) args[i] = versions[args[i].i];
    if (instr->dest.i == NO_ID) return;
    versions[instr->dest.i] = new_version(naive, instr->dest);
    naive->to->nodes.at[copy.i].dest = versions[instr->dest.i];
}

// The versions that a join starts with are found again by going through its live registers in the
// same order: `first` is the first of them.
static void add_phis(Naive *naive, Node join, Reg first) {
    uint32_t count = preds_count(&naive->preds, join);
    Reg *args = ARENA_ARRAY(naive->arena, Reg, count);
    for (uint32_t i = 0; i < naive->from->regs.count; i++) {
        if (!live_in(&naive->liveness, join, (Reg){i})) continue;
        for (uint32_t k = 0; k < count; k++)
            args[k] = naive->current[preds_at(&naive->preds, join)[k].i][i];
        func_add_phi(naive->to, join, first, args, count);
        first.i++;
    }
}

Func *naive_ssa(Arena *arena, const Func *func, NaiveOptions options) {
    Graph graph = graph_of(arena, func);
    Blocks blocks = blocks_of(arena, &graph);
    Naive naive = {.arena = arena,
                   .from = func,
                   .options = options,
                   .random = random_from(options.seed),
                   .preds = preds_of(arena, func),
                   .liveness = liveness_of(arena, func, &graph, &blocks)};
    start(&naive);
    Reg *first = ARENA_ARRAY(arena, Reg, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        first[n] = (Reg){naive.to->regs.count};
        rename_node(&naive, (Node){n});
    }
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (preds_count(&naive.preds, (Node){n}) > 1) add_phis(&naive, (Node){n}, first[n]);
    func_end_phis(naive.to);
    return naive.to;
}
