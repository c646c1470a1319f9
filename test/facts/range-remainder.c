// On this path x is not negative, so its remainder by eight is from zero to seven.
// run: int f(int)
void never(void);

int f(int x) {
    if (x >= 0) {
        int place = x % 8;
        if (place < 0) never();
        if (place > 7) never();
    }
    return x;
}
