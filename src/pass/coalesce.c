// After Boissinot, Darte, Rastello, Dupont de Dinechin and Guillon (2009), and Budimlic et al. (2002).
//
// Two registers interfere if one is live where the other is defined and they hold different values; a
// register that is a copy of another by moves holds the same value, wherever both are live. Definitions
// in SSA are ordered by dominance, and a set of registers in a preorder of it can be tested in one pass
// with a stack: only the nearest registers above need be looked at (`free_of`).
//
// First, all registers connected by phis are taken together. In SSA as it was built they are versions
// of one variable and never interfere, so that one test for each web settles almost everything. A web
// that fails is taken apart by names, and what interferes in these parts is left out. Then relations that
// are still unsatisfied are tried one by one: phis, those on edges back first because they are in loops,
// then moves. Each attempt costs as much as the two classes are large, so the number of registers
// looked at is limited; beyond it copies stay.
#include "pass/coalesce.h"

#include "base/hash.h"

#include <string.h>

enum { VISITS_PER_REGISTER = 64 };

typedef struct {
    Reg a, b;
} Relation;

typedef VEC(Relation) Relations;

// A class with more than one register: its members in order of definition.
typedef struct {
    Reg *at;
    uint32_t count;
} Members;

typedef struct {
    Arena *arena;
    SsaRanges *ranges;
    const uint32_t *origin;
    Classes classes;
    Relations phis[2]; // those on edges back, and the rest
    Relations moves;
    VEC(Reg) ordered; // the registers that are related to others, in order of definition
    Reg *parent;      // of the webs, as a forest
    Members *members; // by the register that stands for a class; empty for a single register
    VEC(Reg) stack;   // of free_of: registers, each defined above the next
    Map refused;      // pairs of classes that interfere
    uint64_t visits;
} Coalescer;

// ---- Relations

static void relate(Coalescer *c, Relations *relations, Reg a, Reg b) {
    if (a.i == b.i || c->ranges->point[a.i] == NO_ID || c->ranges->point[b.i] == NO_ID) return;
    vec_push(c->arena, relations, (Relation){a, b});
}

static void relate_phis(Coalescer *c, Node join) {
    const SsaRanges *ranges = c->ranges;
    const Node *preds = preds_at(ranges->preds, join);
    for (uint32_t i = 0; i < func_phi_count(ranges->func, join); i++) {
        const Phi *phi = &func_phis(ranges->func, join)[i];
        if (!bits_has(&ranges->needed, phi->dest.i)) continue;
        for (uint32_t k = 0; k < preds_count(ranges->preds, join); k++) {
            if (!dominance_reaches(ranges->dom, preds[k])) continue;
            bool back = dominates(ranges->dom, join, preds[k]);
            relate(c, &c->phis[!back], phi->dest, phi_args(ranges->func, phi)[k]);
        }
    }
}

// Finds relations and values; a move's source is defined before it in preorder.
static void find_relations(Coalescer *c) {
    const SsaRanges *ranges = c->ranges;
    for (uint32_t r = 0; r < ranges->func->regs.count; r++) c->classes.value[r] = (Reg){r};
    for (uint32_t n = 0; n < ranges->dom->count; n++) {
        Node node = {ranges->dom->order[n]};
        relate_phis(c, node);
        const Instr *instr = func_at(ranges->func, node);
        Reg source = ssa_move_source(instr);
        if (source.i == NO_ID) continue;
        c->classes.value[instr->dest.i] = c->classes.value[source.i];
        if (bits_has(&ranges->needed, instr->dest.i)) relate(c, &c->moves, instr->dest, source);
    }
}

static void mark_related(const Relations *relations, Bits *related) {
    for (uint32_t i = 0; i < relations->count; i++) {
        bits_add(related, relations->at[i].a.i);
        bits_add(related, relations->at[i].b.i);
    }
}

