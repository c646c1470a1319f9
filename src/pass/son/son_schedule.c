// Out of Sea of Nodes: gives each floating operator a place (Click's global code motion). The hint
// says why the result does the same as the function at the start of the excursion.
//
// A place is in front of a node of the skeleton. The latest place of an operator is the lowest
// place that dominates all its uses: so the operator goes into the branches that alone need it,
// right in front of the first use. If this place is above all uses, and the function at the start
// did not compute the operator there in any case, each of the branches below computes the operator
// instead. Equal operators in the arms of a switch have become one node; computing this node for
// all arms would be a waste.
//
// From its places an operator goes out of loops in which none of its operands is set. An operator
// always leaves a loop in which the function at the start did not compute it in every round; it
// leaves other loops if this pays. A cheap operator that is not computed in every round leaves only
// tiny loops: elsewhere the operator would keep a register busy for nothing. Constants and
// addresses cost less than a register does, and stay with their users.
//
// Loads do not float, so that no load can slip past a store here.
#include "pass/pass.h"

#include "form/son.h"
#include "graph/basic_blocks.h"
#include "graph/versions.h"
#include "pass/son/son_hint.h"
#include "pass/son/son_trail.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_PER_LOOP = 16, // values that one loop may be given from outside
    SMALL_LOOP = 100,   // nodes; there, also what is dear and not computed in every round,
    TINY_LOOP = 80      // and there anything: registers are not scarce
};

typedef struct {
    Arena *arena;
    const Func *func; // Sea of Nodes
    const SonWork *work;
    Preds preds;
    Dominance dom;
    LoopNest loops;
    const Definition *definitions;
    uint32_t *head; // node -> head of its block
    uint32_t *last; // head -> the last node of its block
    uint32_t
        *level; // head -> depth in the tree of blocks, where the parent is the immediate dominator
    uint32_t *jump;        // head -> an ancestor, so that any is found in few jumps
    uint32_t *size;        // header -> nodes of its loop
    Node *latch;           // header -> its latch
    uint32_t *given;       // header -> values that its loop is given from outside
    uint32_t *floating_of; // register -> floating operator that sets it, or NO_ID
    // Of floating operators:
    uint32_t *early; // the lowest node at which an operand is set; NO_ID: the entry
    uint32_t *use;   // the last in `uses`, or NO_ID
    uint32_t *
        copy; // the first of its copies, in preorder of the dominator tree; those of operator i end with copy_end[i]
    uint32_t *copy_end;
    VEC(struct Use {
        uint32_t node; // in front of which it is needed
        uint32_t next;
    })
    uses;
    VEC(struct Copy {
        uint32_t place; // node in front of which it is computed
        Reg reg;
    })
    copies;
    VEC(uint64_t) keys;   // to sort by
    VEC(uint32_t) places; // of the uses of the operator at hand, in preorder of the dominator tree
} Schedule;

// ---- The tree of blocks

static uint32_t parent_of(const Schedule *schedule, uint32_t head) {
    Node idom = schedule->dom.idom[head];
    return idom.i == NO_ID ? head : schedule->head[idom.i];
}

static void build_block_tree(Schedule *schedule) {
    uint32_t count = schedule->func->nodes.count;
    schedule->head = block_heads(schedule->arena, schedule->func, &schedule->preds);
    schedule->last = ARENA_ARRAY(schedule->arena, uint32_t, count);
    schedule->level = ARENA_ARRAY(schedule->arena, uint32_t, count);
    schedule->jump = ARENA_ARRAY(schedule->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) schedule->last[schedule->head[n]] = n;
    for (uint32_t i = 0; i < schedule->dom.count; i++) {
        uint32_t node = schedule->dom.order[i], parent;
        if (schedule->head[node] != node) continue;
        parent = parent_of(schedule, node);
        if (parent == node) {
            schedule->jump[node] = node;
            continue;
        }
        // Skew binary numbers: two jumps of equal length make a longer one.
        uint32_t up = schedule->jump[parent], further = schedule->jump[up];
        schedule->level[node] = schedule->level[parent] + 1;
        bool equal = schedule->level[parent] - schedule->level[up] ==
                     schedule->level[up] - schedule->level[further];
        schedule->jump[node] = equal ? further : parent;
    }
}

