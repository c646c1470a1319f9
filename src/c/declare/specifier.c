// Declaration specifiers: storage classes, qualifiers, type specifiers in any order, typeof,
// _Alignas, attributes; type names; _Static_assert.
//
// The words of the arithmetic types are collected as bits and turned into a type at the end.
#include "c/parse/declare.h"

enum {
    WORD_VOID = 1 << 0,
    WORD_CHAR = 1 << 1,
    WORD_SHORT = 1 << 2,
    WORD_INT = 1 << 3,
    WORD_LONG = 1 << 4,
    WORD_LONG_LONG = 1 << 5,
    WORD_FLOAT = 1 << 6,
    WORD_DOUBLE = 1 << 7,
    WORD_SIGNED = 1 << 8,
    WORD_UNSIGNED = 1 << 9,
    WORD_BOOL = 1 << 10,
    WORD_COMPLEX = 1 << 11,
    WORD_INT128 = 1 << 12,
    WORD_OTHER = 1 << 13, // a type that stands alone: typedef name, struct, typeof, ...
};

typedef struct {
    Specifiers *out;
    unsigned words;
    unsigned quals;
    CType *other;
    uint32_t align; // by an attribute behind the type; 0: none
    bool reported;  // one error about the combination is enough
} SpecifierWords;

// ---- What starts a declaration

bool is_typedef_name(const Token *token) {
    return token->kind == TOK_IDENT && token->ident->keyword == KW_NONE && token->ident->ordinary &&
           token->ident->ordinary->kind == DECL_TYPEDEF;
}

static bool keyword_starts(unsigned keyword) {
    switch (keyword) {
    case KW_AUTO:
    case KW_STATIC_ASSERT:
    case KW_ATTRIBUTE:
    case KW_ALIGNAS: return true;
    default: return keyword >= KW_EXTERN && keyword <= KW_AUTO_TYPE;
    }
}

// "foo bar" can only be a declaration whose type name is unknown.
static bool unknown_type_name(Parser *parser, const Token *token) {
    if (token != &parser->token || token->ident->ordinary || token->ident->builtin) return false;
    const Token *next = parser_peek(parser, 1);
    if (next->kind != TOK_IDENT || next->ident->keyword != KW_NONE) return false;
    TokenKind after = parser_peek(parser, 2)->kind;
    return after == TOK_SEMI || after == TOK_ASSIGN || after == TOK_COMMA || after == TOK_LBRACKET;
}

bool starts_type(Parser *parser, const Token *token) {
    if (token->kind == TOK_LBRACKET)
        return token == &parser->token && at_standard_attribute(parser);
    if (token->kind != TOK_IDENT) return false;
    const Ident *ident = token->ident;
    if (ident->keyword == KW_NONE)
        return ident->ordinary ? ident->ordinary->kind == DECL_TYPEDEF
                               : unknown_type_name(parser, token);
    if (ident->keyword != KW_EXTENSION) return keyword_starts(ident->keyword);
    if (token != &parser->token) return false;
    for (uint32_t n = 1;; n++) {
        const Token *next = parser_peek(parser, n);
        if (next->kind == TOK_IDENT && next->ident->keyword == KW_EXTENSION) continue;
        return starts_type(parser, next);
    }
}

// ---- The words of a type

static void add_other(Parser *parser, SpecifierWords *words, CType *type) {
    if (words->words != 0 && words->words != WORD_COMPLEX && !words->reported) {
        error_at_token(parser, "two types in one declaration");
        words->reported = true;
    }
    words->words |= WORD_OTHER;
    words->other = type;
}

