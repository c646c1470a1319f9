// Reads the options about code. Each option is a row: its name up to the value, the function that
// reads the option, and a number that tells the options of a function apart. With no- in front of
// the name the option is turned off, where that makes sense. The options of the machine are in its
// record.
#include "gatecc/options/code_options.h"

#include "c/compile/call_messages.h"
#include "form/mach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    CodeSettings *settings;
    CodeOptions *code;
    CompileOptions *compile;
    Arena *arena;
    const char *text;
    const char *value; // behind =, or NULL
    bool off;          // the name has no- in front
    int which;
} CodeUse;

static bool refuse_value(const CodeUse *use) {
    fprintf(stderr, "gatecc: error: option '%s' has a value that is not known\n", use->text);
    return false;
}

static bool refuse(const CodeUse *use, const char *reason) {
    fprintf(stderr, "gatecc: error: option '%s' is not supported: %s\n", use->text, reason);
    return false;
}

// The index of a value in a list that ends with NULL; -1 if it is not there.
static int choice(const char *value, const char *const *names) {
    for (int i = 0; value && names[i]; i++)
        if (strcmp(value, names[i]) == 0) return i;
    return -1;
}

static bool number(const char *text, uint32_t *value) {
    char *end;
    unsigned long read = strtoul(text, &end, 0);
    *value = (uint32_t)read;
    return *text && !*end && read <= 1 << 24;
}

// ---- The stack

static bool on_guard(CodeUse *use) {
    use->code->guard = use->off ? GUARD_NOBODY : (GuardLevel)use->which;
    return !use->value || refuse_value(use);
}

static bool on_init(CodeUse *use) {
    static const char *const names[] = {"uninitialized", "zero", "pattern", NULL};
    int init = choice(use->value, names);
    if (init < 0) return refuse_value(use);
    use->compile->locals.init = (AutoInit)init;
    return true;
}

// ---- Registers

static bool on_zero(CodeUse *use) {
    static const char *const names[] = {
        "skip",        "used-gpr-arg", "used-gpr", "used-arg", "used",
        "all-gpr-arg", "all-gpr",      "all-arg",  "all",      NULL};
    const char *value = use->value;
    int kind = choice(value, names);
    if (kind < 0) return refuse_value(use);
    use->code->zero = (ZeroRegs){.on = kind > 0,
                                 .used = value[0] == 'u',
                                 .general = strstr(value, "-gpr") != NULL,
                                 .arguments = strstr(value, "-arg") != NULL};
    return true;
}

// ---- Branches

static bool on_tracking(CodeUse *use) {
    static const char *const names[] = {"full", "branch", "return", "none", "check", NULL};
    int kind = use->off ? 3 : use->value ? choice(use->value, names) : 0;
    if (kind < 0) return refuse_value(use);
    use->code->track_branches = kind == 0 || kind == 1;
    use->code->shadow_stack = kind == 0 || kind == 2;
    return true;
}

// ---- The rest

enum {
    PROBES,
    SPLIT,
    JUMP_TABLES,
    PLT,
    ASYNCHRONOUS,
    UNWIND,
    EXCEPTIONS,
    SHORT_WCHAR,
    SHORT_ENUMS,
    FINITE_LOOPS,
    NULL_CHECKS,
    STRICT_ALIASING
};

static bool on_switch(CodeUse *use) {
    bool on = !use->off;
    switch (use->which) {
    case PROBES: use->code->probe_stack = on; break;
    case SPLIT: use->settings->split_stack = on; break;
    case JUMP_TABLES: use->code->no_jump_tables = !on; break;
    case PLT: use->code->no_plt = !on; break;
    case ASYNCHRONOUS: use->settings->no_asynchronous = !on; break;
    case UNWIND: use->settings->unwind = on; break;
    case EXCEPTIONS: use->settings->exceptions = use->compile->exceptions = on; break;
    case SHORT_WCHAR: use->compile->pp.short_wchar = on; break;
    case SHORT_ENUMS: use->compile->short_enums = on; break;
    case FINITE_LOOPS: use->compile->endless_loops = !on; break;
    case STRICT_ALIASING: use->compile->aliasing = on ? ALIASING_STRICT : ALIASING_LOOSE; break;
    case NULL_CHECKS: use->settings->null_is_place = !on; break;
    default: break;
    }
    return !use->value || refuse_value(use);
}

