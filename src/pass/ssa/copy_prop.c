// Copy propagation: moves, and phis that bring the same register from everywhere.
//
// Phis may be trivial only together, as in p = phi(a, q), q = phi(p, q). So every phi counts as a
// copy until an argument tells otherwise: each phi has as its value the register that it copies,
// none (yet), or itself. A phi whose arguments with a value agree takes that value; if the
// arguments disagree, the phi stands for itself, for good. When the value of a phi changes, the
// phis that use it are looked at again. A phi that was looked at too often is given up, so that the
// whole takes linear time even if the values of long chains of phis change one after the other.
//
// A phi may stand for itself too soon: it has met the new value of one argument and the old value
// of another, whose new value a chain of phis was still to bring. So at last phis are compared once
// more, in order and by the present values of their arguments; such a phi is a copy after all if
// these agree.
#include "pass/pass.h"

#include "graph/definitions.h"
#include "pass/substitute.h"

enum { LOOKS = 16 };

typedef struct {
    const Func *func;
    Reg *source; // per register: where the chain of moves that leads to it starts
    Reg *value;  // per source: the register that it copies; NO_REG for a phi with no value yet
    const Definition *definitions;
    uint32_t *uses_at;     // per phi, and one more: its first use in `uses`
    uint32_t *uses;        // phis
    uint32_t *queue;       // of phis, a ring with a place for each
    uint32_t head, length; // of the queue
    bool *queued;
    uint8_t *looks;
} CopyProp;

// ---- Moves

static bool follow_moves(Arena *scratch, CopyProp *copies) {
    const Func *func = copies->func;
    Reg *source = copies->source;
    bool any = false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_OP || !op_is_move((Op)instr->op)) continue;
        source[instr->dest.i] = instr->arg[0];
        any = true;
    }
    if (!any) return false;
    uint32_t *walk = ARENA_ARRAY(scratch, uint32_t, func->regs.count); // the last that came by
    for (uint32_t i = 0; i < func->regs.count; i++) {
        Reg start = {i};
        for (; source[start.i].i != start.i; start = source[start.i]) {
            if (walk[start.i] == i + 1) source[start.i] = start; // a circle that cannot be reached
            walk[start.i] = i + 1;
        }
        for (Reg reg = {i}, next; reg.i != start.i; reg = next) {
            next = source[reg.i];
            source[reg.i] = start;
        }
    }
    return true;
}

// ---- Phis

static uint32_t args_end(const Func *func, uint32_t phi) {
    return phi + 1 < func->phis.count ? func->phis.at[phi + 1].args_at : func->phi_args.count;
}

// The phi whose value an argument has, or NO_ID.
static uint32_t phi_behind(const CopyProp *copies, uint32_t arg) {
    Reg source = copies->source[copies->func->phi_args.at[arg].i];
    Definition definition = copies->definitions[source.i];
    return definition.by == SET_BY_PHI ? definition.at : NO_ID;
}

static void find_uses(Arena *scratch, CopyProp *copies) {
    const Func *func = copies->func;
    uint32_t *at = copies->uses_at = ARENA_ARRAY(scratch, uint32_t, (size_t)func->phis.count + 2);
    for (uint32_t arg = 0; arg < func->phi_args.count; arg++) {
        uint32_t phi = phi_behind(copies, arg);
        if (phi != NO_ID) at[phi + 2]++;
    }
    for (uint32_t i = 2; i < func->phis.count + 2; i++) at[i] += at[i - 1];
    copies->uses = ARENA_ARRAY(scratch, uint32_t, at[func->phis.count + 1]);
    for (uint32_t user = 0; user < func->phis.count; user++)
        for (uint32_t arg = func->phis.at[user].args_at; arg < args_end(func, user); arg++) {
            uint32_t phi = phi_behind(copies, arg);
            if (phi != NO_ID) copies->uses[at[phi + 1]++] = user;
        }
}

static void enqueue(CopyProp *copies, uint32_t phi) {
    if (copies->queued[phi]) return;
    uint32_t count = copies->func->phis.count, place = copies->head + copies->length++;
    copies->queue[place < count ? place : place - count] = phi;
    copies->queued[phi] = true;
}

static uint32_t dequeue(CopyProp *copies) {
    uint32_t phi = copies->queue[copies->head++];
    if (copies->head == copies->func->phis.count) copies->head = 0;
    copies->length--;
    copies->queued[phi] = false;
    return phi;
}

