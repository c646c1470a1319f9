// x: when 'n >= 9 || n <= 3'
int bad(unsigned n) {
    int x;
    if (n > 3 && n < 9) x = 1;
    return x;
}
int good(unsigned n) {
    int x;
    if (n <= 8) x = 1;
    if (n < 9) return x;
    return 0;
}
