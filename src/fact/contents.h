// Tracks which registers hold the contents of which places in memory, while a function is walked
// node by node along a path and back again. The Sea of Nodes and the values kernel ask at
// each load.
//
// A write may touch thousands of places. Forgetting them one by one would take too long, so facts
// expire instead. Each fact "this register holds that place" carries the time at which it was
// noted. Each kind of change carries the time of its last occurrence. A fact counts only if it is
// younger than every change that may touch its place. The whole of memory has three kinds of change
// (Changes), and each object has a kind of its own (Change).
//
// Most writes to an object go to a place of a known group: places whose addresses differ in the
// displacement only. Such a write touches another place of its group only if they share bytes. Few
// places do, and the walk forgets these places one by one; for the places of other groups the time
// of the write counts.
//
// A store touches only places whose effective type meets the type of the store (places.h). So there
// are times of changes for each type that a place of the function has.
#pragma once

#include "fact/places.h"

typedef uint64_t Time; // counts the events of all walks; 0 is before all events

typedef struct {
    Time when;      // time of the last change; 0 if there was none
    uint32_t group; // that it kept to; NO_ID if to none
    Time other;     // time of the last change that did not keep to that group
} LastChange;

// When memory changed last; by the number of the type of the places.
typedef struct {
    Time everything;                // all of it: a call that may return twice
    Time shared[EFFECTIVE_COUNT];   // shared objects: a call, or a write to ANYWHERE
    Time anywhere[EFFECTIVE_COUNT]; // places ANYWHERE: a call, or a write to a shared object
} Changes;

typedef struct {
    Time when;
    uint32_t value; // NO_ID if it is known to be gone
} Known;

typedef struct {
    Arena *arena;
    const Func *func;
    const Places *places;
    uint32_t *by_group; // all places, those of one group together, in order of displacements
    uint32_t *rank;     // of each place in by_group
    Known *known;       // by place
    // The effective types of places have numbers below type_count, EFFECTIVE_ANY has 0.
    uint32_t type_count;
    EffectiveType types[EFFECTIVE_COUNT];  // by number
    uint32_t type_number[EFFECTIVE_COUNT]; // by type
    // Object * type_count + number of the type of places; behind the objects, the families of the
    // unit, for what calls do to hidden objects.
    LastChange *change;
    Changes changes;
    Time start; // time at the root of the path
    Time now;
    VEC(struct Undo {
        bool of_object;
        uint32_t at; // place, or index of `change`
        union {
            Known known;
            LastChange change;
        };
    })
    log;
} Contents;

typedef struct {
    uint32_t log;
    Changes changes;
} ContentsMark;

Contents contents_new(Arena *arena, const Func *func, const Places *places);
// Starts a path without any facts.
void contents_start(Contents *contents);
// Where a walk is, and how it gets back there.
ContentsMark contents_mark(const Contents *contents);
void contents_undo(Contents *contents, ContentsMark mark);

// The state of a place: NOTED is the number that contents_set noted, and nothing has touched the
// place since; UNTOUCHED says that the place has its contents at the start.
typedef enum { CONTENTS_NOTED, CONTENTS_UNTOUCHED, CONTENTS_CHANGED } ContentsState;
// A place with an effective type has the contents of its plain place, too.
ContentsState contents_get(const Contents *contents, uint32_t place, uint32_t *value);
// What is noted of the place itself, its plain place aside.
ContentsState contents_get_own(const Contents *contents, uint32_t place, uint32_t *value);
void contents_set(Contents *contents, uint32_t place, uint32_t value);
// Notes the value that a store behind contents_step has stored.
void contents_set_stored(Contents *contents, uint32_t place, uint32_t value);
// Applies the effect of a node's instruction on memory. A store notes the register that it stores;
// a load changes nothing and notes nothing.
void contents_step(Contents *contents, Node node);
