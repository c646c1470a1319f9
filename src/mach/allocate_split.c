// Splitting pieces that got no register. A piece goes through stages, each with shorter pieces:
//   WHOLE  leaves the loops just inside its own loop in which its value does not occur;
//   BUSY   is divided into a piece for each such loop, and the rest;
//   REST   is divided into a piece for each block in which the value occurs;
//   LOCAL  is divided at the longest gap between two occurrences in its block;
//   POINT  is one instruction, which must have its register.
// A part of a range that no piece covers is in memory. At the end of the line an instruction may
// take its operand from memory itself.
#include "mach/allocate_private.h"

typedef struct {
    VEC(LiveSegment) segments;
    VEC(uint32_t) operands;
    uint32_t loop;
    uint8_t stage;
    float loads, stores, definitions; // how often it is entered and left, and defines the value
} SplitPart;

typedef struct {
    Allocator *a;
    AllocPiece piece; // that is split
    VEC(SplitPart) parts;
    VEC(uint32_t) blocks; // that it touches
    VEC(uint32_t) work;
} PieceSplit;

enum { IN_MEMORY = NO_ID };

static const AllocOperand *operand_of(const PieceSplit *s, uint32_t k) {
    return &s->a->operands.at[s->piece.operands[k]];
}

static void new_piece(PieceSplit *s, AllocPiece piece) {
    Allocator *a = s->a;
    piece.value = s->piece.value;
    uint32_t index = piece_new(a, piece);
    vec_push(a->arena, &a->values[piece.value].pieces, index);
    for (uint32_t k = 0; k < piece.operand_count; k++)
        a->operands.at[piece.operands[k]].piece = index;
}

// ---- One instruction

typedef struct {
    const AllocOperand *use, *def; // the last use, and the result, that are not apart
    uint32_t uses;
} Accesses;

static Accesses accesses_of(const PieceSplit *s, uint32_t first, uint32_t end) {
    Accesses accesses = {0};
    for (uint32_t k = first; k < end; k++) {
        const AllocOperand *operand = operand_of(s, k);
        if (operand->apart) continue;
        if (operand->def) {
            accesses.def = operand;
        } else {
            accesses.use = operand;
            accesses.uses++;
        }
    }
    return accesses;
}

// Whether the result may be in the place of another operand, so that this operand is not copied.
static bool has_swappable(const Allocator *a, const AllocOperand *tied) {
    for (uint32_t k = a->operand_at[tied->instr]; k < a->operand_at[tied->instr + 1]; k++) {
        const AllocOperand *operand = &a->operands.at[k];
        if (operand != tied && !operand->def && operand->partner == tied->partner) return true;
    }
    return false;
}

// Whether a result in memory would not have to be an operand's, too.
static bool stores_alone(const Allocator *a, const AllocOperand *def) {
    return def->partner == NO_ID || instr_is_move(mach_at(a->func, def->instr));
}

// Whether the instruction can itself take its operand from the value's spill; see one_memory.
static bool takes_from_memory(PieceSplit *s, const Accesses *access) {
    Allocator *a = s->a;
    const AllocOperand *use = access->use, *def = access->def;
    uint32_t instr = (use ? use : def)->instr;
    const AllocOperand *operands = a->operands.at;
    bool first_tied = use && use->partner != NO_ID && operands[use->partner].partner != NO_ID &&
                      &operands[operands[use->partner].partner] == use;
    if ((use && !use->spill_ok) || (def && !def->spill_ok)) return false;
    if (use && def) {
        if (access->uses != 1 || !first_tied || !a->one_memory[instr]) return false;
    } else if (def && !stores_alone(a, def)) {
        return false;
    }
    if (!a->one_memory[instr]) return true;
    if (access->uses > 1) return false;
    bool copied = !def && first_tied && !instr_is_move(mach_at(a->func, instr));
    if (copied && !has_swappable(a, use)) return true;
    if (a->in_memory[instr]) return false;
    a->in_memory[instr] = true;
    return true;
}

static bool is_idle_move(PieceSplit *s, const Accesses *access) {
    return access->use && access->def && instr_is_move(mach_at(s->a->func, access->use->instr));
}

