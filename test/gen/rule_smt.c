// A value is a bit-vector, another that marks its undefined bits, and whether it could be computed
// at all. Each subterm becomes three definitions, so that the text grows with the term and not with
// its unfolding. Values of operators are said here a second time, in the solvers' language: that is
// what they can be compared by with what op_eval does (test/unit/rules.c does so for the rules).
#include "test/gen/rule_smt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Out *out;
    const RuleInfo *rule;
    SmtWidths widths;
    uint32_t next; // number of the next subterm
    bool shadow;   // variables stand for their shadows
} Writer;

// ---- Types

static uint32_t bits_of(const Writer *writer, Type type) {
    switch (type) {
    case TYPE_I32: return writer->widths.i32;
    case TYPE_I64: return writer->widths.i64;
    case TYPE_F32: return 32;
    case TYPE_F64: return 64;
    case TYPE_F80: return 79; // without the leading digit, which is always 1 in what machines make
    default: break;
    }
    abort();
}

static const RuleTerm *note_types(const RuleTerm *term, Type type, Type types[TERM_VARIABLES]) {
    RuleTerm head = *term;
    if (head >= TERM_X && head < TERM_NUMBER) {
        assert(types[head - TERM_X] == TYPE_VOID || types[head - TERM_X] == type);
        types[head - TERM_X] = type;
    }
    if (head >= OP_COUNT) return term_end(term);
    const OpInfo *info = op_info((Op)head);
    assert(info->result == type);
    term++;
    for (uint8_t i = 0; i < info->arity; i++) term = note_types(term, info->operand[i], types);
    return term;
}

void rule_types(const RuleInfo *rule, Type types[TERM_VARIABLES]) {
    for (uint32_t k = 0; k < TERM_VARIABLES; k++) types[k] = TYPE_VOID;
    Type type = op_info((Op)rule->from[0])->result;
    note_types(rule->from, type, types);
    note_types(rule->to, type, types);
    note_types(rule->when, TYPE_I32, types);
    if (rule->guard) note_types(rule->guard, TYPE_I32, types);
}

// ---- Operators

typedef enum { ANY, AND, OR, UNION, SAME, PICK } UndefRule;

static const uint8_t undef_rule[OP_COUNT] = {
#define OP1(id, fam, at, text, r, a, f, u, value, m)             [OP_##id] = (u),
#define OP2(id, fam, at, text, r, a, b, f, u, defined, value, m) [OP_##id] = (u),
#define OP3(id, fam, at, text, r, a, b, c, f, u, value, m)       [OP_##id] = (u),
#include "form/ops.def"
};

static const struct {
    const char *name, *smt;
} plain[] = {{"add", "bvadd"},   {"sub", "bvsub"},   {"mul", "bvmul"},   {"and", "bvand"},
             {"or", "bvor"},     {"xor", "bvxor"},   {"divu", "bvudiv"}, {"modu", "bvurem"},
             {"divs", "bvsdiv"}, {"mods", "bvsrem"}, {"neg", "bvneg"},   {"not", "bvnot"}};

static const struct {
    const char *name, *smt;
} relations[] = {{"eq", "="},      {"ne", "distinct"}, {"lt", "bvslt"},  {"le", "bvsle"},
                 {"gt", "bvsgt"},  {"ge", "bvsge"},    {"ult", "bvult"}, {"ule", "bvule"},
                 {"ugt", "bvugt"}, {"uge", "bvuge"}};

static const struct {
    const char *name, *smt; // of operands $a and $b
} float_relations[] = {{"eq", "(fp.eq $a $b)"},
                       {"ne", "(not (fp.eq $a $b))"},
                       {"lt", "(fp.lt $a $b)"},
                       {"le", "(fp.leq $a $b)"},
                       {"gt", "(fp.gt $a $b)"},
                       {"ge", "(fp.geq $a $b)"},
                       {"nlt", "(not (fp.lt $a $b))"},
                       {"nle", "(not (fp.leq $a $b))"},
                       {"ngt", "(not (fp.gt $a $b))"},
                       {"nge", "(not (fp.geq $a $b))"},
                       {"lg", "(or (fp.lt $a $b) (fp.gt $a $b))"},
                       {"nlg", "(not (or (fp.lt $a $b) (fp.gt $a $b)))"},
                       {"ord", "(not (or (fp.isNaN $a) (fp.isNaN $b)))"},
                       {"uno", "(or (fp.isNaN $a) (fp.isNaN $b))"}};

