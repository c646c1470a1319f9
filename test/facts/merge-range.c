// The variable is one or two at the join, so its double is from two to four, and the tests fold.
// run: int f(int)
void never(void);

int f(int x) {
    int kind = x > 0 ? 1 : 2;
    int weight = kind * 2;
    if (weight > 4) never();
    if (weight < 2) never();
    return x;
}