// -falign-functions=N[:M...]: the next power of two.
static bool on_align(CodeUse *use) {
    use->code->align_functions = 0;
    if (use->off) use->code->align_functions = 1;
    if (use->off || !use->value) return true;
    uint32_t wanted = (uint32_t)strtoul(use->value, NULL, 10), align = 1;
    if (wanted > 65536 || *use->value < '0' || *use->value > '9') return refuse_value(use);
    while (align < wanted) align *= 2;
    if (wanted) use->code->align_functions = align;
    return true;
}

// -fpatchable-function-entry=N[,M]
static bool on_patches(CodeUse *use) {
    if (!use->value) return refuse_value(use);
    const char *comma = strchr(use->value, ',');
    const char *first =
        comma ? arena_text(use->arena, use->value, (size_t)(comma - use->value)) : use->value;
    use->code->patch_before = 0;
    return (number(first, &use->code->patch_all) && use->code->patch_all <= 65535 &&
            (!comma || number(comma + 1, &use->code->patch_before)) &&
            use->code->patch_before <= use->code->patch_all) ||
           refuse_value(use);
}

// -fpack-struct[=N]
static bool on_pack(CodeUse *use) {
    uint32_t pack = 0;
    use->compile->pack_all = !use->off && !use->value;
    if (use->value && (!number(use->value, &pack) || pack > 16 || pack == 0 || pack & (pack - 1)))
        return refuse_value(use);
    use->compile->pack = pack;
    return true;
}

// ---- The table

typedef struct {
    const char *name;
    bool (*handle)(CodeUse *use);
    int which;
} CodeRow;

static const CodeRow code_rows[] = {
    {"stack-protector", on_guard, GUARD_BUFFERS},
    {"stack-protector-strong", on_guard, GUARD_STRONG},
    {"stack-protector-all", on_guard, GUARD_EVERYBODY},
    {"stack-protector-explicit", on_guard, GUARD_EXPLICIT},
    {"stack-clash-protection", on_switch, PROBES},
    {"split-stack", on_switch, SPLIT},
    {"trivial-auto-var-init", on_init, 0},
    {"zero-call-used-regs", on_zero, 0},
    {"cf-protection", on_tracking, 0},
    {"jump-tables", on_switch, JUMP_TABLES},
    {"plt", on_switch, PLT},
    {"asynchronous-unwind-tables", on_switch, ASYNCHRONOUS},
    {"unwind-tables", on_switch, UNWIND},
    {"exceptions", on_switch, EXCEPTIONS},
    {"align-functions", on_align, 0},
    {"patchable-function-entry", on_patches, 0},
    {"short-wchar", on_switch, SHORT_WCHAR},
    {"short-enums", on_switch, SHORT_ENUMS},
    {"finite-loops", on_switch, FINITE_LOOPS},
    {"delete-null-pointer-checks", on_switch, NULL_CHECKS},
    {"strict-aliasing", on_switch, STRICT_ALIASING},
    {"pack-struct", on_pack, 0},
};

bool code_option(CodeSettings *settings, CompileOptions *compile, Arena *arena, const char *text) {
    CodeUse use = {.settings = settings,
                   .code = &settings->code,
                   .compile = compile,
                   .arena = arena,
                   .text = text};
    const char *name = text + 2; // -f, -m
    use.off = strncmp(name, "no-", 3) == 0;
    if (use.off) name += 3;
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    if (equals) use.value = equals + 1;
    for (size_t i = 0; i < sizeof code_rows / sizeof *code_rows; i++) {
        const CodeRow *row = &code_rows[i];
        if (strlen(row->name) != length || memcmp(row->name, name, length) != 0) continue;
        use.which = row->which;
        return row->handle(&use);
    }
    return refuse(&use, "it has no such form");
}

