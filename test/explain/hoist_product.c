// options: --off=son_build --on=hoist
// What does not change in a loop is computed before it.
int f(int *p, int n, int a, int b) {
    int i = 0;
    do {
        p[i] = a * b; // explain: hoist moved "out of the loop"; -> "imull"
        i++;
    } while (i < n);
    return i;
}
