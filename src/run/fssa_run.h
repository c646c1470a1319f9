// The state of the evaluator of functional SSA (docs/fssa.md has the rules):
//   fssa_code.c  equations are made flat before they run
//   fssa_run.c   evaluation
//   fssa_array.c arrays
//   fssa_jump.c  the part of the state that setjmp saves
// Gated SSA runs on demand as the functional SSA for which it stands (gsa_dataflow.c).
#pragma once

#include "form/fssa.h"
#include "run/rtl_interpreter.h"

// ---- A function, prepared

// How a register gets its value when it is demanded. Every term that is neither the right side of
// an equation nor a name has a register of its own, equal terms the same one.
typedef enum {
    FLOW_THERE, // from the start: a parameter, a constant, the state on entering, or undefined
    FLOW_COPY,  // of argument 0
    FLOW_OP,    // by node `node`; its operands are the arguments
    FLOW_EFFECT, // the state after node `node`: argument 0 is the state before, the others are its operands
    FLOW_RESULT, // of the effect whose state is argument 0
    FLOW_GAMMA,  // from here on as in fssa.h
    FLOW_LOOP,
    FLOW_CLOSE,
    FLOW_NOT,
    FLOW_AND,
    FLOW_OR,
    FLOW_CASE, // `imm` of list `node`
    FLOW_STUCK,
    FLOW_READ,
    FLOW_WRITE,
    FLOW_PRINT
} FlowKind;

// A region is a loop, numbered from 1 on, or, as region 0, the whole function. A value belongs to
// the innermost loop on whose iteration it can depend.
typedef struct {
    uint8_t kind;    // FlowKind
    uint32_t region; // of what is there from the start: Flow.region_count
    uint32_t loop;   // LOOP, CLOSE: the region of the loop
    uint32_t node;
    uint32_t args_at, arg_count; // in Flow.args
    int64_t imm;
} FlowValue;

// The state of a region at the beginning of an iteration: the registers of its `loop` terms that
// something needs.
typedef struct {
    uint32_t parent;       // the region around it; NO_ID for region 0
    uint32_t first, count; // in Flow.carried
    Reg goes_on, stuck;    // or NO_REG
} FlowRegion;

typedef struct Flow {
    const Func *func; // with a register for each term and a node for each operator
    const Code *code;
    const Func *shown;              // the function that messages speak of
    const uint32_t *sites;          // in that function, of each node
    const uint32_t *register_sites; // and of each register that the function itself has
    uint32_t register_count;        // so many
    FlowValue *values;              // of each register
    Reg *args;
    FlowRegion *regions;
    uint32_t region_count;
    Reg *carried;
    Reg state, result;       // or NO_REG
    uint32_t leave;          // the node that returns
    uint64_t size;           // of an activation, in bytes
    struct Activation *free; // that calls have done with
} Flow;

// The prepared form of a function; lives as long as the run. Messages speak of the function
// `shown`, in which each register of `func` has a site.
const Code *flow_prepare(Interpreter *in, const Func *func, const Func *shown,
                         const uint32_t *sites);

// ---- Arrays (fssa_array.c)

// A version of an array; NULL has zeros everywhere. The bits of its value point to it.
typedef struct FlowArray FlowArray;
Value flow_array_read(const FlowArray *array, uint64_t index);
FlowArray *flow_array_write(Arena *arena, FlowArray *array, uint64_t index, Value value);

// ---- A call of a function

// An iteration of a region has an odd number that no other iteration of any region has: it stands
// for the whole iteration vector. Values that are there from the start belong to a region of its
// own, behind all others, whose one iteration never ends.
typedef struct {
    uint64_t now;      // the iteration that values are kept of
    uint64_t within;   // the iteration of the region around for which the loop was started
    uint32_t ended_by; // the register of the condition that does not hold in `now`, or NO_ID
    bool running;
} RegionState;

typedef enum {
    TASK_RESULT, // the whole call
    TASK_VALUE,  // of register `what`, in the current iteration of its region
    TASK_LOOP,   // region `what` up to the iteration in which condition `by` does not hold
} TaskKind;

// Something demanded that is being evaluated. When a task needs a value that is not there yet, it
// demands the value and tries again later, from the same point.
typedef struct {
    TaskKind kind;
    uint32_t what;
    uint32_t by;
    uint32_t at;    // how far it has come
    uint32_t there; // how many of the registers that it reads next are there
} FlowTask;

typedef struct Activation {
    struct Activation *next; // in the list of free ones
    const Flow *flow;
    Interpreter *in;
    Value *regs;
    uint64_t iterations; // the last number given
    uint32_t blamed; // the site of a wrong step, if it is known; else NO_ID: where the frame stands
    // The iteration of its region for which each register is known; one less if it is being
    // evaluated.
    uint64_t *known;
    RegionState *regions;
    VEC(FlowTask) tasks; // each is needed by the one before
} Activation;

// How an effect stands; FlowTask.at of TASK_VALUE for one.
enum { EFFECT_DEMANDED, EFFECT_DUE, EFFECT_DONE };
