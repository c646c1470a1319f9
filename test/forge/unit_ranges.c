// Claims about ranges and about addresses that functions yield: the transform finds them, and a
// claim that is smaller, or is about something of which nothing can be claimed, is refused.
#include "analysis/unit/unit_facts.h"
#include "check/unit/check_unit.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The claims about a program, or NULL if they are refused.
static const char *refused(Arena *arena, Program *program, UnitMemory *claims) {
    program->unit = NULL;
    Verdict verdict = check_unit(arena, program, claims);
    for (uint32_t i = 0; verdict.accepted && i < program->symbols.count; i++)
        if (program->symbols.at[i].func)
            verdict = check_unit_function(arena, program->symbols.at[i].func);
    program->unit = NULL;
    return verdict.accepted ? NULL : verdict.reason;
}

static Sym symbol_of(Program *program, const char *name) {
    Sym symbol = program_find(program, str_of(&program->strings, name));
    assert_true(symbol.i != NO_ID);
    return symbol;
}

// What a claim is about: P: the first parameter of p; R: the result of p; H: the object h.
static uint32_t thing(const UnitMemory *claims, Program *program, char what) {
    if (what == 'H') return unit_of_object(claims, symbol_of(program, "h"));
    Sym p = symbol_of(program, "p");
    return what == 'P' ? unit_of_param(claims, p, 0) : unit_of_result(claims, p);
}

static int by_thing(const void *a, const void *b) {
    const UnitRange *x = a, *y = b;
    return x->of < y->of ? -1 : x->of > y->of;
}

// The claim becomes another; NO_ID as `low`: there is none.
static void claim(Arena *arena, UnitMemory *claims, uint32_t of, Range range) {
    uint32_t at = claims->range_at[of];
    if (at == NO_ID) {
        at = claims->ranges.count;
        vec_push(arena, &claims->ranges, (UnitRange){.of = of});
    }
    claims->ranges.at[at].range = range;
    qsort(claims->ranges.at, claims->ranges.count, sizeof *claims->ranges.at, by_thing);
}

#define H     "global @h size 4 align 4 static = i32 5\n"
#define F(b)  "global @x size 8 align 8\nfunction i32 @f(i32 %a, i64 %b) {\n  reg i32 %q\n" b "}\n"
#define P(b)  "function i32 @p(i32 %a, i64 %b) static {\n  reg i32 %q\n" b "}\n"
#define G(b)  "function void @g(i32 %a) {\n" b "}\n"
#define CALL  "0: %r = call @p(%a, %b)\n1: return %r\n"
#define SEVEN "0: %q = and.i32 %a, 7\n1: %r = call @p(%q, %b)\n2: return %r\n"
#define SAME  "0: return %a\n"

typedef struct {
    char what;
    uint64_t low, high; // what is found, of 32 bits; low 1 and high 0: nothing
    const char *text;
} Found;

static const Found found[] = {
    {'P', 0, 7, F(SEVEN) P(SAME)},
    {'R', 0, 7, F(SEVEN) P(SAME)},
    {'P', 3, 3, F("0: %q = const.i32 3\n1: %r = call @p(%q, %b)\n2: return %r\n") P(SAME)},
    // several calls, several values, a call of itself
    {'P', 3, 5,
     F("0: %q = const.i32 3\n1: %r = call @p(%q, %b)\n2: %q = const.i32 5\n"
       "3: %s = call @p(%q, %b)\n4: return %r\n") P(SAME)},
    {'P', 3, 3,
     F("0: %q = const.i32 3\n1: %r = call @p(%q, %b)\n2: return %r\n")
         P("0: %r = call @p(%a, %b)\n1: return %r\n")},
    {'R', 3, 9,
     F(CALL) P("0: if eq.i32 %a, 0 then 1 else 3\n1: %q = const.i32 3\n2: return %q\n"
               "3: %q = const.i32 9\n4: return %q\n")},
    {'H', 5, 9,
     H F("0: %q = const.i32 9\n1: store.i32 [@h], %q\n2: %r = load.i32 [@h]\n"
         "3: return %r\n")},
    {'H', 0, 7,
     H F("0: %q = and.i32 %a, 7\n1: store.i32 [@h], %q\n2: %r = load.i32 [@h]\n"
         "3: return %r\n")},
    {'H', 0, 255,
     "global @h size 1 align 1 static\n" F(
         "0: store.u8 [@h], %a\n1: %r = load.u8 [@h]\n2: return %r\n")},
    // nothing
    {'P', 1, 0, F(CALL) P(SAME)},
    {'P', 1, 0, F("0: %q = add.i32 %q, 1\n1: %r = call @p(%q, %b)\n2: return %r\n") P(SAME)},
    {'P', 1, 0, F("0: %r = call @p(%q, %b)\n1: return %r\n") P(SAME)},
    {'P', 1, 0, F(SEVEN) "alias @v = @p\n" P(SAME)},
    {'P', 1, 0,
     F("0: %q = and.i32 %a, 7\n1: %r = call @p(%q, %b)\n2: %t = addr @p\n"
       "3: store.i64 [@x], %t\n4: return %r\n") P(SAME)},
    {'H', 1, 0, H F("0: store.u8 [@h], %a\n1: return %a\n")},
    {'H', 1, 0, H F("0: %t = addr @h\n1: %q = const.i32 7\n2: store.i32 [%t], %q\n3: return %a\n")},
    {'H', 1, 0, H F("0: %t = addr @h\n1: %q = const.i32 0\n2: memset %t, %q, 4\n3: return %a\n")},
    {'H', 1, 0,
     "global @h size 8 align 8 static = addr @x\n" F(
         "0: %t = const.i64 7\n1: store.i64 [@h], %t\n2: return %a\n")},
};

