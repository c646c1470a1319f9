// Computes dominator trees. For a function in normal form, one pass over the nodes finds the tree.
// For any other function, the algorithm of Lengauer and Tarjan (1979) in its simple form does, on
// basic blocks: maximal runs of nodes with one way in and one way out. Neither need be believed,
// because `tree_holds` establishes at the end the property that users rely on:
//
//   for every edge k -> n from a reachable node, n is in the tree, and idom(n) is k or an ancestor
//   of k in it.
//
// Then every ancestor of n lies on every path from the entry to n, by induction on the path. The
// last edge of the path is some k -> n; idom(n) and all above it are ancestors of k or k itself, so
// they lie on the path to k. Ancestors are recognized by the numbers that `number_leaves` and
// `number_nodes` assign; both functions follow the definition of a preorder. (`tree_holds` does not
// establish that no dominator is missed; a missed dominator would only make a checker refuse a
// right program.)
#include "graph/dominance.h"

#include "graph/basic_blocks.h"

#include <string.h>

typedef struct {
    uint32_t *head; // node -> first node of its block
    uint32_t *tail; // block's first node -> its last
} Runs;

// The blocks and the search below go by the first node of a block.
typedef struct {
    Arena *scratch;
    const Func *func;
    const Preds *preds;
    Runs runs;
    uint32_t *preorder; // heads in the order of a depth-first search
    uint32_t *parent;   // by number in that order, as all below
    uint32_t *number_of_head;
    uint32_t count;
} DominatorSearch;

static uint32_t *table_of(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) table[i] = NO_ID;
    return table;
}

// Follows the run that starts at `head` to its end.
static uint32_t run_from(DominatorSearch *search, uint32_t head) {
    uint32_t node = head;
    for (;;) {
        search->runs.head[node] = head;
        const Instr *instr = &search->func->nodes.at[node];
        if (instr->succ_count != 1) return node;
        uint32_t next = instr->succ[0].i;
        if (!continues_block(search->func, search->preds, (Node){next})) return node;
        node = next;
    }
}

static void enter(DominatorSearch *search, uint32_t head, uint32_t parent) {
    search->runs.tail[head] = run_from(search, head);
    search->number_of_head[head] = search->count;
    search->parent[search->count] = parent;
    search->preorder[search->count++] = head;
}

// A depth-first search over blocks with a stack of its own.
static void search_blocks(DominatorSearch *search) {
    uint32_t count = search->func->nodes.count;
    uint32_t *stack = ARENA_ARRAY(search->scratch, uint32_t, count);
    uint32_t *next =
        ARENA_ARRAY(search->scratch, uint32_t, count); // successor to look at, by number
    uint32_t depth = 0;
    enter(search, 0, NO_ID);
    stack[depth++] = 0;
    while (depth > 0) {
        uint32_t at = stack[depth - 1];
        const Instr *last = &search->func->nodes.at[search->runs.tail[search->preorder[at]]];
        if (next[at] == last->succ_count) {
            depth--;
            continue;
        }
        uint32_t succ = instr_succs(search->func, last)[next[at]++].i;
        if (search->number_of_head[succ] != NO_ID) continue;
        stack[depth++] = search->count;
        enter(search, succ, at);
    }
}

typedef struct {
    uint32_t *semi, *label, *ancestor, *path;
} Forest;

// The block with the least semidominator on the path from `at` up to, and without, its root.
static uint32_t evaluate(Forest *forest, uint32_t at) {
    if (forest->ancestor[at] == NO_ID) return forest->label[at];
    uint32_t length = 0, node = at;
    for (; forest->ancestor[forest->ancestor[node]] != NO_ID; node = forest->ancestor[node])
        forest->path[length++] = node;
    while (length > 0) {
        node = forest->path[--length];
        uint32_t above = forest->ancestor[node];
        if (forest->semi[forest->label[above]] < forest->semi[forest->label[node]])
            forest->label[node] = forest->label[above];
        forest->ancestor[node] = forest->ancestor[above];
    }
    return forest->label[at];
}

static uint32_t semidominator(DominatorSearch *search, Forest *forest, uint32_t at) {
    Node head = {search->preorder[at]};
    uint32_t semi = at;
    for (uint32_t k = 0; k < preds_count(search->preds, head); k++) {
        uint32_t pred = search->runs.head[preds_at(search->preds, head)[k].i];
        if (pred == NO_ID) continue; // not reachable
        uint32_t other = forest->semi[evaluate(forest, search->number_of_head[pred])];
        if (other < semi) semi = other;
    }
    return semi;
}

