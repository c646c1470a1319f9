// Every row of rules.def is proved at full width: no values exist for which the right-hand side is
// not as good as the left-hand side, undefined bits included. Solvers run as processes over SMT-LIB
// text.
//
// Most rows z3 decides as they are, with cvc5 as second opinion on a part of them (in the long test
// on all). Products, quotients and rows with several constants are proved in cases or in steps
// (rules_proof.txt), steps about integers by cvc5 or z3 as it says there. A table of what was
// proved, how, by whom and in how many seconds, is written to rules-proved.txt beside the tests'
// programs.
#include "test/gen/effort.h"
#include "test/gen/rule_proof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

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
static bool has_float(const RuleTerm *term) {
    for (const RuleTerm *end = term_end(term); term < end; term += *term == TERM_NUMBER ? 2 : 1)
        if (is_float(*term)) return true;
    return false;
}

// ---- Asking

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Ten minutes by the clock for a question that takes seconds: on a busy machine, too.
static const char *const commands[ASKED_COUNT] = {
    [ASK_Z3] = "z3 -t:600000",
    [ASK_CVC5] = "cvc5 --incremental --fp-exp --tlimit-per=600000",
    [ASK_CVC5_LINEAR] = "cvc5 --incremental --nl-ext=none --tlimit-per=600000"};

typedef struct {
    FILE *answers;
    Questions *questions;
} Solver;

static Solver solver_start(Asked who, const char *file, Questions *questions) {
    Out text = {0};
    for (uint32_t i = 0; i < questions->count; i++) out_text(&text, questions->at[i].text);
    assert_true(out_commit(&text, file));
    out_free(&text);
    char line[256];
    snprintf(line, sizeof line, "%s %s", commands[who], file);
    FILE *answers = popen(line, "r");
    assert_non_null(answers);
    return (Solver){.answers = answers, .questions = questions};
}

static void solver_end(Solver *solver) {
    char line[256];
    double before = now();
    for (uint32_t i = 0; i < solver->questions->count; i++) {
        Question *question = &solver->questions->at[i];
        if (!fgets(line, sizeof line, solver->answers)) fail_msg("the solver gave up early");
        question->seconds = now() - before;
        before += question->seconds;
        if (strcmp(line, "unsat\n") == 0)
            question->answer = 'u';
        else if (strcmp(line, "sat\n") == 0)
            question->answer = 's';
        else if (strcmp(line, "unknown\n") == 0 || strcmp(line, "timeout\n") == 0)
            question->answer = '?';
        else
            fail_msg("the solver says: %s of: %s", line, question->text);
    }
    pclose(solver->answers);
}

static void questions_free(Questions *questions) {
    for (uint32_t i = 0; i < questions->count; i++) free(questions->at[i].text);
    free(questions->at);
}

// ---- All rows

typedef struct {
    uint32_t asked, unsat;
    double seconds;
    bool by[ASKED_COUNT];
} Proved;

// Adds up the answers about each row; a wrong one is told at once.
static void note_answers(Asked who, const Questions *questions, Proved *proved) {
    for (uint32_t i = 0; i < questions->count; i++) {
        const Question *question = &questions->at[i];
        Proved *row = &proved[question->rule];
        if (question->answer != 'u')
            fail_msg("row %s is %s:\n%s\n%s", rule_table[question->rule].name,
                     question->answer == 's' ? "wrong" : "not decided",
                     rule_table[question->rule].text, question->text);
        row->asked++;
        row->unsat += question->answer == 'u';
        row->seconds += question->seconds;
        row->by[who == ASK_CVC5_LINEAR ? ASK_CVC5 : who] = true;
    }
}

