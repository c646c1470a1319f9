// What registers are known to hold the contents of places, along a path of a function that is walked
// node by node and, step by step, back again.
//
// A write makes nothing that it may touch be forgotten one by one. Each bit of knowledge has the time at
// which it was noted, and each way in which memory can change has the time when that happened last; what
// was noted earlier than a change that may concern it does not count any more. Three such ways are there
// for the whole of memory, one for each object. Of the last, writes that keep to one group of places are
// kept apart: for the other places of their group only the bytes decide, and there are few that overlap.
#pragma once

#include "fact/places.h"

typedef uint64_t Time; // counts what happens in all walks; 0 is before all of them

typedef struct {
    Time when;      // time of the last change; 0 if there was none
    uint32_t group; // that it kept to; NO_ID if to none
    Time other;     // time of the last change that did not keep to that group
} Change;

// When memory changed last.
typedef struct {
    Time everything; // all of it: a call that may return twice
    Time shared;     // shared objects: a call, or a write to ANYWHERE
    Time anywhere;   // places ANYWHERE: a call, or a write to a shared object
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
    Change *change;     // by object
    Changes changes;
    Time start; // time at the root of the path
    Time now;
    VEC(struct Undo {
        bool of_object;
        uint32_t at; // place or object
        union {
            Known known;
            Change change;
        };
    })
    log;
} Contents;

typedef struct {
    uint32_t log;
    Changes changes;
} ContentsMark;

Contents contents_new(Arena *arena, const Func *func, const Places *places);
// Starts a path of which nothing is known yet.
void contents_start(Contents *contents);
// Where a walk is, and how it gets back there.
ContentsMark contents_mark(const Contents *contents);
void contents_undo(Contents *contents, ContentsMark mark);

// What is known of a place: NOTED is the number that contents_set noted, and nothing has touched the
// place since; UNTOUCHED says that it is as it was at the start.
typedef enum { CONTENTS_NOTED, CONTENTS_UNTOUCHED, CONTENTS_CHANGED } ContentsState;
ContentsState contents_get(const Contents *contents, uint32_t place, uint32_t *value);
void contents_set(Contents *contents, uint32_t place, uint32_t value);
// What the instruction of a node does to memory. A store notes the register that it stores; a load
// changes nothing and notes nothing.
void contents_step(Contents *contents, Node node);
