// One C file from the front end through the pipeline to its output. The pipeline lives as long as
// the command, so that its statistics are about all files; a program lives as long as its file is
// worked on.
#include "gatecc/compile_unit.h"

#include "assembly/assembly.h"
#include "base/deep_stack.h"
#include "c/compile/call_messages.h"
#include "cert/certificate.h"
#include "certify/certify.h"
#include "debug/follow.h"
#include "fact/effects.h"
#include "form/mach.h"
#include "gatecc/certificate_file.h"
#include "gatecc/coverage_files.h"
#include "gatecc/dependency_rule.h"
#include "gatecc/options/certified_options.h"
#include "gatecc/options/inputs.h"
#include "gatecc/options/object_options.h"
#include "gatecc/remarks.h"
#include "gatecc/time_report.h"
#include "pipeline/transforms.h"
#include "solve/cadical.h"
#include "system/output_file.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One file at work.
typedef struct {
    Compiler *compiler;
    const Input *input;
    Arena *arena;
    Diag diag;
    Messages *messages; // NULL once all have been told
    CompileOptions compile;
    Program *program;
    bool rule_written;
    const char *source; // the name of the file as line markers tell it
    Digest digest;      // of the source after preprocessing, if there is to be a certificate
    Digest note
        [DIGEST_KINDS]; // what the note about the certificate says; all zero if it is filled in later
    Debug description;     // of the source, for debuggers
    CallNotes notes;       // what is to be said of calls that are there in the end
    CoverageData coverage; // what is counted
    Instrument instrument; // what is told of entries and exits
    Diag rejected;         // where the pipeline tells of rejected passes
    Diag missed;           // and of forms that are not reached
    Assembly *text;        // what functions are written to as they are done
    Remarks *remarks;      // on what the passes do; or NULL
    Follower *follower;    // of variables, for debuggers; or NULL
    AssemblySink *sink;
    bool good; // no function has failed so far
    AssemblyOptions assembly;
    SourceOrder order;
} FileUnit;

enum { DRAINED = 65536 }; // bytes of assembler text that are worth a call

// What -Og goes without: passes by which variables would leave their places in memory, or
// statements their order.
static const PassId unfaithful[] = {PASS_split_slots, PASS_invert_loops, PASS_unroll_loops,
                                    PASS_drop_loops,  PASS_widen,        PASS_if_convert,
                                    PASS_straighten,  PASS_schedule};

// What -Os goes without: passes that copy code.
static const PassId copying[] = {PASS_invert_loops, PASS_unroll_loops};

static void leave_out(Pipeline *pipeline, const PassId *passes, size_t count) {
    for (size_t i = 0; i < count; i++) pipeline->off[passes[i]] = true;
}

void compiler_init(Compiler *compiler, Arena *arena, const GateccOptions *options) {
    *compiler = (Compiler){.arena = arena, .options = options};
    Pipeline *pipeline = &compiler->pipeline;
    memcpy(compiler->transforms, transform_table, sizeof transform_table);
    bool seen = options->check == CHECK_MATRIX || options->mode == MODE_EMIT ||
                options->dump_directory || remarks_are_wanted(&options->remarks);
    if (!seen) transform_select_bare(compiler->transforms);
    // A guard is to notice a write behind a buffer, even if nobody reads the buffer.
    bool guarded = options->code.code.guard != GUARD_NOBODY;
    if (options->for_debugging || guarded) transform_select_faithful(compiler->transforms);
    pipeline_init(pipeline, arena, compiler->transforms, NULL);
    pipeline->plain = plain_transform_table;
    pipeline->plan = plan_inlining;
    pipeline->check = options->check;
    pipeline->verify_inside = options->check == CHECK_MATRIX;
    pipeline->refuter = &cadical;
    pipeline->level = options->level;
    pipeline->small = options->compile.pp.optimize_size;
    pipeline->marked_only = options->no_inline || options->for_debugging;
    pipeline->timed = options->timed || options->stats;
    pipeline->dump_directory = options->dump_directory;
    memcpy(pipeline->off, options->off, sizeof options->off);
    if (options->for_debugging)
        leave_out(pipeline, unfaithful, sizeof unfaithful / sizeof unfaithful[0]);
    if (pipeline->small) leave_out(pipeline, copying, sizeof copying / sizeof copying[0]);
    memcpy(pipeline->on, options->on, sizeof options->on);
}

