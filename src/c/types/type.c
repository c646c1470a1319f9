// Makes, compares and combines types, and answers questions about types.
//
// Scalar types are unique. A derived type knows the pointer to it and its qualified variants once
// they have been made, so that the common types are made once. Chains of pointers may be very long:
// nothing here recurses on chains.
#include "c/types/type.h"

#include "base/deep_stack.h"

#include <string.h>

typedef struct {
    uint8_t kind;
    uint8_t size; // also the alignment
} BasicRow;

static const BasicRow basic_rows[] = {
    {CT_ERROR, 1},    {CT_VOID, 1},  {CT_BOOL, 1},   {CT_CHAR, 1},   {CT_SCHAR, 1},
    {CT_UCHAR, 1},    {CT_SHORT, 2}, {CT_USHORT, 2}, {CT_INT, 4},    {CT_UINT, 4},
    {CT_LONG, 8},     {CT_ULONG, 8}, {CT_LLONG, 8},  {CT_ULLONG, 8}, {CT_INT128, 16},
    {CT_UINT128, 16}, {CT_HALF, 2},  {CT_FLOAT, 4},  {CT_DOUBLE, 8}, {CT_LDOUBLE, 16},
};

static const struct {
    uint8_t kind, form;
} float_rows[] = {{CT_FLOAT, FLOAT_INTERCHANGE},
                  {CT_FLOAT, FLOAT_EXCESS},
                  {CT_DOUBLE, FLOAT_INTERCHANGE},
                  {CT_DOUBLE, FLOAT_EXTENDED},
                  {CT_LDOUBLE, FLOAT_EXTENDED}};

static CType *new_type(Types *types, CTypeKind kind) {
    CType *type = ARENA_NEW(types->arena, CType);
    type->kind = (uint8_t)kind;
    type->align = 1;
    type->unqualified = type;
    return type;
}

// The type behind va_list: one element of the descriptor that the machine has for it.
static CType *make_va_list(Types *types) {
    CType *record = type_record(types, CT_STRUCT, NULL, 0);
    for (const char *member = types->language->model.va_list_members; *member; member++)
        vec_push(types->arena, &record->record->members,
                 (Member){.type = *member == 'u' ? types->basic[CT_UINT] : types->void_pointer});
    type_complete_record(types, record, 0, 0);
    return type_array(types, record, 1);
}

CType *type_plain(const Types *types, const CType *type) {
    return type->form ? types->floats[type->kind][type->form] : types->basic[type->kind];
}

// The type with a part, or a real type, replaced.
static CType *with_part(Types *types, CType *type, CTypeKind kind, unsigned form, CType *by) {
    const CType *part = type_is_complex(type) ? type->base : type;
    if (part->kind != kind || part->form != form) return type;
    return type_is_complex(type) ? type_complex(types, by) : by;
}

CType *type_evaluated(Types *types, CType *type) {
    return with_part(types, type, CT_HALF, FLOAT_STANDARD, types->floats[CT_FLOAT][FLOAT_EXCESS]);
}

CType *type_meant(Types *types, CType *type) {
    return with_part(types, type, CT_FLOAT, FLOAT_EXCESS, types->basic[CT_HALF]);
}

bool type_is_promoted_float(const CType *type) {
    return type->kind == CT_FLOAT && type->form == FLOAT_STANDARD;
}

void types_unsigned_char(Types *types) {
    types->basic[CT_CHAR]->unsigned_char = true;
    types->const_char_pointer->base->unsigned_char = true;
}

void types_short_wchar(Types *types) {
    types->wchar = types->basic[CT_USHORT];
}

