// gate: the workbench. Shows, runs, checks, draws and compares programs in every form.
#include "cert/certify.h"
#include "cert/hints_gsa.h"
#include "driver/agreement.h"
#include "driver/aside.h"
#include "driver/cadical.h"
#include "driver/exit_status.h"
#include "driver/gate_asm.h"
#include "driver/gate_help.h"
#include "driver/gate_imp.h"
#include "driver/gate_lockstep.h"
#include "driver/gate_slice.h"
#include "driver/gate_stats.h"
#include "driver/gatecc_options.h"
#include "driver/load.h"
#include "driver/matrix.h"
#include "driver/native.h"
#include "driver/numbering_stats.h"
#include "driver/obligations_smt.h"
#include "driver/process.h"
#include "driver/typing.h"
#include "form/draw.h"
#include "form/mach/mach.h"
#include "form/son/son_dominance.h"
#include "form/text.h"
#include "mach/assembly.h"
#include "pipeline/pipeline.h"
#include "pipeline/transforms.h"
#include "run/run.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *command;
    const char *form;
    const char *file;
    int argc; // of the program: its name and arguments
    char **argv;
    Form form_id;
    uint32_t after; // a step, or step_count if none is named
    uint32_t level; // -O
    bool off[PASS_COUNT], on[PASS_COUNT];
    PassTransform *transforms[PASS_COUNT];
    const char *output;
    const char *dump_directory;
    bool locations, typing, matrix, dominance, gates, trace, stats, werror;
    RunWay way;
    AsmOptions state_machine;
    SmtEncoding obligations; // to be shown in this encoding
    VEC(MatrixPair) pairs;   // for which the matrix is to be coherent
    ViewOptions view;        // Imp and recursive functions
    uint64_t fuel;
    CheckMode check;
    Arena *arena;        // for the lists of the next
    GateccOptions front; // how C is read
    Words front_words;   // the same, as it was written
} Options;

__attribute__((format(printf, 1, 2))) static bool usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "gate: ");
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'gate --help'.\n");
    return false;
}

static bool number_argument(const char *text, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

// The value of --name=value if the argument is that option.
static const char *value_of(const char *argument, const char *name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                           : NULL;
}

static bool check_named(const char *name, CheckMode *check) {
    const char *names[] = {[CHECK_FAST] = "fast", [CHECK_MATRIX] = "matrix", [CHECK_OFF] = "off"};
    for (*check = 0; *check < sizeof names / sizeof names[0]; ++*check)
        if (strcmp(names[*check], name) == 0) return true;
    return false;
}

// I,J
static bool parse_pair(Options *options, const char *text) {
    MatrixPair pair;
    int end = -1;
    options->matrix = true;
    if (sscanf(text, "%" SCNu32 ",%" SCNu32 "%n", &pair.from, &pair.to, &end) != 2 || text[end])
        return usage("'%s' is not a pair of nodes", text);
    vec_push(options->arena, &options->pairs, pair);
    return true;
}

// PASS,PASS,...
static bool parse_passes(const Options *options, bool *chosen, const char *text) {
    for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        const char *name = arena_text(options->arena, at, (size_t)(end - at));
        PassId pass = pass_named(name);
        if (pass == PASS_COUNT) return usage("there is no pass '%s'", name);
        chosen[pass] = true;
    }
    return true;
}

static bool parse_valued_option(Options *options, const char *argument) {
    const char *value;
    if ((value = value_of(argument, "--after"))) {
        options->after = step_named(value);
        if (options->after == step_count) return usage("there is no step '%s'", value);
    } else if ((value = value_of(argument, "--off")) || (value = value_of(argument, "--on"))) {
        return parse_passes(options, argument[3] == 'f' ? options->off : options->on, value);
    } else if ((value = value_of(argument, "--ssa"))) {
        if (!transform_select_ssa(options->transforms, value))
            return usage("there is no flavour '%s' of SSA", value);
    } else if ((value = value_of(argument, "--fuel"))) {
        if (!number_argument(value, &options->fuel)) return usage("'%s' is not a number", value);
    } else if ((value = value_of(argument, "--matrix"))) {
        return parse_pair(options, value);
    } else if ((value = value_of(argument, "--dump-rejected"))) {
        options->dump_directory = value;
    } else if ((value = value_of(argument, "--obligations"))) {
        options->obligations = smt_encoding_named(value);
        if (!options->obligations) return usage("there is no encoding '%s'", value);
    } else if ((value = value_of(argument, "--check"))) {
        if (!check_named(value, &options->check)) return usage("there is no check '%s'", value);
        if (options->check == CHECK_MATRIX && !cadical_is_installed())
            return usage("%s", CADICAL_MISSING);
    } else {
        return usage("unknown option '%s'", argument);
    }
    return true;
}

