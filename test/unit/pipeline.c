// The pipeline loop with transforms that lie: what a checker or the verifier rejects is not committed. And with some
// that do nothing: nobody takes that for what they should have done.
#include "pipeline/pipeline.h"
#include "form/text.h"
#include "pass/pass.h"
#include "pipeline/transforms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Func *honest(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    NormHint *typed = ARENA_NEW(arena, NormHint);
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

// A branch that the one above decides: what it leaves is not in normal form.
static const char decided[] = "function i32 @f(i32 %a, i32 %b) {\n"
                              "  0: %x = const.i32 0\n"
                              "  1: if gt.i32 %a, 0 then 2 else 6\n"
                              "  2: if ne.i32 %b, 0 then 3 else 7\n"
                              "  3: if gt.i32 %a, -5 then 4 else 5\n"
                              "  4: %x = add.i32 %b, 1 -> 7\n"
                              "  5: %x = mul.i32 %b, %b -> 7\n"
                              "  6: %x = const.i32 5\n"
                              "  7: return %x\n"
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

// Runs all steps on the function, with one transform replaced.
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

// A pass that does nothing has not given what it is there to give: what needs it is left out, and that is told.
static void test_not_credited(void **state) {
    (void)state;
    World w;
    Pipeline pipeline;
    run_replaced(&w, &pipeline, PASS_tidy, lazy);
    assert_int_equal(w.diag.warnings, 1);
    assert_int_equal(pipeline.missed[FORM_GSA], 1);
    assert_int_equal(pipeline.stats[step_named("gsa_build")].functions, 0);
    assert_int_equal(pipeline.stats[step_named("hoist")].left_out, 1);
    assert_true(warned(&w, "function 'f' does not reach the form gsa: "));
    assert_true(warned(&w, " nodes cannot be reached [-Wform-not-reached]"));
    Out out = {0};
    pipeline_print_stats(&out, &pipeline);
    out_char(&out, '\0');
    assert_non_null(strstr(out.text, "hoist: left out for 1 functions\n"));
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
    assert_int_equal(pipeline.stats[step_named("tidy")].functions, 1);
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

// ---- Plans that lie

// g is offered and waits; f waits without having been offered. Then g goes on, and is offered again; and so does f, of which
// nothing was offered.
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

static BadPlan *bad_plan;
static Planner make_bad_plan(Arena *arena, const Program *program, uint32_t level, bool may_wait) {
    (void)arena, (void)level;
    assert_true(may_wait);
    bad_plan->program = program;
    return (Planner){.next = bad_next, .advise = bad_advise, .context = bad_plan};
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

// Who has not been offered does not wait and is not resumed; nobody is offered twice.
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit),       cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_plain),        cmocka_unit_test(test_not_well_formed),
        cmocka_unit_test(test_unchecked),    cmocka_unit_test(test_rejection_as_error),
        cmocka_unit_test(test_table),        cmocka_unit_test(test_all_forms),
        cmocka_unit_test(test_not_credited), cmocka_unit_test(test_established),
        cmocka_unit_test(test_missed),       cmocka_unit_test(test_bad_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
