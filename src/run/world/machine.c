// Laying out a program in memory, ending a run, and walking variable arguments.
//
// Functions get addresses of their own, 16 apart, in the lowest region, which holds no objects.
// Global data become objects. An alias has its target's address. A symbol that nobody defines has
// address 0 if it is weak, as a linker would have it; otherwise it gets an address that is wrong to
// use.
#include "run/world/machine.h"

#include <stdarg.h>

#define FUNCTION_BASE ((uint64_t)0x400000)

enum { FUNCTION_STEP = 16, VA_LIST_SIZE = 24 };

// ---- Symbols

static uint64_t add_object(Machine *machine, ObjectKind kind, const char *name, uint64_t size,
                           uint64_t align) {
    const Object *object = memory_add(machine->memory, kind, name, size, align, true);
    if (object) return object->address;
    machine_wrong(machine, "no memory for '%s' of %llu bytes", name, (unsigned long long)size);
    return 0;
}

static uint64_t place_symbol(Machine *machine, Sym id) {
    const Symbol *symbol = program_at(machine->program, id);
    const char *name = program_text(machine->program, symbol->name);
    bool weak = symbol->linkage == LINK_WEAK;
    if (symbol->kind == SYM_FUNC) {
        if (!symbol->func && weak && !external_named(name)) return 0;
        return FUNCTION_BASE + (uint64_t)id.i * FUNCTION_STEP;
    }
    if (symbol->defined)
        return add_object(machine, OBJECT_GLOBAL, name, symbol->size, symbol->align);
    uint64_t address = external_data(machine, name);
    return address || weak ? address : add_object(machine, OBJECT_MISSING, name, 0, 1);
}

// Writes one piece of a global's initial value and yields its size.
static uint64_t write_item(const Machine *machine, const DataItem *item, uint8_t *to,
                           uint64_t room) {
    static const uint8_t sizes[] = {
        [DATA_I8] = 1, [DATA_I16] = 2, [DATA_I32] = 4, [DATA_I64] = 8, [DATA_ADDR] = 8};
    uint64_t value = (uint64_t)item->value;
    if (item->kind == DATA_ZERO || item->kind == DATA_BYTES) {
        uint64_t size = value < room ? value : room;
        if (item->kind == DATA_BYTES && size) memcpy(to, item->bytes, size);
        return size;
    }
    if (item->kind == DATA_ADDR) value += machine->symbol_address[item->symbol.i];
    uint64_t size = sizes[item->kind] < room ? sizes[item->kind] : room;
    memcpy(to, &value, size);
    return size;
}

static void fill_global(Machine *machine, Sym id) {
    const Symbol *symbol = program_at(machine->program, id);
    Object *object = memory_find(machine->memory, machine->symbol_address[id.i]);
    uint64_t at = 0;
    for (uint32_t i = 0; i < symbol->data.count; i++)
        at += write_item(machine, &symbol->data.at[i], object->data + at, object->size - at);
    object->readonly = symbol->flags & SYMF_CONST;
}

// Gives an alias, and every alias on the way, the address of what it stands for in the end. A
// circle, which no verified program has, ends too.
static void place_alias(Machine *machine, Sym alias) {
    const Program *program = machine->program;
    uint64_t *address = machine->symbol_address;
    Sym last = alias;
    for (uint32_t i = 0; i < program->symbols.count && !address[last.i]; i++) {
        Sym target = program_at(program, last)->alias;
        if (target.i == NO_ID) break;
        last = target;
    }
    for (Sym at = alias; at.i != last.i; at = program_at(program, at)->alias)
        address[at.i] = address[last.i];
}

static void place_symbols(Machine *machine) {
    const Program *program = machine->program;
    uint32_t count = program->symbols.count;
    machine->symbol_address = ARENA_ARRAY(machine->arena, uint64_t, count);
    for (uint32_t i = 0; i < count && !machine->stopped; i++)
        if (program->symbols.at[i].alias.i == NO_ID)
            machine->symbol_address[i] = place_symbol(machine, (Sym){i});
    for (uint32_t i = 0; i < count; i++) place_alias(machine, (Sym){i});
    for (uint32_t i = 0; i < count && !machine->stopped; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->kind == SYM_DATA && symbol->defined && symbol->alias.i == NO_ID)
            fill_global(machine, (Sym){i});
    }
}

// ---- The machine

