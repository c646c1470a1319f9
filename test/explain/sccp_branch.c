// options: --off=son_build --on=sccp
// A branch whose condition is a constant, and what it cuts off.
int f(int x) {
    int debug = 0;
    if (debug)      // explain: sccp decided "ne.i32 0, 0 is 0"
        x = x * 17; // explain: tidy removed "no way leads there"
    return x;
}