void compiler_free(Compiler *compiler) {
    pipeline_free(&compiler->pipeline);
    out_free(&compiler->remarks);
}

// ---- How the file is read

// "define NAME VALUE" becomes NAME=VALUE, as on the command line.
static void add_code_macros(FileUnit *unit) {
    const char *text;
    PpOptions *pp = &unit->compile.pp;
    for (uint32_t i = 0;
         (text = code_macro(&unit->compiler->options->code, pp->target->language, i)); i++) {
        bool undefine = text[0] == 'u';
        char *macro = arena_text(unit->arena, strchr(text, ' ') + 1, strlen(strchr(text, ' ') + 1));
        char *blank = strchr(macro, ' ');
        if (blank) *blank = '=';
        char *name = arena_text(unit->arena, macro, strcspn(macro, "="));
        vec_push(unit->arena, &pp->macros, (struct CommandMacro){.text = name, .undefine = true});
        if (!undefine) vec_push(unit->arena, &pp->macros, (struct CommandMacro){.text = macro});
    }
}

// Macros that options define go before those of the command line.
static void add_option_macros(FileUnit *unit) {
    static const char *const executable[] = {"__pie__", "__PIE__"}, *const any[] = {"__pic__",
                                                                                    "__PIC__"};
    const GateccOptions *options = unit->compiler->options;
    PpOptions *pp = &unit->compile.pp, given = *pp;
    memset(&pp->macros, 0, sizeof pp->macros);
    for (int i = 0; i < 2; i++) {
        const char *names[] = {any[i], executable[i]};
        for (int k = 0; k < 2; k++) {
            bool wanted = k ? options->pic == PIC_PIE : options->pic != PIC_NONE;
            if (wanted && !options->pic_small) continue;
            vec_push(unit->arena, &pp->macros,
                     (struct CommandMacro){.text = names[k], .undefine = true});
            if (wanted) vec_push(unit->arena, &pp->macros, (struct CommandMacro){.text = names[k]});
        }
    }
    add_code_macros(unit);
    math_macros(&options->math, unit->arena, pp);
    for (uint32_t i = 0; i < given.macros.count; i++)
        vec_push(unit->arena, &pp->macros, given.macros.at[i]);
}

static bool is_preprocessed(const FileUnit *unit) {
    return unit->input->language == LANGUAGE_PREPROCESSED || unit->compiler->options->preprocessed;
}

// In what has been preprocessed, nothing is a macro.
static void set_up_reading(FileUnit *unit) {
    PpOptions *pp = &unit->compile.pp;
    if (is_preprocessed(unit)) {
        pp->preprocessed = true;
        memset(&pp->macros, 0, sizeof pp->macros);
        memset(&pp->includes, 0, sizeof pp->includes);
        memset(&pp->imacros, 0, sizeof pp->imacros);
    } else if (!pp->no_predefined) {
        add_option_macros(unit);
    }
}

static void unit_begin(FileUnit *unit, Compiler *compiler, const Input *input) {
    const GateccOptions *options = compiler->options;
    *unit = (FileUnit){.compiler = compiler,
                       .input = input,
                       .arena = arena_new("program"),
                       .compile = options->compile,
                       .rule_written = true,
                       .good = true};
    diag_init(&unit->diag, unit->arena, stderr);
    unit->diag.error_limit = options->error_limit;
    unit->diag.warnings_are_errors = options->compile.warnings.all_errors;
    if (options->colour != COLOUR_AUTO) unit->diag.colour = options->colour == COLOUR_ALWAYS;
    if (messages_no_colours(options->colour == COLOUR_ALWAYS)) unit->diag.colour = false;
    unit->messages = messages_open(&unit->diag, &options->messages, input->path);
    unit->compile.variables_in_memory = options->level == 0 || options->for_debugging;
    unit->compile.symbols.replaceable = options->pic == PIC_SHARED && !options->bound;
    if (options->debug >= 2) unit->compile.debug = &unit->description;
    unit->compile.order = &unit->order;
    unit->compile.notes = &unit->notes;
    set_up_reading(unit);
}

