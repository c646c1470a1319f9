// The interpreter on programs in text form: what every instruction does, and every kind of wrong
// step with its reason and place.
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "externals_stub.h"

typedef struct {
    Arena *arena;
    Program *program;
    RunResult result;
} Run;

static Program *parse(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, FORM_RTL, "test", text, strlen(text));
    if (!program) fail_msg("%.*s", (int)diag.out.length, diag.out.text);
    diag_free(&diag);
    Complaints complaints = {.arena = arena};
    if (!verify_program(&complaints, program))
        fail_msg("%s: %s", complaints.list.at[0].rule, complaints.list.at[0].message);
    return program;
}

static Run run_with(const char *text, const RunOptions *options) {
    Run run = {.arena = arena_new("test")};
    run.program = parse(run.arena, text);
    char program[] = "prog", argument[] = "ab", *arguments[] = {program, argument, NULL};
    rtl_run(run.arena, run.program, 2, arguments, options, &run.result);
    return run;
}

static void end(Run *run) {
    out_free(&run->result.output);
    arena_free(run->arena);
}

static void expect_end(const Run *run, const char *text, const char *expected) {
    Out out = {0};
    behaviour_print(&out, run->program, &run->result.behaviour);
    if (strlen(expected) != out.length || memcmp(out.text, expected, out.length) != 0)
        fail_msg("expected \"%s\"; found \"%.*s\" for\n%s", expected, (int)out.length, out.text,
                 text);
    out_free(&out);
}

static void expect_with(const char *text, const char *expected, const RunOptions *options) {
    Run run = run_with(text, options);
    expect_end(&run, text, expected);
    end(&run);
}

static void expect(const char *text, const char *expected) {
    expect_with(text, expected, &(RunOptions){0});
}

static void expect_output(const char *text, const char *expected, const char *output) {
    Run run = run_with(text, &(RunOptions){0});
    expect_end(&run, text, expected);
    out_char(&run.result.output, 0);
    assert_string_equal(run.result.output.text, output);
    end(&run);
}

static void expect_events(const char *text, const char *expected, const char *const *events) {
    Run run = run_with(text, &(RunOptions){0});
    expect_end(&run, text, expected);
    uint32_t count = 0;
    for (; events[count]; count++) {
        assert_true(count < run.result.behaviour.event_hashes.count);
        if (run.result.behaviour.event_hashes.at[count] !=
            hash_bytes(events[count], strlen(events[count])))
            fail_msg("event %u is not %s", count, events[count]);
    }
    assert_int_equal(count, run.result.behaviour.event_hashes.count);
    end(&run);
}

// Wraps the lines of a function into a program: they may use the slot $s and the globals.
#define MAIN(lines)                                                                                \
    "extern function i32 @putchar(i32)\n"                                                          \
    "extern function i64 @malloc(i64)\n"                                                           \
    "extern function void @free(i64)\n"                                                            \
    "global @g size 16 align 8 = i32 5, i32 -7, i64 11\n"                                          \
    "global @c size 4 align 4 const = i32 9\n"                                                     \
    "function i32 @main() {\n"                                                                     \
    "  slot $s size 16 align 8\n" lines "}\n"

// ---- What instructions do

static void loop(void **state) {
    (void)state;
    expect("function i32 @f(i32 %n) static {\n"
           "  0: %x = const.i32 1\n"
           "  1: %i = const.i32 1\n"
           "  3: if lt.i32 %i, %n then 4 else 15\n"
           "  4: if lt.i32 %x, 9 then 5 else 7\n"
           "  5: %x = add.i32 %x, 2 -> 12\n"
           "  7: if gt.i32 %x, 50 then 8 else 10\n"
           "  8: %x = add.i32 %x, 1 -> 12\n"
           "  10: %x = mul.i32 %x, 2\n"
           "  12: %i = add.i32 %i, 1 -> 3\n"
           "  15: return %x\n"
           "}\n"
           "function i32 @main(i32 %argc, i64 %argv) {\n"
           "  0: nop\n"
           "  1: %n = const.i32 10\n"
           "  2: %r = call @f(%n)\n"
           "  3: return %r\n"
           "}\n",
           "exit 74");
}

static void operators(void **state) {
    (void)state;
    expect(MAIN("  0: %a = const.i32 -20\n"
                "  1: %b = divs.i32 %a, 3\n"
                "  2: %c = select.i32 %b, %a, %b\n"
                "  3: %d = sext.i64 %c\n"
                "  4: %e = shl.i64 %d, 65\n"
                "  5: %f = trunc.i32 %e\n"
                "  6: %g = sub.i32 %f, %b\n"
                "  7: return %g\n"),
           "exit -34");
    expect(MAIN("  0: %a = const.f64 2.5\n"
                "  1: %b = const.f32 1.5\n"
                "  2: %c = cvt.f64.f32 %b\n"
                "  3: %d = mul.f64 %a, %c\n"
                "  4: %e = const.f80 0.25\n"
                "  5: %f = cvt.f64.f80 %e\n"
                "  6: %g = add.f64 %d, %f\n"
                "  7: %h = cvt.i32.f64 %g\n"
                "  8: if nlt.f64 %g, %a then 9 else 10\n"
                "  9: return %h\n"
                "  10: unreachable\n"),
           "exit 4");
}

static void memory(void **state) {
    (void)state;
    expect(MAIN("  0: %p = addr @g + 4\n"
                "  1: %i = const.i64 -1\n"
                "  2: %a = load.i32 [%p + %i*4]\n"
                "  3: %b = load.i64 [@g + 8]\n"
                "  4: %c = load.i8 [%p]\n"
                "  5: %d = load.u16 [@g + %i*2 + 6]\n"
                "  6: store.i32 [$s + %i*4 + 16], %c\n"
                "  7: %q = addr $s + 12\n"
                "  8: %e = load.i32 [%q*1]\n"
                "  9: %x = trunc.i32 %b\n"
                "  10: %x = mul.i32 %x, 1000\n"
                "  11: %x = add.i32 %x, %e\n"
                "  12: %x = sub.i32 %x, %d\n"
                "  13: %x = add.i32 %x, %a\n"
                "  14: return %x\n"),
           "exit -54531");
    expect(MAIN("  0: %x = const.f80 1.75\n"
                "  1: store.f80 [$s], %x\n"
                "  2: %y = load.f80 [$s]\n"
                "  3: if eq.f80 %x, %y then 4 else 5\n"
                "  4: %r = load.i32 [@c]\n"
                "  6: return %r\n"
                "  5: unreachable\n"),
           "exit 9");
}

