#include "fact/gate/known_from.h"

uint32_t known_from_both(const Dominance *dom, uint32_t a, uint32_t b) {
    if (a == NO_ID || b == NO_ID) return NO_ID;
    if (dominates(dom, (Node){a}, (Node){b})) return b;
    return dominates(dom, (Node){b}, (Node){a}) ? a : NO_ID;
}

bool known_above(const Dominance *dom, uint32_t base, Node join) {
    return base != NO_ID && base != join.i && dominates(dom, (Node){base}, join);
}

// Operands of a gate have smaller numbers.
uint32_t *known_from_gates(Arena *arena, const Gsa *gsa, const Dominance *dom,
                           const Definition *definitions) {
    uint32_t *base = ARENA_ARRAY(arena, uint32_t, gsa->gates.count);
    for (uint32_t i = 0; i < gsa->gates.count; i++) {
        const GateNode *gate = &gsa->gates.at[i];
        if (gate->kind == GK_AND || gate->kind == GK_OR)
            base[i] = known_from_both(dom, base[gate->first], base[gate->second]);
        if (gate->kind != GK_LITERAL) continue;
        const GateAtom *atom = &gsa->atoms.at[gate->first];
        for (uint32_t k = 0; k < atom->arg_count; k++)
            base[i] = known_from_both(dom, base[i], known_from_reg(definitions, atom->arg[k]));
    }
    return base;
}

uint32_t known_from_op(const Dominance *dom, const Func *func, const Instr *instr,
                       const Reg *leader, const uint32_t *base) {
    uint32_t lowest = 0;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        lowest = known_from_both(dom, lowest, base[leader[instr_args(func, instr)[k].i].i]);
    return lowest;
}
