// <stdlib.h>: memory, numbers, sorting, random numbers, the end of the program; and assert, errno
// and locale, which fit nowhere else.
//
// Whatever could make two runs differ is fixed: the environment starts empty. rand gives glibc's
// sequence, so that programs print what they print natively.
#include "run/world/externals.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HEAP_ALIGN = 16, PAGE = 4096, RANDOM_TAP = 3 };

// ---- The heap

void external_malloc(ExternalCall *call) {
    give_i64(call, external_allocate(call, arg_i64(call, 0), HEAP_ALIGN, false));
}

// The product of two sizes; false, with errno set, if it is too large.
static bool multiply(ExternalCall *call, uint64_t a, uint64_t b, uint64_t *product) {
    *product = a * b;
    if (!a || *product / a == b) return true;
    external_errno(call, ENOMEM);
    return false;
}

void external_calloc(ExternalCall *call) {
    uint64_t size;
    if (multiply(call, arg_i64(call, 0), arg_i64(call, 1), &size))
        give_i64(call, external_allocate(call, size, HEAP_ALIGN, true));
}

// The live heap block that starts at an address.
static Object *heap_block(ExternalCall *call, uint64_t address) {
    Object *object = memory_find(call->world->memory, address);
    const unsigned long long at = address;
    if (!object || object->kind != OBJECT_HEAP || !object->live || object->address != address)
        world_note_access(call->world, address, 0, true);
    if (!object || object->kind != OBJECT_HEAP)
        external_wrong(call, "address 0x%llx is not that of a heap block%s%s", at,
                       object ? ", but in " : "", object ? object->name : "");
    else if (!object->live)
        external_wrong(call, "the heap block at address 0x%llx was freed before", at);
    else if (object->address != address)
        external_wrong(call,
                       "address 0x%llx is not the start of a heap block, but byte %lld of one", at,
                       (long long)(address - object->address));
    else
        return object;
    return NULL;
}

static void free_block(ExternalCall *call, Object *object) {
    object->ended = call->world->place(call->world);
    memory_remove(call->world->memory, object);
}

void external_free(ExternalCall *call) {
    if (!arg_i64(call, 0)) return;
    Object *object = heap_block(call, arg_i64(call, 0));
    if (object) free_block(call, object);
}

uint64_t external_reallocate(ExternalCall *call, uint64_t old, uint64_t size) {
    Memory *memory = call->world->memory;
    if (!old) return external_allocate(call, size, HEAP_ALIGN, false);
    const Object *object = heap_block(call, old);
    if (!object) return 0;
    uint64_t kept = object->size < size ? object->size : size;
    uint64_t fresh = external_allocate(call, size, HEAP_ALIGN, false);
    if (fresh && external_copy(call, fresh, old, kept)) free_block(call, memory_find(memory, old));
    return fresh;
}

// As in glibc, a size of 0 frees the block and gives NULL.
static void reallocate(ExternalCall *call, uint64_t old, uint64_t size) {
    if (old && !size)
        external_free(call);
    else
        give_i64(call, external_reallocate(call, old, size));
}

void external_realloc(ExternalCall *call) {
    reallocate(call, arg_i64(call, 0), arg_i64(call, 1));
}

void external_reallocarray(ExternalCall *call) {
    uint64_t size;
    if (multiply(call, arg_i64(call, 1), arg_i64(call, 2), &size))
        reallocate(call, arg_i64(call, 0), size);
}

static bool power_of_two(uint64_t n) {
    return n && !(n & (n - 1));
}

void external_aligned_alloc(ExternalCall *call) {
    uint64_t align = arg_i64(call, 0);
    if (!power_of_two(align))
        external_errno(call, EINVAL);
    else
        give_i64(call, external_allocate(call, arg_i64(call, 1),
                                         align < HEAP_ALIGN ? HEAP_ALIGN : align, false));
}

void external_valloc(ExternalCall *call) {
    give_i64(call, external_allocate(call, arg_i64(call, 0), PAGE, false));
}