// The machine's option that a text is; NULL if there is none. Fills in how it is given.
static const MachineOption *find_machine_option(const TargetLanguage *language, const char *text,
                                                MachineOptionUse *use) {
    const char *name = text + 2; // -m
    for (const MachineOption *row = language->options->options; row->name; row++) {
        size_t length = strlen(row->name);
        const char *positive = name;
        use->off = row->form == MACHINE_SWITCH && strncmp(name, "no-", 3) == 0;
        if (use->off) positive += 3;
        if (strncmp(positive, row->name, length) != 0) continue;
        if (positive[length] != (row->form == MACHINE_VALUE ? '=' : '\0')) continue;
        use->value = row->form == MACHINE_VALUE ? positive + length + 1 : NULL;
        use->which = row->which;
        return row;
    }
    return NULL;
}

bool machine_option(CodeSettings *settings, const TargetLanguage *language, const char *text,
                    bool *known) {
    MachineOptionUse use = {.settings = settings};
    const MachineOption *row = find_machine_option(language, text, &use);
    *known = row != NULL;
    if (!row || row->read(&use)) return true;
    CodeUse refused = {.text = text};
    return use.reason ? refuse(&refused, use.reason) : refuse_value(&refused);
}

bool target_option(CompileOptions *compile, const char *name) {
    const Target *target = target_named(name);
    if (target) {
        compile_for(compile, target);
        return true;
    }
    fprintf(stderr, "gatecc: error: there is no target '%s'; the targets are:", name);
    for (uint32_t i = 0; i < TARGET_COUNT; i++)
        fprintf(stderr, " %s (%s)", targets[i].model->name, targets[i].model->triplet);
    fputc('\n', stderr);
    return false;
}

bool word_size_option(const TargetLanguage *language, const char *text, const WordSize **other) {
    const WordSize *size = language->options->word_sizes;
    while (size->option && strcmp(text, size->option) != 0) size++;
    bool own = strcmp(text, language->options->own_word_size) == 0;
    if (own || size->option) *other = own ? NULL : size;
    return own || size->option;
}

bool code_parameter(CompileOptions *compile, const char *text) {
    static const char name[] = "ssp-buffer-size=";
    if (strncmp(text, name, sizeof name - 1) != 0) return true;
    uint32_t size;
    if (!number(text + sizeof name - 1, &size) || size == 0) {
        fprintf(stderr, "gatecc: error: '%s' is not a positive number\n", text);
        return false;
    }
    compile->locals.buffer_size = size;
    return true;
}

// ---- Together

bool code_settle(CodeSettings *settings, CompileOptions *compile, PicLevel pic, bool debug) {
    CodeOptions *code = &settings->code;
    compile->locals.mark_buffers = code->guard != GUARD_NOBODY;
    compile->locals.strict = code->guard != GUARD_BUFFERS;
    bool tables = !settings->no_asynchronous || settings->unwind || settings->exceptions;
    code->unwind = tables ? UNWIND_ALWAYS : debug ? UNWIND_DEBUG : UNWIND_NEVER;
    const char *mistake = compile->pp.target->language->options->settle(settings, pic != PIC_NONE);
    if (mistake) fprintf(stderr, "gatecc: error: %s\n", mistake);
    return !mistake;
}

const char *code_macro(const CodeSettings *settings, const TargetLanguage *language, uint32_t i) {
    static const char *const guards[] = {NULL, "define __SSP_EXPLICIT__ 4", "define __SSP__ 1",
                                         "define __SSP_STRONG__ 3", "define __SSP_ALL__ 2"};
    const CodeOptions *code = &settings->code;
    const char *macros[] = {
        guards[code->guard],
        code->unwind == UNWIND_NEVER ? "undef __GCC_HAVE_DWARF2_CFI_ASM" : NULL,
    };
    for (uint32_t k = 0; k < sizeof macros / sizeof *macros; k++)
        if (macros[k] && i-- == 0) return macros[k];
    return language->options->macro(settings, i);
}

