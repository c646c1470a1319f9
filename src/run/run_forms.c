// Which functions prepare each form for being run, and which run it: forms.def as tables.
#include "run/rtl_interpreter.h"

const RunWayInfo run_way_table[RUN_WAY_COUNT] = {
#define WAY(id, text, m) [RUN_##text] = {.name = #text, .meaning = m, .form = FORM_##id},
#include "form/forms.def"
};

RunWay run_way_of_option(const char *option) {
    for (RunWay way = RUN_PLAIN + 1; way < RUN_WAY_COUNT; way++)
        if (strncmp(option, "--", 2) == 0 && strcmp(option + 2, run_way_table[way].name) == 0)
            return way;
    return RUN_PLAIN;
}

const Code *run_prepare_plain(Interpreter *in, const Func *func) {
    static const Code *(*const prepare[FORM_COUNT])(Interpreter *, const Func *) = {
#define FORM(id, name, body, meaning) [FORM_##id] = name##_prepare,
#include "form/forms.def"
    };
    return prepare[func->form](in, func);
}

const Code *run_prepare(Interpreter *in, const Func *func) {
    static const Code *(*const prepare[RUN_WAY_COUNT])(Interpreter *, const Func *) = {
        [RUN_PLAIN] = run_prepare_plain,
#define WAY(form, name, meaning) [RUN_##name] = name##_prepare,
#include "form/forms.def"
    };
    const Code *code = prepare[in->way](in, func);
    if (!in->prepared) in->on_demand = code->flow;
    in->prepared = true;
    if (in->on_demand != (code->flow != NULL) && !in->world.stopped) {
        world_wrong(&in->world, "function '%s' has a form that does not run together with others",
                    func_name(func));
        in->world.result->refused = true;
    }
    return code;
}

void run_interpret(Interpreter *in, uint32_t depth) {
    if (in->way == RUN_asm)
        asm_interpret(in, depth);
    else if (in->on_demand)
        flow_interpret(in, depth);
    else
        rtl_interpret(in, depth);
}

static bool goes_on(Interpreter *in, bool wanted) {
    if (wanted) return true;
    world_exit(&in->world, END_FUEL, 0);
    in->world.result->behaviour.reason = "stopped as asked";
    return false;
}

bool run_tell_step(Interpreter *in) {
    const RunObserver *observer = in->world.options->observer;
    return !in->world.stopped && goes_on(in, observer->step(observer->context, in));
}

bool run_tell_value(Interpreter *in, uint32_t which) {
    const RunObserver *observer = in->world.options->observer;
    return !in->world.stopped && goes_on(in, observer->value(observer->context, in, which));
}

bool run_save(Interpreter *in, struct SavedFlow **saved, uint64_t *size) {
    if (!in->on_demand) return true;
    *saved = flow_save(in, *saved, size);
    return *saved;
}
