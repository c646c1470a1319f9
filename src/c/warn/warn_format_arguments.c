// Format strings of printf, scanf and functions declared to be like them: each conversion is
// compared with the argument it would take.
#include "c/parse/expression.h"

#include <string.h>

typedef struct {
    Parser *parser;
    bool scan;
    const char *at, *end; // what is left of the format
    Expr *const *args;
    uint32_t count, next; // arguments, and which comes next
    const Expr *format;
} Format;

typedef enum {
    LEN_NONE,
    LEN_HH,
    LEN_H,
    LEN_L,
    LEN_LL,
    LEN_J,
    LEN_Z,
    LEN_T,
    LEN_LONG_DOUBLE
} LengthModifier;

// ---- Which functions

typedef struct {
    const char *name;
    bool scan;
    uint8_t string, first; // argument numbers from 1
} KnownFormat;

static const KnownFormat known_formats[] = {
    {"printf", false, 1, 2},   {"fprintf", false, 2, 3},  {"sprintf", false, 2, 3},
    {"snprintf", false, 3, 4}, {"dprintf", false, 2, 3},  {"asprintf", false, 2, 3},
    {"vprintf", false, 1, 0},  {"vfprintf", false, 2, 0}, {"vsprintf", false, 2, 0},
    {"scanf", true, 1, 2},     {"fscanf", true, 2, 3},    {"sscanf", true, 2, 3},
};

static bool find_format(const Decl *func, KnownFormat *format) {
    const Attributes *attributes = func->attributes;
    if (attributes->format) {
        *format = (KnownFormat){.scan = attributes->format == 2,
                                .string = (uint8_t)attributes->format_string,
                                .first = (uint8_t)attributes->format_first};
        return true;
    }
    if (!func->external || func->defined || !func->name || !func->type->func.prototype)
        return false;
    const char *name = func->name->text;
    if (func->name->length < 5 || strcmp(name + func->name->length - 1, "f") != 0) return false;
    for (size_t i = 0; i < sizeof known_formats / sizeof *known_formats; i++) {
        if (strcmp(known_formats[i].name, name) != 0) continue;
        *format = known_formats[i];
        return true;
    }
    return false;
}

// ---- Types of conversions

static CType *integer_of(const Format *format, LengthModifier length, bool is_unsigned) {
    CType *const *basic = format->parser->types->basic;
    switch (length) {
    case LEN_HH: return basic[is_unsigned ? CT_UCHAR : CT_SCHAR];
    case LEN_H: return basic[is_unsigned ? CT_USHORT : CT_SHORT];
    case LEN_L:
    case LEN_J:
    case LEN_Z:
    case LEN_T: return basic[is_unsigned ? CT_ULONG : CT_LONG];
    case LEN_LL:
    case LEN_LONG_DOUBLE: return basic[is_unsigned ? CT_ULLONG : CT_LLONG];
    default: return basic[is_unsigned ? CT_UINT : CT_INT];
    }
}

// The type of the value that a conversion prints or stores; NULL if the character is none.
static CType *conversion_type(const Format *format, char conversion, LengthModifier length) {
    Types *types = format->parser->types;
    switch (conversion) {
    case 'd':
    case 'i': return integer_of(format, length, false);
    case 'o':
    case 'u':
    case 'x':
    case 'X': return integer_of(format, length, true);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        if (length == LEN_LONG_DOUBLE) return types->basic[CT_LDOUBLE];
        return types->basic[format->scan && length != LEN_L ? CT_FLOAT : CT_DOUBLE];
    case 'c':
        if (format->scan) return length == LEN_L ? types->wchar : types->basic[CT_CHAR];
        return types->basic[length == LEN_L ? CT_UINT : CT_INT];
    case 's':
    case '[': {
        CType *element = length == LEN_L ? types->wchar : types->basic[CT_CHAR];
        return format->scan ? element : type_pointer(types, element);
    }
    case 'C': return types->wchar;
    case 'S': return format->scan ? types->wchar : type_pointer(types, types->wchar);
    case 'p': return types->void_pointer;
    case 'n':
        return format->scan ? integer_of(format, length, false)
                            : type_pointer(types, integer_of(format, length, false));
    default: return NULL;
    }
}

