// What follows from a predicate by structure, against all valuations in three values; and that a
// predicate is made once.
#include "fact/gate/gate_proof.h"
#include "fact/gate/gate_eval.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ATOMS = 4, VALUATIONS = 81 };

static GateAtom atom_of(uint32_t number) {
    return (GateAtom){
        .op = OP_LT_I32, .immediate = true, .arg_count = 1, .arg = {{0}}, .imm = number};
}

static Gate literal(Arena *arena, Gsa *gsa, uint32_t number, bool negated) {
    GateAtom atom = atom_of(number);
    return gate_literal(arena, gsa, &atom, negated);
}

static Gsa *random_table(Arena *arena, Random *random, uint32_t size) {
    Gsa *gsa = gsa_new(arena);
    for (uint32_t i = 0; i < ATOMS; i++) literal(arena, gsa, i, random_chance(random, 1, 2));
    while (size--) {
        Gate first = {random_below(random, gsa->gates.count)};
        Gate second = {random_below(random, gsa->gates.count)};
        uint32_t kind = random_below(random, 9);
        if (kind == 0)
            literal(arena, gsa, random_below(random, ATOMS), random_chance(random, 1, 2));
        else
            (kind < 5 ? gate_and : gate_or)(arena, gsa, first, second);
    }
    return gsa;
}

// The values of all gates, given those of the atoms by the digits of a number to the base of three.
static void evaluate(const Gsa *gsa, uint32_t valuation, uint8_t *truth) {
    uint8_t atoms[ATOMS];
    for (uint32_t i = 0; i < ATOMS; i++, valuation /= 3) atoms[i] = (uint8_t)(valuation % 3);
    for (uint32_t i = 0; i < gsa->gates.count; i++) {
        const GateNode *node = &gsa->gates.at[i];
        uint8_t a = 0, b = 0;
        if (node->kind == GK_AND || node->kind == GK_OR) {
            a = truth[node->first];
            b = truth[node->second];
        }
        switch ((GateKind)node->kind) {
        case GK_FALSE: truth[i] = TRUTH_FALSE; break;
        case GK_TRUE: truth[i] = TRUTH_TRUE; break;
        case GK_UNDEF: truth[i] = TRUTH_UNKNOWN; break;
        case GK_LITERAL:
            a = atoms[gsa->atoms.at[node->first].imm];
            truth[i] = (uint8_t)(node->negated ? TRUTH_TRUE - a : a);
            break;
        case GK_AND: truth[i] = a < b ? a : b; break;
        case GK_OR: truth[i] = a > b ? a : b; break;
        }
    }
}

static bool implies(const uint8_t *truths, uint32_t count, Gate from, Gate to) {
    for (uint32_t v = 0; v < VALUATIONS; v++)
        if (truths[v * count + from.i] == TRUTH_TRUE && truths[v * count + to.i] != TRUTH_TRUE)
            return false;
    return true;
}

static void test_sound(void **state) {
    (void)state;
    Arena *arena = arena_new("proof");
    uint64_t proved = 0, true_ones = 0, all = 0;
    for (uint64_t seed = 1; seed <= effort(50, 300, 20000); seed++, arena_reset(arena)) {
        Random random = random_from(seed);
        Gsa *gsa = random_table(arena, &random, 30);
        uint32_t count = gsa->gates.count;
        uint8_t *truths = ARENA_ARRAY(arena, uint8_t, (size_t)VALUATIONS * count);
        for (uint32_t v = 0; v < VALUATIONS; v++) evaluate(gsa, v, truths + (size_t)v * count);
        GateProof proof = gate_proof_new(arena, gsa);
        for (uint32_t i = 0; i < count * count; i++, all++) {
            Gate from = {i / count}, to = {i % count};
            bool follows = gate_follows(&proof, from, to), holds = implies(truths, count, from, to);
            if (follows && !holds)
                fail_msg("seed %llu: gate %u does not follow from %u", (unsigned long long)seed,
                         to.i, from.i);
            proved += follows;
            true_ones += holds;
        }
    }
    print_message("%llu of %llu implications proved, of %llu pairs\n", (unsigned long long)proved,
                  (unsigned long long)true_ones, (unsigned long long)all);
    assert_true(proved > true_ones / 4);
    arena_free(arena);
}

