// Forged slices: nodes left out that matter, code and hints that were tampered with. All of them
// are well-formed, so that nothing but the checker stands in their way. Beside them, slices that
// look alike and are right.
#include "check/slice/check_slice.h"
#include "slice/slice_hint.h"
#include "test/gen/forge.h"
#include "test/gen/slice_cut.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_DROPPED = 24 };

typedef struct {
    Arena *arena;
    Program *before, *after;
    const Func *func; // of `before`
    SliceHint *hint;
} Slice;

static Program *parse(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, FORM_RTL, "example", text, strlen(text));
    diag_free(&diag);
    if (!program) fail_msg("this cannot be read:\n%s", text);
    Complaints complaints = {.arena = arena};
    if (!verify_program(&complaints, program))
        fail_msg("%s: %s\n%s", complaints.list.at[0].rule, complaints.list.at[0].message, text);
    return program;
}

static Sym symbol_of(const Program *program, const char *name) {
    Sym symbol = program_find(program, str_of((StrTable *)&program->strings, name));
    if (symbol.i == NO_ID) fail_msg("there is no symbol %s", name);
    return symbol;
}

// The variables of a name: a register, a slot, a symbol, one of the world's.
static void add_points(Slice *slice, Node node, const char *name, SliceRequest *request) {
    SliceCalls calls = slice_calls_of(slice->arena, slice->before);
    SliceVariables variables = slice_variables_of(slice->arena, slice->func, &calls);
    VEC(SlicePoint) points = {0};
    for (uint32_t v = 0; v < variables.count; v++) {
        Out text = {0};
        slice_variable_print(&text, &variables, v);
        out_char(&text, '\0');
        size_t length = strlen(name);
        if (strncmp(text.text, name, length) == 0 &&
            (text.text[length] == '\0' || text.text[length] == '['))
            vec_push(slice->arena, &points, (SlicePoint){node, v});
        out_free(&text);
    }
    if (!points.count) fail_msg("there is no variable %s", name);
    request->points = points.at;
    request->point_count = points.count;
}

// ---- Nodes that are left out

// The function f of a text, of which these nodes are left out, if what is asked for is a variable
// at a node.
typedef struct {
    const char *what;
    const char *text;
    uint32_t node;
    const char *variable;
    const char *dropped; // "3 4 7"
    const char *reason;  // NULL: it is accepted
} DropCase;

static Bits all_but(Arena *arena, const Func *func, const char *dropped) {
    Bits kept = bits_new(arena, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) bits_add(&kept, n);
    for (char *end; *dropped; dropped = end + (*end == ' '))
        bits_remove(&kept, (uint32_t)strtoul(dropped, &end, 10));
    return kept;
}

static Slice make_slice(const char *text, uint32_t node, const char *variable,
                        const char *dropped) {
    Slice slice = {.arena = arena_new("slice")};
    slice.before = parse(slice.arena, text);
    Sym symbol = symbol_of(slice.before, "f");
    slice.func = program_at(slice.before, symbol)->func;
    Bits kept = all_but(slice.arena, slice.func, dropped);
    SliceRequest request = {.symbol = symbol, .kept = &kept};
    add_points(&slice, (Node){node}, variable, &request);
    slice.after = program_twin(slice.arena, slice.before);
    SliceHint *first = slice_hint_make(slice.arena, slice.before, slice.after, &request, 1);
    Random random = random_from(node + strlen(dropped));
    slice_cut(slice.arena, &random, slice.after, symbol, first->functions.at[0].next.at);
    slice.hint = slice_hint_make(slice.arena, slice.before, slice.after, &request, 1);
    return slice;
}

static Verdict check(Slice *slice) {
    Complaints complaints = {.arena = slice->arena};
    if (!verify_program(&complaints, slice->after))
        fail_msg("%s: %s", complaints.list.at[0].rule, complaints.list.at[0].message);
    return check_slice(slice->arena, slice->before, slice->after, slice->hint);
}

// Whether a text has one of the fragments, which are parted by bars.
static bool has_one(const char *text, const char *fragments) {
    for (const char *at = fragments;;) {
        size_t length = strcspn(at, "|");
        char fragment[80] = {0};
        memcpy(fragment, at, length < 79 ? length : 79);
        if (strstr(text, fragment)) return true;
        if (!at[length]) return false;
        at += length + 1;
    }
}

// A NULL reason: it is accepted.
static void expect(Slice *slice, const char *what, const char *reason) {
    Verdict verdict = check(slice);
    if (verdict.accepted && reason) fail_msg("%s: accepted", what);
    if (!verdict.accepted && !reason) fail_msg("%s: rejected: %s", what, verdict.reason);
    if (reason && !has_one(verdict.reason, reason))
        fail_msg("%s: rejected for another reason: %s", what, verdict.reason);
    arena_free(slice->arena);
}

// A loop that sums up, with a product, an array and output that have nothing to do with the sum,
// and a switch behind it.
#define LOOP                                                                                       \
    "extern function i32 @putchar(i32)\n"                                                          \
    "global @g size 4 align 4\n"                                                                   \
    "global @k size 4 align 4 static = i32 5\n"                                                    \
    "global @m size 4 align 4 static = i32 5\n"                                                    \
    "function i32 @pure(i32 %x) static {\n"                                                        \
    "  0: %y = mul.i32 %x, 3\n"                                                                    \
    "  1: return %y\n"                                                                             \
    "}\n"                                                                                          \
    "function void @setter(i32 %x) static {\n"                                                     \
    "  0: store.i32 [@g], %x\n"                                                                    \
    "  1: return\n"                                                                                \
    "}\n"                                                                                          \
    "function i32 @f(i32 %n, i32 %z) {\n"                                                          \
    "  slot $s size 8 align 4\n"                                                                   \
    "  slot $u size 8 align 4\n"                                                                   \
    "  0: %sum = const.i32 0\n"                                                                    \
    "  1: %prod = const.i32 1\n"                                                                   \
    "  2: %i = const.i32 0\n"                                                                      \
    "  3: store.i32 [$s], %sum\n"                                                                  \
    "  4: store.i32 [$s + 4], %prod\n"                                                             \
    "  5: store.i32 [$u], %prod\n"                                                                 \
    "  6: if lt.i32 %i, %n then 7 else 16\n"                                                       \
    "  7: %sum = add.i32 %sum, %i\n"                                                               \
    "  8: %prod = mul.i32 %prod, 3\n"                                                              \
    "  9: %t = load.i32 [$s]\n"                                                                    \
    "  10: %t = add.i32 %t, %sum\n"                                                                \
    "  11: store.i32 [$s], %t\n"                                                                   \
    "  12: store.i32 [$s + 4], %prod\n"                                                            \
    "  13: call @putchar(%prod)\n"                                                                 \
    "  14: if eq.i32 %t, %z then 16 else 15\n"                                                     \
    "  15: %i = add.i32 %i, 1 -> 6\n"                                                              \
    "  16: %r = load.i32 [$s]\n"                                                                   \
    "  17: switch %n { 1: 18, 2: 19, 5: 20, default: 20 }\n"                                       \
    "  18: %r = add.i32 %r, %sum -> 21\n"                                                          \
    "  19: %prod = const.i32 7 -> 21\n"                                                            \
    "  20: %r = sub.i32 %r, 1\n"                                                                   \
    "  21: %c = call @pure(%r)\n"                                                                  \
    "  22: %w = load.i32 [@k]\n"                                                                   \
    "  23: %c = add.i32 %c, %w\n"                                                                  \
    "  24: call @setter(%prod)\n"                                                                  \
    "  25: return %c\n"                                                                            \
    "}\n"

static const char loop[] = LOOP, right[] = "1 4 5 8 12 13 19 24";

#define F(lines) "function i32 @f(i32 %a, i64 %p) {\n" lines "}\n"

