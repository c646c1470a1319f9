// Functions that are chosen when the program is loaded: by several names, in calls, as addresses and in tables.
// The unit is what gatecc compiles; with -DDRIVER it is the program around it.
#include <stdio.h>
#include <stdlib.h>

typedef int Operation(int);
extern Operation first, again, direct;
extern Operation *table[4], *const fixed;
Operation *address(int n), *resolved(int n);

#ifndef DRIVER
static int one(int n) {
    return n + 1;
}
static int two(int n) {
    return 2 * n;
}

static Operation *choose_one(void) {
    return one;
}
static Operation *choose_two(void) {
    return two;
}

int first(int n) __attribute__((ifunc("choose_one")));
static int second(int n) __attribute__((ifunc("choose_two")));
int third(int n) __attribute__((ifunc("choose_two"), visibility("hidden")));
int again(int n) __attribute__((alias("first")));

Operation *table[4] = {first, second, third, again}, *const fixed = second;

int direct(int n) {
    return first(n) + 10 * second(n) + 100 * third(n) + 1000 * again(n);
}
Operation *address(int n) {
    return n ? second : third;
}
Operation *resolved(int n) {
    return n ? choose_one() : choose_two();
}
#else
int main(int count, char **words) {
    int n = count > 1 ? atoi(words[1]) : 3;
    printf("%d %d %d %d\n", direct(n), table[n & 3](n), fixed(n), address(n & 1)(n));
    printf("%d %d %d\n", first(n), again(n), resolved(n & 1)(n));
    return 0;
}
#endif
