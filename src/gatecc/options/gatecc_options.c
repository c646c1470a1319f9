// The command line of gatecc: one table of options, each with what to do with its argument and to
// which other programs it is passed on. Options that are in no table are warned of when all have
// been read, since -Werror may come last.
#include "gatecc/options/gatecc_options.h"
#include "gatecc/options/dialect_options.h"

#include "base/spelling.h"
#include "gatecc/options/certified_options.h"
#include "gatecc/options/inputs.h"
#include "gatecc/options/long_options.h"
#include "gatecc/options/make_quote.h"
#include "gatecc/options/message_options.h"
#include "gatecc/options/missing_options.h"
#include "gatecc/options/object_options.h"
#include "gatecc/options/sanitize_options.h"
#include "pass/fact_kinds.h"
#include "solve/cadical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How an option takes its argument.
typedef enum {
    ARGUMENT_NONE,     // -E
    ARGUMENT_JOINED,   // -std=gnu17
    ARGUMENT_EITHER,   // -Idir or -I dir
    ARGUMENT_SEPARATE, // -include file
} ArgumentForm;

typedef struct {
    GateccOptions *options;
    Arena *arena;
    const char *text;     // the word
    const char *name;     // as the table has it
    const char *argument; // NULL if the option has none
} OptionUse;

// Who is to hear of an option.
enum {
    FOR_FRONT = 1,      // concerns the reading of C: other programs have it, too
    FOR_LINK = 2,       // passed on to the linker
    FOR_PREPROCESS = 4, // passed on where assembler text is preprocessed
    FOR_BOTH = FOR_FRONT | FOR_PREPROCESS,
    LINKS = 8 | FOR_LINK, // something to be linked, as an input is
};

typedef struct {
    const char *name;
    ArgumentForm form;
    bool (*handle)(OptionUse *use); // false after a message; NULL: nothing to do
    unsigned who;
} OptionRow;

static bool option_error(const char *format, const char *what) {
    fprintf(stderr, "gatecc: error: ");
    fprintf(stderr, format, what);
    fputc('\n', stderr);
    return false;
}

// The same about a value, and the nearest of the names, a list that ends with NULL.
static bool value_error(const char *format, const char *value, const char *const *names) {
    const char *nearest = spelling_nearest(value, names);
    fprintf(stderr, "gatecc: error: ");
    fprintf(stderr, format, value);
    if (nearest) fprintf(stderr, "; did you mean '%s'?", nearest);
    fputc('\n', stderr);
    return false;
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool number_argument(const char *text, uint32_t *number) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end) return option_error("'%s' is not a number", text);
    *number = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    return true;
}

static bool on_other(OptionUse *use);

// ---- What is done and where it goes

static bool set_mode(OptionUse *use, GateccMode mode) {
    if (mode < use->options->mode) use->options->mode = mode;
    return true;
}

static bool on_preprocess(OptionUse *use) {
    return set_mode(use, MODE_PREPROCESS);
}

static bool on_syntax_only(OptionUse *use) {
    return set_mode(use, MODE_SYNTAX);
}

static bool on_assembly(OptionUse *use) {
    return set_mode(use, MODE_ASSEMBLY);
}

static bool on_object(OptionUse *use) {
    return set_mode(use, MODE_OBJECT);
}

// Forms are made by passes, but for the first.
static bool is_made(Form form) {
    bool made = form == FORM_FIRST;
    for (uint32_t i = 0; i < step_count && !made; i++)
        made = pass_table[step_at(i).pass].to == form;
    return made;
}

static bool on_emit(OptionUse *use) {
    Out forms = {0};
    for (Form form = 0; form < FORM_COUNT; form++) {
        if (!is_made(form)) continue;
        if (strcmp(use->argument, form_name(form)) == 0) {
            out_free(&forms);
            use->options->emit = form;
            return set_mode(use, MODE_EMIT);
        }
        out_printf(&forms, " %s", form_name(form));
    }
    fprintf(stderr, "gatecc: error: there is no form '%s' (forms:%.*s)\n", use->argument,
            (int)forms.length, forms.text);
    out_free(&forms);
    return false;
}

