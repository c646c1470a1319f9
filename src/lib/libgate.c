// The public library: include/gate.h on top of the parts that the programs use. Views that the
// caller gets point into the program; ids are the internal ids, checked on the way in. A call that
// may ask for memory runs behind a border (lib/program_memory.h).
#include "gate.h"

#include "base/version.h"
#include "certify/certify.h"
#include "gate/load.h"
#include "gatecc/options/gatecc_options.h"
#include "lib/libgate.h"
#include "pipeline/transforms.h"
#include "run/world/run.h"
#include "text/print/print_forms.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)GATE_RAN_OUT == (int)END_FUEL, "ends are numbered alike");

GateVersion gate_version(void) {
    GateVersion version = {.api = GATE_API_VERSION, .text = GATECC_VERSION};
    const char *at = version.text;
    for (int i = 0; i < 3 && at; i++, at = at ? at + 1 : NULL) {
        version.number[i] = (uint32_t)strtoul(at, NULL, 10);
        at = strchr(at, '.');
    }
    return version;
}

// The forms that users know, by their own numbers.
static const char *const form_names[] = {
    [GATE_FORM_RTL] = "rtl",    [GATE_FORM_SSA] = "ssa",   [GATE_FORM_SON] = "son",
    [GATE_FORM_GSA] = "gsa",    [GATE_FORM_MACH] = "mach", [GATE_FORM_FSSA] = "fssa",
    [GATE_FORM_MACH0] = "mach0"};
enum { KNOWN_FORMS = sizeof form_names / sizeof *form_names };

const char *gate_form_name(GateForm form) {
    return (uint32_t)form < KNOWN_FORMS ? form_names[form] : NULL;
}

Form libgate_form(GateForm form) {
    return (uint32_t)form < KNOWN_FORMS ? form_named(form_names[form]) : FORM_COUNT;
}

GateForm libgate_known_form(Form form) {
    uint32_t i = 0;
    while (i < KNOWN_FORMS && strcmp(form_names[i], form_name(form)) != 0) i++;
    return (GateForm)i;
}

// ---- Programs

const GateProgram libgate_nothing = {
    .holdings = {.failed = true, .reason = "error: out of memory\n"}};

static _Thread_local size_t memory_limit; // of gate_limit_memory

void gate_limit_memory(size_t bytes) {
    memory_limit = bytes;
}

size_t gate_memory_used(const GateProgram *program) {
    return program->holdings.used;
}

bool gate_out_of_memory(const GateProgram *program) {
    return program->holdings.failed;
}

typedef struct {
    GateProgram *program;
    GateForm form;
    const char *name, *text; // of C that is read from a file: no text
    size_t length;
    const char *const *arguments;
    size_t count;
} OpenCall;

static void begin(OpenCall *call) {
    GateProgram *program = call->program;
    program->arena = arena_new("libgate");
    diag_init(&program->diag, program->arena, NULL);
}

static GateProgram *open_with(OpenCall *call, void (*open)(void *call)) {
    GateProgram *program = calloc(1, sizeof *program);
    if (!program) return (GateProgram *)(uintptr_t)&libgate_nothing;
    program->holdings.limit = memory_limit;
    call->program = program;
    holdings_run(&program->holdings, open, call);
    return program;
}

// Of what is walked by nodes the predecessors are looked for once.
void libgate_list_functions(GateProgram *program) {
    vec_clear(&program->functions);
    for (uint32_t i = 0; program->inner && i < program->inner->symbols.count; i++) {
        Symbol *symbol = &program->inner->symbols.at[i];
        if (!symbol->func) continue;
        vec_push(program->arena, &program->functions, (Sym){i});
        if (!symbol->func->nodes.count) continue;
        if (!symbol->func->cache) {
            Func *copy = func_clone(symbol->func, program->arena);
            func_keep_cache(copy);
            symbol->func = copy;
        }
        preds_of(program->arena, symbol->func);
    }
}

