#include "gatecc/options/remark_options.h"

#include <regex.h>
#include <string.h>

static bool has_name(const char *word, size_t length, const char *name) {
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

// A word of -fopt-info-WORD-WORD. Those about passes that gatecc does not have are gcc's, too, and
// ask for nothing.
static bool take_word(RemarkOptions *options, const char *word, size_t length, bool *nothing) {
    static const struct {
        const char *name;
        unsigned groups, passes;
    } words[] = {{"optimized", REMARKS_OPTIMIZED, 0},
                 {"missed", REMARKS_MISSED, 0},
                 {"note", REMARKS_NOTE, 0},
                 {"all", REMARKS_OPTIMIZED | REMARKS_MISSED | REMARKS_NOTE, 0},
                 {"inline", 0, REMARKS_INLINE},
                 {"ipa", 0, REMARKS_INLINE},
                 {"loop", 0, REMARKS_LOOP},
                 {"optall", 0, REMARKS_INLINE | REMARKS_LOOP | REMARKS_REST},
                 {"omp", 0, 0},
                 {"vec", 0, 0},
                 {"vectorizer", 0, 0}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!has_name(word, length, words[i].name)) continue;
        options->info |= words[i].groups;
        options->passes |= words[i].passes;
        *nothing |= !words[i].groups && !words[i].passes;
        return true;
    }
    return false;
}

// -fopt-info[-WORD...][=FILE]; without words that say what, it is what was done.
static bool take_info(RemarkOptions *options, const char *text) {
    const char *at = text + strlen("-fopt-info"), *file = strchr(at, '=');
    const char *end = file ? file : at + strlen(at);
    RemarkOptions asked = {0};
    bool nothing = false;
    while (at < end) {
        size_t length = strcspn(++at, "-=");
        if (!take_word(&asked, at, length, &nothing)) {
            fprintf(stderr, "gatecc: error: there are no remarks '%.*s' in '%s'\n", (int)length, at,
                    text);
            return false;
        }
        at += length;
    }
    if (nothing && !asked.passes) return true;
    bool all = options->info && !options->passes;
    options->info |= asked.info ? asked.info : REMARKS_OPTIMIZED;
    options->passes = all || !asked.passes ? 0 : options->passes | asked.passes;
    bool errors = file && (strcmp(file, "=stderr") == 0 || !file[1]);
    if (file) options->file = errors ? NULL : file + 1;
    return true;
}

// -Rpass=EXPRESSION; without one it is any pass.
static bool take_expression(const char **place, const char *text) {
    regex_t regex;
    const char *expression = strchr(text, '=') ? strchr(text, '=') + 1 : ".";
    int mistake = regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB);
    if (mistake) {
        char reason[200];
        regerror(mistake, &regex, reason, sizeof reason);
        fprintf(stderr, "gatecc: error: in '%s': %s\n", text, reason);
        return false;
    }
    regfree(&regex);
    *place = expression;
    return true;
}

bool remark_option(RemarkOptions *options, const char *text) {
    if (strncmp(text, "-fopt-info", strlen("-fopt-info")) == 0) return take_info(options, text);
    bool off = strncmp(text, "-Rno-", strlen("-Rno-")) == 0;
    const char *kind = text + strlen(off ? "-Rno-pass" : "-Rpass");
    const char **place = strncmp(kind, "-missed", strlen("-missed")) == 0 ? &options->missed
                         : strncmp(kind, "-analysis", strlen("-analysis")) == 0
                             ? &options->analysis
                             : &options->optimized;
    if (off) *place = NULL;
    return off || take_expression(place, text);
}

bool remarks_are_wanted(const RemarkOptions *options) {
    return options->info || options->optimized || options->missed || options->analysis;
}
