#include "slice/slice_hint.h"

#include "fact/calls.h"
#include "fact/effects.h"
#include "fact/slot_fields.h"
#include "graph/basic_blocks.h"
#include "slice/slice_relevance.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const Program *before, *after;
    SliceHint *hint;
    Map names;          // hash of a name -> symbol of `before`
    VEC(uint32_t) work; // symbols of `after` that have just been paired
    uint32_t *sliced;   // symbol of `before` -> its number in the hint, or NO_ID
} HintMaker;

// ---- Symbols

static bool pair_symbols(HintMaker *maker, uint32_t fresh, uint32_t old) {
    Sym *of = maker->hint->symbols.symbols.at;
    if (fresh == NO_ID || old == NO_ID || of[fresh].i != NO_ID) return false;
    of[fresh] = (Sym){old};
    vec_push(maker->arena, &maker->work, fresh);
    return true;
}

static uint32_t symbol_named(HintMaker *maker, const Symbol *fresh) {
    const char *name = program_text(maker->after, fresh->name);
    uint32_t old = map_get(&maker->names, hash_bytes(name, strlen(name)));
    if (old == HASH_NONE) return NO_ID;
    const Symbol *info = &maker->before->symbols.at[old];
    bool same = strcmp(program_text(maker->before, info->name), name) == 0;
    return same && info->kind == fresh->kind ? old : NO_ID;
}

// What two functions or data that are the same mention in the same places is the same, too.
static void pair_contents(HintMaker *maker, uint32_t fresh) {
    uint32_t old = maker->hint->symbols.symbols.at[fresh].i;
    const Symbol *then = &maker->before->symbols.at[old], *now = &maker->after->symbols.at[fresh];
    pair_symbols(maker, now->alias.i, then->alias.i);
    for (uint32_t i = 0; i < now->data.count && i < then->data.count; i++)
        if (now->data.at[i].kind == DATA_ADDR && then->data.at[i].kind == DATA_ADDR)
            pair_symbols(maker, now->data.at[i].symbol.i, then->data.at[i].symbol.i);
    if (!now->func || !then->func || maker->sliced[old] != NO_ID) return;
    for (uint32_t n = 0; n < now->func->nodes.count && n < then->func->nodes.count; n++)
        pair_symbols(maker, instr_symbol(&now->func->nodes.at[n]).i,
                     instr_symbol(&then->func->nodes.at[n]).i);
}

static void pair_on(HintMaker *maker) {
    while (maker->work.count) pair_contents(maker, vec_pop(&maker->work));
}

// Functions, and what others can see, go by their names: nothing else is sure to keep its name.
static void pair_by_name(HintMaker *maker, bool all) {
    for (uint32_t i = 0; i < maker->after->symbols.count; i++) {
        const Symbol *symbol = &maker->after->symbols.at[i];
        if (all || symbol->kind == SYM_FUNC || symbol->linkage != LINK_STATIC)
            pair_symbols(maker, i, symbol_named(maker, symbol));
    }
    pair_on(maker);
}

static void begin_symbols(HintMaker *maker) {
    Sym *of = vec_extend(maker->arena, &maker->hint->symbols.symbols, maker->after->symbols.count);
    for (uint32_t i = 0; i < maker->after->symbols.count; i++) of[i] = NO_SYM;
    for (uint32_t i = 0; i < maker->before->symbols.count; i++) {
        const char *name = program_text(maker->before, maker->before->symbols.at[i].name);
        map_set(maker->arena, &maker->names, hash_bytes(name, strlen(name)), i);
    }
}

// ---- Next

// The kept nodes of a function: nops only where something is asked for, as compiling again makes
// other nops.
static Bits kept_nodes(Arena *arena, const Func *before, const SliceRequest *request) {
    Bits kept = bits_new(arena, before->nodes.count);
    bool whole = func_returns_twice(before);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if ((whole || bits_has(request->kept, n)) && before->nodes.at[n].kind != I_NOP)
            bits_add(&kept, n);
    for (uint32_t i = 0; i < request->point_count; i++)
        if (request->points[i].node.i < before->nodes.count)
            bits_add(&kept, request->points[i].node.i);
    return kept;
}

