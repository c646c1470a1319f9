// Building RTL functions through calls: the second half of include/gate.h.
#include "fact/calls.h"
#include "form/verify.h"
#include "lib/libgate.h"

#include <string.h>

struct GateBuilder {
    GateProgram *program;
    Func *func;
    VEC(Node) open; // nodes that go on to the one added next, with one successor each to fill
    bool failed;
};

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

static bool fail(GateBuilder *builder, const char *what, const char *name) {
    diag_error(&builder->program->diag, SPAN_NONE, "function '%s': %s '%s'",
               func_name(builder->func), what, name);
    builder->failed = true;
    return false;
}

GateBuilder *gate_build(GateProgram *program, const char *name, GateType result,
                        const GateType *parameters, uint32_t count) {
    Program *inner = program->inner;
    Sym symbol = function_named(inner, name);
    GateBuilder *builder = ARENA_NEW(program->arena, GateBuilder);
    Sig sig = make_sig(program, result, parameters, count);
    *builder =
        (GateBuilder){.program = program, .func = func_new(inner, program->arena, symbol, sig)};
    program_at(inner, symbol)->sig = sig;
    for (uint32_t i = 0; i < count; i++) {
        Reg reg = func_temp(builder->func, (Type)parameters[i]);
        vec_push(program->arena, &builder->func->params, reg);
    }
    return builder;
}

uint32_t gate_build_register(GateBuilder *builder, GateType type, const char *name) {
    Func *func = builder->func;
    if (!name || !*name) return func_temp(func, (Type)type).i;
    Str interned = str_intern(&func->program->strings, name, strlen(name));
    uint32_t number = 0;
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (func->regs.at[i].name.i == interned.i && func->regs.at[i].number >= number)
            number = func->regs.at[i].number + 1;
    return func_add_reg(func, (RegInfo){.name = interned, .number = number, .type = (Type)type}).i;
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

uint32_t gate_build_nop(GateBuilder *builder) {
    return add(builder, (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1}, NULL, 0);
}

uint32_t gate_build_constant(GateBuilder *builder, uint32_t dest, int64_t value) {
    if (dest >= builder->func->regs.count)
        return fail(builder, "no such register:", "dest"), GATE_NONE;
    Type type = reg_type(builder->func, (Reg){dest});
    Instr instr = {.kind = I_OP,
                   .op = (uint16_t)op_const(type),
                   .dest = {dest},
                   .imm = type == TYPE_I32 ? (int32_t)value : value,
                   .succ_count = 1};
    return add(builder, instr, NULL, 0);
}

static uint32_t add_op(GateBuilder *builder, InstrKind kind, const char *name, uint32_t dest,
                       const uint32_t *arguments, uint32_t count, const int64_t *immediate) {
    Op op = op_named(name, strlen(name));
    if (op == OP_COUNT) return fail(builder, "there is no operator", name), GATE_NONE;
    Instr instr = {.kind = (uint8_t)kind,
                   .op = (uint16_t)op,
                   .immediate = immediate != NULL,
                   .dest = {dest},
                   .imm = immediate ? *immediate : 0,
                   .succ_count = kind == I_COND ? 2 : 1};
    return add(builder, instr, arguments, count);
}

uint32_t gate_build_op(GateBuilder *builder, const char *op, uint32_t dest,
                       const uint32_t *arguments, uint32_t count) {
    return add_op(builder, I_OP, op, dest, arguments, count, NULL);
}

uint32_t gate_build_op_immediate(GateBuilder *builder, const char *op, uint32_t dest,
                                 uint32_t argument, int64_t immediate) {
    return add_op(builder, I_OP, op, dest, &argument, 1, &immediate);
}

uint32_t gate_build_branch(GateBuilder *builder, const char *op, const uint32_t *arguments,
                           uint32_t count) {
    return add_op(builder, I_COND, op, GATE_NONE, arguments, count, NULL);
}

uint32_t gate_build_branch_immediate(GateBuilder *builder, const char *op, uint32_t argument,
                                     int64_t immediate) {
    return add_op(builder, I_COND, op, GATE_NONE, &argument, 1, &immediate);
}

uint32_t gate_build_call(GateBuilder *builder, const char *name, uint32_t dest,
                         const uint32_t *arguments, uint32_t count) {
    Program *inner = builder->program->inner;
    Func *func = builder->func;
    Sym symbol = function_named(inner, name);
    GateType *types = ARENA_ARRAY(builder->program->arena, GateType, count);
    for (uint32_t i = 0; i < count; i++) {
        if (arguments[i] >= func->regs.count)
            return fail(builder, "wrong argument of", name), GATE_NONE;
        types[i] = (GateType)reg_type(func, (Reg){arguments[i]});
    }
    bool has_dest = dest != GATE_NONE && dest < func->regs.count;
    GateType result = has_dest ? (GateType)reg_type(func, (Reg){dest}) : GATE_VOID;
    Sig sig = make_sig(builder->program, result, types, count);
    if (!program_at(inner, symbol)->defined) program_at(inner, symbol)->sig = sig;
    Instr instr = {.kind = I_CALL,
                   .dest = {dest},
                   .ref = symbol.i,
                   .aux = program_at(inner, symbol)->sig.i,
                   .succ_count = 1};
    return add(builder, instr, arguments, count);
}

uint32_t gate_build_return(GateBuilder *builder, uint32_t reg) {
    Instr instr = {.kind = I_RETURN, .dest = NO_REG};
    return add(builder, instr, &reg, reg == GATE_NONE ? 0 : 1);
}

void gate_build_successor(GateBuilder *builder, uint32_t node, uint32_t which, uint32_t successor) {
    if (node < builder->func->nodes.count && which < builder->func->nodes.at[node].succ_count)
        func_set_succ(builder->func, (Node){node}, which, (Node){successor});
    else
        fail(builder, "no such successor of a node to be set", "");
}

bool gate_build_end(GateBuilder *builder) {
    GateProgram *program = builder->program;
    if (builder->failed) return false;
    Complaints complaints = {.arena = program->arena};
    Symbol *symbol = program_at(program->inner, builder->func->symbol);
    if (!verify_func(&complaints, builder->func)) {
        fail(builder, "it is not well-formed:", complaints.list.at[0].message);
        return false;
    }
    symbol->defined = true;
    symbol->func = builder->func;
    libgate_list_functions(program);
    return true;
}
