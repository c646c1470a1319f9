// The classes of memory of a function in Sea of Nodes: the class that an access belongs to, and the
// classes to which an instruction gives a new version.
//
// A class is an object that Son.classes names; class 0, the rest, is all other memory. The
// knowledge of objects in fact/places.h decides:
//
//   * A write to an object gives a new version to the class of the object. If others know of the
//     object, the write also gives one to the rest, because an access by an unknown address belongs
//     to the rest and may touch the object.
//   * A write to an unknown place, a call and a fence give a new version to the rest and to every
//     class whose object others know of.
//   * A call that returns twice gives a new version to all classes: stores since its first return
//     are visible at the second.
//
// If a function has a load whose address may lie in any object, even a private one, then every
// write gives the rest a new version.
#pragma once

#include "fact/places.h"
#include "form/son.h"

typedef struct {
    const Func *func;
    Places places;
    uint32_t count;   // of classes, the rest included
    uint32_t *of;     // object -> class
    bool *shared;     // class -> whether a write to an unknown place may touch it
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
