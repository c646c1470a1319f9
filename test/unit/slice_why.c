// What is told about slices of C functions: why a line is there, with its gates; what an assumption
// decides; what is needed of which function if calls are followed.
#include "slice/slice_why.h"
#include "c/compile/compile.h"
#include "slice/assume.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    Diag diag;
    const char *text;
    Program *program;
    SliceCalls calls;
} Text;

static const char *from_line(void *context, uint32_t file, uint32_t line) {
    (void)file;
    const char *at = ((Text *)context)->text;
    while (--line && at) {
        at = strchr(at, '\n');
        if (at) at++;
    }
    return at;
}

static void source_open(Text *source, const char *text) {
    char path[] = "/tmp/slice_why_XXXXXX.c";
    int file = mkstemps(path, 2);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    *source = (Text){.arena = arena_new("source"), .text = text};
    diag_init(&source->diag, source->arena, stderr);
    CompileOptions options = {0};
    compile_defaults(&options);
    source->program = compile_c(source->arena, &source->diag, path, &options);
    unlink(path);
    assert_non_null(source->program);
    source->calls = slice_calls_of(source->arena, source->program);
}

static void source_close(Text *source) {
    diag_free(&source->diag);
    arena_free(source->arena);
}

static Sym symbol_of(Text *source, const char *name) {
    Sym symbol = program_find(source->program, str_of(&source->program->strings, name));
    assert_int_not_equal(symbol.i, NO_ID);
    return symbol;
}

static const Func *func_named(Text *source, const char *name) {
    return program_at(source->program, symbol_of(source, name))->func;
}

static void demand_returns(SliceDemand *demand, const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (func->nodes.at[n].kind == I_RETURN) slice_demand_node(demand, (Node){n});
}

static uint32_t file_of(Text *source, const Func *func) {
    return source->program->locs.at[func->nodes.at[0].loc].file;
}

// ---- Why

// What is said of a line, if the result of a function is asked for.
static void assert_why(const char *text, const char *function, uint32_t line,
                       const char *expected) {
    Text source;
    source_open(&source, text);
    const Func *func = func_named(&source, function);
    SliceVariables variables = slice_variables_of(source.arena, func, &source.calls);
    SliceDemand *demand = slice_demand_new(source.arena, &variables, (SliceOptions){0});
    demand_returns(demand, func);
    slice_demand_close(demand);
    SliceWhyRequest request = {
        .demand = demand,
        .variables = &variables,
        .gates = slice_gates_new(source.arena, func, (SourceText){from_line, &source}),
        .file = file_of(&source, func)};
    Out out = {0};
    assert_true(slice_why_has_line(&request, line));
    slice_why(&out, &request, line);
    out_char(&out, '\0');
    assert_string_equal(out.text, expected);
    out_free(&out);
    source_close(&source);
}

static const char ladder[] = "struct S { int x, y; };\n"               // 1
                             "int h;\n"                                // 2
                             "int f(struct S *p, int n, double d) {\n" // 3
                             "    int r = 0, unused = n;\n"            // 4
                             "    if (n > 1 && p->y < 9)\n"            // 5
                             "        r = p->x;\n"                     // 6
                             "    else if (!p || h)\n"                 // 7
                             "        r = 3;\n"                        // 8
                             "    if (d < 1.5) unused++; else r++;\n"  // 9
                             "    switch (n & 7) {\n"                  // 10
                             "    case 2: r += 4; break;\n"            // 11
                             "    case 5: r -= h;\n"                   // 12
                             "    default: r *= 2;\n"                  // 13
                             "    }\n"                                 // 14
                             "    for (int i = 0; i < n; i++) {\n"     // 15
                             "        if (p[i].x == h) break;\n"       // 16
                             "        r += i;\n"                       // 17
                             "    }\n"                                 // 18
                             "    unused *= 2;\n"                      // 19
                             "    return r;\n"                         // 20
                             "}\n";

// Conditions of macros, of calls, of several lines, and turned around.
static const char written[] = "#define NEED(c) do { if (!(c)) goto bad; } while (0)\n" // 1
                              "#define BOTH(a, b) ((a) && (b))\n"                      // 2
                              "int ok(int);\n"                                         // 3
                              "int f(int *p, int n) {\n"                               // 4
                              "    NEED(n > 3);\n"                                     // 5
                              "    if (ok(n)) return 1;\n"                             // 6
                              "    if (BOTH(n > 5, p[1])) return 2;\n"                 // 7
                              "    if (p[2] ==\n"                                      // 8
                              "        /* twice */ 2 *\n"                              // 9
                              "            n)\n"                                       // 10
                              "        return 3;\n"                                    // 11
                              "    while (!(n < 7)) n -= *p;\n"                        // 12
                              "    return n;\n"                                        // 13
                              "bad:\n"                                                 // 14
                              "    return 0;\n"                                        // 15
                              "}\n";

