// What the files about C on x86-64 share: the parts of its record.
#pragma once

#include "target/language.h"

extern const MacroList x64_machine_macros, x64_long_double_macros;
