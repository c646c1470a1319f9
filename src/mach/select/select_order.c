// The order of blocks in memory.
//
// The order is reverse postorder with exceptions. The blocks of a loop stand together. Code that
// ends the program (and code that only leads there), or that a profile says to be hardly ever run,
// stands at the end. A loop that is left by its header and otherwise jumps back to the header is
// rotated: the header comes last, so that going round takes one branch instead of a branch and a
// jump. A test at the end of a loop to which control comes on several ways is put in front of the
// loop instead. All ways but one jump to the test anyway, and from there control falls into the
// header, where going back would be a second branch that is taken. Around other loops only jumps
// count, since loops inside fall out at their end.
#include "analysis/block_runs.h"
#include "fact/calls.h"
#include "fact/effects.h"
#include "mach/select/select.h"

// What a loop, or the function, consists of, in order: items are blocks, or loops inside it, whose
// number is added to the number of blocks.
typedef struct {
    uint32_t first, last;
} ItemList;

typedef struct {
    const Selector *s;
    const uint32_t *target;
    ItemList *lists; // of each loop; the function's own comes last
    uint32_t *next;  // item -> the next in its list; NO_ID at the end
    uint32_t *order;
    uint32_t count;
} BlockOrder;

static const Instr *last_instr(const Selector *s, uint32_t block) {
    return func_at(s->rtl, (Node){block_last(&s->blocks, block)});
}

// ---- Cold blocks

static bool calls_noreturn(const Selector *s, uint32_t block) {
    const Blocks *blocks = &s->blocks;
    for (uint32_t n = blocks->start[block]; n < blocks->start[block + 1]; n++) {
        const Instr *instr = func_at(s->rtl, (Node){blocks->order[n]});
        if (call_never_returns(s->program, instr)) return true;
    }
    return false;
}

static bool leads_to_cold(const Selector *s, uint32_t block) {
    const Graph *graph = &s->blocks.graph;
    uint32_t cold = 0, count = graph->succ_at[block + 1] - graph->succ_at[block];
    for (uint32_t e = graph->succ_at[block]; e < graph->succ_at[block + 1]; e++)
        cold += graph->succ[e] > block && s->cold[graph->succ[e]];
    return count > 0 && cold == count;
}

// How often a block ran, if a profile tells.
static bool block_runs(const Selector *s, uint32_t block, uint64_t *runs) {
    const Blocks *blocks = &s->blocks;
    BlockRuns seen = {.fixed = UINT64_MAX};
    for (uint32_t n = blocks->start[block]; n < blocks->start[block + 1]; n++) {
        const Instr *instr = func_at(s->rtl, (Node){blocks->order[n]});
        bool moves = instr->kind == I_OP || instr->kind == I_LOAD || instr_is_idle(instr);
        bool copies = instr->kind == I_OP && instr->op == op_move(op_info((Op)instr->op)->result);
        uint64_t ran;
        if (!copies && program_runs(s->program, instr->loc, &ran))
            block_runs_add(&seen, ran, moves);
    }
    return block_runs_told(&seen, runs);
}

// How often control went from a block to the only one of its successors of which a profile does not
// tell.
static bool rest_runs(const Selector *s, uint32_t from, uint32_t to, uint64_t *runs) {
    const Graph *graph = &s->blocks.graph;
    uint64_t others = 0, ran;
    if (!block_runs(s, from, runs)) return false;
    for (uint32_t e = graph->succ_at[from]; e < graph->succ_at[from + 1]; e++) {
        uint32_t succ = graph->succ[e];
        if (succ == to) continue;
        bool only = graph->pred_at[succ + 1] - graph->pred_at[succ] == 1;
        if (!only || !block_runs(s, succ, &ran)) return false;
        others += ran;
    }
    *runs = *runs > others ? *runs - others : 0;
    return true;
}

