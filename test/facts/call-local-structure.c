// The local structure holds one known function, so the call is direct, is inlined and folds.
// run: int f(int)
void never(void);

struct visitor {
    int (*visit)(int);
    int limit;
};
static int low(int x) {
    return x & 3;
}
static void walk(const struct visitor *visitor, int x) {
    if (visitor->visit(x) > visitor->limit) never();
}

int f(int x) {
    struct visitor visitor = {low, 3};
    walk(&visitor, x);
    return x;
}
