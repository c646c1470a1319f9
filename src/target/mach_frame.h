// How the frame of a function is found, and what the function saves: what the calling convention
// and the function's slots, calls and options ask for.
#pragma once

#include "form/mach.h"

// How the frame of a function is found, which decides on the registers that are places.
//   FRAME_STACK    everything by the stack pointer
//   FRAME_POINTER  everything by the frame's register, as the stack pointer moves, or the
//                  function or the program wants it so; arguments of calls by the stack pointer
//   FRAME_ALIGNED  a slot or an argument of a call asks for more alignment than a caller gives, so
//                  the distance from the register by which the caller's arguments are found, is not
//                  known: slots and spills are found by the stack pointer, or, if that moves, by
//                  mach_frame_base
typedef enum { FRAME_STACK, FRAME_POINTER, FRAME_ALIGNED } MachFrameKind;
typedef struct {
    MachFrameKind kind;
    MachineReg base;         // of slots and spills
    MachineReg incoming;     // of the caller's arguments
    MachineRegSet registers; // those of these two that are no places, so: without the stack pointer
    uint32_t align;          // of ALIGNED: what is asked for; else at most 16
} MachFrame;
// How a function is called, where that is not as all are: what it saves besides the registers that
// callers always keep their values in, and what the processor has pushed.
typedef struct {
    MachineRegSet kept; // general registers that it leaves as they were, too
    bool interrupt;     // instead of a return address there is the frame of the processor
    bool error;         // and a code of the error below that
} MachEntry;
