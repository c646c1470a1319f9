// Tidies a function in three steps: prune, normalize, reattach. Pruning makes a graph without phis
// from the nodes that can be reached: idle nops are left out, and a join that has one way in left
// gets its phis as copies in front. Normalization then works as for RTL. As edges were only removed
// from a graph in normal form, normalization adds only nops on edges, and no join in front of
// another, which would have no phis. At last the joins get their phis back, with arguments in the
// new order of predecessors.
#include "pass/pass.h"

#include "base/bits.h"
#include "check/properties.h"
#include "graph/basic_blocks.h"

// The old node for which a node of the pruned graph stands. A copy of a phi comes before the phis
// of its join have acted: the old function is still at the nop in front of that.
typedef struct {
    uint32_t old;
    bool copies;
} Role;

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds; // of `func`
    Bits reached;
    uint32_t *ways;   // incoming edges from reached nodes
    uint32_t *pruned; // old node -> node of `work`; NO_ID if it is left out
    Func *work;       // the pruned graph, as RTL
    VEC(Role) roles;  // of its nodes
    Bits copies;      // nodes of the result that are copies of phis
} Tidy;

static void find_reached(Tidy *tidy) {
    const Func *func = tidy->func;
    VEC(Node) stack = {0};
    tidy->reached = bits_new(tidy->arena, func->nodes.count);
    tidy->ways = ARENA_ARRAY(tidy->arena, uint32_t, func->nodes.count);
    bits_add(&tidy->reached, 0);
    vec_push(tidy->arena, &stack, (Node){0});
    while (stack.count) {
        const Instr *instr = func_at(func, vec_pop(&stack));
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            tidy->ways[succs[k].i]++;
            if (bits_put(&tidy->reached, succs[k].i)) vec_push(tidy->arena, &stack, succs[k]);
        }
    }
}

// A nop between two nodes that are no joins. If it is a landing pad, normalization will put one
// back.
static bool is_idle(const Tidy *tidy, uint32_t node) {
    const Instr *instr = &tidy->func->nodes.at[node];
    return instr->kind == I_NOP && preds_sole(&tidy->preds, (Node){node}).i != NO_ID &&
           preds_sole(&tidy->preds, instr->succ[0]).i != NO_ID;
}

// Whether there is anything to gain: nodes that cannot be reached, nops that are no landing pads,
// or the normal form itself.
static bool has_work(const Tidy *tidy) {
    for (uint32_t n = 0; n < tidy->func->nodes.count; n++) {
        if (!bits_has(&tidy->reached, n)) return true;
        if (is_idle(tidy, n) && continues_block(tidy->func, &tidy->preds, (Node){n})) return true;
    }
    return !check_properties(tidy->arena, tidy->func, PROPERTY_NORMAL).accepted;
}

// ---- Pruning

// The one predecessor of a join over which it is still entered.
static uint32_t only_way(const Tidy *tidy, Node join) {
    const Node *preds = preds_at(&tidy->preds, join);
    uint32_t k = 0;
    while (!bits_has(&tidy->reached, preds[k].i)) k++;
    return k;
}

// The phis of a join with one way in, as copies in front of it. Successors are filled in later, so
// a copy just goes on to the next node.
static void add_copies(Tidy *tidy, Node join) {
    uint32_t k = only_way(tidy, join);
    for (uint32_t i = 0; i < func_phi_count(tidy->func, join); i++) {
        const Phi *phi = &func_phis(tidy->func, join)[i];
        Node copy =
            func_add(tidy->work, (Instr){.kind = I_OP,
                                         .op = (uint16_t)op_move(reg_type(tidy->func, phi->dest)),
                                         .dest = phi->dest,
                                         .arg_count = 1,
                                         .arg = {phi_args(tidy->func, phi)[k]},
                                         .succ_count = 1});
        func_set_succ(tidy->work, copy, 0, (Node){copy.i + 1});
        vec_push(tidy->arena, &tidy->roles,
                 (Role){.old = preds_at(&tidy->preds, join)[k].i, .copies = true});
    }
}

static void prune(Tidy *tidy) {
    const Func *func = tidy->func;
    tidy->pruned = ARENA_ARRAY(tidy->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        tidy->pruned[n] = NO_ID;
        if (!bits_has(&tidy->reached, n) || is_idle(tidy, n)) continue;
        tidy->pruned[n] = tidy->work->nodes.count;
        if (tidy->ways[n] == 1 && func_phi_count(func, (Node){n})) add_copies(tidy, (Node){n});
        func_copy_instr(tidy->work, func, &func->nodes.at[n]);
        vec_push(tidy->arena, &tidy->roles, (Role){.old = n});
    }
    for (uint32_t i = 0; i < tidy->work->nodes.count; i++) {
        if (tidy->roles.at[i].copies) continue;
        const Instr *instr = &tidy->work->nodes.at[i];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t succ = instr_succs(tidy->work, instr)[k].i;
            while (tidy->pruned[succ] == NO_ID) succ = func->nodes.at[succ].succ[0].i;
            func_set_succ(tidy->work, (Node){i}, k, (Node){tidy->pruned[succ]});
        }
    }
}

