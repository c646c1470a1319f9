// The constraints of x86-64 on places and frames: functions of its model.
#pragma once

#include "target/model.h"
#include "target/x64/model/sysv.h"

enum { MC_VECTOR = CLASS_GENERAL + 1, X64_CLASS_COUNT };

extern const X64Regs caller_saved_regs, callee_saved_regs;

MachClass mach_class_of(Type type);
bool mach_takes_memory(const MachInstr *instr, unsigned source, Chunk chunk);
bool mach_takes_immediate(const MachInstr *instr, unsigned source, int64_t value);
void x64_constraints(Arena *arena, const Func *func, const MachInstr *instr,
                     MachConstraints *constraints);

MachFrame x64_frame(const Func *func);
MachFrame x64_frame_for(const Program *program, uint32_t align, bool moves, bool asks);
MachineReg x64_frame_base(const Program *program); // rbx, or the next that is not reserved
MachEntry mach_entry(const Func *func);

// The bytes below rsp that a function which calls nothing may use without lowering rsp.
enum { X64_RED_ZONE = 128 };

// What decides on the layout of a frame besides the function.
typedef struct {
    MachFrame found;
    uint64_t outgoing; // bytes for the arguments of calls, at rsp
    uint32_t pushed;   // registers, without the rbp of POINTER and ALIGNED
    bool calls;        // it may call something
    bool red_zone;     // it may use the bytes below rsp
    bool variable;     // it saves its register arguments
    bool guard;
} X64FrameNeeds;
// Where the parts of a frame lie, from the frame's base register.
typedef struct {
    int64_t *slots, *spills;
    int64_t x87; // 16 bytes for values on their way to or from the x87 stack
    int64_t variable, guard;
    uint64_t size; // by which rsp is lowered after the pushes
} X64FrameLayout;
// Whether a value goes through that memory.
bool x64_converts_by_x87(const MachInstr *instr);
X64FrameLayout x64_frame_layout(Arena *arena, const Func *func, const X64FrameNeeds *needs);
