// The cases of cases.def: the program runs the one whose name it is given, and lists all without an argument.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int zero = 0, one = 1, two = 2, three = 3, four = 4, minus = -1, thirty_one = 31,
                    thirty_two = 32;
static volatile int imax = INT_MAX, imin = INT_MIN;
static volatile long lone = 1, lmax = LONG_MAX, lmin = LONG_MIN;
static volatile short smax = SHRT_MAX, smin = SHRT_MIN;
static volatile unsigned short usmax = USHRT_MAX;
static volatile signed char cmax = SCHAR_MAX;
static volatile unsigned umax = UINT_MAX;
static volatile double dten = 10;
static volatile long sink;
static int plain_max = INT_MAX;
static unsigned char twos = 2;

struct rec {
    int one, in[4], last[4];
};
struct flag {
    _Bool b;
};
struct packed {
    char c;
    int x;
} __attribute__((packed));
static struct {
    int f : 3, wide : 31;
    long longer : 40;
} fields, *volatile no_fields;
static struct rec recs[2], *volatile no_rec;
static struct { struct rec r; } outer_object[2], *volatile outer = outer_object, *volatile no_outer;
static struct rec *volatile rec = recs;
static union {
    long w[8];
    char c[4];
} both_object, *volatile both = &both_object;
static struct {
    int n, none[0], data[];
} flexible_object = {0, {}, {1, 2, 3, 4}}, *volatile flexible = &flexible_object;
static int table[4], grid[2][3];
extern int unknown_size[];
int unknown_size[8];
static _Alignas(16) char bytes[64];
static int *volatile nowhere;
static double *volatile no_double;
static char *volatile no_char;
static int (*volatile no_function)(void);

static void take_rec(struct rec r) {
    sink = r.one;
}
static int no_result(int x) {
    if (!x) return 1;
}
static __attribute__((nonnull(2), noinline)) void takes_nonnull(int *a, int *b) {
    sink = a == b;
}
static __attribute__((nonnull, noinline)) void takes_all_nonnull(int *a, int *b) {
    sink = a == b;
}
static __attribute__((returns_nonnull, noinline)) int *gives_nonnull(void) {
    return nowhere;
}
static __attribute__((no_sanitize_undefined, noinline)) int excused(void) {
    return imax + one;
}
static __attribute__((no_sanitize("signed-integer-overflow"), noinline)) int
excused_overflow(void) {
    return imax + one;
}
static __attribute__((no_sanitize("shift"), noinline)) int excused_other(void) {
    return imax + one;
}
static __attribute__((no_sanitize("undefined"))) inline int excused_inline(void) {
    return imax + one;
}

#define CASE(name, ...) static __attribute__((noinline)) void case_##name(void) __VA_ARGS__
#include "cases.def"

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
#define CASE(name, ...) {#name, case_##name},
#include "cases.def"
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc < 2)
            puts(cases[i].name);
        else if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run();
    }
    return 0;
}