void external_posix_memalign(ExternalCall *call) {
    uint64_t align = arg_i64(call, 1);
    if (!power_of_two(align) || align % 8) {
        give_i32(call, EINVAL);
        return;
    }
    uint64_t address =
        external_allocate(call, arg_i64(call, 2), align < HEAP_ALIGN ? HEAP_ALIGN : align, false);
    if (!address)
        give_i32(call, ENOMEM);
    else
        external_store(call, CHUNK_I64, arg_i64(call, 0), value_i64(address));
}

// ---- The end of the program

// What atexit registered runs when the interpreter sees that the run ended with a result.
void external_exit(ExternalCall *call) {
    world_exit(call->world, END_RESULT, arg_int(call, 0));
}

void external_exit_at_once(ExternalCall *call) {
    call->world->skip_at_exit = true;
    external_exit(call);
}

void external_abort(ExternalCall *call) {
    world_exit(call->world, END_ABORT, 0);
}

void external_atexit(ExternalCall *call) {
    World *world = call->world;
    uint64_t function = arg_i64(call, 0);
    vec_push(world->arena, &world->at_exit, function);
}

void external_assert_fail(ExternalCall *call) {
    uint64_t length;
    const char *condition = external_string(call, arg_i64(call, 0), &length);
    const char *file = condition ? external_string(call, arg_i64(call, 1), &length) : NULL;
    const char *function = "";
    if (file && arg_i64(call, 3)) function = external_string(call, arg_i64(call, 3), &length);
    if (!file || !function) return;
    Out *out = &call->world->files->text;
    out->length = 0;
    out_printf(out, "%s:%u: %s%sAssertion `%s' failed.\n", file, arg_i32(call, 2), function,
               arg_i64(call, 3) ? ": " : "", condition);
    Stream *stream = external_standard(call, 2);
    if (stream) external_output(call, stream, out->text, out->length);
    external_abort(call);
}

// ---- Jumps

// The frames are the interpreter's. Signal masks, which sigsetjmp may save, do not exist.
void external_setjmp(ExternalCall *call) {
    if (call->world->set_jump(call->world, arg_i64(call, 0))) give_i32(call, 0);
}

void external_longjmp(ExternalCall *call) {
    call->world->jump(call->world, arg_i64(call, 0), arg_i32(call, 1));
}

// ---- Integers

void external_abs(ExternalCall *call) {
    uint32_t n = arg_i32(call, 0);
    call->result = value_i32((int32_t)n < 0 ? -n : n);
}

void external_labs(ExternalCall *call) {
    uint64_t n = arg_i64(call, 0);
    give_i64(call, (int64_t)n < 0 ? -n : n);
}

// The quotient and the remainder go, in this order, to the address that follows the arguments.
void external_div(ExternalCall *call) {
    int32_t a = arg_int(call, 0), b = arg_int(call, 1);
    if (!b || (a == INT32_MIN && b == -1))
        external_wrong(call, "%d / %d", a, b);
    else {
        int32_t parts[2] = {a / b, a % b};
        external_put(call, arg_i64(call, 2), parts, sizeof parts);
    }
}

void external_ldiv(ExternalCall *call) {
    int64_t a = (int64_t)arg_i64(call, 0), b = (int64_t)arg_i64(call, 1);
    if (!b || (a == INT64_MIN && b == -1))
        external_wrong(call, "%lld / %lld", (long long)a, (long long)b);
    else {
        int64_t parts[2] = {a / b, a % b};
        external_put(call, arg_i64(call, 2), parts, sizeof parts);
    }
}

// ---- Numbers from strings
//
// The host converts a copy of the part that can belong to a number. What follows it is not looked
// at: a program may walk through a long text number by number.

typedef struct {
    Bytes bytes;
    const char *text; // the copy, NUL-terminated, from the address on
    uint64_t length;
} Numeral;

