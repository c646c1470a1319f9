// Sets of the values that places hold, and the search for such a set at the start of each block,
// valid for every way in.
#include "debug/follow_private.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

void held_kill_place(HeldSet *set, uint32_t place) {
    for (uint32_t i = 0; i < set->count;)
        if (set->at[i].place == place)
            set->at[i] = vec_pop(set);
        else
            i++;
}

void held_kill_id(HeldSet *set, uint32_t id) {
    for (uint32_t i = 0; i < set->count;)
        if (set->at[i].id == id)
            set->at[i] = vec_pop(set);
        else
            i++;
}

bool held_has(const HeldSet *set, uint32_t place, uint32_t id) {
    for (uint32_t i = 0; i < set->count; i++)
        if (set->at[i].place == place && set->at[i].id == id) return true;
    return false;
}

void held_add(Arena *arena, HeldSet *set, uint32_t place, uint32_t id) {
    if (!held_has(set, place, id)) vec_push(arena, set, (HeldValue){.place = place, .id = id});
}

void held_move(Arena *arena, HeldSet *set, uint32_t from, uint32_t to) {
    if (from == to) return;
    held_kill_place(set, to);
    for (uint32_t i = 0, count = set->count; i < count; i++)
        if (set->at[i].place == from)
            vec_push(arena, set, (HeldValue){.place = to, .id = set->at[i].id});
}

void held_exchange(HeldSet *set, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < set->count; i++)
        if (set->at[i].place == a)
            set->at[i].place = b;
        else if (set->at[i].place == b)
            set->at[i].place = a;
}

static int compare(const void *a, const void *b) {
    const HeldValue *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void sort(HeldSet *set) {
    if (set->count > 1) qsort(set->at, set->count, sizeof *set->at, compare);
}

// Both are sorted.
bool held_meet(HeldSet *set, const HeldSet *other) {
    uint32_t kept = 0, k = 0, count = set->count;
    for (uint32_t i = 0; i < count; i++) {
        while (k < other->count && compare(&other->at[k], &set->at[i]) < 0) k++;
        if (k < other->count && compare(&other->at[k], &set->at[i]) == 0)
            set->at[kept++] = set->at[i];
    }
    set->count = kept;
    return kept < count;
}

static void copy(Arena *arena, HeldSet *to, const HeldSet *from) {
    vec_clear(to);
    if (from->count)
        memcpy(vec_extend(arena, to, from->count), from->at, from->count * sizeof *from->at);
}

HeldSet *held_solve(Arena *arena, const Func *func,
                    void (*run)(void *context, uint32_t block, HeldSet *set), void *context) {
    uint32_t count = func->mach->blocks.count;
    HeldSet *starts = ARENA_ARRAY(arena, HeldSet, count), now = {0};
    Bits seen = bits_new(arena, count), waiting = bits_new(arena, count);
    bits_add(&seen, 0);
    bits_add(&waiting, 0);
    for (uint32_t b = 0; (b = bits_next(&waiting, 0)) < count;) {
        bits_remove(&waiting, b);
        copy(arena, &now, &starts[b]);
        run(context, b, &now);
        sort(&now);
        const MachBlock *block = mach_block(func, b);
        for (uint32_t k = 0; k < block->succ_count; k++) {
            uint32_t succ = mach_succs(func, block)[k];
            bool changed = bits_put(&seen, succ);
            if (changed)
                copy(arena, &starts[succ], &now);
            else
                changed = held_meet(&starts[succ], &now);
            if (changed) bits_add(&waiting, succ);
        }
    }
    return starts;
}
