// The sum of one column of a table, scaled.
#include <stdio.h>

static double scaled_sum(double (*table)[4], int rows, int column, const double *scale) {
    double sum = 0;
    for (int r = 0; r < rows; r++) sum += table[r][column] * *scale;
    return sum;
}

int main(void) {
    double table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, scale = 0.5;
    printf("%g\n", scaled_sum(table, 3, 2, &scale));
    return 0;
}
