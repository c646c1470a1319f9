// The checker of hoist, which computes elsewhere what operators compute, and loads ahead of time.
//
// What is established, and why it is enough.
//
// 1. The hint says which old node each new one performs; others are added. A node that performs an old
//    one has its instruction, or is a nop where there was a total operator (check_performed). Each of its
//    successors performs the successor with the same index, or comes to it through added nodes (leads_to),
//    whose numbers grow, so that they form no cycle. Phis are the same, and control comes to them, perhaps
//    through added nodes, from what performs the same predecessors (check_phis). The entry leads to the entry.
//    An added node (check_added) is a nop, or an operator that cannot go wrong and that `before` has, too, with the
//    same destination and arguments; or a load that does no harm, to a new register.
//
// 2. Operators. In SSA, whenever control is at a node that the definition of x strictly dominates, and x
//    is defined by an operator, x has the value that the operator yields for the present values of its
//    arguments: their definitions dominate that of x, so if one is executed again, control comes to the
//    definition of x again before it comes to the node (check_gvn.c has the same lemma). Both functions are
//    well-formed SSA in which every register has one definition; so x, where it is used, is the same
//    function of the same arguments in both. By induction over steps, and over the depth of operators in
//    each, all uses of `after` read what those of `before` read. That an operator is executed more or less
//    often does not matter: it has no effect and never goes wrong.
//
// 3. Loads. The destination is a register that `before` does not have, so no old instruction reads it,
//    and added operators are those of `before`. So it matters only whether the load is a wrong step where
//    `before` takes none. It is not if
//      it lies in an object that is alive, a slot or a symbol that is defined here (is_inside), or
//      control goes on from it to a load of the same bytes, which is one of `before`, without being able to
//      leave the way (comes_to_load): only nops, operators, loads, stores, memcpy and memset lie between,
//      which end no object's life and are no events, and nothing that sets a register of the address.
//      So if the added load is wrong, `before` goes wrong, too, with the same events before that.
#include "check/check_hoist.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const HoistHint *hint;
    Preds preds, old_preds;
    uint32_t *definition; // old register -> node of `before` whose instruction sets it, or NO_ID
    uint32_t *leads_to;   // new node -> old node that is performed from here on
    uint32_t *
        comes_from; // new node -> old node that was performed last when control leaves it, or NO_ID
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, (node), __VA_ARGS__), false)

static bool is_total(const Instr *instr) {
    return instr->kind == I_OP && !(op_info((Op)instr->op)->flags & OPF_PARTIAL);
}

// ---- Hint

static bool is_added(const Check *check, uint32_t node) {
    return check->hint->old.at[node].i == NO_ID;
}

// Of an added node this is known if it has one predecessor, with a smaller number.
static void find_origins(Check *check) {
    uint32_t count = check->after->nodes.count;
    check->comes_from = ARENA_ARRAY(check->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        const Node *preds = preds_at(&check->preds, (Node){n});
        bool follows = preds_count(&check->preds, (Node){n}) == 1 && preds[0].i < n;
        check->comes_from[n] = !is_added(check, n) ? check->hint->old.at[n].i
                               : follows           ? check->comes_from[preds[0].i]
                                                   : NO_ID;
    }
}

static bool check_hint(Check *check) {
    const Func *after = check->after;
    uint32_t old_count = check->before->nodes.count;
    if (check->hint->old.count != after->nodes.count || !after->nodes.count)
        return REJECT(check, NO_NODE, "the hint does not cover every node");
    check->leads_to = ARENA_ARRAY(check->arena, uint32_t, after->nodes.count);
    for (uint32_t n = after->nodes.count; n-- > 0;) {
        const Instr *instr = &after->nodes.at[n];
        uint32_t old = check->hint->old.at[n].i;
        if (old != NO_ID && old >= old_count)
            return REJECT(check, (Node){n}, "it performs no node");
        if (old == NO_ID && (instr->succ_count != 1 || instr->succ[0].i <= n))
            return REJECT(check, (Node){n}, "an added node does not lead onwards");
        check->leads_to[n] = old != NO_ID ? old : check->leads_to[instr->succ[0].i];
    }
    find_origins(check);
    return check->leads_to[0] == 0 || REJECT(check, (Node){0}, "the entry is another");
}

// ---- Loads that are added

// Whether an access surely lies in an object: one that is named in the address and of known size.
static bool is_inside(const Check *check, const Instr *load) {
    if (load->scale || (load->base != BASE_SLOT && load->base != BASE_SYMBOL)) return false;
    uint64_t size;
    if (load->base == BASE_SLOT) {
        size = check->after->slots.at[load->ref].size;
    } else {
        const Symbol *symbol = program_at(check->after->program, (Sym){load->ref});
        if (symbol->kind != SYM_DATA || !symbol->defined || symbol->alias.i != NO_ID ||
            (symbol->linkage != LINK_EXPORT && symbol->linkage != LINK_STATIC))
            return false;
        size = symbol->size;
    }
    uint32_t bytes = chunk_size((Chunk)load->chunk);
    return load->imm >= 0 && bytes <= size && (uint64_t)load->imm <= size - bytes;
}

static bool same_address(const Check *check, const Instr *a, const Instr *b) {
    Instr twin = *b;
    twin.dest = a->dest;
    return instr_same(check->after, a, check->after, &twin);
}