static void initial_data(void **state) {
    (void)state;
    expect("global @t size 44 align 8 = \"ab\\x00\", i8 -1, i16 258, zero 2, addr @u + 4, addr @f, "
           "i64 -1\n"
           "global @u size 8 align 8 = i32 1, i32 2\n"
           "global @z size 4 align 4 common\n"
           "function i32 @f() {\n"
           "  0: %r = const.i32 3\n"
           "  1: return %r\n"
           "}\n"
           "function i32 @main() {\n"
           "  0: %p = load.i64 [@t + 8]\n"
           "  1: %x = load.i32 [%p]\n"
           "  2: %f = load.i64 [@t + 16]\n"
           "  3: %y = call i32() %f()\n"
           "  4: %a = load.u8 [@t + 1]\n"
           "  5: %b = load.i8 [@t + 3]\n"
           "  6: %c = load.i16 [@t + 4]\n"
           "  7: %d = load.i32 [@t + 36]\n"
           "  8: %e = load.i32 [@z]\n"
           "  9: %l = load.i32 [@t + 28]\n"
           "  10: %r = mul.i32 %x, 10\n"
           "  11: %r = add.i32 %r, %y\n"
           "  12: %r = mul.i32 %r, 100\n"
           "  13: %r = add.i32 %r, %a\n"
           "  14: %r = mul.i32 %r, 1000\n"
           "  15: %r = add.i32 %r, %c\n"
           "  16: %r = add.i32 %r, %b\n"
           "  17: %r = add.i32 %r, %d\n"
           "  18: %r = add.i32 %r, %e\n"
           "  19: %r = sub.i32 %r, %l\n"
           "  20: return %r\n"
           "}\n",
           "exit 2398258");
}

static void switches(void **state) {
    (void)state;
    const struct {
        const char *selector, *expected;
    } rows[] = {{"-2147483648", "exit 1"}, {"-1", "exit 2"}, {"0", "exit 9"},
                {"1", "exit 9"},           {"7", "exit 3"},  {"8", "exit 9"},
                {"2147483647", "exit 4"}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t wide = 0; wide < 2; wide++) {
            char text[800];
            snprintf(text, sizeof text,
                     "function i32 @main() {\n"
                     "  0: %%x = const.%s %s\n"
                     "  1: switch %%x { -2147483648: 2, -1: 4, 7: 6, 2147483647: 8, default: 10 }\n"
                     "  2: %%r = const.i32 1 -> 12\n"
                     "  4: %%r = const.i32 2 -> 12\n"
                     "  6: %%r = const.i32 3 -> 12\n"
                     "  8: %%r = const.i32 4 -> 12\n"
                     "  10: %%r = const.i32 9\n"
                     "  12: return %%r\n"
                     "}\n",
                     wide ? "i64" : "i32", rows[i].selector);
            expect(text, rows[i].expected);
        }
    expect("function i32 @main() {\n"
           "  0: %x = const.i64 4294967295\n"
           "  1: switch %x { -1: 2, 4294967295: 3, default: 2 }\n"
           "  2: unreachable\n"
           "  3: %r = const.i32 5\n"
           "  4: return %r\n"
           "}\n",
           "exit 5");
}

static void ends(void **state) {
    (void)state;
    expect(MAIN("  0: %x = const.i32 2\n  1: check %x\n  2: return %x\n"), "exit 2");
    expect(MAIN("  0: %x = const.i64 0\n  7: check %x\n  2: %r = const.i32 0\n  3: return %r\n"),
           "trap: a check found zero in main at node 7");
    expect(MAIN("  3: trap\n"), "trap: a trap instruction was reached in main at node 3");
    expect(MAIN("  3: unreachable\n"),
           "wrong: an unreachable instruction was reached in main at node 3");
}

// ---- Calls

static void recursion(void **state) {
    (void)state;
    const char *text = "function i64 @sum(i64 %n) {\n"
                       "  slot $x size 8 align 8\n"
                       "  0: if eq.i64 %n, 0 then 1 else 2\n"
                       "  1: return %n\n"
                       "  2: store.i64 [$x], %n\n"
                       "  3: %m = sub.i64 %n, 1\n"
                       "  4: %s = call @sum(%m)\n"
                       "  5: %k = load.i64 [$x]\n"
                       "  6: %s = add.i64 %s, %k\n"
                       "  7: return %s\n"
                       "}\n"
                       "function i32 @main() {\n"
                       "  0: %n = const.i64 300000\n"
                       "  1: %s = call @sum(%n)\n"
                       "  2: %s = modu.i64 %s, 1000\n"
                       "  3: %r = trunc.i32 %s\n"
                       "  4: return %r\n"
                       "}\n";
    expect(text, "exit 0");
    expect_with(text, "wrong: call depth exceeds 1000 in sum at node 4",
                &(RunOptions){.max_depth = 1000});
    Run run = run_with(text, &(RunOptions){.memory_limit = 10 << 20});
    assert_int_equal(run.result.behaviour.end, END_WRONG);
    end(&run);
    expect("function void @f() {\n  0: call @f()\n  1: return\n}\n"
           "function i32 @main() {\n  0: call @f()\n  1: unreachable\n}\n",
           "wrong: call depth exceeds 1000000 in f at node 0");
}

static void frame_memory(void **state) {
    (void)state;
    expect_with("function void @f() {\n  0: call @f()\n  1: return\n}\n"
                "function i32 @main() {\n  0: call @f()\n  1: unreachable\n}\n",
                "wrong: call depth exceeds 5000 in f at node 0",
                &(RunOptions){.max_depth = 5000, .memory_limit = 2 << 20});
    Run run = run_with("function void @f() {\n  0: call @f()\n  1: return\n}\n"
                       "function i32 @main() {\n  0: call @f()\n  1: unreachable\n}\n",
                       &(RunOptions){.memory_limit = 2 << 20});
    assert_non_null(strstr(run.result.behaviour.reason, "no memory for another frame"));
    end(&run);
}

