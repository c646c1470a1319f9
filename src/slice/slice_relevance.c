#include "slice/slice_relevance.h"

#include "graph/basic_blocks.h"

typedef struct {
    Arena *arena;
    const Program *before;
    SliceHint *hint;
    SliceCalls calls;
    uint32_t *sliced; // symbol of `before` -> its number in the hint, or NO_ID
} Finder;

// What a function's blocks do, as far as that does not depend on callees.
typedef struct {
    const Func *func;
    SliceFunctionHint *hint;
    SliceVariables variables;
    Preds preds;
    const uint32_t *heads;
    VEC(uint32_t) head_of; // block -> head
    uint32_t *block;       // node -> block
    uint32_t *way;         // node -> the only successor that is taken, or NO_ID
    uint32_t *first_point; // node -> the first point with this or a later node
} FuncBlocks;

// (variable, block) pairs, sorted by variable afterwards.
typedef struct {
    uint32_t variable, block;
} RelevantAt;
typedef VEC(RelevantAt) RelevantList;

typedef struct {
    RelevantList exposed; // read in the block before it is set there
    RelevantList killed;  // set in the block before it is read there
    uint32_t *state;      // variable -> 1 + the last block that has one of these
} Exposure;

static void index_blocks(Arena *arena, FuncBlocks *blocks) {
    const Func *func = blocks->func;
    blocks->preds = preds_of(arena, func);
    blocks->heads = block_heads(arena, func, &blocks->preds);
    blocks->block = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (blocks->heads[n] != n) continue;
        blocks->block[n] = blocks->head_of.count;
        vec_push(arena, &blocks->head_of, n);
    }
    for (uint32_t n = 0; n < func->nodes.count; n++)
        blocks->block[n] = blocks->block[blocks->heads[n]];
}

// ---- What is exposed

static void expose(Arena *arena, Exposure *exposure, uint32_t block, uint32_t variable) {
    if (exposure->state[variable] == 1 + block) return;
    exposure->state[variable] = 1 + block;
    vec_push(arena, &exposure->exposed, (RelevantAt){variable, block});
}

static void kill(Arena *arena, Exposure *exposure, uint32_t block, uint32_t variable) {
    if (exposure->state[variable] == 1 + block) return;
    exposure->state[variable] = 1 + block;
    vec_push(arena, &exposure->killed, (RelevantAt){variable, block});
}

static const SliceFunctionHint *claim_of(const Finder *finder, const Instr *instr) {
    if (instr->kind != I_CALL || instr->ref == NO_ID) return NULL;
    uint32_t number = finder->sliced[instr->ref];
    if (number == NO_ID) return NULL;
    const SliceFunctionHint *hint = &finder->hint->functions.at[number];
    const Func *func = program_at(finder->before, (Sym){instr->ref})->func;
    return slice_is_full(func, hint) ? NULL : hint;
}

// What a call of a function that does less reads; the checker's add_inputs.
static void expose_inputs(const Finder *finder, const FuncBlocks *blocks, Exposure *exposure,
                          Node node, const SliceFunctionHint *callee) {
    const SliceVariables *variables = &blocks->variables;
    const Instr *call = func_at(blocks->func, node);
    const SigInfo *sig = program_sig_info(finder->before, (Sig){call->aux});
    const Reg *args = instr_args(blocks->func, call);
    uint32_t block = blocks->block[node.i];
    bool aggregates = false;
    for (uint32_t i = 0; i < sig->param_count; i++)
        aggregates |= ptype_is_aggregate(program_ptype_info(finder->before, sig->params[i]));
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++)
        if (callee->inputs >> v & 1) expose(finder->arena, exposure, block, v);
    for (uint32_t i = 0; i < callee->params.count; i++)
        expose(finder->arena, exposure, block,
               slice_register(variables, args[callee->params.at[i]]));
    for (uint32_t i = sig->fixed_count; i < call->arg_count; i++)
        expose(finder->arena, exposure, block, slice_register(variables, args[i]));
    SliceSpan reads = slice_list(variables, node, SLICE_READS);
    for (uint32_t i = 0; i < reads.count; i++) {
        bool piece = slice_is_piece(variables, reads.at[i]);
        bool address = slice_is_register(variables, reads.at[i]);
        if ((piece && callee->inputs >> SLICE_MEMORY & 1) ||
            (aggregates && (piece || address || reads.at[i] == SLICE_MEMORY)))
            expose(finder->arena, exposure, block, reads.at[i]);
    }
}

