// Finds SSA registers that can share one RTL register. After Boissinot, Darte, Rastello, Dupont de
// Dinechin and Guillon (2009), and Budimlic et al. (2002).
//
// Two registers interfere if one is live where the other is defined and both hold different values;
// a register that is a copy of another by moves holds the same value, wherever both are live.
// Definitions in SSA are ordered by dominance, and a set of registers in a preorder of it can be
// tested in one pass with a chain: only the nearest registers above need be looked at (`free_of`).
//
// First, all registers connected by phis are taken together. In freshly built SSA these registers
// are versions of one variable and never interfere, so that one test for each web settles almost
// everything. A web that fails is taken apart by names, and registers that interfere in these parts
// are left out. Then relations that are still unsatisfied are tried one by one: phis on back edges
// first, as these are in loops, then other phis, then moves. Each attempt costs as much as the two
// classes are large, so the number of registers looked at is limited; beyond the limit copies stay.
#include "pass/rtl/coalesce.h"

#include "base/hash.h"
#include "fact/calls.h"
#include "graph/loop_nest.h"

#include <string.h>

enum { VISITS_PER_REGISTER = 32 };

// Related registers go by their rank: their place in the order of definitions.
typedef struct {
    uint32_t a, b;
} RelatedPair;

typedef VEC(RelatedPair) Relations;

// A class with more than one register: its members in order.
typedef struct {
    uint32_t *at;
    uint32_t count;
} ClassMembers;

typedef struct {
    Arena *arena;
    SsaRanges *ranges;
    const uint32_t *origin;
    Coalescing classes;
    VEC(Reg) ordered;  // rank -> register
    uint32_t *rank;    // register -> rank, for related ones
    Relations phis[2]; // relations on back edges, and the rest
    Relations moves;
    Bits shared;           // registers that more than one instruction or phi reads
    uint32_t *parent;      // of the webs, as a forest
    uint32_t *of;          // rank -> the rank that stands for its class
    ClassMembers *members; // by the rank that stands for a class; empty for a single register
    VEC(uint32_t) chain;   // of free_of: ranks, each defined above the next
    Map refused;           // pairs of classes that interfere
    uint64_t visits;
} Coalescer;

// ---- Relations

static void add_rank(Coalescer *c, Reg reg) {
    if (!bits_has(&c->ranges->related, reg.i)) return;
    c->rank[reg.i] = c->ordered.count;
    vec_push(c->arena, &c->ordered, reg);
}

// Ranks the related registers, and finds the values of all: a move's source is defined before it.
static void order_registers(Coalescer *c) {
    const SsaRanges *ranges = c->ranges;
    const Func *func = ranges->func;
    for (uint32_t i = 0; i < func->params.count; i++) add_rank(c, func->params.at[i]);
    for (uint32_t n = 0; n < ranges->dom->count; n++) {
        Node node = {ranges->dom->order[n]};
        for (uint32_t i = 0; i < func_phi_count(func, node); i++)
            add_rank(c, func_phis(func, node)[i].dest);
        const Instr *instr = func_at(func, node);
        if (instr->dest.i == NO_ID) continue;
        add_rank(c, instr->dest);
        Reg source = ssa_move_source(instr);
        if (source.i != NO_ID) c->classes.value[instr->dest.i] = c->classes.value[source.i];
    }
}

// A reader has a number.
static void note_reads(Coalescer *c, uint32_t *readers, const Reg *read, uint32_t count,
                       uint32_t reader) {
    for (uint32_t k = 0; k < count; k++) {
        uint32_t *known = &readers[read[k].i];
        if (*known && *known != reader) bits_add(&c->shared, read[k].i);
        *known = reader;
    }
}

