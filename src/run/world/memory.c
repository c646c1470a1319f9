// The simulated memory. Objects live in windows. A window of a size class is made once and then
// serves one object after the other; a freed window waits in a queue until enough others were freed
// after it, so that stale pointers are usually caught. Small windows keep their host buffer, so the
// slots of a call are cheap; large windows give the buffer back. Where objects are to touch,
// windows have no guard space, and dead windows do not wait. The host is little-endian, as the
// simulated machine is.
#include "run/world/memory_private.h"

#include "base/out.h"

#include <stdlib.h>

enum {
    CLASS_COUNT = MEMORY_CLASS_COUNT,
    KEEP_BITS = 12,    // windows of up to 2^12 bytes keep their buffer
    NULL_PAGE = 65536, // an address below this came from a null pointer
    REGION_BITS = 42,
};

static const MemoryLayout layouts[] = {
    [PLACEMENT_APART] = {.window_bits = 5, .guard = 16, .heap_rest = 1024, .frame_rest = 64},
    [PLACEMENT_TOUCHING] = {0},
};

Memory *memory_new(void) {
    Memory *memory = xmalloc(sizeof *memory);
    *memory = (Memory){.arena = arena_new("memory"),
                       .limit = MEMORY_DEFAULT_LIMIT,
                       .layout = layouts[PLACEMENT_APART]};
    return memory;
}

void memory_set_placement(Memory *memory, ObjectPlacement placement) {
    memory->layout = layouts[placement];
}

static uint32_t class_bits(const Memory *memory, uint32_t size_class) {
    return size_class + memory->layout.window_bits;
}

static bool keeps_buffer(const Memory *memory, uint32_t size_class) {
    return class_bits(memory, size_class) <= KEEP_BITS;
}

// The size of the largest object of a class.
static uint64_t class_room(const Memory *memory, uint32_t size_class) {
    return ((uint64_t)1 << class_bits(memory, size_class)) - 2 * (uint64_t)memory->layout.guard;
}

static uint32_t address_class(uint64_t address) {
    return (uint32_t)(address >> REGION_BITS);
}

uint64_t memory_buffer_size(const Memory *memory, uint64_t address) {
    uint32_t size_class = address_class(address);
    return keeps_buffer(memory, size_class) ? 2 * class_room(memory, size_class) : 0;
}

// A window that keeps its buffer has its masks in it.
static void free_bytes(const Memory *memory, uint32_t size_class, Window *window) {
    if (keeps_buffer(memory, size_class)) return;
    free(window->object.data);
    free(window->object.undef);
    window->object.data = window->object.undef = NULL;
}

void memory_free(Memory *memory) {
    if (!memory) return;
    versions_free(memory);
    for (uint32_t size_class = 0; size_class < CLASS_COUNT; size_class++) {
        SizeClass *windows = &memory->classes[size_class];
        for (uint64_t i = 0; i < windows->count; i++) {
            free_bytes(memory, size_class, windows->windows[i]);
            free(windows->windows[i]->object.types);
            free(windows->windows[i]->buffer);
        }
        free(windows->windows);
    }
    arena_free(memory->arena);
    free(memory);
}

void memory_set_limit(Memory *memory, uint64_t bytes) {
    memory->limit = bytes;
}

bool memory_charge(Memory *memory, uint64_t bytes) {
    if (memory->charged > memory->limit || bytes > memory->limit - memory->charged) return false;
    memory->charged += bytes;
    return true;
}

void memory_discharge(Memory *memory, uint64_t bytes) {
    memory->charged -= bytes;
}

// ---- Windows

static void queue_add(Queue *queue, Window *window) {
    window->next = NULL;
    if (queue->count++)
        queue->last->next = window;
    else
        queue->first = window;
    queue->last = window;
}

static Window *queue_take(Queue *queue) {
    Window *window = queue->first;
    if (!window) return NULL;
    queue->first = window->next;
    queue->count--;
    return window;
}