static void point_piece(PieceSplit *s, uint32_t first, uint32_t end) {
    Allocator *a = s->a;
    SplitPart part = {.stage = STAGE_POINT};
    LiveSegment use = {0}, def = {0};
    for (uint32_t k = first; k < end; k++) {
        const AllocOperand *operand = operand_of(s, k);
        uint32_t base = STEP * operand->instr, at = operand_position(operand);
        if (operand->apart) continue;
        if (operand->def) {
            def = (LiveSegment){at, base + AT_DONE};
        } else {
            use.start = base + AT_READ;
            if (at > use.end) use.end = at;
        }
        vec_push(a->arena, &part.operands, s->piece.operands[k]);
    }
    if (use.end && use.end == def.start) {
        use.end = def.end;
        def.end = 0;
    }
    if (use.end) vec_push(a->arena, &part.segments, use);
    if (def.end) vec_push(a->arena, &part.segments, def);
    new_piece(s, (AllocPiece){.loop = s->piece.loop,
                              .segments = {part.segments.at, part.segments.count},
                              .operands = part.operands.at,
                              .operand_count = part.operands.count,
                              .stage = STAGE_POINT});
}

// The operands from first to end are those of one instruction.
static void one_instr(PieceSplit *s, uint32_t first, uint32_t end) {
    Accesses access = accesses_of(s, first, end);
    bool remade = s->a->values[s->piece.value].remake != NO_ID;
    for (uint32_t k = first; k < end; k++) s->a->operands.at[s->piece.operands[k]].piece = NO_ID;
    if (!access.use && (!access.def || remade)) return;
    if (is_idle_move(s, &access) || (!remade && takes_from_memory(s, &access))) return;
    point_piece(s, first, end);
}

static uint32_t instr_end(const PieceSplit *s, uint32_t k) {
    uint32_t instr = operand_of(s, k)->instr;
    while (k < s->piece.operand_count && operand_of(s, k)->instr == instr) k++;
    return k;
}

static void each_instr(PieceSplit *s, uint32_t first, uint32_t end) {
    while (first < end) {
        uint32_t next = instr_end(s, first);
        one_instr(s, first, next);
        first = next;
    }
}

// ---- Within a block

// Operands that need not be in a register at the start of a piece: operands that are moved to their
// places anyway, and definitions of values that can be made again.
static bool starts_in_memory(const PieceSplit *s, const AllocOperand *operand) {
    if (operand->def) return s->a->values[s->piece.value].remake != NO_ID;
    return operand->apart;
}

static void clip(PieceSplit *s, LiveSegment window, SplitPart *part) {
    Segments segments = s->piece.segments;
    uint32_t k = segments_at(segments, window.start);
    for (k = k == NO_ID ? 0 : k; k < segments.count && segments.at[k].start < window.end; k++) {
        LiveSegment segment = segments.at[k];
        if (segment.start < window.start) segment.start = window.start;
        if (segment.end > window.end) segment.end = window.end;
        if (segment.start < segment.end) vec_push(s->a->arena, &part->segments, segment);
    }
}

// From the place where the first operand needs the value to the place where the last operand does.
// A piece that ends with a definition goes on until that could be stored.
static LiveSegment window_of(const PieceSplit *s, uint32_t first, uint32_t end) {
    LiveSegment window = {UINT32_MAX, 0};
    uint32_t start_instr = operand_of(s, first)->instr;
    for (uint32_t k = first; k < end; k++) {
        const AllocOperand *operand = operand_of(s, k);
        uint32_t at = operand_position(operand), base = STEP * operand->instr;
        uint32_t from = operand->def ? at : base + AT_READ;
        uint32_t to = !operand->def ? at : operand->apart ? base + AT_DONE + 1 : base + AT_DONE;
        if (operand->instr == start_instr && from < window.start) window.start = from;
        if (to > window.end) window.end = to;
    }
    return window;
}

static bool all_start_in_memory(const PieceSplit *s, uint32_t first, uint32_t end) {
    for (uint32_t k = first; k < end; k++)
        if (!starts_in_memory(s, operand_of(s, k))) return false;
    return true;
}

// Whether the operands, of one instruction, only define the value and can do so in memory.
static bool only_stores(const PieceSplit *s, uint32_t first, uint32_t end) {
    for (uint32_t k = first; k < end; k++) {
        const AllocOperand *operand = operand_of(s, k);
        bool stores = operand->apart || (operand->spill_ok && !s->a->in_memory[operand->instr] &&
                                         stores_alone(s->a, operand));
        if (!operand->def || !stores) return false;
    }
    return true;
}

