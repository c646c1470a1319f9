// Writes the allocated function: each instruction with its places, the moves around it, and the
// moves on edges. Moves on an edge stand at the end of a block with one successor, at the start of
// a block with one predecessor, or in a block of their own. Such a block comes right after its
// predecessor if this leaves the frequent way without a jump, otherwise at the end of the function.
#include "mach/allocate_resolve.h"

// A block, or an edge with a block of its own; the other one is NO_ID.
typedef struct {
    uint32_t block, edge;
} Placed;

typedef struct {
    Allocator *a;
    Resolution resolution;
    Writer writer;
    MoveList moves;
    VEC(Place) list;
    uint32_t next_change;  // in_block
    uint32_t *edge_change; // edge -> its first change in on_edge
    uint32_t *edge_block;  // edge -> number of the block put in on it; NO_ID: none
    uint32_t *new_number;  // of blocks
    VEC(Placed) order;
} AllocWriting;

static Place spill_of(const AllocWriting *w, uint32_t value) {
    return place_spill(w->a->values[value].spill);
}

static Place place_of(const AllocWriting *w, uint32_t value, uint32_t piece) {
    if (piece == NO_ID) return spill_of(w, value);
    return place_machine(w->a->pieces.at[piece].reg);
}

static bool is_stored(const AllocWriting *w, uint32_t value) {
    return w->a->values[value].remake == NO_ID && w->resolution.reads_memory[value];
}

static void add_move(AllocWriting *w, uint32_t value, Place dest, Place src) {
    if (dest.i == src.i) return;
    vec_push(w->a->arena, &w->moves,
             (PlaceMove){.dest = dest, .src = src, .type = w->a->values[value].type});
}

// From where a value is, which may be nowhere.
static void add_load(AllocWriting *w, uint32_t value, uint32_t from, Place dest) {
    const AllocValue *info = &w->a->values[value];
    if (from == NO_ID && info->remake != NO_ID)
        vec_push(
            w->a->arena, &w->moves,
            (PlaceMove){.dest = dest, .src = NO_PLACE, .remake = info->remake, .type = info->type});
    else
        add_move(w, value, dest, place_of(w, value, from));
}

static void add_change(AllocWriting *w, const SplitMove *change) {
    Allocator *a = w->a;
    if (change->to != NO_ID)
        add_load(w, change->value, change->from, place_of(w, change->value, change->to));
    if (change->from == NO_ID || !is_stored(w, change->value)) return;
    const AllocPiece *from = &a->pieces.at[change->from];
    const AllocPiece *to = change->to == NO_ID ? NULL : &a->pieces.at[change->to];
    bool dirty = from->writes && !from->store_at_def;
    bool clean = !to || !to->writes || to->store_at_def;
    if (dirty && clean)
        add_move(w, change->value, spill_of(w, change->value), place_machine(from->reg));
}

static void add_changes_at(AllocWriting *w, uint32_t at) {
    ChangeList *changes = &w->resolution.in_block;
    while (w->next_change < changes->count && changes->at[w->next_change].at == at)
        add_change(w, &changes->at[w->next_change++]);
}

// ---- Instructions

static Place operand_place(AllocWriting *w, const AllocOperand *operand) {
    if (operand->fixed != MACHINE_REG_LIMIT) return place_machine(operand->fixed);
    if (operand->own != NO_ID) return place_machine(w->a->pieces.at[operand->own].reg);
    return place_of(w, value_find(w->a, operand->reg), operand->piece);
}

static void moves_before(AllocWriting *w, uint32_t instr) {
    Allocator *a = w->a;
    for (uint32_t k = a->operand_at[instr]; k < a->operand_at[instr + 1]; k++) {
        const AllocOperand *operand = &a->operands.at[k];
        if (operand->def || !operand->apart) continue;
        uint32_t value = value_find(a, operand->reg);
        uint32_t from = resolved_piece(&w->resolution, value, STEP * instr + AT_BEFORE);
        add_load(w, value, from, operand_place(w, operand));
    }
    add_changes_at(w, 2 * instr);
    writer_moves(&w->writer, &w->moves);
}

// Whether a result that is apart is not in its piece for any time: it is stored at once, or dead.
static bool is_brief(const Allocator *a, const AllocOperand *operand) {
    if (operand->piece == NO_ID) return true;
    Segments segments = a->pieces.at[operand->piece].segments;
    uint32_t done = operand_position(operand);
    return segments.at[segments_at(segments, done)].end == done + 1;
}

