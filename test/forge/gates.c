// Random damage to gated functions: the mutations of the validation of Herklotz et al. and those
// that exploit what its definitions leave open. Both checks of gates, the fast one and the matrix,
// must reject every mutant that behaves otherwise than the original under the control-flow
// interpreter; a mutant that is not well-formed is rejected before. How many were rejected is
// printed.
//
// The matrix check accepts more than the fast one: any gates that select as they must.
#include "check/checkers.h"
#include "check/gates/check_matrix.h"
#include "pipeline/step_check.h"
#include "solve/cadical.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/gated.h"
#include "test/gen/random.h"
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
    Func *func;
    const GsaBuildHint *hint;
} Mutant;

static uint32_t draw(Mutant *m, uint32_t limit) {
    return random_below(&m->random, limit);
}

static bool change_reg(Mutant *m, Reg *reg) {
    Reg old = *reg;
    for (int tries = 0; tries < 20; tries++) {
        reg->i = draw(m, m->func->regs.count);
        if (reg->i != old.i && reg_type(m->func, *reg) == reg_type(m->func, old)) return true;
    }
    *reg = old;
    return false;
}

// ---- What can be damaged

static Merge *draw_merge(Mutant *m, MergeKind kind) {
    Gsa *gsa = m->func->gsa;
    for (int tries = 0; gsa->merges.count && tries < 20; tries++) {
        Merge *merge = &gsa->merges.at[draw(m, gsa->merges.count)];
        if (merge->kind == kind) return merge;
    }
    return NULL;
}

static MergeArg *args_of(Mutant *m, const Merge *merge) {
    return m->func->gsa->merge_args.at + merge->args_at;
}

static Eta *draw_eta(Mutant *m) {
    Gsa *gsa = m->func->gsa;
    return gsa->etas.count ? &gsa->etas.at[draw(m, gsa->etas.count)] : NULL;
}

// A gate of a gamma, mostly, or of an eta.
static Gate *draw_gate(Mutant *m) {
    Merge *gamma = draw_merge(m, MERGE_GAMMA);
    if (gamma && draw(m, 8)) return &args_of(m, gamma)[draw(m, gamma->arg_count)].gate;
    Eta *eta = draw_eta(m);
    return eta ? &eta->gate : NULL;
}

static Gate draw_literal(Mutant *m) {
    Gsa *gsa = m->func->gsa;
    if (!gsa->atoms.count) return GATE_UNDEF;
    GateAtom atom = gsa->atoms.at[draw(m, gsa->atoms.count)];
    return gate_literal(m->arena, gsa, &atom, atom.op != OP_COUNT && draw(m, 2));
}

// ---- Damage to one place inside a gate

typedef Gate DamageNode(Mutant *m, Gate gate);

// Goes down from a gate to a place that chance chooses, damages it, and puts the rest together
// again.
static Gate damage_inside(Mutant *m, Gate gate, DamageNode *damage) {
    Gsa *gsa = m->func->gsa;
    struct {
        GateNode node;
        bool first;
    } path[64];
    uint32_t depth = 0;
    for (; depth < 64; depth++) {
        GateNode node = gsa->gates.at[gate.i];
        if ((node.kind != GK_AND && node.kind != GK_OR) || draw(m, 4) == 0) break;
        path[depth].node = node;
        path[depth].first = draw(m, 2);
        gate = (Gate){path[depth].first ? node.first : node.second};
    }
    gate = damage(m, gate);
    while (depth-- > 0) {
        const GateNode *node = &path[depth].node;
        Gate other = {path[depth].first ? node->second : node->first};
        Gate first = path[depth].first ? gate : other, second = path[depth].first ? other : gate;
        gate = (node->kind == GK_AND ? gate_and : gate_or)(m->arena, gsa, first, second);
    }
    return gate;
}

static bool damage_gate(Mutant *m, DamageNode *damage) {
    Gate *gate = draw_gate(m);
    if (!gate) return false;
    Gate old = *gate;
    *gate = damage_inside(m, old, damage);
    return gate->i != old.i;
}

