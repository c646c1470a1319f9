// Atomic builtin functions, __atomic_ and __sync_. Their rows in cbuiltins.def describe each
// function completely, in letters of their own:
//
//     O  a pointer to the object                     V  a value of its type
//     E  a pointer to a value of its size, read      R  the same, but written, too: any pointer
//                                                       will do where other operands are values
//     M  a memory order                              T  a pointer to a flag, a byte
//     W  whether failing for no reason is allowed    .  any number of values that are ignored
//
// The letters of results are V the object's type, b _Bool, v nothing. Where a value is missing, a
// flag is set by an exchange and anything cleared by a store. Where the order is missing, an
// exchange acquires, a store releases, and others order everything.
#include "c/parse/builtin.h"
#include "form/types.h"

#include <stdlib.h>
#include <string.h>

// ---- Operands

static Expr *atomic_error(BuiltinUse *use) {
    return expr_error(use->parser, &use->from);
}

static bool has_atomic_size(const CType *type) {
    return type->size <= 16 && type->size && (type->size & (type->size - 1)) == 0;
}

static bool is_fetch(const BuiltinUse *use) {
    return use->operation >= CB_ATOMIC_FETCH_ADD && use->operation <= CB_ATOMIC_NAND_FETCH;
}

// The size that a name ends in, as in __atomic_load_4; 0 if it does not.
static uint64_t size_of_name(const char *name) {
    const char *end = strrchr(name, '_') + 1;
    return *end >= '1' && *end <= '9' ? strtoul(end, NULL, 10) : 0;
}

static CType *unsigned_of_size(const Types *types, uint64_t size) {
    return types->basic[size == 1   ? CT_UCHAR
                        : size == 2 ? CT_USHORT
                        : size == 4 ? CT_UINT
                        : size == 8 ? CT_ULONG
                                    : CT_UINT128];
}

// Takes a pointer for a pointer to another type; it stays volatile.
static Expr *retarget(BuiltinUse *use, Expr *pointer, CType *type) {
    Types *types = use->parser->types;
    unsigned quals = pointer->type->base->quals & (Q_CONST | Q_VOLATILE);
    return expr_convert(use->parser, pointer,
                        type_pointer(types, type_qualify(types, type, quals)));
}

static bool wrong_operand(BuiltinUse *use, uint32_t i, const char *must) {
    error_at_expr(use->parser, use->args[i], "argument %u of '%s' must %s, not %s", i + 1,
                  use->name, must, type_text(use->parser, use->args[i]->type));
    return false;
}

// gcc only warns of a const object that is written to.
static void warn_of_const(BuiltinUse *use, uint32_t i) {
    if (use->args[i]->type->base->quals & Q_CONST)
        warn_at_expr(use->parser, WARN_DISCARDED_QUALIFIERS, use->args[i],
                     "argument %u of '%s' points to a const object, which is written to", i + 1,
                     use->name);
}

// The object: an operation on a value needs an object that fits a register.
static bool check_object(BuiltinUse *use, uint32_t i, bool takes_values) {
    const CType *type = use->args[i]->type;
    if (type->kind != CT_POINTER) return wrong_operand(use, i, "be a pointer");
    uint64_t size = size_of_name(use->name);
    if (size)
        use->args[i] = retarget(use, use->args[i], unsigned_of_size(use->parser->types, size));
    const CType *object = use->args[i]->type->base;
    bool fits = (type_is_integer(object) || object->kind == CT_POINTER) &&
                has_atomic_size(object) && !(is_fetch(use) && object->kind == CT_BOOL);
    if (takes_values && !fits) return wrong_operand(use, i, "point to an integer or a pointer");
    if (!object->complete || object->size == 0 || object->kind == CT_FUNC)
        return wrong_operand(use, i, "point to an object");
    bool only_read = use->operation == CB_ATOMIC_LOAD || use->operation == CB_ATOMIC_COPY_LOAD;
    if (!only_read) warn_of_const(use, i);
    return true;
}

