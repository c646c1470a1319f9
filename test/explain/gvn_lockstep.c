// options: --off=son_build --on=gvn
// Two counters in lock step are equal though each is computed from itself.
int f(const int *p, int n) {
    int i = 0, j = 0, s = 0;
    do {
        s += p[i] * p[j];
        i++;
        j++; // explain: gvn merged "equal to %i"
    } while (i < n);
    return s;
}
