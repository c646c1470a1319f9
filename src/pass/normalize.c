// Normalization, in steps that each leave a graph standing for the old one:
//
//   copy        reachable nodes only, behind a fresh nop as entry
//   reduce      irreducible regions become loops with one entry: small ones by splitting (a copy of
//   the
//               part that is entered beside the header), others by a dispatch register
//   enter       loops with several entries or latches get a nop that gathers them
//   pad         each edge that leaves loops gets one nop per loop it leaves
//   join        an instruction other than nop that leads to a join gets a nop between
//   finish      nodes in reverse postorder; the fresh entry goes if it was not needed
//
// A node added in front of another stands for the same old node, so the hint grows with the graph.
// Everything is linear but for the rounds of splitting, of which there are few.
#include "pass/normalize.h"

#include "analysis/graph.h"
#include "analysis/loops.h"
#include "base/bits.h"

typedef struct {
    Arena *arena; // of the pass; the working graph lives here
    Arena *round; // what finding irreducible regions needs, anew for each round
    Func *work;   // node 0 is the fresh entry
    VEC(NormNode)
    stands; // per node of `work`; `loop` holds an index into `loops` for the time being
    VEC(NormDispatch) dispatches;
    uint32_t split_budget; // nodes that splitting may still add
    Graph graph;           // of `work` once it is reducible; nodes added later are not in it
    LoopForest loops;
} Norm;

static Node succ_at(const Func *func, uint32_t node, uint32_t k) {
    return instr_succs(func, func_at(func, (Node){node}))[k];
}

static uint32_t succ_count(const Func *func, uint32_t node) {
    return func_at(func, (Node){node})->succ_count;
}

// A nop in front of a node, in a loop, standing for what the node stands for.
static Node nop_before(Norm *norm, Node node, uint32_t loop) {
    NormNode stands = norm->stands.at[node.i];
    if (stands.kind == NORM_STEP) stands.kind = NORM_STUTTER;
    stands.loop = (Node){loop};
    vec_push(norm->arena, &norm->stands, stands);
    return func_nop(norm->work, node);
}

static void copy_reachable(Norm *norm, const Func *func) {
    Graph graph = graph_of(norm->round, func);
    func_nop(norm->work, (Node){1});
    vec_push(norm->arena, &norm->stands, (NormNode){.kind = NORM_STUTTER, .target = 0});
    for (uint32_t i = 0; i < graph.reached; i++) {
        const Instr *instr = func_at(func, (Node){graph.order[i]});
        Node node = func_copy_instr(norm->work, func, instr);
        vec_push(norm->arena, &norm->stands,
                 (NormNode){.kind = NORM_STEP, .target = graph.order[i]});
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t succ = instr_succs(func, instr)[k].i;
            func_set_succ(norm->work, node, k, (Node){graph.number[succ] + 1});
        }
    }
}

// ---- Irreducible regions

// An irreducible region is an outermost irreducible loop. To make it reducible by dispatch, every
// edge to one of its targets goes through the dispatch instead. Targets are the header, the other
// entries, those of irreducible loops inside, and the header of every inner loop that holds a
// target: what is left without edges to targets is a forest of proper loops.
typedef struct {
    Graph graph;
    LoopForest loops;
    uint32_t *region; // per loop: its outermost irreducible loop, NO_ID if none
    bool *is_target;  // per node
    uint32_t *size;   // per region: nodes that a dispatch would add
} Regions;

static uint32_t region_of(const Regions *regions, uint32_t node) {
    uint32_t loop = regions->loops.innermost[node];
    return loop == NO_ID ? NO_ID : regions->region[loop];
}

// Marks a node, and the headers of all loops up to its region that hold it.
static void mark_target(Regions *regions, uint32_t node) {
    uint32_t region = region_of(regions, node);
    uint32_t loop = regions->loops.innermost[node];
    if (regions->is_target[node]) return; // and so are the headers around it
    regions->is_target[node] = true;
    while (loop != NO_ID) {
        uint32_t header = regions->loops.loops[loop].header;
        if (regions->is_target[header] && header != node) return;
        regions->is_target[header] = true;
        if (loop == region) return;
        loop = regions->loops.loops[loop].parent;
    }
}