static bool numeral_at(ExternalCall *call, const char *also, Numeral *numeral) {
    Out *out = &call->world->files->text;
    if (!bytes_at(call, arg_i64(call, 0), &numeral->bytes)) return false;
    const Bytes *bytes = &numeral->bytes;
    uint64_t i = 0;
    while (bytes_ok(bytes, i) && isspace(bytes->data[i])) i++;
    if (bytes_ok(bytes, i) && (bytes->data[i] == '-' || bytes->data[i] == '+')) i++;
    while (bytes_ok(bytes, i) && bytes->data[i] &&
           (isalnum(bytes->data[i]) || strchr(also, bytes->data[i])))
        i++;
    out->length = 0;
    out_bytes(out, bytes->data, i);
    out_char(out, 0);
    numeral->text = out->text;
    numeral->length = i;
    errno = 0;
    return true;
}

// After the conversion: its errno, and where it ended. A number that reaches up to a byte which
// cannot be read has no end.
static void numeral_end(ExternalCall *call, const Numeral *numeral, const char *end,
                        uint64_t end_address) {
    uint64_t used = (uint64_t)(end - numeral->text);
    if (errno) external_errno(call, errno);
    if (used == numeral->length && !bytes_ok(&numeral->bytes, used))
        bytes_wrong(call, &numeral->bytes, used);
    else if (end_address)
        external_store(call, CHUNK_I64, end_address, value_i64(numeral->bytes.address + used));
}

void external_strtol(ExternalCall *call) {
    Numeral numeral;
    char *end;
    if (!numeral_at(call, "", &numeral)) return;
    give_i64(call, (uint64_t)strtol(numeral.text, &end, arg_int(call, 2)));
    numeral_end(call, &numeral, end, arg_i64(call, 1));
}

void external_strtoul(ExternalCall *call) {
    Numeral numeral;
    char *end;
    if (!numeral_at(call, "", &numeral)) return;
    give_i64(call, strtoul(numeral.text, &end, arg_int(call, 2)));
    numeral_end(call, &numeral, end, arg_i64(call, 1));
}

void external_atol(ExternalCall *call) {
    Numeral numeral;
    char *end;
    if (!numeral_at(call, "", &numeral)) return;
    give_i64(call, (uint64_t)strtol(numeral.text, &end, 10));
    numeral_end(call, &numeral, end, 0);
}

static const char float_characters[] = ".+-()_";

void external_strtod(ExternalCall *call) {
    Numeral numeral;
    char *end;
    if (!numeral_at(call, float_characters, &numeral)) return;
    call->result = value_f64(strtod(numeral.text, &end));
    numeral_end(call, &numeral, end, arg_i64(call, 1));
}

void external_strtof(ExternalCall *call) {
    Numeral numeral;
    char *end;
    if (!numeral_at(call, float_characters, &numeral)) return;
    call->result = value_f32(strtof(numeral.text, &end));
    numeral_end(call, &numeral, end, arg_i64(call, 1));
}

void external_strtold(ExternalCall *call) {
    Numeral numeral;
    char *end;
    if (!numeral_at(call, float_characters, &numeral)) return;
    call->result = value_f80(strtold(numeral.text, &end));
    numeral_end(call, &numeral, end, arg_i64(call, 1));
}

void external_atof(ExternalCall *call) {
    Numeral numeral;
    char *end;
    if (!numeral_at(call, float_characters, &numeral)) return;
    call->result = value_f64(strtod(numeral.text, &end));
    numeral_end(call, &numeral, end, 0);
}

// ---- Sorting and searching

typedef struct {
    ExternalCall *call;
    uint64_t function;
    uint64_t *order; // addresses of the elements
    uint64_t *spare; // as many
} Sort;

// Merges order[from .. middle) and order[middle .. to), both sorted.
static bool merge(const Sort *sort, uint64_t from, uint64_t middle, uint64_t to) {
    uint64_t left = from, right = middle, at = from;
    while (left < middle && right < to) {
        int32_t order;
        if (!external_compare(sort->call, sort->function, sort->order[left], sort->order[right],
                              &order))
            return false;
        sort->spare[at++] = order <= 0 ? sort->order[left++] : sort->order[right++];
    }
    while (left < middle) sort->spare[at++] = sort->order[left++];
    memcpy(sort->order + from, sort->spare + from, (at - from) * sizeof *sort->order);
    return true;
}

