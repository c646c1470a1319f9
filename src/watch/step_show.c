// Shows items, lines of the source, registers, memory and calls in the debugger.
#include "watch/step_private.h"

#include "form/forms.h"
#include "form/mach.h"
#include "run/fssa_run.h"
#include "run/mach_reading.h"
#include "text/text.h"

#include <inttypes.h>
#include <stdlib.h>

const CallFrame *step_frame(const Stepper *s, const Interpreter *in) {
    uint32_t count = in->frames.count;
    return s->selected < count ? &in->frames.at[count - 1 - s->selected] : NULL;
}

// ---- Lines of the source

static const Source *source_of(const Stepper *s, const char *name) {
    const Diag *known = s->options->sources;
    for (uint32_t i = 0; known && i < known->sources.count; i++)
        if (strcmp(known->sources.at[i].name, name) == 0) return &known->sources.at[i];
    return NULL;
}

void step_show_line(const Stepper *s, Out *out, uint32_t id, uint32_t around) {
    const Program *program = s->program;
    if (!id || id >= program->locs.count) return;
    Loc loc = program->locs.at[id];
    const Source *source = source_of(s, program_text(program, program->files.at[loc.file]));
    const char *at = source ? source->text : NULL, *end = source ? at + source->length : NULL;
    for (uint32_t line = 1; at && at < end && line <= loc.line + around; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (line + around >= loc.line)
            out_printf(out, "%s%5u | %.*s\n", around && line == loc.line ? ">" : " ", line,
                       (int)(stop - at), at);
        at = newline ? newline + 1 : end;
    }
}

// ---- Items

static void print_item(const Stepper *s, Out *out, const World *world, const WatchItem *item) {
    out_printf(out, "%s ", func_name(item->func));
    watch_print_item(out, s->texts, item->func, &item->item);
    if (world && item->reg.i != NO_ID) {
        out_text(out, "  = ");
        watch_print_value(out, world, item->type, item->value);
    }
    if (item->loc) {
        out_text(out, "  (");
        watch_print_loc(out, s->program, item->loc);
        out_char(out, ')');
    }
    out_char(out, '\n');
}

void step_show_stop(Stepper *s, Out *out, Interpreter *in) {
    if (s->has_done) {
        out_text(out, "  ");
        print_item(s, out, &in->world, &s->done);
    }
    s->has_done = false;
    out_printf(out, "%" PRIu64 "> ", s->count);
    print_item(s, out, s->due.on_demand ? &in->world : NULL, &s->due);
    const Program *program = s->program;
    uint32_t loc = s->due.loc, shown = s->shown_loc;
    bool same = loc && shown && program->locs.at[loc].line == program->locs.at[shown].line &&
                program->locs.at[loc].file == program->locs.at[shown].file;
    if (!same) step_show_line(s, out, loc, 0);
    if (loc) s->shown_loc = loc;
}

// The items before and behind in the text of the function.
static void list_form(const Stepper *s, Out *out, const CallFrame *frame) {
    enum { AROUND = 3 };
    WatchPlace place = watch_place(frame);
    const FuncItems *items = watch_func_items(s->texts, place.func);
    uint32_t at = 0;
    while (at < items->count && (items->at[at].index != place.site.i ||
                                 items->at[at].kind != watch_site_kind(place.func)))
        at++;
    if (at == items->count) return;
    for (uint32_t i = at > AROUND ? at - AROUND : 0; i < items->count && i <= at + AROUND; i++) {
        WatchItem item = {.item = items->at[i], .func = place.func, .reg = NO_REG};
        out_text(out, i == at ? "> " : "  ");
        print_item(s, out, NULL, &item);
    }
}

void step_show_list(Stepper *s, Out *out, Interpreter *in) {
    const CallFrame *frame = step_frame(s, in);
    if (!frame) return;
    step_show_line(s, out, watch_place(frame).loc, 3);
    list_form(s, out, frame);
}

// ---- Registers

