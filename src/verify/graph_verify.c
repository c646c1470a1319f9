// The rules that all forms made of graphs share: an entry, labels, and sound instructions
// (rtl_verify.c).
#include "verify/verify_rules.h"

static void rule_entry(Verifier *v) {
    if (v->func->nodes.count == 0)
        complain(v, "entry", "expected at least one node, the entry; found none");
}

// Whether the labels are valid and distinct because they ascend, the usual case.
static bool labels_ascend(const Func *func) {
    for (uint32_t n = 0; n < func->labels.count; n++)
        if (func->labels.at[n] == NO_ID || (n > 0 && func->labels.at[n - 1] >= func->labels.at[n]))
            return false;
    return true;
}

// Whether all labels are seen to be distinct, and below NO_ID: not if one is much larger than there
// are nodes, then a closer look is needed.
static bool labels_distinct(const Verifier *v) {
    const Func *func = v->func;
    uint64_t limit = 8 * (uint64_t)func->labels.count + 64;
    if (limit >= NO_ID) return false;
    Bits seen = bits_new(v->scratch, (uint32_t)limit);
    for (uint32_t n = 0; n < func->labels.count; n++)
        if (func->labels.at[n] >= limit || !bits_put(&seen, func->labels.at[n])) return false;
    return true;
}

static void rule_labels(Verifier *v) {
    const Func *func = v->func;
    if (func->labels.count == 0) return;
    if (func->labels.count != func->nodes.count)
        complain(v, "labels", "expected no labels or one for each of %u nodes; found %u",
                 func->nodes.count, func->labels.count);
    if (labels_ascend(func) || labels_distinct(v)) return;
    Map node_of_label = {0};
    for (uint32_t n = 0; n < func->labels.count; n++) {
        uint32_t label = func->labels.at[n];
        uint32_t other = map_get(&node_of_label, label);
        if (label == NO_ID)
            complain(v, "labels", "expected labels below %u; found %u at node index %u", NO_ID,
                     label, n);
        else if (other != HASH_NONE)
            complain(v, "labels", "expected distinct labels; found %u at node indices %u and %u",
                     label, other, n);
        else
            map_set(v->scratch, &node_of_label, label, n);
    }
}

// Whether the same instruction stands here in the verified function. Instructions that use a pool
// are looked at anyway, because pools are shared.
static bool is_verified(const Verifier *v, uint32_t n) {
    if (!v->verified || n >= v->verified->nodes.count) return false;
    const Instr *instr = &v->func->nodes.at[n];
    return instr->arg_count <= INLINE_ARGS && instr->succ_count <= INLINE_SUCCS &&
           instr->kind != I_SWITCH && memcmp(instr, &v->verified->nodes.at[n], sizeof(Instr)) == 0;
}

static void rules_of_nodes(Verifier *v) {
    const Func *func = v->func;
    v->reg_pool_taken = bits_new(v->scratch, func->reg_pool.count);
    v->node_pool_taken = bits_new(v->scratch, func->node_pool.count);
    v->case_pool_taken = bits_new(v->scratch, func->case_pool.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        v->node = (Node){n};
        if (!is_verified(v, n)) verify_instr(v);
    }
    v->node = NO_NODE;
}

void verify_graph(Verifier *v, bool phis, bool gates) {
    const Func *func = v->func;
    bool floats = func->form == FORM_SON;
    if (!phis && (func->phis.count || func->phi_at.count || func->phi_args.count))
        complain(v, "form", "expected no phis in the form %s; found %u", form_name(func->form),
                 func->phis.count);
    if (gates != (func->gsa != NULL))
        complain(v, "form", "expected gates in the form gsa, and only there; found %s",
                 form_name(func->form));
    if (floats != (func->son != NULL))
        complain(v, "form", "expected floating operators in the form son, and only there; found %s",
                 form_name(func->form));
    rule_entry(v);
    rule_labels(v);
    rules_of_nodes(v);
}
