// Mutants that run. Every step of the programs in test/mutants is recorded; then one is drawn, its
// result or its hint is damaged, and the verifier and the checker look at it. What they accept goes
// on from there to machine code, and must do what the program did before: under the interpreter,
// and natively, as one of the functions of the program. So nothing between a form and the machine
// is taken for granted, as it is where forms are compared with forms.
//
// GATE_MUTANTS is how many there are in all, GATE_SEED where they start, GATE_PROGRAM the name of
// the only program.
#include "assembly/assembly.h"
#include "form/mach.h"
#include "pipeline/transforms.h"
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"
#include "test/gen/one_by_one.h"
#include "test/gen/step_damage.h"
#include "test/gen/subjects.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    PassId pass;
    const Func *before, *after;
    const void *hint;
} Recorded;

typedef struct {
    const char *name;
    Arena *arena;
    Diag diag;
    Program *program; // as the front end made it
    Bodies bodies;    // what was offered
    VEC(Recorded) steps;
    VEC(uint32_t) of_pass[PASS_COUNT]; // numbers of steps
    const Func **last;                 // by symbol: allocated machine code
    Out text, output;                  // assembler text, what it prints natively
    int status;
    bool interpreted; // the interpreter can run it
    RunResult result;
} Subject;

typedef struct {
    uint64_t made, malformed, rejected, unfinished, same, equal;
} Score;

static Score scores[PASS_COUNT];

// ---- Native runs

static bool write_native(Subject *subject, Out *text, Sym changed, const Func *instead) {
    AssemblyOptions options = {.diag = &subject->diag};
    Assembly *assembly = assembly_begin(text, subject->program, &options);
    for (uint32_t i = 0; i < subject->program->symbols.count; i++) {
        const Func *func = i == changed.i ? instead : subject->last[i];
        if (func) assembly_function(assembly, func, NULL);
    }
    assembly_end(assembly);
    return subject->diag.errors == 0;
}

// The status with which it ends, its output behind the text.
static int run_native(const Out *text, Out *output) {
    FILE *file = fopen("mutant.s", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text->text, 1, text->length, file), text->length);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(system("cc -o mutant mutant.s -lm"), 0);
    FILE *pipe = popen("ulimit -t 10; timeout 100 ./mutant 2>&1", "r");
    assert_non_null(pipe);
    char bytes[4096];
    size_t count;
    while ((count = fread(bytes, 1, sizeof bytes, pipe)) > 0 && output->length < 1 << 20)
        out_bytes(output, bytes, count);
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool same_text(const Out *a, const Out *b) {
    return a->length == b->length && (!a->length || memcmp(a->text, b->text, a->length) == 0);
}

// ---- Recording

static void on_step(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint) {
    Subject *subject = context;
    Arena *arena = subject->arena;
    Recorded recorded = {.pass = step_at(step).pass,
                         .before = func_clone(before, arena),
                         .after = func_clone(after, arena),
                         .hint = hint_copy(arena, step_at(step).pass, hint)};
    vec_push(arena, &subject->steps, recorded);
}

static void on_offer(void *context, const Func *func) {
    Subject *subject = context;
    subject->bodies.of[func->symbol.i].rtl = func_clone(func, subject->arena);
}

static void on_finish(void *context, const Func *func) {
    Subject *subject = context;
    if (!func->mach || !func->mach->allocated)
        fail_msg("%s: '%s' ends as %s", subject->name, func_name(func), form_name(func->form));
    subject->last[func->symbol.i] = func_clone(func, subject->arena);
}

static const RunOptions run_options = {.capture = true, .no_input = true, .no_files = true};

static void interpret(Subject *subject, uint64_t fuel, RunResult *result, Arena *arena) {
    char name[] = "mutant", *argv[] = {name, NULL};
    RunOptions options = run_options;
    options.fuel = fuel;
    rtl_run(arena, subject->program, 1, argv, &options, result);
}

