// Finds the moves that split values need: loads where a piece starts within a block, stores where a
// piece ends, moves on edges between blocks that have the value in different places. Also gives
// spills to the values that need them.
//
// A spill holds the value everywhere outside of pieces that define the value. Such a piece either
// stores each definition at once, and is then like a piece that defines nothing, or stores the
// value where the piece is left; the rarer of the two is chosen. If the spill is never read,
// nothing is stored.
#include "mach/allocate_resolve.h"

#include <stdlib.h>
#include <string.h>

static int compare_located(const void *x, const void *y) {
    const Located *a = x, *b = y;
    return (a->start > b->start) - (a->start < b->start);
}

static void locate(Resolution *r, uint32_t index) {
    Allocator *a = r->a;
    const AllocValue *value = &a->values[index];
    uint32_t first = r->located.count;
    for (uint32_t k = 0; k < value->pieces.count; k++) {
        const AllocPiece *piece = &a->pieces.at[value->pieces.at[k]];
        if (piece->reg == MACHINE_REG_LIMIT) continue;
        for (uint32_t s = 0; s < piece->segments.count; s++) {
            LiveSegment segment = piece->segments.at[s];
            vec_push(a->arena, &r->located,
                     (Located){segment.start, segment.end, value->pieces.at[k]});
        }
    }
    if (r->located.count > first)
        qsort(r->located.at + first, r->located.count - first, sizeof(Located), compare_located);
    r->located_at[index] = first;
    r->located_end[index] = r->located.count;
}

uint32_t resolved_piece(const Resolution *r, uint32_t value, uint32_t position) {
    if (!r->a->values[value].split) return r->a->values[value].pieces.at[0];
    uint32_t first = r->located_at[value], low = first, high = r->located_end[value];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->located.at[middle].start <= position)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == first || r->located.at[low - 1].end <= position) return NO_ID;
    return r->located.at[low - 1].piece;
}

// ---- Within blocks

static void find_in_block(Resolution *r, uint32_t index) {
    Allocator *a = r->a;
    const AllocValue *value = &a->values[index];
    for (uint32_t k = r->located_at[index]; k < r->located_end[index]; k++) {
        Located part = r->located.at[k];
        uint32_t instr = part.start / STEP, last = (part.end - 1) / STEP;
        if (part.start % STEP == AT_READ)
            vec_push(a->arena, &r->in_block,
                     (SplitMove){.at = 2 * instr, .value = index, .from = NO_ID, .to = part.piece});
        if (!a->pieces.at[part.piece].writes || part.end == block_end(a, a->block_of[last]))
            continue;
        // A result that is moved to its piece and nothing more is stored from where it is.
        if (part.end % STEP > AT_DONE || !segments_contain(value->segments, part.end)) continue;
        uint32_t after = part.end % STEP >= AT_DONE;
        vec_push(
            a->arena, &r->in_block,
            (SplitMove){.at = 2 * last + after, .value = index, .from = part.piece, .to = NO_ID});
    }
}

// ---- On edges

// The edges in the order in which mach_preds lists them.
static void number_edges(Resolution *r) {
    Allocator *a = r->a;
    const Mach *mach = a->func->mach;
    uint32_t *next = ARENA_ARRAY(a->arena, uint32_t, mach->blocks.count);
    r->edge_of = ARENA_ARRAY(a->arena, uint32_t, mach->succs.count);
    if (mach->blocks.count) memcpy(next, a->preds.first, mach->blocks.count * sizeof *next);
    for (uint32_t b = 0; b < mach->blocks.count; b++) {
        const MachBlock *block = mach_block(a->func, b);
        const uint32_t *succs = mach_succs(a->func, block);
        for (uint32_t k = 0; k < block->succ_count; k++)
            r->edge_of[next[succs[k]]++] = block->succs + k;
    }
}