static bool dies_with_call(ObjectKind kind) {
    return kind == OBJECT_SLOT || kind == OBJECT_ALLOCA || kind == OBJECT_ARGUMENT;
}

static Window *new_window(Memory *memory, uint32_t size_class) {
    SizeClass *windows = &memory->classes[size_class];
    uint64_t buffer = keeps_buffer(memory, size_class) ? 2 * class_room(memory, size_class) : 0;
    if (windows->count >> (REGION_BITS - class_bits(memory, size_class))) return NULL;
    if (!memory_charge(memory, sizeof(Window) + 2 * sizeof(Window *) + buffer)) return NULL;
    if (windows->count == windows->capacity) {
        windows->capacity = windows->capacity ? windows->capacity * 2 : 16;
        windows->windows =
            xrealloc(windows->windows, size_mul(windows->capacity, sizeof(Window *)));
    }
    Window *window = ARENA_NEW(memory->arena, Window);
    windows->windows[windows->count++] = window;
    return window;
}

// A rested window, else a new one, else, if there can be no more, the one that rested longest. Its
// address field gets the window's start.
static Window *take_window(Memory *memory, uint32_t size_class, bool in_frame) {
    SizeClass *windows = &memory->classes[size_class];
    Queue *queue = in_frame ? &windows->free_frames : &windows->free_heap;
    Window *window = NULL;
    uint32_t bits = class_bits(memory, size_class);
    if (queue->count > (in_frame ? memory->layout.frame_rest : memory->layout.heap_rest))
        window = queue_take(queue);
    else if ((window = new_window(memory, size_class))) {
        uint64_t offset = (windows->count - 1) << bits;
        window->object.address = (uint64_t)size_class << REGION_BITS | offset;
        return window;
    }
    if (!window) window = queue_take(queue);
    if (!window) window = queue_take(in_frame ? &windows->free_heap : &windows->free_frames);
    if (window) window->object.address &= ~(((uint64_t)1 << bits) - 1);
    return window;
}

static void give_window(Memory *memory, uint32_t size_class, Window *window) {
    SizeClass *windows = &memory->classes[size_class];
    window->object.live = false;
    queue_add(dies_with_call(window->object.kind) ? &windows->free_frames : &windows->free_heap,
              window);
}

// ---- Objects

// The class whose windows hold an object with `start` bytes in front of the object; CLASS_COUNT if
// there is none.
static uint32_t class_for(const Memory *memory, uint64_t start, uint64_t size) {
    const MemoryLayout *layout = &memory->layout;
    const uint64_t largest = (uint64_t)1 << class_bits(memory, CLASS_COUNT - 1);
    if (start > largest || size > largest || start + size + layout->guard > largest)
        return CLASS_COUNT;
    uint64_t bytes = start + size + layout->guard;
    uint32_t bits = bytes > 1 ? 64 - (uint32_t)__builtin_clzll(bytes - 1) : 0;
    return bits <= layout->window_bits ? 1 : bits - layout->window_bits;
}

// The bytes in front of an object in its window. Without guard space, objects lie at the end of
// every other window, so that the next object begins where they end.
static uint64_t start_in(const Memory *memory, uint32_t size_class, uint64_t window, uint64_t size,
                         uint64_t align) {
    uint32_t bits = class_bits(memory, size_class);
    if (memory->layout.guard) return align > memory->layout.guard ? align : memory->layout.guard;
    return window >> bits & 1 ? 0 : (((uint64_t)1 << bits) - size) & ~(align - 1);
}

// Gives a large object its bytes.
static bool allocate_bytes(Memory *memory, Object *object, uint64_t size, bool defined) {
    if (!memory_charge(memory, 2 * size)) return false;
    object->data = calloc(size ? size : 1, 1);
    object->undef = defined ? NULL : malloc(size ? size : 1);
    if (object->data && (defined || object->undef)) {
        if (!defined) memset(object->undef, 0xff, size);
        return true;
    }
    free(object->data);
    free(object->undef);
    object->data = object->undef = NULL;
    memory_discharge(memory, 2 * size);
    return false;
}

