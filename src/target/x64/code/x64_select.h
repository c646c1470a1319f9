// The selector's part for x86-64: addresses with an index and a displacement, operators with
// operands in memory.
#pragma once

#include "mach/select/select.h"

extern const TargetSelect x64_selection;

// ---- select_address.c

Address x64_item_address(Selector *s, const SelectItem *item);
Address x64_pointer_address(Selector *s, SelectValue pointer, int64_t displacement);
void x64_set_address(Selector *s, MachInstr *instr, Address address);
// The sum that an operator computes, as an address; false if an add does as well.
bool x64_sum(Selector *s, const SelectItem *item, Address *address);
