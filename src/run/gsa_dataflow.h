// The state of the data-flow interpreter of gated SSA (docs/dataflow.md has the rules):
//   gsa_dataflow_code.c  what is found out about a function before it runs
//   gsa_dataflow.c       evaluation
//   gsa_dataflow_jump.c  what setjmp saves of it
#pragma once

#include "fact/effects.h"
#include "fact/loop_nest.h"
#include "form/gsa/gsa.h"
#include "run/rtl_interpreter.h"

// ---- A function, prepared

// A loop, or, as region 0, the whole function.
typedef struct {
    uint32_t parent;      // the region around it; NO_ID for region 0
    uint32_t first, last; // numbers of the region and of the last one in it
    Node header;          // the entry for region 0
    Node before, latch;   // the header's predecessors
    Gate leaves, goes_on; // in terms of one iteration
} Region;

// How a register gets its value when a use demands it.
typedef enum {
    VALUE_THERE,  // a parameter, or undefined: from the start
    VALUE_OP,     // by a total operator
    VALUE_EFFECT, // as the result of a node that the state passes through
    VALUE_GAMMA,
    VALUE_MU,
    VALUE_ETA
} DataflowKind;

// What definitions.h says of a register, with what evaluation asks for besides.
typedef struct {
    DataflowKind kind;
    uint32_t region; // of the defining node
    uint32_t node;
    uint32_t at; // which merge or eta of the function
} FlowValue;

// The state of memory and everything outside is a value like others. It has a definition where a
// node with an effect hands it on, a merge where control meets, a mu at each loop header.
//   2n      the state on entering node n, which is a join
//   2n + 1  the state that node n leaves, which has an effect
typedef struct {
    uint32_t i;
} WorldState;

#define FIRST_STATE ((WorldState){NO_ID}) // on entering the function

typedef struct Flow {
    const Func *func; // with a table of gates that holds those of `reached` as well
    const Code *code;
    Preds preds;
    Region *regions;
    uint32_t region_count;
    uint32_t *region_of;              // each node
    FlowValue *values;                // of each register
    WorldState *state_in, *state_out; // of each node
    Gate *reached;                    // when an iteration of the node's region comes to it
    Gate *joining;                    // of a join's predecessor: the same, but of the join's region
    Node *order;                      // nodes so that each comes after those that lead to it
    uint32_t order_count;
    uint64_t size;           // of an activation, in bytes
    struct Activation *free; // that calls have done with
} Flow;

// Whether an iteration of one region is part of an iteration of another, or is one of it.
static inline bool region_contains(const Flow *flow, uint32_t outer, uint32_t inner) {
    return flow->regions[outer].first <= flow->regions[inner].first &&
           flow->regions[inner].first <= flow->regions[outer].last;
}

// Whether the state passes through an instruction: it reads or changes it, or goes wrong.
bool flow_has_effect(const Instr *instr);
// The prepared form of a function in GSA; lives as long as the run.
Flow *flow_prepare(Interpreter *in, const Code *code);

// ---- A call of a function

// An iteration of a region has a number that no other iteration of any region has: it stands for
// the whole iteration vector.
typedef struct {
    uint64_t now;    // the iteration that values are kept of
    uint64_t within; // the iteration of the region around for which the loop was started
    uint64_t begun;  // or is being started
    bool finished;   // `now` is the last one
} RegionState;

typedef enum {
    TASK_RESULT, // the whole call
    TASK_VALUE,  // of register `what`, in the current iteration of its region
    TASK_GATE,   // gate `what` in the current iteration of `region`
    TASK_STATE,  // state `what` in the current iteration of its region
    TASK_LOOP,   // region `what` up to its last iteration
    TASK_SETTLE, // what an iteration of region `what` does that neither goes on nor ends
} TaskKind;

// Something demanded that is being evaluated. When a task needs what is not there yet, that is
// demanded and the task tries again later, from where it was.
typedef struct {
    TaskKind kind;
    uint32_t what;
    uint32_t region;
    uint32_t at;    // how far it has come
    uint32_t there; // how many of the registers that it reads next are there
} FlowTask;

typedef struct Activation {
    struct Activation *next; // in the list of free ones
    const Flow *flow;
    Interpreter *in;
    Value *regs;
    uint64_t iterations; // numbers given so far
    // The iteration of its region for which each is known, times two plus one; without the one if it
    // is being evaluated. Of a gate, the iteration times two plus its truth.
    uint64_t *known; // registers
    uint64_t *done;  // states
    uint64_t *judged;
    RegionState *regions;
    VEC(FlowTask) tasks; // each is needed by the one before
} Activation;

// How an effect stands; FlowTask.at of TASK_STATE for one.
enum { EFFECT_DEMANDED, EFFECT_DUE, EFFECT_DONE };
