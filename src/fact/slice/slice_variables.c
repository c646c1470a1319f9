#include "fact/slice/slice_variables.h"

#include "fact/calls.h"
#include "fact/effects.h"
#include "fact/slice/slice_addresses.h"
#include "text/text.h"

#include <stdlib.h>

// An object of the function that may be written, and the facts about it.
typedef struct {
    bool is_slot, shared, unaddressed;
    uint32_t ref;
    uint64_t size;
    uint32_t first_cut, cut_count;
    uint32_t accesses;
    uint64_t touched; // pieces, by all accesses together
    uint32_t order;   // of a slot: its number among those that are exposed at some node, or NO_ID
} SliceObject;

// An access of a node to an object: bytes from..to - 1, or the whole object if the bytes are not
// known.
typedef struct {
    uint32_t node;
    SliceList list;
    uint32_t object;
    bool fixed;
    uint64_t from, to;
    SliceTypes types;
} SliceAccess;

// An access of a node to a cell.
typedef struct {
    uint32_t node;
    SliceList list;
    SliceCell cell;
    uint32_t own; // the variable that stands for it
} SliceTouch;

// A variable that is no piece.
typedef struct {
    uint32_t node;
    SliceList list;
    uint32_t variable;
} SlicePlain;

typedef struct {
    uint32_t object;
    uint64_t at;
} SliceCut; // where a piece ends and the next one begins

typedef struct {
    Arena *arena;
    const Func *func;
    const SliceCalls *calls;
    Places places;
    SliceVariables result;
    VEC(SliceObject) objects; // slots first
    Map object_of_symbol;
    VEC(SliceAccess) accesses; // by node
    VEC(SliceCut) cuts;
    VEC(SlicePlain) plain; // by node
    SliceRoots roots;
    VEC(SliceTouch) touches; // by node
    Table cell_table;        // of result.cells
    VEC(uint32_t) shared;    // variables: pieces to which pointers may lead
    uint32_t first_cell;     // variable
    const SliceApart *apart; // assumptions
    uint32_t apart_count;
    SliceCarriers carriers;
    VEC(uint32_t) ordered; // slots that are exposed at some nodes
    uint64_t *known;       // node -> which of these are, by the time it is executed
    uint8_t *accessed;     // node -> bit READS, MAY_SET: its lists have SLICE_MEMORY
} SliceFinder;

// ---- Slots that others know of

// Whether others may know of a slot when a node is executed.
static bool is_known(const SliceFinder *finder, Node node, uint32_t slot) {
    const SliceObject *object = &finder->objects.at[slot];
    if (object->shared) return true;
    return object->order != NO_ID && finder->known[node.i] >> object->order & 1;
}

// The slot that a register leads to at a node, and that nobody else knows of; NO_ID if there is
// none.
static uint32_t hidden_slot(const SliceFinder *finder, Node node, Reg reg) {
    uint32_t slot = finder->carriers.carries[reg.i];
    return slot != NO_ID && is_known(finder, node, slot) ? NO_ID : slot;
}

// Gives a slot that a node exposes a number; slots beyond 64 are shared.
static void expose_slot(SliceFinder *finder, Node node, uint32_t slot) {
    SliceObject *object = &finder->objects.at[slot];
    if (object->order == NO_ID && finder->ordered.count < 64) {
        object->order = finder->ordered.count;
        vec_push(finder->arena, &finder->ordered, slot);
    }
    if (object->order == NO_ID)
        object->shared = true;
    else
        finder->known[node.i] |= (uint64_t)1 << object->order;
}

// From the nodes that expose slots, forward.
static void spread_known(SliceFinder *finder) {
    const Func *func = finder->func;
    VEC(uint32_t) work = {0};
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (finder->known[n]) vec_push(finder->arena, &work, n);
    while (work.count) {
        uint32_t n = vec_pop(&work);
        const Node *succs = instr_succs(func, &func->nodes.at[n]);
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++) {
            uint64_t more = finder->known[n] & ~finder->known[succs[k].i];
            if (!more) continue;
            finder->known[succs[k].i] |= more;
            vec_push(finder->arena, &work, succs[k].i);
        }
    }
}

