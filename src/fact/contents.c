#include "fact/contents.h"

#include "fact/calls.h"
#include "fact/effects.h"

#include <stdlib.h>

typedef struct {
    int64_t at;
    uint32_t place;
} Key;

static int compare_keys(const void *left, const void *right) {
    const Key *a = left, *b = right;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

// Places go to their groups by counting; each group is then sorted by itself.
static void sort_places(Contents *contents) {
    const Places *places = contents->places;
    uint32_t count = places->places.count, groups = places->group_count;
    uint32_t *end = ARENA_ARRAY(contents->arena, uint32_t, (size_t)groups + 1);
    Key *keys = ARENA_ARRAY(contents->arena, Key, count);
    for (uint32_t i = 0; i < count; i++) end[places->places.at[i].group + 1]++;
    for (uint32_t g = 0; g < groups; g++) end[g + 1] += end[g];
    for (uint32_t i = 0; i < count; i++) {
        const MemPlace *place = &places->places.at[i];
        keys[end[place->group]++] = (Key){.place = i, .at = place->at};
    }
    for (uint32_t g = 0, start = 0; g < groups; start = end[g++])
        if (end[g] - start > 1) qsort(keys + start, end[g] - start, sizeof *keys, compare_keys);
    contents->by_group = ARENA_ARRAY(contents->arena, uint32_t, count);
    contents->rank = ARENA_ARRAY(contents->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        contents->by_group[i] = keys[i].place;
        contents->rank[keys[i].place] = i;
    }
}

static void number_types(Contents *contents) {
    const Places *places = contents->places;
    contents->type_count = 1;
    for (uint32_t i = 0; i < places->places.count; i++) {
        EffectiveType type = places->places.at[i].effective;
        if (type == EFFECTIVE_ANY || contents->type_number[type]) continue;
        contents->type_number[type] = contents->type_count;
        contents->types[contents->type_count++] = type;
    }
}

Contents contents_new(Arena *arena, const Func *func, const Places *places) {
    Contents contents = {.arena = arena,
                         .func = func,
                         .places = places,
                         .known = ARENA_ARRAY(arena, Known, places->places.count)};
    number_types(&contents);
    size_t objects = (size_t)places->shared.count + (places->by_unit ? UNIT_FAMILIES : 0);
    contents.change = ARENA_ARRAY(arena, LastChange, objects * contents.type_count);
    sort_places(&contents);
    return contents;
}

void contents_start(Contents *contents) {
    vec_clear(&contents->log);
    contents->start = ++contents->now;
}

ContentsMark contents_mark(const Contents *contents) {
    return (ContentsMark){.log = contents->log.count, .changes = contents->changes};
}

void contents_undo(Contents *contents, ContentsMark mark) {
    while (contents->log.count > mark.log) {
        struct Undo undo = vec_pop(&contents->log);
        if (undo.of_object)
            contents->change[undo.at] = undo.change;
        else
            contents->known[undo.at] = undo.known;
    }
    contents->changes = mark.changes;
}

// ---- What is known

static Time later(Time a, Time b) {
    return a > b ? a : b;
}

// When calls last changed the hidden objects of a family, or writes to ANYWHERE changed one that
// they may hit.
static Time last_hidden_change(const Contents *contents, uint32_t object, uint32_t type) {
    const Places *places = contents->places;
    uint32_t row = places->shared.count + places->family_of.at[object];
    Time when = contents->change[row * contents->type_count + type].when;
    if (!places->shared.at[object]) return when;
    return later(when, contents->change[ANYWHERE * contents->type_count + type].when);
}

// When a place was last changed by something other than a write to its own group.
static Time last_change(const Contents *contents, const MemPlace *place) {
    uint32_t type = contents->type_number[place->effective];
    const LastChange *change = &contents->change[place->object * contents->type_count + type];
    Time when = change->group == place->group ? change->other : change->when;
    when = later(when, contents->changes.everything);
    if (place->object == ANYWHERE) return later(when, contents->changes.anywhere[type]);
    if (contents->places->family_of.at[place->object] != UNIT_OPEN)
        return later(when, last_hidden_change(contents, place->object, type));
    return contents->places->shared.at[place->object] ? later(when, contents->changes.shared[type])
                                                      : when;
}

ContentsState contents_get_own(const Contents *contents, uint32_t place, uint32_t *value) {
    Time change = last_change(contents, &contents->places->places.at[place]);
    Known known = contents->known[place];
    if (known.when > contents->start && known.when > change) {
        *value = known.value;
        return known.value == NO_ID ? CONTENTS_CHANGED : CONTENTS_NOTED;
    }
    return change > contents->start ? CONTENTS_CHANGED : CONTENTS_UNTOUCHED;
}

ContentsState contents_get(const Contents *contents, uint32_t place, uint32_t *value) {
    uint32_t plain = contents->places->places.at[place].plain;
    ContentsState state = contents_get_own(contents, place, value);
    if (state != CONTENTS_NOTED && plain != NO_ID &&
        contents_get_own(contents, plain, value) == CONTENTS_NOTED)
        return CONTENTS_NOTED;
    return state;
}

void contents_set(Contents *contents, uint32_t place, uint32_t value) {
    Known *known = &contents->known[place];
    vec_push(contents->arena, &contents->log, (struct Undo){.at = place, .known = *known});
    *known = (Known){.when = ++contents->now, .value = value};
}

void contents_set_stored(Contents *contents, uint32_t place, uint32_t value) {
    uint32_t plain = contents->places->places.at[place].plain;
    contents_set(contents, place, value);
    if (plain != NO_ID) contents_set(contents, plain, value);
}

// ---- Changes

// The places of one type in an object change: in one group, or, with NO_ID, all of them.
static void change_at(Contents *contents, uint32_t at, uint32_t group, Time now) {
    LastChange *change = &contents->change[at];
    vec_push(contents->arena, &contents->log,
             (struct Undo){.of_object = true, .at = at, .change = *change});
    if (group == NO_ID)
        *change = (LastChange){.when = now, .group = NO_ID, .other = now};
    else if (change->group == group)
        change->when = now;
    else
        *change = (LastChange){.when = now, .group = group, .other = change->when};
}

// An object changes by a write of a type.
static void change_object(Contents *contents, uint32_t object, uint32_t group,
                          EffectiveType written) {
    Time now = ++contents->now;
    for (uint32_t type = 0; type < contents->type_count; type++) {
        if (!effective_meets(contents->types[type], written)) continue;
        change_at(contents, object * contents->type_count + type, group, now);
        if (object == ANYWHERE)
            contents->changes.shared[type] = now;
        else if (contents->places->shared.at[object])
            contents->changes.anywhere[type] = now;
    }
}

static void change_shared(Contents *contents) {
    Time now = ++contents->now;
    for (uint32_t type = 0; type < contents->type_count; type++)
        contents->changes.shared[type] = contents->changes.anywhere[type] = now;
}

// Hidden objects of some families change. Places ANYWHERE may lie in such objects.
static void change_families(Contents *contents, UnitSet families) {
    const Places *places = contents->places;
    uint32_t types = contents->type_count;
    Time now = ++contents->now;
    for (uint32_t family = 0; family < UNIT_FAMILIES; family++)
        for (uint32_t type = 0; families & places->families & (UnitSet)1 << family && type < types;
             type++)
            change_at(contents, (places->shared.count + family) * types + type, NO_ID, now);
    for (uint32_t type = 0; families & places->open_families && type < types; type++)
        contents->changes.anywhere[type] = now;
}

static void change_everything(Contents *contents) {
    contents->changes.everything = ++contents->now;
}

// A place of the written group that overlaps the written place.
static void change_place(Contents *contents, uint32_t place, const MemPlace *written) {
    if (effective_meets(contents->places->places.at[place].effective, written->effective))
        contents_set(contents, place, NO_ID);
}

// The places of the group that overlap a place of the group. A place has at most 16 bytes.
static void change_overlapping(Contents *contents, uint32_t place) {
    const Places *places = contents->places;
    const MemPlace *written = &places->places.at[place];
    for (uint32_t i = contents->rank[place]; i-- > 0;) {
        const MemPlace *left = &places->places.at[contents->by_group[i]];
        if (left->group != written->group || left->at <= written->at - 16) break;
        if (places_overlap(left, written)) change_place(contents, contents->by_group[i], written);
    }
    for (uint32_t i = contents->rank[place] + 1; i < places->places.count; i++) {
        const MemPlace *right = &places->places.at[contents->by_group[i]];
        if (right->group != written->group || !places_overlap(right, written)) break;
        change_place(contents, contents->by_group[i], written);
    }
}

// A write to a place. If the place is not known, it may be a private slot as well as anything else.
static void write_place(Contents *contents, uint32_t place) {
    if (place == NO_ID) {
        change_everything(contents);
        return;
    }
    const MemPlace *written = &contents->places->places.at[place];
    change_object(contents, written->object, written->group, written->effective);
    change_overlapping(contents, place);
    contents_set(contents, place, NO_ID);
}

// What a call writes by the addresses in its arguments: slots, or what others know of.
static void write_passed(Contents *contents, const Instr *call) {
    for (uint32_t k = 0; k < call->arg_count; k++) {
        uint32_t bits, slot = places_passed(contents->places, contents->func, call, k, &bits);
        if (!(bits & UNIT_WRITTEN)) continue;
        if (slot != NO_ID)
            change_object(contents, 1 + slot, NO_ID, EFFECTIVE_ANY);
        else
            change_shared(contents);
    }
}

void contents_step(Contents *contents, Node node) {
    const Program *program = contents->func->program;
    const Instr *instr = func_at(contents->func, node);
    uint32_t target = contents->places->target[node.i];
    bool by_unit = contents->places->by_unit;
    Effects effects = instr_effects(instr);
    UnitSet families = by_unit && effects & MAY_WRITE_SHARED ? unit_writes(program, instr) : 0;
    if (by_unit && instr->kind == I_CALL) effects = unit_instr_effects(program, instr);
    if (effects & MAY_WRITE_SHARED) change_shared(contents);
    if (families) change_families(contents, families);
    if (by_unit && instr->kind == I_CALL) write_passed(contents, instr);
    // When a call returns again, writes since its first return are in private slots, too.
    if (call_returns_twice(program, instr)) change_everything(contents);
    if (!(effects & MAY_WRITE)) return;
    if (instr_has_address(instr))
        write_place(contents, target);
    else
        change_object(contents, target, NO_ID, EFFECTIVE_ANY);
    if (instr->kind == I_STORE && target != NO_ID)
        contents_set_stored(contents, target, instr->arg[instr->arg_count - 1].i);
}
