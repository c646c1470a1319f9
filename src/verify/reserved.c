#include "verify/reserved.h"

#include "target/x64/model/constraints.h"
#include "verify/verify_rules.h"

bool register_is_writable(const Program *program, int64_t reg) {
    return reg >= 0 && reg < MACHINE_REG_COUNT && program->reserved & MACHINE_REG_BIT(reg);
}

bool register_is_readable(const Program *program, int64_t reg) {
    return reg == M_STACK || register_is_writable(program, reg);
}

void verify_reserved(Verifier *v) {
    MachineRegSet wrong = v->program->reserved & ~callee_saved_regs;
    for (uint32_t reg = 0; reg < MACHINE_REG_COUNT; reg++)
        if (wrong & MACHINE_REG_BIT(reg))
            complain(v, "reserve", "expected a register that callees preserve; found %s",
                     machine_reg_name((MachineReg)reg));
}
