// The pipeline loop with transforms that lie: what a checker or the verifier rejects is not
// committed. And with some that do nothing: nobody takes that for what they should have done.
#include "pipeline/pipeline.h"
#include "form/son.h"
#include "pass/pass.h"
#include "pipeline/transforms.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Func *honest(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    CopiesHint *typed = ARENA_NEW(arena, CopiesHint);
    *hint = typed;
    (void)bodies;
    return normalize(arena, func, typed);
}

// Normal form of another program: the constant differs.
static Func *liar(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    Func *result = honest(arena, bodies, func, hint);
    result->nodes.at[0].imm++;
    return result;
}

// Not even well-formed.
static Func *vandal(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    Func *result = honest(arena, bodies, func, hint);
    result->nodes.at[0].succ[0].i = result->nodes.count;
    return result;
}

typedef struct {
    Arena *arena;
    Diag diag;
    const Func *func;
    uint32_t committed;
} World;

static void count(void *context, uint32_t step, const Func *before, const Func *func,
                  const void *hint) {
    assert_int_equal(step_at(step).pass, PASS_normalize);
    assert_non_null(before);
    assert_non_null(func);
    assert_non_null(hint);
    ((World *)context)->committed++;
}

static World world(void) {
    static const char text[] = "function i32 @f(i32 %n) {\n"
                               "  0: %x = const.i32 1\n"
                               "  1: if lt.i32 %x, %n then 2 else 3\n"
                               "  2: %x = add.i32 %x, %x -> 1\n"
                               "  3: return %x\n"
                               "}\n";
    World world = {.arena = arena_new("world")};
    diag_init(&world.diag, world.arena, NULL);
    Program *program =
        program_parse(world.arena, &world.diag, FORM_RTL, "f.rtl", text, strlen(text));
    assert_non_null(program);
    world.func = program->symbols.at[0].func;
    return world;
}

static const Func *run_or_else(World *world, PassTransform *transform, PassTransform *plain,
                               CheckMode check, Pipeline *pipeline) {
    PassTransform *const transforms[PASS_COUNT] = {[PASS_normalize] = transform};
    PassTransform *const plains[PASS_COUNT] = {[PASS_normalize] = plain};
    pipeline_init(pipeline, world->arena, transforms, &world->diag);
    pipeline->plain = plains;
    pipeline->check = check;
    pipeline->steps = step_named("normalize") + 1;
    for (PassId pass = 0; pass < PASS_COUNT; pass++) pipeline->off[pass] = pass != PASS_normalize;
    pipeline->observe = count;
    pipeline->context = world;
    const Func *result = pipeline_run(pipeline, world->func);
    if (result != world->func) result = func_clone(result, world->arena);
    pipeline_free(pipeline);
    pipeline->transforms = pipeline->plain = NULL;
    return result;
}

static const Func *run(World *world, PassTransform *transform, CheckMode check,
                       Pipeline *pipeline) {
    return run_or_else(world, transform, NULL, check, pipeline);
}

static bool warned(const World *world, const char *fragment) {
    return world->diag.out.text &&
           memmem(world->diag.out.text, world->diag.out.length, fragment, strlen(fragment));
}

static void end(World *world) {
    diag_free(&world->diag);
    arena_free(world->arena);
}

static void test_commit(void **state) {
    (void)state;
    World w = world();
    Pipeline pipeline;
    const Func *result = run(&w, honest, CHECK_FAST, &pipeline);
    assert_ptr_not_equal(result, w.func);
    assert_int_equal(w.committed, 1);
    assert_int_equal(w.diag.warnings, 0);
    assert_int_equal(pipeline.stats[step_named("normalize")].rejected, 0);
    assert_int_equal(pipeline.stats[step_named("normalize")].size_before, w.func->nodes.count);
    assert_int_equal(pipeline.stats[step_named("normalize")].size_after, result->nodes.count);
    end(&w);
}

static void test_rejected(void **state) {
    (void)state;
    World w = world();
    Pipeline pipeline;
    assert_ptr_equal(run(&w, liar, CHECK_FAST, &pipeline), w.func);
    assert_int_equal(w.committed, 0);
    assert_int_equal(w.diag.warnings, 1);
    assert_int_equal(pipeline.stats[step_named("normalize")].rejected, 1);
    assert_true(warned(&w, "pass normalize was undone for function 'f' at node 0: the instruction "
                           "differs from that of old node 0 [-Wrejected-pass]"));
    end(&w);
}

