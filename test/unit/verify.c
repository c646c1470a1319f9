// The verifier: a program that uses every kind of instruction passes; broken in one place, it is
// reported under the rule for that place and no other; broken anywhere at random, it is never more
// than reported.
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// ---- A good program

enum {
    S_ALL,
    S_FMT,
    S_TABLE,
    S_COMMON,
    S_STDOUT,
    S_PRINTF,
    S_EXIT,
    S_MAKE,
    S_PLAIN,
    S_ALIAS,
    S_COUNT
};

// Registers of the function `all`: its parameters first, then one of each type, and temporaries.
enum { R_N, R_P, R_AGG, R_W, R_Q, R_F, R_D, R_X, R_TEMP, R_COUNT };

// Its nodes, in order; each leads to the next but for the last few.
enum {
    AT_NOP,
    AT_CONST_I32,
    AT_CONST_I64,
    AT_CONST_F32,
    AT_CONST_F64,
    AT_CONST_F80,
    AT_ADDR_SYMBOL,
    AT_ADDR_SLOT,
    AT_ADD,
    AT_ADD_IMM,
    AT_ADD_F64,
    AT_SELECT,
    AT_LOAD,
    AT_LOAD_TABLE,
    AT_STORE,
    AT_STORE_SLOT,
    AT_CALL,
    AT_CALL_LATER,
    AT_CALL_INDIRECT,
    AT_CALL_AGGREGATE,
    AT_CALL_VOID,
    AT_COND,
    AT_SWITCH,
    AT_SWITCH_LATER,
    AT_CHECK,
    AT_MEMCPY,
    AT_MEMSET,
    AT_ALLOCA,
    AT_STACK_SAVE,
    AT_STACK_RESTORE,
    AT_VA_START,
    AT_VA_ARG,
    AT_VA_ARG_AGGREGATE,
    AT_VA_COPY,
    AT_VA_END,
    AT_VOLATILE_LOAD,
    AT_VOLATILE_STORE,
    AT_ATOMIC_LOAD,
    AT_ATOMIC_STORE,
    AT_ATOMIC_ADD,
    AT_ATOMIC_COMPARE,
    AT_FENCE,
    AT_RETURN,
    AT_TRAP,
    AT_UNREACHABLE,
    AT_COUNT
};

enum { FIRST_LABEL = 100 };

typedef struct {
    Arena *arena;
    Program *program;
    Func *all;
    Func *plain;
    PType aggregate;
    Sig sig_all, sig_printf_call, sig_exit, sig_make, sig_plain;
    Complaints complaints;
} Fixture;

static Sig sig_of(Fixture *x, PType result, uint32_t count, const PType *params, uint32_t fixed,
                  bool variadic) {
    return program_sig(x->program, (SigInfo){.result = result,
                                             .param_count = count,
                                             .fixed_count = fixed,
                                             .variadic = variadic,
                                             .params = params});
}

static Symbol *symbol_at(Fixture *x, uint32_t i) {
    return &x->program->symbols.at[i];
}

static void add_symbol(Fixture *x, const char *name, SymKind kind, Sig sig, bool defined) {
    Sym symbol = program_symbol(x->program, str_of(&x->program->strings, name), kind);
    program_at(x->program, symbol)->sig = sig;
    program_at(x->program, symbol)->defined = defined;
}

static void make_signatures(Fixture *x) {
    const PType i32 = PTYPE_OF(TYPE_I32), i64 = PTYPE_OF(TYPE_I64), f64 = PTYPE_OF(TYPE_F64);
    x->aggregate = program_ptype(
        x->program, (ParamType){.size = 16, .align = 8, .parts = 2, .part = {TYPE_I64, TYPE_F64}});
    program_ptype(x->program, (ParamType){.size = 24, .align = 8});
    x->sig_all = sig_of(x, i32, 3, (PType[]){i32, i64, x->aggregate}, 3, true);
    x->sig_printf_call = sig_of(x, i32, 4, (PType[]){i64, i32, f64, i64}, 1, true);
    x->sig_exit = sig_of(x, PTYPE_VOID, 1, &i32, 1, false);
    x->sig_make = sig_of(x, x->aggregate, 1, &i32, 1, false);
    x->sig_plain = sig_of(x, PTYPE_VOID, 0, NULL, 0, false);
}

