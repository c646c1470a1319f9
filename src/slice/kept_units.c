#include "slice/kept_units.h"

// Things by the unit they belong to: those of unit u are at[starts[u - root] .. starts[u - root +
// 1] - 1].
typedef struct {
    uint32_t *starts;
    uint32_t *at;
} ByUnit;

struct KeptUnits {
    Arena *arena;
    const Units *units;
    const UnitFunction *function;
    const Func *func;
    uint32_t root, count; // units of the function, from its root on
    Bits kept;            // of them, by their distance from the root
    VEC(uint32_t) work;   // kept, but not looked at
    bool grown;           // nodes were demanded
    Node *nodes;
    ByUnit nodes_of;    // indices in nodes
    ByUnit labels_of;   // indices in units->labels
    ByUnit cases_of;    // ... cases
    ByUnit mentions_of; // ... mentions
    Map declared;       // name -> the first of its declarations in `declarations` plus one
    uint32_t *older;    // declaration -> another of the same name, plus one; 0: none
    uint32_t first_declaration, declaration_count;
    VEC(uint32_t) pinned;
    // What the text of the slice comes to from each emitted node on; see follow
    uint32_t *comes_to;
};

// Values of comes_to beside those of slice.h and numbers of nodes.
enum {
    UNKNOWN = NO_ID - 2,
    FOLLOWED = NO_ID - 3, // on the way that is being followed
    FOREIGN = NO_ID - 4,  // a node that the original never comes to
};

// ---- Setting up

// The part of a list, in order of functions, that belongs to this one.
typedef struct {
    uint32_t from, to;
} Part;

#define FIND_PART(kept, list, part)                                                                \
    do {                                                                                           \
        uint32_t bounds[2];                                                                        \
        for (int side = 0; side < 2; side++) {                                                     \
            uint32_t wanted = side ? (kept)->root + (kept)->count : (kept)->root;                  \
            uint32_t low = 0, high = (list).count;                                                 \
            while (low < high) {                                                                   \
                uint32_t middle = low + (high - low) / 2;                                          \
                if ((list).at[middle].unit < wanted)                                               \
                    low = middle + 1;                                                              \
                else                                                                               \
                    high = middle;                                                                 \
            }                                                                                      \
            bounds[side] = low;                                                                    \
        }                                                                                          \
        (part) = (Part){bounds[0], bounds[1]};                                                     \
    } while (0)

static uint32_t owner_of(const KeptUnits *kept, uint32_t unit) {
    return unit_owner(kept->units, unit) - kept->root;
}

// Sorts numbers from .. from + count - 1, each of which belongs to an owner (NO_ID: to none).
static ByUnit by_unit(const KeptUnits *kept, const uint32_t *owners, uint32_t count,
                      uint32_t from) {
    ByUnit sorted = {.starts = ARENA_ARRAY(kept->arena, uint32_t, (size_t)kept->count + 2),
                     .at = ARENA_ARRAY(kept->arena, uint32_t, (size_t)count + 1)};
    for (uint32_t i = 0; i < kept->count + 2; i++) sorted.starts[i] = 0;
    for (uint32_t i = 0; i < count; i++)
        if (owners[i] != NO_ID && owners[i] + 2 < kept->count + 2) sorted.starts[owners[i] + 2]++;
    for (uint32_t i = 2; i < kept->count + 2; i++) sorted.starts[i] += sorted.starts[i - 1];
    for (uint32_t i = 0; i < count; i++)
        if (owners[i] != NO_ID) sorted.at[sorted.starts[owners[i] + 1]++] = from + i;
    return sorted;
}

#define SORT_PART(kept, list, result)                                                              \
    do {                                                                                           \
        Part part_;                                                                                \
        FIND_PART(kept, list, part_);                                                              \
        uint32_t count_ = part_.to - part_.from;                                                   \
        uint32_t *owners_ = ARENA_ARRAY((kept)->arena, uint32_t, (size_t)count_ + 1);              \
        for (uint32_t i_ = 0; i_ < count_; i_++)                                                   \
            owners_[i_] = owner_of((kept), (list).at[part_.from + i_].unit);                       \
        (result) = by_unit((kept), owners_, count_, part_.from);                                   \
    } while (0)

