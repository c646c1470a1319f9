// Histories down to the assembler text. Each machine instruction is followed back to the node of
// RTL that it was selected for, and each line of text to its instruction; then the maps are damaged
// one entry at a time, which must be seen. What remarks say is asked of test/history/machine.c,
// sentence by sentence.
#include "history/history_assembly.h"

#include "form/mach.h"
#include "gate/load.h"
#include "pipeline/transforms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Programs

typedef struct {
    Arena *arena;
    Diag diag;
    Program *program;
    Pipeline pipeline;
    History *history;
} Subject;

static void begin(Subject *subject, const char *path, CheckMode check, uint32_t level) {
    CompileOptions options;
    bool unreadable;
    *subject = (Subject){.arena = arena_new("test")};
    diag_init(&subject->diag, subject->arena, NULL);
    compile_defaults(&options);
    subject->program = load_program(subject->arena, &subject->diag, path, &options, &unreadable);
    assert_non_null(subject->program);
    Pipeline *pipeline = &subject->pipeline;
    pipeline_init(pipeline, subject->arena, transform_table, &subject->diag);
    pipeline->check = check;
    pipeline->level = level;
    pipeline->plan = plan_inlining;
    pipeline->plain = plain_transform_table;
    subject->history = history_new(subject->arena, subject->program, NULL);
    history_watch(subject->history, pipeline);
    pipeline_run_program(pipeline, subject->program);
}

static void end(Subject *subject) {
    history_free(subject->history);
    pipeline_free(&subject->pipeline);
    diag_free(&subject->diag);
    arena_free(subject->arena);
}

static const char *path_of(Arena *arena, const char *name) {
    const char *root = getenv("ROOT");
    return arena_printf(arena, "%s/%s", root ? root : ".", name);
}

static bool is_mach(const Func *func) {
    return func_is_final(func) || func->mach;
}

// ---- What must hold of each step to, or on, machine code

// An instruction that was selected for a node is that node or a part of it, or sets a register for
// one that is.
static bool selected_well(const HistoryStep *step, HistoryState before, uint32_t it) {
    const MachInstr *instr = mach_at(step->func, step->items.at[it].index);
    uint32_t then = step->then[it];
    if (instr->node == NO_ID) return true;
    if (then == NO_ID) return false;
    const Item *node = &before.items->at[then];
    if (node->kind != ITEM_INSTR) return false;
    if (node->node == instr->node) return true;
    bool added = instr->dest.i != NO_ID && instr->dest.i >= before.func->regs.count;
    return added || (instr->checked && before.func->nodes.at[instr->node].kind == I_CHECK);
}

// On machine code an instruction stays the same but for its places.
static bool kept_well(const HistoryStep *step, HistoryState before, uint32_t it) {
    const MachInstr *now = mach_at(step->func, step->items.at[it].index);
    if (step->then[it] == NO_ID) return true;
    const MachInstr *then = mach_at(before.func, before.items->at[step->then[it]].index);
    bool again = true; // constants and addresses may be made again, beside the one that stays
    for (uint32_t k = 0; k < mach_read_count(now); k++)
        again &= mach_read_at(step->func, now, k).i == NO_ID;
    return mach_same_but_places(now, then) && now->node == then->node &&
           (again || step->identity[it] == before.identity[step->then[it]]);
}

static bool step_is_well(const HistoryStep *step, HistoryState before) {
    for (uint32_t it = 0; it < step->items.count; it++)
        if (is_mach(before.func) ? !kept_well(step, before, it) : !selected_well(step, before, it))
            return false;
    return true;
}

// Whether every instruction that was selected for a node leads back to it from the end; those that
// were put in later have no node.
static bool leads_back(const FunctionHistory *function, uint32_t at, uint32_t it) {
    while (at != NO_ID && is_mach(function->steps.at[at].func)) {
        const HistoryStep *step = &function->steps.at[at];
        const MachInstr *instr = mach_at(step->func, step->items.at[it].index);
        if (instr->node == NO_ID) return true;
        if (step->then[it] == NO_ID) return false;
        it = step->then[it];
        at = step->before;
    }
    return true;
}

static bool assembly_is_well(const FunctionHistory *function, const AssemblyLines *lines) {
    const HistoryStep *last = &function->steps.at[function->steps.count - 1];
    uint32_t before = 0;
    for (uint32_t i = 0; i < lines->lines.count; i++) {
        const AssemblyLine *line = &lines->lines.at[i];
        if (line->kind != LINE_CODE) {
            if (line->identity != NO_ID || line->instr != NO_ID || line->loc) return false;
            continue;
        }
        if (line->instr >= last->items.count || line->instr < before) return false;
        if (line->identity != last->identity[line->instr]) return false;
        uint32_t loc = mach_at(last->func, line->instr)->loc;
        if (loc && line->loc != loc) return false;
        before = line->instr;
    }
    return lines->lines.count > 0;
}

