// Every row of rules.def is proved by z3, with cvc5 as second opinion: no values exist for which the
// right-hand side is not as good as the left-hand side. The solvers run as processes over SMT-LIB text.
//
// Most rows are proved at their own widths. Products and quotients of 32 and 64 bits, and several
// unknown constants at once, take solvers too long: such rows are proved at 8 bits here, and the long
// test gives their full widths a minute each and prints which stay open. (For divisions by
// multiplication docs/rewriting.md has the proof for all widths, and test/unit/rules.c tries all
// divisors of 8 and 16 bits.)
#include "test/gen/effort.h"
#include "test/gen/rule_smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    RuleInfo rule;
    SmtWidths widths;
    char answer; // of the solver: 'u' for unsat, 's' for sat, '?' for unknown
} Question;

typedef struct {
    Question *at;
    uint32_t count;
} Questions;

static bool term_has(const RuleTerm *term, bool (*test)(RuleTerm)) {
    for (const RuleTerm *end = term_end(term); term < end; term += *term == TERM_NUMBER ? 2 : 1)
        if (test(*term)) return true;
    return false;
}
static bool rule_has(const RuleInfo *rule, bool (*test)(RuleTerm)) {
    return term_has(rule->from, test) || term_has(rule->to, test) || term_has(rule->when, test);
}

static bool is_product(RuleTerm term) {
    switch (op_family((Op)term)) {
    case FAM_MUL:
    case FAM_MULHS:
    case FAM_MULHU:
    case FAM_DIVS:
    case FAM_DIVU:
    case FAM_MODS:
    case FAM_MODU:
    case FAM_POPCOUNT: return type_is_int(op_info((Op)term)->at);
    default: return false;
    }
}
static bool is_second_constant(RuleTerm term) {
    return term == TERM_D;
}
static bool is_count(RuleTerm term) {
    return term == OP_SHL_I32 || term == OP_SHL_I64;
}
// What is about bytes, half words or words cannot be asked at another width.
static bool is_narrow(RuleTerm term) {
    switch (op_family((Op)term)) {
    case FAM_SEXT8:
    case FAM_SEXT16:
    case FAM_ZEXT8:
    case FAM_ZEXT16:
    case FAM_BSWAP: return true;
    default: return false;
    }
}
static bool is_widening(RuleTerm term) {
    return term == OP_SEXT_I64 || term == OP_ZEXT_I64 || term == OP_TRUNC_I32;
}
// What computes with floats; to choose one or to take its bits is not that.
static bool is_float(RuleTerm term) {
    if (term >= OP_COUNT) return false;
    const OpInfo *info = op_info((Op)term);
    bool has_float = !type_is_int(info->result);
    for (uint8_t i = 0; i < info->arity; i++) has_float |= !type_is_int(info->operand[i]);
    switch (info->family) {
    case FAM_CONST:
    case FAM_MOVE:
    case FAM_SELECT:
    case FAM_BITS_I32:
    case FAM_BITS_I64:
    case FAM_BITS_F32:
    case FAM_BITS_F64: return false;
    default: return has_float;
    }
}

// A row for i32 that goes through i64 keeps its meaning when both are smaller. In one for i64 words
// would be as long as double words: only counts and truth values may be.
static bool can_scale(const RuleInfo *rule) {
    if (rule_has(rule, is_narrow) || rule_has(rule, is_float)) return false;
    if (rule->width == TYPE_I32) return true;
    return !term_has(rule->from, is_widening) &&
           (!term_has(rule->to, is_widening) || rule_has(rule, is_product));
}
static bool is_hard(const RuleInfo *rule) {
    return can_scale(rule) && (rule_has(rule, is_product) || rule_has(rule, is_second_constant) ||
                               (term_has(rule->from, is_count) && term_has(rule->to, is_count)));
}

// ---- Asking

typedef struct {
    FILE *answers;
    Questions questions;
} Solver;

static Solver solver_start(const char *command, const char *file, Questions questions) {
    Out text = {0};
    for (uint32_t i = 0; i < questions.count; i++)
        rule_smt(&text, &questions.at[i].rule, questions.at[i].widths);
    assert_true(out_commit(&text, file));
    out_free(&text);
    char line[256];
    snprintf(line, sizeof line, "%s %s", command, file);
    FILE *answers = popen(line, "r");
    assert_non_null(answers);
    return (Solver){.answers = answers, .questions = questions};
}

