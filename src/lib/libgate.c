// The public library: include/gate.h on top of what the programs use. Views that the caller gets point
// into the program; ids are those of the inside, checked on the way in.
#include "gate.h"

#include "cert/certify.h"
#include "driver/gatecc_options.h"
#include "driver/load.h"
#include "form/gsa/gsa.h"
#include "form/text.h"
#include "form/verify.h"
#include "lib/libgate.h"
#include "pipeline/transforms.h"
#include "run/run.h"

#include <string.h>

_Static_assert((int)GATE_F80 == (int)TYPE_F80, "types are numbered alike");
_Static_assert((int)GATE_FORM_GSA == (int)FORM_GSA, "forms are numbered alike");
_Static_assert((int)GATE_BUILTIN == (int)I_BUILTIN, "instructions are numbered alike");
_Static_assert((int)GATE_RAN_OUT == (int)END_FUEL, "ends are numbered alike");

// ---- Programs

static GateProgram *new_program(void) {
    Arena *arena = arena_new("libgate");
    GateProgram *program = ARENA_NEW(arena, GateProgram);
    program->arena = arena;
    diag_init(&program->diag, arena, NULL);
    return program;
}

void libgate_list_functions(GateProgram *program) {
    vec_clear(&program->functions);
    for (uint32_t i = 0; program->inner && i < program->inner->symbols.count; i++)
        if (program->inner->symbols.at[i].func)
            vec_push(program->arena, &program->functions, (Sym){i});
}

GateProgram *gate_open_c(const char *path, const char *const *arguments, size_t count) {
    GateProgram *program = new_program();
    GateccOptions options;
    bool unreadable, told = false;
    gatecc_defaults(&options);
    char **words = ARENA_ARRAY(program->arena, char *, count + 1);
    for (size_t i = 0; i < count; i++)
        words[i] = arena_text(program->arena, arguments[i], strlen(arguments[i]));
    for (int i = 0; i < (int)count; i++)
        if (!gatecc_front_option(&options, program->arena, words, &i, &told))
            diag_error(&program->diag, SPAN_NONE, "unknown option '%s'", words[i]);
    if (gate_good(program))
        program->inner =
            load_program(program->arena, &program->diag, path, &options.compile, &unreadable);
    libgate_list_functions(program);
    return program;
}

GateProgram *gate_open_text(GateForm form, const char *name, const char *text, size_t length) {
    GateProgram *program = new_program();
    program->inner = program_parse(program->arena, &program->diag, (Form)form, name, text, length);
    libgate_list_functions(program);
    if (program->inner) gate_verify(program);
    return program;
}

GateProgram *gate_new(void) {
    GateProgram *program = new_program();
    program->inner = program_new(program->arena);
    return program;
}

void gate_close(GateProgram *program) {
    if (!program) return;
    out_free(&program->scratch);
    diag_free(&program->diag);
    arena_free(program->arena);
}

bool gate_good(const GateProgram *program) {
    return program->diag.errors == 0;
}

const char *gate_messages(const GateProgram *program) {
    const Out *out = &program->diag.out;
    return out->length ? arena_text(program->arena, out->text, out->length) : "";
}

bool gate_verify(GateProgram *program) {
    Complaints complaints = {.arena = program->arena};
    if (!gate_good(program)) return false;
    if (verify_program(&complaints, program->inner)) return true;
    for (uint32_t i = 0; i < complaints.list.count; i++) {
        Out line = {0};
        complaint_print(&line, program->inner, &complaints.list.at[i]);
        diag_error(&program->diag, SPAN_NONE, "%.*s", (int)line.length, line.text);
        out_free(&line);
    }
    return false;
}

const char *gate_text(GateProgram *program) {
    program->scratch.length = 0;
    if (program->inner) program_print(&program->scratch, program->inner, &(PrintOptions){0});
    out_char(&program->scratch, '\0');
    return program->scratch.text;
}

// ---- Conversion

// Whether a pass is the first that gives some of the properties.
static bool establishes(PassId pass, uint32_t properties) {
    uint32_t given = PROPERTY_NOTHING;
    for (PassId earlier = 0; earlier < pass; earlier++) given |= pass_table[earlier].gives;
    return pass_table[pass].gives & properties & ~given;
}

// Whether a step is part of an excursion, checked as one, to a form that is neither of two others.
static bool is_aside(const PassInfo *info, Form from, Form to) {
    Form inner = form_is_inner(info->from) ? info->from : info->to;
    return form_is_inner(inner) && inner != from && inner != to;
}

