// The writer of hints, driven by the shapes of hints.c. Not trusted: gatecheck believes nothing
// that is written.
#include "cert/hints.h"

#include "base/bits.h"
#include "form/program.h"

#include <string.h>

static void write_value(Out *out, uint64_t value) {
    if (value == NO_ID)
        out_char(out, '-');
    else
        out_u64(out, value);
}

// How many values after the one at `from` go on by the same step.
static uint32_t run_length(const HintValues *values, uint32_t from, uint64_t step) {
    uint32_t at = from;
    while (at + 1 < values->count && values->at[at + 1] == values->at[at] + step) at++;
    return at - from;
}

static void write_values(Out *out, const char *name, const HintValues *values) {
    if (!values->count) return;
    out_text(out, "  ");
    out_text(out, name);
    out_char(out, ':');
    for (uint32_t i = 0; i < values->count; i++) {
        uint64_t value = values->at[i];
        uint32_t rising = value >= NO_ID ? 0 : run_length(values, i, 1);
        uint32_t same = run_length(values, i, 0), run = rising > same ? rising : same;
        out_char(out, ' ');
        write_value(out, value);
        if (run < 2) continue;
        out_char(out, rising > same ? '+' : '*');
        out_u64(out, run);
        i += run;
    }
    out_char(out, '\n');
}

void hint_write(Out *out, const HintShape *shape, const void *hint) {
    Arena *arena = arena_new("hint");
    HintValues values = {0};
    for (uint32_t i = 0; i < shape->count; i++) {
        vec_clear(&values);
        hint_collect(arena, &shape->fields[i], hint, &values);
        write_values(out, shape->fields[i].name, &values);
    }
    arena_free(arena);
}
