// Questions that are answered late (late.h), as they are lowered; and the pointers to members of
// which types tell the size.
#include "c/late/late.h"

#include <string.h>

static const char *const names[LATE_COUNT] = {
    ".object_size_0",  ".object_size_1",  ".object_size_2",  ".object_size_3", ".dynamic_size_0",
    ".dynamic_size_1", ".dynamic_size_2", ".dynamic_size_3", ".constant_i32",  ".constant_i64",
    ".subobject",      ".open_member",    ".parameter",      ".pack",          ".pack_len"};

// Their symbols follow one another; nothing mentions them in the end.
static Sym late_symbol(Lower *lower, LateKind kind) {
    Program *program = lower->program;
    if (!lower->has_late) {
        lower->has_late = true;
        lower->first_late = program->symbols.count;
        for (LateKind k = 0; k < LATE_COUNT; k++)
            program_symbol(program, str_of(&program->strings, names[k]), SYM_FUNC);
    }
    return (Sym){lower->first_late + kind};
}

LateKind late_kind(const Lower *lower, const Instr *instr) {
    if (instr->kind != I_CALL || !lower->has_late || instr->ref == NO_ID) return LATE_COUNT;
    uint32_t kind = instr->ref - lower->first_late; // none if it wraps
    return kind < LATE_COUNT ? (LateKind)kind : LATE_COUNT;
}

static void ask(Lower *lower, LateKind kind, Type result, Reg dest, const Reg *args,
                uint32_t count) {
    PType types[2];
    for (uint32_t i = 0; i < count; i++) types[i] = PTYPE_OF(reg_type(lower->f, args[i]));
    Sym symbol = late_symbol(lower, kind);
    Sig sig = program_sig(lower->program, (SigInfo){.result = PTYPE_OF(result),
                                                    .params = types,
                                                    .param_count = count,
                                                    .fixed_count = count});
    if (program_at(lower->program, symbol)->sig.i == NO_ID)
        program_at(lower->program, symbol)->sig = sig;
    emit_call(lower, symbol, sig, dest, args, count);
}

Operand lower_late_builtin(Lower *lower, const Expr *expr, Reg dest) {
    LateKind kind = expr->builtin == CB_VA_PACK ? LATE_PACK : LATE_PACK_LEN;
    Type type = lower_type(expr->type);
    Reg args[1];
    uint32_t count = 0;
    if (expr->builtin == CB_OBJECT_SIZE) {
        kind = LATE_SIZE + (LateKind)expr->args[1]->integer;
    }
    if (expr->builtin == CB_OBJECT_SIZE || expr->builtin == CB_CONSTANT_P)
        args[count++] = lower_in_reg(lower, expr->args[0]);
    if (expr->builtin == CB_CONSTANT_P)
        kind = reg_type(lower->f, args[0]) == TYPE_I64 ? LATE_CONSTANT_64 : LATE_CONSTANT;
    emit_at_expr(lower, expr);
    if (kind == LATE_PACK || kind == LATE_PACK_LEN)
        vec_push(lower->arena, &lower->packing,
                 (PackingFunction){.function = lower->f->symbol, .pos = expr->pos});
    Reg to = reg_or_new(lower, dest, type);
    ask(lower, kind, type, to, args, count);
    Operand answer = operand_reg(lower, to);
    answer.assumed = expr->builtin == CB_OBJECT_SIZE;
    return answer;
}

// ---- Members

// Whether nothing follows a member in its record.
static bool is_last_member(const Expr *member) {
    const CType *record = member->left->type;
    uint64_t end = member->member_offset + member->type->size;
    for (uint32_t i = 0; i < record->record->members.count; i++) {
        const Member *other = &record->record->members.at[i];
        if (other->offset >= end && other != member->member) return false;
    }
    return true;
}

// The union of which an lvalue is a member, at any depth; itself if it is none's.
static const Expr *outside_unions(const Expr *lvalue) {
    while (lvalue->kind == EX_MEMBER && lvalue->left->type->kind == CT_UNION) lvalue = lvalue->left;
    return lvalue;
}

// Whether an lvalue is what a pointer points to, and not an element of an array that is known.
static bool is_pointee(const Expr *lvalue) {
    if (lvalue->kind != EX_DEREF) return false;
    const Expr *pointer = lvalue->left;
    while (pointer->kind == EX_BINARY && pointer->op == BIN_PTR_ADD) pointer = pointer->left;
    return !(pointer->kind == EX_CAST && pointer->cast == CAST_DECAY);
}

