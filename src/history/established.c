// What checkers establish, in a line for each pass: for steps of which nothing more exact was said. A pass with a checker of its own
// has a line here: the compiler names the one that has none.
#include "history/history_private.h"

static const char split_slots[] =
    "nothing but loads and stores of fields uses the slots that are gone";
static const char ssa_build[] =
    "each operand is the version that holds its register's value on every way";
static const char rewrite[] = "each change is a row of rules.def, which is proved";
static const char widen[] = "counters in 64 bits are the extensions of those in 32";
static const char close_loops[] = "what was added are copies of values where they leave loops";
static const char gsa_build[] =
    "each gate is true exactly if control comes by the edges of its argument";
static const char gated_gvn[] = "registers that took the place of others have the same value";
static const char gate_simplify[] =
    "each gate differs from what it was only by what is decided before it";
static const char if_convert[] = "each select takes what the gates of its gamma choose, and what "
                                 "is done earlier cannot go wrong";
static const char gsa_destruct[] =
    "each phi takes from each edge what the gate that is true there chooses";
static const char ssa_destruct[] =
    "at every join registers hold the values that phis would have set";
static const char select_code[] =
    "each block of machine code does what the nodes do that it was selected for";
static const char schedule[] = "no instruction has passed another that it depends on";
static const char allocate[] = "every place holds the value that is read from it, on every way";

static const char values[] =
    "each value refines one of before; effects are the same, in the same order";
static const char copies[] = "both run in lock step";

static const char *const established[PASS_COUNT] = {
#define VALUES(name, ...) [PASS_##name] = values,
#define COPIES(name, ...) [PASS_##name] = copies,
#define PASS(name, ...)   [PASS_##name] = name,
#include "pipeline/passes.def"
};

const char *history_established(PassId pass) {
    return established[pass];
}
