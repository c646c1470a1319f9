// x: when '!c && n > 2'
int g(int);
int bad(int n, int c) {
    int x;
    if (c)
        for (int i = 0; i != n; i++) x = g(i);
    if (n > 2) return x;
    return 0;
}
int good(int n, int c) {
    int x;
    if (c)
        for (int i = 0; i < n; i++) x = g(i);
    if (c && n > 2) return x;
    return 0;
}
