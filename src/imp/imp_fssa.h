// Between Imp and functional SSA: the translations C[[ ]] and O[[ ]] of Pop et al.
#pragma once

#include "form/fssa.h"
#include "imp/imp.h"

// Told, while a program is translated, which identifier is visible for each name (NO_REG: none yet)
// in front of a statement (digit -1), in front of a loop's test (1) and behind a loop (2).
typedef void ImpVisible(void *context, uint32_t stmt, int digit, const Reg *visible);

typedef struct {
    ImpVisible *visible; // or NULL
    void *context;
} ImpFssaOptions;

// C[[ ]], section 5.1: a program with one function, `main`, whose result is 0 and whose parameters
// are the inputs. Assigning to I at h defines the identifier I_h. A loop at h defines I_h.0 by
// `loop` and I_h.2 by `close` for each name that is bound before the loop or in it. Ours: a
// conditional at h defines by `gamma` I_h.3 for each name that one of its parts binds; arrays start
// as I_0; output is a state that goes by the name out$. The program is one that imp_verify accepts;
// `last`, if not NULL, gets the identifier of each name at the end.
Program *imp_to_fssa(Arena *arena, const Imp *imp, const ImpFssaOptions *options, Reg **last);

typedef struct {
    Reg result; // the identifier whose value is wanted, stored in RESULT; NO_REG: see fssa_to_imp
    bool exact; // exactly as section 6.1
    const Reg *
        last; // identifiers that have the last values of variables, if they are known; some may be NO_REG
    uint32_t last_count;
} FssaImpOptions;

// O[[ ]], section 6: an Imp program that computes an identifier. If none is chosen, it computes the
// function's state and `last`; if `last` is not known, its state and result; if there is no state
// and the result is none or a constant, every identifier that no equation uses and that changes in
// no loop. A function that Imp cannot express is reported (NULL); parts that Imp can only show are
// in it as text.
Imp *fssa_to_imp(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *options);
