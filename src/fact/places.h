// The places in memory that a function names, and who may touch whose bytes.
//
// Two accesses are to one place if their addresses are written alike, they move as many bytes from
// or to registers of one type, and have one effective type. In SSA, between two executions of what
// defines the registers of an address, such accesses have one address. A base register that is
// defined as the address of a slot or symbol counts as that slot or symbol; an index register that
// is defined as a constant is part of the displacement.
//
// A caller that knows more about registers than their definitions can have places named by
// *values*: registers with one value then count as one register. A register must hold its value, or
// something with undefined bits, wherever it is set. This suffices because an access with an
// undefined address is a wrong step.
//
// The facts about the memory that programs run in (memory.h):
//
//   * An access whose address is written with a slot or symbol goes to that object, whatever index
//     is added, or is a wrong step (the interpreter's step_leaves). Distinct objects do not
//     overlap. Only symbols that are defined here, without being an alias, and cannot be replaced
//     by a definition elsewhere, count as objects; other symbols may be names for anything.
//   * An address in a register may go anywhere, because the program may add the distance of two
//     objects to it. The address of an object plus a constant lies in the object if the access
//     starts there. With an index the address may be anywhere, unless it starts from a private
//     slot: a program cannot compute a distance to a private slot.
//   * An address that was never computed is known to nobody. A slot is private if its address
//     occurs only in accesses of this function, memcpy and memset included: no call and no access
//     by another address touches it.
//   * What is known of the memory of the unit (unit_memory.h) is known here, if registers are known
//     by values. Only the calls that may write a hidden object, by its family, touch the object.
//     Accesses to ANYWHERE do not, unless the address of the object gets out of sight in this
//     function, is passed to parameters, or is what a call yields. A slot stays private if its
//     address is an argument for a plain parameter: then such a call accesses the slot as the
//     parameter says.
//   * Read-only objects are not written: a write to one is a wrong step.
//   * The contents of a place are what a load by the effective type of the place yields. A store by
//     a type that does not meet this type (effective_meets) leaves bytes to the load as they were,
//     or makes them undefined to the load. So everything that refined the contents refines them
//     still: the store touches no place of the other type. The contents of a plain place are the
//     bytes themselves, and what refines these refines what a load by any type yields.
#pragma once

#include "base/bits.h"
#include "base/hash.h"
#include "fact/unit_memory.h"

typedef struct {
    uint32_t object; // whose bytes these are
    uint32_t group;  // places whose addresses differ in the displacement only have one group
    int64_t at;      // displacement
    uint32_t size;
    Type type; // of the registers
    EffectiveType effective;
    uint32_t plain; // of a place with an effective type: the place of these bytes without one, or
                    // NO_ID if no access names it
} MemPlace;

enum { ANYWHERE = 0 }; // the object of an address about which nothing is known

typedef struct Places {
    uint32_t group_count;
    VEC(MemPlace) places; // numbered in order of the nodes that name them
    // Object -> whether accesses to ANYWHERE may write it, and, unless it has a family, calls.
    VEC(bool) shared;
    bool by_unit;           // the memory of the unit is known
    VEC(uint8_t) family_of; // object -> its family in the memory of the unit, or UNIT_OPEN
    UnitSet families;       // of all objects here
    UnitSet open_families;  // of objects that accesses to ANYWHERE may touch
    Map symbols; // symbol -> object, for accessed symbols; the object of a slot is 1 + slot
    // Node -> the place of its load, store, volatile or atomic access; the object that its memcpy
    // or memset writes. NO_ID for other nodes, and for accesses of which too little is known.
    uint32_t *target;
    const struct RegisterValue *values; // of each register: what the places were found by
} Places;

// The known contents of a register.
typedef struct RegisterValue {
    uint32_t value; // a number; NO_ID if nothing is known: then accesses by it may go anywhere
    uint16_t op;    // of an address (OP_ADDR_SLOT, OP_ADDR_SYMBOL) or OP_CONST_I64; else OP_COUNT
    uint32_t ref;   // of an address: the slot or symbol
    int64_t imm;    // of an address: what is added; the constant
} RegisterValue;

// A register that is known to hold a value: an address or a constant if `op` is such an operator,
// with its fields.
static inline RegisterValue register_value(uint32_t value, uint16_t op, uint32_t ref, int64_t imm) {
    if (op != OP_ADDR_SLOT && op != OP_ADDR_SYMBOL && op != OP_CONST_I64)
        return (RegisterValue){.value = value, .op = OP_COUNT};
    return (RegisterValue){.value = value, .op = op, .ref = ref, .imm = imm};
}

Places places_of(Arena *arena, const Func *func);
// `values` has one for each register. A slot is private only if each register that is made of its
// address, by an instruction or a phi, has an address in it as its value. A node that is not in
// `reached` is never executed, so that no address gets out of sight there; NULL: any node may be
// executed.
Places places_by_values(Arena *arena, const Func *func, const RegisterValue *values,
                        const Bits *reached);

// The slot to whose bytes a call hands an address, by its k-th argument, that the call uses for
// accesses only; NO_ID if there is none. `bits` are those of the parameter (UNIT_).
uint32_t places_passed(const Places *places, const Func *func, const Instr *call, uint32_t k,
                       uint32_t *bits);

// Some bytes of memory, given the known contents of registers.
typedef struct {
    BaseKind
        base; // SLOT, SYMBOL: they lie in that slot or own object. NONE: anywhere but in a private slot.
    uint32_t ref;
    bool fixed; // they begin at `at` in the object
    uint64_t at;
    uint64_t size;
} MemBytes;

// The bytes that a load, store, volatile or atomic access moves.
MemBytes places_moved(const Places *places, const Func *func, const Instr *instr);
// So many that begin at the address in a register, if that is where a known address leads.
MemBytes places_behind(const Places *places, const Func *func, Reg reg, uint64_t size);

// Whether two places of one group have a byte in common.
static inline bool places_overlap(const MemPlace *a, const MemPlace *b) {
    return (uint64_t)b->at - (uint64_t)a->at < a->size ||
           (uint64_t)a->at - (uint64_t)b->at < b->size;
}
