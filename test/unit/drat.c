// The proof checker: accepts proofs that CaDiCaL finds, rejects them once steps are dropped,
// altered or put in another order, unless what is left is still a proof: a second, naive checker
// says which. Never does it accept a proof that clauses contradict each other that can all be true.
#include "check/clauses/drat.h"
#include "base/out.h"
#include "solve/cadical.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef VEC(int) Ints; // clauses, each ended by 0

static Clauses clauses_of(Arena *arena, uint32_t variables, const Ints *ints) {
    Clauses clauses = {.arena = arena};
    VEC(Lit) clause = {0};
    for (uint32_t i = 0; i < variables; i++) (void)clauses_variable(&clauses);
    for (uint32_t i = 0; i < ints->count; i++) {
        int v = ints->at[i];
        if (v) {
            vec_push(arena, &clause, (Lit){(uint32_t)(v < 0 ? -2 * v - 1 : 2 * v - 2)});
        } else {
            clauses_add(&clauses, clause.at, clause.count);
            vec_clear(&clause);
        }
    }
    return clauses;
}

static bool accepts(Arena *arena, uint32_t variables, const Ints *ints, const char *proof) {
    Clauses clauses = clauses_of(arena, variables, ints);
    const char *reason;
    bool accepted = drat_check(&clauses, proof, strlen(proof), &reason);
    assert_true(accepted == !reason);
    return accepted;
}

static Ints ints_of(Arena *arena, const int *from, uint32_t count) {
    Ints ints = {0};
    for (uint32_t i = 0; i < count; i++) vec_push(arena, &ints, from[i]);
    return ints;
}
#define INTS(arena, ...)                                                                           \
    ints_of((arena), (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

// ---- A naive checker: clauses as lists, propagation until nothing changes, no watched literals

typedef struct {
    Arena *arena;
    VEC(struct NaiveClause {
        int literals[16];
        uint32_t count;
        bool removed;
    })
    clauses;
    int8_t value[32]; // of variables: what follows without assumptions
    bool refuted;
} Naive;

static int value_of(const int8_t *value, int literal) {
    return literal < 0 ? -value[-literal] : value[literal];
}

// Whether the values contradict the clauses, values that follow added.
static bool naive_propagate(const Naive *naive, int8_t *value) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t c = 0; c < naive->clauses.count; c++) {
            const struct NaiveClause *clause = &naive->clauses.at[c];
            uint32_t open = 0;
            int last = 0;
            bool met = clause->removed;
            for (uint32_t i = 0; i < clause->count; i++) {
                int is = value_of(value, clause->literals[i]);
                met |= is > 0;
                if (is == 0) last = clause->literals[i];
                open += is == 0;
            }
            if (met || open > 1) continue;
            if (open == 0) return true;
            value[abs(last)] = (int8_t)(last > 0 ? 1 : -1);
            changed = true;
        }
    }
    return false;
}

// Sets the literals false, but for one; true if that is a contradiction.
static bool naive_refutes(const Naive *naive, int8_t *value, const struct NaiveClause *clause,
                          int except) {
    for (uint32_t i = 0; i < clause->count; i++) {
        int literal = clause->literals[i];
        if (literal == except) continue;
        if (value_of(value, literal) > 0) return true;
        value[abs(literal)] = (int8_t)(literal > 0 ? -1 : 1);
    }
    return naive_propagate(naive, value);
}

static bool naive_follows(const Naive *naive, const struct NaiveClause *step) {
    int8_t value[32], inner[32];
    memcpy(value, naive->value, sizeof value);
    if (naive_refutes(naive, value, step, 0)) return true;
    if (!step->count || value_of(naive->value, step->literals[0])) return false;
    for (uint32_t c = 0; c < naive->clauses.count; c++) {
        const struct NaiveClause *clause = &naive->clauses.at[c];
        bool concerned = false;
        for (uint32_t i = 0; i < clause->count && !clause->removed; i++)
            concerned |= clause->literals[i] == -step->literals[0];
        memcpy(inner, value, sizeof inner);
        if (concerned && !naive_refutes(naive, inner, clause, -step->literals[0])) return false;
    }
    return true;
}

static bool naive_same(const struct NaiveClause *a, const struct NaiveClause *b) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) found += a->literals[i] == b->literals[k];
    return a->count == b->count && found == a->count;
}

static bool naive_step(Naive *naive, const struct NaiveClause *step, bool removal) {
    if (!removal && !naive_follows(naive, step)) return false;
    if (!removal) {
        vec_push(naive->arena, &naive->clauses, *step);
        naive->refuted = naive_propagate(naive, naive->value);
        return true;
    }
    for (uint32_t c = 0; c < naive->clauses.count; c++) {
        struct NaiveClause *clause = &naive->clauses.at[c];
        if (clause->removed || !naive_same(clause, step)) continue;
        clause->removed = true;
        return true;
    }
    return false;
}