static void add_word(Parser *parser, SpecifierWords *words, unsigned word) {
    static const unsigned excluded[] = {
        // the words that cannot stand with each word, in the order of the bits
        ~(unsigned)0,
        ~(unsigned)(WORD_SIGNED | WORD_UNSIGNED | WORD_COMPLEX),
        ~(unsigned)(WORD_SIGNED | WORD_UNSIGNED | WORD_INT | WORD_COMPLEX),
        ~(unsigned)(WORD_SIGNED | WORD_UNSIGNED | WORD_SHORT | WORD_LONG | WORD_LONG_LONG |
                    WORD_COMPLEX),
        ~(unsigned)(WORD_SIGNED | WORD_UNSIGNED | WORD_INT | WORD_DOUBLE | WORD_COMPLEX),
        ~(unsigned)(WORD_SIGNED | WORD_UNSIGNED | WORD_INT | WORD_COMPLEX),
        ~(unsigned)WORD_COMPLEX,
        ~(unsigned)(WORD_LONG | WORD_COMPLEX),
        WORD_VOID | WORD_FLOAT | WORD_DOUBLE | WORD_SIGNED | WORD_UNSIGNED | WORD_BOOL | WORD_OTHER,
        WORD_VOID | WORD_FLOAT | WORD_DOUBLE | WORD_SIGNED | WORD_UNSIGNED | WORD_BOOL | WORD_OTHER,
        ~(unsigned)0,
        WORD_VOID | WORD_BOOL,
        ~(unsigned)(WORD_SIGNED | WORD_UNSIGNED),
    };
    if (word == WORD_LONG && words->words & WORD_LONG) {
        words->words &= ~(unsigned)WORD_LONG;
        word = WORD_LONG_LONG;
    }
    unsigned index = 0;
    while (word >> index != 1) index++;
    if (words->words & excluded[index] && !words->reported) {
        error_at_token(parser, "'%s' does not go with the type before it",
                       parser->token.ident->text);
        words->reported = true;
        return;
    }
    words->words |= word;
}

// The type of the words other than _Complex.
static CType *type_of_words(Parser *parser, const SpecifierWords *words) {
    unsigned word = words->words;
    CType **basic = parser->types->basic;
    bool is_unsigned = word & WORD_UNSIGNED;
    if (word & WORD_OTHER) return words->other;
    if (word & WORD_INT128) return basic[is_unsigned ? CT_UINT128 : CT_INT128];
    if (word & WORD_VOID) return basic[CT_VOID];
    if (word & WORD_BOOL) return basic[CT_BOOL];
    if (word & WORD_FLOAT) return basic[CT_FLOAT];
    if (word & WORD_DOUBLE) return basic[word & WORD_LONG ? CT_LDOUBLE : CT_DOUBLE];
    if (word & WORD_CHAR)
        return basic[is_unsigned ? CT_UCHAR : word & WORD_SIGNED ? CT_SCHAR : CT_CHAR];
    if (word & WORD_SHORT) return basic[is_unsigned ? CT_USHORT : CT_SHORT];
    if (word & WORD_LONG_LONG) return basic[is_unsigned ? CT_ULLONG : CT_LLONG];
    if (word & WORD_LONG) return basic[is_unsigned ? CT_ULONG : CT_LONG];
    return basic[is_unsigned ? CT_UINT : CT_INT];
}

// _Complex alone is _Complex double.
static CType *complex_of_words(Parser *parser, const SpecifierWords *words) {
    CType *part = words->words == WORD_COMPLEX ? parser->types->basic[CT_DOUBLE]
                                               : type_of_words(parser, words);
    if (part->kind == CT_ERROR) return part;
    if (part->kind == CT_UNSUPPORTED)
        return type_unsupported(parser->types,
                                arena_printf(parser->arena, "_Complex %s", part->unsupported),
                                2 * part->size, part->align);
    bool integer = type_is_integer(part) && part->kind != CT_BOOL && part->kind != CT_ENUM;
    if (type_is_floating(part) || (integer && part->size <= 8))
        return type_complex(parser->types, part);
    error_at_token(parser, "there is no complex type of %s", type_text(parser, part));
    return parser->types->basic[CT_ERROR];
}

// ---- Single specifiers

static void set_storage(Parser *parser, Specifiers *out, Storage storage) {
    if (out->storage != STORAGE_NONE)
        error_at_token(parser, "more than one storage class in a declaration");
    else
        out->storage = storage;
}

static CType *parse_typeof(Parser *parser) {
    CType *type = parser->types->basic[CT_ERROR];
    parser_next(parser);
    if (!parser_expect(parser, TOK_LPAREN, "'typeof'")) return type;
    if (!parser_enter(parser)) {
        // The error has been reported; nothing below it is read.
    } else if (starts_type(parser, &parser->token)) {
        type = parse_type_name(parser);
    } else {
        parser->unevaluated++;
        Expr *expr = parse_expression(parser);
        parser->unevaluated--;
        type = type_of_operand(parser, expr);
        if (expr->kind == EX_MEMBER && expr->member->bitfield)
            error_at_expr(parser, expr, "'typeof' applied to a bit-field");
    }
    parser_expect(parser, TOK_RPAREN, "the operand of 'typeof'");
    return type;
}

