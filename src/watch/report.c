// How a run ended that did not end by its result: the place in the source with the line, what is
// wrong in the words of the source, the objects that it is about, and the calls that lead there.
#include "watch/watch.h"

#include "run/mach_reading.h"
#include "text/text.h"

#include <unistd.h>

typedef struct {
    WatchReport *report;
    const Interpreter *in;
    Diag diag; // collects the messages
} Reporter;

// ---- Sources

// The number of a file in our own Diag; DIAG_NO_SOURCE if its text is not known.
static uint32_t source_named(Reporter *r, const char *name) {
    for (uint32_t i = 0; i < r->diag.sources.count; i++)
        if (strcmp(r->diag.sources.at[i].name, name) == 0) return i;
    const Diag *known = r->report->sources;
    for (uint32_t i = 0; known && i < known->sources.count; i++) {
        const Source *source = &known->sources.at[i];
        if (strcmp(source->name, name) == 0)
            return diag_source(&r->diag, name, source->text, source->length);
    }
    char *text;
    size_t length;
    if (strcmp(name, "-") == 0 || name[0] == '<' ||
        !read_file(r->report->arena, name, &text, &length) || length > UINT32_MAX / 2)
        return DIAG_NO_SOURCE;
    return diag_source(&r->diag, name, text, length);
}

// The bytes of a location; none if its line is not in the text.
static Span span_of(Reporter *r, uint32_t id) {
    const Program *program = r->in->program;
    if (!id || id >= program->locs.count) return SPAN_NONE;
    Loc loc = program->locs.at[id];
    uint32_t source = source_named(r, program_text(program, program->files.at[loc.file]));
    if (source == DIAG_NO_SOURCE || !loc.line) return SPAN_NONE;
    const char *text = r->diag.sources.at[source].text;
    uint32_t length = r->diag.sources.at[source].length, at = 0;
    for (uint32_t line = 1; line < loc.line; line++) {
        const char *newline = memchr(text + at, '\n', length - at);
        if (!newline) return SPAN_NONE;
        at = (uint32_t)(newline - text) + 1;
    }
    const char *newline = memchr(text + at, '\n', length - at);
    uint32_t end = newline ? (uint32_t)(newline - text) : length;
    uint32_t column = loc.column ? loc.column - 1 : 0;
    if (column > end - at) column = end - at;
    return (Span){.source = source, .start = at + column, .end = at + column + 1};
}

// A message at a location. Where the text is not known, the location stands in front of it.
static void tell(Reporter *r, Severity severity, uint32_t loc, Out *text) {
    Span span = span_of(r, loc);
    Out place = {0};
    if (span.source == DIAG_NO_SOURCE && loc) {
        watch_print_loc(&place, r->in->program, loc);
        out_text(&place, ": ");
    }
    diag_report(&r->diag, severity, span, "%.*s%.*s", (int)place.length,
                place.text ? place.text : "", (int)text->length, text->text ? text->text : "");
    out_free(&place);
    out_free(text);
}

// ---- What is wrong

static bool is_null(uint64_t address) {
    return address < 4096;
}

// "load of 4 bytes at offset 12 of 'a' of main, which has 12 bytes"
static void print_access(Out *out, const Interpreter *in, const WrongAccess *access) {
    const Object *object = memory_find(in->world.memory, access->address);
    unsigned long long size = access->size, address = access->address;
    out_printf(out, "%s of %llu byte%s ", access->write ? "store" : "load", size,
               size == 1 ? "" : "s");
    if (is_null(access->address)) {
        out_text(out, "through a null pointer");
        if (address) out_printf(out, " plus %llu", address);
        return;
    }
    if (!object) {
        out_printf(out, "at 0x%llx, where no object is", address);
        return;
    }
    unsigned long long bytes = object->size;
    out_printf(out, "at offset %lld of ", (long long)(access->address - object->address));
    watch_print_object(out, object);
    if (!object->live)
        out_text(out, object->kind == OBJECT_HEAP     ? ", which were freed"
                      : object->kind == OBJECT_ALLOCA ? ", which is gone"
                                                      : ", whose function has returned");
    else if (access->write && object->readonly)
        out_text(out, ", which is read-only");
    else if (object->kind != OBJECT_HEAP)
        out_printf(out, ", which has %llu byte%s", bytes, bytes == 1 ? "" : "s");
}

// Whether the access is best told in our own words.
static bool tells_access(const Interpreter *in) {
    const WrongAccess *access = &in->world.access;
    if (!access->known || !access->size) return false;
    if (world_function(&in->world, access->address).i != NO_ID) return false;
    const Object *object = memory_find(in->world.memory, access->address);
    if (!object || is_null(access->address)) return true;
    uint64_t offset = access->address - object->address;
    bool inside = offset <= object->size && access->size <= object->size - offset;
    return object->kind != OBJECT_MISSING &&
           (!object->live || !inside || (access->write && object->readonly));
}

// "divs.i32 of 1 and 0", "call of 0x0, ..." in the words of C.
static void print_wrong(Out *out, const char *reason) {
    static const struct {
        const char *op, *word;
    } words[] = {{"div", "division"},
                 {"mod", "remainder of a division"},
                 {"shl", "shift"},
                 {"shr", "shift"},
                 {"sar", "shift"}};
    if (strncmp(reason, "call of 0x0,", 12) == 0) reason = "call through a null pointer";
    const char *of = strstr(reason, " of "), *second = of ? strstr(of, " and ") : NULL;
    for (size_t i = 0; second && i < sizeof words / sizeof words[0]; i++)
        if (strncmp(reason, words[i].op, 3) == 0 && strchr(reason, '.') < of) {
            out_printf(out, "%s%.*s by %s (%.*s)", words[i].word, (int)(second - of), of,
                       second + 5, (int)(of - reason), reason);
            return;
        }
    out_text(out, reason);
}

