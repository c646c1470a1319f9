// Atomic accesses: _Atomic objects, and the builtin functions. Objects of 1, 2, 4 and 8 bytes are
// accessed by RTL's atomic builtins, as integers whatever their type; others by calls of libatomic.
// An _Atomic variable in a register needs nothing of the kind, since nobody else can see it.
#include "c/lower/lower_private.h"

// ---- Bits

// The chunk of so many bytes; false if an object of that size needs the library.
static bool chunk_of_size(const Lower *lower, uint64_t size, Chunk *chunk) {
    *chunk = size == 1 ? CHUNK_U8 : size == 2 ? CHUNK_U16 : size == 4 ? CHUNK_I32 : CHUNK_I64;
    return size == chunk_size(*chunk) && size <= lower->types->language->model.largest_lock_free;
}

// The chunk in which a scalar is accessed, extended as its type says.
static bool atomic_chunk(const Lower *lower, const CType *type, Chunk *chunk) {
    if (!chunk_of_size(lower, type->size, chunk)) return false;
    if (type_is_int(lower_type(type))) *chunk = chunk_of(type);
    return true;
}

static Operand to_bits(Lower *lower, Operand value) {
    if (value.type == TYPE_F32) return emit_unary(lower, OP_BITS_I32_F32, value, NO_REG);
    if (value.type == TYPE_F64) return emit_unary(lower, OP_BITS_I64_F64, value, NO_REG);
    return value;
}

static Operand from_bits(Lower *lower, Operand bits, Type type, Reg dest) {
    if (type == TYPE_F32) return emit_unary(lower, OP_BITS_F32_I32, bits, dest);
    if (type == TYPE_F64) return emit_unary(lower, OP_BITS_F64_I64, bits, dest);
    return bits;
}

// ---- The library

// Calls a function of libatomic; TYPE_VOID: it has no result.
static Operand call_function(Lower *lower, const char *name, const Operand *args, uint32_t count,
                             Type result) {
    Program *program = lower->program;
    Reg regs[8];
    PType types[8];
    for (uint32_t i = 0; i < count; i++) {
        regs[i] = operand_in_reg(lower, args[i]);
        types[i] = PTYPE_OF(args[i].type);
    }
    Sig sig = program_sig(program,
                          (SigInfo){.result = result == TYPE_VOID ? PTYPE_VOID : PTYPE_OF(result),
                                    .param_count = count,
                                    .fixed_count = count,
                                    .params = types});
    Sym symbol = program_symbol(program, str_of(&program->strings, name), SYM_FUNC);
    if (program_at(program, symbol)->sig.i == NO_ID) program_at(program, symbol)->sig = sig;
    Reg to = result == TYPE_VOID ? NO_REG : reg_new(lower, result);
    emit_call(lower, symbol, sig, to, regs, count);
    return result == TYPE_VOID ? NO_OPERAND : operand_reg(lower, to);
}

// The same; a result is _Bool.
static Operand call_library(Lower *lower, const char *name, const Operand *args, uint32_t count,
                            bool result) {
    Operand value = call_function(lower, name, args, count, result ? TYPE_I32 : TYPE_VOID);
    return result ? emit_unary(lower, OP_ZEXT8_I32, value, NO_REG) : value;
}

static Operand address_of(Lower *lower, const Spot *place) {
    return emit_address(lower, place, NO_REG);
}

// The memory order as the library knows it.
static Operand library_order(MemoryOrder order) {
    static const int64_t numbers[ORDER_COUNT] = {0, 2, 3, 4, 5};
    return operand_int(TYPE_I32, numbers[order]);
}

// The result of a library function has garbage above the bytes of its type.
static Operand as_chunk(Lower *lower, Operand value, Chunk chunk) {
    Op extension = chunk_extension(chunk);
    return extension == OP_COUNT ? value : emit_unary(lower, extension, value, NO_REG);
}

