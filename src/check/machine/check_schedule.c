// The checker of schedule.
//
// `after` has the blocks of `before` in the same order, with the same successors, and in each block
// the same instructions, each once; the hint says which instruction of `before` each instruction
// is. The places that the instructions of a block read, destroy and set, and the bytes that they
// touch, follow from `before` alone (mach_access.h). block_order.h accepts the order of each block:
// from the same state, the block does the same, leaves the same in every place and in memory, and
// goes on the same way. By induction on blocks, both functions do the same. By its traits the last
// instruction of a block comes after all others; so the last stays last, and the parameters stay
// first.
//
// Where a call returns twice, a block may be left in the middle for another block of the same
// frame, with spills and private slots as they are then. In such a function no instruction may
// change its place (order.h).
#include "check/checkers.h"
#include "check/machine/block_order.h"
#include "fact/calls.h"
#include "target/mach_access.h"

#include <string.h>

typedef struct {
    Arena *arena;
    const Func *before, *after;
    const ScheduleHint *hint;
} Check;

static Verdict rejected(const Check *check, uint32_t at, const char *reason) {
    return verdict_rejected(check->arena, (Site){at}, "%s", reason);
}

// ---- The same instructions

static bool same_places(const Check *check, const MachInstr *then, const MachInstr *now) {
    for (uint32_t k = 0; k < mach_set_count(then); k++)
        if (mach_set_at(check->before, then, k).i != mach_set_at(check->after, now, k).i)
            return false;
    for (uint32_t k = 0; k < mach_read_count(then); k++)
        if (mach_read_at(check->before, then, k).i != mach_read_at(check->after, now, k).i)
            return false;
    return true;
}

static Verdict check_instr(const Check *check, uint32_t at) {
    const MachInstr *now = mach_at(check->after, at);
    const MachInstr *then = mach_at(check->before, check->hint->old.at[at]);
    if (!mach_same_but_places(then, now) || !same_places(check, then, now))
        return rejected(check, at, "it is another instruction than the one that it was");
    return VERDICT_ACCEPTED;
}

// ---- The same function but for that

static bool same_cases(const Func *before, const Func *after) {
    uint32_t count = before->case_pool.count;
    return count == after->case_pool.count &&
           (!count || !memcmp(before->case_pool.at, after->case_pool.at, count * sizeof(int64_t)));
}

static bool same_spills(const Mach *then, const Mach *now) {
    if (then->spills.count != now->spills.count) return false;
    for (uint32_t i = 0; i < then->spills.count; i++)
        if (then->spills.at[i].size != now->spills.at[i].size) return false;
    return true;
}

static Verdict check_outline(const Check *check) {
    const Mach *then = check->before->mach, *now = check->after->mach;
    Verdict verdict = check_same_frame(check->arena, check->before, check->after);
    if (!verdict.accepted) return verdict;
    if (check->before->regs.count != check->after->regs.count ||
        then->allocated != now->allocated || !regs_equal(then->saved, now->saved) ||
        !same_spills(then, now))
        return rejected(check, NO_ID, "registers or spills have changed");
    if (!same_cases(check->before, check->after))
        return rejected(check, NO_ID, "the cases of switches have changed");
    if (then->code.count != now->code.count || then->blocks.count != now->blocks.count ||
        check->hint->old.count != now->code.count)
        return rejected(check, NO_ID, "the hint does not fit the function");
    return VERDICT_ACCEPTED;
}

static Verdict check_outline_of(const Check *check, uint32_t block) {
    const MachBlock *then = mach_block(check->before, block);
    const MachBlock *now = mach_block(check->after, block);
    if (then->first != now->first || then->count != now->count)
        return rejected(check, now->first, "the block has another number of instructions");
    if (then->succ_count != now->succ_count)
        return rejected(check, now->first, "the number of ways on has changed");
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (mach_succs(check->before, then)[k] != mach_succs(check->after, now)[k])
            return rejected(check, now->first, "a way leads elsewhere");
    for (uint32_t at = now->first; at < now->first + now->count; at++)
        if (check->hint->old.at[at] - now->first >= now->count)
            return rejected(check, at, "it was in another block");
    return VERDICT_ACCEPTED;
}

// ---- The order of a block

static bool is_changed(const Check *check, const MachBlock *block) {
    for (uint32_t at = block->first; at < block->first + block->count; at++)
        if (check->hint->old.at[at] != at) return true;
    return false;
}

static Verdict check_order(const Check *check, const MachBlock *block, const OrderOps *ops,
                           OrderCheck *orders) {
    uint32_t *order = ARENA_ARRAY(check->arena, uint32_t, block->count);
    for (uint32_t k = 0; k < block->count; k++)
        order[k] = check->hint->old.at[block->first + k] - block->first;
    OrderVerdict verdict = block_order_check(orders, ops, order);
    if (!verdict.reason) return VERDICT_ACCEPTED;
    return rejected(check, block->first + verdict.at, verdict.reason);
}

static Verdict check_blocks(const Check *check) {
    MachAccesses accesses = mach_accesses_new(check->arena, check->before);
    OrderCheck orders = block_order_new(check->arena, accesses.place_count);
    OrderOps ops = {0};
    bool twice = func_returns_twice(check->before);
    Verdict verdict = VERDICT_ACCEPTED;
    for (uint32_t b = 0; b < check->before->mach->blocks.count && verdict.accepted; b++) {
        const MachBlock *block = mach_block(check->before, b);
        verdict = check_outline_of(check, b);
        for (uint32_t k = 0; k < block->count && verdict.accepted; k++)
            verdict = check_instr(check, block->first + k);
        if (!verdict.accepted || !is_changed(check, block)) continue;
        if (twice)
            return rejected(check, block->first, "an order has changed where a call returns twice");
        mach_accesses_of(&accesses, b, &ops);
        verdict = check_order(check, block, &ops, &orders);
    }
    return verdict;
}

Verdict check_schedule(Arena *arena, const Func *before, const Func *after,
                       const ScheduleHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    Verdict verdict = check_outline(&check);
    return verdict.accepted ? check_blocks(&check) : verdict;
}
