#include "form/reserved.h"

#include "form/parse.h"
#include "form/verify_rules.h"
#include "target/x64/model/constraints.h"

bool register_is_writable(const Program *program, int64_t reg) {
    return reg >= 0 && reg < MACHINE_REG_COUNT && program->reserved & MACHINE_REG_BIT(reg);
}

bool register_is_readable(const Program *program, int64_t reg) {
    return reg == M_STACK || register_is_writable(program, reg);
}

bool parse_machine_register(TextParser *p, int64_t *number) {
    MachineReg reg = MACHINE_REG_COUNT;
    if (parse_at(p, T_WORD))
        reg = machine_reg_named(p->lexer.text + p->token.start, p->token.end - p->token.start);
    if (reg == MACHINE_REG_COUNT) return parse_expected(p, "a machine register");
    parse_next(p);
    *number = reg;
    return true;
}

bool parse_reserve_item(TextParser *p) {
    do {
        int64_t reg = 0;
        if (!parse_machine_register(p, &reg)) return false;
        p->program->reserved |= MACHINE_REG_BIT(reg);
    } while (parse_accept(p, ','));
    return parse_end_of_line(p);
}

void verify_reserved(Verifier *v) {
    MachineRegSet wrong = v->program->reserved & ~callee_saved_regs;
    for (uint32_t reg = 0; reg < MACHINE_REG_COUNT; reg++)
        if (wrong & MACHINE_REG_BIT(reg))
            complain(v, "reserve", "expected a register that callees preserve; found %s",
                     machine_reg_name((MachineReg)reg));
}
