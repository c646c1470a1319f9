// Random damage to the outputs of passes from SSA to SSA and to the machine form, and to their
// hints. A mutant that is well-formed and that the checker accepts must behave as the original; how
// many were rejected is printed.
#pragma once

#include "check/check.h"
#include "test/gen/random.h"

typedef struct {
    Arena *arena;
    Random random;
    const Func *before;
    Func *after;
    void *hint;   // of the pass's type
    bool origins; // it is an AllocateHint: the instructions of `after` keep their origins
} Mutant;

// Damage: tries once and says whether it changed anything.
typedef struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} MutantKind;

typedef struct {
    // Runs the pass on mutant->before, which is fresh SSA in normal form (RTL as it comes, for the
    // machine form) and may be replaced by what other passes make of it, and sets `after` and
    // `hint`. False if there is nothing to damage.
    bool (*make)(Mutant *mutant);
    Verdict (*check)(Arena *arena, const Func *before, const Func *after, const void *hint);
    // Kinds of damage to the hint, or to both, on top of those to the code that all passes share.
    const MutantKind *kinds;
    uint32_t kind_count;
    bool machine; // the output is of the machine form
} MutantPass;

// That many mutants. Ends the test if one is accepted that behaves differently.
void mutants_try(const MutantPass *pass, uint64_t count);

// ---- For kinds of damage

// Tries a kind of damage until something has changed; false if that does not happen soon.
bool mutant_damage(Mutant *mutant, const MutantKind *kind);
uint32_t mutant_draw(Mutant *mutant, uint32_t limit);
Instr *mutant_draw_instr(Mutant *mutant);
// Puts another register of the same type in the place of one; false if none was found.
bool mutant_change_reg(Mutant *mutant, Reg *reg);

// Kinds of damage to a graph that all passes share.
extern const MutantKind code_mutant_kinds[];
extern const uint32_t code_mutant_kind_count;
// Kinds of damage to the code of the machine form.
extern const MutantKind mach_mutant_kinds[];
extern const uint32_t mach_mutant_kind_count;