static bool parse_level(Options *options, const char *argument) {
    char digit = argument[2];
    if (digit < '0' || digit > '2' || argument[3]) return usage("there is no level '%s'", argument);
    options->level = (uint32_t)(digit - '0');
    return true;
}

static bool unknown_form(const char *name) {
    Out forms = {0};
    for (Form form = 0; form < FORM_COUNT; form++)
        out_printf(&forms, "%s%s", form ? ", " : "", form_name(form));
    usage("'%s' is not a form (forms: %.*s; show and run: also imp, kleene)", name,
          (int)forms.length, forms.text);
    out_free(&forms);
    return false;
}

static bool parse_option(Options *options, char **argv, int *at) {
    const char *argument = argv[*at];
    if (strcmp(argument, "--locations") == 0)
        options->locations = true;
    else if (strcmp(argument, "--plain") == 0)
        transform_select_plain(options->transforms);
    else if (strcmp(argument, "--typing") == 0)
        options->typing = true;
    else if (strcmp(argument, "--matrix") == 0)
        options->matrix = true;
    else if (strcmp(argument, "--dominance") == 0)
        options->dominance = true;
    else if (run_way_of_option(argument) != RUN_PLAIN)
        options->way = run_way_of_option(argument);
    else if (strcmp(argument, "--gates") == 0)
        options->gates = true;
    else if (strcmp(argument, "--trace") == 0)
        options->trace = true;
    else if (strcmp(argument, "--stats") == 0)
        options->stats = true;
    else if (strcmp(argument, "-Werror") == 0)
        options->werror = options->front.compile.warnings.all_errors = true;
    else if (strcmp(argument, "-o") == 0) {
        if (!argv[*at + 1]) return usage("%s needs a file name", "-o");
        options->output = argv[++*at];
    } else if (strncmp(argument, "-O", 2) == 0) {
        return parse_level(options, argument);
    } else {
        bool told;
        if (asm_option(&options->state_machine, argument, &told)) return !told;
        int first = *at;
        if (gatecc_front_option(&options->front, options->arena, argv, at, &told)) {
            for (int i = first; i <= *at; i++)
                words_add(options->arena, &options->front_words, argv[i]);
            return true;
        }
        return !told &&
               (view_option(&options->view, argument) || parse_valued_option(options, argument));
    }
    return true;
}

// Options may stand anywhere before FILE; what follows FILE belongs to the program that is run.
static bool parse_options(Options *options, bool takes_form, bool takes_args, int argc,
                          char **argv) {
    int at = 2;
    for (; at < argc && !(options->file && takes_args); at++) {
        if (argv[at][0] == '-' && argv[at][1] != '\0') {
            if (!parse_option(options, argv, &at)) return false;
        } else if (takes_form && !options->form) {
            options->form = argv[at];
        } else if (!options->file) {
            options->file = argv[at];
            options->argc = argc - at;
            options->argv = argv + at;
        } else {
            return usage("'%s' is one argument too many", argv[at]);
        }
    }
    if (!options->file) return usage("%s needs a file", options->command);
    bool machine = takes_form && strcmp(options->form, "asm") == 0;
    if (machine) options->way = RUN_asm;
    const char *mistake = asm_mistake(options->arena, &options->state_machine, options->command,
                                      options->way, options->form);
    if (mistake) return usage("%s", mistake);
    if (machine) options->form = form_name(run_way_table[RUN_asm].form);
    if (takes_form && (options->view.view = view_named(options->form)) != VIEW_NONE)
        options->form_id = FORM_FSSA;
    while (takes_form && !options->view.view &&
           strcmp(options->form, form_name(options->form_id)) != 0)
        if (++options->form_id == FORM_COUNT) return unknown_form(options->form);
    if ((options->view.result || options->view.exact || options->view.clean) && !options->view.view)
        return usage("--result, --exact and --clean go with imp and kleene only");
    if (options->view.exact && options->view.clean)
        return usage("--exact and --clean exclude each other");
    if (options->dominance &&
        (strcmp(options->command, "show") != 0 || strcmp(options->form, "son") != 0))
        return usage("--dominance goes with %s only", "show son");
    const RunWayInfo *way = &run_way_table[options->way];
    if (way->name && !(takes_form && takes_args && options->form_id == way->form))
        return usage("--%s goes with run %s only", way->name, form_name(way->form));
    return true;
}

