// Conversion: the library's way through the pipeline.
#include "form/forms.h"
#include "lib/libgate.h"
#include "pipeline/side_forms.h"
#include "pipeline/transforms.h"

#include <string.h>

// Whether a pass is the first that gives some of the properties.
static bool establishes(PassId pass, uint32_t properties) {
    uint32_t given = PROPERTY_NOTHING;
    for (PassId earlier = 0; earlier < pass; earlier++) given |= pass_table[earlier].gives;
    return pass_table[pass].gives & properties & ~given;
}

// Whether a step is part of an excursion, checked as one, to a form that is neither of two others.
static bool is_aside(const PassInfo *info, Form from, Form to) {
    Form inner = form_is_inner(info->from) ? info->from : info->to;
    return form_is_inner(inner) && inner != from && inner != to;
}

// How many steps lead from a form to another, in the order of forms: forwards, up to the first that
// makes the form, or, with optimization, up to the first that leaves it again; or back, up to the
// first that leads back to it.
static uint32_t steps_between(Form from, Form to, bool optimize) {
    bool back = to < from || to == FORM_FIRST;
    if (from == to && !optimize) return 0;
    for (uint32_t i = 0; i < step_count; i++) {
        const PassInfo *info = &pass_table[step_at(i).pass];
        if (is_aside(info, from, to)) continue;
        bool makes = info->to == to && (back ? info->from > to : info->from < to);
        if (back || !optimize ? makes : info->from == to && info->to != to)
            return makes ? i + 1 : i;
    }
    return step_count;
}

// Without optimization only the passes that change the form run, no further than to the form that
// is wanted, and those that establish what they need.
static void leave_out_optimizations(Pipeline *pipeline, Form to) {
    uint32_t needed = PROPERTY_NOTHING;
    for (PassId pass = PASS_COUNT; pass-- > 0;) {
        const PassInfo *info = &pass_table[pass];
        bool changes = info->from != info->to, further = info->to > info->from && info->to > to;
        if (changes && !further) needed |= info->needs;
        bool aside = pass_is_inner(pass) && is_aside(info, to, to);
        pipeline->off[pass] = further || aside || (!changes && !establishes(pass, needed));
        if (!pipeline->off[pass]) needed |= info->needs;
    }
}

// The pipeline of this library: a pass that is rejected, or a form that is not reached, is an
// error.
static void start(GateProgram *program, Pipeline *pipeline) {
    pipeline_init(pipeline, program->arena, transform_table, &program->diag);
    pipeline->plain = plain_transform_table;
    program->diag.warnings_are_errors = true;
}

static void end(GateProgram *program, Pipeline *pipeline) {
    program->diag.warnings_are_errors = false;
    pipeline_free(pipeline);
    libgate_list_functions(program);
}

static void run_each(GateProgram *program, Pipeline *pipeline, Form to, bool optimize) {
    for (uint32_t i = 0; i < program->functions.count; i++) {
        Symbol *symbol = program_at(program->inner, program->functions.at[i]);
        const Func *before = symbol->func;
        if (before->form == to && func_is_final(before)) continue;
        pipeline->steps = steps_between(before->form, to, optimize);
        if (form_is_inner(to) && pipeline->steps)
            excursion_switch_on(pipeline->steps - 1, pipeline->on, pipeline->off);
        const Func *after = pipeline_run(pipeline, before);
        if (after != before) symbol->func = func_clone(after, program->arena);
    }
}

static bool nothing_leads_back(Form form) {
    return form == finish_info.from || aside_to(form);
}

// Whether every function is in a form, or, if it is not to be checked, can be brought there.
static bool all_reach(GateProgram *program, Form form, bool are_there) {
    for (uint32_t i = 0; i < program->functions.count; i++) {
        const Func *func = libgate_function(program, i);
        if (func->form == form || (!are_there && !nothing_leads_back(func->form))) continue;
        diag_error(&program->diag, SPAN_NONE, "function '%s' cannot be brought into form %s",
                   func_name(func), form_name(form));
    }
    return program->diag.errors == 0;
}

// To a form on the way of the pipeline. Machine code without optimizations is what -O0 makes of
// RTL.
static bool convert_to(GateProgram *program, Form form, bool optimize) {
    Pipeline pipeline;
    bool plain_code = form == finish_info.from && !optimize;
    start(program, &pipeline);
    if (plain_code)
        pipeline.level = 0;
    else if (!optimize)
        leave_out_optimizations(&pipeline, form);
    run_each(program, &pipeline, form, optimize || plain_code);
    end(program, &pipeline);
    return all_reach(program, form, true);
}

