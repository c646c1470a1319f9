// What the passes from SSA to machine code have done.
#include "history/history_private.h"

void history_ssa_destruct(StepNotes *notes, const DestructHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_select_code(StepNotes *notes, const SelectHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_schedule(StepNotes *notes, const ScheduleHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_allocate(StepNotes *notes, const AllocateHint *hint) {
    (void)hint;
    history_same_names(notes);
}