// What a call took is there again after it: many calls, one after the other, fit into little
// memory.
static void calls_release(void **state) {
    (void)state;
    expect_with(
        "function i32 @f(i32 %x, ...) {\n  slot $l size 24 align 8\n  slot $big size 9000 align 8\n"
        "  0: %l = addr $l\n  1: va_start %l\n  2: %y = va_arg i32 %l\n"
        "  3: %n = const.i64 100\n  4: %a = alloca %n align 8\n  5: return %y\n}\n"
        "function i32 @main() {\n  0: %i = const.i32 50000\n  1: %i = sub.i32 %i, 1\n"
        "  2: %r = call @f(%i, %i)\n  3: if gt.i32 %r, 0 then 1 else 4\n  4: return %r\n}\n",
        "exit 0", &(RunOptions){.memory_limit = 1 << 20});
}

static void event_memory(void **state) {
    (void)state;
    Run run = run_with("global @g size 4 align 4\nfunction i32 @main() {\n"
                       "  0: %x = volatile_load.i32 [@g] -> 0\n}\n",
                       &(RunOptions){.memory_limit = 1 << 20});
    assert_int_equal(run.result.behaviour.end, END_FUEL);
    assert_in_range(run.result.behaviour.event_hashes.count, 1 << 16, 1 << 17);
    end(&run);
}

static void register_memory(void **state) {
    (void)state;
    Out text = {0};
    out_text(&text, "function void @f() {\n");
    for (uint32_t i = 0; i < 3000; i++) out_printf(&text, "  reg i64 %%r%u\n", i);
    out_text(&text, "  0: call @f()\n  1: return\n}\n"
                    "function i32 @main() {\n  0: call @f()\n  1: unreachable\n}\n");
    out_char(&text, 0);
    Run run = run_with(text.text, &(RunOptions){.memory_limit = 16 << 20});
    assert_int_equal(run.result.behaviour.end, END_WRONG);
    assert_non_null(strstr(run.result.behaviour.reason, "call depth"));
    assert_non_null(strstr(run.result.behaviour.reason, "no memory for another frame"));
    end(&run);
    out_free(&text);
}

static void indirect_and_alias(void **state) {
    (void)state;
    expect("function i32 @f(i32 %n) {\n  0: %n = add.i32 %n, 1\n  1: return %n\n}\n"
           "alias @g = @f\n"
           "alias @h = @g weak\n"
           "function i32 @main() {\n"
           "  0: %x = const.i32 1\n"
           "  1: %x = call @h(%x)\n"
           "  2: %p = addr @h\n"
           "  3: %q = addr @f\n"
           "  4: if eq.i64 %p, %q then 5 else 9\n"
           "  5: %x = call i32(i32) %p(%x)\n"
           "  6: call i32(i32) %p(%x)\n"
           "  7: return %x\n"
           "  9: unreachable\n"
           "}\n",
           "exit 3");
}

static void aggregates(void **state) {
    (void)state;
    expect("function agg(16 align 8: i64, i64) @f(agg(16 align 8: i64, i64) %p, i64 %n) {\n"
           "  slot $t size 16 align 8\n"
           "  0: %x = load.i64 [%p]\n"
           "  1: %x = add.i64 %x, %n\n"
           "  2: store.i64 [%p], %x\n"
           "  3: memcpy %p, %p, 16\n"
           "  4: return %p\n"
           "}\n"
           "function i32 @main() {\n"
           "  slot $a size 16 align 8\n"
           "  slot $b size 16 align 8\n"
           "  0: %one = const.i64 1\n"
           "  1: store.i64 [$a], %one\n"
           "  2: %a = addr $a\n"
           "  3: %b = addr $b\n"
           "  4: %n = const.i64 40\n"
           "  5: call @f(%a, %n) into %b\n"
           "  6: %x = load.i64 [$a]\n"
           "  7: %y = load.i64 [$b]\n"
           "  8: %y = mul.i64 %y, 100\n"
           "  9: %y = add.i64 %y, %x\n"
           "  10: %r = trunc.i32 %y\n"
           "  11: return %r\n"
           "}\n",
           "exit 4101");
}

#define VARIADIC                                                                                   \
    "extern function i32 @vsum(i32, i64)\n"                                                        \
    "function i32 @f(i32 %n, ...) {\n"                                                             \
    "  slot $l size 24 align 8\n"                                                                  \
    "  slot $m size 24 align 8\n"                                                                  \
    "  slot $s size 12 align 4\n"                                                                  \
    "  0: %l = addr $l\n"                                                                          \
    "  1: va_start %l\n"

static void variadic(void **state) {
    (void)state;
    expect(VARIADIC "  2: %a = va_arg i32 %l\n"
                    "  3: %m = addr $m\n"
                    "  4: va_copy %m, %l\n"
                    "  5: %b = va_arg f64 %l\n"
                    "  6: %s = addr $s\n"
                    "  7: va_arg agg(12 align 4) %l, %s\n"
                    "  8: %c = load.i32 [$s + 8]\n"
                    "  9: %d = va_arg f64 %m\n"
                    "  10: %b = add.f64 %b, %d\n"
                    "  11: %e = cvt.i32.f64 %b\n"
                    "  12: va_start %m\n"
                    "  13: %g = va_arg i32 %m\n"
                    "  14: %r = add.i32 %a, %c\n"
                    "  15: %r = add.i32 %r, %e\n"
                    "  16: %r = add.i32 %r, %g\n"
                    "  17: %r = add.i32 %r, %n\n"
                    "  18: va_end %m\n"
                    "  19: return %r\n"
                    "}\n"
                    "function i32 @main() {\n"
                    "  slot $t size 12 align 4\n"
                    "  0: %n = const.i32 1\n"
                    "  1: %a = const.i32 10\n"
                    "  2: %b = const.f64 50.0\n"
                    "  3: %t = addr $t\n"
                    "  4: store.i32 [$t + 8], %a\n"
                    "  5: %r = call i32(i32, ..., i32, f64, agg(12 align 4)) @f(%n, %a, %b, %t)\n"
                    "  6: return %r\n"
                    "}\n",
           "exit 131");
    expect(VARIADIC "  2: %r = call @vsum(%n, %l)\n"
                    "  3: %k = va_arg i32 %l\n"
                    "  4: %r = mul.i32 %r, %k\n"
                    "  5: return %r\n"
                    "}\n"
                    "function i32 @main() {\n"
                    "  0: %n = const.i32 2\n"
                    "  1: %a = const.i32 3\n"
                    "  2: %b = const.i32 4\n"
                    "  3: %c = const.i32 5\n"
                    "  4: %r = call @f(%n, %a, %b, %c)\n"
                    "  5: %r = call @f(%n, %a, %b, %c)\n"
                    "  6: return %r\n"
                    "}\n",
           "exit 35");
}

