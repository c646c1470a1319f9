// The System V calling convention of x86-64: where the pieces of arguments and results are.
#pragma once

#include "target/model.h"
#include "target/x64/model/x64_registers.h"

// As TargetModel has them.
void x64_classify(Arena *arena, const Program *program, const SigInfo *info,
                  Convention *convention);
bool x64_returns_alike(const Convention *own, const Convention *called);

// How many values a call of the signature leaves on the x87 stack, whether anybody wants them or
// not.
uint32_t sysv_x87_results(const Program *program, Sig sig);
