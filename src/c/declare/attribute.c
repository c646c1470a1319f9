// Attributes, asm labels and _Alignas.
//
// An attribute is a row of attributes.def. Most either set a flag or may mean nothing; others have
// a function, and some are warned of or refused. Names are looked up in a table by identifier,
// since the headers of a C library carry attributes by the thousand.
#include "base/spelling.h"
#include "c/parse/declare.h"

#include "c/tables/sanitize.h"
#include "form/program.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const Attributes no_attributes = {.constructor_priority = -1, .destructor_priority = -1};

typedef struct {
    const char *name;
    bool flagged;
    size_t flag;                                           // offset of a bool in Attributes
    void (*parse)(Parser *parser, Attributes *attributes); // at '(' or after the name; may be NULL
    const char *undone;                                    // why nothing is done about it, or NULL
    bool refused;
} AttributeRow;

// ---- Arguments

static bool at_string(const Parser *parser) {
    return parser_at(parser, TOK_STRING);
}

// A string argument, NUL-terminated; NULL after an error.
static const char *parse_string_argument(Parser *parser, const char *what) {
    if (!at_string(parser)) {
        syntax_error(parser, "expected a string literal as %s", what);
        return NULL;
    }
    parser->untranslated++;
    Expr *expr = parse_constant(parser);
    parser->untranslated--;
    if (expr->kind != EX_STRING || expr->string->element != 1) {
        error_at_expr(parser, expr, "expected a plain string literal as %s", what);
        return NULL;
    }
    const char *text = arena_text(parser->arena, (const char *)expr->string->bytes,
                                  (size_t)(expr->string->size - 1));
    note_text(parser, text);
    return text;
}

static bool parse_integer_argument(Parser *parser, const char *what, int64_t *value) {
    Expr *expr = parse_constant(parser);
    if (!constant_integer(parser, expr_value(parser, expr), what, value)) return false;
    note_number(parser, *value);
    return true;
}

// A single parenthesized string.
static const char *string_argument(Parser *parser, const char *what) {
    if (!parser_expect(parser, TOK_LPAREN, "the attribute's name")) return NULL;
    const char *text = parse_string_argument(parser, what);
    if (text) parser_expect(parser, TOK_RPAREN, "the attribute's argument");
    return text;
}

static void skip_parentheses(Parser *parser) {
    uint32_t depth = 0;
    do {
        if (parser_at(parser, TOK_LPAREN)) depth++;
        if (parser_at(parser, TOK_RPAREN)) depth--;
        if (parser_at(parser, TOK_EOF)) {
            syntax_error(parser, "expected ')' to end the attribute's arguments");
            return;
        }
        parser_next(parser);
    } while (depth > 0);
}

// ---- Attributes with a meaning of their own

static void check_alignment(Parser *parser, int64_t value, Pos pos, uint32_t *align) {
    if (value < 0 || (value & (value - 1)) != 0)
        parser_error(parser, pos, parser->last_end,
                     "requested alignment is not a positive power of 2");
    else if (value > 1 << 28)
        parser_error(parser, pos, parser->last_end, "requested alignment is too large");
    else if (*align < (uint32_t)value)
        *align = (uint32_t)value;
}

static void attribute_aligned(Parser *parser, Attributes *attributes) {
    if (!parser_accept(parser, TOK_LPAREN)) {
        uint32_t largest = parser->types->language->model.largest_align;
        if (attributes->align < largest) attributes->align = largest;
        return;
    }
    Pos pos = parser->token.pos;
    int64_t value;
    if (parse_integer_argument(parser, "alignment", &value))
        check_alignment(parser, value, pos, &attributes->align);
    parser_expect(parser, TOK_RPAREN, "alignment");
}

static void attribute_section(Parser *parser, Attributes *attributes) {
    attributes->section = string_argument(parser, "section name");
}

// Data that outlives a reset: what else that takes is the linker's business.
static void attribute_noinit(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->section = ".noinit";
}
static void attribute_persistent(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->section = ".persistent";
}

// Only one of alias and ifunc says where a function is defined.
static bool is_given_twice(Parser *parser, const Attributes *attributes, const char *name) {
    if (!attributes->alias) return false;
    parser_error(parser, parser->token.pos, parser->token.pos + 1,
                 "attribute '%s' of what is an alias or an indirect function already", name);
    return true;
}

static void attribute_alias(Parser *parser, Attributes *attributes) {
    if (attributes->ifunc) is_given_twice(parser, attributes, "alias");
    attributes->alias = string_argument(parser, "alias target");
}

