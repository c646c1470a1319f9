#include "form/forms.h"

#include <string.h>

const char *form_name(Form form) {
    return form_table[form].name;
}

Form form_named(const char *name) {
    Form form = 0;
    while (form < FORM_COUNT && strcmp(form_table[form].name, name) != 0) form++;
    return form;
}

void func_print_site(Out *out, const Func *func, Site site) {
    if (site.i != NO_ID) func_body(func)->site_print(out, func, site);
}
