// x: at least when 'n == 2'
int g(int);
int bad(int n) {
    int x, round = 0;
again:
    if (round == 0 && n < 4) goto skip;
    x = g(n);
skip:
    if (n == 2) return x;
    if (round++ < 3) goto again;
    return 0;
}
int good(int n) {
    int x, round = 0;
again:
    x = g(n);
    if (round++ < 3 && n > x) goto again;
    return x;
}
