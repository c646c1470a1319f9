// Histories of many programs: what is said of items holds together. Identities are unique, ranges
// are kept, and whatever is not what it was has a remark.
#include "history/history.h"

#include "gate/load.h"
#include "pipeline/transforms.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    uint64_t functions, steps, changed, items, remarks;
} Tally;

static bool is_idle(const Func *func, const Item *item) {
    const Instr *instr = item_instr(func, item);
    return instr && instr->kind == I_NOP;
}

static bool *remarked(Arena *arena, const HistoryStep *step, uint32_t count, bool after) {
    bool *result = ARENA_ARRAY(arena, bool, (size_t)count + 1);
    for (uint32_t i = 0; i < step->remarks.count; i++) {
        uint32_t item = after ? step->remarks.at[i].after : step->remarks.at[i].before;
        if (item != NO_ID) result[item] = true;
    }
    return result;
}

static void complain(const FunctionHistory *function, const HistoryStep *step, const char *what,
                     const Func *func, const Item *item) {
    Arena *arena = arena_new("complaint");
    Out out = {0};
    item_print(&out, func, item);
    fail_msg("%s, step %s: %s: node %d: %.*s", func_name(function->start),
             step_name(arena, step->step), what, (int)item->node, (int)out.length, out.text);
}

// What is gone, and what is new, has a remark.
static void check_remarked(Arena *arena, const FunctionHistory *function, uint32_t at) {
    const HistoryStep *step = &function->steps.at[at];
    HistoryState before = history_before(function, at);
    const bool *gone = remarked(arena, step, before.items->count, false);
    const bool *came = remarked(arena, step, step->items.count, true);
    bool *known = ARENA_ARRAY(arena, bool, (size_t)function->identities + 1);
    bool *stays = ARENA_ARRAY(arena, bool, (size_t)function->identities + 1);
    if (step->verdict == STEP_REJECTED) return;
    for (uint32_t i = 0; i < before.items->count; i++) known[before.identity[i]] = true;
    for (uint32_t i = 0; i < step->items.count; i++) stays[step->identity[i]] = true;
    for (uint32_t i = 0; i < before.items->count; i++)
        if (!gone[i] && !stays[before.identity[i]] && !is_idle(before.func, &before.items->at[i]))
            complain(function, step, "gone", before.func, &before.items->at[i]);
    for (uint32_t i = 0; i < step->items.count; i++)
        if (!came[i] && !known[step->identity[i]] && !is_idle(step->func, &step->items.at[i]))
            complain(function, step, "new", step->func, &step->items.at[i]);
}

static void check_identities(Arena *arena, const FunctionHistory *function, const uint32_t *of,
                             uint32_t count) {
    bool *seen = ARENA_ARRAY(arena, bool, (size_t)function->identities + 1);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(of[i] < function->identities);
        assert_false(seen[of[i]]);
        seen[of[i]] = true;
    }
}

static void check_step(Arena *arena, const FunctionHistory *function, uint32_t at, Tally *tally) {
    const HistoryStep *step = &function->steps.at[at];
    HistoryState before = history_before(function, at);
    assert_true(step->before == NO_ID || step->before < at);
    check_identities(arena, function, step->identity, step->items.count);
    for (uint32_t i = 0; i < step->items.count; i++)
        assert_true(step->then[i] == NO_ID || step->then[i] < before.items->count);
    for (uint32_t i = 0; i < step->remarks.count; i++) {
        const Remark *remark = &step->remarks.at[i];
        assert_true(remark->kind < REMARK_KIND_COUNT);
        assert_true(remark->before == NO_ID || remark->before < before.items->count);
        assert_true(remark->other == NO_ID || remark->other < before.items->count);
        assert_true(remark->after == NO_ID || remark->after < step->items.count);
        assert_true(remark->loc < function->start->program->locs.count);
        assert_true(remark->text && *remark->text && !strchr(remark->text, '\n'));
    }
    if (step->verdict == STEP_ACCEPTED) assert_non_null(step->established);
    if (step->verdict == STEP_REJECTED) assert_non_null(step->reason);
    if (step->verdict != STEP_UNCHANGED) check_remarked(arena, function, at);
    const char *const *texts = item_texts(arena, step->func, &step->items);
    for (uint32_t i = 0; i < step->items.count; i++) assert_true(texts[i] && *texts[i]);
    tally->steps++;
    tally->changed += step->verdict != STEP_UNCHANGED;
    tally->items += step->items.count;
    tally->remarks += step->remarks.count;
}

