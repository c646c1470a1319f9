// Building RTL functions through calls: the second half of include/gate.h.
#include "fact/calls.h"
#include "lib/libgate.h"
#include "verify/verify.h"

#include <string.h>

struct GateBuilder {
    GateProgram *program;
    Func *func;
    VEC(Node) open; // nodes that go on to the one added next, with one successor each to fill
    bool failed;
};

// What is handed out if there is no memory for one: everything fails with it. Nobody writes to it.
static const GateBuilder no_builder = {.program = (GateProgram *)(uintptr_t)&libgate_nothing};

// What is asked of a builder. Each call runs behind the border of its program.
typedef struct {
    GateBuilder *builder;
    InstrKind kind;
    const char *name;
    GateType type;
    uint32_t dest, count;
    const uint32_t *arguments;
    const int64_t *immediate;
    int64_t value;
    uint32_t result;
} BuildCall;

static uint32_t behind_border(void (*run)(void *call), BuildCall call) {
    call.result = GATE_NONE;
    return holdings_run(&call.builder->program->holdings, run, &call) ? call.result : GATE_NONE;
}

static PType ptype_of_gate_type(GateType type) {
    return PTYPE_OF((Type)type);
}

static Sig make_sig(GateProgram *program, GateType result, const GateType *parameters,
                    uint32_t count) {
    PType *params = ARENA_ARRAY(program->arena, PType, count);
    for (uint32_t i = 0; i < count; i++) params[i] = ptype_of_gate_type(parameters[i]);
    return program_sig(program->inner, (SigInfo){.result = ptype_of_gate_type(result),
                                                 .param_count = count,
                                                 .fixed_count = count,
                                                 .params = params});
}

// A function by its name, with the mark that its name asks for.
static Sym function_named(Program *program, const char *name) {
    Sym symbol =
        program_symbol(program, str_intern(&program->strings, name, strlen(name)), SYM_FUNC);
    if (name_returns_twice(name)) program_at(program, symbol)->flags |= SYMF_RETURNS_TWICE;
    return symbol;
}

static void fail(GateBuilder *builder, const char *what, const char *name) {
    diag_error(&builder->program->diag, SPAN_NONE, "function '%s': %s '%s'",
               func_name(builder->func), what, name);
    builder->failed = true;
}

typedef struct {
    GateProgram *program;
    const char *name;
    GateType result;
    const GateType *parameters;
    uint32_t count;
    GateBuilder *builder;
} BuildFunction;

static void build_function(void *context) {
    BuildFunction *call = context;
    GateProgram *program = call->program;
    Program *inner = program->inner;
    Sym symbol = function_named(inner, call->name);
    GateBuilder *builder = ARENA_NEW(program->arena, GateBuilder);
    Sig sig = make_sig(program, call->result, call->parameters, call->count);
    *builder =
        (GateBuilder){.program = program, .func = func_new(inner, program->arena, symbol, sig)};
    program_at(inner, symbol)->sig = sig;
    for (uint32_t i = 0; i < call->count; i++) {
        Reg reg = func_temp(builder->func, (Type)call->parameters[i]);
        vec_push(program->arena, &builder->func->params, reg);
    }
    call->builder = builder;
}

GateBuilder *gate_build(GateProgram *program, const char *name, GateType result,
                        const GateType *parameters, uint32_t count) {
    BuildFunction call = {program, name, result, parameters, count, NULL};
    if (!program->inner || !holdings_run(&program->holdings, build_function, &call))
        return (GateBuilder *)(uintptr_t)&no_builder;
    return call.builder;
}

static void build_register(void *context) {
    BuildCall *call = context;
    Func *func = call->builder->func;
    const char *name = call->name;
    if (!name || !*name) {
        call->result = func_temp(func, (Type)call->type).i;
        return;
    }
    Str interned = str_intern(&func->program->strings, name, strlen(name));
    uint32_t number = 0;
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (func->regs.at[i].name.i == interned.i && func->regs.at[i].number >= number)
            number = func->regs.at[i].number + 1;
    RegInfo info = {.name = interned, .number = number, .type = (Type)call->type};
    call->result = func_add_reg(func, info).i;
}

