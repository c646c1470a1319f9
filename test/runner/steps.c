// Text tests and documents: files that hold their own input, commands and expectations.
//
// Both are parsed into a list of steps, which is then run in order. A step keeps the lines it came
// from, so that updating a file is: the lines of each step, then what its command really yielded.
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum { STEP_PROSE, STEP_INPUT, STEP_COMMAND } StepKind;

typedef struct {
    StepKind kind;
    int line;      // where it starts
    Text source;   // its lines in the file, without what is expected of a command
    Text body;     // the input or the command
    Text output;   // expected standard output
    Text errors;   // expected standard error
    char *name;    // of an input
    int status;    // expected exit status
    bool together; // in a document: output holds both streams, the status is not looked at
} Step;

typedef struct {
    Step *at;
    size_t count;
    const char *mistake; // what is wrong with the file itself, if anything
    int line;            // where
} StepList;

static Step *add_step(StepList *steps, StepKind kind, int line) {
    steps->at = reallocate(steps->at, (steps->count + 1) * sizeof *steps->at);
    Step *step = &steps->at[steps->count++];
    *step = (Step){.kind = kind, .line = line};
    Text *texts[] = {&step->source, &step->body, &step->output, &step->errors};
    for (size_t i = 0; i < 4; i++) add_bytes(texts[i], "", 0);
    return step;
}

// The end of the line, past its newline.
static const char *line_end(const char *line, const char *end) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    return newline ? newline + 1 : end;
}

// In a section, a line of backslashes (or none) and `---` is written with one more backslash, so
// that it is not taken for a section; a text without a final newline ends with a marker line.
static const char no_newline[] = "\\ no newline\n";

static bool needs_guard(const char *line, const char *end) {
    while (line < end && *line == '\\') line++;
    return end - line >= 3 && memcmp(line, "---", 3) == 0;
}

static void add_unguarded(Text *text, const char *line, const char *end) {
    if (*line == '\\' && needs_guard(line, end)) line++;
    add_bytes(text, line, (size_t)(end - line));
}

static void drop_marked_newline(Text *text) {
    size_t marker = strlen(no_newline);
    if (text->length <= marker || !ends(text->at, no_newline)) return;
    text->length -= marker + 1;
    text->at[text->length] = '\0';
}

static void add_guarded(Text *text, const Text *content) {
    const char *end = content->at + content->length;
    for (const char *line = content->at, *next; line < end; line = next) {
        next = line_end(line, end);
        if (needs_guard(line, next)) add_bytes(text, "\\", 1);
        add_bytes(text, line, (size_t)(next - line));
        if (next[-1] != '\n') add(text, "\n%s", no_newline);
    }
}

// Opens the section that a `---` line names: a new step, or a text of the command before it. Yields
// where the section's lines go: NULL if none may follow, as after a status and after a mistake.
static Text *open_section(StepList *steps, const char *header, int line) {
    steps->line = line;
    if (!strcmp(header, "--- command")) return &add_step(steps, STEP_COMMAND, line)->body;
    if (starts(header, "--- input ")) {
        const char *name = header + strlen("--- input ");
        Step *step = add_step(steps, STEP_INPUT, line);
        step->name = joined("%s", name);
        if (!*name || *name == '.' || strchr(name, '/')) steps->mistake = "not a plain file name";
        return &step->body;
    }
    Step *step = &steps->at[steps->count - 1];
    if (step->kind != STEP_COMMAND) {
        steps->mistake = "neither an input nor a command, and no command before it";
        return NULL;
    }
    if (!strcmp(header, "--- output")) return &step->output;
    if (!strcmp(header, "--- errors")) return &step->errors;
    char rest;
    if (sscanf(header, "--- status %d%c", &step->status, &rest) != 1)
        steps->mistake = "no such section (input NAME, command, output, errors, status N)";
    return NULL;
}

static void parse_text_test(StepList *steps, const Text *file) {
    const char *end = file->at + file->length;
    Step *step = add_step(steps, STEP_PROSE, 1);
    Text *section = &step->body;
    int number = 1;
    for (const char *line = file->at, *next; line < end; line = next, number++) {
        next = line_end(line, end);
        if (end - line >= 3 && memcmp(line, "---", 3) == 0) {
            char *header = strndup(line, strcspn(line, "\n"));
            section = open_section(steps, header, number);
            free(header);
            step = &steps->at[steps->count - 1];
        } else if (section) {
            add_unguarded(section, line, next);
        } else {
            steps->line = number;
            steps->mistake = "text that belongs to no section";
        }
        if (steps->mistake) return;
        if (section == &step->body) add_bytes(&step->source, line, (size_t)(next - line));
    }
    for (size_t i = 0; i < steps->count; i++) {
        step = &steps->at[i];
        drop_marked_newline(&step->body);
        drop_marked_newline(&step->output);
        drop_marked_newline(&step->errors);
    }
}

// In a document, a fenced block marked `console` holds lines `$ COMMAND`, each followed by what it
// prints. A command goes on after a backslash at the end of a line.
static void parse_document(StepList *steps, const Text *file) {
    const char *end = file->at + file->length;
    Step *step = add_step(steps, STEP_PROSE, 1);
    bool inside = false, continued = false;
    int number = 1;
    for (const char *line = file->at, *next; line < end; line = next, number++) {
        next = line_end(line, end);
        size_t length = (size_t)(next - line);
        if (inside && (continued || starts(line, "$ "))) {
            size_t prompt = continued ? 0 : 2;
            if (!continued) step = add_step(steps, STEP_COMMAND, number);
            step->together = true;
            add_bytes(&step->source, line, length);
            add_bytes(&step->body, line + prompt, length - prompt);
            continued = ends(step->body.at, "\\\n");
        } else if (starts(line, "```")) {
            inside = !inside && starts(line, "```console\n");
            if (step->kind != STEP_PROSE) step = add_step(steps, STEP_PROSE, number);
            add_bytes(&step->source, line, length);
        } else {
            add_bytes(step->kind == STEP_COMMAND ? &step->output : &step->source, line, length);
        }
    }
}

