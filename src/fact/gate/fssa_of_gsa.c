// Translates gated SSA to functional SSA.
//
// Gated SSA has gates for the values that merge. The state of memory has no name in gated SSA; it
// needs gates at all joins where its predecessors differ. These gates follow the form's own
// definition, but start from the entry or the header of the innermost loop instead of the immediate
// dominator. A node with one predecessor is reached if the predecessor is reached and the branch
// leads to the node. A join is reached if one of its predecessors is. So there is one gate for each
// node, of constant size. The condition that the loop is entered guards values that are used
// outside of the loop. An operand that makes a loop run comes after the operand that says that the
// loop does run.
//
// A branch on an undefined value makes neither of its gates hold, so that no end is found and no
// loop goes on. Effects before such a branch have to happen all the same: so each region, and the
// function, has a term for the stuck state. The stuck state is the state of the last branch that is
// reached, in any order in which each node comes after its predecessors; or the state of a loop,
// which then never ends.
#include "fact/gate/fssa_of_gsa.h"

#include "base/bits.h"
#include "fact/effects.h"
#include "form/fssa.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"

// A loop, or, as region 0, the whole function.
typedef struct {
    uint32_t parent;      // the region around it; NO_ID for region 0
    uint32_t first, last; // numbers of the region and of the last region in it
    uint32_t children;    // so many have a label
    FssaLoop loop;
    Node header;          // the entry for region 0
    Node before, latch;   // the header's predecessors
    Gate leaves, goes_on; // in terms of one iteration
    Reg stays;            // the condition: that it does not end
} Region;

// A name that no register of the function has, and how many versions of it there are.
typedef struct {
    Str name;
    uint32_t number, versions;
} NameFamily;

typedef struct {
    Arena *arena;
    const Func *func; // with a table of gates of its own, which can be added to
    Func *to;
    Gsa *gsa;
    Preds preds;
    const Definition *definitions;
    Region *regions;
    uint32_t region_count;
    uint32_t *region_of;       // each node
    Reg *state_in, *state_out; // of each node; NO_REG if it is not reachable
    Gate *reached;             // when an iteration of the node's region comes to it
    Gate *joining;             // of a join's predecessor: the same, but of the join's region
    Node *order;               // nodes in an order in which each comes after its predecessors
    uint32_t order_count;
    uint32_t *uses;           // of each gate
    Map gate_terms;           // gate and region to term
    Map closed;               // register and region to the closed register that the region reads
    Bits read_undefined;      // registers that nothing defines
    Node at;                  // the node at hand
    VEC(uint32_t) sites;      // of each register
    VEC(uint32_t) own_region; // of registers that were added, after func->regs.count
    NameFamily states, gates, outs, stay, stucks;
} Builder;

static bool region_contains(const Builder *b, uint32_t outer, uint32_t inner) {
    return b->regions[outer].first <= b->regions[inner].first &&
           b->regions[inner].first <= b->regions[outer].last;
}

static bool has_effect(const Instr *instr) {
    return instr_effects(instr) && !instr_is_branch(instr);
}

// ---- Regions

static void add_region(Builder *b, const LoopNest *loop_nest, uint32_t *region_of_header,
                       LoopGate gates) {
    Node header = gates.header;
    const Node *preds = preds_at(&b->preds, header);
    uint32_t index = b->region_count++;
    region_of_header[header.i] = index;
    b->regions[index] = (Region){.first = loop_nest->first[header.i] + 1,
                                 .last = loop_nest->last[header.i] + 1,
                                 .header = header,
                                 .before = preds[0],
                                 .latch = preds[1],
                                 .leaves = gates.leaves,
                                 .goes_on = gates.goes_on};
}

