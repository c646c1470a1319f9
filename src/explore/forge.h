// --forge=PASS: transforms with a deliberate mistake, which the user can see rejected.
//
// A forged transform does the same as the true transform and then damages the result so that it
// means something else: another operator, operands exchanged, a constant one more, a store less, a
// branch the wrong way round, a value of another register. It takes the first damage that the
// form's rules allow and the pass's checker rejects, so that the page shows the checker's reason. A
// chosen forgery applies to every function on which the pass does something.
#pragma once

#include "pipeline/pipeline.h"

// One per pass; NULL for passes without a checker, which the pass that leads out of their excursion
// judges.
extern PassTransform *const forge_table[PASS_COUNT];

// Kinds of damage (forge_damage.c). Each tries to damage the item of a number, and says whether it
// did.
typedef struct {
    const char *name; // its name for people: "another operator"
    bool (*damage)(Func *func, uint32_t item);
    bool machine; // items are machine instructions; else nodes
} Damage;

extern const Damage damages[];
extern const uint32_t damage_count;
// The kind of damage that suits a pass best; it is tried first.
uint32_t damage_for(PassId pass, const Func *after);