static const char *format_of(Type type) {
    return type == TYPE_F32 ? "8 24" : type == TYPE_F64 ? "11 53" : "15 64";
}

static bool is_named(Op op, const char *name) {
    const char *text = op_info(op)->name;
    size_t length = strcspn(text, ".");
    return strlen(name) == length && strncmp(text, name, length) == 0;
}

static void zeros(Out *out, uint32_t width) {
    out_printf(out, "(_ bv0 %u)", width);
}
static void ones(Out *out, uint32_t width) {
    out_printf(out, "(bvnot (_ bv0 %u))", width);
}

// The count of a shift of a number of `width` bits, modulo that, from one of `from` bits.
static void count_text(Out *out, const char *b, uint32_t from, uint32_t width, bool negate) {
    uint32_t kept = from < width ? from : width;
    out_printf(out, "((_ zero_extend %u) ((_ extract %u 0) (bvand (_ bv%u %u) ", width - kept,
               kept - 1, width - 1, from);
    out_printf(out, negate ? "(bvneg %s))))" : "%s)))", b);
}

static void shift_text(Out *out, const char *smt, const char *a, const char *count) {
    out_printf(out, "(%s %s %s)", smt, a, count);
}

// The value of a shift or rotation.
static void shift(const Writer *writer, Op op, const char *a, const char *b) {
    uint32_t width = bits_of(writer, op_info(op)->result);
    uint32_t from = bits_of(writer, op_info(op)->operand[1]);
    Out count = {0}, back = {0};
    bool right = is_named(op, "rotr");
    count_text(&count, b, from, width, right);
    count_text(&back, b, from, width, !right);
    out_char(&count, '\0');
    out_char(&back, '\0');
    if (is_named(op, "shl")) {
        shift_text(writer->out, "bvshl", a, count.text);
    } else if (is_named(op, "shr")) {
        shift_text(writer->out, "bvlshr", a, count.text);
    } else if (is_named(op, "sar")) {
        shift_text(writer->out, "bvashr", a, count.text);
    } else {
        out_printf(writer->out, "(bvor ");
        shift_text(writer->out, "bvshl", a, count.text);
        shift_text(writer->out, " bvlshr", a, back.text);
        out_printf(writer->out, ")");
    }
    out_free(&count);
    out_free(&back);
}

static void bit_count(Out *out, Op op, const char *a, uint32_t width) {
    if (is_named(op, "popcount")) {
        out_printf(out, "(bvadd");
        for (uint32_t i = 0; i < width; i++)
            out_printf(out, " ((_ zero_extend %u) ((_ extract %u %u) %s))", width - 1, i, i, a);
        out_printf(out, ")");
        return;
    }
    bool leading = is_named(op, "clz");
    for (uint32_t i = 0; i < width; i++) {
        uint32_t bit = leading ? width - 1 - i : i;
        out_printf(out, "(ite (= ((_ extract %u %u) %s) #b1) (_ bv%u %u) ", bit, bit, a, i, width);
    }
    out_printf(out, "(_ bv%u %u)", width, width);
    for (uint32_t i = 0; i < width; i++) out_printf(out, ")");
}

static void extend(Out *out, const char *how, uint32_t from, uint32_t to, const char *a) {
    out_printf(out, "((_ %s %u) ((_ extract %u 0) %s))", how, to - from, from - 1, a);
}

static void high_product(Out *out, const char *how, uint32_t width, const char *a, const char *b) {
    out_printf(out, "((_ extract %u %u) (bvmul ((_ %s %u) %s) ((_ %s %u) %s)))", 2 * width - 1,
               width, how, width, a, how, width, b);
}

