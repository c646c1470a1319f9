// b + a is a + b. With all that is usual the Sea of Nodes finds it.
int f(int a, int b) {
    int x = a + b;
    int y = b + a; // explain: son_optimize merged "equal to"
    return x * (y ^ 5);
}
