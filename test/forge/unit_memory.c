// Claims about the memory of a unit: the transform's claims are accepted, and claims that hope for
// more are not. Objects that are not hidden, parameters that are not plain, and functions that do
// more than is said of them, each in a program of its own; then every bit of the claims about a
// program is left out.
#include "analysis/unit/unit_facts.h"
#include "check/unit/check_unit.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Whether claims about a program are accepted, with all its functions; the reason if not.
static const char *refused(Arena *arena, Program *program, UnitMemory *claims) {
    program->unit = NULL;
    Verdict verdict = check_unit(arena, program, claims);
    for (uint32_t i = 0; verdict.accepted && i < program->symbols.count; i++)
        if (program->symbols.at[i].func)
            verdict = check_unit_function(arena, program->symbols.at[i].func);
    program->unit = NULL;
    return verdict.accepted ? NULL : verdict.reason;
}

static uint32_t symbol_of(Program *program, const char *name) {
    Sym symbol = program_find(program, str_of(&program->strings, name));
    assert_true(symbol.i != NO_ID);
    return symbol.i;
}

// ---- Hopes

enum { HOPED_FAMILY = 63 };

// What could be hoped about a program: H: the object h is hidden; P: the first parameter of p is
// plain; U: nobody unknown calls u; E, W, R, D: f has no effects, writes no hidden objects, reads
// none, calls less deep functions only. Accesses to what is hoped for are allowed for.
static void hope(UnitMemory *claims, Program *program, char what) {
    UnitSet hoped = (UnitSet)1 << HOPED_FAMILY;
    UnitEffect *f = &claims->effects.at[symbol_of(program, "f")];
    switch (what) {
    case 'H':
        claims->family_of.at[symbol_of(program, "h")] = HOPED_FAMILY;
        for (uint32_t i = 0; i < claims->effects.count; i++)
            claims->effects.at[i].writes |= hoped, claims->effects.at[i].reads |= hoped;
        claims->passed_read |= hoped, claims->passed_written |= hoped;
        break;
    case 'P':
        claims->params.at[claims->params_at[symbol_of(program, "p")]] =
            UNIT_PLAIN | UNIT_READ | UNIT_WRITTEN | UNIT_COMPARED;
        break;
    case 'U': claims->effects.at[symbol_of(program, "u")].effects &= ~(uint32_t)UNIT_EXPOSED; break;
    case 'E': f->effects &= UNIT_EXPOSED; break;
    case 'W': f->writes = 0; break;
    case 'R': f->reads = 0; break;
    case 'D': f->depth = 9; break;
    default: fail_msg("there is no hope %c", what);
    }
}

static bool is_found(const UnitMemory *claims, Program *program, char what) {
    switch (what) {
    case 'H': return claims->family_of.at[symbol_of(program, "h")] != UNIT_OPEN;
    case 'P': return claims->params.at[claims->params_at[symbol_of(program, "p")]] & UNIT_PLAIN;
    case 'U': return !(claims->effects.at[symbol_of(program, "u")].effects & UNIT_EXPOSED);
    case 'E': return !(claims->effects.at[symbol_of(program, "f")].effects & UNIT_EFFECTS);
    case 'W': return !claims->effects.at[symbol_of(program, "f")].writes;
    case 'R': return !claims->effects.at[symbol_of(program, "f")].reads;
    case 'D': return claims->effects.at[symbol_of(program, "f")].depth > 0;
    default: return false;
    }
}

#define H    "global @h size 40 align 8 static\n"
#define O    "extern function void @o(i64)\n"
#define X    "global @x size 8 align 8\n"
#define F(b) "function i64 @f(i64 %a, i64 %b) {\n" b "}\n"
#define P(b) "function i64 @p(i64 %a, i64 %b) static {\n" b "}\n"
#define CALL "0: %r = call @p(%a, %b)\n1: return %r\n"
#define ZERO "9: %z = const.i64 0\n10: return %z\n"

typedef struct {
    char hope;
    const char *text;
} Case;

