// options: --off=son_build --on=rewrite
// A multiplication by a power of two is a shift.
int f(int x) {
    return x * 64; // explain: rewrite replaced "mul_power"
}
