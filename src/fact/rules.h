// The table of algebraic rewrites, rules.def, as data.
//
// A term is written in prefix order as a list of numbers: an operator of ops.def, followed by its
// operands; or one of the marks below. Rows and terms are constants of the program: nothing is
// built at start-up.
#pragma once

#include "form/program.h"
#include "form/value.h"

// The marks of a term beside operators.
enum {
    TERM_X = OP_COUNT, // variables for registers
    TERM_Z,
    TERM_Y, // for registers and constants
    TERM_W,
    TERM_C, // for constants
    TERM_D,
    TERM_M,
    TERM_S,
    TERM_NUMBER, // the integer that follows
    TERM_BITS,   // the width of the row
    TERM_TOP,    // that less one
    TERM_TOP64,  // 63
};

enum { TERM_VARIABLES = TERM_NUMBER - TERM_X };

typedef int32_t RuleTerm;

static inline bool term_allows_register(RuleTerm term) {
    return term >= TERM_X && term <= TERM_W;
}
static inline bool term_allows_constant(RuleTerm term) {
    return term >= TERM_Y && term <= TERM_S;
}
static inline bool term_is_literal(RuleTerm term) {
    return term >= TERM_NUMBER;
}

// The rows of i32, then those of i64.
typedef enum {
#define RULE(name, from, to, when) RULE_##name##_I32,
#define RULE32                     RULE
#include "fact/rules.def"
#define RULE(name, from, to, when) RULE_##name##_I64,
#define RULE64                     RULE
#include "fact/rules.def"
    RULE_COUNT,
    // Needs no row, since ops.def says all about it: an operator of constants is a constant.
    RULE_FOLD = RULE_COUNT
} Rule;

typedef struct {
    const char *name;
    uint8_t width;    // Type of the row
    const char *text; // as written in rules.def
    const RuleTerm *from;
    const RuleTerm *to;
    const RuleTerm *when;
    // A condition on registers, for which ranges (fact/range.h) must speak; NULL if there is none.
    const RuleTerm *guard;
    bool sure;         // the guard is defined and true; else true of the shadow
    uint8_t length[3]; // of the first three terms
} RuleInfo;

extern const RuleInfo rule_table[RULE_COUNT];

// The rows of term_rules.def: rows that are applied, then rows that are only proved.
typedef enum {
#define RULE(name, from, to, when) TERM_ROW_##name##_I32,
#define RULE32                     RULE
#include "fact/term_rules.def"
#define RULE(name, from, to, when) TERM_ROW_##name##_I64,
#define RULE64                     RULE
#include "fact/term_rules.def"
    TERM_RULE_COUNT,
    TERM_RULE_LAST = TERM_RULE_COUNT - 1,
#define LEMMA(name, from, to, when) TERM_ROW_##name##_I32,
#define LEMMA32                     LEMMA
#include "fact/term_rules.def"
#define LEMMA(name, from, to, when) TERM_ROW_##name##_I64,
#define LEMMA64                     LEMMA
#include "fact/term_rules.def"
    TERM_ROW_COUNT
} TermRow;

extern const RuleInfo term_rule_table[TERM_ROW_COUNT];
extern const uint16_t term_rule_roots[TERM_RULE_COUNT]; // operators of the left-hand sides

// The first operator of the left-hand side of each row, close together for the search for rules.
typedef struct {
    uint16_t root;  // its operator
    uint16_t inner; // the first mark of its first operand
} RuleHead;

extern const RuleHead rule_heads[RULE_COUNT];

const char *rule_name(Rule rule); // of RULE_FOLD, too

// The term after the one that starts here.
const RuleTerm *term_end(const RuleTerm *term);

// A register, or, if that is NO_REG, a constant.
typedef struct {
    Reg reg;
    Value value;
} RuleOperand;

// The values of the variables of a rule, by TERM_ number less TERM_X.
typedef struct {
    uint32_t bound; // bit k: variable k has an operand
    RuleOperand operand[TERM_VARIABLES];
} Bindings;

// The value of a literal (at `term`) as a constant of a type.
Value term_literal(const RuleTerm *term, Type width, Type type);
// Evaluates a term of a type that consists of constants. False if it holds a register or a variable
// that is not bound, or goes wrong. If true, *end points behind the term.
bool term_evaluate(const RuleTerm *term, Type width, Type type, const Bindings *bindings,
                   Value *result, const RuleTerm **end);
