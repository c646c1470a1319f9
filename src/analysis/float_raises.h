// Exceptions of floating-point arithmetic. No form has them: an operator is its value. A program
// can ask the machine for them all the same, so that transforms leave a constant operation where it
// is if it raises one.
#pragma once

#include "fact/eval.h"

// Whether computing an operator of these operands raises an exception other than that the result is
// rounded: an invalid operation, a division by zero or an overflow. Conversions are not looked at.
bool op_raises(Op op, const Value *operand, Value result);