static void find_into(Resolution *r, uint32_t value, uint32_t block) {
    Allocator *a = r->a;
    uint32_t to = resolved_piece(r, value, block_start(a, block));
    for (uint32_t e = a->preds.first[block]; e < a->preds.first[block + 1]; e++) {
        uint32_t from = resolved_piece(r, value, block_end(a, a->preds.list[e]) - 1);
        if (from != to)
            vec_push(a->arena, &r->on_edge,
                     (SplitMove){.at = r->edge_of[e], .value = value, .from = from, .to = to});
    }
}

static void find_on_edges(Resolution *r, uint32_t index) {
    Allocator *a = r->a;
    const AllocValue *value = &a->values[index];
    for (uint32_t s = 0; s < value->segments.count; s++) {
        LiveSegment segment = value->segments.at[s];
        uint32_t block = a->block_of[segment.start / STEP];
        uint32_t last = a->block_of[(segment.end - 1) / STEP];
        if (block_start(a, block) < segment.start) block++;
        for (; block <= last; block++) find_into(r, index, block);
    }
}

// ---- Stores

static bool is_clean(const Allocator *a, uint32_t piece) {
    return piece == NO_ID || !a->pieces.at[piece].writes || a->pieces.at[piece].store_at_def;
}

static float edge_frequency(const Allocator *a, uint32_t edge_target, uint32_t source) {
    float from = a->frequency[source], to = a->frequency[edge_target];
    return from < to ? from : to;
}

static void find_memory_reads(Resolution *r) {
    Allocator *a = r->a;
    for (uint32_t k = 0; k < r->in_block.count; k++)
        if (r->in_block.at[k].from == NO_ID) r->reads_memory[r->in_block.at[k].value] = true;
    for (uint32_t k = 0; k < r->on_edge.count; k++)
        if (r->on_edge.at[k].from == NO_ID && r->on_edge.at[k].to != NO_ID)
            r->reads_memory[r->on_edge.at[k].value] = true;
    for (uint32_t k = 0; k < a->operands.count; k++) {
        const AllocOperand *operand = &a->operands.at[k];
        if (operand->def) continue;
        uint32_t value = value_find(a, operand->reg);
        if (operand->piece == NO_ID ||
            (operand->apart && resolved_piece(r, value, STEP * operand->instr) == NO_ID))
            r->reads_memory[value] = true;
    }
}

// Which block each edge leaves.
static uint32_t *edge_sources(const Allocator *a) {
    const Mach *mach = a->func->mach;
    uint32_t *source = ARENA_ARRAY(a->arena, uint32_t, mach->succs.count);
    for (uint32_t b = 0; b < mach->blocks.count; b++)
        for (uint32_t k = 0; k < mach->blocks.at[b].succ_count; k++)
            source[mach->blocks.at[b].succs + k] = b;
    return source;
}

static void choose_stores(Resolution *r) {
    Allocator *a = r->a;
    const uint32_t *source = edge_sources(a);
    float *leaving = ARENA_ARRAY(a->arena, float, a->pieces.count);
    for (uint32_t k = 0; k < r->in_block.count; k++) {
        const SplitMove *change = &r->in_block.at[k];
        if (change->from != NO_ID) leaving[change->from] += instr_frequency(a, change->at / 2);
    }
    for (uint32_t k = 0; k < r->on_edge.count; k++) {
        const SplitMove *change = &r->on_edge.at[k];
        if (change->from == NO_ID || !is_clean(a, change->to)) continue;
        leaving[change->from] +=
            edge_frequency(a, a->func->mach->succs.at[change->at], source[change->at]);
    }
    for (uint32_t p = 0; p < a->pieces.count; p++) {
        AllocPiece *piece = &a->pieces.at[p];
        if (!piece->writes || piece->reg == MACHINE_REG_LIMIT || leaving[p] == 0) continue;
        float defining = 0;
        for (uint32_t k = 0; k < piece->operand_count; k++) {
            const AllocOperand *operand = &a->operands.at[piece->operands[k]];
            if (operand->def) defining += instr_frequency(a, operand->instr);
        }
        piece->store_at_def = defining <= leaving[p];
    }
}

// ---- Spills

typedef struct {
    uint32_t start, end, value;
} Home;

typedef struct {
    uint32_t end, spill;
} Ended;