// How many steps lead from a form to another, in the order of forms: forwards, up to the first that makes the form,
// or, with optimization, up to the first that leaves it again; or back, up to the first that leads back to it.
static uint32_t steps_between(Form from, Form to, bool optimize) {
    bool back = to < from || to == FORM_FIRST;
    if (from == to && !optimize) return 0;
    for (uint32_t i = 0; i < step_count; i++) {
        const PassInfo *info = &pass_table[step_at(i).pass];
        if (is_aside(info, from, to)) continue;
        bool makes = info->to == to && (back ? info->from > to : info->from < to);
        if (back || !optimize ? makes : info->from == to && info->to != to)
            return makes ? i + 1 : i;
    }
    return step_count;
}

// Without optimization only the passes that change the form run, no further than to the form that is wanted, and
// those that establish what they need.
static void leave_out_optimizations(Pipeline *pipeline, Form to) {
    uint32_t needed = PROPERTY_NOTHING;
    for (PassId pass = PASS_COUNT; pass-- > 0;) {
        const PassInfo *info = &pass_table[pass];
        bool changes = info->from != info->to, further = info->to > info->from && info->to > to;
        if (changes && !further) needed |= info->needs;
        bool aside = info->inner && is_aside(info, to, to);
        pipeline->off[pass] = further || aside || (!changes && !establishes(pass, needed));
        if (!pipeline->off[pass]) needed |= info->needs;
    }
}

bool gate_convert(GateProgram *program, GateForm form, bool optimize) {
    if (!gate_good(program)) return false;
    Pipeline pipeline;
    pipeline_init(&pipeline, program->arena, transform_table, &program->diag);
    pipeline.plain = plain_transform_table;
    program->diag.warnings_are_errors = true;
    if (!optimize) leave_out_optimizations(&pipeline, (Form)form);
    for (uint32_t i = 0; i < program->functions.count; i++) {
        Symbol *symbol = program_at(program->inner, program->functions.at[i]);
        const Func *before = symbol->func;
        pipeline.steps = steps_between(before->form, (Form)form, optimize);
        if (form_is_inner((Form)form) && pipeline.steps)
            excursion_switch_on(pipeline.steps - 1, pipeline.on, pipeline.off);
        const Func *after = pipeline_run(&pipeline, before);
        if (after != before) symbol->func = func_clone(after, program->arena);
        if (symbol->func->form != (Form)form)
            diag_error(&program->diag, SPAN_NONE, "function '%s' cannot be brought into form %s",
                       program_text(program->inner, symbol->name), form_name((Form)form));
    }
    program->diag.warnings_are_errors = false;
    pipeline_free(&pipeline);
    return gate_good(program);
}

// ---- Certificates

static bool all_in_rtl(const GateProgram *program) {
    for (uint32_t i = 0; i < program->functions.count; i++)
        if (libgate_function(program, i)->form != FORM_FIRST) return false;
    return true;
}

// The pipeline puts other functions into the program: afterwards the old ones come back.
const char *gate_certify(GateProgram *program, const char *source, size_t *length) {
    uint32_t count = program->functions.count;
    if (!gate_good(program)) return NULL;
    if (!all_in_rtl(program)) {
        diag_error(&program->diag, SPAN_NONE, "certificates start with functions in RTL");
        return NULL;
    }
    Pipeline pipeline;
    const Func **functions = ARENA_ARRAY(program->arena, const Func *, count);
    for (uint32_t i = 0; i < count; i++)
        functions[i] = program_at(program->inner, program->functions.at[i])->func;
    pipeline_init(&pipeline, program->arena, transform_table, &program->diag);
    pipeline.plain = plain_transform_table;
    out_free(&program->scratch);
    program->scratch = certify_program(program->arena, program->inner, source, &pipeline);
    pipeline_free(&pipeline);
    for (uint32_t i = 0; i < count; i++)
        program_at(program->inner, program->functions.at[i])->func = functions[i];
    *length = program->scratch.length;
    out_char(&program->scratch, '\0');
    return gate_good(program) ? program->scratch.text : NULL;
}

// ---- Running

bool gate_run_main(GateProgram *program, const char *const *arguments, size_t count, uint64_t steps,
                   GateRun *run) {
    *run = (GateRun){0};
    if (!gate_good(program)) return false;
    char **words = ARENA_ARRAY(program->arena, char *, count + 1);
    for (size_t i = 0; i < count; i++)
        words[i] = arena_text(program->arena, arguments[i], strlen(arguments[i]));
    RunOptions options = {.fuel = steps, .capture = true, .no_input = true, .no_files = true};
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
    return true;
}

// ---- Functions

