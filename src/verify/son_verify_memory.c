// The rules of versions of memory.
//
// The entry, an instruction that may write, or a memory phi makes a version, once. A version stands
// for the contents of memory at the time when it was made. A load of a class names a version that
// has been made on every path to the load, such that nothing has given the class a new version
// since. The same holds for each argument of a memory phi, for its class, at the end of its
// predecessor. A version that another class got serves as well, if nothing has touched the class of
// the load since: more may be known now than when versions were numbered. But a memory phi follows
// the versions of its own class. It serves that class; a phi of the rest also serves the classes
// that a write to an unknown place may touch.
//
// A sweep over the reachable blocks, predecessors first, finds the version of each class at each
// point. At a join without a memory phi of the class, all predecessors leave the same version, or
// the version has no name. A loop that may write a class gives the class a new version at its
// header, named or not. If the graph is not reducible, sweeps are repeated until no edge into a
// join changes a version. The time is in proportion to classes times blocks, with a few classes
// handled at a time.
#include "verify/verify_rules.h"

#include "fact/memory_classes.h"
#include "graph/basic_blocks.h"
#include "graph/loop_nest.h"

enum { CLASSES_AT_ONCE = 64 }; // the bits of a word

// Added to the number of a join: a version that has no name.
#define UNNAMED ((uint32_t)1 << 31)

typedef struct {
    Node node;            // NO_NODE for the entry
    const MemoryPhi *phi; // or NULL
} VersionMaker;

// A version that is named where the class has another one.
typedef struct {
    Node use; // the node that the verifier is to complain about
    Node at;  // where it is used: that node, or the predecessor behind which
    uint32_t version;
    uint32_t now; // the version of the class there
    uint32_t memory;
    uint32_t next; // of the same maker, plus one
} OddUse;

typedef struct {
    const Scopes *scopes;
    MemoryClasses classes;
    VEC(VersionMaker) makers;
    Map maker_of;          // version -> its maker
    const uint32_t *heads; // node -> the first of its block
    uint32_t *
        order; // first nodes of the blocks that can be reached, predecessors first but for edges that go back
    uint32_t *number; // first node -> its place there
    uint32_t *last;   // first node -> the last of its block
    uint32_t count;   // of these blocks
    LoopNest loop_nest;
    VEC(uint32_t) asked;  // classes that a load or a memory phi belongs to
    const uint32_t *hand; // the present ones among them
    uint32_t width;       // so many
    uint32_t *column;     // class -> its place there, or NO_ID
    uint64_t
        *unnamed; // by number of block: classes at hand that get a version there which has no name
    uint32_t *entering, *leaving; // by number of block: the versions of the classes at hand
    VEC(OddUse) odd;
    uint32_t *odd_at; // node -> the last odd use of its version, plus one
} MemoryRules;

// ---- Classes, versions, places

static bool rule_memory_classes(Verifier *v) {
    const Son *son = v->func->son;
    Map seen = {0};
    for (uint32_t i = 0; i < son->classes.count; i++) {
        MemoryClass row = son->classes.at[i];
        uint32_t limit = row.is_slot ? v->func->slots.count : v->program->symbols.count;
        uint64_t key = (uint64_t)row.is_slot << 32 | row.ref;
        if (row.ref >= limit)
            complain(v, "memory-class", "class %u: expected one of %u %s; found %u", i + 1, limit,
                     row.is_slot ? "slots" : "symbols", row.ref);
        else if (map_get(&seen, key) != HASH_NONE)
            complain(v, "memory-class", "class %u: expected an object of its own; found that of %u",
                     i + 1, map_get(&seen, key));
        else
            map_set(v->scratch, &seen, key, i + 1);
    }
    return verify_is_clean(v);
}

