// One predicate per block, path compression for all others.
//
// G(n) is the predicate for going from the block that dominates block n immediately to n; the predicate
// P[d, n] for any dominating d is the conjunction of G along the dominator tree. Blocks are taken from
// the last to the first. When d has its turn, everything below it is done, and the trees of its children
// are linked to d one after the other, in the order of their numbers: a child's forward predecessors lie
// in trees that are linked already, so that G(child) = or of P[d, predecessor] can be evaluated. After
// the children, the same gives the gates that start at d: those of exits and latch if d is a header.
#include "pass/gsa_build.h"

#include "ir/nest.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Func *gated;
    GsaBuildHint *hint;
    Preds preds;
    Dominance dom;
    Nest nest;
    uint32_t *head; // node -> first node of its block
    // The forest that is linked so far, of heads.
    uint32_t *ancestor; // NO_ID for a root
    uint32_t *fact;     // from the ancestor to here
    Gate *gate;         // of that fact
    VEC(uint32_t) path; // scratch of compress
    // Children of each head in the dominator tree, ascending.
    uint32_t *child_at, *child;
    uint32_t *join_at; // where the facts of a join stand in hint->paths.joins, and their gates in:
    Gate *join_gate;
    uint32_t *pad_fact; // from the innermost loop that is left at a pad; NO_ID if none is
    Gate *pad_gate;
    uint32_t *way;    // of a node with one predecessor: which of its successors it is
    uint32_t *cases;  // of each switch: its number in the table
    uint32_t *set_at; // register -> the pad behind which it is set
} Build;

// ---- Blocks

static bool starts_block(const Build *b, uint32_t n) {
    if (n == 0 || preds_count(&b->preds, (Node){n}) != 1) return true;
    return func_at(b->func, *preds_at(&b->preds, (Node){n}))->succ_count != 1;
}

static void find_blocks(Build *b) {
    uint32_t count = b->func->nodes.count;
    b->head = ARENA_ARRAY(b->arena, uint32_t, count);
    b->child_at = ARENA_ARRAY(b->arena, uint32_t, (size_t)count + 2);
    for (uint32_t n = 0; n < count; n++) {
        b->head[n] = starts_block(b, n) ? n : b->head[preds_at(&b->preds, (Node){n})->i];
        if (n > 0 && b->head[n] == n) b->child_at[b->head[b->dom.idom[n].i] + 2]++;
    }
    for (uint32_t n = 2; n < count + 2; n++) b->child_at[n] += b->child_at[n - 1];
    b->child = ARENA_ARRAY(b->arena, uint32_t, count);
    for (uint32_t n = 1; n < count; n++)
        if (b->head[n] == n) b->child[b->child_at[b->head[b->dom.idom[n].i] + 1]++] = n;
}

// ---- The forest

static void compress(Build *b, uint32_t at) {
    vec_clear(&b->path);
    for (; b->ancestor[b->ancestor[at]] != NO_ID; at = b->ancestor[at])
        vec_push(b->arena, &b->path, at);
    while (b->path.count) {
        at = vec_pop(&b->path);
        uint32_t above = b->ancestor[at];
        GateFact fact = {.upper = b->fact[above], .lower = b->fact[at]};
        b->fact[at] = b->func->nodes.count + b->hint->paths.facts.count;
        vec_push(b->arena, &b->hint->paths.facts, fact);
        b->gate[at] = gate_and(b->arena, b->gated->gsa, b->gate[above], b->gate[at]);
        b->ancestor[at] = b->ancestor[above];
    }
}

// The fact and the gate from the root of a node's tree to the node.
static uint32_t evaluate(Build *b, uint32_t node, Gate *gate) {
    uint32_t head = b->head[node];
    *gate = GATE_TRUE;
    if (b->ancestor[head] == NO_ID) return FACT_NONE;
    compress(b, head);
    *gate = b->gate[head];
    return b->fact[head];
}

static void link_to(Build *b, uint32_t parent, uint32_t child, Gate gate) {
    b->ancestor[child] = parent;
    b->fact[child] = child;
    b->gate[child] = gate;
}

// ---- Gates

static Gate edge_literal(Build *b, Node from, Node to) {
    const Instr *branch = func_at(b->func, from);
    if (branch->succ_count == 1) return GATE_TRUE;
    uint32_t cases = NO_ID;
    if (branch->kind == I_SWITCH) {
        // The children of a switch come one after the other: its list is looked up once.
        if (b->cases[from.i] == NO_ID)
            b->cases[from.i] = gate_cases(b->arena, b->gated->gsa, b->func, branch);
        cases = b->cases[from.i];
    }
    return gate_of_edge(b->arena, b->gated->gsa, b->func, branch, cases, b->way[to.i]);
}

static Gate gate_to_join(Build *b, Node join) {
    const Node *preds = preds_at(&b->preds, join);
    Gate result = GATE_FALSE, gate;
    for (uint32_t k = 0; k < preds_count(&b->preds, join); k++) {
        b->hint->paths.joins.at[b->join_at[join.i] + k] = evaluate(b, preds[k].i, &gate);
        b->join_gate[b->join_at[join.i] + k] = gate;
        result = gate_or(b->arena, b->gated->gsa, result, gate);
    }
    return result;
}

