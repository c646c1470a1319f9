// Programs on their way to the form that was asked for.
#include "gate/gate_session.h"

#include "gate/load.h"
#include "gate/table/typing_print.h"
#include "pipeline/side_forms.h"
#include "pipeline/transforms.h"
#include "solve/cadical.h"
#include "watch/watch.h"

#include "watch/watch.h"

#include <errno.h>

void session_init(GateSession *session, const char *command) {
    *session = (GateSession){
        .arena = arena_new("session"),
        .options = {.command = command, .after = step_count, .after_too = step_count, .level = 1}};
    session->options.arena = session->arena;
    memcpy(session->options.transforms, transform_table, sizeof session->options.transforms);
    gatecc_defaults(&session->options.front);
    asm_defaults(&session->options.state_machine);
    diag_init(&session->diag, session->arena, stderr);
    diag_init(&session->forms, session->arena, stderr);
    diag_init(&session->unheard, session->arena, NULL);
}

void session_free(GateSession *session) {
    diag_free(&session->diag);
    diag_free(&session->forms);
    diag_free(&session->unheard);
    arena_free(session->arena);
}

static void observe_typing(void *context, uint32_t step, const Func *before, const Func *after,
                           const void *hint) {
    GateSession *session = context;
    if (step_at(step).pass == PASS_ssa_build && functions_have(&session->options.functions, after))
        typing_print(&session->aside, before, after, hint);
}

static void observe_obligations(void *context, uint32_t step, const Func *before, const Func *after,
                                const void *hint) {
    (void)before;
    GateSession *session = context;
    if (step_at(step).pass != PASS_gsa_build) return;
    if (!functions_have(&session->options.functions, after)) return;
    if (!session->aside.length) smt_print_start(&session->aside);
    smt_print_matrix(&session->aside, after, &((const GsaBuildHint *)hint)->paths,
                     session->options.obligations);
}

// What happens to functions that nobody has asked about is not told: they go along, as their bodies
// may be copied.
static void begin_function(void *context, const Func *func) {
    GateSession *session = context;
    bool heard = functions_have(&session->options.functions, func);
    session->pipeline->diag = heard ? &session->diag : &session->unheard;
    session->pipeline->form_diag = heard ? &session->forms : &session->unheard;
}

void session_start_pipeline(GateSession *session, Pipeline *pipeline, uint32_t steps) {
    const GateOptions *options = &session->options;
    session->diag.warnings_are_errors = options->werror;
    session->forms.warnings_are_errors = options->werror || session->strict;
    pipeline_init(pipeline, session->arena, options->transforms, &session->diag);
    pipeline->form_diag = &session->forms;
    pipeline->check = options->check;
    if (pipeline->check == CHECK_FAST && steps < step_count) // it may end inside of an excursion
        pipeline->check = CHECK_STEPS;
    pipeline->verify_inside = true;
    pipeline->refuter = &cadical;
    pipeline->level = options->level;
    pipeline->plan = plan_inlining;
    pipeline->plain = plain_transform_table;
    pipeline->steps = steps;
    pipeline->dump_directory = options->dump_directory;
    pipeline->timed = options->stats;
    memcpy(pipeline->off, options->off, sizeof options->off);
    memcpy(pipeline->on, options->on, sizeof options->on);
    pipeline->context = session;
    session->pipeline = pipeline;
    if (options->functions.names.count) pipeline->begin = begin_function;
    if (options->typing) pipeline->observe = observe_typing;
    if (options->obligations) pipeline->observe = observe_obligations;
}

void session_request(GateOptions *options, uint32_t step) {
    PassId pass = step_at(step).pass;
    if (step_at(step).level == LEVEL_REQUEST) options->on[pass] |= !options->off[pass];
}

// The steps that take a program to the form that was asked for: those up to the one that --after
// names, or none, if it was read in that form, or else up to the first that leads to the form on
// the way from the one in which it was read; if nothing leads back from the form, to where one
// leaves for it. False, after a message, if there is no such step. If that is a step of an
// excursion that is checked as one, these are switched on; so is a pass that runs only on request
// and is named by --after.
static bool steps_to_form(GateOptions *options, const Program *program, uint32_t *steps) {
    Form wanted = options->form_id, form = form_of_program(program, wanted);
    const AsideInfo *aside = aside_to(wanted);
    *steps = 0;
    if (aside && form == wanted && asm_seed_given(&options->state_machine))
        return gate_usage("--seed chooses the order of code that is made, and %s has its own",
                          options->file);
    if (aside && form != wanted) wanted = aside->from;
    if (options->after < step_count) {
        *steps = options->after + 1;
        session_request(options, options->after);
        excursion_switch_on(options->after, options->on, options->off);
        return pass_table[step_at(options->after).pass].to == wanted ||
               gate_usage("after that step the form is not %s", options->form);
    }
    while (form != wanted) {
        if (*steps == step_count)
            return gate_usage("no pass takes the program to the form %s", options->form);
        const PassInfo *info = &pass_table[step_at((*steps)++).pass];
        if (info->from == form) form = info->to;
    }
    if (*steps && form_is_inner(wanted)) excursion_switch_on(*steps - 1, options->on, options->off);
    return true;
}

