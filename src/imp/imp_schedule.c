#include "imp/imp_schedule.h"

typedef struct {
    uint32_t ready,
        remaining;        // values with these conditions: that could be placed, that are not placed
    VEC(uint32_t) values; // those that could be
    uint32_t example;     // a value with these conditions
} Conditions;

// Conditions are placed when nothing else is left, so that more can be made to depend on them.
typedef struct {
    uint32_t id, block;
    int64_t at;
} HeldUse;

typedef VEC(HeldUse) HeldUses;
typedef VEC(uint32_t) UseBlocks;

typedef struct {
    ImpSchedule *s;
    Arena *arena;
    VEC(uint32_t) ready; // values
    VEC(uint32_t) full;  // conditions all of whose values are ready
    VEC(uint32_t) some;  // conditions some of whose values are
    VEC(Conditions) conditions;
    Table keys;
    Map open;           // of a block and conditions: the last conditional there
    VEC(HeldUses) held; // uses of conditions, by the depth of their blocks
    UseBlocks *blocks;  // where values are used that may go wrong or not come to an end
} Scheduler;

static const ImpValue *at(const Scheduler *x, uint32_t id) {
    return imp_value_at(x->s->values, id);
}
static uint32_t arg(const Scheduler *x, uint32_t id, uint32_t i) {
    return imp_value_arg(x->s->values, id, i);
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
    ImpBlock block = {
        .parent = parent, .at = position, .depth = depth, .level = level, .branch = NO_ID};
    vec_push(s->arena, &s->blocks, block);
    return s->blocks.count - 1;
}

static int64_t append_item(ImpSchedule *s, uint32_t block, ItemKind kind, uint32_t id) {
    vec_push(s->arena, &s->blocks.at[block].items, (ImpItem){.kind = kind, .id = id});
    return (int64_t)s->blocks.at[block].items.count - 1;
}

// Two ways that are taken under the same conditions: what is computed on the earlier one is there on the other.
static bool earlier_way(const ImpSchedule *s, uint32_t *block, int64_t *position, uint32_t other,
                        int64_t other_position) {
    const ImpBlock *a = &s->blocks.at[*block], *b = &s->blocks.at[other];
    if (a->branch == NO_ID || b->branch == NO_ID || a->branch == b->branch || a->way != b->way)
        return false;
    const ImpBranch *first = &s->branches.at[a->branch], *second = &s->branches.at[b->branch];
    if (first->key != second->key || first->block != second->block) return false;
    if (second->at > first->at) {
        *block = other;
        *position = other_position;
    }
    return true;
}

// The innermost block around two places, and the first place in it.
static void merge(const ImpSchedule *s, ImpUse *use, uint32_t block, int64_t position) {
    if (use->block == NO_ID) { // as certain as what it is used by
        use->block = block;
        use->at = position;
        return;
    }
    uint32_t other = use->block;
    int64_t other_position = use->at;
    bool up = false, other_up = false;
    while (block != other) {
        if (earlier_way(s, &block, &position, other, other_position)) {
            use->block = block;
            use->at = position;
            use->across = true;
            use->guess |= up && other_up;
            return;
        }
        if (s->blocks.at[block].depth >= s->blocks.at[other].depth) {
            position = s->blocks.at[block].at;
            block = s->blocks.at[block].parent;
            up = true;
        } else {
            other_position = s->blocks.at[other].at;
            other = s->blocks.at[other].parent;
            other_up = true;
        }
    }
    use->guess = up && (other_up || use->guess);
    use->block = block;
    use->at = position > other_position ? position : other_position;
}

