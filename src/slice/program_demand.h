// Slices that follow calls: finds the needed nodes of all functions.
//
// A call of a function that is defined here is kept for the outputs that are needed behind the
// call: its result, or variables of the world (slice_calls.h), memory among them. The needs of a
// function are the union over its kept calls; the function is sliced for these needs, at its
// returns. The function's slice in turn reads variables of the world at its entry. These have to be
// right in front of each of its kept calls, and of no others: a call is kept because of the code
// behind it, and never because another call of the same function is kept. So an output of one
// caller is never taken for an input of another. Since each function has one slice only, its inputs
// count for all its kept calls, and so do all arguments, which are part of the statement. Needs
// only grow; functions take turns until nothing is new.
//
// A call by address may be a call of any function whose address is taken and that has fitting
// parameters; all of these have to give the outputs that are needed behind the call. Some functions
// may be called by anybody: functions whose address kept code takes, and functions whose address is
// in data that kept code mentions. All their effects are needed. As soon as an unknown function is
// kept, that function may call all functions whose address is taken. The slicer assumes that an
// external function does not call a function of this program by name. A kept call whose value the
// text uses needs the callee's result, even if nothing needs the value: otherwise the value would
// be undefined.
#pragma once

#include "slice/slice.h"

typedef struct ProgramDemand ProgramDemand;

// How the slices of single functions are begun. All may be NULL.
typedef struct {
    // The options with which the demand of a function begins; `followed` is set by the program's.
    SliceOptions (*options)(void *context, const Func *func);
    // Called when it has been begun, to tell groups.
    void (*begun)(void *context, SliceDemand *demand, const Func *func);
    void *context;
} ProgramDemandHooks;

// All bodies are RTL as lowered, and do not change; calls are those of the program.
ProgramDemand *program_demand_new(Arena *arena, const Program *program, const SliceCalls *calls,
                                  ProgramDemandHooks hooks);

// The demand of a function, begun if need be. program_demand_close follows its demands. NULL if the
// function has no body here.
SliceDemand *program_demand_function(ProgramDemand *program, Sym function);
const SliceVariables *program_demand_variables(ProgramDemand *program, Sym function);
// The function's result, if it has one, and all its effects are needed wherever it returns; and so
// are effects that can be seen from outside everywhere, also in its callees.
void program_demand_effects(ProgramDemand *program, Sym function);
// The function has to be reached as it is when the program runs from `start`: its calls are kept,
// and the nodes that lead there. False if it cannot be reached.
bool program_demand_reached(ProgramDemand *program, Sym function, Sym start);

void program_demand_close(ProgramDemand *program);

// ---- What came out

//   UNTOUCHED  no kept call is of it
//   SLICED     program_demand_function tells what is kept
//   WHOLE      the same, but nothing of it can be left out (SliceVariables.whole)
typedef enum { SLICE_UNTOUCHED, SLICE_SLICED, SLICE_WHOLE } SliceExtent;

SliceExtent program_demand_extent(const ProgramDemand *program, Sym function);

// The promise of a function's slice: if its needs and its parameters are as in the original when it
// is entered, then so are its outputs when it returns.
typedef struct {
    SliceWorldSet needs, gives;
    bool result; // given, too
} SliceContract;

SliceContract program_demand_contract(const ProgramDemand *program, Sym function);

// The call because of which a function was first looked at; false if something was asked of the
// function itself.
bool program_demand_site(const ProgramDemand *program, Sym function, Sym *caller, Node *call);
