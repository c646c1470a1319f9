// Where the values of a function are computed: a tree of blocks, as Imp has it. Private to src/imp.
//
// Values are placed from the last use to the first. One is placed when all its uses are, in the innermost block around all of
// them that is not inside of a loop that does not change it. So nothing is computed that is not needed on the way
// that is taken, with two exceptions, which docs/imp.md names. Values that are chosen by the same conditions in one block
// share one conditional; those that end with the same loop share that loop.
#pragma once

#include "imp/imp_values.h"

// What stands in a block, last first.
typedef enum { ITEM_VALUE, ITEM_LOOP, ITEM_IF } ItemKind;
typedef struct {
    ItemKind kind;
    uint32_t id; // value, loop, or conditional
} ImpItem;

// `at` is the item of `parent` that it is a part of; -1 if it comes behind all of them.
typedef struct {
    uint32_t parent;
    int64_t at;
    uint32_t depth, level;
    uint32_t branch; // the conditional it is a way of, or NO_ID; `way` of it
    uint32_t way;
    VEC(ImpItem) items;
} ImpBlock;

// A loop that is run: all that is closed by it.
typedef struct {
    bool wanted;
    uint32_t condition;
    uint32_t pending;               // values that it closes and that are not placed yet
    VEC(uint32_t) closes, changing; // values: of kind CLOSE and of kind LOOP
    uint32_t test, body, after; // blocks: in front of the test, in each iteration, behind the end
    uint32_t block;             // where it stands
    int64_t at;
} ImpLoopRun;

// A conditional: way i is taken if condition i holds and none before it; the last if none does.
typedef struct {
    uint32_t key;
    uint32_t example; // a value with its conditions
    uint32_t block;
    int64_t at;
    uint32_t first,
        ways; // in ImpSchedule.ways: blocks of the ways; the block of what is needed to test condition i + 1
    // is the parent of way i + 1
    VEC(uint32_t) values; // that it chooses
} ImpBranch;

// Where a value is needed, so far.
typedef struct {
    uint32_t pending; // uses that are not placed
    uint32_t uses;    // all of them
    uint32_t block;   // around those that are, or NO_ID
    int64_t at;       // the first of them in the block
    bool inlined;     // it has no place of its own: it is written where it is used
    bool guess;       // it may be computed without being needed
    // A condition in front of it, in the same expression, may decide that it is not needed; or that what it is a part of
    // in the end is not.
    bool lazy, unsure;
    bool across;  // computed on one way and used on another that is taken under the same conditions
    bool whole;   // must have a variable
    bool updates; // an array that takes the variable of the one it was made from
    bool next;    // it is what a value of a loop is in the next iteration, and nothing else
} ImpUse;

typedef struct {
    ImpValues *values;
    Arena *arena;
    ImpUse *uses;
    ImpLoopRun *runs;     // of loops
    VEC(ImpBlock) blocks; // 0 is the whole
    VEC(ImpBranch) branches;
    VEC(uint32_t) ways;
    uint32_t *key;  // of a GAMMA: number of its list of conditions
    uint32_t loose; // loops and effects that may be computed without being needed
} ImpSchedule;

// False after a message.
bool imp_schedule(ImpSchedule *schedule, Arena *arena, ImpValues *values, const uint32_t *roots,
                  uint32_t count);
