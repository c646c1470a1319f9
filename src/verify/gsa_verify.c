// The rules of gated SSA, for a function whose other rules hold: all ids outside of the gates and
// their blocks are in range.
//
// Registers obey the rules of SSA: each has one definition, by an instruction, a merge or an eta,
// and the definition dominates the uses. Merges stand at joins, and only nops lead to joins. Mus
// stand at loop headers, which have two predecessors, the first outside of the loop; gammas stand
// at all other joins. Etas stand at landing pads: nops with one predecessor, which lies in a loop
// that does not hold the pad. Etas act on the edge into their node. A mu's arguments are used at
// the ends of the predecessors, an eta's source at the end of the pad's predecessor. The gates of a
// gamma tell which predecessors of the join go with an argument; the verifier only asks that the
// argument's definition dominates one of the predecessors. Outside of a loop only the etas of its
// pads use registers that the loop defines. Gates may read any register, since a register that has
// not been set makes a condition neither true nor false. The verifier does not look at whether
// gates hold when they should: the checkers of the passes that make or change gates do.
//
// The definitions of Herklotz et al. do not exclude a gamma at a header, an eta that writes a
// register that others define, or two etas with one destination; the rules on places and on
// definitions do.
#include "form/gsa.h"
#include "graph/loop_nest.h"
#include "verify/verify_rules.h"

#include <stdlib.h>

typedef struct {
    Scopes scopes;
    LoopNest loop_nest;
    // The numbers of the predecessors of a join, ascending, if they were needed.
    VEC(uint32_t) numbers;
    Node numbers_of;
} Gated;

// ---- The table of predicates

// The lists share out the values in order, and each ascends.
static bool rule_cases(Verifier *v, const Gsa *gsa) {
    uint64_t next = 0;
    for (uint32_t i = 0; i < gsa->switches.count; i++) {
        GateCases cases = gsa->switches.at[i];
        if (cases.first != next || next + cases.count > gsa->case_values.count) {
            complain(v, "gate-cases",
                     "list %u: expected its values from %ju on, within %u; found %u from %u on", i,
                     (uintmax_t)next, gsa->case_values.count, cases.count, cases.first);
            return false;
        }
        next += cases.count;
        for (uint32_t k = 1; k < cases.count; k++) {
            const int64_t *values = gsa->case_values.at + cases.first;
            if (values[k - 1] < values[k]) continue;
            complain(v, "gate-cases", "list %u: expected ascending values; found %jd before %jd", i,
                     (intmax_t)values[k - 1], (intmax_t)values[k]);
        }
    }
    return true;
}

static void rule_atom_register(Verifier *v, uint32_t i, Reg reg, Type type) {
    if (reg.i >= v->func->regs.count)
        complain(v, "gate-atom", "condition %u: expected one of %u registers; found %u", i,
                 v->func->regs.count, reg.i);
    else if (reg_type(v->func, reg) != type)
        complain(v, "gate-atom", "condition %u: expected a register of type %s; found %s of %s", i,
                 type_name(type), verify_reg_text(v, reg), type_name(reg_type(v->func, reg)));
}

// A way of a switch: an integer register, a list of its possible values, and one value of the list.
static void rule_atom_way(Verifier *v, const Gsa *gsa, uint32_t i) {
    const GateAtom *atom = &gsa->atoms.at[i];
    if (atom->arg_count != 1 || atom->immediate || atom->imm ||
        atom->cases >= gsa->switches.count || atom->way > gsa->switches.at[atom->cases].count) {
        complain(v, "gate-atom",
                 "condition %u: expected one register and a way of one of %u lists of cases; found "
                 "way %u of list %u",
                 i, gsa->switches.count, atom->way, atom->cases);
        return;
    }
    Reg reg = atom->arg[0];
    bool narrow = reg.i < v->func->regs.count && reg_type(v->func, reg) == TYPE_I32;
    rule_atom_register(v, i, reg, narrow ? TYPE_I32 : TYPE_I64);
    GateCases cases = gsa->switches.at[atom->cases];
    const int64_t *values = cases.count ? gsa->case_values.at + cases.first : NULL;
    if (narrow && values && (values[0] < INT32_MIN || values[cases.count - 1] > INT32_MAX))
        complain(v, "gate-atom", "condition %u: expected cases that an i32 can have; found others",
                 i);
}