static void order_related(Coalescer *c) {
    const SsaRanges *ranges = c->ranges;
    const Func *func = ranges->func;
    Bits related = bits_new(c->arena, func->regs.count);
    mark_related(&c->phis[0], &related);
    mark_related(&c->phis[1], &related);
    mark_related(&c->moves, &related);
    for (uint32_t i = 0; i < func->params.count; i++)
        if (bits_has(&related, func->params.at[i].i))
            vec_push(c->arena, &c->ordered, func->params.at[i]);
    for (uint32_t n = 0; n < ranges->dom->count; n++) {
        Node node = {ranges->dom->order[n]};
        for (uint32_t i = 0; i < func_phi_count(func, node); i++) {
            Reg dest = func_phis(func, node)[i].dest;
            if (bits_has(&related, dest.i)) vec_push(c->arena, &c->ordered, dest);
        }
        Reg dest = func_at(func, node)->dest;
        if (dest.i != NO_ID && bits_has(&related, dest.i)) vec_push(c->arena, &c->ordered, dest);
    }
}

// ---- Interference

// Whether the definition at point a comes before that at point b on every path to b. Of two at the same
// place, which come in the order of phis or parameters, the first does.
static bool above(const SsaRanges *ranges, uint32_t a, uint32_t b) {
    return a == 0 ||
           (b != 0 && dominates(ranges->dom, ssa_point_node(ranges, a), ssa_point_node(ranges, b)));
}

// Whether a register can join those on the stack, which are free of interference and whose last is the
// nearest above it. One that is live here was so at all definitions below its own, so that these
// registers hold the same value: it is enough to go up as long as they do.
static bool fits(Coalescer *c, Reg reg) {
    SsaRanges *ranges = c->ranges;
    uint32_t point = ranges->point[reg.i], at = c->stack.count;
    const Reg *value = c->classes.value;
    if (at && point == 0) return false; // parameters are all set at once
    while (at > 0) {
        Reg other = c->stack.at[at - 1];
        if (value[other.i].i == value[reg.i].i) return true;
        if (at < c->stack.count && value[other.i].i != value[c->stack.at[at].i].i) return true;
        if (ssa_live_after(ranges, other, point)) return false;
        at--;
    }
    return true;
}

// Whether registers, in order of definition, are free of interference. With `left_out`, those that
// interfere with one before them go there, the rest moves up and the answer is yes.
static bool free_of(Coalescer *c, Members *members, Members *left_out) {
    const SsaRanges *ranges = c->ranges;
    uint32_t kept = 0;
    vec_clear(&c->stack);
    for (uint32_t i = 0; i < members->count; i++) {
        Reg reg = members->at[i];
        while (c->stack.count && !above(ranges, ranges->point[c->stack.at[c->stack.count - 1].i],
                                        ranges->point[reg.i]))
            c->stack.count--;
        if (fits(c, reg)) {
            members->at[kept++] = reg;
            vec_push(c->arena, &c->stack, reg);
        } else if (left_out) {
            left_out->at[left_out->count++] = reg;
        } else {
            return false;
        }
    }
    members->count = kept;
    return true;
}

// ---- Webs

static Reg web_of(Coalescer *c, Reg reg) {
    while (c->parent[reg.i].i != reg.i) {
        c->parent[reg.i] = c->parent[c->parent[reg.i].i];
        reg = c->parent[reg.i];
    }
    return reg;
}

// Connects related registers, only those of one name if asked to, that are alone so far.
static void connect(Coalescer *c, const Relations *relations, bool by_name) {
    for (uint32_t i = 0; i < relations->count; i++) {
        Relation relation = relations->at[i];
        if (by_name && (c->origin[relation.a.i] != c->origin[relation.b.i] ||
                        c->members[c->classes.of[relation.a.i].i].count ||
                        c->members[c->classes.of[relation.b.i].i].count))
            continue;
        c->parent[web_of(c, relation.a).i] = web_of(c, relation.b);
    }
}

static void make_class(Coalescer *c, Members members) {
    Reg representative = members.at[0];
    for (uint32_t i = 0; i < members.count; i++) c->classes.of[members.at[i].i] = representative;
    c->members[representative.i] = members;
}

// The members of all webs, side by side in one array, in order of definition.
static void lay_out_webs(Coalescer *c, Members *webs) {
    Reg *all = ARENA_ARRAY(c->arena, Reg, c->ordered.count);
    uint32_t next = 0;
    for (uint32_t i = 0; i < c->ordered.count; i++) webs[web_of(c, c->ordered.at[i]).i].count++;
    for (uint32_t i = 0; i < c->ordered.count; i++) {
        Members *web = &webs[web_of(c, c->ordered.at[i]).i];
        if (!web->at) {
            web->at = all + next;
            next += web->count;
            web->count = 0;
        }
        web->at[web->count++] = c->ordered.at[i];
    }
}

