// The checker of mach0_build: local and global correctness after Glesner (docs/papers.md),
// definitions 1 and 2, for every block.
//
// *Registers.* The hint assigns a register of `after` to each register of SSA that is mentioned,
// and one more to each phi: its carrier. All these registers are different, and of the right types;
// parameters are assigned to parameters. So the value of an operation is in one register, which
// nothing else sets, and a register that is never set in SSA is never set here.
//
// *Blocks.* `after` is a line of blocks. Each block of SSA has a block in this line; the start
// block comes first. Each block has, in this order,
//   * NOP, the label of the block;
//   * for each phi of the block one copy from its carrier to its register;
//   * each operation of the block that is no nop, once: the same operation on the assigned
//     registers; and for each phi of the block that comes next one copy, from the register of the
//     argument that belongs to this block to the carrier;
//   * the branch or the end of the block, or JMP, to the labels of the blocks that come next in
//     SSA.
// block_order.h accepts the order of all these between label and end, compared with SSA's own
// order: copies of phis, operations as SSA has them, copies to carriers. So a copy to a carrier
// comes behind the operation that computes its value.
//
// *Local correctness.* Suppose that, when a block is entered, the register of every value defined
// by then holds the value, and the carriers of the block's phis hold the arguments for the entered
// edge. Then the first copies make the registers of the phis hold the results of the phis: these
// copies read carriers only, and set none, so doing them one after the other equals doing all at
// once, as SSA does. In SSA's own order each operation computes the same as in SSA, from registers
// that hold its operands, and the copies at the end leave the arguments for the next phis in the
// carriers. By block_order.h the chosen order does the same. *Global correctness.* At the start the
// assumption holds, as the start block has no phis and parameters are in their registers. The next
// block is the next block of SSA. Between a copy to a carrier and the end of the block nothing sets
// the carrier, as only these copies set carriers. By induction on blocks, both do the same, and
// values and registers agree at every block boundary.
#include "base/bits.h"
#include "check/checkers.h"
#include "check/machine/block_order.h"
#include "form/mach0.h"
#include "graph/basic_blocks.h"

typedef struct {
    Arena *arena;
    const Func *before, *after;
    const Mach0Hint *hint;
    Preds preds;
    const uint32_t *heads;
    uint32_t *label_of; // head of a block -> its label in `after`; NO_ID if there is none so far
    uint32_t *local;    // node -> its number among the operations of its block
    // The block at hand
    VEC(Node) block;
    Node head, last;
    uint32_t received, operations, sent,
        first_sent; // how many; the phi that the copies to carriers start with
    bool jumps;     // it ends with JMP, not with an operation
    OrderCheck orders;
    OrderOps ops; // copies of phis, operations, copies to carriers, JMP
    VEC(uint32_t) order;
} Check;

static Verdict rejected(const Check *check, uint32_t at, const char *reason) {
    return verdict_rejected(check->arena, (Site){at}, "%s", reason);
}

// ---- Registers

static Verdict take(const Check *check, Bits *taken, uint32_t reg, Type type) {
    if (reg >= check->after->regs.count)
        return rejected(check, NO_ID, "the hint names a register that is not there");
    if (!bits_put(taken, reg)) return rejected(check, NO_ID, "two values have one register");
    if (reg_type(check->after, (Reg){reg}) != type)
        return rejected(check, NO_ID, "a register has another type than its value");
    return VERDICT_ACCEPTED;
}

static Verdict check_registers(const Check *check) {
    const Func *before = check->before;
    const Mach0Hint *hint = check->hint;
    if (hint->register_of.count != before->regs.count ||
        hint->carrier_of.count != before->phis.count ||
        hint->origins.count != check->after->nodes.count)
        return rejected(check, NO_ID, "the hint does not fit the function");
    Bits taken = bits_new(check->arena, check->after->regs.count);
    Verdict verdict = VERDICT_ACCEPTED;
    for (uint32_t i = 0; i < before->regs.count && verdict.accepted; i++)
        if (hint->register_of.at[i] != NO_ID)
            verdict = take(check, &taken, hint->register_of.at[i], reg_type(before, (Reg){i}));
    for (uint32_t i = 0; i < before->phis.count && verdict.accepted; i++)
        verdict =
            take(check, &taken, hint->carrier_of.at[i], reg_type(before, before->phis.at[i].dest));
    for (uint32_t i = 0; i < before->params.count && verdict.accepted; i++)
        if (check->after->params.at[i].i != hint->register_of.at[before->params.at[i].i])
            verdict = rejected(check, NO_ID, "a parameter is in another register");
    return verdict;
}

