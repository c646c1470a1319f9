#include "verify/reserved.h"

#include "target/model.h"
#include "verify/verify_rules.h"

bool register_is_writable(const Program *program, int64_t reg) {
    return reg >= 0 && reg < MACHINE_REG_LIMIT && regs_has(program->reserved, (MachineReg)reg);
}

bool register_is_readable(const Program *program, int64_t reg) {
    return reg == program->target->stack || register_is_writable(program, reg);
}

void verify_reserved(Verifier *v) {
    MachineRegSet wrong = regs_without(v->program->reserved, v->program->target->callee_saved);
    for (uint32_t reg = 0; reg < MACHINE_REG_LIMIT; reg++)
        if (regs_has(wrong, reg))
            complain(v, "reserve", "expected a register that callees preserve; found %s",
                     target_register_name(v->program->target, reg));
}
