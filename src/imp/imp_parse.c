// The parser of Imp. Statements inside of others and operands inside of operators wait on stacks of
// our own, so that the depth of a text is limited by memory only. The first mistake ends it.
#include "imp/imp.h"
#include "imp/imp_infix.h"

#include <string.h>

typedef enum {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_NAME, // %name
    TOKEN_NUMBER,
    TOKEN_MARK, // operators and brackets
    TOKEN_BAD
} ImpTokenKind;

typedef struct {
    ImpTokenKind kind;
    uint32_t start, end;
} ImpToken;

// What waits for operands to come.
typedef enum {
    WAIT_PREFIX,   // - ~ !
    WAIT_INFIX,    // row of infix_table
    WAIT_QUESTION, // c ?
    WAIT_COLON,    // c ? a :
    WAIT_PAREN,
    WAIT_INDEX, // name [
    WAIT_CALL   // operator (
} WaitKind;

typedef struct {
    WaitKind kind;
    uint32_t what;  // PREFIX: the character; INFIX: the row; INDEX: the name; CALL: the operator
    uint32_t count; // CALL: operands so far
    uint32_t start;
} Wait;

typedef struct {
    uint32_t stmt;
    uint32_t last; // statement of the list that is being read, or IMP_NONE
    bool other;    // it is the one behind else
} OpenBlock;

typedef struct {
    Imp *imp;
    Diag *diag;
    const char *text;
    uint32_t at, length, source;
    uint32_t before; // where the last token ended
    ImpToken token;
    VEC(Wait) waits;
    VEC(uint32_t) operands;
    VEC(OpenBlock) blocks;
} ImpParser;

static const char *const keywords[] = {"while", "do",   "end",   "if",    "then",
                                       "else",  "skip", "print", "input", "undef"};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool imp_is_word(const char *text, size_t length) {
    if (!length || !is_letter(text[0])) return false;
    for (size_t i = 0; i < length; i++)
        if (!is_letter(text[i]) && !is_digit(text[i])) return false;
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strlen(keywords[i]) == length && memcmp(keywords[i], text, length) == 0) return false;
    return true;
}

// ---- Tokens

static char peek(const ImpParser *parser, uint32_t ahead) {
    return parser->at + ahead < parser->length ? parser->text[parser->at + ahead] : '\0';
}

static void skip_blanks(ImpParser *parser) {
    for (;;) {
        char c = peek(parser, 0);
        if (parser->at >= parser->length) return;
        if (c == '#')
            while (parser->at < parser->length && peek(parser, 0) != '\n') parser->at++;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            parser->at++;
        else
            return;
    }
}

static uint32_t mark_length(const ImpParser *parser) {
    static const char *const marks[] = {":=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (peek(parser, 0) == marks[i][0] && peek(parser, 1) == marks[i][1]) return 2;
    char c = peek(parser, 0);
    return c && strchr("+-*/%&|^~!<>?:;,()[]", c) ? 1 : 0;
}

// Moves past the rest of a word or of the name of a register.
static void skip_word(ImpParser *parser, bool is_name) {
    for (char c = peek(parser, 0);
         is_letter(c) || is_digit(c) || c == '.' || (is_name && (c == '$' || c == '\''));
         c = peek(parser, 0))
        parser->at++;
}

static void next(ImpParser *parser) {
    parser->before = parser->token.end;
    skip_blanks(parser);
    uint32_t start = parser->at;
    char c = peek(parser, 0);
    ImpTokenKind kind = TOKEN_END;
    if (is_letter(c)) {
        kind = TOKEN_WORD;
        skip_word(parser, false);
    } else if (is_digit(c)) {
        kind = TOKEN_NUMBER;
        while (is_digit(peek(parser, 0)) || is_letter(peek(parser, 0))) parser->at++;
    } else if (start < parser->length) {
        uint32_t length = mark_length(parser);
        kind = length ? TOKEN_MARK : TOKEN_BAD;
        parser->at += length ? length : 1;
    }
    parser->token = (ImpToken){.kind = kind, .start = start, .end = parser->at};
}

// Where an operand or a statement starts, a % is that of a name.
static void take_percent(ImpParser *parser) {
    ImpToken *token = &parser->token;
    if (token->kind != TOKEN_MARK || parser->text[token->start] != '%') return;
    if (!is_letter(peek(parser, 0)) && !is_digit(peek(parser, 0))) return;
    skip_word(parser, true);
    token->kind = TOKEN_NAME;
    token->end = parser->at;
}

static bool token_is(const ImpParser *parser, const char *text) {
    const ImpToken *token = &parser->token;
    size_t length = strlen(text);
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_MARK) &&
           token->end - token->start == length &&
           memcmp(parser->text + token->start, text, length) == 0;
}

