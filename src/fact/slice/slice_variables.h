// The variables that the nodes of a function read and set. The slicer and the checker of slices
// both use this file.
//
// A *variable* is anything whose contents a node may ask for:
//
//   * a register;
//   * a *piece* of an object, some bytes of a slot or of a symbol's own object. The places at which
//     the function accesses an object by constant offsets cut it into pieces, so that pieces never
//     overlap, and each access is of certain pieces as a whole, or, if its place in the object is
//     unknown, perhaps of any piece. Objects that are never written have no pieces;
//   * SLICE_MEMORY, all memory that others know of: memory that pointers lead to and that callees
//     see. Pieces of objects that others know of (`shared`) are part of SLICE_MEMORY, slots are
//     not. A node that accesses memory that others know of names the slots in its lists that have
//     been exposed by then (slice_addresses.h): at the node itself, or on some way to it. So an
//     address that escapes late does no harm before, and a slot of which the address is handed only
//     to functions that access it is touched by these calls alone. Slots beyond what lists can hold
//     are shared;
//   * a *cell*, memory that a pointer leads to, as loads of one effective type find it
//     (slice_cells.h). Cells are part of SLICE_MEMORY. A cell, a shared piece and other cells may
//     be the same bytes. So a node that sets a cell or a shared piece names everything that it may
//     change: all cells that the function reads and that meet the cell, and the shared pieces that
//     it meets. A cell does not meet the pieces of objects whose address nobody has
//     (SliceCalls.unaddressed), nor pieces that the function accesses only by types that do not
//     meet the cell's. The contents of a piece are what loads by these types find there. Of cells
//     beyond what lists can hold, only the type counts; if lists are still too long, there are no
//     cells, but SLICE_MEMORY;
//   * the world outside of the program, one variable for each kind.
//
// Variables have dense numbers: those of SliceWorld, the registers, the pieces, the cells. Two
// variables overlap if they are the same, or if they are SLICE_MEMORY and a shared piece or cell:
// nodes that set one of these need not name the other.
//
// The variables that a node *reads* decide about its results, its effects on memory and outside,
// and the way it goes. A node *sets* a variable certainly or perhaps. Certainly: its new value is a
// function of the variables that the node reads and nothing else. *Perhaps*: the variable may keep
// its value, and its new value is a function of the variables that are read and of its old value. A
// node leaves all other variables as they are.
//
// Values are compared up to the choice of addresses, which are no part of a program's meaning
// (docs/rtl.md). Neither are the place of objects, the number of allocations elsewhere, and
// exhausted memory. So allocations do not read variables that other allocations have set. Ending an
// object's life sets no memory: a read of the object afterwards is a wrong step.
#pragma once

#include "fact/places.h"
#include "fact/slice/slice_calls.h"
#include "fact/slice/slice_cells.h"

// The next kept node from a node of a slice is a node or one of these constants.
enum {
    SLICE_NEXT_NONE = NO_ID,    // control leaves the function without meeting a kept node
    SLICE_NEXT_ANY = NO_ID - 1, // neither a kept node is met nor does the function return
};

// A piece: bytes `from` to `to` - 1 of an object. Or a cell.
typedef struct {
    bool is_slot;
    bool is_cell;
    bool shared;      // part of SLICE_MEMORY, too
    bool unaddressed; // no pointer leads there
    uint32_t ref;     // the slot or symbol; of a cell, its index in `cells`
    uint64_t from, to;
    SliceTypes types; // the function accesses the piece by these
} SlicePiece;

typedef struct {
    const Func *func;
    // NULL, or a reason why nothing of the function can be left out: the lists below do not
    // describe its effects
    const char *whole;
    uint32_t count; // of variables
    uint32_t first_register, first_piece;
    // Pieces of one object follow each other, ascending; cells come last.
    VEC(SlicePiece) pieces;
    VEC(SliceCell) cells;
    Map pieces_of_symbol;     // symbol -> its first piece, of those that are accessed
    uint32_t *pieces_of_slot; // slot -> its first piece; one more at the end
    // The lists of node n: lists.at[starts[3 * n + k] .. starts[3 * n + k + 1] - 1], k of
    // SliceList.
    uint32_t *starts;
    VEC(uint32_t) lists;
} SliceVariables;

// READS    variables that the node reads
// SETS     variables that it certainly sets
// MAY_SET  variables that it perhaps sets
typedef enum { SLICE_READS, SLICE_SETS, SLICE_MAY_SET, SLICE_LIST_COUNT } SliceList;

// Near-linear. Without `calls`, nothing is known of calls.
SliceVariables slice_variables_of(Arena *arena, const Func *func, const SliceCalls *calls);

// An assumption: in each run of the function, no byte is accessed both by an address with one root
// and by an address with the other, if these are different. Then cells of the two roots do not
// meet.
typedef struct {
    Reg a, b; // registers; only roots matter
} SliceApart;

// The same under assumptions. They do not change the numbers of variables.
SliceVariables slice_variables_assuming(Arena *arena, const Func *func, const SliceCalls *calls,
                                        const SliceApart *apart, uint32_t count);

// The variables of a list, in no order; one may be there twice.
typedef struct {
    const uint32_t *at;
    uint32_t count;
} SliceSpan;

static inline SliceSpan slice_list(const SliceVariables *variables, Node node, SliceList list) {
    const uint32_t *starts = &variables->starts[SLICE_LIST_COUNT * node.i + list];
    return (SliceSpan){variables->lists.at + starts[0], starts[1] - starts[0]};
}

static inline uint32_t slice_register(const SliceVariables *variables, Reg reg) {
    return variables->first_register + reg.i;
}
static inline bool slice_is_register(const SliceVariables *variables, uint32_t variable) {
    return variable >= variables->first_register && variable < variables->first_piece;
}
static inline bool slice_is_piece(const SliceVariables *variables, uint32_t variable) {
    return variable >= variables->first_piece;
}
static inline const SlicePiece *slice_piece(const SliceVariables *variables, uint32_t variable) {
    return &variables->pieces.at[variable - variables->first_piece];
}
// Whether a variable is part of SLICE_MEMORY.
static inline bool slice_is_shared(const SliceVariables *variables, uint32_t variable) {
    return slice_is_piece(variables, variable) ? slice_piece(variables, variable)->shared
                                               : variable == SLICE_MEMORY;
}
static inline bool slice_overlap(const SliceVariables *variables, uint32_t a, uint32_t b) {
    return a == b || (a == SLICE_MEMORY && slice_is_shared(variables, b)) ||
           (b == SLICE_MEMORY && slice_is_shared(variables, a));
}

// The pieces of a slot, or of a symbol; `count` is 0 if it has none. A symbol that the function
// does not access by name has none: effects of others on the symbol are part of SLICE_MEMORY.
typedef struct {
    uint32_t first, count; // variables
} SliceRange;

SliceRange slice_pieces_of_slot(const SliceVariables *variables, Slot slot);
SliceRange slice_pieces_of_symbol(const SliceVariables *variables, Sym symbol);

// A variable in words, for messages: "%i", "$s[4..7]", "*%p[8..11] as int", "output".
void slice_variable_print(Out *out, const SliceVariables *variables, uint32_t variable);
