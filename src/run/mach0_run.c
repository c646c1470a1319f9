// The interpreter of mach0: figure 8 of Glesner (docs/papers.md), for all operators of gatecc.
//
// The state is curr_instr, the instruction to be executed; reg_table, the contents of registers;
// and Memory. A rule of the figure performs the instruction and sets curr_instr to the next
// instruction in the line (NI); JMP sets it to the instruction with the label (LI); BRN to one of
// two instructions (TI, FI).
//
//   curr_instr      CallFrame.step
//   reg_table       CallFrame.regs; registers are undefined at first, but for the parameters
//   Memory          World.memory
//   NI, LI, TI      DecodedStep.next, which the line or the label gives
//   FI              DecodedStep.other
//
// The rules and the loop are those of RTL (rtl_run.c): in the graph of a function in mach0 the
// successor of an instruction is the next instruction in the line, as the verifier has checked.
//
// If a watcher is set, a step that calls the watcher comes before the last instruction of each
// block, unless that instruction neither jumps nor returns.
#include "form/mach0.h"
#include "run/rtl_interpreter.h"

static bool leaves_block(const Instr *instr) {
    return instr->succ_count > 1 || instr->kind == I_RETURN || mach0_is_jump(instr);
}

// The last instruction of a block comes behind another one, the NOP if there is nothing else, and
// nothing jumps to it.
static void watch_blocks(Code *code) {
    const Func *func = code->func;
    uint32_t count = func->nodes.count, label = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (mach0_is_label(&func->nodes.at[n])) label = n;
        if (!leaves_block(&func->nodes.at[n])) continue;
        DecodedStep *watch = &code->steps[count + n];
        *watch = (DecodedStep){.code = CODE_WATCH, .a = label, .next = &code->steps[n]};
        code->steps[n - 1].next = watch;
    }
}

const Code *mach0_prepare(Interpreter *in, const Func *func) {
    Code *code = rtl_decode(in, func);
    if (in->world.options->watch) watch_blocks(code);
    return code;
}

bool mach0_run_watch(Interpreter *in) {
    const RunOptions *options = in->world.options;
    CallFrame *frame = top_frame(in);
    Node label = {frame->step->a};
    options->watch(options->watch_context, frame->code->func, label, frame->regs);
    frame->step = frame->step->next;
    in->fuel++; // it is no instruction
    return true;
}