// ---- What the commands share

typedef struct {
    Arena *arena;
    Diag diag;
    Diag forms; // where forms that are not reached are told; errors if `strict`
    bool strict;
    Options options;
    Out aside; // typing or obligations of the functions so far, if they were asked for
} Session;

static void observe_typing(void *context, uint32_t step, const Func *before, const Func *after,
                           const void *hint) {
    Session *session = context;
    if (step_at(step).pass == PASS_ssa_build) typing_print(&session->aside, before, after, hint);
}

static void observe_obligations(void *context, uint32_t step, const Func *before, const Func *after,
                                const void *hint) {
    (void)before;
    Session *session = context;
    if (step_at(step).pass != PASS_gsa_build) return;
    if (!session->aside.length) smt_print_start(&session->aside);
    smt_print_matrix(&session->aside, after, &((const GsaBuildHint *)hint)->paths,
                     session->options.obligations);
}

// A pipeline of the first so many steps.
static void start_pipeline(Session *session, Pipeline *pipeline, uint32_t steps) {
    const Options *options = &session->options;
    session->diag.warnings_are_errors = options->werror;
    session->forms.warnings_are_errors = options->werror || session->strict;
    pipeline_init(pipeline, session->arena, options->transforms, &session->diag);
    pipeline->form_diag = &session->forms;
    pipeline->check = options->check;
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
    if (!options->typing && !options->obligations) return;
    pipeline->observe = options->typing ? observe_typing : observe_obligations;
    pipeline->context = session;
}

// Who names a step by --after wants to see it at work, unless its pass is switched off.
static void request(Options *options, uint32_t step) {
    PassId pass = step_at(step).pass;
    if (step_at(step).level == LEVEL_REQUEST) options->on[pass] |= !options->off[pass];
}

// The steps that take a program to the form that was asked for: those up to the one that --after
// names, or none, if it was read in that form, or else up to the first that leads to the form on the way from
// the one in which it was read; if nothing leads back from the form, to where one leaves for it. False, after a message, if there is no such step. If that is a step of an excursion that
// is checked as one, these are switched on; so is a pass that runs only on request and is named by --after.
static bool steps_to_form(Options *options, const Program *program, uint32_t *steps) {
    Form wanted = options->form_id, form = form_of_program(program, wanted);
    const AsideInfo *aside = aside_to(wanted);
    *steps = 0;
    if (aside && form != wanted) wanted = aside->from;
    if (options->after < step_count) {
        *steps = options->after + 1;
        request(options, options->after);
        excursion_switch_on(options->after, options->on, options->off);
        return pass_table[step_at(options->after).pass].to == wanted ||
               usage("after that step the form is not %s", options->form);
    }
    while (form != wanted) {
        if (*steps == step_count)
            return usage("no pass takes the program to the form %s", options->form);
        const PassInfo *info = &pass_table[step_at((*steps)++).pass];
        if (info->from == form) form = info->to;
    }
    if (*steps && form_is_inner(wanted)) excursion_switch_on(*steps - 1, options->on, options->off);
    return true;
}

// All steps, or, if functions were read in a form that is made only inside of an excursion that is checked as one, those
// up to the way out: it has nothing to compare with, which is told.
static uint32_t all_steps(const Session *session, const Program *program) {
    Form form = form_of_program(program, FORM_FIRST);
    uint32_t step = 0;
    if (!form_is_inner(form) || session->options.check == CHECK_OFF) return step_count;
    while (pass_table[step_at(step).pass].inner || pass_table[step_at(step).pass].from != form)
        step++;
    fprintf(
        stderr,
        "gate: %s: no further than to the form %s: there is nothing to compare what follows with\n",
        session->options.file, form_name(form));
    return step;
}

