#include "imp/imp_view.h"

#include "form/fssa.h"
#include "imp/imp_fssa.h"
#include "imp/imp_run.h"
#include "imp/kleene.h"
#include "text/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_GOOD = 0, STATUS_BAD = 1, STATUS_USAGE = 2, STATUS_FUEL = 124, STATUS_WRONG = 125 };

ImpView view_named(const char *name) {
    if (strcmp(name, "imp") == 0) return VIEW_IMP;
    return strcmp(name, "kleene") == 0 ? VIEW_KLEENE : VIEW_NONE;
}

ImpView view_of_file(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && dot != path ? view_named(dot + 1) : VIEW_NONE;
}

bool view_option(ViewOptions *options, const char *argument) {
    if (strncmp(argument, "--result=", 9) == 0)
        options->result = argument + 9;
    else if (strcmp(argument, "--exact") == 0)
        options->exact = true;
    else if (strcmp(argument, "--clean") == 0)
        options->clean = true;
    else
        return false;
    return true;
}

// ---- Reading

static char *read_text(Arena *arena, Diag *diag, const char *path, size_t *length,
                       bool *unreadable) {
    char *text;
    *unreadable = !read_file(arena, path, &text, length);
    if (!*unreadable) return text;
    diag_error(diag, SPAN_NONE, "cannot read %s: %s", path, strerror(errno));
    return NULL;
}

static Imp *load_imp(Arena *arena, Diag *diag, const char *path, bool *unreadable) {
    size_t length;
    const char *text = read_text(arena, diag, path, &length, unreadable);
    Imp *imp = text ? imp_parse(arena, diag, path, text, length) : NULL;
    return imp && imp_verify(imp, diag) ? imp : NULL;
}

Program *view_load_imp(Arena *arena, Diag *diag, const char *path, bool *unreadable) {
    const Imp *imp = load_imp(arena, diag, path, unreadable);
    return imp ? imp_to_fssa(arena, imp, NULL, NULL) : NULL;
}

// ---- The identifier that was chosen

static bool reg_has_name(const Func *func, Reg reg, const char *name) {
    Out text = {0};
    reg_print(&text, func, reg);
    size_t skip = name[0] != '%';
    bool same = text.length == strlen(name) + skip &&
                memcmp(text.text + skip, name, text.length - skip) == 0;
    out_free(&text);
    return same;
}

static bool find_result(const Func *func, const ViewOptions *options, Reg *result) {
    *result = NO_REG;
    if (!options->result) return true;
    for (uint32_t i = 0; i < func->regs.count; i++)
        if (reg_has_name(func, (Reg){i}, options->result)) {
            *result = (Reg){i};
            return true;
        }
    return false;
}

// ---- Showing

static bool show_func(Arena *arena, Diag *diag, Out *out, const Func *func, ImpView view,
                      const FssaImpOptions *how) {
    if (view == VIEW_KLEENE) {
        const Kleene *kleene = kleene_of_fssa(arena, diag, func, how);
        if (kleene) kleene_print(out, kleene);
        return kleene != NULL;
    }
    const Imp *imp = fssa_to_imp(arena, diag, func, how);
    if (imp) imp_print(out, imp);
    return imp != NULL;
}

bool view_show(Arena *arena, Diag *diag, Out *out, const Program *program,
               const ViewOptions *options) {
    uint32_t functions = 0, found = 0;
    bool good = true;
    for (uint32_t i = 0; i < program->symbols.count; i++)
        functions += program->symbols.at[i].func != NULL;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Func *func = program->symbols.at[i].func;
        Reg result;
        if (!func || !find_result(func, options, &result)) continue;
        if (functions > 1) {
            out_text(out, found ? "\n# " : "# ");
            func_header_print(out, func);
            out_char(out, '\n');
        }
        found++;
        FssaImpOptions how = {.result = result, .exact = options->exact};
        good &= show_func(arena, diag, out, func, options->view, &how);
    }
    if (options->result && !found) {
        diag_error(diag, SPAN_NONE, "there is no identifier '%s'", options->result);
        return false;
    }
    return good;
}

// A program of Imp on its way through functional SSA, with its variables' last values.
static const Func *translate(Arena *arena, Diag *diag, const char *path, const ViewOptions *options,
                             FssaImpOptions *how, bool *unreadable) {
    const Imp *imp = load_imp(arena, diag, path, unreadable);
    Reg *last;
    if (!imp) return NULL;
    Program *program = imp_to_fssa(arena, imp, NULL, &last);
    const Func *func =
        program_at(program, program_find(program, str_of(&program->strings, "main")))->func;
    *how = (FssaImpOptions){.exact = options->exact, .last = last, .last_count = imp->names.count};
    if (find_result(func, options, &how->result)) return func;
    diag_error(diag, SPAN_NONE, "there is no identifier '%s'", options->result);
    return NULL;
}

static bool is_plain(const ViewOptions *options, const char *path) {
    return view_of_file(path) == options->view && !options->exact && !options->clean &&
           !options->result;
}

bool view_show_file(Arena *arena, Diag *diag, Out *out, const char *path,
                    const ViewOptions *options, bool *unreadable) {
    if (view_of_file(path) == VIEW_IMP && !is_plain(options, path)) {
        FssaImpOptions how;
        const Func *func = translate(arena, diag, path, options, &how, unreadable);
        return func && show_func(arena, diag, out, func, options->view, &how);
    }
    if (options->view == VIEW_IMP) {
        const Imp *imp = load_imp(arena, diag, path, unreadable);
        if (imp) imp_print(out, imp);
        return imp != NULL;
    }
    size_t length;
    const char *text = read_text(arena, diag, path, &length, unreadable);
    const Kleene *kleene = text ? kleene_parse(arena, diag, path, text, length) : NULL;
    if (kleene) kleene_print(out, kleene);
    return kleene != NULL;
}

