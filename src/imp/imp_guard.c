// Reduces the places of one value on ways of several conditionals. Some conditions can be known in
// front of all these conditionals: all their operands are surely needed. One place under the
// disjunction of such conditions then suffices for all ways that the conditions lead to, and for
// ways that are taken only if the conditions hold.
#include "imp/imp_schedule.h"

enum { MOST_SPOTS = 40, MOST_DEPTH = 8 };

typedef struct {
    const ImpSchedule *s;
    Arena *arena;
    ImpSpot top;
} GuardSearch;

typedef struct {
    ImpLiterals path; // what leads there from the top
    bool movable;     // nothing else does, and all of it is known at the top
    bool gone;
    int64_t at; // the item of the top that it is in
    Map facts;  // conditions that are known there: 0 or 1
} GuardSpot;

static const ImpValue *at(const GuardSearch *g, uint32_t id) {
    return imp_value_at(g->s->values, id);
}
static uint32_t arg(const GuardSearch *g, uint32_t id, uint32_t i) {
    return imp_value_arg(g->s->values, id, i);
}

// Literals of the tests in front of way `count` of a conditional, and of its own.
static void add_tests(const GuardSearch *g, GuardSpot *spot, const ImpBranch *branch, uint32_t way,
                      bool own) {
    for (uint32_t i = 0; i < way + own; i++) {
        if (!imp_value_tests(at(g, branch->example), i)) continue;
        uint32_t condition = arg(g, branch->example, 2 * i);
        uint32_t level = at(g, condition)->level, here = g->s->blocks.at[g->top.block].level;
        bool known = level == NO_ID || level == here ||
                     (here != NO_ID && g->s->values->depth[level] < g->s->values->depth[here]);
        if (at(g, condition)->heavy || !known) spot->movable = false;
        if (known)
            vec_push(g->arena, &spot->path, (ImpLiteral){.id = condition, .holds = i == way});
    }
}

static void find_path(const GuardSearch *g, GuardSpot *spot, uint32_t block) {
    spot->movable = true;
    for (; block != g->top.block; block = g->s->blocks.at[block].parent) {
        const ImpBlock *here = &g->s->blocks.at[block];
        spot->at = here->at;
        if (here->branch != NO_ID) {
            add_tests(g, spot, &g->s->branches.at[here->branch], here->way, true);
        } else if (here->sibling != NO_ID) {
            const ImpBlock *way = &g->s->blocks.at[here->sibling];
            add_tests(g, spot, &g->s->branches.at[way->branch], way->way + 1, false);
        } else if (!here->entered) {
            spot->movable = false;
        }
    }
}

// ---- What follows from conditions

// 0 or 1, or HASH_NONE.
static uint32_t truth_of(const GuardSearch *g, const Map *facts, uint32_t id, uint32_t depth) {
    const ImpValue *value = at(g, id);
    uint32_t known = map_get(facts, id);
    if (known != HASH_NONE || depth > MOST_DEPTH) return known;
    if (value->kind == FT_CONST) return value->imm != 0;
    if (value->kind == FT_NOT) {
        known = truth_of(g, facts, arg(g, id, 0), depth + 1);
        return known == HASH_NONE ? known : !known;
    }
    if (value->kind != FT_AND && value->kind != FT_OR) return HASH_NONE;
    bool all = true, is_or = value->kind == FT_OR;
    for (uint32_t i = 0; i < value->arg_count; i++) {
        known = truth_of(g, facts, arg(g, id, i), depth + 1);
        if (known == is_or) return is_or;
        all &= known != HASH_NONE;
    }
    return all ? !is_or : HASH_NONE;
}

// An `and` that does not hold, or an `or` that holds: if one operand is left that can be the
// reason, it is.
static void add_last_reason(const GuardSearch *g, Map *facts, ImpLiterals *open, ImpLiteral fact) {
    uint32_t reason = NO_ID;
    for (uint32_t i = 0; i < at(g, fact.id)->arg_count; i++) {
        uint32_t known = truth_of(g, facts, arg(g, fact.id, i), 0);
        if (known == !fact.holds) continue;
        if (known != HASH_NONE || reason != NO_ID) return;
        reason = arg(g, fact.id, i);
    }
    if (reason != NO_ID) vec_push(g->arena, open, (ImpLiteral){.id = reason, .holds = fact.holds});
}