static void show_stats(Session *session, const Pipeline *pipeline) {
    if (!session->options.stats) return;
    Out out = {0};
    pipeline_print_stats(&out, pipeline);
    out_flush(&out, stderr);
    out_free(&out);
}

static Program *load(Session *session, int *status) {
    bool unreadable;
    Program *program = load_program(session->arena, &session->diag, session->options.file,
                                    &session->options.front.compile, &unreadable);
    *status = program ? EXIT_GOOD : unreadable ? EXIT_USAGE : EXIT_BAD;
    return program;
}

static bool is_good(const Session *session) {
    return !session->diag.errors && !session->forms.errors;
}

// Whether every function has the form that was asked for: passes may have been undone or left out.
static bool reached_form(Session *session, const Program *program, int *status) {
    const Options *options = &session->options;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func || func->form == options->form_id) continue;
        if (!session->forms.warnings) { // it was not even tried
            *status = EXIT_USAGE;
            return usage("the passes that run do not make the form %s", options->form);
        }
        diag_error(&session->forms, SPAN_NONE, "function '%s' does not reach the form %s",
                   func_name(func), options->form);
    }
    return is_good(session);
}

// Loads the program and takes it to the form and step that were asked for.
static Program *load_after(Session *session, int *status) {
    uint32_t steps;
    Program *program = load(session, status);
    if (!program) return NULL;
    *status = EXIT_USAGE;
    if (!steps_to_form(&session->options, program, &steps)) return NULL;
    Pipeline pipeline;
    start_pipeline(session, &pipeline, steps);
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    show_stats(session, &pipeline);
    const AsideInfo *aside = aside_to(session->options.form_id);
    AsideOptions asked = {.seed = asm_seed(&session->options.state_machine)};
    if (aside) aside_run(aside, program, &asked, &session->diag);
    *status = EXIT_BAD;
    return is_good(session) && reached_form(session, program, status) ? program : NULL;
}

static int write_output(Session *session, Out *out) {
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

// ---- The commands

static void print_matrices(const Options *options, Out *out, const Program *program) {
    for (uint32_t i = 0; options->matrix && i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (func && func->gsa) matrix_print(out, func, options->pairs.at, options->pairs.count);
    }
}

static void print_dominance(const Options *options, Out *out, const Program *program) {
    for (uint32_t i = 0; options->dominance && i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func || !func->son) continue;
        out_char(out, '\n');
        son_dominance_print(out, func);
    }
}

// Imp and recursive functions: of a file of their own as it is, of others by way of functional SSA.
static int show_view(Session *session) {
    int status = EXIT_BAD;
    Out out = {0};
    const Options *options = &session->options;
    bool good, unreadable = false;
    if (view_of_file(options->file)) {
        good = view_show_file(session->arena, &session->diag, &out, options->file, &options->view,
                              &unreadable);
    } else {
        const Program *program = load_after(session, &status);
        if (!program) return status;
        good = view_show(session->arena, &session->diag, &out, program, &options->view);
    }
    if (good) return write_output(session, &out);
    out_free(&out);
    return unreadable ? EXIT_USAGE : EXIT_BAD;
}

static int run_view(Session *session) {
    int status;
    Options *options = &session->options;
    options->view.trace = options->trace;
    options->view.fuel = options->fuel;
    options->view.argc = options->argc;
    options->view.argv = options->argv;
    if (view_of_file(options->file))
        return view_run_file(session->arena, &session->diag, options->file, &options->view);
    const Program *program = load_after(session, &status);
    return program ? view_run(session->arena, &session->diag, program, &options->view) : status;
}

static int command_show(Session *session) {
    int status;
    if (session->options.view.view) return show_view(session);
    const Program *program = load_after(session, &status);
    if (!program) return status;
    Out out = {0};
    if (!session->options.obligations)
        program_print(&out, program, &(PrintOptions){.locations = session->options.locations});
    if (session->aside.length && out.length) out_char(&out, '\n');
    out_bytes(&out, session->aside.text, session->aside.length);
    out_free(&session->aside);
    print_matrices(&session->options, &out, program);
    print_dominance(&session->options, &out, program);
    return write_output(session, &out);
}