static void sort_nodes(KeptUnits *kept) {
    const UnitFunction *function = kept->function;
    uint32_t *owners = ARENA_ARRAY(kept->arena, uint32_t, (size_t)function->count + 1);
    for (uint32_t i = 0; i < function->count; i++)
        owners[i] = function->nodes[i] == NO_ID ? NO_ID : owner_of(kept, function->units[i]);
    kept->nodes_of = by_unit(kept, owners, function->count, 0);
    kept->nodes = ARENA_ARRAY(kept->arena, Node, (size_t)function->count + 1);
    for (uint32_t i = 0; i < kept->nodes_of.starts[kept->count]; i++)
        kept->nodes[i] = (Node){function->nodes[kept->nodes_of.at[i]]};
}

static void sort_declarations(KeptUnits *kept) {
    Part part;
    FIND_PART(kept, kept->units->declares, part);
    kept->first_declaration = part.from;
    kept->declaration_count = part.to - part.from;
    kept->older = ARENA_ARRAY(kept->arena, uint32_t, (size_t)kept->declaration_count + 1);
    for (uint32_t i = 0; i < kept->declaration_count; i++) {
        uint64_t name = kept->units->declares.at[part.from + i].name->name.i;
        uint32_t before = map_get(&kept->declared, name);
        kept->older[i] = before == HASH_NONE ? 0 : before;
        map_set(kept->arena, &kept->declared, name, i + 1);
    }
}

KeptUnits *kept_units_new(Arena *arena, const Units *units, const UnitFunction *function,
                          const Func *func) {
    KeptUnits *kept = ARENA_NEW(arena, KeptUnits);
    *kept = (KeptUnits){
        .arena = arena, .units = units, .function = function, .func = func, .root = function->root};
    kept->count = unit_at(units, function->root)->last - function->root + 1;
    kept->kept = bits_new(arena, kept->count);
    sort_nodes(kept);
    SORT_PART(kept, units->labels, kept->labels_of);
    SORT_PART(kept, units->cases, kept->cases_of);
    SORT_PART(kept, units->mentions, kept->mentions_of);
    sort_declarations(kept);
    for (uint32_t u = 1; u < kept->count; u++) {
        const Unit *unit = unit_at(units, kept->root + u);
        if (unit->clean && unit->pinned) vec_push(arena, &kept->pinned, kept->root + u);
    }
    kept->comes_to = ARENA_ARRAY(arena, uint32_t, (size_t)function->count + 1);
    return kept;
}

// ---- What stays with what

bool kept_units_has(const KeptUnits *kept, uint32_t unit) {
    return bits_has(&kept->kept, owner_of(kept, unit));
}

UnitNodes kept_units_nodes(const KeptUnits *kept, uint32_t unit) {
    uint32_t u = owner_of(kept, unit);
    const uint32_t *starts = kept->nodes_of.starts;
    return (UnitNodes){kept->nodes + starts[u], starts[u + 1] - starts[u]};
}

static void stay(KeptUnits *kept, uint32_t unit) {
    uint32_t owner = unit_owner(kept->units, unit);
    if (bits_put(&kept->kept, owner - kept->root)) vec_push(kept->arena, &kept->work, owner);
}

// Whether a name that is declared in one unit is in scope in another.
static bool in_scope(const KeptUnits *kept, uint32_t declared, uint32_t unit) {
    const Unit *at = unit_at(kept->units, declared);
    bool block = at->kind == UNIT_FUNCTION || at->kind == UNIT_BLOCK || at->kind == UNIT_IF ||
                 at->kind == UNIT_WHILE || at->kind == UNIT_DO || at->kind == UNIT_FOR ||
                 at->kind == UNIT_SWITCH;
    while (at->kind == UNIT_DECLARATOR || at->kind == UNIT_INITIALIZER)
        at = unit_at(kept->units, at->parent);
    return unit >= declared && unit <= (block ? at : unit_at(kept->units, at->parent))->last;
}

static void keep_declarations(KeptUnits *kept, const UnitName *mention) {
    uint32_t at = map_get(&kept->declared, mention->name->name.i);
    for (; at != HASH_NONE && at; at = kept->older[at - 1]) {
        uint32_t unit = kept->units->declares.at[kept->first_declaration + at - 1].unit;
        if (in_scope(kept, unit, mention->unit)) stay(kept, unit);
    }
}

