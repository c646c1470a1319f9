#include "test/gen/ranged.h"

#include "test/gen/random.h"

enum { VARIABLES = 6, DEEPEST = 3 };

typedef struct {
    Func *func;
    Random random;
    Reg sum, undefined, variables[VARIABLES]; // the first two of them are the parameters
} Ranged;

static uint32_t draw(Ranged *r, uint32_t limit) {
    return random_below(&r->random, limit);
}

static Node append(Ranged *r, Instr instr) {
    instr.succ_count = 1;
    instr.succ[0] = (Node){r->func->nodes.count + 1};
    return func_add(r->func, instr);
}

static void add_op(Ranged *r, Op op, Reg dest, Reg arg, bool immediate, int64_t imm) {
    append(r, (Instr){.kind = I_OP,
                      .op = (uint16_t)op,
                      .dest = dest,
                      .immediate = immediate,
                      .arg_count = 1,
                      .arg = {arg},
                      .imm = imm});
}

static void add_const(Ranged *r, Reg dest, int64_t value) {
    append(r, (Instr){.kind = I_OP, .op = OP_CONST_I32, .dest = dest, .imm = value});
}

static Reg draw_variable(Ranged *r) {
    return r->variables[draw(r, VARIABLES)];
}

// sum := sum * 3 + a register
static void add_up(Ranged *r, Reg reg) {
    add_op(r, OP_MUL_I32, r->sum, r->sum, true, 3);
    append(
        r,
        (Instr){
            .kind = I_OP, .op = OP_ADD_I32, .dest = r->sum, .arg_count = 2, .arg = {r->sum, reg}});
}

static void add_operator(Ranged *r) {
    static const struct {
        Op op;
        int64_t imm;
    } ops[] = {
        {OP_AND_I32, 15},  {OP_AND_I32, 31},  {OP_AND_I32, 255},  {OP_AND_I32, 1},
        {OP_AND_I32, -4},  {OP_SHR_I32, 3},   {OP_SHR_I32, 24},   {OP_SAR_I32, 2},
        {OP_ADD_I32, 1},   {OP_ADD_I32, -9},  {OP_ADD_I32, 100},  {OP_OR_I32, 4},
        {OP_XOR_I32, 5},   {OP_MUL_I32, 3},   {OP_SHL_I32, 2},    {OP_DIVS_I32, 3},
        {OP_DIVS_I32, 8},  {OP_MODS_I32, 8},  {OP_MODS_I32, 10},  {OP_DIVU_I32, 5},
        {OP_MODU_I32, 16}, {OP_MODU_I32, 40}, {OP_DIVS_I32, 100}, {OP_SAR_I32, 31},
    };
    static const Op extensions[] = {OP_ZEXT8_I32, OP_SEXT8_I32, OP_ZEXT16_I32, OP_SEXT16_I32};
    Reg from = draw_variable(r), to = draw_variable(r);
    uint32_t which = draw(r, 30);
    if (which < 24)
        add_op(r, ops[which].op, to, from, true, ops[which].imm);
    else if (which < 28)
        add_op(r, extensions[which - 24], to, from, false, 0);
    else
        add_const(r, to, (int64_t)draw(r, 40) - 8);
}

// A sum in 64 bits, of which both halves count.
static void add_wide(Ranged *r) {
    Reg part = func_temp(r->func, TYPE_I32), wide = func_temp(r->func, TYPE_I64);
    Reg high = func_temp(r->func, TYPE_I64), top = func_temp(r->func, TYPE_I32);
    add_op(r, OP_ADD_I32, part, draw_variable(r), true, (int64_t)draw(r, 20) - 10);
    add_op(r, OP_SEXT_I64, wide, part, false, 0);
    add_op(r, OP_SHR_I64, high, wide, true, 30);
    add_op(r, OP_TRUNC_I32, top, high, false, 0);
    add_up(r, top);
    add_up(r, part);
}

// Bits that are zero whatever is masked.
static void add_undefined(Ranged *r) {
    Reg part = func_temp(r->func, TYPE_I32);
    add_op(r, OP_AND_I32, part, r->undefined, true, draw(r, 2) ? 15 : 3);
    add_op(r, OP_SHR_I32, part, part, true, 4);
    add_up(r, part);
}

