// Changes that were considered and rejected, with the reason: calls that stay calls, branches that
// do not become selects, loops that are not unrolled.
//
// The history asks the passes again, by the same functions that decided (pass.h). The decision not
// to offer the body of a function is made for the whole program before its first step; so the
// history asks for its reason then, when all functions are as the front end made them.
#include "form/gsa.h"
#include "graph/dominance.h"
#include "history/history_private.h"
#include "pass/rtl/inline_weight.h"
#include "pipeline/transforms.h"

struct Inlining {
    const char *
        *obstacle;   // per symbol: why it cannot be copied; NULL if it could be, or is not defined
    uint32_t *limit; // per symbol: the most nodes that its body may have
    uint32_t *nodes; // per symbol: so many it had at the start
    uint32_t *turn;  // per symbol: callees come first; NO_ID if it is not defined here
    bool marked_only;
};

Inlining *inlining_of(Arena *arena, const Program *program, const PlanOptions *options) {
    uint32_t count = program->symbols.count;
    Inlining *inlining = ARENA_NEW(arena, Inlining);
    CallGraph graph = call_graph_of(arena, program);
    *inlining = (Inlining){.obstacle = ARENA_ARRAY(arena, const char *, (size_t)count + 1),
                           .limit = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1),
                           .nodes = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1),
                           .turn = history_table(arena, count),
                           .marked_only = options->marked_only};
    for (uint32_t i = 0; i < graph.order.count; i++) {
        Sym sym = graph.order.at[i];
        const Symbol *symbol = program_at(program, sym);
        inlining->turn[sym.i] = i;
        if (!symbol->func) continue;
        inlining->obstacle[sym.i] = inline_obstacle(program, symbol);
        inlining->limit[sym.i] = plan_limit(program, &graph, sym, options);
        inlining->nodes[sym.i] = inline_size(symbol->func);
    }
    return inlining;
}

// ---- Calls

// The item after a step that is one of before, if that stays.
static uint32_t *items_now(const StepNotes *notes) {
    uint32_t *now = history_table(notes->scratch, notes->then_items->count);
    for (uint32_t i = notes->items->count; i-- > 0;)
        if (notes->then[i] != NO_ID) now[notes->then[i]] = i;
    return now;
}

static const char *why_no_body(StepNotes *notes, const Inlining *inlining, uint32_t callee,
                               const char *name) {
    uint32_t caller = notes->before->symbol.i, nodes = inlining->nodes[callee],
             limit = inlining->limit[callee];
    if (inlining->turn[callee] == NO_ID)
        return arena_printf(notes->scratch, "'%s' is not defined in this file", name);
    if (inlining->obstacle[callee])
        return arena_printf(notes->scratch, "'%s' %s", name, inlining->obstacle[callee]);
    if (inlining->marked_only && !limit)
        return arena_printf(notes->scratch, "'%s' is not marked always_inline", name);
    if (nodes > limit)
        return arena_printf(notes->scratch, "the body of '%s' has %u nodes, limit %u", name, nodes,
                            limit);
    if (inlining->turn[callee] >= inlining->turn[caller])
        return arena_printf(notes->scratch, "'%s' and '%s' call each other", name,
                            func_name(notes->before));
    return arena_printf(notes->scratch,
                        "the body of '%s' has grown by what was put into it, limit %u nodes", name,
                        limit);
}

static const char *why_not(StepNotes *notes, const Inlining *inlining, InlineWeights *weights,
                           InlineAnswer answer, const Instr *call) {
    const Program *program = notes->before->program;
    Arena *arena = notes->scratch;
    if (answer == INLINE_INDIRECT) return "what is called is known only when it is";
    if (answer == INLINE_AMONG_TWICE) return "calls in this function may return twice";
    const char *name = program_text(program, program_at(program, (Sym){call->ref})->name);
    const Func *body = body_of(notes->report->bodies, (Sym){call->ref}).rtl;
    uint32_t nodes = body ? inline_size(body) : 0;
    switch (answer) {
    case INLINE_LAST: return arena_printf(arena, "'%s' does not return", name);
    case INLINE_ITSELF:
        return arena_printf(arena, "'%s' calls itself%s", name,
                            body ? ", and is large enough with its copies" : "");
    case INLINE_NO_BODY: return why_no_body(notes, inlining, call->ref, name);
    case INLINE_OTHER_TYPE:
        return arena_printf(arena, "'%s' is called as another type than it has", name);
    case INLINE_BUDGET:
        return arena_printf(arena, "the body of '%s' has %u nodes, and '%s' has grown enough", name,
                            nodes, func_name(notes->before));
    case INLINE_COLD:
        return arena_printf(arena,
                            "the body of '%s' has %u nodes, limit %u where the call is in no loop",
                            name, nodes, inline_limit(weights, call, body));
    default: return NULL;
    }
}

