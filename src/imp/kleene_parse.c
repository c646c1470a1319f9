// The parser of recursive functions: a line for each equation, in the notation that kleene_print.c
// writes. Counters stand in calls as the equation has them; everything else is a mistake. Calls
// inside of calls wait on a stack of our own.
#include "imp/imp_infix.h"
#include "imp/kleene.h"

#include <string.h>

typedef struct {
    uint32_t start, end;
    char first; // '\0' at the end; 'a' for words, '0' for numbers, otherwise the character
} KleeneToken;

// What may stand for a counter: x1, x2, ... everywhere, but for `slot` at place `loop`.
typedef struct {
    const char *slot; // "0", "z", "y", "min_NAME", or NULL
    uint32_t loop;
    bool ends; // all of them are 0
} CounterScope;

typedef struct {
    KleeneExpr expr;
    uint32_t first; // of its operands
    uint32_t start;
} OpenExpr;

typedef struct {
    Kleene *kleene;
    Diag *diag;
    const char *text;
    uint32_t at, length, source;
    KleeneToken token;
    Map func_of_name;
    VEC(uint32_t) mentioned; // of functions: where they are mentioned first
    VEC(bool) defined;
    bool counted; // it is known how many loops there are
    CounterScope scope;
    VEC(OpenExpr) open;
    VEC(uint32_t) operands;
} KleeneReader;

// ---- Tokens

static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '\'' || c == '$';
}

static void next(KleeneReader *r) {
    const char *text = r->text;
    while (r->at < r->length && strchr(" \t\r\n#", text[r->at])) {
        if (text[r->at] == '#')
            while (r->at < r->length && text[r->at] != '\n') r->at++;
        else
            r->at++;
    }
    uint32_t start = r->at;
    char c = start < r->length ? text[start] : '\0';
    bool percent = c == '%' && start + 1 < r->length && in_name(text[start + 1]);
    if (in_name(c) || percent) {
        r->at++;
        while (r->at < r->length && in_name(text[r->at])) r->at++;
        c = c >= '0' && c <= '9' ? '0' : 'a';
    } else if (start < r->length) {
        static const char pairs[] = "<<>><=>===!=&&||";
        r->at++;
        for (const char *pair = pairs; *pair && r->at < r->length; pair += 2)
            if (c == pair[0] && text[r->at] == pair[1]) {
                r->at++;
                break;
            }
    }
    r->token = (KleeneToken){.start = start, .end = r->at, .first = c};
}

static Span span_of(const KleeneReader *r, uint32_t start, uint32_t end) {
    return (Span){.source = r->source, .start = start, .end = end};
}

static Span token_span(const KleeneReader *r) {
    return span_of(r, r->token.start, r->token.end);
}

static bool mistake(KleeneReader *r, const char *expected) {
    if (!r->token.first)
        diag_error(r->diag, token_span(r), "expected %s, but the text ends", expected);
    else
        diag_error(r->diag, token_span(r), "expected %s, not '%.*s'", expected,
                   (int)(r->token.end - r->token.start), r->text + r->token.start);
    return false;
}

static bool token_is(const KleeneReader *r, const char *text) {
    size_t length = strlen(text);
    return r->token.end - r->token.start == length &&
           memcmp(r->text + r->token.start, text, length) == 0;
}

static bool accept(KleeneReader *r, const char *text) {
    if (!token_is(r, text)) return false;
    next(r);
    return true;
}

static bool expect(KleeneReader *r, const char *text) {
    char expected[80];
    snprintf(expected, sizeof expected, "'%s'", text);
    return accept(r, text) || mistake(r, expected);
}

static bool number(KleeneReader *r, int64_t *value) {
    bool negative = accept(r, "-");
    uint64_t n = 0, most = (uint64_t)INT64_MAX + negative;
    if (r->token.first != '0') return mistake(r, "a number");
    for (uint32_t i = r->token.start; i < r->token.end; i++) {
        uint64_t digit = (uint64_t)(r->text[i] - '0');
        if (digit > 9 || n > (most - digit) / 10) return mistake(r, "a number of 64 bits");
        n = n * 10 + digit;
    }
    *value = (int64_t)(negative ? 0 - n : n);
    next(r);
    return true;
}

static uint32_t function_named(KleeneReader *r, const char *text, size_t length, uint32_t where) {
    Kleene *kleene = r->kleene;
    Str name = str_intern(&kleene->strings, text, length);
    uint32_t func = map_get(&r->func_of_name, name.i);
    if (func != HASH_NONE) return func;
    func = kleene->funcs.count;
    vec_push(kleene->arena, &kleene->funcs,
             (KleeneFunc){.name = name, .first = NO_ID, .second = NO_ID});
    vec_push(kleene->arena, &r->mentioned, where);
    vec_push(kleene->arena, &r->defined, false);
    map_set(kleene->arena, &r->func_of_name, name.i, func);
    return func;
}