// Whether a profile says that control hardly ever goes from one block to another of the same loop:
// not once in SELDOM times.
static bool goes_seldom(const Selector *s, uint32_t from, uint32_t to) {
    enum { SELDOM = 64 };
    uint64_t before, runs;
    if (s->forest.innermost[from] != s->forest.innermost[to] || !block_runs(s, from, &before))
        return false;
    return (block_runs(s, to, &runs) || rest_runs(s, from, to, &runs)) && before / SELDOM > runs;
}

// Blocks to which control seldom comes, and what is behind them only.
static void find_seldom(Selector *s) {
    const Graph *graph = &s->blocks.graph;
    for (uint32_t b = 1; b < s->blocks.count && s->program->runs.count; b++) {
        bool seldom = true;
        for (uint32_t e = graph->pred_at[b]; e < graph->pred_at[b + 1] && seldom; e++) {
            uint32_t pred = graph->pred[e];
            seldom = pred >= b || s->cold[pred] || goes_seldom(s, pred, b);
        }
        s->cold[b] = seldom;
    }
}

void sel_find_cold(Selector *s) {
    s->cold = ARENA_ARRAY(s->scratch, bool, s->blocks.count);
    find_seldom(s);
    for (uint32_t b = s->blocks.count; b-- > 1;) {
        const Instr *last = last_instr(s, b);
        bool stops = instr_ends(last) && last->kind != I_RETURN;
        s->cold[b] |= stops || leads_to_cold(s, b) || calls_noreturn(s, b);
    }
}

// ---- Loops

static void append(BlockOrder *l, uint32_t list, uint32_t item) {
    ItemList *to = &l->lists[list];
    if (to->first == NO_ID)
        to->first = item;
    else
        l->next[to->last] = item;
    to->last = item;
}

static void list_items(BlockOrder *l, Arena *arena) {
    uint32_t blocks = l->s->blocks.count, loops = l->s->forest.count;
    l->lists = ARENA_ARRAY(arena, ItemList, (size_t)loops + 1);
    l->next = graph_table(arena, blocks + loops);
    for (uint32_t i = 0; i <= loops; i++) l->lists[i] = (ItemList){.first = NO_ID, .last = NO_ID};
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t loop = l->s->forest.innermost[b];
        if (loop != NO_ID && l->s->forest.loops[loop].header == b) {
            uint32_t parent = l->s->forest.loops[loop].parent;
            append(l, parent == NO_ID ? loops : parent, blocks + loop);
        }
        append(l, loop == NO_ID ? loops : loop, b);
    }
}

static bool has_one_way(const Graph *graph, uint32_t block) {
    return graph->succ_at[block + 1] - graph->succ_at[block] == 1;
}

// Whether a latch does nothing in the end but jump back; if it is passed over, a block before it.
static bool jumps_back(const BlockOrder *l, uint32_t latch) {
    const Graph *graph = &l->s->blocks.graph;
    bool jumps = l->target[latch] == latch && has_one_way(graph, latch);
    for (uint32_t e = graph->pred_at[latch]; e < graph->pred_at[latch + 1] && !jumps; e++)
        jumps = l->target[latch] != latch && has_one_way(graph, graph->pred[e]);
    return jumps;
}

// Whether a loop is left by its header, and has a latch that does nothing but jump back to it.
static bool should_rotate(const BlockOrder *l, uint32_t loop) {
    const Loop *info = &l->s->forest.loops[loop];
    const Graph *graph = &l->s->blocks.graph;
    uint32_t header = info->header;
    if (header == 0 || last_instr(l->s, header)->kind != I_COND) return false;
    uint32_t outside = 0;
    for (uint32_t e = graph->succ_at[header]; e < graph->succ_at[header + 1]; e++)
        outside += !loop_contains(&l->s->forest, loop, graph->succ[e]);
    if (outside != 1) return false;
    for (uint32_t k = 0; k < info->latch_count; k++) {
        uint32_t latch = l->s->forest.latch[info->latch_at + k];
        if (latch != header && jumps_back(l, latch)) return true;
    }
    return false;
}

