// x: when 'n <= 0', or here when 'm <= 0'
int g(int);
int bad(int n, int m) {
    int x;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x = g(j);
    return x;
}
int good(int n, int m) {
    int x = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x = g(j);
    return x;
}