// Region 0 is the function, then the loops by header.
static void find_regions(Builder *b, const LoopNest *loop_nest) {
    const Func *func = b->func;
    uint32_t loops = func->gsa->loops.count;
    uint32_t *region_of_header = ARENA_ARRAY(b->arena, uint32_t, func->nodes.count);
    b->regions = ARENA_ARRAY(b->arena, Region, loops + 1);
    b->regions[b->region_count++] = (Region){.parent = NO_ID, .last = NO_ID, .loop = NO_FSSA_LOOP};
    for (uint32_t i = 0; i < loops; i++)
        add_region(b, loop_nest, region_of_header, func->gsa->loops.at[i]);
    for (uint32_t i = 1; i <= loops; i++) {
        Node outer = loop_nest->outer[b->regions[i].header.i];
        b->regions[i].parent = outer.i == NO_ID ? 0 : region_of_header[outer.i];
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node loop = loop_nest->loop[n];
        b->region_of[n] = loop.i == NO_ID ? 0 : region_of_header[loop.i];
    }
}

// The second loop in the first one is 1.2. A loop's header comes after the header of the loop
// around it.
static void label_loops(Builder *b) {
    for (uint32_t i = 1; i < b->region_count; i++) {
        Region *region = &b->regions[i], *around = &b->regions[region->parent];
        Out label = {0};
        if (region->parent) out_printf(&label, "%s.", fssa_loop_label(b->to, around->loop));
        out_printf(&label, "%u", ++around->children);
        region->loop = fssa_add_loop(
            b->to, str_intern(&b->to->program->strings, label.text, label.length), around->loop);
        out_free(&label);
    }
}

static bool is_header(const Builder *b, Node node) {
    uint32_t region = b->region_of[node.i];
    return region && b->regions[region].header.i == node.i;
}

// ---- Order

static void order_nodes(Builder *b, const Dominance *dom) {
    const Func *func = b->func;
    uint32_t *missing = ARENA_ARRAY(b->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Node *before = preds_at(&b->preds, (Node){n});
        for (uint32_t k = 0; k < preds_count(&b->preds, (Node){n}); k++)
            missing[n] +=
                dominance_reaches(dom, before[k]) && !is_back_edge(dom, before[k], (Node){n});
    }
    b->order[b->order_count++] = (Node){0};
    for (uint32_t i = 0; i < b->order_count; i++) {
        const Instr *instr = func_at(func, b->order[i]);
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (!is_back_edge(dom, b->order[i], succs[k]) && --missing[succs[k].i] == 0)
                b->order[b->order_count++] = succs[k];
    }
}

// ---- When nodes are reached

// The gate of coming from the beginning of a region to a node in it or in a region inside.
static Gate reached_from(const Builder *b, uint32_t region, Node node) {
    Gate gate = b->reached[node.i];
    for (uint32_t inner = b->region_of[node.i]; inner != region; inner = b->regions[inner].parent)
        gate = gate_and(b->arena, b->gsa, b->reached[b->regions[inner].before.i], gate);
    return gate;
}

static Gate reached_by(const Builder *b, Node node, Gate edge) {
    uint32_t region = b->region_of[node.i];
    if (node.i == 0 || is_header(b, node)) return GATE_TRUE;
    const Node *preds = preds_at(&b->preds, node);
    uint32_t count = preds_count(&b->preds, node);
    Gate gate = GATE_FALSE;
    for (uint32_t k = 0; k < count; k++) {
        Gate way = reached_from(b, region, preds[k]);
        gate = gate_or(b->arena, b->gsa, gate, way);
        if (count > 1) b->joining[preds[k].i] = way;
    }
    return count == 1 ? gate_and(b->arena, b->gsa, gate, edge) : gate;
}

// The conditions under which a branch leads to each of its successors. Only nops lead to joins.
static void add_edges(const Builder *b, Gate *edges, Node node) {
    const Func *func = b->func;
    const Instr *instr = func_at(func, node);
    const Node *succs = instr_succs(func, instr);
    bool branch = instr_is_branch(instr);
    uint32_t cases = instr->kind == I_SWITCH ? gate_cases(b->arena, b->gsa, func, instr) : 0;
    for (uint32_t k = 0; k < instr->succ_count; k++)
        edges[succs[k].i] =
            branch ? gate_of_edge(b->arena, b->gsa, func, instr, cases, k) : GATE_TRUE;
}

