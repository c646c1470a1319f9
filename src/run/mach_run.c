// A machine function is run as its reading (mach_reading.c). People are told of its own
// instructions.
#include "run/mach_reading.h"
#include "run/rtl_interpreter.h"

const Code *mach_prepare(Interpreter *in, const Func *func) {
    const MachReading *reading = mach_reading_of(in->world.arena, func);
    Code *code = rtl_decode(in, reading->func);
    code->reading = reading;
    return code;
}

void mach_where(const CallFrame *frame, Behaviour *behaviour) {
    const MachReading *reading = frame->code->reading;
    behaviour->func = reading->of;
    behaviour->node = (Node){reading->instr_of[behaviour->node.i]};
}
