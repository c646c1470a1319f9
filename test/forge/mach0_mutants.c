// Random damage to code generation for mach0 and to its hints: see test/gen/mutants.h.
//
// Kinds of damage that a careless code generator would do by itself come with the hint that it
// would give: instructions in another order, copies of phis at another place or through another
// register, registers that two values share. Half of the originals are scrambled, so that the phis
// of a block exchange values; a third has its variables in memory, so that reads and writes meet.
#include "check/checkers.h"
#include "pass/pass.h"
#include "test/gen/effort.h"
#include "test/gen/in_memory.h"
#include "test/gen/mutants.h"
#include "test/gen/random_func.h"
#include "test/gen/scramble.h"
#include "test/gen/twins.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return check_mach0_build(arena, before, after, hint);
}

// Three quarters have phis, if any are found.
static const Func *original(Mutant *mutant) {
    bool phis = mutant_draw(mutant, 4), memory = mutant_draw(mutant, 3) == 0;
    for (int tries = 0; memory || (phis && mutant->before->phis.count < 2); tries++) {
        if (tries == 10) break;
        uint64_t seed = mutant_draw(mutant, 1u << 30);
        RandomOptions options = random_options(seed % 2 ? 60 : 200, seed);
        options.variables = 2 + (uint32_t)(seed % 5);
        const Func *func = random_func(mutant->arena, program_new(mutant->arena), options, seed);
        if (memory) func = func_in_memory(mutant->arena, func, seed);
        mutant->before = ssa_of(mutant->arena, func);
        memory = false;
    }
    if (mutant_draw(mutant, 2)) return mutant->before;
    return scramble_ssa(mutant->arena, mutant->before, 10 + mutant_draw(mutant, 80),
                        &mutant->random);
}

static bool make(Mutant *mutant) {
    AsideOptions options = {.seed = mutant_draw(mutant, 4)};
    Mach0Hint *hint = ARENA_NEW(mutant->arena, Mach0Hint);
    mutant->before = original(mutant);
    mutant->after = mach0_build(mutant->arena, mutant->before, &options, hint);
    mutant->hint = hint;
    if (!mutant->after) return false;
    Complaints complaints = {.arena = mutant->arena};
    if (!verify_func(&complaints, mutant->after)) fail_msg("%s", complaints.list.at[0].message);
    Verdict verdict = check(mutant->arena, mutant->before, mutant->after, hint);
    if (!verdict.accepted) fail_msg("honest code was rejected: %s", verdict.reason);
    return true;
}

// ---- Choosing

static uint32_t role_of(const Mutant *mutant, uint32_t node) {
    const Mach0Hint *hint = mutant->hint;
    return node < hint->origins.count ? hint->origins.at[node].role : MACH0_ROLE_COUNT;
}

// An instruction of that role; NO_ID if there is none. Damage before may have made something else
// of a copy.
static uint32_t draw_role(Mutant *mutant, uint32_t role) {
    uint32_t count = mutant->after->nodes.count, start = mutant_draw(mutant, count);
    bool copy = role == MACH0_SEND || role == MACH0_RECEIVE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = (start + i) % count;
        const Instr *instr = &mutant->after->nodes.at[node];
        if (role_of(mutant, node) != role) continue;
        if (!copy || (instr->dest.i != NO_ID && instr->arg_count == 1)) return node;
    }
    return NO_ID;
}

static bool goes_on(const Mutant *mutant, uint32_t node) {
    const Instr *instr = &mutant->after->nodes.at[node];
    return instr->succ_count == 1 && instr->succ[0].i == node + 1 &&
           node + 1 < mutant->after->nodes.count;
}

static Reg *args_of(const Mutant *mutant, Instr *instr) {
    return instr->arg_count <= INLINE_ARGS ? instr->arg
                                           : mutant->after->reg_pool.at + instr->args_at;
}

// ---- Order

