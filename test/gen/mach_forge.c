#include "test/gen/mach_forge.h"

#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char *mach_forge_numbers(Arena *arena, const char *text, HintNumbers *numbers) {
    while (*text && *text != '/') {
        char *end = NULL;
        uint32_t number = *text == '-' ? NO_ID : (uint32_t)strtoul(text, &end, 10);
        if (*text != ' ') vec_push(arena, numbers, number);
        text = *text == ' ' || *text == '-' ? text + 1 : end;
    }
    return text;
}

// Whether what was found is not what was expected, which is then said.
static bool is_unexpected(const MachForgery *forgery, const char *what, const char *found) {
    if (forgery->reason ? found && strstr(found, forgery->reason) : !found) return false;
    print_message("%s: %s%s; expected: %s\n", what, found ? "refused because " : "accepted",
                  found ? found : "", forgery->reason ? forgery->reason : "accepted");
    return true;
}

static bool try_forgery(MachCheck *check, const MachForgery *forgery) {
    Arena *arena = arena_new("forgery");
    const MachPair *pair = forgery->pair;
    const Edit *edit = &forgery->edits[0];
    const char *what = forgery->hint;
    if (edit->from) what = arena_printf(arena, "'%s' for '%s'", edit->to, edit->from);
    const Func *before = forge_parse(arena, pair->form, pair->before);
    const char *text = forge_text(arena, pair->after, forgery->edits);
    Func *after = forge_read(arena, before, FORM_MACH, text);
    Complaints complaints = {.arena = arena};
    const char *found = NULL;
    if (!verify_func(&complaints, after)) found = complaints.list.at[0].message;
    if (check && found) {
        found = arena_printf(arena, "it is not well-formed: %s", found);
    } else if (check) {
        Verdict verdict = check(arena, before, after, forgery->hint ? forgery->hint : pair->hint);
        if (!verdict.accepted) found = verdict.reason;
    }
    bool unexpected = is_unexpected(forgery, what, found);
    arena_free(arena);
    return unexpected;
}

void mach_forge(MachCheck *check, const MachForgery *forgeries, uint32_t count) {
    uint32_t unexpected = 0;
    for (uint32_t i = 0; i < count; i++) {
        const MachPair *pair = forgeries[i].pair;
        unexpected += try_forgery(check, &(MachForgery){.pair = pair, .hint = pair->hint});
        unexpected += try_forgery(check, &forgeries[i]);
    }
    assert_int_equal(unexpected, 0);
}
