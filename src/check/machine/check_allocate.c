// The checker of register allocation: places as dataflow, backward, in the manner of Rideau and
// Leroy.
//
// `after` has the blocks of `before`, and blocks put in on edges. A block of `after` that has an
// origin consists of its origin's instructions in their order, each the same but that places stand
// for registers. In between may be instructions that only move values about. An instruction of the
// origin may be missing if its only effect is to set its register.
//
// Between two instructions of `after`, let E be a set of equations "place p holds register v".
// Equations are collected backward from the uses: in front of an instruction that uses v at p, v =
// p is needed. For each instruction the checker shows: if the equations in front of it hold, so do
// the equations behind it. Then, by induction on steps, every instruction of `after` reads the
// values that its origin reads, so both have the same effects, results and ways. The functions
// below give the reason for each kind of instruction; where equations behind could be made false,
// the allocation is rejected. At joins the equations of all successors are needed; the sets grow
// until nothing changes. Equations left at the entry are of registers that have no value there, and
// reading such a register may give anything. The sets of all blocks share their common parts, and
// each block of `before` is the origin of at most one block of `after`, so that time and memory
// stay in proportion to the code. Where time or memory would not, the checker rejects, too
// (mach_backward.h).
//
// "Holds" in an equation is about the low bits, as many as the register's type has. The verifier
// has made sure that `after` obeys the machine (mach_obeys): fixed registers, classes, results that
// are written early, callee-saved registers.
//
// When a call returns a second time, the registers of `before` and the machine registers that calls
// keep have their values of the time of the call, but spills hold the values that were last written
// there (calls.h). So an equation that is needed behind such a call must be about such a machine
// register, or about a spill that nothing writes on any way from the call on: such a spill still
// has its value. The hint gives each block a rank that falls along no edge. Code that can be
// reached from a call then has the same or a higher rank. If the call's block is the only block of
// its rank and does not lead to itself, only the code behind the call in that block has the same
// rank.
#include "check/checkers.h"

#include "base/bits.h"
#include "check/machine/equations.h"
#include "check/machine/mach_backward.h"
#include "fact/calls.h"
#include "fact/effects.h"
#include "target/model.h"

#include <string.h>

// The last write to a spill: none has a higher rank, and of those of its rank none comes later.
typedef struct {
    bool written;
    uint32_t rank, at;
} SpillWrite;

typedef struct {
    Arena *arena;
    const Func *before, *after;
    const AllocateHint *hint;
    EquationSet *entries; // per block of `after`: the equations needed at its start
    uint32_t
        *constant;  // per register of `before`: the one instruction that sets it, always the same
                    // constant or address; NO_ID otherwise
    uint32_t block; // that is being walked
    SpillWrite *writes; // per spill, if some call returns twice
    bool *once;         // per rank: whether only one block has it, and that block does not lead to
                        // itself
    Equations now;
    MachConstraints constraints; // of the instruction at hand
    Verdict verdict;             // of the last walk through a block
} Check;

static Verdict rejected(const Check *check, uint32_t at, const char *reason) {
    return verdict_rejected(check->arena, (Site){at}, "%s", reason);
}

// ---- Same instructions

static bool is_none(Place place) {
    return place.i == NO_ID;
}

static bool places_match(const Check *check, const MachInstr *then, const MachInstr *now) {
    for (uint32_t k = 0; k < mach_set_count(then); k++)
        if (is_none(mach_set_at(check->before, then, k)) !=
            is_none(mach_set_at(check->after, now, k)))
            return false;
    for (uint32_t k = 0; k < mach_read_count(then); k++)
        if (is_none(mach_read_at(check->before, then, k)) !=
            is_none(mach_read_at(check->after, now, k)))
            return false;
    return true;
}

