#include "run/lockstep.h"

#include "base/hash.h"
#include "graph/basic_blocks.h"
#include "text/text.h"

#include <string.h>

// ---- What is looked at: the blocks of each function and what they set

// The blocks of a function have numbers, in SSA and mach0 the same.
typedef struct {
    const uint32_t *block_of; // node -> block
    const uint32_t *first;    // block -> where its registers start in `regs`
    const Reg *regs;
} LockstepBlocks;

typedef struct {
    const LockstepPair *pair;
    LockstepBlocks ssa, mach0;
    const Node *heads, *labels; // of each block
} LockstepFunc;

static void count_setters(const Func *ssa, const uint32_t *block_of, uint32_t *first) {
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        first[block_of[n] + 2] += ssa->nodes.at[n].dest.i != NO_ID;
        first[block_of[n] + 2] += func_phi_count(ssa, (Node){n});
    }
}

// Blocks are numbered in the order of their heads.
static LockstepBlocks ssa_blocks(Arena *arena, const Func *ssa, const uint32_t *heads, Node **list,
                                 uint32_t *count) {
    uint32_t nodes = ssa->nodes.count, *block_of = ARENA_ARRAY(arena, uint32_t, nodes);
    *list = ARENA_ARRAY(arena, Node, nodes);
    *count = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        block_of[n] = *count;
        if (heads[n] == n) (*list)[(*count)++] = (Node){n};
    }
    for (uint32_t n = 0; n < nodes; n++) block_of[n] = block_of[heads[n]];
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, (size_t)*count + 2);
    count_setters(ssa, block_of, first);
    for (uint32_t i = 0; i < *count; i++) first[i + 2] += first[i + 1];
    Reg *regs = ARENA_ARRAY(arena, Reg, first[*count + 1]);
    for (uint32_t n = 0; n < nodes; n++) {
        uint32_t *at = &first[block_of[n] + 1];
        for (uint32_t i = 0; i < func_phi_count(ssa, (Node){n}); i++)
            regs[(*at)++] = func_phis(ssa, (Node){n})[i].dest;
        if (ssa->nodes.at[n].dest.i != NO_ID) regs[(*at)++] = ssa->nodes.at[n].dest;
    }
    return (LockstepBlocks){.block_of = block_of, .first = first, .regs = regs};
}

static void watch_func(Arena *arena, const LockstepPair *pair, LockstepFunc *func) {
    const Func *mach0 = pair->mach0;
    const Mach0Hint *hint = pair->hint;
    Preds preds = preds_of(arena, pair->ssa);
    uint32_t count;
    Node *heads, *labels;
    func->pair = pair;
    func->ssa = ssa_blocks(arena, pair->ssa, block_heads(arena, pair->ssa, &preds), &heads, &count);
    labels = ARENA_ARRAY(arena, Node, count);
    uint32_t *block_of = ARENA_ARRAY(arena, uint32_t, mach0->nodes.count);
    for (uint32_t n = 0; n < mach0->nodes.count; n++) {
        block_of[n] = func->ssa.block_of[hint->origins.at[n].node];
        if (hint->origins.at[n].role == MACH0_LABEL) labels[block_of[n]] = (Node){n};
    }
    Reg *regs = ARENA_ARRAY(arena, Reg, func->ssa.first[count]);
    for (uint32_t i = 0; i < func->ssa.first[count]; i++)
        regs[i].i = hint->register_of.at[func->ssa.regs[i].i];
    func->mach0 = (LockstepBlocks){.block_of = block_of, .first = func->ssa.first, .regs = regs};
    func->heads = heads;
    func->labels = labels;
}

// ---- One run, summed up

enum { MOST_CHECKPOINTS = 1 << 12 };

