// Notes the subscripts of arrays for -Warray-bounds, which looks at the values of indices in the
// finished function: there an address is a sum, and no array is left. The index register and the
// size of an element tell which instruction was made of which subscript. Shifts are noted too, as
// lowering makes others of its own, whose counts may be too large where their results do not count.
#include "c/lower/lower_private.h"

// The array that a pointer is the first element of; NULL if it is none with a known end.
static const Expr *array_of(const Expr *pointer) {
    if (pointer->kind != EX_CAST || pointer->cast != CAST_DECAY) return NULL;
    const Expr *array = pointer->left;
    const CType *type = array->type;
    bool known = type->kind == CT_ARRAY && type->array.counted && type->array.count > 0 &&
                 !type_has_variable_size(type) && type->base->complete && type->base->size > 0;
    return known && !array_may_be_longer(array) ? array : NULL;
}

// What others define may be longer than it is declared here, if the source says so little.
static bool has_other_end(const Expr *array) {
    if (array->kind != EX_VAR) return false;
    const Decl *decl = array->decl;
    return (decl->parameter && decl->array_parameter) || decl->attributes->weak;
}

static const char *array_name(const Expr *array) {
    if (array->kind == EX_VAR && array->decl->name) return array->decl->name->text;
    if (array->kind == EX_MEMBER && array->member->name) return array->member->name->text;
    return "";
}

static void set_place(const Lower *lower, SubscriptPlace *note, const Spot *place) {
    if (place->scale || place->in_register || place->in_machine) return;
    note->base = (uint8_t)place->base;
    note->offset = place->offset;
    if (place->base == BASE_REG) note->ref = place->reg.i;
    if (place->base == BASE_SYMBOL)
        note->object = program_at(lower->program, (Sym){place->ref})->name;
    if (place->base == BASE_SLOT) note->object = lower->f->slots.at[place->ref].name;
}

void note_subscript(Lower *lower, const Expr *sum, const Spot *place, Operand count) {
    if (sum->op != BIN_PTR_ADD || count.constant || count.type != TYPE_I64) return;
    const Expr *array = array_of(sum->left);
    if (!array || has_other_end(array)) return;
    SubscriptPlace note = {.function = lower->func->name->name,
                           .index = count.reg,
                           .address = !place || sum == lower->only_address,
                           .base = BASE_NONE,
                           .size = array->type->base->size,
                           .count = array->type->array.count,
                           .array = array->type,
                           .name = array_name(array),
                           .pos = sum->pos,
                           .length = sum->end - sum->pos + sum->subscript}; // with the bracket
    note.loc = lower_loc(lower, lower->pos);
    if (place) set_place(lower, &note, place);
    vec_push(lower->arena, lower->subscripts, note);
}

void note_shift(Lower *lower, Operand count, Type type) {
    if (count.constant || count.type != TYPE_I32) return;
    SubscriptPlace note = {.function = lower->func->name->name,
                           .index = count.reg,
                           .base = BASE_NONE,
                           .count = type == TYPE_I32 ? 32 : 64,
                           .name = ""};
    vec_push(lower->arena, lower->subscripts, note);
}