static void float_relation(const Writer *writer, Op op, const char *a, const char *b) {
    Type type = op_info(op)->operand[0];
    for (size_t i = 0; i < sizeof float_relations / sizeof float_relations[0]; i++) {
        if (!is_named(op, float_relations[i].name)) continue;
        out_printf(writer->out, "(ite ");
        for (const char *c = float_relations[i].smt; *c; c++)
            if (*c == '$')
                out_printf(writer->out, "((_ to_fp %s) %s)", format_of(type), *++c == 'a' ? a : b);
            else
                out_char(writer->out, *c);
        out_printf(writer->out, " (_ bv1 %u) (_ bv0 %u))", writer->widths.i32, writer->widths.i32);
        return;
    }
    abort();
}

static bool is_unsigned_converted(Op op) {
    OpFamily family = op_family(op);
    return family == FAM_CVTU_F32 || family == FAM_CVTU_F64 || family == FAM_CVTU_F80;
}

// An integer becomes a float: a new number that, read as a float, is equal to it. (The language has
// no way from a float to its bits.)
static bool is_converted(Op op) {
    const OpInfo *info = op_info(op);
    return type_is_int(info->operand[0]) &&
           (op == op_conversion(info->result, info->operand[0], false) ||
            is_unsigned_converted(op));
}

static void to_word(Out *out, const char *a) {
    out_printf(out,
               "(let ((x ((_ to_fp 11 53) %s))) (ite (and (fp.gt x ((_ to_fp 11 53) RNE (- "
               "2147483649.0))) (fp.lt x ((_ to_fp 11 53) RNE 2147483648.0))) ((_ fp.to_sbv 32) "
               "RTZ x) #x80000000))",
               a);
}

// Whether the exact result, in twice the width, is what the low half extends to.
static void overflow(const Writer *writer, Op op, const char *a, const char *b) {
    static const struct {
        const char *name, *smt;
        bool swapped, fits;
    } rows[] = {{"addo", "bvadd", false, false}, {"naddo", "bvadd", false, true},
                {"subo", "bvsub", false, false}, {"nsubo", "bvsub", false, true},
                {"rsubo", "bvsub", true, false}, {"nrsubo", "bvsub", true, true},
                {"mulo", "bvmul", false, false}, {"nmulo", "bvmul", false, true}};
    size_t i = 0;
    while (!is_named(op, rows[i].name)) i++;
    uint32_t width = bits_of(writer, op_info(op)->operand[0]), word = writer->widths.i32;
    const char *left = rows[i].swapped ? b : a, *right = rows[i].swapped ? a : b;
    out_printf(
        writer->out,
        "(ite (= ((_ sign_extend %u) (%s %s %s)) (%s ((_ sign_extend %u) %s) ((_ sign_extend "
        "%u) %s))) (_ bv%u %u) (_ bv%u %u))",
        width, rows[i].smt, left, right, rows[i].smt, width, left, width, right, rows[i].fits, word,
        !rows[i].fits, word);
}

static void other_value(const Writer *writer, Op op, const char *a, const char *b, const char *c) {
    Out *out = writer->out;
    uint32_t to = bits_of(writer, op_info(op)->result);
    uint32_t from = bits_of(writer, op_info(op)->operand[0]);
    if (is_named(op, "shl") || is_named(op, "shr") || is_named(op, "sar") || is_named(op, "rotl") ||
        is_named(op, "rotr"))
        shift(writer, op, a, b);
    else if (op_tells_overflow(op))
        overflow(writer, op, a, b);
    else if (is_named(op, "clz") || is_named(op, "ctz") || is_named(op, "popcount"))
        bit_count(out, op, a, from);
    else if (is_named(op, "mulhu") || is_named(op, "mulhs"))
        high_product(out, is_named(op, "mulhu") ? "zero_extend" : "sign_extend", to, a, b);
    else if (is_named(op, "sext8") || is_named(op, "zext8"))
        extend(out, is_named(op, "sext8") ? "sign_extend" : "zero_extend", 8, to, a);
    else if (is_named(op, "sext16") || is_named(op, "zext16"))
        extend(out, is_named(op, "sext16") ? "sign_extend" : "zero_extend", 16, to, a);
    else if (is_named(op, "sext") || is_named(op, "zext"))
        extend(out, is_named(op, "sext") ? "sign_extend" : "zero_extend", from, to, a);
    else if (is_named(op, "trunc"))
        out_printf(out, "((_ extract %u 0) %s)", to - 1, a);
    else if (is_named(op, "select"))
        out_printf(out, "(ite (= %s (_ bv0 %u)) %s %s)", a, from, c, b);
    else if (is_named(op, "bits"))
        out_printf(out, "%s", a);
    else if (op == OP_CVT_I32_F64)
        to_word(out, a);
    else if (is_named(op, "bswap")) {
        out_printf(out, "(concat");
        for (uint32_t i = 0; i < from; i += 8)
            out_printf(out, " ((_ extract %u %u) %s)", i + 7, i, a);
        out_printf(out, ")");
    } else {
        fprintf(stderr, "no solver was told what %s computes: add it here, in rule_smt.c\n",
                op_info(op)->name);
        abort();
    }
}