static int compare_homes(const void *x, const void *y) {
    const Home *a = x, *b = y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

static bool needs_spill(const Resolution *r, uint32_t index) {
    const AllocValue *value = &r->a->values[index];
    if (!value->split || value->remake != NO_ID) return false;
    if (value->reg_class == CLASS_MEMORY || r->reads_memory[index]) return true;
    for (uint32_t k = 0; k < value->operand_count; k++) {
        const AllocOperand *operand = &r->a->operands.at[value->operands[k]];
        if (operand->piece == NO_ID && !operand->apart) return true;
    }
    return false;
}

// Values whose ranges, holes filled, do not meet share a spill: the one that was free first is
// taken by the next that starts. The heap holds spills by the end of their last range.
static void share_spills(Resolution *r, const Home *homes, uint32_t count, uint32_t *spill_count) {
    Arena *arena = r->a->arena;
    VEC(Ended) heap = {0};
    for (uint32_t k = 0; k < count; k++) {
        Home home = homes[k];
        Ended entry = {home.end, *spill_count};
        uint32_t at = 0;
        if (heap.count && heap.at[0].end < home.start) {
            entry.spill = heap.at[0].spill;
            while (2 * at + 1 < heap.count) {
                uint32_t child = 2 * at + 1;
                if (child + 1 < heap.count && heap.at[child + 1].end < heap.at[child].end) child++;
                if (heap.at[child].end >= entry.end) break;
                heap.at[at] = heap.at[child];
                at = child;
            }
        } else {
            (*spill_count)++;
            vec_push(arena, &heap, entry);
            for (at = heap.count - 1; at > 0 && heap.at[(at - 1) / 2].end > entry.end;
                 at = (at - 1) / 2)
                heap.at[at] = heap.at[(at - 1) / 2];
        }
        heap.at[at] = entry;
        r->a->values[home.value].spill = entry.spill;
    }
}

static void give_spills(Resolution *r, bool stack, uint32_t *spill_count) {
    Allocator *a = r->a;
    VEC(Home) homes = {0};
    for (uint32_t v = 0; v < a->func->regs.count; v++) {
        const AllocValue *value = &a->values[v];
        if (a->value_of[v] != v || value->operand_count == 0) continue;
        if ((value->reg_class == CLASS_MEMORY) != stack || !needs_spill(r, v)) continue;
        Home home = {.value = v};
        if (value->segments.count) {
            home.start = value->segments.at[0].start;
            home.end = value->segments.at[value->segments.count - 1].end;
        }
        vec_push(a->arena, &homes, home);
    }
    if (homes.count == 0) return;
    qsort(homes.at, homes.count, sizeof(Home), compare_homes);
    share_spills(r, homes.at, homes.count, spill_count);
}

static int compare_changes(const void *x, const void *y) {
    const SplitMove *a = x, *b = y;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

static void sort_changes(ChangeList *changes) {
    if (changes->count) qsort(changes->at, changes->count, sizeof(SplitMove), compare_changes);
}

Resolution allocate_resolve(Allocator *a, uint32_t *wide_spills, uint32_t *spill_count) {
    uint32_t regs = a->func->regs.count;
    Resolution resolution = {.a = a,
                             .located_at = ARENA_ARRAY(a->arena, uint32_t, regs),
                             .located_end = ARENA_ARRAY(a->arena, uint32_t, regs),
                             .reads_memory = ARENA_ARRAY(a->arena, bool, regs)};
    Resolution *r = &resolution;
    number_edges(r);
    for (uint32_t v = 0; v < regs; v++) {
        if (a->value_of[v] != v || !a->values[v].split || a->values[v].reg_class == CLASS_MEMORY)
            continue;
        locate(r, v);
        find_in_block(r, v);
        find_on_edges(r, v);
    }
    find_memory_reads(r);
    choose_stores(r);
    *spill_count = 0;
    give_spills(r, true, spill_count);
    *wide_spills = *spill_count;
    give_spills(r, false, spill_count);
    sort_changes(&r->in_block);
    sort_changes(&r->on_edge);
    return resolution;
}