static void print_reason(Out *out, const Interpreter *in) {
    const Behaviour *behaviour = &in->world.result->behaviour;
    const char *library = in->frames.count ? watch_library_call(in, top_frame(in)) : NULL;
    switch (behaviour->end) {
    case END_RESULT: break;
    case END_ABORT: out_text(out, "abort was called"); break;
    case END_TRAP: out_printf(out, "trap: %s", behaviour->reason ? behaviour->reason : ""); break;
    case END_FUEL:
        out_printf(out, "out of fuel after %llu steps", (unsigned long long)behaviour->steps);
        break;
    case END_WRONG:
        if (!tells_access(in)) {
            print_wrong(out, behaviour->reason ? behaviour->reason : "wrong step");
            break;
        }
        if (library) out_printf(out, "%s: ", library);
        print_access(out, in, &in->world.access);
        break;
    }
}

// ---- What it is about

static void tell_object(Reporter *r, const Object *object) {
    Out text = {0};
    if (object->kind != OBJECT_HEAP) return;
    if (object->made) {
        out_printf(&text, "the block of %llu bytes was allocated here by %s",
                   (unsigned long long)object->size, object->name);
        tell(r, DIAG_NOTE, object->made, &text);
    }
    if (!object->live && object->ended) {
        out_text(&text, "it was freed here");
        tell(r, DIAG_NOTE, object->ended, &text);
    }
}

static void tell_access(Reporter *r) {
    const WrongAccess *access = &r->in->world.access;
    if (!access->known || is_null(access->address)) return;
    const Object *object = memory_find(r->in->world.memory, access->address);
    if (object) tell_object(r, object);
}

static void tell_memory(Reporter *r, const WatchOrigin *origin) {
    const Object *object = memory_find(r->in->world.memory, origin->address);
    if (!object) return;
    // Of a value that is known in part, the first byte that is not is the one to look at.
    uint64_t offset = origin->address - object->address, unset = 0;
    while (object->undef && unset < origin->size && offset + unset < object->size &&
           !object->undef[offset + unset])
        unset++;
    if (unset == origin->size) unset = 0;
    Out text = {0};
    out_text(&text, "the value is what was at offset ");
    out_printf(&text, "%llu of ", (unsigned long long)offset);
    watch_print_object(&text, object);
    if (unset)
        out_printf(&text, "; nothing has been stored at offset %llu",
                   (unsigned long long)(offset + unset));
    else
        out_text(&text, ", where nothing has been stored");
    tell(r, DIAG_NOTE, origin->loc, &text);
    tell_object(r, object);
}

// "'x' of main has not been given a value"; nothing if it has no name.
static void print_variable(Out *out, const WatchOrigin *origin) {
    const Func *func = origin->frame->code->func;
    Str name = func->regs.at[origin->reg.i].name;
    bool cell = func->spill_count || (origin->frame->code->reading && func->reading &&
                                      origin->frame->code->reading->of->mach->allocated);
    if (name.i && !cell)
        out_printf(out, "'%s' of %s has not been given a value", program_text(func->program, name),
                   func_name(func));
}

static void tell_origin(Reporter *r, const WatchOrigin *origin) {
    Out text = {0};
    if (origin->kind == ORIGIN_MEMORY) {
        tell_memory(r, origin);
    } else if (origin->kind == ORIGIN_CALL) {
        out_text(&text, "the value is what this call returned");
        tell(r, DIAG_NOTE, origin->loc, &text);
    } else if (origin->kind == ORIGIN_VARIABLE && origin->frame != top_frame(r->in)) {
        print_variable(&text, origin);
        if (text.length) tell(r, DIAG_NOTE, watch_place(origin->frame).loc, &text);
    }
}

// ---- The whole

// A program without locations in which nothing was called has no more to tell than the line that
// names the node.
static bool has_more(const Interpreter *in) {
    return in->frames.count > in->oldest + 1 ||
           (in->frames.count && watch_place(top_frame(in)).loc);
}

void watch_report(void *context, Interpreter *in) {
    WatchReport *report = context;
    const Behaviour *behaviour = &in->world.result->behaviour;
    bool asked = behaviour->end == END_FUEL && behaviour->reason;
    if (behaviour->end == END_RESULT || asked || !has_more(in)) return;
    Reporter reporter = {.report = report, .in = in}, *r = &reporter;
    diag_init(&r->diag, report->arena, NULL);
    r->diag.colour = report->colour;
    Out reason = {0}, variable = {0};
    WatchOrigin origin = {.kind = ORIGIN_UNKNOWN};
    if (behaviour->end == END_WRONG && !in->world.access.known) origin = watch_origin(in);
    print_reason(&reason, in);
    if (origin.kind == ORIGIN_VARIABLE && origin.frame == top_frame(in))
        print_variable(&variable, &origin);
    if (variable.length) out_printf(&reason, ": %.*s", (int)variable.length, variable.text);
    out_free(&variable);
    uint32_t loc = watch_place(top_frame(in)).loc;
    if (loc)
        tell(r, DIAG_ERROR, loc, &reason);
    else
        out_free(&reason); // the line that names the node tells it
    if (behaviour->end == END_WRONG) tell_access(r);
    tell_origin(r, &origin);
    out_bytes(&report->text, r->diag.out.text, r->diag.out.length);
    diag_free(&r->diag);
    const char *library = watch_library_call(in, top_frame(in));
    if (library && behaviour->end != END_FUEL)
        out_printf(&report->text, "  in %s (library)\n", library);
    watch_print_frames(&report->text, in, report->source);
}