static void wrong_variadic(void **state) {
    (void)state;
    const struct {
        const char *lines, *expected;
    } rows[] = {
        {"  2: %a = va_arg i64 %l\n  3: return %n\n",
         "wrong: va_arg of another type than variable argument 1 has in f at node 2"},
        {"  2: %a = va_arg i32 %l\n  3: %b = va_arg i32 %l\n  4: return %n\n",
         "wrong: va_arg beyond the last of 1 variable arguments in f at node 3"},
        {"  2: %m = addr $m\n  3: %b = va_arg i32 %m\n  4: return %n\n", NULL},
        {"  2: va_end %l\n  3: %b = va_arg i32 %l\n  4: return %n\n", NULL},
    };
    for (uint32_t i = 0; i < 4; i++) {
        Out text = {0};
        out_text(&text, VARIADIC);
        out_text(&text, rows[i].lines);
        out_text(&text, "}\nfunction i32 @main() {\n  0: %n = const.i32 1\n"
                        "  1: %r = call @f(%n, %n)\n  2: return %r\n}\n");
        out_char(&text, 0);
        Run run = run_with(text.text, &(RunOptions){0});
        if (rows[i].expected)
            expect_end(&run, text.text, rows[i].expected);
        else
            assert_non_null(strstr(run.result.behaviour.reason, "is not in use"));
        end(&run);
        out_free(&text);
    }
}

// A list dies with the call whose arguments it walks.
static void stale_list(void **state) {
    (void)state;
    Run run = run_with("function void @f(i64 %l, ...) {\n  0: va_start %l\n  1: return\n}\n"
                       "function i32 @main() {\n  slot $l size 24 align 8\n  0: %l = addr $l\n"
                       "  1: call @f(%l, %l)\n  2: %x = va_arg i64 %l\n  3: unreachable\n}\n",
                       &(RunOptions){0});
    assert_int_equal(run.result.behaviour.end, END_WRONG);
    assert_non_null(strstr(run.result.behaviour.reason, "is not in use"));
    end(&run);
}

static void signatures(void **state) {
    (void)state;
    const struct {
        const char *header, *call, *expected;
    } rows[] = {
        {"i32 @f(i32 %a)", "call i32(i32) @f(%w)", "exit 0"},
        {"i32 @f(i32 %a)", "call void(i32) @f(%w)", "exit 0"},
        {"i32 @f(i32 %a)", "call i64(i32) @f(%w)", "exit 0"},
        {"i32 @f(i32 %a, ...)", "call i32(i32) @f(%w)", "exit 0"},
        {"i32 @f(i32 %a, ...)", "call i32(i32, ..., i64) @f(%w, %q)", "exit 0"},
        {"i32 @f(i32 %a)", "call i32(i64) @f(%q)", NULL},
        {"i32 @f(i32 %a)", "call i32() @f()", NULL},
        {"i32 @f(i32 %a)", "call i32(i32, i32) @f(%w, %w)", NULL},
        {"i32 @f(i32 %a)", "call i32(i32, ...) @f(%w)", NULL},
        {"i32 @f(i32 %a, ...)", "call i32(i32, i32) @f(%w, %w)", NULL},
        {"i32 @f(i32 %a, ...)", "call i32(i64, ...) @f(%q)", NULL},
        {"i32 @f(i32 %a, ...)", "call i32(..., i32) @f(%w)", NULL},
        {"i32 @f(i32 %a)", "%x = call i64(i32) @f(%w)", NULL},
        {"i32 @f(agg(8 align 8) %a)", "call i32(i64) @f(%q)", NULL},
        {"i32 @f(agg(8 align 8) %a)", "call i32(agg(16 align 8)) @f(%q)", NULL},
        {"i32 @f(i32 %a)", "call agg(16 align 8)(i32) @f(%w) into %q", NULL},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "function %s {\n  0: %%r = const.i32 7\n  1: return %%r\n}\n"
                 "function i32 @main() {\n  slot $s size 16 align 8\n  0: %%w = const.i32 0\n"
                 "  1: %%q = addr $s\n  5: %s\n  6: return %%w\n}\n",
                 rows[i].header, rows[i].call);
        expect(text, rows[i].expected
                         ? rows[i].expected
                         : "wrong: call of 'f' with other types than it has in main at node 5");
    }
}

static void wrong_calls(void **state) {
    (void)state;
    expect("extern function void @nothing()\nfunction i32 @main() {\n  0: call @nothing()\n  1: "
           "unreachable\n}\n",
           "wrong: external function 'nothing' is not provided in main at node 0");
    expect(MAIN("  0: %p = const.i64 64\n  1: call void() %p()\n  2: unreachable\n"),
           "wrong: call of 0x40, which is not a function in main at node 1");
    expect(MAIN("  0: %p = addr @putchar + 1\n  1: %x = const.i32 1\n  2: call i32(i32) %p(%x)\n  "
                "3: unreachable\n"),
           "wrong: call of 0x400001, which is not a function in main at node 2");
    expect(MAIN("  reg i64 %p\n  1: call void() %p()\n  2: unreachable\n"),
           "wrong: call of an undefined address in main at node 1");
    expect(MAIN("  reg i32 %x\n  1: call @putchar(%x)\n  2: unreachable\n"),
           "wrong: putchar: argument 1 is undefined in main at node 1");
    expect("extern function i32 @f() weak\nfunction i32 @main() {\n  0: %p = addr @f\n"
           "  1: if eq.i64 %p, 0 then 2 else 4\n  2: %r = const.i32 6\n  3: return %r\n  4: "
           "unreachable\n}\n",
           "exit 6");
    expect("extern function i32 @f() weak\nfunction i32 @main() {\n  0: %x = call @f()\n  1: "
           "return %x\n}\n",
           "wrong: external function 'f' is not provided in main at node 0");
}

