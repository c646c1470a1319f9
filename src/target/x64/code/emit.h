// Writing the instructions of one function: what the files emit_*.c share.
//
// An operand is what stands in the text: a register, an immediate, or memory. asm_two and its like
// write one line each. Nothing here decides where values are: that is the allocator's, under the
// constraints of target/x64/model/constraints.h, which also say which registers a sequence may destroy.
#pragma once

#include "mach/debug.h"
#include "mach/frame.h"
#include "target/x64/model/x64.h"

#include <assert.h>

typedef enum { W8, W16, W32, W64 } Width;

typedef enum {
    OPERAND_REGISTER,
    OPERAND_IMMEDIATE,
    OPERAND_AT,      // number(reg)
    OPERAND_ADDRESS, // the address of an instruction, plus number
    OPERAND_POOL     // a constant of the program's pool
} OperandKind;

typedef struct {
    uint8_t kind; // OperandKind
    uint8_t reg;
    uint32_t constant;
    int64_t number;
    const MachInstr *instr;
} Operand;

typedef struct {
    Assembly *assembly;
    Out *out;
    const Program *program;
    const Func *func;
    Frame frame;
    uint32_t block_label;   // the label of block b is this plus b
    uint32_t next_block;    // the one that will lie behind the block being written
    const uint32_t *target; // per block: where a jump to it really goes
    uint32_t trap_label;    // where failed checks go; NO_ID if there are none so far
    uint32_t return_label;  // of the epilogue that returns share; NO_ID if there is none so far
    uint32_t loc;           // the last one that was written
    bool in_prologue;       // the next one is where debuggers are to stop
    const DebugFunc *known; // what debuggers are told of the function, or NULL
    uint32_t scope;         // that of the instruction before
    // What the instructions so far in the block have established: flags of the last line if it set
    // them by a value (then flags_at is the length of the output), registers whose upper halves are
    // zero.
    size_t flags_at;
    MachineReg flags_reg;
    Width flags_width;
    bool flags_logic; // carry and overflow are clear
    MachineSet short_regs;
} Emit;

// ---- Operands

static inline Operand asm_reg(MachineReg reg) {
    return (Operand){.kind = OPERAND_REGISTER, .reg = (uint8_t)reg};
}
static inline Operand asm_imm(int64_t number) {
    return (Operand){.kind = OPERAND_IMMEDIATE, .number = number};
}
static inline Operand asm_at(MachineReg reg, int64_t offset) {
    return (Operand){.kind = OPERAND_AT, .reg = (uint8_t)reg, .number = offset};
}
static inline Operand asm_frame_at(const Emit *e, int64_t offset) {
    return asm_at(e->frame.base, offset);
}
static inline Operand asm_address(const MachInstr *instr, int64_t offset) {
    return (Operand){.kind = OPERAND_ADDRESS, .instr = instr, .number = offset};
}
Operand asm_pool(Emit *e, uint32_t size, uint64_t low, uint64_t high);
Operand asm_place(const Emit *e, Place place);
// Source k of an instruction, wherever it is.
Operand asm_source(const Emit *e, const MachInstr *instr, uint32_t k);
// The same operand, so many bytes further on in memory.
Operand asm_further(Operand operand, int64_t bytes);

static inline bool asm_is_reg(Operand operand) {
    return operand.kind == OPERAND_REGISTER;
}
static inline bool asm_is_vector(Operand operand) {
    return operand.kind == OPERAND_REGISTER && operand.reg >= M_XMM0;
}
static inline bool asm_is_general(Operand operand) {
    return operand.kind == OPERAND_REGISTER && operand.reg < M_XMM0;
}
static inline bool asm_is_imm(Operand operand) {
    return operand.kind == OPERAND_IMMEDIATE;
}
static inline bool asm_is_memory(Operand operand) {
    return operand.kind > OPERAND_IMMEDIATE;
}
static inline bool asm_same(Operand a, Operand b) {
    return a.kind == b.kind && a.reg == b.reg && a.constant == b.constant && a.number == b.number &&
           a.instr == b.instr;
}

// ---- Lines

void asm_plain(Emit *e, const char *text);
// The mnemonic gets the suffix of the width.
void asm_one(Emit *e, const char *mnemonic, Width width, Operand operand);
void asm_two(Emit *e, const char *mnemonic, Width width, Operand from, Operand to);
// The mnemonic is complete; registers are named by the widths.
void asm_full(Emit *e, const char *mnemonic, Width width, Operand operand);
void asm_mixed(Emit *e, const char *mnemonic, Width from_width, Operand from, Width to_width,
               Operand to);
// A shift by an immediate or by cl.
void asm_shift_by(Emit *e, const char *mnemonic, Width width, Operand count, Operand to);
// A line with a symbolic address: text before it, offset, text after it, and a register.
void asm_symbol(Emit *e, const char *before, Sym symbol, int64_t offset, const char *after,
                Width width, Operand to);
