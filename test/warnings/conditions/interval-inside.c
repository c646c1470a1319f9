// x: when 'n > 1 && n <= 3'
int bad(int n) {
    int x;
    if (n > 3) x = 1;
    if (n > 1) return x;
    return 0;
}
int good(int n) {
    int x;
    if (n > 3) x = 1;
    if (n > 5) return x;
    return 0;
}
