// Random statements: assignments of small expressions, memory accesses, divisions, checks, calls.
#include "test/gen/body.h"

#include <string.h>

// ---- Constants

static int64_t random_float(Random *random, Type type) {
    double x = (double)(int32_t)random_next(random) / 1024;
    uint64_t bits = 0;
    switch (random_below(random, 8)) {
    case 0: x = 0; break;
    case 1: x = -0.0; break;
    case 2: x = 0x1p-140; break;                                               // denormal as f32
    case 3: return type == TYPE_F32 ? 0x7f800000 : 0x7ff0000000000000;         // infinity
    case 4: return type == TYPE_F32 ? 0x7fc00000 + 5 : 0x7ff8000000000000 + 5; // a NaN
    case 5: break;
    default: x = (double)random_range(random, 1, 20) - 10; break;
    }
    if (type == TYPE_F32) {
        float narrow = (float)x;
        memcpy(&bits, &narrow, sizeof narrow);
    } else {
        memcpy(&bits, &x, sizeof x);
    }
    return (int64_t)bits;
}

int64_t random_integer(Random *random, Type type) {
    if (type == TYPE_F32 || type == TYPE_F64) return random_float(random, type);
    uint32_t width = type == TYPE_I32 ? 32 : 64;
    uint64_t bits;
    switch (random_below(random, 6)) {
    case 0: bits = (uint64_t)1 << random_below(random, width); break;
    case 1: bits = ((uint64_t)1 << random_below(random, width)) - 1; break;
    case 2: bits = random_next(random); break;
    default: bits = (uint64_t)random_range(random, 0, 24) - 8; break;
    }
    return width == 32 ? (int32_t)(uint32_t)bits : (int64_t)bits;
}

// ---- Expressions

#define FAMILY(type)                                                                               \
    OP_ADD_##type, OP_SUB_##type, OP_MUL_##type, OP_AND_##type, OP_OR_##type, OP_XOR_##type,       \
        OP_SHL_##type, OP_SHR_##type, OP_SAR_##type, OP_SELECT_##type
#define FLOAT_FAMILY(type) OP_ADD_##type, OP_SUB_##type, OP_MUL_##type, OP_SELECT_##type

// What programs mostly do, by the type of the result.
static const Op common_i32[] = {FAMILY(I32),  OP_ADD_I32,   OP_LT_I32,     OP_EQ_I32,
                                OP_TRUNC_I32, OP_SEXT8_I32, OP_ZEXT16_I32, OP_ULT_I64};
static const Op common_i64[] = {FAMILY(I64), OP_ADD_I64, OP_SEXT_I64, OP_ZEXT_I64};
static const Op common_f64[] = {FLOAT_FAMILY(F64), OP_CVT_F64_I32, OP_CVT_F64_F32};
static const Op common_f32[] = {FLOAT_FAMILY(F32), OP_CVT_F32_I32, OP_CVT_F32_F64};

static const struct {
    const Op *list;
    uint32_t count;
} common[TYPE_COUNT] = {
    [TYPE_I32] = {common_i32, sizeof common_i32 / sizeof *common_i32},
    [TYPE_I64] = {common_i64, sizeof common_i64 / sizeof *common_i64},
    [TYPE_F64] = {common_f64, sizeof common_f64 / sizeof *common_f64},
    [TYPE_F32] = {common_f32, sizeof common_f32 / sizeof *common_f32},
};

static bool type_allowed(const Body *body, Type type) {
    return type_is_int(type) || (type != TYPE_F80 && !(body->options.omit & GEN_FLOATS));
}

static bool op_allowed(const Body *body, Op op, Type result) {
    const OpInfo *info = op_info(op);
    if (info->result != result || info->arity == 0 || info->flags & OPF_PARTIAL) return false;
    for (uint32_t k = 0; k < info->arity; k++)
        if (!type_allowed(body, info->operand[k])) return false;
    return true;
}

// Mostly a common operator, sometimes any that does not go wrong.
static Op random_op(Body *body, Type result) {
    Op op;
    bool usual = random_chance(&body->random, 3, 4);
    do
        op = usual ? common[result].list[random_below(&body->random, common[result].count)]
                   : (Op)random_below(&body->random, OP_COUNT);
    while (!op_allowed(body, op, result));
    return op;
}

static Reg operand(Body *body, Type type, uint32_t depth);

static void expression(Body *body, Reg dest, uint32_t depth) {
    Op op = random_op(body, reg_type(body->func, dest));
    const OpInfo *info = op_info(op);
    Reg args[3];
    bool immediate = op_allows_immediate(op) && random_chance(&body->random, 1, 3);
    uint32_t count = info->arity - (immediate ? 1u : 0u);
    for (uint32_t k = 0; k < count; k++) args[k] = operand(body, info->operand[k], depth);
    Instr instr = {.kind = I_OP, .op = (uint16_t)op, .dest = dest, .immediate = immediate};
    if (immediate) instr.imm = random_integer(&body->random, info->operand[count]);
    body_emit(body, instr, args, count);
}