Object *memory_add(Memory *memory, ObjectKind kind, const char *name, uint64_t size, uint64_t align,
                   bool defined) {
    uint64_t guard = memory->layout.guard;
    uint32_t size_class = guard ? class_for(memory, align > guard ? align : guard, size)
                                : class_for(memory, 0, size > align ? size : align);
    if (size_class == CLASS_COUNT) return NULL;
    Window *window = take_window(memory, size_class, dies_with_call(kind));
    if (!window) return NULL;
    Object *object = &window->object;
    object->size = size;
    object->address += start_in(memory, size_class, object->address, size, align);
    object->name = name;
    object->serial = 0;
    object->kind = kind;
    object->live = true;
    object->readonly = false;
    window->born = memory->lives = ++memory->clock;
    if (keeps_buffer(memory, size_class)) {
        if (!window->buffer) window->buffer = xmalloc(memory_buffer_size(memory, object->address));
        uint8_t *undef = window->buffer + class_room(memory, size_class);
        object->data = memset(window->buffer, 0, size);
        object->undef = defined ? NULL : memset(undef, 0xff, size);
    } else if (!allocate_bytes(memory, object, size, defined)) {
        give_window(memory, size_class, window);
        return NULL;
    }
    return object;
}

void memory_remove(Memory *memory, Object *object) {
    uint32_t size_class = address_class(object->address);
    Window *window = (Window *)object;
    memory->lives = ++memory->clock;
    if (object->types) memory_discharge(memory, object->size * sizeof *object->types);
    free(object->types);
    object->types = NULL;
    if (memory->newest && versions_keep_life(memory, window)) {
        object->data = object->undef = NULL;
    } else if (!keeps_buffer(memory, size_class)) {
        free_bytes(memory, size_class, window);
        memory_discharge(memory, 2 * object->size);
    }
    give_window(memory, size_class, window);
}

// Gives an object that was all defined a mask of its own, still saying so.
static bool add_mask(const Memory *memory, Object *object) {
    uint32_t size_class = address_class(object->address);
    if (keeps_buffer(memory, size_class))
        object->undef =
            memset(((Window *)object)->buffer + class_room(memory, size_class), 0, object->size);
    else
        object->undef = calloc(object->size ? object->size : 1, 1);
    return object->undef != NULL;
}

// ---- Access

Object *memory_find(const Memory *memory, uint64_t address) {
    uint32_t size_class = address_class(address);
    if (size_class >= CLASS_COUNT) return NULL;
    const SizeClass *windows = &memory->classes[size_class];
    uint64_t index =
        (address & (((uint64_t)1 << REGION_BITS) - 1)) >> class_bits(memory, size_class);
    return index < windows->count ? &windows->windows[index]->object : NULL;
}

// The live object that holds all of some bytes; NULL if there is none.
static Object *find_live(const Memory *memory, uint64_t address, uint64_t size) {
    Object *object = memory_find(memory, address);
    if (!object || !object->live) return NULL;
    uint64_t offset = address - object->address;
    return offset <= object->size && size <= object->size - offset ? object : NULL;
}

// Before bytes change while versions are held. True also if they cannot be changed.
static __attribute__((noinline)) bool keep(Memory *memory, uint64_t address, uint64_t size) {
    Object *object = find_live(memory, address, size);
    if (!object || object->readonly) return true;
    return versions_keep(memory, (Window *)object, address - object->address, size);
}

// The same as find_live for a change of the bytes: it must be allowed, and versions that are held
// must keep what they have.
static inline Object *find_writable(Memory *memory, uint64_t address, uint64_t size) {
    if (__builtin_expect(memory->newest != NULL, 0) && !keep(memory, address, size)) return NULL;
    Object *object = find_live(memory, address, size);
    if (!object || object->readonly) return NULL;
    if (__builtin_expect(object->types != NULL, 0))
        memory_forget_types(object, address - object->address, size);
    return object;
}

static uint8_t *object_bytes(const Object *object, uint64_t address, uint8_t **undef) {
    uint64_t offset = address - object->address;
    *undef = object->undef ? object->undef + offset : NULL;
    return object->data + offset;
}

