// Imp and functional SSA on random programs: what Pop et al. prove in theorems 1 to 4, as
// properties that are tested. Values of identifiers at points come from the recursive functions
// (section 7.3), whose evaluator takes any iteration vector; output comes from the evaluator of
// functional SSA, too.
#include "imp/imp_fssa.h"
#include "imp/imp_run.h"
#include "imp/kleene.h"
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/imp_program.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FUEL = 3000, DEMAND_FUEL = 2000000 };

// Other programs than those of every day: GATE_SEED=N starts at another one.
static uint64_t seed_base(void) {
    const char *text = getenv("GATE_SEED");
    return text ? strtoull(text, NULL, 10) : 0;
}

typedef struct {
    Arena *arena;
    Diag diag;
    const char *text;
    Imp *imp;
} Case;

static void start_case(Case *c, const char *text, size_t length) {
    c->arena = arena_new("case");
    c->text = arena_text(c->arena, text, length);
    diag_init(&c->diag, c->arena, NULL);
    c->imp = imp_parse(c->arena, &c->diag, "random.imp", c->text, length);
    if (!c->imp || !imp_verify(c->imp, &c->diag))
        fail_msg("%.*s\n%s", (int)c->diag.out.length, c->diag.out.text, c->text);
}

static void end_case(Case *c) {
    diag_free(&c->diag);
    arena_free(c->arena);
}

// `prints`: with the last values of the variables that are bound always as output, for who sees no
// others.
static void random_case(Case *c, uint64_t seed, const ImpProgramOptions *options, bool prints) {
    Random random = random_from(seed);
    Out text = {0};
    imp_random_program(&text, &random, options);
    if (prints) out_text(&text, ";\nprint a; print b; print c; print d; print e\n");
    start_case(c, text.text, text.length);
    out_free(&text);
}

static bool same_value(Value a, Value b) {
    return a.undef || b.undef ? a.undef == b.undef : a.bits == b.bits;
}

static const Func *main_of(Program *program) {
    return program_at(program, program_find(program, str_of(&program->strings, "main")))->func;
}

static const Func *verified(const Case *c, Program *program) {
    Complaints complaints = {.arena = c->arena};
    if (!verify_program(&complaints, program)) {
        Out line = {0};
        complaint_print(&line, program, &complaints.list.at[0]);
        fail_msg("%.*s\n%s", (int)line.length, line.text, c->text);
    }
    return main_of(program);
}

// ---- Text

static void test_text(void **state) {
    (void)state;
    uint64_t count = effort(300, 3000, 10000);
    for (uint64_t seed = seed_base(); seed < seed_base() + count; seed++) {
        Case c, again;
        Out first = {0}, second = {0};
        random_case(&c, seed, &(ImpProgramOptions){.statements = 30, .endless = true}, false);
        imp_print(&first, c.imp);
        start_case(&again, first.text, first.length);
        imp_print(&second, again.imp);
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.text, second.text, first.length);
        // Brackets and layout aside, the text is the one that was parsed.
        size_t at = 0;
        for (const char *walk = c.text; *walk; walk++) {
            if (strchr(" \n()", *walk)) continue;
            while (strchr(" \n()", first.text[at])) at++;
            assert_int_equal(*walk, first.text[at++]);
        }
        out_free(&first);
        out_free(&second);
        end_case(&c);
        end_case(&again);
    }
}

// ---- Definition 1, theorems 1 and 2

typedef struct {
    uint32_t stmt;
    int digit;
    Reg *visible;
} Seen;

typedef struct {
    Case *c;
    VEC(Seen) seen;
    Map seen_at; // of a statement and digit
    const Func *func;
    ImpPlaces places;
    KleeneEval *eval;
    uint64_t *counters;
    uint64_t compared, starved, unbound;
    Map readable;    // of points and names: see may_be_read
    FssaLoop *loops; // of statements
} Consistency;

static uint64_t spot(uint32_t stmt, int digit) {
    return (uint64_t)stmt << 8 | (uint32_t)(digit + 1);
}

static void see(void *context, uint32_t stmt, int digit, const Reg *visible) {
    Consistency *x = context;
    Seen seen = {.stmt = stmt, .digit = digit};
    seen.visible = arena_copy(x->c->arena, visible, x->c->imp->names.count * sizeof *visible);
    map_set(x->c->arena, &x->seen_at, spot(stmt, digit), x->seen.count);
    vec_push(x->c->arena, &x->seen, seen);
}

