// The rows of rules.def as terms: the constructors in the rows expand to prefix code.
#include "fact/rules.h"

#include "fact/eval.h"

// clang-format off

// Operators of the row's width, with their operands (whose number the tests check).
#define ADD(...)      OPERATOR(ADD), __VA_ARGS__
#define SUB(...)      OPERATOR(SUB), __VA_ARGS__
#define MUL(...)      OPERATOR(MUL), __VA_ARGS__
#define MULHU(...)    OPERATOR(MULHU), __VA_ARGS__
#define MULHS(...)    OPERATOR(MULHS), __VA_ARGS__
#define DIVU(...)     OPERATOR(DIVU), __VA_ARGS__
#define DIVS(...)     OPERATOR(DIVS), __VA_ARGS__
#define MODU(...)     OPERATOR(MODU), __VA_ARGS__
#define MODS(...)     OPERATOR(MODS), __VA_ARGS__
#define NEG(...)      OPERATOR(NEG), __VA_ARGS__
#define AND(...)      OPERATOR(AND), __VA_ARGS__
#define OR(...)       OPERATOR(OR), __VA_ARGS__
#define XOR(...)      OPERATOR(XOR), __VA_ARGS__
#define NOT(...)      OPERATOR(NOT), __VA_ARGS__
#define SHL(...)      OPERATOR(SHL), __VA_ARGS__
#define SHR(...)      OPERATOR(SHR), __VA_ARGS__
#define SAR(...)      OPERATOR(SAR), __VA_ARGS__
#define ROTL(...)     OPERATOR(ROTL), __VA_ARGS__
#define ROTR(...)     OPERATOR(ROTR), __VA_ARGS__
#define CLZ(...)      OPERATOR(CLZ), __VA_ARGS__
#define CTZ(...)      OPERATOR(CTZ), __VA_ARGS__
#define POPCOUNT(...) OPERATOR(POPCOUNT), __VA_ARGS__
#define EQ(...)       OPERATOR(EQ), __VA_ARGS__
#define NE(...)       OPERATOR(NE), __VA_ARGS__
#define LT(...)       OPERATOR(LT), __VA_ARGS__
#define LE(...)       OPERATOR(LE), __VA_ARGS__
#define GT(...)       OPERATOR(GT), __VA_ARGS__
#define GE(...)       OPERATOR(GE), __VA_ARGS__
#define ULT(...)      OPERATOR(ULT), __VA_ARGS__
#define ULE(...)      OPERATOR(ULE), __VA_ARGS__
#define UGT(...)      OPERATOR(UGT), __VA_ARGS__
#define UGE(...)      OPERATOR(UGE), __VA_ARGS__
#define ADDO(...)     OPERATOR(ADDO), __VA_ARGS__
#define NADDO(...)    OPERATOR(NADDO), __VA_ARGS__
#define SUBO(...)     OPERATOR(SUBO), __VA_ARGS__
#define NSUBO(...)    OPERATOR(NSUBO), __VA_ARGS__
#define RSUBO(...)    OPERATOR(RSUBO), __VA_ARGS__
#define NRSUBO(...)   OPERATOR(NRSUBO), __VA_ARGS__
#define MULO(...)     OPERATOR(MULO), __VA_ARGS__
#define NMULO(...)    OPERATOR(NMULO), __VA_ARGS__
#define SELECT(...)   OPERATOR(SELECT), __VA_ARGS__
// Any operator of ops.def.
#define AS(id, ...)   OP_##id, __VA_ARGS__

#define X     TERM_X
#define Z     TERM_Z
#define Y     TERM_Y
#define W     TERM_W
#define C     TERM_C
#define D     TERM_D
#define M     TERM_M
#define S     TERM_S
#define N(n)  TERM_NUMBER, (n)
#define BITS  TERM_BITS
#define TOP   TERM_TOP
#define TOP64 TERM_TOP64