// What has a name of its own: of machine code that is allocated, machine registers and spills only.
static bool is_readable(const CallFrame *frame, uint32_t reg) {
    const Code *code = frame->code;
    if (reg >= code->func->regs.count || code->func->regs.at[reg].type == TYPE_VOID) return false;
    if (code->flow) return reg < code->flow->register_count;
    if (!code->reading) return true;
    if (code->reading->of->mach->allocated) return code->func->regs.at[reg].name.i != 0;
    return reg < code->reading->of->regs.count;
}

static void print_register(Out *out, const Interpreter *in, const CallFrame *frame, Reg reg) {
    const Func *func = frame->code->func;
    Value value = frame->regs[reg.i];
    bool half = reg_type(func, reg) == TYPE_I64 && value.undef == ~(uint64_t)UINT32_MAX;
    reg_print(out, func, reg);
    out_text(out, " = ");
    if (half) // as machine registers are after an operation of 32 bits
        out_printf(out, "%d, undefined above", (int32_t)(uint32_t)value.bits);
    else
        watch_print_value(out, &in->world, reg_type(func, reg), value);
    out_char(out, '\n');
}

bool step_is_known(const CallFrame *frame, uint32_t reg) {
    const Activation *a = frame->activation;
    return !a || a->known[reg] == a->regions[a->flow->values[reg].region].now;
}

void step_show_registers(const Stepper *s, Out *out, const Interpreter *in) {
    const CallFrame *frame = step_frame(s, in);
    uint32_t undefined = 0;
    for (uint32_t i = 0; frame && i < frame->code->func->regs.count; i++) {
        if (!is_readable(frame, i)) continue;
        if (frame->regs[i].undef == type_mask(frame->code->func->regs.at[i].type) ||
            !step_is_known(frame, i)) {
            undefined++;
            continue;
        }
        out_text(out, "  ");
        print_register(out, in, frame, (Reg){i});
    }
    if (undefined) out_printf(out, "  %u without a value\n", undefined);
}

static bool has_name(const Func *func, uint32_t reg, const char *name) {
    Out text = {0};
    reg_print(&text, func, (Reg){reg});
    bool same = text.length && strlen(name) == text.length - (text.text[0] == '%') &&
                memcmp(text.text + (text.text[0] == '%'), name, strlen(name)) == 0;
    out_free(&text);
    return same;
}

Reg step_register(const CallFrame *frame, const char *name) {
    if (*name == '%') name++;
    for (uint32_t i = 0; frame && i < frame->code->func->regs.count; i++)
        if (is_readable(frame, i) && has_name(frame->code->func, i, name)) return (Reg){i};
    return NO_REG;
}

// ---- Objects

static Object *slot_named(const Interpreter *in, const CallFrame *frame, const char *name) {
    const Func *func = frame->code->func;
    for (uint32_t i = 0; i < func->slots.count; i++)
        if (func->slots.at[i].name.i &&
            strcmp(program_text(func->program, func->slots.at[i].name), name) == 0)
            return memory_find(in->world.memory, frame->regs[frame->code->first_slot + i].bits);
    return NULL;
}

static Object *object_named(const Interpreter *in, const CallFrame *frame, const char *name) {
    if (*name == '$' || *name == '@' || *name == '&') name++;
    Object *slot = frame ? slot_named(in, frame, name) : NULL;
    for (uint32_t i = 0; !slot && i < in->program->symbols.count; i++) {
        const Symbol *symbol = &in->program->symbols.at[i];
        if (symbol->kind == SYM_DATA && strcmp(program_text(in->program, symbol->name), name) == 0)
            slot = memory_find(in->world.memory, in->world.symbol_address[i]);
    }
    return slot;
}

static void dump(Out *out, const Object *object, uint64_t offset, uint64_t count) {
    enum { ROW = 16 };
    if (offset >= object->size) return;
    if (count > object->size - offset) count = object->size - offset;
    for (uint64_t i = 0; i < count; i++) {
        bool undefined = object->undef && object->undef[offset + i];
        if (i % ROW == 0)
            out_printf(out, "%s  %s+%-4" PRIu64, i ? "\n" : "", object->name, offset + i);
        if (undefined)
            out_text(out, " --");
        else
            out_printf(out, " %02x", object->data[offset + i]);
    }
    out_char(out, '\n');
}