// The counters of the loops around a place; others are 0, as nothing visible there depends on them.
static void set_counters(Consistency *x, const ImpState *state, uint32_t stmt, int digit) {
    uint32_t depth, loop = digit == 1 ? stmt : x->places.loop[stmt];
    const uint64_t *counters = imp_state_counters(state, &depth);
    memset(x->counters, 0, x->func->fssa->loops.count * sizeof *x->counters);
    for (; loop != IMP_NONE; loop = x->places.loop[loop])
        x->counters[x->loops[loop].i] = counters[--depth];
    assert_int_equal(depth, 0);
}

// Whether a name may be read at a point: the program with such a statement there is verified.
static bool may_be_read(Consistency *x, uint32_t stmt, int digit, uint32_t name) {
    Imp *imp = x->c->imp;
    uint64_t question = hash_add(spot(stmt, digit), name);
    uint32_t known = map_get(&x->readable, question), count = imp->stmts.count;
    if (known != HASH_NONE) return known;
    ImpStmt before = imp->stmts.at[stmt], reads = imp_stmt(IMP_PRINT);
    reads.value = imp_variable(imp, name);
    if (digit == 1) {
        imp->stmts.at[stmt].value = reads.value;
    } else if (digit == 2) {
        reads.next = before.next;
        imp->stmts.at[stmt].next = imp_add_stmt(imp, reads);
    } else {
        reads.next = imp_add_stmt(imp, before);
        imp->stmts.at[stmt] = reads;
    }
    Diag diag;
    diag_init(&diag, x->c->arena, NULL);
    bool good = imp_verify(imp, &diag);
    diag_free(&diag);
    imp->stmts.at[stmt] = before;
    imp->stmts.count = count;
    map_set(x->c->arena, &x->readable, question, good);
    return good;
}

static void compare_point(void *context, const ImpState *state, uint32_t stmt, int digit) {
    Consistency *x = context;
    const Seen *seen = &x->seen.at[map_get(&x->seen_at, spot(stmt, digit))];
    const Imp *imp = x->c->imp;
    set_counters(x, state, stmt, digit);
    for (uint32_t i = 0; i < imp->names.count; i++) {
        Value here, there;
        bool is_array = imp->names.at[i].is_array;
        if (!is_array && !imp_state_value(state, i, &here)) continue;
        // A name that only one way has written is not visible behind both, and may not be read
        // there.
        if (seen->visible[i].i == NO_ID) continue;
        if (is_array) here = imp_state_element(state, i, stmt & 3);
        KleeneEnd end = is_array ? kleene_eval_element(x->eval, seen->visible[i].i, x->counters,
                                                       stmt & 3, &there)
                                 : kleene_eval(x->eval, seen->visible[i].i, x->counters, &there);
        if (end == KLEENE_FUEL) {
            x->starved++;
            continue;
        }
        // A value may be undefined only where the rules of Imp forbid to read the variable: some
        // path does not write it.
        if (end == KLEENE_RESULT && there.undef && !here.undef) {
            assert_false(may_be_read(x, stmt, digit, i));
            x->unbound++;
            continue;
        }
        if (end != KLEENE_RESULT || !same_value(here, there))
            fail_msg("%s at statement %u.%d: %lld, not %lld (%s)\n%s", imp_name_text(imp, i), stmt,
                     digit, (long long)there.bits, (long long)here.bits,
                     end == KLEENE_RESULT ? "values" : kleene_eval_reason(x->eval), x->c->text);
        x->compared++;
    }
}

static void number_loops(Consistency *x) {
    uint32_t count = 0;
    x->loops = ARENA_ARRAY(x->c->arena, FssaLoop, x->c->imp->stmts.count);
    for (uint32_t i = 0; i < x->c->imp->stmts.count;
         i++) // in the order of the text, as C[[ ]] makes them
        if (x->c->imp->stmts.at[i].kind == IMP_WHILE) x->loops[i] = (FssaLoop){count++};
    assert_int_equal(count, x->func->fssa->loops.count);
}

