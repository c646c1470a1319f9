// The files of coverage: their names, and the notes.
#pragma once

#include "gatecc/options/gatecc_options.h"

// Fills in the facts about a unit that are known before it is compiled. False after a message.
bool coverage_files_begin(CoverageData *coverage, Arena *arena, const GateccOptions *options,
                          const Input *input);
// Writes the notes when it has been. False after a message.
bool coverage_files_end(const CoverageData *coverage, Arena *arena, const GateccOptions *options,
                        const Input *input);