// A plain transform takes the place of one that was rejected, and is checked as well.
static void test_plain(void **state) {
    (void)state;
    World w = world();
    Pipeline pipeline;
    assert_ptr_not_equal(run_or_else(&w, liar, honest, CHECK_FAST, &pipeline), w.func);
    assert_int_equal(w.committed, 1);
    assert_int_equal(w.diag.warnings, 1);
    assert_int_equal(pipeline.stats[step_named("normalize")].rejected, 1);
    assert_ptr_equal(run_or_else(&w, liar, vandal, CHECK_FAST, &pipeline), w.func);
    assert_int_equal(w.committed, 1);
    assert_int_equal(pipeline.stats[step_named("normalize")].rejected, 2);
    end(&w);
}

static void test_not_well_formed(void **state) {
    (void)state;
    World w = world();
    Pipeline pipeline;
    assert_ptr_equal(run(&w, vandal, CHECK_FAST, &pipeline), w.func);
    assert_true(warned(&w, "not well-formed: "));
    end(&w);
}

// Switched off, a check says nothing: the wrong function goes through.
static void test_unchecked(void **state) {
    (void)state;
    World w = world();
    Pipeline pipeline;
    const Func *result = run(&w, liar, CHECK_OFF, &pipeline);
    assert_int_equal(result->nodes.at[0].imm, 2);
    assert_int_equal(w.diag.warnings, 0);
    end(&w);
}

static void test_rejection_as_error(void **state) {
    (void)state;
    World w = world();
    Pipeline pipeline;
    w.diag.warnings_are_errors = true;
    run(&w, liar, CHECK_FAST, &pipeline);
    assert_int_equal(w.diag.errors, 1);
    end(&w);
}

static void test_table(void **state) {
    (void)state;
    const char *reason;
    assert_true(pipeline_consistent(&reason));
    for (PassId pass = 0; pass < PASS_COUNT; pass++) {
        assert_int_equal(pass_named(pass_table[pass].name), pass);
        assert_non_null(transform_table[pass]);
    }
    assert_int_equal(pass_named("no such pass"), PASS_COUNT);
    Arena *arena = arena_new("names");
    for (uint32_t i = 0; i < step_count; i++) assert_int_equal(step_named(step_name(arena, i)), i);
    assert_int_equal(step_named("normalize.2"), step_count);
    arena_free(arena);
}

// ---- Properties and forms

// A branch that a constant decides: what it leaves is not in normal form. And something for gvn
// behind tidy: a pass is not given twice what it made nothing of.
static const char decided[] = "function i32 @f(i32 %a, i32 %b) {\n"
                              "  0: %x = const.i32 0\n"
                              "  1: if gt.i32 %a, 0 then 2 else 6\n"
                              "  2: if ne.i32 %b, 0 then 3 else 7\n"
                              "  3: if ge.i32 %x, 0 then 4 else 5\n"
                              "  4: %x = mul.i32 %a, %b -> 8\n"
                              "  5: %x = mul.i32 %b, %b -> 7\n"
                              "  6: %x = const.i32 5\n"
                              "  7: return %x\n"
                              "  8: %y = mul.i32 %a, %b\n"
                              "  9: %x = xor.i32 %x, %y -> 7\n"
                              "}\n";

static Func *lazy(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    (void)arena, (void)bodies, (void)func, (void)hint;
    return NULL;
}

// Nothing at first, then what it should do.
static uint32_t naps;
static Func *late_tidy(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    return naps-- > 0 ? NULL : transform_table[PASS_tidy](arena, bodies, func, hint);
}

