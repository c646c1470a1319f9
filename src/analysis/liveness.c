// Computes liveness, one register after the other: from each block that uses the register before
// setting it, the walk goes back over predecessors to blocks that set the register. Marks carry the
// register's number, so nothing is cleared in between. As registers come in ascending order, so do
// the entries of each block's list.
#include "analysis/liveness.h"

typedef struct {
    uint32_t block;
    Reg reg;
} LivePair;

typedef struct {
    Arena *arena;
    Liveness *liveness;
    uint32_t *pred_at; // distinct predecessors of blocks, so that a switch with many cases for one
    uint32_t *pred;    // target counts once
    uint32_t *occurs;  // block -> last register found to occur there,
    uint32_t *latest;  //   its last occurrence there,
    uint32_t *sets;    // block -> last register found to be set there
    uint32_t *visited; // block -> last register found to be live at its start
    NodeList work;     // blocks live at the start, predecessors not yet visited
    VEC(LivePair) pairs;
} LivenessWalk;

// Notes that a register occurs at a place; end[r] is where r's row ends so far, and seen[r] the
// place of the occurrence there. Without an array of occurrences this only counts.
static void note(Liveness *l, uint32_t *end, uint32_t *seen, Reg reg, uint32_t place, bool use) {
    if (seen[reg.i] != place) {
        seen[reg.i] = place;
        if (l->occurrence) l->occurrence[end[reg.i]].place = place;
        end[reg.i]++;
    }
    if (!l->occurrence) return;
    Occurrence *occurrence = &l->occurrence[end[reg.i] - 1];
    *(use ? &occurrence->use : &occurrence->set) = true;
}

static void note_all(Liveness *l, const Func *func, uint32_t *end, uint32_t *seen) {
    for (uint32_t i = 0; i < l->graph->reached; i++) {
        const Instr *instr = &func->nodes.at[l->graph->order[i]];
        const Reg *args = instr_args(func, instr);
        for (uint32_t k = 0; k < instr->arg_count; k++) note(l, end, seen, args[k], i, true);
        if (instr->dest.i != NO_ID) note(l, end, seen, instr->dest, i, false);
    }
}

static void list_occurrences(Arena *arena, Liveness *l, const Func *func) {
    uint32_t count = func->regs.count;
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    // Counted one entry further on, then shifted: the second time at[r + 1] runs over r's row.
    note_all(l, func, at + 2, graph_table(arena, count));
    for (uint32_t r = 0; r < count; r++) at[r + 2] += at[r + 1];
    l->occurrence = ARENA_ARRAY(arena, Occurrence, at[count + 1]);
    note_all(l, func, at + 1, graph_table(arena, count));
    l->occurrence_at = at;
}

static void list_preds(LivenessWalk *walk) {
    const Graph *graph = &walk->liveness->blocks->graph;
    uint32_t *seen = graph_table(walk->arena, graph->count);
    NodeList preds = {0};
    walk->pred_at = ARENA_ARRAY(walk->arena, uint32_t, (size_t)graph->count + 1);
    for (uint32_t b = 0; b < graph->count; b++) {
        for (uint32_t e = graph->pred_at[b]; e < graph->pred_at[b + 1]; e++) {
            if (seen[graph->pred[e]] == b) continue;
            seen[graph->pred[e]] = b;
            vec_push(walk->arena, &preds, graph->pred[e]);
        }
        walk->pred_at[b + 1] = preds.count;
    }
    walk->pred = preds.at;
}

static void reach_start(LivenessWalk *walk, uint32_t block, Reg reg) {
    if (walk->visited[block] == reg.i) return;
    walk->visited[block] = reg.i;
    vec_push(walk->arena, &walk->work, block);
    vec_push(walk->arena, &walk->pairs, (LivePair){.block = block, .reg = reg});
}

static void walk_register(LivenessWalk *walk, Reg reg) {
    Liveness *l = walk->liveness;
    uint32_t first = l->occurrence_at[reg.i], end = l->occurrence_at[reg.i + 1];
    for (uint32_t i = first; i < end; i++) {
        const Occurrence *occurrence = &l->occurrence[i];
        uint32_t block = l->blocks->of[l->graph->order[occurrence->place]];
        if (walk->occurs[block] != reg.i) {
            walk->occurs[block] = reg.i;
            if (occurrence->use) reach_start(walk, block, reg);
        }
        walk->latest[block] = i;
        if (occurrence->set) walk->sets[block] = reg.i;
    }
    while (walk->work.count > 0) {
        uint32_t block = vec_pop(&walk->work);
        for (uint32_t e = walk->pred_at[block]; e < walk->pred_at[block + 1]; e++) {
            uint32_t pred = walk->pred[e];
            if (walk->occurs[pred] == reg.i) l->occurrence[walk->latest[pred]].live_out = true;
            if (walk->sets[pred] != reg.i) reach_start(walk, pred, reg);
        }
    }
}

// Sorts the pairs by block, keeping the order of registers.
static void list_live(Arena *arena, Liveness *l, const LivePair *pairs, uint32_t pair_count) {
    uint32_t count = l->blocks->count;
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    for (uint32_t i = 0; i < pair_count; i++) at[pairs[i].block + 2]++;
    for (uint32_t b = 0; b < count; b++) at[b + 2] += at[b + 1];
    l->live = ARENA_ARRAY(arena, Reg, pair_count);
    for (uint32_t i = 0; i < pair_count; i++) l->live[at[pairs[i].block + 1]++] = pairs[i].reg;
    l->live_at = at;
}

Liveness liveness_of(Arena *arena, const Func *func, const Graph *graph, const Blocks *blocks) {
    Liveness liveness = {.graph = graph, .blocks = blocks};
    list_occurrences(arena, &liveness, func);
    LivenessWalk walk = {
        .arena = arena,
        .liveness = &liveness,
        .occurs = graph_table(arena, blocks->count),
        .latest = graph_table(arena, blocks->count),
        .sets = graph_table(arena, blocks->count),
        .visited = graph_table(arena, blocks->count),
    };
    list_preds(&walk);
    for (uint32_t r = 0; r < func->regs.count; r++) walk_register(&walk, (Reg){r});
    list_live(arena, &liveness, walk.pairs.at, walk.pairs.count);
    return liveness;
}

static bool live_at_start(const Liveness *l, uint32_t block, Reg reg) {
    uint32_t low = l->live_at[block], high = l->live_at[block + 1], end = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->live[middle].i < reg.i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && l->live[low].i == reg.i;
}

// Whether a register is live before the place, which is in the block or at its end.
static bool live_before(const Liveness *l, uint32_t block, uint32_t place, Reg reg) {
    uint32_t first = l->occurrence_at[reg.i], end = l->occurrence_at[reg.i + 1];
    uint32_t low = first, high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->occurrence[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    const uint32_t *start = &l->blocks->start[block];
    if (low < end && l->occurrence[low].place < start[1]) return l->occurrence[low].use;
    if (low > first && l->occurrence[low - 1].place >= start[0])
        return l->occurrence[low - 1].live_out;
    return live_at_start(l, block, reg); // it does not occur in the block
}

bool live_in(const Liveness *liveness, Node node, Reg reg) {
    if (!graph_reaches(liveness->graph, node.i)) return false;
    return live_before(liveness, liveness->blocks->of[node.i], liveness->graph->number[node.i],
                       reg);
}

bool live_out(const Liveness *liveness, Node node, Reg reg) {
    if (!graph_reaches(liveness->graph, node.i)) return false;
    uint32_t after = liveness->graph->number[node.i] + 1;
    return live_before(liveness, liveness->blocks->of[node.i], after, reg);
}
