// The memory that loads and stores by pointers access: cells.
//
// A *root* is an address that stays the same while an activation of the function runs. It is the
// value of a register that is set once: by the caller, or by a node that lies on no cycle. Or it
// is the address of a symbol that is no object of its own. A register that is set once, to a root
// plus constants, holds a known distance from the root whenever it holds something. (An access by
// a register that has not been set yet is a wrong step.)
//
// A *cell* is memory as loads of one effective type find it: some bytes at a known distance from a
// root, or all bytes that pointers lead to. Bytes of the function's own slots are no part of a
// cell unless the slots are shared (slice_variables.h). Let a run of the function be given, and
// the value that a root gets in it: then a cell is the same bytes all the time, also before the
// root is set, and the contents of a cell are a function of the state.
//
// Why a store to one cell leaves another cell alone that it does not meet:
//   * The types do not meet (effective_meets). Then the store leaves bytes to the loads of the
//     other type as they were, or makes them undefined to these loads (places.h). In a slice
//     without the store, such a load yields what it yields in the original, or something where the
//     original yields something undefined.
//   * The cells have one root, and different bytes at known distances from it. Distances are small,
//     so that no sum wraps around to the other bytes.
#pragma once

#include "fact/places.h"

typedef struct {
    uint32_t root;    // register, or the number of registers plus a symbol; NO_ID: any address
    bool fixed;       // the distance is known
    int64_t from, to; // bytes `from` to `to` - 1 behind the root
    EffectiveType type;
} SliceCell;

typedef struct {
    const Func *func;
    const RegisterValue *values;
    uint32_t *root;    // register -> the root, a register; NO_ID
    int64_t *distance; // register -> from its root
} SliceRoots;

// `places` are those of the function. Linear.
SliceRoots slice_roots_of(Arena *arena, const Func *func, const Places *places);

// The cell of a load, store, volatile or atomic access that goes to no known object.
SliceCell slice_cell_moved(const SliceRoots *roots, const Instr *instr);
// So many bytes that begin at the address in a register, of any type.
SliceCell slice_cell_behind(const SliceRoots *roots, Reg reg, uint64_t size);

// Whether a store to one may change the other. Symmetrical.
bool slice_cells_meet(const SliceCell *a, const SliceCell *b);

// Sets of effective types: bit t for EffectiveType t.
typedef uint16_t SliceTypes;

static inline SliceTypes slice_type(EffectiveType type) {
    return (SliceTypes)(1u << type);
}
// Whether an access of one of some types meets one of the others.
static inline bool slice_types_meet(SliceTypes a, SliceTypes b) {
    SliceTypes any = slice_type(EFFECTIVE_ANY);
    return a && b && ((a | b) & any || a & b);
}