static void attribute_ifunc(Parser *parser, Attributes *attributes) {
    is_given_twice(parser, attributes, "ifunc");
    attributes->alias = string_argument(parser, "name of a resolver");
    attributes->ifunc = attributes->alias;
}

static void attribute_weakref(Parser *parser, Attributes *attributes) {
    attributes->weak = attributes->weakref = true;
    if (parser_at(parser, TOK_LPAREN)) attribute_alias(parser, attributes);
}

static void add_version(Parser *parser, Attributes *attributes, const Token *from,
                        const char *name) {
    uint32_t marks = 0;
    for (const char *at = name; *at; at++) marks += *at == '@';
    if (marks != 1 && marks != 2) {
        parser_error(parser, from->pos, parser->last_end,
                     "a version is written NAME@VERSION or NAME@@VERSION");
        return;
    }
    SymbolVersion *version = ARENA_NEW(parser->arena, SymbolVersion);
    *version = (SymbolVersion){.name = name, .next = attributes->versions};
    attributes->versions = version;
}

// symver("NAME@VERSION", ...)
static void attribute_symver(Parser *parser, Attributes *attributes) {
    if (!parser_expect(parser, TOK_LPAREN, "'symver'")) return;
    do {
        Token from = parser->token;
        const char *name = parse_string_argument(parser, "version of a symbol");
        if (!name) return;
        add_version(parser, attributes, &from, name);
    } while (parser_accept(parser, TOK_COMMA));
    parser_expect(parser, TOK_RPAREN, "the version");
}

static void attribute_visibility(Parser *parser, Attributes *attributes) {
    static const char *const names[] = {
        [VIS_DEFAULT] = "default",
        [VIS_HIDDEN] = "hidden",
        [VIS_PROTECTED] = "protected",
        [VIS_INTERNAL] = "internal",
    };
    Pos pos = parser->token.pos;
    const char *text = string_argument(parser, "visibility");
    if (!text) return;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        attributes->visibility = (uint8_t)i;
        attributes->visibility_given = true;
        return;
    }
    parser_error(parser, pos, parser->last_end,
                 "visibility must be \"default\", \"hidden\", \"protected\" or \"internal\"");
}

static void add_advice(Parser *parser, Attributes *attributes, bool unavailable) {
    Advice *advice = ARENA_NEW(parser->arena, Advice);
    advice->unavailable = unavailable;
    if (parser_at(parser, TOK_LPAREN)) advice->message = string_argument(parser, "message");
    attributes->advice = advice;
}

static void attribute_deprecated(Parser *parser, Attributes *attributes) {
    add_advice(parser, attributes, false);
}

static void attribute_unavailable(Parser *parser, Attributes *attributes) {
    add_advice(parser, attributes, true);
}

static void parse_priority(Parser *parser, int32_t *priority) {
    int64_t value;
    if (!parser_accept(parser, TOK_LPAREN)) return;
    if (parse_integer_argument(parser, "priority", &value)) {
        if (value < 0 || value > 65535)
            error_at_token(parser, "priorities are integers from 0 to 65535");
        else
            *priority = (int32_t)value;
    }
    parser_expect(parser, TOK_RPAREN, "priority");
}

static void attribute_constructor(Parser *parser, Attributes *attributes) {
    attributes->constructor = true;
    parse_priority(parser, &attributes->constructor_priority);
}

static void attribute_destructor(Parser *parser, Attributes *attributes) {
    attributes->destructor = true;
    parse_priority(parser, &attributes->destructor_priority);
}

// The spelling of an identifier without the underscores around it.
static bool named(const Ident *ident, const char *name) {
    size_t length = strlen(name);
    if (ident->length == length) return memcmp(ident->text, name, length) == 0;
    return ident->length == length + 4 && memcmp(ident->text, "__", 2) == 0 &&
           memcmp(ident->text + 2, name, length) == 0 &&
           memcmp(ident->text + 2 + length, "__", 2) == 0;
}

