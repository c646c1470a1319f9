// The tables of all forms and bodies, for every program but gatecheck.
#include "text/form_rows.h"

const BodyInfo body_table[BODY_COUNT] = {
#define BODY BODY_ROW
#include "form/forms.def"
};

const FormInfo form_table[FORM_COUNT] = {
#define FORM FORM_ROW
#include "form/forms.def"
};