static void gates_of_children(Build *b, uint32_t head) {
    for (uint32_t i = b->child_at[head]; i < b->child_at[head + 1]; i++) {
        Node child = {b->child[i]};
        bool join = preds_count(&b->preds, child) > 1 && !nest_is_header(&b->nest, child);
        Gate gate =
            join ? gate_to_join(b, child) : edge_literal(b, *preds_at(&b->preds, child), child);
        link_to(b, head, child.i, gate);
    }
}

// ---- Exits

// The loops that are left on the way into a pad, from the innermost on, up to that which holds the pad.
static Node first_left(const Build *b, uint32_t pad) {
    if (pad == 0 || preds_count(&b->preds, (Node){pad}) != 1) return NO_NODE;
    Node loop = b->nest.loop[preds_at(&b->preds, (Node){pad})->i];
    return loop.i == NO_ID || loop.i == b->nest.loop[pad].i ||
                   nest_contains(&b->nest, loop, (Node){pad})
               ? NO_NODE
               : loop;
}

typedef struct {
    uint32_t *at; // pads at which loop number i is left: pad[at[i] .. at[i + 1] - 1]
    uint32_t *pad;
    uint32_t *loop; // header -> number
} Exits;

static void scan_exits(const Build *b, Exits *exits, bool fill) {
    for (uint32_t pad = 0; pad < b->func->nodes.count; pad++) {
        Node around = b->nest.loop[pad];
        for (Node loop = first_left(b, pad); loop.i != around.i; loop = b->nest.outer[loop.i]) {
            if (loop.i == NO_ID) break;
            uint32_t number = exits->loop[loop.i];
            if (fill)
                exits->pad[exits->at[number + 1]++] = pad;
            else
                exits->at[number + 2]++;
        }
    }
}

static Exits find_exits(Build *b) {
    uint32_t count = b->func->nodes.count, loops = 0;
    Exits exits = {.loop = ARENA_ARRAY(b->arena, uint32_t, count)};
    for (uint32_t n = 0; n < count; n++)
        if (nest_is_header(&b->nest, (Node){n})) exits.loop[n] = loops++;
    exits.at = ARENA_ARRAY(b->arena, uint32_t, (size_t)loops + 2);
    scan_exits(b, &exits, false);
    for (uint32_t i = 2; i < loops + 2; i++) exits.at[i] += exits.at[i - 1];
    exits.pad = ARENA_ARRAY(b->arena, uint32_t, exits.at[loops + 1]);
    scan_exits(b, &exits, true);
    return exits;
}

static void gates_of_loop(Build *b, const Exits *exits, Node header) {
    Gsa *gsa = b->gated->gsa;
    uint32_t number = exits->loop[header.i];
    LoopGate loop = {.header = header, .leaves = GATE_FALSE};
    for (uint32_t i = exits->at[number]; i < exits->at[number + 1]; i++) {
        uint32_t pad = exits->pad[i];
        Gate gate;
        uint32_t fact = evaluate(b, pad, &gate);
        b->hint->exits.at[i] = fact;
        loop.leaves = gate_or(b->arena, gsa, loop.leaves, gate);
        if (first_left(b, pad).i != header.i) continue;
        b->pad_fact[pad] = fact;
        b->pad_gate[pad] = gate;
    }
    Node latch = preds_at(&b->preds, header)[1];
    b->hint->latches.at[number] = evaluate(b, latch.i, &loop.goes_on);
    gsa->loops.at[number] = loop;
}

static void gates_of_ends(Build *b) {
    for (uint32_t n = 0; n < b->func->nodes.count; n++) {
        if (b->func->nodes.at[n].succ_count) continue;
        EndGate end = {.node = {n}};
        uint32_t fact = evaluate(b, n, &end.gate);
        vec_push(b->arena, &b->hint->ends, fact);
        vec_push(b->arena, &b->gated->gsa->ends, end);
    }
}

static void find_gates(Build *b) {
    uint32_t count = b->func->nodes.count, loops = 0;
    Exits exits = find_exits(b);
    for (uint32_t n = 0; n < count; n++) loops += nest_is_header(&b->nest, (Node){n});
    (void)vec_extend(b->arena, &b->gated->gsa->loops, loops);
    (void)vec_extend(b->arena, &b->hint->latches, loops);
    (void)vec_extend(b->arena, &b->hint->exits, exits.at[loops]);
    for (uint32_t n = count; n-- > 0;) {
        if (b->head[n] != n) continue;
        gates_of_children(b, n);
        if (nest_is_header(&b->nest, (Node){n})) gates_of_loop(b, &exits, (Node){n});
    }
    gates_of_ends(b);
}

// ---- The gated function

// The copies behind a pad, as close_loops leaves them: moves in the nodes that follow it, none of which
// needs another.
static uint32_t count_copies(Build *b, uint32_t pad) {
    uint32_t n = pad + 1;
    for (; n < b->func->nodes.count && b->head[n] == b->head[pad]; n++) {
        const Instr *instr = &b->func->nodes.at[n];
        if (b->func->nodes.at[n - 1].succ[0].i != n || instr->kind != I_OP ||
            instr->op != op_move(reg_type(b->func, instr->dest)) ||
            b->set_at[instr->arg[0].i] == pad)
            break;
        b->set_at[instr->dest.i] = pad;
    }
    return n - pad - 1;
}

