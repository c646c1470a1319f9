// Where things are: variables, lvalues and the objects that pointers point to. A place keeps base,
// scaled index and displacement apart as long as it can, so that a[i].m becomes one access.
#include "c/lower/lower_private.h"

Spot spot_of_reg(Reg address) {
    return (Spot){.base = BASE_REG, .reg = address, .index = NO_REG};
}

Spot spot_of_slot(Slot slot) {
    return (Spot){.base = BASE_SLOT, .ref = slot.i, .reg = NO_REG, .index = NO_REG};
}

Spot spot_of_machine(uint32_t reg) {
    return (Spot){.in_machine = true, .ref = reg, .reg = NO_REG, .index = NO_REG};
}

static Spot spot_of_symbol(Sym symbol) {
    return (Spot){.base = BASE_SYMBOL, .ref = symbol.i, .reg = NO_REG, .index = NO_REG};
}

Spot spot_offset(Spot place, uint64_t offset) {
    place.offset = (int64_t)((uint64_t)place.offset + offset);
    return place;
}

// ---- Variables

// Whether a variable has to be in memory. Those of a function that calls setjmp must survive a
// longjmp.
static bool needs_memory(const Lower *lower, const Decl *decl) {
    bool fits = lower_type(decl->type) != TYPE_VOID || type_is_complex(decl->type);
    return !fits || decl->address_taken || units_keep_in_memory(lower->units, decl) ||
           decl->type->quals & Q_VOLATILE || decl->attributes->cleanup ||
           lower->func->calls_setjmp || lower->in_memory;
}

static bool is_static(const Decl *decl) {
    return decl->external || decl->internal || decl->file_scope ||
           decl->storage == STORAGE_STATIC || decl->storage == STORAGE_EXTERN;
}

// The name of a variable's slot. Where debuggers look, hidden ones have one too, as they hold
// sizes.
static Str slot_name(Lower *lower, const Decl *decl) {
    bool hidden = !decl->name && lower->in_memory;
    return hidden ? str_of(&lower->program->strings, "hidden") : lower_str(lower, decl->name);
}

// The machine register that a local variable always is; ASM_NO_REGISTER for most. A local
// variable of a register is in it only in asm statements; but the stack pointer is always itself,
// and a variable that nothing assigns has no value but the register's: who looks for pointers in
// registers reads them so.
static uint32_t machine_variable(Lower *lower, const Decl *decl) {
    const TargetLanguage *language = lower->types->language;
    if (decl->storage != STORAGE_REGISTER || !decl->asm_name) return ASM_NO_REGISTER;
    uint32_t reg = asm_register_named(language, lower->scratch, decl->asm_name);
    if (reg == ASM_NO_REGISTER || !regs_has(language->assembly->integer, reg))
        return ASM_NO_REGISTER;
    Type type = lower_type(decl->type);
    bool never_set = !decl->init && !decl->assigned && !decl->parameter;
    bool is_read = never_set && (type == TYPE_I32 || type == TYPE_I64);
    return reg == language->assembly->stack_register || is_read ? reg : ASM_NO_REGISTER;
}

void note_variable(Lower *lower, const Decl *decl, bool is_slot) {
    if (!lower->variables || (decl->place != IN_REGISTER && !is_slot)) return;
    VariablePlace place = {.function = lower->func->name->name,
                           .number = decl->number,
                           .is_slot = is_slot,
                           .is_unsigned =
                               decl->type->kind == CT_POINTER || type_is_unsigned(decl->type),
                           .pos = decl->pos};
    vec_push(lower->arena, lower->variables, place);
}