void asm_three(Emit *e, const char *mnemonic, Width width, int64_t number, Operand from,
               Operand to);
// The mnemonic gets ss or sd.
void asm_scalar(Emit *e, const char *mnemonic, Type type, Operand from, Operand to);
// lea of disp(base, index, scale); scale 0: no index.
void asm_lea(Emit *e, Width width, int64_t displacement, MachineReg base, MachineReg index,
             uint32_t scale, MachineReg to);
void asm_label(Emit *e, uint32_t label);
// A jump ("jmp", "jne") to a label.
void asm_jump(Emit *e, const char *mnemonic, uint32_t label);

// ---- Moves

static inline Width asm_width(Type type) {
    return type == TYPE_I64 ? W64 : W32;
}
void asm_constant(Emit *e, Type type, int64_t bits, Operand to);
// A value of a type between a register and a register or memory.
void asm_move(Emit *e, Type type, Operand from, Operand to);
// A chunk in memory into a register.
void asm_load(Emit *e, Chunk chunk, Operand from, Operand to);
void asm_store(Emit *e, Chunk chunk, Operand from, Operand to);
// Source k into a register; a chunk if it is in memory.
void asm_fetch(Emit *e, const MachInstr *instr, uint32_t k, Type type, Operand to);
// Notes that the line just written set the flags by what it put into a register.
void asm_note_flags(Emit *e, Operand result, Width width, bool logic);

// ---- Conditions: what to ask of the flags

typedef enum {
    CC_E,
    CC_NE,
    CC_L,
    CC_GE,
    CC_LE,
    CC_G,
    CC_B,
    CC_AE,
    CC_BE,
    CC_A,
    CC_P,
    CC_NP,
    CC_S,
    CC_NS
} ConditionCode; // the opposite differs in the lowest bit

// ALSO_ORDERED: and the operands were ordered. OR_UNORDERED: or they were not.
typedef enum { PARITY_ANY, PARITY_ALSO_ORDERED, PARITY_OR_UNORDERED } Parity;

typedef struct {
    uint8_t code;   // ConditionCode
    uint8_t parity; // Parity
} Condition;

const char *asm_jump_name(ConditionCode code);
Condition asm_not(Condition condition);
// Compares sources 0 and 1 of OP, SELECT or BRANCH.
Condition asm_condition(Emit *e, const MachInstr *instr);

// ---- The parts, one file each

// The body of a function; yields the first location in it.
uint32_t asm_func(Assembly *assembly, const Func *func); // emit_func.c

void asm_prologue(Emit *e); // emit_frame.c
// Sets rbx to what slots are found by, if they are found by it: rsp as the prologue left it.
void asm_find_base(Emit *e);
// Undoes the frame; after the instruction that leaves comes code that has it again, unless this is
// the last.
void asm_epilogue(Emit *e, bool last);
void asm_after_epilogue(Emit *e, bool last);

void asm_op(Emit *e, const MachInstr *instr);     // emit_op.c
void asm_update(Emit *e, const MachInstr *instr); // emit_op.c
void asm_float(Emit *e, const MachInstr *instr);  // emit_float.c
void asm_x87(Emit *e, const MachInstr *instr);    // emit_x87.c
void asm_x87_load(Emit *e, Operand from);         // pushes an f80
void asm_x87_store(Emit *e, Operand to);          // pops one
void asm_set(Emit *e, const MachInstr *instr);    // emit_compare.c
void asm_choose(Emit *e, const MachInstr *instr); // emit_compare.c
void asm_select(Emit *e, const MachInstr *instr); // emit_compare.c
// emit_switch.c
void asm_switch(Emit *e, const MachInstr *instr, const uint32_t *succs, uint32_t count);
void asm_call(Emit *e, const MachInstr *instr);      // emit_call.c
void asm_tail_call(Emit *e, const MachInstr *instr); // emit_call.c
void asm_return(Emit *e, const MachInstr *instr);    // emit_call.c
void asm_builtin(Emit *e, const MachInstr *instr);   // emit_builtin.c
void asm_statement(Emit *e, const MachInstr *instr); // emit_asm.c
void asm_atomic(Emit *e, const MachInstr *instr);    // emit_atomic.c
void asm_va_start(Emit *e, const MachInstr *instr);  // emit_variable.c
void asm_va_arg(Emit *e, const MachInstr *instr);    // emit_variable.c
// Up to eight bytes at `from` into a general register, zeros above; back, destroying the register.
void asm_load_part(Emit *e, uint32_t size, Operand from, MachineReg to);
void asm_store_part(Emit *e, uint32_t size, MachineReg from, Operand to);
// Copies a number of bytes through xmm15 and r11.
void asm_copy(Emit *e, uint64_t size, MachineReg from, MachineReg to);