static void test_found(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        Arena *arena = arena_new("ranges");
        const Found *it = &found[i];
        Program *program = forge_parse(arena, FORM_RTL, it->text)->program;
        UnitMemory *claims = unit_facts_of(arena, program);
        assert_non_null(claims);
        const char *reason = refused(arena, program, claims);
        if (reason) fail_msg("%s\n%s", reason, it->text);
        const Range *range = unit_range(claims, thing(claims, program, it->what));
        if (!range != (it->low > it->high)) fail_msg("%p\n%s", (const void *)range, it->text);
        if (range && (range->low != it->low || range->high != it->high))
            fail_msg("%llu %llu\n%s", (unsigned long long)range->low,
                     (unsigned long long)range->high, it->text);
        arena_free(arena);
    }
}

// ---- Claims that hope for more

typedef struct {
    char what;
    uint64_t low, high;
    const char *text;
} Hoped;

static const Hoped hoped[] = {
    // too small
    {'P', 0, 6, F(SEVEN) P(SAME)},
    {'P', 1, 7, F(SEVEN) P(SAME)},
    {'R', 0, 6, F(SEVEN) P(SAME)},
    {'P', 0, 7, F(CALL) P(SAME)},
    {'P', 3, 4,
     F("0: %q = const.i32 3\n1: %r = call @p(%q, %b)\n2: %q = const.i32 5\n"
       "3: %s = call @p(%q, %b)\n4: return %r\n") P(SAME)},
    {'P', 3, 3,
     F("0: %q = const.i32 3\n1: %r = call @p(%q, %b)\n2: return %r\n")
         P("0: %q = add.i32 %a, 1\n1: %r = call @p(%q, %b)\n2: return %r\n")},
    {'P', 0, 0, F("0: %r = call @p(%q, %b)\n1: return %r\n") P(SAME)},
    {'R', 0, 1, F(CALL) P("0: %q = add.i32 %q, 1\n1: return %q\n")},
    {'H', 6, 9, H F("0: %q = const.i32 9\n1: store.i32 [@h], %q\n2: return %q\n")},
    {'H', 5, 8, H F("0: %q = const.i32 9\n1: store.i32 [@h], %q\n2: return %q\n")},
    {'H', 0, 127, "global @h size 1 align 1 static\n" F("0: store.u8 [@h], %a\n1: return %a\n")},
    // not all calls are known
    {'P', 0, 7, F(SEVEN) "alias @v = @p\n" P(SAME)},
    {'P', 0, 7, F(SEVEN) "global @v size 8 align 8 = addr @p\n" P(SAME)},
    {'P', 0, 7,
     F("0: %q = and.i32 %a, 7\n1: %r = call @p(%q, %b)\n2: %t = addr @p\n"
       "3: store.i64 [@x], %t\n4: return %r\n") P(SAME)},
    {'P', 0, 7, F(SEVEN) "function i32 @p(i32 %a, i64 %b) {\n0: return %a\n}\n"},
    {'P', 0, 7, F(SEVEN) "function i32 @p(i32 %a, i64 %b) static used {\n0: return %a\n}\n"},
    {'P', 0, 7, F("0: %q = and.i32 %a, 7\n1: %r = call i32(i32) @p(%q)\n2: return %r\n") P(SAME)},
    {'R', 0, 7,
     F(CALL) "asm 0 \"movl $9, %eax\"\nfunction i32 @p(i32 %a, i64 %b) static naked {\n"
             "0: asm_alone 0\n1: trap\n}\n"},
    // others write the object, or parts of it, or write it by an address
    {'H', 0, 7, "global @h size 4 align 4 = i32 5\n" F(SAME)},
    {'H', 0, 9, H F("0: store.u8 [@h], %a\n1: return %a\n")},
    {'H', 0, 9, H F("0: %q = const.i32 1\n1: store.u8 [@h + 1], %q\n2: return %a\n")},
    {'H', 0, 9, H F("0: %q = const.i32 1\n1: store.i32 [@h + %b*1], %q\n2: return %a\n")},
    {'H', 0, 9, H F("0: %t = addr @h\n1: store.i32 [%t], %a\n2: return %a\n")},
    {'H', 0, 9, H F("0: %t = addr @h\n1: %q = const.i32 9\n2: store.i32 [%t], %q\n3: return %a\n")},
    {'H', 0, 9, H F("0: %t = addr @h\n1: %q = const.i32 1\n2: memset %t, %q, 4\n3: return %a\n")},
    {'H', 0, 9, H F("0: %t = addr @h\n1: memcpy %t, %b, 4\n2: return %a\n")},
    {'H', 0, 9,
     H F("0: %t = addr @h\n1: %r = call @p(%a, %t)\n2: return %a\n")
         P("0: store.i32 [%b], %a\n1: return %a\n")},
    {'H', 0, 9, H F("0: %t = addr @h\n1: store.i64 [@x], %t\n2: return %a\n")},
    {'H', 0, 9, "global @h size 12 align 4 static\n" F("0: store.i32 [@h], %a\n1: return %a\n")},
    {'H', 0, 9, "function void @h() static {\n0: return\n}\n" F(SAME)},
};

