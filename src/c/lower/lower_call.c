// Lowers calls. The function's type gives the signature of a call, with the types of variable
// arguments added; without a prototype, the arguments give the signature. A result in memory is
// returned through a hidden first argument, the address of the result.
#include "c/lower/lower_private.h"

#include <string.h>

typedef struct {
    Reg *regs;
    PType *types;
    uint32_t count, fixed; // registers include the callee's address, if there is one
    uint32_t type_count;
} LoweredArguments;

// The function that is called by name, or NULL.
static Decl *called_function(const Expr *callee) {
    for (;;) {
        bool function = callee->left && callee->left->type->kind == CT_FUNC;
        bool pointer = callee->kind == EX_CAST && callee->left->type->kind == CT_POINTER &&
                       (callee->cast == CAST_POINTER || callee->cast == CAST_SAME);
        if (callee->kind == EX_FUNC) return callee->decl;
        if (pointer || (function && (callee->kind == EX_CAST || callee->kind == EX_ADDR)) ||
            (callee->kind == EX_DEREF && callee->type->kind == CT_FUNC))
            callee = callee->left;
        else
            return NULL;
    }
}

// A scalar in the register in which it is passed.
static Reg passed_scalar(Lower *lower, const CType *type, Operand value) {
    return operand_in_reg(lower, type->kind == CT_HALF ? half_as_passed(lower, value) : value);
}

static void add_argument(LoweredArguments *args, PType type, Reg reg) {
    args->types[args->type_count++] = type;
    args->regs[args->count++] = reg;
}

// One argument. A transparent union is passed as its first member would be, an empty record not at
// all.
static void lower_argument(Lower *lower, LoweredArguments *args, const Expr *expr) {
    CType *passed = type_passed(expr->type);
    PType type = ptype_of(lower, passed, false);
    if (type.i == PTYPE_VOID.i) {
        lower_effect(lower, expr);
    } else if (type_is_complex(expr->type)) {
        Spot place = complex_in_memory(lower, expr);
        add_argument(args, type, spot_address(lower, &place));
    } else if (!type_is_record(expr->type)) {
        Operand value = lower_expr(lower, expr, NO_REG);
        if (value.type == TYPE_WIDE)
            add_argument(args, type, wide_in_memory(lower, value));
        else if (value.type != TYPE_VOID)
            add_argument(args, type, passed_scalar(lower, expr->type, value));
    } else {
        Spot place = lower_record(lower, expr);
        if (expr->type->record->size_var) { // passed by the address of a copy
            Spot copy = spot_temporary(lower, expr->type);
            record_copy(lower, &copy, &place, expr->type);
            place = copy;
        }
        Reg reg = passed_as_aggregate(passed) || lower_type(passed) == TYPE_WIDE
                      ? spot_address(lower, &place)
                      : passed_scalar(lower, passed, spot_read(lower, &place, passed, NO_REG));
        add_argument(args, type, reg);
    }
}

static void lower_arguments(Lower *lower, LoweredArguments *args, const Expr *call,
                            const CType *func) {
    for (uint32_t i = 0; i < call->arg_count; i++) {
        uint32_t before = lower->f->nodes.count;
        lower_argument(lower, args, call->args[i]);
        bool loaded = call->args[i]->kind == EX_CAST && call->args[i]->cast == CAST_ARITHMETIC;
        coverage_belongs(lower, loaded ? before + 1 : before, call->args[i], call->pos);
        if (!func->func.prototype || i < func->func.param_count) args->fixed = args->type_count;
    }
}

static Operand call_result(Lower *lower, const CType *type, Reg result, Reg dest) {
    Operand value = operand_reg(lower, result);
    type = type_scalar(type);
    if (type->kind == CT_HALF) return half_that_arrives(lower, value, dest);
    if (type->kind == CT_BOOL) return emit_unary(lower, OP_ZEXT8_I32, value, dest);
    // The convention leaves open what is above the bits of a narrow result.
    if (type->size < 4) return lower_convert(lower, value, lower->types->basic[CT_INT], type, dest);
    return value;
}

