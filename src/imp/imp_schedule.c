#include "imp/imp_schedule.h"

#include <string.h>

typedef struct {
    uint32_t ready,
        remaining;        // values with these conditions: that could be placed, that are not placed
    VEC(uint32_t) values; // those that could be
    uint32_t example;     // a value with these conditions
} Conditions;

// Conditions are placed when nothing else is left, so that more can be made to depend on them.
typedef struct {
    uint32_t id;
    ImpSpot spot;
} HeldUse;

typedef VEC(HeldUse) HeldUses;

typedef struct {
    ImpSchedule *s;
    Arena *arena;
    VEC(uint32_t) ready; // values
    VEC(uint32_t) full;  // conditions all of whose values are ready
    VEC(uint32_t) some;  // conditions some of whose values are
    VEC(Conditions) conditions;
    Table keys;
    Map open; // of a block and conditions: the last conditional there
    VEC(HeldUses)
    held[2]; // uses of conditions, by the depth of their blocks; those that may go wrong first
    uint64_t most; // blocks
    uint32_t room; // values
} Scheduler;

static const ImpValue *at(const Scheduler *x, uint32_t id) {
    return imp_value_at(x->s->values, id);
}
static uint32_t arg(const Scheduler *x, uint32_t id, uint32_t i) {
    return imp_value_arg(x->s->values, id, i);
}

static void *grow(const Scheduler *x, const void *array, size_t size) {
    char *copy = ARENA_ARRAY(x->arena, char, 2 * (size_t)x->room * size);
    memcpy(copy, array, x->room * size);
    return copy;
}

// ---- What is needed at all

static uint32_t key_of(Scheduler *x, uint32_t id) {
    uint64_t hash = 0;
    uint32_t key, pairs = at(x, id)->arg_count / 2;
    for (uint32_t i = 0; i + 1 < pairs; i++) hash = hash_add(hash, arg(x, id, 2 * i));
    for (uint32_t walk = table_first(&x->keys, hash);
         (key = table_id(&x->keys, hash, &walk)) != HASH_NONE;) {
        uint32_t other = x->conditions.at[key].example;
        bool same = at(x, other)->arg_count / 2 == pairs;
        for (uint32_t i = 0; same && i + 1 < pairs; i++)
            same = arg(x, other, 2 * i) == arg(x, id, 2 * i);
        if (same) return key;
    }
    key = x->conditions.count;
    vec_push(x->arena, &x->conditions, (Conditions){.example = id});
    table_insert(x->arena, &x->keys, hash, key);
    return key;
}

// A use of a value; those that were not needed before are put on the list.
static void need(Scheduler *x, uint32_t id) {
    ImpUse *use = &x->s->uses[id];
    use->pending++;
    if (use->uses++ == 0) vec_push(x->arena, &x->ready, id);
}

static void need_loop(Scheduler *x, uint32_t id) {
    const ImpValue *value = at(x, id);
    ImpLoopRun *run = &x->s->runs[value->loop];
    if (value->kind == FT_LOOP) {
        vec_push(x->s->arena, &run->changing, id);
        need(x, arg(x, id, 0));
        need(x, arg(x, id, 1));
        return;
    }
    uint32_t condition = arg(x, id, 0);
    if (run->wanted && run->condition != condition) {
        imp_maker_refuse(
            x->s->values->maker,
            arena_printf(x->s->arena, "loop %s ends by two conditions",
                         fssa_loop_label(x->s->values->func, (FssaLoop){value->loop})));
        return;
    }
    if (!run->wanted) need(x, condition);
    run->wanted = true;
    run->condition = condition;
    run->pending++;
    vec_push(x->s->arena, &run->closes, id);
    uint32_t closed = arg(x, id, 1);
    need(x, closed);
    x->s->uses[closed].whole = true;
}

static void need_operands(Scheduler *x, uint32_t id) {
    const ImpValue *value = at(x, id);
    if (value->kind == FT_LOOP || value->kind == FT_CLOSE) {
        need_loop(x, id);
        return;
    }
    if (value->kind == FT_GAMMA) {
        x->s->key[id] = key_of(x, id);
        x->conditions.at[x->s->key[id]].remaining++;
    }
    for (uint32_t i = 0; i < value->arg_count; i++) {
        if (value->kind == FT_GAMMA && i % 2 == 0 && !imp_value_tests(value, i / 2)) continue;
        need(x, arg(x, id, i));
        if (value->kind == FT_EFFECT) x->s->uses[arg(x, id, i)].whole = true;
    }
}

