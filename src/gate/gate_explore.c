// gate explore: reads a program once or, to compare two pipelines, twice, and writes the page.
#include "gate/gate_explore.h"

#include "gate/explore_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const char *word, const char *name) {
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static void add_functions(Arena *arena, ExploreOptions *options, const char *text) {
    if (!*text) words_add(arena, &options->functions, text); // which there is not: it is said later
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
    options->port_given = true;
    return true;
}

void explore_option(Arena *arena, ExploreOptions *options, const char *word) {
    const char *value;
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
    else
        words_add(arena, &options->words, word);
}

// What stands behind "--" are arguments of the recorded run.
static bool read_words(Arena *arena, ExploreOptions *options, int argc, char **argv) {
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i], *value = value_of(word, "--port");
        if (strcmp(word, "--") == 0) {
            options->run_argc = argc - i - 1;
            options->run_argv = argv + i + 1;
            break;
        }
        if (value || strcmp(word, "--port") == 0) {
            if (!read_port(options, value ? value : i + 1 < argc ? argv[++i] : NULL)) return false;
        } else {
            explore_option(arena, options, word);
        }
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

static int write_result(ExploreRun *run, const ExploreOptions *options) {
    const char *path = run->output;
    Out page = {0};
    if (options->data_only && !path) {
        out_flush(&run->data, stdout);
        return EXIT_GOOD;
    }
    if (!path) path = page_name(run->arena, run->file);
    if (options->data_only)
        out_bytes(&page, run->data.text, run->data.length);
    else
        explore_write_page(&page, &run->data, false);
    unsigned long long kilobytes = (page.length + 999) / 1000,
                       of_data = (run->data.length + 999) / 1000;
    bool good = out_commit(&page, path);
    if (good)
        fprintf(stderr, "gate: %s: %llu kB, %llu kB of them data\n", path, kilobytes, of_data);
    else
        fprintf(stderr, "gate: cannot write %s: %s\n", path, strerror(errno));
    out_free(&page);
    return good ? EXIT_GOOD : EXIT_USAGE;
}

// What is asked for and would not be done is said.
static bool fits_together(const ExploreOptions *options) {
    if (options->port_given && !options->serve) return gate_usage("--port is for --serve");
    if (options->serve && options->data_only)
        return gate_usage("--serve and --data do not go together");
    return true;
}

int gate_explore(int argc, char **argv) {
    Arena *arena = arena_new("explore");
    ExploreOptions options = {0};
    ExploreRun run = {.arena = arena, .command = command_text(arena, argc, argv)};
    int status = EXIT_USAGE;
    if (read_words(arena, &options, argc, argv) && fits_together(&options)) {
        if (options.serve) {
            status = explore_serve(&run, &options);
        } else {
            status = explore_run(&run, &options);
            if (status == EXIT_GOOD) status = write_result(&run, &options);
        }
    }
    out_free(&run.data);
    arena_free(arena);
    return status;
}
