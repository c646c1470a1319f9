// The Mandelbrot set: how long each point takes to escape, in a small picture.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int escape(double cx, double cy, int limit) {
    double x = 0, y = 0, xx = 0, yy = 0;
    int n = 0;
    while (n < limit && xx + yy <= 4) {
        y = 2 * x * y + cy;
        x = xx - yy + cx;
        xx = x * x;
        yy = y * y;
        n++;
    }
    return n;
}

int main(int argc, char **argv) {
    int limit = argc > 1 ? atoi(argv[1]) : 2600;
    int width = 600, height = 400;
    uint32_t sum = 0;
    long inside = 0;
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            double cx = -2.2 + 3.2 * column / width, cy = -1.1 + 2.2 * row / height;
            int n = escape(cx, cy, limit);
            if (n == limit) inside++;
            sum = sum * 31 + (uint32_t)n;
        }
    }
    printf("%ld %08x\n", inside, (unsigned)sum);
    return 0;
}