static const DropCase drops[] = {
    {"right", loop, 25, "%c", right, NULL},
    {"nothing left out", loop, 25, "%c", "", NULL},
    {"start of the sum", loop, 25, "%c", "0 1 4 5 8 12 13 19 24", "sets %sum"},
    {"start of the counter", loop, 25, "%c", "1 2 4 5 8 12 13 19 24", "sets %i"},
    {"first store", loop, 25, "%c", "1 3 4 5 8 12 13 19 24", "sets $s[0..3]"},
    {"the loop's test: straightened", loop, 25, "%c", "1 4 5 6 8 12 13 19 24", "not the same"},
    {"the sum in the loop", loop, 25, "%c", "1 4 5 7 8 12 13 19 24", "sets %sum"},
    {"a load", loop, 25, "%c", "1 4 5 8 9 12 13 19 24", "sets %t"},
    {"store in the loop", loop, 25, "%c", "1 4 5 8 11 12 13 19 24", "sets $s[0..3]"},
    {"the other exit of the loop", loop, 25, "%c", "1 4 5 8 12 13 14 19 24", "not the same"},
    {"the counter", loop, 25, "%c", "1 4 5 8 12 13 15 19 24", "sets %i"},
    {"the switch", loop, 25, "%c", "1 4 5 8 12 13 17 19 24", "not the same"},
    {"a case", loop, 25, "%c", "1 4 5 8 12 13 18 19 24", "sets %r"},
    {"the default", loop, 25, "%c", "1 4 5 8 12 13 19 20 24", "sets %r"},
    {"a call without effects that is read", loop, 25, "%c", "1 4 5 8 12 13 19 21 24", "sets %c"},
    {"the product matters", loop, 25, "%prod", "4 5 8 12 13 24 19", "sets %prod"},
    {"the product at its start", loop, 25, "%prod", "1 4 5 12 13 24", "sets %prod"},
    {"the other field", loop, 25, "$s", "5 13 19 24 12", "sets $s[4..7]"},
    {"another slot", loop, 25, "$s", "5 13 19 24", NULL},
    {"output matters", loop, 25, "output", right, "sets output"},
    {"memory matters", loop, 25, "memory", right, "sets memory"},
    {"memory matters, output does not", loop, 25, "memory", "0 3 4 5 7 9 10 11 12 13 16 18 20",
     "sets %t"},
    {"the return", loop, 21, "%r", "1 4 5 8 12 13 19 21 22 23 24 25", NULL},
    {"asked for in the loop", loop, 14, "%sum", "1 4 5 8 12 13 16 17 18 19 20 21 22 23 24 25",
     NULL},
    {"asked for in the loop, without its exit", loop, 10, "%sum",
     "1 4 5 8 12 13 14 16 17 18 19 20 21 22 23 24 25", "not the same"},

    {"a store by a pointer",
     F("  0: store.i32 [@g], %a\n"
       "  1: store.i32 [%p], %a\n"
       "  2: %x = load.i32 [@g]\n"
       "  3: return %x\n") "global @g size 4 align 4\n",
     3, "%x", "1", "sets @g[0..3]"},
    {"a store to what a pointer reads",
     F("  0: store.i32 [@g], %a\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n") "global @g size 4 align 4\n",
     2, "%x", "0", "sets @g[0..3]|sets *%p[0..3]"},
    {"a store to what no pointer knows",
     F("  slot $s size 4 align 4\n"
       "  0: store.i32 [$s], %a\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n"),
     2, "%x", "0", NULL},
    {"a store to a slot whose address is known",
     F("  slot $s size 4 align 4\n"
       "  0: %q = addr $s\n"
       "  1: store.i64 [%p], %q\n"
       "  2: store.i32 [$s], %a\n"
       "  3: %r = load.i64 [%p]\n"
       "  4: %x = load.i32 [%r]\n"
       "  5: return %x\n"),
     5, "%x", "2", "sets $s[0..3]"},
    {"an element by an index",
     F("  slot $s size 40 align 4\n"
       "  0: store.i32 [$s + 8], %a\n"
       "  1: store.i32 [$s + %p*4], %a\n"
       "  2: %x = load.i32 [$s + 8]\n"
       "  3: return %x\n"),
     3, "%x", "1", "sets $s[8..11]"},
    {"an element that is read by an index",
     F("  slot $s size 40 align 4\n"
       "  0: store.i32 [$s + 8], %a\n"
       "  1: %x = load.i32 [$s + %p*4]\n"
       "  2: return %x\n"),
     2, "%x", "0", "sets $s[8..11]"},
    {"an element of another array",
     F("  slot $s size 40 align 4\n"
       "  slot $t size 40 align 4\n"
       "  0: store.i32 [$t + %p*4], %a\n"
       "  1: %x = load.i32 [$s + %p*4]\n"
       "  2: return %x\n"),
     2, "%x", "0", NULL},
    {"a store over a part",
     F("  slot $s size 8 align 4\n"
       "  0: store.i32 [$s], %a\n"
       "  1: store.i8 [$s + 1], %a\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: return %x\n"),
     3, "%x", "1", "sets $s[1..1]"},
    {"a store that another covers in part",
     F("  slot $s size 8 align 4\n"
       "  0: store.i32 [$s], %a\n"
       "  1: store.i16 [$s], %a\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets $s[2..3]"},
    {"a store that another covers",
     F("  slot $s size 8 align 4\n"
       "  0: store.i16 [$s], %a\n"
       "  1: store.i32 [$s], %a\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: return %x\n"),
     3, "%x", "0", NULL},
    {"a copy",
     F("  slot $s size 8 align 4\n"
       "  0: %q = addr $s\n"
       "  1: memcpy %q, %p, 8\n"
       "  2: %x = load.i32 [$s + 4]\n"
       "  3: return %x\n"),
     3, "%x", "1", "sets $s[4..7]"},
    {"a store before a copy of all of it",
     F("  slot $s size 8 align 4\n"
       "  0: store.i32 [$s + 4], %a\n"
       "  1: %q = addr $s\n"
       "  2: memcpy %q, %p, 8\n"
       "  3: %x = load.i32 [$s + 4]\n"
       "  4: return %x\n"),
     4, "%x", "0", NULL},
    {"a store to what is copied",
     F("  slot $s size 8 align 4\n"
       "  slot $t size 8 align 4\n"
       "  0: store.i32 [$t + 4], %a\n"
       "  1: %q = addr $s\n"
       "  2: %r = addr $t\n"
       "  3: memcpy %q, %r, 8\n"
       "  4: %x = load.i32 [$s + 4]\n"
       "  5: return %x\n"),
     5, "%x", "0", "sets $t[4..7]"},
    {"a filling",
     F("  slot $s size 8 align 4\n"
       "  0: %q = addr $s\n"
       "  1: memset %q, %a, 8\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: return %x\n"),
     3, "%x", "1", "sets $s[0..3]"},
    {"a volatile access before another",
     F("  0: volatile_store.i32 [@g], %a\n"
       "  1: %x = volatile_load.i32 [@h]\n"
       "  2: return %x\n") "global @g size 4 align 4\n"
                           "global @h size 4 align 4\n",
     2, "%x", "0", "sets volatile"},
    {"an atomic access",
     F("  0: %y = atomic_add.i32 [@g], %a seq_cst\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "global @g size 4 align 4\n",
     2, "%x", "0", "sets memory"},
    {"a fence",
     F("  0: fence seq_cst\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n"),
     2, "%x", "0", "sets memory"},
    {"a call of what nobody knows",
     F("  0: call @other(%a)\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n") "extern function void @other(i32)\n",
     2, "%x", "0", "sets memory"},
    {"a call by address",
     F("  0: call void(i32) %p(%a)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "global @g size 4 align 4\n",
     2, "%x", "0", "sets memory"},
    {"a call of what nobody knows, beside a private slot",
     F("  slot $s size 4 align 4\n"
       "  0: store.i32 [$s], %a\n"
       "  1: call @other(%a)\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: return %x\n") "extern function void @other(i32)\n",
     3, "%x", "1", NULL},
    {"a definition that may be replaced",
     F("  0: call @other(%a)\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n") "function void @other(i32 %a) weak {\n"
                           "  0: return\n"
                           "}\n",
     2, "%x", "0", "sets memory"},
    {"a callee that does nothing",
     F("  0: call @other(%a)\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n") "function void @other(i32 %a) static {\n"
                           "  0: return\n"
                           "}\n",
     2, "%x", "0", NULL},
    {"a callee of a callee",
     F("  0: call @other(%a)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "function void @other(i32 %a) static {\n"
                           "  0: call @more(%a)\n"
                           "  1: return\n"
                           "}\n"
                           "function void @more(i32 %a) static {\n"
                           "  0: store.i32 [@g], %a\n"
                           "  1: return\n"
                           "}\n"
                           "global @g size 4 align 4\n",
     2, "%x", "0", "sets memory"},
    {"output with %n",
     F("  0: %q = addr @t\n"
       "  1: call i32(i64, ..., i64) @printf(%q, %p)\n"
       "  2: %x = load.i32 [%p]\n"
       "  3: return %x\n") "extern function i32 @printf(i64, ...)\n"
                           "global @t size 4 align 1 static const = \"%ln\\x00\"\n",
     3, "%x", "0 1", "sets memory"},
    {"output without",
     F("  0: %q = addr @t\n"
       "  1: call i32(i64, ..., i64) @printf(%q, %p)\n"
       "  2: %x = load.i32 [%p]\n"
       "  3: return %x\n") "extern function i32 @printf(i64, ...)\n"
                           "global @t size 4 align 1 static const = \"%ld\\x00\"\n",
     3, "%x", "0 1", NULL},
    {"output with a format that may change",
     F("  0: %q = addr @t\n"
       "  1: call i32(i64, ..., i64) @printf(%q, %p)\n"
       "  2: %x = load.i32 [%p]\n"
       "  3: return %x\n") "extern function i32 @printf(i64, ...)\n"
                           "global @t size 4 align 1 static = \"%ld\\x00\"\n",
     3, "%x", "0 1", "sets memory"},
    {"output with a conversion that is not known",
     F("  0: %q = addr @t\n"
       "  1: call i32(i64, ..., i64) @printf(%q, %p)\n"
       "  2: %x = load.i32 [%p]\n"
       "  3: return %x\n") "extern function i32 @printf(i64, ...)\n"
                           "global @t size 4 align 1 static const = \"%Zn\\x00\"\n",
     3, "%x", "0 1", "sets memory"},
    {"output with the text of errno",
     F("  0: %d = call @malloc(%p)\n"
       "  1: %q = addr @t\n"
       "  2: %x = call i32(i64, ...) @printf(%q)\n"
       "  3: return %x\n") "extern function i32 @printf(i64, ...)\n"
                           "extern function i64 @malloc(i64)\n"
                           "global @t size 3 align 1 static const = \"%m\\x00\"\n",
     3, "%x", "0", "sets errno"},
    {"errno where it is asked for",
     F("  0: %e = call @__errno_location()\n"
       "  1: store.i32 [%e], %a\n"
       "  2: %d = call @malloc(%p)\n"
       "  3: %e2 = call @__errno_location()\n"
       "  4: %x = load.i32 [%e2]\n"
       "  5: return %x\n") "extern function i64 @__errno_location()\n"
                           "extern function i64 @malloc(i64)\n",
     5, "%x", "2", "sets errno"},
    {"memory beside errno",
     F("  0: %e = call @__errno_location()\n"
       "  1: %y = load.i32 [%e]\n"
       "  2: %d = call @malloc(%p)\n"
       "  3: %x = load.i32 [%p]\n"
       "  4: return %x\n") "extern function i64 @__errno_location()\n"
                           "extern function i64 @malloc(i64)\n",
     4, "%x", "0 1 2", NULL},
    {"errno by a pointer",
     F("  0: %e = call @__errno_location()\n"
       "  1: %d = call @malloc(%p)\n"
       "  2: %x = load.i32 [%e]\n"
       "  3: return %x\n") "extern function i64 @__errno_location()\n"
                           "extern function i64 @malloc(i64)\n",
     3, "%x", "1", "sets memory"},
    {"errno by a pointer that is stored elsewhere",
     F("  0: %d = call @malloc(%p)\n"
       "  1: %q = load.i64 [%p]\n"
       "  2: %x = load.i32 [%q]\n"
       "  3: return %x\n") "extern function i64 @__errno_location()\n"
                           "extern function i64 @malloc(i64)\n"
                           "function void @h(i64 %p) static {\n  0: %e = call "
                           "@__errno_location()\n  1: store.i64 [%p], %e\n  2: return\n}\n",
     3, "%x", "0", "sets memory"},
    {"errno that a function may be asked for by its address",
     F("  0: %d = call @malloc(%p)\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n") "extern function i64 @__errno_location()\n"
                           "extern function i64 @malloc(i64)\n"
                           "global @t size 8 align 8 = addr @__errno_location\n",
     2, "%x", "0", "sets memory"},
    {"a stream on memory",
     F("  0: call @putc(%a, %p)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "extern function i32 @putc(i32, i64)\n"
                           "global @g size 4 align 4\n"
                           "extern function i64 @open_memstream(i64, i64)\n"
                           "function i64 @h(i64 %p) {\n  0: %e = call @open_memstream(%p, %p)\n  "
                           "1: return %e\n}\n",
     2, "%x", "0", "sets memory"},
    {"a stream that could be one on memory elsewhere",
     F("  0: call @putc(%a, %p)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "extern function i32 @putc(i32, i64)\n"
                           "global @g size 4 align 4\n"
                           "extern function i64 @open_memstream(i64, i64)\n",
     2, "%x", "0", NULL},
    {"a stream that reads memory",
     F("  0: store.i32 [@g], %a\n"
       "  1: %x = call @getc(%p)\n"
       "  2: return %x\n") "extern function i32 @getc(i64)\n"
                           "global @g size 4 align 4\n"
                           "extern function i64 @fmemopen(i64, i64, i64)\n"
                           "global @t size 8 align 8 = addr @fmemopen\n",
     2, "%x", "0", "sets @g"},
    {"a buffer of a stream",
     F("  0: call @putc(%a, %p)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "extern function i32 @putc(i32, i64)\n"
                           "global @g size 4 align 4\n"
                           "extern function void @setbuf(i64, i64)\n"
                           "function void @h(i64 %p) {\n  0: call @setbuf(%p, %p)\n  1: "
                           "return\n}\n",
     2, "%x", "0", "sets memory"},
    {"no buffer of a stream",
     F("  0: call @putc(%a, %p)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "extern function i32 @putc(i32, i64)\n"
                           "global @g size 4 align 4\n"
                           "extern function void @setbuf(i64, i64)\n"
                           "function void @h(i64 %p) {\n  0: %z = const.i64 0\n  1: call "
                           "@setbuf(%p, %z)\n  2: return\n}\n",
     2, "%x", "0", NULL},
    {"output without a buffer before input",
     F("  0: call @putc(%a, %p)\n"
       "  1: %x = call @getc(%p)\n"
       "  2: return %x\n") "extern function i32 @putc(i32, i64)\n"
                           "extern function i32 @getc(i64)\n"
                           "extern function void @setbuf(i64, i64)\n"
                           "function void @h(i64 %p) {\n  0: %z = const.i64 0\n  1: call "
                           "@setbuf(%p, %z)\n  2: return\n}\n",
     2, "%x", "0", "sets input"},
    {"a stream with functions of the program",
     F("  0: call @putc(%a, %p)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "extern function i32 @putc(i32, i64)\n"
                           "global @g size 4 align 4\n"
                           "extern function i64 @fopencookie(i64, i64, i64)\n"
                           "global @t size 8 align 8 = addr @fopencookie\n",
     2, "%x", "0", "sets memory"},
    {"rounding before a function",
     F("  0: call @fesetround(%a)\n"
       "  1: %d = cvt.f64.i32 %a\n"
       "  2: %d2 = call @rint(%d)\n"
       "  3: %x = cvt.i32.f64 %d2\n"
       "  4: return %x\n") "extern function i32 @fesetround(i32)\n"
                           "extern function f64 @rint(f64)\n",
     4, "%x", "0", "sets input"},
    {"rounding before an operator",
     F("  0: call @fesetround(%a)\n"
       "  1: %d = cvt.f64.i64 %p\n"
       "  2: %d2 = div.f64 %d, %d\n"
       "  3: %x = cvt.i32.f64 %d2\n"
       "  4: return %x\n") "extern function i32 @fesetround(i32)\n",
     4, "%x", "0", "sets input"},
    {"rounding before an operator of a callee",
     F("  0: call @fesetround(%a)\n"
       "  1: %x = call @h(%p)\n"
       "  2: return %x\n") "extern function i32 @fesetround(i32)\n"
                           "function i32 @h(i64 %p) static {\n  0: %d = cvt.f64.i64 %p\n  1: %x = "
                           "cvt.i32.f64 %d\n  2: return %x\n}\n",
     2, "%x", "0", "sets input"},
    {"an operator before a question about exceptions",
     F("  0: %d = cvt.f64.i64 %p\n"
       "  1: %d2 = div.f64 %d, %d\n"
       "  2: %x = call @fetestexcept(%a)\n"
       "  3: return %x\n") "extern function i32 @fetestexcept(i32)\n",
     3, "%x", "0 1", "sets input"},
    {"a function before another one",
     F("  0: %d = cvt.f64.i64 %p\n"
       "  1: %d2 = call @rint(%d)\n"
       "  2: %d3 = call @rint(%d)\n"
       "  3: %x = cvt.i32.f64 %d3\n"
       "  4: return %x\n") "extern function f64 @rint(f64)\n",
     4, "%x", "1", NULL},
    {"input before input",
     F("  0: %y = call @getchar()\n"
       "  1: %x = call @getchar()\n"
       "  2: return %x\n") "extern function i32 @getchar()\n",
     2, "%x", "0", "sets input"},
    {"a free",
     F("  0: call @free(%p)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "extern function void @free(i64)\nglobal @g size 4 align 4\n",
     2, "%x", "0", NULL},
    {"a free, if allocation matters",
     F("  0: call @free(%p)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "extern function void @free(i64)\n"
                           "global @g size 4 align 4\n",
     2, "allocation", "0", "sets allocation"},
    {"an allocation that is used",
     F("  0: %q = alloca %p align 8\n"
       "  1: store.i32 [%q], %a\n"
       "  2: %x = load.i32 [%q]\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets %q"},
    {"an aggregate that is passed",
     F("  slot $s size 8 align 4\n"
       "  0: store.i32 [$s], %a\n"
       "  1: %q = addr $s\n"
       "  2: %x = call @g(%q)\n"
       "  3: return %x\n") "extern function i32 @g(agg(8 align 4: i64))\n",
     3, "%x", "0", "sets $s"},
    {"an aggregate that is returned to",
     F("  slot $s size 8 align 4\n"
       "  0: %q = addr $s\n"
       "  1: call @g(%a) into %q\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: return %x\n") "function agg(8 align 4: i64) @g(i32 %a) static {\n"
                           "  slot $t size 8 align 4\n"
                           "  0: %q = addr $t\n"
                           "  1: return %q\n"
                           "}\n",
     3, "%x", "1", "sets $s"},
    {"beside setjmp",
     F("  0: %y = const.i32 1\n"
       "  1: %x = call @setjmp(%p)\n"
       "  2: return %x\n") "extern function i32 @setjmp(i64) returns_twice\n",
     2, "%x", "0", NULL}, // it is not left out: the hint keeps it
    {"a way to the end",
     F("  0: if lt.i32 %a, 0 then 1 else 2\n"
       "  1: return %a\n"
       "  2: %x = add.i32 %a, 1\n"
       "  3: return %x\n"),
     2, "%a", "0 1 3", "not the same"},
    {"a way that traps",
     F("  0: if lt.i32 %a, 0 then 1 else 2\n"
       "  1: trap\n"
       "  2: %x = add.i32 %a, 1\n"
       "  3: return %x\n"),
     2, "%a", "0 1 3", NULL},
    {"a loop that may not end",
     F("  0: if lt.i32 %a, 0 then 0 else 1\n"
       "  1: %x = add.i32 %a, 1\n"
       "  2: return %x\n"),
     1, "%a", "0 2", NULL},
    {"which of two ways",
     F("  0: if lt.i32 %a, 0 then 1 else 2\n"
       "  1: %x = const.i32 1 -> 3\n"
       "  2: %x = const.i32 2\n"
       "  3: return %x\n"),
     3, "%x", "0", "not the same"},
};

// A slot, something that is done with its address, and a store by another address, which is left
// out. It does not touch the slot, unless the address has become known.
#define HIDDEN(use)                                                                                \
    F("  slot $s size 8 align 8\n"                                                                 \
      "  0: store.i32 [$s], %a\n"                                                                  \
      "  1: %q = addr $s\n"                                                                        \
      "  2: " use "\n"                                                                             \
      "  3: store.i32 [%p], %a\n"                                                                  \
      "  4: %x = load.i32 [$s]\n"                                                                  \
      "  5: return %x\n")

static const DropCase addresses[] = {
    {"an address that is only accessed", HIDDEN("%y = load.i32 [%q + 4]"), 5, "%x", "3", NULL},
    {"an address that is moved and added to", HIDDEN("%r = add.i64 %q, %p"), 5, "%x", "3", NULL},
    {"an address that is stored", HIDDEN("store.i64 [%p + 8], %q"), 5, "%x", "3", "sets $s"},
    {"an address that is compared", HIDDEN("%y = eq.i64 %q, %p"), 5, "%x", "3", "sets $s"},
    {"an address that is compared with a number", HIDDEN("%y = eq.i64 %q, 5000"), 5, "%x", "3",
     "sets $s"},
    {"an address that is compared with null", HIDDEN("%y = eq.i64 %q, 0"), 5, "%x", "3", NULL},
    {"an order of addresses", HIDDEN("%y = lt.i64 %q, %p"), 5, "%x", "3", "sets $s"},
    {"a difference of addresses", HIDDEN("%y = sub.i64 %p, %q"), 5, "%x", "3", "sets $s"},
    {"a sum of two addresses", HIDDEN("%y = add.i64 %q, %q"), 5, "%x", "3", "sets $s"},
    {"bits of an address", HIDDEN("%y = and.i64 %q, 4096"), 5, "%x", "3", "sets $s"},
    {"an address as an index", HIDDEN("%y = load.i32 [%p + %q*1]"), 5, "%x", "3", "sets $s"},
    {"a volatile access, which shows where it is", HIDDEN("volatile_store.i32 [%q], %a"), 5, "%x",
     "3", "sets $s"},
    {"an address that is passed to an unknown function",
     HIDDEN("call @g(%q)") "extern function void @g(i64)\n", 5, "%x", "3", "sets $s"},
    {"an address that is passed by address", HIDDEN("call void(i64) %p(%q)"), 5, "%x", "3",
     "sets $s"},
    {"an address that is passed to a reader",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: %y = load.i32 [%t]\n  1: "
                           "return\n}\n",
     5, "%x", "3", NULL},
    {"an address that is passed to a writer",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: %z = const.i32 0\n  1: memset "
                           "%t, %z, 4\n  2: return\n}\n",
     5, "%x", "3", NULL},
    {"an address that a function tests for null",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: if ne.i64 %t, 0 then 1 else "
                           "2\n  1: %y = load.i32 [%t]\n  2: return\n}\n",
     5, "%x", "3", NULL},
    {"an address that a function compares",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: if ne.i64 %t, 8192 then 1 else "
                           "2\n  1: %y = load.i32 [%t]\n  2: return\n}\n",
     5, "%x", "3", "sets $s"},
    {"an address that a function stores",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: store.i64 [@h], %t\n  1: "
                           "return\n}\nglobal @h size 8 align 8 static\n",
     5, "%x", "3", "sets $s"},
    {"an address that a function stores there",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: store.i64 [%t], %t\n  1: "
                           "return\n}\n",
     5, "%x", "3", "sets $s"},
    {"an address that a function returns",
     HIDDEN("%y = call @g(%q)") "function i64 @g(i64 %t) static {\n  0: return %t\n}\n", 5, "%x",
     "3", "sets $s"},
    {"an address that a function hands on",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: call @h(%t)\n  1: "
                           "return\n}\nfunction void @h(i64 %t) static {\n  0: %y = load.i32 "
                           "[%t]\n  1: return\n}\n",
     5, "%x", "3", NULL},
    {"an address that a function hands out",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: call @h(%t)\n  1: "
                           "return\n}\nextern function void @h(i64)\n",
     5, "%x", "3", "sets $s"},
    {"an address that a function hands on to one that stores it",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: call @h(%t)\n  1: "
                           "return\n}\nfunction void @h(i64 %t) static {\n  0: %y = load.i32 "
                           "[%t]\n  1: if lt.i32 %y, 0 then 2 else 3\n  2: call @g(%t)\n  3: "
                           "store.i64 [@k], %t\n  4: return\n}\nglobal @k size 8 align 8 static\n",
     5, "%x", "3", "sets $s"},
    {"an address that a function hands on, moved",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: %u = add.i64 %t, 4\n  1: call "
                           "@h(%u)\n  2: return\n}\nfunction void @h(i64 %t) static {\n  0: %y = "
                           "eq.i64 %t, 0\n  1: return\n}\n",
     5, "%x", "3", "sets $s"},
    {"an address that a function keeps in a slot",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  slot $k size 8 align 8\n  0: "
                           "store.i64 [$k], %t\n  1: return\n}\n",
     5, "%x", "3", "sets $s"},
    {"an address that goes to a function that may be another",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) weak {\n  0: %y = load.i32 [%t]\n  1: "
                           "return\n}\n",
     5, "%x", "3", "sets $s"},
    {"an address that goes to a variable argument",
     HIDDEN("call @g(%a, %q)") "function void @g(i32 %n, ...) static {\n  0: return\n}\n", 5, "%x",
     "3", "sets $s"},
    {"an address in a parameter that is set",
     HIDDEN("call @g(%q)") "function void @g(i64 %t) static {\n  0: %t = add.i64 %t, 8\n  1: if "
                           "ne.i64 %t, 0 then 2 else 2\n  2: return\n}\n",
     5, "%x", "3", "sets $s"},
    {"the library fills it",
     HIDDEN("call @memset(%q, %a, %p)") "extern function i64 @memset(i64, i32, i64)\n", 5, "%x",
     "3", NULL},
    {"the library fills it and yields where it is",
     HIDDEN("%y = call @memset(%q, %a, %p)") "extern function i64 @memset(i64, i32, i64)\n", 5,
     "%x", "3", "sets $s"},
    {"the library finds a place in it",
     HIDDEN("%y = call @strchr(%q, %a)") "extern function i64 @strchr(i64, i32)\n", 5, "%x", "3",
     "sets $s"},
    {"a writer that is left out",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s], %a\n"
       "  1: %q = addr $s\n"
       "  2: call @g(%q)\n"
       "  3: %x = load.i32 [$s]\n"
       "  4: return %x\n") "function void @g(i64 %t) static {\n  0: %y = const.i32 1\n  1: "
                           "store.i32 [%t], "
                           "%y\n  2: return\n}\n",
     4, "%x", "2", "sets $s"},
    {"what a reader reads",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s], %a\n"
       "  1: %q = addr $s\n"
       "  2: %x = call @g(%q)\n"
       "  3: return %x\n") "function i32 @g(i64 %t) static {\n  0: %y = load.i32 [%t]\n  1: return "
                           "%y\n}\n",
     3, "%x", "0", "sets $s"},
    {"a reader that is left out",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s], %a\n"
       "  1: %q = addr $s\n"
       "  2: call @g(%q)\n"
       "  3: %x = load.i32 [$s]\n"
       "  4: return %x\n") "function void @g(i64 %t) static {\n  0: %y = load.i32 [%t]\n  1: "
                           "return\n}\n",
     4, "%x", "1 2", NULL},
    {"what is written through a pointer that is moved",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s + 4], %a\n"
       "  1: %q = addr $s\n"
       "  2: %q = add.i64 %q, 4\n"
       "  3: store.i32 [%q], %a\n"
       "  4: %x = load.i32 [$s + 4]\n"
       "  5: return %x\n"),
     5, "%x", "3", "sets $s"},
    {"one register for two slots",
     F("  slot $s size 8 align 8\n"
       "  slot $t size 8 align 8\n"
       "  0: store.i32 [$t], %a\n"
       "  1: if lt.i32 %a, 0 then 2 else 3\n"
       "  2: %q = addr $s -> 4\n"
       "  3: %q = addr $t\n"
       "  4: store.i32 [%q], %a\n"
       "  5: %x = load.i32 [$t]\n"
       "  6: return %x\n"),
     6, "%x", "4", "sets $t[0..3]"},
    {"one register for a slot and anything",
     F("  slot $s size 8 align 8\n"
       "  0: %q = move.i64 %p\n"
       "  1: if lt.i32 %a, 0 then 2 else 3\n"
       "  2: %q = addr $s\n"
       "  3: store.i32 [%q], %a\n"
       "  4: %x = load.i32 [%p]\n"
       "  5: return %x\n"),
     5, "%x", "3", "sets memory|sets *%p[0..3]"},
    {"an address at the end of a slot",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s], %a\n"
       "  1: %q = addr $s + 8\n"
       "  2: %y = eq.i64 %q, 0\n"
       "  3: store.i32 [%p], %a\n"
       "  4: %x = load.i32 [$s]\n"
       "  5: return %x\n"),
     5, "%x", "3", "sets $s"},
    {"a store before the address is known",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s], %a\n"
       "  1: store.i32 [%p], %a\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: %q = addr $s\n"
       "  4: store.i64 [%p], %q\n"
       "  5: return %x\n"),
     5, "%x", "1", NULL},
    {"a store before the address is known, but after it the last time",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s], %a\n"
       "  1: store.i32 [%p], %a\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: %q = addr $s\n"
       "  4: store.i64 [%p + 8], %q\n"
       "  5: if lt.i32 %x, %a then 1 else 6\n"
       "  6: return %x\n"),
     6, "%x", "1", "sets $s"},
    {"a call before the address is known",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s], %a\n"
       "  1: call @g(%p)\n"
       "  2: %x = load.i32 [$s]\n"
       "  3: %q = addr $s\n"
       "  4: store.i64 [%p], %q\n"
       "  5: return %x\n") "extern function void @g(i64)\n",
     5, "%x", "1 3 4", NULL},
    {"the call that gets to know the address",
     F("  slot $s size 8 align 8\n"
       "  0: store.i32 [$s], %a\n"
       "  1: %q = addr $s\n"
       "  2: call @g(%q)\n"
       "  3: %x = load.i32 [$s]\n"
       "  4: return %x\n") "extern function void @g(i64)\n",
     4, "%x", "2", "sets $s"},
    {"a slot that others know of when the function returns",
     F("  slot $s size 8 align 8\n"
       "  0: %q = addr $s\n"
       "  1: store.i64 [%p], %q\n"
       "  2: store.i32 [$s], %a\n"
       "  3: return %a\n"),
     3, "memory", "2", NULL},
};

