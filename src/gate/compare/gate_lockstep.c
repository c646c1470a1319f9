#include "gate/compare/gate_lockstep.h"

#include "gate/compare/run_agreement.h"
#include "pipeline/side_forms.h"
#include "run/lockstep.h"

// Code for every function; NULL if something was rejected.
static LockstepPair *generate(Arena *arena, Program *program, const Func *const *bodies,
                              uint64_t seed, Diag *diag) {
    LockstepPair *pairs = ARENA_ARRAY(arena, LockstepPair, program->symbols.count);
    AsideOptions options = {.seed = seed};
    bool all = true;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const void *hint;
        pairs[i].ssa = bodies[i];
        if (!pairs[i].ssa) continue;
        pairs[i].mach0 =
            aside_make(aside_to(FORM_MACH0), arena, pairs[i].ssa, &options, diag, &hint);
        pairs[i].hint = hint;
        all &= pairs[i].mach0 != NULL;
    }
    return all ? pairs : NULL;
}

static bool row(Arena *arena, Program *program, const LockstepPair *pairs,
                const LockstepOptions *options, uint64_t seed, Out *out) {
    LockstepRun run = {.program = program,
                       .pairs = pairs,
                       .argc = options->argc,
                       .argv = options->argv,
                       .symbol = NO_SYM,
                       .options = {.fuel = options->fuel,
                                   .capture = true,
                                   .errors = true,
                                   .choice = options->machine->choice},
                       .again = rewind_input};
    run.options.choice.seed = seed;
    LockstepResult result;
    bool same = lockstep_run(arena, &run, &result);
    if (same && !output_agrees(&result.ssa, &result.mach0)) {
        same = false;
        result.difference = "the output differs";
    }
    out_printf(out, "%-8llu %12llu %12llu  %-10s ", (unsigned long long)seed,
               (unsigned long long)result.blocks, (unsigned long long)result.values,
               same ? "same" : "DIFFERENT");
    behaviour_print(out, program, &result.mach0.behaviour);
    out_char(out, '\n');
    if (!same) out_printf(out, "  %s\n", result.difference);
    out_free(&result.ssa.output);
    out_free(&result.ssa.errors);
    out_free(&result.mach0.output);
    out_free(&result.mach0.errors);
    return same;
}

bool gate_lockstep(Arena *arena, Program *program, const LockstepOptions *options, Diag *diag,
                   Out *out) {
    const AsmOptions *machine = options->machine;
    const Func **bodies = ARENA_ARRAY(arena, const Func *, program->symbols.count);
    uint64_t first = machine->seeds_given ? 1 : machine->choice.seed;
    uint32_t count = machine->seeds_given ? machine->seeds : 1;
    bool same = true, good = true;
    for (uint32_t i = 0; i < program->symbols.count; i++) bodies[i] = program->symbols.at[i].func;
    spool_input();
    out_printf(out, "%-8s %12s %12s  %-10s %s\n", "seed", "blocks", "values", "verdict", "end");
    for (uint32_t i = 0; i < count && good; i++) {
        Arena *own = arena_new("lock step"); // of a seed: there may be many
        const LockstepPair *pairs = generate(own, program, bodies, first + i, diag);
        good = pairs;
        if (good) same &= row(own, program, pairs, options, first + i, out);
        arena_free(own);
    }
    return good && same;
}