// Decides where a variable with automatic storage lives.
void declare_variable(Lower *lower, Decl *decl) {
    const CType *type = decl->type;
    uint32_t machine = machine_variable(lower, decl);
    if (machine != ASM_NO_REGISTER) {
        decl->place = IN_MACHINE;
        decl->number = machine;
    } else if (type_has_variable_size(type)) {
        decl->place = lower->in_memory ? IN_POINTER_SLOT : IN_POINTER;
        decl->number = lower->in_memory ? slot_new(lower, 8, 8, slot_name(lower, decl)).i
                                        : reg_named(lower, TYPE_I64, decl->name).i;
    } else if (needs_memory(lower, decl)) {
        decl->place = IN_SLOT;
        decl->number =
            slot_new(lower, type->size, object_align(lower, decl), slot_name(lower, decl)).i;
        mark_buffer(lower, (Slot){decl->number}, buffer_kind(lower, type));
        if (decl->address_taken) mark_buffer(lower, (Slot){decl->number}, BUFFER_SHARED);
    } else {
        decl->place = IN_REGISTER;
        decl->number = type_is_complex(type) ? complex_registers(lower, type, decl->name).i
                                             : reg_named(lower, lower_type(type), decl->name).i;
    }
    note_variable(lower, decl, decl->place == IN_SLOT);
}

void declare_at(Lower *lower, Decl *decl, Reg address) {
    decl->place = IN_POINTER;
    decl->number = address.i;
    if (!lower->in_memory) return;
    decl->place = IN_POINTER_SLOT;
    decl->number = slot_new(lower, 8, 8, slot_name(lower, decl)).i;
    Spot pointer = spot_of_slot((Slot){decl->number});
    emit_store(lower, &pointer, CHUNK_I64, operand_reg(lower, address));
}

static Spot spot_by_slot(Lower *lower, Slot slot) {
    Spot pointer = spot_of_slot(slot);
    return spot_of_reg(emit_load(lower, &pointer, CHUNK_I64, NO_REG).reg);
}

Spot spot_of_decl(Lower *lower, Decl *decl) {
    if (decl->place == IN_NOTHING && !is_static(decl)) declare_variable(lower, decl);
    Spot place = {.reg = NO_REG, .index = NO_REG};
    switch (decl->place) {
    case IN_REGISTER:
        place.in_register = true;
        place.reg.i = decl->number;
        break;
    case IN_SLOT: place = spot_of_slot((Slot){decl->number}); break;
    case IN_POINTER: place = spot_of_reg((Reg){decl->number}); break;
    case IN_POINTER_SLOT: place = spot_by_slot(lower, (Slot){decl->number}); break;
    case IN_MACHINE: place = spot_of_machine(decl->number); break;
    default: place = spot_of_symbol(lower_symbol(lower, decl));
    }
    place.is_volatile = decl->type->quals & Q_VOLATILE;
    place.typed = true;
    return place;
}

// ---- Pointers

// Puts base and index into one register, which makes room for another index.
Spot spot_simple(Lower *lower, Spot place) {
    if (place.in_register || !place.scale) return place;
    Spot whole = place;
    Spot simple = spot_of_reg(spot_address(lower, &whole));
    simple.is_volatile = place.is_volatile;
    simple.is_atomic = place.is_atomic;
    simple.bitfield = place.bitfield;
    simple.reversed = place.reversed;
    simple.typed = place.typed;
    simple.in_unit = place.in_unit;
    simple.bit = place.bit;
    simple.width = place.width;
    simple.guard = place.guard;
    return simple;
}

static bool is_scale(const Operand *size) {
    return size->constant && (size->imm == 1 || size->imm == 2 || size->imm == 4 || size->imm == 8);
}

// Adds count elements of a size to a place.
static Spot spot_index(Lower *lower, Spot place, Operand count, Operand size) {
    if (count.constant && size.constant)
        return spot_offset(place, (uint64_t)count.imm * (uint64_t)size.imm);
    if (place.scale) place = spot_simple(lower, place);
    if (is_scale(&size) && !count.constant) {
        place.scale = (uint8_t)size.imm;
        place.index = count.reg;
        return place;
    }
    Operand offset = emit_binary(lower, OP_MUL_I64, count, size, NO_REG);
    if (offset.constant) return spot_offset(place, (uint64_t)offset.imm);
    place.scale = 1;
    place.index = offset.reg;
    return place;
}

static Spot pointee_of_value(Lower *lower, const Expr *pointer) {
    Operand value = lower_expr(lower, pointer, NO_REG);
    if (!value.constant) return spot_of_reg(value.reg);
    return (Spot){.base = BASE_NONE, .reg = NO_REG, .index = NO_REG, .offset = value.imm};
}

