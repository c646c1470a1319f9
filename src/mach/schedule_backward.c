// Orders that need fewer registers, for the unbounded state: fewer values at once where registers
// are short, and fewer copies of operands.
//
// Both kinds of orders are made from the end of the region to its start. At each step, of the
// instructions for which no later instruction waits, the last one of the present order is taken,
// unless there is a reason against it. So the order changes little. The reasons are
//   * an operand that is to be written over should have been read by all others: they wait for the
//     instruction that writes it (as if it needed them), which puts them before it;
//   * where there are hardly registers left, an instruction that makes more values end than start.
#include "mach/schedule_private.h"

#include <string.h>

enum {
    CANDIDATES = 16, // that are compared where registers are short
    MOST_WISHES = 32
};

// ---- Wishes

// The readers of one value of a place, while the region is gone through.
typedef struct {
    uint32_t last; // the last link; NO_ID if none
    uint32_t
        wanted; // an instruction that would write over it, if it were not read again; NO_ID if none
} Readers;

typedef struct {
    MachScheduler *s;
    Readers *readers; // by place
    VEC(ReadLink) links;
    RegionSet before[REGION_LIMIT]; // needs and wishes
} Wisher;

static bool is_tied_to(const RegionInstr *info, uint32_t place) {
    return info->tied == place || info->swapped == place;
}

static bool waits_for(const Wisher *w, uint32_t later, uint32_t first) {
    return region_has(&w->before[later], first);
}

static void add_wish(Wisher *w, uint32_t later, uint32_t first) {
    const MachRegion *r = &w->s->region;
    if (waits_for(w, later, first)) return;
    vec_push(w->s->arena, &w->s->region.wishes, (Wish){.first = first, .later = later});
    region_put(&w->before[later], first);
    region_unite(&w->before[later], &w->before[first]);
    for (uint32_t i = 0; i < r->count; i++)
        if (waits_for(w, i, later)) region_unite(&w->before[i], &w->before[later]);
}

// A value ends. If its last reader writes over it, all is well; else another one that could should
// come last.
static void value_ends(Wisher *w, uint32_t place) {
    const MachRegion *r = &w->s->region;
    Readers *readers = &w->readers[place];
    uint32_t last = readers->last;
    readers->last = NO_ID;
    if (last == NO_ID || w->links.at[last].next == NO_ID) return;
    if (r->wishes.count >= MOST_WISHES) return;
    if (is_tied_to(&r->at[w->links.at[last].instr], place)) return;
    for (uint32_t t = w->links.at[last].next; t != NO_ID; t = w->links.at[t].next) {
        uint32_t over = w->links.at[t].instr;
        bool possible = is_tied_to(&r->at[over], place);
        for (uint32_t u = last; u != NO_ID && possible; u = w->links.at[u].next)
            possible = !waits_for(w, w->links.at[u].instr, over);
        if (!possible) continue;
        for (uint32_t u = last; u != NO_ID; u = w->links.at[u].next)
            if (u != t) add_wish(w, over, w->links.at[u].instr);
        return;
    }
}

void find_wishes(MachScheduler *s) {
    const MachRegion *r = &s->region;
    Wisher *w = ARENA_NEW(s->arena, Wisher);
    w->s = s;
    w->readers = ARENA_ARRAY(s->arena, Readers, r->place_count);
    memcpy(w->before, r->before, r->count * sizeof(RegionSet));
    for (uint32_t k = 0; k < r->place_count; k++) w->readers[k].last = NO_ID;
    for (uint32_t i = 0; i < r->count; i++) {
        const RegionInstr *info = &r->at[i];
        for (uint32_t k = 0; k < info->read_count; k++) {
            Readers *readers = &w->readers[r->operands.at[info->reads + k]];
            vec_push(s->arena, &w->links, (ReadLink){.instr = i, .next = readers->last});
            readers->last = w->links.count - 1;
        }
        for (uint32_t k = 0; k < info->set_count; k++)
            value_ends(w, r->operands.at[info->sets + k]);
    }
    for (uint32_t place = 0; place < r->place_count; place++)
        if (!r->live.at[place]) value_ends(w, place);
}

// ---- From the end to the start

typedef struct {
    const MachScheduler *s;
    const MachRegion *r;
    uint32_t waiting[REGION_LIMIT]; // how many instructions behind it have no place yet
    RegionSet ready;
    bool *live; // by place
    uint32_t pressure[CLASS_MEMORY];
} BackwardList;

