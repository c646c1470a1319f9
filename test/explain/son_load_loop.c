// The same in the Sea of Nodes, which moves the load itself.
int limit;
int f(int n) {
    int s = 0, i = 0;
    do {
        s += limit; // explain: son_optimize moved "out of the loop"; -> "movl limit"
        i++;
    } while (i < n);
    return s;
}
