// Arguments of library functions that are mistakes as they are written: null pointers where none
// may be, sizes of pointers instead of the sizes of objects, lengths in the place of values,
// absolute values of unsigned numbers.
#include "c/parse/declare.h"
#include "c/parse/warn.h"

#include <string.h>

// ---- Null pointers

// Functions that take no null pointer whether they are declared so or not: bit k is argument k.
static const struct {
    const char *name;
    uint8_t arguments;
} never_null[] = {
    {"strlen", 1},  {"strcpy", 3}, {"strcat", 3},  {"strcmp", 3}, {"strncmp", 3}, {"strncpy", 3},
    {"strncat", 3}, {"strchr", 1}, {"strrchr", 1}, {"strstr", 3}, {"strdup", 1},  {"memcpy", 3},
    {"memmove", 3}, {"memset", 1}, {"memcmp", 3},  {"puts", 1},   {"printf", 1},
};

static uint64_t nonnull_arguments(Parser *parser, const Decl *func) {
    const Attributes *attributes = func->attributes;
    if (attributes->all_nonnull) return UINT64_MAX;
    if (attributes->nonnull || !func->name || !func->external) return attributes->nonnull;
    if (!is_builtin_function(parser, func->name)) return 0;
    for (size_t i = 0; i < sizeof never_null / sizeof *never_null; i++)
        if (strcmp(never_null[i].name, func->name->text) == 0) return never_null[i].arguments;
    return 0;
}

static void warn_nonnull(Parser *parser, const Decl *func, Expr *const *args, uint32_t count) {
    uint64_t wanted = nonnull_arguments(parser, func);
    for (uint32_t i = 0; wanted && i < count && i < 64; i++) {
        const Expr *arg = args[i];
        bool pointer =
            i < func->type->func.param_count && func->type->func.params[i].type->kind == CT_POINTER;
        if (!(wanted >> i & 1) || !pointer) continue;
        bool null = arg->kind == EX_INT && arg->integer == 0 && !arg->assumed &&
                    (arg->type->kind == CT_POINTER || is_null_pointer_constant(arg));
        if (!null) continue;
        warn_at_value(parser, WARN_NONNULL, arg, "argument %u null where non-null expected", i + 1);
        parser_note(parser, func->pos, "in a call to function '%s' declared 'nonnull'",
                    func->name->text);
    }
}

// ---- Sizes of pointers

static const struct {
    const char *name;
    uint8_t destination, source, size; // from 1; 0: none
} copying[] = {
    {"memset", 1, 0, 3},  {"memcpy", 1, 2, 3},  {"memmove", 1, 2, 3},     {"memcmp", 1, 2, 3},
    {"strncpy", 1, 2, 3}, {"strncat", 1, 2, 3}, {"strncmp", 1, 2, 3},     {"bzero", 1, 0, 2},
    {"bcopy", 2, 1, 3},   {"bcmp", 1, 2, 3},    {"mempcpy", 1, 2, 3},     {"snprintf", 1, 0, 2},
    {"stpncpy", 1, 2, 3}, {"strndup", 0, 1, 2}, {"strncasecmp", 1, 2, 3},
};

static bool warn_size_of(Parser *parser, const Decl *func, const Expr *pointer, const Expr *size,
                         const char *role) {
    const SizeofOperand *of = size->size_of;
    pointer = expr_stripped(pointer);
    const CType *type = pointer->kind == EX_CAST ? pointer->type : pointer->type->unqualified;
    if (of->type->kind != CT_POINTER || type->kind != CT_POINTER) return false;
    const CType *base = type->base;
    if (of->expr && expr_same(expr_stripped(of->expr), pointer)) {
        const char *advice = base->kind == CT_VOID || !base->complete || type_is_character(base)
                                 ? "did you mean to provide an explicit length?"
                                 : "did you mean to dereference it?";
        warn_at_expr(parser, WARN_SIZEOF_POINTER_MEMACCESS, size,
                     "argument to 'sizeof' in '%s' call is the same expression as the %s; %s",
                     func->name->text, role, advice);
        return true;
    }
    if (of->expr || base->kind == CT_VOID || !base->complete || type_is_character(base) ||
        !type_compatible_unqualified(of->type, type))
        return false;
    warn_at_expr(parser, WARN_SIZEOF_POINTER_MEMACCESS, size,
                 "argument to 'sizeof' in '%s' call is the same pointer type %s as the %s; "
                 "expected %s or an explicit length",
                 func->name->text, type_text(parser, of->type), role, type_text(parser, base));
    return true;
}