// _Atomic, as a qualifier or with a type in parentheses.
static void parse_atomic(Parser *parser, SpecifierWords *words) {
    words->quals |= Q_ATOMIC;
    if (parser_peek(parser, 1)->kind != TOK_LPAREN) {
        parser_next(parser);
        return;
    }
    parser_next(parser);
    parser_next(parser);
    CType *type = parser->types->basic[CT_ERROR];
    const Token first = parser->token;
    if (parser_enter(parser)) type = parse_type_name(parser);
    if (type->quals)
        parser_error(parser, first.pos, parser->last_end,
                     "'_Atomic(...)' needs a type without qualifiers, not %s",
                     type_text(parser, type));
    add_other(parser, words, type);
    parser_expect(parser, TOK_RPAREN, "type name");
}

// A specifier that is one word of a type; false if it is none.
static bool type_word(Parser *parser, SpecifierWords *words, unsigned keyword) {
    CType **basic = parser->types->basic;
    Types *types = parser->types;
    switch (keyword) {
    case KW_VOID: add_word(parser, words, WORD_VOID); break;
    case KW_CHAR: add_word(parser, words, WORD_CHAR); break;
    case KW_SHORT: add_word(parser, words, WORD_SHORT); break;
    case KW_INT: add_word(parser, words, WORD_INT); break;
    case KW_LONG: add_word(parser, words, WORD_LONG); break;
    case KW_FLOAT: add_word(parser, words, WORD_FLOAT); break;
    case KW_DOUBLE: add_word(parser, words, WORD_DOUBLE); break;
    case KW_SIGNED: add_word(parser, words, WORD_SIGNED); break;
    case KW_UNSIGNED: add_word(parser, words, WORD_UNSIGNED); break;
    case KW_BOOL: add_word(parser, words, WORD_BOOL); break;
    case KW_COMPLEX:
    case KW_IMAGINARY: add_word(parser, words, WORD_COMPLEX); break;
    case KW_INT128: add_word(parser, words, WORD_INT128); break;
    case KW_INT128_T: add_other(parser, words, basic[CT_INT128]); break;
    case KW_UINT128_T: add_other(parser, words, basic[CT_UINT128]); break;
    case KW_FLOAT32: add_other(parser, words, types->floats[CT_FLOAT][FLOAT_INTERCHANGE]); break;
    case KW_FLOAT64: add_other(parser, words, types->floats[CT_DOUBLE][FLOAT_INTERCHANGE]); break;
    case KW_FLOAT32X: add_other(parser, words, types->floats[CT_DOUBLE][FLOAT_EXTENDED]); break;
    case KW_FLOAT64X: add_other(parser, words, types->floats[CT_LDOUBLE][FLOAT_EXTENDED]); break;
    case KW_FLOAT80: add_other(parser, words, basic[CT_LDOUBLE]); break;
    case KW_FLOAT16: add_other(parser, words, basic[CT_HALF]); break;
    case KW_FLOAT128: add_other(parser, words, type_unsupported(types, "_Float128", 16, 16)); break;
    case KW_DECIMAL32: add_other(parser, words, type_unsupported(types, "_Decimal32", 4, 4)); break;
    case KW_DECIMAL64: add_other(parser, words, type_unsupported(types, "_Decimal64", 8, 8)); break;
    case KW_DECIMAL128:
        add_other(parser, words, type_unsupported(types, "_Decimal128", 16, 16));
        break;
    default: return false;
    }
    parser_next(parser);
    return true;
}

static void add_qualifier(Parser *parser, SpecifierWords *words, unsigned qualifier) {
    const Token *token = &parser->token;
    if (words->quals & qualifier)
        parser_warn(parser, WARN_DUPLICATE_SPECIFIER, token->pos, token->pos + token->length,
                    "duplicate '%s'", token->ident->text);
    words->quals |= qualifier;
}

