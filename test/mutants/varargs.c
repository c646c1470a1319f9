// Lists of arguments of every class, more of them than there are registers, copied and handed on.
#include <stdarg.h>
#include <stdio.h>

typedef struct {
    int a;
    double b;
} Pair;
typedef struct {
    long v[4];
} Large;

__attribute__((noinline)) static double sum_list(const char *kinds, va_list list) {
    double sum = 0;
    for (; *kinds; kinds++) {
        if (*kinds == 'i') sum += va_arg(list, int);
        if (*kinds == 'l') sum += (double)va_arg(list, long);
        if (*kinds == 'd') sum += va_arg(list, double);
        if (*kinds == 'p') {
            Pair pair = va_arg(list, Pair);
            sum += pair.a * pair.b;
        }
        if (*kinds == 'L') {
            Large large = va_arg(list, Large);
            sum += (double)(large.v[0] + large.v[3]);
        }
    }
    return sum;
}

__attribute__((noinline)) static double sum(int times, const char *kinds, ...) {
    va_list list, again;
    double total = 0;
    va_start(list, kinds);
    for (int i = 0; i < times; i++) {
        va_copy(again, list);
        total += sum_list(kinds, again) * (i + 1);
        va_end(again);
    }
    va_end(list);
    return total;
}

int main(void) {
    Pair pair = {3, 1.5};
    Large large = {{10, 20, 30, 40}};
    printf("%g\n", sum(1, "iii", 1, 2, 3));
    printf("%g\n", sum(2, "iidlidlid", 1, 2, 2.5, 3L, 4, 4.5, 5L, 6, 6.5));
    printf("%g\n", sum(3, "ppLdp", pair, pair, large, 0.25, pair));
    printf("%g\n", sum(2, "ddddddddddi", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11));
    return 0;
}
