// options: --off=son_build --on=gvn
// A product that was computed before on every way.
int f(int a, int b, int c) {
    int x = a * b;
    if (c) c = 7;
    int y = a * b; // explain: gvn merged "equal to %x.1, computed at node 0, which dominates"
    return x + y * c;
}