// Whether a register of `after` is the assigned register.
static bool is_assigned(const Check *check, Reg then, Reg now) {
    if (then.i == NO_ID || now.i == NO_ID) return then.i == now.i;
    return check->hint->register_of.at[then.i] == now.i;
}

// ---- The operations of a block in SSA's own order

static void add_place(Check *check, uint32_t *count, uint32_t reg) {
    vec_push(check->arena, &check->ops.places, reg);
    ++*count;
}

static OrderOp op_begin(const Check *check, Order order) {
    return (OrderOp){.order = order_without_memory(order),
                     .places = check->ops.places.count,
                     .first_access = check->ops.accesses.count};
}

static void add_copy(Check *check, uint32_t from, uint32_t to) {
    OrderOp op = op_begin(check, 0);
    add_place(check, &op.reads, from);
    add_place(check, &op.sets, to);
    vec_push(check->arena, &check->ops.ops, op);
}

// Of memory all is one: nobody is asked whether two accesses may meet.
static void add_operation(Check *check, Node node) {
    const Func *before = check->before;
    const Instr *instr = func_at(before, node);
    Order order = order_of_instr(before, instr), touch = order & (ORDER_READS | ORDER_CHANGES);
    if (node.i == check->last.i && !check->jumps) order |= ORDER_BARRIER;
    OrderOp op = op_begin(check, order);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        add_place(check, &op.reads, check->hint->register_of.at[instr_args(before, instr)[k].i]);
    if (instr->dest.i != NO_ID)
        add_place(check, &op.sets, check->hint->register_of.at[instr->dest.i]);
    if (touch) {
        OrderAccess all = {.touch = touch, .shared = true, .group = check->ops.ops.count};
        vec_push(check->arena, &check->ops.accesses, all);
        op.access_count = 1;
    }
    check->local[node.i] = check->ops.ops.count;
    vec_push(check->arena, &check->ops.ops, op);
}

// Behind all other operations.
static void add_copies_and_jump(Check *check) {
    const Func *before = check->before;
    Node join = check->jumps ? instr_succs(before, func_at(before, check->last))[0] : NO_NODE;
    check->sent = check->jumps ? func_phi_count(before, join) : 0;
    uint32_t way = check->sent ? preds_index(&check->preds, join, check->last) : 0;
    if (check->sent) check->first_sent = before->phi_at.at[join.i];
    for (uint32_t i = 0; i < check->sent; i++) {
        const Phi *phi = &before->phis.at[check->first_sent + i];
        Reg argument = phi_args(before, phi)[way];
        add_copy(check, check->hint->register_of.at[argument.i],
                 check->hint->carrier_of.at[check->first_sent + i]);
    }
    if (check->jumps) vec_push(check->arena, &check->ops.ops, op_begin(check, ORDER_BARRIER));
}

static void add_all(Check *check) {
    const Func *before = check->before;
    vec_clear(&check->ops.ops);
    vec_clear(&check->ops.places);
    vec_clear(&check->ops.accesses);
    check->ops.object_count = 1;
    check->received = func_phi_count(before, check->head);
    for (uint32_t i = 0; i < check->received; i++) {
        uint32_t phi = before->phi_at.at[check->head.i] + i;
        add_copy(check, check->hint->carrier_of.at[phi],
                 check->hint->register_of.at[before->phis.at[phi].dest.i]);
    }
    for (uint32_t i = 0; i < check->block.count; i++)
        if (func_at(before, check->block.at[i])->kind != I_NOP)
            add_operation(check, check->block.at[i]);
    check->operations = check->ops.ops.count - check->received;
    add_copies_and_jump(check);
}

// ---- A block of SSA

