// options: --off=son_build --on=sccp
// Constants through arithmetic.
int f(int x) {
    int a = 2;
    int b = a * 3; // explain: sccp folded "always 6"
    return b + x;
}
