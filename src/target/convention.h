// Calling conventions: where the pieces of arguments and results are. The target classifies
// (TargetModel.classify).
#pragma once

#include "form/mach.h"

typedef enum { PIECE_REGISTER, PIECE_STACK } PieceWhere;

// Arguments that need as much of the stack cannot be passed; no more is counted.
#define CONVENTION_STACK_LIMIT ((uint32_t)1 << 28)

// A piece of an argument or result: a whole scalar, one register's worth of an aggregate, or an
// aggregate in memory.
typedef struct {
    uint32_t param;  // index of the parameter; NO_ID: the hidden address for a result in memory
    uint32_t offset; // in the aggregate
    uint32_t size;   // bytes that it carries
    Type type;       // of the register that carries it; TYPE_VOID: an aggregate in memory
    uint8_t where;   // PieceWhere
    StoredReg reg;   // of a result that is in no register: its number
    uint32_t stack;  // offset in the area of stack arguments
} Piece;

typedef struct Convention {
    VEC(Piece) arguments; // all pieces, in order of parameters; the hidden address first
    VEC(Piece)
    results;             // of a scalar, or of an aggregate in registers; for a result in memory the
                         // address that comes back
    uint32_t stack_size; // of the area of stack arguments, a multiple of 8
    uint32_t alignment;  // of the stack at a call: 16, or more if an argument asks for it
    uint32_t vector_count, general_count; // argument registers used
    bool hidden;                          // the result is in memory, its address is passed first
    bool passable; // its types exist and can be passed; if not, nothing of the above is known
    // Of `arguments`, ascending: which are in registers, which on the stack.
    VEC(uint32_t) in_registers;
    VEC(uint32_t) on_stack;
} Convention;

// The convention of a signature that exists; for a call, of the call's own, with all arguments that
// are passed. It is found once for each signature and lives as long as the program: a call in
// machine code is short however many arguments its signature has.
const Convention *convention_of(const Program *program, Sig sig);

// The number of the first piece of a parameter in `arguments`; NO_ID if there is none.
uint32_t convention_first_piece(const Convention *convention, uint32_t param);
// The argument on the stack that has a byte at the offset; NULL if there is none.
const Piece *convention_stack_argument(const Convention *convention, int64_t offset);
