// Debugging information: what the front end has told about the source, and where it is in the code.
#pragma once

#include "assembly/assembly_private.h"
#include "assembly/debug_source.h"
#include "assembly/debug_values.h"
#include "assembly/dwarf.h"
#include "target/model.h"

// A stretch of code that belongs to a block.
typedef struct {
    uint32_t start, end; // labels
    uint32_t next;       // the next one of the block, or NO_ID
} DebugRange;

// Where a variable is in its function's frame.
typedef struct {
    bool known;
    MachineReg from; // MACHINE_REG_LIMIT: from the end of the caller's frame
    int64_t offset;
} FrameSpot;

// Where the slots and spills of a function are: offsets from a register, or from some point of the
// frame of which the end of the caller's frame has a known distance.
typedef struct {
    MachineReg from; // MACHINE_REG_LIMIT: offsets are from a point of the frame,
    int64_t end;     //   from which the end of the caller's frame has this offset; else 0
    const int64_t *slots, *spills;
} FramePlaces;

// A scope of the source in one place of a function: its own, or of a call that was inlined. The
// first one is the outermost of the function itself.
typedef struct {
    uint32_t instance, scope;
    uint32_t parent; // NO_ID for the first
    uint32_t depth;
    uint32_t first, last;                // ranges; NO_ID if there are none
    uint32_t child, last_child, sibling; // in the order in which they were found
} DebugBlockNode;

// One stretch of code in which a variable has a value.
typedef struct {
    uint32_t start, end; // labels
    bool one_more;       // the end is a byte behind its label
    bool one_late;       // so is the start
    uint32_t term_at, term_count;
} DebugPiece;

typedef struct {
    uint32_t first, count; // pieces
    uint32_t label;        // NO_ID: it is not used so far
} DebugList;

// A call of a symbol: the address to which it returns, and the known arguments.
typedef struct {
    uint32_t label;
    uint32_t callee;       // Sym
    uint32_t first, count; // arguments
} DebugCall;

// The notes about one function.
typedef struct DebugLayout {
    const DebugFunc *known;
    uint32_t start; // label at its start
    VEC(DebugInstance) instances;
    VEC(DebugBlockNode) nodes;
    Map node_of; // instance and scope -> node
    VEC(DebugRange) ranges;
    VEC(DebugPiece) pieces;
    VEC(DebugTerm)
    terms; // spills and slots: `number` is the offset from the register `ref`, as in FrameSpot
    VEC(DebugList) lists;
    Map list_of; // instance and variable -> list
    VEC(FrameSpot) spots;
    Map spot_of; // instance and variable -> spot
    VEC(DebugCall) calls;
    VEC(DebugArgument) arguments; // of calls; their terms are in `terms`
} DebugLayout;

// A location list, to be written when all entries are.
typedef struct {
    const DebugLayout *layout;
    uint32_t list, label, variable;
} UsedList;

struct DebugNotes {
    const Debug *debug;
    FrameSpot *spots; // per variable
    Dwarf dwarf;
    Bits used;             // types that something written refers to
    VEC(uint32_t) to_use;  // used types whose parts are still to be looked at
    uint32_t *type_offset; // per type: of its entry in the unit
    uint32_t
        *abstract; // per function: the offset of the entry that its inlined calls refer to, or 0
    Bits called, written; // symbols that call sites name, and those that have an entry
    VEC(UsedList) used_lists;
    VEC(const DebugLayout *) parted; // layouts and
    VEC(uint32_t) parted_nodes;      // nodes of them that have several ranges
};

// ---- While functions are written (debug_code.c)

struct DebugNotes *debug_notes(Arena *arena, const Debug *debug);
// The description of a function; NULL if there is none.
const DebugFunc *debug_func_of(const Assembly *assembly, Sym symbol);
// Begins a function that something is known of. `code` is what is known of its code, or NULL.
DebugLayout *debug_layout(Assembly *assembly, const DebugFunc *known, const DebugCode *code);
// Remembers where the variables of a function are.
void debug_note_frame(Assembly *assembly, const DebugFunc *known, const Func *func,
                      const FramePlaces *frame);
// Remembers the spans of variables. `labels` has one for each instruction where a span starts or
// ends.
void debug_note_spans(Assembly *assembly, DebugLayout *layout, const DebugCode *code,
                      const FramePlaces *frame, const uint32_t *labels);
// An instruction has been written: if it is a call with a description, it returns here. The label,
// or NO_ID.
uint32_t debug_note_return(Assembly *assembly, DebugLayout *layout, uint32_t at);
// The node of an instruction of an instance (NO_ID if not known): the node of its location, if the
// location is of this function or of an inlined body, else the same node as before.
uint32_t debug_node_of(Assembly *assembly, DebugLayout *layout, uint32_t instance, uint32_t loc,
                       uint32_t before);
// From a label on, the code belongs to another node.
void debug_change_node(Assembly *assembly, DebugLayout *layout, uint32_t from, uint32_t to,
                       uint32_t label);

// ---- Location lists (debug_lists.c)

// The label of the list of a variable, which will be written; NO_ID if the variable has none.
uint32_t debug_use_list(Assembly *assembly, DebugLayout *layout, uint32_t instance,
                        uint32_t variable);
void debug_write_lists(Assembly *assembly);
// Whether a value can be written, and the expression with its length in front.
bool debug_put_value(Assembly *assembly, Dwarf *to, const DebugTerm *terms, uint32_t count);

// ---- At the end (debug_types.c)

void debug_use_type(Assembly *assembly, uint32_t type);
// Writes the types that are used.
void debug_write_types(Assembly *assembly);
// Writes a reference to a type that is used and not void.
void debug_write_type(Assembly *assembly, uint32_t type);
// Appends to an expression the address of a variable, or of the pointer to it; yields the new
// length.
unsigned debug_put_spot(const Assembly *assembly, uint8_t *to, unsigned length, FrameSpot spot);
