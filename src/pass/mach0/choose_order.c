// Chooses a random order of the operations of a block. The needs of a block form a graph without
// cycles, which has far fewer edges than order_needs and order_spoils relate pairs: the last needed
// operations are enough (order_last.h), and a change of memory spoils the reads since the previous
// change. The other needs follow by going from edge to edge.
//
// Then the pass takes, again and again, any operation whose needs are done, by chance.
#include "pass/mach0/choose_order.h"

#include "base/hash.h"
#include "fact/order_last.h"

#include <string.h>

typedef struct {
    uint32_t from, to; // positions in the block
} BlockNeed;

typedef struct {
    Arena *scratch;
    const Func *func;
    Node *nodes;
    uint32_t count;
    VEC(BlockNeed) needs;
    VEC(uint32_t) reads; // of memory, since the last change
    OrderLast last;
    Map setter; // register -> the operation of the block that sets it
} BlockNeeds;

uint32_t choose_order_random(uint64_t *state, uint32_t bound) {
    *state += 0x9e3779b97f4a7c15u;
    return (uint32_t)((hash_mix(*state) >> 32) * bound >> 32);
}

static void need(BlockNeeds *b, uint32_t from, uint32_t to) {
    BlockNeed edge = {.from = from, .to = to};
    vec_push(b->scratch, &b->needs, edge);
}

// False if an operand is set further down, as can be where no control gets: then nothing is to be
// moved.
static bool need_operands(BlockNeeds *b, uint32_t at) {
    const Instr *instr = func_at(b->func, b->nodes[at]);
    const Reg *args = instr_args(b->func, instr);
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        uint32_t setter = map_get(&b->setter, args[k].i);
        if (setter == HASH_NONE) continue;
        if (setter >= at) return false;
        need(b, setter, at);
    }
    return true;
}

static void need_order(BlockNeeds *b, uint32_t at) {
    Order order = order_of_instr(b->func, func_at(b->func, b->nodes[at]));
    uint32_t needs[ORDER_LAST_NEEDS], count = order_last_needs(&b->last, order, needs);
    for (uint32_t i = 0; i < count; i++) need(b, needs[i], at);
    if (order & ORDER_BARRIER)
        for (uint32_t i = b->last.barrier == NO_ID ? 0 : b->last.barrier; i < at; i++)
            need(b, i, at);
    if (order & ORDER_CHANGES)
        for (uint32_t i = 0; i < b->reads.count; i++) need(b, b->reads.at[i], at);
    if (order & (ORDER_CHANGES | ORDER_BARRIER))
        vec_clear(&b->reads);
    else if (order & ORDER_READS)
        vec_push(b->scratch, &b->reads, at);
    order_last_note(&b->last, order, at);
}

static bool find_needs(BlockNeeds *b) {
    for (uint32_t i = 0; i < b->count; i++) {
        Reg dest = func_at(b->func, b->nodes[i])->dest;
        if (dest.i != NO_ID) map_set(b->scratch, &b->setter, dest.i, i);
    }
    for (uint32_t i = 0; i < b->count; i++) {
        if (!need_operands(b, i)) return false;
        need_order(b, i);
    }
    return true;
}

static void choose(const BlockNeeds *b, uint64_t random) {
    Arena *scratch = b->scratch;
    uint32_t *open = ARENA_ARRAY(scratch, uint32_t, b->count);
    uint32_t *first = ARENA_ARRAY(scratch, uint32_t, (size_t)b->count + 2);
    uint32_t *list = ARENA_ARRAY(scratch, uint32_t, b->needs.count);
    uint32_t *ready = ARENA_ARRAY(scratch, uint32_t, b->count), ready_count = 0;
    Node *old = arena_copy(scratch, b->nodes, b->count * sizeof(Node));
    for (uint32_t i = 0; i < b->needs.count; i++) first[b->needs.at[i].from + 2]++;
    for (uint32_t i = 1; i < b->count; i++) first[i + 1] += first[i];
    for (uint32_t i = 0; i < b->needs.count; i++) {
        list[first[b->needs.at[i].from + 1]++] = b->needs.at[i].to;
        open[b->needs.at[i].to]++;
    }
    for (uint32_t i = 0; i < b->count; i++)
        if (!open[i]) ready[ready_count++] = i;
    for (uint32_t done = 0; ready_count; done++) {
        uint32_t which = choose_order_random(&random, ready_count), at = ready[which];
        ready[which] = ready[--ready_count];
        b->nodes[done] = old[at];
        for (uint32_t i = first[at]; i < first[at + 1]; i++)
            if (--open[list[i]] == 0) ready[ready_count++] = list[i];
    }
}

void choose_order(Arena *scratch, const Func *func, Node *nodes, uint32_t count, uint64_t seed) {
    if (!seed || !count) return;
    const Instr *last = func_at(func, nodes[count - 1]);
    if (last->succ_count != 1 || last->kind == I_NOP) count--;
    BlockNeeds block = {.scratch = scratch,
                        .func = func,
                        .nodes = nodes,
                        .count = count,
                        .last = order_last_none()};
    uint64_t state = hash_mix(seed) + (count ? nodes[0].i : 0);
    if (count > 1 && find_needs(&block)) choose(&block, state);
}
