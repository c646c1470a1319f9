// What the passes into gated SSA, on it, and back have done.
#include "history/history_private.h"

void history_close_loops(StepNotes *notes, const CloseLoopsHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_gsa_build(StepNotes *notes, const GsaBuildHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_gated_gvn(StepNotes *notes, const GatedGvnHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_gate_simplify(StepNotes *notes, const GateSimplifyHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_if_convert(StepNotes *notes, const IfConvertHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_gsa_destruct(StepNotes *notes, const GsaDestructHint *hint) {
    (void)hint;
    history_same_names(notes);
}