static Span span_from(const ImpParser *parser, uint32_t start, uint32_t end) {
    return (Span){.source = parser->source, .start = start, .end = end};
}

static Span token_span(const ImpParser *parser) {
    return span_from(parser, parser->token.start, parser->token.end);
}

static bool mistake(ImpParser *parser, const char *expected) {
    const ImpToken *token = &parser->token;
    int length = (int)(token->end - token->start);
    if (token->kind == TOKEN_END)
        diag_error(parser->diag, token_span(parser), "expected %s, but the text ends", expected);
    else
        diag_error(parser->diag, token_span(parser), "expected %s, not '%.*s'", expected, length,
                   parser->text + token->start);
    return false;
}

static bool expect(ImpParser *parser, const char *text) {
    if (!token_is(parser, text)) {
        char expected[16];
        snprintf(expected, sizeof expected, "'%s'", text);
        return mistake(parser, expected);
    }
    next(parser);
    return true;
}

// Whether a name stands here; a word that is none is told.
static bool expect_name(ImpParser *parser, const char *expected, uint32_t *name) {
    take_percent(parser);
    const ImpToken *token = &parser->token;
    const char *text = parser->text + token->start;
    size_t length = token->end - token->start;
    if (token->kind == TOKEN_NAME) {
        // %x is the name x where x alone would do.
        if (imp_is_word(text + 1, length - 1)) text++, length--;
    } else if (token->kind != TOKEN_WORD || !imp_is_word(text, length)) {
        return mistake(parser, expected);
    }
    *name = imp_name(parser->imp, text, length, token_span(parser));
    next(parser);
    return true;
}

// ---- Expressions

static void push_operand(ImpParser *parser, ImpExpr expr) {
    vec_push(parser->imp->arena, &parser->imp->exprs, expr);
    vec_push(parser->imp->arena, &parser->operands, parser->imp->exprs.count - 1);
}

static bool number(ImpParser *parser) {
    const ImpToken *token = &parser->token;
    const char *digits = parser->text + token->start;
    uint32_t length = token->end - token->start;
    uint64_t base = 10, value = 0;
    if (length > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        base = 16;
        digits += 2;
        length -= 2;
    }
    Wait *wait = parser->waits.count ? &parser->waits.at[parser->waits.count - 1] : NULL;
    bool negative = wait && wait->kind == WAIT_PREFIX && wait->what == '-';
    uint64_t most = (uint64_t)INT64_MAX + negative;
    for (uint32_t i = 0; i < length; i++) {
        char c = digits[i] | 0x20;
        uint64_t digit = is_digit(digits[i])                  ? (uint64_t)(digits[i] - '0')
                         : base == 16 && c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10)
                                                              : 16;
        if (digit >= base) return mistake(parser, "a number");
        if (value > (most - digit) / base) {
            diag_error(parser->diag, token_span(parser), "the number does not fit into 64 bits");
            return false;
        }
        value = value * base + digit;
    }
    Span span = token_span(parser);
    if (negative) { // -N is a number, too
        span.start = wait->start;
        parser->waits.count--;
        value = 0 - value;
    }
    push_operand(
        parser,
        (ImpExpr){.kind = IMP_NUMBER, .name = IMP_NONE, .value = (int64_t)value, .span = span});
    next(parser);
    return true;
}

static void push_wait(ImpParser *parser, WaitKind kind, uint32_t what) {
    Wait wait = {.kind = kind, .what = what, .start = parser->token.start};
    vec_push(parser->imp->arena, &parser->waits, wait);
}

static uint32_t wait_rank(const Wait *wait) {
    switch (wait->kind) {
    case WAIT_PREFIX: return INFIX_PREFIX_RANK;
    case WAIT_INFIX: return infix_table[wait->what].rank;
    default: return 0;
    }
}