// Shows the messages about the source; what comes later is about the compiler's own work.
static void tell_messages(FileUnit *unit) {
    if (unit->messages) messages_close(unit->messages);
    unit->messages = NULL;
}

static void unit_end(FileUnit *unit) {
    tell_messages(unit);
    diag_free(&unit->diag);
    arena_free(unit->arena);
}

// -v
static void show_directories(const FileUnit *unit, Pp *pp) {
    if (!unit->compiler->options->verbose) return;
    Out out = {0};
    pp_print_directories(pp, &out);
    out_flush(&out, stderr);
    out_free(&out);
}

// ---- Preprocessing

static bool print_preprocessed(FileUnit *unit, Pp *pp, const char *output) {
    const GateccOptions *options = unit->compiler->options;
    Out out = {0};
    show_directories(unit, pp);
    pp_print(pp, &out, !options->no_line_markers);
    if (options->dump_macros || options->mode == MODE_DEPENDENCIES) out.length = 0;
    if (options->dump_macros) pp_print_macros(pp, &out);
    bool good = true;
    if (options->mode != MODE_DEPENDENCIES) good = output_write(unit->arena, &out, output);
    out_free(&out);
    return good;
}

typedef struct {
    FileUnit *unit;
    Pp *pp;
    const char *output;
    bool good;
} Preprocessing;

static void run_preprocessor(void *context) {
    Preprocessing *run = context;
    run->good = pp_open(run->pp, run->unit->input->path) &&
                print_preprocessed(run->unit, run->pp, run->output);
}

bool preprocess_unit(Compiler *compiler, const Input *input, const char *output) {
    const GateccOptions *options = compiler->options;
    double start = processor_seconds();
    StrTable strings;
    FileUnit unit;
    unit_begin(&unit, compiler, input);
    str_init(&strings, unit.arena);
    PpOptions *settings = &unit.compile.pp;
    settings->arena = unit.arena;
    settings->strings = &strings;
    settings->diag = &unit.diag;
    settings->warnings = &unit.compile.warnings;
    settings->keep_lines = true;
    settings->standard = unit.compile.standard;
    Pp *pp = pp_new(settings);
    Preprocessing run = {.unit = &unit, .pp = pp, .output = output};
    stack_run(run_preprocessor, &run);
    bool good = run.good && !unit.diag.errors;
    // While temporary files are kept, the rule comes with the compilation.
    if (options->dependencies && options->mode <= MODE_PREPROCESS && good)
        good = write_dependencies(pp, unit.arena, options, input->path);
    pp_free(pp);
    unit_end(&unit);
    compiler->front_seconds += processor_seconds() - start;
    return good;
}

// ---- Compiling

// The name that debuggers are told: what has been preprocessed starts with a line that has it.
static const char *source_name(const FileUnit *unit, Pp *pp) {
    const Inclusion *main_file = pp_inclusion(pp, 1);
    if (!is_preprocessed(unit) || !main_file) return unit->input->path;
    Pos second_line = main_file->start + (Pos)strcspn(main_file->file->text, "\n") + 1;
    const char *told = pp_presumed(pp, second_line).file;
    return *told ? told : unit->input->path;
}

static void after_reading(void *context, Pp *pp) {
    FileUnit *unit = context;
    unit->source = source_name(unit, pp);
    show_directories(unit, pp);
    if (unit->compiler->options->dependencies && !unit->diag.errors)
        unit->rule_written =
            write_dependencies(pp, unit->arena, unit->compiler->options, unit->input->path);
    if (unit->compiler->options->certificate && !unit->diag.errors)
        unit->digest = source_digest(pp, &unit->compile);
}

// Debuggers find the end of a prologue by how it sets the frame pointer, unless that is a variable.
static bool has_frame_pointers(const GateccOptions *options, const Program *program) {
    // What finds the caller goes by it.
    if (options->profile.instrument.functions || gatecc_entry_call(options).framed) return true;
    if (options->frame_pointer_given) return options->frame_pointer;
    MachineReg reg = options->compile.pp.target->language->frames->reg;
    return options->level == 0 && !regs_has(program->reserved, reg);
}