// Whether an array ends the pointer's target, a record or a union of records: it may have more
// elements than its type.
static bool ends_pointee(const Expr *array) {
    const Expr *member = outside_unions(array);
    if (member->kind == EX_MEMBER && is_last_member(member)) member = outside_unions(member->left);
    return is_pointee(member);
}

// Whether an lvalue is in an array of which nobody says here how long it is.
static bool is_in_open_array(const Expr *lvalue) {
    for (;;) {
        if (lvalue->kind == EX_MEMBER) {
            lvalue = lvalue->left;
        } else if (lvalue->kind == EX_DEREF) {
            const Expr *pointer = lvalue->left;
            while (pointer->kind == EX_BINARY && pointer->op == BIN_PTR_ADD)
                pointer = pointer->left;
            if (pointer->kind != EX_CAST || pointer->cast != CAST_DECAY) return false;
            lvalue = pointer->left;
        } else {
            return lvalue->kind == EX_VAR && !lvalue->type->complete;
        }
    }
}

// The size of a member whose address is taken, 0 if its type tells nothing: what follows a pointer
// may be a record that ends in an array of any length.
static uint64_t member_size(const Expr *member) {
    const CType *type = member->type;
    if (!type->complete || type->variable || is_in_open_array(member)) return 0;
    return type->kind == CT_ARRAY && ends_pointee(member) ? 0 : type->size;
}

// Whether an lvalue is a member, or a part of a complex number.
static bool is_part(const Expr *lvalue) {
    return lvalue->kind == EX_MEMBER && !lvalue->member->bitfield &&
           (type_is_record(lvalue->left->type) || type_is_complex(lvalue->left->type));
}

// Whether an lvalue is an array in an array.
static bool is_row(const Expr *lvalue) {
    return lvalue->kind == EX_DEREF && lvalue->type->kind == CT_ARRAY && !is_pointee(lvalue);
}

// A member without a size is marked as well: the pointer before it may point to a member of an
// object of another type, whose size says nothing about this member.
Operand lower_mark_member(Lower *lower, const Expr *lvalue, Operand address, Reg dest) {
    if (!lower->marks_members || address.type != TYPE_I64 || !is_part(lvalue)) return address;
    uint64_t size = member_size(lvalue);
    Reg args[2] = {operand_in_reg(lower, address)};
    if (size) args[1] = operand_in_reg(lower, operand_int(TYPE_I64, (int64_t)size));
    Reg to = reg_or_new(lower, dest, TYPE_I64);
    ask(lower, size ? LATE_SUBOBJECT : LATE_OPEN, TYPE_I64, to, args, size ? 2 : 1);
    return operand_reg(lower, to);
}

// &row[3] ends with the row, which row + 3 need not, as in gcc. An element before the first element
// of an array in a record or in an array is no part of the array.
Operand lower_mark_element(Lower *lower, const Expr *sum, Operand address) {
    bool counted = sum->subscript && sum->right->kind == EX_INT && sum->left->kind == EX_CAST &&
                   sum->left->cast == CAST_DECAY && address.type == TYPE_I64;
    if (!counted) return address;
    const Expr *array = sum->left->left;
    const CType *type = array->type;
    bool before = (int64_t)sum->right->integer < 0;
    if (!(is_part(array) && before) && !is_row(array)) return address;
    if (!type->complete || type->variable || type->base->size == 0) return address;
    uint64_t count = type->size / type->base->size, index = sum->right->integer;
    uint64_t left = index < count ? (count - index) * type->base->size : 0;
    Reg args[2] = {operand_in_reg(lower, address),
                   operand_in_reg(lower, operand_int(TYPE_I64, (int64_t)left))};
    Reg to = reg_new(lower, TYPE_I64);
    ask(lower, LATE_SUBOBJECT, TYPE_I64, to, args, 2);
    return operand_reg(lower, to);
}

