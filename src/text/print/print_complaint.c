// Complaints of the verifier for people. The verifier itself links no printer.
#include "text/print/print_forms.h"
#include "verify/verify_rules.h"

static const char *name_of_func(const Program *program, const Func *func) {
    if (func->symbol.i >= program->symbols.count) return "?";
    Str name = program_at(program, func->symbol)->name;
    return verify_str_in_range(program, name) ? program_text(program, name) : "?";
}

void complaint_print(Out *out, const Program *program, const Complaint *complaint) {
    const Func *func = complaint->func;
    if (!func) {
        out_printf(out, "program: %s: %s", complaint->rule, complaint->message);
        return;
    }
    out_printf(out, "function %s", name_of_func(program, func));
    if (complaint->site.i != NO_ID) out_text(out, ", ");
    func_print_site(out, func, complaint->site);
    out_printf(out, ": %s: %s", complaint->rule, complaint->message);
    if (!complaint->quotes || !*complaint->message) return;
    out_text(out, "; found ");
    func_quote(out, func, complaint->site);
}