// A use is placed. What waits for no other is ready.
static void place_use(Scheduler *x, uint32_t id, uint32_t block, int64_t position) {
    ImpUse *use = &x->s->uses[id];
    if (at(x, id)->heavy) vec_push(x->arena, &x->blocks[id], block);
    merge(x->s, use, block, position);
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

// Out of loops that do not change the value. Neither a way of a conditional nor the body of a loop need be entered.
static void climb(const ImpSchedule *s, ImpUse *use, uint32_t level) {
    while (s->blocks.at[use->block].level != level) {
        const ImpBlock *block = &s->blocks.at[use->block];
        bool body = block->level != NO_ID && s->runs[block->level].body == use->block;
        use->guess |= body || block->branch != NO_ID;
        use->at = s->blocks.at[use->block].at;
        use->block = s->blocks.at[use->block].parent;
    }
}

// The same, unless that could make it be computed without being needed, and go wrong.
static void leave_loops(const ImpSchedule *s, ImpUse *use, const ImpValue *value) {
    ImpUse place = *use;
    climb(s, &place, value->level);
    if (value->fragile && place.guess != use->guess) return;
    *use = place;
}

// ---- Placing

static uint32_t add_branch(Scheduler *x, uint32_t id, uint32_t block) {
    ImpSchedule *s = x->s;
    uint32_t pairs = at(x, id)->arg_count / 2, number = s->branches.count;
    ImpBranch branch = {
        .key = s->key[id], .example = id, .block = block, .first = s->ways.count, .ways = pairs};
    branch.at = append_item(s, block, ITEM_IF, number);
    uint32_t around = block, level = s->blocks.at[block].level;
    int64_t position = branch.at;
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t way = add_block(s, around, position, level);
        s->blocks.at[way].branch = number;
        s->blocks.at[way].way = i;
        vec_push(s->arena, &s->ways, way);
        if (i + 2 >= pairs) continue; // the last two are ways of one test
        around = add_block(s, around, position, level);
        position = -1;
    }
    vec_push(s->arena, &s->branches, branch);
    return number;
}

static void hold_use(Scheduler *x, uint32_t id, uint32_t block, int64_t position) {
    uint32_t depth = x->s->blocks.at[block].depth;
    while (x->held.count <= depth) vec_push(x->arena, &x->held, (HeldUses){0});
    vec_push(x->arena, &x->held.at[depth], (HeldUse){.id = id, .block = block, .at = position});
}

// Puts a place under the way of a conditional; false if its conditions have their places already.
static bool go_under(Scheduler *x, ImpUse *use, uint32_t key, uint32_t way) {
    ImpSchedule *s = x->s;
    uint32_t example = x->conditions.at[key].example, tests = at(x, example)->arg_count / 2 - 1;
    for (uint32_t i = 0; i < tests; i++)
        if (!s->uses[arg(x, example, 2 * i)].pending) return false;
    uint32_t number = add_branch(x, example, use->block);
    map_set(x->arena, &x->open, (uint64_t)use->block << 32 | key, number);
    for (uint32_t i = 0; i < tests; i++) {
        uint32_t condition = arg(x, example, 2 * i);
        uint32_t there = s->ways.at[s->branches.at[number].first + i];
        s->uses[condition].pending++;
        s->uses[condition].uses++;
        hold_use(x, condition, s->blocks.at[there].parent, s->blocks.at[there].at);
    }
    use->block = s->ways.at[s->branches.at[number].first + way];
    use->at = -1;
    return true;
}

// A place in front of ways of several conditionals, and nothing else: conditions that hold on all of them hold where the
// value is needed, so it is computed under these.
static void restore_conditions(Scheduler *x, ImpUse *use, const UseBlocks *blocks) {
    ImpSchedule *s = x->s;
    uint32_t top = use->block;
    Map counts = {0};
    UseBlocks path = {0};
    if (!use->guess) return;
    for (uint32_t i = 0; i < blocks->count; i++)
        for (uint32_t at = blocks->at[i]; at != top && at != NO_ID; at = s->blocks.at[at].parent) {
            const ImpBlock *block = &s->blocks.at[at];
            if (block->branch == NO_ID || block->level != s->blocks.at[top].level) continue;
            uint64_t sign = (uint64_t)s->branches.at[block->branch].key << 32 | block->way;
            uint32_t count = map_get(&counts, sign);
            count = count == HASH_NONE ? 0 : count;
            if (count == i) map_set(x->arena, &counts, sign, i + 1);
            if (i == 0) vec_push(x->arena, &path, at);
        }
    while (path.count) {
        const ImpBlock *block = &s->blocks.at[vec_pop(&path)];
        uint32_t key = s->branches.at[block->branch].key, way = block->way;
        if (map_get(&counts, (uint64_t)key << 32 | way) != blocks->count) continue;
        if (!go_under(x, use, key, way)) return;
        use->across = true;
    }
}

