// The items of a program's functions that a run executes, one after the other, in the form that the
// user asked for. An item is an instruction that is performed, a phi or gate that a join brings
// with it, an operator that floats, a machine instruction (which runs as several of RTL), or an
// equation that is evaluated.
//
// An interpreter reports when a step is due. The effect of a step is visible when the next step of
// the same frame is due; a call has been performed when its frame goes on. So one place in each
// interpreter is enough.
#pragma once

#include "text/print/print_items.h"
#include "watch/watch.h"

typedef struct {
    Item item;
    const Func *func; // as it was given
    bool on_demand;   // reported when it has its value: no step of its own leads to it
    uint32_t loc;
    uint32_t depth; // of calls: 1 for the outermost
    Reg reg;        // the register that it sets, in the function that runs; NO_REG if none
    Type type;
    Value value; // of that register
} WatchItem;

typedef struct {
    // An item is due. False: the run is to end here. Items that are found on demand are reported
    // afterwards. May be NULL.
    bool (*due)(void *context, Interpreter *in, const WatchItem *item);
    // An item has been executed. May be NULL, as are the next two.
    void (*done)(void *context, Interpreter *in, const WatchItem *item);
    // The top frame is a new one.
    void (*entered)(void *context, Interpreter *in);
    // A function has returned, or, if not, a jump has left it. `depth` is the depth inside of the
    // function.
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

// The data for texts of functions, kept for many functions.
typedef struct WatchTexts WatchTexts;
WatchTexts *watch_texts_new(Arena *arena);
const FuncItems *watch_func_items(WatchTexts *texts, const Func *func);
// "12: %s.3 = add.i32 %t.1, %s.2", "b1.0: jump b2"
void watch_print_item(Out *out, WatchTexts *texts, const Func *func, const Item *item);
// The label that it has in the text: "12", "b1.0"; of an equation its number; "" if there is none.
void watch_label(char *label, size_t size, const Func *func, const Item *item);
