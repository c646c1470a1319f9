// Versions of memory for Sea of Nodes.
//
// Each object that the function names becomes a class of its own (fact/memory_classes.h says which
// instruction gives which class a new version). Then one sweep finds the versions at the ends of
// blocks. In the order of the sweep a block comes behind all its predecessors but those of edges
// that go back. At the header of a loop a class gets a memory phi if an instruction of the loop may
// write the class; at another join, if the incoming versions differ. Of these phis only the ones
// stay that a load reads, directly or through others. The header of a loop with further entries
// first has a phi for every class.
//
// The sweep takes time in proportion to classes times blocks and instructions that may write
// several classes. If this is out of proportion to the nodes, the objects that are accessed least
// get no class of their own; they belong to the rest.
#include "pass/son/son_trail.h"

#include "analysis/blocks.h"
#include "analysis/loops.h"
#include "base/bits.h"
#include "fact/effects.h"
#include "fact/memory_classes.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEWEST_CLASSES = 15, // there may be, however many blocks there are
    CLASS_WORK = 8       // for each node, at most
};

typedef struct {
    uint32_t object, uses;
    MemoryClass row;
} ClassCandidate;

// ---- Classes

// The most used object comes first; of objects used alike, the first named.
static int compare_candidates(const void *a, const void *b) {
    const ClassCandidate *x = a, *y = b;
    if (x->uses != y->uses) return x->uses > y->uses ? -1 : 1;
    return x->object < y->object ? -1 : x->object > y->object;
}

static int compare_objects(const void *a, const void *b) {
    const ClassCandidate *x = a, *y = b;
    return x->object < y->object ? -1 : x->object > y->object;
}

static void count_uses(const Func *func, const Places *places, ClassCandidate *candidates) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        uint32_t target = places->target[n];
        if (target == NO_ID) continue;
        bool place = instr_has_address(&func->nodes.at[n]);
        candidates[place ? places->places.at[target].object : target].uses++;
    }
}

// Instructions that may write several classes.
static uint32_t count_wide(const Func *func) {
    uint32_t wide = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        wide += (instr_effects(&func->nodes.at[n]) & (MAY_WRITE | MAY_WRITE_SHARED)) &&
                func->nodes.at[n].base < BASE_SYMBOL;
    return wide;
}

static void choose_classes(Arena *scratch, Func *func, const Places *places, uint32_t blocks) {
    uint32_t times = blocks + count_wide(func);
    uint32_t count = places->shared.count, room = FEWEST_CLASSES, used = 0;
    ClassCandidate *candidates = ARENA_ARRAY(scratch, ClassCandidate, count);
    for (uint32_t i = 0; i < count; i++) candidates[i].object = i;
    for (uint32_t i = 0; i < func->slots.count; i++)
        candidates[1 + i].row = (MemoryClass){.is_slot = true, .ref = i};
    for (uint32_t i = 0; i < places->symbols.capacity; i++) {
        const struct MapSlot *slot = &places->symbols.slots[i];
        if (slot->value != HASH_NONE)
            candidates[slot->value].row = (MemoryClass){.ref = (uint32_t)slot->key};
    }
    count_uses(func, places, candidates);
    candidates[ANYWHERE].uses = 0;
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    if ((uint64_t)CLASS_WORK * func->nodes.count / times > room)
        room = (uint32_t)((uint64_t)CLASS_WORK * func->nodes.count / times);
    while (used < count && used < room && candidates[used].uses) used++;
    qsort(candidates, used, sizeof *candidates, compare_objects);
    for (uint32_t i = 0; i < used; i++)
        vec_push(func->arena, &func->son->classes, candidates[i].row);
}

// ---- Versions

typedef struct {
    Node join;
    uint32_t memory;
    uint32_t version;
    uint32_t args_at; // in Versions.args; one for each predecessor of the join
    bool wanted;      // a load reads it, directly or through other phis
} VersionPhi;

typedef struct {
    Arena *scratch;
    Func *func;
    Preds preds;
    Graph graph;
    Blocks blocks;
    LoopForest loops;
    MemoryClasses classes;
    uint32_t *header;  // block -> the loop that it heads, or NO_ID
    Bits *written;     // loop -> classes that it may write
    uint32_t *leaving; // block, class -> version at the end of the block
    uint32_t *now;     // class -> version, while a block is looked at
    uint32_t *makes, *reads;
    uint32_t version_count;
    VEC(VersionPhi) phis;
    VEC(uint32_t) args;
    VEC(uint32_t) phi_of; // version -> its phi, or NO_ID
} Versions;