static void attribute_format(Parser *parser, Attributes *attributes) {
    if (!parser_expect(parser, TOK_LPAREN, "'format'")) return;
    if (!parser_at(parser, TOK_IDENT)) {
        syntax_error(parser, "expected the name of a format");
        return;
    }
    const Ident *name = parser->token.ident;
    note_text(parser, name->text);
    uint8_t format = named(name, "printf") || named(name, "gnu_printf") ? 1
                     : named(name, "scanf") || named(name, "gnu_scanf") ? 2
                                                                        : 0;
    parser_next(parser);
    int64_t string = 0, first = 0;
    if (!parser_expect(parser, TOK_COMMA, "the name of the format")) return;
    if (!parse_integer_argument(parser, "argument number", &string)) return;
    if (!parser_expect(parser, TOK_COMMA, "the number of the format string")) return;
    if (!parse_integer_argument(parser, "argument number", &first)) return;
    if (!parser_expect(parser, TOK_RPAREN, "the arguments of 'format'")) return;
    if (format == 0 || string < 1 || string > UINT16_MAX || first < 0 || first > UINT16_MAX) return;
    attributes->format = format;
    attributes->format_string = (uint16_t)string;
    attributes->format_first = (uint16_t)first;
}

static void attribute_format_arg(Parser *parser, Attributes *attributes) {
    int64_t number;
    if (!parser_expect(parser, TOK_LPAREN, "'format_arg'")) return;
    if (!parse_integer_argument(parser, "argument number", &number)) return;
    if (number >= 1 && number <= 64) attributes->format_arg |= (uint64_t)1 << (number - 1);
    parser_expect(parser, TOK_RPAREN, "the argument number");
}

static void attribute_cleanup(Parser *parser, Attributes *attributes) {
    if (!parser_expect(parser, TOK_LPAREN, "'cleanup'")) return;
    Decl *decl = parser_at(parser, TOK_IDENT) ? parser->token.ident->ordinary : NULL;
    if (!decl || decl->kind != DECL_FUNC) {
        syntax_error(parser, "the argument of 'cleanup' must be a function");
        return;
    }
    decl_mark_used(decl);
    if (parser->options->exceptions)
        parser_warn(parser, WARN_ATTRIBUTES, parser->token.pos,
                    parser->token.pos + parser->token.length,
                    "'%s' is not called when the stack is unwound, as by the cancellation of a "
                    "thread: '-fexceptions' does not do that",
                    decl->name->text);
    attributes->cleanup = decl;
    note_text(parser, decl->name->text);
    parser_next(parser);
    parser_expect(parser, TOK_RPAREN, "the function");
}

