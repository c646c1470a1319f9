#include "test/gen/records.h"

#include "test/gen/random.h"

enum { SLOTS = 5, SIZE = 24, VARIABLES = 4, ROUNDS = 3 };

// Parts of a record of 24 bytes, with some padding.
typedef struct {
    uint32_t at;
    Chunk chunk;
} Part;

enum { PARTS = 5 };
static const Part layouts[][PARTS] = {
    {{0, CHUNK_I32}, {4, CHUNK_I32}, {8, CHUNK_I64}, {16, CHUNK_I16}, {18, CHUNK_U8}},
    {{0, CHUNK_F32}, {4, CHUNK_U16}, {8, CHUNK_F64}, {16, CHUNK_I32}, {20, CHUNK_F32}},
};

typedef struct {
    Random random;
    Func *func;
    Reg variables[VARIABLES]; // i32
    Slot slots[SLOTS];
    Slot memory; // its address is known to others
    Reg zero;
    const Part *layout;
} Maker;

static Reg append(Maker *maker, Instr instr) {
    instr.succ_count = 1;
    instr.succ[0] = (Node){maker->func->nodes.count + 1};
    func_add(maker->func, instr);
    return instr.dest;
}

static Reg operate(Maker *maker, Op op, Reg arg) {
    return append(maker, (Instr){.kind = I_OP,
                                 .op = (uint16_t)op,
                                 .dest = func_temp(maker->func, op_info(op)->result),
                                 .arg_count = 1,
                                 .arg = {arg}});
}

static uint32_t draw(Maker *maker, uint32_t limit) {
    return (uint32_t)random_below(&maker->random, limit);
}

// A register with the address of a byte of a slot, perhaps in several steps.
static Reg address(Maker *maker, Slot slot, uint32_t at) {
    uint32_t first = draw(maker, 2) ? at : 0;
    Reg reg = append(maker, (Instr){.kind = I_OP,
                                    .op = OP_ADDR_SLOT,
                                    .dest = func_temp(maker->func, TYPE_I64),
                                    .ref = slot.i,
                                    .imm = first});
    if (first != at)
        reg = append(maker, (Instr){.kind = I_OP,
                                    .op = OP_ADD_I64,
                                    .immediate = true,
                                    .dest = func_temp(maker->func, TYPE_I64),
                                    .arg_count = 1,
                                    .arg = {reg},
                                    .imm = at - first});
    return draw(maker, 3) ? reg : operate(maker, OP_MOVE_I64, reg);
}

static Slot any_slot(Maker *maker) {
    return maker->slots[draw(maker, SLOTS)];
}

static Reg as_chunk(Maker *maker, Reg variable, Chunk chunk) {
    switch (chunk_type(chunk)) {
    case TYPE_I64: return operate(maker, OP_SEXT_I64, variable);
    case TYPE_F32: return operate(maker, OP_BITS_F32_I32, variable);
    case TYPE_F64: return operate(maker, OP_BITS_F64_I64, operate(maker, OP_SEXT_I64, variable));
    default: return variable;
    }
}

static Reg from_chunk(Maker *maker, Reg value, Chunk chunk) {
    switch (chunk_type(chunk)) {
    case TYPE_I64: return operate(maker, OP_TRUNC_I32, value);
    case TYPE_F32: return operate(maker, OP_BITS_I32_F32, value);
    case TYPE_F64: return operate(maker, OP_TRUNC_I32, operate(maker, OP_BITS_I64_F64, value));
    default: return value;
    }
}

// A part of the layout; rarely one that does not fit it.
static Part any_part(Maker *maker) {
    Part part = maker->layout[draw(maker, PARTS)];
    if (!draw(maker, 40)) part.at = draw(maker, SIZE - 8);
    // The same bytes in other clothes.
    if (!draw(maker, 4) && part.chunk == CHUNK_F64) part.chunk = CHUNK_I64;
    if (!draw(maker, 4) && part.chunk == CHUNK_I32) part.chunk = CHUNK_F32;
    if (!draw(maker, 4) && part.chunk == CHUNK_U8) part.chunk = CHUNK_I8;
    return part;
}