// Claims that are right, and found.
static const Case right[] = {
    {'H', H F("0: %r = load.i64 [@h + 8]\n1: store.i64 [@h], %r\n2: return %r\n")},
    {'H', H F("0: %r = load.i64 [@h + %a*8]\n1: return %r\n")},
    {'H',
     H F("0: %p = addr @h + 8\n1: %p = add.i64 %p, %a\n2: %r = load.i64 [%p]\n3: return %r\n")},
    {'H', H F("0: %p = addr @h\n1: %q = sub.i64 %p, %a\n2: %r = load.i64 [%q]\n3: return %r\n")},
    {'H', H F("0: %p = addr @h\n1: if eq.i64 %p, 0 then 2 else 2\n2: return %a\n")},
    {'H', H F("0: %p = addr @h\n1: %r = call @p(%p, %b)\n2: return %r\n")
              P("0: %r = load.i64 [%a + %b*8]\n1: return %r\n")},
    {'P', F(CALL) P("0: if ne.i64 %a, 0 then 1 else 9\n1: store.i64 [%a], %b -> 9\n" ZERO)},
    {'P',
     F(CALL) P(
         "0: %r = call @q(%a, %b)\n1: return %r\n") "function i64 @q(i64 %a, i64 %b) static {\n0: "
                                                    "%r = load.i64 [%a]\n1: return %r\n}\n"},
    {'P', F(CALL) P("0: %r = call @p(%a, %b)\n1: return %r\n")},
    {'U', F("0: call @u()\n1: return %a\n") "function void @u() static {\n0: return\n}\n"},
    {'E',
     F("slot $s size 8 align 8\n0: store.i64 [$s], %a\n1: %r = load.i64 [$s]\n2: return %r\n")},
    {'E', F("slot $s size 8 align 8\n0: %p = addr $s\n1: %r = call @p(%p, %b)\n2: return %r\n")
              P("0: store.i64 [%a], %b\n1: return %b\n")},
    {'E', "global @c size 8 align 8 const = i64 5\n" F("0: %r = load.i64 [@c]\n1: return %r\n")},
    {'W', H F("0: %r = load.i64 [@h]\n1: return %r\n")},
    {'R', H F("0: store.i64 [@h], %a\n1: return %a\n")},
    {'D', F(CALL) P(ZERO)},
};