// Makes classes of the webs that are free of interference, or, with `leave_out`, of what remains of
// them when the registers that interfere are left out. False if there were others.
static bool settle_webs(Coalescer *c, bool leave_out) {
    Members *webs = ARENA_ARRAY(c->arena, Members, c->ranges->func->regs.count);
    lay_out_webs(c, webs);
    Members left = {.at = ARENA_ARRAY(c->arena, Reg, leave_out ? c->ordered.count : 0)};
    bool all = true;
    for (uint32_t i = 0; i < c->ordered.count; i++) {
        Members *web = &webs[c->ordered.at[i].i];
        if (web->count < 2) continue;
        left.count = 0;
        if (!free_of(c, web, leave_out ? &left : NULL))
            all = false;
        else if (web->count > 1)
            make_class(c, *web);
    }
    return all;
}

static void start_webs(Coalescer *c) {
    for (uint32_t r = 0; r < c->ranges->func->regs.count; r++) c->parent[r] = (Reg){r};
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

static Members members_of(Coalescer *c, Reg *representative) {
    Members members = c->members[representative->i];
    return members.count ? members : (Members){.at = representative, .count = 1};
}

// The members of two classes in order of definition.
static Members merge(Coalescer *c, Members a, Members b) {
    const uint32_t *point = c->ranges->point, *phi = c->ranges->phi;
    Members both = {.at = ARENA_ARRAY(c->arena, Reg, a.count + b.count)};
    for (uint32_t i = 0, k = 0; i < a.count || k < b.count;) {
        bool first = k == b.count;
        if (i < a.count && k < b.count) {
            uint32_t x = a.at[i].i, y = b.at[k].i;
            first = point[x] < point[y] || (point[x] == point[y] && phi[x] <= phi[y]);
        }
        both.at[both.count++] = first ? a.at[i++] : b.at[k++];
    }
    return both;
}

static void try_relation(Coalescer *c, Relation relation) {
    Reg a = c->classes.of[relation.a.i], b = c->classes.of[relation.b.i];
    if (a.i == b.i || c->visits == 0) return;
    uint64_t key = a.i < b.i ? (uint64_t)a.i << 32 | b.i : (uint64_t)b.i << 32 | a.i;
    if (map_get(&c->refused, key) != HASH_NONE) return;
    Members both = merge(c, members_of(c, &a), members_of(c, &b));
    c->visits = c->visits > both.count ? c->visits - both.count : 0;
    if (free_of(c, &both, NULL)) {
        c->members[a.i].count = c->members[b.i].count = 0;
        make_class(c, both);
    } else {
        map_set(c->arena, &c->refused, key, 1);
    }
}

static void try_relations(Coalescer *c, const Relations *relations, bool by_name) {
    for (uint32_t i = 0; i < relations->count; i++) {
        Relation relation = relations->at[i];
        if ((c->origin[relation.a.i] == c->origin[relation.b.i]) == by_name)
            try_relation(c, relation);
    }
}

// Whether the function calls one like setjmp: when that returns again, what was in registers before
// must still be there, so that none can be shared.
static bool returns_again(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind == I_CALL && instr->ref != NO_ID &&
            (program_at(func->program, (Sym){instr->ref})->flags & SYMF_RETURNS_TWICE))
            return true;
    }
    return false;
}

Classes coalesce(Arena *arena, SsaRanges *ranges, const uint32_t *origin) {
    uint32_t regs = ranges->func->regs.count;
    Coalescer c = {
        .arena = arena,
        .ranges = ranges,
        .origin = origin,
        .classes = {.of = ARENA_ARRAY(arena, Reg, regs), .value = ARENA_ARRAY(arena, Reg, regs)},
        .parent = ARENA_ARRAY(arena, Reg, regs),
        .members = ARENA_ARRAY(arena, Members, regs),
        .visits = (uint64_t)regs * VISITS_PER_REGISTER};
    for (uint32_t r = 0; r < regs; r++) c.classes.of[r] = (Reg){r};
    find_relations(&c);
    if (returns_again(ranges->func)) return c.classes;
    order_related(&c);
    form_webs(&c);
    for (int named = 1; named >= 0; named--)
        for (int i = 0; i < 2; i++) try_relations(&c, &c.phis[i], named);
    for (int named = 1; named >= 0; named--) try_relations(&c, &c.moves, named);
    return c.classes;
}
