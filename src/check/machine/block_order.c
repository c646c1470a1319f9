#include "check/machine/block_order.h"

#include "base/bits.h"

OrderCheck block_order_new(Arena *arena, uint32_t place_count) {
    return (OrderCheck){.arena = arena, .setter = ARENA_ARRAY(arena, uint32_t, place_count)};
}

#define ORDER_ACCEPTED ((OrderVerdict){.reason = NULL})

static OrderVerdict refused(uint32_t at, const char *reason) {
    return (OrderVerdict){.reason = reason, .at = at};
}

static OrderVerdict check_permutation(Arena *arena, const OrderOps *ops, const uint32_t *order) {
    uint32_t count = ops->ops.count;
    Bits taken = bits_new(arena, count);
    for (uint32_t at = 0; at < count; at++)
        if (order[at] >= count || !bits_put(&taken, order[at]))
            return refused(at, "not every operation of the block is there once");
    return ORDER_ACCEPTED;
}

// ---- Places

// The setter of a place: none in the block, an operation that has destroyed it, or, from here on,
// operations.
enum { AT_START, DESTROYED, FIRST_OP };

static void execute(OrderCheck *check, const OrderOps *ops, uint32_t i) {
    const OrderOp *op = &ops->ops.at[i];
    const uint32_t *place = ops->places.at + op->places + op->reads;
    for (uint32_t k = 0; k < op->losses; k++) check->setter[place[k]] = DESTROYED;
    for (uint32_t k = 0; k < op->sets; k++) check->setter[place[op->losses + k]] = FIRST_OP + i;
}

// So that the next walk starts afresh.
static void forget(OrderCheck *check, const OrderOps *ops) {
    for (uint32_t k = 0; k < ops->places.count; k++) check->setter[ops->places.at[k]] = AT_START;
}

static void walk_old(OrderCheck *check, const OrderOps *ops) {
    if (ops->places.count > check->capacity) {
        check->capacity = 2 * ops->places.count;
        check->given = ARENA_ARRAY(check->arena, uint32_t, check->capacity);
    }
    for (uint32_t i = 0; i < ops->ops.count; i++) {
        const OrderOp *op = &ops->ops.at[i];
        for (uint32_t k = op->places; k < op->places + op->reads; k++)
            check->given[k] = check->setter[ops->places.at[k]];
        execute(check, ops, i);
    }
    for (uint32_t i = 0; i < ops->ops.count; i++) {
        const OrderOp *op = &ops->ops.at[i];
        uint32_t k = op->places + op->reads, end = k + op->losses + op->sets;
        for (; k < end; k++) check->given[k] = check->setter[ops->places.at[k]];
    }
    forget(check, ops);
}

static bool is_given(const OrderCheck *check, const OrderOps *ops, uint32_t k) {
    return check->given[k] == DESTROYED || check->given[k] == check->setter[ops->places.at[k]];
}

static OrderVerdict walk_new(OrderCheck *check, const OrderOps *ops, const uint32_t *order) {
    uint32_t count = ops->ops.count;
    for (uint32_t at = 0; at < count; at++) {
        const OrderOp *op = &ops->ops.at[order[at]];
        for (uint32_t k = op->places; k < op->places + op->reads; k++)
            if (!is_given(check, ops, k)) return refused(at, "it reads what another one has set");
        execute(check, ops, order[at]);
    }
    for (uint32_t at = 0; at < count; at++) {
        const OrderOp *op = &ops->ops.at[order[at]];
        uint32_t k = op->places + op->reads, end = k + op->losses + op->sets;
        for (; k < end; k++)
            if (!is_given(check, ops, k))
                return refused(at, "a place that it sets is left with another value");
    }
    return ORDER_ACCEPTED;
}

static OrderVerdict check_places(OrderCheck *check, const OrderOps *ops, const uint32_t *order) {
    walk_old(check, ops);
    OrderVerdict verdict = walk_new(check, ops, order);
    forget(check, ops);
    return verdict;
}

// ---- Traits

// Met operations are counted from 1, so that 0 is none: a met operation with a larger number than
// the present one came later in the old order, and has been exchanged with it.
static OrderVerdict check_traits(const OrderOps *ops, const uint32_t *order) {
    uint32_t latest[ORDER_SETS] = {0};
    for (uint32_t at = 0; at < ops->ops.count; at++) {
        uint32_t number = order[at] + 1;
        Order now = ops->ops.at[order[at]].order;
        for (Order met = 0; met < ORDER_SETS; met++) {
            if (latest[met] <= number || !(order_needs(met, now) || order_spoils(met, now)))
                continue;
            return refused(at, (met | now) & ORDER_BARRIER
                                   ? "it has left its side of what everything stays on its side of"
                                   : "something has passed it that has to wait for it");
        }
        if (latest[now] < number) latest[now] = number;
    }
    return ORDER_ACCEPTED;
}

// ---- Memory

