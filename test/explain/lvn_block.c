// options: --off=son_build --on=lvn
// The same in one block.
int f(int a, int b) {
    int x = a - b;
    int y = a - b; // explain: lvn merged "equal to %x.1, computed at node 0"
    return x * (y + 1);
}
