// Tells which operations raise exceptions of floating-point arithmetic. No form describes
// exceptions: an operator is its value. But a program can ask the machine for exceptions all the
// same. So transforms leave a constant operation in its place if the operation raises an exception.
#pragma once

#include "fact/eval.h"

// Whether computing an operator of these operands raises an exception other than that the result is
// rounded: an invalid operation, a division by zero or an overflow. Conversions are not looked at.
bool op_raises(Op op, const Value *operand, Value result);
