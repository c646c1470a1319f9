// Types and functions that the files of the debugger share.
#pragma once

#include "watch/step.h"

typedef enum {
    COMPARE_NONE,
    COMPARE_EQ,
    COMPARE_NE,
    COMPARE_LT,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_GE
} StepCompare;

// Where to stop.
typedef struct {
    bool gone;            // deleted; numbers of others stay
    bool once;            // the breakpoint goes when it is reached
    const char *text;     // as it was asked for
    const char *file;     // of a line, or NULL: any
    uint32_t line;        // 0 if it is none
    const char *function; // the function at whose beginning or, with a site, at whose site it
                          // stands; NULL: any
    Sym symbol;           // of that function alone, which may have been inlined; else NO_SYM
    const char *site;     // label of an item: "12", "b1.2"; or NULL
    const char *reg;      // the condition: a register
    StepCompare compare;  // and how it compares
    int64_t value;        // with this; NONE if there is no condition
    uint64_t hits;
} StepBreak;

typedef enum {
    GO_ITEMS,    // so many items
    GO_NEXT,     // until the next item of this call, or of one around it
    GO_FINISH,   // until this call has returned
    GO_CONTINUE, // until a breakpoint
    GO_BACK,     // up to item number `target`, after a new start
    GO_END,      // no further stops: there are no more commands
} StepGo;

typedef struct {
    const StepOptions *options;
    const RunOptions *run;
    const Program *program;
    WatchItems *items;
    WatchTexts *texts;
    uint64_t count; // of items that were due in this run
    StepGo go;
    uint64_t target; // ITEMS, BACK: the item to stop at
    uint32_t depth;  // NEXT, FINISH: of the call
    bool entered;    // the item that is due is the first of its call
    bool over;       // the run has ended; its last state can be looked at
    bool leaves;     // the answer was to go no further
    bool again;      // by BACK: start again
    WatchItem due, done;
    bool has_done;
    uint32_t shown_loc;  // whose line was shown last
    size_t shown_output; // so much of what the program writes
    uint32_t selected;   // frame that is looked at, counted from the innermost
    VEC(StepBreak) breaks;
    VEC(const char *) events;
    VEC(Sym) owners;  // by depth: whose part of a function was executed last, as the source has it
    const char *last; // the command that an empty line repeats
} Stepper;

// ---- Displays (step_show.c); all are appended to `out`.

const CallFrame *step_frame(const Stepper *s, const Interpreter *in);
void step_show_stop(Stepper *s, Out *out, Interpreter *in);
void step_show_list(Stepper *s, Out *out, Interpreter *in);
void step_show_registers(const Stepper *s, Out *out, const Interpreter *in);
void step_show_named(const Stepper *s, Out *out, const Interpreter *in, const char *name);
void step_show_memory(const Stepper *s, Out *out, const Interpreter *in, const char *what,
                      uint64_t count);
void step_show_stack(const Stepper *s, Out *out, const Interpreter *in);
// The line of a location; nothing if its text is not known.
void step_show_line(const Stepper *s, Out *out, uint32_t loc, uint32_t around);
// The register of the frame that has a name: "x", "%x.2". NO_REG if there is none.
Reg step_register(const CallFrame *frame, const char *name);
// Whether it has been computed: in forms that run on demand others have values of earlier
// iterations.
bool step_is_known(const CallFrame *frame, uint32_t reg);
