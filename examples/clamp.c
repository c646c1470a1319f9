// Short branches become selects: gate show gsa --after=if_convert clamp.c
#include <stdio.h>

static int clamp(int x, int low, int high) {
    if (x < low) x = low;
    if (x > high) x = high;
    return x;
}

static int distance(int a, int b) {
    return a < b ? b - a : a - b;
}

int main(void) {
    for (int i = -2; i < 8; i++) printf("%d %d\n", clamp(i, 0, 5), distance(i, 3));
    return 0;
}
