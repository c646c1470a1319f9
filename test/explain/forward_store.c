// options: --off=son_build --on=forward
// A load of what was stored before.
int f(int *p, int x) {
    *p = x;
    return *p + 1; // explain: forward merged "%x.0, what the store at node 0"
}