static void solver_end(Solver *solver) {
    char line[256];
    for (uint32_t i = 0; i < solver->questions.count; i++) {
        Question *question = &solver->questions.at[i];
        if (!fgets(line, sizeof line, solver->answers)) fail_msg("the solver gave up early");
        if (strcmp(line, "unsat\n") == 0)
            question->answer = 'u';
        else if (strcmp(line, "sat\n") == 0)
            question->answer = 's';
        else if (strcmp(line, "unknown\n") == 0 || strcmp(line, "timeout\n") == 0)
            question->answer = '?';
        else
            fail_msg("%s: the solver says: %s", question->rule.name, line);
    }
    pclose(solver->answers);
}

static Questions questions_new(uint32_t capacity) {
    Question *at = calloc(capacity, sizeof *at);
    assert_non_null(at);
    return (Questions){.at = at};
}
static void ask(Questions *questions, const RuleInfo *rule, SmtWidths widths) {
    questions->at[questions->count++] = (Question){.rule = *rule, .widths = widths};
}

static uint32_t count_answers(const Questions *questions, char answer) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < questions->count; i++) count += questions->at[i].answer == answer;
    return count;
}

// None is wrong; at full width some may stay open, if `open` says so.
static void expect_proved(const char *solver, const Questions *questions, bool open) {
    for (uint32_t i = 0; i < questions->count; i++) {
        const Question *question = &questions->at[i];
        if (question->answer == 's' || (question->answer == '?' && !open))
            fail_msg("%s: rule %s at %u and %u bits: %s\n%s", solver, question->rule.name,
                     question->widths.i32, question->widths.i64,
                     question->answer == 's' ? "wrong" : "not decided", question->rule.text);
        if (question->answer == '?')
            print_message("  %s, %u bits, not decided by %s\n", question->rule.name,
                          question->rule.width == TYPE_I32 ? 32 : 64, solver);
    }
    print_message("%s: %u questions, %u proved, %u not decided\n", solver, questions->count,
                  count_answers(questions, 'u'), count_answers(questions, '?'));
}

static void prove(uint32_t z3_step, uint32_t cvc5_step, bool hard, uint32_t width,
                  const char *z3_command, const char *cvc5_command) {
    Questions z3 = questions_new(RULE_COUNT), cvc5 = questions_new(RULE_COUNT);
    for (uint32_t r = 0; r < RULE_COUNT; r++) {
        const RuleInfo *rule = &rule_table[r];
        if (is_hard(rule) != hard) continue;
        SmtWidths widths = width ? smt_scaled(rule, width) : SMT_FULL;
        if (r % z3_step == 0) ask(&z3, rule, widths);
        // cvc5 takes ten times as long as z3 for floats.
        if (r % (rule_has(rule, is_float) ? cvc5_step * 8 : cvc5_step) == 0 || cvc5_step == 1)
            ask(&cvc5, rule, widths);
    }
    Solver first = solver_start(z3_command, "z3.smt2", z3);
    Solver second = solver_start(cvc5_command, "cvc5.smt2", cvc5);
    solver_end(&first);
    solver_end(&second);
    expect_proved("z3", &z3, hard && !width);
    expect_proved("cvc5", &cvc5, hard && !width);
    free(z3.at);
    free(cvc5.at);
}

#define Z3(milliseconds)   "z3 -t:" #milliseconds
#define CVC5(milliseconds) "cvc5 --incremental --fp-exp --tlimit-per=" #milliseconds

static void test_full_width(void **state) {
    (void)state;
    prove((uint32_t)effort(40, 1, 1), (uint32_t)effort(80, 4, 1), false, 0, Z3(60000), CVC5(60000));
}

static void test_eight_bits(void **state) {
    (void)state;
    prove((uint32_t)effort(20, 1, 1), (uint32_t)effort(40, 2, 1), true, 8, Z3(120000),
          CVC5(120000));
}

static void test_hard_at_full_width(void **state) {
    (void)state;
    if (effort(0, 0, 1)) prove(1, 1, true, 0, Z3(15000), CVC5(15000));
}