// ---- Counters

static bool plain_counter(KleeneReader *r, uint32_t loop) {
    char text[16];
    snprintf(text, sizeof text, "x%u", loop + 1);
    return expect(r, text);
}

// The counters of `min`: all but one.
static bool other_counters(KleeneReader *r, uint32_t without) {
    bool first = true;
    if (!expect(r, "(")) return false;
    for (uint32_t i = 0; i < r->kleene->loops; i++) {
        if (i == without) continue;
        if ((!first && !expect(r, ",")) || !plain_counter(r, i)) return false;
        first = false;
    }
    return expect(r, ")");
}

static bool counters(KleeneReader *r) {
    if (!expect(r, "(")) return false;
    for (uint32_t i = 0; i < r->kleene->loops; i++) {
        if (i && !expect(r, ",")) return false;
        bool special = r->scope.slot && i == r->scope.loop;
        if (r->scope.ends ? !expect(r, "0")
            : special     ? !expect(r, r->scope.slot)
                          : !plain_counter(r, i))
            return false;
        if (special && strncmp(r->scope.slot, "min_", 4) == 0 && !other_counters(r, i))
            return false;
    }
    return expect(r, ")");
}

// ---- Expressions

// How many operands: at least, at most.
static void arity(const KleeneExpr *expr, uint32_t *least, uint32_t *most) {
    static const uint8_t counts[][2] = {
        [KE_NOT] = {1, 1},  [KE_AND] = {2, 255}, [KE_OR] = {2, 255},  [KE_GAMMA] = {2, 255},
        [KE_READ] = {2, 2}, [KE_WRITE] = {3, 3}, [KE_PRINT] = {2, 2}, [KE_OP] = {0, 0},
    };
    *least = *most = expr->kind == KE_OP ? op_info(expr->op)->arity : counts[expr->kind][0];
    if (expr->kind != KE_OP && counts[expr->kind][1] == 255) *most = UINT32_MAX;
}

// An operator or another word with operands in brackets; false if it is none. A minus may turn out
// to have one operand.
static bool is_operator(const KleeneReader *r, KleeneExpr *expr) {
    static const struct {
        const char *text;
        KleeneExprKind kind;
    } words[] = {{"!", KE_NOT},     {"&&", KE_AND},      {"||", KE_OR},      {"gamma", KE_GAMMA},
                 {"read", KE_READ}, {"write", KE_WRITE}, {"print", KE_PRINT}};
    *expr = (KleeneExpr){.kind = KE_OP};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (token_is(r, words[i].text)) {
            expr->kind = (uint8_t)words[i].kind;
            return true;
        }
    for (uint32_t i = 0; i < INFIX_COUNT; i++)
        if (infix_table[i].kind == IMP_OPERATOR && token_is(r, infix_table[i].text)) {
            expr->op = infix_table[i].op;
            return true;
        }
    if (token_is(r, "~")) {
        expr->op = OP_NOT_I64;
        return true;
    }
    const char *text = r->text + r->token.start;
    size_t length = r->token.end - r->token.start;
    if (r->token.first != 'a' || !memchr(text, '.', length)) return false;
    expr->op = (uint16_t)op_named(text, length);
    return expr->op != OP_COUNT && op_info(expr->op)->arity;
}