static Reg operand(Body *body, Type type, uint32_t depth) {
    uint32_t count = body->variables[type].count;
    if (count && (depth == 0 || random_chance(&body->random, 3, 4)))
        return body->variables[type].at[random_below(&body->random, count)];
    Reg temp = body_temp(body, type);
    if (depth == 0 || random_chance(&body->random, 1, 4))
        body_const(body, temp, random_integer(&body->random, type));
    else
        expression(body, temp, depth - 1);
    return temp;
}

Reg body_value(Body *body, Type type) {
    return operand(body, type, 1);
}

void body_assign(Body *body, Reg dest) {
    expression(body, dest, 2);
}

// ---- Statements

// A variable to assign to, of any type that has one.
static Reg target(Body *body) {
    static const Type mix[] = {TYPE_I32, TYPE_I32, TYPE_I32, TYPE_I64,
                               TYPE_I64, TYPE_F64, TYPE_F32};
    Type type;
    do type = mix[random_below(&body->random, sizeof mix / sizeof *mix)];
    while (!body->variables[type].count);
    return operand(body, type, 0);
}

static void assign_statement(Body *body) {
    body_assign(body, target(body));
}

static void const_statement(Body *body) {
    Reg dest = target(body);
    body_const(body, dest, random_integer(&body->random, reg_type(body->func, dest)));
}

static void move_statement(Body *body) {
    Reg dest = target(body);
    Type type = reg_type(body->func, dest);
    Reg from = operand(body, type, 0);
    body_emit(body, (Instr){.kind = I_OP, .op = (uint16_t)op_move(type), .dest = dest}, &from, 1);
}

static Reg masked(Body *body, int64_t mask) {
    Reg index = body_temp(body, TYPE_I64);
    body_op_immediate(body, OP_AND_I64, index, operand(body, TYPE_I64, 0), mask);
    return index;
}

static void emit_address(Body *body, Reg dest, bool slot, uint32_t ref, int64_t offset) {
    Op op = slot ? OP_ADDR_SLOT : OP_ADDR_SYMBOL;
    body_emit(body,
              (Instr){.kind = I_OP, .op = (uint16_t)op, .dest = dest, .ref = ref, .imm = offset},
              NULL, 0);
}

// Fills in the address fields of an access that stays inside a slot or global, and the registers it
// needs; yields how many. Objects have 64 bytes; an index takes up to 24 of them.
static uint32_t random_address(Body *body, Instr *instr, Reg *args, bool write) {
    uint32_t size = chunk_size(instr->chunk), count = 0;
    bool slot = random_chance(&body->random, 2, 3);
    Sym global = write || random_chance(&body->random, 1, 2) ? body->state : body->table;
    uint32_t ref = slot ? random_below(&body->random, body->func->slots.count) : global.i;
    instr->base = slot ? BASE_SLOT : BASE_SYMBOL;
    instr->ref = ref;
    instr->imm = random_below(&body->random, 32 / size) * size;
    if (random_chance(&body->random, 1, 3)) { // through a pointer, which may point past the end
        Reg pointer = body_temp(body, TYPE_I64);
        int64_t offset = random_range(&body->random, 0, 12) * 8;
        emit_address(body, pointer, slot, ref, offset);
        if (slot && random_chance(&body->random, 1, 4)) { // one pointer or the other
            Reg other = body_temp(body, TYPE_I64), either = body_temp(body, TYPE_I64);
            emit_address(body, other, false, body->state.i, offset);
            body_emit(body, (Instr){.kind = I_OP, .op = OP_SELECT_I64, .dest = either},
                      (Reg[]){operand(body, TYPE_I32, 0), pointer, other}, 3);
            pointer = either;
        } else if (body->options.distances && random_chance(&body->random, 1, 4)) {
            // From the pointer to another object, by their distance.
            Reg other = body_temp(body, TYPE_I64), distance = body_temp(body, TYPE_I64);
            emit_address(body, other, false, body->state.i, offset);
            body_emit(body, (Instr){.kind = I_OP, .op = OP_SUB_I64, .dest = distance},
                      (Reg[]){other, pointer}, 2);
            instr->base = BASE_REG;
            instr->ref = 0;
            instr->imm -= offset;
            instr->scale = 1;
            args[0] = pointer;
            args[1] = distance;
            return 2;
        }
        instr->base = BASE_REG;
        instr->ref = 0;
        instr->imm -= offset;
        args[count++] = pointer;
    }
    if (random_chance(&body->random, 1, 3)) {
        instr->scale = (uint8_t)size;
        args[count++] = masked(body, 3);
    }
    return count;
}

