// Calls of library functions whose arguments are known only where a small function is called:
// the length of a word in starts_with(text, word), the size in put(to, from, size). Lowering notes
// such calls (lower_library.c), late.c replaces calls of such small functions if an argument is a
// constant, and here the calls are folded: lengths become constants, small blocks are copied,
// filled and compared in place.
//
// A comparison of bytes is a call of a function that does not exist, ".memcmp", in case its size
// becomes known: then the bytes are compared as numbers (late.h). Other comparisons become calls of
// memcmp again.
#include "c/late/late.h"

#include <string.h>

enum { DEEPEST = 8 };         // definitions that are followed
enum { LARGEST_BLOCK = 128 }; // bytes that are copied or filled in place

LateLibrary late_library_kind(const Lower *lower, const Instr *instr) {
    if (instr->kind != I_CALL || instr->ref == NO_ID) return LIBRARY_NONE;
    uint32_t kind = map_get(&lower->library, instr->ref);
    bool plain = kind != HASH_NONE && instr->succ_count == 1;
    return plain ? (LateLibrary)kind : LIBRARY_NONE;
}

// The argument that has to be known.
static Reg open_argument(const Func *func, const Instr *call, LateLibrary kind) {
    return instr_args(func, call)[kind == LIBRARY_LENGTH ? 0 : 2];
}

// ---- What is known of registers

static bool is_extension(Op op) {
    return op == OP_SEXT_I64 || op == OP_ZEXT_I64 || op == OP_TRUNC_I32;
}

static KnownRegister nothing(void) {
    return (KnownRegister){.symbol = NO_SYM};
}

// The value of a register that has one definition, if it is a number or the address of a symbol.
static KnownRegister known_deep(const LateOrigins *origins, Reg reg, uint32_t depth) {
    const Instr *instr = defining_instr(origins->func, origins->definitions, reg);
    if (!instr || depth == DEEPEST) return nothing();
    if (late_library_kind(origins->lower, instr) == LIBRARY_LENGTH) {
        KnownRegister text = known_deep(origins, instr_args(origins->func, instr)[0], depth + 1);
        const char *string = late_string(origins->func->program, &text);
        return (KnownRegister){
            .known = string, .symbol = NO_SYM, .value = string ? (int64_t)strlen(string) : 0};
    }
    if (instr->kind != I_OP) return nothing();
    if (instr->op == OP_ADDR_SYMBOL)
        return (KnownRegister){.known = true, .symbol = {instr->ref}, .value = instr->imm};
    if (instr->op == OP_CONST_I32 || instr->op == OP_CONST_I64)
        return (KnownRegister){.known = true, .symbol = NO_SYM, .value = instr->imm};
    if (op_is_move(instr->op)) return known_deep(origins, instr->arg[0], depth + 1);
    if (!is_extension(instr->op) || !instr->arg_count) return nothing();
    KnownRegister from = known_deep(origins, instr->arg[0], depth + 1);
    if (from.symbol.i != NO_ID) return nothing();
    from.value =
        instr->op == OP_ZEXT_I64 ? (int64_t)(uint32_t)from.value : (int64_t)(int32_t)from.value;
    return from;
}

LateOrigins late_origins(Arena *arena, const Lower *lower, const Func *func) {
    return (LateOrigins){.lower = lower, .func = func, .definitions = definitions_of(arena, func)};
}

// The number of the parameter from which a register gets its value; NO_ID if it is none.
static uint32_t parameter_behind(const LateOrigins *origins, Reg reg) {
    const Func *func = origins->func;
    for (uint32_t depth = 0; depth < DEEPEST; depth++) {
        const Instr *instr = defining_instr(func, origins->definitions, reg);
        if (!instr) break;
        bool passes = instr->kind == I_OP && instr->arg_count == 1 &&
                      (op_is_move(instr->op) || is_extension(instr->op));
        if (!passes && late_library_kind(origins->lower, instr) != LIBRARY_LENGTH) return NO_ID;
        reg = instr_args(func, instr)[0];
    }
    for (uint32_t i = 0; i < func->params.count; i++)
        if (func->params.at[i].i == reg.i)
            return origins->definitions[reg.i].by == SET_BY_CALLER ? i : NO_ID;
    return NO_ID;
}

uint64_t late_open_parameters(const LateOrigins *origins) {
    const Func *func = origins->func;
    uint64_t open = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        LateLibrary kind = late_library_kind(origins->lower, &func->nodes.at[n]);
        if (kind == LIBRARY_NONE) continue;
        Reg reg = open_argument(func, &func->nodes.at[n], kind);
        uint32_t param = parameter_behind(origins, reg);
        if (param < 64) open |= UINT64_C(1) << param;
    }
    return open;
}

bool late_is_closed(const LateOrigins *origins, const Instr *call, uint64_t open) {
    for (uint32_t i = 0; i < call->arg_count && open >> i; i++) {
        if (!(open >> i & 1)) continue;
        KnownRegister known = known_deep(origins, instr_args(origins->func, call)[i], 0);
        if (known.known && (known.symbol.i == NO_ID || late_string(origins->func->program, &known)))
            return true;
    }
    return false;
}

bool late_uses_library(const Lower *lower, const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (late_library_kind(lower, &func->nodes.at[n]) != LIBRARY_NONE) return true;
    return false;
}

// ---- Comparisons in place

typedef struct {
    Func *func;
    Node node; // the call, where it has moved to
} Comparing;

static Reg put(Comparing *comparing, Instr instr, Type type) {
    instr.dest = func_temp(comparing->func, type);
    comparing->node = late_put_before(comparing->func, comparing->node, instr);
    return instr.dest;
}