// Whether a value can be printed as if it had a type: signedness is not looked at.
static bool prints_as(const CType *want, const CType *have) {
    want = want->unqualified;
    have = have->unqualified;
    if (want->kind == CT_POINTER) {
        if (have->kind != CT_POINTER) return false;
        if (want->base->kind == CT_VOID) return true;
        const CType *a = want->base->unqualified, *b = have->base->unqualified;
        if (type_is_character(a)) return type_is_character(b) || b->kind == CT_VOID;
        if (type_is_integer(a) && type_is_integer(b)) return type_rank(a) == type_rank(b);
        return type_compatible_unqualified(a, b);
    }
    if (type_is_integer(want)) {
        if (!type_is_integer(have)) return false;
        // hh and h print a promoted int
        unsigned rank = type_rank(want) < 4 ? 4 : type_rank(want);
        return type_rank(have) == rank;
    }
    return want->kind == have->kind;
}

static bool scans_as(const CType *want, const CType *have) {
    if (have->kind != CT_POINTER) return false;
    const CType *to = have->base->unqualified;
    if (want->kind == CT_POINTER) return to->kind == CT_POINTER;
    if (type_is_character(want)) return type_is_character(to) || to->kind == CT_VOID;
    if (type_is_integer(want)) return type_is_integer(to) && type_rank(to) == type_rank(want);
    return to->kind == want->kind;
}

// ---- Checking

// -Wformat-signedness: what is not negative fits either way.
static void check_signedness(const Format *format, const CType *want, const Expr *arg,
                             const char *start, int length) {
    const CType *have = arg->type;
    if (format->scan) have = have->base->unqualified;
    if (!type_is_integer(want) || !type_is_integer(have) || have->kind == CT_BOOL ||
        type_is_character(have) || type_is_unsigned(want) == type_is_unsigned(have))
        return;
    const Expr *inner = arg; // before promotion
    while (inner->kind == EX_CAST && inner->cast == CAST_ARITHMETIC && !inner->parenthesized)
        inner = inner->left;
    if (!format->scan && type_is_integer(inner->type) && inner->type->size < have->size) return;
    if (arg->kind == EX_INT && (int64_t)arg->integer >= 0) return;
    warn_at_expr(format->parser, WARN_FORMAT_SIGNEDNESS, arg,
                 "format '%.*s' expects argument of type %s, but argument has type %s", length,
                 start, type_text(format->parser, want), type_text(format->parser, have));
}

static void check_argument(Format *format, CType *want, const char *start) {
    Parser *parser = format->parser;
    uint32_t at = format->next++;
    int length = (int)(format->at - start);
    if (at >= format->count) {
        if (at == format->count)
            warn_at_expr(parser, WARN_FORMAT, format->format,
                         "the conversion '%.*s' has no argument", length, start);
        return;
    }
    const Expr *arg = format->args[at];
    if (is_error(arg)) return;
    bool fits = format->scan ? scans_as(want, arg->type) : prints_as(want, arg->type);
    if (fits) {
        check_signedness(format, want, arg, start, length);
        return;
    }
    if (format->scan) want = type_pointer(parser->types, want);
    warn_at_expr(
        parser, WARN_FORMAT, arg,
        "the conversion '%.*s' expects an argument of type %s, but argument %u has type %s", length,
        start, type_text(parser, want), at + 1, type_text(parser, arg->type));
}

static LengthModifier parse_length(Format *format) {
    static const struct {
        const char *text;
        uint8_t length;
    } rows[] = {{"hh", LEN_HH}, {"h", LEN_H}, {"ll", LEN_LL}, {"l", LEN_L}, {"q", LEN_LL},
                {"j", LEN_J},   {"z", LEN_Z}, {"Z", LEN_Z},   {"t", LEN_T}, {"L", LEN_LONG_DOUBLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].text);
        if ((size_t)(format->end - format->at) >= length &&
            memcmp(format->at, rows[i].text, length) == 0) {
            format->at += length;
            return rows[i].length;
        }
    }
    return LEN_NONE;
}

static void skip_digits(Format *format) {
    while (format->at < format->end && *format->at >= '0' && *format->at <= '9') format->at++;
}

// A width or precision; * takes an int.
static void parse_width(Format *format, const char *start) {
    if (format->at < format->end && *format->at == '*') {
        format->at++;
        check_argument(format, format->parser->types->basic[CT_INT], start);
    } else {
        skip_digits(format);
    }
}

// The characters of %[...]
static void skip_set(Format *format) {
    if (format->at < format->end && *format->at == '^') format->at++;
    if (format->at < format->end && *format->at == ']') format->at++;
    while (format->at < format->end && *format->at != ']') format->at++;
    if (format->at < format->end) format->at++;
}

