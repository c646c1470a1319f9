// The functions of libatomic, which access objects of any size under a lock. One thread runs, so
// that there is nothing to lock.
#include "run/world/externals.h"

void external_atomic_load(ExternalCall *call) {
    external_copy(call, arg_i64(call, 2), arg_i64(call, 1), arg_i64(call, 0));
}

void external_atomic_store(ExternalCall *call) {
    external_copy(call, arg_i64(call, 1), arg_i64(call, 2), arg_i64(call, 0));
}

// The value that goes in may lie where the old one goes to.
void external_atomic_exchange(ExternalCall *call) {
    uint64_t size = arg_i64(call, 0), object = arg_i64(call, 1), from = arg_i64(call, 2),
             to = arg_i64(call, 3);
    Memory *memory = call->world->memory;
    Object *kept = memory_add(memory, OBJECT_SYSTEM, "exchange", size, 16, false);
    if (!kept) {
        external_wrong(call, "no memory for %llu bytes", (unsigned long long)size);
        return;
    }
    if (external_copy(call, kept->address, from, size) && external_copy(call, to, object, size))
        external_copy(call, object, kept->address, size);
    memory_remove(memory, kept);
}

typedef struct {
    const uint8_t *data, *undef;
} Masked;

static bool read_masked(ExternalCall *call, uint64_t address, uint64_t size, Masked *bytes) {
    uint8_t *undef = NULL;
    bytes->data = memory_read(call->world->memory, address, size, &undef);
    bytes->undef = undef;
    if (bytes->data) return true;
    world_note_access(call->world, address, size, false);
    external_wrong(call, "%s",
                   memory_reason(call->world->memory, call->world->arena, address, size, false));
    return false;
}

// Padding that is undefined on both sides, as after a copy, counts as equal; a bit that is
// undefined on one side only could decide, which is a wrong step.
static bool equal_bytes(ExternalCall *call, const Masked *a, const Masked *b, uint64_t size,
                        bool *equal) {
    *equal = true;
    for (uint64_t i = 0; i < size; i++) {
        uint8_t x = a->undef ? a->undef[i] : 0, y = b->undef ? b->undef[i] : 0;
        if (x != y) {
            external_wrong(call, "byte %llu is undefined", (unsigned long long)i);
            return false;
        }
        *equal &= ((a->data[i] ^ b->data[i]) & (uint8_t)~x) == 0;
    }
    return true;
}

void external_atomic_compare_exchange(ExternalCall *call) {
    uint64_t size = arg_i64(call, 0), object = arg_i64(call, 1), expected = arg_i64(call, 2),
             desired = arg_i64(call, 3);
    Masked found, wanted;
    bool equal;
    if (!read_masked(call, object, size, &found) || !read_masked(call, expected, size, &wanted) ||
        !equal_bytes(call, &found, &wanted, size, &equal))
        return;
    if (external_copy(call, equal ? object : expected, equal ? desired : object, size))
        give_i32(call, equal);
}

// Whether it lies within a word that the machine accesses at once.
void external_atomic_is_lock_free(ExternalCall *call) {
    uint64_t size = arg_i64(call, 0), address = arg_i64(call, 1);
    give_i32(call, size <= 8 && address % 8 + size <= 8);
}
