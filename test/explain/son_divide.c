// An unsigned division by a power of two is a shift, and a remainder a mask.
unsigned f(unsigned x) {
    unsigned q = x / 16; // explain: son_optimize replaced "rule divu_power.i32"; -> "shrl $4"
    unsigned r = x % 16; // explain: son_optimize replaced "rule modu_power.i32"; -> "andl $15"
    return q ^ (r << 3);
}