// ---- Running

// The numbers behind the file; NULL after a message.
static int64_t *read_inputs(Arena *arena, Diag *diag, const ViewOptions *options, uint32_t count) {
    uint32_t given = options->argc > 0 ? (uint32_t)options->argc - 1 : 0;
    if (given != count) {
        diag_error(diag, SPAN_NONE, "the program has %u input%s, but %u %s given", count,
                   count == 1 ? "" : "s", given, given == 1 ? "was" : "were");
        return NULL;
    }
    int64_t *inputs = ARENA_ARRAY(arena, int64_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = options->argv[i + 1];
        char *end;
        errno = 0;
        inputs[i] = strtoll(text, &end, 0);
        if (errno || end == text || *end) {
            diag_error(diag, SPAN_NONE, "'%s' is not a number of 64 bits", text);
            return NULL;
        }
    }
    return inputs;
}

static int run_imp(Arena *arena, Diag *diag, const Imp *imp, const ViewOptions *options) {
    const int64_t *inputs = read_inputs(arena, diag, options, imp->inputs.count);
    if (!inputs) return STATUS_USAGE;
    ImpResult result;
    ImpRunOptions how = {.fuel = options->fuel, .inputs = inputs, .collect = options->trace};
    imp_run(arena, imp, &how, &result);
    out_flush(&result.output, stdout);
    out_free(&result.output);
    fflush(stdout);
    if (options->trace) {
        Out trace = {0};
        imp_print_trace(&trace, imp, &result.trace);
        out_flush(&trace, stderr);
        out_free(&trace);
    }
    if (result.end == IMP_END_RESULT) return STATUS_GOOD;
    if (result.end == IMP_END_WRONG)
        diag_error(diag, result.span, "wrong step: %s", result.reason);
    else
        fprintf(stderr, "gate: %s: out of fuel\n", options->argv[0]);
    return result.end == IMP_END_WRONG ? STATUS_WRONG : STATUS_FUEL;
}

static int run_kleene(Arena *arena, Diag *diag, const Kleene *kleene, const ViewOptions *options) {
    const int64_t *inputs = read_inputs(arena, diag, options, kleene->inputs.count);
    if (!inputs) return STATUS_USAGE;
    KleeneResult result;
    kleene_run(arena, kleene, inputs, options->fuel, &result);
    out_flush(&result.output, stdout);
    out_free(&result.output);
    fflush(stdout);
    if (result.end == KLEENE_WRONG)
        diag_error(diag, SPAN_NONE, "%s: wrong step: %s", options->argv[0], result.reason);
    if (result.end == KLEENE_FUEL) fprintf(stderr, "gate: %s: out of fuel\n", options->argv[0]);
    return result.end == KLEENE_WRONG  ? STATUS_WRONG
           : result.end == KLEENE_FUEL ? STATUS_FUEL
                                       : STATUS_GOOD;
}

static const Func *main_of(Diag *diag, Program *program, const ViewOptions *options) {
    Sym symbol = program_find(program, str_of(&program->strings, "main"));
    const Func *func = symbol.i == NO_ID ? NULL : program_at(program, symbol)->func;
    if (!func)
        diag_error(diag, SPAN_NONE, "%s: there is no function 'main' to run", options->argv[0]);
    return func;
}

static int run_func(Arena *arena, Diag *diag, const Func *func, const FssaImpOptions *how,
                    const ViewOptions *options) {
    if (options->view == VIEW_KLEENE) {
        const Kleene *kleene = kleene_of_fssa(arena, diag, func, how);
        return kleene ? run_kleene(arena, diag, kleene, options) : STATUS_BAD;
    }
    Imp *imp = fssa_to_imp(arena, diag, func, how);
    if (!imp || !imp_verify(imp, diag)) return STATUS_BAD;
    return run_imp(arena, diag, imp, options);
}

int view_run(Arena *arena, Diag *diag, const Program *program, const ViewOptions *options) {
    const Func *func = main_of(diag, (Program *)program, options);
    FssaImpOptions how = {.exact = options->exact};
    if (!func) return STATUS_BAD;
    if (find_result(func, options, &how.result)) return run_func(arena, diag, func, &how, options);
    diag_error(diag, SPAN_NONE, "there is no identifier '%s'", options->result);
    return STATUS_BAD;
}

int view_run_file(Arena *arena, Diag *diag, const char *path, const ViewOptions *options) {
    bool unreadable;
    if (view_of_file(path) == VIEW_IMP && !is_plain(options, path)) {
        FssaImpOptions how;
        const Func *func = translate(arena, diag, path, options, &how, &unreadable);
        return func         ? run_func(arena, diag, func, &how, options)
               : unreadable ? STATUS_USAGE
                            : STATUS_BAD;
    }
    if (options->view == VIEW_IMP) {
        const Imp *imp = load_imp(arena, diag, path, &unreadable);
        return imp ? run_imp(arena, diag, imp, options) : unreadable ? STATUS_USAGE : STATUS_BAD;
    }
    size_t length;
    const char *text = read_text(arena, diag, path, &length, &unreadable);
    if (!text) return STATUS_USAGE;
    const Kleene *kleene = kleene_parse(arena, diag, path, text, length);
    return kleene ? run_kleene(arena, diag, kleene, options) : STATUS_BAD;
}
