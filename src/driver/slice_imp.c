#include "driver/slice_imp.h"

#include "driver/aside.h"
#include "driver/gate_imp.h"

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

bool slice_imp(const SliceSource *after, const FunctionSlice *slices, uint32_t count, Diag *diag,
               Out *out) {
    Program *program = after->program;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        Symbol *symbol = &program->symbols.at[i];
        if (!was_sliced(slices, count, program_text(program, symbol->name))) symbol->func = NULL;
    }
    add_gates(after, diag);
    aside_run(aside_to(FORM_FSSA), program, diag);
    return view_show(after->arena, diag, out, program, &(ViewOptions){.view = VIEW_IMP});
}
