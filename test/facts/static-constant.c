// No code writes the static variable, so it keeps its first value, and the tests fold.
// run: int f(int)
void never(void);

static int limit = 16;
static int *place(void) {
    return &limit;
}

int f(int x) {
    int low = x & 15;
    if (low >= limit) never();
    if (*place() != 16) never();
    return low;
}
