// x: when 'c <= 3' (with the value of 'c' on entry)
int g(int);
int bad(int c, int d) {
    int x;
    if (c > 3) x = 1;
    c = g(d);
    g(c);
    return x;
}
int good(int c, int d) {
    int x;
    if (c > 3) x = 1;
    int kept = c > 3;
    c = g(d);
    return kept ? x : c;
}