// Stores to a slot and a symbol before a call of g, which copies one of them as an aggregate.
#define COPIED(call, copier)                                                                       \
    F("  slot $s size 8 align 4\n"                                                                 \
      "  slot $t size 8 align 4\n"                                                                 \
      "  0: store.i32 [$s], %a\n"                                                                  \
      "  1: store.i32 [@k], %a\n"                                                                  \
      "  2: %q = addr $s\n"                                                                        \
      "  3: %t = addr $t\n"                                                                        \
      "  4: " call "\n"                                                                            \
      "  5: %x = load.i32 [$t]\n"                                                                  \
      "  6: return %x\n")                                                                          \
    "global @k size 8 align 4 static\n"                                                            \
    "function i32 @h(agg(8 align 4: i64) %s) static {\n"                                           \
    "  0: %y = load.i32 [%s]\n"                                                                    \
    "  1: return %y\n"                                                                             \
    "}\n"                                                                                          \
    "function agg(8 align 4: i64) @own(i32 %a) static {\n"                                         \
    "  slot $s size 8 align 4\n"                                                                   \
    "  0: store.i32 [$s], %a\n"                                                                    \
    "  1: %q = addr $s\n"                                                                          \
    "  2: return %q\n"                                                                             \
    "}\n" copier

// A function that computes what f asks for.
#define PASSES(parameters, lines) "function i32 @g(" parameters ") static {\n" lines "}\n"
#define RETURNS(parameters, lines)                                                                 \
    "function agg(8 align 4: i64) @g(" parameters ") static {\n" lines "}\n"