static void expose_node(const Finder *finder, const FuncBlocks *blocks, Exposure *exposure,
                        Node node) {
    const SliceFunctionHint *hint = blocks->hint;
    const Instr *instr = func_at(blocks->func, node);
    uint32_t block = blocks->block[node.i];
    for (uint32_t v = 0; instr->kind == I_RETURN && v < SLICE_WORLD_COUNT; v++)
        if (hint->outputs >> v & 1) expose(finder->arena, exposure, block, v);
    for (uint32_t i = 0; instr->kind == I_RETURN && i < hint->exits.count; i++)
        expose(finder->arena, exposure, block, hint->exits.at[i]);
    if (hint->next.at[node.i] != node.i) return;
    for (uint32_t i = blocks->first_point[node.i]; i < blocks->first_point[node.i + 1]; i++)
        if (hint->points.at[i].variable != NO_ID)
            expose(finder->arena, exposure, block, hint->points.at[i].variable);
    const SliceFunctionHint *callee = claim_of(finder, instr);
    SliceSpan reads = slice_list(&blocks->variables, node, SLICE_READS);
    if (callee) expose_inputs(finder, blocks, exposure, node, callee);
    for (uint32_t i = 0; !callee && i < reads.count; i++)
        expose(finder->arena, exposure, block, reads.at[i]);
    SliceSpan sets = slice_list(&blocks->variables, node, SLICE_SETS);
    for (uint32_t i = 0; i < sets.count; i++) kill(finder->arena, exposure, block, sets.at[i]);
}

static void expose_blocks(const Finder *finder, const FuncBlocks *blocks, Exposure *exposure) {
    for (uint32_t b = 0; b < blocks->head_of.count; b++)
        for (uint32_t head = blocks->head_of.at[b], n = head;;) {
            const Instr *instr = &blocks->func->nodes.at[n];
            expose_node(finder, blocks, exposure, (Node){n});
            if (instr->succ_count != 1 || instr->succ[0].i == head) break;
            n = instr->succ[0].i;
            if (blocks->heads[n] != head) break;
        }
}

// ---- Backward

// The occurrences of variable v are list[first[v] .. first[v + 1] - 1].
typedef struct {
    uint32_t *first;
    uint32_t *blocks;
} ByVariable;

static ByVariable sort_by_variable(Arena *arena, const RelevantList *list, uint32_t variables) {
    ByVariable sorted = {.first = ARENA_ARRAY(arena, uint32_t, (size_t)variables + 1),
                         .blocks = ARENA_ARRAY(arena, uint32_t, list->count)};
    uint32_t *fill = ARENA_ARRAY(arena, uint32_t, (size_t)variables + 1);
    for (uint32_t i = 0; i < list->count; i++) sorted.first[list->at[i].variable + 1]++;
    for (uint32_t v = 0; v < variables; v++) sorted.first[v + 1] += sorted.first[v];
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t v = list->at[i].variable;
        sorted.blocks[sorted.first[v] + fill[v]++] = list->at[i].block;
    }
    return sorted;
}

typedef struct {
    const FuncBlocks *blocks;
    uint32_t *live, *killed; // block -> 1 + the last variable that is, in front of it or in it
    VEC(uint32_t) work;
    RelevantList found;
} Spread;

static void reach(Arena *arena, Spread *spread, uint32_t block, uint32_t variable) {
    if (spread->live[block] == 1 + variable) return;
    spread->live[block] = 1 + variable;
    vec_push(arena, &spread->found, (RelevantAt){variable, block});
    vec_push(arena, &spread->work, block);
}

static void spread_variable(Arena *arena, Spread *spread, uint32_t variable) {
    const FuncBlocks *blocks = spread->blocks;
    while (spread->work.count) {
        Node head = {blocks->head_of.at[vec_pop(&spread->work)]};
        for (uint32_t k = 0; k < preds_count(&blocks->preds, head); k++) {
            Node pred = preds_at(&blocks->preds, head)[k];
            uint32_t from = blocks->block[pred.i];
            if (!slice_goes_to(blocks->func, blocks->way[pred.i], pred, head)) continue;
            if (spread->killed[from] != 1 + variable) reach(arena, spread, from, variable);
        }
    }
}

// Makes the lists of blocks from those of variables.
static void store_lists(Arena *arena, const RelevantList *found, uint32_t blocks,
                        SliceFunctionHint *hint) {
    vec_clear(&hint->relevant_at);
    vec_clear(&hint->relevant);
    uint32_t *at = vec_extend(arena, &hint->relevant_at, (size_t)blocks + 1);
    uint32_t *fill = ARENA_ARRAY(arena, uint32_t, blocks);
    for (uint32_t i = 0; i <= blocks; i++) at[i] = 0;
    for (uint32_t i = 0; i < found->count; i++) at[found->at[i].block + 1]++;
    for (uint32_t i = 0; i < blocks; i++) at[i + 1] += at[i];
    uint32_t *list = vec_extend(arena, &hint->relevant, found->count);
    for (uint32_t i = 0; i < found->count; i++) {
        uint32_t block = found->at[i].block;
        list[at[block] + fill[block]++] = found->at[i].variable;
    }
}

