// x: when 'n <= 0'
int bad(int n) {
    int x;
    for (int i = 0; i < n; i++) x = i;
    return x;
}
int good(int n) {
    int x;
    for (int i = 0; i < n; i++) x = i;
    if (n > 0) return x;
    return 0;
}
