// Frame slots whose fields can be kept in registers: who uses a slot, and how an access changes
// when the slot's fields are registers. The pass split_slots and its checker share this file.
//
// Both rely on a fact about memory in places.h: an address that was never computed is known to
// nobody. So if the address of a slot gets only into registers that only accesses of this function
// use, then no other access, and no call, touches the slot.
#pragma once

#include "base/bits.h"
#include "graph/definitions.h"

// The address of a byte of a slot. `at` counts modulo 2^64.
typedef struct {
    uint32_t slot; // NO_ID: it is none
    uint64_t at;
} SlotAddress;

// The uses that a function makes of its slots.
typedef struct {
    const Func *func;
    // Register -> the address that the register holds wherever it is defined: it is no parameter,
    // and its only definition is the address of a slot, a move of such a register, or the sum of
    // such a register and a constant.
    SlotAddress *address;
    const Definition *definitions;
    // Slots of which more is done with the address than loads, stores, memcpy and memset at
    // constant places. All are, if a call may return twice: then memory keeps what registers lose.
    Bits escapes;
    // Slot -> the range in which lie all bytes that memcpy and memset write; empty if low >= high.
    struct {
        uint64_t low, high;
    } * filled;
} SlotUses;

SlotUses slot_uses_of(Arena *arena, const Func *func);
// The place in a slot that a load or store accesses; its slot is NO_ID if it accesses something
// else.
SlotAddress slot_accessed(const SlotUses *uses, const Instr *instr);
static inline bool instr_is_memcpy(const Instr *instr) {
    return instr->kind == I_BUILTIN && instr->op == BI_MEMCPY;
}
static inline bool instr_is_memset(const Instr *instr) {
    return instr->kind == I_BUILTIN && instr->op == BI_MEMSET;
}
// Whether an address operator or an access names a slot, by `ref`.
bool instr_names_slot(const Instr *instr);

// Whether all returns of a function yield one register, which is set once, to the address of a
// slot, and is no parameter: then the aggregate that is returned is none that the caller knows of.
// True, with NO_REG, if there is no return.
bool returns_slot(const Func *func, Reg *reg);

// ---- Fields

// Some bytes of a slot that a register holds, in its low bytes.
typedef struct {
    Slot slot;
    uint32_t at;
    uint32_t chunk; // i8, i16, i32, i64, f32 or f64
} SlotField;

// Slots to split, and the fields that the others see of them. A split slot is gone: its fields are
// registers, and the slots behind it move up.
typedef struct {
    const SlotUses *uses;
    Bits split;
    const SlotField *fields; // in order of slots and places, without overlap
    uint32_t *first;         // slot -> the first of its fields; the next slot's ends them
    uint32_t *number;        // slot -> its number among those that stay
    uint32_t reg;            // the register of field 0; the others follow
} SlotPlan;

SlotPlan slot_plan(Arena *arena, const SlotUses *uses, const Slot *slots, uint32_t slot_count,
                   const SlotField *fields, uint32_t field_count, uint32_t reg);

// The fate of an instruction.
//   KEPT      the instruction stays, but for the number of its slot
//   REPLACED  `code` replaces it, in this order; perhaps nothing
//   LOST      fields cannot express its effect; `reason` tells why
typedef enum { SLOT_KEPT, SLOT_REPLACED, SLOT_LOST } SlotOutcome;

typedef struct {
    Arena *arena;
    VEC(Instr) code; // without successors
    const char *reason;
} SlotCode;

SlotOutcome slot_rewrite(const SlotPlan *plan, const Instr *instr, SlotCode *out);
