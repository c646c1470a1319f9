// Functions are brought into SSA form for this, and only for this: warnings must not depend on which
// optimizations run. The pipeline does so, with the steps that it takes and no others.
#include "driver/function_warnings.h"

#include "analysis/uninitialized.h"
#include "cert/hints_ssa.h"
#include "driver/call_notes.h"
#include "pipeline/transforms.h"

#include <ctype.h>
#include <string.h>

typedef VEC(Str) Names;

typedef struct {
    Pp *pp;
    Diag *diag;
    const Program *program;
    Arena *arena; // for one function at a time
    // The variables of slots that have come into registers: register first_variable + i has the name variables.at[i];
    // STR_NONE if it is a part of one.
    uint32_t first_variable;
    Names variables;
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

static Span span_of(Warner *warner, uint32_t loc, const char *name) {
    Span span = span_of_location(warner->diag, warner->program, loc);
    if (span.source == DIAG_NO_SOURCE) return span;
    return span_of_name(&warner->diag->sources.at[span.source], span, name);
}

static void warn(Warner *warner, Warning warning, uint32_t loc, const char *name,
                 const char *message) {
    if (!pp_might_warn(warner->pp, warning)) return;
    Span span = span_of(warner, loc, name);
    Pos pos = pp_pos_of(warner->pp, span);
    const Loc *place = &warner->program->locs.at[loc];
    Out where = {0};
    if (loc && !pos)
        out_printf(&where, " at %s:%u:%u",
                   program_text(warner->program, warner->program->files.at[place->file]),
                   place->line, place->column);
    out_char(&where, '\0');
    pp_report(warner->pp, DIAG_WARNING, warning_name(warning), pos, span.end - span.start,
              "'%s' %s%s", name, message, where.text);
    out_free(&where);
}

static void warn_uninitialized(Warner *warner, const Func *ssa, const UninitializedUse *use) {
    warn(warner, use->sometimes ? WARN_MAYBE_UNINITIALIZED : WARN_UNINITIALIZED,
         func_at(ssa, use->node)->loc, program_text(warner->program, ssa->regs.at[use->reg.i].name),
         use->sometimes ? "may be used uninitialized" : "is used uninitialized");
}

// The variables of slots are in registers again: all of those are whole slots. A name that others have too is followed by
// a number.
static void note_variables(Warner *warner, const Func *before, const SplitHint *hint) {
    warner->first_variable = before->regs.count;
    for (uint32_t i = 0; i < hint->fields.count; i++) {
        const SlotField *field = &hint->fields.at[i];
        const SlotInfo *slot = &before->slots.at[field->slot.i];
        bool whole = chunk_size((Chunk)field->chunk) == slot->size && slot->name.i;
        const char *name = whole ? program_text(before->program, slot->name) : "";
        vec_push(warner->arena, &warner->variables,
                 whole ? str_intern(&before->program->strings, name, strcspn(name, "."))
                       : STR_NONE);
    }
}

// The function with the names of variables.
static Func with_variables(const Warner *warner, const Func *ssa, const SsaHint *hint) {
    Func view = *ssa;
    if (!warner->variables.count) return view;
    view.regs.at = ARENA_ARRAY(warner->arena, RegInfo, ssa->regs.count);
    for (uint32_t r = 0; r < ssa->regs.count; r++) {
        RegInfo *reg = &view.regs.at[r];
        *reg = ssa->regs.at[r];
        uint32_t variable = hint->origin.at[r].i - warner->first_variable; // none if it wraps
        if (variable >= warner->variables.count || !warner->variables.at[variable].i) continue;
        reg->name = warner->variables.at[variable];
        reg->number = variable + 1;
    }
    return view;
}

static void observe(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint) {
    Warner *warner = context;
    PassId pass = step_at(step).pass;
    if (pass == PASS_split_slots) note_variables(warner, before, hint);
    if (pass != PASS_ssa_build) return;
    Func ssa = with_variables(warner, after, hint);
    UninitializedUses uses = uninitialized_uses(warner->arena, &ssa);
    for (uint32_t i = 0; i < uses.count; i++) warn_uninitialized(warner, &ssa, &uses.at[i]);
}

static void begin(void *context, const Func *func) {
    Warner *warner = context;
    pp_set_function(warner->pp, func_name(func));
    arena_reset(warner->arena);
    warner->variables = (Names){0};
}

// Where the pipeline tells of rejected passes.
static void open_rejected(Diag *rejected, Arena *arena, const WarningSet *warnings) {
    WarningLevel level = warnings_level(warnings, warning_name(WARN_REJECTED_PASS));
    diag_init(rejected, arena, level == LEVEL_IGNORED ? NULL : stderr);
    rejected->warnings_are_errors = level == LEVEL_ERROR;
}

// The function as the source has it: without the values that variables were given although it has none.
static const Func *as_written(Arena *arena, const Func *func) {
    uint32_t n = 0;
    while (n < func->nodes.count && !func->nodes.at[n].automatic) n++;
    if (n == func->nodes.count) return func;
    Func *view = func_clone(func, arena);
    for (; n < view->nodes.count; n++) {
        Instr *instr = &view->nodes.at[n];
        if (!instr->automatic || instr->succ_count != 1) continue; // ways through loops stay
        *instr = (Instr){.kind = I_NOP,
                         .dest = NO_REG,
                         .succ_count = 1,
                         .succ = {instr_succs(view, instr)[0]},
                         .loc = instr->loc};
    }
    return view;
}

void warn_of_functions(Pp *pp, Diag *diag, const Program *program, const WarningSet *warnings,
                       bool variables_in_memory) {
    if (!pp_might_warn(pp, WARN_UNINITIALIZED) && !pp_might_warn(pp, WARN_MAYBE_UNINITIALIZED))
        return;
    Arena *arena = arena_new("function warnings");
    Warner warner = {.pp = pp, .diag = diag, .program = program, .arena = arena_new("function")};
    Diag rejected;
    open_rejected(&rejected, arena, warnings);
    Pipeline pipeline;
    pipeline_init(&pipeline, arena, transform_table, &rejected);
    pipeline.level = 0;
    pipeline.on[PASS_split_slots] = variables_in_memory;
    pipeline.on[PASS_normalize] = pipeline.on[PASS_ssa_build] = true;
    pipeline.steps = step_named("ssa_build") + 1;
    pipeline.begin = begin;
    pipeline.observe = observe;
    pipeline.context = &warner;
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func)
            pipeline_run(&pipeline, as_written(arena, program->symbols.at[i].func));
    pipeline_free(&pipeline);
    diag->errors += rejected.errors;
    diag_free(&rejected);
    arena_free(warner.arena);
    arena_free(arena);
}