// What it must find, for any predicates: a gate itself, its conjuncts, what it is a disjunct of.
static void test_complete(void **state) {
    (void)state;
    Arena *arena = arena_new("proof");
    for (uint64_t seed = 1; seed <= effort(50, 300, 5000); seed++, arena_reset(arena)) {
        Random random = random_from(seed);
        Gsa *gsa = random_table(arena, &random, 20);
        Gate p[3];
        for (int i = 0; i < 3; i++) p[i] = (Gate){1 + random_below(&random, gsa->gates.count - 1)};
        Gate both = gate_and(arena, gsa, p[0], p[1]), either = gate_or(arena, gsa, p[0], p[2]);
        Gate all = gate_and(arena, gsa, both, p[2]), any = gate_or(arena, gsa, either, p[1]);
        Gate turned = gate_and(arena, gsa, p[2], gate_and(arena, gsa, p[1], p[0]));
        GateProof proof = gate_proof_new(arena, gsa);
        assert_true(gate_follows(&proof, p[0], p[0]));
        assert_true(gate_follows(&proof, p[0], GATE_TRUE));
        for (int i = 0; i < 3; i++) {
            assert_true(gate_follows(&proof, all, p[i]));
            assert_true(gate_follows(&proof, p[i], any));
        }
        assert_true(gate_follows(&proof, all, turned));
        assert_true(gate_follows(&proof, turned, all));
    }
    arena_free(arena);
}

// c or not c is not True, and nothing follows from what is undefined.
static void test_undefined(void **state) {
    (void)state;
    Arena *arena = arena_new("proof");
    Gsa *gsa = gsa_new(arena);
    Gate c = literal(arena, gsa, 0, false), not_c = literal(arena, gsa, 0, true);
    Gate either = gate_or(arena, gsa, c, not_c);
    GateProof proof = gate_proof_new(arena, gsa);
    assert_false(gate_follows(&proof, GATE_TRUE, either));
    assert_false(gate_follows(&proof, GATE_TRUE, GATE_UNDEF));
    assert_false(gate_follows(&proof, c, GATE_UNDEF));
    assert_false(gate_follows(&proof, c, not_c));
    assert_false(gate_follows(&proof, either, c));
    assert_true(gate_follows(&proof, c, either));
    arena_free(arena);
}

// A long chain, deeper than any stack, shared many times.
static void test_deep(void **state) {
    (void)state;
    Arena *arena = arena_new("proof");
    Gsa *gsa = gsa_new(arena);
    Gate first = literal(arena, gsa, 0, false), ands = first, ors = first;
    for (uint32_t i = 1; i < 300000; i++) {
        Gate next = literal(arena, gsa, i, false);
        ands = gate_and(arena, gsa, ands, next);
        ors = gate_or(arena, gsa, ors, i % 2 ? next : gate_and(arena, gsa, ors, next));
    }
    GateProof proof = gate_proof_new(arena, gsa);
    assert_true(gate_follows(&proof, ands, ors));
    assert_true(gate_follows(&proof, ands, first));
    assert_true(gate_follows(&proof, first, ors));
    assert_false(gate_follows(&proof, ors, ands));
    arena_free(arena);
}

// ---- Disjuncts

// Whether a gate is, or has in disjunctions only, another. The tables here are small.
static bool has_disjunct(const Gsa *gsa, uint32_t gate, uint32_t disjunct) {
    const GateNode *node = &gsa->gates.at[gate];
    return gate == disjunct || (node->kind == GK_OR && (has_disjunct(gsa, node->first, disjunct) ||
                                                        has_disjunct(gsa, node->second, disjunct)));
}

// The answer is an argument that has the disjunct; none, only if there is none or it is hidden in a
// whole.
static void test_disjuncts(void **state) {
    (void)state;
    Arena *arena = arena_new("disjuncts");
    uint64_t found = 0;
    for (uint64_t seed = 1; seed <= effort(50, 300, 20000); seed++, arena_reset(arena)) {
        Random random = random_from(seed);
        Gsa *gsa = random_table(arena, &random, 30);
        GateDisjuncts disjuncts = gate_disjuncts_new(arena, gsa);
        for (uint32_t group = 0; group < 3; group++) {
            Gate wholes[4];
            MergeArg args[3];
            for (int i = 0; i < 4; i++) wholes[i] = (Gate){random_below(&random, gsa->gates.count)};
            gate_disjuncts_group(&disjuncts, wholes, group);
            for (int i = 0; i < 3; i++)
                args[i] = (MergeArg){.gate = {random_below(&random, gsa->gates.count)}};
            gate_disjuncts_search(&disjuncts, args, 3);
            for (uint32_t g = 0; g < gsa->gates.count; g++) {
                uint32_t holder = gate_disjuncts_holder(&disjuncts, (Gate){g});
                found += holder != NO_ID;
                if (holder != NO_ID) assert_true(has_disjunct(gsa, args[holder].gate.i, g));
                bool hidden = false;
                for (uint32_t i = 0; i < group; i++) hidden |= has_disjunct(gsa, wholes[i].i, g);
                for (int i = 0; i < 3 && holder == NO_ID && !hidden; i++)
                    assert_false(has_disjunct(gsa, args[i].gate.i, g));
            }
        }
    }
    assert_true(found > 0);
    arena_free(arena);
}

