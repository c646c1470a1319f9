// Checks the relevant variables of a slice: a node that was left out sets no variable that matters.
// The hint says which variables matter in front of each block; inside of blocks, the checker
// computes them backward from there. check_slice.c has the conditions.
#include "check/slice/check_slice.h"

#include "base/bits.h"
#include "graph/basic_blocks.h"

typedef struct {
    SliceCheck *check;
    const uint32_t *heads;
    uint32_t *block;       // head -> number of its block
    SparseSet current;     // the relevant variables at the present place
    uint32_t shared;       // pieces in it that are part of SLICE_MEMORY
    uint32_t *mark;        // variable -> 1 + the last block whose given list has it
    uint32_t *first_point; // node -> the first point with this or a later node
    VEC(uint32_t) nodes;   // of the block at hand
    uint64_t work;
} Relevance;

// ---- The current set

static void add(Relevance *relevance, uint32_t variable) {
    relevance->work++;
    if (sparse_put(&relevance->current, variable) &&
        slice_is_piece(&relevance->check->variables, variable))
        relevance->shared += slice_is_shared(&relevance->check->variables, variable);
}

static void drop(Relevance *relevance, uint32_t variable) {
    SparseSet *set = &relevance->current;
    relevance->work++;
    if (!sparse_has(set, variable)) return;
    uint32_t last = set->members[--set->count], at = set->position[variable];
    set->members[at] = last;
    set->position[last] = at;
    if (slice_is_piece(&relevance->check->variables, variable))
        relevance->shared -= slice_is_shared(&relevance->check->variables, variable);
}

// Whether something that matters has a byte in common with a variable.
static bool matters(const Relevance *relevance, uint32_t variable) {
    if (sparse_has(&relevance->current, variable)) return true;
    if (variable == SLICE_MEMORY) return relevance->shared > 0;
    return slice_is_shared(&relevance->check->variables, variable) &&
           sparse_has(&relevance->current, SLICE_MEMORY);
}

// ---- Nodes

static bool reject_set(SliceCheck *check, Node node, uint32_t variable, const char *what) {
    Out text = {0};
    slice_variable_print(&text, &check->variables, variable);
    out_char(&text, '\0');
    check->verdict =
        verdict_rejected(check->arena, NO_SITE, "node %u of the original, which %s, sets %s",
                         func_label(check->before, node), what, text.text);
    out_free(&text);
    return false;
}

static bool check_dropped(Relevance *relevance, Node node) {
    SliceCheck *check = relevance->check;
    for (uint32_t list = SLICE_SETS; list <= SLICE_MAY_SET; list++) {
        SliceSpan span = slice_list(&check->variables, node, (SliceList)list);
        for (uint32_t i = 0; i < span.count; i++)
            if (matters(relevance, span.at[i]))
                return reject_set(check, node, span.at[i], "is left out");
        relevance->work += span.count;
    }
    return true;
}

// A call of a function that does less than before: of the variables that it sets, only its outputs
// may matter. Memory as an output stands for the slots that the call may set, too. Other variables
// that the call may set are set by other functions that it may be of, or by copying its result.
static bool check_outputs(Relevance *relevance, Node node, Sym function) {
    SliceCheck *check = relevance->check;
    const SliceVariables *variables = &check->variables;
    const SlicePrograms *programs = check->programs;
    SliceWorldSet outputs = slice_does_less(programs, function)->outputs;
    SliceWorldSet missing = programs->calls.of[function.i].may_set & ~outputs;
    SliceSpan span = slice_list(variables, node, SLICE_MAY_SET);
    for (uint32_t i = 0; i < span.count; i++) {
        bool piece = slice_is_piece(variables, span.at[i]);
        uint32_t output = piece ? SLICE_MEMORY : span.at[i];
        if (output < SLICE_WORLD_COUNT && missing >> output & 1 && matters(relevance, span.at[i]))
            return reject_set(check, node, span.at[i], "calls what does less now");
    }
    const Instr *call = func_at(check->before, node);
    const SigInfo *sig = program_sig_info(check->before->program, (Sig){call->aux});
    if (outputs & SLICE_RESULT) return true;
    if (ptype_is_aggregate(program_ptype_info(check->before->program, sig->result)))
        return SLICE_REJECT(check, NO_NODE,
                            "node %u of the original calls for an aggregate that is not computed",
                            func_label(check->before, node));
    if (call->dest.i == NO_ID) return true;
    uint32_t dest = slice_register(variables, call->dest);
    return !matters(relevance, dest) || reject_set(check, node, dest, "calls what does less now");
}