// An operator that may be the condition of a branch, and its operands.
static void rule_atom_condition(Verifier *v, const Gsa *gsa, uint32_t i) {
    const GateAtom *atom = &gsa->atoms.at[i];
    const OpInfo *info = op_info(atom->op);
    uint32_t count = atom->arg_count + (atom->immediate ? 1u : 0u);
    if (!(info->flags & OPF_COND) || info->arity > 2 || count != info->arity ||
        (atom->immediate && !op_allows_immediate(atom->op)) || atom->cases || atom->way) {
        complain(v, "gate-atom",
                 "condition %u: expected a comparison with its operands; found %s with %u", i,
                 info->name, count);
        return;
    }
    for (uint32_t k = 0; k < atom->arg_count; k++)
        rule_atom_register(v, i, atom->arg[k], info->operand[k]);
    bool narrow = atom->immediate && info->operand[info->arity - 1] == TYPE_I32;
    if ((!atom->immediate && atom->imm) || (narrow && atom->imm != (int32_t)atom->imm))
        complain(v, "gate-atom", "condition %u: expected an immediate in range, if any; found %jd",
                 i, (intmax_t)atom->imm);
}

static void rules_of_atoms(Verifier *v, const Gsa *gsa) {
    for (uint32_t i = 0; i < gsa->atoms.count; i++) {
        if (gsa->atoms.at[i].op < OP_COUNT)
            rule_atom_condition(v, gsa, i);
        else if (gsa->atoms.at[i].op == OP_COUNT)
            rule_atom_way(v, gsa, i);
        else
            complain(v, "gate-atom", "condition %u: expected an operator below %u; found %u", i,
                     (unsigned)OP_COUNT, (unsigned)gsa->atoms.at[i].op);
    }
}

// First the constants; then literals, and operators on predicates with smaller numbers.
static bool gate_is_sound(const Gsa *gsa, uint32_t i) {
    const GateNode *node = &gsa->gates.at[i];
    switch ((GateKind)node->kind) {
    case GK_FALSE: return i == GATE_FALSE.i && !node->negated;
    case GK_TRUE: return i == GATE_TRUE.i && !node->negated;
    case GK_UNDEF: return i == GATE_UNDEF.i && !node->negated;
    case GK_LITERAL: return i > GATE_UNDEF.i && node->first < gsa->atoms.count && !node->second;
    case GK_AND:
    case GK_OR: return i > GATE_UNDEF.i && node->first < i && node->second < i && !node->negated;
    }
    return false;
}

static void rule_gates(Verifier *v, const Gsa *gsa) {
    if (gsa->gates.count < 3)
        complain(v, "gate", "expected at least the three constants; found %u", gsa->gates.count);
    for (uint32_t i = 0; i < gsa->gates.count; i++) {
        if (gate_is_sound(gsa, i)) continue;
        const GateNode *node = &gsa->gates.at[i];
        complain(v, "gate",
                 "gate %u: expected a constant at its place, a literal of one of %u conditions, or "
                 "an operator on gates with smaller numbers; found kind %u of %u and %u",
                 i, gsa->atoms.count, (unsigned)node->kind, node->first, node->second);
    }
}

// ---- Blocks of merges and etas

static bool rule_index(Verifier *v, const char *what, const uint32_t *at, uint32_t count,
                       uint32_t items) {
    uint32_t nodes = v->func->nodes.count;
    bool good = count ? count == nodes + 1 && at[0] == 0 && at[nodes] == items : items == 0;
    for (uint32_t n = 1; good && n < count; n++) good = at[n - 1] <= at[n];
    if (!good)
        complain(v, "gate-index",
                 "%s: expected an ascending index from 0 to %u for %u nodes and one more; found "
                 "another",
                 what, items, nodes);
    return good;
}

static bool rule_gate_number(Verifier *v, const Gsa *gsa, const char *what, Gate gate) {
    if (gate.i < gsa->gates.count) return true;
    complain(v, "gate", "%s: expected one of %u gates; found %u", what, gsa->gates.count, gate.i);
    return false;
}

static bool rule_register(Verifier *v, const char *what, Reg reg) {
    if (reg.i < v->func->regs.count) return true;
    complain(v, "merge-register", "%s: expected one of %u registers; found %u", what,
             v->func->regs.count, reg.i);
    return false;
}

static void rule_merge_type(Verifier *v, const char *what, Reg dest, Reg reg) {
    if (reg_type(v->func, dest) == reg_type(v->func, reg)) return;
    complain(v, "merge-type", "the %s of %s: expected %s; found %s of %s", what,
             verify_reg_text(v, dest), type_name(reg_type(v->func, dest)), verify_reg_text(v, reg),
             type_name(reg_type(v->func, reg)));
}

