#include "test/gen/graphs.h"

#include "test/gen/body.h"

#include <assert.h>

enum { MAX_SMALL = 6 };

// ---- Enumeration

// The ways in which one node can go on: none, {s}, or {s, t} with s <= t.
typedef struct {
    uint8_t succs[2];
    uint8_t count;
} Choice;

static uint32_t list_choices(uint32_t nodes, bool with_returns, Choice *list) {
    uint32_t count = 0;
    if (with_returns) list[count++] = (Choice){.count = 0};
    for (uint8_t s = 0; s < nodes; s++) list[count++] = (Choice){.succs = {s}, .count = 1};
    for (uint8_t s = 0; s < nodes; s++)
        for (uint8_t t = s; t < nodes; t++) list[count++] = (Choice){.succs = {s, t}, .count = 2};
    return count;
}

void each_small_graph(uint32_t nodes, bool with_returns,
                      void (*visit)(void *context, const uint8_t (*succs)[2],
                                    const uint8_t *counts),
                      void *context) {
    assert(nodes >= 1 && nodes <= MAX_SMALL);
    Choice list[1 + MAX_SMALL + MAX_SMALL * (MAX_SMALL + 1) / 2];
    uint32_t choices = list_choices(nodes, with_returns, list);
    uint32_t digit[MAX_SMALL] = {0}; // a number in base `choices`
    uint8_t succs[MAX_SMALL][2], counts[MAX_SMALL];
    for (;;) {
        for (uint32_t n = 0; n < nodes; n++) {
            const Choice *choice = &list[digit[n]];
            succs[n][0] = choice->succs[0];
            succs[n][1] = choice->succs[1];
            counts[n] = choice->count;
        }
        visit(context, (const uint8_t(*)[2])succs, counts);
        uint32_t n = 0;
        while (n < nodes && ++digit[n] == choices) digit[n++] = 0;
        if (n == nodes) return;
    }
}

bool small_graph_is_canonical(uint32_t nodes, const uint8_t (*succs)[2], const uint8_t *counts) {
    uint32_t met = 1; // nodes below this one have been met
    for (uint32_t n = 0; n < met; n++)
        for (uint32_t k = 0; k < counts[n]; k++) {
            if (succs[n][k] > met) return false;
            if (succs[n][k] == met) met++;
        }
    return met == nodes;
}

// ---- Functions

typedef struct {
    Random random;
    Func *func;
    Sym putchar;
} GraphFunc;

static Sym declare(Program *program, const char *name, uint32_t params) {
    PType types[2] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32)};
    Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_FUNC);
    program_at(program, symbol)->sig = program_sig(program, (SigInfo){.result = PTYPE_OF(TYPE_I32),
                                                                      .param_count = params,
                                                                      .fixed_count = params,
                                                                      .params = types});
    return symbol;
}

static Reg any_param(GraphFunc *g) {
    return g->func->params.at[random_below(&g->random, 2)];
}

static Node add_op(GraphFunc *g, InstrKind kind, Op op, Reg dest) {
    bool immediate = random_chance(&g->random, 1, 2);
    Instr instr = {.kind = (uint8_t)kind, .op = (uint16_t)op, .dest = dest, .immediate = immediate};
    if (immediate) instr.imm = (int64_t)random_below(&g->random, 200) - 50;
    Reg args[2];
    args[0] = any_param(g);
    args[1] = any_param(g);
    Node node = func_add(g->func, instr);
    func_set_args(g->func, node, args, immediate ? 1 : 2);
    return node;
}

static Node add_step(GraphFunc *g) {
    static const Op list[] = {OP_ADD_I32, OP_SUB_I32, OP_MUL_I32,
                              OP_XOR_I32, OP_SHR_I32, OP_ADD_I32};
    uint32_t at = random_below(&g->random, 8);
    if (at == 0) return func_add(g->func, (Instr){.kind = I_NOP, .dest = NO_REG});
    if (at < 4) return add_op(g, I_OP, list[random_below(&g->random, 6)], any_param(g));
    Reg dest = random_chance(&g->random, 1, 2) ? any_param(g) : NO_REG, value = any_param(g);
    uint32_t sig = program_at(g->func->program, g->putchar)->sig.i;
    Node node =
        func_add(g->func, (Instr){.kind = I_CALL, .dest = dest, .ref = g->putchar.i, .aux = sig});
    func_set_args(g->func, node, &value, 1);
    return node;
}

static Node add_return(GraphFunc *g) {
    Reg value = any_param(g);
    Node node = func_add(g->func, (Instr){.kind = I_RETURN, .dest = NO_REG});
    func_set_args(g->func, node, &value, 1);
    return node;
}

static void add_graph_node(GraphFunc *g, const uint8_t *succs, uint32_t count) {
    Node to[2] = {{succs[0]}, {succs[1]}};
    if (count == 0) {
        add_return(g);
    } else if (count == 1) {
        func_set_succs(g->func, add_step(g), to, 1);
    } else {
        Op op = random_comparison(&g->random, TYPE_I32);
        if (random_chance(&g->random, 1, 2)) {
            to[0].i = succs[1];
            to[1].i = succs[0];
        }
        func_set_succs(g->func, add_op(g, I_COND, op, NO_REG), to, 2);
    }
}

Func *func_of_graph(Arena *arena, Program *program, uint32_t nodes, const uint8_t (*succs)[2],
                    const uint8_t *counts, uint64_t seed) {
    GraphFunc g = {.random = random_from(seed), .putchar = declare(program, "putchar", 1)};
    Sym symbol = declare(program, "f", 2);
    g.func = func_new(program, arena, symbol, program_at(program, symbol)->sig);
    program_at(program, symbol)->defined = true;
    program_at(program, symbol)->func = g.func;
    for (uint32_t i = 0; i < 2; i++) {
        Str name = str_of(&program->strings, i ? "b" : "a");
        Reg param = func_add_reg(g.func, (RegInfo){.name = name, .type = TYPE_I32});
        vec_push(arena, &g.func->params, param);
    }
    for (uint32_t n = 0; n < nodes; n++) add_graph_node(&g, succs[n], counts[n]);
    return g.func;
}