void types_init(Types *types, Arena *arena, const TargetLanguage *language) {
    enum { PER_LEVEL = 8192 }; // bytes; more than any function takes that goes down a type
    *types = (Types){.arena = arena, .language = language};
    size_t deepest = stack_room() / PER_LEVEL;
    types->deepest = deepest < UINT32_MAX ? (uint32_t)deepest : UINT32_MAX;
    for (size_t i = 0; i < sizeof basic_rows / sizeof *basic_rows; i++) {
        CType *type = new_type(types, basic_rows[i].kind);
        type->size = type->align = basic_rows[i].size;
        if (type->kind == CT_LDOUBLE && language->model.long_double == LONG_DOUBLE_IS_DOUBLE)
            type->size = type->align = 8;
        type->complete = type->kind != CT_VOID;
        types->basic[type->kind] = type;
    }
    for (unsigned i = 0; i < sizeof float_rows / sizeof *float_rows; i++) {
        CType *type = new_type(types, float_rows[i].kind);
        type->form = float_rows[i].form;
        type->size = type->align = (uint32_t)types->basic[type->kind]->size;
        type->complete = true;
        types->floats[type->kind][type->form] = type;
    }
    types->void_pointer = type_pointer(types, types->basic[CT_VOID]);
    types->char_pointer = type_pointer(types, types->basic[CT_CHAR]);
    types->const_char_pointer =
        type_pointer(types, type_qualify(types, types->basic[CT_CHAR], Q_CONST));
    types->size = types->basic[CT_ULONG];
    types->ptrdiff = types->basic[CT_LONG];
    types->wchar = types->basic[language->model.wchar_is_unsigned ? CT_UINT : CT_INT];
    types->char16 = types->basic[CT_USHORT];
    types->char32 = types->basic[CT_UINT];
    types->va_list = make_va_list(types);
}

// ---- Making types

CType *type_narrow(Types *types, unsigned width, bool is_unsigned) {
    CType **known = &types->narrow[is_unsigned][width];
    if (*known) return *known;
    CType *type = *known = new_type(types, is_unsigned ? CT_ULONG : CT_LONG);
    type->size = type->align = 8;
    type->complete = true;
    type->width = (uint8_t)width;
    return type;
}

enum { MAX_TYPE_WEIGHT = 1 << 20 };

bool type_is_excessive(const Types *types, const CType *type) {
    return type->depth > types->deepest || type->weight > MAX_TYPE_WEIGHT;
}

void type_add_part(CType *type, const CType *part) {
    if (type->depth <= part->depth) type->depth = part->depth + 1;
    type->weight += part->weight + 1;
    if (type->weight > MAX_TYPE_WEIGHT) type->weight = MAX_TYPE_WEIGHT + 1;
}

CType *type_pointer(Types *types, CType *to) {
    if (to->pointer) return to->pointer;
    CType *type = new_type(types, CT_POINTER);
    type->base = to;
    type->size = type->align = 8;
    type->complete = true;
    type->variable = to->variable;
    if (!type_is_record(to)) {
        type->depth = to->depth;
        type->weight = to->weight;
    }
    return to->pointer = type;
}

static CType *array_of(Types *types, CType *element) {
    CType *type = new_type(types, CT_ARRAY);
    type->base = element;
    type->align = element->align;
    type->variable = element->variable;
    type_add_part(type, element);
    return type;
}

CType *type_array(Types *types, CType *element, uint64_t count) {
    CType *type = array_of(types, element);
    type->complete = true;
    type->array.counted = true;
    type->array.count = count;
    type->size = element->size * count;
    return type;
}

CType *type_incomplete_array(Types *types, CType *element) {
    return array_of(types, element);
}

CType *type_variable_array(Types *types, CType *element, Expr *count, Decl *size_var, bool star) {
    CType *type = array_of(types, element);
    type->complete = true;
    type->variable = true;
    type->array.count_expr = count;
    type->array.size_var = size_var;
    type->array.star = star;
    return type;
}

// An array type like another one, of other elements.
static CType *array_like(Types *types, const CType *model, CType *element) {
    CType *type = array_of(types, element);
    type->complete = model->complete;
    type->variable = model->variable;
    if (model->align != model->base->align) type->align = model->align; // by an attribute
    type->size = model->size;
    type->array = model->array;
    type->operand = model->operand;
    return type;
}

bool type_is_double(const CType *type) {
    return type->kind == CT_DOUBLE || (type->kind == CT_LDOUBLE && type->size == 8);
}

bool type_is_extended(const CType *type) {
    return type->kind == CT_LDOUBLE && type->size > 8;
}

uint32_t type_atomic_align(uint64_t size, uint32_t align) {
    bool power = size != 0 && size <= 16 && (size & (size - 1)) == 0;
    return power && size > align ? (uint32_t)size : align;
}

CType *type_qualify(Types *types, CType *type, unsigned quals) {
    if ((type->quals & quals) == quals || type->kind == CT_ERROR) return type;
    CType *plain = type->unqualified;
    unsigned all = (type->quals | quals) & 15;
    if (plain->qualified[all]) return plain->qualified[all];
    CType *made;
    if (type->kind == CT_ARRAY) {
        made = array_like(types, type, type_qualify(types, type->base, quals));
    } else {
        made = ARENA_NEW(types->arena, CType);
        *made = *plain;
        made->quals = (uint8_t)all;
        if (all & Q_ATOMIC) made->align = type_atomic_align(made->size, made->align);
        made->pointer = NULL;
        memset(made->qualified, 0, sizeof made->qualified);
    }
    return plain->qualified[all] = made;
}

