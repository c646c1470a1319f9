// gate: the workbench. Shows, runs, checks, draws and compares programs in every form.
#include "assembly/assembly.h"
#include "base/version.h"
#include "certify/certify.h"
#include "gate/command_help.h"
#include "gate/gate_diff.h"
#include "gate/gate_explore.h"
#include "gate/gate_help.h"
#include "gate/gate_run.h"
#include "gate/gate_session.h"
#include "gate/gate_slice.h"
#include "gate/load.h"
#include "gate/table/gate_stats.h"
#include "gate/table/numbering_stats.h"
#include "gatecc/options/certified_options.h"
#include "pipeline/side_forms.h"
#include "run/asm_print.h"
#include "text/print/draw.h"
#include "text/print/son_dominance.h"
#include "text/text.h"

#include <stdlib.h>

// ---- The commands

static void print_matrices(const GateOptions *options, Out *out, const Program *program) {
    for (uint32_t i = 0; options->matrix && i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (func && func->gsa) matrix_print(out, func, options->pairs.at, options->pairs.count);
    }
}

static void print_dominance(const GateOptions *options, Out *out, const Program *program) {
    for (uint32_t i = 0; options->dominance && i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func || !func->son) continue;
        out_char(out, '\n');
        son_dominance_print(out, func);
    }
}

// Imp and recursive functions: of a file of their own as it is, of others by way of functional SSA.
static int show_view(GateSession *session) {
    int status = EXIT_BAD;
    Out out = {0};
    const GateOptions *options = &session->options;
    bool good, unreadable = false;
    if (view_of_file(options->file)) {
        good = view_show_file(session->arena, &session->diag, &out, options->file, &options->view,
                              &unreadable);
    } else {
        const Program *program = session_load_after(session, &status);
        if (!program) return status;
        good = view_show(session->arena, &session->diag, &out, program, &options->view);
    }
    if (good) return session_write_output(session, &out);
    out_free(&out);
    return unreadable ? EXIT_USAGE : EXIT_BAD;
}

// All of the program, or the functions that were asked for and nothing else.
static void print_program(const GateOptions *options, Out *out, const Program *program) {
    PrintOptions how = {.locations = options->locations};
    bool first = true;
    if (!options->functions.names.count) program_print(out, program, &how);
    for (uint32_t i = 0; options->functions.names.count && i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func) continue;
        if (!first) out_char(out, '\n');
        first = false;
        func_print(out, func, &how);
    }
}

static int command_show(GateSession *session) {
    int status;
    if (session->options.view.view) return show_view(session);
    const Program *program = session_load_after(session, &status);
    if (!program) return status;
    Out out = {0};
    if (session->options.way == RUN_asm)
        asm_print(&out, program);
    else if (!session->options.obligations)
        print_program(&session->options, &out, program);
    if (session->aside.length && out.length) out_char(&out, '\n');
    out_bytes(&out, session->aside.text, session->aside.length);
    out_free(&session->aside);
    print_matrices(&session->options, &out, program);
    print_dominance(&session->options, &out, program);
    return session_write_output(session, &out);
}

static int command_graph(GateSession *session) {
    int status;
    const Program *program = session_load_after(session, &status);
    if (!program) return status;
    Out out = {0};
    program_dot(&out, program);
    return session_write_output(session, &out);
}

static int command_check(GateSession *session) {
    int status;
    Program *program = session_load(session, &status);
    if (!program) return status;
    session->options.werror = true; // which includes forms
    Pipeline pipeline;
    session_start_pipeline(session, &pipeline, session_all_steps(session, program));
    uint64_t functions = 0, size = 0;
    const char *unit = body_table[form_table[form_of_program(program, FORM_FIRST)].body].unit;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        bool counts = func && functions_have(&session->options.functions, func);
        functions += counts;
        size += counts ? func_size(func) : 0;
    }
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    session_show_stats(session, &pipeline);
    if (!session_is_good(session)) return EXIT_BAD;
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

static void stats_row(const GateSession *session, Out *out, const char *group,
                      const Statistics *stats) {
    if (session->options.gates)
        gate_stats_row(out, group, &stats->gates);
    else
        numbering_stats_row(out, group, &stats->numbering);
}

// Adds a program to the statistics. The worst status is kept.
static void add_stats(GateSession *session, const char *file, Statistics *stats, int *status) {
    int loaded;
    session->options.file = file;
    Program *program = session_load(session, &loaded);
    if (program) {
        functions_narrow(&session->options.functions, program);
        Pipeline pipeline;
        session_start_pipeline(session, &pipeline, session->options.gates ? step_count : 0);
        if (session->options.gates)
            gate_stats_add(&stats->gates, &pipeline, program);
        else
            numbering_stats_add(&stats->numbering, &pipeline, program);
        pipeline_free(&pipeline);
    }
    if (loaded > *status) *status = loaded;
}

