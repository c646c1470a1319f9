// --time-report: where the time of a command went.
#pragma once

#include "gatecc/compile_unit.h"
#include "gatecc/toolchain.h"

// The processor time that this process has taken.
double processor_seconds(void);

// The rows add up to the total, which is measured apart: the rest of the time is a row of its own.
void time_report_print(Out *out, const Compiler *compiler, const Toolchain *toolchain);