static uint32_t instr_begin(const PieceSplit *s, uint32_t first, uint32_t k) {
    while (k > first && operand_of(s, k - 1)->instr == operand_of(s, k)->instr) k--;
    return k;
}

static bool has_definition(const PieceSplit *s, uint32_t first, uint32_t end) {
    for (uint32_t k = first; k < end; k++)
        if (operand_of(s, k)->def) return true;
    return false;
}

// A piece for the operands from first to end, all in one block.
static void local_piece(PieceSplit *s, uint32_t first, uint32_t end) {
    while (first < end) {
        uint32_t next = instr_end(s, first);
        if (!all_start_in_memory(s, first, next)) break;
        one_instr(s, first, next);
        first = next;
    }
    while (first < end) {
        uint32_t last = instr_begin(s, first, end - 1);
        if (!only_stores(s, last, end)) break;
        one_instr(s, last, end);
        end = last;
    }
    if (first == end) return;
    if (instr_end(s, first) >= end) {
        one_instr(s, first, end);
        return;
    }
    SplitPart part = {.stage = STAGE_LOCAL};
    LiveSegment window = window_of(s, first, end);
    float frequency = instr_frequency(s->a, window.start / STEP);
    bool lives_on = segments_contain(s->a->values[s->piece.value].segments, window.end);
    clip(s, window, &part);
    new_piece(s, (AllocPiece){.loop = s->piece.loop,
                              .segments = {part.segments.at, part.segments.count},
                              .operands = s->piece.operands + first,
                              .operand_count = end - first,
                              .loads = window.start % STEP == AT_READ ? frequency : 0,
                              .stores = lives_on && has_definition(s, first, end) ? frequency : 0,
                              .stage = STAGE_LOCAL});
}

// The operands between which to divide: at the longest way from one operand to the next, where a
// call on the way makes it longer; of equal ways, at the one nearest to the middle.
static uint32_t best_gap(const PieceSplit *s) {
    enum { CALL_LENGTH = 64 };
    uint32_t count = s->piece.operand_count, best = 0;
    uint64_t longest = 0;
    for (uint32_t k = instr_end(s, 0); k < count; k = instr_end(s, k)) {
        uint32_t from = operand_of(s, k - 1)->instr, to = operand_of(s, k)->instr;
        uint64_t length = to - from;
        if (events_kill(s->a, from, to)) length += CALL_LENGTH;
        uint32_t balance = k < count / 2 ? k : count - k;
        length = length * 65536 + (balance > 65535 ? 65535 : balance);
        if (length > longest) {
            longest = length;
            best = k;
        }
    }
    return best;
}

static void split_local(PieceSplit *s) {
    uint32_t gap = best_gap(s);
    if (gap == 0) {
        each_instr(s, 0, s->piece.operand_count);
        return;
    }
    local_piece(s, 0, gap);
    local_piece(s, gap, s->piece.operand_count);
}

static uint32_t block_at(const PieceSplit *s, uint32_t k) {
    return s->a->block_of[operand_of(s, k)->instr];
}

static void split_blocks(PieceSplit *s) {
    uint32_t count = s->piece.operand_count;
    for (uint32_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && block_at(s, end) == block_at(s, first)) end++;
        local_piece(s, first, end);
    }
}

// ---- Dividing by blocks

typedef uint32_t Labeller(const PieceSplit *s, uint32_t block);

// Labels each block that the piece touches with its part, and lists them.
static void label_blocks(PieceSplit *s, Labeller *label) {
    Allocator *a = s->a;
    uint32_t stamp = ++a->block_stamp;
    for (uint32_t k = 0; k < s->piece.segments.count; k++) {
        LiveSegment segment = s->piece.segments.at[k];
        uint32_t last = a->block_of[(segment.end - 1) / STEP];
        for (uint32_t b = a->block_of[segment.start / STEP]; b <= last; b++) {
            if (a->label_stamp[b] == stamp) continue;
            a->label_stamp[b] = stamp;
            a->label[b] = label(s, b);
            a->reached[b] = 0;
            vec_push(a->arena, &s->blocks, b);
        }
    }
}