static bool check_flag(BuiltinUse *use, uint32_t i) {
    const CType *type = use->args[i]->type;
    if (type->kind != CT_POINTER) return wrong_operand(use, i, "be a pointer");
    warn_of_const(use, i);
    use->args[i] = retarget(use, use->args[i], use->parser->types->basic[CT_UCHAR]);
    return true;
}

static bool check_other(BuiltinUse *use, uint32_t i, const CType *object, bool written) {
    if (is_null_pointer_constant(use->args[i]) && type_is_integer(use->args[i]->type))
        use->args[i] = expr_convert(use->parser, use->args[i],
                                    type_pointer(use->parser->types, object->unqualified));
    const CType *type = use->args[i]->type;
    if (type->kind != CT_POINTER) return wrong_operand(use, i, "be a pointer");
    if (written) warn_of_const(use, i);
    if (use->operation == CB_ATOMIC_COMPARE_EXCHANGE)
        use->args[i] = retarget(use, use->args[i], object->unqualified);
    else if (type->base->size != object->size)
        return wrong_operand(use, i, "point to an object of the same size as argument 1");
    return true;
}

static bool check_value(BuiltinUse *use, uint32_t i, CType *object) {
    const CType *type = use->args[i]->type;
    if (!type_is_scalar(type)) return wrong_operand(use, i, "be a number or pointer");
    if (object->kind == CT_POINTER && type_is_floating(type))
        return wrong_operand(use, i, "be an integer or pointer");
    use->args[i] = expr_convert(use->parser, use->args[i], object->unqualified);
    return true;
}

// ---- Memory orders

// The order that a constant names; one that is not constant is taken for the strongest.
static MemoryOrder order_of(BuiltinUse *use, const Expr *expr) {
    static const uint8_t orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE,
                                     ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST};
    if (expr->kind != EX_INT) return ORDER_SEQ_CST;
    uint64_t number = expr->integer & UINT16_MAX; // above are hints for transactional memory
    MemoryOrder order = number < sizeof orders ? orders[number] : ORDER_COUNT;
    bool load = use->operation == CB_ATOMIC_LOAD || use->operation == CB_ATOMIC_COPY_LOAD;
    bool store = use->operation == CB_ATOMIC_STORE || use->operation == CB_ATOMIC_COPY_STORE;
    bool releases = order == ORDER_RELEASE || order == ORDER_ACQ_REL;
    bool acquires = order == ORDER_ACQUIRE || order == ORDER_ACQ_REL;
    if (order < ORDER_COUNT && !(load && releases) && !(store && acquires)) return order;
    warn_at_expr(use->parser, WARN_INVALID_MEMORY_MODEL, expr, "'%s' cannot have this memory order",
                 use->name);
    return ORDER_SEQ_CST;
}

// An order that is at least as strong as both.
static MemoryOrder both_orders(MemoryOrder a, MemoryOrder b) {
    if (a == b || b == ORDER_RELAXED) return a;
    if (a == ORDER_RELAXED) return b;
    return a == ORDER_SEQ_CST || b == ORDER_SEQ_CST ? ORDER_SEQ_CST : ORDER_ACQ_REL;
}

static MemoryOrder find_order(BuiltinUse *use) {
    const char *letters = use->signature + 1, *first = strchr(letters, 'M');
    if (!first)
        return use->operation == CB_ATOMIC_EXCHANGE ? ORDER_ACQUIRE
               : use->operation == CB_ATOMIC_STORE  ? ORDER_RELEASE
                                                    : ORDER_SEQ_CST;
    MemoryOrder order = order_of(use, use->args[first - letters]);
    return first[1] == 'M' ? both_orders(order, order_of(use, use->args[first - letters + 1]))
                           : order;
}

// ---- Uses

static bool check_operand(BuiltinUse *use, uint32_t i, char letter) {
    CType *object = use->args[0]->type->kind == CT_POINTER ? use->args[0]->type->base : NULL;
    switch (letter) {
    case 'O': return check_object(use, i, use->operation < CB_ATOMIC_COPY_LOAD);
    case 'T': return check_flag(use, i);
    case 'V': return check_value(use, i, object);
    case 'E':
    case 'R': return check_other(use, i, object, letter == 'R');
    default:
        if (type_is_integer(use->args[i]->type)) return true;
        return wrong_operand(use, i, "be an integer");
    }
}

