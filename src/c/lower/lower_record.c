// Struct and union values, and initialization. A record value is a place in memory where it can be
// read; assigning and passing copy from there.
#include "c/lower/lower_private.h"

Spot spot_temporary(Lower *lower, const CType *type) {
    if (type_is_record(type) && type->record->size_var) {
        Reg size = operand_in_reg(lower, lower_size(lower, type)),
            address = reg_new(lower, TYPE_I64);
        uint32_t align = lower->types->language->model.largest_align;
        if (type->align > align) align = type->align;
        emit_builtin(lower, BI_ALLOCA, address, &size, 1, align);
        return spot_of_reg(address);
    }
    Slot slot = slot_new(lower, type->size, type->align, STR_NONE);
    mark_buffer(lower, slot, buffer_kind(lower, type));
    return spot_of_slot(slot);
}

void spot_copy(Lower *lower, const Spot *to, const Spot *from, uint64_t size) {
    if (size == 0) return;
    Reg args[2] = {spot_address(lower, to), spot_address(lower, from)};
    emit_builtin(lower, BI_MEMCPY, NO_REG, args, 2, (int64_t)size);
}

// Copies a record whose size is known at run time.
static void copy_variable(Lower *lower, const Spot *to, const Spot *from, const CType *type) {
    PType address = PTYPE_OF(TYPE_I64), params[3] = {address, address, address};
    SigInfo info = {.result = address, .param_count = 3, .fixed_count = 3, .params = params};
    Sig sig = program_sig(lower->program, info);
    Str name = str_of(&lower->program->strings, "memmove");
    Sym symbol = program_symbol(lower->program, name, SYM_FUNC);
    if (program_at(lower->program, symbol)->sig.i == NO_ID)
        program_at(lower->program, symbol)->sig = sig;
    Reg args[3] = {spot_address(lower, to), spot_address(lower, from),
                   operand_in_reg(lower, lower_size(lower, type))};
    emit_call(lower, symbol, sig, NO_REG, args, 3);
}

void record_copy(Lower *lower, const Spot *to, const Spot *from, const CType *type) {
    if (type_is_record(type) && type->record->size_var)
        copy_variable(lower, to, from, type);
    else
        spot_copy(lower, to, from, type->size);
}

void spot_clear(Lower *lower, const Spot *place, uint64_t size) {
    if (size == 0) return;
    Reg args[2] = {spot_address(lower, place), operand_in_reg(lower, operand_int(TYPE_I32, 0))};
    emit_builtin(lower, BI_MEMSET, NO_REG, args, 2, (int64_t)size);
}

// ---- Where a record value is

static Spot record_from_conditional(Lower *lower, const Expr *expr) {
    Reg address = reg_new(lower, TYPE_I64);
    Label then = label_new(lower), otherwise = label_new(lower), end = label_new(lower);
    lower_condition(lower, expr->left, then, otherwise);
    label_place(lower, then);
    Spot place = lower_record(lower, expr->middle);
    emit_move(lower, address, emit_address(lower, &place, address));
    emit_jump(lower, end);
    label_place(lower, otherwise);
    place = lower_record(lower, expr->right);
    emit_move(lower, address, emit_address(lower, &place, address));
    label_place(lower, end);
    return spot_of_reg(address);
}

static Spot record_from_assignment(Lower *lower, const Expr *expr) {
    Spot to = spot_simple(lower, lower_spot(lower, expr->left));
    sanitize_access_once(lower, &to, true);
    if (to.is_atomic) {
        Spot value = lower_record(lower, expr->right);
        atomic_write_record(lower, &to, &value, expr->type);
        return value;
    }
    lower_record_into(lower, expr->right, &to, false);
    return to;
}

// A value as the member of a union that has its type.
static void union_into(Lower *lower, const Expr *expr, const Spot *to) {
    const Expr *value = expr->left;
    Spot place = *to, *dest = &place;
    place.typed = false;
    place.reversed = expr->type->record->reversed && !type_is_record(value->type);
    if (type_is_record(value->type))
        lower_record_into(lower, value, dest, false);
    else if (type_is_complex(value->type))
        complex_into(lower, value, dest);
    else
        spot_write(lower, dest, value->type, lower_expr(lower, value, NO_REG));
}

static Spot record_from_statements(Lower *lower, const Expr *expr) {
    Unwind *before;
    if (expr->type->variable) { // room for a copy that leaving the scope does not free
        Spot copy = spot_temporary(lower, expr->type);
        const Expr *value = statement_expression_open(lower, expr, &before);
        if (value) lower_record_into(lower, value, &copy, true);
        statement_expression_close(lower, before);
        return copy;
    }
    const Expr *last = statement_expression_open(lower, expr, &before);
    Spot place = last ? lower_record(lower, last) : spot_temporary(lower, expr->type);
    if (lower->unwind != before) {
        Spot copy = spot_temporary(lower, expr->type);
        record_copy(lower, &copy, &place, expr->type);
        place = copy;
    }
    statement_expression_close(lower, before);
    return place;
}

static Spot record_made(Lower *lower, const Expr *expr) {
    Spot place = spot_temporary(lower, expr->type);
    lower_record_into(lower, expr, &place, true);
    return place;
}

