// The same in the Sea of Nodes, where it takes hope: the counters are equal as long as nothing speaks against it.
int f(const int *p, int n) {
    int i = 0, j = 0, s = 0;
    do {
        s += p[i] * p[j];
        i++;
        j++; // explain: son_optimize merged "equal to %i"
    } while (i < n);
    return s;
}