// The lowest block that dominates two.
static uint32_t meet_blocks(const Schedule *schedule, uint32_t a, uint32_t b) {
    while (!dominates(&schedule->dom, (Node){a}, (Node){b})) {
        uint32_t jump = schedule->jump[a];
        a = dominates(&schedule->dom, (Node){jump}, (Node){b}) ? parent_of(schedule, a) : jump;
    }
    return a;
}

// The lowest node in front of which something can be computed for two.
static uint32_t meet_places(const Schedule *schedule, uint32_t a, uint32_t b) {
    if (a == NO_ID || b == NO_ID) return a == NO_ID ? b : a;
    uint32_t x = schedule->head[a], y = schedule->head[b];
    if (x == y) return a < b ? a : b;
    uint32_t block = meet_blocks(schedule, x, y);
    return block == x ? a : block == y ? b : schedule->last[block];
}

// ---- Uses

static void note_use(Schedule *schedule, Reg reg, uint32_t node) {
    uint32_t at = schedule->floating_of[reg.i];
    if (at == NO_ID) return;
    struct Use use = {.node = node, .next = schedule->use[at]};
    schedule->use[at] = schedule->uses.count;
    vec_push(schedule->arena, &schedule->uses, use);
}

static void note_uses(Schedule *schedule) {
    const Func *func = schedule->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Reg *args = instr_args(func, instr);
        if (!dominance_reaches(&schedule->dom, (Node){n})) continue;
        for (uint32_t k = 0; k < instr->arg_count; k++) note_use(schedule, args[k], n);
        const Phi *phis = func_phis(func, (Node){n});
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++)
            for (uint32_t k = 0; k < preds_count(&schedule->preds, (Node){n}); k++) {
                Node from = preds_at(&schedule->preds, (Node){n})[k];
                if (dominance_reaches(&schedule->dom, from))
                    note_use(schedule, phi_args(func, &phis[i])[k], from.i);
            }
    }
}

// ---- Loops

static void find_loops(Schedule *schedule) {
    const Func *func = schedule->func;
    uint32_t count = func->nodes.count;
    schedule->size = ARENA_ARRAY(schedule->arena, uint32_t, count);
    schedule->given = ARENA_ARRAY(schedule->arena, uint32_t, count);
    schedule->latch = ARENA_ARRAY(schedule->arena, Node, count);
    if (!schedule->loops.reducible) return;
    for (uint32_t n = 0; n < count; n++) {
        Node header = schedule->loops.loop[n];
        if (header.i == NO_ID) continue;
        schedule->size[header.i]++;
        if (func->nodes.at[n].succ_count == 1 && func->nodes.at[n].succ[0].i == header.i)
            schedule->latch[header.i] = (Node){n};
    }
    // Headers come before those of loops inside.
    for (uint32_t n = count; n--;)
        if (schedule->size[n] && schedule->loops.outer[n].i != NO_ID)
            schedule->size[schedule->loops.outer[n].i] += schedule->size[n];
}

static bool is_expensive(const Instr *instr) {
    switch (op_family(instr->op)) {
    case FAM_MUL:
    case FAM_DIV:
    case FAM_SQRT: return true;
    default: return false;
    }
}