// A mu has two arguments without gates, a gamma at least one.
static bool rule_merge_shape(Verifier *v, const Merge *merge, uint32_t next) {
    bool mu = merge->kind == MERGE_MU;
    if ((mu || merge->kind == MERGE_GAMMA) && merge->args_at == next &&
        (mu ? merge->arg_count == 2 : merge->arg_count > 0) &&
        merge->arg_count <= v->func->gsa->merge_args.count - next)
        return true;
    complain(
        v, "merge-arguments",
        "expected a mu with two arguments or a gamma with some, from %u on; found kind %u with "
        "%u from %u on",
        next, (unsigned)merge->kind, merge->arg_count, merge->args_at);
    return false;
}

static bool rule_merge(Verifier *v, const Gsa *gsa, const Merge *merge) {
    bool mu = merge->kind == MERGE_MU;
    const char *what = mu ? "mu" : "gamma";
    if (!rule_register(v, what, merge->dest)) return false;
    for (uint32_t k = 0; k < merge->arg_count; k++) {
        MergeArg arg = merge_args(v->func, merge)[k];
        if (!rule_register(v, what, arg.reg) || !rule_gate_number(v, gsa, what, arg.gate))
            return false;
        rule_merge_type(v, what, merge->dest, arg.reg);
        if (mu && arg.gate.i != GATE_TRUE.i)
            complain(v, "merge-arguments", "expected no gates in a mu; found gate %u", arg.gate.i);
    }
    return true;
}

static bool rule_eta(Verifier *v, const Gsa *gsa, const Eta *eta) {
    if (!rule_register(v, "eta", eta->dest) || !rule_register(v, "eta", eta->source) ||
        !rule_gate_number(v, gsa, "eta", eta->gate))
        return false;
    rule_merge_type(v, "eta", eta->dest, eta->source);
    return true;
}

// True if all numbers in them are in range.
static bool rules_of_blocks(Verifier *v, const Gsa *gsa) {
    if (!rule_index(v, "merges", gsa->merge_at.at, gsa->merge_at.count, gsa->merges.count) ||
        !rule_index(v, "etas", gsa->eta_at.at, gsa->eta_at.count, gsa->etas.count))
        return false;
    uint32_t next = 0;
    bool good = true;
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        v->node = (Node){n};
        const Merge *merges = gsa_merges(v->func, v->node);
        for (uint32_t i = 0; i < gsa_merge_count(v->func, v->node); i++) {
            if (!rule_merge_shape(v, &merges[i], next)) return false;
            next += merges[i].arg_count;
            good &= rule_merge(v, gsa, &merges[i]);
        }
        for (uint32_t i = 0; i < gsa_eta_count(v->func, v->node); i++)
            good &= rule_eta(v, gsa, &gsa_etas(v->func, v->node)[i]);
    }
    v->node = NO_NODE;
    if (next != gsa->merge_args.count)
        complain(v, "merge-arguments", "expected %u arguments of merges; found %u", next,
                 gsa->merge_args.count);
    return good;
}

// ---- Gates of loops and ends

static void rules_of_loops(Verifier *v, const Gsa *gsa, const LoopNest *loop_nest) {
    uint32_t next = 0;
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        if (!loop_nest_is_header(loop_nest, (Node){n})) continue;
        if (next == gsa->loops.count || gsa->loops.at[next].header.i != n) {
            v->node = (Node){n};
            complain(v, "loop-gates", "expected the gates of every loop, by header; found none");
            v->node = NO_NODE;
            return;
        }
        rule_gate_number(v, gsa, "loop", gsa->loops.at[next].leaves);
        rule_gate_number(v, gsa, "loop", gsa->loops.at[next++].goes_on);
    }
    if (next < gsa->loops.count)
        complain(v, "loop-gates", "expected gates of %u loops; found %u", next, gsa->loops.count);
}

static void rules_of_ends(Verifier *v, const Gsa *gsa) {
    uint32_t next = 0;
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        if (v->func->nodes.at[n].succ_count) continue;
        if (next == gsa->ends.count || gsa->ends.at[next].node.i != n) {
            v->node = (Node){n};
            complain(v, "end-gates", "expected the gate of every end, by node; found none");
            v->node = NO_NODE;
            return;
        }
        rule_gate_number(v, gsa, "end", gsa->ends.at[next++].gate);
    }
    if (next < gsa->ends.count)
        complain(v, "end-gates", "expected gates of %u ends; found %u", next, gsa->ends.count);
}

// ---- Places