// __atomic_compare_exchange_N(object, expected, desired, order, order): yields what was found.
static Operand call_swap(Lower *lower, const char *name, const Spot *object, Chunk chunk,
                         MemoryOrder order, MemoryOrder failure, const Operand *values) {
    Slot slot = slot_new(lower, chunk_size(chunk), chunk_size(chunk), (Str){0});
    Spot expected = spot_of_slot(slot);
    emit_store(lower, &expected, chunk, values[0]);
    Operand args[] = {address_of(lower, object), address_of(lower, &expected), values[1],
                      library_order(order), library_order(failure)};
    call_library(lower, name, args, 5, true);
    return emit_load(lower, &expected, chunk, NO_REG);
}

// An atomic operation: by an instruction, or, with -fno-inline-atomics, by the function of
// libatomic for its size.
typedef struct {
    const Spot *object;
    Chunk chunk;
    MemoryOrder order, failure;
    bool in_place; // as in Expr
} AtomicUse;

static Operand emit_use(Lower *lower, Builtin builtin, const AtomicUse *use, const Operand *values,
                        uint32_t count, Reg dest) {
    static const char *const names[] = {
        [BI_ATOMIC_LOAD] = "load",         [BI_ATOMIC_STORE] = "store",
        [BI_ATOMIC_ADD] = "fetch_add",     [BI_ATOMIC_SUB] = "fetch_sub",
        [BI_ATOMIC_AND] = "fetch_and",     [BI_ATOMIC_OR] = "fetch_or",
        [BI_ATOMIC_XOR] = "fetch_xor",     [BI_ATOMIC_NAND] = "fetch_nand",
        [BI_ATOMIC_EXCHANGE] = "exchange", [BI_ATOMIC_COMPARE] = "compare_exchange"};
    if (!lower->library_atomics || use->in_place)
        return emit_atomic(lower, builtin, use->object, use->chunk, use->order, values, count,
                           dest);
    const char *name = arena_printf(lower->arena, "__atomic_%s_%u", names[builtin],
                                    (unsigned)chunk_size(use->chunk));
    if (builtin == BI_ATOMIC_COMPARE)
        return call_swap(lower, name, use->object, use->chunk, use->order, use->failure, values);
    Operand args[3] = {address_of(lower, use->object)};
    for (uint32_t i = 0; i < count; i++) args[1 + i] = values[i];
    args[1 + count] = library_order(use->order);
    Type result = builtin == BI_ATOMIC_STORE ? TYPE_VOID : chunk_type(use->chunk);
    Operand value = call_function(lower, name, args, count + 2, result);
    if (result == TYPE_VOID) return value;
    value = as_chunk(lower, value, use->chunk);
    if (dest.i == NO_ID) return value;
    emit_move(lower, dest, value);
    return operand_reg(lower, dest);
}

static Operand use_object(Lower *lower, Builtin builtin, const Spot *object, Chunk chunk,
                          MemoryOrder order, const Operand *values, uint32_t count, Reg dest) {
    AtomicUse use = {.object = object, .chunk = chunk, .order = order, .failure = ORDER_SEQ_CST};
    return emit_use(lower, builtin, &use, values, count, dest);
}

// __atomic_load(size, object, to, order) or __atomic_store(size, object, from, order)
static void call_copy(Lower *lower, const char *name, const Spot *object, const Spot *other,
                      uint64_t size, MemoryOrder order) {
    Operand args[] = {operand_int(TYPE_I64, (int64_t)size), address_of(lower, object),
                      address_of(lower, other), library_order(order)};
    call_library(lower, name, args, 4, false);
}

static Operand call_compare(Lower *lower, const Spot *object, const Spot *expected,
                            const Spot *desired, uint64_t size, MemoryOrder order,
                            MemoryOrder failure) {
    Operand args[] = {operand_int(TYPE_I64, (int64_t)size),
                      address_of(lower, object),
                      address_of(lower, expected),
                      address_of(lower, desired),
                      library_order(order),
                      library_order(failure)};
    return call_library(lower, "__atomic_compare_exchange", args, 6, true);
}

// ---- Objects of any type as bytes

static void copy_load(Lower *lower, const Spot *object, const Spot *to, uint64_t size,
                      MemoryOrder order) {
    Chunk chunk;
    if (!chunk_of_size(lower, size, &chunk))
        call_copy(lower, "__atomic_load", object, to, size, order);
    else
        emit_store(lower, to, chunk,
                   use_object(lower, BI_ATOMIC_LOAD, object, chunk, order, NULL, 0, NO_REG));
}