// The cases of a switch are in a pool of the function.
static bool same_cases(const Check *check, const MachInstr *instr, uint32_t succs) {
    if (instr->kind != MK_SWITCH || succs < 2) return true;
    uint64_t end = (uint64_t)instr->aux + succs - 1;
    return end <= check->before->case_pool.count && end <= check->after->case_pool.count &&
           memcmp(check->before->case_pool.at + instr->aux, check->after->case_pool.at + instr->aux,
                  (succs - 1) * sizeof(int64_t)) == 0;
}

static bool is_put_in(const Check *check, uint32_t at) {
    return check->hint->origin.at[at] == NO_ID;
}

// Checks an added instruction: moves, exchanges, and constants or addresses made again are allowed.
static Verdict check_put_in(const Check *check, uint32_t at) {
    const MachInstr *now = mach_at(check->after, at);
    if (now->kind == MK_MOVE || now->kind == MK_EXCHANGE || mach_is_constant(now))
        return VERDICT_ACCEPTED;
    return rejected(check, at, "an instruction was put in that is no move, exchange or constant");
}

// The instructions of a block with an origin: its origin's in their order.
static Verdict check_instrs(const Check *check, uint32_t block, uint32_t origin) {
    const MachBlock *now = mach_block(check->after, block);
    const MachBlock *then = mach_block(check->before, origin);
    uint32_t next = then->first, end = then->first + then->count;
    for (uint32_t at = now->first; at < now->first + now->count; at++) {
        uint32_t from = check->hint->origin.at[at];
        if (from == NO_ID) {
            Verdict verdict = check_put_in(check, at);
            if (!verdict.accepted) return verdict;
            continue;
        }
        if (from < next || from >= end) return rejected(check, at, "its origin is out of order");
        for (; next < from; next++)
            if (!mach_is_removable(mach_at(check->before, next)))
                return rejected(check, at, "an instruction with an effect is missing before it");
        const MachInstr *a = mach_at(check->before, from), *b = mach_at(check->after, at);
        if (!mach_same_but_places(a, b) || !places_match(check, a, b) ||
            !same_cases(check, a, then->succ_count))
            return rejected(check, at, "it is not its origin with places for registers");
        next = from + 1;
    }
    if (next != end) return rejected(check, now->first, "the end of the block is missing");
    return VERDICT_ACCEPTED;
}

// ---- Same ways

// The block of `before` that an edge of `after` leads to, a block put in on it left out.
static uint32_t target_of(const Check *check, uint32_t block) {
    uint32_t origin = check->hint->block_origin.at[block];
    if (origin != NO_ID) return origin;
    const MachBlock *put_in = mach_block(check->after, block);
    return check->hint->block_origin.at[mach_succs(check->after, put_in)[0]];
}

static Verdict check_succs(const Check *check, uint32_t block, uint32_t origin) {
    const MachBlock *now = mach_block(check->after, block);
    const MachBlock *then = mach_block(check->before, origin);
    if (now->succ_count != then->succ_count)
        return rejected(check, now->first, "the number of ways on has changed");
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (target_of(check, mach_succs(check->after, now)[k]) !=
            mach_succs(check->before, then)[k])
            return rejected(check, now->first, "a way leads elsewhere");
    return VERDICT_ACCEPTED;
}

static Verdict check_edge_block(const Check *check, uint32_t block) {
    const MachBlock *now = mach_block(check->after, block);
    uint32_t last = now->first + now->count - 1;
    if (mach_at(check->after, last)->kind != MK_JUMP || now->succ_count != 1)
        return rejected(check, last, "a block put in does not end with a jump");
    for (uint32_t at = now->first; at < last; at++) {
        Verdict verdict = check_put_in(check, at);
        if (!is_put_in(check, at)) verdict = rejected(check, at, "it is not put in");
        if (!verdict.accepted) return verdict;
    }
    return VERDICT_ACCEPTED;
}

