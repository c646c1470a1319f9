// Calls through pointers: a tree of expressions evaluated by methods, qsort with three orders, and
// numeric integration of functions from a table.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Expression Expression;
struct Expression {
    long (*evaluate)(const Expression *self, const long *variables);
    const Expression *left, *right;
    long number;
};

static long constant(const Expression *self, const long *variables) {
    (void)variables;
    return self->number;
}
static long variable(const Expression *self, const long *variables) {
    return variables[self->number];
}
static long sum(const Expression *self, const long *variables) {
    return self->left->evaluate(self->left, variables) +
           self->right->evaluate(self->right, variables);
}
static long product(const Expression *self, const long *variables) {
    return self->left->evaluate(self->left, variables) *
           self->right->evaluate(self->right, variables) % 1000003;
}
static long smaller(const Expression *self, const long *variables) {
    long a = self->left->evaluate(self->left, variables);
    long b = self->right->evaluate(self->right, variables);
    return a < b ? a : b;
}

static const Expression *make(Expression *pool, int *used, uint32_t *seed, int depth) {
    Expression *e = &pool[(*used)++];
    *seed = *seed * 1664525 + 1013904223;
    uint32_t choice = *seed >> 16;
    if (depth == 0) {
        *e = (Expression){.evaluate = choice % 2 ? constant : variable,
                          .number = (long)(choice >> 1) % 4};
        return e;
    }
    e->evaluate = choice % 3 == 0 ? sum : choice % 3 == 1 ? product : smaller;
    e->left = make(pool, used, seed, depth - 1);
    e->right = make(pool, used, seed, depth - 1);
    return e;
}

static int rising(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int falling(const void *a, const void *b) {
    return rising(b, a);
}
static int by_last_digit(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x % 10 != y % 10 ? x % 10 - y % 10 : rising(a, b);
}

static double square(double x) {
    return x * x;
}
static double cubic(double x) {
    return (x - 1) * x * (x + 1);
}
static double inverse(double x) {
    return 1 / (1 + x * x);
}

static double integral(double (*f)(double), double from, double to, int steps) {
    double width = (to - from) / steps, area = 0;
    for (int i = 0; i < steps; i++) area += f(from + (i + 0.5) * width);
    return area * width;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 40;
    static Expression pool[1 << 12];
    static int numbers[50000];
    int (*const orders[])(const void *, const void *) = {rising, falling, by_last_digit};
    double (*const functions[])(double) = {square, cubic, inverse};
    int used = 0;
    uint32_t seed = 43;
    const Expression *tree = make(pool, &used, &seed, 10);
    long total = 0;
    double area = 0;
    for (int round = 0; round < rounds; round++) {
        for (long i = 0; i < 600; i++) {
            long variables[4] = {i, i + round, i * 3 % 17, 1000 - i};
            total = (total * 31 + tree->evaluate(tree, variables)) % 1000000007;
        }
        for (int i = 0; i < 50000; i++) {
            seed = seed * 1664525 + 1013904223;
            numbers[i] = (int)(seed >> 12);
        }
        qsort(numbers, 50000, sizeof *numbers, orders[round % 3]);
        total += numbers[round * 1000];
        area += integral(functions[round % 3], 0, 2, 500000);
    }
    printf("%ld %.6f\n", total, area);
    return 0;
}