static Chunk random_chunk(Body *body, bool write) {
    static const Chunk loads[] = {CHUNK_I32, CHUNK_I64, CHUNK_I32, CHUNK_I64, CHUNK_I8,
                                  CHUNK_I16, CHUNK_U8,  CHUNK_U16, CHUNK_F64, CHUNK_F32};
    static const Chunk stores[] = {CHUNK_I32, CHUNK_I64, CHUNK_I32, CHUNK_I64,
                                   CHUNK_I8,  CHUNK_I16, CHUNK_F64, CHUNK_F32};
    uint32_t floats = body->options.omit & GEN_FLOATS ? 2 : 0;
    return write ? stores[random_below(&body->random, 8 - floats)]
                 : loads[random_below(&body->random, 10 - floats)];
}

static void load_as(Body *body, Instr instr) {
    Chunk chunk = random_chunk(body, false);
    Reg args[3];
    instr.chunk = (uint8_t)chunk;
    uint32_t count = random_address(body, &instr, args, instr.kind == I_BUILTIN);
    instr.dest = body->variables[chunk_type(chunk)].count ? operand(body, chunk_type(chunk), 0)
                                                          : body_temp(body, chunk_type(chunk));
    body_emit(body, instr, args, count);
}

static void store_as(Body *body, Instr instr) {
    Reg args[3];
    instr.chunk = (uint8_t)random_chunk(body, true);
    instr.dest = NO_REG;
    uint32_t count = random_address(body, &instr, args, true);
    args[count++] = operand(body, chunk_type(instr.chunk), 0);
    body_emit(body, instr, args, count);
}

static void load_statement(Body *body) {
    load_as(body, (Instr){.kind = I_LOAD});
}

static void store_statement(Body *body) {
    store_as(body, (Instr){.kind = I_STORE});
}

static void volatile_statement(Body *body) {
    if (random_chance(&body->random, 1, 2))
        load_as(body, (Instr){.kind = I_BUILTIN, .op = BI_VOLATILE_LOAD});
    else
        store_as(body, (Instr){.kind = I_BUILTIN, .op = BI_VOLATILE_STORE});
}

static void copy_statement(Body *body) {
    Reg to = body_temp(body, TYPE_I64), from = body_temp(body, TYPE_I64);
    uint32_t slot = random_below(&body->random, body->func->slots.count);
    body_emit(body, (Instr){.kind = I_OP, .op = OP_ADDR_SLOT, .dest = to, .ref = slot}, NULL, 0);
    body_emit(body, (Instr){.kind = I_OP, .op = OP_ADDR_SYMBOL, .dest = from, .ref = body->table.i},
              NULL, 0);
    int64_t size = random_range(&body->random, 0, 64);
    body_emit(body, (Instr){.kind = I_BUILTIN, .op = BI_MEMCPY, .dest = NO_REG, .imm = size},
              (Reg[]){to, from}, 2);
}

static bool unguarded(Body *body) {
    return random_chance(&body->random, body->options.wrong, 1000);
}

// A divisor that is positive and small.
static Reg divisor(Body *body, Type type) {
    Reg small = body_temp(body, type), odd = body_temp(body, type);
    bool wide = type == TYPE_I64;
    body_op_immediate(body, wide ? OP_AND_I64 : OP_AND_I32, small, operand(body, type, 0), 1022);
    body_op_immediate(body, wide ? OP_OR_I64 : OP_OR_I32, odd, small, 1);
    return odd;
}

static void division_statement(Body *body) {
    static const Op list[] = {OP_DIVS_I32, OP_DIVU_I32, OP_MODS_I32, OP_MODU_I32,
                              OP_DIVS_I64, OP_DIVU_I64, OP_MODS_I64, OP_MODU_I64};
    Op op = list[random_below(&body->random, 8)];
    Type type = op_info(op)->result;
    Reg dest = operand(body, type, 0), a = operand(body, type, 0);
    if (random_chance(&body->random, 1, 3)) {
        body_op_immediate(body, op, dest, a, random_range(&body->random, 1, 100));
        return;
    }
    Reg b = unguarded(body) ? operand(body, type, 0) : divisor(body, type);
    body_emit(body, (Instr){.kind = I_OP, .op = (uint16_t)op, .dest = dest}, (Reg[]){a, b}, 2);
}

static void check_statement(Body *body) {
    Type type = random_chance(&body->random, 1, 3) ? TYPE_I64 : TYPE_I32;
    Reg value = unguarded(body) ? operand(body, type, 0) : divisor(body, type);
    body_emit(body, (Instr){.kind = I_CHECK, .dest = NO_REG}, &value, 1);
}