static void make_data(Fixture *x) {
    const DataItem bytes = {
        .kind = DATA_BYTES, .symbol = NO_SYM, .value = 4, .bytes = (const uint8_t *)"%d\n"};
    vec_push(x->arena, &symbol_at(x, S_FMT)->data, bytes);
    symbol_at(x, S_FMT)->size = 4;
    symbol_at(x, S_FMT)->flags = SYMF_CONST;
    symbol_at(x, S_FMT)->linkage = LINK_STATIC;
    const DataItem items[] = {{.kind = DATA_I8, .symbol = NO_SYM, .value = -1},
                              {.kind = DATA_ZERO, .symbol = NO_SYM, .value = 1},
                              {.kind = DATA_I16, .symbol = NO_SYM, .value = 65535},
                              {.kind = DATA_I32, .symbol = NO_SYM, .value = -5},
                              {.kind = DATA_I64, .symbol = NO_SYM, .value = INT64_MIN},
                              {.kind = DATA_ADDR, .symbol = {S_FMT}, .value = 1}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        vec_push(x->arena, &symbol_at(x, S_TABLE)->data, items[i]);
    symbol_at(x, S_TABLE)->size = 40;
    symbol_at(x, S_TABLE)->align = 8;
    symbol_at(x, S_COMMON)->linkage = LINK_COMMON;
    symbol_at(x, S_COMMON)->size = 4;
    symbol_at(x, S_STDOUT)->size = 8;
}

static void make_symbols(Fixture *x) {
    const Sig none = {NO_ID};
    const PType i64 = PTYPE_OF(TYPE_I64);
    Sig sig_printf = sig_of(x, PTYPE_OF(TYPE_I32), 1, &i64, 1, true);
    add_symbol(x, "all", SYM_FUNC, x->sig_all, true);
    add_symbol(x, "fmt", SYM_DATA, none, true);
    add_symbol(x, "table", SYM_DATA, none, true);
    add_symbol(x, "common", SYM_DATA, none, true);
    add_symbol(x, "stdout", SYM_DATA, none, false);
    add_symbol(x, "printf", SYM_FUNC, sig_printf, false);
    add_symbol(x, "exit", SYM_FUNC, x->sig_exit, false);
    add_symbol(x, "make", SYM_FUNC, x->sig_make, true);
    add_symbol(x, "plain", SYM_FUNC, x->sig_plain, true);
    add_symbol(x, "alias", SYM_FUNC, x->sig_make, true);
    symbol_at(x, S_ALIAS)->alias = (Sym){S_MAKE};
    symbol_at(x, S_EXIT)->flags = SYMF_NORETURN;
    symbol_at(x, S_PLAIN)->constructor = 101;
    symbol_at(x, S_PLAIN)->section = str_of(&x->program->strings, ".text.start");
    make_data(x);
}

// Appends a node that leads to the next one; `args` is a list of registers that ends with NO_ID.
static void put(Fixture *x, Instr instr, const uint32_t *args) {
    Node node = func_add(x->all, instr);
    Reg regs[8];
    uint32_t count = 0;
    for (; args[count] != NO_ID; count++) regs[count] = (Reg){args[count]};
    func_set_args(x->all, node, regs, count);
    func_set_succs(x->all, node, &(Node){node.i + 1}, 1);
}

#define ARGS(...)      ((const uint32_t[]){__VA_ARGS__, NO_ID})
#define NO_ARGS        ((const uint32_t[]){NO_ID})
#define PUT(args, ...) put(x, (Instr){__VA_ARGS__}, args)

static void put_operators(Fixture *x) {
    PUT(NO_ARGS, .kind = I_NOP, .dest = NO_REG);
    PUT(NO_ARGS, .kind = I_OP, .op = OP_CONST_I32, .dest = {R_W}, .imm = -7);
    PUT(NO_ARGS, .kind = I_OP, .op = OP_CONST_I64, .dest = {R_Q}, .imm = INT64_MIN, .loc = 1);
    PUT(NO_ARGS, .kind = I_OP, .op = OP_CONST_F32, .dest = {R_F}, .imm = 0xbf800000);
    PUT(NO_ARGS, .kind = I_OP, .op = OP_CONST_F64, .dest = {R_D}, .imm = -1);
    PUT(NO_ARGS, .kind = I_OP, .op = OP_CONST_F80, .dest = {R_X}, .imm = INT64_MIN, .high = 0x3fff);
    PUT(NO_ARGS, .kind = I_OP, .op = OP_ADDR_SYMBOL, .dest = {R_Q}, .ref = S_FMT, .imm = 2);
    PUT(NO_ARGS, .kind = I_OP, .op = OP_ADDR_SLOT, .dest = {R_Q}, .ref = 1, .imm = -8);
    PUT(ARGS(R_W, R_N), .kind = I_OP, .op = OP_ADD_I32, .dest = {R_W});
    PUT(ARGS(R_W), .kind = I_OP, .op = OP_ADD_I32, .dest = {R_W}, .immediate = true, .imm = -5);
    PUT(ARGS(R_D, R_D), .kind = I_OP, .op = OP_ADD_F64, .dest = {R_D});
    PUT(ARGS(R_W, R_X, R_X), .kind = I_OP, .op = OP_SELECT_F80, .dest = {R_X});
}

static void put_memory(Fixture *x) {
    PUT(ARGS(R_P, R_Q), .kind = I_LOAD, .chunk = CHUNK_U8, .base = BASE_REG, .scale = 1,
        .dest = {R_W});
    PUT(ARGS(R_Q), .kind = I_LOAD, .chunk = CHUNK_F64, .base = BASE_SYMBOL, .ref = S_TABLE,
        .scale = 8, .imm = 16, .dest = {R_D});
    PUT(ARGS(R_P, R_X), .kind = I_STORE, .chunk = CHUNK_F80, .base = BASE_REG, .dest = NO_REG);
    PUT(ARGS(R_Q, R_W), .kind = I_STORE, .chunk = CHUNK_I16, .base = BASE_SLOT, .ref = 1,
        .scale = 2, .dest = NO_REG);
}

static void put_calls(Fixture *x) {
    PUT(ARGS(R_P, R_W, R_D, R_Q), .kind = I_CALL, .ref = S_PRINTF, .aux = x->sig_printf_call.i,
        .dest = {R_W});
    PUT(ARGS(R_P, R_W, R_D, R_Q), .kind = I_CALL, .ref = S_PRINTF, .aux = x->sig_printf_call.i,
        .dest = NO_REG);
    PUT(ARGS(R_Q, R_W), .kind = I_CALL, .ref = NO_ID, .aux = x->sig_exit.i, .dest = NO_REG);
    PUT(ARGS(R_W, R_P), .kind = I_CALL, .ref = S_MAKE, .aux = x->sig_make.i, .dest = NO_REG);
    PUT(ARGS(R_W), .kind = I_CALL, .ref = S_EXIT, .aux = x->sig_exit.i, .dest = NO_REG);
}

static void put_branches(Fixture *x) {
    PUT(ARGS(R_W), .kind = I_COND, .op = OP_LT_I32, .immediate = true, .imm = 9, .dest = NO_REG);
    func_set_succs(x->all, (Node){AT_COND}, (Node[]){{AT_SWITCH}, {AT_TRAP}}, 2);
    PUT(ARGS(R_W), .kind = I_SWITCH, .dest = NO_REG,
        .aux = func_add_cases(x->all, (int64_t[]){-1, 3, INT32_MAX}, 3));
    func_set_succs(x->all, (Node){AT_SWITCH},
                   (Node[]){{AT_UNREACHABLE}, {AT_SWITCH_LATER}, {AT_RETURN}, {AT_NOP}}, 4);
    PUT(ARGS(R_Q), .kind = I_SWITCH, .dest = NO_REG,
        .aux = func_add_cases(x->all, (int64_t[]){INT64_MIN, 0}, 2));
    func_set_succs(x->all, (Node){AT_SWITCH_LATER}, (Node[]){{AT_CHECK}, {AT_CHECK}, {AT_TRAP}}, 3);
    PUT(ARGS(R_Q), .kind = I_CHECK, .dest = NO_REG);
}

static void put_builtins(Fixture *x) {
    PUT(ARGS(R_P, R_Q), .kind = I_BUILTIN, .op = BI_MEMCPY, .imm = 24, .dest = NO_REG);
    PUT(ARGS(R_P, R_W), .kind = I_BUILTIN, .op = BI_MEMSET, .imm = 0, .dest = NO_REG);
    PUT(ARGS(R_Q), .kind = I_BUILTIN, .op = BI_ALLOCA, .imm = 16, .dest = {R_Q});
    PUT(NO_ARGS, .kind = I_BUILTIN, .op = BI_STACK_SAVE, .dest = {R_TEMP});
    PUT(ARGS(R_TEMP), .kind = I_BUILTIN, .op = BI_STACK_RESTORE, .dest = NO_REG);
    PUT(ARGS(R_P), .kind = I_BUILTIN, .op = BI_VA_START, .dest = NO_REG);
    PUT(ARGS(R_P), .kind = I_BUILTIN, .op = BI_VA_ARG, .ref = TYPE_F80, .dest = {R_X});
    PUT(ARGS(R_P, R_Q), .kind = I_BUILTIN, .op = BI_VA_ARG, .ref = x->aggregate.i, .dest = NO_REG);
    PUT(ARGS(R_P, R_Q), .kind = I_BUILTIN, .op = BI_VA_COPY, .dest = NO_REG);
    PUT(ARGS(R_P), .kind = I_BUILTIN, .op = BI_VA_END, .dest = NO_REG);
    PUT(NO_ARGS, .kind = I_BUILTIN, .op = BI_VOLATILE_LOAD, .chunk = CHUNK_I16, .imm = 4096,
        .dest = {R_W});
    PUT(ARGS(R_F), .kind = I_BUILTIN, .op = BI_VOLATILE_STORE, .chunk = CHUNK_F32,
        .base = BASE_SYMBOL, .ref = S_COMMON, .dest = NO_REG);
    PUT(ARGS(R_P), .kind = I_BUILTIN, .op = BI_ATOMIC_LOAD, .chunk = CHUNK_U8, .base = BASE_REG,
        .aux = ORDER_ACQUIRE, .dest = {R_W});
    PUT(ARGS(R_W), .kind = I_BUILTIN, .op = BI_ATOMIC_STORE, .chunk = CHUNK_I32,
        .base = BASE_SYMBOL, .ref = S_COMMON, .aux = ORDER_RELEASE | ATOMIC_VOLATILE,
        .dest = NO_REG);
    PUT(ARGS(R_P, R_Q), .kind = I_BUILTIN, .op = BI_ATOMIC_ADD, .chunk = CHUNK_I64,
        .base = BASE_REG, .aux = ORDER_SEQ_CST, .dest = {R_Q});
    PUT(ARGS(R_P, R_Q, R_W, R_N), .kind = I_BUILTIN, .op = BI_ATOMIC_COMPARE, .chunk = CHUNK_U16,
        .base = BASE_REG, .scale = 2, .aux = ORDER_ACQ_REL, .dest = {R_W});
    PUT(NO_ARGS, .kind = I_BUILTIN, .op = BI_FENCE, .aux = ORDER_SEQ_CST, .dest = NO_REG);
}

static void put_ends(Fixture *x) {
    PUT(ARGS(R_W), .kind = I_RETURN, .dest = NO_REG);
    func_set_succs(x->all, (Node){AT_RETURN}, NULL, 0);
    PUT(NO_ARGS, .kind = I_BUILTIN, .op = BI_TRAP, .dest = NO_REG);
    func_set_succs(x->all, (Node){AT_TRAP}, NULL, 0);
    PUT(NO_ARGS, .kind = I_BUILTIN, .op = BI_UNREACHABLE, .dest = NO_REG);
    func_set_succs(x->all, (Node){AT_UNREACHABLE}, NULL, 0);
}

static Reg named_reg(Fixture *x, Func *func, const char *name, uint32_t number, Type type) {
    return func_add_reg(
        func,
        (RegInfo){.name = str_of(&x->program->strings, name), .number = number, .type = type});
}

static void make_all(Fixture *x) {
    Func *func = x->all = func_new(x->program, x->arena, (Sym){S_ALL}, x->sig_all);
    vec_push(x->arena, &func->params, named_reg(x, func, "n", 0, TYPE_I32));
    vec_push(x->arena, &func->params, named_reg(x, func, "p", 0, TYPE_I64));
    vec_push(x->arena, &func->params, named_reg(x, func, "p", 2, TYPE_I64));
    named_reg(x, func, "w", 0, TYPE_I32);
    named_reg(x, func, "q$1", 0, TYPE_I64);
    named_reg(x, func, "f", 0, TYPE_F32);
    named_reg(x, func, "d", 0, TYPE_F64);
    named_reg(x, func, "x", 0, TYPE_F80);
    func_temp(func, TYPE_I64);
    func_add_slot(func, (SlotInfo){.size = 0, .align = 1});
    func_add_slot(func, (SlotInfo){str_of(&x->program->strings, "buf"), .size = 16, .align = 8});
    func_add_slot(func, (SlotInfo){.size = 3, .align = 16});
    put_operators(x);
    put_memory(x);
    put_calls(x);
    put_branches(x);
    put_builtins(x);
    put_ends(x);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        vec_push(x->arena, &func->labels, FIRST_LABEL + n);
    symbol_at(x, S_ALL)->func = func;
}

// A function that returns an aggregate, and one that returns nothing.
static void make_small(Fixture *x) {
    Func *func = func_new(x->program, x->arena, (Sym){S_MAKE}, x->sig_make);
    vec_push(x->arena, &func->params, func_temp(func, TYPE_I32));
    Reg address = func_temp(func, TYPE_I64);
    func_const(func, address, 0, (Node){1});
    func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {address}});
    symbol_at(x, S_MAKE)->func = func;
    func = x->plain = func_new(x->program, x->arena, (Sym){S_PLAIN}, x->sig_plain);
    func_temp(func, TYPE_I32);
    func_nop(func, (Node){1});
    func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG});
    symbol_at(x, S_PLAIN)->func = func;
}

