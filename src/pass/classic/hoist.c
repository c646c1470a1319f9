// Moves operators whose arguments are set outside of a loop in front of the loop, behind the nop
// that leads to its header. For a load from a place to which the loop does not write, a load from
// the same place is put in front of the loop. The pass forward, which runs later, finds out that
// the load in the loop yields the same.
//
// Nodes are looked at in their order, a reverse postorder, so that the operands of an operator have
// moved before the operator is looked at. A cheap operator that is not computed in every round
// moves only out of tiny loops: elsewhere the operator would keep a register busy for nothing.
// Constants and addresses cost less than a register does; they move only with the operators that
// need them.
#include "pass/pass.h"

#include "analysis/loop_writes.h"
#include "base/bits.h"
#include "fact/effects.h"
#include "graph/definitions.h"
#include "graph/versions.h"
#include "pass/insert.h"

enum {
    MOST_PER_LOOP = 16, // values that one loop may be given from outside
    LONGEST_WAY = 64,   // from the header to a load that is executed in any case
    SMALL_LOOP = 100,   // nodes; there, also what is dear and not computed in every round,
    TINY_LOOP = 80      // and there anything: registers are not scarce
};

typedef struct {
    uint32_t hoisted;
    uint32_t size; // nodes
    Node latch;
} LoopInfo;

// A node that is put in front of a loop.
typedef struct {
    uint32_t at; // the nop that leads to its header
    uint32_t from;
    bool is_load; // a copy, of which the original stays
} Added;

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds;
    Dominance dom;
    LoopNest loop_nest;
    Places places;
    LoopWrites writes;
    LoopInfo *loops; // header -> what is known of its loop
    const Definition *definitions;
    Node *home;          // register -> the node where it is set, as things are now
    uint32_t *added_as;  // node -> its index in `added`, if it was moved
    uint32_t *loaded_at; // place -> where it was loaded last, in front of a loop
    VEC(Added) added;
    Bits moved; // nodes
} Hoist;

// ---- Loops

static Node entry_of(const Hoist *state, Node header) {
    const Node *preds = preds_at(&state->preds, header);
    return preds[is_back_edge(&state->dom, preds[0], header)];
}

// Whether a header has one entry, a nop, and one latch.
static bool is_normal(const Hoist *state, Node header) {
    uint32_t entry;
    return header_is_plain(&state->preds, &state->dom, header, &entry) &&
           func_at(state->func, preds_at(&state->preds, header)[entry])->kind == I_NOP;
}

static void find_loops(Hoist *state) {
    for (uint32_t n = 0; n < state->func->nodes.count; n++)
        state->loops[n] = (LoopInfo){.latch = NO_NODE};
    for (uint32_t n = 0; n < state->func->nodes.count; n++) {
        Node header = state->loop_nest.loop[n];
        if (header.i == NO_ID) continue;
        if (func_at(state->func, (Node){n})->succ_count == 1 &&
            func_at(state->func, (Node){n})->succ[0].i == header.i)
            state->loops[header.i].latch = (Node){n};
        state->loops[header.i].size++;
    }
    // Headers come before those of loops inside.
    for (uint32_t n = state->func->nodes.count; n--;)
        if (state->loops[n].size && state->loop_nest.outer[n].i != NO_ID)
            state->loops[state->loop_nest.outer[n].i].size += state->loops[n].size;
}

// ---- What stays the same

static bool is_set_in(const Hoist *state, Node header, Reg reg) {
    return state->home[reg.i].i != NO_ID &&
           loop_nest_contains(&state->loop_nest, header, state->home[reg.i]);
}

// Whether a register is a constant or an address.
static bool is_free(const Hoist *state, Reg reg) {
    const Instr *instr = defining_instr(state->func, state->definitions, reg);
    return instr && instr->kind == I_OP && instr->arg_count == 0;
}

static bool is_set_outside(const Hoist *state, Node header, const Instr *instr) {
    const Reg *args = instr_args(state->func, instr);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (is_set_in(state, header, args[k]) && !is_free(state, args[k])) return false;
    return true;
}