static bool on_no_markers(OptionUse *use) {
    return use->options->no_line_markers = true;
}

// -dM, -dD, ...: letters of what -E is to print. Others are about dumps of gcc's own.
static bool on_dump(OptionUse *use) {
    PpOptions *pp = &use->options->compile.pp;
    if (strlen(use->argument) > 3) return on_other(use);
    for (const char *letter = use->argument; *letter; letter++) {
        switch (*letter) {
        case 'M': use->options->dump_macros = true; break;
        case 'D': pp->definitions = DEFINITIONS_KEPT; break;
        case 'N': pp->definitions = DEFINITIONS_NAMED; break;
        case 'I': pp->keep_includes = true; break;
        case 'U':
            return option_error("option '%s' is not supported: uses of macros are not told",
                                use->text);
        default: break;
        }
    }
    return *use->argument || option_error("option '%s' needs an argument", use->text);
}

static bool on_comments(OptionUse *use) {
    return use->options->compile.pp.keep_comments = true;
}

static bool on_show_includes(OptionUse *use) {
    return use->options->compile.pp.show_includes = true;
}

static bool on_missing(OptionUse *use) {
    return use->options->compile.pp.missing_is_good = true;
}

static bool on_output(OptionUse *use) {
    use->options->output = use->argument;
    return true;
}

static bool on_language(OptionUse *use) {
    bool none = strcmp(use->argument, "none") == 0;
    use->options->language = none ? NULL : use->argument;
    return none || language_is_known(use->argument) ||
           option_error("the language '%s' is not supported", use->argument);
}

// -M, -MM, -MD, -MMD.
static bool on_dependencies(OptionUse *use) {
    GateccOptions *options = use->options;
    options->dependencies = true;
    if (!strchr(use->name, 'D')) set_mode(use, MODE_DEPENDENCIES);
    if (starts_with(use->name, "-MM")) options->dependencies_skip_system = true;
    return true;
}

static bool on_phony(OptionUse *use) {
    return use->options->dependencies_phony = true;
}

static bool on_dependency_file(OptionUse *use) {
    use->options->dependency_file = use->argument;
    return true;
}

static bool on_target(OptionUse *use) {
    bool quote = use->name[2] == 'Q';
    words_add(use->arena, &use->options->targets,
              quote ? make_quoted(use->arena, use->argument) : use->argument);
    return true;
}

// ---- How C is read

static bool on_directory(OptionUse *use) {
    static const struct {
        const char *name;
        DirKind kind;
    } kinds[] = {{"-I", DIR_BRACKET},
                 {"-iquote", DIR_QUOTE},
                 {"-isystem", DIR_SYSTEM},
                 {"-idirafter", DIR_AFTER}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(use->name, kinds[i].name) == 0)
            vec_push(use->arena, &use->options->compile.pp.dirs,
                     (struct SearchDir){.path = use->argument, .kind = kinds[i].kind});
    return true;
}

static void add_macro(OptionUse *use, const char *text, bool undefine) {
    vec_push(use->arena, &use->options->compile.pp.macros,
             (struct CommandMacro){.text = text, .undefine = undefine});
}

static bool on_macro(OptionUse *use) {
    add_macro(use, use->argument, use->name[1] == 'U');
    return true;
}

static bool on_pthread(OptionUse *use) {
    add_macro(use, "_REENTRANT", false);
    use->options->profile.threads = true;
    return true;
}

static bool on_include(OptionUse *use) {
    vec_push(use->arena, &use->options->compile.pp.includes, use->argument);
    return true;
}

static bool on_imacros(OptionUse *use) {
    vec_push(use->arena, &use->options->compile.pp.imacros, use->argument);
    return true;
}

static bool on_no_standard(OptionUse *use) {
    return use->options->compile.pp.no_standard_dirs = true;
}

static bool on_undef(OptionUse *use) {
    return use->options->compile.pp.no_predefined = true;
}

