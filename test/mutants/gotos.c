// Control without structure: two entries into a loop, jumps into and out of it, addresses of labels.
#include <stdio.h>

__attribute__((noinline)) static int knot(int a, int b) {
    int n = 0;
    if (a > b) goto second;
first:
    a += 3;
    if (++n > 20) return a - b;
second:
    b += 5;
    n++;
    if ((a ^ b) & 4) goto first;
    if (a < 50) {
        a += b & 7;
        goto second;
    }
    return a * 1000 + b + n;
}
__attribute__((noinline)) static int threaded(const unsigned char *code) {
    static void *const where[] = {&&stop, &&add, &&twice, &&back};
    int x = 1, turns = 0;
    const unsigned char *at = code;
    goto *where[*at];
add:
    x += 3;
    goto *where[*++at];
twice:
    x *= 2;
    goto *where[*++at];
back:
    if (++turns < 3) at = code - 1;
    goto *where[*++at];
stop:
    return x;
}
__attribute__((noinline)) static int leave(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0;; k++) {
            if (k * i > 12) goto out;
            if (k > i) break;
            sum += k + i * 2;
        }
    sum += 1000;
out:
    return sum;
}

int main(void) {
    static const unsigned char one[] = {1, 2, 1, 3, 2, 0}, two[] = {2, 2, 1, 0};
    for (int i = 0; i < 6; i++) printf("%d %d\n", knot(i, 3), leave(i));
    printf("%d %d\n", threaded(one), threaded(two));
    return 0;
}
