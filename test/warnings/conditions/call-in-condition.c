// x: when 'g(a) <= 2' (with the value of 'g(a)' at line 5)
int g(int);
int bad(int a) {
    int x;
    if (g(a) > 2) x = 3;
    return x;
}
int good(int a) {
    int x, r;
    if ((r = g(a)) > 2) x = 3;
    return r > 4 ? x : 0;
}