typedef struct {
    const LockstepFunc *funcs; // by symbol
    bool mach0;
    Arena *arena;
    uint64_t count, hash, values;
    uint64_t interval; // a checkpoint after so many blocks each
    VEC(uint64_t) checkpoints;
    uint64_t from, to;    // hashes after each of these blocks are kept, too:
    VEC(uint64_t) window; // after from + 1, from + 2, ...
    uint64_t wanted;      // of the block with this number all is kept:
    const LockstepFunc *func;
    uint32_t block;
    const Value *set;
} LockstepTrace;

static uint64_t hash_value(uint64_t hash, const Value *value) {
    hash = hash_add(hash, value->bits & ~value->undef);
    hash = hash_add(hash, value->undef);
    return value->high ? hash_add(hash, value->high) : hash;
}

static void keep(LockstepTrace *t, const LockstepFunc *func, uint32_t block, const Value *regs) {
    const LockstepBlocks *blocks = t->mach0 ? &func->mach0 : &func->ssa;
    uint32_t first = blocks->first[block], count = blocks->first[block + 1] - first;
    Value *set = ARENA_ARRAY(t->arena, Value, count);
    for (uint32_t i = 0; i < count; i++) set[i] = regs[blocks->regs[first + i].i];
    t->func = func;
    t->block = block;
    t->set = set;
}

static void add_checkpoint(LockstepTrace *t) {
    vec_push(t->arena, &t->checkpoints, t->hash);
    if (t->checkpoints.count < MOST_CHECKPOINTS) return;
    for (uint32_t i = 0; i < MOST_CHECKPOINTS / 2; i++)
        t->checkpoints.at[i] = t->checkpoints.at[2 * i + 1];
    t->checkpoints.count = MOST_CHECKPOINTS / 2;
    t->interval *= 2;
}

static void block_evaluated(void *context, const Func *func, Node node, const Value *regs) {
    LockstepTrace *t = context;
    const LockstepFunc *watched = &t->funcs[func->symbol.i];
    const LockstepBlocks *blocks = t->mach0 ? &watched->mach0 : &watched->ssa;
    uint32_t block = blocks->block_of[node.i];
    uint64_t hash = hash_add(hash_add(t->hash, func->symbol.i), block);
    for (uint32_t i = blocks->first[block]; i < blocks->first[block + 1]; i++)
        hash = hash_value(hash, &regs[blocks->regs[i].i]);
    t->values += blocks->first[block + 1] - blocks->first[block];
    t->hash = hash;
    if (t->count == t->wanted) keep(t, watched, block, regs);
    t->count++;
    if (t->count % t->interval == 0) add_checkpoint(t);
    if (t->count > t->from && t->count <= t->to) vec_push(t->arena, &t->window, hash);
}

// ---- Two runs

typedef struct {
    Arena *arena, *scratch;
    const LockstepRun *what;
    const LockstepFunc *funcs;
} Lockstep;

static void run(const Lockstep *l, bool mach0, LockstepTrace *trace, RunResult *result) {
    const LockstepRun *what = l->what;
    Program *program = what->program;
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (what->pairs[i].ssa)
            program->symbols.at[i].func = mach0 ? what->pairs[i].mach0 : what->pairs[i].ssa;
    trace->funcs = l->funcs;
    trace->mach0 = mach0;
    trace->arena = l->scratch;
    trace->interval = 1;
    RunOptions options = what->options;
    options.way = mach0 ? RUN_PLAIN : RUN_asm;
    options.watch = block_evaluated;
    options.watch_context = trace;
    if (what->again) what->again();
    if (what->symbol.i == NO_ID)
        rtl_run(l->arena, program, what->argc, what->argv, &options, result);
    else
        rtl_run_func(l->arena, program, program_at(program, what->symbol)->func, what->args,
                     what->arg_count, &options, result);
}

