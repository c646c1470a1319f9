// What test/unit/history_mach.c says of machine code is said of these functions. Each is there for a remark.
extern int g(int);
extern long f(long, long);
extern void h(void);
int table[100];

// Selects, etas, registers that are shared.
int sum(const int *a, int n, int c) {
    int s = 0, best = -1;
    for (int i = 0; i < n; i++) {
        int v = a[i];
        if (v > best) best = v;
        if (c)
            s += v * 3;
        else
            s -= v;
    }
    int r;
    if (c)
        r = s + 1;
    else
        r = s - 1;
    return g(r) + best;
}

// Loads and stores that are one instruction with what is computed.
int update(int x, int *p) {
    table[x]++;
    *p += x;
    return x > 3 ? table[x + 1] : 7;
}

// More values than registers, and calls that destroy some.
long many(long a, long b, long c, long d, long e, long *p) {
    long t0 = p[0], t1 = p[1], t2 = p[2], t3 = p[3], t4 = p[4];
    long t5 = p[5], t6 = p[6], t7 = p[7], t8 = p[8], t9 = p[9];
    long s = 0;
    for (int i = 0; i < 10; i++) {
        s += f(t0 + i, t1) * t2 + t3 * t4 - t5;
        t6 ^= s;
        t7 += t6 * t8;
        t9 -= t7 ^ a;
        b += c * t9;
    }
    if (d) h();
    return s + t6 + t7 + t9 + b + e + t0 * t1 / t2;
}

// Copies that go round.
void swap(int n, int *p) {
    int a = 1, b = 2;
    while (n--) {
        int t = a;
        a = b;
        b = t;
        p[n] = a;
    }
    *p = b;
}

// One order is better than another.
int order(int a, int b) {
    int r;
    if (__builtin_add_overflow(a, b, &r)) __builtin_trap();
    return r;
}

long last(long x) {
    return f(x, 3);
}

double scale(double x, float *q) {
    q[2] += 1.5f;
    return x * 2.5 + q[3];
}

// ---- What is not done

static int large(int x) {
    for (int i = 0; i < x; i++) {
        x ^= g(i);
        x += i * 3;
        if (x > 100) x = g(x) + g(x + 1) + g(x + 2) + g(x + 3) + g(x + 4) + g(x + 5) + g(x + 6);
    }
    return x + g(x) * g(x + 1);
}

static int medium(int x) {
    return g(x) * 3 + g(x + 1) * 5 + g(x + 2) * 7;
}

__attribute__((noinline)) static int never(int x) {
    return g(x) + 1;
}

static int rest(int n, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int r = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return r;
}

static int odd(int n);
static int even(int n) {
    return n == 0 ? 1 : odd(n - 1);
}
static int odd(int n) {
    return n == 0 ? 0 : even(n - 1);
}

int again(int n) {
    return n < 2 ? 1 : n * again(n - 1);
}

int kept(int a, int (*called)(int), double *d, int *q) {
    int r = large(a) + large(a + 1) + medium(a) + never(a) + rest(2, a) + even(a) + called(a);
    for (int i = 0; i < 4; i++) r += medium(i);
    double m;
    if (a > 3)
        m = *d;
    else
        m = 2;
    int z;
    if (a)
        z = *q;
    else
        z = 3;
    return r + (int)m + z + again(a);
}