// ---- Values that need other registers than general ones

static bool is_missing(const CodeSettings *settings, Type type) {
    if (type == TYPE_F32 || type == TYPE_F64) return settings->no_floats;
    return type == TYPE_F80 && settings->no_extended;
}

// The first type in an instruction that has no registers; TYPE_VOID if there is none.
static Type missing_type(const CodeSettings *settings, const Func *func, const Instr *instr) {
    const Reg *args = instr_args(func, instr);
    if (instr->dest.i != NO_ID && is_missing(settings, reg_type(func, instr->dest)))
        return reg_type(func, instr->dest);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (is_missing(settings, reg_type(func, args[k]))) return reg_type(func, args[k]);
    return TYPE_VOID;
}

// Aggregates with such values travel in the same registers.
static Type missing_in_signature(const CodeSettings *settings, const Program *program, Sig id) {
    const SigInfo *sig = program_sig_info(program, id);
    for (uint32_t i = 0; i <= sig->param_count; i++) {
        PType type = i < sig->param_count ? sig->params[i] : sig->result;
        const ParamType *info = program_ptype_info(program, type);
        if (is_missing(settings, info->type)) return info->type;
        for (uint32_t k = 0; k < info->parts; k++)
            if (is_missing(settings, info->part[k])) return info->part[k];
    }
    return TYPE_VOID;
}

static void report_missing(const TargetLanguage *language, Diag *diag, const Func *func, Type type,
                           uint32_t loc) {
    bool extended = type == TYPE_F80;
    Span span = span_of_location(diag, func->program, loc);
    diag_error(diag, span, "'%s' uses a value of type '%s', with %s disabled", func_name(func),
               extended           ? "long double"
               : type == TYPE_F32 ? "float"
                                  : "double",
               extended ? language->options->extended_unit : language->options->float_unit);
}

static void look_for_missing(const CodeSettings *settings, const TargetLanguage *language,
                             Diag *diag, const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        Type type = missing_type(settings, func, instr);
        if (type == TYPE_VOID && instr->kind == I_CALL)
            type = missing_in_signature(settings, func->program, (Sig){instr->aux});
        if (type == TYPE_VOID) continue;
        report_missing(language, diag, func, type, instr->loc);
        return;
    }
    Type type = missing_in_signature(settings, func->program, func->sig);
    if (type != TYPE_VOID) report_missing(language, diag, func, type, func->nodes.at[0].loc);
}

// What keeps all registers keeps general ones, so that nothing else may use others.
static void refuse_vectors(const CodeSettings *settings, const TargetLanguage *language, Diag *diag,
                           const Func *func) {
    uint32_t flags = program_at(func->program, func->symbol)->flags;
    if (!(flags & (SYMF_KEEPS_ALL | SYMF_INTERRUPT)) ||
        (settings->no_floats && settings->no_extended))
        return;
    const char *which = !(flags & SYMF_INTERRUPT)
                            ? "a function with the 'no_caller_saved_registers' attribute"
                            : language->frames->handler_name(func);
    Span span =
        span_of_location(diag, func->program, func->nodes.count ? func->nodes.at[0].loc : 0);
    diag_error(diag, span, "%s instructions aren't allowed in %s: '%s' needs -mgeneral-regs-only",
               settings->no_floats ? language->options->extended_unit
                                   : language->options->float_unit,
               which, func_name(func));
}

bool code_registers_suffice(const CodeSettings *settings, const TargetLanguage *language,
                            Diag *diag, const Program *program) {
    uint32_t errors = diag->errors;
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func)
            refuse_vectors(settings, language, diag, program->symbols.at[i].func);
    if (!settings->no_floats && !settings->no_extended) return diag->errors == errors;
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program->symbols.at[i].func)
            look_for_missing(settings, language, diag, program->symbols.at[i].func);
    return diag->errors == errors;
}