static void find_known(SliceFinder *finder) {
    const Func *func = finder->func;
    finder->carriers = slice_carriers_of(finder->arena, func, &finder->places, NULL);
    finder->known = ARENA_ARRAY(finder->arena, uint64_t, func->nodes.count);
    finder->accessed = ARENA_ARRAY(finder->arena, uint8_t, func->nodes.count);
    for (uint32_t s = 0; s < func->slots.count; s++)
        finder->objects.at[s].shared = bits_has(&finder->carriers.lost, s);
    for (uint32_t n = 0; func->slots.count && n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->arg_count; k++)
            if (slice_use_of(&finder->carriers, finder->calls, instr, k) == SLICE_USE_EXPOSES)
                expose_slot(finder, (Node){n},
                            finder->carriers.carries[instr_args(func, instr)[k].i]);
    }
    spread_known(finder);
}

// ---- What nodes do

// Notes an access to memory that others know of, for the slots among it.
static void access_memory(SliceFinder *finder, Node node, SliceList list) {
    finder->accessed[node.i] |= (uint8_t)(1u << (list == SLICE_READS ? list : SLICE_MAY_SET));
}

static void touch(SliceFinder *finder, Node node, SliceList list, uint32_t variable) {
    vec_push(finder->arena, &finder->plain, (SlicePlain){node.i, list, variable});
    if (variable == SLICE_MEMORY) access_memory(finder, node, list);
}

static void touch_cell(SliceFinder *finder, Node node, SliceList list, const SliceCell *cell) {
    vec_push(finder->arena, &finder->touches, (SliceTouch){node.i, list, *cell, NO_ID});
    access_memory(finder, node, list);
}

static void touch_world(SliceFinder *finder, Node node, SliceCallEffect effect) {
    for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++) {
        if (effect.reads >> v & 1) touch(finder, node, SLICE_READS, v);
        if (effect.may_set >> v & 1) touch(finder, node, SLICE_MAY_SET, v);
    }
}

// The number of the object of some bytes; NO_ID if it is read-only.
static uint32_t object_of(SliceFinder *finder, const MemBytes *bytes) {
    if (bytes->base == BASE_SLOT) return bytes->ref;
    const Symbol *symbol = program_at(finder->func->program, (Sym){bytes->ref});
    if (symbol->flags & SYMF_CONST) return NO_ID;
    uint32_t object = map_get(&finder->object_of_symbol, bytes->ref);
    if (object != HASH_NONE) return object;
    object = finder->objects.count;
    map_set(finder->arena, &finder->object_of_symbol, bytes->ref, object);
    vec_push(finder->arena, &finder->objects,
             (SliceObject){.ref = bytes->ref,
                           .shared = true,
                           .unaddressed =
                               finder->calls && bits_has(&finder->calls->unaddressed, bytes->ref),
                           .size = symbol->size});
    return object;
}

// Bytes behind a register or NO_REG, or the given cell if they lie in no known object.
static void access_bytes(SliceFinder *finder, Node node, SliceList list, MemBytes bytes, Reg base,
                         const SliceCell *cell) {
    if (!bytes.size) return;
    uint32_t slot = base.i == NO_ID ? NO_ID : hidden_slot(finder, node, base);
    if (bytes.base == BASE_NONE && slot != NO_ID) {
        MemBytes inside = {.base = BASE_SLOT, .ref = slot, .size = bytes.size};
        access_bytes(finder, node, list, inside, NO_REG, cell);
        if (!finder->carriers.number[base.i]) return;
    }
    if (bytes.base == BASE_NONE) {
        touch_cell(finder, node, list, cell);
        return;
    }
    uint32_t object = object_of(finder, &bytes);
    if (object == NO_ID) return;
    SliceObject *info = &finder->objects.at[object];
    bool inside = bytes.fixed && bytes.size <= info->size && bytes.at <= info->size - bytes.size;
    SliceAccess access = {
        .node = node.i, .list = list, .object = object, .fixed = inside, .to = info->size};
    access.types = slice_type(cell->type);
    info->accesses++;
    if (inside) {
        access.from = bytes.at;
        access.to = bytes.at + bytes.size;
        vec_push(finder->arena, &finder->cuts, (SliceCut){object, access.from});
        vec_push(finder->arena, &finder->cuts, (SliceCut){object, access.to});
    } else if (list == SLICE_SETS) {
        access.list = SLICE_MAY_SET;
    }
    vec_push(finder->arena, &finder->accesses, access);
}