// ---- Reattaching

// Whether normalization has copied nodes, to give a loop one entry: registers would have two
// definitions.
static bool has_copies(const Tidy *tidy, const Func *result, const Bits *added,
                       const CopiesHint *hint) {
    Bits performed = bits_new(tidy->arena, tidy->work->nodes.count);
    for (uint32_t n = 0; n < result->nodes.count; n++)
        if (!bits_has(added, n) && !bits_put(&performed, hint->old.at[n].i)) return true;
    return false;
}

// From nodes of the pruned graph to those of the function. An added node stands for the node behind
// it, which may come after phis that have yet to act: see find_origins.
static void translate(Tidy *tidy, const Bits *added, CopiesHint *hint) {
    tidy->copies = bits_new(tidy->arena, hint->old.count);
    for (uint32_t n = 0; n < hint->old.count; n++) {
        const Role *role = &tidy->roles.at[hint->old.at[n].i];
        hint->old.at[n].i = role->old;
        if (role->copies && !bits_has(added, n)) bits_add(&tidy->copies, n);
    }
}

// The nops that were added in front of joins with phis stand for the old predecessor they come
// from: joins' predecessors are nops, so that the way there goes over single ways. False if a join
// is no old join, so that its phis are unknown.
static bool find_origins(Tidy *tidy, const Func *result, const Bits *added, CopiesHint *hint) {
    Bits told = bits_new(tidy->arena, result->nodes.count);
    for (uint32_t n = 0; n < result->nodes.count; n++) {
        const Instr *instr = &result->nodes.at[n];
        if (bits_has(added, n)) continue;
        // From a step on, added nops lead to where the old successor is.
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node at = instr_succs(result, instr)[k];
            for (; bits_has(added, at.i); at = result->nodes.at[at.i].succ[0]) {
                uint32_t target = hint->old.at[at.i].i;
                if (!bits_has(&told, at.i) &&
                    (tidy->ways[target] < 2 || !func_phi_count(tidy->func, (Node){target})))
                    break;
                if (!bits_put(&told, at.i)) return false; // a new join before an old one
                hint->old.at[at.i] = hint->old.at[n];
            }
        }
    }
    return true;
}

static bool attach_phis(Tidy *tidy, Func *result, const Bits *added, const CopiesHint *hint) {
    const Func *func = tidy->func;
    Preds preds = preds_of(tidy->arena, result);
    uint32_t *place =
        ARENA_ARRAY(tidy->arena, uint32_t, func->nodes.count); // of an old predecessor
    VEC(Reg) args = {0};
    for (uint32_t n = 0; n < result->nodes.count; n++) {
        Node join = {n}, old = hint->old.at[n];
        uint32_t width = preds_count(&preds, join), count = func_phi_count(func, old);
        if (bits_has(added, n) || bits_has(&tidy->copies, n)) continue;
        if (count == 0 || tidy->ways[old.i] < 2) continue;
        if (width != tidy->ways[old.i]) return false;
        for (uint32_t k = 0; k < preds_count(&tidy->preds, old); k++)
            place[preds_at(&tidy->preds, old)[k].i] = k;
        vec_clear(&args);
        Reg *at = vec_extend(tidy->arena, &args, width);
        for (uint32_t i = 0; i < count; i++) {
            const Phi *phi = &func_phis(func, old)[i];
            for (uint32_t k = 0; k < width; k++) {
                Node origin = hint->old.at[preds_at(&preds, join)[k].i];
                at[k] = phi_args(func, phi)[place[origin.i]];
            }
            func_add_phi(result, join, phi->dest, at, width);
        }
    }
    func_end_phis(result);
    return true;
}

// The function in normal form, without unreachable nodes; a phi with one argument left becomes a
// copy. NULL if there is nothing to do, or if the function never had a normal form, as text may
// bring it, and would need new phis.
Func *tidy(Arena *arena, const Func *func, CopiesHint *hint) {
    Tidy tidy = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    find_reached(&tidy);
    if (!has_work(&tidy)) return NULL;
    tidy.work = func_like(func, arena);
    tidy.work->form = FORM_RTL;
    prune(&tidy);
    Bits added;
    Func *result = normalize_marked(arena, tidy.work, hint, &added, false);
    result->form = FORM_SSA;
    if (hint->dispatches.count || has_copies(&tidy, result, &added, hint)) return NULL;
    translate(&tidy, &added, hint);
    if (!find_origins(&tidy, result, &added, hint) || !attach_phis(&tidy, result, &added, hint))
        return NULL;
    return result;
}