// gnu17, c99, iso9899:2011, ...
static bool on_standard(OptionUse *use) {
    static const char *const years[] = {"89", "90", "99", "9x", "11", "1x", "17", "18", "2x", "23"};
    const char *name = use->argument;
    bool known = starts_with(name, "iso9899:");
    const char *year = starts_with(name, "gnu") ? name + 3 : name[0] == 'c' ? name + 1 : "";
    for (size_t i = 0; i < sizeof years / sizeof years[0] && !known; i++)
        known = strcmp(year, years[i]) == 0;
    use->options->compile.standard = name;
    static const char *const names[] = {"c11",   "c17",   "c99",   "c90",   "c89",   "c2x", "gnu11",
                                        "gnu17", "gnu99", "gnu90", "gnu89", "gnu2x", NULL};
    if (strchr(name, '+')) return option_error("there is no standard '%s' of C", name);
    return known || value_error("there is no standard '%s' of C", name, names);
}

static bool on_ansi(OptionUse *use) {
    use->options->compile.standard = "c90";
    return true;
}

static bool on_trigraphs(OptionUse *use) {
    return use->options->compile.pp.trigraphs = true;
}

static bool on_system_root(OptionUse *use) {
    size_t length = strlen(use->argument);
    while (length && use->argument[length - 1] == '/') length--;
    use->options->compile.pp.system_root = arena_text(use->arena, use->argument, length);
    return true;
}

static bool on_preprocessed(OptionUse *use) {
    use->options->preprocessed = use->text[2] == 'p';
    return true;
}

static bool is_negative(const OptionUse *use) {
    return starts_with(use->name, "-fno-");
}

// -ffreestanding, -fhosted. Where there may be no library, its names mean nothing.
static bool on_freestanding(OptionUse *use) {
    bool freestanding = (strstr(use->name, "freestanding") != NULL) != is_negative(use);
    use->options->compile.pp.freestanding = use->options->compile.no_builtins = freestanding;
    return true;
}

static bool on_builtin(OptionUse *use) {
    use->options->compile.no_builtins = is_negative(use);
    return true;
}

static bool on_one_builtin(OptionUse *use) {
    if (is_negative(use)) vec_push(use->arena, &use->options->compile.not_builtins, use->argument);
    return true;
}

// -fsigned-char, -funsigned-char.
static bool on_char(OptionUse *use) {
    use->options->compile.pp.unsigned_char =
        (strstr(use->name, "unsigned") != NULL) != is_negative(use);
    return true;
}

static bool on_gnu_inline(OptionUse *use) {
    use->options->compile.pp.gnu_inline = !is_negative(use);
    return true;
}

// ---- Warnings and messages

static bool on_pedantic(OptionUse *use) {
    // Of the warnings that are on anyway, those about what C forbids.
    static const char *const forbidden[] = {"pedantic",
                                            "pointer-arith",
                                            "int-conversion",
                                            "incompatible-pointer-types",
                                            "discarded-qualifiers",
                                            "excess-initializers"};
    WarningSet *warnings = &use->options->compile.warnings;
    use->options->compile.pp.pedantic = use->options->compile.pedantic = true;
    warnings_option(warnings, "pedantic");
    bool errors = strcmp(use->name, "-pedantic-errors") == 0;
    for (size_t i = 0; errors && i < sizeof forbidden / sizeof *forbidden; i++)
        warnings_set(warnings, forbidden[i], LEVEL_ERROR);
    return true;
}

static bool on_no_warnings(OptionUse *use) {
    warnings_none(&use->options->compile.warnings);
    return true;
}

static bool on_warning(OptionUse *use) {
    const char *name = *use->argument ? use->argument : "extra";
    if (strcmp(name, "pedantic") == 0 || strcmp(name, "error=pedantic") == 0)
        use->options->compile.pp.pedantic = use->options->compile.pedantic = true;
    return warnings_option(&use->options->compile.warnings, name) || on_other(use);
}

static bool on_fatal_errors(OptionUse *use) {
    use->options->error_limit = 1;
    use->options->messages.fatal_errors = true;
    return true;
}