typedef struct {
    GateProgram *program;
    Form form;
    bool optimize;
} Convert;

static bool any_outside_rtl(const GateProgram *program) {
    for (uint32_t i = 0; i < program->functions.count; i++) {
        Form form = libgate_function(program, i)->form;
        if (form != FORM_FIRST && form != finish_info.from) return true;
    }
    return false;
}

static void convert(void *context) {
    const Convert *call = context;
    GateProgram *program = call->program;
    const AsideInfo *aside = aside_to(call->form);
    if (program->diag.errors || !all_reach(program, call->form, false)) return;
    bool first_to_rtl =
        call->form == finish_info.from && !call->optimize && any_outside_rtl(program);
    if (first_to_rtl && !convert_to(program, FORM_FIRST, false)) return;
    bool there =
        aside && program->functions.count && libgate_function(program, 0)->form == call->form;
    if (there || !convert_to(program, aside ? aside->from : call->form, call->optimize) || !aside)
        return;
    aside_run(aside, program->inner, &(AsideOptions){0}, &program->diag);
    libgate_list_functions(program);
    all_reach(program, call->form, true);
}

bool gate_convert(GateProgram *program, GateForm form, bool optimize) {
    Convert call = {program, libgate_form(form), optimize};
    if (call.form == FORM_COUNT) return false;
    return holdings_run(&program->holdings, convert, &call) && gate_good(program);
}

// ---- By names of steps and passes

uint32_t gate_step_count(void) {
    return step_count;
}

bool gate_step(uint32_t index, GateStep *step) {
    if (index >= step_count) return false;
    Step inner = step_at(index);
    const PassInfo *info = &pass_table[inner.pass];
    *step = (GateStep){.pass = info->name,
                       .meaning = info->meaning,
                       .run = inner.run,
                       .from = libgate_known_form(info->from),
                       .to = libgate_known_form(info->to),
                       .level = inner.level,
                       .reason = inner.reason};
    return true;
}

typedef struct {
    GateProgram *program;
    const char *name;
    uint32_t level;
    uint32_t changed;
} RunSteps;

static void convert_until(void *context) {
    const RunSteps *call = context;
    GateProgram *program = call->program;
    uint32_t step = step_named(call->name);
    if (program->diag.errors) return;
    if (step == step_count) {
        diag_error(&program->diag, SPAN_NONE, "there is no step '%s'", call->name);
        return;
    }
    Pipeline pipeline;
    start(program, &pipeline);
    pipeline.level = call->level;
    pipeline.plan = plan_inlining;
    pipeline.steps = step + 1;
    if (step_at(step).level == LEVEL_REQUEST) pipeline.on[step_at(step).pass] = true;
    excursion_switch_on(step, pipeline.on, pipeline.off);
    pipeline_run_program(&pipeline, program->inner);
    end(program, &pipeline);
}

bool gate_convert_until(GateProgram *program, const char *step, uint32_t level) {
    RunSteps call = {.program = program, .name = step, .level = level};
    return holdings_run(&program->holdings, convert_until, &call) && gate_good(program);
}

static void run_pass(void *context) {
    RunSteps *call = context;
    GateProgram *program = call->program;
    PassId pass = pass_named(call->name);
    if (program->diag.errors) return;
    if (pass == PASS_COUNT) {
        diag_error(&program->diag, SPAN_NONE, "there is no pass '%s'", call->name);
        return;
    }
    if (pass_is_inner(pass)) {
        diag_error(&program->diag, SPAN_NONE, "pass '%s' is checked only together with others",
                   call->name);
        return;
    }
    Pipeline pipeline;
    uint32_t step = step_named(call->name);
    start(program, &pipeline);
    for (uint32_t i = 0; i < PASS_COUNT; i++) pipeline.off[i] = !(pass_table[i].gives);
    pipeline.on[pass] = true;
    pipeline.steps = step + 1;
    pipeline.level = 0; // others only if this one needs them
    for (uint32_t i = 0; i < program->functions.count; i++) {
        Symbol *symbol = program_at(program->inner, program->functions.at[i]);
        const Func *before = symbol->func, *after = pipeline_run(&pipeline, before);
        if (after != before) symbol->func = func_clone(after, program->arena);
    }
    call->changed = (uint32_t)pipeline.stats[step].changed;
    end(program, &pipeline);
}

bool gate_run_pass(GateProgram *program, const char *pass, uint32_t *changed) {
    RunSteps call = {.program = program, .name = pass};
    bool good = holdings_run(&program->holdings, run_pass, &call) && gate_good(program);
    if (changed) *changed = call.changed;
    return good;
}
