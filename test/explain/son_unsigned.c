// An unsigned number is never below zero.
int f(unsigned n) {
    if (n < 0)    // explain: son_optimize decided "by rule ult_zero.i32"
        return 1; // explain: son_optimize removed "no way leads there"
    return n > 9;
}
