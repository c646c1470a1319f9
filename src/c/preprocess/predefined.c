// The macros that are defined before a program begins.
//
// They are gcc 12's for x86-64, because glibc's headers and many programs choose by them, without
// those that promise what gatecc does not have: vector instructions and types, and decimal
// and 128-bit floats.
#include "c/preprocess/pp_private.h"

#include <string.h>

// The machine, the system, the object format.
static const char *const target[] = {
    "_LP64 1",
    "__ATOMIC_ACQUIRE 2",
    "__ATOMIC_ACQ_REL 4",
    "__ATOMIC_CONSUME 1",
    "__ATOMIC_HLE_ACQUIRE 65536",
    "__ATOMIC_HLE_RELEASE 131072",
    "__ATOMIC_RELAXED 0",
    "__ATOMIC_RELEASE 3",
    "__ATOMIC_SEQ_CST 5",
    "__BIGGEST_ALIGNMENT__ 16",
    "__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__",
    "__ELF__ 1",
    "__GCC_ASM_FLAG_OUTPUTS__ 1",
    "__GCC_ATOMIC_BOOL_LOCK_FREE 2",
    "__GCC_ATOMIC_CHAR16_T_LOCK_FREE 2",
    "__GCC_ATOMIC_CHAR32_T_LOCK_FREE 2",
    "__GCC_ATOMIC_CHAR_LOCK_FREE 2",
    "__GCC_ATOMIC_INT_LOCK_FREE 2",
    "__GCC_ATOMIC_LLONG_LOCK_FREE 2",
    "__GCC_ATOMIC_LONG_LOCK_FREE 2",
    "__GCC_ATOMIC_POINTER_LOCK_FREE 2",
    "__GCC_ATOMIC_SHORT_LOCK_FREE 2",
    "__GCC_ATOMIC_TEST_AND_SET_TRUEVAL 1",
    "__GCC_ATOMIC_WCHAR_T_LOCK_FREE 2",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_1 1",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_2 1",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4 1",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8 1",
    "__GCC_CONSTRUCTIVE_SIZE 64",
    "__GCC_DESTRUCTIVE_SIZE 64",
    "__GCC_HAVE_DWARF2_CFI_ASM 1",
    "__GCC_IEC_559 2",
    "__GCC_IEC_559_COMPLEX 2",
    "__HAVE_SPECULATION_SAFE_VALUE 1",
    "__GNUC_EXECUTION_CHARSET_NAME \"UTF-8\"",
    "__GNUC_WIDE_EXECUTION_CHARSET_NAME \"UTF-32LE\"",
    "__GXX_ABI_VERSION 1017",
    "__LP64__ 1",
    "__ORDER_BIG_ENDIAN__ 4321",
    "__ORDER_LITTLE_ENDIAN__ 1234",
    "__ORDER_PDP_ENDIAN__ 3412",
    "__PIC__ 2",
    "__PIE__ 2",
    "__PRAGMA_REDEFINE_EXTNAME 1",
    "__REGISTER_PREFIX__",
    "__USER_LABEL_PREFIX__",
    "__amd64 1",
    "__amd64__ 1",
    "__code_model_small__ 1",
    "__gnu_linux__ 1",
    "__k8 1",
    "__k8__ 1",
    "__linux 1",
    "__linux__ 1",
    "__pic__ 2",
    "__pie__ 2",
    "__unix 1",
    "__unix__ 1",
    "__x86_64 1",
    "__x86_64__ 1",
};