// Marks the target of an edge that enters a loop beside its header.
static void mark_entry(Regions *regions, uint32_t from, uint32_t to) {
    const LoopForest *loops = &regions->loops;
    uint32_t loop = loops->innermost[to];
    while (loop != NO_ID && !loop_contains(loops, loop, from)) {
        if (loops->loops[loop].header != to) {
            mark_target(regions, to);
            return;
        }
        loop = loops->loops[loop].parent;
    }
}

// Finds the regions and their targets; false if the graph is reducible.
static bool find_regions(Norm *norm, Regions *regions) {
    const Func *work = norm->work;
    arena_reset(norm->round);
    *regions = (Regions){.graph = graph_of(norm->round, work)};
    regions->loops = loops_of(norm->round, &regions->graph);
    const LoopForest *loops = &regions->loops;
    regions->region = ARENA_ARRAY(norm->round, uint32_t, loops->count);
    regions->is_target = ARENA_ARRAY(norm->round, bool, work->nodes.count);
    regions->size = ARENA_ARRAY(norm->round, uint32_t, loops->count);
    bool any = false;
    for (uint32_t i = 0; i < loops->count; i++) { // parents come first
        uint32_t parent = loops->loops[i].parent;
        uint32_t outer = parent == NO_ID ? NO_ID : regions->region[parent];
        regions->region[i] = outer != NO_ID ? outer : loops->loops[i].irreducible ? i : NO_ID;
        any |= loops->loops[i].irreducible;
    }
    if (!any) return false;
    for (uint32_t i = 0; i < regions->graph.reached; i++) {
        uint32_t u = regions->graph.order[i];
        for (uint32_t k = 0; k < succ_count(work, u); k++)
            if (region_of(regions, succ_at(work, u, k).i) != NO_ID)
                mark_entry(regions, u, succ_at(work, u, k).i);
    }
    for (uint32_t i = 0; i < regions->graph.reached; i++) {
        uint32_t u = regions->graph.order[i];
        for (uint32_t k = 0; k < succ_count(work, u); k++) {
            uint32_t v = succ_at(work, u, k).i;
            if (regions->is_target[v]) regions->size[region_of(regions, v)] += 2;
        }
    }
    return true;
}

// The edges that enter regions from outside, but not at the header, linked by region.
typedef struct {
    uint32_t from, k;
    uint32_t next; // of the same region, NO_ID at the end
} EntryEdge;

typedef struct {
    VEC(EntryEdge) edges;
    uint32_t *first; // per loop
} EntryEdges;

static EntryEdges entry_edges(Norm *norm, const Regions *regions) {
    const Func *work = norm->work;
    EntryEdges entries = {.first = ARENA_ARRAY(norm->round, uint32_t, regions->loops.count)};
    for (uint32_t i = 0; i < regions->loops.count; i++) entries.first[i] = NO_ID;
    for (uint32_t i = 0; i < regions->graph.reached; i++) {
        uint32_t u = regions->graph.order[i];
        for (uint32_t k = 0; k < succ_count(work, u); k++) {
            uint32_t v = succ_at(work, u, k).i, region = region_of(regions, v);
            if (region == NO_ID || regions->loops.loops[region].header == v ||
                loop_contains(&regions->loops, region, u))
                continue;
            uint32_t next = entries.first[region];
            entries.first[region] = entries.edges.count;
            vec_push(norm->round, &entries.edges, (EntryEdge){.from = u, .k = k, .next = next});
        }
    }
    return entries;
}

// The nodes of a region that its entries beside the header reach without passing the header; false
// if there are more than `limit`.
static bool nodes_beside(const Norm *norm, const Regions *regions, const EntryEdges *entries,
                         uint32_t region, uint32_t limit, SparseSet *found) {
    const Func *work = norm->work;
    uint32_t header = regions->loops.loops[region].header;
    sparse_clear(found);
    for (uint32_t e = entries->first[region]; e != NO_ID; e = entries->edges.at[e].next)
        sparse_put(found, succ_at(work, entries->edges.at[e].from, entries->edges.at[e].k).i);
    for (uint32_t at = 0; at < found->count && found->count <= limit; at++) {
        uint32_t u = found->members[at];
        for (uint32_t k = 0; k < succ_count(work, u); k++) {
            uint32_t v = succ_at(work, u, k).i;
            if (v != header && region_of(regions, v) == region) sparse_put(found, v);
        }
    }
    return found->count <= limit;
}

