// Accesses to memory, as the back end writes them: loads and stores of every chunk, parts of every
// size, updates in place, copies, fills and atomic accesses do what they should to memory and to
// nothing else.
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

enum { SOURCE_AT = 16, TARGET_AT = 512, RUNS = 12 };

// ---- Instructions with an address

static MachInstr addressed(MachKind kind, Random *random) {
    MachInstr instr = mach_instr(kind);
    instr.addressed = true;
    instr.base = MB_PLACE;
    instr.base_place = place_machine(M_RSI);
    instr.displacement = (int32_t)random_below(random, 300) - 150;
    if (random_chance(random, 1, 2)) {
        instr.scale = (uint8_t)(1 << random_below(random, 4));
        instr.index = place_machine(M_RDI);
    }
    return instr;
}

static Place value_place(Random *random, Type type) {
    if (type == TYPE_F80) return place_spill(NATIVE_SPILLS - 1);
    if (mach_class_of(type) == MC_VECTOR)
        return place_machine((MachineReg)(M_XMM0 + random_below(random, 16)));
    static const MachineReg regs[] = {M_RAX, M_RCX, M_RDX, M_RBX, M_R8, M_R9, M_R10, M_R12, M_RBP};
    return place_machine(regs[random_below(random, 9)]);
}

static void fill(Random *random, NativeBlock *block) {
    uint8_t *bytes = (uint8_t *)&block->in;
    for (size_t i = 0; i < sizeof block->in; i++) bytes[i] = (uint8_t)random_next(random);
    for (size_t i = 0; i < NATIVE_MEMORY; i++) block->memory[i] = (uint8_t)random_next(random);
    // A long double that is a number.
    for (uint32_t s = NATIVE_SMALL_SPILLS; s < NATIVE_SPILLS; s++) {
        block->in.spill[s][7] |= 0x80;
        block->in.spill[s][9] = 0x40;
    }
    block->memory[TARGET_AT + 7] |= 0x80;
    block->memory[TARGET_AT + 9] = 0x40;
}

static void aim(Random *random, const MachInstr *instr, NativeBlock *block) {
    uint64_t index = instr->scale ? random_below(random, 100) : 0;
    block->in.general[M_RDI] = index;
    block->in.general[M_RSI] = (uint64_t)(uintptr_t)(block->memory + TARGET_AT) -
                               index * instr->scale - (uint64_t)(int64_t)instr->displacement;
}

static void get_place(const NativeState *state, Place place, uint8_t bytes[16]) {
    uint32_t index = place_index(place);
    if (place_is_spill(place))
        memcpy(bytes, state->spill[index], 16);
    else
        memcpy(bytes, index < M_XMM0 ? &state->general[index] : &state->vector[index - M_XMM0], 8);
}

static uint64_t word_of(const uint8_t *bytes, uint32_t size) {
    uint64_t word = 0;
    for (uint32_t i = size; i-- > 0;) word = word << 8 | bytes[i];
    return word;
}

static void set_word(uint8_t *bytes, uint32_t size, uint64_t word) {
    for (uint32_t i = 0; i < size; i++) bytes[i] = (uint8_t)(word >> 8 * i);
}

static uint64_t extended(Chunk chunk, const uint8_t *bytes) {
    uint64_t word = word_of(bytes, chunk_size(chunk));
    if (chunk == CHUNK_I8) return value_i32((uint32_t)(int8_t)word).bits;
    if (chunk == CHUNK_I16) return value_i32((uint32_t)(int16_t)word).bits;
    return word;
}

// Runs a case on a fresh block; `before` is what it was.
static void run(const Native *native, Random *random, uint32_t i, NativeBlock *before,
                NativeBlock *block) {
    *block = (NativeBlock){0};
    fill(random, block);
    aim(random, &native->cases.at[i].instr, block);
    *before = *block;
    native_run(native, i, block);
}

