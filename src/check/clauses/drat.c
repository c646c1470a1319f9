// Checks a proof from its first step to its last. Let S be the clauses present, together with the
// literals found to be true without assumptions. Every step leaves S satisfiable if it was: a
// clause is added if
//   - assuming all its literals false contradicts S by unit propagation: then S implies it; or
//   - its first literal p is undecided in S, and for each clause D in S with the negation of p,
//     assuming the literals of both false, p's negation in D aside, contradicts S: then, given
//     values that make S true and the new clause false, turning p true makes the new clause true;
//     and no clause D false, since one of its other literals is true.
// Removing a clause makes S smaller. (Literals that the clause led to stay in S; therefore p must
// be undecided.) At the end S contains a contradiction, so the clauses at the start were
// contradictory.
#include "check/clauses/drat.h"

#include "base/hash.h"

typedef struct {
    Clauses *clauses;
    const char *at, *end;
    VEC(Lit) step;  // the clause of the step that is looked at
    Table by_hash;  // of all clauses, for removals
    bool removal;   // the step is one
    uint32_t *seen; // literal -> last clause comparison in which it was seen
    uint32_t comparison;
} Check;

// ---- Reading

static void skip_space(Check *check) {
    while (check->at < check->end &&
           (*check->at == ' ' || *check->at == '\n' || *check->at == '\r' || *check->at == '\t'))
        check->at++;
}

static bool read_number(Check *check, int64_t *number) {
    skip_space(check);
    bool negative = check->at < check->end && *check->at == '-';
    check->at += negative;
    if (check->at == check->end || *check->at < '0' || *check->at > '9') return false;
    for (*number = 0; check->at < check->end && *check->at >= '0' && *check->at <= '9';
         check->at++) {
        *number = *number * 10 + (*check->at - '0');
        if (*number > INT32_MAX) return false;
    }
    if (negative) *number = -*number;
    return true;
}

// Reads one step; false if the text is no step.
static bool read_step(Check *check) {
    int64_t number;
    vec_clear(&check->step);
    check->removal = *check->at == 'd';
    check->at += check->removal;
    while (read_number(check, &number)) {
        if (number == 0) return true;
        uint32_t variable = (uint32_t)(number < 0 ? -number : number) - 1;
        if (variable >= check->clauses->watch.count / 2) return false;
        vec_push(check->clauses->arena, &check->step, (Lit){2 * variable + (number < 0)});
    }
    return false;
}

// ---- Adding a clause

// Whether assuming the literals false, but for one, is a contradiction.
static bool contradicts(Clauses *clauses, const Lit *literals, uint32_t count, Lit except) {
    for (uint32_t i = 0; i < count; i++)
        if (literals[i].i != except.i && !clauses_assume(clauses, lit_not(literals[i])))
            return true;
    return false;
}

#define NO_LIT ((Lit){UINT32_MAX})

// The literals of the step being false, as far as assumed: whether each clause with the negation of
// the first literal is then contradictory without it. Meanwhile literals move within a clause, its
// two watched literals and others, so the clause is read from a copy.
static bool is_redundant(Check *check, uint32_t mark) {
    Clauses *clauses = check->clauses;
    Lit negation = lit_not(check->step.at[0]);
    VEC(Lit) others = {0};
    for (uint32_t c = 0; c < clauses->clauses.count; c++) {
        Clause clause = clauses->clauses.at[c];
        bool concerned = false;
        for (uint32_t i = 0; i < clause.count && !clause.removed; i++)
            concerned |= clauses->literals.at[clause.at + i].i == negation.i;
        if (!concerned) continue;
        vec_clear(&others);
        for (uint32_t i = 0; i < clause.count; i++)
            vec_push(clauses->arena, &others, clauses->literals.at[clause.at + i]);
        bool refuted = contradicts(clauses, others.at, others.count, negation);
        clauses_undo(clauses, mark);
        if (!refuted) return false;
    }
    return true;
}

static bool may_be_added(Check *check) {
    Clauses *clauses = check->clauses;
    uint32_t start = clauses_mark(clauses);
    bool undecided = check->step.count && !clauses_hold(clauses, check->step.at[0]) &&
                     !clauses_hold(clauses, lit_not(check->step.at[0]));
    bool added = contradicts(clauses, check->step.at, check->step.count, NO_LIT) ||
                 (undecided && is_redundant(check, clauses_mark(clauses)));
    clauses_undo(clauses, start);
    return added;
}

// ---- Finding a clause again

// The same for every order of the literals.
static uint64_t hash_of(const Lit *literals, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) hash += hash_mix(literals[i].i + 1);
    return hash_mix(hash);
}

static void file_clause(Check *check, uint32_t number) {
    const Clause *clause = &check->clauses->clauses.at[number];
    table_insert(check->clauses->arena, &check->by_hash,
                 hash_of(check->clauses->literals.at + clause->at, clause->count), number);
}

static bool is_the_step(Check *check, const Clause *clause) {
    const Lit *literals = check->clauses->literals.at + clause->at;
    if (clause->removed || clause->count != check->step.count) return false;
    check->comparison++;
    for (uint32_t i = 0; i < clause->count; i++) check->seen[literals[i].i] = check->comparison;
    for (uint32_t i = 0; i < clause->count; i++)
        if (check->seen[check->step.at[i].i] != check->comparison) return false;
    return true;
}

static bool remove_step(Check *check) {
    uint64_t hash = hash_of(check->step.at, check->step.count);
    uint32_t at = table_first(&check->by_hash, hash), number;
    while ((number = table_id(&check->by_hash, hash, &at)) != HASH_NONE)
        if (is_the_step(check, &check->clauses->clauses.at[number])) {
            clauses_remove(check->clauses, number);
            return true;
        }
    return false;
}

// ---- All of it

static const char *take_step(Check *check) {
    if (!read_step(check)) return "the proof is not readable";
    if (check->removal)
        return remove_step(check) ? NULL : "the proof removes a clause that is not there";
    if (!may_be_added(check)) return "a step of the proof does not follow";
    file_clause(check, clauses_add(check->clauses, check->step.at, check->step.count));
    return NULL;
}

bool drat_check(Clauses *clauses, const char *proof, size_t length, const char **reason) {
    Check check = {.clauses = clauses, .at = proof, .end = proof + length};
    check.seen = ARENA_ARRAY(clauses->arena, uint32_t, clauses->watch.count);
    for (uint32_t i = 0; i < clauses->clauses.count; i++) file_clause(&check, i);
    *reason = NULL;
    for (skip_space(&check); !clauses->refuted && check.at < check.end; skip_space(&check))
        if ((*reason = take_step(&check))) return false;
    if (!clauses->refuted) *reason = "the proof does not come to a contradiction";
    return clauses->refuted;
}