// A check that most runs pass.
static void add_check(Ranged *r) {
    static const struct {
        Op op;
        int64_t imm;
    } tests[] = {{OP_NE_I32, 1000}, {OP_GE_I32, 0}, {OP_ULT_I32, 100000}, {OP_GT_I32, -9}};
    Reg holds = func_temp(r->func, TYPE_I32);
    uint32_t which = draw(r, 4);
    add_op(r, tests[which].op, holds, draw_variable(r), true, tests[which].imm);
    append(r, (Instr){.kind = I_CHECK, .dest = NO_REG, .arg_count = 1, .arg = {holds}});
}

static Node add_test(Ranged *r, Reg reg) {
    static const Op ops[] = {OP_LT_I32,  OP_GE_I32,  OP_GT_I32, OP_LE_I32,
                             OP_ULT_I32, OP_UGE_I32, OP_EQ_I32, OP_NE_I32};
    static const int64_t bounds[] = {0, 0, 1, 9, 10, 15, 16, 40, -1};
    return append(r, (Instr){.kind = I_COND,
                             .op = (uint16_t)ops[draw(r, 8)],
                             .dest = NO_REG,
                             .immediate = true,
                             .arg_count = 1,
                             .arg = {reg},
                             .imm = bounds[draw(r, 9)]});
}

static void add_statements(Ranged *r, uint32_t depth);

static void add_if(Ranged *r, uint32_t depth) {
    Node test = add_test(r, draw_variable(r));
    add_statements(r, depth + 1);
    Node skip = append(r, (Instr){.kind = I_NOP, .dest = NO_REG});
    Node otherwise = {r->func->nodes.count};
    if (draw(r, 2)) add_statements(r, depth + 1);
    if (draw(r, 4) == 0) add_op(r, OP_MOVE_I32, r->undefined, draw_variable(r), false, 0);
    Node end = append(r, (Instr){.kind = I_NOP, .dest = NO_REG});
    func_set_succs(r->func, test, (Node[]){{test.i + 1}, otherwise}, 2);
    func_set_succ(r->func, skip, 0, end);
}

// A switch by a variable, or by some of its bits; some cases share an arm.
static void add_switch(Ranged *r, uint32_t depth) {
    static const int64_t values[] = {-8, -1, 0, 1, 2, 3, 4, 8, 15};
    enum { MOST_CASES = 9 };
    Reg selector = draw_variable(r);
    int64_t cases[MOST_CASES];
    Node to[MOST_CASES + 1], ends[MOST_CASES + 1];
    uint32_t count = 0, arms = 0;
    if (draw(r, 2)) {
        selector = func_temp(r->func, TYPE_I32);
        add_op(r, OP_AND_I32, selector, draw_variable(r), true, (int64_t)draw(r, 8));
    }
    for (uint32_t i = 0; i < MOST_CASES; i++)
        if (draw(r, 2)) cases[count++] = values[i];
    Instr instr = {.kind = I_SWITCH, .dest = NO_REG, .arg_count = 1, .arg = {selector}};
    instr.aux = func_add_cases(r->func, cases, count);
    Node node = append(r, instr);
    for (uint32_t k = 0; k <= count; k++) {
        to[k] = (Node){r->func->nodes.count};
        if (k > 0 && draw(r, 3) == 0) {
            to[k] = to[k - 1];
            continue;
        }
        add_statements(r, depth + 1);
        ends[arms++] = append(r, (Instr){.kind = I_NOP, .dest = NO_REG});
    }
    for (uint32_t i = 0; i < arms; i++)
        func_set_succ(r->func, ends[i], 0, (Node){r->func->nodes.count});
    func_set_succs(r->func, node, to, count + 1);
}

