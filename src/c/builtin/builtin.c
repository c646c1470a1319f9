// The builtin functions of cbuiltins.def: each name has a handler that turns a use into an
// expression of other kinds, into a constant, or into an EX_BUILTIN that lowering knows. Any other
// __builtin_NAME stands for the library function NAME. (Type queries and varargs, which are parsed
// by hand, are in builtin_syntax.c; atomics are in builtin_atomic.c, folding in fold_library.c.)
#include "c/parse/builtin.h"
#include "base/half.h"
#include "c/parse/declare.h"
#include "form/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
#define HANDLER(id, function, by_hand) HANDLE_##id,
    BUILTIN_HANDLERS(HANDLER)
#undef HANDLER
        HANDLE_COUNT
} Handler;

typedef struct {
    Expr *(*handle)(BuiltinUse *use);
    bool by_hand; // parses the text between the parentheses, and the closing parenthesis
} HandlerInfo;

static const HandlerInfo handlers[HANDLE_COUNT] = {
#define HANDLER(id, function, by_hand) [HANDLE_##id] = {function, by_hand},
    BUILTIN_HANDLERS(HANDLER)
#undef HANDLER
};

typedef struct {
    const char *name;
    uint8_t handler;
    uint16_t operation;
    const char *signature;
    bool sized; // there are NAME_1 to NAME_16, too
} BuiltinInC;

