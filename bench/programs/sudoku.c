// Sudoku by backtracking: the cell with the fewest candidates first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int cell[81];
    int row[9], column[9], box[9]; // bit d: the digit d + 1 is used
    long steps;
} Sudoku;

static int bits(int set) {
    int count = 0;
    for (; set; set &= set - 1) count++;
    return count;
}

static int candidates(const Sudoku *s, int at) {
    int row = at / 9, column = at % 9, box = row / 3 * 3 + column / 3;
    return ~(s->row[row] | s->column[column] | s->box[box]) & 511;
}

static void toggle(Sudoku *s, int at, int bit) {
    int row = at / 9, column = at % 9, box = row / 3 * 3 + column / 3;
    s->row[row] ^= bit;
    s->column[column] ^= bit;
    s->box[box] ^= bit;
}

static int solve(Sudoku *s) {
    int best = -1, fewest = 10;
    s->steps++;
    for (int at = 0; at < 81; at++) {
        if (s->cell[at]) continue;
        int count = bits(candidates(s, at));
        if (count < fewest) {
            fewest = count;
            best = at;
        }
    }
    if (best < 0) return 1;
    int set = candidates(s, best);
    for (int digit = 1; digit <= 9; digit++) {
        int bit = 1 << (digit - 1);
        if (!(set & bit)) continue;
        s->cell[best] = digit;
        toggle(s, best, bit);
        if (solve(s)) return 1;
        toggle(s, best, bit);
        s->cell[best] = 0;
    }
    return 0;
}

static void set_up(Sudoku *s, const char *text) {
    memset(s, 0, sizeof *s);
    for (int at = 0; at < 81; at++) {
        if (text[at] == '.') continue;
        s->cell[at] = text[at] - '0';
        toggle(s, at, 1 << (s->cell[at] - 1));
    }
}

int main(int argc, char **argv) {
    static const char *const puzzles[] = {
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
        "52...6.........7.13...........4..8..6......5...........418.........3..2...87.....",
    };
    int rounds = argc > 1 ? atoi(argv[1]) : 20;
    Sudoku sudoku;
    long steps = 0;
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
            set_up(&sudoku, puzzles[i]);
            if (!solve(&sudoku)) return 1;
            steps += sudoku.steps;
            if (round > 0) continue;
            for (int at = 0; at < 81; at++) printf("%d", sudoku.cell[at]);
            printf("\n");
        }
    }
    printf("%ld steps\n", steps);
    return 0;
}