static void fixture_make(Fixture *x) {
    Arena *arena = arena_new("test");
    *x = (Fixture){.arena = arena, .program = program_new(arena), .complaints = {.arena = arena}};
    vec_push(arena, &x->program->files, str_of(&x->program->strings, "prog.c"));
    program_loc(x->program, (Loc){.file = 1, .line = 3, .column = 1});
    make_signatures(x);
    make_symbols(x);
    make_all(x);
    make_small(x);
}

static void fixture_free(Fixture *x) {
    arena_free(x->arena);
}

static void print_complaints(Fixture *x, Out *out) {
    for (uint32_t i = 0; i < x->complaints.list.count; i++) {
        complaint_print(out, x->program, &x->complaints.list.at[i]);
        out_char(out, '\n');
    }
}

// ---- Single mutations: one field, one rule

typedef enum {
    ON_INSTR, // of `all`
    ON_REG,
    ON_PARAM,
    ON_SLOT,
    ON_LABEL,
    ON_FUNC,
    ON_REG_POOL,
    ON_NODE_POOL,
    ON_CASE_POOL,
    ON_PLAIN, // an instruction of `plain`
    ON_SYMBOL,
    ON_TABLE, // a data item of `table`
    ON_PTYPE,
    ON_SIG,
    ON_LOC,
    ON_FILE,
    ON_PROGRAM
} Target;

typedef struct {
    const char *rule;
    Target target;
    uint32_t index;
    size_t offset;
    size_t size;
    int64_t value;
} Break;

#define OF(type, field) offsetof(type, field), sizeof(((type *)NULL)->field)
#define WHOLE(type)     0, sizeof(type)

