// A value of n bits is the integer from 0 to 2^n - 1 that it is without sign; operators are what
// their definitions say of integers, modulo 2^n where they wrap. A shift by a count k is a product
// or quotient by (pow k), where pow is a function of which only this is said: it is at least 1, at
// most 2^63 for counts of shifts, (pow 32) is 2^32, and what a hint asks for, pow(a + b) = pow(a) *
// pow(b) for a, b >= 0. Of ctz: c, if not 0, is a multiple of pow(ctz(c)); rules_proof.c has that
// proved of bits.
#include "test/gen/rule_int.h"

#include <stdlib.h>

typedef struct {
    Out *out;
    const RuleInfo *rule;
    uint32_t next; // number of the next subterm
} Writer;

typedef struct {
    char value[16], good[16];
    bool literal;
    int64_t number;
} Part;

static const char *modulus(Type type) {
    return type == TYPE_I32 ? "4294967296" : "18446744073709551616";
}
static const char *half(Type type) {
    return type == TYPE_I32 ? "2147483648" : "9223372036854775808";
}
static uint32_t width_of(Type type) {
    return type == TYPE_I32 ? 32 : 64;
}

// ---- Operators

typedef enum { PLAIN, SHIFT, TRUTH, BOTH, LOWEST } Shape;

// In the text, $a and $b are the operands, $A and $B they as signed numbers, $M the modulus, $p the
// power of two.
static const struct {
    OpFamily family;
    Shape shape;
    const char *text;
} meanings[] = {
    {FAM_ADD, PLAIN, "(mod (+ $a $b) $M)"},
    {FAM_SUB, PLAIN, "(mod (- $a $b) $M)"},
    {FAM_NEG, PLAIN, "(mod (- $a) $M)"},
    {FAM_MUL, PLAIN, "(mod (* $a $b) $M)"},
    {FAM_MULHU, PLAIN, "(div (* $a $b) $M)"},
    {FAM_MULHS, PLAIN, "(mod (div (* $A $B) $M) $M)"},
    {FAM_DIVU, PLAIN, "(div $a $b)"},
    {FAM_MODU, PLAIN, "(mod $a $b)"},
    {FAM_DIVS, PLAIN,
     "(mod (ite (< $A 0) (ite (< $B 0) (div (- $A) (- $B)) (- (div (- $A) $B))) "
     "(ite (< $B 0) (- (div $A (- $B))) (div $A $B))) $M)"},
    {FAM_MODS, PLAIN,
     "(mod (ite (< $A 0) (ite (< $B 0) (- (mod (- $A) (- $B))) (- (mod (- $A) $B))) "
     "(ite (< $B 0) (mod $A (- $B)) (mod $A $B))) $M)"},
    {FAM_SHL, SHIFT, "(mod (* $a $p) $M)"},
    {FAM_SHR, SHIFT, "(div $a $p)"},
    {FAM_SAR, SHIFT, "(mod (div $A $p) $M)"},
    {FAM_ZEXT, PLAIN, "$a"},
    {FAM_SEXT, PLAIN, "(mod $A $M)"},
    {FAM_TRUNC, PLAIN, "(mod $a $M)"},
    {FAM_EQ, TRUTH, "(= $a $b)"},
    {FAM_NE, TRUTH, "(not (= $a $b))"},
    {FAM_LT, TRUTH, "(< $A $B)"},
    {FAM_LE, TRUTH, "(<= $A $B)"},
    {FAM_GT, TRUTH, "(> $A $B)"},
    {FAM_GE, TRUTH, "(>= $A $B)"},
    {FAM_ULT, TRUTH, "(< $a $b)"},
    {FAM_ULE, TRUTH, "(<= $a $b)"},
    {FAM_UGT, TRUTH, "(> $a $b)"},
    {FAM_UGE, TRUTH, "(>= $a $b)"},
    {FAM_AND, BOTH, "(and (= $a 1) (= $b 1))"}, // of truth values only
    {FAM_CTZ, LOWEST, ""},
};
enum { MEANINGS = sizeof meanings / sizeof meanings[0] };