static Verdict check_hint(const Check *check) {
    const Mach *now = check->after->mach, *then = check->before->mach;
    if (then->allocated || !now->allocated)
        return rejected(check, NO_ID, "it does not lead from unbounded to allocated");
    if (check->hint->origin.count != now->code.count ||
        check->hint->block_origin.count != now->blocks.count)
        return rejected(check, NO_ID, "the hint does not fit the function");
    Bits taken = bits_new(check->arena, then->blocks.count);
    for (uint32_t b = 0; b < now->blocks.count; b++) {
        uint32_t origin = check->hint->block_origin.at[b];
        if (origin == NO_ID) continue;
        if (origin >= then->blocks.count)
            return rejected(check, NO_ID, "the hint names a block that is not there");
        if (!bits_put(&taken, origin)) return rejected(check, NO_ID, "two blocks have one origin");
    }
    if (check->hint->block_origin.at[0] != 0)
        return rejected(check, NO_ID, "the function starts elsewhere");
    return VERDICT_ACCEPTED;
}

static Verdict check_blocks(const Check *check) {
    Verdict verdict = VERDICT_ACCEPTED;
    uint32_t count = check->after->mach->blocks.count;
    for (uint32_t b = 0; b < count && verdict.accepted; b++)
        if (check->hint->block_origin.at[b] == NO_ID) verdict = check_edge_block(check, b);
    for (uint32_t b = 0; b < count && verdict.accepted; b++) {
        uint32_t origin = check->hint->block_origin.at[b];
        if (origin == NO_ID) continue;
        verdict = check_instrs(check, b, origin);
        if (verdict.accepted) verdict = check_succs(check, b, origin);
    }
    return verdict;
}

// ---- Constants

static void note_result(Check *check, Place place, uint32_t at, bool *seen) {
    if (is_none(place)) return;
    uint32_t reg = place_reg(place).i;
    const MachInstr *instr = mach_at(check->before, at);
    uint32_t known = check->constant[reg];
    bool same = mach_is_constant(instr) &&
                (!seen[reg] ||
                 (known != NO_ID && mach_same_but_places(mach_at(check->before, known), instr)));
    check->constant[reg] = same ? at : NO_ID;
    seen[reg] = true;
}

// A register that is only ever set to one constant has that value wherever it has a value.
static void find_constants(Check *check) {
    uint32_t regs = check->before->regs.count;
    check->constant = ARENA_ARRAY(check->arena, uint32_t, regs);
    bool *seen = ARENA_ARRAY(check->arena, bool, regs);
    for (uint32_t i = 0; i < regs; i++) check->constant[i] = NO_ID;
    for (uint32_t at = 0; at < check->before->mach->code.count; at++) {
        const MachInstr *instr = mach_at(check->before, at);
        for (uint32_t k = 0; k < mach_set_count(instr); k++)
            note_result(check, mach_set_at(check->before, instr, k), at, seen);
    }
}

// ---- Equations through one instruction

// An instruction with its origin's meaning sets register v and place p. An equation v = p is made
// true; any other of v, or of p, is made false.
static Verdict define(Check *check, uint32_t at, uint32_t reg, uint32_t place) {
    equations_remove(&check->now, reg, place);
    if (equations_place_of(&check->now, reg, 0) != NO_ID)
        return rejected(check, at, "its result is needed in another place as well");
    if (equations_reg_in(&check->now, place, 0) != NO_ID)
        return rejected(check, at, "it destroys a value that is needed");
    return VERDICT_ACCEPTED;
}

static Verdict define_all(Check *check, uint32_t at, const MachInstr *then, const MachInstr *now) {
    for (uint32_t k = 0; k < mach_set_count(then); k++) {
        Place reg = mach_set_at(check->before, then, k);
        if (is_none(reg)) continue;
        for (uint32_t j = 0; j < k; j++)
            if (mach_set_at(check->before, then, j).i == reg.i)
                return rejected(check, at, "two of its results are one register");
        Verdict verdict =
            define(check, at, place_reg(reg).i, equations_place(mach_set_at(check->after, now, k)));
        if (!verdict.accepted) return verdict;
    }
    return VERDICT_ACCEPTED;
}