static void check_history(const History *history, Tally *tally) {
    for (uint32_t f = 0; f < history_count(history); f++) {
        const FunctionHistory *function = history_at(history, f);
        assert_ptr_equal(history_of(history, function->symbol), function);
        tally->functions++;
        for (uint32_t i = 0; i < function->steps.count; i++) {
            Arena *arena = arena_new("step");
            if (i == 0)
                check_identities(arena, function, function->identity, function->items.count);
            check_step(arena, function, i, tally);
            arena_free(arena);
        }
    }
}

static void run_file(const char *path, CheckMode check, uint32_t level, bool all, Tally *tally) {
    Arena *arena = arena_new("history");
    Diag diag;
    CompileOptions options;
    bool unreadable;
    diag_init(&diag, arena, NULL);
    compile_defaults(&options);
    options.pp.inlines = true;
    Program *program = load_program(arena, &diag, path, &options, &unreadable);
    if (program) {
        Pipeline pipeline;
        pipeline_init(&pipeline, arena, transform_table, &diag);
        pipeline.check = check;
        pipeline.level = level;
        pipeline.verify_inside = true;
        pipeline.plan = plan_inlining;
        pipeline.plain = plain_transform_table;
        for (PassId pass = 0; pass < PASS_COUNT; pass++) pipeline.on[pass] = all;
        History *history = history_new(arena, program, NULL);
        history_watch(history, &pipeline);
        pipeline_run_program(&pipeline, program);
        check_history(history, tally);
        history_free(history);
        pipeline_free(&pipeline);
    }
    diag_free(&diag);
    arena_free(arena);
}

// ---- Functions that do not go straight ahead

typedef struct {
    Arena *arena;
    Diag diag;
    Program *program;
    Pipeline pipeline;
    PassTransform *transforms[PASS_COUNT];
    History *history;
} Detour;

static void start_detour(Detour *detour, const char *text) {
    *detour = (Detour){.arena = arena_new("detour")};
    diag_init(&detour->diag, detour->arena, NULL);
    detour->program =
        program_parse(detour->arena, &detour->diag, FORM_RTL, "f.rtl", text, strlen(text));
    assert_non_null(detour->program);
    memcpy(detour->transforms, transform_table, sizeof detour->transforms);
    pipeline_init(&detour->pipeline, detour->arena, detour->transforms, &detour->diag);
    detour->pipeline.plan = plan_inlining;
    detour->history = history_new(detour->arena, detour->program, NULL);
    history_watch(detour->history, &detour->pipeline);
}

static const FunctionHistory *run_detour(Detour *detour, const char *name) {
    Tally tally = {0};
    pipeline_run_program(&detour->pipeline, detour->program);
    check_history(detour->history, &tally);
    for (uint32_t i = 0; i < history_count(detour->history); i++)
        if (strcmp(func_name(history_at(detour->history, i)->start), name) == 0)
            return history_at(detour->history, i);
    return NULL;
}

static void end_detour(Detour *detour) {
    history_free(detour->history);
    pipeline_free(&detour->pipeline);
    diag_free(&detour->diag);
    arena_free(detour->arena);
}

static uint32_t find_step(const FunctionHistory *function, const char *name, StepVerdict verdict) {
    for (uint32_t i = 0; i < function->steps.count; i++)
        if (function->steps.at[i].step == step_named(name) &&
            function->steps.at[i].verdict == verdict)
            return i;
    return NO_ID;
}

static const char loop[] = "function i32 @f(i32 %n) {\n"
                           "  0: %x = const.i32 1\n"
                           "  1: if lt.i32 %x, %n then 2 else 3\n"
                           "  2: %x = add.i32 %x, %x -> 1\n"
                           "  3: return %x\n"
                           "}\n";

