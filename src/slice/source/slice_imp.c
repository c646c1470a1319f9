#include "slice/source/slice_imp.h"

#include "imp/imp_view.h"
#include "pipeline/side_forms.h"
#include "pipeline/transforms.h"

#include <string.h>

// The passes that lead to gates, and no others: values stay those that the source names.
static void add_gates(const SliceSource *after, Diag *diag) {
    static const PassId way[] = {PASS_normalize, PASS_ssa_build, PASS_close_loops, PASS_gsa_build};
    Pipeline pipeline;
    pipeline_init(&pipeline, after->arena, transform_table, diag);
    pipeline.level = 0;
    pipeline.steps = step_named("gsa_build") + 1;
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) pipeline.on[way[i]] = true;
    pipeline_run_program(&pipeline, after->program);
    pipeline_free(&pipeline);
}

static bool was_sliced(const FunctionSlice *slices, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(slices[i].function->name, name) == 0) return true;
    return false;
}

// ---- What was asked for

typedef struct {
    Arena *arena;
    Program *program;
    Func *func; // of the slice
    const FunctionSlice *slice;
    const SliceFunctionHint *hint;
    VEC(Reg) shown; // at the node at hand
} Asking;

static void show_register(Asking *asking, Reg reg) {
    for (uint32_t i = 0; i < asking->shown.count; i++)
        if (asking->shown.at[i].i == reg.i) return;
    vec_push(asking->arena, &asking->shown, reg);
}

// A variable, if it is a register of the slice; what is in memory is seen there.
static void show_variable(Asking *asking, uint32_t variable) {
    const SliceVariables *variables = &asking->slice->variables;
    if (!slice_is_register(variables, variable)) return;
    for (uint32_t r = 0; r < asking->hint->regs.count; r++) {
        Reg old = asking->hint->regs.at[r];
        if (old.i != NO_ID && slice_register(variables, old) == variable)
            show_register(asking, (Reg){r});
    }
}

static void show_at(Asking *asking, uint32_t node) {
    const SliceFunctionHint *hint = asking->hint;
    const Instr *instr = &asking->func->nodes.at[node];
    vec_clear(&asking->shown);
    for (uint32_t i = 0; i < hint->points.count; i++) {
        if (hint->points.at[i].node.i != hint->old.at[node].i) continue;
        uint32_t variable = hint->points.at[i].variable;
        const Reg *args = instr_args(asking->func, instr);
        for (uint32_t k = 0; variable == NO_ID && k < instr->arg_count; k++)
            if (asking->func->regs.at[args[k].i].name.i) show_register(asking, args[k]);
        if (variable != NO_ID) show_variable(asking, variable);
    }
    for (uint32_t i = 0; instr->kind == I_RETURN && i < hint->exits.count; i++)
        show_variable(asking, hint->exits.at[i]);
}

// Puts a call in front of a node, which moves.
static void call_asked(Asking *asking, Node node) {
    Program *program = asking->program;
    Func *func = asking->func;
    uint32_t count = asking->shown.count;
    PType *types = ARENA_ARRAY(asking->arena, PType, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        types[i] = PTYPE_OF(func->regs.at[asking->shown.at[i].i].type);
    SigInfo sig = {
        .result = PTYPE_VOID, .param_count = count, .fixed_count = count, .params = types};
    Sym asked = program_symbol(program, str_of(&program->strings, "asked"), SYM_FUNC);
    Node moved = func_duplicate(func, node);
    func->nodes.at[node.i] = (Instr){.kind = I_CALL,
                                     .dest = NO_REG,
                                     .ref = asked.i,
                                     .aux = program_sig(program, sig).i,
                                     .loc = func->nodes.at[node.i].loc};
    func_set_args(func, node, asking->shown.at, count);
    func_set_succs(func, node, &moved, 1);
}

static void show_asked(const SliceSource *after, const FunctionSlice *slice,
                       const SliceFunctionHint *hint) {
    Program *program = after->program;
    Asking asking = {.arena = after->arena, .program = program, .slice = slice, .hint = hint};
    if (!hint->points.count && !hint->exits.count) return;
    asking.func = func_clone(program_at(program, hint->symbol)->func, after->arena);
    for (uint32_t n = 0; n < hint->old.count; n++) {
        show_at(&asking, n);
        if (asking.shown.count) call_asked(&asking, (Node){n});
    }
    program->symbols.at[hint->symbol.i].func = asking.func;
}

bool slice_imp(const SliceSource *after, const FunctionSlice *slices, uint32_t count,
               const SliceHint *hint, Diag *diag, Out *out) {
    Program *program = after->program;
    show_asked(after, slices, &hint->functions.at[0]);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        Symbol *symbol = &program->symbols.at[i];
        if (!was_sliced(slices, count, program_text(program, symbol->name))) symbol->func = NULL;
    }
    add_gates(after, diag);
    aside_run(aside_to(FORM_FSSA), program, &(AsideOptions){0}, diag);
    return view_show(after->arena, diag, out, program, &(ViewOptions){.view = VIEW_IMP});
}