// What is at one place of the line goes to another, up or down, with its origin; false if control
// does not go straight on there.
static bool move_to(Mutant *mutant, uint32_t from, uint32_t to) {
    Mach0Hint *hint = mutant->hint;
    uint32_t low = from < to ? from : to, high = from < to ? to : from;
    if (from == to || high >= mutant->after->nodes.count) return false;
    for (uint32_t n = low; n <= high; n++)
        if (!goes_on(mutant, n)) return false;
    Instr *nodes = mutant->after->nodes.at, moved = nodes[from];
    Mach0Origin origin = hint->origins.at[from];
    for (uint32_t n = from; n != to;) {
        uint32_t next = from < to ? n + 1 : n - 1;
        nodes[n] = nodes[next];
        nodes[n].succ[0].i = n + 1;
        hint->origins.at[n] = hint->origins.at[next];
        n = next;
    }
    nodes[to] = moved;
    nodes[to].succ[0].i = to + 1;
    hint->origins.at[to] = origin;
    return true;
}
static bool move_by(Mutant *mutant, uint32_t node, uint32_t most, bool up) {
    uint32_t by = 1 + mutant_draw(mutant, most);
    if (node == NO_ID || (up && node < by)) return false;
    return move_to(mutant, node, up ? node - by : node + by);
}
static bool swap_neighbours(Mutant *mutant) {
    return move_by(mutant, draw_role(mutant, MACH0_OPERATION), 1, false);
}
static bool move_operation(Mutant *mutant) {
    return move_by(mutant, draw_role(mutant, MACH0_OPERATION), 6, mutant_draw(mutant, 2));
}
static bool move_access(Mutant *mutant) {
    uint32_t node = draw_role(mutant, MACH0_OPERATION);
    if (node == NO_ID || mutant->after->nodes.at[node].kind == I_OP) return false;
    return move_by(mutant, node, 4, mutant_draw(mutant, 2));
}
static bool delay_receive(Mutant *mutant) {
    return move_by(mutant, draw_role(mutant, MACH0_RECEIVE), 5, false);
}
static bool hasten_send(Mutant *mutant) {
    return move_by(mutant, draw_role(mutant, MACH0_SEND), 5, true);
}
static bool exchange_places(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t a = mutant_draw(mutant, mutant->after->nodes.count),
             b = mutant_draw(mutant, mutant->after->nodes.count);
    if (a == b || !goes_on(mutant, a) || !goes_on(mutant, b)) return false;
    Instr *nodes = mutant->after->nodes.at, first = nodes[a];
    Mach0Origin origin = hint->origins.at[a];
    nodes[a] = nodes[b];
    nodes[a].succ[0].i = a + 1;
    nodes[b] = first;
    nodes[b].succ[0].i = b + 1;
    hint->origins.at[a] = hint->origins.at[b];
    hint->origins.at[b] = origin;
    return true;
}

// ---- Copies

static uint32_t draw_copy(Mutant *mutant) {
    return draw_role(mutant, mutant_draw(mutant, 2) ? MACH0_SEND : MACH0_RECEIVE);
}
// The line closes up behind what is left out, in the hint as well.
static bool cut_out(Mutant *mutant, uint32_t node) {
    Mach0Hint *hint = mutant->hint;
    Func *after = mutant->after;
    if (node == NO_ID || !goes_on(mutant, node)) return false;
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        Instr *instr = &after->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node succ = instr_succs(after, instr)[k];
            if (succ.i > node) func_set_succ(after, (Node){n}, k, (Node){succ.i - 1});
        }
    }
    for (uint32_t n = node; n + 1 < after->nodes.count; n++) {
        after->nodes.at[n] = after->nodes.at[n + 1];
        hint->origins.at[n] = hint->origins.at[n + 1];
    }
    after->nodes.count--;
    hint->origins.count--;
    return true;
}
static bool cut_out_copy(Mutant *mutant) {
    return cut_out(mutant, draw_copy(mutant));
}
static bool cut_out_operation(Mutant *mutant) {
    return cut_out(mutant, draw_role(mutant, MACH0_OPERATION));
}
static bool overwrite_with_copy(Mutant *mutant) {
    uint32_t from = draw_copy(mutant), to = draw_copy(mutant);
    Mach0Hint *hint = mutant->hint;
    if (from == NO_ID || to == NO_ID || from == to) return false;
    Node succ = mutant->after->nodes.at[to].succ[0];
    mutant->after->nodes.at[to] = mutant->after->nodes.at[from];
    mutant->after->nodes.at[to].succ[0] = succ;
    hint->origins.at[to] = hint->origins.at[from];
    return true;
}
static bool exchange_copies(Mutant *mutant) {
    uint32_t role = mutant_draw(mutant, 2) ? MACH0_SEND : MACH0_RECEIVE;
    uint32_t a = draw_role(mutant, role), b = draw_role(mutant, role);
    if (a == NO_ID || b == NO_ID || a == b) return false;
    Instr *first = &mutant->after->nodes.at[a], *second = &mutant->after->nodes.at[b];
    bool source = mutant_draw(mutant, 2);
    Reg *left = source ? &first->arg[0] : &first->dest,
        *right = source ? &second->arg[0] : &second->dest, old = *left;
    if (left->i == right->i || reg_type(mutant->after, *left) != reg_type(mutant->after, *right))
        return false;
    *left = *right;
    *right = old;
    return true;
}
static bool turn_copy(Mutant *mutant) {
    uint32_t node = draw_copy(mutant);
    if (node == NO_ID) return false;
    Instr *instr = &mutant->after->nodes.at[node];
    Reg dest = instr->dest;
    instr->dest = instr->arg[0];
    instr->arg[0] = dest;
    return true;
}
// A phi without a register in between: what is sent goes to the phi's own one.
static bool send_at_once(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t node = draw_role(mutant, MACH0_RECEIVE);
    if (node == NO_ID) return false;
    uint32_t phi = hint->origins.at[node].phi;
    Instr *receive = &mutant->after->nodes.at[node];
    Reg own = receive->dest;
    for (uint32_t n = 0; n < mutant->after->nodes.count; n++)
        if (role_of(mutant, n) == MACH0_SEND && hint->origins.at[n].phi == phi)
            mutant->after->nodes.at[n].dest = own;
    receive->arg[0] = own;
    if (phi < hint->carrier_of.count) hint->carrier_of.at[phi] = own.i;
    return true;
}

