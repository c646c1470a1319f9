// Forged outputs of code generation to mach0: register assignments, placements of copies, orders,
// labels and jumps that check_mach0_build must reject, each for the right reason; and some that it
// must accept, though mach0_build does not make them.
#include "check/checkers.h"
#include "form/mach0.h"
#include "pass/pass.h"
#include "test/gen/forge.h"
#include "test/gen/random_func.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Two phis that hand a value on around a loop, a load that a store spoils, what waits and what it
// waits for.
static const char ssa[] = "function i32 @f(i64 %p.0, i32 %n.0) {\n"
                          "  reg i32 %u.0\n"
                          "  0: nop\n"
                          "  1: %i.1 = phi(0: %n.0, 6: %i.2)\n"
                          "  1: %s.1 = phi(0: %n.0, 6: %i.1)\n"
                          "  1: if gt.i32 %i.1, %s.1 then 2 else 7\n"
                          "  2: %a.1 = load.i32 [%p.0]\n"
                          "  3: store.i32 [%p.0], %i.1\n"
                          "  4: %b.1 = load.i32 [%p.0 + 4]\n"
                          "  5: %i.2 = sub.i32 %a.1, %b.1\n"
                          "  6: nop -> 1\n"
                          "  7: nop\n"
                          "  8: %r.1 = add.i32 %i.1, %s.1\n"
                          "  9: %d.1 = divs.i32 %r.1, %n.0\n"
                          "  10: check %r.1\n"
                          "  11: %q.1 = call @g(%r.1)\n"
                          "  12: %e.1 = load.i32 [%p.0]\n"
                          "  13: %z.1 = mul.i32 %e.1, %r.1\n"
                          "  14: switch %z.1 { 1: 15, 5: 16, default: 17 }\n"
                          "  15: return %q.1\n"
                          "  16: return %d.1\n"
                          "  17: return %u.0\n"
                          "}\n"
                          "extern function i32 @g(i32)\n"
                          "extern function i32 @h(i32)\n";

// A block that is its own predecessor: CP R1, R4; L3: NOP; CP R4, R2; ADD R2, 1, R3; CP R3, R4; JMP
// L3.
static const char itself[] = "function i32 @f(i64 %p.0, i32 %n.0) {\n"
                             "  0: nop\n"
                             "  1: %i.1 = phi(0: %n.0, 2: %j.1)\n"
                             "  1: %j.1 = add.i32 %i.1, 1\n"
                             "  2: nop -> 1\n"
                             "}\n";

// What mach0_build makes of the first, with the numbers of instructions:
//
//   0 L0: NOP  1 CP R1, R13  2 CP R1, R14  3 JMP L4
//   4 L4: NOP  5 CP R13, R2  6 CP R14, R3  7 BRN gt R2, R3, L8, L16
//   8 L8: NOP  9 READ [R0], R4  10 WRITE [R0], R2  11 READ [R0 + 4], R5  12 SUB R4, R5, R6
//              13 CP R6, R13  14 CP R2, R14  15 JMP L4
//   16 L16: NOP  17 ADD R2, R3, R7  18 DIVS R7, R1, R8  19 CHECK R7  20 CALL @g(R7), R9  21 READ
//              [R0], R10 22 MUL R10, R7, R11  23 SWITCH R11 { 1: L24, 5: L26, default: L28 }
//   24 L24: NOP  25 RETURN R9  26 L26: NOP  27 RETURN R8  28 L28: NOP  29 RETURN R12

static const char reads[] = "it reads what another one has set";
static const char waits[] = "something has passed it that has to wait for it";
static const char bytes[] = "an access to the same bytes has passed it";
static const char operation[] = "it is not an operation of the block";
static const char receives[] = "it is not the copy of a phi of the block";
static const char sends[] = "it is not the copy for a phi of the next block";
static const char start[] = "the copies of the phis are not at the start";
static const char one[] = "two values have one register";
static const char way[] = "a way leads elsewhere";

typedef struct {
    Arena *arena;
    const Func *before;
    Func *after;
    Mach0Hint hint;
} Made;