// There are no memory phis and no index, or for each node and one more an ascending one; the phis
// share out the arguments in order.
static bool rule_memory_index(Verifier *v, const Preds *preds) {
    const Func *func = v->func;
    const Son *son = func->son;
    uint32_t count = son->memory_phi_at.count;
    bool good = count ? count == func->nodes.count + 1 && son->memory_phi_at.at[0] == 0 &&
                            son->memory_phi_at.at[count - 1] == son->memory_phis.count
                      : son->memory_phis.count == 0;
    for (uint32_t n = 1; good && n < count; n++)
        good = son->memory_phi_at.at[n - 1] <= son->memory_phi_at.at[n];
    uint64_t next = 0;
    for (uint32_t n = 0; good && n + 1 < count; n++)
        for (uint32_t i = son->memory_phi_at.at[n]; good && i < son->memory_phi_at.at[n + 1]; i++) {
            good = son->memory_phis.at[i].args_at == next;
            next += preds_count(preds, (Node){n});
        }
    good = good && next == son->memory_args.count && son->makes.count == func->nodes.count &&
           son->reads.count == func->nodes.count;
    if (!good)
        complain(v, "memory-index",
                 "expected memory phis by node, each with an argument for each predecessor, and "
                 "versions for each of %u nodes; found something else",
                 func->nodes.count);
    return good;
}

static bool version_in_range(Verifier *v, uint32_t version) {
    if (version < v->func->son->version_count && version < UNNAMED) return true;
    complain(v, "memory-version", "expected one of %u versions; found m%u",
             v->func->son->version_count, version);
    return false;
}

static void add_maker(const Verifier *v, MemoryRules *rules, uint32_t version, VersionMaker maker) {
    map_set(v->scratch, &rules->maker_of, version, rules->makers.count);
    vec_push(v->scratch, &rules->makers, maker);
}

// NULL if nothing makes the version.
static const VersionMaker *find_maker(const MemoryRules *rules, uint32_t version) {
    uint32_t found = map_get(&rules->maker_of, version);
    return found == HASH_NONE ? NULL : &rules->makers.at[found];
}

// A version is made once, and that of the entry by nothing else.
static void rule_made_once(Verifier *v, MemoryRules *rules, uint32_t version,
                           const MemoryPhi *phi) {
    if (!version_in_range(v, version)) return;
    const VersionMaker *maker = find_maker(rules, version);
    if (maker && maker->node.i == NO_ID)
        complain(v, "memory-version", "expected m%u to be that of the entry; found it made here",
                 version);
    else if (maker)
        complain(v, "memory-version", "expected m%u to be made once; found it made at %u, too",
                 version, func_label(v->func, maker->node));
    else
        add_maker(v, rules, version, (VersionMaker){.node = v->node, .phi = phi});
}

static void rule_memory_phi(Verifier *v, const MemoryRules *rules, const MemoryPhi *phi,
                            const MemoryPhi *earlier) {
    const Preds *preds = &rules->scopes->preds;
    uint32_t arity = preds_count(preds, v->node);
    if (arity < 2)
        complain(v, "memory-phi", "expected memory phis only at a join; found %u predecessor%s",
                 arity, arity == 1 ? "" : "s");
    if (phi->memory > v->func->son->classes.count)
        complain(v, "memory-phi", "expected one of %u classes; found %u",
                 v->func->son->classes.count + 1, phi->memory);
    else if (earlier && earlier->memory >= phi->memory)
        complain(v, "memory-phi",
                 "expected classes in ascending order, each once; found %u after %u", phi->memory,
                 earlier->memory);
    for (uint32_t k = 0; k < arity; k++) version_in_range(v, memory_phi_args(v->func, phi)[k]);
}

static bool rules_of_makers(Verifier *v, MemoryRules *rules) {
    const Func *func = v->func;
    add_maker(v, rules, 0, (VersionMaker){.node = NO_NODE});
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        v->node = (Node){n};
        const MemoryPhi *phis = son_memory_phis(func, v->node);
        for (uint32_t i = 0; i < son_memory_phi_count(func, v->node); i++) {
            rule_memory_phi(v, rules, &phis[i], i ? &phis[i - 1] : NULL);
            rule_made_once(v, rules, phis[i].version, &phis[i]);
        }
        if (son_makes(func, v->node) != NO_ID)
            rule_made_once(v, rules, son_makes(func, v->node), NULL);
    }
    v->node = NO_NODE;
    return verify_is_clean(v);
}