uint32_t gate_build_register(GateBuilder *builder, GateType type, const char *name) {
    return behind_border(build_register,
                         (BuildCall){.builder = builder, .type = type, .name = name});
}

// Appends a node; what was open goes on to it, and so does it to the next, by its last successor.
static uint32_t add(GateBuilder *builder, Instr instr, const uint32_t *arguments, uint32_t count) {
    Func *func = builder->func;
    Node node = func_add(func, instr);
    Reg *args = ARENA_ARRAY(builder->program->arena, Reg, count);
    Node none[2] = {NO_NODE, NO_NODE};
    for (uint32_t i = 0; i < count; i++) args[i] = (Reg){arguments[i]};
    func_set_args(func, node, args, count);
    func_set_succs(func, node, none, instr.succ_count);
    while (builder->open.count) {
        Node before = vec_pop(&builder->open);
        uint32_t last = func->nodes.at[before.i].succ_count - 1;
        if (func->nodes.at[before.i].succ[last].i == NO_ID) func_set_succ(func, before, last, node);
    }
    if (instr.succ_count) vec_push(builder->program->arena, &builder->open, node);
    return node.i;
}

static void build_nop(void *context) {
    BuildCall *call = context;
    Instr instr = {.kind = I_NOP, .dest = NO_REG, .succ_count = 1};
    call->result = add(call->builder, instr, NULL, 0);
}

uint32_t gate_build_nop(GateBuilder *builder) {
    return behind_border(build_nop, (BuildCall){.builder = builder});
}

static void build_constant(void *context) {
    BuildCall *call = context;
    const Func *func = call->builder->func;
    if (call->dest >= func->regs.count) {
        fail(call->builder, "no such register:", "dest");
        return;
    }
    Type type = reg_type(func, (Reg){call->dest});
    Instr instr = {.kind = I_OP,
                   .op = (uint16_t)op_const(type),
                   .dest = {call->dest},
                   .imm = type == TYPE_I32 ? (int32_t)call->value : call->value,
                   .succ_count = 1};
    call->result = add(call->builder, instr, NULL, 0);
}

uint32_t gate_build_constant(GateBuilder *builder, uint32_t dest, int64_t value) {
    return behind_border(build_constant,
                         (BuildCall){.builder = builder, .dest = dest, .value = value});
}

static void build_op(void *context) {
    BuildCall *call = context;
    Op op = op_named(call->name, strlen(call->name));
    if (op == OP_COUNT) {
        fail(call->builder, "there is no operator", call->name);
        return;
    }
    Instr instr = {.kind = (uint8_t)call->kind,
                   .op = (uint16_t)op,
                   .immediate = call->immediate != NULL,
                   .dest = {call->dest},
                   .imm = call->immediate ? *call->immediate : 0,
                   .succ_count = call->kind == I_COND ? 2 : 1};
    call->result = add(call->builder, instr, call->arguments, call->count);
}

uint32_t gate_build_op(GateBuilder *builder, const char *op, uint32_t dest,
                       const uint32_t *arguments, uint32_t count) {
    return behind_border(build_op, (BuildCall){.builder = builder,
                                               .kind = I_OP,
                                               .name = op,
                                               .dest = dest,
                                               .arguments = arguments,
                                               .count = count});
}

uint32_t gate_build_op_immediate(GateBuilder *builder, const char *op, uint32_t dest,
                                 uint32_t argument, int64_t immediate) {
    return behind_border(build_op, (BuildCall){.builder = builder,
                                               .kind = I_OP,
                                               .name = op,
                                               .dest = dest,
                                               .arguments = &argument,
                                               .count = 1,
                                               .immediate = &immediate});
}

