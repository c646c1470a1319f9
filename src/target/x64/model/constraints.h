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
