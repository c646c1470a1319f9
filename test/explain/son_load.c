// A load of what was loaded before, with nothing between that could have changed it.
int f(const int *p, int n) {
    int x = *p;
    int y = *p; // explain: son_optimize merged "what the load"
    return x * (y + n);
}
