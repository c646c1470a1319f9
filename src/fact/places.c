#include "fact/places.h"

#include "fact/effects.h"
#include "graph/definitions.h"

#include <string.h>

// No program needs displacements beyond this; below it, sums do not overflow and places of a group
// have the order of their addresses.
static const int64_t farthest = (int64_t)1 << 40;

typedef struct {
    uint8_t base;   // BaseKind, as resolved
    uint8_t scale;  // 0 without an index
    uint32_t start; // value, symbol or slot
    uint32_t index; // value, or NO_ID
} PlaceGroup;

typedef struct {
    Arena *arena;
    const Func *func;
    Places result;
    const RegisterValue *values; // of each register
    const Bits *reached;         // nodes; NULL: all
    const UnitMemory *unit;      // what is known of the unit, or NULL
    VEC(PlaceGroup) groups;
    Table group_table, place_table;
} PlaceFinder;

// ---- Addresses

// The address that a register holds; NULL if it is not known to hold one.
static const RegisterValue *known_address(const RegisterValue *values, Reg reg) {
    const RegisterValue *value = &values[reg.i];
    return value->op == OP_ADDR_SLOT || value->op == OP_ADDR_SYMBOL ? value : NULL;
}

static const RegisterValue *address_in(const PlaceFinder *finder, Reg reg) {
    return known_address(finder->values, reg);
}

// The displacement of an access. An index that is a constant is part of it: the sum wraps as the
// address does. Whether there is another index.
static bool is_indexed(const RegisterValue *values, const Func *func, const Instr *instr,
                       int64_t *at) {
    *at = instr->imm;
    if (!instr->scale) return false;
    const RegisterValue *index = &values[instr_args(func, instr)[instr->base == BASE_REG].i];
    if (index->op != OP_CONST_I64) return true;
    *at = (int64_t)((uint64_t)instr->imm + (uint64_t)index->imm * instr->scale);
    return false;
}

static bool may_execute(const PlaceFinder *finder, Node node) {
    return !finder->reached || bits_has(finder->reached, node.i);
}

// The address of an object gets out of sight.
static void share_object(PlaceFinder *finder, uint16_t op, uint32_t ref) {
    if (op == OP_ADDR_SLOT)
        finder->result.shared.at[1 + ref] = true;
    else if (unit_family(finder->unit, ref) != UNIT_OPEN)
        finder->result.open_families |= (UnitSet)1 << unit_family(finder->unit, ref);
}

// A register goes into another, or, with NO_REG, out of sight: so does the slot whose address it
// holds, unless the other holds an address in that slot, too.
static void share(PlaceFinder *finder, Reg reg, Reg dest) {
    const RegisterValue *from = address_in(finder, reg),
                        *to = dest.i == NO_ID ? NULL : address_in(finder, dest);
    if (from && (!to || to->op != from->op || to->ref != from->ref))
        share_object(finder, from->op, from->ref);
}

// An address in a slot that is an argument for a plain parameter stays in sight. If the parameter
// is compared with null, the address has to lie in the slot.
static bool is_passed(const Places *places, const Func *func, uint32_t bits, Reg reg) {
    const RegisterValue *value = &places->values[reg.i];
    if (!bits || value->op != OP_ADDR_SLOT) return false;
    return !(bits & UNIT_COMPARED) ||
           (value->imm >= 0 && (uint64_t)value->imm < func->slots.at[value->ref].size);
}

static void share_by_instr(PlaceFinder *finder, const Instr *instr) {
    const Reg *args = instr_args(finder->func, instr);
    Reg made = instr->kind == I_OP ? instr->dest : NO_REG;
    for (uint32_t k = instr_accessed_args(instr); k < instr->arg_count; k++) {
        uint32_t bits = finder->unit ? unit_param(finder->func->program, instr, k) : 0;
        if (!is_passed(&finder->result, finder->func, bits, args[k])) share(finder, args[k], made);
    }
    Sym yielded = finder->unit ? unit_yielded(finder->func->program, instr) : NO_SYM;
    if (yielded.i != NO_ID) share_object(finder, OP_ADDR_SYMBOL, yielded.i);
    if (instr->kind != I_OP || (instr->op != OP_ADDR_SLOT && instr->op != OP_ADDR_SYMBOL)) return;
    const RegisterValue *value = address_in(finder, instr->dest);
    if (!value || value->op != instr->op || value->ref != instr->ref)
        share_object(finder, instr->op, instr->ref);
}