// Merges sort halves as glibc's qsort does, so that equal elements keep their order and the
// comparisons come in the same order. The depth of the recursion is the logarithm of the count.
static bool merge_sort(const Sort *sort, uint64_t from, uint64_t to) {
    if (to - from < 2) return true;
    uint64_t middle = from + (to - from) / 2;
    return merge_sort(sort, from, middle) && merge_sort(sort, middle, to) &&
           merge(sort, from, middle, to);
}

// Puts the elements into the order found, by way of a heap block that takes their undefined bytes
// too.
static void rearrange(ExternalCall *call, const uint64_t *order, uint64_t count, uint64_t size) {
    Memory *memory = call->world->memory;
    uint64_t copy = external_object(call->world, "qsort", NULL, count * size);
    if (!copy) return;
    bool ok = true;
    for (uint64_t i = 0; ok && i < count; i++)
        ok = external_copy(call, copy + i * size, order[i], size);
    if (ok) external_copy(call, arg_i64(call, 0), copy, count * size);
    memory_remove(memory, memory_find(memory, copy));
}

void external_qsort(ExternalCall *call) {
    uint64_t base = arg_i64(call, 0), count = arg_i64(call, 1), size = arg_i64(call, 2);
    if (count < 2 || !size) return;
    // An array that is not there is found out before the first comparison.
    uint64_t bytes = count > UINT64_MAX / size ? UINT64_MAX : count * size;
    if (!external_copy(call, base, base, bytes)) return;
    Sort sort = {.call = call, .function = arg_i64(call, 3)};
    sort.order = xmalloc(size_mul(count, 2 * sizeof *sort.order));
    sort.spare = sort.order + count;
    for (uint64_t i = 0; i < count; i++) sort.order[i] = base + i * size;
    if (merge_sort(&sort, 0, count)) rearrange(call, sort.order, count, size);
    free(sort.order);
}