static void place_loop(Scheduler *x, uint32_t loop) {
    ImpSchedule *s = x->s;
    ImpLoopRun *run = &s->runs[loop];
    ImpUse place = {.block = NO_ID};
    for (uint32_t i = 0; i < run->closes.count; i++) {
        const ImpUse *use = &s->uses[run->closes.at[i]];
        merge(s, &place, use->block, use->at);
    }
    UseBlocks blocks = {0};
    for (uint32_t i = 0; i < run->closes.count; i++)
        for (uint32_t k = 0; k < x->blocks[run->closes.at[i]].count; k++)
            vec_push(x->arena, &blocks, x->blocks[run->closes.at[i]].at[k]);
    for (uint32_t i = 0; i < run->closes.count; i++)
        place.guess |= s->uses[run->closes.at[i]].guess;
    restore_conditions(x, &place, &blocks);
    s->loose += place.guess && !place.across;
    for (uint32_t i = 0; i < run->closes.count; i++) s->loose += s->uses[run->closes.at[i]].unsure;
    for (uint32_t i = 0; place.across && i < run->closes.count; i++)
        s->uses[run->closes.at[i]].across = true;
    run->block = place.block;
    run->at = append_item(s, run->block, ITEM_LOOP, loop);
    run->test = add_block(s, run->block, run->at, loop);
    run->body = add_block(s, run->test, -1, loop);
    run->after = add_block(s, run->test, -1, loop);
    for (uint32_t i = 0; i < run->closes.count; i++)
        place_use(x, arg(x, run->closes.at[i], 1), run->after, -1);
    for (uint32_t i = 0; i < run->changing.count; i++) {
        uint32_t next = arg(x, run->changing.at[i], 1);
        s->uses[next].next = s->uses[next].uses == 1;
        place_use(x, next, run->body, -1);
        place_use(x, arg(x, run->changing.at[i], 0), run->block, run->at);
    }
    place_use(x, run->condition, run->test, -1);
}

// Into the conditional with the same conditions, if one stands there in front of all uses; or into a new one.
static void place_gamma(Scheduler *x, uint32_t id) {
    ImpSchedule *s = x->s;
    ImpUse *use = &s->uses[id];
    leave_loops(s, use, at(x, id));
    if (at(x, id)->heavy) restore_conditions(x, use, &x->blocks[id]);
    uint64_t spot = (uint64_t)use->block << 32 | s->key[id];
    uint32_t number = map_get(&x->open, spot);
    if (number == HASH_NONE || s->branches.at[number].at <= use->at) {
        number = add_branch(x, id, use->block);
        map_set(x->arena, &x->open, spot, number);
    }
    vec_push(s->arena, &s->branches.at[number].values, id);
    ImpBranch branch = s->branches.at[number];
    for (uint32_t i = 0; i < branch.ways; i++) {
        uint32_t way = s->ways.at[branch.first + i];
        if (imp_value_tests(at(x, id), i))
            hold_use(x, arg(x, id, 2 * i), s->blocks.at[way].parent, s->blocks.at[way].at);
        place_use(x, arg(x, id, 2 * i + 1), way, -1);
    }
}

static bool may_inline(const ImpValue *value, const ImpUse *use) {
    switch ((FssaTermKind)value->kind) {
    case FT_OP:
    case FT_READ:
    case FT_NOT:
    case FT_AND:
    case FT_OR:
    case FT_CASE: return use->uses == 1 && !use->whole;
    case FT_WRITE: return use->next && !use->whole;
    default: return false;
    }
}

