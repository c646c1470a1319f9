// Decides the properties NORMAL and CLOSED of passes.def. What is established:
//
// NORMAL: check_shape accepts the graph and its loops, with the loops that loop_nest.h finds for a
// graph in this form. For a graph in another form these loops or something else are wrong, and
// check_shape rejects the graph.
//
// CLOSED: a register that is set in a loop is read by nodes of the loop, by phis on edges from the
// loop, and by copies behind a pad at which the loop is left: moves that follow the pad one after
// the other. Predecessors come before their successors in normal form, but for latches, so that one
// walk finds the moves behind each pad.
//
// NORMAL depends on edges and on which nodes are nops, and asks for nops only where there are some.
// So NORMAL carries over to a function with the same edges in which every nop has stayed a nop.
// CLOSED does not carry over, because it depends on registers, too.
#include "check/properties.h"

#include "check/checkers.h"
#include "graph/basic_blocks.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds;
    Dominance dom;
    LoopNest loop_nest;
    const Definition *definitions;
    Node *pad; // node -> its own pad, or the pad that it follows as a copy; NO_NODE
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// ---- NORMAL

static bool check_normal(Check *check) {
    LoopNest nest = loop_nest_by_number(check->arena, check->func, &check->preds);
    check->verdict = check_shape(check->arena, check->func, &check->preds, &nest);
    return check->verdict.accepted;
}

// ---- CLOSED

static void find_pads(Check *check) {
    const Func *func = check->func;
    check->pad = ARENA_ARRAY(check->arena, Node, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        const Instr *instr = func_at(func, node);
        check->pad[n] = NO_NODE;
        Node pred = preds_sole(&check->preds, node);
        if (pred.i == NO_ID) continue;
        Node left = check->loop_nest.loop[pred.i];
        if (instr->kind == I_NOP && left.i != NO_ID &&
            !loop_nest_contains(&check->loop_nest, left, node))
            check->pad[n] = node;
        else if (instr->kind == I_OP && op_is_move(instr->op) && pred.i < n &&
                 continues_block(func, &check->preds, node))
            check->pad[n] = check->pad[pred.i];
    }
}

// A register is read at a node, or, by a phi, on the edge from there.
static bool check_read(Check *check, Reg reg, Node node) {
    Node set = check->definitions[reg.i].node;
    Node loop = set.i == NO_ID ? NO_NODE : check->loop_nest.loop[set.i];
    if (loop.i == NO_ID || loop_nest_contains(&check->loop_nest, loop, node)) return true;
    Node pad = check->pad[node.i];
    return (pad.i != NO_ID && pad.i != node.i &&
            loop_nest_contains(&check->loop_nest, loop, *preds_at(&check->preds, pad))) ||
           REJECT(check, node, "it reads what the loop of %u sets, and is no copy behind a pad",
                  loop.i);
}

static bool check_closed(Check *check) {
    const Func *func = check->func;
    check->definitions = definitions_of(check->arena, func);
    find_pads(check);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            if (!check_read(check, instr_args(func, instr)[k], (Node){n})) return false;
        const Node *preds = preds_at(&check->preds, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
            for (uint32_t k = 0; k < preds_count(&check->preds, (Node){n}); k++)
                if (!check_read(check, phi_args(func, &func_phis(func, (Node){n})[i])[k], preds[k]))
                    return false;
    }
    return true;
}

// ---- All of them

Verdict check_properties(Arena *arena, const Func *func, uint32_t properties) {
    Check check = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    if (properties == PROPERTY_NOTHING) return VERDICT_ACCEPTED;
    if (!check_normal(&check)) return check.verdict;
    if (properties == PROPERTY_NORMAL) return VERDICT_ACCEPTED;
    check.dom = dominance_of(arena, func, &check.preds);
    check.loop_nest = loop_nest_of(arena, func, &check.preds, &check.dom);
    if (check_closed(&check)) return VERDICT_ACCEPTED;
    return check.verdict;
}

uint32_t properties_kept(const Func *before, const Func *after, uint32_t properties) {
    if (!(properties & PROPERTY_NORMAL) || before->nodes.count != after->nodes.count)
        return PROPERTY_NOTHING;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *then = &before->nodes.at[n], *now = &after->nodes.at[n];
        if (!check_same_succs(before, then, after, now) ||
            (then->kind == I_NOP && now->kind != I_NOP))
            return PROPERTY_NOTHING;
    }
    return PROPERTY_NORMAL;
}
