// Prints phis, the one part that the text of SSA has beside the text of RTL.
#include "text/print/print_forms.h"
#include "text/print/print_parts.h"

void phi_print(Out *out, const Func *func, const Preds *preds, Node join, const Phi *phi) {
    reg_print(out, func, phi->dest);
    out_text(out, " = phi(");
    for (uint32_t k = 0; k < preds_count(preds, join); k++) {
        if (k) out_text(out, ", ");
        print_label(out, func, preds_at(preds, join)[k]);
        out_text(out, ": ");
        reg_print(out, func, phi_args(func, phi)[k]);
    }
    out_char(out, ')');
}

void ssa_print(Out *out, const Func *func, const PrintOptions *options) {
    print_graph(out, func, options, false);
}
