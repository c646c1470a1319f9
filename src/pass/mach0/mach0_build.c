// Code generation after section 5.2 of Glesner (docs/papers.md): SSA becomes instructions in a
// line.
//
//   Registers    each operation that has a result, each phi and each parameter gets a register of
//                its own, in the order in which the function is written; so does each register that
//                is read and never set.
//   Phis         x = phi(x1, ..., xn) gets one more register R: CP xi, R at the end of the i-th
//                predecessor, CP R, R' at the start of the block. All xi are read before any R' is
//                set, so phis that exchange values, or one whose value is needed behind its loop,
//                need no further thought.
//   Blocks       NOP with the label, the copies of the block's phis, its operations in an order
//                that the seed chooses (choose_order.h), the copies for the phis behind it, then
//                JMP, BRN, SWITCH or an end. Nops do nothing and vanish.
//   Function     all blocks, the start block first, the others as they are written.
//
// The paper takes any order in which operands come first. On a machine with one memory that is too
// little: see fact/order.h.
#include "form/mach0.h"

#include "fact/effects.h"
#include "graph/basic_blocks.h"
#include "pass/mach0/choose_order.h"
#include "pass/pass.h"

typedef struct {
    Arena *scratch;
    const Func *ssa;
    Func *made;
    Mach0Hint *hint;
    Preds preds;
    const uint32_t *heads;
    uint32_t *label_of; // head of a block -> its NOP
    uint64_t seed, random;
    VEC(Node) block;
    VEC(uint32_t) phis; // of a block, or of the join behind it
    VEC(Reg) args;
} Mach0Builder;

// ---- Registers

static Reg fresh(Mach0Builder *b, Type type) {
    return func_temp(b->made, type);
}

static void assign(Mach0Builder *b, Reg reg) {
    uint32_t *to = &b->hint->register_of.at[reg.i];
    if (*to == NO_ID) *to = fresh(b, reg_type(b->ssa, reg)).i;
}

static Reg assigned(const Mach0Builder *b, Reg reg) {
    return (Reg){b->hint->register_of.at[reg.i]};
}

static void assign_set(Mach0Builder *b) {
    const Func *ssa = b->ssa;
    for (uint32_t i = 0; i < ssa->params.count; i++) {
        assign(b, ssa->params.at[i]);
        vec_push(b->made->arena, &b->made->params, assigned(b, ssa->params.at[i]));
    }
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        for (uint32_t i = 0; i < func_phi_count(ssa, (Node){n}); i++)
            assign(b, func_phis(ssa, (Node){n})[i].dest);
        Reg dest = ssa->nodes.at[n].dest;
        if (dest.i != NO_ID) assign(b, dest);
    }
}

static void assign_read(Mach0Builder *b) {
    const Func *ssa = b->ssa;
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        for (uint32_t k = 0; k < instr->arg_count; k++) assign(b, instr_args(ssa, instr)[k]);
    }
    for (uint32_t i = 0; i < ssa->phi_args.count; i++) assign(b, ssa->phi_args.at[i]);
}

static void assign_registers(Mach0Builder *b) {
    Arena *arena = b->made->arena;
    const Func *ssa = b->ssa;
    for (uint32_t i = 0; i < ssa->regs.count; i++) vec_push(arena, &b->hint->register_of, NO_ID);
    assign_set(b);
    assign_read(b);
    for (uint32_t i = 0; i < ssa->phis.count; i++)
        vec_push(arena, &b->hint->carrier_of, fresh(b, reg_type(ssa, ssa->phis.at[i].dest)).i);
}

// ---- Instructions

static Node add(Mach0Builder *b, const Instr *instr, Mach0Role role, Node node, uint32_t phi) {
    Mach0Origin origin = {.role = role, .node = node.i, .phi = phi};
    vec_push(b->made->arena, &b->hint->origins, origin);
    Node made = func_copy_instr(b->made, b->ssa, instr);
    if (instr->succ_count <= 1 && !instr_ends(instr))
        func_set_succs(b->made, made, &(Node){made.i + 1}, 1);
    return made;
}

static void add_nop(Mach0Builder *b, Mach0Role role, Node node) {
    Node made = add(b, &(Instr){.kind = I_NOP, .dest = NO_REG}, role, node, NO_ID);
    b->made->nodes.at[made.i].loc = func_at(b->ssa, node)->loc;
    if (role != MACH0_JUMP) return;
    b->made->nodes.at[made.i].aux = MACH0_NOP_JUMPS;
    func_set_succs(b->made, made, instr_succs(b->ssa, func_at(b->ssa, node)), 1);
}

static void add_copy(Mach0Builder *b, Mach0Role role, Node node, uint32_t phi, Reg from, Reg to) {
    Node made = add(b,
                    &(Instr){.kind = I_OP,
                             .op = (uint16_t)op_move(reg_type(b->made, to)),
                             .dest = to,
                             .loc = func_at(b->ssa, node)->loc},
                    role, node, phi);
    func_set_args(b->made, made, &from, 1);
}

