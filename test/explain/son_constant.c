// The same constants in the Sea of Nodes.
int f(int x) {
    int a = 2;
    int b = a * 3; // explain: son_optimize folded "always 6"
    return b + x;
}
