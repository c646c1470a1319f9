// Two values change places in every round: the copies on the back edge are a cycle.
int g(int, int);
int f(int a, int b, int n) {
    do {
        g(a, b); // explain: ssa_destruct added "are a cycle"
        int t = a;
        a = b;
        b = t;
    } while (--n);
    return a;
}
