// The results of loads, in terms of values: contents that are known already, the initial values of
// constant objects, and loads that can be done in front of a loop.
//
// Registers are known by their values, so that addresses which are computed alike are the same
// place. analysis/memory_contents.h finds the holder of a place, and the joins where a phi is to be
// added that holds the place. If the address of a load does not change in a loop, and no other
// address of the loop leads to its place, the load is thought of in front of the loop; then the
// result is held at the start of the loop.
#include "pass/son/son_work.h"

#include "analysis/loop_writes.h"
#include "analysis/memory_contents.h"
#include "fact/effects.h"
#include "fact/initial_data.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_WAY = 64, // from the header to a load that is executed in any case
    SMALL_LOOP = 100, // nodes; there, also loads that are not executed in every round
    MOST_EARLY = 16   // loads that one loop may be given from outside
};

typedef struct {
    SonWork *work;
    const Func *func;
    Places places;
    uint32_t
        *initial; // node with a load -> the value that it reads from a constant object, or NO_ID
    LoopWrites writes;
    uint32_t *size;     // header -> nodes of its loop
    uint32_t *given;    // header -> early loads
    uint32_t *early_at; // place -> the node in front of which it was loaded last, or NO_ID
    VEC(ThoughtLoad) thought;
} SonMemory;

// ---- Constant objects

// The value of the bytes of a constant object that a load reads; NO_ID if it reads something else.
static uint32_t initial_value(SonMemory *memory, const Instr *load) {
    SonValues *values = &memory->work->values;
    MemBytes bytes = places_moved(&memory->places, memory->func, load);
    Type type = chunk_type((Chunk)load->chunk);
    InitialData data;
    if (bytes.base != BASE_SYMBOL || !bytes.fixed ||
        !initial_data(memory->func->program, (Sym){bytes.ref}, bytes.at, bytes.size, &data))
        return NO_ID;
    if (data.symbol.i == NO_ID) return value_constant(values, type, (Value){.bits = data.number});
    Instr address = {
        .kind = I_OP, .op = OP_ADDR_SYMBOL, .ref = data.symbol.i, .imm = (int64_t)data.number};
    return type == TYPE_I64 ? value_of_instr(values, &address, NULL) : NO_ID;
}

static void find_initial(SonMemory *memory) {
    const Func *func = memory->func;
    memory->initial = ARENA_ARRAY(memory->work->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        bool load = func->nodes.at[n].kind == I_LOAD && bits_has(&memory->work->reached, n);
        memory->initial[n] = load ? initial_value(memory, &func->nodes.at[n]) : NO_ID;
    }
}

// ---- Early loads

static bool is_above(const SonMemory *memory, Reg reg, Node node) {
    uint32_t value = memory->work->value_of[reg.i];
    uint32_t base = memory->work->values.base.at[value];
    return base == NO_ID || dominates(&memory->work->dom, (Node){base}, node);
}

// Whether the registers of an address are known in front of a node.
static bool is_address_known(const SonMemory *memory, const Instr *load, Node at) {
    const Reg *args = instr_args(memory->func, load);
    for (uint32_t k = 0; k < load->arg_count; k++)
        if (!is_above(memory, args[k], at)) return false;
    return true;
}

// Whether control comes from a header straight to a node.
static bool is_reached_in_any_case(const SonMemory *memory, Node header, Node wanted) {
    Node node = header;
    for (uint32_t i = 0; i < LONGEST_WAY && node.i != wanted.i; i++) {
        const Instr *instr = func_at(memory->func, node);
        if (!instr_is_quiet(instr)) return false;
        node = instr->succ[0];
    }
    return node.i == wanted.i;
}

