// Builtin and library functions of constants. Only what is exact on every host is folded.
#include "c/parse/expression.h"
#include "c/preprocess/charset.h"

#include <math.h>
#include <string.h>

// ---- Bits

static unsigned leading_zeros(uint64_t value, unsigned bits) {
    unsigned count = 0;
    while (count < bits && !(value >> (bits - 1 - count) & 1)) count++;
    return count;
}

static unsigned trailing_zeros(uint64_t value, unsigned bits) {
    unsigned count = 0;
    while (count < bits && !(value >> count & 1)) count++;
    return count;
}

static unsigned ones(uint64_t value) {
    unsigned count = 0;
    for (; value; value &= value - 1) count++;
    return count;
}

static uint64_t swap_bytes(uint64_t value, unsigned bytes) {
    uint64_t swapped = 0;
    for (unsigned i = 0; i < bytes; i++) swapped = swapped << 8 | (value >> (8 * i) & 0xff);
    return swapped;
}

Expr *fold_bits(Parser *parser, CBuiltin builtin, CType *type, Expr *const *args,
                const Expr *from) {
    const Expr *arg = args[0];
    if (arg->kind == EX_WIDE && builtin == CB_BSWAP) {
        Wide swapped = {.low = swap_bytes(arg->wide.high, 8), .high = swap_bytes(arg->wide.low, 8)};
        return expr_wide(parser, type, swapped, from);
    }
    if (arg->kind != EX_INT) return NULL;
    unsigned bits = type_bits(arg->type);
    uint64_t value = arg->integer, result;
    if (bits < 64) value &= ((uint64_t)1 << bits) - 1;
    bool negative = value >> (bits - 1) & 1;
    switch (builtin) {
    case CB_CLZ: result = leading_zeros(value, bits); break;
    case CB_CTZ: result = trailing_zeros(value, bits); break;
    case CB_POPCOUNT: result = ones(value); break;
    case CB_FFS: result = value ? trailing_zeros(value, bits) + 1 : 0; break;
    case CB_CLRSB:
        result = leading_zeros(negative ? ~value << (64 - bits) >> (64 - bits) : value, bits) - 1;
        break;
    case CB_BSWAP: result = swap_bytes(value, bits / 8); break;
    default: result = negative ? 0 - arg->integer : arg->integer; break; // CB_ABS
    }
    if (value == 0 && (builtin == CB_CLZ || builtin == CB_CTZ)) return NULL;
    Expr *folded = expr_int(parser, type, result, from);
    constant_of(folded, arg, arg);
    return folded;
}

// ---- Floating

static int classify(long double value, const CType *type) {
    bool half = type->kind == CT_HALF;
    if (half && value != 0 && fabsl(value) < 0x1p-14L) return FP_SUBNORMAL;
    if (half || type->kind == CT_FLOAT) return fpclassify((float)value);
    if (type->kind == CT_DOUBLE) return fpclassify((double)value);
    return fpclassify(value);
}

static uint64_t class_index(int fp_class) {
    switch (fp_class) {
    case FP_NAN: return 0;
    case FP_INFINITE: return 1;
    case FP_NORMAL: return 2;
    case FP_SUBNORMAL: return 3;
    default: return 4;
    }
}