static bool same_part(const Allocator *a, uint32_t from, uint32_t to) {
    return a->label_stamp[to] == a->block_stamp && a->label[to] == a->label[from];
}

static void reach(PieceSplit *s, uint32_t block, uint8_t mark) {
    if (s->a->reached[block] & mark) return;
    s->a->reached[block] |= mark;
    vec_push(s->a->arena, &s->work, block);
}

enum { BEHIND = 1, AHEAD = 2 };

// Marks the blocks behind blocks with operands in their part, or ahead of them.
static void spread(PieceSplit *s, uint8_t mark) {
    Allocator *a = s->a;
    while (s->work.count > 0) {
        uint32_t b = vec_pop(&s->work);
        const MachBlock *block = mach_block(a->func, b);
        if (mark == BEHIND) {
            for (uint32_t k = 0; k < block->succ_count; k++)
                if (same_part(a, b, mach_succs(a->func, block)[k]))
                    reach(s, mach_succs(a->func, block)[k], mark);
        } else {
            for (uint32_t e = a->preds.first[b]; e < a->preds.first[b + 1]; e++)
                if (same_part(a, b, a->preds.list[e])) reach(s, a->preds.list[e], mark);
        }
    }
}

// Takes out of the parts the blocks that do not lie between two with operands. Making again what
// can be made again is no occurrence.
static void prune(PieceSplit *s) {
    Allocator *a = s->a;
    bool remade = a->values[s->piece.value].remake != NO_ID;
    for (uint8_t mark = BEHIND; mark <= AHEAD; mark++) {
        for (uint32_t k = 0; k < s->piece.operand_count; k++)
            if (!(operand_of(s, k)->def && remade)) reach(s, block_at(s, k), mark);
        spread(s, mark);
    }
    for (uint32_t k = 0; k < s->blocks.count; k++)
        if (a->reached[s->blocks.at[k]] != (BEHIND | AHEAD)) a->label[s->blocks.at[k]] = IN_MEMORY;
}

static void divide_segments(PieceSplit *s) {
    Allocator *a = s->a;
    for (uint32_t k = 0; k < s->piece.segments.count; k++) {
        LiveSegment segment = s->piece.segments.at[k];
        for (uint32_t b = a->block_of[segment.start / STEP]; segment.start < segment.end; b++) {
            uint32_t end = block_end(a, b) < segment.end ? block_end(a, b) : segment.end;
            if (a->label[b] != IN_MEMORY) {
                SplitPart *part = &s->parts.at[a->label[b]];
                uint32_t count = part->segments.count;
                if (count && part->segments.at[count - 1].end == segment.start)
                    part->segments.at[count - 1].end = end;
                else
                    vec_push(a->arena, &part->segments, (LiveSegment){segment.start, end});
            }
            segment.start = end;
        }
    }
}

static void divide_operands(PieceSplit *s) {
    Allocator *a = s->a;
    for (uint32_t first = 0, end; first < s->piece.operand_count; first = end) {
        uint32_t label = a->label[block_at(s, first)];
        end = instr_end(s, first);
        if (label == IN_MEMORY) one_instr(s, first, end);
        for (uint32_t k = first; label != IN_MEMORY && k < end; k++)
            vec_push(a->arena, &s->parts.at[label].operands, s->piece.operands[k]);
    }
}

static float edge_frequency(const Allocator *a, uint32_t from, uint32_t to) {
    return a->frequency[from] < a->frequency[to] ? a->frequency[from] : a->frequency[to];
}

static bool live_at_start(const PieceSplit *s, uint32_t block) {
    return segments_contain(s->piece.segments, block_start(s->a, block));
}

static void count_crossings(PieceSplit *s) {
    Allocator *a = s->a;
    for (uint32_t k = 0; k < s->blocks.count; k++) {
        uint32_t b = s->blocks.at[k];
        if (!live_at_start(s, b)) continue;
        for (uint32_t e = a->preds.first[b]; e < a->preds.first[b + 1]; e++) {
            uint32_t from = a->preds.list[e];
            if (same_part(a, b, from)) continue;
            float frequency = edge_frequency(a, from, b);
            if (a->label[b] != IN_MEMORY) s->parts.at[a->label[b]].loads += frequency;
            if (a->label_stamp[from] == a->block_stamp && a->label[from] != IN_MEMORY)
                s->parts.at[a->label[from]].stores += frequency;
        }
    }
    for (uint32_t k = 0; k < s->piece.operand_count; k++) {
        uint32_t label = a->label[block_at(s, k)];
        if (label != IN_MEMORY && operand_of(s, k)->def)
            s->parts.at[label].definitions += a->frequency[block_at(s, k)];
    }
}

