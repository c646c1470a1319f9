#include "form/fssa/fssa.h"
#include "run/rtl_interpreter.h"
const Code *fssa_prepare(Interpreter *in, const Func *func) {
    return rtl_decode(in, func);
}
