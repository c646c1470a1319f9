// Running programs: what all interpreters share. The interpreter of a form is its semantics.
#pragma once

#include "form/program.h"
#include "run/world/memory.h"

// How a run ends.
typedef enum {
    END_RESULT, // main returned, or exit was called: `status`
    END_ABORT,  // abort was called
    END_TRAP,   // a check failed, or a trap was executed
    END_WRONG,  // a wrong step: `reason`, `func`, `node`
    END_FUEL,   // out of fuel
} EndKind;

// A behaviour: the trace of events and how it ended. Two behaviours are equal if their traces and
// their ends are; `reason`, `func` and `node` are for people.
typedef struct {
    EndKind end;
    int32_t status;
    const char *reason; // END_WRONG, END_TRAP: one line
    const Func *func;   // where the run ended, if it did not return
    Node node;
    uint64_t steps;             // instructions executed
    VEC(uint64_t) event_hashes; // one per event
} Behaviour;

// How a program is run: step by step, or in one of the other ways that forms.def has.
typedef enum {
    RUN_PLAIN,
#define WAY(form, name, meaning) RUN_##name,
#include "form/forms.def"
    RUN_WAY_COUNT
} RunWay;

typedef struct {
    const char *name; // NULL for the plain one
    const char *meaning;
    Form form; // that it runs; of the plain way: any
} RunWayInfo;

extern const RunWayInfo run_way_table[RUN_WAY_COUNT];
// The way to run that an option --NAME asks for; RUN_PLAIN if it asks for none.
RunWay run_way_of_option(const char *option);

// The state machine: which of the operations that can fire do.
typedef enum {
    ASM_SEED,    // any set of them, by pseudo-random numbers
    ASM_EAGER,   // all of them
    ASM_LAZY,    // one; reads of memory late, needs of the next block later, the choice of the next
                 // block last
    ASM_REVERSE, // one: the last in the order of the program
    ASM_STEP,    // operations that a person names on standard input, which is then empty for the
                 // program
    ASM_CHOICE_COUNT
} AsmChoiceKind;

typedef struct {
    AsmChoiceKind kind;
    uint64_t seed;
    uint32_t visits; // try all orders of each block, so many of the times that it is run
    bool list;       // describe each block; of a block with few orders, all of them
} AsmChoice;

// The result of trying all orders.
typedef struct {
    uint64_t blocks, visits;  // that were tried; a block may have been tried several times
    uint64_t too_large;       // visits of blocks that have more states than are tried
    uint64_t left_early;      // visits that did not come to their end
    uint64_t states, firings; // of the state machine inside of these blocks; operations tried
    uint64_t orders, runs; // one operation after the other; in sets. UINT64_MAX: that many or more
    uint64_t disagreements;
    const char *first; // a line about the first one; NULL if there is none
} AsmReport;

// An observer of a run from outside (src/watch). Without a function that is called for each step
// the run is as fast as without anybody.
struct Interpreter;
typedef struct {
    // The top frame is about to perform its step. False: the run ends here, as asked. May be NULL.
    bool (*step)(void *context, struct Interpreter *in);
    // With `step`: a value was found without a step: in SON the value of floating operator `which`,
    // on demand the value of register `which`. False as above.
    bool (*value)(void *context, struct Interpreter *in, uint32_t which);
    // An event has happened. May be NULL.
    void (*event)(void *context, const char *text, size_t length);
    // The run is over; its frames and its memory are still there. May be NULL.
    void (*end)(void *context, struct Interpreter *in);
    void *context;
} RunObserver;

// `regs` are the values of all registers; `block` is the head of a block, its NOP in mach0.
typedef void BlockWatch(void *context, const Func *func, Node block, const Value *regs);

typedef struct {
    uint64_t fuel;      // instructions; 0 for no limit
    uint32_t max_depth; // of calls; 0 for the default
    bool trace;         // write each event to standard error as it happens
    bool capture;       // keep the program's output to stdout and stderr instead of writing it
    bool errors;        // with `capture`: keep what goes to stderr a second time, by itself
    RunWay way;
    AsmChoice choice;     // of the state machine
    bool strict_aliasing; // track effective types: a load by another type is a wrong step
    bool no_input;        // standard input is empty
    bool no_files;        // fopen and its kind fail: the program cannot touch the host's files
    // Bytes of the host's memory for objects and registers; 0 for the default, 4 GiB. Beyond it
    // malloc fails and everything else is a wrong step.
    uint64_t memory_limit;
    ObjectPlacement placement; // of objects
    // Called in SON when a region has been entered; in mach0 and by the state machine when a block
    // has been evaluated, before control leaves it by a jump, branch or return. Others call nobody.
    BlockWatch *watch;
    void *watch_context;
    const RunObserver *observer; // or NULL
} RunOptions;

typedef struct {
    Behaviour behaviour;
    bool refused;     // the way to run cannot run this program: a wrong step that says why
    AsmReport report; // of the state machine, if all orders were tried
    Out output;       // with `capture`: what went to stdout and stderr, interleaved; for out_free
    Out errors;       // the part that went to stderr, on request; for out_free
    VEC(const char *) files; // files that were opened to be written from the start on
} RunResult;

// Runs main(argc, argv) of a program in RTL that verify_program accepts. Everything in the result
// but its output lives in the arena.
void rtl_run(Arena *arena, const Program *program, int argc, char **argv, const RunOptions *options,
             RunResult *result);
// Calls one function with the given values. For tests and for the comparison of single functions:
// the result's bits are hashed into the trace as a last event. In this run `func` is the body of
// its symbol, whatever the program says. An aggregate parameter gets an object filled with the
// value's low byte.
void rtl_run_func(Arena *arena, const Program *program, const Func *func, const Value *args,
                  uint32_t arg_count, const RunOptions *options, RunResult *result);

// Whether a behaviour may replace an earlier one (DESIGN: equal, or the earlier one goes wrong and
// the traces agree up to there). Where one ran out of fuel, what is known of both must agree: its
// trace has to be a prefix of the other's. If the answer is no, *difference is a line that says how
// they differ.
bool behaviour_refines(Arena *arena, const Behaviour *before, const Behaviour *after,
                       const char **difference);
// "exit 0", "trap: ...", "wrong: ... in f at node 12"
void behaviour_print(Out *out, const Program *program, const Behaviour *behaviour);