static void move_result(AllocWriting *w, const AllocOperand *operand) {
    Allocator *a = w->a;
    uint32_t value = value_find(a, operand->reg);
    Place from = operand_place(w, operand);
    bool brief = operand->apart && is_brief(a, operand);
    bool stored =
        brief && segments_contain(a->values[value].segments, operand_position(operand) + 1);
    if (operand->piece != NO_ID) {
        const AllocPiece *piece = &a->pieces.at[operand->piece];
        if (operand->apart && !brief) add_move(w, value, place_machine(piece->reg), from);
        stored |= piece->store_at_def;
    }
    if (stored && is_stored(w, value)) add_move(w, value, spill_of(w, value), from);
}

static void moves_after(AllocWriting *w, uint32_t instr) {
    Allocator *a = w->a;
    for (uint32_t k = a->operand_at[instr]; k < a->operand_at[instr + 1]; k++)
        if (a->operands.at[k].def) move_result(w, &a->operands.at[k]);
    add_changes_at(w, 2 * instr + 1);
    writer_moves(&w->writer, &w->moves);
}

static Place *field_place(AllocWriting *w, MachInstr *instr, uint32_t field) {
    switch (field) {
    case FIELD_DEST: return &instr->dest;
    case FIELD_BASE: return &instr->base_place;
    case FIELD_INDEX: return &instr->index;
    default: break;
    }
    return field >= FIELD_LIST ? &w->list.at[field - FIELD_LIST]
                               : &instr->src[field - FIELD_SOURCE];
}

// Whether an instruction has become nothing: a move within one place, or the making of a value that
// is made again at its use. A move of a value that is made again stays, to say which of the two was
// made; to one place it costs nothing.
static bool vanishes(AllocWriting *w, uint32_t at, const MachInstr *instr) {
    Allocator *a = w->a;
    const MachInstr *from = mach_at(a->func, at);
    if (instr_is_move(from))
        return instr->dest.i == instr->src[0].i &&
               a->values[value_find(a, place_reg(from->src[0]).i)].remake == NO_ID;
    if (a->operand_at[at] == a->operand_at[at + 1]) return false;
    const AllocOperand *result = &a->operands.at[a->operand_at[at]];
    return result->def && result->piece == NO_ID &&
           a->values[value_find(a, result->reg)].remake != NO_ID;
}

static void write_instr(AllocWriting *w, uint32_t at) {
    Allocator *a = w->a;
    MachInstr instr = *mach_at(a->func, at);
    uint32_t length = instr.results + instr.arguments;
    const Place *list = mach_results(a->func, &instr);
    vec_clear(&w->list);
    for (uint32_t k = 0; k < length; k++) vec_push(a->arena, &w->list, list[k]);
    for (uint32_t k = a->operand_at[at]; k < a->operand_at[at + 1]; k++) {
        const AllocOperand *operand = &a->operands.at[k];
        *field_place(w, &instr, operand->field) = operand_place(w, operand);
    }
    moves_before(w, at);
    if (!vanishes(w, at, &instr)) writer_instr(&w->writer, at, instr, length ? w->list.at : NULL);
    if (!mach_kind_ends(instr.kind)) moves_after(w, at);
}

// ---- Edges

static void write_edge(AllocWriting *w, uint32_t edge) {
    const ChangeList *changes = &w->resolution.on_edge;
    for (uint32_t k = w->edge_change[edge]; k < changes->count && changes->at[k].at == edge; k++)
        add_change(w, &changes->at[k]);
    writer_moves(&w->writer, &w->moves);
}

static bool edge_moves(AllocWriting *w, uint32_t edge) {
    const ChangeList *changes = &w->resolution.on_edge;
    for (uint32_t k = w->edge_change[edge]; k < changes->count && changes->at[k].at == edge; k++)
        add_change(w, &changes->at[k]);
    bool any = w->moves.count > 0;
    vec_clear(&w->moves);
    return any;
}

static bool has_one_pred(const AllocWriting *w, uint32_t block) {
    return w->a->preds.first[block + 1] - w->a->preds.first[block] == 1;
}

// Whether moves can be put at the end of a block.
static bool ends_with_jump(const AllocWriting *w, const MachBlock *block) {
    return mach_at(w->a->func, block->first + block->count - 1)->kind == MK_JUMP;
}

static void index_edges(AllocWriting *w) {
    uint32_t count = w->a->func->mach->succs.count;
    const ChangeList *changes = &w->resolution.on_edge;
    w->edge_change = ARENA_ARRAY(w->a->arena, uint32_t, count);
    w->edge_block = ARENA_ARRAY(w->a->arena, uint32_t, count);
    for (uint32_t e = 0; e < count; e++)
        w->edge_change[e] = changes->count, w->edge_block[e] = NO_ID;
    for (uint32_t k = changes->count; k-- > 0;) w->edge_change[changes->at[k].at] = k;
}