static void wrong_aggregates(void **state) {
    (void)state;
#define TAKES "function i32 @f(agg(24 align 8) %p) {\n  0: %r = const.i32 0\n  1: return %r\n}\n"
#define GIVES "function agg(24 align 8) @f(i64 %p) {\n  0: return %p\n}\n"
    expect(TAKES "function i32 @main() {\n  reg i64 %p\n  0: call @f(%p)\n  1: unreachable\n}\n",
           "wrong: the address of an aggregate argument is undefined in f at node 0");
    expect(TAKES
           "function i32 @main() {\n  0: %p = const.i64 0\n  1: call @f(%p)\n  2: unreachable\n}\n",
           "wrong: 24-byte read at 0x0 goes through a null pointer in f at node 0");
    expect(GIVES
           "function i32 @main() {\n  slot $s size 24 align 8\n  reg i64 %q\n  0: %p = addr $s\n"
           "  1: call @f(%p) into %q\n  2: unreachable\n}\n",
           "wrong: the address of an aggregate result is undefined in f at node 0");
    expect(GIVES "function i32 @main() {\n  slot $s size 24 align 8\n  0: %p = addr $s\n  1: %q = "
                 "const.i64 0\n"
                 "  2: call @f(%p) into %q\n  3: unreachable\n}\n",
           "wrong: 24-byte write at 0x0 goes through a null pointer in f at node 0");
    expect(GIVES "function i32 @main() {\n  slot $s size 24 align 8\n  0: %p = addr $s\n  1: %q = "
                 "const.i64 0\n"
                 "  2: call @f(%q) into %p\n  3: unreachable\n}\n",
           "wrong: 24-byte read at 0x0 goes through a null pointer in f at node 0");
}

// ---- Undefined values

static void undefined_flows(void **state) {
    (void)state;
    expect("function i32 @id(i32 %x) {\n  0: return %x\n}\n"
           "function i32 @main() {\n"
           "  slot $s size 8 align 8\n"
           "  reg i32 %u\n"
           "  0: %x = call @id(%u)\n"
           "  1: store.i32 [$s], %x\n"
           "  2: %y = load.i32 [$s]\n"
           "  3: %z = and.i32 %y, 0\n"
           "  4: if eq.i32 %z, 0 then 5 else 6\n"
           "  5: return %z\n"
           "  6: unreachable\n"
           "}\n",
           "exit 0");
}

static void undefined_uses(void **state) {
    (void)state;
    const struct {
        const char *lines, *reason;
    } rows[] = {
        {"  5: if lt.i32 %u, 3 then 9 else 9\n", "branch on an undefined value (lt.i32)"},
        {"  4: %x = load.i32 [$s]\n  5: if eq.i32 %x, 0 then 9 else 9\n",
         "branch on an undefined value (eq.i32)"},
        {"  5: switch %u { 0: 9, default: 9 }\n", "switch on an undefined value"},
        {"  5: check %u -> 9\n", "check of an undefined value"},
        {"  5: %x = load.i32 [%v] -> 9\n", "the address of a load is undefined"},
        {"  5: %x = load.i32 [@g + %v*4] -> 9\n", "the address of a load is undefined"},
        {"  5: store.i32 [%v], %z -> 9\n", "the address of a store is undefined"},
        {"  5: %x = divs.i32 %u, %z -> 9\n", "divs.i32 of undefined and 0"},
        {"  5: %x = divs.i32 %z, %u -> 9\n", "divs.i32 of 0 and undefined"},
        {"  5: %x = volatile_load.i32 [%v] -> 9\n", "the address of a volatile load is undefined"},
        {"  5: %x = volatile_load.i32 [$s] -> 9\n", "the value of a volatile load is undefined"},
        {"  5: volatile_store.i32 [%v], %z -> 9\n", "the address of a volatile store is undefined"},
        {"  5: volatile_store.i32 [$s], %u -> 9\n", "the value of a volatile store is undefined"},
        {"  5: memcpy %v, %p, 4 -> 9\n", "an address is undefined"},
        {"  5: memcpy %p, %v, 4 -> 9\n", "an address is undefined"},
        {"  5: memset %v, %z, 4 -> 9\n", "an address is undefined"},
        {"  5: %x = alloca %v align 8 -> 9\n", "the size of an alloca is undefined"},
        {"  5: stack_restore %v -> 9\n", "the token of a stack_restore is undefined"},
        {"  5: va_copy %p, %v -> 9\n", "an address is undefined"},
        {"  5: %x = va_arg i32 %v -> 9\n", "an address is undefined"},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000], expected[200];
        snprintf(text, sizeof text,
                 MAIN("  reg i32 %%u\n  reg i64 %%v\n  0: %%z = const.i32 0\n  1: %%p = addr $s\n"
                      "%s"
                      "  9: return %%z\n"),
                 rows[i].lines);
        snprintf(expected, sizeof expected, "wrong: %s in main at node 5", rows[i].reason);
        expect(text, expected);
    }
    expect(MAIN("  reg i32 %u\n  0: return %u\n"), "wrong: the result of 'main' is undefined");
}

// ---- Wrong arithmetic and memory

static void wrong_arithmetic(void **state) {
    (void)state;
    expect(MAIN("  0: %x = const.i32 5\n  1: %y = divs.i32 %x, 0\n  2: return %y\n"),
           "wrong: divs.i32 of 5 and 0 in main at node 1");
    expect(MAIN("  0: %x = const.i64 -9223372036854775808\n  1: %y = mods.i64 %x, -1\n  2: "
                "unreachable\n"),
           "wrong: mods.i64 of -9223372036854775808 and -1 in main at node 1");
    expect(MAIN("  0: %x = const.i32 -2147483648\n  1: %y = const.i32 -1\n  2: %z = divs.i32 %x, "
                "%y\n  3: unreachable\n"),
           "wrong: divs.i32 of -2147483648 and -1 in main at node 2");
    expect(MAIN("  0: %x = const.i64 1\n  1: %y = const.i64 0\n  2: %z = modu.i64 %x, %y\n  3: "
                "unreachable\n"),
           "wrong: modu.i64 of 1 and 0 in main at node 2");
}

// The reason without the address in it.
static void expect_access(const char *text, const char *before, const char *after) {
    Run run = run_with(text, &(RunOptions){0});
    assert_int_equal(run.result.behaviour.end, END_WRONG);
    const char *reason = run.result.behaviour.reason, *rest = strstr(reason, " at 0x");
    assert_non_null(rest);
    assert_int_equal(rest - reason, strlen(before));
    assert_memory_equal(reason, before, strlen(before));
    assert_string_equal(strchr(rest + 4, ' ') + 1, after);
    end(&run);
}

