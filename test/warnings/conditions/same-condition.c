// x: when '!c'
int g(int);
int bad(int c) {
    int x;
    if (c) x = g(1);
    if (!c) return x;
    return 0;
}
int good(int c) {
    int x;
    if (c) x = g(1);
    if (c) return x;
    return 0;
}
