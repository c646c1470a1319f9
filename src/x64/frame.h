// Where everything in a function's stack frame lies.
//
//   STACK    slots and spills are addressed by rsp. A function that calls nothing and needs little
//            leaves rsp alone and uses the 128 bytes below it.
//   POINTER  alloca moves rsp: they are addressed by rbp, which holds the caller's frame end - 16.
//   ALIGNED  a slot asks for more alignment than the caller gives: rbp is so aligned and points at a
//            word that holds the address of the stack arguments.
//
// From high to low addresses: stack arguments, return address, (rbp,) saved registers, [the word of
// ALIGNED,] slots, spills, [what alloca gives,] arguments of calls.
#pragma once

#include "x64/assembly_private.h"

typedef enum { FRAME_STACK, FRAME_POINTER, FRAME_ALIGNED } FrameKind;

typedef struct {
    uint8_t kind;          // FrameKind
    uint8_t base;          // MachineReg that slots and spills are addressed by
    MachineSet saved;      // registers that are pushed, without the rbp of POINTER and ALIGNED
    uint32_t pushed;       // how many
    uint32_t align;        // of ALIGNED
    const int64_t *slots;  // offsets from base
    const int64_t *spills; // likewise
    int64_t scratch;       // likewise: 16 bytes for values on their way to or from the x87 stack
    int64_t variable;      // likewise: the register arguments of a variadic function
    int64_t incoming;      // likewise: the stack arguments; of ALIGNED: from the word at rbp
    uint64_t outgoing;     // bytes for the arguments of calls, at rsp
    uint64_t size;         // what rsp is lowered by after the pushes
    bool saves_variable;   // the function asks for its variable arguments
} Frame;

void frame_lay_out(Frame *frame, Assembly *assembly, const Func *func);
