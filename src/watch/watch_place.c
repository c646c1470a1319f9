// Where frames stand and what values are, for people.
#include "watch/watch.h"

#include "form/forms.h"
#include "run/fssa_run.h"
#include "run/mach_reading.h"
#include "text/print/print_items.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>

// ---- What the source says

static void own(Sym *owner, uint32_t loc, Sym symbol) {
    if (!loc) return;
    bool first = owner[loc].i == NO_ID - 1;
    if (first)
        owner[loc] = symbol;
    else if (owner[loc].i != symbol.i)
        owner[loc] = NO_SYM;
}

static void own_all(Sym *owner, const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        own(owner, func->nodes.at[n].loc, func->symbol);
    for (uint32_t i = 0; has_mach_items(func) && i < func->mach->code.count; i++)
        own(owner, mach_at(func, i)->loc, func->symbol);
}

static const Str *param_names(Arena *arena, const Func *func) {
    Str *names = ARENA_ARRAY(arena, Str, func->params.count + 1);
    for (uint32_t i = 0; i < func->params.count; i++)
        names[i] = func->regs.at[func->params.at[i].i].name;
    return names;
}

WatchSource *watch_source(Arena *arena, const Program *program) {
    WatchSource *source = ARENA_NEW(arena, WatchSource);
    Sym *owner = ARENA_ARRAY(arena, Sym, program->locs.count + 1);
    const Str **names = ARENA_ARRAY(arena, const Str *, program->symbols.count + 1);
    for (uint32_t i = 0; i < program->locs.count; i++) owner[i] = (Sym){NO_ID - 1};
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func) continue;
        own_all(owner, func);
        if (func->params.count) names[i] = param_names(arena, func);
    }
    for (uint32_t i = 0; i < program->locs.count; i++)
        if (owner[i].i == NO_ID - 1) owner[i] = NO_SYM;
    *source = (WatchSource){
        .program = program, .owner = owner, .count = program->locs.count, .names = names};
    return source;
}

// ---- Places

// A node without a location is as good as the next one that has one, if control can only go there.
static uint32_t loc_from(const Func *func, uint32_t node) {
    enum { NEAR = 8 };
    for (uint32_t i = 0; i < NEAR; i++) {
        const Instr *instr = &func->nodes.at[node];
        if (instr->loc || instr->succ_count != 1) return instr->loc;
        node = instr_succs(func, instr)[0].i;
    }
    return 0;
}

static WatchPlace flow_place(const CallFrame *frame, uint32_t node) {
    const Flow *flow = frame->code->flow;
    WatchPlace place = {
        .func = flow->shown, .site = {flow->sites[node]}, .loc = flow->func->nodes.at[node].loc};
    if (frame->activation && frame->activation->blamed != NO_ID)
        place.site = (Site){frame->activation->blamed};
    bool graph = !has_equations(flow->shown);
    if (!place.loc && graph && place.site.i < flow->shown->nodes.count)
        place.loc = flow->shown->nodes.at[place.site.i].loc;
    return place;
}

WatchPlace watch_place_of(const CallFrame *frame, const DecodedStep *step) {
    const Code *code = frame->code;
    uint32_t node = code_node(code, step).i;
    if (code->flow) return flow_place(frame, node);
    WatchPlace place = {.func = code->func, .site = {node}, .loc = loc_from(code->func, node)};
    if (!code->reading) return place;
    place.func = code->reading->of;
    place.site = (Site){code->reading->instr_of[node]};
    place.loc = code->func->nodes.at[node].loc;
    return place;
}

uint8_t watch_site_kind(const Func *func) {
    return has_mach_items(func) ? ITEM_MACH : has_equations(func) ? ITEM_EQUATION : ITEM_INSTR;
}

WatchPlace watch_place(const CallFrame *frame) {
    return watch_place_of(frame, frame->step);
}

void watch_print_loc(Out *out, const Program *program, uint32_t id) {
    if (!id || id >= program->locs.count) return;
    Loc loc = program->locs.at[id];
    out_printf(out, "%s:%u", program_text(program, program->files.at[loc.file]), loc.line);
    if (loc.column) out_printf(out, ":%u", loc.column);
}

// ---- Values

// The shortest text that is read back as the same number.
static void print_double(Out *out, double x, bool narrow) {
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (narrow ? strtof(text, NULL) == (float)x : strtod(text, NULL) == x) break;
    }
    out_text(out, text);
    if (isfinite(x) && !strpbrk(text, ".e")) out_text(out, ".0");
}

static void print_address(Out *out, const World *world, uint64_t address) {
    Sym function = world_function(world, address);
    const Object *object = memory_find(world->memory, address);
    if (function.i != NO_ID) {
        out_printf(out, "&%s",
                   program_text(world->program, program_at(world->program, function)->name));
        return;
    }
    if (!object || address - object->address > object->size) {
        bool small = (int64_t)address > -(INT64_C(1) << 32) && (int64_t)address < INT64_C(1) << 40;
        out_printf(out, small ? "%lld" : "0x%llx", (long long)address);
        return;
    }
    out_printf(out, "&%s", object->name);
    if (object->kind == OBJECT_HEAP) out_printf(out, "#%llu", (unsigned long long)object->serial);
    if (address != object->address)
        out_printf(out, "+%llu", (unsigned long long)(address - object->address));
    if (!object->live) out_text(out, " (gone)");
}