// Backward from kept nodes and returns. Where two meet that differ, the first stays, and the
// checker complains.
static void find_next(Arena *arena, const Func *before, const SliceRequest *request,
                      const Bits *kept, SliceFunctionHint *hint) {
    uint32_t *next = vec_extend(arena, &hint->next, before->nodes.count);
    Preds preds = preds_of(arena, before);
    VEC(uint32_t) work = {0};
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        bool ends = before->nodes.at[n].kind == I_RETURN;
        next[n] = bits_has(kept, n) ? n : ends ? SLICE_NEXT_NONE : SLICE_NEXT_ANY;
        if (next[n] != SLICE_NEXT_ANY) vec_push(arena, &work, n);
    }
    while (work.count) {
        Node node = {vec_pop(&work)};
        for (uint32_t k = 0; k < preds_count(&preds, node); k++) {
            uint32_t pred = preds_at(&preds, node)[k].i;
            uint32_t way = request->way ? request->way[pred] : NO_ID;
            if (next[pred] != SLICE_NEXT_ANY || !slice_goes_to(before, way, (Node){pred}, node))
                continue;
            next[pred] = next[node.i];
            vec_push(arena, &work, pred);
        }
    }
}

// ---- Side by side

typedef struct {
    uint32_t fresh; // node of `after`
    uint32_t kept;  // node of `before`
} NodePair;

typedef struct {
    HintMaker *maker;
    const Func *before, *after;
    SliceFunctionHint *hint;
    VEC(NodePair) work;
    Bits seen; // nodes of `after`
} Walk;

static void pair_operands(Walk *walk, const Instr *old, const Instr *fresh) {
    SliceFunctionHint *hint = walk->hint;
    const Reg *a = instr_args(walk->before, old), *b = instr_args(walk->after, fresh);
    if (fresh->dest.i != NO_ID && hint->regs.at[fresh->dest.i].i == NO_ID)
        hint->regs.at[fresh->dest.i] = old->dest;
    for (uint32_t k = 0; k < fresh->arg_count && k < old->arg_count; k++)
        if (hint->regs.at[b[k].i].i == NO_ID) hint->regs.at[b[k].i] = a[k];
    if (instr_names_slot(fresh) && instr_names_slot(old) && hint->slots.at[fresh->ref].i == NO_ID)
        hint->slots.at[fresh->ref] = (Slot){old->ref};
    pair_symbols(walk->maker, instr_symbol(fresh).i, instr_symbol(old).i);
}

static void pair_next(Walk *walk, Node to, Node from) {
    uint32_t next = walk->hint->next.at[from.i];
    if (next < walk->before->nodes.count && bits_put(&walk->seen, to.i))
        vec_push(walk->maker->arena, &walk->work, (NodePair){to.i, next});
}

// The edges of two switches go by their cases.
static void pair_cases(Walk *walk, const Instr *old, const Instr *fresh) {
    const Node *s = instr_succs(walk->before, old), *t = instr_succs(walk->after, fresh);
    const int64_t *a = instr_cases(walk->before, old), *b = instr_cases(walk->after, fresh);
    uint32_t i = 0;
    pair_next(walk, t[0], s[0]);
    for (uint32_t j = 0; j + 1 < fresh->succ_count; j++) {
        while (i + 1 < old->succ_count && a[i] < b[j]) i++;
        bool same = i + 1 < old->succ_count && a[i] == b[j];
        pair_next(walk, t[1 + j], s[same ? 1 + i : 0]);
    }
}

// Whether a node of `after` is one that does nothing, before the kept one that is waited for.
static bool is_between(const Instr *old, const Instr *fresh) {
    if (fresh->kind == I_NOP) return old->kind != I_NOP;
    bool same = fresh->kind == old->kind && fresh->op == old->op && fresh->imm == old->imm;
    return !same && instr_is_total(fresh) && fresh->succ_count == 1;
}

