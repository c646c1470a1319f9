// Operators over numbers that stand for the values of registers: what value numberings compare.
#pragma once

#include "form/program.h"

// Whether the operands of an OP may change places.
bool computation_commutes(const Instr *instr);
// Of two OPs that compute the same if registers with one number hold one value; the order of
// operands does not count where the operator commutes.
uint64_t computation_hash(const Instr *instr, const uint32_t *number);
bool computation_same(const Instr *a, const Instr *b, const uint32_t *number);