static bool has_aggregates(const Program *program, const SigInfo *sig) {
    bool found = false;
    for (uint32_t i = 0; i < sig->param_count; i++)
        found |= ptype_is_aggregate(program_ptype_info(program, sig->params[i]));
    return found;
}

// The reads of such a call: the inputs, and aggregates, which are copied in any case. Memory as an
// input stands for the slots that the call may read, too.
static void add_inputs(Relevance *relevance, Node node, const SliceFunctionHint *callee) {
    const SliceCheck *check = relevance->check;
    const Instr *call = func_at(check->before, node);
    const Program *program = check->before->program;
    const SigInfo *sig = program_sig_info(program, (Sig){call->aux});
    const Reg *args = instr_args(check->before, call);
    bool aggregates = has_aggregates(program, sig);
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++)
        if (callee->inputs >> v & 1) add(relevance, v);
    for (uint32_t i = 0; i < callee->params.count; i++)
        if (callee->params.at[i] < call->arg_count)
            add(relevance, slice_register(&check->variables, args[callee->params.at[i]]));
    for (uint32_t i = sig->fixed_count; i < call->arg_count; i++)
        add(relevance, slice_register(&check->variables, args[i]));
    SliceSpan reads = slice_list(&check->variables, node, SLICE_READS);
    for (uint32_t i = 0; i < reads.count; i++) {
        bool address = slice_is_register(&check->variables, reads.at[i]);
        bool piece = slice_is_piece(&check->variables, reads.at[i]);
        if ((piece && callee->inputs >> SLICE_MEMORY & 1) ||
            (aggregates && (piece || address || reads.at[i] == SLICE_MEMORY)))
            add(relevance, reads.at[i]);
    }
}

// A call by address may be of any function that does less and whose address is known. It reads
// everything.
static bool check_address(Relevance *relevance, Node node) {
    const SlicePrograms *programs = relevance->check->programs;
    const Instr *call = func_at(relevance->check->before, node);
    for (uint32_t i = 0; i < programs->loose.count; i++) {
        Sym symbol = programs->loose.at[i];
        if (slice_call_fits(programs->match.before, (Sig){call->aux}, symbol) &&
            !check_outputs(relevance, node, symbol))
            return false;
    }
    relevance->work += programs->loose.count;
    return true;
}

static bool check_kept(Relevance *relevance, Node node) {
    SliceCheck *check = relevance->check;
    const Instr *instr = func_at(check->before, node);
    const SliceFunctionHint *callee = NULL;
    if (instr->kind == I_CALL) callee = slice_does_less(check->programs, (Sym){instr->ref});
    if (callee && !check_outputs(relevance, node, (Sym){instr->ref})) return false;
    if (instr->kind == I_CALL && instr->ref == NO_ID && !check_address(relevance, node))
        return false;
    SliceSpan sets = slice_list(&check->variables, node, SLICE_SETS);
    for (uint32_t i = 0; i < sets.count; i++) drop(relevance, sets.at[i]);
    SliceSpan reads = slice_list(&check->variables, node, SLICE_READS);
    if (callee) add_inputs(relevance, node, callee);
    for (uint32_t i = 0; !callee && i < reads.count; i++) add(relevance, reads.at[i]);
    return true;
}

