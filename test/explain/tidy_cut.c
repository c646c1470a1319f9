// options: --off=son_build --on=sccp --off=dead_code
// A way that cannot be taken is gone with all that stands on it.
int g(int);
int f(int x) {
    int on = 1;
    if (!on)  // explain: sccp decided "ne.i32 1, 0 is 1"
        g(x); // explain: tidy removed "no way leads there"
    return x;
}