CType *type_function(Types *types, CType *result, const Param *params, uint32_t count,
                     bool variadic, bool prototype) {
    CType *type = new_type(types, CT_FUNC);
    type->base = result;
    type->variable = result->variable;
    type->func.params = params;
    type->func.param_count = count;
    type->func.variadic = variadic;
    type->func.prototype = prototype;
    type_add_part(type, result);
    for (uint32_t i = 0; i < count; i++) type_add_part(type, params[i].type);
    return type;
}

CType *type_noreturn(Types *types, CType *func) {
    if (func->func.noreturn) return func;
    CType *type = type_function(types, func->base, func->func.params, func->func.param_count,
                                func->func.variadic, func->func.prototype);
    type->variable = func->variable;
    type->operand = func->operand;
    type->func.noreturn = true;
    return type;
}

CType *type_enum(Types *types, Ident *tag, Pos pos) {
    CType *type = new_type(types, CT_ENUM);
    type->base = types->basic[CT_UINT];
    type->enumeration.tag = tag;
    type->enumeration.pos = pos;
    return type;
}

void type_complete(CType *type, uint64_t size, uint32_t align) {
    for (CType *same = type; same; same = same->aligned) {
        // As in gcc, an enum keeps nothing of what was said before.
        bool stricter = same->realigned && type_is_record(type) && same->align > align;
        uint32_t own = stricter ? same->align : align;
        for (unsigned i = 0; i < 16; i++) {
            CType *variant = i == 0 ? same : same->qualified[i];
            if (!variant) continue;
            uint32_t atomic = type_atomic_align(size, own);
            variant->base = type->base;
            variant->size = size;
            variant->align = variant->quals & Q_ATOMIC ? atomic : own;
            variant->complete = true;
            variant->variable = type->variable;
            variant->depth = type->depth;
            variant->weight = type->weight;
        }
    }
}

void type_complete_enum(CType *type, CType *base) {
    type->base = base;
    type_complete(type, base->size, base->align);
}

CType *type_record(Types *types, CTypeKind kind, Ident *tag, Pos pos) {
    CType *type = new_type(types, kind);
    type->record = ARENA_NEW(types->arena, Record);
    type->record->tag = tag;
    type->record->pos = pos;
    return type;
}

CType *type_complex(Types *types, const CType *part) {
    CType **known = &types->complex[part->kind][part->form];
    if (*known) return *known;
    CType *type = new_type(types, CT_COMPLEX);
    type->base = type_plain(types, part);
    type->record = ARENA_NEW(types->arena, Record);
    for (unsigned i = 0; i < 2; i++)
        vec_push(types->arena, &type->record->members,
                 (Member){.type = type->base, .offset = i * part->size});
    type->align = (uint32_t)part->size;
    type->size = 2 * part->size;
    type->complete = true;
    return *known = type;
}

CType *type_unsupported(Types *types, const char *name, uint64_t size, uint32_t align) {
    CType *type = new_type(types, CT_UNSUPPORTED);
    type->unsupported = name;
    type->size = size;
    type->align = align;
    type->complete = true;
    return type;
}

static CType *copy_unqualified(Types *types, const CType *type) {
    CType *copy = ARENA_NEW(types->arena, CType);
    *copy = *type->unqualified;
    copy->unqualified = copy;
    copy->pointer = NULL;
    memset(copy->qualified, 0, sizeof copy->qualified);
    return copy;
}

CType *type_with_operand(Types *types, CType *type, Decl *operand) {
    CType *copy = copy_unqualified(types, type);
    copy->operand = operand;
    return type_qualify(types, copy, type->quals);
}

CType *type_noted(Types *types, CType *type, const struct AttributeNote *notes) {
    if (!notes || type->kind == CT_ERROR) return type;
    CType *copy = copy_unqualified(types, type);
    copy->notes = notes;
    if (!copy->complete) type->unqualified->aligned = copy; // it is completed with the type
    return type_qualify(types, copy, type->quals);
}

