#include "test/gen/in_memory.h"

#include "test/gen/random.h"

enum { ROOM = 16 }; // bytes for a register

typedef struct {
    Random random;
    const Func *from;
    Func *func;
    Slot hidden, seen;
    Reg pointer; // to `seen`
} Maker;

// Appends an instruction that goes on to the next node.
static void append(Maker *maker, Instr instr, const Reg *args, uint32_t count) {
    instr.succ_count = 1;
    instr.succ[0].i = maker->func->nodes.count + 1;
    func_set_args(maker->func, func_add(maker->func, instr), args, count);
}

// Some registers are left alone, so that there are phis, too.
static bool stays(Reg reg) {
    return reg.i % 4 == 3;
}

// An access to a home has the type of the home, or none.
static EffectiveType effective_type(Maker *maker, Type type) {
    static const EffectiveType types[] = {[TYPE_I32] = EFFECTIVE_INT,
                                          [TYPE_I64] = EFFECTIVE_LONG,
                                          [TYPE_F32] = EFFECTIVE_FLOAT,
                                          [TYPE_F64] = EFFECTIVE_DOUBLE,
                                          [TYPE_F80] = EFFECTIVE_LDOUBLE};
    return random_chance(&maker->random, 1, 2) ? types[type] : EFFECTIVE_ANY;
}

// The address of the home of an old register, and how many registers it takes.
static uint32_t set_address(Maker *maker, Instr *instr, Reg reg, Reg *args) {
    bool hidden = reg.i % 3 == 0;
    instr->chunk = (uint8_t)type_chunk(reg_type(maker->from, reg));
    instr->effective = (uint8_t)effective_type(maker, reg_type(maker->from, reg));
    instr->imm = (int64_t)reg.i * ROOM;
    instr->base = BASE_SLOT;
    instr->ref = hidden ? maker->hidden.i : maker->seen.i;
    if (hidden || random_chance(&maker->random, 2, 3)) return 0;
    instr->base = BASE_REG;
    instr->ref = 0;
    args[0] = maker->pointer;
    return 1;
}

static Reg fetch(Maker *maker, Reg reg) {
    if (stays(reg)) return reg;
    Reg args[1], dest = func_temp(maker->func, reg_type(maker->from, reg));
    Instr load = {.kind = I_LOAD, .dest = dest};
    uint32_t count = set_address(maker, &load, reg, args);
    append(maker, load, args, count);
    return dest;
}

static void keep(Maker *maker, Reg reg, Reg value) {
    Reg args[2];
    Instr store = {.kind = I_STORE, .dest = NO_REG};
    uint32_t count = set_address(maker, &store, reg, args);
    args[count++] = value;
    append(maker, store, args, count);
}

static void begin(Maker *maker) {
    Func *func = maker->func;
    uint64_t size = (uint64_t)maker->from->regs.count * ROOM;
    maker->hidden = func_add_slot(func, (SlotInfo){.size = size, .align = ROOM});
    maker->seen = func_add_slot(func, (SlotInfo){.size = size, .align = ROOM});
    Reg address = func_temp(func, TYPE_I64);
    maker->pointer = func_temp(func, TYPE_I64);
    append(maker, (Instr){.kind = I_OP, .op = OP_ADDR_SLOT, .dest = address, .ref = maker->seen.i},
           NULL, 0);
    append(maker,
           (Instr){.kind = I_OP, .op = OP_ADD_I64, .dest = maker->pointer, .immediate = true},
           &address, 1);
    for (uint32_t i = 0; i < func->params.count; i++)
        if (!stays(func->params.at[i])) keep(maker, func->params.at[i], func->params.at[i]);
}

static void translate(Maker *maker, const Instr *instr) {
    const Reg *old = instr_args(maker->from, instr);
    Reg *args = ARENA_ARRAY(maker->func->arena, Reg, instr->arg_count);
    for (uint32_t k = 0; k < instr->arg_count; k++) args[k] = fetch(maker, old[k]);
    Node node = func_copy_instr(maker->func, maker->from, instr);
    func_set_args(maker->func, node, args, instr->arg_count);
    if (instr->dest.i == NO_ID || stays(instr->dest)) return;
    Reg dest = func_temp(maker->func, reg_type(maker->from, instr->dest));
    Node succ = instr->succ[0];
    maker->func->nodes.at[node.i].dest = dest;
    maker->func->nodes.at[node.i].succ[0].i = node.i + 1;
    keep(maker, instr->dest, dest);
    maker->func->nodes.at[maker->func->nodes.count - 1].succ[0] = succ;
}

Func *func_in_memory(Arena *arena, const Func *from, uint64_t seed) {
    Maker maker = {.random = random_from(seed), .from = from, .func = func_like(from, arena)};
    uint32_t *start = ARENA_ARRAY(arena, uint32_t, from->nodes.count);
    uint32_t *last = ARENA_ARRAY(arena, uint32_t, from->nodes.count);
    begin(&maker);
    Func *func = maker.func;
    for (uint32_t n = 0; n < from->nodes.count; n++) {
        start[n] = func->nodes.count;
        translate(&maker, &from->nodes.at[n]);
        last[n] = func->nodes.count - 1;
    }
    for (uint32_t n = 0; n < from->nodes.count; n++) // successors are still the old ones
        for (uint32_t k = 0; k < func->nodes.at[last[n]].succ_count; k++) {
            Node old = instr_succs(func, &func->nodes.at[last[n]])[k];
            func_set_succ(func, (Node){last[n]}, k, (Node){start[old.i]});
        }
    return func;
}
