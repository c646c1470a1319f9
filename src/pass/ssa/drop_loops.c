// Drops loops that do nothing: their nodes have no effect and are no spins, nothing behind a loop
// reads a register that the loop sets, and all ways out of the loop lead to one node. Such a loop
// must end (docs/rtl.md, "Endless runs"), and it makes no difference when. The way into the loop
// then leads to that node, and so does a branch in front whose other ways lead there, too: a test
// whether there is a first round.
//
// An effect speaks against all loops around it: most loops are known to stay by their effects, and
// nobody asks about them any more. A use of a register, or a way out, speaks against the loops that
// it leaves, from the inside out.
#include "pass/pass.h"

#include "base/bits.h"
#include "fact/effects.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds;
    Dominance dom;
    LoopNest nest;
    Bits stays;     // headers of loops that make a difference
    Bits effects;   // those with an effect, like all loops around them
    uint32_t *exit; // for each header the node to which all ways out lead; NO_ID: none is known yet
    uint32_t *to;   // for each header of a dropped loop the node behind the loop; NO_ID elsewhere
    VEC(Node) fronts; // the nodes from which control came into dropped loops
    Bits reads;       // registers that the result reads
    Func *result;
} DropLoops;

// Where nops lead from a node: forward, not into another loop, and not to phis, whose arguments
// would have to be chosen.
static Node beyond(const DropLoops *d, Node node) {
    while (true) {
        const Instr *instr = func_at(d->func, node);
        if (instr->kind != I_NOP || instr->succ[0].i <= node.i) return node;
        if (func_phi_count(d->func, instr->succ[0]) ||
            loop_nest_is_header(&d->nest, instr->succ[0]))
            return node;
        node = instr->succ[0];
    }
}

// ---- Loops that stay

static void look_at_effects(DropLoops *d) {
    for (uint32_t n = 0; n < d->func->nodes.count; n++) {
        Node loop = d->nest.loop[n];
        if (!instr_has_effect(&d->func->nodes.at[n])) continue;
        while (loop.i != NO_ID && bits_put(&d->effects, loop.i)) loop = d->nest.outer[loop.i];
    }
    bits_union(&d->stays, &d->effects);
}

// Whether an edge or a value leaves a loop that may have to go.
static bool leaves(const DropLoops *d, Node loop, Node to) {
    return loop.i != NO_ID && !bits_has(&d->effects, loop.i) &&
           !loop_nest_contains(&d->nest, loop, to);
}

static void look_at_use(DropLoops *d, const Definition *definitions, Reg reg, Node user) {
    Node node = definitions[reg.i].node;
    Node loop = node.i == NO_ID ? NO_NODE : d->nest.loop[node.i];
    for (; leaves(d, loop, user); loop = d->nest.outer[loop.i]) bits_add(&d->stays, loop.i);
}

static void look_at_uses(DropLoops *d) {
    const Func *func = d->func;
    const Definition *definitions = definitions_of(d->arena, func);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        const Instr *instr = func_at(func, node);
        for (uint32_t k = 0; k < instr->arg_count; k++)
            look_at_use(d, definitions, instr_args(func, instr)[k], node);
        for (uint32_t i = 0; i < func_phi_count(func, node); i++)
            for (uint32_t k = 0; k < preds_count(&d->preds, node); k++)
                look_at_use(d, definitions, phi_args(func, &func_phis(func, node)[i])[k], node);
    }
}

static void look_at_exit(DropLoops *d, Node from, Node to) {
    Node loop = d->nest.loop[from.i];
    for (; leaves(d, loop, to); loop = d->nest.outer[loop.i]) {
        uint32_t behind = beyond(d, to).i;
        if (d->exit[loop.i] == NO_ID) d->exit[loop.i] = behind;
        if (d->exit[loop.i] != behind) bits_add(&d->stays, loop.i);
    }
}

static void look_at_exits(DropLoops *d) {
    for (uint32_t n = 0; n < d->func->nodes.count; n++) {
        const Instr *instr = &d->func->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++)
            look_at_exit(d, (Node){n}, instr_succs(d->func, instr)[k]);
    }
}

// ---- Loops that go

static void lead(DropLoops *d, Node from, uint32_t to) {
    d->result->nodes.at[from.i] = (Instr){.kind = I_NOP,
                                          .dest = NO_REG,
                                          .succ_count = 1,
                                          .succ = {{to}},
                                          .loc = func_at(d->func, from)->loc};
}

static void drop(DropLoops *d, Node header) {
    uint32_t entry, behind = d->exit[header.i];
    if (behind == NO_ID || func_phi_count(d->func, (Node){behind}) ||
        !header_is_plain(&d->preds, &d->dom, header, &entry))
        return;
    Node front = preds_at(&d->preds, header)[entry];
    if (func_at(d->func, front)->kind != I_NOP) return;
    if (!d->result) d->result = func_clone(d->func, d->arena);
    d->to[header.i] = behind;
    lead(d, front, behind);
    vec_push(d->arena, &d->fronts, front);
}

