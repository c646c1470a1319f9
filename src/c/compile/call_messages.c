#include "c/compile/call_messages.h"

#include "form/mach.h"

#include <string.h>

Span span_of_location(Diag *diag, const Program *program, uint32_t loc) {
    const Loc *place = &program->locs.at[loc];
    const char *file = program_text(program, program->files.at[place->file]);
    for (uint32_t i = 0; loc && i < diag->sources.count; i++) {
        Source *source = &diag->sources.at[i];
        if (strcmp(source->name, file) != 0) continue;
        diag_place(diag, i, 0); // has the lines listed
        if (place->line == 0 || place->line > source->lines.count) continue;
        uint32_t start = source->lines.at[place->line - 1] + place->column - 1;
        if (place->column == 0 || start >= source->length) continue;
        return (Span){.source = i, .start = start, .end = start + 1};
    }
    return SPAN_NONE;
}

static void report_call(Diag *diag, const WarningSet *warnings, const CallNotes *notes,
                        const CallNote *note, const Func *func) {
    bool strict = warnings->error[WARN_ATTRIBUTE_WARNING] || warnings->all_errors;
    Span span = span_of_location(diag, func->program, note->loc);
    if (note->fatal)
        diag_report(diag, DIAG_ERROR, span, "call to '%s' declared with attribute error: %s",
                    note->callee, note->message);
    else if (warnings->on[WARN_ATTRIBUTE_WARNING])
        diag_report(diag, strict ? DIAG_ERROR : DIAG_WARNING, span,
                    "call to '%s' declared with attribute warning: %s [-W%s%s]", note->callee,
                    note->message, strict ? "error=" : "", warning_name(WARN_ATTRIBUTE_WARNING));
    else
        return;
    const char *inner = note->function;
    for (uint32_t i = note->outer; i != NO_ID; i = notes->copies.at[i].outer) {
        const CopyNote *copy = &notes->copies.at[i];
        diag_report(diag, DIAG_NOTE, span_of_location(diag, func->program, copy->loc),
                    "'%s' is inlined into '%s' here", inner, copy->into);
        inner = copy->into;
    }
}

// Several instructions may belong to one call.
void report_calls(Diag *diag, const WarningSet *warnings, const CallNotes *notes,
                  const Func *func) {
    uint32_t last = HASH_NONE;
    for (uint32_t i = 0; notes->calls.count && i < func->mach->code.count; i++) {
        const MachInstr *instr = &func->mach->code.at[i];
        if (instr->kind != MK_CALL && instr->kind != MK_TAIL_CALL) continue;
        uint32_t note = map_get(&notes->of_loc, instr->loc);
        if (note != HASH_NONE && note != last)
            report_call(diag, warnings, notes, &notes->calls.at[note], func);
        if (note != HASH_NONE) last = note;
    }
}