// The latest access that was met, and the latest access of another group.
typedef struct {
    uint32_t first, group, other;
} Latest;

static void latest_add(Latest *latest, uint32_t group, uint32_t number) {
    if (group == latest->group || latest->first == 0) {
        latest->group = group;
        if (number > latest->first) latest->first = number;
    } else if (number > latest->first) {
        *latest = (Latest){.first = number, .group = group, .other = latest->first};
    } else if (number > latest->other) {
        latest->other = number;
    }
}

// Of groups other than one.
static uint32_t latest_other(const Latest *latest, uint32_t group) {
    return group == latest->group ? latest->other : latest->first;
}

// For accesses that read and accesses that change.
typedef struct {
    Latest touch[2];
} Touched;

static const Order touches[] = {ORDER_READS, ORDER_CHANGES};

typedef struct {
    Arena *arena;
    Touched *objects; // by object
    Touched shared;   // all objects that are shared, but OBJECT_ANY
    Map at;           // a byte of a group -> index of
    VEC(Touched) bytes;
} MetMemory;

static bool may_pass(Order later, Order earlier) {
    return !order_needs(later, earlier) && !order_spoils(later, earlier);
}

// Whether a met access of another group was later and must not have passed this one.
static bool is_passed(const Touched *met, Order touch, uint32_t group, uint32_t number) {
    for (uint32_t t = 0; t < 2; t++)
        if (!may_pass(touches[t], touch) && latest_other(&met->touch[t], group) > number)
            return true;
    return false;
}

static void note_met(Touched *met, Order touch, uint32_t group, uint32_t number) {
    for (uint32_t t = 0; t < 2; t++)
        if (touch & touches[t]) latest_add(&met->touch[t], group, number);
}

static uint64_t byte_key(const OrderAccess *access, uint32_t byte) {
    return (uint64_t)access->group << 32 | ((uint32_t)access->at + byte);
}

// Each byte is an object of its own among accesses of one group, for which there is one group.
static bool byte_is_passed(const MetMemory *memory, const OrderAccess *access, uint32_t number) {
    for (uint32_t k = 0; k < access->size; k++) {
        uint32_t at = map_get(&memory->at, byte_key(access, k));
        if (at != HASH_NONE && is_passed(&memory->bytes.at[at], access->touch, NO_ID, number))
            return true;
    }
    return false;
}

static void note_bytes(MetMemory *memory, const OrderAccess *access, uint32_t number) {
    for (uint32_t k = 0; k < access->size; k++) {
        uint32_t at = map_get(&memory->at, byte_key(access, k));
        if (at == HASH_NONE) {
            at = memory->bytes.count;
            vec_push(memory->arena, &memory->bytes, (Touched){0});
            map_set(memory->arena, &memory->at, byte_key(access, k), at);
        }
        note_met(&memory->bytes.at[at], access->touch, access->group, number);
    }
}

static bool access_is_passed(const MetMemory *memory, const OrderAccess *x, uint32_t number) {
    if (is_passed(&memory->objects[x->object], x->touch, x->group, number)) return true;
    if (byte_is_passed(memory, x, number)) return true;
    if (x->object == OBJECT_ANY) return is_passed(&memory->shared, x->touch, NO_ID, number);
    return x->shared && is_passed(&memory->objects[OBJECT_ANY], x->touch, NO_ID, number);
}

static void note_access(MetMemory *memory, const OrderAccess *x, uint32_t number) {
    note_met(&memory->objects[x->object], x->touch, x->group, number);
    if (x->object != OBJECT_ANY && x->shared) note_met(&memory->shared, x->touch, x->group, number);
    note_bytes(memory, x, number);
}

static OrderVerdict check_memory(Arena *arena, const OrderOps *ops, const uint32_t *order) {
    MetMemory memory = {.arena = arena, .objects = ARENA_ARRAY(arena, Touched, ops->object_count)};
    for (uint32_t at = 0; at < ops->ops.count; at++) {
        const OrderOp *op = &ops->ops.at[order[at]];
        const OrderAccess *access = op->access_count ? &ops->accesses.at[op->first_access] : NULL;
        for (uint32_t k = 0; k < op->access_count; k++)
            if (access_is_passed(&memory, &access[k], order[at] + 1))
                return refused(at, "an access to the same bytes has passed it");
        for (uint32_t k = 0; k < op->access_count; k++)
            note_access(&memory, &access[k], order[at] + 1);
    }
    return ORDER_ACCEPTED;
}

OrderVerdict block_order_check(OrderCheck *check, const OrderOps *ops, const uint32_t *order) {
    OrderVerdict verdict = check_permutation(check->arena, ops, order);
    if (!verdict.reason) verdict = check_traits(ops, order);
    if (!verdict.reason) verdict = check_places(check, ops, order);
    if (!verdict.reason) verdict = check_memory(check->arena, ops, order);
    return verdict;
}