typedef struct {
    Text output;
    Text errors;
    int status;
} Result;

// Runs a command step; `previous` is the status that $? shows it.
static Result run_step(const Test *test, const Step *step, int previous) {
    char *work = joined("%s/work", test->scratch);
    char *out = joined("%s/stdout", test->scratch);
    char *err = step->together ? out : joined("%s/stderr", test->scratch);
    char *command = joined("(exit %d)\n%s", previous, step->body.at);
    Result result = {.status = run_command(command, work, out, err)};
    add_bytes(&result.errors, "", 0);
    if (!read_whole(out, &result.output) || (err != out && !read_whole(err, &result.errors)))
        die("cannot read what %s printed", test->name);
    if (step->together && result.output.length && !ends(result.output.at, "\n"))
        add_bytes(&result.output, "\n", 1);
    return result;
}

// Reports the difference between what was expected and what came, if any.
static bool compare(const Test *test, const char *what, const Text *expected, const Text *actual,
                    Text *report) {
    if (expected->length == actual->length && !memcmp(expected->at, actual->at, actual->length))
        return true;
    char *a = joined("%s/expected-%s", test->scratch, what);
    char *b = joined("%s/actual-%s", test->scratch, what);
    char *out = joined("%s/difference", test->scratch);
    write_whole(a, expected->at, expected->length);
    write_whole(b, actual->at, actual->length);
    char *command = joined("diff -a -u --label 'expected %s' --label 'actual %s' '%s' '%s' | "
                           "sed '80{s/.*/.../;q}'",
                           what, what, a, b);
    run_command(command, "/", out, out);
    Text difference = {0};
    if (read_whole(out, &difference)) add_indented(report, difference.at);
    return false;
}

static bool judge(const Test *test, const Step *step, const Result *result, Text *report) {
    Text complaint = {0};
    if (!step->together && result->status != step->status)
        add(&complaint, "    expected exit status %d, got %d\n", step->status, result->status);
    compare(test, "output", &step->output, &result->output, &complaint);
    compare(test, "errors", &step->errors, &result->errors, &complaint);
    if (!complaint.length) return true;
    add(report, "  line %d: %.*s\n", step->line, (int)strcspn(step->body.at, "\n"), step->body.at);
    add_bytes(report, complaint.at, complaint.length);
    return false;
}

// What the file would say if the result were the expected one.
static void add_updated(Text *file, const Step *step, const Result *result) {
    add_bytes(file, step->source.at, step->source.length);
    if (step->kind != STEP_COMMAND) return;
    if (step->together) {
        add_bytes(file, result->output.at, result->output.length);
        return;
    }
    if (result->output.length) add(file, "--- output\n");
    add_guarded(file, &result->output);
    if (result->errors.length) add(file, "--- errors\n");
    add_guarded(file, &result->errors);
    if (result->status) add(file, "--- status %d\n", result->status);
}

// A document's commands see the repository's files, but what they write goes to the scratch
// directory.
static void link_repository(const Options *options, const Test *test) {
    DIR *directory = opendir(options->root);
    if (!directory) die("cannot read %s: %s", options->root, strerror(errno));
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        char *from = joined("%s/%s", options->root, entry->d_name);
        char *to = joined("%s/work/%s", test->scratch, entry->d_name);
        if (symlink(from, to) != 0) die("cannot link %s: %s", to, strerror(errno));
    }
    closedir(directory);
}

static void update(const char *path, const Text *before, const Text *after, Text *report) {
    if (before->length == after->length && !memcmp(before->at, after->at, after->length)) return;
    write_whole(path, after->at, after->length);
    add(report, "  updated\n");
}

void run_steps(const Options *options, const Test *test, Outcome *outcome) {
    char *path = joined("%s/%s", options->root, test->name);
    Text before = {0}, after = {0};
    if (!read_whole(path, &before)) die("cannot read %s: %s", path, strerror(errno));
    StepList steps = {.line = 1};
    if (test->kind == KIND_DOCUMENT)
        parse_document(&steps, &before);
    else
        parse_text_test(&steps, &before);
    unsigned commands = 0;
    for (size_t i = 0; i < steps.count; i++) commands += steps.at[i].kind == STEP_COMMAND;
    if (test->kind == KIND_DOCUMENT && !commands) return; // nothing to test in this one
    if (!commands && !steps.mistake) steps.mistake = "no command section";
    if (steps.mistake) {
        add(&outcome->report, "  line %d: %s\n", steps.line, steps.mistake);
        outcome->failed = 1;
        return;
    }
    if (test->kind == KIND_DOCUMENT) link_repository(options, test);
    Result result = {0};
    for (size_t i = 0; i < steps.count; i++) {
        const Step *step = &steps.at[i];
        if (step->kind == STEP_INPUT)
            write_whole(joined("%s/work/%s", test->scratch, step->name), step->body.at,
                        step->body.length);
        if (step->kind == STEP_COMMAND) {
            result = run_step(test, step, result.status);
            if (!options->update && !judge(test, step, &result, &outcome->report))
                outcome->failed = 1;
        }
        add_updated(&after, step, &result);
    }
    if (options->update) update(path, &before, &after, &outcome->report);
    outcome->passed = !outcome->failed;
}