Expr *fold_floating(Parser *parser, CBuiltin builtin, CType *type, Expr *const *args,
                    const Expr *from) {
    const Expr *arg = args[builtin == CB_FPCLASSIFY ? 5 : 0];
    if (arg->kind != EX_FLOAT) return NULL;
    long double value = arg->floating, other = 0;
    bool two = builtin == CB_COPYSIGN || builtin == CB_UNORDERED || builtin == CB_LESSGREATER;
    if (two && args[1]->kind != EX_FLOAT) return NULL;
    if (two) other = args[1]->floating;
    int fp_class = classify(value, arg->type);
    uint64_t result;
    switch (builtin) {
    case CB_FABS: return expr_floating(parser, type, fabsl(value), from);
    case CB_COPYSIGN: return expr_floating(parser, type, copysignl(value, other), from);
    case CB_ISNAN: result = fp_class == FP_NAN; break;
    case CB_ISINF: result = fp_class == FP_INFINITE; break;
    case CB_ISINF_SIGN: result = fp_class != FP_INFINITE ? 0 : value > 0 ? 1 : UINT64_MAX; break;
    case CB_ISFINITE: result = fp_class != FP_INFINITE && fp_class != FP_NAN; break;
    case CB_ISNORMAL: result = fp_class == FP_NORMAL; break;
    case CB_SIGNBIT: result = signbit(value) ? 1 : 0; break;
    case CB_UNORDERED: result = (uint64_t)(value != value) | (other != other); break;
    case CB_LESSGREATER: result = (uint64_t)(value < other) | (value > other); break;
    case CB_FPCLASSIFY: {
        const Expr *number = args[class_index(fp_class)];
        if (number->kind != EX_INT) return NULL;
        result = number->integer;
        break;
    }
    default: return NULL;
    }
    Expr *folded = expr_int(parser, type, result, from);
    folded->constant_expression = false;
    return folded;
}

// ---- Strings

// The bytes of a string literal from where an argument points, up to and with its zero.
static const char *literal_text(const Expr *expr, size_t *length) {
    AddressConstant address;
    if (!expr_is_address_constant(expr, &address) || !address.string) return NULL;
    const CString *string = address.string;
    if (string->element != 1 || address.offset < 0 || (uint64_t)address.offset >= string->size)
        return NULL;
    const char *text = (const char *)string->bytes + address.offset;
    *length = strnlen(text, (size_t)(string->size - (uint64_t)address.offset));
    return text;
}

static Expr *fold_string_call(Parser *parser, const char *name, CType *result, Expr *const *args,
                              uint32_t count, const Expr *from) {
    size_t length, other_length;
    const char *text = literal_text(args[0], &length);
    if (!text) return NULL;
    uint64_t value;
    if (strcmp(name, "strlen") == 0 && count == 1) {
        value = length;
    } else if (strcmp(name, "strcmp") == 0 && count == 2) {
        const char *other = literal_text(args[1], &other_length);
        if (!other) return NULL;
        int order = strcmp(text, other);
        value = (uint64_t)(int64_t)((order > 0) - (order < 0));
    } else {
        return NULL;
    }
    Expr *folded = expr_int(parser, result, value, from);
    folded->constant_expression = false;
    return folded;
}

// ---- Arithmetic

typedef long double Function(long double);

// Functions whose results are exact, and sqrt, which rounds correctly in each type.
static Expr *fold_math_call(Parser *parser, const char *name, CType *result, const Expr *arg,
                            const Expr *from) {
    if (rounds_later(parser)) return NULL;
    static const struct {
        const char *name;
        Function *function;
    } exact[] = {{"fabs", fabsl},   {"floor", floorl}, {"ceil", ceill},
                 {"trunc", truncl}, {"round", roundl}, {"sqrt", sqrtl}};
    if (arg->type != result || !type_is_floating(result) || !isfinite(arg->floating)) return NULL;
    size_t length = strlen(name);
    if (result->kind != CT_DOUBLE) {
        if (name[length - 1] != (result->kind == CT_FLOAT ? 'f' : 'l')) return NULL;
        length--;
    }
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        if (strlen(exact[i].name) != length || strncmp(exact[i].name, name, length) != 0) continue;
        long double value = arg->floating;
        if (exact[i].function != sqrtl)
            return expr_floating(parser, result, exact[i].function(value), from);
        if (value < 0) return NULL;
        value = result->kind == CT_FLOAT    ? sqrtf((float)value)
                : result->kind == CT_DOUBLE ? sqrt((double)value)
                                            : sqrtl(value);
        return expr_floating(parser, result, value, from);
    }
    return NULL;
}