static bool naive_accepts(Arena *arena, const Ints *ints, const char *proof) {
    Naive naive = {.arena = arena};
    struct NaiveClause clause = {0};
    for (uint32_t i = 0; i < ints->count; i++) {
        if (ints->at[i]) clause.literals[clause.count++] = ints->at[i];
        if (ints->at[i]) continue;
        vec_push(arena, &naive.clauses, clause);
        clause.count = 0;
    }
    naive.refuted = naive_propagate(&naive, naive.value);
    while (*proof && !naive.refuted) {
        bool removal = *proof == 'd';
        proof += removal;
        clause.count = 0;
        for (long literal; (literal = strtol(proof, (char **)&proof, 10)) != 0;)
            clause.literals[clause.count++] = (int)literal;
        if (!naive_step(&naive, &clause, removal)) return false;
        proof += *proof == '\n';
    }
    return naive.refuted;
}

// ---- By hand

static void test_steps(void **state) {
    (void)state;
    Arena *arena = arena_new("drat");
    // All four clauses over two variables.
    Ints square = INTS(arena, 1, 2, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0);
    assert_true(accepts(arena, 2, &square, "1 0\n0\n"));
    assert_true(accepts(arena, 2, &square, "1 0\nd 1 2 0\n0\n"));
    assert_true(accepts(arena, 2, &square, "-2 0"));
    assert_false(accepts(arena, 2, &square, ""));
    assert_false(accepts(arena, 2, &square, "0\n"));
    assert_false(accepts(arena, 2, &square, "d 1 2 0\nd 1 -2 0\n1 0\n0\n"));
    assert_false(accepts(arena, 2, &square, "d 1 0\n1 0\n0\n")); // no such clause
    assert_false(accepts(arena, 2, &square, "3 0\n1 0\n0\n"));   // no such variable
    assert_false(accepts(arena, 2, &square, "1\n"));             // no end
    assert_false(accepts(arena, 2, &square, "1 x 0\n0\n"));      // no number
    assert_false(accepts(arena, 2, &square, "99999999999 0\n")); // no literal
    // Three of them can be true.
    Ints three = INTS(arena, 1, 2, 0, 1, -2, 0, -1, 2, 0);
    assert_false(accepts(arena, 2, &three, "1 0\n0\n"));
    assert_false(accepts(arena, 2, &three, "-1 0\n0\n"));
    assert_false(accepts(arena, 2, &three, "-2 0\n0\n"));
    arena_free(arena);
}

// Clauses that keep the others satisfiable though they do not follow; and why their first literal
// must be undecided: the literal of a clause that was removed stays true.
static void test_redundant_steps(void **state) {
    (void)state;
    Arena *arena = arena_new("drat");
    // 3 is in no clause: -3 may be added, or 3, not both.
    Ints square = INTS(arena, 1, 2, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0);
    assert_true(accepts(arena, 3, &square, "-3 0\n1 0\n0\n"));
    // A definition: 3 is 1 and 2.
    assert_true(accepts(arena, 3, &square, "3 -1 -2 0\n-3 1 0\n-3 2 0\n1 0\n0\n"));
    Ints empty = INTS(arena, 1, 2, 0);
    assert_false(accepts(arena, 3, &empty, "-3 0\n3 0\n0\n"));
    assert_false(accepts(arena, 2, &empty, "-1 0\n-2 0\n0\n"));
    Ints unit = INTS(arena, 1, 0, 1, 2, 0);
    assert_false(accepts(arena, 2, &unit, "d 1 0\n-1 0\n0\n"));
    assert_false(accepts(arena, 2, &unit, "d 1 0\nd 1 2 0\n-1 0\n0\n"));
    arena_free(arena);
}

// ---- Random clauses

static bool meets(const Ints *ints, uint32_t values) {
    bool met = false;
    for (uint32_t i = 0; i < ints->count; i++) {
        int v = ints->at[i];
        if (v == 0 && !met) return false;
        if (v == 0)
            met = false;
        else
            met |= (values >> (abs(v) - 1) & 1) == (v > 0);
    }
    return true;
}

static bool satisfiable(const Ints *ints, uint32_t variables) {
    for (uint32_t values = 0; values < 1u << variables; values++)
        if (meets(ints, values)) return true;
    return false;
}

