#include "fact/slice/slice_variables.h"

#include "fact/calls.h"
#include "fact/effects.h"
#include "text/text.h"

#include <stdlib.h>

// An object of the function that may be written, and the facts about it.
typedef struct {
    bool is_slot, shared;
    uint32_t ref;
    uint64_t size;
    uint32_t first_cut, cut_count;
    uint32_t accesses;
    uint64_t touched; // pieces, by all accesses together
} SliceObject;

// An access of a node to an object: bytes from..to - 1, or the whole object if the bytes are not
// known.
typedef struct {
    uint32_t node;
    SliceList list;
    uint32_t object;
    bool fixed;
    uint64_t from, to;
} SliceAccess;

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
} SliceFinder;

// ---- What nodes do

static void touch(SliceFinder *finder, Node node, SliceList list, uint32_t variable) {
    vec_push(finder->arena, &finder->plain, (SlicePlain){node.i, list, variable});
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
             (SliceObject){.ref = bytes->ref, .shared = true, .size = symbol->size});
    return object;
}

static void access_bytes(SliceFinder *finder, Node node, SliceList list, MemBytes bytes) {
    if (!bytes.size) return;
    if (bytes.base == BASE_NONE) {
        touch(finder, node, list == SLICE_SETS ? SLICE_MAY_SET : list, SLICE_MEMORY);
        return;
    }
    uint32_t object = object_of(finder, &bytes);
    if (object == NO_ID) return;
    SliceObject *info = &finder->objects.at[object];
    bool inside = bytes.fixed && bytes.size <= info->size && bytes.at <= info->size - bytes.size;
    SliceAccess access = {
        .node = node.i, .list = list, .object = object, .fixed = inside, .to = info->size};
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

static void find_call(SliceFinder *finder, Node node, const Instr *call) {
    const Program *program = finder->func->program;
    const SigInfo *sig = program_sig_info(program, (Sig){call->aux});
    const Reg *args = instr_args(finder->func, call);
    uint32_t first = call->ref == NO_ID;
    for (uint32_t i = 0; i < sig->param_count; i++) {
        const ParamType *type = program_ptype_info(program, sig->params[i]);
        if (!ptype_is_aggregate(type)) continue;
        access_bytes(finder, node, SLICE_READS,
                     places_behind(&finder->places, finder->func, args[first + i], type->size));
    }
    const ParamType *result = program_ptype_info(program, sig->result);
    if (ptype_is_aggregate(result))
        access_bytes(
            finder, node, SLICE_SETS,
            places_behind(&finder->places, finder->func, args[call->arg_count - 1], result->size));
    touch_world(finder, node,
                slice_call_effect(finder->calls, finder->func, finder->places.values, call));
}

// Reads of a return besides its operand: the aggregate that it yields. The caller's demands after
// the return do not count here.
static void find_return(SliceFinder *finder, Node node, const Instr *instr) {
    const Program *program = finder->func->program;
    const SigInfo *sig = program_sig_info(program, finder->func->sig);
    const ParamType *result = program_ptype_info(program, sig->result);
    if (instr->arg_count && ptype_is_aggregate(result))
        access_bytes(finder, node, SLICE_READS,
                     places_behind(&finder->places, finder->func, instr->arg[0], result->size));
}

// The reads and writes of an instruction at its addresses. If something else may happen to the
// bytes, too, their later contents are uncertain.
static void find_accesses(SliceFinder *finder, Node node, const Instr *instr) {
    Effects effects = instr_effects(instr);
    const Places *places = &finder->places;
    if (instr_has_address(instr)) {
        MemBytes bytes = places_moved(places, finder->func, instr);
        bool alone = !(effects & (MAY_READ | MAY_WRITE_SHARED | MAY_BE_EVENT));
        if (effects & MAY_READ) access_bytes(finder, node, SLICE_READS, bytes);
        if (effects & MAY_WRITE)
            access_bytes(finder, node, alone ? SLICE_SETS : SLICE_MAY_SET, bytes);
        return;
    }
    uint64_t size = (uint64_t)instr->imm;
    uint32_t from = effects & MAY_WRITE ? 1 : 0;
    if (effects & MAY_WRITE)
        access_bytes(finder, node, SLICE_SETS,
                     places_behind(places, finder->func, instr->arg[0], size));
    if (effects & MAY_READ)
        access_bytes(finder, node, SLICE_READS,
                     places_behind(places, finder->func, instr->arg[from], size));
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
                                  .ref = object->ref,
                                  .from = cut[0].at,
                                  .to = cut[1].at});
        }
        if (i + 1 == finder->func->slots.count)
            result->pieces_of_slot[i + 1] = result->first_piece + result->pieces.count;
    }
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