static void value_text(const Writer *writer, Op op, const char *a, const char *b, const char *c) {
    const OpInfo *info = op_info(op);
    Out *out = writer->out;
    uint32_t width = bits_of(writer, info->operand[0]);
    if (info->operand[0] != TYPE_I32 && info->operand[0] != TYPE_I64) {
        if (is_named(op, "neg"))
            out_printf(out, "(bvxor %s (concat #b1 (_ bv0 %u)))", a, width - 1);
        else if (is_named(op, "abs"))
            out_printf(out, "(bvand %s (concat #b0 (bvnot (_ bv0 %u))))", a, width - 1);
        else if (info->flags & OPF_COND)
            float_relation(writer, op, a, b);
        else
            other_value(writer, op, a, b, c);
        return;
    }
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (is_named(op, plain[i].name)) {
            out_printf(out, "(%s %s %s)", plain[i].smt, a, info->arity > 1 ? b : "");
            return;
        }
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++)
        if (is_named(op, relations[i].name)) {
            out_printf(out, "(ite (%s %s %s) (_ bv1 %u) (_ bv0 %u))", relations[i].smt, a, b,
                       writer->widths.i32, writer->widths.i32);
            return;
        }
    other_value(writer, op, a, b, c);
}

// ---- Terms

// The names of the parts of a subterm.
typedef struct {
    char bits[16], undef[16], good[16];
} Parts;

static Parts parts_of(char letter, uint32_t number) {
    Parts parts;
    snprintf(parts.bits, sizeof parts.bits, "%c%u", letter, number);
    snprintf(parts.undef, sizeof parts.undef, "%cu%u", letter, number);
    snprintf(parts.good, sizeof parts.good, "%cg%u", letter, number);
    return parts;
}

static void define(const Writer *writer, const char *name, uint32_t width) {
    out_printf(writer->out, "(define-fun %s () (_ BitVec %u) ", name, width);
}

static void undef_text(const Writer *writer, Op op, const Parts *x) {
    const OpInfo *info = op_info(op);
    Out *out = writer->out;
    uint32_t width = bits_of(writer, info->result);
    switch ((UndefRule)undef_rule[op]) {
    case ANY:
        out_printf(out, "(ite (and");
        for (uint8_t i = 0; i < info->arity; i++)
            out_printf(out, " (= %s (_ bv0 %u))", x[i].undef, bits_of(writer, info->operand[i]));
        out_printf(out, ") ");
        zeros(out, width);
        ones(out, width);
        out_printf(out, ")");
        break;
    case AND:
        out_printf(out, "(bvor (bvand %s (bvor %s %s)) (bvand %s (bvor %s %s)))", x[0].undef,
                   x[1].bits, x[1].undef, x[1].undef, x[0].bits, x[0].undef);
        break;
    case OR:
        out_printf(out, "(bvor (bvand %s (bvor (bvnot %s) %s)) (bvand %s (bvor (bvnot %s) %s)))",
                   x[0].undef, x[1].bits, x[1].undef, x[1].undef, x[0].bits, x[0].undef);
        break;
    case UNION:
        if (info->arity == 1)
            out_printf(out, "%s", x[0].undef);
        else
            out_printf(out, "(bvor %s %s)", x[0].undef, x[1].undef);
        break;
    case SAME:
        if (info->arity > 1) { // the bits that count
            uint32_t count = bits_of(writer, info->operand[1]);
            out_printf(out, "(ite (= (bvand %s (_ bv%u %u)) (_ bv0 %u)) ", x[1].undef, width - 1,
                       count, count);
        }
        value_text(writer, op, x[0].undef, x[1].bits, x[2].bits);
        if (info->arity > 1) {
            ones(out, width);
            out_printf(out, ")");
        }
        break;
    case PICK:
        out_printf(out, "(ite (= %s (_ bv0 %u)) (ite (= %s (_ bv0 %u)) %s %s) ", x[0].undef,
                   bits_of(writer, TYPE_I32), x[0].bits, bits_of(writer, TYPE_I32), x[2].undef,
                   x[1].undef);
        ones(out, width);
        out_printf(out, ")");
        break;
    }
}

