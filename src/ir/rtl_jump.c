// setjmp and longjmp. A jump is an early return: frames are left one by one, exactly as returning
// leaves them, until the one that called setjmp is on top; then that call finishes a second time.
//
// What setjmp remembers stands in the program's own jmp_buf, which may be copied or lie anywhere:
//   offset  0  a mark, so that memory which no setjmp has written is recognised
//           8  the serial number of the frame, which no other frame of the run has
//          16  the node of the call, and, in the upper half, the depth of the frame
//          24  how many objects made by alloca the frame had; those made since are freed
// Nothing of it is believed: a program may have changed it.
//
// A call-back (of qsort, say) nests on the host's stack, so a jump out of one goes in steps: the
// frames above it are left, the external function is told to give up as if the run had ended, and
// the call of that function goes on with the jump.
#include "ir/rtl_interpreter.h"

#define MARK ((uint64_t)0x706d6a2065746167)

enum { WORDS = 4, DEPTH_SHIFT = 32 };

bool rtl_set_jump(Machine *machine, uint64_t buffer) {
    Interpreter *in = machine->interpreter;
    const Frame *frame = top_frame(in);
    uint64_t node = (uint64_t)(frame->step - frame->code->steps);
    uint64_t depth = in->frames.count - 1;
    uint64_t words[WORDS] = {MARK, frame->serial, depth << DEPTH_SHIFT | node,
                             in->owned.count - frame->allocas};
    for (uint32_t i = 0; i < WORDS; i++)
        if (!memory_store(machine->memory, CHUNK_I64, buffer + 8 * i, value_i64(words[i]))) {
            machine_wrong_access(machine, buffer + 8 * i, 8, true);
            return false;
        }
    return true;
}

// Reads a jmp_buf; false, with the run ended, if setjmp did not write it.
static bool read_buffer(Machine *machine, uint64_t buffer, uint64_t *words) {
    bool defined = true;
    for (uint32_t i = 0; i < WORDS; i++) {
        Value word;
        if (!memory_load(machine->memory, CHUNK_I64, buffer + 8 * i, &word)) {
            machine_wrong_access(machine, buffer + 8 * i, 8, false);
            return false;
        }
        defined &= !word.undef;
        words[i] = word.bits;
    }
    if (defined && words[0] == MARK) return true;
    machine_wrong(machine, "longjmp to a jmp_buf that setjmp has not set");
    return false;
}

// Whether a node of the frame is a call that can have been one of setjmp.
static bool is_jump_target(const Interpreter *in, const Frame *frame, uint64_t node) {
    if (node >= frame->code->func->nodes.count) return false;
    const Instr *instr = &frame->code->func->nodes.at[node];
    if (instr->kind != I_CALL) return false;
    PType result = program_sig_info(in->program, (Sig){instr->aux})->result;
    return result.i == PTYPE_OF(TYPE_I32).i || result.i == PTYPE_VOID.i;
}

bool rtl_jump(Machine *machine, uint64_t buffer, uint32_t value) {
    Interpreter *in = machine->interpreter;
    uint64_t words[WORDS];
    if (!read_buffer(machine, buffer, words)) return false;
    uint64_t depth = words[2] >> DEPTH_SHIFT, node = words[2] & UINT32_MAX;
    if (depth < in->oldest || depth >= in->frames.count ||
        in->frames.at[depth].serial != words[1]) {
        machine_wrong(machine, "longjmp into a function that has returned");
    } else if (!is_jump_target(in, &in->frames.at[depth], node)) {
        machine_wrong(machine, "longjmp to a jmp_buf that was changed since setjmp");
    } else {
        in->jump = (Jump){.under_way = true,
                          .depth = (uint32_t)depth,
                          .step = in->frames.at[depth].code->steps + node,
                          .allocas = words[3],
                          .value = value_i32(value ? value : 1)};
    }
    return !machine->stopped;
}

bool rtl_go_on_with_jump(Interpreter *in) {
    while (in->frames.count - 1 > in->jump.depth) {
        bool outermost = top_frame(in)->outermost;
        rtl_leave(in);
        if (outermost) return true;
    }
    Frame *frame = top_frame(in);
    while (in->owned.count - frame->allocas > in->jump.allocas)
        memory_remove(in->machine.memory, vec_pop(&in->owned));
    in->jump.under_way = false;
    frame->step = in->jump.step;
    return rtl_finish_call(in, in->jump.value);
}