void note_decay(Lower *lower, const Expr *decay) {
    if (!decay->subscript && decay->left->kind == EX_DEREF) lower->only_address = decay->left->left;
}

// What is to be checked of a sum whose pointee is wanted.
static void check_sum(Lower *lower, const Expr *sum, Spot *place, Operand count, Operand size) {
    const Expr *left = sum->left;
    bool array = left->kind == EX_CAST && left->cast == CAST_DECAY;
    if (array && sum->subscript) {
        sanitize_subscript(lower, sum, count, sum == lower->only_address);
        return;
    }
    sanitize_address(lower, place);
    if (!(lower->checks & SANITIZE_BIT(POINTER))) return;
    if (place->base == BASE_SLOT || place->base == BASE_SYMBOL) return;
    Operand offset = emit_binary(lower, OP_MUL_I64, count, size, NO_REG);
    sanitize_pointer_sum(lower, emit_address(lower, place, NO_REG), offset);
}

// Pointer plus or minus a number of elements. Chains are as long as the source likes, so the left
// operands are walked in a loop.
static Spot pointee_of_sum(Lower *lower, const Expr *pointer) {
    uint32_t bottom = lower->spine.count;
    while (pointer->kind == EX_BINARY &&
           (pointer->op == BIN_PTR_ADD || pointer->op == BIN_PTR_SUB)) {
        vec_push(lower->arena, &lower->spine, pointer);
        pointer = pointer->left;
    }
    Spot place = lower_pointee(lower, pointer);
    while (lower->spine.count > bottom) {
        const Expr *sum = vec_pop(&lower->spine);
        Operand count = lower_expr(lower, sum->right, NO_REG);
        Operand size = lower_element_size(lower, sum->type);
        emit_at_expr(lower, sum);
        if (lower->subscripts) note_subscript(lower, sum, &place, count);
        if (sum->op == BIN_PTR_SUB) count = emit_unary(lower, OP_NEG_I64, count, NO_REG);
        if (lower->checks) check_sum(lower, sum, &place, count, size);
        place = spot_index(lower, place, count, size);
    }
    return place;
}

Spot lower_pointee(Lower *lower, const Expr *pointer) {
    while (pointer->kind == EX_CAST && lower_type(pointer->type) == TYPE_I64 &&
           pointer->left->type->kind == CT_POINTER &&
           (pointer->cast == CAST_POINTER || pointer->cast == CAST_SAME))
        pointer = pointer->left;
    if (!lower_enter(lower, pointer)) return (Spot){.reg = NO_REG, .index = NO_REG};
    Spot place;
    if (pointer->kind == EX_BINARY && (pointer->op == BIN_PTR_ADD || pointer->op == BIN_PTR_SUB)) {
        place = pointee_of_sum(lower, pointer);
    } else if (pointer->kind == EX_ADDR && pointer->left->kind != EX_FUNC) {
        place = lower_spot(lower, pointer->left);
    } else if (pointer->kind == EX_CAST && pointer->cast == CAST_DECAY) {
        note_decay(lower, pointer);
        place = lower_spot(lower, pointer->left);
    } else {
        place = pointee_of_value(lower, pointer);
        place.typed = true;
    }
    place.is_volatile = place.is_atomic = place.reversed = false;
    return place;
}

// ---- Lvalues

// Whether a bit-field lies in one aligned storage unit of its type that is part of the record.
static bool lies_in_unit(const Expr *expr) {
    const CType *record = expr->left->type;
    uint64_t size = expr->member->type->size, offset = expr->member_offset;
    return size <= 8 && expr->member->bit + expr->member->width <= 8 * size &&
           record->align >= size && offset % size == 0 && offset + size <= record->size;
}

// Whether a member belongs to a union: to the record itself, or to an anonymous member of it.
static bool is_in_union(const CType *record, const Member *member) {
    const Ident *name = member->name ? member->name : member->by_type;
    while (record->kind != CT_UNION) {
        if (!record->record->anonymous) return false;
        uint32_t index = name ? type_member_index(record, name) : HASH_NONE;
        if (index == HASH_NONE) return true;
        const Member *outer = &record->record->members.at[index];
        if (outer->name == name || outer->by_type == name) return false;
        record = outer->type;
    }
    return true;
}

