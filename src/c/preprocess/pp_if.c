// Expressions of #if and #elif.
//
// The parser uses operator precedence with stacks of its own, so that depth costs memory and not
// the machine's stack. Values are 64 bits wide, signed or unsigned. Operands that && || and ?: skip
// are read but not evaluated: only their grammar can be wrong.
#include "c/preprocess/pp_number.h"
#include "c/preprocess/pp_private.h"

#include <string.h>

typedef struct {
    uint64_t bits;
    bool is_unsigned;
} IfValue;

// Unary operators are told from binary ones by these kinds.
enum { UNARY_PLUS = TOK_COUNT, UNARY_MINUS, OPERATOR_END };

typedef struct {
    unsigned kind;
    unsigned priority;
    Token token;
    bool skips; // the operand behind it is not evaluated
} Operator;

typedef struct {
    Pp *pp;
    VEC(IfValue) values;
    VEC(Operator) operators;
    uint32_t skipping; // how many operators make what is being read irrelevant
    bool failed;
} Evaluation;

static void fail(Evaluation *e, const Token *token, const char *message, const char *what) {
    if (!e->failed) pp_error(e->pp, token, message, what);
    e->failed = true;
}

static const char *text_of(Pp *pp, const Token *token) {
    size_t length;
    const char *text = token_spelling(pp, token, &length);
    return arena_text(pp->arena, text, length);
}

// ---- Constants

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A' + 10);
    return 16;
}

static bool good_suffix(const char *p, const char *end, bool *is_unsigned) {
    unsigned u = 0, l = 0;
    while (p < end) {
        if (*p == 'u' || *p == 'U') {
            u++;
            p++;
        } else if (*p == 'l' || *p == 'L') {
            l++;
            p += p + 1 < end && p[1] == p[0] ? 2 : 1;
        } else {
            return false;
        }
    }
    *is_unsigned = u;
    return u <= 1 && l <= 1;
}

static bool is_floating(const char *p, const char *end, unsigned base) {
    for (; p < end; p++)
        if (*p == '.' || *p == 'p' || *p == 'P' || (base == 10 && (*p == 'e' || *p == 'E')))
            return true;
    return false;
}

static IfValue number_value(Evaluation *e, const Token *token) {
    const char *wrong;
    uint32_t length = token->length;
    const char *p = pp_number_plain(e->pp->arena, token->spelling, &length, &wrong);
    if (!p) {
        fail(e, token, "%s", wrong);
        return (IfValue){0};
    }
    const char *end = p + length;
    unsigned base = 10;
    if (*p == '0' && length > 2 && (p[1] == 'x' || p[1] == 'X'))
        base = 16;
    else if (*p == '0' && length > 2 && (p[1] == 'b' || p[1] == 'B'))
        base = 2;
    if (is_floating(p, end, base)) {
        fail(e, token, "floating constant in preprocessor expression%s", "");
        return (IfValue){0};
    }
    if (base != 10)
        p += 2;
    else if (*p == '0')
        base = 8;
    IfValue value = {0};
    bool large = false;
    for (; p < end && digit_value(*p) < (base == 8 ? 10 : base); p++) {
        unsigned digit = digit_value(*p);
        if (digit >= base) {
            fail(e, token, "invalid digit in octal constant%s", "");
            return value;
        }
        large |= value.bits > (UINT64_MAX - digit) / base;
        value.bits = value.bits * base + digit;
    }
    if (!good_suffix(p, end, &value.is_unsigned))
        fail(e, token, "invalid suffix \"%s\" on integer constant",
             arena_text(e->pp->arena, p, (size_t)(end - p)));
    if (large) pp_warn(e->pp, NULL, token, "integer constant is too large for its type");
    if (!value.is_unsigned && value.bits > INT64_MAX) {
        if (base == 10 && !large)
            pp_warn(e->pp, NULL, token, "integer constant is so large that it is unsigned");
        value.is_unsigned = true;
    }
    return value;
}