// Conditions.
#define ALWAYS         N(1)
#define ALL(...)         AS(AND_I32, __VA_ARGS__)
#define NOT_ZERO(...)    NE(__VA_ARGS__, N(0))
#define POWER(...)       EQ(POPCOUNT(__VA_ARGS__), N(1))
#define LEAST(...)       EQ(__VA_ARGS__, SHL(N(1), TOP))
#define FITS(...)        EQ(SHR(__VA_ARGS__, N(32)), N(0))
#define FITS_SIGNED(c) EQ(AS(SEXT_I64, AS(TRUNC_I32, c)), c)
// m * c is 2^(BITS + s) plus at most 2^t, or plus 1 to 2^(s + 1).
#define DIVISOR(m, c, s, t) \
    ALL(EQ(MULHU(m, c), SHL(N(1), s)), ULE(MUL(m, c), SHL(N(1), t)))
#define SIGNED_DIVISOR(m, c, s)                          \
    ALL(ALL(GT(c, N(1)), AS(ULT_I32, s, TOP)),           \
        ALL(EQ(MULHU(m, c), SHL(N(1), s)), ULT(SUB(MUL(m, c), N(1)), SHL(N(2), s))))

// How a guard holds.
#define HOW_SHADOW false
#define HOW_SURE   true

const RuleInfo rule_table[RULE_COUNT] = {
// (A row's terms contain commas after expansion, so that a row cannot be handed to another macro.)
#define OPERATOR(id) OP_##id##_I32
#define COUNT(...)   __VA_ARGS__
#define RULE(id, from_, to_, when_)                      \
    [RULE_##id##_I32] = {                                \
        .name = #id ".i32",                              \
        .width = TYPE_I32,                               \
        .text = #from_ " => " #to_ " if " #when_,        \
        .from = (const RuleTerm[]){from_},                   \
        .to = (const RuleTerm[]){to_},                       \
        .when = (const RuleTerm[]){when_},                   \
        .length = {sizeof((RuleTerm[]){from_}) / sizeof(RuleTerm), sizeof((RuleTerm[]){to_}) / sizeof(RuleTerm), \
                   sizeof((RuleTerm[]){when_}) / sizeof(RuleTerm)}},
#define RULE32 RULE
#define FACT(id, from_, to_, when_, guard_, how_)                     \
    [RULE_##id##_I32] = {                                \
        .name = #id ".i32",                              \
        .width = TYPE_I32,                               \
        .text = #from_ " => " #to_ " if " #when_ " where " #guard_, \
        .from = (const RuleTerm[]){from_},                   \
        .to = (const RuleTerm[]){to_},                       \
        .when = (const RuleTerm[]){when_},                   \
        .guard = (const RuleTerm[]){guard_},                 \
        .sure = HOW_##how_,                                  \
        .length = {sizeof((RuleTerm[]){from_}) / sizeof(RuleTerm), sizeof((RuleTerm[]){to_}) / sizeof(RuleTerm), \
                   sizeof((RuleTerm[]){when_}) / sizeof(RuleTerm)}},
#define FACT32 FACT
#include "fact/rules.def"
#undef OPERATOR
#undef COUNT
#define OPERATOR(id) OP_##id##_I64
#define COUNT(...)   AS(TRUNC_I32, __VA_ARGS__)
#define RULE(id, from_, to_, when_)                      \
    [RULE_##id##_I64] = {                                \
        .name = #id ".i64",                              \
        .width = TYPE_I64,                               \
        .text = #from_ " => " #to_ " if " #when_,        \
        .from = (const RuleTerm[]){from_},                   \
        .to = (const RuleTerm[]){to_},                       \
        .when = (const RuleTerm[]){when_},                   \
        .length = {sizeof((RuleTerm[]){from_}) / sizeof(RuleTerm), sizeof((RuleTerm[]){to_}) / sizeof(RuleTerm), \
                   sizeof((RuleTerm[]){when_}) / sizeof(RuleTerm)}},
#define RULE64 RULE
#define FACT(id, from_, to_, when_, guard_, how_)                     \
    [RULE_##id##_I64] = {                                \
        .name = #id ".i64",                              \
        .width = TYPE_I64,                               \
        .text = #from_ " => " #to_ " if " #when_ " where " #guard_, \
        .from = (const RuleTerm[]){from_},                   \
        .to = (const RuleTerm[]){to_},                       \
        .when = (const RuleTerm[]){when_},                   \
        .guard = (const RuleTerm[]){guard_},                 \
        .sure = HOW_##how_,                                  \
        .length = {sizeof((RuleTerm[]){from_}) / sizeof(RuleTerm), sizeof((RuleTerm[]){to_}) / sizeof(RuleTerm), \
                   sizeof((RuleTerm[]){when_}) / sizeof(RuleTerm)}},
#define FACT64 FACT
#include "fact/rules.def"
#undef OPERATOR
#undef COUNT
};

