// gate compare: a program is run after every step, in every form and every way to run it, and as
// the program that gatecc makes of it.
#include "gate/compare/gate_lockstep.h"
#include "gate/compare/native.h"
#include "gate/compare/run_agreement.h"
#include "gate/gate_session.h"
#include "gate/load.h"
#include "pipeline/side_forms.h"

static void print_row(Out *out, const Program *program, const char *form, const RunResult *result,
                      const char *verdict) {
    const Behaviour *behaviour = &result->behaviour;
    out_printf(out, "%-20s %12llu %8u %8zu  %-10s ", form, (unsigned long long)behaviour->steps,
               behaviour->event_hashes.count, result->output.length, verdict);
    behaviour_print(out, program, behaviour);
    out_char(out, '\n');
}

// Runs the program as it is and compares with the reference (none for the first form).
static bool compare_form(GateSession *session, Out *out, const Program *program, const char *form,
                         RunWay way, const RunResult *reference, RunResult *result) {
    RunOptions options = {.fuel = session->options.fuel,
                          .placement = session->options.placement,
                          .capture = true,
                          .errors = true,
                          .way = way,
                          .choice = session->options.state_machine.choice};
    rewind_input();
    rtl_run(session->arena, program, session->options.argc, session->options.argv, &options,
            result);
    if (result->refused) {
        print_row(out, program, form, result, "not run");
        return false;
    }
    const char *difference = NULL;
    bool same = !reference || behaviour_refines(session->arena, &reference->behaviour,
                                                &result->behaviour, &difference);
    if (same && reference && !output_agrees(reference, result)) {
        same = false;
        difference = "the output differs";
    }
    print_row(out, program, form, result, !reference ? "reference" : same ? "same" : "DIFFERENT");
    if (!same) out_printf(out, "  %s\n", difference);
    return same;
}

static bool compare_with(GateSession *session, Out *out, const Program *program, const char *form,
                         RunWay way, const RunResult *reference) {
    RunResult result = {0};
    bool same = compare_form(session, out, program, form, way, reference, &result);
    out_free(&result.output);
    out_free(&result.errors);
    return same;
}

// A row for another way to run the form, or, of the state machine, one for each seed.
static bool compare_way(GateSession *session, Out *out, const Program *program, RunWay way,
                        const RunResult *reference) {
    const RunWayInfo *info = &run_way_table[way];
    AsmOptions *machine = &session->options.state_machine;
    bool same = true;
    for (uint32_t i = 1; i <= (way == RUN_asm ? machine->seeds : 1); i++) {
        const char *name = arena_printf(session->arena, "%s %s", form_name(info->form), info->name);
        if (machine->seeds > 1 && way == RUN_asm)
            name = arena_printf(session->arena, "%s %u", name, i);
        machine->choice.seed = i;
        same &= compare_with(session, out, program, name, way, reference);
    }
    return same;
}

// Whether the program that gatecc makes is to be compared: of a C file, if no step is named.
static bool wants_native(const GateSession *session) {
    const char *dot = strrchr(session->options.file, '.');
    return session->options.after == step_count && dot && strcmp(dot, ".c") == 0;
}

static bool compare_native(GateSession *session, Out *out, const Program *program,
                           const RunResult *reference, const Out *files) {
    enum { MORE_OUTPUT = 1 << 16 };
    const GateOptions *options = &session->options;
    if (reference->behaviour.end == END_FUEL) {
        out_printf(out, "%-20s not run: %s did not come to its end\n", "native", options->file);
        return true;
    }
    RunResult result = {0};
    if (!native_run(session->arena,
                    &(NativeOptions){.file = options->file,
                                     .options = &options->front_words,
                                     .level = options->level,
                                     .argc = options->argc,
                                     .argv = options->argv,
                                     .most_output = reference->output.length + MORE_OUTPUT},
                    &result)) {
        // What the interpreter does not know may be in another file of the program.
        out_printf(out, "%-20s could not be made\n", "native");
        return reference->behaviour.end == END_WRONG;
    }
    const char *difference = native_difference(session->arena, reference, files, &result);
    print_row(out, program, "native", &result, difference ? "DIFFERENT" : "same");
    if (difference) out_printf(out, "  %s\n", difference);
    out_free(&result.output);
    out_free(&result.errors);
    return !difference;
}

static void set_functions(Program *program, const Func *const *functions) {
    for (uint32_t i = 0; i < program->symbols.count; i++)
        program->symbols.at[i].func = functions[i];
}

static const Func *const *get_functions(Arena *arena, const Program *program) {
    const Func **functions = ARENA_ARRAY(arena, const Func *, program->symbols.count);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        functions[i] = program->symbols.at[i].func;
    return functions;
}