// The prologue and what computed gotos share are always there, but not the return at the end.
static void demand_nodes(KeptUnits *kept, SliceDemand *demand, uint32_t unit) {
    if (unit == kept->root) return;
    UnitNodes nodes = kept_units_nodes(kept, unit);
    const Bits *there = slice_demand_kept(demand);
    for (uint32_t i = 0; i < nodes.count; i++) {
        if (bits_has(there, nodes.at[i].i)) continue;
        slice_demand_node(demand, nodes.at[i]);
        kept->grown = true;
    }
}

static void look_at(KeptUnits *kept, SliceDemand *demand, uint32_t unit) {
    const Units *units = kept->units;
    uint32_t u = unit - kept->root;
    demand_nodes(kept, demand, unit);
    if (unit != kept->root) stay(kept, unit_at(units, unit)->parent);
    for (uint32_t i = kept->labels_of.starts[u]; i < kept->labels_of.starts[u + 1]; i++)
        stay(kept, units->labels.at[kept->labels_of.at[i]].to);
    for (uint32_t i = kept->cases_of.starts[u]; i < kept->cases_of.starts[u + 1]; i++)
        stay(kept, units->cases.at[kept->cases_of.at[i]].to);
    for (uint32_t i = kept->mentions_of.starts[u]; i < kept->mentions_of.starts[u + 1]; i++)
        keep_declarations(kept, &units->mentions.at[kept->mentions_of.at[i]]);
}

static void finish_work(KeptUnits *kept, SliceDemand *demand) {
    do {
        while (kept->work.count) look_at(kept, demand, vec_pop(&kept->work));
        for (uint32_t i = 0; i < kept->pinned.count; i++)
            if (kept_units_has(kept, unit_at(kept->units, kept->pinned.at[i])->parent))
                stay(kept, kept->pinned.at[i]);
    } while (kept->work.count);
}

void kept_units_add(KeptUnits *kept, SliceDemand *demand, uint32_t unit) {
    stay(kept, unit);
    finish_work(kept, demand);
}

// Whether a node was made for the return at the end of the function.
static bool in_tail(const UnitFunction *function, uint32_t i) {
    return i >= function->tail && i < function->tail_end;
}

// Nodes that are in the text whatever is cut out of it: what is done to parameters, and what
// computed gotos share.
static void demand_fixed(KeptUnits *kept, SliceDemand *demand) {
    const UnitFunction *function = kept->function;
    for (uint32_t i = 0; i < function->count; i++) {
        if (unit_owner(kept->units, function->units[i]) != kept->root) continue;
        bool tail = in_tail(function, i) || function->kinds[i] == I_RETURN;
        if (!tail && function->nodes[i] != NO_ID)
            slice_demand_node(demand, (Node){function->nodes[i]});
    }
}

// The addresses of labels are numbered as they are met. Those in a table are met if something
// mentions the table.
static void keep_tables(KeptUnits *kept) {
    Part part;
    FIND_PART(kept, kept->units->mentions, part);
    for (uint32_t i = part.from; i < part.to; i++) {
        const UnitName *mention = &kept->units->mentions.at[i];
        uint32_t at = map_get(&kept->declared, mention->name->name.i);
        for (; at != HASH_NONE && at; at = kept->older[at - 1]) {
            uint32_t unit = kept->units->declares.at[kept->first_declaration + at - 1].unit;
            bool table = unit_at(kept->units, unit_owner(kept->units, unit))->always;
            if (table && in_scope(kept, unit, mention->unit)) stay(kept, mention->unit);
        }
    }
}

void kept_units_begin(KeptUnits *kept, SliceDemand *demand) {
    for (uint32_t u = 1; u < kept->count; u++) {
        if (unit_owner(kept->units, kept->root + u) != kept->root + u) continue;
        UnitNodes nodes = kept_units_nodes(kept, kept->root + u);
        if (nodes.count > 1) slice_demand_group(demand, nodes.at, nodes.count);
    }
    demand_fixed(kept, demand);
    for (uint32_t u = 1; u < kept->count; u++)
        if (unit_at(kept->units, kept->root + u)->always) stay(kept, kept->root + u);
    if (kept->work.count) keep_tables(kept);
    kept_units_add(kept, demand, kept->root);
}

// ---- What is cut must not change where control goes

// The outermost unit that is cut around a unit that is.
static const Unit *whole_cut(const KeptUnits *kept, uint32_t unit) {
    const Unit *at = unit_at(kept->units, unit_owner(kept->units, unit));
    while (!kept_units_has(kept, at->parent))
        at = unit_at(kept->units, unit_owner(kept->units, at->parent));
    return at;
}