static bool is_quiet(const Instr *instr) {
    if (instr->succ_count != 1) return false;
    switch ((InstrKind)instr->kind) {
    case I_NOP:
    case I_OP:
    case I_LOAD:
    case I_STORE: return true;
    case I_BUILTIN: return instr->op == BI_MEMCPY || instr->op == BI_MEMSET;
    default: return false;
    }
}

static bool is_argument(const Check *check, const Instr *instr, Reg reg) {
    const Reg *args = instr_args(check->after, instr);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (args[k].i == reg.i) return true;
    return false;
}

// Whether arriving at a node, or executing it, sets a register of the address of a load.
static bool disturbs(const Check *check, const Instr *load, Node node, bool executed) {
    const Func *after = check->after;
    for (uint32_t i = 0; i < func_phi_count(after, node); i++)
        if (is_argument(check, load, func_phis(after, node)[i].dest)) return true;
    Reg dest = func_at(after, node)->dest;
    return executed && dest.i != NO_ID && is_argument(check, load, dest);
}

// The way is looked at for so many nodes only, so that all work is linear.
enum { LONGEST_WAY = 96 };

static bool comes_to_load(const Check *check, Node node) {
    const Instr *load = func_at(check->after, node);
    for (uint32_t i = 0; i < LONGEST_WAY; i++) {
        node = func_at(check->after, node)->succ[0];
        const Instr *instr = func_at(check->after, node);
        if (disturbs(check, load, node, false)) return false;
        if (!is_added(check, node.i) && instr->kind == I_LOAD && same_address(check, load, instr))
            return true;
        if (!is_quiet(instr) || disturbs(check, load, node, true)) return false;
    }
    return false;
}

// ---- Nodes

static bool check_added(Check *check, Node node) {
    const Instr *now = func_at(check->after, node);
    uint32_t old = check->before->regs.count;
    if (func_phi_count(check->after, node)) return REJECT(check, node, "an added node has phis");
    if (now->kind == I_NOP) return true;
    if (now->kind == I_LOAD) {
        if (now->dest.i < old) return REJECT(check, node, "an added load sets an old register");
        return is_inside(check, now) || comes_to_load(check, node) ||
               REJECT(check, node, "an added load may go wrong");
    }
    if (!is_total(now) || now->dest.i >= old || check->definition[now->dest.i] == NO_ID)
        return REJECT(check, node, "an added node is no operator of the old function");
    const Instr *then = &check->before->nodes.at[check->definition[now->dest.i]];
    return instr_same(check->before, then, check->after, now) ||
           REJECT(check, node, "an added operator computes something else");
}

static bool check_performed(Check *check, Node node) {
    uint32_t old = check->hint->old.at[node.i].i;
    const Instr *then = func_at(check->before, (Node){old}), *now = func_at(check->after, node);
    if (!instr_same(check->before, then, check->after, now) &&
        !(is_total(then) && now->kind == I_NOP))
        return REJECT(check, node, "the instruction differs from that of old node %u", old);
    const Node *from = instr_succs(check->before, then), *to = instr_succs(check->after, now);
    if (then->succ_count != now->succ_count)
        return REJECT(check, node, "the number of successors has changed");
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (check->leads_to[to[k].i] != from[k].i)
            return REJECT(check, node, "successor %u leads elsewhere", k);
    return true;
}

static bool check_phis(Check *check, Node node) {
    Node old = check->hint->old.at[node.i];
    uint32_t width = preds_count(&check->preds, node);
    if (!func_phi_count(check->after, node) && !func_phi_count(check->before, old)) return true;
    if (preds_count(&check->old_preds, old) != width)
        return REJECT(check, node, "the number of predecessors has changed");
    for (uint32_t k = 0; k < width; k++)
        if (check->comes_from[preds_at(&check->preds, node)[k].i] !=
            preds_at(&check->old_preds, old)[k].i)
            return REJECT(check, node, "predecessor %u is another", k);
    uint32_t count = func_phi_count(check->before, old);
    bool same = func_phi_count(check->after, node) == count;
    for (uint32_t i = 0; same && i < count; i++) {
        const Phi *then = &func_phis(check->before, old)[i],
                  *now = &func_phis(check->after, node)[i];
        same = then->dest.i == now->dest.i;
        for (uint32_t k = 0; same && k < width; k++)
            same = phi_args(check->before, then)[k].i == phi_args(check->after, now)[k].i;
    }
    return same || REJECT(check, node, "its phis have changed");
}

static bool check_nodes(Check *check) {
    for (uint32_t n = 0; n < check->after->nodes.count; n++) {
        Node node = {n};
        if (is_added(check, n) ? !check_added(check, node)
                               : !check_performed(check, node) || !check_phis(check, node))
            return false;
    }
    return true;
}

static void find_definitions(Check *check) {
    const Func *before = check->before;
    check->definition = ARENA_ARRAY(check->arena, uint32_t, before->regs.count);
    for (uint32_t r = 0; r < before->regs.count; r++) check->definition[r] = NO_ID;
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (before->nodes.at[n].dest.i != NO_ID) check->definition[before->nodes.at[n].dest.i] = n;
}

Verdict check_hoist(Arena *arena, const Func *before, const Func *after, const HoistHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_ssa_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    check.preds = preds_of(arena, after);
    if (!check_hint(&check)) return check.verdict;
    check.old_preds = preds_of(arena, before);
    find_definitions(&check);
    return check_nodes(&check) ? VERDICT_ACCEPTED : check.verdict;
}
