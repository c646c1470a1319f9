// The rules of mach0: instructions stand in a line, blocks begin with a NOP, jumps go to these.
#include "form/mach0.h"
#include "verify/verify_rules.h"

static void rule_nop(Verifier *v, const Instr *instr) {
    if (instr->kind == I_NOP && instr->aux > MACH0_NOP_JUMPS)
        complain(v, "nop", "expected NOP, %d, or JMP, %d; found %u", MACH0_NOP_GOES_ON,
                 MACH0_NOP_JUMPS, instr->aux);
}

static void rule_line(Verifier *v, const Instr *instr) {
    if (!mach0_goes_on(instr)) return;
    uint32_t succ = instr_succs(v->func, instr)[0].i;
    if (succ != v->node.i + 1)
        complain(v, "line", "expected the next instruction, %u, behind this one; found %u",
                 v->node.i + 1, succ);
}

static void rule_block_start(Verifier *v, const Instr *instr) {
    bool starts = v->node.i == 0 || !mach0_goes_on(instr - 1);
    if (starts && !mach0_is_label(instr))
        complain(v, "block", "expected NOP at the beginning of a block; found %s",
                 mach0_is_jump(instr) ? "JMP" : "another instruction");
    if (!starts && mach0_is_label(instr))
        complain(v, "block", "expected JMP, BRN, SWITCH or an end before NOP; found none");
}

static void rule_targets(Verifier *v, const Instr *instr) {
    if (mach0_goes_on(instr)) return;
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        Node target = instr_succs(v->func, instr)[k];
        if (!mach0_is_label(func_at(v->func, target)))
            complain(v, "target", "expected a jump to NOP; found one to node %u",
                     func_label(v->func, target));
    }
}

void mach0_verify(Verifier *v) {
    verify_graph(v, false, false);
    if (!verify_is_clean(v)) return;
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        const Instr *instr = &v->func->nodes.at[n];
        v->node = (Node){n};
        rule_nop(v, instr);
        rule_line(v, instr);
        rule_block_start(v, instr);
        rule_targets(v, instr);
    }
    v->node = NO_NODE;
}