static void walk_on(Walk *walk, NodePair pair) {
    const Instr *old = &walk->before->nodes.at[pair.kept];
    const Instr *fresh = &walk->after->nodes.at[pair.fresh];
    if (is_between(old, fresh)) {
        if (bits_put(&walk->seen, fresh->succ[0].i))
            vec_push(walk->maker->arena, &walk->work, (NodePair){fresh->succ[0].i, pair.kept});
        return;
    }
    walk->hint->old.at[pair.fresh] = (Node){pair.kept};
    pair_operands(walk, old, fresh);
    if (old->kind == I_SWITCH && fresh->kind == I_SWITCH) {
        pair_cases(walk, old, fresh);
        return;
    }
    const Node *s = instr_succs(walk->before, old), *t = instr_succs(walk->after, fresh);
    for (uint32_t k = 0; k < old->succ_count && k < fresh->succ_count; k++)
        pair_next(walk, t[k], s[k]);
}

static void walk_function(HintMaker *maker, const Func *before, const Func *after,
                          SliceFunctionHint *hint) {
    Walk walk = {.maker = maker, .before = before, .after = after, .hint = hint};
    walk.seen = bits_new(maker->arena, after->nodes.count);
    memset(vec_extend(maker->arena, &hint->old, after->nodes.count), 0xff,
           after->nodes.count * sizeof(Node));
    memset(vec_extend(maker->arena, &hint->regs, after->regs.count), 0xff,
           after->regs.count * sizeof(Reg));
    memset(vec_extend(maker->arena, &hint->slots, after->slots.count), 0xff,
           after->slots.count * sizeof(Slot));
    for (uint32_t i = 0; i < after->params.count && i < before->params.count; i++)
        hint->regs.at[after->params.at[i].i] = before->params.at[i];
    pair_next(&walk, (Node){0}, (Node){0});
    while (walk.work.count) walk_on(&walk, vec_pop(&walk.work));
}

// ---- All of it

static int compare_points(const void *a, const void *b) {
    const SlicePoint *x = a, *y = b;
    if (x->node.i != y->node.i) return x->node.i < y->node.i ? -1 : 1;
    return x->variable < y->variable ? -1 : x->variable > y->variable;
}

static void copy_points(Arena *arena, const SliceRequest *request, SliceFunctionHint *hint) {
    for (uint32_t i = 0; i < request->point_count; i++)
        vec_push(arena, &hint->points, request->points[i]);
    if (hint->points.count)
        qsort(hint->points.at, hint->points.count, sizeof(SlicePoint), compare_points);
}

static void copy_assumed(Arena *arena, const SliceRequest *request, const Func *before,
                         SliceFunctionHint *hint) {
    for (uint32_t i = 0; i < request->exit_count; i++)
        vec_push(arena, &hint->exits, request->exits[i]);
    for (uint32_t i = 0; i < request->apart_count; i++)
        vec_push(arena, &hint->apart, request->apart[i]);
    for (uint32_t n = 0; request->way && n < before->nodes.count; n++)
        if (request->way[n] != NO_ID && instr_is_branch(&before->nodes.at[n]))
            vec_push(arena, &hint->assumed, (SliceAssumption){{n}, request->way[n]});
}

static void make_function(HintMaker *maker, const SliceRequest *request, uint32_t fresh,
                          SliceFunctionHint *hint) {
    const Func *before = program_at(maker->before, request->symbol)->func;
    const Func *after = maker->after->symbols.at[fresh].func;
    Bits kept = kept_nodes(maker->arena, before, request);
    hint->symbol = (Sym){fresh};
    hint->once = request->once;
    hint->outputs = request->outputs;
    copy_points(maker->arena, request, hint);
    copy_assumed(maker->arena, request, before, hint);
    find_next(maker->arena, before, request, &kept, hint);
    walk_function(maker, before, after, hint);
}

// The symbol of `after` that a function is; NO_ID if it is gone.
static uint32_t fresh_function(const HintMaker *maker, Sym old) {
    for (uint32_t i = 0; i < maker->after->symbols.count; i++)
        if (maker->hint->symbols.symbols.at[i].i == old.i)
            return maker->after->symbols.at[i].func ? i : NO_ID;
    return NO_ID;
}

SliceHint *slice_hint_make(Arena *arena, const Program *before, const Program *after,
                           const SliceRequest *requests, uint32_t count) {
    SliceCalls calls = slice_calls_of(arena, before);
    return slice_hint_with(arena, before, after, requests, count, &calls);
}