static void write_table(const RuleHints *hints, const Proved *first, const Proved *second) {
    static const char *const how[] = {"bits", "bits, in cases", "integers, in steps"};
    Out text = {0};
    uint32_t proved = 0, twice = 0, skipped = 0;
    out_printf(&text, "# row\tbits\thow\tquestions\tprovers\tseconds\n");
    for (uint32_t r = 0; r < RULE_COUNT; r++) {
        bool z3 = first[r].by[ASK_Z3], cvc5 = first[r].by[ASK_CVC5] || second[r].by[ASK_CVC5];
        proved += first[r].asked > 0;
        twice += first[r].asked > 0 && second[r].asked > 0;
        skipped += first[r].asked == 0;
        out_printf(&text, "%s\t%u\t%s\t%u\t%s%s%s\t%.2f\n", rule_table[r].name,
                   rule_table[r].width == TYPE_I32 ? 32 : 64, how[how_proved(hints->starts[r])],
                   first[r].asked, z3 ? "z3" : "", z3 && cvc5 ? " " : "", cvc5 ? "cvc5" : "",
                   first[r].seconds + second[r].seconds);
    }
    print_message(
        "%u rows proved at full width, %u of them by both solvers, %u left to the long test\n",
        proved, twice, skipped);
    const char *built = getenv("BUILT");
    char path[1024];
    snprintf(path, sizeof path, "%s/rules-proved.txt", built ? built : ".");
    // A run that tries a sample keeps the table of a better one.
    if (!effort(1, 0, 0)) assert_true(out_commit(&text, path));
    out_free(&text);
}

// Rows for which cvc5 takes too long: products that are cut off, and two divisions that z3 turns
// into one.
static bool is_left_to_z3(Rule row) {
    static const char *const names[] = {"_MUL", "divs_not_negative", "mods_not_negative"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(rule_table[row].name, names[i])) return true;
    return false;
}

static bool is_in_sample(uint32_t rule, uint32_t step) {
    return rule % step == 0;
}

static void test_rows(void **state) {
    (void)state;
    const char *root = getenv("ROOT");
    char path[1024];
    snprintf(path, sizeof path, "%s/test/gen/rules_proof.txt", root ? root : ".");
    RuleHints hints = rule_hints_read(path);
    Questions by[ASKED_COUNT] = {{0}}, again = {0}, none[ASKED_COUNT] = {{0}};
    uint32_t step = (uint32_t)effort(40, 1, 1), second_step = (uint32_t)effort(80, 16, 1);
    for (uint32_t r = 0; r < RULE_COUNT; r++) {
        const char *hint = hints.starts[r];
        if (!is_in_sample(r, step) || (hint_takes_long(hint) && !effort(0, 0, 1))) continue;
        rule_questions(r, hint, &by[ASK_Z3], by);
        // cvc5 takes ten times as long as z3 for floats and for many cases.
        bool slow = has_float(rule_table[r].from), cases = how_proved(hint) == IN_CASES;
        if (how_proved(hint) != IN_STEPS && (!cases || effort(0, 0, 1)) &&
            is_in_sample(r, slow ? second_step * 8 : second_step) && !is_left_to_z3(r))
            rule_questions(r, hint, &again, none);
    }
    Solver z3 = solver_start(ASK_Z3, "z3.smt2", &by[ASK_Z3]);
    Solver linear = solver_start(ASK_CVC5_LINEAR, "linear.smt2", &by[ASK_CVC5_LINEAR]);
    solver_end(&linear);
    Solver cvc5 = solver_start(ASK_CVC5, "cvc5.smt2", &by[ASK_CVC5]);
    solver_end(&cvc5);
    Solver second = solver_start(ASK_CVC5, "again.smt2", &again);
    solver_end(&second);
    solver_end(&z3);
    Proved *first = calloc(RULE_COUNT, sizeof *first), *twice = calloc(RULE_COUNT, sizeof *twice);
    assert_true(first && twice);
    for (Asked who = 0; who < ASKED_COUNT; who++) note_answers(who, &by[who], first);
    note_answers(ASK_CVC5, &again, twice);
    write_table(&hints, first, twice);
    free(first);
    free(twice);
    for (Asked who = 0; who < ASKED_COUNT; who++) questions_free(&by[who]);
    questions_free(&again);
    rule_hints_free(&hints);
}

// ---- Terms

// A row for each thing that terms.c takes from the columns of ops.def.
typedef struct {
    RuleInfo rule;
    RuleTerm from[6], to[4];
} Column;

static const RuleTerm always[] = {TERM_NUMBER, 1};

static void ask_column(Column *column, Questions *questions, uint32_t number) {
    column->rule.width = TYPE_I32;
    column->rule.from = column->from;
    column->rule.to = column->to;
    column->rule.when = always;
    Out text = {0};
    rule_smt(&text, &column->rule, SMT_DEFINED);
    question_add(questions, number, &text);
}

