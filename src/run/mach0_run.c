// The interpreter of mach0: figure 8 of Glesner (docs/papers.md), for all our operators.
//
// The state is curr_instr, the instruction to be executed; reg_table, what registers hold; and Memory. A rule of the figure performs
// the instruction and sets curr_instr to the next one in the line (NI); JMP to the one with the label (LI); BRN to one of two (TI, FI).
//
//   curr_instr      CallFrame.step
//   reg_table       CallFrame.regs; registers are undefined at first, but for the parameters
//   Memory          World.memory
//   NI, LI, TI      DecodedStep.next, which the line or the label gives
//   FI              DecodedStep.other
//
// The rules are those of RTL (rtl_run.c), whose loop this is: in the graph of a function in mach0 the successor of an instruction is
// the next one in the line, which the verifier has seen.
#include "run/rtl_interpreter.h"

const Code *mach0_prepare(Interpreter *in, const Func *func) {
    return rtl_prepare(in, func);
}
