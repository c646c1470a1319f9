#include "pipeline/side_forms.h"

#include "check/checkers.h"
#include "pass/pass.h"
#include "verify/verify.h"

#include <stdio.h>

static Func *to_fssa(Arena *arena, const Func *func, const AsideOptions *options, void **hint) {
    (void)options, (void)hint;
    return fssa_build(arena, func);
}

static Func *to_mach0(Arena *arena, const Func *func, const AsideOptions *options, void **hint) {
    return mach0_build(arena, func, options, *hint = ARENA_NEW(arena, Mach0Hint));
}

static Verdict check_mach0(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return check_mach0_build(arena, before, after, hint);
}

const AsideInfo aside_table[] = {
    {.name = "fssa_build",
     .meaning = "equations: loops, closes and gammas, states of memory as values",
     .from = FORM_GSA,
     .to = FORM_FSSA,
     .transform = to_fssa},
    {.name = "mach0_build",
     .meaning =
         "instructions in a line: fresh registers, copies for phis, an order chosen by a seed",
     .from = FORM_SSA,
     .to = FORM_MACH0,
     .transform = to_mach0,
     .check = check_mach0},
};
const uint32_t aside_count = sizeof aside_table / sizeof aside_table[0];

const AsideInfo *aside_to(Form form) {
    for (uint32_t i = 0; i < aside_count; i++)
        if (aside_table[i].to == form) return &aside_table[i];
    return NULL;
}

static bool is_sound(const AsideInfo *row, const Func *func, Diag *diag) {
    Complaints complaints = {.arena = func->arena};
    if (verify_func(&complaints, func)) return true;
    Out line = {0};
    complaint_print(&line, func->program, &complaints.list.at[0]);
    out_char(&line, '\0');
    diag_error(diag, SPAN_NONE, "%s has made what is not well-formed: %s", row->name, line.text);
    out_free(&line);
    return false;
}

static bool is_accepted(const AsideInfo *row, const Func *before, const Func *after,
                        const void *hint, Diag *diag) {
    if (!row->check) return true;
    Verdict verdict = row->check(after->arena, before, after, hint);
    if (verdict.accepted) return true;
    Out site = {0};
    if (verdict.site.i != NO_ID) out_text(&site, " at ");
    func_print_site(&site, after, verdict.site);
    out_char(&site, '\0');
    diag_error(diag, SPAN_NONE, "%s was rejected in function '%s'%s: %s", row->name,
               func_name(before), site.text, verdict.reason);
    out_free(&site);
    return false;
}

const Func *aside_make(const AsideInfo *row, Arena *arena, const Func *func,
                       const AsideOptions *options, Diag *diag, const void **hint) {
    void *made_hint = NULL;
    const Func *made = row->transform(arena, func, options, &made_hint);
    if (hint) *hint = made_hint;
    return is_sound(row, made, diag) && is_accepted(row, func, made, made_hint, diag) ? made : NULL;
}

bool aside_run(const AsideInfo *row, Program *program, const AsideOptions *options, Diag *diag) {
    bool all = true;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        Symbol *symbol = &program->symbols.at[i];
        if (!symbol->func || symbol->func->form != row->from) continue;
        const Func *made = aside_make(row, program->arena, symbol->func, options, diag, NULL);
        if (made) symbol->func = made;
        all &= made != NULL;
    }
    return all;
}

void aside_list(void) {
    for (uint32_t i = 0; i < aside_count; i++) {
        const AsideInfo *row = &aside_table[i];
        printf("%-14s %s -> %s  %s (nothing leads back)\n", row->name, form_name(row->from),
               form_name(row->to), row->meaning);
    }
}