static uint32_t meaning_of(RuleTerm term) {
    uint32_t i = 0;
    while (i < MEANINGS && meanings[i].family != op_family((Op)term)) i++;
    return i;
}

static bool is_integral(const RuleTerm *term) {
    for (const RuleTerm *end = term_end(term); term < end; term += *term == TERM_NUMBER ? 2 : 1) {
        if (*term >= OP_COUNT) continue;
        const OpInfo *info = op_info((Op)*term);
        if (!type_is_int(info->result) || !type_is_int(info->operand[0])) return false;
        if (meaning_of(*term) == MEANINGS) return false;
        if (op_family((Op)*term) == FAM_AND && term[1] >= OP_COUNT) return false;
    }
    return true;
}

bool rule_is_integral(const RuleInfo *rule) {
    return !rule->guard && is_integral(rule->from) && is_integral(rule->to) &&
           is_integral(rule->when);
}

// ---- Terms

// The definition of a number; its value is known to be in the range of the type.
static Part begin(Writer *writer) {
    Part part = {.literal = false};
    snprintf(part.value, sizeof part.value, "t%u", writer->next);
    snprintf(part.good, sizeof part.good, "g%u", writer->next++);
    return part;
}

static void signed_number(Out *out, const char *name, Type type) {
    out_printf(out, "(ite (< %s %s) %s (- %s %s))", name, half(type), name, name, modulus(type));
}

static void power_text(Out *out, const Part *count, Type type) {
    uint32_t width = width_of(type);
    if (count->literal)
        out_printf(out, "%llu", (unsigned long long)1 << ((uint64_t)count->number & (width - 1)));
    else
        out_printf(out, "(pow (mod %s %u))", count->value, width);
}

static void fill_in(Writer *writer, const char *text, Op op, const Part *x) {
    Type at = op_info(op)->operand[0];
    for (const char *c = text; *c; c++) {
        if (*c != '$') {
            out_char(writer->out, *c);
            continue;
        }
        switch (*++c) {
        case 'a': out_printf(writer->out, "%s", x[0].value); break;
        case 'b': out_printf(writer->out, "%s", x[1].value); break;
        case 'A': signed_number(writer->out, x[0].value, at); break;
        case 'B': signed_number(writer->out, x[1].value, at); break;
        case 'p': power_text(writer->out, &x[1], at); break;
        default: out_printf(writer->out, "%s", modulus(op_info(op)->result)); break;
        }
    }
}

static void good_text(Writer *writer, Op op, const Part *x) {
    const OpInfo *info = op_info(op);
    out_printf(writer->out, "(and true");
    for (uint8_t i = 0; i < info->arity; i++)
        if (x[i].good[0]) out_printf(writer->out, " %s", x[i].good);
    if (info->flags & OPF_PARTIAL) {
        out_printf(writer->out, " (not (= %s 0))", x[1].value);
        if (info->family == FAM_DIVS || info->family == FAM_MODS)
            out_printf(writer->out, " (not (and (= %s %s) (= %s (- %s 1))))", x[0].value,
                       half(info->operand[0]), x[1].value, modulus(info->operand[0]));
    }
    out_printf(writer->out, ")");
}

static Part literal(Writer *writer, const RuleTerm *term, Type type) {
    Value value = term_literal(term, writer->rule->width, type);
    Part part = begin(writer);
    part.literal = true;
    part.number = (int64_t)value.bits;
    part.good[0] = '\0';
    out_printf(writer->out, "(define-fun %s () Int %llu)\n", part.value,
               (unsigned long long)value.bits);
    return part;
}

// What is known of 2 to the count of a shift.
static void power_facts(Writer *writer, const Part *count, Type type) {
    uint32_t width = width_of(type);
    out_printf(writer->out, "(assert (<= 1 (pow (mod %s %u)) %s))\n", count->value, width,
               half(type));
    out_printf(writer->out, "(assert (=> (< (mod %s %u) %u) (<= (* 2 (pow (mod %s %u))) %s)))\n",
               count->value, width, width - 1, count->value, width, half(type));
}