static const Break breaks[] = {
    {"labels", ON_FUNC, 0, OF(Func, labels.count), AT_COUNT - 1},
    {"labels", ON_LABEL, 3, WHOLE(uint32_t), FIRST_LABEL},
    {"labels", ON_LABEL, 3, WHOLE(uint32_t), NO_ID},
    {"function", ON_FUNC, 0, OF(Func, symbol), S_COUNT},
    {"function", ON_FUNC, 0, OF(Func, symbol), S_TABLE},
    {"function", ON_FUNC, 0, OF(Func, symbol), S_PLAIN},
    {"parameters", ON_FUNC, 0, OF(Func, params.count), 2},
    {"parameters", ON_PARAM, 0, WHOLE(Reg), R_COUNT},
    {"parameters", ON_PARAM, 0, WHOLE(Reg), NO_ID},
    {"parameters", ON_PARAM, 0, WHOLE(Reg), R_Q},
    {"parameters", ON_PARAM, 2, WHOLE(Reg), R_P},
    {"parameters", ON_PARAM, 2, WHOLE(Reg), R_D},
    {"register-type", ON_REG, R_W, OF(RegInfo, type), TYPE_VOID},
    {"register-type", ON_REG, R_W, OF(RegInfo, type), TYPE_COUNT},
    {"register-name", ON_REG, R_W, OF(RegInfo, name), 1000000},
    {"register-name", ON_REG, R_TEMP, OF(RegInfo, number), 77},
    {"register-unique", ON_REG, R_AGG, OF(RegInfo, number), 0},
    {"slot", ON_SLOT, 0, OF(SlotInfo, align), 0},
    {"slot", ON_SLOT, 0, OF(SlotInfo, align), 12},
    {"slot", ON_SLOT, 0, OF(SlotInfo, size), INT64_MIN},
    {"slot", ON_SLOT, 0, OF(SlotInfo, buffer), BUFFER_COUNT},
    {"slot", ON_SLOT, 0, OF(SlotInfo, name), 1000000},
    {"signature", ON_INSTR, AT_CALL, OF(Instr, aux), 1000},
    {"signature", ON_INSTR, AT_CALL_VOID, OF(Instr, aux), NO_ID},

    {"kind", ON_INSTR, AT_NOP, OF(Instr, kind), INSTR_KIND_COUNT},
    {"kind", ON_INSTR, AT_CALL, OF(Instr, kind), 255},
    {"operator", ON_INSTR, AT_ADD, OF(Instr, op), OP_COUNT},
    {"operator", ON_INSTR, AT_COND, OF(Instr, op), UINT16_MAX},
    {"builtin", ON_INSTR, AT_MEMCPY, OF(Instr, op), BI_COUNT},
    {"builtin", ON_INSTR, AT_TRAP, OF(Instr, op), UINT16_MAX},
    {"chunk", ON_INSTR, AT_LOAD, OF(Instr, chunk), CHUNK_COUNT},
    {"chunk", ON_INSTR, AT_VOLATILE_STORE, OF(Instr, chunk), 255},
    {"chunk", ON_INSTR, AT_STORE_SLOT, OF(Instr, chunk), CHUNK_U16},
    {"chunk", ON_INSTR, AT_ATOMIC_STORE, OF(Instr, chunk), CHUNK_U8},
    {"atomic", ON_INSTR, AT_ATOMIC_LOAD, OF(Instr, chunk), CHUNK_F32},
    {"atomic", ON_INSTR, AT_ATOMIC_COMPARE, OF(Instr, chunk), CHUNK_F80},
    {"atomic", ON_INSTR, AT_ATOMIC_LOAD, OF(Instr, aux), ORDER_RELEASE},
    {"atomic", ON_INSTR, AT_ATOMIC_LOAD, OF(Instr, aux), ORDER_ACQ_REL | ATOMIC_VOLATILE},
    {"atomic", ON_INSTR, AT_ATOMIC_STORE, OF(Instr, aux), ORDER_ACQUIRE},
    {"atomic", ON_INSTR, AT_ATOMIC_ADD, OF(Instr, aux), ORDER_COUNT},
    {"atomic", ON_INSTR, AT_ATOMIC_ADD, OF(Instr, aux), 2 * ATOMIC_VOLATILE},
    {"atomic", ON_INSTR, AT_FENCE, OF(Instr, aux), ORDER_SEQ_CST | ATOMIC_VOLATILE},
    {"argument-count", ON_INSTR, AT_ATOMIC_ADD, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_ATOMIC_COMPARE, OF(Instr, scale), 0},
    {"destination", ON_INSTR, AT_ATOMIC_ADD, OF(Instr, dest), NO_ID},
    {"operand-type", ON_INSTR, AT_ATOMIC_ADD, OF(Instr, arg[1]), R_W},
    {"unused", ON_INSTR, AT_FENCE, OF(Instr, imm), 1},
    {"address", ON_INSTR, AT_LOAD, OF(Instr, base), BASE_SLOT + 1},
    {"address", ON_INSTR, AT_VOLATILE_LOAD, OF(Instr, base), 255},
    {"address", ON_INSTR, AT_LOAD, OF(Instr, scale), 3},
    {"address", ON_INSTR, AT_LOAD, OF(Instr, scale), 16},
    {"reference", ON_INSTR, AT_ADDR_SYMBOL, OF(Instr, ref), S_COUNT},
    {"reference", ON_INSTR, AT_ADDR_SLOT, OF(Instr, ref), 3},
    {"reference", ON_INSTR, AT_LOAD_TABLE, OF(Instr, ref), NO_ID},
    {"reference", ON_INSTR, AT_STORE_SLOT, OF(Instr, ref), 3},
    {"reference", ON_INSTR, AT_VOLATILE_STORE, OF(Instr, ref), S_COUNT},
    {"location", ON_INSTR, AT_NOP, OF(Instr, loc), 2},
    {"pool", ON_INSTR, AT_CALL_LATER, OF(Instr, args_at), 9},
    {"pool", ON_INSTR, AT_CALL_LATER, OF(Instr, args_at), UINT32_MAX},
    {"pool", ON_INSTR, AT_CALL_LATER, OF(Instr, args_at), 0},
    {"pool", ON_INSTR, AT_SWITCH_LATER, OF(Instr, succs_at), UINT32_MAX},
    {"pool", ON_INSTR, AT_SWITCH_LATER, OF(Instr, succs_at), 3},
    {"pool", ON_INSTR, AT_SWITCH_LATER, OF(Instr, aux), UINT32_MAX},
    {"pool", ON_INSTR, AT_SWITCH_LATER, OF(Instr, aux), 2},
    {"register", ON_INSTR, AT_ADD, OF(Instr, arg[0]), R_COUNT},
    {"register", ON_INSTR, AT_ADD, OF(Instr, arg[1]), NO_ID},
    {"register", ON_INSTR, AT_ADD, OF(Instr, dest), R_COUNT},
    {"register", ON_REG_POOL, 3, WHOLE(Reg), R_COUNT},
    {"register", ON_INSTR, AT_RETURN, OF(Instr, arg[0]), NO_ID},

    {"argument-count", ON_INSTR, AT_NOP, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_CONST_I32, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_ADD, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_ADD_IMM, OF(Instr, arg_count), 2},
    {"argument-count", ON_INSTR, AT_LOAD, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_LOAD, OF(Instr, base), BASE_NONE},
    {"argument-count", ON_INSTR, AT_LOAD, OF(Instr, scale), 0},
    {"argument-count", ON_INSTR, AT_STORE, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_CALL, OF(Instr, arg_count), 3},
    {"argument-count", ON_INSTR, AT_CALL_INDIRECT, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_CALL_AGGREGATE, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_COND, OF(Instr, arg_count), 0},
    {"argument-count", ON_INSTR, AT_SWITCH, OF(Instr, arg_count), 0},
    {"argument-count", ON_INSTR, AT_CHECK, OF(Instr, arg_count), 2},
    {"argument-count", ON_INSTR, AT_RETURN, OF(Instr, arg_count), 0},
    {"argument-count", ON_INSTR, AT_MEMCPY, OF(Instr, arg_count), 3},
    {"argument-count", ON_INSTR, AT_VA_ARG_AGGREGATE, OF(Instr, arg_count), 1},
    {"argument-count", ON_INSTR, AT_VOLATILE_STORE, OF(Instr, arg_count), 0},

    {"operand-type", ON_INSTR, AT_ADD, OF(Instr, arg[1]), R_Q},
    {"operand-type", ON_INSTR, AT_ADD_F64, OF(Instr, arg[0]), R_F},
    {"operand-type", ON_INSTR, AT_SELECT, OF(Instr, arg[0]), R_X},
    {"operand-type", ON_INSTR, AT_LOAD, OF(Instr, arg[0]), R_W},
    {"operand-type", ON_INSTR, AT_LOAD, OF(Instr, arg[1]), R_W},
    {"operand-type", ON_INSTR, AT_STORE, OF(Instr, arg[1]), R_D},
    {"operand-type", ON_INSTR, AT_CALL_VOID, OF(Instr, arg[0]), R_Q},
    {"operand-type", ON_INSTR, AT_CALL_INDIRECT, OF(Instr, arg[0]), R_W},
    {"operand-type", ON_INSTR, AT_CALL_AGGREGATE, OF(Instr, arg[1]), R_W},
    {"operand-type", ON_REG_POOL, 2, WHOLE(Reg), R_F},
    {"operand-type", ON_INSTR, AT_COND, OF(Instr, arg[0]), R_P},
    {"operand-type", ON_INSTR, AT_SWITCH, OF(Instr, arg[0]), R_F},
    {"operand-type", ON_INSTR, AT_CHECK, OF(Instr, arg[0]), R_D},
    {"operand-type", ON_INSTR, AT_RETURN, OF(Instr, arg[0]), R_Q},
    {"operand-type", ON_INSTR, AT_MEMSET, OF(Instr, arg[1]), R_Q},
    {"operand-type", ON_INSTR, AT_VA_ARG_AGGREGATE, OF(Instr, arg[1]), R_W},
    {"operand-type", ON_INSTR, AT_VOLATILE_STORE, OF(Instr, arg[0]), R_W},

    {"destination", ON_INSTR, AT_NOP, OF(Instr, dest), R_W},
    {"destination", ON_INSTR, AT_ADD, OF(Instr, dest), NO_ID},
    {"destination", ON_INSTR, AT_ADD, OF(Instr, dest), R_Q},
    {"destination", ON_INSTR, AT_CONST_I32, OF(Instr, dest), R_F},
    {"destination", ON_INSTR, AT_LOAD, OF(Instr, dest), NO_ID},
    {"destination", ON_INSTR, AT_LOAD, OF(Instr, dest), R_Q},
    {"destination", ON_INSTR, AT_LOAD, OF(Instr, chunk), CHUNK_F32},
    {"destination", ON_INSTR, AT_STORE, OF(Instr, dest), R_X},
    {"destination", ON_INSTR, AT_CALL, OF(Instr, dest), R_D},
    {"destination", ON_INSTR, AT_CALL_VOID, OF(Instr, dest), R_W},
    {"destination", ON_INSTR, AT_CALL_AGGREGATE, OF(Instr, dest), R_Q},
    {"destination", ON_INSTR, AT_COND, OF(Instr, dest), R_W},
    {"destination", ON_INSTR, AT_RETURN, OF(Instr, dest), R_W},
    {"destination", ON_INSTR, AT_ALLOCA, OF(Instr, dest), NO_ID},
    {"destination", ON_INSTR, AT_STACK_SAVE, OF(Instr, dest), R_W},
    {"destination", ON_INSTR, AT_VA_ARG, OF(Instr, dest), R_D},
    {"destination", ON_INSTR, AT_VA_ARG_AGGREGATE, OF(Instr, dest), R_Q},
    {"destination", ON_INSTR, AT_VOLATILE_LOAD, OF(Instr, dest), R_F},

    {"unused", ON_INSTR, AT_NOP, OF(Instr, base), BASE_REG},
    {"unused", ON_INSTR, AT_ADD, OF(Instr, scale), 1},
    {"unused", ON_INSTR, AT_COND, OF(Instr, chunk), CHUNK_I32},
    {"unused", ON_INSTR, AT_LOAD, OF(Instr, op), 1},
    {"unused", ON_INSTR, AT_CONST_F64, OF(Instr, high), 1},
    {"unused", ON_INSTR, AT_LOAD, OF(Instr, ref), 1},
    {"unused", ON_INSTR, AT_ADD, OF(Instr, ref), NO_ID},
    {"unused", ON_INSTR, AT_RETURN, OF(Instr, aux), 1},
    {"unused", ON_INSTR, AT_NOP, OF(Instr, imm), 1},
    {"unused", ON_INSTR, AT_ADD, OF(Instr, imm), -1},
    {"unused", ON_INSTR, AT_CALL, OF(Instr, imm), 8},
    {"unused", ON_INSTR, AT_VA_END, OF(Instr, imm), 8},
    {"unused", ON_INSTR, AT_SWITCH, OF(Instr, ref), 1},

    {"successor-count", ON_INSTR, AT_NOP, OF(Instr, succ_count), 0},
    {"successor-count", ON_INSTR, AT_ADD, OF(Instr, succ_count), 2},
    {"successor-count", ON_INSTR, AT_COND, OF(Instr, succ_count), 1},
    {"successor-count", ON_INSTR, AT_SWITCH, OF(Instr, succ_count), 0},
    {"successor-count", ON_INSTR, AT_RETURN, OF(Instr, succ_count), 1},
    {"successor-count", ON_INSTR, AT_MEMCPY, OF(Instr, succ_count), 0},
    {"successor-count", ON_INSTR, AT_TRAP, OF(Instr, succ_count), 1},
    {"successor", ON_INSTR, AT_NOP, OF(Instr, succ[0]), AT_COUNT},
    {"successor", ON_INSTR, AT_COND, OF(Instr, succ[1]), NO_ID},
    {"successor", ON_NODE_POOL, 2, WHOLE(Node), AT_COUNT},
    {"switch", ON_CASE_POOL, 1, WHOLE(int64_t), -1},
    {"switch", ON_CASE_POOL, 1, WHOLE(int64_t), -2},
    {"switch", ON_CASE_POOL, 2, WHOLE(int64_t), (int64_t)INT32_MAX + 1},
    {"switch", ON_CASE_POOL, 0, WHOLE(int64_t), (int64_t)INT32_MIN - 1},

    {"condition", ON_INSTR, AT_COND, OF(Instr, op), OP_ADD_I32},
    {"immediate", ON_INSTR, AT_NOP, OF(Instr, immediate), 1},
    {"immediate", ON_INSTR, AT_ADD_F64, OF(Instr, immediate), 1},
    {"immediate", ON_INSTR, AT_CONST_I32, OF(Instr, immediate), 1},
    {"immediate", ON_INSTR, AT_STORE, OF(Instr, immediate), 1},
    {"constant", ON_INSTR, AT_CONST_I32, OF(Instr, imm), UINT32_MAX},
    {"constant", ON_INSTR, AT_ADD_IMM, OF(Instr, imm), (int64_t)INT32_MIN - 1},
    {"constant", ON_INSTR, AT_COND, OF(Instr, imm), UINT32_MAX},
    {"constant", ON_INSTR, AT_CONST_F32, OF(Instr, imm), -1},
    {"callee", ON_INSTR, AT_CALL, OF(Instr, ref), S_COUNT},
    {"callee", ON_INSTR, AT_CALL, OF(Instr, ref), S_TABLE},
    {"size", ON_INSTR, AT_MEMCPY, OF(Instr, imm), -1},
    {"size", ON_INSTR, AT_MEMSET, OF(Instr, imm), INT64_MIN},
    {"size", ON_INSTR, AT_ALLOCA, OF(Instr, imm), 0},
    {"size", ON_INSTR, AT_ALLOCA, OF(Instr, imm), 24},
    {"size", ON_INSTR, AT_ALLOCA, OF(Instr, imm), INT64_MIN},
    {"varargs", ON_INSTR, AT_VA_ARG, OF(Instr, ref), TYPE_VOID},
    {"varargs", ON_INSTR, AT_VA_ARG, OF(Instr, ref), NO_ID},
    {"argument-count", ON_PLAIN, 1, OF(Instr, arg_count), 1},

    {"types", ON_PTYPE, TYPE_F32, OF(ParamType, type), TYPE_F64},
    {"types", ON_PTYPE, TYPE_COUNT, OF(ParamType, align), 3},
    {"types", ON_PTYPE, TYPE_COUNT, OF(ParamType, align), 0},
    {"types", ON_PTYPE, TYPE_COUNT, OF(ParamType, parts), 3},
    {"types", ON_PTYPE, TYPE_COUNT, OF(ParamType, part[1]), TYPE_F80},
    {"types", ON_PTYPE, TYPE_COUNT, OF(ParamType, part[0]), TYPE_F80},
    {"types", ON_PTYPE, TYPE_COUNT, OF(ParamType, part[0]), 99},
    {"types", ON_PTYPE, TYPE_COUNT, OF(ParamType, size), 17},
    {"types", ON_PTYPE, TYPE_COUNT, OF(ParamType, size), 8},
    {"types", ON_PTYPE, TYPE_COUNT + 1, OF(ParamType, size), INT64_MIN},
    {"types", ON_PTYPE, TYPE_COUNT + 1, OF(ParamType, type), TYPE_I32},
    {"signature", ON_SIG, 1, OF(SigInfo, result), 1000},
    {"signature", ON_SIG, 1, OF(SigInfo, fixed_count), 5},
    {"signature", ON_SIG, 1, OF(SigInfo, variadic), 0},
    {"files", ON_LOC, 1, OF(Loc, file), 2},
    {"files", ON_FILE, 1, WHOLE(Str), 1000000},
    {"files", ON_PROGRAM, 0, OF(Program, files.count), 1},
    {"symbol-name", ON_SYMBOL, S_STDOUT, OF(Symbol, name), 0},
    {"symbol-name", ON_SYMBOL, S_STDOUT, OF(Symbol, name), 1000000},
    {"symbol-kind", ON_SYMBOL, S_STDOUT, OF(Symbol, kind), 2},
    {"linkage", ON_SYMBOL, S_TABLE, OF(Symbol, linkage), 4},
    {"linkage", ON_SYMBOL, S_STDOUT, OF(Symbol, linkage), LINK_STATIC},
    {"linkage", ON_SYMBOL, S_TABLE, OF(Symbol, linkage), LINK_COMMON},
    {"linkage", ON_SYMBOL, S_PLAIN, OF(Symbol, linkage), LINK_COMMON},
    {"linkage", ON_SYMBOL, S_COMMON, OF(Symbol, defined), 0},
    {"visibility", ON_SYMBOL, S_TABLE, OF(Symbol, visibility), 4},
    {"flags", ON_SYMBOL, S_TABLE, OF(Symbol, flags), SYMF_NORETURN},
    {"flags", ON_SYMBOL, S_EXIT, OF(Symbol, flags), SYMF_CONST},
    {"flags", ON_SYMBOL, S_EXIT, OF(Symbol, flags), SYMF_NOIPA << 1},
    {"indirect", ON_SYMBOL, S_EXIT, OF(Symbol, flags), SYMF_INDIRECT},
    {"indirect", ON_SYMBOL, S_ALIAS, OF(Symbol, flags), SYMF_INDIRECT},
    {"flags", ON_SYMBOL, S_TABLE, OF(Symbol, flags), SYMF_GUARD},
    {"version", ON_SYMBOL, S_ALIAS, OF(Symbol, flags), SYMF_VERSION},
    {"version", ON_SYMBOL, S_TABLE, OF(Symbol, flags), SYMF_VERSION},
    {"replaceable", ON_SYMBOL, S_EXIT, OF(Symbol, flags), SYMF_REPLACEABLE},
    {"replaceable", ON_SYMBOL, S_COMMON, OF(Symbol, flags), SYMF_REPLACEABLE},
    {"replaceable", ON_SYMBOL, S_FMT, OF(Symbol, flags), SYMF_CONST | SYMF_REPLACEABLE},
    {"flags", ON_SYMBOL, S_EXIT, OF(Symbol, flags), SYMF_THREAD},
    {"thread", ON_SYMBOL, S_COMMON, OF(Symbol, flags), SYMF_THREAD},
    {"thread", ON_SYMBOL, S_FMT, OF(Symbol, flags), SYMF_CONST | SYMF_THREAD},
    {"section", ON_SYMBOL, S_TABLE, OF(Symbol, section), 1000000},
    {"priority", ON_SYMBOL, S_PLAIN, OF(Symbol, constructor), -2},
    {"priority", ON_SYMBOL, S_PLAIN, OF(Symbol, destructor), 65536},
    {"priority", ON_SYMBOL, S_EXIT, OF(Symbol, constructor), 101},
    {"priority", ON_SYMBOL, S_TABLE, OF(Symbol, destructor), 101},
    {"alias", ON_SYMBOL, S_ALIAS, OF(Symbol, alias), S_COUNT},
    {"alias", ON_SYMBOL, S_ALIAS, OF(Symbol, alias), S_TABLE},
    {"alias", ON_SYMBOL, S_ALIAS, OF(Symbol, alias), S_EXIT},
    {"alias", ON_SYMBOL, S_ALIAS, OF(Symbol, alias), S_ALIAS},
    {"data", ON_SYMBOL, S_TABLE, OF(Symbol, align), 0},
    {"data", ON_SYMBOL, S_TABLE, OF(Symbol, align), 6},
    {"data", ON_SYMBOL, S_TABLE, OF(Symbol, size), 23},
    {"data", ON_SYMBOL, S_STDOUT, OF(Symbol, size), -1},
    {"data", ON_SYMBOL, S_TABLE, OF(Symbol, sig), 0},
    {"data", ON_SYMBOL, S_TABLE, OF(Symbol, defined), 0},
    {"data", ON_TABLE, 5, OF(DataItem, symbol), S_COUNT},
    {"data", ON_TABLE, 1, OF(DataItem, kind), DATA_ADDR + 1},
    {"data", ON_TABLE, 1, OF(DataItem, kind), DATA_BYTES},
    {"data", ON_TABLE, 1, OF(DataItem, value), -1},
    {"data", ON_TABLE, 1, OF(DataItem, value), INT64_MAX},
    {"data", ON_TABLE, 0, OF(DataItem, value), 256},
    {"data", ON_TABLE, 2, OF(DataItem, value), -32769},
    {"data", ON_TABLE, 3, OF(DataItem, value), INT64_MIN},
    {"body", ON_SYMBOL, S_PLAIN, OF(Symbol, func), 0},
    {"body", ON_SYMBOL, S_ALL, OF(Symbol, defined), 0},
    {"body", ON_SYMBOL, S_EXIT, OF(Symbol, size), 8},
};

