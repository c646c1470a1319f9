// gate explore --serve: what a request may ask for, and its compilation.
//
// A request brings the text of the file and options. The text may include what the file did when
// the server was started, and headers of the system; the options are from a list, none of which
// names a file.
#include "explore/confine.h"
#include "explore/serve.h"
#include "gate/explore_program.h"
#include "message/json_read.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64, LONGEST_OPTION = 200 };

typedef struct {
    const ExploreOptions *options; // of the command line
    ExploreRun *run;               // of the first time
} Served;

// ---- Options

static bool has_only(const char *text, const char *more) {
    for (; *text; text++) {
        bool plain = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                     (*text >= '0' && *text <= '9') || *text == '_';
        if (!plain && !strchr(more, *text)) return false;
    }
    return true;
}

// None of these names a file or starts a program.
static bool is_allowed(const char *option) {
    static const char *const exact[] = {"-O0",     "-O1",          "-O2",         "--plain",
                                        "-w",      "-Wall",        "-Wextra",     "--no-times",
                                        "-ansi",   "--check=fast", "--check=off", "--check=steps",
                                        "--no-run"};
    static const char *const starts[] = {"--on=", "--off=", "--ssa=", "--forge=", "--function="};
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
        if (strcmp(exact[i], option) == 0) return true;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(starts[i], option, strlen(starts[i])) == 0)
            return has_only(option + strlen(starts[i]), ",-.");
    if (strncmp(option, "-std=", 5) == 0) return has_only(option + 5, ":");
    if (strncmp(option, "-U", 2) == 0) return option[2] && has_only(option + 2, "");
    return strncmp(option, "-D", 2) == 0 && option[2] && has_only(option + 2, "=+-*/()<>!&|. \"'");
}

static bool refuse(const char *what, const char *more) {
    fprintf(stderr, "%s%s\n", what, more);
    return false;
}

static bool has_word(const Words *words, const char *word) {
    for (uint32_t i = 0; i < words->count; i++)
        if (strcmp(words->at[i], word) == 0) return true;
    return false;
}

// What the command line has and a request may not ask for stays as it is, whether a request names
// it or not.
static bool read_options(const JsonMember *list, Arena *arena, const Words *given, Words *words) {
    if (!list) return true;
    if (list->texts.count > MOST_OPTIONS) return refuse("too many options", "");
    for (uint32_t i = 0; i < list->texts.count; i++) {
        const JsonText *text = &list->texts.at[i];
        if (has_word(given, text->text) && !is_allowed(text->text)) continue;
        if (text->length > LONGEST_OPTION || !is_allowed(text->text))
            return refuse("not an option that may be asked for here: ",
                          text->length > LONGEST_OPTION ? "it is too long" : text->text);
        words_add(arena, words, text->text);
    }
    return true;
}

// The options of a request take the place of those of the command line that a request may ask for.
static bool take_options(Arena *arena, const Served *served, const JsonObject *request,
                         ExploreOptions *options) {
    const JsonMember *asked = json_member(request, "options", true);
    const Words *given = &served->options->words;
    Words words = {0}, versus = {0};
    if (!read_options(asked, arena, given, &words) ||
        !read_options(json_member(request, "versus", true), arena, given, &versus))
        return false;
    *options = *served->options;
    options->words = (Words){0};
    options->versus = NULL;
    if (asked) options->functions = (Words){0};
    for (uint32_t i = 0; i < given->count; i++)
        if (!asked || !is_allowed(given->at[i])) words_add(arena, &options->words, given->at[i]);
    for (uint32_t i = 0; i < words.count; i++) explore_option(arena, options, words.at[i]);
    for (uint32_t i = 0; i < versus.count; i++) {
        if (strchr(versus.at[i], ' ')) return refuse("an option with blanks in it", "");
        options->versus = options->versus
                              ? arena_printf(arena, "%s %s", options->versus, versus.at[i])
                              : versus.at[i];
    }
    return true;
}

static bool read_request(Arena *arena, const Served *served, const char *body, size_t length,
                         ExploreOptions *options, ExploreSource *source) {
    JsonObject request = json_read(arena, body, length);
    if (request.mistake) return refuse("the request cannot be read: ", request.mistake);
    const JsonMember *file = json_member(&request, "file", false);
    const JsonMember *text = json_member(&request, "text", false);
    if (!text) return refuse("the request has no text", "");
    if (file && strcmp(file->texts.at[0].text, served->run->file) != 0)
        return refuse("there is no such file here", "");
    *source = (ExploreSource){.text = text->texts.at[0].text, .length = text->texts.at[0].length};
    return take_options(arena, served, &request, options);
}

// ---- A compilation

static int compile(void *context, const char *body, size_t length, int answer) {
    const Served *served = context;
    Arena *arena = arena_new("request");
    ExploreOptions options;
    ExploreSource source;
    if (!read_request(arena, served, body, length, &options, &source)) return SERVE_BAD_REQUEST;
    Confinement confinement = {.arena = arena};
    confine_allow_file(&confinement, served->run->file);
    for (uint32_t i = 0; i < served->run->own.count; i++)
        confine_allow_file(&confinement, served->run->own.at[i]);
    confine_allow_system(&confinement, served->run->own_headers);
    source.read = confine_read;
    source.context = &confinement;
    ExploreRun run = {
        .arena = arena, .command = served->run->command, .source = &source, .live = true};
    int status = explore_run(&run, &options);
    if (status == EXIT_GOOD && !write_to(answer, run.data.text, run.data.length)) status = EXIT_BAD;
    return status;
}

int explore_serve(ExploreRun *run, const ExploreOptions *options) {
    if (!serve_is_built()) return serve(NULL);
    run->live = true;
    int status = explore_run(run, options);
    if (status != EXIT_GOOD) return status;
    if (run->output) {
        gate_usage("--serve writes no file: -o does not go with it");
        return EXIT_USAGE;
    }
    Out page = {0};
    explore_write_page(&page, &run->data, true);
    Served served = {.options = options, .run = run};
    status = serve(&(ServeOptions){.port = options->port,
                                   .page = &page,
                                   .data = &run->data,
                                   .compile = compile,
                                   .context = &served});
    out_free(&page);
    return status;
}
