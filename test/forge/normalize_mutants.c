// Random damage to normalizations and their hints. A mutant that the checker accepts must behave as
// the original and have the normal form; how many were rejected is printed.
//
// Half of the mutants are repaired as a clever forger would: renumbered in reverse postorder, with
// the loops recomputed, so that neither numbering nor loops give them away.
#include "analysis/loops.h"
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/norm_claims.h"
#include "test/gen/normal_form.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    Random random;
    const Func *before;
    Func *after;
    NormClaims hint;
} Mutant;

static uint32_t draw(Mutant *mutant, uint32_t limit) {
    return (uint32_t)(random_next(&mutant->random) % limit);
}

static uint32_t draw_node(Mutant *mutant) {
    return draw(mutant, mutant->after->nodes.count);
}

static Instr *draw_instr(Mutant *mutant) {
    return &mutant->after->nodes.at[draw_node(mutant)];
}

static Reg draw_reg(Mutant *mutant, Type type) {
    Reg reg;
    do reg.i = draw(mutant, mutant->after->regs.count);
    while (reg_type(mutant->after, reg) != type);
    return reg;
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool retarget_edge(Mutant *mutant) {
    uint32_t node = draw_node(mutant), count = mutant->after->nodes.at[node].succ_count;
    Node succ = {draw_node(mutant)};
    if (!count) return false;
    uint32_t k = draw(mutant, count);
    if (instr_succs(mutant->after, &mutant->after->nodes.at[node])[k].i == succ.i) return false;
    func_set_succ(mutant->after, (Node){node}, k, succ);
    return true;
}
static bool swap_branch(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->kind != I_COND) return false;
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
    return true;
}
static bool change_immediate(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    bool constant = instr->kind == I_OP && (instr->op == OP_CONST_I32 || instr->op == OP_CONST_I64);
    if (!instr->immediate && !constant) return false;
    instr->imm = (int32_t)(instr->imm + 1);
    return true;
}
static bool change_reg(Mutant *mutant, Reg *reg) {
    Reg old = *reg;
    *reg = draw_reg(mutant, reg_type(mutant->after, old));
    return reg->i != old.i;
}
static bool change_destination(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    return instr->dest.i != NO_ID && change_reg(mutant, &instr->dest);
}
static bool change_argument(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (!instr->arg_count || instr->arg_count > INLINE_ARGS) return false;
    return change_reg(mutant, &instr->arg[draw(mutant, instr->arg_count)]);
}
static bool change_operator(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    Op op = draw(mutant, OP_COUNT);
    if ((instr->kind != I_OP && instr->kind != I_COND) || instr->op == op) return false;
    const OpInfo *old = op_info((Op)instr->op), *fresh = op_info(op);
    if (old->arity == 0 || old->arity != fresh->arity || old->result != fresh->result ||
        memcmp(old->operand, fresh->operand, sizeof old->operand) != 0 ||
        (instr->kind == I_COND && !(fresh->flags & OPF_COND)))
        return false;
    instr->op = (uint16_t)op;
    return true;
}
static bool erase_instruction(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->succ_count != 1 || instr->kind == I_NOP) return false;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    return true;
}
// The node is passed by: its predecessors lead to its successor.
static bool drop_node(Mutant *mutant) {
    uint32_t node = draw_node(mutant);
    Func *after = mutant->after;
    if (after->nodes.at[node].succ_count != 1) return false;
    Node succ = after->nodes.at[node].succ[0];
    for (uint32_t u = 0; u < after->nodes.count; u++)
        for (uint32_t k = 0; k < after->nodes.at[u].succ_count; k++)
            if (instr_succs(after, &after->nodes.at[u])[k].i == node)
                func_set_succ(after, (Node){u}, k, succ);
    return true;
}
static bool change_target(Mutant *mutant) {
    NormNode *node = &mutant->hint.nodes.at[draw_node(mutant)];
    uint32_t old = node->target;
    node->target = draw(mutant, mutant->before->nodes.count);
    return node->target != old;
}
static bool change_kind(Mutant *mutant) {
    NormNode *node = &mutant->hint.nodes.at[draw_node(mutant)];
    NormKind old = node->kind;
    node->kind = (NormKind)draw(mutant, 3);
    return node->kind != old;
}
static bool change_loop(Mutant *mutant) {
    NormNode *node = &mutant->hint.nodes.at[draw_node(mutant)];
    Node old = node->loop;
    node->loop = mutant->hint.nodes.at[draw_node(mutant)].loop;
    return node->loop.i != old.i;
}
static bool change_outer_loop(Mutant *mutant) {
    Node *outer = &mutant->hint.outer_loop.at[draw_node(mutant)], old = *outer;
    *outer = mutant->hint.nodes.at[draw_node(mutant)].loop;
    return outer->i != old.i;
}
static bool exchange_targets(Mutant *mutant) {
    if (!mutant->hint.dispatches.count) return false;
    CopiesDispatch *dispatch =
        &mutant->hint.dispatches.at[draw(mutant, mutant->hint.dispatches.count)];
    Node *targets =
        arena_copy(mutant->arena, dispatch->targets, dispatch->target_count * sizeof(Node));
    uint32_t a = draw(mutant, dispatch->target_count), b = draw(mutant, dispatch->target_count);
    Node first = targets[a];
    targets[a] = targets[b];
    targets[b] = first;
    dispatch->targets = targets;
    return a != b;
}
// A nop or a setting leads past the node it should lead to.
static bool skip_step(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->succ_count != 1) return false;
    const Instr *next = &mutant->after->nodes.at[instr->succ[0].i];
    if (next->succ_count != 1) return false;
    instr->succ[0] = next->succ[0];
    return true;
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} kinds[] = {
    {"retarget an edge", retarget_edge},
    {"swap a branch", swap_branch},
    {"change an immediate", change_immediate},
    {"change a destination", change_destination},
    {"change an argument", change_argument},
    {"change an operator", change_operator},
    {"erase an instruction", erase_instruction},
    {"drop a node", drop_node},
    {"lead past a node", skip_step},
    {"change a hint's target", change_target},
    {"change a hint's kind", change_kind},
    {"change a node's loop", change_loop},
    {"change a loop's outer loop", change_outer_loop},
    {"exchange dispatch targets", exchange_targets},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static void repair(Mutant *mutant) {
    const Func *broken = mutant->after;
    Graph graph = graph_of(mutant->arena, broken);
    Func *func = func_like(broken, mutant->arena);
    NormClaims hint = {0};
    hint.dispatches.at = mutant->hint.dispatches.at;
    hint.dispatches.count = mutant->hint.dispatches.count;
    for (uint32_t i = 0; i < graph.reached; i++) {
        const Instr *instr = &broken->nodes.at[graph.order[i]];
        Node node = func_copy_instr(func, broken, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            func_set_succ(func, node, k, (Node){graph.number[instr_succs(broken, instr)[k].i]});
        vec_push(mutant->arena, &hint.nodes, mutant->hint.nodes.at[graph.order[i]]);
    }
    graph = graph_of(mutant->arena, func);
    LoopForest loops = loops_of(mutant->arena, &graph);
    for (uint32_t i = 0; i < func->nodes.count; i++) {
        uint32_t loop = loops.innermost[i];
        Node header = loop == NO_ID ? NO_NODE : (Node){loops.loops[loop].header};
        uint32_t outer = header.i == i ? loops.loops[loop].parent : NO_ID;
        hint.nodes.at[i].loop = header;
        vec_push(mutant->arena, &hint.outer_loop,
                 outer == NO_ID ? NO_NODE : (Node){loops.loops[outer].header});
    }
    mutant->after = func;
    mutant->hint = hint;
}

typedef struct {
    uint32_t made, rejected, different;
} Score;

static void try_mutant(Arena *arena, const Func *before, uint64_t seed, Score *score) {
    Mutant mutant = {.arena = arena, .random = random_from(seed), .before = before};
    mutant.after = norm_run(arena, before, &mutant.hint);
    int tries = 100;
    while (!kinds[seed % KIND_COUNT].damage(&mutant))
        if (--tries == 0) return;
    if (random_next(&mutant.random) & 1) repair(&mutant);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, mutant.after)) return; // the verifier stands before the checker
    Verdict verdict = norm_check(arena, before, mutant.after, &mutant.hint);
    const char *difference = NULL;
    for (uint64_t run = 0; run < 4 && !difference; run++)
        difference = behaviour_difference(arena, before, mutant.after, seed + run, 2000);
    score->made++;
    score->rejected += !verdict.accepted;
    score->different += difference != NULL;
    if (!verdict.accepted) return;
    if (!difference && mutant.after->nodes.count <= NORMAL_FORM_LIMIT)
        difference = normal_form_defect(mutant.after);
    if (!difference) return;
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, mutant.after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("seed %llu: accepted, but %s\n%s", (unsigned long long)seed, difference, text.text);
}