// Makes an expression of what waited last and its operands.
static void reduce(ImpParser *parser) {
    Wait wait = vec_pop(&parser->waits);
    uint32_t count = wait.kind == WAIT_PREFIX ? 1 : wait.kind == WAIT_COLON ? 3 : 2;
    uint32_t *args = parser->operands.at + (parser->operands.count -= count);
    ImpExpr expr = {.kind = IMP_OPERATOR, .count = (uint8_t)count, .name = IMP_NONE};
    memcpy(expr.args, args, count * sizeof *args);
    uint32_t start = wait.start;
    if (count > 1) start = parser->imp->exprs.at[args[0]].span.start;
    expr.span = span_from(parser, start, parser->before);
    if (wait.kind == WAIT_COLON)
        expr.kind = IMP_CHOICE;
    else if (wait.kind == WAIT_INFIX) {
        expr.kind = infix_table[wait.what].kind;
        expr.op = infix_table[wait.what].op;
    } else if (wait.what == '!')
        expr.kind = IMP_NOT;
    else
        expr.op = wait.what == '-' ? OP_NEG_I64 : OP_NOT_I64;
    push_operand(parser, expr);
}

// Everything that binds at least as strongly as this rank is complete.
static void reduce_to(ImpParser *parser, uint32_t rank) {
    while (parser->waits.count) {
        const Wait *top = &parser->waits.at[parser->waits.count - 1];
        if (top->kind > WAIT_INFIX || wait_rank(top) < rank) break;
        reduce(parser);
    }
}

// ... and the choices, too, up to a bracket.
static void reduce_all(ImpParser *parser) {
    for (;;) {
        reduce_to(parser, 0);
        if (!parser->waits.count || parser->waits.at[parser->waits.count - 1].kind != WAIT_COLON)
            return;
        reduce(parser);
    }
}

// A word: a name, an array's element, an operator of ops.def with its operands. `done` tells
// whether the operand is complete.
static bool word(ImpParser *parser, bool *done) {
    const ImpToken token = parser->token;
    const char *text = parser->text + token.start;
    uint32_t length = token.end - token.start;
    *done = true;
    if (token_is(parser, "undef")) {
        push_operand(parser,
                     (ImpExpr){.kind = IMP_UNDEF, .name = IMP_NONE, .span = token_span(parser)});
        next(parser);
        return true;
    }
    if (token.kind == TOKEN_WORD && memchr(text, '.', length)) {
        Op op = op_named(text, length);
        if (op == OP_COUNT || !op_info(op)->arity) return mistake(parser, "an operator");
        push_wait(parser, WAIT_CALL, op);
        next(parser);
        *done = false;
        return expect(parser, "(");
    }
    uint32_t name;
    if (!expect_name(parser, "an expression", &name)) return false;
    if (token_is(parser, "[")) {
        push_wait(parser, WAIT_INDEX, name);
        parser->waits.at[parser->waits.count - 1].start = token.start;
        next(parser);
        *done = false;
        return true;
    }
    push_operand(parser, (ImpExpr){.kind = IMP_VARIABLE,
                                   .name = name,
                                   .span = span_from(parser, token.start, token.end)});
    return true;
}

// Up to the end of an operand.
static bool operand(ImpParser *parser) {
    for (bool done = false; !done;) {
        take_percent(parser);
        if (parser->token.kind == TOKEN_NUMBER) return number(parser);
        if (parser->token.kind == TOKEN_WORD || parser->token.kind == TOKEN_NAME) {
            if (!word(parser, &done)) return false;
        } else if (token_is(parser, "-") || token_is(parser, "~") || token_is(parser, "!")) {
            push_wait(parser, WAIT_PREFIX, (uint32_t)parser->text[parser->token.start]);
            next(parser);
        } else if (token_is(parser, "(")) {
            push_wait(parser, WAIT_PAREN, 0);
            next(parser);
        } else {
            return mistake(parser, "an expression");
        }
    }
    return true;
}

static bool close_call(ImpParser *parser, bool more, bool *done) {
    Wait *wait = &parser->waits.at[parser->waits.count - 1];
    const OpInfo *info = op_info(wait->what);
    wait->count++;
    if (more != (wait->count < info->arity)) {
        diag_error(parser->diag, span_from(parser, wait->start, parser->token.end),
                   "%s takes %u operand%s", info->name, info->arity, info->arity == 1 ? "" : "s");
        return false;
    }
    *done = !more;
    if (more) return true;
    uint32_t *args = parser->operands.at + (parser->operands.count -= wait->count);
    ImpExpr expr = {.kind = IMP_OPERATOR,
                    .op = (uint16_t)wait->what,
                    .count = (uint8_t)wait->count,
                    .name = IMP_NONE,
                    .span = span_from(parser, wait->start, parser->token.end)};
    memcpy(expr.args, args, wait->count * sizeof *args);
    parser->waits.count--;
    push_operand(parser, expr);
    return true;
}

