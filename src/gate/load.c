#include "gate/load.h"

#include "imp/imp_view.h"
#include "text/text.h"
#include "verify/verify.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

// The form that the ending of a path names; FORM_COUNT if it is none.
static Form form_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && dot != path ? form_named(dot + 1) : FORM_COUNT;
}

static void report_ending(Diag *diag, const char *path) {
    Out endings = {0};
    for (Form form = 0; form < FORM_COUNT; form++) out_printf(&endings, ", .%s", form_name(form));
    diag_error(diag, SPAN_NONE, "%s: the ending tells no form that gate can read (.c, .imp%.*s)",
               path, (int)endings.length, endings.text);
    out_free(&endings);
}

static void report(Diag *diag, const char *path, const Program *program,
                   const Complaints *complaints) {
    for (uint32_t i = 0; i < complaints->list.count; i++) {
        Out line = {0};
        complaint_print(&line, program, &complaints->list.at[i]);
        while (line.length && line.text[line.length - 1] == '\n') line.length--;
        out_char(&line, '\0');
        diag_error(diag, SPAN_NONE, "%s: %s", path, line.text);
        out_free(&line);
    }
}

static Program *load_c(Arena *arena, Diag *diag, const char *path, const CompileOptions *options,
                       bool *unreadable) {
    if (access(path, R_OK) != 0) {
        diag_error(diag, SPAN_NONE, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    *unreadable = false;
    return compile_c(arena, diag, path, options);
}

Program *load_program(Arena *arena, Diag *diag, const char *path, const CompileOptions *options,
                      bool *unreadable) {
    *unreadable = true;
    if (ends_with(path, ".c")) return load_c(arena, diag, path, options, unreadable);
    if (view_of_file(path) == VIEW_IMP) return view_load_imp(arena, diag, path, unreadable);
    Form form = form_of(path);
    if (form == FORM_COUNT) {
        report_ending(diag, path);
        return NULL;
    }
    char *text;
    size_t length;
    if (!read_file(arena, path, &text, &length)) {
        diag_error(diag, SPAN_NONE, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    *unreadable = false;
    if (length == 0) {
        diag_error(diag, SPAN_NONE, "%s is empty", path);
        return NULL;
    }
    const TargetModel *target = options->pp.target->model;
    Program *program = program_parse_for(target, arena, diag, form, path, text, length);
    if (!program) return NULL;
    Complaints complaints = {.arena = arena};
    if (verify_program(&complaints, program)) return program;
    report(diag, path, program, &complaints);
    return NULL;
}

Form form_of_program(const Program *program, Form otherwise) {
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func) return program->symbols.at[i].func->form;
    return otherwise;
}

int is_program_entry(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    bool found = dot && strcmp(dot, ".c") == 0;
    for (Form form = 0; form < FORM_COUNT; form++)
        found |= dot && strcmp(dot + 1, form_name(form)) == 0;
    return found;
}
