// Where everything in a function's stack frame lies.
//
// By which register the frame is found is a fact of the machine form: mach_frame in
// target/model.h. In a STACK frame, a function that calls nothing and needs little leaves rsp alone
// and uses the 128 bytes below it. In the others rbp holds the end of the caller's frame - 16.
//
// From high to low addresses: stack arguments, return address, (rbp,) saved registers, slots,
// spills, [what alloca gives,] arguments of calls. A guard lies above all slots; the nearer to it,
// the more likely a slot is to be overrun (BufferKind), so that what is written too far reaches the
// guard and no other variable.
#pragma once

#include "assembly/debug.h"
#include "target/model.h"
#include "target/x64/model/constraints.h"

typedef struct {
    MachFrameKind kind;
    MachineReg base;          // that slots and spills are addressed by
    MachineReg incoming_base; // that the stack arguments are addressed by
    X64Regs saved;            // registers that are pushed, without the rbp of POINTER and ALIGNED
    uint32_t pushed;          // how many
    uint32_t align;           // of ALIGNED
    const int64_t *slots;     // offsets from base
    const int64_t *spills;    // likewise
    int64_t scratch;          // likewise: 16 bytes for values on their way to or from the x87 stack
    int64_t variable;         // likewise: the register arguments of a variadic function
    int64_t incoming;         // the stack arguments: offset from their base
    uint64_t outgoing;        // bytes for the arguments of calls, at rsp
    uint64_t size;            // the number of bytes by which rsp is lowered after the pushes
    bool saves_variable;      // the function asks for its variable arguments
    bool interrupt;           // the processor calls the function, which returns by iretq
    bool error;               // it has pushed an error code, which makes two words with a filler
    bool split;               // whether the frame fits the stack is seen first,
    uint64_t whole;           // by all bytes below the return address
    int64_t rest;             // split and saves_variable: where the address of the stack arguments
                              // is, offset from incoming_base
    bool guarded;             // a guard lies between the slots and what is saved
    int64_t guard;            // where: offset from base
} Frame;

// Whether the code of a function has something in its frame, or saves registers there.
bool x64_needs_frame(const Func *func);
void frame_lay_out(Frame *frame, Assembly *assembly, const Func *func);
// Where debuggers find slots and spills.
FramePlaces frame_places(const Frame *frame);
