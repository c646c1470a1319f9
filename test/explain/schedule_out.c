// The Sea of Nodes has no place for what does not depend on the loop; where it gets one is before it.
int f(int *p, int n, int a, int b) {
    int i = 0;
    do {
        p[i] = a * b; // explain: son_schedule moved "out of the loop"; -> "imul"
        i++;
    } while (i < n);
    return i;
}