// An escape sequence behind its backslash; *p goes behind it.
static uint64_t escape_value(Evaluation *e, const Token *token, const char **p, const char *end) {
    static const char letters[] = "abefnrtvE", codes[] = "\a\b\033\f\n\r\t\v\033";
    char c = *(*p)++;
    const char *named = c ? strchr(letters, c) : NULL;
    if (named) return (unsigned char)codes[named - letters];
    uint64_t value = 0;
    if (c >= '0' && c <= '7') {
        value = (uint64_t)(c - '0');
        for (int i = 0; i < 2 && *p < end && **p >= '0' && **p <= '7'; i++)
            value = value * 8 + (uint64_t)(*(*p)++ - '0');
        return value;
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        const char *start = *p;
        while (*p < end && digit_value(**p) < 16) value = value << 4 | digit_value(*(*p)++);
        if (*p == start)
            fail(e, token, "\\%s used with no following hex digits", c == 'x' ? "x" : "u");
        return value;
    }
    return (unsigned char)c;
}

// The character in UTF-8 at *p, for wide constants.
static uint64_t wide_character(const char **p, const char *end) {
    unsigned char c = (unsigned char)*(*p)++;
    if (c < 0xc0) return c;
    unsigned extra = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
    uint64_t value = c & (0x3fu >> extra);
    while (extra-- && *p < end && ((unsigned char)**p & 0xc0) == 0x80)
        value = value << 6 | ((unsigned char)*(*p)++ & 0x3f);
    return value;
}

static IfValue narrow_value(const Pp *pp, uint64_t bits, unsigned count) {
    bool one = count <= 1 && !pp->options.unsigned_char;
    int64_t value = one ? (int8_t)(uint8_t)bits : (int32_t)(uint32_t)bits;
    return (IfValue){.bits = (uint64_t)value};
}

// The bytes of a universal character name behind others; all bytes but one are counted.
static uint64_t named_bytes(uint64_t bits, uint32_t code, unsigned *count) {
    char text[UTF8_LONGEST];
    size_t length = utf8_encode(code, text);
    for (size_t i = 0; i < length; i++) bits = bits << 8 | (unsigned char)text[i];
    *count += (unsigned)length - 1;
    return bits;
}

// One character, or the meaning of a letter after a backslash, in the set of the program. A
// character of several bytes takes as many places of a plain constant.
static uint64_t translated(Evaluation *e, const Token *token, Charset *charset, const char *text,
                           size_t length, bool wide, unsigned *places) {
    size_t size;
    const uint8_t *bytes = charset_convert(charset, e->pp->arena, text, length, &size);
    uint64_t value = 0;
    if (!bytes) {
        fail(e, token, "converting to execution character set: a character is not in it%s", "");
        return 0;
    }
    for (size_t i = 0; i < size && i < 8; i++)
        value = wide ? value | (uint64_t)bytes[i] << 8 * i : value << 8 | bytes[i];
    *places = (unsigned)size;
    return value;
}

// A character that is not written as a number, in UTF-8; its length.
static size_t character_length(const char *p, const char *end) {
    unsigned char c = (unsigned char)*p;
    size_t length = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    return length > (size_t)(end - p) ? (size_t)(end - p) : length;
}

// The characters of a constant in another set than UTF-8.
static uint64_t translated_characters(Evaluation *e, const Token *token, Charset *charset,
                                      const char *p, const char *end, bool wide, unsigned *count) {
    uint64_t bits = 0;
    for (unsigned places = 1; p < end; *count += wide ? 1 : places, places = 1) {
        uint64_t c;
        char text[UTF8_LONGEST];
        if (*p != '\\' || p + 1 >= end) {
            size_t length = character_length(p, end);
            c = translated(e, token, charset, p, length, wide, &places);
            p += length;
        } else {
            p++;
            bool number = (*p >= '0' && *p <= '7') || *p == 'x';
            c = escape_value(e, token, &p, end);
            if (!number) {
                size_t length = utf8_encode((uint32_t)c, text);
                c = translated(e, token, charset, text, length, wide, &places);
            }
        }
        bits = wide ? c : bits << 8 * places | c;
    }
    return bits;
}

