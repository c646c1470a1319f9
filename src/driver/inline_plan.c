// Which functions may be copied to where they are called. A small one makes no more code than the call
// of it does; one that is called once and not known outside leaves nothing behind. Callees come first, so that
// what is copied has had its own calls replaced already, and counts as large as it has become.
#include "driver/inline_plan.h"

#include "analysis/call_graph.h"
#include "ir/calls.h"

enum {
    SMALL = 30,        // nodes
    SMALL_AT_2 = 60,   // at -O2
    ONCE = 3000,       // called once and static
    ALWAYS = 1u << 20, // marked always_inline
};

// Whether a function needs a frame of its own.
static bool needs_frame(const Program *program, const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (call_returns_twice(program, instr)) return true;
        if (instr->kind == I_BUILTIN && (instr->op == BI_ALLOCA || instr->op == BI_STACK_SAVE ||
                                         instr->op == BI_STACK_RESTORE || instr->op == BI_VA_START))
            return true;
    }
    return false;
}

// Whether all returns of an aggregate yield the address of one slot, in one register that is set once.
static bool returns_slot(const Func *func) {
    uint32_t reg = NO_ID, settings = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_RETURN) continue;
        if (reg != NO_ID && reg != instr->arg[0].i) return false;
        reg = instr->arg[0].i;
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->dest.i != reg || reg == NO_ID) continue;
        if (instr->kind != I_OP || instr->op != OP_ADDR_SLOT) return false;
        settings++;
    }
    return reg == NO_ID || settings == 1;
}

// Whether the function can be copied at all.
static bool can_be_copied(const Program *program, const Symbol *symbol) {
    const Func *func = symbol->func;
    const SigInfo *sig = program_sig_info(program, func->sig);
    if (func->form != FORM_RTL || sig->variadic || symbol->flags & SYMF_NOINLINE ||
        symbol->flags & SYMF_RETURNS_TWICE || symbol_is_replaceable(symbol))
        return false;
    return !ptype_is_aggregate(program_ptype_info(program, sig->result)) || returns_slot(func);
}

static uint32_t limit_of(const Program *program, const CallGraph *graph, Sym sym, bool once,
                         uint32_t level) {
    const Symbol *symbol = program_at(program, sym);
    uint32_t calls = graph->calls[sym.i], limit = level >= 2 ? SMALL_AT_2 : SMALL;
    if (once) limit = ONCE;
    if (symbol->flags & SYMF_ALWAYS_INLINE) limit = ALWAYS;
    if (!calls || symbol->func->nodes.count > limit || !can_be_copied(program, symbol) ||
        needs_frame(program, symbol->func))
        return 0;
    return limit;
}

Plan plan_inlining(Arena *arena, const Program *program, uint32_t level) {
    CallGraph graph = call_graph_of(arena, program);
    uint32_t *most = ARENA_ARRAY(arena, uint32_t, program->symbols.count);
    bool *once = ARENA_ARRAY(arena, bool, program->symbols.count);
    bool *optional = ARENA_ARRAY(arena, bool, program->symbols.count);
    for (uint32_t i = 0; i < graph.order.count; i++) {
        Sym sym = graph.order.at[i];
        once[sym.i] = graph.calls[sym.i] == 1 && !bits_has(&graph.exposed, sym.i);
        optional[sym.i] = !bits_has(&graph.exposed, sym.i);
        most[sym.i] = limit_of(program, &graph, sym, once[sym.i], level);
    }
    return (Plan){.order = graph.order.at,
                  .count = graph.order.count,
                  .most = most,
                  .once = once,
                  .optional = optional};
}