// Claims that are wrong.
static const Case wrong[] = {
    // the address is used by declarations
    {'H', H "global @x size 8 align 8 = addr @h\n" F(ZERO)},
    {'H', H "global @x size 8 align 8 static = addr @h + 8\n" F(ZERO)},
    {'H', H "alias @x = @h\n" F(ZERO)},
    {'H', H "asm \"movl $1, h(%rip)\"\n" F(ZERO)},
    {'H', H "asm \"movq $h, %rax\"\n" F(ZERO)},
    {'H', H "asm \"movq $h+8, %rax\"\n" F(ZERO)},
    {'H', H "asm 0 \"incl h(%rip)\"\n" F("0: asm_alone 0\n1: return %a\n")},
    {'H', H "asm \"movq $h$, %rax\"\n" F(ZERO)},
    {'H', H "asm \"movq $$$$$$$$$h, %rax\"\n" F(ZERO)},
    {'H', H "asm \".macro m x\\nincl \\\\x(%rip)\\n.endm\"\n" F(ZERO)},
    {'H', H "asm \"incl \\\"h\\\"(%rip)\"\n" F(ZERO)},
    {'H', "global @h size 8 align 8\n" F(ZERO)},
    {'H', "global @h size 8 align 8 weak\n" F(ZERO)},
    {'H', "global @h size 8 align 8 static used\n" F(ZERO)},
    {'H', "global @h size 8 align 8 static thread\n" F(ZERO)},
    {'H', "global @h size 8 align 8 static section \"set\"\n" F(ZERO)},
    {'H', "extern global @h size 8 align 8\n" F(ZERO)},
    {'H', "function void @h() static {\n0: return\n}\n" F(ZERO)},
    // an instruction makes the address known
    {'H', H X F("0: %p = addr @h\n1: store.i64 [@x], %p\n2: return %a\n")},
    {'H', H F("slot $s size 8 align 8\n0: %p = addr @h\n1: store.i64 [$s], %p\n2: return %a\n")},
    {'H', H F("0: %p = addr @h\n1: return %p\n")},
    {'H', H F("0: %p = addr @h + 8\n1: %p = add.i64 %p, %a\n2: return %p\n")},
    {'H', H O F("0: %p = addr @h\n1: call @o(%p)\n2: return %a\n")},
    {'H', H F("0: %p = addr @h\n1: if eq.i64 %p, %a then 2 else 2\n2: return %a\n")},
    {'H', H F("0: %p = addr @h\n1: %p = add.i64 %p, %a\n2: if eq.i64 %p, 0 then 3 else 3\n"
              "3: return %a\n")},
    {'H', H F("0: %p = addr @h + 40\n1: if eq.i64 %p, 0 then 2 else 2\n2: return %a\n")},
    {'H', H F("0: %p = addr @h\n1: if lt.i64 %p, 0 then 2 else 2\n2: return %a\n")},
    {'H', H F("0: %p = addr @h\n1: %q = mul.i64 %p, 1\n2: %r = load.i64 [%q]\n3: return %r\n")},
    {'H', H F("0: %p = addr @h\n1: %q = sub.i64 %a, %p\n2: %r = load.i64 [%q]\n3: return %r\n")},
    {'H', H F("0: %p = addr @h\n1: %q = add.i64 %p, %p\n2: %r = load.i64 [%q]\n3: return %r\n")},
    {'H', H F("0: %p = addr @h\n1: %r = load.i64 [%a + %p*1]\n2: return %r\n")},
    {'H', H F("slot $s size 8 align 8\n0: %p = addr @h\n1: %p = addr $s\n2: %r = load.i64 [%p]\n"
              "3: return %r\n")},
    {'H', H F("0: %r = volatile_load.i64 [@h]\n1: return %r\n")},
    {'H', H F("0: %p = addr @h\n1: volatile_store.i64 [%p], %a\n2: return %a\n")},
    {'H', H F("0: %r = atomic_load.i64 [@h] acquire\n1: return %r\n")},
    {'H', H F("0: %p = addr @h\n1: %q = add.i64 %p, %b\n2: if eq.i64 %q, 0 then 3 else 3\n"
              "3: return %b\n")},
    {'H', H F("0: %p = addr @h\n1: %q = and.i64 %p, %p\n2: %r = load.i64 [%q]\n3: return %r\n")},
    // registers that are carried on against the order of nodes: in a loop, and by many moves
    {'H', H X F("0: %q = const.i64 0\n1: store.i64 [@x], %q\n2: %q = move.i64 %p\n"
                "3: %p = addr @h -> 1\n")},
    {'H', H X F("reg i64 %k\n0: store.i64 [@x], %a1\n1: %a1 = move.i64 %a2\n2: %a2 = move.i64 %a3\n"
                "3: %a3 = move.i64 %a4\n4: %a4 = move.i64 %a5\n5: %a5 = move.i64 %a6\n"
                "6: %a6 = move.i64 %a7\n7: %a7 = move.i64 %a8\n8: %a8 = move.i64 %a9\n"
                "9: %a9 = move.i64 %b1\n10: %b1 = move.i64 %b2\n11: %b2 = move.i64 %b3\n"
                "12: %b3 = move.i64 %b4\n13: %b4 = addr @h -> 0\n")},
    // a parameter is not plain, or an address may be null
    {'H', H F("0: %p = addr @h\n1: %r = call @p(%p, %b)\n2: return %r\n") P("0: return %a\n")},
    {'H', H F("0: %p = addr @h + 40\n1: %r = call @p(%p, %b)\n2: return %r\n")
              P("0: if ne.i64 %a, 0 then 9 else 9\n" ZERO)},
    {'P', F(CALL) P("0: return %a\n")},
    {'P', X F(CALL) P("0: store.i64 [@x], %a\n1: return %b\n")},
    {'P', F(CALL) P("0: %r = load.i64 [%b + %a*1]\n1: return %r\n")},
    {'P', F(CALL) P("0: %a = add.i64 %a, 8\n1: if ne.i64 %a, 0 then 9 else 9\n" ZERO)},
    {'P', O F(CALL) P("0: call @o(%a)\n1: return %b\n")},
    {'P', F(CALL) P("0: %r = call i64(i64) %b(%a)\n1: return %r\n")},
    {'P', F(CALL) P("0: %r = call i64(i64) %a(%b)\n1: return %r\n")},
    {'P', F(CALL) P("0: %r = call @q(%a, %b)\n1: return %r\n") "function i64 @q(i64 %a, i64 %b) "
                                                               "static {\n0: return %a\n}\n"},
    {'P', F(CALL) P("0: %a = add.i64 %a, %a\n1: %r = load.i64 [%a]\n2: return %r\n")},
    {'P',
     H F(CALL) P("0: %q = addr @h\n1: %q = move.i64 %a\n2: %r = load.i64 [%q]\n3: return %r\n")},
    {'P', F(CALL) "asm 0 \"movq (%rdi), %rax\"\nfunction i64 @p(i64 %a, i64 %b) static naked {\n"
                  "0: asm_alone 0\n1: trap\n}\n"},
    // somebody unknown calls the function
    {'U', F("0: %p = addr @u\n1: return %p\n") "function void @u() static {\n0: return\n}\n"},
    {'U', F("0: call @u()\n1: return %a\n") "function void @u() {\n0: return\n}\n"},
    {'U', F(ZERO) "function void @u() static used {\n0: return\n}\n"},
    {'U', F(ZERO) "function void @u() static constructor 200 {\n0: return\n}\n"},
    {'U', F(ZERO) "function void @u() static {\n0: return\n}\nalias @v = @u\n"},
    {'U', F(ZERO) "function void @u() static {\n0: return\n}\nasm \"call u\"\n"},
    {'U',
     F(ZERO) "function void @u() static {\n0: return\n}\nglobal @t size 8 align 8 = addr @u\n"},
    {'U', F("0: %r = call i64(i64) @u(%a)\n1: return %r\n") "function i64 @u(i64 %a, i64 %b) "
                                                            "static {\n" ZERO "}\n"},
    {'U',
     F("0: call @u()\n1: return %a\n") "function void @u() static returns_twice {\n0: return\n}\n"},
    // a function does more
    {'E', X F("0: store.i64 [@x], %a\n1: return %a\n")},
    {'E', X F("0: %r = load.i64 [@x]\n1: return %r\n")},
    {'E', F("0: %q = load.i64 [%a]\n1: %r = load.i64 [%q]\n2: return %r\n")},
    {'E', H F("0: %q = load.i64 [%a]\n1: if eq.i64 %b, 1 then 2 else 3\n2: %q = addr @h\n"
              "3: %r = load.i64 [%q]\n4: return %r\n")},
    {'E', H F("0: %p = addr @h\n1: %q = move.i64 %p\n2: %r = load.i64 [%q]\n"
              "3: %p = load.i64 [@h + 8] -> 1\n")},
    {'E', F(CALL) P("0: check %b\n1: return %b\n")},
    {'E', O F("0: call @o(%a)\n1: return %a\n")},
    {'E', F("0: check %a\n1: return %a\n")},
    {'E', F("0: spin\n1: nop -> 0\n")},
    {'E', F("0: fence seq_cst\n1: return %a\n")},
    {'E', F("slot $s size 8 align 8\n0: %p = addr $s\n1: return %p\n")},
    {'E', X F(CALL) P("0: store.i64 [@x], %a\n1: return %a\n")},
    {'E', F("0: %q = load.i64 [%a]\n1: %r = call @p(%q, %b)\n2: return %r\n")
              P("0: store.i64 [%a], %b\n1: return %b\n")},
    {'W', H F("0: store.i64 [@h], %a\n1: %r = load.i64 [@h]\n2: return %r\n")},
    {'W', H F(CALL) P("0: store.i64 [@h], %a\n1: %r = load.i64 [@h]\n2: return %r\n")},
    {'W', H F("0: %p = addr @h\n1: %c = const.i32 0\n2: memset %p, %c, 8\n"
              "3: %r = load.i64 [@h]\n4: return %r\n")},
    {'R', H F("0: %p = addr @h\n1: memcpy %a, %p, 8\n2: store.i64 [@h], %b\n3: return %b\n")},
    {'R', H F(CALL) P("0: store.i64 [@h], %a\n1: %r = load.i64 [@h]\n2: return %r\n")},
    // a callback that sets a static
    {'W', H O F("0: call @o(%a)\n1: %r = load.i64 [@h]\n2: return %r\n") "function void @s(i64 %a) "
                                                                         "{\n0: store.i64 [@h], "
                                                                         "%a\n1: return\n}\n"},
    {'W',
     H O F(
         "0: %p = addr @s\n1: call @o(%p)\n2: %r = load.i64 [@h]\n3: return %r\n") "function void "
                                                                                   "@s(i64 %a) "
                                                                                   "static {\n0: "
                                                                                   "store.i64 "
                                                                                   "[@h], %a\n1: "
                                                                                   "return\n}\n"},
    {'W', H F("0: fence seq_cst\n1: %r = load.i64 [@h]\n2: return %r\n") "function void @s(i64 %a) "
                                                                         "{\n0: store.i64 [@h], "
                                                                         "%a\n1: return\n}\n"},
    // an object that is passed is accessed by a function that does not name it
    {'W', H F("0: %r = call @p(%a, %b)\n1: %p = addr @h\n2: %r = call @p(%p, %b)\n3: return %r\n")
              P("0: store.i64 [%a], %b\n1: %r = load.i64 [@h]\n2: return %r\n")},
    // a function is called as it is not defined
    {'W', H F("0: %r = call i64(i64) @p(%a)\n1: %r = load.i64 [@h]\n2: return %r\n")
              P("0: store.i64 [@h], %b\n1: return %b\n")},
    // recursion
    {'D', F("0: %r = call @f(%a, %b)\n1: return %r\n")},
    {'D', F(CALL) P("0: %r = call @f(%a, %b)\n1: return %r\n")},
    {'D', O F("0: call @o(%a)\n1: return %a\n")},
};