// Runs all steps on the function, whatever their level, with one transform replaced. Excursions
// that are checked as one, which would decide the branch at once, are left out.
static void run_replaced(World *world, Pipeline *pipeline, PassId pass, PassTransform *transform) {
    static PassTransform *transforms[PASS_COUNT];
    *world = (World){.arena = arena_new("world")};
    diag_init(&world->diag, world->arena, NULL);
    Program *program =
        program_parse(world->arena, &world->diag, FORM_RTL, "f.rtl", decided, strlen(decided));
    assert_non_null(program);
    memcpy(transforms, transform_table, sizeof transforms);
    transforms[pass] = transform;
    pipeline_init(pipeline, world->arena, transforms, &world->diag);
    for (PassId i = 0; i < PASS_COUNT; i++) pipeline->on[i] = !pass_is_inner(i);
    for (PassId i = 0; i < PASS_COUNT; i++) pipeline->off[i] = pass_is_inner(i);
    const Func *result = pipeline_run(pipeline, program->symbols.at[0].func);
    assert_int_equal(result->form, FORM_MACH);
    pipeline_free(pipeline);
}

static void test_all_forms(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    run_replaced(&w, &pipeline, PASS_tidy, transform_table[PASS_tidy]);
    assert_int_equal(w.diag.warnings, 0);
    for (Form form = 0; form < FORM_COUNT; form++) assert_int_equal(pipeline.missed[form], 0);
    for (uint32_t i = 0; i < step_count; i++) assert_int_equal(pipeline.stats[i].left_out, 0);
    end(&w);
}

// A pass that does nothing has not given what it is there to give: what needs it is left out, and
// that is told.
static void test_not_credited(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    run_replaced(&w, &pipeline, PASS_tidy, lazy);
    assert_int_equal(w.diag.warnings, 1);
    assert_int_equal(pipeline.missed[FORM_GSA], 1);
    assert_int_equal(pipeline.stats[step_named("gsa_build")].functions, 0);
    assert_int_equal(pipeline.stats[step_named("widen")].left_out, 1);
    assert_true(warned(&w, "function 'f' does not reach the form gsa: "));
    assert_true(warned(&w, " nodes cannot be reached [-Wform-not-reached]"));
    Out out = {0};
    pipeline_print_stats(&out, &pipeline);
    out_char(&out, '\0');
    assert_non_null(strstr(out.text, "widen: left out for 1 functions\n"));
    assert_non_null(strstr(out.text, "gsa: not reached by 1 functions\n"));
    out_free(&out);
    end(&w);
}

// What a step needs and has not is established by the pass that gives it, out of turn.
static void test_established(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    naps = 1;
    run_replaced(&w, &pipeline, PASS_tidy, late_tidy);
    assert_int_equal(w.diag.warnings, 0);
    assert_int_equal(pipeline.missed[FORM_GSA], 0);
    assert_int_equal(pipeline.stats[step_named("widen")].left_out, 0);
    // In its turn, and once more for widen.
    assert_int_equal(pipeline.stats[step_named("tidy")].functions, 2);
    end(&w);
}

// The transform that makes a form makes none.
static void test_missed(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    run_replaced(&w, &pipeline, PASS_gsa_build, lazy);
    assert_true(
        warned(&w, "function 'f' does not reach the form gsa: pass gsa_build makes nothing of it"));
    assert_int_equal(pipeline.missed[FORM_GSA], 1);
    end(&w);
    run_replaced(&w, &pipeline, PASS_ssa_build, lazy);
    assert_true(
        warned(&w, "function 'f' does not reach the form ssa: pass ssa_build makes nothing of it"));
    assert_true(warned(&w, "function 'f' does not reach the form gsa: another form before that is "
                           "not reached"));
    assert_int_equal(pipeline.missed[FORM_SSA], 1);
    assert_int_equal(pipeline.missed[FORM_GSA], 1);
    end(&w);
    run_replaced(&w, &pipeline, PASS_gsa_destruct, lazy);
    assert_true(warned(&w, "function 'f' does not reach the form gsa: there is no way back "
                           "from it"));
    assert_int_equal(pipeline.missed[FORM_GSA], 1);
    end(&w);
}

// ---- An excursion that is checked as one

static const char straight[] = "function i32 @f(i32 %n.0) {\n"
                               "  0: %x.1 = const.i32 1\n"
                               "  1: %y.1 = add.i32 %n.0, %x.1\n"
                               "  2: return %y.1\n"
                               "}\n";

static const Func *seen_start; // at which the excursion started
static uint32_t observed;

