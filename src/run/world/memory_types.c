// The effective types of bytes in the simulated memory, for runs that track them. An object has
// notes from the first typed store to it on, so that all other runs only see that there are none.
#include "run/world/memory_private.h"

#include <stdlib.h>

void memory_forget_types(Object *object, uint64_t offset, uint64_t size) {
    memset(object->types + offset, 0, size * sizeof *object->types);
}

bool memory_note_type(Memory *memory, uint64_t address, uint64_t size, StoredType stored) {
    Object *object = memory_find(memory, address);
    if (!object->types) {
        if (!memory_charge(memory, object->size * sizeof *object->types)) return false;
        object->types = calloc(object->size, sizeof *object->types);
        if (!object->types) return false;
    }
    for (uint64_t i = 0; i < size; i++) object->types[address - object->address + i] = stored;
    return true;
}

const StoredType *memory_other_type(const Memory *memory, uint64_t address, uint64_t size,
                                    EffectiveType type) {
    const Object *object = memory_find(memory, address);
    for (uint64_t i = 0; object->types && i < size; i++) {
        const StoredType *stored = &object->types[address - object->address + i];
        if (!effective_meets((EffectiveType)stored->type, type)) return stored;
    }
    return NULL;
}