// A closing bracket or a comma; `done` tells whether what it stands in is an operand now. False,
// without a message, if it does not belong to the expression.
static bool close_bracket(ImpParser *parser, bool *done, bool *bad) {
    bool square = token_is(parser, "]"), comma = token_is(parser, ",");
    *bad = false;
    if (!square && !comma && !token_is(parser, ")")) return false;
    reduce_all(parser);
    Wait *top = parser->waits.count ? &parser->waits.at[parser->waits.count - 1] : NULL;
    if (!top) return false;
    WaitKind wanted = square ? WAIT_INDEX : comma ? WAIT_CALL : top->kind;
    if (top->kind != wanted || top->kind == WAIT_QUESTION || (!square && top->kind == WAIT_INDEX))
        return false;
    *done = true;
    if (top->kind == WAIT_CALL) {
        *bad = !close_call(parser, comma, done);
    } else if (top->kind == WAIT_INDEX) {
        uint32_t index = vec_pop(&parser->operands);
        Span span = span_from(parser, top->start, parser->token.end);
        ImpExpr expr = {
            .kind = IMP_ELEMENT, .count = 1, .name = top->what, .args = {index}, .span = span};
        parser->waits.count--;
        push_operand(parser, expr);
    } else {
        parser->waits.count--;
    }
    if (!*bad) next(parser);
    return !*bad;
}

// Behind an operand: an operator, after which `more` operands come, or the end of the expression.
static bool operator_behind(ImpParser *parser, bool *more) {
    *more = true;
    for (uint32_t i = 0; i < INFIX_COUNT; i++) {
        if (!token_is(parser, infix_table[i].text)) continue;
        reduce_to(parser, infix_table[i].rank);
        push_wait(parser, WAIT_INFIX, i);
        next(parser);
        return true;
    }
    if (token_is(parser, "?")) {
        reduce_to(parser, 0);
        push_wait(parser, WAIT_QUESTION, 0);
        next(parser);
        return true;
    }
    if (token_is(parser, ":")) {
        reduce_all(parser);
        Wait *top = parser->waits.count ? &parser->waits.at[parser->waits.count - 1] : NULL;
        if (!top || top->kind != WAIT_QUESTION) return mistake(parser, "the end of the expression");
        top->kind = WAIT_COLON;
        next(parser);
        return true;
    }
    *more = false;
    return true;
}

static bool unfinished(ImpParser *parser) {
    switch (parser->waits.at[parser->waits.count - 1].kind) {
    case WAIT_QUESTION: return mistake(parser, "':'");
    case WAIT_INDEX: return mistake(parser, "']'");
    case WAIT_CALL: return mistake(parser, "',' or ')'");
    default: return mistake(parser, "')'");
    }
}

static bool expression(ImpParser *parser, uint32_t *expr) {
    vec_clear(&parser->waits);
    vec_clear(&parser->operands);
    for (bool more = true; more;) {
        if (!operand(parser)) return false;
        bool done = true, bad;
        while (done && close_bracket(parser, &done, &bad)) continue;
        if (bad) return false;
        if (!done) continue; // a comma
        if (!operator_behind(parser, &more)) return false;
    }
    reduce_all(parser);
    if (parser->waits.count) return unfinished(parser);
    *expr = parser->operands.at[0];
    return true;
}

// ---- Statements

// Appends a statement to the list that is being read.
static uint32_t append(ImpParser *parser, ImpStmt stmt) {
    uint32_t id = imp_add_stmt(parser->imp, stmt);
    OpenBlock *block = &parser->blocks.at[parser->blocks.count - 1];
    if (block->last != IMP_NONE)
        parser->imp->stmts.at[block->last].next = id;
    else if (block->stmt == IMP_NONE)
        parser->imp->first = id;
    else if (block->other)
        parser->imp->stmts.at[block->stmt].other = id;
    else
        parser->imp->stmts.at[block->stmt].body = id;
    block->last = id;
    return id;
}