// ---- Loads that do no harm

// Whether control comes from a header straight to a node.
static bool is_reached_in_any_case(const Hoist *state, Node header, Node wanted) {
    Node node = header;
    for (uint32_t i = 0; i < LONGEST_WAY && node.i != wanted.i; i++) {
        const Instr *instr = func_at(state->func, node);
        if (!instr_is_quiet(instr)) return false;
        node = instr->succ[0];
    }
    return node.i == wanted.i;
}

// ---- Moving

static bool is_expensive(const Instr *instr) {
    switch (instr->op) {
    case OP_MUL_I32:
    case OP_MUL_I64:
    case OP_DIV_F32:
    case OP_DIV_F64:
    case OP_DIV_F80:
    case OP_SQRT_F32:
    case OP_SQRT_F64:
    case OP_SQRT_F80: return true;
    default: return false;
    }
}

// Comparisons for a check, which compares and jumps at once, would only keep a register busy.
static bool is_for_check(const Func *func, const Instr *instr) {
    const Instr *next = instr->succ_count == 1 ? func_at(func, instr->succ[0]) : NULL;
    return next && next->kind == I_CHECK && next->arg[0].i == instr->dest.i &&
           op_info((Op)instr->op)->flags & OPF_COND;
}

static bool is_candidate(const Func *func, const Instr *instr) {
    if (instr->kind == I_LOAD) return true;
    if (instr->kind == I_OP && is_for_check(func, instr)) return false;
    return instr_is_total(instr) && instr->arg_count && !op_is_move((Op)instr->op);
}

static bool can_leave(const Hoist *state, Node header, Node node) {
    const LoopInfo *loop = &state->loops[header.i];
    const Instr *instr = func_at(state->func, node);
    if (loop->latch.i == NO_ID || !is_normal(state, header) || loop->hoisted >= MOST_PER_LOOP ||
        !is_set_outside(state, header, instr))
        return false;
    bool every_round = dominates(&state->dom, node, loop->latch);
    if (instr->kind == I_OP)
        return every_round || loop->size <= (is_expensive(instr) ? SMALL_LOOP : TINY_LOOP);
    uint32_t place = state->places.target[node.i];
    if (place == NO_ID || !loop_leaves_place(&state->writes, header, place)) return false;
    return access_is_inside(state->func, instr) ? every_round || loop->size <= SMALL_LOOP
                                                : is_reached_in_any_case(state, header, node);
}

static void move(Hoist *state, uint32_t node, uint32_t at) {
    Added added = {.at = at, .from = node};
    state->home[state->func->nodes.at[node].dest.i] = (Node){at};
    bits_add(&state->moved, node);
    state->added_as[node] = state->added.count;
    vec_push(state->arena, &state->added, added);
}

// Constants and addresses that an instruction needs in front of a loop go there, too, perhaps once
// more.
static void move_free_arguments(Hoist *state, Node header, const Instr *instr, uint32_t at) {
    const Reg *args = instr_args(state->func, instr);
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        if (!is_set_in(state, header, args[k])) continue;
        uint32_t node = state->definitions[args[k].i].node.i;
        if (!bits_has(&state->moved, node)) {
            move(state, node, at);
        } else {
            state->added.at[state->added_as[node]].at = at;
            state->home[args[k].i] = (Node){at};
        }
    }
}

static void consider(Hoist *state, Node node) {
    const Instr *instr = func_at(state->func, node);
    Node to = NO_NODE;
    for (Node header = state->loop_nest.loop[node.i];
         header.i != NO_ID && can_leave(state, header, node);
         header = state->loop_nest.outer[header.i])
        to = header;
    if (to.i == NO_ID) return;
    uint32_t place = state->places.target[node.i], at = entry_of(state, to).i;
    if (instr->kind == I_LOAD && state->loaded_at[place] == at) return;
    state->loops[to.i].hoisted++;
    move_free_arguments(state, to, instr, at);
    if (instr->kind == I_OP) {
        move(state, node.i, at);
        return;
    }
    Added added = {.at = at, .from = node.i, .is_load = true};
    state->loaded_at[place] = at;
    vec_push(state->arena, &state->added, added);
}