static IfValue character_value(Evaluation *e, const Token *token) {
    const char *p = token->spelling, *end = p + token->length - 1;
    char prefix = *p == '\'' ? 0 : *p;
    bool utf8 = prefix == 'u' && p[1] == '8';
    while (*p != '\'') p++;
    p++;
    Charset *charset = !prefix || prefix == 'L' ? pp_exec_charset(e->pp, prefix == 'L') : NULL;
    uint64_t bits = 0;
    unsigned count = 0;
    if (charset) {
        bits = translated_characters(e, token, charset, p, end, prefix == 'L', &count);
        p = end;
    }
    for (; p < end; count++) {
        uint64_t c;
        if (*p == '\\' && p + 1 < end) {
            p++;
            bool name = *p == 'u' || *p == 'U';
            c = escape_value(e, token, &p, end);
            if (name && !prefix) {
                bits = named_bytes(bits, (uint32_t)c, &count);
                continue;
            }
        } else {
            c = prefix && !utf8 ? wide_character(&p, end) : (unsigned char)*p++;
        }
        bits = prefix ? c : bits << 8 | (c & 0xff);
    }
    if (count == 0) fail(e, token, "empty character constant%s", "");
    if (count > (prefix ? 1 : 4))
        pp_warn(e->pp, NULL, token, "character constant too long for its type");
    else if (count > 1)
        pp_warn(e->pp, "multichar", token, "multi-character character constant");
    if (!prefix) return narrow_value(e->pp, bits, count);
    if (prefix == 'L' && e->pp->options.short_wchar)
        return (IfValue){.bits = bits & 0xffff, .is_unsigned = true};
    if (prefix == 'L') return (IfValue){.bits = (uint64_t)(int64_t)(int32_t)(uint32_t)bits};
    return (IfValue){.bits = utf8            ? bits & 0xff
                             : prefix == 'u' ? bits & 0xffff
                                             : (uint32_t)bits,
                     .is_unsigned = true};
}

// defined NAME or defined(NAME), behind the word.
static IfValue defined_value(Evaluation *e, const Token *word) {
    Pp *pp = e->pp;
    Token token;
    pp->prevent_expansion++;
    pp_get_solid(pp, &token);
    bool paren = token.kind == TOK_LPAREN;
    if (paren) pp_get_solid(pp, &token);
    IfValue value = {0};
    if (token.kind != TOK_IDENT) {
        fail(e, token.kind == TOK_NEWLINE ? word : &token,
             "operator 'defined' requires an identifier%s", "");
    } else {
        const Macro *macro = token.ident->macro;
        value.bits = macro && macro->kind != MACRO_POISONED;
        if (paren) {
            pp_get_solid(pp, &token);
            if (token.kind != TOK_RPAREN) fail(e, word, "missing ')' after 'defined'%s", "");
        }
    }
    pp->prevent_expansion--;
    return value;
}

static bool operand(Evaluation *e, const Token *token, IfValue *value) {
    switch (token->kind) {
    case TOK_NUMBER: *value = number_value(e, token); return true;
    case TOK_CHAR: *value = character_value(e, token); return true;
    case TOK_IDENT:
        if (token->ident == e->pp->names.defined) {
            *value = defined_value(e, token);
            return true;
        }
        if (e->pp->options.warnings && !e->skipping)
            pp_warn(e->pp, "undef", token, "'%s' is not defined, evaluates to 0",
                    token->ident->text);
        *value = (IfValue){0};
        return true;
    default: return false;
    }
}

// ---- Operators

static IfValue signed_value(int64_t value) {
    return (IfValue){.bits = (uint64_t)value};
}

static void overflow(Evaluation *e, const Operator *op) {
    if (!e->skipping)
        pp_warn(e->pp, NULL, &op->token, "integer overflow in preprocessor expression");
}

// Shifts by as much as is asked for; a negative count shifts the other way, as in gcc.
static IfValue shift(IfValue left, IfValue right, bool to_left) {
    uint64_t count = right.bits;
    if (!right.is_unsigned && (int64_t)count < 0) {
        count = -count;
        to_left = !to_left;
    }
    bool negative = !left.is_unsigned && (int64_t)left.bits < 0;
    if (to_left)
        left.bits = count > 63 ? 0 : left.bits << count;
    else if (count > 63)
        left.bits = negative ? UINT64_MAX : 0;
    else
        left.bits = negative ? ~(~left.bits >> count) : left.bits >> count;
    return left;
}

