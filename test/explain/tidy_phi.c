// options: --off=son_build --on=sccp
// The branch is decided, so that one way is left into the join.
int f(int a, int b) {
    int on = 1, x;
    if (on) // explain: sccp decided "fold: ne.i32 1, 0 is 1"
        x = a + 1;
    else
        x = b * 7; // explain: tidy removed "no way leads there"
    return x;      // explain: tidy replaced "one way is left"
}
