// Every operator, as the back end writes it, computes what ops.def says: in every form that the
// constraints allow (registers, spills, memory, immediates), with values from the corners; and
// nothing changes but what the constraints say is destroyed.
#include "fact/eval.h"
#include "target/x64/model/constraints.h"
#include "target/x64/model/x64.h"
#include "test/gen/effort.h"
#include "test/gen/native.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MEMORY_AT = 512, ATTEMPTS = 300 };

// ---- Values

static uint64_t corner_integer(Random *random) {
    static const uint64_t corners[] = {0,
                                       1,
                                       2,
                                       UINT64_MAX,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x8000,
                                       0xffff,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0x8000000000000001,
                                       0xfffffffffffff800,
                                       0xfffffffffffffbff};
    if (random_chance(random, 1, 3)) return random_next(random) >> random_below(random, 64);
    uint64_t corner = corners[random_below(random, sizeof corners / sizeof *corners)];
    // Halves of two corners, so that the half that does not count differs.
    if (random_chance(random, 1, 2)) corner = (corner & UINT32_MAX) | random_next(random) << 32;
    return corner + random_below(random, 3) - 1;
}

static long double corner_float(Random *random) {
    static const long double corners[] = {0.0L,
                                          1.0L,
                                          0.5L,
                                          1.5L,
                                          0x1p31L,
                                          0x1p31L - 1,
                                          0x1p32L,
                                          0x1p32L - 1,
                                          0x1p63L,
                                          0x1p64L,
                                          0x1p65L,
                                          0x1.fffffep63L,
                                          0x1.fffffffffffffp63L,
                                          0x1p-149L,
                                          0x1p-1074L,
                                          0x1p127L,
                                          0x1p1023L,
                                          __builtin_infl(),
                                          3.14159265358979323846L,
                                          1e10L};
    long double value = corners[random_below(random, sizeof corners / sizeof *corners)];
    if (random_chance(random, 1, 4)) value = (long double)(int64_t)random_next(random);
    if (random_chance(random, 1, 4)) value += (long double)random_below(random, 8) / 4;
    return random_chance(random, 1, 2) ? -value : value;
}

static Value random_value(Random *random, Type type) {
    switch (type) {
    case TYPE_F32:
        if (random_chance(random, 1, 12))
            return value_i32((uint32_t)random_next(random) | 0x7fc00001);
        return value_f32((float)corner_float(random));
    case TYPE_F64:
        if (random_chance(random, 1, 12))
            return value_i64(random_next(random) | 0x7ff8000000000001);
        return value_f64((double)corner_float(random));
    case TYPE_F80:
        if (random_chance(random, 1, 12)) return value_f80(__builtin_nanl(""));
        return value_f80(corner_float(random));
    default: return value_i64(corner_integer(random));
    }
}

static void put_value(NativeState *state, Place place, Type type, Value value, Random *random) {
    if (type == TYPE_F32) value.bits = (value.bits & UINT32_MAX) | random_next(random) << 32;
    uint32_t index = place_index(place);
    if (place_is_spill(place)) {
        memcpy(state->spill[index], &value.bits, 8);
        if (type == TYPE_F80) memcpy(state->spill[index] + 8, &value.high, 2);
    } else if (index < M_XMM0) {
        state->general[index] = value.bits;
    } else {
        state->vector[index - M_XMM0] = value.bits;
    }
}

static Value get_value(const NativeState *state, Place place, Type type) {
    Value value = {0};
    uint32_t index = place_index(place);
    if (place_is_spill(place)) {
        memcpy(&value.bits, state->spill[index], 8);
        if (type == TYPE_F80) memcpy(&value.high, state->spill[index] + 8, 2);
    } else {
        value.bits = index < M_XMM0 ? state->general[index] : state->vector[index - M_XMM0];
    }
    value.bits &= type_mask(type);
    return value;
}

static Value load_chunk(const uint8_t *at, Chunk chunk) {
    Value value = {0};
    memcpy(&value.bits, at, chunk_size(chunk) > 8 ? 8 : chunk_size(chunk));
    if (chunk == CHUNK_F80) memcpy(&value.high, at + 8, 2);
    if (chunk == CHUNK_I8) return value_i32((uint32_t)(int8_t)value.bits);
    if (chunk == CHUNK_I16) return value_i32((uint32_t)(int16_t)value.bits);
    return value;
}

// ---- Forms of an instruction

static Place random_place(Random *random, Type type, Place near) {
    if (type == TYPE_F80)
        return place_spill(random_range(random, NATIVE_SMALL_SPILLS, NATIVE_SPILLS - 1));
    if (near.i != NO_ID && random_chance(random, 1, 4)) return near;
    if (random_chance(random, 1, 4)) return place_spill(random_below(random, NATIVE_SMALL_SPILLS));
    uint32_t reg = random_below(random, 16);
    if (mach_class_of(type) == MC_VECTOR) return place_machine((MachineReg)(M_XMM0 + reg));
    return place_machine((MachineReg)(reg == M_RSP ? M_RAX : reg));
}