#define STORES(parameters, lines) "function void @g(" parameters ") static {\n" lines "}\n"

static const DropCase copies[] = {
    {"passed through a pointer",
     COPIED("%x = call @g(%q) -> 6", PASSES("i64 %t", "  0: %y = call @h(%t)\n  1: return %y\n")),
     6, "%x", "0", "sets $s"},
    {"passed through a pointer that is moved",
     COPIED("%x = call @g(%q) -> 6",
            PASSES("i64 %t", "  0: %u = add.i64 %t, 0\n  1: %y = call @h(%u)\n  2: return %y\n")),
     6, "%x", "0", "sets $s"},
    {"passed through a pointer to who knows whom",
     COPIED("%x = call @g(%q) -> 6",
            PASSES("i64 %t", "  0: %f = addr @h\n  1: %y = call i32(agg(8 align 4: i64)) "
                             "%f(%t)\n  2: return %y\n")),
     6, "%x", "0", "sets $s"},
    {"passed through a pointer, as a variable argument",
     COPIED("%x = call @g(%q) -> 6",
            PASSES("i64 %t", "  0: %n = const.i32 1\n  1: call void(i32, ..., agg(8 align 4: i64)) "
                             "@v(%n, %t)\n  2: return %n\n") "function void @v(i32 %n, ...) "
                                                             "static {\n  0: return\n}\n"),
     6, "%x", "0", "sets $s"},
    {"passed through memory through a pointer",
     COPIED("%x = call @g(%q) -> 6",
            PASSES("i64 %t",
                   "  0: %y = call @m(%t)\n  1: return %y\n") "function i32 @m(agg(8 align 4) "
                                                              "%s) static {\n  0: %y = load.i32 "
                                                              "[%s]\n  1: return %y\n}\n"),
     6, "%x", "0", "sets $s"},
    {"passed out of a symbol",
     COPIED("%x = call @g() -> 6",
            PASSES("", "  0: %t = addr @k\n  1: %y = call @h(%t)\n  2: return %y\n")),
     6, "%x", "1", "sets @k"},
    {"passed out of what others know of",
     COPIED("%x = call @g(%a) -> 6",
            PASSES("i32 %a", "  0: %t = load.i64 [@n]\n  1: %y = call @h(%t)\n  2: return "
                             "%y\n") "global @n size 8 align 8 static const = addr @k\n"),
     6, "%x", "1", "sets @k"},
    {"passed out of the function's own slot",
     COPIED("%x = call @g(%a) -> 6",
            PASSES("i32 %a", "  slot $u size 8 align 4\n  0: store.i32 [$u], %a\n  1: %t = addr "
                             "$u\n  2: %y = call @h(%t)\n  3: return %y\n")),
     6, "%x", "0", NULL},
    {"returned through a pointer",
     COPIED("call @g(%q) into %t", RETURNS("i64 %t", "  0: return %t\n")), 6, "%x", "0", "sets $s"},
    {"returned through a pointer, twice",
     COPIED("call @g(%q) into %t",
            RETURNS("i64 %t", "  slot $u size 8 align 4\n  0: %u = addr $u\n  1: call @r(%t) into "
                              "%u\n  2: return %u\n") "function agg(8 align 4: i64) @r(i64 %t) "
                                                      "static {\n  0: return %t\n}\n"),
     6, "%x", "0", "sets $s"},
    {"returned out of a symbol",
     COPIED("call @g() into %t", RETURNS("", "  0: %t = addr @k\n  1: return %t\n")), 6, "%x", "1",
     "sets @k"},
    {"returned out of the function's own slot", COPIED("call @own(%a) into %t", ""), 6, "%x", "0 1",
     NULL},
    {"returned to where a pointer leads",
     COPIED("call @g(%t, %a)", STORES("i64 %t, i32 %a", "  0: call @own(%a) into %t\n  1: "
                                                        "return\n")),
     6, "%x", "4", "sets $t"},
    {"returned to a symbol",
     COPIED("call @g(%a)",
            STORES("i32 %a", "  0: %t = addr @k\n  1: call @own(%a) into %t\n  2: return\n")),
     6, "@k", "4", "sets memory"},
    {"returned to the function's own slot",
     COPIED("call @g(%a)",
            STORES("i32 %a", "  slot $u size 8 align 4\n  0: %t = addr $u\n  1: call @own(%a) into "
                             "%t\n  2: return\n")),
     6, "memory", "4", NULL},
};