static bool leaf(KleeneReader *r, KleeneExpr *expr) {
    static const struct {
        const char *text;
        KleeneExprKind kind;
    } words[] = {{"array", KE_ARRAY}, {"start", KE_START}, {"undef", KE_UNDEF}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (accept(r, words[i].text)) {
            *expr = (KleeneExpr){.kind = (uint8_t)words[i].kind};
            return true;
        }
    if (r->token.first == '0' || token_is(r, "-")) {
        *expr = (KleeneExpr){.kind = KE_NUMBER};
        return number(r, &expr->value);
    }
    if (token_is(r, "input")) {
        int64_t value;
        next(r);
        if (!number(r, &value)) return false;
        if (value < 1 || value > 1 << 20) return mistake(r, "the number of an input, from 1 on");
        *expr = (KleeneExpr){.kind = KE_INPUT, .ref = (uint32_t)value - 1};
        return true;
    }
    if (token_is(r, "after")) {
        diag_error(r->diag, token_span(r), "effects of C cannot be evaluated here");
        return false;
    }
    if (r->token.first != 'a') return mistake(r, "an expression");
    *expr = (KleeneExpr){.kind = KE_CALL};
    expr->ref =
        function_named(r, r->text + r->token.start, r->token.end - r->token.start, r->token.start);
    next(r);
    return counters(r);
}

// The expression that is open is complete, if a bracket closes it here. `more` if another operand
// follows.
static bool close_expr(KleeneReader *r, bool *more) {
    OpenExpr *open = &r->open.at[r->open.count - 1];
    uint32_t count = r->operands.count - open->first, least, most;
    bool colon = open->expr.kind == KE_GAMMA && count % 2;
    *more = accept(r, colon ? ":" : ",");
    if (*more) return true;
    if (colon) return mistake(r, "':'");
    if (!token_is(r, ")")) return mistake(r, "',' or ')'");
    if (open->expr.kind == KE_OP && open->expr.op == OP_SUB_I64 && count == 1)
        open->expr.op = OP_NEG_I64;
    arity(&open->expr, &least, &most);
    if (count < least || count > most) {
        Span span = {.source = r->source, .start = open->start, .end = r->token.end};
        diag_error(r->diag, span, "%u operands, but it takes %u", count, least);
        return false;
    }
    next(r);
    uint32_t made = kleene_add(r->kleene, open->expr, r->operands.at + open->first, count);
    r->operands.count = open->first;
    r->open.count--;
    vec_push(r->kleene->arena, &r->operands, made);
    return true;
}

static bool expression(KleeneReader *r, uint32_t *result) {
    Arena *arena = r->kleene->arena;
    vec_clear(&r->open);
    vec_clear(&r->operands);
    for (;;) {
        KleeneExpr expr;
        uint32_t start = r->token.start;
        // -5 is a number, -(a) is not
        bool minus = token_is(r, "-") && r->at < r->length && r->text[r->at] != '(';
        if (!minus && is_operator(r, &expr)) {
            next(r);
            if (!expect(r, "(")) return false;
            vec_push(arena, &r->open,
                     (OpenExpr){.expr = expr, .first = r->operands.count, .start = start});
            continue;
        }
        if (!leaf(r, &expr)) return false;
        vec_push(arena, &r->operands, kleene_add(r->kleene, expr, NULL, 0));
        bool more = false;
        while (r->open.count && !more)
            if (!close_expr(r, &more)) return false;
        if (!more) break;
    }
    *result = r->operands.at[0];
    return true;
}

// ---- Equations

static bool defined_twice(KleeneReader *r, uint32_t func, uint32_t start) {
    Str name = r->kleene->funcs.at[func].name;
    diag_error(r->diag, span_of(r, start, start + str_length(&r->kleene->strings, name)),
               "'%s' is defined twice", str_text(&r->kleene->strings, name));
    return false;
}

// The left side of an equation: (x1, 0, x3) =. `slot` is the place that is no plain counter, NO_ID
// if there is none. The first equation tells how many counters there are.
static bool parameters(KleeneReader *r, uint32_t *slot, bool *again) {
    uint32_t count = 0;
    *slot = NO_ID;
    *again = false;
    if (!expect(r, "(")) return false;
    for (; !token_is(r, ")"); count++) {
        if (count && !expect(r, ",")) return false;
        if (r->counted && count >= r->kleene->loops) return mistake(r, "')'");
        bool special = token_is(r, "0") || token_is(r, "z");
        if (!special) {
            if (!plain_counter(r, count)) return false;
            continue;
        }
        if (*slot != NO_ID) return mistake(r, "a counter");
        *slot = count;
        *again = token_is(r, "z");
        next(r);
        if (*again && (!expect(r, "+") || !expect(r, "1"))) return false;
    }
    if (r->counted && count < r->kleene->loops) return mistake(r, "another counter");
    r->kleene->loops = count;
    r->counted = true;
    return expect(r, ")") && expect(r, "=");
}

// min_NAME(x1, x3) = (mu y. E = 0), and the equation of NAME behind it
static bool close_equations(KleeneReader *r, uint32_t start, const char *name, size_t length) {
    uint32_t loop = 0, count = 0, slot;
    bool again;
    if (!expect(r, "(")) return false;
    for (; !token_is(r, ")"); count++) { // the counter that is left out is that of the loop
        char text[16];
        if (count && !expect(r, ",")) return false;
        snprintf(text, sizeof text, "x%u", count + 1);
        if (loop == count && token_is(r, text)) loop++;
        next(r);
    }
    if (r->counted && count + 1 != r->kleene->loops) return mistake(r, "all counters but one");
    r->kleene->loops = count + 1;
    r->counted = true;
    uint32_t func = function_named(r, name, length, start);
    if (r->defined.at[func]) return defined_twice(r, func, start);
    r->defined.at[func] = true;
    KleeneFunc made = {.name = r->kleene->funcs.at[func].name, .kind = KF_CLOSE, .loop = loop};
    const char *min = arena_printf(r->kleene->arena, "min_%.*s", (int)length, name);
    r->scope = (CounterScope){.slot = "y", .loop = loop};
    if (!expect(r, ")") || !expect(r, "=") || !expect(r, "(") || !expect(r, "mu") ||
        !expect(r, "y.") || !expression(r, &made.first) || !expect(r, "=") || !expect(r, "0") ||
        !expect(r, ")") || !expect(r, str_text(&r->kleene->strings, made.name)))
        return false;
    r->scope = (CounterScope){.slot = min, .loop = loop};
    if (!parameters(r, &slot, &again)) return false;
    if (slot != NO_ID) return mistake(r, "an equation for all counters");
    if (!expression(r, &made.second)) return false;
    r->kleene->funcs.at[func] = made;
    return true;
}

static bool equation(KleeneReader *r) {
    uint32_t start = r->token.start, slot;
    const char *name = r->text + start;
    size_t length = r->token.end - start;
    bool again;
    if (r->token.first != 'a') return mistake(r, "an equation");
    next(r);
    if (length > 4 && memcmp(name, "min_", 4) == 0)
        return close_equations(r, start, name + 4, length - 4);
    if (!parameters(r, &slot, &again)) return false;
    uint32_t func = function_named(r, name, length, start), made;
    const KleeneFunc before = r->kleene->funcs.at[func];
    if (r->defined.at[func] && (before.kind != KF_LOOP || before.second != NO_ID || !again))
        return defined_twice(r, func, start);
    if (again && (before.first == NO_ID || slot != before.loop)) {
        diag_error(r->diag, span_of(r, start, start + (uint32_t)length),
                   "'%.*s' has no equation for 0 before this one", (int)length, name);
        return false;
    }
    r->defined.at[func] = true;
    r->scope = (CounterScope){.slot = slot == NO_ID ? NULL : again ? "z" : "0", .loop = slot};
    if (!expression(r, &made)) return false;
    KleeneFunc *there = &r->kleene->funcs.at[func];
    there->kind = slot == NO_ID ? KF_PLAIN : KF_LOOP;
    there->loop = slot;
    *(slot != NO_ID && !again ? &there->first : &there->second) = made;
    return true;
}

// result NAME = E, output NAME = E
static bool target(KleeneReader *r) {
    KleeneTarget made = {.is_output = token_is(r, "output")};
    next(r);
    if (r->token.first != 'a') return mistake(r, "a name");
    made.name =
        str_intern(&r->kleene->strings, r->text + r->token.start, r->token.end - r->token.start);
    next(r);
    r->scope = (CounterScope){.ends = true};
    if (!expect(r, "=") || !expression(r, &made.expr)) return false;
    vec_push(r->kleene->arena, &r->kleene->targets, made);
    return true;
}

static bool all_defined(KleeneReader *r) {
    for (uint32_t i = 0; i < r->kleene->funcs.count; i++) {
        const KleeneFunc *func = &r->kleene->funcs.at[i];
        if (r->defined.at[i] && func->second != NO_ID) continue;
        uint32_t at = r->mentioned.at[i], length = str_length(&r->kleene->strings, func->name);
        diag_error(r->diag, span_of(r, at, at + length), "'%s' has no equation%s",
                   str_text(&r->kleene->strings, func->name), r->defined.at[i] ? " for z+1" : "");
        return false;
    }
    return true;
}

static void count_inputs(Kleene *kleene) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < kleene->exprs.count; i++)
        if (kleene->exprs.at[i].kind == KE_INPUT && kleene->exprs.at[i].ref >= count)
            count = kleene->exprs.at[i].ref + 1;
    for (uint32_t i = 0; i < count; i++) vec_push(kleene->arena, &kleene->inputs, NO_ID);
}

Kleene *kleene_parse(Arena *arena, Diag *diag, const char *path, const char *text, size_t length) {
    KleeneReader r = {.kleene = kleene_new(arena, 0), .diag = diag, .text = text};
    r.source = diag_source(diag, path, text, length);
    r.length = size_to_u32(length, "characters in one file");
    next(&r);
    if (!r.token.first) {
        mistake(&r, "an equation");
        return NULL;
    }
    while (r.token.first) {
        bool asked = token_is(&r, "result") || token_is(&r, "output");
        if (!(asked ? target(&r) : equation(&r))) return NULL;
    }
    if (!all_defined(&r)) return NULL;
    count_inputs(r.kleene);
    return r.kleene;
}
