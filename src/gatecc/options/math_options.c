#include "gatecc/options/math_options.h"

#include <string.h>

// -fassociative-math is nothing without the two others, as in gcc.
static bool is_associative(const MathOptions *options) {
    return options->associative && options->no_signed_zeros && options->no_trapping;
}

static void set_unsafe(MathOptions *options, bool on) {
    options->unsafe = options->associative = options->reciprocal = on;
    options->no_signed_zeros = options->no_trapping = on;
}

static void set_fast(MathOptions *options, bool on) {
    set_unsafe(options, on);
    options->finite = options->no_errno = options->limited_range = on;
    if (on) options->rounding = false;
}

void math_option(MathOptions *options, const char *text) {
    bool off = strncmp(text, "-fno-", 5) == 0;
    const char *name = text + (off ? 5 : 2);
    if (strcmp(name, "fast-math") == 0) set_fast(options, !off);
    if (strcmp(name, "unsafe-math-optimizations") == 0) set_unsafe(options, !off);
    if (strcmp(name, "finite-math-only") == 0) options->finite = !off;
    if (strcmp(name, "math-errno") == 0) options->no_errno = off;
    if (strcmp(name, "signed-zeros") == 0) options->no_signed_zeros = off;
    if (strcmp(name, "trapping-math") == 0) options->no_trapping = off;
    if (strcmp(name, "signaling-nans") == 0) options->signaling = !off;
    if (strcmp(name, "associative-math") == 0) options->associative = !off;
    if (strcmp(name, "reciprocal-math") == 0) options->reciprocal = !off;
    if (strcmp(name, "rounding-math") == 0) options->rounding = !off;
    if (strcmp(name, "cx-limited-range") == 0) options->limited_range = !off;
    if (strcmp(name, "cx-fortran-rules") == 0) options->fortran_rules = !off;
}

static void define(Arena *arena, PpOptions *pp, bool condition, const char *text) {
    if (condition) vec_push(arena, &pp->macros, (struct CommandMacro){.text = text});
}

static void undefine(Arena *arena, PpOptions *pp, bool condition, const char *name) {
    if (condition)
        vec_push(arena, &pp->macros, (struct CommandMacro){.text = name, .undefine = true});
}

void math_macros(const MathOptions *options, Arena *arena, PpOptions *pp) {
    bool associative = is_associative(options);
    bool exact = !options->finite && !options->no_signed_zeros && !associative &&
                 !options->reciprocal && !options->unsafe;
    bool complex = exact && !options->limited_range && !options->fortran_rules;
    define(arena, pp,
           options->unsafe && options->finite && options->no_errno && options->no_trapping,
           "__FAST_MATH__");
    undefine(arena, pp, options->finite, "__FINITE_MATH_ONLY__");
    define(arena, pp, options->finite, "__FINITE_MATH_ONLY__");
    define(arena, pp, options->no_errno, "__NO_MATH_ERRNO__");
    define(arena, pp, options->no_signed_zeros, "__NO_SIGNED_ZEROS__");
    define(arena, pp, options->no_trapping, "__NO_TRAPPING_MATH__");
    define(arena, pp, options->signaling, "__SUPPORT_SNAN__");
    define(arena, pp, associative, "__ASSOCIATIVE_MATH__");
    define(arena, pp, options->reciprocal, "__RECIPROCAL_MATH__");
    undefine(arena, pp, !exact, "__GCC_IEC_559");
    define(arena, pp, !exact, "__GCC_IEC_559=0");
    undefine(arena, pp, !exact, "__STDC_IEC_559__");
    undefine(arena, pp, !exact, "__STDC_IEC_60559_BFP__");
    undefine(arena, pp, !complex, "__GCC_IEC_559_COMPLEX");
    define(arena, pp, !complex, "__GCC_IEC_559_COMPLEX=0");
    undefine(arena, pp, !complex, "__STDC_IEC_559_COMPLEX__");
    undefine(arena, pp, !complex, "__STDC_IEC_60559_COMPLEX__");
}
