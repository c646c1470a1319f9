// x: when 'a == 3'
int bad(int a, int b) {
    int x, cond = a > 3;
    if (cond) x = b;
    if (a > 2) return x;
    return 0;
}
int good(int a, int b) {
    int x, cond = a > 3;
    if (cond) x = b;
    if (a > 3) return x;
    return 0;
}