static void put_block(AllocWriting *w, uint32_t edge) {
    w->edge_block[edge] = w->order.count;
    vec_push(w->a->arena, &w->order, (Placed){.block = NO_ID, .edge = edge});
}

// The blocks put in right after a block that ends with a branch.
static void put_after(AllocWriting *w, uint32_t b, const MachBlock *block, const bool *needed) {
    const uint32_t *succs = mach_succs(w->a->func, block);
    const float *frequency = w->a->frequency;
    if (block->succ_count != 2) return;
    for (uint32_t k = 0; k < 2; k++)
        if (needed[block->succs + k] && succs[k] != b + 1 &&
            (succs[!k] != b + 1 || frequency[succs[k]] > frequency[b + 1])) {
            put_block(w, block->succs + k);
            break;
        }
    for (uint32_t k = 0; k < 2; k++)
        if (needed[block->succs + k] && succs[k] == b + 1 &&
            w->edge_block[block->succs + k] == NO_ID) {
            put_block(w, block->succs + k);
            break;
        }
}

static void order_blocks(AllocWriting *w) {
    Allocator *a = w->a;
    const Mach *mach = a->func->mach;
    bool *needed = ARENA_ARRAY(a->arena, bool, mach->succs.count);
    w->new_number = ARENA_ARRAY(a->arena, uint32_t, mach->blocks.count);
    for (uint32_t b = 0; b < mach->blocks.count; b++) {
        const MachBlock *block = mach_block(a->func, b);
        for (uint32_t k = 0; !ends_with_jump(w, block) && k < block->succ_count; k++)
            needed[block->succs + k] =
                !has_one_pred(w, mach_succs(a->func, block)[k]) && edge_moves(w, block->succs + k);
        w->new_number[b] = w->order.count;
        vec_push(a->arena, &w->order, (Placed){.block = b, .edge = NO_ID});
        put_after(w, b, block, needed);
    }
    for (uint32_t e = 0; e < mach->succs.count; e++)
        if (needed[e] && w->edge_block[e] == NO_ID) put_block(w, e);
}

// ---- Blocks

static void end_block(AllocWriting *w, const MachBlock *block) {
    Allocator *a = w->a;
    const uint32_t *from = mach_succs(a->func, block);
    uint32_t *succs = ARENA_ARRAY(a->arena, uint32_t, block->succ_count);
    for (uint32_t k = 0; k < block->succ_count; k++) {
        uint32_t put_in = w->edge_block[block->succs + k];
        succs[k] = put_in == NO_ID ? w->new_number[from[k]] : put_in;
    }
    mach_end(w->writer.to, succs, block->succ_count);
}

static void write_block(AllocWriting *w, uint32_t b) {
    Allocator *a = w->a;
    const MachBlock *block = mach_block(a->func, b);
    uint32_t last = block->first + block->count - 1;
    writer_open(&w->writer, b);
    if (has_one_pred(w, b)) {
        uint32_t pred = a->preds.list[a->preds.first[b]];
        uint32_t edge = w->resolution.edge_of[a->preds.first[b]];
        if (!ends_with_jump(w, mach_block(a->func, pred))) write_edge(w, edge);
    }
    for (uint32_t i = block->first; i < last; i++) write_instr(w, i);
    if (ends_with_jump(w, block)) {
        moves_before(w, last);
        write_edge(w, block->succs);
    }
    write_instr(w, last);
    end_block(w, block);
}

static void write_put_in(AllocWriting *w, uint32_t edge) {
    writer_open(&w->writer, NO_ID);
    write_edge(w, edge);
    writer_jump(&w->writer);
    uint32_t to = w->new_number[w->a->func->mach->succs.at[edge]];
    mach_end(w->writer.to, &to, 1);
}

Func *allocate_write(Allocator *a, Arena *arena, AllocateHint *hint) {
    uint32_t wide_spills, spill_count;
    AllocWriting writing = {.a = a, .writer = writer_new(a->arena, arena, a->func, hint)},
                 *w = &writing;
    w->resolution = allocate_resolve(a, &wide_spills, &spill_count);
    for (uint32_t k = 0; k < spill_count; k++)
        writer_spill(&w->writer, k < wide_spills ? TYPE_F80 : TYPE_I64);
    index_edges(w);
    order_blocks(w);
    for (uint32_t k = 0; k < w->order.count; k++) {
        if (w->order.at[k].block != NO_ID)
            write_block(w, w->order.at[k].block);
        else
            write_put_in(w, w->order.at[k].edge);
    }
    writer_order_spills(&w->writer, wide_spills);
    return w->writer.to;
}
