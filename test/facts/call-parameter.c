// The parameter is always this function, so the call is direct, is inlined, and its result folds.
// run: int f(int)
void never(void);

static int order(int a, int b) {
    return (a > b) - (a < b);
}
static int same(int (*compare)(int, int), int a, int b) {
    return compare(a, b) == 0;
}

int f(int x) {
    if (!same(order, x, x)) never();
    return x;
}
