// gatecc --completion=PREFIX, as gcc has it: the options that start so, for shells.
#pragma once

#include "base/out.h"
#include "target/language.h"

// One a line, sorted, each once.
void completion_print(Arena *arena, Out *out, const TargetLanguage *language, const char *prefix);