// Frames that need a register that the source makes a variable are an error of the source.
static bool frames_are_possible(FileUnit *unit) {
    const Program *program = unit->program;
    const TargetFrames *frames = unit->compile.pp.target->language->frames;
    bool good = true;
    for (uint32_t i = 0; i < program->symbols.count && regs_any(program->reserved); i++) {
        const Func *func = program->symbols.at[i].func;
        MachineRegSet taken = func ? regs_and(frames->registers(func), program->reserved) : NO_REGS;
        if (!regs_any(taken)) continue;
        diag_error(&unit->diag, SPAN_NONE,
                   "%s: frame pointer required in '%s', but %s is the register of a variable",
                   unit->input->path, func_name(func),
                   regs_has(taken, frames->reg) ? frames->reg_name : "every other");
        good = false;
    }
    return good;
}

// Functions are counted where code is made of them.
static bool begin_counting(FileUnit *unit) {
    const GateccOptions *options = unit->compiler->options;
    if (options->mode < MODE_EMIT || !coverage_is_wanted(&options->profile.coverage)) return true;
    unit->compile.coverage = &unit->coverage;
    return coverage_files_begin(&unit->coverage, unit->arena, options, unit->input);
}

static bool end_counting(FileUnit *unit) {
    const GateccOptions *options = unit->compiler->options;
    return !unit->compile.coverage || options->mode < MODE_ASSEMBLY ||
           coverage_files_end(&unit->coverage, unit->arena, options, unit->input);
}

static void begin_instrumenting(FileUnit *unit) {
    const ProfileOptions *profile = &unit->compiler->options->profile;
    if (!profile->instrument.functions && !profile->entry_calls) return;
    unit->instrument = profile->instrument;
    unit->instrument.arena = unit->arena;
    unit->compile.instrument = &unit->instrument;
}

static bool read_program(FileUnit *unit) {
    double start = processor_seconds();
    begin_instrumenting(unit);
    if (!begin_counting(unit)) return false;
    unit->compile.after = after_reading;
    unit->compile.context = unit;
    unit->program = compile_c(unit->arena, &unit->diag, unit->input->path, &unit->compile);
    if (!remarks_are_wanted(&unit->compiler->options->remarks)) tell_messages(unit);
    unit->compiler->front_seconds += processor_seconds() - start;
    if (unit->program) {
        unit->program->pic = unit->compiler->options->pic;
        unit->program->null_is_place = unit->compiler->options->code.null_is_place;
        unit->program->facts_left_out = unit->compiler->options->facts_left_out;
        unit->program->calls_return =
            unit->compiler->options->calls_return || unit->compiler->options->for_debugging;
        unit->program->frame_pointer = has_frame_pointers(unit->compiler->options, unit->program);
        unit->program->loose_stack = unit->compiler->options->code.loose_stack;
        unit->program->split_stack = unit->compiler->options->code.split_stack;
    }
    return unit->program && unit->rule_written && frames_are_possible(unit) &&
           code_registers_suffice(&unit->compiler->options->code, unit->compile.pp.target->language,
                                  &unit->diag, unit->program) &&
           end_counting(unit);
}

// The number of steps after which functions have the form that is to be emitted.
static uint32_t steps_to(Form form) {
    for (uint32_t i = 0; i < step_count; i++) {
        const PassInfo *info = &pass_table[step_at(i).pass];
        if (info->to == form && info->from != form) return i + 1;
    }
    return step_count;
}

// Where something is told under the rules of a warning.
static void open_diag(const FileUnit *unit, Diag *diag, Warning warning) {
    const WarningSet *warnings = &unit->compiler->options->compile.warnings;
    WarningLevel level = warnings_level(warnings, warning_name(warning));
    diag_init(diag, unit->arena, level == LEVEL_IGNORED ? NULL : stderr);
    diag->colour = unit->diag.colour;
    diag->warnings_are_errors = level == LEVEL_ERROR;
}