static void find_reached(Builder *b) {
    Gate *edges = ARENA_ARRAY(b->arena, Gate, b->func->nodes.count);
    for (uint32_t i = 0; i < b->order_count; i++) {
        Node node = b->order[i];
        b->reached[node.i] = reached_by(b, node, edges[node.i]);
        add_edges(b, edges, node);
    }
}

// ---- Names

// The name itself if no register has it, else with a number.
static NameFamily family(const Builder *b, const char *text) {
    NameFamily family = {.name = str_of(&b->to->program->strings, text)};
    for (uint32_t i = 0; i < b->func->regs.count; i++) {
        const RegInfo *info = &b->func->regs.at[i];
        if (str_same(info->name, family.name) && info->number >= family.number)
            family.number = info->number + 1;
    }
    return family;
}

// A new register that is read in a region, and the node to which it belongs.
static Reg new_register(Builder *b, NameFamily *family, Type type, uint32_t region, uint32_t site) {
    RegInfo info = {.name = family->name,
                    .number = family->number,
                    .version = ++family->versions,
                    .type = type};
    vec_push(b->arena, &b->sites, site);
    vec_push(b->arena, &b->own_region, region);
    return func_add_reg(b->to, info);
}

static uint32_t region_of_register(const Builder *b, Reg reg) {
    if (reg.i >= b->func->regs.count) return b->own_region.at[reg.i - b->func->regs.count];
    Node node = b->definitions[reg.i].node;
    return node.i == NO_ID ? 0 : b->region_of[node.i];
}

// ---- Reading

static uint64_t pair(uint32_t a, uint32_t region) {
    return (uint64_t)a << 32 | region;
}

// The value of a register seen from a region: if the register belongs to loops that do not contain
// the region, its value in the last iteration of each.
static Reg read_register(Builder *b, Reg reg, uint32_t from) {
    uint32_t region = region_of_register(b, reg);
    if (reg.i < b->func->regs.count && b->definitions[reg.i].by == SET_BY_NOTHING)
        bits_add(&b->read_undefined, reg.i);
    while (!region_contains(b, region, from)) {
        uint32_t around = b->regions[region].parent;
        uint32_t known = map_get(&b->closed, pair(reg.i, around));
        if (known == HASH_NONE) {
            Type type = reg_type(b->to, reg);
            NameFamily *names = type == TYPE_VOID ? &b->states : &b->outs;
            Reg out = new_register(b, names, type, around, b->at.i);
            FssaTerm stays = fssa_name(b->to, b->regions[region].stays);
            fssa_add_equation(
                b->to, out,
                fssa_close(b->to, b->regions[region].loop, stays, fssa_name(b->to, reg)));
            map_set(b->arena, &b->closed, pair(reg.i, around), out.i);
            known = out.i;
        }
        reg = (Reg){known};
        region = around;
    }
    return reg;
}

static FssaTerm read_term(Builder *b, Reg reg, uint32_t from) {
    return fssa_name(b->to, read_register(b, reg, from));
}

// ---- Gates

static void count_uses(const Builder *b) {
    const Gsa *gsa = b->gsa;
    for (uint32_t i = 0; i < gsa->gates.count; i++) {
        GateNode gate = gsa->gates.at[i];
        if (gate.kind != GK_AND && gate.kind != GK_OR) continue;
        b->uses[gate.first]++;
        b->uses[gate.second]++;
    }
    for (uint32_t i = 0; i < gsa->merge_args.count; i++) b->uses[gsa->merge_args.at[i].gate.i]++;
    for (uint32_t i = 0; i < gsa->ends.count; i++) b->uses[gsa->ends.at[i].gate.i]++;
    for (uint32_t i = 0; i < gsa->loops.count; i++) {
        b->uses[gsa->loops.at[i].leaves.i]++;
        b->uses[gsa->loops.at[i].goes_on.i]++;
    }
    for (uint32_t n = 0; n < b->func->nodes.count; n++) {
        if (instr_is_branch(func_at(b->func, (Node){n}))) b->uses[b->reached[n].i]++;
        if (b->joining[n].i) b->uses[b->joining[n].i]++;
    }
}

