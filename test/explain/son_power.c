// The same rule in the Sea of Nodes.
int f(int x) {
    return x * 64; // explain: son_optimize replaced "shl"; -> "shl"
}