// An instruction that may write makes a version, and a load reads a version.
static void rule_memory_node(Verifier *v, const MemoryRules *rules) {
    const Func *func = v->func;
    bool writes = !memory_write_is_none(memory_write_at(&rules->classes, v->node));
    bool loads = func_at(func, v->node)->kind == I_LOAD;
    uint32_t makes = son_makes(func, v->node), reads = son_reads(func, v->node);
    if (!dominance_reaches(&rules->scopes->dominance, v->node)) return;
    if (writes != (makes != NO_ID))
        complain(v, "memory-made", "expected %s; found %s",
                 writes ? "an instruction that may write to make a version"
                        : "no version of an instruction that does not write",
                 writes ? "none" : "one");
    if (loads != (reads != NO_ID))
        complain(v, "memory-read", "expected %s; found %s",
                 loads ? "a load to name the version it reads" : "only loads to name a version",
                 loads ? "none" : "one");
    if (reads != NO_ID && version_in_range(v, reads) && !find_maker(rules, reads))
        complain(v, "memory-read", "expected a version that something makes; found m%u", reads);
}

static bool rules_of_nodes(Verifier *v, const MemoryRules *rules) {
    const Func *func = v->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        v->node = (Node){n};
        rule_memory_node(v, rules);
        if (!dominance_reaches(&rules->scopes->dominance, v->node)) continue;
        for (uint32_t i = 0; i < son_memory_phi_count(func, v->node); i++)
            for (uint32_t k = 0; k < preds_count(&rules->scopes->preds, v->node); k++) {
                uint32_t arg = memory_phi_args(func, &son_memory_phis(func, v->node)[i])[k];
                if (!find_maker(rules, arg))
                    complain(v, "memory-read", "expected a version that something makes; found m%u",
                             arg);
            }
    }
    v->node = NO_NODE;
    return verify_is_clean(v);
}

// ---- Blocks

// A step of a walk: a block and how many of its ways have been followed.
typedef struct {
    uint32_t head, way;
} SweepVisit;

static void find_ends(Verifier *v, MemoryRules *rules) {
    const Func *func = v->func;
    rules->heads = block_heads(v->scratch, func, &rules->scopes->preds);
    rules->last = ARENA_ARRAY(v->scratch, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        uint32_t next = instr->succ_count == 1 ? instr->succ[0].i : n;
        if (instr->succ_count != 1 || rules->heads[next] == next) rules->last[rules->heads[n]] = n;
    }
}

// The blocks in the reverse of the order in which a depth-first walk is done with them.
static void order_blocks(Verifier *v, MemoryRules *rules) {
    const Func *func = v->func;
    uint32_t *done = ARENA_ARRAY(v->scratch, uint32_t, func->nodes.count);
    Bits seen = bits_new(v->scratch, func->nodes.count);
    VEC(SweepVisit) stack = {0};
    find_ends(v, rules);
    rules->number = ARENA_ARRAY(v->scratch, uint32_t, func->nodes.count);
    bits_add(&seen, 0);
    vec_push(v->scratch, &stack, (SweepVisit){0});
    while (stack.count) {
        SweepVisit *top = &stack.at[stack.count - 1];
        const Instr *end = &func->nodes.at[rules->last[top->head]];
        if (top->way < end->succ_count) {
            uint32_t next = instr_succs(func, end)[top->way++].i;
            if (bits_put(&seen, next)) vec_push(v->scratch, &stack, (SweepVisit){.head = next});
        } else {
            done[rules->count++] = top->head;
            stack.count--;
        }
    }
    rules->order = ARENA_ARRAY(v->scratch, uint32_t, rules->count);
    for (uint32_t i = 0; i < rules->count; i++) {
        rules->order[i] = done[rules->count - 1 - i];
        rules->number[rules->order[i]] = i;
    }
}

// ---- Sweeps over the blocks, for the classes at hand

static bool is_at_hand(const MemoryRules *rules, uint32_t memory) {
    return rules->column[memory] != NO_ID;
}

static uint64_t bit_of(const MemoryRules *rules, uint32_t memory) {
    return (uint64_t)1 << rules->column[memory];
}

static uint32_t *row_of(const MemoryRules *rules, uint32_t *table, uint32_t block) {
    return table + (size_t)block * rules->width;
}