static bool check_node(Relevance *relevance, Node node) {
    const SliceFunctionHint *hint = relevance->check->hint;
    if (!slice_is_kept(relevance->check, node.i)) return check_dropped(relevance, node);
    if (!check_kept(relevance, node)) return false;
    for (uint32_t i = relevance->first_point[node.i]; i < relevance->first_point[node.i + 1]; i++)
        if (hint->points.at[i].variable != NO_ID) add(relevance, hint->points.at[i].variable);
    return true;
}

// ---- Blocks

static void begin_at_end(Relevance *relevance, Node last) {
    const SliceCheck *check = relevance->check;
    const SliceFunctionHint *hint = check->hint;
    const Instr *instr = func_at(check->before, last);
    const Node *succs = instr_succs(check->before, instr);
    sparse_clear(&relevance->current);
    relevance->shared = 0;
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        if (!slice_is_taken(check, last.i, k)) continue;
        uint32_t block = relevance->block[succs[k].i];
        for (uint32_t i = hint->relevant_at.at[block]; i < hint->relevant_at.at[block + 1]; i++)
            add(relevance, hint->relevant.at[i]);
    }
    if (instr->kind != I_RETURN) return;
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++)
        if (hint->outputs >> v & 1) add(relevance, v);
    for (uint32_t i = 0; i < hint->exits.count; i++) add(relevance, hint->exits.at[i]);
}

// Variables that were found to matter in front of a block are in its list, or part of memory in the
// list.
static bool check_given(Relevance *relevance, uint32_t head) {
    SliceCheck *check = relevance->check;
    const SliceFunctionHint *hint = check->hint;
    uint32_t block = relevance->block[head];
    for (uint32_t i = hint->relevant_at.at[block]; i < hint->relevant_at.at[block + 1]; i++)
        relevance->mark[hint->relevant.at[i]] = 1 + block;
    relevance->work += hint->relevant_at.at[block + 1] - hint->relevant_at.at[block];
    bool memory = relevance->mark[SLICE_MEMORY] == 1 + block;
    for (uint32_t i = 0; i < relevance->current.count; i++) {
        uint32_t variable = relevance->current.members[i];
        if (relevance->mark[variable] == 1 + block) continue;
        if (memory && slice_is_shared(&check->variables, variable)) continue;
        Out text = {0};
        slice_variable_print(&text, &check->variables, variable);
        out_char(&text, '\0');
        check->verdict =
            verdict_rejected(check->arena, NO_SITE,
                             "%s matters in front of node %u of the original, but it is not listed",
                             text.text, func_label(check->before, (Node){head}));
        out_free(&text);
        return false;
    }
    return true;
}

static bool check_block(Relevance *relevance, uint32_t head) {
    SliceCheck *check = relevance->check;
    vec_clear(&relevance->nodes);
    for (uint32_t n = head;;) {
        const Instr *instr = &check->before->nodes.at[n];
        vec_push(check->arena, &relevance->nodes, n);
        if (instr->succ_count != 1 || instr->succ[0].i == head) break;
        n = instr->succ[0].i;
        if (relevance->heads[n] != head) break;
    }
    begin_at_end(relevance, (Node){relevance->nodes.at[relevance->nodes.count - 1]});
    for (uint32_t i = relevance->nodes.count; i-- > 0;)
        if (!check_node(relevance, (Node){relevance->nodes.at[i]})) return false;
    if (check_takes_too_long(relevance->work,
                             check->before->nodes.count + (uint64_t)check->variables.count))
        return SLICE_REJECT(check, NO_NODE, "too much is relevant to check in time");
    return check_given(relevance, head);
}

// ---- The hint