// ---- Each predicate is made once

static bool same_node(const GateNode *a, const GateNode *b) {
    return a->kind == b->kind && a->negated == b->negated && a->first == b->first &&
           a->second == b->second;
}

static void test_shared(void **state) {
    (void)state;
    Arena *arena = arena_new("table");
    for (uint64_t seed = 1; seed <= effort(20, 100, 1000); seed++, arena_reset(arena)) {
        Random random = random_from(seed);
        Gsa *gsa = random_table(arena, &random, 60);
        uint32_t count = gsa->gates.count, atoms = gsa->atoms.count;
        for (uint32_t i = 3; i < count; i++)
            for (uint32_t k = 3; k < i; k++)
                assert_false(same_node(&gsa->gates.at[i], &gsa->gates.at[k]));
        Gsa *clone = gsa_clone(arena, gsa);
        for (uint32_t i = 3; i < count; i++) {
            GateNode node = gsa->gates.at[i];
            Gate first = {node.first}, second = {node.second}, again;
            if (node.kind == GK_LITERAL)
                again = gate_literal(arena, clone, &gsa->atoms.at[node.first], node.negated);
            else
                again = (node.kind == GK_AND ? gate_and : gate_or)(arena, clone, first, second);
            assert_int_equal(again.i, i);
        }
        assert_int_equal(clone->gates.count, count);
        assert_int_equal(clone->atoms.count, atoms);
    }
    arena_free(arena);
}

static void test_units(void **state) {
    (void)state;
    Arena *arena = arena_new("table");
    Gsa *gsa = gsa_new(arena);
    Gate c = literal(arena, gsa, 0, false), d = literal(arena, gsa, 1, false);
    assert_int_equal(gate_and(arena, gsa, GATE_TRUE, c).i, c.i);
    assert_int_equal(gate_and(arena, gsa, c, GATE_TRUE).i, c.i);
    assert_int_equal(gate_and(arena, gsa, c, GATE_FALSE).i, GATE_FALSE.i);
    assert_int_equal(gate_and(arena, gsa, GATE_FALSE, c).i, GATE_FALSE.i);
    assert_int_equal(gate_or(arena, gsa, GATE_FALSE, c).i, c.i);
    assert_int_equal(gate_or(arena, gsa, c, GATE_TRUE).i, GATE_TRUE.i);
    assert_int_equal(gate_or(arena, gsa, c, c).i, c.i);
    assert_int_equal(gsa->gates.count, 5);
    assert_int_not_equal(gate_and(arena, gsa, c, d).i, gate_and(arena, gsa, d, c).i); // ordered
    arena_free(arena);
}

static void test_lists(void **state) {
    (void)state;
    Arena *arena = arena_new("table");
    Gsa *gsa = gsa_new(arena);
    const int64_t values[] = {-3, 0, 5, 9};
    uint32_t all = gate_case_list(arena, gsa, values, 4),
             some = gate_case_list(arena, gsa, values, 3);
    assert_int_not_equal(all, some);
    assert_int_equal(gate_case_list(arena, gsa, values, 4), all);
    assert_int_equal(gate_case_list(arena, gsa_clone(arena, gsa), values, 3), some);
    assert_int_equal(gate_case_list(arena, gsa, NULL, 0), gate_case_list(arena, gsa, NULL, 0));
    assert_int_equal(gsa->switches.count, 3);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),     cmocka_unit_test(test_complete),
        cmocka_unit_test(test_undefined), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_disjuncts), cmocka_unit_test(test_shared),
        cmocka_unit_test(test_units),     cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