static void wrong_access(void **state) {
    (void)state;
    expect(MAIN("  0: %x = load.i32 [8]\n  1: unreachable\n"),
           "wrong: 4-byte read at 0x8 goes through a null pointer in main at node 0");
    expect(MAIN("  0: %x = load.i64 [@putchar]\n  1: unreachable\n"),
           "wrong: 8-byte read at function 'putchar' in main at node 0");
    expect_access(MAIN("  0: %x = load.i32 [$s + 20]\n  1: unreachable\n"), "4-byte read",
                  "is 4 bytes past the end of slot 'main.s' of 16 bytes");
    expect_access(MAIN("  0: %x = const.i32 1\n  1: store.i32 [@c], %x\n  2: unreachable\n"),
                  "4-byte write", "is to read-only global 'c' of 4 bytes");
    expect_access(MAIN("  0: %x = volatile_load.i64 [@g + 9]\n  1: unreachable\n"), "8-byte read",
                  "crosses the end of global 'g' of 16 bytes");
    expect_access(
        MAIN("  0: %x = const.i32 1\n  1: volatile_store.i32 [@g - 4], %x\n  2: unreachable\n"),
        "4-byte write", "is 4 bytes before global 'g' of 16 bytes");
    expect_access(
        MAIN("  0: %p = addr @g\n  1: %q = addr $s\n  2: memcpy %p, %q, 17\n  3: unreachable\n"),
        "17-byte read", "crosses the end of slot 'main.s' of 16 bytes");
    expect_access(
        MAIN("  0: %p = addr @c\n  1: %q = addr @g\n  2: memcpy %p, %q, 4\n  3: unreachable\n"),
        "4-byte write", "is to read-only global 'c' of 4 bytes");
    expect_access(MAIN("  0: %p = addr @g + 16\n  1: %x = const.i32 0\n  2: memset %p, %x, 1\n  3: "
                       "unreachable\n"),
                  "1-byte write", "is just past the end of global 'g' of 16 bytes");
    expect_access(MAIN("  0: %n = const.i64 4\n  1: %p = call @malloc(%n)\n  2: call @free(%p)\n"
                       "  3: %x = load.i32 [%p]\n  4: unreachable\n"),
                  "4-byte read", "is a use after free of malloc block #1 of 4 bytes");
    expect_access("extern global @unknown size 8 align 8\n"
                  "function i32 @main() {\n  0: %p = addr @unknown\n  1: %x = load.i64 [%p]\n  2: "
                  "unreachable\n}\n",
                  "8-byte read", "needs 'unknown', which is not defined");
    expect_access(
        "function i64 @f() {\n  slot $x size 8 align 8\n  0: %p = addr $x\n  1: return %p\n}\n"
        "function i32 @main() {\n  0: %p = call @f()\n  1: %x = load.i64 [%p]\n  2: "
        "unreachable\n}\n",
        "8-byte read", "is a use after the end of slot 'f.x' of 8 bytes");
    expect("extern global @stdout size 8 align 8\nextern global @w size 8 align 8 weak\n"
           "function i32 @main() {\n  0: %x = load.i64 [@stdout]\n  1: %p = addr @w\n  2: %x = "
           "add.i64 %x, %p\n"
           "  3: %r = trunc.i32 %x\n  4: return %r\n}\n",
           "exit 0");
}

// ---- Builtins

static void blocks(void **state) {
    (void)state;
    expect(MAIN("  0: %p = addr $s\n"
                "  1: %q = addr @g\n"
                "  2: memcpy %p, %q, 16\n"
                "  3: %x = const.i32 257\n"
                "  4: memset %p, %x, 2\n"
                "  5: memcpy %p, %p, 16\n"
                "  6: %q = add.i64 %p, 8\n"
                "  7: memcpy %q, %p, 8\n"
                "  8: %r = load.i32 [$s + 8]\n"
                "  9: return %r\n"),
           "exit 257");
    expect(MAIN("  0: %p = addr @g\n  1: %q = add.i64 %p, 4\n  2: memcpy %q, %p, 8\n  3: "
                "unreachable\n"),
           "wrong: memcpy of 8 bytes between ranges that overlap in main at node 2");
    expect(MAIN("  0: %p = addr @g\n  1: %q = addr $s\n  2: memcpy %p, %q, 16\n  3: %x = load.i32 "
                "[@g]\n"
                "  4: if eq.i32 %x, 0 then 5 else 5\n  5: unreachable\n"),
           "wrong: branch on an undefined value (eq.i32) in main at node 4");
}

static void stack(void **state) {
    (void)state;
    expect(MAIN("  0: %n = const.i64 8\n"
                "  1: %a = alloca %n align 64\n"
                "  2: store.i64 [%a], %a\n"
                "  3: %low = and.i64 %a, 63\n"
                "  4: %t = stack_save\n"
                "  5: %b = alloca %n align 1\n"
                "  6: store.i64 [%b], %a\n"
                "  7: stack_restore %t\n"
                "  8: %c = load.i64 [%a]\n"
                "  9: stack_restore %t\n"
                "  10: %d = sub.i64 %c, %a\n"
                "  11: %d = add.i64 %d, %low\n"
                "  12: %r = trunc.i32 %d\n"
                "  13: return %r\n"),
           "exit 0");
    expect_access(MAIN("  0: %n = const.i64 8\n  1: %t = stack_save\n  2: %a = alloca %n align 8\n"
                       "  3: stack_restore %t\n  4: %x = load.i64 [%a]\n  5: unreachable\n"),
                  "8-byte read", "is a use after the end of alloca of 8 bytes");
    expect(MAIN("  0: %n = const.i64 8\n  1: %a = alloca %n align 8\n  2: %t = stack_save\n  3: %u "
                "= sub.i64 %t, 1\n"
                "  4: stack_restore %u\n  5: stack_restore %t\n  6: unreachable\n"),
           "wrong: stack_restore to a state that is gone in main at node 5");
    expect(
        "function i64 @f() {\n  0: %t = stack_save\n  1: return %t\n}\n"
        "function i32 @main() {\n  0: %t = call @f()\n  1: stack_restore %t\n  2: unreachable\n}\n",
        "wrong: stack_restore to a state that is gone in main at node 1");
    expect(MAIN("  0: %n = const.i64 -1\n  1: %a = alloca %n align 8\n  2: unreachable\n"),
           "wrong: no memory for an alloca of 18446744073709551615 bytes in main at node 1");
    expect("function i32 @main() {\n  slot $big size 1000000000000 align 8\n  0: unreachable\n}\n",
           "wrong: no memory for 'main.big' of 1000000000000 bytes in main at node 0");
    expect("global @big size 1000000000000 align 8\nfunction i32 @main() {\n  0: unreachable\n}\n",
           "wrong: no memory for 'big' of 1000000000000 bytes");
    expect_with(MAIN("  0: %n = const.i64 1048576\n  1: %a = alloca %n align 8 -> 1\n"),
                "wrong: no memory for an alloca of 1048576 bytes in main at node 1",
                &(RunOptions){.memory_limit = 64 << 20});
}