static void find_relevant(const Finder *finder, FuncBlocks *blocks) {
    Arena *arena = finder->arena;
    uint32_t variables = blocks->variables.count, count = blocks->head_of.count;
    Exposure exposure = {.state = ARENA_ARRAY(arena, uint32_t, variables)};
    expose_blocks(finder, blocks, &exposure);
    ByVariable exposed = sort_by_variable(arena, &exposure.exposed, variables);
    ByVariable killed = sort_by_variable(arena, &exposure.killed, variables);
    Spread spread = {.blocks = blocks,
                     .live = ARENA_ARRAY(arena, uint32_t, count),
                     .killed = ARENA_ARRAY(arena, uint32_t, count)};
    for (uint32_t v = 0; v < variables; v++) {
        for (uint32_t i = killed.first[v]; i < killed.first[v + 1]; i++)
            spread.killed[killed.blocks[i]] = 1 + v;
        for (uint32_t i = exposed.first[v]; i < exposed.first[v + 1]; i++)
            reach(arena, &spread, exposed.blocks[i], v);
        spread_variable(arena, &spread, v);
    }
    store_lists(arena, &spread.found, count, blocks->hint);
}

// ---- Inputs

// What matters at the entry is the inputs. True if they have grown.
static bool store_inputs(Arena *arena, const FuncBlocks *blocks) {
    SliceFunctionHint *hint = blocks->hint;
    const SliceVariables *variables = &blocks->variables;
    SliceWorldSet inputs = 0;
    bool *matters = ARENA_ARRAY(arena, bool, variables->count);
    uint32_t params = hint->params.count;
    for (uint32_t i = 0; i < hint->relevant_at.at[1]; i++) {
        uint32_t variable = hint->relevant.at[i];
        matters[variable] = true;
        if (variable < SLICE_WORLD_COUNT) inputs |= (SliceWorldSet)1 << variable;
        if (slice_is_shared(variables, variable)) inputs |= (SliceWorldSet)1 << SLICE_MEMORY;
    }
    vec_clear(&hint->params);
    for (uint32_t i = 0; i < blocks->func->params.count; i++)
        if (matters[slice_register(variables, blocks->func->params.at[i])])
            vec_push(arena, &hint->params, i);
    bool grown = inputs != hint->inputs || hint->params.count != params;
    hint->inputs = inputs;
    return grown;
}

static void index_points(Arena *arena, FuncBlocks *blocks) {
    uint32_t nodes = blocks->func->nodes.count, at = 0;
    blocks->way = ARENA_ARRAY(arena, uint32_t, nodes);
    for (uint32_t n = 0; n < nodes; n++) blocks->way[n] = NO_ID;
    for (uint32_t i = 0; i < blocks->hint->assumed.count; i++)
        blocks->way[blocks->hint->assumed.at[i].branch.i] = blocks->hint->assumed.at[i].way;
    blocks->first_point = ARENA_ARRAY(arena, uint32_t, (size_t)nodes + 1);
    for (uint32_t n = 0; n <= nodes; n++) {
        while (at < blocks->hint->points.count && blocks->hint->points.at[at].node.i < n) at++;
        blocks->first_point[n] = at;
    }
}

void slice_find_relevant(Arena *arena, const Program *before, SliceHint *hint,
                         const SliceCalls *calls) {
    uint32_t count = hint->functions.count;
    Finder finder = {.arena = arena, .before = before, .hint = hint};
    finder.calls = *calls;
    finder.sliced = ARENA_ARRAY(arena, uint32_t, before->symbols.count);
    for (uint32_t i = 0; i < before->symbols.count; i++) finder.sliced[i] = NO_ID;
    FuncBlocks *blocks = ARENA_ARRAY(arena, FuncBlocks, count);
    for (uint32_t i = 0; i < count; i++) {
        SliceFunctionHint *function = &hint->functions.at[i];
        Sym symbol = hint->symbols.symbols.at[function->symbol.i];
        finder.sliced[symbol.i] = i;
        blocks[i] = (FuncBlocks){.func = program_at(before, symbol)->func, .hint = function};
        blocks[i].variables = slice_variables_assuming(arena, blocks[i].func, &finder.calls,
                                                       function->apart.at, function->apart.count);
        index_blocks(arena, &blocks[i]);
        index_points(arena, &blocks[i]);
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < count; i++) {
            find_relevant(&finder, &blocks[i]);
            again |= store_inputs(arena, &blocks[i]);
        }
    }
}