static FssaTerm way_term(Builder *b, const GateAtom *atom, FssaTerm value) {
    while (b->to->fssa->cases.count <= atom->cases) {
        GateCases next = b->gsa->switches.at[b->to->fssa->cases.count];
        fssa_add_cases(b->to, next.count ? b->gsa->case_values.at + next.first : NULL, next.count);
    }
    return fssa_case(b->to, value, atom->cases, (int64_t)atom->way - 1);
}

// A condition of a branch, seen from a region.
static FssaTerm op_term(Builder *b, Op op, const Reg *args, uint32_t count, bool immediate,
                        int64_t imm, uint32_t from) {
    FssaTerm terms[3];
    for (uint32_t i = 0; i < count; i++) terms[i] = read_term(b, args[i], from);
    if (immediate) {
        Type type = op_info(op)->operand[op_info(op)->arity - 1];
        terms[count++] = fssa_const(b->to, type, imm);
    }
    return fssa_op(b->to, op, terms, count);
}

static FssaTerm literal_term(Builder *b, const GateNode *gate, uint32_t from, bool negated) {
    const GateAtom *atom = &b->gsa->atoms.at[gate->first];
    FssaTerm term = atom->op == OP_COUNT ? way_term(b, atom, read_term(b, atom->arg[0], from))
                                         : op_term(b, atom->op, atom->arg, atom->arg_count,
                                                   atom->immediate, atom->imm, from);
    return negated ? fssa_not(b->to, term) : term;
}

static FssaTerm known_gate(const Builder *b, uint32_t gate, uint32_t from) {
    return (FssaTerm){map_get(&b->gate_terms, pair(gate, from))};
}

// A gate whose operands are known. A gate that is used more than once gets a name.
static FssaTerm make_gate(Builder *b, Gate gate, uint32_t from) {
    const GateNode *node = &b->gsa->gates.at[gate.i];
    switch ((GateKind)node->kind) {
    case GK_FALSE:
    case GK_TRUE: return fssa_const(b->to, TYPE_I32, node->kind == GK_TRUE);
    case GK_UNDEF: return fssa_undef(b->to, TYPE_I32);
    case GK_LITERAL: return literal_term(b, node, from, node->negated);
    case GK_AND:
    case GK_OR: break;
    }
    FssaTerm first = known_gate(b, node->first, from), second = known_gate(b, node->second, from);
    FssaTerm term =
        node->kind == GK_AND ? fssa_and(b->to, first, second) : fssa_or(b->to, first, second);
    if (b->uses[gate.i] < 2) return term;
    Reg name = new_register(b, &b->gates, TYPE_I32, from, b->at.i);
    fssa_add_equation(b->to, name, term);
    return fssa_name(b->to, name);
}

// A gate in an iteration of a region.
static FssaTerm gate_term(Builder *b, Gate gate, uint32_t from) {
    VEC(Gate) work = {0};
    vec_push(b->arena, &work, gate);
    while (work.count) {
        Gate top = work.at[work.count - 1];
        const GateNode *node = &b->gsa->gates.at[top.i];
        bool pair_of = node->kind == GK_AND || node->kind == GK_OR;
        if (known_gate(b, top.i, from).i != HASH_NONE) {
            work.count--;
        } else if (pair_of && known_gate(b, node->first, from).i == HASH_NONE) {
            vec_push(b->arena, &work, (Gate){node->first});
        } else if (pair_of && known_gate(b, node->second, from).i == HASH_NONE) {
            vec_push(b->arena, &work, (Gate){node->second});
        } else {
            map_set(b->arena, &b->gate_terms, pair(top.i, from), make_gate(b, top, from).i);
            work.count--;
        }
    }
    return known_gate(b, gate.i, from);
}

// ---- States

static Reg new_state(Builder *b, Node node) {
    return new_register(b, &b->states, TYPE_VOID, b->region_of[node.i], node.i);
}