const Func *libgate_function(const GateProgram *program, uint32_t function) {
    if (function >= program->functions.count) return NULL;
    return program_at(program->inner, program->functions.at[function])->func;
}

uint32_t gate_function_count(const GateProgram *program) {
    return program->functions.count;
}

const char *gate_function_name(const GateProgram *program, uint32_t function) {
    const Func *func = libgate_function(program, function);
    return func ? func_name(func) : NULL;
}

uint32_t gate_function_named(const GateProgram *program, const char *name) {
    for (uint32_t i = 0; i < program->functions.count; i++)
        if (strcmp(gate_function_name(program, i), name) == 0) return i;
    return GATE_NONE;
}

GateForm gate_function_form(const GateProgram *program, uint32_t function) {
    const Func *func = libgate_function(program, function);
    return func ? (GateForm)func->form : GATE_FORM_RTL;
}

uint32_t gate_node_count(const GateProgram *program, uint32_t function) {
    const Func *func = libgate_function(program, function);
    return func ? func->nodes.count : 0;
}

uint32_t gate_register_count(const GateProgram *program, uint32_t function) {
    const Func *func = libgate_function(program, function);
    return func ? func->regs.count : 0;
}

uint32_t gate_parameter_count(const GateProgram *program, uint32_t function) {
    const Func *func = libgate_function(program, function);
    return func ? func->params.count : 0;
}

uint32_t gate_parameter(const GateProgram *program, uint32_t function, uint32_t index) {
    const Func *func = libgate_function(program, function);
    return func && index < func->params.count ? func->params.at[index].i : GATE_NONE;
}

bool gate_register(const GateProgram *program, uint32_t function, uint32_t reg,
                   GateRegister *result) {
    const Func *func = libgate_function(program, function);
    if (!func || reg >= func->regs.count) return false;
    const RegInfo *info = &func->regs.at[reg];
    *result = (GateRegister){.name = info->name.i ? program_text(program->inner, info->name) : "",
                             .number = info->number,
                             .version = (int32_t)info->version - 1,
                             .type = (GateType)info->type};
    return true;
}

// ---- Nodes

static void fill_place(const GateProgram *program, const Instr *instr, GateNodeInfo *info) {
    const Loc *loc = &program->inner->locs.at[instr->loc];
    if (!instr->loc) return;
    info->file = program_text(program->inner, program->inner->files.at[loc->file]);
    info->line = loc->line;
    info->column = loc->column;
}

static const char *symbol_name(const GateProgram *program, uint32_t symbol) {
    if (symbol == NO_ID) return NULL;
    return program_text(program->inner, program_at(program->inner, (Sym){symbol})->name);
}

static bool names_symbol(const Instr *instr) {
    return instr->kind == I_CALL || (instr->kind == I_OP && instr->op == OP_ADDR_SYMBOL) ||
           (instr_has_address(instr) && instr->base == BASE_SYMBOL);
}

bool gate_node(const GateProgram *program, uint32_t function, uint32_t node, GateNodeInfo *info) {
    const Func *func = libgate_function(program, function);
    if (!func || node >= func->nodes.count) return false;
    const Instr *instr = &func->nodes.at[node];
    *info = (GateNodeInfo){.kind = (GateNodeKind)instr->kind,
                           .dest = instr->dest.i,
                           .argument_count = instr->arg_count,
                           .arguments = instr->arg_count ? &instr_args(func, instr)->i : NULL,
                           .has_immediate = instr->immediate,
                           .immediate = instr->imm,
                           .successor_count = instr->succ_count,
                           .successors = instr->succ_count ? &instr_succs(func, instr)->i : NULL};
    if (instr->kind == I_OP || instr->kind == I_COND) info->op = op_info(instr->op)->name;
    if (instr->kind == I_BUILTIN) info->op = builtin_info(instr->op)->name;
    if (instr->kind == I_SWITCH) info->cases = instr_cases(func, instr);
    if (names_symbol(instr)) info->name = symbol_name(program, instr->ref);
    fill_place(program, instr, info);
    return true;
}

// ---- Merges

static bool is_gated(const Func *func) {
    return func->gsa != NULL;
}

// The etas of a node come first, then what merges.
uint32_t gate_merge_count(const GateProgram *program, uint32_t function, uint32_t node) {
    const Func *func = libgate_function(program, function);
    if (!func || node >= func->nodes.count) return 0;
    if (!is_gated(func)) return func_phi_count(func, (Node){node});
    return gsa_eta_count(func, (Node){node}) + gsa_merge_count(func, (Node){node});
}