// ---- Over programs

typedef struct {
    uint32_t functions, steps, instructions, lines;
} Tally;

static void check_function(Subject *subject, AssemblyWriter *writer,
                           const FunctionHistory *function, Tally *tally) {
    const HistoryStep *last = NULL;
    for (uint32_t i = 0; i < function->steps.count; i++) {
        const HistoryStep *step = &function->steps.at[i];
        if (!is_mach(step->func)) continue;
        last = step;
        if (!step_is_well(step, history_before(function, i)))
            fail_msg("%s: what instructions were before %s is wrong", func_name(step->func),
                     step_name(subject->arena, step->step));
        tally->steps++;
    }
    if (!last || !func_is_final(last->func)) return;
    for (uint32_t it = 0; it < last->items.count; it++)
        if (!leads_back(function, function->steps.count - 1, it))
            fail_msg("%s: instruction %u does not lead back", func_name(last->func), it);
    AssemblyLines lines = history_assembly(writer, subject->arena, function);
    if (!assembly_is_well(function, &lines))
        fail_msg("%s: lines and instructions do not agree", func_name(last->func));
    tally->functions++;
    tally->instructions += last->items.count;
    tally->lines += lines.lines.count;
}

static void check_program(Subject *subject, Tally *tally) {
    AssemblyOptions options = {.diag = &subject->diag, .align_loops = true};
    AssemblyWriter *writer = assembly_writer_new(subject->program, &options);
    for (uint32_t f = 0; f < history_count(subject->history); f++)
        check_function(subject, writer, history_at(subject->history, f), tally);
    assembly_writer_free(writer);
}

static void test_programs(void **state) {
    (void)state;
    static const char *const names[] = {"test/history/machine.c", "examples/sort.c",
                                        "examples/lowering.c", "examples/visit.c",
                                        "examples/orders.c"};
    Tally tally = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (uint32_t level = 0; level < 3; level++) {
            Subject subject;
            Arena *arena = arena_new("path");
            begin(&subject, path_of(arena, names[i]), level == 1 ? CHECK_STEPS : CHECK_FAST, level);
            check_program(&subject, &tally);
            end(&subject);
            arena_free(arena);
        }
    assert_true(tally.functions > 60);
    assert_true(tally.lines > tally.instructions);
}

// ---- Lines as the file has them

static void test_text(void **state) {
    (void)state;
    Subject subject;
    Arena *arena = arena_new("path");
    begin(&subject, path_of(arena, "test/history/machine.c"), CHECK_FAST, 1);
    AssemblyOptions options = {.diag = &subject.diag};
    AssemblyWriter *writer = assembly_writer_new(subject.program, &options);
    for (uint32_t f = 0; f < history_count(subject.history); f++) {
        const FunctionHistory *function = history_at(subject.history, f);
        AssemblyLines lines = history_assembly(writer, subject.arena, function);
        Out joined = {0}, whole = {0}, around = {0};
        for (uint32_t i = 0; i < lines.lines.count; i++) {
            out_text(&joined, lines.lines.at[i].text);
            out_char(&joined, '\n');
        }
        if (!lines.lines.count) continue;
        Assembly *assembly = assembly_begin(&around, subject.program, &options);
        assembly_one_function(assembly, &whole, function->steps.at[function->steps.count - 1].func);
        assembly_end(assembly);
        // Constants are counted over all functions.
        if (!memmem(whole.text, whole.length, ".LC", 3)) {
            assert_int_equal(joined.length, whole.length);
            assert_memory_equal(joined.text, whole.text, whole.length);
        }
        out_free(&joined);
        out_free(&whole);
        out_free(&around);
    }
    assembly_writer_free(writer);
    end(&subject);
    arena_free(arena);
}

// ---- Damage

static const FunctionHistory *history_named(const Subject *subject, const char *name) {
    for (uint32_t f = 0; f < history_count(subject->history); f++)
        if (strcmp(func_name(history_at(subject->history, f)->start), name) == 0)
            return history_at(subject->history, f);
    fail_msg("there is no %s", name);
    return NULL;
}

// Gives an item another one for what it was: each of the entries of the map of a step.
static uint32_t damage_step(HistoryStep *step, HistoryState before) {
    uint32_t unseen = 0;
    uint32_t *then = (uint32_t *)step->then;
    for (uint32_t it = 0; it < step->items.count; it++) {
        uint32_t was = then[it];
        if (was == NO_ID) continue;
        then[it] = was ? was - 1 : was + 1;
        unseen += step_is_well(step, before);
        then[it] = was;
    }
    return unseen;
}

