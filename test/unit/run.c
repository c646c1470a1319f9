// Running functions that were built through the API, behaviours and their comparison, and the
// machine that interpreters share. What each instruction does is tested in run_text.c.
#include "run/world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "externals_stub.h"

// ---- Building

static Node at(uint32_t i) {
    return (Node){i};
}

static Sig int_sig(Program *program, uint32_t params) {
    PType types[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    return program_sig(program, (SigInfo){.result = PTYPE_OF(TYPE_I32),
                                          .param_count = params,
                                          .fixed_count = params,
                                          .params = types});
}

static Sym define(Program *program, const char *name, SymKind kind) {
    Sym symbol = program_symbol(program, str_of(&program->strings, name), kind);
    program_at(program, symbol)->defined = true;
    return symbol;
}

static Func *new_func(Program *program, const char *name, uint32_t params) {
    Sym symbol = define(program, name, SYM_FUNC);
    Sig sig = int_sig(program, params);
    program_at(program, symbol)->sig = sig;
    Func *func = func_new(program, program->arena, symbol, sig);
    for (uint32_t i = 0; i < params; i++) {
        Reg reg = func_temp(func, TYPE_I32);
        vec_push(func->arena, &func->params, reg);
    }
    return func;
}

// Appends an instruction that goes on with the one after it.
static void add_next(Func *func, Instr instr) {
    Node node = func_add(func, instr);
    func_set_succs(func, node, (Node[]){at(node.i + 1)}, 1);
}

static void add_op(Func *func, Op op, Reg dest, Reg a, Reg b) {
    Instr instr = {.kind = I_OP, .op = (uint16_t)op, .dest = dest, .arg_count = 2, .arg = {a, b}};
    add_next(func, instr);
}

static void add_immediate(Func *func, Op op, Reg dest, Reg a, int64_t imm) {
    Instr instr = {.kind = I_OP,
                   .op = (uint16_t)op,
                   .dest = dest,
                   .immediate = true,
                   .imm = imm,
                   .arg_count = 1,
                   .arg = {a}};
    add_next(func, instr);
}

static void add_branch(Func *func, Op op, Reg a, int64_t imm, Node yes, Node no) {
    Node node = func_add(func, (Instr){.kind = I_COND,
                                       .op = (uint16_t)op,
                                       .dest = NO_REG,
                                       .immediate = true,
                                       .imm = imm,
                                       .arg_count = 1,
                                       .arg = {a}});
    func_set_succs(func, node, (Node[]){yes, no}, 2);
}

static void add_call(Func *func, Reg dest, Sym symbol, Reg arg) {
    Instr instr = {.kind = I_CALL,
                   .dest = dest,
                   .ref = symbol.i,
                   .aux = program_at(func->program, symbol)->sig.i,
                   .arg_count = 1,
                   .arg = {arg}};
    add_next(func, instr);
}

static void add_return(Func *func, Reg value) {
    func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {value}});
}

// f(n) = n < 2 ? first : n * f(n - 1)
static Func *factorial(Program *program, int64_t first) {
    Func *func = new_func(program, "f", 1);
    Reg n = func->params.at[0], m = func_temp(func, TYPE_I32), r = func_temp(func, TYPE_I32);
    add_branch(func, OP_LT_I32, n, 2, at(1), at(3));
    func_const(func, r, first, at(2));
    add_return(func, r);
    add_immediate(func, OP_SUB_I32, m, n, 1);
    add_call(func, r, func->symbol, m);
    add_op(func, OP_MUL_I32, r, r, n);
    add_return(func, r);
    return func;
}

static RunResult run_func(Arena *arena, const Func *func, Value arg) {
    RunResult result;
    rtl_run_func(arena, func->program, func, &arg, 1, &(RunOptions){0}, &result);
    return result;
}

static void expect_result(const RunResult *result, const char *event) {
    assert_int_equal(result->behaviour.end, END_RESULT);
    assert_int_equal(result->behaviour.event_hashes.count, 1);
    assert_true(result->behaviour.event_hashes.at[0] == hash_bytes(event, strlen(event)));
}

// ---- Functions

static void recursive_function(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Program *program = program_new(arena);
    Func *func = factorial(program, 1);
    program_at(program, func->symbol)->func = func;
    RunResult result = run_func(arena, func, value_i32(5));
    expect_result(&result, "result() = 120");
    assert_int_equal(result.behaviour.steps, 4 * 5 + 3);
    result = run_func(arena, func, value_undefined(TYPE_I32));
    assert_int_equal(result.behaviour.end, END_WRONG);
    assert_ptr_equal(result.behaviour.func, func);
    assert_int_equal(result.behaviour.node.i, 0);
    arena_free(arena);
}