static void remark_calls(StepNotes *notes, const Inlining *inlining) {
    const Func *before = notes->before;
    const uint8_t *answers =
        inline_answers(notes->scratch, notes->report->bodies, notes->report->given);
    const uint32_t *now = items_now(notes);
    InlineWeights *weights = inline_weights(notes->scratch, notes->report->given);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const char *why =
            answers[n] == INLINE_NO_CALL || answers[n] == INLINE_COPIED
                ? NULL
                : why_not(notes, inlining, weights, (InlineAnswer)answers[n], &before->nodes.at[n]);
        uint32_t item = notes->then_items->of_node[n];
        if (why) history_remark(notes, REMARK_KEPT, item, now[item], NO_ID, "not inlined: %s", why);
    }
}

// ---- Branches

// What stands in the way at a node.
static const char *obstacle_at(StepNotes *notes, Node node) {
    static const char *const words[INSTR_KIND_COUNT] = {
        [I_LOAD] = "a load may go wrong", [I_OP] = "an operator may go wrong",
        [I_COND] = "there is a branch",   [I_SWITCH] = "there is a branch",
        [I_CALL] = "there is a call",     [I_CHECK] = "there is a check"};
    const char *what = words[func_at(notes->before, node)->kind];
    return arena_printf(notes->scratch, "%s, at node %u", what ? what : "there is an effect",
                        func_label(notes->before, node));
}

static const char *why_branch(StepNotes *notes, IfAnswer answer) {
    switch (answer.kind) {
    case IF_LONG:
        return arena_printf(notes->scratch, "there is too much on the way by node %u",
                            func_label(notes->before, answer.at));
    case IF_EFFECT: return obstacle_at(notes, answer.at);
    case IF_MANY: return "more values depend on it than is worth it";
    case IF_GAMMA: return "not all values that depend on it are integers chosen by its condition";
    default: return NULL;
    }
}

// Only branches whose two ways come together next are spoken of.
static void remark_branches(StepNotes *notes) {
    const Func *before = notes->before;
    const IfAnswer *answers = if_convert_answers(notes->scratch, before);
    const uint32_t *now = items_now(notes);
    Preds preds = preds_of(notes->scratch, before);
    Dominance dom = dominance_of(notes->scratch, before, &preds);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        Node branch = dom.idom[n];
        const char *why = why_branch(notes, answers[n]);
        if (!why || branch.i == NO_ID || func_at(before, branch)->kind != I_COND) continue;
        if (!preds_are_just(&preds, (Node){n}, 2) || !gsa_merge_count(before, (Node){n})) continue;
        uint32_t item = notes->then_items->of_node[branch.i];
        uint32_t at = notes->then_items->of_node[answers[n].at.i];
        history_remark(notes, REMARK_KEPT, item, now[item], at, "no select instead: %s", why);
    }
}

// ---- Loops

static const char *why_loop(StepNotes *notes, UnrollAnswer answer) {
    switch (answer.kind) {
    case UNROLL_CALLS: return "has calls";
    case UNROLL_INNER: return "has a loop in it that stays";
    case UNROLL_WORK:
        return arena_printf(notes->scratch, "does too much: %u nodes in all rounds, limit %u",
                            answer.work, UNROLL_MOST_WORK);
    case UNROLL_BUDGET: return "is large, and the function has grown enough";
    default: return NULL;
    }
}

// Only loops with few rounds are spoken of, whose number is known.
static void remark_loops(StepNotes *notes) {
    const Func *before = notes->before;
    const UnrollAnswer *answers = unroll_answers(notes->scratch, before);
    const uint32_t *now = items_now(notes);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const char *why = answers[n].rounds > 1 ? why_loop(notes, answers[n]) : NULL;
        uint32_t item = notes->then_items->of_node[n];
        if (why)
            history_remark(notes, REMARK_KEPT, item, now[item], NO_ID,
                           "not unrolled: the loop has %u rounds, but %s", answers[n].rounds, why);
    }
}

void history_refusals(StepNotes *notes, const Inlining *inlining) {
    if (notes->pass == PASS_inline_calls && inlining && notes->report->bodies)
        remark_calls(notes, inlining);
    if (notes->pass == PASS_if_convert) remark_branches(notes);
    if (notes->pass == PASS_unroll_loops) remark_loops(notes);
}
