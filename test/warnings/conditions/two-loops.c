// x: when 'n <= 0 && m <= 0'
int bad(int n, int m) {
    int x;
    for (int i = 0; i < n; i++) x = i;
    for (int i = 0; i < m; i++) x = 2 * i;
    return x;
}
int good(int n, int m) {
    int x;
    for (int i = 0; i < n; i++) x = i;
    if (n < 1) x = m;
    return x;
}