// Gives a region one entry by copying what is entered beside the header, if that is small: measured
// against what a dispatch would add, and costing nothing at run time, it may be about twice as
// large.
static bool split_region(Norm *norm, const Regions *regions, const EntryEdges *entries,
                         uint32_t region, SparseSet *found, uint32_t *copy) {
    uint32_t limit = 2 * regions->size[region] + 8;
    if (limit > norm->split_budget) limit = norm->split_budget;
    if (!nodes_beside(norm, regions, entries, region, limit, found)) return false;
    Func *work = norm->work;
    norm->split_budget -= found->count;
    for (uint32_t i = 0; i < found->count; i++) {
        uint32_t node = found->members[i];
        copy[node] = func_duplicate(work, (Node){node}).i;
        NormNode stands = norm->stands.at[node];
        vec_push(norm->arena, &norm->stands, stands);
    }
    for (uint32_t i = 0; i < found->count; i++) {
        uint32_t node = copy[found->members[i]];
        for (uint32_t k = 0; k < succ_count(work, node); k++) {
            uint32_t succ = succ_at(work, node, k).i;
            if (sparse_has(found, succ)) func_set_succ(work, (Node){node}, k, (Node){copy[succ]});
        }
    }
    for (uint32_t e = entries->first[region]; e != NO_ID; e = entries->edges.at[e].next) {
        const EntryEdge *edge = &entries->edges.at[e];
        uint32_t entry = succ_at(work, edge->from, edge->k).i;
        func_set_succ(work, (Node){edge->from}, edge->k, (Node){copy[entry]});
    }
    return true;
}

static bool split_regions(Norm *norm, const Regions *regions) {
    uint32_t count = norm->work->nodes.count;
    EntryEdges entries = entry_edges(norm, regions);
    SparseSet found = sparse_new(norm->round, count);
    uint32_t *copy = ARENA_ARRAY(norm->round, uint32_t, count);
    bool any = false;
    for (uint32_t i = 0; i < regions->loops.count; i++)
        if (regions->region[i] == i) any |= split_region(norm, regions, &entries, i, &found, copy);
    return any;
}

// ---- Dispatch

// The dispatch of one region: its node, and for each target the nodes that set the register on
// edges from outside and from inside (kept apart, so that the dispatch is a loop header with one
// entry).
typedef struct {
    uint32_t index; // into Norm.dispatches
    Node node;
    VEC(Node) targets;
} Dispatch;

static Node add_setting(Norm *norm, const Dispatch *dispatch, uint32_t target, uint32_t value) {
    NormNode stands = {.kind = NORM_STUTTER, .target = norm->stands.at[target].target};
    vec_push(norm->arena, &norm->stands, stands);
    Reg reg = norm->dispatches.at[dispatch->index].reg;
    return func_const(norm->work, reg, value, dispatch->node);
}

// The dispatching node: a branch between two targets, or a switch with the first as default.
static void add_dispatch(Norm *norm, Dispatch *dispatch) {
    Func *work = norm->work;
    uint32_t count = dispatch->targets.count;
    Reg reg = func_temp(work, TYPE_I32);
    dispatch->index = norm->dispatches.count;
    Node *old = ARENA_ARRAY(norm->arena, Node, count);
    for (uint32_t i = 0; i < count; i++)
        old[i] = (Node){norm->stands.at[dispatch->targets.at[i].i].target};
    vec_push(norm->arena, &norm->dispatches,
             (NormDispatch){.reg = reg, .target_count = count, .targets = old});
    Instr instr = {.kind = I_SWITCH, .dest = NO_REG};
    if (count == 2)
        instr = (Instr){.kind = I_COND, .op = OP_EQ_I32, .immediate = true, .dest = NO_REG};
    dispatch->node = func_add(work, instr);
    func_set_args(work, dispatch->node, &reg, 1);
    func_set_succs(work, dispatch->node, dispatch->targets.at, count);
    if (count != 2) {
        int64_t *cases = ARENA_ARRAY(norm->arena, int64_t, count);
        for (uint32_t i = 1; i < count; i++) cases[i] = i;
        uint32_t at = func_add_cases(work, cases + 1, count - 1);
        work->nodes.at[dispatch->node.i].aux = at;
    }
    NormNode stands = {.kind = NORM_DISPATCH, .target = dispatch->index};
    vec_push(norm->arena, &norm->stands, stands);
}