// ---- Wrong rows are caught

#define TERM(...) ((const RuleTerm[]){__VA_ARGS__})
#define NUMBER(n) TERM_NUMBER, (n)

static void test_wrong_rows(void **state) {
    (void)state;
    const RuleInfo wrong[] = {
        {.name = "x + 0 is 0",
         .from = TERM(OP_ADD_I32, TERM_X, NUMBER(0)),
         .to = TERM(NUMBER(0)),
         .when = TERM(NUMBER(1))},
        {.name = "x - y is y - x",
         .from = TERM(OP_SUB_I64, TERM_X, TERM_Y),
         .to = TERM(OP_SUB_I64, TERM_Y, TERM_X),
         .when = TERM(NUMBER(1))},
        {.name = "signed division by a power of two is a shift",
         .from = TERM(OP_DIVS_I32, TERM_X, NUMBER(4)),
         .to = TERM(OP_SAR_I32, TERM_X, NUMBER(2)),
         .when = TERM(NUMBER(1))},
        {.name = "x < c is x <= c - 1, for the least c as well",
         .from = TERM(OP_LT_I32, TERM_X, TERM_C),
         .to = TERM(OP_LE_I32, TERM_X, OP_SUB_I32, TERM_C, NUMBER(1)),
         .when = TERM(NUMBER(1))},
        {.name = "x / x is 1, where x / 0 goes wrong: this one is right",
         .from = TERM(OP_DIVU_I32, TERM_X, TERM_X),
         .to = TERM(NUMBER(1)),
         .when = TERM(NUMBER(1))},
        {.name = "a division that was not there",
         .from = TERM(OP_AND_I32, TERM_X, NUMBER(0)),
         .to = TERM(OP_MUL_I32, NUMBER(0), OP_DIVU_I32, NUMBER(1), TERM_X),
         .when = TERM(NUMBER(1))},
        {.name = "an undefined comparison masked has defined bits",
         .from = TERM(OP_AND_I32, OP_EQ_I32, TERM_X, TERM_Y, NUMBER(1)),
         .to = TERM(OP_EQ_I32, TERM_X, TERM_Y),
         .when = TERM(NUMBER(1))},
        {.name = "the mask of a count keeps undefined bits away",
         .from = TERM(OP_SHL_I32, TERM_X, OP_AND_I32, TERM_Z, NUMBER(31)),
         .to = TERM(OP_SHL_I32, TERM_X, TERM_Z),
         .when = TERM(NUMBER(1))},
        {.name = "x + y compared with x, signed: overflow",
         .from = TERM(OP_LT_I32, OP_ADD_I32, TERM_X, NUMBER(1), TERM_X),
         .to = TERM(NUMBER(0)),
         .when = TERM(NUMBER(1))},
        {.name = "a < b is not the opposite of a > b",
         .from = TERM(OP_EQ_I32, OP_LT_F64, TERM_X, TERM_Y, NUMBER(0)),
         .to = TERM(OP_GE_F64, TERM_X, TERM_Y),
         .when = TERM(NUMBER(1))},
    };
    enum { COUNT = sizeof wrong / sizeof wrong[0], RIGHT = 4 };
    Questions z3 = questions_new(COUNT), cvc5 = questions_new(COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        RuleInfo rule = wrong[i];
        rule.width = TYPE_I32;
        ask(&z3, &rule, SMT_FULL);
        ask(&cvc5, &rule, SMT_FULL);
    }
    Solver first = solver_start(Z3(60000), "z3-wrong.smt2", z3);
    Solver second = solver_start(CVC5(60000), "cvc5-wrong.smt2", cvc5);
    solver_end(&first);
    solver_end(&second);
    for (uint32_t i = 0; i < COUNT; i++)
        if (z3.at[i].answer != (i == RIGHT ? 'u' : 's') || cvc5.at[i].answer != z3.at[i].answer)
            fail_msg("not as it should be: %s", wrong[i].name);
    free(z3.at);
    free(cvc5.at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_rows), cmocka_unit_test(test_full_width),
        cmocka_unit_test(test_eight_bits), cmocka_unit_test(test_hard_at_full_width)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
