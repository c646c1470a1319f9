// The values that come together at a join are in one register, so that nothing is copied.
int g(int);
int f(int n) {
    int s = 1;
    for (int i = 0; i < n; i++) s = g(s); // explain: ssa_destruct placed "do not interfere"
    return s;
}