// The immediate dominator of each block, by number.
static uint32_t *block_dominators(DominatorSearch *search) {
    uint32_t count = search->count;
    Forest forest = {.semi = ARENA_ARRAY(search->scratch, uint32_t, count),
                     .label = ARENA_ARRAY(search->scratch, uint32_t, count),
                     .ancestor = table_of(search->scratch, count),
                     .path = ARENA_ARRAY(search->scratch, uint32_t, count)};
    uint32_t *idom = table_of(search->scratch, count);
    uint32_t *bucket =
        table_of(search->scratch, count); // list of the blocks with this semidominator
    uint32_t *next = table_of(search->scratch, count);
    for (uint32_t at = 0; at < count; at++) forest.semi[at] = forest.label[at] = at;
    for (uint32_t at = count; at-- > 1;) {
        uint32_t parent = search->parent[at];
        uint32_t semi = forest.semi[at] = semidominator(search, &forest, at);
        next[at] = bucket[semi];
        bucket[semi] = at;
        forest.ancestor[at] = parent;
        for (uint32_t v = bucket[parent]; v != NO_ID; v = next[v]) {
            uint32_t u = evaluate(&forest, v);
            idom[v] = forest.semi[u] < forest.semi[v] ? u : parent;
        }
        bucket[parent] = NO_ID;
    }
    for (uint32_t at = 1; at < count; at++)
        if (idom[at] != forest.semi[at]) idom[at] = idom[idom[at]];
    return idom;
}

// How many nodes lie in the run of a block.
static uint32_t run_length(const DominatorSearch *search, uint32_t head) {
    uint32_t length = 1;
    for (uint32_t node = head; node != search->runs.tail[head]; length++)
        node = search->func->nodes.at[node].succ[0].i;
    return length;
}

// Numbers the nodes of a block from `number` on; the last node dominated is the same for all.
static void number_run(const DominatorSearch *search, Dominance *dom, uint32_t head,
                       uint32_t number, uint32_t last) {
    for (uint32_t node = head;; node = search->func->nodes.at[node].succ[0].i) {
        if (node != head) dom->idom[node] = (Node){dom->order[number - 1]};
        dom->number[node] = number;
        dom->last[node] = last;
        dom->order[number++] = node;
        if (node == search->runs.tail[head]) return;
    }
}

// A block's number in the depth-first search is above that of its dominator, so that sizes add up
// from the last block to the first and places are given out from the first to the last.
static void number_nodes(DominatorSearch *search, Dominance *dom, const uint32_t *idom) {
    uint32_t *size = ARENA_ARRAY(search->scratch, uint32_t, search->count);
    uint32_t *free_at = ARENA_ARRAY(search->scratch, uint32_t, search->count);
    for (uint32_t at = search->count; at-- > 0;) {
        uint32_t length = run_length(search, search->preorder[at]);
        free_at[at] = length; // as an offset, until the block has its place
        size[at] += length;
        if (at > 0) size[idom[at]] += size[at];
    }
    dom->count = size[0];
    dom->order = ARENA_ARRAY(search->scratch, uint32_t, dom->count);
    for (uint32_t at = 0; at < search->count; at++) {
        uint32_t head = search->preorder[at], number = 0;
        if (at > 0) {
            number = free_at[idom[at]];
            free_at[idom[at]] += size[at];
            dom->idom[head] = (Node){search->runs.tail[search->preorder[idom[at]]]};
        }
        free_at[at] += number;
        number_run(search, dom, head, number, number + size[at] - 1);
    }
}

// ---- The quick way

// A node of the tree that grows below.
typedef struct {
    uint32_t parent, depth;
    uint32_t jump; // an ancestor further up, chosen so that any ancestor is found in O(log(depth))
    uint32_t size; // nodes that it dominates
    uint32_t next; // the number that its next child gets
} Leaf;

static uint32_t common_ancestor(const Leaf *leaves, uint32_t a, uint32_t b) {
    if (leaves[a].depth < leaves[b].depth) {
        uint32_t deeper = b;
        b = a;
        a = deeper;
    }
    while (leaves[a].depth > leaves[b].depth) {
        uint32_t jump = leaves[a].jump;
        a = leaves[jump].depth >= leaves[b].depth ? jump : leaves[a].parent;
    }
    while (a != b) {
        bool jump = leaves[a].jump != leaves[b].jump; // both jump equally far
        a = jump ? leaves[a].jump : leaves[a].parent;
        b = jump ? leaves[b].jump : leaves[b].parent;
    }
    return a;
}