static void record(Subject *subject, const char *path, bool one_by_one) {
    *subject = (Subject){.name = path, .arena = arena_new("subject")};
    diag_init(&subject->diag, subject->arena, stderr);
    subject->program = subject_read(subject->arena, &subject->diag, path);
    subject->bodies = bodies_new(subject->arena, subject->program);
    subject->last = ARENA_ARRAY(subject->arena, const Func *, subject->program->symbols.count);
    interpret(subject, 0, &subject->result, subject->arena);
    subject->interpreted = subject->result.behaviour.end == END_RESULT;
    Pipeline pipeline;
    pipeline_init(&pipeline, subject->arena, transform_table, &subject->diag);
    pipeline.plain = plain_transform_table;
    pipeline.plan = plan_inlining;
    pipeline.check = CHECK_FAST; // the steps that certificates have
    if (one_by_one) switch_one_by_one(&pipeline);
    pipeline.observe = on_step;
    pipeline.offer = on_offer;
    pipeline.context = subject;
    pipeline.finish = on_finish;
    pipeline.finisher = subject;
    pipeline_run_program(&pipeline, subject->program);
    pipeline_free(&pipeline);
    for (uint32_t i = 0; i < subject->steps.count; i++) {
        const Recorded *step = &subject->steps.at[i];
        if (subject->last[step->after->symbol.i])
            vec_push(subject->arena, &subject->of_pass[step->pass], i);
    }
    assert_true(write_native(subject, &subject->text, NO_SYM, NULL));
    subject->status = run_native(&subject->text, &subject->output);
    if (subject->interpreted) {
        assert_int_equal(subject->status, subject->result.behaviour.status);
        assert_true(same_text(&subject->output, &subject->result.output));
    }
}

static void subject_free(Subject *subject) {
    out_free(&subject->text);
    out_free(&subject->output);
    out_free(&subject->result.output);
    diag_free(&subject->diag);
    arena_free(subject->arena);
}

// ---- Mutants

static bool damage_hint(Mutant *mutant, PassId pass) {
    static const uint64_t numbers[] = {0, 1, 2, 3, 5, NO_ID};
    const HintShape *shape = hint_shapes[pass];
    const HintField *field = &shape->fields[mutant_draw(mutant, shape->count)];
    if (mutant_draw(mutant, 8) == 0)
        return hint_change_length(mutant->arena, field, mutant->hint, mutant_draw(mutant, 2));
    uint64_t to = mutant_draw(mutant, 2) ? numbers[mutant_draw(mutant, 6)]
                                         : mutant_draw(mutant, mutant->before->regs.count + 8);
    return hint_change_number(&mutant->random, field, mutant->hint, to);
}

static bool damage_code(Mutant *mutant) {
    bool machine = mutant->after->mach;
    const MutantKind *kinds = machine ? mach_mutant_kinds : code_mutant_kinds;
    uint32_t count = machine ? mach_mutant_kind_count : code_mutant_kind_count;
    return mutant_damage(mutant, &kinds[mutant_draw(mutant, count)]);
}

// A third of what is damaged with sense is damaged twice, so that code and hint may fit together
// again. A changed field comes alone: it may be anything.
static bool damage(Mutant *mutant, PassId pass) {
    uint32_t sense = mutant_draw(mutant, 4) ? mutant_draw(mutant, 3) ? 1 : 2 : 0;
    bool damaged = false;
    for (uint32_t tries = 0; tries < 20 && !damaged; tries++) {
        if (sense == 0) return code_change_field(&mutant->random, mutant->after);
        damaged = mutant_draw(mutant, 3) ? damage_code(mutant) : damage_hint(mutant, pass);
    }
    if (damaged && sense == 2)
        (void)(mutant_draw(mutant, 2) ? damage_code(mutant) : damage_hint(mutant, pass));
    return damaged;
}

static Verdict judge(const Subject *subject, const Mutant *mutant, PassId pass) {
    Score *score = &scores[pass];
    score->made++;
    Verdict verdict = pass_verify(pass, mutant->arena, mutant->before, mutant->after);
    score->malformed += !verdict.accepted;
    if (!verdict.accepted) return verdict;
    verdict = pass_check(pass, mutant->arena, &subject->bodies, mutant->before, mutant->after,
                         mutant->hint);
    score->rejected += !verdict.accepted;
    return verdict;
}

// How the program behaves with the mutant as the body of its function; NULL if as before.
static const char *interpreted_difference(Subject *subject, const Mutant *mutant) {
    const char *difference = NULL;
    RunResult result = {0};
    Symbol *symbol = program_at(subject->program, mutant->after->symbol);
    const Func *original = symbol->func;
    if (!subject->interpreted) return NULL;
    symbol->func = mutant->after;
    interpret(subject, subject->result.behaviour.steps * 8 + 100000, &result, mutant->arena);
    symbol->func = original;
    if (behaviour_refines(mutant->arena, &subject->result.behaviour, &result.behaviour,
                          &difference))
        difference = NULL;
    if (!difference && result.behaviour.end == END_FUEL) difference = "it does not return";
    if (!difference && !same_text(&result.output, &subject->result.output))
        difference = "it prints something else";
    out_free(&result.output);
    return difference;
}