// The type of a complex mode; NULL for another name.
static CType *complex_mode(Parser *parser, const Ident *name) {
    static const struct {
        const char *name;
        uint8_t kind;
    } modes[] = {
        {"HC", CT_HALF},   {"SC", CT_FLOAT},  {"DC", CT_DOUBLE}, {"XC", CT_LDOUBLE},
        {"CQI", CT_SCHAR}, {"CHI", CT_SHORT}, {"CSI", CT_INT},   {"CDI", CT_LONG},
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (named(name, modes[i].name))
            return type_complex(parser->types, parser->types->basic[modes[i].kind]);
    return NULL;
}

static void attribute_mode(Parser *parser, Attributes *attributes) {
    static const struct {
        const char *name;
        uint8_t kind;
    } modes[] = {
        {"QI", CT_SCHAR},
        {"byte", CT_SCHAR},
        {"HI", CT_SHORT},
        {"SI", CT_INT},
        {"DI", CT_LONG},
        {"TI", CT_INT128},
        {"word", CT_LONG},
        {"pointer", CT_LONG},
        {"HF", CT_HALF},
        {"SF", CT_FLOAT},
        {"DF", CT_DOUBLE},
        {"XF", CT_LDOUBLE},
        {"unwind_word", CT_LONG},
        {"libgcc_cmp_return", CT_LONG},
        {"libgcc_shift_count", CT_INT},
    };
    static const char *const unsupported[] = {"TF", "TC"};
    if (!parser_expect(parser, TOK_LPAREN, "'mode'")) return;
    const Ident *name = parser_at(parser, TOK_IDENT) ? parser->token.ident : NULL;
    for (size_t i = 0; name && i < sizeof modes / sizeof *modes; i++)
        if (named(name, modes[i].name)) attributes->mode = parser->types->basic[modes[i].kind];
    for (size_t i = 0; name && i < sizeof unsupported / sizeof *unsupported; i++)
        if (named(name, unsupported[i]))
            attributes->mode = type_unsupported(parser->types, name->text, 16, 16);
    if (name && !attributes->mode) attributes->mode = complex_mode(parser, name);
    if (!attributes->mode) {
        syntax_error(parser, "unknown machine mode");
        return;
    }
    parser_next(parser);
    parser_expect(parser, TOK_RPAREN, "the mode");
}

static void attribute_vector_size(Parser *parser, Attributes *attributes) {
    int64_t value;
    if (!parser_expect(parser, TOK_LPAREN, "'vector_size'")) return;
    if (parse_integer_argument(parser, "vector size", &value))
        attributes->vector_size = (uint32_t)value;
    parser_expect(parser, TOK_RPAREN, "vector size");
}

// The attributes of another declaration, but for those about linkage, visibility, inlining and
// advice.
static void attribute_copy(Parser *parser, Attributes *attributes) {
    if (!parser_expect(parser, TOK_LPAREN, "'copy'")) return;
    const Decl *decl = parser_at(parser, TOK_IDENT) ? parser->token.ident->ordinary : NULL;
    if (!decl || decl->kind == DECL_ENUMERATOR) {
        syntax_error(parser, "the argument of 'copy' must be a function, variable or type");
        return;
    }
    merge_notes(parser, &attributes->notes, decl->attributes->notes);
    const Attributes *from = decl->attributes;
    attributes->packed |= from->packed;
    attributes->noreturn |= from->noreturn || (decl->kind == DECL_FUNC && decl->is_noreturn);
    attributes->used |= from->used;
    attributes->unused |= from->unused;
    attributes->warn_unused_result |= from->warn_unused_result;
    attributes->returns_twice |= from->returns_twice;
    attributes->retain |= from->retain;
    if (from->section) attributes->section = from->section;
    if (from->align > attributes->align) attributes->align = from->align;
    attributes->format_arg |= from->format_arg;
    if (from->format) {
        attributes->format = from->format;
        attributes->format_string = from->format_string;
        attributes->format_first = from->format_first;
    }
    parser_next(parser);
    parser_expect(parser, TOK_RPAREN, "the declaration");
}

// nonnull, of all parameters that are pointers, or nonnull(1, 3).
static void attribute_nonnull(Parser *parser, Attributes *attributes) {
    if (!parser_accept(parser, TOK_LPAREN)) {
        attributes->all_nonnull = true;
        return;
    }
    while (!parser->panic && !parser_at(parser, TOK_RPAREN)) {
        int64_t number;
        if (!parse_integer_argument(parser, "argument number", &number)) return;
        if (number >= 1 && number <= 64) attributes->nonnull |= (uint64_t)1 << (number - 1);
        if (!parser_at(parser, TOK_RPAREN)) parser_expect(parser, TOK_COMMA, "the argument number");
    }
    parser_expect(parser, TOK_RPAREN, "the argument numbers");
}

// alloc_size(2), alloc_size(1, 2)
static void attribute_alloc_size(Parser *parser, Attributes *attributes) {
    if (!parser_expect(parser, TOK_LPAREN, "'alloc_size'")) return;
    for (uint32_t i = 0; !parser->panic && !parser_at(parser, TOK_RPAREN); i++) {
        int64_t number;
        if (!parse_integer_argument(parser, "argument number", &number)) return;
        if (i < 2 && number >= 1 && number <= UINT16_MAX)
            attributes->alloc_size[i] = (uint16_t)number;
        if (!parser_at(parser, TOK_RPAREN)) parser_expect(parser, TOK_COMMA, "the argument number");
    }
    parser_expect(parser, TOK_RPAREN, "the argument numbers");
}

static bool at_access_mode(const Parser *parser) {
    static const char *const modes[] = {"read_only", "write_only", "read_write", "none"};
    if (!parser_at(parser, TOK_IDENT)) return false;
    const char *text = parser->token.ident->text;
    size_t length = strlen(text);
    bool reserved =
        length > 4 && strncmp(text, "__", 2) == 0 && strcmp(text + length - 2, "__") == 0;
    if (reserved) text += 2, length -= 4;
    for (uint32_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strlen(modes[i]) == length && strncmp(modes[i], text, length) == 0) return true;
    return false;
}

// access(MODE, POINTER), access(MODE, POINTER, SIZE)
static void attribute_access(Parser *parser, Attributes *attributes) {
    if (!parser_expect(parser, TOK_LPAREN, "'access'")) return;
    if (!at_access_mode(parser)) {
        syntax_error(parser, "expected 'read_only', 'write_only', 'read_write' or 'none'");
        return;
    }
    parser_next(parser);
    int64_t numbers[2] = {0};
    for (uint32_t i = 0; i < 2 && parser_accept(parser, TOK_COMMA); i++)
        if (!parse_integer_argument(parser, "argument number", &numbers[i])) return;
    parser_expect(parser, TOK_RPAREN, "the argument numbers");
    bool good =
        numbers[0] >= 1 && numbers[0] <= UINT16_MAX && numbers[1] >= 1 && numbers[1] <= UINT16_MAX;
    if (!good) return; // no size is given
    ParamAccess *access = ARENA_NEW(parser->arena, ParamAccess);
    *access = (ParamAccess){.pointer = (uint32_t)numbers[0],
                            .size = (uint32_t)numbers[1],
                            .next = attributes->accesses};
    attributes->accesses = access;
}

static const char *parse_call_message(Parser *parser, const char *attribute) {
    if (!parser_expect(parser, TOK_LPAREN, attribute)) return NULL;
    const char *message = parse_string_argument(parser, "message");
    if (message) parser_expect(parser, TOK_RPAREN, "the message");
    return message;
}

static void attribute_error(Parser *parser, Attributes *attributes) {
    attributes->call_error = parse_call_message(parser, "'error'");
}

static void attribute_warning(Parser *parser, Attributes *attributes) {
    attributes->call_warning = parse_call_message(parser, "'warning'");
}

// no_sanitize("undefined", "null,alignment"). Names of what is not there in any case are passed
// over.
static void attribute_no_sanitize(Parser *parser, Attributes *attributes) {
    if (!parser_expect(parser, TOK_LPAREN, "'no_sanitize'")) return;
    do {
        const char *names = parse_string_argument(parser, "name of a sanitizer");
        if (!names) return;
        for (size_t length; *names; names += length + (names[length] == ',')) {
            SanitizerSet set;
            const char *reason;
            length = strcspn(names, ",");
            sanitize_named(names, length, &set, &reason);
            attributes->no_sanitize |= set;
        }
    } while (parser_accept(parser, TOK_COMMA));
    parser_expect(parser, TOK_RPAREN, "the name");
}

static void attribute_no_sanitize_undefined(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->no_sanitize |= SANITIZE_UNDEFINED;
}

// ---- Layout of structures

static void choose_layout(Parser *parser, Attributes *attributes, RecordChoice choice) {
    if (attributes->layout && attributes->layout != choice)
        parser_warn(parser, WARN_ATTRIBUTES, parser->last_end - 1, parser->last_end,
                    "this attribute is ignored: 'ms_struct' and 'gcc_struct' exclude each other");
    else
        attributes->layout = (uint8_t)choice;
}

static void attribute_ms_struct(Parser *parser, Attributes *attributes) {
    choose_layout(parser, attributes, CHOICE_OTHER);
}

static void attribute_gcc_struct(Parser *parser, Attributes *attributes) {
    choose_layout(parser, attributes, CHOICE_USUAL);
}

static void attribute_scalar_order(Parser *parser, Attributes *attributes) {
    Token at = parser->token;
    const char *order = string_argument(parser, "storage order");
    if (!order) return;
    if (strcmp(order, "big-endian") == 0)
        attributes->order = CHOICE_OTHER;
    else if (strcmp(order, "little-endian") == 0)
        attributes->order = CHOICE_USUAL;
    else
        parser_error(parser, at.pos, parser->last_end,
                     "attribute 'scalar_storage_order' argument must be one of 'big-endian' or "
                     "'little-endian'");
}

// ---- How code is written

static void attribute_stack_protect(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->emission |= SYMF_GUARD;
}

static void attribute_no_stack_protector(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->emission |= SYMF_NO_GUARD;
}

// Instructions that would count its calls are no statements of it.
static void attribute_naked(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->emission |= SYMF_NAKED;
    attributes->noinline = attributes->no_profile = attributes->no_instrument = true;
}

static void attribute_noipa(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->emission |= SYMF_NOIPA;
    attributes->noinline = true;
}

static void attribute_no_split_stack(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->emission |= SYMF_NO_SPLIT;
}

static void attribute_interrupt(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->emission |= SYMF_INTERRUPT;
}

static void attribute_no_caller_saved(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->emission |= SYMF_KEEPS_ALL;
}

static void attribute_nocf_check(Parser *parser, Attributes *attributes) {
    (void)parser;
    attributes->emission |= SYMF_UNTRACKED;
}

// zero_call_used_regs("used-gpr")
static void attribute_zero_regs(Parser *parser, Attributes *attributes) {
    static const struct {
        const char *name;
        uint32_t flags;
    } choices[] = {
        {"skip", SYMF_ZERO_NONE},
        {"used-gpr-arg", SYMF_ZERO | SYMF_ZERO_USED | SYMF_ZERO_GENERAL | SYMF_ZERO_ARGUMENTS},
        {"used-gpr", SYMF_ZERO | SYMF_ZERO_USED | SYMF_ZERO_GENERAL},
        {"used-arg", SYMF_ZERO | SYMF_ZERO_USED | SYMF_ZERO_ARGUMENTS},
        {"used", SYMF_ZERO | SYMF_ZERO_USED},
        {"all-gpr-arg", SYMF_ZERO | SYMF_ZERO_GENERAL | SYMF_ZERO_ARGUMENTS},
        {"all-gpr", SYMF_ZERO | SYMF_ZERO_GENERAL},
        {"all-arg", SYMF_ZERO | SYMF_ZERO_ARGUMENTS},
        {"all", SYMF_ZERO},
    };
    Pos pos = parser->token.pos;
    const char *name = string_argument(parser, "choice of registers");
    for (size_t i = 0; name && i < sizeof choices / sizeof *choices; i++) {
        if (strcmp(name, choices[i].name) != 0) continue;
        attributes->emission |= choices[i].flags;
        return;
    }
    if (name)
        parser_error(parser, pos, parser->last_end,
                     "unrecognized 'zero_call_used_regs' attribute argument '%s'", name);
}

// Whether an option turns -fstrict-aliasing off, by itself or with a level that is without it.
static bool loosens_aliasing(const char *option) {
    if (strncmp(option, "-O", 2) == 0) option += 2;
    if (*option == 'O') option++;
    return strstr(option, "no-strict-aliasing") || *option == '0' || *option == '1' ||
           *option == 'g';
}

// optimize("no-stack-protector", ...): these options change the protection of a function, or what
// its types tell. The others change no meaning.
static void attribute_optimize(Parser *parser, Attributes *attributes) {
    if (!parser_at(parser, TOK_LPAREN)) return;
    parser_next(parser);
    while (!parser->panic && !parser_at(parser, TOK_RPAREN)) {
        if (at_string(parser)) {
            const char *text = parse_string_argument(parser, "option");
            if (text && strstr(text, "no-stack-protector")) attributes->emission |= SYMF_NO_GUARD;
            attributes->loose_aliasing |= text && loosens_aliasing(text);
        } else {
            parse_conditional(parser);
            attributes->loose_aliasing = true; // a level
        }
        if (!parser_at(parser, TOK_RPAREN)) parser_expect(parser, TOK_COMMA, "the option");
    }
    parser_expect(parser, TOK_RPAREN, "the options");
}

// ---- The table

static const AttributeRow rows[] = {
#define FLAG(text, field)            {.name = text, .flagged = true, .flag = offsetof(Attributes, field)},
#define PARSED(text, function)       {.name = text, .parse = function},
#define HARMLESS(text, why)          {.name = text},
#define PARTIAL(text, function, why) {.name = text, .parse = function},
#define UNDONE(text, why)            {.name = text, .undone = why},
#define REFUSED(text, why)           {.name = text, .undone = why, .refused = true},
#include "c/tables/attributes.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static void add_attribute_name(Parser *parser, const char *text, uint32_t row) {
    char name[64];
    int length = snprintf(name, sizeof name, "__%s__", text);
    Ident *plain = pp_ident(parser->pp, text, (size_t)length - 4);
    Ident *reserved = pp_ident(parser->pp, name, (size_t)length);
    map_set(parser->arena, &parser->attribute_names, plain->name.i, row);
    map_set(parser->arena, &parser->attribute_names, reserved->name.i, row);
}

void attributes_init(Parser *parser) {
    const char *const *own = parser->types->language->attributes;
    for (uint32_t i = 0; i < ROW_COUNT; i++) add_attribute_name(parser, rows[i].name, i);
    for (uint32_t i = 0; own[i]; i++) add_attribute_name(parser, own[i], ROW_COUNT + i);
}

// A row by its number: those of the table, then those of the machine, which mean nothing.
static const AttributeRow *row_at(uint32_t row) {
    static const AttributeRow harmless = {.name = ""};
    return row < ROW_COUNT ? &rows[row] : &harmless;
}

uint32_t attribute_row(const Parser *parser, const Ident *name) {
    return map_get(&parser->attribute_names, name->name.i);
}

const char *attribute_row_name(uint32_t row) {
    return row_at(row)->name;
}

// ---- Syntax

static void warn_unknown_attribute(Parser *parser, const Token *name) {
    Spelling spelling;
    spelling_start(&spelling, name->ident->text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].name) spelling_try(&spelling, rows[i].name);
    for (const char *const *own = parser->types->language->attributes; *own; own++)
        spelling_try(&spelling, *own);
    if (spelling.nearest)
        parser_fix_replace(parser, name->pos, name->pos + name->length, spelling.nearest);
    parser_warn(parser, WARN_ATTRIBUTES, name->pos, name->pos + name->length,
                "unknown attribute '%s' ignored%s%s%s", name->ident->text,
                spelling.nearest ? "; did you mean '" : "",
                spelling.nearest ? spelling.nearest : "", spelling.nearest ? "'?" : "");
}