static void *target_at(Fixture *x, Target target, uint32_t i) {
    switch (target) {
    case ON_INSTR: return &x->all->nodes.at[i];
    case ON_REG: return &x->all->regs.at[i];
    case ON_PARAM: return &x->all->params.at[i];
    case ON_SLOT: return &x->all->slots.at[i];
    case ON_LABEL: return &x->all->labels.at[i];
    case ON_FUNC: return x->all;
    case ON_REG_POOL: return &x->all->reg_pool.at[i];
    case ON_NODE_POOL: return &x->all->node_pool.at[i];
    case ON_CASE_POOL: return &x->all->case_pool.at[i];
    case ON_PLAIN: return &x->plain->nodes.at[i];
    case ON_SYMBOL: return &x->program->symbols.at[i];
    case ON_TABLE: return &symbol_at(x, S_TABLE)->data.at[i];
    case ON_PTYPE: return &x->program->ptypes.at[i];
    case ON_SIG: return &x->program->sigs.at[i];
    case ON_LOC: return &x->program->locs.at[i];
    case ON_FILE: return &x->program->files.at[i];
    case ON_PROGRAM: return x->program;
    }
    return NULL;
}

// Whether there are complaints, and all under this rule.
static bool only_rule(Fixture *x, const char *rule) {
    for (uint32_t i = 0; i < x->complaints.list.count; i++)
        if (strcmp(x->complaints.list.at[i].rule, rule) != 0) return false;
    return x->complaints.list.count > 0;
}

