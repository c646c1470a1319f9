// options: -O2
// A loop of three rounds: each round adds with an index of its own.
int f(const int *a) {
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += a[i]; // explain: unroll_loops copied "in a later round of a loop"
    return s;
}