uint8_t *memory_read(const Memory *memory, uint64_t address, uint64_t size, uint8_t **undef) {
    const Object *object = find_live(memory, address, size);
    return object ? object_bytes(object, address, undef) : NULL;
}

uint8_t *memory_write(Memory *memory, uint64_t address, uint64_t size, uint8_t **undef) {
    const Object *object = find_writable(memory, address, size);
    return object ? object_bytes(object, address, undef) : NULL;
}

bool memory_copy(Memory *memory, uint64_t to, uint64_t from, uint64_t size) {
    Object *source = find_live(memory, from, size), *target = find_writable(memory, to, size);
    if (!source || !target) return false;
    if (source->undef && !target->undef && !add_mask(memory, target)) return false;
    uint8_t *from_undef, *to_undef;
    const uint8_t *from_data = object_bytes(source, from, &from_undef);
    memmove(object_bytes(target, to, &to_undef), from_data, size);
    if (from_undef)
        memmove(to_undef, from_undef, size);
    else if (to_undef)
        memset(to_undef, 0, size);
    return true;
}

bool memory_fill(Memory *memory, uint64_t to, Value byte, uint64_t size) {
    Object *target = find_writable(memory, to, size);
    if (!target) return false;
    uint8_t mask = (uint8_t)byte.undef, *undef;
    if (mask && !target->undef && !add_mask(memory, target)) return false;
    memset(object_bytes(target, to, &undef), (uint8_t)byte.bits & (uint8_t)~mask, size);
    if (undef) memset(undef, mask, size);
    return true;
}

// ---- Chunks

static uint32_t bytes_of(Chunk chunk) {
    static const uint8_t bytes[CHUNK_COUNT] = {
#define CHUNK(name, text, size, type) [CHUNK_##name] = (size),
        CHUNKS(CHUNK)
#undef CHUNK
    };
    return bytes[chunk];
}

// The bits of a chunk of at most 8 bytes, extended as the chunk says. Sign extension of a mask is
// right too: copies of an undefined sign are undefined.
static uint64_t get_chunk(Chunk chunk, const uint8_t *from) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (chunk) {
    case CHUNK_I8: return (uint64_t)(uint32_t)(int8_t)from[0];
    case CHUNK_U8: return from[0];
    case CHUNK_I16: memcpy(&two, from, sizeof two); return (uint64_t)(uint32_t)(int16_t)two;
    case CHUNK_U16: memcpy(&two, from, sizeof two); return two;
    case CHUNK_I32:
    case CHUNK_F32: memcpy(&four, from, sizeof four); return four;
    default: memcpy(&eight, from, sizeof eight); return eight;
    }
}

static void put_chunk(Chunk chunk, uint8_t *to, uint64_t bits) {
    switch (chunk) {
    case CHUNK_I8:
    case CHUNK_U8: to[0] = (uint8_t)bits; break;
    case CHUNK_I16:
    case CHUNK_U16: memcpy(to, &bits, 2); break;
    case CHUNK_I32:
    case CHUNK_F32: memcpy(to, &bits, 4); break;
    default: memcpy(to, &bits, 8); break;
    }
}

static inline void set_to_chunk(Value *value, Chunk chunk, const uint8_t *data,
                                const uint8_t *undef) {
    *value = (Value){.bits = get_chunk(chunk, data), .undef = undef ? get_chunk(chunk, undef) : 0};
    if (chunk == CHUNK_F80) {
        memcpy(&value->high, data + 8, 2);
        if (undef && (value->undef | undef[8] | undef[9])) *value = value_undefined(TYPE_F80);
    }
    value->bits &= ~value->undef;
}

Value memory_chunk_value(Chunk chunk, const uint8_t *data, const uint8_t *undef) {
    Value value;
    set_to_chunk(&value, chunk, data, undef);
    return value;
}