// A comparison and its mirror image; its negation, which is it compared with zero; that it is 0 or
// 1.
static void ask_about_comparison(Op op, Questions *questions) {
    Column mirror = {.rule = {.name = "mirror"}, .from = {(RuleTerm)op, TERM_X, TERM_Y}};
    mirror.to[0] = (RuleTerm)op_mirror(op), mirror.to[1] = TERM_Y, mirror.to[2] = TERM_X;
    ask_column(&mirror, questions, op);
    Column other = {.rule = {.name = "negation"},
                    .from = {OP_EQ_I32, (RuleTerm)op, TERM_X, TERM_Y, TERM_NUMBER, 0}};
    other.to[0] = (RuleTerm)op_negation(op), other.to[1] = TERM_X, other.to[2] = TERM_Y;
    ask_column(&other, questions, op);
    Column same = {.rule = {.name = "truth"},
                   .from = {OP_NE_I32, (RuleTerm)op, TERM_X, TERM_Y, TERM_NUMBER, 0}};
    same.to[0] = (RuleTerm)op, same.to[1] = TERM_X, same.to[2] = TERM_Y;
    ask_column(&same, questions, op);
}

// What fact/comparison.c rests on: as x grows by one, a comparison with a constant, or whether a
// sum or difference with it overflows, changes only on entering one of the points that it tries.
static void ask_about_points(Op op, Questions *questions) {
    OpFamily family = op_family(op);
    Type type = op_info(op)->operand[0];
    if (!type_is_int(type) || family == FAM_MULO || family == FAM_NMULO) return;
    RuleTerm add = (RuleTerm)op_of(FAM_ADD, type), sub = (RuleTerm)op_of(FAM_SUB, type);
    RuleTerm ne = (RuleTerm)op_of(FAM_NE, type), shl = (RuleTerm)op_of(FAM_SHL, type);
    RuleTerm last[3] = {add, TERM_C,
                        TERM_D}; // C + 1, or where the overflow changes; D is 1 or the least
    bool sums = family == FAM_ADDO || family == FAM_NADDO;
    bool overflows = op_tells_overflow(op);
    bool back = family == FAM_RSUBO || family == FAM_NRSUBO;
    if (sums) last[0] = sub, last[1] = TERM_D, last[2] = TERM_C;
    const RuleTerm from[] = {OP_EQ_I32, (RuleTerm)op, add,          TERM_X, TERM_NUMBER,
                             1,         TERM_C,       (RuleTerm)op, TERM_X, TERM_C};
    const RuleTerm to[] = {TERM_NUMBER, 1};
    // x + 1 is none of: C, 0, the least (C and 0 only for comparisons), and the last; D is as said
    const RuleTerm compares[] = {
        OP_AND_I32, OP_AND_I32,  ne,          add,        TERM_X,      TERM_NUMBER,
        1,          TERM_C,      ne,          add,        TERM_X,      TERM_NUMBER,
        1,          TERM_NUMBER, 0,           OP_AND_I32, ne,          add,
        TERM_X,     TERM_NUMBER, 1,           shl,        TERM_NUMBER, 1,
        TERM_TOP,   ne,          add,         TERM_X,     TERM_NUMBER, 1,
        add,        TERM_C,      TERM_NUMBER, 1};
    const RuleTerm fits[] = {OP_AND_I32,
                             ne,
                             add,
                             TERM_X,
                             TERM_NUMBER,
                             1,
                             shl,
                             TERM_NUMBER,
                             1,
                             TERM_TOP,
                             OP_AND_I32,
                             (RuleTerm)op_of(FAM_EQ, type),
                             TERM_D,
                             shl,
                             TERM_NUMBER,
                             1,
                             TERM_TOP,
                             ne,
                             add,
                             TERM_X,
                             TERM_NUMBER,
                             back ? 0 : 1,
                             back ? sub : last[0],
                             back ? TERM_C : last[1],
                             back ? TERM_D : last[2]};
    RuleInfo rule = {.name = "points",
                     .width = (uint8_t)type,
                     .from = from,
                     .to = to,
                     .when = overflows ? fits : compares};
    Out text = {0};
    rule_smt(&text, &rule, SMT_DEFINED);
    question_add(questions, op, &text);
}

static void ask_about_exchange(Op op, Questions *questions) {
    Column column = {.rule = {.name = "exchange"},
                     .from = {(RuleTerm)op, TERM_X, TERM_Y},
                     .to = {(RuleTerm)op, TERM_Y, TERM_X}};
    ask_column(&column, questions, op);
}