// The function that is run stands for its symbol, also in calls it makes to itself.
static void body_of_the_symbol(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Program *program = program_new(arena);
    Func *one = factorial(program, 1), *two = factorial(program, 2);
    program_at(program, one->symbol)->func = one;
    assert_int_equal(one->symbol.i, two->symbol.i);
    RunResult result = run_func(arena, two, value_i32(5));
    expect_result(&result, "result() = 240");
    arena_free(arena);
}

static void long_loop(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Program *program = program_new(arena);
    Func *func = new_func(program, "loop", 1);
    Reg n = func->params.at[0], x = func_temp(func, TYPE_I32);
    func_const(func, x, 7, at(1));
    add_immediate(func, OP_MUL_I32, x, x, 5);
    add_immediate(func, OP_XOR_I32, x, x, 3);
    add_immediate(func, OP_SUB_I32, n, n, 1);
    add_branch(func, OP_NE_I32, n, 0, at(1), at(5));
    add_return(func, x);
    RunResult result = run_func(arena, func, value_i32(1000000));
    uint32_t expected = 7;
    for (uint32_t i = 0; i < 1000000; i++) expected = expected * 5 ^ 3;
    expect_result(&result, arena_printf(arena, "result() = %d", (int32_t)expected));
    assert_int_equal(result.behaviour.steps, 4000002);
    arena_free(arena);
}

// ---- Behaviours

static Behaviour behaviour(Arena *arena, EndKind end, int32_t status, const char *events) {
    Behaviour result = {.end = end, .status = status, .node = NO_NODE};
    for (; *events; events++) {
        uint64_t hash = hash_bytes(events, 1);
        vec_push(arena, &result.event_hashes, hash);
    }
    return result;
}

static void refinement(void **state) {
    (void)state;
    const struct {
        EndKind before_end;
        int32_t before_status;
        const char *before;
        EndKind after_end;
        int32_t after_status;
        const char *after, *difference;
    } rows[] = {
        {END_RESULT, 0, "", END_RESULT, 0, "", NULL},
        {END_RESULT, 3, "ab", END_RESULT, 3, "ab", NULL},
        {END_RESULT, 3, "ab", END_RESULT, 4, "ab", "before: exit 3; after: exit 4"},
        {END_RESULT, 3, "ab", END_RESULT, 3, "ac", "event 2 differs"},
        {END_RESULT, 3, "ab", END_RESULT, 3, "a", "2 events before, then only 1 (exit 3)"},
        {END_RESULT, 3, "a", END_RESULT, 3, "ab", "1 events (exit 3) before, then 2"},
        {END_RESULT, 0, "a", END_WRONG, 0, "a", "before: exit 0; after: wrong"},
        {END_TRAP, 0, "a", END_TRAP, 0, "a", NULL},
        {END_TRAP, 0, "a", END_RESULT, 0, "a", "before: trap; after: exit 0"},
        {END_ABORT, 0, "a", END_TRAP, 0, "a", "before: abort; after: trap"},
        {END_WRONG, 0, "a", END_RESULT, 9, "abc", NULL},
        {END_WRONG, 0, "a", END_WRONG, 0, "a", NULL},
        {END_WRONG, 0, "a", END_TRAP, 0, "a", NULL},
        {END_WRONG, 0, "a", END_RESULT, 9, "bc", "event 1 differs"},
        {END_WRONG, 0, "ab", END_RESULT, 9, "a", "2 events before, then only 1 (exit 9)"},
        {END_WRONG, 0, "ab", END_WRONG, 0, "a", "2 events before, then only 1 (wrong)"},
        {END_WRONG, 0, "ab", END_FUEL, 0, "a", NULL},
        {END_FUEL, 0, "a", END_RESULT, 0, "ab", NULL},
        {END_FUEL, 0, "ab", END_FUEL, 0, "a", NULL},
        {END_FUEL, 0, "a", END_FUEL, 0, "ab", NULL},
        {END_FUEL, 0, "ab", END_FUEL, 0, "ac", "event 2 differs"},
        {END_FUEL, 0, "ab", END_RESULT, 0, "a", "2 events before, then only 1 (exit 0)"},
        {END_RESULT, 0, "ab", END_FUEL, 0, "a", NULL},
        {END_RESULT, 0, "a", END_FUEL, 0, "ab", "1 events (exit 0) before, then 2"},
    };
    Arena *arena = arena_new("test");
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Behaviour before =
            behaviour(arena, rows[i].before_end, rows[i].before_status, rows[i].before);
        Behaviour after = behaviour(arena, rows[i].after_end, rows[i].after_status, rows[i].after);
        const char *difference = NULL;
        bool refines = behaviour_refines(arena, &before, &after, &difference);
        assert_int_equal(refines, rows[i].difference == NULL);
        if (!refines) assert_string_equal(difference, rows[i].difference);
    }
    arena_free(arena);
}