static void warn_pointer_size(Parser *parser, const Decl *func, Expr *const *args, uint32_t count) {
    for (size_t i = 0; i < sizeof copying / sizeof *copying; i++) {
        if (strcmp(copying[i].name, func->name->text) != 0) continue;
        if (copying[i].size > count) return;
        const Expr *size = args[copying[i].size - 1];
        if (size->kind != EX_INT || size->origin != ORIGIN_SIZEOF) return;
        unsigned to = copying[i].destination, from = copying[i].source;
        bool compares = strstr(func->name->text, "cmp") != NULL;
        if (to && warn_size_of(parser, func, args[to - 1], size,
                               compares ? "first source" : "destination"))
            return;
        if (from)
            warn_size_of(parser, func, args[from - 1], size, compares ? "second source" : "source");
        return;
    }
}

// ---- memset

// Zero as it stands in the source: what is computed is not mistaken for another argument.
static bool is_written_zero(const Expr *arg) {
    return arg->kind == EX_INT && !arg->integer && arg->written == WRITTEN_NUMBER &&
           !arg->parenthesized;
}

static void warn_memset(Parser *parser, Expr *const *args, const Expr *call) {
    const Expr *value = args[1], *size = args[2];
    if (size->kind != EX_INT || size->assumed) return;
    if (is_written_zero(size) && !is_written_zero(value)) {
        warn_at_expr(parser, WARN_MEMSET_TRANSPOSED, call,
                     "'memset' used with constant zero length parameter; this could be due to "
                     "transposed parameters");
        return;
    }
    const Expr *pointer = args[0];
    while (pointer->kind == EX_CAST && pointer->cast == CAST_POINTER) pointer = pointer->left;
    if (pointer->kind != EX_CAST || pointer->cast != CAST_DECAY || size->origin == ORIGIN_SIZEOF)
        return;
    const CType *array = pointer->left->type;
    if (array->kind == CT_ARRAY && array->array.counted && array->array.count == size->integer &&
        array->base->complete && array->base->size > 1 && size->integer > 1)
        warn_at_expr(parser, WARN_MEMSET_ELT_SIZE, call,
                     "'memset' used with length equal to number of elements without multiplication "
                     "by element size");
}

// ---- Absolute values

static const struct {
    const char *name;
    uint8_t kind; // CTypeKind of what it takes
} absolutes[] = {{"abs", CT_INT},     {"labs", CT_LONG},   {"llabs", CT_LLONG},
                 {"fabs", CT_DOUBLE}, {"fabsf", CT_FLOAT}, {"fabsl", CT_LDOUBLE}};

static void warn_absolute(Parser *parser, const Decl *func, const Expr *arg, const Expr *call) {
    const char *name = func->name->text;
    const CType *type = arg->type;
    size_t i = 0;
    while (i < sizeof absolutes / sizeof *absolutes && strcmp(absolutes[i].name, name) != 0) i++;
    if (i == sizeof absolutes / sizeof *absolutes || !type_is_arithmetic(type)) return;
    const CType *wanted = parser->types->basic[absolutes[i].kind];
    bool floating = type_is_floating(wanted);
    if (!floating && type_is_floating(type))
        warn_at_expr(parser, WARN_ABSOLUTE_VALUE, call,
                     "using integer absolute value function '%s' when argument is of "
                     "floating-point type %s",
                     name, type_text(parser, type));
    else if (floating && type_is_integer(type))
        warn_at_expr(parser, WARN_ABSOLUTE_VALUE, call,
                     "using floating-point absolute value function '%s' when argument is of "
                     "integer type %s",
                     name, type_text(parser, type));
    else if (type_is_integer(type) && type_is_unsigned(type_promote(parser->types, arg->type)) &&
             arg->kind != EX_INT)
        warn_at_expr(parser, WARN_ABSOLUTE_VALUE, call,
                     "taking the absolute value of unsigned type %s has no effect",
                     type_text(parser, type));
    else if (type->size > wanted->size && !expr_is_number(arg))
        warn_at_expr(parser, WARN_ABSOLUTE_VALUE, call,
                     "absolute value function '%s' given an argument of type %s but has parameter "
                     "of type %s which may cause truncation of value",
                     name, type_text(parser, type), type_text(parser, wanted));
}

// ---- All together

void warn_arguments(Parser *parser, const Decl *func, Expr *const *args, uint32_t count,
                    const Expr *call) {
    if (!func || !func->name || !evaluated(parser)) return;
    for (uint32_t i = 0; i < count; i++)
        if (is_error(args[i])) return;
    if (pp_might_warn(parser->pp, WARN_NONNULL)) warn_nonnull(parser, func, args, count);
    if (!func->external || !pp_might_warn(parser->pp, WARN_SIZEOF_POINTER_MEMACCESS)) return;
    const char *name = func->name->text;
    if (count >= 2 && strchr("mbs", name[0])) warn_pointer_size(parser, func, args, count);
    if (count == 3 && strcmp(name, "memset") == 0) warn_memset(parser, args, call);
    if (count == 1 && strchr("alf", name[0])) warn_absolute(parser, func, args[0], call);
    if (strcmp(name, "alloca") == 0) warn_at_expr(parser, WARN_ALLOCA, call, "use of 'alloca'");
}