void machine_init(Machine *machine, Arena *arena, const Program *program, const RunOptions *options,
                  RunResult *result) {
    *machine = (Machine){.arena = arena,
                         .program = program,
                         .options = options,
                         .memory = memory_new(),
                         .result = result};
    for (uint32_t i = 0; i < MACHINE_COUNT; i++) machine->registers[i] = value_undefined(TYPE_I64);
    *result = (RunResult){.behaviour = {.node = NO_NODE}};
    if (options->memory_limit) memory_set_limit(machine->memory, options->memory_limit);
    machine->errno_address = add_object(machine, OBJECT_SYSTEM, "errno", 4, 4);
    place_symbols(machine);
}

void machine_free(Machine *machine) {
    external_finish(machine);
    memory_free(machine->memory);
}

uint64_t machine_arguments(Machine *machine, int argc, char **argv) {
    uint64_t count = argc > 0 ? (uint64_t)argc : 0;
    uint64_t list = add_object(machine, OBJECT_SYSTEM, "argv", (count + 1) * 8, 8);
    for (uint64_t i = 0; i < count && !machine->stopped; i++) {
        uint64_t size = strlen(argv[i]) + 1;
        uint64_t text = add_object(machine, OBJECT_SYSTEM, "argument", size, 1);
        if (machine->stopped) break;
        memcpy(memory_find(machine->memory, text)->data, argv[i], size);
        memory_store(machine->memory, CHUNK_I64, list + 8 * i, value_i64(text));
    }
    return list;
}

Sym machine_function(const Machine *machine, uint64_t address) {
    uint64_t offset = address - FUNCTION_BASE, index = offset / FUNCTION_STEP;
    if (offset % FUNCTION_STEP || index >= machine->program->symbols.count) return NO_SYM;
    Sym symbol = {(uint32_t)index};
    bool here = machine->symbol_address[symbol.i] == address;
    return here && program_at(machine->program, symbol)->kind == SYM_FUNC ? symbol : NO_SYM;
}

// ---- Ends

void machine_wrong(Machine *machine, const char *format, ...) {
    if (machine->stopped) return;
    Out text = {0};
    va_list args;
    va_start(args, format);
    out_vprintf(&text, format, args);
    va_end(args);
    machine_exit(machine, END_WRONG, 0);
    machine->result->behaviour.reason = arena_text(machine->arena, text.text, text.length);
    out_free(&text);
}

void machine_wrong_access(Machine *machine, uint64_t address, uint64_t size, bool write) {
    Sym function = machine_function(machine, address);
    if (function.i == NO_ID) {
        const char *reason = memory_reason(machine->memory, machine->arena, address, size, write);
        machine_wrong(machine, "%s", reason);
        return;
    }
    const Symbol *symbol = program_at(machine->program, function);
    machine_wrong(machine, "%llu-byte %s at function '%s'", (unsigned long long)size,
                  write ? "write" : "read", program_text(machine->program, symbol->name));
}

void machine_exit(Machine *machine, EndKind end, int32_t status) {
    if (machine->stopped) return;
    machine->stopped = true;
    machine->result->behaviour.end = end;
    machine->result->behaviour.status = status;
    machine->result->behaviour.reason = NULL;
}

// ---- Variable arguments

uint32_t machine_add_varargs(Machine *machine, VarArgs list) {
    vec_push(machine->arena, &machine->varargs, list);
    return machine->varargs.count - 1;
}

static bool same_kind(const ParamType *a, const ParamType *b) {
    return a->type == b->type && a->size == b->size;
}

bool machine_next_vararg(Machine *machine, uint64_t va_list_address, PType type, Value *value) {
    Value number, position;
    uint8_t *undef;
    if (!memory_write(machine->memory, va_list_address, VA_LIST_SIZE, &undef)) {
        machine_wrong_access(machine, va_list_address, VA_LIST_SIZE, true);
        return false;
    }
    memory_load(machine->memory, CHUNK_I64, va_list_address, &number);
    memory_load(machine->memory, CHUNK_I64, va_list_address + 8, &position);
    if (number.undef | position.undef || number.bits - 1 >= machine->varargs.count) {
        machine_wrong(machine, "va_list at 0x%llx is not in use",
                      (unsigned long long)va_list_address);
        return false;
    }
    const VarArgs *list = &machine->varargs.at[number.bits - 1];
    if (position.bits >= list->count) {
        machine_wrong(machine, "va_arg beyond the last of %u variable arguments", list->count);
        return false;
    }
    if (!same_kind(program_ptype_info(machine->program, type),
                   program_ptype_info(machine->program, list->types[position.bits]))) {
        machine_wrong(machine, "va_arg of another type than variable argument %llu has",
                      (unsigned long long)position.bits + 1);
        return false;
    }
    *value = list->args[position.bits];
    memory_store(machine->memory, CHUNK_I64, va_list_address + 8, value_i64(position.bits + 1));
    return true;
}
