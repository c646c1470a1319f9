// Chooses the places where the values of a function are computed: a tree of blocks, as in Imp. Only
// src/imp includes this header.
//
// Values are placed from the last use to the first: a value is placed when all its uses are.
//
// A total value stands in the innermost block around all its uses, outside of loops that do not
// change the value. A division there tests its operands first, unless the division is surely
// needed.
//
// A value that may go wrong otherwise, needs a loop or does something stands only where it is
// surely needed: in the outermost of the blocks around its uses in which a use, a test, or both
// ways of a conditional need the value. There may be several such blocks. If code in front of these
// blocks knows whether control will come to one of them, a new conditional with one place suffices
// (imp_guard.c). The others get copies of the code. A loop that has copies, or that other loops do
// not change, runs once only, as a variable tells whether the loop has run.
//
// Values that the same conditions choose in one block share one conditional; values that end with
// the same loop share that loop.
#pragma once

#include "imp/imp_values.h"

// The items of a block, last first.
typedef enum { ITEM_VALUE, ITEM_LOOP, ITEM_IF, ITEM_FLAG, ITEM_ONCE } ItemKind;
typedef struct {
    ItemKind kind;
    uint32_t id; // value, instance of a loop, conditional, flag to be cleared, or ImpOnce
} ImpItem;

// `at` is the item of `parent` of which it is a part; -1 if it comes behind all items.
typedef struct {
    uint32_t parent;
    int64_t at;
    uint32_t depth, level;
    uint32_t branch; // its conditional, of which it is way `way`; or NO_ID
    uint32_t way;
    uint32_t sibling; // the block that runs if this one does not, or NO_ID
    bool is_test;     // of a loop: what is in front of its test
    bool is_after;    // the code behind the loop
    bool entered;     // whenever its parent comes to it
    VEC(ImpItem) items;
} ImpBlock;

typedef struct {
    uint32_t block;
    int64_t at;  // the first item of the block that needs it
    bool sure;   // it is needed whenever the block runs
    bool inside; // ... if it is written in the expression that needs it
} ImpSpot;
typedef VEC(ImpSpot) ImpSpots;

// A loop that is run: all values that it closes.
typedef struct {
    bool wanted;
    uint32_t condition;
    uint32_t pending;               // values that it closes and that are not placed yet
    uint32_t instances;             // copies
    VEC(uint32_t) closes, changing; // values: of kind CLOSE and of kind LOOP
} ImpLoopRun;

typedef struct {
    uint32_t loop;
    uint32_t test, body, after; // blocks: in front of the test, in each iteration, behind the end
} ImpInstance;

// A block that runs unless the flag says that one with the same flag did.
typedef struct {
    uint32_t block, flag;
} ImpOnce;

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

typedef struct {
    uint32_t pending; // uses that are not placed
    uint32_t uses;    // all of them, copies not counted
    ImpSpots spots;   // where they are
    bool inlined;     // it has no place of its own: it is written at its use
    bool lazy;        // a condition in front of it, in the same expression, guards it
    bool across;      // its variable is read where Imp's rules do not see that it was written
    bool whole;       // must have a variable
    bool guarded;     // a division that must not go wrong: it may not be needed
    bool updates;     // an array that takes the variable of the one it was made from
    bool next;        // it is only the value of a loop's name in the next iteration
} ImpUse;

typedef struct {
    ImpValues *values;
    Arena *arena;
    ImpUse *uses;
    ImpLoopRun *runs;     // of loops
    VEC(ImpBlock) blocks; // 0 is the whole
    VEC(ImpBranch) branches;
    VEC(uint32_t) ways;
    VEC(ImpInstance) instances;
    VEC(ImpOnce) onces;
    uint32_t flags;
    bool reading; // there are effects: it is for reading, and all may stand in front of conditions
    uint32_t loose; // ... so many loops and effects do
    uint32_t *key;  // of a GAMMA: number of its list of conditions
} ImpSchedule;

// False after a message.
bool imp_schedule(ImpSchedule *schedule, Arena *arena, ImpValues *values, const uint32_t *roots,
                  uint32_t count);

// ---- Private to imp_schedule.c, imp_place.c and imp_guard.c

// Places of one value, or of all that a loop closes, in one run of the loop that it changes in.
typedef struct {
    ImpSpot top; // in front of all of them, in no loop that does not change it
    ImpSpots spots;
    bool
        across; // a use is on another way than its place, one that is taken under the same conditions
} ImpGroup;
typedef VEC(ImpGroup) ImpGroups;

// `early`: it may be computed without being needed.
ImpGroups imp_place(const ImpSchedule *s, Arena *arena, const ImpSpots *uses, uint32_t level,
                    bool early);

typedef struct {
    uint32_t id; // a condition
    bool holds;
} ImpLiteral;
typedef VEC(ImpLiteral) ImpLiterals; // all of them are so
typedef VEC(ImpLiterals) ImpWays;    // a disjunction of conjunctions

// Takes places out of the group that a single place replaces, in front of all of them, under the
// yielded ways (imp_guard.c).
ImpWays imp_guard(const ImpSchedule *s, Arena *arena, ImpGroup *group);