// Whether an access is of all bytes of its pieces.
static bool is_exact(const SliceFinder *finder, const SliceAccess *access) {
    const SliceObject *object = &finder->objects.at[access->object];
    return object->cut_count > 2 || (access->from == 0 && access->to == object->size);
}

static void add_to_list(SliceFinder *finder, uint32_t node, SliceList list, uint32_t *plain,
                        uint32_t *access) {
    SliceVariables *result = &finder->result;
    for (uint32_t i = *plain; i < finder->plain.count && finder->plain.at[i].node == node; i++)
        if (finder->plain.at[i].list == list)
            vec_push(finder->arena, &result->lists, finder->plain.at[i].variable);
    for (uint32_t i = *access; i < finder->accesses.count && finder->accesses.at[i].node == node;
         i++) {
        const SliceAccess *at = &finder->accesses.at[i];
        bool unsure = at->list == SLICE_SETS && !is_exact(finder, at);
        if ((unsure ? SLICE_MAY_SET : at->list) != list) continue;
        SliceRange range = pieces_of(finder, at);
        for (uint32_t k = 0; k < range.count; k++)
            vec_push(finder->arena, &result->lists, range.first + k);
    }
}

static void make_lists(SliceFinder *finder) {
    SliceVariables *result = &finder->result;
    uint32_t nodes = finder->func->nodes.count, plain = 0, access = 0;
    result->starts = ARENA_ARRAY(finder->arena, uint32_t, (size_t)SLICE_LIST_COUNT * nodes + 1);
    for (uint32_t n = 0; n < nodes; n++) {
        for (uint32_t list = 0; list < SLICE_LIST_COUNT; list++) {
            result->starts[SLICE_LIST_COUNT * n + list] = result->lists.count;
            add_to_list(finder, n, (SliceList)list, &plain, &access);
        }
        while (plain < finder->plain.count && finder->plain.at[plain].node == n) plain++;
        while (access < finder->accesses.count && finder->accesses.at[access].node == n) access++;
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
    for (uint32_t i = 0; i < func->slots.count; i++)
        vec_push(finder->arena, &finder->objects,
                 (SliceObject){.is_slot = true,
                               .shared = finder->places.shared.at[1 + i],
                               .ref = i,
                               .size = func->slots.at[i].size});
}

SliceVariables slice_variables_of(Arena *arena, const Func *func, const SliceCalls *calls) {
    SliceFinder finder = {.arena = arena, .func = func, .calls = calls};
    begin(&finder);
    for (uint32_t n = 0; n < func->nodes.count; n++) find_node(&finder, (Node){n});
    sort_cuts(&finder);
    limit_pieces(&finder);
    make_pieces(&finder);
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
        if (piece->is_slot || piece->ref != symbol.i) break;
        count++;
    }
    return (SliceRange){first, count};
}

void slice_variable_print(Out *out, const SliceVariables *variables, uint32_t variable) {
    const Func *func = variables->func;
    if (variable >= variables->count) {
        out_char(out, '?');
    } else if (variable < SLICE_WORLD_COUNT) {
        out_text(out, slice_world_name((SliceWorld)variable));
    } else if (slice_is_register(variables, variable)) {
        reg_print(out, func, (Reg){variable - variables->first_register});
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
