// Debugging information: what the front end has told about the source, and where it is in the code.
#pragma once

#include "mach/debug_source.h"
#include "mach/dwarf.h"
#include "mach/frame.h"

// A stretch of code that belongs to a block.
typedef struct {
    uint32_t start, end; // labels
    uint32_t next;       // the next one of the block, or NO_ID
} DebugRange;

// Where a variable is in its function's frame.
typedef struct {
    bool known;
    MachineReg from; // MACHINE_REG_COUNT: from the end of the caller's frame
    int64_t offset;
} FrameSpot;

struct DebugNotes {
    const Debug *debug;
    FrameSpot *spots; // per variable
    VEC(DebugRange) ranges;
    uint32_t *first, *last; // per scope: its ranges, NO_ID if there are none
    Dwarf dwarf;
    Bits used;             // types that something written refers to
    VEC(uint32_t) to_use;  // those of them whose parts are still to be looked at
    uint32_t *type_offset; // per type: of its entry in the unit
};

// ---- While functions are written (debug_code.c)

struct DebugNotes *debug_notes(Arena *arena, const Debug *debug);
// What is known of a function; NULL if nothing.
const DebugFunc *debug_func_of(const Assembly *assembly, Sym symbol);
// Remembers where the variables of a function are.
void debug_note_frame(Assembly *assembly, const DebugFunc *known, const Func *func,
                      const Frame *frame);
// The scope that an instruction belongs to: that of its location, if it is one of this function, else the same
// as before.
uint32_t debug_scope_of(const Assembly *assembly, const DebugFunc *known, uint32_t loc,
                        uint32_t before);
// From a label on, the code belongs to another scope.
void debug_change_scope(Assembly *assembly, uint32_t from, uint32_t to, uint32_t label);

// ---- At the end (debug_types.c)

void debug_use_type(Assembly *assembly, uint32_t type);
// Writes the types that are used.
void debug_write_types(Assembly *assembly);
// Writes a reference to a type that is used and not void.
void debug_write_type(Assembly *assembly, uint32_t type);
// Appends to an expression the address of a variable, or of the pointer to it; yields the new length.
unsigned debug_put_spot(uint8_t *to, unsigned length, FrameSpot spot);
