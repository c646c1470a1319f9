// The store to p shows that p is not null, so p + 1 is not null, and the check of p + 1 folds.
// run: int f(int *, int)
void never(void);

static void put(int *p, int value) {
    if (!p)
        never();
    else
        *p = value;
}

int f(int *p, int x) {
    *p = x;
    put(p + 1, x);
    return x;
}
