// Builds gated SSA. The predicates of paths give all gates: gates of a gamma start from the block
// that dominates its join, gates of exits and latch from the loop's header, gates of ends from the
// entry.
#include "pass/pass.h"

#include "analysis/gate_paths.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Func *gated;
    GsaBuildHint *hint;
    GateForest forest;
    uint32_t *pad_fact; // from the innermost loop that is left at a pad; NO_ID if none is
    Gate *pad_gate;
    uint32_t *set_at; // register -> the pad behind which it is set
} GsaBuild;

// ---- Loops and ends

static void gates_of_loop(GsaBuild *b, Node header) {
    const GateForest *forest = &b->forest;
    uint32_t number = forest->exits.loop[header.i];
    LoopGate loop = {.header = header, .leaves = GATE_FALSE, .goes_on = forest->latch_gate[number]};
    for (uint32_t i = forest->exits.at[number]; i < forest->exits.at[number + 1]; i++) {
        uint32_t pad = forest->exits.pad[i];
        vec_push(b->arena, &b->hint->exits, forest->exit_fact[i]);
        loop.leaves = gate_or(b->arena, b->gated->gsa, loop.leaves, forest->exit_gate[i]);
        if (forest_first_left(forest, pad).i != header.i) continue;
        b->pad_fact[pad] = forest->exit_fact[i];
        b->pad_gate[pad] = forest->exit_gate[i];
    }
    vec_push(b->arena, &b->hint->latches, forest->latch_fact[number]);
    vec_push(b->arena, &b->gated->gsa->loops, loop);
}

static void gates_of_ends(GsaBuild *b) {
    for (uint32_t n = 0; n < b->func->nodes.count; n++) {
        if (b->func->nodes.at[n].succ_count) continue;
        EndGate end = {.node = {n}};
        uint32_t fact = forest_evaluate(&b->forest, n, &end.gate);
        vec_push(b->arena, &b->hint->ends, fact);
        vec_push(b->arena, &b->gated->gsa->ends, end);
    }
}

static void find_gates(GsaBuild *b) {
    forest_grow(&b->forest);
    for (uint32_t n = 0; n < b->func->nodes.count; n++)
        if (loop_nest_is_header(&b->forest.loop_nest, (Node){n})) gates_of_loop(b, (Node){n});
    gates_of_ends(b);
}

// ---- The gated function

// The copies behind a pad, as close_loops leaves them: moves in the nodes behind it, none of which
// needs another.
static uint32_t count_copies(GsaBuild *b, uint32_t pad) {
    uint32_t n = pad + 1;
    for (; n < b->func->nodes.count && b->forest.head[n] == b->forest.head[pad]; n++) {
        const Instr *instr = &b->func->nodes.at[n];
        if (b->func->nodes.at[n - 1].succ[0].i != n || instr->kind != I_OP ||
            instr->op != op_move(reg_type(b->func, instr->dest)) ||
            b->set_at[instr->arg[0].i] == pad)
            break;
        b->set_at[instr->dest.i] = pad;
    }
    return n - pad - 1;
}

static void add_etas(GsaBuild *b, uint32_t pad) {
    if (b->pad_fact[pad] == NO_ID || func_at(b->func, (Node){pad})->kind != I_NOP) return;
    uint32_t count = count_copies(b, pad);
    for (uint32_t i = 1; i <= count; i++) {
        Instr *copy = &b->gated->nodes.at[pad + i];
        gsa_add_eta(b->gated, (Node){pad},
                    (Eta){.dest = copy->dest, .gate = b->pad_gate[pad], .source = copy->arg[0]});
        *copy = (Instr){.kind = I_NOP,
                        .dest = NO_REG,
                        .succ_count = 1,
                        .succ = {copy->succ[0]},
                        .loc = copy->loc};
    }
    if (count) vec_push(b->arena, &b->hint->pads, b->pad_fact[pad]);
}

static void add_merges(GsaBuild *b, Node join) {
    const Func *func = b->func;
    uint32_t width = preds_count(&b->forest.preds, join);
    bool header = loop_nest_is_header(&b->forest.loop_nest, join);
    MergeArg *args = ARENA_ARRAY(b->arena, MergeArg, width);
    for (uint32_t i = 0; i < func_phi_count(func, join); i++) {
        const Phi *phi = &func_phis(func, join)[i];
        for (uint32_t k = 0; k < width; k++)
            args[k] = (MergeArg){
                .reg = phi_args(func, phi)[k],
                .gate = header ? GATE_TRUE : b->forest.join_gate[b->forest.join_at[join.i] + k]};
        gsa_add_merge(b->gated, join, header ? MERGE_MU : MERGE_GAMMA, phi->dest, args, width);
    }
}

static void add_blocks(GsaBuild *b) {
    b->set_at = ARENA_ARRAY(b->arena, uint32_t, b->func->regs.count);
    for (uint32_t r = 0; r < b->func->regs.count; r++) b->set_at[r] = NO_ID;
    for (uint32_t n = 0; n < b->func->nodes.count; n++) {
        if (func_phi_count(b->func, (Node){n})) add_merges(b, (Node){n});
        add_etas(b, n);
    }
    gsa_end_blocks(b->gated);
}

// ---- The pass

// The gated form of a function in normal form; NULL if its graph has not that form. The copies that
// close_loops put behind landing pads become etas.
Func *gsa_build(Arena *arena, const Func *func, GsaBuildHint *hint) {
    GsaBuild build = {.arena = arena, .func = func, .hint = hint};
    Gsa *gsa = gsa_new(arena);
    if (!forest_init(&build.forest, arena, func, gsa, &hint->paths)) return NULL;
    build.gated = func_clone(func, arena);
    build.gated->form = FORM_GSA;
    build.gated->gsa = gsa;
    vec_clear(&build.gated->phis);
    vec_clear(&build.gated->phi_at);
    vec_clear(&build.gated->phi_args);
    build.pad_fact = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    build.pad_gate = ARENA_ARRAY(arena, Gate, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) build.pad_fact[n] = NO_ID;
    find_gates(&build);
    add_blocks(&build);
    return build.gated;
}