// What may go wrong and may not be asked for, merged conditions among it, is computed wherever it is used, and so is
// what it needs.
static bool is_risky(const ImpValue *value, const ImpUse *use) {
    bool is_operator = value->kind != FT_WRITE && value->kind != FT_GAMMA;
    return value->fragile && is_operator && !use->whole &&
           (use->lazy || (value->merged && use->guess));
}

// An array that is used for nothing but to be changed gives its variable away.
static void update_in_place(Scheduler *x, uint32_t id) {
    uint32_t from = arg(x, id, 0);
    const ImpValue *array = at(x, from);
    ImpUse *use = &x->s->uses[id];
    use->updates = x->s->uses[from].uses == 1 && array->level == at(x, id)->level &&
                   x->s->blocks.at[use->block].level == array->level &&
                   (array->kind == FT_WRITE || array->kind == FT_GAMMA);
}

static void place_value(Scheduler *x, uint32_t id) {
    ImpSchedule *s = x->s;
    const ImpValue *value = at(x, id);
    ImpUse *use = &s->uses[id];
    if (value->kind == FT_CONST || value->kind == FT_UNDEF || value->kind == FT_LOOP) return;
    if (value->kind == FT_CLOSE) {
        climb(s, use, value->level);
        if (!--s->runs[value->loop].pending) place_loop(x, value->loop);
        return;
    }
    if (value->kind == FT_NAME) {
        if (value->arg_count) place_use(x, arg(x, id, 0), use->block, use->at);
        return;
    }
    uint32_t inside = use->block;
    bool risky = is_risky(value, use);
    if (!risky) leave_loops(s, use, value);
    use->inlined = risky || (may_inline(value, use) && use->block == inside);
    for (uint32_t i = 0; i < value->arg_count; i++) {
        bool behind = i && (value->kind == FT_AND || value->kind == FT_OR);
        s->uses[arg(x, id, i)].lazy |= risky || behind;
        s->uses[arg(x, id, i)].unsure |= use->unsure || behind;
    }
    if (!use->inlined) {
        if (value->heavy) restore_conditions(x, use, &x->blocks[id]);
        if (value->kind == FT_WRITE) update_in_place(x, id);
        use->at = append_item(s, use->block, ITEM_VALUE, id);
    }
    for (uint32_t i = 0; i < value->arg_count; i++)
        place_use(x, arg(x, id, i), use->block, use->at);
}

// Conditional values wait until nothing else can be placed, so that many of them share one conditional; those of which
// all with the same conditions are ready come first, then conditions, then the others.
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
static bool place_held(Scheduler *x) {
    while (x->held.count && !x->held.at[x->held.count - 1].count) x->held.count--;
    if (!x->held.count) return false;
    HeldUses uses = vec_pop(&x->held);
    for (uint32_t i = 0; i < uses.count; i++)
        place_use(x, uses.at[i].id, uses.at[i].block, uses.at[i].at);
    return true;
}

bool imp_schedule(ImpSchedule *s, Arena *arena, ImpValues *values, const uint32_t *roots,
                  uint32_t count) {
    *s = (ImpSchedule){.values = values, .arena = arena};
    Scheduler x = {.s = s, .arena = arena};
    s->uses = ARENA_ARRAY(arena, ImpUse, values->values.count);
    s->key = ARENA_ARRAY(arena, uint32_t, values->values.count);
    x.blocks = ARENA_ARRAY(arena, UseBlocks, values->values.count);
    s->runs = ARENA_ARRAY(arena, ImpLoopRun, values->func->fssa->loops.count);
    for (uint32_t i = 0; i < values->values.count; i++) s->uses[i].block = NO_ID;
    for (uint32_t i = 0; i < count; i++) need(&x, roots[i]);
    while (x.ready.count) need_operands(&x, vec_pop(&x.ready));
    if (values->maker->refused) return false;
    add_block(s, NO_ID, -1, NO_ID);
    for (uint32_t i = 0; i < count; i++) place_use(&x, roots[i], 0, -1);
    do {
        while (x.ready.count) place_value(&x, vec_pop(&x.ready));
    } while (place_conditional(&x, true) || place_held(&x) || place_conditional(&x, false));
    return true;
}