// Whether the function at the start computed an operator in that loop.
static bool was_inside(const Schedule *schedule, const Instr *instr, Node header) {
    const SonWork *work = schedule->work;
    const Node *olds = schedule->func->son->trail->old.at;
    Node old = olds[header.i];
    for (uint32_t n = header.i; old.i == NO_ID;) old = olds[++n]; // loads that are done in front
    // That may have had more ways than are left, and loops with several entries.
    if (instr->dest.i >= work->before->regs.count || !work->loops.reducible) return true;
    Node home = work->definitions[instr->dest.i].node;
    return home.i == NO_ID ||
           (loop_nest_is_header(&work->loops, old) && loop_nest_contains(&work->loops, old, home));
}

// Whether an operator is better computed in front of a loop, which it can be. `place` is where it
// is in the loop.
static bool pays(const Schedule *schedule, const Instr *instr, Node header, uint32_t place) {
    if (!was_inside(schedule, instr, header)) return true;
    if (instr->arg_count == 0 || schedule->given[header.i] >= MOST_PER_LOOP) return false;
    if (dominates(&schedule->dom, (Node){place}, schedule->latch[header.i])) return true;
    return schedule->size[header.i] <= (is_expensive(instr) ? SMALL_LOOP : TINY_LOOP);
}

// The nop that leads to a loop; NO_NODE if there is none.
static Node entry_of(const Schedule *schedule, Node header) {
    uint32_t k;
    if (!header_is_plain(&schedule->preds, &schedule->dom, header, &k)) return NO_NODE;
    Node entry = preds_at(&schedule->preds, header)[k];
    return func_at(schedule->func, entry)->kind == I_NOP ? entry : NO_NODE;
}

static bool is_set_above(const Schedule *schedule, uint32_t at, Node node) {
    uint32_t early = schedule->early[at];
    return early == NO_ID || (early != node.i && dominates(&schedule->dom, (Node){early}, node)) ||
           (early == node.i && func_at(schedule->func, node)->dest.i == NO_ID);
}

// The place in front of loops that a place in them is better exchanged for.
static uint32_t leave_loops(Schedule *schedule, uint32_t at, uint32_t place) {
    const Instr *instr = &schedule->func->son->floating.at[at];
    if (!schedule->loops.reducible) return place;
    Node header = schedule->loops.loop[place];
    while (header.i != NO_ID) {
        Node entry = entry_of(schedule, header);
        if (entry.i == NO_ID || !is_set_above(schedule, at, entry) ||
            !pays(schedule, instr, header, place))
            break;
        schedule->given[header.i]++;
        place = entry.i;
        header = schedule->loops.loop[entry.i];
    }
    return place;
}

// ---- Places

// Of the nodes where two registers are set, the lower one.
static uint32_t lower(const Schedule *schedule, uint32_t a, uint32_t b) {
    if (a == NO_ID || b == NO_ID) return a == NO_ID ? b : a;
    return schedule->dom.number[a] > schedule->dom.number[b] ? a : b;
}

static void find_early(Schedule *schedule) {
    const Func *func = schedule->func;
    for (uint32_t i = 0; i < func->son->floating.count; i++) {
        const Instr *instr = &func->son->floating.at[i];
        schedule->early[i] = NO_ID;
        for (uint32_t k = 0; k < instr->arg_count; k++) {
            uint32_t other = schedule->floating_of[instr->arg[k].i];
            uint32_t node = other != NO_ID ? schedule->early[other]
                                           : schedule->definitions[instr->arg[k].i].node.i;
            schedule->early[i] = lower(schedule, schedule->early[i], node);
        }
    }
}

