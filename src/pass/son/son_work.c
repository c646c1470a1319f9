#include "pass/son/son_work.h"

#include "fact/effects.h"

#include <string.h>

static uint32_t *no_ids(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    return memset(table, 0xff, count * sizeof *table);
}

static bool has_backward_edge(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++)
            if (instr_succs(func, &func->nodes.at[n])[k].i <= n) return true;
    return false;
}

// Numbers the ways of switches.
static void number_switches(SonWork *work) {
    const Func *before = work->before;
    uint32_t count = 0;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        if (before->nodes.at[n].kind != I_SWITCH) continue;
        if (!work->switch_at)
            work->switch_at = ARENA_ARRAY(work->arena, uint32_t, before->nodes.count);
        work->switch_at[n] = count;
        count += before->nodes.at[n].succ_count;
    }
    work->switch_ways = count;
    work->assumed.shut = no_ids(work->arena, count);
}

// Branches go all ways.
static void all_open(SonWork *work) {
    work->open = work->dom;
    for (uint32_t n = 0; n < work->before->nodes.count; n++)
        work->sole[n] = preds_sole(&work->preds, (Node){n});
}

SonWork *son_work_start(Arena *arena, const Func *before) {
    SonWork *work = ARENA_NEW(arena, SonWork);
    uint32_t nodes = before->nodes.count;
    *work = (SonWork){.arena = arena,
                      .before = before,
                      .preds = preds_of(arena, before),
                      .definitions = definitions_of(arena, before),
                      .value_of = no_ids(arena, before->regs.count),
                      .reached = bits_new(arena, nodes),
                      .way = no_ids(arena, nodes),
                      .test = no_ids(arena, nodes),
                      .assumed = {.way = no_ids(arena, nodes),
                                  .held = no_ids(arena, nodes),
                                  .local_from = no_ids(arena, nodes),
                                  .local_to = no_ids(arena, nodes),
                                  .end_from = no_ids(arena, before->phi_args.count),
                                  .end_to = no_ids(arena, before->phi_args.count),
                                  .closed = no_ids(arena, before->regs.count)}};
    work->dom = dominance_of(arena, before, &work->preds);
    work->sole = ARENA_ARRAY(arena, Node, nodes);
    all_open(work);
    number_switches(work);
    work->has_loops = has_backward_edge(before);
    if (work->has_loops) work->reads = reg_reads_of(arena, before, &work->preds);
    work->loops = loop_nest_of(arena, before, &work->preds, &work->dom);
    son_values_start(&work->values, arena, before, &work->dom);
    return work;
}

// ---- The ways that remain

// Whether a node that is reached has fewer ways than `before` has; if so, these.
static bool is_closed(const SonWork *work, uint32_t node, Node *left, uint32_t *count) {
    const Instr *instr = &work->before->nodes.at[node];
    const Node *succs = instr_succs(work->before, instr);
    if (instr->succ_count < 2 || !bits_has(&work->reached, node)) return false;
    *count = 0;
    if (work->way[node] == NO_ID && instr->kind != I_SWITCH) return false;
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (work->way[node] == NO_ID ? !son_is_shut(work, (Node){node}, k) : work->way[node] == k)
            left[(*count)++] = succs[k];
    return *count < instr->succ_count;
}

static uint32_t most_ways(const Func *func) {
    uint32_t most = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        most = func->nodes.at[n].succ_count > most ? func->nodes.at[n].succ_count : most;
    return most;
}

void son_open(SonWork *work) {
    const Func *before = work->before;
    uint32_t nodes = before->nodes.count, first = 0, count;
    Node *left = ARENA_ARRAY(work->arena, Node, most_ways(before));
    while (first < nodes && !is_closed(work, first, left, &count)) first++;
    if (first == nodes) {
        all_open(work);
        return;
    }
    Func open = *before;
    open.cache = NULL;
    open.arena = work->arena;
    open.node_pool.capacity = open.node_pool.count; // to be copied before it grows
    open.nodes.at = ARENA_ARRAY(work->arena, Instr, nodes);
    memcpy(open.nodes.at, before->nodes.at, nodes * sizeof(Instr));
    for (uint32_t n = first; n < nodes; n++) {
        if (!is_closed(work, n, left, &count)) continue;
        open.nodes.at[n] = (Instr){.kind = I_NOP, .dest = NO_REG};
        func_set_succs(&open, (Node){n}, left, count);
    }
    Preds preds = preds_of(work->arena, &open);
    work->open = dominance_of(work->arena, &open, &preds);
    for (uint32_t n = 0; n < nodes; n++) {
        uint32_t ways = 0;
        work->sole[n] = NO_NODE;
        for (uint32_t k = 0; k < preds_count(&preds, (Node){n}); k++) {
            Node from = preds_at(&preds, (Node){n})[k];
            if (!dominance_reaches(&work->open, from)) continue;
            work->sole[n] = ways++ ? NO_NODE : from;
        }
    }
}

// ---- A function as it is

static uint32_t plain_value(SonWork *work, const Instr *instr) {
    if (instr->kind != I_OP || op_is_partial(instr->op))
        return value_old(&work->values, instr->dest);
    return op_is_move(instr->op) ? work->value_of[instr->arg[0].i]
                                 : value_of_instr(&work->values, instr, work->value_of);
}

SonWork *son_work_plain(Arena *arena, const Func *before) {
    SonWork *work = son_work_start(arena, before);
    for (uint32_t r = 0; r < before->regs.count; r++)
        if (work->definitions[r].by == SET_BY_NOTHING || work->definitions[r].by == SET_BY_CALLER)
            work->value_of[r] = value_old(&work->values, (Reg){r});
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        const Phi *phis = func_phis(before, (Node){n});
        if (!dominance_reaches(&work->dom, (Node){n})) continue;
        bits_add(&work->reached, n);
        for (uint32_t i = 0; i < func_phi_count(before, (Node){n}); i++)
            work->value_of[phis[i].dest.i] = value_phi(&work->values, phis[i].dest, (Node){n});
        if (instr->dest.i != NO_ID) work->value_of[instr->dest.i] = plain_value(work, instr);
        if (instr->kind == I_COND) work->test[n] = son_test(work, (Node){n});
    }
    return work;
}

// ---- When all is known

void son_set_phis(SonWork *work, Node join) {
    const Func *func = work->before;
    uint32_t ways = preds_count(&work->preds, join);
    VEC(uint32_t) args = {0};
    for (uint32_t i = 0; i < func_phi_count(func, join); i++) {
        const Phi *phi = &func_phis(func, join)[i];
        uint32_t value = work->values.phi[phi->dest.i];
        if (value == NO_ID || work->value_of[phi->dest.i] != value) continue;
        vec_clear(&args);
        for (uint32_t k = 0; k < ways; k++) {
            bool reached = bits_has(&work->reached, preds_at(&work->preds, join)[k].i);
            vec_push(work->arena, &args, reached ? son_argument(work, phi, k) : NO_ID);
        }
        value_set_phi(&work->values, value, args.at, args.count);
    }
}

void son_work_finish(SonWork *work) {
    for (uint32_t n = 0; n < work->before->nodes.count; n++)
        if (func_phi_count(work->before, (Node){n})) son_set_phis(work, (Node){n});
}
