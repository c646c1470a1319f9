#include "test/gen/counters.h"

#include "test/gen/random.h"

typedef struct {
    Func *func;
    Random random;
    Reg a, b, sum, rounds;
} Counters;

static Node append(Counters *c, Instr instr) {
    instr.succ_count = 1;
    instr.succ[0] = (Node){c->func->nodes.count + 1};
    return func_add(c->func, instr);
}

static Reg add_op(Counters *c, Op op, Reg dest, Reg arg, bool immediate, int64_t imm) {
    append(c, (Instr){.kind = I_OP,
                      .op = (uint16_t)op,
                      .dest = dest,
                      .immediate = immediate,
                      .arg_count = 1,
                      .arg = {arg},
                      .imm = imm});
    return dest;
}

static void add_const(Counters *c, Reg dest, int64_t value) {
    append(c, (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = dest, .imm = value});
}

// A branch whose ways are set later.
static Node add_branch(Counters *c, Op op, Reg a, Reg b, int64_t imm) {
    bool immediate = b.i == NO_ID;
    return append(c, (Instr){.kind = I_COND,
                             .op = (uint16_t)op,
                             .dest = NO_REG,
                             .immediate = immediate,
                             .arg_count = immediate ? 1 : 2,
                             .arg = {a, immediate ? (Reg){0} : b},
                             .imm = immediate ? imm : 0});
}

// sum := sum * 3 + sign extension of a register, as an i32 made of both halves
static void add_up(Counters *c, Reg narrow) {
    Reg wide = func_temp(c->func, TYPE_I64), high = func_temp(c->func, TYPE_I64);
    Reg low = func_temp(c->func, TYPE_I32), top = func_temp(c->func, TYPE_I32);
    add_op(c, OP_SEXT_I64, wide, narrow, false, 0);
    add_op(c, OP_SHR_I64, high, wide, true, 31);
    add_op(c, OP_TRUNC_I32, low, wide, false, 0);
    add_op(c, OP_TRUNC_I32, top, high, false, 0);
    add_op(c, OP_MUL_I32, c->sum, c->sum, true, 3);
    append(
        c,
        (Instr){
            .kind = I_OP, .op = OP_ADD_I32, .dest = c->sum, .arg_count = 2, .arg = {c->sum, low}});
    append(
        c,
        (Instr){
            .kind = I_OP, .op = OP_XOR_I32, .dest = c->sum, .arg_count = 2, .arg = {c->sum, top}});
}

static int64_t draw_value(Counters *c) {
    static const int64_t edges[] = {INT32_MAX, INT32_MIN, INT32_MAX - 2, INT32_MIN + 2, 0, -1};
    if (random_below(&c->random, 3) == 0) return edges[random_below(&c->random, 6)];
    return (int64_t)random_below(&c->random, 20) - 8;
}

static void add_loop(Counters *c) {
    static const Op ops[] = {OP_LT_I32, OP_LT_I32, OP_GT_I32, OP_GE_I32,
                             OP_LE_I32, OP_NE_I32, OP_ULT_I32};
    Reg i = func_temp(c->func, TYPE_I32), limit = NO_REG;
    if (random_below(&c->random, 3))
        add_const(c, i, draw_value(c));
    else
        add_op(c, OP_MOVE_I32, i, random_below(&c->random, 2) ? c->a : c->b, false, 0);
    if (random_below(&c->random, 2)) limit = random_below(&c->random, 2) ? c->a : c->b;
    Node top = {c->func->nodes.count};
    Node test = add_branch(c, ops[random_below(&c->random, 7)], i, limit, draw_value(c));
    add_op(c, OP_ADD_I32, c->rounds, c->rounds, true, 1);
    Node stop = add_branch(c, OP_GT_I32, c->rounds, NO_REG, 40);
    add_up(c, i);
    if (random_below(&c->random, 3) == 0) {
        Reg beside = func_temp(c->func, TYPE_I32);
        add_up(c, add_op(c, OP_ADD_I32, beside, i, true, random_below(&c->random, 2) ? 1 : -1));
    }
    if (random_below(&c->random, 8) == 0) add_op(c, OP_XOR_I32, c->sum, i, true, 5);
    static const int64_t steps[] = {1, 1, 1, -1, -1, 2};
    add_op(c, OP_ADD_I32, i, i, true, steps[random_below(&c->random, 6)]);
    append(c, (Instr){.kind = I_NOP, .dest = NO_REG});
    c->func->nodes.at[c->func->nodes.count - 1].succ[0] = top;
    Node end = {c->func->nodes.count};
    func_set_succs(c->func, test, (Node[]){{test.i + 1}, end}, 2);
    func_set_succs(c->func, stop, (Node[]){end, {stop.i + 1}}, 2);
    add_op(c, OP_MUL_I32, c->sum, c->sum, true, 7);
}

Func *counter_func(Arena *arena, Program *program, uint64_t seed) {
    PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    Sig sig = program_sig(program, (SigInfo){.result = PTYPE_OF(TYPE_I32),
                                             .param_count = 2,
                                             .fixed_count = 2,
                                             .params = params});
    Sym name = program_symbol(program, str_of(&program->strings, "f"), SYM_FUNC);
    program_at(program, name)->sig = sig;
    program_at(program, name)->defined = true;
    Counters c = {.func = func_new(program, arena, name, sig), .random = random_from(seed)};
    Reg *regs[] = {&c.a, &c.b, &c.sum, &c.rounds};
    for (int i = 0; i < 4; i++) *regs[i] = func_temp(c.func, TYPE_I32);
    for (int i = 0; i < 2; i++) vec_push(arena, &c.func->params, *regs[i]);
    add_const(&c, c.sum, 1);
    add_const(&c, c.rounds, 0);
    for (uint32_t loops = 1 + random_below(&c.random, 3); loops > 0; loops--) add_loop(&c);
    func_add(c.func, (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {c.sum}});
    program_at(program, name)->func = c.func;
    return c.func;
}
