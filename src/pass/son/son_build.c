// Builds Sea of Nodes from SSA: operators that cannot go wrong leave the graph and float; the
// remaining nodes are the skeleton.
//
// Nodes are looked at in an order in which definitions come before uses: the order of the dominator
// tree. A total operator with the operands of an earlier operator becomes that operator
// (hash-consing; operands that may be swapped are put in order), and a move becomes its source. So
// each register of SSA gets a leader, and all arguments are replaced by leaders. Phis are left as
// they are: the optimizer finds the phis that are copies.
//
// Unreachable nodes stay as they are, total operators included: there, definitions may go round in
// circles.
#include "pass/pass.h"

#include "base/hash.h"
#include "fact/effects.h"
#include "graph/dominance.h"
#include "pass/son/son_trail.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Func *result;
    SonTrail *trail;
    Preds preds;
    Dominance dominance;
    Table table;      // of floating operators
    uint32_t *placed; // old node -> new node, or, if it was removed, the next one
} SonBuild;

static Reg leader_in(const SonBuild *build, Reg reg) {
    return build->trail->leader.at[reg.i];
}

static bool floats(const SonBuild *build, Node node) {
    return instr_is_total(func_at(build->func, node)) && dominance_reaches(&build->dominance, node);
}

// ---- Floating operators

static uint64_t hash_operator(const Instr *instr) {
    uint64_t hash = hash_add((uint64_t)instr->op << 32 | instr->ref, (uint64_t)instr->imm);
    hash = hash_add(hash, (uint64_t)instr->high << 1 | instr->immediate);
    for (uint32_t k = 0; k < instr->arg_count; k++) hash = hash_add(hash, instr->arg[k].i);
    return hash;
}

// All but destinations and locations.
static bool same_operator(const Instr *a, const Instr *b) {
    if (a->op != b->op || a->ref != b->ref || a->imm != b->imm || a->high != b->high ||
        a->immediate != b->immediate || a->arg_count != b->arg_count)
        return false;
    for (uint32_t k = 0; k < a->arg_count; k++)
        if (a->arg[k].i != b->arg[k].i) return false;
    return true;
}

// The register that has the operator's value.
static Reg float_operator(SonBuild *build, Instr instr) {
    Son *son = build->result->son;
    uint64_t hash = hash_operator(&instr);
    uint32_t at = table_first(&build->table, hash), id;
    while ((id = table_id(&build->table, hash, &at)) != HASH_NONE)
        if (same_operator(&son->floating.at[id], &instr)) return son->floating.at[id].dest;
    table_insert(build->arena, &build->table, hash, son->floating.count);
    vec_push(build->arena, &son->floating, instr);
    return instr.dest;
}

static void float_node(SonBuild *build, Node node) {
    Instr instr = *func_at(build->func, node);
    Reg dest = instr.dest;
    instr.succ_count = 0;
    for (uint32_t k = 0; k < instr.arg_count; k++) instr.arg[k] = leader_in(build, instr.arg[k]);
    if ((op_info(instr.op)->flags & OPF_COMM) && instr.arg_count == 2 &&
        instr.arg[0].i > instr.arg[1].i) {
        Reg first = instr.arg[0];
        instr.arg[0] = instr.arg[1];
        instr.arg[1] = first;
    }
    build->trail->leader.at[dest.i] =
        op_is_move((Op)instr.op) ? instr.arg[0] : float_operator(build, instr);
}

static void find_leaders(SonBuild *build) {
    Reg *leader = vec_extend(build->arena, &build->trail->leader, build->func->regs.count);
    for (uint32_t i = 0; i < build->func->regs.count; i++) leader[i] = (Reg){i};
    for (uint32_t i = 0; i < build->dominance.count; i++) {
        Node node = {build->dominance.order[i]};
        if (floats(build, node)) float_node(build, node);
    }
}

// ---- The skeleton

// Whether a node leaves the graph. The entry and joins stay, as nops if their operators float: so
// phis stay where they are, and no circle vanishes.
static bool leaves(const SonBuild *build, Node node) {
    return floats(build, node) && preds_sole(&build->preds, node).i != NO_ID;
}

// For each node that leaves, the first behind it that stays. Each chain of such nodes is walked to
// its end twice.
static void skip_leaving(SonBuild *build, Node from) {
    const Func *func = build->func;
    Node end = from;
    while (build->placed[end.i] == NO_ID) end = func_at(func, end)->succ[0];
    for (Node at = from; build->placed[at.i] == NO_ID; at = func_at(func, at)->succ[0])
        build->placed[at.i] = build->placed[end.i];
}

static void place_nodes(SonBuild *build) {
    uint32_t count = build->func->nodes.count, kept = 0;
    build->placed = ARENA_ARRAY(build->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++)
        build->placed[n] = leaves(build, (Node){n}) ? NO_ID : kept++;
    for (uint32_t n = 0; n < count; n++)
        if (build->placed[n] == NO_ID) skip_leaving(build, (Node){n});
}

static void replace_args(SonBuild *build, Node node) {
    Func *result = build->result;
    Instr *instr = &result->nodes.at[node.i];
    Reg *args = instr->arg_count <= INLINE_ARGS ? instr->arg : result->reg_pool.at + instr->args_at;
    for (uint32_t k = 0; k < instr->arg_count; k++) args[k] = leader_in(build, args[k]);
}

static void copy_node(SonBuild *build, Node old) {
    const Instr *instr = func_at(build->func, old);
    Func *result = build->result;
    Node node = {result->nodes.count};
    if (floats(build, old))
        func_nop(result, instr->succ[0]);
    else
        func_copy_instr(result, build->func, instr);
    result->nodes.at[node.i].loc = instr->loc;
    replace_args(build, node);
    for (uint32_t k = 0; k < instr->succ_count; k++)
        func_set_succ(result, node, k, (Node){build->placed[instr_succs(build->func, instr)[k].i]});
    vec_push(build->arena, &result->labels, func_label(build->func, old));
    vec_push(build->arena, &build->trail->old, old);
}

// Before a join there are only nops, all of which stay, in their order.
static void copy_phis(SonBuild *build) {
    const Func *func = build->func;
    VEC(Reg) args = {0};
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t arity = preds_count(&build->preds, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Phi *phi = &func_phis(func, (Node){n})[i];
            vec_clear(&args);
            for (uint32_t k = 0; k < arity; k++)
                vec_push(build->arena, &args, leader_in(build, phi_args(func, phi)[k]));
            func_add_phi(build->result, (Node){build->placed[n]}, phi->dest, args.at, arity);
        }
    }
    func_end_phis(build->result);
}

Func *son_build_bare(Arena *arena, const Func *func) {
    SonBuild build = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    build.dominance = dominance_of(arena, func, &build.preds);
    build.result = func_like(func, arena);
    build.result->form = FORM_SON;
    build.result->son = son_new(arena);
    build.trail = build.result->son->trail = ARENA_NEW(arena, SonTrail);
    build.trail->before = func;
    find_leaders(&build);
    place_nodes(&build);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (!leaves(&build, (Node){n})) copy_node(&build, (Node){n});
    copy_phis(&build);
    return build.result;
}

Func *son_build(Arena *arena, const Func *func) {
    Func *result = son_build_bare(arena, func);
    son_number_memory(arena, result);
    return result;
}
