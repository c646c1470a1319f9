// gate explore: reads a program once or, to compare two pipelines, twice, and writes the page.
#include "driver/gate_explore.h"

#include "driver/explored.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const char *word, const char *name) {
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static void add_functions(Arena *arena, ExploreOptions *options, const char *text) {
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, ",");
        if (end > text)
            words_add(arena, &options->functions, arena_text(arena, text, (size_t)(end - text)));
    }
}

static bool read_port(ExploreOptions *options, const char *text) {
    char *end;
    unsigned long port = text ? strtoul(text, &end, 10) : 0;
    if (!text || *text < '0' || *text > '9' || *end || port > 65535)
        return gate_usage("'%s' is not the number of a port", text ? text : "");
    options->port = (uint32_t)port;
    return true;
}

// What is not an option of this command alone is left for the others; what stands behind "--" are arguments of the recorded run.
static bool read_words(Arena *arena, ExploreOptions *options, int argc, char **argv) {
    const char *value;
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--") == 0) {
            options->run_argc = argc - i - 1;
            options->run_argv = argv + i + 1;
            break;
        }
        if ((value = value_of(word, "--versus")))
            options->versus = value;
        else if ((value = value_of(word, "--function")))
            add_functions(arena, options, value);
        else if (strcmp(word, "--no-times") == 0)
            options->no_times = true;
        else if (strcmp(word, "--data") == 0)
            options->data_only = true;
        else if (strcmp(word, "--run") == 0 || strcmp(word, "--no-run") == 0)
            options->no_run = word[2] == 'n';
        else if (strcmp(word, "--serve") == 0)
            options->serve = true;
        else if ((value = value_of(word, "--port")) || strcmp(word, "--port") == 0) {
            if (!read_port(options, value ? value : i + 1 < argc ? argv[++i] : NULL)) return false;
        } else
            words_add(arena, &options->words, word);
    }
    return true;
}

// "gate explore -O2 sum.c", without the file that is written.
static const char *command_text(Arena *arena, int argc, char **argv) {
    const char *text = "gate explore";
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0)
            i++;
        else
            text = arena_printf(arena, "%s %s", text, argv[i]);
    }
    return text;
}

// sum.html for dir/sum.c
static const char *page_name(Arena *arena, const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    return arena_printf(arena, "%.*s.html", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)),
                        name);
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

static int write_result(Explored *explored, const ExploreOptions *options, const Out *data) {
    GateSession *session = &explored->session;
    const char *path = session->options.output;
    Out page = {0};
    if (options->data_only && !path) {
        fwrite(data->text, 1, data->length, stdout);
        return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_USAGE;
    }
    if (!path) path = page_name(session->arena, session->options.file);
    if (options->data_only)
        out_bytes(&page, data->text, data->length);
    else
        explore_write_page(&page, data, false);
    unsigned long long kilobytes = (page.length + 999) / 1000,
                       of_data = (data->length + 999) / 1000;
    bool good = out_commit(&page, path);
    if (good)
        fprintf(stderr, "gate: %s: %llu kB, %llu kB of them data\n", path, kilobytes, of_data);
    else
        fprintf(stderr, "gate: cannot write %s: %s\n", path, strerror(errno));
    out_free(&page);
    return good ? EXIT_GOOD : EXIT_USAGE;
}

static int explore(Arena *arena, const ExploreOptions *options, const char *command) {
    Explored *explored = ARENA_ARRAY(arena, Explored, 2);
    ExplorePipeline pipelines[2];
    Exploration exploration = {.command = command,
                               .times = !options->no_times,
                               .pipelines = pipelines,
                               .pipeline_count = 1};
    int status = explored_run(&explored[0], options, NULL);
    if (status == EXIT_GOOD && !has_functions(&explored[0], options)) status = EXIT_USAGE;
    if (status == EXIT_GOOD) pipelines[0] = explored_pipeline(&explored[0], options);
    if (status == EXIT_GOOD && options->versus) {
        status = explored_run(&explored[1], options, options->versus);
        if (status == EXIT_GOOD) pipelines[1] = explored_pipeline(&explored[1], options);
        exploration.pipeline_count = 2;
    }
    if (status == EXIT_GOOD) {
        Out data = {0};
        exploration.file = explored[0].session.options.file;
        exploration.files = explored[0].files.at;
        exploration.file_count = explored[0].files.count;
        explore_write_data(&data, &exploration);
        status = write_result(&explored[0], options, &data);
        out_free(&data);
    }
    explored_free(&explored[0]);
    if (options->versus && explored[1].session.arena) explored_free(&explored[1]);
    return status;
}

int gate_explore(int argc, char **argv) {
    Arena *arena = arena_new("explore");
    ExploreOptions options = {0};
    int status = EXIT_USAGE;
    if (read_words(arena, &options, argc, argv))
        status = explore(arena, &options, command_text(arena, argc, argv));
    arena_free(arena);
    return status;
}
