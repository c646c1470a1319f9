// The warnings of the front end: one row each, by the name behind -W.
#pragma once

#include <stdbool.h>

//   WARNING(ID, "name", group): ALWAYS is on by default, ALL with -Wall, EXTRA with -Wextra,
//   PEDANTIC with -pedantic, NEVER only by its name.
#define WARNINGS(WARNING)                                                                          \
    WARNING(IMPLICIT_FUNCTION, "implicit-function-declaration", ALWAYS)                            \
    WARNING(IMPLICIT_INT, "implicit-int", ALWAYS)                                                  \
    WARNING(INT_CONVERSION, "int-conversion", ALWAYS)                                              \
    WARNING(INCOMPATIBLE_POINTERS, "incompatible-pointer-types", ALWAYS)                           \
    WARNING(DISCARDED_QUALIFIERS, "discarded-qualifiers", ALWAYS)                                  \
    WARNING(RETURN_TYPE, "return-type", ALL)                                                       \
    WARNING(RETURN_MISMATCH, "return-mismatch", ALWAYS)                                            \
    WARNING(OVERFLOW, "overflow", ALWAYS)                                                          \
    WARNING(DIV_BY_ZERO, "div-by-zero", ALWAYS)                                                    \
    WARNING(SHIFT_COUNT, "shift-count-overflow", ALWAYS)                                           \
    WARNING(ATTRIBUTES, "attributes", ALWAYS)                                                      \
    WARNING(DEPRECATED, "deprecated-declarations", ALWAYS)                                         \
    WARNING(UNUSED_RESULT, "unused-result", ALWAYS)                                                \
    WARNING(BUILTIN_MISMATCH, "builtin-declaration-mismatch", ALWAYS)                              \
    WARNING(INVALID_MEMORY_MODEL, "invalid-memory-model", ALWAYS)                                  \
    WARNING(ATTRIBUTE_WARNING, "attribute-warning", ALWAYS)                                        \
    WARNING(FRAME_ADDRESS, "frame-address", ALWAYS)                                                \
    WARNING(EXCESS_INITIALIZERS, "excess-initializers", ALWAYS)                                    \
    WARNING(EXTERN_INIT, "extern-initializer", ALWAYS)                                             \
    WARNING(TENTATIVE_ARRAY, "tentative-definition-array", ALWAYS)                                 \
    WARNING(UNUSED_VARIABLE, "unused-variable", ALL)                                               \
    WARNING(UNUSED_FUNCTION, "unused-function", ALL)                                               \
    WARNING(UNUSED_LABEL, "unused-label", ALL)                                                     \
    WARNING(UNUSED_VALUE, "unused-value", ALL)                                                     \
    WARNING(UNUSED_BUT_SET, "unused-but-set-variable", ALL)                                        \
    WARNING(UNUSED_PARAMETER, "unused-parameter", EXTRA)                                           \
    WARNING(PARENTHESES, "parentheses", ALL)                                                       \
    WARNING(SIGN_COMPARE, "sign-compare", EXTRA)                                                   \
    WARNING(FORMAT, "format", ALL)                                                                 \
    WARNING(POINTER_SIGN, "pointer-sign", ALL)                                                     \
    WARNING(CHAR_SUBSCRIPTS, "char-subscripts", ALL)                                               \
    WARNING(SWITCH, "switch", ALL)                                                                 \
    WARNING(UNINITIALIZED, "uninitialized", ALL)                                                   \
    WARNING(MAYBE_UNINITIALIZED, "maybe-uninitialized", NEVER)                                     \
    WARNING(ADDRESS, "address", ALL)                                                               \
    WARNING(BOOL_COMPARE, "bool-compare", ALL)                                                     \
    WARNING(TAUTOLOGY, "type-limits", EXTRA)                                                       \
    WARNING(EMPTY_BODY, "empty-body", EXTRA)                                                       \
    WARNING(MISSING_FIELD_INITIALIZERS, "missing-field-initializers", EXTRA)                       \
    WARNING(OVERRIDE_INIT, "override-init", EXTRA)                                                 \
    WARNING(FALLTHROUGH, "implicit-fallthrough", EXTRA)                                            \
    WARNING(SHADOW, "shadow", NEVER)                                                               \
    WARNING(UNREACHABLE, "unreachable-code", NEVER)                                                \
    WARNING(UNDEF, "undef", NEVER)                                                                 \
    WARNING(CONVERSION, "conversion", NEVER)                                                       \
    WARNING(SIGN_CONVERSION, "sign-conversion", NEVER)                                             \
    WARNING(FLOAT_CONVERSION, "float-conversion", NEVER)                                           \
    WARNING(CPP, "cpp", ALWAYS)                                                                    \
    WARNING(EXTRA_TOKENS, "extra-tokens", ALWAYS)                                                  \
    WARNING(MACRO_REDEFINED, "macro-redefined", ALWAYS)                                            \
    WARNING(BUILTIN_MACRO_REDEFINED, "builtin-macro-redefined", ALWAYS)                            \
    WARNING(UNKNOWN_PRAGMAS, "unknown-pragmas", ALL)                                               \
    WARNING(PRAGMAS, "pragmas", ALWAYS)                                                            \
    WARNING(MULTICHAR, "multichar", ALWAYS)                                                        \
    WARNING(TRIGRAPHS, "trigraphs", ALL)                                                           \
    WARNING(COMMENT, "comment", ALL)                                                               \
    WARNING(POINTER_ARITH, "pointer-arith", PEDANTIC)                                              \
    WARNING(PEDANTIC, "pedantic", PEDANTIC)                                                        \
    WARNING(REJECTED_PASS, "rejected-pass", OWN)                                                   \
    WARNING(FORM_NOT_REACHED, "form-not-reached", OWN)

typedef enum {
#define WARNING(id, name, group) WARN_##id,
    WARNINGS(WARNING)
#undef WARNING
        WARN_COUNT
} Warning;

typedef struct WarningSet {
    bool on[WARN_COUNT];
    bool error[WARN_COUNT]; // -Werror=name
    bool off[WARN_COUNT];   // -Wno-name
    bool plain[WARN_COUNT]; // -Wno-error=name: no error in spite of -Werror
    bool all_errors;        // -Werror
    bool none;              // -w
} WarningSet;

void warnings_init(WarningSet *set); // the default
// Takes the text after -W ("all", "no-unused-variable", "error=format"); false if it is unknown.
bool warnings_option(WarningSet *set, const char *text);
void warnings_none(WarningSet *set); // -w
// Sets one warning (or several by the name of a family) as #pragma GCC diagnostic does; false if it
// is unknown.
typedef enum { LEVEL_IGNORED, LEVEL_WARNING, LEVEL_ERROR } WarningLevel;
bool warnings_set(WarningSet *set, const char *name, WarningLevel level);
// What a warning is by its name; one without a name (NULL) is on unless none are.
WarningLevel warnings_level(const WarningSet *set, const char *name);
const char *warning_name(Warning warning);