static void copy_store(Lower *lower, const Spot *object, const Spot *from, uint64_t size,
                       MemoryOrder order) {
    Chunk chunk;
    if (!chunk_of_size(lower, size, &chunk)) {
        call_copy(lower, "__atomic_store", object, from, size, order);
        return;
    }
    Operand value = emit_load(lower, from, chunk, NO_REG);
    use_object(lower, BI_ATOMIC_STORE, object, chunk, order, &value, 1, NO_REG);
}

static void copy_exchange(Lower *lower, const Spot *object, const Spot *from, const Spot *to,
                          uint64_t size, MemoryOrder order) {
    Chunk chunk;
    if (!chunk_of_size(lower, size, &chunk)) {
        Operand args[] = {operand_int(TYPE_I64, (int64_t)size), address_of(lower, object),
                          address_of(lower, from), address_of(lower, to), library_order(order)};
        call_library(lower, "__atomic_exchange", args, 5, false);
        return;
    }
    Operand value = emit_load(lower, from, chunk, NO_REG);
    emit_store(lower, to, chunk,
               use_object(lower, BI_ATOMIC_EXCHANGE, object, chunk, order, &value, 1, NO_REG));
}

// Compares with the contents of `expected` and stores the desired bits, or puts the found bits
// there.
static Operand compare_exchange(Lower *lower, const AtomicUse *use, const Spot *expected,
                                Operand desired) {
    Chunk chunk = use->chunk;
    Operand values[] = {emit_load(lower, expected, chunk, NO_REG), desired};
    Operand found = emit_use(lower, BI_ATOMIC_COMPARE, use, values, 2, NO_REG);
    Operand equal = emit_binary(lower, op_of(FAM_EQ, found.type), found, values[0], NO_REG);
    Label differs = label_new(lower), end = label_new(lower);
    emit_branch(lower, OP_NE_I32, equal, operand_int(TYPE_I32, 0), end, differs);
    label_place(lower, differs);
    emit_store(lower, expected, chunk, found);
    label_place(lower, end);
    return equal;
}

static Operand copy_compare(Lower *lower, const Spot *object, const Spot *expected,
                            const Spot *desired, uint64_t size, MemoryOrder order,
                            MemoryOrder failure) {
    Chunk chunk;
    if (!chunk_of_size(lower, size, &chunk))
        return call_compare(lower, object, expected, desired, size, order, failure);
    AtomicUse use = {.object = object, .chunk = chunk, .order = order, .failure = failure};
    return compare_exchange(lower, &use, expected, emit_load(lower, desired, chunk, NO_REG));
}

// ---- _Atomic objects

// The same place without anything atomic, for what the library does.
static Spot plain(Spot place) {
    place.is_atomic = false;
    return place;
}

Operand atomic_read(Lower *lower, const Spot *place, const CType *type, Reg dest) {
    Chunk chunk;
    if (!atomic_chunk(lower, type, &chunk)) {
        Spot copy = spot_temporary(lower, type);
        copy_load(lower, place, &copy, type->size, ORDER_SEQ_CST);
        return spot_read(lower, &copy, type, dest);
    }
    bool direct = type_is_int(lower_type(type));
    Operand bits = use_object(lower, BI_ATOMIC_LOAD, place, chunk, ORDER_SEQ_CST, NULL, 0,
                              direct ? dest : NO_REG);
    return from_bits(lower, bits, lower_type(type), dest);
}

void atomic_write(Lower *lower, const Spot *place, const CType *type, Operand value) {
    Chunk chunk;
    if (!atomic_chunk(lower, type, &chunk)) {
        Spot copy = spot_temporary(lower, type);
        spot_write(lower, &copy, type, value);
        copy_store(lower, place, &copy, type->size, ORDER_SEQ_CST);
        return;
    }
    Operand bits = to_bits(lower, value);
    use_object(lower, BI_ATOMIC_STORE, place, chunk, ORDER_SEQ_CST, &bits, 1, NO_REG);
}

