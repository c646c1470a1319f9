// On both ways the two constants add up to five, so the sum is five behind the join.
// run: int f(int)
void never(void);

int f(int c) {
    int a, b;
    if (c) {
        a = 1;
        b = 4;
    } else {
        a = 2;
        b = 3;
    }
    if (a + b != 5) never();
    return a + b;
}
