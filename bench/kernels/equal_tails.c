// Cause 14, code size: ways through functions that end alike, with the same statements in several
// branches and cases, as programs have that were written case by case.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ORDERS = 4000 };

typedef struct {
    int kind, amount, price, region;
} Order;

typedef struct {
    long income, tax, freight;
    int orders, refused;
} Ledger;

static Order orders[ORDERS];

static int enter(Ledger *ledger, const Order *order) {
    long value = (long)order->amount * order->price;
    switch (order->kind) {
    case 0: // at home
        if (order->amount <= 0) {
            ledger->refused++;
            return -1;
        }
        ledger->tax += value * 19 / 100;
        ledger->income += value;
        ledger->orders++;
        return 1;
    case 1: // reduced
        if (order->amount <= 0) {
            ledger->refused++;
            return -1;
        }
        ledger->tax += value * 7 / 100;
        ledger->income += value;
        ledger->orders++;
        return 1;
    case 2: // abroad
        if (order->amount <= 0 || order->region == 0) {
            ledger->refused++;
            return -1;
        }
        ledger->freight += 50 + order->amount / 3;
        ledger->income += value;
        ledger->orders++;
        return 1;
    case 3: // returned
        if (order->amount >= 0) {
            ledger->refused++;
            return -1;
        }
        ledger->tax += value * 19 / 100;
        ledger->income += value;
        return 0;
    default: ledger->refused++; return -1;
    }
}

static int step_toward(int *x, int *y, int goal_x, int goal_y) {
    if (*x < goal_x) {
        *x += 1;
        *y += (goal_y > *y) - (goal_y < *y);
        return *x == goal_x && *y == goal_y;
    } else if (*x > goal_x) {
        *x -= 1;
        *y += (goal_y > *y) - (goal_y < *y);
        return *x == goal_x && *y == goal_y;
    } else if (*y != goal_y) {
        *y += (goal_y > *y) - (goal_y < *y);
        return *x == goal_x && *y == goal_y;
    }
    return 1;
}

// New orders for each round: nobody gets the same ones twice.
static void receive_orders(uint32_t *seed) {
    for (int i = 0; i < ORDERS; i++) {
        *seed = *seed * 1664525 + 1013904223;
        int kind = *seed >> 27 & 7;
        orders[i].kind = kind > 4 ? 0 : kind;
        orders[i].amount = (int)(*seed >> 20 & 127) - 20;
        orders[i].price = *seed >> 8 & 511;
        orders[i].region = *seed >> 18 & 3;
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 2800;
    uint32_t seed = 167;
    uint64_t hash = 0;
    Ledger ledger = {0};
    for (int round = 0; round < rounds; round++) {
        int entered = 0, x = 0, y = 0, moves = 1;
        receive_orders(&seed);
        for (int i = 0; i < ORDERS; i++) entered += enter(&ledger, &orders[i]);
        while (!step_toward(&x, &y, round % 1000 - 500, 300 - round % 700)) moves++;
        hash = hash * 31 + (uint64_t)entered + (uint64_t)moves;
        hash ^= (uint64_t)(ledger.income + ledger.tax * 3 + ledger.freight);
    }
    printf("%016llx %d %d\n", (unsigned long long)hash, ledger.orders, ledger.refused);
    return 0;
}
