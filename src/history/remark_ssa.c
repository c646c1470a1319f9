// What rewrite and widen have done, which have hints of their own.
#include "history/history_private.h"

void history_rewrite(StepNotes *notes, const RewriteHint *hint) {
    (void)hint;
    history_same_names(notes);
}

void history_widen(StepNotes *notes, const WidenHint *hint) {
    (void)hint;
    history_same_names(notes);
}
