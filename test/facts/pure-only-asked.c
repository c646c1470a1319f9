// Only a test that folds asks for the result, so nobody uses it, and the call without effect goes.
// run: int f(int)
void never(void);

static int parity(unsigned x) {
    int odd = 0;
    for (int i = 0; i < 32; i++) odd ^= x >> i & 1;
    return odd & 1;
}

int f(int x) {
    if (parity(x) > 1) never();
    return x;
}
