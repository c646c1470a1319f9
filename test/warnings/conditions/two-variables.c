// x: when 'a == b'
int bad(int a, int b) {
    int x, y = b;
    if (a > b) x = 1;
    if (a >= y) return x;
    return 0;
}
int good(int a, int b) {
    int x, y = b;
    if (a > b) x = 1;
    if (y < a) return x;
    return 0;
}