static void test_written(void **state) {
    (void)state;
    assert_why(written, "f", 15,
               "line 15 matters when `n <= 3`\n"
               "line 15 was asked for\n");
    assert_why(written, "f", 6,
               "line 6 matters when `n > 3`\n"
               "line 6 was asked for\n");
    assert_why(written, "f", 7,
               "line 7 matters when `n > 3 && !ok(n)`\n"
               "line 7 was asked for\n");
    assert_why(written, "f", 11,
               "line 11 matters when `n > 3 && !ok(n) && (n <= 5 || *(p + 4) == 0) && "
               "p[2] == 2 * n`\n"
               "line 11 was asked for\n");
    assert_why(written, "f", 12,
               "line 12 matters when `n > 3 && !ok(n) && (n <= 5 || *(p + 4) == 0) && "
               "p[2] != 2 * n`\n"
               "line 12 sets `n`, which line 13 needs when `n > 3 && !ok(n) && (n <= 5 || *(p + 4) "
               "== 0) && "
               "p[2] != 2 * n`\n"
               "line 13 was asked for\n");
}

static void test_why(void **state) {
    (void)state;
    assert_why(ladder, "f", 6,
               "line 6 matters when `n > 1 && p->y < 9`\n"
               "line 6 sets `r`, which line 11 needs when `(n & 7) == 2`\n"
               "line 11 sets `r`, which line 20 needs\n"
               "line 20 was asked for\n");
    assert_why(ladder, "f", 8,
               "line 8 matters when `(n <= 1 || p->y >= 9) && (!p || h)`\n"
               "line 8 sets `r`, which line 11 needs when `(n & 7) == 2`\n"
               "line 11 sets `r`, which line 20 needs\n"
               "line 20 was asked for\n");
    assert_why(ladder, "f", 9,
               "line 9 matters always\n"
               "line 9 sets `r`, which line 11 needs when `(n & 7) == 2`\n"
               "line 11 sets `r`, which line 20 needs\n"
               "line 20 was asked for\n");
    assert_why(ladder, "f", 12,
               "line 12 matters when `(n & 7) == 5`\n"
               "line 12 sets `r`, which line 13 needs when `(n & 7) != 2`\n"
               "line 13 sets `r`, which line 20 needs\n"
               "line 20 was asked for\n");
    assert_why(ladder, "f", 16,
               "line 16 matters when `i < n`\n"
               "line 16 decides whether line 17 is reached when `i < n && p[i].x != h`\n"
               "line 17 sets `r`, which line 20 needs\n"
               "line 20 was asked for\n");
    assert_why(ladder, "f", 19,
               "line 19 does not matter: nothing that was asked for depends on it\n");
}

// ---- Assumptions

static const char assumed[] =
    "int g;\n" // 1
    "int f(int n, int mode, int *p) { if (!(n > 0 && mode == 3 && g)) "
    "__builtin_unreachable();\n"                                                            // 2
    "    int r = 0;\n"                                                                      // 3
    "    if (n <= 0) r = 1;\n"                                                              // 4
    "    if (n == -4) return 5;\n"                                                          // 5
    "    switch (mode) { case 1: r += 2; break; case 3: r += 4; break; default: r = 9; }\n" // 6
    "    if (!g) r--;\n"                                                                    // 7
    "    if (mode * 2 == 6) r += 100;\n"                                                    // 8
    "    *p = 1;\n"                                                                         // 9
    "    if (g) r += n;\n"                                                                  // 10
    "    if (n == 7) r++;\n"                                                                // 11
    "    return r;\n"                                                                       // 12
    "}\n";

// What is assumed at line 2 decides lines 4 to 8. Line 9 may set g, and nothing is known of line
// 11.
static void test_assume(void **state) {
    (void)state;
    Text source;
    source_open(&source, assumed);
    const Func *func = func_named(&source, "f");
    SliceDecisions decisions = slice_decide(source.arena, func);
    assert_int_equal(decisions.rejected, 0);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        uint32_t line = source.program->locs.at[instr->loc].line;
        if (instr->succ_count > 1 && line > 2)
            assert_int_equal(decisions.way[n] != NO_ID, line <= 8);
    }
    SliceVariables variables = slice_variables_of(source.arena, func, &source.calls);
    SliceDemand *demand =
        slice_demand_new(source.arena, &variables, (SliceOptions){.way = decisions.way});
    demand_returns(demand, func);
    slice_demand_close(demand);
    bool lines[13] = {0},
         expected[13] = {
             [3] = true, [6] = true, [8] = true, [9] = true, [10] = true, [11] = true, [12] = true};
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (bits_has(slice_demand_kept(demand), n))
            lines[source.program->locs.at[func->nodes.at[n].loc].line] = true;
    assert_memory_equal(lines, expected, sizeof lines);
    source_close(&source);
}

// ---- Calls

