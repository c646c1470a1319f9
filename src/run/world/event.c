// Events as text, for comparisons and for --trace. Addresses differ between forms of one program,
// so a pointer is written as the object that it points to and an offset. A heap block is known by
// its number, a slot by its size. The copy of an argument is known by its size, too, as it becomes
// a slot when its function is inlined.
#include "run/world/world.h"

#include <math.h>

// A longer trace is more than any comparison needs; the run then ends as if out of fuel. So it does
// when its hashes exceed what the program may spend.
enum { MOST_EVENTS = 1 << 28 };

static void write_address(Out *out, const World *world, uint64_t address) {
    Sym function = world_function(world, address);
    const Object *object = memory_find(world->memory, address);
    if (function.i != NO_ID) {
        const Symbol *symbol = program_at(world->program, function);
        out_printf(out, "@%s", program_text(world->program, symbol->name));
    } else if (object && address - object->address <= object->size) {
        if (object->kind == OBJECT_SLOT || object->kind == OBJECT_ARGUMENT)
            out_printf(out, "&slot[%llu]", (unsigned long long)object->size);
        else
            out_printf(out, "&%s", object->name);
        if (object->kind == OBJECT_HEAP)
            out_printf(out, "#%llu", (unsigned long long)object->serial);
        if (address != object->address)
            out_printf(out, "+%llu", (unsigned long long)(address - object->address));
    } else {
        out_i64(out, (int64_t)address);
    }
}

static void write_f80(Out *out, Value value) {
    long double x = as_f80(value);
    if (isnan(x))
        out_printf(out, "nan:0x%llx:0x%llx", (unsigned long long)value.high,
                   (unsigned long long)value.bits);
    else
        out_printf(out, "%La", x);
}

void world_print_value(Out *out, const World *world, PType type, Value value) {
    const ParamType *info = program_ptype_info(world->program, type);
    Type kind = ptype_reg_type(info);
    double x = kind == TYPE_F32 ? (double)as_f32(value) : as_f64(value);
    switch (kind) {
    case TYPE_I32: out_i64(out, (int32_t)as_i32(value)); break;
    case TYPE_I64: write_address(out, world, value.bits); break;
    case TYPE_F32:
    case TYPE_F64:
        if (isnan(x))
            out_printf(out, "nan:0x%llx", (unsigned long long)value.bits);
        else
            out_printf(out, "%a", x);
        break;
    case TYPE_F80: write_f80(out, value); break;
    default: break;
    }
}

void world_event_text(World *world, const char *text, size_t length) {
    Behaviour *behaviour = &world->result->behaviour;
    if (world->stopped) return;
    if (behaviour->event_hashes.count == MOST_EVENTS ||
        !memory_charge(world->memory, sizeof(uint64_t))) {
        world_exit(world, END_FUEL, 0);
        return;
    }
    uint64_t hash = hash_bytes(text, length);
    vec_push(world->arena, &behaviour->event_hashes, hash);
    const RunObserver *observer = world->options->observer;
    if (observer && observer->event) observer->event(observer->context, text, length);
    if (world->options->trace) fprintf(stderr, "%.*s\n", (int)length, text);
}

void world_event(World *world, const char *name, const SigInfo *sig, const Value *args,
                 uint32_t count, const Value *result) {
    Out out = {0};
    out_printf(&out, "%s(", name);
    for (uint32_t i = 0; i < count && i < sig->param_count; i++) {
        if (i) out_text(&out, ", ");
        world_print_value(&out, world, sig->params[i], args[i]);
    }
    out_char(&out, ')');
    if (result && program_ptype_info(world->program, sig->result)->type != TYPE_VOID) {
        out_text(&out, " = ");
        world_print_value(&out, world, sig->result, *result);
    }
    world_event_text(world, out.text, out.length);
    out_free(&out);
}
