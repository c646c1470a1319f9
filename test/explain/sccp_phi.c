// options: --off=son_build --on=sccp
// The same constant by both ways: the phi is it, and so is what is computed from it.
int g(int);
int f(int c) {
    int x;
    if (c) {
        g(1);
        x = 4;
    } else {
        g(2);
        x = 4;
    }
    return x + 1; // explain: sccp folded "always 5"; sccp folded "4: the same from every way"
}