static void add_etas(Build *b, uint32_t pad) {
    if (b->pad_fact[pad] == NO_ID || func_at(b->func, (Node){pad})->kind != I_NOP) return;
    uint32_t count = count_copies(b, pad);
    for (uint32_t i = 1; i <= count; i++) {
        Instr *copy = &b->gated->nodes.at[pad + i];
        gsa_add_eta(b->gated, (Node){pad},
                    (Eta){.dest = copy->dest, .gate = b->pad_gate[pad], .source = copy->arg[0]});
        *copy = (Instr){.kind = I_NOP,
                        .dest = NO_REG,
                        .succ_count = 1,
                        .succ = {copy->succ[0]},
                        .loc = copy->loc};
    }
    if (count) vec_push(b->arena, &b->hint->pads, b->pad_fact[pad]);
}

static void add_merges(Build *b, Node join) {
    const Func *func = b->func;
    uint32_t width = preds_count(&b->preds, join);
    bool header = nest_is_header(&b->nest, join);
    MergeArg *args = ARENA_ARRAY(b->arena, MergeArg, width);
    for (uint32_t i = 0; i < func_phi_count(func, join); i++) {
        const Phi *phi = &func_phis(func, join)[i];
        for (uint32_t k = 0; k < width; k++)
            args[k] = (MergeArg){.reg = phi_args(func, phi)[k],
                                 .gate = header ? GATE_TRUE : b->join_gate[b->join_at[join.i] + k]};
        gsa_add_merge(b->gated, join, header ? MERGE_MU : MERGE_GAMMA, phi->dest, args, width);
    }
}

static void add_blocks(Build *b) {
    b->set_at = ARENA_ARRAY(b->arena, uint32_t, b->func->regs.count);
    for (uint32_t r = 0; r < b->func->regs.count; r++) b->set_at[r] = NO_ID;
    for (uint32_t n = 0; n < b->func->nodes.count; n++) {
        if (func_phi_count(b->func, (Node){n})) add_merges(b, (Node){n});
        add_etas(b, n);
    }
    gsa_end_blocks(b->gated);
}

// ---- The pass

// Whether every join can have gates: the graph is reducible and numbered in reverse postorder, loops
// have one entry and one latch.
static bool is_normal(const Build *b) {
    if (!b->nest.reducible || b->dom.count != b->func->nodes.count) return false;
    for (uint32_t n = 0; n < b->func->nodes.count; n++) {
        Node node = {n};
        const Node *preds = preds_at(&b->preds, node);
        uint32_t count = preds_count(&b->preds, node), forward = 0;
        for (uint32_t k = 0; k < count; k++) forward += preds[k].i < n;
        if (nest_is_header(&b->nest, node) ? count != 2 || forward != 1 : forward != count)
            return false;
    }
    return true;
}

static void prepare(Build *b) {
    uint32_t count = b->func->nodes.count, joins = 0;
    b->ancestor = ARENA_ARRAY(b->arena, uint32_t, count);
    b->fact = ARENA_ARRAY(b->arena, uint32_t, count);
    b->gate = ARENA_ARRAY(b->arena, Gate, count);
    b->join_at = ARENA_ARRAY(b->arena, uint32_t, count);
    b->pad_fact = ARENA_ARRAY(b->arena, uint32_t, count);
    b->pad_gate = ARENA_ARRAY(b->arena, Gate, count);
    b->cases = ARENA_ARRAY(b->arena, uint32_t, count);
    b->way = ARENA_ARRAY(b->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t width = preds_count(&b->preds, (Node){n});
        const Instr *instr = &b->func->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++)
            b->way[instr_succs(b->func, instr)[k].i] = k;
        b->ancestor[n] = b->pad_fact[n] = b->cases[n] = NO_ID;
        b->join_at[n] = joins;
        if (width > 1 && !nest_is_header(&b->nest, (Node){n})) joins += width;
    }
    (void)vec_extend(b->arena, &b->hint->paths.joins, joins);
    b->join_gate = ARENA_ARRAY(b->arena, Gate, joins);
}

Func *gsa_build(Arena *arena, const Func *func, GsaBuildHint *hint) {
    Build build = {.arena = arena, .func = func, .hint = hint, .preds = preds_of(arena, func)};
    build.dom = dominance_of(arena, func, &build.preds);
    build.nest = nest_of(arena, func, &build.preds, &build.dom);
    if (!is_normal(&build)) return NULL;
    build.gated = func_clone(func, arena);
    build.gated->form = FORM_GSA;
    build.gated->gsa = gsa_new(arena);
    vec_clear(&build.gated->phis);
    vec_clear(&build.gated->phi_at);
    vec_clear(&build.gated->phi_args);
    prepare(&build);
    find_blocks(&build);
    find_gates(&build);
    add_blocks(&build);
    return build.gated;
}
