// Unit propagation with watched literals. Each clause of two or more literals watches its first two
// literals. As long as neither is false, nothing follows from the clause. So a clause is looked at
// only when a watched literal becomes false. Then another literal that is not false is watched
// instead, or the other watched literal must be true, or there is a contradiction. Lists of
// watching clauses are linked through the clauses, so that the lists need no memory of their own,
// and undoing assumptions need not touch the lists.
//
// The only claim: a literal is on the trail only if it follows from the clauses (removed ones too,
// while they were there) and the assumptions. A reported contradiction follows from the same.
#include "check/clauses/clauses.h"

void clauses_reset(Clauses *clauses) {
    vec_clear(&clauses->literals);
    vec_clear(&clauses->clauses);
    vec_clear(&clauses->watch);
    vec_clear(&clauses->holds);
    vec_clear(&clauses->trail);
    clauses->done = 0;
    clauses->refuted = false;
}

Lit clauses_variable(Clauses *clauses) {
    Lit literal = {clauses->watch.count};
    for (uint32_t i = 0; i < 2; i++) {
        vec_push(clauses->arena, &clauses->watch, NO_WATCH);
        vec_push(clauses->arena, &clauses->holds, false);
    }
    return literal;
}

static bool is_false(const Clauses *clauses, Lit literal) {
    return clauses->holds.at[lit_not(literal).i];
}

static void set_true(Clauses *clauses, Lit literal) {
    clauses->holds.at[literal.i] = true;
    vec_push(clauses->arena, &clauses->trail, literal);
}

// Puts a literal that is not false into the place of a watched one; false if there is none.
static bool watch_another(Clauses *clauses, uint32_t watcher) {
    Clause *clause = &clauses->clauses.at[watcher >> 1];
    Lit *literals = clauses->literals.at + clause->at;
    for (uint32_t i = 2; i < clause->count; i++) {
        Lit found = literals[i];
        if (is_false(clauses, found)) continue;
        literals[i] = literals[watcher & 1];
        literals[watcher & 1] = found;
        clause->next[watcher & 1] = clauses->watch.at[found.i];
        clauses->watch.at[found.i] = watcher;
        return true;
    }
    return false;
}

// Draws the consequences of a literal's being false; false if there is a contradiction.
static bool look_at_watchers(Clauses *clauses, Lit falsified) {
    uint32_t *link = &clauses->watch.at[falsified.i];
    while (*link != NO_WATCH) {
        uint32_t watcher = *link;
        Clause *clause = &clauses->clauses.at[watcher >> 1];
        uint32_t *next = &clause->next[watcher & 1], after = *next;
        Lit other = clauses->literals.at[clause->at + !(watcher & 1)];
        if (clause->removed) {
            *link = after;
        } else if (clauses_hold(clauses, other)) {
            link = next;
        } else if (watch_another(clauses, watcher)) {
            *link = after;
        } else if (is_false(clauses, other)) {
            return false;
        } else {
            set_true(clauses, other);
            link = next;
        }
    }
    return true;
}

static bool propagate(Clauses *clauses) {
    while (clauses->done < clauses->trail.count)
        if (!look_at_watchers(clauses, lit_not(clauses->trail.at[clauses->done++]))) return false;
    return true;
}

bool clauses_assume(Clauses *clauses, Lit literal) {
    if (clauses->refuted || is_false(clauses, literal)) return false;
    if (clauses_hold(clauses, literal)) return true;
    set_true(clauses, literal);
    return propagate(clauses);
}

void clauses_undo(Clauses *clauses, uint32_t mark) {
    while (clauses->trail.count > mark) clauses->holds.at[vec_pop(&clauses->trail).i] = false;
    clauses->done = mark;
}

// Brings up to two literals that are not false to the front and says how many there are.
static uint32_t choose_watched(const Clauses *clauses, Lit *literals, uint32_t count) {
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < count && chosen < 2; i++) {
        Lit literal = literals[i];
        if (is_false(clauses, literal)) continue;
        literals[i] = literals[chosen];
        literals[chosen++] = literal;
    }
    return chosen;
}

uint32_t clauses_add(Clauses *clauses, const Lit *literals, uint32_t count) {
    Clause clause = {.at = clauses->literals.count, .count = count, .next = {NO_WATCH, NO_WATCH}};
    uint32_t number = clauses->clauses.count;
    for (uint32_t i = 0; i < count; i++) vec_push(clauses->arena, &clauses->literals, literals[i]);
    Lit *own = clauses->literals.at + clause.at;
    uint32_t open = choose_watched(clauses, own, count);
    for (uint32_t side = 0; open == 2 && side < 2; side++) {
        clause.next[side] = clauses->watch.at[own[side].i];
        clauses->watch.at[own[side].i] = 2 * number + side;
    }
    vec_push(clauses->arena, &clauses->clauses, clause);
    if (open == 0 || (open == 1 && !clauses_assume(clauses, own[0]))) clauses->refuted = true;
    return number;
}

void clauses_remove(Clauses *clauses, uint32_t clause) {
    clauses->clauses.at[clause].removed = true;
}