static Part write_term(Writer *writer, const RuleTerm *term, Type type) {
    if (term_is_literal(*term)) return literal(writer, term, type);
    if (*term >= OP_COUNT) {
        Part part = {.literal = false};
        snprintf(part.value, sizeof part.value, "v%d", *term - TERM_X);
        return part;
    }
    Op op = (Op)*term++;
    const OpInfo *info = op_info(op);
    Part x[3] = {{.literal = false}};
    for (uint8_t i = 0; i < info->arity; i++, term = term_end(term))
        x[i] = write_term(writer, term, info->operand[i]);
    uint32_t meaning = meaning_of((RuleTerm)op);
    if (meaning == MEANINGS) abort();
    if (meanings[meaning].shape == SHIFT && !x[1].literal)
        power_facts(writer, &x[1], info->operand[0]);
    Part part = begin(writer);
    if (meanings[meaning].shape == LOWEST) {
        uint32_t width = width_of(info->operand[0]);
        out_printf(writer->out,
                   "(define-fun %s () Int (ctz %s))\n(assert (<= 0 %s %u))\n(assert (=> (not (= %s "
                   "0)) (and (<= %s %u) (= (mod %s (pow %s)) 0))))\n",
                   part.value, x[0].value, part.value, width, x[0].value, part.value, width - 1,
                   x[0].value, part.value);
    } else {
        bool truth = meanings[meaning].shape == TRUTH || meanings[meaning].shape == BOTH;
        out_printf(writer->out, "(define-fun %s () Int %s", part.value, truth ? "(ite " : "");
        fill_in(writer, meanings[meaning].text, op, x);
        out_printf(writer->out, "%s)\n", truth ? " 1 0)" : "");
    }
    out_printf(writer->out, "(define-fun %s () Bool ", part.good);
    good_text(writer, op, x);
    out_printf(writer->out, ")\n");
    return part;
}

void rule_int(Out *out, const RuleInfo *rule) {
    Writer writer = {.out = out, .rule = rule};
    Type types[TERM_VARIABLES], type = op_info((Op)rule->from[0])->result;
    rule_types(rule, types);
    out_printf(out,
               "(reset)\n(set-logic ALL)\n; %s, of integers\n(declare-fun pow (Int) Int)\n"
               "(declare-fun ctz (Int) Int)\n",
               rule->name);
    out_printf(out, "(assert (= (pow 32) 4294967296))\n");
    for (uint32_t k = 30; k < 64; k += k == 32 ? 30 : 1)
        out_printf(out, "(define-fun b%u () Int %llu)\n", k, (unsigned long long)1 << k);
    out_printf(out, "(define-fun b64 () Int %s)\n", modulus(TYPE_I64));
    out_printf(out, "(define-fun half () Int %s)\n(define-fun whole () Int %s)\n",
               half(rule->width), modulus(rule->width));
    for (uint32_t k = 0; k < TERM_VARIABLES; k++)
        if (types[k] != TYPE_VOID)
            out_printf(out, "(declare-fun v%u () Int)\n(assert (and (<= 0 v%u) (< v%u %s)))\n", k,
                       k, k, modulus(types[k]));
    Part when = write_term(&writer, rule->when, TYPE_I32);
    Part from = write_term(&writer, rule->from, type), to = write_term(&writer, rule->to, type);
    out_printf(out, "(define-fun from () Int %s)\n(define-fun to () Int %s)\n", from.value,
               to.value);
    out_printf(out, "(define-fun to_good () Bool %s)\n", to.good[0] ? to.good : "true");
    out_printf(out, "(assert (and %s %s (not (= %s 0))))\n", from.good[0] ? from.good : "true",
               when.good[0] ? when.good : "true", when.value);
}
