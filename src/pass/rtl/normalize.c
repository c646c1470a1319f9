// Normalization, in steps that each leave a graph standing for the old one:
//
//   reduce      irreducible regions become loops with one entry: small ones by splitting (a copy of
//               the part that is entered beside the header), others by a dispatch register; for
//               this, and only if there are such regions, the function is copied, behind a fresh
//               nop as entry
//   lay out     one depth-first search puts nodes in reverse postorder, with the nops that edges
//               need: loops with several entries or latches get one that gathers them, each edge
//               that leaves loops gets one per loop it leaves, the two ways of a short branch meet
//               at one before they meet others, and one stands between an instruction other than
//               nop and a join
//   emit        the nodes are copied in that order
//
// A node added in front of another stands for the same old node. Everything is linear but for the
// few rounds of splitting.
#include "pass/pass.h"

#include "analysis/graph.h"
#include "analysis/loops.h"
#include "base/bits.h"
#include "fact/effects.h"

// The meaning of a node of the result.
//   STEP      it is the old node: the same instruction, each successor standing for the old
//             successor
//   STUTTER   it does nothing but lead to the old node: a nop, or the setting of a dispatch
//             register
//   DISPATCH  it leads to the old node that the value of a dispatch register selects
typedef enum { NORM_STEP, NORM_STUTTER, NORM_DISPATCH } NormKind;

typedef struct {
    NormKind kind;
    uint32_t target; // old node (STEP, STUTTER) or index of a dispatch (DISPATCH)
} NormNode;

// A function on the way to a reducible graph.
typedef struct {
    Arena *arena;         // of the pass; the working graph lives here
    Arena *round;         // memory for finding irreducible regions, anew for each round
    Func *work;           // node 0 is the fresh entry
    VEC(NormNode) stands; // per node of `work`
    VEC(CopiesDispatch) dispatches;
    uint32_t split_budget; // nodes that splitting may still add
} Normalize;

static Node succ_at(const Func *func, uint32_t node, uint32_t k) {
    return instr_succs(func, func_at(func, (Node){node}))[k];
}

static uint32_t succ_count(const Func *func, uint32_t node) {
    return func_at(func, (Node){node})->succ_count;
}

static void copy_reachable(Normalize *norm, const Func *func, const Graph *graph) {
    func_nop(norm->work, (Node){1});
    vec_push(norm->arena, &norm->stands, (NormNode){.kind = NORM_STUTTER, .target = 0});
    for (uint32_t i = 0; i < graph->reached; i++) {
        const Instr *instr = func_at(func, (Node){graph->order[i]});
        Node node = func_copy_instr(norm->work, func, instr);
        vec_push(norm->arena, &norm->stands,
                 (NormNode){.kind = NORM_STEP, .target = graph->order[i]});
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t succ = instr_succs(func, instr)[k].i;
            func_set_succ(norm->work, node, k, (Node){graph->number[succ] + 1});
        }
    }
}

// ---- Irreducible regions