// The state on entering a node: a new one for a header, or if the predecessors do not all leave the
// same.
static Reg entering_state(Builder *b, Node node) {
    const Node *preds = preds_at(&b->preds, node);
    Reg state = node.i == 0 ? b->to->fssa->entry : NO_REG;
    if (is_header(b, node)) return new_state(b, node);
    for (uint32_t k = 0; k < preds_count(&b->preds, node); k++) {
        Reg other = b->state_out[preds[k].i];
        if (other.i == NO_ID) continue;
        other = read_register(b, other, b->region_of[node.i]);
        if (other.i == state.i) continue;
        if (state.i != NO_ID) return new_state(b, node);
        state = other;
    }
    return state;
}

static void find_states(Builder *b) {
    for (uint32_t n = 0; n < b->func->nodes.count; n++) b->state_in[n] = b->state_out[n] = NO_REG;
    for (uint32_t i = 0; i < b->order_count; i++) {
        Node node = b->at = b->order[i];
        const Instr *instr = func_at(b->func, node);
        Reg in = entering_state(b, node);
        bool goes_on = has_effect(instr) && instr->kind != I_RETURN;
        b->state_in[node.i] = in;
        b->state_out[node.i] = goes_on ? new_state(b, node) : in;
    }
}

static bool makes_state(const Builder *b, Node node) {
    uint32_t at = b->state_in[node.i].i;
    return at >= b->func->regs.count && b->sites.at[at] == node.i &&
           (is_header(b, node) || preds_is_join(&b->preds, node));
}

// The equation of the state on entering a header or a join.
static void merge_states(Builder *b, Node node) {
    uint32_t region = b->region_of[node.i];
    const Node *preds = preds_at(&b->preds, node);
    VEC(FssaTerm) args = {0};
    if (is_header(b, node)) {
        const Region *loop = &b->regions[region];
        FssaTerm first = read_term(b, b->state_out[loop->before.i], loop->parent);
        FssaTerm next = read_term(b, b->state_out[loop->latch.i], region);
        fssa_add_equation(b->to, b->state_in[node.i], fssa_loop(b->to, loop->loop, first, next));
        return;
    }
    for (uint32_t k = 0; k < preds_count(&b->preds, node); k++) {
        Reg state = b->state_out[preds[k].i];
        if (state.i == NO_ID) continue;
        vec_push(b->arena, &args, gate_term(b, b->joining[preds[k].i], region));
        vec_push(b->arena, &args, read_term(b, state, region));
    }
    fssa_add_equation(b->to, b->state_in[node.i], fssa_gamma(b->to, args.at, args.count));
}

// ---- Values

static void add_merges(Builder *b, Node node) {
    const Merge *merges = gsa_merges(b->func, node);
    uint32_t region = b->region_of[node.i];
    for (uint32_t i = 0; i < gsa_merge_count(b->func, node); i++) {
        const MergeArg *args = merge_args(b->func, &merges[i]);
        VEC(FssaTerm) terms = {0};
        if (merges[i].kind == MERGE_MU) {
            FssaTerm first = read_term(b, args[0].reg, b->regions[region].parent);
            FssaTerm next = read_term(b, args[1].reg, region);
            fssa_add_equation(b->to, merges[i].dest,
                              fssa_loop(b->to, b->regions[region].loop, first, next));
            continue;
        }
        for (uint32_t k = 0; k < merges[i].arg_count; k++) {
            vec_push(b->arena, &terms, gate_term(b, args[k].gate, region));
            vec_push(b->arena, &terms, read_term(b, args[k].reg, region));
        }
        fssa_add_equation(b->to, merges[i].dest, fssa_gamma(b->to, terms.at, terms.count));
    }
}

static void add_etas(Builder *b, Node node) {
    uint32_t to = b->region_of[node.i];
    for (uint32_t i = 0; i < gsa_eta_count(b->func, node); i++) {
        Eta eta = gsa_etas(b->func, node)[i];
        uint32_t region = region_of_register(b, eta.source), outer = NO_ID;
        for (uint32_t r = region; !region_contains(b, r, to); r = b->regions[r].parent) outer = r;
        FssaTerm term = read_term(b, eta.source, outer == NO_ID ? to : outer);
        if (outer != NO_ID)
            term = fssa_close(b->to, b->regions[outer].loop,
                              fssa_name(b->to, b->regions[outer].stays), term);
        fssa_add_equation(b->to, eta.dest, term);
        if (outer != NO_ID && b->regions[outer].parent == to)
            map_set(b->arena, &b->closed, pair(eta.source.i, to), eta.dest.i);
    }
}

