// setjmp and longjmp. A jump is an early return: frames are left one by one, exactly as by returns,
// until the frame that called setjmp is on top. Then that call finishes a second time. Memory stays
// as the jump finds it. The frame's registers again have their values at the call, except registers
// that stand for spills (calls.h). So every property of registers that held after the call the
// first time holds the second time, whatever a transformation has changed. The contents of reserved
// machine registers are unknown: the C library's longjmp restores such registers, the interpreter's
// does not.
//
// The data that setjmp saves stands in the program's own jmp_buf, which may be copied or lie
// anywhere:
//   offset  0  a mark, so that memory which no setjmp has written is recognised
//           8  the serial number of the frame, which no other frame of the run has
//          16  the node of the call, and, in the upper half, the depth of the frame
//          24  how many objects made by alloca the frame had; those made since are freed
//          32  where its registers are saved
// The interpreter believes none of these data: a program may have changed the buffer. The same call
// uses one place again for the same jmp_buf, so that a loop needs one place only.
//
// A call-back (of qsort, say) nests on the host's stack, so a jump out of a call-back goes in
// steps. The frames above the call-back are left, the external function is told to give up as if
// the run had ended, and the call of that function goes on with the jump.
#include "fact/calls.h"
#include "run/rtl_interpreter.h"

#include <stdlib.h>

#define MARK ((uint64_t)0x706d6a2065746167)

enum { WORDS = 5, DEPTH_SHIFT = 32, LOOK_BACK = 8 };

// ---- Saved registers

static uint64_t regs_size(const CallFrame *frame) {
    return frame->code->func->regs.count * sizeof(Value);
}

void rtl_drop_saved(Interpreter *in, uint32_t count) {
    while (in->saved.count > count) {
        SavedRegs last = vec_pop(&in->saved);
        memory_discharge(in->world.memory, last.size);
        free(last.regs);
        free(last.flow);
    }
}

// The place that an earlier execution of this call used for this jmp_buf, if it is among the last
// few of the frame; else a new one. NULL, with the run ended, if there is no memory.
static SavedRegs *find_place(Interpreter *in, const CallFrame *frame, uint64_t buffer,
                             uint32_t node) {
    uint32_t end = in->saved.count;
    for (uint32_t i = end; i > frame->saved && end - i < LOOK_BACK; i--) {
        SavedRegs *saved = &in->saved.at[i - 1];
        if (saved->buffer == buffer && saved->node == node) return saved;
    }
    SavedRegs made = {
        .serial = frame->serial, .buffer = buffer, .node = node, .size = regs_size(frame) + 1};
    if (!memory_charge(in->world.memory, made.size)) {
        world_wrong(&in->world, "no memory to save the registers for setjmp");
        return NULL;
    }
    made.regs = xmalloc(made.size);
    vec_push(in->arena, &in->saved, made);
    return &in->saved.at[end];
}

// ---- The two halves

bool rtl_set_jump(World *world, uint64_t buffer) {
    Interpreter *in = world->interpreter;
    const CallFrame *frame = top_frame(in);
    uint32_t node = (uint32_t)(frame->step - frame->code->steps);
    uint64_t depth = in->frames.count - 1;
    SavedRegs *saved = find_place(in, frame, buffer, node);
    if (!saved) return false;
    memcpy(saved->regs, frame->regs, regs_size(frame));
    if (!run_save(in, &saved->flow, &saved->size)) return false;
    uint64_t words[WORDS] = {MARK, frame->serial, depth << DEPTH_SHIFT | node,
                             in->owned.count - frame->allocas, (uint64_t)(saved - in->saved.at)};
    for (uint32_t i = 0; i < WORDS; i++)
        if (!memory_store(world->memory, CHUNK_I64, buffer + 8 * i, value_i64(words[i]))) {
            world_wrong_access(world, buffer + 8 * i, 8, true);
            return false;
        }
    return true;
}

// Reads a jmp_buf; false, with the run ended, if setjmp did not write it.
static bool read_buffer(World *world, uint64_t buffer, uint64_t *words) {
    bool defined = true;
    for (uint32_t i = 0; i < WORDS; i++) {
        Value word;
        if (!memory_load(world->memory, CHUNK_I64, buffer + 8 * i, &word)) {
            world_wrong_access(world, buffer + 8 * i, 8, false);
            return false;
        }
        defined &= !word.undef;
        words[i] = word.bits;
    }
    if (defined && words[0] == MARK) return true;
    world_wrong(world, "longjmp to a jmp_buf that setjmp has not set");
    return false;
}

static const Instr *call_at(const CallFrame *frame, uint64_t node) {
    return &frame->code->func->nodes.at[node];
}

bool rtl_jump(World *world, uint64_t buffer, uint32_t value) {
    Interpreter *in = world->interpreter;
    uint64_t words[WORDS];
    if (!read_buffer(world, buffer, words)) return false;
    uint64_t depth = words[2] >> DEPTH_SHIFT, node = words[2] & UINT32_MAX, saved = words[4];
    if (depth < in->oldest || depth >= in->frames.count ||
        in->frames.at[depth].serial != words[1]) {
        world_wrong(world, "longjmp into a function that has returned");
    } else if (saved >= in->saved.count || in->saved.at[saved].serial != words[1] ||
               in->saved.at[saved].node != node) {
        world_wrong(world, "longjmp to a jmp_buf that was changed since setjmp");
    } else if (!call_returns_twice(in->program, call_at(&in->frames.at[depth], node))) {
        world_wrong(world, "longjmp to a call that is not marked as returning twice");
    } else {
        in->jump = (Jump){.under_way = true,
                          .depth = (uint32_t)depth,
                          .saved = (uint32_t)saved,
                          .allocas = words[3],
                          .value = value_i32(value ? value : 1)};
    }
    return !world->stopped;
}

// All but those that stand for spills.
static void restore_regs(const CallFrame *frame, const Value *saved) {
    const Func *func = frame->code->func;
    uint32_t behind = func->first_spill + func->spill_count;
    memcpy(frame->regs, saved, func->first_spill * sizeof(Value));
    memcpy(frame->regs + behind, saved + behind, (func->regs.count - behind) * sizeof(Value));
}

bool rtl_go_on_with_jump(Interpreter *in) {
    while (in->frames.count - 1 > in->jump.depth) {
        bool outermost = top_frame(in)->outermost;
        rtl_leave(in);
        if (outermost) return true;
    }
    CallFrame *frame = top_frame(in);
    while (in->owned.count - frame->allocas > in->jump.allocas)
        memory_remove(in->world.memory, vec_pop(&in->owned));
    in->jump.under_way = false;
    for (uint32_t i = 0; i < MACHINE_REG_LIMIT; i++)
        in->world.registers[i] = value_undefined(TYPE_I64);
    const SavedRegs *saved = &in->saved.at[in->jump.saved];
    restore_regs(frame, saved->regs);
    frame->step = frame->code->steps + saved->node;
    if (saved->flow) flow_restore(in, saved->flow);
    if (in->machine) asm_return_again(in, (Node){saved->node});
    return rtl_finish_call(in, in->jump.value);
}
