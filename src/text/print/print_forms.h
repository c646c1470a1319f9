// How each form is printed, and how each body is drawn and quoted: forms.def as functions, for
// people.
#pragma once

#include "form/forms.h"
#include "text/text.h"

#define FORM(id, name, body, meaning)                                                              \
    void name##_print(Out *out, const Func *func, const PrintOptions *options);
#define BODY(name, unit, meaning)                                                                  \
    void name##_draw(Out *out, const Func *func);                                                  \
    void name##_quote(Out *out, const Func *func, Site site);
#include "form/forms.def"

// The boxes and edges of a picture (draw.h).
void func_draw(Out *out, const Func *func);
// The text at a site, in one line.
void func_quote(Out *out, const Func *func, Site site);