static void need_uses(Check *check, const MachInstr *then, const MachInstr *now) {
    for (uint32_t k = 0; k < mach_read_count(then); k++) {
        Place reg = mach_read_at(check->before, then, k);
        if (!is_none(reg))
            equations_add(&check->now, place_reg(reg).i,
                          equations_place(mach_read_at(check->after, now, k)));
    }
}

static Verdict check_destroyed(Check *check, uint32_t at, MachineRegSet destroyed) {
    if (!regs_any(destroyed)) return VERDICT_ACCEPTED;
    for (uint32_t place = 0; (place = equations_next_place(&check->now, place)) < MACHINE_REG_LIMIT;
         place++)
        if (regs_has(destroyed, place))
            return rejected(check, at, "it destroys a value that is needed");
    return VERDICT_ACCEPTED;
}

static bool is_copy(const MachInstr *instr) {
    return instr->kind == MK_OP && op_is_move(instr->op) && instr->memory == NO_SOURCE;
}

static uint32_t size_of(Type type) {
    return type == TYPE_F80 ? 16 : type == TYPE_I64 || type == TYPE_F64 ? 8 : 4;
}

// A move copies as many bytes as its type has: at least those that are needed. A float is moved in
// its own type, since a float of twice the size, half of which has no value, has none.
static Verdict move_back(Check *check, uint32_t at, const MachInstr *now) {
    Type type = op_info(now->op)->result;
    uint32_t place = equations_place(now->dest), size = size_of(type);
    for (uint32_t reg = 0; (reg = equations_reg_in(&check->now, place, reg)) != NO_ID; reg++) {
        uint32_t needed = size_of(reg_type(check->before, (Reg){reg}));
        if (needed > size)
            return rejected(check, at, "it moves only a part of a value that is needed");
        if (needed < size && !type_is_int(type))
            return rejected(check, at, "it moves a value as a larger float");
    }
    equations_move_place(&check->now, place, equations_place(now->src[0]));
    return VERDICT_ACCEPTED;
}

// A copy makes v equal to w and p to q: needs of v elsewhere become needs of w, and other needs in
// p become needs in q.
static Verdict copy_back(Check *check, uint32_t at, const MachInstr *then, const MachInstr *now) {
    uint32_t v = place_reg(then->dest).i, w = place_reg(then->src[0]).i;
    uint32_t p = equations_place(now->dest), q = equations_place(now->src[0]);
    equations_remove(&check->now, v, p);
    equations_move_reg(&check->now, v, w);
    Verdict verdict = move_back(check, at, now);
    equations_add(&check->now, w, q);
    return verdict;
}

// Whether a spill has, whenever a call returns, its value at the time of the call.
static bool is_kept(const Check *check, uint32_t call, uint32_t spill) {
    const SpillWrite *last = &check->writes[spill];
    uint32_t rank = check->hint->rank.at[check->block];
    if (!last->written || last->rank < rank) return true;
    return last->rank == rank && check->once[rank] && last->at < call;
}

static Verdict return_again(Check *check, uint32_t at) {
    uint32_t reg, place;
    for (reg = place = 0; equations_next(&check->now, &reg, &place); place++) {
        if (place >= MACHINE_REG_LIMIT && !is_kept(check, at, place - MACHINE_REG_LIMIT))
            return rejected(
                check, at, "a spill is needed behind a call that returns twice, and written again");
    }
    return VERDICT_ACCEPTED;
}

static Verdict step_back(Check *check, uint32_t at) {
    const MachInstr *now = mach_at(check->after, at);
    const MachInstr *then = mach_at(check->before, check->hint->origin.at[at]);
    if (is_copy(then)) return copy_back(check, at, then, now);
    mach_constraints(check->arena, check->after, now, &check->constraints);
    Verdict verdict = define_all(check, at, then, now);
    if (verdict.accepted)
        verdict = check_destroyed(check, at,
                                  regs_or(check->constraints.killed, check->constraints.clobbers));
    if (verdict.accepted && mach_call_returns_twice(check->after->program, now))
        verdict = return_again(check, at);
    if (verdict.accepted) need_uses(check, then, now);
    return verdict;
}