// The nodes of a dropped loop stand for the node behind it; nobody reads what they have set.
static void clear(DropLoops *d, CopiesHint *hint) {
    const Func *func = d->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t loop = d->nest.loop[n].i;
        uint32_t to = loop == NO_ID ? NO_ID : d->to[loop];
        vec_push(d->arena, &hint->old, (Node){to == NO_ID ? n : to});
        if (to != NO_ID) lead(d, (Node){n}, to);
    }
    vec_clear(&d->result->phis);
    vec_clear(&d->result->phi_at);
    vec_clear(&d->result->phi_args);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        uint32_t loop = d->nest.loop[n].i;
        for (uint32_t i = 0; i < func_phi_count(func, node); i++) {
            const Phi *phi = &func_phis(func, node)[i];
            if (loop == NO_ID || d->to[loop] == NO_ID)
                func_add_phi(d->result, node, phi->dest, phi_args(func, phi),
                             preds_count(&d->preds, node));
        }
    }
    func_end_phis(d->result);
}

// ---- Tests for a first round

// Whether a node does nothing but set a register that nobody reads any more.
static bool is_idle(const DropLoops *d, Node node) {
    const Instr *instr = func_at(d->func, node);
    return instr->kind == I_NOP ||
           (instr_is_removable(instr) && !bits_has(&d->reads, instr->dest.i));
}

// A branch comes over idle nodes to the node in front of a dropped loop, and all its other ways
// lead to the node behind the loop.
static void skip_guard(DropLoops *d, Node front) {
    uint32_t behind = d->result->nodes.at[front.i].succ[0].i;
    Node first = front, guard = preds_sole(&d->preds, front);
    while (guard.i != NO_ID && is_idle(d, guard)) {
        first = guard;
        guard = preds_sole(&d->preds, guard);
    }
    if (guard.i == NO_ID || !instr_is_branch(func_at(d->result, guard))) return;
    const Instr *instr = func_at(d->func, guard);
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        Node to = instr_succs(d->func, instr)[k];
        if (to.i == first.i) continue;
        if (to.i <= guard.i || func_phi_count(d->func, to) || beyond(d, to).i != behind) return;
    }
    lead(d, guard, behind);
}

static void skip_guards(DropLoops *d) {
    const Func *result = d->result;
    d->reads = bits_new(d->arena, result->regs.count);
    for (uint32_t n = 0; n < result->nodes.count; n++)
        for (uint32_t k = 0; k < result->nodes.at[n].arg_count; k++)
            bits_add(&d->reads, instr_args(result, &result->nodes.at[n])[k].i);
    for (uint32_t i = 0; i < result->phi_args.count; i++)
        bits_add(&d->reads, result->phi_args.at[i].i);
    for (uint32_t i = 0; i < d->fronts.count; i++) skip_guard(d, d->fronts.at[i]);
}

static bool find_candidates(DropLoops *d) {
    const Func *func = d->func;
    d->nest = loop_nest_of(d->arena, func, &d->preds, &d->dom);
    if (!d->nest.reducible) return false;
    d->stays = bits_new(d->arena, func->nodes.count);
    d->effects = bits_new(d->arena, func->nodes.count);
    look_at_effects(d);
    bool found = false;
    for (uint32_t n = 0; n < func->nodes.count && !found; n++)
        found = loop_nest_is_header(&d->nest, (Node){n}) && !bits_has(&d->stays, n);
    return found;
}

// The function with ways around loops that make no difference; NULL if there are none. The nodes of
// the loops stay for tidy to remove, as nops to which no way leads.
Func *drop_loops(Arena *arena, const Func *func, CopiesHint *hint) {
    DropLoops d = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    d.dom = dominance_of(arena, func, &d.preds);
    if (!find_candidates(&d)) return NULL;
    d.exit = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    d.to = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) d.exit[n] = d.to[n] = NO_ID;
    look_at_uses(&d);
    look_at_exits(&d);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node header = {n}, outer = d.nest.outer[n];
        if (!loop_nest_is_header(&d.nest, header) || !dominance_reaches(&d.dom, header)) continue;
        // The loops in a dropped loop go with it.
        if (outer.i != NO_ID && d.to[outer.i] != NO_ID)
            d.to[n] = d.to[outer.i];
        else if (!bits_has(&d.stays, n))
            drop(&d, header);
    }
    if (!d.result) return NULL;
    clear(&d, hint);
    skip_guards(&d);
    return d.result;
}