// Takes every function from the form it was read in to that after a step. False if none went
// through that step, because of the level or of the form. What is rejected or missed is told after
// the last step only, as it would be told again after each.
static bool advance(GateSession *session, Program *program, const Func *const *originals,
                    uint32_t step, bool last) {
    Diag unheard;
    diag_init(&unheard, session->arena, NULL);
    set_functions(program, originals);
    Pipeline pipeline;
    session_start_pipeline(session, &pipeline, step + 1);
    if (!last) pipeline.diag = pipeline.form_diag = &unheard;
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    if (last) session_show_stats(session, &pipeline);
    diag_free(&unheard);
    return pipeline.stats[step].functions > 0;
}

// A program that cannot be run at all would agree with itself in every form.
static bool has_main(GateSession *session, Program *program) {
    Sym symbol = program_find(program, str_of(&program->strings, "main"));
    if (symbol.i != NO_ID && program_at(program, symbol)->func) return true;
    diag_error(&session->diag, SPAN_NONE,
               "%s: there is nothing to compare: the program has no function 'main'",
               session->options.file);
    return false;
}

// A row for a form from which nothing leads back; if a seed chooses what is made, one for each
// seed.
static bool compare_aside(GateSession *session, Out *out, Program *program, const AsideInfo *row,
                          const RunResult *reference) {
    const Func *const *functions = get_functions(session->arena, program);
    uint32_t seeds = row->check ? session->options.state_machine.seeds : 1;
    bool same = true;
    for (uint32_t i = 1; i <= seeds; i++) {
        const char *name = arena_printf(session->arena, "%s %s", form_name(row->to), row->name);
        if (seeds > 1) name = arena_printf(session->arena, "%s %u", name, i);
        AsideOptions options = {.seed = seeds > 1 ? i : 0};
        same &= aside_run(row, program, &options, &session->diag) &&
                compare_with(session, out, program, name, RUN_PLAIN, reference);
        set_functions(program, functions);
    }
    return same;
}

static bool compare_asides(GateSession *session, Out *out, Program *program, Form form,
                           const RunResult *reference) {
    bool same = true;
    for (uint32_t i = 0; i < aside_count; i++)
        if (aside_table[i].from == form)
            same &= compare_aside(session, out, program, &aside_table[i], reference);
    return same;
}

static int compare_lockstep(GateSession *session) {
    int status;
    LockstepOptions options = {.machine = &session->options.state_machine,
                               .fuel = session->options.fuel,
                               .argc = session->options.argc,
                               .argv = session->options.argv};
    session->options.form = form_name(session->options.form_id = FORM_SSA);
    Program *program = session_load_after(session, &status);
    if (!program) return status;
    if (!has_main(session, program)) return EXIT_BAD;
    Out out = {0};
    bool same = gate_lockstep(session->arena, program, &options, &session->diag, &out);
    status = session_write_output(session, &out);
    return status == EXIT_GOOD && !same ? EXIT_BAD : status;
}

int gate_compare(GateSession *session) {
    int status;
    if (session->options.state_machine.lockstep) return compare_lockstep(session);
    Program *program = session_load(session, &status);
    if (!program) return status;
    if (!has_main(session, program)) return EXIT_BAD;
    spool_input();
    Out out = {0};
    session->strict = true;
    out_printf(&out, "%-20s %12s %8s %8s  %-10s %s\n", "form", "steps", "events", "output",
               "verdict", "end");
    const Func *const *originals = get_functions(session->arena, program);
    RunResult reference = {0};
    const char *read = form_name(form_of_program(program, FORM_FIRST));
    bool same = compare_form(session, &out, program, read, RUN_PLAIN, NULL, &reference);
    Out *files = written_files(session->arena, &reference);
    uint32_t after = session->options.after;
    uint32_t steps = after < step_count ? after + 1 : session_all_steps(session, program);
    if (after < step_count) session_request(&session->options, after);
    // Forms that are made only if somebody asks for them.
    for (uint32_t i = 0; i < steps && session->options.level > 0; i++)
        excursion_switch_on(i, session->options.on, session->options.off);
    for (uint32_t i = 0; i < steps; i++) {
        if (!advance(session, program, originals, i, i + 1 == steps)) continue;
        Form form = pass_table[step_at(i).pass].to;
        const char *name =
            arena_printf(session->arena, "%s %s", form_name(form), step_name(session->arena, i));
        same &= compare_with(session, &out, program, name, RUN_PLAIN, &reference);
        for (RunWay way = RUN_PLAIN + 1; way < RUN_WAY_COUNT; way++) {
            if (run_way_table[way].form != form) continue;
            if (way == RUN_asm && pass_table[step_at(i).pass].from == form) continue; // seen before
            same &= compare_way(session, &out, program, way, &reference);
        }
        if (pass_table[step_at(i).pass].from != form)
            same &= compare_asides(session, &out, program, form, &reference);
    }
    if (wants_native(session)) same &= compare_native(session, &out, program, &reference, files);
    for (uint32_t i = 0; i < reference.files.count; i++) out_free(&files[i]);
    out_free(&reference.output);
    out_free(&reference.errors);
    status = session_write_output(session, &out);
    if (status != EXIT_GOOD) return status;
    return same && session_is_good(session) ? EXIT_GOOD : EXIT_BAD;
}