CType *type_aligned(Types *types, CType *type, uint32_t align) {
    if (type->align == align || type->kind == CT_ERROR) return type;
    CType *copy = copy_unqualified(types, type);
    copy->align = align;
    copy->realigned = true;
    if (!copy->complete) type->unqualified->aligned = copy; // and behind it the earlier ones
    return type_qualify(types, copy, type->quals);
}

// ---- Questions

bool type_is_integer(const CType *type) {
    return (type->kind >= CT_BOOL && type->kind <= CT_UINT128) || type->kind == CT_ENUM;
}

bool type_has_variable_size(const CType *type) {
    for (; type->kind == CT_ARRAY; type = type->base)
        if (!type->array.counted && type->variable &&
            (type->array.count_expr || type->array.size_var || type->array.star))
            return true;
    return type_is_record(type) && type->record->size_var;
}

bool type_is_wide(const CType *type) {
    return type->kind == CT_INT128 || type->kind == CT_UINT128;
}

bool type_is_floating(const CType *type) {
    return type->kind >= CT_HALF && type->kind <= CT_LDOUBLE;
}

bool type_is_arithmetic(const CType *type) {
    return type->kind >= CT_BOOL && type->kind <= CT_ENUM;
}

bool type_is_scalar(const CType *type) {
    return type->kind >= CT_BOOL && type->kind <= CT_POINTER;
}

bool type_is_record(const CType *type) {
    return type->kind == CT_STRUCT || type->kind == CT_UNION;
}

bool type_is_unsigned(const CType *type) {
    switch (type->kind) {
    case CT_ENUM: return type_is_unsigned(type->base);
    case CT_CHAR: return type->unsigned_char;
    case CT_BOOL:
    case CT_UCHAR:
    case CT_USHORT:
    case CT_UINT:
    case CT_ULONG:
    case CT_ULLONG:
    case CT_UINT128:
    case CT_POINTER: return true;
    default: return false;
    }
}

bool type_is_character(const CType *type) {
    return type->kind >= CT_CHAR && type->kind <= CT_UCHAR;
}

bool type_is_const(const CType *type) {
    while (type->kind == CT_ARRAY) type = type->base;
    return type->quals & Q_CONST || (type_is_record(type) && type->record->has_const);
}

unsigned type_rank(const CType *type) {
    switch (type->kind) {
    case CT_BOOL: return 1;
    case CT_CHAR:
    case CT_SCHAR:
    case CT_UCHAR: return 2;
    case CT_SHORT:
    case CT_USHORT: return 3;
    case CT_INT:
    case CT_UINT: return 4;
    case CT_LONG:
    case CT_ULONG: return 5;
    case CT_LLONG:
    case CT_ULLONG: return 6;
    case CT_INT128:
    case CT_UINT128: return 7;
    case CT_ENUM: return type_rank(type->base);
    default: return 0;
    }
}

unsigned type_bits(const CType *type) {
    if (type->width) return type->width;
    return type->kind == CT_BOOL ? 1 : (unsigned)type->size * 8;
}

CType *type_promote(Types *types, CType *type) {
    type = type->unqualified;
    if (type->kind == CT_ENUM) type = type->base;
    if (type->width) return type;
    if (!type_is_integer(type) || type_rank(type) > type_rank(types->basic[CT_INT]))
        return type->kind <= CT_LDOUBLE ? type_plain(types, type) : type;
    return types->basic[type->kind == CT_UINT ? CT_UINT : CT_INT];
}

// The parts of complex integers are not promoted.
static CType *common_complex(Types *types, CType *a, CType *b) {
    if (a->kind == CT_COMPLEX) a = a->base;
    if (b->kind == CT_COMPLEX) b = b->base;
    unsigned most = type_rank(types->basic[CT_INT]);
    if (!type_is_integer(a) || !type_is_integer(b) || type_rank(a) >= most || type_rank(b) >= most)
        return type_complex(types, type_common(types, a, b));
    if (type_rank(a) == type_rank(b)) return type_complex(types, type_is_unsigned(a) ? a : b);
    return type_complex(types, type_rank(a) > type_rank(b) ? a : b);
}

// Whether arithmetic on values of two types, one of them floating, is done in the first type.
static bool prefers_float(const CType *a, const CType *b) {
    static const uint8_t order[] = {
        [FLOAT_EXCESS] = 0, [FLOAT_EXTENDED] = 1, [FLOAT_STANDARD] = 2, [FLOAT_INTERCHANGE] = 3};
    if (!type_is_floating(a) || !type_is_floating(b)) return type_is_floating(a);
    return a->kind == b->kind ? order[a->form] >= order[b->form] : a->kind > b->kind;
}

