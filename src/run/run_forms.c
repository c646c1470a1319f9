// Which functions prepare each form for being run, and which run it: forms.def as tables.
#include "run/rtl_interpreter.h"

const RunWayInfo run_way_table[RUN_WAY_COUNT] = {
#define WAY(id, text, m) [RUN_##text] = {.name = #text, .meaning = m, .form = FORM_##id},
#include "form/forms.def"
};

const Code *run_prepare_plain(Interpreter *in, const Func *func) {
    static const Code *(*const prepare[FORM_COUNT])(Interpreter *, const Func *) = {
#define FORM(id, name, body, meaning) [FORM_##id] = name##_prepare,
#include "form/forms.def"
    };
    return prepare[func->form](in, func);
}

static struct SavedFlow *save_nothing(Interpreter *in, struct SavedFlow *old, uint64_t *size) {
    (void)in, (void)size;
    return old;
}

static const struct {
    const Code *(*prepare)(Interpreter *in, const Func *func);
    void (*interpret)(Interpreter *in, uint32_t depth);
    struct SavedFlow *(*save)(Interpreter *in, struct SavedFlow *old, uint64_t *size);
} ways[RUN_WAY_COUNT] = {
    [RUN_PLAIN] = {run_prepare_plain, rtl_interpret, save_nothing},
#define WAY(form, name, meaning) [RUN_##name] = {name##_prepare, name##_interpret, name##_save},
#include "form/forms.def"
};

const Code *run_prepare(Interpreter *in, const Func *func) {
    return ways[in->way].prepare(in, func);
}

void run_interpret(Interpreter *in, uint32_t depth) {
    ways[in->way].interpret(in, depth);
}

bool run_save(Interpreter *in, struct SavedFlow **saved, uint64_t *size) {
    *saved = ways[in->way].save(in, *saved, size);
    return in->way == RUN_PLAIN || *saved;
}