static Func *watched_build(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    seen_start = func;
    return transform_table[PASS_son_build](arena, bodies, func, hint);
}

// Inside, the constant floats.
static Func *lie_inside(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    (void)bodies, (void)hint;
    Func *result = func_clone(func, arena);
    for (uint32_t i = 0; i < result->son->floating.count; i++)
        if (result->son->floating.at[i].op == OP_CONST_I32) result->son->floating.at[i].imm = 7;
    return result;
}

static Func *vandal_inside(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    (void)bodies, (void)hint;
    Func *result = func_clone(func, arena);
    result->nodes.at[result->nodes.count - 1].arg[0].i = result->regs.count; // of the return
    return result;
}

// The function at the start, with the constant of the one that comes back; and why that should be
// right.
static Func *schedule_forged(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    (void)bodies;
    ValuesHint *typed = *hint = ARENA_NEW(arena, ValuesHint);
    Func *result = func_clone(seen_start, arena);
    for (uint32_t i = 0; i < func->son->floating.count; i++)
        if (func->son->floating.at[i].op == OP_CONST_I32)
            result->nodes.at[0].imm = func->son->floating.at[i].imm;
    const Instr *nodes = seen_start->nodes.at;
    const uint32_t regs[] = {seen_start->params.at[0].i, nodes[0].dest.i, nodes[1].dest.i};
    const HintValue values[] = {
        {.kind = VALUE_OLD, .ref = regs[0]},
        {.kind = VALUE_OP, .op = OP_CONST_I32, .ref = NO_ID, .imm = nodes[0].imm},
        {.kind = VALUE_OP, .op = nodes[1].op, .ref = NO_ID, .first = 0, .count = 2}};
    for (uint32_t i = 0; i < seen_start->regs.count; i++) {
        vec_push(arena, &typed->value_of, NO_ID);
        vec_push(arena, &typed->formed, NO_ID);
        vec_push(arena, &typed->value_of_new, NO_ID);
    }
    for (uint32_t i = 0; i < 3; i++) {
        vec_push(arena, &typed->values, values[i]);
        typed->value_of.at[regs[i]] = typed->value_of_new.at[regs[i]] = i;
        if (i > 0) typed->formed.at[regs[i]] = i;
        vec_push(arena, &typed->old, i < 2 ? NO_NODE : (Node){i});
    }
    vec_push(arena, &typed->args, 0);
    vec_push(arena, &typed->args, 1);
    vec_push(arena, &typed->facts_at, 0);
    return result;
}

static void see_excursion(void *context, uint32_t step, const Func *before, const Func *after,
                          const void *hint) {
    (void)context;
    assert_int_equal(step_at(step).pass, PASS_son_schedule);
    assert_ptr_equal(before, seen_start);
    assert_int_equal(after->form, FORM_SSA);
    assert_non_null(hint);
    observed++;
}

typedef struct {
    PassTransform *optimize, *schedule;
    bool verify_inside, no_way_out;
    CheckMode check;
    uint32_t steps; // 0: all
    Form form;      // in which the function is read
} Trip;

// The excursion and nothing else; the result is a copy.
static const Func *go_on(World *world, Pipeline *pipeline, const char *text, Trip trip) {
    PassTransform *transforms[PASS_COUNT] = {[PASS_son_build] = watched_build,
                                             [PASS_son_optimize] = trip.optimize,
                                             [PASS_check_elim] = lazy,
                                             [PASS_son_schedule] = trip.schedule};
    *world = (World){.arena = arena_new("world")};
    diag_init(&world->diag, world->arena, NULL);
    Program *program =
        program_parse(world->arena, &world->diag, trip.form, "f", text, strlen(text));
    assert_non_null(program);
    world->func = program->symbols.at[0].func;
    pipeline_init(pipeline, world->arena, transforms, &world->diag);
    pipeline->verify_inside = trip.verify_inside;
    pipeline->check = trip.check;
    pipeline->observe = see_excursion;
    if (trip.steps) pipeline->steps = trip.steps;
    for (PassId pass = 0; pass < PASS_COUNT; pass++) pipeline->off[pass] = !transforms[pass];
    pipeline->off[PASS_son_schedule] = trip.no_way_out;
    excursion_switch_on(step_named("son_optimize"), pipeline->on, pipeline->off);
    assert_true(pipeline->on[PASS_son_build]);
    assert_true(pipeline->on[PASS_son_schedule] != trip.no_way_out);
    observed = 0;
    const Func *result = func_clone(pipeline_run(pipeline, world->func), world->arena);
    pipeline_free(pipeline);
    return result;
}