static IfValue divide(Evaluation *e, const Operator *op, IfValue left, IfValue right, bool modulo) {
    IfValue result = {.is_unsigned = left.is_unsigned || right.is_unsigned};
    if (!right.bits) {
        if (!e->skipping) pp_error(e->pp, &op->token, "division by zero in #if");
        return left;
    }
    if (result.is_unsigned) {
        result.bits = modulo ? left.bits % right.bits : left.bits / right.bits;
    } else if (right.bits == UINT64_MAX) { // by -1
        result.bits = modulo ? 0 : -left.bits;
        if (!modulo && left.bits == (uint64_t)INT64_MIN) overflow(e, op);
    } else {
        int64_t a = (int64_t)left.bits, b = (int64_t)right.bits;
        result.bits = (uint64_t)(modulo ? a % b : a / b);
    }
    return result;
}

static IfValue add_or_multiply(Evaluation *e, const Operator *op, IfValue left, IfValue right) {
    IfValue result = {.is_unsigned = left.is_unsigned || right.is_unsigned};
    int64_t a = (int64_t)left.bits, b = (int64_t)right.bits;
    bool over;
    switch (op->kind) {
    case TOK_PLUS:
        result.bits = left.bits + right.bits;
        over = ((a ^ (int64_t)result.bits) & (b ^ (int64_t)result.bits)) < 0;
        break;
    case TOK_MINUS:
        result.bits = left.bits - right.bits;
        over = ((a ^ b) & (a ^ (int64_t)result.bits)) < 0;
        break;
    default:
        result.bits = left.bits * right.bits;
        over = (a == -1 && b == INT64_MIN) || (a && a != -1 && (int64_t)result.bits / a != b);
    }
    if (over && !result.is_unsigned) overflow(e, op);
    return result;
}

static bool less(IfValue left, IfValue right) {
    if (left.is_unsigned || right.is_unsigned) return left.bits < right.bits;
    return (int64_t)left.bits < (int64_t)right.bits;
}

static IfValue binary(Evaluation *e, const Operator *op, IfValue left, IfValue right) {
    bool is_unsigned = left.is_unsigned || right.is_unsigned;
    switch (op->kind) {
    case TOK_PLUS:
    case TOK_MINUS:
    case TOK_STAR: return add_or_multiply(e, op, left, right);
    case TOK_SLASH: return divide(e, op, left, right, false);
    case TOK_PERCENT: return divide(e, op, left, right, true);
    case TOK_SHL: return shift(left, right, true);
    case TOK_SHR: return shift(left, right, false);
    case TOK_LT: return signed_value(less(left, right));
    case TOK_GT: return signed_value(less(right, left));
    case TOK_LE: return signed_value(!less(right, left));
    case TOK_GE: return signed_value(!less(left, right));
    case TOK_EQ: return signed_value(left.bits == right.bits);
    case TOK_NE: return signed_value(left.bits != right.bits);
    case TOK_AMP: return (IfValue){.bits = left.bits & right.bits, .is_unsigned = is_unsigned};
    case TOK_CARET: return (IfValue){.bits = left.bits ^ right.bits, .is_unsigned = is_unsigned};
    case TOK_PIPE: return (IfValue){.bits = left.bits | right.bits, .is_unsigned = is_unsigned};
    case TOK_ANDAND: return signed_value(left.bits && right.bits);
    case TOK_OROR: return signed_value(left.bits || right.bits);
    default: return right; // comma
    }
}