// Finds the registers that more than one instruction or phi reads.
static void find_shared(Coalescer *c) {
    const Dominance *dom = c->ranges->dom;
    const Func *func = c->ranges->func;
    uint32_t *readers = ARENA_ARRAY(c->arena, uint32_t, func->regs.count), reader = 0;
    c->shared = bits_new(c->arena, func->regs.count);
    for (uint32_t n = 0; n < dom->count; n++) {
        Node node = {dom->order[n]};
        const Instr *instr = func_at(func, node);
        note_reads(c, readers, instr_args(func, instr), instr->arg_count, ++reader);
        for (uint32_t i = 0; i < func_phi_count(func, node); i++)
            note_reads(c, readers, phi_args(func, &func_phis(func, node)[i]),
                       preds_count(c->ranges->preds, node), ++reader);
    }
}

// Whether it is a constant or an address that is read in several places. If such a constant shared
// the register of a phi, every reader would find it only there, and the register would hold it from
// its definition on. In a register that is set once, a constant can be computed wherever it is read
// (mach/select/select_code.c).
static bool is_shared_constant(const Coalescer *c, Reg reg) {
    if (!bits_has(&c->shared, reg.i)) return false;
    const Instr *instr = defining_instr(c->ranges->func, c->ranges->definitions, reg);
    return instr && instr->kind == I_OP && op_info(instr->op)->arity == 0 &&
           type_is_int(op_info(instr->op)->result);
}

static void relate(Coalescer *c, Relations *relations, Reg a, Reg b) {
    if (a.i == b.i || c->ranges->point[b.i] == NO_ID) return; // an undefined register needs no copy
    if (is_shared_constant(c, b)) return;
    vec_push(c->arena, relations, (RelatedPair){c->rank[a.i], c->rank[b.i]});
}

static void relate_phi(Coalescer *c, const Phi *phi, Node join) {
    const SsaRanges *ranges = c->ranges;
    const Node *preds = preds_at(ranges->preds, join);
    for (uint32_t k = 0; k < preds_count(ranges->preds, join); k++) {
        if (!dominance_reaches(ranges->dom, preds[k])) continue;
        bool back = is_back_edge(ranges->dom, preds[k], join);
        relate(c, &c->phis[!back], phi->dest, phi_args(ranges->func, phi)[k]);
    }
}

static void find_relations(Coalescer *c) {
    const SsaRanges *ranges = c->ranges;
    for (uint32_t i = 0; i < c->ordered.count; i++) {
        Reg reg = c->ordered.at[i];
        Definition definition = ranges->definitions[reg.i];
        if (definition.node.i == NO_ID || !bits_has(&ranges->needed, reg.i)) continue;
        if (definition.by == SET_BY_PHI) {
            relate_phi(c, &ranges->func->phis.at[definition.at], definition.node);
            continue;
        }
        Reg source = ssa_move_source(func_at(ranges->func, definition.node));
        if (source.i != NO_ID) relate(c, &c->moves, reg, source);
    }
}

// ---- Interference

// Whether the definition at point a comes before that at point b on every path to b. Of two at the
// same place, which come in the order of phis or parameters, the first does.
static bool above(const SsaRanges *ranges, uint32_t a, uint32_t b) {
    return a == 0 ||
           (b != 0 && dominates(ranges->dom, ssa_point_node(ranges, a), ssa_point_node(ranges, b)));
}

// Whether a register can join the chain, which is free of interference and whose last register is
// the nearest above it. A register that is live here was live at all definitions below its own, so
// that these registers hold the same value: it is enough to go up as long as they do.
static bool fits(Coalescer *c, Reg reg) {
    SsaRanges *ranges = c->ranges;
    uint32_t point = ranges->point[reg.i], last = NO_ID;
    const Reg *value = c->classes.value;
    if (c->chain.count && point == 0) return false; // parameters are all set at once
    for (uint32_t at = c->chain.count; at > 0; at--) {
        Reg other = c->ordered.at[c->chain.at[at - 1]];
        if (value[other.i].i == value[reg.i].i) return true;
        if (last != NO_ID && value[other.i].i != last) return true;
        if (ssa_live_after(ranges, other, point)) return false;
        last = value[other.i].i;
    }
    return true;
}

