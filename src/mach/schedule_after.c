// Orders for latency: what a long chain of instructions waits for comes first.
//
// From the start of the region to its end, of the instructions whose needs have a place the one with the longest way to the end
// is taken, counted in cycles; a way to the branch at the end of the block counts more, since the sooner
// that is decided the less is lost when it was guessed wrongly. A store goes to memory as soon as its value is there.
#include "mach/schedule_private.h"

#include <string.h>

typedef struct {
    Scheduler *s;
    const Region *r;
    uint32_t way[REGION_LIMIT]; // cycles to the end
    uint32_t missing[REGION_LIMIT];
    uint32_t start[REGION_LIMIT], done[REGION_LIMIT];
    RegionSet ready;
} Forward;

static uint32_t latency_of(const RegionInstr *info) {
    return info->timing.latency + (info->timing.loads ? X64_LOAD_LATENCY : 0u) + info->timing.stores;
}

// `weight`: what a cycle on the way to the branch counts more.
static void find_ways(Forward *f, uint32_t bonus) {
    const Region *r = f->r;
    for (uint32_t i = 0; i < r->count; i++)
        f->way[i] = region_has(&r->decides, i) ? bonus : 0;
    for (uint32_t i = r->count; i-- > 0;) {
        const RegionInstr *info = &r->at[i];
        f->way[i] += latency_of(info);
        for (uint32_t k = 0; k < info->need_count; k++) {
            const Need *need = &r->needs.at[info->needs + k];
            uint32_t way = need->kind == NEED_ORDER ? 0 : f->way[i];
            if (f->way[need->first] < way) f->way[need->first] = way;
        }
    }
}

static uint32_t choose(const Forward *f, uint32_t now) {
    const Region *r = f->r;
    uint32_t best = NO_ID;
    for (uint32_t w = 0; w < REGION_WORDS; w++) {
        for (uint64_t rest = f->ready.words[w]; rest; rest &= rest - 1) {
            uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (r->at[i].timing.stores && f->start[i] <= now) return i;
            if (best == NO_ID || f->way[i] > f->way[best]) best = i;
        }
    }
    return best;
}

static void list_forward(Forward *f, uint32_t *order) {
    const Region *r = f->r;
    uint32_t entered = 0;
    f->ready = (RegionSet){0};
    for (uint32_t i = 0; i < r->count; i++) {
        f->missing[i] = r->at[i].need_count;
        f->start[i] = 0;
        if (f->missing[i] == 0) region_put(&f->ready, i);
    }
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t now = entered / X64_ISSUE_WIDTH, i = choose(f, now);
        region_drop(&f->ready, i);
        order[k] = i;
        entered += r->at[i].timing.count;
        uint32_t done = (f->start[i] > now ? f->start[i] : now) + latency_of(&r->at[i]);
        for (uint32_t e = r->succ_at[i]; e < r->succ_at[i + 1]; e++) {
            uint32_t later = r->succs[e];
            if (f->start[later] < done) f->start[later] = done;
            if (--f->missing[later] == 0) region_put(&f->ready, later);
        }
    }
}

static uint32_t cycles_of(OrderCost cost) {
    return 2 * cost.decided + cost.cycles;
}

static bool is_better(OrderCost x, OrderCost y) {
    return x.excess <= y.excess && x.copies <= y.copies && cycles_of(x) < cycles_of(y);
}

bool order_for_latency(Scheduler *s, uint32_t *order) {
    uint32_t tried[REGION_LIMIT];
    Region *r = &s->region;
    Forward *f = ARENA_NEW(s->arena, Forward);
    f->s = s;
    f->r = r;
    for (uint32_t i = 0; i < r->count; i++) order[i] = i;
    OrderCost first = order_cost(s, order), best = first;
    for (uint32_t bonus = 0; bonus <= 1000; bonus += 1000) {
        find_ways(f, bonus);
        list_forward(f, tried);
        OrderCost cost = order_cost(s, tried);
        if (!is_better(cost, best)) continue;
        best = cost;
        memcpy(order, tried, r->count * sizeof *order);
    }
    return is_better(best, first);
}
