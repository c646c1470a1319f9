// Calls of functions of the C library that are done in place: square roots, signs, squares, and
// small blocks of memory that are copied, filled or compared.
#include "c/lower/lower_private.h"

#include <stdio.h>
#include <string.h>

// Whether a function is the function of the C library with this name.
static bool is_of_library(const LibraryCall *it, const char *name, uint32_t params) {
    const Decl *callee = it->callee;
    const CType *func = it->func;
    return callee && callee->external && !callee->defined && callee->name && !callee->asm_name &&
           func->func.prototype && func->func.param_count == params &&
           strcmp(callee->name->text, name) == 0;
}

// Whether -fno-builtin takes the function for any other.
static bool is_any_function(const Lower *lower, const Decl *callee) {
    for (uint32_t i = 0; callee && callee->name && i < lower->not_builtin_count; i++)
        if (strcmp(callee->name->text, lower->not_builtin[i]) == 0) return true;
    return lower->no_builtins;
}

// The same of a function of so many numbers of one floating type that the machine has in registers:
// by its name for double, to which an f is added for float.
static bool is_of_floats(const LibraryCall *it, const char *name, uint32_t params) {
    char narrow[16];
    Type type = lower_type(it->func->base);
    snprintf(narrow, sizeof narrow, "%sf", name);
    if (it->result.i == NO_ID || (type != TYPE_F64 && type != TYPE_F32) ||
        !type_is_floating(it->func->base) ||
        !is_of_library(it, type == TYPE_F64 ? name : narrow, params))
        return false;
    for (uint32_t i = 0; i < params; i++)
        if (lower_type(it->func->func.params[i].type) != type) return false;
    return true;
}

// ---- Floating point

// The root is computed in place; only if it is a NaN is the function called, which may set errno.
static void emit_square_root(Lower *lower, const LibraryCall *it) {
    Reg value = it->args[0], result = it->result;
    if (lower->no_math_errno) {
        emit_unary(lower, op_of(FAM_SQRT, reg_type(lower->f, value)), operand_reg(lower, value),
                   result);
        return;
    }
    Label call = label_new(lower), good = label_new(lower), end = label_new(lower);
    Type type = reg_type(lower->f, value);
    Reg root = reg_new(lower, type);
    emit_unary(lower, op_of(FAM_SQRT, type), operand_reg(lower, value), root);
    emit_branch(lower, op_of(FAM_UNO, type), operand_reg(lower, root), operand_reg(lower, root),
                call, good);
    label_place(lower, good);
    emit_move(lower, result, operand_reg(lower, root));
    emit_jump(lower, end);
    label_place(lower, call); // the result may be the variable that holds the argument
    emit_call(lower, it->symbol, it->sig, result, &value, 1);
    label_place(lower, end);
}

// The sign of the second number, and all other bits of the first.
static void emit_copysign(Lower *lower, const LibraryCall *it) {
    bool wide = reg_type(lower->f, it->args[0]) == TYPE_F64;
    Type type = wide ? TYPE_I64 : TYPE_I32;
    int64_t sign = wide ? INT64_MIN : INT32_MIN;
    Operand bits[2];
    for (int i = 0; i < 2; i++) {
        bits[i] = emit_unary(lower, wide ? OP_BITS_I64_F64 : OP_BITS_I32_F32,
                             operand_reg(lower, it->args[i]), NO_REG);
        bits[i] = emit_binary(lower, op_of(FAM_AND, type), bits[i],
                              operand_int(type, i ? sign : ~sign), NO_REG);
    }
    Operand both = emit_binary(lower, op_of(FAM_OR, type), bits[0], bits[1], NO_REG);
    emit_unary(lower, wide ? OP_BITS_F64_I64 : OP_BITS_F32_I32, both, it->result);
}

// Powers whose exponent is a small constant.
static bool emit_power(Lower *lower, const LibraryCall *it) {
    const Expr *exponent = it->call->args[1];
    Operand x = operand_reg(lower, it->args[0]);
    if (exponent->kind != EX_FLOAT) return false;
    if (exponent->floating == 1) {
        emit_move(lower, it->result, x);
    } else if (exponent->floating == 2) {
        emit_binary(lower, op_of(FAM_MUL, x.type), x, x, it->result);
    } else {
        return false;
    }
    return true;
}

// ---- Small blocks of memory

// The type of a number at a pointer that is written &object; NULL otherwise.
static const CType *number_at(const Expr *pointer) {
    while (pointer->kind == EX_CAST &&
           (pointer->cast == CAST_POINTER || pointer->cast == CAST_SAME))
        pointer = pointer->left;
    if (pointer->kind != EX_ADDR) return NULL;
    const CType *type = pointer->left->type;
    bool number = (type_is_integer(type) && type->kind != CT_BOOL) || type_is_floating(type);
    return number && type->size <= 8 && !type->quals ? type : NULL;
}

// A call that may be folded once its arguments are known.
static void note_late(Lower *lower, const LibraryCall *it, LateLibrary kind) {
    if (!lower->all_in_memory && !lower->coverage)
        map_set(lower->arena, &lower->library, it->symbol.i, kind);
}