Spot atomic_read_record(Lower *lower, const Spot *place, const CType *type) {
    if (type->size == 0) return plain(*place);
    Spot copy = spot_temporary(lower, type);
    copy_load(lower, place, &copy, type->size, ORDER_SEQ_CST);
    return copy;
}

void atomic_write_record(Lower *lower, const Spot *place, const Spot *from, const CType *type) {
    if (type->size) copy_store(lower, place, from, type->size, ORDER_SEQ_CST);
}

// ---- Updates: op=, ++ and --

static bool is_step(const Expr *expr) {
    return expr->kind != EX_ASSIGN_OP;
}

// The builtin that does an update of an integer or pointer at once; BI_COUNT if none does. The
// builtin works on the low bits, which do not depend on the type in which C computes.
static Builtin direct_builtin(const Expr *expr) {
    const CType *type = type_scalar(expr->left->type);
    if (type->kind == CT_BOOL || type->kind == CT_HALF || !type_is_int(lower_type(type)))
        return BI_COUNT;
    if (is_step(expr)) return BI_ATOMIC_ADD;
    if (!type_is_int(lower_type(expr->compute))) return BI_COUNT;
    switch (expr->op) {
    case BIN_ADD:
    case BIN_PTR_ADD: return BI_ATOMIC_ADD;
    case BIN_SUB:
    case BIN_PTR_SUB: return BI_ATOMIC_SUB;
    case BIN_AND: return BI_ATOMIC_AND;
    case BIN_OR: return BI_ATOMIC_OR;
    case BIN_XOR: return BI_ATOMIC_XOR;
    default: return BI_COUNT;
    }
}

// The operand of the builtin: the right operand as a value of the object's type, or bytes.
static Operand direct_operand(Lower *lower, const Expr *expr, Operand right) {
    const CType *type = type_scalar(expr->left->type);
    bool down = expr->kind == EX_PRE_DEC || expr->kind == EX_POST_DEC;
    if (is_step(expr)) return step_amount(lower, expr, type, down);
    if (expr->op == BIN_PTR_ADD || expr->op == BIN_PTR_SUB)
        return emit_binary(lower, OP_MUL_I64, right, lower_element_size(lower, type), NO_REG);
    return lower_convert(lower, right, expr->compute, type, NO_REG);
}

// A loop: computes the new value from the old one, tries to exchange them. Yields the old one's
// bits.
static Operand update_in_loop(Lower *lower, const Expr *expr, const Spot *place, Operand right,
                              Chunk chunk) {
    const CType *type = expr->left->type;
    Reg current = reg_new(lower, chunk_type(chunk));
    use_object(lower, BI_ATOMIC_LOAD, place, chunk, ORDER_SEQ_CST, NULL, 0, current);
    Label again = label_new(lower), failed = label_new(lower), done = label_new(lower);
    label_place(lower, again);
    Operand bits = operand_reg(lower, current);
    Operand old = from_bits(lower, bits, lower_type(type), NO_REG);
    Operand value = to_bits(lower, updated_value(lower, expr, old, right, NO_REG));
    Operand values[] = {bits, value};
    Operand found =
        use_object(lower, BI_ATOMIC_COMPARE, place, chunk, ORDER_SEQ_CST, values, 2, NO_REG);
    emit_branch(lower, op_of(FAM_EQ, found.type), found, bits, done, failed);
    label_place(lower, failed);
    emit_move(lower, current, found);
    emit_jump(lower, again);
    label_place(lower, done);
    return bits;
}

AtomicLoop atomic_loop_begin(Lower *lower, const Spot *place, const CType *type) {
    AtomicLoop loop = {.object = *place,
                       .expected = spot_temporary(lower, type),
                       .desired = spot_temporary(lower, type),
                       .size = type->size,
                       .again = label_new(lower)};
    copy_load(lower, place, &loop.expected, loop.size, ORDER_SEQ_CST);
    label_place(lower, loop.again);
    spot_copy(lower, &loop.desired, &loop.expected, loop.size); // with what is between the parts
    return loop;
}