static bool can_leave(const SonMemory *memory, Node header, Node node, Node *entry) {
    const SonWork *work = memory->work;
    const Instr *load = func_at(memory->func, node);
    uint32_t place = memory->places.target[node.i], k;
    if (place == NO_ID || !header_is_plain(&work->preds, &work->dom, header, &k)) return false;
    *entry = preds_at(&work->preds, header)[k];
    Node latch = preds_at(&work->preds, header)[1 - k];
    if (func_at(memory->func, *entry)->kind != I_NOP || !bits_has(&work->reached, entry->i) ||
        !bits_has(&work->reached, latch.i) || memory->given[header.i] >= MOST_EARLY ||
        !is_address_known(memory, load, *entry) ||
        !loop_tracks_place(&memory->writes, header, place))
        return false;
    if (!access_is_inside(memory->func, load)) return is_reached_in_any_case(memory, header, node);
    return dominates(&work->dom, node, latch) || memory->size[header.i] <= SMALL_LOOP;
}

static uint32_t early_value(SonWork *work, Node at, Node load) {
    uint64_t key = (uint64_t)at.i << 32 | load.i;
    uint32_t found = map_get(&work->early_of, key);
    if (found != HASH_NONE) return found;
    EarlyLoad early = {.at = at, .load = load, .value = value_load(&work->values, at, load)};
    vec_push(work->arena, &work->early, early);
    map_set(work->arena, &work->early_of, key, early.value);
    return early.value;
}

static void consider(SonMemory *memory, Node node) {
    SonWork *work = memory->work;
    Node to = NO_NODE, at = NO_NODE, entry;
    for (Node header = work->loops.loop[node.i];
         header.i != NO_ID && can_leave(memory, header, node, &entry);
         header = work->loops.outer[header.i]) {
        to = header;
        at = entry;
    }
    if (to.i == NO_ID) return;
    uint32_t place = memory->places.target[node.i];
    if (memory->early_at[place] == at.i) return;
    memory->early_at[place] = at.i;
    memory->given[to.i]++;
    ThoughtLoad thought = {.node = at.i, .load = node.i, .name = early_value(work, at, node)};
    vec_push(work->arena, &memory->thought, thought);
}

static int by_node(const void *a, const void *b) {
    const ThoughtLoad *x = a, *y = b;
    return x->node != y->node ? (x->node < y->node ? -1 : 1)
                              : (x->load < y->load ? -1 : x->load > y->load);
}

static void find_early(SonMemory *memory) {
    SonWork *work = memory->work;
    const Func *func = memory->func;
    memory->writes =
        loop_writes_of(work->arena, func, &work->loops, &memory->places, &work->reached);
    memory->size = ARENA_ARRAY(work->arena, uint32_t, func->nodes.count);
    memory->given = ARENA_ARRAY(work->arena, uint32_t, func->nodes.count);
    memory->early_at = ARENA_ARRAY(work->arena, uint32_t, memory->places.places.count + 1);
    memset(memory->early_at, 0xff, memory->places.places.count * sizeof *memory->early_at);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (work->loops.loop[n].i != NO_ID) memory->size[work->loops.loop[n].i]++;
    // Headers come before those of loops inside.
    for (uint32_t n = func->nodes.count; n--;)
        if (memory->size[n] && work->loops.outer[n].i != NO_ID)
            memory->size[work->loops.outer[n].i] += memory->size[n];
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (func->nodes.at[n].kind == I_LOAD && bits_has(&work->reached, n) &&
            work->loops.loop[n].i != NO_ID && memory->initial[n] == NO_ID)
            consider(memory, (Node){n});
    if (memory->thought.count)
        qsort(memory->thought.at, memory->thought.count, sizeof *memory->thought.at, by_node);
}

// ---- What is held

static const RegisterValue *register_values(SonWork *work) {
    uint32_t regs = work->before->regs.count;
    RegisterValue *result = ARENA_ARRAY(work->arena, RegisterValue, regs);
    for (uint32_t r = 0; r < regs; r++) {
        uint32_t value = work->value_of[r];
        const HintValue *it = value == NO_ID ? NULL : value_at(&work->values, value);
        result[r] = it && it->kind == VALUE_OP ? register_value(value, it->op, it->ref, it->imm)
                                               : register_value(value, OP_COUNT, NO_ID, 0);
    }
    return result;
}

Places son_places(SonWork *work) {
    return places_by_values(work->arena, work->before, register_values(work), &work->reached);
}