static void test_hoped(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hoped / sizeof *hoped; i++) {
        Arena *arena = arena_new("ranges");
        const Hoped *it = &hoped[i];
        const char *text = arena_printf(arena,
                                        "%sfunction void @n() static {\n0: return\n}\n"
                                        "function void @m() {\n0: call @n()\n1: return\n}\n",
                                        it->text);
        Program *program = forge_parse(arena, FORM_RTL, text)->program;
        UnitMemory *claims = unit_facts_of(arena, program);
        const char *reason = refused(arena, program, claims);
        if (reason) fail_msg("%s\n%s", reason, text);
        Range range = range_full(32);
        range.low = it->low, range.high = it->high;
        claim(arena, claims, thing(claims, program, it->what), range);
        if (!refused(arena, program, claims)) fail_msg("accepted: %c\n%s", it->what, text);
        arena_free(arena);
    }
}

// ---- Claims that are none

static void test_shape(void **state) {
    (void)state;
    Arena *arena = arena_new("ranges");
    Program *program = forge_parse(arena, FORM_RTL, H F(SEVEN) P(SAME) G("0: return\n"))->program;
    UnitMemory *claims = unit_facts_of(arena, program);
    assert_null(refused(arena, program, claims));
    uint32_t count = claims->ranges.count;
    uint32_t at = claims->range_at[unit_of_result(claims, symbol_of(program, "f"))];
    UnitRange was = claims->ranges.at[at], *it = &claims->ranges.at[at];
    // larger is right
    it->range.high = 100;
    assert_null(refused(arena, program, claims));
    // no range of the type
    it->range = range_full(64);
    assert_non_null(refused(arena, program, claims));
    it->range = was.range;
    it->range.low = 9;
    assert_non_null(refused(arena, program, claims));
    it->range = was.range;
    it->range.zeros = UINT64_MAX << 32;
    assert_non_null(refused(arena, program, claims));
    // nothing is said of defined bits
    it->range = was.range;
    it->range.defined = 1;
    assert_non_null(refused(arena, program, claims));
    it->range = was.range;
    // about nothing, or twice, or out of order
    it->of = unit_of_count(claims);
    assert_non_null(refused(arena, program, claims));
    it->of = unit_of_result(claims, symbol_of(program, "g")); // yields nothing
    assert_non_null(refused(arena, program, claims));
    it->of = unit_of_result(claims, symbol_of(program, "x"));
    assert_non_null(refused(arena, program, claims));
    it->of = was.of;
    vec_push(arena, &claims->ranges, was);
    assert_non_null(refused(arena, program, claims));
    claims->ranges.count = count;
    assert_null(refused(arena, program, claims));
    arena_free(arena);
}