static void start_backward(BackwardList *b) {
    const MachRegion *r = b->r;
    b->ready = (RegionSet){0};
    for (uint32_t i = 0; i < r->count; i++) b->waiting[i] = r->succ_at[i + 1] - r->succ_at[i];
    for (uint32_t k = 0; k < r->wishes.count; k++) b->waiting[r->wishes.at[k].first]++;
    for (uint32_t i = 0; i < r->count; i++)
        if (b->waiting[i] == 0) region_put(&b->ready, i);
    for (uint32_t k = 0; k < r->place_count; k++) b->live[k] = r->live.at[k];
    for (uint32_t c = 0; c < b->s->class_count; c++) b->pressure[c] = r->pressure[c];
}

static uint32_t last_ready(const RegionSet *ready) {
    for (uint32_t w = REGION_WORDS; w-- > 0;)
        if (ready->words[w]) return w * 64 + 63 - (uint32_t)__builtin_clzll(ready->words[w]);
    return NO_ID;
}

static void set_live(BackwardList *b, uint32_t place, bool live) {
    if (b->live[place] == live) return;
    b->live[place] = live;
    uint32_t c = b->r->reg_class.at[place];
    if (c != CLASS_MEMORY) b->pressure[c] += live ? 1 : (uint32_t)-1;
}

// How many more values of classes that are short are live before an instruction than behind it.
static int pressure_change(const BackwardList *b, const RegionInstr *info, const bool *is_short) {
    const MachRegion *r = b->r;
    int change = 0;
    for (uint32_t k = 0; k < info->set_count; k++) {
        uint32_t place = r->operands.at[info->sets + k], c = r->reg_class.at[place];
        if (c != CLASS_MEMORY && is_short[c] && b->live[place]) change--;
    }
    for (uint32_t k = 0; k < info->read_count; k++) {
        uint32_t place = r->operands.at[info->reads + k], c = r->reg_class.at[place];
        if (c != CLASS_MEMORY && is_short[c] && !b->live[place]) change++;
        if (c != CLASS_MEMORY && is_short[c] && b->live[place] && info->set_count > 0 &&
            r->operands.at[info->sets] == place)
            change++;
    }
    return change;
}

static uint32_t choose(const BackwardList *b, bool saving) {
    enum { SPARE = 1 };
    RegionSet rest = b->ready;
    uint32_t best = last_ready(&rest);
    bool is_short[CLASS_MEMORY] = {false}, any = false;
    for (uint32_t c = 0; c < b->s->class_count; c++)
        any |= is_short[c] = b->pressure[c] - b->r->passing[c] + SPARE >= b->s->limit[c];
    if (!saving || !any) return best;
    int least = pressure_change(b, &b->r->at[best], is_short);
    for (uint32_t k = 1; k < CANDIDATES && least > -1; k++) {
        region_drop(&rest, best);
        uint32_t next = last_ready(&rest);
        if (next == NO_ID) break;
        region_drop(&rest, next);
        int change = pressure_change(b, &b->r->at[next], is_short);
        if (change < least) {
            least = change;
            best = next;
        }
    }
    return best;
}

static void release(BackwardList *b, uint32_t i) {
    if (--b->waiting[i] == 0) region_put(&b->ready, i);
}

static void place_instr(BackwardList *b, uint32_t i) {
    const MachRegion *r = b->r;
    const RegionInstr *info = &r->at[i];
    region_drop(&b->ready, i);
    for (uint32_t k = 0; k < info->set_count; k++)
        set_live(b, r->operands.at[info->sets + k], false);
    for (uint32_t k = 0; k < info->read_count; k++)
        set_live(b, r->operands.at[info->reads + k], true);
    for (uint32_t k = 0; k < info->need_count; k++) release(b, r->needs.at[info->needs + k].first);
    for (uint32_t k = 0; k < r->wishes.count; k++)
        if (r->wishes.at[k].later == i) release(b, r->wishes.at[k].first);
}

void list_backward(MachScheduler *s, bool saving, uint32_t *order) {
    BackwardList backward = {.s = s, .r = &s->region}, *b = &backward;
    b->live = ARENA_ARRAY(s->arena, bool, b->r->place_count);
    start_backward(b);
    for (uint32_t k = b->r->count; k-- > 0;) {
        order[k] = choose(b, saving);
        place_instr(b, order[k]);
    }
}