// Another constant than before.
static Func *liar(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    Func *result = transform_table[PASS_normalize](arena, bodies, func, hint);
    for (uint32_t n = 0; n < result->nodes.count; n++)
        if (result->nodes.at[n].kind == I_OP) result->nodes.at[n].imm++;
    return result;
}

// Not even well-formed: a successor that is not there.
static Func *vandal(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    Func *result = transform_table[PASS_normalize](arena, bodies, func, hint);
    result->nodes.at[0].succ[0].i = result->nodes.count;
    return result;
}

// A step that is undone is told with what it made, and the next one goes on from before.
static void test_rejected(void **state) {
    (void)state;
    PassTransform *const made[] = {liar, vandal};
    for (int i = 0; i < 2; i++) {
        Detour detour;
        start_detour(&detour, loop);
        detour.transforms[PASS_normalize] = made[i];
        const FunctionHistory *function = run_detour(&detour, "f");
        uint32_t at = find_step(function, "normalize", STEP_REJECTED);
        assert_true(at != NO_ID);
        assert_non_null(function->steps.at[at].reason);
        assert_null(function->steps.at[at].established);
        assert_true(function->steps.at[at].func != history_before(function, at).func);
        uint32_t select = find_step(function, "select_code", STEP_ACCEPTED);
        assert_true(select != NO_ID);
        assert_true(function->steps.at[select].before != at);
        end_detour(&detour);
    }
}

static Func *nothing(Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    (void)arena, (void)bodies, (void)func, (void)hint;
    return NULL;
}

// An excursion that comes to nothing: what follows is compared with the function at its start.
static void test_turned_back(void **state) {
    (void)state;
    Detour detour;
    start_detour(&detour, loop);
    detour.transforms[PASS_son_schedule] = nothing;
    const FunctionHistory *function = run_detour(&detour, "f");
    uint32_t start = find_step(function, "ssa_build", STEP_ACCEPTED);
    uint32_t inside = find_step(function, "son_build", STEP_INSIDE);
    assert_true(start != NO_ID && inside == start + 1);
    for (uint32_t i = inside; i < function->steps.count; i++) {
        const HistoryStep *step = &function->steps.at[i];
        if (step_at(step->step).pass == PASS_close_loops || step->step == step_named("tidy")) {
            assert_true(history_before(function, i).func == function->steps.at[start].func);
            end_detour(&detour);
            return;
        }
    }
    fail_msg("there is no step behind the excursion");
}

// A function that has to start anew, without SSA, has forgotten the first try.
static void test_anew(void **state) {
    (void)state;
    Detour detour;
    start_detour(&detour, loop);
    detour.transforms[PASS_ssa_destruct] = nothing;
    const FunctionHistory *function = run_detour(&detour, "f");
    assert_true(find_step(function, "ssa_build", STEP_ACCEPTED) == NO_ID);
    assert_true(find_step(function, "select_code", STEP_ACCEPTED) != NO_ID);
    end_detour(&detour);
}

static void drop(void *finisher, const Func *func) {
    (void)finisher, (void)func;
}

// A function that waits after its calls were replaced goes on with its history.
static void test_resumed(void **state) {
    (void)state;
    static const char text[] = "function i32 @g(i32 %n) static {\n"
                               "  0: if gt.i32 %n, 0 then 1 else 4\n"
                               "  1: %n = sub.i32 %n, 1\n"
                               "  2: %n = call @g(%n)\n"
                               "  3: %n = call @h(%n)\n"
                               "  4: return %n\n"
                               "}\n"
                               "function i32 @h(i32 %n) static {\n"
                               "  0: return %n\n"
                               "}\n"
                               "function i32 @f(i32 %n) {\n"
                               "  0: %x = call @g(%n)\n"
                               "  1: return %x\n"
                               "}\n";
    Detour detour;
    start_detour(&detour, text);
    detour.pipeline.finish = drop;
    const FunctionHistory *function = run_detour(&detour, "g");
    assert_non_null(function);
    assert_true(find_step(function, "inline_calls", STEP_ACCEPTED) == 0);
    assert_true(function->steps.at[1].step == step_named("inline_calls"));
    assert_true(find_step(function, "allocate", STEP_ACCEPTED) != NO_ID);
    end_detour(&detour);
}

