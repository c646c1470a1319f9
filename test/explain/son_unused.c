// A value that nothing needs.
int f(int a, int b) {
    int unused = a * b; // explain: son_optimize removed "nothing needs"
    (void)unused;
    return a + b;
}