// ---- What follows about calls

typedef struct {
    bool removable; // the only call of f
    bool writes;    // it writes a hidden object
    Effects effects;
    uint32_t param; // UNIT_ bits of its first argument
    const char *text;
} CallCase;

static const CallCase calls[] = {
    {true, false, MAY_GO_WRONG, UNIT_PLAIN | UNIT_READ,
     F(CALL) P("0: %r = load.i64 [%a]\n1: return %r\n")},
    {false, false, MAY_GO_WRONG, UNIT_PLAIN | UNIT_WRITTEN,
     F(CALL) P("0: store.i64 [%a], %b\n1: return %b\n")},
    {false, true, MAY_GO_WRONG, UNIT_PLAIN, H F(CALL) P("0: store.i64 [@h], %b\n1: return %b\n")},
    {true, false, MAY_GO_WRONG, 0, F(CALL) P("0: return %a\n")},
    {false, false, MAY_GO_WRONG | MAY_STOP, UNIT_PLAIN, F(CALL) P("0: check %b\n1: return %b\n")},
    {false, false, MAY_GO_WRONG | MAY_STOP, UNIT_PLAIN,
     F(CALL) P("0: %r = call @p(%a, %b)\n1: return %r\n")},
    {false, false, MAY_GO_WRONG | MAY_SPIN, UNIT_PLAIN, F(CALL) P("0: spin -> 0\n")},
    {false, false, MAY_GO_WRONG | MAY_READ_SHARED | MAY_WRITE_SHARED, UNIT_PLAIN,
     X F(CALL) P("0: %r = load.i64 [@x]\n1: store.i64 [@x], %b\n2: return %b\n")},
    {false, true, MAY_BE_ANYTHING | MAY_BE_EVENT | USES_MACHINE, 0,
     H F("0: call @u(%a)\n1: return %b\n") "function void @u(i64 %a) weak {\n0: return\n}\n"
                                           "function void @s(i64 %a) {\n0: store.i64 [@h], %a\n1: "
                                           "return\n}\n"},
    {false, true, MAY_BE_ANYTHING | MAY_BE_EVENT | USES_MACHINE, 0,
     H O F("0: call @o(%a)\n1: return %b\n") "function void @s(i64 %a) {\n0: store.i64 [@h], "
                                             "%a\n1: return\n}\n"},
    {false, true, MAY_BE_ANYTHING | MAY_BE_EVENT | USES_MACHINE, 0,
     H F("0: %r = call i64(i64) @p(%a)\n1: return %b\n")
         P("0: store.i64 [@h], %b\n1: return %b\n") "function void @s(i64 %a) {\n0: store.i64 "
                                                    "[@h], %a\n1: return\n}\n"},
};

