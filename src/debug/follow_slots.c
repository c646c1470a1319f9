// Variables in memory: finds the code in which a slot holds the variable's value at the position.
//
// Stores stay in their order, with the other effects of a node of the source form. But operators
// float, and inside of a block of machine code the scheduler changes the order. So a debugger that
// stops at a line may find that a store of another line has been done too early, or not yet.
//
// In the source form a slot has a version at each node: the last node that may have written the
// slot, or the join where different versions meet. At an instruction, memory has the contents that
// it has in the source form before the next node that does not float. If the slot has the same
// version there as at the position, and no store has changed sides with the instruction in its
// block, the slot holds the variable. Otherwise the debugger gets no place. It gets no place either
// if the last SSA form reads the slot nowhere and lacks a write to it: the Sea of Nodes has left
// the write out.
#include "debug/follow_private.h"

#include "base/bits.h"
#include "fact/effects.h"
#include "fact/places.h"
#include "graph/basic_blocks.h"

#include <string.h>

#define UNSEEN (NO_ID - 1)
// What a node may write: one slot by its number, or
#define WRITES_NOTHING NO_ID
#define WRITES_ALL     (NO_ID - 1)
#define WRITES_SHARED  (NO_ID - 2)

// ---- Versions in the source form

typedef struct {
    Follower *f;
    const Func *func;
    Preds preds;
    const uint32_t *head; // node -> head of its block
    uint32_t **in, **out; // per head
} SlotForm;

static uint32_t written_by(const Func *func, const Places *places, uint32_t node) {
    const Instr *instr = &func->nodes.at[node];
    Effects effects = instr_effects(instr);
    if (!(effects & (MAY_WRITE | MAY_WRITE_SHARED))) return WRITES_NOTHING;
    if (instr->kind == I_CALL) return WRITES_SHARED;
    if (instr->kind == I_RETURN) return WRITES_NOTHING;
    if (instr->kind != I_STORE) return WRITES_ALL;
    uint32_t target = places->target[node];
    uint32_t object = target == NO_ID ? ANYWHERE : places->places.at[target].object;
    if (object == ANYWHERE) return WRITES_SHARED;
    return object <= func->slots.count ? object - 1 : WRITES_NOTHING;
}

static bool touches(const Follower *f, uint32_t write, uint32_t x) {
    if (write == WRITES_NOTHING) return false;
    if (write == WRITES_ALL) return true;
    return write == WRITES_SHARED ? f->slot_shared[x] : f->slots.at[x].slot == write;
}

static void run_node(const Follower *f, uint32_t node, uint32_t *row) {
    if (f->writes[node] == WRITES_NOTHING) return;
    for (uint32_t x = 0; x < f->slots.count; x++)
        if (touches(f, f->writes[node], x)) row[x] = node + 1;
}

// The node behind one in its block; NO_ID if it is the last.
static uint32_t next_in_block(const SlotForm *s, uint32_t node) {
    const Instr *instr = &s->func->nodes.at[node];
    if (instr->succ_count != 1) return NO_ID;
    uint32_t next = instr->succ[0].i;
    return next != s->head[node] && s->head[next] == s->head[node] ? next : NO_ID;
}

// Where different versions meet there is a new one, which stays.
static bool meet(const SlotForm *s, uint32_t head) {
    uint32_t own = s->func->nodes.count + 1 + head, *row = s->in[head];
    bool changed = false;
    Node node = {head};
    for (uint32_t k = 0; k < preds_count(&s->preds, node); k++) {
        uint32_t from = s->head[preds_at(&s->preds, node)[k].i];
        const uint32_t *out = from == NO_ID ? NULL : s->out[from];
        for (uint32_t x = 0; out && x < s->f->slots.count; x++) {
            if (out[x] == UNSEEN || row[x] == out[x] || row[x] == own) continue;
            row[x] = row[x] == UNSEEN ? out[x] : own;
            changed = true;
        }
    }
    return changed;
}

static void run_block(const SlotForm *s, uint32_t head) {
    memcpy(s->out[head], s->in[head], s->f->slots.count * sizeof *s->in[head]);
    for (uint32_t n = head; n != NO_ID; n = next_in_block(s, n)) run_node(s->f, n, s->out[head]);
}

static void solve(const SlotForm *s) {
    for (uint32_t x = 0; x < s->f->slots.count; x++) s->in[0][x] = 0;
    run_block(s, 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 1; n < s->func->nodes.count; n++) {
            if (s->head[n] != n || !meet(s, n)) continue;
            run_block(s, n);
            changed = true;
        }
    }
}