static FssaTerm total_term(Builder *b, const Instr *instr, uint32_t region) {
    if (!op_info(instr->op)->arity)
        return fssa_constant(b->to, instr->op, instr->high, instr->ref, instr->imm);
    return op_term(b, instr->op, instr_args(b->func, instr), instr->arg_count, instr->immediate,
                   instr->imm, region);
}

static void add_effect(Builder *b, Node node) {
    const Instr *instr = func_at(b->func, node);
    FssaTerm term = fssa_effect(b->to, fssa_name(b->to, b->state_in[node.i]), b->func, instr);
    Instr *copy = &b->to->nodes.at[fssa_at(b->to, term)->ref];
    Reg *args = copy->arg_count <= INLINE_ARGS ? copy->arg : b->to->reg_pool.at + copy->args_at;
    for (uint32_t i = 0; i < copy->arg_count; i++)
        args[i] = read_register(b, args[i], b->region_of[node.i]);
    fssa_add_equation(b->to, b->state_out[node.i], term);
}

static void add_node(Builder *b, Node node) {
    const Instr *instr = func_at(b->func, node);
    b->at = node;
    if (makes_state(b, node)) merge_states(b, node);
    add_etas(b, node);
    add_merges(b, node);
    if (instr->kind == I_OP && !has_effect(instr))
        fssa_add_equation(b->to, instr->dest, total_term(b, instr, b->region_of[node.i]));
    else if (b->state_out[node.i].i != b->state_in[node.i].i)
        add_effect(b, node);
}

// ---- Where control stays

// The state at a branch, and the value that may be undefined.
static FssaTerm stuck_branch(Builder *b, Node node) {
    const Instr *instr = func_at(b->func, node);
    uint32_t region = b->region_of[node.i];
    const Reg *args = instr_args(b->func, instr);
    FssaTerm value =
        instr->kind == I_SWITCH ? read_term(b, args[0], region) : total_term(b, instr, region);
    Reg stuck = new_register(b, &b->stucks, TYPE_VOID, region, node.i);
    fssa_add_equation(b->to, stuck,
                      fssa_stuck(b->to, TYPE_VOID, fssa_name(b->to, b->state_in[node.i]), value));
    return fssa_name(b->to, stuck);
}

// The states in which a region may be stuck.
typedef struct {
    VEC(FssaTerm) arms;
    bool complete; // one of them is surely reached
} Stuck;

static void add_arm(Builder *b, Stuck *stuck, Gate gate, FssaTerm state, uint32_t region) {
    if (stuck->complete) return;
    vec_push(b->arena, &stuck->arms, gate_term(b, gate, region));
    vec_push(b->arena, &stuck->arms, state);
    stuck->complete = gate.i == GATE_TRUE.i;
}

// A loop that never ends.
static void add_loop_arm(Builder *b, Stuck *stuck, const Region *loop) {
    if (stuck->complete) return;
    Reg never = read_register(b, b->state_in[loop->header.i], loop->parent);
    FssaTerm state = fssa_stuck(b->to, TYPE_VOID, fssa_name(b->to, never), NO_FSSA_TERM);
    add_arm(b, stuck, b->reached[loop->before.i], state, loop->parent);
}

static FssaTerm stuck_state(Builder *b, Stuck *stuck, uint32_t region) {
    Reg first = region ? b->state_in[b->regions[region].header.i] : b->to->fssa->entry;
    if (!stuck->complete)
        add_arm(b, stuck, GATE_TRUE,
                fssa_stuck(b->to, TYPE_VOID, fssa_name(b->to, first), NO_FSSA_TERM), region);
    if (stuck->arms.count == 2) return stuck->arms.at[1];
    Reg name = new_register(b, &b->stucks, TYPE_VOID, region, b->regions[region].header.i);
    fssa_add_equation(b->to, name, fssa_gamma(b->to, stuck->arms.at, stuck->arms.count));
    return fssa_name(b->to, name);
}