// What terms.c does with operators, and what it rests on: all is proved, of values that are
// defined.
// Whether a term is that of a row with Y in the place of C.
static bool is_term_of(const RuleTerm *term, const RuleTerm *of) {
    const RuleTerm *end = term_end(of);
    if (term_end(term) - term != end - of) return false;
    for (; of < end; term++, of++)
        if (*term != (*of == TERM_C ? (RuleTerm)TERM_Y : *of)) return false;
    return true;
}

// A remainder by a number is proved in steps as a row of rules.def, where the divisor is a constant
// other than 0, but any: its bits are defined, as those of all terms are here. By 0 there is
// neither remainder nor quotient.
static bool is_proved_as_row(const RuleInfo *row) {
    static const RuleTerm not_zero[2][4] = {{OP_NE_I32, TERM_C, TERM_NUMBER, 0},
                                            {OP_NE_I64, TERM_C, TERM_NUMBER, 0}};
    Op op = (Op)row->from[0];
    if (op >= OP_COUNT || (op_family(op) != FAM_MODU && op_family(op) != FAM_MODS)) return false;
    for (uint32_t r = 0; r < RULE_COUNT; r++) {
        const RuleInfo *rule = &rule_table[r];
        if (rule->width == row->width && is_term_of(row->from, rule->from) &&
            is_term_of(row->to, rule->to) && term_end(rule->when) - rule->when == 4 &&
            memcmp(rule->when, not_zero[rule->width == TYPE_I64], sizeof not_zero[0]) == 0)
            return true;
    }
    return false;
}

static void test_terms(void **state) {
    (void)state;
    Questions rows = {0}, columns = {0};
    uint32_t step = (uint32_t)effort(20, 1, 1), exchanged = 0, compared = 0, known = 0;
    for (uint32_t r = 0; r < TERM_ROW_COUNT; r++) known += is_proved_as_row(&term_rule_table[r]);
    assert_int_equal(known, 4);
    for (uint32_t r = 0; r < TERM_ROW_COUNT; r += step) {
        if (is_proved_as_row(&term_rule_table[r])) continue;
        Out text = {0};
        rule_smt(&text, &term_rule_table[r], SMT_DEFINED);
        question_add(&rows, r, &text);
    }
    for (Op op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        bool exchanges = info->arity == 2 && info->flags & OPF_COMM;
        if (info->flags & OPF_COND && ++compared % step == 0) {
            ask_about_comparison(op, &columns);
            ask_about_points(op, &columns);
        }
        if (!exchanges || info->flags & OPF_COND) continue;
        assert_true(
            type_is_int(info->at)); // no sum or product of floats: of two NaNs one is chosen
        if (++exchanged % step == 0) ask_about_exchange(op, &columns);
    }
    Solver first = solver_start(ASK_Z3, "terms.smt2", &rows);
    Solver second = solver_start(ASK_Z3, "columns.smt2", &columns);
    solver_end(&first);
    solver_end(&second);
    for (uint32_t i = 0; i < rows.count; i++)
        if (rows.at[i].answer != 'u')
            fail_msg("%s: %c", term_rule_table[rows.at[i].rule].name, rows.at[i].answer);
    for (uint32_t i = 0; i < columns.count; i++)
        if (columns.at[i].answer != 'u')
            fail_msg("%s: %s", op_info((Op)columns.at[i].rule)->name, columns.at[i].text);
    print_message("%u rows of terms proved at full width, and %u of the columns of ops.def\n",
                  rows.count, columns.count);
    assert_true(step > 1 || (rows.count + known == TERM_ROW_COUNT && columns.count > 150));
    questions_free(&rows);
    questions_free(&columns);
}

