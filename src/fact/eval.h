// Evaluation of operators, by the rules of ops.def.
#pragma once

#include "form/ops.h"
#include "form/value.h"

// Evaluates an operator with register operands (not a constant or address) on values; unused
// operands are ignored. False if the step is wrong: an operation outside its domain, or a partial
// one on an undefined operand.
bool op_eval(Op op, Value a, Value b, Value c, Value *result);

// An immediate as a value of a type.
static inline Value value_immediate(Type type, int64_t imm) {
    return (Value){.bits = (uint64_t)imm & type_mask(type)};
}
