// The instructions of a region, and the needs between them: by the places that instructions read
// and set, by memory, and by the other rules that keep an order (fact/order.h).
#include "mach/schedule_private.h"

static uint32_t region_place(MachScheduler *s, uint32_t place) {
    MachRegion *r = &s->region;
    if (s->number_stamp[place] == s->stamp) return s->number[place];
    s->number_stamp[place] = s->stamp;
    s->number[place] = r->place_count++;
    vec_push(s->arena, &r->reg_class, s->allocated ? CLASS_MEMORY : s->reg_class[place]);
    vec_push(s->arena, &r->live, s->allocated || bits_has(&s->live, place));
    vec_push(s->arena, &s->last_set, NO_ID);
    vec_push(s->arena, &s->last_read, NO_ID);
    return s->number[place];
}

static void add_operand(MachScheduler *s, uint32_t from, uint32_t *count, uint32_t place) {
    MachRegion *r = &s->region;
    for (uint32_t k = from; k < from + *count; k++)
        if (r->operands.at[k] == place) return;
    vec_push(s->arena, &r->operands, place);
    ++*count;
}

// Destroyed places count as set: their earlier contents do not outlast the instruction.
static void add_operands(MachScheduler *s, RegionInstr *info, const OrderOp *op) {
    const uint32_t *places = s->ops.places.at + op->places;
    info->reads = s->region.operands.count;
    for (uint32_t k = 0; k < op->reads; k++)
        add_operand(s, info->reads, &info->read_count, region_place(s, places[k]));
    info->sets = s->region.operands.count;
    for (uint32_t k = op->reads; k < op->reads + op->losses + op->sets; k++)
        add_operand(s, info->sets, &info->set_count, region_place(s, places[k]));
}

static uint32_t place_of_operand(MachScheduler *s, uint8_t operand) {
    if (operand == NO_SOURCE) return NO_ID;
    return region_place(s, mach_place_number(*s->constraints.operands.at[operand].place));
}

static void find_tied(MachScheduler *s, RegionInstr *info) {
    const MachInstr *instr = info->instr;
    info->tied = info->swapped = NO_ID;
    if (s->allocated) return;
    if (instr->kind == MK_OP && op_is_move((Op)instr->op) && instr->src[0].i != NO_ID) {
        info->tied = region_place(s, mach_place_number(instr->src[0]));
    } else if (!s->timing->needs_no_tie(instr)) {
        mach_constraints(s->arena, s->func, instr, &s->constraints);
        info->tied = place_of_operand(s, s->constraints.tied);
        info->swapped = place_of_operand(s, s->constraints.swappable);
    }
}

// ---- Needs

static void add_need(MachScheduler *s, uint32_t later, uint32_t first, NeedKind kind) {
    MachRegion *r = &s->region;
    RegionInstr *info = &r->at[later];
    for (uint32_t k = 0; k < info->need_count; k++) {
        RegionNeed *need = &r->needs.at[info->needs + k];
        if (need->first != first) continue;
        if (kind < need->kind) need->kind = kind;
        return;
    }
    vec_push(s->arena, &r->needs, (RegionNeed){.first = first, .kind = kind});
    info->need_count++;
    region_put(&r->before[later], first);
    region_unite(&r->before[later], &r->before[first]);
}

// A value needs its setter; before a place is set again, all its readers must have read it.
static void need_places(MachScheduler *s, uint32_t i) {
    MachRegion *r = &s->region;
    const RegionInstr *info = &r->at[i];
    for (uint32_t k = 0; k < info->read_count; k++) {
        uint32_t place = r->operands.at[info->reads + k];
        if (s->last_set.at[place] != NO_ID) add_need(s, i, s->last_set.at[place], NEED_VALUE);
    }
    for (uint32_t k = 0; k < info->set_count; k++) {
        uint32_t place = r->operands.at[info->sets + k];
        if (s->last_set.at[place] != NO_ID) add_need(s, i, s->last_set.at[place], NEED_ORDER);
        for (uint32_t link = s->last_read.at[place]; link != NO_ID; link = s->links.at[link].next)
            add_need(s, i, s->links.at[link].instr, NEED_ORDER);
    }
    for (uint32_t k = 0; k < info->read_count; k++) {
        uint32_t place = r->operands.at[info->reads + k];
        vec_push(s->arena, &s->links, (ReadLink){.instr = i, .next = s->last_read.at[place]});
        s->last_read.at[place] = s->links.count - 1;
    }
    for (uint32_t k = 0; k < info->set_count; k++) {
        uint32_t place = r->operands.at[info->sets + k];
        s->last_set.at[place] = i;
        s->last_read.at[place] = NO_ID;
    }
}

// Instructions that touch memory, or keep an order otherwise.
typedef struct {
    uint32_t at[REGION_LIMIT];
    uint32_t count;
} RegionAccesses;

