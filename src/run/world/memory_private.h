// The structures of the simulated memory, for memory.c and memory_versions.c alone.
#pragma once

#include "run/world/memory_versions.h"

enum { MEMORY_CLASS_COUNT = 32 };

// The history of one line or window, in the order of time, each record with the time until which it
// held. Slots of what was freed stay empty until most are.
typedef struct {
    uint64_t until; // the clock of the memory
    void *what;     // NULL if it was freed
} HistorySlot;

typedef struct {
    HistorySlot *slots;
    uint64_t count, capacity, empty;
} MemoryHistory;

typedef struct Window {
    Object object;       // first: an Object is at the start of its window
    struct Window *next; // in a queue
    uint8_t *buffer;     // of a small window: room for data and masks; made when it is needed
    uint64_t born; // the clock at its birth, which no other has: earlier versions do not have it
    MemoryHistory
        *endings; // earlier objects of the window that versions have; NULL if there are none
} Window;

typedef struct {
    Window *first, *last;
    uint64_t count;
} Queue;

typedef struct {
    Window **windows;
    uint64_t count, capacity;
    Queue free_heap, free_frames; // windows of dead objects: of the heap, of frames
} SizeClass;

typedef struct MemoryLine MemoryLine;

typedef struct {
    uint32_t window_bits; // class c has windows of 2^(c + window_bits) bytes; class 1 is the first
    uint32_t guard;       // bytes before and after an object that belong to nobody
    uint32_t heap_rest;   // freed heap windows of a class that wait before one is used again
    uint32_t frame_rest;  // the same for slots and other objects that die with a call
} MemoryLayout;

struct Memory {
    MemoryLayout layout;
    MemoryVersion *newest; // of those that are held; NULL if none is
    SizeClass classes[MEMORY_CLASS_COUNT];
    Arena *arena; // for windows
    uint64_t charged, limit;
    uint64_t clock;     // counts births, deaths and versions
    uint64_t lives;     // the clock at the last birth or death
    MemoryLine **lines; // of which something is kept: lists by hash
    uint64_t line_count, line_room;
    MemoryLine *spare_line;       // for the next; may be NULL
    MemoryVersion *spare_version; // likewise
    MemoryVersionCosts costs;
};

// ---- memory.c for memory_versions.c

// How large the buffer of the window at an address is; 0 if it has none.
uint64_t memory_buffer_size(const Memory *memory, uint64_t address);
Value memory_chunk_value(Chunk chunk, const uint8_t *data, const uint8_t *undef);
const char *memory_reason_of(Arena *arena, const Object *object, uint64_t address, uint64_t size,
                             bool write);

// ---- memory_types.c for memory.c

// The bytes are written: they have no type.
void memory_forget_types(Object *object, uint64_t offset, uint64_t size);

// ---- memory_versions.c for memory.c; a version must be held

// Before bytes of a live object change. False, with nothing that changed, if the limit forbids to
// keep them.
bool versions_keep(Memory *memory, Window *window, uint64_t offset, uint64_t size);
// When an object dies: true if a version has it. Its bytes are then kept, and the window has none.
bool versions_keep_life(Memory *memory, Window *window);
void versions_free(Memory *memory); // all that is kept
void memory_history_free(MemoryHistory *history);