// A loop is entered by one edge and goes on by another, from a node with a larger number.
static bool rule_header(Verifier *v, const Gated *gated) {
    const Preds *preds = &gated->scopes.preds;
    uint32_t entry;
    if (header_is_plain(preds, &gated->scopes.dominance, v->node, &entry) && entry == 0)
        return true;
    complain(v, "header",
             "expected a loop header to have two predecessors, the second of them in the loop; "
             "found %u",
             preds_count(preds, v->node));
    return false;
}

// Mus at loop headers, gammas at all other joins. At a join that cannot be reached a mu does no
// harm.
static void rule_merge_place(Verifier *v, const Gated *gated) {
    uint32_t count = preds_count(&gated->scopes.preds, v->node);
    bool reached = dominance_reaches(&gated->scopes.dominance, v->node);
    bool header = loop_nest_is_header(&gated->loop_nest, v->node);
    const Merge *merges = gsa_merges(v->func, v->node);
    if (count < 2 || v->node.i == 0)
        complain(v, "merge-place",
                 "expected merges only at a join that is not the entry; found %u predecessor%s",
                 count, count == 1 ? "" : "s");
    for (uint32_t i = 0; i < gsa_merge_count(v->func, v->node); i++) {
        bool mu = merges[i].kind == MERGE_MU;
        if (mu && count != 2)
            complain(v, "merge-place", "expected a mu where there are two predecessors; found %u",
                     count);
        else if (reached && mu != header)
            complain(v, "merge-place", "expected %s; found the %s of %s",
                     header ? "only mus at a loop header"
                            : "only gammas at a join that is no header",
                     mu ? "mu" : "gamma", verify_reg_text(v, merges[i].dest));
    }
}

// A pad is a nop behind an edge that leaves a loop.
static void rule_eta_place(Verifier *v, const Gated *gated) {
    const Preds *preds = &gated->scopes.preds;
    uint32_t count = preds_count(preds, v->node);
    Node pred = count ? *preds_at(preds, v->node) : NO_NODE;
    if (count != 1)
        complain(v, "eta-place", "expected etas only where there is one predecessor; found %u",
                 count);
    else if (func_at(v->func, v->node)->kind != I_NOP)
        complain(v, "eta-place", "expected etas only at a nop; found another instruction");
    else if (dominance_reaches(&gated->scopes.dominance, v->node) &&
             (gated->loop_nest.loop[pred.i].i == NO_ID ||
              loop_nest_contains(&gated->loop_nest, gated->loop_nest.loop[pred.i], v->node)))
        complain(v, "eta-place",
                 "expected etas only where a loop is left; found that %u lies in no other loop",
                 func_label(v->func, pred));
}

static void rules_of_places(Verifier *v, const Gated *gated) {
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        v->node = (Node){n};
        if (preds_is_join(&gated->scopes.preds, v->node)) verify_join(v, &gated->scopes.preds);
        bool good = !loop_nest_is_header(&gated->loop_nest, v->node) || rule_header(v, gated);
        if (good && gsa_merge_count(v->func, v->node)) rule_merge_place(v, gated);
        if (gsa_eta_count(v->func, v->node)) rule_eta_place(v, gated);
    }
    v->node = NO_NODE;
}

// ---- Definitions and uses

static void rules_of_definitions(Verifier *v, Scopes *scopes) {
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        v->node = (Node){n};
        for (uint32_t i = 0; i < gsa_eta_count(v->func, v->node); i++)
            verify_definition(v, scopes, gsa_etas(v->func, v->node)[i].dest);
        for (uint32_t i = 0; i < gsa_merge_count(v->func, v->node); i++)
            verify_definition(v, scopes, gsa_merges(v->func, v->node)[i].dest);
    }
    v->node = NO_NODE;
    verify_other_definitions(v, scopes);
}

// A register that a loop defines is used in the loop: at a node, or at the end of a node.
static void rule_closed(Verifier *v, const Gated *gated, Reg reg, Node at) {
    Node node = gated->scopes.definitions[reg.i].node;
    Node loop = node.i == NO_ID ? NO_NODE : gated->loop_nest.loop[node.i];
    if (loop.i == NO_ID || loop_nest_contains(&gated->loop_nest, loop, at) ||
        !dominance_reaches(&gated->scopes.dominance, at))
        return;
    complain(v, "closed",
             "expected %s of the loop of %u to be used outside only by etas of its pads; found a "
             "use at %u",
             verify_reg_text(v, reg), func_label(v->func, loop), func_label(v->func, at));
}

static void rule_use(Verifier *v, const Gated *gated, Reg reg, Node at) {
    verify_use(v, &gated->scopes, reg, at);
    rule_closed(v, gated, reg, at);
}