static bool on_include_depth(OptionUse *use) {
    return number_argument(use->argument, &use->options->compile.pp.include_depth);
}

static bool on_error_limit(OptionUse *use) {
    use->options->messages.limit_given = true;
    return number_argument(use->argument, &use->options->error_limit);
}

// -fdiagnostics-color[=WHEN], -fcolor-diagnostics, and their no- forms.
static bool on_colour(OptionUse *use) {
    ColourUse colour = strstr(use->name, "-fno-") ? COLOUR_NEVER : COLOUR_ALWAYS;
    if (use->argument && strcmp(use->argument, "auto") == 0) colour = COLOUR_AUTO;
    if (use->argument && strcmp(use->argument, "never") == 0) colour = COLOUR_NEVER;
    if (use->argument && colour == COLOUR_ALWAYS && strcmp(use->argument, "always") != 0)
        return option_error("there is no use of colour '%s' (auto, always, never)", use->argument);
    use->options->colour = colour;
    return true;
}

// -fdiagnostics-..., -ftabstop= and the like.
static bool on_messages(OptionUse *use) {
    bool good = message_option(&use->options->messages, use->text);
    if (use->options->messages.plain) use->options->colour = COLOUR_NEVER;
    use->options->messages.plain = false;
    return good;
}

// -fopt-info and its variants, -Rpass= and its kin.
static bool on_remarks(OptionUse *use) {
    return remark_option(&use->options->remarks, use->text);
}

static bool on_verbose(OptionUse *use) {
    return use->options->verbose = true;
}

static bool on_dry(OptionUse *use) {
    return use->options->dry = true;
}

static bool on_stats(OptionUse *use) {
    return use->options->stats = true;
}

static bool on_time_report(OptionUse *use) {
    return use->options->timed = true;
}

static bool on_locations(OptionUse *use) {
    return use->options->locations = true;
}

static bool on_save_temporaries(OptionUse *use) {
    const char *where = use->argument;
    use->options->kept_here = strcmp(where, "=cwd") == 0;
    use->options->save_temporaries =
        !*where || use->options->kept_here || strcmp(where, "=obj") == 0;
    return use->options->save_temporaries || on_other(use);
}

// ---- Optimization and code

// -O, -O0 .. -O3, -Og, -Os, -Oz, -Ofast.
static bool on_level(OptionUse *use) {
    const char *level = use->argument;
    use->options->for_debugging = strcmp(level, "g") == 0;
    if (strcmp(level, "fast") == 0) {
        math_option(&use->options->math, "-ffast-math");
        use->options->compile.no_math_errno = true;
        vec_push(use->arena, &use->options->link, (LinkWord){.text = "-ffast-math"});
    }
    use->options->compile.pp.optimize_size = strcmp(level, "s") == 0 || strcmp(level, "z") == 0;
    if (!*level || strcmp(level, "g") == 0)
        use->options->level = 1;
    else if (strcmp(level, "s") == 0 || strcmp(level, "z") == 0 || strcmp(level, "fast") == 0)
        use->options->level = 2;
    else if (!number_argument(level, &use->options->level))
        return false;
    else if (use->options->level > 2)
        use->options->level = 2;
    return true;
}

static bool on_inline(OptionUse *use) {
    use->options->no_inline = strcmp(use->text, "-fno-inline") == 0;
    return true;
}

static bool on_sibling_calls(OptionUse *use) {
    use->options->calls_return = strcmp(use->text, "-fno-optimize-sibling-calls") == 0;
    return true;
}

static bool on_check(OptionUse *use) {
    static const char *const names[] = {[CHECK_FAST] = "fast",
                                        [CHECK_STEPS] = "steps",
                                        [CHECK_MATRIX] = "matrix",
                                        [CHECK_OFF] = "off"};
    for (CheckMode check = 0; check < sizeof names / sizeof names[0]; check++) {
        if (strcmp(use->argument, names[check]) != 0) continue;
        use->options->check = check;
        return check != CHECK_MATRIX || cadical_is_installed() ||
               option_error("%s", CADICAL_MISSING);
    }
    return option_error("there is no check '%s' (checks: fast steps matrix off)", use->argument);
}