static void test_damaged_maps(void **state) {
    (void)state;
    Subject subject;
    Arena *arena = arena_new("path");
    begin(&subject, path_of(arena, "test/history/machine.c"), CHECK_STEPS, 1);
    const FunctionHistory *function = history_named(&subject, "many");
    uint32_t steps = 0;
    for (uint32_t i = 0; i < function->steps.count; i++) {
        HistoryStep *step = &function->steps.at[i];
        HistoryState before = history_before(function, i);
        if (!is_mach(step->func) || step->verdict == STEP_UNCHANGED) continue;
        assert_true(step_is_well(step, before));
        assert_int_equal(damage_step(step, before), 0);
        steps++;
    }
    assert_true(steps >= 2);
    end(&subject);
    arena_free(arena);
}

static void test_damaged_lines(void **state) {
    (void)state;
    Subject subject;
    Arena *arena = arena_new("path");
    begin(&subject, path_of(arena, "test/history/machine.c"), CHECK_FAST, 1);
    AssemblyOptions options = {.diag = &subject.diag};
    AssemblyWriter *writer = assembly_writer_new(subject.program, &options);
    const FunctionHistory *function = history_named(&subject, "sum");
    AssemblyLines lines = history_assembly(writer, subject.arena, function);
    uint32_t code = 0;
    for (uint32_t i = 0; i < lines.lines.count; i++) {
        AssemblyLine *line = &lines.lines.at[i], was = *line;
        line->identity++;
        assert_false(assembly_is_well(function, &lines));
        *line = was;
        code += line->kind == LINE_CODE;
    }
    assert_true(code > 15);
    assert_true(assembly_is_well(function, &lines));
    assembly_writer_free(writer);
    end(&subject);
    arena_free(arena);
}

// ---- What remarks say

typedef struct {
    const char *function, *pass;
    RemarkKind kind;
    const char *text;
    uint32_t line; // of test/history/machine.c; 0: any
} Said;

static const Said said[] = {
    {"sum", "close_loops", REMARK_ADDED, "copy of %best.4 where it leaves the loop at node 8", 0},
    {"sum", "gsa_build", REMARK_FORM, "phi becomes a mu: %best.1 on entering the loop, %best.4", 0},
    {"sum", "gsa_build", REMARK_FORM,
     "phi becomes a gamma: %v.1 when gt.i32(%v.1, %best.2), %best.2 otherwise", 0},
    {"sum", "gsa_build", REMARK_FORM, "copy becomes an eta: %best.4 leaves its loop when p1", 0},
    {"sum", "gate_simplify", REMARK_REPLACED,
     "gate of %s.7 was gt.i32(%n.0, 0) & p1, is gt.i32(%n.0, 0): which way the branches at nodes "
     "10, 13 and 21 go makes no difference",
     0},
    {"sum", "if_convert", REMARK_REPLACED, "select instead of the branch at node 10", 0},
    {"sum", "if_convert", REMARK_ADDED, "the condition of the branch at node 10, for the selects",
     12},
    {"sum", "if_convert", REMARK_COPIED, "done whichever way the branch at node 13 goes", 14},
    {"sum", "gsa_destruct", REMARK_FORM, "mu becomes a phi: from node 7 %s.1, from node", 0},
    {"sum", "gsa_destruct", REMARK_MERGED, "stands for %best.4 again", 0},
    {"sum", "ssa_destruct", REMARK_FORM, "all its arguments are in its own register %", 0},
    {"sum", "ssa_destruct", REMARK_PLACED,
     "%best.2 shares register %best'1 with %best.4, %best.5: they do not interfere", 0},
    {"sum", "ssa_destruct", REMARK_FORM, "there it is %best.1", 0},
    {"sum", "select_code", REMARK_MERGED, "in its condition", 12},
    {"sum", "allocate", REMARK_PLACED, "%best'1 is in rbx", 0},
    {"update", "select_code", REMARK_MERGED, "which loads, computes and stores", 28},
    {"update", "select_code", REMARK_ADDED, "sets %", 0},
    {"many", "select_code", REMARK_MERGED, "as its operand in memory", 0},
    {"many", "allocate", REMARK_SPILLED, "%t0 is spilled to s0, for where no register is left", 0},
    {"many", "allocate", REMARK_SPILLED, "%t1 is loaded from spill s1 to rsi, where it is needed",
     0},
    {"many", "allocate", REMARK_ADDED, "ends a block that was put in on an edge", 0},
    {"swap", "ssa_destruct", REMARK_ADDED, "are a cycle: one value is put aside", 0},
    {"swap", "ssa_destruct", REMARK_FORM, "copy for phi %a.2 on the edge from node", 0},
    {"order", "schedule", REMARK_MOVED, "up by 3 places", 0},
    {"last", "select_code", REMARK_MERGED, "a call that returns in its place", 0},
    {"last", "select_code", REMARK_MOVED, "made where instruction 2 reads it", 0},
    {"scale", "select_code", REMARK_MERGED, "as its operand in memory", 0},
    {"kept", "inline_calls", REMARK_KEPT, "not inlined: the body of 'large' has 33 nodes, limit 22",
     0},
    {"kept", "inline_calls", REMARK_KEPT, "not inlined: 'never' is marked noinline", 0},
    {"kept", "inline_calls", REMARK_KEPT, "not inlined: 'rest' takes any number of arguments", 0},
    {"kept", "inline_calls", REMARK_KEPT, "not inlined: what is called is known only when it is",
     0},
    {"kept", "if_convert", REMARK_KEPT, "no select instead: a load may go wrong", 0},
    {"odd", "inline_calls", REMARK_KEPT, "not inlined: 'even' and 'odd' call each other", 0},
    {"again", "inline_calls", REMARK_KEPT, "not inlined: 'again' calls itself", 0},
    {"sum", "inline_calls", REMARK_KEPT, "not inlined: 'g' is not defined in this file", 0},
};

