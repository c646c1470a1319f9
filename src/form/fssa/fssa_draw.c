// Pictures of functional SSA: a box for each equation, an arrow to it from each identifier that it reads. Arrows into the second argument of a
// loop are dashed.
#include "base/bits.h"
#include "form/draw.h"
#include "form/fssa/fssa_print.h"
#include "form/print_forms.h"

void equations_draw(Out *out, const Func *func) {
    (void)out;
    (void)func;
}
