// Programs with one small block of SSA in them, and all that the block may do, found by brute
// force: the oracle for the state machine that fires the operations of a block in any order.
//
// Nothing here uses the interpreter, or what src/fact knows of effects: the needs of operations are
// written down in block_orders.c once more, by hand, and memory is an array that every write
// copies.
#pragma once

#include "base/out.h"
#include "test/gen/random.h"

typedef enum {
    // total operators
    SMALL_CONST,
    SMALL_MOVE,
    SMALL_ADD,
    SMALL_SUB,
    SMALL_MUL,
    SMALL_XOR,
    SMALL_SEXT8,
    SMALL_LESS,
    SMALL_SELECT,
    // operators that may go wrong
    SMALL_DIVU,
    SMALL_MODS,
    // memory
    SMALL_LOAD,
    SMALL_STORE,
    SMALL_VOLATILE_LOAD,
    SMALL_VOLATILE_STORE,
    SMALL_ATOMIC_ADD,
    SMALL_MEMSET,
    SMALL_MEMCPY,
    SMALL_FENCE,
    // the world
    SMALL_CHECK,
    SMALL_PUTCHAR,
    SMALL_CALL, // of a function that changes memory
    SMALL_TICK, // of one that ends the program after some rounds
    // the way on
    SMALL_BRANCH,
    SMALL_RETURN,
    SMALL_KINDS
} SmallKind;

typedef enum {
    SMALL_STRAIGHT, // the block ends in a branch; behind it the ways join, and all values are printed
    SMALL_RETURNS, // it ends in a return
    SMALL_LOOP,    // it has phis and comes again, through an empty block, for some rounds
    SMALL_SELF,    // it has phis and is its own predecessor, until a call ends the program
    SMALL_SHAPES
} SmallShape;

enum {
    SMALL_OPS = 9,    // at most
    SMALL_WORDS = 4,  // of the memory @m, 32 bits each
    SMALL_PARAMS = 3, // of type i32: values 0, 1 and 2
    SMALL_PHIS = 3,   // values 3, 4 and 5; the last one counts rounds down in SMALL_LOOP
    SMALL_FIRST = SMALL_PARAMS + SMALL_PHIS, // value of the first operation
    SMALL_VALUES = SMALL_FIRST + SMALL_OPS,
    SMALL_ROUNDS = 3, // at most
};

typedef struct {
    SmallKind kind;
    uint8_t a, b, c; // values
    bool immediate;  // the second operand is imm
    uint8_t size;    // of an access: 1, 2 or 4 bytes
    bool extends;    // a load of 1 or 2 bytes extends the sign
    uint8_t place;   // of an access: offset in @m
    uint8_t index;   // of an access: 0 for none, else 1 or 2: that index times 4 is added
    int32_t imm;
} SmallOp;

typedef struct {
    SmallShape shape;
    uint32_t count;
    SmallOp ops[SMALL_OPS];
    uint8_t again[SMALL_PHIS]; // what a phi takes from the round before
    int32_t
        params[SMALL_PARAMS]; // what the block is entered with; in loops also what phis start with
    uint8_t index[2];         // below SMALL_WORDS
    int32_t memory[SMALL_WORDS]; // at first
    uint32_t rounds;
} SmallBlock;

SmallBlock small_block(uint64_t seed);
bool small_has_result(SmallKind kind);
// The program: main calls f, whose block it is. Every other block of it has one order only.
void small_print(Out *out, const SmallBlock *block);
// The node of f with which the block begins.
uint32_t small_head(const SmallBlock *block);

typedef enum { SMALL_ENDS, SMALL_TRAPS } SmallEnd;

typedef struct {
    SmallEnd end;
    bool differ;     // some order behaves otherwise than that of the text
    uint64_t orders; // of all operations of the block, whether or not one of them stops the program
    uint64_t sets;   // the same, where any number of operations may fire at once
    uint64_t rounds; // that came to their end
    uint64_t enumerated; // runs of the block that were made, over all rounds
    Out output;          // for out_free
} SmallRuns;

// Runs the program in all orders.
SmallRuns small_runs(const SmallBlock *block);
