// Atomic accesses. Only one thread runs. So each atomic access is a load, a store, or both with an
// operator in between, and memory orders mean nothing here: they matter to passes that reorder
// accesses and to code generation. Where the object is volatile, each load and store is an event.
#include "fact/eval.h"
#include "run/rtl_interpreter.h"

typedef struct {
    Interpreter *in;
    Builtin builtin;
    Chunk chunk;
    uint64_t address;
    bool is_volatile;
} Access;

static bool fetch(const Access *access, Value *value) {
    World *world = &access->in->world;
    if (!memory_load(world->memory, access->chunk, access->address, value)) {
        world_wrong_access(world, access->address, chunk_size(access->chunk), false);
        return false;
    }
    return !access->is_volatile ||
           rtl_volatile_event(access->in, access->chunk, access->address, NULL, value);
}

// The event of a store tells what is in memory afterwards, not what else the register holds.
static bool put(const Access *access, Value value) {
    World *world = &access->in->world;
    if (!memory_store(world->memory, access->chunk, access->address, value)) {
        world_wrong_access(world, access->address, chunk_size(access->chunk), true);
        return false;
    }
    memory_load(world->memory, access->chunk, access->address, &value);
    return !access->is_volatile ||
           rtl_volatile_event(access->in, access->chunk, access->address, &value, NULL);
}

// What replaces the old value.
static Value combined(const Access *access, Value old, Value operand) {
    if (access->builtin == BI_ATOMIC_EXCHANGE) return operand;
    Type type = chunk_type(access->chunk);
    Value value;
    op_eval(op_of(builtin_combines(access->builtin), type), old, operand, (Value){0}, &value);
    if (access->builtin == BI_ATOMIC_NAND)
        op_eval(op_of(FAM_NOT, type), value, (Value){0}, (Value){0}, &value);
    return value;
}

// The object must be one that can be written even if the comparison fails: the machine writes it
// back then.
static bool compare(const Access *access, Value old, Value expected, Value desired) {
    World *world = &access->in->world;
    uint32_t size = chunk_size(access->chunk);
    uint64_t mask = UINT64_MAX >> (64 - 8 * size);
    uint8_t *undef;
    if ((old.undef | expected.undef) & mask) {
        world_wrong(world, "atomic_compare of an undefined value");
        return false;
    }
    if ((old.bits & mask) == (expected.bits & mask)) return put(access, desired);
    if (memory_write(world->memory, access->address, size, &undef)) return true;
    world_wrong_access(world, access->address, size, true);
    return false;
}

bool rtl_atomic(Interpreter *in, CallFrame *frame, const DecodedStep *step) {
    const Instr *instr = step_instr(frame, step);
    const Reg *last = instr_args(frame->code->func, instr) + instr->arg_count;
    Access access = {.in = in,
                     .builtin = instr->op,
                     .chunk = instr->chunk,
                     .is_volatile = instr_is_volatile(instr)};
    Value old, *regs = frame->regs;
    if (!rtl_address(in, frame, step, "an atomic access", &access.address)) return false;
    if (instr->op == BI_ATOMIC_STORE) return put(&access, regs[last[-1].i]);
    if (!fetch(&access, &old)) return false;
    if (instr->op == BI_ATOMIC_COMPARE) {
        if (!compare(&access, old, regs[last[-2].i], regs[last[-1].i])) return false;
    } else if (instr->op != BI_ATOMIC_LOAD) {
        if (!put(&access, combined(&access, old, regs[last[-1].i]))) return false;
    }
    regs[step->dest] = old;
    return true;
}
