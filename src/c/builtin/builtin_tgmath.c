// __builtin_tgmath(functions, arguments), of which the macros of <tgmath.h> are made.
//
// The functions take as many arguments as follow them. The parameters whose types differ from one
// function to another are generic. The types of their arguments select the function whose
// parameters have the same real type and are equally complex or real.
#include "c/parse/builtin.h"

typedef struct {
    BuiltinUse *use;
    uint32_t function_count, count; // of functions, and of the arguments that each takes
    Expr **args;
} Generic;

static const CType *function_type(const Generic *generic, uint32_t i) {
    return generic->use->args[i]->type->base;
}

static bool is_function(const Expr *expr, uint32_t *count) {
    const CType *type = expr->type;
    if (type->kind != CT_POINTER || type->base->kind != CT_FUNC || !type->base->func.prototype)
        return false;
    *count = type->base->func.param_count;
    return !type->base->func.variadic && *count > 0;
}

// Tells functions from arguments; false after an error.
static bool separate(Generic *generic) {
    BuiltinUse *use = generic->use;
    uint32_t same;
    bool right =
        use->count > 0 && is_function(use->args[0], &generic->count) && use->count > generic->count;
    generic->function_count = right ? use->count - generic->count : 0;
    for (uint32_t i = 0; i < generic->function_count; i++)
        right &= is_function(use->args[i], &same) && same == generic->count;
    if (!right)
        error_at_expr(use->parser, &use->from,
                      "'%s' needs functions that take as many arguments as follow them", use->name);
    generic->args = use->args + generic->function_count;
    return right;
}

static bool is_generic(const Generic *generic, uint32_t param) {
    const CType *first = function_type(generic, 0)->func.params[param].type;
    for (uint32_t i = 1; i < generic->function_count; i++)
        if (!type_compatible_unqualified(first, function_type(generic, i)->func.params[param].type))
            return true;
    return generic->function_count == 1 && (type_is_floating(first) || type_is_complex(first));
}

// Whether all functions return the same one of the types _FloatN and _FloatNx.
static bool narrows_to_interchange(const Generic *generic) {
    const CType *result = function_type(generic, 0)->base->unqualified;
    for (uint32_t i = 1; i < generic->function_count; i++)
        if (function_type(generic, i)->base->unqualified != result) return false;
    return type_is_floating(result) && result->form != FLOAT_STANDARD;
}

// The floating type that an argument counts as: an integer is a double, or _Float64 where functions
// round to such a type.
static CType *floating_type(const Generic *generic, const CType *type) {
    Types *types = generic->use->parser->types;
    const CType *part = type_is_complex(type) ? type->base : type;
    if (type_is_floating(part)) return type_meant(types, type_plain(types, part));
    return narrows_to_interchange(generic) ? types->floats[CT_DOUBLE][FLOAT_INTERCHANGE]
                                           : types->basic[CT_DOUBLE];
}

// The type that the generic arguments have in common; NULL after an error.
static CType *common_type(const Generic *generic) {
    Parser *parser = generic->use->parser;
    CType *common = NULL;
    bool complex = false;
    for (uint32_t i = 0; i < generic->count; i++) {
        if (!is_generic(generic, i)) continue;
        CType *type = generic->args[i]->type;
        if (!type_is_arithmetic(type)) {
            error_at_expr(
                parser, generic->args[i],
                "a type-generic function needs an arithmetic argument, not one of type %s",
                type_text(parser, type));
            return NULL;
        }
        complex |= type_is_complex(type);
        CType *floating = floating_type(generic, type);
        common = common ? type_common(parser->types, common, floating) : floating;
    }
    if (!common) common = parser->types->basic[CT_DOUBLE];
    return complex ? type_complex(parser->types, common) : common;
}

// The function whose generic parameters have a type; the number of functions if there is none.
static uint32_t find_function(const Generic *generic, const CType *type) {
    uint32_t param = 0;
    while (param < generic->count && !is_generic(generic, param)) param++;
    uint32_t i = 0;
    while (param < generic->count && i < generic->function_count &&
           !type_compatible_unqualified(function_type(generic, i)->func.params[param].type, type))
        i++;
    return param < generic->count ? i : 0;
}

static CType *real_type(CType *type) {
    return type_is_complex(type) ? type->base : type;
}

// Functions that all return the same real type round their result to it, and are chosen by less:
// the first function whose parameters hold all values of the arguments' type.
static uint32_t find_narrowing(const Generic *generic, CType *type) {
    const CType *result = function_type(generic, 0)->base;
    for (uint32_t i = 0; i < generic->function_count; i++)
        if (function_type(generic, i)->base->unqualified != result->unqualified)
            return generic->function_count;
    if (!type_is_floating(result)) return generic->function_count;
    uint32_t param = 0;
    while (param < generic->count && !is_generic(generic, param)) param++;
    uint32_t i = 0;
    for (; i < generic->function_count; i++) {
        CType *own = function_type(generic, i)->func.params[param].type;
        if (type_is_complex(own) == type_is_complex(type) &&
            real_type(own)->kind >= real_type(type)->kind)
            break;
    }
    return i;
}

Expr *builtin_tgmath(BuiltinUse *use) {
    Parser *parser = use->parser;
    Generic generic = {.use = use};
    if (!separate(&generic)) return expr_error(parser, &use->from);
    CType *type = common_type(&generic);
    if (!type) return expr_error(parser, &use->from);
    uint32_t chosen = find_function(&generic, type);
    // A function of complex numbers only takes real ones, too.
    if (chosen == generic.function_count && !type_is_complex(type))
        chosen = find_function(&generic, type_complex(parser->types, type));
    if (chosen == generic.function_count) chosen = find_narrowing(&generic, type);
    if (chosen == generic.function_count) {
        error_at_expr(parser, &use->from, "no function of '%s' takes arguments of type %s",
                      use->name, type_text(parser, type));
        return expr_error(parser, &use->from);
    }
    return expr_call(parser, use->args[chosen], generic.args, generic.count, parser->last_end);
}
