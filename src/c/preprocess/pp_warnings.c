// Decides which warnings are on at which place. The command line decides at the start, #pragma GCC
// diagnostic from its line on.
//
// Many warnings are found long after their place has been read (an unused variable at the end of
// its block), so the place counts, not the time. Each inclusion of a file has a list of marks: from
// an offset on, a set of warnings holds. A pragma adds a mark to its file; a file that is entered
// or left hands the present set on. A _Pragma in a macro's expansion holds for the tokens behind
// it. All these tokens belong to one place in the file, so their positions tell them apart
// (place.c).
#include "c/preprocess/pp_private.h"

#include <string.h>

void pp_warnings_init(Pp *pp) {
    if (!pp->options.warnings) return;
    pp->ever = *pp->options.warnings;
    // Trigraphs that mean nothing are worth a word in any case.
    if (!pp->trigraphs && !pp->ever.off[WARN_TRIGRAPHS]) pp->ever.on[WARN_TRIGRAPHS] = true;
    pp->warnings = pp->options.warnings = arena_copy(pp->arena, &pp->ever, sizeof pp->ever);
}

void pp_warnings_sync(Pp *pp) {
    const Buffer *buffer = pp->buffer;
    Inclusion *inclusion = &pp->inclusions.at[buffer->inclusion];
    uint32_t count = inclusion->warnings.count;
    const WarningSet *last = count ? inclusion->warnings.at[count - 1].set : pp->options.warnings;
    if (last == pp->warnings) return;
    vec_push(pp->arena, &inclusion->warnings,
             (WarningMark){.offset = (uint32_t)(buffer->at - buffer->text), .set = pp->warnings});
}

const WarningSet *pp_set_at(Pp *pp, Pos pos) {
    const Inclusion *inclusion = pp_inclusion(pp, pos);
    if (!inclusion) return pp->warnings;
    uint32_t offset = pos - inclusion->start;
    uint32_t low = 0,
             high = inclusion->warnings.count; // the first mark behind it is in [low, high]
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (inclusion->warnings.at[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? inclusion->warnings.at[low - 1].set : pp->options.warnings;
}

bool pp_might_warn(const Pp *pp, Warning warning) {
    return !pp->options.warnings || pp->ever.on[warning];
}

unsigned pp_warning_level(const Pp *pp, Warning warning) {
    return pp->options.warnings ? pp->ever.level[warning] : 0;
}

// ---- #pragma GCC diagnostic

static bool is_word(const Token *token, const char *text) {
    return token->kind == TOK_IDENT && strcmp(token->ident->text, text) == 0;
}

static bool read_level(const Token *token, WarningLevel *level) {
    if (is_word(token, "ignored"))
        *level = LEVEL_IGNORED;
    else if (is_word(token, "warning"))
        *level = LEVEL_WARNING;
    else if (is_word(token, "error") || is_word(token, "fatal"))
        *level = LEVEL_ERROR;
    else
        return false;
    return true;
}

static void change_level(Pp *pp, const Token *option, WarningLevel level) {
    static const char prefix[] = "\"-W";
    size_t start = strlen(prefix);
    if (option->kind != TOK_STRING || option->length <= start + 1 ||
        memcmp(option->spelling, prefix, start) != 0) {
        pp_warn(pp, "pragmas", option, "expected an option, \"-W...\", after the kind");
        return;
    }
    if (!pp->warnings) return; // nobody has said which are on
    const char *name = arena_text(pp->arena, option->spelling + start, option->length - start - 1);
    WarningSet *set = arena_copy(pp->arena, pp->warnings, sizeof *pp->warnings);
    // Names that only gcc or clang know are no mistake.
    if (!warnings_set(set, name, level)) return;
    for (unsigned i = 0; i < WARN_COUNT; i++) pp->ever.on[i] |= set->on[i];
    pp->warnings = set;
}

void pp_warnings_pragma(Pp *pp, const Token *words, uint32_t count) {
    WarningLevel level;
    if (count == 1 && is_word(words, "push")) {
        vec_push(pp->arena, &pp->saved_warnings, pp->warnings);
    } else if (count == 1 && is_word(words, "pop")) {
        pp->warnings =
            pp->saved_warnings.count ? vec_pop(&pp->saved_warnings) : pp->options.warnings;
    } else if (count == 2 && read_level(words, &level)) {
        change_level(pp, &words[1], level);
    } else {
        pp_warn(pp, "pragmas", &words[-1],
                "expected push, pop, or ignored, warning or error with an option, after "
                "'#pragma GCC diagnostic'");
        return;
    }
    pp_warnings_sync(pp);
}