static void write_rows(const SlotForm *s) {
    Follower *f = s->f;
    for (uint32_t h = 0; h < s->func->nodes.count; h++) {
        if (s->head[h] != h) continue;
        uint32_t *row = s->in[h];
        for (uint32_t n = h; n != NO_ID; n = next_in_block(s, n)) {
            f->slot_versions[n] = row;
            if (f->writes[n] == WRITES_NOTHING) continue;
            row = arena_copy(f->arena, row, f->slots.count * sizeof *row);
            run_node(f, n, row);
        }
    }
}

void follow_slot_versions(Follower *f, const Func *func) {
    uint32_t count = func->nodes.count, slots = f->slots.count;
    if (!slots) return;
    SlotForm s = {.f = f, .func = func, .preds = preds_of(f->arena, func)};
    Places places = places_of(f->arena, func);
    s.head = block_heads(f->arena, func, &s.preds);
    s.in = ARENA_ARRAY(f->arena, uint32_t *, count);
    s.out = ARENA_ARRAY(f->arena, uint32_t *, count);
    f->writes = follow_table(f->arena, count);
    f->slot_shared = ARENA_ARRAY(f->arena, bool, slots);
    f->slot_stale = ARENA_ARRAY(f->arena, bool, slots);
    f->slot_versions = ARENA_ARRAY(f->arena, const uint32_t *, (size_t)count + 1);
    for (uint32_t x = 0; x < slots; x++) {
        uint32_t object = 1 + f->slots.at[x].slot;
        f->slot_shared[x] = object >= places.shared.count || places.shared.at[object];
    }
    for (uint32_t n = 0; n < count; n++) {
        f->writes[n] = written_by(func, &places, n);
        if (s.head[n] != n) continue;
        s.in[n] = ARENA_ARRAY(f->arena, uint32_t, slots);
        s.out[n] = ARENA_ARRAY(f->arena, uint32_t, slots);
        for (uint32_t x = 0; x < slots; x++) s.in[n][x] = s.out[n][x] = UNSEEN;
    }
    solve(&s);
    write_rows(&s);
}

// ---- The last SSA form

// Finds writes of the source form that are not in the last SSA form, to slots that this form does
// not mention but in stores.
static void find_stale(Follower *f, const Func *ssa) {
    Bits there = bits_new(f->arena, f->source_nodes);
    Bits mentioned = bits_new(f->arena, ssa->slots.count);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        if (f->position[n] != NO_ID && instr_effects(instr) & MAY_WRITE)
            bits_add(&there, f->position[n]);
        if ((instr->kind == I_OP && instr->op == OP_ADDR_SLOT) ||
            (instr_has_address(instr) && instr->base == BASE_SLOT &&
             instr_effects(instr) & MAY_READ))
            bits_add(&mentioned, instr->ref);
    }
    for (uint32_t n = 0; n < f->source_nodes; n++) {
        uint32_t write = f->writes[n];
        if (write == WRITES_NOTHING || write == WRITES_SHARED || bits_has(&there, n)) continue;
        for (uint32_t x = 0; x < f->slots.count; x++)
            if (touches(f, write, x) && !bits_has(&mentioned, f->slots.at[x].slot))
                f->slot_stale[x] = true;
    }
}

// Operators and loads float; what else there is stays in its place.
void follow_anchors(Follower *f, const Func *ssa) {
    uint32_t count = ssa->nodes.count;
    if (!f->slots.count) return;
    Preds preds = preds_of(f->arena, ssa);
    find_stale(f, ssa);
    f->anchor = follow_table(f->arena, count);
    for (uint32_t n = count; n-- > 0;) {
        const Instr *instr = &ssa->nodes.at[n];
        bool floats = instr->kind == I_OP || instr->kind == I_LOAD;
        uint32_t next = instr->succ_count == 1 ? instr->succ[0].i : NO_ID;
        bool goes_on =
            floats && next != NO_ID && next > n && continues_block(ssa, &preds, (Node){next});
        f->anchor[n] = goes_on ? f->anchor[next] : floats ? NO_ID : f->position[n];
    }
}

// ---- Machine code

// An instruction that may write slots: the number of its node, which grows along a block.
typedef struct {
    uint32_t at, number, write;
} SlotWriter;

typedef struct {
    Follower *f;
    const Func *func;
    const uint32_t *site, *told;
    VEC(SlotWriter) writers; // of the block at hand
    uint32_t *least;         // per writer: the least number of it and those behind it
    uint32_t next, most; // the first writer that is not done; the greatest number of those that are
    bool *known;         // per slot, at the instruction at hand
    bool *partial;       // per slot: it is not known everywhere
    DebugSpan *open;     // per slot; of no instruction if `first` is NO_ID
    VEC(DebugSpan) * spans; // per slot
} SlotSearch;

