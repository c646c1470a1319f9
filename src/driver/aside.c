#include "driver/aside.h"

#include "form/verify.h"

#include <stdio.h>

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

void aside_run(const AsideInfo *row, Program *program, Diag *diag) {
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        Symbol *symbol = &program->symbols.at[i];
        if (!symbol->func || symbol->func->form != row->from) continue;
        const Func *made = row->transform(program->arena, symbol->func);
        if (is_sound(row, made, diag)) symbol->func = made;
    }
}

void aside_list(void) {
    for (uint32_t i = 0; i < aside_count; i++) {
        const AsideInfo *row = &aside_table[i];
        printf("%-14s %s -> %s  %s (nothing leads back)\n", row->name, form_name(row->from),
               form_name(row->to), row->meaning);
    }
}
