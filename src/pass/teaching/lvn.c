// Local value numbering: within a basic block, an operator is looked up among the operators before
// it, by the known values of its operands. Moves are looked through wherever they are.
//
// A table serves all blocks: the block is part of the key.
#include "pass/pass.h"

#include "analysis/computation.h"
#include "analysis/graph.h"
#include "base/hash.h"
#include "graph/basic_blocks.h"
#include "pass/substitute.h"

typedef struct {
    Arena *scratch;
    const Func *func;
    uint32_t *number; // per register: the register that is known to be equal to it
    Table table;      // of the nodes that compute something first
    uint32_t *block;  // per node: the head of its block
} Lvn;

// Nodes come in reverse postorder, so that definitions come before uses and blocks are not mixed.
static void number_node(Lvn *local, uint32_t node) {
    const Instr *instr = &local->func->nodes.at[node];
    if (instr->kind != I_OP) return;
    if (op_is_move((Op)instr->op)) {
        local->number[instr->dest.i] = local->number[instr->arg[0].i];
        return;
    }
    uint64_t hash = hash_add(computation_hash(instr, local->number), local->block[node]);
    uint32_t at = table_first(&local->table, hash), other;
    while ((other = table_id(&local->table, hash, &at)) != HASH_NONE) {
        const Instr *found = &local->func->nodes.at[other];
        if (local->block[other] != local->block[node] ||
            !computation_same(instr, found, local->number))
            continue;
        local->number[instr->dest.i] = found->dest.i;
        return;
    }
    table_insert(local->scratch, &local->table, hash, node);
}

Func *lvn(Arena *arena, const Func *func, Numbering *hint) {
    Graph graph = graph_of(arena, func);
    Preds preds = preds_of(arena, func);
    Lvn local = {.scratch = arena,
                 .func = func,
                 .number = ARENA_ARRAY(arena, uint32_t, func->regs.count),
                 .block = block_heads(arena, func, &preds)};
    for (uint32_t i = 0; i < func->regs.count; i++) local.number[i] = i;
    for (uint32_t i = 0; i < graph.reached; i++) number_node(&local, graph.order[i]);
    Reg *leader = vec_extend(arena, &hint->leader, func->regs.count);
    for (uint32_t i = 0; i < func->regs.count; i++) leader[i] = (Reg){local.number[i]};
    return substitute_registers(arena, func, leader);
}