// ---- Blocks

static uint32_t add_block(ImpSchedule *s, uint32_t parent, int64_t position, uint32_t level) {
    uint32_t depth = parent == NO_ID ? 0 : s->blocks.at[parent].depth + 1;
    ImpBlock block = {.parent = parent,
                      .at = position,
                      .depth = depth,
                      .level = level,
                      .branch = NO_ID,
                      .sibling = NO_ID};
    vec_push(s->arena, &s->blocks, block);
    return s->blocks.count - 1;
}

static void set_siblings(ImpSchedule *s, uint32_t a, uint32_t b) {
    s->blocks.at[a].sibling = b;
    s->blocks.at[b].sibling = a;
}

static int64_t append_item(ImpSchedule *s, uint32_t block, ItemKind kind, uint32_t id) {
    vec_push(s->arena, &s->blocks.at[block].items, (ImpItem){.kind = kind, .id = id});
    return (int64_t)s->blocks.at[block].items.count - 1;
}

// A use is placed. What waits for no other is ready.
static void place_at(Scheduler *x, uint32_t id, ImpSpot spot) {
    ImpUse *use = &x->s->uses[id];
    vec_push(x->arena, &use->spots, spot);
    if (--use->pending) return;
    if (at(x, id)->kind != FT_GAMMA) {
        vec_push(x->arena, &x->ready, id);
        return;
    }
    Conditions *conditions = &x->conditions.at[x->s->key[id]];
    vec_push(x->arena, &conditions->values, id);
    if (!conditions->ready++) vec_push(x->arena, &x->some, x->s->key[id]);
    if (conditions->ready == conditions->remaining) vec_push(x->arena, &x->full, x->s->key[id]);
}

static void place_use(Scheduler *x, uint32_t id, uint32_t block, int64_t position) {
    place_at(x, id, (ImpSpot){.block = block, .at = position, .sure = true, .inside = true});
}

// What is needed at so many places is so often an operand.
static void expect_copies(Scheduler *x, uint32_t id, uint32_t places) {
    x->s->uses[id].pending += places - 1;
}

// ---- Placing

static uint32_t add_branch(Scheduler *x, uint32_t id, uint32_t block) {
    ImpSchedule *s = x->s;
    uint32_t pairs = at(x, id)->arg_count / 2, number = s->branches.count;
    ImpBranch branch = {
        .key = s->key[id], .example = id, .block = block, .first = s->ways.count, .ways = pairs};
    branch.at = append_item(s, block, ITEM_IF, number);
    uint32_t around = block, level = s->blocks.at[block].level, before = NO_ID;
    int64_t position = branch.at;
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t way = add_block(s, around, position, level);
        s->blocks.at[way].branch = number;
        s->blocks.at[way].way = i;
        vec_push(s->arena, &s->ways, way);
        if (before != NO_ID && i + 1 == pairs) set_siblings(s, before, way);
        before = way;
        if (i + 2 >= pairs) continue; // the last two are ways of one test
        around = add_block(s, around, position, level);
        set_siblings(s, way, around);
        position = -1;
    }
    vec_push(s->arena, &s->branches, branch);
    return number;
}

// In front of the way of a conditional.
static void hold_use(Scheduler *x, uint32_t id, uint32_t way, bool sure) {
    ImpSpot spot = {.block = x->s->blocks.at[way].parent,
                    .at = x->s->blocks.at[way].at,
                    .sure = sure,
                    .inside = sure};
    uint32_t depth = x->s->blocks.at[spot.block].depth;
    uint32_t light = !at(x, id)->heavy;
    while (x->held[light].count <= depth) vec_push(x->arena, &x->held[light], (HeldUses){0});
    vec_push(x->arena, &x->held[light].at[depth], (HeldUse){.id = id, .spot = spot});
}

// ---- Guards