// ---- Events, output, ends

static void events(void **state) {
    (void)state;
    expect_events("extern function i32 @show(i32, ...)\n"
                  "extern function i64 @malloc(i64)\n"
                  "global @g size 8 align 8\n"
                  "function i32 @main() {\n"
                  "  slot $s size 8 align 8\n"
                  "  slot $1 size 8 align 8\n"
                  "  0: %a = const.i32 -5\n"
                  "  1: %b = const.i64 7\n"
                  "  2: %c = const.f64 0.5\n"
                  "  3: %d = const.f32 nan:0x7fc00001\n"
                  "  4: %e = const.f80 -2.5\n"
                  "  5: %f = addr @main\n"
                  "  6: %g = addr @g + 8\n"
                  "  7: %h = addr $s + 1\n"
                  "  8: %i = call @malloc(%b)\n"
                  "  9: %i = call @malloc(%b)\n"
                  "  10: %j = addr $1\n"
                  "  11: call @show(%a, %b, %c, %d, %e)\n"
                  "  12: %x = call @show(%a, %f, %g, %h, %i, %j)\n"
                  "  13: volatile_store.i16 [@g + 2], %a\n"
                  "  14: %y = volatile_load.i16 [@g + 2]\n"
                  "  15: return %y\n"
                  "}\n",
                  "exit -5",
                  (const char *const[]){
                      "show(-5, 7, 0x1p-1, nan:0x7fc00001, -0xap-2) = 5",
                      "show(-5, @main, &g+8, &slot[8]+1, &malloc#2, &slot[8]) = 6",
                      "volatile_store.i16(&g+2, -5)", "volatile_load.i16(&g+2) = -5", NULL});
}

static void aggregate_from_outside(void **state) {
    (void)state;
    expect_events("extern function agg(8 align 4: i64) @pair(i32)\n"
                  "function i32 @main() {\n  slot $s size 8 align 4\n  0: %n = const.i32 4\n"
                  "  1: %p = addr $s\n  2: call @pair(%n) into %p\n  3: %r = load.i32 [$s + 4]\n"
                  "  4: return %r\n}\n",
                  "exit 5", (const char *const[]){"pair(4)", NULL});
}

#define HOOK(name, letter, attributes)                                                             \
    "function void @" name "() " attributes "{\n  0: %c = const.i32 " letter                       \
    "\n  1: call @putchar(%c)\n  2: return\n}\n"

static void hooks(void **state) {
    (void)state;
    const char *declarations =
        "extern function i32 @putchar(i32)\nextern function i32 @atexit(i64)\n"
        "extern function void @exit(i32) noreturn\n"
        "extern function void @_exit(i32) noreturn\n" HOOK("late", "66", "constructor 200 ")
            HOOK("early", "65", "constructor 100 destructor 100 ")
                HOOK("again", "67", "constructor 200 ") HOOK("last", "88", "destructor 300 ")
                    HOOK("x", "49", "") HOOK("y", "50", "");
    const struct {
        const char *finish, *expected, *output;
    } rows[] = {
        {"return %n", "exit 5", "ABCm21XA"},
        {"call @exit(%n)\n  7: unreachable", "exit 5", "ABCm21XA"},
        {"call @_exit(%n)\n  7: unreachable", "exit 5", "ABCm"},
        {"trap", "trap: a trap instruction was reached in main at node 6", "ABCm"},
    };
    for (uint32_t i = 0; i < 4; i++) {
        Out text = {0};
        out_printf(&text,
                   "%sfunction i32 @main() {\n  0: %%n = const.i32 109\n  1: call @putchar(%%n)\n"
                   "  2: %%p = addr @x\n  3: call @atexit(%%p)\n  4: %%p = addr @y\n  5: call "
                   "@atexit(%%p)\n"
                   "  8: %%n = const.i32 5\n  6: %s\n}\n",
                   declarations, rows[i].finish);
        out_char(&text, 0);
        expect_output(text.text, rows[i].expected, rows[i].output);
        out_free(&text);
    }
    expect("extern function void @abort() noreturn\nfunction i32 @main() {\n  0: call @abort()\n  "
           "1: unreachable\n}\n",
           "abort in main at node 0");
    // A function that runs at exit may itself end the run.
    expect_output(
        "extern function i32 @putchar(i32)\nextern function i32 @atexit(i64)\n"
        "extern function void @exit(i32) noreturn\n" HOOK(
            "x", "49", "") "function void @y() {\n  0: %n = const.i32 8\n  1: call @exit(%n)\n  2: "
                           "unreachable\n}\n"
                           "function i32 @main() {\n  0: %p = addr @x\n  1: call @atexit(%p)\n  2: "
                           "%p = addr @y\n"
                           "  3: call @atexit(%p)\n  4: %n = const.i32 5\n  5: return %n\n}\n",
        "exit 8", "1");
}

static void call_backs(void **state) {
    (void)state;
    expect("extern function i32 @apply(i64, i32)\n"
           "function i32 @double(i32 %x) {\n  0: %x = mul.i32 %x, 2\n  1: return %x\n}\n"
           "function i32 @both(i32 %x) {\n  0: %p = addr @double\n  1: %x = call @apply(%p, %x)\n"
           "  2: %x = call @apply(%p, %x)\n  3: return %x\n}\n"
           "function i32 @main() {\n  0: %p = addr @both\n  1: %x = const.i32 5\n  2: %x = call "
           "@apply(%p, %x)\n"
           "  3: return %x\n}\n",
           "exit 20");
    expect("extern function i32 @apply(i64, i32)\n"
           "function i32 @again(i32 %x) {\n  0: %p = addr @again\n  1: %x = call @apply(%p, %x)\n  "
           "2: return %x\n}\n"
           "function i32 @main() {\n  0: %x = const.i32 5\n  1: %x = call @again(%x)\n  2: return "
           "%x\n}\n",
           "wrong: call-backs nest deeper than 100 in again at node 1");
    expect("extern function i32 @apply(i64, i32)\n"
           "function i32 @two(i32 %x, i32 %y) {\n  0: return %x\n}\n"
           "function i32 @main() {\n  0: %p = addr @two\n  1: %x = const.i32 5\n  2: %x = call "
           "@apply(%p, %x)\n"
           "  3: return %x\n}\n",
           "wrong: call-back of 'two' with other types than it has in main at node 2");
    expect("extern function i32 @apply(i64, i32)\n"
           "function i32 @main() {\n  0: %p = const.i64 3\n  1: %x = const.i32 5\n  2: %x = call "
           "@apply(%p, %x)\n"
           "  3: return %x\n}\n",
           "wrong: call of 0x3, which is not a function in main at node 2");
    expect("extern function i32 @apply(i64, i32)\nextern function void @exit(i32)\n"
           "function i32 @leave(i32 %x) {\n  0: call @exit(%x)\n  1: unreachable\n}\n"
           "function i32 @main() {\n  0: %p = addr @leave\n  1: %x = const.i32 5\n  2: %x = call "
           "@apply(%p, %x)\n"
           "  3: unreachable\n}\n",
           "exit 5");
}