SliceHint *slice_hint_with(Arena *arena, const Program *before, const Program *after,
                           const SliceRequest *requests, uint32_t count, const SliceCalls *calls) {
    HintMaker maker = {.arena = arena, .before = before, .after = after};
    maker.hint = ARENA_NEW(arena, SliceHint);
    maker.sliced = ARENA_ARRAY(arena, uint32_t, before->symbols.count);
    memset(maker.sliced, 0xff, before->symbols.count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) maker.sliced[requests[i].symbol.i] = i;
    begin_symbols(&maker);
    pair_by_name(&maker, false);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t fresh = fresh_function(&maker, requests[i].symbol);
        if (fresh == NO_ID) continue;
        vec_push(arena, &maker.hint->functions, (SliceFunctionHint){0});
        make_function(&maker, &requests[i], fresh,
                      &maker.hint->functions.at[maker.hint->functions.count - 1]);
    }
    pair_on(&maker);
    pair_by_name(&maker, true);
    slice_find_relevant(arena, before, maker.hint, calls);
    return maker.hint;
}

// ---- Calls from within

typedef struct {
    Arena *arena;
    const SliceCalls *calls;
    Bits seen; // symbols
    VEC(uint32_t) work;
    SliceTargets targets;
    Bits fitting; // signatures of calls by address: what fits is reached
    bool outside; // something is called that is not known
} Reach;

static void reach(Reach *reached, uint32_t symbol) {
    if (symbol != NO_ID && bits_put(&reached->seen, symbol))
        vec_push(reached->arena, &reached->work, symbol);
}

static void call(Reach *reached, uint32_t symbol) {
    reach(reached, symbol);
    const Symbol *callee = &reached->calls->program->symbols.at[symbol];
    if (!callee->func || symbol_is_replaceable(callee))
        reached->outside |=
            reached->calls->of[symbol].reads == SLICE_EVERYTHING || callee->alias.i != NO_ID;
}

static void call_fitting(Reach *reached, Sig sig) {
    const Program *program = reached->calls->program;
    if (!bits_put(&reached->fitting, sig.i)) return;
    for (uint32_t k = 0; k < reached->targets.first.count; k++) {
        Sym at = reached->targets.first.at[k];
        if (!slice_call_fits(program, sig, at)) continue;
        for (; at.i != NO_ID; at = reached->targets.next[at.i]) call(reached, at.i);
    }
}

// Of the function itself, only kept nodes count.
static void reach_from(Reach *reached, uint32_t at, const Bits *kept) {
    const Program *program = reached->calls->program;
    const Symbol *symbol = &program->symbols.at[at];
    reach(reached, symbol->alias.i);
    for (uint32_t n = 0; symbol->func && n < symbol->func->nodes.count; n++) {
        const Instr *instr = &symbol->func->nodes.at[n];
        if (kept && !bits_has(kept, n)) continue;
        if (instr->kind != I_CALL)
            reached->outside |= (instr_effects(instr) & USES_MACHINE) != 0;
        else if (instr->ref == NO_ID)
            call_fitting(reached, (Sig){instr->aux});
        else
            call(reached, instr->ref);
    }
}

bool slice_may_be_called_again(const SliceCalls *calls, Sym function, const Bits *kept) {
    Reach reached = {.arena = arena_new("calls"), .calls = calls};
    uint32_t symbols = calls->program->symbols.count;
    reached.seen = bits_new(reached.arena, symbols);
    reached.fitting = bits_new(reached.arena, calls->program->sigs.count);
    reached.targets = slice_targets_of(reached.arena, calls->program);
    reach_from(&reached, function.i, kept);
    for (bool all = false; reached.work.count || (reached.outside && !all);) {
        while (reached.work.count) reach_from(&reached, vec_pop(&reached.work), NULL);
        for (uint32_t i = 0; reached.outside && !all && i < symbols; i++)
            if (bits_has(&reached.targets.addressed, i)) reach(&reached, i);
        all |= reached.outside;
    }
    bool again = bits_has(&reached.seen, function.i);
    arena_free(reached.arena);
    return again;
}