const RuleInfo term_rule_table[TERM_ROW_COUNT] = {
#define OPERATOR(id) OP_##id##_I32
#define RULE(id, from_, to_, when_)                      \
    [TERM_ROW_##id##_I32] = {                                \
        .name = #id ".i32",                              \
        .width = TYPE_I32,                               \
        .text = #from_ " => " #to_ " if " #when_,        \
        .from = (const RuleTerm[]){from_},                   \
        .to = (const RuleTerm[]){to_},                       \
        .when = (const RuleTerm[]){when_},                   \
        .length = {sizeof((RuleTerm[]){from_}) / sizeof(RuleTerm), sizeof((RuleTerm[]){to_}) / sizeof(RuleTerm), \
                   sizeof((RuleTerm[]){when_}) / sizeof(RuleTerm)}},
#define RULE32 RULE
#include "fact/term_rules.def"
#undef OPERATOR
#define OPERATOR(id) OP_##id##_I32
#define LEMMA(id, from_, to_, when_)                      \
    [TERM_ROW_##id##_I32] = {                                \
        .name = #id ".i32",                              \
        .width = TYPE_I32,                               \
        .text = #from_ " => " #to_ " if " #when_,        \
        .from = (const RuleTerm[]){from_},                   \
        .to = (const RuleTerm[]){to_},                       \
        .when = (const RuleTerm[]){when_},                   \
        .length = {sizeof((RuleTerm[]){from_}) / sizeof(RuleTerm), sizeof((RuleTerm[]){to_}) / sizeof(RuleTerm), \
                   sizeof((RuleTerm[]){when_}) / sizeof(RuleTerm)}},
#define LEMMA32 LEMMA
#include "fact/term_rules.def"
#undef OPERATOR
#define OPERATOR(id) OP_##id##_I64
#define RULE(id, from_, to_, when_)                      \
    [TERM_ROW_##id##_I64] = {                                \
        .name = #id ".i64",                              \
        .width = TYPE_I64,                               \
        .text = #from_ " => " #to_ " if " #when_,        \
        .from = (const RuleTerm[]){from_},                   \
        .to = (const RuleTerm[]){to_},                       \
        .when = (const RuleTerm[]){when_},                   \
        .length = {sizeof((RuleTerm[]){from_}) / sizeof(RuleTerm), sizeof((RuleTerm[]){to_}) / sizeof(RuleTerm), \
                   sizeof((RuleTerm[]){when_}) / sizeof(RuleTerm)}},
#define RULE64 RULE
#include "fact/term_rules.def"
#undef OPERATOR
#define OPERATOR(id) OP_##id##_I64
#define LEMMA(id, from_, to_, when_)                      \
    [TERM_ROW_##id##_I64] = {                                \
        .name = #id ".i64",                              \
        .width = TYPE_I64,                               \
        .text = #from_ " => " #to_ " if " #when_,        \
        .from = (const RuleTerm[]){from_},                   \
        .to = (const RuleTerm[]){to_},                       \
        .when = (const RuleTerm[]){when_},                   \
        .length = {sizeof((RuleTerm[]){from_}) / sizeof(RuleTerm), sizeof((RuleTerm[]){to_}) / sizeof(RuleTerm), \
                   sizeof((RuleTerm[]){when_}) / sizeof(RuleTerm)}},
#define LEMMA64 LEMMA
#include "fact/term_rules.def"
#undef OPERATOR
};