static Ints random_clauses(Arena *arena, Random *random, uint32_t variables, uint32_t count) {
    Ints ints = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = random_below(random, variables), apart = random_range(random, 1, 3);
        for (uint32_t k = 0; k < 3; k++) {
            int v = (int)((first + k * apart) % variables) + 1;
            vec_push(arena, &ints, random_chance(random, 1, 2) ? v : -v);
        }
        vec_push(arena, &ints, 0);
    }
    return ints;
}

static void print_clauses(Out *out, uint32_t variables, const Ints *ints) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ints->count; i++) count += ints->at[i] == 0;
    out_printf(out, "p cnf %u %u\n", variables, count);
    for (uint32_t i = 0; i < ints->count; i++)
        out_printf(out, "%d%c", ints->at[i], ints->at[i] ? ' ' : '\n');
}

// A proof of the solver; NULL if there is none.
static char *proof_of(Arena *arena, uint32_t variables, const Ints *ints) {
    Out dimacs = {0};
    char *proof;
    size_t length;
    const char *reason;
    print_clauses(&dimacs, variables, ints);
    bool refuted = cadical.refute(cadical.context, arena, dimacs.text, dimacs.length, &proof,
                                  &length, &reason);
    out_free(&dimacs);
    if (!refuted) assert_string_equal(reason, "cadical finds a counterexample");
    return refuted ? arena_text(arena, proof, length) : NULL;
}

typedef VEC(char *) Lines;

static Lines lines_of(Arena *arena, const char *text) {
    Lines lines = {0};
    while (*text) {
        const char *end = strchr(text, '\n');
        vec_push(arena, &lines, arena_text(arena, text, (size_t)(end - text)));
        text = end + 1;
    }
    return lines;
}

static char *text_of(Arena *arena, const Lines *lines) {
    Out out = {0};
    for (uint32_t i = 0; i < lines->count; i++) out_printf(&out, "%s\n", lines->at[i]);
    char *text = arena_text(arena, out.text, out.length);
    out_free(&out);
    return text;
}

// Drops a step, alters a literal, or exchanges two steps.
static const char *damaged(Arena *arena, Random *random, const char *proof, uint32_t kind) {
    Lines lines = lines_of(arena, proof);
    uint32_t at = random_below(random, lines.count), other = random_below(random, lines.count);
    if (kind == 0) {
        memmove(lines.at + at, lines.at + at + 1, (lines.count - at - 1) * sizeof *lines.at);
        lines.count--;
    } else if (kind == 1) {
        char *line = lines.at[at], *sign = strchr(line, '-');
        lines.at[at] = sign ? arena_printf(arena, "%.*s%s", (int)(sign - line), line, sign + 1)
                            : arena_printf(arena, "-%s", line);
    } else {
        char *line = lines.at[at];
        lines.at[at] = lines.at[other];
        lines.at[other] = line;
    }
    return text_of(arena, &lines);
}

static void test_random(void **state) {
    (void)state;
    enum { VARIABLES = 14 };
    static const char *const names[] = {"dropped", "altered", "exchanged"};
    uint64_t count = effort(10, 60, 2000);
    uint32_t proofs = 0, tried[3] = {0}, rejected[3] = {0};
    Arena *arena = arena_new("drat");
    for (uint64_t seed = 1; seed <= count; seed++) {
        Random random = random_from(seed);
        Ints ints = random_clauses(arena, &random, VARIABLES, random_range(&random, 55, 95));
        char *proof = proof_of(arena, VARIABLES, &ints);
        bool possible = satisfiable(&ints, VARIABLES);
        assert_true(possible == !proof);
        proofs += proof != NULL;
        if (proof) assert_true(accepts(arena, VARIABLES, &ints, proof));
        // One clause less: the same proof, and damaged ones, must not pass if all can be true.
        for (uint32_t i = 0; proof && i < 30; i++) {
            const char *wrong = damaged(arena, &random, proof, i % 3);
            tried[i % 3]++;
            bool accepted = accepts(arena, VARIABLES, &ints, wrong);
            assert_true(accepted == naive_accepts(arena, &ints, wrong));
            rejected[i % 3] += !accepted;
            Ints fewer = ints_of(arena, ints.at + 4, ints.count - 4);
            if (satisfiable(&fewer, VARIABLES)) {
                assert_false(accepts(arena, VARIABLES, &fewer, proof));
                assert_false(accepts(arena, VARIABLES, &fewer, wrong));
            }
        }
        arena_reset(arena);
    }
    assert_true(proofs > count / 4);
    for (uint32_t i = 0; i < 3; i++) {
        print_message("%u proofs with a step %s: %u rejected\n", tried[i], names[i], rejected[i]);
        assert_true(rejected[i] > 0);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_redundant_steps),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
