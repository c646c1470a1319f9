// The parts of the record of C on x86-64, shared by the files of this folder.
#pragma once

#include "target/language.h"

extern const MacroList x64_machine_macros, x64_long_double_macros;