static int command_graph(Session *session) {
    int status;
    const Program *program = load_after(session, &status);
    if (!program) return status;
    Out out = {0};
    program_dot(&out, program);
    return write_output(session, &out);
}

static int command_run(Session *session) {
    int status;
    if (session->options.view.view) return run_view(session);
    const Program *program = load_after(session, &status);
    if (!program) return status;
    RunResult result = {0};
    AsmChoice *choice = &session->options.state_machine.choice;
    choice->list = session->options.trace;
    RunOptions options = {.fuel = session->options.fuel,
                          .trace = session->options.trace,
                          .way = session->options.way,
                          .no_input = choice->kind == ASM_STEP,
                          .choice = *choice};
    rtl_run(session->arena, program, session->options.argc, session->options.argv, &options,
            &result);
    status = exit_status_told(program, session->options.file, &result.behaviour);
    return asm_tell(choice, &result.report, status);
}

static int command_check(Session *session) {
    int status;
    Program *program = load(session, &status);
    if (!program) return status;
    session->options.werror = true; // which includes forms
    Pipeline pipeline;
    start_pipeline(session, &pipeline, all_steps(session, program));
    uint64_t functions = 0, size = 0;
    const char *unit = body_table[form_table[form_of_program(program, FORM_FIRST)].body].unit;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        functions += func != NULL;
        size += func ? func_size(func) : 0;
    }
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    show_stats(session, &pipeline);
    if (!is_good(session)) return EXIT_BAD;
    Form form = form_of_program(program, FORM_FIRST);
    bool alone = form_is_inner(form) || aside_to(form); // nothing to compare with
    printf("%s: %llu functions, %llu %ss: well-formed%s\n", session->options.file,
           (unsigned long long)functions, (unsigned long long)size, unit,
           alone ? "" : "; every pass accepted");
    return EXIT_GOOD;
}

typedef struct {
    NumberingStats numbering;
    GateStats gates; // with --gates, and only these
} Statistics;

static void stats_row(const Session *session, Out *out, const char *group,
                      const Statistics *stats) {
    if (session->options.gates)
        gate_stats_row(out, group, &stats->gates);
    else
        numbering_stats_row(out, group, &stats->numbering);
}

// Adds a program to the statistics. The worst status is kept.
static void add_stats(Session *session, const char *file, Statistics *stats, int *status) {
    int loaded;
    session->options.file = file;
    const Program *program = load(session, &loaded);
    if (program) {
        Pipeline pipeline;
        start_pipeline(session, &pipeline, session->options.gates ? step_count : 0);
        if (session->options.gates)
            gate_stats_add(&stats->gates, &pipeline, program);
        else
            numbering_stats_add(&stats->numbering, &pipeline, program);
        pipeline_free(&pipeline);
    }
    if (loaded > *status) *status = loaded;
}

static int command_stats(Session *session) {
    Out out = {0};
    Statistics total = {0};
    int status = EXIT_GOOD;
    (session->options.gates ? gate_stats_head : numbering_stats_head)(&out);
    for (int i = 0; i < session->options.argc; i++) {
        const char *group = session->options.argv[i];
        Statistics stats = {0};
        struct dirent **entries;
        int count = scandir(group, &entries, is_program_entry, alphasort);
        if (count < 0) add_stats(session, group, &stats, &status);
        for (int k = 0; k < count; k++) {
            add_stats(session, arena_printf(session->arena, "%s/%s", group, entries[k]->d_name),
                      &stats, &status);
            free(entries[k]);
        }
        if (count >= 0) free(entries);
        stats_row(session, &out, group, &stats);
        numbering_stats_sum(&total.numbering, &stats.numbering);
        gate_stats_sum(&total.gates, &stats.gates);
    }
    if (session->options.argc > 1) stats_row(session, &out, "total", &total);
    int written = write_output(session, &out);
    if (!is_good(session) && status == EXIT_GOOD) status = EXIT_BAD;
    return written != EXIT_GOOD ? written : status;
}