static uint32_t add_value(Scheduler *x, FssaTermKind kind, const uint32_t *args, uint32_t count) {
    ImpSchedule *s = x->s;
    uint32_t id = imp_value_make(s->values, kind, args, count);
    if (id >= x->room) {
        s->uses = grow(x, s->uses, sizeof *s->uses);
        s->key = grow(x, s->key, sizeof *s->key);
        x->room *= 2;
    }
    for (uint32_t i = 0; i < count; i++) {
        s->uses[args[i]].pending++;
        s->uses[args[i]].uses++;
    }
    return id;
}

// All of them hold.
static uint32_t conjunction(Scheduler *x, const ImpLiterals *way) {
    uint32_t *args = ARENA_ARRAY(x->arena, uint32_t, way->count);
    for (uint32_t i = 0; i < way->count; i++) {
        ImpLiteral literal = way->at[way->count - 1 - i];
        args[i] = literal.holds ? literal.id : add_value(x, FT_NOT, &literal.id, 1);
    }
    return way->count == 1 ? args[0] : add_value(x, FT_AND, args, way->count);
}

// A conditional in front of all places; the block of its first way.
static uint32_t add_guard(Scheduler *x, ImpSpot top, const ImpWays *ways) {
    ImpSchedule *s = x->s;
    uint32_t *args = ARENA_ARRAY(x->arena, uint32_t, ways->count);
    for (uint32_t i = 0; i < ways->count; i++) args[i] = conjunction(x, &ways->at[i]);
    uint32_t one = imp_value_truth(s->values, 1);
    uint32_t any = ways->count == 1 ? args[0] : add_value(x, FT_OR, args, ways->count);
    uint32_t pairs[] = {any, one, one, one};
    uint32_t choice = add_value(x, FT_GAMMA, pairs, 4);
    s->key[choice] = key_of(x, choice);
    uint32_t number = add_branch(x, choice, top.block);
    map_set(x->arena, &x->open, (uint64_t)top.block << 32 | s->key[choice], number);
    uint32_t way = s->ways.at[s->branches.at[number].first];
    hold_use(x, any, way, true);
    return way;
}

static bool guard_group(Scheduler *x, ImpGroup *group) {
    ImpWays ways = imp_guard(x->s, x->arena, group);
    if (!ways.count) return group->across;
    ImpSpot spot = {
        .block = add_guard(x, group->top, &ways), .at = -1, .sure = true, .inside = true};
    vec_push(x->arena, &group->spots, spot);
    return true;
}

// Whether something in front of a loop's test is used behind the loop: Imp's rules do not see that
// it was written.
static bool outlives(const ImpSchedule *s, const ImpSpots *uses, ImpSpot place) {
    if (!s->blocks.at[place.block].is_test) return false;
    for (uint32_t i = 0; i < uses->count; i++) {
        uint32_t block = uses->at[i].block;
        uint32_t depth = s->blocks.at[place.block].depth + 1;
        while (s->blocks.at[block].depth > depth) block = s->blocks.at[block].parent;
        if (s->blocks.at[block].is_after && s->blocks.at[block].parent == place.block) return true;
    }
    return false;
}

// All places of a value.
static ImpSpots find_spots(Scheduler *x, uint32_t id) {
    ImpGroups groups = imp_place(x->s, x->arena, &x->s->uses[id].spots, at(x, id)->level,
                                 !at(x, id)->heavy || x->s->reading);
    if (groups.count == 1) {
        bool across = guard_group(x, &groups.at[0]);
        x->s->uses[id].across |= across || outlives(x->s, &x->s->uses[id].spots, groups.at[0].top);
        return groups.at[0].spots;
    }
    ImpSpots all = {0};
    for (uint32_t i = 0; i < groups.count; i++) {
        bool across = guard_group(x, &groups.at[i]);
        x->s->uses[id].across |= across || outlives(x->s, &x->s->uses[id].spots, groups.at[i].top);
        for (uint32_t k = 0; k < groups.at[i].spots.count; k++)
            vec_push(x->arena, &all, groups.at[i].spots.at[k]);
    }
    return all;
}