static int command_stats(GateSession *session) {
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
    int written = session_write_output(session, &out);
    if (!session_is_good(session) && status == EXIT_GOOD) status = EXIT_BAD;
    return written != EXIT_GOOD ? written : status;
}

static void keep_digest(void *context, Pp *pp) {
    GateSession *session = context;
    session->source = source_digest(pp, &session->options.front.compile);
}

static int command_certify(GateSession *session) {
    int status;
    char *text;
    size_t length;
    // What is not C is its own source.
    if (read_file(session->arena, session->options.file, &text, &length))
        session->source = sha256_of(text, length);
    session->options.front.compile.after = keep_digest;
    session->options.front.compile.context = session;
    Program *program = session_load(session, &status);
    if (!program) return status;
    if (form_of_program(program, FORM_FIRST) != FORM_FIRST) {
        gate_usage("%s is not in the form that certificates start with, %s", session->options.file,
                   form_name(FORM_FIRST));
        return EXIT_USAGE;
    }
    session->options.check = CHECK_FAST;
    Pipeline pipeline;
    session_start_pipeline(session, &pipeline, step_count);
    CertifiedOrigin origin = {.source = session->options.file,
                              .digest = &session->source,
                              .options =
                                  options_that_matter(session->arena, &session->options.mattering)};
    Out out = certify_program(session->arena, program, &origin, &pipeline);
    certify_end(&out, NULL);
    pipeline_free(&pipeline);
    session_show_stats(session, &pipeline);
    if (session_is_good(session)) return session_write_output(session, &out);
    out_free(&out);
    return EXIT_BAD;
}

// The functions that were asked for, or, if none was named, all of the program.
static bool emit_functions(GateSession *session, Out *out, Program *program) {
    AssemblyOptions options = {.diag = &session->diag};
    if (!session->options.functions.names.count) return write_assembly(out, program, &options);
    Out rest = {0}; // data, and what frames it
    Assembly *assembly = assembly_begin(&rest, program, &options);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        if (!func || !functions_have(&session->options.functions, func)) continue;
        if (assembly_can_write(&session->diag, func)) assembly_one_function(assembly, out, func);
    }
    assembly_end(assembly);
    out_free(&rest);
    return !session->diag.errors;
}

static int command_emit(GateSession *session) {
    int status;
    Program *program = session_load(session, &status);
    if (!program) return status;
    Form form = form_of_program(program, FORM_FIRST);
    if (aside_to(form)) {
        gate_usage("no code is made from the form %s", form_name(form));
        return EXIT_USAGE;
    }
    Pipeline pipeline;
    session_start_pipeline(session, &pipeline, step_count);
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    session_show_stats(session, &pipeline);
    Out out = {0};
    if (session_is_good(session) && emit_functions(session, &out, program))
        return session_write_output(session, &out);
    out_free(&out);
    return EXIT_BAD;
}

static int command_passes(GateSession *session) {
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
static const struct {
    const char *name;
    int (*run)(GateSession *session);
    unsigned takes; // TAKES_
} commands[] = {
    {"show", command_show, TAKES_FILE | TAKES_FORM},
    {"run", gate_run, TAKES_FILE | TAKES_FORM | TAKES_ARGS},
    {"check", command_check, TAKES_FILE},
    {"graph", command_graph, TAKES_FILE | TAKES_FORM},
    {"compare", gate_compare, TAKES_FILE | TAKES_ARGS},
    {"diff", gate_diff, TAKES_FILE},
    {"stats", command_stats, TAKES_FILE | TAKES_ARGS},
    {"emit", command_emit, TAKES_FILE},
    {"certify", command_certify, TAKES_FILE},
    {"explain", gate_explain, TAKES_FILE},
    {"passes", command_passes, 0},
};

static int run_command(GateSession *session, int (*run)(GateSession *session)) {
    if (session->options.help) return command_help_print(session->options.command);
    return run(session);
}

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
        puts("gate (gatecc) " GATECC_VERSION);
        return EXIT_GOOD;
    }
    if (strcmp(argv[1], "slice") == 0) return gate_slice(argc, argv);
    if (argc > 2 && strcmp(argv[2], "--help") == 0 && command_exists(argv[1]))
        return command_help_print(argv[1]);
    if (strcmp(argv[1], "explore") == 0) return gate_explore(argc, argv);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) != 0) continue;
        GateSession session;
        session_init(&session, argv[1]);
        int status = EXIT_USAGE;
        if (gate_parse_options(&session.options, commands[i].takes, argc, argv))
            status = run_command(&session, commands[i].run);
        session_free(&session);
        return status;
    }
    gate_usage("there is no command '%s'", argv[1]);
    return EXIT_USAGE;
}
