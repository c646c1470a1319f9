// Which functions may be copied to where they are called. A small one makes no more code than the call
// of it does; one that is called once and not known outside leaves nothing behind. Callees come first, so that
// what is copied has had its own calls replaced already, and counts as large as it has become.
#include "pipeline/inline_plan.h"

#include "analysis/call_graph.h"
#include "pass/pass.h"

enum {
    SMALL = 30,        // nodes
    SMALL_AT_2 = 60,   // at -O2
    ONCE = 3000,       // called once and static
    ALWAYS = 1u << 20, // marked always_inline
};

static uint32_t limit_of(const Program *program, const CallGraph *graph, Sym sym, bool once,
                         uint32_t level) {
    const Symbol *symbol = program_at(program, sym);
    uint32_t calls = graph->calls[sym.i], limit = level >= 2 ? SMALL_AT_2 : SMALL;
    if (once) limit = ONCE;
    if (symbol->flags & SYMF_ALWAYS_INLINE) limit = ALWAYS;
    if (!calls || symbol->func->nodes.count > limit || !inline_is_possible(program, symbol))
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