// A storage class, function specifier or qualifier; false if it is none.
static bool other_word(Parser *parser, SpecifierWords *words, unsigned keyword) {
    Specifiers *out = words->out;
    const Token *token = &parser->token;
    bool first = keyword == KW_TYPEDEF || keyword == KW_EXTERN || keyword == KW_STATIC ||
                 keyword == KW_INLINE;
    if (first && (words->words || words->quals))
        parser_warn(parser, WARN_OLD_STYLE_DECLARATION, token->pos, token->pos + token->length,
                    "'%s' is not at beginning of declaration", token->ident->text);
    switch (keyword) {
    case KW_TYPEDEF: set_storage(parser, out, STORAGE_TYPEDEF); break;
    case KW_EXTERN: set_storage(parser, out, STORAGE_EXTERN); break;
    case KW_STATIC: set_storage(parser, out, STORAGE_STATIC); break;
    case KW_AUTO: set_storage(parser, out, STORAGE_AUTO); break;
    case KW_REGISTER: set_storage(parser, out, STORAGE_REGISTER); break;
    case KW_THREAD: out->is_thread = true; break;
    case KW_INLINE: out->is_inline = true; break;
    case KW_NORETURN: out->is_noreturn = true; break;
    case KW_CONST: add_qualifier(parser, words, Q_CONST); break;
    case KW_VOLATILE: add_qualifier(parser, words, Q_VOLATILE); break;
    case KW_RESTRICT: add_qualifier(parser, words, Q_RESTRICT); break;
    case KW_EXTENSION: break;
    default: return false;
    }
    parser_next(parser);
    return true;
}

// A specifier with a syntax of its own; false if it is none.
static bool structured(Parser *parser, SpecifierWords *words, unsigned keyword) {
    Specifiers *out = words->out;
    switch (keyword) {
    case KW_STRUCT:
    case KW_UNION:
        out->declares_tag = true;
        out->type = parse_record_specifier(parser);
        add_other(parser, words, out->type);
        return true;
    case KW_ENUM:
        out->declares_tag = true;
        out->type = parse_enum_specifier(parser);
        add_other(parser, words, out->type);
        return true;
    case KW_TYPEOF: add_other(parser, words, parse_typeof(parser)); return true;
    case KW_AUTO_TYPE:
        out->auto_type = true;
        add_other(parser, words, parser->types->basic[CT_INT]);
        parser_next(parser);
        return true;
    case KW_ATOMIC: parse_atomic(parser, words); return true;
    case KW_ATTRIBUTE:
        out->has_attributes = true;
        parse_attributes(parser, &out->attributes);
        return true;
    case KW_ALIGNAS: {
        uint32_t align = parse_alignas(parser);
        if (out->align < align) out->align = align;
        return true;
    }
    default: return false;
    }
}

// An identifier among the specifiers: a typedef name, if a type is still missing. An unknown name
// that is followed by what a declarator starts with is reported once and then taken for a type.
static bool type_identifier(Parser *parser, SpecifierWords *words) {
    if (words->words != 0) return false;
    Ident *ident = parser->token.ident;
    if (is_typedef_name(&parser->token)) {
        ident->ordinary->used = true;
        heed_advice(parser, ident->ordinary->attributes->advice, &parser->token,
                    ident->ordinary->pos);
        add_other(parser, words, ident->ordinary->type);
        if (!ident->ordinary->scope_depth) words->out->type_name = ident->ordinary;
        words->out->explicit_signed = ident->ordinary->explicit_signed;
        parser_next(parser);
        return true;
    }
    const Token *next = parser_peek(parser, 1);
    bool declarator = next->kind == TOK_STAR ||
                      (next->kind == TOK_IDENT && next->ident->keyword != KW_ATTRIBUTE &&
                       next->ident->keyword != KW_ASM);
    // An old-style definition without a type: "f(a) int a; {" has a ')' or '(' there.
    if (!declarator) return false;
    report_unknown_type(parser, &parser->token);
    CType *error = parser->types->basic[CT_ERROR];
    if (!ident->ordinary) {
        Decl *decl = decl_new(parser, parser->arena, DECL_TYPEDEF, ident, error, parser->token.pos);
        declare_in_file_scope(parser, decl);
    }
    add_other(parser, words, error);
    parser_next(parser);
    return true;
}

