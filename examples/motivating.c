// The motivating example of Herklotz et al. (docs/papers.md), section 2, in C; motivating.rtl is the same
// program by hand. Run with a number to choose n; f(10) is 74.
#include <stdio.h>
#include <stdlib.h>

static int f(int n) {
    int x = 1;
    for (int i = 1; i < n; i++)
        if (x < 9) x = x + 2;
        else if (x > 50) x = x + 1;
        else x = 2 * x;
    return x;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    printf("f(%d) = %d\n", n, f(n));
    return 0;
}
