// Options about what C means: see dialect_options.h.
#include "gatecc/options/dialect_options.h"

#include <string.h>

void dialect_option(CompileOptions *compile, const char *name) {
    Dialect *dialect = &compile->dialect;
    const struct {
        const char *name;
        bool *to;
        bool opposite; // the option says that it is not so
    } rows[] = {{"ms-extensions", &dialect->ms_extensions, false},
                {"plan9-extensions", &dialect->plan9_extensions, false},
                {"unsigned-bitfields", &dialect->unsigned_bitfields, false},
                {"signed-bitfields", &dialect->unsigned_bitfields, true},
                {"single-precision-constant", &dialect->single_constants, false},
                {"ms-bitfields", &dialect->ms_layout, false},
                {"inline-atomics", &dialect->library_atomics, true},
                {"toplevel-reorder", &compile->ordered, true}};
    bool negative = strncmp(name + 2, "no-", 3) == 0;
    const char *plain = name + (negative ? 5 : 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(plain, rows[i].name) == 0) *rows[i].to = negative == rows[i].opposite;
}

bool dialect_order(Dialect *dialect, const char *order) {
    dialect->big_endian = strcmp(order, "big-endian") == 0;
    return dialect->big_endian || strcmp(order, "little-endian") == 0 ||
           strcmp(order, "native") == 0;
}

void dialect_charset(PpOptions *pp, const char *name, const char *charset) {
    if (strcmp(name, "-finput-charset=") == 0)
        pp->input_charset = charset;
    else if (strcmp(name, "-fexec-charset=") == 0)
        pp->exec_charset = charset;
    else
        pp->wide_charset = charset;
}