// An irreducible region is an outermost irreducible loop. To make the region reducible by dispatch,
// every edge to a target goes through the dispatch instead. Targets are the header, the other
// entries, the targets of irreducible loops inside, and the header of every inner loop that holds a
// target: without edges to targets, a forest of proper loops is left.
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
static bool find_regions(Normalize *norm, Regions *regions) {
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

static EntryEdges entry_edges(Normalize *norm, const Regions *regions) {
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
static bool nodes_beside(const Normalize *norm, const Regions *regions, const EntryEdges *entries,
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

// Gives a region one entry by copying the part that is entered beside the header, if that part is
// small: it may be about twice as large as a dispatch, as it costs nothing at run time.
static bool split_region(Normalize *norm, const Regions *regions, const EntryEdges *entries,
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

static bool split_regions(Normalize *norm, const Regions *regions) {
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
    uint32_t index; // into Normalize.dispatches
    Node node;
    VEC(Node) targets;
} Dispatch;

static Node add_setting(Normalize *norm, const Dispatch *dispatch, uint32_t target,
                        uint32_t value) {
    NormNode stands = {.kind = NORM_STUTTER, .target = norm->stands.at[target].target};
    vec_push(norm->arena, &norm->stands, stands);
    Reg reg = norm->dispatches.at[dispatch->index].reg;
    return func_const(norm->work, reg, value, dispatch->node);
}

// The dispatching node: a branch between two targets, or a switch with the first as default.
static void add_dispatch(Normalize *norm, Dispatch *dispatch) {
    Func *work = norm->work;
    uint32_t count = dispatch->targets.count;
    Reg reg = func_temp(work, TYPE_I32);
    dispatch->index = norm->dispatches.count;
    Node *old = ARENA_ARRAY(norm->arena, Node, count);
    for (uint32_t i = 0; i < count; i++)
        old[i] = (Node){norm->stands.at[dispatch->targets.at[i].i].target};
    vec_push(norm->arena, &norm->dispatches,
             (CopiesDispatch){.reg = reg, .target_count = count, .targets = old});
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

static void dispatch_regions(Normalize *norm, const Regions *regions) {
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

// ---- Layout

// A node of the result.
typedef struct {
    uint32_t node; // of the source; NO_ID if it is an added nop
    uint32_t loop; // index of the innermost loop; NO_ID if none
    // An added nop:
    uint32_t before; // node in front of which it stands, and for which
    uint32_t next;   // item it leads to; NO_ID if that node itself
} LaidNode;

// The nops that gather the edges into a header from outside [0] and from inside [1].
typedef struct {
    uint32_t edges[2]; // how many there are
    uint32_t item[2];  // NO_ID as long as there is none
} Gather;

typedef struct {
    Arena *arena;
    const Func *source; // its graph is reducible
    Graph graph;
    LoopForest loops;
    uint32_t *incoming;     // node -> edges from reachable nodes; one more for the entry
    Gather *gathers;        // per loop
    VEC(LaidNode) items;    // in postorder
    uint32_t *item_of;      // node -> item
    uint32_t *via;          // edge -> item it leads to; NO_ID if directly to the node
    uint32_t *meeting;      // edge -> where the ways of a short branch meet, in `meetings`; NO_ID
    VEC(uint32_t) meetings; // items; NO_ID as long as there is none
} NormalLayout;

static bool is_nop(const NormalLayout *layout, uint32_t node) {
    return layout->source->nodes.at[node].kind == I_NOP;
}

static bool is_header(const NormalLayout *layout, uint32_t node) {
    uint32_t loop = layout->loops.innermost[node];
    return loop != NO_ID && layout->loops.loops[loop].header == node;
}

static void count_edges(NormalLayout *layout) {
    const Graph *graph = &layout->graph;
    layout->incoming = ARENA_ARRAY(layout->arena, uint32_t, graph->count);
    layout->incoming[0] = 1;
    layout->gathers = ARENA_ARRAY(layout->arena, Gather, layout->loops.count);
    for (uint32_t i = 0; i < layout->loops.count; i++)
        layout->gathers[i] = (Gather){.item = {NO_ID, NO_ID}};
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t u = graph->order[i];
        for (uint32_t e = graph->succ_at[u]; e < graph->succ_at[u + 1]; e++) {
            uint32_t v = graph->succ[e];
            layout->incoming[v]++;
            if (!layout->loops.count || !is_header(layout, v)) continue;
            uint32_t loop = layout->loops.innermost[v];
            bool inside = loop_contains(&layout->loops, loop, u);
            layout->gathers[loop].edges[inside] += u == v ? 2 : 1; // a node is not its own latch
        }
    }
}

// Adds a nop in front of a node, leading to an item that is there already or to the node itself.
static uint32_t add_nop(NormalLayout *layout, uint32_t before, uint32_t next, uint32_t loop) {
    LaidNode item = {.node = NO_ID, .loop = loop, .before = before, .next = next};
    vec_push(layout->arena, &layout->items, item);
    return layout->items.count - 1;
}

// The nop that gathers an edge into a header with others; NO_ID if there are no others.
static uint32_t gather(NormalLayout *layout, uint32_t from, uint32_t header) {
    uint32_t loop = layout->loops.innermost[header];
    bool inside = loop_contains(&layout->loops, loop, from);
    Gather *gather = &layout->gathers[loop];
    if (gather->edges[inside] < 2) return NO_ID;
    if (gather->item[inside] == NO_ID)
        gather->item[inside] =
            add_nop(layout, header, NO_ID, inside ? loop : layout->loops.loops[loop].parent);
    return gather->item[inside];
}

// How many nodes from `node` on already serve as pads, up to `wanted`.
static uint32_t count_pads(const NormalLayout *layout, uint32_t node, uint32_t wanted) {
    uint32_t pads = 0;
    while (pads < wanted && is_nop(layout, node) && layout->incoming[node] == 1) {
        pads++;
        node = layout->source->nodes.at[node].succ[0].i;
    }
    return pads;
}

// ---- Short branches

// A branch around a few operators can become a select (if_convert), if its two ways meet at a node
// of their own. At a join with more edges, as `if (a && b) x = y` makes one, the ways would not
// meet at a node of their own.

// From a branch, along one of its edges, through operators that are always defined.
typedef struct {
    uint32_t end; // the edge to the first node that is a join, or something else
    uint32_t operators;
} ArmShape;

static ArmShape arm_from(const NormalLayout *layout, uint32_t edge) {
    enum { LONGEST = 6 };
    const Graph *graph = &layout->graph;
    ArmShape arm = {.end = edge};
    for (uint32_t i = 0; i < LONGEST; i++) {
        uint32_t node = graph->succ[arm.end];
        const Instr *instr = &layout->source->nodes.at[node];
        bool is_operator = instr_is_total(instr);
        if ((!is_operator && instr->kind != I_NOP) || layout->incoming[node] != 1) break;
        arm.operators += is_operator;
        arm.end = graph->succ_at[node];
    }
    return arm;
}

// The number of edges that come to a join like an edge from a node: they meet before a header, or
// at the join. None if loops are left or entered on the way.
static uint32_t edges_beside(const NormalLayout *layout, uint32_t node, uint32_t join) {
    const LoopForest *loops = &layout->loops;
    uint32_t from = loops->innermost[node], to = loops->innermost[join];
    if (!is_header(layout, join)) return from == to ? layout->incoming[join] : 0;
    if (from == to) return layout->gathers[to].edges[1];
    return from == loops->loops[to].parent ? layout->gathers[to].edges[0] : 0;
}

static void find_meetings(NormalLayout *layout) {
    const Graph *graph = &layout->graph;
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = graph->order[i];
        if (layout->source->nodes.at[node].kind != I_COND) continue;
        ArmShape yes = arm_from(layout, graph->succ_at[node]);
        ArmShape no = arm_from(layout, graph->succ_at[node] + 1);
        uint32_t join = graph->succ[yes.end];
        if (join != graph->succ[no.end] || !yes.operators == !no.operators ||
            edges_beside(layout, node, join) < 3)
            continue;
        layout->meeting[yes.end] = layout->meeting[no.end] = layout->meetings.count;
        vec_push(layout->arena, &layout->meetings, NO_ID);
    }
}

// The nop at which an edge meets the edge of the other way, on to `next`; `next` if there is none.
static uint32_t meet(NormalLayout *layout, uint32_t edge, uint32_t next, uint32_t loop) {
    if (layout->meeting[edge] == NO_ID) return next;
    uint32_t *item = &layout->meetings.at[layout->meeting[edge]];
    if (*item == NO_ID) *item = add_nop(layout, layout->graph.succ[edge], next, loop);
    return *item;
}

// Adds the nops that an edge needs, once its target is laid out or under way.
static void finish_edge(NormalLayout *layout, uint32_t from, uint32_t edge) {
    const LoopForest *loops = &layout->loops;
    uint32_t to = layout->graph.succ[edge], next, pads = 0;
    uint32_t inner = loops->innermost[from], loop = inner;
    bool header = is_header(layout, to);
    next = meet(layout, edge, header ? gather(layout, from, to) : NO_ID, inner);
    for (; loop != NO_ID && !loop_contains(loops, loop, to); loop = loops->loops[loop].parent)
        pads++;
    if (pads && next == NO_ID) pads -= count_pads(layout, to, pads);
    if (!pads && !is_nop(layout, from) && (header || layout->incoming[to] > 1))
        next = add_nop(layout, to, next, inner);
    for (; pads > 0; pads--) next = add_nop(layout, to, next, loop);
    layout->via[edge] = next;
}

// Lays out everything that can be reached from a node, by the search that defines the order: it
// visits successors last to first.
static void lay_out(NormalLayout *layout, uint32_t root) {
    const Graph *graph = &layout->graph;
    uint32_t *left = graph_table(layout->arena, graph->count); // edges from here on are done
    layout->item_of = graph_table(layout->arena, graph->count);
    layout->via = ARENA_ARRAY(layout->arena, uint32_t, graph->succ_at[graph->count]);
    left[root] = graph->succ_at[root + 1];
    for (uint32_t node = root;;) {
        if (left[node] > graph->succ_at[node]) {
            uint32_t edge = --left[node], succ = graph->succ[edge];
            if (left[succ] != NO_ID) {
                finish_edge(layout, node, edge);
                continue;
            }
            left[succ] = graph->succ_at[succ + 1];
            node = succ;
        } else {
            LaidNode item = {.node = node, .loop = layout->loops.innermost[node]};
            layout->item_of[node] = layout->items.count;
            vec_push(layout->arena, &layout->items, item);
            if (node == root) return;
            node = graph->parent[node];
            finish_edge(layout, node, left[node]);
        }
    }
}

// ---- The result

static Node number_of(const NormalLayout *layout, uint32_t item) {
    return (Node){layout->items.count - 1 - item};
}

static void emit_item(const NormalLayout *layout, const LaidNode *item, Func *func) {
    if (item->node == NO_ID) {
        uint32_t next = item->next != NO_ID ? item->next : layout->item_of[item->before];
        func_nop(func, number_of(layout, next));
        return;
    }
    const Graph *graph = &layout->graph;
    uint32_t first = graph->succ_at[item->node];
    Node node = func_copy_instr(func, layout->source, &layout->source->nodes.at[item->node]);
    for (uint32_t e = first; e < graph->succ_at[item->node + 1]; e++) {
        uint32_t via = layout->via[e];
        func_set_succ(func, node, e - first,
                      number_of(layout, via != NO_ID ? via : layout->item_of[graph->succ[e]]));
    }
}

// The old node for which an item stands; `stands` gives it for the nodes of the source, NULL if
// these are the old nodes.
static NormNode item_stands(const LaidNode *item, const NormNode *stands) {
    uint32_t node = item->node != NO_ID ? item->node : item->before;
    NormNode result = {.kind = NORM_STEP, .target = node};
    if (stands) result = stands[node];
    if (item->node == NO_ID && result.kind == NORM_STEP) result.kind = NORM_STUTTER;
    return result;
}

// The result; `old` is the number of nodes of the function, `added` those nodes that perform none.
static Func *emit_items(const NormalLayout *layout, Arena *arena, const NormNode *stands,
                        uint32_t old, CopiesHint *hint, Bits *added) {
    uint32_t count = layout->items.count;
    Func *func = func_like(layout->source, arena);
    func->nodes.at = ARENA_ARRAY(arena, Instr, count);
    func->nodes.capacity = count;
    Node *place = vec_extend(arena, &hint->old, count);
    *added = bits_new(arena, count);
    for (uint32_t i = count; i-- > 0;) {
        const LaidNode *item = &layout->items.at[i];
        NormNode stand = item_stands(item, stands);
        uint32_t n = number_of(layout, i).i;
        emit_item(layout, item, func);
        place[n].i = stand.target + (stand.kind == NORM_DISPATCH ? old : 0);
        if (stand.kind != NORM_STEP) bits_add(added, n);
    }
    return func;
}

static bool is_reducible(const LoopForest *loops) {
    for (uint32_t i = 0; i < loops->count; i++)
        if (loops->loops[i].irreducible) return false;
    return true;
}

// Makes the graph reducible in a copy of the function, to be laid out instead.
static void reduce(Normalize *norm, NormalLayout *layout) {
    enum { ROUNDS = 4 };
    Regions regions;
    norm->round = arena_new("normalize");
    norm->work = func_like(layout->source, norm->arena);
    copy_reachable(norm, layout->source, &layout->graph);
    norm->split_budget = norm->work->nodes.count + 64;
    for (uint32_t round = 0; find_regions(norm, &regions); round++)
        if (round >= ROUNDS || !split_regions(norm, &regions)) dispatch_regions(norm, &regions);
    arena_free(norm->round);
    layout->source = norm->work;
    layout->graph = graph_of(norm->arena, norm->work);
    layout->loops = loops_of(norm->arena, &layout->graph);
}

Func *normalize_marked(Arena *arena, const Func *func, CopiesHint *hint, Bits *added,
                       bool meetings) {
    Normalize norm = {.arena = arena};
    NormalLayout layout = {.arena = arena, .source = func, .graph = graph_of(arena, func)};
    layout.loops = loops_of(arena, &layout.graph);
    bool reducible = is_reducible(&layout.loops);
    if (!reducible) reduce(&norm, &layout);
    count_edges(&layout);
    layout.meeting = graph_table(arena, layout.graph.succ_at[layout.graph.count]);
    if (meetings) find_meetings(&layout);
    // A fresh entry is there, or needed, only if something leads back to the old one.
    uint32_t root = 0;
    if (!reducible && layout.incoming[layout.graph.succ[0]] == 1) root = layout.graph.succ[0];
    lay_out(&layout, root);
    if (layout.incoming[root] > 1) add_nop(&layout, root, NO_ID, NO_ID);
    for (uint32_t i = 0; i < norm.dispatches.count; i++)
        vec_push(arena, &hint->dispatches, norm.dispatches.at[i]);
    return emit_items(&layout, arena, norm.stands.at, func->nodes.count, hint, added);
}

// The normal form of a function and the hint that shows why both do the same. Both live in the
// arena.
Func *normalize(Arena *arena, const Func *func, CopiesHint *hint) {
    Bits added;
    return normalize_marked(arena, func, hint, &added, true);
}
