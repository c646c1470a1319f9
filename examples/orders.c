// A function that does several things at once, for gate slice: it checks orders, prices them, counts what is late
// and keeps a log. Questions about one of these things are answered by the part of it that matters.
#include <stdio.h>

enum kind { GOODS, SERVICE, VOUCHER };

struct order {
    enum kind kind;
    int quantity, cents, days;
};

#define LOG(...) fprintf(stderr, __VA_ARGS__)
#define REQUIRE(condition)                                                                         \
    if (!(condition)) goto invalid

int price(const struct order *orders, int count, int limit, int *late) {
    int total = 0, tax = 0, skipped = 0;
    int waiting = 0, overdue = 0;

    // Go through all orders until the budget is used up.
    for (int i = 0; i < count; i++) {
        const struct order *order = &orders[i];
        int net = order->quantity * order->cents;
        REQUIRE(order->quantity > 0);

        // How long customers have to wait.
        waiting += order->days;
        if (order->days > 14) {
            LOG("order %d is late\n", i);
            overdue++;
        }

        switch (order->kind) {
        case GOODS:
            tax += net * 19 / 100;
            break;
        case SERVICE:
            tax += net * 7 / 100;
            break;
        case VOUCHER:
            skipped++; /* neither tax nor revenue */
            continue;
        }
        if (total + net > limit) {
            LOG("the budget ends with order %d\n", i);
            break;
        }
        total += net;
    }
    if (waiting > 100) LOG("%d days of waiting\n", waiting);
    if (skipped) LOG("%d vouchers\n", skipped);
    *late = overdue;
    return total + tax;

invalid:
    LOG("an order is invalid\n");
    return -1;
}

int main(void) {
    struct order orders[] = {{GOODS, 2, 500, 3}, {SERVICE, 1, 900, 20}, {VOUCHER, 1, 100, 1}};
    int late = 0;
    int sum = price(orders, 3, 5000, &late);
    printf("%d %d\n", sum, late);
    return 0;
}