static int command_certify(Session *session) {
    int status;
    Program *program = load(session, &status);
    if (!program) return status;
    if (form_of_program(program, FORM_FIRST) != FORM_FIRST) {
        usage("%s is not in the form that certificates start with, %s", session->options.file,
              form_name(FORM_FIRST));
        return EXIT_USAGE;
    }
    session->options.check = CHECK_FAST;
    Pipeline pipeline;
    start_pipeline(session, &pipeline, step_count);
    Out out = certify_program(session->arena, program, session->options.file, &pipeline);
    pipeline_free(&pipeline);
    show_stats(session, &pipeline);
    if (is_good(session)) return write_output(session, &out);
    out_free(&out);
    return EXIT_BAD;
}

static int command_emit(Session *session) {
    int status;
    Program *program = load(session, &status);
    if (!program) return status;
    Pipeline pipeline;
    start_pipeline(session, &pipeline, step_count);
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    show_stats(session, &pipeline);
    Out out = {0};
    AssemblyOptions options = {.diag = &session->diag};
    if (is_good(session) && write_assembly(&out, program, &options))
        return write_output(session, &out);
    out_free(&out);
    return EXIT_BAD;
}

static int command_passes(Session *session) {
    for (uint32_t i = 0; i < step_count; i++) {
        Step step = step_at(i);
        const PassInfo *info = &pass_table[step.pass];
        printf("%-14s %s -> %s  %s (%s)\n", step_name(session->arena, i), form_name(info->from),
               form_name(info->to), info->meaning, step.reason);
    }
    printf("%-14s %s        %s\n", finish_info.name, form_name(finish_info.from),
           finish_info.meaning);
    aside_list();
    return EXIT_GOOD;
}

// ---- Comparing

static void print_row(Out *out, const Program *program, const char *form, const RunResult *result,
                      const char *verdict) {
    const Behaviour *behaviour = &result->behaviour;
    out_printf(out, "%-20s %12llu %8u %8zu  %-10s ", form, (unsigned long long)behaviour->steps,
               behaviour->event_hashes.count, result->output.length, verdict);
    behaviour_print(out, program, behaviour);
    out_char(out, '\n');
}