static void rotate(BlockOrder *l, uint32_t loop) {
    ItemList *list = &l->lists[loop];
    uint32_t header = list->first, second = l->next[header];
    if (second == NO_ID) return;
    l->next[list->last] = header;
    l->next[header] = NO_ID;
    list->first = second;
    list->last = header;
}

// ---- Tests at the end

// The ways to a block that are taken more often than hardly ever; or only those that end with a
// jump.
static uint32_t count_ways(const BlockOrder *l, uint32_t block, bool jumps) {
    const Graph *graph = &l->s->blocks.graph;
    uint32_t count = 0;
    for (uint32_t e = graph->pred_at[block]; e < graph->pred_at[block + 1]; e++) {
        uint32_t pred = graph->pred[e];
        bool jump = l->target[pred] == pred && graph->succ_at[pred + 1] - graph->succ_at[pred] == 1;
        count += !l->s->cold[pred] && (jump || !jumps);
    }
    return count;
}

static bool is_end_test(const BlockOrder *l, uint32_t loop, uint32_t block) {
    const Graph *graph = &l->s->blocks.graph;
    uint32_t header = l->s->forest.loops[loop].header, back = 0, outside = 0;
    if (block == header || last_instr(l->s, block)->kind != I_COND) return false;
    for (uint32_t e = graph->succ_at[block]; e < graph->succ_at[block + 1]; e++) {
        back += l->target[graph->succ[e]] == header;
        outside += !loop_contains(&l->s->forest, loop, graph->succ[e]);
    }
    return back == 1 && outside == 1;
}

// Puts the last block that is not empty first, if it is a test to which several ways lead.
static void raise_end_test(BlockOrder *l, uint32_t loop) {
    ItemList *list = &l->lists[loop];
    uint32_t last = NO_ID, before = NO_ID, blocks = l->s->blocks.count;
    bool around = false; // other loops
    for (uint32_t item = list->first, previous = NO_ID; item != NO_ID;
         previous = item, item = l->next[item]) {
        around |= item >= blocks;
        if (item < blocks && l->target[item] != item) continue;
        last = item;
        before = previous;
    }
    if (before == NO_ID || last >= blocks || !is_end_test(l, loop, last) ||
        count_ways(l, last, around) < 2)
        return;
    l->next[before] = l->next[last];
    if (list->last == last) list->last = before;
    l->next[last] = list->first;
    list->first = last;
}

// ---- Writing the order

static void place_block(BlockOrder *l, uint32_t block, bool cold) {
    if (l->target[block] == block && l->s->cold[block] == cold) l->order[l->count++] = block;
}

static void place_items(BlockOrder *l, Arena *arena) {
    uint32_t blocks = l->s->blocks.count;
    VEC(uint32_t) back = {0}; // where to go on behind the loops that are being placed
    uint32_t item = l->lists[l->s->forest.count].first;
    while (true) {
        if (item == NO_ID) {
            if (back.count == 0) return;
            item = vec_pop(&back);
        } else if (item >= blocks) {
            vec_push(arena, &back, l->next[item]);
            item = l->lists[item - blocks].first;
        } else {
            place_block(l, item, false);
            item = l->next[item];
        }
    }
}

uint32_t sel_order(const Selector *s, const uint32_t *target, uint32_t *order) {
    BlockOrder l = {.s = s, .target = target, .order = order};
    list_items(&l, s->scratch);
    for (uint32_t loop = 0; loop < s->forest.count; loop++) {
        if (should_rotate(&l, loop))
            rotate(&l, loop);
        else
            raise_end_test(&l, loop);
    }
    place_items(&l, s->scratch);
    for (uint32_t b = 0; b < s->blocks.count; b++) place_block(&l, b, true);
    return l.count;
}
