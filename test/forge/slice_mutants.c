// Random damage to slices and to their hints. A mutant that the checker accepts must promise what a
// slice promises: its kept nodes read what they read in the original, in the same order. How many
// were rejected is printed.
#include "check/slice/check_slice.h"
#include "fact/slot_fields.h"
#include "slice/slice.h"
#include "slice/slice_hint.h"
#include "test/gen/effort.h"
#include "test/gen/in_memory.h"
#include "test/gen/random_func.h"
#include "test/gen/slice_cut.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    Random random;
    Program *before, *after;
    const Func *func; // of `before`
    Func *cut;        // of `after`
    SliceHint *hint;
    SliceFunctionHint *function;
    uint32_t variables;
} SliceMutant;

static uint32_t draw(SliceMutant *mutant, uint32_t limit) {
    return random_below(&mutant->random, limit);
}

static Instr *draw_instr(SliceMutant *mutant) {
    return &mutant->cut->nodes.at[draw(mutant, mutant->cut->nodes.count)];
}

// ---- Damage to the code

static bool other_constant(SliceMutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->kind != I_OP || instr->op != OP_CONST_I32) return false;
    instr->imm += 1;
    return true;
}

static bool other_immediate(SliceMutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (!instr->immediate || instr->imm > 100 || instr->imm < -100) return false;
    instr->imm++;
    return true;
}

static bool swapped_ways(SliceMutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->kind != I_COND || instr->succ[0].i == instr->succ[1].i) return false;
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
    return true;
}

static bool other_way(SliceMutant *mutant) {
    uint32_t node = draw(mutant, mutant->cut->nodes.count);
    const Instr *instr = &mutant->cut->nodes.at[node];
    if (!instr->succ_count) return false;
    uint32_t which = draw(mutant, instr->succ_count);
    Node to = {draw(mutant, mutant->cut->nodes.count)};
    if (instr_succs(mutant->cut, instr)[which].i == to.i) return false;
    func_set_succ(mutant->cut, (Node){node}, which, to);
    return true;
}

static bool straightened(SliceMutant *mutant) {
    uint32_t node = draw(mutant, mutant->cut->nodes.count);
    Instr *instr = &mutant->cut->nodes.at[node];
    if (instr->kind != I_COND) return false;
    Node to = instr->succ[draw(mutant, 2)];
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG};
    func_set_succs(mutant->cut, (Node){node}, &to, 1);
    return true;
}

static bool removed(SliceMutant *mutant) {
    uint32_t node = draw(mutant, mutant->cut->nodes.count);
    Instr *instr = &mutant->cut->nodes.at[node];
    if (instr->succ_count != 1 || instr->kind == I_NOP) return false;
    Node to = instr->succ[0];
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG};
    func_set_succs(mutant->cut, (Node){node}, &to, 1);
    mutant->function->old.at[node] = NO_NODE;
    return true;
}

static bool other_register(SliceMutant *mutant) {
    uint32_t node = draw(mutant, mutant->cut->nodes.count);
    Instr *instr = &mutant->cut->nodes.at[node];
    if (!instr->arg_count) return false;
    Reg args[8];
    if (instr->arg_count > 8) return false;
    for (uint32_t k = 0; k < instr->arg_count; k++) args[k] = instr_args(mutant->cut, instr)[k];
    uint32_t which = draw(mutant, instr->arg_count);
    Reg other = {draw(mutant, mutant->cut->regs.count)};
    if (other.i == args[which].i ||
        reg_type(mutant->cut, other) != reg_type(mutant->cut, args[which]))
        return false;
    args[which] = other;
    func_set_args(mutant->cut, (Node){node}, args, instr->arg_count);
    return true;
}

static bool other_destination(SliceMutant *mutant) {
    Instr *instr = draw_instr(mutant);
    Reg other = {draw(mutant, mutant->cut->regs.count)};
    if (instr->dest.i == NO_ID || other.i == instr->dest.i ||
        reg_type(mutant->cut, other) != reg_type(mutant->cut, instr->dest))
        return false;
    instr->dest = other;
    return true;
}