static void read_options(OpenCall *call, GateccOptions *options) {
    GateProgram *program = call->program;
    bool told = false;
    gatecc_defaults(options);
    char **words = ARENA_ARRAY(program->arena, char *, call->count + 1);
    for (size_t i = 0; i < call->count; i++)
        words[i] = arena_text(program->arena, call->arguments[i], strlen(call->arguments[i]));
    for (int i = 0; i < (int)call->count; i++)
        if (!gatecc_front_option(options, program->arena, words, &i, &told))
            diag_error(&program->diag, SPAN_NONE, "unknown option '%s'", words[i]);
}

static void open_c(void *context) {
    OpenCall *call = context;
    GateProgram *program = call->program;
    GateccOptions options;
    bool unreadable;
    begin(call);
    read_options(call, &options);
    if (program->diag.errors) return;
    Arena *arena = program->arena;
    CompileOptions *compile = &options.compile;
    const char *name = arena_text(arena, call->name, strlen(call->name));
    if (call->text) {
        compile->pp.main_text = arena_text(arena, call->text, call->length);
        compile->pp.main_length = call->length;
        program->inner = compile_c(arena, &program->diag, name, compile);
    } else {
        program->inner = load_program(arena, &program->diag, name, compile, &unreadable);
    }
    libgate_list_functions(program);
}

GateProgram *gate_open_c(const char *path, const char *const *arguments, size_t count) {
    OpenCall call = {.name = path, .arguments = arguments, .count = count};
    return open_with(&call, open_c);
}

GateProgram *gate_open_c_text(const char *name, const char *text, size_t length,
                              const char *const *arguments, size_t count) {
    OpenCall call = {.name = name,
                     .text = text ? text : "",
                     .length = length,
                     .arguments = arguments,
                     .count = count};
    return open_with(&call, open_c);
}

static void open_text(void *context) {
    OpenCall *call = context;
    GateProgram *program = call->program;
    begin(call);
    Form form = libgate_form(call->form);
    if (form == FORM_COUNT) {
        diag_error(&program->diag, SPAN_NONE, "there is no form %u", (unsigned)call->form);
        return;
    }
    program->inner =
        program_parse(program->arena, &program->diag, form, call->name, call->text, call->length);
    if (program->inner && libgate_verify(program)) libgate_list_functions(program);
}

GateProgram *gate_open_text(GateForm form, const char *name, const char *text, size_t length) {
    OpenCall call = {.form = form, .name = name, .text = text, .length = length};
    return open_with(&call, open_text);
}

static void open_empty(void *context) {
    OpenCall *call = context;
    begin(call);
    call->program->inner = program_new(call->program->arena);
}

GateProgram *gate_new(void) {
    return open_with(&(OpenCall){0}, open_empty);
}

void gate_close(GateProgram *program) {
    if (!program || program == &libgate_nothing) return;
    holdings_release(&program->holdings);
    free(program);
}

bool gate_good(const GateProgram *program) {
    return !program->holdings.failed && program->diag.errors == 0;
}

// What was said so far, with a NUL behind it that does not count.
static void end_messages(void *context) {
    Out *out = context;
    out_char(out, '\0');
    out->length--;
}

const char *gate_messages(const GateProgram *program) {
    GateProgram *owner =
        (GateProgram *)(uintptr_t)program; // no program but libgate_nothing is constant
    const Out *out = &program->diag.out;
    if (!program->holdings.failed && !out->length) return "";
    return holdings_run(&owner->holdings, end_messages, &owner->diag.out) ? out->text
                                                                          : owner->holdings.reason;
}

bool libgate_verify(GateProgram *program) {
    Complaints complaints = {.arena = program->arena};
    if (program->diag.errors) return false;
    if (verify_program(&complaints, program->inner)) return true;
    for (uint32_t i = 0; i < complaints.list.count; i++) {
        Out line = {0};
        complaint_print(&line, program->inner, &complaints.list.at[i]);
        diag_error(&program->diag, SPAN_NONE, "%.*s", (int)line.length, line.text);
        out_free(&line);
    }
    return false;
}

static void verify(void *program) {
    libgate_verify(program);
}

bool gate_verify(GateProgram *program) {
    return holdings_run(&program->holdings, verify, program) && gate_good(program);
}

// ---- Texts

static void print(void *context) {
    GateProgram *program = context;
    program->scratch.length = 0;
    if (program->inner) program_print(&program->scratch, program->inner, &(PrintOptions){0});
    out_char(&program->scratch, '\0');
}

