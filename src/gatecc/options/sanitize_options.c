// The options about checks for undefined behaviour, as gcc and clang spell them. Later options
// override earlier ones.
#include "gatecc/options/sanitize_options.h"

#include <stdio.h>
#include <string.h>

void sanitize_defaults(SanitizeOptions *options) {
    *options = (SanitizeOptions){.recover = SANITIZE_EVERYTHING & ~SANITIZE_BIT(UNREACHABLE)};
}

static bool refuse(const char *text, const char *name, size_t length, const char *reason) {
    if (reason)
        fprintf(stderr, "gatecc: error: option '%s' is not supported: '%.*s' is not checked: %s\n",
                text, (int)length, name, reason);
    else
        fprintf(
            stderr,
            "gatecc: error: option '%s' is not supported: there is no sanitizer '%.*s'; see what "
            "'gate run' finds\n",
            text, (int)length, name);
    return false;
}

// What the names of a list stand for. Names of what gatecc does not have are good only where
// something is turned off.
static bool read_list(const char *text, const char *list, bool off, SanitizerSet *set) {
    *set = 0;
    for (size_t length; *list; list += length + (list[length] == ',')) {
        SanitizerSet named;
        const char *reason;
        length = strcspn(list, ",");
        bool all = length == 3 && memcmp(list, "all", 3) == 0;
        SanitizeName name = sanitize_named(list, length, &named, &reason);
        *set |= named;
        if (off || name == SANITIZE_NOTHING || (name == SANITIZE_KNOWN && !all)) continue;
        return refuse(text, list, length, reason);
    }
    return true;
}

// -fsanitize-trap and -fsanitize-recover: of everything, or of a list.
static bool change(const char *text, const char *rest, bool off, SanitizerSet *to) {
    SanitizerSet set = SANITIZE_EVERYTHING;
    if (*rest == '=' && strcmp(rest, "=all") != 0 && !read_list(text, rest + 1, true, &set))
        return false;
    *to = off ? *to & ~set : *to | set;
    return true;
}

static const char *after(const char *text, const char *start) {
    size_t length = strlen(start);
    if (strncmp(text, start, length) != 0) return NULL;
    return text[length] == '=' || !text[length] ? text + length : NULL;
}

bool sanitize_option(SanitizeOptions *options, const char *text) {
    const char *name = text + strlen("-f"), *rest;
    bool off = strncmp(name, "no-", 3) == 0;
    if (off) name += 3;
    if ((rest = after(name, "sanitize-trap"))) return change(text, rest, off, &options->trap);
    if ((rest = after(name, "sanitize-undefined-trap-on-error")))
        return change(text, "", off, &options->trap);
    if ((rest = after(name, "sanitize-recover"))) {
        SanitizerSet never = SANITIZE_BIT(UNREACHABLE);
        bool good = change(text, rest, off, &options->recover);
        options->recover &= ~never;
        return good;
    }
    SanitizerSet set;
    if (!read_list(text, name + strlen("sanitize="), off, &set)) return false;
    options->on = off ? options->on & ~set : options->on | set;
    return true;
}
