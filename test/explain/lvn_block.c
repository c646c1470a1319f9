// options: --off=son_build --on=lvn
// The same in one block.
int f(int a, int b) {
    int x = a - b;
    int y = a - b; // explain: lvn merged "equal to"
    return x * (y + 1);
}
