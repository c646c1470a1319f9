// A machine function is run as its reading (mach_reading.c), which the result of the run may name.
#include "form/mach/mach.h"
#include "run/rtl_interpreter.h"

const Code *mach_prepare(Interpreter *in, const Func *func) {
    return rtl_prepare(in, mach_reading(in->world.arena, func));
}