static void assert_registers_kept(const NativeCase *c, const NativeBlock *block) {
    for (uint32_t r = 0; r < 16; r++) {
        if (r != M_RSP && r != (uint32_t)c->keeper && !regs_has(c->destroyed, r))
            assert_int_equal(block->in.general[r], block->out.general[r]);
        if (!regs_has(c->destroyed, M_XMM0 + r))
            assert_int_equal(block->in.vector[r], block->out.vector[r]);
    }
}

// ---- Loads and stores

static void loads_and_stores(void **state) {
    (void)state;
    Random random = random_from(1);
    Native native;
    native_init(&native);
    for (uint32_t k = 0; k < 8 * CHUNK_COUNT; k++) {
        MachInstr instr = addressed(k % 2 ? MK_LOAD : MK_STORE, &random);
        instr.chunk = (uint8_t)(k / 8);
        Place place = value_place(&random, chunk_type((Chunk)instr.chunk));
        if (instr.kind == MK_LOAD)
            instr.dest = place;
        else
            instr.src[0] = place;
        assert_true(native_add(&native, instr, false));
    }
    native_load(&native);
    for (uint32_t i = 0; i < native.cases.count * RUNS; i++) {
        const NativeCase *c = &native.cases.at[i / RUNS];
        Chunk chunk = (Chunk)c->instr.chunk;
        uint32_t size = chunk == CHUNK_F80 ? 10 : chunk_size(chunk);
        NativeBlock before, block;
        uint8_t bytes[16];
        run(&native, &random, i / RUNS, &before, &block);
        if (c->instr.kind == MK_LOAD) {
            get_place(&block.out, c->instr.dest, bytes);
            if (size == 10)
                assert_memory_equal(bytes, before.memory + TARGET_AT, 10);
            else
                assert_int_equal(word_of(bytes, chunk_type(chunk) == TYPE_I32 ? 4 : size),
                                 extended(chunk, before.memory + TARGET_AT));
        } else {
            get_place(&before.in, c->instr.src[0], bytes);
            memcpy(before.memory + TARGET_AT, bytes, size);
        }
        assert_memory_equal(before.memory, block.memory, NATIVE_MEMORY);
        assert_registers_kept(c, &block);
    }
    native_free(&native);
}

static void parts(void **state) {
    (void)state;
    Random random = random_from(2);
    Native native;
    native_init(&native);
    for (uint32_t k = 0; k < 128; k++) {
        MachInstr instr = addressed(k & 1 ? MK_LOAD_PART : MK_STORE_PART, &random);
        instr.op = k & 2 ? OP_MOVE_I64 : OP_MOVE_F64;
        instr.imm = k / 4 % 8 + 1;
        Place place = value_place(&random, k & 2 ? TYPE_I64 : TYPE_F64);
        if (instr.kind == MK_LOAD_PART)
            instr.dest = place;
        else
            instr.src[0] = place;
        native_add(&native, instr, false);
    }
    assert_true(native.cases.count > 100);
    native_load(&native);
    for (uint32_t i = 0; i < native.cases.count * RUNS; i++) {
        const NativeCase *c = &native.cases.at[i / RUNS];
        uint32_t size = (uint32_t)c->instr.imm;
        NativeBlock before, block;
        uint8_t bytes[16];
        run(&native, &random, i / RUNS, &before, &block);
        if (c->instr.kind == MK_LOAD_PART) {
            get_place(&block.out, c->instr.dest, bytes);
            assert_int_equal(word_of(bytes, 8), word_of(before.memory + TARGET_AT, size));
        } else {
            get_place(&before.in, c->instr.src[0], bytes);
            memcpy(before.memory + TARGET_AT, bytes, size);
        }
        assert_memory_equal(before.memory, block.memory, NATIVE_MEMORY);
        assert_registers_kept(c, &block);
    }
    native_free(&native);
}

// ---- Updates

