#include "gate/explore_program.h"

#include "explore/explore_run.h"
#include "gate/load.h"
#include "pipeline/side_forms.h"

#include <string.h>

enum { RECORDED_STEPS = 5000 }; // of each run

// ---- The command line

static void add_words(Arena *arena, Words *words, const char *text) {
    while (text && *text) {
        size_t length = strcspn(text, " ");
        if (length) words_add(arena, words, arena_text(arena, text, length));
        text += length + (text[length] == ' ');
    }
}

// What the second pipeline is asked for and cannot have.
static bool takes_versus(const Words *words, uint32_t first) {
    for (uint32_t i = first; i < words->count; i++)
        if (strncmp(words->at[i], "-o", 2) == 0)
            return gate_usage("--versus takes options of the second pipeline; '%s' is none",
                              words->at[i]);
    return true;
}

// The options are read as those of any command: those of the second pipeline stand before the
// others of the command line's end, its file.
static bool read_options(Explored *explored, const ExploreOptions *options, const char *more) {
    Arena *arena = explored->session.arena;
    Words words = {0};
    words_add(arena, &words, "gate");
    words_add(arena, &words, "explore");
    for (uint32_t i = 0; i < options->words.count; i++)
        words_add(arena, &words, options->words.at[i]);
    uint32_t own = words.count;
    add_words(arena, &words, more);
    if (!takes_versus(&words, own)) return false;
    int count = (int)words.count;
    words_add(arena, &words, NULL);
    if (!gate_parse_options(&explored->session.options, TAKES_FILE, count, (char **)words.at))
        return false;
    for (int i = 2; i < count; i++)
        if (words.at[i] != explored->session.options.file &&
            words.at[i] != explored->session.options.output && strcmp(words.at[i], "-o") != 0)
            words_add(arena, &explored->options, words.at[i]);
    return true;
}

// ---- Files

// Which files are the system's; the texts of others are shown.
static void note_files(void *context, Pp *pp) {
    Explored *explored = context;
    Arena *arena = explored->session.arena;
    uint32_t count;
    const Dependency *read = pp_dependencies(pp, &count);
    for (uint32_t i = 0; i < count; i++)
        words_add(arena, read[i].system ? &explored->system : &explored->own,
                  arena_text(arena, read[i].path, strlen(read[i].path)));
}

static bool is_system(const Explored *explored, const char *name) {
    for (uint32_t i = 0; i < explored->system.count; i++)
        if (strcmp(explored->system.at[i], name) == 0) return true;
    return false;
}

static void take_file(Explored *explored, const char *name) {
    ExploreFile file = {.name = name};
    const Diag *diag = &explored->session.diag;
    for (uint32_t k = 0; k < diag->sources.count && !is_system(explored, name); k++) {
        if (strcmp(diag->sources.at[k].name, name) != 0) continue;
        file.text = diag->sources.at[k].text;
        file.length = diag->sources.at[k].length;
    }
    vec_push(explored->session.arena, &explored->files, file);
}

// The files that locations name, and the one that was given, of which there may be no location.
// Their texts are what was compiled, and nothing is read again: a name may be anything.
static void take_files(Explored *explored) {
    const Program *program = explored->program;
    const char *given = explored->session.options.file;
    bool has_given = false;
    for (uint32_t i = 0; i < program->files.count; i++) {
        const char *name = program_text(program, program->files.at[i]);
        take_file(explored, name);
        has_given |= strcmp(name, given) == 0;
    }
    if (!has_given) take_file(explored, given);
}

// ---- The pipeline

// What passes have to say is shown in the page, and then told.
static void collect_messages(Explored *explored) {
    GateSession *session = &explored->session;
    Diag *diags[] = {&session->diag, &session->forms};
    for (int i = 0; i < 2; i++) {
        diag_free(diags[i]);
        diag_init(diags[i], session->arena, NULL);
    }
}

static void tell(const Out *messages) {
    if (messages->length) fwrite(messages->text, 1, messages->length, stderr);
}

static void run_pipeline(Explored *explored, const ExploreOptions *options) {
    GateSession *session = &explored->session;
    const char *only = options->functions.count == 1 ? options->functions.at[0] : NULL;
    collect_messages(explored);
    session_start_pipeline(session, &explored->pipeline,
                           session_all_steps(session, explored->program));
    explored->pipeline.timed = !options->no_times;
    explored->history = history_new(session->arena, explored->program, only);
    history_watch(explored->history, &explored->pipeline);
    pipeline_run_program(&explored->pipeline, explored->program);
    pipeline_free(&explored->pipeline);
    session_show_stats(session, &explored->pipeline);
    tell(&session->diag.out);
    tell(&session->forms.out);
}

static void set_source(PpOptions *pp, const ExploreSource *source) {
    if (!source || !source->text) return;
    pp->main_text = source->text;
    pp->main_length = source->length;
    pp->read = source->read;
    pp->context = source->context;
}

