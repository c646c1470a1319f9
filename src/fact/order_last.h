// Finds the operations that an operation needs by its traits (order.h), while a block is walked
// from its start. The last ones of the needed operations are enough, because these need the others.
// Changes of memory need each other, and so do chained operations. A barrier needs all operations
// since the last barrier; the caller has to add these.
#pragma once

#include "fact/order.h"

// The last operations of their kinds; NO_ID if there was none.
typedef struct {
    uint32_t change, chained, barrier;
} OrderLast;

static inline OrderLast order_last_none(void) {
    return (OrderLast){.change = NO_ID, .chained = NO_ID, .barrier = NO_ID};
}

enum { ORDER_LAST_NEEDS = 3 };

// The operations that the next operation needs; yields their number.
static inline uint32_t order_last_needs(const OrderLast *last, Order order,
                                        uint32_t needs[ORDER_LAST_NEEDS]) {
    uint32_t count = 0;
    if (last->barrier != NO_ID) needs[count++] = last->barrier;
    if (order & (ORDER_READS | ORDER_CHANGES) && last->change != NO_ID)
        needs[count++] = last->change;
    if (order & (ORDER_CHAINED | ORDER_WAITS) && last->chained != NO_ID)
        needs[count++] = last->chained;
    return count;
}

// It has come.
static inline void order_last_note(OrderLast *last, Order order, uint32_t at) {
    if (order & (ORDER_CHANGES | ORDER_BARRIER)) last->change = at;
    if (order & (ORDER_CHAINED | ORDER_BARRIER)) last->chained = at;
    if (order & ORDER_BARRIER) last->barrier = at;
}
