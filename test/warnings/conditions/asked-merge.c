// x: when '!a && !b && c'
int g(int);
int bad(int a, int b, int c) {
    int x, p = a;
    if (p) {
        x = g(1);
    } else {
        p = b;
        if (p) x = g(2);
    }
    if (c) return x;
    return 0;
}
int good(int a, int b, int c) {
    int x, p = a;
    if (p) {
        x = g(1);
    } else {
        p = b;
        if (p) x = g(2);
    }
    if (!p) return 0;
    if (c) return x;
    return 0;
}
