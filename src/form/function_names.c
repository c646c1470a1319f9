#include "form/function_names.h"

#include "base/spelling.h"

#include <string.h>

bool functions_named(FunctionNames *functions, Arena *arena, const char *list) {
    for (const char *at = list, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        if (end == at) return false;
        vec_push(arena, &functions->names, arena_text(arena, at, (size_t)(end - at)));
    }
    return true;
}

bool functions_have(const FunctionNames *functions, const Func *func) {
    for (uint32_t i = 0; i < functions->names.count; i++)
        if (strcmp(functions->names.at[i], func_name(func)) == 0) return true;
    return !functions->names.count;
}

static bool is_there(const Program *program, const char *name) {
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const Symbol *symbol = &program->symbols.at[i];
        if (symbol->func && strcmp(program_text(program, symbol->name), name) == 0) return true;
    }
    return false;
}

bool functions_exist(const FunctionNames *functions, const Program *program, Diag *diag) {
    for (uint32_t i = 0; i < functions->names.count; i++) {
        const char *name = functions->names.at[i];
        if (is_there(program, name)) continue;
        Spelling spelling;
        spelling_start(&spelling, name);
        for (uint32_t k = 0; k < program->symbols.count; k++) {
            const Symbol *symbol = &program->symbols.at[k];
            if (symbol->func) spelling_try(&spelling, program_text(program, symbol->name));
        }
        if (spelling.nearest)
            diag_error(diag, SPAN_NONE, "no function '%s'; did you mean '%s'?", name,
                       spelling.nearest);
        else
            diag_error(diag, SPAN_NONE, "no function '%s'", name);
        return false;
    }
    return true;
}

void functions_narrow(const FunctionNames *functions, Program *program) {
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        Symbol *symbol = &program->symbols.at[i];
        if (symbol->func && !functions_have(functions, symbol->func)) symbol->func = NULL;
    }
}
