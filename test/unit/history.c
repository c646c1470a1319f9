// Histories of many programs: what is said of items holds together. Identities are unique, ranges are kept, and whatever is not what it
// was has a remark.
#include "history/history.h"

#include "driver/load.h"
#include "pipeline/transforms.h"

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
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_programs),
    };
    return argc > 1 ? run_named(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
