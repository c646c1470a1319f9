// options: --off=son_build
// The same without the Sea of Nodes.
int f(int a, int b) {
    int unused = a * b; // explain: dead_code removed "nothing needs"
    (void)unused;
    return a + b;
}
