// Compiling C to RTL: preprocess, parse, lower, verify. Each function is lowered as soon as it has
// been parsed, so that only one tree is alive at a time.
#include "c/compile/compile.h"

#include "base/deep_stack.h"
#include "c/compile/function_warnings.h"
#include "c/lower/lower.h"
#include "target/target.h"
#include "verify/verify.h"

#include <string.h>

// The data for the callbacks of the parser.
typedef struct {
    Lower *lower;
    Arena *arena;
    WarningPlaces *places;
} Lowering;

static void on_function(void *context, Decl *func) {
    const Lowering *lowering = context;
    FunctionPlace place = {.name = func->name->name,
                           .pos = func->pos,
                           .returns_pointer = func->type->base->kind == CT_POINTER};
    vec_push(lowering->arena, &lowering->places->functions, place);
    lower_function(lowering->lower, func);
}

static void on_assembler(void *context, const CString *text, uint32_t order) {
    lower_file_assembler(((const Lowering *)context)->lower, text, order);
}

static void on_reserve(void *context, Decl *variable) {
    lower_reserve(((const Lowering *)context)->lower, variable);
}

static void on_finish(void *context, Decl *const *decls, uint32_t count) {
    lower_finish(((const Lowering *)context)->lower, decls, count);
}

void compile_defaults(CompileOptions *options) {
    *options = (CompileOptions){0};
    warnings_init(&options->warnings);
    compile_for(options, &targets[0]);
}

void compile_for(CompileOptions *options, const Target *target) {
    options->pp.target = target;
    options->pp.unsigned_char = target->language->model.char_is_unsigned;
}

// A program that the verifier refuses is a mistake of ours, never the user's.
static bool verified(Arena *arena, Diag *diag, const char *path, const Program *program) {
    Complaints complaints = {.arena = arena};
    if (verify_program(&complaints, program)) return true;
    for (uint32_t i = 0; i < complaints.list.count; i++) {
        Out line = {0};
        complaint_print(&line, program, &complaints.list.at[i]);
        diag_error(diag, SPAN_NONE, "%s: internal error: %.*s", path, (int)line.length, line.text);
        out_free(&line);
    }
    return false;
}

// Whether types tell objects apart. What is cut out of a text must not depend on that.
static bool is_strict(const CompileOptions *options) {
    if (options->aliasing != ALIASING_BY_LEVEL) return options->aliasing == ALIASING_STRICT;
    return options->pp.optimize >= 2 && !options->units;
}

// The first standard allows shifts of negative numbers.
static SanitizeOptions checks_of(const CompileOptions *options) {
    static const char *const oldest[] = {"c89",   "c90",  "iso9899:1990", "iso9899:199409",
                                         "gnu89", "gnu90"};
    SanitizeOptions checks = options->sanitize;
    for (size_t i = 0; options->standard && i < sizeof oldest / sizeof *oldest; i++)
        if (strcmp(options->standard, oldest[i]) == 0) checks.c90 = true;
    // A check that reports does not trap.
    SanitizerSet overflow = SANITIZE_BIT(OVERFLOW);
    checks.traps_overflow &= !(checks.on & overflow);
    if (checks.traps_overflow) checks.trap |= overflow;
    return checks;
}

static void parse_and_lower(Arena *arena, Diag *diag, Pp *pp, Program *program,
                            const CompileOptions *options, WarningPlaces *places) {
    Types types;
    types_init(&types, arena, pp_language(pp));
    if (options->pp.unsigned_char) types_unsigned_char(&types);
    if (options->pp.short_wchar) types_short_wchar(&types);
    Lower *lower = lower_new(arena, pp, &types, diag, program);
    lower_symbol_defaults(lower, options->symbols);
    if (options->no_math_errno) lower_without_errno(lower);
    if (options->whole_units) lower_whole_units(lower);
    if (options->dialect.library_atomics) lower_library_atomics(lower);
    if (options->rounding_math) lower_any_rounding(lower);
    lower_checks(lower, checks_of(options));
    lower_locals(lower, options->locals);
    lower_units(lower, options->units);
    lower_coverage(lower, options->coverage);
    lower_instrument(lower, options->instrument);
    if (options->debug) lower_describe(lower, options->debug);
    if (options->notes) lower_notes(lower, options->notes);
    if (options->no_builtins) lower_no_builtins(lower);
    lower_not_builtin(lower, options->not_builtins.at, options->not_builtins.count);
    if (options->endless_loops || pp_is_before_c11(options->standard)) lower_endless_loops(lower);
    if (is_strict(options)) lower_strict_aliasing(lower);
    if (options->order) lower_order(lower, options->order, options->ordered);
    if (options->variables_in_memory) lower_variables_in_memory(lower);
    lower_variables(lower, &places->variables);
    if (wants_limits(pp)) lower_subscripts(lower, &places->subscripts);
    Lowering lowering = {.lower = lower, .arena = arena, .places = places};
    ParseOptions parse = {.pp = pp,
                          .types = &types,
                          .arena = arena,
                          .diag = diag,
                          .function = on_function,
                          .assembler = on_assembler,
                          .reserve = on_reserve,
                          .finish = on_finish,
                          .context = &lowering,
                          .pedantic = options->pedantic,
                          .rounding_math = options->rounding_math,
                          .standard = options->standard,
                          .no_trapping_math = options->no_trapping_math,
                          .gnu_inline = options->pp.gnu_inline,
                          .dialect = options->dialect,
                          .exceptions = options->exceptions,
                          .short_enums = options->short_enums,
                          .pack_all = options->pack_all,
                          .pack = options->pack,
                          .optimize = options->pp.optimize && !options->units,
                          .no_builtins = options->no_builtins,
                          .units = options->units};
    memcpy(&parse.not_builtins, &options->not_builtins, sizeof parse.not_builtins);
    parse_unit(&parse);
    lower_free(lower);
}

typedef struct {
    Arena *arena;
    Diag *diag;
    Pp *pp;
    Program *program;
    const char *path;
    const CompileOptions *options;
    WarningPlaces *places;
} FrontEnd;

static void run_front_end(void *context) {
    const FrontEnd *front = context;
    if (pp_open(front->pp, front->path))
        parse_and_lower(front->arena, front->diag, front->pp, front->program, front->options,
                        front->places);
}

Program *compile_c(Arena *arena, Diag *diag, const char *path, const CompileOptions *options) {
    Program *program = program_new(arena);
    program->target = options->pp.target->model;
    PpOptions pp_options = options->pp;
    pp_options.arena = arena;
    pp_options.diag = diag;
    pp_options.strings = &program->strings;
    pp_options.warnings = &options->warnings;
    pp_options.keep_invocations = options->units != NULL;
    if (options->units)
        pp_options.optimize = 0; // text that is cut out of the source is not changed before
    if (!pp_options.standard) pp_options.standard = options->standard;
    uint32_t errors = diag->errors;
    Pp *pp = pp_new(&pp_options);
    WarningPlaces places = {0};
    FrontEnd front = {.arena = arena,
                      .diag = diag,
                      .pp = pp,
                      .program = program,
                      .path = path,
                      .options = options,
                      .places = &places};
    stack_run(run_front_end, &front);
    if (options->after) options->after(options->context, pp);
    bool good = diag->errors == errors && verified(arena, diag, path, program);
    if (good)
        warn_of_functions(pp, diag, program, &options->warnings, &places,
                          options->variables_in_memory);
    pp_free(pp);
    return good && diag->errors == errors ? program : NULL;
}