// The operands that lowering gets: pointers and values, then the order.
static Expr **operands(BuiltinUse *use, uint32_t kept, uint32_t *count) {
    Parser *parser = use->parser;
    CType *type = parser->types->basic[CT_INT];
    Expr **args = ARENA_ARRAY(parser->body_arena, Expr *, (size_t)kept + 3);
    memcpy(args, use->args, kept * sizeof *args);
    *count = kept;
    bool needs_value = use->operation == CB_ATOMIC_EXCHANGE || use->operation == CB_ATOMIC_STORE;
    if (needs_value && kept == 1)
        args[(*count)++] = expr_convert(
            parser, expr_int(parser, type, use->operation == CB_ATOMIC_EXCHANGE, &use->from),
            use->args[0]->type->base->unqualified);
    if (use->operation == CB_ATOMIC_COPY_COMPARE || use->operation == CB_ATOMIC_COMPARE_EXCHANGE)
        args[(*count)++] = expr_int(parser, type, order_of(use, use->args[kept + 2]), &use->from);
    args[(*count)++] = expr_int(parser, type, find_order(use), &use->from);
    return args;
}

Expr *builtin_atomic(BuiltinUse *use) {
    Parser *parser = use->parser;
    const char *letters = use->signature + 1;
    uint32_t given = (uint32_t)strcspn(letters, "."), kept = (uint32_t)strspn(letters, "OTVER");
    for (uint32_t i = 0; i < given; i++)
        if (!check_operand(use, i, letters[i])) return atomic_error(use);
    CType *boolean = parser->types->basic[CT_BOOL];
    CType *result = *use->signature == 'v'   ? parser->types->basic[CT_VOID]
                    : *use->signature == 'b' ? boolean
                                             : use->args[0]->type->base->unqualified;
    bool flag = letters[0] == 'T' && result == boolean;
    uint32_t count;
    Expr **args = operands(use, kept, &count);
    Expr *expr = expr_builtin(parser, use->operation, flag ? args[1]->type : result, args, count,
                              &use->from);
    expr->in_place = strncmp(use->name, "__sync_", 7) == 0 || letters[0] == 'T';
    return after_arguments(use, kept, flag ? expr_convert(parser, expr, boolean) : expr);
}

Expr *builtin_fence(BuiltinUse *use) {
    Parser *parser = use->parser;
    CType *type = parser->types->basic[CT_INT];
    MemoryOrder order = use->signature[1] == 'M' ? order_of(use, use->args[0]) : ORDER_SEQ_CST;
    Expr **args = ARENA_ARRAY(parser->body_arena, Expr *, 1);
    args[0] = expr_int(parser, type, order, &use->from);
    Expr *fence =
        expr_builtin(parser, use->operation, parser->types->basic[CT_VOID], args, 1, &use->from);
    return after_arguments(use, 0, fence);
}

// Sizes that are not lock-free everywhere are a question to the library.
Expr *builtin_lock_free(BuiltinUse *use) {
    Parser *parser = use->parser;
    CType *type = parser->types->basic[CT_BOOL];
    uint64_t size = 0;
    bool known = expr_is_integer_constant(use->args[0], &size);
    uint32_t largest = parser->types->language->model.largest_lock_free;
    bool free = size && size <= largest && (size & (size - 1)) == 0;
    bool always = use->operation;
    if (always && !known) {
        error_at_expr(parser, use->args[0], "the size in '%s' must be a constant", use->name);
        return atomic_error(use);
    }
    if (always || (known && free && !parser->options->dialect.library_atomics))
        return after_arguments(use, 1, expr_int(parser, type, free, &use->from));
    return expr_builtin(parser, CB_ATOMIC_IS_LOCK_FREE, type, use->args, 2, &use->from);
}