static void add_operation(Mach0Builder *b, Node node) {
    const Instr *instr = func_at(b->ssa, node);
    Node made = add(b, instr, MACH0_OPERATION, node, NO_ID);
    vec_clear(&b->args);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        vec_push(b->scratch, &b->args, assigned(b, instr_args(b->ssa, instr)[k]));
    func_set_args(b->made, made, b->args.at, b->args.count);
    if (instr->dest.i != NO_ID) b->made->nodes.at[made.i].dest = assigned(b, instr->dest);
}

// ---- Blocks

// The phis of a join, in an order by chance: their copies do not touch each other.
static void take_phis(Mach0Builder *b, Node join) {
    uint32_t count = func_phi_count(b->ssa, join);
    vec_clear(&b->phis);
    for (uint32_t i = 0; i < count; i++)
        vec_push(b->scratch, &b->phis, b->ssa->phi_at.at[join.i] + i);
    for (uint32_t i = count; b->seed && i > 1; i--) {
        uint32_t other = choose_order_random(&b->random, i), phi = b->phis.at[other];
        b->phis.at[other] = b->phis.at[i - 1];
        b->phis.at[i - 1] = phi;
    }
}

static void receive(Mach0Builder *b, Node join) {
    take_phis(b, join);
    for (uint32_t i = 0; i < b->phis.count; i++) {
        uint32_t phi = b->phis.at[i];
        Reg carrier = {b->hint->carrier_of.at[phi]};
        add_copy(b, MACH0_RECEIVE, join, phi, carrier, assigned(b, b->ssa->phis.at[phi].dest));
    }
}

// Before a join with phis there are only nops, each with one successor.
static void send(Mach0Builder *b, Node last) {
    const Instr *instr = func_at(b->ssa, last);
    if (instr->succ_count != 1) return;
    Node join = instr_succs(b->ssa, instr)[0];
    take_phis(b, join);
    if (!b->phis.count) return;
    uint32_t k = preds_index(&b->preds, join, last);
    for (uint32_t i = 0; i < b->phis.count; i++) {
        uint32_t phi = b->phis.at[i];
        Reg source = phi_args(b->ssa, &b->ssa->phis.at[phi])[k];
        add_copy(b, MACH0_SEND, last, phi, assigned(b, source), (Reg){b->hint->carrier_of.at[phi]});
    }
}

static void find_block(Mach0Builder *b, Node head) {
    vec_clear(&b->block);
    for (Node at = head;;) {
        const Instr *instr = func_at(b->ssa, at);
        vec_push(b->scratch, &b->block, at);
        if (instr->succ_count != 1) return;
        at = instr_succs(b->ssa, instr)[0];
        if (at.i == head.i || b->heads[at.i] != head.i) return;
    }
}

static void build_block(Mach0Builder *b, Node head) {
    find_block(b, head);
    Node last = b->block.at[b->block.count - 1];
    b->label_of[head.i] = b->made->nodes.count;
    add_nop(b, MACH0_LABEL, head);
    receive(b, head);
    choose_order(b->scratch, b->ssa, b->block.at, b->block.count, b->seed);
    bool goes_on = func_at(b->ssa, last)->succ_count == 1;
    for (uint32_t i = 0; i < b->block.count; i++) {
        if (func_at(b->ssa, b->block.at[i])->kind == I_NOP) continue;
        add_operation(b, b->block.at[i]);
    }
    send(b, last);
    if (goes_on) add_nop(b, MACH0_JUMP, last);
}

// Jumps go to heads of blocks so far.
static void link_blocks(const Mach0Builder *b) {
    Func *made = b->made;
    for (uint32_t n = 0; n < made->nodes.count; n++) {
        const Instr *instr = &made->nodes.at[n];
        if (mach0_goes_on(instr)) continue;
        for (uint32_t k = 0; k < instr->succ_count; k++)
            func_set_succ(made, (Node){n}, k, (Node){b->label_of[instr_succs(made, instr)[k].i]});
    }
}

Func *mach0_build(Arena *arena, const Func *func, const AsideOptions *options, Mach0Hint *hint) {
    Arena *scratch = arena_new("mach0_build");
    Mach0Builder b = {.scratch = scratch,
                      .ssa = func,
                      .made = func_new(func->program, arena, func->symbol, func->sig),
                      .hint = hint,
                      .preds = preds_of(scratch, func),
                      .label_of = ARENA_ARRAY(scratch, uint32_t, func->nodes.count),
                      .seed = options->seed,
                      .random = options->seed};
    b.heads = block_heads(scratch, func, &b.preds);
    b.made->form = FORM_MACH0;
    for (uint32_t i = 0; i < func->slots.count; i++) func_add_slot(b.made, func->slots.at[i]);
    assign_registers(&b);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (b.heads[n] == n) build_block(&b, (Node){n});
    link_blocks(&b);
    arena_free(scratch);
    return b.made;
}
