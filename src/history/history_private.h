// Functions that the files of the history share to take notes on one step; each pass has a function
// that takes the notes.
//
// A function history_NAME reads the hint of a step of the pass NAME. It links items of the new
// function to items of the old function (history_same), and remarks on changes (history_remark). An
// item of the new function without a link gets a new identity; an old item without a link counts as
// removed. history.c assigns the identities.
#pragma once

#include "hint/hints_gsa.h"
#include "hint/hints_mach.h"
#include "hint/hints_values.h"
#include "history/history.h"
#include "text/text.h"

typedef struct {
    Arena *arena;   // of the history: texts
    Arena *scratch; // for as long as the step is looked at
    PassId pass;
    const StepReport *report; // with the functions as the pipeline has them
    HistoryState
        given; // to the transform; the same as `before` unless the step leads out of an excursion
    const Func *before, *after;  // the compared functions
    const FuncItems *then_items; // of `before`
    const FuncItems *items;      // of `after`
    uint32_t *then;              // HistoryStep.then, at first NO_ID for all
    HistoryStep *step;
    Bits remarked_before, remarked_after; // items that a remark is about
    Bits parts;                           // items after it that history_part was said of
} StepNotes;

// An item is an item of the old function, or a copy of it. Of several that are the same one the
// first in the text keeps its identity.
void history_same(StepNotes *notes, uint32_t after, uint32_t before);
// The same for an item that is only a part or a copy: it has an identity of its own, even if no
// other item has the old one.
void history_part(StepNotes *notes, uint32_t after, uint32_t before);
// Items, or NO_ID. The location is the first known location of the old item, of the new item, and
// of the other.
void history_remark(StepNotes *notes, RemarkKind kind, uint32_t before, uint32_t after,
                    uint32_t other, const char *format, ...) __attribute__((format(printf, 6, 7)));
// The property that the checker has established, in a line; the default is the line for all steps
// of the pass.
void history_establish(StepNotes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Items of one function that set the same registers, or else have the same nodes, of registers and
// nodes of the same numbers. A node is the same only if its instruction is of the same kind. Items
// that are linked already stay so.
void history_same_names(StepNotes *notes);
// Whether an item is an instruction that only goes on, which no remark is needed for.
bool history_is_idle(const Func *func, const Item *item);

// Texts for remarks, until the next step: "%x.1"; "node 5", by the label that the text of the
// function has.
const char *history_reg(const StepNotes *notes, const Func *func, Reg reg);
const char *history_node(const StepNotes *notes, const Func *func, Node node);
// Where an item is: "node 5", "a floating operator", "instruction 7".
const char *history_place(const StepNotes *notes, const Func *func, const Item *item);

// All entries are NO_ID.
uint32_t *history_table(Arena *arena, uint32_t count);

// One function for each pass that has a checker of its own, and one for each other kernel.
#define PASS(name, from, to, kernel, Hint, ...) BY_##kernel(name, Hint)
#define BY_OWN(name, Hint)                      void history_##name(StepNotes *notes, const Hint *hint);
#define BY_GATES(name, Hint)                    BY_OWN(name, Hint)
#define BY_COPIES(...)
#define BY_VALUES(...)
#define BY_NONE(...)
#include "check/passes.def"
void history_copies(StepNotes *notes, const CopiesHint *hint);
void history_values(StepNotes *notes, const ValuesHint *hint);
void history_inner(StepNotes *notes);

// Gives the steps inside of an excursion the reasons of the step that leads out of it (inside.c).
void history_fill_inside(Arena *arena, Arena *scratch, FunctionHistory *told, uint32_t way_out);
// The property that the checker of a pass establishes for every accepted step (established.c).
const char *history_established(PassId pass);
// A hint in words, a few lines without the end of the last one (hint_words.c).
void history_hint_print(Out *out, PassId pass, const Func *before, const Func *after,
                        const void *hint);

// Changes that were considered and rejected (refusals.c). How the program is inlined is asked
// before its first step; NULL: it is not.
typedef struct Inlining Inlining;
Inlining *inlining_of(Arena *arena, const Program *program, const PlanOptions *options);
void history_refusals(StepNotes *notes, const Inlining *inlining);

// The name of a row of rules.def, or of another reason of a step between values.
const char *history_step_name(uint32_t rule);
