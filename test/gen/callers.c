#include "test/gen/callers.h"

#include "test/gen/random_func.h"

enum { CALLEES = 3, ROUNDS = 3 };

static Sym add_callee(Arena *arena, Program *program, uint32_t i, uint64_t seed) {
    RandomOptions options = random_options(30, seed * CALLEES + i);
    options.name = arena_printf(arena, "g%u", i);
    options.wide = false;
    options.variables = 2;
    Func *func = random_func(arena, program, options, seed * CALLEES + i);
    Symbol *symbol = program_at(program, func->symbol);
    symbol->func = func;
    symbol->linkage = LINK_STATIC;
    return func->symbol;
}

static Node append(Func *func, Instr instr) {
    instr.succ_count = 1;
    instr.succ[0] = (Node){func->nodes.count + 1};
    return func_add(func, instr);
}

Func *caller_func(Arena *arena, Program *program, uint64_t seed) {
    Random random = random_from(seed);
    Sym callees[CALLEES];
    for (uint32_t i = 0; i < CALLEES; i++) callees[i] = add_callee(arena, program, i, seed);
    Sig sig = program_at(program, callees[0])->sig;
    Sym name = program_symbol(program, str_of(&program->strings, "f"), SYM_FUNC);
    program_at(program, name)->sig = sig;
    program_at(program, name)->defined = true;
    Func *func = func_new(program, arena, name, sig);
    Reg regs[4];
    for (uint32_t i = 0; i < 4; i++) regs[i] = func_temp(func, TYPE_I32);
    for (uint32_t i = 0; i < 2; i++) vec_push(arena, &func->params, regs[i]);
    Reg round = func_temp(func, TYPE_I32);
    append(func,
           (Instr){
               .kind = I_OP, .op = OP_MOVE_I32, .dest = regs[2], .arg_count = 1, .arg = {regs[0]}});
    append(func,
           (Instr){
               .kind = I_OP, .op = OP_MOVE_I32, .dest = regs[3], .arg_count = 1, .arg = {regs[1]}});
    append(func, (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = round, .imm = 0});
    Node loop = {func->nodes.count};
    for (uint32_t calls = random_below(&random, 4) + 1; calls > 0; calls--) {
        Sym callee = callees[random_below(&random, CALLEES)];
        append(func,
               (Instr){.kind = I_CALL,
                       .dest = random_below(&random, 5) ? regs[random_below(&random, 4)] : NO_REG,
                       .ref = callee.i,
                       .aux = sig.i,
                       .arg_count = 2,
                       .arg = {regs[random_below(&random, 4)], regs[random_below(&random, 4)]}});
    }
    append(func, (Instr){.kind = I_OP,
                         .op = OP_ADD_I32,
                         .dest = round,
                         .immediate = true,
                         .arg_count = 1,
                         .arg = {round},
                         .imm = 1});
    Node end = append(func, (Instr){.kind = I_COND,
                                    .op = OP_LT_I32,
                                    .dest = NO_REG,
                                    .immediate = true,
                                    .arg_count = 1,
                                    .arg = {round},
                                    .imm = ROUNDS});
    func_set_succs(func, end, (Node[]){loop, {end.i + 1}}, 2);
    func_add(func, (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {regs[3]}});
    program_at(program, name)->func = func;
    return func;
}

Bodies callee_bodies(Arena *arena, const Program *program) {
    Bodies bodies = bodies_new(arena, program);
    for (uint32_t i = 0; i < bodies.count; i++)
        if (program->symbols.at[i].linkage == LINK_STATIC)
            bodies.of[i] = (OfferedBody){.rtl = program->symbols.at[i].func, .once = true};
    return bodies;
}