// Parameters in registers: the facts at the entry hold for their values there. In functions that
// are always inlined the arguments tell more: the checking functions of headers are of that kind.
void lower_mark_parameters(Lower *lower) {
    const Decl *func = lower->func;
    if (func->attributes->always_inline || func->extern_inline) return;
    for (const ParamAccess *access = func->attributes->accesses; access; access = access->next) {
        if (access->pointer > func->params.count || access->size > func->params.count) continue;
        const Decl *pointer = func->params.at[access->pointer - 1];
        const Decl *size = func->params.at[access->size - 1];
        if (pointer->place != IN_REGISTER || size->place != IN_REGISTER ||
            pointer->type->kind != CT_POINTER || !type_is_integer(size->type))
            continue;
        const CType *element = pointer->type->base;
        if (element->kind != CT_VOID && (!element->complete || element->variable)) continue;
        Operand count = operand_reg(lower, (Reg){size->number});
        count = lower_convert(lower, count, size->type, lower->types->size, NO_REG);
        Reg bytes = operand_in_reg(lower, count);
        if (element->kind != CT_VOID && element->size != 1) {
            Operand each = operand_int(TYPE_I64, (int64_t)element->size);
            bytes = operand_in_reg(lower, emit_binary(lower, OP_MUL_I64, count, each, NO_REG));
        }
        Reg args[2] = {{pointer->number}, bytes};
        ask(lower, LATE_PARAMETER, TYPE_I64, args[0], args, 2);
    }
}

// ---- Functions of which something is known

void lower_noted_call(Lower *lower, const Decl *callee, Sym symbol, Sig sig, Reg dest,
                      const Reg *args, uint32_t count) {
    lower_renew_location(lower);
    emit_call(lower, symbol, sig, dest, args, count);
    lower_renew_location(lower);
    uint32_t loc = lower->f->nodes.at[lower->f->nodes.count - 1].loc;
    if (!lower->notes || !loc) return;
    const Attributes *attributes = callee->attributes;
    bool fatal = attributes->call_error != NULL;
    map_set(lower->arena, &lower->notes->of_loc, loc, lower->notes->calls.count);
    vec_push(lower->arena, &lower->notes->calls,
             (CallNote){.loc = loc,
                        .fatal = fatal,
                        .callee = callee->name->text,
                        .message = fatal ? attributes->call_error : attributes->call_warning,
                        .function = lower->func->name->text,
                        .outer = NO_ID});
}

void lower_note_callee(Lower *lower, Sym symbol, const Decl *callee) {
    const uint16_t *params = callee->attributes->alloc_size;
    if (params[0])
        map_set(lower->arena, &lower->allocators, symbol.i, params[0] | (uint32_t)params[1] << 16);
}

static const char *outside_name(const Lower *lower, const Instr *call) {
    if (call->ref == NO_ID) return "";
    const Symbol *symbol = program_at(lower->program, (Sym){call->ref});
    return symbol->func ? "" : program_text(lower->program, symbol->name);
}

bool late_allocates(const Lower *lower, const Instr *call, uint32_t params[2]) {
    static const struct {
        const char *name;
        uint32_t params[2];
    } known[] = {{"malloc", {1}},        {"calloc", {1, 2}}, {"realloc", {2}}, {"valloc", {1}},
                 {"aligned_alloc", {2}}, {"memalign", {2}},  {"pvalloc", {1}}};
    uint32_t noted = call->ref == NO_ID ? HASH_NONE : map_get(&lower->allocators, call->ref);
    if (noted != HASH_NONE) {
        params[0] = noted & UINT16_MAX;
        params[1] = noted >> 16;
        return params[0] <= call->arg_count && params[1] <= call->arg_count;
    }
    const char *name = outside_name(lower, call);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) != 0) continue;
        memcpy(params, known[i].params, sizeof known[i].params);
        return params[0] <= call->arg_count && params[1] <= call->arg_count;
    }
    return false;
}

bool late_passes_through(const Lower *lower, const Instr *call) {
    static const char *const known[] = {
        "memcpy",       "memmove",       "memset",       "strcpy",        "strncpy",
        "strcat",       "strncat",       "__memcpy_chk", "__memmove_chk", "__memset_chk",
        "__strcpy_chk", "__strncpy_chk", "__strcat_chk", "__strncat_chk"};
    const char *name = outside_name(lower, call);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0) return call->arg_count > 0;
    return false;
}

bool late_copies_string(const Lower *lower, const Instr *call) {
    const char *name = outside_name(lower, call);
    return call->arg_count > 1 &&
           (strcmp(name, "stpcpy") == 0 || strcmp(name, "__stpcpy_chk") == 0);
}