static void set_value(CopyProp *copies, uint32_t phi, Reg value) {
    copies->value[copies->func->phis.at[phi].dest.i] = value;
    for (uint32_t i = copies->uses_at[phi]; i < copies->uses_at[phi + 1]; i++)
        enqueue(copies, copies->uses[i]);
}

static Reg meet_of_arguments(const CopyProp *copies, uint32_t phi) {
    const Func *func = copies->func;
    Reg dest = func->phis.at[phi].dest, meet = NO_REG;
    for (uint32_t arg = func->phis.at[phi].args_at; arg < args_end(func, phi); arg++) {
        Reg value = copies->value[copies->source[func->phi_args.at[arg].i].i];
        if (value.i == NO_ID) continue;
        if (meet.i != NO_ID && meet.i != value.i) return dest;
        meet = value;
    }
    return meet;
}

static void settle_phis(CopyProp *copies) {
    while (copies->length > 0) {
        uint32_t phi = dequeue(copies);
        Reg dest = copies->func->phis.at[phi].dest, old = copies->value[dest.i];
        if (old.i == dest.i) continue;
        Reg value = ++copies->looks[phi] < LOOKS ? meet_of_arguments(copies, phi) : dest;
        if (value.i != old.i) set_value(copies, phi, value);
    }
}

static void follow_phis(Arena *scratch, CopyProp *copies) {
    const Func *func = copies->func;
    uint32_t count = func->phis.count;
    copies->definitions = definitions_of(scratch, func);
    for (uint32_t i = 0; i < count; i++) copies->value[func->phis.at[i].dest.i] = NO_REG;
    find_uses(scratch, copies);
    copies->queue = ARENA_ARRAY(scratch, uint32_t, count);
    copies->queued = ARENA_ARRAY(scratch, bool, count);
    copies->looks = ARENA_ARRAY(scratch, uint8_t, count);
    for (uint32_t i = 0; i < count; i++) enqueue(copies, i);
    settle_phis(copies);
    // A phi without a value now is in a circle of unreachable phis.
    for (uint32_t i = 0; i < count; i++)
        if (copies->value[func->phis.at[i].dest.i].i == NO_ID)
            set_value(copies, i, func->phis.at[i].dest);
    settle_phis(copies);
}

// ---- Phis that stand for themselves too soon

// The register for which a register stands.
static Reg stands_for(const CopyProp *copies, Reg reg) {
    Reg leader = copies->source[reg.i];
    while (copies->value[leader.i].i != leader.i)
        leader = copies->source[copies->value[leader.i].i];
    return leader;
}

static Reg meet_of_leaders(const CopyProp *copies, uint32_t phi) {
    const Func *func = copies->func;
    Reg dest = func->phis.at[phi].dest, meet = dest;
    for (uint32_t arg = func->phis.at[phi].args_at; arg < args_end(func, phi); arg++) {
        Reg value = stands_for(copies, func->phi_args.at[arg]);
        if (value.i == dest.i) continue;
        if (meet.i != dest.i && meet.i != value.i) return dest;
        meet = value;
    }
    return meet;
}

// In normal form the arguments of a phi that is in no circle come before it, so that one round
// finds all such phis. A found phi stands for a leader, so that ways to leaders stay short.
static void compare_phis(CopyProp *copies) {
    const Func *func = copies->func;
    bool any = true;
    for (uint32_t round = 0; any && round < LOOKS; round++) {
        any = false;
        for (uint32_t phi = 0; phi < func->phis.count; phi++) {
            Reg dest = func->phis.at[phi].dest;
            bool itself = copies->value[dest.i].i == dest.i;
            Reg now = itself ? meet_of_leaders(copies, phi) : stands_for(copies, dest);
            copies->value[dest.i] = now;
            any |= itself && now.i != dest.i;
        }
    }
}

Func *copy_prop(Arena *arena, const Func *func, Numbering *hint) {
    uint32_t count = func->regs.count;
    CopyProp copies = {.func = func, .source = ARENA_ARRAY(arena, Reg, count)};
    for (uint32_t i = 0; i < count; i++) copies.source[i] = (Reg){i};
    if (!follow_moves(arena, &copies) && !func->phis.count) return NULL;
    copies.value = ARENA_ARRAY(arena, Reg, count);
    for (uint32_t i = 0; i < count; i++) copies.value[i] = (Reg){i};
    if (func->phis.count) follow_phis(arena, &copies);
    if (func->phis.count) compare_phis(&copies);
    Reg *leader = vec_extend(arena, &hint->leader, count);
    for (uint32_t i = 0; i < count; i++) leader[i] = stands_for(&copies, (Reg){i});
    return substitute_registers(arena, func, leader);
}