// ---- Registers

static void rename_register(Mutant *mutant, uint32_t from, uint32_t to) {
    for (uint32_t n = 0; n < mutant->after->nodes.count; n++) {
        Instr *instr = &mutant->after->nodes.at[n];
        for (uint32_t i = 0; i < instr->arg_count; i++)
            if (args_of(mutant, instr)[i].i == from) args_of(mutant, instr)[i].i = to;
        if (instr->dest.i == from) instr->dest.i = to;
    }
    Mach0Hint *hint = mutant->hint;
    for (uint32_t i = 0; i < hint->register_of.count; i++)
        if (hint->register_of.at[i] == from) hint->register_of.at[i] = to;
    for (uint32_t i = 0; i < hint->carrier_of.count; i++)
        if (hint->carrier_of.at[i] == from) hint->carrier_of.at[i] = to;
}
static bool merge(Mutant *mutant, uint32_t from) {
    Reg to = {from};
    for (uint32_t i = 0; i < mutant->after->params.count; i++)
        if (mutant->after->params.at[i].i == from) return false;
    if (from >= mutant->after->regs.count || !mutant_change_reg(mutant, &to)) return false;
    rename_register(mutant, from, to.i);
    return true;
}
static bool merge_registers(Mutant *mutant) {
    return merge(mutant, mutant_draw(mutant, mutant->after->regs.count));
}
static bool merge_carrier(Mutant *mutant) {
    const Mach0Hint *hint = mutant->hint;
    if (!hint->carrier_of.count) return false;
    return merge(mutant, hint->carrier_of.at[mutant_draw(mutant, hint->carrier_of.count)]);
}
static bool merge_carriers(Mutant *mutant) {
    const Mach0Hint *hint = mutant->hint;
    uint32_t count = hint->carrier_of.count;
    if (count < 2) return false;
    uint32_t a = hint->carrier_of.at[mutant_draw(mutant, count)],
             b = hint->carrier_of.at[mutant_draw(mutant, count)], regs = mutant->after->regs.count;
    if (a == b || a >= regs || b >= regs ||
        reg_type(mutant->after, (Reg){a}) != reg_type(mutant->after, (Reg){b}))
        return false;
    rename_register(mutant, a, b);
    return true;
}
// As it should not be: one register less than before, but only up to some place of the line.
static bool merge_in_part(Mutant *mutant) {
    uint32_t from = mutant_draw(mutant, mutant->after->regs.count), changed = 0;
    Reg to = {from};
    if (!mutant_change_reg(mutant, &to)) return false;
    uint32_t start = mutant_draw(mutant, mutant->after->nodes.count);
    for (uint32_t n = start; n < mutant->after->nodes.count; n++) {
        Instr *instr = &mutant->after->nodes.at[n];
        for (uint32_t i = 0; i < instr->arg_count; i++) {
            if (args_of(mutant, instr)[i].i != from) continue;
            args_of(mutant, instr)[i] = to;
            changed++;
        }
        if (instr->dest.i == from) instr->dest = to, changed++;
    }
    return changed > 0;
}
static bool swap_parameters(Mutant *mutant) {
    Func *after = mutant->after;
    if (after->params.count < 2 ||
        reg_type(after, after->params.at[0]) != reg_type(after, after->params.at[1]))
        return false;
    Reg first = after->params.at[0];
    after->params.at[0] = after->params.at[1];
    after->params.at[1] = first;
    return true;
}

// ---- Jumps