// For each region, the state in which an iteration is that does not come to an end: its branches
// and the loops in it are looked at, the last one first. Control stays at a reached branch or loop
// that leads to none of the later ones.
static FssaTerm *stuck_states(Builder *b) {
    Stuck *stuck = ARENA_ARRAY(b->arena, Stuck, b->region_count);
    FssaTerm *states = ARENA_ARRAY(b->arena, FssaTerm, b->region_count);
    for (uint32_t i = b->order_count; i-- > 0;) {
        Node node = b->at = b->order[i];
        uint32_t region = b->region_of[node.i];
        if (instr_is_branch(func_at(b->func, node)) && !stuck[region].complete)
            add_arm(b, &stuck[region], b->reached[node.i], stuck_branch(b, node), region);
        if (is_header(b, node))
            add_loop_arm(b, &stuck[b->regions[region].parent], &b->regions[region]);
    }
    for (uint32_t r = 0; r < b->region_count; r++) states[r] = stuck_state(b, &stuck[r], r);
    return states;
}

// ---- Ends

static void add_loops(Builder *b, const FssaTerm *stuck) {
    for (uint32_t r = 1; r < b->region_count; r++) {
        const Region *region = &b->regions[r];
        const GateNode *leaves = &b->gsa->gates.at[region->leaves.i];
        b->at = region->latch;
        FssaTerm stays = leaves->kind == GK_LITERAL
                             ? literal_term(b, leaves, r, !leaves->negated)
                             : fssa_not(b->to, gate_term(b, region->leaves, r));
        fssa_add_equation(b->to, region->stays, stays);
        FssaTerm goes_on = gate_term(b, region->goes_on, r);
        b->to->fssa->loops.at[region->loop.i].goes_on = goes_on;
        b->to->fssa->loops.at[region->loop.i].stuck = stuck[r];
    }
}

// The state that an end leaves, seen from outside of all loops. An end that does not return leaves
// none.
static FssaTerm end_state(Builder *b, Node node) {
    FssaTerm state = read_term(b, b->state_out[node.i], 0);
    if (func_at(b->func, node)->kind == I_RETURN) return state;
    Reg stuck = new_register(b, &b->stucks, TYPE_VOID, 0, node.i);
    fssa_add_equation(b->to, stuck, fssa_stuck(b->to, TYPE_VOID, state, NO_FSSA_TERM));
    return fssa_name(b->to, stuck);
}

static void add_ends(Builder *b, FssaTerm stuck) {
    const Gsa *gsa = b->func->gsa;
    VEC(FssaTerm) states = {0}, results = {0};
    for (uint32_t i = 0; i < gsa->ends.count; i++) {
        EndGate end = gsa->ends.at[i];
        const Instr *instr = func_at(b->func, end.node);
        if (b->state_out[end.node.i].i == NO_ID) continue;
        b->at = end.node;
        FssaTerm gate = gate_term(b, end.gate, 0);
        vec_push(b->arena, &states, gate);
        vec_push(b->arena, &states, end_state(b, end.node));
        if (instr->kind != I_RETURN || !instr->arg_count) continue;
        vec_push(b->arena, &results, gate);
        vec_push(b->arena, &results, read_term(b, instr_args(b->func, instr)[0], 0));
    }
    vec_push(b->arena, &states, fssa_const(b->to, TYPE_I32, 1));
    vec_push(b->arena, &states, stuck);
    b->to->fssa->state = fssa_gamma(b->to, states.at, states.count);
    if (results.count == 2)
        b->to->fssa->result = results.at[1]; // there is no other
    else if (results.count)
        b->to->fssa->result = fssa_gamma(b->to, results.at, results.count);
}

static void add_undefined(Builder *b) {
    for (uint32_t r = 0; r < b->func->regs.count; r++)
        if (bits_has(&b->read_undefined, r))
            fssa_add_equation(b->to, (Reg){r}, fssa_undef(b->to, reg_type(b->func, (Reg){r})));
}

