// b + a is a + b. The Sea of Nodes has each value only once.
int f(int a, int b) {
    int x = a + b;
    int y = b + a; // explain: son_build merged "same operator"
    return x * (y ^ 5);
}