void watch_print_value(Out *out, const World *world, Type type, Value value) {
    if (value.undef & type_mask(type)) {
        bool all = (value.undef & type_mask(type)) == type_mask(type);
        out_text(out, all ? "undefined" : "partly undefined");
        return;
    }
    switch (type) {
    case TYPE_I32: out_i64(out, (int32_t)as_i32(value)); break;
    case TYPE_I64: print_address(out, world, value.bits); break;
    case TYPE_F32: print_double(out, (double)as_f32(value), true); break;
    case TYPE_F64: print_double(out, as_f64(value), false); break;
    case TYPE_F80: out_printf(out, "%.21Lg", as_f80(value)); break;
    default: break;
    }
}

// What the caller passed lies before what it passed besides.
void watch_print_arguments(Out *out, const Interpreter *in, const WatchSource *source,
                           const CallFrame *frame) {
    const SigInfo *sig = frame->code->sig;
    uint32_t symbol = frame->code->func->symbol.i;
    const Str *names = source ? source->names[symbol] : NULL;
    const Value *values = frame->variable.args - sig->fixed_count;
    for (uint32_t i = 0; i < sig->fixed_count; i++) {
        const ParamType *type = program_ptype_info(in->program, sig->params[i]);
        if (i) out_text(out, ", ");
        if (names && names[i].i) out_printf(out, "%s = ", program_text(in->program, names[i]));
        if (ptype_is_aggregate(type))
            out_printf(out, "{%llu bytes}", (unsigned long long)type->size);
        else
            watch_print_value(out, &in->world, type->type, values[i]);
    }
    if (sig->variadic) out_text(out, sig->fixed_count ? ", ..." : "...");
}

// Slots are called "function.name", or "function.number" if they have none.
static void print_slot_object(Out *out, const char *name) {
    const char *dot = strchr(name, '.');
    if (!dot)
        out_printf(out, "'%s'", name);
    else if (dot[1] >= '0' && dot[1] <= '9')
        out_printf(out, "a temporary object of %.*s", (int)(dot - name), name);
    else
        out_printf(out, "'%s' of %.*s", dot + 1, (int)(dot - name), name);
}

void watch_print_object(Out *out, const Object *object) {
    unsigned long long size = object->size;
    switch (object->kind) {
    case OBJECT_SLOT: print_slot_object(out, object->name); break;
    case OBJECT_HEAP:
        out_printf(out, "the %llu byte%s of %s", size, size == 1 ? "" : "s", object->name);
        break;
    case OBJECT_ALLOCA: out_text(out, "an object of alloca"); break;
    case OBJECT_ARGUMENT: out_text(out, "an argument"); break;
    case OBJECT_GLOBAL:
        if (strncmp(object->name, ".str.", 5) == 0) {
            out_text(out, "a string literal");
            break;
        }
        out_printf(out, "'%s'", object->name);
        break;
    case OBJECT_SYSTEM:
    case OBJECT_MISSING: out_printf(out, "'%s'", object->name); break;
    }
}

// ---- Frames

const char *watch_library_call(const Interpreter *in, const CallFrame *frame) {
    if (frame->step->code != CODE_CALL) return NULL;
    const Instr *instr = step_instr(frame, frame->step);
    Sym symbol = {instr->ref};
    if (symbol.i == NO_ID) {
        Value address = frame->regs[instr_args(frame->code->func, instr)[0].i];
        if (address.undef) return NULL;
        symbol = world_function(&in->world, address.bits);
    }
    if (symbol.i == NO_ID || program_at(in->program, symbol)->func) return NULL;
    return program_text(in->program, program_at(in->program, symbol)->name);
}

void watch_print_frame(Out *out, const Interpreter *in, const WatchSource *source, uint32_t index) {
    const CallFrame *frame = &in->frames.at[index];
    WatchPlace place = watch_place(frame);
    Sym owner = source && place.loc < source->count ? source->owner[place.loc] : NO_SYM;
    out_text(out, "in ");
    if (owner.i != NO_ID && owner.i != place.func->symbol.i)
        out_printf(out, "%s, inlined into ",
                   program_text(in->program, program_at(in->program, owner)->name));
    out_printf(out, "%s (", func_name(place.func));
    watch_print_arguments(out, in, source, frame);
    out_char(out, ')');
    if (place.loc) {
        out_text(out, " at ");
        watch_print_loc(out, in->program, place.loc);
    } else if (place.site.i != NO_ID) {
        out_text(out, " at ");
        func_print_site(out, place.func, place.site);
    }
}

// A function that the library calls back, or calls at the end.
static void print_caller(Out *out, const Interpreter *in, uint32_t index) {
    if (!in->frames.at[index].outermost || index <= in->oldest) return;
    const char *name = watch_library_call(in, &in->frames.at[index - 1]);
    if (name) out_printf(out, "  called back by %s (library)\n", name);
}

void watch_print_frames(Out *out, const Interpreter *in, const WatchSource *source) {
    enum { FIRST = 12, LAST = 6 };
    uint32_t count = in->frames.count, depth = count - in->oldest;
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t index = count - 1 - i;
        if (depth > FIRST + LAST + 1 && i == FIRST) {
            out_printf(out, "  ... %u more calls ...\n", depth - FIRST - LAST);
            i = depth - LAST - 1;
            continue;
        }
        out_text(out, "  ");
        watch_print_frame(out, in, source, index);
        out_char(out, '\n');
        print_caller(out, in, index);
    }
}