static unsigned binary_priority(TokenKind kind) {
    switch (kind) {
    case TOK_COMMA: return 2;
    case TOK_QUESTION:
    case TOK_COLON: return 3;
    case TOK_OROR: return 4;
    case TOK_ANDAND: return 5;
    case TOK_PIPE: return 6;
    case TOK_CARET: return 7;
    case TOK_AMP: return 8;
    case TOK_EQ:
    case TOK_NE: return 9;
    case TOK_LT:
    case TOK_GT:
    case TOK_LE:
    case TOK_GE: return 10;
    case TOK_SHL:
    case TOK_SHR: return 11;
    case TOK_PLUS:
    case TOK_MINUS: return 12;
    case TOK_STAR:
    case TOK_SLASH:
    case TOK_PERCENT: return 13;
    default: return 0;
    }
}
enum { UNARY_PRIORITY = 14, PAREN_PRIORITY = 1 };

static void apply_unary(Evaluation *e, const Operator *op) {
    IfValue *value = &e->values.at[e->values.count - 1];
    switch (op->kind) {
    case UNARY_MINUS:
        if (!value->is_unsigned && value->bits == (uint64_t)INT64_MIN) overflow(e, op);
        value->bits = -value->bits;
        break;
    case TOK_TILDE: value->bits = ~value->bits; break;
    case TOK_NOT: *value = signed_value(!value->bits); break;
    default: break;
    }
}

// Applies the operator on top of its stack.
static void reduce_one(Evaluation *e) {
    Operator op = vec_pop(&e->operators);
    if (op.skips) e->skipping--;
    if (op.priority == UNARY_PRIORITY) {
        apply_unary(e, &op);
        return;
    }
    IfValue right = vec_pop(&e->values), left = vec_pop(&e->values);
    if (op.kind == TOK_COLON) {
        IfValue condition = vec_pop(&e->values);
        IfValue chosen = condition.bits ? left : right;
        chosen.is_unsigned = left.is_unsigned || right.is_unsigned;
        vec_push(e->pp->scratch, &e->values, chosen);
        return;
    }
    IfValue result = binary(e, &op, left, right);
    vec_push(e->pp->scratch, &e->values, result);
}

static const Operator *top_operator(const Evaluation *e) {
    return e->operators.count ? &e->operators.at[e->operators.count - 1] : NULL;
}

// Applies what binds at least as tightly as `priority`, up to an open ? or parenthesis.
static void reduce(Evaluation *e, unsigned priority) {
    for (const Operator *top; !e->failed && (top = top_operator(e)) != NULL;) {
        if (top->priority < priority || top->kind == TOK_QUESTION) break;
        reduce_one(e);
    }
}

static void push_operator(Evaluation *e, unsigned kind, unsigned priority, const Token *token,
                          bool skips) {
    if (skips) e->skipping++;
    vec_push(e->pp->scratch, &e->operators,
             (Operator){.kind = kind, .priority = priority, .token = *token, .skips = skips});
}

// The second half of a conditional: its question mark must be on top.
static void push_colon(Evaluation *e, const Token *token) {
    reduce(e, PAREN_PRIORITY + 1);
    if (e->failed) return;
    const Operator *top = top_operator(e);
    if (!top || top->kind != TOK_QUESTION) {
        fail(e, token, "':' without preceding '?'%s", "");
        return;
    }
    Operator question = vec_pop(&e->operators);
    if (question.skips) e->skipping--;
    bool condition = e->values.at[e->values.count - 2].bits != 0;
    push_operator(e, TOK_COLON, 3, token, condition);
}

static void push_binary(Evaluation *e, const Token *token, unsigned priority) {
    if (token->kind == TOK_COLON) {
        push_colon(e, token);
        return;
    }
    // ?: groups to the right, the others to the left.
    reduce(e, token->kind == TOK_QUESTION ? 4 : priority);
    if (e->failed) return;
    bool top = e->values.at[e->values.count - 1].bits != 0;
    bool skips = (token->kind == TOK_ANDAND && !top) || (token->kind == TOK_OROR && top) ||
                 (token->kind == TOK_QUESTION && !top);
    if (token->kind == TOK_COMMA && e->pp->options.pedantic && !e->skipping)
        pp_warn(e->pp, "pedantic", token, "comma operator in operand of #if");
    push_operator(e, token->kind, priority, token, skips);
}