static bool other_place(SliceMutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (!instr_has_address(instr)) return false;
    instr->imm += random_chance(&mutant->random, 1, 2) ? 4 : -4;
    return true;
}

static bool other_slot(SliceMutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (!instr_names_slot(instr)) return false;
    uint32_t slot = draw(mutant, mutant->cut->slots.count);
    if (slot == instr->ref) return false;
    instr->ref = slot;
    return true;
}

// ---- Damage to the hint

static bool other_next(SliceMutant *mutant) {
    uint32_t node = draw(mutant, mutant->func->nodes.count),
             next = draw(mutant, mutant->func->nodes.count + 2);
    if (next == mutant->func->nodes.count) next = SLICE_NEXT_NONE;
    if (next == mutant->func->nodes.count + 1) next = SLICE_NEXT_ANY;
    if (mutant->function->next.at[node] == next) return false;
    mutant->function->next.at[node] = next;
    return true;
}

// A kept node has the next of one of its successors, and all that had it have that.
static bool dropped_by_hint(SliceMutant *mutant) {
    uint32_t node = draw(mutant, mutant->func->nodes.count);
    uint32_t *next = mutant->function->next.at;
    const Instr *instr = &mutant->func->nodes.at[node];
    if (next[node] != node || !instr->succ_count) return false;
    uint32_t to = next[instr_succs(mutant->func, instr)[draw(mutant, instr->succ_count)].i];
    if (to == node) return false;
    for (uint32_t n = 0; n < mutant->func->nodes.count; n++)
        if (next[n] == node) next[n] = to;
    for (uint32_t n = 0; n < mutant->cut->nodes.count; n++)
        if (mutant->function->old.at[n].i == node) mutant->function->old.at[n] = NO_NODE;
    return true;
}

// The same, and the slice follows: nothing but data and control is wrong then.
static bool left_out(SliceMutant *mutant) {
    if (!dropped_by_hint(mutant)) return false;
    Program *twin = program_twin(mutant->arena, mutant->before);
    slice_cut(mutant->arena, &mutant->random, twin, mutant->func->symbol,
              mutant->function->next.at);
    mutant->after = twin;
    mutant->cut = (Func *)program_at(twin, mutant->func->symbol)->func;
    Bits kept = bits_new(mutant->arena, mutant->func->nodes.count);
    for (uint32_t n = 0; n < mutant->func->nodes.count; n++)
        if (mutant->function->next.at[n] == n) bits_add(&kept, n);
    SliceRequest request = {.symbol = mutant->func->symbol,
                            .kept = &kept,
                            .points = mutant->function->points.at,
                            .point_count = mutant->function->points.count,
                            .outputs = mutant->function->outputs};
    mutant->hint = slice_hint_make(mutant->arena, mutant->before, twin, &request, 1);
    mutant->function = &mutant->hint->functions.at[0];
    return true;
}

// The relevant variables are found again, as if the damage were right.
static bool dropped_and_relevant(SliceMutant *mutant) {
    return left_out(mutant) && left_out(mutant);
}

static bool less_relevant(SliceMutant *mutant) {
    SliceFunctionHint *hint = mutant->function;
    if (!hint->relevant.count) return false;
    uint32_t at = draw(mutant, hint->relevant.count);
    for (uint32_t i = at; i + 1 < hint->relevant.count; i++)
        hint->relevant.at[i] = hint->relevant.at[i + 1];
    hint->relevant.count--;
    for (uint32_t i = 0; i < hint->relevant_at.count; i++)
        hint->relevant_at.at[i] -= hint->relevant_at.at[i] > at;
    return true;
}

static bool other_relevant(SliceMutant *mutant) {
    SliceFunctionHint *hint = mutant->function;
    if (!hint->relevant.count) return false;
    hint->relevant.at[draw(mutant, hint->relevant.count)] = draw(mutant, mutant->variables);
    return true;
}

