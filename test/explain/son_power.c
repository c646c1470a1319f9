// The same rule in the Sea of Nodes.
int f(int x) {
    return x * 64; // explain: son_optimize replaced "by rule mul_power.i32: mul.i32 %x.0, 64 is"
}