Spot lower_record(Lower *lower, const Expr *expr) {
    if (!lower_enter(lower, expr)) return spot_temporary(lower, expr->type);
    while (expr->kind == EX_COMMA) {
        lower_effect(lower, expr->left);
        expr = expr->right;
    }
    Spot place;
    switch (expr->kind) {
    case EX_CAST:
        place = expr->cast == CAST_UNION ? record_made(lower, expr)
                : expr->left->lvalue     ? lower_spot(lower, expr->left)
                                         : lower_record(lower, expr->left);
        sanitize_access_once(lower, &place, false);
        break;
    case EX_CALL:
    case EX_VA_ARG: place = record_made(lower, expr); break;
    case EX_COND: place = record_from_conditional(lower, expr); break;
    case EX_ASSIGN: place = record_from_assignment(lower, expr); break;
    case EX_STATEMENT: place = record_from_statements(lower, expr); break;
    default: place = lower_spot(lower, expr);
    }
    if (place.is_atomic) place = atomic_read_record(lower, &place, expr->type);
    // A record is copied as plain bytes. A loop that waits for a volatile one is kept all the same.
    if (place.is_volatile) emit_spin(lower);
    return place;
}

static void conditional_into(Lower *lower, const Expr *expr, const Spot *dest, bool fresh) {
    Label then = label_new(lower), otherwise = label_new(lower), end = label_new(lower);
    lower_condition(lower, expr->left, then, otherwise);
    label_place(lower, then);
    lower_record_into(lower, expr->middle, dest, fresh);
    emit_jump(lower, end);
    label_place(lower, otherwise);
    lower_record_into(lower, expr->right, dest, fresh);
    label_place(lower, end);
}

void lower_record_into(Lower *lower, const Expr *expr, const Spot *dest, bool fresh) {
    if (!lower_enter(lower, expr)) return;
    while (expr->kind == EX_CAST && (expr->cast == CAST_SAME || expr->cast == CAST_READ) &&
           (!expr->left->lvalue || (fresh && expr->left->kind == EX_COMPOUND)))
        expr = expr->left;
    if (expr->kind == EX_CALL && (fresh || !result_in_memory(lower, expr->type))) {
        lower_call(lower, expr, true, dest, NO_REG);
    } else if (expr->kind == EX_CALL) {
        Spot result = spot_temporary(lower, expr->type);
        lower_call(lower, expr, true, &result, NO_REG);
        record_copy(lower, dest, &result, expr->type);
    } else if (expr->kind == EX_VA_ARG) {
        lower_va_arg(lower, expr, dest, NO_REG);
    } else if (expr->kind == EX_COND && expr->middle) {
        conditional_into(lower, expr, dest, fresh);
    } else if (expr->kind == EX_CAST && expr->cast == CAST_UNION) {
        union_into(lower, expr, dest);
    } else if (expr->kind == EX_COMPOUND && fresh && expr->decl->place == IN_NOTHING &&
               !expr->decl->address_taken && expr->decl->storage != STORAGE_STATIC) {
        lower_initialize(lower, dest, expr->type, expr->decl->init);
    } else {
        Spot from = lower_record(lower, expr);
        record_copy(lower, dest, &from, expr->type);
    }
}

// ---- Initialization

static void initialize_string(Lower *lower, const Spot *place, const InitPiece *piece,
                              bool cleared) {
    const CString *string = piece->value->string;
    uint64_t size = string->size < piece->type->size ? string->size : piece->type->size;
    if (piece->type->size == 0) size = string->size; // a flexible array member
    Spot from = lower_spot(lower, piece->value);
    spot_copy(lower, place, &from, size);
    Spot rest = spot_offset(*place, size);
    if (!cleared && piece->type->size > size) spot_clear(lower, &rest, piece->type->size - size);
}

static void initialize_piece(Lower *lower, const Spot *whole, const InitPiece *piece,
                             bool cleared) {
    Spot place = spot_offset(*whole, piece->offset);
    place.bitfield = piece->bitfield;
    place.bit = piece->bit;
    place.width = piece->width;
    place.reversed = piece->reversed;
    if (piece->type->quals & Q_VOLATILE) place.is_volatile = true;
    emit_at_expr(lower, piece->value);
    if (piece->value->kind == EX_STRING)
        initialize_string(lower, &place, piece, cleared);
    else if (type_is_complex(piece->type))
        complex_into(lower, piece->value, &place);
    else if (lower_type(piece->type) == TYPE_VOID)
        lower_record_into(lower, piece->value, &place, true);
    else
        spot_write(lower, &place, piece->type, lower_expr(lower, piece->value, NO_REG));
}

// Whether the pieces cover every byte, one after the other.
static bool covers_all(const CType *type, const Init *init) {
    if (init->whole) return true;
    uint64_t end = 0;
    for (uint32_t i = 0; i < init->count; i++) {
        if (init->pieces[i].bitfield || init->pieces[i].offset != end) return false;
        end += init->pieces[i].type->size;
    }
    return end >= type->size;
}

// Long initializers that are constant are copied from a constant object.
enum { COPIED_PIECES = 12 };

void lower_initialize(Lower *lower, const Spot *place, const CType *type, const Init *init) {
    Spot simple = spot_simple(lower, *place);
    if (type_has_union(type)) simple.typed = false;
    if (init && init->count >= COPIED_PIECES && !simple.is_volatile) {
        Sym symbol = lower_constant_object(lower, type, init);
        if (symbol.i != NO_ID) {
            Spot from = {.base = BASE_SYMBOL, .ref = symbol.i, .reg = NO_REG, .index = NO_REG};
            spot_copy(lower, &simple, &from, type->size);
            return;
        }
    }
    bool cleared = !init || !covers_all(type, init);
    if (cleared) spot_clear(lower, &simple, type->size);
    for (uint32_t i = 0; init && i < init->count; i++)
        initialize_piece(lower, &simple, &init->pieces[i], cleared);
}