static void test_calls(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        Arena *arena = arena_new("unit");
        const CallCase *it = &calls[i];
        const Func *func = forge_parse(arena, FORM_RTL, it->text);
        Program *program = func->program;
        const Instr *call = &func->nodes.at[0];
        assert_false(unit_call_is_removable(program, call));
        assert_int_equal(unit_instr_effects(program, call), instr_effects(call));
        UnitMemory *claims = unit_facts_of(arena, program);
        assert_null(refused(arena, program, claims));
        program->unit = claims;
        if (unit_call_is_removable(program, call) != it->removable ||
            (unit_writes(program, call) != 0) != it->writes ||
            unit_instr_effects(program, call) != it->effects ||
            unit_param(program, call, 0) != it->param)
            fail_msg("%d %x %x\n%s", unit_call_is_removable(program, call),
                     unit_instr_effects(program, call), unit_param(program, call, 0), it->text);
        assert_int_equal(unit_param(program, call, 9), 0);
        arena_free(arena);
    }
}

static void test_objects(void **state) {
    (void)state;
    Arena *arena = arena_new("unit");
    const char *text = "global @r size 8 align 8 static\nglobal @w size 8 align 8 static\n"
                       "global @h size 8 align 8 static\n" X F(
                           "0: %r = load.i64 [@r]\n1: store.i64 [@w], %a\n2: store.i64 [@h], %r\n"
                           "3: %r = load.i64 [@h]\n4: %r = load.i64 [@x]\n5: return %r\n");
    Program *program = forge_parse(arena, FORM_RTL, text)->program;
    Sym r = {symbol_of(program, "r")}, w = {symbol_of(program, "w")}, h = {symbol_of(program, "h")},
        x = {symbol_of(program, "x")};
    assert_false(unit_keeps_contents(program, r) || unit_is_unread(program, w));
    UnitMemory *claims = unit_facts_of(arena, program);
    assert_null(refused(arena, program, claims));
    program->unit = claims;
    assert_true(unit_keeps_contents(program, r) && unit_is_unread(program, w));
    assert_false(unit_is_unread(program, r) || unit_keeps_contents(program, w));
    assert_false(unit_is_unread(program, h) || unit_keeps_contents(program, h));
    assert_false(unit_is_unread(program, x) || unit_keeps_contents(program, x));
    // Claims that are not as long as they must be.
    claims->family_of.count--;
    assert_non_null(refused(arena, program, claims));
    claims->family_of.count++;
    claims->effects.count--;
    assert_non_null(refused(arena, program, claims));
    claims->effects.count++;
    claims->family_of.at[h.i] = UNIT_FAMILIES;
    assert_non_null(refused(arena, program, claims));
    arena_free(arena);
}

