// What only one way needs is computed on that way.
int g(int);
int f(int a, int b, int c) {
    int x = a * b; // explain: son_schedule moved "down to where it is needed, in front of node 2"
    if (c) return g(x);
    return g(c);
}