static Chunk chunk_of_store(Chunk chunk) {
    return chunk == CHUNK_U8 ? CHUNK_I8 : chunk == CHUNK_U16 ? CHUNK_I16 : chunk;
}

static void access_part(Maker *maker, Slot slot, bool load) {
    Part part = any_part(maker);
    Reg variable = maker->variables[draw(maker, VARIABLES)];
    Reg value = load ? func_temp(maker->func, chunk_type(part.chunk))
                     : as_chunk(maker, variable, part.chunk);
    Instr instr = {.kind = load ? I_LOAD : I_STORE,
                   .base = BASE_SLOT,
                   .ref = slot.i,
                   .chunk = (uint8_t)(load ? part.chunk : chunk_of_store(part.chunk)),
                   .dest = load ? value : NO_REG,
                   .imm = part.at};
    if (draw(maker, 2)) {
        uint32_t at = draw(maker, 2) ? part.at : 0;
        instr.base = BASE_REG;
        instr.ref = 0;
        instr.imm -= at;
        instr.arg[instr.arg_count++] = address(maker, slot, at);
    }
    if (!load) instr.arg[instr.arg_count++] = value;
    append(maker, instr);
    if (!load) return;
    append(maker, (Instr){.kind = I_OP,
                          .op = OP_ADD_I32,
                          .dest = variable,
                          .arg_count = 2,
                          .arg = {variable, from_chunk(maker, value, part.chunk)}});
}

// All of a slot, its first half, its last part, or, rarely, anything.
static void draw_range(Maker *maker, uint32_t *at, uint32_t *size) {
    static const uint32_t ranges[][2] = {{0, SIZE}, {0, SIZE}, {0, 8}, {8, 8}, {16, 8}, {0, 16}};
    const uint32_t *range = ranges[draw(maker, sizeof ranges / sizeof ranges[0])];
    *at = range[0];
    *size = range[1];
    if (draw(maker, 40)) return;
    *at = draw(maker, SIZE);
    *size = draw(maker, SIZE - *at + 1);
}

static void copy(Maker *maker, Slot to, Slot from) {
    uint32_t at, size;
    draw_range(maker, &at, &size);
    Reg target = address(maker, to, at), source = address(maker, from, at);
    append(maker, (Instr){.kind = I_BUILTIN,
                          .op = BI_MEMCPY,
                          .dest = NO_REG,
                          .arg_count = 2,
                          .arg = {target, source},
                          .imm = size});
}

static void fill(Maker *maker, Slot slot, uint32_t at, uint32_t size) {
    Reg target = address(maker, slot, at), value = maker->zero;
    if (draw(maker, 2))
        value = append(maker, (Instr){.kind = I_OP,
                                      .op = OP_CONST_I32,
                                      .dest = func_temp(maker->func, TYPE_I32),
                                      .imm = (int64_t)draw(maker, 300) - 150});
    append(maker, (Instr){.kind = I_BUILTIN,
                          .op = BI_MEMSET,
                          .dest = NO_REG,
                          .arg_count = 2,
                          .arg = {target, value},
                          .imm = size});
}

static void statement(Maker *maker) {
    uint32_t at, size;
    switch (draw(maker, 9)) {
    case 0:
    case 1: access_part(maker, any_slot(maker), false); break;
    case 2:
    case 3: access_part(maker, any_slot(maker), true); break;
    case 4: access_part(maker, maker->memory, draw(maker, 2)); break;
    case 5: copy(maker, any_slot(maker), any_slot(maker)); break;
    case 6: copy(maker, maker->memory, any_slot(maker)); break;
    case 7: copy(maker, any_slot(maker), maker->memory); break;
    default:
        draw_range(maker, &at, &size);
        fill(maker, any_slot(maker), at, size);
        break;
    }
}

