// Computes live ranges, register by register: from each block that reads the register before
// setting it, back over predecessors to the blocks that set it; then block by block in the linear
// order, so that ranges come out sorted. Time and space are in proportion to the ranges.
//
// Then forms values: registers that a move connects and that are never live at once become one
// value, the most frequent moves first.
#include "mach/allocate_private.h"

#include <stdlib.h>

typedef struct {
    Allocator *a;
    uint32_t *row;      // register -> its first operand in `list`, and the end of the row before
    uint32_t *list;     // operands by register, ascending
    uint32_t *live_in;  // block -> the last register that was found to be live at its start,
    uint32_t *live_out; //   at its end,
    uint32_t *visited;  //   or to be there at all
    uint32_t *first_of; // block -> place in the row of the register's first operand there
    VEC(uint32_t) work;
    VEC(uint32_t) blocks; // with the register at hand
    VEC(LiveSegment) segments;
} Ranging;

uint32_t segments_at(Segments segments, uint32_t position) {
    uint32_t low = 0, high = segments.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (segments.at[middle].start <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1; // NO_ID if it is 0
}

static void list_operands(Ranging *r) {
    Allocator *a = r->a;
    uint32_t regs = a->func->regs.count;
    r->row = ARENA_ARRAY(a->arena, uint32_t, (size_t)regs + 2);
    r->list = ARENA_ARRAY(a->arena, uint32_t, a->operands.count);
    for (uint32_t k = 0; k < a->operands.count; k++) r->row[a->operands.at[k].reg + 2]++;
    for (uint32_t k = 2; k < regs + 2; k++) r->row[k] += r->row[k - 1];
    for (uint32_t k = 0; k < a->operands.count; k++)
        r->list[r->row[a->operands.at[k].reg + 1]++] = k;
}

static const AllocOperand *operand_of(const Ranging *r, uint32_t k) {
    return &r->a->operands.at[r->list[k]];
}

static void visit(Ranging *r, uint32_t reg, uint32_t block) {
    if (r->visited[block] == reg) return;
    r->visited[block] = reg;
    vec_push(r->a->arena, &r->blocks, block);
}

static void live_at_start(Ranging *r, uint32_t reg, uint32_t block) {
    if (r->live_in[block] == reg) return;
    r->live_in[block] = reg;
    visit(r, reg, block);
    vec_push(r->a->arena, &r->work, block);
}

// Whether an instruction reads the register, given its first operand there: results come first.
static bool reads_first(const Ranging *r, uint32_t k, uint32_t end) {
    uint32_t instr = operand_of(r, k)->instr;
    for (; k < end && operand_of(r, k)->instr == instr; k++)
        if (!operand_of(r, k)->def) return true;
    return false;
}

static void find_touched_blocks(Ranging *r, uint32_t reg) {
    Allocator *a = r->a;
    uint32_t end = r->row[reg + 1];
    vec_clear(&r->blocks);
    for (uint32_t k = r->row[reg]; k < end; k++) {
        uint32_t block = a->block_of[operand_of(r, k)->instr];
        if (r->visited[block] == reg) continue;
        visit(r, reg, block);
        r->first_of[block] = k;
        if (reads_first(r, k, end)) live_at_start(r, reg, block);
    }
}

static bool has_operand(const Ranging *r, uint32_t reg, uint32_t block) {
    uint32_t k = r->first_of[block];
    return k >= r->row[reg] && k < r->row[reg + 1] &&
           r->a->block_of[operand_of(r, k)->instr] == block;
}

static bool is_set_in(const Ranging *r, uint32_t reg, uint32_t block) {
    if (!has_operand(r, reg, block)) return false;
    for (uint32_t k = r->first_of[block]; k < r->row[reg + 1]; k++) {
        const AllocOperand *operand = operand_of(r, k);
        if (r->a->block_of[operand->instr] != block) return false;
        if (operand->def) return true;
    }
    return false;
}

static void walk_back(Ranging *r, uint32_t reg) {
    const MachPreds *preds = &r->a->preds;
    while (r->work.count > 0) {
        uint32_t block = vec_pop(&r->work);
        for (uint32_t e = preds->first[block]; e < preds->first[block + 1]; e++) {
            uint32_t pred = preds->list[e];
            if (r->live_out[pred] == reg) continue;
            r->live_out[pred] = reg;
            visit(r, reg, pred);
            if (!is_set_in(r, reg, pred)) live_at_start(r, reg, pred);
        }
    }
}

static void add_segment(Ranging *r, uint32_t start, uint32_t end) {
    LiveSegment *last = r->segments.count ? &r->segments.at[r->segments.count - 1] : NULL;
    if (last && last->end >= start) {
        if (end > last->end) last->end = end;
    } else {
        vec_push(r->a->arena, &r->segments, (LiveSegment){start, end});
    }
}

// The ranges in one block. Uses of an instruction come before its results, though they stand behind
// them in the row.
static void scan_block(Ranging *r, uint32_t reg, uint32_t block) {
    Allocator *a = r->a;
    bool open = r->live_in[block] == reg;
    uint32_t start = block_start(a, block), last = start;
    uint32_t k = has_operand(r, reg, block) ? r->first_of[block] : r->row[reg + 1];
    while (k < r->row[reg + 1] && a->block_of[operand_of(r, k)->instr] == block) {
        uint32_t instr = operand_of(r, k)->instr;
        const AllocOperand *def = NULL;
        for (; k < r->row[reg + 1] && operand_of(r, k)->instr == instr; k++) {
            const AllocOperand *operand = operand_of(r, k);
            if (operand->def) {
                def = operand;
            } else if (operand_position(operand) > last) {
                last = operand_position(operand);
            }
        }
        if (!def) continue;
        if (open) add_segment(r, start, last);
        start = operand_position(def);
        last = STEP * instr + (def->apart ? AT_DONE + 1 : AT_DONE);
        open = true;
    }
    if (r->live_out[block] == reg) last = block_end(a, block);
    if (open) add_segment(r, start, last);
}

static int compare_blocks(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static void make_value(Ranging *r, uint32_t reg) {
    Allocator *a = r->a;
    AllocValue *value = &a->values[reg];
    Type type = a->func->regs.at[reg].type;
    value->type = (uint8_t)type;
    value->reg_class = (uint8_t)a->func->program->target->class_of(type);
    value->spill = value->remake = NO_ID;
    value->operands = r->list + r->row[reg];
    value->operand_count = r->row[reg + 1] - r->row[reg];
    value->segments.count = r->segments.count;
    if (r->segments.count)
        value->segments.at =
            arena_copy(a->arena, r->segments.at, r->segments.count * sizeof(LiveSegment));
    vec_clear(&r->segments);
}

static uint32_t *marks(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t k = 0; k < count; k++) table[k] = NO_ID;
    return table;
}

void allocate_ranges(Allocator *a) {
    uint32_t blocks = a->func->mach->blocks.count, regs = a->func->regs.count;
    Ranging r = {.a = a,
                 .live_in = marks(a->arena, blocks),
                 .live_out = marks(a->arena, blocks),
                 .visited = marks(a->arena, blocks),
                 .first_of = marks(a->arena, blocks)};
    list_operands(&r);
    a->values = ARENA_ARRAY(a->arena, AllocValue, regs);
    a->value_of = ARENA_ARRAY(a->arena, uint32_t, regs);
    for (uint32_t reg = 0; reg < regs; reg++) {
        a->value_of[reg] = reg;
        find_touched_blocks(&r, reg);
        walk_back(&r, reg);
        if (r.blocks.count > 1)
            qsort(r.blocks.at, r.blocks.count, sizeof(uint32_t), compare_blocks);
        for (uint32_t k = 0; k < r.blocks.count; k++) scan_block(&r, reg, r.blocks.at[k]);
        make_value(&r, reg);
    }
}

// ---- Coalescing

static bool segments_meet(Segments x, Segments y) {
    if (x.count > y.count) {
        Segments swap = x;
        x = y;
        y = swap;
    }
    for (uint32_t k = 0; k < x.count; k++) {
        uint32_t at = segments_at(y, x.at[k].start);
        if (at != NO_ID && y.at[at].end > x.at[k].start) return true;
        if (at + 1 < y.count && y.at[at + 1].start < x.at[k].end) return true;
    }
    return false;
}

static Segments segments_merge(Arena *arena, Segments x, Segments y) {
    Segments out = {.at = ARENA_ARRAY(arena, LiveSegment, x.count + y.count)};
    uint32_t i = 0, j = 0;
    while (i < x.count || j < y.count) {
        bool first = j == y.count || (i < x.count && x.at[i].start < y.at[j].start);
        LiveSegment next = first ? x.at[i++] : y.at[j++];
        if (out.count && out.at[out.count - 1].end == next.start)
            out.at[out.count - 1].end = next.end;
        else
            out.at[out.count++] = next;
    }
    return out;
}

static uint32_t *operands_merge(Arena *arena, const AllocValue *x, const AllocValue *y) {
    uint32_t *out = ARENA_ARRAY(arena, uint32_t, x->operand_count + y->operand_count);
    uint32_t i = 0, j = 0, count = 0;
    while (i < x->operand_count || j < y->operand_count) {
        bool first =
            j == y->operand_count || (i < x->operand_count && x->operands[i] < y->operands[j]);
        out[count++] = first ? x->operands[i++] : y->operands[j++];
    }
    return out;
}

// The limit on the cost of merging, so that a long row of moves into one value stays affordable.
enum { MERGE_LIMIT = 4096 };

static void coalesce_move(Allocator *a, uint32_t instr) {
    const MachInstr *move = mach_at(a->func, instr);
    uint32_t x = value_find(a, place_reg(move->dest).i);
    uint32_t y = value_find(a, place_reg(move->src[0]).i);
    if (x == y) return;
    AllocValue *to = &a->values[x], *from = &a->values[y];
    if (to->reg_class != from->reg_class || to->type != from->type) return;
    if (to->operand_count + from->operand_count > MERGE_LIMIT) return;
    if (segments_meet(to->segments, from->segments)) return;
    to->segments = segments_merge(a->arena, to->segments, from->segments);
    to->operands = operands_merge(a->arena, to, from);
    to->operand_count += from->operand_count;
    *from = (AllocValue){.spill = NO_ID, .remake = NO_ID};
    a->value_of[y] = x;
}

typedef struct {
    float frequency;
    uint32_t instr;
} Candidate;

static int compare_candidates(const void *x, const void *y) {
    const Candidate *a = x, *b = y;
    if (a->frequency != b->frequency) return a->frequency < b->frequency ? 1 : -1;
    return (a->instr > b->instr) - (a->instr < b->instr);
}

void allocate_coalesce(Allocator *a) {
    VEC(Candidate) moves = {0};
    for (uint32_t i = 0; i < a->func->mach->code.count; i++)
        if (instr_is_move(mach_at(a->func, i)))
            vec_push(a->arena, &moves, (Candidate){.frequency = instr_frequency(a, i), .instr = i});
    if (moves.count) qsort(moves.at, moves.count, sizeof(Candidate), compare_candidates);
    for (uint32_t k = 0; k < moves.count; k++) coalesce_move(a, moves.at[k].instr);
}