// A block that is run once, even if it is met several times.
static uint32_t add_once(Scheduler *x, ImpSpot spot, uint32_t flag) {
    ImpSchedule *s = x->s;
    int64_t position = append_item(s, spot.block, ITEM_ONCE, s->onces.count);
    ImpOnce once = {.flag = flag,
                    .block = add_block(s, spot.block, position, s->blocks.at[spot.block].level)};
    vec_push(s->arena, &s->onces, once);
    return once.block;
}

static void place_instance(Scheduler *x, uint32_t loop, uint32_t block) {
    ImpSchedule *s = x->s;
    const ImpLoopRun *run = &s->runs[loop];
    int64_t position = append_item(s, block, ITEM_LOOP, s->instances.count);
    ImpInstance made = {.loop = loop};
    made.test = add_block(s, block, position, loop);
    s->blocks.at[made.test].is_test = s->blocks.at[made.test].entered = true;
    made.body = add_block(s, made.test, -1, loop);
    made.after = add_block(s, made.test, -1, loop);
    s->blocks.at[made.after].is_after = true;
    vec_push(s->arena, &s->instances, made);
    for (uint32_t i = 0; i < run->closes.count; i++) {
        uint32_t closed = arg(x, run->closes.at[i], 1);
        // A state that the loop does not change is that in front of it.
        bool before = at(x, closed)->is_state && at(x, closed)->level != loop;
        s->uses[closed].across |= at(x, closed)->kind != FT_LOOP;
        place_use(x, closed, before ? block : made.after, before ? position : -1);
    }
    for (uint32_t i = 0; i < run->changing.count; i++) {
        place_use(x, arg(x, run->changing.at[i], 1), made.body, -1);
        place_use(x, arg(x, run->changing.at[i], 0), block, position);
    }
    place_use(x, run->condition, made.test, -1);
}

static void expect_instances(Scheduler *x, const ImpLoopRun *run) {
    for (uint32_t i = 0; i < run->closes.count; i++)
        expect_copies(x, arg(x, run->closes.at[i], 1), run->instances);
    for (uint32_t i = 0; i < run->changing.count; i++) {
        uint32_t next = arg(x, run->changing.at[i], 1);
        x->s->uses[next].next = x->s->uses[next].uses == 1;
        expect_copies(x, next, run->instances);
        expect_copies(x, arg(x, run->changing.at[i], 0), run->instances);
    }
    expect_copies(x, run->condition, run->instances);
}

static void place_loop(Scheduler *x, uint32_t loop) {
    ImpSchedule *s = x->s;
    ImpLoopRun *run = &s->runs[loop];
    uint32_t level = s->values->func->fssa->loops.at[loop].parent.i;
    ImpSpots uses = {0};
    for (uint32_t i = 0; i < run->closes.count; i++) {
        const ImpSpots *spots = &s->uses[run->closes.at[i]].spots;
        for (uint32_t k = 0; k < spots->count; k++) vec_push(x->arena, &uses, spots->at[k]);
    }
    ImpGroups groups = imp_place(s, x->arena, &uses, level, s->reading);
    for (uint32_t i = 0; i < groups.count; i++)
        groups.at[i].across = guard_group(x, &groups.at[i]) || outlives(s, &uses, groups.at[i].top);
    for (uint32_t i = 0; i < groups.count; i++) run->instances += groups.at[i].spots.count;
    expect_instances(x, run);
    for (uint32_t i = 0; i < groups.count; i++) {
        const ImpSpots *spots = &groups.at[i].spots;
        s->loose += !spots->at[0].sure;
        bool once = spots->count > 1 || s->blocks.at[spots->at[0].block].level != level;
        for (uint32_t k = 0; (once || groups.at[i].across) && k < run->closes.count; k++)
            s->uses[run->closes.at[k]].across = true;
        for (uint32_t k = 0; k < spots->count; k++)
            place_instance(x, loop,
                           once ? add_once(x, spots->at[k], s->flags) : spots->at[k].block);
        if (once) append_item(s, groups.at[i].top.block, ITEM_FLAG, s->flags++);
    }
}