// One conversion, after its %. False if the rest cannot be checked.
static bool check_conversion(Format *format) {
    const char *start = format->at - 1;
    bool suppressed = false, allocated = false;
    if (format->scan) {
        for (; format->at < format->end && strchr("*'mI", *format->at); format->at++) {
            suppressed |= *format->at == '*';
            allocated |= *format->at == 'm';
        }
        skip_digits(format);
        if (format->at < format->end && *format->at == 'm') {
            allocated = true;
            format->at++;
        }
    } else {
        while (format->at < format->end && strchr("-+ #0'I", *format->at)) format->at++;
        parse_width(format, start);
        if (format->at < format->end && *format->at == '.') {
            format->at++;
            parse_width(format, start);
        }
    }
    if (format->at < format->end && *format->at == '$') return false; // numbered arguments
    LengthModifier length = parse_length(format);
    Parser *parser = format->parser;
    if (format->at >= format->end) {
        warn_at_expr(parser, WARN_FORMAT, format->format, "the format ends inside of a conversion");
        return false;
    }
    char conversion = *format->at++;
    if (conversion == '%' || (conversion == 'm' && !format->scan)) return true;
    CType *want = conversion_type(format, conversion, length);
    if (!want) {
        if ((unsigned char)conversion < ' ')
            warn_at_expr(parser, WARN_FORMAT, format->format,
                         "'%%' before the character %#x in a format is no conversion",
                         (unsigned)conversion);
        else
            warn_at_expr(parser, WARN_FORMAT, format->format,
                         "unknown conversion '%.*s' in a format", (int)(format->at - start), start);
        return false;
    }
    if (conversion == '[') skip_set(format);
    if (allocated) want = type_pointer(parser->types, want);
    if (!suppressed) check_argument(format, want, start);
    return true;
}

// ---- The strings that a format can be

// What all of them come to: of a choice of strings one may leave out arguments that another one
// takes.
typedef struct {
    Parser *parser;
    const KnownFormat *known;
    Expr *const *args;
    uint32_t count;
    bool opaque;       // one is not known
    bool fine;         // one takes all arguments
    const Expr *empty; // one has no character
    const Expr *extra; // the first argument that one does not take
} FormatStrings;

static const Expr *without_casts(const Expr *expr) {
    while (expr->kind == EX_CAST && (expr->cast == CAST_POINTER || expr->cast == CAST_DECAY ||
                                     expr->cast == CAST_SAME || expr->cast == CAST_READ))
        expr = expr->left;
    return expr;
}

static bool is_text(const Expr *expr) {
    return expr->kind == EX_STRING && expr->string->element == 1;
}

static bool is_constant_variable(const Expr *expr) {
    if (expr->kind != EX_VAR || !expr->decl->init) return false;
    const CType *type = expr->decl->type;
    return (type->kind == CT_ARRAY ? type->base : type)->quals & Q_CONST;
}

// A string literal, or the one that a constant array or pointer is initialized with; NULL if it is
// neither.
static const Expr *literal_behind(const Expr *expr) {
    expr = without_casts(expr);
    if (is_constant_variable(expr) && expr->decl->init->count == 1)
        expr = without_casts(expr->decl->init->pieces[0].value);
    return is_text(expr) ? expr : NULL;
}

static void check_string(FormatStrings *strings, const Expr *literal, uint64_t offset) {
    Parser *parser = strings->parser;
    const char *text = (const char *)literal->string->bytes + offset;
    Format format = {.parser = parser,
                     .scan = strings->known->scan,
                     .at = text,
                     .end = text + strlen(text),
                     .args = strings->args,
                     .count = strings->count,
                     .next = strings->known->first - 1u,
                     .format = literal};
    if (literal->string->size == offset + 1) {
        strings->empty = literal;
        return;
    }
    if (strlen(text) + offset + 1 < literal->string->size)
        warn_at_expr(parser, WARN_FORMAT_CONTAINS_NUL, literal, "embedded '\\0' in format");
    bool all = true;
    while (all && (format.at = memchr(format.at, '%', (size_t)(format.end - format.at)))) {
        format.at++;
        all = check_conversion(&format);
    }
    if (!all || format.next >= strings->count)
        strings->fine = true;
    else
        strings->extra = strings->args[format.next];
}