// ---- Addresses that are yielded

#define Y      "global @h size 8 align 8 static\n"
#define Q(b)   "function i64 @q(i64 %b) static {\n" b "}\n"
#define YIELDS "0: %t = addr @h\n1: return %t\n"
#define USES                                                                                       \
    "0: %t = call @q(%b)\n1: store.i32 [%t + 4], %a\n2: %r = load.i32 [@h + 4]\n3: return %r\n"

static const struct {
    bool right;
    const char *text;
} yielded[] = {
    {true, Y F(USES) Q(YIELDS)},
    {true, Y F(USES) Q("0: if eq.i64 %b, 0 then 1 else 3\n1: %t = addr @h + 4\n2: return %t\n"
                       "3: return %b\n")},
    {true,
     Y F("0: %t = call @q(%b)\n1: %r = load.i32 [%t]\n2: return %r\n") Q(
         "0: %t = call @s(%b)\n1: %t = add.i64 %t, %b\n2: return %t\n") "function i64 @s(i64 %b) "
                                                                        "static {\n" YIELDS "}\n"},
    // others call the function, or the caller makes the address known
    {false, Y F(USES) "function i64 @q(i64 %b) {\n" YIELDS "}\n"},
    {false, Y F(USES) Q(YIELDS) "global @z size 8 align 8 = addr @q\n"},
    {false, Y F("0: %t = call i64(i32) @q(%a)\n1: return %a\n") Q(YIELDS)},
    {false, Y F("0: %t = call @q(%b)\n1: store.i64 [@x], %t\n2: return %a\n") Q(YIELDS)},
    {false, Y F("0: %t = call @q(%b)\n1: %t = mul.i64 %t, %b\n2: return %a\n") Q(YIELDS)},
    {false, Y F("0: %t = call @q(%b)\n1: if eq.i64 %t, 0 then 2 else 2\n2: return %a\n") Q(YIELDS)},
    {false, Y F("0: %t = call @q(%b)\n1: return %a\n")
                Q("0: %t = addr @h\n1: store.i64 [@x], %t\n2: return %t\n")},
};

enum { HOPED_FAMILY = 63 };

// It is hoped that h is hidden, and that q yields it.
static void hope(UnitMemory *claims, Program *program) {
    UnitSet family = (UnitSet)1 << HOPED_FAMILY;
    claims->family_of.at[symbol_of(program, "h").i] = HOPED_FAMILY;
    claims->effects.at[symbol_of(program, "q").i].yields = symbol_of(program, "h").i + 1;
    for (uint32_t i = 0; i < claims->effects.count; i++)
        claims->effects.at[i].writes |= family, claims->effects.at[i].reads |= family;
    claims->passed_read |= family, claims->passed_written |= family;
}

static void test_yielded(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof yielded / sizeof *yielded; i++) {
        Arena *arena = arena_new("ranges");
        Program *program = forge_parse(arena, FORM_RTL, yielded[i].text)->program;
        UnitMemory *claims = unit_facts_of(arena, program);
        assert_non_null(claims);
        const char *reason = refused(arena, program, claims);
        if (reason) fail_msg("%s\n%s", reason, yielded[i].text);
        bool hidden = claims->family_of.at[symbol_of(program, "h").i] != UNIT_OPEN;
        if (hidden != yielded[i].right) fail_msg("hidden: %d\n%s", hidden, yielded[i].text);
        hope(claims, program);
        if (!refused(arena, program, claims) != yielded[i].right)
            fail_msg("accepted: %d\n%s", !yielded[i].right, yielded[i].text);
        if (!yielded[i].right) continue;
        // Nobody says that the function yields the object, or that it yields something that exists.
        claims->effects.at[symbol_of(program, "q").i].yields = 0;
        if (!refused(arena, program, claims)) fail_msg("accepted\n%s", yielded[i].text);
        claims->effects.at[symbol_of(program, "q").i].yields = program->symbols.count + 1;
        assert_non_null(refused(arena, program, claims));
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found), cmocka_unit_test(test_hoped),
                                       cmocka_unit_test(test_shape),
                                       cmocka_unit_test(test_yielded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