// Into the conditional with the same conditions, if one stands there in front of all uses; or into
// a new one.
static void place_gamma_at(Scheduler *x, uint32_t id, ImpSpot place) {
    ImpSchedule *s = x->s;
    uint64_t spot = (uint64_t)place.block << 32 | s->key[id];
    uint32_t number = map_get(&x->open, spot);
    if (number == HASH_NONE || s->branches.at[number].at <= place.at) {
        number = add_branch(x, id, place.block);
        map_set(x->arena, &x->open, spot, number);
    }
    vec_push(s->arena, &s->branches.at[number].values, id);
    ImpBranch branch = s->branches.at[number];
    for (uint32_t i = 0; i < branch.ways; i++) {
        uint32_t way = s->ways.at[branch.first + i];
        if (imp_value_tests(at(x, id), i)) hold_use(x, arg(x, id, 2 * i), way, place.sure);
        place_at(x, arg(x, id, 2 * i + 1),
                 (ImpSpot){.block = way, .at = -1, .sure = place.sure, .inside = place.sure});
    }
}

static void place_gamma(Scheduler *x, uint32_t id) {
    ImpSpots spots = find_spots(x, id);
    uint32_t pairs = at(x, id)->arg_count / 2;
    for (uint32_t i = 0; i < pairs; i++) {
        if (imp_value_tests(at(x, id), i)) expect_copies(x, arg(x, id, 2 * i), spots.count);
        expect_copies(x, arg(x, id, 2 * i + 1), spots.count);
    }
    for (uint32_t i = 0; i < spots.count; i++) place_gamma_at(x, id, spots.at[i]);
}

static bool may_inline(const ImpValue *value, const ImpUse *use) {
    if (value->kind == FT_WRITE) return use->next && !use->whole;
    return imp_is_expression(value) && use->uses == 1 && !use->whole;
}

// Whether places are those of the uses, each of its own.
static bool same_spots(Scheduler *x, const ImpSpots *a, const ImpSpots *b) {
    Map blocks = {0};
    if (a->count != b->count) return false;
    if (a->count == 1) return a->at[0].block == b->at[0].block;
    for (uint32_t i = 0; i < a->count; i++) map_set(x->arena, &blocks, a->at[i].block, 1);
    for (uint32_t i = 0; i < b->count; i++)
        if (map_get(&blocks, b->at[i].block) == HASH_NONE) return false;
    return true;
}

// An array that is used for nothing but to be changed gives its variable away.
static void update_in_place(Scheduler *x, uint32_t id, const ImpSpots *spots) {
    uint32_t from = arg(x, id, 0);
    const ImpValue *array = at(x, from);
    ImpUse *use = &x->s->uses[id];
    use->updates = x->s->uses[from].uses == 1 && array->level == at(x, id)->level &&
                   (array->kind == FT_WRITE || array->kind == FT_GAMMA);
    for (uint32_t i = 0; i < spots->count; i++)
        use->updates &= x->s->blocks.at[spots->at[i].block].level == array->level;
}

static bool divides_by_constant(const Scheduler *x, uint32_t id) {
    const ImpValue *by = at(x, arg(x, id, 1));
    return by->kind == FT_CONST && by->imm != 0 && by->imm != -1;
}

static void place_close(Scheduler *x, uint32_t id) {
    uint32_t loop = at(x, id)->loop;
    if (!--x->s->runs[loop].pending) place_loop(x, loop);
}

static void place_value(Scheduler *x, uint32_t id) {
    ImpSchedule *s = x->s;
    const ImpValue *value = at(x, id);
    ImpUse *use = &s->uses[id];
    if (value->kind == FT_CONST || value->kind == FT_UNDEF || value->kind == FT_LOOP) return;
    if (value->kind == FT_CLOSE) {
        place_close(x, id);
        return;
    }
    bool lazy = value->heavy && use->lazy, whole = value->kind == FT_NAME;
    ImpSpots spots = lazy || whole ? use->spots : find_spots(x, id);
    value = at(x, id);
    use = &s->uses[id];
    use->inlined = lazy || (may_inline(value, use) && same_spots(x, &use->spots, &spots));
    if (use->inlined) spots = use->spots;
    for (uint32_t k = 0; k < spots.count; k++) {
        use->guarded |= !spots.at[k].inside;
        s->loose += value->kind == FT_EFFECT && !spots.at[k].sure;
    }
    use->guarded &= imp_value_divides(value) && !divides_by_constant(x, id);
    for (uint32_t i = 0; i < value->arg_count; i++) {
        bool behind = i && (value->kind == FT_AND || value->kind == FT_OR);
        s->uses[arg(x, id, i)].lazy |= lazy || behind;
        s->uses[arg(x, id, i)].whole |= use->guarded;
        expect_copies(x, arg(x, id, i), spots.count);
    }
    if (value->kind == FT_WRITE && !use->inlined) update_in_place(x, id, &spots);
    for (uint32_t k = 0; k < spots.count; k++) {
        ImpSpot spot = spots.at[k];
        if (!use->inlined && !whole) spot.at = append_item(s, spot.block, ITEM_VALUE, id);
        for (uint32_t i = 0; i < value->arg_count; i++) {
            if (i && (value->kind == FT_AND || value->kind == FT_OR)) spot.sure = false;
            place_at(x, arg(x, id, i), spot);
        }
    }
}