static Made make(Arena *arena, const char *text) {
    Made made = {.arena = arena, .before = forge_parse(arena, FORM_SSA, text)};
    made.after = mach0_build(arena, made.before, &(AsideOptions){0}, &made.hint);
    return made;
}

// ---- Damage: some instructions move, then the text changes, then numbers of the hint

enum { REGISTER_OF, CARRIER_OF, ROLE, NODE, PHI };

typedef struct {
    const char *reason; // NULL: accepted
    const char *text;   // NULL: the first
    uint32_t moves[2][2];
    Edit edits[MAX_EDITS];
    struct {
        uint32_t field, at, value;
        const char *reg; // of REGISTER_OF, in place of `at`
    } numbers[3];
    uint32_t number_count;
} Forged;

// Inside of a block, so that labels stay where they are.
static void move(Made *made, uint32_t from, uint32_t to) {
    Instr *nodes = made->after->nodes.at;
    Mach0Origin *origins = made->hint.origins.at;
    while (from != to) {
        uint32_t next = from < to ? from + 1 : from - 1;
        Instr instr = nodes[from];
        Mach0Origin origin = origins[from];
        nodes[from] = nodes[next];
        origins[from] = origins[next];
        nodes[next] = instr;
        origins[next] = origin;
        from = next;
    }
    for (uint32_t n = 0; n < made->after->nodes.count; n++)
        if (nodes[n].succ_count == 1 && !mach0_is_jump(&nodes[n]))
            func_set_succ(made->after, (Node){n}, 0, (Node){n + 1});
}

static void change(Made *made, const Forged *forged) {
    for (uint32_t i = 0; i < 2; i++) move(made, forged->moves[i][0], forged->moves[i][1]);
    if (forged->edits[0].from) made->after = forge_edit(made->arena, made->after, forged->edits);
    for (uint32_t i = 0; i < forged->number_count; i++) {
        uint32_t at = forged->numbers[i].at, value = forged->numbers[i].value;
        const char *reg = forged->numbers[i].reg;
        if (reg) at = forge_reg(made->before, reg).i;
        switch (forged->numbers[i].field) {
        case REGISTER_OF: made->hint.register_of.at[at] = value; break;
        case CARRIER_OF: made->hint.carrier_of.at[at] = value; break;
        case ROLE: made->hint.origins.at[at].role = value; break;
        case NODE: made->hint.origins.at[at].node = value; break;
        default: made->hint.origins.at[at].phi = value; break;
        }
    }
}

static void try_all(const Forged *forged, uint32_t count) {
    uint32_t refused = 0, bad = 0;
    for (uint32_t i = 0; i < count; i++) {
        Arena *arena = arena_new("forgery");
        Made made = make(arena, forged[i].text ? forged[i].text : ssa);
        change(&made, &forged[i]);
        Complaints complaints = {.arena = arena};
        if (!verify_func(&complaints, made.after))
            fail_msg("row %u is not well-formed: %s", i, complaints.list.at[0].message);
        Verdict verdict = check_mach0_build(arena, made.before, made.after, &made.hint);
        const char *found = verdict.accepted ? "accepted" : verdict.reason;
        const char *expected = forged[i].reason ? forged[i].reason : "accepted";
        refused += forged[i].reason != NULL;
        if (!strstr(found, expected)) {
            print_message("row %u: %s; expected: %s\n", i, found, expected);
            bad++;
        }
        arena_free(arena);
    }
    print_message("%u refused, %u accepted\n", refused, count - refused);
    assert_int_equal(bad, 0);
}

static const Forged orders[] = {
    {.reason = NULL},
    // One memory: a load is spoilt by the store behind it, and another needs it.
    {.reason = bytes, .moves = {{9, 10}}},
    {.reason = bytes, .moves = {{11, 10}}},
    {.reason = bytes, .moves = {{11, 9}}},
    {.reason = bytes, .moves = {{10, 12}}}, // the store last
    // Operands first.
    {.reason = reads, .moves = {{12, 11}}},
    {.reason = reads, .moves = {{12, 9}}},
    {.reason = reads, .moves = {{22, 21}}},
    {.reason = reads, .moves = {{17, 18}}},
    {.reason = reads, .moves = {{17, 22}}},
    // What waits, and what is chained.
    {.reason = NULL, .moves = {{18, 19}}}, // the division may come later
    {.reason = NULL, .moves = {{18, 22}}},
    {.reason = waits, .moves = {{21, 19}}}, // the load may not come before the check
    {.reason = waits, .moves = {{19, 20}}},
    {.reason = waits, .moves = {{21, 20}}}, // the load before the call
};