static bool on_certificate(OptionUse *use) {
    use->options->certificate = use->argument;
    return true;
}

static bool on_dump_rejected(OptionUse *use) {
    use->options->dump_directory = use->argument;
    return true;
}

// -gz, -gz=KIND: the assembler compresses.
static bool on_compress_debug(OptionUse *use) {
    const char *kind = use->argument;
    words_add(use->arena, &use->options->to_assemble,
              *kind ? arena_printf(use->arena, "--compress-debug-sections%s", kind)
                    : "--compress-debug-sections");
    return true;
}

// The number that a text of one digit is; 10 for others.
static uint32_t digit_of(const char *text) {
    return text[0] >= '0' && text[0] <= '9' && !text[1] ? (uint32_t)(text[0] - '0') : 10;
}

// -g, -gLEVEL, -ggdb, -ggdbLEVEL, -gdwarf, -gdwarf-VERSION. Others only tune what is told.
static bool on_debug(OptionUse *use) {
    GateccOptions *options = use->options;
    const char *text = use->argument;
    if (starts_with(text, "gdb")) text += strlen("gdb");
    if (digit_of(text) <= 3) {
        options->debug = digit_of(text);
        return true;
    }
    bool versioned = starts_with(text, "dwarf-");
    if (*text && !versioned && strcmp(text, "dwarf") != 0) return on_other(use);
    uint32_t version = versioned ? digit_of(text + strlen("dwarf-")) : options->dwarf;
    if (version < 2 || version > 5)
        return option_error("there is no version %s of DWARF", text + strlen("dwarf-"));
    options->dwarf = version < 4 ? 4 : version;
    if (options->debug < 2) options->debug = 2;
    return true;
}

// -fPIC, -fpic, -fPIE, -fpie, -fno-pic, ...
static bool on_pic(OptionUse *use) {
    const char *kind = use->name + strlen(is_negative(use) ? "-fno-" : "-f");
    bool executable = strcmp(kind, "pie") == 0 || strcmp(kind, "PIE") == 0;
    use->options->pic = executable ? PIC_PIE : PIC_SHARED;
    if (is_negative(use)) use->options->pic = PIC_NONE;
    use->options->pic_small = kind[0] == 'p';
    return true;
}

static bool on_interposition(OptionUse *use) {
    use->options->bound = is_negative(use);
    return true;
}

static bool on_frame_pointer(OptionUse *use) {
    use->options->frame_pointer_given = true;
    use->options->frame_pointer = starts_with(use->name, "-fno-");
    return true;
}

static bool on_sections(OptionUse *use) {
    bool on = !is_negative(use);
    if (strstr(use->name, "function"))
        use->options->function_sections = on;
    else
        use->options->data_sections = on;
    return true;
}

static bool on_common(OptionUse *use) {
    use->options->compile.symbols.common = strcmp(use->name, "-fcommon") == 0;
    return true;
}

static bool on_dialect(OptionUse *use) {
    dialect_option(&use->options->compile, use->name);
    return true;
}

static bool on_scalar_order(OptionUse *use) {
    return dialect_order(&use->options->compile.dialect, use->argument) ||
           option_error(DIALECT_NO_ORDER, use->argument);
}

static bool on_charset(OptionUse *use) {
    dialect_charset(&use->options->compile.pp, use->name, use->argument);
    return true;
}

static bool on_visibility(OptionUse *use) {
    static const char *const names[] = {[VIS_DEFAULT] = "default",
                                        [VIS_HIDDEN] = "hidden",
                                        [VIS_PROTECTED] = "protected",
                                        [VIS_INTERNAL] = "internal",
                                        NULL};
    for (Visibility visibility = 0; names[visibility]; visibility++) {
        if (strcmp(use->argument, names[visibility]) != 0) continue;
        use->options->compile.symbols.visibility = visibility;
        return true;
    }
    return value_error("there is no visibility '%s'", use->argument, names);
}