static float smaller(float a, float b) {
    return a < b ? a : b;
}

static void divide(PieceSplit *s, Labeller *label) {
    label_blocks(s, label);
    prune(s);
    divide_segments(s);
    divide_operands(s);
    count_crossings(s);
    for (uint32_t p = 0; p < s->parts.count; p++) {
        SplitPart *part = &s->parts.at[p];
        if (part->operands.count == 0) continue;
        new_piece(s, (AllocPiece){.loop = part->loop,
                                  .segments = {part->segments.at, part->segments.count},
                                  .operands = part->operands.at,
                                  .operand_count = part->operands.count,
                                  .loads = part->loads,
                                  .stores = smaller(part->stores, part->definitions),
                                  .stage = part->stage});
    }
}

// ---- Loops

// The loop just inside the piece's own that a block lies in; NO_ID if none.
static uint32_t inner_loop(const PieceSplit *s, uint32_t block) {
    uint32_t loop = s->a->loop_of[block];
    while (loop != NO_ID && s->a->loop_parent[loop] != s->piece.loop)
        loop = s->a->loop_parent[loop];
    return loop;
}

// Marks the inner loops in which the value occurs, with a part for each on request.
static uint32_t mark_busy(PieceSplit *s, bool parts) {
    Allocator *a = s->a;
    uint32_t count = 0;
    a->stamp++;
    for (uint32_t k = 0; k < s->piece.operand_count; k++) {
        uint32_t loop = inner_loop(s, block_at(s, k));
        if (loop == NO_ID || a->loop_stamp[loop] == a->stamp) continue;
        a->loop_stamp[loop] = a->stamp;
        a->loop_label[loop] = s->parts.count;
        count++;
        if (parts) vec_push(a->arena, &s->parts, (SplitPart){.loop = loop, .stage = STAGE_WHOLE});
    }
    return count;
}

static uint32_t label_busy(const PieceSplit *s, uint32_t block) {
    uint32_t loop = inner_loop(s, block);
    return loop != NO_ID && s->a->loop_stamp[loop] != s->a->stamp ? IN_MEMORY : 0;
}

static bool has_idle_loop(PieceSplit *s) {
    Allocator *a = s->a;
    for (uint32_t k = 0; k < s->piece.segments.count; k++) {
        LiveSegment segment = s->piece.segments.at[k];
        uint32_t last = a->block_of[(segment.end - 1) / STEP];
        for (uint32_t b = a->block_of[segment.start / STEP]; b <= last; b++)
            if (label_busy(s, b) == IN_MEMORY) return true;
    }
    return false;
}

static bool split_idle(PieceSplit *s) {
    mark_busy(s, false);
    if (!has_idle_loop(s)) return false;
    vec_push(s->a->arena, &s->parts, (SplitPart){.loop = s->piece.loop, .stage = STAGE_BUSY});
    divide(s, label_busy);
    return true;
}

static uint32_t label_loop(const PieceSplit *s, uint32_t block) {
    uint32_t loop = inner_loop(s, block);
    if (loop == NO_ID) return 0;
    return s->a->loop_stamp[loop] == s->a->stamp ? s->a->loop_label[loop] : IN_MEMORY;
}

static bool split_loops(PieceSplit *s) {
    vec_push(s->a->arena, &s->parts, (SplitPart){.loop = s->piece.loop, .stage = STAGE_REST});
    if (mark_busy(s, true) == 0) return false;
    divide(s, label_loop);
    return true;
}

void allocate_split(Allocator *a, uint32_t index) {
    PieceSplit split = {.a = a, .piece = a->pieces.at[index]}, *s = &split;
    a->values[s->piece.value].split = true;
    switch ((Stage)s->piece.stage) {
    case STAGE_WHOLE:
        if (split_idle(s)) return;
        // fall through
    case STAGE_BUSY:
        if (split_loops(s)) return;
        // fall through
    case STAGE_REST: split_blocks(s); return;
    case STAGE_LOCAL:
    case STAGE_POINT: split_local(s); return;
    }
}