static const PassStats *stats_of(const Pipeline *pipeline, const char *step) {
    return &pipeline->stats[step_named(step)];
}

static void test_excursion(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    for (uint32_t inside = 0; inside < 2; inside++) {
        Trip trip = {lazy, schedule_forged, .verify_inside = inside, .form = FORM_SSA};
        const Func *result = go_on(&w, &pipeline, straight, trip);
        assert_int_equal(w.diag.warnings, 0);
        assert_int_equal(result->form, FORM_SSA);
        assert_ptr_equal(seen_start, w.func);
        assert_int_equal(observed, 1); // one step, whatever was done inside
        assert_int_equal(stats_of(&pipeline, "son_build")->changed, 1);
        assert_int_equal(stats_of(&pipeline, "son_optimize")->functions, 1);
        assert_int_equal(stats_of(&pipeline, "son_optimize")->changed, 0);
        assert_int_equal(stats_of(&pipeline, "son_schedule")->changed, 1);
        end(&w);
    }
    // The steps end inside.
    const Func *result = go_on(
        &w, &pipeline, straight,
        (Trip){lazy, schedule_forged, .steps = step_named("son_optimize") + 1, .form = FORM_SSA});
    assert_int_equal(result->form, FORM_SON);
    assert_int_equal(w.diag.warnings, 0);
    assert_int_equal(observed, 0);
    end(&w);
}

// A lie inside is not seen there, but when it comes back: the function is what it was at the start.
static void test_lie_inside(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    for (uint32_t inside = 0; inside < 2; inside++) {
        Trip trip = {lie_inside, schedule_forged, .verify_inside = inside, .form = FORM_SSA};
        const Func *result = go_on(&w, &pipeline, straight, trip);
        assert_int_equal(result->form, FORM_SSA);
        assert_int_equal(result->nodes.at[0].imm, 1);
        assert_int_equal(observed, 0);
        assert_int_equal(stats_of(&pipeline, "son_optimize")->changed, 1);
        assert_int_equal(stats_of(&pipeline, "son_schedule")->rejected, 1);
        assert_int_equal(pipeline.missed[FORM_SON], 1);
        assert_true(warned(&w, "pass son_schedule was undone for function 'f'"));
        assert_true(warned(&w, "function 'f' does not reach the form son: there is no way back"));
        end(&w);
    }
    Trip unchecked = {lie_inside, schedule_forged, .check = CHECK_OFF, .form = FORM_SSA};
    assert_int_equal(go_on(&w, &pipeline, straight, unchecked)->nodes.at[0].imm, 7);
    assert_int_equal(w.diag.warnings, 0);
    end(&w);
}

// What is not even well-formed is seen if somebody looks; otherwise only what comes back counts.
static void test_vandal_inside(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    Trip trip = {vandal_inside, schedule_forged, .verify_inside = true, .form = FORM_SSA};
    const Func *result = go_on(&w, &pipeline, straight, trip);
    assert_int_equal(result->form, FORM_SSA);
    assert_int_equal(w.diag.warnings, 2);
    assert_true(warned(&w, "pass son_optimize was undone for function 'f'"));
    assert_true(warned(&w, "not well-formed: "));
    assert_true(warned(&w, "does not reach the form son: pass son_optimize was undone"));
    assert_int_equal(stats_of(&pipeline, "son_optimize")->rejected, 1);
    assert_int_equal(stats_of(&pipeline, "son_schedule")->functions, 0);
    assert_int_equal(pipeline.missed[FORM_SON], 1);
    assert_int_equal(observed, 0);
    end(&w);
    trip.verify_inside = false;
    go_on(&w, &pipeline, straight, trip);
    assert_int_equal(w.diag.warnings, 0);
    assert_int_equal(observed, 1);
    end(&w);
}