// ---- Equations through what was put in or left out

// A constant in p satisfies what is needed there if the register can only have that value.
static Verdict constant_back(Check *check, uint32_t at, const MachInstr *now) {
    uint32_t place = equations_place(now->dest);
    for (uint32_t reg; (reg = equations_reg_in(&check->now, place, 0)) != NO_ID;) {
        uint32_t known = check->constant[reg];
        if (known == NO_ID || !mach_same_but_places(mach_at(check->before, known), now))
            return rejected(check, at, "a constant is put where another value is needed");
        equations_remove(&check->now, reg, place);
    }
    return VERDICT_ACCEPTED;
}

static Verdict put_in_back(Check *check, uint32_t at) {
    const MachInstr *now = mach_at(check->after, at);
    if (now->kind == MK_JUMP) return VERDICT_ACCEPTED;
    if (now->kind == MK_MOVE) return move_back(check, at, now);
    if (now->kind != MK_EXCHANGE) return constant_back(check, at, now);
    equations_exchange_places(&check->now, equations_place(now->dest),
                              equations_place(now->src[0]));
    return VERDICT_ACCEPTED;
}

// An instruction of the origin that is missing: a copy v := w lets w stand for v; any other may
// only be missing if its result is not needed, or is a constant that needs no setting to be made
// again.
static Verdict missing_back(Check *check, uint32_t near, uint32_t from) {
    const MachInstr *then = mach_at(check->before, from);
    uint32_t reg = place_reg(then->dest).i;
    if (is_copy(then)) {
        equations_move_reg(&check->now, reg, place_reg(then->src[0]).i);
        return VERDICT_ACCEPTED;
    }
    if (equations_place_of(&check->now, reg, 0) != NO_ID)
        return rejected(check, near, "an instruction is missing before it whose result is needed");
    return VERDICT_ACCEPTED;
}

// ---- Equations through blocks

// Missing and added instructions act on different sides, so that their order does not matter.
// Missing copies are taken as the last before a present instruction, since a constant may have been
// made again for their source. Other missing instructions are taken as the first after a present
// instruction, since they may be constants that have been made again.
//
// Takes those copies; yields how far back that went.
static uint32_t missing_copies_back(Check *check, const MachBlock *now, const MachBlock *then,
                                    uint32_t at, uint32_t end) {
    uint32_t present = at;
    while (present > now->first && is_put_in(check, present - 1)) present--;
    uint32_t first = then->first;
    if (present > now->first) first = check->hint->origin.at[present - 1] + 1;
    while (end > first && is_copy(mach_at(check->before, end - 1))) missing_back(check, at, --end);
    return end;
}

static Verdict walk_back(Check *check, uint32_t block) {
    const MachBlock *now = mach_block(check->after, block);
    uint32_t origin = check->hint->block_origin.at[block];
    check->block = block;
    const MachBlock *then = origin == NO_ID ? NULL : mach_block(check->before, origin);
    uint32_t end = then ? then->first + then->count : 0; // instructions from here on are done
    for (uint32_t at = now->first + now->count; at-- > now->first;) {
        uint32_t from = check->hint->origin.at[at];
        Verdict verdict = VERDICT_ACCEPTED;
        if (from == NO_ID || !then) {
            verdict = put_in_back(check, at);
        } else {
            while (end > from + 1 && verdict.accepted) verdict = missing_back(check, at, --end);
            if (verdict.accepted) verdict = step_back(check, at);
            end = missing_copies_back(check, now, then, at, from);
        }
        if (verdict.accepted && mach_backward_is_too_long(check->after, &check->now.keys))
            verdict = rejected(check, at, "too many equations are needed");
        if (!verdict.accepted) return verdict;
    }
    Verdict verdict = VERDICT_ACCEPTED;
    while (then && end > then->first && verdict.accepted)
        verdict = missing_back(check, now->first, --end);
    return verdict;
}

