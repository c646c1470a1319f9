// Atomic accesses of all sizes, their results used and not used.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_int counter;
static _Atomic long long wide = 5;
static _Atomic unsigned char narrow;
static _Atomic short half = -3;
static atomic_flag flag = ATOMIC_FLAG_INIT;

__attribute__((noinline)) static int update(int n) {
    int before = atomic_fetch_add(&counter, n);
    atomic_fetch_sub_explicit(&wide, n, memory_order_relaxed);
    narrow |= (unsigned char)(1 << (n & 7));
    half ^= (short)n;
    return before + (int)atomic_fetch_and(&wide, 0xfff);
}

__attribute__((noinline)) static int maximum(_Atomic long long *at, long long value) {
    long long seen = atomic_load(at);
    int tries = 0;
    while (seen < value && !atomic_compare_exchange_weak(at, &seen, value)) tries++;
    return tries + (seen < value);
}

__attribute__((noinline)) static long long swap(long long value) {
    long long old = atomic_exchange(&wide, value);
    atomic_thread_fence(memory_order_seq_cst);
    return old - __atomic_add_fetch(&counter, 3, __ATOMIC_ACQ_REL);
}

int main(void) {
    for (int i = 0; i < 6; i++) {
        bool held = atomic_flag_test_and_set(&flag);
        int before = update(i * 5), tries = maximum(&wide, i * 300);
        printf("%d %d %d %lld\n", held, before, tries, swap(i));
        if (i % 3 == 2) atomic_flag_clear(&flag);
    }
    printf("%d %lld %d %d\n", counter, wide, narrow, half);
    return 0;
}
