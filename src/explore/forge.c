#include "explore/forge.h"

#include "explore/view.h"
#include "form/mach.h"
#include "form/son.h"
#include "pass/son/son_trail.h"
#include "pipeline/step_check.h"
#include "pipeline/transforms.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdio.h>

enum { MOST_TRIES = 400 }; // each looks at the whole function

typedef struct {
    PassId pass;
    const Bodies *bodies;
    const Func *before, *after;
    const void *hint;
    bool judged; // what it is compared with is at hand
    Arena *scratch;
    uint32_t tries;
} Forger;

// What the output is compared with: at the way out of the Sea of Nodes that is not the input.
static const Func *compared_with(const Func *func) {
    return func->son && func->son->trail ? func->son->trail->before : func;
}

static Verdict judge(const Forger *forger, const Func *after) {
    return step_check(forger->pass, forger->scratch, forger->bodies, forger->before, after,
                      forger->hint);
}

static bool is_well_formed(const Forger *forger, const Func *after) {
    Complaints complaints = {.arena = forger->scratch};
    return verify_func(&complaints, after);
}

// Tries one damage at one item; the damaged function, or NULL if it is none or nobody would reject
// it. It lives until the next try.
static Func *try_damage(Forger *forger, const Damage *damage, uint32_t item) {
    arena_reset(forger->scratch);
    Func *bad = func_clone(forger->after, forger->scratch);
    bad->cache = NULL;
    if (!damage->damage(bad, item)) return NULL;
    forger->tries++;
    if (!is_well_formed(forger, bad)) return NULL;
    return !forger->judged || !judge(forger, bad).accepted ? bad : NULL;
}

static void tell(const Forger *forger, const Damage *damage, const Func *bad, uint32_t item) {
    Out text = {0};
    out_printf(&text, "gate: forged: %s of function '%s' has %s at ", pass_table[forger->pass].name,
               func_name(bad), damage->name);
    func_print_site(&text, bad, (Site){item});
    out_char(&text, '\n');
    out_flush(&text, stderr);
    out_free(&text);
}

static Func *find_damage(Forger *forger, Arena *arena) {
    bool machine = view_is_machine(forger->after);
    uint32_t items = machine ? forger->after->mach->code.count : forger->after->nodes.count;
    uint32_t first = damage_for(forger->pass, forger->after);
    for (uint32_t i = 0; i <= damage_count; i++) {
        const Damage *damage = &damages[i == 0 ? first : i - 1];
        if (damage->machine != machine || (i && i - 1 == first)) continue;
        for (uint32_t item = 0; item < items && forger->tries < MOST_TRIES; item++) {
            Func *bad = try_damage(forger, damage, item);
            if (!bad) continue;
            tell(forger, damage, bad, item);
            return func_clone(bad, arena);
        }
    }
    return NULL;
}

static Func *forge(PassId pass, Arena *arena, const Bodies *bodies, const Func *func, void **hint) {
    Func *after = transform_table[pass](arena, bodies, func, hint);
    if (!after) return NULL;
    Forger forger = {.pass = pass,
                     .bodies = bodies,
                     .before = compared_with(func),
                     .after = after,
                     .hint = *hint,
                     .scratch = arena_new("forge")};
    forger.judged = judge(&forger, after).accepted;
    Func *bad = find_damage(&forger, arena);
    arena_free(forger.scratch);
    return bad ? bad : after;
}

#define PASS(name, from, to, kernel, ...) BY_##kernel(name)
#define BY_COPIES(name)                   BY_OWN(name)
#define BY_VALUES(name)                   BY_OWN(name)
#define BY_GATES(name)                    BY_OWN(name)
#define BY_NONE(name)
#define BY_OWN(name)                                                                               \
    static Func *forge_##name(Arena *arena, const Bodies *bodies, const Func *func, void **hint) { \
        return forge(PASS_##name, arena, bodies, func, hint);                                      \
    }
#include "check/passes.def"

PassTransform *const forge_table[PASS_COUNT] = {
#define PASS(name, from, to, kernel, ...) [PASS_##name] = BY_##kernel(name),
#define BY_COPIES(name)                   forge_##name
#define BY_VALUES(name)                   forge_##name
#define BY_OWN(name)                      forge_##name
#define BY_GATES(name)                    forge_##name
#define BY_NONE(name)                     NULL
#include "check/passes.def"
};