const char *gate_text(GateProgram *program) {
    return holdings_run(&program->holdings, print, program) ? program->scratch.text : "";
}

typedef struct {
    GateProgram *program;
    const Func *func;
    uint32_t site;
} SiteText;

static void print_site(void *context) {
    const SiteText *call = context;
    Out *out = &call->program->scratch;
    out->length = 0;
    func_quote(out, call->func, (Site){call->site});
    out_char(out, '\0');
}

const char *gate_site_text(GateProgram *program, uint32_t function, uint32_t site) {
    SiteText call = {program, libgate_function(program, function), site};
    if (!call.func || site >= func_size(call.func)) return NULL;
    return holdings_run(&program->holdings, print_site, &call) ? program->scratch.text : NULL;
}

// ---- Certificates

static bool all_in_rtl(const GateProgram *program) {
    for (uint32_t i = 0; i < program->functions.count; i++)
        if (libgate_function(program, i)->form != FORM_FIRST) return false;
    return true;
}

typedef struct {
    GateProgram *program;
    const char *source;
    size_t length;
} Certify;

// The pipeline puts other functions into the program: afterwards the old ones come back.
static void certify(void *context) {
    Certify *call = context;
    GateProgram *program = call->program;
    uint32_t count = program->functions.count;
    if (program->diag.errors) return;
    if (!all_in_rtl(program)) {
        diag_error(&program->diag, SPAN_NONE, "certificates start with functions in RTL");
        return;
    }
    Pipeline pipeline;
    const Func **functions = ARENA_ARRAY(program->arena, const Func *, count);
    for (uint32_t i = 0; i < count; i++)
        functions[i] = program_at(program->inner, program->functions.at[i])->func;
    pipeline_init(&pipeline, program->arena, transform_table, &program->diag);
    pipeline.plain = plain_transform_table;
    out_free(&program->scratch);
    CertifiedOrigin origin = {.source = call->source, .options = ""};
    program->scratch = certify_program(program->arena, program->inner, &origin, &pipeline);
    certify_end(&program->scratch, NULL);
    pipeline_free(&pipeline);
    for (uint32_t i = 0; i < count; i++)
        program_at(program->inner, program->functions.at[i])->func = functions[i];
    call->length = program->scratch.length;
    out_char(&program->scratch, '\0');
}

const char *gate_certify(GateProgram *program, const char *source, size_t *length) {
    Certify call = {.program = program, .source = source};
    if (!holdings_run(&program->holdings, certify, &call) || !gate_good(program)) return NULL;
    *length = call.length;
    return program->scratch.text;
}

// ---- Running

typedef struct {
    GateProgram *program;
    const char *const *arguments;
    size_t count;
    uint64_t steps;
    GateRun *run;
} RunMain;

static void run_main(void *context) {
    const RunMain *call = context;
    GateProgram *program = call->program;
    size_t count = call->count;
    GateRun *run = call->run;
    if (program->diag.errors) return;
    char **words = ARENA_ARRAY(program->arena, char *, count + 1);
    for (size_t i = 0; i < count; i++)
        words[i] = arena_text(program->arena, call->arguments[i], strlen(call->arguments[i]));
    RunOptions options = {.fuel = call->steps, .capture = true, .no_input = true, .no_files = true};
    RunResult result = {0};
    rtl_run(program->arena, program->inner, (int)count, words, &options, &result);
    *run = (GateRun){.end = (GateEnd)result.behaviour.end,
                     .status = result.behaviour.status,
                     .steps = result.behaviour.steps,
                     .output = "",
                     .output_length = result.output.length};
    if (result.output.length)
        run->output = arena_text(program->arena, result.output.text, result.output.length);
    if (result.behaviour.end != END_RESULT) {
        Out line = {0};
        behaviour_print(&line, program->inner, &result.behaviour);
        run->reason = arena_text(program->arena, line.text, line.length);
        out_free(&line);
    }
    out_free(&result.output);
}

bool gate_run_main(GateProgram *program, const char *const *arguments, size_t count, uint64_t steps,
                   GateRun *run) {
    RunMain call = {program, arguments, count, steps, run};
    *run = (GateRun){0};
    return holdings_run(&program->holdings, run_main, &call) && gate_good(program);
}
