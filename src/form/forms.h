// The forms and the bodies of functions: the rows of forms.def as data, for code that computes with
// forms. text/print/print_forms.h has the printers and drawings, run/run_forms.c the interpreters.
#pragma once

#include "form/program.h"

struct Verifier;
struct TextParser;

typedef void SymbolNote(void *context, Sym symbol);

typedef struct {
    const char *name;
    const char *unit;                         // the unit that sizes and sites count
    uint64_t (*size)(const Func *func);       // so many units
    void (*copy)(Func *to, const Func *from); // to a function that has no body yet
    void (*mentions)(const Func *func, SymbolNote *note,
                     void *context);    // each symbol, perhaps again
    bool (*is_final)(const Func *func); // whether it is ready to be written out
    void (*site_print)(Out *out, const Func *func, Site site); // "node 12"
} BodyInfo;

typedef enum {
#define BODY(name, unit, meaning) BODY_##name,
#include "form/forms.def"
    BODY_COUNT
} BodyKind;

typedef struct {
    const char *name;
    const char *meaning;
    BodyKind body;
    // The rules of the form. The verifier has checked the header before.
    void (*verify)(struct Verifier *verifier);
    // Text. A function is begun, then its lines are read one by one; false after a mistake, which
    // has been reported. At the end what needs the whole body is settled; `place` is where the body
    // ends.
    void (*parse_begin)(struct TextParser *parser);
    bool (*parse_line)(struct TextParser *parser);
    void (*parse_end)(struct TextParser *parser, uint32_t place);
} FormInfo;

// The functions that each row defines.
#define BODY(name, unit, meaning)                                                                  \
    uint64_t name##_size(const Func *func);                                                        \
    void name##_copy(Func *to, const Func *from);                                                  \
    void name##_mentions(const Func *func, SymbolNote *note, void *context);                       \
    bool name##_is_final(const Func *func);                                                        \
    void name##_site_print(Out *out, const Func *func, Site site);
#define FORM(id, name, body, meaning)                                                              \
    void name##_verify(struct Verifier *verifier);                                                 \
    void name##_parse_begin(struct TextParser *parser);                                            \
    bool name##_parse_line(struct TextParser *parser);                                             \
    void name##_parse_end(struct TextParser *parser, uint32_t place);
#include "form/forms.def"

extern const BodyInfo body_table[BODY_COUNT];
extern const FormInfo form_table[FORM_COUNT];

static inline const BodyInfo *func_body(const Func *func) {
    return &body_table[form_table[func->form].body];
}
static inline uint64_t func_size(const Func *func) {
    return func_body(func)->size(func);
}
static inline bool func_is_final(const Func *func) {
    return func_body(func)->is_final(func);
}
static inline void func_mentions(const Func *func, SymbolNote *note, void *context) {
    func_body(func)->mentions(func, note, context);
}
// Nothing if there is no site.
void func_print_site(Out *out, const Func *func, Site site);
