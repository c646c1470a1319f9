// Gates of large functions, of the shapes that break what is quadratic or recursive: they are made,
// accepted, and taken away again, and there are at most two predicates for each node. No
// optimization comes before, so that every branch is still there. Times and their growth are
// printed.
#include "bench/shapes.h"
#include "check/checkers.h"
#include "pass/pass.h"
#include "test/gen/effort.h"
#include "verify/verify.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

typedef enum {
    BUILD,
    VERIFY,
    CHECK_BUILD,
    SIMPLIFY,
    CHECK_SIMPLIFY,
    DESTRUCT,
    CHECK_DESTRUCT,
    PARTS
} Part;

static const char *const part_names[PARTS] = {"gsa_build", "verify",       "check", "gate_simplify",
                                              "check",     "gsa_destruct", "check"};

typedef struct {
    uint32_t nodes, gates;
    double seconds[PARTS];
} Sample;

static double seconds_now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

// The time since the last call.
static void took(Sample *sample, Part part, double *last) {
    double now = seconds_now();
    sample->seconds[part] = now - *last;
    *last = now;
}

static const Func *closed_shape(Arena *arena, Shape shape, uint32_t nodes) {
    CopiesHint normal = {0};
    SsaHint ssa = {0};
    CloseLoopsHint closing = {0};
    const Func *func = shape_func(arena, program_new(arena), shape, nodes, 1);
    func = ssa_build(arena, normalize(arena, func, &normal), &ssa);
    const Func *closed = close_loops(arena, func, &closing);
    return closed ? closed : func;
}

// Makes all arguments of each gamma one, with the disjunction of their gates.
static void merge_all(Arena *arena, Func *func) {
    Gsa *gsa = func->gsa;
    uint32_t next = 0;
    for (uint32_t m = 0; m < gsa->merges.count; m++) {
        Merge *merge = &gsa->merges.at[m];
        MergeArg *args = gsa->merge_args.at + merge->args_at;
        if (merge->kind == MERGE_GAMMA) {
            for (uint32_t i = 1; i < merge->arg_count; i++)
                args[0].gate = gate_or(arena, gsa, args[0].gate, args[i].gate);
            merge->arg_count = 1;
        }
        memmove(gsa->merge_args.at + next, args, merge->arg_count * sizeof *args);
        merge->args_at = next;
        next += merge->arg_count;
    }
    gsa->merge_args.count = next;
}

// The function with simplified gates, if there are any to simplify.
static Func *simplify(Arena *arena, Shape shape, Func *gated, Sample *sample) {
    GateSimplifyHint hint = {0};
    double last = seconds_now();
    Func *simplified = gate_simplify(arena, gated, &hint);
    took(sample, SIMPLIFY, &last);
    if (!simplified) return gated;
    Verdict verdict = check_gate_simplify(arena, gated, simplified, &hint);
    if (!verdict.accepted) fail_msg("%s: %s", shape_name(shape), verdict.reason);
    took(sample, CHECK_SIMPLIFY, &last);
    return simplified;
}

static Sample measure(Shape shape, uint32_t nodes, bool merged) {
    Arena *arena = arena_new("scale");
    GsaBuildHint build = {0};
    GsaDestructHint destruct = {0};
    Complaints complaints = {.arena = arena};
    const Func *func = closed_shape(arena, shape, nodes);
    Sample sample = {.nodes = func->nodes.count};
    double last = seconds_now();
    Func *gated = gsa_build(arena, func, &build);
    assert_non_null(gated);
    took(&sample, BUILD, &last);
    sample.gates = gated->gsa->gates.count;
    assert_true(verify_func(&complaints, gated));
    took(&sample, VERIFY, &last);
    Verdict verdict = check_gsa_build(arena, func, gated, &build);
    if (!verdict.accepted) fail_msg("%s: %s", shape_name(shape), verdict.reason);
    took(&sample, CHECK_BUILD, &last);
    if (merged)
        merge_all(arena, gated);
    else
        gated = simplify(arena, shape, gated, &sample);
    last = seconds_now();
    const Func *after = gsa_destruct(arena, gated, &destruct);
    assert_non_null(after);
    took(&sample, DESTRUCT, &last);
    verdict = check_gsa_destruct(arena, gated, after, &destruct);
    if (!verdict.accepted) fail_msg("%s: %s", shape_name(shape), verdict.reason);
    took(&sample, CHECK_DESTRUCT, &last);
    arena_free(arena);
    return sample;
}

static void grow(Shape shape, bool merged, uint32_t nodes) {
    Sample small = measure(shape, nodes / 10, merged), large = measure(shape, nodes, merged);
    double ratio = (double)large.gates / large.nodes;
    print_message("%-9s%s %8u nodes, %.2f gates per node;", shape_name(shape),
                  merged ? " merged" : "", large.nodes, ratio);
    for (Part part = 0; part < PARTS; part++) {
        if (large.seconds[part] == 0) continue;
        double factor = large.seconds[part] / fmax(small.seconds[part], 1e-6);
        print_message(" %s %.1f ms (%.2f)", part_names[part], large.seconds[part] * 1e3,
                      log(factor) / log((double)large.nodes / small.nodes));
    }
    print_message("\n");
    assert_true(ratio <= 2);
}

static void test_shapes(void **state) {
    (void)state;
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
        grow(shape, false, (uint32_t)effort(2000, 20000, 1000000));
}

static void test_merged(void **state) {
    (void)state;
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
        grow(shape, true, (uint32_t)effort(2000, 10000, 300000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_merged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
