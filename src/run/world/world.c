// Lays out a program in memory, ends a run, and walks variable arguments.
//
// Functions get addresses in the lowest region, which holds no objects: 16 apart, or as far as the
// function with the largest alignment wants. Global data become objects. An alias has its target's
// address, an indirect function an address of its own. An undefined symbol has address 0 if it is
// weak, as a linker would have it; otherwise it gets an address that is wrong to use.
#include "run/world/world.h"

#include "target/model.h"

#include <stdarg.h>

#define FUNCTION_BASE ((uint64_t)0x400000)
#define FUNCTION_END  ((uint64_t)1 << 42)

enum { FUNCTION_STEP = 16 };

// ---- Symbols

static uint64_t add_object(World *world, ObjectKind kind, const char *name, uint64_t size,
                           uint64_t align) {
    const Object *object = memory_add(world->memory, kind, name, size, align, true);
    if (object) return object->address;
    world_wrong(world, "no memory for '%s' of %llu bytes", name, (unsigned long long)size);
    return 0;
}

static void choose_function_step(World *world) {
    const Program *program = world->program;
    world->function_step = FUNCTION_STEP;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->kind == SYM_FUNC && symbol->align > world->function_step)
            world->function_step = symbol->align;
    }
    uint64_t step = world->function_step;
    world->function_base = (FUNCTION_BASE + step - 1) / step * step;
    if ((FUNCTION_END - world->function_base) / step < program->symbols.count)
        world_wrong(world, "no memory for functions that are aligned to %llu bytes",
                    (unsigned long long)step);
}

static uint64_t place_symbol(World *world, Sym id) {
    const Symbol *symbol = program_at(world->program, id);
    const char *name = program_text(world->program, symbol->name);
    bool weak = symbol->linkage == LINK_WEAK;
    if (symbol->kind == SYM_FUNC) {
        if (!symbol->defined && weak && !external_named(name)) return 0;
        return world->function_base + id.i * world->function_step;
    }
    if (symbol->defined) return add_object(world, OBJECT_GLOBAL, name, symbol->size, symbol->align);
    uint64_t address = external_data(world, name);
    return address || weak ? address : add_object(world, OBJECT_MISSING, name, 0, 1);
}

// Writes one piece of a global's initial value and yields its size.
static uint64_t write_item(const World *world, const DataItem *item, uint8_t *to, uint64_t room) {
    static const uint8_t sizes[] = {
        [DATA_I8] = 1, [DATA_I16] = 2, [DATA_I32] = 4, [DATA_I64] = 8, [DATA_ADDR] = 8};
    uint64_t value = (uint64_t)item->value;
    if (item->kind == DATA_ZERO || item->kind == DATA_BYTES) {
        uint64_t size = value < room ? value : room;
        if (item->kind == DATA_BYTES && size) memcpy(to, item->bytes, size);
        return size;
    }
    if (item->kind == DATA_ADDR) value += world->symbol_address[item->symbol.i];
    uint64_t size = sizes[item->kind] < room ? sizes[item->kind] : room;
    memcpy(to, &value, size);
    return size;
}

static void fill_global(World *world, Sym id) {
    const Symbol *symbol = program_at(world->program, id);
    Object *object = memory_find(world->memory, world->symbol_address[id.i]);
    uint64_t at = 0;
    for (uint32_t i = 0; i < symbol->data.count; i++)
        at += write_item(world, &symbol->data.at[i], object->data + at, object->size - at);
    object->readonly = symbol->flags & SYMF_CONST;
}

// Gives an alias, and every alias on the way, the address of what it stands for in the end. A
// circle, which no verified program has, ends too.
static void place_alias(World *world, Sym alias) {
    const Program *program = world->program;
    uint64_t *address = world->symbol_address;
    Sym last = alias;
    for (uint32_t i = 0; i < program->symbols.count && !address[last.i]; i++) {
        Sym target = program_at(program, last)->alias;
        if (target.i == NO_ID) break;
        last = target;
    }
    for (Sym at = alias; at.i != last.i; at = program_at(program, at)->alias)
        address[at.i] = address[last.i];
}

// An indirect function, too: its calls go on to where its resolver says.
static bool has_own_address(const Symbol *symbol) {
    return symbol->alias.i == NO_ID || symbol->flags & SYMF_INDIRECT;
}

static void place_symbols(World *world) {
    const Program *program = world->program;
    uint32_t count = program->symbols.count;
    world->symbol_address = ARENA_ARRAY(world->arena, uint64_t, count);
    choose_function_step(world);
    for (uint32_t i = 0; i < count && !world->stopped; i++)
        if (has_own_address(&program->symbols.at[i]))
            world->symbol_address[i] = place_symbol(world, (Sym){i});
    for (uint32_t i = 0; i < count; i++) place_alias(world, (Sym){i});
    for (uint32_t i = 0; i < count && !world->stopped; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->kind == SYM_DATA && symbol->defined && symbol->alias.i == NO_ID)
            fill_global(world, (Sym){i});
    }
}

