// The test of a loop is done at its end, and once before it.
int f(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) // explain: invert_loops copied "in front of the loop and at"
        s += a[i];
    return s;
}