static void call_statement(Body *body) {
    Sig sig = program_at(body->func->program, body->putchar)->sig;
    Reg dest = random_chance(&body->random, 1, 2) ? NO_REG : operand(body, TYPE_I32, 0);
    Reg value = body_value(body, TYPE_I32);
    Instr call = {.kind = I_CALL, .dest = dest, .ref = body->putchar.i, .aux = sig.i};
    if (random_chance(&body->random, 7, 8)) {
        body_emit(body, call, &value, 1);
        return;
    }
    Reg function = body_temp(body, TYPE_I64);
    body_emit(body,
              (Instr){.kind = I_OP, .op = OP_ADDR_SYMBOL, .dest = function, .ref = body->putchar.i},
              NULL, 0);
    call.ref = NO_ID;
    body_emit(body, call, (Reg[]){function, value}, 2);
}

static Reg buffer_address(Body *body, uint32_t buffer) {
    Reg address = body_temp(body, TYPE_I64);
    emit_address(body, address, false, body->buffers.i, (int64_t)buffer * GEN_BUFFER_SIZE);
    return address;
}

static void access_jumps(Body *body, InstrKind kind, uint32_t word, Reg reg) {
    Instr instr = {.kind = (uint8_t)kind,
                   .base = BASE_SYMBOL,
                   .chunk = CHUNK_I32,
                   .ref = body->jumps.i,
                   .imm = 4 * (int64_t)word,
                   .dest = kind == I_LOAD ? reg : NO_REG};
    body_emit(body, instr, &reg, kind == I_STORE);
}

static void set_statement(Body *body) {
    const Program *program = body->func->program;
    uint32_t buffer = random_below(&body->random, GEN_BUFFERS);
    Reg one = body_temp(body, TYPE_I32), args[2] = {NO_REG, buffer_address(body, buffer)};
    Instr call = {.kind = I_CALL, .dest = operand(body, TYPE_I32, 0), .ref = body->setjmp.i};
    SigInfo sig = *program_sig_info(program, program_at(program, body->setjmp)->sig);
    bool direct = random_chance(&body->random, 3, 4);
    call.aux = program_at(program, body->setjmp)->sig.i;
    if (!direct) {
        args[0] = body_temp(body, TYPE_I64);
        emit_address(body, args[0], false, body->setjmp.i, 0);
        call.ref = NO_ID;
        sig.returns_twice = true;
        call.aux = program_sig(body->func->program, sig).i;
    }
    body_emit(body, call, direct ? args + 1 : args, direct ? 1 : 2);
    body_const(body, one, 1);
    access_jumps(body, I_STORE, 1 + buffer, one);
}

// To a buffer that is set, as long as there were not too many jumps.
static void jump_statement(Body *body) {
    uint32_t buffer = random_below(&body->random, GEN_BUFFERS);
    Label end = body_label(body);
    Reg set = body_temp(body, TYPE_I32), count = body_temp(body, TYPE_I32);
    Reg more = body_temp(body, TYPE_I32), value = body_temp(body, TYPE_I32);
    access_jumps(body, I_LOAD, 1 + buffer, set);
    body_branch_immediate(body, OP_EQ_I32, set, 0, end, NEXT);
    access_jumps(body, I_LOAD, 0, count);
    body_branch_immediate(body, OP_GE_I32, count, GEN_MOST_JUMPS, end, NEXT);
    body_op_immediate(body, OP_ADD_I32, more, count, 1);
    access_jumps(body, I_STORE, 0, more);
    body_const(body, value, random_range(&body->random, 0, 9));
    Instr call = {.kind = I_CALL, .dest = NO_REG, .ref = body->longjmp.i};
    call.aux = program_at(body->func->program, body->longjmp)->sig.i;
    body_emit(body, call, (Reg[]){buffer_address(body, buffer), value}, 2);
    body_bind(body, end);
}

static const struct {
    uint32_t weight; // in percent
    uint32_t needs;  // GEN_ flag
    void (*emit)(Body *body);
} statements[] = {
    {53, 0, assign_statement},
    {8, 0, move_statement},
    {8, 0, const_statement},
    {1, 0, body_nop},
    {8, GEN_MEMORY, load_statement},
    {7, GEN_MEMORY, store_statement},
    {1, GEN_MEMORY, copy_statement},
    {1, GEN_MEMORY | GEN_VOLATILE, volatile_statement},
    {4, GEN_DIVISIONS, division_statement},
    {2, GEN_CHECKS, check_statement},
    {7, GEN_CALLS, call_statement},
};

void body_statement(Body *body) {
    if (body->options.jumps && random_chance(&body->random, 1, 5)) {
        if (random_chance(&body->random, 1, 2))
            set_statement(body);
        else
            jump_statement(body);
        return;
    }
    uint32_t at = random_below(&body->random, 100), k = 0;
    while (at >= statements[k].weight) at -= statements[k++].weight;
    if (statements[k].needs & body->options.omit) k = 0;
    statements[k].emit(body);
}

void body_statements(Body *body, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) body_statement(body);
}