static void check_one_string(FormatStrings *strings, const Expr *expr) {
    uint32_t first = strings->known->first - 1u;
    int64_t offset = 0;
    expr = without_casts(expr);
    while (expr->kind == EX_BINARY && expr->op == BIN_PTR_ADD && expr->right->kind == EX_INT &&
           type_is_character(expr->type->base)) {
        offset += (int64_t)expr->right->integer;
        expr = without_casts(expr->left);
    }
    const Expr *literal = literal_behind(expr);
    if (literal && offset >= 0 && (uint64_t)offset < literal->string->size)
        check_string(strings, literal, (uint64_t)offset);
    else if (expr->kind == EX_INT && first < strings->count) // a null pointer
        strings->extra = strings->args[first];
    else if (expr->kind == EX_INT || (is_constant_variable(expr) && expr->type->kind == CT_ARRAY))
        strings->fine = true;
    else
        strings->opaque = true;
}

// The arguments that a call's result stands for as a format, as a set of bits: attribute
// format_arg, and gettext.
static uint64_t translated_arguments(const Expr *call) {
    static const struct {
        const char *name;
        uint8_t string; // argument number from 1
    } known[] = {{"gettext", 1}, {"dgettext", 2}, {"dcgettext", 2}};
    const Expr *callee = without_casts(call->left);
    while (callee->kind == EX_CAST && callee->cast == CAST_FUNC) callee = callee->left;
    if (callee->kind != EX_FUNC) return 0;
    const Decl *func = callee->decl;
    if (func->attributes->format_arg || !func->external || func->defined || !func->name)
        return func->attributes->format_arg;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(func->name->text, known[i].name) == 0)
            return (uint64_t)1 << (known[i].string - 1);
    return 0;
}

static void check_strings(FormatStrings *strings, const Expr *expr) {
    const Expr *choice = without_casts(expr);
    for (; choice->kind == EX_COND && choice->middle; choice = without_casts(expr)) {
        check_strings(strings, choice->middle);
        expr = choice->right;
    }
    uint64_t translated = choice->kind == EX_CALL ? translated_arguments(choice) : 0;
    if (!translated) check_one_string(strings, choice);
    for (uint32_t i = 0; translated && i < choice->arg_count && i < 64; i++)
        if (translated >> i & 1) check_strings(strings, choice->args[i]);
}

static void warn_no_literal(const FormatStrings *strings) {
    Parser *parser = strings->parser;
    const KnownFormat *known = strings->known;
    const Expr *format = strings->args[known->string - 1];
    if (!evaluated(parser)) return;
    if (strings->count < known->first)
        warn_at_expr(parser, WARN_FORMAT_SECURITY, format,
                     "format not a string literal and no format arguments");
    else
        warn_at_expr(parser, WARN_FORMAT_NONLITERAL, format,
                     "format not a string literal, argument types not checked");
}

// Years of two digits in the format of strftime.
static void check_time_format(Parser *parser, const Expr *format) {
    const Expr *literal = literal_behind(format);
    if (!literal || !pp_might_warn(parser->pp, WARN_FORMAT_Y2K)) return;
    const char *at = (const char *)literal->string->bytes;
    while ((at = strchr(at, '%')) && at[1]) {
        at++;
        at += strspn(at, "_-0^#EO");
        if (!*at) return;
        if (strchr("cDgxy", *at))
            warn_at_expr(parser, WARN_FORMAT_Y2K, literal,
                         strchr("cx", *at)
                             ? "'%%%c' yields only last 2 digits of year in some locales"
                             : "'%%%c' yields only last 2 digits of year",
                         *at);
        at++;
    }
}

void check_format(Parser *parser, const Decl *func, Expr *const *args, uint32_t count) {
    KnownFormat known;
    // What a format says is known only where its characters are.
    if (pp_exec_charset(parser->pp, false)) return;
    if (count == 4 && func->name && func->external && strcmp(func->name->text, "strftime") == 0)
        check_time_format(parser, args[2]);
    if (!pp_might_warn(parser->pp, WARN_FORMAT) || !find_format(func, &known)) return;
    if (known.string == 0 || known.string > count || known.first == 0) return;
    if (is_error(args[known.string - 1])) return;
    FormatStrings strings = {.parser = parser, .known = &known, .args = args, .count = count};
    check_strings(&strings, args[known.string - 1]);
    if (strings.opaque) warn_no_literal(&strings);
    if (strings.opaque || strings.fine) return;
    if (strings.extra)
        warn_at_expr(parser, WARN_FORMAT_EXTRA_ARGS, strings.extra,
                     "too many arguments for format");
    if (strings.empty)
        warn_at_expr(parser, WARN_FORMAT_ZERO_LENGTH, strings.empty, "zero-length %s format string",
                     known.scan ? "scanf" : "printf");
}