static void dispatch_regions(Norm *norm, const Regions *regions) {
    Func *work = norm->work;
    uint32_t count = work->nodes.count;
    Dispatch *dispatches = ARENA_ARRAY(norm->round, Dispatch, regions->loops.count);
    uint32_t *value = ARENA_ARRAY(norm->round, uint32_t, count);
    Node(*setting)[2] = arena_alloc(norm->round, size_mul(count, sizeof *setting));
    for (uint32_t i = 0; i < regions->graph.reached; i++) {
        uint32_t v = regions->graph.order[i];
        if (!regions->is_target[v]) continue;
        Dispatch *dispatch = &dispatches[region_of(regions, v)];
        value[v] = dispatch->targets.count;
        vec_push(norm->round, &dispatch->targets, (Node){v});
    }
    for (uint32_t i = 0; i < regions->loops.count; i++)
        if (regions->region[i] == i) add_dispatch(norm, &dispatches[i]);
    for (uint32_t i = 0; i < regions->graph.reached; i++) {
        uint32_t u = regions->graph.order[i];
        for (uint32_t k = 0; k < succ_count(work, u); k++) {
            uint32_t v = succ_at(work, u, k).i;
            if (!regions->is_target[v]) continue;
            uint32_t region = region_of(regions, v);
            bool inside = loop_contains(&regions->loops, region, u);
            if (!setting[v][inside].i)
                setting[v][inside] = add_setting(norm, &dispatches[region], v, value[v]);
            func_set_succ(work, (Node){u}, k, setting[v][inside]);
        }
    }
}

static void make_reducible(Norm *norm) {
    enum { ROUNDS = 4 };
    Regions regions;
    for (uint32_t round = 0; find_regions(norm, &regions); round++)
        if (round >= ROUNDS || !split_regions(norm, &regions)) dispatch_regions(norm, &regions);
    norm->graph = regions.graph;
    norm->loops = regions.loops;
    for (uint32_t i = 0; i < norm->work->nodes.count; i++)
        norm->stands.at[i].loop = (Node){regions.loops.innermost[i]};
}

// ---- Loops and joins

static uint32_t loop_of(const Norm *norm, uint32_t node) {
    return norm->stands.at[node].loop.i;
}

static uint32_t parent_loop(const Norm *norm, uint32_t loop) {
    return norm->loops.loops[loop].parent;
}

static bool is_header(const Norm *norm, uint32_t node) {
    uint32_t loop = loop_of(norm, node);
    return loop != NO_ID && norm->loops.loops[loop].header == node;
}

// Whether a loop holds a node, be it one that was added.
static bool contains(const Norm *norm, uint32_t loop, uint32_t node) {
    uint32_t inner = loop_of(norm, node);
    return inner != NO_ID && loop_contains(&norm->loops, loop, norm->loops.loops[inner].header);
}

static bool is_reached(const Norm *norm, uint32_t node) {
    return node >= norm->graph.count || graph_reaches(&norm->graph, node);
}

// Gathers the edges into a header that come from outside in one nop, and those from inside in
// another.
static void gather_entries(Norm *norm) {
    Func *work = norm->work;
    uint32_t count = work->nodes.count;
    uint32_t(*edges)[2] = arena_alloc(norm->round, size_mul(count, sizeof *edges));
    Node(*nop)[2] = arena_alloc(norm->round, size_mul(count, sizeof *nop));
    for (int redirect = 0; redirect < 2; redirect++)
        for (uint32_t u = 0; u < count; u++) {
            if (!is_reached(norm, u)) continue;
            for (uint32_t k = 0; k < succ_count(work, u); k++) {
                Node v = succ_at(work, u, k);
                if (!is_header(norm, v.i)) continue;
                uint32_t loop = loop_of(norm, v.i);
                bool inside = contains(norm, loop, u);
                if (!redirect) {
                    edges[v.i][inside] += u == v.i ? 2 : 1; // a node is not its own latch
                } else if (edges[v.i][inside] > 1) {
                    if (!nop[v.i][inside].i)
                        nop[v.i][inside] =
                            nop_before(norm, v, inside ? loop : parent_loop(norm, loop));
                    func_set_succ(work, (Node){u}, k, nop[v.i][inside]);
                }
            }
        }
}