void atomic_loop_end(Lower *lower, const AtomicLoop *loop) {
    Label done = label_new(lower);
    Operand equal = copy_compare(lower, &loop->object, &loop->expected, &loop->desired, loop->size,
                                 ORDER_SEQ_CST, ORDER_SEQ_CST);
    emit_branch(lower, OP_NE_I32, equal, operand_int(TYPE_I32, 0), done, loop->again);
    label_place(lower, done);
}

// The same for an object that only the library can access.
static Operand update_by_library(Lower *lower, const Expr *expr, const Spot *place, Operand right) {
    const CType *type = expr->left->type;
    AtomicLoop loop = atomic_loop_begin(lower, place, type);
    Operand old = spot_read(lower, &loop.expected, type, NO_REG);
    spot_write(lower, &loop.desired, type, updated_value(lower, expr, old, right, NO_REG));
    atomic_loop_end(lower, &loop);
    return old;
}

Operand atomic_update(Lower *lower, const Expr *expr, const Spot *where, Operand right,
                      bool wanted) {
    const CType *type = expr->left->type;
    Spot place = spot_simple(lower, *where);
    Builtin builtin = direct_builtin(expr);
    Operand old;
    Chunk chunk;
    if (!atomic_chunk(lower, type, &chunk)) {
        old = update_by_library(lower, expr, &place, right);
    } else if (builtin == BI_COUNT) {
        old = update_in_loop(lower, expr, &place, right, chunk);
    } else {
        Operand operand = direct_operand(lower, expr, right);
        old = use_object(lower, builtin, &place, chunk, ORDER_SEQ_CST, &operand, 1, NO_REG);
    }
    if (!wanted) return NO_OPERAND;
    if (type_is_int(old.type)) old = from_bits(lower, old, lower_type(type), NO_REG);
    bool post = expr->kind == EX_POST_INC || expr->kind == EX_POST_DEC;
    return post ? old : updated_value(lower, expr, old, right, NO_REG);
}

// ---- Builtin functions

// The target of a pointer argument.
static Spot pointee(Lower *lower, const Expr *pointer) {
    Spot place = lower_pointee(lower, pointer);
    place.is_volatile = pointer->type->base->quals & Q_VOLATILE;
    return spot_simple(lower, place);
}

static Operand value_of(Lower *lower, const Expr *expr) {
    return operand_reg(lower, lower_in_reg(lower, expr));
}

static Builtin fetch_builtin(const Expr *expr) {
    switch (expr->builtin) {
    case CB_ATOMIC_FETCH_ADD:
    case CB_ATOMIC_ADD_FETCH: return BI_ATOMIC_ADD;
    case CB_ATOMIC_FETCH_SUB:
    case CB_ATOMIC_SUB_FETCH: return BI_ATOMIC_SUB;
    case CB_ATOMIC_FETCH_AND:
    case CB_ATOMIC_AND_FETCH: return BI_ATOMIC_AND;
    case CB_ATOMIC_FETCH_OR:
    case CB_ATOMIC_OR_FETCH: return BI_ATOMIC_OR;
    case CB_ATOMIC_FETCH_XOR:
    case CB_ATOMIC_XOR_FETCH: return BI_ATOMIC_XOR;
    default: return BI_ATOMIC_NAND;
    }
}

// The new value after fetch-and-operate, from the old one.
static Operand fetched(Lower *lower, Builtin builtin, const CType *type, Operand old, Operand value,
                       Reg dest) {
    const CType *wide = lower->types->basic[old.type == TYPE_I64 ? CT_LONG : CT_INT];
    Op op = op_of(builtin_combines(builtin), old.type);
    Operand result = emit_binary(lower, op, old, value, NO_REG);
    if (builtin == BI_ATOMIC_NAND)
        result = emit_unary(lower, op_of(FAM_NOT, old.type), result, NO_REG);
    return lower_convert(lower, result, wide, type, dest);
}