// The classes at hand that get a new version.
static uint64_t touched(const MemoryRules *rules, Node node) {
    MemoryWrite write = memory_write_at(&rules->classes, node);
    uint64_t set = 0;
    if (memory_write_is_none(write)) return 0;
    if (!write.all && !write.shared) {
        bool rest = memory_write_touches(&rules->classes, write, MEMORY_REST);
        if (rest && is_at_hand(rules, MEMORY_REST)) set |= bit_of(rules, MEMORY_REST);
        return is_at_hand(rules, write.one) ? set | bit_of(rules, write.one) : set;
    }
    for (uint32_t c = 0; c < rules->width; c++)
        if (memory_write_touches(&rules->classes, write, rules->hand[c])) set |= (uint64_t)1 << c;
    return set;
}

// The header of a loop gives a class a version if the loop may write it.
static void mark_headers(const Verifier *v, MemoryRules *rules) {
    for (uint32_t i = 0; i < rules->count; i++) rules->unnamed[i] = 0;
    for (uint32_t n = 0; rules->loop_nest.reducible && n < v->func->nodes.count; n++) {
        Node header = rules->loop_nest.loop[n];
        uint64_t set = header.i == NO_ID ? 0 : touched(rules, (Node){n});
        for (; set && header.i != NO_ID; header = rules->loop_nest.outer[header.i]) {
            uint64_t *known = &rules->unnamed[rules->number[rules->heads[header.i]]];
            if ((*known & set) == set) break;
            *known |= set;
        }
    }
}

static void enter_versions(uint32_t *now, uint64_t set, uint32_t version) {
    for (; set; set &= set - 1) now[__builtin_ctzll(set)] = version;
}

// The version that the swept predecessors leave, if they agree.
static void merge(MemoryRules *rules, uint32_t block, uint32_t *now) {
    Node head = {rules->order[block]};
    const Preds *preds = &rules->scopes->preds;
    const uint32_t *first = NULL;
    for (uint32_t k = 0; k < preds_count(preds, head); k++) {
        Node from = preds_at(preds, head)[k];
        uint32_t before = rules->number[rules->heads[from.i]];
        if (!dominance_reaches(&rules->scopes->dominance, from) || before >= block) continue;
        const uint32_t *left = row_of(rules, rules->leaving, before);
        for (uint32_t c = 0; first && c < rules->width; c++)
            if (first[c] != left[c]) rules->unnamed[block] |= (uint64_t)1 << c;
        if (!first) first = left;
    }
    for (uint32_t c = 0; c < rules->width; c++) now[c] = first ? first[c] : 0;
}

static void enter_block(const Verifier *v, MemoryRules *rules, uint32_t block, uint32_t *now) {
    Node head = {rules->order[block]};
    merge(rules, block, now);
    enter_versions(now, rules->unnamed[block], UNNAMED | head.i);
    for (uint32_t i = 0; i < son_memory_phi_count(v->func, head); i++) {
        const MemoryPhi *phi = &son_memory_phis(v->func, head)[i];
        if (is_at_hand(rules, phi->memory)) now[rules->column[phi->memory]] = phi->version;
    }
}

static void step(const Verifier *v, const MemoryRules *rules, Node node, uint32_t *now) {
    if (son_makes(v->func, node) != NO_ID)
        enter_versions(now, touched(rules, node), son_makes(v->func, node));
}

static void sweep(const Verifier *v, MemoryRules *rules) {
    for (uint32_t b = 0; b < rules->count; b++) {
        uint32_t *now = row_of(rules, rules->leaving, b);
        enter_block(v, rules, b, now);
        memcpy(row_of(rules, rules->entering, b), now, rules->width * sizeof *now);
        for (Node at = {rules->order[b]};; at = func_at(v->func, at)->succ[0]) {
            step(v, rules, at, now);
            if (at.i == rules->last[rules->order[b]]) break;
        }
    }
}

