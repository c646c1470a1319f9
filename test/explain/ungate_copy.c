// What widen has left as a copy goes with the copies of gated SSA, if a branch is converted there.
int f(const int *a, int n, int k) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * k; // explain: widen replaced "counter in step"; ungate merged "a copy of"
    if (n < 0) s = 0;  // explain: if_convert replaced "select instead of the branch"
    return s;
}