static Operand lower_fetch(Lower *lower, const Expr *expr, const Spot *object, MemoryOrder order,
                           Reg dest) {
    bool new_value = expr->builtin >= CB_ATOMIC_ADD_FETCH;
    Builtin builtin = fetch_builtin(expr);
    Operand value = value_of(lower, expr->args[1]);
    emit_at_expr(lower, expr);
    AtomicUse use = {.object = object,
                     .chunk = chunk_of(expr->type),
                     .order = order,
                     .in_place = expr->in_place};
    Operand old = emit_use(lower, builtin, &use, &value, 1, new_value ? NO_REG : dest);
    return new_value ? fetched(lower, builtin, expr->type, old, value, dest) : old;
}

static Operand lower_swap(Lower *lower, const Expr *expr, const AtomicUse *use, Reg dest) {
    Operand values[] = {value_of(lower, expr->args[1]), value_of(lower, expr->args[2])};
    emit_at_expr(lower, expr);
    bool yields_old = expr->builtin == CB_ATOMIC_SWAP;
    Operand old = emit_use(lower, BI_ATOMIC_COMPARE, use, values, 2, yields_old ? dest : NO_REG);
    if (yields_old) return old;
    return emit_binary(lower, op_of(FAM_EQ, old.type), old, values[0], dest);
}

// Builtins that work on a value of the object's type.
static Operand lower_on_value(Lower *lower, const Expr *expr, MemoryOrder order, Reg dest) {
    Spot object = pointee(lower, expr->args[0]);
    AtomicUse use = {.object = &object,
                     .chunk = chunk_of(expr->args[0]->type->base),
                     .order = order,
                     .failure = ORDER_SEQ_CST,
                     .in_place = expr->in_place};
    switch (expr->builtin) {
    case CB_ATOMIC_LOAD:
        emit_at_expr(lower, expr);
        return emit_use(lower, BI_ATOMIC_LOAD, &use, NULL, 0, dest);
    case CB_ATOMIC_STORE:
    case CB_ATOMIC_EXCHANGE: {
        Operand value = value_of(lower, expr->args[1]);
        bool store = expr->builtin == CB_ATOMIC_STORE;
        emit_at_expr(lower, expr);
        return emit_use(lower, store ? BI_ATOMIC_STORE : BI_ATOMIC_EXCHANGE, &use, &value, 1, dest);
    }
    case CB_ATOMIC_SWAP:
    case CB_ATOMIC_SWAPPED: return lower_swap(lower, expr, &use, dest);
    case CB_ATOMIC_COMPARE_EXCHANGE: {
        Spot expected = pointee(lower, expr->args[1]);
        Operand desired = value_of(lower, expr->args[2]);
        emit_at_expr(lower, expr);
        use.failure = (MemoryOrder)expr->args[3]->integer;
        return compare_exchange(lower, &use, &expected, desired);
    }
    default: return lower_fetch(lower, expr, &object, order, dest);
    }
}

// Builtins that copy bytes.
static Operand lower_on_bytes(Lower *lower, const Expr *expr, MemoryOrder order) {
    uint64_t size = expr->args[0]->type->base->size;
    Spot object = pointee(lower, expr->args[0]), other = pointee(lower, expr->args[1]), third;
    if (expr->arg_count > 3) third = pointee(lower, expr->args[2]);
    emit_at_expr(lower, expr);
    switch (expr->builtin) {
    case CB_ATOMIC_COPY_LOAD: copy_load(lower, &object, &other, size, order); break;
    case CB_ATOMIC_COPY_STORE: copy_store(lower, &object, &other, size, order); break;
    case CB_ATOMIC_COPY_EXCHANGE: copy_exchange(lower, &object, &other, &third, size, order); break;
    default: {
        MemoryOrder failure = (MemoryOrder)expr->args[3]->integer;
        return copy_compare(lower, &object, &other, &third, size, order, failure);
    }
    }
    return NO_OPERAND;
}

// ---- Builtin functions on integers of 128 bits, which only the library can access

static Spot temporary_of(Lower *lower, const Expr *value) {
    Spot copy = spot_temporary(lower, value->type);
    wide_write(lower, &copy, lower_expr(lower, value, NO_REG));
    return copy;
}