// Integer types: sizes, limits, names.
static const char *const integers[] = {
    "__CHAR16_TYPE__ short unsigned int",
    "__CHAR32_TYPE__ unsigned int",
    "__CHAR_BIT__ 8",
    "__INT16_C(c) c",
    "__INT16_MAX__ 0x7fff",
    "__INT16_TYPE__ short int",
    "__INT32_C(c) c",
    "__INT32_MAX__ 0x7fffffff",
    "__INT32_TYPE__ int",
    "__INT64_C(c) c ## L",
    "__INT64_MAX__ 0x7fffffffffffffffL",
    "__INT64_TYPE__ long int",
    "__INT8_C(c) c",
    "__INT8_MAX__ 0x7f",
    "__INT8_TYPE__ signed char",
    "__INTMAX_C(c) c ## L",
    "__INTMAX_MAX__ 0x7fffffffffffffffL",
    "__INTMAX_TYPE__ long int",
    "__INTMAX_WIDTH__ 64",
    "__INTPTR_MAX__ 0x7fffffffffffffffL",
    "__INTPTR_TYPE__ long int",
    "__INTPTR_WIDTH__ 64",
    "__INT_FAST16_MAX__ 0x7fffffffffffffffL",
    "__INT_FAST16_TYPE__ long int",
    "__INT_FAST16_WIDTH__ 64",
    "__INT_FAST32_MAX__ 0x7fffffffffffffffL",
    "__INT_FAST32_TYPE__ long int",
    "__INT_FAST32_WIDTH__ 64",
    "__INT_FAST64_MAX__ 0x7fffffffffffffffL",
    "__INT_FAST64_TYPE__ long int",
    "__INT_FAST64_WIDTH__ 64",
    "__INT_FAST8_MAX__ 0x7f",
    "__INT_FAST8_TYPE__ signed char",
    "__INT_FAST8_WIDTH__ 8",
    "__INT_LEAST16_MAX__ 0x7fff",
    "__INT_LEAST16_TYPE__ short int",
    "__INT_LEAST16_WIDTH__ 16",
    "__INT_LEAST32_MAX__ 0x7fffffff",
    "__INT_LEAST32_TYPE__ int",
    "__INT_LEAST32_WIDTH__ 32",
    "__INT_LEAST64_MAX__ 0x7fffffffffffffffL",
    "__INT_LEAST64_TYPE__ long int",
    "__INT_LEAST64_WIDTH__ 64",
    "__INT_LEAST8_MAX__ 0x7f",
    "__INT_LEAST8_TYPE__ signed char",
    "__INT_LEAST8_WIDTH__ 8",
    "__INT_MAX__ 0x7fffffff",
    "__INT_WIDTH__ 32",
    "__LONG_LONG_MAX__ 0x7fffffffffffffffLL",
    "__LONG_LONG_WIDTH__ 64",
    "__LONG_MAX__ 0x7fffffffffffffffL",
    "__LONG_WIDTH__ 64",
    "__PTRDIFF_MAX__ 0x7fffffffffffffffL",
    "__PTRDIFF_TYPE__ long int",
    "__PTRDIFF_WIDTH__ 64",
    "__SCHAR_MAX__ 0x7f",
    "__SCHAR_WIDTH__ 8",
    "__SHRT_MAX__ 0x7fff",
    "__SHRT_WIDTH__ 16",
    "__SIG_ATOMIC_MAX__ 0x7fffffff",
    "__SIG_ATOMIC_MIN__ (-__SIG_ATOMIC_MAX__ - 1)",
    "__SIG_ATOMIC_TYPE__ int",
    "__SIG_ATOMIC_WIDTH__ 32",
    "__SIZEOF_DOUBLE__ 8",
    "__SIZEOF_FLOAT__ 4",
    "__SIZEOF_INT128__ 16",
    "__SIZEOF_INT__ 4",
    "__SIZEOF_LONG_DOUBLE__ 16",
    "__SIZEOF_LONG_LONG__ 8",
    "__SIZEOF_LONG__ 8",
    "__SIZEOF_POINTER__ 8",
    "__SIZEOF_PTRDIFF_T__ 8",
    "__SIZEOF_SHORT__ 2",
    "__SIZEOF_SIZE_T__ 8",
    "__SIZEOF_WCHAR_T__ 4",
    "__SIZEOF_WINT_T__ 4",
    "__SIZE_MAX__ 0xffffffffffffffffUL",
    "__SIZE_TYPE__ long unsigned int",
    "__SIZE_WIDTH__ 64",
    "__UINT16_C(c) c",
    "__UINT16_MAX__ 0xffff",
    "__UINT16_TYPE__ short unsigned int",
    "__UINT32_C(c) c ## U",
    "__UINT32_MAX__ 0xffffffffU",
    "__UINT32_TYPE__ unsigned int",
    "__UINT64_C(c) c ## UL",
    "__UINT64_MAX__ 0xffffffffffffffffUL",
    "__UINT64_TYPE__ long unsigned int",
    "__UINT8_C(c) c",
    "__UINT8_MAX__ 0xff",
    "__UINT8_TYPE__ unsigned char",
    "__UINTMAX_C(c) c ## UL",
    "__UINTMAX_MAX__ 0xffffffffffffffffUL",
    "__UINTMAX_TYPE__ long unsigned int",
    "__UINTPTR_MAX__ 0xffffffffffffffffUL",
    "__UINTPTR_TYPE__ long unsigned int",
    "__UINT_FAST16_MAX__ 0xffffffffffffffffUL",
    "__UINT_FAST16_TYPE__ long unsigned int",
    "__UINT_FAST32_MAX__ 0xffffffffffffffffUL",
    "__UINT_FAST32_TYPE__ long unsigned int",
    "__UINT_FAST64_MAX__ 0xffffffffffffffffUL",
    "__UINT_FAST64_TYPE__ long unsigned int",
    "__UINT_FAST8_MAX__ 0xff",
    "__UINT_FAST8_TYPE__ unsigned char",
    "__UINT_LEAST16_MAX__ 0xffff",
    "__UINT_LEAST16_TYPE__ short unsigned int",
    "__UINT_LEAST32_MAX__ 0xffffffffU",
    "__UINT_LEAST32_TYPE__ unsigned int",
    "__UINT_LEAST64_MAX__ 0xffffffffffffffffUL",
    "__UINT_LEAST64_TYPE__ long unsigned int",
    "__UINT_LEAST8_MAX__ 0xff",
    "__UINT_LEAST8_TYPE__ unsigned char",
    "__WCHAR_MAX__ 0x7fffffff",
    "__WCHAR_MIN__ (-__WCHAR_MAX__ - 1)",
    "__WCHAR_TYPE__ int",
    "__WCHAR_WIDTH__ 32",
    "__WINT_MAX__ 0xffffffffU",
    "__WINT_MIN__ 0U",
    "__WINT_TYPE__ unsigned int",
    "__WINT_WIDTH__ 32",
};

