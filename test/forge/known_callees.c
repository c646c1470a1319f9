// Calls through a pointer that become calls by name: the values kernel accepts them where the
// pointer has the address of the function, and nowhere else. All of them are well-formed SSA, so
// that nothing but the checker stands in their way.
#include "check/checkers.h"
#include "test/gen/forge.h"
#include "test/gen/plain_values.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The function @types has every signature, so that texts with and without one have the same table.
#define HEAD                                                                                       \
    "function void @types(i64 %p.0, i32 %x.0) {\n"                                                 \
    "0: call i32(i32) returns_twice %p.0(%x.0)\n1: call void(i32) %p.0(%x.0)\n"                    \
    "2: call void(i64) %p.0(%p.0)\n3: call i32(i32, i32) %p.0(%x.0, %x.0)\n"                       \
    "4: call i32(i64, i32) %p.0(%p.0, %x.0)\n5: call i32(i64) returns_twice %p.0(%p.0)\n"          \
    "6: call i32(i64, ..., i32) %p.0(%p.0, %x.0)\n7: return\n}\n"                                  \
    "global @d size 8 align 8 = addr @g\n"                                                         \
    "extern function i32 @printf(i64, ...)\n"                                                      \
    "extern function i32 @setjmp(i64) returns_twice\n"                                             \
    "extern function i32 @w(i32) weak\n"                                                           \
    "function i32 @g(i32 %x.0) static {\n0: return %x.0\n}\n"                                      \
    "function i32 @h(i32 %x.0) static {\n0: return %x.0\n}\n"                                      \
    "alias @a = @g\n"                                                                              \
    "function i32 @f(i64 %p.0, i32 %x.0, i32 %y.0) {\n"

// The body of a function, and what becomes of its text.
typedef struct {
    const char *code;
    Edit edits[MAX_EDITS];
} NamedCall;

static Verdict judge(Arena *arena, const NamedCall *it) {
    const char *text = arena_printf(arena, "%s%s -> 9\n9: return %%x.0\n}\n", HEAD, it->code);
    const Func *before = forge_parse(arena, FORM_SSA, text);
    Func *after = forge_edit(arena, before, it->edits);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after)) fail_msg("%s", complaints.list.at[0].message);
    return check_values(arena, before, after, plain_values(arena, before, after));
}

// ---- Calls that reach the same function

static const NamedCall same[] = {
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @g(%x.0)"}}},
    {"0: %q.1 = addr @g\n1: call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @g(%x.0)"}}},
    {"0: %q.1 = addr @a\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @a(%x.0)"}}},
    {"0: %q.1 = addr @w\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @w(%x.0)"}}},
    // The signature of the call stays, whatever that of the function is.
    {"0: %q.1 = addr @g\n1: call void(i32) returns_twice %q.1(%x.0)",
     {{"call void(i32) returns_twice %q.1(%x.0)", "call void(i32) returns_twice @g(%x.0)"}}},
    {"0: %q.1 = addr @g\n1: call void(i64) %q.1(%p.0)",
     {{"call void(i64) %q.1(%p.0)", "call void(i64) @g(%p.0)"}}},
    {"0: %q.1 = addr @printf\n1: %z.1 = call i32(i64, ..., i32) %q.1(%p.0, %x.0)",
     {{"call i32(i64, ..., i32) %q.1(%p.0, %x.0)", "call @printf(%p.0, %x.0)"}}},
};

static void test_same_function(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        Arena *arena = arena_new("calls");
        Verdict verdict = judge(arena, &same[i]);
        if (!verdict.accepted) fail_msg("%s: %s", same[i].code, verdict.reason);
        arena_free(arena);
    }
}

// ---- Calls that may reach another function, or do something else

static const NamedCall others[] = {
    // another function, another address, an address that is not known
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @h(%x.0)"}}},
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @a(%x.0)"}}},
    {"0: %q.1 = addr @g + 4\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @g(%x.0)"}}},
    {"0: %q.1 = addr @d\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @g(%x.0)"}}},
    {"0: %q.1 = load.i64 [@d]\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @g(%x.0)"}}},
    {"1: %z.1 = call i32(i32) %p.0(%x.0)", {{"call i32(i32) %p.0(%x.0)", "call @g(%x.0)"}}},
    // the address is an argument, and not the pointer
    {"0: %q.1 = addr @g\n1: call void(i64) %p.0(%q.1)",
     {{"call void(i64) %p.0(%q.1)", "call void(i64) @g(%q.1)"}}},
    // other arguments, in another order, or with the pointer among them
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call @g(%y.0)"}}},
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32, i32) %q.1(%x.0, %y.0)",
     {{"call i32(i32, i32) %q.1(%x.0, %y.0)", "call i32(i32, i32) @g(%y.0, %x.0)"}}},
    {"0: %q.1 = addr @g\n1: call void(i64) %q.1(%p.0)",
     {{"call void(i64) %q.1(%p.0)", "call void(i64) @g(%q.1)"}}},
    // another signature: more arguments, fewer, a mark that is gone or new, another result
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call i32(i32, i32) @g(%x.0, %x.0)"}}},
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32, i32) %q.1(%x.0, %y.0)",
     {{"call i32(i32, i32) %q.1(%x.0, %y.0)", "call @g(%x.0)"}}},
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32) returns_twice %q.1(%x.0)",
     {{"call i32(i32) returns_twice %q.1(%x.0)", "call @g(%x.0)"}}},
    {"0: %q.1 = addr @g\n1: %z.1 = call i32(i32) %q.1(%x.0)",
     {{"call i32(i32) %q.1(%x.0)", "call i32(i32) returns_twice @g(%x.0)"}}},
    {"0: %q.1 = addr @g\n1: call void(i32) %q.1(%x.0)",
     {{"call void(i32) %q.1(%x.0)", "call @g(%x.0)"}}},
    {"0: %q.1 = addr @printf\n1: %z.1 = call i32(i64, ..., i32) %q.1(%p.0, %x.0)",
     {{"call i32(i64, ..., i32) %q.1(%p.0, %x.0)", "call i32(i64, i32) @printf(%p.0, %x.0)"}}},
    // the name says that the call may return twice
    {"0: %q.1 = addr @setjmp\n1: %z.1 = call i32(i64) %q.1(%p.0)",
     {{"call i32(i64) %q.1(%p.0)", "call @setjmp(%p.0)"}}},
    {"0: %q.1 = addr @setjmp\n1: %z.1 = call i32(i64) returns_twice %q.1(%p.0)",
     {{"call i32(i64) returns_twice %q.1(%p.0)", "call i32(i64) returns_twice @setjmp(%p.0)"}}},
    // a call by name is none through a pointer, and none of another name
    {"0: %q.1 = addr @g\n1: %z.1 = call @g(%x.0)", {{"call @g(%x.0)", "call i32(i32) %q.1(%x.0)"}}},
    {"0: %q.1 = addr @g\n1: %z.1 = call @h(%x.0)", {{"call @h(%x.0)", "call @g(%x.0)"}}},
};

static void test_other_functions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Arena *arena = arena_new("calls");
        Verdict verdict = judge(arena, &others[i]);
        if (verdict.accepted) fail_msg("accepted: %s: %s", others[i].code, others[i].edits[0].to);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_function),
                                       cmocka_unit_test(test_other_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
