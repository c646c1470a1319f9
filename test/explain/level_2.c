// options: -O2
// A larger body is put in the place of a call at -O2.
int g(int);
static int steps(int a, int b) {
    int s = g(a) + g(b);
    s += g(a + b) * g(a - b);
    s ^= g(s) + g(s + 1);
    return s * 3 + g(s + 2); // explain: in f: -> "leal"
}
int f(int a, int b) {
    return steps(a, b) + 1; // explain: inline_calls inlined "it is the only one"
}