static void find_writers(SlotSearch *s, const MachBlock *block) {
    const Follower *f = s->f;
    vec_clear(&s->writers);
    s->next = s->most = 0;
    for (uint32_t at = block->first; at < block->first + block->count; at++) {
        const MachInstr *instr = mach_at(s->func, at);
        if (!(mach_effects(instr) & (MAY_WRITE | MAY_WRITE_SHARED)) || s->site[at] == NO_ID)
            continue;
        uint32_t position = f->ssa.position[s->site[at]];
        uint32_t write = position == NO_ID ? WRITES_ALL : f->writes[position];
        if (write != WRITES_NOTHING)
            vec_push(f->arena, &s->writers,
                     (SlotWriter){.at = at, .number = f->ssa.number[s->site[at]], .write = write});
    }
    s->least = follow_table(f->arena, s->writers.count);
    for (uint32_t i = s->writers.count; i-- > 0;)
        s->least[i] =
            s->writers.at[i].number < s->least[i + 1] ? s->writers.at[i].number : s->least[i + 1];
}

// Slots whose stores have changed sides with an instruction are not known there.
static void forget_moved(SlotSearch *s, uint32_t at, uint32_t number) {
    for (; s->next < s->writers.count && s->writers.at[s->next].at < at; s->next++)
        if (s->writers.at[s->next].number > s->most) s->most = s->writers.at[s->next].number;
    if (s->most <= number && s->least[s->next] >= number) return; // as is most often so
    for (uint32_t i = 0; i < s->writers.count; i++) {
        const SlotWriter *w = &s->writers.at[i];
        if (w->at == at || w->number == number || (w->at < at) == (w->number < number)) continue;
        for (uint32_t x = 0; x < s->f->slots.count; x++)
            if (touches(s->f, w->write, x)) s->known[x] = false;
    }
}

static void compare_versions(SlotSearch *s, uint32_t at) {
    const Follower *f = s->f;
    uint32_t anchor = f->anchor[s->site[at]];
    const uint32_t *now = anchor == NO_ID ? NULL : f->slot_versions[anchor];
    const uint32_t *wanted = f->slot_versions[s->told[at]];
    for (uint32_t x = 0; x < f->slots.count; x++)
        s->known[x] = now && wanted && now[x] == wanted[x] && !f->slot_stale[x];
}

static void tell(SlotSearch *s, uint32_t at) {
    Follower *f = s->f;
    for (uint32_t x = 0; x < f->slots.count; x++) {
        DebugSpan *open = &s->open[x];
        if (s->known[x]) {
            if (open->first == NO_ID) open->first = at;
            open->last = at;
        } else {
            s->partial[x] = true;
            if (open->first != NO_ID) vec_push(f->arena, &s->spans[x], *open);
            open->first = NO_ID;
        }
    }
}

static void tell_block(SlotSearch *s, const MachBlock *block) {
    const Follower *f = s->f;
    find_writers(s, block);
    for (uint32_t at = block->first; at < block->first + block->count; at++) {
        if (s->site[at] != NO_ID && s->told[at] != NO_ID) {
            compare_versions(s, at);
            forget_moved(s, at, f->ssa.number[s->site[at]]);
        }
        tell(s, at);
    }
}

static void collect(SlotSearch *s, uint32_t x) {
    Follower *f = s->f;
    DebugSlot *slot = &f->slots.at[x];
    uint32_t where = f->debug->variables.at[slot->variable].where;
    if (!s->partial[x] || where != DEBUG_IN_SLOT) return;
    if (s->open[x].first != NO_ID) vec_push(f->arena, &s->spans[x], s->open[x]);
    slot->partial = true;
    for (uint32_t i = 0; i < s->spans[x].count; i++) {
        DebugSpan span = s->spans[x].at[i];
        span.instance = slot->instance;
        span.variable = slot->variable;
        span.term_at = f->code.terms.count;
        span.term_count = 1;
        vec_push(
            f->arena, &f->code.terms,
            (DebugTerm){.kind = PUSH_SLOT, .type = TYPE_I64, .ref = slot->slot, .place = NO_PLACE});
        vec_push(f->arena, &f->code.spans, span);
    }
}

void follow_slots(Follower *f, const Func *func, const uint32_t *site, const uint32_t *told) {
    uint32_t count = f->slots.count;
    if (!count) return;
    SlotSearch s = {.f = f,
                    .func = func,
                    .site = site,
                    .told = told,
                    .known = ARENA_ARRAY(f->arena, bool, count),
                    .partial = ARENA_ARRAY(f->arena, bool, count),
                    .open = ARENA_ARRAY(f->arena, DebugSpan, count),
                    .spans = arena_alloc(f->arena, count * sizeof *s.spans)};
    for (uint32_t x = 0; x < count; x++) {
        s.known[x] = !f->slot_stale[x];
        s.open[x].first = NO_ID;
    }
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) tell_block(&s, mach_block(func, b));
    for (uint32_t x = 0; x < count; x++) collect(&s, x);
}