static void give_address(Random *random, MachInstr *instr) {
    instr->addressed = true;
    instr->base = MB_PLACE;
    instr->base_place = place_machine((MachineReg)(M_RSI + random_below(random, 8)));
    instr->displacement = (int32_t)random_below(random, 400) - 200;
    if (random_chance(random, 1, 2)) return;
    instr->scale = (uint8_t)(1 << random_below(random, 4));
    instr->index = place_machine((MachineReg)random_below(random, 4));
}

// Perhaps makes one source an immediate or memory.
static void vary_sources(Random *random, MachInstr *instr, uint32_t count, const Type *types) {
    uint32_t k = random_below(random, count);
    if (random_chance(random, 1, 3) && count > 1) {
        int64_t imm = (int64_t)corner_integer(random);
        if (random_chance(random, 2, 3)) imm = (int32_t)imm;
        if (types[1] == TYPE_I32) imm = (int32_t)imm;
        if (mach_takes_immediate(instr, 1, imm)) {
            instr->immediate = 1;
            instr->imm = imm;
        }
    }
    if (random_chance(random, 1, 2) && instr->immediate != k) {
        Chunk chunk = (Chunk)random_below(random, CHUNK_COUNT);
        while (chunk_type(chunk) != types[k]) chunk = (Chunk)((chunk + 1) % CHUNK_COUNT);
        if (!mach_takes_memory(instr, k, chunk)) return;
        instr->memory = (uint8_t)k;
        instr->chunk = (uint8_t)chunk;
        give_address(random, instr);
        // A narrow chunk needs an immediate that fits it, which was chosen for registers.
        if (instr->immediate == 1 && !mach_takes_immediate(instr, 1, instr->imm))
            instr->imm = random_below(random, 100);
    }
}

static void choose_places(Random *random, MachInstr *instr, Type result, uint32_t count,
                          const Type *types) {
    if (result != TYPE_VOID) instr->dest = random_place(random, result, NO_PLACE);
    for (uint32_t k = 0; k < count; k++)
        if (k != instr->memory && k != instr->immediate)
            instr->src[k] = random_place(random, types[k],
                                         types[k] == TYPE_F80 || result == TYPE_F80 ||
                                                 mach_class_of(types[k]) != mach_class_of(result)
                                             ? NO_PLACE
                                             : instr->dest);
}

// Puts operands that have to be in a fixed register there.
static void obey_fixed(Native *native, MachInstr *instr) {
    Func func = {.program = native->program};
    Mach mach = {.allocated = true};
    for (uint32_t s = 0; s < NATIVE_SPILLS; s++)
        vec_push(native->arena, &mach.spills,
                 (MachSpill){.size = s < NATIVE_SMALL_SPILLS ? 8 : 16});
    func.mach = &mach;
    MachConstraints constraints = {0};
    mach_constraints(native->arena, &func, instr, &constraints);
    for (uint32_t k = 0; k < constraints.operands.count; k++)
        if (constraints.operands.at[k].fixed != MACHINE_REG_LIMIT)
            *constraints.operands.at[k].place =
                place_machine((MachineReg)constraints.operands.at[k].fixed);
}

// The address must not be in a register that holds an operand as well.
static bool address_is_apart(const MachInstr *instr) {
    if (!instr->addressed) return true;
    if (instr->index.i == instr->base_place.i) return false;
    for (uint32_t k = 0; k < MACH_SOURCES; k++)
        if (instr->src[k].i != NO_ID &&
            (instr->src[k].i == instr->base_place.i || instr->src[k].i == instr->index.i))
            return false;
    return true;
}

// ---- Operators, selects and branches

typedef struct {
    Type result;
    uint32_t count; // sources
    Type types[MACH_SOURCES];
} Shape;

static Shape shape_of(const MachInstr *instr) {
    const OpInfo *op = op_info((Op)instr->op);
    Shape shape = {.result = instr->kind == MK_BRANCH ? TYPE_VOID : op->result, .count = op->arity};
    for (uint32_t k = 0; k < op->arity; k++) shape.types[k] = op->operand[k];
    if (instr->kind == MK_SELECT) {
        shape.result = shape.types[2] = shape.types[3] = (Type)instr->aux;
        shape.count = 4;
    }
    return shape;
}

