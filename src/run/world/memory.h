// The simulated 64-bit address space in which interpreted programs run.
//
// Every object (global, frame slot, heap block, function) has addresses of its own, with guard
// space around them unless objects are to touch. Addresses are plain 47-bit integers; an access
// outside a live object, or a write to a read-only one, is refused with a reason. Each byte carries
// a mask of undefined bits.
//
// How addresses are made: bits 42..46 hold a size class, below it each object of the class has a
// power-of-two window. So the object of an address is found by two shifts and an array access,
// without a search. Class 0 is never given out: null pointers, small
// integers and the addresses of functions lie there.
//
// A limit bounds the host memory that a program can use. It covers data, masks and bookkeeping
// alike.
#pragma once

#include "base/str.h"
#include "form/value.h"

// A missing object stands for a symbol that nobody defines: it has an address and no bytes.
typedef enum {
    OBJECT_GLOBAL,
    OBJECT_SLOT,
    OBJECT_ALLOCA,
    OBJECT_HEAP,
    OBJECT_ARGUMENT,
    OBJECT_SYSTEM,
    OBJECT_MISSING
} ObjectKind;

typedef struct {
    uint8_t *data;
    uint8_t *undef; // mask of undefined bits for each byte; NULL if all are defined
    uint64_t size;
    uint64_t address;
    const char *name; // of the global or slot; "malloc" and the like for others
    uint64_t serial;  // counts heap objects, so that they can be told apart in a trace
    uint32_t made,
        ended; // of a heap object: where in the source (Program.locs), 0 if that is not known
    ObjectKind kind;
    bool live;
    bool readonly;
    struct StoredType *types; // of each byte, see memory_note_type; NULL: none is known
} Object;

typedef struct Memory Memory;

#define MEMORY_DEFAULT_LIMIT ((uint64_t)4 << 30)

// Where objects lie.
//
//   APART     every object has guard space around it, and dead objects leave their places late:
//             most mistakes hit no object
//   TOUCHING  objects may lie directly behind each other, and take the places of dead objects at
//             once. A program that goes right does so for any placement
typedef enum { PLACEMENT_APART, PLACEMENT_TOUCHING } ObjectPlacement;

// With objects apart.
Memory *memory_new(void);
// Before the first object.
void memory_set_placement(Memory *memory, ObjectPlacement placement);
void memory_free(Memory *memory);

// Sets how many bytes of the host's memory the objects may take in all; MEMORY_DEFAULT_LIMIT at
// first.
void memory_set_limit(Memory *memory, uint64_t bytes);
// Counts memory that someone else spends for the program (its registers) under the same limit.
// False, with nothing counted, if the limit forbids it.
bool memory_charge(Memory *memory, uint64_t bytes);
void memory_discharge(Memory *memory, uint64_t bytes);

// A new object; its bytes are zero and, if `defined` is false, undefined. The name must outlive it.
// `align` is a power of two. Returns NULL if that is beyond the limit, the address space or the
// host.
Object *memory_add(Memory *memory, ObjectKind kind, const char *name, uint64_t size, uint64_t align,
                   bool defined);
// Ends an object's life. Its address is not given out again soon.
void memory_remove(Memory *memory, Object *object);

// The object whose window holds an address, live or not; NULL if there is none. The address may lie
// in the guard space around it.
Object *memory_find(const Memory *memory, uint64_t address);
// The bytes at an address if `size` of them lie in a live object; NULL otherwise. `undef` gets the
// mask bytes, or NULL where all is defined.
uint8_t *memory_read(const Memory *memory, uint64_t address, uint64_t size, uint8_t **undef);
// The same for writing; fails on read-only objects. A caller that writes defined bytes clears their
// masks; bytes that may be undefined are moved with memory_copy.
uint8_t *memory_write(Memory *memory, uint64_t address, uint64_t size, uint8_t **undef);
// One line that says why an access of `size` bytes at an address is wrong, naming the nearest
// object.
const char *memory_reason(const Memory *memory, Arena *arena, uint64_t address, uint64_t size,
                          bool write);

// Copies bytes with their masks; the ranges may overlap. False if a range is invalid.
bool memory_copy(Memory *memory, uint64_t to, uint64_t from, uint64_t size);
// Sets bytes to the low 8 bits of a value, undefined bits included. False if the range is no good.
bool memory_fill(Memory *memory, uint64_t to, Value byte, uint64_t size);

// Loads and stores by chunk. False if the access is wrong. An f80 occupies 16 bytes, of which the
// last 6 are neither read nor written.
bool memory_load(const Memory *memory, Chunk chunk, uint64_t address, Value *value);
bool memory_store(Memory *memory, Chunk chunk, uint64_t address, Value value);

// ---- Effective types (memory_types.c)

// The effective type by which a byte was stored last, and where in the source (Program.locs).
typedef struct StoredType {
    uint8_t type; // EffectiveType
    uint32_t place;
} StoredType;

// Behind a store: its bytes have a type, until they are written again; a write without this note
// gives them EFFECTIVE_ANY. False if there is no memory for the note.
bool memory_note_type(Memory *memory, uint64_t address, uint64_t size, StoredType stored);
// The note of the first of some bytes that were stored by another type; NULL if there is none. The
// bytes lie in a live object.
const StoredType *memory_other_type(const Memory *memory, uint64_t address, uint64_t size,
                                    EffectiveType type);
