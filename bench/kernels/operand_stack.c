// Cause 6, chains of stores and loads: expressions are computed on a stack in memory, where each
// step pushes what the next one pops, and small matrices are multiplied one after another.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 32 };

typedef struct {
    int64_t value[DEPTH];
    int count;
} Stack;

static void push(Stack *stack, int64_t value) {
    stack->value[stack->count++] = value;
}
static int64_t pop(Stack *stack) {
    return stack->value[--stack->count];
}
static void add(Stack *stack) {
    push(stack, pop(stack) + pop(stack));
}
static void multiply(Stack *stack) {
    push(stack, pop(stack) * pop(stack) & 0xffffff);
}
static void duplicate(Stack *stack) {
    push(stack, stack->value[stack->count - 1]);
}
static void swap(Stack *stack) {
    int64_t first = pop(stack), second = pop(stack);
    push(stack, first);
    push(stack, second);
}

// ((x + 3) * x + y) * (y + 1) + x, as a translator for a stack machine would write it.
static int64_t formula(int64_t x, int64_t y) {
    Stack stack = {.count = 0};
    push(&stack, x);
    duplicate(&stack);
    push(&stack, 3);
    add(&stack);
    multiply(&stack);
    push(&stack, y);
    add(&stack);
    push(&stack, y);
    push(&stack, 1);
    add(&stack);
    swap(&stack);
    multiply(&stack);
    push(&stack, x);
    add(&stack);
    return pop(&stack);
}

typedef struct {
    uint32_t cell[2][2];
} Matrix;

static Matrix product(const Matrix *a, const Matrix *b) {
    Matrix result;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            result.cell[i][j] = 0;
            for (int k = 0; k < 2; k++) result.cell[i][j] += a->cell[i][k] * b->cell[k][j];
        }
    }
    return result;
}

static Matrix power(Matrix base, unsigned exponent) {
    Matrix result = {{{1, 0}, {0, 1}}};
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = product(&result, &base);
        base = product(&base, &base);
    }
    return result;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 620000;
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        hash = hash * 3 + (uint64_t)formula(round, (int64_t)(hash & 1023));
        Matrix step = {{{1, 1}, {1, (uint32_t)hash & 1}}};
        hash ^= power(step, (unsigned)round % 2000).cell[0][1];
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
