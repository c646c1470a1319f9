// Both variables get one value on each way, so they are equal at the join, and the difference is 0.
// run: int f(int, int)
void never(void);

int f(int c, int x) {
    int a, b;
    if (c) {
        a = x;
        b = x;
    } else {
        a = 9;
        b = 9;
    }
    int difference = a - b;
    if (difference != 0) never();
    return difference;
}
