// Cause 7, recursion: functions that call themselves several times, with few and with many
// arguments, and two that call each other.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int stairs(int steps) {
    if (steps < 2) return 1;
    return stairs(steps - 1) + stairs(steps - 2);
}

// Ways to walk in a grid from one corner to the other without the cells on a pattern.
static int walks(int x, int y, int width, int height, unsigned blocked) {
    if (x == width && y == height) return 1;
    int count = 0;
    if (x < width && !(blocked >> ((x + 1) * 3 + y) % 31 & 1))
        count += walks(x + 1, y, width, height, blocked);
    if (y < height && !(blocked >> (x * 3 + y + 1) % 31 & 1))
        count += walks(x, y + 1, width, height, blocked);
    return count;
}

static int subsets(const int *weight, int count, int room) {
    if (room < 0) return 0;
    if (count == 0) return 1;
    return subsets(weight + 1, count - 1, room) + subsets(weight + 1, count - 1, room - *weight);
}

static int best_reply(int stones, int depth);

static int best_move(int stones, int depth) {
    if (stones <= 0) return -10 + depth;
    int best = -100;
    for (int taken = 1; taken <= 3; taken++) {
        int score = best_reply(stones - taken, depth + 1);
        if (score > best) best = score;
    }
    return best;
}

static int best_reply(int stones, int depth) {
    if (stones <= 0) return 10 - depth;
    int worst = 100;
    for (int taken = 1; taken <= 4; taken++) {
        int score = best_move(stones - taken, depth + 1);
        if (score < worst) worst = score;
    }
    return worst;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 260;
    static const int weight[] = {3, 5, 8, 9, 11, 14, 17, 20, 21, 25, 26, 30, 33, 37, 40};
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        hash = hash * 31 + (uint64_t)stairs(22 + round % 3);
        hash += (uint64_t)walks(0, 0, 9, 9, 0x08010200u << round % 3);
        hash = hash * 31 + (uint64_t)subsets(weight, 15, 120 + round * 7);
        hash += (uint64_t)(best_move(13 + round % 4, 0) + 100);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
