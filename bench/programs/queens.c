// All ways to place queens on a board, twice: with arrays of what is taken, and with bit sets.
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 16 };

typedef struct {
    int size;
    int column_of[LARGEST];
    char column[LARGEST], rising[2 * LARGEST], falling[2 * LARGEST];
    long solutions;
} Board;

static void place(Board *board, int row) {
    int size = board->size;
    if (row == size) {
        board->solutions++;
        return;
    }
    for (int column = 0; column < size; column++) {
        int rising = row + column, falling = row - column + size;
        if (board->column[column] || board->rising[rising] || board->falling[falling]) continue;
        board->column_of[row] = column;
        board->column[column] = board->rising[rising] = board->falling[falling] = 1;
        place(board, row + 1);
        board->column[column] = board->rising[rising] = board->falling[falling] = 0;
    }
}

static long with_bits(unsigned all, unsigned columns, unsigned rising, unsigned falling) {
    if (columns == all) return 1;
    long solutions = 0;
    for (unsigned free = all & ~(columns | rising | falling); free; free &= free - 1) {
        unsigned bit = free & (0u - free);
        solutions += with_bits(all, columns | bit, (rising | bit) << 1, (falling | bit) >> 1);
    }
    return solutions;
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 13;
    if (size < 1 || size > LARGEST) return 2;
    for (int n = 1; n <= size; n++) {
        Board board = {.size = n};
        place(&board, 0);
        printf("%d: %ld %ld\n", n, board.solutions, with_bits((1u << n) - 1, 0, 0, 0));
    }
    return 0;
}
