// For whom nodes are emitted: see units.h.
#include "c/lower/lower_private.h"

static UnitFunction *present(const Lower *lower) {
    const Units *units = lower->units;
    return &units->functions.at[units->functions.count - 1];
}

bool units_keep_in_memory(const Units *units, const Decl *decl) {
    if (!units || !units->in_memory || !decl->name) return false;
    uint32_t offset = units_offset(units, decl->pos);
    const char *function = units->functions.at[units->functions.count - 1].name;
    return offset != NO_ID && units->in_memory(units->context, function, offset, decl->name->text);
}

void units_function(Lower *lower, const Decl *func) {
    if (!lower->units) return;
    vec_clear(&lower->units->emitted);
    lower->unit = func->body->unit;
}

void units_body(Lower *lower) {
    if (!lower->units) return;
    for (uint32_t i = 0; i < lower->func->params.count; i++)
        units_variable(lower, lower->func->params.at[i]);
}

void units_tail(Lower *lower, bool end) {
    if (!lower->units) return;
    UnitFunction *function = present(lower);
    *(end ? &function->tail_end : &function->tail) = lower->f->nodes.count;
}

// Numbers are those of emission until the function is finished.
void units_variable(Lower *lower, const Decl *decl) {
    Units *units = lower->units;
    if (decl->kind != DECL_VAR || !decl->name || decl->external || decl->storage == STORAGE_EXTERN)
        return;
    UnitVariable variable = {.name = decl->name->text,
                             .declared = units_offset(units, decl->pos),
                             .unit = decl->parameter ? 0 : lower->unit,
                             .parts = 1,
                             .decl = decl};
    vec_push(units->arena, &present(lower)->variables, variable);
}

bool units_is_point(const Units *units, uint32_t unit) {
    if (!units || !units->has_point || !unit) return false;
    const Unit *at = unit_at(units, unit);
    if (at->kind != units->point_kind || at->begin == NO_ID) return false;
    uint32_t begin = units->original ? units->original(units->context, at->begin) : at->begin;
    return begin == units->point;
}

static void finish_variable(const UnitNumbers *numbers, UnitVariable *variable) {
    const Decl *decl = variable->decl;
    bool is_static = decl->storage == STORAGE_STATIC;
    const uint32_t *map = numbers->regs;
    variable->decl = NULL;
    variable->number = NO_ID;
    if (is_static) {
        variable->place = PLACE_SYMBOL;
        if (decl->place == IN_SYMBOL) variable->number = decl->number;
        return;
    }
    switch (decl->place) {
    case IN_REGISTER: variable->place = PLACE_REGISTER; break;
    case IN_POINTER: variable->place = PLACE_POINTER; break;
    case IN_SLOT:
        variable->place = PLACE_SLOT;
        map = numbers->slots;
        break;
    default: return;
    }
    if (type_is_complex(decl->type) || lower_type(decl->type) == TYPE_WIDE) variable->parts = 2;
    variable->number = map[decl->number];
}

static const uint32_t *keep(Arena *arena, const uint32_t *from, uint32_t count) {
    uint32_t *to = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) to[i] = from[i];
    return to;
}

void units_finished(Lower *lower, UnitNumbers numbers) {
    Units *units = lower->units;
    UnitFunction *function = present(lower);
    uint32_t count = function->count = lower->f->nodes.count;
    function->symbol = lower->f->symbol;
    function->units = keep(units->arena, units->emitted.at, count);
    function->nodes = keep(units->arena, numbers.number, count);
    function->leads = keep(units->arena, numbers.leads, count);
    function->jumps = keep(units->arena, numbers.jumps, count);
    uint8_t *kinds = ARENA_ARRAY(units->arena, uint8_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) kinds[i] = lower->f->nodes.at[i].kind;
    function->kinds = kinds;
    for (uint32_t i = 0; i < function->variables.count; i++)
        finish_variable(&numbers, &function->variables.at[i]);
}

void units_renumber(Units *units, const Bits *kept, const uint32_t *number) {
    for (uint32_t i = 0; i < units->functions.count; i++) {
        UnitFunction *function = &units->functions.at[i];
        if (function->symbol.i != NO_ID) function->symbol.i = number[function->symbol.i];
        for (uint32_t v = 0; v < function->variables.count; v++) {
            UnitVariable *variable = &function->variables.at[v];
            if (variable->place != PLACE_SYMBOL || variable->number == NO_ID) continue;
            bool there = bits_has(kept, variable->number);
            variable->number = there ? number[variable->number] : NO_ID;
        }
    }
}