static uint32_t point_of(const Coalescer *c, uint32_t rank) {
    return c->ranges->point[c->ordered.at[rank].i];
}

// Whether a register is defined below the last one of the chain.
static bool is_below(const Coalescer *c, uint32_t rank) {
    return above(c->ranges, point_of(c, c->chain.at[c->chain.count - 1]), point_of(c, rank));
}

// Whether registers, in order, are free of interference. With `leave_out`, registers that interfere
// with an earlier one are taken out, and the answer is yes.
static bool free_of(Coalescer *c, ClassMembers *members, bool leave_out) {
    uint32_t kept = 0;
    vec_clear(&c->chain);
    for (uint32_t i = 0; i < members->count; i++) {
        uint32_t rank = members->at[i];
        while (c->chain.count && !is_below(c, rank)) c->chain.count--;
        if (fits(c, c->ordered.at[rank])) {
            members->at[kept++] = rank;
            vec_push(c->arena, &c->chain, rank);
        } else if (!leave_out) {
            return false;
        }
    }
    members->count = kept;
    return true;
}

// ---- Webs

static uint32_t web_of(Coalescer *c, uint32_t rank) {
    while (c->parent[rank] != rank) rank = c->parent[rank] = c->parent[c->parent[rank]];
    return rank;
}

static bool same_name(const Coalescer *c, RelatedPair relation) {
    return c->origin[c->ordered.at[relation.a].i] == c->origin[c->ordered.at[relation.b].i];
}

static bool is_alone(const Coalescer *c, uint32_t rank) {
    return c->members[c->of[rank]].count == 0;
}

// Connects registers that are alone so far; only those of one name if asked to.
static void connect(Coalescer *c, const Relations *relations, bool by_name) {
    for (uint32_t i = 0; i < relations->count; i++) {
        RelatedPair relation = relations->at[i];
        if (by_name &&
            (!same_name(c, relation) || !is_alone(c, relation.a) || !is_alone(c, relation.b)))
            continue;
        c->parent[web_of(c, relation.a)] = web_of(c, relation.b);
    }
}

static void make_class(Coalescer *c, ClassMembers members) {
    uint32_t representative = members.at[0];
    for (uint32_t i = 0; i < members.count; i++) c->of[members.at[i]] = representative;
    c->members[representative] = members;
}

// The members of each web, in order, side by side in one array.
static ClassMembers *lay_out_webs(Coalescer *c) {
    uint32_t count = c->ordered.count, next = 0;
    ClassMembers *webs = ARENA_ARRAY(c->arena, ClassMembers, count);
    uint32_t *all = ARENA_ARRAY(c->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) webs[web_of(c, i)].count++;
    for (uint32_t i = 0; i < count; i++) {
        ClassMembers *web = &webs[web_of(c, i)];
        if (!web->at) {
            web->at = all + next;
            next += web->count;
            web->count = 0;
        }
        web->at[web->count++] = i;
    }
    return webs;
}

// Makes classes of the webs that are free of interference, or, with `leave_out`, of the webs
// without the registers that interfere. False if a web was not free.
static bool settle_webs(Coalescer *c, bool leave_out) {
    ClassMembers *webs = lay_out_webs(c);
    bool all = true;
    for (uint32_t i = 0; i < c->ordered.count; i++) {
        if (webs[i].count < 2) continue;
        if (!free_of(c, &webs[i], leave_out))
            all = false;
        else if (webs[i].count > 1)
            make_class(c, webs[i]);
    }
    return all;
}

static void start_webs(Coalescer *c) {
    for (uint32_t i = 0; i < c->ordered.count; i++) c->parent[i] = i;
}

static void form_webs(Coalescer *c) {
    start_webs(c);
    for (int i = 0; i < 2; i++) connect(c, &c->phis[i], false);
    if (settle_webs(c, false)) return;
    start_webs(c);
    for (int i = 0; i < 2; i++) connect(c, &c->phis[i], true);
    settle_webs(c, true);
}

// ---- One by one