// Whether an edge brings what was not known when its join was swept. The join gets a version
// without a name then.
static bool is_surprised(const Verifier *v, MemoryRules *rules) {
    const Preds *preds = &rules->scopes->preds;
    bool any = false;
    for (uint32_t b = 0; b < rules->count; b++) {
        Node head = {rules->order[b]};
        uint64_t named = rules->unnamed[b];
        for (uint32_t i = 0; i < son_memory_phi_count(v->func, head); i++) {
            uint32_t memory = son_memory_phis(v->func, head)[i].memory;
            if (is_at_hand(rules, memory)) named |= bit_of(rules, memory);
        }
        for (uint32_t k = 0; k < preds_count(preds, head); k++) {
            Node from = preds_at(preds, head)[k];
            if (!dominance_reaches(&rules->scopes->dominance, from)) continue;
            const uint32_t *left =
                row_of(rules, rules->leaving, rules->number[rules->heads[from.i]]);
            for (uint32_t c = 0; c < rules->width; c++)
                if (!(named >> c & 1) && left[c] != row_of(rules, rules->entering, b)[c]) {
                    rules->unnamed[b] |= (uint64_t)1 << c;
                    any = true;
                }
        }
    }
    return any;
}

// ---- Uses

static void complain_of(Verifier *v, const OddUse *use) {
    Out now = {0};
    if (use->now & UNNAMED)
        out_printf(&now, "one that has no name, from %u on",
                   func_label(v->func, (Node){use->now & ~UNNAMED}));
    else
        out_printf(&now, "m%u", use->now);
    v->node = use->use;
    complain(v, "memory-current", "expected the version that class %u has at %s%u, %.*s; found m%u",
             use->memory, use->at.i == use->use.i ? "" : "the end of ",
             func_label(v->func, use->at), (int)now.length, now.text, use->version);
    v->node = NO_NODE;
    out_free(&now);
}

// Whether a version can stand for memory as the class of the use sees it: it was made before on
// every path, and nothing has touched the class since, as far as known already.
static bool may_serve(const MemoryRules *rules, const VersionMaker *maker, const OddUse *use) {
    const Dominance *dominance = &rules->scopes->dominance;
    if (maker->node.i == NO_ID || !dominance_reaches(dominance, maker->node) ||
        !dominates(dominance, maker->node, use->at))
        return false;
    if (!maker->phi) return maker->node.i != use->at.i;
    uint32_t block = rules->number[maker->node.i];
    return maker->phi->memory == MEMORY_REST && rules->classes.shared[use->memory] &&
           row_of(rules, rules->entering, block)[rules->column[use->memory]] == use->now;
}

static void look_at_use(Verifier *v, MemoryRules *rules, OddUse use) {
    if (use.version == use.now) return;
    const VersionMaker *maker = find_maker(rules, use.version);
    if (!may_serve(rules, maker, &use)) {
        complain_of(v, &use);
    } else if (!maker->phi) {
        use.next = rules->odd_at[maker->node.i];
        vec_push(v->scratch, &rules->odd, use);
        rules->odd_at[maker->node.i] = rules->odd.count;
    }
}

static void uses_of_phis(Verifier *v, MemoryRules *rules, Node join) {
    const Preds *preds = &rules->scopes->preds;
    for (uint32_t i = 0; i < son_memory_phi_count(v->func, join); i++) {
        const MemoryPhi *phi = &son_memory_phis(v->func, join)[i];
        for (uint32_t k = 0; is_at_hand(rules, phi->memory) && k < preds_count(preds, join); k++) {
            Node from = preds_at(preds, join)[k];
            if (!dominance_reaches(&rules->scopes->dominance, from)) continue;
            const uint32_t *left =
                row_of(rules, rules->leaving, rules->number[rules->heads[from.i]]);
            look_at_use(v, rules,
                        (OddUse){.use = join,
                                 .at = from,
                                 .version = memory_phi_args(v->func, phi)[k],
                                 .now = left[rules->column[phi->memory]],
                                 .memory = phi->memory});
        }
    }
}

static void use_of_load(Verifier *v, MemoryRules *rules, Node load, const uint32_t *now) {
    uint32_t memory = memory_class_at(&rules->classes, load);
    if (is_at_hand(rules, memory))
        look_at_use(v, rules,
                    (OddUse){.use = load,
                             .at = load,
                             .version = son_reads(v->func, load),
                             .now = now[rules->column[memory]],
                             .memory = memory});
}