static bool expect_only_rule(Fixture *x, const char *rule, const char *what) {
    if (only_rule(x, rule)) return true;
    Out out = {0};
    print_complaints(x, &out);
    print_error("%s: expected complaints under '%s', found:\n%.*s", what, rule, (int)out.length,
                out.text);
    out_free(&out);
    return false;
}

static bool is_of_func(Target target) {
    return target <= ON_CASE_POOL;
}

static void each_break_is_reported(void **state) {
    (void)state;
    uint32_t failures = 0;
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        const Break *row = &breaks[i];
        Fixture x;
        fixture_make(&x);
        char *at = (char *)target_at(&x, row->target, row->index) + row->offset;
        assert_true(memcmp(at, &row->value, row->size) != 0);
        memcpy(at, &row->value, row->size);
        assert_false(is_of_func(row->target) ? verify_func(&x.complaints, x.all)
                                             : verify_program(&x.complaints, x.program));
        char what[64];
        snprintf(what, sizeof what, "row %zu", i);
        failures += !expect_only_rule(&x, row->rule, what);
        fixture_free(&x);
    }
    assert_int_equal(failures, 0);
}

// ---- Mutations that take more than one field

static void break_entry(Fixture *x) {
    x->all->nodes.count = x->all->labels.count = 0;
}
static void break_register_name(Fixture *x) {
    x->all->regs.at[R_W].name = str_of(&x->program->strings, "1st");
}
static void break_slot_name(Fixture *x) {
    x->all->slots.at[0].name = x->all->slots.at[1].name;
}
static void break_own_signature(Fixture *x) {
    const PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I64), x->aggregate,
                            PTYPE_OF(TYPE_F64)};
    x->all->sig = symbol_at(x, S_ALL)->sig = sig_of(x, PTYPE_OF(TYPE_I32), 4, params, 3, true);
}
static void break_signature_params(Fixture *x) {
    const PType params[] = {PTYPE_VOID};
    Sig sig = sig_of(x, PTYPE_VOID, 1, params, 1, false);
    x->all->nodes.at[AT_CALL_VOID].aux = sig.i;
}
static void break_va_start(Fixture *x) {
    const PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I64), x->aggregate};
    x->all->sig = symbol_at(x, S_ALL)->sig = sig_of(x, PTYPE_OF(TYPE_I32), 3, params, 3, false);
}
static void break_symbol_unique(Fixture *x) {
    symbol_at(x, S_STDOUT)->name = symbol_at(x, S_TABLE)->name;
}
static void break_symbol_zero_byte(Fixture *x) {
    symbol_at(x, S_STDOUT)->name = str_intern(&x->program->strings, "a\0b", 3);
}
static void break_symbol_table(Fixture *x) {
    map_set(x->arena, &x->program->symbol_of_name, 123456, 0);
}
static void break_section(Fixture *x) {
    symbol_at(x, S_TABLE)->section = str_intern(&x->program->strings, "a\0b", 3);
}
static void break_alias_cycle(Fixture *x) {
    symbol_at(x, S_STDOUT)->alias = (Sym){S_COMMON};
    symbol_at(x, S_COMMON)->alias = (Sym){S_STDOUT};
}
static void break_alias_data(Fixture *x) {
    symbol_at(x, S_ALIAS)->func = x->all;
}
static void break_body_symbol(Fixture *x) {
    symbol_at(x, S_PLAIN)->func = x->all;
}
static void break_body_program(Fixture *x) {
    Program *other = program_new(x->arena);
    symbol_at(x, S_PLAIN)->func = func_new(other, x->arena, (Sym){S_PLAIN}, x->sig_plain);
}
static void break_body_data(Fixture *x) {
    symbol_at(x, S_TABLE)->func = x->all;
}
static void break_few_types(Fixture *x) {
    *x->program = *program_new(x->arena);
    x->program->ptypes.count = 2;
}
static void break_no_locations(Fixture *x) {
    *x->program = *program_new(x->arena);
    x->program->locs.count = 0;
}

