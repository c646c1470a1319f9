// options: -O2
// Loops with few rounds that stay as they are.
int g(int);
int f(int n) {
    int s = 0;
    for (int i = 0; i < 5; i++) // explain: unroll_loops kept "the loop has 5 rounds, but has calls"
        s += g(i);
    return s;
}
int h(const int *a, int n) {
    int s = 0;
    for (int k = 0; k < 7; k++) // explain: unroll_loops kept "has a loop in it that stays"
        for (int i = 0; i < n; i++) s += a[i] ^ k;
    return s;
}
int k(int x) {
    for (int i = 0; i < 12; i++) // explain: unroll_loops kept "252 nodes in all rounds, limit 200"
        for (int j = 0; j < 10; j++) x = (x ^ j) * 5;
    return x;
}