static bool other_old(SliceMutant *mutant) {
    SliceFunctionHint *hint = mutant->function;
    hint->old.at[draw(mutant, hint->old.count)] =
        random_chance(&mutant->random, 1, 3) ? NO_NODE
                                             : (Node){draw(mutant, mutant->func->nodes.count)};
    return true;
}

static bool other_pair(SliceMutant *mutant) {
    SliceFunctionHint *hint = mutant->function;
    uint32_t a = draw(mutant, hint->regs.count), b = draw(mutant, hint->regs.count);
    if (a == b || reg_type(mutant->cut, (Reg){a}) != reg_type(mutant->cut, (Reg){b})) return false;
    Reg first = hint->regs.at[a];
    hint->regs.at[a] = hint->regs.at[b];
    hint->regs.at[b] = random_chance(&mutant->random, 1, 3) ? NO_REG : first;
    return true;
}

static bool other_point(SliceMutant *mutant) {
    SliceFunctionHint *hint = mutant->function;
    if (!hint->points.count) return false;
    hint->points.at[draw(mutant, hint->points.count)].variable = draw(mutant, mutant->variables);
    return true;
}

typedef struct {
    const char *name;
    bool (*damage)(SliceMutant *mutant);
    uint64_t made, rejected, wrong; // wrong: what behaves otherwise
} SliceMutantKind;

static SliceMutantKind kinds[] = {
    {"other constant", other_constant, 0, 0, 0},
    {"other immediate", other_immediate, 0, 0, 0},
    {"swapped ways", swapped_ways, 0, 0, 0},
    {"other way", other_way, 0, 0, 0},
    {"straightened", straightened, 0, 0, 0},
    {"removed", removed, 0, 0, 0},
    {"other register", other_register, 0, 0, 0},
    {"other destination", other_destination, 0, 0, 0},
    {"other place", other_place, 0, 0, 0},
    {"other slot", other_slot, 0, 0, 0},
    {"other next", other_next, 0, 0, 0},
    {"dropped by the hint", dropped_by_hint, 0, 0, 0},
    {"left out", left_out, 0, 0, 0},
    {"two left out", dropped_and_relevant, 0, 0, 0},
    {"less relevant", less_relevant, 0, 0, 0},
    {"other relevant", other_relevant, 0, 0, 0},
    {"other node", other_old, 0, 0, 0},
    {"other pair", other_pair, 0, 0, 0},
    {"other point", other_point, 0, 0, 0},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

// ---- Trials

static void want(SliceMutant *mutant, SliceDemand *demand, SliceRequest *request) {
    const Func *func = mutant->func;
    SlicePoint *point = ARENA_NEW(mutant->arena, SlicePoint);
    do point->node.i = draw(mutant, func->nodes.count);
    while (func->nodes.at[point->node.i].kind == I_NOP);
    point->variable = draw(mutant, mutant->variables);
    request->points = point;
    request->point_count = 1;
    slice_demand_node(demand, point->node);
    slice_demand_variable(demand, point->node, point->variable);
    if (random_chance(&mutant->random, 1, 2)) return;
    request->outputs = SLICE_RESULT | ((SliceWorldSet)1 << SLICE_MEMORY);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].kind != I_RETURN) continue;
        slice_demand_node(demand, (Node){n});
        slice_demand_variable(demand, (Node){n}, SLICE_MEMORY);
    }
}

