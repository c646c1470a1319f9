// The builtin instructions of builtins.def, one function each. Each performs the instruction and is
// false if the run has ended; the frame is moved on in one place.
#include "run/rtl_interpreter.h"
#include "target/model.h"

enum { TOKEN_SHIFT = 32 };

static uint32_t va_list_size(const Interpreter *in) {
    return in->world.program->target->va_list_size;
}

static bool is_defined(Interpreter *in, Value value, const char *what) {
    if (!value.undef) return true;
    world_wrong(&in->world, "%s is undefined", what);
    return false;
}

// Whether bytes may be read or written; if not, the run has ended.
static bool can_access(Interpreter *in, Value address, uint64_t size, bool write) {
    uint8_t *undef;
    Memory *memory = in->world.memory;
    if (!is_defined(in, address, "an address")) return false;
    if (write ? memory_write(memory, address.bits, size, &undef)
              : memory_read(memory, address.bits, size, &undef))
        return true;
    world_wrong_access(&in->world, address.bits, size, write);
    return false;
}

static bool run_memcpy(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value to = frame->regs[step->a], from = frame->regs[step->b];
    uint64_t size = step->imm;
    if (!can_access(in, from, size, false) || !can_access(in, to, size, true)) return false;
    uint64_t distance = to.bits > from.bits ? to.bits - from.bits : from.bits - to.bits;
    if (distance && distance < size) {
        world_wrong(&in->world, "memcpy of %llu bytes between ranges that overlap",
                    (unsigned long long)size);
        return false;
    }
    return memory_copy(in->world.memory, to.bits, from.bits, size);
}

static bool run_memset(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value to = frame->regs[step->a];
    return can_access(in, to, step->imm, true) &&
           memory_fill(in->world.memory, to.bits, frame->regs[step->b], step->imm);
}

static bool run_alloca(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value size = frame->regs[step->a];
    if (!is_defined(in, size, "the size of an alloca")) return false;
    Object *object =
        memory_add(in->world.memory, OBJECT_ALLOCA, "alloca", size.bits, step->imm, false);
    if (!object) {
        world_wrong(&in->world, "no memory for an alloca of %llu bytes",
                    (unsigned long long)size.bits);
        return false;
    }
    vec_push(in->arena, &in->owned, object);
    frame->regs[step->dest] = value_i64(object->address);
    return true;
}

// A token names the frame by its depth and the number of allocas that live.
static bool run_stack_save(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    uint64_t live = in->owned.count - frame->allocas;
    frame->regs[step->dest] = value_i64((uint64_t)in->frames.count << TOKEN_SHIFT | live);
    return true;
}

static bool run_stack_restore(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value token = frame->regs[step->a];
    if (!is_defined(in, token, "the token of a stack_restore")) return false;
    uint64_t keep = (uint32_t)token.bits;
    if (token.bits >> TOKEN_SHIFT != in->frames.count || keep > in->owned.count - frame->allocas) {
        world_wrong(&in->world, "stack_restore to a state that is gone");
        return false;
    }
    while (in->owned.count > frame->allocas + keep)
        memory_remove(in->world.memory, vec_pop(&in->owned));
    return true;
}

static bool run_va_start(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value list = frame->regs[step->a];
    if (!can_access(in, list, va_list_size(in), true)) return false;
    if (!frame->va_list) frame->va_list = world_add_varargs(&in->world, frame->variable) + 1;
    memory_fill(in->world.memory, list.bits, value_i32(0), va_list_size(in));
    return memory_store(in->world.memory, CHUNK_I64, list.bits, value_i64(frame->va_list));
}

static bool run_va_arg(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value list = frame->regs[step->a], value;
    PType type = {step_instr(frame, step)->ref};
    const ParamType *info = program_ptype_info(in->program, type);
    if (!is_defined(in, list, "an address") ||
        !world_next_vararg(&in->world, list.bits, type, &value))
        return false;
    if (!ptype_is_aggregate(info)) {
        frame->regs[step->dest] = value;
        return true;
    }
    Value to = frame->regs[step->b];
    return can_access(in, to, info->size, true) &&
           memory_copy(in->world.memory, to.bits, value.bits, info->size);
}

static bool run_va_copy(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value to = frame->regs[step->a], from = frame->regs[step->b];
    return can_access(in, from, va_list_size(in), false) &&
           can_access(in, to, va_list_size(in), true) &&
           memory_copy(in->world.memory, to.bits, from.bits, va_list_size(in));
}

// The list is marked as out of use.
static bool run_va_end(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value list = frame->regs[step->a];
    return can_access(in, list, va_list_size(in), true) &&
           memory_fill(in->world.memory, list.bits, value_i32(0), va_list_size(in));
}

bool rtl_volatile_event(Interpreter *in, Chunk chunk, uint64_t address, const Value *stored,
                        const Value *loaded) {
    if (stored && !is_defined(in, *stored, "the value of a volatile store")) return false;
    if (loaded && !is_defined(in, *loaded, "the value of a volatile load")) return false;
    PType type = PTYPE_OF(chunk_type(chunk));
    PType params[] = {PTYPE_OF(TYPE_I64), type};
    uint32_t count = stored ? 2 : 1;
    SigInfo sig = {.result = loaded ? type : PTYPE_VOID,
                   .param_count = count,
                   .fixed_count = count,
                   .params = params};
    Value args[2] = {value_i64(address)};
    if (stored) args[1] = *stored;
    char name[32];
    snprintf(name, sizeof name, "volatile_%s.%s", stored ? "store" : "load", chunk_name(chunk));
    world_event(&in->world, name, &sig, args, count, loaded);
    return true;
}