static const BuiltinInC rows[] = {
#define FUNCTION(name, handler, operation, signature)                                              \
    {name, HANDLE_##handler, operation, signature, false},
#define SIZED(name, operation, signature) {name, HANDLE_ATOMIC, operation, signature, true},
#include "c/tables/cbuiltins.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

// A row by its number: rows of the table, then rows of the machine.
static BuiltinInC row_at(const Parser *parser, uint32_t number) {
    if (number < ROW_COUNT) return rows[number];
    const TargetBuiltin *own = &parser->types->language->builtins[number - ROW_COUNT];
    return (BuiltinInC){.name = own->name,
                        .handler = HANDLE_MACHINE,
                        .operation = (uint16_t)(number - ROW_COUNT),
                        .signature = own->signature};
}

// The names of a row for objects of a certain size, which takes the place of n, or follows.
static void add_sized_names(Parser *parser, const BuiltinInC *row) {
    size_t length = strlen(row->name);
    if (strcmp(row->name + length - 2, "_n") == 0) length -= 2;
    for (unsigned size = 1; size <= 16; size *= 2) {
        const char *name = arena_printf(parser->arena, "%.*s_%u", (int)length, row->name, size);
        pp_ident(parser->pp, name, strlen(name))->builtin = (uint16_t)(row - rows + 1);
    }
}

void builtins_init(Parser *parser) {
    uint32_t count = ROW_COUNT + parser->types->language->builtin_count;
    for (uint32_t i = 0; i < count; i++) {
        BuiltinInC row = row_at(parser, i);
        pp_ident(parser->pp, row.name, strlen(row.name))->builtin = (uint16_t)(i + 1);
        if (row.sized) add_sized_names(parser, &rows[i]);
    }
}

bool is_builtin_name(const Ident *name) {
    if (name->builtin) return true;
    const char *text = name->text;
    if (text[0] != '_' || text[1] != '_') return false;
    if (strncmp(text, "__builtin_", 10) == 0) return true;
    return (strncmp(text, "__sync_", 7) == 0 || strncmp(text, "__atomic_", 9) == 0) &&
           !name->ordinary;
}

// ---- Types of signatures

CType *builtin_type(Parser *parser, char letter) {
    Types *types = parser->types;
    switch (letter) {
    case 'v': return types->basic[CT_VOID];
    case 'i': return types->basic[CT_INT];
    case 'u': return types->basic[CT_UINT];
    case 'l': return types->basic[CT_LONG];
    case 'm': return types->basic[CT_ULONG];
    case 'x': return types->basic[CT_LLONG];
    case 'y': return types->basic[CT_ULLONG];
    case 'w': return types->basic[CT_UINT128];
    case 't': return types->basic[CT_USHORT];
    case 'f': return types->basic[CT_FLOAT];
    case 'd': return types->basic[CT_DOUBLE];
    case 'e': return types->basic[CT_LDOUBLE];
    case 'h': return types->basic[CT_HALF];
    case 'F': return types->floats[CT_FLOAT][FLOAT_INTERCHANGE];
    case 'D': return types->floats[CT_DOUBLE][FLOAT_INTERCHANGE];
    case 'G': return types->floats[CT_DOUBLE][FLOAT_EXTENDED];
    case 'H': return types->floats[CT_LDOUBLE][FLOAT_EXTENDED];
    case 'p': return types->void_pointer;
    case 'P':
        return type_pointer(types,
                            type_qualify(types, types->basic[CT_VOID], Q_CONST | Q_VOLATILE));
    case 's': return types->const_char_pointer;
    default: return NULL; // ? or .
    }
}

// Converts the arguments as the signature says. False after an error.
static bool convert_arguments(BuiltinUse *use) {
    Parser *parser = use->parser;
    const char *letters = use->signature + 1;
    uint32_t wanted = (uint32_t)strcspn(letters, ".");
    if (use->count < wanted || (use->count > wanted && letters[wanted] != '.')) {
        error_at_expr(parser, &use->from, "too %s arguments for '%s': expected %u, have %u",
                      use->count < wanted ? "few" : "many", use->name, wanted, use->count);
        return false;
    }
    bool right = true;
    for (uint32_t i = 0; i < use->count; i++) {
        CType *type = i < wanted ? builtin_type(parser, letters[i]) : NULL;
        const char *what =
            arena_printf(parser->body_arena, "passing argument %u of '%s'", i + 1, use->name);
        use->args[i] = type ? expr_assign_convert(parser, use->args[i], type, what)
                            : expr_value(parser, use->args[i]);
        right &= !is_error(use->args[i]);
    }
    return right;
}

// ---- Making expressions

Expr *expr_builtin(Parser *parser, CBuiltin builtin, CType *type, Expr **args, uint32_t count,
                   const Expr *from) {
    Expr *expr = expr_new(parser, EX_BUILTIN, type, from);
    expr->builtin = (uint16_t)builtin;
    expr->args = args;
    expr->arg_count = count;
    return expr;
}

Expr *after_arguments(BuiltinUse *use, uint32_t first, Expr *value) {
    Parser *parser = use->parser;
    CType *type = parser->types->basic[CT_VOID];
    for (uint32_t i = use->count; i-- > first;) {
        if (expr_is_number(use->args[i])) continue;
        Expr *comma = expr_new(parser, EX_COMMA, value->type, &use->from);
        comma->left = expr_cast(parser, use->args[i], type);
        comma->right = value;
        value = comma;
    }
    return value;
}

Expr *builtin_plain(BuiltinUse *use) {
    return expr_builtin(use->parser, use->operation, use->result, use->args, use->count,
                        &use->from);
}

// Stands for the arguments behind "..." where a function is copied into its caller. A body that is
// only for inlining has no other place to be, whether or not it is declared always_inline; the body
// of a static inline function that is needed elsewhere is reported in the end.
Expr *builtin_va_arg_pack(BuiltinUse *use) {
    Parser *parser = use->parser;
    Decl *func = parser->function ? parser->function->decl : NULL;
    bool copied = func && (func->attributes->always_inline || func->extern_inline ||
                           (func->internal && func->is_inline));
    if (copied && func->type->func.variadic) {
        add_attributes(parser, func, &(Attributes){.always_inline = true});
        return builtin_plain(use);
    }
    error_at_expr(parser, &use->from, "invalid use of '%s ()'", use->name);
    return expr_int(parser, use->result, 0, &use->from);
}

Expr *builtin_unsupported(BuiltinUse *use) {
    Parser *parser = use->parser;
    error_at_expr(parser, &use->from, "'%s' is not supported", use->name);
    uint32_t depth = 0;
    for (; !parser_at(parser, TOK_EOF) && !parser_at(parser, TOK_SEMI); parser_next(parser)) {
        if (parser_at(parser, TOK_LPAREN)) depth++;
        if (parser_at(parser, TOK_RPAREN) && depth-- == 0) break;
    }
    parser_accept(parser, TOK_RPAREN);
    return expr_error(parser, &use->from);
}

// ---- Hints

Expr *builtin_expect(BuiltinUse *use) {
    Expr *value = use->args[0];
    if (use->result) {
        value = expr_convert(use->parser, value, use->result);
        if (use->result->kind != CT_POINTER || value->kind != EX_INT)
            return after_arguments(use, 1, value);
        value->constant_expression = false;
    }
    return after_arguments(use, 1, value);
}

Expr *builtin_drop(BuiltinUse *use) {
    Parser *parser = use->parser;
    Expr *zero = expr_int(parser, parser->types->basic[CT_INT], 0, &use->from);
    return after_arguments(use, 0, expr_cast(parser, zero, parser->types->basic[CT_VOID]));
}

// Frames above the function's own frame are found only if its callers have frame pointers.
Expr *builtin_frame(BuiltinUse *use) {
    Parser *parser = use->parser;
    int64_t level;
    if (!constant_integer(parser, use->args[0], "number of the frame", &level))
        return expr_error(parser, &use->from);
    if (level < 0 || level > MOST_FRAMES) {
        error_at_expr(parser, &use->from, "a frame of '%s' has a number up to %d", use->name,
                      MOST_FRAMES);
        return expr_error(parser, &use->from);
    }
    if (level)
        warn_at_expr(parser, WARN_FRAME_ADDRESS, &use->from,
                     "calling '%s' with a nonzero argument is unsafe", use->name);
    use->args[0] = expr_int(parser, parser->types->basic[CT_INT], (uint64_t)level, &use->from);
    return expr_builtin(parser, use->operation, use->result, use->args, 1, &use->from);
}

Expr *builtin_alloca(BuiltinUse *use) {
    Parser *parser = use->parser;
    uint32_t count = 1;
    note_alloca(parser);
    if (use->operation) {
        int64_t bits;
        if (!constant_integer(parser, use->args[1], "alignment", &bits))
            return expr_error(parser, &use->from);
        use->args[1] = expr_int(parser, parser->types->size, (uint64_t)bits / 8, use->args[1]);
        count = 2;
    }
    return expr_builtin(parser, CB_ALLOCA, use->result, use->args, count, &use->from);
}

Expr *builtin_clear_padding(BuiltinUse *use) {
    Parser *parser = use->parser;
    const CType *type = use->args[0]->type, *element = type;
    do element = element->base;
    while (element && element->kind == CT_ARRAY);
    if (type->kind != CT_POINTER || !type->base->complete || type_is_const(type->base) ||
        (type_is_record(element) && element->record->size_var)) {
        error_at_expr(parser, use->args[0],
                      "'%s' needs a pointer to an object of known size that is not const, not %s",
                      use->name, type_text(parser, type));
        return expr_error(parser, &use->from);
    }
    return builtin_plain(use);
}

// ---- Bits

Expr *builtin_bits(BuiltinUse *use) {
    Expr *folded = fold_bits(use->parser, use->operation, use->result, use->args, &use->from);
    return folded ? folded : builtin_plain(use);
}

Expr *builtin_parity(BuiltinUse *use) {
    Expr *ones = builtin_bits(use);
    Expr *one = expr_int(use->parser, use->result, 1, &use->from);
    return expr_binary(use->parser, BIN_AND, ones, one, NULL);
}

// ---- Overflow

// An integer as sign and magnitude.
typedef struct {
    bool negative, huge; // huge: beyond 128 bits
    Wide magnitude;
} ExactInteger;

static bool exact_of(const Expr *expr, ExactInteger *exact) {
    Wide value;
    if (!constant_wide(expr, &value)) return false;
    bool negative = !type_is_unsigned(expr->type) && wide_negative(value);
    *exact =
        (ExactInteger){.negative = negative, .magnitude = negative ? wide_negate(value) : value};
    return true;
}

static ExactInteger exact_sum(ExactInteger a, ExactInteger b) {
    if (a.negative == b.negative) {
        Wide sum = wide_add(a.magnitude, b.magnitude);
        bool huge = wide_less_unsigned(sum, a.magnitude);
        return (ExactInteger){.negative = a.negative, .magnitude = sum, .huge = huge};
    }
    if (!wide_less_unsigned(a.magnitude, b.magnitude))
        return (ExactInteger){.negative = a.negative,
                              .magnitude = wide_sub(a.magnitude, b.magnitude)};
    return (ExactInteger){.negative = b.negative, .magnitude = wide_sub(b.magnitude, a.magnitude)};
}

static ExactInteger exact_product(ExactInteger a, ExactInteger b) {
    Wide rest, product = wide_multiply(a.magnitude, b.magnitude);
    bool huge = !wide_is_zero(a.magnitude) &&
                !wide_equal(wide_divide_unsigned(product, a.magnitude, &rest), b.magnitude);
    return (ExactInteger){.negative = a.negative != b.negative, .magnitude = product, .huge = huge};
}

static bool exact_fits(ExactInteger value, unsigned bits, bool is_unsigned) {
    if (value.huge) return false;
    unsigned length = wide_length(value.magnitude);
    if (length == 0) return true;
    if (is_unsigned) return !value.negative && length <= bits;
    Wide least = wide_shift_left(wide_unsigned(1), bits - 1);
    return length < bits || (value.negative && wide_equal(value.magnitude, least));
}

static Expr *fold_overflow(BuiltinUse *use, const CType *type, unsigned bits) {
    ExactInteger a, b;
    if (!exact_of(use->args[0], &a) || !exact_of(use->args[1], &b)) return NULL;
    if (use->operation == CB_SUB_OVERFLOW) b.negative = !b.negative;
    ExactInteger result = use->operation == CB_MUL_OVERFLOW ? exact_product(a, b) : exact_sum(a, b);
    bool fits = exact_fits(result, bits, type_is_unsigned(type));
    return expr_int(use->parser, use->parser->types->basic[CT_BOOL], !fits, &use->from);
}

// The three arguments of an overflow builtin, the third as it is written; false after an error.
static bool overflow_arguments(BuiltinUse *use) {
    Parser *parser = use->parser;
    use->args = parse_arguments(parser, &use->count);
    if (parser->panic) return false;
    if (use->count != 3) {
        error_at_expr(parser, &use->from, "'%s' takes 3 arguments, not %u", use->name, use->count);
        return false;
    }
    CType *type = builtin_type(parser, use->signature[0]);
    for (uint32_t i = 0; i < 2; i++) {
        use->args[i] = type ? expr_assign_convert(parser, use->args[i], type, use->name)
                            : expr_value(parser, use->args[i]);
        if (is_error(use->args[i])) return false;
        if (!type_is_integer(use->args[i]->type)) {
            error_at_expr(parser, use->args[i], "argument %u of '%s' must be an integer", i + 1,
                          use->name);
            return false;
        }
    }
    return true;
}

Expr *builtin_overflow(BuiltinUse *use) {
    Parser *parser = use->parser;
    if (!overflow_arguments(use)) return expr_error(parser, &use->from);
    CType *type = builtin_type(parser, use->signature[0]);
    Expr **target = &use->args[2];
    *target = expr_value(parser, *target);
    if (type)
        *target =
            expr_assign_convert(parser, *target, type_pointer(parser->types, type), use->name);
    if (is_error(*target)) return expr_error(parser, &use->from);
    if ((*target)->type->kind != CT_POINTER || !type_is_integer((*target)->type->base) ||
        (*target)->type->base->quals & Q_CONST) {
        error_at_expr(parser, *target,
                      "argument 3 of '%s' must be a pointer to an integer that is not const",
                      use->name);
        return expr_error(parser, &use->from);
    }
    return expr_builtin(parser, use->operation, parser->types->basic[CT_BOOL], use->args, 3,
                        &use->from);
}

Expr *builtin_overflow_p(BuiltinUse *use) {
    Parser *parser = use->parser;
    if (!overflow_arguments(use)) return expr_error(parser, &use->from);
    const Member *field = bitfield_source(use->args[2]);
    Expr *model = expr_value(parser, use->args[2]);
    if (is_error(model)) return expr_error(parser, &use->from);
    if (!type_is_integer(model->type)) {
        error_at_expr(parser, model, "argument 3 of '%s' must be an integer", use->name);
        return expr_error(parser, &use->from);
    }
    unsigned bits = field ? field->width : type_bits(model->type);
    Expr *result = fold_overflow(use, model->type, bits);
    if (!result) {
        Expr **args = ARENA_ARRAY(parser->body_arena, Expr *, 4);
        args[0] = use->args[0];
        args[1] = use->args[1];
        args[2] = expr_int(parser, model->type, 0, model);
        args[3] = expr_int(parser, parser->types->basic[CT_INT], bits, model);
        result = expr_builtin(parser, use->operation, parser->types->basic[CT_BOOL], args, 4,
                              &use->from);
    }
    if (expr_is_number(model)) return result;
    BuiltinUse effect = {.parser = parser, .from = use->from, .args = &model, .count = 1};
    return after_arguments(&effect, 0, result);
}

// ---- Calls of functions with another name

static Expr *call_library(BuiltinUse *use, const char *name) {
    Parser *parser = use->parser;
    Decl *decl = declare_library_function(parser, pp_ident(parser->pp, name, strlen(name)));
    if (!decl) {
        error_at_expr(parser, &use->from, "'%s' needs the library function '%s'", use->name, name);
        return expr_error(parser, &use->from);
    }
    decl_mark_used(decl);
    Expr *callee = expr_new(parser, EX_FUNC, decl->type, &use->from);
    callee->decl = decl;
    return expr_call(parser, callee, use->args, use->count, parser->last_end);
}

// The suffix of a library function for an argument of a floating type.
static const char *suffix_of(const CType *type) {
    return type->kind == CT_HALF      ? "f16"
           : type->kind == CT_FLOAT   ? "f"
           : type->kind == CT_LDOUBLE ? "l"
                                      : "";
}

Expr *builtin_round(BuiltinUse *use) {
    static const char *const names[] = {[ROUND_CEIL] = "ceil",
                                        [ROUND_FLOOR] = "floor",
                                        [ROUND_RINT] = "rint",
                                        [ROUND_ROUND] = "round"};
    Parser *parser = use->parser;
    const char *name = arena_printf(parser->body_arena, "%s%s", names[use->operation],
                                    suffix_of(use->args[0]->type));
    return expr_convert(parser, call_library(use, name), use->result);
}

Expr *builtin_power(BuiltinUse *use) {
    CTypeKind kind = use->result->kind;
    return call_library(use, kind == CT_FLOAT     ? "__powisf2"
                             : kind == CT_LDOUBLE ? "__powixf2"
                                                  : "__powidf2");
}

// ---- Floating

// A NaN made a signaling one. A bit of the payload must be set: without a payload the next bit.
static long double signaling(long double nan) {
    union {
        long double value;
        uint64_t bits[2];
    } made = {.value = nan};
    made.bits[0] &= ~((uint64_t)1 << 62);
    if (made.bits[0] << 1 == 0) made.bits[0] |= (uint64_t)1 << 61;
    return made.value;
}

// The payload is what the low bits of the number are.
static long double half_nan(const char *payload) {
    char *end;
    unsigned long long bits = strtoull(payload, &end, 0);
    return half_value((uint16_t)(0x7c00 | HALF_QUIET | (*end ? 0 : bits & (HALF_QUIET - 1))));
}

Expr *builtin_float_constant(BuiltinUse *use) {
    Parser *parser = use->parser;
    long double value = (long double)INFINITY;
    if (use->operation > 0) {
        AddressConstant address;
        if (!expr_is_address_constant(use->args[0], &address) || !address.string ||
            address.string->element != 1 || address.offset != 0) {
            if (use->operation == 1) {
                const char *name =
                    arena_printf(parser->body_arena, "nan%s", suffix_of(use->result));
                return expr_convert(parser, call_library(use, name), use->result);
            }
            error_at_expr(parser, use->args[0], "the argument of '%s' must be a string literal",
                          use->name);
            return expr_error(parser, &use->from);
        }
        const char *payload = (const char *)address.string->bytes;
        value = use->result->kind == CT_HALF     ? half_nan(payload)
                : use->result->kind == CT_FLOAT  ? (long double)nanf(payload)
                : use->result->kind == CT_DOUBLE ? (long double)nan(payload)
                                                 : nanl(payload);
        if (use->operation == 2) value = signaling(value);
    }
    Expr *expr = expr_new(parser, EX_FLOAT, use->result, &use->from);
    expr->floating = value;
    return expr;
}

// The floating operands (of letter ?) get a common type; false if they are not floating. The class
// of a number is asked in its own type: excess precision counts only in comparisons of two, as in
// gcc.
static bool common_floating(BuiltinUse *use) {
    Parser *parser = use->parser;
    CType *common = NULL;
    const char *first = strchr(use->signature, '?');
    bool single = first && !strchr(first + 1, '?');
    bool floating = false;
    for (uint32_t i = 0; i < use->count; i++) {
        if (use->signature[i + 1] != '?') continue;
        if (single) use->args[i] = expr_as_meant(parser, use->args[i]);
        CType *type = use->args[i]->type;
        if (!type_is_arithmetic(type) || type_is_complex(type)) {
            error_at_expr(parser, use->args[i], "argument %u of '%s' must be a floating value",
                          i + 1, use->name);
            return false;
        }
        floating |= type_is_floating(type);
        common = common ? type_common(parser->types, common, type) : type;
    }
    if (!common) return true;
    if (!floating) {
        error_at_expr(parser, &use->from, "'%s' needs a floating argument", use->name);
        return false;
    }
    for (uint32_t i = 0; i < use->count; i++)
        if (use->signature[i + 1] == '?') use->args[i] = expr_convert(parser, use->args[i], common);
    return true;
}

Expr *builtin_floating(BuiltinUse *use) {
    if (!common_floating(use)) return expr_error(use->parser, &use->from);
    Expr *folded = fold_floating(use->parser, use->operation, use->result, use->args, &use->from);
    return folded ? folded : builtin_plain(use);
}

// isless and related functions: the operators without their exceptions.
Expr *builtin_compare(BuiltinUse *use) {
    Parser *parser = use->parser;
    if (!common_floating(use)) return expr_error(parser, &use->from);
    CType *result = parser->types->basic[CT_INT];
    const Expr *left = use->args[0], *right = use->args[1];
    if (left->kind == EX_FLOAT && right->kind == EX_FLOAT) {
        bool truth = floats_compare(use->operation, left->floating, right->floating);
        Expr *folded = expr_int(parser, result, truth, &use->from);
        folded->constant_expression = false;
        return folded;
    }
    if (parser->options->no_trapping_math)
        return expr_binary(parser, use->operation, use->args[0], use->args[1], NULL);
    Expr **args = ARENA_ARRAY(parser->body_arena, Expr *, 3);
    args[0] = use->args[0];
    args[1] = use->args[1];
    args[2] = expr_int(parser, result, use->operation, &use->from);
    return expr_builtin(parser, CB_QUIET_COMPARE, result, args, 3, &use->from);
}

// ---- Uses

// A function without the body that calls of its own name get.
static Decl *function_outside(Parser *parser, const Decl *decl) {
    Decl *outside = ARENA_NEW(parser->arena, Decl);
    *outside = *decl;
    outside->extern_inline = outside->inline_definition = outside->defined = false;
    outside->inline_number = outside->place = outside->number = 0;
    outside->attributes = ARENA_NEW(parser->arena, Attributes);
    *outside->attributes = *decl->attributes;
    outside->attributes->always_inline = false;
    return outside;
}

// The library function that a name stands for; NULL if there is none.
static Decl *library_function(Parser *parser, const Ident *name) {
    if (strncmp(name->text, "__builtin_", 10) != 0) return NULL;
    Ident *ident = is_library_function(parser, name)
                       ? pp_ident(parser->pp, name->text, name->length)
                       : pp_ident(parser->pp, name->text + 10, name->length - 10);
    Decl *decl = ident->ordinary;
    bool declared = decl && decl->kind == DECL_FUNC && decl->external;
    if (declared && decl->extern_inline) return function_outside(parser, decl);
    if (declared) return decl;
    return declare_library_function(parser, ident);
}

static Expr *use_library_function(Parser *parser, const Token *name, const Expr *from) {
    Decl *decl = library_function(parser, name->ident);
    if (!decl) {
        error_at_expr(parser, from,
                      strncmp(name->ident->text, "__builtin_", 10) == 0
                          ? "there is no builtin function '%s'"
                          : "the atomic operation '%s' is not supported",
                      name->ident->text);
        return expr_error(parser, from);
    }
    decl_mark_used(decl);
    Expr *expr = expr_new(parser, EX_FUNC, decl->type, from);
    expr->decl = decl;
    return expr;
}

Expr *parse_builtin(Parser *parser) {
    const Token name = parser->token;
    BuiltinUse use = {.parser = parser, .name = name.ident->text, .from = expr_at_token(&name)};
    use.token = name;
    parser_next(parser);
    bool called = parser_at(parser, TOK_LPAREN);
    if (!name.ident->builtin || !called) return use_library_function(parser, &name, &use.from);
    BuiltinInC row = row_at(parser, name.ident->builtin - 1u);
    const HandlerInfo *handler = &handlers[row.handler];
    use.operation = row.operation;
    use.signature = row.signature;
    parser_next(parser);
    if (!handler->by_hand) {
        use.args = parse_arguments(parser, &use.count);
        if (parser->panic || !convert_arguments(&use)) return expr_error(parser, &use.from);
        use.result = builtin_type(parser, row.signature[0]);
    }
    Expr *expr = handler->handle(&use);
    expr->end = parser->last_end;
    return expr;
}
