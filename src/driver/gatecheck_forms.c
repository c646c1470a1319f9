// The same tables for gatecheck, without the text and the rules of forms from which nothing leads back. Which form a function of a
// certificate has follows from the pass that made it, and no pass of a certificate leads to one of these.
#include "form/form_rows.h"

const BodyInfo body_table[BODY_COUNT] = {
#define BODY BODY_ROW
#define SIDE_BODY(name, unit, meaning)
#include "form/forms.def"
};

const FormInfo form_table[FORM_COUNT] = {
#define FORM FORM_ROW
#define SIDE(id, text, made_of, m)                                                                 \
    [FORM_##id] = {.name = #text, .meaning = m, .body = BODY_##made_of},
#include "form/forms.def"
};