static bool assignment(ImpParser *parser) {
    ImpStmt stmt = imp_stmt(IMP_ASSIGN);
    stmt.span = token_span(parser);
    if (!expect_name(parser, "a statement", &stmt.name)) return false;
    if (token_is(parser, "[")) {
        stmt.kind = IMP_STORE;
        next(parser);
        if (!expression(parser, &stmt.index) || !expect(parser, "]")) return false;
    }
    if (!expect(parser, ":=") || !expression(parser, &stmt.value)) return false;
    stmt.span.end = parser->before;
    append(parser, stmt);
    return true;
}

// The first words of a statement; `opened` if a list of others follows.
static bool statement(ImpParser *parser, bool *opened) {
    take_percent(parser);
    ImpStmt stmt = imp_stmt(IMP_SKIP);
    stmt.span = token_span(parser);
    bool loop = token_is(parser, "while");
    *opened = loop || token_is(parser, "if");
    if (*opened) {
        stmt.kind = loop ? IMP_WHILE : IMP_IF;
        next(parser);
        if (!expression(parser, &stmt.value) || !expect(parser, loop ? "do" : "then")) return false;
        OpenBlock block = {.stmt = append(parser, stmt), .last = IMP_NONE};
        vec_push(parser->imp->arena, &parser->blocks, block);
        return true;
    }
    if (token_is(parser, "print")) {
        stmt.kind = IMP_PRINT;
        next(parser);
        if (!expression(parser, &stmt.value)) return false;
        stmt.span.end = parser->before;
    } else if (token_is(parser, "skip")) {
        next(parser);
    } else {
        return assignment(parser);
    }
    append(parser, stmt);
    return true;
}

// Behind a statement: whatever lists end here. `more` if another statement follows.
static bool after_statement(ImpParser *parser, bool *more) {
    for (;;) {
        bool separated = token_is(parser, ";");
        if (separated) next(parser);
        OpenBlock *block = &parser->blocks.at[parser->blocks.count - 1];
        const ImpStmt *around =
            block->stmt == IMP_NONE ? NULL : &parser->imp->stmts.at[block->stmt];
        *more = true;
        if (around && around->kind == IMP_IF && !block->other && token_is(parser, "else")) {
            next(parser);
            *block = (OpenBlock){.stmt = block->stmt, .last = IMP_NONE, .other = true};
            return true;
        }
        if (around && token_is(parser, "end")) {
            next(parser);
            parser->blocks.count--;
            continue;
        }
        if (parser->token.kind == TOKEN_END) {
            *more = false;
            if (!around) return true;
            mistake(parser, "'end'");
            diag_note(parser->diag, around->span, "of this '%s'",
                      around->kind == IMP_IF ? "if" : "while");
            return false;
        }
        if (separated) return true;
        return mistake(parser, !around                                   ? "';'"
                               : around->kind == IMP_IF && !block->other ? "';', 'else' or 'end'"
                                                                         : "';' or 'end'");
    }
}

// input a, b;
static bool inputs(ImpParser *parser) {
    if (!token_is(parser, "input")) return true;
    do {
        uint32_t name;
        next(parser);
        Span span = token_span(parser);
        if (!expect_name(parser, "a name", &name)) return false;
        if (parser->imp->names.at[name].is_input) {
            diag_error(parser->diag, span, "'%s' is an input already",
                       imp_name_text(parser->imp, name));
            return false;
        }
        parser->imp->names.at[name].is_input = true;
        vec_push(parser->imp->arena, &parser->imp->inputs, name);
    } while (token_is(parser, ","));
    return expect(parser, ";");
}

Imp *imp_parse(Arena *arena, Diag *diag, const char *path, const char *text, size_t length) {
    ImpParser parser = {.imp = imp_new(arena), .diag = diag, .text = text};
    parser.source = diag_source(diag, path, text, length);
    parser.length = size_to_u32(length, "characters in one file");
    vec_push(arena, &parser.blocks, (OpenBlock){.stmt = IMP_NONE, .last = IMP_NONE});
    next(&parser);
    if (!inputs(&parser)) return NULL;
    for (bool more = true, opened; more;) {
        if (!statement(&parser, &opened)) return NULL;
        if (!opened && !after_statement(&parser, &more)) return NULL;
    }
    return parser.imp;
}
