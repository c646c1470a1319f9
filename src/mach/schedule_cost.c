// The cost of an order of a region.
//
// Registers are counted from the end of the region to its start: the live values, against the
// number of registers. Each result that cannot be written over its tied operand, as the operand is
// needed again, costs a copy. Cycles are counted from the start: instructions enter the core in
// order, a few in a cycle, and are executed as soon as their operands are there and a unit is free.
// So an order counts as slow only if it is slow even for a core that looks ahead without limit.
#include "mach/schedule_private.h"

typedef struct {
    const MachRegion *r;
    bool *live; // by place
    uint32_t pressure[CLASS_MEMORY];
} Pressure;

static void set_live(Pressure *p, uint32_t place, bool live) {
    if (p->live[place] == live) return;
    p->live[place] = live;
    uint32_t c = p->r->reg_class.at[place];
    if (c != CLASS_MEMORY) p->pressure[c] += live ? 1 : (uint32_t)-1;
}

static void count_excess(const MachScheduler *s, const Pressure *p, OrderCost *cost) {
    for (uint32_t c = 0; c < s->class_count; c++) {
        uint32_t all = p->pressure[c], own = all - p->r->passing[c];
        if (all > s->limit[c]) cost->excess += all - s->limit[c];
        if (own > s->limit[c]) cost->shortage += own - s->limit[c];
    }
}

// Whether an instruction that reads a place can write over it: the place is not read afterwards.
static bool is_free(const Pressure *p, uint32_t place) {
    return place != NO_ID && !p->live[place];
}

static void cost_registers(const MachScheduler *s, const uint32_t *order, OrderCost *cost) {
    const MachRegion *r = &s->region;
    Pressure pressure = {.r = r, .live = ARENA_ARRAY(s->arena, bool, r->place_count)},
             *p = &pressure;
    for (uint32_t k = 0; k < r->place_count; k++) p->live[k] = r->live.at[k];
    for (uint32_t c = 0; c < s->class_count; c++) p->pressure[c] = r->pressure[c];
    for (uint32_t k = r->count; k-- > 0;) {
        const RegionInstr *info = &r->at[order[k]];
        for (uint32_t d = 0; d < info->set_count; d++)
            set_live(p, r->operands.at[info->sets + d], true);
        count_excess(s, p, cost);
        for (uint32_t d = 0; d < info->set_count; d++)
            set_live(p, r->operands.at[info->sets + d], false);
        if (info->tied != NO_ID && !is_free(p, info->tied) && !is_free(p, info->swapped))
            cost->copies++;
        for (uint32_t u = 0; u < info->read_count; u++)
            set_live(p, r->operands.at[info->reads + u], true);
        count_excess(s, p, cost);
    }
}

// A comparison with zero right behind the instruction that has set the flags by the value costs
// nothing.
static void cost_tests(const MachScheduler *s, const uint32_t *order, OrderCost *cost) {
    const MachRegion *r = &s->region;
    for (uint32_t k = 1; k < r->count; k++) {
        const MachInstr *instr = r->at[order[k]].instr, *before = r->at[order[k - 1]].instr;
        if (!s->timing->tests_place(instr)) continue;
        cost->copies += !(s->timing->leaves_flags(before) && before->dest.i == instr->src[0].i);
    }
}

// ---- Cycles

typedef struct {
    const MachScheduler *s;
    uint32_t free[UNIT_COUNT][UNIT_MOST_WAYS]; // when each unit can start something
} CoreUnits;

static uint32_t start_on(CoreUnits *units, CoreUnit unit, uint32_t ready, uint32_t busy) {
    uint32_t best = 0, ways = units->s->timing->ways[unit];
    if (unit == UNIT_NONE) return ready;
    for (uint32_t k = 1; k < ways; k++)
        if (units->free[unit][k] < units->free[unit][best]) best = k;
    uint32_t start = units->free[unit][best] > ready ? units->free[unit][best] : ready;
    units->free[unit][best] = start + busy;
    return start;
}

// When the result of an instruction that can start at a time is there.
static uint32_t finish(CoreUnits *units, const MachTiming *timing, uint32_t ready) {
    const MachScheduler *s = units->s;
    uint32_t time = ready, cycle = slots_of(s, 1);
    if (timing->loads)
        time = start_on(units, UNIT_LOAD, time, cycle) + slots_of(s, s->timing->load_latency);
    time = start_on(units, (CoreUnit)timing->unit, time, slots_of(s, timing->busy)) +
           slots_of(s, timing->latency);
    if (timing->stores) time = start_on(units, UNIT_STORE, time, cycle) + cycle;
    return time;
}

static void cost_time(const MachScheduler *s, const uint32_t *order, OrderCost *cost) {
    const MachRegion *r = &s->region;
    uint32_t done[REGION_LIMIT], entered = 0;
    CoreUnits units = {.s = s};
    for (uint32_t k = 0; k < r->count; k++) {
        const RegionInstr *info = &r->at[order[k]];
        uint32_t ready = entered;
        entered += info->timing.count;
        for (uint32_t n = 0; n < info->need_count; n++) {
            const RegionNeed *need = &r->needs.at[info->needs + n];
            if (need->kind != NEED_ORDER && done[need->first] > ready) ready = done[need->first];
        }
        done[order[k]] = finish(&units, &info->timing, ready);
        if (done[order[k]] > cost->slots) cost->slots = done[order[k]];
        if (region_has(&r->decides, order[k]) && done[order[k]] > cost->decided)
            cost->decided = done[order[k]];
    }
}

OrderCost order_cost(const MachScheduler *s, const uint32_t *order) {
    OrderCost cost = {0};
    if (!s->allocated) cost_registers(s, order, &cost);
    cost_tests(s, order, &cost);
    cost_time(s, order, &cost);
    return cost;
}
