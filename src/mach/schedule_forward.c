// Orders for latency: instructions on which a long chain of instructions waits come first.
//
// The order is made from the start of the region to its end. Of the instructions whose needs have a
// place, the instruction with the longest way to the end is taken, counted in cycles. A way to the
// branch at the end of the block counts more, since an early decision makes a wrong guess cheaper.
// A store whose value is there enters the core last in a cycle, so that stores neither stand in the
// way nor wait for all others.
#include "mach/schedule_private.h"

typedef struct {
    const MachRegion *r;
    const TargetTiming *timing;
    uint32_t way[REGION_LIMIT]; // slots to the end
    uint32_t missing[REGION_LIMIT];
    uint32_t start[REGION_LIMIT]; // when its operands are there
    RegionSet ready;
} ForwardList;

static uint32_t latency_of(const TargetTiming *timing, const RegionInstr *info) {
    return info->timing.latency + (info->timing.loads ? timing->load_latency : 0u) +
           info->timing.stores;
}

// `bonus`: what a way to the branch counts more.
static void find_ways(ForwardList *f, uint32_t bonus) {
    const MachRegion *r = f->r;
    for (uint32_t i = 0; i < r->count; i++) f->way[i] = region_has(&r->decides, i) ? bonus : 0;
    // A wish may lead back in the present order; then its effect on ways comes too late for earlier
    // instructions.
    for (uint32_t i = r->count; i-- > 0;) {
        const RegionInstr *info = &r->at[i];
        for (uint32_t k = 0; k < r->wishes.count; k++)
            if (r->wishes.at[k].first == i && f->way[i] < f->way[r->wishes.at[k].later])
                f->way[i] = f->way[r->wishes.at[k].later];
        f->way[i] += latency_of(f->timing, info);
        for (uint32_t k = 0; k < info->need_count; k++) {
            const RegionNeed *need = &r->needs.at[info->needs + k];
            if (f->way[need->first] < f->way[i]) f->way[need->first] = f->way[i];
        }
    }
}

static uint32_t choose(const ForwardList *f, uint32_t entered) {
    const MachRegion *r = f->r;
    uint32_t best = NO_ID, width = f->timing->issue_width;
    bool last = entered % width == width - 1; // of its cycle
    for (uint32_t w = 0; w < REGION_WORDS; w++) {
        for (uint64_t rest = f->ready.words[w]; rest; rest &= rest - 1) {
            uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (last && r->at[i].timing.stores && f->start[i] <= entered) return i;
            if (best == NO_ID || f->way[i] > f->way[best]) best = i;
        }
    }
    return best;
}

static void hold(ForwardList *f, uint32_t i) {
    f->missing[i]++;
    region_drop(&f->ready, i);
}

static void release(ForwardList *f, uint32_t i) {
    if (--f->missing[i] == 0) region_put(&f->ready, i);
}

static void list_region(ForwardList *f, uint32_t *order) {
    const MachRegion *r = f->r;
    uint32_t entered = 0;
    f->ready = (RegionSet){0};
    for (uint32_t i = 0; i < r->count; i++) {
        f->missing[i] = r->at[i].need_count;
        f->start[i] = 0;
        if (f->missing[i] == 0) region_put(&f->ready, i);
    }
    for (uint32_t k = 0; k < r->wishes.count; k++) hold(f, r->wishes.at[k].later);
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t i = choose(f, entered), now = entered;
        region_drop(&f->ready, i);
        order[k] = i;
        entered += r->at[i].timing.count;
        uint32_t done = (f->start[i] > now ? f->start[i] : now) + latency_of(f->timing, &r->at[i]);
        for (uint32_t e = r->succ_at[i]; e < r->succ_at[i + 1]; e++) {
            uint32_t later = r->succs[e];
            if (f->start[later] < done) f->start[later] = done;
            release(f, later);
        }
        for (uint32_t w = 0; w < r->wishes.count; w++)
            if (r->wishes.at[w].first == i) release(f, r->wishes.at[w].later);
    }
}

OrderCost least_time(const MachScheduler *s) {
    const MachRegion *r = &s->region;
    uint32_t done[REGION_LIMIT];
    OrderCost least = {0};
    for (uint32_t i = 0; i < r->count; i++) {
        const RegionInstr *info = &r->at[i];
        uint32_t start = 0;
        for (uint32_t k = 0; k < info->need_count; k++) {
            const RegionNeed *need = &r->needs.at[info->needs + k];
            if (need->kind != NEED_ORDER && done[need->first] > start) start = done[need->first];
        }
        done[i] = start + latency_of(s->timing, info);
        if (done[i] > least.slots) least.slots = done[i];
        if (region_has(&r->decides, i) && done[i] > least.decided) least.decided = done[i];
    }
    return least;
}

void list_forward(MachScheduler *s, bool deciding, uint32_t *order) {
    enum { FIRST = 100000 }; // more slots than a region takes
    ForwardList *f = ARENA_NEW(s->arena, ForwardList);
    f->r = &s->region;
    f->timing = s->timing;
    find_ways(f, deciding ? FIRST : 0);
    list_region(f, order);
}