static void test_no_way_out(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    const Func *result = go_on(&w, &pipeline, straight, (Trip){lazy, lazy, .form = FORM_SSA});
    assert_int_equal(result->form, FORM_SSA);
    assert_int_equal(w.diag.warnings, 1);
    assert_int_equal(pipeline.missed[FORM_SON], 1);
    assert_true(warned(&w, "does not reach the form son: there is no way back from it"));
    end(&w);
    // It is switched off: nobody goes in.
    result = go_on(&w, &pipeline, straight,
                   (Trip){lazy, schedule_forged, .no_way_out = true, .form = FORM_SSA});
    assert_int_equal(result->form, FORM_SSA);
    assert_int_equal(w.diag.warnings, 1);
    assert_int_equal(stats_of(&pipeline, "son_build")->functions, 0);
    assert_true(warned(&w, "does not reach the form son: there is no way back from it"));
    end(&w);
}

// A function that was read in the form is not checked on its way out, which is told.
static void test_read_inside(void **state) {
    (void)state;
    static const char text[] = "function i32 @f(i32 %n.0) {\n"
                               "  region 0:\n"
                               "    0: return %n.0\n"
                               "}\n";
    World w;
    Pipeline pipeline;
    Trip trip = {lazy, lazy, .form = FORM_SON, .verify_inside = true};
    assert_int_equal(go_on(&w, &pipeline, text, trip)->form, FORM_SON);
    assert_int_equal(stats_of(&pipeline, "son_optimize")->functions, 1);
    assert_int_equal(stats_of(&pipeline, "son_schedule")->functions, 0);
    assert_int_equal(stats_of(&pipeline, "son_schedule")->left_out, 1);
    assert_true(warned(&w,
                       "function 'f' does not reach the form ssa: it was given in the form son, "
                       "so that there is nothing to compare with [-Wform-not-reached]"));
    end(&w);
}

// ---- Plans that lie

// g is offered and waits; f waits without having been offered. Then g goes on, and is offered
// again; and so does f, of which nothing was offered.
typedef struct {
    const Program *program;
    uint32_t tasks, offers, resumed, finished;
    bool inlined;
} BadPlan;

static Sym named(const Program *program, const char *name) {
    return program_find(program, str_of((StrTable *)&program->strings, name));
}

static Task bad_next(void *context) {
    BadPlan *plan = context;
    switch (plan->tasks++) {
    case 0: return (Task){.symbol = named(plan->program, "g")};
    case 1: return (Task){.symbol = named(plan->program, "f")};
    case 2: return (Task){.symbol = named(plan->program, "g"), .resumed = true};
    case 3: return (Task){.symbol = named(plan->program, "f"), .resumed = true};
    default: return (Task){.symbol = NO_SYM};
    }
}

static PlanAdvice bad_advise(void *context, const Func *func) {
    BadPlan *plan = context;
    return (PlanAdvice){
        .offered = func->symbol.i == named(plan->program, "g").i, .once = true, .waits = true};
}

// It is never content.
static bool bad_again(void *context, const Func *func, const Bodies *bodies, Arena *scratch) {
    (void)context, (void)scratch;
    assert_int_equal(func->form, FORM_SSA);
    assert_non_null(bodies);
    return true;
}

static BadPlan *bad_plan;
static Planner make_bad_plan(Arena *arena, const Program *program, const PlanOptions *options) {
    (void)arena;
    assert_true(options->may_wait);
    bad_plan->program = program;
    return (Planner){
        .next = bad_next, .advise = bad_advise, .again = bad_again, .context = bad_plan};
}

static void count_offer(void *context, const Func *func) {
    (void)func;
    ((BadPlan *)context)->offers++;
}
static void count_resumed(void *context, const Func *func) {
    assert_int_equal(func->form, FORM_RTL);
    ((BadPlan *)context)->resumed++;
}
static void count_finished(void *context, const Func *func) {
    assert_int_equal(func->form, FORM_MACH);
    ((BadPlan *)context)->finished++;
}
static void see_inlined(void *context, uint32_t step, const Func *before, const Func *after,
                        const void *hint) {
    (void)before, (void)after, (void)hint;
    if (step_at(step).pass == PASS_inline_calls) ((BadPlan *)context)->inlined = true;
}