static Spot spot_of_member(Lower *lower, const Expr *expr) {
    if (type_is_complex(expr->left->type)) return complex_part(lower, expr);
    Spot place =
        expr->left->lvalue ? lower_spot(lower, expr->left) : lower_record(lower, expr->left);
    place.guard.member = true;
    if (is_in_union(expr->left->type, expr->member)) place.typed = false;
    place = spot_offset(place, expr->member_offset);
    Decl *offset = expr->member->offset_var;
    if (offset) {
        Spot variable = spot_of_decl(lower, offset);
        Operand value = spot_read(lower, &variable, offset->type, NO_REG);
        place = spot_index(lower, place, value, operand_int(TYPE_I64, 1));
    }
    place.reversed = expr->reversed;
    if (expr->member->bitfield) {
        place.bitfield = true;
        place.bit = expr->member->bit;
        place.width = expr->member->width;
        place.in_unit = lower->whole_units && lies_in_unit(expr);
    }
    return place;
}

// A compound literal is made anew each time it is evaluated.
static Spot spot_of_compound(Lower *lower, const Expr *expr) {
    Decl *decl = expr->decl;
    Spot place = spot_of_decl(lower, decl);
    if (type_is_complex(decl->type) && decl->place != IN_SYMBOL) {
        complex_initialize(lower, &place, decl->type, decl->init);
    } else if (place.in_register) {
        if (decl->init && decl->init->count)
            lower_into(lower, decl->init->pieces[decl->init->count - 1].value, place.reg);
        else
            emit_move(lower, place.reg, lower_zero(lower, decl->type, place.reg));
    } else if (decl->place != IN_SYMBOL) {
        lower_initialize(lower, &place, decl->type, decl->init);
    }
    return place;
}

Spot lower_spot(Lower *lower, const Expr *lvalue) {
    Spot place;
    if (!lower_enter(lower, lvalue)) return (Spot){.reg = NO_REG, .index = NO_REG};
    switch (lvalue->kind) {
    case EX_VAR: place = spot_of_decl(lower, lvalue->decl); break;
    case EX_DEREF:
        place = lower_pointee(lower, lvalue->left);
        if (lower->checks) guard_pointee(lower, &place, lvalue);
        place.reversed = lvalue->reversed;
        break;
    case EX_MEMBER: place = spot_of_member(lower, lvalue); break;
    case EX_STRING: place = spot_of_symbol(lower_string(lower, lvalue->string)); break;
    case EX_COMPOUND: place = spot_of_compound(lower, lvalue); break;
    case EX_FUNC: place = spot_of_symbol(lower_symbol(lower, lvalue->decl)); break;
    case EX_COMMA:
        lower_effect(lower, lvalue->left);
        place = lower_spot(lower, lvalue->right);
        break;
    default: place = lower_record(lower, lvalue);
    }
    if (lvalue->type->quals & Q_VOLATILE) place.is_volatile = true;
    if (type_may_alias(lvalue->type)) place.typed = false;
    place.is_atomic = lvalue->type->quals & Q_ATOMIC && !place.in_register && !place.in_machine;
    return place;
}

// ---- Accesses

static Operand whole_machine_reg(Lower *lower, uint32_t reg) {
    bool is_ours = reg != lower->types->language->assembly->stack_register &&
                   !regs_has(lower->program->reserved, reg);
    if (is_ours) return lower_asm_read(lower, reg);
    Reg value = reg_new(lower, TYPE_I64);
    emit_builtin(lower, BI_READ_REGISTER, value, NULL, 0, reg);
    return operand_reg(lower, value);
}

static Operand read_machine_reg(Lower *lower, const Spot *place, const CType *type, Reg dest) {
    Operand whole = whole_machine_reg(lower, place->ref);
    if (lower_type(type) == TYPE_I64) return whole;
    return lower_convert(lower, whole, lower->types->basic[CT_ULONG], type, dest);
}

