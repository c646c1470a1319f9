// The macros that are defined before a program begins.
//
// They are gcc 12's macros, because glibc's headers and many programs choose by them. Macros that
// promise features that gatecc does not have are left out: decimal and 128-bit floats. The macros
// of the machine are in its record (target/language.h).
#include "c/preprocess/pp_private.h"

#include <string.h>

// The system, the object format, and what gcc promises of every machine.
static const char *const system_macros[] = {
    "__ATOMIC_ACQUIRE 2",
    "__ATOMIC_ACQ_REL 4",
    "__ATOMIC_CONSUME 1",
    "__ATOMIC_RELAXED 0",
    "__ATOMIC_RELEASE 3",
    "__ATOMIC_SEQ_CST 5",
    "__ELF__ 1",
    "__GCC_ATOMIC_TEST_AND_SET_TRUEVAL 1",
    "__GCC_HAVE_DWARF2_CFI_ASM 1",
    "__GCC_IEC_559 2",
    "__GCC_IEC_559_COMPLEX 2",
    "__GNUC_EXECUTION_CHARSET_NAME \"UTF-8\"",
    "__GXX_ABI_VERSION 1017",
    "__ORDER_BIG_ENDIAN__ 4321",
    "__ORDER_LITTLE_ENDIAN__ 1234",
    "__ORDER_PDP_ENDIAN__ 3412",
    "__PIC__ 2",
    "__PIE__ 2",
    "__PRAGMA_REDEFINE_EXTNAME 1",
    "__gnu_linux__ 1",
    "__linux 1",
    "__linux__ 1",
    "__pic__ 2",
    "__pie__ 2",
    "__unix 1",
    "__unix__ 1",
};

// Macros that do not depend on the machine.
static const char *const compiler_macros[] = {
    "__GNUC__ 12",  "__GNUC_MINOR__ 2", "__GNUC_PATCHLEVEL__ 0", "__VERSION__ \"12.2.0 (gatecc)\"",
    "__gatecc__ 1",
};

// wchar_t is int, or unsigned int, or, with -fshort-wchar, unsigned short.
static const char *const wide_signed[] = {
    "__GNUC_WIDE_EXECUTION_CHARSET_NAME \"UTF-32LE\"",
    "__SIZEOF_WCHAR_T__ 4",
    "__WCHAR_MAX__ 0x7fffffff",
    "__WCHAR_MIN__ (-__WCHAR_MAX__ - 1)",
    "__WCHAR_TYPE__ int",
    "__WCHAR_WIDTH__ 32",
};
static const char *const wide_unsigned[] = {
    "__GNUC_WIDE_EXECUTION_CHARSET_NAME \"UTF-32LE\"",
    "__SIZEOF_WCHAR_T__ 4",
    "__WCHAR_MAX__ 0xffffffffU",
    "__WCHAR_MIN__ 0U",
    "__WCHAR_TYPE__ unsigned int",
    "__WCHAR_WIDTH__ 32",
};
static const char *const wide_short[] = {
    "__GNUC_WIDE_EXECUTION_CHARSET_NAME \"UTF-16LE\"",
    "__SIZEOF_WCHAR_T__ 2",
    "__WCHAR_MAX__ 0xffff",
    "__WCHAR_MIN__ 0",
    "__WCHAR_TYPE__ short unsigned int",
    "__WCHAR_WIDTH__ 16",
};

#define LIST_OF(macros) (&(const MacroList){macros, sizeof macros / sizeof *macros})

