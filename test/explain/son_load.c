// A load of what was loaded before, with nothing between that could have changed it.
int f(const int *p, int n) {
    int x = *p;
    int y = *p; // explain: son_optimize merged "%x.1, what the load at node 0"
    return x * (y + n);
}
