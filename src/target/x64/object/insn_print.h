// Instructions as text, for people and for comparisons with other disassemblers; and compared with
// each other.
#pragma once

#include "base/out.h"
#include "target/x64/object/insn.h"

// One instruction in AT&T syntax, as the disassembler of GNU binutils has it; targets of branches
// as numbers, where the instruction lies at `address`.
void insn_print(Out *out, const Insn *insn, uint64_t address);

// Whether two are the same but for their length and where fields lie.
bool insn_same(const Insn *a, const Insn *b);