// Floating types.
static const char *const floats[] = {
    "__DECIMAL_DIG__ 21",
    "__FLT_EVAL_METHOD_TS_18661_3__ 0",
    "__DBL_DECIMAL_DIG__ 17",
    "__DBL_DENORM_MIN__ ((double)4.94065645841246544176568792868221372e-324L)",
    "__DBL_DIG__ 15",
    "__DBL_EPSILON__ ((double)2.22044604925031308084726333618164062e-16L)",
    "__DBL_HAS_DENORM__ 1",
    "__DBL_HAS_INFINITY__ 1",
    "__DBL_HAS_QUIET_NAN__ 1",
    "__DBL_IS_IEC_60559__ 2",
    "__DBL_MANT_DIG__ 53",
    "__DBL_MAX_10_EXP__ 308",
    "__DBL_MAX_EXP__ 1024",
    "__DBL_MAX__ ((double)1.79769313486231570814527423731704357e+308L)",
    "__DBL_MIN_10_EXP__ (-307)",
    "__DBL_MIN_EXP__ (-1021)",
    "__DBL_MIN__ ((double)2.22507385850720138309023271733240406e-308L)",
    "__DBL_NORM_MAX__ ((double)1.79769313486231570814527423731704357e+308L)",
    "__FINITE_MATH_ONLY__ 0",
    "__FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__",
    "__FLT16_DECIMAL_DIG__ 5",
    "__FLT16_DENORM_MIN__ 5.96046447753906250000000000000000000e-8F16",
    "__FLT16_DIG__ 3",
    "__FLT16_EPSILON__ 9.76562500000000000000000000000000000e-4F16",
    "__FLT16_HAS_DENORM__ 1",
    "__FLT16_HAS_INFINITY__ 1",
    "__FLT16_HAS_QUIET_NAN__ 1",
    "__FLT16_IS_IEC_60559__ 2",
    "__FLT16_MANT_DIG__ 11",
    "__FLT16_MAX_10_EXP__ 4",
    "__FLT16_MAX_EXP__ 16",
    "__FLT16_MAX__ 6.55040000000000000000000000000000000e+4F16",
    "__FLT16_MIN_10_EXP__ (-4)",
    "__FLT16_MIN_EXP__ (-13)",
    "__FLT16_MIN__ 6.10351562500000000000000000000000000e-5F16",
    "__FLT16_NORM_MAX__ 6.55040000000000000000000000000000000e+4F16",
    "__FLT_DECIMAL_DIG__ 9",
    "__FLT_DENORM_MIN__ 1.40129846432481707092372958328991613e-45F",
    "__FLT_DIG__ 6",
    "__FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F",
    "__FLT_EVAL_METHOD__ 0",
    "__FLT_HAS_DENORM__ 1",
    "__FLT_HAS_INFINITY__ 1",
    "__FLT_HAS_QUIET_NAN__ 1",
    "__FLT_IS_IEC_60559__ 2",
    "__FLT_MANT_DIG__ 24",
    "__FLT_MAX_10_EXP__ 38",
    "__FLT_MAX_EXP__ 128",
    "__FLT_MAX__ 3.40282346638528859811704183484516925e+38F",
    "__FLT_MIN_10_EXP__ (-37)",
    "__FLT_MIN_EXP__ (-125)",
    "__FLT_MIN__ 1.17549435082228750796873653722224568e-38F",
    "__FLT_NORM_MAX__ 3.40282346638528859811704183484516925e+38F",
    "__FLT_RADIX__ 2",
    "__LDBL_DECIMAL_DIG__ 21",
    "__LDBL_DENORM_MIN__ 3.64519953188247460252840593361941982e-4951L",
    "__LDBL_DIG__ 18",
    "__LDBL_EPSILON__ 1.08420217248550443400745280086994171e-19L",
    "__LDBL_HAS_DENORM__ 1",
    "__LDBL_HAS_INFINITY__ 1",
    "__LDBL_HAS_QUIET_NAN__ 1",
    "__LDBL_IS_IEC_60559__ 2",
    "__LDBL_MANT_DIG__ 64",
    "__LDBL_MAX_10_EXP__ 4932",
    "__LDBL_MAX_EXP__ 16384",
    "__LDBL_MAX__ 1.18973149535723176502126385303097021e+4932L",
    "__LDBL_MIN_10_EXP__ (-4931)",
    "__LDBL_MIN_EXP__ (-16381)",
    "__LDBL_MIN__ 3.36210314311209350626267781732175260e-4932L",
    "__LDBL_NORM_MAX__ 1.18973149535723176502126385303097021e+4932L",
};