// ---- The machine

typedef struct {
    Arena *arena;
    Program *program;
    RunOptions options;
    RunResult result;
    World world;
} Fixture;

static int setup(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_new("test");
    fixture->program = program_new(fixture->arena);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    world_free(&fixture->world);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static void start(Fixture *fixture) {
    world_init(&fixture->world, fixture->arena, fixture->program, &fixture->options,
               &fixture->result);
}

static void layout(void **state) {
    Fixture *fixture = *state;
    Program *program = fixture->program;
    Sym f = define(program, "f", SYM_FUNC), data = define(program, "data", SYM_DATA);
    Sym alias = define(program, "alias", SYM_FUNC), g = define(program, "g", SYM_FUNC);
    Func *body = new_func(program, "f", 0);
    program_at(program, f)->func = program_at(program, g)->func = body;
    program_at(program, alias)->alias = g;
    Symbol *symbol = program_at(program, data);
    symbol->size = 12;
    symbol->align = 32;
    symbol->flags = SYMF_CONST;
    vec_push(program->arena, &symbol->data,
             (DataItem){.kind = DATA_ADDR, .symbol = alias, .value = 16});
    start(fixture);
    const uint64_t *address = fixture->world.symbol_address;
    assert_int_equal(world_function(&fixture->world, address[f.i]).i, f.i);
    assert_int_equal(world_function(&fixture->world, address[alias.i]).i, g.i);
    assert_int_equal(world_function(&fixture->world, address[f.i] + 1).i, NO_ID);
    assert_int_equal(world_function(&fixture->world, address[data.i]).i, NO_ID);
    assert_int_equal(world_function(&fixture->world, 0).i, NO_ID);
    assert_int_equal(address[f.i] % 16, 0);
    assert_int_equal(address[data.i] % 32, 0);
    Value value;
    assert_true(memory_load(fixture->world.memory, CHUNK_I64, address[data.i], &value));
    assert_int_equal(value.bits, address[g.i] + 16);
    assert_true(memory_load(fixture->world.memory, CHUNK_I32, address[data.i] + 8, &value));
    assert_int_equal(value.bits | value.undef, 0);
    assert_false(memory_store(fixture->world.memory, CHUNK_I32, address[data.i] + 8, value));
}

static void first_end_counts(void **state) {
    Fixture *fixture = *state;
    start(fixture);
    world_wrong(&fixture->world, "number %d", 1);
    world_wrong(&fixture->world, "number %d", 2);
    world_exit(&fixture->world, END_RESULT, 4);
    world_event_text(&fixture->world, "late", 4);
    assert_int_equal(fixture->result.behaviour.end, END_WRONG);
    assert_string_equal(fixture->result.behaviour.reason, "number 1");
    assert_int_equal(fixture->result.behaviour.event_hashes.count, 0);
}

static void variable_arguments(void **state) {
    Fixture *fixture = *state;
    start(fixture);
    World *world = &fixture->world;
    Value args[] = {value_i32(5), value_f64(0.5)}, value;
    PType types[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_F64)};
    uint32_t number = world_add_varargs(world, (VarArgs){.args = args, .types = types, .count = 2});
    uint64_t list = memory_add(world->memory, OBJECT_SLOT, "list", 24, 8, true)->address;
    memory_store(world->memory, CHUNK_I64, list, value_i64(number + 1));
    assert_true(world_next_vararg(world, list, types[0], &value));
    assert_int_equal(value.bits, 5);
    assert_true(world_next_vararg(world, list, types[1], &value));
    assert_true(as_f64(value) == 0.5);
    assert_false(world_next_vararg(world, list, types[1], &value));
    assert_string_equal(fixture->result.behaviour.reason,
                        "va_arg beyond the last of 2 variable arguments");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recursive_function),
        cmocka_unit_test(body_of_the_symbol),
        cmocka_unit_test(long_loop),
        cmocka_unit_test(refinement),
        cmocka_unit_test_setup_teardown(layout, setup, teardown),
        cmocka_unit_test_setup_teardown(first_end_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(variable_arguments, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
