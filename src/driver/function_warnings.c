// Functions are brought into SSA form for this, and only for this: warnings must not depend on which
// optimizations run.
#include "driver/function_warnings.h"

#include "analysis/uninitialized.h"
#include "pass/pass.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    Diag *diag;
    const Program *program;
    const WarningSet *warnings;
    bool variables_in_memory;
    Arena *arena; // for one function at a time
} Warner;

static bool in_identifier(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

// Moves a span to where a name is first mentioned from there on in its line; a place in the code is that
// of an instruction, which may be an operator to the left of it.
static Span span_of_name(const Source *source, Span span, const char *name) {
    uint32_t length = (uint32_t)strlen(name), end = span.start;
    while (end < source->length && source->text[end] != '\n') end++;
    for (uint32_t at = span.start; length <= end - at && at < end; at++) {
        if (at > 0 && in_identifier(source->text[at - 1])) continue;
        if (memcmp(source->text + at, name, length) != 0) continue;
        if (at + length < end && in_identifier(source->text[at + length])) continue;
        return (Span){.source = span.source, .start = at, .end = at + length};
    }
    return span;
}

// Where a place of the program is in the sources; nowhere if #line tells of another file.
static Span span_of(Warner *warner, uint32_t loc, const char *name) {
    const Loc *place = &warner->program->locs.at[loc];
    const char *file = program_text(warner->program, warner->program->files.at[place->file]);
    Diag *diag = warner->diag;
    for (uint32_t i = 0; loc && i < diag->sources.count; i++) {
        Source *source = &diag->sources.at[i];
        if (strcmp(source->name, file) != 0) continue;
        diag_place(diag, i, 0); // has the lines listed
        if (place->line == 0 || place->line > source->lines.count) continue;
        uint32_t start = source->lines.at[place->line - 1] + place->column - 1;
        if (place->column == 0 || start >= source->length) continue;
        return span_of_name(source, (Span){.source = i, .start = start, .end = start + 1}, name);
    }
    return SPAN_NONE;
}

static void warn(Warner *warner, Warning warning, uint32_t loc, const char *name,
                 const char *message) {
    const WarningSet *warnings = warner->warnings;
    if (!warnings->on[warning]) return;
    bool fatal = warnings->error[warning] || warnings->all_errors;
    Span span = span_of(warner, loc, name);
    const Loc *place = &warner->program->locs.at[loc];
    Out where = {0};
    if (loc && span.source == DIAG_NO_SOURCE)
        out_printf(&where, " at %s:%u:%u",
                   program_text(warner->program, warner->program->files.at[place->file]),
                   place->line, place->column);
    out_char(&where, '\0');
    diag_report(warner->diag, fatal ? DIAG_ERROR : DIAG_WARNING, span, "'%s' %s%s [-W%s%s]", name,
                message, where.text, fatal ? "error=" : "", warning_name(warning));
    out_free(&where);
}

static void warn_uninitialized(Warner *warner, const Func *ssa, const UninitializedUse *use) {
    warn(warner, use->sometimes ? WARN_MAYBE_UNINITIALIZED : WARN_UNINITIALIZED,
         func_at(ssa, use->node)->loc, program_text(warner->program, ssa->regs.at[use->reg.i].name),
         use->sometimes ? "may be used uninitialized" : "is used uninitialized");
}

// The variables of slots in registers again, by their names: all of those are whole slots. A name that others have
// too is followed by a number.
static const Func *variables_in_registers(const Warner *warner, const Func *func) {
    SplitHint hint = {0};
    Func *split = split_slots(warner->arena, func, &hint);
    if (!split) return func;
    for (uint32_t i = 0; i < hint.fields.count; i++) {
        const SlotField *field = &hint.fields.at[i];
        const SlotInfo *slot = &func->slots.at[field->slot.i];
        if (chunk_size((Chunk)field->chunk) != slot->size || !slot->name.i) continue;
        const char *name = program_text(func->program, slot->name);
        RegInfo *reg = &split->regs.at[func->regs.count + i];
        reg->name = str_intern(&func->program->strings, name, strcspn(name, "."));
        reg->number = i + 1;
    }
    return split;
}

static void warn_of_function(Warner *warner, const Func *func) {
    if (warner->variables_in_memory) func = variables_in_registers(warner, func);
    NormHint norm_hint = {0};
    SsaHint ssa_hint = {0};
    const Func *normal = normalize(warner->arena, func, &norm_hint);
    const Func *ssa = ssa_build(warner->arena, normal, &ssa_hint);
    UninitializedUses uses = uninitialized_uses(warner->arena, ssa);
    for (uint32_t i = 0; i < uses.count; i++) warn_uninitialized(warner, ssa, &uses.at[i]);
    arena_reset(warner->arena);
}

void warn_of_functions(Diag *diag, const Program *program, const WarningSet *warnings,
                       bool variables_in_memory) {
    if (!warnings->on[WARN_UNINITIALIZED] && !warnings->on[WARN_MAYBE_UNINITIALIZED]) return;
    Warner warner = {.diag = diag,
                     .program = program,
                     .warnings = warnings,
                     .variables_in_memory = variables_in_memory,
                     .arena = arena_new("function warnings")};
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func) warn_of_function(&warner, program->symbols.at[i].func);
    arena_free(warner.arena);
}