// What does not depend on the machine.
static const char *const language[] = {
    "__GNUC__ 12",  "__GNUC_MINOR__ 2", "__GNUC_PATCHLEVEL__ 0", "__VERSION__ \"12.2.0 (gatecc)\"",
    "__gatecc__ 1",
};

// With -fshort-wchar.
static const char *const short_wide[] = {
    "__GNUC_WIDE_EXECUTION_CHARSET_NAME \"UTF-16LE\"",
    "__SIZEOF_WCHAR_T__ 2",
    "__WCHAR_MAX__ 0xffff",
    "__WCHAR_MIN__ 0",
    "__WCHAR_TYPE__ short unsigned int",
    "__WCHAR_WIDTH__ 16",
};

// The same macros have been defined for wide characters of the usual size.
static void redefine_wide(Out *out) {
    for (size_t i = 0; i < sizeof short_wide / sizeof *short_wide; i++) {
        int length = (int)strcspn(short_wide[i], " ");
        out_printf(out, "#undef %.*s\n#define %s\n", length, short_wide[i], short_wide[i]);
    }
}

static void define_all(Out *out, const char *const *macros, size_t count) {
    for (size_t i = 0; i < count; i++) {
        out_text(out, "#define ");
        out_text(out, macros[i]);
        out_char(out, '\n');
    }
}

