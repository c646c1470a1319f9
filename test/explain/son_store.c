// The same in the Sea of Nodes.
int f(int *p, int x) {
    *p = x;        // explain: -> "mov"
    return *p + 1; // explain: son_optimize merged "%x.0, what the store at node 0"
}