// memcpy and memset of a few bytes are done in place. Bytes that go to a number, or come from one,
// are read and written as that number.
static bool emit_small_block(Lower *lower, const LibraryCall *it) {
    enum { LARGEST = 128 };
    const CType *func = it->func;
    const Expr *call = it->call;
    const Reg *args = it->args;
    bool copies = is_of_library(it, "memcpy", 3);
    if (!copies && !is_of_library(it, "memset", 3)) return false;
    // It may be declared otherwise.
    if (lower_type(func->func.params[0].type) != TYPE_I64 ||
        lower_type(func->func.params[1].type) != (copies ? TYPE_I64 : TYPE_I32))
        return false;
    const Expr *size = call->args[2];
    if (size->kind != EX_INT) note_late(lower, it, copies ? LIBRARY_COPY : LIBRARY_FILL);
    if (size->kind != EX_INT || size->integer == 0 || size->integer > LARGEST) return false;
    const CType *number = copies ? number_at(call->args[0]) : NULL;
    if (copies && !number) number = number_at(call->args[1]);
    if (number && number->size == size->integer) {
        Spot to = spot_of_reg(args[0]), from = spot_of_reg(args[1]);
        spot_write(lower, &to, number, spot_read(lower, &from, number, NO_REG));
    } else {
        emit_builtin(lower, copies ? BI_MEMCPY : BI_MEMSET, NO_REG, args, 2,
                     (int64_t)size->integer);
    }
    if (it->result.i != NO_ID) emit_move(lower, it->result, operand_reg(lower, args[0]));
    return true;
}

// A few bytes as a number, the first byte being the highest.
static Operand read_in_order(Lower *lower, Reg address, uint64_t size) {
    Spot place = spot_of_reg(address);
    Chunk chunk = size == 8 ? CHUNK_I64 : size == 4 ? CHUNK_I32 : size == 2 ? CHUNK_U16 : CHUNK_U8;
    Operand bytes = emit_load(lower, &place, chunk, NO_REG);
    return size == 1 ? bytes : emit_unary(lower, op_of(FAM_BSWAP, bytes.type), bytes, NO_REG);
}

// Whether a pointer is one to numbers, or characters. Records may have bytes that nobody has
// written, which memcmp may look at, whereas a load must not decide a branch by them.
static bool is_at_numbers(const Expr *pointer) {
    while (pointer->kind == EX_CAST && pointer->cast == CAST_POINTER) pointer = pointer->left;
    return pointer->type->kind == CT_POINTER && type_is_integer(pointer->type->base);
}

// memcmp of bytes that may turn out to be few.
static bool emit_late_comparison(Lower *lower, const LibraryCall *it) {
    enum { LARGEST = 16 };
    const Expr *size = it->call->args[2];
    if (lower->all_in_memory || (size->kind == EX_INT && size->integer > LARGEST)) return false;
    Sym asked =
        program_symbol(lower->program, str_of(&lower->program->strings, ".memcmp"), SYM_FUNC);
    if (program_at(lower->program, asked)->sig.i == NO_ID)
        program_at(lower->program, asked)->sig = it->sig;
    lower->compares_by = it->symbol;
    map_set(lower->arena, &lower->library, asked.i, LIBRARY_COMPARE);
    emit_call(lower, asked, it->sig, it->result, it->args, 3);
    return true;
}

// memcmp of as many bytes as a number has: the bytes are compared as numbers.
static bool emit_small_comparison(Lower *lower, const LibraryCall *it) {
    if (it->result.i == NO_ID || !is_of_library(it, "memcmp", 3) ||
        lower_type(it->func->base) != TYPE_I32 ||
        lower_type(it->func->func.params[0].type) != TYPE_I64 ||
        lower_type(it->func->func.params[1].type) != TYPE_I64 ||
        !is_at_numbers(it->call->args[0]) || !is_at_numbers(it->call->args[1]))
        return false;
    const Expr *size = it->call->args[2];
    bool fits = size->kind == EX_INT && size->integer <= 8 && size->integer &&
                !(size->integer & (size->integer - 1));
    if (!fits) return emit_late_comparison(lower, it);
    Operand a = read_in_order(lower, it->args[0], size->integer);
    Operand b = read_in_order(lower, it->args[1], size->integer);
    if (size->integer == 1) {
        emit_binary(lower, OP_SUB_I32, a, b, it->result);
        return true;
    }
    Operand above = emit_binary(lower, op_of(FAM_UGT, a.type), a, b, NO_REG);
    Operand below = emit_binary(lower, op_of(FAM_ULT, a.type), a, b, NO_REG);
    emit_binary(lower, OP_SUB_I32, above, below, it->result);
    return true;
}

bool lower_in_place(Lower *lower, const LibraryCall *it) {
    if (is_any_function(lower, it->callee)) return false;
    bool counted = lower->coverage; // a call is a block of its own
    if ((!counted || lower->no_math_errno) && is_of_floats(it, "sqrt", 1))
        return emit_square_root(lower, it), true;
    if (is_of_floats(it, "copysign", 2)) return emit_copysign(lower, it), true;
    if (!counted && is_of_floats(it, "pow", 2) && emit_power(lower, it)) return true;
    if (is_of_library(it, "strlen", 1) && lower_type(it->func->func.params[0].type) == TYPE_I64 &&
        lower_type(it->func->base) == TYPE_I64)
        note_late(lower, it, LIBRARY_LENGTH);
    return emit_small_block(lower, it) || (!counted && emit_small_comparison(lower, it));
}