static int by_preorder(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// In preorder of the dominator tree.
static void sort_places(Schedule *schedule) {
    vec_clear(&schedule->keys);
    if (schedule->places.count < 2) return;
    for (uint32_t i = 0; i < schedule->places.count; i++) {
        uint32_t node = schedule->places.at[i];
        vec_push(schedule->arena, &schedule->keys,
                 (uint64_t)schedule->dom.number[node] << 32 | node);
    }
    qsort(schedule->keys.at, schedule->keys.count, sizeof *schedule->keys.at, by_preorder);
    for (uint32_t i = 0; i < schedule->keys.count; i++)
        schedule->places.at[i] = (uint32_t)schedule->keys.at[i];
}

// The places where an operator is needed.
static void collect_uses(Schedule *schedule, uint32_t at) {
    vec_clear(&schedule->places);
    for (uint32_t i = schedule->use[at]; i != NO_ID; i = schedule->uses.at[i].next)
        vec_push(schedule->arena, &schedule->places, schedule->uses.at[i].node);
    sort_places(schedule);
}

// Whether the function at the start computed an operator on every way to a place.
static bool was_computed_above(const Schedule *schedule, uint32_t at, uint32_t place) {
    const SonWork *work = schedule->work;
    Reg reg = schedule->func->son->floating.at[at].dest;
    if (reg.i >= work->origin_at.count - 1) return false;
    for (uint32_t i = work->origin_at.at[reg.i]; i < work->origin_at.at[reg.i + 1]; i++)
        if (dominates(&schedule->dom, (Node){work->origins.at[i]}, (Node){place})) return true;
    return false;
}

// Where the function at the start computed an operator in the block of a place, at that or before
// it; else the place. A value that only the end of a block needs is better computed where its
// operands are used up.
static uint32_t original_place(const Schedule *schedule, uint32_t at, uint32_t place) {
    const SonWork *work = schedule->work;
    Reg reg = schedule->func->son->floating.at[at].dest;
    uint32_t best = NO_ID;
    if (reg.i >= work->origin_at.count - 1) return place;
    for (uint32_t i = work->origin_at.at[reg.i]; i < work->origin_at.at[reg.i + 1]; i++) {
        uint32_t node = work->origins.at[i];
        if (schedule->head[node] == schedule->head[place] && node <= place &&
            (best == NO_ID || node > best) && is_set_above(schedule, at, (Node){node}))
            best = node;
    }
    return best == NO_ID ? place : best;
}

static void add_copy(Schedule *schedule, uint32_t at, uint32_t place) {
    uint32_t first = leave_loops(schedule, at, place);
    struct Copy copy = {.place = original_place(schedule, at, first), .reg = NO_REG};
    vec_push(schedule->arena, &schedule->copies, copy);
}

// Places copies for the uses first to end - 1. Uses below one child of the block that dominates
// them all are a group.
static void place_uses(Schedule *schedule, uint32_t at, uint32_t first, uint32_t end) {
    const uint32_t *places = schedule->places.at;
    uint32_t meet = meet_places(schedule, places[first], places[end - 1]);
    uint32_t block = schedule->head[meet];
    bool free = schedule->func->son->floating.at[at].arg_count == 0;
    if (block == schedule->head[places[first]] || free || was_computed_above(schedule, at, meet)) {
        add_copy(schedule, at, meet);
        return;
    }
    for (uint32_t i = first; i < end;) {
        uint32_t next = i + 1;
        while (next < end &&
               schedule->head[meet_places(schedule, places[i], places[next])] != block)
            next++;
        place_uses(schedule, at, i, next);
        i = next;
    }
}

// Copies that others dominate are not needed: they have left their loops. In preorder, what
// dominates comes first.
static void drop_copies(Schedule *schedule, uint32_t first) {
    struct Copy *copies = schedule->copies.at;
    uint32_t kept = first;
    if (schedule->copies.count - first < 2) return;
    vec_clear(&schedule->places);
    for (uint32_t i = first; i < schedule->copies.count; i++)
        vec_push(schedule->arena, &schedule->places, copies[i].place);
    sort_places(schedule);
    for (uint32_t i = 0; i < schedule->places.count; i++) {
        Node place = {schedule->places.at[i]};
        if (kept == first || !dominates(&schedule->dom, (Node){copies[kept - 1].place}, place))
            copies[kept++] = (struct Copy){.place = place.i, .reg = NO_REG};
    }
    schedule->copies.count = kept;
}

// Users come after their operands.
static void place_all(Schedule *schedule) {
    const Func *func = schedule->func;
    for (uint32_t i = func->son->floating.count; i-- > 0;) {
        const Instr *instr = &func->son->floating.at[i];
        uint32_t first = schedule->copies.count;
        schedule->copy[i] = first;
        collect_uses(schedule, i);
        if (schedule->places.count) place_uses(schedule, i, 0, schedule->places.count);
        drop_copies(schedule, first);
        schedule->copy_end[i] = schedule->copies.count;
        for (uint32_t c = first; c < schedule->copies.count; c++)
            for (uint32_t k = 0; k < instr->arg_count; k++)
                note_use(schedule, instr->arg[k], schedule->copies.at[c].place);
    }
}

// ---- The function

typedef struct {
    uint32_t *first; // node -> the first copy of a floating operator in front of it, or NO_ID
    uint32_t *next;  // of each copy
    uint32_t *op;    // of each copy
} PlaceLists;

// Operands come before operators.
static PlaceLists list_places(const Schedule *schedule) {
    uint32_t nodes = schedule->func->nodes.count, count = schedule->copies.count;
    PlaceLists lists = {ARENA_ARRAY(schedule->arena, uint32_t, nodes),
                        ARENA_ARRAY(schedule->arena, uint32_t, count),
                        ARENA_ARRAY(schedule->arena, uint32_t, count)};
    memset(lists.first, 0xff, nodes * sizeof *lists.first);
    for (uint32_t i = schedule->func->son->floating.count; i-- > 0;)
        for (uint32_t c = schedule->copy[i]; c < schedule->copy_end[i]; c++) {
            uint32_t place = schedule->copies.at[c].place;
            lists.op[c] = i;
            lists.next[c] = lists.first[place];
            lists.first[place] = c;
        }
    return lists;
}

// The register of the copy of an operator that serves a place.
static Reg reg_at(const Schedule *schedule, Reg reg, uint32_t node) {
    uint32_t at = schedule->floating_of[reg.i];
    if (at == NO_ID) return reg;
    uint32_t low = schedule->copy[at], high = schedule->copy_end[at];
    if (high - low == 0) return reg; // in code that cannot be reached
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2, place = schedule->copies.at[middle].place;
        if (schedule->dom.number[place] <= schedule->dom.number[node])
            low = middle;
        else
            high = middle;
    }
    return schedule->copies.at[low].reg;
}

