#include "analysis/float_raises.h"

// Whether a value is a NaN or, with `infinite`, an infinity.
static bool is_special(Type type, Value value, bool infinite) {
    bool special, some;
    switch (type) {
    case TYPE_F32:
        special = (value.bits >> 23 & 0xff) == 0xff;
        some = (value.bits & 0x7fffff) != 0;
        break;
    case TYPE_F64:
        special = (value.bits >> 52 & 0x7ff) == 0x7ff;
        some = value.bits << 12 != 0;
        break;
    case TYPE_F80:
        special = (value.high & 0x7fff) == 0x7fff;
        some = value.bits << 1 != 0;
        break;
    default: return false;
    }
    return special && some != infinite;
}

static bool is_nan(Type type, Value value) {
    return is_special(type, value, false);
}

static bool is_infinite(Type type, Value value) {
    return is_special(type, value, true);
}

// A quiet NaN among the operands makes a NaN without an exception. Else a NaN comes from an invalid
// operation, and an infinity that is made of finite numbers from an overflow or a division by zero.
bool op_raises(Op op, const Value *operand, Value result) {
    const OpInfo *info = op_info(op);
    Type type = info->operand[0];
    bool nan = false, infinite = false;
    for (uint32_t i = 0; i < info->arity; i++) {
        nan |= is_nan(info->operand[i], operand[i]);
        infinite |= is_infinite(info->operand[i], operand[i]);
    }
    switch (op_family(op)) {
    case FAM_ADD:
    case FAM_SUB:
    case FAM_MUL:
    case FAM_DIV:
    case FAM_SQRT:
        return !nan && (is_nan(type, result) || (is_infinite(type, result) && !infinite));
    case FAM_MIN:
    case FAM_MAX: return nan;
    default: return nan && op_signals(op);
    }
}
