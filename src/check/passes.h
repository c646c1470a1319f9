// The passes as a checker sees them: their names, their forms, and the verdict on a step.
//
// The table is made from passes.def, for the pipeline and for gatecheck; so both run the same
// checkers.
#pragma once

#include "check/check.h"
#include "fact/bodies.h"

typedef enum {
#define PASS(name, ...) PASS_##name,
#include "check/passes.def"
    PASS_COUNT
} PassId;

// Bits. A property that goes with another has its bit as well.
enum { PROPERTY_NOTHING = 0, PROPERTY_NORMAL = 1, PROPERTY_CLOSED = 2 | PROPERTY_NORMAL };

typedef enum { PASS_SEES_FUNCTION, PASS_SEES_BODIES } PassSees;

// The column `kernel`.
typedef enum {
    KERNEL_COPIES,
    KERNEL_VALUES,
    KERNEL_TYPING,
    KERNEL_MACHINE,
    KERNEL_OWN,
    KERNEL_GATES,
    KERNEL_NONE
} Kernel;

typedef struct {
    const char *name;
    const char *meaning;
    Form from, to;
    Kernel kernel;
    PassSees sees;
    uint32_t needs, gives, keeps; // PROPERTY_ bits
} PassInfo;

extern const PassInfo pass_table[PASS_COUNT];

// Whether a pass has no checker.
static inline bool pass_is_inner(PassId pass) {
    return pass_table[pass].kernel == KERNEL_NONE;
}

// Whether the checker of a pass is asked only if every step is checked.
static inline bool pass_is_stepped(PassId pass) {
    return pass_table[pass].kernel == KERNEL_GATES;
}

// A row EXCURSION.
typedef struct {
    PassId way_in, way_out;
    bool as_one; // it is checked as a whole
} Excursion;

extern const Excursion excursion_table[];
extern const uint32_t excursion_count;

// The excursion from which a pass leads back; NULL if it leads onwards.
const Excursion *excursion_left_by(PassId way_out);
// The excursion, checked as one, to which a pass leads; NULL if there is none.
const Excursion *excursion_entered_by(PassId way_in);
// Whether a pass leads out of an excursion that is checked as one.
bool pass_leads_out(PassId pass);
// Whether functions have a form only inside of an excursion that is checked as a whole, so that no
// checker has compared them with anything.
bool form_is_inner(Form form);
// Whether functions have a form only between steps that have checkers, but are checked as one
// unless somebody asks.
bool form_is_stepped(Form form);
// The form of the function with which the output of a pass is compared: the form that the pass
// takes or, if the pass leads out of an excursion that is checked as a whole, the form of the
// function at the start.
Form pass_compares(PassId pass);

// Whether two functions have the forms between which a pass leads.
Verdict pass_check_forms(PassId pass, Arena *arena, const Func *before, const Func *after);
// Whether the output of a pass has its form and is well-formed, given a well-formed `before`; if
// not, the first complaint is the reason.
Verdict pass_verify(PassId pass, Arena *arena, const Func *before, const Func *after);
// The verdict of the pass's checker on two well-formed functions; a rejection if the pass has no
// checker, or has one that is asked only if every step is checked. The hint may be anything of its
// type. `bodies` are those that the pass may have copied; NULL if there are none.
Verdict pass_check(PassId pass, Arena *arena, const Bodies *bodies, const Func *before,
                   const Func *after, const void *hint);
