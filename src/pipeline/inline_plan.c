// Chooses the functions that may be copied to the places where they are called. A small function
// makes no more code than its call; a function that is called once and not known outside leaves
// nothing behind. Callees come first, so that the calls in a copied body have been replaced
// already, and the body counts with its new size. A function whose address is taken may be offered,
// too: other passes may find that a call through a pointer is a call of this function. Then the
// caller goes through the steps again, as it does for loops that turn out to run for a few rounds.
// A function that calls itself is offered before it gets
// copies of its own body.
#include "fact/calls.h"
#include "pass/rtl/inline_weight.h"
#include "pipeline/transforms.h"

enum {
    SMALL = 22,          // nodes
    SMALL_AT_2 = 44,     // at -O2, if it is called from few places:
    MOST_COPIES = 300,   // nodes of all copies but one, of a function that is not SMALL
    MOST_IN_LARGE = 120, // the same in a unit of more than
    LARGE_UNIT = 10000,  // nodes
    HOT = 2,             // times as large if a profile says that it runs often
    ONCE = 3000,         // called once and static
    ALWAYS = 1u << 20,   // marked always_inline
};

static bool is_hot(const Program *program, const Func *func) {
    uint64_t runs;
    for (uint32_t n = 0; n < func->nodes.count && program->runs.count; n++)
        if (program_runs(program, func->nodes.at[n].loc, &runs))
            return program_is_hot(program, runs);
    return false;
}

static bool is_called_once(const CallGraph *graph, Sym sym) {
    return graph->calls[sym.i] == 1 && !bits_has(&graph->exposed, sym.i);
}

static uint32_t small_limit(const CallGraph *graph, Sym sym, uint32_t level) {
    uint32_t calls = graph->calls[sym.i], most;
    if (level < 2) return SMALL;
    if (calls < 2) return SMALL_AT_2;
    most = (graph->nodes > LARGE_UNIT ? MOST_IN_LARGE : MOST_COPIES) / (calls - 1);
    return most < SMALL ? SMALL : most > SMALL_AT_2 ? SMALL_AT_2 : most;
}

uint32_t plan_limit(const Program *program, const CallGraph *graph, Sym sym,
                    const PlanOptions *options) {
    const Symbol *symbol = program_at(program, sym);
    uint32_t limit = options->small ? INLINE_TINY : small_limit(graph, sym, options->level);
    if (is_hot(program, symbol->func)) limit *= HOT;
    if (is_called_once(graph, sym)) limit = ONCE;
    if (options->marked_only) limit = 0;
    return symbol->flags & SYMF_ALWAYS_INLINE ? ALWAYS : limit;
}

static uint32_t limit_of(const Program *program, const CallGraph *graph, Sym sym,
                         const PlanOptions *options) {
    const Symbol *symbol = program_at(program, sym);
    uint32_t limit = plan_limit(program, graph, sym, options);
    if (!graph->calls[sym.i] && !bits_has(&graph->taken, sym.i)) return 0;
    if (inline_size(symbol->func) > limit || !inline_is_possible(program, symbol)) return 0;
    return limit;
}

// The plan, and how far it has come. Functions that may turn out not to be needed wait, in the form
// in which they are offered, until a function that is needed mentions them.
typedef struct {
    Arena *arena;
    CallGraph graph;
    uint32_t done;  // of graph.order
    uint32_t *most; // by symbol: the most nodes that a body may have to be offered
    bool *once;     // by symbol: it is called once and not used otherwise
    bool *optional; // by symbol: it is not needed if all calls of it are replaced
    bool may_wait;
    bool unrolls;     // loops
    bool *waits;      // by symbol
    bool *mentioned;  // by symbol, by functions that are needed
    VEC(Sym) waiting; // mentioned, but perhaps not done yet
    bool resumes;     // the others are done: those that wait go on
    // Of the function at hand, when calls were replaced: calls through pointers, and the functions
    // that are called by name.
    uint32_t pointed;
    uint32_t *called; // by symbol: the number of the last function that calls it
    uint32_t number;
} Plan;

static Task next(void *context) {
    Plan *plan = context;
    if (plan->done < plan->graph.order.count)
        return (Task){.symbol = plan->graph.order.at[plan->done++]};
    plan->resumes = true;
    while (plan->waiting.count) {
        Sym symbol = vec_pop(&plan->waiting);
        if (plan->waits[symbol.i]) return (Task){.symbol = symbol, .resumed = true};
    }
    return (Task){.symbol = NO_SYM};
}

static void note_mentioned(void *context, Sym symbol) {
    Plan *plan = context;
    if (plan->mentioned[symbol.i]) return;
    plan->mentioned[symbol.i] = true;
    if (plan->optional[symbol.i]) vec_push(plan->arena, &plan->waiting, symbol);
}

static uint32_t count_pointed(const Func *func) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        count += calls_through_pointer(&func->nodes.at[n]);
    return count;
}

static void note_called(Plan *plan, const Func *func) {
    plan->number++;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind == I_CALL && instr->ref != NO_ID) plan->called[instr->ref] = plan->number;
    }
}

// Calls have been replaced as far as they will be.
static PlanAdvice advise(void *context, const Func *func) {
    Plan *plan = context;
    uint32_t symbol = func->symbol.i;
    bool offered = !plan->resumes && inline_size(func) <= plan->most[symbol];
    bool waits = offered && plan->may_wait && plan->optional[symbol];
    plan->waits[symbol] = waits;
    plan->pointed = count_pointed(func);
    note_called(plan, func);
    if (!waits) func_mentions(func, note_mentioned, plan);
    return (PlanAdvice){.offered = offered, .once = plan->once[symbol], .waits = waits};
}

// There are loops to unroll whose rounds were not known before. Or calls through pointers have
// become calls by name, or are gone; is there a call to be replaced of a function that was not
// called by name?
static bool again(void *context, const Func *func, const Bodies *bodies, Arena *scratch) {
    const Plan *plan = context;
    if (plan->unrolls && unroll_loops_would(scratch, func)) return true;
    if (!plan->pointed || count_pointed(func) >= plan->pointed) return false;
    const uint8_t *answers = inline_answers(scratch, bodies, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t callee = func->nodes.at[n].ref;
        if (answers[n] == INLINE_COPIED && callee != func->symbol.i &&
            plan->called[callee] != plan->number)
            return true;
    }
    return false;
}

Planner plan_inlining(Arena *arena, const Program *program, const PlanOptions *options) {
    uint32_t count = program->symbols.count;
    Plan *plan = ARENA_NEW(arena, Plan);
    *plan = (Plan){.arena = arena,
                   .graph = call_graph_of(arena, program),
                   .most = ARENA_ARRAY(arena, uint32_t, count),
                   .once = ARENA_ARRAY(arena, bool, count),
                   .called = ARENA_ARRAY(arena, uint32_t, count),
                   .optional = ARENA_ARRAY(arena, bool, count),
                   .may_wait = options->may_wait,
                   .unrolls = options->runs && options->runs[PASS_unroll_loops],
                   .waits = ARENA_ARRAY(arena, bool, count),
                   .mentioned = ARENA_ARRAY(arena, bool, count)};
    const CallGraph *graph = &plan->graph;
    for (uint32_t i = 0; i < graph->order.count; i++) {
        Sym sym = graph->order.at[i];
        plan->once[sym.i] = is_called_once(graph, sym);
        plan->optional[sym.i] = !bits_has(&graph->exposed, sym.i);
        plan->most[sym.i] = limit_of(program, graph, sym, options);
    }
    return (Planner){.next = next, .advise = advise, .again = again, .context = plan};
}