// A function to damage: a graph of a few nodes, all branches, or a random function of some hundred.
static const Func *original(Arena *arena, uint64_t seed) {
    Program *program = program_new(arena);
    Random random = random_from(seed);
    if (random_next(&random) % 2)
        return random_func(arena, program, random_options(400, random_next(&random)), seed);
    uint32_t nodes = 2 + (uint32_t)(random_next(&random) % 9);
    uint8_t succs[16][2], counts[16];
    for (uint32_t i = 0; i < nodes; i++) {
        counts[i] = (uint8_t)(random_next(&random) % 10 < 9 ? 1 + random_next(&random) % 2 : 0);
        for (uint32_t k = 0; k < 2; k++) succs[i][k] = (uint8_t)(random_next(&random) % nodes);
    }
    return func_of_graph(arena, program, nodes, (const uint8_t(*)[2])succs, counts, seed);
}

static void test_mutants(void **state) {
    (void)state;
    uint64_t count = effort(1000, 5000, 400000);
    Arena *arena = arena_new("mutant");
    Score scores[KIND_COUNT] = {0}, total = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        try_mutant(arena, original(arena, seed), seed, &scores[seed % KIND_COUNT]);
        arena_reset(arena);
    }
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        print_message("%-28s %6u mutants, %6u rejected, %6u behave differently\n", kinds[i].name,
                      scores[i].made, scores[i].rejected, scores[i].different);
        assert_true(scores[i].made > 0);
        total.made += scores[i].made;
        total.rejected += scores[i].rejected;
        total.different += scores[i].different;
    }
    print_message(
        "%-28s %6u mutants, %6u rejected, %6u behave differently, all of those rejected\n",
        "mutation score", total.made, total.rejected, total.different);
    assert_true(total.different > total.made / 10);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
