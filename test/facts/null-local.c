// The address of a local is not null, so the helper always stores, and the loaded value is known.
// run: int f(int)
void never(void);

static int put(int *p, int value) {
    if (!p) return 0;
    *p = value;
    return 1;
}

int f(int x) {
    int local = 0;
    if (!put(&local, 4)) never();
    if (local != 4) never();
    return x;
}