static void updates(void **state) {
    (void)state;
    Random random = random_from(3);
    Native native;
    native_init(&native);
    for (uint32_t k = 0; k < 4000 && native.cases.count < effort(100, 600, 2000); k++) {
        MachInstr instr = addressed(MK_UPDATE, &random);
        do instr.op = (uint16_t)random_below(&random, OP_COUNT);
        while (x64_shape((Op)instr.op) != X64_BINARY && x64_shape((Op)instr.op) != X64_SHIFT &&
               x64_shape((Op)instr.op) != X64_UNARY);
        instr.chunk = (uint8_t)random_below(&random, CHUNK_F32);
        instr.memory = 0;
        if (!mach_takes_memory(&instr, 0, (Chunk)instr.chunk)) continue;
        if (op_info((Op)instr.op)->arity > 1) {
            int64_t imm = (int32_t)(random_next(&random) >> random_below(&random, 64));
            if (random_chance(&random, 1, 2) && mach_takes_immediate(&instr, 1, imm)) {
                instr.immediate = 1;
                instr.imm = imm;
            } else {
                bool shifts = x64_shape((Op)instr.op) == X64_SHIFT;
                instr.src[1] = shifts ? place_machine(M_RCX) : value_place(&random, TYPE_I64);
            }
        }
        native_add(&native, instr, false);
    }
    native_load(&native);
    for (uint32_t i = 0; i < native.cases.count * RUNS; i++) {
        const NativeCase *c = &native.cases.at[i / RUNS];
        const OpInfo *op = op_info((Op)c->instr.op);
        NativeBlock before, block;
        uint8_t bytes[16] = {0};
        run(&native, &random, i / RUNS, &before, &block);
        Value a = {.bits = extended((Chunk)c->instr.chunk, before.memory + TARGET_AT)}, b = {0};
        Value result;
        if (c->instr.immediate == 1) {
            b = value_immediate(op->operand[1], c->instr.imm);
        } else if (op->arity > 1) {
            get_place(&before.in, c->instr.src[1], bytes);
            b.bits = word_of(bytes, 8) & type_mask(op->operand[1]);
        }
        assert_true(op_eval((Op)c->instr.op, a, b, (Value){0}, &result));
        set_word(before.memory + TARGET_AT, chunk_size((Chunk)c->instr.chunk), result.bits);
        assert_memory_equal(before.memory, block.memory, NATIVE_MEMORY);
        assert_registers_kept(c, &block);
    }
    native_free(&native);
}

// ---- Copies and fills

static void copies_and_fills(void **state) {
    (void)state;
    Random random = random_from(4);
    Native native;
    native_init(&native);
    for (uint32_t k = 0; k < 3 * 300; k++) {
        MachInstr instr = mach_instr(MK_BUILTIN);
        instr.op = k % 3 ? BI_MEMSET : BI_MEMCPY;
        instr.imm = k / 3;
        instr.src[0] = place_machine(M_RDI);
        if (k % 3 == 0) instr.src[1] = place_machine(M_RSI);
        if (k % 3 == 1) instr.src[1] = place_machine(M_RAX);
        if (k % 3 == 2) {
            instr.immediate = 1;
            instr.high = (uint16_t)(random_chance(&random, 1, 2) ? 0 : random_below(&random, 256));
        }
        assert_true(native_add(&native, instr, false));
    }
    native_load(&native);
    for (uint32_t i = 0; i < native.cases.count; i++) {
        const NativeCase *c = &native.cases.at[i];
        size_t size = (size_t)c->instr.imm;
        NativeBlock before, block = {0};
        fill(&random, &block);
        block.in.general[M_RDI] = (uint64_t)(uintptr_t)(block.memory + TARGET_AT);
        block.in.general[M_RSI] = (uint64_t)(uintptr_t)(block.memory + SOURCE_AT);
        before = block;
        native_run(&native, i, &block);
        if (c->instr.op == BI_MEMCPY)
            memcpy(before.memory + TARGET_AT, before.memory + SOURCE_AT, size);
        else
            memset(before.memory + TARGET_AT,
                   c->instr.immediate == 1 ? c->instr.high : (uint8_t)before.in.general[M_RAX],
                   size);
        assert_memory_equal(before.memory, block.memory, NATIVE_MEMORY);
        assert_registers_kept(c, &block);
    }
    native_free(&native);
}

