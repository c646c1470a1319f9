// The table and the index are constant, so the call is direct, is inlined and gives a constant.
// run: int f(int)
void never(void);

static int twice(int x) {
    return x * 2;
}
static int next(int x) {
    return x + 1;
}
static int (*const table[])(int) = {twice, next};

int f(int x) {
    if (table[0](20) + table[1](20) != 61) never();
    return x;
}
