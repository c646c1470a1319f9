// asm statements: the values that the machine code of the source finds in registers and leaves
// there.
//
// The front end chooses the registers of the operands before it makes RTL, so that the text is
// final. Values come and go through a block of memory whose address the instruction gets. To
// everything but the machine the statement is opaque.
#pragma once

#include "form/program.h"
#include "form/registers.h"

// The general registers that hold operands.
MachineRegSet asm_operand_registers(const Program *program, const AsmStatement *statement);
// The registers that can hold the address of the block: neither registers by which a frame may be
// found, nor reserved registers.
MachineRegSet asm_block_registers(const Program *program);
// The register of the block's address while the code runs. MACHINE_REG_LIMIT: any register that the
// code leaves alone. If the code destroys them all or has an operand in the frame's register: a
// register that holds no operand.
MachineReg asm_block_register(const Program *program, const AsmStatement *statement);