static void need_memory(MachScheduler *s, uint32_t i, uint32_t first, RegionAccesses *accesses) {
    const OrderOp *op = &s->ops.ops.at[first + i];
    if (!op->access_count && !(op->order & ~(Order)ORDER_WAITS)) return;
    bool reads = mach_effects(s->region.at[i].instr) & MAY_READ;
    for (uint32_t k = 0; k < accesses->count; k++)
        if (ops_keep_order(&s->ops, first + accesses->at[k], first + i))
            add_need(s, i, accesses->at[k], reads ? NEED_MEMORY : NEED_ORDER);
    accesses->at[accesses->count++] = i;
}

// The instruction that ends the block, if the region reaches to it, apart from an instruction that
// stays in front of it.
static const MachInstr *branch_behind(const MachScheduler *s, uint32_t end) {
    const MachInstr *next = mach_at(s->func, end);
    if (!mach_kind_ends((MachKind)next->kind)) next++;
    return next->kind == MK_BRANCH || next->kind == MK_SWITCH ? next : NULL;
}

// The needs of the branch behind the region, if the branch depends on memory. Others, those that
// count above all, are rarely guessed wrongly.
static void find_deciding(MachScheduler *s, uint32_t end) {
    MachRegion *r = &s->region;
    r->decides = (RegionSet){0};
    const MachInstr *branch = branch_behind(s, end);
    if (!branch) return;
    bool loads = branch->memory != NO_SOURCE;
    RegionSet decides = {0};
    for (const MachInstr *instr = mach_at(s->func, end); instr <= branch; instr++) {
        loads |= instr->memory != NO_SOURCE;
        for (uint32_t k = 0; k < mach_read_count(instr); k++) {
            Place place = mach_read_at(s->func, instr, k);
            if (place.i == NO_ID) continue;
            uint32_t number = mach_place_number(place);
            if (s->number_stamp[number] != s->stamp) continue;
            uint32_t set = s->last_set.at[s->number[number]];
            if (set == NO_ID) continue;
            region_put(&decides, set);
            loads |= r->at[set].from_memory;
        }
    }
    if (loads) r->decides = decides;
}

static bool is_from_memory(const MachRegion *r, const RegionInstr *info) {
    if (mach_effects(info->instr) & MAY_READ) return true;
    for (uint32_t k = 0; k < info->need_count; k++) {
        const RegionNeed *need = &r->needs.at[info->needs + k];
        if (need->kind == NEED_VALUE && r->at[need->first].from_memory) return true;
    }
    return false;
}

static void list_succs(MachScheduler *s) {
    MachRegion *r = &s->region;
    for (uint32_t i = 0; i < r->count + 2; i++) r->succ_at[i] = 0;
    for (uint32_t k = 0; k < r->needs.count; k++) r->succ_at[r->needs.at[k].first + 2]++;
    for (uint32_t i = 2; i < r->count + 2; i++) r->succ_at[i] += r->succ_at[i - 1];
    r->succs = ARENA_ARRAY(s->arena, uint32_t, r->needs.count);
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = 0; k < r->at[i].need_count; k++)
            r->succs[r->succ_at[r->needs.at[r->at[i].needs + k].first + 1]++] = i;
}

static void clear_region(MachScheduler *s) {
    MachRegion *r = &s->region;
    vec_clear(&r->operands);
    vec_clear(&r->needs);
    vec_clear(&r->wishes);
    vec_clear(&r->reg_class);
    vec_clear(&r->live);
    vec_clear(&s->last_set);
    vec_clear(&s->last_read);
    vec_clear(&s->links);
    r->place_count = 0;
    s->stamp++;
}

void region_build(MachScheduler *s, uint32_t block_first, uint32_t first, uint32_t count) {
    MachRegion *r = &s->region;
    RegionAccesses accesses = {.count = 0};
    clear_region(s);
    r->count = count;
    for (uint32_t i = 0; i < count; i++) {
        RegionInstr *info = &r->at[i];
        *info = (RegionInstr){.instr = mach_at(s->func, first + i)};
        info->timing = s->timing->of(info->instr);
        add_operands(s, info, &s->ops.ops.at[first - block_first + i]);
        find_tied(s, info);
        info->needs = r->needs.count;
        r->before[i] = (RegionSet){0};
        need_places(s, i);
        need_memory(s, i, first - block_first, &accesses);
        info->from_memory = is_from_memory(r, info);
    }
    list_succs(s);
    find_deciding(s, first + count);
    for (uint32_t c = 0; c < s->class_count; c++) {
        r->pressure[c] = r->passing[c] = s->pressure[c];
        for (uint32_t k = 0; k < r->place_count; k++)
            r->passing[c] -= r->reg_class.at[k] == c && r->live.at[k];
    }
}
