// The loop adds three a hundred times, so the sum is 300, and the test of the sum folds.
// run: int f(int)
void never(void);

int f(int x) {
    int sum = 0;
    for (int i = 0; i < 100; i++) sum += 3;
    if (sum != 300) never();
    return x;
}
