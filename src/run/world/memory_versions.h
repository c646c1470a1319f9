// The simulated memory as a value: the functional store of Glesner's semantics (docs/asm.md).
//
// memory_hold gives the present memory as a value: its bytes, its masks and the living objects. The
// memory goes on changing; reads of the held version see the old contents, until the version is
// released. Any number of versions can be held at once and released in any order.
//
// While no version is held, a write pays one test. While a version is held, a write first keeps the
// lines that it changes, each once for the newest version; a read of a version searches the history
// of one line. So both take a logarithm of the number of versions, and at most the touched lines,
// times the held versions, are kept. All kept lines count under the limit of the memory. If the
// limit forbids to keep a line, the write is refused, and memory_reason says why.
//
// Objects that die are still there in the versions in which they lived; objects that are born later
// are not there. Neither changes the addresses that objects get.
//
// Bytes from memory_write may be written until the next memory_hold, not after it.
#pragma once

#include "run/world/memory.h"

typedef struct MemoryVersion MemoryVersion;

// The present memory. NULL if the limit forbids it. To hold a memory that has not changed again
// costs nothing.
MemoryVersion *memory_hold(Memory *memory);
// Each hold is released once. Versions that are left when the memory is freed go with it.
void memory_release(Memory *memory, MemoryVersion *version);

// memory_load at a version: false if the access is wrong there.
bool memory_load_at(Memory *memory, const MemoryVersion *version, Chunk chunk, uint64_t address,
                    Value *value);
// Copies bytes of a version and their masks, which are 0 where all is defined. False if they do not
// all lie in one object that lives there.
bool memory_read_at(Memory *memory, const MemoryVersion *version, uint64_t address, uint64_t size,
                    uint8_t *data, uint8_t *undef);
// One line that says why such a read is wrong.
const char *memory_reason_at(Memory *memory, const MemoryVersion *version, Arena *arena,
                             uint64_t address, uint64_t size);

// The cost of versions, for tests.
typedef struct {
    uint64_t versions; // that are held
    uint64_t records;  // copies of lines that are kept
    uint64_t lives;    // objects that died and are kept
    uint64_t slots;    // slots that are searched: slots of records and lives, and empty slots
    uint64_t work;     // so far: copies made and freed, steps of searches
} MemoryVersionCosts;

MemoryVersionCosts memory_version_costs(const Memory *memory);