static const char *native_difference(Subject *subject, const Func *machine, Score *score) {
    Out text = {0}, output = {0};
    const char *difference = NULL;
    if (!write_native(subject, &text, machine->symbol, machine)) {
        difference = "it cannot be written as assembly";
    } else if (same_text(&text, &subject->text)) {
        score->same++;
    } else {
        int status = run_native(&text, &output);
        if (status != subject->status || !same_text(&output, &subject->output))
            difference = "the native program behaves differently";
        score->equal += !difference;
    }
    out_free(&text);
    out_free(&output);
    return difference;
}

static void tell(const Subject *subject, PassId pass, const Mutant *mutant, uint64_t seed,
                 const char *difference) {
    Out text = {0};
    func_print(&text, mutant->before, &(PrintOptions){0});
    func_print(&text, mutant->after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s, %s, seed %llu: accepted, but %s\n%s", subject->name, pass_table[pass].name,
             (unsigned long long)seed, difference, text.text);
}

static void try_mutant(Subject *subject, Pipeline *rest, uint64_t seed) {
    Random random = random_from(seed);
    PassId pass;
    do pass = (PassId)random_below(&random, PASS_COUNT);
    while (!subject->of_pass[pass].count);
    uint32_t which = random_below(&random, subject->of_pass[pass].count);
    const Recorded *step = &subject->steps.at[subject->of_pass[pass].at[which]];
    Mutant mutant = {.arena = arena_new("mutant"), .random = random, .before = step->before};
    mutant.after = func_clone(step->after, mutant.arena);
    mutant.hint = hint_copy(mutant.arena, pass, step->hint);
    mutant.origins = pass == PASS_allocate;
    if (damage(&mutant, pass) && judge(subject, &mutant, pass).accepted) {
        const char *difference = interpreted_difference(subject, &mutant);
        const Func *machine = pipeline_run(rest, mutant.after);
        bool finished = machine->mach && machine->mach->allocated;
        scores[pass].unfinished += !finished;
        if (!difference && finished)
            difference = native_difference(subject, machine, &scores[pass]);
        if (difference) tell(subject, pass, &mutant, seed, difference);
    }
    arena_free(mutant.arena);
}

static void try_program(const char *path, bool one_by_one, uint64_t count, uint64_t seed) {
    Subject subject;
    Diag diag;
    Pipeline rest;
    record(&subject, path, one_by_one);
    diag_init(&diag, subject.arena, NULL);
    pipeline_init(&rest, subject.arena, transform_table, &diag);
    rest.plain = plain_transform_table;
    for (uint64_t i = 0; i < count; i++) try_mutant(&subject, &rest, seed + i);
    pipeline_free(&rest);
    diag_free(&diag);
    subject_free(&subject);
}

// ---- All of it

static void print_scores(void) {
    Score total = {0};
    for (uint32_t pass = 0; pass < PASS_COUNT; pass++) {
        const Score *score = &scores[pass];
        if (!score->made) continue;
        print_message(
            "%-14s %7llu mutants, %7llu malformed, %7llu rejected, %6llu of the same code, "
            "%6llu others run alike, %4llu unfinished\n",
            pass_table[pass].name, (unsigned long long)score->made,
            (unsigned long long)score->malformed, (unsigned long long)score->rejected,
            (unsigned long long)score->same, (unsigned long long)score->equal,
            (unsigned long long)score->unfinished);
        total.made += score->made;
        total.rejected += score->rejected;
        total.same += score->same;
        total.equal += score->equal;
        total.unfinished += score->unfinished;
    }
    print_message(
        "%llu mutants, none accepted that behaves differently; %llu accepted ran natively\n",
        (unsigned long long)total.made, (unsigned long long)total.equal);
    assert_true(total.rejected > total.made / 10 && total.equal > 0);
    assert_true(total.unfinished < total.made / 20);
}

static void test_native_mutants(void **state) {
    (void)state;
    const char *given = getenv("GATE_MUTANTS"), *start = getenv("GATE_SEED");
    uint64_t count = given ? strtoull(given, NULL, 10) : effort(400, 4000, 250000);
    uint64_t seed = start ? strtoull(start, NULL, 10) : 1, tried = 0;
    Arena *arena = arena_new("paths");
    Subjects subjects = subjects_list(arena, getenv("GATE_PROGRAM"));
    uint64_t each = count / subjects.count / 2 + 1;
    for (uint32_t i = 0; i < subjects.count; i++)
        for (int one_by_one = 0; one_by_one < 2; one_by_one++, tried += each)
            try_program(subjects.paths[i], one_by_one, each, seed * 1000000000 + tried);
    print_scores();
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_native_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