CType *type_common(Types *types, CType *a, CType *b) {
    if (a->kind == CT_ERROR || b->kind == CT_ERROR) return types->basic[CT_ERROR];
    if (a->kind == CT_COMPLEX || b->kind == CT_COMPLEX) return common_complex(types, a, b);
    if (type_is_floating(a) || type_is_floating(b))
        return type_plain(types, prefers_float(a, b) ? a : b);
    a = type_promote(types, a);
    b = type_promote(types, b);
    if (a->width || b->width) {
        if (type_bits(a) != type_bits(b)) return type_bits(a) > type_bits(b) ? a : b;
        return type_is_unsigned(a) ? a : b;
    }
    if (a->kind == b->kind) return a;
    CType *high = type_rank(a) >= type_rank(b) ? a : b;
    CType *low = high == a ? b : a;
    if (type_is_unsigned(high) == type_is_unsigned(low)) return high;
    if (type_is_unsigned(high)) return high;
    if (type_rank(high) == type_rank(low)) return low;
    if (high->size > low->size) return high;
    return types->basic[high->kind + 1]; // long long with unsigned long: its unsigned counterpart
}

// ---- Comparing

// A parameter of an old-style function has its promoted type; so must the prototype's.
static bool same_as_promoted(const CType *type) {
    type = type->unqualified;
    if (type_is_promoted_float(type)) return false;
    if (type->kind == CT_ENUM) type = type->base;
    return !type_is_integer(type) || type_rank(type) >= 4;
}

// GNU C: a parameter that is a transparent union agrees with one of the type of a member.
static bool param_compatible(const CType *a, const CType *b) {
    if (a == b || type_compatible_unqualified(a, b)) return true;
    if (b->kind == CT_UNION && b->record->transparent) {
        const CType *other = a;
        a = b;
        b = other;
    }
    if (a->kind != CT_UNION || !a->record->transparent) return false;
    for (uint32_t i = 0; i < a->record->members.count; i++)
        if (type_compatible_unqualified(a->record->members.at[i].type, b)) return true;
    return false;
}

static bool params_compatible(const CType *a, const CType *b) {
    if (!a->func.prototype && !b->func.prototype) return true;
    if (!a->func.prototype || !b->func.prototype) {
        const CType *with = a->func.prototype ? a : b;
        if (with->func.variadic) return false;
        for (uint32_t i = 0; i < with->func.param_count; i++)
            if (!same_as_promoted(with->func.params[i].type)) return false;
        return true;
    }
    if (a->func.param_count != b->func.param_count || a->func.variadic != b->func.variadic)
        return false;
    for (uint32_t i = 0; i < a->func.param_count; i++)
        if (!param_compatible(a->func.params[i].type, b->func.params[i].type)) return false;
    return true;
}

static bool arrays_fit(const CType *a, const CType *b) {
    return !a->array.counted || !b->array.counted || a->array.count == b->array.count;
}

static bool same_enum(const CType *a, const CType *b) {
    return a->enumeration.tag == b->enumeration.tag && a->enumeration.pos == b->enumeration.pos;
}

bool type_compatible_unqualified(const CType *a, const CType *b) {
    a = a->unqualified;
    b = b->unqualified;
    if (a == b || a->kind == CT_ERROR || b->kind == CT_ERROR) return true;
    if (a->kind == CT_ENUM && b->kind != CT_ENUM) a = a->base;
    if (b->kind == CT_ENUM && a->kind != CT_ENUM) b = b->base;
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case CT_ENUM: return same_enum(a, b);
    case CT_STRUCT:
    case CT_UNION: return a->record == b->record;
    case CT_COMPLEX: return type_compatible_unqualified(a->base, b->base);
    case CT_POINTER: return type_compatible(a->base, b->base);
    case CT_ARRAY: return arrays_fit(a, b) && type_compatible_unqualified(a->base, b->base);
    case CT_FUNC: return params_compatible(a, b) && type_compatible_unqualified(a->base, b->base);
    case CT_UNSUPPORTED: return strcmp(a->unsupported, b->unsupported) == 0;
    default: return a->width == b->width && a->form == b->form;
    }
}

bool type_compatible(const CType *a, const CType *b) {
    while (a != b) {
        if (a->kind == CT_ERROR || b->kind == CT_ERROR) return true;
        if (a->quals != b->quals) return false;
        if (a->kind != CT_POINTER || b->kind != CT_POINTER) {
            if (a->kind != CT_ARRAY || b->kind != CT_ARRAY)
                return type_compatible_unqualified(a, b);
            if (!arrays_fit(a, b)) return false;
        }
        a = a->base;
        b = b->base;
    }
    return true;
}