static const struct {
    const char *rule;
    bool of_func;
    void (*make)(Fixture *x);
} larger_breaks[] = {
    {"entry", true, break_entry},
    {"register-name", true, break_register_name},
    {"slot", true, break_slot_name},
    {"function", true, break_own_signature},
    {"signature", true, break_signature_params},
    {"varargs", true, break_va_start},
    {"symbol-name", false, break_symbol_unique},
    {"symbol-name", false, break_symbol_zero_byte},
    {"symbol-name", false, break_symbol_table},
    {"section", false, break_section},
    {"alias", false, break_alias_cycle},
    {"alias", false, break_alias_data},
    {"body", false, break_body_symbol},
    {"body", false, break_body_program},
    {"data", false, break_body_data},
    {"types", false, break_few_types},
    {"files", false, break_no_locations},
};

static void each_larger_break_is_reported(void **state) {
    (void)state;
    uint32_t failures = 0;
    for (size_t i = 0; i < sizeof larger_breaks / sizeof *larger_breaks; i++) {
        Fixture x;
        fixture_make(&x);
        larger_breaks[i].make(&x);
        assert_false(larger_breaks[i].of_func ? verify_func(&x.complaints, x.all)
                                              : verify_program(&x.complaints, x.program));
        char what[64];
        snprintf(what, sizeof what, "larger break %zu", i);
        failures += !expect_only_rule(&x, larger_breaks[i].rule, what);
        fixture_free(&x);
    }
    assert_int_equal(failures, 0);
}

// ---- Good programs

static void good_programs_pass(void **state) {
    (void)state;
    Fixture x;
    fixture_make(&x);
    assert_int_equal(x.all->nodes.count, AT_COUNT);
    assert_int_equal(x.all->regs.count, R_COUNT);
    assert_int_equal(x.program->symbols.count, S_COUNT);
    bool good = verify_program(&x.complaints, x.program);
    Out out = {0};
    print_complaints(&x, &out);
    if (!good) print_error("%.*s", (int)out.length, out.text);
    assert_true(good);
    assert_int_equal(x.complaints.list.count, 0);

    x.all->labels.count = 0;                // labels are optional
    x.all->nodes.at[AT_CALL].dest = NO_REG; // so is a call's result
    x.all->nodes.at[AT_CALL].ref = S_ALIAS; // any signature, any function
    func_set_succs(x.all, (Node){AT_SWITCH_LATER}, &(Node){AT_CHECK}, 1); // a switch without cases
    func_set_succ(x.all, (Node){AT_COND}, 1, (Node){AT_NOP});             // edges back to the entry
    func_set_succ(x.all, (Node){AT_COND}, 0, (Node){AT_NOP});             // and twice the same
    assert_true(verify_func(&x.complaints, x.all));
    Program *empty = program_new(x.arena);
    assert_true(verify_program(&x.complaints, empty));
    out_free(&out);
    fixture_free(&x);
}

// ---- Complaints

static void complaints_name_place_expected_and_found(void **state) {
    (void)state;
    Fixture x;
    fixture_make(&x);
    x.all->nodes.at[AT_ADD].arg[1] = (Reg){R_AGG};
    x.all->nodes.at[AT_RETURN].arg_count = 0;
    x.all->slots.at[0].align = 6;
    symbol_at(&x, S_TABLE)->size = 8;
    assert_false(verify_program(&x.complaints, x.program));
    Out out = {0};
    print_complaints(&x, &out);
    out_char(&out, '\0');
    assert_string_equal(
        out.text,
        "function all: slot: slot 0: expected a power of two as alignment; found 6\n"
        "function all, node 108: operand-type: operand 2 of add.i32: expected i32; found %p'2 of "
        "i64\n"
        "function all, node 142: argument-count: return: expected 1 register operands; found 0\n"
        "program: data: @table: expected initial data of at most its size, 8; found 24\n");
    out_free(&out);
    fixture_free(&x);
}

// ---- Linear time

// Many instructions that claim one large range of a pool: each is looked at, the range only once.
static void shared_pools_cost_nothing(void **state) {
    (void)state;
    enum { COUNT = 50000 };
    Fixture x;
    fixture_make(&x);
    Func *func = x.plain;
    func->nodes.count = 0;
    for (uint32_t i = 0; i < COUNT; i++) vec_push(func->arena, &func->reg_pool, (Reg){0});
    for (uint32_t i = 0; i < COUNT; i++)
        func_add(func, (Instr){.kind = I_NOP, .dest = NO_REG, .arg_count = COUNT, .succ_count = 1});
    assert_false(verify_func(&x.complaints, func));
    assert_int_equal(x.complaints.list.count, 2 * COUNT - 1);
    fixture_free(&x);
}

// ---- Random garbage

static uint64_t next_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    return hash_mix(*state);
}

static uint64_t garbage(uint64_t *state) {
    uint64_t r = next_random(state);
    switch (r % 6) {
    case 0: return next_random(state);
    case 1: return (uint64_t)1 << (r >> 8) % 64;
    case 2: return ~(uint64_t)0 >> (r >> 8) % 64;
    default: return (r >> 8) % 48;
    }
}

// Fields that may hold garbage. Pointers, the lengths of arrays and booleans may not.
#define ANY_OF(type, field)                                                                        \
    { OF(type, field) }
typedef struct {
    size_t offset;
    size_t size;
} Field;