// Whether every register that a node mentions has one here.
static bool has_registers(const Check *check, Node node) {
    const Func *before = check->before;
    const Instr *instr = func_at(before, node);
    const uint32_t *of = check->hint->register_of.at;
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (of[instr_args(before, instr)[k].i] == NO_ID) return false;
    for (uint32_t i = 0; i < func_phi_count(before, node); i++) {
        const Phi *phi = &func_phis(before, node)[i];
        if (of[phi->dest.i] == NO_ID) return false;
        for (uint32_t k = 0; k < preds_count(&check->preds, node); k++)
            if (of[phi_args(before, phi)[k].i] == NO_ID) return false;
    }
    return instr->dest.i == NO_ID || of[instr->dest.i] != NO_ID;
}

// Whether the operations of a block can be followed: only its last chooses a way, and no phi is
// entered from there.
static Verdict find_block(Check *check, Node head, uint32_t at) {
    const Func *before = check->before;
    vec_clear(&check->block);
    check->head = head;
    for (Node node = head;;) {
        const Instr *instr = func_at(before, node);
        vec_push(check->arena, &check->block, node);
        check->last = node;
        check->jumps = instr->succ_count == 1; // a switch without cases goes on, too
        if (!check->jumps) break;
        node = instr_succs(before, instr)[0];
        if (node.i == head.i || check->heads[node.i] != head.i) break;
    }
    const Instr *last = func_at(before, check->last);
    for (uint32_t k = 0; k < last->succ_count; k++) {
        Node next = instr_succs(before, last)[k];
        if (check->heads[next.i] != next.i)
            return rejected(check, at, "a branch is in the middle of a block");
        if (!check->jumps && func_phi_count(before, next))
            return rejected(check, at, "a branch leads to phis");
    }
    return VERDICT_ACCEPTED;
}

// ---- A block of `after`

static bool is_copy(const Check *check, const Instr *instr, uint32_t op) {
    const OrderOp *copy = &check->ops.ops.at[op];
    return instr->kind == I_OP && op_is_move(instr->op) &&
           instr->arg[0].i == check->ops.places.at[copy->places] &&
           instr->dest.i == check->ops.places.at[copy->places + 1];
}

static bool is_operation(const Check *check, Node node, const Instr *now) {
    const Instr *then = func_at(check->before, node);
    if (!instr_alike(check->before, then, check->after, now) ||
        !is_assigned(check, then->dest, now->dest))
        return false;
    for (uint32_t k = 0; k < then->arg_count; k++)
        if (!is_assigned(check, instr_args(check->before, then)[k],
                         instr_args(check->after, now)[k]))
            return false;
    return true;
}

// Whether the jump or branch at the end goes to the labels of the blocks that come next.
static bool same_ways(const Check *check, const Instr *now) {
    const Instr *last = func_at(check->before, check->last);
    if (last->succ_count != now->succ_count) return false;
    for (uint32_t k = 0; k < last->succ_count; k++)
        if (check->label_of[instr_succs(check->before, last)[k].i] !=
            instr_succs(check->after, now)[k].i)
            return false;
    return true;
}

// The number of an instruction among the operations of the block; NO_ID, with the reason, if it is
// no such operation.
static uint32_t number_of(const Check *check, uint32_t at, const char **reason) {
    const Instr *now = func_at(check->after, (Node){at});
    const Mach0Origin *origin = &check->hint->origins.at[at];
    uint32_t phi = check->received ? check->before->phi_at.at[check->head.i] : 0;
    uint32_t sends = check->received + check->operations;
    switch (origin->role) {
    case MACH0_RECEIVE:
        *reason = "it is not the copy of a phi of the block";
        if (origin->node != check->head.i || origin->phi - phi >= check->received ||
            !is_copy(check, now, origin->phi - phi))
            break;
        return origin->phi - phi;
    case MACH0_SEND:
        *reason = "it is not the copy for a phi of the next block";
        if (origin->node != check->last.i || origin->phi - check->first_sent >= check->sent ||
            !is_copy(check, now, sends + (origin->phi - check->first_sent)))
            break;
        return sends + (origin->phi - check->first_sent);
    case MACH0_OPERATION:
        *reason = "it is not an operation of the block on the registers that are assigned";
        if (origin->node >= check->before->nodes.count ||
            check->heads[origin->node] != check->head.i ||
            func_at(check->before, (Node){origin->node})->kind == I_NOP ||
            !is_operation(check, (Node){origin->node}, now))
            break;
        return check->local[origin->node];
    case MACH0_JUMP:
        *reason = "it is not the jump at the end of the block";
        if (origin->node != check->last.i || !check->jumps || !mach0_is_jump(now)) break;
        return sends + check->sent;
    default: *reason = "it has no part in the block"; break;
    }
    return NO_ID;
}