static void mains(void **state) {
    (void)state;
    expect("function i32 @f() {\n  0: unreachable\n}\n",
           "wrong: the program has no function 'main'");
    expect("function i32 @main(i32 %argc, i64 %argv, i64 %envp) {\n"
           "  0: %p = load.i64 [%argv + 8]\n"
           "  1: %c = load.u8 [%p + 1]\n"
           "  2: %e = load.i64 [%envp]\n"
           "  3: %z = load.i64 [%argv + 16]\n"
           "  4: %e = add.i64 %e, %z\n"
           "  5: %t = trunc.i32 %e\n"
           "  6: %r = mul.i32 %argc, 1000\n"
           "  7: %r = add.i32 %r, %c\n"
           "  8: %r = add.i32 %r, %t\n"
           "  9: return %r\n"
           "}\n",
           "exit 2098");
    expect("function i32 @f() {\n  0: %x = const.i32 7\n  1: return %x\n}\nalias @main = @f\n",
           "exit 7");
    expect("global @main size 4 align 4\n", "wrong: the program has no function 'main'");
    expect("function void @main() {\n  0: return\n}\n", "wrong: the result of 'main' is undefined");
    expect("function i64 @main() {\n  0: unreachable\n}\n",
           "wrong: 'main' has parameters or a result that it cannot have");
    expect("function i32 @main(i64 %x) {\n  0: unreachable\n}\n",
           "wrong: 'main' has parameters or a result that it cannot have");
}

static void fuel(void **state) {
    (void)state;
    const char *text = "function i32 @main() {\n  0: %x = const.i32 3\n  1: %x = sub.i32 %x, 1\n"
                       "  2: if ne.i32 %x, 0 then 1 else 3\n  3: return %x\n}\n";
    expect_with(text, "exit 0", &(RunOptions){.fuel = 8});
    expect_with(text, "out of fuel in main at node 3", &(RunOptions){.fuel = 7});
    expect_with(text, "out of fuel in main at node 1", &(RunOptions){.fuel = 1});
    Run run = run_with(text, &(RunOptions){0});
    assert_int_equal(run.result.behaviour.steps, 8);
    end(&run);
}

// ---- Single functions

static RunResult call_function(Arena *arena, const char *text, const char *name, const Value *args,
                               uint32_t count) {
    Program *program = parse(arena, text);
    Sym symbol = program_find(program, str_of(&program->strings, name));
    RunResult result;
    rtl_run_func(arena, program, program_at(program, symbol)->func, args, count, &(RunOptions){0},
                 &result);
    return result;
}

static void single_functions(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    RunResult result = call_function(arena,
                                     "function i64 @f(i64 %x, f64 %y) {\n  0: %z = cvt.i64.f64 %y\n"
                                     "  1: %x = add.i64 %x, %z\n  2: return %x\n}\n",
                                     "f", (Value[]){value_i64(40), value_f64(2.5)}, 2);
    assert_int_equal(result.behaviour.end, END_RESULT);
    assert_int_equal(result.behaviour.event_hashes.count, 1);
    assert_true(result.behaviour.event_hashes.at[0] == hash_bytes("result() = 42", 13));
    result = call_function(arena, "function void @f() {\n  0: return\n}\n", "f", NULL, 0);
    assert_int_equal(result.behaviour.end, END_RESULT);
    assert_true(result.behaviour.event_hashes.at[0] == hash_bytes("result()", 8));
    result =
        call_function(arena,
                      "function agg(4 align 4) @f(agg(4 align 4) %p) {\n  0: %x = const.i32 3\n"
                      "  1: store.i8 [%p + 1], %x\n  2: return %p\n}\n",
                      "f", (Value[]){value_i32(0xab)}, 1);
    assert_int_equal(result.behaviour.end, END_RESULT);
    assert_true(result.behaviour.event_hashes.at[0] == hash_bytes("result = ab03abab", 17));
    result = call_function(arena, "function i32 @f() {\n  reg i32 %x\n  0: return %x\n}\n", "f",
                           NULL, 0);
    assert_string_equal(result.behaviour.reason, "the result is undefined");
    result = call_function(arena, "function i32 @f(i32 %x) {\n  0: return %x\n}\n", "f", NULL, 0);
    assert_string_equal(result.behaviour.reason, "0 arguments for 1 parameters");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loop),
        cmocka_unit_test(operators),
        cmocka_unit_test(memory),
        cmocka_unit_test(initial_data),
        cmocka_unit_test(switches),
        cmocka_unit_test(ends),
        cmocka_unit_test(recursion),
        cmocka_unit_test(register_memory),
        cmocka_unit_test(frame_memory),
        cmocka_unit_test(event_memory),
        cmocka_unit_test(calls_release),
        cmocka_unit_test(indirect_and_alias),
        cmocka_unit_test(aggregates),
        cmocka_unit_test(variadic),
        cmocka_unit_test(wrong_variadic),
        cmocka_unit_test(stale_list),
        cmocka_unit_test(signatures),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(wrong_aggregates),
        cmocka_unit_test(undefined_flows),
        cmocka_unit_test(undefined_uses),
        cmocka_unit_test(wrong_arithmetic),
        cmocka_unit_test(wrong_access),
        cmocka_unit_test(blocks),
        cmocka_unit_test(stack),
        cmocka_unit_test(events),
        cmocka_unit_test(aggregate_from_outside),
        cmocka_unit_test(hooks),
        cmocka_unit_test(call_backs),
        cmocka_unit_test(mains),
        cmocka_unit_test(fuel),
        cmocka_unit_test(single_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
