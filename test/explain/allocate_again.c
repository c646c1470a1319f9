// More values than registers that calls keep: the address is made again in every round, as that is cheaper than a spill.
int g(int);
int table[9];
int f(int a, int b, int c, int d, int e, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += g(a + b * c);
        s ^= table[i & 7] + d + e; // explain: allocate moved "made in"
    }
    return s + a + b + c + d;
}