// A small object as a number, others as bytes.
static void print_object_value(Out *out, const Interpreter *in, const Object *object) {
    static const Chunk chunks[9] = {
        [1] = CHUNK_I8, [2] = CHUNK_I16, [4] = CHUNK_I32, [8] = CHUNK_I64};
    bool number = object->size == 1 || object->size == 2 || object->size == 4 || object->size == 8;
    Value value;
    if (!object->live || !number ||
        !memory_load(in->world.memory, chunks[object->size], object->address, &value)) {
        dump(out, object, 0, 64);
        return;
    }
    out_printf(out, "  %s = ", object->name);
    watch_print_value(out, &in->world, chunk_type(chunks[object->size]), value);
    out_char(out, '\n');
}

void step_show_named(const Stepper *s, Out *out, const Interpreter *in, const char *name) {
    const CallFrame *frame = step_frame(s, in);
    const char *bare = *name == '%' ? name + 1 : name;
    uint32_t found = 0;
    for (uint32_t i = 0; frame && i < frame->code->func->regs.count; i++) {
        const Func *func = frame->code->func;
        if (!is_readable(frame, i)) continue;
        bool version = func->regs.at[i].name.i &&
                       strcmp(program_text(func->program, func->regs.at[i].name), bare) == 0;
        if (!version && !has_name(func, i, bare)) continue;
        found++;
        out_text(out, "  ");
        print_register(out, in, frame, (Reg){i});
    }
    const Object *object = object_named(in, frame, name);
    if (object && (!found || *name != '%'))
        print_object_value(out, in, object);
    else if (!found)
        out_printf(out, "there is no register or variable '%s' here\n", name);
}

// Where a number, a register or a variable leads.
static bool find_address(const Stepper *s, const Interpreter *in, const char *what,
                         uint64_t *address) {
    char *end;
    const CallFrame *frame = step_frame(s, in);
    *address = strtoull(what, &end, 0);
    if (*what >= '0' && *what <= '9' && !*end) return true;
    const Object *object = object_named(in, frame, what);
    Reg reg = step_register(frame, what);
    if (object && *what != '%') {
        *address = object->address;
        return true;
    }
    if (reg.i == NO_ID || frame->regs[reg.i].undef) return false;
    *address = frame->regs[reg.i].bits;
    return true;
}

void step_show_memory(const Stepper *s, Out *out, const Interpreter *in, const char *what,
                      uint64_t count) {
    uint64_t address;
    if (!find_address(s, in, what, &address)) {
        out_printf(out, "'%s' leads to no address\n", what);
        return;
    }
    const Object *object = memory_find(in->world.memory, address);
    if (!object || address - object->address > object->size) {
        out_printf(out, "no object is at 0x%" PRIx64 "\n", address);
        return;
    }
    out_text(out, "  ");
    watch_print_object(out, object);
    out_printf(out, ", %" PRIu64 " bytes at 0x%" PRIx64 "%s%s\n", object->size, object->address,
               object->readonly ? ", read-only" : "", object->live ? "" : ", gone");
    if (object->live) dump(out, object, address - object->address, count ? count : 64);
}

void step_show_stack(const Stepper *s, Out *out, const Interpreter *in) {
    enum { MOST = 40 };
    uint32_t depth = in->frames.count - in->oldest;
    for (uint32_t i = 0; i < depth && i < MOST; i++) {
        out_printf(out, "%s %u ", i == s->selected ? ">" : " ", i);
        watch_print_frame(out, in, s->options->source, in->frames.count - 1 - i);
        out_char(out, '\n');
    }
    if (depth > MOST) out_printf(out, "  ... %u more calls\n", depth - MOST);
}