static bool run_volatile_load(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value value;
    uint64_t address;
    if (!rtl_address(in, frame, step, "a volatile load", &address)) return false;
    if (!memory_load(in->world.memory, step->chunk, address, &value)) {
        world_wrong_access(&in->world, address, chunk_size(step->chunk), false);
    } else if (rtl_volatile_event(in, step->chunk, address, NULL, &value)) {
        frame->regs[step->dest] = value;
    }
    return !in->world.stopped;
}

static bool run_volatile_store(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    Value value = frame->regs[step->c];
    uint64_t address;
    if (!rtl_address(in, frame, step, "a volatile store", &address)) return false;
    if (!memory_store(in->world.memory, step->chunk, address, value))
        world_wrong_access(&in->world, address, chunk_size(step->chunk), true);
    else
        rtl_volatile_event(in, step->chunk, address, &value, NULL);
    return !in->world.stopped;
}

// A fence: one thread runs, which sees its own accesses in order. A spin: no run is endless here.
static bool run_nothing(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    (void)in;
    (void)frame;
    (void)step;
    return true;
}

static bool run_asm(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    (void)frame;
    (void)step;
    world_wrong(&in->world, "inline assembly was reached, which only a machine can run");
    return false;
}

// Nothing is known of what a reserved register holds at first.
static bool run_read_register(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    if (step->imm == in->world.program->target->stack) {
        world_wrong(&in->world, "the stack pointer was read, which only a machine has");
        return false;
    }
    frame->regs[step->dest] = in->world.registers[step->imm];
    return true;
}

static bool run_write_register(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    in->world.registers[step->imm] = frame->regs[step->a];
    return true;
}

// Frames lie one below the other, where no object is: who looks into them finds nothing.
static bool run_frame_address(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    enum { FRAME_DISTANCE = 64 };
    const uint64_t top = (uint64_t)0x7fff << 32;
    uint64_t depth = in->frames.count;
    if (step->imm >= depth) {
        world_wrong(&in->world, "frame %llu was asked for, but only %llu are known",
                    (unsigned long long)step->imm, (unsigned long long)depth);
        return false;
    }
    frame->regs[step->dest] = value_i64(top - FRAME_DISTANCE * (depth - step->imm));
    return true;
}

static bool run_return_address(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    (void)frame;
    (void)step;
    world_wrong(&in->world, "a return address was asked for, which only a machine has");
    return false;
}

static bool run_trap(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    (void)frame;
    (void)step;
    world_exit(&in->world, END_TRAP, 0);
    in->world.result->behaviour.reason = "a trap instruction was reached";
    return false;
}

static bool run_unreachable(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    (void)frame;
    (void)step;
    world_wrong(&in->world, "an unreachable instruction was reached");
    return false;
}

typedef bool BuiltinFunction(Interpreter *in, CallFrame *frame, const DecodedStep *step);

static BuiltinFunction *function_of(Builtin builtin) {
    switch (builtin) {
    case BI_MEMCPY: return run_memcpy;
    case BI_MEMSET: return run_memset;
    case BI_ALLOCA: return run_alloca;
    case BI_STACK_SAVE: return run_stack_save;
    case BI_STACK_RESTORE: return run_stack_restore;
    case BI_VA_START: return run_va_start;
    case BI_VA_ARG: return run_va_arg;
    case BI_VA_COPY: return run_va_copy;
    case BI_VA_END: return run_va_end;
    case BI_VOLATILE_LOAD: return run_volatile_load;
    case BI_VOLATILE_STORE: return run_volatile_store;
    case BI_ATOMIC_LOAD:
    case BI_ATOMIC_STORE:
    case BI_ATOMIC_EXCHANGE:
    case BI_ATOMIC_COMPARE:
    case BI_ATOMIC_ADD:
    case BI_ATOMIC_SUB:
    case BI_ATOMIC_AND:
    case BI_ATOMIC_OR:
    case BI_ATOMIC_XOR:
    case BI_ATOMIC_NAND: return rtl_atomic;
    case BI_FENCE:
    case BI_SIGNAL_FENCE:
    case BI_SPIN: return run_nothing;
    case BI_ASM:
    case BI_ASM_ALONE: return run_asm;
    case BI_READ_REGISTER: return run_read_register;
    case BI_WRITE_REGISTER: return run_write_register;
    case BI_FRAME_ADDRESS: return run_frame_address;
    case BI_RETURN_ADDRESS: return run_return_address;
    case BI_TRAP: return run_trap;
    case BI_UNREACHABLE: return run_unreachable;
    case BI_COUNT: break;
    }
    return NULL;
}

bool rtl_builtin(Interpreter *in) {
    CallFrame *frame = top_frame(in);
    const DecodedStep *step = frame->step;
    if (!function_of((Builtin)step_instr(frame, step)->op)(in, frame, step)) return false;
    frame->step = step->next;
    return true;
}
