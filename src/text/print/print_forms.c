#include "text/print/print_forms.h"

void func_print(Out *out, const Func *func, const PrintOptions *options) {
    static void (*const print[FORM_COUNT])(Out *, const Func *, const PrintOptions *) = {
#define FORM(id, name, body, meaning) [FORM_##id] = name##_print,
#include "form/forms.def"
    };
    if (func->form < FORM_COUNT)
        print[func->form](out, func, options);
    else
        out_text(out, "?\n");
}

void func_draw(Out *out, const Func *func) {
    static void (*const draw[BODY_COUNT])(Out *, const Func *) = {
#define BODY(name, unit, meaning) [BODY_##name] = name##_draw,
#include "form/forms.def"
    };
    draw[form_table[func->form].body](out, func);
}

void func_quote(Out *out, const Func *func, Site site) {
    static void (*const quote[BODY_COUNT])(Out *, const Func *, Site) = {
#define BODY(name, unit, meaning) [BODY_##name] = name##_quote,
#include "form/forms.def"
    };
    quote[form_table[func->form].body](out, func, site);
}
