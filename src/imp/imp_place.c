// Chooses the places where a value is computed, given the places where it is used; imp_schedule.h
// has the rule.
//
// The search goes through blocks from the innermost ones outwards. For each block the search knows
// whether the value is surely needed when the block runs, and otherwise the places inside of the
// block where it is. The walk ends where the ways from all uses have met.
#include "imp/imp_schedule.h"

#include <stdlib.h>

typedef struct {
    ImpSpot spot;
    uint32_t next; // in a list, or NO_ID
} KeptSpot;

typedef struct {
    uint32_t block, depth;
    int64_t at;
    bool certain, done; // with `early`: whatever is the case
    bool sure;
    uint32_t first, last; // places inside, of which some may come to be needed
} PlaceNode;

typedef struct {
    const ImpSchedule *s;
    Arena *arena;
    uint32_t level;
    bool early;
    VEC(PlaceNode) nodes;
    VEC(KeptSpot) kept;
    Map of_block;
    uint32_t active;
    ImpGroups *groups;
} PlaceWalk;

static const ImpBlock *block_at(const PlaceWalk *w, uint32_t block) {
    return &w->s->blocks.at[block];
}

static PlaceNode *node_of(PlaceWalk *w, uint32_t block, int64_t at) {
    uint32_t index = map_get(&w->of_block, block);
    if (index == HASH_NONE) {
        index = w->nodes.count;
        map_set(w->arena, &w->of_block, block, index);
        vec_push(w->arena, &w->nodes,
                 (PlaceNode){.block = block,
                             .depth = block_at(w, block)->depth,
                             .at = at,
                             .first = NO_ID,
                             .last = NO_ID});
        w->active++;
    }
    PlaceNode *node = &w->nodes.at[index];
    if (at > node->at) node->at = at;
    return node;
}

static void keep(PlaceWalk *w, PlaceNode *node, ImpSpot spot) {
    uint32_t index = w->kept.count;
    vec_push(w->arena, &w->kept, (KeptSpot){.spot = spot, .next = node->first});
    node->first = index;
    if (node->last == NO_ID) node->last = index;
}

// Whether the value is needed on the other way, too.
static bool on_both_ways(const PlaceWalk *w, const ImpBlock *block) {
    uint32_t other = block->sibling == NO_ID ? HASH_NONE : map_get(&w->of_block, block->sibling);
    return other != HASH_NONE && w->nodes.at[other].certain;
}

static bool other_is_sure(const PlaceWalk *w, const ImpBlock *block) {
    return w->nodes.at[map_get(&w->of_block, block->sibling)].sure;
}

static void go_up(PlaceWalk *w, uint32_t index) {
    PlaceNode node = w->nodes.at[index];
    const ImpBlock *block = block_at(w, node.block);
    PlaceNode *up = node_of(w, block->parent, block->at);
    w->nodes.at[index].done = true;
    w->active--;
    bool ways = on_both_ways(w, block);
    up->sure |= node.sure && (block->entered || (ways && other_is_sure(w, block)));
    if (node.certain && (w->early || block->entered || ways)) {
        up->certain = true;
    } else if (node.certain) {
        keep(w, up, (ImpSpot){.block = node.block, .at = node.at, .sure = true, .inside = true});
    } else if (node.first != NO_ID) {
        w->kept.at[node.last].next = up->first;
        if (up->last == NO_ID) up->last = node.last;
        up->first = node.first;
    }
}

static ImpSpot out_of(const PlaceWalk *w, ImpSpot spot) {
    const ImpBlock *block = block_at(w, spot.block);
    bool sure = spot.sure && block->entered;
    return (ImpSpot){.block = block->parent, .at = block->at, .sure = sure, .inside = sure};
}

// Two ways that are taken under the same conditions: what is computed on the earlier one is there
// on the other.
static bool earlier_way(const PlaceWalk *w, ImpSpot *kept, ImpSpot spot) {
    const ImpBlock *a = block_at(w, kept->block), *b = block_at(w, spot.block);
    if (a->branch == NO_ID || b->branch == NO_ID || a->way != b->way) return false;
    const ImpBranch *first = &w->s->branches.at[a->branch], *second = &w->s->branches.at[b->branch];
    if (first->key != second->key || first->block != second->block) return false;
    if (second->at > first->at) *kept = spot;
    return true;
}

static void add_kept(PlaceWalk *w, ImpGroup *group, Map *ways, ImpSpot spot) {
    const ImpBlock *block = block_at(w, spot.block);
    if (block->branch != NO_ID) {
        const ImpBranch *branch = &w->s->branches.at[block->branch];
        uint64_t sign = hash_add(hash_add(branch->block, branch->key), block->way);
        uint32_t there = map_get(ways, sign);
        if (there != HASH_NONE && earlier_way(w, &group->spots.at[there], spot)) {
            group->across = true;
            return;
        }
        map_set(w->arena, ways, sign, group->spots.count);
    }
    vec_push(w->arena, &group->spots, spot);
}

// Out of the loops that do not change the value, as far as it is certain that they are entered.
static void finish(PlaceWalk *w, uint32_t index) {
    PlaceNode *node = &w->nodes.at[index];
    bool sure = w->early ? node->sure : true;
    ImpGroup group = {.top = {.block = node->block, .at = node->at, .sure = sure, .inside = sure}};
    Map ways = {0};
    node->done = true;
    w->active--;
    while (block_at(w, group.top.block)->level != w->level) {
        if (node->certain && !w->early && !block_at(w, group.top.block)->entered &&
            !group.spots.count)
            vec_push(w->arena, &group.spots, group.top);
        group.top = out_of(w, group.top);
    }
    if (node->certain && !group.spots.count) vec_push(w->arena, &group.spots, group.top);
    for (uint32_t at = node->certain ? NO_ID : node->first; at != NO_ID; at = w->kept.at[at].next)
        add_kept(w, &group, &ways, w->kept.at[at].spot);
    vec_push(w->arena, w->groups, group);
}

static int deeper(const void *a, const void *b) {
    uint32_t x = ((const PlaceNode *)a)->depth, y = ((const PlaceNode *)b)->depth;
    return x < y ? 1 : x > y ? -1 : 0;
}

ImpGroups imp_place(const ImpSchedule *s, Arena *arena, const ImpSpots *uses, uint32_t level,
                    bool early) {
    ImpGroups groups = {0};
    PlaceWalk w = {.s = s, .arena = arena, .level = level, .early = early, .groups = &groups};
    for (uint32_t i = 0; i < uses->count; i++) {
        PlaceNode *node = node_of(&w, uses->at[i].block, uses->at[i].at);
        node->certain = true;
        node->sure |= uses->at[i].sure;
    }
    uint32_t starts = w.nodes.count, next = 0, lifted = starts;
    qsort(w.nodes.at, starts, sizeof *w.nodes.at, deeper);
    for (uint32_t i = 0; i < starts; i++) map_set(arena, &w.of_block, w.nodes.at[i].block, i);
    while (w.active) {
        uint32_t index = lifted;
        if (next < starts &&
            (lifted == w.nodes.count || w.nodes.at[next].depth >= w.nodes.at[lifted].depth))
            index = next;
        *(index == lifted ? &lifted : &next) += 1;
        const ImpBlock *block = block_at(&w, w.nodes.at[index].block);
        bool outermost = block->parent == NO_ID || (block->is_test && block->level == level);
        if (outermost || w.active == 1)
            finish(&w, index);
        else
            go_up(&w, index);
    }
    return groups;
}
