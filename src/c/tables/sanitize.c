// The names of sanitize.def.
#include "c/tables/sanitize.h"

#include <string.h>

const SanitizerSet sanitize_undefined = 0
#define SANITIZER(id, name, member) | ((member) ? SANITIZE_BIT(id) : 0)
#include "c/tables/sanitize.def"
    ;

static bool is(const char *name, size_t length, const char *row) {
    return strlen(row) == length && memcmp(name, row, length) == 0;
}

SanitizeName sanitize_named(const char *name, size_t length, SanitizerSet *set,
                            const char **reason) {
    static const struct {
        const char *name;
        SanitizeName is;
        const char *reason;
    } others[] = {
#define NOTHING(text, why) {text, SANITIZE_NOTHING, why},
#define MISSING(text, why) {text, SANITIZE_MISSING, why},
#include "c/tables/sanitize.def"
    };
    *set = 0;
    *reason = NULL;
#define SANITIZER(id, text, member)                                                                \
    if (is(name, length, text)) *set = SANITIZE_BIT(id);
#define GROUP(text, members)                                                                       \
    if (is(name, length, text)) *set = (members);
#include "c/tables/sanitize.def"
    if (*set & SANITIZE_BIT(BOUNDS_STRICT)) *set |= SANITIZE_BIT(BOUNDS);
    if (*set) return SANITIZE_KNOWN;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!is(name, length, others[i].name)) continue;
        *reason = others[i].reason;
        return others[i].is;
    }
    return SANITIZE_UNKNOWN;
}
