#include "test/gen/diamonds.h"

#include "test/gen/random.h"

enum { VARIABLES = 5 };

typedef struct {
    Func *func;
    Random random;
    Sym putchar_symbol;
    Sig putchar_sig;
    Reg var[VARIABLES];
} Diamonds;

static uint32_t draw(Diamonds *d, uint32_t limit) {
    return random_below(&d->random, limit);
}
static Reg draw_var(Diamonds *d) {
    return d->var[draw(d, VARIABLES)];
}

// Nodes are appended in order, each leading to the next unless it is set otherwise.
static Node append(Diamonds *d, Instr instr) {
    instr.succ_count = 1;
    instr.succ[0] = (Node){d->func->nodes.count + 1};
    return func_add(d->func, instr);
}

static void add_operator(Diamonds *d) {
    static const Op ops[] = {OP_ADD_I32, OP_SUB_I32, OP_MUL_I32, OP_XOR_I32, OP_DIVU_I32};
    Instr instr = {.kind = I_OP, .dest = draw_var(d), .arg = {draw_var(d), draw_var(d)}};
    instr.op = (uint16_t)ops[draw(d, random_chance(&d->random, 1, 8) ? 5 : 4)];
    instr.immediate = random_chance(&d->random, 1, 2);
    instr.arg_count = instr.immediate ? 1 : 2;
    instr.imm = instr.immediate ? (int64_t)draw(d, 9) + 1 : 0;
    if (random_chance(&d->random, 1, 5)) {
        instr = (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = draw_var(d), .imm = draw(d, 90)};
    } else if (random_chance(&d->random, 1, 5)) {
        instr.op = OP_MOVE_I32;
        instr.immediate = false;
        instr.imm = 0;
        instr.arg_count = 1;
    }
    append(d, instr);
}

static void add_print(Diamonds *d) {
    append(d, (Instr){.kind = I_CALL,
                      .dest = NO_REG,
                      .ref = d->putchar_symbol.i,
                      .aux = d->putchar_sig.i,
                      .arg_count = 1,
                      .arg = {draw_var(d)}});
}

static Node add_branch(Diamonds *d) {
    static const Op ops[] = {OP_LT_I32, OP_GE_I32, OP_EQ_I32, OP_ULT_I32};
    Instr instr = {.kind = I_COND,
                   .op = (uint16_t)ops[draw(d, 4)],
                   .dest = NO_REG,
                   .arg = {draw_var(d), draw_var(d)},
                   .immediate = random_chance(&d->random, 1, 2)};
    instr.arg_count = instr.immediate ? 1 : 2;
    instr.imm = instr.immediate ? draw(d, 60) : 0;
    Node branch = append(d, instr);
    Node next = {branch.i + 1};
    func_set_succs(d->func, branch, (Node[]){next, next}, 2);
    return branch;
}

static void add_arm(Diamonds *d) {
    uint32_t count = draw(d, 4);
    for (uint32_t i = 0; i < count; i++) add_operator(d);
    if (random_chance(&d->random, 1, 12)) add_print(d);
}

static void add_diamond(Diamonds *d, uint32_t depth) {
    Node branch = add_branch(d);
    add_arm(d);
    if (depth && random_chance(&d->random, 1, 3)) add_diamond(d, depth - 1);
    Node leave = append(d, (Instr){.kind = I_NOP, .dest = NO_REG});
    func_set_succ(d->func, branch, 1, (Node){d->func->nodes.count});
    if (random_chance(&d->random, 2, 3)) add_arm(d);
    append(d, (Instr){.kind = I_NOP, .dest = NO_REG});
    func_set_succ(d->func, leave, 0, (Node){d->func->nodes.count});
}

Func *diamonds_func(Arena *arena, Program *program, uint64_t seed) {
    PType params[2] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    SigInfo two = {.result = params[0], .param_count = 2, .fixed_count = 2, .params = params};
    SigInfo one = {.result = params[0], .param_count = 1, .fixed_count = 1, .params = params};
    Sym f = program_symbol(program, str_of(&program->strings, "f"), SYM_FUNC);
    Diamonds d = {.random = random_from(seed)};
    d.putchar_symbol = program_symbol(program, str_of(&program->strings, "putchar"), SYM_FUNC);
    d.putchar_sig = program_at(program, d.putchar_symbol)->sig = program_sig(program, one);
    program_at(program, f)->sig = program_sig(program, two);
    program_at(program, f)->defined = true;
    d.func = func_new(program, arena, f, program_at(program, f)->sig);
    for (uint32_t i = 0; i < VARIABLES; i++) d.var[i] = func_temp(d.func, TYPE_I32);
    for (uint32_t i = 0; i < 2; i++) vec_push(arena, &d.func->params, d.var[i]);
    Reg round = func_temp(d.func, TYPE_I32);
    for (uint32_t i = 2; i < VARIABLES; i++)
        append(&d,
               (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = d.var[i], .imm = draw(&d, 50)});
    append(&d, (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = round, .imm = draw(&d, 6)});
    Node top = {d.func->nodes.count};
    for (uint32_t i = 0, count = 1 + draw(&d, 4); i < count; i++) add_diamond(&d, 2);
    add_print(&d);
    append(&d, (Instr){.kind = I_OP,
                       .op = OP_ADD_I32,
                       .dest = round,
                       .arg_count = 1,
                       .arg = {round},
                       .immediate = true,
                       .imm = -1});
    Node again = append(&d, (Instr){.kind = I_COND,
                                    .op = OP_GT_I32,
                                    .dest = NO_REG,
                                    .arg_count = 1,
                                    .arg = {round},
                                    .immediate = true});
    func_set_succs(d.func, again, (Node[]){top, {again.i + 1}}, 2);
    func_add(d.func,
             (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {draw_var(&d)}});
    return d.func;
}