// If nodes are numbered in reverse postorder and loops are entered at their headers only, the
// dominator of a node is the nearest common ancestor of its predecessors with smaller numbers.
static void grow_tree(Leaf *leaves, uint32_t count, const Preds *preds) {
    for (uint32_t n = 1; n < count; n++) {
        uint32_t above = NO_ID;
        for (uint32_t i = preds->first[n]; i < preds->first[n + 1]; i++) {
            uint32_t pred = preds->list[i].i;
            if (pred >= n || leaves[pred].parent == NO_ID) continue;
            above = above == NO_ID ? pred : common_ancestor(leaves, above, pred);
        }
        leaves[n].parent = above;
        if (above == NO_ID) continue;
        uint32_t jump = leaves[above].jump, far = leaves[jump].jump;
        bool even =
            leaves[above].depth - leaves[jump].depth == leaves[jump].depth - leaves[far].depth;
        leaves[n].depth = leaves[above].depth + 1;
        leaves[n].jump = even ? far : above;
    }
}

static void number_leaves(Leaf *leaves, uint32_t count, Dominance *dom, Arena *arena) {
    for (uint32_t n = count; n-- > 1;)
        if (leaves[n].parent != NO_ID) leaves[leaves[n].parent].size += ++leaves[n].size;
    dom->count = leaves[0].size + 1;
    dom->order = ARENA_ARRAY(arena, uint32_t, dom->count);
    dom->number[0] = 0;
    dom->last[0] = leaves[0].size;
    leaves[0].next = 1;
    for (uint32_t n = 1; n < count; n++) {
        if (leaves[n].parent == NO_ID) continue;
        uint32_t number = leaves[leaves[n].parent].next;
        leaves[leaves[n].parent].next += leaves[n].size;
        leaves[n].next = number + 1;
        dom->number[n] = number;
        dom->last[n] = number + leaves[n].size - 1;
        dom->order[number] = n;
        dom->idom[n] = (Node){leaves[n].parent};
    }
}

// ---- What can be relied on

// The condition at the head of this file.
static bool tree_holds(const Dominance *dom, uint32_t count, const Preds *preds) {
    for (uint32_t n = 0; n < count; n++) {
        Node above = dom->idom[n];
        for (uint32_t i = preds->first[n]; i < preds->first[n + 1]; i++) {
            Node pred = preds->list[i];
            if (!dominance_reaches(dom, pred) || n == 0) continue; // nothing is above the entry
            if (above.i == NO_ID || !dominates(dom, above, pred)) return false;
        }
    }
    return true;
}

static void start_tree(Dominance *dom, uint32_t count) {
    memset(dom->number, 0xff, count * sizeof *dom->number);
    memset(dom->idom, 0xff, count * sizeof *dom->idom);
}

static Dominance find_dominance(Arena *arena, const Func *func, const Preds *preds) {
    uint32_t count = func->nodes.count;
    Dominance dom = {.number = ARENA_ARRAY(arena, uint32_t, count),
                     .last = ARENA_ARRAY(arena, uint32_t, count),
                     .idom = ARENA_ARRAY(arena, Node, count)};
    Leaf *leaves = ARENA_ARRAY(arena, Leaf, count);
    start_tree(&dom, count);
    grow_tree(leaves, count, preds);
    number_leaves(leaves, count, &dom, arena);
    if (tree_holds(&dom, count, preds)) return dom;

    DominatorSearch search = {
        .scratch = arena,
        .func = func,
        .preds = preds,
        .runs = {.head = table_of(arena, count), .tail = table_of(arena, count)},
        .preorder = ARENA_ARRAY(arena, uint32_t, count),
        .parent = ARENA_ARRAY(arena, uint32_t, count),
        .number_of_head = table_of(arena, count)};
    start_tree(&dom, count);
    search_blocks(&search);
    number_nodes(&search, &dom, block_dominators(&search));
    if (!tree_holds(&dom, count, preds)) fatal("a dominator tree is wrong");
    return dom;
}

Dominance dominance_of(Arena *arena, const Func *func, const Preds *preds) {
    FuncCache *cache = func->cache;
    if (!cache) return find_dominance(arena, func, preds);
    if (!cache->dominance) {
        Dominance *dominance = ARENA_NEW(func->arena, Dominance);
        *dominance = find_dominance(func->arena, func, preds);
        cache->dominance = dominance;
    }
    return *cache->dominance;
}