// What a history takes grows with the function, not faster: `count` branches and sums in a row.
static size_t history_bytes(uint32_t count, uint64_t *remarks) {
    Out text = {0};
    uint32_t n = 0;
    out_text(&text, "function i32 @f(i32 %a, i32 %b, i64 %p) {\n");
    for (uint32_t i = 0; i < count; i++, n += 6) {
        out_printf(&text, "  %u: if gt.i32 %%a, %u then %u else %u\n", n, i % 17, n + 1, n + 3);
        out_printf(&text, "  %u: %%x = mul.i32 %%b, 8\n  %u: %%a = add.i32 %%a, %%x -> %u\n", n + 1,
                   n + 2, n + 4);
        out_printf(&text, "  %u: %%a = add.i32 %%a, 3\n", n + 3);
        out_printf(&text, "  %u: store.i32 [%%p + %u], %%a\n", n + 4, i % 50 * 4);
        out_printf(&text, "  %u: %%b = load.i32 [%%p + %u]\n", n + 5, i % 50 * 4);
    }
    out_printf(&text, "  %u: return %%a\n}\n%c", n, '\0');
    Detour detour;
    start_detour(&detour, text.text);
    out_free(&text);
    size_t before = arena_used(detour.arena);
    const FunctionHistory *function = run_detour(&detour, "f");
    *remarks = 0;
    for (uint32_t i = 0; i < function->steps.count; i++)
        *remarks += function->steps.at[i].remarks.count;
    size_t used = arena_used(detour.arena) - before;
    end_detour(&detour);
    return used;
}

static void test_growth(void **state) {
    (void)state;
    uint64_t few, many;
    size_t small = history_bytes(100, &few), large = history_bytes(800, &many);
    assert_true(few > 100 && many > 800);
    assert_true(many < 10 * few);
    assert_true(large < 10 * small);
}

// ---- Many programs

static void run_folder(const char *name, CheckMode check, uint32_t level, bool all, Tally *tally) {
    const char *root = getenv("ROOT");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    struct dirent **entries;
    int count = scandir(path, &entries, is_program_entry, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char file[8192];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        run_file(file, check, level, all, tally);
        free(entries[i]);
    }
    free(entries);
}

static void test_examples(void **state) {
    (void)state;
    Tally tally = {0};
    run_folder("examples", CHECK_STEPS, 1, false, &tally);
    run_folder("examples", CHECK_FAST, 2, false, &tally);
    run_folder("examples", CHECK_OFF, 1, false, &tally);
    run_folder("examples", CHECK_STEPS, 1, true, &tally);
    assert_true(tally.functions > 100);
    assert_true(tally.remarks > 5 * tally.functions);
}

static void test_programs(void **state) {
    (void)state;
    Tally tally = {0};
    run_folder("test/fuzz/corpus/c", CHECK_STEPS, 2, true, &tally);
    run_folder("test/programs", CHECK_FAST, 1, false, &tally);
    assert_true(tally.functions > 10);
}

// Files that are named are looked at, too: for programs from elsewhere.
static int run_named(int argc, char **argv) {
    Tally tally = {0};
    for (int i = 1; i < argc; i++) {
        run_file(argv[i], CHECK_STEPS, 2, false, &tally);
        run_file(argv[i], CHECK_FAST, 1, false, &tally);
        run_file(argv[i], CHECK_STEPS, 1, true, &tally);
    }
    printf("%llu functions, %llu steps, %llu of them changed something, %llu items, %llu remarks\n",
           (unsigned long long)tally.functions, (unsigned long long)tally.steps,
           (unsigned long long)tally.changed, (unsigned long long)tally.items,
           (unsigned long long)tally.remarks);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples), cmocka_unit_test(test_programs),
        cmocka_unit_test(test_rejected), cmocka_unit_test(test_turned_back),
        cmocka_unit_test(test_anew),     cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_growth),
    };
    return argc > 1 ? run_named(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