static Operand lower_wide_fetch(Lower *lower, const Expr *expr, const Spot *object) {
    static const uint8_t operators[] = {
        [BI_ATOMIC_ADD] = BIN_ADD, [BI_ATOMIC_SUB] = BIN_SUB, [BI_ATOMIC_AND] = BIN_AND,
        [BI_ATOMIC_OR] = BIN_OR,   [BI_ATOMIC_XOR] = BIN_XOR, [BI_ATOMIC_NAND] = BIN_AND};
    Builtin builtin = fetch_builtin(expr);
    Operand value = lower_expr(lower, expr->args[1], NO_REG);
    emit_at_expr(lower, expr);
    AtomicLoop loop = atomic_loop_begin(lower, object, expr->type);
    Operand old = wide_read(lower, &loop.expected, expr->type);
    Operand changed = wide_operator(lower, (BinaryOp)operators[builtin], expr->type, old, value);
    if (builtin == BI_ATOMIC_NAND) changed = wide_unary(lower, EX_NOT, changed);
    wide_write(lower, &loop.desired, changed);
    atomic_loop_end(lower, &loop);
    return expr->builtin >= CB_ATOMIC_ADD_FETCH ? changed : old;
}

static Operand lower_wide_swap(Lower *lower, const Expr *expr, const Spot *object,
                               MemoryOrder order) {
    bool in_place = expr->builtin == CB_ATOMIC_COMPARE_EXCHANGE;
    Spot expected = in_place ? pointee(lower, expr->args[1]) : temporary_of(lower, expr->args[1]);
    Spot desired = temporary_of(lower, expr->args[2]);
    emit_at_expr(lower, expr);
    Operand equal = copy_compare(lower, object, &expected, &desired, 16, order, ORDER_SEQ_CST);
    return expr->builtin == CB_ATOMIC_SWAP ? wide_read(lower, &expected, expr->type) : equal;
}

static Operand lower_on_wide(Lower *lower, const Expr *expr, MemoryOrder order) {
    Spot object = pointee(lower, expr->args[0]), copy, old;
    switch (expr->builtin) {
    case CB_ATOMIC_LOAD:
        emit_at_expr(lower, expr);
        copy = spot_temporary(lower, expr->type);
        copy_load(lower, &object, &copy, 16, order);
        return wide_read(lower, &copy, expr->type);
    case CB_ATOMIC_STORE:
        copy = temporary_of(lower, expr->args[1]);
        emit_at_expr(lower, expr);
        copy_store(lower, &object, &copy, 16, order);
        return NO_OPERAND;
    case CB_ATOMIC_EXCHANGE:
        copy = temporary_of(lower, expr->args[1]);
        emit_at_expr(lower, expr);
        old = spot_temporary(lower, expr->type);
        copy_exchange(lower, &object, &copy, &old, 16, order);
        return wide_read(lower, &old, expr->type);
    case CB_ATOMIC_SWAP:
    case CB_ATOMIC_SWAPPED:
    case CB_ATOMIC_COMPARE_EXCHANGE: return lower_wide_swap(lower, expr, &object, order);
    default: return lower_wide_fetch(lower, expr, &object);
    }
}

Operand lower_atomic_builtin(Lower *lower, const Expr *expr, Reg dest) {
    if (expr->builtin == CB_ATOMIC_IS_LOCK_FREE) {
        Operand args[] = {value_of(lower, expr->args[0]), value_of(lower, expr->args[1])};
        emit_at_expr(lower, expr);
        return call_library(lower, "__atomic_is_lock_free", args, 2, true);
    }
    MemoryOrder order = (MemoryOrder)expr->args[expr->arg_count - 1]->integer;
    if (expr->builtin == CB_ATOMIC_FENCE || expr->builtin == CB_ATOMIC_SIGNAL_FENCE) {
        bool signal = expr->builtin == CB_ATOMIC_SIGNAL_FENCE;
        if (order != ORDER_RELAXED) emit_fence(lower, signal ? BI_SIGNAL_FENCE : BI_FENCE, order);
        return NO_OPERAND;
    }
    if (expr->builtin >= CB_ATOMIC_COPY_LOAD) return lower_on_bytes(lower, expr, order);
    if (type_is_wide(expr->args[0]->type->base)) return lower_on_wide(lower, expr, order);
    return lower_on_value(lower, expr, order, dest);
}