// The equations at the start of a block from those of its successors.
static WalkResult update(void *context, uint32_t block) {
    Check *check = context;
    const MachBlock *now = mach_block(check->after, block);
    check->now.set = NO_EQUATIONS;
    for (uint32_t k = 0; k < now->succ_count; k++)
        equations_join(&check->now, &check->entries[mach_succs(check->after, now)[k]]);
    check->verdict = walk_back(check, block);
    if (!check->verdict.accepted) return WALK_STOP;
    if (equations_count(&check->now) == equations_set_count(&check->now, &check->entries[block]))
        return WALK_SAME;
    check->entries[block] = equations_keep(&check->now);
    return WALK_GROWN;
}

static Verdict solve(Check *check) {
    uint32_t count = check->after->mach->blocks.count;
    check->entries = ARENA_ARRAY(check->arena, EquationSet, count);
    for (uint32_t b = 0; b < count; b++) check->entries[b] = NO_EQUATIONS;
    check->now = equations_new(check->arena);
    check->verdict = VERDICT_ACCEPTED;
    mach_backward(check->arena, check->after, update, check);
    return check->verdict;
}

// ---- Calls that return twice

static Verdict check_ranks(Check *check) {
    const Mach *mach = check->after->mach;
    uint32_t count = mach->blocks.count;
    if (check->hint->rank.count != count)
        return rejected(check, NO_ID,
                        "a call returns twice, but the hint does not rank the blocks");
    uint32_t *blocks = ARENA_ARRAY(check->arena, uint32_t, count);
    for (uint32_t b = 0; b < count; b++) {
        if (check->hint->rank.at[b] >= count)
            return rejected(check, NO_ID, "a rank is out of range");
        blocks[check->hint->rank.at[b]]++;
    }
    check->once = ARENA_ARRAY(check->arena, bool, count);
    for (uint32_t r = 0; r < count; r++) check->once[r] = blocks[r] == 1;
    for (uint32_t b = 0; b < count; b++) {
        const MachBlock *block = mach_block(check->after, b);
        uint32_t rank = check->hint->rank.at[b];
        for (uint32_t k = 0; k < block->succ_count; k++) {
            uint32_t succ = mach_succs(check->after, block)[k];
            if (check->hint->rank.at[succ] < rank)
                return rejected(check, block->first, "the rank falls on a way on");
            if (succ == b) check->once[rank] = false;
        }
    }
    return VERDICT_ACCEPTED;
}

static void note_write(Check *check, uint32_t rank, uint32_t at, Place place) {
    if (is_none(place) || !place_is_spill(place)) return;
    SpillWrite *last = &check->writes[place_index(place)];
    if (!last->written || rank > last->rank || (rank == last->rank && at > last->at))
        *last = (SpillWrite){.written = true, .rank = rank, .at = at};
}

static void find_writes(Check *check) {
    check->writes = ARENA_ARRAY(check->arena, SpillWrite, check->after->mach->spills.count);
    for (uint32_t b = 0; b < check->after->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(check->after, b);
        uint32_t rank = check->hint->rank.at[b];
        for (uint32_t at = block->first; at < block->first + block->count; at++) {
            const MachInstr *now = mach_at(check->after, at);
            for (uint32_t k = 0; k < mach_set_count(now); k++)
                note_write(check, rank, at, mach_set_at(check->after, now, k));
            if (now->kind == MK_EXCHANGE) note_write(check, rank, at, now->src[0]);
        }
    }
}

Verdict check_allocate(Arena *arena, const Func *before, const Func *after,
                       const AllocateHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    Verdict verdict = check_same_outline(arena, before, after);
    if (verdict.accepted) verdict = check_hint(&check);
    if (verdict.accepted) verdict = check_blocks(&check);
    bool twice = func_returns_twice(after);
    if (verdict.accepted && twice) verdict = check_ranks(&check);
    if (!verdict.accepted) return verdict;
    if (twice) find_writes(&check);
    find_constants(&check);
    return solve(&check);
}