// Of a number that is not 0, that shifted right by the count of its trailing zeros and back is it
// itself: what rule_int.c says of ctz.
static void test_trailing_zeros(void **state) {
    (void)state;
    static const RuleTerm from[] = {OP_SHL_I64, OP_SHR_I64,   TERM_C,     OP_TRUNC_I32, OP_CTZ_I64,
                                    TERM_C,     OP_TRUNC_I32, OP_CTZ_I64, TERM_C};
    static const RuleTerm to[] = {TERM_C}, when[] = {OP_NE_I64, TERM_C, TERM_NUMBER, 0};
    RuleInfo rule = {.name = "ctz", .width = TYPE_I64, .from = from, .to = to, .when = when};
    Questions questions = {0};
    Out text = {0};
    rule_smt(&text, &rule, SMT_FULL);
    question_add(&questions, 0, &text);
    Solver solver = solver_start(ASK_Z3, "ctz.smt2", &questions);
    solver_end(&solver);
    assert_int_equal(questions.at[0].answer, 'u');
    questions_free(&questions);
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
        {.name = "the mask of a count is needless, though it takes a bit that counts",
         .from = TERM(OP_SHL_I32, TERM_X, OP_AND_I32, TERM_Z, NUMBER(15)),
         .to = TERM(OP_SHL_I32, TERM_X, TERM_Z),
         .when = TERM(NUMBER(1))},
        {.name = "x + y compared with x, signed: overflow",
         .from = TERM(OP_LT_I32, OP_ADD_I32, TERM_X, NUMBER(1), TERM_X),
         .to = TERM(NUMBER(0)),
         .when = TERM(NUMBER(1))},
        {.name = "a product by any constant is a shift: POWER(C) left out",
         .from = TERM(OP_MUL_I32, TERM_X, TERM_C),
         .to = TERM(OP_SHL_I32, TERM_X, OP_CTZ_I32, TERM_C),
         .when = TERM(NUMBER(1))},
        {.name = "c - x is not x - c: a sign",
         .from = TERM(OP_ADD_I64, OP_SUB_I64, TERM_C, TERM_X, TERM_D),
         .to = TERM(OP_SUB_I64, TERM_X, OP_ADD_I64, TERM_C, TERM_D),
         .when = TERM(NUMBER(1))},
        {.name = "a half word is extended as a byte: a width",
         .from = TERM(OP_AND_I32, TERM_X, NUMBER(65535)),
         .to = TERM(OP_ZEXT8_I32, TERM_X),
         .when = TERM(NUMBER(1))},
        {.name = "extended with zeros, the mask being negative: GE(C, 0) left out",
         .from = TERM(OP_SEXT_I64, OP_AND_I32, TERM_X, TERM_C),
         .to = TERM(OP_ZEXT_I64, OP_AND_I32, TERM_X, TERM_C),
         .when = TERM(NUMBER(1))},
        {.name = "x - c overflows as x + -c does, the least c as well",
         .from = TERM(OP_SUBO_I32, TERM_X, TERM_C),
         .to = TERM(OP_ADDO_I32, TERM_X, OP_NEG_I32, TERM_C),
         .when = TERM(NUMBER(1))},
        {.name = "bits that both constants have: EQ(AND(C, D), 0) left out",
         .from = TERM(OP_AND_I32, OP_OR_I32, TERM_X, TERM_C, TERM_D),
         .to = TERM(OP_AND_I32, TERM_X, TERM_D),
         .when = TERM(NUMBER(1))},
        {.name = "a shift out of the word: SHORT left out",
         .from = TERM(OP_SHL_I32, OP_SHL_I32, TERM_X, TERM_C, TERM_D),
         .to = TERM(OP_SHL_I32, TERM_X, OP_ADD_I32, TERM_C, TERM_D),
         .when = TERM(NUMBER(1))},
        {.name = "a < b is not the opposite of a > b",
         .from = TERM(OP_EQ_I32, OP_LT_F64, TERM_X, TERM_Y, NUMBER(0)),
         .to = TERM(OP_GE_F64, TERM_X, TERM_Y),
         .when = TERM(NUMBER(1))},
    };
    enum { COUNT = sizeof wrong / sizeof wrong[0], RIGHT = 4 };
    Questions z3 = {0}, cvc5 = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        RuleInfo rule = wrong[i];
        rule.width = TYPE_I32;
        Out text = {0}, copy = {0};
        rule_smt(&text, &rule, SMT_FULL);
        rule_smt(&copy, &rule, SMT_FULL);
        question_add(&z3, i, &text);
        question_add(&cvc5, i, &copy);
    }
    Solver first = solver_start(ASK_Z3, "z3-wrong.smt2", &z3);
    Solver second = solver_start(ASK_CVC5, "cvc5-wrong.smt2", &cvc5);
    solver_end(&first);
    solver_end(&second);
    for (uint32_t i = 0; i < COUNT; i++)
        if (z3.at[i].answer != (i == RIGHT ? 'u' : 's') || cvc5.at[i].answer != z3.at[i].answer)
            fail_msg("not as it should be: %s", wrong[i].name);
    questions_free(&z3);
    questions_free(&cvc5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_rows),
                                       cmocka_unit_test(test_trailing_zeros),
                                       cmocka_unit_test(test_terms), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