// Runs the program as it is and compares with the reference (none for the first form).
static bool compare_form(Session *session, Out *out, const Program *program, const char *form,
                         RunWay way, const RunResult *reference, RunResult *result) {
    RunOptions options = {.fuel = session->options.fuel,
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

static bool compare_with(Session *session, Out *out, const Program *program, const char *form,
                         RunWay way, const RunResult *reference) {
    RunResult result = {0};
    bool same = compare_form(session, out, program, form, way, reference, &result);
    out_free(&result.output);
    out_free(&result.errors);
    return same;
}

// A row for another way to run the form, or, of the state machine, one for each seed.
static bool compare_way(Session *session, Out *out, const Program *program, RunWay way,
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
static bool wants_native(const Session *session) {
    const char *dot = strrchr(session->options.file, '.');
    return session->options.after == step_count && dot && strcmp(dot, ".c") == 0;
}

static bool compare_native(Session *session, Out *out, const Program *program,
                           const RunResult *reference, const Out *files) {
    enum { MORE_OUTPUT = 1 << 16 };
    const Options *options = &session->options;
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

// Takes every function from the form it was read in to that after a step. False if none went through
// that step, because of the level or of the form. What is rejected or missed is told after the last step only, as
// it would be told again after each.
static bool advance(Session *session, Program *program, const Func *const *originals, uint32_t step,
                    bool last) {
    Diag unheard;
    diag_init(&unheard, session->arena, NULL);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        program->symbols.at[i].func = originals[i];
    Pipeline pipeline;
    start_pipeline(session, &pipeline, step + 1);
    if (!last) pipeline.diag = pipeline.form_diag = &unheard;
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    if (last) show_stats(session, &pipeline);
    diag_free(&unheard);
    return pipeline.stats[step].functions > 0;
}

// A program that cannot be run at all would agree with itself in every form.
static bool has_main(Session *session, Program *program) {
    Sym symbol = program_find(program, str_of(&program->strings, "main"));
    if (symbol.i != NO_ID && program_at(program, symbol)->func) return true;
    diag_error(&session->diag, SPAN_NONE,
               "%s: there is nothing to compare: the program has no function 'main'",
               session->options.file);
    return false;
}

// Rows for the forms to which one leaves from a form and from which nothing leads back. The program stays there.
static bool compare_asides(Session *session, Out *out, Program *program, Form form,
                           const RunResult *reference) {
    bool same = true;
    for (uint32_t i = 0; i < aside_count; i++) {
        const AsideInfo *row = &aside_table[i];
        if (row->from != form) continue;
        if (!aside_run(row, program, &(AsideOptions){0}, &session->diag)) return false;
        const char *name = arena_printf(session->arena, "%s %s", form_name(row->to), row->name);
        same &= compare_with(session, out, program, name, RUN_PLAIN, reference);
    }
    return same;
}

static int compare_lockstep(Session *session) {
    int status;
    LockstepOptions options = {.machine = &session->options.state_machine,
                               .fuel = session->options.fuel,
                               .argc = session->options.argc,
                               .argv = session->options.argv};
    session->options.form = form_name(session->options.form_id = FORM_SSA);
    Program *program = load_after(session, &status);
    if (!program) return status;
    if (!has_main(session, program)) return EXIT_BAD;
    Out out = {0};
    bool same = gate_lockstep(session->arena, program, &options, &session->diag, &out);
    status = write_output(session, &out);
    return status == EXIT_GOOD && !same ? EXIT_BAD : status;
}

static int command_compare(Session *session) {
    int status;
    if (session->options.state_machine.lockstep) return compare_lockstep(session);
    Program *program = load(session, &status);
    if (!program) return status;
    if (!has_main(session, program)) return EXIT_BAD;
    spool_input();
    Out out = {0};
    session->strict = true;
    out_printf(&out, "%-20s %12s %8s %8s  %-10s %s\n", "form", "steps", "events", "output",
               "verdict", "end");
    const Func **originals = ARENA_ARRAY(session->arena, const Func *, program->symbols.count);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        originals[i] = program->symbols.at[i].func;
    RunResult reference = {0};
    const char *read = form_name(form_of_program(program, FORM_FIRST));
    bool same = compare_form(session, &out, program, read, RUN_PLAIN, NULL, &reference);
    Out *files = written_files(session->arena, &reference);
    uint32_t after = session->options.after;
    uint32_t steps = after < step_count ? after + 1 : all_steps(session, program);
    if (after < step_count) request(&session->options, after);
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
    status = write_output(session, &out);
    if (status != EXIT_GOOD) return status;
    return same && is_good(session) ? EXIT_GOOD : EXIT_BAD;
}

static const struct {
    const char *name;
    int (*run)(Session *session);
    bool takes_file, takes_form, takes_args;
} commands[] = {
    {"show", command_show, true, true, false},
    {"run", command_run, true, true, true},
    {"check", command_check, true, false, false},
    {"graph", command_graph, true, true, false},
    {"compare", command_compare, true, false, true},
    {"stats", command_stats, true, false, true},
    {"emit", command_emit, true, false, false},
    {"certify", command_certify, true, false, false},
    {"passes", command_passes, false, false, false},
};

int main(int argc, char **argv) {
    standard_streams();
    const char *reason;
    if (!pipeline_consistent(&reason)) fatal("passes.def: %s does not fit where it stands", reason);
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(help, stdout);
        return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("gate (gatecc) 0.1");
        return EXIT_GOOD;
    }
    if (strcmp(argv[1], "slice") == 0) return gate_slice(argc, argv);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) != 0) continue;
        Session session = {.arena = arena_new("session"),
                           .options = {.command = argv[1], .after = step_count, .level = 1}};
        session.options.arena = session.arena;
        memcpy(session.options.transforms, transform_table, sizeof session.options.transforms);
        gatecc_defaults(&session.options.front);
        asm_defaults(&session.options.state_machine);
        int status = EXIT_USAGE;
        if (!commands[i].takes_file || parse_options(&session.options, commands[i].takes_form,
                                                     commands[i].takes_args, argc, argv)) {
            diag_init(&session.diag, session.arena, stderr);
            diag_init(&session.forms, session.arena, stderr);
            status = commands[i].run(&session);
            diag_free(&session.diag);
            diag_free(&session.forms);
        }
        arena_free(session.arena);
        return status;
    }
    usage("there is no command '%s'", argv[1]);
    return EXIT_USAGE;
}
