// Functions that the files about builtin functions share.
#pragma once

#include "c/parse/expression.h"

// One use of a builtin function.
typedef struct {
    Parser *parser;
    const char *name;
    Token token; // the name
    Expr from;   // location
    const char *signature;
    unsigned operation;
    CType *result; // NULL if the signature leaves it open
    Expr **args;   // converted as the signature says
    uint32_t count;
} BuiltinUse;

// The functions that ROUND rows call.
enum { ROUND_CEIL, ROUND_FLOOR, ROUND_RINT, ROUND_ROUND };

// HANDLER(ID, function, by_hand): by_hand if the function parses the text between the parentheses
// itself.
#define BUILTIN_HANDLERS(HANDLER)                                                                  \
    HANDLER(CHOOSE, builtin_choose, true)                                                          \
    HANDLER(TYPES_COMPATIBLE, builtin_types_compatible, true)                                      \
    HANDLER(OFFSETOF, builtin_offsetof, true)                                                      \
    HANDLER(VA_ARG, builtin_va_arg, true)                                                          \
    HANDLER(VA_START, builtin_va_start, true)                                                      \
    HANDLER(VA_OTHER, builtin_va_other, true)                                                      \
    HANDLER(CONSTANT_P, builtin_constant_p, true)                                                  \
    HANDLER(CLASSIFY_TYPE, builtin_classify_type, true)                                            \
    HANDLER(HAS_ATTRIBUTE, builtin_has_attribute, true)                                            \
    HANDLER(OBJECT_SIZE, builtin_object_size, true)                                                \
    HANDLER(OVERFLOW, builtin_overflow, true)                                                      \
    HANDLER(OVERFLOW_P, builtin_overflow_p, true)                                                  \
    HANDLER(VA_ARG_PACK, builtin_va_arg_pack, false)                                               \
    HANDLER(UNSUPPORTED, builtin_unsupported, true)                                                \
    HANDLER(WHERE, builtin_where, false)                                                           \
    HANDLER(EXPECT, builtin_expect, false)                                                         \
    HANDLER(DROP, builtin_drop, false)                                                             \
    HANDLER(PLAIN, builtin_plain, false)                                                           \
    HANDLER(FRAME, builtin_frame, false)                                                           \
    HANDLER(ALLOCA, builtin_alloca, false)                                                         \
    HANDLER(CLEAR_PADDING, builtin_clear_padding, false)                                           \
    HANDLER(BITS, builtin_bits, false)                                                             \
    HANDLER(PARITY, builtin_parity, false)                                                         \
    HANDLER(FLOAT_CONSTANT, builtin_float_constant, false)                                         \
    HANDLER(FLOATING, builtin_floating, false)                                                     \
    HANDLER(ROUND, builtin_round, false)                                                           \
    HANDLER(POWER, builtin_power, false)                                                           \
    HANDLER(COMPLEX, builtin_complex, false)                                                       \
    HANDLER(TGMATH, builtin_tgmath, false)                                                         \
    HANDLER(COMPARE, builtin_compare, false)                                                       \
    HANDLER(MACHINE, builtin_machine, false)                                                       \
    HANDLER(FENCE, builtin_fence, false)                                                           \
    HANDLER(ATOMIC, builtin_atomic, false)                                                         \
    HANDLER(LOCK_FREE, builtin_lock_free, false)

#define HANDLER(id, function, by_hand) Expr *function(BuiltinUse *use);
BUILTIN_HANDLERS(HANDLER)
#undef HANDLER

Expr *parse_unevaluated_argument(Parser *parser); // an assignment expression
CType *builtin_type(Parser *parser, char letter);
// The value of an expression after the arguments from `first` on have been evaluated for effect.
Expr *after_arguments(BuiltinUse *use, uint32_t first, Expr *value);
