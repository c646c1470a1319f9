#include "imp/imp_arrays.h"

typedef struct ImpTable {
    Map slots; // of an index: of `values`
    VEC(Value) values;
} ImpTable;

ImpVersion *imp_array_new(Arena *arena) {
    ImpVersion *version = ARENA_NEW(arena, ImpVersion);
    version->table = ARENA_NEW(arena, ImpTable);
    return version;
}

static Value *slot(Arena *arena, ImpTable *table, uint64_t index) {
    uint32_t at = map_get(&table->slots, index);
    if (at == HASH_NONE) {
        at = table->values.count;
        vec_push(arena, &table->values, (Value){0});
        map_set(arena, &table->slots, index, at);
    }
    return &table->values.at[at];
}

// Makes the table hold this version. On the way to the version that it holds now all links are
// turned round.
static void make_current(Arena *arena, ImpVersion *version) {
    ImpVersion *behind = NULL, *at = version;
    while (at->from) { // reverse the path, to walk it from its end
        ImpVersion *next = at->from;
        at->from = behind;
        behind = at;
        at = next;
    }
    for (ImpVersion *current = at; behind;) {
        ImpVersion *next = behind->from;
        Value *there = slot(arena, version->table, behind->index);
        current->from = behind;
        current->index = behind->index;
        current->value = *there;
        *there = behind->value;
        current = behind;
        behind = next;
    }
    version->from = NULL;
}

Value imp_array_read(Arena *arena, ImpVersion *version, uint64_t index) {
    if (version->from) make_current(arena, version);
    uint32_t at = map_get(&version->table->slots, index);
    return at == HASH_NONE ? (Value){0} : version->table->values.at[at];
}

ImpVersion *imp_array_write(Arena *arena, ImpVersion *version, uint64_t index, Value value) {
    if (version->from) make_current(arena, version);
    ImpVersion *new_version = ARENA_NEW(arena, ImpVersion);
    Value *there = slot(arena, version->table, index);
    new_version->table = version->table;
    version->from = new_version;
    version->index = index;
    version->value = *there;
    *there = value;
    return new_version;
}

void imp_array_set(Arena *arena, ImpVersion *version, uint64_t index, Value value) {
    *slot(arena, version->table, index) = value;
}