static void share_by_phis(PlaceFinder *finder, const Preds *preds, Node join) {
    const Phi *phis = func_phis(finder->func, join);
    for (uint32_t i = 0; i < func_phi_count(finder->func, join); i++)
        for (uint32_t k = 0; k < preds_count(preds, join); k++)
            if (may_execute(finder, preds_at(preds, join)[k]))
                share(finder, phi_args(finder->func, &phis[i])[k], phis[i].dest);
}

static void find_shared(PlaceFinder *finder) {
    const Func *func = finder->func;
    bool *shared = vec_extend(finder->arena, &finder->result.shared, 1 + func->slots.count);
    shared[ANYWHERE] = true;
    for (uint32_t i = 0; i < func->slots.count; i++) shared[1 + i] = false;
    memset(vec_extend(finder->arena, &finder->result.family_of, 1 + func->slots.count), UNIT_OPEN,
           1 + func->slots.count);
    if (!func->slots.count && !finder->unit) return;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (may_execute(finder, (Node){n})) share_by_instr(finder, &func->nodes.at[n]);
    for (uint32_t i = 0; func->son && i < func->son->floating.count; i++)
        share_by_instr(finder, &func->son->floating.at[i]);
    if (!func->phis.count) return;
    Preds preds = preds_of(finder->arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) share_by_phis(finder, &preds, (Node){n});
}

// ---- Objects

static uint32_t object_of_symbol(PlaceFinder *finder, Sym symbol) {
    const Symbol *info = program_at(finder->func->program, symbol);
    if (!symbol_is_own_object(info)) return ANYWHERE;
    uint32_t object = map_get(&finder->result.symbols, symbol.i);
    if (object != HASH_NONE) return object;
    object = finder->result.shared.count;
    map_set(finder->arena, &finder->result.symbols, symbol.i, object);
    uint32_t family = unit_family(finder->unit, symbol.i);
    bool shared = !(info->flags & SYMF_CONST);
    if (family != UNIT_OPEN) {
        shared = finder->result.open_families >> family & 1;
        finder->result.families |= (UnitSet)1 << family;
    }
    vec_push(finder->arena, &finder->result.shared, shared);
    vec_push(finder->arena, &finder->result.family_of, (uint8_t)family);
    return object;
}

static uint32_t object_of(PlaceFinder *finder, BaseKind base, uint32_t start) {
    if (base == BASE_SLOT) return 1 + start;
    return base == BASE_SYMBOL ? object_of_symbol(finder, (Sym){start}) : ANYWHERE;
}

// Whether so many bytes are known to belong to the object of an address that is in a register. The
// bytes start behind the address, at an offset from the object's start if the offset is known.
static bool stays_in_object(const Places *places, const Func *func, const RegisterValue *address,
                            bool indexed, int64_t at, uint64_t size) {
    bool slot = address->op == OP_ADDR_SLOT;
    uint32_t object = slot ? 1 + address->ref : map_get(&places->symbols, address->ref);
    bool hidden = object != HASH_NONE && (slot || places->family_of.at[object] != UNIT_OPEN);
    if (hidden && !places->shared.at[object]) return true;
    uint64_t room = slot ? func->slots.at[address->ref].size
                         : program_at(func->program, (Sym){address->ref})->size;
    return !indexed && size <= room && (uint64_t)at <= room - size;
}

// That object, or ANYWHERE.
static uint32_t object_at(PlaceFinder *finder, const RegisterValue *address, bool indexed,
                          int64_t at, uint64_t size) {
    bool slot = address->op == OP_ADDR_SLOT;
    uint32_t object = object_of(finder, slot ? BASE_SLOT : BASE_SYMBOL, address->ref);
    return stays_in_object(&finder->result, finder->func, address, indexed, at, size) ? object
                                                                                      : ANYWHERE;
}

// The object that a builtin without an address writes: memcpy or memset.
static uint32_t object_filled(PlaceFinder *finder, const Instr *instr) {
    const RegisterValue *address = address_in(finder, instr->arg[0]);
    return address ? object_at(finder, address, false, address->imm, (uint64_t)instr->imm)
                   : ANYWHERE;
}