static void run_again(const Lockstep *l, bool mach0, LockstepTrace *trace) {
    RunResult ignored = {0};
    run(l, mach0, trace, &ignored);
    out_free(&ignored.output);
    out_free(&ignored.errors);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// After so many blocks, at a checkpoint of both, they still agreed; *to is the next one, or the end
// of the shorter run.
static uint64_t last_agreement(const LockstepTrace *a, const LockstepTrace *b, uint64_t *to) {
    uint64_t interval = a->interval > b->interval ? a->interval : b->interval, from = 0;
    uint64_t end = least(a->count, b->count);
    while (from + interval <= end) {
        uint64_t at = from + interval;
        if (a->checkpoints.at[at / a->interval - 1] != b->checkpoints.at[at / b->interval - 1])
            break;
        from = at;
    }
    *to = least(from + interval, end);
    return from;
}

// The number of the first block in which two runs differ; UINT64_MAX if one is a beginning of the
// other.
static uint64_t first_difference(const Lockstep *l, const LockstepTrace *a,
                                 const LockstepTrace *b) {
    uint64_t to, from = last_agreement(a, b, &to);
    LockstepTrace first = {.from = from, .to = to, .wanted = UINT64_MAX}, second = first;
    run_again(l, false, &first);
    run_again(l, true, &second);
    for (uint32_t i = 0; i < first.window.count && i < second.window.count; i++)
        if (first.window.at[i] != second.window.at[i]) return from + i;
    return UINT64_MAX;
}

// ---- Telling

static const char *show(Arena *arena, Type type, const Value *value) {
    if (value->undef == type_mask(type)) return "undefined";
    const char *some = value->undef ? " with undefined bits" : "";
    if (value->high)
        return arena_printf(arena, "0x%llx:%016llx%s", (unsigned long long)value->high,
                            (unsigned long long)value->bits, some);
    if (type == TYPE_I32) return arena_printf(arena, "%d%s", (int32_t)as_i32(*value), some);
    if (type == TYPE_I64) return arena_printf(arena, "%lld%s", (long long)value->bits, some);
    return arena_printf(arena, "0x%llx%s", (unsigned long long)value->bits, some);
}

// What sets a register of SSA, for people.
static void tell_operation(Out *out, const Func *ssa, Reg reg) {
    for (uint32_t n = 0; n < ssa->nodes.count; n++)
        if (ssa->nodes.at[n].dest.i == reg.i) {
            instr_print(out, ssa, &ssa->nodes.at[n]);
            return;
        }
    reg_print(out, ssa, reg);
    out_text(out, " = phi");
}

static bool same_value(const Value *a, const Value *b) {
    return (a->bits & ~a->undef) == (b->bits & ~b->undef) && a->undef == b->undef &&
           a->high == b->high;
}

static void tell_block(Out *out, const LockstepTrace *t) {
    const Func *func = t->mach0 ? t->func->pair->mach0 : t->func->pair->ssa;
    Node node = (t->mach0 ? t->func->labels : t->func->heads)[t->block];
    out_printf(out, "'%s' at block %s%u", func_name(func), t->mach0 ? "L" : "",
               func_label(func, node));
}

static void tell_value(const Lockstep *l, Out *out, const LockstepTrace *a,
                       const LockstepTrace *b) {
    const LockstepFunc *func = a->func;
    uint32_t first = func->ssa.first[a->block], count = func->ssa.first[a->block + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        if (same_value(&a->set[i], &b->set[i])) continue;
        Reg reg = func->ssa.regs[first + i];
        Type type = reg_type(func->pair->ssa, reg);
        out_text(out, ": ");
        tell_operation(out, func->pair->ssa, reg);
        out_printf(out, " has the value %s, ", show(l->arena, type, &a->set[i]));
        reg_print(out, func->pair->mach0, func->mach0.regs[first + i]);
        out_printf(out, " holds %s", show(l->arena, type, &b->set[i]));
        return;
    }
}

static void tell(const Lockstep *l, uint64_t at, LockstepResult *result) {
    LockstepTrace a = {.wanted = at}, b = {.wanted = at};
    Out out = {0};
    run_again(l, false, &a);
    run_again(l, true, &b);
    out_printf(&out, "after %llu blocks, ", (unsigned long long)at);
    tell_block(&out, &a);
    if (a.func == b.func && a.block == b.block) {
        tell_value(l, &out, &a, &b);
    } else {
        out_text(&out, " in SSA, but ");
        tell_block(&out, &b);
        out_text(&out, " in mach0");
    }
    result->func = a.func->pair->ssa;
    result->at = at;
    result->difference = arena_printf(l->arena, "%.*s", (int)out.length, out.text);
    out_free(&out);
}

// Whether both ended in the same block of the same function, before control left it, or outside of
// all functions.
static bool same_place(const Lockstep *l, const Behaviour *ssa, const Behaviour *mach0) {
    if (!ssa->func || !mach0->func) return ssa->func == mach0->func;
    if (ssa->func->symbol.i != mach0->func->symbol.i) return false;
    const LockstepFunc *func = &l->funcs[ssa->func->symbol.i];
    return func->ssa.block_of[ssa->node.i] == func->mach0.block_of[mach0->node.i];
}

// What may go wrong in a block may do so before or behind what else is seen or stops there:
// fact/order.h. Then the block is the same, and what both have shown so far.
static bool compare_wrong(const Lockstep *l, LockstepResult *result) {
    const Behaviour *ssa = &result->ssa.behaviour, *mach0 = &result->mach0.behaviour;
    if (!same_place(l, ssa, mach0)) {
        result->difference = "a wrong step in one that is not in the other";
        return false;
    }
    uint64_t events = least(ssa->event_hashes.count, mach0->event_hashes.count);
    bool same = !events || memcmp(ssa->event_hashes.at, mach0->event_hashes.at,
                                  events * sizeof *ssa->event_hashes.at) == 0;
    if (!same) result->difference = "the traces differ before a wrong step";
    return same;
}

static bool compare_ends(const Lockstep *l, const LockstepTrace *a, const LockstepTrace *b,
                         LockstepResult *result) {
    const Behaviour *ssa = &result->ssa.behaviour, *mach0 = &result->mach0.behaviour;
    bool cut = ssa->end == END_FUEL || mach0->end == END_FUEL;
    bool wrong = ssa->end == END_WRONG || mach0->end == END_WRONG;
    if (wrong && !cut) return compare_wrong(l, result);
    if (!behaviour_refines(l->arena, ssa, mach0, &result->difference)) return false;
    if (a->count == b->count || cut) return true;
    result->difference = arena_printf(l->arena, "%llu blocks in SSA, but %llu in mach0",
                                      (unsigned long long)a->count, (unsigned long long)b->count);
    return false;
}

bool lockstep_run(Arena *arena, const LockstepRun *what, LockstepResult *result) {
    Arena *scratch = arena_new("lockstep");
    uint32_t count = what->program->symbols.count;
    LockstepFunc *funcs = ARENA_ARRAY(scratch, LockstepFunc, count);
    for (uint32_t i = 0; i < count; i++)
        if (what->pairs[i].ssa) watch_func(scratch, &what->pairs[i], &funcs[i]);
    Lockstep l = {.arena = arena, .scratch = scratch, .what = what, .funcs = funcs};
    LockstepTrace a = {.wanted = UINT64_MAX}, b = {.wanted = UINT64_MAX};
    *result = (LockstepResult){0};
    run(&l, false, &a, &result->ssa);
    run(&l, true, &b, &result->mach0);
    result->blocks = least(a.count, b.count);
    result->values = least(a.values, b.values);
    bool same = a.count == b.count && a.hash == b.hash;
    uint64_t at = same ? UINT64_MAX : first_difference(&l, &a, &b);
    if (at != UINT64_MAX) tell(&l, at, result);
    same = at == UINT64_MAX && compare_ends(&l, &a, &b, result);
    arena_free(scratch);
    return same;
}