static void test_right(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        Arena *arena = arena_new("unit");
        Program *program = forge_parse(arena, FORM_RTL, right[i].text)->program;
        UnitMemory *claims = unit_facts_of(arena, program);
        if (!claims) continue; // they would be of no use
        const char *reason = refused(arena, program, claims);
        if (reason) fail_msg("%c: %s\n%s", right[i].hope, reason, right[i].text);
        if (!is_found(claims, program, right[i].hope))
            fail_msg("%c is not found\n%s", right[i].hope, right[i].text);
        arena_free(arena);
    }
}

static void test_wrong(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Arena *arena = arena_new("unit");
        // A call of a static function makes claims useful.
        const char *text =
            arena_printf(arena,
                         "%sfunction void @n() static {\n0: return\n}\nfunction void @m() {\n"
                         "0: call @n()\n1: return\n}\n",
                         wrong[i].text);
        Program *program = forge_parse(arena, FORM_RTL, text)->program;
        UnitMemory *claims = unit_facts_of(arena, program);
        const char *reason = refused(arena, program, claims);
        if (reason) fail_msg("%c: %s\n%s", wrong[i].hope, reason, text);
        hope(claims, program, wrong[i].hope);
        reason = refused(arena, program, claims);
        if (!reason) fail_msg("%c is accepted\n%s", wrong[i].hope, text);
        arena_free(arena);
    }
}