static void replace_args(const Schedule *schedule, Func *result, Node node, uint32_t place) {
    Instr *instr = &result->nodes.at[node.i];
    Reg *args = instr->arg_count <= INLINE_ARGS ? instr->arg : result->reg_pool.at + instr->args_at;
    for (uint32_t k = 0; k < instr->arg_count; k++) args[k] = reg_at(schedule, args[k], place);
}

// A copy of an operator in front of the next node.
static void add_operator(const Schedule *schedule, Func *result, const Instr *instr,
                         const struct Copy *copy) {
    Instr fresh = *instr;
    fresh.succ_count = 1;
    fresh.succ[0] = (Node){result->nodes.count + 1};
    fresh.dest = copy->reg;
    replace_args(schedule, result, func_add(result, fresh), copy->place);
}

// The first copy has the register of the operator, others new ones with the same value.
static void name_copies(Schedule *schedule, Func *result, SonWork *work) {
    for (uint32_t i = 0; i < schedule->func->son->floating.count; i++) {
        Reg reg = schedule->func->son->floating.at[i].dest;
        for (uint32_t c = schedule->copy[i]; c < schedule->copy_end[i]; c++) {
            schedule->copies.at[c].reg = reg;
            if (c == schedule->copy[i]) continue;
            Reg fresh = func_temp(result, reg_type(schedule->func, reg));
            result->regs.at[fresh.i].version = VERSION_FIRST_SET;
            schedule->copies.at[c].reg = fresh;
            while (work->value_of_reg.count <= fresh.i)
                vec_push(schedule->arena, &work->value_of_reg, NO_ID);
            work->value_of_reg.at[fresh.i] = work->value_of_reg.at[reg.i];
        }
    }
}

