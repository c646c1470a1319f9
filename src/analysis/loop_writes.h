// The places in memory that each loop of a function may write.
#pragma once

#include "base/bits.h"
#include "fact/places.h"
#include "graph/loop_nest.h"

typedef struct {
    bool everything;  // may write to all objects
    bool shared;      // to all that are shared
    UnitSet families; // to hidden objects of these families
    uint32_t writes;  // the last in LoopWrites.writes, or NO_ID
    uint32_t write_count;
} LoopMemory;

typedef struct {
    uint32_t place;  // that is written, or
    uint32_t object; // any place of this, if `place` is NO_ID
    uint32_t next;
} LoopWrite;

typedef struct {
    Arena *arena;
    const Func *func;
    const LoopNest *loop_nest;
    const Places *places;
    LoopMemory *loops; // header -> what is known of its loop
    VEC(LoopWrite) writes;
} LoopWrites;

// Only nodes that are reached count; NULL: all.
LoopWrites loop_writes_of(Arena *arena, const Func *func, const LoopNest *loop_nest,
                          const Places *places, const Bits *reached);
// Whether a place keeps its contents all through a loop, or until a write to just this place: no
// other write of the loop touches the place.
bool loop_tracks_place(const LoopWrites *state, Node header, uint32_t place);