static uint32_t new_version(Versions *v, uint32_t phi) {
    vec_push(v->scratch, &v->phi_of, phi);
    return v->phi_of.count - 1;
}

static uint32_t leaving(const Versions *v, Node node, uint32_t memory) {
    uint32_t block = v->blocks.of[node.i];
    return block == NO_ID ? 0 : v->leaving[(size_t)block * v->classes.count + memory];
}

// A write touches, besides the class of its object, only classes below this number.
static uint32_t touched_below(const Versions *v, MemoryWrite write) {
    if (write.all || write.shared) return v->classes.count;
    return write.one == NO_ID ? 0 : MEMORY_REST + 1;
}

// An outer loop may write whatever an inner loop may write. Loops inside others come behind them.
static void find_written(Versions *v) {
    v->written = ARENA_ARRAY(v->scratch, Bits, v->loops.count);
    v->header = graph_table(v->scratch, v->blocks.count);
    for (uint32_t i = 0; i < v->loops.count; i++) {
        v->written[i] = bits_new(v->scratch, v->classes.count);
        v->header[v->loops.loops[i].header] = i;
    }
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        uint32_t block = v->blocks.of[n];
        uint32_t loop = block == NO_ID ? NO_ID : v->loops.innermost[block];
        MemoryWrite write = {.one = NO_ID};
        if (loop != NO_ID) write = memory_write_at(&v->classes, (Node){n});
        for (uint32_t k = 0; k < touched_below(v, write); k++)
            if (memory_write_touches(&v->classes, write, k)) bits_add(&v->written[loop], k);
        if (write.one != NO_ID) bits_add(&v->written[loop], write.one);
    }
    for (uint32_t i = v->loops.count; i-- > 0;) {
        uint32_t outer = v->loops.loops[i].parent;
        if (outer != NO_ID) bits_union(&v->written[outer], &v->written[i]);
    }
}

// Whether a class needs a memory phi at a join; if not, *version is its version there.
static bool differs(const Versions *v, uint32_t block, uint32_t memory, uint32_t *version) {
    Node join = {block_first(&v->blocks, block)};
    uint32_t loop = v->header[block];
    if (loop != NO_ID && (v->loops.loops[loop].irreducible || bits_has(&v->written[loop], memory)))
        return true;
    *version = NO_ID;
    for (uint32_t k = 0; k < preds_count(&v->preds, join); k++) {
        Node from = preds_at(&v->preds, join)[k];
        uint32_t before = v->blocks.of[from.i];
        if (before == NO_ID || before >= block) continue;
        uint32_t one = leaving(v, from, memory);
        if (*version != NO_ID && *version != one) return true;
        *version = one;
    }
    return false;
}

static void enter_block(Versions *v, uint32_t block) {
    Node first = {block_first(&v->blocks, block)};
    bool entry = block == 0;
    uint32_t arity = preds_count(&v->preds, first);
    for (uint32_t k = 0; k < v->classes.count; k++) {
        if (entry)
            v->now[k] = 0;
        else if (arity == 1)
            v->now[k] = leaving(v, *preds_at(&v->preds, first), k);
        else if (differs(v, block, k, &v->now[k])) {
            VersionPhi phi = {.join = first, .memory = k, .args_at = v->args.count};
            v->now[k] = phi.version = new_version(v, v->phis.count);
            vec_push(v->scratch, &v->phis, phi);
            (void)vec_extend(v->scratch, &v->args, arity);
        }
    }
}

static void step(Versions *v, Node node) {
    if (func_at(v->func, node)->kind == I_LOAD)
        v->reads[node.i] = v->now[memory_class_at(&v->classes, node)];
    MemoryWrite write = memory_write_at(&v->classes, node);
    if (memory_write_is_none(write)) return;
    uint32_t version = v->makes[node.i] = new_version(v, NO_ID);
    for (uint32_t k = 0; k < touched_below(v, write); k++)
        if (memory_write_touches(&v->classes, write, k)) v->now[k] = version;
    if (write.one != NO_ID) v->now[write.one] = version;
}