// Sets the pipeline up for this file.
static void start_pipeline(FileUnit *unit) {
    Pipeline *pipeline = &unit->compiler->pipeline;
    const GateccOptions *options = unit->compiler->options;
    open_diag(unit, &unit->rejected, WARN_REJECTED_PASS);
    open_diag(unit, &unit->missed, WARN_FORM_NOT_REACHED);
    pipeline->diag = &unit->rejected;
    pipeline->form_diag = &unit->missed;
    bool part = options->mode == MODE_EMIT && options->emit != FORM_FIRST;
    pipeline->steps = part ? steps_to(options->emit) : step_count;
    pipeline->check = options->check;
    if (part && pipeline->check == CHECK_FAST) // it may end inside of an excursion
        pipeline->check = CHECK_STEPS;
    if (part && form_is_inner(options->emit))
        excursion_switch_on(pipeline->steps - 1, pipeline->on, pipeline->off);
}

static bool is_good(const FileUnit *unit) {
    return unit->good && !unit->rejected.errors && !unit->missed.errors;
}

// Ends a certificate without an object and writes it. The note may tell of it.
static bool write_certificate(FileUnit *unit, Out *text) {
    Digest hash = certify_end(text, NULL);
    memcpy(unit->note, certificate_note(text, hash).digests, sizeof unit->note);
    return output_write(unit->arena, text, unit->compiler->options->certificate);
}

// The pipeline, and the certificate of what it did, which is written or left in the sink.
static bool certify(FileUnit *unit, AssemblySink *sink) {
    const GateccOptions *options = unit->compiler->options;
    CertifiedOrigin origin = {.source = unit->input->path,
                              .digest = &unit->digest,
                              .options = options_that_matter(unit->arena, &options->mattering)};
    unit->assembly.certificate = unit->note;
    Out text = certify_program(unit->arena, unit->program, &origin, &unit->compiler->pipeline);
    bool good = is_good(unit);
    double start = processor_seconds();
    if (good && sink && options->mode >= MODE_OBJECT)
        sink->certificate = text;
    else if (good)
        good = write_certificate(unit, &text);
    else
        out_free(&text);
    unit->compiler->certificate_seconds += processor_seconds() - start;
    return good;
}

// Takes the program through the pipeline. Whether all is good.
static bool run_pipeline(FileUnit *unit, AssemblySink *sink) {
    bool good;
    Compiler *compiler = unit->compiler;
    if (remarks_are_wanted(&compiler->options->remarks))
        unit->remarks = remarks_begin(unit->arena, &compiler->options->remarks, unit->program,
                                      &compiler->pipeline);
    if (compiler->options->certificate) {
        good = certify(unit, sink);
    } else {
        pipeline_run_program(&compiler->pipeline, unit->program);
        good = is_good(unit);
    }
    if (unit->remarks)
        good &= remarks_end(unit->remarks, &unit->diag, &compiler->pipeline, &compiler->remarks);
    diag_free(&unit->rejected);
    diag_free(&unit->missed);
    return good;
}

// Whether every function has the form that is to be emitted; passes may have been undone or
// switched off.
static bool reached_form(FileUnit *unit) {
    Form form = unit->compiler->options->emit;
    for (uint32_t i = 0; i < unit->program->symbols.count; i++) {
        const Func *func = unit->program->symbols.at[i].func;
        if (func && func->form != form)
            diag_error(&unit->diag, SPAN_NONE, "function '%s' does not reach the form %s",
                       func_name(func), form_name(form));
    }
    return !unit->diag.errors;
}

static bool emit_form(FileUnit *unit) {
    const GateccOptions *options = unit->compiler->options;
    if (!reached_form(unit)) return false;
    Out out = {0};
    program_print(&out, unit->program, &(PrintOptions){.locations = options->locations});
    const char *ending = arena_printf(unit->arena, ".%s", form_name(options->emit));
    const char *path = options->output ? options->output
                                       : name_with_ending(unit->arena, unit->input->path, ending);
    return output_write(unit->arena, &out, path);
}

// ---- Assembler text

static bool drain(AssemblySink *sink) {
    return !sink->drain || sink->text.length < DRAINED || sink->drain(sink->context, &sink->text);
}

