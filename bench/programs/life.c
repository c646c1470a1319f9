// The game of life on a torus, a byte a cell.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 512, HEIGHT = 384 };

static unsigned char cells[2][HEIGHT][WIDTH];

static void step(unsigned char from[HEIGHT][WIDTH], unsigned char to[HEIGHT][WIDTH]) {
    for (int y = 0; y < HEIGHT; y++) {
        const unsigned char *above = from[(y + HEIGHT - 1) % HEIGHT], *row = from[y];
        const unsigned char *below = from[(y + 1) % HEIGHT];
        for (int x = 0; x < WIDTH; x++) {
            int left = x == 0 ? WIDTH - 1 : x - 1, right = x == WIDTH - 1 ? 0 : x + 1;
            int neighbours = above[left] + above[x] + above[right] + row[left] + row[right] +
                             below[left] + below[x] + below[right];
            to[y][x] = neighbours == 3 || (neighbours == 2 && row[x]);
        }
    }
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 800;
    uint32_t seed = 31, sum = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            seed = seed * 1664525 + 1013904223;
            cells[0][y][x] = (seed >> 20) % 3 == 0;
        }
    }
    for (int i = 0; i < steps; i++) step(cells[i % 2], cells[(i + 1) % 2]);
    int alive = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            alive += cells[steps % 2][y][x];
            sum = sum * 31 + cells[steps % 2][y][x];
        }
    }
    printf("%d %08x\n", alive, (unsigned)sum);
    return 0;
}