// A division that goes right, and a test that knows.
static void add_division(Ranged *r, uint32_t depth) {
    Reg divisor = func_temp(r->func, TYPE_I32), quotient = func_temp(r->func, TYPE_I32);
    add_op(r, OP_OR_I32, divisor, draw_variable(r), true, 1);
    append(r, (Instr){.kind = I_OP,
                      .op = draw(r, 2) ? OP_DIVU_I32 : OP_MODU_I32,
                      .dest = quotient,
                      .arg_count = 2,
                      .arg = {draw_variable(r), divisor}});
    add_up(r, quotient);
    Node test = append(r, (Instr){.kind = I_COND,
                                  .op = OP_EQ_I32,
                                  .dest = NO_REG,
                                  .immediate = true,
                                  .arg_count = 1,
                                  .arg = {divisor}});
    add_statements(r, depth + 1);
    func_set_succs(r->func, test, (Node[]){{test.i + 1}, {r->func->nodes.count}}, 2);
}

// The counter is a variable of the body, too, which may only read it.
static void add_loop(Ranged *r, uint32_t depth) {
    uint32_t at = 2 + draw(r, VARIABLES - 2), step = 1 + draw(r, 2);
    Reg i = func_temp(r->func, TYPE_I32), was = r->variables[at];
    bool down = draw(r, 4) == 0;
    int64_t start = (int64_t)draw(r, 3), end = start + 1 + (int64_t)draw(r, 6);
    add_const(r, i, down ? end : start);
    Node test = append(r, (Instr){.kind = I_COND,
                                  .op = down         ? OP_GT_I32
                                        : draw(r, 2) ? OP_LT_I32
                                                     : OP_ULT_I32,
                                  .dest = NO_REG,
                                  .immediate = true,
                                  .arg_count = 1,
                                  .arg = {i},
                                  .imm = down ? start : end});
    add_op(r, OP_MOVE_I32, was, i, false, 0);
    add_statements(r, depth + 1);
    add_op(r, OP_ADD_I32, i, i, true, down ? -(int64_t)step : step);
    Node back = append(r, (Instr){.kind = I_NOP, .dest = NO_REG});
    func_set_succ(r->func, back, 0, test);
    func_set_succs(r->func, test, (Node[]){{test.i + 1}, {back.i + 1}}, 2);
    add_up(r, i);
}

static void add_statements(Ranged *r, uint32_t depth) {
    for (uint32_t count = 1 + draw(r, depth ? 4 : 7); count > 0; count--) {
        uint32_t which = draw(r, 14);
        if (which < 3 && depth < DEEPEST)
            add_if(r, depth);
        else if (which == 3 && depth < DEEPEST)
            add_loop(r, depth);
        else if (which == 12 && depth < DEEPEST)
            add_switch(r, depth);
        else if (which == 13 && depth < DEEPEST)
            add_division(r, depth);
        else if (which == 4)
            add_up(r, draw_variable(r));
        else if (which == 5)
            add_wide(r);
        else if (which == 6)
            add_undefined(r);
        else if (which == 7 && draw(r, 3) == 0)
            add_check(r);
        else
            add_operator(r);
    }
}

Func *ranged_func(Arena *arena, Program *program, uint64_t seed) {
    PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    Sig sig = program_sig(program, (SigInfo){.result = PTYPE_OF(TYPE_I32),
                                             .param_count = 2,
                                             .fixed_count = 2,
                                             .params = params});
    Sym name = program_symbol(program, str_of(&program->strings, "f"), SYM_FUNC);
    program_at(program, name)->sig = sig;
    program_at(program, name)->defined = true;
    Ranged r = {.func = func_new(program, arena, name, sig), .random = random_from(seed)};
    for (uint32_t i = 0; i < VARIABLES; i++) r.variables[i] = func_temp(r.func, TYPE_I32);
    for (uint32_t i = 0; i < 2; i++) vec_push(arena, &r.func->params, r.variables[i]);
    r.sum = func_temp(r.func, TYPE_I32);
    r.undefined = func_temp(r.func, TYPE_I32);
    add_const(&r, r.sum, 1);
    for (uint32_t i = 2; i < VARIABLES; i++)
        add_op(&r, OP_AND_I32, r.variables[i], r.variables[draw(&r, 2)], true,
               (int64_t)draw(&r, 40));
    add_statements(&r, 0);
    for (uint32_t i = 0; i < VARIABLES; i++) add_up(&r, r.variables[i]);
    func_add(r.func, (Instr){.kind = I_RETURN, .dest = NO_REG, .arg_count = 1, .arg = {r.sum}});
    program_at(program, name)->func = r.func;
    return r.func;
}
