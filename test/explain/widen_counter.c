// A counter of 32 bits by which an array is indexed is kept in 64 bits; the extension in the loop is gone.
int f(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) // explain: widen added "the branch at node 8 went to node 9 before"
        s += a[i];              // explain: widen replaced "counter in step"
    return s;
}