// Who has not been offered does not wait and is not resumed; nobody is offered twice. Further
// rounds come to an end.
static void test_bad_plan(void **state) {
    (void)state;
    static const char text[] = "function i32 @f(i32 %n) {\n"
                               "  0: %x = call @g(%n)\n"
                               "  1: return %x\n"
                               "}\n"
                               "function i32 @g(i32 %n) static {\n"
                               "  0: %n = add.i32 %n, 1\n"
                               "  1: return %n\n"
                               "}\n";
    Arena *arena = arena_new("world");
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, FORM_RTL, "f.rtl", text, strlen(text));
    assert_non_null(program);
    BadPlan plan = {0};
    bad_plan = &plan;
    Pipeline pipeline;
    pipeline_init(&pipeline, arena, transform_table, &diag);
    pipeline.plan = make_bad_plan;
    pipeline.offer = count_offer;
    pipeline.resume = count_resumed;
    pipeline.observe = see_inlined;
    pipeline.context = &plan;
    pipeline.finish = count_finished;
    pipeline.finisher = &plan;
    pipeline_run_program(&pipeline, program);
    assert_true(plan.inlined);
    assert_int_equal(plan.offers, 1);   // g
    assert_int_equal(plan.resumed, 1);  // g
    assert_int_equal(plan.finished, 2); // f at once, g when it was resumed
    assert_int_equal(pipeline.finished.functions, 2);
    assert_int_equal(pipeline.rounds, 6); // three of each
    assert_int_equal(diag.errors, 0);
    plan.tasks = 99; // f, which others can see, is left out
    pipeline_run_program(&pipeline, program);
    assert_int_equal(diag.errors, 1);
    plan.tasks = 1; // g is never begun, so that f still calls it
    pipeline_run_program(&pipeline, program);
    assert_int_equal(diag.errors, 2);
    pipeline_free(&pipeline);
    diag_free(&diag);
    arena_free(arena);
}

// A way that somebody asks for: in any order, a pass more than once, and checked unless told
// otherwise. A pass that does not fit where it stands is left out.
static void test_look(void **state) {
    (void)state;
    static const PassId way[] = {PASS_gvn, PASS_normalize, PASS_ssa_build,
                                 PASS_gvn, PASS_tidy,      PASS_gvn};
    enum { WAY = sizeof way / sizeof *way };
    World w = world();
    PassTransform *transforms[PASS_COUNT];
    memcpy(transforms, transform_table, sizeof transforms);
    Pipeline pipeline;
    pipeline_init(&pipeline, w.arena, transforms, &w.diag);
    const Func *ssa = pipeline_look(&pipeline, w.func, way, WAY);
    assert_int_equal(ssa->form, FORM_SSA);
    assert_int_equal(w.diag.warnings, 0);
    assert_int_equal(pipeline.stats[step_named("gvn")].left_out, 1);
    assert_int_equal(pipeline.stats[step_named("gvn")].functions, 2);
    transforms[PASS_normalize] = liar;
    ssa = pipeline_look(&pipeline, w.func, way, WAY);
    assert_true(warned(&w, "pass normalize was undone"));
    pipeline.check = CHECK_OFF;
    uint32_t warnings = w.diag.warnings;
    ssa = pipeline_look(&pipeline, w.func, way, WAY);
    assert_int_equal(ssa->form, FORM_SSA);
    assert_int_equal(w.diag.warnings, warnings);
    pipeline_free(&pipeline);
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit),       cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_plain),        cmocka_unit_test(test_not_well_formed),
        cmocka_unit_test(test_unchecked),    cmocka_unit_test(test_rejection_as_error),
        cmocka_unit_test(test_table),        cmocka_unit_test(test_all_forms),
        cmocka_unit_test(test_not_credited), cmocka_unit_test(test_established),
        cmocka_unit_test(test_missed),       cmocka_unit_test(test_excursion),
        cmocka_unit_test(test_lie_inside),   cmocka_unit_test(test_vandal_inside),
        cmocka_unit_test(test_no_way_out),   cmocka_unit_test(test_read_inside),
        cmocka_unit_test(test_bad_plan),     cmocka_unit_test(test_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
