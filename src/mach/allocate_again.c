#include "mach/allocate_again.h"

#include "analysis/loops.h"
#include "check/machine/mach_live.h"
#include "fact/calls.h"

// The last instruction that sets a register: none is of a higher rank, none of that rank comes
// later.
typedef struct {
    bool found;
    uint32_t rank, at;
} LastSet;

typedef struct {
    Bits has;
    VEC(Reg) list; // may have some that are no longer in the set
} LiveSet;

typedef struct {
    Arena *arena;
    const Func *func;
    Again again;
    LastSet *sets;
    LiveSet live; // at the instruction at hand
} AgainFinder;

// ---- Ranks

static Graph graph_of_blocks(Arena *arena, const Func *func) {
    const Mach *mach = func->mach;
    uint32_t count = mach->blocks.count;
    uint32_t *succ_at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    uint32_t *succ = ARENA_ARRAY(arena, uint32_t, mach->succs.count);
    for (uint32_t b = 0; b < count; b++) {
        const MachBlock *block = mach_block(func, b);
        succ_at[b + 1] = succ_at[b] + block->succ_count;
        for (uint32_t k = 0; k < block->succ_count; k++)
            succ[succ_at[b] + k] = mach_succs(func, block)[k];
    }
    return graph_from(arena, count, succ_at, succ);
}

// The place in reverse postorder of the block, or of the header of the outermost loop that it is
// in. Unreachable blocks come before all others.
static void rank_blocks(AgainFinder *finder) {
    Graph graph = graph_of_blocks(finder->arena, finder->func);
    LoopForest forest = loops_of(finder->arena, &graph);
    Again *again = &finder->again;
    uint32_t count = graph.count, above = graph.reached < count;
    again->rank = ARENA_ARRAY(finder->arena, uint32_t, count);
    again->once = ARENA_ARRAY(finder->arena, uint32_t, count);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t loop = forest.innermost[b], first = b;
        if (!graph_reaches(&graph, b)) continue;
        for (; loop != NO_ID; loop = forest.loops[loop].parent) first = forest.loops[loop].header;
        again->rank[b] = above + graph.number[first];
        again->once[again->rank[b]] += forest.innermost[b] == NO_ID ? 1 : 2;
    }
}

// ---- Where registers are set

static void note_set(AgainFinder *finder, Place place, uint32_t block, uint32_t at) {
    if (place.i == NO_ID) return;
    Reg reg = place_reg(place);
    const MachInstr *instr = mach_at(finder->func, at);
    uint32_t rank = finder->again.rank[block];
    LastSet *last = &finder->sets[reg.i];
    bool constant = instr->kind == MK_OP && op_info((Op)instr->op)->arity == 0;
    bool general =
        finder->func->program->target->class_of(reg_type(finder->func, reg)) == CLASS_GENERAL;
    finder->again.constant[reg.i] = !last->found && constant && general ? at : NO_ID;
    if (!last->found || rank > last->rank || (rank == last->rank && at > last->at))
        *last = (LastSet){.found = true, .rank = rank, .at = at};
}

static void find_sets(AgainFinder *finder) {
    const Func *func = finder->func;
    finder->sets = ARENA_ARRAY(finder->arena, LastSet, func->regs.count);
    finder->again.constant = ARENA_ARRAY(finder->arena, uint32_t, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) finder->again.constant[r] = NO_ID;
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(func, b);
        for (uint32_t at = block->first; at < block->first + block->count; at++) {
            const MachInstr *instr = mach_at(func, at);
            for (uint32_t k = 0; k < mach_set_count(instr); k++)
                note_set(finder, mach_set_at(func, instr, k), b, at);
        }
    }
}

// ---- What is needed

static void live_add(AgainFinder *finder, LiveSet *live, Place place) {
    if (place.i != NO_ID && bits_put(&live->has, place_reg(place).i))
        vec_push(finder->arena, &live->list, place_reg(place));
}

static void live_remove(LiveSet *live, Place place) {
    if (place.i != NO_ID) bits_remove(&live->has, place_reg(place).i);
}

// Takes the set from behind an instruction to before it.
static void live_back(AgainFinder *finder, LiveSet *live, const MachInstr *instr) {
    for (uint32_t k = 0; k < mach_set_count(instr); k++)
        live_remove(live, mach_set_at(finder->func, instr, k));
    for (uint32_t k = 0; k < mach_read_count(instr); k++)
        live_add(finder, live, mach_read_at(finder->func, instr, k));
}

static bool is_kept(const AgainFinder *finder, Reg reg, uint32_t block, uint32_t call) {
    const LastSet *last = &finder->sets[reg.i];
    uint32_t rank = finder->again.rank[block];
    if (!last->found || last->rank < rank) return true;
    return last->rank == rank && finder->again.once[rank] == 1 && last->at < call;
}

static void note_call(AgainFinder *finder, LiveSet *live, uint32_t block, uint32_t at) {
    Again *again = &finder->again;
    const MachInstr *call = mach_at(finder->func, at);
    for (uint32_t k = 0; k < call->results; k++)
        live_remove(live, mach_results(finder->func, call)[k]);
    uint32_t count = 0;
    for (uint32_t i = 0; i < live->list.count; i++) {
        Reg reg = live->list.at[i];
        if (!bits_has(&live->has, reg.i)) continue;
        bits_remove(&live->has, reg.i); // it may stand in the list once more
        live->list.at[count++] = reg;
    }
    live->list.count = count;
    again->calls[at] =
        (struct AgainCall){.block = block, .first = again->needed.count, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        Reg reg = live->list.at[i];
        bits_add(&live->has, reg.i);
        vec_push(finder->arena, &again->needed, reg);
        if (!is_kept(finder, reg, block, at)) bits_add(&again->copied, reg.i);
    }
}

static void find_needed(AgainFinder *finder, MachLive *starts, uint32_t block) {
    const Func *func = finder->func;
    const MachBlock *info = mach_block(func, block);
    uint32_t at = info->first, end = info->first + info->count;
    while (at < end && !mach_call_returns_twice(func->program, mach_at(func, at))) at++;
    if (at == end) return;
    LiveSet *live = &finder->live;
    KeySet out = mach_live_out(starts, func, block);
    for (uint64_t key = 0; (key = keys_next(&starts->keys, out, key)) != NO_KEY; key++)
        live_add(finder, live, (Place){(uint32_t)key});
    while (end-- > at) {
        const MachInstr *instr = mach_at(func, end);
        if (mach_call_returns_twice(func->program, instr)) note_call(finder, live, block, end);
        live_back(finder, live, instr);
    }
    for (uint32_t i = 0; i < live->list.count; i++) bits_remove(&live->has, live->list.at[i].i);
    vec_clear(&live->list);
}

Again again_of(Arena *arena, const Func *func) {
    AgainFinder finder = {.arena = arena, .func = func};
    finder.again.copied = bits_new(arena, func->regs.count);
    if (!func_returns_twice(func)) return finder.again;
    finder.live.has = bits_new(arena, func->regs.count);
    finder.again.calls = ARENA_ARRAY(arena, struct AgainCall, func->mach->code.count);
    rank_blocks(&finder);
    find_sets(&finder);
    MachLive starts; // that it can be found in time, the checker of selection has seen
    (void)mach_live(arena, func, NULL, &starts);
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) find_needed(&finder, &starts, b);
    return finder.again;
}