// Bytes that begin at the address in a register.
static void access_behind(SliceFinder *finder, Node node, SliceList list, Reg reg, uint64_t size) {
    SliceCell cell = slice_cell_behind(&finder->roots, reg, size);
    MemBytes bytes = places_behind(&finder->places, finder->func, reg, size);
    access_bytes(finder, node, list, bytes, reg, &cell);
}

// The accesses of a callee to slots of which it gets the address, and nobody else has it. Yields
// the arguments that are such addresses.
static uint64_t find_arguments(SliceFinder *finder, Node node, const Instr *call) {
    const Reg *args = instr_args(finder->func, call);
    uint64_t hidden = 0;
    for (uint32_t k = 0; k < call->arg_count && k < 64; k++) {
        if (slice_use_of(&finder->carriers, finder->calls, call, k) != SLICE_USE_ARGUMENT) continue;
        uint32_t slot = hidden_slot(finder, node, args[k]);
        if (slot == NO_ID) continue;
        const SliceParam *param = &finder->calls->params[call->ref].at[k];
        MemBytes bytes = {.base = BASE_SLOT, .ref = slot, .size = 1};
        hidden |= (uint64_t)1 << k;
        SliceCell any = {.root = NO_ID, .type = EFFECTIVE_ANY};
        if (param->read) access_bytes(finder, node, SLICE_READS, bytes, NO_REG, &any);
        if (param->written) access_bytes(finder, node, SLICE_MAY_SET, bytes, NO_REG, &any);
    }
    return hidden;
}

static void find_call(SliceFinder *finder, Node node, const Instr *call) {
    const Program *program = finder->func->program;
    const SigInfo *sig = program_sig_info(program, (Sig){call->aux});
    const Reg *args = instr_args(finder->func, call);
    uint32_t first = call->ref == NO_ID;
    for (uint32_t i = 0; i < sig->param_count; i++) {
        const ParamType *type = program_ptype_info(program, sig->params[i]);
        if (ptype_is_aggregate(type))
            access_behind(finder, node, SLICE_READS, args[first + i], type->size);
    }
    const ParamType *result = program_ptype_info(program, sig->result);
    if (ptype_is_aggregate(result))
        access_behind(finder, node, SLICE_SETS, args[call->arg_count - 1], result->size);
    uint64_t hidden = find_arguments(finder, node, call);
    touch_world(
        finder, node,
        slice_call_effect(finder->calls, finder->func, finder->places.values, call, hidden));
}

// Reads of a return besides its operand: the aggregate that it yields. The caller's demands after
// the return do not count here.
static void find_return(SliceFinder *finder, Node node, const Instr *instr) {
    const Program *program = finder->func->program;
    const SigInfo *sig = program_sig_info(program, finder->func->sig);
    const ParamType *result = program_ptype_info(program, sig->result);
    if (instr->arg_count && ptype_is_aggregate(result))
        access_behind(finder, node, SLICE_READS, instr->arg[0], result->size);
}