static int compare_numbers(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// The numbers of the predecessors of the node where the verifier is, ascending.
static void sort_numbers(Verifier *v, Gated *gated) {
    if (gated->numbers_of.i == v->node.i) return;
    const Preds *preds = &gated->scopes.preds;
    gated->numbers_of = v->node;
    vec_clear(&gated->numbers);
    for (uint32_t k = 0; k < preds_count(preds, v->node); k++)
        vec_push(v->scratch, &gated->numbers,
                 gated->scopes.dominance.number[preds_at(preds, v->node)[k].i]);
    qsort(gated->numbers.at, gated->numbers.count, sizeof(uint32_t), compare_numbers);
}

// Whether the definition of a register dominates one of the predecessors.
static bool reaches_some(Verifier *v, Gated *gated, UseScope scope) {
    sort_numbers(v, gated);
    uint32_t low = 0, high = gated->numbers.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (gated->numbers.at[middle] < scope.from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < gated->numbers.count && gated->numbers.at[low] <= scope.last;
}

// The k-th argument of a gamma mostly belongs to the k-th predecessor.
static void rule_gamma_use(Verifier *v, Gated *gated, Reg reg, uint32_t k) {
    const Scopes *scopes = &gated->scopes;
    const Node *preds = preds_at(&scopes->preds, v->node);
    UseScope scope = scopes->scope[reg.i];
    uint32_t count = preds_count(&scopes->preds, v->node);
    uint32_t number = k < count ? scopes->dominance.number[preds[k].i] : NO_ID;
    rule_closed(v, gated, reg, v->node);
    if (number >= scope.from && number <= scope.last) return;
    Node node = scopes->definitions[reg.i].node;
    if (node.i == NO_ID || !dominance_reaches(&scopes->dominance, v->node))
        verify_use(v, scopes, reg, v->node);
    else if (!reaches_some(v, gated, scope))
        complain(v, "dominance",
                 "expected the definition of %s at %u to dominate a predecessor of the join",
                 verify_reg_text(v, reg), func_label(v->func, node));
}

static void rules_of_merge_uses(Verifier *v, Gated *gated) {
    const Node *preds = preds_at(&gated->scopes.preds, v->node);
    for (uint32_t i = 0; i < gsa_eta_count(v->func, v->node); i++)
        rule_use(v, gated, gsa_etas(v->func, v->node)[i].source, *preds);
    for (uint32_t i = 0; i < gsa_merge_count(v->func, v->node); i++) {
        const Merge *merge = &gsa_merges(v->func, v->node)[i];
        const MergeArg *args = merge_args(v->func, merge);
        for (uint32_t k = 0; k < merge->arg_count; k++) {
            if (merge->kind == MERGE_MU)
                rule_use(v, gated, args[k].reg, preds[k]);
            else
                rule_gamma_use(v, gated, args[k].reg, k);
        }
    }
}

static void rules_of_uses(Verifier *v, Gated *gated) {
    const Func *func = v->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        v->node = (Node){n};
        const Instr *instr = &func->nodes.at[n];
        const Reg *args = instr_args(func, instr);
        for (uint32_t i = 0; i < instr->arg_count; i++) rule_use(v, gated, args[i], v->node);
        rules_of_merge_uses(v, gated);
    }
    v->node = NO_NODE;
}

// ---- All of it

static bool rule_reducible(Verifier *v, const Gated *gated) {
    if (gated->loop_nest.reducible) return true;
    complain(v, "reducible", "expected loops with one entry; found one with several");
    return false;
}

void gsa_verify(Verifier *v) {
    const Gsa *gsa = v->func->gsa;
    verify_graph(v, false, true);
    if (!verify_is_clean(v) || !rule_cases(v, gsa)) return;
    rules_of_atoms(v, gsa);
    rule_gates(v, gsa);
    if (!rules_of_blocks(v, gsa)) return;
    Gated gated = {.scopes.preds = preds_of(v->scratch, v->func), .numbers_of = NO_NODE};
    if (!verify_definitions(v, &gated.scopes)) rules_of_definitions(v, &gated.scopes);
    verify_scopes(v, &gated.scopes);
    gated.loop_nest =
        loop_nest_of(v->scratch, v->func, &gated.scopes.preds, &gated.scopes.dominance);
    if (!rule_reducible(v, &gated)) return;
    rules_of_places(v, &gated);
    rules_of_loops(v, gsa, &gated.loop_nest);
    rules_of_ends(v, gsa);
    // Only merges and etas at their places have the predecessors that their uses need.
    if (verify_is_clean(v)) rules_of_uses(v, &gated);
}