bool memory_load(const Memory *memory, Chunk chunk, uint64_t address, Value *value) {
    const Object *object = find_live(memory, address, bytes_of(chunk));
    if (!object) return false;
    uint8_t *undef;
    const uint8_t *data = object_bytes(object, address, &undef);
    set_to_chunk(value, chunk, data, undef);
    return true;
}

bool memory_store(Memory *memory, Chunk chunk, uint64_t address, Value value) {
    Object *object = find_writable(memory, address, bytes_of(chunk));
    if (!object) return false;
    if (value.undef && !object->undef && !add_mask(memory, object)) return false;
    uint8_t *undef;
    uint8_t *data = object_bytes(object, address, &undef);
    put_chunk(chunk, data, value.bits);
    if (undef) put_chunk(chunk, undef, value.undef);
    if (chunk == CHUNK_F80) {
        memcpy(data + 8, &value.high, 2);
        if (undef) memset(undef + 8, value.undef ? 0xff : 0, 2);
    }
    return true;
}

// ---- Reasons

// "slot 'buf' of 16 bytes", "malloc block #3 of 1 byte", "alloca of 8 bytes"
static const char *describe(Arena *arena, const Object *object) {
    static const char *const kinds[] = {
        [OBJECT_GLOBAL] = "global", [OBJECT_SLOT] = "slot", [OBJECT_SYSTEM] = "system object"};
    Out out = {0};
    if (object->kind == OBJECT_HEAP)
        out_printf(&out, "%s block #%llu", object->name, (unsigned long long)object->serial);
    else if (object->kind == OBJECT_ALLOCA || object->kind == OBJECT_ARGUMENT)
        out_text(&out, object->name);
    else
        out_printf(&out, "%s '%s'", kinds[object->kind], object->name);
    out_printf(&out, " of %llu byte%s", (unsigned long long)object->size,
               object->size == 1 ? "" : "s");
    const char *text = arena_text(arena, out.text, out.length);
    out_free(&out);
    return text;
}

// Where an access lies that does not fit into the live object of its window.
static const char *describe_outside(Arena *arena, const Object *object, uint64_t address,
                                    uint64_t size) {
    const char *what = describe(arena, object);
    if (address < object->address) {
        unsigned long long before = object->address - address;
        return arena_printf(arena, "is %llu byte%s before %s", before, before == 1 ? "" : "s",
                            what);
    }
    uint64_t offset = address - object->address;
    if (offset <= object->size && size <= object->size - offset)
        return arena_printf(arena, "is to %s, and there is no memory to keep what it held", what);
    if (offset < object->size) return arena_printf(arena, "crosses the end of %s", what);
    unsigned long long past = offset - object->size;
    if (past == 0) return arena_printf(arena, "is just past the end of %s", what);
    return arena_printf(arena, "is %llu byte%s past the end of %s", past, past == 1 ? "" : "s",
                        what);
}

// The object may be one of an earlier version of the memory.
static const char *describe_access(Arena *arena, const Object *object, uint64_t address,
                                   uint64_t size, bool write) {
    if (address < NULL_PAGE) return "goes through a null pointer";
    if (!object) return "is where no object is";
    if (object->kind == OBJECT_MISSING)
        return arena_printf(arena, "needs '%s', which is not defined", object->name);
    if (!object->live)
        return arena_printf(arena, "is a use after %s of %s",
                            object->kind == OBJECT_HEAP ? "free" : "the end",
                            describe(arena, object));
    if (write && object->readonly)
        return arena_printf(arena, "is to read-only %s", describe(arena, object));
    return describe_outside(arena, object, address, size);
}

const char *memory_reason_of(Arena *arena, const Object *object, uint64_t address, uint64_t size,
                             bool write) {
    return arena_printf(arena, "%llu-byte %s at 0x%llx %s", (unsigned long long)size,
                        write ? "write" : "read", (unsigned long long)address,
                        describe_access(arena, object, address, size, write));
}

const char *memory_reason(const Memory *memory, Arena *arena, uint64_t address, uint64_t size,
                          bool write) {
    return memory_reason_of(arena, memory_find(memory, address), address, size, write);
}