static void test_consistency(void **state) {
    (void)state;
    uint64_t count = effort(300, 10000, 30000), compared = 0, starved = 0, unbound = 0;
    uint64_t ends[3] = {0};
    for (uint64_t seed = seed_base(); seed < seed_base() + count; seed++) {
        Case c;
        Consistency x = {.c = &c};
        random_case(&c, seed,
                    &(ImpProgramOptions){.statements = (uint32_t)(5 + seed % 20), .endless = true},
                    false);
        Program *program =
            imp_to_fssa(c.arena, c.imp, &(ImpFssaOptions){.visible = see, .context = &x}, NULL);
        x.func = verified(&c, program);
        x.places = imp_places(c.arena, c.imp);
        x.counters = ARENA_ARRAY(c.arena, uint64_t, x.func->fssa->loops.count + 1);
        number_loops(&x);
        const Kleene *kleene =
            kleene_of_fssa(c.arena, &c.diag, x.func, &(FssaImpOptions){.result = NO_REG});
        x.eval = kleene_eval_new(c.arena, kleene, NULL, DEMAND_FUEL);
        ImpResult plain, collected;
        imp_run(c.arena, c.imp, &(ImpRunOptions){.fuel = FUEL}, &plain);
        ImpRunOptions watching = {
            .fuel = FUEL, .collect = true, .watch = compare_point, .watch_context = &x};
        imp_run(c.arena, c.imp, &watching, &collected);
        assert_int_equal(plain.end, collected.end);
        assert_int_equal(plain.steps, collected.steps);
        assert_true(imp_points_ascend(c.arena, c.imp, &collected.trace));
        ends[plain.end]++;
        compared += x.compared;
        starved += x.starved;
        unbound += x.unbound;
        out_free(&plain.output);
        out_free(&collected.output);
        end_case(&c);
    }
    print_message("%llu programs: %llu ended, %llu went wrong, %llu ran out of fuel; "
                  "%llu values agree, %llu were not evaluated, %llu not bound\n",
                  (unsigned long long)count, (unsigned long long)ends[0],
                  (unsigned long long)ends[1], (unsigned long long)ends[2],
                  (unsigned long long)compared, (unsigned long long)starved,
                  (unsigned long long)unbound);
    assert_true(compared > 300 * count && ends[0] > count / 2 && ends[1] && ends[2]);
    assert_int_equal(starved, 0);
    assert_true(unbound < compared / 1000);
}

// ---- Output and last values

// Runs Imp that was made of functional SSA; false if it did not come to its end.
static bool run_made(const Case *c, Imp *imp, ImpResult *result) {
    Diag diag;
    diag_init(&diag, c->arena, NULL);
    if (!imp || !imp_verify(imp, &diag)) {
        Out text = {0};
        if (imp) imp_print(&text, imp);
        fail_msg("%.*s\n%s\n%.*s", (int)diag.out.length, diag.out.text, c->text, (int)text.length,
                 text.text);
    }
    diag_free(&diag);
    imp_run(c->arena, imp, &(ImpRunOptions){.fuel = 100 * FUEL}, result);
    return result->end == IMP_END_RESULT;
}

static void must_end(const Case *c, Imp *imp, ImpResult *result) {
    if (run_made(c, imp, result)) return;
    Out text = {0};
    imp_print(&text, imp);
    fail_msg("ends with %d (%s)\n%s\n%.*s", (int)result->end, result->reason, c->text,
             (int)text.length, text.text);
}

static bool find_name(const Imp *imp, const char *text, uint32_t *name) {
    for (*name = 0; *name < imp->names.count; ++*name)
        if (strcmp(imp_name_text(imp, *name), text) == 0) return true;
    return false;
}

static const char *reg_text(Arena *arena, const Func *func, Reg reg) {
    Out text = {0};
    reg_print(&text, func, reg);
    const char *name = arena_text(arena, text.text + 1, text.length - 1);
    out_free(&text);
    return name;
}

typedef struct {
    uint64_t refused; // too much would have to be written many times
    uint64_t unbound; // last values that may not be read, see compare_last
} OutCounts;

static bool may_be_read_at_end(const Case *c, uint32_t name) {
    Out text = {0};
    Diag diag;
    diag_init(&diag, c->arena, NULL);
    imp_print(&text, c->imp);
    out_printf(&text, ";\nprint %s\n", imp_name_text(c->imp, name));
    Imp *imp = imp_parse(c->arena, &diag, "read.imp", text.text, text.length);
    assert_non_null(imp);
    bool good = imp_verify(imp, &diag);
    diag_free(&diag);
    out_free(&text);
    return good;
}