// -fmacro-prefix-map=OLD=NEW: for __FILE__.
static bool on_macro_prefix_map(OptionUse *use) {
    if (!strchr(use->argument, '='))
        return option_error("'%s' has no '=' in its argument", use->text);
    vec_push(use->arena, &use->options->compile.pp.prefixes, use->argument);
    return true;
}

// -fdebug-prefix-map=OLD=NEW
static bool on_prefix_map(OptionUse *use) {
    words_add(use->arena, &use->options->prefix_maps, use->argument);
    words_add(use->arena, &use->options->to_assemble,
              arena_printf(use->arena, "--debug-prefix-map=%s", use->argument));
    return true;
}

static bool on_file_prefix_map(OptionUse *use) {
    return on_macro_prefix_map(use) && on_prefix_map(use);
}

// -fno-FACT leaves a kind of facts out, -fFACT takes the kind back in.
static bool switch_fact(OptionUse *use) {
    bool off = starts_with(use->argument, "no-");
    FactKind kind = fact_kind_named(use->argument + (off ? 3 : 0));
    if (kind == FACT_KIND_COUNT) return false;
    use->options->facts_left_out &= ~((uint32_t)1 << kind);
    use->options->facts_left_out |= (uint32_t)off << kind;
    return true;
}

// -fPASS and -fno-PASS; a pass is also known by its name with - instead of _.
static bool switch_pass(OptionUse *use) {
    const char *text = use->argument;
    bool off = starts_with(text, "no-");
    char *name = arena_text(use->arena, text + (off ? 3 : 0), strlen(text) - (off ? 3 : 0));
    for (char *c = name; *c; c++)
        if (*c == '-') *c = '_';
    PassId pass = pass_named(name);
    if (pass == PASS_COUNT) return false;
    use->options->off[pass] = off;
    use->options->on[pass] = !off;
    return true;
}

// What no row of the table is about. Assembler text may be for another size of words, as it only
// goes through: whether there is any C is known once all words are read.
static bool on_other(OptionUse *use) {
    const TargetLanguage *language = use->options->compile.pp.target->language;
    if (word_size_option(language, use->text, &use->options->word_size)) {
        words_add(use->arena, &use->options->to_preprocess, use->text);
        vec_push(use->arena, &use->options->link, (LinkWord){.text = use->text});
        return true;
    }
    if (option_value_error(language, use->text)) return false;
    if (option_refused(language, use->text)) return false;
    if (option_language(use->text))
        words_add(use->arena, &use->options->foreign, use->text);
    else if (!option_is_quiet(language, use->text))
        words_add(use->arena, &use->options->unknown, use->text);
    return true;
}

static bool on_flag(OptionUse *use) {
    return switch_pass(use) || switch_fact(use) || on_other(use);
}

static bool on_target_machine(OptionUse *use) {
    return target_option(&use->options->compile, use->argument);
}

static bool on_machine(OptionUse *use) {
    bool known, good = machine_option(&use->options->code,
                                      use->options->compile.pp.target->language, use->text, &known);
    return known ? good : on_other(use);
}

static bool on_sanitize(OptionUse *use) {
    return sanitize_option(&use->options->compile.sanitize, use->text);
}

static bool on_code(OptionUse *use) {
    return code_option(&use->options->code, &use->options->compile, use->arena, use->text);
}

static bool on_parameter(OptionUse *use) {
    return code_parameter(&use->options->compile, use->argument);
}

// gcc lets signed arithmetic wrap around with both.
static bool on_wrap(OptionUse *use) {
    bool off = strcmp(use->text, "-fno-wrapv") == 0 || strcmp(use->text, "-fstrict-overflow") == 0;
    use->options->compile.sanitize.wraps = !off;
    if (!off) use->options->compile.sanitize.traps_overflow = false;
    return true;
}

static bool on_whole_units(OptionUse *use) {
    use->options->compile.whole_units = strncmp(use->text, "-fno-", 5) != 0;
    return true;
}