// The reads and writes of an instruction at its addresses. If something else may happen to the
// bytes, too, their later contents are uncertain.
static void find_accesses(SliceFinder *finder, Node node, const Instr *instr) {
    Effects effects = instr_effects(instr);
    const Places *places = &finder->places;
    if (instr_has_address(instr)) {
        MemBytes bytes = places_moved(places, finder->func, instr);
        bool alone = !(effects & (MAY_READ | MAY_WRITE_SHARED | MAY_BE_EVENT));
        Reg base = instr->base == BASE_REG ? instr_args(finder->func, instr)[0] : NO_REG;
        SliceCell cell = slice_cell_moved(&finder->roots, instr);
        if (effects & MAY_READ) access_bytes(finder, node, SLICE_READS, bytes, base, &cell);
        if (effects & MAY_WRITE)
            access_bytes(finder, node, alone ? SLICE_SETS : SLICE_MAY_SET, bytes, base, &cell);
        return;
    }
    uint64_t size = (uint64_t)instr->imm;
    uint32_t from = effects & MAY_WRITE ? 1 : 0;
    if (effects & MAY_WRITE) access_behind(finder, node, SLICE_SETS, instr->arg[0], size);
    if (effects & MAY_READ) access_behind(finder, node, SLICE_READS, instr->arg[from], size);
}

static void find_node(SliceFinder *finder, Node node) {
    const Instr *instr = func_at(finder->func, node);
    const Reg *args = instr_args(finder->func, instr);
    const SliceVariables *variables = &finder->result;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        touch(finder, node, SLICE_READS, slice_register(variables, args[k]));
    if (instr->dest.i != NO_ID)
        touch(finder, node, SLICE_SETS, slice_register(variables, instr->dest));
    if (instr->kind == I_CALL) {
        find_call(finder, node, instr);
    } else if (instr->kind == I_RETURN) {
        find_return(finder, node, instr);
    } else {
        find_accesses(finder, node, instr);
        touch_world(finder, node, slice_node_effect(finder->calls, finder->func, instr));
    }
}

// ---- Pieces

