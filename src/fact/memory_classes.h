// The classes of memory of a function in Sea of Nodes: which class an access belongs to, and which
// classes an instruction gives a new version.
//
// A class is an object that Son.classes names; class 0, the rest, is all other memory. What
// fact/places.h tells of objects decides:
//
//   * a write to an object gives a new version to its class; and to the rest, if others know of the
//     object, because an access by an address of which nothing is known, which belongs to the rest,
//     may go there,
//   * a write to anywhere, a call, a fence give one to the rest and to every class that others know
//     of,
//   * a call that returns twice gives one to all: what was stored since its first return is there
//     at the second.
//
// If a load has an address of which not even that is known, it may be of any object, and every
// write gives the rest a new version.
#pragma once

#include "fact/places.h"
#include "form/son.h"

typedef struct {
    const Func *func;
    Places places;
    uint32_t count;   // of classes, the rest included
    uint32_t *of;     // object -> class
    bool *shared;     // class -> whether what is written anywhere may be in it
    bool rest_is_all; // every write gives the rest a new version
} MemoryClasses;

// All symbols and slots of Son.classes exist, and none is there twice.
MemoryClasses memory_classes_of(Arena *arena, const Func *func);
// The same if the places of the function are known.
MemoryClasses memory_classes_at(Arena *arena, const Func *func, const Places *places);

// Which classes an instruction gives a new version.
typedef struct {
    bool all, shared;
    uint32_t one; // a class, or NO_ID
} MemoryWrite;

MemoryWrite memory_write_at(const MemoryClasses *classes, Node node);
bool memory_write_touches(const MemoryClasses *classes, MemoryWrite write, uint32_t memory);
static inline bool memory_write_is_none(MemoryWrite write) {
    return !write.all && !write.shared && write.one == NO_ID;
}
// The class that a load belongs to.
uint32_t memory_class_at(const MemoryClasses *classes, Node load);