int explored_run(Explored *explored, const ExploreOptions *options, const char *more,
                 const ExploreSource *source) {
    GateSession *session = &explored->session;
    session_init(session, "explore");
    if (!read_options(explored, options, more)) return EXIT_USAGE;
    explored->debug.arena = session->arena;
    session->options.front.compile.debug = &explored->debug;
    session->options.front.compile.after = note_files;
    session->options.front.compile.context = explored;
    set_source(&session->options.front.compile.pp, source);
    int status;
    explored->program = session_load(session, &status);
    if (!explored->program) return status;
    Form form = form_of_program(explored->program, FORM_FIRST);
    if (aside_to(form)) {
        gate_usage("there are no pages of the form %s, which no pass takes further",
                   form_name(form));
        return EXIT_USAGE;
    }
    take_files(explored);
    run_pipeline(explored, options);
    return EXIT_GOOD;
}

void explored_free(Explored *explored) {
    if (explored->history) history_free(explored->history);
    session_free(&explored->session);
}

ExplorePipeline explored_pipeline(Explored *explored, const ExploreOptions *options) {
    GateSession *session = &explored->session;
    const char *label = arena_printf(session->arena, "-O%u", session->options.level);
    for (uint32_t i = 0; i < explored->options.count; i++)
        if (strncmp(explored->options.at[i], "--", 2) == 0)
            label = arena_printf(session->arena, "%s %s", label, explored->options.at[i]);
    return (ExplorePipeline){.label = label,
                             .options = (const char *const *)explored->options.at,
                             .option_count = explored->options.count,
                             .program = explored->program,
                             .pipeline = &explored->pipeline,
                             .history = explored->history,
                             .debug = &explored->debug,
                             .diags = {&session->diag, &session->forms},
                             .only = (const char *const *)options->functions.at,
                             .only_count = options->functions.count};
}

static bool has_function(const Explored *explored, const char *name) {
    for (uint32_t i = 0; i < history_count(explored->history); i++) {
        Sym symbol = history_at(explored->history, i)->symbol;
        if (strcmp(program_text(explored->program, program_at(explored->program, symbol)->name),
                   name) == 0)
            return true;
    }
    return false;
}

static bool has_functions(const Explored *explored, const ExploreOptions *options) {
    for (uint32_t i = 0; i < options->functions.count; i++)
        if (!has_function(explored, options->functions.at[i]))
            return gate_usage("there is no function '%s' in %s", options->functions.at[i],
                              explored->session.options.file);
    return true;
}

static const char *keep(Arena *arena, const char *text) {
    return text ? arena_text(arena, text, strlen(text)) : NULL;
}

// Runs main, if there is one, with the arguments that were given.
static bool record_main(Arena *arena, Out *out, const ExploreOptions *options,
                        const ExplorePipeline *pipelines, uint32_t count, const char *file) {
    int argc = options->run_argc + 1;
    char **argv = ARENA_ARRAY(arena, char *, argc + 1);
    argv[0] = arena_text(arena, file, strlen(file));
    for (int i = 1; i < argc; i++) argv[i] = options->run_argv[i - 1];
    return explore_write_run(out, pipelines, count, argc, argv, RECORDED_STEPS);
}

static void write_data(ExploreRun *run, const ExploreOptions *options, Explored *explored,
                       uint32_t count) {
    ExplorePipeline pipelines[2];
    for (uint32_t i = 0; i < count; i++) pipelines[i] = explored_pipeline(&explored[i], options);
    const GateOptions *asked = &explored[0].session.options;
    Exploration exploration = {.file = asked->file,
                               .command = run->command,
                               .times = !options->no_times,
                               .live = run->live,
                               .files = explored[0].files.at,
                               .file_count = explored[0].files.count,
                               .pipelines = pipelines,
                               .pipeline_count = count};
    Out record = {0};
    if (!options->no_run &&
        record_main(run->arena, &record, options, pipelines, count, asked->file))
        exploration.run = &record;
    explore_write_data(&run->data, &exploration);
    out_free(&record);
    run->file = keep(run->arena, asked->file);
    run->output = keep(run->arena, asked->output);
    run->own_headers = keep(run->arena, asked->front.compile.pp.builtin_dir);
    const Words *read[] = {&explored[0].own, &explored[0].system};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < read[k]->count; i++)
            words_add(run->arena, &run->own, keep(run->arena, read[k]->at[i]));
}

int explore_run(ExploreRun *run, const ExploreOptions *options) {
    Explored *explored = ARENA_ARRAY(run->arena, Explored, 2);
    uint32_t count = options->versus ? 2 : 1;
    int status = EXIT_GOOD;
    for (uint32_t i = 0; i < count && status == EXIT_GOOD; i++)
        status = explored_run(&explored[i], options, i ? options->versus : NULL, run->source);
    if (status == EXIT_GOOD && !has_functions(&explored[0], options)) status = EXIT_USAGE;
    if (status == EXIT_GOOD && !history_count(explored[0].history))
        fprintf(stderr, "gate: there are no functions in %s\n", explored[0].session.options.file);
    if (status == EXIT_GOOD) write_data(run, options, explored, count);
    for (uint32_t i = 0; i < count; i++)
        if (explored[i].session.arena) explored_free(&explored[i]);
    return status;
}