// Sometimes skips what the next few statements do.
static void branch(Maker *maker) {
    Node node = {maker->func->nodes.count};
    append(maker, (Instr){.kind = I_COND,
                          .op = OP_LT_I32,
                          .dest = NO_REG,
                          .arg_count = 2,
                          .arg = {maker->variables[draw(maker, VARIABLES)],
                                  maker->variables[draw(maker, VARIABLES)]}});
    for (uint32_t i = draw(maker, 4); i > 0; i--) statement(maker);
    func_set_succs(maker->func, node, (Node[]){{node.i + 1}, {maker->func->nodes.count}}, 2);
}

static Func *start(Maker *maker, Arena *arena, Program *program) {
    Sym name = program_symbol(program, str_of(&program->strings, "f"), SYM_FUNC);
    Sig sig = program_sig(program,
                          (SigInfo){.result = PTYPE_OF(TYPE_I32),
                                    .param_count = 2,
                                    .fixed_count = 2,
                                    .params = (PType[]){PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)}});
    program_at(program, name)->sig = sig;
    program_at(program, name)->defined = true;
    Func *func = maker->func = func_new(program, arena, name, sig);
    program_at(program, name)->func = func;
    for (uint32_t i = 0; i < SLOTS; i++)
        maker->slots[i] = func_add_slot(func, (SlotInfo){.size = SIZE, .align = 8});
    maker->memory = func_add_slot(func, (SlotInfo){.size = SIZE, .align = 8});
    for (uint32_t i = 0; i < VARIABLES; i++) maker->variables[i] = func_temp(func, TYPE_I32);
    for (uint32_t i = 0; i < 2; i++) vec_push(arena, &func->params, maker->variables[i]);
    return func;
}

// Sets what has to be set, most of the slots, and lets the address of `memory` out of sight.
static void prepare(Maker *maker) {
    Func *func = maker->func;
    maker->zero =
        append(maker, (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = func_temp(func, TYPE_I32)});
    for (uint32_t i = 2; i < VARIABLES; i++)
        append(maker,
               (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = maker->variables[i], .imm = i});
    fill(maker, maker->memory, 0, SIZE);
    Reg known = address(maker, maker->memory, 0);
    append(maker, (Instr){.kind = I_STORE,
                          .base = BASE_SLOT,
                          .ref = maker->memory.i,
                          .chunk = CHUNK_I64,
                          .dest = NO_REG,
                          .arg_count = 1,
                          .arg = {known}});
    fill(maker, maker->memory, 0, SIZE);
    for (uint32_t i = 0; i < SLOTS; i++)
        if (draw(maker, 12)) fill(maker, maker->slots[i], 0, SIZE);
}

Func *record_func(Arena *arena, Program *program, uint64_t seed) {
    Maker maker = {.random = random_from(seed), .layout = layouts[seed % 2]};
    Func *func = start(&maker, arena, program);
    prepare(&maker);
    Reg round = func_temp(func, TYPE_I32);
    append(&maker, (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = round});
    Node loop = {func->nodes.count};
    for (uint32_t i = 4 + draw(&maker, 12); i > 0; i--) {
        if (draw(&maker, 5))
            statement(&maker);
        else
            branch(&maker);
    }
    append(&maker, (Instr){.kind = I_OP,
                           .op = OP_ADD_I32,
                           .immediate = true,
                           .dest = round,
                           .arg_count = 1,
                           .arg = {round},
                           .imm = 1});
    Node end = {func->nodes.count};
    append(&maker, (Instr){.kind = I_COND,
                           .op = OP_LT_I32,
                           .immediate = true,
                           .dest = NO_REG,
                           .arg_count = 1,
                           .arg = {round},
                           .imm = ROUNDS});
    func_set_succs(func, end, (Node[]){loop, {end.i + 1}}, 2);
    for (uint32_t i = 1; i < VARIABLES; i++)
        append(&maker, (Instr){.kind = I_OP,
                               .op = OP_XOR_I32,
                               .dest = maker.variables[0],
                               .arg_count = 2,
                               .arg = {maker.variables[0], maker.variables[i]}});
    func_add(
        func,
        (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {maker.variables[0]}});
    return func;
}
