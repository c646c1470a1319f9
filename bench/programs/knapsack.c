// Dynamic programming over sums: the 0/1 knapsack, ways to give change, the cheapest order of a
// chain of matrix products.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 200, CAPACITY = 20000, CHAIN = 160 };

static int knapsack(const int *weight, const int *value) {
    static int best[CAPACITY + 1];
    for (int i = 0; i <= CAPACITY; i++) best[i] = 0;
    for (int item = 0; item < ITEMS; item++) {
        for (int room = CAPACITY; room >= weight[item]; room--) {
            int with = best[room - weight[item]] + value[item];
            if (with > best[room]) best[room] = with;
        }
    }
    return best[CAPACITY];
}

static uint64_t ways_of_change(const int *coins, int count) {
    static uint64_t ways[CAPACITY + 1];
    ways[0] = 1;
    for (int i = 1; i <= CAPACITY; i++) ways[i] = 0;
    for (int coin = 0; coin < count; coin++)
        for (int sum = coins[coin]; sum <= CAPACITY; sum++) ways[sum] += ways[sum - coins[coin]];
    return ways[CAPACITY];
}

static long chain_cost(const int *size) {
    static long cost[CHAIN][CHAIN];
    for (int i = 0; i < CHAIN; i++) cost[i][i] = 0;
    for (int length = 2; length < CHAIN; length++) {
        for (int i = 1; i + length - 1 < CHAIN; i++) {
            int k = i + length - 1;
            long best = -1;
            for (int split = i; split < k; split++) {
                long sum =
                    cost[i][split] + cost[split + 1][k] + (long)size[i - 1] * size[split] * size[k];
                if (best < 0 || sum < best) best = sum;
            }
            cost[i][k] = best;
        }
    }
    return cost[1][CHAIN - 1];
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 80;
    static const int coins[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
    int weight[ITEMS], value[ITEMS], size[CHAIN];
    uint32_t seed = 29;
    uint64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < ITEMS; i++) {
            seed = seed * 1664525 + 1013904223;
            weight[i] = 20 + (int)(seed >> 10) % 400;
            value[i] = 1 + (int)(seed >> 20) % 1000;
        }
        for (int i = 0; i < CHAIN; i++) size[i] = weight[i] / 4;
        sum = sum * 31 + (uint64_t)knapsack(weight, value);
        sum += ways_of_change(coins, (int)(sizeof coins / sizeof *coins));
        sum ^= (uint64_t)chain_cost(size);
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
