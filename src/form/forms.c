#include "form/forms.h"

#include <string.h>

const BodyInfo body_table[BODY_COUNT] = {
#define BODY(id, counts, m)                                                                        \
    [BODY_##id] = {.name = #id,                                                                    \
                   .unit = counts,                                                                 \
                   .size = id##_size,                                                              \
                   .copy = id##_copy,                                                              \
                   .mentions = id##_mentions,                                                      \
                   .is_final = id##_is_final,                                                      \
                   .site_print = id##_site_print},
#include "form/forms.def"
};

const FormInfo form_table[FORM_COUNT] = {
#define FORM(id, text, made_of, m)                                                                 \
    [FORM_##id] = {.name = #text,                                                                  \
                   .meaning = m,                                                                   \
                   .body = BODY_##made_of,                                                         \
                   .verify = text##_verify,                                                        \
                   .parse_begin = text##_parse_begin,                                              \
                   .parse_line = text##_parse_line,                                                \
                   .parse_end = text##_parse_end},
#include "form/forms.def"
};

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