// The value that each phi is, if it chooses among values by the edge.
static uint32_t *phi_names(SonWork *work) {
    const Func *func = work->before;
    uint32_t *result = ARENA_ARRAY(work->arena, uint32_t, func->phis.count);
    for (uint32_t i = 0; i < func->phis.count; i++) {
        uint32_t value = work->value_of[func->phis.at[i].dest.i];
        bool is_phi = value != NO_ID && value_at(&work->values, value)->kind == VALUE_PHI &&
                      value == work->values.phi[func->phis.at[i].dest.i];
        result[i] = is_phi ? value : NO_ID;
    }
    return result;
}

// A phi that was added in an earlier round keeps its value.
static uint32_t added_value(SonWork *work, const AddedPhi *phi) {
    uint64_t key = (uint64_t)phi->join << 32 | phi->load;
    uint32_t found = map_get(&work->contents_phi_of, key);
    if (found != HASH_NONE) return found;
    Type type = reg_type(work->before, work->before->nodes.at[phi->load].dest);
    ContentsPhi added = {.join = {phi->join},
                         .value = value_added_phi(&work->values, type, (Node){phi->join})};
    vec_push(work->arena, &work->contents_phis, added);
    map_set(work->arena, &work->contents_phi_of, key, added.value);
    return added.value;
}

// The values of the names that were given: of a value itself, or of a phi that is added.
static void name_added(SonWork *work, const Held *held, uint32_t names) {
    uint32_t *value = ARENA_ARRAY(work->arena, uint32_t, held->added.count);
    for (uint32_t i = 0; i < held->added.count; i++)
        value[i] = held->added.at[i].first == NO_ID ? NO_ID : added_value(work, &held->added.at[i]);
#define RENAME(name)                                                                               \
    if ((name) != NO_ID && (name) >= names) (name) = value[(name)-names]
    for (uint32_t i = 0; i < held->args.count; i++) RENAME(held->args.at[i]);
    for (uint32_t i = 0; i < held->facts.count; i++) RENAME(held->facts.at[i].name);
    for (uint32_t n = 0; held->held && n < work->before->nodes.count; n++) RENAME(held->held[n]);
#undef RENAME
    for (uint32_t i = 0; i < held->added.count; i++) {
        uint32_t ways = preds_count(&work->preds, (Node){held->added.at[i].join});
        if (value[i] != NO_ID)
            value_set_phi(&work->values, value[i], held->args.at + held->added.at[i].first, ways);
    }
}

static void take_facts(SonWork *work, const Held *held) {
    vec_clear(&work->facts_at);
    vec_clear(&work->facts);
    for (uint32_t i = 0; i < held->facts_at.count; i++)
        vec_push(work->arena, &work->facts_at, held->facts_at.at[i]);
    for (uint32_t i = 0; i < held->facts.count; i++) {
        PlaceFact fact = {.place = held->facts.at[i].place, .value = held->facts.at[i].name};
        vec_push(work->arena, &work->facts, fact);
    }
}

static bool has_loads(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (func->nodes.at[n].kind == I_LOAD) return true;
    return false;
}

void son_hold(SonWork *work, uint32_t *held) {
    const Func *func = work->before;
    memset(held, 0xff, func->nodes.count * sizeof *held);
    vec_clear(&work->facts_at);
    vec_clear(&work->facts);
    if (!has_loads(func)) return;
    SonMemory memory = {.work = work, .func = func};
    memory.places = son_places(work);
    find_initial(&memory);
    if (work->has_loops && work->loops.reducible) find_early(&memory);
    uint32_t names = work->values.values.count;
    Held found = held_by(work->arena, &(HeldQuestion){.func = func,
                                                      .places = &memory.places,
                                                      .reached = &work->reached,
                                                      .name = work->value_of,
                                                      .name_count = names,
                                                      .base = work->values.base.at,
                                                      .phi = phi_names(work),
                                                      .thought = memory.thought.at,
                                                      .thought_count = memory.thought.count});
    if (found.added.count) name_added(work, &found, names);
    take_facts(work, &found);
    for (uint32_t n = 0; found.held && n < func->nodes.count; n++)
        if (bits_has(&work->reached, n)) held[n] = found.held[n];
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (memory.initial[n] != NO_ID) held[n] = memory.initial[n];
}