static void sweep(Versions *v) {
    uint32_t classes = v->classes.count;
    v->leaving = ARENA_ARRAY(v->scratch, uint32_t, (size_t)v->blocks.count * classes);
    v->now = ARENA_ARRAY(v->scratch, uint32_t, classes);
    v->makes = graph_table(v->scratch, v->func->nodes.count);
    v->reads = graph_table(v->scratch, v->func->nodes.count);
    new_version(v, NO_ID);
    for (uint32_t b = 0; b < v->blocks.count; b++) {
        enter_block(v, b);
        for (uint32_t i = v->blocks.start[b]; i < v->blocks.start[b + 1]; i++)
            step(v, (Node){v->blocks.order[i]});
        memcpy(v->leaving + (size_t)b * classes, v->now, classes * sizeof *v->now);
    }
    for (uint32_t i = 0; i < v->phis.count; i++) {
        const VersionPhi *phi = &v->phis.at[i];
        for (uint32_t k = 0; k < preds_count(&v->preds, phi->join); k++)
            v->args.at[phi->args_at + k] =
                leaving(v, preds_at(&v->preds, phi->join)[k], phi->memory);
    }
}

// ---- What stays

static void want(Versions *v, uint32_t version, NodeList *work) {
    uint32_t phi = version == NO_ID ? NO_ID : v->phi_of.at[version];
    if (phi == NO_ID || v->phis.at[phi].wanted) return;
    v->phis.at[phi].wanted = true;
    vec_push(v->scratch, work, phi);
}

static void find_wanted(Versions *v) {
    NodeList work = {0};
    for (uint32_t n = 0; n < v->func->nodes.count; n++) want(v, v->reads[n], &work);
    while (work.count) {
        const VersionPhi *phi = &v->phis.at[vec_pop(&work)];
        for (uint32_t k = 0; k < preds_count(&v->preds, phi->join); k++)
            want(v, v->args.at[phi->args_at + k], &work);
    }
}

static int compare_phis(const void *a, const void *b) {
    const VersionPhi *x = a, *y = b;
    if (x->join.i != y->join.i) return x->join.i < y->join.i ? -1 : 1;
    return x->memory < y->memory ? -1 : x->memory > y->memory;
}

// Versions are numbered in the order of nodes, versions of phis before the version of the
// instruction.
static uint32_t *renumber(Versions *v) {
    uint32_t *number = ARENA_ARRAY(v->scratch, uint32_t, v->phi_of.count), next = 1, phi = 0;
    if (v->phis.count) qsort(v->phis.at, v->phis.count, sizeof(VersionPhi), compare_phis);
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        for (; phi < v->phis.count && v->phis.at[phi].join.i == n; phi++)
            if (v->phis.at[phi].wanted) number[v->phis.at[phi].version] = next++;
        if (v->makes[n] != NO_ID) number[v->makes[n]] = next++;
    }
    v->version_count = next;
    return number;
}

static void store(Versions *v) {
    Func *func = v->func;
    Son *son = func->son;
    const uint32_t *number = renumber(v);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        vec_push(func->arena, &son->makes, v->makes[n] == NO_ID ? NO_ID : number[v->makes[n]]);
        vec_push(func->arena, &son->reads, v->reads[n] == NO_ID ? NO_ID : number[v->reads[n]]);
    }
    for (uint32_t i = 0; i < v->phis.count; i++) {
        const VersionPhi *phi = &v->phis.at[i];
        uint32_t arity = preds_count(&v->preds, phi->join), *args = v->args.at + phi->args_at;
        if (!phi->wanted) continue;
        for (uint32_t k = 0; k < arity; k++) args[k] = number[args[k]];
        son_add_memory_phi(func, phi->join, phi->memory, number[phi->version], args, arity);
    }
    son->version_count = v->version_count;
    son_end_memory(func);
}

static void forget(Son *son) {
    vec_clear(&son->classes);
    vec_clear(&son->makes);
    vec_clear(&son->reads);
    vec_clear(&son->memory_phis);
    vec_clear(&son->memory_phi_at);
    vec_clear(&son->memory_args);
}

void son_number_memory(Arena *scratch, Func *func) {
    Versions v = {.scratch = scratch, .func = func, .preds = preds_of(scratch, func)};
    forget(func->son);
    v.graph = graph_of(scratch, func);
    v.blocks = blocks_of(scratch, &v.graph);
    Places places = places_of(scratch, func);
    choose_classes(scratch, func, &places, v.blocks.count);
    v.classes = memory_classes_at(scratch, func, &places);
    v.loops = loops_of(scratch, &v.blocks.graph);
    find_written(&v);
    sweep(&v);
    find_wanted(&v);
    store(&v);
}