// ---- The list

static void check_thread(Parser *parser, Specifiers *out) {
    bool fits = out->storage == STORAGE_NONE || out->storage == STORAGE_STATIC ||
                out->storage == STORAGE_EXTERN;
    if (!out->is_thread || fits) return;
    parser_error(parser, out->pos, out->end,
                 "only 'static' and 'extern' go together with '_Thread_local'");
    out->is_thread = false;
}

static void finish_type(Parser *parser, SpecifierWords *words) {
    Specifiers *out = words->out;
    out->has_type = words->words != 0;
    CType *type = words->words & WORD_COMPLEX ? complex_of_words(parser, words)
                                              : type_of_words(parser, words);
    const CType *element = type; // which gets the qualifier
    while (element->kind == CT_ARRAY) element = element->base;
    bool to_object = element->kind == CT_POINTER && element->base->kind != CT_FUNC;
    if (words->quals & Q_RESTRICT && !to_object && element->kind != CT_ERROR) {
        parser_error(parser, out->pos, out->end, "'restrict' needs a pointer to an object, not %s",
                     type_text(parser, type));
        words->quals &= ~(unsigned)Q_RESTRICT;
    }
    if (words->quals & Q_ATOMIC && (type->kind == CT_ARRAY || type->kind == CT_FUNC)) {
        parser_error(parser, out->pos, out->end, "'_Atomic' cannot be applied to the type %s",
                     type_text(parser, type));
        words->quals &= ~(unsigned)Q_ATOMIC;
    }
    if (words->align) type = type_aligned(parser->types, type, words->align);
    if (words->quals) type = type_qualify(parser->types, type, words->quals);
    if (out->attributes.mode || out->attributes.vector_size)
        type = apply_type_attributes(parser, type, &out->attributes, out->pos);
    out->attributes.mode = NULL;
    out->attributes.vector_size = 0;
    out->type = type;
}

// Whether a keyword names a type, of which a declaration has only one.
static bool names_type(const Token *token) {
    if (token->kind != TOK_IDENT) return false;
    switch (token->ident->keyword) {
    case KW_VOID:
    case KW_CHAR:
    case KW_SHORT:
    case KW_INT:
    case KW_LONG:
    case KW_FLOAT:
    case KW_DOUBLE:
    case KW_SIGNED:
    case KW_UNSIGNED:
    case KW_BOOL:
    case KW_STRUCT:
    case KW_UNION:
    case KW_ENUM: return true;
    default: return false;
    }
}

// Whether the definition of a tag has just ended and a line begins with another declaration.
static bool forgot_semicolon(Parser *parser, Specifiers *out) {
    if (!out->declares_tag || parser->last_end != parser->tag_end) return false;
    if (!(parser->token.flags & TOKF_LINE) || !keyword_starts(parser->token.ident->keyword))
        return false;
    if (!names_type(&parser->token) && !names_type(parser_peek(parser, 1))) return false;
    parser_error(parser, parser->last_end, parser->last_end + 1,
                 "expected ';' after the definition of %s", type_text(parser, out->type));
    out->ended = true;
    return true;
}

// [[ ]] among the specifiers. In front of all specifiers it is about the declared entity; behind a
// specifier, an alignment is the alignment of the type here, and nothing can be packed: the type
// has its layout.
static void parse_attributes_here(Parser *parser, SpecifierWords *words) {
    Specifiers *out = words->out;
    out->has_attributes = true;
    if (parser->token.pos == out->pos) {
        parse_attributes(parser, &out->attributes);
        return;
    }
    uint32_t align = out->attributes.align;
    bool packed = out->attributes.packed;
    Token at = parser->token;
    out->attributes.align = 0;
    out->attributes.packed = false;
    parse_attributes(parser, &out->attributes);
    if (out->attributes.packed)
        parser_warn(parser, WARN_ATTRIBUTES, at.pos, parser->last_end,
                    "'packed' attribute ignored: it stands behind the type");
    if (words->align < out->attributes.align) words->align = out->attributes.align;
    out->attributes.align = align;
    out->attributes.packed = packed;
}

