// The selector, for its own files and for the part of it that each machine has (TargetSelect);
// select_code.c describes the selector.
#pragma once

#include "analysis/blocks.h"
#include "analysis/loops.h"
#include "base/bits.h"
#include "form/mach.h"
#include "hint/hints_mach.h"
#include "target/model.h"

// A register as some instruction reads it.
typedef struct {
    Reg reg;
    uint32_t def; // the item of the block that set it, plus one; 0: it was set before the block
} SelectValue;

// An operand of an operator: a value, or a constant integer (with the register that holds it, if
// there is one).
typedef struct {
    SelectValue value; // reg is NO_REG if there is only the constant
    Type type;
    bool constant;
    int64_t imm;
} SelectOperand;

// Who reads a value in the block at hand.
typedef struct {
    uint32_t block;        // plus one; for values from before the block: others are void
    uint32_t uses;         // operands in the block that read it
    uint32_t address_uses; // how many of these are parts of addresses
    uint32_t increment;    // an item that adds a constant to it, plus one; 0: none
    bool live_out;         // it is read in other blocks
} Reads;

// One instruction of the block at hand; nops are left out.
typedef struct {
    const Instr *instr;
    const Reg *args;
    uint32_t defs;     // SelectValue.def of argument k is Selector.defs.at[defs + k]
    uint32_t previous; // SelectValue.def of the destination before it is set here
    uint32_t memory;   // how many instructions of the block before may change memory or the world
    Reads reads;       // of the result
    bool needed;       // the result must be in its register
    // A check that an operator's result fits is done by the operator: behind the check, or in its
    // place.
    uint32_t check;  // of the operator: the check, plus one; 0: none
    bool merged;     // of the check: there is nothing left to do,
    uint32_t merges; // or the operator, plus one, whose result it puts
    Place merged_to; // here
    // A quotient and a remainder of the same numbers come from one division, at the first of them,
    bool divides_twice; // which this is; the result of the other goes to merged_to
} SelectItem;

// An address as it grows while what computes its parts is folded into it.
typedef struct {
    uint8_t base;  // MachBase
    uint8_t scale; // 0: no index
    uint32_t ref;
    SelectValue base_value, index;
    int64_t displacement;
} Address;

// Registers that hold addresses of symbols, each set once: at the start of a function or block.
typedef struct {
    Map places;       // Sym -> register
    VEC(Sym) symbols; // in the order in which they were asked for
} SymbolPool;

// Where the code of a block is, last instruction first.
typedef struct {
    uint32_t first, end;
} CodeSpan;

typedef struct {
    Arena *scratch;
    const Func *rtl;
    Func *func;
    const Program *program;
    const TargetModel *model;
    const struct TargetSelect *target;
    bool plain;
    Graph graph;
    Blocks blocks;
    LoopForest forest;
    bool *cold;        // per block: it ends the program, or only leads to where that is done
    SymbolPool global; // set at the function's start: for blocks in loops
    // Of each register: its only definition in the function, if that is a constant or an address.
    const Instr **constant;
    Bits constant_needed; // the register of a constant must be set where RTL sets it
    Bits constant_passed; // that place lies behind: it is set there, or never
    // The block at hand
    VEC(SelectItem) items;
    VEC(uint32_t) defs;
    Reads *entering;   // register -> who reads what it holds at the start
    uint32_t *current; // register -> SelectValue.def before the item at hand; all 0 between blocks
    uint32_t now;      // the item at hand
    bool at_entry;
    bool in_loop;     // and not leading to the end of the program
    SymbolPool local; // set at its start
    // Code
    VEC(MachInstr) group; // for the item at hand, in order
    VEC(MachInstr) code;  // of all blocks, each backward
    CodeSpan *spans;
    Place hidden;   // where the function's result is to be put, if that is in memory
    bool tail_call; // the function may end by tail calls
} Selector;

// ---- select_code.c: what is known at the item at hand

