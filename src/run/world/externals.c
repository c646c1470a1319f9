// External functions: the table, the check that every call passes, and checked access to simulated
// memory.
//
// The table is sorted by name and searched by halving. A row's function is wrapped by one that
// compares the call's signature with the row's and refuses undefined arguments, so that the
// functions themselves need not.
#include "run/world/externals.h"

#include <errno.h>
#include <string.h>

// ---- The check

static Type type_of_letter(char letter) {
    switch (letter) {
    case 'w': return TYPE_I32;
    case 'q': return TYPE_I64;
    case 'f': return TYPE_F32;
    case 'd': return TYPE_F64;
    case 'x': return TYPE_F80;
    default: return TYPE_VOID;
    }
}

static void print_type(Out *out, const ParamType *type) {
    if (ptype_is_aggregate(type))
        out_printf(out, "agg(%llu)", (unsigned long long)type->size);
    else
        out_text(out, type_name(type->type));
}

// The size of the complex number or wide integer that a letter stands for; 0 for another letter.
static uint64_t letter_size(char letter) {
    return letter == 'F' ? 8 : letter == 'D' || letter == 't' ? 16 : letter == 'X' ? 32 : 0;
}

static bool is_aggregate(char letter) {
    return letter == 's' || letter_size(letter) != 0;
}

static void print_letter(Out *out, char letter) {
    if (letter_size(letter))
        out_printf(out, "agg(%llu)", (unsigned long long)letter_size(letter));
    else
        out_text(out, letter == '.'   ? "..."
                      : letter == 's' ? "agg"
                                      : type_name(type_of_letter(letter)));
}

static void print_expected(Out *out, const char *types) {
    print_letter(out, types[0]);
    out_char(out, '(');
    for (const char *at = types + 1; *at; at++) {
        if (at > types + 1) out_text(out, ", ");
        print_letter(out, *at);
    }
    out_char(out, ')');
}

static void wrong_signature(ExternalCall *call, const char *types) {
    const Program *program = call->world->program;
    Out *out = &call->world->files->text;
    out->length = 0;
    out_text(out, "called as ");
    print_type(out, program_ptype_info(program, call->sig->result));
    out_char(out, '(');
    for (uint32_t i = 0; i < call->sig->param_count; i++) {
        if (i) out_text(out, ", ");
        print_type(out, program_ptype_info(program, call->sig->params[i]));
    }
    out_text(out, "), expected ");
    print_expected(out, types);
    external_wrong(call, "%.*s", (int)out->length, out->text);
}

static bool aggregate_fits(const ParamType *type, char letter) {
    return ptype_is_aggregate(type) && (letter == 's' || type->size == letter_size(letter));
}

static bool parameter_fits(const ParamType *type, char letter) {
    return is_aggregate(letter) ? aggregate_fits(type, letter)
                                : type->type == type_of_letter(letter);
}

// An integer may be cut to i32, as callers without a declaration do, and any result may be dropped;
// a result that the function does not give is undefined.
static bool result_fits(const ParamType *result, char letter) {
    if (is_aggregate(letter)) return aggregate_fits(result, letter);
    if (ptype_is_aggregate(result)) return false;
    Type type = type_of_letter(letter);
    return type == TYPE_VOID || result->type == TYPE_VOID || result->type == type ||
           (type == TYPE_I64 && result->type == TYPE_I32);
}

static bool signature_fits(const ExternalCall *call, const char *types) {
    const Program *program = call->world->program;
    const SigInfo *sig = call->sig;
    if (!result_fits(program_ptype_info(program, sig->result), types[0])) return false;
    uint32_t i = 0;
    for (const char *at = types + 1; *at && *at != '.'; at++, i++)
        if (i == sig->param_count ||
            !parameter_fits(program_ptype_info(program, sig->params[i]), *at))
            return false;
    if (call->arg_count < sig->param_count + is_aggregate(types[0])) return false;
    return i == sig->param_count || types[i + 1] == '.';
}

// Nothing undefined is passed out, not even what a format does not use.
static bool arguments_defined(ExternalCall *call, const char *types) {
    uint32_t count = call->sig->param_count + is_aggregate(types[0]);
    for (uint32_t i = 0; i < count; i++) {
        if (!call->args[i].undef) continue;
        external_wrong(call, "argument %u is undefined", i + 1);
        return false;
    }
    return true;
}