static uint32_t pred_count(const GateProgram *program, const Func *func, uint32_t node) {
    Preds preds = preds_of(program->arena, func);
    return preds_count(&preds, (Node){node});
}

bool gate_merge(const GateProgram *program, uint32_t function, uint32_t node, uint32_t index,
                GateMerge *merge) {
    if (index >= gate_merge_count(program, function, node)) return false;
    const Func *func = libgate_function(program, function);
    if (!is_gated(func)) {
        *merge = (GateMerge){.kind = GATE_PHI,
                             .dest = func_phis(func, (Node){node})[index].dest.i,
                             .argument_count = pred_count(program, func, node)};
        return true;
    }
    uint32_t etas = gsa_eta_count(func, (Node){node});
    if (index < etas) {
        *merge = (GateMerge){.kind = GATE_ETA,
                             .dest = gsa_etas(func, (Node){node})[index].dest.i,
                             .argument_count = 1};
        return true;
    }
    const Merge *inner = &gsa_merges(func, (Node){node})[index - etas];
    *merge = (GateMerge){.kind = inner->kind == MERGE_MU ? GATE_MU : GATE_GAMMA,
                         .dest = inner->dest.i,
                         .argument_count = inner->arg_count};
    return true;
}

bool gate_argument(const GateProgram *program, uint32_t function, uint32_t node, uint32_t index,
                   uint32_t argument, GateArgument *result) {
    GateMerge merge;
    if (!gate_merge(program, function, node, index, &merge) || argument >= merge.argument_count)
        return false;
    const Func *func = libgate_function(program, function);
    *result = (GateArgument){.predecessor = GATE_NONE, .predicate = GATE_NONE};
    if (merge.kind == GATE_PHI || merge.kind == GATE_MU) {
        Preds preds = preds_of(program->arena, func);
        result->predecessor = preds_at(&preds, (Node){node})[argument].i;
    }
    if (merge.kind == GATE_PHI) {
        result->reg = phi_args(func, &func_phis(func, (Node){node})[index])[argument].i;
        return true;
    }
    uint32_t etas = gsa_eta_count(func, (Node){node});
    if (merge.kind == GATE_ETA) {
        const Eta *eta = &gsa_etas(func, (Node){node})[index];
        result->reg = eta->source.i;
        result->predicate = eta->gate.i;
        return true;
    }
    const MergeArg *arg =
        &merge_args(func, &gsa_merges(func, (Node){node})[index - etas])[argument];
    result->reg = arg->reg.i;
    if (merge.kind == GATE_GAMMA) result->predicate = arg->gate.i;
    return true;
}

// ---- Predicates

uint32_t gate_predicate_count(const GateProgram *program, uint32_t function) {
    const Func *func = libgate_function(program, function);
    return func && is_gated(func) ? func->gsa->gates.count : 0;
}

static void describe_atom(const Gsa *gsa, const GateAtom *atom, GatePredicate *result) {
    result->argument_count = atom->arg_count;
    for (uint32_t i = 0; i < atom->arg_count; i++) result->arguments[i] = atom->arg[i].i;
    if (atom->op != OP_COUNT) {
        result->kind = GATE_IS_CONDITION;
        result->op = op_info(atom->op)->name;
        result->has_immediate = atom->immediate;
        result->immediate = atom->imm;
        return;
    }
    GateCases cases = gsa->switches.at[atom->cases];
    result->kind = GATE_IS_CASE;
    result->is_default = atom->way == 0;
    result->cases = gsa->case_values.at ? gsa->case_values.at + cases.first : NULL;
    result->case_count = cases.count;
    if (!result->is_default) result->value = result->cases[atom->way - 1];
}

bool gate_predicate(const GateProgram *program, uint32_t function, uint32_t index,
                    GatePredicate *result) {
    if (index >= gate_predicate_count(program, function)) return false;
    const Gsa *gsa = libgate_function(program, function)->gsa;
    const GateNode *node = &gsa->gates.at[index];
    *result = (GatePredicate){.negated = node->negated};
    switch ((GateKind)node->kind) {
    case GK_FALSE: result->kind = GATE_IS_FALSE; break;
    case GK_TRUE: result->kind = GATE_IS_TRUE; break;
    case GK_UNDEF: result->kind = GATE_IS_UNDEFINED; break;
    case GK_LITERAL: describe_atom(gsa, &gsa->atoms.at[node->first], result); break;
    case GK_AND:
    case GK_OR:
        result->kind = node->kind == GK_AND ? GATE_IS_AND : GATE_IS_OR;
        result->first = node->first;
        result->second = node->second;
        break;
    }
    return true;
}
