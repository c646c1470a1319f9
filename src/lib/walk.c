// Walking: functions, registers, nodes, merges, predicates, by their numbers. Nothing here asks for
// memory.
#include "form/gsa.h"
#include "lib/libgate.h"

#include <string.h>

_Static_assert((int)GATE_F80 == (int)TYPE_F80, "types are numbered alike");
_Static_assert((int)GATE_BUILTIN == (int)I_BUILTIN, "instructions are numbered alike");

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
    return func ? libgate_known_form(func->form) : GATE_FORM_RTL;
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

const char *libgate_place(const GateProgram *program, uint32_t number, uint32_t *line,
                          uint32_t *column) {
    const Loc *loc = &program->inner->locs.at[number];
    *line = *column = 0;
    if (!number) return NULL;
    *line = loc->line;
    *column = loc->column;
    return program_text(program->inner, program->inner->files.at[loc->file]);
}

const char *libgate_symbol_name(const GateProgram *program, uint32_t symbol) {
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
    if (names_symbol(instr)) info->name = libgate_symbol_name(program, instr->ref);
    info->file = libgate_place(program, instr->loc, &info->line, &info->column);
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

// libgate_list_functions has asked for them before, so that they are known.
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

// ---- Loops and ends

static const Gsa *gates_of(const GateProgram *program, uint32_t function) {
    const Func *func = libgate_function(program, function);
    return func ? func->gsa : NULL;
}

uint32_t gate_loop_count(const GateProgram *program, uint32_t function) {
    const Gsa *gsa = gates_of(program, function);
    return gsa ? gsa->loops.count : 0;
}

bool gate_loop(const GateProgram *program, uint32_t function, uint32_t index, GateLoop *loop) {
    if (index >= gate_loop_count(program, function)) return false;
    const LoopGate *inner = &gates_of(program, function)->loops.at[index];
    *loop = (GateLoop){inner->header.i, inner->leaves.i, inner->goes_on.i};
    return true;
}

uint32_t gate_end_count(const GateProgram *program, uint32_t function) {
    const Gsa *gsa = gates_of(program, function);
    return gsa ? gsa->ends.count : 0;
}

bool gate_end(const GateProgram *program, uint32_t function, uint32_t index, GateEndGate *end) {
    if (index >= gate_end_count(program, function)) return false;
    const EndGate *inner = &gates_of(program, function)->ends.at[index];
    *end = (GateEndGate){inner->node.i, inner->gate.i};
    return true;
}