// ---- Atomic accesses

// What is in memory afterwards.
static uint64_t atomic_outcome(Builtin builtin, uint64_t old, uint64_t a, uint64_t b,
                               uint64_t mask) {
    switch (builtin) {
    case BI_ATOMIC_STORE:
    case BI_ATOMIC_EXCHANGE: return a;
    case BI_ATOMIC_COMPARE: return ((old ^ a) & mask) == 0 ? b : old;
    case BI_ATOMIC_ADD: return old + a;
    case BI_ATOMIC_SUB: return old - a;
    case BI_ATOMIC_AND: return old & a;
    case BI_ATOMIC_OR: return old | a;
    case BI_ATOMIC_XOR: return old ^ a;
    case BI_ATOMIC_NAND: return ~(old & a);
    default: return old;
    }
}

static void atomics(void **state) {
    (void)state;
    Random random = random_from(5);
    Native native;
    native_init(&native);
    for (uint32_t k = 0; k < 600; k++) {
        MachInstr instr = addressed(MK_BUILTIN, &random);
        do instr.op = (uint16_t)random_below(&random, BI_COUNT);
        while (builtin_info((Builtin)instr.op)->form != BIF_ATOMIC);
        instr.chunk = (uint8_t)random_below(&random, CHUNK_F32);
        instr.aux = random_chance(&random, 1, 2) ? ORDER_SEQ_CST : ORDER_RELAXED;
        Place value = value_place(&random, TYPE_I64);
        if (instr.op != BI_ATOMIC_STORE) instr.dest = value_place(&random, TYPE_I64);
        OpFamily combines = builtin_combines((Builtin)instr.op);
        if (combines == FAM_AND || combines == FAM_OR || combines == FAM_XOR)
            instr.dest = place_machine(M_RAX);
        if (instr.op != BI_ATOMIC_LOAD) instr.src[0] = value;
        if (instr.op == BI_ATOMIC_COMPARE) {
            instr.dest = instr.src[0] = place_machine(M_RAX);
            instr.src[1] = place_machine(M_RBX);
        }
        native_add(&native, instr, false);
    }
    assert_true(native.cases.count > 300);
    native_load(&native);
    for (uint32_t i = 0; i < native.cases.count * RUNS; i++) {
        const NativeCase *c = &native.cases.at[i / RUNS];
        Chunk chunk = (Chunk)c->instr.chunk;
        uint32_t size = chunk_size(chunk);
        uint64_t mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1, a = 0;
        NativeBlock before, block = {0};
        fill(&random, &block);
        aim(&random, &c->instr, &block);
        // Half of the comparisons succeed, in the bits that count.
        if (c->instr.op == BI_ATOMIC_COMPARE && random_chance(&random, 1, 2))
            block.in.general[M_RAX] =
                (block.in.general[M_RAX] & ~mask) | word_of(block.memory + TARGET_AT, size);
        before = block;
        native_run(&native, i / RUNS, &block);
        if (c->instr.src[0].i != NO_ID) a = before.in.general[place_index(c->instr.src[0])];
        uint64_t old = word_of(before.memory + TARGET_AT, size);
        uint64_t seen = extended(chunk, before.memory + TARGET_AT);
        set_word(before.memory + TARGET_AT, size,
                 atomic_outcome((Builtin)c->instr.op, old, a, before.in.general[M_RBX], mask));
        assert_memory_equal(before.memory, block.memory, NATIVE_MEMORY);
        if (c->instr.dest.i != NO_ID)
            assert_int_equal(
                block.out.general[place_index(c->instr.dest)] & type_mask(chunk_type(chunk)), seen);
        assert_registers_kept(c, &block);
    }
    native_free(&native);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores), cmocka_unit_test(parts),   cmocka_unit_test(updates),
        cmocka_unit_test(copies_and_fills), cmocka_unit_test(atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
