// The machine form: the blocks of a function of FORM_MACH, which has no nodes.
//
// A function is a list of basic blocks in the order in which they will lie in memory, each a run of
// instructions whose last one names the successors. An instruction is something that the machine
// can do at once or in a short fixed sequence: an operator of ops.def whose operands are in places,
// or immediate, or (at most one operand) in memory. So ops.def gives the meaning of the operators,
// and no second table of meanings is needed. Comparisons never leave flags behind: the comparison
// and its use (set, select, branch) are one instruction.
//
// The form comes in two states. Unbounded: places are registers of the function (Func.regs).
// Allocated: places are machine registers and spills, and each instruction obeys the constraints of
// the machine (constraints.h). Fixed registers, two-address operands and the registers that a call
// destroys are constraints, never instructions of the unbounded state.
#pragma once

#include "form/program.h"
#include "form/registers.h"

// ---- Places

// Where a value is: a register of the function, a machine register, or a spill (a private 8 or 16
// bytes of the frame whose address nobody knows).
typedef struct {
    uint32_t i;
} Place;

#define NO_PLACE ((Place){NO_ID})

typedef enum { PLACE_REG, PLACE_MACHINE, PLACE_SPILL, PLACE_NONE } PlaceKind;

enum { PLACE_SHIFT = 30, PLACE_MASK = (1 << 30) - 1 };

static inline PlaceKind place_kind(Place place) {
    return (PlaceKind)(place.i >> PLACE_SHIFT);
}
static inline uint32_t place_index(Place place) {
    return place.i & PLACE_MASK;
}
static inline Place place_of_reg(Reg reg) {
    return (Place){reg.i};
}
static inline Reg place_reg(Place place) {
    return (Reg){place.i};
}

static inline Place place_machine(MachineReg reg) {
    return (Place){(uint32_t)PLACE_MACHINE << PLACE_SHIFT | (uint32_t)reg};
}
static inline Place place_spill(uint32_t spill) {
    return (Place){(uint32_t)PLACE_SPILL << PLACE_SHIFT | spill};
}
static inline bool place_is_machine(Place place) {
    return place_kind(place) == PLACE_MACHINE;
}
static inline bool place_is_spill(Place place) {
    return place_kind(place) == PLACE_SPILL;
}

// ---- Instructions

// Where an address starts. INCOMING: the arguments that the caller left on the stack. OUTGOING:
// those that the next call will take from the stack.
typedef enum { MB_NONE, MB_PLACE, MB_SYMBOL, MB_SLOT, MB_INCOMING, MB_OUTGOING } MachBase;

enum { MACH_SOURCES = 4, NO_SOURCE = 255 };

typedef struct MachInstr {
    uint8_t kind;      // MachKind
    uint8_t base;      // MachBase, if it has an address
    uint8_t scale;     // 1, 2, 4, 8 if the address has an index, else 0
    uint8_t chunk;     // Chunk of what is at the address
    uint8_t memory;    // which source is what is at the address, not a place; NO_SOURCE if none
    uint8_t immediate; // which source is imm; NO_SOURCE if none
    bool addressed;    // it has an address
    bool
        tested; // OP, SELECT, CHECK, BRANCH with an integer comparison: compares src 0 & src 1 with 0
    bool checked; // OP with add, sub or mul of integers: it traps if the signed result does not fit
    uint16_t op;  // Op, or Builtin
    uint16_t high; // sign and exponent of a const.f80; byte of a memset with `immediate` 1
    Place dest;
    Place src[MACH_SOURCES]; // NO_PLACE where memory, immediate or not there
    Place base_place, index;
    int32_t displacement;
    uint32_t ref;       // Slot or Sym of the address or address operator; Sym called
    uint32_t aux;       // Sig of a call; PType of va_arg; order of an atomic access; Type of a
                        // select; first case of a switch in Func.case_pool
    int64_t imm;        // immediate, constant's bits, size, displacement of an address operator
    uint32_t list;      // CALL, TAIL_CALL, PARAMS, RETURN: index of the first result in Mach.lists;
    uint32_t results;   // so many results,
    uint32_t arguments; // then so many arguments
    uint32_t loc;
    uint32_t
        node; // the RTL node for which it was selected, or NO_ID: only debug information depends on
              // it
} MachInstr;

typedef struct MachBlock {
    uint32_t first, count;      // instructions: Mach.code[first .. first + count - 1]
    uint32_t succs, succ_count; // Mach.succs[succs .. ]: block numbers
} MachBlock;

typedef struct {
    uint32_t size; // 8 or 16
} MachSpill;

typedef struct Mach {
    bool allocated;
    VEC(MachInstr) code;
    VEC(MachBlock) blocks;
    VEC(uint32_t) succs;
    VEC(Place) lists;
    VEC(MachSpill) spills; // allocated
    MachineRegSet
        saved; // allocated: the callee-saved registers that the function saves and restores
} Mach;

