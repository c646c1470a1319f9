// A remainder that is compared with zero is a comparison of what would be subtracted.
int g(int);
int f(int i) {
    if (i % 2) // explain: son_optimize replaced "by rule sub_zero_NE.i32"
        g(i);
    return i;
}