// Whether the original can be at a place in the order of emission. Of a unit that is cut the
// beginning counts, as its jumps are gone.
static bool is_known(const KeptUnits *kept, uint32_t i) {
    const UnitFunction *function = kept->function;
    if (kept_units_has(kept, function->units[i])) return function->leads[i] != NO_ID;
    const Unit *cut = whole_cut(kept, function->units[i]);
    return function->leads[cut->first] != NO_ID && cut->first == i;
}

// Where the text of the slice goes from an emitted node that the original never comes to: to
// another, or NO_ID if there is something in the slice, or the end.
static uint32_t passes(const KeptUnits *kept, uint32_t i) {
    const UnitFunction *function = kept->function;
    if (!kept_units_has(kept, function->units[i])) {
        uint32_t behind = whole_cut(kept, function->units[i])->behind;
        return behind > i ? behind : i + 1;
    }
    if (function->jumps[i] != NO_ID) return function->jumps[i];
    // A value that is made up for the return at the end.
    return in_tail(function, i) && function->kinds[i] == I_OP ? i + 1 : NO_ID;
}

static uint32_t arrives(const KeptUnits *kept, uint32_t i) {
    const UnitFunction *function = kept->function;
    if (function->kinds[i] == I_RETURN) return SLICE_NEXT_NONE;
    return function->units[i] == kept->root ? SLICE_NEXT_ANY : FOREIGN;
}

// The kept node that is met next from a place in the order of emission. Where the original can be,
// it knows; elsewhere the text of the slice is followed. Each place is passed once.
static uint32_t follow(KeptUnits *kept, const uint32_t *next, uint32_t from) {
    const UnitFunction *function = kept->function;
    uint32_t count = function->count, at = from, result = UNKNOWN;
    while (result == UNKNOWN) {
        if (at >= count) {
            result = SLICE_NEXT_NONE;
        } else if (is_known(kept, at)) {
            result = next[function->leads[at]];
        } else if (kept->comes_to[at] == FOLLOWED) {
            result = SLICE_NEXT_ANY; // it goes round for ever
        } else if (kept->comes_to[at] != UNKNOWN) {
            result = kept->comes_to[at];
        } else {
            kept->comes_to[at] = FOLLOWED;
            uint32_t on = passes(kept, at);
            if (on == NO_ID) result = arrives(kept, at);
            at = on == NO_ID ? at : on;
        }
    }
    for (at = from; at < count && kept->comes_to[at] == FOLLOWED;) {
        kept->comes_to[at] = result;
        uint32_t on = passes(kept, at);
        if (on == NO_ID) break;
        at = on;
    }
    return result;
}

// Keeps the units that cannot be cut because control would go elsewhere. Whether there are any.
static bool keep_jumps(KeptUnits *kept, SliceDemand *demand) {
    const uint32_t *next = slice_demand_next(demand);
    const UnitFunction *function = kept->function;
    bool found = false;
    for (uint32_t i = 0; i < function->count; i++) kept->comes_to[i] = UNKNOWN;
    for (uint32_t u = 1; u < kept->count; u++) {
        const Unit *unit = unit_at(kept->units, kept->root + u);
        if (!unit->clean || bits_has(&kept->kept, u) || !kept_units_has(kept, unit->parent) ||
            unit->first >= unit->behind)
            continue;
        uint32_t lead = function->leads[unit->first];
        if (lead == NO_ID) continue;
        uint32_t comes = follow(kept, next, unit->behind);
        if (comes == next[lead] || (next[lead] == SLICE_NEXT_ANY && comes != FOREIGN)) continue;
        vec_push(kept->arena, &kept->work, kept->root + u); // looked at when all are found
        found = true;
    }
    for (uint32_t i = 0; i < kept->work.count; i++)
        bits_add(&kept->kept, kept->work.at[i] - kept->root);
    return found;
}

bool kept_units_more(void *context, SliceDemand *demand) {
    KeptUnits *kept = context;
    const Bits *nodes = slice_demand_kept(demand);
    const UnitFunction *function = kept->function;
    kept->grown = false;
    for (uint32_t i = 0; i < function->count; i++)
        if (function->nodes[i] != NO_ID && bits_has(nodes, function->nodes[i]))
            stay(kept, function->units[i]);
    finish_work(kept, demand);
    while (!kept->grown && keep_jumps(kept, demand)) finish_work(kept, demand);
    return kept->grown;
}
