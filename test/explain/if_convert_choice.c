// A choice between two values that are at hand is a select.
int f(int c, int a, int b) {
    int r = a; // explain: -> "cmov"
    if (c > 3) // explain: if_convert replaced "select"
        r = b;
    return r * 5;
}