static const Forged copies[] = {
    // Copies to carriers may come as soon as there is a value; those of phis come first, in any
    // order.
    {.reason = NULL, .moves = {{14, 9}}},
    {.reason = NULL, .moves = {{13, 14}}},
    {.reason = NULL, .moves = {{5, 6}}},
    {.reason = NULL, .moves = {{1, 2}}},
    {.reason = reads, .moves = {{13, 12}}}, // before what computes the value
    {.reason = reads, .moves = {{13, 9}}},
    // The copies of phis: the wrong carrier, the wrong register, another way round, none, one
    // twice.
    {.reason = receives, .edits = {{"CP.i32 R13, R2", "CP.i32 R14, R2"}}},
    {.reason = receives,
     .edits = {{"CP.i32 R13, R2", "CP.i32 R13, R3"}, {"i32 R1) {\n", "i32 R1) {\n  reg i32 R2\n"}}},
    {.reason = receives,
     .edits = {{"CP.i32 R13, R2", "CP.i32 R2, R13"}, {"i32 R1) {\n", "i32 R1) {\n  reg i32 R2\n"}}},
    {.reason = receives, .edits = {{"CP.i32 R13, R2", "CP.i32 R1, R2"}}},
    {.reason = receives, .edits = {{"CP.i32 R13, R2", "NEG.i32 R13, R2"}}},
    {.reason = receives, .numbers = {{PHI, 5, 1, NULL}}, .number_count = 1},
    {.reason = receives, .numbers = {{PHI, 5, NO_ID, NULL}}, .number_count = 1},
    {.reason = "is there once",
     .edits = {{"CP.i32 R13, R2", "CP.i32 R14, R3"}, {"i32 R1) {\n", "i32 R1) {\n  reg i32 R2\n"}},
     .numbers = {{PHI, 5, 1, NULL}},
     .number_count = 1},
    // Those to carriers: of another argument, to another carrier, of the same phi twice.
    {.reason = sends, .edits = {{"CP.i32 R6, R13", "CP.i32 R2, R13"}}},
    {.reason = sends, .edits = {{"CP.i32 R6, R13", "CP.i32 R6, R14"}}},
    {.reason = sends, .edits = {{"CP.i32 R2, R14", "CP.i32 R13, R14"}}}, // the carrier itself
    {.reason = sends, .edits = {{"CP.i32 R2, R14", "CP.i32 R3, R14"}}},  // the other phi
    {.reason = sends, .numbers = {{PHI, 13, 1, NULL}}, .number_count = 1},
    {.reason = sends, .numbers = {{PHI, 13, 7, NULL}}, .number_count = 1},
    {.reason = "is there once",
     .edits = {{"CP.i32 R2, R14", "CP.i32 R6, R13"}},
     .numbers = {{PHI, 14, 0, NULL}},
     .number_count = 1},
    // A copy that says it is the other kind, or an operation.
    {.reason = receives, .numbers = {{ROLE, 13, MACH0_RECEIVE, NULL}}, .number_count = 1},
    {.reason = sends, .numbers = {{ROLE, 5, MACH0_SEND, NULL}}, .number_count = 1},
    {.reason = operation, .numbers = {{ROLE, 13, MACH0_OPERATION, NULL}}, .number_count = 1},
    // Behind the first operation; before the copy that has to come first; and where they belong.
    {.reason = start, .text = itself, .moves = {{4, 5}}},
    {.reason = start, .text = itself, .moves = {{6, 4}}},
    {.reason = start, .text = itself, .moves = {{4, 6}}},
    {.reason = reads, .text = itself, .moves = {{6, 5}}},
    {.reason = NULL, .text = itself},
};