uint32_t session_all_steps(const GateSession *session, const Program *program) {
    Form form = form_of_program(program, FORM_FIRST);
    uint32_t step = 0;
    if (!form_is_inner(form) || session->options.check == CHECK_OFF) return step_count;
    while (pass_is_inner(step_at(step).pass) || pass_table[step_at(step).pass].from != form) step++;
    fprintf(
        stderr,
        "gate: %s: no further than to the form %s: there is nothing to compare what follows with\n",
        session->options.file, form_name(form));
    return step;
}

// A forged pass that was never rejected has had nothing to do.
static void tell_not_forged(const GateSession *session, const Pipeline *pipeline) {
    for (PassId pass = 0; pass < PASS_COUNT; pass++) {
        uint64_t rejected = 0;
        for (uint32_t i = 0; i < step_count; i++)
            if (step_at(i).pass == pass) rejected += pipeline->stats[i].rejected;
        if (session->options.forged[pass] && !rejected)
            fprintf(stderr, "gate: --forge: pass %s changes nothing here that could be damaged\n",
                    pass_table[pass].name);
    }
}

void session_show_stats(GateSession *session, const Pipeline *pipeline) {
    tell_not_forged(session, pipeline);
    if (!session->options.stats) return;
    Out out = {0};
    pipeline_print_stats(&out, pipeline);
    out_flush(&out, stderr);
    out_free(&out);
}

Program *session_load(GateSession *session, int *status) {
    bool unreadable;
    Program *program = load_program(session->arena, &session->diag, session->options.file,
                                    &session->options.front.compile, &unreadable);
    *status = program ? EXIT_GOOD : unreadable ? EXIT_USAGE : EXIT_BAD;
    if (!program || functions_exist(&session->options.functions, program, &session->diag))
        return program;
    *status = EXIT_USAGE;
    return NULL;
}

bool session_is_good(const GateSession *session) {
    return !session->diag.errors && !session->forms.errors;
}

// Whether every function has the form that was asked for: passes may have been undone or left out.
static bool reached_form(GateSession *session, const Program *program, int *status) {
    const GateOptions *options = &session->options;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func || func->form == options->form_id) continue;
        if (!session->forms.warnings) { // it was not even tried
            *status = EXIT_USAGE;
            return gate_usage("the passes that run do not make the form %s", options->form);
        }
        diag_error(&session->forms, SPAN_NONE, "function '%s' does not reach the form %s",
                   func_name(func), options->form);
    }
    return session_is_good(session);
}

Program *session_load_after(GateSession *session, int *status) {
    uint32_t steps;
    Program *program = session_load(session, status);
    if (!program) return NULL;
    if (session->wants_words) session->words = watch_source(session->arena, program);
    *status = EXIT_USAGE;
    if (!steps_to_form(&session->options, program, &steps)) return NULL;
    Pipeline pipeline;
    session_start_pipeline(session, &pipeline, steps);
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    session_show_stats(session, &pipeline);
    if (!session->wants_words) functions_narrow(&session->options.functions, program);
    const AsideInfo *aside = aside_to(session->options.form_id);
    AsideOptions asked = {.seed = asm_seed(&session->options.state_machine)};
    if (aside) aside_run(aside, program, &asked, &session->diag);
    *status = EXIT_BAD;
    return session_is_good(session) && reached_form(session, program, status) ? program : NULL;
}

int session_write_output(GateSession *session, Out *out) {
    const char *path = session->options.output;
    int status = EXIT_GOOD;
    if (!path) {
        out_flush(out, stdout);
    } else if (!out_commit(out, path)) {
        diag_error(&session->diag, SPAN_NONE, "cannot write %s: %s", path, strerror(errno));
        status = EXIT_USAGE;
    }
    out_free(out);
    return status;
}
