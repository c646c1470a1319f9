// x: when 'c <= 3 && d'
int g(int);
int bad(int c, int d) {
    int x;
    if (c > 3) x = g(c);
    if (d) return x;
    return 0;
}
int good(int c, int d) {
    int x;
    if (c > 3) x = g(c);
    if (c > 3 && d) return x;
    return 0;
}