static inline SelectItem *sel_item(Selector *s, SelectValue value) {
    return value.def ? &s->items.at[value.def - 1] : NULL;
}
static inline SelectValue sel_arg(const Selector *s, const SelectItem *item, uint32_t k) {
    return (SelectValue){item->args[k], s->defs.at[item->defs + k]};
}
// How many arguments of an instruction with an address are registers of it; they come first.
static inline uint32_t sel_address_registers(const Instr *instr) {
    return (uint32_t)(instr->base == BASE_REG) + (instr->scale != 0);
}
const Reads *sel_reads(const Selector *s, SelectValue value);
// Operand k of an operator or condition.
SelectOperand sel_operand(const Selector *s, const SelectItem *item, uint32_t k);
SelectOperand sel_operand_of(const Selector *s, SelectValue value);
// The constant, address or float that a value is known to be; NULL if it is not.
const Instr *sel_constant(const Selector *s, SelectValue value);
// The operator that set a value in this block, if it yields the same now as it did then; else NULL.
const SelectItem *sel_again(Selector *s, SelectValue value);
// The same, if nothing else reads the value, so that folding it leaves nothing behind.
const SelectItem *sel_only(Selector *s, SelectValue value);
// The load that set a value, if nothing else reads it and it yields the same now.
const SelectItem *sel_load(Selector *s, SelectValue value);

// Appends an instruction for the item at hand.
void sel_put(Selector *s, MachInstr instr);
// Sets a place to what an operator without operands yields.
void sel_put_constant(Selector *s, const Instr *constant, Place dest);
Place sel_temp(Selector *s, Type type);
// A place that holds a value now. May append instructions that compute it.
Place sel_place(Selector *s, SelectValue value);
Place sel_operand_place(Selector *s, const SelectOperand *operand);
Place sel_constant_place(Selector *s, Type type, int64_t imm);
// A register that holds the address of a near symbol.
Place sel_symbol_place(Selector *s, Sym symbol);

static inline bool sel_fits(int64_t value) {
    return value == (int32_t)value;
}

// ---- The part that each machine has

typedef struct TargetSelect {
    // The address of an instruction that has one, and an address that starts at what a value points
    // to, with parts folded in as far as the machine has such addresses.
    Address (*address)(Selector *s, const SelectItem *item);
    Address (*address_at)(Selector *s, SelectValue pointer, int64_t displacement);
    // Puts an address into an instruction. May append instructions that compute parts of it.
    void (*set_address)(Selector *s, MachInstr *instr, Address address);
    // Computes an operator or load (the item at hand, or one that is folded into it) into a place.
    void (*compute)(Selector *s, const SelectItem *item, Place dest);
    void (*branch)(Selector *s, const SelectItem *item);
    void (*check)(Selector *s, const SelectItem *item);
} TargetSelect;

static inline Address sel_address(Selector *s, const SelectItem *item) {
    return s->target->address(s, item);
}
static inline Address sel_address_at(Selector *s, SelectValue pointer, int64_t displacement) {
    return s->target->address_at(s, pointer, displacement);
}
static inline void sel_set_address(Selector *s, MachInstr *instr, Address address) {
    s->target->set_address(s, instr, address);
}

// ---- select_memory.c

void sel_load_into(Selector *s, const SelectItem *item, Place dest);
// Makes a source of an instruction what a load fetches.
void sel_fold_load(Selector *s, MachInstr *instr, uint32_t source, const SelectItem *load);
void sel_store(Selector *s, const SelectItem *item);
// Makes a value a source of a store or other access: an immediate if it takes one.
void sel_set_stored(Selector *s, MachInstr *instr, uint32_t source, SelectValue value);
void sel_builtin(Selector *s, const SelectItem *item);

// ---- select_call.c

void sel_params(Selector *s);
void sel_call(Selector *s, const SelectItem *item);
void sel_return(Selector *s, const SelectItem *item);
// Whether the last two items are a call and the return of its result, to be done as one.
bool sel_is_tail_call(Selector *s);
// The function, with a return of its own behind each call that may be a tail call then.
const Func *sel_returns_behind_calls(const Selector *s, Arena *arena);
void sel_tail_call(Selector *s, const SelectItem *call);

// ---- select_order.c

void sel_find_cold(Selector *s);
// The order in which the blocks lie in memory, without those to which no edge leads any more, as
// its target is another. Yields how many there are.
uint32_t sel_order(const Selector *s, const uint32_t *target, uint32_t *order);