// ---- Combining

// A fact about one of two functions need not hold for the other: either may be meant.
static CType *composite_function(Types *types, CType *a, CType *b) {
    CType *result = type_composite(types, a->base, b->base);
    if (!a->func.prototype || !b->func.prototype) {
        const CType *with = b->func.prototype ? b : a;
        if (with->base == result && a->func.noreturn == b->func.noreturn) return (CType *)with;
        CType *made = type_function(types, result, with->func.params, with->func.param_count,
                                    with->func.variadic, with->func.prototype);
        made->func.noreturn = a->func.noreturn && b->func.noreturn;
        return made;
    }
    uint32_t count = a->func.param_count;
    bool same = result == b->base;
    Param *params = ARENA_ARRAY(types->arena, Param, count);
    for (uint32_t i = 0; i < count; i++) {
        params[i] = b->func.params[i];
        params[i].type = type_composite(types, a->func.params[i].type, params[i].type);
        same &= params[i].type == b->func.params[i].type;
    }
    if (same && b->func.noreturn <= a->func.noreturn) return b;
    CType *made = type_function(types, result, params, count, a->func.variadic, true);
    made->func.noreturn = a->func.noreturn && b->func.noreturn;
    return made;
}

// The knowledge about an array's length: none, that there is one ([*]), an expression, the number.
static unsigned known_length(const CType *array) {
    if (array->array.counted) return 3;
    if (array->array.star) return 1;
    return array->array.size_var || array->array.count_expr ? 2 : 0;
}

static CType *composite_array(Types *types, CType *a, CType *b) {
    CType *element = type_composite(types, a->base, b->base);
    CType *model = known_length(a) > known_length(b) ? a : b;
    return model->base == element ? model : array_like(types, model, element);
}

CType *type_composite(Types *types, CType *a, CType *b) {
    // Down the pointers first: their chains may be long.
    VEC(CType *) outer = {0};
    CType *x = a, *y = b;
    for (; x != y && x->kind == CT_POINTER && y->kind == CT_POINTER; x = x->base, y = y->base)
        vec_push(types->arena, &outer, y);
    CType *made = y;
    if (x != y && x->kind == y->kind) {
        if (x->kind == CT_FUNC) made = composite_function(types, x, y);
        if (x->kind == CT_ARRAY) made = composite_array(types, x, y);
    } else if (x->kind == CT_ENUM && y->kind != CT_ENUM) {
        made = x;
    }
    if (made == y) return b;
    while (outer.count > 0) {
        CType *pointer = vec_pop(&outer);
        made = type_qualify(types, type_pointer(types, made), pointer->quals);
    }
    return made;
}

// ---- Members

uint32_t type_member_index(const CType *type, const Ident *name) {
    const Record *record = type->record;
    if (record->names.count > 0) return map_get(&record->names, name->name.i);
    for (uint32_t i = 0; i < record->members.count; i++)
        if (record->members.at[i].name == name) return i;
    for (uint32_t i = 0; record->anonymous && i < record->members.count; i++) {
        const Member *member = &record->members.at[i];
        if (member->name || member->bitfield || !type_is_record(member->type)) continue;
        if (member->by_type == name) return i;
        if (type_member_index(member->type, name) != HASH_NONE) return i;
    }
    return HASH_NONE;
}

const Member *type_find_member(const CType *type, const Ident *name, uint64_t *offset) {
    const Record *record = type->record;
    uint32_t first = 0, end = record->members.count;
    if (record->names.count > 0) {
        first = map_get(&record->names, name->name.i);
        if (first == HASH_NONE) return NULL;
        end = first + 1;
    }
    *offset = 0;
    for (uint32_t i = first; i < end; i++) {
        const Member *member = &record->members.at[i];
        if (member->name == name) return *offset = member->offset, member;
    }
    for (uint32_t i = first; record->anonymous && i < end; i++) {
        const Member *member = &record->members.at[i];
        if (member->name || member->bitfield || !type_is_record(member->type)) continue;
        if (member->by_type == name) return *offset = member->offset, member;
        const Member *found = type_find_member(member->type, name, offset);
        if (!found) continue;
        *offset += member->offset;
        return found;
    }
    return NULL;
}