// ---- Every bit

#define ALL                                                                                        \
    H O X "global @k size 8 align 8 static = i64 4\nglobal @l size 8 align 8 static\n"             \
          "function i64 @f(i64 %a, i64 %b) {\nslot $s size 8 align 8\n0: store.i64 [$s], %a\n"     \
          "1: %p = addr $s\n2: %r = call @p(%p, %b)\n3: call @o(%r)\n4: %q = addr @l\n"            \
          "5: %r = call @p(%q, %r)\n6: %t = call @q(%b)\n7: return %t\n}\n"                        \
          "function i64 @p(i64 %a, i64 %b) static {\n0: if ne.i64 %a, 0 then 1 else 4\n"           \
          "1: %r = load.i64 [%a]\n2: store.i64 [%a], %b\n3: store.i64 [@h], %r\n4: %r = load.i64 " \
          "[@k]\n"                                                                                 \
          "5: return %r\n}\n"                                                                      \
          "function i64 @q(i64 %b) static {\n0: %r = load.i64 [@h]\n1: check %r\n"                 \
          "2: %s = load.i64 [@x]\n3: store.i64 [@x], %r\n4: %u = call @t(%b)\n5: return %u\n}\n"   \
          "function i64 @v(i64 %a, i64 %b) static {\n0: %r = call @p(%a, %b)\n1: return %r\n}\n"   \
          "function i64 @t(i64 %a) static {\n0: %r = load.i64 [@k]\n1: return %r\n}\n"

static uint32_t without_bit(Arena *arena, Program *program, UnitMemory *claims, void *at,
                            size_t width) {
    uint32_t accepted = 0;
    uint8_t *bytes = at;
    for (size_t bit = 0; bit < 8 * width; bit++) {
        if (!(bytes[bit / 8] >> bit % 8 & 1)) continue;
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        accepted += !refused(arena, program, claims);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    return accepted;
}

// No claim is larger than needed, so each bit of what may happen is needed.
static void test_bits(void **state) {
    (void)state;
    Arena *arena = arena_new("unit");
    Program *program = forge_parse(arena, FORM_RTL, ALL)->program;
    UnitMemory *claims = unit_facts_of(arena, program);
    assert_null(refused(arena, program, claims));
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        UnitEffect *effect = &claims->effects.at[i];
        if (!program->symbols.at[i].func) continue;
        accepted += without_bit(arena, program, claims, &effect->writes, sizeof effect->writes);
        accepted += without_bit(arena, program, claims, &effect->reads, sizeof effect->reads);
        accepted += without_bit(arena, program, claims, &effect->effects, sizeof effect->effects);
    }
    accepted += without_bit(arena, program, claims, &claims->passed_read, 8);
    accepted += without_bit(arena, program, claims, &claims->passed_written, 8);
    for (uint32_t i = 0; i < claims->params.count; i++) {
        uint8_t *bits = &claims->params.at[i], was = *bits;
        for (uint8_t bit = UNIT_READ; bit <= UNIT_COMPARED; bit <<= 1) {
            if (!(was & UNIT_PLAIN) || !(was & bit)) continue;
            *bits = was ^ bit;
            accepted += !refused(arena, program, claims);
            *bits = was;
        }
    }
    assert_int_equal(accepted, 0);
    claims->params.count--;
    assert_non_null(refused(arena, program, claims));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right), cmocka_unit_test(test_wrong),   cmocka_unit_test(test_bits),
        cmocka_unit_test(test_calls), cmocka_unit_test(test_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