// ---- Places

static bool same_group(const PlaceGroup *a, const PlaceGroup *b) {
    return a->base == b->base && a->scale == b->scale && a->start == b->start &&
           a->index == b->index;
}

static uint32_t group_number(PlaceFinder *finder, const PlaceGroup *wanted) {
    uint64_t hash = hash_add((uint64_t)wanted->start << 32 | wanted->index,
                             (uint64_t)wanted->base << 8 | wanted->scale);
    uint32_t at = table_first(&finder->group_table, hash), id;
    while ((id = table_id(&finder->group_table, hash, &at)) != HASH_NONE)
        if (same_group(&finder->groups.at[id], wanted)) return id;
    id = finder->groups.count;
    vec_push(finder->arena, &finder->groups, *wanted);
    table_insert(finder->arena, &finder->group_table, hash, id);
    return id;
}

static bool same_place(const MemPlace *a, const MemPlace *b) {
    return a->group == b->group && a->object == b->object && a->at == b->at && a->size == b->size &&
           a->type == b->type && a->effective == b->effective;
}

static uint64_t place_hash(const MemPlace *place) {
    uint32_t kind = place->size << 16 | (uint32_t)place->effective << 8 | (uint32_t)place->type;
    return hash_add((uint64_t)place->group << 32 | kind, (uint64_t)place->at);
}

static uint32_t place_find(const PlaceFinder *finder, const MemPlace *wanted, uint64_t hash) {
    uint32_t at = table_first(&finder->place_table, hash), id;
    while ((id = table_id(&finder->place_table, hash, &at)) != HASH_NONE)
        if (same_place(&finder->result.places.at[id], wanted)) return id;
    return NO_ID;
}

static uint32_t place_number(PlaceFinder *finder, const MemPlace *wanted) {
    uint64_t hash = place_hash(wanted);
    uint32_t id = place_find(finder, wanted, hash);
    if (id != NO_ID) return id;
    id = finder->result.places.count;
    vec_push(finder->arena, &finder->result.places, *wanted);
    table_insert(finder->arena, &finder->place_table, hash, id);
    return id;
}

static void find_plain(PlaceFinder *finder) {
    for (uint32_t i = 0; i < finder->result.places.count; i++) {
        MemPlace *place = &finder->result.places.at[i], plain = *place;
        if (place->effective == EFFECTIVE_ANY) continue;
        plain.effective = EFFECTIVE_ANY;
        place->plain = place_find(finder, &plain, place_hash(&plain));
    }
}

static uint32_t place_of(PlaceFinder *finder, const Instr *instr) {
    const Reg *args = instr_args(finder->func, instr);
    PlaceGroup group = {.base = instr->base, .start = instr->ref, .index = NO_ID};
    int64_t at;
    bool indexed = is_indexed(finder->values, finder->func, instr, &at);
    if (at < -farthest || at > farthest) return NO_ID;
    uint32_t object = object_of(finder, (BaseKind)instr->base, instr->ref);
    if (instr->base == BASE_NONE) group.start = NO_ID;
    if (instr->base == BASE_REG) {
        const RegisterValue *address = address_in(finder, args[0]);
        group.start = address ? address->ref : finder->values[args[0].i].value;
        if (group.start == NO_ID) return NO_ID;
        if (address) {
            if (address->imm < -farthest || address->imm > farthest) return NO_ID;
            group.base = address->op == OP_ADDR_SLOT ? BASE_SLOT : BASE_SYMBOL;
            at += address->imm;
            object = object_at(finder, address, indexed, at, chunk_size((Chunk)instr->chunk));
        }
    }
    if (indexed) {
        group.scale = instr->scale;
        group.index = finder->values[args[instr->base == BASE_REG].i].value;
        if (group.index == NO_ID) return NO_ID;
    }
    return place_number(finder, &(MemPlace){.object = object,
                                            .group = group_number(finder, &group),
                                            .at = at,
                                            .size = chunk_size((Chunk)instr->chunk),
                                            .type = chunk_type((Chunk)instr->chunk),
                                            .effective = (EffectiveType)instr->effective,
                                            .plain = NO_ID});
}

