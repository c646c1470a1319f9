// Follows the addresses of a function's slots and parameters, to tell which objects others may know
// of.
//
// A register *carries* an object, a slot of the function or the object that a parameter leads to,
// if it may hold an address that was made from the object's address by moves and by sums with
// numbers. An instruction *exposes* the object if it uses the register for anything but
//
//   * an access at this address;
//   * a move or such a sum;
//   * a comparison with null, of an address that surely lies in the object;
//   * an argument of a function that does not expose the parameter, again of such an address.
//
// Why nobody else reaches an object that no executed instruction has exposed. The choice of
// addresses is no part of a program's meaning (docs/rtl.md): a run that goes right does so for
// every place of its objects. Let the object lie elsewhere from the beginning. Only registers that
// carry the object hold other values, each greater by the distance, because no instruction above
// lets anything else depend on the address: a comparison of null with an address in an object is
// false for every place. So the same run is taken. If an access by another address hit the object,
// it would miss the object in its other place, and hit none. An access by a register that carries
// the object, and never anything else, hits the object for the same reason. Each activation has its
// own slots, so the argument is about one activation, and about the time up to the first
// instruction that exposes.
//
// Sums of two registers that carry objects, differences and other comparisons expose: with them a
// program could compute the distance of two objects, or find an address bit by bit.
#pragma once

#include "base/bits.h"
#include "fact/places.h"
#include "fact/slice/slice_calls.h"

typedef struct {
    const Func *func;
    uint32_t count;    // of objects: the slots, then the parameters
    uint32_t *carries; // register -> the object, or NO_ID
    bool *number;      // register -> it may also hold something that is not made from the object
    bool *exact;       // register -> it is set once, to an address in the object
    Bits lost;         // objects of which nothing is known: one register carries two of them
} SliceCarriers;

// `places` are those of the function. Objects in `exposed` carry nothing; NULL: neither do the
// parameters. Linear.
SliceCarriers slice_carriers_of(Arena *arena, const Func *func, const Places *places,
                                const Bits *exposed);

typedef enum {
    SLICE_USE_NONE,     // the argument carries nothing, or nothing depends on the address
    SLICE_USE_ACCESS,   // memory is accessed there
    SLICE_USE_ARGUMENT, // a function accesses memory there, as SliceParam says
    SLICE_USE_EXPOSES,
} SliceUse;

// What an instruction does with the object that its k-th argument carries.
SliceUse slice_use_of(const SliceCarriers *carriers, const SliceCalls *calls, const Instr *instr,
                      uint32_t k);
