// The arrays are apart, so the store to one leaves the other, and the test of its element folds.
// run: int f(int, int)
void never(void);

int f(int i, int x) {
    int written[4] = {0}, kept[4] = {1, 2, 3, 4};
    written[i & 3] = x;
    if (kept[2] != 3) never();
    return written[i & 3];
}
