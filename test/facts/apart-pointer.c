// Nobody has the address of the local array, so the store by p leaves it, and its element is known.
// run: int f(int *, int)
void never(void);

static int second(const int *pair) {
    return pair[1];
}

int f(int *p, int x) {
    int pair[2] = {1, 2};
    *p = x;
    p[1] = x;
    if (second(pair) != 2) never();
    return x;
}
