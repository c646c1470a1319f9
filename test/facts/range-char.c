// A character is at most 255, so the sum of two is at most 510, and the check against 511 folds.
// run: int f(unsigned, unsigned)
void never(void);

int f(unsigned x, unsigned y) {
    unsigned char a = x, b = y;
    if (a >= 256) never();
    int sum = a + b;
    if (sum < 0 || sum >= 511) never();
    return sum;
}
