#include "gatecc/options/make_quote.h"

#include "base/out.h"

const char *make_quoted(Arena *arena, const char *text) {
    Out out = {0};
    for (const char *p = text; *p; p++) {
        if (*p == ' ' || *p == '\t') {
            // make takes backslashes before a blank in pairs.
            for (const char *q = p; q > text && q[-1] == '\\'; q--) out_char(&out, '\\');
            out_char(&out, '\\');
        } else if (*p == '$') {
            out_char(&out, '$');
        } else if (*p == '#') {
            out_char(&out, '\\');
        }
        out_char(&out, *p);
    }
    const char *quoted = arena_text(arena, out.text, out.length);
    out_free(&out);
    return quoted;
}