uint32_t gate_build_branch(GateBuilder *builder, const char *op, const uint32_t *arguments,
                           uint32_t count) {
    return behind_border(build_op, (BuildCall){.builder = builder,
                                               .kind = I_COND,
                                               .name = op,
                                               .dest = GATE_NONE,
                                               .arguments = arguments,
                                               .count = count});
}

uint32_t gate_build_branch_immediate(GateBuilder *builder, const char *op, uint32_t argument,
                                     int64_t immediate) {
    return behind_border(build_op, (BuildCall){.builder = builder,
                                               .kind = I_COND,
                                               .name = op,
                                               .dest = GATE_NONE,
                                               .arguments = &argument,
                                               .count = 1,
                                               .immediate = &immediate});
}

static void build_call(void *context) {
    BuildCall *call = context;
    GateBuilder *builder = call->builder;
    Program *inner = builder->program->inner;
    Func *func = builder->func;
    Sym symbol = function_named(inner, call->name);
    GateType *types = ARENA_ARRAY(builder->program->arena, GateType, call->count);
    for (uint32_t i = 0; i < call->count; i++) {
        if (call->arguments[i] >= func->regs.count) {
            fail(builder, "wrong argument of", call->name);
            return;
        }
        types[i] = (GateType)reg_type(func, (Reg){call->arguments[i]});
    }
    bool has_dest = call->dest != GATE_NONE && call->dest < func->regs.count;
    GateType result = has_dest ? (GateType)reg_type(func, (Reg){call->dest}) : GATE_VOID;
    Sig sig = make_sig(builder->program, result, types, call->count);
    if (!program_at(inner, symbol)->defined) program_at(inner, symbol)->sig = sig;
    Instr instr = {.kind = I_CALL,
                   .dest = {call->dest},
                   .ref = symbol.i,
                   .aux = program_at(inner, symbol)->sig.i,
                   .succ_count = 1};
    call->result = add(builder, instr, call->arguments, call->count);
}

uint32_t gate_build_call(GateBuilder *builder, const char *name, uint32_t dest,
                         const uint32_t *arguments, uint32_t count) {
    return behind_border(build_call, (BuildCall){.builder = builder,
                                                 .name = name,
                                                 .dest = dest,
                                                 .arguments = arguments,
                                                 .count = count});
}

static void build_return(void *context) {
    BuildCall *call = context;
    Instr instr = {.kind = I_RETURN, .dest = NO_REG};
    call->result = add(call->builder, instr, &call->dest, call->dest == GATE_NONE ? 0 : 1);
}

uint32_t gate_build_return(GateBuilder *builder, uint32_t reg) {
    return behind_border(build_return, (BuildCall){.builder = builder, .dest = reg});
}

// The node is in `dest`, which of its successors in `count`, and the successor in `value`.
static void build_successor(void *context) {
    BuildCall *call = context;
    Func *func = call->builder->func;
    Node node = {call->dest};
    if (node.i < func->nodes.count && call->count < func->nodes.at[node.i].succ_count)
        func_set_succ(func, node, call->count, (Node){(uint32_t)call->value});
    else
        fail(call->builder, "no such successor of a node to be set", "");
}

void gate_build_successor(GateBuilder *builder, uint32_t node, uint32_t which, uint32_t successor) {
    behind_border(
        build_successor,
        (BuildCall){.builder = builder, .dest = node, .count = which, .value = successor});
}

static void build_end(void *context) {
    BuildCall *call = context;
    GateBuilder *builder = call->builder;
    GateProgram *program = builder->program;
    Complaints complaints = {.arena = program->arena};
    Symbol *symbol = program_at(program->inner, builder->func->symbol);
    if (builder->failed) return;
    if (!verify_func(&complaints, builder->func)) {
        fail(builder, "it is not well-formed:", complaints.list.at[0].message);
        return;
    }
    symbol->defined = true;
    symbol->func = builder->func;
    libgate_list_functions(program);
    call->result = 0;
}

bool gate_build_end(GateBuilder *builder) {
    return behind_border(build_end, (BuildCall){.builder = builder}) != GATE_NONE;
}