// How many edges lead to each node.
static uint32_t *count_edges(Norm *norm) {
    const Func *work = norm->work;
    uint32_t *edges = ARENA_ARRAY(norm->round, uint32_t, work->nodes.count);
    for (uint32_t u = 0; u < work->nodes.count; u++)
        for (uint32_t k = 0; is_reached(norm, u) && k < succ_count(work, u); k++)
            edges[succ_at(work, u, k).i]++;
    return edges;
}

static bool is_nop(const Func *func, uint32_t node) {
    return func_at(func, (Node){node})->kind == I_NOP;
}

// How many nodes from `node` on already serve as pads, up to `wanted`. A node from `count` on was
// added as a pad for another edge.
static uint32_t count_pads(const Func *work, const uint32_t *edges, uint32_t count, uint32_t node,
                           uint32_t wanted) {
    uint32_t pads = 0;
    while (pads < wanted && node < count && is_nop(work, node) && edges[node] == 1) {
        pads++;
        node = succ_at(work, node, 0).i;
    }
    return pads;
}

static void add_pads(Norm *norm) {
    Func *work = norm->work;
    uint32_t count = work->nodes.count;
    const uint32_t *edges = count_edges(norm);
    for (uint32_t u = 0; u < count; u++) {
        if (!is_reached(norm, u) || loop_of(norm, u) == NO_ID) continue;
        for (uint32_t k = 0; k < succ_count(work, u); k++) {
            Node v = succ_at(work, u, k);
            uint32_t left = 0, loop = loop_of(norm, u);
            for (; loop != NO_ID && !contains(norm, loop, v.i); loop = parent_loop(norm, loop))
                left++;
            if (left) left -= count_pads(work, edges, count, v.i, left);
            for (; left > 0; left--) {
                v = nop_before(norm, v, loop);
                func_set_succ(work, (Node){u}, k, v);
            }
        }
    }
}

static void add_join_nops(Norm *norm) {
    Func *work = norm->work;
    uint32_t count = work->nodes.count;
    const uint32_t *edges = count_edges(norm);
    for (uint32_t u = 0; u < count; u++) {
        if (!is_reached(norm, u) || is_nop(work, u)) continue;
        for (uint32_t k = 0; k < succ_count(work, u); k++) {
            Node v = succ_at(work, u, k);
            if (edges[v.i] > 1)
                func_set_succ(work, (Node){u}, k, nop_before(norm, v, loop_of(norm, u)));
        }
    }
}

// ---- The result

// The header of a loop by its new number.
static Node new_header(const Norm *norm, const Graph *graph, uint32_t loop, uint32_t skip) {
    if (loop == NO_ID) return NO_NODE;
    return (Node){graph->number[norm->loops.loops[loop].header] - skip};
}

// Copies the working graph in reverse postorder. The fresh entry is left out if nothing else leads
// to the node behind it.
static Func *finish(Norm *norm, NormHint *hint) {
    const Func *work = norm->work;
    Graph graph = graph_of(norm->round, work);
    uint32_t skip = count_edges(norm)[succ_at(work, 0, 0).i] == 1;
    Func *func = func_like(work, norm->arena);
    for (uint32_t i = skip; i < graph.reached; i++) {
        uint32_t old = graph.order[i], loop = loop_of(norm, old);
        Node node = func_copy_instr(func, work, func_at(work, (Node){old}));
        for (uint32_t k = 0; k < succ_count(work, old); k++)
            func_set_succ(func, node, k, (Node){graph.number[succ_at(work, old, k).i] - skip});
        uint32_t outer = is_header(norm, old) ? parent_loop(norm, loop) : NO_ID;
        NormNode stands = norm->stands.at[old];
        stands.loop = new_header(norm, &graph, loop, skip);
        vec_push(norm->arena, &hint->nodes, stands);
        vec_push(norm->arena, &hint->outer_loop, new_header(norm, &graph, outer, skip));
    }
    for (uint32_t i = 0; i < norm->dispatches.count; i++)
        vec_push(norm->arena, &hint->dispatches, norm->dispatches.at[i]);
    return func;
}

Func *normalize(Arena *arena, const Func *func, NormHint *hint) {
    Arena *round = arena_new("normalize");
    Norm norm = {.arena = arena, .round = round, .work = func_like(func, arena)};
    copy_reachable(&norm, func);
    norm.split_budget = norm.work->nodes.count + 64;
    make_reducible(&norm);
    gather_entries(&norm);
    add_pads(&norm);
    add_join_nops(&norm);
    Func *result = finish(&norm, hint);
    arena_free(round);
    return result;
}
