// The mask clears the sign, so the value is not negative, and its absolute value is the same.
// run: int f(int)
void never(void);

static int absolute(int x) {
    return x < 0 ? -x : x;
}

int f(int x) {
    int low = x & 0x7fff;
    if (absolute(low) != low) never();
    if (low - 0x8000 >= 0) never();
    return low;
}