// Conditional values wait until nothing else can be placed, so that many of them share one
// conditional; those of which all with the same conditions are ready come first, then conditions,
// then the others.
static bool place_conditional(Scheduler *x, bool all) {
    while (all ? x->full.count : x->some.count) {
        uint32_t key = all ? vec_pop(&x->full) : vec_pop(&x->some);
        Conditions *conditions = &x->conditions.at[key];
        if (!conditions->ready || (all && conditions->ready < conditions->remaining)) continue;
        uint32_t count = conditions->values.count;
        uint32_t *list = arena_copy(x->arena, conditions->values.at, count * sizeof *list);
        conditions->remaining -= count;
        conditions->ready = 0;
        vec_clear(&conditions->values);
        for (uint32_t i = 0; i < count; i++) place_gamma(x, list[i]);
        return true;
    }
    return false;
}

// The innermost conditions that wait are placed, if there are any.
static bool place_held(Scheduler *x, bool light) {
    while (x->held[light].count && !x->held[light].at[x->held[light].count - 1].count)
        x->held[light].count--;
    if (!x->held[light].count) return false;
    HeldUses uses = vec_pop(&x->held[light]);
    for (uint32_t i = 0; i < uses.count; i++) place_at(x, uses.at[i].id, uses.at[i].spot);
    return true;
}

// Copies of copies may be very many.
static bool is_too_large(Scheduler *x) {
    if (x->s->blocks.count > x->most)
        imp_maker_refuse(x->s->values->maker,
                         "too much of it would have to be written many times: what may go wrong or "
                         "have no end is needed under too many conditions");
    return x->s->values->maker->refused;
}

// Conditions that are known in front of all else come last, as what must not be computed in vain
// may be put under them.
static bool place_next(Scheduler *x) {
    return place_conditional(x, true) || place_held(x, false) || place_conditional(x, false) ||
           place_held(x, true);
}

bool imp_schedule(ImpSchedule *s, Arena *arena, ImpValues *values, const uint32_t *roots,
                  uint32_t count) {
    *s = (ImpSchedule){.values = values, .arena = arena};
    for (uint32_t i = 0; i < values->values.count; i++)
        s->reading |= imp_value_at(values, i)->kind == FT_EFFECT;
    Scheduler x = {.s = s, .arena = arena};
    x.most = 100000 + 20 * (uint64_t)values->values.count;
    x.room = values->values.count + 1;
    s->uses = ARENA_ARRAY(arena, ImpUse, x.room);
    s->key = ARENA_ARRAY(arena, uint32_t, x.room);
    s->runs = ARENA_ARRAY(arena, ImpLoopRun, values->func->fssa->loops.count);
    for (uint32_t i = 0; i < count; i++) need(&x, roots[i]);
    while (x.ready.count) need_operands(&x, vec_pop(&x.ready));
    if (values->maker->refused) return false;
    add_block(s, NO_ID, -1, NO_ID);
    for (uint32_t i = 0; i < count; i++) place_use(&x, roots[i], 0, -1);
    do {
        while (x.ready.count && !is_too_large(&x)) place_value(&x, vec_pop(&x.ready));
    } while (!values->maker->refused && place_next(&x));
    return !values->maker->refused;
}