static bool is_said(const Subject *subject, const FunctionHistory *function, const Said *it) {
    PassId pass = pass_named(it->pass);
    for (uint32_t i = 0; i < function->steps.count; i++) {
        const HistoryStep *step = &function->steps.at[i];
        if (step_at(step->step).pass != pass) continue;
        for (uint32_t k = 0; k < step->remarks.count; k++) {
            const Remark *remark = &step->remarks.at[k];
            uint32_t line = subject->program->locs.at[remark->loc].line;
            if (remark->kind == it->kind && strstr(remark->text, it->text) &&
                (!it->line || it->line == line))
                return true;
        }
    }
    return false;
}

static void test_remarks(void **state) {
    (void)state;
    Subject subject;
    Arena *arena = arena_new("path");
    uint32_t missing = 0;
    begin(&subject, path_of(arena, "test/history/machine.c"), CHECK_FAST, 1);
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        const FunctionHistory *function = history_named(&subject, said[i].function);
        if (is_said(&subject, function, &said[i])) continue;
        print_message("%s, %s: nobody says: %s\n", said[i].function, said[i].pass, said[i].text);
        missing++;
    }
    assert_int_equal(missing, 0);
    end(&subject);
    arena_free(arena);
}

// ---- Growth: remarks and texts for each item are about as many and as long in a large function as
// in a small one

static uint64_t text_of(const FunctionHistory *function) {
    uint64_t length = 0;
    for (uint32_t i = 0; i < function->steps.count; i++)
        for (uint32_t k = 0; k < function->steps.at[i].remarks.count; k++)
            length += strlen(function->steps.at[i].remarks.at[k].text);
    return length;
}

static uint64_t measure(uint32_t parts) {
    char path[] = "/tmp/gatecc-history-XXXXXX.c";
    int file = mkstemps(path, 2);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    fputs("int g(int); int f(int *p, int n) { int s = 0, t = 1;\n", stream);
    for (uint32_t i = 0; i < parts; i++)
        fprintf(stream, "if (p[%u] > n) s += p[%u] * g(t); else t ^= s; if (n > %u) t = s;\n", i,
                i + 1, i);
    fputs("return s + t; }\n", stream);
    fclose(stream);
    Subject subject;
    begin(&subject, path, CHECK_FAST, 1);
    remove(path);
    uint64_t length = text_of(history_at(subject.history, 0));
    end(&subject);
    return length;
}

static void test_growth(void **state) {
    (void)state;
    uint64_t small = measure(40), large = measure(160);
    assert_true(small > 1000);
    assert_true(large < 6 * small);
}

// Files that are named are looked at, too: for programs from elsewhere.
static int run_named(int argc, char **argv) {
    Tally tally = {0};
    for (int i = 1; i < argc; i++) {
        Subject subject;
        begin(&subject, argv[i], CHECK_FAST, 1);
        check_program(&subject, &tally);
        end(&subject);
    }
    printf("%u functions, %u steps, %u instructions, %u lines\n", tally.functions, tally.steps,
           tally.instructions, tally.lines);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),     cmocka_unit_test(test_text),
        cmocka_unit_test(test_damaged_maps), cmocka_unit_test(test_damaged_lines),
        cmocka_unit_test(test_remarks),      cmocka_unit_test(test_growth),
    };
    return argc > 1 ? run_named(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
