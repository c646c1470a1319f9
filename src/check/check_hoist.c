// The checker of hoist, which computes elsewhere what operators compute, and loads ahead of time.
//
// What is established, and why it is enough.
//
// 1. The hint says which old node each new one performs; others are added. Control goes the same way
//    (grown.h). A node that performs an old one has its instruction, or is a nop where there was a total
//    operator (check_performed), and the same phis.
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

#include "check/grown.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    Grown grown;
    uint32_t *definition; // old register -> node of `before` whose instruction sets it, or NO_ID
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static bool is_total(const Instr *instr) {
    return instr->kind == I_OP && !(op_info((Op)instr->op)->flags & OPF_PARTIAL);
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
        if (!symbol_is_own_object(symbol)) return false;
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
        if (!grown_is_added(&check->grown, node) && instr->kind == I_LOAD &&
            same_address(check, load, instr))
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
    Node old = check->grown.old[node.i];
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, node);
    if (!instr_same(check->before, then, check->after, now) &&
        !(is_total(then) && now->kind == I_NOP))
        return REJECT(check, node, "the instruction differs from that of old node %u", old.i);
    if (func_phi_count(check->before, old) != func_phi_count(check->after, node))
        return REJECT(check, node, "its phis have changed");
    if (grown_same_way(&check->grown, node) && grown_same_phis(&check->grown, node)) return true;
    check->verdict = check->grown.verdict;
    return false;
}

static bool check_nodes(Check *check) {
    for (uint32_t n = 0; n < check->after->nodes.count; n++) {
        Node node = {n};
        bool added = grown_is_added(&check->grown, node);
        if (!(added ? check_added(check, node) : check_performed(check, node))) return false;
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
    Check check = {.arena = arena, .before = before, .after = after};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    check.grown = (Grown){.arena = arena,
                          .before = before,
                          .after = after,
                          .old = hint->old.at,
                          .old_count = hint->old.count};
    if (!grown_start(&check.grown)) return check.grown.verdict;
    find_definitions(&check);
    return check_nodes(&check) ? VERDICT_ACCEPTED : check.verdict;
}
