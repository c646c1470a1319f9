#!/bin/sh
# A variable in memory is not shown where the order of the code has its stores on other sides of a line than the source: what gdb
# prints of optimized code is what the variables have at that line at -O0. And gdb-compare notices what is wrong.
set -eu
cat >stores.c <<'C'
volatile int sink;
__attribute__((noinline)) void see(int *p) { sink += *p; }
int g[16];
__attribute__((noinline)) int work(int a, int b, int *q) {
    int s0 = 73;
    int s1 = 10;
    int s2 = 62;
    int s3 = 97;
    see(&s0);
    see(&s1);
    see(&s2);
    see(&s3);
    g[6] = ((b | s3) + b);
    q[6] = ((35 | s2) * s2);
    q[4] = ((a * s0) + s3);
    int t3 = (a & 42);
    int t4 = (b & s2);
    s2 = ((41 * s2) + t4);
    s2 = ((t4 ^ t3) + t3);
    q[6] = ((s0 * s2) ^ s2);
    q[7] = (s3 - b);
    g[4] = ((s2 + s3) ^ 13);
    s2 = ((t3 + b) * s3);
    int t11 = (27 & s3);
    int t12 = ((s2 * s2) - 40);
    s2 = (t12 | s1);
    int t14 = ((s3 ^ 12) + t12);
    q[6] = (38 + 10);
    q[5] = ((s1 ^ t4) * 44);
    q[2] = ((s3 | b) ^ b);
    t4 += a;
    int t19 = ((t3 - 29) ^ t11);
    int t20 = ((t11 * a) * t19);
    int t21 = (3 | s0);
    g[3] = (t3 * a);
    q[2] = ((t12 + s0) - t19);
    q[6] = ((t20 + s1) * t20);
    q[0] = ((t4 | t3) - t4);
    int t26 = (t21 ^ t12);
    g[4] = ((s2 & t26) - s1);
    return a ^ b ^ t3 ^ t4 ^ t11 ^ t12 ^ t14 ^ t19 ^ t20 ^ t21 ^ t26 ^ s0 ^ s1 ^ s2 ^ s3;
}
int main(void) {
    sink = work(3, 5, g + 4);
    return 0;
}
C
"$ROOT/tools/gdb-compare" --gatecc "$BUILT/bin/gatecc -fwrapv" --stops 2 --bar 80 stores.c >out || { cat out; exit 1; }
awk '$1 == "all" && $6 == 0 && $7 == 0 { good = 1 } END { exit !good }' out || { cat out; exit 1; }
# gcc -O1's own are wrong in places, which the same comparison has to see.
awk '$1 == "stores" && $9 > 0 { good = 1 } END { exit !good }' out || { cat out; exit 1; }
