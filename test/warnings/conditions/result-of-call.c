// x: here when 'r'
int g(int);
int bad(int a) {
    int x;
    int r = g(a);
    if (r == 0) x = 3;
    if (a) return x;
    return r;
}
int good(int a) {
    int x;
    int r = g(a);
    if (r == 0) x = 3;
    if (r) return r;
    return x;
}