static void find_places(PlaceFinder *finder) {
    const Func *func = finder->func;
    finder->result.target = ARENA_ARRAY(finder->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        uint32_t target = NO_ID;
        if (instr_has_address(instr))
            target = place_of(finder, instr);
        else if (instr_effects(instr) & MAY_WRITE)
            target = object_filled(finder, instr);
        finder->result.target[n] = target;
    }
}

static Places find(Arena *arena, const Func *func, const RegisterValue *values, const Bits *reached,
                   const UnitMemory *unit) {
    PlaceFinder finder = {.arena = arena,
                          .func = func,
                          .values = values,
                          .reached = reached,
                          .unit = unit,
                          .result.values = values,
                          .result.by_unit = unit != NULL};
    if (unit) finder.result.open_families = unit->passed_read | unit->passed_written;
    find_shared(&finder);
    find_places(&finder);
    find_plain(&finder);
    finder.result.group_count = finder.groups.count;
    return finder.result;
}

Places places_by_values(Arena *arena, const Func *func, const RegisterValue *values,
                        const Bits *reached) {
    return find(arena, func, values, reached, func->program->unit);
}

// A register that an instruction sets to an address or a constant is known to hold that; others are
// known as themselves.
Places places_of(Arena *arena, const Func *func) {
    const Definition *definitions = definitions_of(arena, func);
    RegisterValue *values = ARENA_ARRAY(arena, RegisterValue, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        const Instr *instr = defining_instr(func, definitions, (Reg){r});
        Op op = instr && instr->kind == I_OP ? instr->op : OP_COUNT;
        values[r] =
            register_value(r, (uint16_t)op, instr ? instr->ref : NO_ID, instr ? instr->imm : 0);
    }
    return find(arena, func, values, NULL, NULL);
}

uint32_t places_passed(const Places *places, const Func *func, const Instr *call, uint32_t k,
                       uint32_t *bits) {
    Reg reg = instr_args(func, call)[k];
    *bits = unit_param(func->program, call, k);
    bool passed = places->by_unit && is_passed(places, func, *bits, reg);
    return passed ? places->values[reg.i].ref : NO_ID;
}

// ---- Bytes

// Bytes of a slot or symbol; whatever is not an object of its own may be anywhere.
static MemBytes bytes_in(const Func *func, BaseKind base, uint32_t ref, MemBytes bytes) {
    if (base == BASE_SYMBOL && !symbol_is_own_object(program_at(func->program, (Sym){ref})))
        return (MemBytes){.base = BASE_NONE, .size = bytes.size};
    bytes.base = base;
    bytes.ref = ref;
    return bytes;
}

static MemBytes bytes_from(const Places *places, const Func *func, Reg reg, bool indexed,
                           int64_t offset, uint64_t size) {
    const RegisterValue *address = known_address(places->values, reg);
    int64_t at = address ? (int64_t)((uint64_t)address->imm + (uint64_t)offset) : 0;
    if (!address || !stays_in_object(places, func, address, indexed, at, size))
        return (MemBytes){.base = BASE_NONE, .size = size};
    MemBytes bytes = {.fixed = !indexed, .at = (uint64_t)at, .size = size};
    BaseKind base = address->op == OP_ADDR_SLOT ? BASE_SLOT : BASE_SYMBOL;
    return bytes_in(func, base, address->ref, bytes);
}

MemBytes places_moved(const Places *places, const Func *func, const Instr *instr) {
    uint64_t size = chunk_size((Chunk)instr->chunk);
    int64_t at;
    bool indexed = is_indexed(places->values, func, instr, &at);
    if (instr->base == BASE_REG)
        return bytes_from(places, func, instr_args(func, instr)[0], indexed, at, size);
    MemBytes bytes = {.fixed = !indexed, .at = (uint64_t)at, .size = size};
    if (instr->base == BASE_NONE) return (MemBytes){.base = BASE_NONE, .size = size};
    return bytes_in(func, (BaseKind)instr->base, instr->ref, bytes);
}

MemBytes places_behind(const Places *places, const Func *func, Reg reg, uint64_t size) {
    return bytes_from(places, func, reg, false, 0, size);
}