// Behind the name of an attribute, `at`: handles the attribute of that name in GNU C.
static void heed_attribute(Parser *parser, const Ident *name, const Token *at,
                           Attributes *attributes) {
    uint32_t number = attribute_row(parser, name), first = parser->noted.count;
    const AttributeRow *row = row_at(number);
    if (number == HASH_NONE) {
        warn_unknown_attribute(parser, at);
    } else if (row->refused) {
        parser_error(parser, at->pos, at->pos + at->length,
                     "the attribute '%s' is not supported: %s", row->name, row->undone);
    } else if (row->undone) {
        parser_warn(parser, WARN_ATTRIBUTES, at->pos, at->pos + at->length,
                    "the attribute '%s' is ignored: %s", row->name, row->undone);
    } else {
        if (row->parse)
            row->parse(parser, attributes);
        else if (row->flagged)
            *(bool *)((char *)attributes + row->flag) = true;
        else if (parser_at(parser, TOK_LPAREN))
            parse_any_arguments(parser);
        note_attribute(parser, &attributes->notes, number, first);
        if (row->parse) return;
    }
    if (parser_at(parser, TOK_LPAREN)) skip_parentheses(parser);
}

static void parse_attribute(Parser *parser, Attributes *attributes) {
    if (!parser_at(parser, TOK_IDENT)) {
        syntax_error(parser, "expected the name of an attribute");
        return;
    }
    Token name = parser->token;
    parser_next(parser);
    heed_attribute(parser, name.ident, &name, attributes);
}