// The last values of the original are in the variables that are called as their identifiers, if
// there are such.
static uint64_t compare_last(const Case *c, const ImpResult *original, const Func *func,
                             const Reg *last, const Imp *made, const ImpResult *result,
                             OutCounts *counts) {
    uint64_t compared = 0;
    for (uint32_t i = 0; i < c->imp->names.count; i++) {
        uint32_t name;
        if (c->imp->names.at[i].is_array || last[i].i == NO_ID || !original->written[i]) continue;
        if (!find_name(made, reg_text(c->arena, func, last[i]), &name) || !result->written[name])
            continue;
        // A value may be undefined only where the rules of Imp forbid to read the variable: some
        // path does not write it.
        if (result->values[name].undef && !original->values[i].undef) {
            assert_false(may_be_read_at_end(c, i));
            counts->unbound++;
            continue;
        }
        if (!same_value(original->values[i], result->values[name])) {
            Out text = {0};
            imp_print(&text, made);
            fail_msg("%s is %lld, not %lld\n%s\n%.*s", imp_name_text(made, name),
                     (long long)result->values[name].bits, (long long)original->values[i].bits,
                     c->text, (int)text.length, text.text);
        }
        compared++;
    }
    return compared;
}

static void compare_output(const Case *c, const Out *a, const Out *b, const Imp *made) {
    if (a->length == b->length && (!a->length || memcmp(a->text, b->text, a->length) == 0)) return;
    Out text = {0};
    if (made) imp_print(&text, made);
    fail_msg("printed\n%.*sinstead of\n%.*s\n%s\n%.*s", (int)b->length, b->text, (int)a->length,
             a->text, c->text, (int)text.length, text.text);
}

// Functional SSA prints what the program prints.
static void compare_evaluator(const Case *c, const Program *program, const ImpResult *original) {
    RunResult run = {0};
    char name[] = "main", *argv[] = {name, NULL};
    rtl_run(c->arena, program, 1, argv, &(RunOptions){.fuel = DEMAND_FUEL, .capture = true}, &run);
    assert_int_equal(run.behaviour.end, END_RESULT);
    compare_output(c, &original->output, &run.output, NULL);
    out_free(&run.output);
}

static void refused(const Case *c, Diag *diag, OutCounts *counts) {
    out_char(&diag->out, '\0');
    if (!strstr(diag->out.text, "written many times")) fail_msg("%s\n%s", diag->out.text, c->text);
    counts->refused++;
    diag_free(diag);
}

// Out of functional SSA, in again and out again.
static uint64_t test_out(const Case *c, const ImpResult *original, OutCounts *counts) {
    Reg *last;
    uint64_t compared = 0;
    Program *program = imp_to_fssa(c->arena, c->imp, NULL, &last);
    const Func *func = main_of(program);
    compare_evaluator(c, program, original);
    Diag diag;
    diag_init(&diag, c->arena, NULL);
    FssaImpOptions options = {.result = NO_REG, .last = last, .last_count = c->imp->names.count};
    Imp *made = fssa_to_imp(c->arena, &diag, func, &options);
    if (!made) {
        refused(c, &diag, counts);
        return 0;
    }
    ImpResult result, again;
    must_end(c, made, &result);
    compared += compare_last(c, original, func, last, made, &result, counts);
    compare_output(c, &original->output, &result.output, made);
    Program *second = imp_to_fssa(c->arena, made, NULL, &last);
    compare_evaluator(c, second, original);
    options.last = last;
    options.last_count = made->names.count;
    Imp *third = fssa_to_imp(c->arena, &diag, main_of(second), &options);
    if (!third) {
        refused(c, &diag, counts);
        out_free(&result.output);
        return compared;
    }
    must_end(c, third, &again);
    compare_output(c, &original->output, &again.output, third);
    Case inner = *c;
    inner.imp = made;
    compared += compare_last(&inner, &result, main_of(second), last, third, &again, counts);
    out_free(&result.output);
    out_free(&again.output);
    diag_free(&diag);
    return compared;
}

