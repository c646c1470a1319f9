// x: when 'n == 5'
int bad(int n) {
    int x;
    if (n != 5) x = 1;
    if (n > 2) return x;
    return 0;
}
int good(int n) {
    int x;
    if (n != 5) x = 1;
    if (n == 4) return x;
    return 0;
}
