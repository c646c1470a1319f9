// The first read shows that p is not null, so the check in the inlined helper folds.
// run: int f(const int *)
void never(void);

static int get(const int *p) {
    if (!p) {
        never();
        return 0;
    }
    return *p;
}

int f(const int *p) {
    int first = *p;
    return first + get(p);
}