static void test_there_and_back(void **state) {
    (void)state;
    uint64_t count = effort(300, 10000, 30000), compared = 0, programs = 0;
    OutCounts counts = {0};
    for (uint64_t seed = seed_base(); seed < seed_base() + count; seed++) {
        Case c;
        ImpResult original;
        random_case(&c, seed,
                    &(ImpProgramOptions){.statements = (uint32_t)(5 + seed % 30), .endless = true},
                    seed % 2);
        imp_run(c.arena, c.imp, &(ImpRunOptions){.fuel = FUEL}, &original);
        if (original.end == IMP_END_RESULT) {
            compared += test_out(&c, &original, &counts);
            programs++;
        }
        out_free(&original.output);
        end_case(&c);
    }
    print_message("%llu programs that end: %llu last values agree; %llu refused, %llu not bound\n",
                  (unsigned long long)programs, (unsigned long long)compared,
                  (unsigned long long)counts.refused, (unsigned long long)counts.unbound);
    assert_true(programs > count / 2 && compared > 8 * programs);
    assert_true(counts.refused <= count / 1000 && counts.unbound < compared / 5);
}

// ---- Definition 2, theorems 3 and 4: exactly as in the paper

typedef struct {
    const Case *c;
    const Func *func;
    const Imp *made;
    ImpPlaces places;
    KleeneEval *eval;
    uint64_t *counters;
    uint32_t *name_of_reg;
    uint64_t compared;
} OutConsistency;

static uint32_t loop_of(const Func *func, const char *label) {
    for (uint32_t i = 0; i < func->fssa->loops.count; i++)
        if (strcmp(fssa_loop_label(func, (FssaLoop){i}), label) == 0) return i;
    fail();
    return NO_ID;
}

// Whether the body of a loop sets a name: it belongs to the loop's environment as it was when the
// code was made.
static bool sets(const Imp *imp, uint32_t loop, uint32_t name) {
    for (uint32_t at = imp->stmts.at[loop].body; at != IMP_NONE; at = imp->stmts.at[at].next)
        if (imp->stmts.at[at].kind == IMP_ASSIGN && imp->stmts.at[at].name == name) return true;
    return false;
}

// After the head of a loop and so many iterations, what a `loop` of it defines has the value of
// that iteration.
static void compare_loop(void *context, const ImpState *state, uint32_t stmt, int digit) {
    OutConsistency *x = context;
    uint32_t depth;
    if (digit != 1) return;
    const uint64_t *counters = imp_state_counters(state, &depth);
    memset(x->counters, 0, x->func->fssa->loops.count * sizeof *x->counters);
    for (uint32_t at = stmt; at != IMP_NONE; at = x->places.loop[at]) {
        const char *label = str_text(&x->made->strings, x->made->stmts.at[at].text);
        x->counters[loop_of(x->func, label)] = counters[--depth];
    }
    uint32_t loop = loop_of(x->func, str_text(&x->made->strings, x->made->stmts.at[stmt].text));
    const Fssa *fssa = x->func->fssa;
    for (uint32_t i = 0; i < fssa->equations.count; i++) {
        const FssaTermNode *term = fssa_at(x->func, fssa->equations.at[i].term);
        Reg reg = fssa->equations.at[i].dest;
        Value here, there;
        if (term->kind != FT_LOOP || term->loop.i != loop || term->type == TYPE_VOID) continue;
        if (x->name_of_reg[reg.i] == IMP_NONE || !sets(x->made, stmt, x->name_of_reg[reg.i]) ||
            !imp_state_value(state, x->name_of_reg[reg.i], &here))
            continue;
        // Beyond its end the body of a loop may have no value.
        if (kleene_eval(x->eval, reg.i, x->counters, &there) != KLEENE_RESULT) continue;
        if (!same_value(here, there)) {
            Out text = {0};
            imp_print(&text, x->made);
            fail_msg("%s is %lld, not %lld\n%s\n%.*s", reg_text(x->c->arena, x->func, reg),
                     (long long)here.bits, (long long)there.bits, x->c->text, (int)text.length,
                     text.text);
        }
        x->compared++;
    }
}