// To another label, as a mistake of code generation would have it.
static bool change_target(Mutant *mutant) {
    uint32_t node = mutant_draw(mutant, mutant->after->nodes.count),
             label = draw_role(mutant, MACH0_LABEL);
    const Instr *instr = &mutant->after->nodes.at[node];
    if (label == NO_ID || !instr->succ_count || goes_on(mutant, node)) return false;
    uint32_t which = mutant_draw(mutant, instr->succ_count);
    if (instr_succs(mutant->after, instr)[which].i == label) return false;
    func_set_succ(mutant->after, (Node){node}, which, (Node){label});
    return true;
}
// Behind the label, where the copies of phis begin, or behind these.
static bool jump_behind_label(Mutant *mutant) {
    uint32_t node = mutant_draw(mutant, mutant->after->nodes.count);
    const Instr *instr = &mutant->after->nodes.at[node];
    if (!instr->succ_count || goes_on(mutant, node)) return false;
    uint32_t which = mutant_draw(mutant, instr->succ_count);
    uint32_t to = instr_succs(mutant->after, instr)[which].i + 1 + mutant_draw(mutant, 3);
    if (to >= mutant->after->nodes.count) return false;
    func_set_succ(mutant->after, (Node){node}, which, (Node){to});
    return true;
}
// A jump to the label of another block, and the hint takes the one for the other.
static bool exchange_labels(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t a = draw_role(mutant, MACH0_LABEL), b = draw_role(mutant, MACH0_LABEL);
    if (a == NO_ID || b == NO_ID || a == b) return false;
    Mach0Origin origin = hint->origins.at[a];
    hint->origins.at[a] = hint->origins.at[b];
    hint->origins.at[b] = origin;
    return true;
}

// ---- The hint alone

static bool change_role(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t *role = &hint->origins.at[mutant_draw(mutant, hint->origins.count)].role, old = *role;
    *role = mutant_draw(mutant, MACH0_ROLE_COUNT + 1);
    return *role != old;
}
static bool change_origin(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    Mach0Origin *origin = &hint->origins.at[mutant_draw(mutant, hint->origins.count)];
    uint32_t old = origin->node;
    origin->node = mutant_draw(mutant, mutant->before->nodes.count + 1);
    return origin->node != old;
}
static bool change_phi(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t node = draw_copy(mutant);
    if (node == NO_ID) return false;
    uint32_t *phi = &hint->origins.at[node].phi, old = *phi;
    *phi = mutant_draw(mutant, mutant->before->phis.count + 1);
    return *phi != old;
}
static bool change_register(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t *reg = &hint->register_of.at[mutant_draw(mutant, hint->register_of.count)], old = *reg;
    *reg = mutant_draw(mutant, mutant->after->regs.count + 1);
    return *reg != old;
}
static bool change_carrier(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    if (!hint->carrier_of.count) return false;
    uint32_t *reg = &hint->carrier_of.at[mutant_draw(mutant, hint->carrier_of.count)], old = *reg;
    *reg = mutant_draw(mutant, mutant->after->regs.count + 1);
    return *reg != old;
}
static bool shorten(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t which = mutant_draw(mutant, 3);
    if (which == 0) hint->origins.count -= hint->origins.count > 0;
    if (which == 1) hint->register_of.count -= hint->register_of.count > 0;
    if (which == 2) hint->carrier_of.count -= hint->carrier_of.count > 0;
    return true;
}

static const MutantKind kinds[] = {
    {"swap neighbours", swap_neighbours},
    {"move an operation", move_operation},
    {"move an access", move_access},
    {"delay the copy of a phi", delay_receive},
    {"copy for a phi too early", hasten_send},
    {"exchange places", exchange_places},
    {"cut out a copy", cut_out_copy},
    {"cut out an operation", cut_out_operation},
    {"overwrite a copy", overwrite_with_copy},
    {"exchange copies", exchange_copies},
    {"turn a copy around", turn_copy},
    {"send without a carrier", send_at_once},
    {"merge registers", merge_registers},
    {"merge a carrier", merge_carrier},
    {"merge two carriers", merge_carriers},
    {"merge in part", merge_in_part},
    {"swap parameters", swap_parameters},
    {"change a target", change_target},
    {"jump behind a label", jump_behind_label},
    {"exchange labels", exchange_labels},
    {"change a role", change_role},
    {"change an origin", change_origin},
    {"change a phi", change_phi},
    {"change a register", change_register},
    {"change a carrier", change_carrier},
    {"shorten the hint", shorten},
};

static void test_mutants(void **state) {
    (void)state;
    MutantPass pass = {
        .make = make, .check = check, .kinds = kinds, .kind_count = sizeof kinds / sizeof kinds[0]};
    mutants_try(&pass, effort(1000, 8000, 200000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