// ---- The new function

// The insertion for an added node: the instruction; for a load, to a new register.
static Insertion insertion_of(const Hoist *state, const Added *added, Func *registers) {
    Insertion result = {.behind = added->at, .instr = state->func->nodes.at[added->from]};
    if (!added->is_load) return result;
    result.instr.dest = func_temp(registers, reg_type(state->func, result.instr.dest));
    registers->regs.at[result.instr.dest.i].version = VERSION_FIRST_SET;
    return result;
}

static void copy_phis(const Hoist *state, Func *result, const uint32_t *place) {
    const Func *func = state->func;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t i = 0; i < func_phi_count(func, (Node){n}); i++) {
            const Phi *phi = &func_phis(func, (Node){n})[i];
            func_add_phi(result, (Node){place[n]}, phi->dest, phi_args(func, phi),
                         preds_count(&state->preds, (Node){n}));
        }
    func_end_phis(result);
}

static Func *build(Hoist *state, HoistHint *hint) {
    Func *grown = func_clone(state->func, state->arena);
    uint32_t *place, count = state->added.count;
    Insertion *list = ARENA_ARRAY(state->arena, Insertion, count);
    for (uint32_t i = 0; i < count; i++) list[i] = insertion_of(state, &state->added.at[i], grown);
    Func *result = insert_behind(state->arena, grown, list, count, &place);
    Node *old = vec_extend(state->arena, &hint->old, result->nodes.count);
    for (uint32_t n = 0; n < result->nodes.count; n++) old[n] = NO_NODE;
    for (uint32_t n = 0; n < state->func->nodes.count; n++) {
        Instr *instr = &result->nodes.at[place[n]];
        old[place[n]] = (Node){n};
        if (bits_has(&state->moved, n))
            *instr = (Instr){.kind = I_NOP,
                             .dest = NO_REG,
                             .succ_count = 1,
                             .succ = {instr->succ[0]},
                             .loc = instr->loc};
    }
    for (uint32_t i = 0; i < count; i++)
        if (state->added.at[i].is_load)
            vec_push(state->arena, &hint->loads, (Node){state->added.at[i].from});
    copy_phis(state, result, place);
    return result;
}

static bool has_backward_edge(const Func *func) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (func->nodes.at[n].kind == I_NOP && func->nodes.at[n].succ[0].i <= n) return true;
    return false;
}

static void find_homes(Hoist *state) {
    state->definitions = definitions_of(state->arena, state->func);
    for (uint32_t r = 0; r < state->func->regs.count; r++)
        state->home[r] = state->definitions[r].node;
}

Func *hoist(Arena *arena, const Func *func, HoistHint *hint) {
    if (!has_backward_edge(func)) return NULL;
    uint32_t count = func->nodes.count;
    Hoist state = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    state.dom = dominance_of(arena, func, &state.preds);
    state.loop_nest = loop_nest_of(arena, func, &state.preds, &state.dom);
    if (!state.loop_nest.reducible) return NULL;
    state.places = places_of(arena, func);
    state.loops = ARENA_ARRAY(arena, LoopInfo, count);
    state.home = ARENA_ARRAY(arena, Node, func->regs.count);
    state.added_as = ARENA_ARRAY(arena, uint32_t, count);
    state.loaded_at = ARENA_ARRAY(arena, uint32_t, state.places.places.count + 1);
    for (uint32_t i = 0; i < state.places.places.count; i++) state.loaded_at[i] = NO_ID;
    state.moved = bits_new(arena, count);
    state.writes = loop_writes_of(arena, func, &state.loop_nest, &state.places, NULL);
    find_loops(&state);
    find_homes(&state);
    for (uint32_t n = 0; n < count; n++)
        if (state.loop_nest.loop[n].i != NO_ID && is_candidate(func, &func->nodes.at[n]))
            consider(&state, (Node){n});
    return state.added.count ? build(&state, hint) : NULL;
}
