// Remarks on the work of the passes, while a file is compiled: the events of history/explanation.h
// as messages, or as lines of a file. Remarks are made only on request.
#pragma once

#include "base/diag.h"
#include "gatecc/options/remark_options.h"
#include "pipeline/pipeline.h"

typedef struct Remarks Remarks;

// Watches the pipeline from now on.
Remarks *remarks_begin(Arena *arena, const RemarkOptions *options, const Program *program,
                       Pipeline *pipeline);
// Reports the remarks, in the order of the source; remarks of -fopt-info=FILE are added to `lines`,
// which is then written there. Leaves the pipeline alone again. False, after a message, if the file
// cannot be written.
bool remarks_end(Remarks *remarks, Diag *diag, Pipeline *pipeline, Out *lines);
