#include <stdarg.h>
int printf(const char *, ...);
extern int elsewhere(int), other(int);
int counter = 5;
static int hidden[4] = {1, 2, 3, 4};
const int fixed[3] = {7, 8, 9};
int *const pointer = &hidden[2];
__thread int own = 3;
int common_one;
__attribute__((weak)) int weak_one(void) {
    return 1;
}
__attribute__((constructor)) static void at_start(void) {
    counter++;
}
extern int alias_of(int) __attribute__((alias("plain")));
int plain(int n) {
    return n * 2 + 1;
}
int many(int a, int b) {
    int x = elsewhere(a), y = elsewhere(b);
    return elsewhere(x + y) + x * y + a - b;
}
int buffers(int n) {
    volatile int a[4], b[4];
    for (int i = 0; i < 4; i++) a[i] = n, b[i] = n + 1;
    return a[n & 3] + b[n & 1];
}
int choose(int n) {
    switch (n) {
    case 0: return elsewhere(4);
    case 1: return other(9);
    case 2: return elsewhere(1);
    case 3: return other(7);
    case 4: return elsewhere(2);
    case 5: return other(3);
    default: return 0;
    }
}
double scaled(double x) {
    return x * 2.5;
}
int data(int k) {
    return hidden[k] + *pointer + fixed[k] + own + common_one;
}
int rest(int n, ...) {
    va_list list;
    va_start(list, n);
    int k = va_arg(list, int);
    va_end(list);
    return k;
}
int texts(int n) {
    return n + printf("text %d\n", n);
}