static bool never_returns(const Decl *callee, const CType *func) {
    return func->func.noreturn || (callee && (callee->is_noreturn || callee->attributes->noreturn));
}

// Arguments that are not passed, as empty records, have no register.
static void check_arguments(Lower *lower, const Decl *callee, const Expr *call, const Reg *regs,
                            uint32_t count) {
    for (uint32_t i = 0; i < call->arg_count && count == call->arg_count; i++)
        sanitize_argument(lower, callee, i, call->args[i], regs[i]);
}

Operand lower_call(Lower *lower, const Expr *expr, bool wanted, const Spot *into, Reg dest) {
    const CType *func = expr->left->type->base;
    Decl *callee = called_function(expr->left);
    LoweredArguments args = {.regs = ARENA_ARRAY(lower->scratch, Reg, (size_t)expr->arg_count + 3),
                             .types =
                                 ARENA_ARRAY(lower->scratch, PType, (size_t)expr->arg_count + 1)};
    SigInfo sig = {.result = ptype_of(lower, func->base, true),
                   .variadic = func->func.variadic,
                   .c_type = class_of_function(lower, func)};
    if (!callee) args.regs[args.count++] = lower_in_reg(lower, expr->left);
    Reg address = NO_REG;
    bool in_memory = result_in_memory(lower, func->base);
    if (in_memory) {
        address = spot_address(lower, into);
        if (into->base == BASE_SLOT) mark_buffer(lower, (Slot){into->ref}, BUFFER_SHARED);
        sig.result = PTYPE_OF(TYPE_I64);
        add_argument(&args, PTYPE_OF(TYPE_I64), address);
        args.fixed = 1;
    }
    uint32_t first = args.count;
    lower_arguments(lower, &args, expr, func);
    emit_at_expr(lower, expr);
    if (lower->checks) check_arguments(lower, callee, expr, args.regs + first, args.count - first);
    Type type = lower_type(func->base);
    bool wide = type == TYPE_WIDE;
    Spot temporary = {0};
    if (wide) temporary = spot_temporary(lower, func->base);
    if (wide) into = &temporary;
    if (wide || (passed_as_aggregate(func->base) && !in_memory && func->base->size))
        args.regs[args.count++] = spot_address(lower, into);
    sig.params = args.types;
    sig.param_count = args.type_count;
    sig.fixed_count = sig.variadic ? args.fixed : args.type_count;
    Reg result = NO_REG;
    if (wanted && type != TYPE_VOID && !wide) {
        bool narrow = type_scalar(func->base)->size < 4;
        result = reg_or_new(lower, narrow ? NO_REG : dest, type_as_passed(func->base));
    }
    Sym symbol =
        callee ? coverage_callee(lower, callee, lower_called_symbol(lower, callee)) : NO_SYM;
    Sig id = program_sig(lower->program, sig);
    if (callee) lower_note_callee(lower, symbol, callee);
    LibraryCall library = {.callee = callee,
                           .func = func,
                           .call = expr,
                           .symbol = symbol,
                           .sig = id,
                           .args = args.regs,
                           .result = result};
    if (lower_in_place(lower, &library)) {
        // no call is left, or one that seldom happens
    } else if (callee && (callee->attributes->call_error || callee->attributes->call_warning)) {
        lower_noted_call(lower, callee, symbol, id, result, args.regs, args.count);
    } else {
        emit_call(lower, symbol, id, result, args.regs, args.count);
        if (!never_returns(callee, func))
            coverage_call(lower, callee, callee && named_as_library(callee));
    }
    if (never_returns(callee, func)) emit_builtin(lower, BI_UNREACHABLE, NO_REG, NULL, 0, 0);
    if (wide) return wanted ? wide_read(lower, into, func->base) : NO_OPERAND;
    return result.i == NO_ID ? NO_OPERAND : call_result(lower, func->base, result, dest);
}