static void good_text(const Writer *writer, Op op, const Parts *x) {
    const OpInfo *info = op_info(op);
    uint32_t width = bits_of(writer, info->operand[0]);
    out_printf(writer->out, "(and true");
    for (uint8_t i = 0; i < info->arity; i++) out_printf(writer->out, " %s", x[i].good);
    if (info->flags & OPF_PARTIAL) {
        out_printf(writer->out, " (= %s %s (_ bv0 %u)) (distinct %s (_ bv0 %u))", x[0].undef,
                   x[1].undef, width, x[1].bits, width);
        if (is_named(op, "divs") || is_named(op, "mods"))
            out_printf(writer->out,
                       " (not (and (= %s (concat #b1 (_ bv0 %u))) (= %s (bvnot (_ bv0 %u)))))",
                       x[0].bits, width - 1, x[1].bits, width);
    }
    out_printf(writer->out, ")");
}

static Parts literal(Writer *writer, const RuleTerm *term, Type type) {
    Parts parts = parts_of('t', writer->next++);
    uint32_t width = bits_of(writer, type), row = bits_of(writer, writer->rule->width);
    int64_t number = writer->widths.i64 - 1;
    if (*term == TERM_NUMBER) number = term[1];
    if (*term == TERM_BITS) number = row;
    if (*term == TERM_TOP) number = row - 1;
    uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
    define(writer, parts.bits, width);
    out_printf(writer->out, "(_ bv%llu %u))\n", (unsigned long long)((uint64_t)number & mask),
               width);
    define(writer, parts.undef, width);
    out_printf(writer->out, "(_ bv0 %u))\n", width);
    out_printf(writer->out, "(define-fun %s () Bool true)\n", parts.good);
    return parts;
}

static Parts write_term(Writer *writer, const RuleTerm *term, Type type) {
    if (term_is_literal(*term)) return literal(writer, term, type);
    if (*term >= OP_COUNT) return parts_of(writer->shadow ? 's' : 'v', (uint32_t)(*term - TERM_X));
    Op op = (Op)*term++;
    const OpInfo *info = op_info(op);
    Parts x[3] = {0};
    for (uint8_t i = 0; i < info->arity; i++, term = term_end(term))
        x[i] = write_term(writer, term, info->operand[i]);
    uint32_t number = writer->next++, width = bits_of(writer, info->result);
    Parts parts = parts_of('t', number);
    if (is_converted(op))
        out_printf(writer->out, "(declare-fun f%u () (_ BitVec %u))\n", writer->next, width);
    define(writer, parts.undef, width);
    undef_text(writer, op, x);
    out_printf(writer->out, ")\n");
    define(writer, parts.bits, width);
    out_printf(writer->out, "(bvand (bvnot %s) ", parts.undef);
    if (is_converted(op)) {
        // The assertion about the new number comes after the definition.
        uint32_t f = writer->next++;
        out_printf(writer->out, "f%u))\n", f);
        out_printf(writer->out, "(assert (= ((_ to_fp %s) f%u) ((_ to_fp%s %s) RNE %s)))\n",
                   format_of(info->result), f, is_unsigned_converted(op) ? "_unsigned" : "",
                   format_of(info->result), x[0].bits);
    } else {
        value_text(writer, op, x[0].bits, x[1].bits, x[2].bits);
        out_printf(writer->out, "))\n");
    }
    out_printf(writer->out, "(define-fun %s () Bool ", parts.good);
    good_text(writer, op, x);
    out_printf(writer->out, ")\n");
    return parts;
}