// The last row of the pipeline: each function is written as soon as it has been through the steps.
static void write_function(void *finisher, const Func *func) {
    FileUnit *unit = finisher;
    report_calls(&unit->diag, &unit->compile.warnings, &unit->notes, func);
    if (!unit->good) return;
    unit->good = assembly_can_write(&unit->diag, func) && !unit->diag.errors;
    if (!unit->good) return;
    assembly_function(unit->text, func,
                      unit->follower ? follower_finish(unit->follower, func) : NULL);
    unit->good = drain(unit->sink);
}

// A path as -fdebug-prefix-map= wants it told: the last map that fits counts.
static const char *map_prefix(const FileUnit *unit, const char *path) {
    const Words *maps = &unit->compiler->options->prefix_maps;
    for (uint32_t i = maps->count; path && i-- > 0;) {
        size_t length = strcspn(maps->at[i], "=");
        if (maps->at[i][length] && strncmp(path, maps->at[i], length) == 0)
            return arena_printf(unit->arena, "%s%s", maps->at[i] + length + 1, path + length);
    }
    return path;
}

static void set_up_assembly(FileUnit *unit) {
    const GateccOptions *options = unit->compiler->options;
    bool fast = !options->compile.pp.optimize_size;
    unit->assembly = (AssemblyOptions){.debug = options->debug ? options->dwarf : 0,
                                       .function_sections = options->function_sections,
                                       .data_sections = options->data_sections,
                                       .ident = true,
                                       .no_comment = options->no_ident,
                                       .switches = recorded_switches(options, unit->arena),
                                       .align_loops = fast && options->level >= 1,
                                       .align_functions = fast && options->level >= 2,
                                       .description = unit->compile.debug,
                                       .order = unit->compile.order,
                                       .entry_call = gatecc_entry_call(options).name,
                                       .no_entry_call = unit->instrument.plain.at,
                                       .no_entry_calls = unit->instrument.plain.count,
                                       .certificate = options->certificate ? unit->note : NULL,
                                       .source = unit->source,
                                       .code = options->code.code,
                                       .diag = &unit->diag};
    char *directory = options->debug ? getcwd(NULL, 0) : NULL;
    if (directory) unit->assembly.directory = arena_text(unit->arena, directory, strlen(directory));
    free(directory);
    unit->assembly.unit_name = map_prefix(unit, unit->source);
    unit->assembly.unit_directory = map_prefix(unit, unit->assembly.directory);
}

static bool emit_assembly(FileUnit *unit, AssemblySink *sink) {
    Pipeline *pipeline = &unit->compiler->pipeline;
    set_up_assembly(unit);
    unit->sink = sink;
    unit->text = assembly_begin(&sink->text, unit->program, &unit->assembly);
    pipeline->finish = write_function;
    pipeline->finisher = unit;
    if (unit->compile.debug && unit->compiler->options->level > 0) {
        unit->follower = follower_new(unit->arena, unit->program, unit->compile.debug);
        follower_watch(unit->follower, pipeline);
    }
    bool good = run_pipeline(unit, sink);
    pipeline->finish = NULL;
    if (unit->follower) {
        follower_free(unit->follower);
        follower_unwatch(pipeline);
    }
    double start = processor_seconds();
    assembly_end(unit->text);
    unit->compiler->end_seconds += processor_seconds() - start;
    return good;
}

static bool compile_program(FileUnit *unit, AssemblySink *sink) {
    const GateccOptions *options = unit->compiler->options;
    bool printed_first = options->mode == MODE_EMIT && options->emit == FORM_FIRST;
    if (printed_first && !emit_form(unit)) return false;
    if (options->mode < MODE_ASSEMBLY && !options->certificate &&
        (options->mode != MODE_EMIT || printed_first))
        return true;
    start_pipeline(unit);
    if (options->mode >= MODE_ASSEMBLY) return emit_assembly(unit, sink);
    return run_pipeline(unit, sink) &&
           (options->mode != MODE_EMIT || printed_first || emit_form(unit));
}

bool compile_unit(Compiler *compiler, const Input *input, AssemblySink *sink) {
    FileUnit unit;
    unit_begin(&unit, compiler, input);
    bool good = read_program(&unit) && compile_program(&unit, sink);
    unit_end(&unit);
    return good;
}
