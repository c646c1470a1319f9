// Which items of a program's functions a run executes, one after the other, in the form that was asked for: an instruction that is performed, a
// phi or gate that a join brings with it, an operator that floats, a machine instruction (which runs as several of RTL), an equation that
// is evaluated.
//
// An interpreter tells when a step is due. What a step has done is seen when the next step of the same frame is due; a call has
// been performed when its frame goes on. So one place in each interpreter is enough.
#pragma once

#include "watch/watch.h"

typedef enum {
    WATCH_INSTR,    // node
    WATCH_PHI,      // `index` of Func.phis, at node
    WATCH_MERGE,    // of Gsa.merges
    WATCH_ETA,      // of Gsa.etas
    WATCH_FLOATING, // of Son.floating
    WATCH_MACH,     // of Mach.code
    WATCH_EQUATION, // of Fssa.equations
    WATCH_DEMANDED, // a register of gated SSA on demand; node is where it is set
} WatchKind;

typedef struct {
    WatchKind kind;
    const Func *func; // as it was given
    uint32_t node;    // NO_ID where there is none
    uint32_t index;   // 0 of an instruction
    uint32_t loc;
    uint32_t depth; // of calls: 1 for the outermost
    Reg reg;        // what it sets, in the function that runs; NO_REG if nothing
    Type type;
    Value value; // of that register
} WatchItem;

typedef struct {
    // An item is due. False: the run is to end here. Those that are found on demand are told of afterwards. May be NULL.
    bool (*due)(void *context, Interpreter *in, const WatchItem *item);
    // An item has been executed. May be NULL, as are the next two.
    void (*done)(void *context, Interpreter *in, const WatchItem *item);
    // The top frame is a new one.
    void (*entered)(void *context, Interpreter *in);
    // A function has returned, or, if not, a jump has left it. `depth` is what it was inside.
    void (*left)(void *context, Interpreter *in, const Code *code, uint32_t depth, bool returned);
    void *context;
} WatchHooks;

typedef struct WatchItems WatchItems;

WatchItems *watch_items_new(Arena *arena, const WatchHooks *hooks);
// For RunObserver, with the WatchItems.
bool watch_items_step(void *context, Interpreter *in);
bool watch_items_value(void *context, Interpreter *in, uint32_t which);
// Frames that have ended since are told of. For the end of a run.
void watch_items_end(WatchItems *items, Interpreter *in);

// ---- Text

// What texts of a function need, kept for many of them.
typedef struct WatchTexts WatchTexts;
WatchTexts *watch_texts_new(Arena *arena);
// "12: %s.3 = add.i32 %t.1, %s.2", "b1.0: rax = const.i32 7"
void watch_print_item(Out *out, WatchTexts *texts, const WatchItem *item);
