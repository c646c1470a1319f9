// Data of threads: own and others', with and without values; tentative definitions; calls through pointers and ends by a call.
// With -DDRIVER the program around it.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern __thread int visible, zero, elsewhere;
int bump(int by), jump(int a), chain(int (*f)(int), int a),
    last(int a, int b, int c, int d, int e, int f, int g, int h);
int *where(int which), tentative_sum(void);
extern int tentative, tentative_table[5];

#ifndef DRIVER
__thread int visible = 5, zero;
static __thread struct {
    short a, b;
    const char *text;
    _Alignas(32) char room[8];
} own = {3, 4, "thread", "room"};
static __thread long own_zero[3];
int tentative, tentative_table[5];

int bump(int by) {
    visible += by, zero -= by, elsewhere ^= by, own.a += (short)by, own_zero[1] += own.b;
    return visible + zero * 3 + elsewhere * 5 + own.a * 7 + (int)own_zero[1] + own.text[1] +
           own.room[2];
}
int *where(int which) {
    return which == 0   ? &visible
           : which == 1 ? &zero
           : which == 2 ? &elsewhere
                        : (int *)(void *)own.room;
}
__attribute__((noinline)) static int step(int a) {
    return a * 5 - 1;
}
int jump(int a) {
    return step(a + 1);
}
int chain(int (*f)(int), int a) {
    return f(a);
}
int last(int a, int b, int c, int d, int e, int f, int g, int h) {
    return a - b * 2 + c * 3 - d * 4 + e * 5 - f * 6 + g * 7 - h * 8;
}
int tentative_sum(void) {
    for (int i = 0; i < 5; i++) tentative += tentative_table[i] * i;
    return tentative;
}
#else
__thread int elsewhere = 21;
static void *run(void *given) {
    int n = (int)(intptr_t)given;
    for (int i = 0; i < 4; i++) printf("%d ", bump(n + i));
    for (int i = 0; i < 3; i++) printf("%d ", *where(i));
    printf("%d %d\n", (int)((uintptr_t)where(3) % 32), *where(3));
    return NULL;
}
int main(int count, char **arguments) {
    int n = count > 1 ? atoi(arguments[1]) : 0;
    pthread_t thread;
    run((void *)(intptr_t)n);
    pthread_create(&thread, NULL, run, (void *)(intptr_t)(n + 1));
    pthread_join(thread, NULL);
    run((void *)(intptr_t)3);
    for (int i = 0; i < 5; i++) tentative_table[i] = i * n + 1;
    printf("%d %d %d %d %d\n", jump(n), chain(jump, n), last(1, n, 3, 4, 5, n, 7, 8),
           tentative_sum(), visible + zero);
    return n;
}
#endif