static uint32_t add_forms(Native *native, Random *random, MachInstr plain, uint32_t wanted) {
    uint32_t added = 0;
    for (uint32_t attempt = 0; attempt < ATTEMPTS && added < wanted; attempt++) {
        MachInstr instr = plain;
        if (instr.kind == MK_SELECT) instr.aux = random_range(random, TYPE_I32, TYPE_F80);
        if (op_compares_integers((Op)instr.op)) instr.tested = random_chance(random, 1, 4);
        Shape shape = shape_of(&instr);
        vary_sources(random, &instr, shape.count, shape.types);
        choose_places(random, &instr, shape.result, shape.count, shape.types);
        obey_fixed(native, &instr);
        if (!address_is_apart(&instr)) continue;
        if (instr.tested && instr.memory < 2 && chunk_size((Chunk)instr.chunk) < 4) continue;
        added += native_add(native, instr, random_chance(random, 1, 2));
    }
    return added;
}

static void fill_state(Random *random, NativeBlock *block) {
    uint8_t *bytes = (uint8_t *)&block->in;
    for (size_t i = 0; i < sizeof block->in; i++) bytes[i] = (uint8_t)random_next(random);
    for (uint32_t s = NATIVE_SMALL_SPILLS; s < NATIVE_SPILLS; s++) {
        Value one = value_f80(1.25L);
        memcpy(block->in.spill[s], &one.bits, 8);
        memcpy(block->in.spill[s] + 8, &one.high, 8);
    }
    for (size_t i = 0; i < NATIVE_MEMORY; i++) block->memory[i] = (uint8_t)random_next(random);
}

// Sets the registers of an address so that it is MEMORY_AT.
static void aim_address(Random *random, const MachInstr *instr, NativeBlock *block) {
    if (!instr->addressed) return;
    uint64_t index = instr->scale ? random_below(random, 1000) - 500u : 0;
    if (instr->scale) block->in.general[place_index(instr->index)] = index;
    block->in.general[place_index(instr->base_place)] =
        (uint64_t)(uintptr_t)(block->memory + MEMORY_AT) - index * instr->scale -
        (uint64_t)(int64_t)instr->displacement;
}

static Value source_value(const MachInstr *instr, const NativeBlock *block, uint32_t k, Type type) {
    if (instr->immediate == k) return value_immediate(type, instr->imm);
    if (instr->memory == k) return load_chunk(block->memory + MEMORY_AT, (Chunk)instr->chunk);
    return get_value(&block->in, instr->src[k], type);
}

// What the instruction yields for what is in the block; false if that is a wrong step.
static bool expected_value(const MachInstr *instr, const NativeBlock *block, Value *result) {
    Shape shape = shape_of(instr);
    Value values[MACH_SOURCES] = {{0}};
    for (uint32_t k = 0; k < shape.count; k++)
        values[k] = source_value(instr, block, k, shape.types[k]);
    if (instr->tested) {
        values[0].bits &= values[1].bits;
        values[1].bits = 0;
    }
    if (!op_eval((Op)instr->op, values[0], values[1], values[2], result)) return false;
    if (instr->kind == MK_SELECT) *result = values[result->bits ? 2 : 3];
    return true;
}

static void assert_rest_unchanged(const NativeCase *c, const NativeBlock *block) {
    for (uint32_t r = 0; r < 16; r++) {
        bool kept = r != M_RSP && r != (uint32_t)c->keeper && !regs_has(c->destroyed, r);
        if (kept) assert_int_equal(block->in.general[r], block->out.general[r]);
        if (!regs_has(c->destroyed, M_XMM0 + r))
            assert_int_equal(block->in.vector[r], block->out.vector[r]);
    }
    for (uint32_t s = 0; s < NATIVE_SPILLS; s++)
        if (c->instr.dest.i != place_spill(s).i)
            assert_memory_equal(block->in.spill[s], block->out.spill[s],
                                s < NATIVE_SMALL_SPILLS ? 8 : 10);
}

// Whether there was something to compare.
static bool try_case(const Native *native, Random *random, uint32_t index) {
    const NativeCase *c = &native->cases.at[index];
    const MachInstr *instr = &c->instr;
    Shape shape = shape_of(instr);
    NativeBlock block = {0};
    Value expected;
    fill_state(random, &block);
    for (uint32_t k = 0; k < shape.count; k++) {
        Value value = random_value(random, shape.types[k]);
        if (instr->memory == k) {
            memcpy(block.memory + MEMORY_AT, &value.bits, 8);
            memcpy(block.memory + MEMORY_AT + 8, &value.high, 2);
        } else if (instr->immediate != k) {
            put_value(&block.in, instr->src[k], shape.types[k], value, random);
        }
    }
    aim_address(random, instr, &block);
    if (!expected_value(instr, &block, &expected)) return false;
    NativeBlock before = block;
    native_run(native, index, &block);
    if (shape.result == TYPE_VOID) {
        assert_int_equal(block.outcome, expected.bits);
    } else {
        Value got = get_value(&block.out, instr->dest, shape.result);
        if (got.bits != expected.bits || got.high != expected.high)
            fail_msg("%s, case %u: expected %llx %llx, got %llx %llx", op_info((Op)instr->op)->name,
                     index, (unsigned long long)expected.bits, (unsigned long long)expected.high,
                     (unsigned long long)got.bits, (unsigned long long)got.high);
    }
    assert_rest_unchanged(c, &block);
    assert_memory_equal(before.memory, block.memory, NATIVE_MEMORY);
    return true;
}