#define ROOT(a, ...)     a
#define INNER(a, b, ...) b

const RuleHead rule_heads[RULE_COUNT] = {
#define OPERATOR(id) OP_##id##_I32
#define COUNT(...)   __VA_ARGS__
#define RULE(id, from_, to_, when_) \
    [RULE_##id##_I32] = {.root = ROOT(from_, 0), .inner = INNER(from_, 0, 0)},
#define RULE32 RULE
#define FACT(id, from_, to_, when_, guard_, how_) \
    [RULE_##id##_I32] = {.root = ROOT(from_, 0), .inner = INNER(from_, 0, 0)},
#define FACT32 FACT
#include "fact/rules.def"
#undef OPERATOR
#undef COUNT
#define OPERATOR(id) OP_##id##_I64
#define COUNT(...)   AS(TRUNC_I32, __VA_ARGS__)
#define RULE(id, from_, to_, when_) \
    [RULE_##id##_I64] = {.root = ROOT(from_, 0), .inner = INNER(from_, 0, 0)},
#define RULE64 RULE
#define FACT(id, from_, to_, when_, guard_, how_) \
    [RULE_##id##_I64] = {.root = ROOT(from_, 0), .inner = INNER(from_, 0, 0)},
#define FACT64 FACT
#include "fact/rules.def"
#undef OPERATOR
#undef COUNT
};

const uint16_t term_rule_roots[TERM_RULE_COUNT] = {
#define OPERATOR(id) OP_##id##_I32
#define RULE(id, from_, to_, when_) [TERM_ROW_##id##_I32] = ROOT(from_, 0),
#define RULE32 RULE
#include "fact/term_rules.def"
#undef OPERATOR
#define OPERATOR(id) OP_##id##_I64
#define RULE(id, from_, to_, when_) [TERM_ROW_##id##_I64] = ROOT(from_, 0),
#define RULE64 RULE
#include "fact/term_rules.def"
#undef OPERATOR
};

// clang-format on

const char *rule_name(Rule rule) {
    return rule < RULE_COUNT ? rule_table[rule].name : "fold";
}

const RuleTerm *term_end(const RuleTerm *term) {
    RuleTerm head = *term++;
    if (head == TERM_NUMBER) return term + 1;
    for (uint8_t i = 0; head < OP_COUNT && i < op_info((Op)head)->arity; i++) term = term_end(term);
    return term;
}

Value term_literal(const RuleTerm *term, Type width, Type type) {
    int64_t bits = width == TYPE_I32 ? 32 : 64, number = 63;
    if (*term == TERM_NUMBER) number = term[1];
    if (*term == TERM_BITS) number = bits;
    if (*term == TERM_TOP) number = bits - 1;
    return value_immediate(type, number);
}

bool term_evaluate(const RuleTerm *term, Type width, Type type, const Bindings *bindings,
                   Value *result, const RuleTerm **end) {
    RuleTerm head = *term;
    *end = term + 1;
    if (term_is_literal(head)) {
        *result = term_literal(term, width, type);
        *end = term_end(term);
        return true;
    }
    if (head >= OP_COUNT) {
        const RuleOperand *operand = &bindings->operand[head - TERM_X];
        *result = (Value){.bits = operand->value.bits & type_mask(type)};
        return bindings->bound >> (head - TERM_X) & 1 && operand->reg.i == NO_ID;
    }
    const OpInfo *info = op_info((Op)head);
    Value operand[3] = {{0}};
    for (uint8_t i = 0; i < info->arity; i++)
        if (!term_evaluate(*end, width, info->operand[i], bindings, &operand[i], end)) return false;
    return op_eval((Op)head, operand[0], operand[1], operand[2], result) && !result->undef &&
           !op_is_open((Op)head, operand, *result); // no machine is known here
}