static int compare_cuts(const void *a, const void *b) {
    const SliceCut *x = a, *y = b;
    if (x->object != y->object) return x->object < y->object ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

// Leaves each cut once. Every object begins and ends with one.
static void sort_cuts(SliceFinder *finder) {
    for (uint32_t i = 0; i < finder->objects.count; i++) {
        if (!finder->objects.at[i].size) continue;
        vec_push(finder->arena, &finder->cuts, (SliceCut){i, 0});
        vec_push(finder->arena, &finder->cuts, (SliceCut){i, finder->objects.at[i].size});
    }
    SliceCut *cuts = finder->cuts.at;
    uint32_t kept = 0;
    if (finder->cuts.count) qsort(cuts, finder->cuts.count, sizeof *cuts, compare_cuts);
    for (uint32_t i = 0; i < finder->cuts.count; i++) {
        if (kept && compare_cuts(&cuts[kept - 1], &cuts[i]) == 0) continue;
        SliceObject *object = &finder->objects.at[cuts[i].object];
        if (!object->cut_count++) object->first_cut = kept;
        cuts[kept++] = cuts[i];
    }
    finder->cuts.count = kept;
}

// The index of a cut among the cuts of an object, which has it.
static uint32_t cut_index(const SliceFinder *finder, const SliceObject *object, uint64_t at) {
    uint32_t low = 0, high = object->cut_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (finder->cuts.at[object->first_cut + middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// An object that is accessed as a whole again and again, and in many pieces, counts as one piece,
// so that lists stay short.
static void limit_pieces(SliceFinder *finder) {
    enum { AT_LEAST = 64, PER_ACCESS = 16 };
    for (uint32_t i = 0; i < finder->accesses.count; i++) {
        const SliceAccess *access = &finder->accesses.at[i];
        SliceObject *object = &finder->objects.at[access->object];
        object->touched +=
            cut_index(finder, object, access->to) - cut_index(finder, object, access->from);
    }
    for (uint32_t i = 0; i < finder->objects.count; i++) {
        SliceObject *object = &finder->objects.at[i];
        if (object->touched <= AT_LEAST + (uint64_t)PER_ACCESS * object->accesses) continue;
        finder->cuts.at[object->first_cut + 1].at = object->size;
        object->cut_count = 2;
    }
}

// Slots are shared from the one on with which the lists would become too long.
static void limit_known(SliceFinder *finder) {
    enum { AT_LEAST = 4096, PER_NODE = 4 };
    uint64_t accesses = 0, length = 0;
    for (uint32_t n = 0; n < finder->func->nodes.count; n++) accesses += finder->accessed[n] != 0;
    for (uint32_t i = 0; i < finder->ordered.count; i++) {
        SliceObject *object = &finder->objects.at[finder->ordered.at[i]];
        length += accesses * object->cut_count;
        if (length > AT_LEAST + (uint64_t)PER_NODE * finder->func->nodes.count)
            object->shared = true;
    }
}

static void make_pieces(SliceFinder *finder) {
    SliceVariables *result = &finder->result;
    result->pieces_of_slot =
        ARENA_ARRAY(finder->arena, uint32_t, (size_t)finder->func->slots.count + 1);
    for (uint32_t i = 0; i < finder->objects.count; i++) {
        const SliceObject *object = &finder->objects.at[i];
        uint32_t first = result->first_piece + result->pieces.count;
        if (object->is_slot)
            result->pieces_of_slot[object->ref] = first;
        else
            map_set(finder->arena, &result->pieces_of_symbol, object->ref, first);
        for (uint32_t k = 0; k + 1 < object->cut_count; k++) {
            const SliceCut *cut = &finder->cuts.at[object->first_cut + k];
            vec_push(finder->arena, &result->pieces,
                     (SlicePiece){.is_slot = object->is_slot,
                                  .shared = object->shared,
                                  .unaddressed = object->unaddressed,
                                  .ref = object->ref,
                                  .from = cut[0].at,
                                  .to = cut[1].at});
        }
        if (i + 1 == finder->func->slots.count)
            result->pieces_of_slot[i + 1] = result->first_piece + result->pieces.count;
    }
    result->count = result->first_piece + result->pieces.count;
}

// ---- Cells

static bool same_cell(const SliceCell *a, const SliceCell *b) {
    return a->root == b->root && a->fixed == b->fixed && a->from == b->from && a->to == b->to &&
           a->type == b->type;
}

// The number of a cell; NO_ID if it has none.
static uint32_t cell_number(const SliceFinder *finder, const SliceCell *cell, uint64_t *hash) {
    *hash = hash_add(hash_add((uint64_t)cell->root << 8 | cell->type, (uint64_t)cell->from),
                     (uint64_t)cell->to << 1 | cell->fixed);
    uint32_t at = table_first(&finder->cell_table, *hash), id;
    while ((id = table_id(&finder->cell_table, *hash, &at)) != HASH_NONE)
        if (same_cell(&finder->result.cells.at[id], cell)) return id;
    return NO_ID;
}

// The number of a cell that is read. Of cells beyond a limit only the types count.
static uint32_t number_read(SliceFinder *finder, const SliceCell *cell, uint32_t most) {
    SliceCell at = *cell;
    if (finder->result.cells.count >= most) at = (SliceCell){.root = NO_ID, .type = cell->type};
    uint64_t hash;
    uint32_t number = cell_number(finder, cell, &hash);
    if (number == NO_ID) number = cell_number(finder, &at, &hash);
    if (number != NO_ID) return number;
    vec_push(finder->arena, &finder->result.cells, at);
    table_insert(finder->arena, &finder->cell_table, hash, finder->result.cells.count - 1);
    return finder->result.cells.count - 1;
}

// How many cells the lists can hold: those of writes name all. 0: none at all.
static uint32_t most_cells(const SliceFinder *finder) {
    enum { AT_LEAST = 1 << 14, PER_NODE = 32 };
    uint64_t writes = 1, room = AT_LEAST + (uint64_t)PER_NODE * finder->func->nodes.count;
    for (uint32_t i = 0; i < finder->touches.count; i++)
        writes += finder->touches.at[i].list != SLICE_READS;
    for (uint32_t i = 0; i < finder->accesses.count; i++)
        writes += finder->accesses.at[i].list != SLICE_READS;
    uint64_t each = room / writes, besides = finder->result.pieces.count + EFFECTIVE_COUNT;
    return each < besides ? 0 : (uint32_t)(each - besides);
}

// Cells that are read, and first the cell of all memory, which stands for all others.
static void number_cells(SliceFinder *finder) {
    SliceVariables *result = &finder->result;
    uint32_t most = finder->touches.count ? most_cells(finder) : 0;
    uint64_t hash;
    finder->first_cell = result->count;
    if (!most) return;
    number_read(finder, &(SliceCell){.root = NO_ID, .type = EFFECTIVE_ANY}, most);
    for (uint32_t i = 0; i < finder->touches.count; i++)
        if (finder->touches.at[i].list == SLICE_READS)
            finder->touches.at[i].own = number_read(finder, &finder->touches.at[i].cell, most);
    for (uint32_t i = 0; i < finder->touches.count; i++)
        if (finder->touches.at[i].list != SLICE_READS)
            finder->touches.at[i].own = cell_number(finder, &finder->touches.at[i].cell, &hash);
    for (uint32_t v = result->first_piece; v < result->count; v++)
        if (slice_piece(result, v)->shared && !slice_piece(result, v)->unaddressed)
            vec_push(finder->arena, &finder->shared, v);
    for (uint32_t c = 0; c < result->cells.count; c++)
        vec_push(finder->arena, &result->pieces,
                 (SlicePiece){.is_cell = true,
                              .shared = true,
                              .ref = c,
                              .types = slice_type(result->cells.at[c].type)});
    result->count = result->first_piece + result->pieces.count;
}

// ---- Lists

// The first and the number of the pieces of an access.
static SliceRange pieces_of(const SliceFinder *finder, const SliceAccess *access) {
    const SliceObject *object = &finder->objects.at[access->object];
    const SliceVariables *result = &finder->result;
    uint32_t first = object->is_slot ? result->pieces_of_slot[object->ref]
                                     : map_get(&result->pieces_of_symbol, object->ref);
    uint32_t all = object->cut_count ? object->cut_count - 1 : 0;
    if (!access->fixed || all <= 1) return (SliceRange){first, all};
    uint32_t from = cut_index(finder, object, access->from);
    return (SliceRange){first + from, cut_index(finder, object, access->to) - from};
}

// The types by which pieces of symbols are accessed. Cells have no part in slots that are not
// shared, so that pieces of slots are of any type.
static void find_types(SliceFinder *finder) {
    SliceVariables *result = &finder->result;
    for (uint32_t i = 0; i < finder->accesses.count; i++) {
        const SliceAccess *access = &finder->accesses.at[i];
        SliceTypes types = access->types;
        if (finder->objects.at[access->object].is_slot) types = slice_type(EFFECTIVE_ANY);
        SliceRange range = pieces_of(finder, access);
        for (uint32_t k = 0; k < range.count; k++)
            result->pieces.at[range.first + k - result->first_piece].types |= types;
    }
}

// Whether an access is of all bytes of its pieces.
static bool is_exact(const SliceFinder *finder, const SliceAccess *access) {
    const SliceObject *object = &finder->objects.at[access->object];
    return object->cut_count > 2 || (access->from == 0 && access->to == object->size);
}

static void list(SliceFinder *finder, uint32_t variable) {
    vec_push(finder->arena, &finder->result.lists, variable);
}

// The pieces of the slots that others know of at a node.
static void add_known(SliceFinder *finder, uint32_t node) {
    SliceVariables *result = &finder->result;
    for (uint32_t i = 0; i < finder->ordered.count; i++) {
        uint32_t slot = finder->ordered.at[i];
        if (!(finder->known[node] >> i & 1) || finder->objects.at[slot].shared) continue;
        for (uint32_t v = result->pieces_of_slot[slot]; v < result->pieces_of_slot[slot + 1]; v++)
            list(finder, v);
    }
}

// An access to a named object. A write to a shared one may change cells, too.
static void add_access(SliceFinder *finder, const SliceAccess *at, SliceList to) {
    const SliceObject *object = &finder->objects.at[at->object];
    const SliceVariables *result = &finder->result;
    bool unsure = at->list == SLICE_SETS && !is_exact(finder, at);
    SliceRange range = pieces_of(finder, at);
    if ((unsure ? SLICE_MAY_SET : at->list) == to)
        for (uint32_t k = 0; k < range.count; k++) list(finder, range.first + k);
    if (at->list == SLICE_READS || to != SLICE_MAY_SET || !object->shared || object->unaddressed)
        return;
    for (uint32_t v = finder->first_cell; v < result->count; v++)
        if (slice_types_meet(slice_piece(result, v)->types, at->types)) list(finder, v);
}

// Whether a write to one cell may change the other.
static bool may_change(const SliceFinder *finder, const SliceCell *a, const SliceCell *b) {
    for (uint32_t i = 0; i < finder->apart_count && a->root != b->root; i++) {
        const SliceApart *apart = &finder->apart[i];
        if ((a->root == apart->a.i && b->root == apart->b.i) ||
            (a->root == apart->b.i && b->root == apart->a.i))
            return false;
    }
    return slice_cells_meet(a, b);
}

// An access to a cell. A write names everything that it meets.
static void add_touch(SliceFinder *finder, const SliceTouch *touch, SliceList to) {
    const SliceVariables *result = &finder->result;
    bool reads = touch->list == SLICE_READS, none = !result->cells.count;
    uint32_t own = touch->own == NO_ID ? NO_ID : finder->first_cell + touch->own;
    bool certain =
        touch->list == SLICE_SETS && own != NO_ID && touch->cell.root != NO_ID && touch->cell.fixed;
    if (none && to == (reads ? SLICE_READS : SLICE_MAY_SET)) list(finder, SLICE_MEMORY);
    if (own != NO_ID && to == (certain || reads ? touch->list : SLICE_MAY_SET)) list(finder, own);
    if (none || reads || to != SLICE_MAY_SET) return;
    for (uint32_t v = finder->first_cell; v < result->count; v++)
        if (v != own && may_change(finder, &touch->cell, &result->cells.at[v - finder->first_cell]))
            list(finder, v);
    for (uint32_t i = 0; i < finder->shared.count; i++)
        if (slice_types_meet(slice_piece(result, finder->shared.at[i])->types,
                             slice_type(touch->cell.type)))
            list(finder, finder->shared.at[i]);
}

// The first entries of a node in lists by node.
typedef struct {
    uint32_t plain, access, touch;
} SliceAt;

static void add_to_list(SliceFinder *finder, uint32_t node, SliceList to, const SliceAt *at) {
    for (uint32_t i = at->plain; i < finder->plain.count && finder->plain.at[i].node == node; i++)
        if (finder->plain.at[i].list == to) list(finder, finder->plain.at[i].variable);
    for (uint32_t i = at->access; i < finder->accesses.count && finder->accesses.at[i].node == node;
         i++)
        add_access(finder, &finder->accesses.at[i], to);
    for (uint32_t i = at->touch; i < finder->touches.count && finder->touches.at[i].node == node;
         i++)
        add_touch(finder, &finder->touches.at[i], to);
    if (to != SLICE_SETS && finder->accessed[node] >> to & 1) add_known(finder, node);
}

static void make_lists(SliceFinder *finder) {
    SliceVariables *result = &finder->result;
    uint32_t nodes = finder->func->nodes.count;
    SliceAt at = {0};
    result->starts = ARENA_ARRAY(finder->arena, uint32_t, (size_t)SLICE_LIST_COUNT * nodes + 1);
    for (uint32_t n = 0; n < nodes; n++) {
        for (uint32_t list = 0; list < SLICE_LIST_COUNT; list++) {
            result->starts[SLICE_LIST_COUNT * n + list] = result->lists.count;
            add_to_list(finder, n, (SliceList)list, &at);
        }
        while (at.plain < finder->plain.count && finder->plain.at[at.plain].node == n) at.plain++;
        while (at.access < finder->accesses.count && finder->accesses.at[at.access].node == n)
            at.access++;
        while (at.touch < finder->touches.count && finder->touches.at[at.touch].node == n)
            at.touch++;
    }
    result->starts[SLICE_LIST_COUNT * nodes] = result->lists.count;
}

// ---- All of it

static void begin(SliceFinder *finder) {
    const Func *func = finder->func;
    SliceVariables *result = &finder->result;
    result->func = func;
    result->first_register = SLICE_WORLD_COUNT;
    result->first_piece = result->first_register + func->regs.count;
    if (func_returns_twice(func)) result->whole = "a call in it may return twice";
    finder->places = places_of(finder->arena, func);
    finder->roots = slice_roots_of(finder->arena, func, &finder->places);
    for (uint32_t i = 0; i < func->slots.count; i++)
        vec_push(finder->arena, &finder->objects,
                 (SliceObject){
                     .is_slot = true, .ref = i, .order = NO_ID, .size = func->slots.at[i].size});
    find_known(finder);
}

SliceVariables slice_variables_of(Arena *arena, const Func *func, const SliceCalls *calls) {
    return slice_variables_assuming(arena, func, calls, NULL, 0);
}

SliceVariables slice_variables_assuming(Arena *arena, const Func *func, const SliceCalls *calls,
                                        const SliceApart *apart, uint32_t count) {
    SliceFinder finder = {
        .arena = arena, .func = func, .calls = calls, .apart = apart, .apart_count = count};
    begin(&finder);
    for (uint32_t n = 0; n < func->nodes.count; n++) find_node(&finder, (Node){n});
    sort_cuts(&finder);
    limit_pieces(&finder);
    limit_known(&finder);
    make_pieces(&finder);
    find_types(&finder);
    number_cells(&finder);
    make_lists(&finder);
    return finder.result;
}

SliceRange slice_pieces_of_slot(const SliceVariables *variables, Slot slot) {
    const uint32_t *first = &variables->pieces_of_slot[slot.i];
    return (SliceRange){first[0], first[1] - first[0]};
}

SliceRange slice_pieces_of_symbol(const SliceVariables *variables, Sym symbol) {
    uint32_t first = map_get(&variables->pieces_of_symbol, symbol.i), count = 0;
    if (first == HASH_NONE) return (SliceRange){0};
    while (first + count < variables->count) {
        const SlicePiece *piece = slice_piece(variables, first + count);
        if (piece->is_slot || piece->is_cell || piece->ref != symbol.i) break;
        count++;
    }
    return (SliceRange){first, count};
}

static void print_cell(Out *out, const Func *func, const SliceCell *cell) {
    if (cell->root == NO_ID) {
        out_text(out, "memory");
    } else if (cell->root < func->regs.count) {
        out_char(out, '*');
        reg_print(out, func, (Reg){cell->root});
    } else {
        const Symbol *symbol = program_at(func->program, (Sym){cell->root - func->regs.count});
        out_printf(out, "*@%s", program_text(func->program, symbol->name));
    }
    if (cell->fixed)
        out_printf(out, "[%lld..%lld]", (long long)cell->from, (long long)cell->to - 1);
    if (cell->type != EFFECTIVE_ANY) out_printf(out, " as %s", effective_name(cell->type));
}

void slice_variable_print(Out *out, const SliceVariables *variables, uint32_t variable) {
    const Func *func = variables->func;
    if (variable >= variables->count) {
        out_char(out, '?');
    } else if (variable < SLICE_WORLD_COUNT) {
        out_text(out, slice_world_name((SliceWorld)variable));
    } else if (slice_is_register(variables, variable)) {
        reg_print(out, func, (Reg){variable - variables->first_register});
    } else if (slice_piece(variables, variable)->is_cell) {
        print_cell(out, func, &variables->cells.at[slice_piece(variables, variable)->ref]);
    } else {
        const SlicePiece *piece = slice_piece(variables, variable);
        Str name = piece->is_slot ? func->slots.at[piece->ref].name
                                  : program_at(func->program, (Sym){piece->ref})->name;
        out_char(out, piece->is_slot ? '$' : '@');
        if (name.i)
            out_text(out, program_text(func->program, name));
        else
            out_u64(out, piece->ref);
        out_printf(out, "[%llu..%llu]", (unsigned long long)piece->from,
                   (unsigned long long)piece->to - 1);
    }
}