static SliceMutant mutant_new(Arena *arena, uint64_t seed) {
    SliceMutant mutant = {.arena = arena, .random = random_from(seed)};
    Program *program = program_new(arena);
    RandomOptions options = random_options(seed % 4 ? 30 : 100, seed);
    if (seed % 2) options.variables = 1 + (uint32_t)(seed % 7);
    options.ends = seed % 3 == 0;
    options.unbounded = seed % 5 == 0;
    options.undefined = 0;
    options.wide = options.distances = options.jumps = false;
    const Func *func = random_func(arena, program, options, seed);
    if (seed % 3 == 1) func = func_in_memory(arena, func, seed);
    program_at(program, func->symbol)->func = func;
    mutant.before = program_twin(arena, program);
    mutant.func = program_at(mutant.before, func->symbol)->func;
    SliceCalls calls = slice_calls_of(arena, mutant.before);
    SliceVariables variables = slice_variables_of(arena, mutant.func, &calls);
    mutant.variables = variables.count;
    SliceDemand *demand = slice_demand_new(arena, &variables, (SliceOptions){0});
    SliceRequest request = {.symbol = func->symbol};
    want(&mutant, demand, &request);
    slice_demand_close(demand);
    request.kept = slice_demand_kept(demand);
    mutant.after = program_twin(arena, mutant.before);
    SliceHint *first = slice_hint_make(arena, mutant.before, mutant.after, &request, 1);
    slice_cut(arena, &mutant.random, mutant.after, func->symbol, first->functions.at[0].next.at);
    mutant.cut = (Func *)program_at(mutant.after, func->symbol)->func;
    mutant.hint = slice_hint_make(arena, mutant.before, mutant.after, &request, 1);
    mutant.function = &mutant.hint->functions.at[0];
    return mutant;
}

// Of what the hint says of the honest slice, as the damaged hint need not even have the right
// sizes.
static const char *difference(SliceMutant *mutant, const SliceFunctionHint *honest, uint64_t seed) {
    uint64_t events = 0;
    const char *found = NULL;
    for (uint64_t run = 0; run < 3 && !found; run++)
        found = slice_difference(mutant->arena, mutant->before, mutant->after, honest, seed + run,
                                 &events);
    return found;
}

static void try_mutant(Arena *arena, SliceMutantKind *kind, uint64_t seed) {
    SliceMutant mutant = mutant_new(arena, seed);
    SliceFunctionHint honest = *mutant.function;
    honest.old.at = arena_copy(arena, honest.old.at, honest.old.count * sizeof(Node));
    honest.next.at = arena_copy(arena, honest.next.at, honest.next.count * sizeof(uint32_t));
    Verdict verdict = check_slice(arena, mutant.before, mutant.after, mutant.hint);
    if (!verdict.accepted) fail_msg("seed %llu: %s", (unsigned long long)seed, verdict.reason);
    mutant.random = random_from(seed + 77);
    bool done = false;
    for (uint32_t i = 0; i < 20 && !done; i++) done = kind->damage(&mutant);
    Complaints complaints = {.arena = arena};
    if (!done || !verify_program(&complaints, mutant.after)) return;
    verdict = check_slice(arena, mutant.before, mutant.after, mutant.hint);
    kind->made++;
    kind->rejected += !verdict.accepted;
    bool same_code = mutant.cut->nodes.count == honest.old.count;
    const SliceFunctionHint *by = verdict.accepted || !same_code ? mutant.function : &honest;
    if (!verdict.accepted && !same_code) return;
    const char *found = difference(&mutant, by, seed);
    kind->wrong += found != NULL;
    if (verdict.accepted && found)
        fail_msg("seed %llu, %s: accepted, but %s", (unsigned long long)seed, kind->name, found);
}

static void test_mutants(void **state) {
    (void)state;
    uint64_t each = effort(40, 400, 10000), made = 0, rejected = 0, wrong = 0;
    Arena *arena = arena_new("mutant");
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        for (uint64_t i = 0; i < each; i++) {
            try_mutant(arena, &kinds[k], i * KIND_COUNT + k + 1);
            arena_reset(arena);
        }
        print_message("%20s: %llu made, %llu rejected, %llu behave otherwise\n", kinds[k].name,
                      (unsigned long long)kinds[k].made, (unsigned long long)kinds[k].rejected,
                      (unsigned long long)kinds[k].wrong);
        made += kinds[k].made;
        rejected += kinds[k].rejected;
        wrong += kinds[k].wrong;
    }
    print_message("%llu mutants, %llu rejected, %llu behave otherwise, none of them accepted\n",
                  (unsigned long long)made, (unsigned long long)rejected,
                  (unsigned long long)wrong);
    assert_true(wrong > made / 50);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
