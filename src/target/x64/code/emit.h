// Types and functions that the files emit_*.c share to write the instructions of one function.
//
// An operand of the text is a register, an immediate, or memory. x64_two and similar functions
// write one line each. No function here decides where values are: the allocator does, under the
// constraints of target/x64/model/constraints.h, which also say which registers a sequence may
// destroy.
#pragma once

#include "assembly/debug.h"
#include "target/x64/code/frame_positions.h"
#include "target/x64/code/latency.h"
#include "target/x64/model/x64.h"

#include <assert.h>

typedef enum { W8, W16, W32, W64 } Width;

typedef enum {
    OPERAND_REGISTER,
    OPERAND_IMMEDIATE,
    OPERAND_AT,      // number(reg, index, scale)
    OPERAND_ADDRESS, // the address of an instruction, plus number
    OPERAND_POOL,    // a constant of the program's pool
    OPERAND_SYMBOL,  // a symbol plus number, with text around it
    OPERAND_THREAD,  // %fs:number
    OPERAND_LABEL
} X64OperandKind;

typedef struct {
    uint8_t kind;         // X64OperandKind
    uint8_t reg;          // MACHINE_REG_LIMIT: none
    uint8_t index, scale; // scale 0: no index
    uint32_t constant;    // POOL, SYMBOL, LABEL: which one
    int64_t number;
    const MachInstr *instr;
    const char *before, *after; // SYMBOL
} X64Operand;

typedef struct {
    Assembly *assembly;
    Out *out;
    const Program *program;
    const Func *func;
    Frame frame;
    uint32_t block_label;   // the label of block b is this plus b
    uint32_t instr;         // the one being written
    uint32_t next_block;    // the one that will lie behind the block being written
    const uint32_t *target; // per block: where a jump to it really goes
    uint32_t trap_label;    // where failed checks go; NO_ID if there are none so far
    uint32_t
        guard_label; // where a guard that was overwritten leads; NO_ID if none was asked so far
    uint32_t more_label,
        enough_label;       // split stacks: where another one is asked for, and where that goes on
    bool cfi;               // unwinders are told
    bool used_known;        // whether `used` is
    X64Regs used;           // the registers that its code mentions, see x64_clear_regs
    uint32_t return_label;  // of the epilogue that returns share; NO_ID if there is none so far
    uint32_t loc;           // the last one that was written
    bool in_prologue;       // the next one is where debuggers are to stop
    const DebugFunc *known; // what debuggers are told of the function, or NULL
    DebugLayout *layout;    // what is noted of its code, or NULL
    uint32_t node;          // of that: where the instruction before belongs to
    uint32_t
        *labels; // per instruction, and one more: for debuggers; NO_ID if none is needed; or NULL
    // What the instructions so far in the block have established: flags of the last line if it set
    // them by a value (then flags_at is the length of the output), registers whose upper halves are
    // zero.
    size_t flags_at;
    MachineReg flags_reg;
    Width flags_width;
    bool flags_logic; // carry and overflow are clear
    X64Regs short_regs;
} Emit;

// ---- Operands

static inline X64Operand x64_reg(MachineReg reg) {
    return (X64Operand){.kind = OPERAND_REGISTER, .reg = (uint8_t)reg};
}
static inline X64Operand x64_imm(int64_t number) {
    return (X64Operand){.kind = OPERAND_IMMEDIATE, .number = number};
}
static inline X64Operand x64_at(MachineReg reg, int64_t offset) {
    return (X64Operand){.kind = OPERAND_AT, .reg = (uint8_t)reg, .number = offset};
}
static inline X64Operand x64_frame_at(const Emit *e, int64_t offset) {
    return x64_at(e->frame.base, offset);
}
static inline X64Operand x64_address(const MachInstr *instr, int64_t offset) {
    return (X64Operand){.kind = OPERAND_ADDRESS, .instr = instr, .number = offset};
}
X64Operand x64_pool(Emit *e, uint32_t size, uint64_t low, uint64_t high);
X64Operand x64_place(const Emit *e, Place place);
// Source k of an instruction, wherever it is.
X64Operand x64_source(const Emit *e, const MachInstr *instr, uint32_t k);

static inline bool x64_is_reg(X64Operand operand) {
    return operand.kind == OPERAND_REGISTER;
}
static inline bool x64_is_vector(X64Operand operand) {
    return operand.kind == OPERAND_REGISTER && operand.reg >= M_XMM0;
}
static inline bool x64_is_general(X64Operand operand) {
    return operand.kind == OPERAND_REGISTER && operand.reg < M_XMM0;
}
static inline bool x64_is_imm(X64Operand operand) {
    return operand.kind == OPERAND_IMMEDIATE;
}
static inline bool x64_is_memory(X64Operand operand) {
    return operand.kind > OPERAND_IMMEDIATE;
}
static inline bool x64_same(X64Operand a, X64Operand b) {
    return a.kind == b.kind && a.reg == b.reg && a.constant == b.constant && a.number == b.number &&
           a.instr == b.instr;
}

// ---- Lines

// What is written from here on comes from an instruction, or NO_ID; for those who want to know.
static inline void x64_origin(const Emit *e, uint32_t instr) {
    AssemblyOrigins *origins = e->assembly->origins;
    if (!origins) return;
    vec_push(origins->arena, &origins->marks,
             (AssemblyOrigin){.at = e->out->length, .instr = instr});
}

// An operand as text.
void x64_operand(Emit *e, Width width, X64Operand operand);
void x64_plain(Emit *e, const char *text);
// The mnemonic gets the suffix of the width.
void x64_one(Emit *e, const char *mnemonic, Width width, X64Operand operand);
void x64_two(Emit *e, const char *mnemonic, Width width, X64Operand from, X64Operand to);
// The mnemonic is complete; registers are named by the widths.
void x64_full(Emit *e, const char *mnemonic, Width width, X64Operand operand);
void x64_mixed(Emit *e, const char *mnemonic, Width from_width, X64Operand from, Width to_width,
               X64Operand to);
