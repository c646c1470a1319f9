// Evaluation of operators, by the rules of ops.def.
#pragma once

#include "form/ops.h"
#include "form/value.h"

// Evaluates an operator with register operands (not a constant or address) on values; unused
// operands are ignored. False if the step is wrong: an operation outside its domain, or a partial
// one on an undefined operand.
bool op_eval(Op op, Value a, Value b, Value c, Value *result);

// Whether IEEE 60559 leaves open what an operator yields, so that machines differ: which NaN
// arithmetic and conversions make, and the integer that a float becomes which is none of the type.
// op_eval has one answer; the record of a machine tells whether it is the machine's
// (target/model.h).
bool op_is_open(Op op, const Value *operands, Value result);

// An immediate as a value of a type.
static inline Value value_immediate(Type type, int64_t imm) {
    return (Value){.bits = (uint64_t)imm & type_mask(type)};
}