// ---- The world

void world_init(World *world, Arena *arena, const Program *program, const RunOptions *options,
                RunResult *result) {
    *world = (World){.arena = arena,
                     .program = program,
                     .options = options,
                     .memory = memory_new(),
                     .result = result};
    for (uint32_t i = 0; i < MACHINE_REG_LIMIT; i++)
        world->registers[i] = value_undefined(TYPE_I64);
    *result = (RunResult){.behaviour = {.node = NO_NODE}};
    memory_set_placement(world->memory, options->placement);
    if (options->memory_limit) memory_set_limit(world->memory, options->memory_limit);
    world->errno_address = add_object(world, OBJECT_SYSTEM, "errno", 4, 4);
    place_symbols(world);
}

void world_free(World *world) {
    external_finish(world);
    memory_free(world->memory);
}

uint64_t world_arguments(World *world, int argc, char **argv) {
    uint64_t count = argc > 0 ? (uint64_t)argc : 0;
    uint64_t list = add_object(world, OBJECT_SYSTEM, "argv", (count + 1) * 8, 8);
    for (uint64_t i = 0; i < count && !world->stopped; i++) {
        uint64_t size = strlen(argv[i]) + 1;
        uint64_t text = add_object(world, OBJECT_SYSTEM, "argument", size, 1);
        if (world->stopped) break;
        memcpy(memory_find(world->memory, text)->data, argv[i], size);
        memory_store(world->memory, CHUNK_I64, list + 8 * i, value_i64(text));
    }
    return list;
}

Sym world_function(const World *world, uint64_t address) {
    uint64_t offset = address - world->function_base, index = offset / world->function_step;
    if (offset % world->function_step || index >= world->program->symbols.count) return NO_SYM;
    Sym symbol = {(uint32_t)index};
    bool here = world->symbol_address[symbol.i] == address;
    return here && program_at(world->program, symbol)->kind == SYM_FUNC ? symbol : NO_SYM;
}

// ---- Ends

void world_wrong(World *world, const char *format, ...) {
    if (world->stopped) return;
    Out text = {0};
    va_list args;
    va_start(args, format);
    out_vprintf(&text, format, args);
    va_end(args);
    world_exit(world, END_WRONG, 0);
    world->result->behaviour.reason = arena_text(world->arena, text.text, text.length);
    out_free(&text);
}

void world_note_access(World *world, uint64_t address, uint64_t size, bool write) {
    if (!world->stopped)
        world->access =
            (WrongAccess){.known = true, .write = write, .address = address, .size = size};
}

void world_wrong_access(World *world, uint64_t address, uint64_t size, bool write) {
    Sym function = world_function(world, address);
    world_note_access(world, address, size, write);
    if (function.i == NO_ID) {
        const char *reason = memory_reason(world->memory, world->arena, address, size, write);
        world_wrong(world, "%s", reason);
        return;
    }
    const Symbol *symbol = program_at(world->program, function);
    world_wrong(world, "%llu-byte %s at function '%s'", (unsigned long long)size,
                write ? "write" : "read", program_text(world->program, symbol->name));
}

void world_exit(World *world, EndKind end, int32_t status) {
    if (world->stopped) return;
    world->stopped = true;
    world->result->behaviour.end = end;
    world->result->behaviour.status = status;
    world->result->behaviour.reason = NULL;
}

// ---- Variable arguments

uint32_t world_add_varargs(World *world, VarArgs list) {
    vec_push(world->arena, &world->varargs, list);
    return world->varargs.count - 1;
}

static bool same_kind(const ParamType *a, const ParamType *b) {
    return a->type == b->type && a->size == b->size;
}

bool world_next_vararg(World *world, uint64_t va_list_address, PType type, Value *value) {
    Value number, position;
    uint8_t *undef;
    uint32_t size = world->program->target->va_list_size;
    if (!memory_write(world->memory, va_list_address, size, &undef)) {
        world_wrong_access(world, va_list_address, size, true);
        return false;
    }
    memory_load(world->memory, CHUNK_I64, va_list_address, &number);
    memory_load(world->memory, CHUNK_I64, va_list_address + 8, &position);
    if (number.undef | position.undef || number.bits - 1 >= world->varargs.count) {
        world_wrong(world, "va_list at 0x%llx is not in use", (unsigned long long)va_list_address);
        return false;
    }
    const VarArgs *list = &world->varargs.at[number.bits - 1];
    if (position.bits >= list->count) {
        world_wrong(world, "va_arg beyond the last of %u variable arguments", list->count);
        return false;
    }
    if (!same_kind(program_ptype_info(world->program, type),
                   program_ptype_info(world->program, list->types[position.bits]))) {
        world_wrong(world, "va_arg of another type than variable argument %llu has",
                    (unsigned long long)position.bits + 1);
        return false;
    }
    *value = list->args[position.bits];
    memory_store(world->memory, CHUNK_I64, va_list_address + 8, value_i64(position.bits + 1));
    return true;
}