bool at_standard_attribute(Parser *parser) {
    return parser_at(parser, TOK_LBRACKET) && parser_peek(parser, 1)->kind == TOK_LBRACKET;
}

const Token *after_standard_attributes(Parser *parser) {
    uint32_t n = 0, depth = 0;
    const Token *token = &parser->token;
    for (; token->kind != TOK_EOF; token = parser_peek(parser, ++n)) {
        if (depth == 0 &&
            !(token->kind == TOK_LBRACKET && parser_peek(parser, n + 1)->kind == TOK_LBRACKET))
            break;
        if (token->kind == TOK_LBRACKET) depth++;
        if (token->kind == TOK_RBRACKET) depth--;
    }
    return token;
}

// The name in GNU C of an attribute that C23 itself knows; NULL if C23 does not know it.
static const char *gnu_name(const Ident *name) {
    static const struct {
        const char *standard, *gnu;
    } names[] = {{"maybe_unused", "unused"},   {"nodiscard", "warn_unused_result"},
                 {"deprecated", "deprecated"}, {"fallthrough", "fallthrough"},
                 {"noreturn", "noreturn"},     {"_Noreturn", "noreturn"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (named(name, names[i].standard)) return names[i].gnu;
    return NULL;
}

// One attribute of C23. Attributes of C23 have no prefix, attributes of GNU C have one; all others
// mean nothing here, also attributes of GNU C without the prefix.
static void parse_standard_attribute(Parser *parser, Attributes *attributes) {
    bool prefixed = parser_at(parser, TOK_IDENT) && parser_peek(parser, 1)->kind == TOK_COLON &&
                    parser_peek(parser, 2)->kind == TOK_COLON;
    bool gnu = prefixed && named(parser->token.ident, "gnu");
    for (unsigned i = 0; prefixed && i < 3; i++) parser_next(parser);
    if (gnu || !parser_at(parser, TOK_IDENT)) {
        parse_attribute(parser, attributes);
        return;
    }
    Token name = parser->token;
    const char *known = prefixed ? NULL : gnu_name(name.ident);
    parser_next(parser);
    if (known) {
        heed_attribute(parser, pp_ident(parser->pp, known, strlen(known)), &name, attributes);
        return;
    }
    if (!prefixed)
        parser_warn(parser, WARN_ATTRIBUTES, name.pos, name.pos + name.length,
                    "'%s' attribute ignored", name.ident->text);
    if (parser_at(parser, TOK_LPAREN)) skip_parentheses(parser);
}

static void parse_standard_attributes(Parser *parser, Attributes *attributes) {
    parser_next(parser);
    parser_next(parser);
    while (!parser->panic && !parser_at(parser, TOK_RBRACKET)) {
        if (parser_accept(parser, TOK_COMMA)) continue;
        parse_standard_attribute(parser, attributes);
        if (!parser_at(parser, TOK_RBRACKET) && !parser_at(parser, TOK_COMMA))
            parser_expect(parser, TOK_RBRACKET, "attribute");
    }
    if (parser->panic) return;
    parser_expect(parser, TOK_RBRACKET, "attributes");
    parser_expect(parser, TOK_RBRACKET, "attributes");
}

void parse_attributes(Parser *parser, Attributes *attributes) {
    do {
        while (!parser->panic && at_standard_attribute(parser))
            parse_standard_attributes(parser, attributes);
        parse_gnu_attributes(parser, attributes);
    } while (!parser->panic && at_standard_attribute(parser));
}

void parse_gnu_attributes(Parser *parser, Attributes *attributes) {
    while (!parser->panic && parser_at_keyword(parser, KW_ATTRIBUTE)) {
        parser_next(parser);
        if (!parser_expect(parser, TOK_LPAREN, "'__attribute__'") ||
            !parser_expect(parser, TOK_LPAREN, "'__attribute__('"))
            return;
        while (!parser->panic && !parser_at(parser, TOK_RPAREN)) {
            if (parser_accept(parser, TOK_COMMA)) continue;
            parse_attribute(parser, attributes);
            if (!parser_at(parser, TOK_RPAREN) && !parser_at(parser, TOK_COMMA))
                parser_expect(parser, TOK_RPAREN, "attribute");
        }
        if (parser->panic) return;
        parser_expect(parser, TOK_RPAREN, "attributes");
        parser_expect(parser, TOK_RPAREN, "attributes");
    }
}

const char *parse_asm_label(Parser *parser) {
    if (!parser_at_keyword(parser, KW_ASM)) return NULL;
    parser_next(parser);
    Token at = parser->token;
    const char *name = string_argument(parser, "assembler name");
    if (!name || name[0]) return name;
    parser_error(parser, at.pos, at.pos + at.length, "the assembler name is empty");
    return NULL;
}

uint32_t parse_alignas(Parser *parser) {
    parser_next(parser);
    if (!parser_expect(parser, TOK_LPAREN, "'_Alignas'")) return 0;
    uint32_t align = 0;
    Pos pos = parser->token.pos;
    int64_t value;
    if (!parser_enter(parser)) {
        // The error has been reported; nothing below it is read.
    } else if (starts_type(parser, &parser->token)) {
        align = parse_type_name(parser)->align;
    } else if (parse_integer_argument(parser, "alignment", &value)) {
        check_alignment(parser, value, pos, &align);
    }
    parser_expect(parser, TOK_RPAREN, "alignment");
    return align;
}

// ---- Interrupts

// A function that the processor calls gets the address of its frame, and perhaps an error code.
void check_interrupt(Parser *parser, const Decl *func) {
    const CType *type = func->type;
    uint32_t count = type->func.param_count, emission = func->attributes->emission;
    Pos end = func->pos + func->name->length;
    if (!(emission & SYMF_INTERRUPT)) return;
    if (emission & SYMF_NAKED)
        parser_error(parser, func->pos, end, "interrupt and naked attributes are not compatible");
    if (type->base->kind != CT_VOID)
        parser_error(parser, func->pos, end, "interrupt service routine must return 'void'");
    if (count < 1 || count > 2 || type->func.variadic)
        parser_error(parser, func->pos, end,
                     "interrupt service routine can only have a pointer argument and an optional "
                     "integer argument");
    else if (type->func.params[0].type->kind != CT_POINTER)
        parser_error(parser, func->pos, end,
                     "interrupt service routine should have a pointer as the first argument");
    else if (count == 2 && type->func.params[1].type->kind != CT_ULONG)
        parser_error(parser, func->pos, end,
                     "interrupt service routine should have 'unsigned long int' as the second "
                     "argument");
}