// The instructions behind a label: copies of phis come first.
static Verdict check_instrs(Check *check, uint32_t at, uint32_t count) {
    vec_clear(&check->order);
    for (uint32_t k = 0; k < count; k++) {
        const char *reason;
        uint32_t number = number_of(check, at + k, &reason);
        if (number == NO_ID) return rejected(check, at + k, reason);
        if ((number < check->received) != (k < check->received))
            return rejected(check, at + k, "the copies of the phis are not at the start");
        vec_push(check->arena, &check->order, number);
    }
    if (count != check->ops.ops.count)
        return rejected(check, at, "not every operation and copy of the block is there once");
    OrderVerdict order = block_order_check(&check->orders, &check->ops, check->order.at);
    if (order.reason) return rejected(check, at + order.at, order.reason);
    if (!same_ways(check, func_at(check->after, (Node){at + count - 1})))
        return rejected(check, at + count - 1, "a way leads elsewhere");
    return VERDICT_ACCEPTED;
}

// ---- Labels

static bool is_label(const Check *check, uint32_t at) {
    return check->hint->origins.at[at].role == MACH0_LABEL;
}

static Verdict check_label(const Check *check, uint32_t at) {
    uint32_t head = check->hint->origins.at[at].node;
    if (!mach0_is_label(func_at(check->after, (Node){at})))
        return rejected(check, at, "it is no label");
    if (head >= check->before->nodes.count || check->heads[head] != head)
        return rejected(check, at, "it is the label of no block");
    if (check->label_of[head] != NO_ID) return rejected(check, at, "the block has two labels");
    check->label_of[head] = at;
    return VERDICT_ACCEPTED;
}

static Verdict check_labels(Check *check) {
    uint32_t nodes = check->before->nodes.count, count = check->after->nodes.count;
    for (uint32_t n = 0; n < nodes; n++) check->label_of[n] = NO_ID;
    if (count == 0 || !is_label(check, 0) || check->hint->origins.at[0].node != 0)
        return rejected(check, 0, "the start block does not come first");
    Verdict verdict = VERDICT_ACCEPTED;
    for (uint32_t at = 0; at < count && verdict.accepted; at++)
        if (is_label(check, at)) verdict = check_label(check, at);
    for (uint32_t n = 0; n < nodes && verdict.accepted; n++)
        if (check->heads[n] == n && check->label_of[n] == NO_ID)
            verdict = rejected(check, NO_ID, "a block is missing");
    return verdict;
}

static Verdict check_blocks(Check *check) {
    uint32_t count = check->after->nodes.count;
    for (uint32_t at = 0, end; at < count; at = end) {
        for (end = at + 1; end < count && !is_label(check, end);) end++;
        Verdict verdict = find_block(check, (Node){check->hint->origins.at[at].node}, at);
        if (!verdict.accepted) return verdict;
        add_all(check);
        verdict = check_instrs(check, at + 1, end - at - 1);
        if (!verdict.accepted) return verdict;
    }
    return VERDICT_ACCEPTED;
}

Verdict check_mach0_build(Arena *arena, const Func *before, const Func *after,
                          const Mach0Hint *hint) {
    Check check = {.arena = arena,
                   .before = before,
                   .after = after,
                   .hint = hint,
                   .preds = preds_of(arena, before),
                   .label_of = ARENA_ARRAY(arena, uint32_t, before->nodes.count),
                   .local = ARENA_ARRAY(arena, uint32_t, before->nodes.count),
                   .orders = block_order_new(arena, after->regs.count)};
    Verdict verdict = check_same_outline(arena, before, after);
    if (verdict.accepted) verdict = check_registers(&check);
    if (!verdict.accepted) return verdict;
    check.heads = block_heads(arena, before, &check.preds);
    if (func_phi_count(before, (Node){0})) return rejected(&check, 0, "the start block has phis");
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (!has_registers(&check, (Node){n}))
            return rejected(&check, NO_ID, "a value that is mentioned has no register");
    verdict = check_labels(&check);
    return verdict.accepted ? check_blocks(&check) : verdict;
}