static bool on_trapv(OptionUse *use) {
    SanitizeOptions *checks = &use->options->compile.sanitize;
    checks->traps_overflow = strcmp(use->text, "-ftrapv") == 0;
    if (checks->traps_overflow) checks->wraps = false;
    return true;
}

static bool on_math(OptionUse *use) {
    math_option(&use->options->math, use->text);
    use->options->compile.no_math_errno = use->options->math.no_errno;
    use->options->compile.no_trapping_math = use->options->math.no_trapping;
    use->options->compile.rounding_math = use->options->math.rounding;
    return true;
}

static bool on_object_part(OptionUse *use) {
    object_option(use->options, use->text);
    return true;
}

static bool on_profile(OptionUse *use) {
    return profile_option(&use->options->profile, use->arena, use->text);
}

// -dumpbase, -dumpdir, -dumpbase-ext: what files beside the output are called.
static bool on_dump_name(OptionUse *use) {
    ProfileOptions *profile = &use->options->profile;
    bool base = strcmp(use->name, "-dumpbase") == 0, directory = strcmp(use->name, "-dumpdir") == 0;
    *(base        ? &profile->dump_base
      : directory ? &profile->dump_directory
                  : &profile->dump_ending) = use->argument;
    return true;
}

// ---- For others

// The parts of a text that commas separate.
static void add_parts(Arena *arena, Words *words, const char *text) {
    for (size_t length; *text; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        words_add(arena, words, arena_text(arena, text, length));
    }
}

static bool on_assembler(OptionUse *use) {
    add_parts(use->arena, &use->options->to_assemble, use->argument);
    return true;
}

static bool on_one_assembler(OptionUse *use) {
    words_add(use->arena, &use->options->to_assemble, use->argument);
    return true;
}

static bool on_preprocessor(OptionUse *use) {
    add_parts(use->arena, &use->options->preprocessor, use->argument);
    return true;
}

static bool on_one_preprocessor(OptionUse *use) {
    words_add(use->arena, &use->options->preprocessor, use->argument);
    return true;
}

static bool on_question(OptionUse *use) {
    static const struct {
        const char *name;
        Question question;
    } questions[] = {{"--help", QUESTION_HELP},
                     {"--help=options", QUESTION_OPTIONS},
                     {"--help=warnings", QUESTION_WARNINGS},
                     {"--version", QUESTION_VERSION},
                     {"--completion=", QUESTION_COMPLETION},
                     {"-dumpmachine", QUESTION_DUMP_MACHINE},
                     {"-dumpversion", QUESTION_DUMP_VERSION},
                     {"-dumpfullversion", QUESTION_DUMP_FULL_VERSION}};
    use->options->question = QUESTION_PRINT;
    use->options->completed = use->argument;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        if (strcmp(use->name, questions[i].name) == 0)
            use->options->question = questions[i].question;
    return true;
}

// ---- The table

static const OptionRow rows[] = {
#define OPTION(name, form, handler, who) {name, ARGUMENT_##form, handler, who},
#include "gatecc/options/options.def"
};

// The row of an option; of several that fit, the one with the longest name.
static const OptionRow *find_row(const char *text) {
    const OptionRow *best = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].name);
        if (strncmp(text, rows[i].name, length) != 0) continue;
        bool joins = rows[i].form == ARGUMENT_JOINED || rows[i].form == ARGUMENT_EITHER;
        if (text[length] && !joins) continue;
        if (!best || length > strlen(best->name)) best = &rows[i];
    }
    return best;
}

// Tells others of an option.
static void pass_on(const OptionRow *row, OptionUse *use, bool separate) {
    GateccOptions *options = use->options;
    const char *words[] = {use->text, separate ? use->argument : NULL};
    for (int i = 0; i < 2 && words[i]; i++) {
        if (row->who & FOR_LINK) vec_push(use->arena, &options->link, (LinkWord){.text = words[i]});
        if (row->who & FOR_PREPROCESS) words_add(use->arena, &options->to_preprocess, words[i]);
    }
    if ((row->who & LINKS) == LINKS) options->something_to_link = true;
}