static bool check_lists(Relevance *relevance, uint32_t blocks) {
    SliceCheck *check = relevance->check;
    const SliceFunctionHint *hint = check->hint;
    bool good = hint->relevant_at.count == blocks + 1 && hint->relevant_at.at[0] == 0 &&
                hint->relevant_at.at[blocks] == hint->relevant.count;
    for (uint32_t i = 0; good && i < blocks; i++)
        good = hint->relevant_at.at[i] <= hint->relevant_at.at[i + 1];
    for (uint32_t i = 0; good && i < hint->relevant.count; i++)
        good = hint->relevant.at[i] < check->variables.count;
    for (uint32_t i = 0; good && i < hint->exits.count; i++)
        good = hint->exits.at[i] < check->variables.count;
    return good || SLICE_REJECT(check, NO_NODE, "the lists of relevant variables do not fit");
}

// The points are at kept nodes, ascending.
static bool index_points(Relevance *relevance) {
    SliceCheck *check = relevance->check;
    const SliceFunctionHint *hint = check->hint;
    uint32_t nodes = check->before->nodes.count, at = 0;
    relevance->first_point = ARENA_ARRAY(check->arena, uint32_t, (size_t)nodes + 1);
    for (uint32_t i = 0; i < hint->points.count; i++) {
        const SlicePoint *point = &hint->points.at[i];
        if (point->node.i >= nodes || (i && point->node.i < point[-1].node.i) ||
            (point->variable >= check->variables.count && point->variable != NO_ID) ||
            !slice_is_kept(check, point->node.i))
            return SLICE_REJECT(check, NO_NODE, "point %u is at no kept node, or of no variable",
                                i);
    }
    for (uint32_t n = 0; n <= nodes; n++) {
        while (at < hint->points.count && hint->points.at[at].node.i < n) at++;
        relevance->first_point[n] = at;
    }
    return true;
}

// Variables that matter at the entry are among the inputs, for functions that are called with no
// more than these.
static bool check_entry(Relevance *relevance) {
    SliceCheck *check = relevance->check;
    const SliceFunctionHint *hint = check->hint;
    const Func *before = check->before;
    bool *given = ARENA_ARRAY(check->arena, bool, check->variables.count);
    if (slice_is_full(before, hint)) return true;
    for (uint32_t i = 0; i < hint->params.count; i++)
        if (hint->params.at[i] < before->params.count)
            given[slice_register(&check->variables, before->params.at[hint->params.at[i]])] = true;
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++) given[v] = hint->inputs >> v & 1;
    bool *asked = ARENA_ARRAY(check->arena, bool, check->variables.count);
    for (uint32_t i = 0; i < before->params.count; i++)
        asked[slice_register(&check->variables, before->params.at[i])] = true;
    for (uint32_t i = 0; i < hint->relevant_at.at[1]; i++) {
        uint32_t variable = hint->relevant.at[i];
        bool shared = slice_is_shared(&check->variables, variable);
        bool known = given[variable] || (shared && given[SLICE_MEMORY]);
        if (known || !(shared || variable < SLICE_WORLD_COUNT || asked[variable])) continue;
        return reject_set(check, (Node){0}, variable,
                          "is the entry and reads more than its inputs");
    }
    return true;
}

bool slice_check_relevant(SliceCheck *check) {
    const Func *before = check->before;
    Preds preds = preds_of(check->arena, before);
    Relevance relevance = {.check = check,
                           .heads = block_heads(check->arena, before, &preds),
                           .block = ARENA_ARRAY(check->arena, uint32_t, before->nodes.count),
                           .current = sparse_new(check->arena, check->variables.count),
                           .mark = ARENA_ARRAY(check->arena, uint32_t, check->variables.count)};
    uint32_t blocks = 0;
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (relevance.heads[n] == n) relevance.block[n] = blocks++;
    if (!check_lists(&relevance, blocks) || !index_points(&relevance)) return false;
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (relevance.heads[n] == n && bits_has(&check->reached, n) && !check_block(&relevance, n))
            return false;
    return check_entry(&relevance);
}
