// The tables of forms for gatecheck: without their text, and without the rules of forms that no
// certificate has. Which form a function of a certificate has follows from the pass that made it.
#include "text/form_rows.h"

const BodyInfo body_table[BODY_COUNT] = {
#define BODY BODY_ROW
#define SIDE_BODY(name, unit, meaning)
#include "form/forms.def"
};

const FormInfo form_table[FORM_COUNT] = {
#define FORM   CHECKED_FORM_ROW
#define SIDE   NAMED_FORM_ROW
#define INSIDE NAMED_FORM_ROW
#include "form/forms.def"
};