static Expr *fold_abs(Parser *parser, const char *name, CType *result, Expr *const *args,
                      const Expr *from) {
    if (strcmp(name, "abs") != 0 && strcmp(name, "labs") != 0 && strcmp(name, "llabs") != 0)
        return NULL;
    if (args[0]->type != result || !type_is_integer(result)) return NULL;
    Expr *folded = fold_bits(parser, CB_ABS, result, args, from);
    if (folded) folded->constant_expression = false;
    return folded;
}

// Rounding a float in double gives the same as rounding in float.
static Expr *round_as_float(Parser *parser, const char *name, CType *result, Expr *const *args,
                            const Expr *from) {
    static const char *const names[] = {"ceil", "fabs",  "floor", "nearbyint",
                                        "rint", "round", "trunc"};
    const Expr *arg = args[0];
    CType *narrow = parser->types->basic[CT_FLOAT];
    if (!parser->options->optimize || arg->cast != CAST_ARITHMETIC ||
        arg->left->type->kind != CT_FLOAT || result->kind != CT_DOUBLE)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        const char *other = arena_printf(parser->body_arena, "%sf", name);
        Ident *ident = pp_ident(parser->pp, other, strlen(other));
        Decl *decl = ident->ordinary;
        if (!decl || decl->kind != DECL_FUNC) decl = declare_library_function(parser, ident);
        CType *type = decl ? decl->type : NULL;
        if (!type || type->base->kind != CT_FLOAT || type->func.param_count != 1 ||
            type->func.params[0].type->kind != CT_FLOAT)
            return NULL;
        decl_mark_used(decl);
        Expr *callee = expr_new(parser, EX_FUNC, type, from);
        callee->decl = decl;
        Expr **operands = ARENA_ARRAY(parser->body_arena, Expr *, 1);
        operands[0] = arg->left;
        Expr *call = expr_call(parser, callee, operands, 1, from->end);
        return expr_convert(parser, expr_convert(parser, call, narrow), result);
    }
    return NULL;
}

// isdigit asks for the digits of the set that strings are in, whatever the library thinks.
static Expr *fold_digit(Parser *parser, const char *name, Expr *arg, const Expr *from) {
    Types *types = parser->types;
    struct Charset *charset = pp_exec_charset(parser->pp, false);
    if (!charset || strcmp(name, "isdigit") != 0 || !type_is_integer(arg->type)) return NULL;
    size_t size;
    const uint8_t *zero = charset_convert(charset, parser->body_arena, "0", 1, &size);
    if (!zero || size != 1) return NULL;
    CType *type = types->basic[CT_UINT];
    uint32_t first = types->basic[CT_CHAR]->unsigned_char ? *zero : (uint32_t)(int8_t)*zero;
    Token at = {.pos = from->pos, .length = 1};
    Expr *digit = expr_convert(parser, arg, type);
    digit = expr_binary(parser, BIN_SUB, digit, expr_int(parser, type, first, from), &at);
    return expr_binary(parser, BIN_LE, digit, expr_int(parser, type, 9, from), &at);
}

Expr *fold_library_call(Parser *parser, const Decl *func, CType *result, Expr *const *args,
                        uint32_t count, const Expr *from) {
    if (count == 0 || !func->external || func->defined || !func->name) return NULL;
    const char *name = func->name->text;
    Expr *digit = count == 1 ? fold_digit(parser, name, args[0], from) : NULL;
    if (digit) return digit;
    switch (args[0]->kind) {
    case EX_INT: return count == 1 ? fold_abs(parser, name, result, args, from) : NULL;
    case EX_FLOAT: return count == 1 ? fold_math_call(parser, name, result, args[0], from) : NULL;
    case EX_CAST:
        if (count == 1 && result->kind == CT_DOUBLE)
            return round_as_float(parser, name, result, args, from);
        if (name[0] != 's' || name[1] != 't' || name[2] != 'r' || !type_is_integer(result))
            return NULL;
        return fold_string_call(parser, name, result, args, count, from);
    default: return NULL;
    }
}