static ClassMembers members_of(const Coalescer *c, uint32_t *representative) {
    ClassMembers members = c->members[*representative];
    return members.count ? members : (ClassMembers){.at = representative, .count = 1};
}

static ClassMembers merge(Coalescer *c, ClassMembers a, ClassMembers b) {
    ClassMembers both = {.at = ARENA_ARRAY(c->arena, uint32_t, a.count + b.count)};
    for (uint32_t i = 0, k = 0; i < a.count || k < b.count;) {
        bool first = k == b.count || (i < a.count && a.at[i] < b.at[k]);
        both.at[both.count++] = first ? a.at[i++] : b.at[k++];
    }
    return both;
}

// Whether the members of two classes, each free of interference, are so together. A register need
// be tested only if a register of the other class is above it.
static bool free_together(Coalescer *c, ClassMembers both, uint32_t a) {
    uint32_t of_a = 0; // how many of the chain are
    vec_clear(&c->chain);
    for (uint32_t i = 0; i < both.count; i++) {
        uint32_t rank = both.at[i];
        while (c->chain.count && !is_below(c, rank)) of_a -= c->of[vec_pop(&c->chain)] == a;
        uint32_t others = c->of[rank] == a ? c->chain.count - of_a : of_a;
        if (others && !fits(c, c->ordered.at[rank])) return false;
        of_a += c->of[rank] == a;
        vec_push(c->arena, &c->chain, rank);
    }
    return true;
}

static void try_relation(Coalescer *c, RelatedPair relation) {
    uint32_t a = c->of[relation.a], b = c->of[relation.b];
    if (a == b || c->visits == 0) return;
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    if (map_get(&c->refused, key) != HASH_NONE) return;
    ClassMembers both = merge(c, members_of(c, &a), members_of(c, &b));
    c->visits = c->visits > both.count ? c->visits - both.count : 0;
    if (free_together(c, both, a)) {
        c->members[a].count = c->members[b].count = 0;
        make_class(c, both);
    } else {
        map_set(c->arena, &c->refused, key, 1);
    }
}

static void try_relations(Coalescer *c, const Relations *relations, bool by_name) {
    for (uint32_t i = 0; i < relations->count; i++)
        if (same_name(c, relations->at[i]) == by_name) try_relation(c, relations->at[i]);
}

static void find_classes(Coalescer *c) {
    uint32_t count = c->ordered.count;
    find_shared(c);
    find_relations(c);
    c->parent = ARENA_ARRAY(c->arena, uint32_t, count);
    c->of = ARENA_ARRAY(c->arena, uint32_t, count);
    c->members = ARENA_ARRAY(c->arena, ClassMembers, count);
    c->visits = (uint64_t)count * VISITS_PER_REGISTER;
    for (uint32_t i = 0; i < count; i++) c->of[i] = i;
    form_webs(c);
    for (int named = 1; named >= 0; named--)
        for (int i = 0; i < 2; i++) try_relations(c, &c->phis[i], named);
    for (int named = 1; named >= 0; named--) try_relations(c, &c->moves, named);
    for (uint32_t i = 0; i < count; i++)
        c->classes.of[c->ordered.at[i].i] = c->ordered.at[c->of[i]];
}

Coalescing coalesce(Arena *arena, SsaRanges *ranges, const uint32_t *origin) {
    uint32_t regs = ranges->func->regs.count;
    Coalescer c = {
        .arena = arena,
        .ranges = ranges,
        .origin = origin,
        .rank = ARENA_ARRAY(arena, uint32_t, regs),
        .classes = {.of = ARENA_ARRAY(arena, Reg, regs), .value = ARENA_ARRAY(arena, Reg, regs)}};
    for (uint32_t r = 0; r < regs; r++) c.classes.of[r] = c.classes.value[r] = (Reg){r};
    order_registers(&c);
    // Behind a call that returns twice, a register that is not set again can keep its place
    // (allocate_plain.c).
    if (!func_returns_twice(ranges->func)) find_classes(&c);
    return c.classes;
}