// lea of disp(base, index, scale); scale 0: no index.
void x64_lea(Emit *e, Width width, int64_t displacement, MachineReg base, MachineReg index,
             uint32_t scale, MachineReg to);
void x64_label(Emit *e, uint32_t label);
// A jump ("jmp", "jne") to a label.
void x64_jump(Emit *e, const char *mnemonic, uint32_t label);

// ---- Moves

static inline Width x64_width(Type type) {
    return type == TYPE_I64 ? W64 : W32;
}
void x64_constant(Emit *e, Type type, int64_t bits, X64Operand to);
// A value of a type between a register and a register or memory.
void x64_move(Emit *e, Type type, X64Operand from, X64Operand to);
// A chunk in memory into a register.
void x64_load(Emit *e, Chunk chunk, X64Operand from, X64Operand to);
void x64_store(Emit *e, Chunk chunk, X64Operand from, X64Operand to);
// Source k into a register; a chunk if it is in memory.
void x64_fetch(Emit *e, const MachInstr *instr, uint32_t k, Type type, X64Operand to);
// Notes that the line just written set the flags by what it put into a register.
void x64_note_flags(Emit *e, X64Operand result, Width width, bool logic);

// ---- Conditions: what to ask of the flags (model/x64.h)

// Where failed checks go.
static inline uint32_t x64_trap_label(Emit *e) {
    if (e->trap_label == NO_ID) e->trap_label = assembly_label(e->assembly);
    return e->trap_label;
}

// A jump to a label on a condition, parity aside.
void x64_jump_if(Emit *e, uint32_t code, uint32_t label);
// Compares sources 0 and 1 of OP, SELECT or BRANCH.
FlagCondition x64_condition(Emit *e, const MachInstr *instr);

// ---- What unwinders are told

// rsp is so many bytes below the end of the caller's frame.
void x64_tell_distance(Emit *e, uint64_t distance);   // emit_frame.c
void x64_cfi_printf(Emit *e, const char *format, ...) // a directive
    __attribute__((format(printf, 2, 3)));

// ---- Protection: emit_protect.c

// Sets the guard, if there is one, and sees that it is what it was. What this destroys are r11 or
// the register that is given, and the flags.
void x64_set_guard(Emit *e);
void x64_check_guard(Emit *e, MachineReg through);
// The code behind the function where a check of it goes that fails.
void x64_guard_failure(Emit *e);
// Lowers rsp by the frame's size, from a distance below the end of the caller's frame.
void x64_lower_stack(Emit *e, uint64_t distance);
// Sees whether the frame fits the stack; behind the function: asks for a stack that it fits.
void x64_see_stack(Emit *e);
void x64_ask_for_stack(Emit *e);
// Clears the registers that are to be cleared before a return.
void x64_clear_regs(Emit *e, const MachInstr *instr);

// ---- Branches: emit_branch.c

void x64_mark_entry(Emit *e);  // where a function begins
void x64_mark_target(Emit *e); // what an indirect branch may lead to
void x64_jump_to(Emit *e, MachineReg reg);
// A call or jump to an address that is in a register or in memory.
void x64_branch_to(Emit *e, bool calls, X64Operand target);
void x64_jump_by_table(Emit *e);
// To the address that a table has at the place in r11.
void x64_jump_by_addresses(Emit *e, uint32_t table); // r11 holds the address
void x64_put_return(Emit *e);
void x64_call_library(Emit *e, const char *name);

// ---- The parts, one file each

void x64_prologue(Emit *e); // emit_frame.c
// Sets rbx to what slots are found by, if they are found by it: rsp as the prologue left it.
void x64_put_found_base(Out *out, const Frame *frame);
// Undoes the frame; after the instruction that leaves comes code that has it again, unless this is
// the last.
void x64_epilogue(Emit *e, bool last);
void x64_after_epilogue(Emit *e, bool last);

// A row of sequences.def: the first text that fits the places. (emit_row.c)
void x64_row(Emit *e, const MachInstr *instr, const char *row);
// A text that was put together, which is freed.
void x64_composed(Emit *e, const MachInstr *instr, Out *text);
void x64_lines(Emit *e, Out *text);               // that stands for no instruction
void x64_x87_load(Emit *e, X64Operand from);      // pushes an f80; emit_move.c
void x64_x87_store(Emit *e, X64Operand to);       // pops one
void x64_set(Emit *e, const MachInstr *instr);    // emit_compare.c
void x64_choose(Emit *e, const MachInstr *instr); // emit_compare.c
void x64_select(Emit *e, const MachInstr *instr); // emit_compare.c
// emit_switch.c
void x64_switch(Emit *e, const MachInstr *instr, const uint32_t *succs, uint32_t count);
void x64_call(Emit *e, const MachInstr *instr);       // emit_call.c
void x64_tail_call(Emit *e, const MachInstr *instr);  // emit_call.c
void x64_return(Emit *e, const MachInstr *instr);     // emit_call.c
void x64_builtin(Emit *e, const MachInstr *instr);    // emit_builtin.c
void x64_inline_asm(Emit *e, const MachInstr *instr); // emit_asm.c
// Copies a number of bytes through xmm15 and r11.
void x64_copy(Emit *e, uint64_t size, MachineReg from, MachineReg to);

// ---- As TargetCode has them

uint32_t x64_func(Assembly *assembly, const Func *func); // emit_func.c
void x64_thunks(Assembly *assembly);                     // emit_branch.c