static void perform(ExternalCall *call, const char *name, const char *types,
                    ExternalFunction *function) {
    World *world = call->world;
    Files *files = external_state(world);
    const char *outer = files->current; // of qsort, if its comparison calls something
    files->current = name;
    call->result = (Value){0};
    if (!signature_fits(call, types))
        wrong_signature(call, types);
    else if (arguments_defined(call, types))
        function(call);
    files->current = outer;
    Type wanted = program_ptype_info(world->program, call->sig->result)->type;
    if (types[0] == 'v' && wanted != TYPE_VOID)
        call->result = value_undefined(wanted);
    else if (wanted == TYPE_I32)
        call->result.bits &= UINT32_MAX;
}

// ---- The table

#define EXTERNAL(name, function, observable, types)                                                \
    static void checked_##name(ExternalCall *call) {                                               \
        perform(call, #name, types, function);                                                     \
    }
#include "run/world/externals.def"

static const External table[] = {
#define EXTERNAL(name, function, observable, types) {#name, checked_##name, observable, types},
#include "run/world/externals.def"
};

const External *external_named(const char *name) {
    size_t low = 0, high = sizeof table / sizeof *table;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, table[middle].name);
        if (!order) return &table[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

// ---- Reasons, errno

void external_wrong(ExternalCall *call, const char *format, ...) {
    va_list args;
    va_start(args, format);
    Out out = {0};
    out_vprintf(&out, format, args);
    va_end(args);
    world_wrong(call->world, "%s: %.*s", call->world->files->current, (int)out.length, out.text);
    out_free(&out);
}

uint64_t external_errno_address(World *world) {
    if (!world->errno_address) world->errno_address = external_object(world, "errno", NULL, 4);
    return world->errno_address;
}

void external_errno(ExternalCall *call, int code) {
    memory_store(call->world->memory, CHUNK_I32, external_errno_address(call->world),
                 value_i32((uint32_t)code));
}

// ---- Bytes

static void wrong_access(ExternalCall *call, uint64_t address, uint64_t size, bool write) {
    World *world = call->world;
    world_note_access(world, address, size, write);
    external_wrong(call, "%s", memory_reason(world->memory, world->arena, address, size, write));
}

bool bytes_at(ExternalCall *call, uint64_t address, Bytes *bytes) {
    const Memory *memory = call->world->memory;
    const Object *object = memory_find(memory, address);
    if (object && address >= object->address && address - object->address < object->size) {
        uint64_t size = object->size - (address - object->address);
        uint8_t *undef = NULL;
        const uint8_t *data = memory_read(memory, address, size, &undef);
        *bytes = (Bytes){.data = data, .undef = undef, .size = size, .address = address};
        if (data) return true;
    }
    wrong_access(call, address, 1, false);
    return false;
}

void bytes_wrong(ExternalCall *call, const Bytes *bytes, uint64_t i) {
    if (i >= bytes->size) {
        wrong_access(call, bytes->address + i, 1, false);
        return;
    }
    const Object *object = memory_find(call->world->memory, bytes->address);
    external_wrong(call, "byte %llu of %s is undefined",
                   (unsigned long long)(bytes->address + i - object->address), object->name);
}

bool bytes_length(ExternalCall *call, const Bytes *bytes, uint64_t limit, uint64_t *length) {
    uint64_t size = limit < bytes->size ? limit : bytes->size, i = 0;
    if (bytes->undef) {
        while (i < size && !bytes->undef[i] && bytes->data[i]) i++;
    } else {
        const uint8_t *end = memchr(bytes->data, 0, size);
        i = end ? (uint64_t)(end - bytes->data) : size;
    }
    *length = i;
    if (i == limit || bytes_ok(bytes, i)) return true;
    bytes_wrong(call, bytes, i);
    return false;
}

const uint8_t *external_read(ExternalCall *call, uint64_t address, uint64_t size) {
    if (!size) return (const uint8_t *)"";
    uint8_t *undef = NULL;
    const uint8_t *data = memory_read(call->world->memory, address, size, &undef);
    if (!data) {
        wrong_access(call, address, size, false);
        return NULL;
    }
    Bytes bytes = {.data = data, .undef = undef, .size = size, .address = address};
    for (uint64_t i = 0; undef && i < size; i++)
        if (undef[i]) {
            bytes_wrong(call, &bytes, i);
            return NULL;
        }
    return data;
}

// Writing nothing needs no object; any pointer but NULL will do, since nothing is written through
// it.
uint8_t *external_write(ExternalCall *call, uint64_t address, uint64_t size) {
    if (!size) return (uint8_t *)call;
    uint8_t *undef = NULL;
    uint8_t *data = memory_write(call->world->memory, address, size, &undef);
    if (!data)
        wrong_access(call, address, size, true);
    else if (undef)
        memset(undef, 0, size);
    return data;
}

bool external_put(ExternalCall *call, uint64_t address, const void *bytes, uint64_t size) {
    uint8_t *to = external_write(call, address, size);
    if (!to) return false;
    if (size) memcpy(to, bytes, size);
    return true;
}

const char *external_string(ExternalCall *call, uint64_t address, uint64_t *length) {
    Bytes bytes;
    if (!bytes_at(call, address, &bytes) || !bytes_length(call, &bytes, UINT64_MAX, length))
        return NULL;
    return (const char *)bytes.data;
}

bool external_copy(ExternalCall *call, uint64_t to, uint64_t from, uint64_t size) {
    if (!size || memory_copy(call->world->memory, to, from, size)) return true;
    uint8_t *undef;
    bool readable = memory_read(call->world->memory, from, size, &undef);
    wrong_access(call, readable ? to : from, size, readable);
    return false;
}

bool external_load(ExternalCall *call, Chunk chunk, uint64_t address, Value *value) {
    if (!memory_load(call->world->memory, chunk, address, value)) {
        wrong_access(call, address, chunk_size(chunk), false);
        return false;
    }
    if (!value->undef) return true;
    external_wrong(call, "the value at address 0x%llx is undefined", (unsigned long long)address);
    return false;
}

bool external_store(ExternalCall *call, Chunk chunk, uint64_t address, Value value) {
    if (memory_store(call->world->memory, chunk, address, value)) return true;
    wrong_access(call, address, chunk_size(chunk), true);
    return false;
}

// ---- Objects

uint64_t external_allocate(ExternalCall *call, uint64_t size, uint64_t align, bool defined) {
    World *world = call->world;
    Object *object =
        memory_add(world->memory, OBJECT_HEAP, world->files->current, size, align, defined);
    if (!object) {
        external_errno(call, ENOMEM);
        return 0;
    }
    object->serial = world->heap_count++;
    object->made = world->place(world);
    object->ended = 0;
    return object->address;
}

uint64_t external_object(World *world, const char *name, const void *bytes, uint64_t size) {
    Object *object = memory_add(world->memory, OBJECT_SYSTEM, name, size, 16, true);
    if (!object) {
        world_wrong(world, "no memory for '%s' of %llu bytes", name, (unsigned long long)size);
        return 0;
    }
    if (bytes) memcpy(object->data, bytes, size);
    return object->address;
}

uint64_t external_static(World *world, StaticObject which, const char *name, const void *bytes,
                         uint64_t size) {
    uint64_t *address = &world->files->statics[which];
    if (!*address) *address = external_object(world, name, bytes, size);
    return *address;
}

bool external_compare(ExternalCall *call, uint64_t function, uint64_t a, uint64_t b,
                      int32_t *order) {
    World *world = call->world;
    Value args[2] = {value_i64(a), value_i64(b)}, result = {0};
    if (!world->call_back(world, function, args, 2, &result)) return false;
    if (result.undef) {
        external_wrong(call, "the comparison function's result is undefined");
        return false;
    }
    *order = (int32_t)as_i32(result);
    return true;
}

// ---- Variable arguments

bool arguments_next(ExternalCall *call, FormatArguments *arguments, Type type, Value *value) {
    World *world = call->world;
    if (arguments->list) {
        if (!world_next_vararg(world, arguments->list, PTYPE_OF(type), value)) return false;
    } else {
        if (arguments->next >= call->sig->param_count) {
            external_wrong(call, "the format wants another argument of type %s", type_name(type));
            return false;
        }
        uint32_t i = arguments->next++;
        const ParamType *found = program_ptype_info(world->program, call->sig->params[i]);
        if (found->type != type) {
            external_wrong(call, "the format wants %s as argument %u, found %s", type_name(type),
                           i + 1, ptype_is_aggregate(found) ? "agg" : type_name(found->type));
            return false;
        }
        *value = call->args[i];
    }
    if (!value->undef) return true;
    external_wrong(call, "an argument of the format is undefined");
    return false;
}

// ---- Data

uint64_t external_data(World *world, const char *name) {
    static const char *const standard[] = {"stdin", "stdout", "stderr"};
    Files *files = external_state(world);
    for (uint32_t i = 0; i < 3; i++)
        if (!strcmp(name, standard[i]))
            return external_object(world, standard[i], &files->streams.at[i].address, 8);
    if (!strcmp(name, "environ") || !strcmp(name, "__environ")) {
        uint64_t none = 0, list = external_object(world, "environment", &none, 8);
        return external_object(world, "environ", &list, 8);
    }
    return 0;
}
