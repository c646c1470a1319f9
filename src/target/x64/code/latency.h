// Latencies and units of a recent x86-64 core, for the scheduler.
#pragma once

#include "target/timing.h"

extern const TargetTiming x64_timing;

// Whether an instruction sets the flags as the comparison of its result with zero would.
bool x64_leaves_flags(const MachInstr *instr);
