// x: when '!a && !b'
int bad(int a, int b) {
    int x;
    if (a || b) x = 1;
    if (b || a < 3) return x;
    return 0;
}
int good(int a, int b) {
    int x;
    if (a || b) x = 1;
    if (a) return x;
    return 0;
}