// Cells: memory that pointers lead to. (They are in a table of their own.)
static const DropCase cell_drops[] = {
    {"a store to another field",
     F("  0: store.i32 [%p], %a\n"
       "  1: store.i32 [%p + 4], %a\n"
       "  2: %x = load.i32 [%p]\n"
       "  3: return %x\n"),
     3, "%x", "1", NULL},
    {"a store to the same field",
     F("  0: store.i32 [%p], %a\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n"),
     2, "%x", "0", "sets *%p[0..3]"},
    {"a store that another one covers by the same address",
     F("  0: store.i32 [%p], %a\n"
       "  1: store.i32 [%p], %a\n"
       "  2: %x = load.i32 [%p]\n"
       "  3: return %x\n"),
     3, "%x", "0", NULL},
    {"a store that another one covers in part",
     F("  0: store.i32 [%p], %a\n"
       "  1: store.i16 [%p], %a\n"
       "  2: %x = load.i32 [%p]\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets *%p[0..3]"},
    {"a store over a part",
     F("  0: store.i8 [%p + 3], %a\n"
       "  1: %x = load.i32 [%p]\n"
       "  2: return %x\n"),
     2, "%x", "0", "sets *%p[0..3]"},
    {"a field that is reached by sums",
     F("  0: %q = add.i64 %p, 8\n"
       "  1: %r = sub.i64 %q, 4\n"
       "  2: store.i32 [%q], %a\n"
       "  3: %x = load.i32 [%r]\n"
       "  4: return %x\n"),
     4, "%x", "2", NULL},
    {"the same field, reached by sums",
     F("  0: %q = add.i64 %p, 8\n"
       "  1: %r = sub.i64 %q, 4\n"
       "  2: store.i32 [%q - 4], %a\n"
       "  3: %x = load.i32 [%r]\n"
       "  4: return %x\n"),
     4, "%x", "2", "sets *%p[4..7]"},
    {"a field of another pointer",
     F("  0: %q = load.i64 [%p]\n"
       "  1: store.i32 [%q], %a\n"
       "  2: %x = load.i32 [%p + 8]\n"
       "  3: return %x\n"),
     3, "%x", "1", "sets *%p[8..11]"},
    {"an index",
     F("  0: %i = load.i64 [%p]\n"
       "  1: store.i32 [%p + %i*4], %a\n"
       "  2: %x = load.i32 [%p + 8]\n"
       "  3: return %x\n"),
     3, "%x", "1", "sets *%p[8..11]"},
    {"an index in a sum",
     F("  0: %i = load.i64 [%p]\n"
       "  1: %q = add.i64 %p, %i\n"
       "  2: store.i32 [%q], %a\n"
       "  3: %x = load.i32 [%p + 8]\n"
       "  4: return %x\n"),
     4, "%x", "2", "sets *%p[8..11]"},
    {"a pointer that is set in a loop",
     F("  0: %i = const.i32 0\n"
       "  1: %q = load.i64 [%p]\n"
       "  2: if eq.i32 %i, 0 then 3 else 4\n"
       "  3: store.i32 [%q + 4], %a\n"
       "  4: %x = load.i32 [%q]\n"
       "  5: %i = add.i32 %i, 1\n"
       "  6: if lt.i32 %i, %a then 1 else 7\n"
       "  7: return %x\n"),
     7, "%x", "3", "sets memory"},
    {"a pointer that is set twice",
     F("  0: %q = move.i64 %p\n"
       "  1: store.i32 [%q + 4], %a\n"
       "  2: %q = add.i64 %p, 4\n"
       "  3: %x = load.i32 [%q]\n"
       "  4: return %x\n"),
     4, "%x", "1", "sets memory"},
    {"a parameter that is set",
     F("  0: store.i32 [%p + 4], %a\n"
       "  1: %p = add.i64 %p, 4\n"
       "  2: %x = load.i32 [%p]\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets memory"},
    {"a pointer that is set behind the store",
     F("  0: store.i32 [%p], %a\n"
       "  1: %q = load.i64 [%p + 8]\n"
       "  2: %x = load.i32 [%q]\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets *%q[0..3]"},
    {"another type",
     F("  0: store.i32 [%p] as int, %a\n"
       "  1: %q = load.i64 [%p + 8]\n"
       "  2: %x = load.i32 [%q] as float\n"
       "  3: return %x\n"),
     3, "%x", "0", NULL},
    {"the same type",
     F("  0: store.i32 [%p] as int, %a\n"
       "  1: %q = load.i64 [%p + 8]\n"
       "  2: %x = load.i32 [%q] as int\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets *%q[0..3] as int"},
    {"a store of any type",
     F("  0: store.i32 [%p], %a\n"
       "  1: %q = load.i64 [%p + 8]\n"
       "  2: %x = load.i32 [%q] as int\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets *%q[0..3] as int"},
    {"a load of any type",
     F("  0: store.i32 [%p] as int, %a\n"
       "  1: %q = load.i64 [%p + 8]\n"
       "  2: %x = load.i32 [%q]\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets *%q[0..3]"},
    {"a store of another type does not cover",
     F("  0: store.i32 [%p] as int, %a\n"
       "  1: store.i32 [%p] as float, %a\n"
       "  2: %x = load.i32 [%p] as int\n"
       "  3: return %x\n"),
     3, "%x", "0", "sets *%p[0..3] as int"},
    {"a call reads memory",
     F("  0: store.i32 [%p] as int, %a\n"
       "  1: %x = call @other(%p)\n"
       "  2: return %x\n") "extern function i32 @other(i64)\n",
     2, "%x", "0", "sets *%p[0..3] as int|sets memory"},
    {"a call sets memory",
     F("  0: store.i32 [%p] as int, %a\n"
       "  1: call @other(%p)\n"
       "  2: %x = load.i32 [%p] as int\n"
       "  3: return %x\n") "extern function void @other(i64)\n",
     3, "%x", "1", "sets memory"},
    {"a copy over a field",
     F("  0: %q = load.i64 [%p]\n"
       "  1: memcpy %p, %q, 16\n"
       "  2: %x = load.i32 [%p + 12]\n"
       "  3: return %x\n"),
     3, "%x", "1", "sets *%p[12..15]"},
    {"a copy before a field",
     F("  0: %q = load.i64 [%p]\n"
       "  1: memcpy %p, %q, 12\n"
       "  2: %x = load.i32 [%p + 12]\n"
       "  3: return %x\n"),
     3, "%x", "1", NULL},
    {"a named object whose address is known",
     F("  0: store.i32 [%p], %a\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "global @g size 4 align 4 static\n"
                           "global @h size 8 align 8 = addr @g\n",
     2, "%x", "0", "sets @g[0..3]"},
    {"a named object whose address nobody has",
     F("  0: store.i32 [%p], %a\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "global @g size 4 align 4 static\n",
     2, "%x", "0", NULL},
    {"a named object that others may name",
     F("  0: store.i32 [%p], %a\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "global @g size 4 align 4\n",
     2, "%x", "0", "sets @g[0..3]"},
    {"a named object whose address another function takes",
     F("  0: store.i32 [%p], %a\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "global @g size 4 align 4 static\n"
                           "function i64 @h() {\n"
                           "  0: %x = addr @g\n"
                           "  1: return %x\n"
                           "}\n",
     2, "%x", "0", "sets @g[0..3]"},
    {"a named object that a call sets, whose address nobody has",
     F("  0: call @h(%a)\n"
       "  1: %x = load.i32 [@g]\n"
       "  2: return %x\n") "global @g size 4 align 4 static\n"
                           "function void @h(i32 %x) static {\n"
                           "  0: store.i32 [@g], %x\n"
                           "  1: return\n"
                           "}\n",
     2, "%x", "0", "sets memory"},
    {"a named object of another type",
     F("  0: store.i32 [%p] as float, %a\n"
       "  1: %x = load.i32 [@g] as int\n"
       "  2: return %x\n") "global @g size 4 align 4\n",
     2, "%x", "0", NULL},
    {"a store by name to what a pointer reads",
     F("  0: store.i32 [@g] as int, %a\n"
       "  1: %x = load.i32 [%p] as int\n"
       "  2: return %x\n") "global @g size 4 align 4\n",
     2, "%x", "0", "sets @g[0..3]|sets *%p[0..3] as int"},
    {"a store by name to what no pointer of that type reads",
     F("  0: store.i32 [@g] as int, %a\n"
       "  1: %x = load.i32 [%p] as float\n"
       "  2: return %x\n") "global @g size 4 align 4\n",
     2, "%x", "0", NULL},
    {"a slot that a pointer of another type may lead to",
     F("  slot $s size 4 align 4\n"
       "  0: %q = addr $s\n"
       "  1: call @other(%q)\n"
       "  2: store.i32 [%p] as float, %a\n"
       "  3: %x = load.i32 [$s] as int\n"
       "  4: return %x\n") "extern function void @other(i64)\n",
     4, "%x", "2", "sets $s[0..3]"},
};

static void test_table(const DropCase *cases, uint32_t count) {
    uint32_t forged = 0;
    for (uint32_t i = 0; i < count; i++) {
        const DropCase *it = &cases[i];
        Slice slice = make_slice(it->text, it->node, it->variable, it->dropped);
        expect(&slice, it->what, it->reason);
        forged += it->reason != NULL;
    }
    print_message("%u forged, %u right\n", forged, count - forged);
}

static void test_drops(void **state) {
    (void)state;
    test_table(drops, sizeof drops / sizeof drops[0]);
}

static void test_addresses(void **state) {
    (void)state;
    test_table(addresses, sizeof addresses / sizeof addresses[0]);
}

static void test_cells(void **state) {
    (void)state;
    test_table(cell_drops, sizeof cell_drops / sizeof *cell_drops);
}

// Stores to what is assumed to be apart, by the registers %p, %q and a number, or none.
typedef struct {
    const char *what;
    const char *dropped;
    uint32_t a, b; // registers
    const char *reason;
} ApartCase;

static void test_apart(void **state) {
    (void)state;
    static const char text[] = "function i32 @f(i64 %p, i64 %q, i64 %r, i32 %a) {\n"
                               "  0: store.i32 [%p], %a\n"
                               "  1: store.i32 [%q], %a\n"
                               "  2: store.i32 [%r], %a\n"
                               "  3: store.i16 [%p + 2], %a\n"
                               "  4: %x = load.i32 [%p]\n"
                               "  5: return %x\n"
                               "}\n";
    static const ApartCase cases[] = {
        {"the other pointer", "1", 0, 1, NULL},
        {"the other way around", "1", 1, 0, NULL},
        {"another pointer", "2", 0, 1, "sets *%p[0..3]"},
        {"a pointer that is apart from others", "1", 1, 2, "sets *%p[0..3]"},
        {"the pointer itself", "3", 0, 1, "sets *%p[0..3]"},
        {"apart from itself", "3", 0, 0, "sets *%p[0..3]"},
        {"no register", "1", 0, 77, "is of no registers"},
        {"no registers", "1", NO_ID, NO_ID, "is of no registers"},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Slice slice = make_slice(text, 5, "%x", cases[i].dropped);
        vec_push(slice.arena, &slice.hint->functions.at[0].apart,
                 (SliceApart){{cases[i].a}, {cases[i].b}});
        expect(&slice, cases[i].what, cases[i].reason);
    }
}

static void test_copies(void **state) {
    (void)state;
    test_table(copies, sizeof copies / sizeof copies[0]);
}

// ---- Other code than the original's

// The honest slice of `loop`, in the words of another compilation.
static const char slice_text[] = "function i32 @f(i32 %n, i32 %z) {\n"
                                 "  slot $v size 8 align 4\n"
                                 "  0: %sum = const.i32 0\n"
                                 "  1: %i = const.i32 0\n"
                                 "  2: store.i32 [$v], %sum\n"
                                 "  3: if lt.i32 %i, %n then 4 else 10\n"
                                 "  4: %sum = add.i32 %sum, %i\n"
                                 "  5: %t = load.i32 [$v]\n"
                                 "  6: %t = add.i32 %t, %sum\n"
                                 "  7: store.i32 [$v], %t\n"
                                 "  8: if eq.i32 %t, %z then 10 else 9\n"
                                 "  9: %i = add.i32 %i, 1 -> 3\n"
                                 "  10: %r = load.i32 [$v]\n"
                                 "  11: switch %n { 1: 12, 2: 14, default: 13 }\n"
                                 "  12: %r = add.i32 %r, %sum -> 14\n"
                                 "  13: %r = sub.i32 %r, 1\n"
                                 "  14: %c = call @pure(%r)\n"
                                 "  15: %w = load.i32 [@k]\n"
                                 "  16: %c = add.i32 %c, %w\n"
                                 "  17: return %c\n"
                                 "}\n"
                                 "function i32 @pure(i32 %x) static {\n"
                                 "  0: %y = mul.i32 %x, 3\n"
                                 "  1: return %y\n"
                                 "}\n"
                                 "global @k size 4 align 4 static = i32 5\n"
                                 "global @m size 4 align 4 static = i32 5\n"
                                 "extern function i32 @putchar(i32)\n";

static Slice slice_of(const char *after) {
    Slice slice = {.arena = arena_new("slice")};
    slice.before = parse(slice.arena, loop);
    slice.after = parse(slice.arena, after);
    Sym symbol = symbol_of(slice.before, "f");
    slice.func = program_at(slice.before, symbol)->func;
    Bits kept = all_but(slice.arena, slice.func, right);
    SliceRequest request = {.symbol = symbol, .kept = &kept};
    add_points(&slice, (Node){25}, "%c", &request);
    slice.hint = slice_hint_make(slice.arena, slice.before, slice.after, &request, 1);
    return slice;
}

typedef struct {
    const char *reason; // NULL: it is accepted
    Edit edits[MAX_EDITS];
} SliceEdit;

static const SliceEdit edits[] = {
    {NULL, {{"%sum, %i\n", "%sum, %i\n"}}},
    {NULL, {{"size 8 align 4\n", "size 8 align 4\n  slot $more size 4 align 4\n"}}},
    {NULL, {{"2: 14, default", "2: 14, 3: 13, 5: 13, default"}}},
    {NULL,
     {{"  9: %i = add.i32 %i, 1 -> 3\n", "  9: %i = add.i32 %i, 1 -> 19\n"},
      {"  17: return %c\n", "  17: return %c\n  19: %new = const.i32 9\n  20: nop -> 3\n"}}},
    {"what node 0 of", {{"%sum = const.i32 0", "%sum = const.i32 1"}}},
    {"go on as from node 6", {{"then 4 else 10", "then 10 else 4"}}},
    {"go on as from node 14", {{"then 10 else 9", "then 9 else 10"}}},
    {"go on as from node 14", {{"then 10 else 9", "then 9 else 9"}}},
    {"go on as from node 15", {{"%i, 1 -> 3", "%i, 1 -> 4"}}},
    {"go on as from node 15", {{"%i, 1 -> 3", "%i, 1 -> 10"}}},
    {"what node 7 of", {{"%sum = add.i32 %sum, %i", "%sum = add.i32 %sum, %t"}}},
    {"what node 7 of", {{"%sum = add.i32 %sum, %i", "%sum = sub.i32 %sum, %i"}}},
    {"what node 6 of", {{"if lt.i32 %i, %n", "if le.i32 %i, %n"}}},
    {"what node 6 of", {{"if lt.i32 %i, %n", "if lt.i32 %n, %i"}}},
    {"what node 3 of", {{"2: store.i32 [$v], %sum", "2: store.i32 [$v + 4], %sum"}}},
    {"what node 3 of", {{"2: store.i32 [$v], %sum", "2: store.i16 [$v], %sum"}}},
    {"what node 9 of", {{"load.i32 [$v]\n  6", "load.i32 [$v + 4]\n  6"}}},
    {"slot 0 is no other", {{"slot $v size 8 align 4", "slot $v size 16 align 4"}}},
    {"slot 0 is no other", {{"slot $v size 8 align 4", "slot $v size 8 align 8"}}},
    {"what node 9 of|no other one",
     {{"slot $v size 8 align 4\n", "slot $v size 8 align 4\n  slot $w size 8 align 4\n"},
      {"5: %t = load.i32 [$v]", "5: %t = load.i32 [$w]"}}},
    {"go on as from node 17", {{"1: 12, 2: 14,", "1: 12, 3: 14,"}}},
    {"go on as from node 17", {{"1: 12, 2: 14,", "1: 12,"}}},
    {"go on as from node 17", {{"1: 12, 2: 14,", "1: 13, 2: 14,"}}},
    {"go on as from node 17", {{"default: 13", "default: 12"}}},
    {"what node 22 of", {{"load.i32 [@k]", "load.i32 [@m]"}}},
    {"what node 21 of", {{"%r, 1\n  14: %c = call @pure(%r)", "%r, 1\n  14: %c = move.i32 %r"}}},
    {"'pure' is not what it was", {{"%x, 3", "%x, 4"}}},
    {"'m' is not what it was",
     {{"@m size 4 align 4 static = i32 5", "@m size 4 align 4 static = i32 6"}}},
    {"'k' is not what it was",
     {{"@k size 4 align 4 static = i32 5", "@k size 8 align 4 static = i32 5"}}},
    {"'k' is not what it was", {{"@k size 4 align 4 static =", "@k size 4 align 4 ="}}},
    {"'putchar' is not what it was",
     {{"extern function i32 @putchar(i32)", "extern function i32 @putchar(i64)"}}},
    {"'putchar' is not what it was",
     {{"extern function i32 @putchar(i32)", "extern function i32 @putchar(i32) returns_twice"}}},
    {"what node 25 of", {{"return %c", "return %r"}}},
    {"go on as from node 23", {{"  17: return %c\n", "  17: nop\n  18: nop -> 17\n"}}},
};

// Whether the hint of a slice is one for another.
static bool fits(const Slice *honest, const Slice *slice) {
    const SliceFunctionHint *hint = &honest->hint->functions.at[0];
    const Func *func = program_at(slice->after, hint->symbol)->func;
    return hint->old.count == func->nodes.count && hint->regs.count == func->regs.count &&
           hint->slots.count == func->slots.count;
}

static void test_edits(void **state) {
    (void)state;
    uint32_t forged = 0;
    for (uint32_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        Arena *arena = arena_new("text");
        const char *text = forge_text(arena, slice_text, edits[i].edits);
        Slice slice = slice_of(text), honest = slice_of(slice_text);
        if (edits[i].reason && fits(&honest, &slice)) slice.hint = honest.hint;
        expect(&slice, edits[i].edits[0].to, edits[i].reason);
        forged += edits[i].reason != NULL;
        arena_free(honest.arena);
        arena_free(arena);
    }
    print_message("%u forged\n", forged);
}

// ---- Hints

typedef struct {
    const char *what;
    void (*damage)(Slice *slice, SliceFunctionHint *hint);
    const char *reason;
} SliceDamage;

#define DAMAGE(name) static void name(Slice *slice, SliceFunctionHint *hint)

DAMAGE(next_of_dropped) {
    (void)slice;
    hint->next.at[1] = 3;
}
DAMAGE(next_out_of_range) {
    (void)slice;
    hint->next.at[1] = 999;
}
DAMAGE(next_not_kept) {
    (void)slice;
    hint->next.at[4] = 5;
}
DAMAGE(next_none) {
    (void)slice;
    hint->next.at[19] = SLICE_NEXT_NONE;
}
DAMAGE(next_any) {
    (void)slice;
    hint->next.at[19] = SLICE_NEXT_ANY;
}
DAMAGE(next_short) {
    (void)slice;
    hint->next.count--;
}
DAMAGE(kept_by_hint) {
    (void)slice;
    hint->next.at[8] = 8;
}
DAMAGE(return_dropped) {
    (void)slice;
    hint->next.at[25] = SLICE_NEXT_NONE;
}
DAMAGE(return_any) {
    (void)slice;
    hint->next.at[25] = SLICE_NEXT_ANY;
}
DAMAGE(branch_dropped) {
    (void)slice;
    hint->next.at[6] = 7;
}
DAMAGE(old_out_of_range) {
    (void)slice;
    hint->old.at[3].i = 999;
}
DAMAGE(old_dropped) {
    (void)slice;
    hint->old.at[3].i = 4;
}
DAMAGE(old_other) {
    (void)slice;
    hint->old.at[4] = hint->old.at[6];
}
DAMAGE(old_missing) {
    (void)slice;
    hint->old.at[4] = NO_NODE;
}
DAMAGE(old_short) {
    (void)slice;
    hint->old.count--;
}
DAMAGE(regs_swapped) {
    (void)slice;
    Reg first = hint->regs.at[2];
    hint->regs.at[2] = hint->regs.at[3];
    hint->regs.at[3] = first;
}
DAMAGE(regs_same) {
    (void)slice;
    hint->regs.at[2] = hint->regs.at[3];
}
DAMAGE(regs_missing) {
    (void)slice;
    hint->regs.at[2] = NO_REG;
}
DAMAGE(regs_out_of_range) {
    (void)slice;
    hint->regs.at[2].i = 999;
}
DAMAGE(params_swapped) {
    (void)slice;
    Reg first = hint->regs.at[0];
    hint->regs.at[0] = hint->regs.at[1];
    hint->regs.at[1] = first;
}
DAMAGE(slot_other) {
    (void)slice;
    hint->slots.at[0].i = 1;
}
DAMAGE(slot_missing) {
    (void)slice;
    hint->slots.at[0].i = NO_ID;
}
DAMAGE(slot_out_of_range) {
    (void)slice;
    hint->slots.at[0].i = 999;
}
DAMAGE(relevant_empty) {
    (void)slice;
    hint->relevant.count = 0;
    for (uint32_t i = 0; i < hint->relevant_at.count; i++) hint->relevant_at.at[i] = 0;
}
// Each list lacks its last variable, or the lists are those of other blocks.
DAMAGE(relevant_less) {
    (void)slice;
    uint32_t last = hint->relevant_at.count - 1;
    hint->relevant_at.at[last]--;
    hint->relevant.count--;
}
DAMAGE(relevant_out_of_range) {
    (void)slice;
    hint->relevant.at[0] = 9999;
}
DAMAGE(relevant_falls) {
    (void)slice;
    hint->relevant_at.at[1] = hint->relevant.count + 1;
}
DAMAGE(relevant_shifted) {
    (void)slice;
    hint->relevant_at.at[2] = hint->relevant_at.at[1];
}
DAMAGE(relevant_more) {
    (void)slice;
    SliceCalls calls = slice_calls_of(slice->arena, slice->before);
    SliceVariables variables = slice_variables_of(slice->arena, slice->func, &calls);
    vec_push(slice->arena, &hint->relevant,
             slice_register(&variables, slice->func->nodes.at[1].dest));
    hint->relevant_at.at[hint->relevant_at.count - 1]++;
}
DAMAGE(point_moved) {
    (void)slice;
    hint->points.at[0].node.i = 13;
}
DAMAGE(point_out_of_range) {
    (void)slice;
    hint->points.at[0].node.i = 999;
}
DAMAGE(point_of_nothing) {
    (void)slice;
    hint->points.at[0].variable = 9999;
}
DAMAGE(point_of_more) {
    SliceCalls calls = slice_calls_of(slice->arena, slice->before);
    SliceVariables variables = slice_variables_of(slice->arena, slice->func, &calls);
    hint->points.at[0].variable = slice_register(&variables, slice->func->nodes.at[1].dest);
}
DAMAGE(point_of_output) {
    (void)slice;
    hint->points.at[0].variable = SLICE_OUTPUT;
}
DAMAGE(exit_of_output) {
    vec_push(slice->arena, &hint->exits, SLICE_OUTPUT);
}
DAMAGE(exit_of_nothing) {
    vec_push(slice->arena, &hint->exits, 9999);
}
DAMAGE(outputs_claimed) {
    (void)slice;
    hint->outputs = (SliceWorldSet)1 << SLICE_MEMORY;
}
DAMAGE(inputs_missing) {
    (void)slice;
    hint->inputs = 0;
}
DAMAGE(params_missing) {
    (void)slice;
    hint->params.count = 0;
}
DAMAGE(other_function) {
    hint->symbol = symbol_of(slice->after, "pure");
}
DAMAGE(no_function) {
    (void)slice;
    hint->symbol.i = 999;
}
DAMAGE(data_for_function) {
    hint->symbol = symbol_of(slice->after, "k");
}
DAMAGE(assumed_of_nothing) {
    vec_push(slice->arena, &hint->assumed, (SliceAssumption){{8}, 0});
}
DAMAGE(assumed_way) {
    vec_push(slice->arena, &hint->assumed, (SliceAssumption){{6}, 2});
}
DAMAGE(symbols_swapped) {
    (void)hint;
    uint32_t k = symbol_of(slice->after, "k").i, m = symbol_of(slice->after, "m").i;
    Sym *symbols = slice->hint->symbols.symbols.at, first = symbols[k];
    symbols[k] = symbols[m];
    symbols[m] = first;
}
DAMAGE(symbols_same) {
    (void)hint;
    uint32_t k = symbol_of(slice->after, "k").i, m = symbol_of(slice->after, "m").i;
    slice->hint->symbols.symbols.at[m] = slice->hint->symbols.symbols.at[k];
}
DAMAGE(symbols_short) {
    (void)hint;
    slice->hint->symbols.symbols.count--;
}
DAMAGE(symbols_missing) {
    (void)hint;
    slice->hint->symbols.symbols.at[0] = NO_SYM;
}
DAMAGE(symbol_other) {
    (void)hint;
    slice->hint->symbols.symbols.at[symbol_of(slice->after, "putchar").i] =
        symbol_of(slice->before, "setter");
}
DAMAGE(functions_none) {
    (void)hint;
    slice->hint->functions.count = 0;
}
DAMAGE(functions_twice) {
    vec_push(slice->arena, &slice->hint->functions, *hint);
}

static const SliceDamage damages[] = {
    {"next of a dropped node", next_of_dropped, "not the same"},
    {"next out of range", next_out_of_range, "is not kept"},
    {"next is not kept", next_not_kept, "is not kept"},
    {"next is none", next_none, "not the same"},
    {"next is any", next_any, "not the same"},
    {"too few nexts", next_short, "does not fit"},
    {"kept by the hint, not by the slice", kept_by_hint, "go on as from node 7"},
    {"the return is dropped", return_dropped,
     "at no kept node|no kept node of|not the same|next of"},
    {"the return never returns", return_any, "return that is left out|is not kept"},
    {"the branch is dropped", branch_dropped, "not the same|is not kept"},
    {"a node out of range", old_out_of_range, "no kept node|go on as"},
    {"a node that is dropped", old_dropped, "no kept node|go on as"},
    {"another node", old_other, "this is not what|go on as"},
    {"a node that is none", old_missing, "go on as|begin"},
    {"too few nodes", old_short, "does not fit"},
    {"registers swapped", regs_swapped, "this is not what|no other"},
    {"two registers for one", regs_same, "no other one"},
    {"a register that is none", regs_missing, "this is not what|go on"},
    {"a register out of range", regs_out_of_range, "no other one"},
    {"parameters swapped", params_swapped, "parameter 0 has changed"},
    {"another slot", slot_other, "this is not what"},
    {"a slot that is none", slot_missing, "this is not what"},
    {"a slot out of range", slot_out_of_range, "no other one"},
    {"nothing is relevant", relevant_empty, "matters in front of"},
    {"less is relevant", relevant_less, "matters in front of"},
    {"a variable out of range", relevant_out_of_range, "do not fit"},
    {"lists that fall", relevant_falls, "do not fit"},
    {"lists of other blocks", relevant_shifted, "matters in front of|sets"},
    {"something dropped is relevant", relevant_more, "is left out, sets %prod|%prod matters"},
    {"the point is moved", point_moved, "at no kept node"},
    {"the point is nowhere", point_out_of_range, "at no kept node"},
    {"a point of no variable", point_of_nothing, "of no variable"},
    {"a point of another variable", point_of_more, "is left out, sets %prod|%prod matters"},
    {"a point of output", point_of_output, "is left out, sets output|output matters"},
    {"output at the exits", exit_of_output, "is left out, sets output|output matters"},
    {"nothing at the exits", exit_of_nothing, "do not fit"},
    {"memory at the exits", outputs_claimed, "is left out, sets memory"},
    {"inputs left out", inputs_missing, "reads more than its inputs"},
    {"parameters left out", params_missing, "reads more than its inputs"},
    {"another function", other_function, "'f' is not what it was|does not fit"},
    {"no function", no_function, "no other one of the slice"},
    {"data instead of a function", data_for_function, "no other one of the slice"},
    {"an assumption of no branch", assumed_of_nothing, "of no other branch"},
    {"an assumption of no way", assumed_way, "of no other branch"},
    {"symbols swapped", symbols_swapped, "this is not what"},
    {"two symbols for one", symbols_same, "no other one"},
    {"too few symbols", symbols_short, "does not fit"},
    {"a symbol that is none", symbols_missing, "no other one"},
    {"another symbol", symbol_other, "is not what it was"},
    {"no functions", functions_none, "no function was sliced"},
    {"a function twice", functions_twice, "no other one of the slice"},
};

static void test_hints(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        Slice slice = slice_of(slice_text);
        damages[i].damage(&slice, &slice.hint->functions.at[0]);
        Verdict verdict = check(&slice);
        if (verdict.accepted) fail_msg("%s: accepted", damages[i].what);
        if (!has_one(verdict.reason, damages[i].reason))
            fail_msg("%s: rejected for another reason: %s", damages[i].what, verdict.reason);
        arena_free(slice.arena);
    }
    print_message("%u forged\n", (uint32_t)(sizeof damages / sizeof damages[0]));
}

// ---- Several functions

enum { MOST_FUNCTIONS = 4 };

// Functions of a text, of which nodes are left out, with what others ask of them at their exits.
// The first is f, and a variable at one of its nodes is asked for.
typedef struct {
    const char *what;
    const char *text;
    uint32_t node;
    const char *variable;
    struct {
        const char *name, *dropped;
        SliceWorldSet outputs;
    } functions[MOST_FUNCTIONS];
    const char *reason; // NULL: it is accepted
    void (*damage)(Slice *slice, SliceFunctionHint *hint);
} CallCase;

#define MEMORY_OUT  ((SliceWorldSet)1 << SLICE_MEMORY)
#define ALL_OUTPUTS (SLICE_EVERYTHING | SLICE_RESULT)

// g yields twice its first parameter, and stores the second.
#define CALLS                                                                                      \
    "global @m size 4 align 4\n"                                                                   \
    "function i32 @f(i32 %a, i32 %b) {\n"                                                          \
    "  0: %y = mul.i32 %b, 7\n"                                                                    \
    "  1: %x = add.i32 %a, 1\n"                                                                    \
    "  2: %r = call @g(%x, %y)\n"                                                                  \
    "  3: %u = add.i32 %r, 1\n"                                                                    \
    "  4: %s = load.i32 [@m]\n"                                                                    \
    "  5: %v = add.i32 %s, 1\n"                                                                    \
    "  6: %t = add.i32 %u, %v\n"                                                                   \
    "  7: return %t\n"                                                                             \
    "}\n"                                                                                          \
    "function i32 @g(i32 %x, i32 %y) static {\n"                                                   \
    "  0: store.i32 [@m], %y\n"                                                                    \
    "  1: %r = mul.i32 %x, 2\n"                                                                    \
    "  2: return %r\n"                                                                             \
    "}\n"

// f calls what @t tells, perhaps g, which stores. Behind the signatures stand types in C.
#define BY_ADDRESS(call, g)                                                                        \
    "function i32 @f(i32 %a) {\n"                                                                  \
    "  0: %p = load.i64 [@t]\n"                                                                    \
    "  1: %r = call i32(i32)" call " %p(%a)\n"                                                     \
    "  2: %s = load.i32 [@m]\n"                                                                    \
    "  3: return %s\n"                                                                             \
    "}\n"                                                                                          \
    "function i32 @g(i32 %x)" g " static {\n"                                                      \
    "  0: store.i32 [@m], %x\n"                                                                    \
    "  1: return %x\n"                                                                             \
    "}\n"                                                                                          \
    "global @m size 4 align 4\n"                                                                   \
    "global @t size 8 align 8 = addr @g\n"

// h, which f calls, calls what @t tells, perhaps g, which stores.
#define UNCHANGED(call, args)                                                                      \
    "function i32 @f(i32 %a) {\n"                                                                  \
    "  0: %r = call @h(%a)\n"                                                                      \
    "  1: return %r\n"                                                                             \
    "}\n"                                                                                          \
    "function i32 @h(i32 %a) static {\n"                                                           \
    "  0: %p = load.i64 [@t]\n"                                                                    \
    "  1: %r = call " call " %p" args "\n"                                                         \
    "  2: %s = load.i32 [@m]\n"                                                                    \
    "  3: return %s\n"                                                                             \
    "}\n"                                                                                          \
    "function i32 @g(i32 %x) as 9 static {\n"                                                      \
    "  0: store.i32 [@m], %x\n"                                                                    \
    "  1: return %x\n"                                                                             \
    "}\n"                                                                                          \
    "global @m size 4 align 4\n"                                                                   \
    "global @t size 8 align 8 = addr @g\n"

// f calls itself.
#define RECURSIVE                                                                                  \
    "global @m size 4 align 4\n"                                                                   \
    "function i32 @f(i32 %a, i32 %b) {\n"                                                          \
    "  0: store.i32 [@m], %b\n"                                                                    \
    "  1: if le.i32 %a, 0 then 6 else 2\n"                                                         \
    "  2: %x = sub.i32 %a, 1\n"                                                                    \
    "  3: %r = call @f(%x, %b)\n"                                                                  \
    "  4: %r = add.i32 %r, %a\n"                                                                   \
    "  5: return %r\n"                                                                             \
    "  6: %z = const.i32 0\n"                                                                      \
    "  7: return %z\n"                                                                             \
    "}\n"

// g, which h calls, may end with a jump to h's caller.
#define JUMPS                                                                                      \
    "global @m size 4 align 4\n"                                                                   \
    "extern function void @longjmp(i64, i32) noreturn\n"                                           \
    "extern function i32 @setjmp(i64) returns_twice\n"                                             \
    "function i32 @f(i64 %p, i32 %a) {\n"                                                          \
    "  0: %r = call @k(%p, %a)\n"                                                                  \
    "  1: return %r\n"                                                                             \
    "}\n"                                                                                          \
    "function i32 @k(i64 %p, i32 %a) static {\n"                                                   \
    "  0: %r = call @setjmp(%p)\n"                                                                 \
    "  1: if ne.i32 %r, 0 then 3 else 2\n"                                                         \
    "  2: call @h(%p, %a)\n"                                                                       \
    "  3: return %r\n"                                                                             \
    "}\n"                                                                                          \
    "function void @h(i64 %p, i32 %a) static {\n"                                                  \
    "  0: call @g(%p, %a)\n"                                                                       \
    "  1: return\n"                                                                                \
    "}\n"                                                                                          \
    "function void @g(i64 %p, i32 %a) static {\n"                                                  \
    "  0: if lt.i32 %a, 2 then 2 else 1\n"                                                         \
    "  1: call @longjmp(%p, %a)\n"                                                                 \
    "  2: return\n"                                                                                \
    "}\n"

DAMAGE(callee_outputs) {
    (void)hint;
    slice->hint->functions.at[1].outputs |= MEMORY_OUT;
}
DAMAGE(callee_params) {
    (void)hint;
    slice->hint->functions.at[1].params.count = 0;
}
DAMAGE(callee_unsliced) {
    (void)hint;
    slice->hint->functions.count = 1;
}

static void tell_type(Program *program, Sig *sig, uint16_t c_type) {
    SigInfo info = *program_sig_info(program, *sig);
    info.c_type = c_type;
    *sig = program_sig(program, info);
}

DAMAGE(other_type_in_c) {
    (void)hint;
    Func *func = (Func *)program_at(slice->after, symbol_of(slice->after, "f"))->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].kind != I_CALL) continue;
        Sig sig = {func->nodes.at[n].aux};
        tell_type(slice->after, &sig, 7);
        func->nodes.at[n].aux = sig.i;
    }
}

DAMAGE(function_of_other_type) {
    (void)hint;
    Symbol *symbol = program_at(slice->after, symbol_of(slice->after, "g"));
    tell_type(slice->after, &symbol->sig, 7);
    ((Func *)symbol->func)->sig = symbol->sig;
}

static const CallCase calls[] = {
    {"what is not written any more to a slot whose address is passed",
     "function i32 @f(i32 %a) {\n"
     "  slot $s size 4 align 4\n"
     "  0: store.i32 [$s], %a\n"
     "  1: %q = addr $s\n"
     "  2: %r = call @g(%q, %a)\n"
     "  3: %r = load.i32 [$s]\n  4: return %r\n"
     "}\n"
     "function i32 @g(i64 %t, i32 %x) static {\n"
     "  0: store.i32 [%t], %x\n  1: return %x\n"
     "}\n",
     4,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets $s",
     NULL},
    {"the same, and nobody reads the slot",
     "function i32 @f(i32 %a) {\n"
     "  slot $s size 4 align 4\n"
     "  0: store.i32 [$s], %a\n"
     "  1: %q = addr $s\n"
     "  2: %r = call @g(%q, %a)\n"
     "  3: return %r\n"
     "}\n"
     "function i32 @g(i64 %t, i32 %x) static {\n"
     "  0: store.i32 [%t], %x\n  1: return %x\n"
     "}\n",
     3,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"a slot that is not written any more, and read through its address",
     "function i32 @f(i32 %a) {\n"
     "  slot $s size 4 align 4\n"
     "  0: store.i32 [$s], %a\n"
     "  1: %q = addr $s\n"
     "  2: %r = call @g(%q, %a)\n"
     "  3: return %r\n"
     "}\n"
     "function i32 @g(i64 %t, i32 %x) static {\n"
     "  0: %y = load.i32 [%t]\n  1: %z = add.i32 %y, %x\n  2: return %z\n"
     "}\n",
     3,
     "%r",
     {{"f", "0", 0}, {"g", "", SLICE_RESULT}},
     "sets $s",
     NULL},
    {"an aggregate is copied to where a pointer leads",
     "global @m size 4 align 4\n"
     "function i32 @f(i64 %p, i32 %a) {\n"
     "  0: call @g(%a) into %p\n"
     "  1: %r = load.i32 [%p]\n"
     "  2: return %r\n"
     "}\n"
     "function agg(8 align 4: i64) @g(i32 %x) static {\n"
     "  slot $t size 8 align 4\n"
     "  0: %u = mul.i32 %x, 3\n"
     "  1: store.i32 [$t], %x\n"
     "  2: %q = addr $t\n"
     "  3: return %q\n"
     "}\n",
     2,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"the same, and the copy is of something else",
     "global @m size 4 align 4\n"
     "function i32 @f(i64 %p, i32 %a) {\n"
     "  0: call @g(%a) into %p\n"
     "  1: %r = load.i32 [%p]\n"
     "  2: return %r\n"
     "}\n"
     "function agg(8 align 4: i64) @g(i32 %x) static {\n"
     "  slot $t size 8 align 4\n"
     "  0: store.i32 [@m], %x\n"
     "  1: store.i32 [$t], %x\n"
     "  2: %q = addr $t\n"
     "  3: return %q\n"
     "}\n",
     2,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"a call by address of what sets nothing that matters",
     "global @t size 8 align 8 = addr @g\n"
     "global @m size 4 align 4\n"
     "function i32 @f(i32 %a) {\n"
     "  0: %p = load.i64 [@t]\n"
     "  1: %r = call i32(i32) %p(%a)\n"
     "  2: %s = load.i32 [@m]\n"
     "  3: return %s\n"
     "}\n"
     "extern function i32 @putchar(i32)\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: call @putchar(%x)\n"
     "  1: return %x\n"
     "}\n",
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"nothing left out of what jumps", JUMPS, 1, "%r", {{"f", "", 0}}, NULL, NULL},
    {"a jump is left out",
     JUMPS,
     1,
     "%r",
     {{"f", "", 0}, {"k", "", SLICE_RESULT}, {"h", "", 0}, {"g", "0 1", 0}},
     "may be left by a jump",
     NULL},
    {"a jump is left out of what does the same at its exits",
     JUMPS,
     1,
     "%r",
     {{"f", "", 0}, {"g", "0 1", SLICE_EVERYTHING}},
     "may be left by a jump",
     NULL},
    {"a call of what jumps is left out",
     JUMPS,
     1,
     "%r",
     {{"f", "", 0}, {"k", "", SLICE_RESULT}, {"h", "0", 0}},
     "may be left by a jump",
     NULL},
    {"a jump out of the run",
     "global @m size 4 align 4\n"
     "extern function void @longjmp(i64, i32) noreturn\n"
     "function i32 @f(i64 %p, i32 %a) {\n"
     "  0: if lt.i32 %a, 2 then 2 else 1\n"
     "  1: call @longjmp(%p, %a)\n"
     "  2: return %a\n"
     "}\n",
     2,
     "%a",
     {{"f", "0 1", 0}},
     NULL,
     NULL},
    {"a jump of a function that may be called again",
     "global @m size 4 align 4\n"
     "extern function void @longjmp(i64, i32) noreturn\n"
     "extern function i32 @setjmp(i64) returns_twice\n"
     "function i32 @f(i64 %p, i32 %a) {\n"
     "  0: if lt.i32 %a, 2 then 2 else 1\n"
     "  1: call @longjmp(%p, %a)\n"
     "  2: %r = call @k(%p, %a)\n"
     "  3: return %r\n"
     "}\n"
     "function i32 @k(i64 %p, i32 %a) static {\n"
     "  0: %r = call @setjmp(%p)\n"
     "  1: if ne.i32 %r, 0 then 3 else 2\n"
     "  2: %r = call @f(%p, %a)\n"
     "  3: return %r\n"
     "}\n",
     3,
     "%r",
     {{"f", "0 1", ALL_OUTPUTS}},
     "may be left by a jump",
     NULL},
    {"only the result",
     CALLS,
     3,
     "%r",
     {{"f", "0 4 5 6 7", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"only what is stored",
     CALLS,
     5,
     "%s",
     {{"f", "1 3 6 7", 0}, {"g", "1 2", MEMORY_OUT}},
     NULL,
     NULL},
    {"only what is stored, but the result is read",
     CALLS,
     5,
     "%s",
     {{"f", "1 6 7", 0}, {"g", "1 2", MEMORY_OUT}},
     "calls what does less now, sets %r",
     NULL},
    {"nothing left out of g", CALLS, 7, "%t", {{"f", "", 0}, {"g", "", ALL_OUTPUTS}}, NULL, NULL},
    {"the caller reads what g does not store",
     CALLS,
     7,
     "%t",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"the caller leaves out an input",
     CALLS,
     3,
     "%r",
     {{"f", "1 4 5 6 7", 0}, {"g", "0", SLICE_RESULT}},
     "sets %x",
     NULL},
    {"the caller leaves out an input of memory",
     CALLS,
     5,
     "%s",
     {{"f", "0 3 6 7", 0}, {"g", "1 2", MEMORY_OUT}},
     "sets %y",
     NULL},
    {"g leaves out what it promises",
     CALLS,
     3,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT | MEMORY_OUT}},
     "sets @m",
     NULL},
    {"g is said to promise more",
     CALLS,
     3,
     "%r",
     {{"f", "0 4 5 6 7", 0}, {"g", "0", SLICE_RESULT}},
     "sets @m|memory matters",
     callee_outputs},
    {"g is said to read less",
     CALLS,
     3,
     "%r",
     {{"f", "0 4 5 6 7", 0}, {"g", "0", SLICE_RESULT}},
     "reads more than its inputs",
     callee_params},
    {"g is not in the hint",
     CALLS,
     3,
     "%r",
     {{"f", "0 4 5 6 7", 0}, {"g", "0", SLICE_RESULT}},
     "'g' is not what it was",
     callee_unsliced},
    {"g leaves out its return",
     CALLS,
     3,
     "%r",
     {{"f", "0 4 5 6 7", 0}, {"g", "0 1 2", SLICE_RESULT}},
     "return that is left out",
     NULL},
    {"somebody else calls g",
     CALLS "function i32 @h(i32 %x) static {\n"
           "  0: %y = call @g(%x, %x)\n"
           "  1: return %y\n"
           "}\n",
     3,
     "%r",
     {{"f", "0 4 5 6 7", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"somebody whom f calls calls g",
     "global @m size 4 align 4\n"
     "function i32 @f(i32 %a) {\n"
     "  0: %r = call @h(%a)\n"
     "  1: return %r\n"
     "}\n"
     "function i32 @h(i32 %x) static {\n"
     "  0: %y = call @g(%x)\n"
     "  1: %z = load.i32 [@m]\n"
     "  2: return %z\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n",
     1,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "'g' does less than before",
     NULL},
    {"f has the address of g",
     "global @m size 4 align 4\n"
     "function i32 @f(i32 %a) {\n"
     "  0: %p = addr @g\n"
     "  1: %r = call i32(i32) %p(%a)\n"
     "  2: %s = load.i32 [@m]\n"
     "  3: return %s\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n",
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"data that f reads has the address of g",
     "global @m size 4 align 4\n"
     "global @t size 8 align 8 = addr @g\n"
     "function i32 @f(i32 %a) {\n"
     "  0: %p = load.i64 [@t]\n"
     "  1: %r = call i32(i32) %p(%a)\n"
     "  2: %s = load.i32 [@m]\n"
     "  3: return %s\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n",
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"somebody else tells the address of g",
     "function i32 @f(i32 %a) {\n"
     "  0: %p = load.i64 [@t]\n"
     "  1: %r = call i32(i32) %p(%a)\n"
     "  2: %s = load.i32 [@m]\n"
     "  3: return %s\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n"
     "global @m size 4 align 4\n"
     "global @t size 8 align 8\n"
     "function void @start() {\n"
     "  0: %p = addr @g\n"
     "  1: store.i64 [@t], %p\n"
     "  2: return\n"
     "}\n",
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"somebody else tells the address of g, whose result is enough",
     "function i32 @f(i32 %a) {\n"
     "  0: %p = load.i64 [@t]\n"
     "  1: %r = call i32(i32) %p(%a)\n"
     "  2: return %r\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n"
     "global @m size 4 align 4\n"
     "global @t size 8 align 8\n"
     "function void @start() {\n"
     "  0: %p = addr @g\n"
     "  1: store.i64 [@t], %p\n"
     "  2: return\n"
     "}\n",
     2,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"a call by address that does not fit g",
     "function i32 @f(i32 %a) {\n"
     "  0: %p = load.i64 [@t]\n"
     "  1: %r = call i32(i32, i32) %p(%a, %a)\n"
     "  2: %s = load.i32 [@m]\n"
     "  3: return %s\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n"
     "global @m size 4 align 4\n"
     "global @t size 8 align 8\n"
     "function void @start() {\n"
     "  0: %p = addr @g\n"
     "  1: store.i64 [@t], %p\n"
     "  2: return\n"
     "}\n",
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"a call by address of another type in C",
     BY_ADDRESS(" as 7", " as 9"),
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"a call by address of that type in C",
     BY_ADDRESS(" as 9", " as 9"),
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"a call by address that tells no type in C",
     BY_ADDRESS("", " as 9"),
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"a call by address of what tells no type in C",
     BY_ADDRESS(" as 7", ""),
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"a call by address that is given another type in C",
     BY_ADDRESS(" as 9", " as 9"),
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "this is not what node 1 of the original does",
     other_type_in_c},
    {"a function that is given another type in C",
     BY_ADDRESS(" as 9", " as 9"),
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "symbol 'g' is not what it was",
     function_of_other_type},
    {"something unchanged calls by address",
     "function i32 @f(i32 %a) {\n"
     "  0: %r = call @h(%a)\n"
     "  1: return %r\n"
     "}\n"
     "function i32 @h(i32 %a) static {\n"
     "  0: %p = load.i64 [@t]\n"
     "  1: %r = call i32(i32) %p(%a)\n"
     "  2: %s = load.i32 [@m]\n"
     "  3: return %s\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n"
     "global @m size 4 align 4\n"
     "global @t size 8 align 8\n"
     "function void @start() {\n"
     "  0: %p = addr @g\n"
     "  1: store.i64 [@t], %p\n"
     "  2: return\n"
     "}\n",
     1,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "'g' does less than before",
     NULL},
    {"something unchanged calls by address what is of another type in C",
     UNCHANGED("i32(i32) as 7", "(%a)"),
     1,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"something unchanged calls by address what is of that type in C",
     UNCHANGED("i32(i32) as 9", "(%a)"),
     1,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "'g' does less than before",
     NULL},
    {"something unchanged calls by address what has other parameters",
     UNCHANGED("i32() as 9", "()"),
     1,
     "%r",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     NULL,
     NULL},
    {"something outside may call g",
     "extern function void @outside(i32)\n"
     "function i32 @f(i32 %a) {\n"
     "  0: call @outside(%a)\n"
     "  1: %s = load.i32 [@m]\n"
     "  2: return %s\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n"
     "global @m size 4 align 4\n"
     "global @t size 8 align 8\n"
     "function void @start() {\n"
     "  0: %p = addr @g\n"
     "  1: store.i64 [@t], %p\n"
     "  2: return\n"
     "}\n",
     2,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "'g' does less than before",
     NULL},
    {"something called by address calls g",
     "function i32 @f(i32 %a) {\n"
     "  0: %p = load.i64 [@t]\n"
     "  1: %r = call i32(i32) %p(%a)\n"
     "  2: %s = load.i32 [@m]\n"
     "  3: return %s\n"
     "}\n"
     "function i32 @g(i32 %x) static {\n"
     "  0: store.i32 [@m], %x\n"
     "  1: return %x\n"
     "}\n"
     "function i32 @h(i32 %x) static {\n"
     "  0: %y = call @g(%x)\n"
     "  1: return %y\n"
     "}\n"
     "global @m size 4 align 4\n"
     "global @t size 8 align 8 = addr @h\n",
     3,
     "%s",
     {{"f", "", 0}, {"g", "0", SLICE_RESULT}},
     "'g' does less than before",
     NULL},
    {"f may be called again by its address",
     "function i32 @f(i32 %a) {\n"
     "  0: store.i32 [@m], %a\n"
     "  1: %p = load.i64 [@t]\n"
     "  2: %r = call i32(i32) %p(%a)\n"
     "  3: %s = load.i32 [%p]\n"
     "  4: return %s\n"
     "}\n"
     "global @m size 4 align 4\n"
     "global @t size 8 align 8 = addr @f\n",
     4,
     "%s",
     {{"f", "", SLICE_RESULT}},
     "calls what does less now, sets memory",
     NULL},
    {"g may be replaced",
     "function i32 @f(i32 %a, i32 %b) {\n"
     "  0: %y = mul.i32 %b, 7\n"
     "  1: %r = call @g(%a, %y)\n"
     "  2: return %r\n"
     "}\n"
     "function i32 @g(i32 %x, i32 %y) weak {\n"
     "  0: %z = add.i32 %x, %y\n"
     "  1: return %x\n"
     "}\n",
     2,
     "%r",
     {{"f", "0", 0}, {"g", "0", SLICE_RESULT}},
     "'g' does less than before",
     NULL},
    {"recursion, for the result", RECURSIVE, 1, "%a", {{"f", "0", SLICE_RESULT}}, NULL, NULL},
    {"recursion, for nothing at the exits",
     RECURSIVE,
     5,
     "%r",
     {{"f", "0", 0}},
     "calls what does less now, sets %r",
     NULL},
    {"recursion, for all", RECURSIVE, 1, "%a", {{"f", "0", ALL_OUTPUTS}}, "sets @m", NULL},
    {"recursion, with the store", RECURSIVE, 1, "%a", {{"f", "", ALL_OUTPUTS}}, NULL, NULL},
};

static Slice slice_of_calls(const CallCase *it) {
    Slice slice = {.arena = arena_new("slice")};
    SliceRequest requests[MOST_FUNCTIONS] = {0};
    Bits kept[MOST_FUNCTIONS];
    uint32_t count = 0;
    slice.before = parse(slice.arena, it->text);
    slice.func = program_at(slice.before, symbol_of(slice.before, "f"))->func;
    for (; count < MOST_FUNCTIONS && it->functions[count].name; count++) {
        SliceRequest *request = &requests[count];
        request->symbol = symbol_of(slice.before, it->functions[count].name);
        kept[count] = all_but(slice.arena, program_at(slice.before, request->symbol)->func,
                              it->functions[count].dropped);
        request->kept = &kept[count];
        request->outputs = it->functions[count].outputs;
    }
    add_points(&slice, (Node){it->node}, it->variable, &requests[0]);
    slice.after = program_twin(slice.arena, slice.before);
    SliceHint *first = slice_hint_make(slice.arena, slice.before, slice.after, requests, count);
    Random random = random_from(it->node);
    for (uint32_t i = 0; i < count; i++)
        slice_cut(slice.arena, &random, slice.after, requests[i].symbol,
                  first->functions.at[i].next.at);
    slice.hint = slice_hint_make(slice.arena, slice.before, slice.after, requests, count);
    return slice;
}

static void test_calls(void **state) {
    (void)state;
    uint32_t forged = 0, count = sizeof calls / sizeof calls[0];
    for (uint32_t i = 0; i < count; i++) {
        Slice slice = slice_of_calls(&calls[i]);
        if (calls[i].damage) calls[i].damage(&slice, &slice.hint->functions.at[0]);
        expect(&slice, calls[i].what, calls[i].reason);
        forged += calls[i].reason != NULL;
    }
    print_message("%u forged, %u right\n", forged, count - forged);
}

// Where the original returns, the slice must not trap instead, even if nothing that is kept
// follows.
static void test_ends(void **state) {
    (void)state;
    static const char returned[] = "1 4 5 8 12 13 19 21 22 23 24 25";
    for (uint32_t traps = 0; traps < 2; traps++) {
        Slice slice = make_slice(loop, 21, "%r", returned);
        Func *after = (Func *)program_at(slice.after, symbol_of(slice.after, "f"))->func;
        uint32_t changed = 0;
        for (uint32_t n = 0; n < after->nodes.count; n++) {
            Instr *instr = &after->nodes.at[n];
            if (instr->kind != I_RETURN || !traps) continue;
            *instr = (Instr){.kind = I_BUILTIN, .op = BI_TRAP, .dest = NO_REG};
            changed++;
        }
        assert_int_equal(changed > 0, traps);
        expect(&slice, "an end", traps ? "go on as" : NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),     cmocka_unit_test(test_drops),
        cmocka_unit_test(test_cells),     cmocka_unit_test(test_apart),
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_edits),     cmocka_unit_test(test_ends),
        cmocka_unit_test(test_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
