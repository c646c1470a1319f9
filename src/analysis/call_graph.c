#include "analysis/call_graph.h"

static bool is_address(const Instr *instr) {
    if (instr->kind == I_OP) return instr->op == OP_ADDR_SYMBOL;
    return instr_has_address(instr) && instr->base == BASE_SYMBOL;
}

static bool is_call(const Instr *instr) {
    return instr->kind == I_CALL && instr->ref != NO_ID;
}

typedef struct {
    Arena *arena;
    const Program *program;
    CallGraph result;
    Bits entered, listed;
    Bits data; // symbols whose pieces have been looked at
    VEC(struct CallVisit {
        uint32_t symbol;
        uint32_t node; // where to go on
    })
    path;
} CallGraphWalk;

static void enter(CallGraphWalk *walk, uint32_t symbol) {
    if (!walk->program->symbols.at[symbol].func || !bits_put(&walk->entered, symbol)) return;
    vec_push(walk->arena, &walk->path, (struct CallVisit){.symbol = symbol});
}

enum { FEW_NODES = 100, CALM_DEPTH = 2 };

// Whether a function and the functions that it calls, so many levels deep, are small, and none of
// them is on the way to the function at hand. Callees that have been listed do not matter.
static bool is_calm(const CallGraphWalk *walk, uint32_t symbol, uint32_t depth) {
    const Func *func = walk->program->symbols.at[symbol].func;
    if (!func || bits_has(&walk->listed, symbol)) return true;
    if (bits_has(&walk->entered, symbol) || func->nodes.count > FEW_NODES) return false;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (is_call(&func->nodes.at[n]) &&
            (depth == 0 || !is_calm(walk, func->nodes.at[n].ref, depth - 1)))
            return false;
    return true;
}

// The function at hand mentions a symbol.
static void mention(CallGraphWalk *walk, uint32_t symbol) {
    const Symbol *info = &walk->program->symbols.at[symbol];
    bits_add(&walk->result.taken, symbol);
    if (is_calm(walk, symbol, CALM_DEPTH)) enter(walk, symbol);
    if (!bits_put(&walk->data, symbol)) return;
    for (uint32_t k = 0; k < info->data.count; k++)
        if (info->data.at[k].kind == DATA_ADDR &&
            is_calm(walk, info->data.at[k].symbol.i, CALM_DEPTH))
            enter(walk, info->data.at[k].symbol.i);
}

// Depth first; a function is listed when all its callees have been listed, except callees on the
// way to it.
static void visit_from(CallGraphWalk *walk, uint32_t symbol) {
    enter(walk, symbol);
    while (walk->path.count) {
        struct CallVisit *top = &walk->path.at[walk->path.count - 1];
        const Func *func = walk->program->symbols.at[top->symbol].func;
        if (top->node == func->nodes.count) {
            Sym done = {vec_pop(&walk->path).symbol};
            vec_push(walk->arena, &walk->result.order, done);
            bits_add(&walk->listed, done.i);
            walk->result.nodes += func->nodes.count;
            continue;
        }
        const Instr *instr = &func->nodes.at[top->node++];
        if (is_address(instr)) mention(walk, instr->ref);
        if (!is_call(instr)) continue;
        walk->result.calls[instr->ref]++;
        enter(walk, instr->ref);
    }
}

static void expose(CallGraph *graph, const Program *program) {
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        for (uint32_t k = 0; k < symbol->data.count; k++)
            if (symbol->data.at[k].kind == DATA_ADDR)
                bits_add(&graph->taken, symbol->data.at[k].symbol.i);
        if (symbol_is_root(symbol)) bits_add(&graph->exposed, i);
        if (symbol->alias.i != NO_ID) bits_add(&graph->exposed, symbol->alias.i);
    }
    bits_union(&graph->exposed, &graph->taken);
}

CallGraph call_graph_of(Arena *arena, const Program *program) {
    uint32_t count = program->symbols.count;
    CallGraphWalk walk = {.arena = arena,
                          .program = program,
                          .entered = bits_new(arena, count),
                          .listed = bits_new(arena, count),
                          .data = bits_new(arena, count)};
    walk.result.calls = ARENA_ARRAY(arena, uint32_t, count);
    walk.result.taken = bits_new(arena, count);
    walk.result.exposed = bits_new(arena, count);
    for (uint32_t i = 0; i < count; i++) visit_from(&walk, i);
    expose(&walk.result, program);
    return walk.result;
}
