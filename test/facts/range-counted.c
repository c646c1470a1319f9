// The loop counts from zero to seven, so the check in its body folds, and the loop is a constant.
// run: unsigned f(unsigned)
void never(void);

unsigned f(unsigned x) {
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        if (i < 0 || i >= 8) never();
        sum += i;
    }
    return x + (sum == 28);
}
