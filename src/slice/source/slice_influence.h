// --forward: what a statement or variable influences.
#pragma once

#include "slice/source/slice_report.h"

// Writes the statements that are influenced, as lines or JSON. False after a message.
bool slice_influence(SliceSource *source, Diag *diag, const SliceQuestion *question,
                     const SliceWanted *wanted, Out *out);