static void define_all(Out *out, const MacroList *macros) {
    for (size_t i = 0; i < macros->count; i++) {
        out_text(out, "#define ");
        out_text(out, macros->at[i]);
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

bool pp_is_before_c11(const char *standard) {
    const char *version = standard ? standard_version(standard) : "201710L";
    return !version || strcmp(version, "201112L") < 0;
}

static void define_wide(const Pp *pp, Out *out) {
    bool is_unsigned = pp->options.target->language->model.wchar_is_unsigned;
    define_all(out, pp->options.short_wchar ? LIST_OF(wide_short)
                    : is_unsigned           ? LIST_OF(wide_unsigned)
                                            : LIST_OF(wide_signed));
}

// Which types and sizes are accessed without a lock: always (2), or it is not known (1).
static void define_atomic(const DataModel *model, Out *out) {
    static const struct {
        const char *name;
        uint32_t size;
    } types[] = {{"BOOL", 1},  {"CHAR16_T", 2}, {"CHAR32_T", 4}, {"CHAR", 1},  {"INT", 4},
                 {"LLONG", 8}, {"LONG", 8},     {"POINTER", 8},  {"SHORT", 2}, {"WCHAR_T", 4}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        out_printf(out, "#define __GCC_ATOMIC_%s_LOCK_FREE %d\n", types[i].name,
                   types[i].size <= model->largest_lock_free ? 2 : 1);
    for (uint32_t size = 1; size <= model->largest_lock_free; size *= 2)
        out_printf(out, "#define __GCC_HAVE_SYNC_COMPARE_AND_SWAP_%u 1\n", size);
}

// Macros of the standard; -undef leaves them.
static void define_standard(const Pp *pp, Out *out, const char *version, bool c99) {
    out_printf(out, "#define __STDC__ 1\n#define __STDC_HOSTED__ %d\n", !pp->options.freestanding);
    if (version) out_printf(out, "#define __STDC_VERSION__ %s\n", version);
    if (c99 && strcmp(version, "199901L") != 0)
        out_text(out, "#define __STDC_UTF_16__ 1\n#define __STDC_UTF_32__ 1\n");
}

// _Float32 and the similar types have the formats of the types of C, and their limits.
static void define_interchange(Out *out, const MacroList *floats) {
    static const char *const names[][2] = {
        {"__FLT_", "__FLT32_"},
        {"__DBL_", "__FLT32X_"},
        {"__DBL_", "__FLT64_"},
        {"__LDBL_", "__FLT64X_"},
    };
    for (size_t i = 0; i < floats->count; i++) {
        const char *text = floats->at[i];
        if (strstr(text, "_EVAL_METHOD") || strstr(text, "_RADIX")) continue;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            size_t length = strlen(names[k][0]);
            if (strncmp(text, names[k][0], length) == 0)
                out_printf(out, "#define %s%s\n", names[k][1], text + length);
        }
    }
}

static void define_target(const Pp *pp, Out *out) {
    const TargetLanguage *language = pp->options.target->language;
    const PredefinedMacros *macros = &language->macros;
    define_all(out, macros->machine);
    define_atomic(&language->model, out);
    out_printf(out, "#define __BIGGEST_ALIGNMENT__ %u\n", language->model.largest_align);
    define_all(out, macros->integers);
    define_wide(pp, out);
    define_all(out, macros->floats);
    define_all(out, macros->long_double);
    define_interchange(out, macros->floats);
    define_interchange(out, macros->long_double);
}

void predefined_text(Pp *pp, Out *out) {
    const char *version = standard_version(pp->options.standard);
    bool c99 = version && strcmp(version, "199409L") != 0;
    define_standard(pp, out, version, c99);
    if (pp->options.no_predefined) return;
    define_all(out, LIST_OF(compiler_macros));
    define_all(out, LIST_OF(system_macros));
    define_target(pp, out);
    bool gnu_inline = !c99 || pp->options.gnu_inline;
    out_printf(out, "#define __GNUC_%s_INLINE__ 1\n", gnu_inline ? "GNU" : "STDC");
    if (pp->options.optimize) out_text(out, "#define __OPTIMIZE__ 1\n");
    if (pp->options.optimize && pp->options.optimize_size)
        out_text(out, "#define __OPTIMIZE_SIZE__ 1\n");
    if (!pp->options.inlines) out_text(out, "#define __NO_INLINE__ 1\n");
    if (pp->options.unsigned_char) out_text(out, "#define __CHAR_UNSIGNED__ 1\n");
    out_text(out, pp->gnu ? "#define linux 1\n#define unix 1\n" : "#define __STRICT_ANSI__ 1\n");
}