// Does what a row says about an option; the word that follows may be its argument, and then it is
// used. Only the options on the command line itself are passed on.
static bool use_row(const OptionRow *row, OptionUse *use, const char *next, bool *used,
                    bool passed) {
    const char *joined = use->text + strlen(row->name);
    use->name = row->name;
    *used = false;
    if (row->form == ARGUMENT_JOINED || (row->form == ARGUMENT_EITHER && *joined)) {
        use->argument = joined;
    } else if (row->form != ARGUMENT_NONE) {
        if (!next) return option_error("option '%s' needs an argument", use->text);
        use->argument = next;
        *used = true;
    }
    if (passed) pass_on(row, use, *used);
    return !row->handle || row->handle(use);
}

bool gatecc_front_option(GateccOptions *options, Arena *arena, char **argv, int *at, bool *told) {
    const OptionRow *row = find_row(argv[*at]);
    *told = row && row->who & FOR_FRONT;
    if (!*told) return false;
    OptionUse use = {.options = options, .arena = arena, .text = argv[*at]};
    bool used, good = use_row(row, &use, argv[*at + 1], &used, false);
    *at += used;
    return good;
}

// ---- Reading

void gatecc_defaults(GateccOptions *options) {
    *options = (GateccOptions){.mode = MODE_LINK,
                               .level = 1,
                               .check = CHECK_FAST,
                               .pic = PIC_PIE,
                               .dwarf = 5,
                               .error_limit = 20};
    compile_defaults(&options->compile);
    message_defaults(&options->messages);
    sanitize_defaults(&options->compile.sanitize);
}

static void add_input(GateccOptions *options, Arena *arena, const char *path) {
    LinkWord word = {.input = options->inputs.count};
    vec_push(arena, &options->link, word);
    Input input = {.path = path, .language = language_of(path, options->language)};
    vec_push(arena, &options->inputs, input);
    if (strcmp(path, "-") == 0 && !options->language) options->guessed_standard_input = true;
}

static bool read_words(GateccOptions *options, Arena *arena, const Words *words, bool passed) {
    for (uint32_t i = 0; i < words->count; i++) {
        const char *word = usual_option(arena, words->at[i]);
        if (word[0] != '-' || !word[1]) {
            add_input(options, arena, word);
            continue;
        }
        const OptionRow *row = find_row(word);
        const char *next = i + 1 < words->count ? words->at[i + 1] : NULL;
        OptionUse use = {.options = options, .arena = arena, .text = word};
        bool used = false;
        if (row ? !use_row(row, &use, next, &used, passed) : !on_other(&use)) return false;
        note_option(arena, &options->mattering, word, used ? next : NULL);
        i += used;
    }
    return true;
}

// What -Wp, and -Xpreprocessor say: options as the preprocessor takes them, where -MD has an
// argument.
static bool read_preprocessor_words(GateccOptions *options, Arena *arena) {
    Words words = {0};
    for (uint32_t i = 0; i < options->preprocessor.count; i++) {
        const char *word = options->preprocessor.at[i];
        words_add(arena, &words, word);
        if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) words_add(arena, &words, "-MF");
    }
    return read_words(options, arena, &words, false);
}

// Gates are in no certificate, and so nothing of what is said of them.
static bool certificate_fits(const GateccOptions *options) {
    if (!options->certificate) return true;
    if (options->check == CHECK_STEPS || options->check == CHECK_MATRIX)
        return option_error("a certificate has its own steps, and %s",
                            "--check=steps and --check=matrix are about others");
    bool gated = options->mode == MODE_EMIT && form_is_stepped(options->emit);
    return !gated || option_error("certificates do not have the form %s: ask for it by itself",
                                  form_name(options->emit));
}

bool gatecc_options(GateccOptions *options, Arena *arena, const Words *words) {
    options->words = words;
    return read_words(options, arena, words, true) && read_preprocessor_words(options, arena) &&
           certificate_fits(options);
}
