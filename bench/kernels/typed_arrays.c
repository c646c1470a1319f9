// Cause 9, array codes where types tell arrays apart: bounds, offsets and scales are read through
// pointers of other types than the arrays that are written.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 4000, ROWS = 60, PER_ROW = 50 };

typedef struct {
    float *value;
    int *start, *column;
    int rows;
} Sparse;

typedef struct {
    short length;
    short *offset;
    double *weight;
} Kernel;

static void multiply(const Sparse *matrix, const double *in, double *out) {
    for (int row = 0; row < matrix->rows; row++) {
        out[row] = 0;
        for (int k = matrix->start[row]; k < matrix->start[row + 1]; k++)
            out[row] += matrix->value[k] * in[matrix->column[k]];
    }
}

static void convolve(const Kernel *kernel, const float *in, float *out, const int *count) {
    for (int i = 0; i < *count; i++) {
        out[i] = 0;
        for (int k = 0; k < kernel->length; k++)
            out[i] += (float)kernel->weight[k] * in[i + kernel->offset[k]];
    }
}

static void scale(float *value, const int *count, const double *factor) {
    for (int i = 0; i < *count; i++) value[i] = (float)(value[i] * *factor);
}

static void gather(const int *index, const int64_t *from, short *to, const int *count) {
    for (int i = 0; i < *count; i++) to[i] = (short)(from[index[i]] + index[0] + *count);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 3000;
    static float value[ROWS * PER_ROW], in[SIZE + 16], out[SIZE];
    static int start[ROWS + 1], column[ROWS * PER_ROW], index[SIZE];
    static double vector[ROWS], product[ROWS];
    static int64_t wide[SIZE];
    static short narrow[SIZE];
    short offset[] = {0, 2, 5, 7};
    double weight[] = {0.5, 0.25, -0.125, 0.375}, factor = 0.75, sum = 0;
    Sparse matrix = {value, start, column, ROWS};
    Kernel kernel = {4, offset, weight};
    uint32_t seed = 97;
    uint64_t hash = 0;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1664525 + 1013904223;
        in[i] = (float)(seed >> 20) / 64;
        wide[i] = seed;
        index[i] = (int)(seed >> 7) % SIZE;
    }
    for (int k = 0; k < ROWS * PER_ROW; k++) {
        value[k] = (float)(index[k] % 7 - 3) / 64;
        column[k] = index[k] % ROWS;
    }
    for (int row = 0; row <= ROWS; row++) start[row] = row * PER_ROW;
    for (int round = 0; round < rounds; round++) {
        int count = SIZE - round % 8;
        for (int row = 0; row < ROWS; row++) vector[row] = row + round % 3;
        for (int turn = 0; turn < 4; turn++) multiply(&matrix, vector, product);
        convolve(&kernel, in, out, &count);
        scale(out, &count, &factor);
        gather(index, wide, narrow, &count);
        sum += product[round % ROWS] + (double)out[round % 1000];
        hash = hash * 31 + (uint64_t)narrow[round % 1000];
    }
    printf("%016llx %.6g\n", (unsigned long long)hash, sum);
    return 0;
}