static void close_paren(Evaluation *e, const Token *token) {
    reduce(e, PAREN_PRIORITY + 1);
    if (e->failed) return;
    const Operator *top = top_operator(e);
    if (!top)
        fail(e, token, "missing '(' in expression%s", "");
    else if (top->kind == TOK_QUESTION)
        fail(e, &top->token, "'?' without following ':'%s", "");
    else
        e->operators.count--;
}

// ---- Parsing

// A token where an operand is wanted; true if it was an operand.
static bool want_operand(Evaluation *e, const Token *token, const char *directive_name) {
    IfValue value;
    Pp *pp = e->pp;
    if (operand(e, token, &value)) {
        vec_push(pp->scratch, &e->values, value);
        return true;
    }
    const Operator *last = top_operator(e);
    switch (token->kind) {
    case TOK_PLUS: push_operator(e, UNARY_PLUS, UNARY_PRIORITY, token, false); return false;
    case TOK_MINUS: push_operator(e, UNARY_MINUS, UNARY_PRIORITY, token, false); return false;
    case TOK_TILDE:
    case TOK_NOT: push_operator(e, token->kind, UNARY_PRIORITY, token, false); return false;
    case TOK_LPAREN: push_operator(e, TOK_LPAREN, PAREN_PRIORITY, token, false); return false;
    default: break;
    }
    if (binary_priority(token->kind) && !last)
        fail(e, token, "operator '%s' has no left operand", text_of(pp, token));
    else if (token->kind == TOK_RPAREN && last && last->kind == TOK_LPAREN)
        fail(e, token, "missing expression between '(' and ')'%s", "");
    else if (token->kind == TOK_NEWLINE && !last)
        fail(e, token, "#%s with no expression", directive_name);
    else if (last && last->kind != TOK_LPAREN &&
             (token->kind == TOK_NEWLINE || token->kind == TOK_RPAREN))
        fail(e, &last->token, "operator '%s' has no right operand", text_of(pp, &last->token));
    else if (token->kind == TOK_NEWLINE)
        fail(e, &last->token, "missing ')' in expression%s", "");
    else
        fail(e, token, "token \"%s\" is not valid in preprocessor expressions", text_of(pp, token));
    return false;
}

// A token where an operator is wanted; true if an operand must follow.
static bool want_operator(Evaluation *e, const Token *token, const Token *before) {
    unsigned priority = binary_priority(token->kind);
    if (priority) {
        push_binary(e, token, priority);
        return true;
    }
    if (token->kind == TOK_RPAREN)
        close_paren(e, token);
    else if (token->kind == TOK_LPAREN && before->kind == TOK_IDENT)
        fail(e, before, "function-like macro '%s' is not defined", before->ident->text);
    else if (token->kind == TOK_NUMBER || token->kind == TOK_CHAR || token->kind == TOK_IDENT ||
             token->kind == TOK_LPAREN)
        fail(e, token, "missing binary operator before token \"%s\"", text_of(e->pp, token));
    else
        fail(e, token, "token \"%s\" is not valid in preprocessor expressions",
             text_of(e->pp, token));
    return false;
}

bool if_expression(Pp *pp, const char *directive_name, const Token *name) {
    Evaluation e = {.pp = pp};
    bool wants_operand = true;
    Token token = *name, before;
    pp->in_expression = true;
    while (!e.failed && !pp->stopped) {
        before = token;
        pp_get_solid(pp, &token);
        if (token.kind == TOK_EOF) token.kind = TOK_NEWLINE;
        if (wants_operand) {
            wants_operand = !want_operand(&e, &token, directive_name);
            if (token.kind == TOK_NEWLINE) break;
        } else if (token.kind == TOK_NEWLINE) {
            break;
        } else {
            wants_operand = want_operator(&e, &token, &before);
        }
    }
    pp->in_expression = false;
    if (e.failed || pp->stopped) return false;
    reduce(&e, PAREN_PRIORITY + 1);
    const Operator *open = e.failed ? NULL : top_operator(&e);
    if (open)
        fail(&e, &open->token,
             open->kind == TOK_QUESTION ? "'?' without following ':'%s"
                                        : "missing ')' in expression%s",
             "");
    return !e.failed && e.values.at[0].bits != 0;
}