static void add_parts(const GuardSearch *g, ImpLiterals *open, ImpLiteral fact) {
    const ImpValue *value = at(g, fact.id);
    bool all = value->kind == (fact.holds ? FT_AND : FT_OR);
    if (value->kind == FT_NOT)
        vec_push(g->arena, open, (ImpLiteral){.id = arg(g, fact.id, 0), .holds = !fact.holds});
    for (uint32_t i = 0; all && i < value->arg_count; i++)
        vec_push(g->arena, open, (ImpLiteral){.id = arg(g, fact.id, i), .holds = fact.holds});
    // Conditions that were made conditional values.
    if (value->kind != FT_GAMMA || value->arg_count != 4) return;
    const ImpValue *first = at(g, arg(g, fact.id, 1)), *second = at(g, arg(g, fact.id, 3));
    bool and_true = fact.holds && second->kind == FT_CONST && !second->imm;
    bool or_false = !fact.holds && first->kind == FT_CONST && first->imm;
    if (and_true || or_false) {
        uint32_t rest = arg(g, fact.id, and_true ? 1 : 3);
        vec_push(g->arena, open, (ImpLiteral){.id = arg(g, fact.id, 0), .holds = and_true});
        vec_push(g->arena, open, (ImpLiteral){.id = rest, .holds = and_true});
    }
}

static void find_facts(const GuardSearch *g, GuardSpot *spot) {
    ImpLiterals open = {0}, choices = {0};
    for (uint32_t i = 0; i < spot->path.count; i++) vec_push(g->arena, &open, spot->path.at[i]);
    for (uint32_t round = 0; round < 3 && open.count; round++) {
        while (open.count) {
            ImpLiteral fact = vec_pop(&open);
            if (map_get(&spot->facts, fact.id) != HASH_NONE) continue;
            map_set(g->arena, &spot->facts, fact.id, fact.holds);
            add_parts(g, &open, fact);
            if (at(g, fact.id)->kind == (fact.holds ? FT_OR : FT_AND))
                vec_push(g->arena, &choices, fact);
        }
        for (uint32_t i = 0; i < choices.count; i++)
            add_last_reason(g, &spot->facts, &open, choices.at[i]);
    }
}

static bool follows(const GuardSearch *g, const GuardSpot *spot, const GuardSpot *from) {
    for (uint32_t i = 0; i < spot->path.count; i++)
        if (truth_of(g, &from->facts, spot->path.at[i].id, 0) != spot->path.at[i].holds)
            return false;
    return true;
}

// Whether a place is on a way of a conditional of the top that comes before another item of it.
static bool comes_before(const GuardSearch *g, ImpSpot spot, int64_t item) {
    uint32_t number = g->s->blocks.at[spot.block].branch;
    if (number == NO_ID) return false;
    const ImpBranch *branch = &g->s->branches.at[number];
    return branch->block == g->top.block && branch->at > item;
}

// Of two places of which one is come to only if the other is, one goes.
static bool remove_followers(const GuardSearch *g, const ImpGroup *group, GuardSpot *spots) {
    uint32_t count = group->spots.count;
    bool removed = false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count && !spots[i].gone; k++) {
            if (k == i || spots[k].gone) continue;
            bool before = spots[k].movable || comes_before(g, group->spots.at[k], spots[i].at);
            spots[i].gone = before && follows(g, &spots[k], &spots[i]);
            removed |= spots[i].gone;
        }
    return removed;
}

ImpWays imp_guard(const ImpSchedule *s, Arena *arena, ImpGroup *group) {
    GuardSearch g = {.s = s, .arena = arena, .top = group->top};
    ImpWays ways = {0};
    ImpSpots rest = {0};
    uint32_t count = group->spots.count;
    if (count < 2 || count > MOST_SPOTS) return ways;
    GuardSpot *spots = ARENA_ARRAY(arena, GuardSpot, count);
    for (uint32_t i = 0; i < count; i++) {
        find_path(&g, &spots[i], group->spots.at[i].block);
        find_facts(&g, &spots[i]);
    }
    group->across |= remove_followers(&g, group, spots);
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (spots[i].gone) continue;
        if (!spots[i].movable) {
            vec_push(arena, &rest, group->spots.at[i]);
            continue;
        }
        vec_push(arena, &ways, spots[i].path);
        last = i;
    }
    if (ways.count == 1 && comes_before(&g, group->spots.at[last], group->top.at - 1)) {
        vec_push(arena, &rest, group->spots.at[last]);
        vec_clear(&ways);
        group->across = true;
    }
    group->spots = rest;
    return ways;
}