// Constants and addresses have no operands.
static bool has_operands(Op op) {
    return op_info(op)->arity > 0;
}

static void try_all(MachKind kind, uint64_t seed) {
    Random random = random_from(seed);
    uint32_t forms = (uint32_t)effort(4, 16, 64), runs = (uint32_t)effort(8, 40, 200);
    Native native;
    native_init(&native);
    for (uint32_t op = 0; op < OP_COUNT; op++) {
        MachInstr plain = mach_instr(kind);
        plain.op = (uint16_t)op;
        if (!has_operands((Op)op) || (kind != MK_OP && !(op_info((Op)op)->flags & OPF_COND)))
            continue;
        assert_true(add_forms(&native, &random, plain, forms) > 0);
    }
    native_load(&native);
    uint64_t compared = 0;
    for (uint32_t i = 0; i < native.cases.count; i++)
        for (uint32_t run = 0; run < runs; run++) compared += try_case(&native, &random, i);
    assert_true(compared > (uint64_t)native.cases.count * runs / 10 * 9);
    native_free(&native);
}

static void operators(void **state) {
    (void)state;
    try_all(MK_OP, 1);
}

static void selects(void **state) {
    (void)state;
    try_all(MK_SELECT, 2);
}

static void branches(void **state) {
    (void)state;
    try_all(MK_BRANCH, 3);
}

// ---- Flags that are used again

// An operator on registers, then a branch that compares its result with zero.
static bool add_pair(Native *native, Random *random) {
    MachInstr op = mach_instr(MK_OP), branch = mach_instr(MK_BRANCH);
    do op.op = (uint16_t)random_below(random, OP_COUNT);
    while (x64_shape((Op)op.op) != X64_BINARY && x64_shape((Op)op.op) != X64_SHIFT &&
           x64_shape((Op)op.op) != X64_UNARY);
    Shape shape = shape_of(&op);
    choose_places(random, &op, shape.result, shape.count, shape.types);
    if (shape.count > 1 && random_chance(random, 1, 2)) {
        op.immediate = 1;
        op.src[1] = NO_PLACE;
        op.imm = (int32_t)corner_integer(random);
    }
    obey_fixed(native, &op);
    bool wide = shape.result == TYPE_I64 && random_chance(random, 3, 4);
    branch.op = (uint16_t)((wide ? OP_EQ_I64 : OP_EQ_I32) + random_below(random, 10));
    branch.src[0] = op.dest;
    branch.immediate = 1;
    return native_add_after(native, op, branch, random_chance(random, 1, 2));
}

static void try_pair(const Native *native, Random *random, uint32_t index) {
    const NativeCase *c = &native->cases.at[index];
    Shape shape = shape_of(&c->before);
    NativeBlock block = {0};
    Value result, expected;
    fill_state(random, &block);
    for (uint32_t k = 0; k < shape.count; k++)
        if (c->before.immediate != k)
            put_value(&block.in, c->before.src[k], shape.types[k],
                      random_value(random, shape.types[k]), random);
    assert_true(expected_value(&c->before, &block, &result));
    Type compared = op_info((Op)c->instr.op)->operand[0];
    result.bits &= type_mask(compared);
    assert_true(op_eval((Op)c->instr.op, result, (Value){0}, (Value){0}, &expected));
    native_run(native, index, &block);
    if (block.outcome != expected.bits)
        fail_msg("%s then %s, case %u", op_info((Op)c->before.op)->name,
                 op_info((Op)c->instr.op)->name, index);
}

static void flags(void **state) {
    (void)state;
    Random random = random_from(4);
    Native native;
    native_init(&native);
    uint32_t wanted = (uint32_t)effort(100, 1500, 5000);
    while (native.cases.count < wanted) add_pair(&native, &random);
    native_load(&native);
    for (uint32_t i = 0; i < native.cases.count; i++)
        for (uint32_t run = 0; run < 30; run++) try_pair(&native, &random, i);
    native_free(&native);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators),
        cmocka_unit_test(selects),
        cmocka_unit_test(branches),
        cmocka_unit_test(flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