static void write_machine_reg(Lower *lower, const Spot *place, const CType *type, Operand value) {
    if (place->ref == lower->types->language->assembly->stack_register) {
        lower_late_error(lower, lower->pos,
                         "a variable that is the stack pointer cannot be assigned to");
        return;
    }
    if (lower_type(type) != TYPE_I64)
        value = lower_convert(lower, value, type, lower->types->basic[CT_ULONG], NO_REG);
    Reg reg = operand_in_reg(lower, value);
    emit_builtin(lower, BI_WRITE_REGISTER, NO_REG, &reg, 1, place->ref);
}

// Scalars whose highest byte comes first are integers of that size to the machine.
static Chunk reversed_chunk(const CType *type) {
    switch (type_scalar(type)->size) {
    case 1: return CHUNK_U8;
    case 2: return CHUNK_U16;
    case 4: return CHUNK_I32;
    default: return CHUNK_I64;
    }
}

static Operand reversed_read(Lower *lower, const Spot *place, const CType *type, Reg dest) {
    Type result = lower_type(type);
    Chunk chunk = reversed_chunk(type);
    if (chunk == CHUNK_U8) return emit_load(lower, place, chunk_of(type), dest);
    Operand bits = emit_load(lower, place, chunk, NO_REG);
    bool narrow = chunk_of(type) == CHUNK_I16;
    bits = reverse_bytes(lower, bits, chunk_size(chunk),
                         type_is_int(result) && !narrow ? dest : NO_REG);
    if (result == TYPE_F32) return emit_unary(lower, OP_BITS_F32_I32, bits, dest);
    if (result == TYPE_F64) return emit_unary(lower, OP_BITS_F64_I64, bits, dest);
    return narrow ? emit_unary(lower, OP_SEXT16_I32, bits, dest) : bits;
}

static void reversed_write(Lower *lower, const Spot *place, const CType *type, Operand value) {
    Chunk chunk = reversed_chunk(type);
    if (value.type == TYPE_F32) value = emit_unary(lower, OP_BITS_I32_F32, value, NO_REG);
    if (value.type == TYPE_F64) value = emit_unary(lower, OP_BITS_I64_F64, value, NO_REG);
    emit_store(lower, place, chunk, reverse_bytes(lower, value, chunk_size(chunk), NO_REG));
}

// The same place for an access by a type. Members of unions, and types that may alias everything,
// have no effective type: an access through them reads what any access has stored.
static Spot spot_as(const Lower *lower, const Spot *place, const CType *type) {
    Spot result = *place;
    if (lower->tells_types && place->typed && !type_may_alias(type))
        result.effective = (uint8_t)effective_of(type);
    return result;
}

Operand spot_read(Lower *lower, const Spot *place, const CType *type, Reg dest) {
    if (place->in_machine) return read_machine_reg(lower, place, type, dest);
    sanitize_access(lower, place, false);
    if (place->is_atomic) return atomic_read(lower, place, type, dest);
    if (lower_type(type) == TYPE_WIDE) return wide_read(lower, place, type);
    if (place->in_register) return operand_reg(lower, place->reg);
    if (place->bitfield) return bitfield_read(lower, place, type, dest);
    if (place->reversed) return reversed_read(lower, place, type, dest);
    Spot typed = spot_as(lower, place, type);
    Operand value = emit_load(lower, &typed, chunk_of(type), dest);
    sanitize_bool(lower, type, value);
    return value;
}

// The value is one of the type, in its canonical form.
void spot_write(Lower *lower, const Spot *place, const CType *type, Operand value) {
    Spot typed = spot_as(lower, place, type);
    sanitize_access(lower, place, true);
    if (place->in_machine)
        write_machine_reg(lower, place, type, value);
    else if (place->is_atomic)
        atomic_write(lower, place, type, value);
    else if (value.type == TYPE_WIDE)
        wide_write(lower, place, value);
    else if (place->in_register)
        emit_move(lower, place->reg, value);
    else if (place->bitfield)
        bitfield_write(lower, place, type, value);
    else if (place->reversed)
        reversed_write(lower, place, type, value);
    else
        emit_store(lower, &typed, chunk_of(type), value);
}

Reg spot_address(Lower *lower, const Spot *place) {
    return operand_in_reg(lower, emit_address(lower, place, NO_REG));
}
