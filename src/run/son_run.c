#include "run/rtl_interpreter.h"
const Code *son_prepare(Interpreter *in, const Func *func) {
    return ssa_prepare(in, func);
}
