// Instructions that few programs have: rotations, minima, long double, jumps out of functions, atomic accesses, copies.
#include <stddef.h>
#include <stdint.h>

typedef long double Long;

uint32_t rotate_left(uint32_t a, uint32_t n) {
    return a << (n & 31) | a >> (-n & 31);
}

uint64_t rotate_right(uint64_t a, uint64_t n) {
    return a >> (n & 63) | a << (-n & 63);
}

uint32_t rotate_one(uint32_t a) {
    return a << 1 | a >> 31;
}

uint64_t rotate_back(uint64_t a) {
    return a >> 1 | a << 63;
}

uint64_t rotate_five(uint64_t a) {
    return a >> 5 | a << 59;
}

void rotate_memory(uint32_t *a) {
    *a = *a << 7 | *a >> 25;
}

float least_float(float a, float b) {
    return a < b ? a : b;
}

double least(double a, double b) {
    return a < b ? a : b;
}

float most_float(float a, float b) {
    return a > b ? a : b;
}

double most(double a, double b) {
    return a > b ? a : b;
}

Long least_long(Long a, Long b) {
    return a < b ? a : b;
}

Long most_long(Long a, Long b) {
    return a > b ? a : b;
}

Long choose_long(int c, Long a, Long b) {
    return c ? a : b;
}

Long of_numbers(int a, unsigned b, int64_t c, uint64_t d, float e, double f) {
    return a + (Long)b + c + d + e + f - 1.0L;
}

int to_int(Long a) {
    return (int)a;
}

unsigned to_unsigned(Long a) {
    return (unsigned)a;
}

int64_t to_wide(Long a) {
    return (int64_t)a;
}

uint64_t to_unsigned_wide(Long a) {
    return (uint64_t)a;
}

int64_t divide(int64_t a, int64_t b, uint64_t c, int d) {
    return a / b + a % d + (int64_t)(c / (uint64_t)b) + d / (int)b;
}

float narrow(double a, float b, int64_t c) {
    return (float)a + b + (float)c;
}

float to_float(Long a) {
    return (float)a;
}

double to_double(Long a) {
    return (double)a;
}

Long root(Long a) {
    return __builtin_sqrtl(__builtin_fabsl(-a)) * a / (a + 3.0L);
}

double roots(double a, float b) {
    return __builtin_sqrt(a) + __builtin_sqrtf(b);
}

uint64_t from_double(double a) {
    return (uint64_t)a;
}

double to_double_wide(uint64_t a) {
    return (double)a;
}

static void *buffer[8];

int leave(void) {
    __builtin_longjmp(buffer, 1);
}

int enter(int (*f)(void)) {
    return __builtin_setjmp(buffer) ? 1 : f();
}

int bits(uint64_t a, uint32_t b) {
    return __builtin_ctzll(a) + __builtin_clz(b) + __builtin_popcountll(a) +
           (int)__builtin_bswap32(b) + (int)__builtin_bswap64(a) + __builtin_bswap16((uint16_t)b);
}

uint8_t swap(uint8_t *a, uint16_t *b, uint64_t *c) {
    __sync_fetch_and_nand(c, 5);
    __atomic_store_n(b, 3, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __sync_bool_compare_and_swap(b, 3, 4);
    return (uint8_t)(__atomic_exchange_n(a, 1, __ATOMIC_SEQ_CST) + __atomic_fetch_add(a, 7, 0));
}

typedef struct {
    char bytes[203];
} Large;

typedef struct {
    char bytes[100];
} Middle;

void copy(Large *a, const Large *b, Large *c, int byte, Middle *d, const Middle *e) {
    *a = *b;
    *d = *e;
    *c = (Large){{0}};
    __builtin_memset(a + 1, byte, 100);
}

int many(int a, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, a);
    double b = __builtin_va_arg(list, double);
    Long c = __builtin_va_arg(list, Long);
    Large d = __builtin_va_arg(list, Large);
    __builtin_va_end(list);
    return a + (int)b + (int)c + d.bytes[a];
}

int sparse(int a) {
    switch (a) {
    case 1: return bits(3, 4);
    case 2: return to_int(5.0L);
    case 3: return 17;
    case 4: return enter(leave);
    case 6: return 1 - a;
    case 7: return a - 0x1234567;
    default: return 0;
    }
}

_Thread_local int own;
extern _Thread_local int other;
extern int (*handler)(int);

int threads(int a) {
    own += a;
    other -= own;
    return handler(own);
}