static const Field instr_fields[] = {
    ANY_OF(Instr, kind),    ANY_OF(Instr, base),      ANY_OF(Instr, scale),
    ANY_OF(Instr, chunk),   ANY_OF(Instr, op),        ANY_OF(Instr, high),
    ANY_OF(Instr, dest),    ANY_OF(Instr, arg_count), ANY_OF(Instr, succ_count),
    ANY_OF(Instr, arg[0]),  ANY_OF(Instr, arg[1]),    ANY_OF(Instr, arg[2]),
    ANY_OF(Instr, succ[0]), ANY_OF(Instr, succ[1]),   ANY_OF(Instr, ref),
    ANY_OF(Instr, aux),     ANY_OF(Instr, imm),       ANY_OF(Instr, loc),
};
static const Field reg_fields[] = {ANY_OF(RegInfo, name), ANY_OF(RegInfo, number),
                                   ANY_OF(RegInfo, version), ANY_OF(RegInfo, type)};
static const Field slot_fields[] = {ANY_OF(SlotInfo, name), ANY_OF(SlotInfo, size),
                                    ANY_OF(SlotInfo, align)};
static const Field func_fields[] = {ANY_OF(Func, symbol), ANY_OF(Func, sig),
                                    ANY_OF(Func, next_temp)};
static const Field symbol_fields[] = {
    ANY_OF(Symbol, name),       ANY_OF(Symbol, kind),        ANY_OF(Symbol, linkage),
    ANY_OF(Symbol, visibility), ANY_OF(Symbol, flags),       ANY_OF(Symbol, section),
    ANY_OF(Symbol, alias),      ANY_OF(Symbol, size),        ANY_OF(Symbol, align),
    ANY_OF(Symbol, sig),        ANY_OF(Symbol, constructor), ANY_OF(Symbol, destructor)};
static const Field data_fields[] = {ANY_OF(DataItem, kind), ANY_OF(DataItem, symbol),
                                    ANY_OF(DataItem, value)};
static const Field ptype_fields[] = {ANY_OF(ParamType, type),    ANY_OF(ParamType, align),
                                     ANY_OF(ParamType, size),    ANY_OF(ParamType, parts),
                                     ANY_OF(ParamType, part[0]), ANY_OF(ParamType, part[1])};
static const Field sig_fields[] = {ANY_OF(SigInfo, result), ANY_OF(SigInfo, fixed_count)};
static const Field loc_fields[] = {ANY_OF(Loc, file)};
static const Field id_fields[] = {{0, sizeof(uint32_t)}};
static const Field case_fields[] = {{0, sizeof(int64_t)}};

#define FIELDS(list) list, sizeof list / sizeof *list

static void spoil(void *at, const Field *fields, size_t count, uint64_t *state) {
    const Field *field = &fields[next_random(state) % count];
    uint64_t value = garbage(state);
    memcpy((char *)at + field->offset, &value, field->size);
}

static void spoil_instr(Fixture *x, uint64_t *state) {
    uint64_t r = next_random(state);
    Func *func = r % 8 ? x->all : x->plain;
    Instr *instr = &func->nodes.at[(r >> 8) % func->nodes.count];
    if (r >> 32 & 31)
        spoil(instr, FIELDS(instr_fields), state);
    else
        instr->immediate = !instr->immediate;
}

static void spoil_func(Fixture *x, uint64_t *state) {
    uint64_t r = next_random(state);
    uint32_t pick = (uint32_t)(r >> 32);
    Func *func = x->all;
    switch (r % 8) {
    case 0: spoil(&func->regs.at[pick % func->regs.count], FIELDS(reg_fields), state); break;
    case 1: spoil(&func->slots.at[pick % func->slots.count], FIELDS(slot_fields), state); break;
    case 2: spoil(&func->params.at[pick % func->params.count], FIELDS(id_fields), state); break;
    case 3: spoil(&func->labels.at[pick % func->labels.count], FIELDS(id_fields), state); break;
    case 4: spoil(&func->reg_pool.at[pick % func->reg_pool.count], FIELDS(id_fields), state); break;
    case 5:
        spoil(&func->node_pool.at[pick % func->node_pool.count], FIELDS(id_fields), state);
        break;
    case 6:
        spoil(&func->case_pool.at[pick % func->case_pool.count], FIELDS(case_fields), state);
        break;
    case 7: spoil(func, FIELDS(func_fields), state); break;
    }
}

static void spoil_program(Fixture *x, uint64_t *state) {
    uint64_t r = next_random(state);
    uint32_t pick = (uint32_t)(r >> 32);
    Program *program = x->program;
    Symbol *symbol = &program->symbols.at[pick % S_COUNT];
    SigInfo *sig = &program->sigs.at[pick % program->sigs.count];
    switch (r % 8) {
    case 0:
    case 1: spoil(symbol, FIELDS(symbol_fields), state); break;
    case 2: symbol->defined = !symbol->defined; break;
    case 3: spoil(target_at(x, ON_TABLE, pick % 6), FIELDS(data_fields), state); break;
    case 4:
        spoil(&program->ptypes.at[pick % program->ptypes.count], FIELDS(ptype_fields), state);
        break;
    case 5: spoil(sig, FIELDS(sig_fields), state); break;
    case 6:
        if (sig->param_count)
            spoil((void *)(uintptr_t)&sig->params[pick % sig->param_count], FIELDS(id_fields),
                  state);
        sig->variadic = r >> 16 & 1;
        break;
    case 7:
        spoil(&program->locs.at[pick % program->locs.count], FIELDS(loc_fields), state);
        spoil(&program->files.at[pick % program->files.count], FIELDS(id_fields), state);
        break;
    }
}

// Reads everything a verified function refers to; the sanitizers watch.
static uint64_t follow(Fixture *x, const Func *func) {
    uint64_t sum = 0;
    Preds preds = preds_of(x->arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Reg *args = instr_args(func, instr);
        for (uint32_t i = 0; i < instr->arg_count; i++) sum += reg_type(func, args[i]);
        if (instr->dest.i != NO_ID) sum += reg_type(func, instr->dest);
        sum += preds_count(&preds, (Node){n}) + func_label(func, (Node){n});
        assert_true(instr_same(func, instr, func, instr));
        sum += program_sig_info(x->program, func->sig)->param_count;
        sum += x->program->locs.at[instr->loc].line;
        if (instr->kind == I_CALL && instr->ref != NO_ID)
            sum += program_at(x->program, (Sym){instr->ref})->flags;
    }
    for (uint32_t i = 0; i < func->params.count; i++) sum += reg_type(func, func->params.at[i]);
    return sum + strlen(func_name(func));
}

static void garbage_is_only_reported(void **state) {
    (void)state;
    enum { ROUNDS = 20000 };
    uint64_t random = 1, sum = 0;
    uint32_t rejected = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        Fixture x;
        fixture_make(&x);
        uint64_t times = 1 + next_random(&random) % 3;
        for (uint64_t i = 0; i < times; i++) {
            uint64_t where = next_random(&random) % 8;
            if (where < 5)
                spoil_instr(&x, &random);
            else if (where < 7)
                spoil_func(&x, &random);
            else
                spoil_program(&x, &random);
        }
        bool good = verify_program(&x.complaints, x.program);
        assert_int_equal(good, x.complaints.list.count == 0);
        rejected += !good;
        Out out = {0};
        print_complaints(&x, &out);
        out_free(&out);
        uint32_t before = x.complaints.list.count;
        if (verify_func(&x.complaints, x.all)) sum += follow(&x, x.all);
        assert_true(!good || x.complaints.list.count == before);
        fixture_free(&x);
    }
    print_message("%u of %u rejected, checksum %ju\n", rejected, ROUNDS, (uintmax_t)sum);
    assert_true(rejected > ROUNDS / 2);
    assert_true(rejected < ROUNDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_programs_pass),
        cmocka_unit_test(each_break_is_reported),
        cmocka_unit_test(each_larger_break_is_reported),
        cmocka_unit_test(complaints_name_place_expected_and_found),
        cmocka_unit_test(shared_pools_cost_nothing),
        cmocka_unit_test(garbage_is_only_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