static Instr operation(OpFamily family, Type type, Reg a, Reg b) {
    return (Instr){
        .kind = I_OP, .op = (uint16_t)op_of(family, type), .arg_count = 2, .arg = {a, b}};
}

// Some bytes at a pointer as a number, in memory's order.
static Reg load(Comparing *comparing, Reg pointer, uint64_t at, uint64_t size) {
    Chunk chunk = size == 8 ? CHUNK_I64 : size == 4 ? CHUNK_I32 : size == 2 ? CHUNK_U16 : CHUNK_U8;
    Instr instr = {.kind = I_LOAD,
                   .base = BASE_REG,
                   .chunk = (uint8_t)chunk,
                   .arg_count = 1,
                   .arg = {pointer},
                   .imm = (int64_t)at};
    return put(comparing, instr, size == 8 ? TYPE_I64 : TYPE_I32);
}

// Whether nothing but comparisons with zero reads a register.
static bool is_tested_only(const Func *func, Reg reg) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        bool tests = (instr->kind == I_OP || instr->kind == I_COND) &&
                     (instr->op == OP_EQ_I32 || instr->op == OP_NE_I32) && instr->immediate &&
                     instr->imm == 0;
        for (uint32_t k = 0; k < instr->arg_count; k++)
            if (instr_args(func, instr)[k].i == reg.i && !tests) return false;
    }
    return true;
}

// The last instruction, which sets what the call sets.
static void put_result(Comparing *comparing, Instr instr) {
    Instr *call = &comparing->func->nodes.at[comparing->node.i];
    instr.dest = call->dest;
    instr.loc = call->loc;
    instr.succ_count = 1;
    instr.succ[0] = call->succ[0];
    *call = instr;
}

// Bytes that are one number: which of both is less, the first byte being the highest.
static void compare_number(Comparing *comparing, const Reg args[2], uint64_t size) {
    Reg value[2];
    Type type = size == 8 ? TYPE_I64 : TYPE_I32;
    for (uint32_t i = 0; i < 2; i++) {
        value[i] = load(comparing, args[i], 0, size);
        Instr swap = {.kind = I_OP,
                      .op = (uint16_t)op_of(FAM_BSWAP, type),
                      .arg_count = 1,
                      .arg = {value[i]}};
        if (size > 1) value[i] = put(comparing, swap, type);
    }
    if (size > 1) {
        Reg above = put(comparing, operation(FAM_UGT, type, value[0], value[1]), TYPE_I32);
        value[1] = put(comparing, operation(FAM_ULT, type, value[0], value[1]), TYPE_I32);
        value[0] = above;
    }
    put_result(comparing, operation(FAM_SUB, TYPE_I32, value[0], value[1]));
}

// Bytes that are two numbers, which overlap perhaps: whether both are equal.
static void compare_twice(Comparing *comparing, const Reg args[2], uint64_t size) {
    uint64_t part = size > 8 ? 8 : size > 4 ? 4 : 2;
    Type type = part == 8 ? TYPE_I64 : TYPE_I32;
    Reg differs[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t at = i ? size - part : 0;
        Reg a = load(comparing, args[0], at, part), b = load(comparing, args[1], at, part);
        differs[i] = put(comparing, operation(FAM_XOR, type, a, b), type);
    }
    Reg both = put(comparing, operation(FAM_OR, type, differs[0], differs[1]), type);
    Instr test = operation(FAM_NE, type, both, both);
    test.arg_count = 1;
    test.immediate = true;
    test.imm = 0;
    put_result(comparing, test);
}

static bool compare_in_place(Func *func, Node node, uint64_t size) {
    enum { LARGEST = 16 };
    const Instr *call = func_at(func, node);
    Reg args[2] = {instr_args(func, call)[0], instr_args(func, call)[1]};
    Comparing comparing = {.func = func, .node = node};
    if (size == 0 || size > LARGEST) return false;
    if (size <= 8 && !(size & (size - 1)))
        compare_number(&comparing, args, size);
    else if (is_tested_only(func, call->dest))
        compare_twice(&comparing, args, size);
    else
        return false;
    return true;
}

// ---- Calls

static void fold_call(Lower *lower, Func *func, Node node, LateLibrary kind, KnownRegister known) {
    bool number = known.known && known.symbol.i == NO_ID;
    uint64_t size = number ? (uint64_t)known.value : 0;
    switch (kind) {
    case LIBRARY_LENGTH: {
        const char *text = late_string(lower->program, &known);
        if (text) late_put_constant(func, node, (int64_t)strlen(text));
        break;
    }
    case LIBRARY_COPY:
    case LIBRARY_FILL:
        if (size && size <= LARGEST_BLOCK)
            late_put_block(func, node, kind == LIBRARY_COPY, (int64_t)size);
        break;
    case LIBRARY_COMPARE:
        if (number && size == 0)
            late_put_constant(func, node, 0);
        else if (!compare_in_place(func, node, size))
            func->nodes.at[node.i].ref = lower->compares_by.i;
        break;
    case LIBRARY_NONE: break;
    }
}

void late_fold_library(Arena *arena, Lower *lower, Func *func) {
    uint32_t count = func->nodes.count;
    LateOrigins origins = late_origins(arena, lower, func);
    KnownRegister *known = ARENA_ARRAY(arena, KnownRegister, count);
    for (uint32_t n = 0; n < count; n++) {
        LateLibrary kind = late_library_kind(lower, &func->nodes.at[n]);
        if (kind != LIBRARY_NONE)
            known[n] = known_deep(&origins, open_argument(func, &func->nodes.at[n], kind), 0);
    }
    for (uint32_t n = 0; n < count; n++) {
        LateLibrary kind = late_library_kind(lower, &func->nodes.at[n]);
        if (kind != LIBRARY_NONE) fold_call(lower, func, (Node){n}, kind, known[n]);
    }
}