static void copy_phis(const Schedule *schedule, Func *result, const Node *place) {
    const Func *func = schedule->func;
    VEC(Reg) args = {0};
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Phi *phi = &func_phis(func, (Node){n})[i];
            vec_clear(&args);
            for (uint32_t k = 0; k < preds_count(&schedule->preds, (Node){n}); k++)
                vec_push(schedule->arena, &args,
                         reg_at(schedule, phi_args(func, phi)[k],
                                preds_at(&schedule->preds, (Node){n})[k].i));
            func_add_phi(result, place[n], phi->dest, args.at, args.count);
        }
    if (result->phis.count) func_end_phis(result);
}

static Func *build(Schedule *schedule, SonWork *work, ValuesHint *hint) {
    const Func *func = schedule->func;
    PlaceLists lists = list_places(schedule);
    Func *result = func_like(func, schedule->arena);
    result->form = FORM_SSA;
    result->son = NULL;
    name_copies(schedule, result, work);
    Node *place = ARENA_ARRAY(schedule->arena, Node, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        place[n] = (Node){result->nodes.count};
        for (uint32_t i = lists.first[n]; i != NO_ID; i = lists.next[i]) {
            add_operator(schedule, result, &func->son->floating.at[lists.op[i]],
                         &schedule->copies.at[i]);
            vec_push(schedule->arena, &hint->old, NO_NODE);
        }
        replace_args(schedule, result, func_copy_instr(result, func, &func->nodes.at[n]), n);
        vec_push(schedule->arena, &hint->old, func->son->trail->old.at[n]);
    }
    for (uint32_t n = 0; n < result->nodes.count; n++) {
        if (hint->old.at[n].i == NO_ID && result->nodes.at[n].kind == I_OP) continue;
        for (uint32_t k = 0; k < result->nodes.at[n].succ_count; k++) {
            Node to = instr_succs(result, &result->nodes.at[n])[k];
            func_set_succ(result, (Node){n}, k, place[to.i]);
        }
    }
    copy_phis(schedule, result, place);
    return result;
}

static void start(Schedule *schedule) {
    const Func *func = schedule->func;
    Arena *arena = schedule->arena;
    uint32_t count = func->son->floating.count;
    schedule->dom = dominance_of(arena, func, &schedule->preds);
    schedule->loops = loop_nest_of(arena, func, &schedule->preds, &schedule->dom);
    schedule->definitions = definitions_of(arena, func);
    schedule->early = ARENA_ARRAY(arena, uint32_t, count);
    schedule->copy = ARENA_ARRAY(arena, uint32_t, count);
    schedule->copy_end = ARENA_ARRAY(arena, uint32_t, count);
    schedule->use = ARENA_ARRAY(arena, uint32_t, count);
    memset(schedule->use, 0xff, count * sizeof *schedule->use);
    schedule->floating_of = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    memset(schedule->floating_of, 0xff, func->regs.count * sizeof *schedule->floating_of);
    for (uint32_t i = 0; i < count; i++)
        schedule->floating_of[func->son->floating.at[i].dest.i] = i;
}

Func *son_schedule(Arena *arena, const Func *func, ValuesHint *hint) {
    SonTrail *trail = func->son->trail;
    if (!trail) return NULL;
    SonWork *work = trail->work;
    if (!work) work = son_work_unoptimized(arena, func);
    Schedule schedule = {
        .arena = arena, .func = func, .work = work, .preds = preds_of(arena, func)};
    start(&schedule);
    build_block_tree(&schedule);
    find_loops(&schedule);
    find_early(&schedule);
    note_uses(&schedule);
    place_all(&schedule);
    Func *result = build(&schedule, work, hint);
    son_hint(arena, work, trail, result, hint);
    return result;
}