// Behind the instruction that made the version of an odd use, the class has the same version as at
// the use.
static void odd_uses_at(Verifier *v, const MemoryRules *rules, Node maker, const uint32_t *now) {
    for (uint32_t i = rules->odd_at[maker.i]; i; i = rules->odd.at[i - 1].next) {
        const OddUse *use = &rules->odd.at[i - 1];
        if (now[rules->column[use->memory]] != use->now) complain_of(v, use);
    }
}

// Over all nodes again: first over uses, then over those that were odd.
static void look_at_uses(Verifier *v, MemoryRules *rules, bool odd) {
    uint32_t now[CLASSES_AT_ONCE];
    for (uint32_t b = 0; b < rules->count; b++) {
        memcpy(now, row_of(rules, rules->entering, b), rules->width * sizeof *now);
        if (!odd) uses_of_phis(v, rules, (Node){rules->order[b]});
        for (Node at = {rules->order[b]};; at = func_at(v->func, at)->succ[0]) {
            if (!odd && func_at(v->func, at)->kind == I_LOAD) use_of_load(v, rules, at, now);
            step(v, rules, at, now);
            if (odd) odd_uses_at(v, rules, at, now);
            if (at.i == rules->last[rules->order[b]]) break;
        }
    }
}

static void ask(Verifier *v, MemoryRules *rules, uint32_t memory) {
    if (rules->column[memory] != NO_ID) return;
    rules->column[memory] = 0;
    vec_push(v->scratch, &rules->asked, memory);
}

static void find_asked(Verifier *v, MemoryRules *rules) {
    const Son *son = v->func->son;
    rules->column = ARENA_ARRAY(v->scratch, uint32_t, rules->classes.count);
    memset(rules->column, 0xff, rules->classes.count * sizeof *rules->column);
    for (uint32_t i = 0; i < son->memory_phis.count; i++)
        ask(v, rules, son->memory_phis.at[i].memory);
    for (uint32_t n = 0; n < v->func->nodes.count; n++)
        if (v->func->nodes.at[n].kind == I_LOAD)
            ask(v, rules, memory_class_at(&rules->classes, (Node){n}));
    memset(rules->column, 0xff, rules->classes.count * sizeof *rules->column);
}

static void rule_memory_current(Verifier *v, MemoryRules *rules) {
    uint32_t asked = rules->asked.count, most = asked < CLASSES_AT_ONCE ? asked : CLASSES_AT_ONCE;
    rules->unnamed = ARENA_ARRAY(v->scratch, uint64_t, rules->count);
    rules->entering = ARENA_ARRAY(v->scratch, uint32_t, (size_t)rules->count * most);
    rules->leaving = ARENA_ARRAY(v->scratch, uint32_t, (size_t)rules->count * most);
    for (uint32_t done = 0; done < asked; done += rules->width) {
        rules->hand = rules->asked.at + done;
        rules->width = asked - done < CLASSES_AT_ONCE ? asked - done : CLASSES_AT_ONCE;
        for (uint32_t c = 0; c < rules->width; c++) rules->column[rules->hand[c]] = c;
        mark_headers(v, rules);
        do sweep(v, rules);
        while (is_surprised(v, rules));
        vec_clear(&rules->odd);
        look_at_uses(v, rules, false);
        if (rules->odd.count) {
            look_at_uses(v, rules, true);
            memset(rules->odd_at, 0, v->func->nodes.count * sizeof *rules->odd_at);
        }
        for (uint32_t c = 0; c < rules->width; c++) rules->column[rules->hand[c]] = NO_ID;
    }
}

void verify_memory(Verifier *v, const Scopes *scopes) {
    MemoryRules rules = {.scopes = scopes};
    if (!rule_memory_classes(v) || !rule_memory_index(v, &scopes->preds)) return;
    if (!rules_of_makers(v, &rules)) return;
    rules.classes = memory_classes_of(v->scratch, v->func);
    if (!rules_of_nodes(v, &rules)) return;
    find_asked(v, &rules);
    if (!rules.asked.count) return;
    rules.loop_nest = loop_nest_of(v->scratch, v->func, &scopes->preds, &scopes->dominance);
    rules.odd_at = ARENA_ARRAY(v->scratch, uint32_t, v->func->nodes.count);
    order_blocks(v, &rules);
    rule_memory_current(v, &rules);
}