// The value of __STDC_VERSION__ for a name of a standard; NULL where there is none.
static const char *standard_version(const char *standard) {
    static const struct {
        const char *name, *version;
    } versions[] = {
        {"c99", "199901L"},
        {"c9x", "199901L"},
        {"gnu99", "199901L"},
        {"gnu9x", "199901L"},
        {"iso9899:1999", "199901L"},
        {"iso9899:199x", "199901L"},
        {"c11", "201112L"},
        {"c1x", "201112L"},
        {"gnu11", "201112L"},
        {"gnu1x", "201112L"},
        {"iso9899:2011", "201112L"},
        {"iso9899:199409", "199409L"},
        {"c2x", "202000L"},
        {"gnu2x", "202000L"},
        {"c89", NULL},
        {"c90", NULL},
        {"ansi", NULL},
        {"gnu89", NULL},
        {"gnu90", NULL},
        {"iso9899:1990", NULL},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strcmp(standard, versions[i].name) == 0) return versions[i].version;
    return "201710L";
}

// Macros of the standard; -undef leaves them.
static void define_standard(const Pp *pp, Out *out, const char *version, bool c99) {
    out_printf(out, "#define __STDC__ 1\n#define __STDC_HOSTED__ %d\n", !pp->options.freestanding);
    if (version) out_printf(out, "#define __STDC_VERSION__ %s\n", version);
    if (c99 && strcmp(version, "199901L") != 0)
        out_text(out, "#define __STDC_UTF_16__ 1\n#define __STDC_UTF_32__ 1\n");
}

// _Float32 and its kin have the formats of the types of C, and their limits.
static void define_interchange(Out *out) {
    static const char *const names[][2] = {
        {"__FLT_", "__FLT32_"},
        {"__DBL_", "__FLT32X_"},
        {"__DBL_", "__FLT64_"},
        {"__LDBL_", "__FLT64X_"},
    };
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        if (strstr(floats[i], "_EVAL_METHOD") || strstr(floats[i], "_RADIX")) continue;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            size_t length = strlen(names[k][0]);
            if (strncmp(floats[i], names[k][0], length) == 0)
                out_printf(out, "#define %s%s\n", names[k][1], floats[i] + length);
        }
    }
}

void predefined_text(Pp *pp, Out *out) {
    const char *version = standard_version(pp->options.standard);
    bool c99 = version && strcmp(version, "199409L") != 0;
    define_standard(pp, out, version, c99);
    if (pp->options.no_predefined) return;
    define_all(out, language, sizeof language / sizeof *language);
    define_all(out, target, sizeof target / sizeof *target);
    define_all(out, integers, sizeof integers / sizeof *integers);
    define_all(out, floats, sizeof floats / sizeof *floats);
    define_interchange(out);
    bool gnu_inline = !c99 || pp->options.gnu_inline;
    out_printf(out, "#define __GNUC_%s_INLINE__ 1\n", gnu_inline ? "GNU" : "STDC");
    if (pp->options.optimize) out_text(out, "#define __OPTIMIZE__ 1\n");
    if (pp->options.optimize && pp->options.optimize_size)
        out_text(out, "#define __OPTIMIZE_SIZE__ 1\n");
    if (!pp->options.inlines) out_text(out, "#define __NO_INLINE__ 1\n");
    if (pp->options.short_wchar) redefine_wide(out);
    if (pp->options.unsigned_char) out_text(out, "#define __CHAR_UNSIGNED__ 1\n");
    out_text(out, pp->gnu ? "#define linux 1\n#define unix 1\n" : "#define __STRICT_ANSI__ 1\n");
}
