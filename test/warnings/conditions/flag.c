// x: when '!a && b'
int g(int);
int bad(int a, int b) {
    int x, ok = 0;
    if (a) {
        x = g(a);
        ok = 1;
    }
    if (b) ok = 1;
    if (ok) return x;
    return 0;
}
int good(int a) {
    int x, ok = 0;
    if (a) {
        x = g(a);
        ok = 1;
    }
    if (ok) return x;
    return 0;
}