void parse_specifiers(Parser *parser, Specifiers *out) {
    *out = (Specifiers){
        .pos = parser->token.pos,
        .end = parser->token.pos,
        .attributes = no_attributes,
    };
    SpecifierWords words = {.out = out};
    while (!parser->panic) {
        if (parser->token.kind != TOK_IDENT) {
            if (!at_standard_attribute(parser)) break;
            parse_attributes_here(parser, &words);
            continue;
        }
        unsigned keyword = parser->token.ident->keyword;
        if (forgot_semicolon(parser, out)) break;
        if (keyword == KW_NONE) {
            if (!type_identifier(parser, &words)) break;
        } else if (!type_word(parser, &words, keyword) && !other_word(parser, &words, keyword) &&
                   !structured(parser, &words, keyword)) {
            break;
        }
        out->end = parser->last_end;
    }
    check_thread(parser, out);
    out->explicit_signed |= (words.words & WORD_SIGNED) != 0;
    finish_type(parser, &words);
}

unsigned parse_qualifiers(Parser *parser, Attributes *attributes, bool *attributed) {
    unsigned quals = 0;
    while (!parser->panic) {
        if (at_standard_attribute(parser)) {
            *attributed = true;
            parse_attributes(parser, attributes);
        }
        if (!parser_at(parser, TOK_IDENT)) break;
        switch (parser->token.ident->keyword) {
        case KW_CONST: quals |= Q_CONST; break;
        case KW_VOLATILE: quals |= Q_VOLATILE; break;
        case KW_RESTRICT: quals |= Q_RESTRICT; break;
        case KW_ATOMIC: quals |= Q_ATOMIC; break;
        case KW_ATTRIBUTE:
            *attributed = true;
            parse_attributes(parser, attributes);
            continue;
        default: return quals;
        }
        parser_next(parser);
    }
    return quals;
}

CType *parse_type_name(Parser *parser) {
    if (!starts_type(parser, &parser->token)) {
        syntax_error(parser, "expected a type");
        return parser->types->basic[CT_ERROR];
    }
    Specifiers specifiers;
    parse_specifiers(parser, &specifiers);
    if (specifiers.storage != STORAGE_NONE || specifiers.is_thread)
        parser_error(parser, specifiers.pos, specifiers.end,
                     "a type name cannot have a storage class");
    if (!specifiers.has_type && !parser->panic)
        parser_warn(parser, WARN_IMPLICIT_INT, specifiers.pos, specifiers.end,
                    "type defaults to 'int' in a type name");
    Declarator declarator;
    parse_declarator(parser, specifiers.type, ABSTRACT_ONLY, &specifiers.attributes, &declarator);
    CType *type =
        apply_type_attributes(parser, declarator.type, &specifiers.attributes, declarator.pos);
    uint32_t align = specifiers.attributes.align;
    if (align) type = type_aligned(parser->types, type, align);
    return type_noted(parser->types, type, notes_of_type(parser, specifiers.attributes.notes));
}

void parse_static_assert(Parser *parser) {
    Token start = parser->token;
    parser_next(parser);
    if (!parser_expect(parser, TOK_LPAREN, "'_Static_assert'")) return;
    Expr *condition = parse_constant(parser);
    int64_t value = 1;
    const CString *message = NULL;
    bool known = !parser->panic && constant_integer(parser, expr_value(parser, condition),
                                                    "static assertion", &value);
    if (parser_accept(parser, TOK_COMMA)) {
        Expr *text = parse_conditional(parser);
        if (text->kind == EX_STRING)
            message = text->string;
        else if (text->kind != EX_ERROR)
            error_at_expr(parser, text, "expected a string literal as the assertion's message");
    }
    parser_expect(parser, TOK_RPAREN, "static assertion");
    parser_expect(parser, TOK_SEMI, "static assertion");
    if (!known || value != 0) return;
    // If a macro holds the assertion, a failure is reported at the call of the macro.
    Pos at = is_expanded(start.pos) ? start.pos : condition->pos;
    Pos end = is_expanded(start.pos) ? start.pos + start.length : condition->end;
    if (message)
        parser_error(parser, at, end, "static assertion failed: \"%.*s\"", (int)(message->size - 1),
                     (const char *)message->bytes);
    else
        parser_error(parser, at, end, "static assertion failed");
}