static void declare(const Writer *writer, uint32_t k, Type type) {
    Parts parts = parts_of('v', k);
    uint32_t width = bits_of(writer, type);
    bool defined = writer->widths.defined || !term_allows_register((RuleTerm)(TERM_X + k));
    out_printf(writer->out, "(declare-fun %s () (_ BitVec %u))\n", parts.bits, width);
    if (defined) {
        define(writer, parts.undef, width);
        out_printf(writer->out, "(_ bv0 %u))\n", width);
    } else {
        out_printf(writer->out,
                   "(declare-fun %s () (_ BitVec %u))\n(assert (= (bvand %s %s) (_ bv0 %u)))\n",
                   parts.undef, width, parts.bits, parts.undef, width);
    }
    out_printf(writer->out, "(define-fun %s () Bool true)\n", parts.good);
}

// A shadow of each variable: the same bits, with something in the place of undefined ones.
static void declare_shadow(const Writer *writer, uint32_t k, Type type) {
    Parts parts = parts_of('v', k), shadow = parts_of('s', k);
    uint32_t width = bits_of(writer, type);
    out_printf(writer->out,
               "(declare-fun %s () (_ BitVec %u))\n"
               "(assert (= (bvand (bvxor %s %s) (bvnot %s)) (_ bv0 %u)))\n",
               shadow.bits, width, shadow.bits, parts.bits, parts.undef, width);
    define(writer, shadow.undef, width);
    out_printf(writer->out, "(_ bv0 %u))\n(define-fun %s () Bool true)\n", width, shadow.good);
}

// The guard is known to hold: of shadows, or defined.
static void write_guard(Writer *writer, const Type *types) {
    const RuleInfo *rule = writer->rule;
    writer->shadow = !rule->sure;
    for (uint32_t k = 0; k < TERM_VARIABLES; k++)
        if (types[k] != TYPE_VOID && writer->shadow) declare_shadow(writer, k, types[k]);
    Parts guard = write_term(writer, rule->guard, TYPE_I32);
    out_printf(writer->out, "(assert (and %s (= %s (_ bv0 %u)) (distinct %s (_ bv0 %u))))\n",
               guard.good, guard.undef, writer->widths.i32, guard.bits, writer->widths.i32);
    writer->shadow = false;
}

void rule_smt(Out *out, const RuleInfo *rule, SmtWidths widths) {
    Writer writer = {.out = out, .rule = rule, .widths = widths};
    Type types[TERM_VARIABLES], type = op_info((Op)rule->from[0])->result;
    rule_types(rule, types);
    out_printf(out, "(reset)\n(set-logic ALL)\n; %s, %u and %u bits\n", rule->name, widths.i32,
               widths.i64);
    for (uint32_t k = 0; k < TERM_VARIABLES; k++)
        if (types[k] != TYPE_VOID) declare(&writer, k, types[k]);
    if (rule->guard) write_guard(&writer, types);
    Parts when = write_term(&writer, rule->when, TYPE_I32);
    Parts from = write_term(&writer, rule->from, type), to = write_term(&writer, rule->to, type);
    uint32_t width = bits_of(&writer, type);
    out_printf(out, "(assert (and %s (distinct %s (_ bv0 %u)) %s))\n", when.good, when.bits,
               widths.i32, from.good);
    out_printf(out,
               "(assert (not (and %s (= (bvand %s (bvnot %s)) (_ bv0 %u)) (= (bvand (bvxor %s %s) "
               "(bvnot %s)) (_ bv0 %u)))))\n(check-sat)\n",
               to.good, to.undef, from.undef, width, from.bits, to.bits, from.undef, width);
}
