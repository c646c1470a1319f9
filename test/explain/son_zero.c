// What is always zero, and what a zero does not change.
int f(int x, int y) {
    int z = y - y; // explain: son_optimize folded "by rule sub_self.i32"
    return x + z;  // explain: son_optimize merged "equal to %x.0, a parameter: by rule add_zero"
}