void external_bsearch(ExternalCall *call) {
    uint64_t low = 0, high = arg_i64(call, 2);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint64_t element = arg_i64(call, 1) + middle * arg_i64(call, 3);
        int32_t order;
        if (!external_compare(call, arg_i64(call, 4), arg_i64(call, 0), element, &order)) return;
        if (!order) {
            give_i64(call, element);
            return;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
}

// ---- Random numbers
//
// glibc's random is an additive feedback generator: each number is the sum, modulo 2^32, of the
// ones 3 and 31 places before it, and its lowest bit is dropped. The first 31 come from the seed by
// the "minimal standard" generator x -> 16807 x mod (2^31 - 1), and 310 sums are thrown away.

static uint32_t next_random(Files *files) {
    uint32_t at = files->random_at, tap = (at + RANDOM_DEGREE - RANDOM_TAP) % RANDOM_DEGREE;
    files->random[at] += files->random[tap];
    files->random_at = (at + 1) % RANDOM_DEGREE;
    return files->random[at] >> 1;
}

static void seed_random(Files *files, uint32_t seed) {
    int64_t x = seed ? (int32_t)seed : 1;
    files->random_seeded = true;
    files->random[0] = (uint32_t)x;
    for (uint32_t i = 1; i < RANDOM_DEGREE; i++) {
        x = x * 16807 % INT32_MAX;
        if (x < 0) x += INT32_MAX;
        files->random[i] = (uint32_t)x;
    }
    files->random_at = RANDOM_TAP;
    for (uint32_t i = 0; i < 10 * RANDOM_DEGREE; i++) next_random(files);
}

void external_srand(ExternalCall *call) {
    seed_random(call->world->files, arg_i32(call, 0));
}

static uint32_t random_number(ExternalCall *call) {
    Files *files = call->world->files;
    if (!files->random_seeded) seed_random(files, 1);
    return next_random(files);
}

void external_rand(ExternalCall *call) {
    call->result = value_i32(random_number(call));
}
void external_random(ExternalCall *call) {
    call->result = value_i64(random_number(call));
}

// Three steps of a linear congruential generator give 11, 10 and 10 bits.
void external_rand_r(ExternalCall *call) {
    Value state;
    if (!external_load(call, CHUNK_I32, arg_i64(call, 0), &state)) return;
    uint32_t x = as_i32(state), number = 0;
    for (int step = 0; step < 3; step++) {
        x = x * 1103515245 + 12345;
        number = number << 10 ^ x / 65536 % (step ? 1024 : 2048);
    }
    if (external_store(call, CHUNK_I32, arg_i64(call, 0), value_i32(x)))
        call->result = value_i32(number);
}

// POSIX's 48-bit linear congruential generator; its state is World.random.
static uint64_t next_random48(World *world) {
    world->random = (world->random * 0x5deece66d + 0xb) & 0xffffffffffff;
    return world->random;
}

void external_srand48(ExternalCall *call) {
    call->world->random = (uint64_t)arg_i32(call, 0) << 16 | 0x330e;
}
void external_drand48(ExternalCall *call) {
    call->result = value_f64((double)next_random48(call->world) / 281474976710656.0);
}
void external_lrand48(ExternalCall *call) {
    give_i64(call, next_random48(call->world) >> 17);
}
void external_mrand48(ExternalCall *call) {
    give_i64(call, (uint64_t)(int64_t)(int32_t)(next_random48(call->world) >> 16));
}

// ---- Environment and locale

// The setting of a name, or the environment's count.
static uint32_t find_setting(const Files *files, const char *name) {
    uint32_t i = 0;
    while (i < files->environment.count && strcmp(files->environment.at[i].name, name)) i++;
    return i;
}

void external_getenv(ExternalCall *call) {
    Files *files = call->world->files;
    uint64_t length;
    const char *name = external_string(call, arg_i64(call, 0), &length);
    if (!name) return;
    uint32_t i = find_setting(files, name);
    give_i64(call, i < files->environment.count ? files->environment.at[i].value : 0);
}

void external_setenv(ExternalCall *call) {
    World *world = call->world;
    Files *files = world->files;
    uint64_t name_length, length;
    const char *name = external_string(call, arg_i64(call, 0), &name_length);
    const char *value = name ? external_string(call, arg_i64(call, 1), &length) : NULL;
    if (!value) return;
    if (!*name || strchr(name, '=')) {
        external_errno(call, EINVAL);
        give_i32(call, -1);
        return;
    }
    uint32_t i = find_setting(files, name);
    if (i < files->environment.count && !arg_i32(call, 2)) return;
    Setting setting = {.name = arena_text(world->arena, name, name_length),
                       .value = external_object(world, "environment", value, length + 1)};
    if (i < files->environment.count)
        files->environment.at[i] = setting;
    else
        vec_push(world->arena, &files->environment, setting);
}

void external_unsetenv(ExternalCall *call) {
    Files *files = call->world->files;
    uint64_t length;
    const char *name = external_string(call, arg_i64(call, 0), &length);
    if (!name) return;
    uint32_t i = find_setting(files, name);
    if (i < files->environment.count) files->environment.at[i] = vec_pop(&files->environment);
}

void external_errno_location(ExternalCall *call) {
    give_i64(call, external_errno_address(call->world));
}

// Only the C locale exists: asking for it, for the default or for the current one succeeds.
void external_setlocale(ExternalCall *call) {
    uint64_t length;
    const char *wanted = arg_i64(call, 1) ? external_string(call, arg_i64(call, 1), &length) : "";
    if (!wanted || (*wanted && strcmp(wanted, "C") && strcmp(wanted, "POSIX"))) return;
    give_i64(call, external_static(call->world, STATIC_LOCALE, "locale", "C", 2));
}

// struct lconv: ten strings, of which only the first, the decimal point, is not empty, and fourteen
// characters, all CHAR_MAX.
void external_localeconv(ExternalCall *call) {
    World *world = call->world;
    if (!world->files->statics[STATIC_LCONV]) {
        struct {
            uint64_t texts[10];
            uint8_t numbers[16];
        } conventions;
        uint64_t point = external_object(world, "locale", ".", 2);
        for (uint32_t i = 0; i < 10; i++) conventions.texts[i] = i ? point + 1 : point;
        memset(conventions.numbers, 127, sizeof conventions.numbers);
        external_static(world, STATIC_LCONV, "lconv", &conventions, sizeof conventions);
    }
    give_i64(call, world->files->statics[STATIC_LCONV]);
}