static const char called[] =
    "int hits, misses;\n"                                                   // 1
    "static int pick(int a, int b) { hits++; return a; }\n"                 // 2
    "static int count(int n) { misses += n; return n < 0 ? 0 : misses; }\n" // 3
    "static int twice(int x) { return pick(x, x) * 2; }\n"                  // 4
    "static int (*by_address)(int) = twice;\n"                              // 5
    "int f(int a, int b, int c) {\n"                                        // 6
    "    int x = pick(a, b);\n"                                             // 7
    "    int y = pick(b, c);\n"                                             // 8
    "    count(y);\n"                                                       // 9
    "    return x;\n"                                                       // 10
    "}\n"                                                                   // 11
    "int h(int n) { return n < 2 ? n : h(n - 1) + by_address(n); }\n"       // 12
    "int main(int argc, char **argv) {\n"                                   // 13
    "    hits = argc;\n"                                                    // 14
    "    misses = 4;\n"                                                     // 15
    "    h(argc);\n"                                                        // 16
    "    return f(argc, hits, 2);\n"                                        // 17
    "}\n";

static bool line_is_kept(Text *source, ProgramDemand *demand, const char *function, uint32_t line) {
    const Func *func = func_named(source, function);
    const Bits *kept =
        slice_demand_kept(program_demand_function(demand, symbol_of(source, function)));
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (bits_has(kept, n) && source->program->locs.at[func->nodes.at[n].loc].line == line)
            return true;
    return false;
}

// Of two calls of one function, the one whose result is needed is kept, and of the function no more
// than its result.
static void test_calls(void **state) {
    (void)state;
    Text source;
    source_open(&source, called);
    ProgramDemand *demand =
        program_demand_new(source.arena, source.program, &source.calls, (ProgramDemandHooks){0});
    Sym f = symbol_of(&source, "f"), pick = symbol_of(&source, "pick");
    demand_returns(program_demand_function(demand, f), func_named(&source, "f"));
    program_demand_close(demand);
    assert_true(line_is_kept(&source, demand, "f", 7));
    assert_false(line_is_kept(&source, demand, "f", 8));
    assert_false(line_is_kept(&source, demand, "f", 9));
    SliceContract contract = program_demand_contract(demand, pick);
    assert_true(contract.result);
    assert_int_equal(contract.gives, 0);
    assert_int_equal(contract.needs, 0);
    assert_int_equal(program_demand_extent(demand, symbol_of(&source, "count")), SLICE_UNTOUCHED);
    Out out = {0};
    assert_true(slice_why_program(&out, source.arena, demand, pick,
                                  file_of(&source, func_named(&source, "f")), 2,
                                  (SourceText){from_line, &source}));
    out_char(&out, '\0');
    assert_string_equal(out.text, "line 2 matters always\n"
                                  "line 2 was asked for\n"
                                  "`pick` is called in `f`, line 7, for its result\n"
                                  "line 7 sets `x`, which line 10 needs\n"
                                  "line 10 was asked for\n");
    out_free(&out);
    source_close(&source);
}

// From main on: what leads to f, and nothing else.
static void test_whole_program(void **state) {
    (void)state;
    Text source;
    source_open(&source, called);
    ProgramDemand *demand =
        program_demand_new(source.arena, source.program, &source.calls, (ProgramDemandHooks){0});
    Sym f = symbol_of(&source, "f");
    demand_returns(program_demand_function(demand, f), func_named(&source, "f"));
    assert_true(program_demand_reached(demand, f, symbol_of(&source, "main")));
    program_demand_close(demand);
    assert_true(line_is_kept(&source, demand, "main", 17));
    assert_true(line_is_kept(&source, demand, "main", 14));
    assert_false(line_is_kept(&source, demand, "main", 15) &&
                 program_demand_extent(demand, symbol_of(&source, "h")) == SLICE_UNTOUCHED);
    source_close(&source);
}

// Who knows the address of a function may call it for all that it does.
static void test_by_address(void **state) {
    (void)state;
    Text source;
    source_open(&source, called);
    ProgramDemand *demand =
        program_demand_new(source.arena, source.program, &source.calls, (ProgramDemandHooks){0});
    Sym h = symbol_of(&source, "h"), twice = symbol_of(&source, "twice");
    demand_returns(program_demand_function(demand, h), func_named(&source, "h"));
    program_demand_close(demand);
    assert_true(program_demand_contract(demand, twice).result);
    assert_int_equal(program_demand_contract(demand, twice).gives, SLICE_EVERYTHING);
    assert_true(program_demand_contract(demand, symbol_of(&source, "pick")).result);
    assert_int_equal(program_demand_extent(demand, symbol_of(&source, "count")), SLICE_UNTOUCHED);
    source_close(&source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_why),           cmocka_unit_test(test_written),
        cmocka_unit_test(test_assume),        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_whole_program), cmocka_unit_test(test_by_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
