// The parts of the record of C on x86-64, shared by the files of this folder.
#pragma once

#include "target/language.h"

extern const TargetAsm x64_asm;
extern const TargetOptions x64_options;
extern const TargetFrames x64_frames;
uint32_t x64_aggregate_parts(const struct CType *type, bool result, uint8_t part[PARTS_LIMIT]);
extern const MacroList x64_machine_macros, x64_long_double_macros;
