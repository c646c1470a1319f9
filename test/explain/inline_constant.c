// With a constant argument nothing of the body is left.
static int twice(int x) {
    return x + x; // explain: in f: son_optimize folded "always 14"
}
int f(void) {
    return twice(7); // explain: inline_calls inlined "twice"
}
