// Messages about calls that are there in the end.
#pragma once

#include "c/lower/call_notes.h"
#include "c/tables/warnings.h"

// Where a place of the program is in the sources; nowhere if #line tells of another file.
Span span_of_location(Diag *diag, const Program *program, uint32_t loc);
// Says of each call of a function in machine form what its note says.
void report_calls(Diag *diag, const WarningSet *warnings, const CallNotes *notes, const Func *func);
