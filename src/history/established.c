// The property that the checker of each pass establishes, in a line, for steps without a more exact
// reason.
#include "history/history_private.h"

static const char *const by_kernel[] = {
    [KERNEL_COPIES] = "both run in lock step",
    [KERNEL_VALUES] = "each value refines one of before; effects are the same, in the same order",
    [KERNEL_TYPING] = NULL,
    [KERNEL_MACHINE] = NULL,
    [KERNEL_OWN] = NULL,
    [KERNEL_GATES] = NULL,
    [KERNEL_NONE] = NULL,
};

static const char *const by_pass[PASS_COUNT] = {
    [PASS_split_slots] = "nothing but loads and stores of fields uses the slots that are gone",
    [PASS_ssa_build] = "each operand is the version that holds its register's value on every way",
    [PASS_widen] = "counters in 64 bits are the extensions of those in 32",
    [PASS_close_loops] = "what was added are copies of values where they leave loops",
    [PASS_gsa_build] = "each gate is true exactly if control comes by the edges of its argument",
    [PASS_gated_gvn] = "registers that took the place of others have the same value",
    [PASS_gate_simplify] = "each gate differs from what it was only by what is decided before it",
    [PASS_if_convert] = "each select takes what the gates of its gamma choose, and what "
                        "is done earlier cannot go wrong",
    [PASS_gsa_destruct] = "each phi takes from each edge what the gate that is true there chooses",
    [PASS_ssa_destruct] = "at every join registers hold the values that phis would have set",
    [PASS_select_code] =
        "each block of machine code does what the nodes do that it was selected for",
    [PASS_schedule] = "no instruction has passed another that it depends on",
    [PASS_allocate] = "every place holds the value that is read from it, on every way",
};

const char *history_established(PassId pass) {
    const char *line = by_kernel[pass_table[pass].kernel];
    if (!line) line = by_pass[pass];
    return line ? line : "it does the same as before";
}