// Where an equation stands: at its node; what says where control stays, behind all others.
static uint32_t rank_of(const Builder *b, Reg reg) {
    const RegInfo *info = &b->to->regs.at[reg.i];
    if (reg.i >= b->func->regs.count && str_same(info->name, b->stucks.name))
        return b->func->nodes.count + 1;
    return b->sites.at[reg.i] == NO_ID ? 0 : b->sites.at[reg.i] + 1;
}

// The order of equations means nothing; for readers, equations stand in the order of their nodes.
static void sort_equations(Builder *b) {
    Fssa *fssa = b->to->fssa;
    uint32_t ranks = b->func->nodes.count + 2, count = fssa->equations.count;
    uint32_t *start = ARENA_ARRAY(b->arena, uint32_t, ranks + 1);
    FssaEquation *sorted = ARENA_ARRAY(b->arena, FssaEquation, count);
    for (uint32_t i = 0; i < count; i++) start[rank_of(b, fssa->equations.at[i].dest) + 1]++;
    for (uint32_t k = 1; k <= ranks; k++) start[k] += start[k - 1];
    for (uint32_t i = 0; i < count; i++)
        sorted[start[rank_of(b, fssa->equations.at[i].dest)]++] = fssa->equations.at[i];
    for (uint32_t i = 0; i < count; i++) fssa->equations.at[i] = sorted[i];
}

// ---- All of it

// The function with a table of gates of its own, which can be added to.
static const Func *with_own_gates(Arena *arena, const Func *func) {
    Func *copy = ARENA_NEW(arena, Func);
    *copy = *func;
    copy->arena = arena;
    copy->cache = NULL;
    copy->gsa = gsa_clone(arena, func->gsa);
    return copy;
}

static Builder begin(Arena *arena, const Func *func) {
    uint32_t nodes = func->nodes.count;
    Builder b = {.arena = arena,
                 .func = with_own_gates(arena, func),
                 .to = fssa_like(func, arena),
                 .preds = preds_of(arena, func),
                 .definitions = definitions_of(arena, func),
                 .region_of = ARENA_ARRAY(arena, uint32_t, nodes),
                 .state_in = ARENA_ARRAY(arena, Reg, nodes),
                 .state_out = ARENA_ARRAY(arena, Reg, nodes),
                 .reached = ARENA_ARRAY(arena, Gate, nodes),
                 .joining = ARENA_ARRAY(arena, Gate, nodes),
                 .order = ARENA_ARRAY(arena, Node, nodes),
                 .read_undefined = bits_new(arena, func->regs.count)};
    b.gsa = b.func->gsa;
    for (uint32_t r = 0; r < func->regs.count; r++)
        vec_push(arena, &b.sites, b.definitions[r].node.i);
    b.states = family(&b, "state");
    b.gates = family(&b, "gate");
    b.outs = family(&b, "out");
    b.stay = family(&b, "stay");
    b.stucks = family(&b, "stuck");
    return b;
}

Func *fssa_of_gsa(Arena *arena, const Func *func, uint32_t **sites) {
    Builder b = begin(arena, func);
    Dominance dom = dominance_of(arena, func, &b.preds);
    LoopNest loop_nest = loop_nest_of(arena, func, &b.preds, &dom);
    find_regions(&b, &loop_nest);
    label_loops(&b);
    order_nodes(&b, &dom);
    find_reached(&b);
    b.uses = ARENA_ARRAY(arena, uint32_t, b.gsa->gates.count);
    count_uses(&b);
    b.to->fssa->entry = new_register(&b, &b.states, TYPE_VOID, 0, 0);
    for (uint32_t r = 1; r < b.region_count; r++)
        b.regions[r].stays = new_register(&b, &b.stay, TYPE_I32, r, b.regions[r].latch.i);
    find_states(&b);
    for (uint32_t i = 0; i < b.order_count; i++) add_node(&b, b.order[i]);
    const FssaTerm *stuck = stuck_states(&b);
    add_loops(&b, stuck);
    add_ends(&b, stuck[0]);
    add_undefined(&b);
    sort_equations(&b);
    if (sites) *sites = b.sites.at;
    return b.to;
}