static const Forged registers[] = {
    {.reason = one, .numbers = {{REGISTER_OF, 0, 4, "%b.1"}}, .number_count = 1},
    {.reason = one, .numbers = {{CARRIER_OF, 0, 14, NULL}}, .number_count = 1},
    {.reason = one, .numbers = {{CARRIER_OF, 0, 2, NULL}}, .number_count = 1},
    {.reason = one, .numbers = {{REGISTER_OF, 0, 1, "%u.0"}}, .number_count = 1},
    {.reason = "not there", .numbers = {{REGISTER_OF, 0, 99, "%b.1"}}, .number_count = 1},
    {.reason = "not there", .numbers = {{CARRIER_OF, 1, NO_ID, NULL}}, .number_count = 1},
    {.reason = "has no register", .numbers = {{REGISTER_OF, 0, NO_ID, "%b.1"}}, .number_count = 1},
    {.reason = "has no register", .numbers = {{REGISTER_OF, 0, NO_ID, "%u.0"}}, .number_count = 1},
    {.reason = "a parameter is in another register",
     .numbers = {{REGISTER_OF, 0, 4, "%n.0"}, {REGISTER_OF, 0, 1, "%a.1"}},
     .number_count = 2},
    {.reason = "another type",
     .numbers = {{REGISTER_OF, 0, 0, "%a.1"}, {REGISTER_OF, 0, 4, "%p.0"}},
     .number_count = 2},
    // Two values of one type that have changed places in the hint only.
    {.reason = operation,
     .numbers = {{REGISTER_OF, 0, 5, "%a.1"}, {REGISTER_OF, 0, 4, "%b.1"}},
     .number_count = 2},
    // A register of another value, and one that is set although nobody does.
    {.reason = operation, .edits = {{"SUB.i32 R4, R5, R6", "SUB.i32 R5, R4, R6"}}},
    {.reason = operation,
     .edits = {{"SUB.i32 R4, R5, R6", "SUB.i32 R4, R5, R7"},
               {"i32 R1) {\n", "i32 R1) {\n  reg i32 R6\n"}}},
    {.reason = operation, .edits = {{"SUB.i32 R4, R5, R6", "ADD.i32 R4, R5, R6"}}},
    {.reason = operation, .edits = {{"READ.i32 [R0 + 4]", "READ.i32 [R0 + 8]"}}},
    {.reason = operation, .edits = {{"READ.i32 [R0 + 4]", "READ.u16 [R0 + 4]"}}},
    {.reason = operation, .edits = {{"CALL @g(R7), R9", "CALL @h(R7), R9"}}},
    {.reason = operation,
     .edits = {{"CALL @g(R7), R9", "CALL @g(R7), R12"},
               {"i32 R1) {\n", "i32 R1) {\n  reg i32 R9\n"}}},
    {.reason = operation, .edits = {{"BRN gt.i32", "BRN ge.i32"}}},
    {.reason = operation, .edits = {{"CHECK R7", "CHECK R8"}}},
    {.reason = operation, .edits = {{"{ 1: L24", "{ 2: L24"}}},
    {.reason = operation, .edits = {{"RETURN R12", "RETURN R9"}}},
};