static Gate drop_operand(Mutant *m, Gate gate) {
    GateNode node = m->func->gsa->gates.at[gate.i];
    if (node.kind != GK_AND && node.kind != GK_OR) return GATE_TRUE;
    return (Gate){draw(m, 2) ? node.first : node.second};
}
static Gate make_true(Mutant *m, Gate gate) {
    (void)m, (void)gate;
    return GATE_TRUE;
}
static Gate make_undef(Mutant *m, Gate gate) {
    (void)m, (void)gate;
    return GATE_UNDEF;
}
static Gate make_false(Mutant *m, Gate gate) {
    (void)m, (void)gate;
    return GATE_FALSE;
}
static Gate flip(Mutant *m, Gate gate) {
    GateNode node = m->func->gsa->gates.at[gate.i];
    if (node.kind != GK_LITERAL) return gate;
    GateAtom atom = m->func->gsa->atoms.at[node.first];
    if (atom.op == OP_COUNT) atom.way = draw(m, m->func->gsa->switches.at[atom.cases].count + 1);
    return gate_literal(m->arena, m->func->gsa, &atom, atom.op != OP_COUNT && !node.negated);
}
static Gate strengthen(Mutant *m, Gate gate) {
    return gate_and(m->arena, m->func->gsa, gate, draw_literal(m));
}
static Gate weaken(Mutant *m, Gate gate) {
    return gate_or(m->arena, m->func->gsa, gate, draw_literal(m));
}
static Gate exchange_operators(Mutant *m, Gate gate) {
    GateNode node = m->func->gsa->gates.at[gate.i];
    if (node.kind != GK_AND && node.kind != GK_OR) return gate;
    return (node.kind == GK_AND ? gate_or : gate_and)(m->arena, m->func->gsa, (Gate){node.first},
                                                      (Gate){node.second});
}
static Gate read_another(Mutant *m, Gate gate) {
    GateNode node = m->func->gsa->gates.at[gate.i];
    if (node.kind != GK_LITERAL) return gate;
    GateAtom atom = m->func->gsa->atoms.at[node.first];
    if (!atom.arg_count || !change_reg(m, &atom.arg[draw(m, atom.arg_count)])) return gate;
    return gate_literal(m->arena, m->func->gsa, &atom, node.negated);
}
// True becomes c or not c, which is 1/2 where c is.
static Gate split_true(Mutant *m, Gate gate) {
    Gsa *gsa = m->func->gsa;
    if (!gsa->atoms.count) return gate;
    GateAtom atom = gsa->atoms.at[draw(m, gsa->atoms.count)];
    if (atom.op == OP_COUNT) return gate;
    Gate either = gate_or(m->arena, gsa, gate_literal(m->arena, gsa, &atom, false),
                          gate_literal(m->arena, gsa, &atom, true));
    return gate_and(m->arena, gsa, either, gate);
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool drop_a_part(Mutant *m) {
    return damage_gate(m, drop_operand);
}
static bool put_true(Mutant *m) {
    return damage_gate(m, make_true);
}
static bool put_undef(Mutant *m) {
    return damage_gate(m, make_undef);
}
static bool put_false(Mutant *m) {
    return damage_gate(m, make_false);
}
static bool flip_literal(Mutant *m) {
    return damage_gate(m, flip);
}
static bool add_conjunct(Mutant *m) {
    return damage_gate(m, strengthen);
}
static bool add_disjunct(Mutant *m) {
    return damage_gate(m, weaken);
}
static bool exchange_and_or(Mutant *m) {
    return damage_gate(m, exchange_operators);
}
static bool change_register(Mutant *m) {
    return damage_gate(m, read_another);
}
static bool put_either(Mutant *m) {
    return damage_gate(m, split_true);
}
static bool take_another_gate(Mutant *m) {
    Gate *gate = draw_gate(m), *other = draw_gate(m);
    if (!gate || !other || gate->i == other->i) return false;
    *gate = *other;
    return true;
}
static bool swap_gates(Mutant *m) {
    Merge *gamma = draw_merge(m, MERGE_GAMMA);
    if (!gamma) return false;
    MergeArg *args = args_of(m, gamma);
    uint32_t a = draw(m, gamma->arg_count), b = draw(m, gamma->arg_count);
    Gate gate = args[a].gate;
    args[a].gate = args[b].gate;
    args[b].gate = gate;
    return args[a].gate.i != args[b].gate.i;
}
static bool swap_mu(Mutant *m) {
    Merge *mu = draw_merge(m, MERGE_MU);
    if (!mu) return false;
    MergeArg *args = args_of(m, mu), first = args[0];
    args[0] = args[1];
    args[1] = first;
    return args[0].reg.i != args[1].reg.i;
}
static bool change_gamma_argument(Mutant *m) {
    Merge *gamma = draw_merge(m, MERGE_GAMMA);
    return gamma && change_reg(m, &args_of(m, gamma)[draw(m, gamma->arg_count)].reg);
}
static bool change_mu_argument(Mutant *m) {
    Merge *mu = draw_merge(m, MERGE_MU);
    return mu && change_reg(m, &args_of(m, mu)[draw(m, 2)].reg);
}
static bool change_eta_source(Mutant *m) {
    Eta *eta = draw_eta(m);
    return eta && change_reg(m, &eta->source);
}
static bool clobber(Mutant *m) {
    Eta *eta = draw_eta(m);
    return eta && change_reg(m, &eta->dest);
}
static bool duplicate_destination(Mutant *m) {
    Eta *eta = draw_eta(m), *other = draw_eta(m);
    if (!eta || eta == other || eta->dest.i == other->dest.i) return false;
    eta->dest = other->dest;
    return true;
}
static bool drop_eta(Mutant *m) {
    Gsa *gsa = m->func->gsa;
    if (!gsa->etas.count) return false;
    uint32_t dropped = draw(m, gsa->etas.count);
    for (uint32_t i = dropped; i + 1 < gsa->etas.count; i++) gsa->etas.at[i] = gsa->etas.at[i + 1];
    gsa->etas.count--;
    for (uint32_t n = 0; n < gsa->eta_at.count; n++)
        gsa->eta_at.at[n] -= gsa->eta_at.at[n] > dropped;
    return true;
}
// The value of a loop is used past its exit without an eta, or that of another eta.
static bool change_use(Mutant *m) {
    Instr *instr = &m->func->nodes.at[draw(m, m->func->nodes.count)];
    return instr->arg_count && instr->arg_count <= INLINE_ARGS &&
           change_reg(m, &instr->arg[draw(m, instr->arg_count)]);
}
// The hole of definition 5.5: a header's merges choose by gates that both hold in the second
// iteration.
static bool gamma_at_header(Mutant *m) {
    Merge *mu = draw_merge(m, MERGE_MU);
    if (!mu) return false;
    Gsa *gsa = m->func->gsa;
    mu->kind = MERGE_GAMMA;
    args_of(m, mu)[1].gate =
        gsa->loops.count ? gsa->loops.at[draw(m, gsa->loops.count)].goes_on : GATE_FALSE;
    return true;
}
static bool mu_at_join(Mutant *m) {
    Merge *gamma = draw_merge(m, MERGE_GAMMA);
    if (!gamma || gamma->arg_count != 2) return false;
    gamma->kind = MERGE_MU;
    for (uint32_t i = 0; i < 2; i++) args_of(m, gamma)[i].gate = GATE_TRUE;
    return true;
}
static bool exchange_destinations(Mutant *m) {
    Gsa *gsa = m->func->gsa;
    if (gsa->merges.count < 2) return false;
    Merge *a = &gsa->merges.at[draw(m, gsa->merges.count)],
          *b = &gsa->merges.at[draw(m, gsa->merges.count)];
    Reg dest = a->dest;
    if (a == b || reg_type(m->func, a->dest) != reg_type(m->func, b->dest)) return false;
    a->dest = b->dest;
    b->dest = dest;
    return true;
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} kinds[] = {
    {"drop a part of a gate", drop_a_part},
    {"put True", put_true},
    {"put Undef", put_undef},
    {"put False", put_false},
    {"flip a literal", flip_literal},
    {"and a literal", add_conjunct},
    {"or a literal", add_disjunct},
    {"exchange and and or", exchange_and_or},
    {"read another register", change_register},
    {"True becomes c or not c", put_either},
    {"take another gate", take_another_gate},
    {"swap gates of a gamma", swap_gates},
    {"swap arguments of a mu", swap_mu},
    {"change a gamma's argument", change_gamma_argument},
    {"change a mu's argument", change_mu_argument},
    {"change an eta's source", change_eta_source},
    {"an eta clobbers a register", clobber},
    {"duplicate a destination", duplicate_destination},
    {"drop an eta", drop_eta},
    {"change a use", change_use},
    {"gamma at a header", gamma_at_header},
    {"mu at a plain join", mu_at_join},
    {"exchange destinations", exchange_destinations},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef struct {
    uint32_t made, malformed, fast, matrix, different;
} Score;

static void fail_with(const Func *before, const Func *after, uint64_t seed, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, what, text.text);
}

static bool accepted_by_matrix(Arena *arena, const Func *before, const Func *after,
                               const GsaBuildHint *hint) {
    Obligations obligations;
    return check_gsa_build_by_matrix(arena, before, after, hint, &obligations).accepted &&
           obligations_settle(&obligations, &cadical).accepted;
}

static void try_mutant(Arena *arena, const GatedFunc *original, uint64_t seed, uint32_t kind,
                       Score *score) {
    Mutant mutant = {.arena = arena, .random = random_from(seed), .hint = &original->hint};
    bool changed = false;
    for (int tries = 0; tries < 10 && !changed; tries++) {
        mutant.func = func_clone(original->gated, arena);
        changed = kinds[kind].damage(&mutant);
    }
    if (!changed) return;
    Complaints complaints = {.arena = arena};
    score->made++;
    if (!verify_func(&complaints, mutant.func)) {
        score->malformed++;
        return;
    }
    bool fast =
        step_check(PASS_gsa_build, arena, NULL, original->closed, mutant.func, &original->hint)
            .accepted;
    bool matrix = accepted_by_matrix(arena, original->closed, mutant.func, &original->hint);
    const char *difference = NULL;
    for (uint64_t run = 0; run < 6 && !difference; run++)
        difference =
            behaviour_difference(arena, original->closed, mutant.func, seed * 6 + run, 2000);
    score->fast += !fast;
    score->matrix += !matrix;
    score->different += difference != NULL;
    if (difference && (fast || matrix))
        fail_with(original->closed, mutant.func, seed,
                  arena_printf(arena, "%s: accepted by the %s check, but %s", kinds[kind].name,
                               fast ? "fast" : "matrix", difference));
    if (fast && !matrix)
        fail_with(original->closed, mutant.func, seed, "accepted by the fast check only");
}

static void print_score(const char *name, const Score *score) {
    print_message("%-28s %6u mutants, %6u malformed, rejected %6u fast, %6u matrix, %6u differ\n",
                  name, score->made, score->malformed, score->fast, score->matrix,
                  score->different);
}

static void test_mutants(void **state) {
    (void)state;
    uint64_t count = effort(200, 2000, 100000);
    Arena *arena = arena_new("mutant");
    Score scores[KIND_COUNT] = {0}, total = {0};
    for (uint64_t seed = 1; total.made < count; seed++) {
        GatedFunc original = gated_random(arena, program_new(arena), 150, seed);
        for (uint32_t i = 0; original.gated && i < 4; i++) {
            uint32_t kind = (uint32_t)(seed * 4 + i) % KIND_COUNT, made = scores[kind].made;
            try_mutant(arena, &original, seed, kind, &scores[kind]);
            total.made += scores[kind].made - made;
        }
        arena_reset(arena);
    }
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        print_score(kinds[i].name, &scores[i]);
        total.malformed += scores[i].malformed;
        total.fast += scores[i].fast;
        total.matrix += scores[i].matrix;
        total.different += scores[i].different;
    }
    print_score("mutation score", &total);
    assert_true(total.different > total.made / 20);
    assert_true(total.fast >= total.matrix && total.matrix >= total.different);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
