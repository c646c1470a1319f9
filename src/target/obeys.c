// Whether the places of an instruction obey the machine.
#include "target/model.h"

static const char *obeys_operand(const Func *func, const MachConstraints *c,
                                 const MachOperand *operand) {
    Place place = *operand->place;
    if (place_is_spill(place)) {
        uint32_t size = operand->reg_class == CLASS_MEMORY ? 16 : 8;
        if (!operand->spill_ok) return "a spill where only a register can be";
        if (func->mach->spills.at[place_index(place)].size != size)
            return "a spill of the wrong size";
        return NULL;
    }
    if (!place_is_machine(place)) return "no machine register and no spill";
    uint32_t reg = place_index(place);
    if (operand->reg_class == CLASS_MEMORY) return "a register where only a spill can be";
    const TargetModel *target = func->program->target;
    if (reg == target->stack) return "the stack pointer as a place";
    if (!regs_has(target->classes[operand->reg_class], reg)) return "a register of the wrong class";
    if (operand->fixed != MACHINE_REG_LIMIT && reg != operand->fixed)
        return "another register than the fixed one";
    bool fixed_result = operand->role == MO_DEF && operand->fixed != MACHINE_REG_LIMIT;
    if (!fixed_result && regs_has(c->clobbers, reg)) return "an operand in a clobbered register";
    return NULL;
}

// The operand whose place the result takes over: the tied one, unless only the swappable one is
// there already.
static uint8_t taken_over(const MachConstraints *c) {
    if (c->tied == NO_SOURCE || c->swappable == NO_SOURCE) return c->tied;
    const MachOperand *operands = c->operands.at;
    Place result = *operands[0].place;
    bool swapped =
        result.i == operands[c->swappable].place->i && result.i != operands[c->tied].place->i;
    return swapped ? c->swappable : c->tied;
}

static bool counts_as_memory(const MachOperand *operand) {
    return operand->reg_class != CLASS_MEMORY && place_is_spill(*operand->place);
}

// What the result takes over is copied to it first, or, in a spill, read and written at once.
static const char *obeys_one_memory(const MachInstr *instr, const MachConstraints *c) {
    if (!c->one_memory) return NULL;
    const MachOperand *operands = c->operands.at;
    uint8_t taken = taken_over(c);
    uint32_t in_memory = instr->addressed;
    for (uint32_t k = 0; k < c->operands.count; k++)
        if (k != taken) in_memory += counts_as_memory(&operands[k]);
    if (in_memory > 1) return "two operands in memory";
    if (taken == NO_SOURCE || !counts_as_memory(&operands[0])) return NULL;
    return operands[0].place->i == operands[taken].place->i
               ? NULL
               : "a result in a spill that is not the tied operand's";
}

// Whether the result differs from every use but one.
static bool differs(const MachConstraints *c, uint32_t except) {
    for (uint32_t k = 1; k < c->operands.count; k++)
        if (k != except && c->operands.at[k].role == MO_USE && !c->operands.at[k].over &&
            c->operands.at[k].place->i == c->operands.at[0].place->i)
            return false;
    return true;
}

static const char *obeys_ties(const MachConstraints *c) {
    if (c->operands.count == 0 || c->operands.at[0].role != MO_DEF) return NULL;
    if (c->operands.at[0].early && !differs(c, c->tied))
        return "an early result in the place of an operand";
    uint8_t taken = taken_over(c);
    if (taken == NO_SOURCE || c->operands.at[0].place->i == c->operands.at[taken].place->i)
        return NULL;
    return differs(c, taken) ? NULL : "a result in the place of an operand that is not tied";
}

bool mach_obeys(const Func *func, const MachInstr *instr, const MachConstraints *constraints,
                const char **reason) {
    *reason = NULL;
    for (uint32_t k = 0; k < constraints->operands.count && !*reason; k++)
        *reason = obeys_operand(func, constraints, &constraints->operands.at[k]);
    if (!*reason) *reason = obeys_one_memory(instr, constraints);
    if (!*reason) *reason = obeys_ties(constraints);
    return !*reason;
}
