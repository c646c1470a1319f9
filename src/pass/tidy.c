// In three steps: prune, normalize, reattach. Pruning makes a graph without phis from the nodes that
// can be reached: idle nops are left out, and a join that has one way in left gets its phis as copies in
// front. Normalization then does what it does for RTL; as edges were only removed from a graph in
// normal form, it adds nops on edges and nothing else: no join in front of another, for which there would be
// no phis. At last the joins get their phis back, with arguments in the new order of predecessors.
#include "pass/pass.h"

#include "base/bits.h"
#include "check/properties.h"
#include "fact/basic_blocks.h"

// What a node of the pruned graph does, as in TidyHint.
typedef struct {
    NormKind kind;
    uint32_t target, phi;
    Node from;
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

// A nop between two nodes that are no joins. If it is a landing pad, normalization will put one back.
static bool is_idle(const Tidy *tidy, uint32_t node) {
    const Instr *instr = &tidy->func->nodes.at[node];
    return node != 0 && instr->kind == I_NOP && preds_count(&tidy->preds, (Node){node}) == 1 &&
           preds_count(&tidy->preds, instr->succ[0]) == 1;
}

// Whether there is anything to gain: nodes that cannot be reached, nops that are no landing pads, or the normal
// form itself.
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

static void add_role(Tidy *tidy, Role role) {
    vec_push(tidy->arena, &tidy->roles, role);
}

// The phis of a join with one way in, as copies in front of it. Successors are filled in later, so a
// copy just goes on to the next node.
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
        add_role(tidy, (Role){.kind = NORM_COPY,
                              .target = join.i,
                              .phi = i,
                              .from = preds_at(&tidy->preds, join)[k]});
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
        add_role(tidy, (Role){.kind = NORM_STEP, .target = n, .from = NO_NODE});
    }
    for (uint32_t i = 0; i < tidy->work->nodes.count; i++) {
        if (tidy->roles.at[i].kind != NORM_STEP) continue;
        const Instr *instr = &tidy->work->nodes.at[i];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t succ = instr_succs(tidy->work, instr)[k].i;
            while (tidy->pruned[succ] == NO_ID) succ = func->nodes.at[succ].succ[0].i;
            func_set_succ(tidy->work, (Node){i}, k, (Node){tidy->pruned[succ]});
        }
    }
}

// ---- Reattaching

// The hint in terms of the old function, and for each new node the one it performs (NO_ID if it was
// added). Nodes that wait for phis know from where they are entered: a join's predecessors are nops, so
// the way back to the old predecessor goes over single ways.
static void translate(Tidy *tidy, const Func *result, const NormHint *norm, TidyHint *hint) {
    hint->norm = *norm;
    for (uint32_t n = 0; n < result->nodes.count; n++) {
        NormNode *node = &hint->norm.nodes.at[n];
        Role role = tidy->roles.at[node->target];
        if (node->kind == NORM_STEP) node->kind = role.kind;
        node->target = role.target;
        vec_push(tidy->arena, &hint->from, node->kind == NORM_STEP ? NO_NODE : role.from);
        vec_push(tidy->arena, &hint->phi, role.phi);
    }
}

// For the nops in front of new joins with phis: the old predecessor they come from. False if a join is
// not one of old, so that its phis cannot be told.
static bool find_origins(Tidy *tidy, const Func *result, TidyHint *hint) {
    for (uint32_t n = 0; n < result->nodes.count; n++) {
        const NormNode *node = &hint->norm.nodes.at[n];
        if (node->kind != NORM_STEP) continue;
        const Instr *instr = &result->nodes.at[n];
        // From a step on, added nops lead to where the old successor is.
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node at = instr_succs(result, instr)[k];
            for (; hint->norm.nodes.at[at.i].kind == NORM_STUTTER;
                 at = result->nodes.at[at.i].succ[0]) {
                uint32_t target = hint->norm.nodes.at[at.i].target;
                if (tidy->ways[target] < 2 || !func_phi_count(tidy->func, (Node){target})) break;
                if (hint->from.at[at.i].i != NO_ID) return false; // a new join before an old one
                hint->from.at[at.i] = (Node){node->target};
            }
        }
    }
    return true;
}

// The old predecessor that a predecessor of a new join stands at.
static Node origin_of(const TidyHint *hint, Node pred) {
    const NormNode *node = &hint->norm.nodes.at[pred.i];
    return node->kind == NORM_STEP ? (Node){node->target} : hint->from.at[pred.i];
}

static bool attach_phis(Tidy *tidy, Func *result, const TidyHint *hint) {
    const Func *func = tidy->func;
    Preds preds = preds_of(tidy->arena, result);
    uint32_t *place =
        ARENA_ARRAY(tidy->arena, uint32_t, func->nodes.count); // of an old predecessor
    VEC(Reg) args = {0};
    for (uint32_t n = 0; n < result->nodes.count; n++) {
        Node join = {n}, old = {hint->norm.nodes.at[n].target};
        uint32_t width = preds_count(&preds, join), count = func_phi_count(func, old);
        if (hint->norm.nodes.at[n].kind != NORM_STEP || count == 0 || tidy->ways[old.i] < 2)
            continue;
        if (width != tidy->ways[old.i]) return false;
        for (uint32_t k = 0; k < preds_count(&tidy->preds, old); k++)
            place[preds_at(&tidy->preds, old)[k].i] = k;
        vec_clear(&args);
        Reg *at = vec_extend(tidy->arena, &args, width);
        for (uint32_t i = 0; i < count; i++) {
            const Phi *phi = &func_phis(func, old)[i];
            for (uint32_t k = 0; k < width; k++) {
                Node origin = origin_of(hint, preds_at(&preds, join)[k]);
                if (origin.i == NO_ID) return false;
                at[k] = phi_args(func, phi)[place[origin.i]];
            }
            func_add_phi(result, join, phi->dest, at, width);
        }
    }
    func_end_phis(result);
    return true;
}

// The function in normal form, without unreachable nodes; a phi with one argument left becomes a copy.
// NULL if there is nothing to do, or if the function never had a normal form, as text may bring it, and would need
// phis of its own for that.
Func *tidy(Arena *arena, const Func *func, TidyHint *hint) {
    Tidy tidy = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    find_reached(&tidy);
    if (!has_work(&tidy)) return NULL;
    tidy.work = func_like(func, arena);
    tidy.work->form = FORM_RTL;
    prune(&tidy);
    NormHint norm = {0};
    Func *result = normalize_edges(arena, tidy.work, &norm);
    result->form = FORM_SSA;
    if (norm.dispatches.count) return NULL;
    translate(&tidy, result, &norm, hint);
    if (!find_origins(&tidy, result, hint) || !attach_phis(&tidy, result, hint)) return NULL;
    return result;
}