static const Forged blocks[] = {
    {.reason = way, .edits = {{"L8, L16\n", "L16, L8\n"}}},
    {.reason = way, .edits = {{"L8, L16\n", "L8, L8\n"}}},
    {.reason = way, .edits = {{"CP.i32 R2, R14\n      JMP L4", "CP.i32 R2, R14\n      JMP L8"}}},
    {.reason = way, .edits = {{"1: L24, 5: L26", "1: L26, 5: L24"}}},
    {.reason = way, .edits = {{"default: L28", "default: L24"}}},
    {.reason = "does not come first", .numbers = {{NODE, 0, 1, NULL}}, .number_count = 1},
    {.reason = "does not come first",
     .numbers = {{ROLE, 0, MACH0_OPERATION, NULL}},
     .number_count = 1},
    {.reason = "two labels", .numbers = {{NODE, 4, 0, NULL}}, .number_count = 1},
    {.reason = "the label of no block", .numbers = {{NODE, 8, 3, NULL}}, .number_count = 1},
    {.reason = "the label of no block", .numbers = {{NODE, 8, 999, NULL}}, .number_count = 1},
    {.reason = "it is no label", .numbers = {{ROLE, 9, MACH0_LABEL, NULL}}, .number_count = 1},
    {.reason = "a block is missing", .numbers = {{ROLE, 24, MACH0_JUMP, NULL}}, .number_count = 1},
    {.reason = "it has no part", .numbers = {{ROLE, 9, 77, NULL}}, .number_count = 1},
    // Labels of two blocks that have changed places.
    {.reason = way, .numbers = {{NODE, 24, 16, NULL}, {NODE, 26, 15, NULL}}, .number_count = 2},
    // Operations of another block, not there, a nop, another one of the block, one twice.
    {.reason = operation, .numbers = {{NODE, 9, 12, NULL}}, .number_count = 1},
    {.reason = operation, .numbers = {{NODE, 9, 999, NULL}}, .number_count = 1},
    {.reason = operation, .numbers = {{NODE, 9, 6, NULL}}, .number_count = 1},
    {.reason = operation, .numbers = {{NODE, 9, 4, NULL}}, .number_count = 1},
    {.reason = "is there once",
     .edits = {{"READ.i32 [R0 + 4], R5", "READ.i32 [R0], R4"},
               {"i32 R1) {\n", "i32 R1) {\n  reg i32 R5\n"}},
     .numbers = {{NODE, 11, 2, NULL}},
     .number_count = 1},
    // The end: a jump that is an operation, and the other way round.
    {.reason = operation, .numbers = {{ROLE, 15, MACH0_OPERATION, NULL}}, .number_count = 1},
    {.reason = "it is not the jump", .numbers = {{ROLE, 7, MACH0_JUMP, NULL}}, .number_count = 1},
    {.reason = "it is not the jump", .numbers = {{ROLE, 14, MACH0_JUMP, NULL}}, .number_count = 1},
};

static void test_orders(void **state) {
    (void)state;
    try_all(orders, sizeof orders / sizeof *orders);
}
static void test_copies(void **state) {
    (void)state;
    try_all(copies, sizeof copies / sizeof *copies);
}
static void test_registers(void **state) {
    (void)state;
    try_all(registers, sizeof registers / sizeof *registers);
}
static void test_blocks(void **state) {
    (void)state;
    try_all(blocks, sizeof blocks / sizeof *blocks);
}

// ---- Hints in which any number is anything, and too short ones

static void test_lengths(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 3; which++) {
        Arena *arena = arena_new("forgery");
        Made made = make(arena, ssa);
        if (which == 0) made.hint.origins.count--;
        if (which == 1) made.hint.register_of.count--;
        if (which == 2) made.hint.carrier_of.count--;
        Verdict verdict = check_mach0_build(arena, made.before, made.after, &made.hint);
        assert_false(verdict.accepted);
        assert_non_null(strstr(verdict.reason, "the hint does not fit"));
        arena_free(arena);
    }
}

static void test_numbers(void **state) {
    (void)state;
    static const uint32_t values[] = {0, 1, 5, 13, 29, 30, 999, NO_ID};
    uint32_t tried = 0;
    for (uint32_t field = REGISTER_OF; field <= PHI; field++)
        for (uint32_t at = 0; at < 30; at++)
            for (uint32_t v = 0; v < sizeof values / sizeof *values; v++) {
                Arena *arena = arena_new("forgery");
                Made made = make(arena, ssa);
                uint32_t count = field == REGISTER_OF  ? made.hint.register_of.count
                                 : field == CARRIER_OF ? made.hint.carrier_of.count
                                                       : made.hint.origins.count;
                if (at < count) {
                    Forged forged = {.numbers = {{field, at, values[v], NULL}}, .number_count = 1};
                    change(&made, &forged);
                    check_mach0_build(arena, made.before, made.after, &made.hint);
                    tried++;
                }
                arena_free(arena);
            }
    print_message("%u numbers changed\n", tried);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),    cmocka_unit_test(test_copies),
        cmocka_unit_test(test_registers), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_lengths),   cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
