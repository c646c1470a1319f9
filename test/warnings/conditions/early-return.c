// x: when 'a >= 0 && a <= 10 && !b'
int bad(int a, int b) {
    int x;
    if (a < 0) return 0;
    if (b) x = a;
    if (a > 10) return 1;
    return x;
}
int good(int a, int b) {
    int x;
    if (a < 0) return 0;
    if (b) x = a;
    if (!b) return 1;
    return x;
}