// Computes the last value of one variable; false if that does not come to an end.
static bool compare_exact(OutConsistency *x, Reg reg, Value expected) {
    Diag diag;
    uint32_t name = 0;
    diag_init(&diag, x->c->arena, NULL);
    FssaImpOptions options = {.result = reg, .exact = true};
    Imp *made = fssa_to_imp(x->c->arena, &diag, x->func, &options);
    bool good = made && imp_verify(made, &diag) && find_name(made, "RESULT", &name);
    if (!good) {
        Out text = {0};
        if (made) imp_print(&text, made);
        fail_msg("%.*s\n%s\n%.*s", (int)diag.out.length, diag.out.text, x->c->text,
                 (int)text.length, text.text);
    }
    diag_free(&diag);
    x->made = made;
    x->places = imp_places(x->c->arena, made);
    for (uint32_t i = 0; i < x->func->regs.count; i++)
        if (!find_name(made, reg_text(x->c->arena, x->func, (Reg){i}), &x->name_of_reg[i]))
            x->name_of_reg[i] = IMP_NONE;
    ImpResult result;
    ImpRunOptions watching = {.fuel = 30 * FUEL, .watch = compare_loop, .watch_context = x};
    imp_run(x->c->arena, made, &watching, &result);
    out_free(&result.output);
    if (result.end == IMP_END_FUEL) return false;
    assert_int_equal(result.end, IMP_END_RESULT);
    if (!same_value(expected, result.values[name])) fail_msg("RESULT differs\n%s", x->c->text);
    return true;
}

static void test_exact(void **state) {
    (void)state;
    uint64_t count = effort(200, 10000, 20000), ended = 0, endless = 0, compared = 0;
    for (uint64_t seed = seed_base(); seed < seed_base() + count; seed++) {
        Case c;
        Reg *last;
        ImpResult original;
        ImpProgramOptions kind = {
            .statements = (uint32_t)(3 + seed % 8), .paper = true, .endless = true};
        random_case(&c, seed, &kind, false);
        imp_run(c.arena, c.imp, &(ImpRunOptions){.fuel = FUEL}, &original);
        out_free(&original.output);
        if (original.end == IMP_END_RESULT) {
            OutConsistency x = {.c = &c};
            x.func = main_of(imp_to_fssa(c.arena, c.imp, NULL, &last));
            const Kleene *kleene =
                kleene_of_fssa(c.arena, &c.diag, x.func, &(FssaImpOptions){.result = NO_REG});
            x.eval = kleene_eval_new(c.arena, kleene, NULL, 10 * DEMAND_FUEL);
            x.counters = ARENA_ARRAY(c.arena, uint64_t, x.func->fssa->loops.count + 1);
            x.name_of_reg = ARENA_ARRAY(c.arena, uint32_t, x.func->regs.count);
            uint32_t which = (uint32_t)seed % 5; // a to e are bound always
            *(compare_exact(&x, last[which], original.values[which]) ? &ended : &endless) += 1;
            compared += x.compared;
        }
        end_case(&c);
    }
    print_message("%llu programs agree in %llu values inside of loops; %llu do not end\n",
                  (unsigned long long)ended, (unsigned long long)compared,
                  (unsigned long long)endless);
    assert_true(ended > count / 2 && compared > count && endless < count / 50);
}

// ---- Size

// A hundred thousand statements in a row, and inside each other.
static void test_scale(void **state) {
    (void)state;
    for (uint32_t shape = 0; shape < 3; shape++) {
        uint32_t count = (uint32_t)effort(2000, 100000, 100000);
        Out text = {0}, printed = {0};
        Case c;
        ImpResult result;
        out_text(&text, "x := 1");
        for (uint32_t i = 0; i < count; i++)
            out_text(&text, shape == 0   ? ";\nx := x + 1"
                            : shape == 1 ? ";\nwhile x > 0 do x := x - 1"
                                         : ";\nif x then x := x + 1");
        for (uint32_t i = 0; shape && i < count; i++) out_text(&text, " end");
        out_char(&text, '\n');
        start_case(&c, text.text, text.length);
        imp_run(c.arena, c.imp, &(ImpRunOptions){0}, &result);
        assert_int_equal(result.end, IMP_END_RESULT);
        assert_int_equal(result.values[0].bits, shape == 1 ? 0 : count + 1);
        Program *program = imp_to_fssa(c.arena, c.imp, NULL, NULL);
        out_free(&text);
        out_free(&result.output);
        FssaImpOptions options = {.result = NO_REG};
        Imp *made = fssa_to_imp(c.arena, &c.diag, main_of(program), &options);
        assert_non_null(made);
        imp_print(&printed, made);
        assert_true(printed.length > 5);
        out_free(&printed);
        end_case(&c);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),           cmocka_unit_test(test_consistency),
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
