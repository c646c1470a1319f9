// The accepted state of a compilation: the present function, and the bodies on offer. The pipeline
// asks here for a verdict on each output of a pass; commit.c argues why accepted functions are
// right.
#pragma once

#include "check/clauses/obligations.h"
#include "check/passes.h"

// STEPS   every step by its checker, if it has one
// MATRIX  by a second opinion, too, where there is one: gates by the obligations of Herklotz et
//         al., entry by entry
// OFF     nothing is checked
// FAST    excursions as one, even if the steps inside have checkers: what a certificate is made of
typedef enum { CHECK_STEPS, CHECK_MATRIX, CHECK_OFF, CHECK_FAST } CheckMode;

typedef struct Commit Commit;

// In the arena; commit_free releases the memory it works in.
Commit *commit_new(Arena *arena);
void commit_free(Commit *commit);

// Functions of a program follow, from the form that the program has of each. Tables about them are
// in the arena.
void commit_open(Commit *commit, const Program *program, bool may_be_offered, Arena *arena);
void commit_close(Commit *commit);
// Before that: what is claimed about the memory of the program. If the claims are right, steps may
// use them from now on; NULL: nothing is claimed.
Verdict commit_claim(Commit *commit, Program *program, struct UnitMemory *claims);

// ---- One function

typedef struct {
    CheckMode check;
    const Refuter *refuter; // of second opinions: finds proofs, which are checked
    const Bodies *bodies;   // that may be copied by a function of no program; NULL: none
} CommitRules;

// A function, which has been verified, is accepted as it is.
void commit_begin(Commit *commit, const CommitRules *rules, const Func *func);
const Func *commit_accepted(const Commit *commit);

// Rooms for the outputs of transforms. A new room is empty, and is neither that of the accepted
// function nor the other one; COMMIT_ROOMS is no room.
enum { COMMIT_ROOMS = 3 };
uint32_t commit_room(Commit *commit, uint32_t other);
Arena *commit_arena(const Commit *commit, uint32_t room);

typedef struct {
    double verify_seconds, check_seconds; // of processor time
} CommitTimes;

// The verdict on the output of a pass, which is in a room. If it is accepted, it takes the place
// of the accepted function; the reason of a rejection lasts until the next verdict. The time is
// added to `times`; NULL: nobody wants to know.
Verdict commit_take(Commit *commit, PassId pass, uint32_t room, const Func *after, const void *hint,
                    CommitTimes *times);

// ---- A program

// The bodies that may be copied now; NULL if there are none.
const Bodies *commit_bodies(const Commit *commit);
// From now on calls of the function at hand may be replaced by its accepted form, once and for
// all. False if that cannot be: its turn is over, or it is no function of the program.
bool commit_offer(Commit *commit, bool once);
// The function at hand starts anew: what was offered on the way is forgotten.
void commit_withdraw(Commit *commit);

// Hands the accepted function over for good. False, and nothing is handed over, if the function
// does not come from the program.
bool commit_finish(Commit *commit, void (*finish)(void *finisher, const Func *func),
                   void *finisher);
// Puts a function into the program to be looked at, the accepted one or one inside of an
// excursion. No function of the symbol is finished or offered afterwards.
void commit_keep(Commit *commit, const Func *func);
// The first function that is needed and was not finished; NO_SYM if there is none.
Sym commit_missing(const Commit *commit);
