// One instruction of x86-64, taken apart. insn.def lists the possible instructions: exactly those
// that gatecc writes.
//
// Operands come in the order of AT&T syntax, as the code that writes assembler text has them:
// sources first, the destination last. Encodings of one meaning give one Insn, but for `length` and
// the places of its fields: a displacement of eight bits or 32, a move by either of its two
// opcodes, a shift by one without its number. An instruction that works on the x87 stack alone has
// no operands: its mnemonic (INSN_FSTP_ST0, INSN_FUCOMI) says everything, as the assembler spells
// it, subr for sub included. The two registers of an xchg come in either order; memory comes last.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
#define MNEMONIC(name, text) INSN_##name,
#include "target/x64/object/insn.def"
    INSN_COUNT,
} InsnName;

typedef enum {
    INSN_OPERAND_NONE,
    INSN_OPERAND_REG,
    INSN_OPERAND_MEMORY, // the content of memory; of lea and nop the address only
    INSN_OPERAND_IMM,    // a number that is written in the instruction
    INSN_OPERAND_TARGET, // of a direct branch: `value` bytes behind the end of the instruction
} InsnOperandKind;

// Registers: 0 to 31 are those of MachineReg (rax .. r15, xmm0 .. xmm15).
enum { INSN_REG_RIP = 32, INSN_REG_NONE = 33 };

typedef enum { INSN_SEGMENT_NONE, INSN_SEGMENT_FS, INSN_SEGMENT_GS } InsnSegment;

typedef struct {
    uint8_t kind; // InsnOperandKind
    uint8_t
        width; // bytes of the register's part, of what is read or written in memory, or of the number; 0: no access
    uint8_t reg; // REG; ah, bh, ch, dh do not occur
    // MEMORY: segment:[base + index * scale + value]
    uint8_t segment;     // InsnSegment
    uint8_t base, index; // INSN_REG_RIP counts from the end of the instruction
    uint8_t scale;       // 1, 2, 4, 8; without an index 1
    // MEMORY: the displacement. IMM: the number, extended to 64 bits by its sign. TARGET: the
    // distance.
    int64_t value;
} InsnOperand;

enum { INSN_MAX_OPERANDS = 3, INSN_MAX_LENGTH = 15 };

typedef struct {
    uint8_t mnemonic;  // InsnName
    uint8_t condition; // Cond (model/x64.h) of INSN_JCC, INSN_SETCC, INSN_CMOVCC; else 0
    uint8_t width; // of the operation in bytes: what b, w, l, q at the end of mnemonics say; else 0
    uint8_t operands;
    bool lock, rep;
    bool notrack;   // of indirect branches
    bool cs_prefix; // of direct branches to thunks
    bool
        padded; // one of the two that ask for the address of a thread's datum, with the prefixes that do nothing
    uint8_t length;
    // Fields that relocations apply to, counted from the first byte; of size 0 if there are none.
    uint8_t displacement_at, displacement_size; // of the memory operand
    uint8_t number_at, number_size;             // of the immediate or the target
    InsnOperand operand[INSN_MAX_OPERANDS];
} Insn;

// Takes apart the instruction that `bytes` start with and reads no more than `size` of them. False
// if that is none that gatecc writes, or if it is encoded as the assembler would not: with prefixes
// that do nothing, in another order or twice. So each bit is either in *insn or has the only value
// that it may have.
bool insn_decode(const uint8_t *bytes, size_t size, Insn *insn);

// "add", "jcc"; of the table, without the letter of a width.
const char *insn_name(InsnName mnemonic);