static inline const MachBlock *mach_block(const Func *func, uint32_t block) {
    return &func->mach->blocks.at[block];
}
// The lists of a function that has none are NULL, to which even 0 must not be added.
static inline const uint32_t *mach_succs(const Func *func, const MachBlock *block) {
    return func->mach->succs.at ? func->mach->succs.at + block->succs : NULL;
}
static inline const MachInstr *mach_at(const Func *func, uint32_t instr) {
    return &func->mach->code.at[instr];
}
static inline const Place *mach_results(const Func *func, const MachInstr *instr) {
    return func->mach->lists.at ? func->mach->lists.at + instr->list : NULL;
}
static inline const Place *mach_arguments(const Func *func, const MachInstr *instr) {
    return func->mach->lists.at ? func->mach->lists.at + instr->list + instr->results : NULL;
}
// The places that an instruction reads, and then the places that it sets: its operands in a fixed
// order, NO_PLACE where there is none. Destroyed machine registers are a constraint
// (constraints.h).
enum { MACH_PLAIN_READS = MACH_SOURCES + 2 };
static inline uint32_t mach_read_count(const MachInstr *instr) {
    return MACH_PLAIN_READS + instr->arguments;
}
static inline Place mach_read_at(const Func *func, const MachInstr *instr, uint32_t k) {
    if (k < MACH_SOURCES) return instr->src[k];
    if (k == MACH_SOURCES) return instr->base_place;
    if (k == MACH_SOURCES + 1) return instr->index;
    return mach_arguments(func, instr)[k - MACH_PLAIN_READS];
}
static inline uint32_t mach_set_count(const MachInstr *instr) {
    return 1 + instr->results;
}
static inline Place mach_set_at(const Func *func, const MachInstr *instr, uint32_t k) {
    return k == 0 ? instr->dest : mach_results(func, instr)[k - 1];
}
// Whether all instructions of this one's kind have these fields. What has not been verified may be
// of no kind.
static inline bool mach_has(const MachInstr *instr, uint32_t fields) {
    return instr->kind < MACH_KIND_COUNT && mach_kind_has((MachKind)instr->kind, fields);
}
// Whether an instruction applies its operator: elsewhere an operator only tells a type.
static inline bool mach_operates(const MachInstr *instr) {
    return mach_has(instr, MACH_OPERATION) || mach_has(instr, MACH_CONDITION) ||
           mach_has(instr, MACH_MOVE);
}
// The type of the destination of an instruction that is no builtin.
static inline Type mach_result_type(const MachInstr *instr) {
    if (mach_has(instr, MACH_TYPE)) return (Type)instr->aux;
    if (mach_has(instr, MACH_OPERATOR)) return op_info(instr->op)->result;
    return mach_has(instr, MACH_CHUNK) ? chunk_type((Chunk)instr->chunk) : TYPE_I64;
}
// Whether a CALL or TAIL_CALL calls the symbol `ref`; a callee at an address may have a symbol of
// its own.
static inline bool mach_calls_symbol(const MachInstr *instr) {
    return instr->memory == NO_SOURCE && instr->src[0].i == NO_ID;
}
// The case values of a SWITCH that ends a block, ascending; there are succ_count - 1.
static inline const int64_t *mach_cases(const Func *func, const MachInstr *instr) {
    return func->case_pool.at ? func->case_pool.at + instr->aux : NULL;
}
// The symbol to which an instruction refers, in its address, as its callee or as its operand;
// NO_SYM if there is none.
Sym mach_symbol(const MachInstr *instr);
// Whether two instructions are the same, perhaps with other places and from other lines.
bool mach_same_but_places(const MachInstr *a, const MachInstr *b);
// An instruction with nothing set: no places, no memory, no immediate.
MachInstr mach_instr(MachKind kind);

// ---- Building. A function of FORM_MACH has a Mach and no nodes. Registers and slots are as in
// RTL; allocated, it has no registers and no parameters.

// An empty function in the unbounded or allocated state, with the slots and cases of another, and,
// unbounded, its registers and parameters.
Func *mach_like(const Func *func, Arena *arena, bool allocated);
// Opens the next block; instructions are appended to the last one. mach_end closes it.
uint32_t mach_open(Func *func);
uint32_t mach_add(Func *func, MachInstr instr);
// Sets the list of an instruction that is to be added.
void mach_set_list(Func *func, MachInstr *instr, const Place *results, uint32_t result_count,
                   const Place *arguments, uint32_t argument_count);
void mach_end(Func *func, const uint32_t *succs, uint32_t count);

// Whether a symbol's address can stand in an address (relative to the instruction, or absolute);
// otherwise it must be fetched from a table by addr into a register first.
bool mach_symbol_is_near(const Program *program, Sym symbol);
// Whether addr of a thread's datum calls a function for it: code of an object that may be loaded at
// any time does not know how far from the thread's pointer the object's data of threads will lie.
bool mach_asks_for_address(const Program *program, const MachInstr *instr);

// The bytes that slots take, with all padding they may need; no more than UINT32_MAX is counted.
uint64_t mach_slot_bytes(const Func *func);
// Slots, spills and arguments of calls take no more than this.
#define MACH_FRAME_LIMIT ((uint64_t)3 << 29)

// Whether a function sees, when it is entered, whether its frame fits the stack.
bool mach_splits_stack(const Func *func);

// The block that an instruction is in; NO_ID if the blocks are so wrong that it is in none. It
// takes time in their number.
uint32_t mach_block_of(const Func *func, uint32_t instr);

// Predecessors of blocks: list[first[b] .. first[b + 1] - 1], ascending.
typedef struct {
    uint32_t *first, *list;
} MachPreds;
MachPreds mach_preds(Arena *arena, const Func *func);

// Where a jump to each block really goes: past blocks that only jump on, which are not written
// unless they are the entry. A ring of such blocks ends where it was entered.
uint32_t *mach_jump_targets(Arena *arena, const Func *func);

// The RTL function that a machine function stands for: its places are registers of it, its areas of
// arguments are slots. The run of this function defines the run of the machine function.
const Func *mach_reading(Arena *arena, const Func *func);
